"""`python -m tests.web.compare_many [STEPS]`: compare the modules with the engine for many steps of each game.

After every step, a hash of all bytes of the state (every field of every record) must be equal. The games are spread
over all presets, changed rules, packaged levels and random levels. Both sides of a comparison get the same seeds and
the same actions. The modules are also built again: with the same tools, the bytes must be equal.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.jit import kernel
from shoverworld.core.rules_text import describe_rules
from shoverworld.core.web import FIRST_KEY, WebPreset, joined_key
from shoverworld.games import game_named
from shoverworld.games.race import rules as race_rules
from shoverworld.games.shover import rules as shover_rules
from shoverworld.games.sokoban import rules as sokoban_rules
from shoverworld.web.compiler.build import build_module, tools
from shoverworld.web.compiler.linker import LinkerMissing
from shoverworld.web.description import level_data, web_of
from shoverworld.web.files import module_bytes, stored, web_games
from tests.web.host import BlockView, Module

BATCH, BATCHES = 400, 3  # actions handed to a module at once, and how often; a game may end earlier
VARIANTS = {
    "shover": [
        {"stationary": "front", "actor": "walk"}, {"stationary": "last_push", "edge": "lava", "actor": "select"},
        {"pick": "smallest", "hellify": "whole"}, {"order": "squares_first", "perf_sq_initial_age": 2},
        {"push_pays_step_cost": True, "initial_stamina": 300.0},
    ],
    "sokoban": [{"moves": "four"}, {"pull": True, "players": 2}, {"pull": True, "fixed_targets": True}, {"max_steps": 30}],
    "race": [{"penalty": 0}, {"cars": 3, "finish": "cross"}, {"cars": 5, "line": "landing"}, {"cars": 2, "max_rounds": 9}],
}  # fmt: skip


# --- The same steps in the engine


@kernel
def play_shover(state, rules, actions, keys):
    for k in range(len(keys)):
        if state.game[0].outcome != 0:
            return k
        shover_rules.step(state, 0, rules, actions[k, 0], actions[k, 1], actions[k, 2])
        key = joined_key(FIRST_KEY, state.game.view(np.uint8))
        key = joined_key(key, state.board[0].view(np.uint8))
        keys[k] = joined_key(key, state.squares[0].view(np.uint8))
    return len(keys)


@kernel
def play_sokoban(state, rules, actions, keys):
    for k in range(len(keys)):
        if state.game[0].outcome != 0:
            return k
        sokoban_rules.step(state, 0, rules, actions[k, 0])
        key = joined_key(FIRST_KEY, state.game.view(np.uint8))
        for plane in range(state.planes.shape[1]):
            key = joined_key(key, state.planes[0, plane])
        keys[k] = key
    return len(keys)


@kernel
def play_race(state, rules, actions, keys):
    for k in range(len(keys)):
        if state.game[0].outcome != 0:
            return k
        race_rules.step(state, 0, rules, actions[k, 0])
        key = joined_key(FIRST_KEY, state.game.view(np.uint8))
        keys[k] = joined_key(key, state.cars[0].view(np.uint8))
    return len(keys)


PLAY: dict[str, Callable[..., int]] = {"shover": play_shover, "sokoban": play_sokoban, "race": play_race}


# --- Games that start alike


class Pair(NamedTuple):
    """The same game in a module and in an environment, and a description of the game."""

    block: BlockView
    env: Any
    about: str


def fresh(module: Module, start: int) -> Module:
    """Free all memory of a module and fill it with zeros."""
    module.free = start
    module.bytes_at(start, module.memory.data_len(module.store) - start)[:] = 0
    return module


def rules_of(game: str) -> list[Any]:
    """Return the rules of all presets, followed by variants of the first preset."""
    presets = list(game_named(game).preset_rules.values())
    return presets + [presets[0].change(**variant) for variant in VARIANTS[game]]


def pairs(game: str) -> Iterator[Pair]:
    """Yield an endless sequence of games with all rules: two on packaged levels, then one on a random level."""
    described, module, rng, seed = game_named(game), Module(game), np.random.default_rng(1), 0
    start, levels = module.free, described.levels
    packaged = [
        pair
        for collection in levels.collections()
        for pair in zip(levels.boards(collection.name), stored(f"{game}-{collection.name}.json"), strict=True)
    ]
    while True:
        for rules in rules_of(game):
            seed += 1
            preset, env = web_preset(game, rules), described.env(rules=rules)
            board, level = packaged[int(rng.integers(len(packaged)))]
            is_random, cars = seed % 3 == 0, getattr(rules, "cars", 0)
            if is_random and cars:
                board = levels.random(described.presets[0].name, seed)
                level = level_data(described, board)
            elif is_random:
                env.reset(seed=seed)
                block = filled(fresh(module, start), preset, {})
                block.seed(seed)
                block.call("generate" if "generate" in module.functions else "reset")
                yield Pair(block, env, f"random level {seed}, {rules}")
                continue
            if cars and len(board.level.track.starts) < cars:
                continue
            env.reset(seed=seed, options=levels.options(board))
            block = filled(fresh(module, start), preset, level["dimensions"], level)
            block.seed(seed)
            block.call("reset")
            yield Pair(block, env, f"{board.name}, seed {seed}, {rules}")


def web_preset(game: str, rules: Any) -> WebPreset:
    """Return these rules as numbers. The rules need not be a preset.

    The string that describes rules omits the number of cars.
    """
    described = game_named(game)
    preset = web_of(described).preset(describe_rules(rules, described.preset_rules))
    if hasattr(rules, "cars"):
        return replace(preset, dimensions={**preset.dimensions, "cars": rules.cars})
    return preset


def filled(module: Module, preset: Any, dimensions: Any, level: Any = None) -> BlockView:
    given = {**preset.dimensions, **dimensions}
    if level is not None and "boxes" in given:
        given["boxes"] = 0
    block = module.block(given)
    block.fill(preset.arrays)
    if level is not None:
        block.fill(level["arrays"])
        if given.get("players", 1) == 2:
            block.fill(level["presets"]["two"])
    return block


def random_actions(env: Any, state: Any, rng: np.random.Generator) -> np.ndarray:
    """Return random actions, int64 (BATCH, numbers). In Shover-World, half of the actions aim at cells with a box."""
    space = env.action_space
    sizes, first = (space.nvec, space.start) if hasattr(space, "nvec") else ([space.n], [space.start])
    actions = np.stack([rng.integers(low, low + size, BATCH) for low, size in zip(first, sizes, strict=True)], axis=1)
    if actions.shape[1] == 3 and len(boxes := np.argwhere((state.grid()[0] > 0) & (state.grid()[0] < 100))):
        actions[::2, :2] = boxes[rng.integers(len(boxes), size=len(actions[::2]))]
    return actions


def compare(game: str, steps: int, seed: int = 0) -> tuple[int, int, float]:
    """Play this many steps. Return the numbers of steps and games, and the seconds that the module took."""
    rng, done, games, seconds = np.random.default_rng(seed), 0, 0, 0.0
    for block, env, about in pairs(game):
        games += 1
        state, module, keys = env.get_state(), block.module, np.zeros(BATCH, np.uint64)
        hashes = module.reserve(8 * BATCH)
        address = module.reserve(4 * 3 * BATCH)
        for _ in range(BATCHES):
            actions = random_actions(env, state, rng)
            module.bytes_at(address, 4 * actions.size).view("<i4")[:] = actions.reshape(-1)
            started = time.perf_counter()
            played = block.call("play_many", address, BATCH, hashes)
            seconds += time.perf_counter() - started
            assert played == PLAY[game](state, env.rules.numbers(), actions, keys), about
            different = np.flatnonzero(module.bytes_at(hashes, 8 * played).view("<u8") != keys[:played])
            assert len(different) == 0, f"{about}: step {different[0] + 1} of this batch differs"
            done += played
        for name, _, role in module.description["arrays"]:
            if role == "state":
                assert block[name].tobytes() == getattr(state, name).tobytes(), f"{about}: {name}"
        if done >= steps:
            break
    return done, games, seconds


def same_tools() -> bool:
    """Return whether the tools on this machine are those that built the stored modules. Other tools generate other bytes."""
    try:
        return tools() == stored("build.json")["tools"]
    except LinkerMissing:
        return False


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for game in web_games():
        if same_tools():
            assert build_module(game.name) == module_bytes(game.name), (
                f"{game.name}.wasm is out of date: run `make wasm`"
            )
        done, games, seconds = compare(game.name, steps)
        print(
            f"{game.title:<14}{done:>11,} steps in {games:,} games are equal ({done / seconds / 1e6:.1f} M steps/s in the module)"
        )


if __name__ == "__main__":
    main()
