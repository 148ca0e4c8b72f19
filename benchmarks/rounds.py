"""Measure shoverworld and its peers in one run, in rounds.

Every package is measured once per round, so that all of them run under the same load. A result is the median over the
rounds, and a ratio is the median of the ratios within each round. Each peer has its own virtual environment in .peers/,
which the first run creates. The files in benchmarks/peers/ describe what is measured for each peer.
"""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.peers.run import PEERS, measure  # noqa: E402

Measured = dict[str, float | None]  # kind of measurement -> value per second


class Line(NamedTuple):
    """The results for one package: one dict per round."""

    name: str
    what: str
    rounds: list[Measured]

    def figure(self, kind: str) -> float | None:
        known = [value for one in self.rounds if (value := one.get(kind))]
        return median(known) if known else None


def options(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("peers", nargs="*", default=PEERS, help=f"default: {' '.join(PEERS)}")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="seconds per measurement in a round (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds (default: %(default)s)")
    return parser.parse_args()


def run(chosen: argparse.Namespace, ours: dict[str, Callable[[float], float]], what: str) -> list[Line]:
    """Measure this package and the chosen peers in every round.

    `ours` maps each kind of measurement to a function that measures it.
    """
    print(f"load before the run: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; Python {sys.version.split()[0]}")
    us = Line("shoverworld", what, [])
    peers: dict[str, Line] = {}
    for _ in range(chosen.rounds):
        us.rounds.append({kind: measured(chosen.seconds) for kind, measured in ours.items()})
        for result in measure(chosen.peers, chosen.seconds):
            name = f"{result['peer']} {result.get('version', '')}"
            line = peers.setdefault(result["peer"], Line(name, result.get("what") or result["error"], []))
            line.rounds.append(best_of(result))
    return [us, *peers.values()]


def best_of(result: dict) -> Measured:
    """Return a peer's best result for each kind of measurement."""
    kinds = ("single", "batched", "resets")
    return {kind: max((v for k, v in result.items() if k.startswith(kind) and type(v) is float), default=None) for kind in kinds}  # fmt: skip


def ratio(us: Line, other: Line, kind: str) -> float | None:
    pairs = zip(us.rounds, other.rounds, strict=True)
    known = [a / b for mine, theirs in pairs if (a := mine.get(kind)) and (b := theirs.get(kind))]
    return median(known) if known else None


def table(lines: list[Line], kinds: dict[str, str]) -> None:
    """Print one line per package, with two columns for each kind: the result, and our speed relative to it."""
    us = lines[0]
    print(f"{'per second':<20}" + "".join(f"{title:>13}{'ratio':>9}" for title in kinds.values()) + "   what")
    for line in lines:
        cells = ""
        for kind in kinds:
            figure, times = line.figure(kind), ratio(us, line, kind) if line is not us else None
            cells += f"{figure:>13,.0f}" if figure else f"{'-':>13}"
            cells += f"{times:>8.1f}x" if times else f"{'':>9}"
        print(f"{line.name:<20}{cells}   {line.what}")
    print(f"load after the run: {os.getloadavg()[0]:.1f}")
