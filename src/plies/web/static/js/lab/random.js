// @ts-check
/** Trees to practise on. */

const PLIES = 3;
const LARGEST = 9; // payoff

/** A tree of Max and Min in turn, with two or three children each. */
export function randomTree() {
  return node(0);
}

/** @param {number} ply @returns {string} */
function node(ply) {
  if (ply === PLIES) return String(whole(-LARGEST, LARGEST));
  const children = Array.from({ length: whole(2, 3) }, () => node(ply + 1));
  return `${ply % 2 ? "m" : "M"}(${children.join(", ")})`;
}

/** @param {number} least @param {number} most */
const whole = (least, most) => least + Math.floor(Math.random() * (most - least + 1));
