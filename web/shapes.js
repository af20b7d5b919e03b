// Moves that put whole shapes on the board (sets of cells that are equal up to turning and flipping): grouping the legal
// moves by shape, and finding the place that is meant. Derived from the moves and the places of their cells alone.

import { cellsOf } from './pick.js';

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{move: string, cells: string[], at: Point, points: Point[]}} Place  at: the middle */
/** @typedef {{key: string, cells: Point[], places: Place[]}} Turn */
/** @typedef {{key: string, size: number, turns: Turn[], count: number}} Shape */

/** @param {Point[]} points */
function normal(points) {
  const left = Math.min(...points.map((p) => p.x)), top = Math.min(...points.map((p) => p.y));
  return points
    .map((p) => ({ x: Math.round(p.x - left), y: Math.round(p.y - top) }))
    .sort((a, b) => a.y - b.y || a.x - b.x);
}

/** @param {Point[]} points */
const keyOf = (points) => points.map((p) => `${p.x},${p.y}`).join(' ');

/** A quarter turn clockwise. @param {Point[]} points */
const turned = (points) => normal(points.map((p) => ({ x: -p.y, y: p.x })));
/** @param {Point[]} points */
const flipped = (points) => normal(points.map((p) => ({ x: -p.x, y: p.y })));

/** The eight ways to lay a shape: four turns, then four turns of its mirror image. @param {Point[]} points */
export function waysToLay(points) {
  const out = [];
  for (let side = normal(points), i = 0; i < 2; side = flipped(normal(points)), ++i)
    for (let quarter = 0, now = side; quarter < 4; ++quarter, now = turned(now)) out.push(now);
  return out;
}

/**
 * @param {string[]} legal
 * @param {Map<string, Point>} places  of the cells
 * @returns {Shape[]}  the largest first; turns: the eight ways, those equal to an earlier one without places of their own
 */
export function shapesOf(legal, places) {
  /** @type {Map<string, {turn: Point[], list: Place[]}>} */
  const byTurn = new Map();
  for (const move of legal) {
    const cells = cellsOf(move);
    const points = cells.map((cell) => places.get(cell)).filter((p) => p !== undefined);
    if (points.length !== cells.length) continue;
    const turn = normal(points), key = keyOf(turn);
    let group = byTurn.get(key);
    if (!group) byTurn.set(key, (group = { turn, list: [] }));
    const at = {
      x: points.reduce((sum, p) => sum + p.x, 0) / points.length,
      y: points.reduce((sum, p) => sum + p.y, 0) / points.length,
    };
    group.list.push({ move, cells, at, points });
  }
  /** @type {Map<string, Shape>} */
  const shapes = new Map();
  for (const { turn } of byTurn.values()) {
    const ways = waysToLay(turn);
    const key = ways.map(keyOf).sort()[0];
    if (shapes.has(key)) continue;
    const first = waysToLay(ways.find((way) => keyOf(way) === key) ?? turn);
    const turns = first.map((cells) => {
      const own = keyOf(cells);
      return { key: own, cells, places: byTurn.get(own)?.list ?? [] };
    });
    const distinct = new Map(turns.map((t) => [t.key, t]));
    const count = [...distinct.values()].reduce((sum, t) => sum + t.places.length, 0);
    shapes.set(key, { key, size: turn.length, turns, count });
  }
  return [...shapes.values()].sort((a, b) => b.size - a.size || a.key.localeCompare(b.key));
}

/** The legal place nearest to a point. @param {Turn} turn @param {Point} to */
export function nearest(turn, to) {
  /** @type {Place|null} */
  let best = null;
  let least = Infinity;
  for (const place of turn.places) {
    const covers = place.points.some((p) => p.x === to.x && p.y === to.y);
    const distance = Math.hypot(place.at.x - to.x, place.at.y - to.y) - (covers ? 0.5 : 0);
    if (distance < least) {
      least = distance;
      best = place;
    }
  }
  return best;
}

/** The next legal place in a direction. @param {Turn} turn @param {Place} from @param {Point} way */
export function nextPlace(turn, from, way) {
  /** @type {Place|null} */
  let best = null;
  let least = Infinity;
  for (const place of turn.places) {
    const dx = place.at.x - from.at.x, dy = place.at.y - from.at.y;
    const along = dx * way.x + dy * way.y, aside = Math.abs(dx * way.y) + Math.abs(dy * way.x);
    if (along < 0.4) continue;
    const cost = along + 2 * aside;
    if (cost < least) {
      least = cost;
      best = place;
    }
  }
  return best;
}
