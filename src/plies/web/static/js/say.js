// @ts-check
/** What is said aloud, and what is told in passing. */
import { Cancelled } from "./api.js";
import { CompilingNote, watchCompiling } from "./compiling.js";
import { fill, h } from "./dom.js";
import { capital, reasonOf } from "./words.js";

const SHOWN = 6000; // milliseconds that a toast stays
const PATIENCE = 700; // milliseconds before a wait is explained

/** For screen readers: said politely, not shown. @param {string} text */
export function say(text) {
  const region = document.getElementById("said");
  if (!region || !text) return;
  region.append(h("p", null, text));
  while (region.childElementCount > 3) region.firstElementChild?.remove();
}

/** A short note that goes away by itself. @param {string} text @param {"note" | "problem"} [kind] */
export function toast(text, kind = "note") {
  const host = document.getElementById("toasts");
  if (!host || !text) return;
  const shown = h("p", { class: `toast ${kind}` }, h("span", null, text),
    h("button", { type: "button", class: "quiet icon", "aria-label": "Close this note",
      onclick: () => shown.remove() }, "×"));
  host.append(shown);
  while (host.childElementCount > 3) host.firstElementChild?.remove();
  setTimeout(() => shown.remove(), SHOWN + 40 * text.length);
}

/** Something went wrong: an error or a line of text. @param {unknown} problem */
export function complain(problem) {
  const text = reasonOf(problem);
  if (problem instanceof Cancelled) toast(capital(text));
  else toast(text, "problem");
}

/** A line under the header that stays until it is called with "". @param {string} text */
export function banner(text) {
  const host = document.getElementById("banner");
  if (host && host.textContent !== text) host.textContent = text;
}

/**
 * Waits for something, and explains in the line under the header why it takes so long, and how far
 * the compiler is.
 * @template T @param {Promise<T>} promise @param {string} text
 * @param {() => void} [cancel] what a button does that ends the wait @returns {Promise<T>}
 */
export async function patiently(promise, text, cancel) {
  const note = new CompilingNote({ cancel, told: text });
  let stop = () => {};
  const explaining = setTimeout(() => {
    const host = document.getElementById("banner");
    if (host) fill(host, note.element);
    stop = watchCompiling((compiling) => note.render(compiling));
  }, PATIENCE);
  try {
    return await promise;
  } finally {
    clearTimeout(explaining);
    stop();
    if (note.element.isConnected) banner("");
  }
}
