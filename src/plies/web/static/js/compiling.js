// @ts-check
/** What is being compiled while somebody waits: a line of text with a bar, and a way out. */
import { get } from "./api.js";
import { button, h } from "./dom.js";
import { capital } from "./words.js";

/** @typedef {import("./types.js").Compiling} Compiling */

const LOOK = 500; // milliseconds from one look at the compiler to the next

export class CompilingNote {
  /** @param {{cancel?: (() => any) | null, told?: string}} [how] what is said while nothing is compiled */
  constructor({ cancel = null, told = "" } = {}) {
    this.told = told;
    this.text = h("span");
    this.bar = h("progress", { max: 1, "aria-label": "Compiled so far" });
    this.cancel = button("Cancel", () => cancel?.());
    this.cancel.hidden = !cancel;
    this.element = h("div", { class: "compiling" }, this.text, this.bar, this.cancel);
    this.render(null);
  }

  /** @param {Compiling | null} compiling */
  render(compiling) {
    this.text.textContent = compiling ? wordsOf(compiling) : this.told;
    this.bar.hidden = !compiling;
    if (compiling) this.bar.value = compiling.share;
    this.element.hidden = !compiling && !this.told;
  }
}

/** "Compiling chess: engine, 57 of about 120 functions". @param {Compiling} compiling */
export function wordsOf({ subject, done, expected }) {
  const of = done < expected ? ` of about ${expected}` : "";
  return capital(`compiling ${subject}, ${done}${of} functions`);
}

/** Asks again and again what is being compiled, until the answer is called. @param {(compiling: Compiling | null) => void} show */
export function watchCompiling(show) {
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const compiling = await get("/compiling").catch(() => null);
      if (!isOver) show(compiling);
      await new Promise((done) => setTimeout(done, LOOK));
    }
  };
  look();
  return () => { isOver = true; };
}
