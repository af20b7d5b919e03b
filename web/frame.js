// What frames a drawing, in cell widths: the outline of a cell, the box of the board, the seats' sides, the labels.

import { s } from './dom.js';
import { seatShape } from './pieces.js';

/** @typedef {import('./types.js').Drawing} Drawing */
/** @typedef {import('./types.js').Cell} Cell */

/** @param {string} shape */
export function outline(shape) {
  if (shape === 'square') return 'M-.5-.5H.5V.5H-.5Z';
  const r = 1 / Math.sqrt(3), corners = [];
  for (let i = 0; i < 6; ++i) {
    const angle = (Math.PI / 3) * i + Math.PI / 6;
    corners.push(`${(r * Math.cos(angle)).toFixed(4)} ${(r * Math.sin(angle)).toFixed(4)}`);
  }
  return `M${corners.join('L')}Z`;
}

/** How far out the lines of sides lie from the middles of the cells, and labels beyond them. @param {Drawing} drawing */
const reach = (drawing) => (drawing.sides.length > 0 ? { side: 0.74, label: 1.2 } : { side: 0, label: 0.84 });

/** The lowest cell of every letter. @param {Drawing} drawing @returns {Cell[]} */
function feet(drawing) {
  /** @type {Map<string, Cell>} */
  const out = new Map();
  for (const cell of drawing.cells) if (cell[2] > (out.get(cell[0][0])?.[2] ?? -Infinity)) out.set(cell[0][0], cell);
  return [...out.values()];
}

/** The box of a drawing with room for sides, and for labels where it has some. @param {Drawing} drawing @param {'bare'|'labelled'} kind */
export function boxOf(drawing, kind) {
  const bare = kind === 'bare';
  const xs = drawing.cells.map((cell) => cell[1]), ys = drawing.cells.map((cell) => cell[2]);
  const half = drawing.shape === 'square' ? 0.5 : 0.58;
  const sides = drawing.sides.length > 0 ? 0.42 : 0;
  const label = bare ? 0.1 : sides > 0 ? 0.74 : 0.62;
  const slanted = !bare && feet(drawing).some((cell) => cell[2] < Math.max(...ys)) ? 0.3 : 0;
  const left = Math.min(...xs) - 0.5 - sides - label, top = Math.min(...ys) - half - sides - 0.12;
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + 0.5 + sides + 0.12 + slanted - left,
    height: Math.max(...ys) + half + sides + (bare ? 0.1 : 0.62) - top,
  };
}

/** Where a side is drawn: just outside the board, with the shape of its seat. @param {Drawing} drawing */
export function sidePaths(drawing) {
  const middle = [1, 2].map((i) => drawing.cells.reduce((sum, cell) => sum + Number(cell[i]), 0) / drawing.cells.length);
  const out = reach(drawing).side;
  return drawing.sides.map(([seat, x1, y1, x2, y2]) => {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    let nx = -(y2 - y1) / length, ny = (x2 - x1) / length;
    if (nx * ((x1 + x2) / 2 - middle[0]) + ny * ((y1 + y2) / 2 - middle[1]) < 0) [nx, ny] = [-nx, -ny];
    const along = 0.18, ux = ((x2 - x1) / length) * along, uy = ((y2 - y1) / length) * along;
    const shape = seatShape(seat, 0.2);
    shape.setAttribute('class', 'side-shape');
    shape.setAttribute('transform', `translate(${(x1 + x2) / 2 + nx * out} ${(y1 + y2) / 2 + ny * out})`);
    return s('g', { class: `seat-${seat}` },
      s('path', { class: 'edge', d: `M${x1 + nx * out - ux} ${y1 + ny * out - uy}L${x2 + nx * out + ux} ${y2 + ny * out + uy}` }), shape);
  });
}

/** Row numbers on the left; letters below, and along the slanted side where a letter's line ends there. @param {Drawing} drawing */
export function labels(drawing) {
  /** @type {Map<number, Cell[]>} */
  const rows = new Map();
  for (const cell of drawing.cells) rows.set(cell[2], [...(rows.get(cell[2]) ?? []), cell]);
  const out = [];
  const sides = drawing.sides.length > 0 ? 0.46 : 0;
  for (const row of rows.values()) {
    row.sort((a, b) => a[1] - b[1]);
    const number = row[0][0].slice(1);
    if (row.every((cell) => cell[0].slice(1) === number))
      out.push(s('text', { class: 'label row', x: row[0][1] - 0.58 - 1.3 * sides, y: row[0][2] }, number));
  }
  const lowest = Math.max(...rows.keys()), away = reach(drawing).label;
  for (const [name, x, y] of feet(drawing)) {
    const at = y === lowest ? [x, y + (drawing.shape === 'square' ? 0.78 : 0.88) + sides * 0.6] : [x + 0.866 * away, y + 0.5 * away];
    out.push(s('text', { class: 'label', x: at[0], y: at[1] }, name[0]));
  }
  return out;
}
