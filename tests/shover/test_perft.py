"""Golden perft counts: how many different games exist after each number of steps, per preset, on six small boards.

`python -m tests.shover.test_perft` counts the games with both the engine and the reference engine and writes the table,
which takes minutes. The tests cover as many steps as the engine can count quickly, but only two steps with the
reference engine.
"""

import copy
import json

import pytest

from shoverworld import Map, Rules, ShoverWorldEnv
from tests.oracles.shover_twin import ShoverTwin
from tests.paths import ROOT

BOARDS = {
    "lane": "A.BB.L",
    "square": "....\n.BB.\n.B.B\nA...",
    "pit": "BBB.\nBBB.\nBBBA",
    "corner": "LB\nBA",
    "walls": "#B#\nBAB\n.L.",
    "two squares": "BB.BB\nBB.BB\nA....",
}
PRESETS = ("milestone1", "walker", "phase2")
DEPTH = 3
GOLDEN = ROOT / "tests" / "golden" / "perft.json"


def actions_of(rules: Rules, rows: int, cols: int):
    return [(row, col, rules.first_z + z) for row in range(rows) for col in range(cols) for z in range(rules.z_count)]


def engine_key(env: ShoverWorldEnv):
    """Return everything that can affect the rest of a game."""
    state = env.get_state()
    game = state.game[0]
    moving = [int(game[name]) for name in ("moving", "moving_cell", "moving_direction")] if game["moving"] else None
    ages = sorted(
        (int(s["n"]), int(s["corner"]), int(game["timestep"] - s["born"])) for s in state.squares[0, : game["squares"]]
    )
    numbers = (float(game["stamina"]), *(int(game[name]) for name in ("timestep", "row", "col", "last_push")))
    return state.grid().tobytes(), numbers, str(moving), str(ages)


def engine_counts(text: str, preset: str, depth: int) -> list[int]:
    env = ShoverWorldEnv(rules=preset)
    m = Map.parse(text)
    env.reset(options={"map": m})
    actions = actions_of(env.rules, m.rows, m.cols)
    layer, counts = {engine_key(env): env.get_state()}, []
    for _ in range(depth):
        next_layer = {}
        for state in layer.values():
            for action in actions:
                env.set_state(state)
                _, _, terminated, truncated, _ = env.step(action)
                key = (engine_key(env), terminated, truncated)
                if key not in next_layer:
                    next_layer[key] = None if terminated or truncated else env.get_state()
        counts.append(len(next_layer))
        layer = {key: state for key, state in next_layer.items() if state is not None}
    return counts


def twin_counts(text: str, preset: str, depth: int) -> list[int]:
    rules, m = Rules.preset(preset), Map.parse(text)
    actions = actions_of(rules, m.rows, m.cols)
    first = ShoverTwin(rules, rules.reward, m.grid.tolist(), m.agent)
    layer, counts = {first.key(): first}, []
    for _ in range(depth):
        next_layer = {}
        for twin in layer.values():
            for action in actions:
                child = copy.deepcopy(twin)
                _, _, terminated, truncated, _ = child.step(*action)
                next_layer.setdefault((child.key(), terminated, truncated), child)
        counts.append(len(next_layer))
        layer = {key: twin for key, twin in next_layer.items() if not (key[1] or key[2])}
    return counts


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("board", BOARDS)
def test_the_engine_agrees_with_the_golden_counts(board, preset):
    golden = json.loads(GOLDEN.read_text())[preset][board]
    depth = DEPTH if golden[1] < 100 else DEPTH - 1
    assert engine_counts(BOARDS[board], preset, depth) == golden[:depth]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("board", BOARDS)
def test_the_reference_engine_agrees_with_the_golden_counts(board, preset):
    golden = json.loads(GOLDEN.read_text())
    assert twin_counts(BOARDS[board], preset, 2) == golden[preset][board][:2]


if __name__ == "__main__":
    table = {preset: {board: twin_counts(text, preset, DEPTH) for board, text in BOARDS.items()} for preset in PRESETS}
    for preset, rows in table.items():
        for board, counts in rows.items():
            assert engine_counts(BOARDS[board], preset, DEPTH) == counts, (preset, board)
            print(f"{preset:<12}{board:<14}{counts}")
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(json.dumps(table, indent=1) + "\n")
