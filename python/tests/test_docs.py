"""What is written works: docstrings, docs/python.md, the notebooks, the stubs."""

import ast
import doctest
import inspect
import json
import os
import re
import subprocess
import sys

import polymax
import polymax.aec
import polymax.openspiel
import pytest
from conftest import ROOT


def documented():
    """Everything with a docstring that has an example."""
    things = [("polymax", polymax), ("polymax.aec", polymax.aec), ("polymax.openspiel", polymax.openspiel)]
    for name in polymax.__all__:
        thing = getattr(polymax, name)
        things.append((name, thing))
        if inspect.isclass(thing):
            things += [(f"{name}.{part}", getattr(thing, part)) for part in vars(thing)]
    return [(name, thing.__doc__) for name, thing in things if ">>>" in (getattr(thing, "__doc__", "") or "")]


@pytest.mark.parametrize("name,text", documented(), ids=lambda value: value if len(value) < 40 else "")
def test_examples_of_docstrings(name, text):
    test = doctest.DocTestParser().get_doctest(text, {"polymax": polymax}, name, None, 0)
    failures = []
    doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert not failures, "".join(failures)


def test_everything_is_documented():
    for name in polymax.__all__:
        assert name in ("__version__", "commit") or getattr(polymax, name).__doc__, name
    assert re.fullmatch(r"\d+\.\d+\.\d+", polymax.__version__)
    assert len(documented()) > 10


def test_the_stubs_name_what_there_is():
    tree = ast.parse((ROOT / "python/polymax/_core.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name in polymax.__all__:
        thing = getattr(polymax, name)
        if name in ("__version__", "commit", "import_net"):
            continue
        assert name in stubs, f"{name} is not in _core.pyi"
        if inspect.isclass(thing):
            told = {node.name for node in stubs[name].body if isinstance(node, ast.FunctionDef)}
            there = {part for part in vars(thing) if not part.startswith("_")}
            assert there <= told | {"with_traceback"}, f"{name}: {there - told} not in _core.pyi"
            assert told - {"__init__"} <= there, f"{name}: {told - there} only in _core.pyi"


def blocks(file):
    return re.findall(r"```python\n(.*?)```", (ROOT / file).read_text(), re.S)


def needs(text):
    """Packages that a piece of code imports and this machine may not have."""
    return [name for name in ("torch", "pandas") if re.search(rf"^\s*(import|from) {name}", text, re.M)]


def run_code(text, folder):
    for name in needs(text):
        pytest.importorskip(name)
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=600,
        env={**os.environ, "POLYMAX_ROOT": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("number", range(len(blocks("docs/python.md"))))
def test_the_tutorial(number, tmp_path):
    run_code(blocks("docs/python.md")[number], tmp_path)


@pytest.mark.parametrize("notebook", sorted(ROOT.glob("examples/*.ipynb")), ids=lambda file: file.stem)
def test_the_notebooks(notebook, tmp_path):
    cells = json.loads(notebook.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 3 and all(cell.get("outputs") == [] for cell in cells if cell["cell_type"] == "code")
    run_code("\n".join(code), tmp_path)
