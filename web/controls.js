// The buttons around the board: undo to resign, the tabs, the drawer and the menu of small windows.

import { open, orTell, send, truth } from './api.js';
import { byId, setText, shortTitle } from './dom.js';
import { ask } from './dialog.js';
import { goTo, playFromHere, step } from './moves.js';
import { chooseGame, newGame } from './newgame.js';
import { set, state } from './store.js';

// as in layout.css
const small = matchMedia('(max-width: 760px), (max-height: 480px), (orientation: portrait) and (max-width: 1000px)');

/** What the button between hint and resign does: icon, words, words where there is little room, the act. @returns {[string, string, string, () => unknown]} */
function flow() {
  const match = state.match;
  if (!match) return ['pause', 'Pause engines', 'Pause', () => {}];
  const mover = match.position.to_move, engine = mover !== undefined && !match.seats[mover].person;
  if (state.shown?.kind === 'past') return ['play', 'Play on from here', 'Play on', playFromHere];
  if (match.position.over || match.resigned !== null) return ['again', 'Play again', 'Again', playAgain];
  if (match.paused) return ['play', 'Go on', 'Go on', () => send('pause', { paused: false })];
  if (engine) return ['now', 'Move now', 'Move now', () => send('now')];
  return ['pause', 'Pause engines', 'Pause', () => send('pause', { paused: true })];
}

/** The same seats on a fresh board. */
function playAgain() {
  const known = truth();
  if (known) void orTell(() => open({ ...known, seed: Math.floor(Math.random() * 1e6), moves: [], resigned: null }));
}

function drawFlow() {
  const [icon, words, brief] = flow(), pause = byId('pause'), match = state.match;
  setText(/** @type {Element} */ (pause.querySelector('span')), small.matches ? brief : words);
  pause.querySelector('use')?.setAttribute('href', `#i-${icon}`);
  pause.classList.toggle('primary', icon === 'play' || icon === 'again');
  pause.toggleAttribute('disabled', icon === 'pause' && (match?.seats.every((seat) => seat.person) ?? true));
}

export function drawControls() {
  const match = state.match;
  if (!match) return;
  const settings = (/\((.*)\)$/.exec(match.game)?.[1] ?? '').replaceAll(',', ', ').replaceAll('=', ' '), title = shortTitle(match.title);
  const about = settings ? ` · ${settings}` : match.title.slice(title.length).replace(/^, /, ' · ');
  setText(byId('game-title'), title);
  setText(byId('game-about'), about);
  document.title = `${title}${about} · polymax`;
  for (const id of ['copy-link', 'save']) byId(id).removeAttribute('disabled');
  const over = match.position.over || match.resigned !== null;
  byId('undo').toggleAttribute('disabled', match.moves.length === 0 && match.resigned === null);
  byId('redo').toggleAttribute('disabled', match.redo.length === 0);
  byId('hint').toggleAttribute('disabled', over);
  byId('resign').toggleAttribute('disabled', over || !match.seats.some((seat) => seat.person));
  drawFlow();
  /** @type {HTMLInputElement} */ (byId('confirm')).checked = state.confirm;
  for (const tab of document.querySelectorAll('[role=tab]'))
    tab.setAttribute('aria-selected', String(tab.getAttribute('data-tab') === state.tab));
  for (const name of ['moves', 'analysis', 'rules']) byId(`panel-${name}`).hidden = name !== state.tab;
  byId('side').toggleAttribute('data-open', state.drawer);
}

function setUpTabs() {
  const tabs = [...document.querySelectorAll('[role=tab]')].filter((tab) => tab instanceof HTMLElement);
  const choose = (/** @type {HTMLElement} */ tab, /** @type {boolean} */ drawer) => set({ tab: /** @type {any} */ (tab.dataset.tab), drawer });
  tabs.forEach((tab, i) => {
    // in a drawer a second tap on its tab closes it
    tab.addEventListener('click', () => choose(tab, !(state.drawer && state.tab === tab.dataset.tab)));
    tab.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const next = tabs[(i + (event.key === 'ArrowRight' ? 1 : tabs.length - 1)) % tabs.length];
      choose(next, true);
      next.focus();
    });
  });
}

function setUpMenu() {
  const button = byId('menu'), items = byId('menu-items');
  const show = (/** @type {boolean} */ open) => {
    items.toggleAttribute('data-open', open);
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => show(!items.hasAttribute('data-open')));
  items.addEventListener('click', () => show(false));
  document.addEventListener('pointerdown', (event) => event.target instanceof Element && !event.target.closest('#menu, #menu-items') && show(false));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !items.hasAttribute('data-open')) return;
    show(false);
    button.focus();
  });
}

export function setUpControls() {
  for (const action of ['undo', 'redo', 'hint']) byId(action).addEventListener('click', () => (set({ shown: null }), send(action)));
  byId('resign').addEventListener('click', async () => (await ask('Give up this match?', 'Resign')) && send('resign'));
  byId('pause').addEventListener('click', () => void flow()[3]());
  byId('confirm').addEventListener('change', (event) => set({ confirm: /** @type {HTMLInputElement} */ (event.target).checked }));
  byId('new-game').addEventListener('click', newGame);
  byId('choose-game').addEventListener('click', chooseGame);
  small.addEventListener('change', drawFlow);
  for (const button of document.querySelectorAll('[data-step]'))
    button.addEventListener('click', () => {
      const kind = button.getAttribute('data-step');
      void (kind === 'first' ? goTo(0) : kind === 'last' ? goTo(Infinity) : step(kind === 'back' ? -1 : 1));
    });
  setUpTabs();
  setUpMenu();
}
