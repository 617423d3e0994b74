// Labelled inputs.

import { h, newId } from "../dom";

export function labelled<T extends HTMLElement>(label: string, control: T): HTMLElement {
  control.id = control.id || newId("field");
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}

export function textInput(attributes: Record<string, string> = {}): HTMLInputElement {
  return h("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
}

export function choice(
  options: readonly { value: string; text: string }[],
  chosen: string,
  onChange: (value: string) => void,
): HTMLSelectElement {
  const element = h(
    "select",
    {},
    ...options.map(({ value, text }) => h("option", { value }, text)),
  );
  element.value = chosen;
  element.addEventListener("change", () => onChange(element.value));
  return element;
}

export function checkbox(label: string, onChange: (checked: boolean) => void): HTMLElement {
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => onChange(box.checked));
  return h("label", { class: "check" }, box, label);
}

export function submit(text: string): HTMLButtonElement {
  return h("button", { type: "submit", class: "action" }, text);
}

export function action(text: string, onClick: () => void): HTMLButtonElement {
  const element = h("button", { type: "button", class: "action" }, text);
  element.addEventListener("click", onClick);
  return element;
}

// A form that asks the server nothing by itself.
export function form(onSubmit: () => void, ...children: (Node | string | null)[]): HTMLElement {
  const element = h("form", { class: "controls" }, ...children);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    onSubmit();
  });
  return element;
}

// Asks before something is done; resolves to whether it is wanted.
export function confirmed(
  title: string,
  doIt: string,
  ...children: (Node | string | null)[]
): Promise<boolean> {
  const id = newId("dialog");
  const dialog = h("dialog", { "aria-labelledby": id }, h("h2", { id }, title), ...children);
  return new Promise((resolve) => {
    const end = (wanted: boolean) => () => {
      dialog.close();
      dialog.remove();
      resolve(wanted);
    };
    dialog.append(
      h("div", { class: "controls" }, action(doIt, end(true)), action("Cancel", end(false))),
    );
    dialog.addEventListener("cancel", end(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}
