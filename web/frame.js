// What frames a drawing, in cell widths: the outline of a cell, the box of the board, the seats' sides, the labels.

import { s } from './dom.js';

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

/** The box of a drawing with room for labels and sides. @param {Drawing} drawing @param {boolean} bare */
export function boxOf(drawing, bare) {
  const xs = drawing.cells.map((cell) => cell[1]), ys = drawing.cells.map((cell) => cell[2]);
  const half = drawing.shape === 'square' ? 0.5 : 0.58;
  const sides = drawing.sides.length > 0 ? 0.42 : 0;
  const label = bare ? 0.1 : sides > 0 ? 0.74 : 0.62;
  const left = Math.min(...xs) - 0.5 - sides - label, top = Math.min(...ys) - half - sides - 0.12;
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + 0.5 + sides + 0.12 - left,
    height: Math.max(...ys) + half + sides + (bare ? 0.1 : 0.62) - top,
  };
}

/** Where a side is drawn: just outside the board. @param {Drawing} drawing */
export function sidePaths(drawing) {
  const middle = [1, 2].map((i) => drawing.cells.reduce((sum, cell) => sum + Number(cell[i]), 0) / drawing.cells.length);
  return drawing.sides.map(([seat, x1, y1, x2, y2]) => {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    let nx = -(y2 - y1) / length, ny = (x2 - x1) / length;
    if (nx * ((x1 + x2) / 2 - middle[0]) + ny * ((y1 + y2) / 2 - middle[1]) < 0) [nx, ny] = [-nx, -ny];
    const out = 0.74, along = 0.18, ux = ((x2 - x1) / length) * along, uy = ((y2 - y1) / length) * along;
    return s('path', {
      class: `edge seat-${seat}`,
      d: `M${x1 + nx * out - ux} ${y1 + ny * out - uy}L${x2 + nx * out + ux} ${y2 + ny * out + uy}`,
    });
  });
}

/** Row numbers on the left, letters below, where names have them. @param {Drawing} drawing */
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
  const lowest = rows.get(Math.max(...rows.keys())) ?? [];
  for (const cell of lowest)
    out.push(s('text', { class: 'label', x: cell[1], y: cell[2] + (drawing.shape === 'square' ? 0.78 : 0.88) + sides * 0.6 }, cell[0][0]));
  return out;
}
