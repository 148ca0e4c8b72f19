"""`shover`, run as a user runs it: real processes, real files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from shoverworld import Map, bundled_names
from shoverworld.registry import ENTRIES

ROOT = Path(__file__).parent.parent


def shover(*arguments, code=0, cwd=None):
    run = subprocess.run(
        [sys.executable, "-m", "shoverworld.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=280,
    )
    assert run.returncode == code, run.stderr
    return run.stdout if code == 0 else run.stderr


def test_help_names_every_command():
    told = shover("--help")
    for command in ("demo", "envs", "generate", "bench", "warmup"):
        assert command in told
        assert "--help" in shover(command, "--help")


def test_envs_lists_every_id():
    told = shover("envs")
    for entry in ENTRIES:
        assert entry.id in told


def test_generate_prints_maps_that_can_be_read():
    told = shover("generate", 1, "--rows", 5, "--cols", 7, "--boxes", 6, "--barriers", 2, "--lavas", 1, "--seed", 4)
    m = Map.parse(told)
    assert (m.rows, m.cols) == (5, 7)
    assert ((m.grid > 0) & (m.grid < 100)).sum() == 6
    assert (m.grid == 100).sum() == 2
    assert (m.grid == -100).sum() == 1
    assert told == shover(
        "generate", 1, "--rows", 5, "--cols", 7, "--boxes", 6, "--barriers", 2, "--lavas", 1, "--seed", 4
    )


@pytest.mark.parametrize("format", ["A", "B"])
def test_generate_writes_files(tmp_path, format):
    shover("generate", 3, "--rules", "phase2", "--format", format, "--out", tmp_path / "maps")
    files = sorted((tmp_path / "maps").iterdir())
    assert [file.name for file in files] == ["map-0.txt", "map-1.txt", "map-2.txt"]
    assert len({Map.read(file) for file in files}) == 3


def test_generate_says_what_is_wrong():
    told = shover("generate", "--rows", 2, "--cols", 2, "--boxes", 9, code=2)
    assert "number_of_boxes" in told
    assert "Traceback" not in told


def test_demo_plays_without_a_screen_and_saves_a_gif(tmp_path):
    names = bundled_names()[:2]
    told = shover("demo", *names, "--think", 0.5, "--out", "demo.gif", cwd=tmp_path)
    for name in names:
        assert name in told
    assert told.count("cleared") >= 2
    with Image.open(tmp_path / "demo.gif") as picture:
        assert picture.n_frames > 5
        frames = set()
        for i in range(picture.n_frames):
            picture.seek(i)
            frames.add(picture.convert("RGB").tobytes())
    assert len(frames) > 4


def test_demo_names_a_map_it_does_not_know():
    assert "no-such-map" in shover("demo", "no-such-map", code=2)


def test_bench_prints_figures_and_what_was_run():
    told = shover("bench", "--seconds", 0.05, "--games", 64)
    for part in ("single env", "2 threads", "64x64", "compiled before", "steps/s", "9x13"):
        assert part in told


def test_the_courses_script_runs():
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
done = False
while not done:
    obs, reward, done, info = env.step(((0, 0), env.action_space.sample()[2]))
assert info["outcome"] in ("exhausted", "cleared", "timeout") and obs["stamina"] <= 50
env.close()
"""


def test_the_readmes_keywords_and_tuples_work():
    subprocess.run([sys.executable, "-c", COURSE], cwd=ROOT / "course", check=True)


def test_a_stale_kernel_can_never_run(tmp_path):
    """The cache folder is named by a hash of all sources: any change in any file names another."""
    import shutil

    package = tmp_path / "shoverworld"
    shutil.copytree(ROOT / "src" / "shoverworld", package)
    code = "from shoverworld.core.jit import cache_folder; print(cache_folder())"

    def folder():
        run = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "SHOVERWORLD_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        return run.stdout.strip()

    before = folder()
    assert before.startswith(str(tmp_path / "cache"))
    assert folder() == before
    rules = package / "games" / "shover" / "rules.py"
    rules.write_text(rules.read_text() + "\n# changed\n")
    assert folder() != before
