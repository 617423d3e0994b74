// How many machines each rule left, drawn as bars that grow narrower.

import { h } from "../dom";
import { count } from "./amounts";
import type { Funnel } from "./messages";

function step(name: string, kind: string, left: number, all: number): HTMLElement {
  const filled = h("span", {});
  // On a scale of roots, so that the last few of many thousands are seen.
  filled.style.width = `${all === 0 ? 0 : 100 * Math.sqrt(left / all)}%`;
  return h(
    "li",
    { class: `funnel-step ${kind}` },
    h("span", { class: "funnel-name" }, name),
    h("span", { class: "bar-track", "aria-hidden": "true" }, filled),
    h("span", { class: "funnel-left" }, count(left)),
  );
}

export function renderFunnel(funnel: Funnel): HTMLElement {
  const role = funnel.role === "" ? "" : ` (${funnel.role})`;
  const title = `${count(funnel.instances)} × ${funnel.type}${role}`;
  const all = funnel.machines;
  return h(
    "figure",
    { class: "funnel" },
    h(
      "figcaption",
      {},
      `${title}: machines left, of ${count(all)} in ${count(funnel.clusters)} clusters`,
    ),
    h(
      "ol",
      {},
      step("looked at", "all", all, all),
      ...funnel.steps.map(({ rule, validator, left }) =>
        step(rule, validator ? "validator" : "preference", left, all),
      ),
    ),
  );
}
