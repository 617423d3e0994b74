// The usage of a service's instances over time as a heat map, under its limits.

import type { HeatMap } from "../model";
import { count, kindOf } from "./amounts";
import { list } from "./api";
import type { Instance, Recommendation, SampleWindow } from "./messages";

const INSTANCES_MOST = 40; // Each costs a call.
const WINDOW_MS = 300_000;
const ROWS = 24;
const DAYS_MS = 7 * 24 * 3600 * 1000;

async function windowsOf(service: string, type: string, metric: string): Promise<SampleWindow[][]> {
  const here = `/v1/instances?service=${encodeURIComponent(service)}`;
  const instances = (await list<Instance>(here, "instances", 1000))
    .filter((each) => each.type === type)
    .slice(0, INSTANCES_MOST);
  const from = Date.now() - DAYS_MS;
  return Promise.all(
    instances.map(async ({ id }) => {
      const query = `/v1/samples?subject=${encodeURIComponent(id)}&metric=${metric}`;
      const windows = await list<SampleWindow>(query, "windows", 3000);
      return windows.filter(({ begin_ms }) => Number(begin_ms) >= from);
    }),
  );
}

function killsInWords(known: number, marked: number): string {
  const points =
    marked === 0
      ? ""
      : ` Points mark the last ${marked === 1 ? "one" : count(marked)}, each at the limit that it had.`;
  return `Kills for want of memory that are known: ${count(known)}.${points}`;
}

// Cpu by its mean in a window, memory by its most: what each is limited by.
export async function usageMap(advice: Recommendation): Promise<HeatMap | null> {
  const kind = kindOf(advice.resource);
  const series = await windowsOf(advice.service, advice.type, kind.field);
  const points = series.flat().map((window) => ({
    at: Number(window.begin_ms),
    value: (advice.resource === "cpu" ? window.mean : window.max) / kind.scale,
  }));
  if (points.length === 0) return null;
  // Kills lie on the limit that was too little; the map goes on to those after its last sample.
  const kills = (advice.kills ?? [])
    .map(({ at_ms, limit }) => ({ at: Number(at_ms), value: Number(limit) / kind.scale }))
    .filter(({ at }) => at >= Date.now() - DAYS_MS)
    .sort((a, b) => a.at - b.at);
  const moments = [
    ...points.map(({ at }) => at),
    ...kills.map(({ at }) => Math.floor(at / WINDOW_MS) * WINDOW_MS),
  ];
  const first = moments.reduce((least, at) => Math.min(least, at), Infinity);
  const last = moments.reduce((most, at) => Math.max(most, at), 0);
  const columns = Math.round((last - first) / WINDOW_MS) + 1;
  const limit = Number(advice.now) / kind.scale;
  const target = Number(advice.target) / kind.scale;
  const highest = [...points, ...kills].reduce(
    (most, { value }) => Math.max(most, value),
    Math.max(limit, target),
  );
  const step = (highest * 1.05) / ROWS;
  const rows: (number | null)[][] = Array.from({ length: ROWS }, () =>
    Array<number | null>(columns).fill(null),
  );
  for (const { at, value } of points) {
    const row = rows[Math.min(Math.floor(value / step), ROWS - 1)]!;
    const column = Math.round((at - first) / WINDOW_MS);
    row[column] = (row[column] ?? 0) + 1;
  }
  const day = Math.floor(first / 86_400_000) * 86_400_000;
  const seconds = (at: number) => (at - day) / 1000;
  const ends = [seconds(first), seconds(last + WINDOW_MS)];
  const line = (name: string, value: number) => ({
    name,
    kind: "line" as const,
    x: ends,
    y: [value, value],
  });
  const killed = {
    name: "killed for want of memory",
    kind: "points" as const,
    x: kills.map(({ at }) => seconds(at)),
    y: kills.map(({ value }) => value),
  };
  return {
    title: `${advice.resource} of ${advice.service}, ${advice.type}`,
    note:
      advice.resource === "memory" ? killsInWords(Number(advice.out_of_memory), kills.length) : "",
    x: { label: "Time, UTC", kind: "time" },
    x_edges: Array.from({ length: columns + 1 }, (_, i) => seconds(first + i * WINDOW_MS)),
    y: { label: advice.resource, unit: kind.unit, scale: "linear" },
    y_edges: Array.from({ length: ROWS + 1 }, (_, i) => i * step),
    value: { label: "instances", unit: "", scale: "linear" },
    rows,
    lines: [
      line("limit", limit),
      ...(kills.length > 0 ? [killed] : []),
      line("recommended", target),
    ],
  };
}
