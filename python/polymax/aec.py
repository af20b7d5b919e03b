"""Our games in the shape of PettingZoo's AEC environments: agents act one after the other.

Observations are dicts with "observation" (planes, int8) and "action_mask"; an agent gets its points
when the game is over. PettingZoo is not needed; where gymnasium is installed, spaces are its spaces.

>>> import polymax.aec
>>> env = polymax.aec.env("tictactoe")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     env.step(None if termination else int(observation["action_mask"].argmax()))
>>> env.agents
[]
"""

import numpy

from . import _core


class Discrete:
    """Whole numbers 0..n-1."""

    def __init__(self, n):
        self.n, self.shape, self.dtype = n, (), numpy.dtype(numpy.int64)

    def contains(self, x):
        return isinstance(x, (int, numpy.integer)) and 0 <= x < self.n

    def sample(self, mask=None):
        if mask is None:
            return int(numpy.random.randint(self.n))
        return int(numpy.random.choice(numpy.flatnonzero(mask)))

    def __repr__(self):
        return f"Discrete({self.n})"


class Box:
    """Arrays of one shape, their numbers between two bounds."""

    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape, self.dtype = low, high, tuple(shape), numpy.dtype(dtype)

    def contains(self, x):
        return (
            isinstance(x, numpy.ndarray)
            and x.shape == self.shape
            and x.dtype == self.dtype
            and bool(((x >= self.low) & (x <= self.high)).all())
        )

    def __repr__(self):
        return f"Box({self.low}, {self.high}, {self.shape}, {self.dtype})"


class Dict:
    """Several spaces by name."""

    def __init__(self, spaces):
        self.spaces = dict(spaces)

    def __getitem__(self, name):
        return self.spaces[name]

    def contains(self, x):
        return set(x) == set(self.spaces) and all(s.contains(x[n]) for n, s in self.spaces.items())

    def __repr__(self):
        return f"Dict({self.spaces})"


try:
    from gymnasium.spaces import Box, Dict, Discrete  # noqa: F811
except ImportError:
    pass


class Env:
    """A game as an AEC environment. Agents are named player_0, player_1, ... by their seats."""

    def __init__(self, game, render_mode=None):
        self.game = game if isinstance(game, _core.Game) else _core.Game(game)
        if self.game.num_actions == 0:
            raise _core.UsageError(f"the game '{self.game.name}' does not say where its moves lie")
        self.render_mode = render_mode
        self.metadata = {
            "name": self.game.spec,
            "render_modes": ["ansi", "svg"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        mask = Box(0, 1, (self.game.num_actions,), numpy.int8)
        planes = Box(0, 1, self.game.planes_shape, numpy.int8)
        seen = Dict({"observation": planes, "action_mask": mask})
        self.observation_spaces = {agent: seen for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.game.num_actions) for agent in self.possible_agents}
        self.agents = []

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    def reset(self, seed=None, options=None):
        self._state = self.game.start(seed or 0)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._select()

    def _select(self):
        if not self._state.over:
            self.agent_selection = self.possible_agents[self._state.to_move]
        elif self.agents:
            self.agent_selection = self.agents[0]

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError("when an agent is dead, the only valid action is None")
            self._leave(agent)
            return
        self._state = self._state.play_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        points = self._state.points if self._state.over else [0.0] * len(self.possible_agents)
        self.rewards = dict(zip(self.possible_agents, points))
        for other in self.agents:
            self._cumulative_rewards[other] += self.rewards[other]
            self.terminations[other] = self._state.over
        self._select()

    def _leave(self, agent):
        self.agents.remove(agent)
        for table in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            table.pop(agent, None)
        self._select()

    def observe(self, agent):
        mask = numpy.zeros(self.game.num_actions, numpy.int8)
        if not self._state.over and agent == self.possible_agents[self._state.to_move]:
            mask[self._state.actions()] = 1
        return {"observation": self._state.planes().astype(numpy.int8), "action_mask": mask}

    def last(self, observe=True):
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter=2**63):
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def state(self):
        return self._state.planes()

    def render(self):
        if self.render_mode == "svg":
            return self._state.svg()
        return str(self._state)

    def close(self):
        pass


def env(game, render_mode=None):
    """An environment for a spec or a polymax.Game."""
    return Env(game, render_mode)
