// What is planned for an application: how many instances of each service, and when.

import { h } from "../dom";
import type { Plot } from "../model";
import { renderPlot } from "../plot";
import { count } from "./amounts";
import { get, list, path } from "./api";
import { choice, labelled } from "./forms";
import type { InstanceType, ScalingPlan, ServiceSummary } from "./messages";
import { fill, heading } from "./page";
import { PlainTable } from "./plain_table";

const PLANS_MOST = 1000;
const DAY_MS = 86_400_000;

interface Running {
  services: ReadonlyMap<string, ServiceSummary>;
  cores: ReadonlyMap<string, number>; // Of an instance, by service.
}

async function running(): Promise<Running> {
  const [services, types] = await Promise.all([
    list<ServiceSummary>("/v1/services", "services", 10_000),
    list<InstanceType>("/v1/types", "types", 10_000),
  ]);
  const sizes = new Map(types.map(({ name, size }) => [name, Number(size.cpu_milli) / 1000]));
  return {
    services: new Map(services.map((summary) => [summary.service.name, summary])),
    cores: new Map(
      services.map(({ service }) => [
        service.name,
        sizes.get((service.groups ?? [])[0]?.type ?? "") ?? 0,
      ]),
    ),
  };
}

// From now on, in seconds of the day that it was made on; what there is now comes first.
function moments(plan: ScalingPlan): number[] {
  const day = Math.floor(Number(plan.made_ms) / DAY_MS) * DAY_MS;
  const seconds = (ms: string) => (Number(ms) - day) / 1000;
  return [seconds(plan.made_ms), ...(plan.states ?? []).map(({ at_ms }) => seconds(at_ms))];
}

const placedOf = (service: string, { services }: Running) =>
  Number(services.get(service)?.placed ?? 0);

function countsPlot(plan: ScalingPlan, now: Running): Plot {
  const x = moments(plan);
  const states = plan.states ?? [];
  const line = (name: string, first: number, of: (state: (typeof states)[number]) => number) => ({
    name,
    kind: "step" as const,
    x,
    y: [first, ...states.map(of)],
  });
  return {
    title: `Instances of ${plan.application}`,
    note: `Made at ${new Date(Number(plan.made_ms)).toISOString()}. The first point is what runs.`,
    x: { label: "Time, UTC", kind: "time" },
    y: { label: "instances", unit: "", scale: "linear" },
    series: plan.services.flatMap((service, s) => {
      const placed = placedOf(service, now);
      const bounded = states.some(({ low }) => (low ?? []).length > 0);
      return [
        line(service, placed, ({ instances }) => instances[s]!),
        ...(bounded
          ? [
              line(`${service}, lower`, placed, ({ low, instances }) => low?.[s] ?? instances[s]!),
              line(`${service}, upper`, placed, ({ high, instances }) => high?.[s] ?? instances[s]!),
            ]
          : []),
      ];
    }),
  };
}

// What the plan costs of the fleet.
function coresPlot(plan: ScalingPlan, now: Running): Plot {
  const coresOf = (counts: readonly number[]) =>
    plan.services.reduce((sum, name, s) => sum + counts[s]! * (now.cores.get(name) ?? 0), 0);
  return {
    title: `Cores that ${plan.application} takes`,
    note: "Instances times the cpu of their type.",
    x: { label: "Time, UTC", kind: "time" },
    y: { label: "cores", unit: "", scale: "linear" },
    series: [
      {
        name: "cores",
        kind: "step",
        x: moments(plan),
        y: [
          coresOf(plan.services.map((service) => placedOf(service, now))),
          ...(plan.states ?? []).map(({ instances }) => coresOf(instances)),
        ],
      },
    ],
  };
}

function statesTable(plan: ScalingPlan): HTMLElement {
  const table = new PlainTable(
    `Plan of ${plan.application}`,
    [
      { text: "order at, UTC" },
      ...plan.services.map((text) => ({ text, right: true })),
      { text: "why" },
    ],
    "Everything is to stay as it is.",
  );
  table.set(
    (plan.states ?? []).map(({ at_ms, instances, why }) =>
      table.row([
        new Date(Number(at_ms)).toISOString().slice(0, 19).replace("T", " "),
        ...instances.map(count),
        why,
      ]),
    ),
  );
  return table.element;
}

async function draw(service: string): Promise<HTMLElement[]> {
  const [plan, now] = await Promise.all([
    get<ScalingPlan>(path`/v1/plans/${service}`),
    running(),
  ]);
  const notes = [...(plan.notes ?? []), ...(plan.trouble ? [plan.trouble] : [])];
  const said = h(
    "p",
    { class: "note" },
    [plan.mode === "auto" ? "The plan is enforced." : "Nothing is changed: dry run.", ...notes].join(
      " ",
    ),
  );
  if (Number(plan.made_ms) === 0) return [said];
  const plots = [countsPlot(plan, now), coresPlot(plan, now)];
  return [
    ...plots.map((plot) => renderPlot(plot, heading(plot.title), "plan")),
    said,
    statesTable(plan),
  ];
}

export function planCard(): HTMLElement {
  const shown = h("div", { class: "detail" });
  const picker = h("div", {});
  void fill(picker, async () => {
    const plans = await list<ScalingPlan>("/v1/plans", "plans", PLANS_MOST);
    const first = plans[0];
    if (first === undefined)
      return [h("p", { class: "empty" }, "The policy names no applications to plan for.")];
    const update = (service: string) => void fill(shown, () => draw(service));
    const options = plans.map(({ application, services }) => ({
      value: services[0]!,
      text: application,
    }));
    update(first.services[0]!);
    return [
      h(
        "div",
        { class: "controls" },
        labelled("Application", choice(options, first.services[0]!, update)),
      ),
    ];
  });
  return h("div", {}, picker, shown);
}
