"""The WebAssembly modules play the same games as the engine: every field of every record is equal after every step."""

from typing import Any

import numpy as np
import pytest

from shoverworld.core.errors import ActionError
from shoverworld.games import game_named
from shoverworld.games.race.planner.costs import NEVER, weigh_by_zombie
from shoverworld.games.race.rules import KEEP
from shoverworld.games.shover import engine
from shoverworld.games.shover.setup import reached
from shoverworld.games.sokoban.room_workspace import LENGTH
from shoverworld.games.sokoban.rooms import generate_room
from shoverworld.web.files import stored, web_games
from tests.web.compare_many import compare, rules_of
from tests.web.host import BlockView, Module, level_game, new_game

GAMES = [game.name for game in web_games()]
PRESETS = [(game.name, preset.name) for game in web_games() for preset in game.presets]
COLLECTIONS = [(game.name, one.name) for game in web_games() for one in game.levels.collections()]


def native_state(env: Any, module: Module) -> dict[str, bytes]:
    """Return the arrays of an environment's state as bytes, by name."""
    state = env.get_state()
    return {name: getattr(state, name).tobytes() for name, _, role in module.description["arrays"] if role == "state"}


def check_equal(block: BlockView, env: Any, where: str) -> None:
    """Compare every field. The bytes are compared first, because that is faster."""
    ours, theirs = block.state(), native_state(env, block.module)
    if ours == theirs:
        return
    for name in ours:
        mine = np.frombuffer(ours[name], block.module.dtypes[name])
        native = np.frombuffer(theirs[name], block.module.dtypes[name])
        for field in mine.dtype.names or [...]:
            np.testing.assert_array_equal(mine[field], native[field], f"{where}: {name} {field}")


def play_both(block: BlockView, env: Any, rng: np.random.Generator, steps: int, where: str) -> None:
    """Play random actions, most of them valid, in both games. Compare the states, the masks and the hashes."""
    check_equal(block, env, f"{where}, start")
    assert block.state_hash() == env.state_hash()
    for step in range(steps):
        mask = env.action_mask()
        np.testing.assert_array_equal(block.mask(), mask)
        valid = np.flatnonzero(mask)
        index = int(rng.choice(valid)) if len(valid) and rng.random() < 0.8 else int(rng.integers(len(mask)))
        action = env.action_of(index)
        numbers = env.parse_action(action)
        assert block.call("is_valid", *numbers) == mask[index]
        outcome = block.call("step", *numbers)
        info = env.step(action)[-1]
        check_equal(block, env, f"{where}, step {step + 1}")
        assert block.module.description["outcomes"][outcome] == env.outcome
        code = block["game"][0][block.module.description["reason_field"]]
        assert block.module.description["reasons"][code][0] == info["invalid_reason"]
        if step % 7 == 0 or env.outcome:
            assert block.state_hash() == env.state_hash()
        if env.outcome is not None:
            return


def environment(game: str, preset: str) -> Any:
    described = game_named(game)
    return described.env(rules=described.preset_rules[preset])


@pytest.mark.parametrize(("game", "collection"), COLLECTIONS)
def test_games_on_packaged_levels_agree_with_the_engine_under_every_preset(game, collection):
    module, rng = Module(game), np.random.default_rng(1)
    levels, start = game_named(game).levels, module.free
    for number, (board, stored_level) in enumerate(
        zip(levels.boards(collection), stored(f"{game}-{collection}.json"), strict=True)
    ):
        for preset in module.description["presets"] if number < 3 else [module.preset(board.preset)]:
            module.free = start
            module.bytes_at(start, module.memory.data_len(module.store) - start)[:] = 0
            block = level_game(module, preset["name"], stored_level)
            block.seed(number)
            block.call("reset")
            env = environment(game, preset["name"])
            env.reset(seed=number, options=levels.options(board))
            play_both(block, env, rng, 25, f"{board.name}, {preset['name']}")


def random_game(game: str, preset: str, seed: int) -> tuple[BlockView, Any]:
    """Return a game on a random level, in the module and in an environment with the same seed."""
    module = Module(game)
    if game == "race":
        board = game_named(game).levels.random(preset, seed)
        env = environment(game, preset)
        env.reset(seed=seed, options=game_named(game).levels.options(board))
        track = board.level.track
        block = new_game(module, preset, {"rows": track.rows, "cols": track.cols})
        block["level"][:] = track.cells.reshape(-1)
        block.seed(seed)
        block.call("reset")
        return block, env
    env = environment(game, preset)
    env.reset(seed=seed)
    block = new_game(module, preset)
    block.seed(seed)
    block.call("reset" if game == "shover" else "generate")
    return block, env


@pytest.mark.parametrize(("game", "preset"), PRESETS)
@pytest.mark.parametrize("seed", [0, 7, 2**40 + 3])
def test_games_on_random_levels_from_the_same_seed_agree_with_the_engine(game, preset, seed):
    block, env = random_game(game, preset, seed)
    play_both(block, env, np.random.default_rng(seed), 60, f"seed {seed}")


@pytest.mark.parametrize("game", GAMES)
def test_a_move_in_a_copy_does_not_change_the_original_game(game):
    block, env = random_game(game, game_named(game).presets[0].name, 5)
    other = block.module.block(
        {name: int(n) for name, n in zip(block.module.description["dimensions"], header_dimensions(block), strict=True)}
    )
    block.call("copy", other.address)
    before = block.state()
    assert other.state() == before
    action = env.valid_actions()[0]
    other.call("step", *env.parse_action(action))
    env.step(action)
    check_equal(other, env, "the copy")
    assert block.state() == before


def header_dimensions(block: BlockView) -> list[int]:
    names = block.module.description["dimensions"]
    return (
        block.module.bytes_at(block.address, block.module.description["header_bytes"])
        .view("<i4")[2 : 2 + len(names)]
        .tolist()
    )


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 2**64, 12345678901234567890123456789012345678901234567890])
def test_seeds_of_any_size_give_the_same_random_numbers_as_numpy(seed):
    block = new_game(Module("sokoban"), "sokoban", {"boxes": 0})
    block.seed(seed)
    expected = np.random.SeedSequence(seed).generate_state(3).tolist()
    assert [int(block["game"][0][name]) for name in "abc"] == expected
    assert block["game"][0]["rolls"] == 1


# --- The functions of one game


def test_previews_of_pushes_agree_with_the_engine():
    rng = np.random.default_rng(3)
    for preset in ("milestone1", "walker", "phase2"):
        block, env = random_game("shover", preset, 11)
        for _ in range(40):
            state = env.get_state()
            row, col, direction = (
                int(rng.integers(env.rules.n_rows)),
                int(rng.integers(env.rules.n_cols)),
                rng.integers(4),
            )
            expected = engine.preview_push(state, env.rules.numbers(), row, col, int(direction))
            assert block.call("preview", row, col, direction) == expected.valid
            shown = block["preview"][0]
            assert {name: shown[name].item() for name in expected._fields} == expected._asdict()
            action = env.valid_actions()[int(rng.integers(len(env.valid_actions())))]
            block.call("step", *action)
            env.step(action)
            if env.outcome is not None:
                break


def test_the_shover_can_be_placed_where_the_environment_allows_it():
    for preset in ("milestone1", "walker"):
        block, env = random_game("shover", preset, 4)
        state = env.get_state()
        start = int(state.game["row"][0]), int(state.game["col"][0])
        near = reached(state.grid()[0], start)
        assert block.call("reach") == len(near)
        marks = block["reach"].reshape(state.grid()[0].shape)
        assert {(int(row), int(col)) for row, col in np.argwhere(marks)} == near
        for row in range(-1, env.rules.n_rows + 1):
            for col in range(-1, env.rules.n_cols + 1):
                try:
                    env.place((row, col))
                    placed = 1
                except ActionError:
                    placed = 0
                assert block.call("place", row, col) == placed
                check_equal(block, env, f"place {row}, {col}")


def test_a_generated_room_comes_with_its_solution():
    block, env = random_game("sokoban", "sokoban", 21)
    letters = block.module.description["constants"]["letters"]
    moves = block["solution"][: block["room_results"][LENGTH]]
    assert "".join(letters[move] for move in moves) == generate_room(21, env.rules).solution


def test_a_generated_room_has_the_requested_minimum_difficulty():
    sokoban = game_named("sokoban")
    env = sokoban.env(rules=sokoban.preset_rules["sokoban"], min_score=150, min_pushes=12)
    env.reset(seed=9)
    block = new_game(Module("sokoban"), "sokoban")
    block["start"]["min_score"], block["start"]["min_pushes"] = 150, 12
    block.seed(9)
    assert block.call("generate") >= 150
    check_equal(block, env, "room")


@pytest.mark.parametrize("cars", [1, 2, 4])
def test_races_with_one_or_more_cars_agree_with_the_engine(cars):
    levels = game_named("race").levels
    for number, (board, level) in enumerate(zip(levels.boards()[4:8], stored("race-tracks.json")[4:8], strict=True)):
        block = level_game(Module("race"), "race", level, cars=cars)
        block.seed(number)
        assert block.call("reset") == 0
        env = game_named("race").env(rules="race", cars=cars)
        env.reset(seed=number, options={"map": board.level.track})
        play_both(block, env, np.random.default_rng(number), 150, board.name)


def test_a_race_can_start_from_given_cells_and_fails_with_too_few_start_cells():
    level = stored("race-tracks.json")[0]
    block = level_game(Module("race"), "race", level, cars=2)
    block["start"]["places"] = 1
    track = game_named("race").levels.boards()[0].level.track
    cells = [(int(x), int(y)) for y, x in np.argwhere(track.cells == 0)[:2]]
    block["places"][:] = np.array(cells).reshape(-1)
    assert block.call("reset") == 0
    env = game_named("race").env(rules="race", cars=2)
    env.reset(options={"map": track, "starts": cells})
    for name in "abc":
        block["game"][name] = env.get_state().game[name]
    block["game"]["rolls"] = env.get_state().game["rolls"]
    check_equal(block, env, "given cells")
    crowded = level_game(Module("race"), "race", level, cars=100)
    assert crowded.call("reset") == -1


def test_the_greedy_agent_and_the_distances_agree_with_the_engine():
    levels, costs, rng = game_named("race").levels, np.zeros(9, np.int64), np.random.default_rng(2)
    for board, level in zip(levels.boards(), stored("race-tracks.json"), strict=True):
        block = level_game(Module("race"), "race", level)
        block.seed(1)
        block.call("reset")
        env = environment("race", "race")
        env.reset(seed=1, options={"map": board.level.track})
        assert block["distance"].tolist() == board.level.track.distance.reshape(-1).tolist()
        for pick in range(30):
            weigh_by_zombie(env.get_state(), 0, env.rules.numbers(), costs)
            best = np.flatnonzero((costs == costs.min()) & (costs < NEVER)).tolist()
            action = block.call("greedy", pick)
            assert action == (best[pick % len(best)] if best else KEEP)
            assert np.flatnonzero(block["best"]).tolist() == best
            action = action if rng.random() < 0.8 else int(rng.integers(9))
            block.call("step", action)
            env.step(action)
            if env.outcome is not None:
                break


def test_an_invalid_action_is_explained_by_a_step_in_a_copy():
    block, env = random_game("shover", "walker", 2)
    copy = block.module.block(dict(zip(("rows", "cols"), header_dimensions(block), strict=True)))
    sentences = 0
    for z in range(env.rules.first_z, env.rules.first_z + env.rules.z_count):
        block.call("copy", copy.address)
        copy.call("step", 0, 0, z)
        code, sentence = block.module.description["reasons"][copy["game"][0]["reason"]]
        assert (code == "") == (env.explain((0, 0, z)) == "")
        if "{" not in sentence:
            assert env.explain((0, 0, z)) == sentence
            sentences += 1
    assert sentences > 2


@pytest.mark.parametrize("game", GAMES)
def test_many_steps_under_all_rules_agree_with_the_engine(game):
    """`make wasm-check` does the same for a million steps."""
    steps, games, _ = compare(game, 20_000)
    assert steps >= 20_000 and games >= 2 * len(rules_of(game))
