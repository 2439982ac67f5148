// @ts-check
/** The panel of what a search sees: its value, line and effort, the best moves, the graph. */
import { fill, h } from "../dom.js";
import { CompilingNote } from "../compiling.js";
import { hasShares } from "./bar.js";
import { Graph } from "./graph.js";
import { agentName } from "./spec.js";
import { capital, effort, moveTime, percent } from "../words.js";

/** @typedef {import("./following.js").Following} Following */
/** @typedef {import("../types.js").Inside} Inside */

const BEST = 6; // moves in the list

export class InsidePanel {
  /** @param {Following} state @param {(ply: number) => void} go @param {() => void} cancel ends the wait */
  constructor(state, go, cancel) {
    this.state = state;
    this.graph = new Graph(state, go);
    this.value = h("strong", { class: "value" });
    this.effort = h("span", { class: "soft" });
    this.note = new CompilingNote({ cancel });
    this.line = h("p", { class: "line" });
    this.head = h("p", { class: "soft values-head" });
    this.moves = h("ol", { class: "values", "aria-label": "The best moves" });
    this.last = h("p", { class: "soft last" });
    this.element = h("section", { class: "card inside", "aria-label": "Inside the search" },
      this.graph.element, h("p", { class: "search" }, this.value, " ", this.effort), this.note.element,
      this.line, this.head, this.moves, this.last);
  }

  render() {
    const { state } = this;
    this.element.hidden = !state.isInside;
    if (!state.isInside) return;
    if (hasShares(state)) this.graph.render();
    else this.graph.element.hidden = true;
    const analysis = state.inside?.ply === state.ply ? state.inside : null;
    this.analyse(analysis);
    this.last.textContent = this.lastThought();
  }

  /** Until there is an analysis the one before stays, dimmed: nothing jumps. @param {Inside | null} analysis */
  analyse(analysis) {
    const { session, ply } = this.state;
    const isOver = session.ending !== null && ply === session.ply;
    const isWaiting = !analysis?.thinking && !isOver;
    this.element.classList.toggle("waiting", isWaiting);
    this.note.render(isWaiting && !this.state.isGettingReady ? this.state.compiling : null);
    if (isWaiting) {
      this.value.textContent = "";
      this.effort.textContent = "Looking at the position …";
      return;
    }
    const thinking = isOver ? null : analysis?.thinking ?? null;
    const share = percent(thinking?.share ?? null);
    const mover = this.state.positions.get(ply)?.mover ?? null;
    const whose = mover === null ? "" : ` for ${capital(session.seats[mover].name)}`;
    this.value.textContent = thinking ? thinking.told + whose : "";
    this.effort.textContent = thinking
      ? [share && `${capital(session.seats[0].name)} ${share}`, effort(thinking)].filter(Boolean).join(", ")
      : capital(session.ending?.text ?? "");
    this.line.textContent = thinking?.line.map((move) => move.spoken).join(" ") ?? "";
    const best = [...(analysis?.values ?? [])].sort((a, b) => b.value - a.value).slice(0, BEST);
    fill(this.moves, best.map((move) => h("li", null, h("span", null, move.spoken),
      h("span", null, [move.told, percent(move.share)].filter(Boolean).join(" · ")))));
    this.head.textContent = headOf(analysis?.depth ?? 0, thinking?.depth ?? 0);
    this.head.hidden = best.length === 0;
  }

  /** What the agent that made the last move thought. */
  lastThought() {
    const { session, ply, opponents } = this.state;
    const move = session.played[ply - 1];
    if (!move || move.nodes === 0) return "";
    const { agent, name } = session.seats[move.player];
    const who = agent ? agentName(agent, opponents) : capital(name);
    const parts = [move.told, effort(move), moveTime(move.seconds || null)];
    const expected = move.line.slice(1).join(" ");
    return `${who} played ${move.spoken}: ${parts.filter(Boolean).join(", ")}`
      + (expected ? `; expected ${expected}` : "");
  }
}

/** What the values of single moves are, beside a line that may see further. @param {number} depth @param {number} line */
function headOf(depth, line) {
  const told = `Every move, and on the board: looked at to depth ${depth}`;
  return line > depth ? `${told} only. The line above sees to depth ${line}, and may prefer another move.` : told;
}
