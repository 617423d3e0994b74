// Who looks: the token, and what it allows.

import { h } from "../dom";
import { get, onTokenWanted, setToken } from "./api";
import { form, labelled, submit, textInput } from "./forms";
import type { CallerReply } from "./messages";

// Asks for a token whenever the server wants one. The page begins anew with it, so that nothing of
// another caller stays.
export function askForTokens(): void {
  let asking = false;
  onTokenWanted((because) => {
    if (asking) return;
    asking = true;
    const input = textInput({ type: "password", required: "", autocomplete: "off" });
    const dialog = h("dialog", { "aria-label": "Token" });
    dialog.append(
      h("h2", {}, "A token, please"),
      h("p", { class: "note" }, because),
      form(
        () => {
          setToken(input.value.trim());
          location.reload();
        },
        labelled("Token", input),
        submit("Go on"),
      ),
      h(
        "p",
        { class: "note" },
        "It is kept until this tab is closed, and sent to this server only.",
      ),
    );
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function whoAmI(): Promise<CallerReply> {
  return get<CallerReply>("/v1/caller");
}

export function forgetToken(): void {
  setToken("");
  location.reload();
}
