"""The tutorial in docs/grading.md runs as it is written."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT


@pytest.mark.skipif(shutil.which("bash") is None, reason="the tutorial uses a shell")
def test_a_teacher_grades_five_agents_as_in_the_tutorial(tmp_path):
    page = (ROOT / "docs/grading.md").read_text(encoding="utf-8")
    tutorial = page.partition("## Grade five agents")[2].partition("\n## ")[0]
    commands = re.findall(r"```\n(.*?)```", tutorial, re.DOTALL)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        ["bash", "-e", "-c", "\n".join(commands)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "RuntimeError: not finished (bob.py, line 1)" in run.stdout
    assert "35 games on 7 levels" in run.stdout
    assert (tmp_path / "results" / "index.html").is_file()
