"""Finds fixtures and the command."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"


def command_path() -> pathlib.Path:
    """The command `fourfold`: FOURFOLD_COMMAND, or the newest build of cargo."""
    given = os.environ.get("FOURFOLD_COMMAND")
    if given:
        return pathlib.Path(given)
    name = "fourfold.exe" if os.name == "nt" else "fourfold"
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / profile / name for profile in ("debug", "ci", "light", "release")]
    built = [path for path in built if path.exists()]
    if not built:
        pytest.fail(
            "the command is not built: cargo build -p fourfold-cli, or set FOURFOLD_COMMAND"
        )
    return max(built, key=lambda path: path.stat().st_mtime)


@pytest.fixture(scope="session")
def run():
    """Runs the command; returns its exit code and output."""
    command = command_path()

    def run(*arguments):
        done = subprocess.run(
            [command, *map(os.fspath, arguments)], capture_output=True, cwd=ROOT, check=False
        )
        return done.returncode, done.stdout

    return run


def files(folder: str, *endings: str) -> "list[pathlib.Path]":
    """All fixtures in a folder with one of these extensions."""
    found = sorted(path for path in (FIXTURES / folder).rglob("*") if path.suffix in endings)
    assert found, f"no {endings} in {folder}"
    return found


def shown(path: pathlib.Path) -> str:
    """The name of a fixture in test ids."""
    return path.relative_to(FIXTURES).as_posix()
