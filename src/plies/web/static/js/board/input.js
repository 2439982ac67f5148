// @ts-check
/** Pointer and keys on a board: clicks, drags, arrows. */

/** @typedef {import("./geometry.js").Place} Place */

/**
 * What a board does about input.
 *
 * @typedef {object} Handlers
 * @property {(name: string) => void} click a point is clicked
 * @property {() => void} cancel
 * @property {(name: string, right: number, down: number) => void} step an arrow key
 * @property {(name: string | null) => void} see the pointer or the cursor is on a point
 * @property {(name: string) => boolean} canDrag
 * @property {(name: string, place: Place) => void} drag a piece is held over a place
 * @property {(target: string | null) => void} drop it is let go
 */

const FAR = 6; // pixels that make a drag of a click
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Input {
  /** @param {SVGSVGElement} board @param {Handlers} handlers */
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    /** @type {{name: string, x: number, y: number, id: number, isFar: boolean} | null} */
    this.held = null;
    this._wasDragged = false;
    board.addEventListener("pointerdown", (event) => this._press(event));
    board.addEventListener("pointermove", (event) => this._move(event));
    board.addEventListener("pointerup", (event) => this._release(event));
    board.addEventListener("pointercancel", () => this._letGo());
    const stayPut = (/** @type {Event} */ event) => this.held && event.preventDefault();
    board.addEventListener("touchmove", stayPut, { passive: false }); // a drag scrolls no page
    board.addEventListener("click", (event) => this._click(event));
    board.addEventListener("keydown", (event) => this._key(event));
    board.addEventListener("pointerover", (event) => handlers.see(pointOf(event.target)));
    board.addEventListener("pointerleave", () => handlers.see(null));
    board.addEventListener("focusin", (event) => handlers.see(pointOf(event.target)));
    board.addEventListener("focusout", () => handlers.see(null));
  }

  get isDragging() {
    return this.held?.isFar ?? false;
  }

  /** @param {PointerEvent} event */
  _press(event) {
    this._wasDragged = false;
    const name = pointOf(event.target);
    if (name === null || event.button !== 0 || !event.isPrimary) return;
    if (!this.handlers.canDrag(name)) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    this.held = { name, x, y, id, isFar: false };
  }

  /** @param {PointerEvent} event */
  _move(event) {
    const held = this.held;
    if (!held || event.pointerId !== held.id) return;
    if (!held.isFar) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
      held.isFar = true;
      this.board.setPointerCapture(held.id);
      this.board.classList.add("is-dragging");
    }
    this.handlers.drag(held.name, this._place(event));
  }

  /** @param {PointerEvent} event */
  _release(event) {
    const held = this.held;
    if (!held || event.pointerId !== held.id) return;
    this.held = null;
    if (!held.isFar) return;
    this._wasDragged = true;
    this.board.classList.remove("is-dragging");
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const target = under && this.board.contains(under) ? pointOf(under) : null;
    this.handlers.drop(target);
  }

  _letGo() {
    const held = this.held;
    this.held = null;
    this.board.classList.remove("is-dragging");
    if (held?.isFar) this.handlers.drop(null);
  }

  /** A drag ends with a click of its own, which means nothing. @param {MouseEvent} event */
  _click(event) {
    if (this._wasDragged) {
      this._wasDragged = false;
      return;
    }
    const name = pointOf(event.target);
    if (name === null) this.handlers.cancel();
    else this.handlers.click(name);
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const name = pointOf(event.target);
    if (name === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in ARROWS) this.handlers.step(name, ...ARROWS[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.handlers.click(name);
    else if (event.key === "Escape") this.handlers.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The place of the drawing under the pointer. @param {PointerEvent} event @returns {Place} */
  _place(event) {
    const matrix = this.board.getScreenCTM()?.inverse() ?? new DOMMatrix();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x, y };
  }
}

/** The point that an element belongs to. @param {EventTarget | null} target */
function pointOf(target) {
  const element = target instanceof Element ? target.closest("[data-point]") : null;
  return element?.getAttribute("data-point") ?? null;
}
