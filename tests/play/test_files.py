"""The player's files: writes are atomic, and invalid settings never prevent the program from starting."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shoverworld.core.errors import SaveError
from shoverworld.play import files
from shoverworld.play.settings import Settings


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


# --- location


def test_the_default_home_is_the_users_data_folder(monkeypatch, tmp_path):
    assert files.home() == tmp_path / "home"
    monkeypatch.delenv("SHOVERWORLD_HOME")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert files.home() == tmp_path / "data" / "shoverworld"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.home() == tmp_path / ".local" / "share" / "shoverworld"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert files.home() == tmp_path / "Library" / "Application Support" / "shoverworld"


# --- writing


def test_writing_a_file_creates_its_folder_and_leaves_no_other_file(home):
    path = home / "deep" / "down" / "note.txt"
    files.write_safely(path, "one\n")
    files.write_safely(path, "zwei ü\n")
    assert path.read_bytes() == "zwei ü\n".encode()
    assert os.listdir(path.parent) == ["note.txt"]


KILLED = """
import os, signal, sys
from pathlib import Path
from shoverworld.play import files

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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_the_file_has_the_old_or_the_new_content_if_the_process_is_killed_at_any_line(tmp_path):
    path = tmp_path / "note.txt"
    child = subprocess.run([sys.executable, "-c", KILLED, path], capture_output=True, text=True, timeout=100)
    assert child.returncode == 0, child.stderr
    output = child.stdout.splitlines()
    first_new = output.index("killed new")  # killed after the file was replaced, while the folder is synced
    assert first_new >= 10
    assert output == ["killed old"] * first_new + ["killed new"] * (len(output) - first_new - 1) + ["done new"]


def test_old_temporary_files_left_by_killed_programs_are_removed(home):
    home.mkdir()
    old, fresh, other = home / ".a.txt.01234567.tmp", home / ".a.txt.89abcdef.tmp", home / ".b.txt.01234567.tmp"
    for left in (old, fresh, other):
        left.write_text("half")
    for left in (old, other):
        os.utime(left, (time.time() - 7200, time.time() - 7200))
    files.write_safely(home / "a.txt", "whole")
    assert sorted(path.name for path in home.iterdir()) == sorted([fresh.name, other.name, "a.txt"])


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX modes and links")
def test_writing_preserves_the_mode_of_a_file_and_a_symbolic_link(home):
    home.mkdir()
    path, link = home / "note.txt", home / "link.txt"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    files.write_safely(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_failed_write_raises_an_error_that_names_the_path(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveError, match=r"file.note\.txt cannot be written: "):
        files.write_safely(tmp_path / "file" / "note.txt", "text")
    (tmp_path / "folder").mkdir()
    with pytest.raises(SaveError, match="folder cannot be written"):
        files.write_safely(tmp_path / "folder", "text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]  # no incomplete file is left


# --- reading


def test_reading_a_missing_file_is_not_an_error(home):
    assert files.read_json(home / "none.json") == (None, None)


@pytest.mark.parametrize("content", [b"", b"{'a': 1}", b"\xff\xfe", b'{"a": 1', b"[" * 200_000])
def test_a_corrupt_file_is_set_aside_with_its_content_unchanged(home, content):
    home.mkdir()
    path = home / "some.json"
    for number in (1, 2):
        path.write_bytes(content)
        value, message = files.read_json(path)
        assert value is None
        assert message.startswith(f"{path} cannot be used: it is not JSON (")
        assert message.endswith(f"The file was renamed to some.json.corrupt-{number}")
        assert not path.exists()
        assert (home / f"some.json.corrupt-{number}").read_bytes() == content


def test_a_folder_in_place_of_the_file_is_reported_and_kept(home):
    (home / "some.json").mkdir(parents=True)
    value, message = files.read_json(home / "some.json")
    assert value is None and "some.json cannot be read: " in message
    assert (home / "some.json").is_dir()


UNREADABLE = """
import resource, sys
from shoverworld.play import files
resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))  # no file can be opened from now on
print(files.read_json(sys.argv[1]))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX resource limits")
def test_an_unreadable_file_is_set_aside(home):
    """The next write must not overwrite the unreadable file."""
    home.mkdir()
    path = home / "some.json"
    path.write_text('{"a": 1}')
    child = subprocess.run([sys.executable, "-c", UNREADABLE, path], capture_output=True, text=True, timeout=100)
    assert child.returncode == 0, child.stderr
    assert "(None, " in child.stdout and "it cannot be read (" in child.stdout
    assert (home / "some.json.corrupt-1").read_text() == '{"a": 1}'


def test_a_file_that_contains_only_null_is_set_aside(home):
    home.mkdir()
    (home / "some.json").write_text("null")
    value, message = files.read_json(home / "some.json")
    assert value is None and "renamed to some.json.corrupt-1" in message
    assert files.read_json(home / "some.json") == (None, None)


def test_bytes_are_written_unchanged(home):
    files.write_safely(home / "picture", b"\x00\xff\r\n")
    assert (home / "picture").read_bytes() == b"\x00\xff\r\n"


# --- settings


def write_settings(**values):
    files.write_safely(files.home() / "settings.json", json.dumps(values))


def test_saved_settings_are_loaded_again():
    assert Settings.load() == (Settings(), None)
    settings = Settings(
        preset="walker", board="/maps/ü.txt", seed=7, fps=60, animation=False, speed=2, width=800, player="Ann"
    )
    assert settings.save() is None
    assert Settings.load() == (settings, None)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("width", -5, "must be a whole number from 320 to 16384; using 1120 instead"),
        ("height", 1e400, "must be a whole number"),
        ("width", "800", "must be a whole number"),
        ("seed", -1, "must be a whole number from 0"),
        ("seed", True, "must be a whole number"),
        ("fps", 31, "must be one of 30, 60; using 30 instead"),
        ("fps", [30], "must be one of 30, 60"),
        ("animation", "no", "must be True or False"),
        ("speed", 0, "must be from 0.25 to 64"),
        ("speed", None, "must be a finite number"),
        ("player", 3, "must be a single line of text; using '' instead"),
        ("board", "a\nb", "must be a single line of text"),
        ("colour", "red", "unknown setting 'colour'"),
    ],
)
def test_an_invalid_setting_is_reported_and_the_other_settings_are_used(name, value, wanted):
    write_settings(**{"player": "Ann", "height": 600, name: value})
    settings, message = Settings.load()
    assert name in message and wanted in message and "settings.json: " in message
    expected = {"player": "Ann", "height": 600} | ({name: getattr(Settings(), name)} if hasattr(Settings, name) else {})
    assert settings == Settings(**expected)


@pytest.mark.parametrize("content", ["[1, 2]", '"words"', "17", "{", ""])
def test_a_file_without_settings_is_set_aside(home, content):
    home.mkdir()
    (home / "settings.json").write_text(content)
    settings, message = Settings.load()
    assert settings == Settings()
    assert "renamed to settings.json.corrupt-1" in message
    assert (home / "settings.json.corrupt-1").read_text() == content
    assert settings.save() is None
    assert Settings.load() == (Settings(), None)


def test_an_unusable_home_folder_gives_a_message_instead_of_an_error(home):
    Path(home).write_text("a file where the folder should be")
    settings, message = Settings.load()
    assert settings == Settings()
    assert "settings.json cannot be read: " in message
    assert "settings.json cannot be written: " in settings.save()
