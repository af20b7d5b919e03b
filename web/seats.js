// The cards of the seats: who sits there, points, what the engines think of its chances, whose turn it is.

import { demand, send } from './api.js';
import { assign, byId, decimal, h, setText } from './dom.js';
import { chooseEngine, shortEngine } from './engine.js';
import { kSeatShapes, seatIcon } from './pieces.js';
import { position, set, state } from './store.js';
import { share, valueAt, valueName, valueText } from './values.js';

/** @typedef {{card: HTMLElement, person: HTMLOptionElement, who: HTMLSelectElement, custom: HTMLOptionElement, points: HTMLElement, status: HTMLElement, note: HTMLElement, fill: HTMLElement, value: HTMLElement}} Card */

/** @type {Card[]} */
let cards = [];
const barsNote = h('p', { class: 'quiet bars-note' });
let made = '';

/** The value that the bars show: of the analysis, the engine at work, or the last move. @returns {import('./values.js').Valued|null} */
export function currentValue() {
  const shown = state.shown, match = state.match;
  if (!match) return null;
  const analysed = state.analysis[0];
  if (state.searches.length > 0 && analysed) return analysed;
  const here = position();
  if (here?.over && here.points) return { value: here.points, unit: match.points };
  if (shown?.kind === 'past') return valueAt(match, state.review, shown.ply);
  if (state.thought?.running) return state.thought;
  for (let ply = match.moves.length; ply >= 0; --ply) if (state.review?.plies[ply]) return state.review.plies[ply];
  return null;
}

/** @param {number} seat @param {string} text */
async function change(seat, text) {
  const match = state.match;
  if (!match) return;
  const seats = (/** @type {string} */ wanted) => ({ seats: (state.match ?? match).seats.map((other, i) => (i === seat ? wanted : other.text)) });
  if (text !== 'custom') return send('seats', seats(text));
  if (!state.details) return;
  // closed: the card says again who sits there
  chooseEngine({ title: `The engine of seat ${seat + 1}`, text: match.seats[seat].text, details: state.details, use: (typed) => demand('seats', seats(typed)), closed: () => set({}) });
}

/** @param {import('./types.js').Match} match */
function build(match) {
  cards = match.seats.map((_, seat) => {
    const custom = h('option', { value: 'custom-now', hidden: true }), person = h('option', { value: 'human' }, 'Person');
    const who = h('select', { class: 'who', 'aria-label': `who plays seat ${seat + 1}`, onchange: () => change(seat, who.value) },
      person,
      ...state.levels.map((level) => h('option', { value: level.name, title: level.help }, level.title)),
      custom,
      h('option', { value: 'custom' }, 'Custom…'),
    );
    const points = h('span', { class: 'points' }), status = h('span', { class: 'status' }), note = h('span', { class: 'note' });
    const fill = h('div', { class: 'fill' }), value = h('span', { class: 'value' });
    const card = h('li', { class: `card seat-${seat}` },
      seatIcon(seat, `seat ${seat + 1}, ${kSeatShapes[seat]}`),
      h('div', { class: 'card-main' }, h('span', { class: 'seat-name' }, `Seat ${seat + 1}`), who),
      points,
      h('div', { class: 'meter' }, h('div', { class: 'track' }, fill), value),
      h('div', { class: 'card-foot' }, status, note),
    );
    return { card, person, who, custom, points, status, note, fill, value };
  });
  byId('seats').replaceChildren(h('ul', { class: 'cards' }, ...cards.map((card) => card.card)), barsNote);
}

export function drawSeats() {
  const match = state.match, here = position();
  if (!match || !here) return;
  const key = `${match.id} ${match.seats.length} ${state.levels.length}`;
  if (key !== made) {
    made = key;
    build(match);
  }
  const value = currentValue(), you = match.seats.filter((seat) => seat.person).length === 1;
  setText(barsNote, here.over ? 'Bars: how it ended.' : value ? `Bars: ${valueName(value.unit)}${value.by ? `, as ${shortEngine(value.by)} sees it` : ''}.` : 'Bars show what engines expect for each seat, once one has thought.');
  cards.forEach((parts, seat) => {
    const sits = match.seats[seat], known = sits.person || state.levels.some((level) => level.name === sits.text);
    setText(parts.person, you && sits.person ? 'You' : 'Person');
    parts.custom.hidden = known;
    parts.custom.textContent = shortEngine(sits.text);
    parts.who.value = sits.person ? 'human' : known ? sits.text : 'custom-now';
    parts.who.title = sits.person ? '' : sits.player;
    const points = here.over && here.score ? here.score[seat] : here.drawing.so_far[seat];
    setText(parts.points, points === undefined ? '' : decimal(points));
    parts.points.title = here.over ? 'score' : 'points so far';
    const turn = here.to_move === seat && !here.over && match.resigned === null;
    assign(parts.card, { 'data-turn': turn, 'data-out': !here.over && here.drawing.out.includes(seat), 'data-done': here.over || match.resigned !== null, 'data-won': here.over && here.gain?.[seat] === Math.max(...(here.gain ?? [])) && (here.gain?.[seat] ?? 0) > 0 });
    setText(parts.status, statusOf(match, here, seat));
    const told = notesOf(here.drawing).seats.get(seat) ?? '';
    setText(parts.note, untold(told.split(':')[0], points));
    parts.note.title = told;
    parts.fill.style.transform = `scaleX(${value ? share(match, value, seat).toFixed(3) : 0})`;
    setText(parts.value, value ? valueText(match, value, seat) : '');
    parts.value.title = value ? valueName(value.unit) : '';
  });
}

/** A note without what the card counts anyway. @param {string} note @param {number|undefined} points */
function untold(note, points) {
  const [first, ...others] = note.split(', ');
  return others.length > 0 && points !== undefined && first.startsWith(`${points} `) ? others.join(', ') : note;
}

/** A drawing's notes: "seat 2: …" is for that seat's card (what follows a further colon is detail), others are for all. What the cards count anyway is left out. @param {import('./types.js').Drawing} drawing */
export function notesOf({ notes, so_far }) {
  /** @type {Map<number, string>} */
  const seats = new Map();
  const others = [];
  for (const note of notes) {
    const own = /^seat (\d+): (.*)/.exec(note);
    if (own) seats.set(Number(own[1]) - 1, own[2]);
    else if (so_far.length === 0 || (note.match(/\d+/g) ?? []).join() !== so_far.join()) others.push(note);
  }
  return { seats, others };
}

/** @param {import('./types.js').Match} match @param {import('./types.js').Position} here @param {number} seat */
function statusOf(match, here, seat) {
  if (match.resigned === seat) return 'resigned';
  if (here.over) {
    const gain = here.gain?.[seat] ?? 0, you = match.seats[seat].person && match.seats.filter((one) => one.person).length === 1;
    return `${gain > 0 ? 'win' : gain < 0 ? 'lose' : 'draw'}${you ? '' : 's'}`;
  }
  if (here.drawing.out.includes(seat)) return 'out';
  if (here.to_move !== seat || match.resigned !== null) return '';
  if (match.seats[seat].person) return 'to move';
  return state.shown ? 'to move' : match.paused ? 'paused' : 'thinking';
}
