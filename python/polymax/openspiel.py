"""Our games in the shape of OpenSpiel's Game and State, for code that was written for pyspiel.

Actions are numbers, rewards are the points of finished games; neither package is needed.

>>> import polymax.openspiel
>>> game = polymax.openspiel.load_game("tictactoe")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
>>> state.current_player(), len(state.legal_actions())
(1, 8)
"""

import numpy

from . import _core

TERMINAL = -4  # current_player() of a finished game, as pyspiel.PlayerId.TERMINAL


class Game:
    """A game with the methods of pyspiel.Game."""

    def __init__(self, spec):
        self._game = spec if isinstance(spec, _core.Game) else _core.Game(spec)

    def new_initial_state(self, seed=0):
        return State(self, self._game.start(seed))

    def num_players(self):
        return self._game.players

    def num_distinct_actions(self):
        return self._game.num_actions

    def max_game_length(self):
        return self._game.max_length

    def observation_tensor_shape(self):
        shape = self._game.planes_shape
        return list(shape) if shape else []

    def observation_tensor_size(self):
        return int(numpy.prod(self.observation_tensor_shape() or [0]))

    def deserialize_state(self, text):
        state = self.new_initial_state(int(text.split("\n", 1)[0]))
        for move in text.split("\n")[1:]:
            state._state = state._state.play(move)
        return state

    def __str__(self):
        return self._game.spec


class State:
    """A position with the methods of pyspiel.State; apply_action changes it."""

    def __init__(self, game, state):
        self._game, self._state = game, state

    @property
    def value(self):
        """The polymax.State, a value that is never changed."""
        return self._state

    def get_game(self):
        return self._game

    def num_players(self):
        return self._game.num_players()

    def current_player(self):
        return TERMINAL if self._state.over else self._state.to_move

    def is_terminal(self):
        return self._state.over

    def is_chance_node(self):
        return False

    def is_simultaneous_node(self):
        return False

    def legal_actions(self, player=None):
        if self._state.over or player not in (None, self._state.to_move):
            return []
        return sorted(self._state.actions())

    def legal_actions_mask(self, player=None):
        mask = [0] * self._game.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def action_to_string(self, player, action=None):
        action = player if action is None else action
        return self._state.moves()[self._state.actions().index(action)]

    def string_to_action(self, player, text=None):
        text = player if text is None else text
        return self._state.actions()[self._state.moves().index(text)]

    def apply_action(self, action):
        self._state = self._state.play_action(action)

    def child(self, action):
        return State(self._game, self._state.play_action(action))

    def clone(self):
        return State(self._game, self._state)

    def returns(self):
        return self._state.points if self._state.over else [0.0] * self.num_players()

    def rewards(self):
        return self.returns()

    def player_return(self, player):
        return self.returns()[player]

    def history(self):
        """Actions since the start."""
        out, state = [], self._game._game.start(self._state.seed)
        for move in self._state.history:
            out.append(state.actions()[state.moves().index(move)])
            state = state.play(move)
        return out

    def move_number(self):
        return len(self._state.history)

    def observation_tensor(self, player=None):
        return self._state.planes().ravel().tolist()

    def observation_string(self, player=None):
        return str(self._state)

    def serialize(self):
        return "\n".join([str(self._state.seed), *self._state.history])

    def __str__(self):
        return str(self._state)


def load_game(spec):
    """As pyspiel.load_game, with our specs: load_game("hex3(side=5)")."""
    return Game(spec)
