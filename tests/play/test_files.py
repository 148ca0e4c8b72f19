"""The player's files: a damaged file is set aside, and invalid settings never prevent the program from starting."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shoverworld.core.files import write_safely
from shoverworld.play import files
from shoverworld.play.settings import Settings


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


# --- location


def test_the_default_home_folder_is_the_data_folder_of_the_user(monkeypatch, tmp_path):
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


def test_a_folder_with_the_name_of_the_file_is_reported_and_kept(home):
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


# --- settings


def write_settings(**values):
    write_safely(files.home() / "settings.json", json.dumps(values))


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
        ("width", -5, "must be an integer from 320 to 16384; using 1120 instead"),
        ("height", 1e400, "must be an integer"),
        ("width", "800", "must be an integer"),
        ("seed", -1, "must be an integer from 0"),
        ("seed", True, "must be an integer"),
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


def test_an_unusable_home_folder_causes_a_message_instead_of_an_error(home):
    Path(home).write_text("a file in place of a folder")
    settings, message = Settings.load()
    assert settings == Settings()
    assert "settings.json cannot be read: " in message
    assert "settings.json cannot be written: " in settings.save()
