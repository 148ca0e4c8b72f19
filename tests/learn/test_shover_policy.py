# pyright: basic
"""Tests of features, labels and policy-guided search in Shover-World."""

import numpy as np
import pytest

from shoverworld import ConfigError, Map, learn, sokoban, solve
from shoverworld.core.learning import new_examples
from shoverworld.core.policy import AUTO, GREEDY, LEVIN, PHS
from shoverworld.games.shover.env import ShoverWorldEnv
from shoverworld.games.shover.generate import random_map
from shoverworld.games.shover.planner.searcher import Searcher
from shoverworld.games.shover.policy.best_first import BestFirstSearcher
from shoverworld.games.shover.policy.guided import GuidedSearcher
from shoverworld.games.shover.policy.learning import LEARNING, level_of
from shoverworld.games.shover.policy.portfolio import best_plan
from shoverworld.games.shover.policy.teacher import ShoverLevel, ShoverTeacher
from shoverworld.games.shover.state import CLEARED
from shoverworld.learn import packaged_model

SMALL = {
    "phase2": {"n_rows": 5, "n_cols": 6, "number_of_boxes": 6, "number_of_barriers": 2, "number_of_lavas": 1},
    "milestone1": {"n_rows": 5, "n_cols": 6, "number_of_boxes": 4, "number_of_barriers": 1, "number_of_lavas": 3},
    "walker": {"n_rows": 5, "n_cols": 6, "number_of_boxes": 3, "number_of_barriers": 1, "number_of_lavas": 3},
}
SIZE = 1 << 16


def small_levels(preset: str, count: int) -> list[ShoverLevel]:
    return [level_of(random_map(seed, rules=preset, solvable=True, **SMALL[preset])) for seed in range(count)]


def examples_of(levels: list[ShoverLevel]):
    """Return the labels of the planner's plans for these levels, and the examples for all of their states."""
    teacher = ShoverTeacher(levels)
    states = teacher.label(np.arange(len(levels)), np.zeros(SIZE, np.float32), 0, 0)
    out = new_examples(LEARNING.features, len(states.game), teacher.most_candidates)
    end, count = teacher.write(states, np.arange(len(states.game)), 0, out, SIZE)
    assert end == count == len(states.game)
    return teacher, states, out


def turned(level: Map, how) -> Map:
    marks = np.zeros(level.grid.shape, bool)
    marks[level.agent] = True
    row, col = np.argwhere(how(marks))[0].tolist()
    return Map(np.ascontiguousarray(how(level.grid)), (row, col), rules=level.rules)


@pytest.mark.parametrize("how", [np.rot90, np.fliplr, np.flipud, np.transpose], ids=lambda how: how.__name__)
@pytest.mark.parametrize("preset", SMALL)
def test_turned_and_mirrored_boards_have_the_same_features(preset, how):
    """The moves of a turned board are the same moves in another order, so their features are the same rows."""
    different = set()
    for seed in range(2, 5):
        board = random_map(seed, rules=preset, **SMALL[preset])
        rows = []
        for one in (board, turned(board, how)):
            level = level_of(one)
            teacher = ShoverTeacher([level])
            out = new_examples(LEARNING.features, 1, teacher.most_candidates)
            good = np.zeros((1, teacher.most_candidates), bool)
            states = teacher._joined([])._replace(
                board=level.start.board, game=level.start.game, squares=level.start.squares, good=good,
                kind=np.zeros(1, np.int64),
            )  # fmt: skip
            teacher.write(states, np.zeros(1, np.int64), 0, out, SIZE)
            moves = out.features[: out.starts[1]]
            rows.append(sorted(map(tuple, np.sort(moves, axis=1).tolist())))
        assert rows[0] == rows[1]
        different.update(rows[0])
    assert len(different) > 1


@pytest.mark.parametrize("preset", SMALL)
def test_good_moves_keep_the_plan_as_short_as_it_is(preset):
    """One of the good moves leads to the next state of the plan, and the last one clears the map.

    After each of the other good moves, the planner still finds a way to clear the map in as many steps.
    """
    level = small_levels(preset, 1)[0]
    teacher, states, out = examples_of([level])
    searcher = Searcher(level.start, level.rules.numbers(), 16 << 20)
    plan, lengths = np.zeros(0, np.int64), []
    for t in range(len(states.game)):
        assert (searcher.after(plan).board[0] == states.board[t]).all()
        assert searcher.after(plan).game[0] == states.game[t]
        teacher.write(states, np.array([t]), 0, out, SIZE)
        listed = teacher.kinds[0].features.moves.moves[: out.starts[1]]
        following = []
        for move in listed[states.good[t, : out.starts[1]]]:
            after = searcher.after(np.append(plan, move))
            steps = int(after.game["timestep"][0])
            if after.game["outcome"][0] != CLEARED:
                steps += solve(after, level.rules, time_limit=5.0).steps
            lengths.append(steps)
            if t + 1 < len(states.game):
                is_next = (after.board[0] == states.board[t + 1]).all() and after.game[0] == states.game[t + 1]
            else:
                is_next = after.game["outcome"][0] == CLEARED
            following += [move] * bool(is_next)
        plan = np.append(plan, following[0])
    end = searcher.after(plan).game[0]
    assert end["outcome"] == CLEARED
    assert max(lengths) <= end["timestep"]
    assert len(lengths) > len(plan) or preset == "walker"  # a walk makes most other orders longer


def test_labels_are_the_same_in_any_batch():
    """Levels with different rules and sizes are labelled together or one by one. Only the order of the states differs."""
    levels = [level for preset in SMALL for level in small_levels(preset, 3)]
    levels.append(level_of(Map.parse("// rules: phase2\n\n....BB.\n.A..B.L\n.......")))
    levels.append(level_of(Map.parse("// rules: phase2\n\n#######\n#AB#BL#\n#######")))  # cannot be cleared
    teacher, table = ShoverTeacher(levels), np.zeros(SIZE, np.float32)
    together = teacher.label(np.arange(len(levels)), table, 0, 0)
    apart = [teacher.label(np.array([number]), table, 0, 0) for number in reversed(range(len(levels)))]

    def rows(labels):
        return sorted(b"".join(column[i].tobytes() for column in labels) for i in range(len(labels.game)))

    assert [len(part.game) > 0 for part in apart] == [False] + [True] * (len(levels) - 1)
    assert rows(together) == sorted(row for part in apart for row in rows(part))


def test_a_batch_of_long_plans_needs_more_room():
    """The plan has more states than the teacher first makes room for."""
    corridor = (
        "// rules: phase2, initial_force=1, unit_force=1\n\n" + "#" * 83 + "\n#" + "B" + "." * 79 + "L#\n" + "#" * 83
    )
    teacher = ShoverTeacher([level_of(Map.parse(corridor))] * 3)
    labels = teacher.label(np.arange(3), np.zeros(SIZE, np.float32), 0, 0)
    assert labels.game["timestep"].tolist() == 3 * list(range(80))


def test_the_policy_replaces_plans_that_are_not_shorter():
    """In later rounds, the plans are never longer than the planner's, and some are the policy's own."""
    levels = [level_of(random_map(seed, rules="phase2", number_of_boxes=20)) for seed in range(8)]
    teacher, table = ShoverTeacher(levels), packaged_model("shover").table
    different = 0
    for number in range(len(levels)):
        own, guided = (teacher.label(np.array([number]), table, round, 0) for round in (0, 1))
        assert 0 < len(guided.game) <= len(own.game)
        different += guided.board.tobytes() != own.board.tobytes()
    assert different


@pytest.mark.parametrize("preset", SMALL)
def test_walks_and_searches_return_plans_that_pass_the_rules(preset):
    table = np.random.default_rng(1).normal(0.0, 0.3, SIZE).astype(np.float32)
    for seed in range(4):
        board = random_map(seed, rules=preset, solvable=True, **SMALL[preset])
        for method in (GREEDY, LEVIN, PHS, AUTO):
            env = ShoverWorldEnv(rules=preset)
            env.reset(options={"map": board})
            plan = LEARNING.plan(env, table, method=method, expansions=3000, time_limit=60.0)
            assert plan.expanded > 0
            for action in plan.actions:
                assert env.outcome is None
                env.step(action)
            assert (env.outcome == "cleared") == (plan.status == "solved")
            assert plan.status == "solved" or method in (GREEDY, LEVIN)  # LevinTS relies on the policy alone


@pytest.mark.parametrize("preset", SMALL)
def test_the_best_plan_of_a_small_map_is_optimal(preset):
    """With any policy, `best_plan` ends with a proof on small maps, long before the limit, and as `solve` does."""
    table = np.random.default_rng(2).normal(0.0, 0.3, SIZE).astype(np.float32)
    outcomes = set()
    for seed in range(8):
        board = random_map(seed, rules=preset, **SMALL[preset] | {"number_of_boxes": 2 + seed % 2})
        level = level_of(board)
        expected = solve(board, time_limit=20.0)
        assert expected.proved_optimal or expected.status == "unsolvable"
        searcher = GuidedSearcher(level.start, level.rules.numbers(), 64 << 20, table)
        found = best_plan(searcher, level.rules.max_timestep, 1 << 40)
        assert (found is None) == (expected.status == "unsolvable")
        if found is not None:
            assert found.steps == expected.steps
            assert searcher.after(found.moves).game["outcome"][0] == CLEARED
        outcomes.add(expected.status)
    assert "solved" in outcomes


@pytest.mark.parametrize("preset", SMALL)
@pytest.mark.parametrize("method", [LEVIN, PHS])
def test_a_best_first_search_finds_a_plan_if_there_is_one(method, preset):
    """With any policy: no move is impossible, and only games that another one dominates are left out."""
    table = np.random.default_rng(3).normal(0.0, 0.3, SIZE).astype(np.float32)
    outcomes = set()
    for seed in range(12):
        board = random_map(seed, rules=preset, **SMALL[preset] | {"number_of_boxes": 1 + seed % 2})
        level, expected = level_of(board), solve(board, time_limit=20.0)
        searcher = BestFirstSearcher(level.start, level.rules.numbers(), 64 << 20, table)
        found = searcher.best_first(level.start, method, 20_000, lambda: False)
        outcomes.add(expected.status)
        assert searcher.expanded < 20_000
        assert (found is None) == (expected.status == "unsolvable")
        if found is not None:
            assert found.steps >= expected.steps
            after = searcher.after(found.moves).game[0]
            assert (after["outcome"], after["timestep"], after["stamina"]) == (CLEARED, found.steps, found.stamina)
    assert "solved" in outcomes


def test_levin_tree_search_prefers_likely_paths():
    """Without a policy, LevinTS is a breadth-first search weighted by the number of moves; PHS* also uses the heuristic."""
    expanded = {}
    for method in (LEVIN, PHS):
        for name, table in (("trained", packaged_model("shover").table), ("uniform", np.zeros(SIZE, np.float32))):
            count = 0
            for seed in range(5):
                level = level_of(random_map(seed, rules="phase2", solvable=True, **SMALL["phase2"]))
                searcher = BestFirstSearcher(level.start, level.rules.numbers(), 64 << 20, table)
                searcher.best_first(level.start, method, 1000, lambda: False)
                count += searcher.expanded
            expanded[method, name] = count
    assert expanded[LEVIN, "trained"] < 0.5 * expanded[LEVIN, "uniform"]
    assert expanded[PHS, "trained"] < expanded[LEVIN, "trained"]
    assert expanded[PHS, "trained"] < expanded[PHS, "uniform"]


def test_a_best_first_search_grows_and_stays_within_its_limits():
    level = level_of(random_map(0, rules="phase2", number_of_boxes=20))
    searcher = BestFirstSearcher(level.start, level.rules.numbers(), 64 << 20, np.zeros(SIZE, np.float32))
    assert searcher.best_first(level.start, LEVIN, 3000, lambda: False) is None
    assert searcher.expanded == 3000
    assert searcher.best_first(level.start, LEVIN, 3000, lambda: True) is None
    assert searcher.expanded < 3100


def test_the_best_plan_stays_within_its_expansions():
    level = level_of(random_map(0, rules="phase2", number_of_boxes=20))
    searcher = GuidedSearcher(level.start, level.rules.numbers(), 64 << 20, np.zeros(SIZE, np.float32))
    assert best_plan(searcher, level.rules.max_timestep, 500) is not None
    assert 500 <= searcher.expanded < 800  # a search ends with the layer in which it reaches the limit


def test_plans_report_why_their_search_ended():
    env = ShoverWorldEnv(rules="phase2")
    env.reset(options={"map": random_map(0, rules="phase2", number_of_boxes=20)})
    for method in (GREEDY, PHS, LEVIN, AUTO):
        plan = LEARNING.plan(env, packaged_model("shover").table, method=method, expansions=2, time_limit=60.0)
        assert (plan.status, plan.stopped_by) == ("unknown", "expansions")
    env.reset(options={"map": Map.parse("BA.\n##L")})  # the box cannot leave its row
    for method in (PHS, LEVIN, AUTO):
        plan = LEARNING.plan(env, np.zeros(SIZE, np.float32), method=method, expansions=10**6, time_limit=60.0)
        assert plan.status in ("unknown", "solved")
        assert plan.stopped_by == ("exhausted" if plan.status == "unknown" else "found")


def test_training_takes_maps():
    maps = [random_map(seed, rules="phase2", solvable=True, **SMALL["phase2"]) for seed in range(2)]
    settings = learn.Settings(passes=1)
    from_maps = learn.train("shover", maps, settings=settings)
    assert (from_maps.table == learn.train("shover", list(map(level_of, maps)), settings=settings).table).all()
    for game, levels, message in (
        ("shover", sokoban.packaged("tiny"), "levels.0. is of type Level; expected maps of Shover-World"),
        ("sokoban", maps, "levels.0. is of type Map; expected levels of Sokoban"),
        ("sokoban", ["file.txt"], "type str; .* pass its path alone"),
    ):
        with pytest.raises(ConfigError, match=message):
            learn.train(game, levels, settings=settings)


def test_training_learns_and_is_reproducible():
    """After a training on few maps, the policy clears other maps; the same training gives the same model."""
    settings = learn.Settings(rounds=2, passes=2, chunk=15)
    one, other = (learn.train("shover", small_levels("phase2", 30), settings=settings) for _ in range(2))
    assert (one.table == other.table).all()
    assert one.about == other.about
    unseen = [level_of(random_map(seed, rules="phase2", **SMALL["phase2"])) for seed in range(1000, 1030)]
    teacher = ShoverTeacher(unseen)
    trained = teacher.solve(one.table, GREEDY, 100)
    untrained = teacher.solve(np.zeros_like(one.table), GREEDY, 100)
    assert (trained > 0).mean() >= 0.9
    assert trained[trained > 0].mean() < 0.8 * untrained[untrained > 0].mean()


@pytest.mark.parametrize("stop_after", [1, 5])
def test_a_training_that_was_stopped_and_resumed_gives_the_same_file(stop_after, tmp_path):
    """A checkpoint keeps the records of the labelled states, whatever step it was written after."""
    levels, settings = small_levels("phase2", 6), learn.Settings(rounds=2, passes=1, chunk=4)
    checkpoint = tmp_path / "checkpoint"
    whole = learn.train("shover", levels, settings=settings)
    whole.save(tmp_path / "whole.npz")
    part = learn.train(
        "shover", levels, settings=settings, checkpoint=checkpoint, progress=lambda r: r.done >= stop_after
    )
    assert part.about["steps"] == stop_after < whole.about["steps"]
    learn.train("shover", levels, settings=settings, checkpoint=checkpoint).save(tmp_path / "resumed.npz")
    assert (tmp_path / "resumed.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_a_step_of_the_training_labels_few_maps():
    """The planner takes a good part of a second for a map, and Ctrl-C and --minutes wait for the end of a step."""
    trainer = learn.Trainer("shover", small_levels("phase2", 1) * 100)
    first = next(trainer.steps())
    assert first.end - first.first <= 20


def test_levels_of_different_kinds_learn_together():
    levels = small_levels("phase2", 2) + small_levels("walker", 2)
    teacher, states, _ = examples_of(levels)
    assert set(states.kind.tolist()) == {0, 1}
    assert (teacher.solve(np.zeros(SIZE, np.float32), PHS, 2000) > 0).all()


def test_finished_and_empty_games():
    env = ShoverWorldEnv(rules="phase2")
    env.reset(options={"map": "BL."})
    env.step((0, 0, 1))
    assert LEARNING.plan(env, np.zeros(SIZE, np.float32), method=PHS, expansions=10, time_limit=1.0).status == "solved"
    env.reset(options={"map": "#B#\n##."})
    plan = LEARNING.plan(env, np.zeros(SIZE, np.float32), method=PHS, expansions=10, time_limit=1.0)
    assert plan.steps == 1  # up, over the edge
