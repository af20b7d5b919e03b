// Small words for making elements.

const kSvg = 'http://www.w3.org/2000/svg';

/** @typedef {Node|string|number|null|undefined|false} Content */
/** @typedef {Record<string, any>} Attributes */

/**
 * @param {Element} element
 * @param {Attributes} attributes  on…: a listener; true: an empty attribute (of aria-…: a word); null and false: none
 */
export function assign(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === null || value === undefined || (value === false && !key.startsWith('aria-'))) element.removeAttribute(key);
    else {
      const text = value === true && !key.startsWith('aria-') ? '' : String(value);
      if (element.getAttribute(key) !== text) element.setAttribute(key, text);
    }
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Content} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const out = document.createElement(tag);
  assign(out, attributes);
  append(out, children);
  return out;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Content} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
  const out = document.createElementNS(kSvg, tag);
  assign(out, attributes);
  append(out, children);
  return out;
}

/** @param {Element} element @param {Content[]} children */
function append(element, children) {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(typeof child === 'number' ? String(child) : child);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** Scrolls to an element where it lies below a list, in small windows. @param {string} id */
export function toTop(id) {
  byId(id).scrollIntoView({ block: 'start' });
}

/** @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {number} value @param {number} [digits] */
export function decimal(value, digits = 1) {
  const text = Number.isInteger(value) ? String(value) : value.toFixed(digits);
  return text.replace('-', '−');
}

/** A game's name without what follows about its board. @param {string} title */
export function shortTitle(title) {
  return title.replace(/, (\d|[a-z]).*/, '');
}

/** 12,345 → 12.3k @param {number} value */
export function brief(value) {
  if (value < 1000) return String(Math.round(value));
  if (value < 1e6) return `${(value / 1e3).toFixed(value < 1e4 ? 1 : 0)}k`;
  if (value < 1e9) return `${(value / 1e6).toFixed(value < 1e7 ? 1 : 0)}M`;
  return `${(value / 1e9).toFixed(1)}G`;
}
