"""Tests of situations that new users encounter: mixed folders, missing displays, existing files, misspelt names."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from shoverworld import sokoban
from shoverworld.core.replay import Replay
from shoverworld.games import game_named
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.race import Track
from tests.commands import run_shover
from tests.paths import ROOT
from tests.terminals import Terminal

MAP = "..B..\nA....\n...L.\n"
ROOM = "#####\n#@$.#\n#####\n"
TRACK = "#######\n#S...F#\n#S...F#\n#######\n"
NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "", "SDL_VIDEO_DRIVER": ""}
KERNEL = """
__name__ = "shoverworld.example"
from shoverworld.core.jit import kernel

@kernel
def add(one, two):
    return one + two

print(add(1, 2), add(1.0, 2.0))
"""


def shover(*arguments, code=0, cwd=None, variables=None):
    """Run a command, check its exit code, and return its result."""
    run = run_shover(*arguments, cwd=cwd, variables=variables)
    assert run.returncode == code, run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    return run


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def screenshot(path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (40, 60, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(path)


# --- folders with files of several kinds


@pytest.mark.parametrize("command", [("solve", "--time", 2), ("maps",), ("compare", "--agents", "greedy")])
def test_the_maps_in_a_folder_determine_the_game_even_if_there_are_many_screenshots(command, tmp_path):
    folder = write(tmp_path / "maps", a=MAP, b=MAP)
    for number in range(25):
        screenshot(folder / f"0-shot-{number}.png")
    run = shover(command[0], folder, *command[1:], cwd=tmp_path)
    assert run.stdout.startswith(("map", "name  size  boxes", "agent ")) and run.stderr == ""


def test_text_levels_determine_the_game_even_if_there_are_more_track_pictures(tmp_path):
    folder = write(tmp_path / "maps", a=MAP)
    for number in range(3):
        Track.parse(TRACK).write(folder / f"{number}.png")
    run = shover("maps", folder)
    assert "boxes" in run.stdout
    assert "contains levels for Shover-World and Grid race; using those for Shover-World" in run.stderr
    assert "--game race" in run.stderr
    assert "starts" in shover("maps", folder, "--game", "race", code=2).stdout  # the map is not a track


def test_a_folder_of_pictures_is_read_as_a_folder_of_tracks(tmp_path):
    Track.parse(TRACK).write(tmp_path / "track.png")
    screenshot(tmp_path / "shot.png")
    run = shover("maps", tmp_path, code=2)
    assert "track" in run.stdout and "shot.png, pixel" in run.stderr


@pytest.mark.parametrize("command", ["solve", "maps", "compare"])
def test_the_user_must_choose_the_game_for_an_evenly_mixed_folder(command, tmp_path):
    folder = write(tmp_path / "levels", a=MAP, b=ROOM)
    run = shover(command, folder, code=2, cwd=tmp_path)
    assert "contains levels for" in run.stderr and "Shover-World" in run.stderr and "Sokoban" in run.stderr
    assert "--game sokoban" in run.stderr and not run.stdout


# --- replays without a window


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    folder = tmp_path_factory.mktemp("replay")
    shover("solve", "01-first-push", "--save", folder)
    return folder / "01-first-push.replay"


def test_a_replay_is_printed_if_there_is_no_display(replay):
    run = shover("replay", replay, variables=NO_DISPLAY)
    assert run.stdout.startswith("ok ") and "Cleared" in run.stdout
    assert "no window could be opened" in run.stderr and "add --terminal" in run.stderr


def test_a_replay_is_printed_if_pygame_is_not_installed(replay, tmp_path):
    (tmp_path / "pygame.py").write_text("raise ImportError('not installed')", encoding="utf-8")
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    run = shover("replay", replay, variables={"PYTHONPATH": paths})
    assert "Cleared" in run.stdout and "shoverworld[gui]" in run.stderr and "or add --terminal" in run.stderr


def test_a_replay_is_played_in_the_terminal_if_there_is_no_display(replay, tmp_path):
    with Terminal("replay", replay, "--speed", 0, home=tmp_path, variables=NO_DISPLAY) as terminal:
        terminal.wait("Cleared")
        assert terminal.ends() == 0


def test_an_invalid_replay_is_rejected_even_without_a_display(replay, tmp_path):
    bad = tmp_path / "bad.replay"
    text = replay.read_text(encoding="utf-8")
    bad.write_text(text.replace("end: cleared, steps ", "end: cleared, steps 9"), encoding="utf-8")
    assert "rejected" in shover("replay", bad, replay, code=1, variables=NO_DISPLAY).stdout


@pytest.mark.parametrize("moves", ["all.lurd", "folder/all", "."])
def test_a_missing_moves_file_is_reported(moves, tmp_path):
    folder = write(tmp_path / "levels", a=ROOM)
    run = shover("replay", "--check", "--lurd", moves, folder / "a.txt", code=2, cwd=tmp_path)
    what = "this is a folder" if moves == "." else "the file does not exist"
    assert f"--lurd {moves}: {what}; expected moves" in run.stderr


# --- rules and settings in tables


@pytest.mark.parametrize("line", ["rules phase2", "Rules = phase2, initial_force=30", "rules initial_force=30"])
def test_a_forgotten_colon_in_a_header_is_reported(line, tmp_path):
    folder = write(tmp_path / "maps", a=f"// A map\n// {line}\n{MAP}", b=f"// Rules of the dock\n{MAP}")
    meant = line.split(maxsplit=1)[1].removeprefix("= ")
    run = shover("solve", folder, code=2)
    assert run.stderr == f"shover solve: {folder / 'a.txt'}, line 2: a colon is missing; expected `// rules: {meant}`\n"
    assert "\nb " in run.stdout


def test_a_replay_shows_the_title_of_the_map(tmp_path):
    folder = write(tmp_path / "maps", dock=f"// The last dock\n{MAP}")
    shover("solve", folder, "--save", tmp_path)
    replay = Replay.read(tmp_path / "dock.replay")
    assert replay.comment == "The last dock" and replay.notes == {"map": "dock", "title": "The last dock"}
    cursor = ReplayCursor(replay)
    assert (cursor.title, cursor.map_name) == ("The last dock", "dock")
    board = game_named("shover").levels.read(str(folder / "dock.txt"))
    session = Session(game_named("shover"), board, "milestone1")
    assert ReplayCursor(session.replay()).title == "The last dock"


def test_the_error_names_the_map_that_is_incompatible_with_a_changed_rule(tmp_path):
    folder = write(tmp_path / "maps", a=MAP, b=f"// rules: milestone1, z_base=1, noop=yes\n{MAP}")
    for command in (("solve", "--time", 2), ("compare", "--agents", "greedy", "--out", tmp_path / "out")):
        run = shover(command[0], folder, "--set", "z_base=0", *command[1:], code=2)
        assert run.stderr == (
            f"shover {command[0]}: {folder / 'b.txt'}: noop=True requires z_base >= 1, because the code of the no-op is "
            "z_base - 1\n"
        )
        assert "a" in run.stdout


def test_a_comparison_reports_its_rules_and_seed_and_limits(tmp_path):
    folder = write(tmp_path / "maps", a=MAP, b=f"// rules: phase2\n{MAP}")
    options = ("--agents", "greedy,planner", "--seed", 5, "--time", 3, "--patience", 40, "--out", tmp_path / "out")
    limits = "Seed 5. Time limit per map: 3 s for the planner, 40 s for other agents. The planner's objective: steps."
    for changes, rules in (
        (("--set", "initial_force=20"), "Rules: those of each map, with initial_force=20."),
        (("--rules", "phase2", "--set", "initial_force=20"), "Rules: phase2, initial_force=20."),
    ):
        run = shover("compare", folder, *options, *changes)
        assert f"{rules} {limits}" in " ".join(run.stdout.split())
        assert f"{rules} {limits}" in (tmp_path / "out" / "compare.md").read_text(encoding="utf-8")
        table = (tmp_path / "out" / "compare.csv").read_text(encoding="utf-8")
        assert '40.0,"phase2, initial_force=20",5,' in table and '3.0,"phase2, initial_force=20",5,' in table
    assert "milestone1" not in table


def test_a_table_in_a_file_is_as_wide_as_its_content(tmp_path):
    """No value is cut or wrapped, although the table is more than 80 columns wide."""
    name, title = "level-" + "x" * 60, "A title of many words that needs far more than twenty-eight columns"
    folder = write(tmp_path / "maps", **{name: f"// {title}\n{MAP}"})
    run = shover("maps", folder, variables={"COLUMNS": ""})
    assert re.search(rf"^{name} +3x5 +1 +milestone1 +{title} *$", run.stdout, re.M)
    agent = tmp_path / f"agent_{'y' * 60}.py"
    agent.write_text("class A:\n    def act(self, obs, info):\n        return 0, 2, 3\n", encoding="utf-8")
    options = ("--agents", f"{agent}:A,greedy", "--out", tmp_path)
    run = shover("compare", folder, *options, variables={"COLUMNS": ""})
    assert re.search(rf"^{agent.name}:A +1 +0 +0 +- +- .*\d\.\d\d +- +0 *$", run.stdout, re.M)
    rooms = write(tmp_path / "rooms", room=f"Title: {title}\n{ROOM}")
    assert f"  {title}  solved" in shover("solve", rooms, variables={"COLUMNS": ""}).stdout


@pytest.mark.parametrize(
    ("command", "table"),
    [
        (("compare", "01-first-push", "--agents"), "compare"),
        (("tournament", "01-straight", "--races", 1, "--players"), "tournament"),
    ],
)
def test_agents_with_the_same_file_name_have_different_names(command, table, tmp_path):
    for folder in ("ann", "bob", "eve"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "agent.py").write_text(
            "class A:\n    def act(self, obs, info):\n        raise ValueError('no idea')\n", encoding="utf-8"
        )
    (tmp_path / "eve" / "agent.py").rename(tmp_path / "eve" / "eve.py")
    agents = f"ann/agent.py,bob/agent.py,{tmp_path}/eve/eve.py:A,greedy"
    run = shover(*command, agents, "--out", "out", cwd=tmp_path, code=1)
    names = ["ann/agent.py", "bob/agent.py", "eve.py:A", "greedy"]
    lines = run.stdout.splitlines()
    assert sorted(line.split()[0] for line in lines[2:6]) == names
    assert [line.split(": ")[0] for line in lines if "no idea" in line] == names[:3]
    for suffix in ("md", "csv"):
        text = (tmp_path / "out" / f"{table}.{suffix}").read_text(encoding="utf-8")
        assert all(name in text for name in names) and str(tmp_path) not in text


def test_an_agent_error_names_the_level(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def act(self, obs, info):\n        raise ValueError('\\x1b[31mno idea')\n", encoding="utf-8"
    )
    folder = write(tmp_path / "maps", **dict.fromkeys("abcde", MAP))
    run = shover("compare", folder, "--agents", "mine.py,greedy", "--out", "out", cwd=tmp_path, code=1)
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("mine.py: ")]
    assert line.endswith("no idea (mine.py, line 3) at step 1 (on a, b, c and 2 more)")
    players = ("--players", "mine.py,greedy")
    run = shover("tournament", "01-straight", "--races", 1, *players, "--out", "out", cwd=tmp_path, code=1)
    assert "no idea (mine.py, line 3) at move 1 (on 01-straight)" in run.stdout
    for name in ("compare.csv", "tournament.csv"):
        table = (tmp_path / "out" / name).read_text(encoding="utf-8")
        assert "␛[31mno idea" in table and "\x1b" not in table


def test_an_agent_has_as_much_time_in_the_terminal_as_in_the_window(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import time\nclass Slow:\n    def reset(self, info):\n        time.sleep(5)\n"
        "    def act(self, obs, info):\n        return 0, obs['grid'].argmax(), 2\n",
        encoding="utf-8",
    )
    run = shover("watch", "01-first-push", "--terminal", "--agent", "slow.py", cwd=tmp_path)
    assert "cleared after 3 steps" in run.stdout
    assert "(default: 60; for the planner, 5)" in " ".join(shover("watch", "--help").stdout.split())


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (
            "class Mine:\n    def act(self, obs):\n        return 0",
            "Mine.act(obs) cannot be called: agents are called with act(obs, info); write def act(self, obs, info)",
        ),
        (
            "class Mine:\n    def reset(self):\n        pass\n    def act(self, obs, info):\n        return 0",
            "Mine.reset() cannot be called: agents are called with reset(info); write def reset(self, info)",
        ),
        (
            "class Mine:\n    def act(self, obs, info):\n        return 0.0, 1.0, 2.0",
            "act() returned (0.0, 1.0, 2.0) at step 1: expected integers (row, col, z) with row 0-0, col 0-5, z 1-6",
        ),
        (
            "class Mine:\n    pass",
            "mine.py has no class with a method act(self, obs, info) and no function act(obs, info); it defines Mine",
        ),
    ],
)
def test_the_error_for_a_faulty_agent_says_what_is_expected(code, error, tmp_path):
    (tmp_path / "mine.py").write_text(code + "\n", encoding="utf-8")
    run = shover("solve", "01-first-push", "--agent", "mine.py", cwd=tmp_path, code=1)
    assert f"  {error}" in run.stdout.splitlines()


def test_compilation_is_not_reported_as_output_of_the_agent(tmp_path):
    """The agent's process compiles a kernel, because such a process stores nothing in the cache."""
    (tmp_path / "mine.py").write_text(
        f"{KERNEL}\nclass Mine:\n    def act(self, obs, info):\n        return 0, 0, 1 / 0\n", encoding="utf-8"
    )
    variables = {"SHOVERWORLD_QUIET": "", "NUMBA_DISABLE_JIT": "0"}
    run = shover("solve", "01-first-push", "--agent", "mine.py:Mine", cwd=tmp_path, code=1, variables=variables)
    assert "mine.py:Mine: 3 3.0\n" in run.stderr and "mine.py:Mine: shoverworld" not in run.stderr


def test_the_output_of_an_agent_cannot_control_the_terminal(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import sys\nclass Mine:\n    def act(self, obs, info):\n        print('\\x1b[2Jhello')\n"
        "        print('no newline', end='', file=sys.stderr)\n        sys.exit()\n",
        encoding="utf-8",
    )
    for command in (("solve", "01-first-push"), ("watch", "01-first-push", "--terminal")):
        run = shover(*command, "--agent", "mine.py:Mine", code=1, cwd=tmp_path)
        assert run.stderr == "mine.py:Mine: ␛[2Jhello\nmine.py:Mine: no newline\n"


def test_solve_prints_the_plan_for_a_single_level(tmp_path):
    folder = write(tmp_path / "maps", a=MAP, b=MAP)
    lines = shover("solve", folder / "a.txt").stdout.splitlines()
    notation = next(place for place, line in enumerate(lines) if line.startswith("Notation: letters for directions"))
    moves = lines[notation - 1]
    assert len(moves.split()) == 3 and "--log" in lines[notation]
    shover("replay", "--check", "--lurd", moves, folder / "a.txt")
    assert "Notation" not in shover("solve", folder).stdout
    assert "Notation" not in shover("solve", folder / "a.txt", "--log").stdout
    help = " ".join(shover("solve", "--help").stdout.split())
    assert "For a single level, the moves of the solution are printed too; --log prints every step" in help


def test_watch_says_that_the_planner_found_no_plan(tmp_path):
    options = ("--agent", "planner", "--terminal", "--rules", "walker", "--time", 0)
    last = shover("watch", "05-over-the-edge", *options, code=1).stdout.splitlines()[-1]
    assert re.fullmatch(
        r"unknown: the planner found no plan in \d\.\d\d s and did not play; a plan may exist; "
        r"give the planner more time with --time",
        last,
    )
    page = " ".join((ROOT / "docs" / "agents.md").read_text(encoding="utf-8").split())
    assert "The commands `solve`, `compare` and `watch --terminal` do not play in that case" in page


def test_watch_says_that_an_agent_gave_up(tmp_path):
    (tmp_path / "dead.xsb").write_text("########\n#$    .#\n#      #\n#  $   #\n# @   .#\n########\n")
    last = shover("watch", "dead.xsb", "--agent", "learned", "--terminal", code=1, cwd=tmp_path).stdout.splitlines()[-1]
    assert re.fullmatch(r"unknown: learned found no plan in \d\.\d\d s and gave up after 0 steps", last)


def test_solve_prints_the_rules(tmp_path):
    folder = write(tmp_path / "maps", a=MAP, b=f"// rules: phase2\n{MAP}", c=MAP)
    assert "\nRules milestone1: a, c\nRules phase2: b\n" in shover("solve", folder).stdout
    assert "\nRules: walker\n" in shover("solve", folder, "--rules", "walker").stdout
    assert (
        "\nRules: phase2, initial_force=20\n" in shover("solve", folder / "b.txt", "--set", "initial_force=20").stdout
    )


def test_the_readme_section_for_teachers_uses_the_rules_of_the_maps():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    teachers = readme[readme.index("### Teachers") : readme.index("### Researchers")]
    assert "shover solve maps/" in teachers and "--rules phase2" not in teachers


@pytest.mark.parametrize("agents", ["crash.py:Foo", "crash.py:Foo,greedy", f"{'long_' * 20}.py"])
def test_the_plot_prints_no_warnings(agents, tmp_path):
    for file in ("crash.py", f"{'long_' * 20}.py"):
        (tmp_path / file).write_text("class Mine:\n    def act(self, obs, info):\n        return 9\n", encoding="utf-8")
    run = run_shover("compare", "01-first-push", "--agents", agents, "--out", "out", cwd=tmp_path)
    assert "compare.png" in run.stdout and "Warning" not in run.stderr


@pytest.mark.parametrize(
    ("agents", "limits"),
    [
        ("greedy", "3 s for each agent."),
        ("planner", "1 s for the planner."),
        ("greedy,planner", "1 s for the planner, 3 s for other agents."),
        ("learned-search", "1 s for learned-search."),
        ("learned-search,greedy,planner", "1 s for learned-search and the planner, 3 s for other agents."),
    ],
)
def test_a_comparison_mentions_only_the_time_limits_that_apply(agents, limits, tmp_path):
    run = shover(
        "compare", "01-first-push", "--agents", agents, "--time", 1, "--patience", 3, "--out", "o", cwd=tmp_path
    )
    lines = run.stdout.splitlines()
    assert f"Time limit per map: {limits}" in lines
    assert max(map(len, lines)) <= 80 or "learned-search" in agents  # a long name makes the table wider


@pytest.mark.parametrize("level", ["01-first-push", "tiny#1", "01-straight"])
def test_the_columns_of_a_comparison_are_explained_and_have_the_same_names_in_every_file(level, tmp_path):
    run = shover("compare", level, "--agents", "planner", "--out", tmp_path)
    headings = run.stdout.splitlines()[0].split()
    for column in ("first", "seconds", "common", "best"):
        assert column in headings and f"\n{column}: " in run.stdout
    assert max(map(len, run.stdout.splitlines()[3:-1])) <= 80
    page = (tmp_path / "compare.md").read_text(encoding="utf-8")
    assert f"| {' | '.join(headings)} |" in page
    explained = run.stdout[run.stdout.index(f"\n{headings[4]}, ") : run.stdout.index("\nRules")]
    assert " ".join(explained.split()) in page
    names = (tmp_path / "compare.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    (games,) = [line for line in page.splitlines() if line.startswith("| level |")]
    assert set(games.strip("| ").split(" | ")) <= set(names)


def test_the_exit_code_tells_whether_an_agent_failed_on_every_level(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def act(self, obs, info):\n        return (0, 1, 2) if len(obs['grid']) == 1 else None\n",
        encoding="utf-8",
    )
    options = ("--agents", "mine.py,greedy", "--out", "out")
    assert "failed" in shover("solve", "02-chains", "--agent", "mine.py", cwd=tmp_path, code=1).stdout
    shover("compare", "02-chains", *options, cwd=tmp_path, code=1)
    shover("compare", "01-first-push", "02-chains", *options, cwd=tmp_path)
    help = " ".join(shover("compare", "--help").stdout.split())
    assert "Exit code 1: an agent failed on every level" in help


def test_a_comparison_saves_the_games_as_replays_and_the_results_as_json(tmp_path):
    run = shover(
        "compare", "01-first-push", "02-chains", "--agents", "greedy,random", "--save", "games", "--json", "results.json",
        "--out", "out", cwd=tmp_path,
    )  # fmt: skip
    assert "Saved 4 games to games" in run.stdout and "Saved results.json" in run.stdout
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [(game["level"], game["agent"]) for game in results["games"]] == [
        ("01-first-push", "greedy"), ("01-first-push", "random"), ("02-chains", "greedy"), ("02-chains", "random"),
    ]  # fmt: skip
    assert results["games"][0]["outcome"] == "cleared" and results["games"][0]["steps"] == 3
    assert [agent["agent"] for agent in results["agents"]] == ["greedy", "random"] and "Seed 0." in results["about"]
    run = shover("replay", "games", "--check", cwd=tmp_path)
    assert run.stdout.count("ok ") == 4 and "games/random/02-chains.replay" in run.stdout


def test_a_folder_without_replays_is_reported(tmp_path):
    error = shover("replay", tmp_path, code=2).stderr
    assert f"{tmp_path}: the folder contains no replays; expected files with the suffix .replay" in error


# --- files that already exist


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (("generate", 3, "--rows", 3, "--cols", 4, "--seed", 1, "--out", "maps"), ["maps/map-1.txt", "maps/map-3.txt"]),
        (("generate", "sokoban", 2, "--size", "6x6", "--boxes", 1, "--out", "rooms.xsb"), ["rooms.xsb"]),
    ],
)
def test_generate_replaces_files_only_on_request(arguments, files, tmp_path):
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine", encoding="utf-8")
    run = shover(*arguments, code=2, cwd=tmp_path)
    assert f"shover generate: {', '.join(files)} already exist" in run.stderr and "--force" in run.stderr
    assert [(tmp_path / name).read_text(encoding="utf-8") for name in files] == ["mine"] * len(files)
    shover(*arguments, "--force", cwd=tmp_path)
    assert "mine" not in [(tmp_path / name).read_text(encoding="utf-8") for name in files]


@pytest.mark.parametrize("place", ["levels.xsb", "levels.xsb#1", "."])
def test_solve_does_not_replace_the_levels_with_their_solutions(place, tmp_path):
    levels = tmp_path / "levels.xsb"
    levels.write_text(f"{ROOM}\n{ROOM}", encoding="utf-8")
    run = shover("solve", place, "--out", "levels.xsb", code=2, cwd=tmp_path)
    assert "--out levels.xsb: this would overwrite the level file" in run.stderr
    assert levels.read_text(encoding="utf-8") == f"{ROOM}\n{ROOM}"
    for _ in range(2):  # solutions from an earlier run are replaced
        shover("solve", "levels.xsb", "--out", "solved.xsb", cwd=tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        ("course",),
        ("generate", "--out"),
        ("compare", "01-first-push", "--agents", "greedy", "--out"),
        ("tournament", "01-straight", "--out"),
        ("solve", "01-first-push", "--save"),
    ],
)
def test_a_folder_that_cannot_be_created_is_reported(command, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    run = shover(*command, tmp_path / "file" / "folder", code=2)
    assert f"{tmp_path / 'file' / 'folder'}: the folder cannot be created: Not a directory" in run.stderr


@pytest.mark.parametrize(
    ("name", "option"), [("n_rows", "--rows"), ("n_cols", "--cols"), ("number_of_boxes", "--boxes")]
)
def test_generate_names_the_option_for_the_size_of_a_map(name, option):
    error = shover("generate", 3, "--rules", "phase2", "--set", f"{name}=4", code=2).stderr
    assert error == f"shover generate: --set {name}=4: use {option} instead\n"


def test_generate_leaves_no_empty_folder_behind(tmp_path):
    shover("generate", 1, "--boxes", 500, "--out", tmp_path / "maps", code=2)
    assert not (tmp_path / "maps").exists()
    (tmp_path / "mine").mkdir()
    shover("generate", 1, "--boxes", 500, "--out", tmp_path / "mine", code=2)
    assert (tmp_path / "mine").is_dir()


# --- rules


@pytest.mark.parametrize(
    ("options", "begin", "end"),
    [
        (
            ("--set", "initial_forse=3"),
            "there is no rule 'initial_forse'; did you mean 'initial_force'? The rules are actor, z_base, ",
            ", reward.invalid",
        ),
        (
            ("--rules", "phase"),
            "rules='phase': there is no such preset; did you mean 'phase2'? The presets are 'milestone1', ",
            "'phase2'",
        ),
        (("--set", "hellify=hole"), "did you mean 'whole'? Must be one of 'interior', ", "'whole'"),
        (
            ("--agent", "plannner"),
            "there is no agent 'plannner'; did you mean 'planner'? The agents are random, planner, greedy, ",
            " (or path/to/file.py:Class for your own agent)",
        ),
    ],
)
def test_an_error_suggests_a_name_and_then_lists_all_names(options, begin, end):
    error = shover("solve", "01-first-push", *options, code=2).stderr
    assert begin in error and error.endswith(f"{end}\n")


def test_only_agents_for_the_game_are_suggested():
    error = shover("solve", "tiny#1", "--agent", "gredy", code=2).stderr
    assert "there is no agent 'gredy'; the agents are random, planner, learned, learned-search (or" in error


def test_a_tournament_obeys_the_rules_option_and_the_set_option(tmp_path):
    track = write(tmp_path / "tracks", a=f"// rules: race, penalty=1\n{TRACK}", b=TRACK) / "b.txt"
    options = ("--races", 1, "--players", "greedy,optimal", "--out", tmp_path / "out")
    run = shover("tournament", track, *options, "--rules", "cross", "--set", "penalty=3")
    assert "seed 0, rules cross, penalty=3, time limit 60 s per player per game." in run.stdout
    assert "rules of each track" in shover("tournament", track.parent, *options).stdout
    assert "there is no rule 'speed'" in shover("tournament", track, *options, "--set", "speed=3", code=2).stderr
    shover("tournament", track, *options, "--set", "max_rounds=1")
    table = (tmp_path / "out" / "tournament.csv").read_text(encoding="utf-8")
    assert "True" not in table  # nobody finishes in one round


@pytest.mark.parametrize(
    ("options", "rules", "players"),
    [
        (("--rules", "two"), "two", 2),
        (("--rules", "pull", "--set", "players=2"), "pull, players=2", 2),
        (("--rules", "fixed", "--players", 2), "fixed, players=2", 2),
        (("--set", "fixed_targets=yes"), "fixed", 1),
    ],
)
def test_generated_rooms_match_their_rules(options, rules, players, tmp_path):
    shover("generate", "sokoban", *options, "--boxes", 2, "--size", "7x7", "--out", tmp_path / "room.xsb")
    (level,) = sokoban.read_levels(tmp_path / "room.xsb", players=None)
    assert (level.rules, len(level.players), level.fixed) == (rules, players, "fixed" in rules)
    shover("watch", tmp_path / "room.xsb", "--terminal", "--agent", "random", "--set", "max_steps=3", code=1)


def test_random_rooms_in_a_comparison_match_the_rules(tmp_path):
    options = ("--game", "sokoban", "--random", 1, "--boxes", 1, "--rows", 7, "--cols", 7, "--out", tmp_path)
    assert "Rules: two." in shover("compare", *options, "--rules", "two", "--agents", "random").stdout


# --- the first run


@pytest.mark.parametrize(
    ("quiet", "announced"), [("", "shoverworld: compiling the rules (first use only) ...\n"), ("1", "")]
)
def test_compilation_is_announced_once_on_stderr(quiet, announced, tmp_path):
    (tmp_path / "example.py").write_text(KERNEL, encoding="utf-8")
    variables = {"SHOVERWORLD_CACHE": str(tmp_path / "cache"), "SHOVERWORLD_QUIET": quiet, "NUMBA_DISABLE_JIT": "0"}
    run = subprocess.run(
        [sys.executable, "example.py"], cwd=tmp_path, env={**os.environ, **variables}, capture_output=True, text=True,
        timeout=280,
    )  # fmt: skip
    assert (run.stdout, run.stderr) == ("3 3.0\n", announced)


@pytest.mark.parametrize(
    "command", [("--help",), ("solve", "--help"), ("--version",), ("envs",), ("maps",), ("course", "files")]
)
def test_commands_that_only_print_text_compile_nothing(command, tmp_path):
    variables = {"SHOVERWORLD_CACHE": str(tmp_path / "cache"), "SHOVERWORLD_QUIET": ""}
    assert shover(*command, cwd=tmp_path, variables=variables).stderr == ""
