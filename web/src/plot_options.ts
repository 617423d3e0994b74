// How a plot is drawn: scales, axes, colours and the shape of each series.

import uPlot from "uplot";

import { formatTick, formatTimeTick, TIME_STEPS } from "./format";
import type { Plot, Series } from "./model";
import { indexAt, type Aligned } from "./series";

export const COLORS = 8;

const BARS_SHARE = 0.8; // Of the room between neighbours; the rest is the gap.

export function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function colorOf(index: number): string {
  return `var(--series-${(index % COLORS) + 1})`;
}

function strokeOf(index: number): string {
  return cssColor(`--series-${(index % COLORS) + 1}`);
}

function barsOf(plot: Plot): number[] {
  return plot.series.flatMap((series, i) => (series.kind === "bars" ? [i] : []));
}

// The room one group of bars has: the least distance between two of them.
function barsPitch(plot: Plot): number {
  const xs = [...new Set(barsOf(plot).flatMap((i) => plot.series[i]!.x))].sort((a, b) => a - b);
  let pitch = Infinity;
  for (let i = 1; i < xs.length; i += 1) pitch = Math.min(pitch, xs[i]! - xs[i - 1]!);
  return pitch === Infinity ? 1 : pitch;
}

// All of x that the plot can show; bars at the ends are seen whole.
export function xRange(plot: Plot, { x }: Aligned): [number, number] {
  const first = x[0] ?? 0;
  const last = x[x.length - 1] ?? 1;
  const pad = barsOf(plot).length > 0 ? barsPitch(plot) / 2 : last === first ? 0.5 : 0;
  return [first - pad, last + pad];
}

function barsPath(plot: Plot, index: number, x: number[]): uPlot.Series.PathBuilder {
  const bars = barsOf(plot);
  const pitch = barsPitch(plot);
  const width = (BARS_SHARE * pitch) / bars.length;
  const offset = bars.indexOf(index) * width - (BARS_SHARE * pitch) / 2;
  const lefts = x.map((value) => value + offset);
  return uPlot.paths.bars!({
    disp: {
      x0: { unit: 1, values: () => lefts },
      size: { unit: 1, values: () => [width] },
    },
  });
}

export function seriesOptions(plot: Plot, series: Series, index: number, x: number[]): uPlot.Series {
  const stroke = () => strokeOf(index);
  const dash = index < COLORS ? {} : { dash: [6, 4] };
  const common: uPlot.Series = { label: series.name, scale: "y", stroke, width: 1.75, ...dash };
  switch (series.kind) {
    case "line":
      return common;
    case "step":
      return { ...common, paths: uPlot.paths.stepped!({ align: 1 }), points: { show: false } };
    case "bars":
      return {
        ...common,
        width: 0,
        fill: stroke,
        paths: barsPath(plot, index, x),
        points: { show: false },
      };
    case "points":
      return {
        ...common,
        paths: () => null,
        points: { show: true, size: 6, width: 0, fill: stroke, space: 0 },
      };
  }
}

function yScale(plot: Plot): uPlot.Scale {
  if (plot.y.scale === "log") return { distr: 3 };
  if (barsOf(plot).length === 0) return {};
  const pad = { pad: 0.1, soft: 0, mode: 1 as const };
  return {
    range: (_, min, max) =>
      uPlot.rangeNum(Math.min(min ?? 0, 0), Math.max(max ?? 1, 0), { min: pad, max: pad }),
  };
}

export function axes(plot: Pick<Plot, "x" | "y">): uPlot.Axis[] {
  const common: uPlot.Axis = {
    stroke: () => cssColor("--muted"),
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    ticks: { show: false },
    grid: { stroke: () => cssColor("--grid"), width: 1 },
  };
  const time = plot.x.kind === "time";
  return [
    {
      ...common,
      ...(time ? { incrs: TIME_STEPS } : {}),
      space: 64,
      size: 28,
      gap: 6,
      ...(plot.x.label === "" ? {} : { label: plot.x.label, labelSize: 20, labelGap: 2 }),
      values: (_, splits, __, ___, step) =>
        splits.map((value) => (time ? formatTimeTick(value, step) : formatTick(value, step))),
    },
    {
      ...common,
      scale: "y",
      gap: 6,
      size: (_, values) => 14 + 7.2 * Math.max(2, ...(values ?? []).map((text) => text?.length ?? 0)),
      values: (_, splits, __, ___, step) =>
        splits.map((value) =>
          value === null ? null : formatTick(value, plot.y.scale === "log" ? value : step),
        ),
    },
  ];
}

export function plotOptions(
  plot: Plot,
  { x }: Aligned,
  full: [number, number],
  syncKey: string,
): Omit<uPlot.Options, "width" | "height"> {
  const inFull = (min: number, max: number): [number, number] =>
    min <= full[0] && max >= full[1] ? full : [min, max];
  return {
    scales: {
      x: {
        time: false,
        // Called with the ends of the data at first, with the chosen range when zoomed.
        range: (_, min, max) => (min === x[0] && max === x[x.length - 1] ? full : inFull(min, max)),
      },
      y: yScale(plot),
    },
    axes: axes(plot),
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: {
      y: false,
      // Plots over time share their moment and their zoom; other axes have nothing in common.
      ...(plot.x.kind === "time" ? { sync: { key: syncKey, setSeries: false } } : {}),
      drag: { x: true, y: false, dist: 4 },
      points: { size: 7 },
      dataIdx: (chart, series, nearest, at) =>
        series === 0
          ? nearest
          : indexAt(plot.series[series - 1]!.kind, x, chart.data[series]!, nearest, at),
    },
    series: [{}, ...plot.series.map((series, i) => seriesOptions(plot, series, i, x))],
  };
}
