// @ts-check
/** What part of a drawing is seen: drag, buttons, wheel with Ctrl; it can follow a node. */

const LEAST = 0.08;
const MOST = 3;
const COMFORTABLE = 0.8;
const LARGEST_FIT = 1.3;
const READABLE = 0.47; // a drawing that would get smaller than this is not fitted in by itself

export class Camera {
  /** @param {SVGSVGElement} picture @param {{x: number, y: number, width: number, height: number}} box */
  constructor(picture, box) {
    this._picture = picture;
    this._box = box;
    this._scale = 1;
    this._x = box.x;
    this._y = box.y;
    this._isByHand = false;
    this._drag();
    picture.addEventListener("wheel", (event) => this._wheel(event), { passive: false });
    this._watch = new ResizeObserver(() => this._resize());
    this._watch.observe(picture);
  }

  /** The drawing has another size now. @param {{x: number, y: number, width: number, height: number}} box */
  use(box) {
    this._box = box;
  }

  close() {
    this._watch.disconnect();
  }

  /** The whole drawing. */
  fit() {
    const { width, height } = this._size();
    this._scale = clamp(Math.min(width / this._box.width, height / this._box.height), LEAST, LARGEST_FIT);
    this._centre(this._box.x + this._box.width / 2, this._box.y + this._box.height / 2);
    this._isByHand = false;
  }

  /** As much as can be read, from the root on. @param {{x: number, y: number}} root */
  begin(root) {
    const scale = Math.min(this._picture.clientWidth / this._box.width, LARGEST_FIT);
    const isWhole = scale >= READABLE;
    this._picture.style.height = `${Math.ceil(this._box.height * (isWhole ? scale : COMFORTABLE))}px`;
    this.fit();
    if (isWhole && this._scale >= READABLE) return;
    this._scale = COMFORTABLE;
    const { width, height } = this._size();
    this._x = root.x - width / this._scale / 2;
    this._y = height / this._scale > this._box.height ? this._middle(height) : this._box.y;
    this._show();
  }

  /** @param {number} height */
  _middle(height) {
    return this._box.y + this._box.height / 2 - height / this._scale / 2;
  }

  /** @param {number} factor @param {{x: number, y: number}} [at] in the drawing */
  zoom(factor, at) {
    const { width, height } = this._size();
    const fixed = at ?? { x: this._x + width / this._scale / 2, y: this._y + height / this._scale / 2 };
    const scale = clamp(this._scale * factor, LEAST, MOST);
    this._x = fixed.x - ((fixed.x - this._x) * this._scale) / scale;
    this._y = fixed.y - ((fixed.y - this._y) * this._scale) / scale;
    this._scale = scale;
    this._isByHand = true;
    this._show();
  }

  /** Moves on, if need be, so that a point is well inside. @param {{x: number, y: number}} point */
  follow(point) {
    const size = this._size();
    if (!size.width) return;
    const width = size.width / this._scale;
    const height = size.height / this._scale;
    const edgeX = Math.min(90, width / 4);
    const edgeY = Math.min(50, height / 4);
    const { x, y } = this._box;
    if (point.x < this._x + edgeX || point.x > this._x + width - edgeX) {
      this._x = within(point.x - width / 2, x, this._box.width - width, this._x);
    }
    if (point.y < this._y + edgeY || point.y > this._y + height - edgeY) {
      this._y = within(point.y - height / 2, y, this._box.height - height, this._y);
    }
    this._show();
  }

  _size() {
    const { clientWidth: width, clientHeight: height } = this._picture;
    return { width, height };
  }

  _resize() {
    if (this._isByHand) this._show();
    else this.onresize();
  }

  /** What to do when the room changes and nobody has moved the drawing. */
  onresize() {
    this.fit();
  }

  /** @param {number} x @param {number} y */
  _centre(x, y) {
    const { width, height } = this._size();
    this._x = x - width / this._scale / 2;
    this._y = y - height / this._scale / 2;
    this._show();
  }

  _show() {
    const { width, height } = this._size();
    if (!width || !height) return;
    const box = [this._x, this._y, width / this._scale, height / this._scale];
    this._picture.setAttribute("viewBox", box.map((number) => number.toFixed(2)).join(" "));
  }

  /** @param {WheelEvent} event */
  _wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const frame = this._picture.getBoundingClientRect();
    const at = {
      x: this._x + (event.clientX - frame.left) / this._scale,
      y: this._y + (event.clientY - frame.top) / this._scale,
    };
    this.zoom(Math.exp(-event.deltaY / 300), at);
  }

  _drag() {
    /** @type {{x: number, y: number} | null} */
    let from = null;
    const picture = this._picture;
    picture.addEventListener("pointerdown", (event) => {
      if (event.button === 0) from = { x: event.clientX, y: event.clientY };
    });
    picture.addEventListener("pointermove", (event) => {
      if (!from || !(event.buttons & 1)) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (!picture.hasPointerCapture(event.pointerId)) {
        if (Math.hypot(dx, dy) < 5) return;
        picture.setPointerCapture(event.pointerId);
      }
      from = { x: event.clientX, y: event.clientY };
      this._x -= dx / this._scale;
      this._y -= event.pointerType === "touch" ? 0 : dy / this._scale; // a finger scrolls the page
      this._isByHand = true;
      this._show();
    });
    for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, () => (from = null));
  }
}

/** As wanted, but nothing beyond the drawing; where all of it is seen, as it was.
 * @param {number} wanted @param {number} start @param {number} spare @param {number} now */
const within = (wanted, start, spare, now) => (spare <= 0 ? now : clamp(wanted, start, start + spare));

/** @param {number} number @param {number} least @param {number} most */
const clamp = (number, least, most) => Math.min(Math.max(number, least), most);
