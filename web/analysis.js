// Analysis of the position on the board by one or two searches: bars, best moves, the variation to step through, what is
// proven, what it cost. While none is asked for, the engine that moves is shown.

import { analyse, send } from './api.js';
import { brief, byId, h, setText } from './dom.js';
import { shortEngine } from './engine.js';
import { drawMistakes } from './mistakes.js';
import { moveName, placesOfShapes } from './moves.js';
import { sameLine } from './overlay.js';
import { seatIcon } from './pieces.js';
import { currentValue } from './seats.js';
import { line, position, set, state } from './store.js';
import { part, valueName, valueText } from './values.js';
import { expected, variation, why } from './variation.js';

/** @typedef {import('./types.js').Thought} Thought */

const kRows = 8, kRowsOfTwo = 5;

/** The thoughts that the panel shows. @returns {(Thought|null)[]} */
function shownThoughts() {
  if (state.searches.length > 0) return state.searches.map((_, slot) => state.analysis[slot]);
  const ply = position()?.ply;
  if (state.hint && !state.shown && state.hint.ply === ply) return [state.hint];
  return [state.shown ? null : state.thought];
}

/** Turns the analysis on (or again, for another position) or off. @param {boolean} on */
export function toggle(on) {
  const searches = on ? chosen() : [];
  return analyse(searches, line());
}

function chosen() {
  const first = /** @type {HTMLSelectElement} */ (byId('search-a')).value, second = /** @type {HTMLSelectElement} */ (byId('search-b')).value;
  return second === '' ? [first] : [first, second];
}

/** Fills the choosers for the match's game. */
export function fillSearches() {
  const details = state.details;
  if (!details) return;
  const budget = '@seconds=20';
  const list = details.searches.filter((entry) => entry.name !== 'random').map((entry) => ({ value: entry.name + budget, text: entry.name }));
  for (const id of ['search-a', 'search-b']) {
    const select = byId(id);
    const options = list.map((one) => h('option', { value: one.value }, one.text));
    if (id === 'search-a') options.unshift(h('option', { value: 'strongest', selected: true }, 'strongest'));
    else options.unshift(h('option', { value: '', selected: true }, 'compare with…'));
    select.replaceChildren(...options);
  }
}

for (const id of ['search-a', 'search-b']) byId(id).addEventListener('change', () => state.searches.length > 0 && toggle(true));
byId('analyse').addEventListener('click', () => toggle(state.searches.length === 0));
byId('review').addEventListener('click', () => send('review', { wanted: !state.review?.running }));

let asked = '';

/** Follows the board: another position is analysed when the analysis is on. */
export function followBoard() {
  if (state.searches.length === 0) return;
  const now = line(), key = `${state.match?.id} ${now.join(',')}`;
  if (state.shown?.kind === 'variation' || key === asked) return;
  const thought = state.analysis[0];
  asked = key;
  if (thought && sameLine(thought.line, now)) return;
  void toggle(true);
}

/** @param {Thought} thought */
function facts(thought) {
  const speed = thought.seconds > 0.05 ? `${brief(thought.evaluations / thought.seconds)}/s` : '';
  return [`${brief(thought.evaluations)} evaluations`, speed, thought.depth > 0 ? `depth ${thought.depth}` : '', `${thought.seconds.toFixed(1)} s`,
    thought.proof].filter((text) => text !== '').join(' · ');
}

/** @param {Thought|null} thought @param {number} slot @param {Thought|null} other */
function panel(thought, slot, other) {
  const match = state.match;
  const head = h('h2', { class: 'search-name', title: thought?.by ?? null }, thought ? shortEngine(thought.by) : state.searches.length > 0 ? 'waiting…' : 'No search is running');
  if (!thought || !match) return h('section', { class: `search slot-${slot}` }, head, h('p', { class: 'quiet' }, state.searches.length > 0 ? 'The search waits for its turn.' : 'Analyse looks at the position on the board, with one search or two; Find mistakes at every move of the match.'));
  const places = placesOfShapes();
  const most = state.searches.length > 1 ? kRowsOfTwo : kRows;
  const rows = thought.children.slice(0, most).map((child) => {
    const differs = other && child.move === thought.best && other.best !== thought.best;
    return h('tr', { class: child.move === thought.best ? 'chosen' : '', 'data-move': child.move, 'data-slot': slot },
      h('th', { scope: 'row', title: child.move }, moveName(child.move, places), differs && h('span', { class: 'differs', title: 'the other search prefers another move' }, '≠'), child.resolved && h('span', { class: 'proven', title: 'proven' }, '✓')),
      h('td', {}, child.visits > 0 ? brief(child.visits) : child.bound ? '≤' : '–'),
      ...match.seats.map((_, seat) => h('td', { class: seat === thought.mover ? 'seat own' : 'seat' }, valueText(match, { value: child.value, unit: thought.unit }, seat, most === kRows ? 1 : 0).replace(' %', ''))));
  });
  while (rows.length < most) rows.push(h('tr', { class: 'empty' }, h('td', { colspan: 2 + match.seats.length }, '\u00a0')));
  return h('section', { class: `search slot-${slot} seat-${thought.mover}` }, head, h('p', { class: 'facts' }, facts(thought)),
    h('table', { class: 'best-moves' },
      h('caption', { class: 'hidden' }, `best moves, ${valueName(thought.unit)}${thought.unit === 'score' ? '' : ' in percent'}`),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'move'), h('th', { scope: 'col' }, 'visits'), ...match.seats.map((_, seat) => h('th', { scope: 'col', class: seat === thought.mover ? 'seat own' : 'seat' }, seatIcon(seat, `seat ${seat + 1}`))))),
      h('tbody', {}, ...rows)),
    variation(thought, match));
}

let drawn = '';

// A button that is replaced between press and release is not clicked: nothing there is drawn anew meanwhile.
let pressed = false;
byId('searches').addEventListener('pointerdown', () => { pressed = true; });
for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, () => {
  if (!pressed) return;
  pressed = false;
  setTimeout(drawAnalysis);  // after the click
});

export function drawAnalysis() {
  const match = state.match;
  if (!match) return;
  setText(byId('analyse'), state.searches.length > 0 ? 'Stop' : 'Analyse');
  byId('analyse').setAttribute('aria-pressed', String(state.searches.length > 0));
  const running = state.review?.running ?? false;
  setText(byId('review'), running ? 'Stop looking' : 'Find mistakes');
  byId('review').toggleAttribute('disabled', match.moves.length === 0);
  if (state.tab !== 'analysis') return;
  drawStack();
  drawMistakes();
  const thoughts = shownThoughts();
  const key = JSON.stringify([match.id, thoughts, state.searches, state.shown?.kind, state.shown?.ply]);
  if (key === drawn || pressed) return;
  drawn = key;
  const focus = document.activeElement instanceof HTMLElement && byId('searches').contains(document.activeElement) ? [...byId('searches').querySelectorAll('button')].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) : -1;
  byId('searches').replaceChildren(...thoughts.map((thought, slot) => panel(thought, slot, thoughts.length > 1 ? thoughts[1 - slot] : null)));
  byId('searches').classList.toggle('two', thoughts.length > 1);
  if (focus >= 0) byId('searches').querySelectorAll('button')[focus]?.focus();
  why(thoughts[0]);
}

/** The chances of all seats in one bar. */
function drawStack() {
  const match = state.match, value = currentValue(), stack = byId('stack');
  if (!match) return;
  const parts = value ? match.seats.map((_, seat) => part(match, value, seat)) : [];
  stack.setAttribute('aria-label', value ? `${valueName(value.unit)}: ${match.seats.map((_, seat) => `seat ${seat + 1} ${valueText(match, value, seat)}`).join(', ')}` : 'No value is known yet');
  while (stack.childElementCount > parts.length) stack.lastElementChild?.remove();
  while (stack.childElementCount < parts.length) stack.append(h('span', { class: `seat-${stack.childElementCount}` }));
  const sum = parts.reduce((a, b) => a + b, 0) || 1;
  parts.forEach((one, seat) => {
    const element = /** @type {HTMLElement} */ (stack.children[seat]);
    element.style.flexGrow = (one / sum).toFixed(3);
    setText(element, value && one / sum > 0.11 ? valueText(match, value, seat).replace(' %', '%') : '');
  });
}

/** The row of a table that is pointed at: its move on the board, of the best one also what is expected to follow. @param {Event} event */
function point(event) {
  const row = event.target instanceof Element ? event.target.closest('tr[data-move]') : null;
  const move = row?.getAttribute('data-move') ?? '', thought = shownThoughts()[Number(row?.getAttribute('data-slot') ?? 0)];
  if (!move || !thought) return set({ ghosts: [] });
  set({ ghosts: move === thought.pv[0] ? expected(thought).slice(0, 6) : [{ move, seat: thought.mover }] });
}
byId('searches').addEventListener('pointerover', point);
byId('searches').addEventListener('pointerleave', () => set({ ghosts: [] }));
