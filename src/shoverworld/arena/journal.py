"""The results of finished jobs in a file (SQLite), so that a run that was interrupted can be continued.

Each result is on the disk before it is returned. Results are pickles: use only files that you have written yourself.
Agents in a sandbox cannot write them.
"""

import hashlib
import pickle
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shoverworld import __version__
from shoverworld.core.errors import ConfigError

_KIND = 0x53484A4C  # SQLite's application id for these files


class Journal:
    """The results of one run. `work`: whatever the results depend on.

    Raise ConfigError if the file belongs to other work or is not a journal.
    """

    def __init__(self, path: Path, work: Any):
        self.path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
        except sqlite3.Error as error:
            raise ConfigError(f"--journal {path}: the file cannot be opened: {error}") from None
        try:
            self._open(_digest(work))
        except BaseException as error:
            self._db.close()
            if isinstance(error, sqlite3.Error):
                raise ConfigError(f"--journal {path}: not a journal: {error}; choose another file") from None
            raise

    def _open(self, digest: str) -> None:
        self._db.execute("BEGIN EXCLUSIVE")
        if self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            self._db.execute("CREATE TABLE about (work TEXT NOT NULL)")
            self._db.execute("CREATE TABLE results (job INTEGER PRIMARY KEY, result BLOB NOT NULL)")
            self._db.execute("INSERT INTO about VALUES (?)", [digest])
            self._db.execute(f"PRAGMA application_id = {_KIND}")
        elif self._db.execute("PRAGMA application_id").fetchone()[0] != _KIND:
            raise sqlite3.DatabaseError("it is another kind of database")
        known = self._db.execute("SELECT work FROM about").fetchone()[0]
        self._db.execute("COMMIT")
        if known != digest:
            raise ConfigError(
                f"--journal {self.path}: the file belongs to a run with other levels, agents or options, or with another "
                "version; choose another file, or delete this one to start again"
            )

    def results(self) -> Iterator[tuple[int, Any]]:
        """Yield the number and the result of each finished job."""
        for job, result in self._db.execute("SELECT job, result FROM results ORDER BY job").fetchall():
            yield job, pickle.loads(result)

    def jobs(self) -> set[int]:
        """Return the numbers of the finished jobs."""
        return {job for (job,) in self._db.execute("SELECT job FROM results")}

    def add(self, job: int, result: Any) -> None:
        self._db.execute("INSERT OR IGNORE INTO results VALUES (?, ?)", (job, pickle.dumps(result)))

    def close(self) -> None:
        self._db.close()


def _digest(work: Any) -> str:
    return hashlib.sha256(pickle.dumps((__version__, work), protocol=5)).hexdigest()
