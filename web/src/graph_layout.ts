// Where the boxes and arrows of a graph go: layers are columns, each centred.

import type { Graph } from "./model";

export const BOX_HEIGHT = 26;
const LETTER_WIDTH = 7.2;
const BOX_PADDING = 10;
const BOX_WIDTH_MAX = 190;
const ROW = 40;
const GAP_MIN = 70;
const MARGIN = 12;
const LETTERS_MAX = Math.floor((BOX_WIDTH_MAX - 2 * BOX_PADDING) / LETTER_WIDTH);

export interface Box {
  x: number;
  y: number;
  width: number;
  text: string; // The name, or as much of it as fits.
}

export interface Layout {
  width: number;
  height: number;
  boxes: Box[]; // As the nodes.
  columns: number[][]; // The nodes of each layer, from top to bottom.
}

function shortened(name: string): string {
  const letters = [...name];
  return letters.length <= LETTERS_MAX ? name : `${letters.slice(0, LETTERS_MAX - 1).join("")}…`;
}

export function layout(graph: Graph): Layout {
  const columns: number[][] = [];
  graph.nodes.forEach(({ layer }, node) => {
    while (columns.length <= layer) columns.push([]);
    columns[layer]!.push(node);
  });
  const texts = graph.nodes.map(({ name }) => shortened(name));
  const widthOf = (node: number) => [...texts[node]!].length * LETTER_WIDTH + 2 * BOX_PADDING;
  const tallest = Math.max(...columns.map((column) => column.length));
  const height = tallest * ROW + 2 * MARGIN;
  // Steep arrows need room to be told apart.
  const gap = GAP_MIN + Math.min(tallest * 4, 120);
  const boxes: Box[] = new Array(graph.nodes.length);
  let left = MARGIN;
  for (const column of columns) {
    const width = Math.max(0, ...column.map(widthOf));
    const top = (height - column.length * ROW) / 2;
    column.forEach((node, i) => {
      boxes[node] = { x: left, y: top + i * ROW + (ROW - BOX_HEIGHT) / 2, width, text: texts[node]! };
    });
    left += width + gap;
  }
  return { width: left - gap + MARGIN, height, boxes, columns };
}

const HEAD_LENGTH = 8;
const HEAD_WIDTH = 8;

// From the right of one box to the left of the other; within a column, or back to an earlier one,
// round to its right.
export function arrow(from: Box, to: Box): string {
  const startX = from.x + from.width;
  const startY = from.y + BOX_HEIGHT / 2;
  const endY = to.y + BOX_HEIGHT / 2;
  if (to.x > from.x) {
    const bend = (to.x - startX) / 2;
    return `M${startX},${startY} C${startX + bend},${startY} ${to.x - bend},${endY} ${to.x},${endY}`;
  }
  const endX = to.x + to.width;
  const out = Math.max(startX, endX) + 34;
  return `M${startX},${startY} C${out},${startY} ${out},${endY} ${endX},${endY}`;
}

// The triangle at its end.
export function arrowHead(from: Box, to: Box): string {
  const forward = to.x > from.x;
  const tip = forward ? to.x : to.x + to.width;
  const back = forward ? tip - HEAD_LENGTH : tip + HEAD_LENGTH;
  const y = to.y + BOX_HEIGHT / 2;
  return `M${tip},${y} L${back},${y - HEAD_WIDTH / 2} L${back},${y + HEAD_WIDTH / 2} Z`;
}
