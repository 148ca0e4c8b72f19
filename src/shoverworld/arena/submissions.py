"""Submissions: files, folders and zip archives that students hand in.

Nothing in a submission is trusted. Its files are read into memory, with limits, and are written to a new folder for each
game. A submission that cannot be used has a `problem`; the others are graded.
"""

import csv
import hashlib
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from os import PathLike
from pathlib import Path

from shoverworld.agents import load
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.files import NotText, Unreadable, cause, decoded, read_bounded
from shoverworld.core.text import one_line

from .records import SubmissionRecord

MAIN = "agent.py"  # the file that is loaded from a folder with several files
MODEL = "model.npz"  # the copy of the model that a packaged agent plays with
MOST_FILES = 1000
MOST_BYTES = 64 * 2**20  # of all files together
MOST_SOURCE = 2**20  # bytes of Python source that are kept for the similarity report
DEEPEST = 12  # folders within folders
LONGEST_NAME = 200  # characters of a path
LONGEST_PART = 200  # bytes of the name of a file or folder; most file systems allow 255
MOST_ENTRIES = 4 * MOST_FILES  # of an archive or a folder, with folders and ignored files
LARGEST_RATIO = 200  # of the unpacked size to the packed size; more is a zip bomb
SMALL = 2**20  # bytes; the ratio does not matter below this size
_CHUNK = 2**16
_IGNORED = ("__MACOSX", "__pycache__", ".git", ".DS_Store", "Thumbs.db", ".ipynb_checkpoints")
_SPECIAL = "a symbolic link, a device or a pipe"
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others can demand gigabytes of memory to unpack
_ENTRY = b"PK\x01\x02"  # each file in the directory of an archive begins with this


class SubmissionError(ShoverWorldError):
    """A submission cannot be used."""


@dataclass(frozen=True)
class Submission:
    """What one student handed in. `files` contains the content of each file, keyed by its path with slashes.

    packaged: the name of an agent of this package that plays for comparison. It is trusted. Its only file, if any, is
    the model that it plays with.
    """

    student: str
    file: str
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    main: str = ""  # the file that defines the agent
    problem: str = ""
    packaged: str = ""

    @property
    def digest(self) -> str:
        """A hash of the files and their names, and of the name of the packaged agent."""
        found = hashlib.sha256(self.packaged.encode())
        for name in sorted(self.files):
            found.update(f"{len(name.encode())} {name} {len(self.files[name])} ".encode() + self.files[name])
        return found.hexdigest()

    @property
    def record(self) -> SubmissionRecord:
        texts = (
            f"# {name}\n{self.files[name].decode('utf-8', 'replace')}"
            for name in sorted(self.files)
            if name.endswith(".py")
        )
        return SubmissionRecord(self.student, self.file, self.problem, self.digest, "\n".join(texts)[:MOST_SOURCE])

    def write(self, folder: Path) -> Path:
        """Write the files to an empty folder. Return the path of the file that defines the agent."""
        for name, content in self.files.items():
            path = folder.joinpath(*checked_name(name).split("/"))
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "xb") as file:
                file.write(content)
        return folder.joinpath(*self.main.split("/"))


def collect(
    places: Iterable[str | PathLike[str]], students: str | PathLike[str] | None = None
) -> tuple[Submission, ...]:
    """Return the submissions in these places, sorted by student. A folder contains one submission per entry.

    students: a table (CSV) with the columns `file` and `student`; without it, the name of the file is the student.
    """
    table = read_students(students) if students is not None else None
    handed_in = list(dict.fromkeys(path for place in places for path in _entries(Path(place), students)))
    names = _students(handed_in, table)
    found = [read_submission(path, names[path]) for path in handed_in]
    if table is not None:
        there = {path.name for path in handed_in}
        missing = {student: file for file, student in table.items() if file not in there}
        having = {submission.student for submission in found}
        found += [
            Submission(s, file, problem="nothing was handed in") for s, file in missing.items() if s not in having
        ]
    return tuple(sorted(found, key=lambda submission: submission.student))


def packaged_agents(specs: Iterable[str], game: str, taken: Iterable[str] = ()) -> tuple[Submission, ...]:
    """Return packaged agents, given as `name` or `name:model.npz`, as submissions.

    Their names in the tables differ from the students' names, `taken`. Raise AgentError if an agent does not play the
    game or if its model cannot be used.
    """
    used, found = set(taken), []
    for spec, short in load.distinct_names(specs).items():
        load.check(spec, game)
        name = one_line(short)
        titles = (f"{name} (packaged){f' [{number}]' if number > 1 else ''}" for number in range(1, len(used) + 2))
        title = next(title for title in titles if title not in used)
        used.add(title)
        found.append(_packaged_agent(spec, title))
    return tuple(found)


def _packaged_agent(spec: str, title: str) -> Submission:
    """Return a packaged agent with the content of its model, which may not exist on the machine that plays."""
    name, model = load.name_of(spec), load.file_of(spec)
    if model is None:
        return Submission(title, "", packaged=name)
    return Submission(title, one_line(model.name), {MODEL: model.read_bytes()}, MODEL, packaged=name)


def _entries(place: Path, students: str | PathLike[str] | None) -> Iterator[Path]:
    """Yield the submissions at a place: the entries of a folder, or the place itself."""
    if not place.is_dir():
        if not os.path.lexists(place):
            raise ConfigError(
                f"{place}: there is no such file or folder of submissions, and no packaged agent with this name"
            )
        yield place
        return
    for path in sorted(place.iterdir()):
        table = students is not None and path.exists() and path.samefile(students)
        if not path.name.startswith(".") and path.name not in _IGNORED and not table:
            yield path


def _students(paths: Sequence[Path], table: Mapping[str, str] | None) -> dict[Path, str]:
    """Return a different student for each path. If two have the same name, the whole file names distinguish them, and
    if these are equal too, numbers do: nobody can hand in a file that replaces the submission of somebody else."""
    stems = {path: one_line(path.name if path.is_dir() else path.stem) or "unnamed" for path in paths}
    names = {path: (table or {}).get(path.name, stems[path]) for path in paths}
    taken = list(names.values())
    found: dict[Path, str] = {}
    used: set[str] = set()
    for path, name in names.items():
        wanted = name if taken.count(name) == 1 else f"{name} ({one_line(path.name)})"
        numbers = (f"{wanted} [{number}]" for number in range(2, len(paths) + 2))
        found[path] = next(one for one in (wanted, *numbers) if one not in used)
        used.add(found[path])
    return found


def read_students(path: str | PathLike[str]) -> dict[str, str]:
    """Read a table with the columns `file` and `student`. Return the student for each file."""
    try:
        rows = list(csv.DictReader(io.StringIO(decoded(read_bounded(path)), newline="")))
    except FileNotFoundError:
        raise ConfigError(f"{path}: the table of students does not exist") from None
    except (Unreadable, NotText, csv.Error) as reason:
        raise ConfigError(f"{path}: the table of students cannot be read: {reason}") from None
    if not rows or not {"file", "student"} <= set(rows[0]):
        raise ConfigError(f"{path}: expected a CSV table whose first line contains the columns file and student")
    found: dict[str, str] = {}
    for number, row in enumerate(rows, 2):
        file, student = (str(row[column] or "").strip() for column in ("file", "student"))
        if not file or not student or not student.isprintable():
            raise ConfigError(f"{path}, line {number}: expected a file name and a student")
        if found.setdefault(file, student) != student:
            raise ConfigError(f"{path}, line {number}: {file} belongs to {found[file]} already")
    return found


def read_submission(path: Path, student: str) -> Submission:
    """Read a file, a folder or a zip archive."""
    files: dict[str, bytes] = {}
    try:
        files = _without_outer_folder(_files_of(path))
        return Submission(student, one_line(path.name), files, main_file(files))
    except SubmissionError as error:
        return Submission(student, one_line(path.name), files, problem=str(error))


def _files_of(path: Path) -> dict[str, bytes]:
    try:
        mode = path.lstat().st_mode
    except OSError as reason:
        raise SubmissionError(f"cannot be read: {cause(reason)}") from None
    if stat.S_ISDIR(mode):
        return _from_folder(path)
    if not stat.S_ISREG(mode):
        raise SubmissionError(f"it is {_SPECIAL}; expected a regular file")
    data = _content(path, MOST_BYTES)
    if path.suffix.lower() == ".py":
        usable = path.stem.isidentifier() and len(path.stem.encode()) < LONGEST_PART // 2
        return {f"{path.stem}.py" if usable else MAIN: data}
    if path.suffix.lower() == ".zip" or data[:4] == b"PK\x03\x04":
        return unpacked(data)
    raise SubmissionError("expected a Python file, a folder or a zip archive")


def main_file(files: Mapping[str, bytes]) -> str:
    """Return the file that defines the agent: agent.py, or the only Python file."""
    own = [name for name in files if "/" not in name and name.endswith(".py")]
    if MAIN in own:
        return MAIN
    if len(own) == 1:
        return own[0]
    if own:
        raise SubmissionError(f"several Python files ({', '.join(sorted(own)[:5])}) and none is called {MAIN}")
    raise SubmissionError(f"no Python file; expected {MAIN}")


def _without_outer_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Remove a folder that contains everything: archives often contain the folder and not only its content."""
    while files and not any("/" not in name for name in files):
        outer = {name.partition("/")[0] for name in files}
        if len(outer) > 1:
            break
        files = {name.partition("/")[2]: content for name, content in files.items()}
    return files


def checked_name(name: str) -> str:
    """Return the path of a file in a submission with slashes. Raise SubmissionError if it could lead outside."""
    parts = name.replace("\\", "/").split("/")
    if not name or "\0" in name or not name.isprintable() or len(name) > LONGEST_NAME:
        raise SubmissionError(f"{name!r:.80}: the name of a file must have 1 to {LONGEST_NAME} printable characters")
    if parts[0] == "" or ":" in name:
        raise SubmissionError(f"{name!r:.80} is an absolute path; expected paths within the submission")
    if any(part in ("..", ".", "") for part in parts):
        raise SubmissionError(
            f"{name!r:.80} could lead out of the submission; '..', '.' and empty names are not allowed"
        )
    if any(len(part.encode()) > LONGEST_PART for part in parts):
        raise SubmissionError(f"{name!r:.80}: the name of a file or folder has more than {LONGEST_PART} bytes")
    if len(parts) > DEEPEST:
        raise SubmissionError(f"{name!r:.80}: more than {DEEPEST} folders within folders")
    return "/".join(parts)


class _Files(dict[str, bytes]):
    """Files within the limits."""

    def __init__(self) -> None:
        super().__init__()
        self.size, self.folded, self.folders = 0, set[str](), set[str]()

    def add(self, name: str, content: bytes) -> None:
        name = checked_name(name)
        folded = name.casefold()
        if folded in self.folded:
            raise SubmissionError(f"{name!r:.80} occurs twice")
        above = {folded[:place] for place, character in enumerate(folded) if character == "/"}
        if folded in self.folders or not above.isdisjoint(self.folded):
            raise SubmissionError(f"{name!r:.80}: a file and a folder have the same name")
        self.folded.add(folded)
        self.folders |= above
        self.size += len(content)
        self[name] = content
        if len(self) > MOST_FILES:
            raise too_many()
        if self.size > MOST_BYTES:
            raise too_large()


def too_large() -> SubmissionError:
    return SubmissionError(f"larger than {MOST_BYTES // 2**20} MiB")


def too_many() -> SubmissionError:
    return SubmissionError(f"more than {MOST_FILES:,} files")


def _is_ignored(name: str) -> bool:
    return any(part in _IGNORED for part in name.replace("\\", "/").split("/"))


def _content(path: Path, left: int) -> bytes:
    try:
        return read_bounded(path, left)
    except Unreadable as reason:
        raise (too_large() if "larger" in str(reason) else SubmissionError(f"{path.name}: {reason}")) from None
    except FileNotFoundError:
        raise SubmissionError(f"{path.name}: the file has disappeared") from None


def _from_folder(folder: Path) -> dict[str, bytes]:
    """Read a folder without following links."""
    files, left, seen = _Files(), [(folder, "")], 0
    while left:
        here, prefix = left.pop()
        try:
            with os.scandir(here) as found:
                entries = sorted(islice(found, MOST_ENTRIES + 1), key=lambda entry: entry.name)
        except OSError as reason:
            raise SubmissionError(f"{one_line(here.name)}: {cause(reason)}") from None
        seen += len(entries)
        if seen > MOST_ENTRIES:
            raise too_many()
        for entry in entries:
            if entry.name in _IGNORED:
                continue
            name = prefix + entry.name
            if entry.is_symlink() or not (entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)):
                raise SubmissionError(f"{name!r:.80} is {_SPECIAL}; expected regular files and folders")
            if entry.is_dir(follow_symlinks=False):
                checked_name(f"{name}/x")
                left.append((Path(entry.path), f"{name}/"))
            else:
                files.add(name, _content(Path(entry.path), MOST_BYTES - files.size))
    return dict(files)


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the files in a zip archive. The sizes that the archive states are not trusted."""
    files = _Files()
    if data.count(_ENTRY) > MOST_ENTRIES:  # before Python makes an object for each of them
        raise too_many()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                if member.is_dir():
                    checked_name(member.orig_filename.replace("\\", "/").rstrip("/"))
                elif not _is_ignored(checked_name(member.orig_filename)):
                    _unpack(archive, member, files)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OSError) as reason:
        why = "it is encrypted" if "encrypted" in str(reason) else str(reason) or type(reason).__name__
        raise SubmissionError(f"the zip archive cannot be unpacked: {why}") from None
    return dict(files)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, files: _Files) -> None:
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind and kind != stat.S_IFREG:
        raise SubmissionError(f"{member.orig_filename!r:.80} is {_SPECIAL}; expected regular files")
    if member.compress_type not in _COMPRESSIONS:
        raise SubmissionError(f"{member.orig_filename!r:.80} is compressed in an unusual way; expected deflate")
    most = min(MOST_BYTES - files.size, max(SMALL, LARGEST_RATIO * member.compress_size))
    content = bytearray()
    with archive.open(member) as source:
        while chunk := source.read(_CHUNK):
            content += chunk
            if len(content) > most:
                if len(content) + files.size > MOST_BYTES:
                    raise too_large()
                raise SubmissionError(f"{member.filename!r:.80} unpacks to more than {LARGEST_RATIO} times its size")
    files.add(member.orig_filename, bytes(content))
