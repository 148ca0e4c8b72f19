"""Tests of the example game, a separate distribution that works with the package's default implementations."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.paths import ROOT
from tests.terminals import Terminal

EXAMPLE = ROOT / "examples" / "own_game"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Install the example game and return environment variables with which a program can use it."""
    folder = tmp_path_factory.mktemp("site")
    # pip leaves metadata in the source folder, so it gets a copy.
    source = tmp_path_factory.mktemp("source") / "own_game"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(folder), str(source)], check=True, timeout=240)
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "SHOVERWORLD_HOME": str(folder / "home")}


def shover(installed: dict[str, str], *arguments: str, code: int = 0, cwd: Path | None = None) -> str:
    command = [sys.executable, "-m", "shoverworld.cli", *arguments]
    done = subprocess.run(command, env=installed, capture_output=True, text=True, timeout=240, cwd=cwd)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def python(installed: dict[str, str], program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], env=installed, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_environment_passes_check_env_and_has_a_vector_version(installed):
    program = """
import gymnasium, shoverworld
from gymnasium.utils.env_checker import check_env
env = gymnasium.make("keydoor/KeyDoor-v0")
check_env(env.unwrapped)
envs = gymnasium.make_vec("keydoor/KeyDoor-v0", num_envs=3)
envs.reset(seed=0)
obs = envs.step(envs.action_space.sample())[0]
print(obs["board"].shape)
"""
    assert python(installed, program).strip() == "(3, 7, 9)"


def test_invalid_actions_are_explained(installed):
    program = """
import gymnasium, shoverworld
env = gymnasium.make("keydoor/KeyDoor-v0").unwrapped
env.reset(options={"map": "#####\\n#ADE#\\n#####"})
print(env.valid_actions(), env.explain(1), env.explain(0), env.state_hash() == env.state_hash(), sep="|")
print(repr(env.step(1)[4]["invalid_reason"]), repr(env.observe()[1]["invalid_reason"]), env.why_invalid(), sep="|")
print(shoverworld.FlatActions(gymnasium.make("keydoor/KeyDoor-v0")).action_space)
"""
    assert python(installed, program).splitlines() == [
        "[]|the door is locked; find a key|a wall is in the way|True",
        "'locked'|'locked'|the door is locked; find a key",
        "Discrete(4)",
    ]


def test_importing_the_package_imports_neither_the_game_nor_its_environment(installed):
    program = "import sys, shoverworld; print(sorted(m for m in sys.modules if 'keydoor' in m))"
    assert "keydoor.env" not in python(installed, program)


def test_a_state_can_be_saved_and_restored_and_hashed(installed):
    program = """
import gymnasium, shoverworld
env = gymnasium.make("keydoor/KeyDoor-v0").unwrapped
env.reset(seed=1, options={"map": "#####\\n#A.E#\\n#####"})
start, first = env.get_state(), env.state_hash()
env.step(1)
assert env.state_hash() != first
env.set_state(start)
assert env.state_hash() == first
env.step(1)
*_, terminated, truncated, info = env.step(1)
print(terminated, truncated, info["outcome"])
"""
    assert python(installed, program).split() == ["True", "False", "escaped"]


def test_envs_and_maps_list_the_game(installed):
    assert "keydoor/KeyDoor-v0" in shover(installed, "envs")
    table = shover(installed, "maps", "--game", "keydoor")
    assert "01-one-key" in table or "keydoor-levels" in table


def test_solve_finds_a_shortest_plan_and_proves_it_optimal(installed, tmp_path):
    """The plan takes one step to the key, three more steps to the door, and one more step to the exit."""
    (tmp_path / "board.txt").write_text("#######\n#KA.DE#\n#######\n", encoding="utf-8")
    out = shover(installed, "solve", "board.txt", "--save", "plans", cwd=tmp_path)
    row = next(line for line in out.splitlines() if line.startswith("board"))
    assert "escaped" in row or "solved" in row
    assert " 5 " in f"{row} "
    assert "yes" in row
    assert "ok" in shover(installed, "replay", "--check", "plans/board.replay", cwd=tmp_path)


def test_solve_proves_that_a_board_is_unsolvable(installed, tmp_path):
    (tmp_path / "board.txt").write_text("#######\n#A.DKE#\n#######\n", encoding="utf-8")
    assert "unsolvable" in shover(installed, "solve", "board.txt", cwd=tmp_path)


def test_compare_ranks_the_planner_above_the_random_agent(installed, tmp_path):
    agents = "random,planner"
    out = shover(installed, "compare", "keydoor-levels", "--agents", agents, "--out", "table", cwd=tmp_path)
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
    assert rows["planner"][1:3] == ["3", "3"]
    assert (tmp_path / "table" / "compare.csv").is_file()


def test_watch_plays_the_plan_in_the_terminal(installed):
    out = shover(installed, "watch", "01-one-key", "--terminal", "--all")
    assert "opened a door" in out
    assert "escaped" in out


def test_the_error_for_an_invalid_level_reports_the_position_of_the_error(installed, tmp_path):
    (tmp_path / "board.txt").write_text("######\n#A?E##\n######\n", encoding="utf-8")
    command = [sys.executable, "-m", "shoverworld.cli", "solve", "board.txt", "--game", "keydoor"]
    done = subprocess.run(command, env=installed, capture_output=True, text=True, timeout=240, cwd=tmp_path)
    assert done.returncode == 2
    assert "line 2" in done.stderr
    assert "column 3" in done.stderr


def test_a_level_can_be_played_in_the_terminal_with_undo(installed, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", installed["PYTHONPATH"])
    (tmp_path / "board.txt").write_text("#######\n#KA.DE#\n#######\n", encoding="utf-8")
    with Terminal("play", "--terminal", tmp_path / "board.txt", home=tmp_path) as terminal:
        terminal.wait("Key and Door")
        terminal.press("right", "right")
        terminal.wait("The door is locked; find a key")
        terminal.press("u", "u", "left")
        terminal.wait("Picked up a key")
        terminal.press("right", "right", "right", "right")
        terminal.wait("Escaped")
        assert "5 steps" in terminal.text


WINDOW = """
import os
os.environ.update(SDL_VIDEODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
import pygame
from shoverworld.desktop.app import App
from shoverworld.desktop.table import TableScreen
from shoverworld.games import game_named
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings

game = game_named("keydoor")
app = App(Settings(), (900, 640), 30, False)
session = Session(game, game.levels.read("01-one-key"))
app.go(TableScreen(app, session))
def press(name):
    app.frame(1 / 30)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name), mod=0, unicode="", scancode=0))
    app.frame(1 / 30)
for key in ("right", "right", "down", "u"):
    press(key)
print(app.screen.session.state.steps, str(app.screen.session.state).splitlines()[1])
pygame.image.save(pygame.display.get_surface(), "window.png")
"""


def test_a_level_can_be_played_in_the_window_with_undo(installed, tmp_path, monkeypatch):
    """Play two valid moves and a blocked move, and undo the blocked move. The window shows the player's colour."""
    monkeypatch.chdir(tmp_path)
    assert python(installed, WINDOW).split() == ["2", "#..A....#"]
    with Image.open(tmp_path / "window.png") as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20)}
    assert {(46, 110, 190), (72, 76, 92)} <= colours
