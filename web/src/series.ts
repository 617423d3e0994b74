// What a plot needs to know of its series: one shared x, the numbers that sum a series up, and
// which value stands at a place.

import type { Series } from "./model";

export interface Aligned {
  x: number[];
  ys: (number | null | undefined)[][]; // undefined: the series has no value at this x.
}

// Ours instead of uPlot.join because join keeps one value where a series has several at one x (a
// step, a scatter); here an x is repeated as often as the series that has it most often needs.
export function align(series: readonly Series[]): Aligned {
  const sorted = series.map(({ x, y }) =>
    x.map((value, i) => ({ x: value, y: y[i] ?? null })).sort((a, b) => a.x - b.x),
  );
  const next = sorted.map(() => 0);
  const x: number[] = [];
  const ys: (number | null | undefined)[][] = sorted.map(() => []);
  for (;;) {
    let least = Infinity;
    sorted.forEach((points, s) => (least = Math.min(least, points[next[s]!]?.x ?? Infinity)));
    if (least === Infinity) return { x, ys };
    x.push(least);
    sorted.forEach((points, s) => {
      const point = points[next[s]!];
      const here = point !== undefined && point.x === least;
      ys[s]!.push(here ? point.y : undefined);
      if (here) next[s]! += 1;
    });
  }
}

export interface Summary {
  min: number | null;
  mean: number | null;
  max: number | null;
  last: number | null;
}

// The mean of a step series is weighted by how long each value held; any other is over its values.
export function summarize(series: Series): Summary {
  const summary: Summary = { min: null, mean: null, max: null, last: null };
  let sum = 0;
  let weights = 0;
  let plainSum = 0;
  let count = 0;
  series.y.forEach((y, i) => {
    if (y === null) return;
    const held = (series.x[i + 1] ?? series.x[i]!) - series.x[i]!;
    sum += y * held;
    weights += held;
    plainSum += y;
    count += 1;
    summary.min = Math.min(summary.min ?? y, y);
    summary.max = Math.max(summary.max ?? y, y);
    summary.last = y;
  });
  if (count > 0) summary.mean = plainSum / count;
  if (series.kind === "step" && weights > 0) summary.mean = sum / weights;
  return summary;
}

// The index whose value a reader at `at` means: for steps the last value before it, otherwise the
// nearest; null where the series has a gap or has not begun.
export function indexAt(
  kind: Series["kind"],
  x: ArrayLike<number>,
  y: ArrayLike<number | null | undefined>,
  nearest: number,
  at: number,
): number | null {
  let before = nearest;
  while (before + 1 < x.length && x[before + 1]! <= at) before += 1;
  while (before >= 0 && (x[before]! > at || y[before] === undefined)) before -= 1;
  let after = Math.max(nearest, before + 1);
  while (after < x.length && (x[after]! < at || y[after] === undefined)) after += 1;
  let index = before;
  const closerAfter = after < x.length && (before < 0 || x[after]! - at < at - x[before]!);
  if (kind !== "step" && closerAfter) index = after;
  return index >= 0 && typeof y[index] === "number" ? index : null;
}
