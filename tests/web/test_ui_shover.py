"""The module of Shover-World shows and does what the window shows and does: all rows of all sheets are equal.

The functions that write the sheets run as WebAssembly and as plain Python, in random games with random input.
"""

from typing import Any

import numpy as np
import pytest

from shoverworld.core import sheet as sheets
from shoverworld.core.sheet import COLUMNS, new_sheet, sheet_rows
from shoverworld.core.sheet_reader import SheetReader
from shoverworld.core.ui import Act, Board, Place
from shoverworld.games.shover.config import resolve_rules
from shoverworld.games.shover.game import GAME
from shoverworld.games.shover.maps import Map
from shoverworld.games.shover.phrases import PHRASES, REASONS
from shoverworld.games.shover.reasons import DISSOLVED, NO_BOX
from shoverworld.games.shover.state import State
from shoverworld.games.shover.ui import intents, marks, messages, notation, scenes
from shoverworld.games.shover.ui import phrases as say
from shoverworld.games.shover.ui.intents import PRESS_KEYS
from shoverworld.games.shover.ui.position import INPUT, scratch_for
from shoverworld.games.shover.web import WEB
from shoverworld.web.description import level_data
from shoverworld.web.files import stored
from tests.web.compare_many import filled
from tests.web.host import BlockView, Module

PRESETS = [preset.name for preset in GAME.presets]
OTHER_RULES = (
    "milestone1, edge=lava, stationary=front, push_pays_step_cost=true, perf_sq_initial_age=2, step_cost=0.5",
    "walker, stationary=contact, hellify=whole, perf_sq_initial_age=3, initial_stamina=200",
    "phase2, edge=wall, pick=smallest, order=squares_first, unit_force=2.5, perf_sq_initial_age=0",
)


class Both:
    """A game in the module and in an environment, with the input that a player has given to both."""

    def __init__(self, block: BlockView, env: Any, rng: np.random.Generator):
        self.block, self.env, self.rng = block, env, rng
        words = block.module.bytes_at(block.address, 16).view("<i4")
        self.rows, self.cols = int(words[2]), int(words[3])
        self.before = block.module.block({"rows": self.rows, "cols": self.cols})
        self.remember()
        self.rules = env.rules.numbers()
        self.input = np.zeros(1, INPUT)
        self.kinds: set[int] = set()  # the kinds of all rows
        self.phrases: set[int] = set()  # the phrases of all texts

    @property
    def state(self) -> State:
        return self.env.get_state()

    def compare(self, name: str, arguments: tuple[int, ...], write: Any, *python: Any) -> SheetReader:
        """Call a function of the module and the function in Python. Compare the rows and what is selected."""
        sheet = new_sheet(sheet_rows(self.rows, self.cols))
        written = self.block.call(name, *arguments)
        result = write(sheet, *python)
        used = int(sheet.used[0])
        assert written == (result if name == "scene" else used), name
        rows = self.block["sheet"].reshape(-1, COLUMNS)[: int(self.block["sheet_used"][0])]
        np.testing.assert_array_equal(rows, sheet.rows[:used], f"{name}{arguments}")
        self.compare_input(name)
        self.kinds.update(rows[:, 0].astype(int).tolist())
        self.phrases.update(rows[rows[:, 0] == sheets.TEXT, 1].astype(int).tolist())
        return SheetReader(sheet, PHRASES)

    def compare_input(self, name: str) -> None:
        for field in INPUT.names or ():
            assert self.block["input"][0][field] == self.input[0][field], f"{name}: {field}"

    def compare_views(self) -> None:
        """Compare everything that a view shows without input."""
        state, rules, chosen = self.state, self.rules, self.input[0]
        tiles = np.empty(self.rows * self.cols, np.int16)
        self.compare("scene", (), scenes.write_scene, state, tiles)
        np.testing.assert_array_equal(self.block["tiles"], tiles)
        scratch, before = scratch_for(state), self.before.address
        self.compare("motion", (before,), scenes.write_motion, self.old, state, scratch.queue)
        self.compare("move", (before,), messages.write_move, self.old, state, rules)
        self.compare("figures", (), messages.write_figures, state, rules, chosen)
        self.compare("ending", (), messages.write_ending, state)
        self.compare("score", (), messages.write_result, state)
        self.compare("selection", (), marks.write_selection, chosen)
        self.compare("specials", (), intents.write_specials, state, rules, scratch)
        for number in range(len(GAME.ui.overlays.overlays)):
            self.compare("overlay", (number,), marks.write_overlay, state, rules, scratch, number)

    def random_cell(self) -> tuple[int, int]:
        """Return a cell, which may be just off the map."""
        return int(self.rng.integers(-1, self.rows + 1)), int(self.rng.integers(-1, self.cols + 1))

    def random_action(self) -> tuple[int, int, int]:
        z = int(self.rng.integers(self.env.rules.first_z, self.env.rules.first_z + self.env.rules.z_count))
        return int(self.rng.integers(self.rows)), int(self.rng.integers(self.cols)), z

    def compare_actions(self) -> None:
        """Compare the descriptions of a random action, and the marks of a random plan."""
        state, rules, scratch = self.state, self.rules, scratch_for(self.state)
        action = self.random_action()
        self.compare("describe", action, messages.write_instruction, state, rules, scratch, *action)
        self.compare("hint", action, marks.write_hint, state, rules, scratch, *action)
        self.compare("symbol", action, notation.write_symbol, state, rules, *action)
        self.compare("place_symbol", action[:2], notation.write_place_symbol, *action[:2])
        count = int(self.rng.integers(0, 15))
        actions = np.array([self.random_action() for _ in range(count)], np.int32).reshape(-1)
        address = self.block.module.reserve(actions.nbytes)
        self.block.module.bytes_at(address, actions.nbytes).view("<i4")[:] = actions
        self.compare("plan_marks", (address, count), marks.write_plan, state, rules, scratch, actions, count)
        self.block.module.free = address

    def act_at_random(self) -> None:
        """Play a random action, as an agent would."""
        action = self.random_action()
        if self.env.outcome is None:
            self.remember()
            self.env.step(action)
            self.block.call("step", *action)
            self.update()

    def give_input(self) -> None:
        """Hover over a cell; press a key, click or drag; and carry out the intent in both games."""
        state, rules, scratch, chosen = self.state, self.rules, scratch_for(self.state), self.input[0]
        cell, toward = self.random_cell(), int(self.rng.integers(-1, 4))
        self.compare("hover", (*cell, toward), intents.write_hover, state, rules, chosen, scratch, *cell, toward)
        kind = self.rng.random()
        if kind < 0.4:
            key = int(self.rng.integers(len(PRESS_KEYS)))
            reader = self.compare("press", (key,), intents.write_press, state, rules, chosen, key)
        elif kind < 0.8:
            cell = self.random_cell() if self.rng.random() < 0.5 else self.interesting_cell()
            reader = self.compare("click", cell, intents.write_click, state, rules, chosen, scratch, *cell)
        else:
            drag = (*self.interesting_cell(), int(self.rng.integers(4)))
            reader = self.compare("drag", drag, intents.write_drag, state, rules, chosen, *drag)
        self.play(reader)

    def interesting_cell(self) -> tuple[int, int]:
        """Return a cell with a box, or a neighbour of what is selected."""
        row, col = int(self.input[0].row), int(self.input[0].col)
        if self.input[0].box and self.rng.random() < 0.5:
            down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[int(self.rng.integers(4))]
            return row + down, col + right
        grid = self.state.grid()[0]
        boxes = np.argwhere((grid > 0) & (grid < 100))
        return tuple(int(x) for x in self.rng.choice(boxes)) if len(boxes) else (0, 0)

    def play(self, reader: SheetReader) -> None:
        intent: Any = reader.intent(3)
        self.remember()
        if isinstance(intent, Act):
            self.env.step(intent.action)
            self.block.call("step", *intent.action)
        elif isinstance(intent, Place):
            self.env.place(intent.cell)
            assert self.block.call("place", *intent.cell) == 1
        self.update()

    def remember(self) -> None:
        """Keep the state before a step."""
        self.old = self.state
        self.block.call("copy", self.before.address)

    def update(self) -> None:
        """Update the selection after a step or an undo."""
        self.block.call("played")
        intents.update_selection(self.state, self.rules, self.input[0])
        self.compare_input("played")

    def run(self, turns: int) -> None:
        for _ in range(turns):
            self.compare_views()
            self.compare_actions()
            self.give_input()
            if self.rng.random() < 0.2:
                self.compare_views()
                self.act_at_random()
            if self.rng.random() < 0.1:
                self.undo()
        self.compare_views()

    def undo(self) -> None:
        """Restore the state before the last step, but keep the selection, as an agent's undo does."""
        for name, _, role in self.block.module.description["arrays"]:
            if role == "state":
                self.block[name][...] = self.before[name]
        self.env.set_state(self.old)
        self.update()


def started(preset: str, seed: int, level: Any = None, board: Any = None) -> Both:
    """Return a game on a packaged level or, without a level, on a random map."""
    module = Module("shover")
    rules = resolve_rules(preset)
    dimensions = {"rows": rules.n_rows, "cols": rules.n_cols} if level is None else level["dimensions"]
    block = filled(module, WEB.preset(preset), dimensions, level)
    block.seed(seed)
    block.call("reset")
    env = GAME.env(rules=rules)
    env.reset(seed=seed, options={} if board is None else GAME.levels.options(board))
    return Both(block, env, np.random.default_rng(seed))


YARD = """
    A . . . . . . . # B #
    . B B . B B B . . # .
    . B B . B B B . B B .
    . . . . B B B . B B .
    . B B . . . . . . . .
    . B B . L . B B . . .
    . . . . . . B B . . .
"""


def test_games_with_many_squares_look_the_same_and_answer_the_same():
    """The squares dissolve, are used and run out, and the games end in every way."""
    board = Board("yard", "milestone1", Map.parse(YARD))
    level, phrases, kinds = level_data(GAME, board), set(), set()
    for rules in (
        "milestone1, max_timestep=4, perf_sq_initial_age=3",
        "walker, perf_sq_initial_age=2, initial_stamina=60",
        "phase2, perf_sq_initial_age=4, hellify=whole, initial_stamina=110",
        "phase2, order=squares_first, perf_sq_initial_age=1",
    ):
        for seed in range(3):
            game = started(rules, seed, level, board)
            game.run(12)
            phrases |= game.phrases
            kinds |= game.kinds
    assert kinds >= {sheets.SPECIAL, sheets.TILE, sheets.MOTION}
    assert phrases >= {
        REASONS[DISSOLVED], REASONS[NO_BOX], say.AND_DISSOLVED, say.AND_MORE, say.SPECIAL_USED, say.USE_SPECIAL,
        say.USES_UP, *say.ENDINGS[2:],
    }  # fmt: skip


@pytest.mark.parametrize("rules", [*PRESETS, *OTHER_RULES])
def test_games_on_random_maps_look_the_same_and_answer_the_same(rules):
    kinds = set()
    for seed in range(3):
        game = started(rules, seed)
        game.run(25)
        kinds |= game.kinds
    assert kinds >= {sheets.ACT, sheets.SAY, sheets.MARK, sheets.MOTION, sheets.MOVE}


@pytest.mark.parametrize("preset", PRESETS)
def test_games_on_packaged_levels_look_the_same_and_answer_the_same(preset):
    boards, levels = GAME.levels.boards(), stored("shover-lessons.json")
    for number, (board, level) in enumerate(zip(boards, levels, strict=True)):
        started(preset, number, level, board).run(4)
