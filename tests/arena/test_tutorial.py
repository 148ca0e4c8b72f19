"""The tutorial in docs/grading.md runs as it is written."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.arena.tutorial import commands, follow


@pytest.mark.skipif(shutil.which("bash") is None, reason="the tutorial uses a shell")
def test_a_teacher_grades_five_agents_as_in_the_tutorial(tmp_path):
    run = follow(commands(), tmp_path, Path(sys.executable).parent)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "RuntimeError: not finished (bob.py, line 1)" in run.stdout
    assert "35 games on 7 levels" in run.stdout
    assert (tmp_path / "results" / "index.html").is_file()
