"""Tests of the benchmark tools: what they run and what they write. No test depends on the speed of the machine."""

import ast
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import nullcontext

import numpy as np
import pytest
from PIL import Image

from benchmarks import history, step_cost
from shoverworld import bench
from shoverworld.cli import main
from shoverworld.core.measuring import Aim, Batches, Figure, Group, Ratio, Unavailable, measure
from shoverworld.games import all_games
from shoverworld.games.race import bench as race
from shoverworld.games.shover import bench as shover
from shoverworld.games.sokoban import bench as sokoban
from tests.paths import ROOT

QUICK = ("--seconds", "0.001", "--rounds", "1")


def constant(name, value, unit="steps/s", log=None, **details):
    """Return a benchmark that always measures the same value."""

    def measured(seconds):
        if log is not None:
            log.append(name)
        return value

    return Figure(name, unit, lambda: nullcontext(measured), **details)


def lacking():
    raise Unavailable("there is no step_into")


# --- groups


def test_every_round_measures_each_line_of_a_group_and_computes_the_ratios_within_the_round():
    log, values = [], iter([1.0, 2.0, 8.0, 4.0, 3.0, 6.0])

    def figure(name):
        return Figure(name, "steps/s", lambda: nullcontext(lambda seconds: log.append(name) or next(values)))

    a, b, ratio = measure(Group([figure("a"), figure("b")], [Ratio("b / a", "b", "a", Aim(2.0))]), 0.1, 3)
    assert log == ["a", "b", "b", "a", "a", "b"]  # the order alternates
    assert a.values == (1.0, 4.0, 3.0) and b.values == (2.0, 8.0, 6.0)
    assert (ratio.values, ratio.median, ratio.reached, ratio.unit) == ((2.0, 2.0, 2.0), 2.0, True, "x")


def test_the_result_is_the_median_with_quartiles_and_is_compared_with_the_target():
    rounds = iter([10.0, 50.0, 20.0, 40.0, 30.0])
    line = Figure("start", "s", lambda: nullcontext(lambda seconds: next(rounds)), Aim(25, at_most=True))
    (result,) = measure(Group([line]), 0.1, 5)
    assert (result.median, result.quartiles, result.reached) == (30.0, (20.0, 40.0), False)
    assert result.to_json()["aim"] == {"at_most": 25}
    assert Aim(25).reached(30) and not Aim(25).reached(20)


def test_a_line_that_this_version_does_not_support_has_no_values_and_neither_does_its_ratio():
    group = Group([constant("step", 2.0), Figure("into", "steps/s", lacking)], [Ratio("into / step", "into", "step")])
    step, into, ratio = measure(group, 0.1, 2)
    assert step.values == (2.0, 2.0)
    assert into.values == ratio.values == () and into.missing == ratio.missing == "there is no step_into"


def test_selecting_a_ratio_measures_both_of_its_lines_but_shows_only_the_ratio():
    group = Group([constant("a", 1.0), constant("b", 2.0), constant("c", 3.0)], [Ratio("quotient", "b", "a")])
    chosen, shown = group.select("QUOT*T")
    assert [figure.name for figure in chosen.figures] == ["a", "b"] and shown == {"quotient"}


def test_slow_lines_are_omitted_unless_requested():
    group = Group([constant("compile", 1.0, slow=True), constant("step", 1.0)], [Ratio("both", "compile", "step")])
    assert group.select()[1] == {"step"}
    assert group.select(slow=True)[1] == {"compile", "step", "both"}


# --- recorded games

MAKES = {"shover": shover.batches, "sokoban": sokoban.batches, "race": race.batches}


@pytest.mark.parametrize("game", MAKES)
@pytest.mark.parametrize("variant", [{"copy": True}, {"num_threads": 2}, {"copy": False}], ids=str)
def test_all_benchmark_variants_play_the_recorded_games(game, variant):
    batches = MAKES[game]()
    batches.burn_in = 12
    start, actions, steps = batches.recording(48)
    played = []
    for settings in ({"copy": False}, variant):
        envs = batches.make(48, **settings)
        envs.set_state(start)
        rewards, ends = [], []
        for chosen in actions:
            obs, reward, terminated, truncated, _ = envs.step(chosen)
            rewards.append(reward.tolist())
            ends.append((terminated | truncated).tolist())
        # The call after the end of a game starts a new game and does not count as a step.
        assert steps == 48 * len(actions) - int(np.sum(ends[:-1]))
        boards = obs.values() if isinstance(obs, dict) else [obs]
        played.append((rewards, ends, [board.tolist() for board in boards]))
        envs.close()
    assert played[0] == played[1]


def test_the_recorded_actions_push_boxes():
    grid = np.array([[[0, 10, 0], [100, 0, -100]], [[0, 0, 0], [0, 0, 7]], [[0, 0, 0], [100, 0, 0]]], np.int8)
    chosen = {tuple(map(tuple, shover.push_boxes(None, {"grid": grid}, np.random.default_rng(seed)).tolist())) for seed in range(200)}  # fmt: skip
    assert {action[0] for action in chosen} == {(0, 1, z) for z in range(4)}
    assert {action[1] for action in chosen} == {(1, 2, z) for z in range(4)}
    assert {action[2][:2] for action in chosen} == {(0, 0)}  # there is no box


# --- the lines


def names(slow=True):
    return [name for group in bench.groups() for name in group.select(slow=slow)[1]]


def test_the_benchmarks_for_every_game_have_ratios_and_targets():
    lines = names()
    assert len(set(lines)) == len(lines)
    for game in all_games():
        for line in (
            "one env",
            "batch of 8192",
            "batch of 8192, step_into",
            "batch of 8192, copy=True / copy=False",
            *(f"batch of {games}, 2 threads / 1 thread" for games in (4096, 8192, 16384, 32768)),
        ):
            assert f"{game}: {line}" in lines
    aims = {line.name: line.aim for group in bench.groups() for line in (*group.figures, *group.ratios)}
    assert aims["shover: batch of 8192"] == Aim(20e6)
    assert aims["shover: cost of a step, 64x64 / 9x13"] == Aim(1.3, at_most=True)
    assert aims["shover: batch of 32768, 2 threads / 1 thread"] == Aim(1.9)
    assert aims["all games: shover warmup, nothing compiled"] == Aim(35, at_most=True)
    assert set(names()) - set(names(slow=False)) == {
        "shover: process start to first plan, nothing compiled",
        "all games: shover warmup, nothing compiled",
    }


def test_benchmarks_import_only_the_public_interface():
    """benchmarks/history.py runs the benchmarks with older versions of the package. If a lazy import fails, its
    line is skipped."""
    files = [*(ROOT / "src/shoverworld/games").glob("*/bench.py"), ROOT / "src/shoverworld/bench/startup.py"]
    for path in (*files, ROOT / "src/shoverworld/core/measuring.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, path
                assert not node.module.startswith("shoverworld.") or node.module == "shoverworld.core.measuring", path


# --- shover bench


def test_bench_prints_the_chosen_lines_and_writes_json(tmp_path, capsys):
    assert main(["bench", "--game", "race", "--only", "batch of 64", *QUICK, "--json", str(tmp_path / "b.json")]) == 0
    output = capsys.readouterr().out
    assert re.search(r"^ *[\d.]+ [kM] steps/s .* to .* race: batch of 64$", output, re.M)
    report = json.loads((tmp_path / "b.json").read_text())
    assert set(report["machine"]) >= {"cpu", "cores", "python", "numpy", "numba", "version"}
    line = report["results"][0]
    assert line["name"] == "race: batch of 64" and line["unit"] == "steps/s" and line["aim"] is None
    assert line["median"] == line["value"] == line["rounds"][0] and line["spread"] == [line["value"]] * 2
    envs = race.make(1)
    assert ("step_into" in output) == hasattr(envs, "step_into")  # measured only if the method exists


def test_bench_reports_whether_a_target_was_met(capsys):
    assert main(["bench", "--only", "sokoban: batch of 64", *QUICK]) == 0
    assert re.search(r"≥ 23.4 M (reached|missed) +sokoban: batch of 64$", capsys.readouterr().out, re.M)


def test_bench_reports_a_pattern_that_selects_no_line(capsys):
    assert main(["bench", "--only", "chess"]) == 2
    assert "--only 'chess' selects no line" in capsys.readouterr().err
    assert main(["bench", "--rounds", "0"]) == 2


# --- history.py


def start_history(folder, *arguments):
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen(
        [sys.executable, str(ROOT / "benchmarks" / "history.py"), *arguments], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


in_a_clone = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the commits are in a git repository")


@in_a_clone
def test_the_history_script_compares_two_commits_and_removes_the_copied_sources(tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    out = tmp_path / "history.json"
    child = start_history(
        temporary, "HEAD", ".", "--only", "race: one env", "--rounds", "2", "--seconds", "0.001", "--json", str(out)
    )
    output, errors = child.communicate(timeout=280)
    assert child.returncode == 0, errors
    assert re.search(r"^race: one env +[\d.]+ k steps/s +[\d.]+ k steps/s +[\d.]+ +[\d.]+ to [\d.]+", output, re.M)
    (line,) = json.loads(out.read_text())["results"]
    assert len(line["a"]["rounds"]) == len(line["b"]["rounds"]) == len(line["ratio"]["rounds"]) == 2
    assert line["ratio"]["rounds"][0] == pytest.approx(line["b"]["rounds"][0] / line["a"]["rounds"][0])
    assert list(temporary.iterdir()) == []


@in_a_clone
@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send SIGINT")
def test_the_history_script_removes_the_copied_sources_after_ctrl_c(tmp_path):
    child = start_history(tmp_path, "HEAD", "HEAD", "--only", "race: one env")
    assert "compiling" in child.stderr.readline()
    time.sleep(0.5)  # the other process has started
    os.killpg(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 130 and errors == "interrupted\n"
    assert list(tmp_path.iterdir()) == []


@in_a_clone
def test_the_history_script_reports_an_unknown_commit(tmp_path):
    child = start_history(tmp_path, "HEAD", "no-such-commit")
    assert "bad revision 'no-such-commit'" in child.communicate(timeout=60)[1]
    assert child.returncode == 1 and list(tmp_path.iterdir()) == []


def test_a_line_that_can_be_measured_in_only_one_commit_is_shown_with_a_dash():
    line = history.Line("batch, step_into", "steps/s", [], [2e6, 4e6])
    assert line.cells() == ("batch, step_into", "-", "3 M steps/s", "-", "", "")
    assert line.to_json()["a"] is None and line.to_json()["ratio"] is None


@pytest.mark.parametrize(
    ("a", "b", "unit", "verdict"),
    [
        ([1.0] * 5, [1.2, 1.1, 1.3, 1.4, 1.5], "steps/s", "faster"),
        ([1.0] * 5, [1.2, 1.1, 1.3, 1.4, 1.5], "s", "slower"),
        ([1.0] * 5, [0.5] * 5, "steps/s", "slower"),
        ([1.0] * 5, [0.9, 1.1, 1.3, 1.4, 1.5], "steps/s", ""),
    ],
)
def test_a_change_counts_as_faster_or_slower_only_if_the_interval_for_its_ratio_excludes_1(a, b, unit, verdict):
    assert history.Line("line", unit, a, b).cells()[-1] == verdict


@pytest.mark.parametrize(("count", "places"), [(1, (0, 0)), (3, (0, 2)), (5, (0, 4)), (8, (1, 6)), (9, (1, 7))])
def test_the_interval_contains_the_median_with_90_percent_probability(count, places):
    """With 8 values, the median is outside the inner 6 with probability 2 * (1 + 8) / 256 = 7%."""
    assert history.interval(list(range(count))) == places


# --- step_cost.py


def test_the_step_cost_script_writes_a_table_and_a_picture(tmp_path):
    plot = step_cost.PLOTS["size"]
    sides = (6, 9)
    points = [step_cost.Point(step_cost.RACE, side, step_cost.open_track(side), 8) for side in sides]
    points += [step_cost.Point(step_cost.SOKOBAN, side, step_cost.sokoban_rooms(side, 4), 8) for side in sides]
    found = step_cost.measured(points, 0.001, 2)
    rows = list(csv.reader(step_cost.table(found, plot.label).splitlines()))
    assert [row[:2] for row in rows[1:]] == [["grid race", "6"], ["grid race", "9"], ["Sokoban", "6"], ["Sokoban", "9"]]
    assert all(float(low) <= float(middle) <= float(high) for _, _, middle, low, high in rows[1:])
    step_cost.draw(plot, found, tmp_path / "size.png")
    with Image.open(tmp_path / "size.png") as picture:
        assert picture.size == (1050, 630) and picture.convert("L").getpixel((2, 2)) == 255  # a light background


def test_the_step_cost_script_covers_the_whole_range_of_every_axis():
    games = step_cost.by_games()
    assert {point.x for point in games if point.game == step_cost.SHOVER} >= {1, 64, 1024, 65536}
    assert all(isinstance(point.batches, Batches) and point.games == point.x for point in games)
    room = str(step_cost.open_room(0, 6, 7))
    assert (room.count("$") + room.count("*"), room.count(".") + room.count("*")) == (7, 7)
