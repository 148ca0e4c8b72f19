"""Tests of folders in which some files are not levels: the commands report these files and use the others."""

import os
import sys
from pathlib import Path

import pytest

from shoverworld import sokoban
from shoverworld.cli import main
from shoverworld.core.errors import LevelError, MapError, MapNotFound
from shoverworld.core.level_files import about_skipped, levels_in
from shoverworld.games import game_named
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.levels import LevelList
from shoverworld.play.places import find
from tests.commands import run_shover
from tests.terminals import Terminal

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "own_game" / "src"))
from keydoor.game import GAME as KEYDOOR

LEVELS = {
    "shover": "..B..\nA....\n...L.\n",
    "sokoban": "#####\n#@$.#\n#####\n",
    "race": "#######\n#S...F#\n#S...F#\n#######\n",
}
MALFORMED = {"shover": "..B\n.x.\n", "sokoban": "#####\n#@$ #\n#####\n", "race": "#####\n#S.#\n#####\n"}
AGENT = {"shover": "greedy", "sokoban": "planner", "race": "greedy"}


def folder_of(tmp_path, good, malformed):
    """Make a folder with two levels, a malformed file, a binary file, a stray file and an ignored file."""
    folder = tmp_path / "levels"
    (folder / "more").mkdir(parents=True)
    (folder / "b-good.txt").write_text(good)
    (folder / "more" / "d-good.txt").write_text(good)
    (folder / "a-bad.txt").write_text(malformed)
    (folder / "binary.txt").write_bytes(b"\xff\x00\xfe" * 20)
    (folder / "readme.txt").write_text("Some levels of mine.\n")
    (folder / "notes.md").write_text("the suffix is not that of a level file")
    (folder / ".hidden.txt").write_text("hidden")
    os.symlink(folder / "nowhere", folder / "dangling.txt")
    return folder


@pytest.fixture(params=LEVELS)
def game(request):
    return request.param


@pytest.fixture
def folder(tmp_path, game):
    return folder_of(tmp_path, LEVELS[game], MALFORMED[game])


STRAY = ("a-bad.txt", "binary.txt", "dangling.txt", "readme.txt")


@pytest.mark.parametrize("command", ["solve", "compare", "maps", "watch"])
def test_a_command_reports_bad_files_and_continues(command, game, folder, tmp_path):
    options = {
        "solve": ["--time", 2, "--agent", AGENT[game]],
        "compare": ["--agents", AGENT[game], "--out", tmp_path / "out"],
        "maps": [],
        "watch": ["--terminal", "--level", 1, "--agent", AGENT[game]],
    }[command]
    run = run_shover(command, folder, *options)
    assert run.returncode == 2 and "Traceback" not in run.stderr
    lines = run.stderr.splitlines()
    assert len(lines) == len(STRAY)
    for line, name in zip(lines, STRAY, strict=True):
        assert line.startswith(f"shover {command}: {folder / name}"), line
    if command == "compare":
        assert (tmp_path / "out" / "compare.csv").read_text().count("good") == 2
    else:
        assert "b-good" in run.stdout


def test_a_tournament_reports_bad_files_and_continues(tmp_path):
    folder = folder_of(tmp_path, LEVELS["race"], MALFORMED["race"])
    run = run_shover("tournament", folder, "--players", "greedy,optimal", "--races", 1, "--out", tmp_path / "out")
    assert run.returncode == 2 and run.stderr.count("\n") == len(STRAY)
    assert "4 games with 2 players each on 2 tracks" in run.stdout


def test_the_commands_fail_if_there_is_no_valid_level(tmp_path):
    (tmp_path / "a.txt").write_text("..B\n.x.\n")
    (tmp_path / "b.txt").write_text("..B\n.y.\n")
    for command in (["solve", tmp_path], ["compare", tmp_path, "--out", tmp_path / "out"]):
        run = run_shover(*command)
        assert run.returncode == 2 and not run.stdout and "no file in this folder can be read" in run.stderr
    assert not (tmp_path / "out").exists()


# --- reading a folder


def test_every_game_reads_a_folder_in_the_same_way(game, folder):
    found = levels_in(game_named(game), str(folder))
    assert [board.name for board in found.boards] == ["b-good", "more/d-good"]
    assert [board.path for board in found.boards] == [str(folder / "b-good.txt"), str(folder / "more" / "d-good.txt")]
    assert len(found.skipped) == len(STRAY)
    assert about_skipped(found.skipped).startswith(f"Skipped 4 files; the first: {folder / 'a-bad.txt'}")


def test_a_small_game_reads_a_folder_like_any_other_game(tmp_path):
    level = KEYDOOR.levels.packaged()[0].level
    folder = folder_of(tmp_path, level, "?")
    found = levels_in(KEYDOOR, str(folder))
    assert [board.name for board in found.boards] == ["b-good", "more/d-good"] and len(found.skipped) == len(STRAY)


def test_a_folder_without_a_level_raises_an_error(tmp_path, game):
    found = game_named(game)
    with pytest.raises(MapNotFound, match=r"the folder contains no (map|level|track) files"):
        levels_in(found, str(tmp_path))
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(MapError, match="not a regular file"):
        levels_in(found, str(tmp_path))


def test_stray_level_files_for_another_game_do_not_change_the_detected_game(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(LEVELS["shover"])
    (tmp_path / "room.xsb").write_text(LEVELS["sokoban"])
    run = run_shover("solve", tmp_path, "--time", 2)
    assert (
        run.returncode == 0 and run.stdout.startswith("map") and run.stdout.count("cleared") == 4
    )  # one of them in the total


# --- the level browser and the terminal


def test_a_folder_that_contains_mostly_other_files_is_not_opened_as_a_level_collection(tmp_path):
    """A user may drop a whole disk onto the window."""
    for number in range(60):
        (tmp_path / f"{number:02}.txt").write_text("a letter to somebody\n")
    (tmp_path / "99.txt").write_text(LEVELS["shover"])
    with pytest.raises(MapError, match="not a folder of maps: 0 of the first 41 files are maps"):
        LevelList(game_named("shover"), str(tmp_path))
    assert len(levels_in(game_named("shover"), str(tmp_path)).boards) == 1  # `shover solve` does the same


def test_the_level_browser_names_the_skipped_files(game, folder):
    levels = LevelList(game_named(game), str(folder))
    assert len(levels) == 2 and "Skipped 4 files" in levels.skipped
    browser = LevelBrowser(LevelList(game_named(game)))
    assert "Skipped 4 files" in browser.open_game(game_named(game), str(folder)) and len(browser.levels) == 2


def test_the_terminal_shows_the_valid_levels_in_a_folder(tmp_path):
    folder = folder_of(tmp_path, LEVELS["shover"], MALFORMED["shover"])
    with Terminal("play", "--terminal", folder, home=tmp_path / "home", columns=160) as terminal:
        text = terminal.wait("Skipped 4 files")
        assert "b-good" in text and "d-good" in text and "a-bad.txt, line 2" in text
        terminal.press("enter")
        terminal.wait("Stamina")
        terminal.press("q")
        assert terminal.ends() == 0


@pytest.mark.parametrize(
    ("game", "level"), [("shover", "09-perfect-square"), ("sokoban", "tiny#2"), ("race", "05-oval")]
)
def test_a_folder_named_like_a_packaged_collection_does_not_hide_its_levels(game, level, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    levels = game_named(game).levels
    name = levels.collections()[0].name
    Path(name).mkdir()
    assert len(levels_in(game_named(game), name).boards) == len(levels.boards()) > 5, "the folder contains no levels"
    assert find(level, game).board.name == level
    Path(name, "own.txt").write_text(LEVELS[game])
    if "#" not in level:  # tiny#2 is now the second level in the folder
        assert find(level, game).board.name == level
    assert [board.name for board in levels_in(game_named(game), name).boards] == ["own"], "the folder can be opened"


# --- one malformed level in a file

COLLECTION = """; one
#####
#@$.#
#####

; two boxes, no target
#####
#@$$#
#####

; three
######
#@ $.#
######

; four
####
#@x#
####
"""


@pytest.fixture
def collection(tmp_path):
    path = tmp_path / "few.xsb"
    path.write_text(COLLECTION, encoding="utf-8")
    return path


def test_a_malformed_level_does_not_hide_the_valid_levels_in_its_file(collection, capsys):
    for command in ("maps", "solve"):
        assert main([command, str(collection)]) == 2
        output = capsys.readouterr()
        assert "few-1" in output.out and "few-3" in output.out and "few-2" not in output.out
        assert f"{collection}, level 2, line 7: boxes: 2, targets: 0" in output.err
        assert f"{collection}, level 4, line 18: 'x' in column 3" in output.err
    found = levels_in(game_named("sokoban"), str(collection.parent))
    assert [board.name for board in found.boards] == ["few#1", "few#3"] and len(found.skipped) == 2
    assert about_skipped(found.skipped).startswith(f"Skipped 2 levels; the first: {collection}, level 2, line 7: ")


def test_a_level_that_is_requested_by_number_keeps_its_number(collection, capsys):
    assert main(["solve", f"{collection}#3"]) == 0
    output = capsys.readouterr()
    assert "few-3" in output.out and output.err == ""
    assert main(["watch", str(collection), "--level", "3", "--terminal"]) == 0
    assert sokoban.read(collection, 3).title == "three" and game_named("sokoban").levels.read(f"{collection}#3")
    capsys.readouterr()
    for number, line in ((2, 7), (4, 18)):
        for command in (["solve", f"{collection}#{number}"], ["watch", f"{collection}#{number}", "--terminal"]):
            assert main(command) == 2
            assert f"few.xsb, level {number}, line {line}: " in capsys.readouterr().err
        with pytest.raises(LevelError, match=f"level {number}, line {line}: "):
            sokoban.read(collection, number)
    with pytest.raises(LevelError, match="level 2, line 7: "):
        sokoban.read_levels(collection)  # all levels were requested
    assert main(["solve", f"{collection}#5"]) == 2
    assert "expected a number from 1 to 4" in capsys.readouterr().err


def test_the_first_error_in_a_file_is_raised_if_the_file_has_too_few_valid_levels(tmp_path):
    path = tmp_path / "bad.xsb"
    path.write_text("#####\n#@$$#\n#####\n\n" * 3, encoding="utf-8")
    with pytest.raises(LevelError, match="level 1, line 1: boxes: 2"):
        levels_in(game_named("sokoban"), str(path))
    good = COLLECTION.split("\n\n")[0]
    path.write_text(f"{good}\n\n" + "#####\n#@$$#\n#####\n\n" * 100, encoding="utf-8")
    with pytest.raises(LevelError, match="level 2, line 6: boxes: 2"):  # too few valid levels for a collection
        levels_in(game_named("sokoban"), str(path))
