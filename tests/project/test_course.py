"""`shover course DIR` writes the files that the course asks for. Each file is short and uses the package."""

import os
import subprocess
import sys

import pytest

from tests.paths import ROOT
from tests.project.test_cli import shover

NAMES = ["environment.py", "gui.py", "run_player_ai.py", "test.py", "watch_ai_steps.py"]


def test_the_repository_folder_contains_the_files_that_the_command_writes(tmp_path):
    """`shover course course --force` brings the folder up to date."""
    shover("course", tmp_path)
    assert sorted(path.name for path in (ROOT / "course").glob("*.py")) == NAMES
    for name in NAMES:
        assert (ROOT / "course" / name).read_bytes() == (tmp_path / name).read_bytes()


def test_the_command_writes_files_that_run(tmp_path):
    output = shover("course", "mine", cwd=tmp_path, fresh=True)
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


@pytest.mark.parametrize(
    ("header", "options", "steps"),
    [
        ("", (), 1),  # phase2: the box burns at the edge of the map
        ("// rules: milestone1\n", (), 2),  # the edge is a wall, so the box has to reach the lava
        ("// rules: milestone1\n", ("--rules", "phase2"), 1),
    ],
)
@pytest.mark.parametrize("script", ["run_player_ai.py", "watch_ai_steps.py"])
def test_a_script_obeys_the_rules_in_the_header_of_a_map(tmp_path, script, header, options, steps):
    path = tmp_path / "edge.txt"
    path.write_text(f"{header}A.B.L\n.....\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, script, str(path), *options], cwd=ROOT / "course", capture_output=True, text=True, timeout=280
    )
    assert run.returncode == 0, run.stderr
    last = run.stdout.partition("\nRules: ")[0].splitlines()[-1]
    assert f"after {steps} step" in last or last.split()[0] == str(steps)


def test_changed_files_are_replaced_only_on_request(tmp_path):
    shover("course", tmp_path)
    shover("course", tmp_path)  # writing the same files again is allowed
    (tmp_path / "gui.py").write_text("mine", encoding="utf-8")
    error = shover("course", tmp_path, code=2)
    assert "gui.py" in error and "environment.py" not in error and "--force" in error
    assert (tmp_path / "gui.py").read_text(encoding="utf-8") == "mine"
    shover("course", tmp_path, "--force")
    assert (tmp_path / "gui.py").read_bytes() == (ROOT / "course" / "gui.py").read_bytes()


def test_a_path_to_a_file_instead_of_a_folder_is_reported(tmp_path):
    (tmp_path / "taken").write_text("", encoding="utf-8")
    assert f"{os.fspath(tmp_path / 'taken')}: this is a file" in shover("course", tmp_path / "taken", code=2)
