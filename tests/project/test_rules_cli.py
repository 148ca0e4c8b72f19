"""Rules on the command line: the header of a level names them, `--rules` replaces them, and `--set` changes individual rules."""

import csv

import pytest

from shoverworld import Map, race, sokoban
from tests.commands import run_shover
from tests.project.test_cli import shover

EDGE = "// At the edge\n// rules: phase2, initial_force=1\nA.B\n...\n"


def figures(output: str, name: str) -> list[str]:
    """Return the outcome, the steps and the stamina from the row that `shover solve` printed for a map."""
    return next(line.split() for line in output.splitlines() if line.startswith(name))[1:4]


@pytest.fixture
def edge(tmp_path):
    path = tmp_path / "edge.txt"
    path.write_text(EDGE, encoding="utf-8")
    return path


def test_solve_uses_the_rules_in_the_header_and_the_options_override_them(edge):
    assert figures(shover("solve", edge), "edge") == ["cleared", "1", "990"]
    assert figures(shover("solve", edge, "--set", "initial_force=30"), "edge") == ["cleared", "1", "990"]
    assert figures(shover("solve", edge, "--set", "unit_force=30"), "edge") == ["cleared", "1", "970"]
    assert figures(shover("solve", edge, "--rules", "milestone1"), "edge")[0] == "unsolvable"
    changed = shover("solve", edge, "--rules", "milestone1", "--set", "edge=lava", "--set", "push_pays_step_cost=yes")
    assert figures(changed, "edge") == ["cleared", "1", "989"]


def test_watch_and_compare_use_the_header_and_the_set_option(edge, tmp_path):
    for extra, stamina in (((), "990"), (("--set", "unit_force=30"), "970")):
        output = shover("watch", edge, "--terminal", "--all", *extra)
        assert f"cleared after 1 step, stamina {stamina}" in output
        shover("compare", edge, "--agents", "planner", "--out", tmp_path / "out", *extra)
        table = (tmp_path / "out" / "compare.csv").read_text(encoding="utf-8")
        assert "cleared" in table and stamina in table
    assert "unit_force=30" in shover("watch", edge, "--terminal", "--all", "--set", "unit_force=30")


def test_generated_maps_name_their_rules_and_every_command_uses_them(tmp_path):
    out = tmp_path / "maps"
    options = ("--rules", "phase2", "--set", "initial_force=30", "--set", "hellify=whole", "--rows", 3, "--cols", 4)
    shover("generate", 2, *options, "--out", out)
    m = Map.read(out / "map-1.txt")
    assert (m.title, m.rules) == ("Random map 1", "phase2, initial_force=30, hellify=whole")
    saved = tmp_path / "saved"
    shover("solve", out / "map-1.txt", "--save", saved, "--time", 2)
    replay = (saved / "map-1.replay").read_text(encoding="utf-8")
    assert 'config.rules: "phase2"' in replay
    assert "config.initial_force: 30" in replay


def test_generated_tracks_and_rooms_name_their_rules(tmp_path):
    shover("generate", "race", "--rules", "cross", "--set", "penalty=3", "--rows", 12, "--cols", 20, "--out", tmp_path)
    track = race.Track.read(tmp_path / "track-0.txt")
    assert track.rules == "cross, penalty=3"
    assert race.make_env(track).rules == race.RaceRules(finish="cross", penalty=3)
    assert race.solve(track).steps == race.solve(track, finish="cross").steps
    shover(
        "generate", "sokoban", 2, "--set", "pull=yes", "--boxes", 1, "--size", "6x6", "--out", tmp_path / "rooms.xsb"
    )
    levels = sokoban.read_levels(tmp_path / "rooms.xsb")
    assert [level.rules for level in levels] == ["sokoban, pull=true"] * 2
    assert "png" in shover("generate", "race", "--set", "penalty=3", "--format", "png", "--out", tmp_path, code=2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solve", "01-first-push", "--set", "initial_forse=3"), "did you mean 'initial_force'?"),
        (("solve", "01-first-push", "--set", "hellify=hole"), "did you mean 'whole'?"),
        (("solve", "01-first-push", "--set", "initial_force"), "--set initial_force: expected NAME=VALUE"),
        (("watch", "01-straight", "--terminal", "--set", "initial_force=3"), "the rules are line, finish, penalty"),
        (("compare", "tiny", "--set", "max_steps=0"), "max_steps=0"),
        (("play", "01-first-push", "--set", "n_rows=3"), "n_rows cannot be set"),
        (("generate", "--set", "boxes=3"), "there is no rule 'boxes'"),
        (("race", "01-straight", "--set", "cars=3"), "cars cannot be set"),
        (("edit", "01-first-push", "--set", "age=3"), "there is no rule 'age'"),
        (("solve", "01-first-push", "--rules", "phase"), "did you mean 'phase2'?"),
    ],
)
def test_an_unknown_rule_or_value_is_reported_before_the_work_starts(arguments, words, tmp_path):
    output = shover(*arguments, code=2, cwd=tmp_path)
    assert words in output
    assert len(output.splitlines()) == 1


def test_a_step_limit_given_with_the_set_option_applies_to_agents(tmp_path):
    shover("compare", "tiny#1", "--agents", "random", "--set", "max_steps=7", "--out", tmp_path)
    with open(tmp_path / "compare.csv", encoding="utf-8", newline="") as table:
        (row,) = csv.DictReader(table)
    assert (row["outcome"], row["steps"], row["rules"]) == ("timeout", "7", "sokoban, max_steps=7")


@pytest.mark.parametrize(
    ("level", "change"), [("tiny#1", "max_steps=3"), ("01-straight", "max_rounds=3"), ("02-chains", "max_timestep=3")]
)
def test_a_step_limit_that_is_too_low_for_any_plan_does_not_stop_the_command(level, change, tmp_path):
    arguments = ("solve", level, "--set", change, "--save", tmp_path)
    run = run_shover(*arguments)
    assert run.returncode in (0, 1)  # 0 if the planner proves that there is no plan
    assert run.stderr == ""
    assert "timeout" in run.stdout or "unsolvable" in run.stdout
    for replay in tmp_path.glob("*.replay"):
        shover("replay", "--check", replay)
