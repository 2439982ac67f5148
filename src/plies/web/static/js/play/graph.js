// @ts-check
/** How the first player's chances went over the game; a click goes there. */
import { h, svg } from "../dom.js";
import { capital, percent } from "../words.js";

/** @typedef {import("./following.js").Following} Following */

const WIDTH = 300;
const HEIGHT = 80;
const LEAST_PLIES = 12; // so that the first moves do not fill the whole width

export class Graph {
  /** @param {Following} state @param {(ply: number) => void} go */
  constructor(state, go) {
    this.state = state;
    this.below = svg("path", { class: "first" });
    this.above = svg("path", { class: "second" });
    this.line = svg("path", { class: "line" });
    this.here = svg("line", { class: "here", y1: 0, y2: HEIGHT });
    this.drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none",
      role: "img", class: "graph", onclick: (/** @type {MouseEvent} */ event) => {
        const box = this.drawing.getBoundingClientRect();
        go(Math.round(((event.clientX - box.left) / box.width) * this.plies));
      } },
    svg("rect", { class: "back", width: WIDTH, height: HEIGHT }), this.above, this.below,
    svg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    this.line, this.here);
    this.told = h("small");
    this.element = h("div", { class: "graph-box" }, this.drawing, this.told);
  }

  get plies() {
    return Math.max(LEAST_PLIES, this.state.session.ply);
  }

  render() {
    const { session, ply } = this.state;
    const shares = Array.from({ length: session.ply + 1 }, (_, at) => this.state.share(at));
    const runs = unbroken(shares).map((run) => run.map(([at, share]) =>
      /** @type {[number, number]} */ ([(at / this.plies) * WIDTH, (1 - share) * HEIGHT])));
    const path = (/** @type {[number, number][]} */ run) =>
      run.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L");
    this.line.setAttribute("d", runs.map((run) => `M${path(run)}`).join(""));
    const area = (/** @type {number} */ edge) => runs.map((run) =>
      `M${run[0][0].toFixed(1)},${edge}L${path(run)}L${run[run.length - 1][0].toFixed(1)},${edge}Z`).join("");
    this.below.setAttribute("d", area(HEIGHT));
    this.above.setAttribute("d", area(0));
    const x = String((ply / this.plies) * WIDTH);
    this.here.setAttribute("x1", x);
    this.here.setAttribute("x2", x);
    this.element.hidden = runs.length === 0;
    const now = percent(this.state.share(ply));
    this.told.textContent = `Chances of ${capital(session.seats[0].name)}, move by move`;
    this.drawing.setAttribute("aria-label", this.told.textContent + (now && `: here ${now}`));
  }
}

/**
 * The runs of plies whose share is known; a single ply that is not known breaks none.
 * @param {(number | null)[]} shares @returns {[number, number][][]}
 */
function unbroken(shares) {
  /** @type {[number, number][][]} */
  const runs = [];
  let last = -Infinity;
  shares.forEach((share, ply) => {
    if (share === null) return;
    if (ply - last > 2) runs.push([]);
    runs[runs.length - 1].push([ply, share]);
    last = ply;
  });
  return runs;
}
