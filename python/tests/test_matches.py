"""Matches, tournaments and studies: what the command line plays."""

import json
import shutil
import threading

import polymax
import pytest
from conftest import ROOT

LINE_UP = ["unbounded_maxn", "maxn", "greedy"]


def test_a_tournament_is_that_of_the_command_line(command_line):
    ours = polymax.tournament("hex3(side=3)", LINE_UP, games=3, rotate=True, budget="evals=100", seed=5, opening=1)
    told = json.loads(
        command_line(
            "match", "hex3(side=3)", "--players", ";".join(LINE_UP), "--games", 3, "--rotate", "--budget", "evals=100",
            "--seed", 5, "--opening", 1, "--json",
        )
    )  # fmt: skip
    assert ours.keys() == told.keys()
    for key in ("game", "planned", "played", "failed", "first_error", "forfeits", "budgets"):
        assert ours[key] == told[key]
    for mine, theirs in zip(ours["players"], told["players"]):
        assert mine.keys() == theirs.keys()
        assert mine["blocks"] == theirs["blocks"] and mine["elo"] == theirs["elo"]
        for key in ("player", "results", "score", "wins", "draws", "losses", "points", "moves", "evaluations_per_move"):
            assert mine[key] == pytest.approx(theirs[key]) if isinstance(mine[key], float) else mine[key] == theirs[key]


def test_records_come_in_order_and_may_end_it():
    seen = []

    def look(record):
        seen.append(record)
        return len(seen) < 3

    result = polymax.tournament("tictactoe", ["greedy", "random"], games=10, threads=4, on_match=look)
    assert result["played"] == 3 == len(seen)
    alone = polymax.match("tictactoe", ["greedy", "random"])
    assert "time" in alone and {**seen[0], "time": None} == {**alone, "time": None}
    with pytest.raises(KeyError):
        polymax.tournament("tictactoe", ["greedy", "random"], games=10, on_match=lambda record: record["no such key"])


def test_a_match_can_be_played_again():
    record = polymax.match("hex3(side=3)", LINE_UP, budget=["evals=50", "evals=60", "evals=70"], seed=9)
    state = polymax.Game(record["game"]).start(int(record["seed"]))
    for move in record["moves"]:
        state = state.play(move)
    assert state.over and state.gain == record["gain"]


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="a whole number from 0 to 2\\^64-1 is wanted, not -1"):
        polymax.tournament("tictactoe", ["greedy", "greedy"], games=-1)
    with pytest.raises(ValueError, match="leaves nothing to play"):
        polymax.match("tictactoe", ["greedy", "greedy"], opening=9)
    with pytest.raises(ValueError, match="seats"):
        polymax.match("hex3", ["greedy"])
    with pytest.raises(ValueError, match="no search"):
        polymax.match("tictactoe", ["greedy", "clever"])
    with pytest.raises(ValueError, match="budget"):
        polymax.match("tictactoe", ["greedy", "greedy"], budget="everything=1")


def test_timed_matches_share_cores_when_they_may():
    budget = dict(games=2, budget="seconds=0.001", threads=1000)
    with pytest.raises(ValueError, match="wants a core for each match"):
        polymax.tournament("tictactoe", ["greedy", "random"], **budget)
    assert polymax.tournament("tictactoe", ["greedy", "random"], share_cores=True, **budget)["played"] == 2


def test_programs_outside_play(command_line):
    engine = f'engine(cmd="{command_line.program} engine threehex(side=2) --player maxn")'
    players = ["mcts", "maxn", engine.replace("threehex(side=2)", "'threehex(side=2)'")]
    record = polymax.match("threehex(side=2)", players, budget="evals=50", seed=3)
    inside = polymax.match("threehex(side=2)", ["mcts", "maxn", "maxn"], budget="evals=50", seed=3)
    assert record["moves"] == inside["moves"] and "forfeit" not in record
    gone = polymax.match("tictactoe", ["random", "engine(cmd=\"read x; echo ugiok; read x; echo readyok\")"])
    assert gone["forfeit"]["seat"] == 2 and gone["gain"] == [1, -1]


def test_tournaments_in_threads():
    found = []

    def play():
        found.append(polymax.tournament("tictactoe", ["mcts", "random"], games=2, budget="evals=50")["players"][0]["score"])

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 4


def test_a_study_runs_and_is_read(tmp_path, command_line):
    folder = tmp_path / "study"
    shutil.copytree(ROOT / "studies/quick", folder, ignore=shutil.ignore_patterns("shards", "report", "*.sqlite*"))
    study = polymax.Study(folder)
    seen = []

    def look(progress):
        seen.append(progress)
        return len(seen) < 5

    first = study.run(on_progress=look, threads=1)
    assert seen[0]["done"] == 0, "it is told at once how much there is"
    assert 4 <= first["done"] < first["planned"] == study.planned
    rows = study.rows()
    assert len(rows) == first["done"]
    assert {"game", "player", "seat", "gain", "points", "length", "evaluations", "forfeit", "reason"} <= set(rows[0])
    assert all(row["forfeit"] is None and row["points"] is not None for row in rows)
    assert all(row["gain"] in (-1, 0, 1) and row["gain"] == row["gains"][row["seat"]] for row in rows)
    told = json.loads(command_line("study", "status", folder, "--json"))
    assert told["done"] == len(rows)
    assert len(study.table()) == len(rows)
    shutil.copy(ROOT / "studies/paper.json", tmp_path)
    assert "Beside the paper" in study.report()["html"], "as the command line has it"
    with pytest.raises((RuntimeError, ValueError)):
        polymax.Study(tmp_path / "nowhere")


def test_a_study_knows_the_options_of_the_command_line(tmp_path):
    def study(name, budget):
        (tmp_path / name).mkdir()
        about = {"games": ["tictactoe"], "players": ["greedy"], "benchmark": "random", "functions": 1, "seed": 1}
        about.update(budget=budget, networks={"evaluator": "zero"})
        (tmp_path / name / "study.json").write_text(json.dumps(about))
        return polymax.Study(tmp_path / name)

    timed = study("timed", "seconds=0.001")
    with pytest.raises(ValueError, match="wants a core for each match"):
        timed.run(threads=1000)
    assert timed.run(threads=1000, share_cores=True)["done"] == timed.planned

    plain = study("plain", "evals=9")
    assert plain.run()["played"] == plain.planned
    assert plain.run(retry_failed=True, mix_engines=True)["played"] == 0, "none has failed"
