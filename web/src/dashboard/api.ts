// The server's calls and streams. The token stays in this tab: it is sent as a header and is never
// part of an address.

const TOKEN_KEY = "berth-token";
const RETRY_MS_FIRST = 500;
const RETRY_MS_MOST = 15_000;

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

let token = sessionStorage.getItem(TOKEN_KEY) ?? "";
let askForToken = (_because: string): void => undefined;

export function setToken(value: string): void {
  token = value;
  if (value === "") sessionStorage.removeItem(TOKEN_KEY);
  else sessionStorage.setItem(TOKEN_KEY, value);
}

export function onTokenWanted(ask: (because: string) => void): void {
  askForToken = ask;
}

function headers(more: Record<string, string>): Record<string, string> {
  return token === "" ? more : { ...more, Authorization: `Bearer ${token}` };
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  let code = "internal";
  let message = text || response.statusText;
  try {
    ({ code, message } = (JSON.parse(text) as { error: { code: string; message: string } }).error);
  } catch {
    // Somebody between us and the server answered; their text is all there is.
  }
  if (response.status === 401) askForToken(message);
  return new ApiError(code, message, response.status);
}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: headers(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials: "omit",
    cache: "no-store",
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as T;
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);

// A path whose parts may hold anything.
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((text, part, i) => text + encodeURIComponent(values[i - 1]!) + part);
}

// Every page of a list, up to so many items.
export async function list<T>(from: string, field: string, most: number): Promise<T[]> {
  const items: T[] = [];
  let page = "";
  do {
    const size = Math.min(1000, most - items.length);
    const sign = from.includes("?") ? "&" : "?";
    const query = `${sign}page_size=${size}&page_token=${encodeURIComponent(page)}`;
    const answer = await get<Record<string, unknown>>(from + query);
    items.push(...((answer[field] as T[] | undefined) ?? []));
    page = (answer.next_page_token as string | undefined) ?? "";
  } while (page !== "" && items.length < most);
  return items;
}

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `dashboard-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

interface Event {
  id: string;
  name: string;
  data: string;
}

function parseEvent(text: string): Event {
  const event: Event = { id: "", name: "", data: "" };
  for (const line of text.split("\n")) {
    if (line.startsWith("data: ")) event.data += line.slice(6);
    if (line.startsWith("id: ")) event.id = line.slice(4);
    if (line.startsWith("event: ")) event.name = line.slice(7);
  }
  return event;
}

async function readEvents(body: ReadableStream<Uint8Array>, tell: (event: Event) => void) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let looked = 0; // No end of an event before it.
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf("\n\n", looked); end >= 0; end = text.indexOf("\n\n")) {
      tell(parseEvent(text.slice(0, end)));
      text = text.slice(end + 2);
    }
    looked = Math.max(text.length - 1, 0);
  }
}

export interface Stream {
  close(): void;
}

export type StreamState = "connecting" | "live" | "lost";

// Server-sent events, over fetch because EventSource cannot send the token. A stream that breaks is
// opened again, after what came last where its events have ids.
export function stream<T>(
  from: string,
  tell: (message: T) => void,
  state: (state: StreamState) => void,
): Stream {
  const abort = new AbortController();
  let last = "";
  let retry = RETRY_MS_FIRST;
  const once = async () => {
    const back = last === "" ? {} : { "Last-Event-ID": last };
    const response = await fetch(from, {
      headers: headers(back),
      signal: abort.signal,
      credentials: "omit",
      cache: "no-store",
    });
    if (!response.ok || response.body === null) throw await errorOf(response);
    state("live");
    retry = RETRY_MS_FIRST;
    await readEvents(response.body, ({ id, name, data }) => {
      if (id !== "") last = id;
      if (data !== "" && name === "") tell(JSON.parse(data) as T);
    });
  };
  const run = async () => {
    while (!abort.signal.aborted) {
      state("connecting");
      const refused = await once().then(
        () => false,
        (error: unknown) => error instanceof ApiError && error.status < 500 && error.status !== 429,
      );
      if (abort.signal.aborted) return;
      state("lost");
      if (refused) return;
      await new Promise((resolve) => setTimeout(resolve, retry));
      retry = Math.min(2 * retry, RETRY_MS_MOST);
    }
  };
  void run();
  return { close: () => abort.abort() };
}
