// What a heat map needs to know of its cells: how hot each is, the hottest, and what is where.

import { formatNumber, formatTime, sharedDecimals } from "./format";
import { withUnit, type HeatMap } from "./model";

export const STOPS = 5; // Colours that the scale passes through.

export interface Cell {
  row: number;
  column: number;
  value: number;
}

export function cellsOf(map: HeatMap): Cell[] {
  return map.rows.flatMap((row, r) =>
    row.flatMap((value, c) => (value === null ? [] : [{ row: r, column: c, value }])),
  );
}

export interface Scale {
  least: number;
  most: number;
  // From 0 to 1; null where a log scale has no place for the value.
  heat(value: number): number | null;
}

export function scaleOf(map: HeatMap): Scale | null {
  const log = map.value.scale === "log";
  const values = cellsOf(map)
    .map((cell) => cell.value)
    .filter((value) => !log || value > 0);
  if (values.length === 0) return null;
  let least = values[0]!;
  let most = values[0]!;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const place = (value: number) => (log ? Math.log(value) : value);
  const width = place(most) - place(least);
  return {
    least,
    most,
    heat: (value) => {
      if (log && value <= 0) return null;
      return width === 0 ? 1 : (place(value) - place(least)) / width;
    },
  };
}

// The cell whose edges a place lies between; null outside.
export function indexBetween(edges: readonly number[], at: number): number | null {
  const after = edges.findIndex((edge) => edge > at);
  return after <= 0 ? null : after - 1;
}

function range(edges: readonly number[], index: number, time: boolean): string {
  const decimals = sharedDecimals(edges);
  const text = (edge: number) => (time ? formatTime(edge) : formatNumber(edge, decimals));
  return `${text(edges[index]!)} to ${text(edges[index + 1]!)}`;
}

export function cellText(map: HeatMap, row: number, column: number): string {
  const value = map.rows[row]![column] ?? null;
  const x = range(map.x_edges, column, map.x.kind === "time");
  const y = range(map.y_edges, row, false);
  const shown =
    value === null ? "nothing" : formatNumber(value, sharedDecimals(map.rows.flat()));
  const what = withUnit(map.value.label || "value", map.value.unit);
  return `${map.x.label || "x"} ${x}, ${map.y.label || "y"} ${y}: ${what} ${shown}`;
}

// The map in words, for who does not see it.
export function summary(map: HeatMap): string {
  const cells = cellsOf(map);
  if (cells.length === 0) return "No cell holds a value.";
  const hottest = cells.reduce((best, cell) => (cell.value > best.value ? cell : best));
  const count = map.rows.length * (map.x_edges.length - 1);
  return (
    `${formatNumber(cells.length, 0)} of ${formatNumber(count, 0)} cells hold a value. ` +
    `The largest: ${cellText(map, hottest.row, hottest.column)}.`
  );
}
