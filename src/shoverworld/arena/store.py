"""The database of an exam (SQLite). Each game is committed as it ends, so a crash loses only games in progress.

The database stores what happened, not the points: `results` computes them, so points, weights and what students may see
can be changed without playing again. Only one grader at a time can use a database.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any

from shoverworld import __version__
from shoverworld.core.errors import SaveError, ShoverWorldError
from shoverworld.core.files import take
from shoverworld.games import game_named

from .exam import Exam
from .marks import more_is_better, points_of, ratio_to
from .one_game import Played
from .records import GameRecord, LevelRecord, MatchRecord, Results, Seat, SubmissionRecord
from .references import Reference

FILE = "results.db"
VERSION = 1  # of the tables below
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE submissions (student TEXT PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE levels (place INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE refs (level_group TEXT, level TEXT, repetition INTEGER, value REAL, proved INTEGER NOT NULL,
    PRIMARY KEY (level_group, level, repetition));
CREATE TABLE games (level_group TEXT, level TEXT, repetition INTEGER, players TEXT, record TEXT NOT NULL, replay TEXT,
    PRIMARY KEY (level_group, level, repetition, players));
"""
GameKey = tuple[str, str, int, tuple[str, ...]]  # group, level, repetition, players in turn order


class OtherExam(ShoverWorldError):
    """The folder contains the results of another exam, of other submissions or of another version of the package."""


class Store:
    """The results of an exam in a folder."""

    def __init__(self, folder: Path):
        self.folder, self.path = folder, folder / FILE
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(folder)
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            self._lock.close()
            raise OtherExam(f"{self.path} cannot be used: {error}; start again with --restart") from None

    def _open(self) -> None:
        self.db = sqlite3.connect(self.path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")  # a game survives a power failure too
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            self.db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            raise sqlite3.DatabaseError(f"its format has the number {version}, this version writes {VERSION}")

    def close(self) -> None:
        self.db.close()
        self._lock.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # --- the exam

    def begin(
        self, fingerprint: Mapping[str, str], levels: Iterable[LevelRecord], submissions: Iterable[SubmissionRecord]
    ) -> None:
        """Start the exam or continue it. Raise OtherExam if the stored games do not belong to it.

        `fingerprint`: what the games depend on, by name. New submissions may be added at any time.
        """
        wanted = {**fingerprint, "version of shoverworld": __version__}
        stored = dict(self.db.execute("SELECT name, value FROM about"))
        for name, value in wanted.items():
            if stored and stored.get(name) != value:
                raise self._mixed(f"another exam: a different {name}")
        known = self.submissions()
        current = {record.student: record for record in submissions}
        for student, record in known.items():
            if student not in current:
                raise self._mixed(f"a submission of {student}, which is missing now")
            if (record.digest, record.problem) != (current[student].digest, current[student].problem):
                raise self._mixed(f"another submission of {student}")
        self.db.execute("BEGIN IMMEDIATE")
        self.db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", wanted.items())
        rows = [(student, json.dumps(asdict(record))) for student, record in current.items()]
        self.db.executemany("INSERT OR REPLACE INTO submissions VALUES (?, ?)", rows)
        self.db.execute("DELETE FROM levels")  # titles and weights may have changed
        self.db.executemany("INSERT INTO levels VALUES (?, ?)", enumerate(json.dumps(asdict(one)) for one in levels))
        self.db.execute("COMMIT")

    def _mixed(self, what: str) -> OtherExam:
        return OtherExam(
            f"{self.folder} contains results of {what}. Choose another folder with --out, or delete these results and "
            "start again with --restart"
        )

    # --- references and games

    def references(self) -> dict[tuple[str, str, int], Reference]:
        rows = self.db.execute("SELECT level_group, level, repetition, value, proved FROM refs")
        return {(group, level, number): Reference(value, bool(proved)) for group, level, number, value, proved in rows}

    def add_reference(self, key: tuple[str, str, int], found: Reference) -> None:
        self.db.execute("INSERT OR REPLACE INTO refs VALUES (?, ?, ?, ?, ?)", (*key, found.value, int(found.proved)))

    def played(self) -> set[GameKey]:
        """Return the games that have been played."""
        rows = self.db.execute("SELECT level_group, level, repetition, players FROM games")
        return {(group, level, number, tuple(json.loads(players))) for group, level, number, players in rows}

    def add_game(self, key: GameKey, game: Played | tuple[tuple[Seat, ...], str | None]) -> None:
        """Store a game. `game`: the result of one player, or the seats and the replay of a game of several."""
        if isinstance(game, Played):
            record, replay = asdict(replace(game, replay=None)), game.replay
        else:
            record, replay = {"seats": [asdict(seat) for seat in game[0]]}, game[1]
        group, level, repetition, players = key
        row = group, level, repetition, json.dumps(players), json.dumps(record), replay
        self.db.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?)", row)

    # --- results

    def submissions(self) -> dict[str, SubmissionRecord]:
        rows = self.db.execute("SELECT record FROM submissions ORDER BY student")
        records = [SubmissionRecord(**json.loads(record)) for (record,) in rows]
        return {record.student: record for record in records}

    def results(self, exam: Exam, total: int) -> Results:
        """Return everything that the reports need, in an order that does not depend on when a game was played.

        total: the number of games in the exam.
        """
        references = self.references()
        levels = [
            LevelRecord(**json.loads(record))
            for (record,) in self.db.execute("SELECT record FROM levels ORDER BY place")
        ]
        places = {(level.group, level.level): place for place, level in enumerate(levels)}
        rows = self.db.execute("SELECT * FROM games").fetchall()
        rows.sort(key=lambda row: (places.get((row[0], row[1]), len(places)), row[2], json.loads(row[3])))
        games = [_game_record(exam, row, references.get(row[:3], Reference())) for row in rows if exam.players == 1]
        matches = [_match_record(row) for row in rows if exam.players > 1]
        return Results(
            tuple(self.submissions().values()),
            tuple(_with_reference(level, references) for level in levels),
            tuple(games),
            tuple(matches),
            len(rows) >= total,
        )


def _locked(folder: Path) -> IO[bytes]:
    lock = open(folder / ".grading.lock", "ab")  # noqa: SIM115 - closed with the store
    if take(lock) is False:
        lock.close()
        raise SaveError(f"{folder}: another process is grading into this folder; wait for it, or choose another --out")
    return lock


def _with_reference(level: LevelRecord, references: Mapping[tuple[str, str, int], Reference]) -> LevelRecord:
    """Add the reference to a level if it is the same in all repetitions. Random starts have different ones."""
    own = {found for key, found in references.items() if key[:2] == (level.group, level.level)}
    found = own.pop() if len(own) == 1 else Reference()
    return replace(level, reference=found.value, proved=found.proved)


def _game_record(exam: Exam, row: tuple[Any, ...], reference: Reference) -> GameRecord:
    group, level, repetition, players, record, replay = row
    game = Played(**{**json.loads(record), "replay": replay})
    points = exam.points
    result = game.figures.get(points.measure, float(game.steps))
    more = more_is_better(game_named(exam.game), points.measure)
    ratio = ratio_to(reference.value, result, more) if game.won else None
    return GameRecord(
        student=json.loads(players)[0],
        group=group,
        level=level,
        repetition=repetition,
        outcome=game.outcome,
        won=game.won,
        steps=game.steps,
        figures=game.figures,
        invalid=game.invalid,
        points=points_of(points, game.won, ratio, game.invalid, game.failure is not None),
        most=points.most,
        reference=reference.value,
        proved=reference.proved,
        ratio=ratio,
        failure=game.failure,
        error=game.error,
        cpu_seconds=game.cpu_seconds,
        wall_seconds=game.wall_seconds,
        protection=game.protection,
        replay=replay,
    )


def _match_record(row: tuple[Any, ...]) -> MatchRecord:
    group, level, repetition, _, record, replay = row
    return MatchRecord(group, level, repetition, tuple(Seat(**seat) for seat in json.loads(record)["seats"]), replay)
