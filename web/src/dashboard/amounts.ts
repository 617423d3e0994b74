// Amounts of resources and moments, as people read them.

import type { Resources } from "./messages";

export interface Kind {
  name: string;
  field: keyof Resources;
  unit: string; // Of a plot,
  scale: number; // in so many of the API's.
}

export const KINDS: readonly Kind[] = [
  { name: "cpu", field: "cpu_milli", unit: "cores", scale: 1000 },
  { name: "memory", field: "memory_bytes", unit: "GiB", scale: 2 ** 30 },
  { name: "disk", field: "disk_bytes", unit: "GiB", scale: 2 ** 30 },
  { name: "network", field: "network_mbit", unit: "Mbit/s", scale: 1 },
  { name: "gpu", field: "gpu_milli", unit: "GPUs", scale: 1000 },
];

export function kindOf(resource: string): Kind {
  return KINDS.find(({ name }) => name === resource) ?? KINDS[0]!;
}

export function amount(kind: Kind, value: number): string {
  const size = value / kind.scale;
  const digits = Number.isInteger(size) || size >= 100 ? 0 : 2;
  return `${size.toLocaleString("en-US", { maximumFractionDigits: digits })} ${kind.unit}`;
}

export function limitText(limit: Resources): string {
  return KINDS.filter(({ field }) => Number(limit[field] ?? 0) > 0)
    .map((kind) => amount(kind, Number(limit[kind.field])))
    .join(", ");
}

export function clock(ms: string | number): string {
  return new Date(Number(ms)).toISOString().replace("T", " ").slice(0, 19);
}

export function duration(ms: string | number): string {
  const seconds = Math.round(Math.abs(Number(ms)) / 1000);
  const sign = Number(ms) < 0 ? "−" : "";
  if (seconds < 120) return `${sign}${seconds} s`;
  if (seconds < 7200) return `${sign}${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${sign}${Math.round(seconds / 3600)} h`;
  return `${sign}${Math.round(seconds / 86_400)} d`;
}

export function count(value: string | number): string {
  return Number(value).toLocaleString("en-US");
}

export function share(value: number): string {
  return `${(100 * value).toLocaleString("en-US", { maximumFractionDigits: 2 })} %`;
}
