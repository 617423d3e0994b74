// The report page: reads the data inlined in the page and draws every run.

import "./theme.css";
import "./report.css";

import { h, newId } from "./dom";
import { SCHEMA, type Document, type Run, type Table } from "./model";
import { renderBody, renderFacts, type Link } from "./run";
import { renderTable } from "./table";

function renderOrigin(run: Run): HTMLElement {
  return h(
    "dl",
    { class: "origin" },
    h("div", {}, h("dt", {}, "Command"), h("dd", {}, h("code", {}, run.command))),
    h("div", {}, h("dt", {}, "Seed"), h("dd", {}, h("code", {}, run.seed))),
  );
}

function renderContents(groups: { title: Link | null; links: Link[] }[]): HTMLElement {
  const anchor = ({ id, text }: Link) => h("a", { href: `#${id}` }, text);
  const items = groups.map(({ title, links }) => {
    const list = h("ul", {}, ...links.map((link) => h("li", {}, anchor(link))));
    return title === null ? list : h("div", { class: "group" }, anchor(title), list);
  });
  const details = h("details", {}, h("summary", {}, "Contents"), ...items);
  details.open = matchMedia("(min-width: 68rem)").matches;
  return h("nav", { class: "contents", "aria-label": "Contents" }, details);
}

// Every fact of every run: a row a fact, a column a run.
function comparison(runs: Run[]): Table {
  const names = [...new Set(runs.flatMap((run) => run.facts.map((fact) => fact.name)))];
  const valueIn = (run: Run, name: string) =>
    run.facts.find((fact) => fact.name === name)?.value ?? null;
  return {
    title: "Runs compared",
    note: "",
    columns: [
      { name: "Fact", unit: "", right_aligned: false },
      ...runs.map((run) => ({ name: run.title, unit: "", right_aligned: true })),
    ],
    rows: names.map((name) => [name, ...runs.map((run) => valueIn(run, name))]),
  };
}

function renderOne(run: Run): HTMLElement[] {
  const links: Link[] = [];
  const body = renderBody(run, "h2", "run-1", links);
  const main = h(
    "main",
    { id: "main" },
    h(
      "div",
      { class: "title" },
      h("h1", {}, run.title),
      run.subtitle === "" ? null : h("p", { class: "subtitle" }, run.subtitle),
    ),
    renderFacts(run),
    ...body,
    renderOrigin(run),
  );
  return [renderContents([{ title: null, links }]), main];
}

function renderSeveral(runs: Run[]): HTMLElement[] {
  const compared = { id: newId("part"), text: "Runs compared" };
  const groups: { title: Link | null; links: Link[] }[] = [{ title: null, links: [compared] }];
  const sections = runs.map((run) => {
    const title = { id: newId("run"), text: run.title };
    const links: Link[] = [];
    groups.push({ title, links });
    const body = renderBody(run, "h3", title.id, links);
    return h(
      "section",
      { class: "run", "aria-labelledby": title.id },
      h(
        "div",
        { class: "title" },
        h("h2", { id: title.id }, run.title),
        run.subtitle === "" ? null : h("p", { class: "subtitle" }, run.subtitle),
      ),
      renderFacts(run),
      ...body,
      renderOrigin(run),
    );
  });
  const main = h(
    "main",
    { id: "main" },
    h("div", { class: "title" }, h("h1", {}, `${runs.length} runs`)),
    renderTable(comparison(runs), h("h2", { id: compared.id }, compared.text)),
    ...sections,
  );
  return [renderContents(groups), main];
}

function render(): void {
  const data = JSON.parse(document.getElementById("report-data")!.textContent!) as Document;
  if (data.schema !== SCHEMA) throw new Error(`the page reads ${SCHEMA}, not ${data.schema}`);
  const [only, ...others] = data.runs;
  const parts =
    only === undefined
      ? [h("main", { id: "main" }, h("h1", {}, "No runs"), h("p", {}, "This report has no runs."))]
      : others.length === 0
        ? renderOne(only)
        : renderSeveral(data.runs);
  document.body.append(
    h("a", { class: "skip", href: "#main" }, "Skip to the report"),
    h("header", { class: "bar" }, h("span", { class: "mark", "aria-hidden": "true" }), "Berth report"),
    h("div", { class: "layout" }, ...parts),
  );
}

render();
