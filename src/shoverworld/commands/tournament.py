"""`shover tournament`: players of the grid race against each other, over tracks; tables."""

import argparse
import sys
from pathlib import Path
from typing import Any

PLAYERS = "greedy,optimal,racer"


def add(commands: Any) -> None:
    tournament = commands.add_parser(
        "tournament",
        help="players of the grid race against each other over tracks, every one on every seat: tables",
        description="Every group of players races on every track, once for each order of seats. Writes tournament.md and "
        "tournament.csv into --out.",
    )
    tournament.add_argument(
        "tracks",
        nargs="*",
        metavar="TRACK",
        help="track files, folders of them, or names of bundled tracks (default: all bundled ones)",
    )
    tournament.add_argument(
        "--players",
        default=PLAYERS,
        help="names or file.py:Class, with commas, such as racer,optimal,mine.py:Mine (default: %(default)s)",
    )
    tournament.add_argument(
        "--cars", type=int, default=2, help="in each race (default: %(default)s, everyone against everyone)"
    )
    tournament.add_argument("--races", type=int, default=2, help="start line-ups on each track (default: %(default)s)")
    tournament.add_argument("--seed", type=int, default=0, help="of the first line-up (default: %(default)s)")
    tournament.add_argument("--random", type=int, default=0, metavar="N", help="race on N random tracks as well")
    tournament.add_argument("--line", choices=("valid_line", "supercover", "landing"), default="valid_line")
    tournament.add_argument("--finish", choices=("land", "cross"), default="land")
    tournament.add_argument(
        "--penalty", type=int, default=5, help="turns skipped after an illegal move (default: %(default)s)"
    )
    tournament.add_argument(
        "--max-rounds", type=int, default=500, help="rounds of a race at most (default: %(default)s)"
    )
    tournament.add_argument(
        "--patience",
        type=float,
        default=60.0,
        help="seconds of thinking in a race, for each player (default: %(default)s)",
    )
    tournament.add_argument("--out", type=Path, default=Path("out/tournament"), help="default: %(default)s")
    tournament.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from shoverworld.agents import standings, tournament
    from shoverworld.core.checks import number, seed_number, whole
    from shoverworld.core.errors import ConfigError
    from shoverworld.games.race.config import RaceRules

    players = _players(chosen.players)
    if chosen.cars > len(players) > 1:
        raise ConfigError(f"--cars {chosen.cars}: there are {len(players)} players only, {', '.join(players)}")
    cars = whole("cars", chosen.cars, 2, len(players))
    number("patience", chosen.patience, at_least=0)
    first, count = seed_number(chosen.seed) or 0, whole("races", chosen.races, 1, 10**6)
    rules = RaceRules(line=chosen.line, finish=chosen.finish, penalty=chosen.penalty, max_rounds=chosen.max_rounds)
    tracks = _tracks(chosen, cars)
    chosen.out.mkdir(parents=True, exist_ok=True)  # before the work, not after it
    races = list(tournament.races_of(tracks, players, cars, range(first, first + count)))
    results = _run_all(races, rules, chosen.patience)
    seeds = f"seed {first}" if count == 1 else f"seeds {first} to {first + count - 1}"
    about = f"{len(races)} races of {cars} cars on {len(tracks)} track(s), {seeds}, line {rules.line}, finish {rules.finish}."
    (chosen.out / "tournament.md").write_text(standings.markdown(results, about), encoding="utf-8")
    (chosen.out / "tournament.csv").write_text(standings.table(results), encoding="utf-8")
    console = Console()
    shown = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in standings.HEADINGS:
        shown.add_column(heading, no_wrap=heading == "player", justify="left" if heading == "player" else "right")
    for standing in standings.standings(results):
        player, *cells = standing.cells()
        shown.add_row(Path(player).name, *cells)
    console.print(shown)
    for error in dict.fromkeys(f"{result.player}: {result.error}" for result in results if result.error):
        console.print(error, style="red", markup=False)
    console.print(f"{about} tournament.md, tournament.csv in {chosen.out}", markup=False)
    return 0


def _players(given: str) -> list[str]:
    from shoverworld.agents import load
    from shoverworld.core.errors import ConfigError

    players = list(dict.fromkeys(player.strip() for player in given.split(",") if player.strip()))
    for player in players:
        load.check(player, "race")
    if len(players) < 2:
        raise ConfigError(f"--players {given!r}: a tournament needs two at least, such as {PLAYERS}")
    return players


def _tracks(chosen: argparse.Namespace, cars: int) -> list[Any]:
    from shoverworld.agents.tournament import tracks_at
    from shoverworld.core.checks import whole
    from shoverworld.core.errors import ConfigError
    from shoverworld.games.race.generate import random_track
    from shoverworld.games.race.tracks import bundled, bundled_names

    random = whole("random", chosen.random, 0, 10**6)
    if chosen.tracks or random:
        tracks = tracks_at(chosen.tracks)
        tracks += [random_track(seed, closed=seed % 2 == 1) for seed in range(chosen.seed, chosen.seed + random)]
    else:
        tracks = [track for track in map(bundled, bundled_names()) if len(track.starts) >= cars]
    for track in tracks:
        if len(track.starts) < cars:
            raise ConfigError(f"--cars {cars}: {track.name} has start cells for {len(track.starts)} only")
    return tracks


def _run_all(races: list[Any], rules: Any, patience: float) -> list[Any]:
    """Every race, with progress."""
    from rich.console import Console
    from rich.progress import track

    from shoverworld.agents.tournament import run as run_race

    shown = track(races, "racing", console=Console(stderr=True), disable=not sys.stderr.isatty())
    return [result for race in shown for result in run_race(race, rules, patience)]
