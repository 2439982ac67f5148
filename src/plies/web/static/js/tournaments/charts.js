// @ts-check
/** The charts of the report, drawn by the server when they are asked for. */
import { get } from "../api.js";
import { button, fill, h } from "../dom.js";
import { reasonOf } from "../words.js";
import { counted } from "./words.js";

/** @typedef {import("./types.js").Charts} Charts */
/** @typedef {import("./types.js").ContestView} ContestView */

export class ChartsPanel {
  /** @param {string} address */
  constructor(address) {
    this.address = address;
    this.played = 0; // games that have ended
    this.shown = -1; // games that the charts are about
    this.isBusy = false;
    this.body = h("div", { class: "charts" });
    this.note = h("p", { class: "soft hint", role: "status" });
    this.again = button("Draw again", () => this.load());
    this.element = h("details", { class: "card", ontoggle: () => this.refresh() },
      h("summary", null, "Charts"), h("div", { class: "row" }, this.note, this.again), this.body);
    this.say();
  }

  /** @param {ContestView} contest */
  take(contest) {
    this.played = contest.played;
    this.say();
    if (contest.state !== "running") this.refresh();
  }

  refresh() {
    if (this.element.open && this.shown !== this.played && !this.isBusy) this.load();
  }

  say(text = "") {
    const isOld = this.shown >= 0 && this.shown !== this.played;
    this.again.hidden = !isOld || this.isBusy;
    this.note.textContent = text || (this.isBusy ? "Drawing …"
      : isOld ? `After ${this.shown} of ${counted(this.played, "game")}.` : "");
  }

  async load() {
    this.isBusy = true;
    this.say();
    let problem = "";
    try {
      /** @type {Charts} */
      const drawn = await get(`${this.address}/charts`);
      this.shown = drawn.games;
      fill(this.body, drawn.charts.map((chart) => h("figure", null,
        h("figcaption", null, h("strong", null, chart.title), chart.remark && h("small", null, chart.remark)),
        parsed(chart.svg))));
      if (drawn.charts.length === 0) problem = "No game has ended yet.";
    } catch (error) {
      problem = reasonOf(error);
      this.shown = this.played;
    }
    this.isBusy = false;
    this.say(problem);
  }
}

/** A drawing from its text: as a document of SVG, and without anything that could run. @param {string} text */
function parsed(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.nodeName !== "svg") return h("p", { class: "notice" }, "This chart cannot be shown.");
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element.nodeName === "script" || element.nodeName === "foreignObject") element.remove();
    for (const { name } of [...element.attributes]) {
      if (name.startsWith("on") || name === "style" || name.endsWith("href")) element.removeAttribute(name);
    }
  }
  return document.importNode(root, true);
}
