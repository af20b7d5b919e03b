"""polymax: search, learning, matches and studies for perfect-information games with any number of players.

>>> import polymax
>>> state = polymax.Game("hex3(side=4)").start()
>>> verdict = polymax.Player("unbounded_maxn").think(state, evals=500)
>>> len(verdict.value)
3

Seats are counted from 0 here, as places in the lists of values; texts for people count them from 1.
docs/python.md is the tutorial.
"""

import sys

if "_polymax" in sys.builtin_module_names:  # `./polymax python` has the binding inside
    import _polymax as _core

    sys.modules[__name__ + "._core"] = _core

from ._core import (
    Child,
    Cost,
    Error,
    Evaluator,
    FailedError,
    Game,
    Net,
    Player,
    State,
    Study,
    UsageError,
    Verdict,
    __version__,
    can_train,
    commit,
    evaluators,
    games,
    match,
    searches,
    shipped_net,
    tournament,
    train,
)
from .nets import import_net
from .tables import table as _table

Study.table = _table


def __getattr__(name):  # polymax.openspiel and polymax.aec, when they are first asked for
    if name in ("aec", "openspiel"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'polymax' has no attribute '{name}'")


__all__ = [
    "Child",
    "Cost",
    "Error",
    "Evaluator",
    "FailedError",
    "Game",
    "Net",
    "Player",
    "State",
    "Study",
    "UsageError",
    "Verdict",
    "__version__",
    "can_train",
    "commit",
    "evaluators",
    "games",
    "import_net",
    "match",
    "searches",
    "shipped_net",
    "tournament",
    "train",
]
