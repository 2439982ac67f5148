// @ts-check
/** Step forward and back, jump, play by itself. */

import { button, h, select } from "./dom.js";
import { iconButton, setSign } from "./icons.js";

/** @type {[string, string][]} */
const SPEEDS = [["1600", "slow"], ["800", "normal"], ["300", "fast"], ["80", "very fast"]];

export class Stepper {
  /**
   * @param {{length: number, onStep: (step: number, isByItself: boolean) => void, cuts?: number[], unit?: string}} what
   *   `cuts` are the steps at which something is cut, `unit` is what a step is called
   */
  constructor({ length, onStep, cuts = [], unit = "step" }) {
    this.length = length;
    this.step = 0;
    this._onStep = onStep;
    this._cuts = cuts;
    this._unit = unit;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this._playing = undefined;
    this._slider = h("input", {
      type: "range", min: 0, max: length, step: 1, value: 0, "aria-label": "Step",
      oninput: () => this.go(Number(this._slider.value)),
    });
    this._count = h("output", { class: "step-count" });
    this._play = iconButton("play", "Play", () => this.toggle(), "toggle");
    this._speed = select(SPEEDS, "800", { "aria-label": "Speed", onchange: () => this._restart() });
    this._nextCut = cuts.length
      ? button("Next cut", () => this.nextCut(), { title: "Go to the next cut (C)" }) : null;
    this.element = h("div", { class: "stepper", role: "group", "aria-label": "Steps" },
      iconButton("start", "To the start", () => this.go(0)),
      iconButton("back", `One ${unit} back`, () => this.go(this.step - 1)),
      this._play,
      iconButton("forward", `One ${unit} forward`, () => this.go(this.step + 1), "forward"),
      iconButton("end", "To the end", () => this.go(this.length)),
      this._slider, this._count, this._nextCut, this._speed);
    this._show();
  }

  /** @param {number} step @param {boolean} [isByItself] */
  go(step, isByItself = false) {
    if (!isByItself) this.stop();
    const next = Math.min(Math.max(step, 0), this.length);
    if (next === this.step) return;
    this.step = next;
    this._show();
    this._onStep(next, isByItself);
  }

  nextCut() {
    this.go(this._cuts.find((step) => step > this.step) ?? this.length);
  }

  toggle() {
    if (this._playing !== undefined) return this.stop();
    if (this.step === this.length) this.go(0);
    this._start();
  }

  stop() {
    clearInterval(this._playing);
    this._playing = undefined;
    this._face();
  }

  _start() {
    this._playing = setInterval(() => {
      this.go(this.step + 1, true);
      if (this.step === this.length) this.stop();
    }, Number(this._speed.value));
    this._face();
  }

  _restart() {
    if (this._playing === undefined) return;
    clearInterval(this._playing);
    this._start();
  }

  _face() {
    const isPlaying = this._playing !== undefined;
    setSign(this._play, isPlaying ? "pause" : "play", isPlaying ? "Pause" : "Play");
  }

  _show() {
    this._slider.value = String(this.step);
    this._slider.setAttribute("aria-valuetext", `${this._unit} ${this.step} of ${this.length}`);
    this._count.textContent = `${this.step} / ${this.length}`;
  }
}
