import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def command_line():
    """Runs the program of the build and returns what it printed."""
    program = os.environ.get("POLYMAX_BINARY", str(ROOT / "build/release/polymax"))

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    run.program = program
    return run
