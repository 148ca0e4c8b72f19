"""Measure other grid-world packages, each in its own virtual environment.

    python benchmarks/peers/run.py griddly envpool jumanji gym_sokoban --seconds 3

Prints one line of JSON per peer on stdout and progress on stderr. The virtual environments are kept
in `.peers/` in the root of the project and created again only if a peer's pinned requirements or
the Python version change. A peer that cannot be installed or run produces the line {"peer": …, "error": …}.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent.parent / ".peers"
PEERS = ("griddly", "envpool", "jumanji", "gym_sokoban")
INSTALL_LIMIT = 1800  # seconds


class Failed(Exception):
    """A step failed. The message is a single line."""


def say(name: str, text: str) -> None:
    print(f"{name}: {text}", file=sys.stderr, flush=True)


def last_meaningful(text: str) -> str:
    """Return the line in a program's output that best explains why it failed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not re.match(r"WARNING|\[notice\]|hint:", line)]
    error = re.compile(r"ERROR:|[\w.]*(Error|Exception)\b")
    errors = [line for line in lines if error.match(line)]
    return (errors or lines or [""])[-1].removeprefix("ERROR: ")[:300]


def call(command: list[str], limit: float) -> str:
    """Run a command and return its stdout. Raises Failed with a one-line message."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    try:
        done = subprocess.run(
            command, check=False, env=env, capture_output=True, text=True, timeout=limit
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"timed out after {limit:.0f} s") from None
    if done.returncode < 0:
        try:
            raise Failed(f"crashed ({signal.Signals(-done.returncode).name})")
        except ValueError:
            raise Failed(f"crashed (signal {-done.returncode})") from None
    if done.returncode:
        why = last_meaningful(done.stderr) or last_meaningful(done.stdout)
        raise Failed(why or f"exit code {done.returncode}")
    return done.stdout


def environment(name: str, cache_dir: Path) -> str:
    """Return the Python executable of the peer's virtual environment.

    Create the environment if it is missing or out of date.
    """
    wanted = HERE / f"requirements-{name}.txt"
    home = cache_dir / name
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    key = hashlib.sha256(sys.version.encode() + wanted.read_bytes()).hexdigest()
    stamp = home / "installed"
    if not (python.exists() and stamp.exists() and stamp.read_text() == key):
        say(name, "installing (once) …")
        shutil.rmtree(home, ignore_errors=True)
        call([sys.executable, "-m", "venv", str(home)], INSTALL_LIMIT)
        pip = [str(python), "-m", "pip", "install", "-q", "-r", str(wanted)]
        call(pip, INSTALL_LIMIT)
        stamp.write_text(key)
    return str(python)


def measure_one(name: str, seconds: float, cache_dir: Path) -> dict:
    try:
        if name not in PEERS:
            raise Failed(f"unknown peer; expected one of {', '.join(PEERS)}")
        python = environment(name, cache_dir)
        say(name, f"measuring ({seconds:g} s per measurement) …")
        script = [python, str(HERE / f"{name}.py"), "--seconds", str(seconds)]
        out = call(script, 300 + 20 * seconds)
        return json.loads(out.strip().splitlines()[-1])
    except (Failed, OSError) as error:
        why = str(error)
    except (ValueError, IndexError):
        why = "printed no results"
    say(name, f"failed: {why}")
    return {"peer": name, "error": why}


def measure(names, seconds: float = 3.0, cache_dir=CACHE) -> list[dict]:
    """Measure the named peers one after the other. Returns one dictionary per peer, in the same order."""
    return [measure_one(name, seconds, Path(cache_dir).absolute()) for name in names]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peers", nargs="*", metavar="peer", help="default: all peers")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds per measurement")
    parser.add_argument("--cache-dir", type=Path, default=CACHE)
    options = parser.parse_args()
    results = measure(options.peers or PEERS, options.seconds, options.cache_dir)
    for result in results:
        print(json.dumps(result))
    return int(any("error" in result for result in results))


if __name__ == "__main__":
    sys.exit(main())
