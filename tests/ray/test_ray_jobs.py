"""Tests of jobs on a Ray cluster of two nodes on this machine (`make test-ray`)."""

import pytest

from shoverworld.arena.jobs import Lost, Work, run
from shoverworld.core.errors import ConfigError
from tests.arena.class_of_students import write_class
from tests.arena.kill_and_resume import content, finish, played, ray_run, start

pytest.importorskip("ray")


def square(shared: int, item: int) -> int:
    return shared + item * item


def fails(shared: None, item: int) -> int:
    if item == 1:
        raise KeyError("wrong number")
    return item


def test_jobs_run_on_a_cluster_that_is_started_here():
    assert dict(run(Work(square, range(6), 10, 2, ray=True))) == {n: 10 + n * n for n in range(6)}


def test_errors_are_repeated_and_reported():
    results = dict(run(Work(fails, range(3), None, 2, keep_going=True, ray=True)))
    assert (results[0], results[2]) == (0, 2)
    assert isinstance(results[1], Lost) and "KeyError" in results[1].reason


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:port"])
def test_a_cluster_that_cannot_be_reached_is_an_error(address):
    with pytest.raises(ConfigError, match=f"--ray-address {address}: the cluster cannot be reached"):
        list(run(Work(square, range(2), 0, 1, ray_address=address)))


def test_a_lost_node_costs_only_its_games_and_the_tables_are_the_same(tmp_path):
    exam, submissions = write_class(tmp_path, 15, 2)
    finish(start(exam, submissions, tmp_path / "calm", 2))
    ray_run(exam, submissions, tmp_path / "ray", played(tmp_path / "calm") // 3)
    assert content(tmp_path / "ray") == content(tmp_path / "calm")
