"""Us beside the peers in one run: round after round, everybody is measured once, so that nobody has the calm minutes.

A figure is the median of the rounds, a ratio the median of the rounds' own ratios. The peers live in virtual
environments of their own (.peers/), made on the first run; what each of them is asked to do stands in benchmarks/peers/.
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

Measured = dict[str, float | None]  # kind of figure -> a second


class Line(NamedTuple):
    """Somebody's figures: one dict a round."""

    name: str
    what: str
    rounds: list[Measured]

    def figure(self, kind: str) -> float | None:
        known = [value for one in self.rounds if (value := one.get(kind))]
        return median(known) if known else None


def options(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("peers", nargs="*", default=PEERS, help=f"default: {' '.join(PEERS)}")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure of a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="(default: %(default)s)")
    return parser.parse_args()


def run(chosen: argparse.Namespace, ours: dict[str, Callable[[float], float]], what: str) -> list[Line]:
    """Measure us and the chosen peers, so many rounds; we come first. `ours` says how each kind of figure is measured."""
    print(f"load before the run: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; Python {sys.version.split()[0]}")
    us = Line("shoverworld", what, [])
    peers: dict[str, Line] = {}
    for _ in range(chosen.rounds):
        us.rounds.append({kind: measured(chosen.seconds) for kind, measured in ours.items()})
        for told in measure(chosen.peers, chosen.seconds):
            name = f"{told['peer']} {told.get('version', '')}"
            line = peers.setdefault(told["peer"], Line(name, told.get("what") or told["error"], []))
            line.rounds.append(best_of(told))
    return [us, *peers.values()]


def best_of(told: dict) -> Measured:
    """A peer's figures by kind; where it was measured in several ways, the best counts."""
    kinds = ("single", "batched", "resets")
    return {kind: max((v for k, v in told.items() if k.startswith(kind) and type(v) is float), default=None) for kind in kinds}  # fmt: skip


def ratio(us: Line, other: Line, kind: str) -> float | None:
    pairs = zip(us.rounds, other.rounds, strict=True)
    known = [a / b for mine, theirs in pairs if (a := mine.get(kind)) and (b := theirs.get(kind))]
    return median(known) if known else None


def table(lines: list[Line], kinds: dict[str, str]) -> None:
    """Print a line each, with two columns for each kind: its figure, and how many times as fast we are."""
    us = lines[0]
    print(f"{'a second':<20}" + "".join(f"{title:>13}{'ratio':>9}" for title in kinds.values()) + "   what")
    for line in lines:
        cells = ""
        for kind in kinds:
            figure, times = line.figure(kind), ratio(us, line, kind) if line is not us else None
            cells += f"{figure:>13,.0f}" if figure else f"{'-':>13}"
            cells += f"{times:>8.1f}x" if times else f"{'':>9}"
        print(f"{line.name:<20}{cells}   {line.what}")
    print(f"load after the run: {os.getloadavg()[0]:.1f}")
