// Decisions as they are made, why each came out as it did, why not elsewhere, and experiments.

import { h } from "../dom";
import { clock, count } from "./amounts";
import { get, list, path } from "./api";
import { checkbox, choice, form, labelled, submit, textInput } from "./forms";
import { renderFunnel } from "./funnel";
import type { Arm, Decision, ExplainedDecision, WhyNotReply } from "./messages";
import { card, errorBox, fill, type Context, type Page } from "./page";
import { PlainTable } from "./plain_table";

const SHOWN_MOST = 200;
const KINDS = ["create", "scale", "resize", "move", "delete", "wait", "fleet", "policy"];

interface Filter {
  subject: string;
  kind: string;
  refused: boolean;
  arm: string;
}

function matches(decision: Decision, filter: Filter): boolean {
  return (
    decision.subject.includes(filter.subject) &&
    (filter.kind === "" || decision.kind === filter.kind) &&
    (!filter.refused || !decision.accepted) &&
    (filter.arm === "" || decision.arm === filter.arm)
  );
}

function inWords(decision: Decision): string {
  if (decision.refusal !== undefined) return decision.refusal.because;
  const machines = [...new Set((decision.placed ?? []).map(({ machine }) => machine))];
  const where =
    machines.slice(0, 3).join(", ") +
    (machines.length > 3 ? ` and ${machines.length - 3} more` : "");
  const placed = machines.length > 0 ? `${count(decision.placed.length)} on ${where}` : "";
  const evicted =
    (decision.evicted ?? []).length > 0 ? `${count(decision.evicted.length)} yielded` : "";
  return [decision.reason, placed, evicted, decision.why]
    .filter((text) => text !== "" && text !== undefined)
    .join("; ");
}

function explained({ decision, explanation }: ExplainedDecision): HTMLElement[] {
  const yielded = (decision.yielded ?? []).map(({ instance, to, spare_ms, left_ms }) =>
    h(
      "li",
      {},
      `${instance} yielded to ${to}: it had ${Math.round(Number(spare_ms) / 1000)} s to spare, the other ${Math.round(Number(left_ms) / 1000)} s left`,
    ),
  );
  return [
    h(
      "p",
      { class: "note" },
      `${decision.id}, ${decision.kind} ${decision.subject}, ${clock(decision.at_ms)} UTC, on revision ${decision.seen}`,
    ),
    h("div", { class: "funnels" }, ...(decision.funnels ?? []).map(renderFunnel)),
    ...(yielded.length > 0 ? [h("ul", {}, ...yielded)] : []),
    h("pre", { class: "explanation", tabindex: "0" }, explanation),
  ];
}

function whyNotForm(): HTMLElement {
  const service = textInput({ required: "", placeholder: "web, or web/3" });
  const machine = textInput({ required: "", placeholder: "its name" });
  const answer = h("div", { role: "status" });
  const ask = () =>
    void fill(answer, async () => {
      const asked = path`/v1/services/${service.value.trim()}/why-not/${machine.value.trim()}`;
      const { explanation } = await get<WhyNotReply>(asked);
      return [h("pre", { class: "explanation", tabindex: "0" }, explanation)];
    });
  return card(
    "Why not there?",
    form(
      ask,
      labelled("Service or instance", service),
      labelled("Machine", machine),
      submit("Ask"),
    ),
    answer,
  );
}

// A row a figure, a column an arm.
function armsTable(arms: readonly Arm[]): HTMLElement {
  const table = new PlainTable(
    "Experiment",
    [
      { text: "figure" },
      ...arms.map(({ name, percent }) => ({ text: `${name} (${percent} %)`, right: true })),
    ],
    "",
  );
  const share = (part: string, ...all: string[]) => {
    const sum = all.reduce((total, each) => total + Number(each), 0);
    return sum === 0 ? "–" : `${((100 * Number(part)) / sum).toFixed(1)} %`;
  };
  const rows: [string, (arm: Arm) => string][] = [
    ["services", (arm) => count(arm.services)],
    ["instances placed", (arm) => count(arm.placed)],
    ["instances that wait", (arm) => count(arm.pending)],
    ["requests accepted", (arm) => count(arm.accepted)],
    ["requests refused", (arm) => count(arm.refused)],
    ["refused, of all", (arm) => share(arm.refused, arm.accepted, arm.refused)],
    ["commits lost to others", (arm) => share(arm.conflicts, arm.commits)],
    ["decisions from what was kept", (arm) => share(arm.hits, arm.hits, arm.misses)],
    ["machines judged", (arm) => count(arm.machines_judged)],
  ];
  table.fill(rows.map(([name, value]) => [name, ...arms.map(value)]));
  return table.element;
}

async function loadArms(): Promise<(Node | string)[]> {
  const { arms } = await get<{ arms: Arm[] }>("/v1/policy/experiment");
  if ((arms ?? []).length > 0) return [armsTable(arms)];
  return [
    h(
      "p",
      { class: "empty" },
      "No experiment is running. A policy's section experiment begins one.",
    ),
  ];
}

class DecisionsView {
  private readonly table = new PlainTable(
    "Decisions",
    [
      { text: "decision" },
      { text: "at (UTC)" },
      { text: "kind" },
      { text: "about" },
      { text: "answer" },
      { text: "what" },
    ],
    "No decision passes the filter yet.",
  );
  private readonly detail = h(
    "div",
    { class: "detail" },
    h("p", { class: "empty" }, "Choose a decision to see why it came out so."),
  );
  private readonly filter: Filter = { subject: "", kind: "", refused: false, arm: "" };
  private readonly kept: Decision[] = []; // The latest first.
  private readonly news = h("p", { class: "note", role: "status" });
  private held = 0; // Decisions that wait until nobody is at the table any more.
  private readonly arms = h("div", {});
  readonly element: HTMLElement;

  constructor() {
    const subject = textInput({ type: "search", placeholder: "part of a name" });
    subject.addEventListener("input", () => this.refilter({ subject: subject.value.trim() }));
    const arm = textInput({ placeholder: "any" });
    arm.addEventListener("input", () => this.refilter({ arm: arm.value.trim() }));
    const kinds = choice(
      [{ value: "", text: "any" }, ...KINDS.map((kind) => ({ value: kind, text: kind }))],
      "",
      (kind) => this.refilter({ kind }),
    );
    const controls = h(
      "div",
      { class: "controls" },
      labelled("About", subject),
      labelled("Kind", kinds),
      labelled("Arm", arm),
      checkbox("only refusals", (refused) => this.refilter({ refused })),
    );
    this.element = h(
      "div",
      { class: "page" },
      card("Live", controls, this.news, this.table.element),
      card("Why", this.detail),
      whyNotForm(),
      card("Experiment", this.arms),
    );
    for (const left of ["pointerleave", "focusout"])
      this.table.element.addEventListener(left, () => requestAnimationFrame(() => this.letGo()));
  }

  // Rows must not run away from who is about to choose one.
  private get isRead(): boolean {
    return this.table.element.matches(":hover, :focus-within");
  }

  private hold(): void {
    this.held += 1;
    this.news.textContent = `${count(this.held)} newer, shown when you leave the table.`;
  }

  private letGo(): void {
    if (this.held === 0 || this.isRead) return;
    this.show();
  }

  async load(chosen: string): Promise<void> {
    if (chosen !== "") void this.explain(chosen);
    void fill(this.arms, loadArms);
    try {
      const recent = await list<ExplainedDecision>("/v1/decisions", "decisions", 100);
      const known = new Set(this.kept.map(({ id }) => id));
      this.kept.push(...recent.map(({ decision }) => decision).filter(({ id }) => !known.has(id)));
      this.show();
    } catch (error) {
      this.table.element.append(errorBox(error));
    }
  }

  take(decision: Decision): void {
    if (this.kept.some(({ id }) => id === decision.id)) return;
    this.kept.unshift(decision);
    this.kept.length = Math.min(this.kept.length, 5 * SHOWN_MOST);
    if (matches(decision, this.filter)) {
      if (this.isRead) this.hold();
      else this.table.prepend(this.row(decision), SHOWN_MOST);
    }
    if (decision.kind === "policy") void fill(this.arms, loadArms);
  }

  private refilter(change: Partial<Filter>): void {
    Object.assign(this.filter, change);
    this.show();
  }

  private show(): void {
    this.held = 0;
    this.news.textContent = "";
    const shown = this.kept
      .filter((decision) => matches(decision, this.filter))
      .slice(0, SHOWN_MOST);
    this.table.set(shown.map((decision) => this.row(decision)));
  }

  private row(decision: Decision): HTMLTableRowElement {
    const open = h("button", { type: "button", class: "link" }, decision.id);
    open.addEventListener("click", () => {
      history.replaceState(null, "", `#/decisions/${encodeURIComponent(decision.id)}`);
      void this.explain(decision.id);
    });
    const arm = decision.arm === "" ? "" : ` [${decision.arm}]`;
    const answer = h(
      "span",
      { class: decision.accepted ? "accepted" : "refused" },
      decision.accepted ? "accepted" : "refused",
    );
    return this.table.row([
      open,
      clock(decision.at_ms),
      decision.kind + arm,
      decision.subject,
      answer,
      inWords(decision),
    ]);
  }

  private async explain(id: string): Promise<void> {
    await fill(this.detail, async () =>
      explained(await get<ExplainedDecision>(path`/v1/decisions/${id}`)),
    );
    this.detail.scrollIntoView({ block: "nearest" });
  }
}

export function decisionsPage(chosen: string, context: Context): Page {
  const view = new DecisionsView();
  const stop = context.onCommit(({ updates }) => {
    for (const { decision } of updates ?? []) if (decision !== undefined) view.take(decision);
  });
  void view.load(chosen);
  return { title: "Decisions", element: view.element, close: stop };
}
