"""A tournament of the grid race: every group of players on every track, each of them once on every seat."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

from shoverworld.core.errors import AgentError, TrackError, TrackNotFound
from shoverworld.games.race.config import Finish, Line, RaceRules
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.planner import fewest
from shoverworld.games.race.rules import KEEP
from shoverworld.games.race.tracks import Track

from .actions import Action, legal
from .games import recipe_of
from .load import agent_file
from .seat import ChildSeat, Seat, TooLate

SUFFIXES = (".txt", ".png", ".bmp", ".ppm")  # of files that are looked at in a folder


@dataclass(frozen=True)
class Race:
    """What is to be run: the same seed gives the same start cells, whoever sits where."""

    track: Track
    players: tuple[str, ...]  # by seat, which is the order they move in
    seed: int


@dataclass(frozen=True)
class Result:
    """One car of one race. `points`: one for each car that it beat, half of one for each that came in as it did."""

    track: str
    seed: int
    seat: int  # from 1
    player: str
    place: int
    points: float
    steps: int
    fewest: int | None  # from its start cell, for a car that is alone
    penalties: int
    finished: bool
    moves: int
    seconds: float  # of thinking
    error: str | None
    rivals: tuple[str, ...]
    beaten: tuple[float, ...]  # the points against each of them


def races_of(tracks: Sequence[Track], players: Sequence[str], cars: int, seeds: Sequence[int]) -> Iterator[Race]:
    """Every group of so many players, on every track, with every seed, as often as there are seats."""
    for track in tracks:
        for seed in seeds:
            for group in combinations(players, cars):
                for turn in range(cars):
                    yield Race(track, (*group[turn:], *group[:turn]), seed)


def tracks_at(places: Sequence[str]) -> list[Track]:
    """The tracks of these files, folders of them, and names of bundled ones."""
    found = list(tracks_and_errors(places))
    for track in found:
        if isinstance(track, TrackError):
            raise track
    return found  # type: ignore[return-value]


def tracks_and_errors(places: Sequence[str]) -> Iterator[Track | TrackError]:
    """The same, with a track that cannot be read as an error among the rest."""
    for place in places:
        folder = Path(place)
        files: list[Any] = [place]
        if folder.is_dir():
            files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
            if not files:
                yield TrackNotFound.at(f"there is no track ({', '.join(SUFFIXES)}) in this folder", place)
        for path in files:
            try:
                yield Track.read(path)
            except TrackError as error:
                yield error


def run(race: Race, rules: RaceRules, patience: float) -> list[Result]:
    """Run a race. Who breaks down, or thinks for longer than so many seconds in all, has lost it: his car drives straight
    on, and the race is over when the others have finished."""
    env = RaceEnv(race.track, rules=rules.change(cars=len(race.players)))
    env.reset(seed=race.seed)
    starts = [(int(car.col), int(car.row)) for car in env.cars]
    drivers: list[_Driver] = []
    done: list[Action] = []
    try:
        for player in race.players:
            drivers.append(_Driver(env, player, race.seed, patience))
            drivers[-1].begin()
        while env.outcome is None and any(d.error is None and env.cars[i].place == 0 for i, d in enumerate(drivers)):
            action = drivers[env.turn].act(done)
            env.step(action)
            done.append(action)
    finally:
        for driver in drivers:
            driver.close()
    return _results(race, rules, env, drivers, starts)


class _Driver:
    """A player in his seat, with his clock."""

    def __init__(self, env: RaceEnv, player: str, seed: int, patience: float):
        self.env, self.patience = env, patience
        self.told = 0  # moves of the race that he knows of
        self.moves, self.seconds, self.error = 0, 0.0, None
        place = recipe_of(env), env.get_state()
        self.seat = ChildSeat(*place, False) if agent_file(player) else Seat(*place)
        self.spec = player, {}, seed

    def begin(self) -> None:
        self._ask("load", *self.spec)
        self.seconds = 0.0  # loading and compiling are no thinking
        self._ask("reset")

    def act(self, done: list[Action]) -> Action:
        news, self.told = done[self.told :], len(done)
        answer = self._ask("act", *news)
        self.moves += 1
        try:
            return KEEP if self.error else legal(answer, self.env.action_space, self.moves)
        except AgentError as error:
            self.error = str(error)
            return KEEP

    def _ask(self, *command: Any) -> Any:
        if self.error is not None:
            return None
        began = time.perf_counter()
        loading = command[0] == "load"
        try:
            left = self.patience - self.seconds
            return self.seat.ask(max(60.0, self.patience) if loading else max(0.0, left), *command)
        except TooLate:
            self.error = "loading took too long" if loading else f"used up its {self.patience:g} s for the race"
        except AgentError as error:
            self.error = f"{error} at its move {self.moves + 1}" if command[0] == "act" else str(error)
        finally:
            self.seconds += time.perf_counter() - began

    def close(self) -> None:
        self.seat.close()


def _results(
    race: Race, rules: RaceRules, env: RaceEnv, drivers: list[_Driver], starts: list[tuple[int, int]]
) -> list[Result]:
    cars = env.cars
    alone = fewest_on(race.track, rules.line, rules.finish)
    good = [bool(car.place) and driver.error is None for car, driver in zip(cars, drivers, strict=True)]
    ranks = [(not fine, int(car.steps) if fine else 0) for fine, car in zip(good, cars, strict=True)]
    results = []
    for seat, (player, driver, car) in enumerate(zip(race.players, drivers, cars, strict=True)):
        others = [other for other in range(len(cars)) if other != seat]
        beaten = tuple((ranks[seat] < ranks[o]) + 0.5 * (ranks[seat] == ranks[o]) for o in others)
        results.append(
            Result(
                race.track.name, race.seed, seat + 1, player, 1 + sum(rank < ranks[seat] for rank in ranks),
                sum(beaten), int(car.steps), alone.get(starts[seat]), int(car.penalties), good[seat],
                driver.moves, driver.seconds, driver.error, tuple(race.players[o] for o in others), beaten,
            )
        )  # fmt: skip
    return results


@lru_cache(maxsize=64)
def fewest_on(track: Track, line: Line, finish: Finish) -> dict[tuple[int, int], int]:
    """The fewest moves from every start; found out once a track."""
    return fewest(track, line, finish)
