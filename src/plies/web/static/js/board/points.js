// @ts-check
/** The points of a board as things to click and to hear about: one tab stop for all of them. */

import { svg } from "../dom.js";
import { at, square } from "./surface.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {"" | "start" | "target" | "chosen" | "other"} Role */

/** @type {Record<Role, string>} */
const TOLD = {
  "": "",
  start: ", can be chosen",
  target: ", can go on here",
  chosen: ", chosen",
  other: ", can be chosen instead",
};

export class Points {
  /** @param {Layout} layout */
  constructor(layout) {
    /** @type {Map<string, SVGElement>} */
    this.elements = new Map(layout.names.map((name) => [name, point(layout, name)]));
    // Chromium takes what hears of focus for a tab stop, unless it is told otherwise.
    this.element = svg("g", { class: "board-points", tabindex: "-1" }, ...this.elements.values());
    this.current = layout.names[0] ?? "";
    this.element.addEventListener("focusin", (/** @type {FocusEvent} */ event) => {
      const group = /** @type {Element} */ (event.target).closest("[data-point]");
      this._stopAt(group?.getAttribute("data-point") ?? this.current);
    });
    this._stopAt(this.current);
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  /** Moves the cursor. @param {string} name */
  focus(name) {
    this._stopAt(name);
    this.elements.get(name)?.focus();
  }

  /** Where the tabulator comes in, unless somebody is here already. @param {string} name */
  enterAt(name) {
    if (!this.hasFocus && this.elements.has(name)) this._stopAt(name);
  }

  /**
   * Says what every point is called and what can be done there.
   *
   * @param {(name: string) => string} nameOf what stands on it
   * @param {(name: string) => Role} roleOf
   * @param {(name: string) => boolean} canDrag
   */
  tell(nameOf, roleOf, canDrag) {
    for (const [name, element] of this.elements) {
      const role = roleOf(name);
      element.setAttribute("aria-label", `${name}: ${nameOf(name)}${TOLD[role]}`);
      element.setAttribute("aria-disabled", String(role === ""));
      element.setAttribute("class", role ? `board-point is-${role}` : "board-point");
      element.classList.toggle("can-drag", canDrag(name));
    }
  }

  /** @param {string} name */
  _stopAt(name) {
    this.elements.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = name;
    this.elements.get(name)?.setAttribute("tabindex", "0");
  }
}

/** @param {Layout} layout @param {string} name */
function point(layout, name) {
  const isRound = layout.kind === "lines" || layout.kind === "heaps";
  const area = isRound ? svg("circle", { class: "board-hit", r: 50 }) : square("board-hit", 0, 10);
  const element = at(layout, name, area);
  element.setAttribute("role", "button");
  element.setAttribute("data-point", name);
  element.setAttribute("tabindex", "-1");
  return element;
}
