// Tables and plots as comma-separated files, RFC 4180.

import { align } from "./series";
import { withUnit, type Cell, type Plot, type Table } from "./model";

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

export function download(title: string, csv: string): void {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv;charset=utf-8" }));
  link.download = `${name || "data"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
