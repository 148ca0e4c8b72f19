"""The user interface of Sokoban in its WebAssembly module writes the same rows as the same functions in plain Python."""

from typing import Any

import numpy as np
import pytest

from shoverworld.core.sheet import COLUMNS, new_sheet, sheet_rows
from shoverworld.core.sheet_reader import SheetReader
from shoverworld.core.ui import Act, Board, Say, Walk
from shoverworld.games import game_named
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.overlay_rows import MOST_PUSHES
from shoverworld.games.sokoban.path_workspace import new_workspace
from shoverworld.games.sokoban.phrases import phrases
from shoverworld.games.sokoban.sentences import write_score
from shoverworld.games.sokoban.state import SokobanState
from shoverworld.games.sokoban.two_players import for_two
from shoverworld.games.sokoban.ui import input_rows, mark_rows, notation_rows, preview_rows, scene_rows, text_rows
from shoverworld.web.description import level_data
from shoverworld.web.files import stored
from tests.web.host import Module, level_game

GAME = game_named("sokoban")
PRESETS = [preset.name for preset in GAME.presets]
CHARACTERS = "lurdLURD+<+< \nx4"


class Pair:
    """A game in a module and in an environment. Every method calls a function in both and compares the rows."""

    def __init__(self, module: Module, preset: str, board: Board, level: dict[str, Any] | None = None):
        level = level or level_data(GAME, board)
        self.block = level_game(module, preset, level, boxes=0)
        self.other = level_game(module, preset, level, boxes=0)
        self.block.call("reset")
        self.env: Any = GAME.levels.environment(board, preset)
        self.env.reset(seed=0, options=GAME.levels.options(board))
        self.rules, self.chosen = self.env.rules.numbers(), np.zeros(1, input_rows.INPUT)
        self.before: SokobanState = self.env.get_state()
        self.work = new_workspace(self.before.planes.shape[2])
        self.sheet = new_sheet(sheet_rows(*self.before.size))

    @property
    def state(self) -> SokobanState:
        return self.env.get_state()

    def compare(self, name: str, numbers: tuple[int, ...], write: Any, *arguments: Any) -> SheetReader:
        """Call a function of the module, and the function that writes the same rows in Python."""
        self.sheet.used[0] = 0
        write(*arguments, self.sheet)
        expected = self.sheet.rows[: self.sheet.used[0]]
        count = self.block.call(name, *numbers)
        if name != "scene":
            assert count == len(expected), (name, numbers)
        used = self.block["sheet_used"][0]
        rows = self.block["sheet"].reshape(-1, COLUMNS)[:used]
        np.testing.assert_array_equal(rows, expected, f"{name}{numbers}")
        assert self.block["input"].tobytes() == self.chosen.tobytes(), (name, numbers)
        return SheetReader(self.sheet, phrases)

    def play(self, action: Any) -> None:
        """Play an action in both games. `other` and `before` keep the state before it."""
        self.before = self.state
        self.block.call("copy", self.other.address)
        self.block.call("step", action)
        self.env.step(action)
        input_rows.played(self.state, self.rules, self.chosen[0])
        self.block.call("played")

    def compare_views(self) -> None:
        """Compare everything that a view shows."""
        state, rules, chosen, other = self.state, self.rules, self.chosen[0], self.other.address
        tiles = np.zeros(state.planes.shape[2], np.int16)
        self.compare("scene", (), scene_rows.scene, state, tiles)
        np.testing.assert_array_equal(self.block["tiles"], tiles)
        self.compare("motion", (other,), scene_rows.motion, self.before, state)
        self.compare("move", (other,), text_rows.move, self.before, state, rules)
        self.compare("figures", (), figures, state, rules, chosen)
        self.compare("ending", (), text_rows.ending, state, rules)
        self.compare("score", (), lambda state, sheet: write_score(sheet, state), state)
        self.compare("selection", (), mark_rows.selection, state, rules, chosen, self.work)

    def compare_cell(self, row: int, col: int, toward: int) -> None:
        self.compare(
            "hover", (row, col, toward), preview_rows.hover, self.state, self.rules, self.chosen[0], row, col, toward,
            self.work,
        )  # fmt: skip

    def compare_action(self, action: int) -> None:
        state, rules = self.state, self.rules
        self.compare("describe", (action,), text_rows.describe, state, rules, action)
        self.compare("hint", (action,), mark_rows.hint, state, rules, action)
        self.compare("symbol", (action,), notation_rows.symbol, state, rules, action)

    def press(self, key: int) -> SheetReader:
        return self.compare("press", (key,), input_rows.press, self.state, self.rules, self.chosen[0], key)

    def click(self, row: int, col: int) -> SheetReader:
        arguments = self.state, self.rules, self.chosen[0], row, col, self.work
        return self.compare("click", (row, col), input_rows.click, *arguments)

    def drag(self, row: int, col: int, direction: int) -> SheetReader:
        arguments = self.state, self.rules, self.chosen[0], row, col, direction, self.work
        return self.compare("drag", (row, col, direction), input_rows.drag, *arguments)

    def letter(self, character: str) -> SheetReader:
        code = ord(character)
        return self.compare("letter", (code,), notation_rows.letter, self.state, self.rules, self.chosen[0], code)


def figures(state: SokobanState, rules: Any, chosen: Any, sheet: Any) -> None:
    text_rows.figures(state, rules, sheet)
    text_rows.input_figures(rules, chosen, sheet)


def random_input(pair: Pair, rng: np.random.Generator) -> SheetReader:
    """Press a key, click or drag somewhere (more often on a box), or read a letter."""
    rows, cols = pair.state.size
    cell = int(rng.integers(-1, rows + 1)), int(rng.integers(-1, cols + 1))
    if rng.random() < 0.5 and len(boxes := np.argwhere(pair.state.rooms()[0, 2])):
        row, col = boxes[rng.integers(len(boxes))].tolist()
        cell = row, col
    kind = rng.random()
    if kind < 0.4:
        return pair.press(int(rng.integers(-1, len(input_rows.PRESS_KEYS) + 1)))
    if kind < 0.7:
        return pair.click(*cell)
    if kind < 0.9:
        return pair.drag(*cell, int(rng.integers(4)))
    return pair.letter(CHARACTERS[rng.integers(len(CHARACTERS))])


def play_randomly(pair: Pair, rng: np.random.Generator, turns: int) -> None:
    for turn in range(turns):
        intent = random_input(pair, rng).intent(1)
        if rng.random() < 0.1:
            intent = Act(int(rng.integers(pair.env.action_space.n)))
        actions = (
            () if intent is None or isinstance(intent, Say) else intent.actions if isinstance(intent, Walk) else ()
        )
        for action in (intent.action,) if isinstance(intent, Act) else actions[:20]:
            if pair.env.outcome is None:
                pair.play(action)
        pair.compare_views()
        rows, cols = pair.state.size
        for _ in range(3):
            row, col, toward = (int(rng.integers(low, high)) for low, high in ((-1, rows + 1), (-1, cols + 1), (-1, 4)))
            pair.compare_cell(row, col, toward)
        pair.compare_action(int(rng.integers(pair.env.action_space.n)))
        if turn % 5 == 0:
            for number in range(4):
                arguments = pair.state, pair.rules, number, pair.work
                pair.compare("overlay", (number,), mark_rows.overlay, *arguments)


@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_on_packaged_levels_show_the_same_rows(preset):
    rng = np.random.default_rng(5)
    for collection, number in (("tiny", 1), ("medium", 3), ("hard", 2)):
        module = Module("sokoban")
        board = GAME.levels.boards(collection)[number]
        level = stored(f"sokoban-{collection}.json")[number]
        played = board_for(board, preset)
        play_randomly(Pair(module, preset, played, level), rng, 25)


def board_for(board: Board, preset: str) -> Board:
    """Return the board that the module plays: with a second player if the rules need one."""
    return Board(board.name, board.preset, for_two(board.level)) if preset == "two" else board


@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_in_generated_rooms_show_the_same_rows(preset):
    for seed in (1, 2):
        play_randomly(
            Pair(Module("sokoban"), preset, GAME.levels.random(preset, seed)), np.random.default_rng(seed), 30
        )


def planned(pair: Pair, plan: list[int]) -> list[str]:
    """Return the texts of the marks for a plan."""
    numbers, module = np.array(plan, np.int32), pair.block.module
    address = module.reserve(numbers.nbytes)
    module.bytes_at(address, numbers.nbytes)[:] = numbers.view(np.uint8)
    arguments = pair.state, pair.rules, numbers, pair.state.copy(), np.zeros((MOST_PUSHES, 2), np.int32)
    marks = pair.compare("plan_marks", (address, len(plan)), mark_rows.plan_marks, *arguments).marks()
    assert pair.env.state_hash() == pair.block.state_hash(), "trying a plan does not change the game"
    return [mark.text for mark in marks]


@pytest.mark.parametrize("preset", PRESETS)
def test_random_plans_have_the_same_marks(preset):
    rng, pair = np.random.default_rng(3), Pair(Module("sokoban"), preset, GAME.levels.random(preset, 4))
    texts = [planned(pair, rng.integers(pair.env.action_space.n, size=200).tolist()) for _ in range(5)]
    assert any(found and found[0].startswith("1") for found in texts)


def test_pushes_in_the_same_place_share_a_mark():
    pair = Pair(Module("sokoban"), "pull", drawn("#######\n#@$  .#\n#     #\n#######", "pull"))
    push_right, pull_left = 4, 11
    assert planned(pair, [push_right, pull_left, push_right]) == ["1, 3", "2"]


def test_a_pasted_solution_solves_the_level():
    board = GAME.levels.boards("tiny")[0]
    pair = Pair(Module("sokoban"), "sokoban", board)
    for letter in board.level.solution:
        intent = pair.letter(letter).intent(1)
        assert isinstance(intent, Act)
        assert (
            pair.compare("symbol", (intent.action,), notation_rows.symbol, pair.state, pair.rules, intent.action).text()
            == letter
        )
        pair.play(intent.action)
    assert pair.env.outcome == "solved"
    score = pair.compare("score", (), lambda state, sheet: write_score(sheet, state), pair.state).score(2)
    assert score == GAME.levels.score(pair.env, pair.state) is not None


def test_prefixes_of_letters_mark_pulls_and_the_second_player():
    pair = Pair(Module("sokoban"), "two", drawn("#######\n#@ $.@#\n#######", "two"))
    assert pair.letter("+").intent(1) is None
    intent = pair.letter("l").intent(1)
    assert intent == Act(11)  # the second player pushes to the left
    assert pair.letter("<").intent(1) is None
    assert pair.letter("r").intent(1) == Say("these rules do not allow pulling boxes")
    assert pair.letter("r").intent(1) == Act(4)
    assert pair.letter("x").intent(1) == Say("expected one of l u r d L U R D")
    alone = Pair(Module("sokoban"), "pull", drawn("#######\n#.$@  #\n#######", "pull"))
    alone.letter("<")
    assert alone.letter("r").intent(1) == Act(12)
    alone.letter("+")
    assert alone.letter("r").intent(1) == Say("these rules have only one player")


def drawn(text: str, preset: str) -> Board:
    return Board("drawn", preset, Level.parse(text))


def test_a_new_game_starts_without_a_selection():
    pair = Pair(Module("sokoban"), "sokoban", drawn("#######\n#@ $ .#\n#######", "sokoban"))
    pair.click(1, 3)
    assert pair.block["input"][0]["box"] == 10
    pair.block.call("reset")
    assert not pair.block["input"].view(np.uint8).any()


def test_a_large_labyrinth_shows_the_same_paths():
    """The search for the paths of a box on the largest board, where most turns need a flood fill."""
    rows = [["#"] * 64 for _ in range(64)]
    for row in range(1, 63):
        for col in range(1, 63):
            if row % 2 or col == (1 if row % 4 else 62):
                rows[row][col] = " "
    rows[1][1], rows[1][9], rows[61][30] = "@", "$", "."
    for row in (2, 3):
        for col in range(8, 12):
            rows[row][col] = " "
    pair = Pair(Module("sokoban"), "sokoban", drawn("\n".join(map("".join, rows)), "sokoban"))
    pair.click(1, 9)
    pair.compare("selection", (), mark_rows.selection, pair.state, pair.rules, pair.chosen[0], pair.work)
    for cell in ((1, 40), (3, 9), (61, 30), (1, 5)):
        pair.compare_cell(*cell, -1)
        pair.click(*cell)
        pair.click(1, 9)
    for number in range(4):
        pair.compare("overlay", (number,), mark_rows.overlay, pair.state, pair.rules, number, pair.work)
