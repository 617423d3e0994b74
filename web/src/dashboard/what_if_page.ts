// What if: another policy tried on what was recorded before it is put into force; moves that would
// free machines or keep them from being asked for too much.

import { h } from "../dom";
import type { Document } from "../model";
import { renderBody, renderFacts } from "../run";
import { count, share } from "./amounts";
import { call, get, newKey } from "./api";
import { action, choice, confirmed, form, labelled, submit } from "./forms";
import { lineDifference } from "./line_difference";
import type { NamedPolicy, Outcome, WhatIfPolicyReply } from "./messages";
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

const IN_FORCE = "in force";

function changedLines(before: string, after: string): HTMLElement {
  const lines = lineDifference(before, after);
  return lines === ""
    ? h("p", { class: "note" }, "It is the policy in force.")
    : h("pre", { class: "explanation difference", tabindex: "0" }, lines);
}

class PolicyTrial {
  private readonly text = h("textarea", { rows: "18", spellcheck: "false", class: "code" });
  private readonly result = h("div", { class: "detail", role: "status" });
  private readonly start = choice([{ value: IN_FORCE, text: IN_FORCE }], IN_FORCE, (name) =>
    this.write(this.shipped.get(name) ?? this.inForce),
  );
  private readonly shipped = new Map<string, string>();
  private inForce = "";
  private tried: string | null = null;
  private readonly apply: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(private readonly context: Context) {
    const file = h("input", { type: "file", accept: ".yaml,.yml,text/yaml" });
    file.addEventListener("change", () => {
      void file.files?.[0]?.text().then((text) => this.write(text));
    });
    this.text.addEventListener("input", () => this.forgetTrial());
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
          labelled("Start from", this.start),
          labelled("or from a file", file),
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
      this.write(this.inForce);
      const { policies } = await get<{ policies: NamedPolicy[] }>("/v1/policy/shipped");
      for (const { name, text } of policies) {
        this.shipped.set(name, text);
        this.start.append(h("option", { value: name }, name));
      }
    } catch (error) {
      this.result.replaceChildren(errorBox(error));
    }
  }

  // Somebody, perhaps we, put another one into force.
  noteInForce(text: string): void {
    this.inForce = text;
  }

  private write(text: string): void {
    this.text.value = text;
    this.forgetTrial();
  }

  // What is put into force is what was tried.
  private forgetTrial(): void {
    this.tried = null;
    this.apply.disabled = true;
  }

  private async tryIt(): Promise<void> {
    const text = this.text.value;
    this.forgetTrial();
    await fill(this.result, async () => {
      const reply = await call<WhatIfPolicyReply>("POST", "/v1/what-if/policy", { text });
      const runs = (JSON.parse(reply.report) as Document).runs;
      if (this.text.value === text) {
        this.tried = text;
        this.apply.disabled = !this.context.may("operate");
      }
      return [
        h("h3", {}, "What changes in the policy"),
        changedLines(this.inForce, text),
        ...runs.flatMap((run) => [
          h("h3", {}, run.title),
          renderFacts(run),
          ...renderBody(run, "h4", "what-if", []),
        ]),
      ];
    });
  }

  private async putIntoForce(): Promise<void> {
    if (this.tried === null) return;
    const text = this.tried;
    const changed = changedLines(this.inForce, text);
    if (!(await confirmed("Put this policy into force", "Put into force", changed))) return;
    await fill(this.result, async () => {
      const { accepted, decision } = await call<Outcome>("PUT", "/v1/policy", {
        text,
        idempotency_key: newKey(),
      });
      if (accepted) this.inForce = text;
      this.forgetTrial();
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
  const stop = context.onCommit(({ updates }) => {
    for (const { policy } of updates ?? []) {
      if (policy !== undefined) trial.noteInForce(policy.text);
    }
  });
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
    close: stop,
  };
}
