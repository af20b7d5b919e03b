"""Random games of Othello a second, from Python: a loop in the shape of pyspiel's, over rules in pure Python and over ours,
a loop over our own states, and the games played behind one call. Prints a table.

    ./polymax python bench/python_random_play.py [seconds of each]
"""

import random
import sys
import time

import polymax
import polymax.openspiel

NEIGHBOURS = (-11, -10, -9, -1, 1, 9, 10, 11)  # on a board of 10x10 with a border
CELLS = [10 * row + column for row in range(1, 9) for column in range(1, 9)]
EMPTY, BORDER = 2, 3


class PureState:
    """Othello in Python alone, with the methods of pyspiel.State that a loop of random play calls."""

    def __init__(self):
        self.board = [BORDER] * 100
        for cell in CELLS:
            self.board[cell] = EMPTY
        for cell, seat in ((44, 1), (45, 0), (54, 0), (55, 1)):
            self.board[cell] = seat
        self.mover = 0
        self.legal = self._legal(0)

    def _flipped(self, cell, seat):
        board, out = self.board, []
        for step in NEIGHBOURS:
            at = cell + step
            while board[at] == 1 - seat:
                at += step
            if board[at] == seat:
                at -= step
                while at != cell:
                    out.append(at)
                    at -= step
        return out

    def _legal(self, seat):
        board, other = self.board, 1 - seat
        out = []
        for cell in CELLS:
            if board[cell] != EMPTY:
                continue
            for step in NEIGHBOURS:
                at = cell + step
                if board[at] != other:
                    continue
                while board[at] == other:
                    at += step
                if board[at] == seat:
                    out.append(cell)
                    break
        return out

    def is_terminal(self):
        return not self.legal

    def current_player(self):
        return self.mover

    def legal_actions(self):
        return self.legal

    def apply_action(self, action):
        for cell in self._flipped(action, self.mover):
            self.board[cell] = self.mover
        self.board[action] = self.mover
        for seat in (1 - self.mover, self.mover):
            self.legal = self._legal(seat)
            if self.legal:
                self.mover = seat
                return


def spiel_shaped(new_state):
    def play(rng):
        state = new_state()
        moves = 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return play


def over_states(game):
    def play(rng):
        state = game.start()
        moves = 0
        while not state.over:
            state = state.play_action(rng.choice(state.actions()))
            moves += 1
        return moves

    return play


def games_a_second(play, seconds):
    rng, games, moves, begin = random.Random(1), 0, 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        moves += play(rng)
        games += 1
    return games / (time.perf_counter() - begin), moves / games


def behind_one_call(game, seconds):
    games, begin = 1000, time.perf_counter()
    while True:
        played = game.random_play(games=games)
        spent = time.perf_counter() - begin
        if spent > seconds:
            return games / spent, played["moves"] / games
        games, begin = 2 * games, time.perf_counter()


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    game, spiel = polymax.Game("othello"), polymax.openspiel.load_game("othello")
    rows = [
        ("pyspiel's shape, rules in pure Python", *games_a_second(spiel_shaped(PureState), seconds)),
        ("pyspiel's shape, polymax.openspiel", *games_a_second(spiel_shaped(spiel.new_initial_state), seconds)),
        ("polymax.State", *games_a_second(over_states(game), seconds)),
        ("polymax.Game.random_play", *behind_one_call(game, seconds)),
    ]
    print(f"{'':40} {'games a second':>15} {'moves a game':>13} {'times':>8}")
    for name, speed, moves in rows:
        print(f"{name:40} {speed:15.1f} {moves:13.1f} {speed / rows[0][1]:8.1f}")


if __name__ == "__main__":
    main()
