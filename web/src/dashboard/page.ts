// What a page is, and what pages share.

import { ApiError } from "./api";
import { h, newId } from "../dom";
import type { Commit, Role } from "./messages";

export interface Page {
  title: string;
  element: HTMLElement;
  // Stops what it listens to.
  close(): void;
}

export interface Context {
  may(role: Role): boolean;
  // Every commit from now on; returns how to stop listening.
  onCommit(tell: (commit: Commit) => void): () => void;
  say(text: string): void;
}

const RANK: Record<Role, number> = { none: 0, read: 1, allocate: 2, operate: 3 };

export function allows(has: Role, needs: Role): boolean {
  return RANK[has] >= RANK[needs];
}

export function card(title: string, ...children: (Node | string | null)[]): HTMLElement {
  const id = newId("card");
  return h(
    "section",
    { class: "card", "aria-labelledby": id },
    h("div", { class: "card-head" }, h("h2", { id }, title)),
    ...children,
  );
}

export function heading(text: string): HTMLElement {
  return h("h2", { id: newId("heading") }, text);
}

export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return error instanceof Error ? `The server does not answer: ${error.message}` : String(error);
}

export function errorBox(error: unknown): HTMLElement {
  return h("p", { class: "problem", role: "alert" }, errorText(error));
}

// Shows what comes of a promise in an element, or what went wrong.
export async function fill(
  element: HTMLElement,
  make: () => Promise<(Node | string | null)[]>,
): Promise<void> {
  element.setAttribute("aria-busy", "true");
  try {
    const children = (await make()).filter((child) => child !== null);
    element.replaceChildren(...children);
  } catch (error) {
    element.replaceChildren(errorBox(error));
  } finally {
    element.removeAttribute("aria-busy");
  }
}

// Calls at most once in so many milliseconds, the last time included.
export function paced(ms: number, run: () => void): () => void {
  let waiting = false;
  let last = -Infinity;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(
      () => {
        waiting = false;
        last = performance.now();
        run();
      },
      Math.max(0, last + ms - performance.now()),
    );
  };
}
