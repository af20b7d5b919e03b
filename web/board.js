// Draws any Drawing as SVG, one unit a cell, and tells which cell is meant. Knows no game: cells have names and places,
// pieces have owners and marks. Pieces that come, go, change owner or move are animated.

import { assign, s } from './dom.js';
import { boxOf, labels, outline, sidePaths } from './frame.js';
import { piece } from './pieces.js';

/** @typedef {import('./types.js').Drawing} Drawing */
/** @typedef {import('./types.js').Cell} Cell */

const kMotion = 160;

/** A picture that nobody clicks: for lists and rules. @param {Drawing} drawing @param {string} title @param {boolean} [tiles] */
export function picture(drawing, title, tiles = false) {
  const box = boxOf(drawing, 'bare'), path = outline(drawing.shape);
  const svg = s('svg', { class: 'picture', viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`, role: title ? 'img' : null, 'aria-label': title || null, 'aria-hidden': title ? null : 'true' });
  svg.append(...sidePaths(drawing));
  for (const cell of drawing.cells) {
    if (cell[5] === ' ') continue;
    svg.append(s('path', { class: `cell tint-${cell[6] % 9}`, d: path, transform: `translate(${cell[1]} ${cell[2]})` }));
  }
  for (const cell of drawing.cells) {
    const stands = piece(cell, tiles);
    if (!stands) continue;
    stands.setAttribute('transform', `translate(${cell[1]} ${cell[2]})`);
    svg.append(stands);
  }
  return svg;
}

/**
 * @typedef {object} Handlers
 * @property {(cell: string) => void} click
 * @property {(cell: string|null) => void} point    the pointer or the focus is there
 * @property {(cell: string) => string} describe    for screen readers, what is besides on the cell
 */

export class Board {
  /** @param {SVGSVGElement} svg @param {Handlers} handlers */
  constructor(svg, handlers) {
    this.svg = svg;
    this.handlers = handlers;
    this.layout = '';
    /** @type {Map<string, {cell: Cell, element: SVGGElement, piece: SVGGElement|null}>} */
    this.cells = new Map();
    /** @type {Map<string, {x: number, y: number}>} */
    this.places = new Map();
    this.focused = '';
    this.outline = '';
    this.below = s('g', { class: 'below' });
    this.grid = s('g', { class: 'grid' });
    this.joints = s('g', { class: 'joints' });
    this.pieces = s('g', { class: 'pieces' });
    this.above = s('g', { class: 'above' });
    this.cursor = s('path', { class: 'cursor' });
    svg.append(this.below, this.grid, this.joints, this.pieces, this.above, this.cursor);
    svg.addEventListener('pointerover', (event) => event.pointerType !== 'touch' && handlers.point(this.nameOf(event.target)));
    svg.addEventListener('pointerleave', () => handlers.point(null));
    svg.addEventListener('click', (event) => {
      const name = this.nameOf(event.target);
      if (name) handlers.click(name);
    });
    svg.addEventListener('focusin', (event) => {
      const name = this.nameOf(event.target);
      if (!name) return;
      this.rove(name);
      if (event.target instanceof Element && event.target.matches(':focus-visible')) handlers.point(name);
    });
    new ResizeObserver(() => this.fit()).observe(/** @type {Element} */ (svg.parentElement));
  }

  /** @param {EventTarget|null} target */
  nameOf(target) {
    return target instanceof Element ? (target.closest('[data-cell]')?.getAttribute('data-cell') ?? null) : null;
  }

  /** @param {Drawing} drawing @param {boolean} tiles @param {string[]} moves  played so far */
  draw(drawing, tiles, moves) {
    const layout = JSON.stringify([drawing.shape, tiles, drawing.cells.map((cell) => [cell[0], cell[1], cell[2]]), drawing.sides]);
    const fresh = layout !== this.layout;
    if (fresh) this.build(drawing, layout);
    const quiet = fresh || matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.update(drawing, tiles, quiet);
    this.joints.replaceChildren(...(tiles ? this.bridges(drawing, moves) : []));
    this.describe();
  }

  /** @param {Drawing} drawing @param {string} layout */
  build(drawing, layout) {
    this.layout = layout;
    this.drawing = drawing;
    this.cells.clear();
    this.places.clear();
    const path = (this.outline = outline(drawing.shape));
    this.box = boxOf(drawing, 'labelled');
    this.svg.setAttribute('viewBox', `${this.box.x} ${this.box.y} ${this.box.width} ${this.box.height}`);
    document.documentElement.style.setProperty('--board-shape', (this.box.width / this.box.height).toFixed(4));
    this.below.replaceChildren(...sidePaths(drawing), ...labels(drawing));
    this.grid.replaceChildren();
    this.pieces.replaceChildren();
    this.above.replaceChildren();
    for (const cell of drawing.cells) {
      const element = s('g', { class: 'place', 'data-cell': cell[0], role: 'button', tabindex: -1, transform: `translate(${cell[1]} ${cell[2]})` }, s('path', { class: 'cell', d: path }));
      this.grid.append(element);
      this.cells.set(cell[0], { cell: [cell[0], cell[1], cell[2], -1, -1, '', 0], element, piece: null });
      this.places.set(cell[0], { x: cell[1], y: cell[2] });
    }
    this.rove(this.middle());
    this.fit();
  }

  /** @param {Drawing} drawing @param {boolean} tiles @param {boolean} quiet */
  update(drawing, tiles, quiet) {
    const gone = [], come = [];
    for (const cell of drawing.cells) {
      const known = this.cells.get(cell[0]);
      if (!known) continue;
      assign(/** @type {Element} */ (known.element.firstElementChild), { class: `cell tint-${cell[6] % 9}` });
      known.element.classList.toggle('hole', cell[5] === ' ');
      const old = known.cell;
      known.cell = cell;
      if (old[3] === cell[3] && old[4] === cell[4] && old[5] === cell[5]) continue;
      const before = known.piece;
      known.piece = piece(cell, tiles);
      if (known.piece) {
        known.piece.setAttribute('transform', `translate(${cell[1]} ${cell[2]})`);
        this.pieces.append(known.piece);
      }
      if (old[3] >= 0 && cell[3] !== old[3]) gone.push({ owner: old[3], cell: old });
      if (cell[3] >= 0 && cell[3] !== old[3]) come.push({ owner: cell[3], cell, element: known.piece, was: old[3] });
      if (before) this.leave(before, quiet || !known.piece);
      if (known.piece && !quiet && !(cell[3] >= 0 && cell[3] !== old[3])) this.enter(known.piece, 1);
    }
    if (quiet) return;
    for (const { owner, cell, element, was } of come) {
      if (!element) continue;
      const from = gone.filter((other) => other.owner === owner && other.cell[0] !== cell[0]);
      if (come.filter((other) => other.owner === owner).length === 1 && from.length === 1 && was < 0) this.glide(element, from[0].cell, cell);
      else this.enter(element, was < 0 ? 0.5 : 0.9);
    }
  }

  /** @param {Element} element @param {boolean} quiet */
  leave(element, quiet) {
    if (quiet) return element.remove();
    element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: kMotion }).finished.finally(() => element.remove());
  }

  /** @param {SVGGElement} element @param {number} scale */
  enter(element, scale) {
    element.firstElementChild?.animate([{ opacity: 0, transform: `scale(${scale})` }, { opacity: 1, transform: 'scale(1)' }], { duration: kMotion, easing: 'cubic-bezier(.2,.9,.3,1.2)' });
  }

  /** @param {SVGGElement} element @param {Cell} from @param {Cell} to */
  glide(element, from, to) {
    for (const child of element.children)
      child.animate([{ transform: `translate(${from[1] - to[1]}px, ${from[2] - to[2]}px)` }, { transform: 'none' }], { duration: kMotion + 20, easing: 'cubic-bezier(.3,.7,.3,1)', composite: 'add' });
  }

  /** Joins the cells that one move has put down together. @param {Drawing} drawing @param {string[]} moves */
  bridges(drawing, moves) {
    const owner = new Map(drawing.cells.map((cell) => [cell[0], cell[3]]));
    const out = [];
    for (const move of moves) {
      const cells = move.split('-');
      for (const a of cells)
        for (const b of cells) {
          const p = this.places.get(a), q = this.places.get(b), seat = owner.get(a) ?? -1;
          if (!p || !q || seat < 0) continue;
          if (q.x - p.x === 1 && q.y === p.y) out.push(s('rect', { class: `joint seat-${seat}`, x: p.x + 0.3, y: p.y - 0.47, width: 0.4, height: 0.94 }));
          if (q.y - p.y === 1 && q.x === p.x) out.push(s('rect', { class: `joint seat-${seat}`, x: p.x - 0.47, y: p.y + 0.3, width: 0.94, height: 0.4 }));
        }
    }
    return out;
  }

  describe() {
    for (const [name, { cell, element }] of this.cells) {
      const stands = cell[5] === ' ' ? 'nothing' : cell[3] >= 0 ? `seat ${cell[3] + 1}` : cell[5] === '#' ? 'blocked' : cell[5] !== '' ? cell[5] : 'empty';
      assign(element, { 'aria-label': `${name}, ${stands}${this.handlers.describe(name)}` });
    }
  }

  /** As large as there is room, a whole number of pixels a cell. */
  fit() {
    const room = this.svg.parentElement?.getBoundingClientRect();
    if (!room || !this.box || room.width < 10) return;
    const fine = Math.max(2, Math.round(devicePixelRatio));
    const size = Math.max(4, Math.floor(fine * Math.min(room.width / this.box.width, room.height / this.box.height)) / fine);
    this.svg.style.width = `${size * this.box.width}px`;
    this.svg.style.height = `${size * this.box.height}px`;
    // labels stay readable on small boards and modest on large ones, as lines do
    const letters = Math.max(9, Math.min(0.32 * size, 1.2 * parseFloat(getComputedStyle(document.documentElement).fontSize)));
    this.svg.style.setProperty('--label', `${(letters / size).toFixed(3)}px`);
    this.svg.style.setProperty('--fine', Math.min(1, 64 / size).toFixed(2));
  }

  /** The cell that Tab reaches. @param {string} name */
  rove(name) {
    this.cells.get(this.focused)?.element.setAttribute('tabindex', '-1');
    this.focused = name;
    this.cells.get(name)?.element.setAttribute('tabindex', '0');
    const at = this.places.get(name);
    if (at) assign(this.cursor, { d: this.outline, transform: `translate(${at.x} ${at.y})` });
  }

  /** @param {string} name */
  focus(name) {
    this.rove(name);
    this.cells.get(name)?.element.focus();
  }

  middle() {
    if (!this.box) return '';
    return this.nearest(this.box.x + this.box.width / 2, this.box.y + this.box.height / 2);
  }

  /** @param {number} x @param {number} y */
  nearest(x, y) {
    let best = '', least = Infinity;
    for (const [name, at] of this.places) {
      const distance = Math.hypot(at.x - x, at.y - y);
      if (distance < least) [best, least] = [name, distance];
    }
    return best;
  }

  /** The next cell that can be chosen, in reading order. @param {1|-1} by */
  nextLegal(by) {
    const all = [...this.cells.keys()], at = all.indexOf(this.focused);
    for (let i = 1; i <= all.length; ++i) {
      const name = all[(at + by * i + all.length * 2) % all.length];
      if (this.cells.get(name)?.element.classList.contains('legal')) return name;
    }
    return this.focused;
  }

  /** The next cell in a direction. @param {string} name @param {number} dx @param {number} dy */
  beside(name, dx, dy) {
    const from = this.places.get(name);
    if (!from) return name;
    let best = name, least = Infinity;
    for (const [other, at] of this.places) {
      const along = (at.x - from.x) * dx + (at.y - from.y) * dy;
      const aside = Math.abs((at.x - from.x) * dy) + Math.abs((at.y - from.y) * dx);
      if (along < 0.3 || this.cells.get(other)?.element.classList.contains('hole')) continue;
      const cost = along + 1.5 * aside;
      if (cost < least) [best, least] = [other, cost];
    }
    return best;
  }
}
