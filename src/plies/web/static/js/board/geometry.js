// @ts-check
/** Where the points of a board lie in its drawing, and how they are told apart. */

/** @typedef {import("../types.js").BoardShape} BoardShape */
/** @typedef {{x: number, y: number}} Place */

/** Length of a board's unit in the drawing; everything that is drawn is a part of it. */
export const UNIT = 100;

const NAME = /^([A-Za-z]+)([0-9]+)$/;
const BEYOND = 34; // room around a tray for a cube on its way
const RIM = 14; // of the panel around the board
const RIMS = new Map([["cubes", 24], ["checkered", 7]]);
const LEAST_PIXELS = 22; // a unit is never shown smaller where a board is used
const SIDEWAYS = 3; // how much worse a step aside is than a step ahead, for the arrow keys

/**
 * From the coordinates of a board to those of its drawing (y downwards).
 *
 * `kind` says how the board looks: `cells`, `checkered` or `cubes` side by side, points on
 * `lines`, or `heaps` (objects beside a label, without cells).
 */
export class Layout {
  /**
   * @param {BoardShape} shape
   * @param {Set<string>} labels points that only show their name
   * @param {{isSmall: boolean, isFlipped: boolean}} look
   */
  constructor(shape, labels, { isSmall, isFlipped }) {
    this.shape = shape;
    this.labels = labels;
    this.names = Object.keys(shape.points);
    this.isSmall = isSmall;
    const hasPoints = shape.lines.length || shape.style === "points";
    this.kind = hasPoints ? "lines" : labels.size ? "heaps" : shape.style;
    const [columns, rows] = labels.size ? [new Map(), new Map()] : axes(shape);
    this.columns = isSmall ? new Map() : columns;
    this.rows = isSmall ? new Map() : rows;
    this.showsNames = !isSmall && !labels.size && !columns.size;
    this.scale = UNIT / spacing(Object.values(shape.points));
    this.sign = isFlipped ? -1 : 1;
    const inner = this._extent();
    const rim = RIMS.get(this.kind) ?? RIM;
    this.panel = grown(inner, rim, rim, rim, rim);
    // Coordinates are about as large to the eye on a small board as on a large one.
    this.letters = Math.min(30, Math.max(11, 0.034 * this.panel.width));
    this._axis = this.columns.size ? 1.5 * this.letters : 2;
    const beyond = this.kind === "cubes" && !isSmall ? BEYOND : 2;
    const room = Math.max(this._axis, beyond);
    this.box = grown(this.panel, room, beyond, beyond, room);
  }

  /** All points with half a unit around each. */
  _extent() {
    const known = this.names.map((name) => this.place(name));
    const places = known.length ? known : [{ x: 0, y: 0 }];
    const xs = places.map(({ x }) => x);
    const ys = places.map(({ y }) => y);
    const [x, y] = [least(xs), least(ys)];
    const half = UNIT / 2;
    return grown({ x, y, width: most(xs) - x, height: most(ys) - y }, half, half, half, half);
  }

  /** @param {string} name */
  has(name) {
    return Object.hasOwn(this.shape.points, name);
  }

  /** @param {string} name @returns {Place} */
  place(name) {
    const [x, y] = this.shape.points[name];
    return { x: this.sign * x * this.scale, y: -this.sign * y * this.scale };
  }

  /** A point in parts of the drawing's width and height. @param {string} name */
  part(name) {
    const { x, y } = this.place(name);
    return { left: (x - this.box.x) / this.box.width, top: (y - this.box.y) / this.box.height };
  }

  /** Where the columns' and the rows' coordinates are written.
   * @returns {{text: string, place: Place}[]} */
  get coordinates() {
    const { x, y, height } = this.panel;
    const below = [...this.columns].map(([column, text]) => ({
      text,
      place: { x: this.sign * column * this.scale, y: y + height + this._axis / 2 },
    }));
    const beside = [...this.rows].map(([row, text]) => ({
      text,
      place: { x: x - this._axis / 2, y: -this.sign * row * this.scale },
    }));
    return [...below, ...beside];
  }

  get viewBox() {
    const { x, y, width, height } = this.box;
    return `${x} ${y} ${width} ${height}`;
  }

  /** The least width in pixels at which everything can be read and hit; a wider board scrolls. */
  get leastWidth() {
    return Math.ceil((this.box.width / UNIT) * LEAST_PIXELS);
  }

  /** Whether a cell is one of the darker ones of a checkered board: a1 is. @param {string} name */
  isDark(name) {
    const [x, y] = this.shape.points[name];
    return (Math.round(x) + Math.round(y)) % 2 === 0;
  }

  /**
   * The point that an arrow key leads to, as it is seen; the same point where none lies there.
   *
   * @param {string} name
   * @param {number} right -1, 0 or 1
   * @param {number} down
   */
  neighbour(name, right, down) {
    const from = this.place(name);
    let best = name;
    let shortest = Infinity;
    for (const other of this.names) {
      const { x, y } = this.place(other);
      const ahead = (x - from.x) * right + (y - from.y) * down;
      const aside = Math.abs((x - from.x) * down) + Math.abs((y - from.y) * right);
      const distance = ahead + SIDEWAYS * aside;
      if (ahead > 1 && distance < shortest) [best, shortest] = [other, distance];
    }
    return best;
  }
}

/** Points whose piece is their own name. @param {Record<string, string>} pieces */
export function labelsOf(pieces) {
  return new Set(Object.keys(pieces).filter((name) => pieces[name] === name));
}

/**
 * Coordinate -> text, for columns and rows; both empty where the names of the points are not a
 * letter and a number (or a number and a letter) that follow their coordinates.
 *
 * @param {BoardShape} shape
 * @returns {[Map<number, string>, Map<number, string>]}
 */
function axes(shape) {
  for (const [across, up] of [[1, 2], [2, 1]]) {
    const columns = axis(shape, across, 0);
    const rows = axis(shape, up, 1);
    if (columns.size && rows.size) return [columns, rows];
  }
  return [new Map(), new Map()];
}

/** @param {BoardShape} shape @param {number} part @param {number} dimension */
function axis(shape, part, dimension) {
  /** @type {Map<number, string>} */
  const found = new Map();
  for (const [name, point] of Object.entries(shape.points)) {
    const text = NAME.exec(name)?.[part];
    const at = point[dimension];
    if (text === undefined || (found.get(at) ?? text) !== text) return new Map();
    found.set(at, text);
  }
  return new Set(found.values()).size === found.size ? found : new Map();
}

/** How far the closest two points are apart, along x or y. @param {[number, number][]} points */
function spacing(points) {
  const sorted = [...points].sort((one, other) => one[0] - other[0]);
  let closest = Infinity;
  sorted.forEach(([x, y], index) => {
    for (let next = index + 1; next < sorted.length && sorted[next][0] - x < closest; next++) {
      const apart = Math.max(sorted[next][0] - x, Math.abs(sorted[next][1] - y));
      if (apart > 0 && apart < closest) closest = apart;
    }
  });
  return Number.isFinite(closest) ? closest : 1;
}

/** @param {number[]} numbers */
const least = (numbers) => numbers.reduce((one, other) => Math.min(one, other));

/** @param {number[]} numbers */
const most = (numbers) => numbers.reduce((one, other) => Math.max(one, other));

/**
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {number} left @param {number} right @param {number} top @param {number} bottom
 */
function grown(box, left, right, top, bottom) {
  return {
    x: box.x - left,
    y: box.y - top,
    width: box.width + left + right,
    height: box.height + top + bottom,
  };
}
