"""Files are written completely or not at all, read with a limit, and locked while they are changed."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from shoverworld.core import files
from shoverworld.core.errors import MapError, SaveError
from shoverworld.core.files import write_safely
from shoverworld.play.records import Records
from tests.file_writers import WRITERS
from tests.paths import ROOT

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals, modes and links")


@pytest.fixture
def tmp_path(tmp_path_factory):
    """A folder in memory if there is one: these tests write thousands of files, and every write is synced to disk."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path_factory.mktemp("files")
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- writing


def test_writing_a_file_creates_its_folder_and_leaves_no_other_files_behind(tmp_path):
    path = tmp_path / "deep" / "down" / "note.txt"
    write_safely(path, "one\n")
    write_safely(path, "zwei ü\n")
    assert path.read_bytes() == "zwei ü\n".encode()
    assert os.listdir(path.parent) == ["note.txt"]


def test_bytes_are_written_unchanged(tmp_path):
    write_safely(tmp_path / "picture", b"\x00\xff\r\n")
    assert (tmp_path / "picture").read_bytes() == b"\x00\xff\r\n"


def test_a_file_name_that_is_not_utf_8_is_escaped_in_the_written_text(tmp_path):
    agent = os.fsdecode(b"agent-\xff.py")
    write_safely(tmp_path / "table.md", f"| {agent} |")
    assert (tmp_path / "table.md").read_text("utf-8") == r"| agent-\udcff.py |"


def test_a_file_with_a_long_name_can_be_written(tmp_path):
    path = tmp_path / ("é" * 120 + ".txt")  # 244 bytes; most file systems accept 255
    write_safely(path, "text")
    assert names(tmp_path) == [path.name]


KILLED_AT_EVERY_LINE = """
import os, signal, sys
from pathlib import Path
from shoverworld.core import files

path = Path(sys.argv[1])

def kill_at(stage):
    seen = 0
    def line(frame, event, _):
        nonlocal seen
        if event == "line":
            seen += 1
            if seen == stage:
                os.kill(os.getpid(), signal.SIGKILL)
        return line
    return line

stage, killed = 0, True
while killed:  # run once for every line of the writer, and kill the process just before that line
    stage += 1
    for left in path.parent.iterdir():
        left.unlink()
    path.write_text("old")
    child = os.fork()
    if child == 0:
        sys.settrace(kill_at(stage))
        files.write_safely(path, "new" * 10000)
        os._exit(0)
    killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
    text = path.read_text()
    print("killed" if killed else "done", {"old": "old", "new" * 10000: "new"}.get(text, "torn"))
"""


@POSIX
def test_the_file_has_the_old_or_the_new_content_no_matter_where_the_process_is_killed(tmp_path):
    path = tmp_path / "note.txt"
    child = subprocess.run(
        [sys.executable, "-c", KILLED_AT_EVERY_LINE, path], capture_output=True, text=True, timeout=100
    )
    assert child.returncode == 0, child.stderr
    output = child.stdout.splitlines()
    first_new = output.index("killed new")  # killed after replacing the file, while syncing the folder
    assert first_new >= 10
    assert output == ["killed old"] * first_new + ["killed new"] * (len(output) - first_new - 1) + ["done new"]


@POSIX
def test_writing_through_a_symbolic_link_preserves_the_link_and_the_file_mode(tmp_path):
    path, link = tmp_path / "note.txt", tmp_path / "link.txt"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_safely(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_failed_write_raises_an_error_that_names_the_path(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveError, match=r"file.note\.txt cannot be written: "):
        write_safely(tmp_path / "file" / "note.txt", "text")
    (tmp_path / "folder").mkdir()
    with pytest.raises(SaveError, match="folder cannot be written"):
        write_safely(tmp_path / "folder", "text")
    with pytest.raises(SaveError, match=r"none.note\.txt cannot be written: "):
        write_safely(tmp_path / "none" / "note.txt", "text", make_folder=False)
    assert names(tmp_path) == ["file", "folder"]  # no incomplete file is left


@pytest.mark.parametrize("path", [5, 1.5, None, "", "a\0b", ["x"]])
def test_writing_to_anything_other_than_a_path_raises_an_error(path):
    with pytest.raises(SaveError, match="is not a path"):
        write_safely(path, "text")


@POSIX
def test_a_device_is_written_to_but_never_replaced(tmp_path):
    """`--out /dev/null` must not turn the device into a file."""
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE)
    write_safely(tmp_path / "pipe", "text")
    assert reader.communicate(timeout=60)[0] == b"text"
    assert (tmp_path / "pipe").is_fifo() and names(tmp_path) == ["pipe"]
    with pytest.raises(SaveError, match="it is a pipe or a device"), files.replacing(tmp_path / "pipe"):
        pass
    write_safely("/dev/null", "text")
    assert (tmp_path / "pipe").is_fifo() and not Path("/dev/null").is_file()


# --- every writer: killed, or on a full disk


def run_writers(*arguments: object, before: tuple[str, ...] = ()) -> list[str]:
    command = [*before, sys.executable, "-m", "tests.file_writers", *map(str, arguments)]
    environment = {**os.environ, "SHOVERWORLD_HOME": str(arguments[1])}
    child = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280)
    assert child.returncode == 0, child.stderr
    return child.stdout.splitlines()


@POSIX
def test_a_killed_writer_never_leaves_a_partial_file(tmp_path):
    *found, _ = run_writers("kill", tmp_path)
    assert found == [name for name in WRITERS if name != "records.json"], "a torn file is listed after its name"
    write_safely(tmp_path / "next.txt", "")
    assert [name for name in names(tmp_path) if name.endswith(".part")] == [], "the next writer removes leftovers"


@POSIX
def test_a_writer_that_hits_a_size_limit_keeps_the_old_file(tmp_path):
    *found, left = run_writers("full", tmp_path, 16)
    assert found == [f"{name}; 0; File too large" for name in WRITERS]
    assert left == "left behind 0"


@POSIX
def test_a_writer_on_a_full_disk_keeps_the_old_file(tmp_path):
    unshare = ("unshare", "--map-root-user", "--mount")
    mount = f"mount -t tmpfs -o size=64k tmpfs '{tmp_path}'"
    if shutil.which("unshare") is None or subprocess.run([*unshare, "sh", "-c", mount], capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted here")
    *found, left = run_writers("full", tmp_path, 0, before=(*unshare, "sh", "-c", f'{mount} && exec "$@"', "sh"))
    assert found == [f"{name}; 0; No space left on device" for name in WRITERS]
    assert left == "left behind 0"


def test_only_the_listed_source_files_write_to_files_directly():
    """Every user file is written through core/files.py.

    The other listed source files write no user files, or only temporary ones.
    """
    plain = re.compile(r"""\.write_(?:text|bytes)\(|\bopen\([^()\n]*,\s*["'][wax]|\.savefig\((?!picture)""")
    allowed = {
        "src/shoverworld/core/files.py": 2,  # the writer itself
        "src/shoverworld/play/autosave.py": 1,  # the lock of an autosave slot
        "src/shoverworld/play/film.py": 1,  # writes to the temporary file that `replacing` creates
        "src/shoverworld/arena/jobs.py": 1,  # a lock
        "src/shoverworld/arena/store.py": 1,  # the lock of a grading folder
        "src/shoverworld/arena/submissions.py": 1,  # a submission, unpacked in a temporary folder
        "src/shoverworld/sandbox/cgroup.py": 4,  # settings of the kernel
        "src/shoverworld/sandbox/probes.py": 3,  # attempts to write, inside a sandbox or in a temporary folder
        "benchmarks/sandbox.py": 1,  # an agent in a temporary folder
        "benchmarks/peers/run.py": 1,  # the marker of a cache folder, which can be recreated
        "benchmarks/frames.py": 1,  # a level in a temporary folder
        "examples/curves.py": 1,  # examples write curves and tables that can be recreated
        "examples/dqn.py": 1,
        "examples/ppo.py": 1,
        "examples/race_self_play.py": 1,
        "benchmarks/wasm.py": 2,  # files for Node, in a temporary folder
        "src/shoverworld/web/export.py": 1,  # copies of the player, which can be recreated
        "src/shoverworld/web/compiler/build.py": 1,  # a module in a temporary folder
        "src/shoverworld/web/compiler/linker.py": 1,  # object code in a temporary folder
    }
    found = {}
    for folder in ("src", "benchmarks", "course", "examples"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if count := len(plain.findall(path.read_text(encoding="utf-8"))):
                found[path.relative_to(ROOT).as_posix()] = count
    assert found == allowed


# --- temporary files of dead writers

WRITES_SLOWLY = """
import sys, time
from shoverworld.core.files import replacing
with replacing(sys.argv[1]) as part:
    part.write_text("half")
    print(part.name, flush=True)
    time.sleep(100)
"""


@POSIX
def test_temporary_files_of_dead_processes_are_removed_and_those_of_running_processes_are_kept(tmp_path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITES_SLOWLY, path], stdout=subprocess.PIPE, text=True)
        for path in (tmp_path / "a.txt", tmp_path / "b.gif")
    ]
    try:
        dead, living = (writer.stdout.readline().strip() for writer in writers)  # type: ignore[union-attr]
        (tmp_path / ".own.part").write_text("the name of a user's file")
        writers[0].kill()
        writers[0].wait()
        assert names(tmp_path) == sorted([dead, living, ".own.part"])
        write_safely(tmp_path / "c.txt", "whole")
        assert names(tmp_path) == sorted([living, ".own.part", "c.txt"])
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()


def test_a_folder_is_searched_only_once_for_leftover_files(tmp_path):
    """A command that writes 10,000 levels must not list the folder 10,000 times."""
    write_safely(tmp_path / "a.txt", "")
    (tmp_path / ".b.txt.01234567.part").write_text("half")
    write_safely(tmp_path / "a.txt", "")
    assert names(tmp_path) == [".b.txt.01234567.part", "a.txt"]


# --- locks

RECORDS = """
import sys
from types import SimpleNamespace
from shoverworld.core.ui import Score
from shoverworld.play.records import Records
records, _ = Records.load()
for number in range(200):
    session = SimpleNamespace(identity=f"{sys.argv[1]} {number}", score=Score((number,), f"{number} steps"), helpers=[])
    assert records.note(session) and records.problem is None
"""


def run_together(*commands: list[object], **environment: str) -> None:
    running = [
        subprocess.Popen([sys.executable, *map(str, command)], env={**os.environ, **environment})
        for command in commands
    ]
    assert [child.wait(timeout=280) for child in running] == [0] * len(commands)


def test_no_record_is_lost_if_two_processes_save_records(tmp_path, monkeypatch):
    home = str(tmp_path / "new home")
    run_together(["-c", RECORDS, "a"], ["-c", RECORDS, "b"], SHOVERWORLD_HOME=home)
    monkeypatch.setenv("SHOVERWORLD_HOME", home)
    records, message = Records.load()
    assert message is None
    added = [f"{player} {number}" for player in "ab" for number in range(200)]
    assert [name for name in added if records.best(name) is None] == []


def test_a_lock_in_a_missing_folder_causes_no_error(tmp_path):
    with files.locked(tmp_path / "none" / "note.txt"):
        pass
    assert names(tmp_path) == []


# --- reading


def test_text_is_decoded_with_or_without_a_byte_order_mark():
    assert files.decoded("ü\n".encode()) == files.decoded("ü\n".encode("utf-8-sig")) == "ü\n"


@pytest.mark.parametrize(
    ("data", "place"), [(b"\xff", (1, 1)), ("ü\nä".encode() + b"\xff", (2, 2)), (b"a\nb\0\xff", (2, 2))]
)
def test_the_error_for_data_that_is_not_utf_8_gives_the_position(data, place):
    with pytest.raises(files.NotText) as caught:
        files.decoded(data)
    assert (caught.value.line, caught.value.column) == place


def test_a_file_of_exactly_the_maximum_size_is_read(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(2**20))
    assert len(files.read_bounded(path, 2**20)) == 2**20
    assert files.read_head(path, 2) == b"\0\0"
    path.write_bytes(bytes(2**20 + 1))
    with pytest.raises(MapError, match=r"file: the file cannot be read: it is larger than 1 MiB"):
        files.read_file(str(path), MapError, 2**20)
