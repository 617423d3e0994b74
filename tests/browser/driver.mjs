// Obeys requests for a browser: node driver.mjs <folder with node_modules> <chromium>
//
// A request is a line of JSON on stdin, {"do": name, ...}, and so is its answer on stdout,
// {"value": ...} or {"error": text}. The browser ends with stdin, so also with who asked.
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

const [folder, executablePath] = process.argv.slice(2);
const need = createRequire(join(folder, "package.json"));

const HEIGHT = 900;
const PHONE_WIDTH_MAX = 500;
// Less than who asked waits for an answer, so that it hears what was waited for.
const ACTION_MS_MAX = 50_000;

let context;
let page;
let complaints;
let answeredByRequest;

function forget() {
  complaints = [];
  answeredByRequest = new Map();
}

function noteAnswer(request) {
  if (answeredByRequest.has(request)) answeredByRequest.set(request, true);
}

function listen() {
  page.on("console", (message) =>
    complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`));
  page.on("pageerror", (error) => complaints.push(error.stack));
  page.on("request", (request) => answeredByRequest.set(request, false));
  page.on("requestfinished", noteAnswer);
  page.on("requestfailed", noteAnswer);
  page.on("response", (response) => {
    // A stream is answered when it has begun: it does not finish.
    if (response.headers()["content-type"] === "text/event-stream") noteAnswer(response.request());
  });
}

const locate = (selector, containing) =>
  page.locator(selector).filter({ hasText: containing }).first();

// A page that is loaded anew takes the question with it: it is asked again.
async function evaluate(expression) {
  for (;;) {
    try {
      return await page.evaluate(expression);
    } catch (error) {
      if (!error.message.includes("Execution context was destroyed")) throw error;
      await page.waitForLoadState();
    }
  }
}

const actions = {
  // In a new context, which knows nothing of the pages before.
  async go({ url, width, scheme, offline }) {
    await context?.close();
    context = await browser.newContext({
      viewport: { width, height: HEIGHT },
      isMobile: width < PHONE_WIDTH_MAX,
      colorScheme: scheme,
      offline,
    });
    context.setDefaultTimeout(ACTION_MS_MAX);
    page = await context.newPage();
    forget();
    listen();
    await page.goto(url);
  },
  evaluate: ({ expression }) => evaluate(expression),
  click: ({ selector, containing }) => locate(selector, containing).click(),
  fill: ({ selector, text }) => locate(selector).fill(text),
  choose: async ({ selector, option }) => void (await locate(selector).selectOption(option)),
  focus: ({ selector }) => locate(selector).focus(),
  key: ({ key }) => page.keyboard.press(key),
  mouse: ({ act, place }) => page.mouse[act](...place),
  screenshot: async ({ path }) => void (await page.screenshot({ path })),
  complaints: () => complaints,
  requests: () =>
    [...answeredByRequest].map(([request, answered]) => ({ url: request.url(), answered })),
  forget,
  async violations() {
    // A script element would be refused by the page's policy.
    await page.evaluate(need("axe-core").source);
    return page.evaluate(() => axe.run().then((found) => found.violations));
  },
};

async function answer(line) {
  try {
    const { do: action, ...what } = JSON.parse(line);
    return { value: await actions[action](what) };
  } catch (error) {
    return { error: stripVTControlCharacters(error.message) };
  }
}

const browser = await need("playwright-core").chromium.launch({
  executablePath,
  args: ["--disable-gpu", "--disable-quic"],
  // People have scroll bars, and they take room.
  ignoreDefaultArgs: ["--hide-scrollbars"],
});
const lines = createInterface({ input: process.stdin });
lines.on("line", async (line) => console.log(JSON.stringify(await answer(line))));
lines.on("close", async () => {
  await browser.close();
  process.exit();
});
