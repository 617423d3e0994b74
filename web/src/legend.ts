// The table under a plot: which line is which, its value at the cursor, and min, mean and max.
// It is what a screen reader reads in place of the canvas.

import { h } from "./dom";
import { formatNumber, formatTime, sharedDecimals } from "./format";
import { withUnit, type Plot } from "./model";
import type { Summary } from "./series";

export interface Legend {
  element: HTMLElement;
  // Shows the values at x; at null, nowhere, the last ones.
  show(at: number | null, valueOf: (index: number) => number | null): void;
  // What is shown, in words.
  sentence(): string;
}

interface LegendOptions {
  id: string;
  color: (index: number) => string;
  toggle: (index: number, show: boolean) => void;
}

function numberFormat(plot: Plot, values: (number | null)[]): (value: number | null) => string {
  const shared = sharedDecimals(values);
  return plot.y.scale === "log"
    ? (value) => formatNumber(value, sharedDecimals([value]))
    : (value) => formatNumber(value, shared);
}

export function createLegend(plot: Plot, summaries: Summary[], options: LegendOptions): Legend {
  // Values share their decimals, means theirs; over the decades of a log scale each has its own.
  const number = numberFormat(plot, plot.series.flatMap((series) => series.y));
  const meanNumber = numberFormat(plot, summaries.map(({ mean }) => mean));
  const currentHead = h("th", { scope: "col", class: "current" }, "Last");
  const currentCells = summaries.map(({ last }) => h("td", { class: "current" }, number(last)));

  const rows = plot.series.map((series, i) => {
    const swatch = h("span", { class: `swatch ${series.kind}`, "aria-hidden": "true" });
    swatch.style.color = options.color(i);
    const name = h("button", { type: "button", "aria-pressed": "true" }, swatch, series.name);
    name.title = `Show or hide ${series.name}`;
    name.addEventListener("click", () => {
      const show = name.getAttribute("aria-pressed") !== "true";
      name.setAttribute("aria-pressed", String(show));
      options.toggle(i, show);
    });
    const { min, mean, max } = summaries[i]!;
    const stats = [number(min), meanNumber(mean), number(max)].map((text) => h("td", {}, text));
    return h("tr", {}, h("th", { scope: "row" }, name), currentCells[i]!, ...stats);
  });

  const heads = ["Min", "Mean", "Max"].map((text) => h("th", { scope: "col" }, text));
  const element = h(
    "table",
    { class: "legend", id: options.id },
    h("caption", { class: "visually-hidden" }, `Summary of ${withUnit(plot.title, plot.y.unit)}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Series"), currentHead, ...heads)),
    h("tbody", {}, ...rows),
  );

  return {
    element,
    show(at, valueOf) {
      const place = (x: number) =>
        plot.x.kind === "time" ? formatTime(x) : formatNumber(x, sharedDecimals([x]));
      currentHead.textContent = at === null ? "Last" : `At ${place(at)}`;
      currentCells.forEach((cell, i) => {
        cell.textContent = number(at === null ? summaries[i]!.last : valueOf(i));
      });
    },
    sentence() {
      const values = plot.series.map((series, i) => `${series.name} ${currentCells[i]!.textContent}`);
      return `${currentHead.textContent}: ${values.join(", ")}`;
    },
  };
}
