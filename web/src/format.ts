// Numbers and durations as people read them.

const DECIMALS_MAX = 9;
const PLAIN_MAX = 1e15; // From here on a double has no room for decimals.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function exponent(value: number): number {
  return Math.floor(Math.log10(value));
}

// The decimals that numbers shown together share: four significant digits of the largest, two of
// the smallest but no more than four decimals for that, and none that are zero throughout.
// src/report/table.cc follows the same rule.
export function sharedDecimals(values: Iterable<number | null>): number {
  const plain: number[] = [];
  for (const value of values) {
    if (value !== null && Math.abs(value) < PLAIN_MAX) plain.push(value);
  }
  let largest = 0;
  let smallest = PLAIN_MAX;
  for (const value of plain) {
    const size = Math.abs(value);
    if (size === 0) continue;
    largest = Math.max(largest, size);
    smallest = Math.min(smallest, size);
  }
  if (largest === 0 || plain.every(Number.isInteger)) return 0;
  let decimals = Math.max(3 - exponent(largest), Math.min(1 - exponent(smallest), 4), 1);
  decimals = Math.min(decimals, DECIMALS_MAX);
  while (decimals > 0 && plain.every((value) => value.toFixed(decimals).endsWith("0"))) {
    decimals -= 1;
  }
  return decimals;
}

export function formatNumber(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined) return "–";
  if (Math.abs(value) >= PLAIN_MAX) return value.toPrecision(4);
  return value.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

// A tick of a linear axis whose ticks are `step` apart: 250,000 becomes 250k.
export function formatTick(value: number, step: number): string {
  const compact = step >= 1e3;
  return value.toLocaleString("en-US", {
    notation: compact ? "compact" : "standard",
    maximumFractionDigits: compact ? 2 : Math.max(0, -exponent(step) + 1),
  });
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

// A moment of the run, in full: 45.5 s, 02:30:00, 3 d 02:30:00.
export function formatTime(seconds: number): string {
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? "−" : "";
  if (size < MINUTE) return `${sign}${Number(size.toFixed(3))} s`;
  const whole = Math.round(size);
  const days = Math.floor(whole / DAY);
  const clock = [Math.floor((whole % DAY) / HOUR), Math.floor((whole % HOUR) / MINUTE), whole % 60];
  return `${sign}${days > 0 ? `${days} d ` : ""}${clock.map(two).join(":")}`;
}

// A tick of a time axis whose ticks are `step` seconds apart: only the parts that can differ.
export function formatTimeTick(seconds: number, step: number): string {
  if (seconds === 0) return "0";
  if (Math.abs(seconds) < MINUTE && step < MINUTE) return formatTime(seconds);
  if (seconds % DAY === 0) return `${seconds / DAY} d`;
  const clock = formatTime(seconds).replace(/^.* d /, "");
  return step % MINUTE === 0 ? clock.replace(/:00$/, "") : clock;
}

// The distances a time axis may choose between its ticks, in seconds.
export const TIME_STEPS: number[] = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 7, 14, 30, 60, 90, 180, 365, 730].map((days) => days * DAY),
];
