// What became of a text, line by line: lines that went, lines that came, and a few around them.

const CELLS_MOST = 4_000_000; // Of the table below; beyond them a difference need not be shortest.
const AROUND = 2;

interface Line {
  sign: " " | "−" | "+";
  text: string;
}

// How long the longest common part of what follows line i of one and line j of the other is.
function commonLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  if ((a.length + 1) * width > CELLS_MOST) return () => 0;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  return (i, j) => lengths[i * width + j]!;
}

function changed(a: readonly string[], b: readonly string[]): Line[] {
  const common = commonLengths(a, b);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: " ", text: a[i]! });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ sign: "−", text: a[i]! });
      i += 1;
    } else {
      lines.push({ sign: "+", text: b[j]! });
      j += 1;
    }
  }
  return lines;
}

// Empty where nothing differs.
export function lineDifference(before: string, after: string): string {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const same = (text: string): Line => ({ sign: " ", text });
  const lines = [
    ...a.slice(0, head).map(same),
    ...changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
  const near = new Set<number>();
  lines.forEach(({ sign }, at) => {
    if (sign === " ") return;
    for (let i = at - AROUND; i <= at + AROUND; ++i) near.add(i);
  });
  const shown = lines.flatMap(({ sign, text }, at) => {
    if (!near.has(at)) return [];
    return [...(at > 0 && !near.has(at - 1) ? ["…"] : []), `${sign} ${text}`];
  });
  return shown.join("\n");
}
