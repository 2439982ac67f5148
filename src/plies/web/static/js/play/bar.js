// @ts-check
/** The bar beside the board: how good it is for the first player. */
import { h } from "../dom.js";
import { capital, percent } from "../words.js";

/** @typedef {import("./following.js").Following} Following */

export class Bar {
  /** @param {Following} state */
  constructor(state) {
    this.state = state;
    this.part = h("div", { class: "part" });
    this.text = h("span", { class: "share", "aria-hidden": "true" });
    this.element = h("div", { class: "bar", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 },
      this.part, this.text);
  }

  /** @param {boolean} isFlipped */
  render(isFlipped) {
    const { state } = this;
    const share = state.isInside ? state.share(state.ply) : null;
    this.element.hidden = !state.isInside || !hasShares(state);
    this.element.classList.toggle("unknown", share === null);
    this.element.classList.toggle("flipped", isFlipped);
    const shown = Math.round(100 * (share ?? 0.5));
    this.part.style.setProperty("--share", `${shown}%`);
    this.text.textContent = share === null ? "" : String(shown);
    this.element.setAttribute("aria-valuenow", String(shown));
    this.element.setAttribute("aria-valuetext", percent(share) || "not known yet");
    const told = `Chances of ${capital(state.session.seats[0].name)}`;
    this.element.setAttribute("aria-label", told);
    this.element.title = share === null ? told : `${told}: ${percent(share)}`;
  }
}

/** Whether one's gain is the other's loss here. @param {Following} state */
export const hasShares = (state) => state.session.seats.length === 2 && state.detail.is_zero_sum;
