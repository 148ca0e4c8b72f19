"""RLlib trains on the batched environments that it makes from the plain id. Run with `make test-ray`."""

import csv
import subprocess
import sys

import pytest

from tests.paths import ROOT

pytest.importorskip("ray.rllib", reason="RLlib is not installed", exc_type=ImportError)
pytest.importorskip("torch")


def test_the_example_trains(tmp_path):
    options = ["--iterations", "1", "--batch", "256", "--envs", "8", "--out", tmp_path]
    command = [sys.executable, ROOT / "examples" / "rllib_ppo.py", *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert run.returncode == 0, run.stderr[-2000:]
    line = next(line for line in run.stdout.splitlines() if line.startswith("iteration 1"))
    assert int(line.split()[3]) >= 256
    with (tmp_path / "rllib_ppo-sokoban-1.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["steps"]) for row in rows] == [0, int(line.split()[3])]
    assert all(0.05 < float(row["solved"]) < 0.6 for row in rows)  # about a quarter, before the policy has learned
