"""Games and states: values that play, print, draw, hash, pickle and do not leak."""

import copy
import gc
import pickle
import random
import threading
import xml.etree.ElementTree

import numpy
import polymax
import pytest

SMALL = {"blokus": "blokus", "teamhex": "teamhex(n=6)", "quadamazons": "quadamazons"}


def random_game(game, seed):
    rng, state = random.Random(seed), game.start(seed)
    while not state.over:
        state = state.play(rng.choice(state.moves()))
    return state


@pytest.mark.parametrize("name", polymax.games())
def test_every_game_plays_to_its_end(name):
    game = polymax.Game(SMALL.get(name, name))
    state = random_game(game, 1)
    assert len(state.score) == len(state.gain) == len(state.points) == game.players
    assert set(state.gain) <= {-1, 0, 1}
    assert state.moves() == []
    assert state.planes().shape == game.planes_shape
    assert set(numpy.unique(state.planes())) <= {0, 1}
    assert len(state.history) <= game.max_length
    again = game.start(1).play_all(state.history)
    assert again == state and hash(again) == hash(state) and again.hash == state.hash
    assert pickle.loads(pickle.dumps(state)) == state
    assert state.undo().play(state.history[-1]) == state


@pytest.mark.parametrize("name", polymax.games())
def test_every_game_has_a_picture_and_a_text(name):
    state = polymax.Game(name).start()
    picture = xml.etree.ElementTree.fromstring(state._repr_svg_())
    cells = [g.get("data-cell") for g in picture.iter("{http://www.w3.org/2000/svg}g")]
    assert len(cells) == len(set(cells)) > 8
    assert "to move" in str(state) and name in repr(state)


@pytest.mark.parametrize("name", polymax.games())
def test_actions_are_moves_as_numbers(name):
    game = polymax.Game(name)
    state = game.start(2)
    for _ in range(6):
        actions, moves = state.actions(), state.moves()
        assert len(set(actions)) == len(actions) == len(moves)
        assert 0 <= min(actions) and max(actions) < game.num_actions
        chosen = len(moves) // 2
        assert state.play_action(actions[chosen]) == state.play(moves[chosen])
        state = state.play(moves[chosen])
    with pytest.raises(ValueError, match="no legal action"):
        state.play_action(game.num_actions)


def test_states_are_values():
    state = polymax.Game("tictactoe").start()
    after = state.play("a1")
    assert state.history == [] and after.history == ["a1"]
    assert state != after and state == polymax.Game("tictactoe").start()
    assert copy.deepcopy(after) == copy.copy(after) == after
    assert {state: 1, after: 2}[polymax.Game("tictactoe").start()] == 1
    assert state != "something else"


def test_what_is_wrong_is_said():
    for spec in ("nosuchgame", "hex3(side=5", "hex3(side=1000)", "hex3(colour=red)", ""):
        with pytest.raises(ValueError):
            polymax.Game(spec)
    with pytest.raises(polymax.UsageError, match="no game 'nosuchgame'; there are"):
        polymax.Game("nosuchgame")
    with pytest.raises(ValueError, match="points"):
        polymax.Game("hex3", points="money")
    state = polymax.Game("tictactoe").start()
    with pytest.raises(ValueError, match="is no legal move here"):
        state.play("z9")
    with pytest.raises(ValueError, match="not over"):
        state.gain
    with pytest.raises(ValueError, match="no move to take back"):
        state.undo()
    with pytest.raises(TypeError):
        polymax.Game("tictactoe").start("one")
    for seed in (-1, 2**64, -(2**70)):
        with pytest.raises(ValueError, match=f"^a whole number from 0 to 2\\^64-1 is wanted, not {seed}$"):
            polymax.Game("tictactoe").start(seed=seed)
        with pytest.raises(ValueError, match="a whole number"):
            polymax.Player("mcts", seed=seed)
    assert polymax.Game("tictactoe").start(seed=numpy.uint8(7)).seed == 7
    for cell in (0, -1, float("nan"), 1e9):
        with pytest.raises(ValueError, match="cell is a number of pixels"):
            state.svg(cell=cell)
    with pytest.raises(ValueError, match="games is at least 1"):
        polymax.Game("tictactoe").random_play(games=0)
    with pytest.raises(AttributeError, match="no attribute 'open_spiel'"):
        polymax.open_spiel


def test_points_are_chosen():
    assert polymax.Game("othello", points="gain").spec == "othello(points=gain)"
    assert polymax.Game("othello(points=gain)", points="score") == polymax.Game("othello")


def test_random_play_is_that_of_the_program():
    played = polymax.Game("othello").random_play(games=200, seed=3)
    assert played["games"] == 200 and played["moves"] > 200 * 50
    assert sum(played["wins"]) + played["draws"] == pytest.approx(200)
    assert played == {**polymax.Game("othello").random_play(games=200, seed=3), "cpu_seconds": played["cpu_seconds"]}


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_ten_thousand_states_leak_nothing():
    game = polymax.Game("othello")

    def make():
        states = [game.start(0)]
        for i in range(10_000):
            last = states[-1] if not states[-1].over else game.start(i)
            states.append(last.play(last.moves()[i % len(last.moves())]))
            states[-1].planes()
            if len(states) > 100:
                states = states[-1:]

    for _ in range(2):
        make()
    gc.collect()
    before, objects = resident(), len(gc.get_objects())
    for _ in range(2):
        make()
    gc.collect()
    assert resident() - before < 8 << 20  # one state of each round kept would be 20 MiB and more
    assert len(gc.get_objects()) - objects < 1000


def test_threads_share_games():
    game, ends = polymax.Game("hex3(side=4)"), {}

    def play(seed):
        ends[seed] = random_game(game, seed).history

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == {seed: random_game(game, seed).history for seed in range(8)}


@pytest.mark.parametrize("kind", [k for n, k in vars(polymax._core).items() if n[0].isupper() and "Error" not in n])
def test_an_object_that_was_never_made_is_an_error(kind):
    unmade = kind.__new__(kind)
    for key, value in vars(kind).items():
        if isinstance(value, property):
            with pytest.raises(TypeError, match="never made"):
                getattr(unmade, key)
    for use in [use for use in (repr, hash) if f"__{use.__name__}__" in vars(kind)]:
        with pytest.raises(TypeError, match="never made|unhashable"):
            use(unmade)
