// @ts-check
/** Native dialogs: a title, something to fill in, and what is done with it. */
import { h } from "./dom.js";
import { reasonOf } from "./words.js";

/**
 * Opens a dialog; `submit` runs when it is confirmed and may throw: then the reason is shown
 * and the dialog stays.  Without `submit` there is only a button to close it.
 * @param {string} title @param {(Node | null)[]} content
 * @param {{action?: string, submit?: () => any}} [doing]
 * @returns {() => void} closes it
 */
export function openDialog(title, content, { action = "", submit } = {}) {
  const notice = h("p", { class: "notice", role: "alert", hidden: true });
  const confirm = submit && h("button", { class: "primary", type: "submit" }, action);
  const dismiss = h("button", { type: "button", onclick: () => dialog.close() },
    submit ? "Cancel" : "Close");
  const heading = h("h2", { id: "dialog-title" }, title);
  const form = h("form", { method: "dialog", novalidate: true }, heading, content, notice,
    h("div", { class: "row end" }, dismiss, confirm));
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!submit || confirm.disabled) return;
    confirm.disabled = true;
    notice.hidden = true;
    try {
      await submit();
      dialog.close();
    } catch (problem) {
      notice.textContent = reasonOf(problem);
      notice.hidden = false;
      notice.scrollIntoView({ block: "nearest" });
    } finally {
      confirm.disabled = false;
    }
  });
  dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (event.target === dialog) dialog.close(); // the backdrop
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return () => dialog.close();
}
