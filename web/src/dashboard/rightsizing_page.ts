// Rightsizing: what limits should be, what that would save, and the way to have it so.

import { h } from "../dom";
import { renderHeatMap } from "../heat_map";
import { amount, kindOf } from "./amounts";
import { call, get, list, newKey } from "./api";
import { action, confirmed } from "./forms";
import type { Outcome, Recommendation, ServiceSummary } from "./messages";
import { optIn } from "./opt_in";
import { card, errorBox, fill, heading, type Context, type Page } from "./page";
import { PlainTable, searchable } from "./plain_table";
import { usageMap } from "./usage_map";

const MOST = 5000;

interface Saved {
  service: string;
  cpu: number;
  memory: number;
}

// What all instances of a service together would give back; less than nothing: they need more.
function savings(advice: readonly Recommendation[], services: readonly ServiceSummary[]): Saved[] {
  const counts = new Map<string, number>();
  for (const { service } of services) {
    for (const { type, count: size } of service.groups ?? []) {
      const key = `${service.name} ${type}`;
      counts.set(key, (counts.get(key) ?? 0) + size);
    }
  }
  const byService = new Map<string, Saved>();
  for (const each of advice) {
    const saved = byService.get(each.service) ?? { service: each.service, cpu: 0, memory: 0 };
    const size = counts.get(`${each.service} ${each.type}`) ?? 0;
    saved[each.resource] += (Number(each.now) - Number(each.target)) * size;
    byService.set(each.service, saved);
  }
  return [...byService.values()].sort((a, b) => b.memory - a.memory);
}

function savingsCard(saved: readonly Saved[]): HTMLElement {
  const table = new PlainTable(
    "Savings",
    [{ text: "service" }, { text: "cpu", right: true }, { text: "memory", right: true }],
    "Nothing is recommended yet: samples of usage come first.",
  );
  const row = ({ service, cpu, memory }: Saved) => [
    service,
    amount(kindOf("cpu"), cpu),
    amount(kindOf("memory"), memory),
  ];
  const sum = saved.reduce(
    (all, { cpu, memory }) => ({ ...all, cpu: all.cpu + cpu, memory: all.memory + memory }),
    { service: "all together", cpu: 0, memory: 0 },
  );
  const all = saved.length === 0 ? [] : [sum, ...saved];
  return card(
    "What following every recommendation would give back",
    searchable(table, all, ({ service }) => service, row),
  );
}

class RightsizingView {
  private readonly detail = h(
    "div",
    { class: "detail" },
    h("p", { class: "empty" }, "Choose a recommendation to see the usage that it comes from."),
  );
  private readonly outcome = h("div", { role: "status" });
  readonly element = h("div", { class: "page" }, h("p", {}, "Asking…"));

  constructor(private readonly context: Context) {}

  load(): void {
    void fill(this.element, async () => {
      const advice = await list<Recommendation>("/v1/recommendations", "recommendations", MOST);
      const services = await list<ServiceSummary>("/v1/services", "services", MOST);
      return [
        card("Recommendations", this.table(advice), this.outcome),
        card("Usage", this.detail),
        savingsCard(savings(advice, services)),
      ];
    });
  }

  private table(advice: readonly Recommendation[]): HTMLElement {
    const table = new PlainTable(
      "Recommendations",
      [
        { text: "service" },
        { text: "type" },
        { text: "resource" },
        { text: "used", right: true },
        { text: "limit", right: true },
        { text: "recommended", right: true },
        { text: "mode" },
        { text: "why" },
        { text: "opt in" },
      ],
      "Nothing is recommended yet: a server needs some minutes of samples of what instances use.",
    );
    return searchable(
      table,
      advice,
      ({ service }) => service,
      (each) => {
        const kind = kindOf(each.resource);
        const open = h("button", { type: "button", class: "link" }, each.service);
        open.addEventListener("click", () => void this.show(each));
        const held = each.held_back === "" ? "" : `; held back: ${each.held_back}`;
        return [
          open,
          each.type,
          each.resource,
          amount(kind, Number(each.used)),
          amount(kind, Number(each.now)),
          amount(kind, Number(each.target)),
          each.mode.replace("_", " "),
          each.why + held,
          this.optInButton(each),
        ];
      },
    );
  }

  private optInButton(each: Recommendation): Node {
    if (each.mode === "auto") return h("span", {}, "follows by itself");
    const element = action("Opt in…", () => void this.optIn(each));
    element.disabled = !this.context.may("operate");
    element.title = element.disabled
      ? "It needs the role operate."
      : `Has the limits of ${each.service} follow what is recommended`;
    element.setAttribute("aria-label", `Opt in ${each.service}, ${each.type}, ${each.resource}`);
    return element;
  }

  private async show(each: Recommendation): Promise<void> {
    await fill(this.detail, async () => {
      const map = await usageMap(each);
      const others = (each.others ?? []).map(
        ({ recommender, target }) =>
          `${recommender}: ${amount(kindOf(each.resource), Number(target))}`,
      );
      return [
        map === null
          ? h("p", { class: "empty" }, "No samples of its instances are kept.")
          : renderHeatMap(map, heading(map.title)),
        h(
          "p",
          { class: "note" },
          `${each.recommender} says ${amount(kindOf(each.resource), Number(each.target))}${others.length > 0 ? `; beside it ${others.join(", ")}` : ""}.`,
        ),
      ];
    });
    this.detail.scrollIntoView({ block: "nearest" });
  }

  // Shows the change first, and what it would do now.
  private async optIn(each: Recommendation): Promise<void> {
    try {
      const { text } = await get<{ text: string }>("/v1/policy");
      const change = optIn(text, each.service);
      if (change === null)
        throw new Error(
          `the policy speaks of rightsizing in a way that is best edited by hand; do so under What if`,
        );
      const { valid, error } = await call<{ valid: boolean; error: string }>(
        "POST",
        "/v1/policy:validate",
        { text: change.text },
      );
      if (!valid) throw new Error(error);
      const kind = kindOf(each.resource);
      const wanted = await confirmed(
        `Opt in ${each.service}`,
        "Put into force",
        h(
          "p",
          {},
          `The policy gets these lines. The limit of ${each.resource} would go from ${amount(kind, Number(each.now))} to ${amount(kind, Number(each.target))}, and follow what is used from then on.`,
        ),
        h("pre", { class: "explanation" }, change.added),
      );
      if (!wanted) return;
      const { decision } = await call<Outcome>("PUT", "/v1/policy", {
        text: change.text,
        idempotency_key: newKey(),
      });
      this.load();
      this.context.say(`${each.service} follows its recommendations: ${decision.id}`);
    } catch (error) {
      this.outcome.replaceChildren(errorBox(error));
    }
  }
}

export function rightsizingPage(context: Context): Page {
  const view = new RightsizingView(context);
  view.load();
  const stop = context.onCommit(({ updates }) => {
    if ((updates ?? []).some(({ policy }) => policy !== undefined)) view.load();
  });
  return { title: "Rightsizing", element: view.element, close: stop };
}
