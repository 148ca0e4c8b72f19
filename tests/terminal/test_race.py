"""The race in a real pseudo-terminal: players, moves by keyboard and mouse, a penalty, an agent and the finish."""

import io
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

if sys.platform == "win32":
    pytest.skip("this system has no pseudo-terminals", allow_module_level=True)

from shoverworld.cli import main
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act
from shoverworld.games import game_named
from shoverworld.play.session import Session
from shoverworld.race import RaceEnv
from shoverworld.terminal.page import TableText, page
from shoverworld.terminal.show import snapshot
from tests.terminals import Terminal

LANE = "##########\n#S.......F\n#S.......F\n##########\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def track(tmp_path: Path) -> Path:
    path = tmp_path / "lane.txt"
    path.write_text(LANE)
    return path


def test_two_players_race_from_start_to_finish(track: Path, home: Path, capsys):
    with Terminal("race", track, "--players", "Ann=human,Bob=human", "--terminal", home=home, columns=120) as terminal:
        start = terminal.wait("Q: quit")
        assert "Grid race · Lane" in start and re.search(r"> Ann +0 steps", start)
        assert "1 to 9: move · O: drivers" in start
        assert all(sign in start for sign in ("7↖x", "8↑", "6→", "▚▚"))
        terminal.press("6")
        shown = terminal.wait("1 Ann: step 1, to 2,")
        assert re.search(r"> Bob +0 steps", shown)
        terminal.press("6")
        terminal.wait("2 Bob: step 1, to 2,")
        # An illegal move needs confirmation. Ann is in one of the two lanes, so up or down leaves the track.
        away = "8" if "Ann: step 1, to 2,1" in terminal.text else "2"
        terminal.press(away)
        terminal.wait("choose it again")
        terminal.press("u")
        terminal.wait("Undone: Bob")
        terminal.press("y", away, away)
        assert re.search(r"Ann +2 steps, skips 5", terminal.wait("stops and skips 5 turns"))
        terminal.press("6", "6", "4")
        shown = terminal.wait("finished in 4 steps, place 1")
        assert re.search(r"1\. Bob +4 steps", shown)
        # Ann has skipped her turns, is in column 2 and needs four more moves.
        terminal.press("6", "6", "5", "5")
        over = terminal.wait("The game is over")
        assert "All cars have finished" in over and re.search(r"2\. Ann +\d+ steps, 1 penalty", over)
        terminal.press("k")
        terminal.wait("Saved")
        terminal.press("q")
        assert terminal.ends() == 0
    (saved,) = (home / "replays").glob("*.replay")
    assert Replay.read(saved).notes["players"] == "Ann=human,Bob=human"
    assert main(["replay", str(saved), "--check"]) == 0
    steps = "finished, steps 11 + 4, penalties 1 + 0, rounds"
    assert steps in capsys.readouterr().out, "the steps of each car"


def test_players_can_be_chosen_and_an_agent_moves_on_its_turn(track: Path, home: Path):
    with Terminal("play", track, "--terminal", home=home, columns=120) as terminal:
        asked = terminal.wait("Choose the drivers for Lane")
        assert "2 of 2 drivers" in asked and "You" in asked and "AI driver: < greedy >" in asked
        terminal.press("i")
        terminal.wait("The track is full: it has room for 2 drivers.")
        terminal.press("x", "a")
        terminal.wait("Name: _")
        terminal.press("z", "o", "e")
        terminal.wait("Name: Zoe_")
        terminal.press("enter")
        terminal.wait("Zoe ")
        terminal.press("enter")
        # The agent is player 1 and moves first.
        shown = terminal.wait("1 greedy: step 1")
        assert re.search(r"> Zoe +0 steps", shown)
        line = next(row for row, text in enumerate(shown.split("\n")) if "2<" in text[:20])
        terminal.mouse("down", line, 4)
        terminal.mouse("up", line, 4)
        terminal.wait("2 Zoe: step 1, to 2,")
        terminal.wait("3 greedy: step 2")
        terminal.press("q")
        assert terminal.ends() == 0
        assert "lane: not finished, greedy 2 steps, Zoe 1 step" in terminal.text


def test_an_unfinished_race_is_offered_before_the_players_are_chosen(track: Path, home: Path):
    with Terminal("race", track, "--players", "Ann=human,Bob=human", "--terminal", home=home, columns=120) as terminal:
        terminal.wait("Q: quit")
        terminal.press("6")
        terminal.wait("1 Ann: step 1")
        terminal.press("q")
        assert terminal.ends() == 0
    offer = "You left a game on this track after 1 move. Press T to continue it"
    with Terminal("race", track, "--terminal", home=home, columns=120) as terminal:
        assert "Choose the drivers" not in terminal.wait(offer)
        terminal.press("n")
        terminal.wait("Choose the drivers for Lane")
    with Terminal("race", track, "--terminal", home=home, columns=120) as terminal:
        terminal.wait(offer)
        terminal.press("t")
        shown = terminal.wait("Continuing after 1 move.")
        assert "1 Ann: step 1" in shown and re.search(r"> Bob +0 steps", shown) and "Choose the drivers" not in shown


def test_invalid_players_are_reported_before_the_game_starts(track: Path, home: Path, capsys, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(home))
    for players, output in (
        ("human,human,greedy", "lane has 2 start cells, so at most 2 can race; there are 3 players"),
        ("human,gready", "player 2: there is no agent 'gready'; did you mean 'greedy'"),
        ("human,", "player 2 is incomplete; expected a list such as human,greedy"),
    ):
        assert main(["race", str(track), "--players", players, "--terminal"]) == 2
        assert output in capsys.readouterr().err
    assert main(["play", "sokoban", "--players", "human,human", "--terminal"]) == 2
    assert "Sokoban is a game for one" in capsys.readouterr().err
    assert main(["race", "no-such-track", "--terminal"]) == 2
    assert "no-such-track" in capsys.readouterr().err


def test_watch_shows_an_agent_playing_on_a_track(home: Path, capsys, monkeypatch, tmp_path: Path):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(home))
    film = tmp_path / "race.gif"
    assert main(["watch", "01-straight", "--agent", "optimal", "--terminal", "--all", "--gif", str(film)]) == 0
    output = capsys.readouterr().out
    assert "finished after 8 steps" in output and film.stat().st_size > 1000


def test_the_legend_and_the_messages_use_the_same_cell_names(track: Path):
    """Cells are written as x,y in the rules of the race, in a hint's message and in its line in the legend."""
    game = game_named("race")
    session = Session(game, game.levels.read(str(track)), seed=0)
    texts, overlays, right = game.ui.texts, game.ui.overlays, 5
    session.do(Act(right))
    marks = overlays.hint(session.env, session.state, right)
    row, col = next(mark.cell for mark in marks if mark.text == "hint")
    shown = page(TableText(game, game.ui.drawing.scene(session.state), "title", marks=marks), 100, 20)
    assert row != col and texts.describe(session.env, session.state, right).endswith(f"to {col},{row}")
    assert f"● {col},{row}: hint" in "\n".join(line.plain for line in shown.lines)


def test_every_output_of_a_race_shows_the_same_number_of_steps(tmp_path: Path, capsys):
    """Turns that a car skips after an illegal move count as steps everywhere: in the line above the board, the last
    line, the log, the table, the file and the replay."""
    assert main(["watch", "05-oval", "--agent", "greedy", "--terminal"]) == 0
    watched = capsys.readouterr().out.splitlines()
    steps, penalties = (re.search(rf"{name} (\d+)", watched[0])[1] for name in ("steps", "penalties"))
    assert int(penalties) > 0 and watched[-1].startswith(f"finished after {steps} steps, penalties {penalties},")
    assert main(["solve", "05-oval", "--agent", "greedy", "--log", "--save", str(tmp_path)]) == 0
    row, *_, last = (line for line in capsys.readouterr().out.splitlines() if re.search(r"finished|velocity", line))
    assert re.search(rf"finished +{steps} +{penalties}\b", row) and last.split()[0] == steps
    assert main(["compare", "05-oval", "--agents", "greedy", "--out", str(tmp_path)]) == 0
    table = (tmp_path / "compare.csv").read_text(encoding="utf-8")
    assert f"05-oval,greedy,finished,{steps},{penalties}," in table
    capsys.readouterr()
    assert main(["replay", str(tmp_path / "05-oval.replay"), "--check"]) == 0
    assert f"finished, steps {steps}, penalties {penalties}," in capsys.readouterr().out


@pytest.mark.parametrize(("width", "shown", "wide"), [(140, 34, 128), (100, 34, 64), (50, 34, 50)])
def test_the_track_of_a_watched_game_fits_in_the_terminal(width: int, shown: int, wide: int):
    """Cells are one or two characters wide, or only part of the track is shown. No line is wrapped."""
    env = RaceEnv("07-fork")
    env.reset(seed=1)
    output_file = io.StringIO()
    console = Console(file=output_file, force_terminal=True, width=width, height=20, color_system=None)
    for height, rows in ((None, shown), (12, 12)):
        output_file.seek(0)
        output_file.truncate()
        console.print(snapshot(env, env.get_state(), "a", "b", height))
        board = [line for line in output_file.getvalue().split("\n") if "step 1" not in line and "finish" not in line]
        assert [len(line) for line in board if line] == [wide] * rows
        assert "1" in output_file.getvalue().split("finish", 1)[1]  # the car is visible


def test_watch_prints_the_whole_track_if_there_is_no_terminal(capsys):
    assert main(["watch", "07-fork", "--terminal"]) == 0
    output = capsys.readouterr().out.split("\n")
    assert output[0].endswith("Finished") and [len(line) for line in output[1:35]] == [128] * 34
