// The fleet: a map of every machine, what is under the pointer, search, and its clusters in words.

import { h, newId } from "../dom";
import { count } from "./amounts";
import { FleetCanvas } from "./fleet_canvas";
import { figures, NOT_KNOWN, type Cluster, type Measure } from "./fleet_model";
import { listen, zoomAtMiddle } from "./fleet_pointer";
import { choice, labelled, textInput, action } from "./forms";
import { fleet, onFleet } from "./live";
import { HEALTHS } from "./messages";
import { card, paced, type Page } from "./page";

const FOUND_MOST = 12;
const ZOOM = 1.6;
const SUMMARY_PACE_MS = 1000;

const MEASURES: { value: Measure; text: string }[] = [
  { value: "allocated", text: "allocated" },
  { value: "used", text: "used" },
  { value: "violation", text: "violation probability" },
];

function perCent(value: number): string {
  if (value === NOT_KNOWN) return "not known";
  return value === 254 ? "254 % or more" : `${value} %`;
}

function describe(place: number, resource: string, measure: Measure): string {
  const value = figures(fleet, resource, measure)?.[place] ?? NOT_KNOWN;
  const health = HEALTHS[fleet.health[place]!]!.toLowerCase();
  const cluster = fleet.clusterAt(place);
  const rack = cluster?.racks.find(({ first, count: size }) => place < first + size);
  const what = measure === "violation" ? "violation probability" : `${resource} ${measure}`;
  const where = `${cluster?.name ?? ""}/${rack?.name ?? ""}`;
  return `${fleet.names[place]!} in ${where}: ${health}, ${what} ${perCent(value)}`;
}

function mean(values: Uint8Array | null, first: number, size: number): string {
  let [sum, known] = [0, 0];
  for (let i = first; i < first + size; i += 1) {
    const value = values?.[i] ?? NOT_KNOWN;
    if (value === NOT_KNOWN) continue;
    sum += value;
    known += 1;
  }
  return known === 0 ? "–" : `${(sum / known).toFixed(1)} %`;
}

function notReady(first: number, size: number): number {
  let found = 0;
  for (let i = first; i < first + size; i += 1) found += fleet.health[i] === 0 ? 0 : 1;
  return found;
}

function fact(name: string, value: string): HTMLElement {
  return h("div", { class: "fact" }, h("dt", {}, name), h("dd", { class: "value" }, value));
}

function facts(): HTMLElement[] {
  const all = fleet.names.length;
  const resources = [...fleet.columns.keys()].slice(0, 2);
  return [
    fact("machines", count(all)),
    fact("not ready", count(notReady(0, all))),
    ...resources.map((name) =>
      fact(`${name} allocated`, mean(figures(fleet, name, "allocated"), 0, all)),
    ),
    ...resources.map((name) => fact(`${name} used`, mean(figures(fleet, name, "used"), 0, all))),
  ];
}

function clusterRow(cluster: Cluster, show: () => void): HTMLElement {
  const link = h("button", { type: "button", class: "link" }, cluster.name);
  link.addEventListener("click", show);
  const cells = [
    count(cluster.count),
    count(cluster.racks.length),
    count(notReady(cluster.first, cluster.count)),
    ...[...fleet.columns.values()].map((column) =>
      mean(column.allocated, cluster.first, cluster.count),
    ),
  ];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, link),
    ...cells.map((text) => h("td", { class: "right" }, text)),
  );
}

function clusterTable(show: (index: number) => void): HTMLElement {
  const names = [
    "machines",
    "racks",
    "not ready",
    ...[...fleet.columns.keys()].map((name) => `${name} allocated`),
  ];
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "cluster"),
    ...names.map((name) => h("th", { scope: "col", class: "right" }, name)),
  );
  const rows = fleet.clusters.map((cluster, i) => clusterRow(cluster, () => show(i)));
  return h("table", { class: "data plain" }, h("thead", {}, head), h("tbody", {}, ...rows));
}

function legend(): HTMLElement {
  const mark = (name: string, text: string) => {
    const swatch = h("span", { class: "swatch bars", "aria-hidden": "true" });
    swatch.style.color = `var(--${name})`;
    return h("li", {}, swatch, text);
  };
  return h(
    "div",
    { class: "heat-scale" },
    h("span", {}, "0 %"),
    h("span", { class: "ramp", "aria-hidden": "true" }),
    h("span", {}, "100 %"),
    h(
      "ul",
      { class: "heat-lines", "aria-label": "Other colours" },
      mark("over", "above 100 %"),
      mark("unknown", "not known"),
      mark("draining", "draining"),
      mark("down", "down"),
      mark("updating", "updating"),
    ),
  );
}

function searchBox(find: (place: number) => void): HTMLElement {
  const results = h("ul", { class: "results", hidden: "" });
  const input = textInput({ type: "search", placeholder: "name of a machine" });
  const update = () => {
    const text = input.value.trim();
    const found = text === "" ? [] : fleet.search(text, FOUND_MOST);
    results.hidden = text === "";
    results.replaceChildren(
      ...(found.length === 0 ? [h("li", {}, "No machine has this in its name.")] : []),
      ...found.map((place) => {
        const name = fleet.names[place]!;
        const show = action(name, () => {
          results.hidden = true;
          find(place);
        });
        const open = h("a", { href: `#/machines/${encodeURIComponent(name)}` }, "open");
        return h("li", {}, show, open);
      }),
    );
  };
  input.addEventListener("input", update);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const [first] = fleet.search(input.value.trim(), 1);
    results.hidden = true;
    if (first !== undefined) find(first);
  });
  return h("div", { class: "search" }, labelled("Search", input), results);
}

export function fleetPage(): Page {
  let [resource, measure] = ["cpu", "allocated" as Measure];
  const readoutId = newId("readout");
  const readout = h("p", { class: "readout", id: readoutId }, "");
  // What a pointer passes over would be too much to be said.
  const said = h("p", { class: "visually-hidden", "aria-live": "polite" });
  const canvas = h("canvas", {
    class: "map",
    tabindex: "0",
    role: "img",
    "aria-label":
      "Map of the fleet. The arrow keys move from machine to machine, plus and minus zoom, " +
      "Home shows all, Enter opens the machine.",
    "aria-describedby": readoutId,
  });
  const map = new FleetCanvas(canvas, fleet, resource, measure);
  let pointed: number | null = null;
  const tellPointed = () => {
    const where = `${count(fleet.names.length)} machines at revision ${fleet.revision}`;
    const known = pointed !== null && pointed < fleet.names.length;
    const text = known ? describe(pointed!, resource, measure) : where;
    // Another text lays the page out anew.
    if (readout.textContent !== text) readout.textContent = text;
  };
  listen(map, {
    point: (place) => {
      pointed = place;
      tellPointed();
      if (place !== null && place === map.cursor) said.textContent = readout.textContent;
    },
    open: (place) => (location.hash = `#/machines/${encodeURIComponent(fleet.names[place]!)}`),
  });

  const resources = choice([{ value: "cpu", text: "cpu" }], resource, (value) => {
    resource = value;
    map.color(resource, measure);
    tellPointed();
  });
  const measures = choice(MEASURES, measure, (value) => {
    measure = value as Measure;
    resources.disabled = measure === "violation";
    map.color(resource, measure);
    tellPointed();
  });
  const zoom = (text: string, label: string, run: () => void) => {
    const element = action(text, run);
    element.setAttribute("aria-label", label);
    return element;
  };
  const controls = h(
    "div",
    { class: "controls" },
    labelled("Resource", resources),
    labelled("Colour by", measures),
    searchBox((place) => map.showMachine(place)),
    h(
      "div",
      { class: "group", role: "group", "aria-label": "Zoom" },
      zoom("−", "Zoom out", () => zoomAtMiddle(map, 1 / ZOOM)),
      zoom("+", "Zoom in", () => zoomAtMiddle(map, ZOOM)),
      zoom("All", "Show all", () => {
        map.camera.fit();
        map.draw();
      }),
    ),
  );
  const frame = h("div", { class: "map-frame" }, canvas);
  const summary = h("dl", { class: "facts" });
  const clusters = h("div", {
    class: "scroll",
    role: "region",
    tabindex: "0",
    "aria-label": "Table: clusters",
  });
  const sumUp = paced(SUMMARY_PACE_MS, () => {
    summary.replaceChildren(...facts());
    const focused = clusters.contains(document.activeElement);
    if (!focused) clusters.replaceChildren(clusterTable((index) => map.showCluster(index)));
  });
  const rebuild = () =>
    map.rebuild(Math.max(frame.clientWidth, 1), Math.max(frame.clientHeight, 1));
  const begin = () => {
    resources.replaceChildren(
      ...[...fleet.columns.keys()].map((name) => h("option", { value: name }, name)),
    );
    if (!fleet.columns.has(resource)) resource = [...fleet.columns.keys()][0] ?? "cpu";
    resources.value = resource;
    map.color(resource, measure);
    rebuild();
  };
  const stop = onFleet((places) => {
    if (places === null) begin();
    else map.update(places);
    sumUp();
    tellPointed();
  });
  const sizes = new ResizeObserver(rebuild);
  sizes.observe(frame);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const recolor = () => map.repaint();
  scheme.addEventListener("change", recolor);

  return {
    title: "Fleet",
    element: h(
      "div",
      { class: "page" },
      summary,
      card("Map", controls, frame, readout, said, legend()),
      card("Clusters", clusters),
    ),
    close() {
      stop();
      sizes.disconnect();
      scheme.removeEventListener("change", recolor);
    },
  };
}
