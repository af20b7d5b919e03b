// The shapes of the server's JSON (src/server/json.cpp and session_view.cpp), for tsc --checkJs and for readers. No code.

/** name, x, y, owner, under, mark, tint: src/core/drawing.hpp @typedef {[string, number, number, number, number, string, number]} Cell */
/** seat, x1, y1, x2, y2 @typedef {[number, number, number, number, number]} Side */

/**
 * @typedef {object} Drawing
 * @property {'square'|'hexagon'} shape
 * @property {Cell[]} cells
 * @property {Side[]} sides
 * @property {number[]} so_far  what each seat has now; empty in games that do not count
 * @property {number[]} out     seats that do not move any more
 * @property {string[]} notes
 */

/**
 * @typedef {object} Position
 * @property {number} ply
 * @property {Drawing} drawing
 * @property {boolean} over
 * @property {number} [to_move]
 * @property {string[]} legal
 * @property {number[]} [score]
 * @property {number[]} [gain]
 * @property {number[]} [points]
 */

/** @typedef {'score'|'depth'|'gain'} Unit */
/** @typedef {{text: string, player: string, person: boolean}} Seat */

/**
 * @typedef {object} Match
 * @property {string} id
 * @property {number} version  of two states the larger one is newer
 * @property {string} game
 * @property {string} name
 * @property {string} title
 * @property {Unit} points
 * @property {number} max_length
 * @property {boolean} shapes   moves lay whole shapes
 * @property {number|string} seed
 * @property {Seat[]} seats
 * @property {string[]} moves
 * @property {number[]} movers
 * @property {string[]} redo
 * @property {number|null} resigned
 * @property {boolean} paused
 * @property {boolean} hinting
 * @property {string} error
 * @property {Position} position
 */

/** @typedef {{move: string, visits: number, value: number[], resolved: boolean, bound: boolean}} Child */

/**
 * @typedef {object} Thought  what a search thinks of a position
 * @property {number} ply
 * @property {number} mover
 * @property {string} best
 * @property {number[]} value
 * @property {number} moves
 * @property {Child[]} children
 * @property {string[]} pv
 * @property {number[]} pv_seats  who would play the first of them
 * @property {number} evaluations
 * @property {number} nodes
 * @property {number} depth
 * @property {number} seconds
 * @property {'none'|'gain'|'exact'} proven
 * @property {string} proof  in words; empty: nothing is proven
 * @property {Unit} unit
 * @property {string} by
 * @property {boolean} running
 * @property {string[]} [line]
 */

/** @typedef {{value: number[], unit: Unit, best: string, proof: string, by: string, reviewed: boolean, move: {grade: 'fine'|'mistake'|'blunder', lost: number}|null}} Assessed  move: the one played there, when it is judged */
/** @typedef {{plies: (Assessed|null)[], running: boolean}} Review */
/** @typedef {{key: string, help: string, allowed: string, preset: string}} Setting */
/** @typedef {{name: string, title: string, players: number, settings: Setting[], picture: Drawing, shapes: boolean, aim: string}} Game  shapes: pieces fill their cells */
/** @typedef {{name: string, title: string, help: string}} Level */
/** @typedef {{name: string, title: string, settings: Setting[]}} Entry */
/** @typedef {{name: string, title: string, source: string, aim: string, rules: string, settings: Setting[], searches: Entry[], evaluators: Entry[]}} GameDetails */
/** @typedef {{game: string, seed: number|string, seats: string[], moves: string[], resigned?: number|null, paused?: boolean}} Truth */

/**
 * A position that is shown instead of the match's: an earlier one, or one of a variation.
 * @typedef {{kind: 'past'|'variation', ply: number, moves: string[], position: Position}} Shown
 */

export {};
