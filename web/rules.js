// The rules of the game in a panel: a small part of Markdown, and boards. A block ```board holds a game and moves
// ("hex3(side=3) a1 b2") and, on further lines, what the picture shows.

import { positionAfter } from './api.js';
import { picture } from './board.js';
import { byId, h } from './dom.js';
import { state } from './store.js';

/** **bold**, *italic*, `code` @param {string} text */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**')) return h('strong', {}, part.slice(2, -2));
    if (part.startsWith('*') && part.length > 2) return h('em', {}, part.slice(1, -1));
    if (part.startsWith('`')) return h('code', {}, part.slice(1, -1));
    return part;
  });
}

/** @param {string[]} lines of a board block */
function board(lines) {
  const [game, ...moves] = lines[0].trim().split(/\s+/);
  const caption = lines.slice(1).join(' ');
  const figure = h('figure', { class: 'rule-board' }, h('figcaption', {}, ...inline(caption)));
  positionAfter(game, 7, moves).then(
    (found) => figure.prepend(picture(found.drawing, caption, found.shapes)),
    (error) => figure.prepend(h('p', { class: 'trouble' }, String(error.message))),
  );
  return figure;
}

/** @param {string} text */
export function markdown(text) {
  const out = [], lines = text.split('\n');
  for (let i = 0; i < lines.length; ++i) {
    const line = lines[i];
    if (line.startsWith('```board')) {
      const end = lines.indexOf('```', i + 1);
      out.push(board(lines.slice(i + 1, end)));
      i = end;
    } else if (/^#+ /.test(line)) {
      out.push(h(line.startsWith('# ') ? 'h2' : 'h3', {}, ...inline(line.replace(/^#+ /, ''))));
    } else if (line.startsWith('- ')) {
      const items = [];
      for (; i < lines.length && (lines[i].startsWith('- ') || lines[i].startsWith('  ')); ++i)
        if (lines[i].startsWith('- ')) items.push(lines[i].slice(2));
        else items[items.length - 1] += ` ${lines[i].trim()}`;
      --i;
      out.push(h('ul', {}, ...items.map((item) => h('li', {}, ...inline(item)))));
    } else if (line.trim() !== '') {
      let paragraph = line;
      while (i + 1 < lines.length && lines[i + 1].trim() !== '' && !/^(#|- |```)/.test(lines[i + 1])) paragraph += ` ${lines[++i]}`;
      out.push(h('p', {}, ...inline(paragraph)));
    }
  }
  return out;
}

/** What keys do on the page: keys.js. @type {[string, string][]} */
const kKeys = [
  ['← ↑ → ↓', 'walk over the board'], ['N', 'next marked cell'], ['Enter', 'choose, play'], ['Esc', 'one step back'], ['U Y', 'undo, redo'], ['H', 'hint'],
  ['Space', 'engines on or off'], ['R F', 'turn, flip a shape'], ['[ ]', 'other shape'],
];

let drawn = '';

export function drawRules() {
  const details = state.details;
  if (!details || state.tab !== 'rules' || drawn === details.name) return;
  drawn = details.name;
  const panel = byId('panel-rules');
  if (details.rules) panel.replaceChildren(...markdown(details.rules));
  else panel.replaceChildren(h('h2', {}, details.title), h('p', {}, details.source));
  panel.append(h('h3', {}, 'Keys'), h('dl', { class: 'key-list' }, ...kKeys.flatMap(([keys, does]) => [h('dt', {}, ...keys.split(' ').map((key) => h('kbd', {}, key))), h('dd', {}, does)])));
}
