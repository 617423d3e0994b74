// The data of report.json, schema "berth.report/1". A null is a value that does not exist.

export const SCHEMA = "berth.report/1";

export interface Fact {
  name: string;
  value: string;
  note: string;
}

export type Cell = string | number | null;

export interface Column {
  name: string;
  unit: string;
  right_aligned: boolean;
}

export interface Table {
  title: string;
  note: string;
  columns: Column[];
  rows: Cell[][];
}

export type SeriesKind = "line" | "step" | "bars" | "points";

export interface Series {
  name: string;
  kind: SeriesKind;
  x: number[];
  y: (number | null)[];
}

export interface Plot {
  title: string;
  note: string;
  x: { label: string; kind: "time" | "number" };
  y: { label: string; unit: string; scale: "linear" | "log" };
  series: Series[];
}

// Cells between edges; the rows from the lowest y on.
export interface HeatMap {
  title: string;
  note: string;
  x: { label: string; kind: "time" | "number" };
  x_edges: number[];
  y: { label: string; unit: string; scale: "linear" | "log" };
  y_edges: number[];
  value: { label: string; unit: string; scale: "linear" | "log" };
  rows: (number | null)[][];
  lines: Series[];
}

// Boxes in layers from left to right; those of one layer from top to bottom, in their order.
export interface GraphNode {
  name: string;
  note: string;
  layer: number;
  marked: boolean;
}

export interface GraphEdge {
  from: number; // Of the nodes.
  to: number;
  weight: number;
}

export interface Graph {
  title: string;
  note: string;
  weight_label: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface Run {
  title: string;
  subtitle: string;
  command: string;
  seed: string;
  paragraphs: string[];
  facts: Fact[];
  tables: Table[];
  plots: Plot[];
  heat_maps?: HeatMap[]; // Reports from before there were any have none.
  graphs?: Graph[];
}

export interface Document {
  schema: string;
  runs: Run[];
}

export function withUnit(name: string, unit: string): string {
  return unit === "" ? name : `${name} (${unit})`;
}
