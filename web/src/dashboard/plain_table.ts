// A table whose cells may hold links and buttons, and whose rows come and go.

import "../table.css";

import { h } from "../dom";
import { count } from "./amounts";
import { labelled, textInput } from "./forms";

export interface Head {
  text: string;
  right?: boolean;
}

export type PlainCell = Node | string;

export class PlainTable {
  readonly element: HTMLElement;
  private readonly body = h("tbody", {});
  private readonly none: HTMLElement;

  constructor(
    label: string,
    private readonly heads: readonly Head[],
    empty: string,
  ) {
    const row = h(
      "tr",
      {},
      ...heads.map(({ text, right }) =>
        h("th", right === true ? { scope: "col", class: "right" } : { scope: "col" }, text),
      ),
    );
    this.none = h("p", { class: "empty" }, empty);
    this.element = h(
      "div",
      { class: "scroll", role: "region", tabindex: "0", "aria-label": `Table: ${label}` },
      h("table", { class: "data plain" }, h("thead", {}, row), this.body),
      this.none,
    );
  }

  row(cells: readonly PlainCell[]): HTMLTableRowElement {
    return h(
      "tr",
      {},
      ...cells.map((cell, i) => {
        const right = this.heads[i]?.right === true;
        return h(
          i === 0 ? "th" : "td",
          {
            ...(i === 0 ? { scope: "row" } : {}),
            ...(right ? { class: "right" } : {}),
          },
          cell,
        );
      }),
    );
  }

  set(rows: readonly HTMLTableRowElement[]): void {
    this.body.replaceChildren(...rows);
    this.none.hidden = rows.length > 0;
  }

  fill(rows: readonly (readonly PlainCell[])[]): void {
    this.set(rows.map((cells) => this.row(cells)));
  }

  // Before all others, of which at most so many stay.
  prepend(row: HTMLTableRowElement, most: number): void {
    this.body.prepend(row);
    while (this.body.rows.length > most) this.body.lastElementChild!.remove();
    this.none.hidden = true;
  }
}

const SHOWN_MOST = 200;

// A table of the items that hold what is searched for, the first so many of them.
export function searchable<T>(
  table: PlainTable,
  items: readonly T[],
  name: (item: T) => string,
  cells: (item: T) => readonly PlainCell[],
): HTMLElement {
  const input = textInput({ type: "search", placeholder: "part of a name" });
  const note = h("p", { class: "note", role: "status" });
  const show = () => {
    const found = items.filter((item) => name(item).includes(input.value.trim()));
    table.fill(found.slice(0, SHOWN_MOST).map(cells));
    const left = found.length - SHOWN_MOST;
    note.textContent = left > 0 ? `${count(left)} more are not shown; search for them.` : "";
  };
  input.addEventListener("input", show);
  show();
  const controls = h("div", { class: "controls" }, labelled("Search", input));
  return h("div", {}, controls, table.element, note);
}
