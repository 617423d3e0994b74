// What if: another policy tried on what was recorded before it is put into force; moves that would
// free machines or keep them from being asked for too much.

import { h } from "../dom";
import type { Document } from "../model";
import { renderBody, renderFacts } from "../run";
import { count, share } from "./amounts";
import { call, get, newKey } from "./api";
import { action, confirmed, form, labelled, submit } from "./forms";
import type { Outcome, WhatIfPolicyReply } from "./messages";
import { card, errorBox, fill, type Context, type Page } from "./page";
import { PlainTable } from "./plain_table";

interface Defragmented {
  before: { density: number; machines_in_use: string };
  after: { density: number; machines_in_use: string };
  moves: { instance: string; from: string; to: string }[];
  note: string;
}

interface Balanced {
  before: { expected_violations: number; violated_now: string };
  after: { expected_violations: number; violated_now: string };
  moves: { instance: string; from: string; to: string }[];
}

function movesTable(moves: readonly { instance: string; from: string; to: string }[]): HTMLElement {
  const table = new PlainTable(
    "Moves",
    [{ text: "instance" }, { text: "from" }, { text: "to" }],
    "No move would help.",
  );
  table.fill(moves.map(({ instance, from, to }) => [instance, from, to]));
  return table.element;
}

// Lines that only one of the two has.
function difference(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const only = (lines: string[], others: string[], sign: string) => {
    const left = new Map<string, number>();
    for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
    return lines
      .filter((line) => {
        const found = left.get(line) ?? 0;
        left.set(line, found - 1);
        return found <= 0;
      })
      .map((line) => `${sign} ${line}`);
  };
  return [...only(old, now, "−"), ...only(now, old, "+")].join("\n");
}

class PolicyTrial {
  private readonly text = h("textarea", { rows: "18", spellcheck: "false", class: "code" });
  private readonly result = h("div", { class: "detail", role: "status" });
  private inForce = "";
  private tried: string | null = null;
  private readonly apply: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(private readonly context: Context) {
    const file = h("input", { type: "file", accept: ".yaml,.yml,text/yaml" });
    file.addEventListener("change", () => {
      void file.files?.[0]?.text().then((text) => {
        this.text.value = text;
      });
    });
    this.apply = action("Put into force…", () => void this.putIntoForce());
    this.apply.disabled = true;
    this.apply.title = "Try it first. It needs the role operate.";
    this.element = card(
      "Another policy",
      h(
        "p",
        { class: "note" },
        "It is tried on the requests that the log has; nothing changes until it is put into force.",
      ),
      form(
        () => void this.tryIt(),
        labelled("Policy, YAML", this.text),
        h(
          "div",
          { class: "controls" },
          labelled("From a file", file),
          submit("Try on recorded history"),
          this.apply,
        ),
      ),
      this.result,
    );
  }

  async load(): Promise<void> {
    try {
      this.inForce = (await get<{ text: string }>("/v1/policy")).text;
      this.text.value = this.inForce;
    } catch (error) {
      this.result.replaceChildren(errorBox(error));
    }
  }

  private async tryIt(): Promise<void> {
    const text = this.text.value;
    this.tried = null;
    this.apply.disabled = true;
    await fill(this.result, async () => {
      const reply = await call<WhatIfPolicyReply>("POST", "/v1/what-if/policy", { text });
      const runs = (JSON.parse(reply.report) as Document).runs;
      this.tried = text;
      this.apply.disabled = !this.context.may("operate");
      return runs.flatMap((run) => [
        h("h3", {}, run.title),
        renderFacts(run),
        ...renderBody(run, "h4", "what-if", []),
      ]);
    });
  }

  private async putIntoForce(): Promise<void> {
    if (this.tried === null) return;
    const text = this.tried;
    const changed = h(
      "pre",
      { class: "explanation", tabindex: "0" },
      difference(this.inForce, text),
    );
    if (!(await confirmed("Put this policy into force", "Put into force", changed))) return;
    await fill(this.result, async () => {
      const { accepted, decision } = await call<Outcome>("PUT", "/v1/policy", {
        text,
        idempotency_key: newKey(),
      });
      this.inForce = accepted ? text : this.inForce;
      return [
        h(
          "p",
          { class: "note" },
          accepted ? `In force: ${decision.id}` : `refused: ${decision.refusal?.because ?? ""}`,
        ),
      ];
    });
  }
}

function asked(
  title: string,
  about: string,
  button: string,
  ask: () => Promise<(Node | string | null)[]>,
): HTMLElement {
  const result = h("div", { role: "status" });
  return card(
    title,
    h("p", { class: "note" }, about),
    h(
      "div",
      { class: "controls" },
      action(button, () => void fill(result, ask)),
    ),
    result,
  );
}

async function defragment(): Promise<(Node | string | null)[]> {
  const { before, after, moves, note } = await get<Defragmented>("/v1/what-if/defragment");
  const words = `Density would go from ${share(before.density)} to ${share(after.density)}, machines in use from ${count(before.machines_in_use)} to ${count(after.machines_in_use)}.`;
  return [
    h("p", {}, words),
    note === "" ? null : h("p", { class: "note" }, note),
    movesTable(moves ?? []),
  ];
}

async function balance(): Promise<(Node | string | null)[]> {
  const { before, after, moves } = await get<Balanced>("/v1/what-if/balance");
  const words = `Violations to expect would go from ${before.expected_violations.toFixed(2)} to ${after.expected_violations.toFixed(2)}.`;
  return [h("p", {}, words), movesTable(moves ?? [])];
}

export function whatIfPage(context: Context): Page {
  const trial = new PolicyTrial(context);
  void trial.load();
  return {
    title: "What if",
    element: h(
      "div",
      { class: "page" },
      trial.element,
      asked(
        "Moves that would free machines",
        "A plan of migrations that raises packing density.",
        "Plan",
        defragment,
      ),
      asked(
        "Moves that would prevent violations",
        "By what instances were seen to use.",
        "Plan",
        balance,
      ),
    ),
    close: () => undefined,
  };
}
