"""Tests of the agents `learned` and `learned-search`."""

import math
from pathlib import Path

import numpy as np
import pytest

from shoverworld import sokoban
from shoverworld.agents import match
from shoverworld.agents.base import PLANNING_TIME
from shoverworld.agents.load import check, distinct_names, load
from shoverworld.agents.referee import play as play_game
from shoverworld.agents.tasks import tasks_at
from shoverworld.core.errors import AgentError, ConfigError, ModelError
from shoverworld.core.plan import Plan
from shoverworld.games import game_named
from shoverworld.learn import Model, plan
from shoverworld.learn.model import learning_of
from shoverworld.learn.searching import MOST_EXPANSIONS
from tests.commands import run_shover


def play(agent, env) -> str | None:
    obs, info = env.reset(seed=0)
    agent.reset(info)
    for _ in range(2000):
        obs, _, terminated, truncated, info = env.step(agent.act(obs, info))
        if terminated or truncated:
            break
    return info["outcome"]


@pytest.mark.parametrize("set_name", ["tiny", "easy", "medium"])
def test_learned_search_solves_packaged_levels(set_name):
    for level in sokoban.packaged(set_name)[:8]:
        env = sokoban.make_env(level, max_steps=2000)
        agent = load("learned-search", env)
        assert play(agent, env) == "solved"
        assert agent.expanded > 0


def test_learned_plays_valid_actions_and_solves_most_easy_levels():
    outcomes = []
    for level in sokoban.packaged("tiny")[:10]:
        env = sokoban.make_env(level, max_steps=200)
        outcomes.append(play(load("learned", env), env))
    assert outcomes.count("solved") >= 7


def test_other_rules_of_sokoban():
    """With four actions, with pulls and with two players, the agents push; numbered boxes are a clear error."""
    for id in ("Sokoban-4a-v0", "PushAndPull-Sokoban-v0", "TwoPlayer-Sokoban-v0"):
        env = sokoban.make_env(rules=id, max_steps=300)
        assert play(load("learned-search", env, expansions=300), env) in ("solved", "timeout")


def test_an_agent_with_another_model(tmp_path):
    env = sokoban.make_env("tiny")
    with pytest.raises(AgentError, match="does not exist"):
        load("learned", env, model=tmp_path / "missing.npz")
    (tmp_path / "bad.npz").write_text("no")
    with pytest.raises(ModelError, match=r"bad\.npz"):
        Model.load(tmp_path / "bad.npz")
    one = load("learned", env).model
    zero = tmp_path / "zero.npz"
    Model("sokoban", one.version, np.zeros(1 << 10, np.float32)).save(zero)
    assert len(load("learned", env, model=zero).model.table) == 1 << 10
    for name in ("learned", "learned-search"):
        assert len(load(f"{name}:{zero}", env).model.table) == 1 << 10
    env.reset(seed=0)
    assert plan(env, zero).status == "solved"


@pytest.fixture
def models(tmp_path) -> Path:
    """A folder with a usable model, and with files and folders that are not one."""
    version = game_named("sokoban").learning.version
    Model("sokoban", version, np.zeros(1 << 10, np.float32)).save(tmp_path / "good.npz")
    Model("sokoban", version + 1, np.zeros(1 << 10, np.float32)).save(tmp_path / "newer.npz")
    Model("shover", version, np.zeros(1 << 10, np.float32)).save(tmp_path / "shover.npz")
    data = (tmp_path / "good.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(data[: len(data) // 2])
    (tmp_path / "good.txt").write_bytes(data)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.npz").mkdir()
    return tmp_path


SUFFIX = r"the name of a model file must end in \.npz, such as learned-search:model\.npz; `shover learn` writes models"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("learned:none.npz", r"none\.npz: the file does not exist; `shover learn` writes models"),
        ("learned:cut.npz", r"cut\.npz: .*\(the file is truncated or is not an \.npz file\)"),
        ("learned:newer.npz", r"newer\.npz: made for version"),
        ("learned:shover.npz", r"shover\.npz: a model for the game 'shover'; expected one for 'sokoban'"),
        ("learned-search:folder.npz", r"folder\.npz is a folder"),
        ("learned-search:folder", SUFFIX),
        ("learned-search:good.txt", SUFFIX),
        ("learned-search:good", SUFFIX),
        ("learned-search:", SUFFIX),
        ("random:good.npz", "the agent 'random' has no model; expected random"),
        ("racer:good.npz", "the agent 'racer' does not play Sokoban"),
        ("lerned:good.npz", r"there is no agent 'lerned:good\.npz'; did you mean 'learned'"),
    ],
)
def test_a_model_that_cannot_be_used_is_reported(spec, message, models, monkeypatch):
    monkeypatch.chdir(models)
    with pytest.raises(AgentError, match=message):
        check(spec, "sokoban")
    check("learned:good.npz", "sokoban")
    check("learned:good.npz")


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("compare", ("--agents", "planner,learned:cut.npz", "--out", "out")),
        ("watch", ("--agent", "learned-search:cut.npz", "--gif", "out")),
        ("solve", ("--agent", "learned-search:cut.npz", "--save", "out")),
        ("play", ("--agent", "learned-search:cut.npz", "--terminal")),
    ],
)
def test_a_damaged_model_stops_a_command_before_the_first_level(command, options, models):
    out = models / ("out.gif" if command == "watch" else "out")
    run = run_shover(command, "tiny#1", *(out if word == "out" else word for word in options), cwd=models)
    assert (run.returncode, run.stdout) == (2, "")
    assert "cut.npz: not a complete model file (the file is truncated or is not an .npz file)" in run.stderr
    assert not out.exists()


@pytest.mark.parametrize("command", ["play", "solve", "watch", "compare", "grade"])
def test_the_help_mentions_agents_with_a_model(command):
    words = " ".join(run_shover(command, "--help").stdout.split()).replace("- ", "-")
    assert "learned:model.npz or learned-search:model.npz plays with your own model" in words


def test_a_comparison_names_models_briefly_and_lists_the_agents_with_a_time_limit(models):
    agents = f"learned-search,learned-search:{models / 'good.npz'},planner"
    run = run_shover("compare", "tiny#1", "--agents", agents, "--time", 1, "--out", "out", cwd=models)
    assert run.returncode == 0, run.stderr
    limits = "1 s for learned-search, learned-search:good.npz and the planner."
    assert f"Time limit per level: {limits}" in run.stdout.splitlines()
    assert [line.split()[0] for line in run.stdout.splitlines()[2:5]] == [
        "learned-search",
        "learned-search:good.npz",
        "planner",
    ]


def test_models_and_files_get_short_distinct_names():
    assert distinct_names(
        ["learned", "learned:a/g.npz", "learned:b/g.npz", "learned-search:b/g.npz", "a/mine.py", "b/mine.py:Mine"]
    ) == {
        "learned": "learned",
        "learned:a/g.npz": "learned:a/g.npz",
        "learned:b/g.npz": "learned:b/g.npz",
        "learned-search:b/g.npz": "learned-search:g.npz",
        "a/mine.py": "mine.py",
        "b/mine.py:Mine": "mine.py:Mine",
    }
    assert distinct_names(["learned:/a/b/g.npz"]) == {"learned:/a/b/g.npz": "learned:g.npz"}


def test_a_journal_does_not_continue_with_another_model(models):
    command = ("compare", "tiny#1", "--agents", "learned:good.npz", "--out", "out", "--journal", "journal")
    assert run_shover(*command, cwd=models).returncode == 0
    version = game_named("sokoban").learning.version
    Model("sokoban", version, np.ones(1 << 10, np.float32)).save(models / "good.npz")
    run = run_shover(*command, cwd=models)
    assert run.returncode == 2
    assert "other levels, agents or options" in run.stderr


@pytest.mark.parametrize("method", ["auto", "phs", "levin"])
def test_plans_from_python(method):
    env = sokoban.make_env("easy", max_steps=1000)
    env.reset(seed=1)
    found = plan(env, method=method, expansions=5000)
    assert found.status == "solved"
    assert found.expanded <= 5000
    found.verify(env)
    with pytest.raises(ConfigError, match="method"):
        plan(env, method="astar")
    with pytest.raises(AgentError, match="expansions"):
        load("learned-search", env, expansions=0)


# The box in the corner can never be pushed to the target. The other box can be pushed, so there is something to search.
DEAD = sokoban.Level.parse("########\n#$    .#\n#      #\n#  $   #\n# @   .#\n########")

# At least 80 pushes are needed, more than a search makes between two looks at the clock.
FAR = sokoban.Level.parse(
    "\n".join(["#" * 23, *["#" + " " * 21 + "#", "#  $" + " " * 15 + ".  #"] * 5, "#@" + " " * 20 + "#", "#" * 23])
)


@pytest.mark.parametrize("method", ["phs", "levin", "greedy"])
def test_a_plan_reports_why_its_search_ended(method):
    env = sokoban.make_env(FAR)
    env.reset()
    found = plan(env, method=method, time_limit=0.0)
    assert (found.status, found.stopped_by) == ("unknown", "time")
    found = plan(env, method=method, expansions=1)
    assert (found.status, found.stopped_by, found.expanded) == ("unknown", "expansions", 1)
    env = sokoban.make_env(DEAD)
    env.reset()
    found = plan(env, method=method, time_limit=60.0)
    assert (found.status, found.stopped_by) == ("unknown", "exhausted")


def test_the_plan_for_a_finished_game_is_empty():
    env = sokoban.make_env("easy", max_steps=1000)
    env.reset(seed=1)
    plan(env).verify(env)
    found = plan(env)
    assert (found.status, found.actions, found.objective, found.stopped_by) == ("solved", [], "pushes", "found")


def test_one_limit_alone_is_the_only_limit(monkeypatch):
    env, given = sokoban.make_env("tiny"), []
    env.reset(seed=0)
    learning = learning_of(game_named("sokoban"))
    monkeypatch.setattr(type(learning), "plan", lambda *_, **limits: given.append(limits) or Plan("unknown"))
    for limits in ({}, {"expansions": 7}, {"time_limit": 7.0}, {"expansions": 7, "time_limit": 8.0}):
        plan(env, **limits)
    pairs = [(one["expansions"], one["time_limit"]) for one in given]
    assert pairs == [(100_000, 10.0), (7, math.inf), (MOST_EXPANSIONS, 7.0), (7, 8.0)]
    with pytest.raises(ConfigError, match="path of a model file, not int"):
        plan(env, model=3)


@pytest.mark.parametrize("agent", ["learned", "learned-search"])
def test_a_game_without_a_plan_ends_instead_of_going_on_at_random(agent, tmp_path):
    sokoban.write_levels(tmp_path / "dead.xsb", [DEAD])
    task = next(iter(tasks_at(game_named("sokoban"), [str(tmp_path / "dead.xsb")])))
    row = match.run(task, agent, time_limit=60.0)
    assert (row.outcome, row.error) == ("unknown", None)
    env = task.start()
    learner = load(agent, env)
    learner.reset({})
    assert row.actions == list(learner.plan.actions)
    assert row.expanded == learner.expanded > 0
    if agent == "learned-search":  # the expansions of the search and of the walk
        walk = load("learned", env)
        walk.reset({})
        assert learner.expanded == plan(env, method="phs", time_limit=60.0).expanded + walk.expanded
    # In a tournament or an exam, the agent goes on.
    result = play_game(sokoban.make_env(DEAD, max_steps=60), agent, seed=0)
    assert (result.outcome, result.steps) == ("timeout", 60)
    assert len(result.actions) > len(row.actions)


@pytest.fixture
def asked(monkeypatch) -> list[float]:
    """The time limits of the searches of `learned-search`, which find nothing."""
    limits = []

    def nothing(env, model, method, expansions, time_limit):
        limits.append(time_limit)
        return Plan("unknown")

    monkeypatch.setattr("shoverworld.learn.agents.plan", nothing)
    return limits


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"time_limit": 60.0}, PLANNING_TIME),
        ({"time_limit": None}, PLANNING_TIME),
        ({"time_limit": 4.0}, 3.0),
        ({"time_limit": 4.0, "agent_options": {"time_limit": 1.0}}, 1.0),
    ],
)
def test_the_search_leaves_time_for_playing(asked, limits, expected):
    """In an exam with a time limit, a search of the usual length could lose the game."""
    result = play_game(sokoban.make_env("tiny", max_steps=5), "learned-search", seed=0, **limits)
    assert result.error is None
    assert set(asked) == {expected}


def test_a_comparison_limits_the_search_as_it_limits_the_planner(asked):
    task = next(iter(tasks_at(game_named("sokoban"), ["tiny#1"])))
    assert match.run(task, "learned-search", time_limit=60.0, search_time=2.0).time_limit == 2.0
    assert match.run(task, "learned-search", time_limit=2.0, search_time=60.0).time_limit == 1.5
    assert set(asked) == {2.0, 1.5}
    assert match.run(task, "random", time_limit=60.0, search_time=2.0).time_limit == 60.0
