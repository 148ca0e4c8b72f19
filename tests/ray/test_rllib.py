"""RLlib trains on the batched environments that it makes from the plain id. Run with `make test-ray`."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

pytest.importorskip("ray.rllib", reason="RLlib is not installed", exc_type=ImportError)
pytest.importorskip("torch")


def trained(folder: Path, *options: str) -> list[dict[str, str]]:
    """Train for one iteration of 256 steps, and return the rows of the learning curve."""
    given = ["--iterations", "1", "--batch", "256", "--envs", "8", "--out", str(folder), *options]
    command = [sys.executable, str(ROOT / "examples" / "rllib_ppo.py"), *given]
    run = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert run.returncode == 0, run.stderr[-2000:]
    line = next(line for line in run.stdout.splitlines() if line.startswith("iteration 1"))
    assert int(line.split()[3]) >= 256
    with (folder / "rllib_ppo-sokoban-1.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["steps"]) for row in rows] == [0, int(line.split()[3])]
    return rows


def test_the_example_trains(tmp_path):
    rows = trained(tmp_path)
    assert all(0.05 < float(row["solved"]) < 0.6 for row in rows)  # about a quarter, before the policy has learned


def test_the_example_trains_on_a_cluster_of_two_nodes(tmp_path):
    """Each of the two processes that play gets a node: the nodes have only one processor each."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    try:
        trained(tmp_path, "--address", cluster.address, "--runners", "2")
    finally:
        cluster.shutdown()
