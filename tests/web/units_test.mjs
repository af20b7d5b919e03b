// The parts of the page that are plain functions: narrowing of moves, shapes, links.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineOf, shortEngine, textOf } from '../../web/engine.js';
import { hashOf, linkOf } from '../../web/link.js';
import { click, narrowed, targets, wholeMove } from '../../web/pick.js';
import { nearest, nextPlace, shapesOf, waysToLay } from '../../web/shapes.js';

test('one cell is one click', () => {
  assert.deepEqual(click(['a1', 'b2'], [], 'b2'), { picked: ['b2'], move: 'b2' });
  assert.deepEqual(click(['a1', 'b2'], [], 'c3'), { picked: [], move: null });
});

test('clicks narrow moves of several cells in any order', () => {
  const legal = ['a1-b2', 'a1-c3', 'd4-c3'];
  assert.deepEqual([...targets(legal, [])].sort(), ['a1', 'd4']);
  assert.deepEqual(click(legal, [], 'a1'), { picked: ['a1'], move: null });
  assert.deepEqual([...targets(legal, ['a1'])].sort(), ['b2', 'c3']);
  assert.equal(click(legal, ['a1'], 'c3').move, 'a1-c3');
  assert.equal(click(legal, ['c3'], 'd4').move, 'd4-c3', 'the target first');
  assert.deepEqual(click(legal, ['a1'], 'd4'), { picked: ['d4'], move: 'd4-c3' }, 'another beginning');
  assert.deepEqual(click(legal, ['a1'], 'a1'), { picked: [], move: null }, 'a second click takes it back');
  assert.deepEqual(narrowed(legal, ['c3']), ['a1-c3', 'd4-c3']);
});

test('a move whose cells are part of another one is meant by a second click', () => {
  const legal = ['a1-b1', 'a1-b1-c1'];
  assert.equal(wholeMove(legal, ['a1', 'b1']), 'a1-b1');
  assert.equal(click(legal, ['a1'], 'b1').move, null);
  assert.equal(click(legal, ['a1', 'b1'], 'b1').move, 'a1-b1');
});

const places = new Map([...'abcd'].flatMap((letter, x) => [1, 2, 3, 4].map((row) => [`${letter}${row}`, { x, y: 4 - row }])));

test('moves are grouped by shape, turned and flipped ones together', () => {
  const shapes = shapesOf(['a1-a2-a3', 'a1-b1-c1', 'a1-b1', 'a1', 'a2-a1-b1', 'c1-d1-d2'], places);
  assert.deepEqual(shapes.map((shape) => [shape.size, shape.count]).sort(), [[1, 1], [2, 1], [3, 2], [3, 2]]);
  assert.equal(waysToLay([{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 1, y: 1 }]).length, 8);
});

test('the nearest place, and the next one in a direction', () => {
  const [shape] = shapesOf(['a1-b1', 'c1-d1', 'a3-b3'], places);
  const turn = shape.turns.find((one) => one.places.length === 3);
  assert.equal(nearest(turn, { x: 3, y: 3 }).move, 'c1-d1');
  const from = turn.places.find((place) => place.move === 'a1-b1');
  assert.equal(nextPlace(turn, from, { x: 1, y: 0 }).move, 'c1-d1');
  assert.equal(nextPlace(turn, from, { x: 0, y: -1 }).move, 'a3-b3');
  assert.equal(nextPlace(turn, from, { x: -1, y: 0 }), null);
});

test('the text of an engine and what the controls make of it', () => {
  assert.deepEqual(engineOf('mcts(c=0.5,eval=playouts)@evals=20'), { search: 'mcts', evaluator: 'playouts', unit: 'evals', amount: '20' });
  assert.deepEqual(engineOf('maxn'), { search: 'maxn', evaluator: '', unit: 'seconds', amount: '' });
  assert.equal(textOf({ search: 'mcts', evaluator: '', unit: 'seconds', amount: '' }), 'mcts@seconds=1');
  assert.equal(textOf(engineOf('maxn(eval=zero)@seconds=0.5')), 'maxn(eval=zero)@seconds=0.5');
  assert.equal(shortEngine('maxn(eval=network(file="a"))@seconds=1'), 'maxn · network');
});

test('a link holds a match', () => {
  const truth = { game: 'hex3(side=5,blocked=out)', seed: 12, seats: ['human', 'mcts(c=0.5)@evals=20', 'casual'], moves: ['a1', 'b2-c3'], resigned: null };
  assert.deepEqual(linkOf(hashOf(truth, 'xyz')), { truth, id: 'xyz', wrong: '' });
  for (const seed of [0, 2 ** 53 - 1, '1152921504606846977', '18446744073709551615'])
    assert.equal(linkOf(hashOf({ ...truth, seed })).truth.seed, seed);
});

test('what is wrong with a link is said', () => {
  for (const hash of ['', '#', '#play']) assert.deepEqual(linkOf(hash), { truth: null, id: '', wrong: '' });
  assert.match(linkOf('#bogus').wrong, /#bogus/);
  assert.deepEqual(linkOf('#play?id=zzzz'), { truth: null, id: 'zzzz', wrong: '' });
  assert.match(linkOf('#play?moves=a1').wrong, /names no game/);
  for (const seed of ['-1', '1.5', 'x', '']) {
    const link = linkOf(`#play?game=hex&seed=${seed}`);
    assert.equal(link.truth.seed, 0);
    assert.ok(link.wrong.includes(`seed=${seed} is no whole number`), link.wrong);
  }
  assert.match(linkOf('#play?game=hex&resigned=me').wrong, /resigned=me/);
  assert.match(linkOf('#play?game=hex&sed=1').wrong, /sed is no part/);
});
