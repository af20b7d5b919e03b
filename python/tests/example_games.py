"""Small games written in Python, for the tests."""

import numpy


class Nim:
    """Heaps of stones; a move takes some of one heap; who takes the last stone has won."""

    def __init__(self, heaps=(1, 2, 3), players=3):
        self.heaps, self.players = tuple(heaps), players

    def start(self, seed):
        return (0, self.heaps)

    def to_move(self, state):
        return state[0]

    def moves(self, state):
        return [(heap, n) for heap, stones in enumerate(state[1]) for n in range(1, stones + 1)]

    def play(self, state, move):
        seat, heaps = state
        heap, n = move
        left = heaps[:heap] + (heaps[heap] - n,) + heaps[heap + 1 :]
        return ((seat + 1) % self.players, left)

    def over(self, state):
        return not any(state[1])

    def gain(self, state):
        winner = (state[0] - 1) % self.players
        return [1 if seat == winner else -1 for seat in range(self.players)]

    score = gain


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """The game that everybody knows, with planes and names of cells as our own has them."""

    name = "python_tictactoe"
    players = 2
    max_length = 9

    def start(self, seed):
        return "." * 9

    def to_move(self, state):
        return (9 - state.count(".")) % 2

    def moves(self, state):
        return [cell for cell in range(9) if state[cell] == "."]

    def play(self, state, move):
        return state[:move] + "xo"[self.to_move(state)] + state[move + 1 :]

    def winner(self, state):
        for a, b, c in LINES:
            if state[a] != "." and state[a] == state[b] == state[c]:
                return "xo".index(state[a])
        return None

    def over(self, state):
        return "." not in state or self.winner(state) is not None

    def gain(self, state):
        winner = self.winner(state)
        if winner is None:
            return [0, 0]
        return [1 if seat == winner else -1 for seat in range(2)]

    score = gain

    def planes(self, state):
        board = numpy.array([list(state[i : i + 3]) for i in (0, 3, 6)])
        return numpy.stack([board == "x", board == "o", numpy.full((3, 3), self.to_move(state) == 1)])

    def move_cell(self, state, move):
        return move

    def move_text(self, state, move):
        return "abc"[move % 3] + str(move // 3 + 1)
