// Keys: arrows walk over the board, N goes to the next marked cell, Enter plays, U and Z undo, Y redoes, H hints, Space turns the engines on and off, R
// and F turn and flip a shape, Escape steps back. In the list of moves the arrows step through the match.

import { send } from './api.js';
import { byId } from './dom.js';
import { goTo, step } from './moves.js';
import { set, state } from './store.js';
import { flip, nextShape, turn, usesShapes, walk } from './tray.js';

/** @typedef {{board: import('./board.js').Board, enter: (cell: string) => void, drop: () => void}} Hands */

/** @type {Record<string, [number, number]>} */
const kArrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Hands} hands */
export function listen(hands) {
  document.addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, select, textarea, dialog')) return;
    if (state.view === 'play' && press(event, target, hands)) event.preventDefault();
  });
  byId('board').addEventListener('wheel', (event) => {
    if (!usesShapes() || !state.tray) return;
    event.preventDefault();
    turn(hands.board, event.deltaY > 0 ? 1 : -1);
  }, { passive: false });
}

/** @param {KeyboardEvent} event @param {Element} target @param {Hands} hands @returns {boolean} whether the key meant something */
function press(event, target, hands) {
  const onBoard = target.closest('#board') !== null;
  const arrow = kArrows[event.key];
  if (arrow && target.closest('#move-list, .steps')) {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') void step(-1);
    else void step(1);
    return true;
  }
  if (arrow && target.closest('[role=tab], .tray')) return false;
  if (arrow) {
    if (usesShapes() && state.tray) walk(...arrow);
    else hands.board.focus(onBoard ? hands.board.beside(hands.board.focused, ...arrow) : hands.board.focused);
    return true;
  }
  if (event.key === 'Enter' || (event.key === ' ' && onBoard)) {
    if (usesShapes() && state.tray && !target.closest('button')) hands.drop();
    else if (onBoard) hands.enter(hands.board.focused);
    else return false;
    return true;
  }
  return letter(event, target, hands);
}

/** @param {KeyboardEvent} event @param {Element} target @param {Hands} hands */
function letter(event, target, hands) {
  switch (event.key.toLowerCase()) {
    case 'u':
    case 'z':
      void send('undo');
      return true;
    case 'y':
      void send('redo');
      return true;
    case 'h':
      void send('hint');
      return true;
    case ' ':
      if (target.closest('button, a, summary')) return false;
      void send('pause', { paused: !state.match?.paused });
      return true;
    case 'n':
      if (!usesShapes()) hands.board.focus(hands.board.nextLegal(event.shiftKey ? -1 : 1));
      return true;
    case 'r':
      turn(hands.board, event.shiftKey ? -1 : 1);
      return true;
    case 'f':
      flip(hands.board);
      return true;
    case '[':
    case ']':
      nextShape(event.key === ']' ? 1 : -1);
      return true;
    case 'home':
      void goTo(0);
      return true;
    case 'end':
      void goTo(Infinity);
      return true;
    case 'escape':
      set(state.picked.length > 0 ? { picked: state.picked.slice(0, -1), preview: '' } : { shown: null, ghosts: [], drawer: false });
      return true;
    default:
      return false;
  }
}
