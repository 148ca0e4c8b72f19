"""Tests of the `shover` command, run as a user would run it: with real processes and real files.

Most commands run in forks of a process that has imported the package. Each command also runs in a new interpreter
(`fresh`), because a fork would not notice a missing import.
"""

import os
import signal
import subprocess
import sys
import time

import pytest
from PIL import Image

import shoverworld
from shoverworld import Map, bundled_names
from shoverworld.registry import entries
from tests.commands import run_shover
from tests.paths import ROOT


def shover(*arguments, code=0, cwd=None, fresh=False):
    run = run_shover(*arguments, cwd=cwd, fresh=fresh)
    assert run.returncode == code, run.stderr
    return run.stdout if code == 0 else run.stderr


def test_the_help_lists_every_command():
    output = shover("--help", fresh=True)
    assert output == shover(fresh=True)  # `shover` without a command prints the help
    assert shover("--version", fresh=True) == f"shover {shoverworld.__version__}\n"
    for command in (
        "demo",
        "play",
        "edit",
        "maps",
        "solve",
        "watch",
        "compare",
        "tournament",
        "race",
        "replay",
        "web",
        "envs",
        "generate",
        "course",
        "bench",
        "warmup",
    ):
        assert command in output
        assert "--help" in shover(command, "--help")


@pytest.mark.parametrize(("arguments", "code"), [(("race", "no-such-track"), 2), (("new", "agent", "mine.py"), 0)])
def test_a_new_interpreter_runs_the_command(arguments, code, tmp_path):
    shover(*arguments, code=code, cwd=tmp_path, fresh=True)


def test_the_envs_command_lists_every_id():
    output = shover("envs", fresh=True)
    for entry in entries():
        assert entry.id in output


def test_the_maps_command_lists_every_packaged_map():
    output = shover("maps", fresh=True)
    for name in bundled_names():
        assert name in output
    assert row_of(output, "05-over-the-edge")[1:4] == ["5x5", "8", "phase2"]
    assert "Over the edge" in output and "8, proved" in output
    assert max(map(len, output.splitlines())) <= 80


@pytest.mark.parametrize(
    "arguments",
    [("watch", "01-first-push", "--gif"), ("replay", "any.replay", "--gif"), ("demo", "01-first-push", "--out")],
)
def test_a_missing_output_folder_is_reported(tmp_path, arguments):
    output = shover(*arguments, tmp_path / "no" / "film.gif", code=2, cwd=tmp_path)
    assert f"the folder {tmp_path / 'no'} does not exist" in output and not (tmp_path / "no").exists()


def test_demo_creates_its_default_output_folder(tmp_path):
    shover("demo", "01-first-push", "--think", 0.2, cwd=tmp_path, fresh=True)
    assert (tmp_path / "out" / "demo.gif").exists()


def test_the_edit_command_reports_a_missing_folder(tmp_path):
    output = shover("edit", tmp_path / "no" / "map.txt", code=2, fresh=True)
    assert output == f"shover edit: the folder {tmp_path / 'no'} does not exist\n"


def test_generate_prints_maps_that_can_be_parsed():
    output = shover("generate", 1, "--rows", 5, "--cols", 7, "--boxes", 6, "--barriers", 2, "--lavas", 1, "--seed", 4)
    m = Map.parse(output)
    assert (m.rows, m.cols) == (5, 7)
    assert ((m.grid > 0) & (m.grid < 100)).sum() == 6
    assert (m.grid == 100).sum() == 2
    assert (m.grid == -100).sum() == 1
    assert output == shover(
        "generate", 1, "--rows", 5, "--cols", 7, "--boxes", 6, "--barriers", 2, "--lavas", 1, "--seed", 4, fresh=True
    )


@pytest.mark.parametrize("format", ["A", "B"])
def test_generate_writes_files(tmp_path, format):
    shover("generate", 3, "--rules", "phase2", "--format", format, "--out", tmp_path / "maps")
    files = sorted((tmp_path / "maps").iterdir())
    assert [file.name for file in files] == ["map-0.txt", "map-1.txt", "map-2.txt"]
    assert len({Map.read(file) for file in files}) == 3


def test_generate_reports_invalid_options():
    output = shover("generate", "--rows", 2, "--cols", 2, "--boxes", 9, code=2)
    assert "number_of_boxes" in output
    assert "Traceback" not in output


def test_demo_saves_a_gif_without_a_display(tmp_path):
    names = bundled_names()[:2]
    output = shover("demo", *names, "--think", 0.5, "--out", "demo.gif", cwd=tmp_path)
    for name in names:
        assert name in output
    assert output.count("cleared") >= 2
    with Image.open(tmp_path / "demo.gif") as picture:
        assert picture.n_frames > 5
        frames = set()
        for i in range(picture.n_frames):
            picture.seek(i)
            frames.add(picture.convert("RGB").tobytes())
    assert len(frames) > 4


def test_demo_reports_an_unknown_map():
    assert "no-such-map" in shover("demo", "no-such-map", code=2)


def test_bench_reports_an_unknown_game():
    assert "must be one of 'shover', 'sokoban'" in shover("bench", "--game", "chess", code=2)


def test_warmup_compiles_one_game_or_all_games():
    """The other tests also use the code that is compiled here."""
    assert "compiled in" in shover("warmup", fresh=True)
    assert "compiled in" in shover("warmup", "--game", "race")
    assert "must be one of 'shover', 'sokoban'" in shover("warmup", "--game", "chess", code=2)


def test_the_test_script_for_the_course_runs():
    run = subprocess.run([sys.executable, "test.py"], cwd=ROOT / "course", capture_output=True, text=True, check=True)
    assert run.stdout.startswith("Episode return: ")
    float(run.stdout.split(":")[1])


COURSE = """
from environment import ShoverWorldEnv
env = ShoverWorldEnv(grid_size=(10, 10), n_boxes=10, n_barriers=5, n_lava=3, initial_stamina=50, seed=1)
obs = env.reset()
assert obs["grid"].shape == (10, 10) and obs["grid"].dtype == "int32"
assert ((obs["grid"] > 0) & (obs["grid"] < 100)).sum() == 10
assert (obs["grid"] == 100).sum() == 5 and (obs["grid"] == -100).sum() == 3
assert tuple(obs["agent_pos"]) == tuple(obs["agent"]) and obs["last_action"] == -1
assert obs["stamina"].shape == obs["previous_action"].shape == () and env.observation_space.contains(obs)
done = False
while not done:
    obs, reward, done, info = env.step(((0, 0), env.action_space.sample()[2]))
assert info["outcome"] in ("exhausted", "cleared", "timeout") and obs["stamina"] <= 50
env.close()
"""


def test_the_arguments_and_action_tuples_from_the_course_are_accepted():
    subprocess.run([sys.executable, "-c", COURSE], cwd=ROOT / "course", check=True)


def test_changing_a_source_file_selects_a_different_kernel_cache(tmp_path):
    """The name of a game's cache folder is a hash of the source files in core/ and of the game's own source files."""
    import shutil

    package = tmp_path / "shoverworld"
    shutil.copytree(ROOT / "src" / "shoverworld", package)
    code = (
        "from shoverworld.core.jit import kernel; from shoverworld.games.shover import engine as one\n"
        "from shoverworld.games.sokoban import engine as other\n"
        "for k in one.play_row, other.play_row: print(k._cache.cache_path)"
    )

    def folders():
        run = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "SHOVERWORLD_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        shover, sokoban = run.stdout.split()
        return shover, sokoban

    def change(*place):
        (package.joinpath(*place)).open("a").write("\n# changed\n")
        return folders()

    before = folders()
    assert all(folder.startswith(str(tmp_path / "cache")) for folder in before)
    assert folders() == before
    shover, sokoban = change("games", "shover", "rules.py")
    assert shover != before[0] and sokoban == before[1]
    again = change("core", "grid.py")
    assert again[0] != shover and again[1] != sokoban
    for place in (("ui", "controls.py"), ("game.py",)):  # no kernel depends on these files
        assert change("games", "shover", *place) == again


# ---------------------------------------------------------------- solve, watch, compare

ROOM = "..B..\nA....\n...L."
WALLED_IN = "A.#B\n..##"
STEADY = """
class Steady:
    def __init__(self):
        self.expanded = 7

    def act(self, obs, info):
        rows, cols = (obs["grid"] > 0).nonzero()
        return int(rows[0]), int(cols[0]), 2 if info["timestep"] == 0 else 3
"""


@pytest.fixture
def maps(tmp_path):
    folder = tmp_path / "maps"
    folder.mkdir()
    (folder / "room.txt").write_text(f"// A room\n// rules: milestone1\n{ROOM}\n")
    (folder / "walled.txt").write_text(f"// rules: milestone1\n{WALLED_IN}\n")
    (folder / "select.txt").write_text("// rules: phase2\n..B\n...\n..B\n")
    return folder


def row_of(output, name):
    (line,) = [line for line in output.splitlines() if line.startswith(name)]
    return line.split()


def test_solve_prints_a_row_for_each_map(maps):
    output = shover("solve", maps, "--time", 5, fresh=True)
    assert output.split()[:2] == ["map", "outcome"]
    room, walled, select = (row_of(output, name) for name in ("room", "walled", "select"))
    assert room[1:4] == ["cleared", "3", "930"]  # 1000 - 50 (right) - 50 (down) - 10 (down) + 40 (burnt box)
    assert room[5] == "yes"
    assert walled[1] == "unsolvable" and "yes" in walled
    assert select[1:3] == ["cleared", "2"]


def test_solve_saves_replays_that_pass_the_replay_check(maps, tmp_path):
    shover("solve", maps / "room.txt", "--time", 5, "--save", tmp_path / "games")
    output = shover("replay", "--check", tmp_path / "games" / "room.replay", fresh=True)
    assert output.startswith("ok") and "cleared" in output and "steps 3" in output
    saved = (tmp_path / "games" / "room.replay").read_text()
    tampered = saved.replace("cleared, steps 3", "cleared, steps 2")
    (tmp_path / "bad.replay").write_text(tampered)
    run = run_shover("replay", "--check", tmp_path / "bad.replay")
    assert run.returncode == 1 and "rejected" in run.stdout


def test_maps_with_the_same_name_are_saved_separately(maps, tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "room.txt").write_text("// rules: phase2\n.B.\n")
    output = shover("solve", maps / "room.txt", tmp_path / "more", "--time", 2, "--save", tmp_path / "games")
    assert row_of(output, "room ")[2] == "3" and row_of(output, "more/room")[2] == "1"
    assert sorted(path.name for path in (tmp_path / "games").rglob("*.replay")) == ["room.replay", "room.replay"]


@pytest.mark.parametrize(
    "command",
    [["solve", "01-first-push", "--save"], ["compare", "01-first-push", "--agents", "greedy", "--out"],
     ["generate", 1, "--out"], ["watch", "01-first-push", "--gif"]],
)  # fmt: skip
def test_an_output_path_that_cannot_be_written_to_is_reported(command, tmp_path):
    (tmp_path / "taken.txt").write_text("")
    output = shover(*command, tmp_path / "taken.txt", code=2)
    assert "taken.txt" in output and "Traceback" not in output


def test_an_agent_that_never_finishes_loading_is_stopped(maps, tmp_path):
    (tmp_path / "loop.py").write_text("while True:\n    pass\n")
    run = run_shover("solve", maps / "room.txt", "--time", 2, "--agent", tmp_path / "loop.py")
    assert run.returncode == 1 and "loading the agent exceeded the limit of 2 s per game" in " ".join(
        run.stdout.split()
    )


def test_solve_logs_every_step(maps):
    lines = shover("solve", maps / "room.txt", "--time", 5, "--log").splitlines()
    steps = [line for line in lines if "stamina" in line and "boxes" in line]
    assert [int(line.split()[0]) for line in steps] == [1, 2, 3]
    assert "burnt" in steps[-1] and steps[-1].endswith("boxes 0")


def test_the_log_gives_the_reason_for_an_invalid_action(tmp_path):
    (tmp_path / "map.txt").write_text("A.BL\n")
    (tmp_path / "late.py").write_text(
        "class Late:\n    def __init__(self, env): pass\n"
        "    def act(self, obs, info): return (0, 2, 2) if info['timestep'] else (0, 0, 5)\n"
    )
    first, second = shover("solve", tmp_path / "map.txt", "--agent", tmp_path / "late.py", "--log").splitlines()[2:4]
    assert "barrier maker, invalid: there is no perfect square" in first
    assert "right, chain of 1, 1 burnt" in second


@pytest.mark.parametrize("agent", ["greedy", "phase2-astar", "phase2-rbfs"])
def test_solve_runs_the_given_agent(maps, agent):
    row = row_of(shover("solve", maps / "room.txt", "--agent", agent), "room")
    assert row[1] == "cleared" and int(row[2]) >= 3


def test_solve_runs_an_agent_from_a_file(maps, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(STEADY)
    row = row_of(shover("solve", maps / "room.txt", "--agent", f"{file}:Steady"), "room")
    assert row[1:4] == ["cleared", "3", "930"]
    assert row[6] == "7"  # the number of expanded nodes that the agent reports


def test_solve_reports_an_invalid_action_by_an_agent(maps, tmp_path):
    file = tmp_path / "bad.py"
    file.write_text("class Bad:\n    def act(self, obs, info):\n        return 'north'\n")
    run = run_shover("solve", maps / "room.txt", "--agent", file)
    assert run.returncode == 1
    assert "failed" in run.stdout and "'north' at step 1: expected integers (row, col, z)" in " ".join(
        run.stdout.split()
    )


def test_solve_continues_after_an_unreadable_map(maps):
    (maps / "empty.txt").write_text("")
    run = run_shover("solve", maps, "nosuch", "--time", 2)
    assert run.returncode == 2
    assert "the map is empty" in run.stderr and "nosuch: no map file" in run.stderr
    assert row_of(run.stdout, "room")[1] == "cleared"
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agent", "plannr"], "did you mean 'planner'"),
        (["--time", "-1"], "time"),
        (["--rules", "chess"], "milestone1"),
    ],
)
def test_solve_reports_invalid_options(maps, arguments, message):
    run = run_shover("solve", maps / "room.txt", *arguments)
    assert run.returncode in (1, 2)
    assert message in " ".join((run.stdout + run.stderr).split())
    assert "Traceback" not in run.stderr


def test_watch_prints_every_step_and_saves_a_gif(maps, tmp_path):
    output = shover("watch", maps / "room.txt", "--all", "--gif", tmp_path / "game.gif", fresh=True)
    assert output.count("stamina") >= 4
    assert "cleared after 3 steps" in output
    with Image.open(tmp_path / "game.gif") as picture:
        assert picture.n_frames >= 4


def test_compare_writes_tables_and_a_plot(maps, tmp_path):
    (maps / "walled.txt").unlink()
    out = tmp_path / "out"
    output = shover("compare", maps, "--agents", "greedy,phase2-astar,planner", "--time", 1, "--out", out, fresh=True)
    assert "planner" in output and "compare.png" in output
    markdown = (out / "compare.md").read_text()
    assert markdown.count("| room | ") == 3 and "| planner | 2 | 2 | 2 |" in markdown
    table = (out / "compare.csv").read_text().splitlines()
    assert (
        table[0] == "level,agent,outcome,steps,stamina,first,expanded,proved,seconds,time_limit,rules,seed,error"
        and len(table) == 1 + 2 * 3
    )
    with Image.open(out / "compare.png") as picture:
        assert picture.width > 600
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, obs, info):\n        return 1 / 0\n")
    agents = f"{tmp_path / 'bad.py'},greedy,greedy"
    shover("compare", maps / "room.txt", "--agents", agents, "--out", out, code=1)
    assert "ZeroDivisionError" in (out / "compare.md").read_text()
    assert (out / "compare.md").read_text().count("| room | greedy |") == 1
    assert "contains no agent name" in shover("compare", maps, "--agents", ",", code=2)
    assert "no agent 'nobody'" in shover("compare", maps, "--agents", "nobody", code=2)
    assert "--random" in shover("compare", code=2)


@pytest.mark.parametrize(("script", "ends"), [("run_player_ai.py", "boxes 0"), ("watch_ai_steps.py", "thinking time")])
def test_the_course_scripts_run(script, ends, maps):
    run = subprocess.run(
        [sys.executable, script, str(maps / "select.txt")],
        cwd=ROOT / "course", capture_output=True, text=True, timeout=280,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.partition("\nRules: ")[0].rstrip().endswith(ends)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("gui.py", ["milestone1 preset. For Phase 2", "--terminal"]),
        ("run_player_ai.py", ["(default: phase2)", "(default: phase2-astar)"]),
        ("watch_ai_steps.py", ["(default: phase2)", "(default: phase2-astar)"]),
    ],
)
def test_the_help_text_of_a_course_script_shows_the_script_name_and_its_defaults(script, words):
    run = subprocess.run(
        [sys.executable, script, "--help"], cwd=ROOT / "course", capture_output=True, text=True, timeout=280
    )
    output = " ".join(run.stdout.split())
    assert output.startswith(f"usage: {script} [-h]") and all(word in output for word in words)
    wrong = subprocess.run(
        [sys.executable, script, "no-such-map"], cwd=ROOT / "course", capture_output=True, text=True, timeout=280
    )
    assert wrong.returncode == 2 and "no-such-map" in wrong.stderr and "shover solve" not in wrong.stderr


def processor_seconds(process):
    """Return the processor time that a process has used. Unlike the wall time, it does not depend on other programs."""
    run = subprocess.run(["ps", "-o", "time=", "-p", str(process)], capture_output=True, text=True, check=True)
    hours, minutes, seconds = map(float, ["0", *run.stdout.split(":")][-3:])
    return 3600 * hours + 60 * minutes + seconds


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send SIGINT")
def test_control_c_prints_the_best_plan_and_skips_the_remaining_maps(tmp_path):
    folder = tmp_path / "maps"
    for name in ("a", "b"):
        shover("generate", 1, "--rules", "phase2", "--boxes", 30, "--out", folder / name)
    shover("solve", folder / "a", "--rules", "phase2", "--time", 1)  # this command compiles the code
    child = subprocess.Popen(
        [sys.executable, "-u", "-m", "shoverworld.cli", "solve", str(folder), "--rules", "phase2", "--time", "900"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None and child.stdout.readline().startswith("map")
    while processor_seconds(child.pid) < 4:  # long enough to find a plan, too short to prove that the plan is optimal
        assert child.poll() is None
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    output, errors = child.communicate(timeout=60)
    assert child.returncode == 130 and errors == "shover solve: interrupted after 0 of 2 maps\n"
    row, *others = output.splitlines()
    assert row.split()[1] == "cleared" and others == ["", "Rules: phase2"]
