// Scaling: what a service is asked for, what comes next, and the replicas it has.

import { h } from "../dom";
import type { Plot } from "../model";
import { renderPlot } from "../plot";
import { count, KINDS, share } from "./amounts";
import { get, list, path } from "./api";
import { choice, labelled } from "./forms";
import type { SampleWindow, SeriesForecast, ServiceSummary } from "./messages";
import { card, fill, heading, type Context, type Page } from "./page";
import { PlainTable, searchable } from "./plain_table";
import { planCard } from "./plan_card";

const SERIES_MOST = 1000;
const WINDOWS_MOST = 3000;
const STEPS = [
  { value: "5", text: "5 minutes" },
  { value: "60", text: "an hour" },
];
const HORIZON = 24;

interface Loaded {
  subject: string;
  metric: string;
}

// What instances use is shown in units that people read; of loads only their names are known.
function unitOf(metric: string): { unit: string; scale: number } {
  return KINDS.find(({ field }) => field === metric) ?? { unit: "", scale: 1 };
}

function forecastPlot(
  { subject, metric }: Loaded,
  windows: readonly SampleWindow[],
  forecast: SeriesForecast,
): Plot {
  const name = `${metric.replace(/_(milli|bytes|mbit)$/, "")} of ${subject}`;
  const { unit, scale } = unitOf(metric);
  const first = Number(windows[0]?.begin_ms ?? forecast.points[0]?.at_ms ?? 0);
  const day = Math.floor(first / 86_400_000) * 86_400_000;
  const seconds = (ms: string) => (Number(ms) - day) / 1000;
  const ahead = forecast.points.map(({ at_ms }) => seconds(at_ms));
  const line = (text: string, of: "mean" | "lower" | "upper") => ({
    name: text,
    kind: "line" as const,
    x: ahead,
    y: forecast.points.map((point) => point[of] / scale),
  });
  return {
    title: name,
    note: `${forecast.method}: ${forecast.reason}`,
    x: { label: "Time, UTC", kind: "time" },
    y: { label: name, unit, scale: "linear" },
    series: [
      {
        name: "measured",
        kind: "step",
        x: windows.map(({ begin_ms }) => seconds(begin_ms)),
        y: windows.map(({ mean }) => mean / scale),
      },
      line("forecast", "mean"),
      line(`lower, ${forecast.level_percent} %`, "lower"),
      line(`upper, ${forecast.level_percent} %`, "upper"),
    ],
  };
}

async function foresee({ subject, metric }: Loaded, step: string): Promise<HTMLElement[]> {
  const query = `/v1/samples?subject=${encodeURIComponent(subject)}&metric=${encodeURIComponent(metric)}`;
  const windows = await list<SampleWindow>(query, "windows", WINDOWS_MOST);
  const forecast = await get<SeriesForecast>(
    path`/v1/forecasts/${subject}/${metric}` + `?step_minutes=${step}&horizon=${HORIZON}`,
  );
  const plot = forecastPlot({ subject, metric }, windows, forecast);
  const { backtest } = forecast;
  const score =
    backtest === undefined
      ? "There is too little history to try the method on."
      : `On the last ${backtest.points} points ${share(backtest.coverage)} lay within the band.`;
  return [
    renderPlot(plot, heading(plot.title), "scaling"),
    h("p", { class: "note" }, `${score} ${(forecast.notes ?? []).join("; ")}`),
  ];
}

function replicasTable(services: readonly ServiceSummary[]): HTMLElement {
  const table = new PlainTable(
    "Replicas",
    [
      { text: "service" },
      { text: "tenant" },
      { text: "class" },
      { text: "desired", right: true },
      { text: "placed", right: true },
      { text: "waiting", right: true },
      { text: "held back" },
    ],
    "There are no services.",
  );
  return searchable(
    table,
    services,
    ({ service }) => service.name,
    ({ service, placed, pending, held_back }) => [
      service.name,
      service.tenant,
      service.class,
      count((service.groups ?? []).reduce((sum, group) => sum + group.count, 0)),
      count(placed),
      count(pending),
      held_back,
    ],
  );
}

export function scalingPage(_context: Context): Page {
  const shown = h("div", { class: "detail" });
  const picker = h("div", {});
  const replicas = h("div", {}, "Asking…");
  void fill(picker, async () => {
    const series = (await list<Loaded>("/v1/series", "series", SERIES_MOST)).sort(
      (a, b) => Number(a.subject.includes("/")) - Number(b.subject.includes("/")),
    );
    const first = series[0];
    if (first === undefined)
      return [h("p", { class: "empty" }, "No load or usage was sampled yet.")];
    let [chosen, step] = [first, "5"];
    const update = () => void fill(shown, () => foresee(chosen, step));
    const options = series.map(({ subject, metric }, i) => ({
      value: String(i),
      text: `${subject} ${metric}`,
    }));
    const pick = choice(options, "0", (value) => {
      chosen = series[Number(value)]!;
      update();
    });
    const steps = choice(STEPS, step, (value) => {
      step = value;
      update();
    });
    update();
    return [
      h("div", { class: "controls" }, labelled("Series", pick), labelled("Points every", steps)),
    ];
  });
  void fill(replicas, async () => [
    replicasTable(await list<ServiceSummary>("/v1/services", "services", 2000)),
  ]);
  return {
    title: "Scaling",
    element: h(
      "div",
      { class: "page" },
      card("Load, and what comes next", picker, shown),
      card("Plans", planCard()),
      card("Replicas, desired and placed", replicas),
    ),
    close: () => undefined,
  };
}
