"""A live ladder for a class that submits all semester: ratings with `openskill` (extra `arena`), kept in a JSON file.

Games are added as they are played. Each player has a rating mu with the uncertainty sigma. The ladder sorts by
mu - 3 sigma, so a new player starts at the bottom and rises as games confirm the rating. For a final table, use
`plackett_luce`: it does not depend on the order of the games.

A changed submission is a new version of its player: the rating stays, but its uncertainty grows again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoverworld.core.errors import ConfigError, MissingExtra
from shoverworld.core.files import Unreadable, read_bounded, write_safely
from shoverworld.core.text import one_line

from .records import GameRecord, MatchRecord, Results

FORMAT = "shoverworld ladder 1"
START_MU, START_SIGMA = 25.0, 25.0 / 3
RENEWED = 2 / 3  # after a new version, sigma is at least this share of the initial sigma
MOST_HISTORY = 10_000  # entries of a player


@dataclass
class LadderPlayer:
    """A player of the ladder. history: the rating mu - 3 sigma after each round with games of this player."""

    name: str
    mu: float = START_MU
    sigma: float = START_SIGMA
    games: int = 0
    version: str = ""  # the digest of the submission
    history: list[float] = field(default_factory=list)

    @property
    def rating(self) -> float:
        return self.mu - 3 * self.sigma

    @property
    def shown_rating(self) -> float:
        """The rating without the digits that only rounding errors tell apart."""
        return round(self.rating, 2) + 0.0  # not -0.0


class Ladder:
    """The ratings of all players. `read` and `write` keep them in a file."""

    def __init__(self, players: Iterable[LadderPlayer] = (), counted: Iterable[str] = ()):
        self.players = {player.name: player for player in players}
        self.counted = set(counted)  # the keys of the games that have been counted, so that none is counted twice
        self.model = _openskill().PlackettLuce(mu=START_MU, sigma=START_SIGMA)

    def table(self) -> list[LadderPlayer]:
        """Return the players, best first, and players with the same rating by name."""
        return sorted(self.players.values(), key=lambda player: (-player.shown_rating, player.name))

    def places(self) -> list[str]:
        """Return the place of each player of the table. An equals sign marks a place that players share."""
        ratings = [player.shown_rating for player in self.table()]
        return [f"{ratings.index(rating) + 1}{'=' * (ratings.count(rating) > 1)}" for rating in ratings]

    def submit(self, name: str, version: str) -> None:
        """Add a player, or note a new version of one, which makes the rating uncertain again."""
        player = self.players.setdefault(name, LadderPlayer(name, version=version))
        if player.version != version:
            player.version = version
            player.sigma = max(player.sigma, RENEWED * START_SIGMA)

    def play(self, key: str, places: Mapping[str, int]) -> bool:
        """Count one game. Return False if the game with this key has been counted before."""
        if key in self.counted or len(places) < 2:
            return False
        self.counted.add(key)
        names = list(places)
        for name in names:
            self.players.setdefault(name, LadderPlayer(name))
        teams = [[self.model.rating(self.players[n].mu, self.players[n].sigma)] for n in names]
        rated = self.model.rate(teams, ranks=[float(places[n]) for n in names])
        for name, (rating,) in zip(names, rated, strict=True):
            player = self.players[name]
            player.mu, player.sigma, player.games = float(rating.mu), float(rating.sigma), player.games + 1
        return True

    def add(self, results: Results) -> int:
        """Count the games of an exam that have not been counted yet. Return their number.

        In games with one player, every level is a game between all students: the points decide about the places.
        """
        versions = {submission.student: submission.digest for submission in results.submissions}
        for submission in results.submissions:
            if not submission.problem:
                self.submit(submission.student, submission.digest)
        games = [*map(_match_places, results.matches), *_level_places(results.games)]
        played = [
            places
            for key, places in sorted(games, key=lambda game: game[0])
            if self.play(_key(key, places, versions), places)
        ]
        for name in sorted({name for places in played for name in places}):
            history = self.players[name].history
            history.append(round(self.players[name].rating, 4))
            del history[:-MOST_HISTORY]
        return len(played)

    # --- the file

    @classmethod
    def read(cls, path: str | Path) -> "Ladder":
        """Read a ladder. A missing file is a ladder without players."""
        path = Path(path)
        if not path.exists():
            return cls()
        try:
            data = json.loads(read_bounded(path))
            if data["format"] != FORMAT:
                raise ValueError(f"its format is {data['format']!r}; expected {FORMAT!r}")
            return cls([LadderPlayer(**player) for player in data["players"]], data["counted"])
        except (Unreadable, ValueError, KeyError, TypeError, RecursionError) as reason:
            raise ConfigError(f"{path}: not a ladder: {one_line(str(reason))}") from None

    def write(self, path: str | Path) -> None:
        players = [player.__dict__ for player in self.table()]
        content = {"format": FORMAT, "players": players, "counted": sorted(self.counted)}
        write_safely(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _match_places(match: MatchRecord) -> tuple[str, dict[str, int]]:
    seats = "/".join(seat.student for seat in match.seats)  # the same students also play in another turn order
    key = f"{match.group}/{match.level}/{match.repetition}/{seats}"
    return key, {seat.student: seat.place for seat in match.seats}


def _level_places(games: Sequence[GameRecord]) -> list[tuple[str, dict[str, int]]]:
    """Return the places of the students on each level: equal points share a place."""
    points: dict[str, dict[str, float]] = {}
    for game in games:
        points.setdefault(f"{game.group}/{game.level}/{game.repetition}", {})[game.student] = game.points
    return [
        (key, {student: 1 + sum(other > own for other in earned.values()) for student, own in earned.items()})
        for key, earned in points.items()
    ]


def _key(key: str, places: Mapping[str, int], versions: Mapping[str, str]) -> str:
    """Return a key that is the same only for the same game between the same versions of the same students."""
    return f"{key} " + " ".join(sorted(f"{name}@{versions.get(name, '')[:12]}" for name in places))


def _openskill() -> Any:
    try:
        from openskill import models  # an optional extra
    except ImportError as reason:
        raise MissingExtra.of("a ladder", "openskill", "arena") from reason
    return models
