// One graph: boxes in layers with arrows between them, as SVG. Looking at a box, by pointer or arrow
// keys, shows its arrows alone and says what it is.

import "./graph.css";

import { download, graphCsv } from "./csv";
import { button, h, newId } from "./dom";
import { formatNumber } from "./format";
import { arrow, arrowHead, BOX_HEIGHT, layout, type Layout } from "./graph_layout";
import type { Graph } from "./model";

const SVG = "http://www.w3.org/2000/svg";
const THINNEST = 1;
const THICKEST = 4;

function s(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

// By the logarithm: calls differ by powers of ten.
function thickness(graph: Graph): (weight: number) => number {
  const log = (weight: number) => Math.log(Math.max(weight, 1));
  const most = Math.max(...graph.edges.map(({ weight }) => log(weight)), 0);
  return (weight) =>
    most === 0 ? THINNEST : THINNEST + ((THICKEST - THINNEST) * log(weight)) / most;
}

function drawEdges(graph: Graph, { boxes }: Layout): SVGElement[] {
  const width = thickness(graph);
  return graph.edges.map(({ from, to, weight }) =>
    s(
      "g",
      { class: "edge" },
      s("path", {
        class: "line",
        d: arrow(boxes[from]!, boxes[to]!),
        "stroke-width": width(weight).toFixed(2),
      }),
      s("path", { class: "head", d: arrowHead(boxes[from]!, boxes[to]!) }),
    ),
  );
}

function drawNodes(graph: Graph, { boxes }: Layout): SVGElement[] {
  return graph.nodes.map(({ name, marked }, node) => {
    const { x, y, width, text } = boxes[node]!;
    return s(
      "g",
      { class: marked ? "node marked" : "node" },
      s("title", {}, name),
      s("rect", { x, y, width, height: BOX_HEIGHT, rx: 5 }),
      s("text", { x: x + width / 2, y: y + BOX_HEIGHT / 2 }, text),
    );
  });
}

function namesOf(graph: Graph, nodes: number[]): string {
  return nodes.length === 0 ? "nobody" : nodes.map((node) => graph.nodes[node]!.name).join(", ");
}

export function nodeText(graph: Graph, node: number): string {
  const { name, note, marked } = graph.nodes[node]!;
  const callers = graph.edges.filter(({ to }) => to === node).map(({ from }) => from);
  const callees = graph.edges.filter(({ from }) => from === node).map(({ to }) => to);
  return (
    `${name}${marked ? " (marked)" : ""}: from ${namesOf(graph, callers)}; ` +
    `to ${namesOf(graph, callees)}${note === "" ? "" : `. ${note}`}`
  );
}

// The graph in words, for who does not see it.
function summary(graph: Graph): string {
  const marked = graph.nodes.flatMap((node, i) => (node.marked ? [i] : []));
  const count = (number: number, what: string) =>
    `${formatNumber(number, 0)} ${what}${number === 1 ? "" : "s"}`;
  const size = `${count(graph.nodes.length, "box").replace(/boxs$/, "boxes")}, ${count(graph.edges.length, "arrow")}`;
  return `${size}. Marked: ${namesOf(graph, marked)}.`;
}

// The node that an arrow key leads to: within a column, or to the same height of the next.
function neighbour({ columns, boxes }: Layout, graph: Graph, from: number, key: string): number {
  const layer = graph.nodes[from]!.layer;
  const column = columns[layer]!;
  const place = column.indexOf(from);
  if (key === "ArrowUp") return column[Math.max(place - 1, 0)]!;
  if (key === "ArrowDown") return column[Math.min(place + 1, column.length - 1)]!;
  const step = key === "ArrowRight" ? 1 : -1;
  const next = columns[layer + step] ?? [];
  const distance = (node: number) => Math.abs(boxes[node]!.y - boxes[from]!.y);
  return next.reduce(
    (best, node) => (best === from || distance(node) < distance(best) ? node : best),
    from,
  );
}

export function renderGraph(graph: Graph, heading: HTMLElement): HTMLElement {
  const tools = h("div", { class: "tools", role: "group", "aria-label": `Tools of ${graph.title}` });
  tools.append(
    button("CSV", `Download ${graph.title} as CSV`, () => download(graph.title, graphCsv(graph))),
  );
  const figure = h(
    "figure",
    { class: "card graph", "aria-labelledby": heading.id },
    h("div", { class: "card-head" }, heading, tools),
    graph.note === "" ? null : h("p", { class: "note" }, graph.note),
  );
  if (graph.nodes.length === 0) {
    figure.append(h("p", { class: "empty" }, "This graph has no data."));
    return figure;
  }
  const placed = layout(graph);
  const edges = drawEdges(graph, placed);
  const nodes = drawNodes(graph, placed);
  const drawing = s(
    "svg",
    { viewBox: `0 0 ${placed.width} ${placed.height}`, width: placed.width, height: placed.height },
    ...edges,
    ...nodes,
  );
  const words = summary(graph);
  const said = h("p", { class: "note", id: newId("graph"), "aria-live": "polite" }, words);
  const target = h(
    "div",
    {
      class: "drawing",
      role: "img",
      tabindex: "0",
      "aria-label": `Graph of ${graph.title}. The arrow keys move from box to box.`,
      "aria-describedby": said.id,
    },
    drawing,
  );
  let looked: number | null = null;
  const look = (node: number | null) => {
    looked = node;
    said.textContent = node === null ? words : nodeText(graph, node);
    const touches = graph.edges.map(({ from, to }) => from === node || to === node);
    const near = new Set(graph.edges.flatMap(({ from, to }, i) => (touches[i] ? [from, to] : [])));
    edges.forEach((edge, i) => edge.classList.toggle("faint", node !== null && !touches[i]));
    nodes.forEach((each, i) => {
      each.classList.toggle("looked", i === node);
      each.classList.toggle("faint", node !== null && i !== node && !near.has(i));
    });
  };
  nodes.forEach((each, i) => each.addEventListener("pointerenter", () => look(i)));
  target.addEventListener("pointerleave", () => look(null));
  target.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return look(null);
    if (!/^Arrow(Up|Down|Left|Right)$/.test(event.key)) return;
    event.preventDefault();
    const next = looked === null ? 0 : neighbour(placed, graph, looked, event.key);
    look(next);
    nodes[next]!.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  figure.append(target, said);
  return figure;
}
