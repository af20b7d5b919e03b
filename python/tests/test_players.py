"""Searches: the command line's results, Ctrl-C, progress, several threads, little overhead."""

import json
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
    with pytest.raises(ValueError, match="mcts never solves"):
        polymax.Player("mcts").think(state, solved=True)
    with pytest.raises(ValueError, match="mcts never solves"):
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
    assert player.think(state, evals=50).best


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
state = polymax.Game("hex(n=11)").start()
player = polymax.Player(sys.argv[1])
def begun(verdict):
    print("begun", flush=True)
try:
    player.think(state, seconds=600, on_progress=begun, every=0.3)
except KeyboardInterrupt:
    print("stopped", time.time(), flush=True)
    sys.exit(3)
"""


@pytest.mark.parametrize("spec", ["unbounded_maxn", "mcts", "maxn"])
def test_ctrl_c_stops_a_search(spec):
    child = subprocess.Popen([sys.executable, "-c", SCRIPT, spec], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert child.stdout.readline() == "begun\n"
    sent = time.time()
    child.send_signal(signal.SIGINT)
    rest = child.communicate(timeout=60)[0]
    assert child.returncode == 3, rest
    stopped = float(rest.split("stopped")[1])
    print(f"{spec}: stopped after {1000 * (stopped - sent):.0f} ms")
    assert stopped - sent < 10  # 100 ms on an idle machine


def test_a_call_costs_little():
    state, player = polymax.Game("tictactoe").start(), polymax.Player("random")
    best = min(_seconds(player, state) for _ in range(300))
    print(f"a call of think: {1e6 * best:.0f} µs")
    assert best < 0.01  # 100 µs on an idle machine


def _seconds(player, state):
    begin = time.perf_counter()
    player.think(state)
    return time.perf_counter() - begin
