// @ts-check
/** Buttons with a sign on them: through the steps of a search, the moves of a game. */
import { button, svg } from "./dom.js";

const PATHS = {
  start: "M6 5v14M19 5 9 12l10 7z", back: "M16 5 7 12l9 7z", play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14", forward: "M8 5l9 7-9 7z", end: "M18 5v14M5 5l10 7-10 7z",
};

/** @typedef {keyof typeof PATHS} Sign */

/** @param {Sign} sign @param {string} label @param {() => void} action @param {string} [kind] a class besides */
export function iconButton(sign, label, action, kind = "") {
  const made = button("", action, { class: `icon ${kind}`.trim(), "aria-label": label, title: label });
  made.append(svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[sign] })));
  return made;
}

/** Another sign on the same button. @param {HTMLElement} made @param {Sign} sign @param {string} label */
export function setSign(made, sign, label) {
  made.setAttribute("aria-label", label);
  made.title = label;
  made.querySelector("path")?.setAttribute("d", PATHS[sign]);
}
