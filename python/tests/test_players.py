"""Searches: the command line's results, Ctrl-C, progress, several threads, little overhead."""

import copy
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import polymax
import pytest

SEARCHES = ["unbounded_maxn", "maxn(k=4)", "paranoid", "brs", "mcts", "unbounded_minimax", "greedy", "random"]


@pytest.mark.parametrize("spec", SEARCHES)
def test_thinks_as_the_command_line(spec, command_line):
    game = polymax.Game("hex3(side=4)")
    state = game.start(seed=7)
    for _ in range(3):
        state = state.play(state.moves()[2])
    verdict = polymax.Player(spec, seed=7).think(state, evals=300)
    told = json.loads(
        command_line(
            "think", game.spec, "--player", spec, "--budget", "evals=300", "--seed", 7, "--json", "--all",
            "--moves", ",".join(state.history),
        )
    )  # fmt: skip
    assert verdict.best == told["best"]
    assert verdict.value == pytest.approx(told["value"], abs=1e-6)
    assert verdict.pv == told["pv"]
    assert verdict.cost.evaluations == told["evaluations"]
    assert verdict.cost.nodes == told["nodes"]
    children = {child.move: child for child in verdict.children}
    for child in told["children"]:
        assert children[child["move"]].visits == child["visits"]
        assert children[child["move"]].value == pytest.approx(child["value"], abs=1e-6)


def test_a_search_that_never_solves_needs_an_end():
    state = polymax.Game("tictactoe").start()
    with pytest.raises(ValueError, match="mcts may never solve"):
        polymax.Player("mcts").think(state, solved=True)
    with pytest.raises(ValueError, match="mcts may never solve"):
        polymax.tournament("tictactoe", ["mcts", "maxn"], budget="depth=3", games=1)


def test_a_solved_game_is_proven():
    verdict = polymax.Player("unbounded_maxn").think(polymax.Game("tictactoe").start(), solved=True)
    assert verdict.proven in ("gain", "exact") and verdict.proof
    assert verdict.value == [0, 0]
    assert "tictactoe" not in repr(verdict) and verdict.best in repr(verdict)


def test_a_player_follows_a_match_and_forgets():
    game, player = polymax.Game("tictactoe"), polymax.Player("unbounded_maxn")
    state = game.start()
    first = player.think(state, solved=True)
    assert player.think(state.play(first.best), solved=True).cost.evaluations < first.cost.evaluations
    player.forget()
    assert player.think(polymax.Game("hex(n=4)").start(), evals=50).best
    again = pickle.loads(pickle.dumps(player))
    assert again.spec == player.spec and again.think(state, solved=True).best == first.best


def test_what_is_wrong_is_said():
    for spec in ("nosuchsearch", "maxn(", ""):
        with pytest.raises(ValueError):
            polymax.Player(spec)
    state = polymax.Game("tictactoe").start()
    with pytest.raises(ValueError, match="depht"):
        polymax.Player("maxn").think(state, depht=3)
    with pytest.raises(ValueError):
        polymax.Player("maxn(k=-1)").think(state)
    with pytest.raises(ValueError):
        polymax.Player("maxn").think(state, evals=-5)
    with pytest.raises(ValueError, match="over"):
        polymax.Player("maxn").think(state.play_all(["a1", "b1", "a2", "b2", "a3"]))
    with pytest.raises(TypeError):
        polymax.Player("maxn").think("a state")
    with pytest.raises(ValueError, match="on_progress is to be a function, not int"):
        polymax.Player("maxn").think(state, evals=5, on_progress=3)
    for every in (-1, float("nan")):
        with pytest.raises(ValueError, match="every is a number of seconds"):
            polymax.Player("maxn").think(state, evals=5, on_progress=print, every=every)


def test_progress_is_shown_and_may_end_the_search():
    state = polymax.Game("hex(n=9)").start()
    seen = []

    def look(verdict):
        seen.append(verdict.cost.evaluations)
        return len(seen) < 3

    verdict = polymax.Player("unbounded_maxn").think(state, seconds=600, on_progress=look, every=0.01)
    assert len(seen) == 3 and sorted(seen) == seen
    assert verdict.best in state.moves()


def test_what_progress_raises_ends_the_search():
    player, state = polymax.Player("mcts"), polymax.Game("hex(n=9)").start()
    with pytest.raises(ZeroDivisionError):
        player.think(state, seconds=600, on_progress=lambda verdict: 1 / 0, every=0.01)
    with pytest.raises(ValueError, match="thinking already"):
        player.think(state, seconds=600, on_progress=lambda verdict: player.think(state), every=0.01)
    with pytest.raises(ValueError, match="cannot forget"):
        player.think(state, seconds=600, on_progress=lambda verdict: player.forget(), every=0.01)
    assert player.think(state, evals=50).best


def told(verdict):
    children = [(c.move, c.value, c.visits, c.resolved, c.bound) for c in verdict.children]
    cost = [getattr(verdict.cost, name) for name in ("evaluations", "nodes", "bytes", "depth", "seconds")]
    return verdict.best, verdict.value, children, verdict.pv, verdict.proven, verdict.proof, cost


def test_verdicts_can_be_sent_and_copied():
    for spec in ("mcts", "paranoid", "unbounded_maxn"):
        verdict = polymax.Player(spec).think(polymax.Game("hex3(side=3)").start(), evals=300)
        for again in (pickle.loads(pickle.dumps(verdict)), copy.copy(verdict), copy.deepcopy(verdict)):
            assert told(again) == told(verdict) and repr(again) == repr(verdict)
    assert pickle.loads(pickle.dumps(verdict.children[0])).value == verdict.children[0].value


def best_of(spec):
    return polymax.Player(spec).think(polymax.Game("hex3(side=3)").start(), evals=300)


@pytest.mark.parametrize("how", ["fork", "spawn"])
def test_processes_of_python_think(how):
    best_of("mcts")  # the parent has had threads before
    with multiprocessing.get_context(how).Pool(2) as pool:
        for spec, verdict in zip(("mcts", "maxn"), pool.map(best_of, ("mcts", "maxn"))):
            assert told(verdict)[:4] == told(best_of(spec))[:4]


def test_several_threads_think():
    game = polymax.Game("hex3(side=4)")
    alone = polymax.Player("unbounded_maxn").think(game.start(), evals=400)
    found, shared = [], polymax.Player("unbounded_maxn")

    def think(player):
        player.forget()
        found.append(player.think(game.start(), evals=400))

    threads = [threading.Thread(target=think, args=(polymax.Player("unbounded_maxn"),)) for _ in range(4)]
    threads += [threading.Thread(target=shared.think, args=(game.start(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [verdict.value for verdict in found] == [alone.value] * 4


SCRIPT = """
import polymax, sys, time
sys.path.insert(0, sys.argv[2])
from example_games import Nim
state = polymax.Game(Nim((9, 9, 9)) if "python" in sys.argv[1] else "hex(n=11)").start()
player = polymax.Player(sys.argv[1].split()[0])
def begun(verdict):
    print("begun", flush=True)
try:
    player.think(state, seconds=600, on_progress=begun, every=0.3)
except KeyboardInterrupt:
    print("stopped", time.time(), flush=True)
    sys.exit(3)
"""


@pytest.mark.parametrize("spec", ["unbounded_maxn", "mcts", "maxn", "mcts python", "mcts(threads=3) python"])
def test_ctrl_c_stops_a_search(spec):
    stopped_by_ctrl_c(spec, [SCRIPT, spec])


def stopped_by_ctrl_c(name, script):
    command = [sys.executable, "-c", *script, os.path.dirname(__file__)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)
    assert child.stdout.readline() == "begun\n"
    sent = time.time()
    child.send_signal(signal.SIGINT)
    rest = child.communicate()[0]
    assert child.returncode == 3, rest
    stopped = float(rest.split("stopped")[1])
    print(f"{name}: stopped after {1000 * (stopped - sent):.0f} ms")


OTHER = {
    "a tournament": """polymax.tournament("hex", ["mcts", "mcts"], games=1000, budget="evals=20000", on_match=begun)""",
    "a tournament of a Python game": """polymax.tournament(
        Nim((3, 3, 3)), ["mcts"] * 3, games=100000, budget="evals=50", threads=4, on_match=begun)""",
    "random play": """begun(0), polymax.Game("blokus").random_play(games=10**9)""",
    "a model that takes its time": """polymax.Player("unbounded_maxn", evaluator=lambda planes: (
        begun(0), time.sleep(0.02), [[0, 0]] * len(planes))[2]).think(polymax.Game("hex").start(), seconds=600)""",
}

INTERRUPTED = """
import polymax, sys, time
sys.path.insert(0, sys.argv[1])
from example_games import Nim

def begun(_, said=[]):
    if not said:
        said.append(print("begun", flush=True))

try:
    %s
except KeyboardInterrupt:
    print("stopped", time.time(), flush=True)
    sys.exit(3)
"""


@pytest.mark.parametrize("work", OTHER)
def test_ctrl_c_stops_other_work(work):
    stopped_by_ctrl_c(work, [INTERRUPTED % OTHER[work]])


LEFT = """
import sys, threading, time
import polymax
sys.path.insert(0, sys.argv[1])
from example_games import Nim

def think(spec, game, **options):
    while True:
        polymax.Player(spec).think(polymax.Game(game).start(), seconds=600, **options)

def compete():
    polymax.tournament(Nim((9, 9, 9)), ["mcts"] * 3, games=1000, budget="evals=1000", threads=2)

threads = [
    threading.Thread(target=think, args=("mcts", "hex"), kwargs=dict(on_progress=lambda verdict: None, every=0.001)),
    threading.Thread(target=think, args=("mcts(threads=2)", Nim((9, 9, 9)))),
    threading.Thread(target=compete),
]
for thread in threads:
    thread.daemon = True
    thread.start()
time.sleep(0.5)
"""


def test_threads_that_still_think_do_not_hinder_the_end():
    folder = os.path.dirname(__file__)
    done = subprocess.run([sys.executable, "-c", LEFT, folder], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
