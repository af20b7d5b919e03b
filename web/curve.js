// The curve over a match: one line for each seat, a click goes there, dots where a move cost its mover something.

import { byId, s } from './dom.js';
import { goTo } from './moves.js';
import { state } from './store.js';
import { sameLine } from './overlay.js';
import { lostAt, markOf, part, valueAt } from './values.js';

const kHeight = 96;

export function drawCurve() {
  const svg = byId('curve'), match = state.match, review = state.review;
  if (!match) return;
  const plies = match.moves.length, width = svg.clientWidth || 320;
  svg.setAttribute('viewBox', `0 0 ${width} ${kHeight}`);
  /** @param {number} ply */
  const x = (ply) => 4 + ((width - 8) * ply) / Math.max(1, plies);
  let least = 0, most = 1;
  /** @param {number} value */
  const y = (value) => kHeight - 4 - ((kHeight - 8) * (value - least)) / (most - least);
  /** @type {SVGElement[]} */
  const out = [s('rect', { class: 'curve-back', width, height: kHeight, rx: 6 })];
  /** @type {number[]} */
  const known = [];
  // what is being analysed is known, too
  const seen = state.analysis[0], looked = seen?.line && sameLine(seen.line, match.moves.slice(0, seen.line.length)) ? seen.line.length : -1;
  /** @param {number} ply */
  const valueOf = (ply) => valueAt(match, review, ply) ?? (ply === looked ? seen : null);
  for (let ply = 0; ply <= plies; ++ply) if (valueOf(ply)) known.push(ply);
  /** @param {number} ply @param {number} seat */
  const partAt = (ply, seat) => {
    const valued = valueOf(ply);
    return valued ? part(match, valued, seat) : 0;
  };
  const all = known.flatMap((ply) => match.seats.map((_, seat) => partAt(ply, seat)));
  least = Math.min(...all, 1 / match.seats.length - 0.1);
  most = Math.max(...all, 1 / match.seats.length + 0.1);
  const even = y(1 / match.seats.length);
  if (known.length > 0) out.push(s('line', { class: 'curve-even', x1: 0, x2: width, y1: even, y2: even }));
  match.seats.forEach((_, seat) => {
    const points = known.map((ply) => `${x(ply).toFixed(1)},${y(partAt(ply, seat)).toFixed(1)}`);
    if (points.length > 0) out.push(s('polyline', { class: `curve-line seat-${seat}`, points: points.join(' ') }));
    if (known.length === 1) out.push(s('circle', { class: `curve-point seat-${seat}`, cx: x(known[0]), cy: y(partAt(known[0], seat)), r: 3 }));
  });
  const at = state.shown?.kind === 'past' ? state.shown.ply : plies;
  out.push(s('line', { class: 'curve-now', x1: x(at), x2: x(at), y1: 0, y2: kHeight }));
  if (review)
    for (let ply = 0; ply < plies; ++ply) {
      const lost = lostAt(review, ply), mark = markOf(review, ply);
      if (mark) out.push(s('circle', { class: `curve-dot ${mark}`, cx: x(ply), cy: y(partAt(ply, match.movers[ply])), r: 2.5 + Math.min(4, 10 * lost) }, s('title', {}, `move ${ply + 1}, ${match.moves[ply]}: ${mark}`)));
    }
  if (known.length === 0) out.push(s('text', { class: 'curve-empty', x: width / 2, y: kHeight / 2 }, 'values appear while engines think'));
  svg.replaceChildren(...out);
}

byId('curve').addEventListener('click', (event) => {
  const match = state.match, box = byId('curve').getBoundingClientRect();
  if (match) void goTo(Math.round(((event.clientX - box.left) / box.width) * match.moves.length));
});
