// @ts-check
/** Elements from data.  Text is always set as text: nothing that is told can become markup. */

let fields = 0; // so many were made: their names differ

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "selected", "disabled", "hidden", "open", "readOnly"]);

/**
 * An HTML element.  Attributes: `class`, `dataset` (an object), `on...` (listeners), the usual
 * properties of form fields, and anything else as it is; null, undefined and false leave it out.
 * @param {string} tag @param {Record<string, any> | null} [attributes]
 * @param {...(Child | Child[])} children @returns {any}
 */
export function h(tag, attributes = null, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @param {string} tag @param {Record<string, any> | null} [attributes]
 * @param {...(Child | Child[])} children @returns {any}
 */
export function svg(tag, attributes = null, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Replaces everything inside an element.
 * @param {Element} host @param {...(Child | Child[])} children
 */
export function fill(host, ...children) {
  host.replaceChildren();
  append(host, children);
}

/** @param {Element} element @param {Record<string, any> | null} attributes @param {(Child | Child[])[]} children */
function filled(element, attributes, children) {
  append(element, children);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(/** @type {HTMLElement} */ (element).dataset, value);
    else if (PROPERTIES.has(name)) /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return element;
}

/** @param {Element} host @param {(Child | Child[])[]} children */
function append(host, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    host.append(child instanceof Node ? child : String(child));
  }
}

/**
 * A field with its label and, where there is one, a note.  `control` is an input, select or textarea.
 * @param {string} label @param {HTMLElement} control @param {Child | Child[]} [note]
 */
export function field(label, control, note = "") {
  control.id ||= `field-${++fields}`;
  if (note) control.setAttribute("aria-describedby", `${control.id}-note`);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control,
    note && h("small", { id: `${control.id}-note` }, note));
}

/**
 * A select; `options` are [value, text] pairs.
 * @param {[string, string][]} options @param {string} value @param {Record<string, any>} [attributes]
 */
export function select(options, value, attributes = {}) {
  const choices = options.map(([key, text]) => h("option", { value: key }, text));
  return h("select", { ...attributes, value }, choices);
}

/**
 * A button that runs something; while a promise of it is open it cannot be pressed again.
 * @param {string} text @param {(event: Event) => any} action @param {Record<string, any>} [attributes]
 */
export function button(text, action, attributes = {}) {
  const made = h("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", async (/** @type {Event} */ event) => {
    if (made.getAttribute("aria-disabled") === "true") return;
    made.setAttribute("aria-disabled", "true");
    try {
      await action(event);
    } finally {
      made.removeAttribute("aria-disabled");
    }
  });
  return made;
}
