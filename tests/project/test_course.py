"""`shover course DIR` writes the course files, which are part of the installed package."""

import os
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import shoverworld
from tests.paths import ROOT
from tests.project.test_cli import shover

PACKAGED = Path(shoverworld.__file__).parent / "course"
NAMES = ["environment.py", "gui.py", "run_player_ai.py", "test.py", "watch_ai_steps.py"]


def test_the_repository_folder_contains_the_packaged_files():
    """`shover course course --force` brings the folder up to date."""
    assert sorted(path.name for path in (ROOT / "course").glob("*.py")) == NAMES
    for name in NAMES:
        assert (ROOT / "course" / name).read_bytes() == (PACKAGED / name).read_bytes()


def test_a_wheel_contains_the_course_files():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["shoverworld"]
    for name in NAMES:
        assert any(fnmatch(f"course/{name}", pattern) for pattern in patterns)


def test_the_command_writes_files_that_run(tmp_path):
    output = shover("course", "mine", cwd=tmp_path)
    assert output == f"{', '.join(NAMES)} in mine\n"
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == NAMES
    run = subprocess.run(
        [sys.executable, "test.py"], cwd=tmp_path / "mine", capture_output=True, text=True, check=True, timeout=280
    )
    assert run.stdout.startswith("Episode return:")


def test_the_packaged_environment_can_be_imported():
    code = (
        "from shoverworld.course.environment import ShoverWorldEnv; env = ShoverWorldEnv(n_rows=3, n_cols=3, seed=1);"
        "print(env.reset()['grid'].dtype)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=280)
    assert run.stdout == "int32\n"


def test_other_files_are_replaced_only_on_request(tmp_path):
    shover("course", tmp_path)
    shover("course", tmp_path)  # writing the same files again is allowed
    (tmp_path / "gui.py").write_text("mine", encoding="utf-8")
    error = shover("course", tmp_path, code=2)
    assert "gui.py" in error and "environment.py" not in error and "--force" in error
    assert (tmp_path / "gui.py").read_text(encoding="utf-8") == "mine"
    shover("course", tmp_path, "--force")
    assert (tmp_path / "gui.py").read_bytes() == (PACKAGED / "gui.py").read_bytes()


def test_a_file_instead_of_a_folder_is_reported(tmp_path):
    (tmp_path / "taken").write_text("", encoding="utf-8")
    assert f"{os.fspath(tmp_path / 'taken')}: this is a file" in shover("course", tmp_path / "taken", code=2)
