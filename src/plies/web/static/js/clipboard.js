// @ts-check
/** Copying a text. */
import { h } from "./dom.js";

/**
 * Whether it could be copied.  The clipboard is only there on this machine and under https:
 * elsewhere a field that is selected is copied.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const held = h("textarea", { class: "visually-hidden", value: text });
    (document.querySelector("dialog[open]") ?? document.body).append(held);
    held.select();
    const isDone = document.execCommand("copy");
    held.remove();
    before?.focus();
    return isDone;
  }
}
