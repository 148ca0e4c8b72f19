"""`shover race`: a race of people and agents on a track, in a window or in the terminal."""

import argparse
from typing import Any

from . import play


def add(commands: Any) -> None:
    race = commands.add_parser(
        "race",
        help="race on a track: people and agents, in a window or in the terminal",
        description="Without TRACK the menu opens. F1 lists all keys; a race can be saved as a replay.",
    )
    race.add_argument(
        "what",
        metavar="TRACK",
        nargs="?",
        help="a bundled track (01-straight), a file (text or picture), a folder of them, or random",
    )
    race.add_argument("--rules", help="preset: race, supercover, landing, cross (default: race)")
    race.add_argument("--seed", type=int, help="of the start cells, and of a random track")
    play.add_shared(race)
    race.set_defaults(run=run, game="race", level=None, agent=None)


def run(chosen: argparse.Namespace) -> int:
    return play.run(chosen)
