// One visual language for all games: a seat is a colour and a shape. Everything is drawn around (0, 0) in cell widths.

import { s } from './dom.js';

export const kSeatShapes = ['disc', 'square', 'triangle', 'diamond'];

/** The outline of a seat's shape. @param {number} seat @param {number} size about its radius @returns {SVGElement} */
export function seatShape(seat, size) {
  switch (seat % 4) {
    case 0:
      return s('circle', { r: size });
    case 1: {
      const a = size * 0.9;
      return s('rect', { x: -a, y: -a, width: 2 * a, height: 2 * a, rx: a * 0.28 });
    }
    case 2: {
      const a = size * 1.16, x = a * 0.92;
      return s('path', { d: `M0 ${-a}L${x} ${a * 0.68}Q${x} ${a * 0.76} ${x * 0.9} ${a * 0.76}H${-x * 0.9}Q${-x} ${a * 0.76} ${-x} ${a * 0.68}Z`, 'stroke-linejoin': 'round' });
    }
    default: {
      const a = size * 1.18;
      return s('path', { d: `M0 ${-a}L${a} 0L0 ${a}L${-a} 0Z`, 'stroke-linejoin': 'round' });
    }
  }
}

/** A small picture of a seat for cards and lists. @param {number} seat @param {string} [title] */
export function seatIcon(seat, title) {
  const shape = seatShape(seat, 0.38);
  shape.setAttribute('class', 'piece-body');
  return s('svg', { viewBox: '-0.5 -0.5 1 1', class: `seat-icon seat-${seat}`, role: title ? 'img' : null, 'aria-label': title, 'aria-hidden': title ? null : 'true' }, shape);
}

/** What stands on a cell where the owner does not say it. @param {string} mark @param {number} owner -1: none */
function markOf(mark, owner) {
  const owned = owner >= 0;
  if (mark === '#') {
    return [
      s('rect', { class: 'block', x: -0.36, y: -0.36, width: 0.72, height: 0.72, rx: 0.1 }),
      s('path', { class: 'block-cross', d: 'M-.16-.16L.16 .16M.16-.16L-.16 .16' }),
    ];
  }
  if (mark === 'A') return [s('path', { class: 'crown', d: 'M-.2 .15L-.24-.13L-.1 0L0-.2L.1 0L.24-.13L.2 .15Z', transform: owner % 4 === 2 ? 'translate(0 .1) scale(.72)' : null })];
  if (/^[0-9]$/.test(mark)) {
    const count = Number(mark), y = owned ? 0.4 : 0;
    return Array.from({ length: count }, (_, i) => {
      const spot = !owned && count === 3 ? [[0, -0.13], [-0.14, 0.11], [0.14, 0.11]][i] : [(i - (count - 1) / 2) * (owned ? 0.15 : 0.28), y];
      return s('circle', { class: 'count', cx: spot[0], cy: spot[1], r: owned ? 0.055 : 0.085 });
    });
  }
  return [s('text', { class: 'mark-letter', y: 0.02 }, mark)];
}

/**
 * The piece of a cell, or null for an empty one.
 * @param {import('./types.js').Cell} cell
 * @param {boolean} tiles  pieces fill their cells
 */
export function piece(cell, tiles) {
  const [, , , owner, under, mark] = cell;
  if (mark === ' ' || (owner < 0 && mark === '')) return null;
  const out = s('g', { class: owner >= 0 ? `piece seat-${owner}` : 'piece nobody' });
  const digit = /^[0-9]$/.test(mark);
  if (owner >= 0 && tiles) {
    out.append(s('rect', { class: 'piece-body tile', x: -0.47, y: -0.47, width: 0.94, height: 0.94, rx: 0.12 }));
    const inner = seatShape(owner, 0.15);
    inner.setAttribute('class', 'tile-shape');
    out.append(inner);
    return out;
  }
  if (under >= 0) {
    const ring = seatShape(under, 0.43);
    ring.setAttribute('class', `covered seat-${under}`);
    out.append(ring);
  }
  if (owner >= 0) {
    const body = seatShape(owner, under >= 0 ? 0.25 : digit ? 0.29 : 0.35);
    body.setAttribute('class', 'piece-body');
    const group = s('g', digit ? { transform: 'translate(0 -0.06)' } : {}, body);
    out.append(group);
  }
  if (mark !== '') out.append(...markOf(mark, owner));
  return out;
}

/** A faint piece that could come to a cell. @param {number} seat @param {boolean} tiles @param {number} [size] */
export function ghost(seat, tiles, size = 0.33) {
  if (tiles) return s('rect', { class: `ghost seat-${seat}`, x: -0.45, y: -0.45, width: 0.9, height: 0.9, rx: 0.1 });
  const out = seatShape(seat, size);
  out.setAttribute('class', `ghost seat-${seat}`);
  return out;
}
