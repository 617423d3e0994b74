// Builds elements. Text from a report only ever becomes a text node or an attribute.

export type Child = Node | string | null;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

export function button(text: string, label: string, onClick: () => void): HTMLButtonElement {
  const element = h("button", { type: "button", "aria-label": label, title: label }, text);
  element.addEventListener("click", onClick);
  return element;
}

let lastId = 0;

export function newId(prefix: string): string {
  lastId += 1;
  return `${prefix}-${lastId}`;
}
