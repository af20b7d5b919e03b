"""Networks from files that others wrote: Python's safetensors, PyTorch's state dicts saved with it."""

import json
import os
import warnings

import numpy

from . import _core

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_MOST_HEADER = 100_000_000  # bytes


def _fail(file, what):
    raise _core.UsageError(f"'{file}' is no network that can be imported: {what}")


def read_safetensors(file):
    """(metadata, {name: float32 array}) of a .safetensors file. Every number in it is checked."""
    with open(file, "rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        rest = os.fstat(stream.fileno()).st_size - 8
        if rest < 2 or not 2 <= size <= min(rest, _MOST_HEADER):
            _fail(file, "it is not a .safetensors file")
        try:
            header = json.loads(stream.read(size))
        except ValueError:
            _fail(file, "its header is not JSON")
        data = stream.read()
    if not isinstance(header, dict):
        _fail(file, "its header is not an object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(x, str) for x in metadata.values()):
        _fail(file, "its metadata are not texts")
    return metadata, {name: _tensor(file, name, entry, data) for name, entry in header.items()}


def _tensor(file, name, entry, data):
    try:
        kind, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
        dtype = numpy.dtype(_TYPES[kind])
        count = 1
        for length in shape:
            if type(length) is not int or length < 0:
                raise ValueError(length)
            count *= length
        if type(begin) is not int or type(end) is not int or not 0 <= begin <= end <= len(data):
            raise ValueError(begin)
        if end - begin != count * dtype.itemsize:
            raise ValueError(end)
    except (KeyError, TypeError, ValueError):
        _fail(file, f"the tensor '{name}' has a wrong description (types: {', '.join(_TYPES)})")
    array = numpy.frombuffer(data[begin:end], dtype).reshape(shape)
    if kind == "BF16":
        return (array.astype("<u4") << 16).view("<f4").reshape(shape)
    return array.astype(numpy.float32)


def _about(metadata):
    """What the file's metadata say of a network; texts of our own format."""
    numbers = {key: int for key in ("channels", "blocks", "dense", "move_planes")}
    numbers.update({key: float for key in ("scale", "lo", "hi")})
    out = {}
    for key, kind in numbers.items():
        if key in metadata:
            out[key] = kind(metadata[key])
    if "turned" in metadata:
        out["turned"] = metadata["turned"] == "on"
    out["training"] = {
        key[len("training.") :]: value for key, value in metadata.items() if key.startswith("training.")
    }
    return out


def import_net(file, game=None, *, like=None, quiet=False):
    """A network from a .safetensors file without our hashes, e.g. one that Python's safetensors wrote.

    game: what it plays; by default what the file's metadata or `like` say. like: a Net whose size,
    scale and bounds are taken where the file says nothing. Names and shapes of all tensors are
    checked against the architecture, numbers must be finite. What nobody can check is told by a
    warning and kept in net.about["training"]["unverified"]; save() then writes a whole file.
    """
    metadata, tensors = read_safetensors(file)
    about = dict(like.about) if like is not None else {}
    try:
        told = _about(metadata)
    except ValueError as error:
        _fail(file, f"its metadata hold a bad number ({error})")
    about.update(told)
    unverified = ["that the weights are those that were saved (no hash of ours counts)"]
    if game is None:
        game = metadata.get("game", about.get("game"))
        if game is None:
            _fail(file, "it does not say its game: give game=")
        unverified.append(f"that it learned {game}")
    if not isinstance(game, (_core.Game)):
        game = _core.Game(game)
    size = _size_of(tensors)
    for key, value in size.items():
        if about.setdefault(key, value) != value:
            said = "its metadata say" if key in told else "like= has"
            _fail(file, f"its tensors have {key} {value}, {said} {about[key]}")
    for key in ("scale", "lo", "hi"):
        if key not in about:
            unverified.append(f"its {key}, which is taken as usual")
    about["training"] = {**about.get("training", {}), "unverified": "; ".join(unverified)}
    net = _core.Net.make(game, about, tensors)
    if not quiet:
        warnings.warn(f"{file}: not verified: {'; '.join(unverified)}", stacklevel=2)
    return net


def _size_of(tensors):
    """Channels, blocks and dense units, as the shapes of the tensors have them."""
    out = {}
    if "stem.weight" in tensors and tensors["stem.weight"].ndim == 4:
        out["channels"] = tensors["stem.weight"].shape[0]
    if "dense1.weight" in tensors and tensors["dense1.weight"].ndim == 2:
        out["dense"] = tensors["dense1.weight"].shape[0]
    moves = tensors.get("prior2.weight")
    out["move_planes"] = 0 if moves is None or moves.ndim != 4 else moves.shape[0]
    out["blocks"] = sum(name.startswith("block") and name.endswith(".conv1.weight") for name in tensors)
    return out
