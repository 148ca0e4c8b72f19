"""Edge cases in Sokoban: time limits, impossible rooms, levels for two players, fixed targets, unusual paths."""

import random
from types import SimpleNamespace

import gymnasium as gym
import numpy as np
import pytest

from shoverworld import sokoban
from shoverworld.core.errors import LevelError, LevelNotFound, UnsolvableError
from shoverworld.games.sokoban.presets import PRESETS
from shoverworld.games.sokoban.solver import solver as solver_module
from shoverworld.sokoban import Level, SokobanEnv, duo

TWO_PLAYERS = [name for name in PRESETS if name.startswith("TwoPlayer")]
ONE = """
#######
#@ $ .#
#     #
#######
Solution: rRR
"""


def open_room(side: int, boxes: int) -> Level:
    """Return a square room without inner walls, with boxes and targets away from the walls."""
    inside = [(row, col) for row in range(2, side - 2) for col in range(2, side - 2)]
    places = random.Random(1).sample(inside, 2 * boxes)
    walls = np.pad(np.zeros((side - 2, side - 2), bool), 1, constant_values=True)
    tables = np.zeros((2, side, side), np.uint8)
    for k, place in enumerate(places):
        tables[k % 2][place] = 1
    return Level(walls, tables[0], tables[1], ((1, 1),))


# --- The solver respects its time limit


@pytest.mark.parametrize("objective", ["pushes", "moves", "any"])
def test_the_solver_checks_the_clock_more_often_if_each_position_takes_longer(monkeypatch, objective):
    seconds = iter(range(10_000))  # each call to this clock returns one second more than the previous call
    monkeypatch.setattr(solver_module, "time", SimpleNamespace(perf_counter=lambda: float(next(seconds))))
    plan = sokoban.solve(open_room(20, 30), objective, time_limit=20)
    assert (plan.status, plan.stopped_by) == ("unknown", "time")
    assert plan.expanded < 100
    assert plan.seconds < 25


def test_the_solver_rarely_checks_the_clock_if_each_position_takes_little_time(monkeypatch):
    looks = []
    monkeypatch.setattr(solver_module, "time", SimpleNamespace(perf_counter=lambda: float(bool(looks.append(1)))))
    plan = sokoban.solve(sokoban.packaged("hard")[-1])
    assert plan.proved_optimal
    assert len(looks) < plan.expanded / 100


# --- Generation gives up on impossible rooms


def test_generating_a_room_with_hundreds_of_boxes_raises_an_error():
    with pytest.raises(UnsolvableError, match="no 64 x 64 room with 300 boxes was found"):
        sokoban.generate_room(1, dim_room=(64, 64), num_boxes=300)


# --- Levels for one player in environments for two players


@pytest.mark.parametrize("levels", sokoban.packaged_names())
@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_environment_ids_for_two_players_accept_the_packaged_sets(name, levels):
    env = gym.make(f"shoverworld/{name}", levels=levels)
    batch = gym.make_vec(f"shoverworld/{name}", num_envs=3, vectorization_mode="vector_entry_point", levels=levels)
    rooms, _ = batch.reset(seed=5)
    for seed in range(3):
        observation, info = env.reset(seed=5 + seed)
        assert np.array_equal(observation, rooms[seed])
        own = sokoban.packaged(levels)[info["level"]]
        assert (
            observation[4].sum() == 1
            and not (observation[4] & (observation[0] | observation[2] | observation[3])).any()
        )
        assert np.array_equal(observation[2, : own.rows, : own.cols], own.boxes)


@pytest.mark.parametrize("levels", sokoban.packaged_names())
def test_the_first_of_two_players_can_play_the_solution_alone(levels):
    env = SokobanEnv(levels=levels, players=2, max_steps=10_000)
    with_solution = 0
    for place in range(len(sokoban.packaged(levels))):
        _, info = env.reset(options={"level": place})
        solution = info.get("solution", "")
        with_solution += bool(solution)
        for letter in solution:
            _, _, terminated, _, info = env.step("UDLRudlr".index(letter) + 1)
            assert info["last_action_valid"]
        assert not solution or terminated
    assert with_solution > 0.8 * len(sokoban.packaged(levels))


def test_the_second_player_does_not_start_on_the_path_of_the_solution(tmp_path):
    (tmp_path / "one.txt").write_text(ONE)
    expected = "#######\n#@ $ .#\n#@    #\n#######"
    for levels in (tmp_path, tmp_path / "one.txt", Level.parse(ONE), [Level.parse(ONE)]):
        env = SokobanEnv(levels=levels, players=2)
        assert env.reset()[1]["solution"] == "rRR"
        assert str(env.level) == expected
    env.reset(options={"map": ONE})
    assert str(env.level) == expected
    game = duo.parallel_env(levels=Level.parse(ONE))
    game.reset()
    assert str(game.sokoban.level) == expected


def test_the_info_contains_the_solution_if_the_second_player_is_not_in_the_way():
    env = SokobanEnv(levels=Level.parse("########\n#  @$ .#\n########\nSolution: RR"), players=2)
    _, info = env.reset()
    assert str(env.level).split("\n")[1] == "# @@$ .#" and info["solution"] == "RR"  # both players fit
    env = SokobanEnv(levels=Level.parse("########\n#  @$ .#\n########"), players=2)
    _, info = env.reset()
    assert str(env.level).split("\n")[1] == "#@ @$ .#" and "solution" not in info


def test_a_level_without_a_free_cell_for_the_second_player_raises_level_error():
    with pytest.raises(LevelError, match="level 1: there is no free cell for a second player"):
        SokobanEnv(levels=Level.parse("####\n#@*#\n####"), players=2)


# --- Fixed targets


@pytest.mark.parametrize("levels", sokoban.packaged_names())
@pytest.mark.parametrize("players", [1, 2])
def test_the_solution_in_the_info_dict_is_valid_with_fixed_targets(levels, players):
    """The boxes of a packaged room are numbered in reading order, so the packaged solution can be invalid."""
    env = SokobanEnv(levels, fixed_targets=True, players=players, max_steps=10_000)
    solved = 0
    for place, level in enumerate(sokoban.packaged(levels)):
        for options in ({"level": place}, {"map": level}):
            _, info = env.reset(options=options)
            solution, terminated = info.get("solution", ""), False
            for letter in solution:
                _, _, terminated, _, _ = env.step("UDLRudlr".index(letter) + 1)
            assert terminated == bool(solution)
            solved += terminated
    assert solved


# --- Levels


def test_an_empty_path_does_not_mean_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "one.txt").write_text(ONE)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LevelNotFound):
        sokoban.read_levels("")
    with pytest.raises(LevelNotFound):
        SokobanEnv(levels="")
    assert len(sokoban.read_levels(".")) == 1


def test_a_slice_of_a_level_collection_is_a_list(tmp_path):
    (tmp_path / "many.txt").write_text("".join(f"; {n}\n#####\n#@$.#\n#####\n\n" for n in range(9)))
    levels = SokobanEnv(levels=tmp_path).levels
    assert levels is not None
    assert [level.title for level in levels[2:8:2]] == ["2", "4", "6"]
    assert SokobanEnv(levels=levels[-2:]).levels == tuple(levels[7:])
