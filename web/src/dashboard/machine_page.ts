// One machine: what it has and holds, who is on it, what they used, and what may be done to it.

import { h } from "../dom";
import type { Plot, Series } from "../model";
import { renderPlot } from "../plot";
import { amount, clock, count, KINDS, limitText } from "./amounts";
import { call, get, list, newKey, path } from "./api";
import { action, confirmed } from "./forms";
import type {
  ExplainedDecision,
  Instance,
  MachineState,
  Outcome,
  RecordUpdate,
  Resources,
  SampleWindow,
} from "./messages";
import { card, errorBox, errorText, fill, heading, type Context, type Page } from "./page";
import { PlainTable } from "./plain_table";

const INSTANCES_MOST = 1000;
const HISTORY_INSTANCES_MOST = 24; // Each costs a call a resource.
const DAY_MS = 24 * 3600 * 1000;

const ACTIONS = [
  { verb: "cordon", text: "Cordon", what: "It takes no new instances; those that run there stay." },
  {
    verb: "drain",
    text: "Drain",
    what: "It takes no new instances, and those that run there move elsewhere as room is found.",
  },
  { verb: "fail", text: "Mark as down", what: "What ran there is placed elsewhere at once." },
  { verb: "restore", text: "Restore", what: "It is ready for instances again." },
] as const;

function bar(share: number): HTMLElement {
  const filled = h("span", {});
  filled.style.width = `${Math.min(100 * share, 100)}%`;
  return h(
    "span",
    { class: share > 1 ? "bar-track over" : "bar-track", "aria-hidden": "true" },
    filled,
  );
}

function resourceRows(
  capacity: Resources,
  allocated: (field: keyof Resources) => number,
): HTMLElement {
  const table = new PlainTable(
    "Resources",
    [
      { text: "resource" },
      { text: "capacity", right: true },
      { text: "allocated", right: true },
      { text: "share", right: true },
      { text: "drawn" },
    ],
    "It has no resources.",
  );
  table.fill(
    KINDS.filter(({ field }) => Number(capacity[field]) > 0).map((kind) => {
      const has = Number(capacity[kind.field]);
      const holds = allocated(kind.field);
      const shown = `${((100 * holds) / has).toFixed(1)} %`;
      return [kind.name, amount(kind, has), amount(kind, holds), shown, bar(holds / has)];
    }),
  );
  return table.element;
}

// What those on the machine used together, window by window; a gap where nothing was sampled.
async function usageSeries(
  instances: readonly Instance[],
  metric: string,
  scale: number,
): Promise<Series | null> {
  const from = Date.now() - DAY_MS;
  const sums = new Map<number, number>();
  const asked = instances.slice(0, HISTORY_INSTANCES_MOST).map(async ({ id }) => {
    const query = `/v1/samples?subject=${encodeURIComponent(id)}&metric=${metric}`;
    const windows = await list<SampleWindow>(query, "windows", 2000);
    for (const { begin_ms, mean } of windows) {
      const at = Number(begin_ms);
      if (at >= from) sums.set(at, (sums.get(at) ?? 0) + mean / scale);
    }
  });
  await Promise.all(asked);
  if (sums.size === 0) return null;
  const times = [...sums.keys()].sort((a, b) => a - b);
  const day = Math.floor(times[0]! / DAY_MS) * DAY_MS;
  return {
    name: "used",
    kind: "step",
    x: times.map((at) => (at - day) / 1000),
    y: times.map((at) => sums.get(at)!),
  };
}

async function history(
  state: MachineState,
  instances: readonly Instance[],
): Promise<HTMLElement[]> {
  const figures: HTMLElement[] = [];
  for (const kind of KINDS.slice(0, 2)) {
    const capacity = Number(state.machine.capacity[kind.field]) / kind.scale;
    const used = await usageSeries(instances, kind.field, kind.scale);
    if (used === null || capacity <= 0) continue;
    const ends = [used.x[0]!, used.x[used.x.length - 1]!];
    const plot: Plot = {
      title: `${kind.name} used by those here now`,
      note: "",
      x: { label: "Time of day, UTC", kind: "time" },
      y: { label: kind.name, unit: kind.unit, scale: "linear" },
      series: [used, { name: "capacity", kind: "line", x: ends, y: [capacity, capacity] }],
    };
    figures.push(renderPlot(plot, heading(plot.title), "machine"));
  }
  if (figures.length > 0) return [h("div", { class: "plots" }, ...figures)];
  return [h("p", { class: "empty" }, "Nothing was sampled of its instances in the last day.")];
}

function decisionRows(decisions: readonly ExplainedDecision[], table: PlainTable): void {
  table.fill(
    decisions.map(({ decision, summary }) => [
      h("a", { href: `#/decisions/${encodeURIComponent(decision.id)}` }, decision.id),
      clock(decision.at_ms),
      summary,
    ]),
  );
}

class MachineView {
  private readonly health = h("span", { class: "health" });
  private readonly resources = h("div", {});
  private readonly where = h("p", { class: "subtitle" });
  private readonly past = h("div", {});
  readonly outcome = h("div", { role: "status" });
  private readonly table = new PlainTable(
    "Instances",
    [
      { text: "instance" },
      { text: "type" },
      { text: "limit" },
      { text: "phase" },
      { text: "since" },
      { text: "kills", right: true },
    ],
    "No instance is on this machine.",
  );
  private readonly decisions = new PlainTable(
    "Decisions",
    [{ text: "decision" }, { text: "at" }, { text: "what" }],
    "No recent decision is about this machine.",
  );
  private state: MachineState | null = null;
  private readonly instances = new Map<string, Instance>();
  readonly element: HTMLElement;

  constructor(
    private readonly name: string,
    private readonly context: Context,
  ) {
    this.element = h("div", { class: "page" }, h("p", { "aria-busy": "true" }, "Asking…"));
  }

  async load(): Promise<void> {
    await fill(this.element, async () => {
      this.state = await get<MachineState>(path`/v1/machines/${this.name}`);
      const here = `/v1/instances?machine=${encodeURIComponent(this.name)}`;
      for (const each of await list<Instance>(here, "instances", INSTANCES_MOST))
        this.instances.set(each.id, each);
      this.show();
      return [
        h("div", { class: "title-row" }, this.health, this.where),
        this.actions(),
        card("Resources", this.resources),
        card("Instances", this.table.element),
        card("History", this.past),
        card("Decisions about it", this.decisions.element),
      ];
    });
    if (this.state === null) return;
    void fill(this.past, () => history(this.state!, [...this.instances.values()]));
    void this.loadDecisions();
  }

  private async loadDecisions(): Promise<void> {
    const about = `/v1/decisions?subject=${encodeURIComponent(this.name)}`;
    try {
      decisionRows(await list<ExplainedDecision>(about, "decisions", 20), this.decisions);
    } catch (error) {
      this.decisions.element.append(errorBox(error));
    }
  }

  private show(): void {
    const { machine } = this.state!;
    this.health.textContent = machine.health.toLowerCase();
    this.health.dataset.health = machine.health;
    this.where.textContent =
      `${machine.datacenter}/${machine.cluster}/${machine.row}/${machine.rack}, ${machine.sku}, ` +
      `${count(this.instances.size)} instances`;
    const sum = (field: keyof Resources) =>
      [...this.instances.values()].reduce((total, { limit }) => total + Number(limit[field]), 0);
    this.resources.replaceChildren(resourceRows(machine.capacity, sum));
    this.table.fill(
      [...this.instances.values()].map((each) => [
        each.id,
        each.type,
        limitText(each.limit),
        each.phase.toLowerCase(),
        clock(each.since_ms),
        count(each.out_of_memory),
      ]),
    );
  }

  // What a commit says of this machine, without asking again.
  take(updates: readonly RecordUpdate[]): void {
    if (this.state === null) return;
    let changed = false;
    for (const { key, removed, machine, instance, decision } of updates) {
      if (machine?.name === this.name) {
        this.state.machine = machine;
        changed = true;
      }
      if (instance?.machine === this.name) {
        this.instances.set(instance.id, instance);
        changed = true;
      } else if (key.startsWith("instance ") && (removed || instance !== undefined)) {
        changed = this.instances.delete(key.slice("instance ".length)) || changed;
      }
      if (decision?.subject === this.name) void this.loadDecisions();
    }
    if (changed) this.show();
  }

  private actions(): HTMLElement {
    const allowed = this.context.may("operate");
    const buttons = ACTIONS.map(({ verb, text, what }) => {
      const element = action(text, () => void this.act(verb, text, what));
      element.disabled = !allowed;
      element.title = allowed ? what : "It needs the role operate.";
      return element;
    });
    const note = allowed
      ? null
      : h(
          "p",
          { class: "note" },
          "Your token does not have the role operate, so nothing can be done to it from here.",
        );
    return h(
      "div",
      {},
      h("div", { class: "controls", role: "group", "aria-label": "Actions" }, ...buttons),
      note,
      this.outcome,
    );
  }

  private async act(verb: string, text: string, what: string): Promise<void> {
    if (!(await confirmed(`${text}: ${this.name}`, text, h("p", {}, what)))) return;
    try {
      const body = { idempotency_key: newKey() };
      const { accepted, decision } = await call<Outcome>(
        "POST",
        path`/v1/machines/${this.name}` + `:${verb}`,
        body,
      );
      const answer = accepted
        ? `accepted as ${decision.id}`
        : `refused: ${decision.refusal?.because ?? ""}`;
      this.outcome.replaceChildren(h("p", { class: "note" }, `${text}: ${answer}`));
    } catch (error) {
      this.outcome.replaceChildren(errorBox(error));
      this.context.say(errorText(error));
    }
  }
}

export function machinePage(name: string, context: Context): Page {
  const view = new MachineView(name, context);
  // First listen, then read: what is told twice is taken once.
  const stop = context.onCommit(({ updates }) => view.take(updates ?? []));
  void view.load();
  return { title: `Machine ${name}`, element: view.element, close: stop };
}
