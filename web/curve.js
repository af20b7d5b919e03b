// The curve over a match: one line for each seat, a click goes there, dots where a move cost its mover something.

import { byId, s } from './dom.js';
import { goTo } from './moves.js';
import { state } from './store.js';
import { cost, costClass, share, valueAt } from './values.js';

const kHeight = 96;

export function drawCurve() {
  const svg = byId('curve'), match = state.match, review = state.review;
  if (!match) return;
  const plies = match.moves.length, width = svg.clientWidth || 320;
  svg.setAttribute('viewBox', `0 0 ${width} ${kHeight}`);
  /** @param {number} ply */
  const x = (ply) => 4 + ((width - 8) * ply) / Math.max(1, plies);
  /** @param {number} y */
  const y = (y) => kHeight - 4 - (kHeight - 8) * y;
  /** @type {SVGElement[]} */
  const out = [s('rect', { class: 'curve-back', width, height: kHeight, rx: 6 })];
  /** @type {number[]} */
  const known = [];
  for (let ply = 0; ply <= plies; ++ply) if (valueAt(match, review, ply)) known.push(ply);
  match.seats.forEach((_, seat) => {
    const points = known.map((ply) => {
      const valued = valueAt(match, review, ply);
      return `${x(ply).toFixed(1)},${y(valued ? share(match, valued, seat) : 0).toFixed(1)}`;
    });
    if (points.length > 0) out.push(s('polyline', { class: `curve-line seat-${seat}`, points: points.join(' ') }));
  });
  const at = state.shown?.kind === 'past' ? state.shown.ply : plies;
  out.push(s('line', { class: 'curve-now', x1: x(at), x2: x(at), y1: 0, y2: kHeight }));
  if (review)
    for (let ply = 0; ply < plies; ++ply) {
      const lost = cost(match, review, ply), mark = costClass(lost), value = valueAt(match, review, ply);
      if (mark && value) out.push(s('circle', { class: `curve-dot ${mark}`, cx: x(ply), cy: y(share(match, value, match.movers[ply])), r: 2.5 + Math.min(4, 10 * lost) }, s('title', {}, `move ${ply + 1}, ${match.moves[ply]}: ${mark}`)));
    }
  if (known.length === 0) out.push(s('text', { class: 'curve-empty', x: width / 2, y: kHeight / 2 }, 'values appear while engines think'));
  svg.replaceChildren(...out);
}

byId('curve').addEventListener('click', (event) => {
  const match = state.match, box = byId('curve').getBoundingClientRect();
  if (match) void goTo(Math.round(((event.clientX - box.left) / box.width) * match.moves.length));
});
