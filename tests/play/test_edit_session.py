"""The editor without a window: strokes, undo, saving, and unsaved work that survives if the process is killed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shoverworld.core.errors import ConfigError, MapError, SaveError
from shoverworld.core.files import is_at
from shoverworld.games import game_named
from shoverworld.games.shover.maps import Map
from shoverworld.play import autosave
from shoverworld.play.edit_session import MOST_REVISIONS, EditSession, recover

GAME = game_named("shover")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def open_drawing(tmp_path: Path, preset: str = "milestone1") -> EditSession:
    """Open an edit session on a file."""
    path = tmp_path / "dock.txt"
    path.write_text(f"// My dock\n// For the test.\n// rules: {preset}\n..B.L\nA.#..\nBB...\n")
    return EditSession.open(GAME, str(path))


def picture(drawing: EditSession) -> str:
    """Return the drawing as a string, even if it is not a valid map."""
    signs = {0: ".", 10: "B", 100: "#", -100: "L"}
    kept = drawing.draft.to_json()
    rows = [[signs.get(code, str(code)) for code in row] for row in kept["cells"]]
    if kept["start"]:
        rows[kept["start"][0]][kept["start"][1]] = "A"
    return "\n".join("".join(row) for row in rows)


# ---------------------------------------------------------------- strokes


def test_one_undo_reverts_a_whole_stroke(tmp_path):
    drawing = open_drawing(tmp_path)
    before = picture(drawing)
    drawing.begin()
    for cell in ((0, 0), (0, 1), (0, 1), (0, 2)):
        drawing.paint(cell, "lava")
    drawing.end()
    assert picture(drawing) == "LLL.L\nA.#..\nBB..."
    drawing.paint((2, 4), "barrier")
    assert picture(drawing) == "LLL.L\nA.#..\nBB..#"
    assert drawing.undo() and picture(drawing) == "LLL.L\nA.#..\nBB..."
    assert drawing.undo() and picture(drawing) == before
    assert not drawing.undo() and not drawing.can_undo
    assert drawing.redo() and drawing.redo() and not drawing.redo()
    assert picture(drawing) == "LLL.L\nA.#..\nBB..#"


def test_a_fast_stroke_has_no_gaps(tmp_path):
    drawing = open_drawing(tmp_path)
    drawing.begin()
    drawing.paint((0, 0), "barrier")
    drawing.paint((2, 4), "barrier", start=(0, 0))
    drawing.end()
    for row, col in ((0, 0), (1, 2), (2, 4)):
        assert picture(drawing).split("\n")[row][col] == "#"
    assert picture(drawing).count("#") == 5, "the line goes from corner to corner and replaces the barrier"


def test_a_stroke_that_changes_nothing_cannot_be_undone(tmp_path):
    drawing = open_drawing(tmp_path)
    drawing.begin()
    drawing.paint((0, 0), "empty")
    drawing.end()
    assert not drawing.can_undo and not drawing.changed
    drawing.begin()
    drawing.paint((0, 0), "lava")
    drawing.paint((0, 0), "empty")
    drawing.end()
    assert not drawing.can_undo and not drawing.changed


def test_undo_during_a_stroke_ends_the_stroke(tmp_path):
    drawing = open_drawing(tmp_path)
    before = picture(drawing)
    drawing.begin()
    drawing.paint((0, 0), "lava")
    assert drawing.undo() and picture(drawing) == before
    drawing.paint((0, 1), "lava")
    drawing.paint((0, 2), "lava")
    assert drawing.undo() and picture(drawing) == ".LB.L\nA.#..\nBB..."


def test_a_new_change_discards_the_redo_history(tmp_path):
    drawing = open_drawing(tmp_path)
    drawing.paint((0, 0), "lava")
    drawing.undo()
    drawing.paint((0, 1), "lava")
    assert not drawing.can_redo and picture(drawing).startswith(".LB.L")


def test_undo_reverts_flips_and_rotations_and_changes_of_size_or_rules(tmp_path):
    drawing = open_drawing(tmp_path)
    before = picture(drawing)
    drawing.change(lambda draft: draft.flipped())
    assert picture(drawing) == "L.B..\n..#.A\n...BB"
    drawing.change(lambda draft: draft.rotated())
    assert picture(drawing) == "..L\n...\n.#B\nB..\nBA."
    drawing.change(lambda draft: draft.resized(6, 2))
    assert (drawing.draft.rows, drawing.draft.cols) == (6, 2)
    drawing.choose("phase2")
    assert drawing.preset == "phase2" and drawing.changed
    with pytest.raises(ConfigError):
        drawing.change(lambda draft: draft.resized(0, 2))
    for _ in range(4):
        assert drawing.undo()
    assert picture(drawing) == before and drawing.preset == "milestone1" and not drawing.changed


def test_the_undo_history_is_limited(tmp_path):
    drawing = open_drawing(tmp_path)
    for i in range(MOST_REVISIONS + 50):
        drawing.paint((i % 3, 3), ("lava", "barrier", "box")[i // 3 % 3])
    undone = 0
    while drawing.undo():
        undone += 1
    assert undone == MOST_REVISIONS - 1


# ---------------------------------------------------------------- problems


def test_a_drawing_with_serious_problems_cannot_be_played(tmp_path):
    drawing = open_drawing(tmp_path)
    assert drawing.board().name == "dock"
    drawing.change(lambda draft: draft.resized(1, 1).painted((0, 0), "box"))
    assert drawing.problems()[0].serious
    with pytest.raises(ConfigError, match="played yet: the map has no empty cell"):
        drawing.board()
    with pytest.raises(ConfigError, match="saved yet: the map has no empty cell"):
        drawing.save(str(tmp_path / "no.txt"))
    assert not (tmp_path / "no.txt").exists()


# ---------------------------------------------------------------- saving


@pytest.mark.parametrize("format", ["A", "B"])
def test_a_saved_map_equals_the_drawing(tmp_path, format):
    drawing = EditSession.blank(GAME, "walker")
    for cell, brush in (
        ((0, 0), "box 3"),
        ((1, 1), "lava"),
        ((2, 2), "barrier"),
        ((4, 4), "square 2"),
        ((7, 7), "shover"),
    ):
        drawing.paint(cell, brush)
    path = drawing.save(str(tmp_path / "mine.txt"), format)
    assert path == str(tmp_path / "mine.txt") and not drawing.changed and drawing.name == "mine"
    again = EditSession.open(GAME, path)
    assert again.draft.to_json() == {**drawing.draft.to_json(), "title": again.draft.to_json()["title"]}
    assert picture(again) == picture(drawing)
    assert (again.preset, again.format, again.path) == ("walker", format, path)
    assert Map.read(path).to_text("A") == Map.parse(Map.read(path).to_text("B")).to_text("A")
    numbers = Path(path).read_text().splitlines()[-1].split()
    assert (len(numbers) > 1) == (format == "A")


def test_saving_preserves_comments(tmp_path):
    drawing = open_drawing(tmp_path, "phase2")
    drawing.paint((0, 0), "lava")
    drawing.save()
    text = (tmp_path / "dock.txt").read_text()
    assert "// My dock" in text and "// For the test." in text and "// rules: phase2" in text


def test_saving_again_writes_to_the_same_path_in_the_same_format(tmp_path):
    drawing = EditSession.blank(GAME)
    with pytest.raises(SaveError, match="no file yet"):
        drawing.save()
    drawing.save(str(tmp_path / "mine.txt"), "A")
    drawing.paint((0, 0), "lava")
    assert drawing.changed
    drawing.save()
    assert not drawing.changed and "-100" in (tmp_path / "mine.txt").read_text()
    drawing.undo()
    assert drawing.changed, "the file still contains the undone change"
    drawing.redo()
    assert not drawing.changed


def test_a_packaged_level_has_no_path():
    drawing = EditSession.open(GAME, "01-first-push")
    assert drawing.path is None and not drawing.changed
    with pytest.raises(SaveError, match="no file yet"):
        drawing.save()


def test_saving_to_an_invalid_path_raises_an_error_that_names_the_path(tmp_path):
    drawing = open_drawing(tmp_path)
    drawing.paint((0, 0), "lava")
    for path, what in ((tmp_path, "is a folder"), (tmp_path / "none" / "x.txt", "does not exist")):
        with pytest.raises(SaveError, match=what):
            drawing.save(str(path))
    assert drawing.changed and drawing.path == str(tmp_path / "dock.txt")
    assert drawing.overwrites(str(tmp_path)) and not drawing.overwrites(str(tmp_path / "dock.txt"))
    assert not drawing.overwrites(str(tmp_path / "new.txt"))
    with pytest.raises(MapError):
        EditSession.open(GAME, str(tmp_path / "new.txt"))


def test_a_failed_save_keeps_the_old_file(tmp_path, monkeypatch):
    """The disk is full, so the new file cannot be written, and the old file must stay complete."""
    drawing = open_drawing(tmp_path)
    drawing.paint((0, 0), "lava")
    before = (tmp_path / "dock.txt").read_bytes()
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(SaveError, match="No space left"):
            drawing.save()
    assert (tmp_path / "dock.txt").read_bytes() == before and drawing.changed
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["dock.txt"]


# ---------------------------------------------------------------- autosave


def autosave_files(home: Path) -> list[str]:
    return sorted(path.suffix for path in home.glob("autosave-*"))


def test_an_autosave_exists_only_while_there_are_unsaved_changes(tmp_path, home):
    drawing = open_drawing(tmp_path)
    drawing.keep()
    assert autosave_files(home) == []
    drawing.paint((0, 0), "lava")
    drawing.keep()
    assert autosave_files(home) == [".json", ".lock"]
    drawing.undo()
    drawing.keep()
    assert autosave_files(home) == [".lock"]
    drawing.redo()
    drawing.keep()
    assert autosave_files(home) == [".json", ".lock"]
    drawing.save()
    assert autosave_files(home) == [".lock"]
    drawing.discard()
    assert autosave_files(home) == []


def test_an_unchanged_drawing_is_autosaved_only_once(tmp_path, home):
    drawing = open_drawing(tmp_path)
    drawing.paint((0, 0), "lava")
    drawing.keep()
    (file,) = home.glob("*.json")
    file.write_text("not touched")
    drawing.keep()
    assert file.read_text() == "not touched"
    drawing.paint((0, 1), "lava")
    drawing.keep()
    assert json.loads(file.read_text())["draft"]["cells"][0][:2] == [-100, -100]


def test_work_in_an_open_editor_is_not_offered_for_recovery(tmp_path, home):
    one, two = open_drawing(tmp_path), EditSession.blank(GAME)
    for drawing in (one, two):
        drawing.paint((0, 0), "lava")
        drawing.keep()
    assert recover() == ([], [])
    one.release()
    (found,), messages = recover()
    assert found.draft.to_json() == one.draft.to_json() and found.path == one.path and messages == []
    assert recover() == ([], []), "the recovered level is being edited again"
    two.discard()
    found.discard()
    assert autosave_files(home) == []


def test_unsaved_work_from_a_closed_editor_is_offered_again(tmp_path):
    drawing = open_drawing(tmp_path)
    drawing.paint((0, 0), "lava")
    drawing.keep()
    drawing.release()
    (found,), _ = recover()
    assert found.changed and not found.can_undo
    found.release()
    (again,), _ = recover()
    assert picture(again) == picture(drawing)
    again.save()
    again.release()
    assert recover() == ([], []), "saved work is not offered"


CHILD = """
import os, signal, sys
from shoverworld.play.edit_session import EditSession
from shoverworld.games import game_named
drawing = EditSession.blank(game_named("shover"), "phase2")
drawing.paint((1, 2), sys.argv[1])
drawing.begin()
drawing.paint((3, 4), "square 2")
drawing.keep()
print(flush=True)
if sys.argv[2] == "dies":
    os.kill(os.getpid(), signal.SIGKILL)
sys.stdin.readline()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_no_work_is_lost_if_the_process_is_killed(home):
    """One editor is killed during a stroke; another keeps running. Only the work of the killed editor is offered."""
    dead = subprocess.run([sys.executable, "-c", CHILD, "lava", "dies"], capture_output=True, timeout=280)
    assert dead.returncode == -signal.SIGKILL
    living = subprocess.Popen(
        [sys.executable, "-c", CHILD, "barrier", "lives"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert living.stdout is not None and living.stdout.readline() == b"\n"
        assert len(list(home.glob("*.json"))) == 2
        (found,), messages = recover()
        wanted = EditSession.blank(GAME, "phase2")
        wanted.paint((1, 2), "lava")
        wanted.paint((3, 4), "square 2")
        assert found.draft.to_json() == wanted.draft.to_json() and found.preset == "phase2" and messages == []
    finally:
        living.communicate(b"\n", timeout=280)
    (left,), _ = recover()
    assert left.draft.to_json()["cells"][1][2] == 100, "the other editor ended without saving"


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        ("", "not JSON"),
        ('{"autosave":1,', "not JSON"),
        ("[]", "not an autosave"),
        ('{"autosave":99}', "not an autosave"),
        ('{"autosave":1}', "game"),
        ('{"autosave":1,"game":"chess","preset":"x","format":"B","path":null,"draft":{}}', "chess"),
        ('{"autosave":1,"game":"shover","preset":"x","format":"B","path":null,"draft":{}}', "'x'"),
        ('{"autosave":1,"game":"shover","preset":"walker","format":"B","path":null,"draft":{}}', "draft lacks"),
        ('{"autosave":1,"game":"shover","preset":"walker","format":"B","path":7,"draft":{}}', "7"),
        ('{"autosave":1,"game":["shover"],"preset":"walker","format":"B","path":null,"draft":[]}', "shover"),
    ],
)
def test_a_corrupt_autosave_is_set_aside(home, spoilt, why):
    home.mkdir()
    (home / "autosave-1234.json").write_text(spoilt)
    found, (message,) = recover()
    assert found == [] and why in message and "autosave-1234.json.corrupt-1" in message
    assert [path.name for path in home.iterdir()] == ["autosave-1234.json.corrupt-1"]
    assert (home / "autosave-1234.json.corrupt-1").read_text() == spoilt
    assert recover() == ([], [])


def test_a_valid_autosave_is_offered_despite_a_corrupt_one(tmp_path, home):
    drawing = open_drawing(tmp_path)
    drawing.paint((0, 0), "lava")
    drawing.keep()
    drawing.release()
    (home / "autosave-0000.json").write_bytes(b"\xff\xfe")
    (found,), (message,) = recover()
    assert picture(found) == picture(drawing) and "autosave-0000" in message


def test_a_read_only_autosave_folder_is_reported_only_once(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "file"))
    drawing = open_drawing(tmp_path)
    drawing.paint((0, 0), "lava")
    with pytest.raises(SaveError, match="unsaved work cannot be autosaved"):
        drawing.keep()
    drawing.keep()
    assert recover() == ([], [])
    drawing.save()
    drawing.discard()


def test_a_lock_on_a_deleted_lock_file_is_ignored(home):
    """The owner of a slot may delete the lock file just before another process locks it. Such a lock is useless."""
    slot = autosave.AutosaveSlot.new()
    lock = slot.path.with_suffix(".lock")
    handle = open(lock, "ab")  # noqa: SIM115
    slot.close()
    assert not is_at(lock, handle)
    handle.close()
