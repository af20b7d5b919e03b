"""Games written in Python: every search, matches, learning data, and what is wrong with a game."""

import gc
import itertools
import pickle
import random
import threading
import tracemalloc

import numpy
import polymax
import pytest
from example_games import Nim, TicTacToe


def winner_of_nim(heaps, players=3):
    """The seat that wins when everybody plays for itself and breaks ties by the first move."""
    game = Nim(heaps, players)

    def best(state):
        if game.over(state):
            return game.gain(state)
        seat = state[0]
        return max((best(game.play(state, move)) for move in game.moves(state)), key=lambda value: value[seat])

    return best(game.start(0))


@pytest.mark.parametrize("search", [name for name in polymax.searches() if name not in ("brs", "descent")])
def test_every_search_plays_a_python_game(search):
    game = polymax.Game(Nim((2, 2, 1)))
    state = game.start()
    while not state.over:
        state = state.play(polymax.Player(search).think(state, evals=100).best)
    assert sorted(state.gain) == [-1, -1, 1]


def test_values_are_those_of_brute_force():
    for heaps in ((1, 1), (1, 2), (2, 2), (1, 1, 2)):
        verdict = polymax.Player("unbounded_maxn").think(polymax.Game(Nim(heaps)).start(), solved=True)
        assert verdict.proven
        seat = 0
        assert verdict.value[seat] == winner_of_nim(heaps)[seat]


def test_it_is_the_same_game_as_ours():
    ours, theirs = polymax.Game("tictactoe"), polymax.Game(TicTacToe(), points=polymax.Game("tictactoe").points)
    assert theirs.players == ours.players and theirs.name == "python_tictactoe"

    def count(state, depth):
        return 1 if depth == 0 or state.over else sum(count(state.play(m), depth - 1) for m in state.moves())

    assert count(theirs.start(), 3) == count(ours.start(), 3)
    for spec in ("unbounded_maxn", "maxn", "paranoid"):
        one = polymax.Player(spec + "(eval=zero)").think(theirs.start(), solved=True)
        two = polymax.Player(spec + "(eval=zero)").think(ours.start(), solved=True)
        assert numpy.sign(one.value).tolist() == numpy.sign(two.value).tolist() == [0, 0]


def test_matches_and_tournaments():
    game = polymax.Game(TicTacToe())
    record = polymax.match(game, ["unbounded_maxn", "random"], budget="evals=200", seed=3)
    assert len(record["moves"]) <= 9
    result = polymax.tournament(game, ["unbounded_maxn", "random"], games=5, rotate=True, budget="evals=200", threads=2)
    assert result["played"] == 10 and result["failed"] == 0
    assert result["players"][0]["score"] > result["players"][1]["score"]
    alone = polymax.tournament(game, ["unbounded_maxn", "random"], games=5, rotate=True, budget="evals=200", threads=1)
    assert [p["score"] for p in alone["players"]] == [p["score"] for p in result["players"]]


def test_states_pickle_and_print():
    game = polymax.Game(Nim())
    state = game.start().play("(2, 2)")
    assert pickle.loads(pickle.dumps(state)).history == state.history
    assert "(1, 2, 1)" in str(state) and state.svg().startswith("<svg")


class Mutable(Nim):
    """States that are objects of a class."""

    class State:
        def __init__(self, seat, heaps):
            self.seat, self.heaps = seat, heaps

    def start(self, seed):
        return self.State(0, list(self.heaps))

    def to_move(self, state):
        return state.seat

    def moves(self, state):
        return [(heap, n) for heap, stones in enumerate(state.heaps) for n in range(1, stones + 1)]

    def play(self, state, move):
        heaps = list(state.heaps)
        heaps[move[0]] -= move[1]
        return self.State((state.seat + 1) % self.players, heaps)

    def over(self, state):
        return not any(state.heaps)

    def gain(self, state):
        return [1 if seat == (state.seat - 1) % self.players else -1 for seat in range(self.players)]

    score = gain


def test_states_may_be_objects():
    plain, objects = polymax.Game(Nim((2, 3))).start(), polymax.Game(Mutable((2, 3))).start()
    one = polymax.Player("maxn").think(plain, solved=True)
    two = polymax.Player("maxn").think(objects, solved=True)
    assert one.value == two.value and one.cost.nodes == two.cost.nodes


class TurnGiving(Nim):
    def give_turn(self, state, seat):
        return (seat, state[1])


def test_best_reply_search_needs_give_turn():
    with pytest.raises(ValueError, match="give_turn"):
        polymax.Player("brs").think(polymax.Game(Nim()).start(), evals=100)
    assert polymax.Player("brs").think(polymax.Game(TurnGiving()).start(), evals=100).best


def test_an_estimate_is_used():
    class Guessing(Nim):
        def estimate(self, state):
            return [0.25, 0, -0.25]

    value = polymax.Player("maxn").think(polymax.Game(Guessing((3, 3, 3))).start(), depth=1).value
    assert value == [0.25, 0, -0.25]


def changed(**functions):
    game = type("Changed", (Nim,), functions)()
    for name, value in functions.items():
        if not callable(value):
            setattr(game, name, value)
    return game


BAD = {
    "players is no number": (dict(players="three"), "'players' is to be a whole number"),
    "too many players": (dict(players=99), "'players' is to be 2"),
    "no moves": (dict(moves=lambda self, state: []), "moves\\(\\) gave none"),
    "a move that cannot be hashed": (dict(moves=lambda self, state: [[1]]), "hashable"),
    "moves is no list": (dict(moves=lambda self, state: 5), "moves\\(\\) is to give a list of moves, not int"),
    "moves is nothing": (dict(moves=lambda self, state: None), "moves\\(\\) is to give a list"),
    "moves without end": (dict(moves=lambda self, state: itertools.repeat(1)), "more than a million"),
    "a move twice": (dict(moves=lambda self, state: [(0, 1), (0, 1)]), "gave the move \\(0, 1\\) twice"),
    "two moves with one text": (dict(move_text=lambda self, state, move: "x"), "two moves are called 'x'"),
    "a move without a text": (dict(move_text=lambda self, state, move: ""), "empty text"),
    "play gives nothing": (dict(play=lambda self, state, move: None), "play\\(\\) gave None"),
    "play raises": (dict(play=lambda self, state, move: 1 / 0), "division by zero"),
    "a seat that is not there": (dict(to_move=lambda self, state: 7), "to_move\\(\\) gave 7"),
    "a seat that is no number": (dict(to_move=lambda self, state: "me"), "to_move\\(\\) gave 'me'"),
    "a gain too few": (dict(score=lambda self, state: [1], gain=lambda self, state: [1]), "3 numbers"),
    "a score too large": (dict(score=lambda self, state: [1e300, 0, 0]), "finite numbers"),
    "a gain of text": (dict(score=lambda self, state: "abc", gain=None), "finite numbers"),
    "no number at all": (dict(score=lambda self, state: None, gain=lambda self, s: None), "3 numbers"),
    "gains beyond 1": (dict(score=None, gain=lambda self, state: [5, 0, 0]), "finite|-1, 0 or 1"),
    "never over": (dict(over=lambda self, s: False, moves=lambda self, s: [(0, 0)], max_length=50), "not over after 50"),
    "a state too large": (dict(start=lambda self, seed: (0, tuple(range(5000)))), "bytes"),
    "a state that cannot be pickled": (dict(start=lambda self, seed: (i for i in ())), "pickle|generator"),
    "a start of nothing": (dict(start=lambda self, seed: None), "start\\(\\) gave None"),
    "over raises": (dict(over=lambda self, state: undefined), "undefined"),  # noqa: F821
    "more places of moves than networks count": (
        dict(planes=lambda self, state: numpy.zeros((1, 512, 129)), move_cell=lambda self, state, move: 0),
        "is 66048; with move_cell\\(\\) 65536 are the most",
    ),
    "planes of no shape": (dict(planes=lambda self, state: 3), "planes"),
}


@pytest.mark.parametrize("what", BAD)
def test_malformed_games_are_named(what):
    functions, message = BAD[what]
    with pytest.raises(Exception, match=message):
        game = polymax.Game(changed(**functions), points="gain" if what == "gains beyond 1" else None)
        for search in ("unbounded_maxn", "mcts"):
            state = game.start()
            while not state.over:
                state = state.play(polymax.Player(search).think(state, evals=50).best)
            state.score, state.gain


class Lying(Nim):
    """Says something else every time it is asked about the same position."""

    players, max_length, move_planes = 3, 12, 1

    def __init__(self, seed):
        super().__init__((3, 3, 3))
        self.chance = random.Random(seed)

    def moves(self, state):
        return self.chance.sample(range(10), self.chance.randint(1, 9))

    def play(self, state, move):
        return (self.chance.randrange(3), (self.chance.randrange(3),))

    def over(self, state):
        return self.chance.random() < 0.2

    def gain(self, state):
        return [self.chance.choice((-1, 0, 1)) for _ in range(3)]

    score = gain

    def estimate(self, state):
        return [self.chance.random() for _ in range(3)]

    def give_turn(self, state, seat):
        return self.chance.choice((None, (seat, state[1]), state))

    def planes(self, state):
        return numpy.zeros((1, 3, 4))

    def move_cell(self, state, move):
        return move


def of_chance(planes):
    return numpy.random.random((len(planes), 3)), numpy.random.random((len(planes), 12))


SEARCHES = (
    "brs", "brs_plus", "descent", "greedy", "maxn", "mcts", "mcts(table=on)", "mcts(threads=3)", "paranoid", "random",
    "unbounded_maxn", "unbounded_maxn(memory=1)", "unbounded_maxn(threads=3)", "unbounded_maxn(care_from=match)",
    "unbounded_minimax", "mcts(select=puct)", "unbounded_maxn(widen=2)", "descent(width=2)", "maxn(order=prior,k=2)",
)  # fmt: skip


@pytest.mark.parametrize("search", SEARCHES)
def test_a_game_that_lies_crashes_nothing(search):
    knows_moves = any(key in search for key in ("puct", "widen", "width", "prior"))
    evaluator = polymax.Evaluator(of_chance, bounds=(0, 1), knows_moves=True) if knows_moves else None
    for seed in range(30):
        game = polymax.Game(Lying(seed))
        player = polymax.Player(search, seed, evaluator=evaluator)
        try:
            state = game.start()
            while not state.over:
                state = state.play(player.think(state, evals=60, depth=4).best)
        except polymax.Error as error:
            assert str(error)


def test_what_is_missing_is_named():
    for missing in ("players", "start", "to_move", "moves", "play", "over"):
        functions = {name: getattr(Nim(), name) for name in ("players", "start", "to_move", "moves", "play", "over", "gain")}
        del functions[missing]
        rules = type("Half", (), {})()
        for name, value in functions.items():
            setattr(rules, name, value)
        with pytest.raises(ValueError, match=f"'Half': has no '{missing}'"):
            polymax.Game(rules)
    for nonsense in (5, None, object(), [1, 2]):
        with pytest.raises(ValueError):
            polymax.Game(nonsense)
    with pytest.raises(ValueError, match="not the class: give Nim"):
        polymax.Game(Nim)


def test_numbers_may_be_those_of_numpy():
    class Numpy(TicTacToe):
        players = numpy.int64(2)
        max_length = numpy.uint16(9)

        def to_move(self, state):
            return numpy.int8(super().to_move(state))

        def gain(self, state):
            return numpy.array(super().gain(state))

        def hash(self, state):
            return numpy.uint64(hash(state) % 2**64)

        def move_cell(self, state, move):
            return numpy.int32(move)

    state = polymax.Game(Numpy()).start()
    assert polymax.Player("unbounded_maxn").think(state, solved=True).value == [0, 0]
    assert state.actions() == list(range(9))


def test_a_fault_in_a_match_is_told():
    faulty = changed(play=lambda self, state, move: 1 / 0)
    with pytest.raises(RuntimeError, match="division by zero"):
        polymax.match(faulty, ["greedy", "greedy", "greedy"])
    with pytest.raises(RuntimeError, match="division by zero"):
        polymax.tournament(faulty, ["greedy"] * 3, games=2)


def test_searches_with_several_threads():
    game = polymax.Game(Nim((3, 3, 3)))
    for spec in ("unbounded_maxn(threads=3)", "mcts(threads=3)"):
        assert polymax.Player(spec).think(game.start(), evals=300).best
    faulty = polymax.Game(changed(play=lambda self, state, move: 1 / 0))
    for spec in ("unbounded_maxn(threads=3)", "mcts(threads=3)"):
        with pytest.raises(ZeroDivisionError):
            polymax.Player(spec).think(faulty.start(), evals=300)


def test_threads_of_python_share_a_game():
    game, found = polymax.Game(Nim((2, 3))), []

    def think():
        found.append(polymax.Player("maxn").think(game.start(), solved=True).value)

    threads = [threading.Thread(target=think) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 6


def test_memory_is_bounded_and_freed():
    tracemalloc.start()
    game = polymax.Game(Nim((6, 7, 8)))
    polymax.Player("maxn(k=3)").think(game.start(), evals=2000)
    before = tracemalloc.take_snapshot()
    polymax.Player("maxn(k=3)").think(game.start(), evals=8000)
    grown = sum(entry.size_diff for entry in tracemalloc.take_snapshot().compare_to(before, "filename"))
    assert grown < 1 << 20
    del game
    gc.collect()
    tracemalloc.stop()
