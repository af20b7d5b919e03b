"""`pip install .`: the wheel is what the format of wheels wants; behind the long flag, one is built and used."""

import base64
import csv
import hashlib
import importlib.metadata
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import tarfile
import zipfile

import pytest

from conftest import ROOT


@pytest.fixture
def backend():
    spec = importlib.util.spec_from_file_location("wheel_backend", ROOT / "python/wheel_backend.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pretended_build(folder, options):
    """What CMake would install."""
    package = folder / "polymax"
    (package / "nets/hex3").mkdir(parents=True)
    (package / "__init__.py").write_text("answer = 42\n")
    (package / "nets/hex3/default.safetensors").write_bytes(bytes(range(256)))
    (package / "options.json").write_text(json.dumps(options))


def test_a_wheel_holds_what_was_built_and_says_so(backend, tmp_path, monkeypatch):
    monkeypatch.setattr(backend, "_build", pretended_build)
    name = backend.build_wheel(tmp_path, {"POLYMAX_ARCH": "native"})
    assert name.startswith("polymax-0") and name.endswith(".whl") and "-cp3" in name
    with zipfile.ZipFile(tmp_path / name) as wheel:
        files = {each: wheel.read(each) for each in wheel.namelist()}
        wheel.extractall(tmp_path / "site")
    info = next(each for each in files if each.endswith(".dist-info/RECORD")).rsplit("/", 1)[0]
    rows = list(csv.reader(io.StringIO(files[f"{info}/RECORD"].decode())))
    assert [row[0] for row in rows] == list(files), "every file, RECORD last"
    for file, digest, size in rows[:-1]:
        wanted = base64.urlsafe_b64encode(hashlib.sha256(files[file]).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={wanted}", len(files[file]))
    assert rows[-1][1:] == ["", ""]
    assert json.loads(files["polymax/options.json"])["POLYMAX_ARCH"] == "native"
    found = next(iter(importlib.metadata.distributions(path=[str(tmp_path / "site")])))
    assert (found.metadata["Name"], found.version) == ("polymax", backend._project()["version"])
    assert found.requires == ["numpy"]
    assert name.split("-", 2)[2][:-4] in found.read_text("WHEEL")


def test_the_archive_of_the_source_holds_what_a_wheel_needs(backend, tmp_path):
    with tarfile.open(tmp_path / backend.build_sdist(tmp_path)) as archive:
        names = {pathlib.PurePosixPath(each).relative_to(backend._stem()).as_posix() for each in archive.getnames()}
    wanted = {"PKG-INFO", "pyproject.toml", "CMakeLists.txt", "python/wheel_backend.py", "src/core/game.hpp"}
    assert wanted <= names
    assert not any(each.startswith("build/") for each in names)


def test_a_build_that_fails_says_which_command(backend, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="cmake, ninja-build"):
        backend.build_wheel(tmp_path)
    (tmp_path / "cmake").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "cmake").chmod(0o755)
    with pytest.raises(SystemExit, match="this failed: cmake -S"):
        backend.build_wheel(tmp_path)


USE = """
import polymax
game = polymax.Game("hex3")
net = polymax.shipped_net(game)
assert net.startswith(polymax.__path__[0]), net
verdict = polymax.Player("unbounded_maxn(eval=network)").think(game.start(), evals=200)
print(polymax.__version__, verdict.best)
"""


@pytest.mark.skipif("POLYMAX_LONG_TESTS" not in os.environ, reason="compiles everything: ./test --long")
def test_pip_installs_it(tmp_path, command_line):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

    def run(*command):
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout

    run("/usr/bin/python3", "-m", "venv", "--system-site-packages", tmp_path / "env")
    run(tmp_path / "env/bin/pip", "install", "--no-index", ROOT)
    version, best = run(tmp_path / "env/bin/python", "-c", USE).split()
    assert best == json.loads(command_line("think", "hex3", "--budget", "evals=200", "--json"))["best"]
    assert version == command_line("--version").split()[1]
