"""Replays are recorded, written, read and played again; an edited replay is rejected at the right step."""

import io
import os
import re
import struct
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from shoverworld import ActionError, FlatActions, Map, Reward, Rules, ShoverWorldEnv, ShoverWorldError, bundled, solve
from shoverworld.core.compiled_env import RNG_FIELDS
from shoverworld.core.env import Event, GridEnv
from shoverworld.core.errors import NotAReplay, ReplayError
from shoverworld.core.recorder import Recorder
from shoverworld.core.replay import Move, Replay
from shoverworld.games.shover.record import state_hash
from shoverworld.games.shover.state import GAME_RECORD
from shoverworld.terminal.show import show
from tests.commands import run_shover
from tests.paths import ROOT

LEAP, WALK, SELECT = (f"shoverworld/Shover{name}-v0" for name in ("World", "Walker", "Select"))
SMALL = {"n_rows": 5, "n_cols": 6, "number_of_boxes": 8, "number_of_lavas": 2, "number_of_barriers": 1}
ODD = {
    "plain leap": (LEAP, {}),
    "plain walk": (WALK, {}),
    "plain select": (SELECT, {}),
    "tired": (LEAP, {"initial_stamina": 120.5, "unit_force": 0.1, "step_cost": 0.3, "max_timestep": 25}),
    "other reward": (SELECT, {"reward": Reward(lava=0.1, barrier=3, hellify=0.7, invalid=-0.2), "edge": "wall"}),
    "the default reward in phase2": (SELECT, {"reward": Reward(), "perf_sq_initial_age": 2}),
    "another preset under an id": (LEAP, {"rules": "walker", "stationary": "front", "noop": False}),
    "a custom Rules object": (WALK, {"rules": Rules(z_base=7, noop=True, hellify="whole", order="squares_first")}),
    "lava around a walker": (WALK, {"edge": "lava", "pick": "oldest", "barrier_stamina": 2.5, "initial_force": 1}),
}
BOARD = """
    A . . . . L
    . B B . . .
    . B B . B .
    . . . . . #
"""


def recorded(env_id, keywords, seed, moves=40, player="test"):
    """Record a random game with some placements until the game is over or `moves` actions have been played."""
    recorder = Recorder(gym.make(env_id, **{**SMALL, **keywords}))
    recorder.reset(seed=seed)
    recorder.action_space.seed(seed)
    rng = np.random.default_rng(seed)
    for number in range(moves):
        if number % 5 == 2:
            with suppress(ActionError):
                recorder.place((int(rng.integers(5)), int(rng.integers(6))))
        if recorder.step(recorder.action_space.sample())[2:4] != (False, False):
            break
    return recorder


def game():
    """Return a replay of five moves on BOARD, one of them a placement. Line 13 of the file describes the start."""
    moves = [(1, 1, 2), (1, 2, 2), ("place", 3, 0), (2, 4, 1), (1, 4, 2)]
    return Replay.of(LEAP, moves, map=BOARD.strip(), seed=3, player="test", initial_stamina=300, step_cost=2)


def rejected(text, step=None, line=None, parts=()):
    """Assert that reading or checking the replay text raises a ReplayError at this step."""
    with pytest.raises(ReplayError) as caught:
        Replay.parse(text, "game.replay").check()
    error = caught.value
    assert str(error).startswith("game.replay")
    assert error.step == step
    if line is not None:
        assert error.line == line
        assert f"line {line}" in str(error)
    for part in parts:
        assert part in str(error)
    return error


# --- record, write, read, play


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ODD)
def test_a_recorded_game_round_trips_and_passes_the_replay_check(name, seed, tmp_path):
    recorder = recorded(*ODD[name], seed)
    replay = recorder.replay(player="someone", comment="a random game", notes={"seed-of-agent": str(seed)})
    text = replay.to_text()
    again = Replay.parse(text)
    assert again == replay
    assert again.to_text() == text
    replay.write(tmp_path / "game.replay")
    assert Replay.read(tmp_path / "game.replay") == replay
    moments = list(again.play())
    assert [state_hash(moment.state) for moment in moments] == [replay.start, *(move.hash for move in replay.moves)]
    assert any(move.place for move in replay.moves)
    assert moments[-1].step == replay.steps == recorder.unwrapped.observe()[1]["timestep"]
    assert again.make().rules.change(n_rows=1, n_cols=1) == recorder.unwrapped.rules.change(n_rows=1, n_cols=1)
    # a recording of the replayed game equals the original replay
    copy = Recorder(again.make())
    copy.reset(seed=again.seed, options={"map": again.map})
    for move in again.moves:
        copy.place(move.action) if move.place else copy.step(move.action)
    assert copy.replay(player="someone", comment="a random game", notes={"seed-of-agent": str(seed)}) == replay


def test_the_end_of_a_replay_agrees_with_the_last_info_dict():
    recorder = recorded(LEAP, {"initial_stamina": 60, "max_timestep": 30}, 1)
    info = recorder.unwrapped.observe()[1]
    end = recorder.replay().end
    assert end.outcome == info["outcome"] is not None
    assert (end.figures["steps"], end.figures["stamina"]) == (info["timestep"], info["stamina"])


def test_the_configuration_contains_only_settings_that_differ_from_the_defaults():
    def config(env):
        env.reset(seed=0)
        return Recorder(env).unwrapped.recipe()

    assert config(gym.make(WALK, **SMALL)) == (WALK, {})
    assert config(gym.make(WALK, initial_stamina=5, seed=3)) == (WALK, {"initial_stamina": 5.0})
    assert config(ShoverWorldEnv(rules="phase2", edge="wall")) == (LEAP, {"rules": "phase2", "edge": "wall"})
    gym.register("mine/Dock-v0", "shoverworld.games.shover.env:ShoverWorldEnv", kwargs={"initial_stamina": 5})
    try:
        assert config(gym.make("mine/Dock-v0")) == (LEAP, {"initial_stamina": 5.0})
    finally:
        del gym.registry["mine/Dock-v0"]


def test_a_plan_can_be_converted_to_a_replay():
    dock = bundled("11-the-ring")
    plan = solve(dock, rules="phase2", time_limit=2.0)
    replay = Replay.of(SELECT, plan.actions, map=dock, player="solver")
    assert Map.parse(replay.map).grid.tolist() == dock.grid.tolist()
    assert replay.end.outcome == "cleared"
    assert replay.end.figures["stamina"] == plan.final_stamina
    assert [move.action for move in replay.moves] == [tuple(action) for action in plan.actions]
    replay.check()


def test_the_map_in_a_replay_contains_the_box_strengths_and_the_start_cell():
    replay = Replay.of(LEAP, [(0, 1, 2)], map=Map([[0, 3, 0, 7], [0, 0, 1, 0]], (1, 3)))
    assert Map.parse(replay.map) == Map([[0, 3, 0, 7], [0, 0, 1, 0]], (1, 3))
    replay.check()


def test_a_replay_file_from_another_tool_may_be_formatted_differently():
    """Comments, blank lines, Windows line endings, tabs, missing remarks and a map of numbers are accepted."""
    replay = game()
    lines = re.sub(r" *#.*", "", replay.to_text().replace("| .", "|  .")).split("\n")
    rows = [f"| {row}" for row in Map.parse(replay.map).to_text("A").strip().split("\n")]
    first = lines.index("map:") + 1
    last = lines.index("moves:")
    lines = lines[:first] + rows + lines[last:]
    lines[1:] = [line if line.startswith("|") else "\t".join(line.split("  ")) for line in lines[1:]]
    lines[4:4] = ["", "# written by hand"]
    text = "\r\n".join(lines)
    Replay.parse(text).check()


def test_a_byte_order_mark_is_accepted(tmp_path):
    path = tmp_path / "game.replay"
    path.write_bytes(b"\xef\xbb\xbf" + game().to_text().encode())
    assert Replay.read(path) == game()


def test_the_map_is_generated_from_the_seed_if_a_replay_has_no_map():
    replay = replace(Replay.of(WALK, [(0, 0, 2), (0, 0, 3)], seed=5), map="")
    assert "map:" not in replay.to_text()
    Replay.parse(replay.to_text()).check()
    rejected(replace(replay, seed=6).to_text(), step=0)
    rejected(replay.to_text().replace("seed: 5\n", ""), parts=["neither a map nor a seed"])


# --- the recorder


def test_moves_are_recorded_regardless_of_the_wrapper_that_receives_them():
    env = Recorder(FlatActions(gym.make(LEAP)))
    env.reset(seed=0, options={"map": "A.B.\n...."})
    env.step(env.env.flatten((0, 2, 2)))
    env.unwrapped.place((1, 0))
    env.unwrapped.step(((1, 1), 2))
    with pytest.raises(ActionError):
        env.place((0, 3))
    with pytest.raises(ActionError):
        env.step(10**6)
    replay = env.replay()
    assert [(move.action, move.place) for move in replay.moves] == [
        ((0, 2, 2), False),
        ((1, 0), True),
        ((1, 1, 2), False),
    ]
    replay.check()


def test_a_reset_starts_a_new_recording():
    recorder = recorded(LEAP, {}, 1)
    recorder.reset(seed=2)
    assert recorder.replay().moves == ()
    assert recorder.replay().seed == 2
    recorder.replay().check()
    recorder.reset()
    recorder.step((0, 0, 1))
    assert recorder.replay().seed is None
    recorder.replay().check()


def test_requesting_a_replay_before_the_first_reset_of_the_recorder_is_an_error():
    env = gym.make(LEAP)
    env.reset(seed=0)
    recorder = Recorder(env)
    recorder.step((0, 0, 1))
    with pytest.raises(ReplayError, match=r"call reset\(\)"):
        recorder.replay()


def test_restoring_an_earlier_state_removes_the_moves_after_it():
    """An agent may look ahead with get_state and set_state on the recorded environment."""
    recorder = Recorder(gym.make(LEAP))
    recorder.reset(options={"map": BOARD.strip()})
    recorder.step((1, 1, 2))
    here = recorder.unwrapped.get_state()
    before = recorder.replay()
    for action in [(1, 2, 2), (2, 4, 1)]:
        recorder.step(action)
    recorder.unwrapped.set_state(here)
    assert recorder.replay() == before
    recorder.step((2, 4, 1))
    assert [move.action for move in recorder.replay().moves] == [(1, 1, 2), (2, 4, 1)]
    recorder.replay().check()


def test_restoring_a_state_can_undo_the_move_that_ended_the_game():
    recorder = Recorder(gym.make(LEAP))
    recorder.reset(options={"map": "AB.L"})
    start = recorder.unwrapped.get_state()
    recorder.step((0, 1, 2))
    recorder.step((0, 2, 2))
    assert recorder.replay().end.outcome == "cleared"
    recorder.unwrapped.set_state(start)
    assert recorder.replay().end.outcome is None
    assert recorder.replay().end.figures["reward"] == 0


def test_a_game_continued_from_a_state_of_a_different_game_has_no_replay():
    elsewhere = gym.make(LEAP)
    elsewhere.reset(seed=1)
    recorder = recorded(LEAP, {}, 0)
    recorder.unwrapped.set_state(elsewhere.unwrapped.get_state())
    recorder.step((0, 0, 1))
    with pytest.raises(ReplayError, match="set_state"):
        recorder.replay()
    recorder.reset(seed=1)
    recorder.replay().check()


def test_two_recorders_produce_equal_replays_and_a_closed_recorder_stops_recording():
    env = gym.make(LEAP)
    first, second = Recorder(env), Recorder(env)
    env.reset(seed=1)
    env.step((0, 0, 1))
    kept = first.replay()
    assert kept == second.replay()
    first.close()
    env.step((0, 0, 1))
    assert first.replay() == kept
    assert len(second.replay().moves) == 2


def test_environments_from_outside_the_package_cannot_be_recorded():
    with pytest.raises(TypeError, match="Recorder"):
        Recorder(gym.make("CartPole-v1"))


# --- tampering; the line numbers refer to the replay file of `game`


def changed(old, new, count=1):
    text = game().to_text()
    assert len(re.findall(old, text, re.MULTILINE)) >= 1, text
    return re.sub(old, new, text, count=count, flags=re.MULTILINE)


def test_the_replay_is_valid_before_tampering():
    text = game().to_text()
    Replay.parse(text).check()
    assert [line[:15].rstrip() for line in text.split("\n")[12:18]] == [
        "   0  start",
        "   1  1 1 2",
        "   2  1 2 2",
        "   3  place 3 0",
        "   4  2 4 1",
        "   5  1 4 2",
    ]


# name: regular expression, replacement, expected step, expected line, part of the message (and number of replacements)
TAMPERED = {
    "an action": (r"^   2  1 2 2", "   2  1 2 3", 2, 15, "step 2: the state differs from the recorded state"),
    "an action after a placement": (r"^   4  2 4 1", "   4  2 4 2", 3, 17, "step 3 (move 4): the state differs"),
    "an action outside the space": (r"^   4  2 4 1", "   4  2 4 9", 3, 17, "outside the action space"),
    "an action with too few numbers": (r"^   4  2 4 1", "   4  2 4  ", 3, 17, "outside the action space"),
    "no action": (r"^   4  2 4 1", "   4       ", 3, 17, "expected move 4 as `4  ACTION  HASH`"),
    "a word in an action": (r"^   4  2 4 1", "   4  2 4 up", 3, 17, "expected integers"),
    "a placement": (r"place 3 0", "place 3 1", 2, 16, "placement after step 2 (move 3): the state differs"),
    "a placement onto a box": (r"place 3 0", "place 2 1", 2, 16, "not an empty cell"),
    "a placement without a position": (r"place 3 0", "place    ", 2, 16, "place followed by integers"),
    "a placement without its keyword": (r"place 3 0", "3 0      ", 3, 16, "outside the action space"),
    "a move number": (r"^   4  2 4 1", "   5  2 4 1", 3, 17, "expected move 4"),
    "a box moved": (r"^\| \.BB\.B\.", "| BB..B.", 0, None, "the start: the state differs"),
    "a cell emptied": (r"^\| \.\.\.\.\.#", "| ......", 0, None, "the start"),
    "an unknown symbol": (
        r"^\| \.\.\.\.\.#",
        "| ..x..#",
        0,
        11,
        "the map, column 3: unknown symbol 'x'; expected one of . B # L A",
    ),
    "the shover's start": (r"^\| A\.", "| .A", 0, None, "the start"),
    "a row of the map deleted": (r"^\| \.\.\.\.\.#\n", "", 0, None, "the start"),
    "the map deleted": (r"^\| .*\n", "", None, 8, "expected the rows of the map", 0),
    "the stamina": (r"initial_stamina: 300.0", "initial_stamina: 301.0", 0, None, "the start"),
    "an unknown value of a rule": (r"config.step_cost: 2.0", 'config.edge: "water"', None, None, "edge"),
    "another environment": (r"ShoverWorld-v0", "ShoverWalker-v0", 1, 14, "step 1: the state differs"),
    "an unknown environment": (r"ShoverWorld-v0", "ShoverWonder-v0", None, None, "unknown environment"),
    "a module to import": (r"env: shoverworld/", "env: os:shoverworld/", None, None, "unknown environment"),
    "the format": (r"^shoverworld replay 1", "shoverworld replay 2", None, 1, "version 2"),
    "the outcome": (r"^end: playing", "end: cleared", 4, 19, "the recorded end (cleared"),
    "the final steps": (r"steps 4", "steps 5", 4, 19, "steps 5"),
    "the final stamina": (r"(end: .*stamina) \d+", r"\1 999", 4, 19, "stamina 999"),
    "the reward": (r"reward 0.0", "reward 1.0", 4, 19, "reward 1.0"),
    "a missing figure": (r", reward 0.0", "", 4, 19, "differs from the end of the game"),
    "a duplicate value": (r"reward 0.0", "steps 4", 4, 19, "expected an outcome and values"),
    "the end deleted": (r"^end:.*\n", "", 4, None, "unexpected end of file after step 4"),
    "something after the end": (r"(^end:.*\n)", r"\1   6  0 0 1  0123456789abcdef\n", None, 20, "after the end"),
    "a line deleted": (r"^   2  .*\n", "", 1, 15, "expected move 2"),
    "a placement deleted": (r"^   3  .*\n", "", 3, 16, "expected move 3"),
    "the start deleted": (r"^   0  .*\n", "", 0, 13, "0  start  HASH"),
    "a duplicate seed": (r"^seed: 3\n", "seed: 3\nseed: 3\n", None, 6, "duplicate line `seed:`"),
    "an unknown key": (r"^seed: 3", "sed: 3", None, 5, "unknown key 'sed'"),
    "a negative seed": (r"^seed: 3", "seed: -3", None, 5, "non-negative integer"),
    "a value that is a list": (r"300\.0", "[300]", None, 4, "expected a number"),
    "a value that is not a number": (r"300\.0", "NaN", None, 4, "expected a number"),
    "an infinite value": (r"300\.0", "1e999", None, 4, "expected a number"),
    "moves without a heading": (r"^moves:\n", "", None, 12, "expected `moves:`"),
    "no environment": (r"^env: .*\n", "", None, None, "env: ID"),
    "a map from the disk": (r"^seed: 3", 'seed: 3\nconfig.map_path: "secret.txt"', None, None, "config.map_path"),
    "a window": (r"^seed: 3", 'seed: 3\nconfig.render_mode: "human"', None, None, "config.render_mode"),
    "an argument of Gymnasium": (r"^seed: 3", "seed: 3\nconfig.max_episode_steps: 2", None, None, "max_episode_steps"),
    "an argument both as one value and in parts": (
        r"^seed: 3",
        "seed: 3\nconfig.a: 1\nconfig.a.x: 1",
        None,
        7,
        "both as one",
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_is_detected_at_the_expected_step_and_line(what):
    old, new, step, line, part, *count = TAMPERED[what]
    rejected(changed(old, new, *count), step, line, [part])


@pytest.mark.parametrize(("number", "step"), list(enumerate([0, 1, 2, 2, 3, 4])))
def test_a_changed_hash_is_rejected_at_its_step(number, step):
    def other(found):
        return found[1] + ("0" if found[2] != "0" else "1") + found[3]

    text = re.sub(rf"(?m)^(   {number}  .{{14}})(.)(.{{15}})", other, game().to_text())
    error = rejected(text, step)
    assert re.search(r"\(expected hash [0-9a-f]{16}, got [0-9a-f]{16}\)", str(error))


@pytest.mark.parametrize(("place", "step"), [(0, 1), (1, 2), (3, 3), (4, 4)])
def test_a_changed_action_is_rejected_at_its_step(place, step):
    """Every seventh action in the action space is tried as a replacement for the recorded action."""
    replay = game()
    for row, col, z in list(np.ndindex(4, 6, 6))[::7]:
        move = replace(replay.moves[place], action=(row, col, z + 1))
        if move != replay.moves[place]:
            with pytest.raises(ReplayError) as caught:
                replace(replay, moves=(*replay.moves[:place], move, *replay.moves[place + 1 :])).check()
            assert caught.value.step == step


def test_swapped_moves_are_rejected_even_if_they_are_renumbered():
    lines = game().to_text().split("\n")
    lines[16], lines[17] = lines[17], lines[16]
    rejected("\n".join(lines), 3, 17, ["expected move 4"])
    lines[16], lines[17] = lines[16].replace("   5", "   4", 1), lines[17].replace("   4", "   5", 1)
    rejected("\n".join(lines), 3, 17, ["the state differs"])


def test_a_replay_with_a_deleted_step_is_rejected_even_if_the_other_steps_are_renumbered():
    replay = game()
    rejected(replace(replay, moves=replay.moves[1:]).to_text(), 1, 14)


def test_a_changed_rule_is_rejected_at_the_first_step_that_the_rule_affects():
    replay = Replay.of(LEAP, [(0, 2, 2), (0, 2, 2), (0, 0, 1), (0, 0, 1)], map="A.B...", step_cost=2)
    text = replay.to_text()
    Replay.parse(text).check()
    # the first step is a push, which incurs no step cost
    error = rejected(text.replace("step_cost: 2.0", "step_cost: 3.0"), 2)
    assert "recorded with other rules" in str(error)


def test_a_changed_reward_is_rejected_at_the_end_because_no_state_contains_the_reward():
    text = Replay.of(LEAP, [(0, 1, 2)], map="ABL", reward=Reward(lava=5)).to_text()
    rejected(text.replace("lava: 5.0", "lava: 6.0"), 1, parts=["reward 5.0", "reward 6.0"])


def test_the_seed_affects_a_replay_only_if_its_map_has_no_start_cell():
    text = game().to_text()
    Replay.parse(
        text.replace("seed: 3", "seed: 4")
    ).check()  # the map contains the start cell, so the seed has no effect
    open_map = "map:\n| ......\n| .B....\n| ......\n"
    env = gym.make(LEAP).unwrapped
    starts = {}
    for seed in range(5):
        env.reset(seed=seed, options={"map": open_map.replace("map:\n", "").replace("| ", "")})
        starts[seed] = env.state_hash()
    end = "end: playing, steps 0, stamina 1000.0, reward 0.0\n"
    head = f"shoverworld replay 1\nenv: {LEAP}\nseed: 0\n{open_map}moves:\n0 start {starts[0]}\n{end}"
    Replay.parse(head).check()
    other = next(seed for seed in starts if starts[seed] != starts[0])
    rejected(head.replace("seed: 0", f"seed: {other}"), 0)


def test_moves_after_the_end_of_the_game_are_rejected():
    replay = Replay.of(LEAP, [(0, 1, 2)], map="ABL")
    assert replay.end.outcome == "cleared"
    for move in (Move((0, 0, 2), "0" * 16), Move((0, 0), "0" * 16, place=True)):
        text = replace(replay, moves=(*replay.moves, move)).to_text()
        rejected(text, 1 if move.place else 2, parts=["the game is already over (cleared)"])


def test_a_finished_game_cannot_be_recorded_as_unfinished():
    text = Replay.of(LEAP, [(0, 1, 2)], map="ABL").to_text()
    rejected(text.replace("end: cleared", "end: playing"), 1, parts=["playing", "cleared"])


def test_a_truncated_file_is_rejected():
    text = game().to_text().rstrip("\n")
    for length in range(len(text) - len("0.0") + 1):
        with pytest.raises(ReplayError):
            Replay.parse(text[:length]).check()
    lines = text.split("\n")
    for step, kept in ((0, 13), (1, 14), (2, 15), (2, 16), (3, 17), (4, 18)):
        rejected("\n".join(lines[:kept]), step, kept, [f"unexpected end of file after step {step}"])


def test_reading_a_file_that_is_not_a_replay_raises_the_not_a_replay_error(tmp_path):
    junk = tmp_path / "junk.replay"
    junk.write_bytes(bytes(range(256)))
    (tmp_path / "empty.replay").write_bytes(b"")
    for path in (junk, tmp_path, tmp_path / "missing.replay", tmp_path / "empty.replay", "a\0b"):
        with pytest.raises(NotAReplay) as caught:
            Replay.read(path)
        assert str(caught.value).startswith(str(path))


# --- arbitrary text

PAGE = (ROOT / "docs" / "replays.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```\n(shoverworld replay.*?)```", PAGE, re.DOTALL)[1]
LINES = EXAMPLE.split("\n")
PIECES = st.one_of(
    st.sampled_from([*LINES, *" ".join(LINES).split(), "", "#", "|", "| ", "map:", "moves:", "end:", "place"]),
    st.text(max_size=12),
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(LINES)), st.integers(0, 3), st.lists(PIECES, max_size=3), st.sampled_from(["\n", " ", ""]))
def test_reading_a_broken_file_raises_a_package_error(place, gone, pieces, glue):
    lines = [*LINES[:place], glue.join(pieces), *LINES[place + gone :]]
    try:
        Replay.parse("\n".join(lines)).check()
    except ShoverWorldError as error:
        assert str(error)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_changed_character_raises_a_package_error_or_does_not_change_the_game(data):
    text = EXAMPLE
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters(codec="utf-8"))
    try:
        replay = Replay.parse(text[:place] + other + text[place + 1 :])
        replay.check()
    except ShoverWorldError:
        return
    good = Replay.parse(EXAMPLE)
    assert replay.end == good.end
    assert {replay.start, *(move.hash for move in replay.moves)} <= {good.start, *(move.hash for move in good.moves)}


@settings(max_examples=100, deadline=None)
@given(st.text(), st.text(), st.dictionaries(st.sampled_from(["a", "b-c"]), st.text()), st.integers(0, 2**130))
def test_a_replay_keeps_its_seed_and_player_and_comment_and_notes(player, comment, notes, seed):
    try:
        replay = replace(Replay.parse(EXAMPLE), player=player, comment=comment, notes=notes, seed=seed)
    except ReplayError as error:
        assert "unprintable characters" in str(error)
        return
    assert Replay.parse(replay.to_text()) == replay


# --- the hash


def documented_hash(env, last_push, moving):
    """Compute the hash from the observation and the info dict, as docs/replays.md describes."""
    obs, info = env.observe()
    numbers = [*obs["grid"].shape, *obs["agent"].tolist(), int(obs["direction"]), info["timestep"]]
    numbers += [*obs["previous_selected_position"].tolist(), *obs["previous_action"].tolist()]
    numbers += [info["number_of_boxes"], info["number_destroyed"]]
    numbers += [[None, "cleared", "exhausted", "timeout"].index(info["outcome"]), last_push]
    numbers += [info["last_action_valid"], info["chain_length"], info["initial_force_charged"]]
    numbers += [info["lava_destroyed_this_step"], *moving, len(info["square_ages"])]
    for (n, (row, col)), age in zip(info["perfect_squares_available"], info["square_ages"], strict=True):
        numbers += [n, row, col, info["timestep"] - age]
    data = b"shover 1\n" + b"".join(int(number).to_bytes(8, "little", signed=True) for number in numbers)
    data += struct.pack("<d", info["stamina"]) + bytes(cell % 256 for row in obs["grid"].tolist() for cell in row)
    return blake2b(data, digest_size=8).hexdigest()


@pytest.mark.parametrize("name", ODD)
def test_the_hash_of_a_state_equals_the_documented_hash(name):
    """Only valid actions are played, so that boxes move, burn and form squares."""
    env_id, keywords = ODD[name]
    env = gym.make(env_id, **{**SMALL, "number_of_boxes": 12, **keywords}).unwrapped
    rules = env.rules
    rng = np.random.default_rng(1)
    pushes = 0
    for seed in range(5):
        env.reset(seed=seed)
        last_push, moving = -1, [0]
        assert env.state_hash() == documented_hash(env, last_push, moving)
        for _ in range(40):
            valid = np.flatnonzero(env.action_mask())
            if env.outcome or not len(valid):
                break
            action = np.array(np.unravel_index(rng.choice(valid), env.action_space.nvec)) + env.action_space.start
            shover = env.observe()[0]["agent"].tolist()
            info = env.step(action)[4]
            row, col, z = action.tolist()
            moving = [0]
            if info["chain_length"]:
                pushes += 1
                last_push = z - rules.z_base
                down, right = [(-1, 0), (0, 1), (1, 0), (0, -1)][last_push]
                target = (shover[0] + down, shover[1] + right) if rules.actor == "walk" else (row, col)
                if count := info["chain_length"] - info["lava_destroyed_this_step"]:
                    moving = [count, target[0] + down, target[1] + right, last_push]
            assert env.state_hash() == documented_hash(env, last_push, moving)
    assert pushes > 10


def test_the_hashes_of_known_states_have_not_changed():
    """Changing these literals would change the replay format: files written earlier would be rejected."""
    assert game().start == "19aafd2f9d9b77fd"
    assert [move.hash for move in game().moves] == [
        "a52f2c75664b0798",
        "de9f4ae3a1421282",
        "46e7523671570f1b",
        "0974439e0be2b0f2",
        "6aef0f2318bc05d3",
    ]


def busy_state():
    """Return a state in which every part is used: it has two squares and moving boxes."""
    env = ShoverWorldEnv(rules="milestone1", stationary="front")
    env.reset(options={"map": "A.......\n.BB..BB.\n.BB..BB.\n........\n..BB...L"})
    env.step((4, 2, 2))
    state = env.get_state()
    assert state.game[0].squares == 2
    assert state.game[0].moving == 2
    return state


LEFT_OUT = {
    "blocks",
    "cost",
    "barrier",
    "hellified",
    "corner",
    "dissolved",
    "kind",
    "reason",
    "blocked",
    "target",
    "map",
    "shover",
    *RNG_FIELDS,
}


@pytest.mark.parametrize("name", [name for name in GAME_RECORD.names if name not in LEFT_OUT])
def test_changing_any_relevant_field_changes_the_hash(name):
    state = busy_state()
    before = state_hash(state)
    state.game[name] = ~state.game[name] if GAME_RECORD[name] == np.bool_ else state.game[name] + 1
    assert state_hash(state) != before


def test_changing_a_cell_or_a_square_changes_the_hash():
    state = busy_state()
    seen = {state_hash(state)}
    grid = state.grid()[0]
    for cell in np.ndindex(grid.shape):
        kept = grid[cell]
        grid[cell] = 7
        seen.add(state_hash(state))
        grid[cell] = kept
    for place in range(2):
        for name in ("n", "row", "col", "born"):
            state.squares[0, place][name] += 1
            seen.add(state_hash(state))
            state.squares[0, place][name] -= 1
    assert len(seen) == 1 + grid.size + 8
    tall, wide = (ShoverWorldEnv(n_rows=r, n_cols=c, number_of_boxes=0) for r, c in ((2, 3), (3, 2)))
    for env in (tall, wide):
        env.reset(options={"map": np.zeros((env.rules.n_rows, env.rules.n_cols)), "agent": (0, 0)})
    assert tall.state_hash() != wide.state_hash()


def test_changing_irrelevant_fields_does_not_change_the_hash():
    state = busy_state()
    before = state_hash(state)
    for name in RNG_FIELDS:
        state.game[name] += 1
    boards = state.board.reshape(-1, state.width)
    boards[0] = boards[-1] = boards[:, 0] = boards[:, -1] = -100
    state.squares[0, 2:] = state.squares[0, 0]  # these entries are beyond the end of the list of squares
    assert state_hash(state) == before
    state.game["moving"] = 0
    at_rest = state_hash(state)
    state.game["moving_cell"], state.game["moving_direction"] = 3, 3
    assert state_hash(state) == at_rest != before
    state.game["stamina"] = 0.0
    zero = state_hash(state)
    state.game["stamina"] = -0.0
    assert state_hash(state) == zero


def test_a_state_has_the_same_hash_regardless_of_how_it_was_reached():
    """Two pushes in either order, followed by the same third step, lead to the same state."""
    hashes = []
    for pushes in ([(0, 1, 2), (2, 1, 2)], [(2, 1, 2), (0, 1, 2)]):
        env = ShoverWorldEnv()
        env.reset(seed=len(hashes), options={"map": ".B..\nA...\n.B.."})
        for action in pushes:
            env.step(action)
        half_way = env.state_hash()
        env.step((1, 3, 1))
        hashes.append((half_way, env.state_hash()))
    assert hashes[0][0] != hashes[1][0]
    assert hashes[0][1] == hashes[1][1]


@pytest.mark.parametrize("env_id", [LEAP, WALK, SELECT])
def test_each_game_in_a_batch_has_the_same_hash_as_the_single_game(env_id):
    games = 5
    envs = gym.make_vec(
        env_id, num_envs=games, vectorization_mode="vector_entry_point", autoreset_mode="Disabled", **SMALL
    )
    single = [gym.make(env_id, **SMALL).unwrapped for _ in range(games)]
    envs.reset(seed=3)
    for i, env in enumerate(single):
        env.reset(seed=3 + i)
    envs.action_space.seed(0)
    for _ in range(30):
        state = envs.unwrapped.get_state()
        assert [state_hash(state, i) for i in range(games)] == [env.state_hash() for env in single]
        actions = envs.action_space.sample()
        envs.step(actions)
        for env, action in zip(single, actions, strict=True):
            env.step(action)


# --- a custom game, which is not part of the package


class Strip(NamedTuple):
    at: int
    taken: int


class Steps(GridEnv):
    """Move left (0) or right (1) on a strip. The map gives the length of the strip, and the goal is its last cell."""

    action_space = spaces.Discrete(2)
    observation_space = spaces.Discrete(100)

    def __init__(self, render_mode=None, stride=1):
        super().__init__(render_mode)
        self.stride = stride

    def begin(self, options, seed):
        self.goal = len(options.get("map", ".....").strip()) - 1
        self._state = Strip(0, 0)

    def apply(self, action):
        at, taken = self._state
        self._state = Strip(at + (self.stride if action else -self.stride), taken + 1)
        return Event(-0.1, self.outcome)

    def make_observation(self):
        return self._state.at

    def make_info(self, event):
        return {}

    outcome = property(lambda self: "home" if self._state.at >= self.goal else None)

    def recipe(self):
        return "shoverworld/Steps-v0", {"stride": self.stride}

    def map_text(self):
        return "." * (self.goal + 1)

    def figures(self):
        return {"steps": self._state.taken}


def test_a_custom_game_is_recorded_and_checked_like_a_built_in_game():
    gym.register("shoverworld/Steps-v0", Steps)
    try:
        replay = Replay.of("shoverworld/Steps-v0", [1, 0, 1, 1], map=".....", stride=2, player="me")
        again = Replay.parse(replay.to_text())
        assert again == replay
        assert again.end.outcome == "home"
        assert [moment.state for moment in again.play()] == [(0, 0), (2, 1), (0, 2), (2, 3), (4, 4)]
        with pytest.raises(ReplayError, match="step 2: the state differs"):
            Replay.parse(replay.to_text().replace("   2  0 ", "   2  1 ")).check()
        with pytest.raises(ActionError, match="does not support free moves"):
            Recorder(Steps()).place((0, 0))
        with pytest.raises(ReplayError, match="unexpected keyword"):
            replace(replay, config={"strid": 2}).check()
    finally:
        del gym.registry["shoverworld/Steps-v0"]


# --- untrusted replays: files and unbounded work

ROOM, TRACK = "#######\n#@ $ .#\n#######\n", "#####\n#S.F#\n#####\n"
# environment, map, line to add to the header, part of the message
CRAFTED = {
    "a track by its path": ("Race-v0", TRACK, 'config.track: "{secret}"', "config.track: "),
    "a track in this folder": ("Race-v0", TRACK, 'config.track: "secret"', "config.track is not a rule"),
    "a packaged track": ("Race-v0", TRACK, 'config.track: "01-straight"', "config.track is not a rule"),
    "the rules from a file": ("Race-v0", TRACK, 'config.rules: "{secret}"', "config.rules: "),
    "a path as a rule": ("Race-v0", TRACK, 'config.line: "{secret}"', "config.line: "),
    "a path as a part": ("Race-v0", TRACK, 'config.reward.step: "{secret}"', "config.reward: "),
    "a huge observation": ("Race-v0", TRACK, "config.view: 100000", "config.view is not a rule"),
    "levels by their path": ("Sokoban-v0", ROOM, 'config.levels: "{secret}"', "config.levels: "),
    "levels in this folder": ("Sokoban-v0", ROOM, 'config.levels: "secret"', 'config.levels must be "random"'),
    "a packaged set": ("Sokoban-v0", ROOM, 'config.levels: "easy"', 'config.levels must be "random"'),
    "a part of Boxoban": ("Sokoban-v0", ROOM, 'config.levels: "boxoban:hard"', "config.levels: "),
    "the levels of the id": ("Boxoban-Train-v0", ROOM, "note.a: b", 'config.levels must be "random"'),
    "the rules of a path": ("Sokoban-v0", ROOM, 'config.rules: "../x"', "config.rules: "),
    "a search for hard rooms": ("Sokoban-v0", ROOM, "config.min_pushes: 1000000", "config.min_pushes is not a rule"),
    "a huge picture": ("Sokoban-v0", ROOM, "config.cell_size: 100000", "config.cell_size is not a rule"),
    "a map by its path": ("ShoverWorld-v0", "A.B", 'config.map_path: "{secret}"', "config.map_path is not a setting"),
    "a map in this folder": ("ShoverWorld-v0", "A.B", 'config.map_path: "secret"', "config.map_path is not a setting"),
    "a solvable map": ("ShoverWorld-v0", "A.B", "config.solvable: true", "config.solvable is not a rule"),
    "a solvable map from the seed": ("ShoverWorld-v0", "", "config.solvable: true", "config.solvable is not a rule"),
    "the number of boxes": (
        "ShoverWorld-v0",
        "A.B",
        "config.number_of_boxes: 9",
        "config.number_of_boxes is not a rule",
    ),
    "a misspelt rule": ("ShoverWorld-v0", "A.B", "config.step_cots: 9", "did you mean step_cost?"),
    "an observation": ("ShoverWorld-v0", "A.B", 'config.observation: "rgb"', "config.observation is not a rule"),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("secret", ["text", "pipe"])
@pytest.mark.parametrize("what", CRAFTED)
def test_a_replay_cannot_refer_to_files_or_cause_unbounded_work(what, secret, tmp_path, monkeypatch):
    """The error message does not quote the file. If the file were opened, the test would wait forever for the pipe."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOVERWORLD_DATA", str(tmp_path))
    path = tmp_path / "secret"
    path.write_text("root:TOPSECRET:0:0") if secret == "text" else os.mkfifo(path)
    (tmp_path / "boxoban" / "hard").mkdir(parents=True)
    name, level, line, part = CRAFTED[what]
    rows = ["map:", *(f"| {row}" for row in level.splitlines())] if level else []
    header = ["shoverworld replay 1", f"env: shoverworld/{name}", "seed: 1", line.replace("{secret}", str(path))]
    lines = [*header, *rows, "moves:", "0 start 0123456789abcdef", "end: playing, steps 0"]
    error = rejected("\n".join(lines), parts=[part])
    assert "TOPSECRET" not in str(error)
    assert len(str(error)) < 600


@pytest.mark.parametrize(
    ("name", "keywords"),
    [
        ("ShoverWorld-v0", {"solvable": True, "n_rows": 4, "n_cols": 4, "number_of_boxes": 2}),
        ("ShoverWalker-v0", {"map_path": "12-hellify"}),
        ("Sokoban-small-v0", {"min_pushes": 5, "num_boxes": 1, "observation": "grid"}),
        ("Sokoban-v0", {"levels": "tiny", "max_steps": 50}),
        ("TwoPlayer-Sokoban-v0", {"levels": "tiny", "pull": True}),
        ("Race-v0", {"track": ["07-fork", "02-bend"], "view": 3, "cars": 2, "line": "supercover"}),
    ],
)
def test_the_recorder_writes_the_level_and_no_settings_except_the_rules(name, keywords):
    """The replay does not record how the level was chosen, so the check does not have to search for a level again."""
    env = Recorder(gym.make(f"shoverworld/{name}", **keywords))
    env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(5):
        env.step(env.action_space.sample())
    text = env.replay().to_text()
    assert "\nmap:\n| " in text
    assert not re.search(r"config\.(solvable|map_path|levels|track|min_pushes|observation|view|number_of_boxes)", text)
    Replay.parse(text).check()


# --- the documentation page and the command


def test_the_example_in_the_documentation_is_a_valid_replay():
    replay = Replay.parse(EXAMPLE)
    replay.check()
    assert replay.to_text() == EXAMPLE
    assert replay.notes and replay.config and any(move.place for move in replay.moves)


def test_the_program_in_the_documentation_runs(tmp_path):
    program = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)
    for name in ("game.replay", "plan.replay"):
        Replay.read(tmp_path / name).check()


@pytest.mark.parametrize("terminal", [True, False])
def test_every_state_is_shown_in_a_terminal_but_only_the_last_state_is_written_to_a_file(terminal):
    out = io.StringIO()
    states = [(moment.env, moment.state, f"caption {i}") for i, moment in enumerate(game().play())]
    show(iter(states), Console(file=out, force_terminal=terminal, width=100, color_system=None), 0, "a title")
    shown = [int(number) for number in re.findall(r"a title.*caption (\d)", out.getvalue())]
    assert list(dict.fromkeys(shown)) == (list(range(6)) if terminal else [5])


@pytest.fixture
def files(tmp_path):
    good, bad = tmp_path / "good.replay", tmp_path / "bad.replay"
    game().write(good)
    bad.write_text(changed(r"^   2  1 2 2", "   2  1 2 3"), encoding="utf-8")
    return good, bad


def test_the_command_reports_valid_and_rejected_replays(files):
    good, bad = files
    run = run_shover("replay", "--terminal", good, bad)
    assert run.returncode == 1
    first, second = run.stdout.splitlines()
    assert first == f"ok       {good}: unfinished, steps 4, stamina 110, reward 0, played by test"
    assert second.startswith(f"rejected {bad}, line 15: step 2: the state differs")
    run = run_shover("replay", "--quiet", good)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_the_command_shows_a_chosen_step_and_saves_a_gif(files, tmp_path):
    from PIL import Image

    run = run_shover("replay", files[0], "--step", 3, "--gif", tmp_path / "game.gif")
    assert run.returncode == 0
    assert "step 3" in run.stdout
    assert "up, chain of 2" in run.stdout
    with Image.open(tmp_path / "game.gif") as picture:
        assert picture.n_frames >= 6


def test_the_command_reports_files_that_are_not_replays_and_invalid_options(files, tmp_path):
    junk = tmp_path / "junk.replay"
    junk.write_bytes(b"\xff\xfe\0\1")
    (tmp_path / "empty").mkdir()
    run = run_shover("replay", "--terminal", tmp_path / "missing.replay", junk, tmp_path / "empty", *files)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    for path, what in (
        (tmp_path / "missing.replay", "does not exist"),
        (junk, "not UTF-8"),
        (tmp_path / "empty", "the folder contains no replays"),
    ):
        assert any(str(path) in line and what in line for line in run.stderr.splitlines())
    assert run.stdout.splitlines()[0].startswith("ok ")
    for option in (("--speed", -1), ("--step", 99), ("--gif", tmp_path)):
        run = run_shover("replay", files[0], *option)
        assert run.returncode == 2
        assert option[0][2:] in run.stderr
        assert "Traceback" not in run.stderr
