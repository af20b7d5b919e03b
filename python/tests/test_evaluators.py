"""Evaluators written in Python drive our searches; requests of threads are joined."""

import pickle

import numpy
import polymax
import pytest
from example_games import Nim, TicTacToe


def stones(planes):
    """More stones are better, on tictactoe's planes."""
    counts = planes[:, :2].sum(axis=(2, 3))
    return counts - counts.mean(axis=1, keepdims=True)


def test_it_values_positions():
    game, asked = polymax.Game("othello"), []

    def value(planes):
        assert planes.dtype == numpy.float32 and planes.shape[1:] == game.planes_shape
        asked.append(len(planes))
        return [[0.5, -0.5]] * len(planes)

    evaluator = polymax.Evaluator(value, bounds=(-64, 64))
    verdict = polymax.Player("greedy", evaluator=evaluator).think(game.start())
    assert verdict.value == [0.5, -0.5]
    assert sum(asked) == evaluator.positions == verdict.cost.evaluations == 4
    assert len(asked) == evaluator.calls


def random_net(game):
    rng, planes = numpy.random.default_rng(1), game.planes_shape[0]
    shapes = {
        "stem.weight": (4, planes, 3, 3), "stem.bias": (4,), "head.weight": (4, 4, 1, 1), "head.bias": (4,),
        "dense1.weight": (8, 4), "dense1.bias": (8,), "dense2.weight": (game.players, 8), "dense2.bias": (game.players,),
    }  # fmt: skip
    about = dict(channels=4, blocks=0, dense=8, scale=2.0, lo=-3.0, hi=3.0)
    return polymax.Net.make(game, about, {name: 0.3 * rng.standard_normal(shape) for name, shape in shapes.items()})


@pytest.mark.parametrize("search", ["unbounded_maxn", "maxn", "mcts", "paranoid", "greedy"])
def test_a_network_asked_from_python_gives_the_same_search(search, tmp_path):
    game = polymax.Game("hex3(side=4)")
    net, file = random_net(game), tmp_path / "net.safetensors"
    net.save(file)
    ours = polymax.Player(f'{search}(eval=network(file="{file}"))').think(game.start(), evals=80)
    evaluator = polymax.Evaluator(net.evaluate, bounds=(-3, 3))
    theirs = polymax.Player(search, evaluator=evaluator).think(game.start(), evals=80)
    assert theirs.best == ours.best and theirs.value == pytest.approx(ours.value, abs=1e-4)
    assert [child.visits for child in theirs.children] == [child.visits for child in ours.children]


def test_an_evaluator_may_know_moves():
    game, asked = polymax.Game("hex(n=5)"), []

    def value(planes):
        asked.append(len(planes))
        return numpy.zeros((len(planes), 2)), numpy.zeros((len(planes), game.num_actions))

    knowing = polymax.Evaluator(value, bounds=(-1, 1), knows_moves=True)
    assert polymax.Player("unbounded_maxn", evaluator=knowing).think(game.start(), evals=100).best
    assert sum(asked) == knowing.positions > 0
    for wrong in (lambda p: numpy.zeros((len(p), 2)), lambda p: (numpy.zeros((len(p), 2)), numpy.zeros((len(p), 3)))):
        with pytest.raises(ValueError, match="logits"):
            evaluator = polymax.Evaluator(wrong, bounds=(-1, 1), knows_moves=True)
            polymax.Player("greedy", evaluator=evaluator).think(game.start())


def test_it_sees_what_states_show():
    game = polymax.Game(TicTacToe())
    seen = []

    def value(planes):
        seen.append(planes.copy())
        return numpy.zeros((len(planes), 2))

    polymax.Player("greedy", evaluator=value).think(game.start())
    shown = numpy.stack([game.start().play(move).planes() for move in game.start().moves()])
    assert numpy.array_equal(numpy.concatenate(seen), shown)


def test_games_of_one_name_are_told_apart():
    class Lettered(TicTacToe):
        def planes(self, state):
            return super().planes(state)[:2]

    seen = []

    def value(planes):
        seen.append(planes.shape[1])
        return numpy.zeros((len(planes), 2))

    evaluator = polymax.Evaluator(value)
    for game, planes in ((polymax.Game(TicTacToe()), 3), (polymax.Game(Lettered()), 2)):
        polymax.Player("greedy", evaluator=evaluator).think(game.start())
        assert set(seen) == {planes}
        seen.clear()
    assert evaluator.positions == 18


def test_batches_are_joined_over_threads():
    game = polymax.Game("hex(n=5)")
    evaluator = polymax.Evaluator(lambda planes: numpy.tanh(planes.mean(axis=(2, 3))[:, :2]))
    player = polymax.Player("unbounded_maxn", evaluator=evaluator)
    result = polymax.tournament(game, [player, player], games=8, budget="evals=60", threads=8)
    assert result["failed"] == 0, result["first_error"]
    assert 0 < evaluator.calls <= evaluator.positions
    alone = polymax.tournament(game, [player, player], games=8, budget="evals=60", threads=1)
    assert [p["score"] for p in alone["players"]] == [p["score"] for p in result["players"]]


def test_what_is_wrong_is_said():
    state = polymax.Game("tictactoe").start()

    def think(function, game=None):
        polymax.Player("greedy", evaluator=function).think(game or state)

    with pytest.raises(ValueError, match="shape \\(9\\) instead of \\(9, 2\\)"):
        think(lambda planes: numpy.zeros(len(planes)))
    with pytest.raises(ValueError, match="not finite"):
        think(lambda planes: numpy.full((len(planes), 2), numpy.nan))
    with pytest.raises(ZeroDivisionError):
        think(lambda planes: 1 / 0)
    with pytest.raises((TypeError, ValueError)):
        think(lambda planes: "good")
    with pytest.raises(ValueError, match="a function"):
        polymax.Evaluator(3)
    with pytest.raises(ValueError, match="bounds"):
        polymax.Evaluator(stones, bounds=(1, -1))
    with pytest.raises(ValueError, match="has no planes"):
        think(stones, polymax.Game(Nim()).start())
    with pytest.raises(ValueError, match="eval="):
        polymax.Player("greedy(eval=zero)", evaluator=stones).think(state)


def test_it_can_be_sent_with_its_player():
    state = polymax.Game("tictactoe").start()
    evaluator = polymax.Evaluator(stones, bounds=(-5, 5))
    player = pickle.loads(pickle.dumps(polymax.Player("maxn", evaluator=evaluator)))
    assert player.think(state, depth=2).value == polymax.Player("maxn", evaluator=evaluator).think(state, depth=2).value
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(polymax.Evaluator(lambda planes: planes))


def test_it_cannot_ask_itself():
    def value(planes):
        polymax.Player("greedy", evaluator=evaluator).think(state)
        return numpy.zeros((len(planes), 2))

    evaluator, state = polymax.Evaluator(value), polymax.Game("tictactoe").start()
    with pytest.raises(ValueError, match="asks itself"):
        polymax.Player("greedy", evaluator=evaluator).think(state)


def test_a_fault_of_an_evaluator_ends_the_matches_and_is_told():
    calls = []

    def value(planes):
        calls.append(1)
        if len(calls) == 5:
            raise RuntimeError("out of memory, say")
        return numpy.zeros((len(planes), 2))

    player = polymax.Player("greedy", evaluator=value)
    with pytest.raises(RuntimeError, match="out of memory, say"):
        polymax.tournament("tictactoe", [player, player], games=6, threads=1)
