// One plot: uPlot with read-out, zoom, a legend that is also the textual summary, and CSV.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import "./plot.css";

import { download, plotCsv } from "./csv";
import { button, h, newId } from "./dom";
import { createLegend } from "./legend";
import { withUnit, type Plot } from "./model";
import { colorOf, plotOptions, xRange } from "./plot_options";
import { align, summarize, type Aligned } from "./series";

const HEIGHT_PX = 260;
const ZOOM_STEP = 2;

// A log axis has no place for zero and below.
function drawable(plot: Plot, { x, ys }: Aligned): uPlot.AlignedData {
  if (plot.y.scale === "linear") return [x, ...ys];
  const positive = (y: number | null | undefined) => (typeof y === "number" && y <= 0 ? null : y);
  return [x, ...ys.map((values) => values.map(positive))];
}

function notDrawn(plot: Plot): string | null {
  if (plot.y.scale === "linear") return null;
  const count = plot.series
    .flatMap((series) => series.y)
    .filter((y) => y !== null && y <= 0).length;
  return count === 0 ? null : `${count} values at or below zero are not drawn on the log scale.`;
}

function addKeyboard(target: HTMLElement, chart: uPlot, announce: () => void): void {
  target.addEventListener("keydown", (event) => {
    const xs = chart.data[0];
    const [first, last] = chart.series[0]!.idxs!;
    const at = chart.cursor.idx ?? null;
    const stride = event.shiftKey ? 10 : 1;
    const moves: Record<string, number> = {
      ArrowLeft: at === null ? last : at - stride,
      ArrowRight: at === null ? first : at + stride,
      Home: first,
      End: last,
    };
    const to = moves[event.key];
    if (event.key === "Escape") chart.setCursor({ left: -10, top: -10 });
    if (to === undefined) return;
    event.preventDefault();
    const x = xs[Math.min(Math.max(to, first), last)]!;
    chart.setCursor({ left: chart.valToPos(x, "x"), top: chart.over.clientHeight / 2 });
    announce();
  });
}

// Draws once the element has a width, and again whenever that or the colour scheme changes.
function follow(target: HTMLElement, chart: uPlot): void {
  new ResizeObserver(() => {
    const width = target.clientWidth;
    if (width > 0 && width !== chart.width) chart.setSize({ width, height: HEIGHT_PX });
  }).observe(target);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw());
}

// Steps have a value at every moment, the rest only where their data are.
function xAtCursor(chart: uPlot, plot: Plot): number | null {
  const { left, idx } = chart.cursor;
  if (left === undefined || left < 0 || idx === null || idx === undefined) return null;
  const anyMoment = plot.x.kind === "time" && plot.series.some(({ kind }) => kind === "step");
  return anyMoment ? chart.posToVal(left, "x") : chart.data[0][idx]!;
}

function zoomButtons(chart: uPlot, plot: Plot, full: [number, number]): HTMLElement[] {
  const zoom = (factor: number) => {
    const { min, max } = chart.scales.x!;
    const middle = (min! + max!) / 2;
    const half = ((max! - min!) / 2) * factor;
    chart.setScale("x", {
      min: Math.max(middle - half, full[0]),
      max: Math.min(middle + half, full[1]),
    });
  };
  return [
    button("−", `Zoom out of ${plot.title}`, () => zoom(ZOOM_STEP)),
    button("+", `Zoom into ${plot.title}`, () => zoom(1 / ZOOM_STEP)),
  ];
}

export function renderPlot(plot: Plot, heading: HTMLElement, syncKey: string): HTMLElement {
  const aligned = align(plot.series);
  const summaries = plot.series.map(summarize);
  const tools = h("div", { class: "tools", role: "group", "aria-label": `Tools of ${plot.title}` });
  const csv = button("CSV", `Download ${plot.title} as CSV`, () => download(plot.title, plotCsv(plot)));
  const figure = h(
    "figure",
    { class: "card plot", "aria-labelledby": heading.id },
    h("div", { class: "card-head" }, heading, tools),
    plot.note === "" ? null : h("p", { class: "note" }, plot.note),
  );
  tools.append(csv);
  if (summaries.every((summary) => summary.last === null)) {
    figure.append(h("p", { class: "empty" }, "This plot has no data."));
    return figure;
  }

  const legendId = newId("legend");
  const live = h("p", { class: "visually-hidden", "aria-live": "polite" });
  const target = h("div", {
    class: "canvas",
    role: "img",
    tabindex: "0",
    "aria-label": `Plot of ${plot.title}. The arrow keys move the read-out.`,
    "aria-describedby": legendId,
  });
  const scale = plot.y.scale === "log" ? ", log scale" : "";
  figure.append(h("p", { class: "axis-label" }, `${withUnit(plot.y.label, plot.y.unit)}${scale}`));
  figure.append(target);

  const full = xRange(plot, aligned);
  const reset = button("Reset", `Reset the zoom of ${plot.title}`, () =>
    chart.setScale("x", { min: full[0], max: full[1] }),
  );
  reset.hidden = true;
  const options = plotOptions(plot, aligned, full, syncKey);
  const data = drawable(plot, aligned);
  const chart: uPlot = new uPlot({ ...options, width: 600, height: HEIGHT_PX }, data, target);
  const legend = createLegend(plot, summaries, {
    id: legendId,
    color: colorOf,
    toggle: (index, show) => chart.setSeries(index + 1, { show }),
  });
  chart.hooks.setCursor = [
    () => {
      legend.show(xAtCursor(chart, plot), (i) => {
        const index = chart.cursor.idxs?.[i + 1] ?? null;
        return index === null ? null : (aligned.ys[i]![index] ?? null);
      });
    },
  ];
  chart.hooks.setScale = [
    (_, key) => {
      const { min, max } = chart.scales.x!;
      if (key === "x") reset.hidden = min! <= full[0] && max! >= full[1];
    },
  ];
  addKeyboard(target, chart, () => (live.textContent = legend.sentence()));
  follow(target, chart);
  tools.prepend(reset, ...zoomButtons(chart, plot, full));
  figure.append(legend.element, live);
  const hidden = notDrawn(plot);
  if (hidden !== null) figure.append(h("p", { class: "note" }, hidden));
  return figure;
}

