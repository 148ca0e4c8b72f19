"""Files are written completely or not at all, read with a limit, and locked while they are changed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shoverworld.core.errors import SaveError
from shoverworld.core.files import write_safely

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals, modes and links")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- writing


def test_writing_a_file_creates_its_folder_and_leaves_no_other_file(tmp_path):
    path = tmp_path / "deep" / "down" / "note.txt"
    write_safely(path, "one\n")
    write_safely(path, "zwei ü\n")
    assert path.read_bytes() == "zwei ü\n".encode()
    assert os.listdir(path.parent) == ["note.txt"]


def test_bytes_are_written_unchanged(tmp_path):
    write_safely(tmp_path / "picture", b"\x00\xff\r\n")
    assert (tmp_path / "picture").read_bytes() == b"\x00\xff\r\n"


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
while killed:  # once more for every line of Python that the writing takes: it dies just before that line
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
def test_the_file_has_the_old_or_the_new_content_if_the_process_is_killed_at_any_line(tmp_path):
    path = tmp_path / "note.txt"
    child = subprocess.run(
        [sys.executable, "-c", KILLED_AT_EVERY_LINE, path], capture_output=True, text=True, timeout=100
    )
    assert child.returncode == 0, child.stderr
    output = child.stdout.splitlines()
    first_new = output.index("killed new")  # killed after the file was replaced, while the folder is synced
    assert first_new >= 10
    assert output == ["killed old"] * first_new + ["killed new"] * (len(output) - first_new - 1) + ["done new"]


@POSIX
def test_writing_preserves_the_mode_of_a_file_and_a_symbolic_link(tmp_path):
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
def test_only_a_path_can_be_written(path):
    with pytest.raises(SaveError, match="is not a path"):
        write_safely(path, "text")


@POSIX
def test_a_device_is_written_and_never_replaced(tmp_path):
    """`--out /dev/null` must not turn the device into a file."""
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE)
    write_safely(tmp_path / "pipe", "text")
    assert reader.communicate(timeout=60)[0] == b"text"
    assert (tmp_path / "pipe").is_fifo() and names(tmp_path) == ["pipe"]
    write_safely("/dev/null", "text")
    assert not Path("/dev/null").is_file()
