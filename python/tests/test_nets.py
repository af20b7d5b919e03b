"""Networks as arrays: out, changed, in again; files that others wrote; learning."""

import json
import pathlib
import pickle
import warnings

import numpy
import polymax
import pytest
from conftest import ROOT
from example_games import TicTacToe

FILES = sorted(ROOT.glob("nets/*/default.safetensors"))


def write_safetensors(file, tensors, metadata=None):
    """As Python's safetensors writes it: sorted by name, no hashes of ours."""
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name in sorted(tensors):
        raw = numpy.ascontiguousarray(tensors[name], "<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    pathlib.Path(file).write_bytes(len(text).to_bytes(8, "little") + text + data)


@pytest.fixture
def net():
    return polymax.Net.load(FILES[0])


def test_weights_go_out_and_come_back(net, tmp_path, command_line):
    same = net.with_tensors(net.tensors)
    same.save(tmp_path / "same.safetensors")
    again = polymax.Net.load(tmp_path / "same.safetensors")
    assert again.about == net.about
    for name, array in net.tensors.items():
        assert numpy.array_equal(again.tensors[name], array)
    assert "a usable network" in command_line("net", "check", tmp_path / "same.safetensors")
    assert pickle.loads(pickle.dumps(net)).about == net.about


def test_it_computes_what_the_weights_say(net):
    game = polymax.Game(net.about["game"])
    tensors = {name: numpy.zeros_like(array) for name, array in net.tensors.items()}
    tensors["dense2.bias"] = numpy.arange(game.players, dtype=numpy.float32)
    values = net.with_tensors(tensors).evaluate(numpy.stack([game.start().planes()] * 3))
    assert values == pytest.approx(numpy.tile(net.about["scale"] * numpy.arange(game.players), (3, 1)), rel=1e-5)


def test_files_of_others_are_accepted(net, tmp_path, command_line):
    file = tmp_path / "theirs.safetensors"
    write_safetensors(file, net.tensors)
    with pytest.raises(polymax.Error):
        polymax.Net.load(file)
    with pytest.warns(UserWarning, match="not verified"):
        imported = polymax.import_net(file, net.about["game"], like=net)
    assert imported.about["scale"] == net.about["scale"] and imported.about["turned"] == net.about["turned"]
    for name, array in net.tensors.items():
        assert numpy.array_equal(imported.tensors[name], array)
    imported.save(tmp_path / "ours.safetensors")
    assert "a usable network" in command_line("net", "check", tmp_path / "ours.safetensors")
    assert "no hash of ours" in polymax.Net.load(tmp_path / "ours.safetensors").about["training"]["unverified"]
    # with our metadata, hashes that are no longer true included
    metadata = {key: str(value) for key, value in net.about.items() if key in ("game", "channels", "scale", "lo", "hi")}
    write_safetensors(file, net.tensors, {**metadata, "turned": "on" if net.about["turned"] else "off"})
    assert polymax.import_net(file, quiet=True).about["game"] == net.about["game"]


def test_bad_files_are_refused(net, tmp_path):
    file = tmp_path / "bad.safetensors"
    game, tensors = net.about["game"], net.tensors

    def refused(message, **options):
        with pytest.raises(polymax.Error, match=message), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            polymax.import_net(file, **{"game": game, "like": net, **options})

    write_safetensors(file, {name: array for name, array in tensors.items() if name != "head.bias"})
    refused("'head.bias' is missing")
    write_safetensors(file, {**tensors, "extra": numpy.zeros(3)})
    refused("no tensor 'extra'")
    write_safetensors(file, {**tensors, "head.bias": numpy.zeros(7777)})
    refused("has the shape")
    write_safetensors(file, {**tensors, "head.bias": numpy.full_like(tensors["head.bias"], numpy.inf)})
    refused("not finite")
    write_safetensors(file, tensors, {"game": game, "channels": "1"})
    refused("metadata say", like=None)
    refused("metadata say")
    half = {**tensors, "dense1.weight": tensors["dense1.weight"][: net.about["dense"] // 2]}
    write_safetensors(file, half)
    refused("like= has")
    write_safetensors(file, tensors)
    refused("give game=", game=None, like=None)
    refused("", game="tictactoe")
    whole = file.read_bytes()
    for wrong in (1.5, "8", None, [8], True):
        header = {"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, wrong]}}
        text = json.dumps(header).encode()
        file.write_bytes(len(text).to_bytes(8, "little") + text + b"\0" * 4)
        refused("wrong description")
    for cut in (b"", whole[:4], whole[:100], whole[: len(whole) // 2], b"\xff" * 64, (2**40).to_bytes(8, "little") + whole[8:]):
        file.write_bytes(cut)
        refused("no network that can be imported")


@pytest.mark.parametrize("key", ["channels", "blocks", "dense", "move_planes"])
def test_sizes_are_whole_numbers(net, key):
    game = polymax.Game(net.about["game"])
    for wrong in (net.about[key] + 0.5, float(net.about[key]), str(net.about[key]), None, 10**30):
        with pytest.raises(ValueError, match=f"'{key}' of a network is a whole number, not "):
            polymax.Net.make(game, {**net.about, key: wrong}, net.tensors)
    same = polymax.Net.make(game, {**net.about, key: numpy.int64(net.about[key])}, net.tensors)
    assert same.about[key] == net.about[key]


def test_options_of_training_are_those_of_the_command_line(tmp_path):
    wrong = dict(
        minutes=-1, matches=0, checkpoint_every=0, report_every=-1, threads=0, parallel=0, batch=0, keep_resolved=-1,
        seed=-1, resume="no",
    )  # fmt: skip
    for key, value in wrong.items():
        with pytest.raises(ValueError, match=f"train: {key} "):
            polymax.train("tictactoe", str(tmp_path / "run"), **{key: value})
    for value in (float("nan"), "soon"):
        with pytest.raises(ValueError, match="train: minutes "):
            polymax.train("tictactoe", str(tmp_path / "run"), minutes=value)
    assert not (tmp_path / "run").exists()


def test_training_with_a_callback(tmp_path):
    if not polymax.can_train():
        pytest.skip("the torch module is not built")
    seen = []
    options = dict(
        matches=12, net=dict(channels=4, blocks=1), learn="batch=20,warm_up=0", budget="evals=10", device="cpu",
        seed=1, report_every=0.05, threads=1, parallel=2, batch=64,
    )  # fmt: skip
    end = polymax.train("tictactoe", str(tmp_path / "run"), on_progress=seen.append, **options)
    assert end["matches"] == 12 and end["steps"] > 0
    assert seen and seen[-1]["matches"] <= 12  # the last entry may be a moment before the end
    assert len(seen[0]["wins"]) == 2
    net = polymax.Net.load(end["net"])
    assert net.about["channels"] == 4
    more = polymax.train("tictactoe", str(tmp_path / "run"), resume=True, matches=15, device="cpu")
    assert more["matches"] == 15
    with pytest.raises(ValueError, match="holds a run already"):
        polymax.train("tictactoe", str(tmp_path / "run"), **options)
    with pytest.raises(ValueError, match="no option 'minuets'"):
        polymax.train("tictactoe", str(tmp_path / "other"), minuets=3)


def test_a_python_game_is_learned(tmp_path):
    if not polymax.can_train():
        pytest.skip("the torch module is not built")
    game = polymax.Game(TicTacToe())
    end = polymax.train(
        game, str(tmp_path / "run"), matches=6, net="channels=4,blocks=0", learn="batch=20,warm_up=0",
        budget="evals=10", device="cpu", threads=1, parallel=2,
    )  # fmt: skip
    assert end["matches"] == 6
    player = polymax.Player(f'greedy(eval=network(file="{end["net"]}"))')
    assert player.think(game.start()).best in game.start().moves()
