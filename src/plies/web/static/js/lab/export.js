// @ts-check
/** A drawing as a file of its own, which looks the same without this page. */

/** @typedef {import("./treeview.js").TreeView} TreeView */

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size",
  "font-weight", "text-anchor", "paint-order", "stroke-linejoin"];

/** @param {TreeView} tree @param {string} title */
export function saveDrawing(tree, title) {
  const text = drawingText(tree, title);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The whole drawing with its styles written into it. @param {TreeView} tree @param {string} title */
function drawingText(tree, title) {
  const { element, box } = tree;
  const canvas = /** @type {HTMLElement} */ (element.closest(".canvas"));
  canvas.style.colorScheme = "light"; // it is for paper
  const copy = /** @type {SVGSVGElement} */ (element.cloneNode(true));
  const originals = [element, ...element.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    const above = index ? getComputedStyle(/** @type {Element} */ (original.parentElement)) : null;
    const twin = copies[index];
    if (style.display === "none") twin.setAttribute("display", "none");
    for (const name of STYLES) {
      const value = style.getPropertyValue(name); // those of the parent are inherited
      if (value !== above?.getPropertyValue(name)) twin.setAttribute(name, value);
    }
    for (const name of ["class", "style", "tabindex", "role", "aria-label", "data-node", "data-edge", "id"]) {
      twin.removeAttribute(name);
    }
  });
  for (const twin of copies) if (twin.getAttribute("display") === "none") twin.remove();
  for (const name of ["aria-roledescription", "aria-activedescendant"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  copy.setAttribute("width", String(Math.ceil(box.width)));
  copy.setAttribute("height", String(Math.ceil(box.height)));
  const name = document.createElementNS("http://www.w3.org/2000/svg", "title");
  name.textContent = title;
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries(box)) paper.setAttribute(key, String(value));
  paper.setAttribute("fill", getComputedStyle(canvas).backgroundColor);
  canvas.style.colorScheme = "";
  copy.prepend(name, paper);
  return new XMLSerializer().serializeToString(copy);
}
