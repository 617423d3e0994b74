// The parts of one run that a report and the dashboard show alike.

import { h, newId } from "./dom";
import { renderGraph } from "./graph";
import { renderHeatMap } from "./heat_map";
import type { Run } from "./model";
import { renderPlot } from "./plot";
import { renderTable } from "./table";

type HeadingTag = "h2" | "h3" | "h4";

export interface Link {
  id: string;
  text: string;
}

export function renderFacts(run: Run): HTMLElement | null {
  if (run.facts.length === 0) return null;
  const facts = run.facts.map((fact) =>
    h(
      "div",
      { class: "fact" },
      h("dt", {}, fact.name),
      h("dd", { class: "value" }, fact.value),
      fact.note === "" ? null : h("dd", { class: "note" }, fact.note),
    ),
  );
  return h("dl", { class: "facts" }, ...facts);
}

// Plots and tables of one run, each under a heading that the contents link to.
export function renderBody(
  run: Run,
  tag: HeadingTag,
  syncKey: string,
  links: Link[],
): HTMLElement[] {
  const heading = (text: string) => {
    const id = newId("part");
    links.push({ id, text });
    return h(tag, { id }, text);
  };
  const graphs = (run.graphs ?? []).map((graph) => renderGraph(graph, heading(graph.title)));
  const plots = run.plots.map((plot) => renderPlot(plot, heading(plot.title), syncKey));
  const maps = (run.heat_maps ?? []).map((map) => renderHeatMap(map, heading(map.title)));
  const tables = run.tables.map((table) => renderTable(table, heading(table.title)));
  return [
    ...run.paragraphs.map((text) => h("p", { class: "prose" }, text)),
    ...graphs,
    h("div", { class: "plots" }, ...plots, ...maps),
    ...tables,
  ];
}
