"""`pip install .`: a build backend (PEP 517) that calls CMake and packs what it installs as a wheel. Needs nothing but
the standard library, a compiler, CMake, Ninja and the packages that docs/python.md names. The build stays in
build/wheel-*, so that the next one compiles only what has changed."""

import base64
import hashlib
import pathlib
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

try:
    import tomllib
except ImportError:  # before Python 3.11; pyproject.toml asks pip for it
    import tomli as tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPTIONS = {"CMAKE_BUILD_TYPE": "Release", "POLYMAX_MODULE": "ON", "POLYMAX_TESTS": "OFF", "POLYMAX_TORCH": "OFF"}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Returns the wheel's name. config_settings: more options for CMake, `pip install . -C POLYMAX_ARCH=native`."""
    with tempfile.TemporaryDirectory() as folder:
        _build(pathlib.Path(folder), dict(OPTIONS, **(config_settings or {})))
        prepare_metadata_for_build_wheel(folder)
        name = f"{_stem()}-{_tag()}.whl"
        _pack(pathlib.Path(folder), pathlib.Path(wheel_directory) / name)
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    project, name = _project(), f"{_stem()}.dist-info"
    info = pathlib.Path(metadata_directory) / name
    info.mkdir()
    (info / "METADATA").write_text(_metadata(project), encoding="utf-8")
    (info / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nGenerator: polymax\nRoot-Is-Purelib: false\nTag: {_tag()}\n", encoding="utf-8"
    )
    (info / "LICENSE").write_bytes((ROOT / project["license"]["file"]).read_bytes())
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows, and what pip wants to know of them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    name = f"{_stem()}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in filter(None, listed.decode().split("\0")):
            archive.add(ROOT / file, f"{_stem()}/{file}")
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as info:
            info.write(_metadata(_project()))
            info.flush()
            archive.add(info.name, f"{_stem()}/PKG-INFO")
    return name


def _build(folder, options):
    build = ROOT / "build" / f"wheel-{_tag()}"
    options = [f"-D{key}={value}" for key, value in options.items()]
    for command in (
        ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", f"-DPython3_EXECUTABLE={sys.executable}", *options],
        ["cmake", "--build", build, "--target", "polymax_module"],
        ["cmake", "--install", build, "--prefix", folder, "--strip"],
    ):
        try:
            done = subprocess.run(command, stdout=sys.stderr)
        except FileNotFoundError:
            raise SystemExit("polymax is built by CMake and Ninja (Debian: cmake, ninja-build): there is no cmake here")
        if done.returncode != 0:
            raise SystemExit(f"this failed: {' '.join(map(str, command))}")


def _pack(folder, wheel):
    """RECORD names every file with its hash and comes last, as the format of wheels wants it."""
    record = f"{_stem()}.dist-info/RECORD"
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            archive.write(path, name)
            digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{path.stat().st_size}\n")
        archive.writestr(record, "".join(lines) + f"{record},,\n")


def _project():
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def _stem():
    project = _project()
    return f"{project['name']}-{project['version']}"


def _tag():
    """For this Python on this machine, e.g. cp311-cp311-linux_x86_64."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _metadata(project):
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {each}" for each in project["dependencies"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text(encoding="utf-8")
