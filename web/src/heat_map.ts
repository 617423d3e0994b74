// One heat map: cells on uPlot's axes, lines over them, a colour scale, a read-out and CSV.

import uPlot from "uplot";

import "./heat_map.css";

import { download, heatMapCsv } from "./csv";
import { button, h, newId } from "./dom";
import { formatNumber, sharedDecimals } from "./format";
import { cellText, cellsOf, indexBetween, scaleOf, STOPS, summary, type Scale } from "./heat";
import { withUnit, type HeatMap, type Plot } from "./model";
import { axes, colorOf, cssColor, seriesOptions } from "./plot_options";
import { align } from "./series";

const HEIGHT_PX = 340;
const LINE_COLOR_FIRST = 1; // The first colour of series is that of the cells.

function rgb(color: string): number[] {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

// The colour scale as drawn on the canvas, read from the theme each time so that it follows it.
function ramp(): (heat: number) => string {
  const stops = Array.from({ length: STOPS }, (_, i) => rgb(cssColor(`--heat-${i + 1}`)));
  return (heat) => {
    const place = heat * (STOPS - 1);
    const below = Math.min(Math.floor(place), STOPS - 2);
    const mixed = stops[below]!.map((from, i) => {
      const to = stops[below + 1]![i]!;
      return Math.round(from + (to - from) * (place - below));
    });
    return `rgb(${mixed.join(" ")})`;
  };
}

function drawCells(chart: uPlot, map: HeatMap, scale: Scale): void {
  const color = ramp();
  const x = map.x_edges.map((edge) => Math.round(chart.valToPos(edge, "x", true)));
  const y = map.y_edges.map((edge) => Math.round(chart.valToPos(edge, "y", true)));
  for (const { row, column, value } of cellsOf(map)) {
    const heat = scale.heat(value);
    if (heat === null) continue;
    chart.ctx.fillStyle = color(heat);
    chart.ctx.fillRect(
      x[column]!,
      y[row + 1]!,
      Math.max(x[column + 1]! - x[column]!, 1),
      Math.max(y[row]! - y[row + 1]!, 1),
    );
  }
}

// Points belong to the line before them and have its colour.
function lineColors(map: HeatMap): number[] {
  let next = LINE_COLOR_FIRST;
  return map.lines.map(({ kind }, i) => (kind === "points" && i > 0 ? next - 1 : next++));
}

function options(map: HeatMap, scale: Scale, lines: Plot, xs: number[]): uPlot.Options {
  const colors = lineColors(map);
  const ends = (edges: number[]): [number, number] => [edges[0]!, edges[edges.length - 1]!];
  return {
    width: 600,
    height: HEIGHT_PX,
    scales: {
      x: { time: false, range: () => ends(map.x_edges) },
      y: { range: () => ends(map.y_edges) },
    },
    axes: axes(map).map((axis) => ({ ...axis, grid: { show: false } })),
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { y: true, drag: { x: false, y: false }, points: { show: false } },
    hooks: { drawAxes: [(chart) => drawCells(chart, map, scale)] },
    series: [
      {},
      ...lines.series.map((line, i) => seriesOptions(lines, line, colors[i]!, xs)),
    ],
  };
}

function renderScale(map: HeatMap, scale: Scale): HTMLElement {
  const number = (value: number) => formatNumber(value, sharedDecimals([scale.least, scale.most]));
  const log = map.value.scale === "log" ? ", log scale" : "";
  return h(
    "div",
    { class: "heat-scale" },
    h("span", {}, `${withUnit(map.value.label || "value", map.value.unit)}${log}`),
    h("span", {}, number(scale.least)),
    h("span", { class: "ramp", "aria-hidden": "true" }),
    h("span", {}, number(scale.most)),
  );
}

function renderLineNames(map: HeatMap): HTMLElement | null {
  if (map.lines.length === 0) return null;
  const colors = lineColors(map);
  const items = map.lines.map((line, i) => {
    const swatch = h("span", { class: `swatch ${line.kind}`, "aria-hidden": "true" });
    swatch.style.color = colorOf(colors[i]!);
    return h("li", {}, swatch, line.name);
  });
  return h("ul", { class: "heat-lines", "aria-label": "Lines" }, ...items);
}

// Arrow keys move from cell to cell; what is there is said.
function addKeyboard(target: HTMLElement, map: HeatMap, show: (text: string) => void): void {
  let [row, column] = [-1, 0];
  const steps: Record<string, [number, number]> = {
    ArrowUp: [1, 0],
    ArrowDown: [-1, 0],
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
  };
  const within = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
  target.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const first = row < 0;
    row = first ? 0 : within(row + step[0], map.rows.length);
    column = first ? 0 : within(column + step[1], map.x_edges.length - 1);
    show(cellText(map, row, column));
  });
}

function readOut(chart: uPlot, map: HeatMap, otherwise: string): string {
  const { left, top } = chart.cursor;
  if (left === undefined || top === undefined || left < 0 || top < 0) return otherwise;
  const column = indexBetween(map.x_edges, chart.posToVal(left, "x"));
  const row = indexBetween(map.y_edges, chart.posToVal(top, "y"));
  return row === null || column === null ? otherwise : cellText(map, row, column);
}

export function renderHeatMap(map: HeatMap, heading: HTMLElement): HTMLElement {
  const tools = h("div", { class: "tools", role: "group", "aria-label": `Tools of ${map.title}` });
  tools.append(
    button("CSV", `Download ${map.title} as CSV`, () => download(map.title, heatMapCsv(map))),
  );
  const figure = h(
    "figure",
    { class: "card heat", "aria-labelledby": heading.id },
    h("div", { class: "card-head" }, heading, tools),
    map.note === "" ? null : h("p", { class: "note" }, map.note),
  );
  const scale = scaleOf(map);
  if (scale === null) {
    figure.append(h("p", { class: "empty" }, "This heat map has no data."));
    return figure;
  }
  const words = summary(map);
  const said = h("p", { class: "note", id: newId("heat"), "aria-live": "polite" }, words);
  const target = h("div", {
    class: "canvas",
    role: "img",
    tabindex: "0",
    "aria-label": `Heat map of ${map.title}. The arrow keys move from cell to cell.`,
    "aria-describedby": said.id,
  });
  figure.append(h("p", { class: "axis-label" }, withUnit(map.y.label, map.y.unit)), target);
  const lines: Plot = { ...map, series: map.lines };
  const aligned = align(map.lines);
  // Without a line there must be some x for the axis to be drawn.
  const xs = aligned.x.length > 0 ? aligned.x : [map.x_edges[0]!, map.x_edges.slice(-1)[0]!];
  const chart = new uPlot(options(map, scale, lines, xs), [xs, ...aligned.ys], target);
  chart.hooks.setCursor = [() => (said.textContent = readOut(chart, map, words))];
  addKeyboard(target, map, (text) => (said.textContent = text));
  new ResizeObserver(() => {
    const width = target.clientWidth;
    if (width > 0 && width !== chart.width) chart.setSize({ width, height: HEIGHT_PX });
  }).observe(target);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw());
  figure.append(renderScale(map, scale));
  const names = renderLineNames(map);
  if (names !== null) figure.append(names);
  figure.append(said);
  return figure;
}
