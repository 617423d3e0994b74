// Service levels: how the promises of each class stand, who waits, who yielded and why.

import { h } from "../dom";
import { clock, count, duration, share } from "./amounts";
import { list } from "./api";
import { onLevels } from "./live";
import type {
  ClassLevel,
  Decision,
  ExplainedDecision,
  PendingInstance,
  ServiceLevelNews,
} from "./messages";
import { card, errorBox, type Context, type Page } from "./page";
import { PlainTable } from "./plain_table";

const PREEMPTIONS_MOST = 100;

const STANDINGS = [
  { name: "fulfilled", field: "fulfilled" },
  { name: "at risk", field: "at_risk" },
  { name: "violated", field: "violated" },
] as const;

function standingBar(level: ClassLevel): HTMLElement {
  const all = Number(level.instances);
  const parts = STANDINGS.map(({ field }) => {
    const part = h("span", { class: field });
    part.style.width = `${all === 0 ? 0 : (100 * Number(level[field])) / all}%`;
    return part;
  });
  return h("span", { class: "standing", "aria-hidden": "true" }, ...parts);
}

function classCard(level: ClassLevel): HTMLElement {
  const next = Number(level.next_violation_ms);
  const rows: [string, string][] = [
    ["promised", share(level.target)],
    ...STANDINGS.map(({ name, field }): [string, string] => [name, count(level[field])]),
    ["wait for room", count(level.pending)],
    ["yielded so far", count(level.preemptions)],
    ["next violation", next < 0 ? "none is coming" : `in ${duration(next)}`],
    ["penalty owed", `${level.penalty_cpu_hours.toFixed(2)} cpu hours`],
  ];
  return h(
    "section",
    { class: "card level" },
    h("h2", {}, level.class),
    h("p", { class: "note" }, `${count(level.instances)} instances`),
    standingBar(level),
    h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
  );
}

function pendingRow(each: PendingInstance): (Node | string)[] {
  const standing = each.standing.toLowerCase().replace("_", " ");
  return [
    each.id,
    each.class,
    h("span", { class: each.standing.toLowerCase() }, standing),
    duration(each.leeway_ms),
    duration(each.waited_ms),
    share(each.availability),
    share(each.target),
    count(each.preemptions),
  ];
}

class Preemptions {
  readonly table = new PlainTable(
    "Preemptions",
    [
      { text: "decision" },
      { text: "at (UTC)" },
      { text: "yielded" },
      { text: "to" },
      { text: "had to spare", right: true },
      { text: "the other had left", right: true },
    ],
    "Nobody had to yield lately.",
  );
  private readonly seen = new Set<string>();

  // The latest is told last.
  take(decision: Decision): void {
    if ((decision.evicted ?? []).length === 0 || this.seen.has(decision.id)) return;
    this.seen.add(decision.id);
    const link = () =>
      h("a", { href: `#/decisions/${encodeURIComponent(decision.id)}` }, decision.id);
    decision.evicted.forEach((instance, i) => {
      const why = decision.yielded?.[i];
      const row = this.table.row([
        link(),
        clock(decision.at_ms),
        instance,
        why?.to ?? decision.subject,
        why === undefined ? "–" : duration(why.spare_ms),
        why === undefined ? "–" : duration(why.left_ms),
      ]);
      this.table.prepend(row, PREEMPTIONS_MOST);
    });
  }

  async load(): Promise<void> {
    try {
      const recent = await list<ExplainedDecision>("/v1/decisions", "decisions", 1000);
      for (const { decision } of recent.reverse()) this.take(decision);
    } catch (error) {
      this.table.element.append(errorBox(error));
    }
  }
}

export function levelsPage(context: Context): Page {
  const classes = h("div", { class: "levels" }, h("p", {}, "Asking…"));
  const pending = new PlainTable(
    "Pending",
    [
      { text: "instance" },
      { text: "class" },
      { text: "standing" },
      { text: "time to violate", right: true },
      { text: "waited", right: true },
      { text: "had", right: true },
      { text: "promised", right: true },
      { text: "yielded", right: true },
    ],
    "Nobody waits for room.",
  );
  const more = h("p", { class: "note" });
  const preemptions = new Preemptions();
  const stopLevels = onLevels((news: ServiceLevelNews) => {
    classes.replaceChildren(...(news.levels.classes ?? []).map(classCard));
    pending.fill((news.pending ?? []).map(pendingRow));
    const left = Number(news.pending_in_all) - (news.pending ?? []).length;
    more.textContent = left > 0 ? `${count(left)} more wait, with more time left.` : "";
  });
  const stopCommits = context.onCommit(({ updates }) => {
    for (const { decision } of updates ?? [])
      if (decision !== undefined) preemptions.take(decision);
  });
  void preemptions.load();
  return {
    title: "Service levels",
    element: h(
      "div",
      { class: "page" },
      classes,
      card("Who waits, by time to violate", pending.element, more),
      card("Who yielded, and why", preemptions.table.element),
    ),
    close() {
      stopLevels();
      stopCommits();
    },
  };
}
