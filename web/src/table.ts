// One table: sortable by every column, scrollable where it is wide or long, and CSV.

import "./table.css";

import { download, tableCsv } from "./csv";
import { button, h } from "./dom";
import { formatNumber, sharedDecimals } from "./format";
import { withUnit, type Cell, type Table } from "./model";

type Direction = "none" | "ascending" | "descending";

const NEXT: Record<Direction, Direction> = {
  none: "ascending",
  ascending: "descending",
  descending: "none",
};

// Numbers before text; what does not exist is last in either direction.
function compare(a: Cell, b: Cell, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "number" && typeof b === "number") return direction * (a - b);
  if (typeof a !== typeof b) return direction * (typeof a === "number" ? -1 : 1);
  return direction * String(a).localeCompare(String(b), "en", { numeric: true });
}

function renderRow(table: Table, row: Cell[], decimals: number[], right: boolean[]): HTMLElement {
  const cells = table.columns.map((_, i) => {
    const cell = row[i] ?? null;
    const text = typeof cell === "string" ? cell : formatNumber(cell, decimals[i]!);
    const attributes: Record<string, string> = right[i]! ? { class: "right" } : {};
    return i === 0 && !right[i]!
      ? h("th", { ...attributes, scope: "row" }, text)
      : h("td", attributes, text);
  });
  return h("tr", {}, ...cells);
}

export function renderTable(table: Table, heading: HTMLElement): HTMLElement {
  const column = (i: number) => table.rows.map((row) => row[i] ?? null);
  const numbers = table.columns.map((_, i) =>
    column(i).filter((cell): cell is number => typeof cell === "number"),
  );
  const decimals = numbers.map(sharedDecimals);
  const right = table.columns.map(
    ({ right_aligned }, i) =>
      right_aligned || (numbers[i]!.length > 0 && column(i).every((cell) => typeof cell !== "string")),
  );
  const rows = table.rows.map((cells) => ({
    cells,
    element: renderRow(table, cells, decimals, right),
  }));
  const body = h("tbody", {}, ...rows.map((row) => row.element));

  const heads = table.columns.map(({ name, unit }, i) => {
    const sort = h("button", { type: "button" }, withUnit(name, unit));
    const head = h("th", { scope: "col", "aria-sort": "none" }, sort);
    if (right[i]!) head.className = "right";
    sort.addEventListener("click", () => {
      const direction = NEXT[head.getAttribute("aria-sort") as Direction];
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", direction);
      const order = direction === "none" ? rows : [...rows];
      const sign = direction === "descending" ? -1 : 1;
      if (direction !== "none") {
        order.sort((a, b) => compare(a.cells[i] ?? null, b.cells[i] ?? null, sign));
      }
      body.replaceChildren(...order.map((row) => row.element));
    });
    return head;
  });

  const csv = button("CSV", `Download ${table.title} as CSV`, () =>
    download(table.title, tableCsv(table)),
  );
  return h(
    "section",
    { class: "card table", "aria-labelledby": heading.id },
    h("div", { class: "card-head" }, heading, h("div", { class: "tools" }, csv)),
    table.note === "" ? null : h("p", { class: "note" }, table.note),
    h(
      "div",
      { class: "scroll", role: "region", tabindex: "0", "aria-labelledby": heading.id },
      h("table", { class: "data" }, h("thead", {}, h("tr", {}, ...heads)), body),
    ),
    table.rows.length > 0 ? null : h("p", { class: "empty" }, "This table has no rows."),
  );
}
