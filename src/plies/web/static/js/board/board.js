// @ts-check
/** One board for every game: it knows no rules, only a geometry, pieces and legal moves. */

import { h } from "../dom.js";
import { Buttons } from "./buttons.js";
import { Choice } from "./choice.js";
import { labelsOf, Layout } from "./geometry.js";
import { Input } from "./input.js";
import { motionsBetween } from "./motion.js";
import { PieceSet } from "./pieces.js";
import { Scene } from "./scene.js";

/** @typedef {import("../types.js").BoardShape} BoardShape */
/** @typedef {import("../types.js").MoveView} MoveView */
/** @typedef {import("../types.js").PositionView} PositionView */
/** @typedef {import("../types.js").Table} Table */
/** @typedef {import("./buttons.js").Offer} Offer */
/** @typedef {import("./geometry.js").Place} Place */
/** @typedef {import("./overlay.js").Marks} Marks */
/** @typedef {Partial<PositionView> & {pieces: Record<string, string>}} Position */
/** @typedef {Omit<PositionView, "moves" | "situation">} Shown */

/**
 * A small board is only a picture.  `announce` is told what a listener should hear while
 * choosing, `chosen` what is clicked so far whenever that changes.
 *
 * @typedef {object} Options
 * @property {boolean} [isSmall]
 * @property {(text: string) => void} [announce]
 * @property {(clicks: string[]) => void} [chosen]
 */

/** @type {Omit<Shown, "pieces">} */
const NOTHING = { ply: NaN, text: "", mover: null, last: [], motions: [], picture: "" };
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const MOST_TOLD = 8; // places that a listener is told of

export class BoardView {
  /**
   * @param {HTMLElement} host
   * @param {Table} table
   * @param {Options} [options]
   */
  constructor(host, table, { isSmall = false, announce = () => {}, chosen = () => {} } = {}) {
    this._host = host;
    this._table = table;
    this._announce = announce;
    this._chosen = chosen;
    this._set = new PieceSet(table);
    this._look = { isSmall, isFlipped: false };
    /** @type {Shown} */
    this._position = { ...NOTHING, pieces: {} };
    /** @type {Marks} */
    this._marks = { arrows: [], values: [], hint: [] };
    /** @type {Choice | null} */
    this._choice = null;
    /** @type {(text: string) => void} */
    this._onMove = () => {};
    /** @type {Scene | null} */
    this._scene = null;
    /** @type {Input | null} */
    this._input = null;
    /** @type {string | null} the point that the pointer or the cursor is on */
    this._seen = null;
    this._buttons = new Buttons(() => this._cancel());
    this._frame = h("div", { class: "board-frame" });
    const place = h("div", { class: "board-place" }, this._frame, this._buttons.element);
    this._root = h("div", { class: "board" }, place);
    host.append(this._root);
  }

  /**
   * Shows a position; animated, one sees what led to it from the position before, or back.
   *
   * @param {Position} position
   * @param {{animate?: boolean}} [how]
   */
  show(position, { animate = false } = {}) {
    const shown = { ...NOTHING, ...position };
    const isMoving = animate && !CALM.matches && !document.hidden;
    const motions = isMoving ? motionsBetween(this._position, shown) : null;
    const isSame = shown.ply === this._position.ply && shown.text === this._position.text;
    this._position = shown;
    const shape = shown.board ?? this._table.board;
    if (shape) this._draw(shape, motions);
    else this._drawText(shown.picture);
    this._choose(isSame ? this._choice : null);
    this._scene?.reveal(shown.last);
  }

  /**
   * Lets somebody choose one of the moves; the same moves again leave a choice as it stands.
   *
   * @param {MoveView[]} moves
   * @param {(text: string) => void} onMove
   */
  offer(moves, onMove) {
    if (this._look.isSmall) return;
    this._onMove = onMove;
    if (JSON.stringify(this._choice?.all) === JSON.stringify(moves)) return;
    this._choose(new Choice(moves));
    this._scene?.points.enterAt(this._choice?.next[0] ?? "");
  }

  /** Nothing can be chosen. */
  rest() {
    this._choose(null);
  }

  /** Seen from the other side, or not. @param {boolean} isFlipped */
  flip(isFlipped) {
    if (isFlipped === this._look.isFlipped) return;
    this._look = { ...this._look, isFlipped };
    this.show(this._position);
  }

  /**
   * Arrows of the kinds best, line and hint; values on points; points that glow as a hint.
   *
   * @param {Partial<Marks>} marks what is not named goes away
   */
  mark({ arrows = [], values = [], hint = [] }) {
    this._marks = { arrows, values, hint };
    this._paint();
  }

  close() {
    this._scene?.pieces.finish();
    this._root.remove();
  }

  // Drawing

  /** @param {BoardShape} shape @param {[string, string][] | null} motions */
  _draw(shape, motions) {
    const labels = labelsOf(this._position.pieces);
    const key = JSON.stringify([shape, [...labels], this._look.isFlipped]);
    if (this._scene?.key === key) return this._scene.pieces.show(this._position.pieces, motions);
    const focused = this._scene?.points.hasFocus ? this._scene.points.current : null;
    const layout = new Layout(shape, labels, this._look);
    const scene = new Scene(layout, this._set, key);
    this._scene = scene;
    this._frame.replaceChildren(scene.element);
    const { width, height } = layout.box;
    this._host.style.setProperty("--board-ratio", String(width / height));
    if (!this._look.isSmall) this._input = new Input(scene.element, this._handlers(scene));
    if (focused !== null) scene.points.focus(focused);
    scene.pieces.show(this._position.pieces, null);
  }

  /** Lines of text, for a game without a board. @param {string} picture */
  _drawText(picture) {
    this._scene = null;
    this._frame.replaceChildren(h("pre", { class: "board-picture", tabindex: "0" }, picture));
  }

  /** Everything that shows besides the pieces, as it should be now. */
  _paint() {
    const scene = this._scene;
    if (!scene) return;
    scene.paint(this._position, this._marks, this._choice);
    this._displace(scene);
    this._see(this._seen);
  }

  /** A piece on its way waits at its target for the rest of the move. @param {Scene} scene */
  _displace({ pieces, layout }) {
    if (!this._choice || this._input?.isDragging) return;
    pieces.settle();
    const [from, to] = this._choice.chosen;
    if (to !== undefined && layout.has(to)) pieces.displace(from, layout.place(to));
  }

  // Choosing

  /** @param {Scene} scene @returns {import("./input.js").Handlers} */
  _handlers(scene) {
    return {
      click: (name) => this._click(name),
      cancel: () => this._cancel(),
      step: (name, right, down) => scene.points.focus(scene.layout.neighbour(name, right, down)),
      see: (name) => this._see(name),
      canDrag: (name) => this._choice?.begins.has(name) ?? false,
      drag: (name, place) => this._drag(scene, name, place),
      drop: (target) => this._drop(target),
    };
  }

  /** From now on this is what can be chosen and what is. @param {Choice | null} choice */
  _choose(choice) {
    const before = this._choice?.chosen ?? [];
    const now = choice?.chosen ?? [];
    this._choice = choice;
    this._offerButtons();
    this._paint();
    this._scene?.tell(this._position, choice);
    if (now.join() !== before.join()) this._chosen(now);
  }

  /** @param {string} click a point or a word */
  _click(click) {
    if (!this._choice) return;
    const choice = this._choice.click(click);
    if (choice.move) return this._send(choice.move.text);
    const isFurther = choice.chosen.length > this._choice.chosen.length;
    this._choose(choice);
    if (isFurther) this._tell(choice);
    if (this._isPopping && this._scene?.points.hasFocus) this._buttons.focus();
  }

  /** @param {string} text */
  _send(text) {
    this._keepFocus(() => this._choose(null));
    this._onMove(text);
  }

  _cancel() {
    if (!this._choice?.chosen.length) return;
    const anew = this._choice.anew();
    this._keepFocus(() => this._choose(anew));
    this._announce("Nothing chosen");
  }

  /** Buttons that go away hand the focus back to the board. @param {() => void} change */
  _keepFocus(change) {
    const isBeside = this._buttons.hasFocus;
    change();
    if (isBeside) this._scene?.points.focus(this._scene.points.current);
  }

  /** Says what is chosen and how it can go on. @param {Choice} choice */
  _tell({ chosen, next }) {
    const more = next.length > MOST_TOLD ? ` and ${next.length - MOST_TOLD} more` : "";
    this._announce(`${chosen.at(-1)} chosen; next ${next.slice(0, MOST_TOLD).join(", ")}${more}`);
  }

  /** Whether words come next and no points do: then they show where the last click was. */
  get _isPopping() {
    const { chosen, next } = this._choice ?? { chosen: [], next: [] };
    return chosen.length > 0 && next.length > 0 && !this._scene?.known(next).length;
  }

  _offerButtons() {
    const scene = this._scene;
    const choice = this._choice;
    if (!choice) return this._buttons.offer([], null);
    if (!scene) return this._buttons.offer(choice.all.map((move) => this._whole(move)), null);
    const words = choice.next.filter((click) => !scene.layout.has(click));
    const offers = [...words.map((word) => this._word(word)),
      ...choice.complete.map((move) => this._whole(move))];
    const last = this._isPopping ? scene.known(choice.chosen).at(-1) : undefined;
    this._buttons.offer(offers, last === undefined ? null : scene.layout.part(last));
  }

  /** @param {string} word @returns {Offer} */
  _word(word) {
    const glyph = this._set.called(word, this._position.mover);
    return { text: word, glyph, choose: () => this._click(word) };
  }

  /** @param {MoveView} move @returns {Offer} */
  _whole({ text }) {
    return { text, choose: () => this._send(text) };
  }

  /** Shows what a click on a point would take away or place there. @param {string | null} name */
  _see(name) {
    this._seen = name;
    const scene = this._scene;
    const choice = this._choice;
    if (!scene) return;
    const moves = choice && name !== null ? choice.after(name) : [];
    const gone = moves.length === 1 ? moves[0].gone : [];
    scene.pieces.dim([...gone, ...(choice?.chosen.slice(1) ?? [])]);
    const first = choice?.chosen[0] ?? (moves.length ? name : null);
    const mark = this._set.onlyMark(this._position.mover);
    const isNew = first !== null && mark && scene.layout.has(first);
    scene.haunt(isNew && scene.isEmpty(this._position, first) ? first : null, mark);
  }

  /** @param {Scene} scene @param {string} name @param {Place} place */
  _drag(scene, name, place) {
    if (!this._choice) return;
    if (this._choice.chosen.join() !== name) this._choose(this._choice.anew().click(name));
    scene.pieces.displace(name, place);
  }

  /** @param {string | null} target */
  _drop(target) {
    if (target !== null && this._choice?.next.includes(target)) {
      const [from] = this._choice.chosen;
      this._scene?.pieces.displace(from, this._scene.layout.place(target));
      return this._click(target);
    }
    this._paint();
  }
}
