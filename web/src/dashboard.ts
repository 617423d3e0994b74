// The dashboard that `berth serve` shows to browsers: pages by the part of the address after #.

import "./theme.css";
import "./report.css";
import "./table.css";
import "./heat_map.css";
import "./plot.css";
import "./dashboard/dashboard.css";

import { button, h } from "./dom";
import { get } from "./dashboard/api";
import { decisionsPage } from "./dashboard/decisions_page";
import { fleetPage } from "./dashboard/fleet_page";
import { levelsPage } from "./dashboard/levels_page";
import { onCommit, onState, overall } from "./dashboard/live";
import { machinePage } from "./dashboard/machine_page";
import type { CallerReply, HealthReply } from "./dashboard/messages";
import { allows, errorBox, type Context, type Page } from "./dashboard/page";
import { rightsizingPage } from "./dashboard/rightsizing_page";
import { scalingPage } from "./dashboard/scaling_page";
import { askForTokens, forgetToken, whoAmI } from "./dashboard/session";
import { whatIfPage } from "./dashboard/what_if_page";

type Open = (argument: string, context: Context) => Page;

const PAGES: Record<string, { text: string; open: Open; hidden?: true }> = {
  fleet: { text: "Fleet", open: () => fleetPage() },
  machines: { text: "Machine", open: machinePage, hidden: true },
  decisions: { text: "Decisions", open: decisionsPage },
  levels: { text: "Service levels", open: (_, context) => levelsPage(context) },
  rightsizing: { text: "Rightsizing", open: (_, context) => rightsizingPage(context) },
  scaling: { text: "Scaling", open: (_, context) => scalingPage(context) },
  "what-if": { text: "What if", open: (_, context) => whatIfPage(context) },
};

const STATES = { live: "live", connecting: "connecting…", lost: "no connection" } as const;

function contextFor(caller: CallerReply, said: HTMLElement): Context {
  return {
    may: (role) => allows(caller.role, role),
    onCommit,
    say: (text) => (said.textContent = text),
  };
}

function renderState(): HTMLElement {
  const element = h("span", { class: "state", role: "status" });
  const show = () => {
    element.textContent = STATES[overall()];
    element.dataset.state = overall();
  };
  onState(show);
  show();
  return element;
}

function renderNavigation(): { element: HTMLElement; mark: (name: string) => void } {
  const links = Object.entries(PAGES).flatMap(([name, { text, hidden }]) =>
    hidden === true ? [] : [{ name, link: h("a", { href: `#/${name}` }, text) }],
  );
  return {
    element: h("nav", { class: "pages", "aria-label": "Pages" }, ...links.map(({ link }) => link)),
    mark(name) {
      for (const each of links) {
        if (each.name === name) each.link.setAttribute("aria-current", "page");
        else each.link.removeAttribute("aria-current");
      }
    },
  };
}

// What the address asks for: a page, and of what.
function asked(): { name: string; argument: string } {
  const [, name = "", ...rest] = location.hash.split("/");
  const known = PAGES[name] !== undefined ? name : "fleet";
  return { name: known, argument: decodeURIComponent(rest.join("/")) };
}

function route(main: HTMLElement, mark: (name: string) => void, context: Context): void {
  let current: Page | null = null;
  const open = () => {
    const { name, argument } = asked();
    current?.close();
    current = PAGES[name]!.open(argument, context);
    document.title = `${current.title} – Berth`;
    const title = h("h1", { tabindex: "-1" }, current.title);
    main.replaceChildren(title, current.element);
    mark(name === "machines" ? "fleet" : name);
    return title;
  };
  // Somebody who does not see the page is told of the new one.
  addEventListener("hashchange", () => open().focus());
  open();
}

async function begin(): Promise<void> {
  askForTokens();
  const navigation = renderNavigation();
  const said = h("p", { class: "visually-hidden", "aria-live": "assertive" });
  const who = h("span", { class: "who" });
  const main = h("main", { id: "main" });
  document.body.append(
    h("a", { class: "skip", href: "#main" }, "Skip to the page"),
    h(
      "header",
      { class: "bar" },
      h("span", { class: "mark", "aria-hidden": "true" }),
      h("span", { class: "brand" }, "Berth"),
      navigation.element,
      renderState(),
      who,
    ),
    h("div", { class: "layout dashboard" }, main),
    said,
  );
  document.querySelector<HTMLAnchorElement>(".skip")!.addEventListener("click", (event) => {
    event.preventDefault();
    main.querySelector<HTMLElement>("h1")?.focus();
  });
  try {
    const [caller, health] = await Promise.all([whoAmI(), get<HealthReply>("/v1/health")]);
    who.textContent = `${caller.name}, ${caller.role}`;
    who.title = `Berth ${health.version} over ${health.store}`;
    if (caller.name !== "anyone") who.append(button("Leave", "Forget the token", forgetToken));
    route(main, navigation.mark, contextFor(caller, said));
  } catch (error) {
    main.replaceChildren(h("h1", {}, "Berth"), errorBox(error));
  }
}

void begin();
