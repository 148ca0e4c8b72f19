"""RLlib trains on the batched environments that it makes from the plain id. Run with `make test-ray`."""

import subprocess
import sys

import pytest

from tests.paths import ROOT

pytest.importorskip("ray.rllib", reason="RLlib is not installed", exc_type=ImportError)
pytest.importorskip("torch")


def test_the_example_trains():
    options = ["--iterations", "1", "--batch", "256", "--envs", "8"]
    command = [sys.executable, ROOT / "examples" / "rllib_ppo.py", *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert run.returncode == 0, run.stderr[-2000:]
    line = next(line for line in run.stdout.splitlines() if line.startswith("iteration 1"))
    assert int(line.split()[3]) >= 256
