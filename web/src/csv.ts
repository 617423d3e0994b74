// Tables and plots as comma-separated files, RFC 4180.

import { align } from "./series";
import { withUnit, type Cell, type Graph, type HeatMap, type Plot, type Table } from "./model";

function field(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function lines(rows: (Cell | undefined)[][]): string {
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

export function tableCsv(table: Table): string {
  return lines([table.columns.map((column) => withUnit(column.name, column.unit)), ...table.rows]);
}

export function plotCsv(plot: Plot): string {
  const { x, ys } = align(plot.series);
  const xName = plot.x.kind === "time" ? withUnit(plot.x.label || "time", "s") : plot.x.label || "x";
  const header = [xName, ...plot.series.map((series) => withUnit(series.name, plot.y.unit))];
  return lines([header, ...x.map((value, i) => [value, ...ys.map((y) => y[i])])]);
}

// A line a cell that is not empty; what is drawn over them is left to its own plot.
export function heatMapCsv(map: HeatMap): string {
  const x = map.x.kind === "time" ? withUnit(map.x.label || "time", "s") : map.x.label || "x";
  const y = withUnit(map.y.label || "y", map.y.unit);
  const value = withUnit(map.value.label || "value", map.value.unit);
  const cells = map.rows.flatMap((row, r) =>
    row.flatMap((cell, c) =>
      cell === null
        ? []
        : [[map.x_edges[c], map.x_edges[c + 1], map.y_edges[r], map.y_edges[r + 1], cell]],
    ),
  );
  return lines([[`${x} from`, `${x} to`, `${y} from`, `${y} to`, value], ...cells]);
}

export function graphCsv(graph: Graph): string {
  const name = (node: number) => graph.nodes[node]!.name;
  return lines([
    ["from", "to", graph.weight_label || "weight"],
    ...graph.edges.map(({ from, to, weight }) => [name(from), name(to), weight]),
  ]);
}

export function download(title: string, csv: string): void {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv;charset=utf-8" }));
  link.download = `${name || "data"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
