"""The user interface of the race in its module writes the same numbers as in the window and the terminal."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shoverworld.core.sheet import COLUMNS, Sheet, new_sheet
from shoverworld.core.sheet_reader import SheetReader
from shoverworld.core.ui import Board
from shoverworld.core.web import NO_RIM
from shoverworld.games import game_named
from shoverworld.games.race.boards import Grid, write_score
from shoverworld.games.race.draw import tiles_of
from shoverworld.games.race.phrases import PHRASES
from shoverworld.games.race.tiles import colour_of
from shoverworld.games.race.tracks import Track
from shoverworld.games.race.ui import controls, drawing, multiplayer, overlays, texts
from shoverworld.games.race.ui.position import new_faults
from shoverworld.web.description import level_data
from shoverworld.web.files import stored
from tests.web.host import BlockView, Module, level_game

GAME = game_named("race")
PRESETS = [preset.name for preset in GAME.presets]
KEY_COUNT = len(controls.PRESS_KEYS)


class Race:
    """The same race in a module and in an environment, and the same input on both sides."""

    def __init__(self, board: Any, level: dict[str, Any], preset: str, cars: int, seed: int):
        self.module = Module("race")
        self.block = level_game(self.module, preset, level, cars=cars)
        self.before = level_game(self.module, preset, level, cars=cars)
        self.landings = self.module.reserve(12 * 2000)
        self.block.seed(seed)
        assert self.block.call("reset") == 0
        self.env = GAME.env(rules=GAME.preset_rules[preset], cars=cars)
        self.env.reset(seed=seed, options={"map": board.level.track})
        self.rules, self.input = self.env.rules.numbers(), np.zeros(1, controls.INPUT)
        self.states = [self.env.get_state()]
        self.count = self.block.call("land", self.landings, 0)
        self.run = level.get("run", {}).get(preset, [])
        self.block["run"][: len(self.run)] = self.run

    @property
    def state(self) -> Any:
        return self.states[-1]

    def step(self, action: int) -> None:
        self.block.call("copy", self.before.address)
        self.block.call("step", action)
        self.env.step(action)
        self.states.append(self.env.get_state())
        self.count = self.block.call("land", self.landings, self.count)
        assert self.count == self.state.car_count + len(self.states) - 1

    def undo(self) -> None:
        """Go back one step. `landings` still contains the landing of that step."""
        self.states.pop()
        self.env.set_state(self.state)
        for name in ("game", "cars"):
            self.block[name].view(np.uint8)[:] = getattr(self.state, name).reshape(-1).view(np.uint8)
        self.count -= 1

    def check(self, name: str, arguments: tuple[int, ...], write: Callable[..., Any], *given: Any) -> int:
        """Call a function of the module and the shared function behind it. Both must write the same rows."""
        result = self.block.call(name, *arguments)
        found, expected = rows_of(self.block), new_sheet(len(self.block["sheet"]) // COLUMNS)
        write(*given, expected)
        np.testing.assert_array_equal(found, expected.rows[: expected.used[0]], f"{name} {arguments}")
        assert result in (len(found), NO_RIM)
        return len(found)

    def check_input(self, name: str, *arguments: int) -> None:
        write, given = {
            "press": (controls.write_press, arguments),
            "click": (controls.write_click, arguments),
            "drag": (controls.write_click, arguments[:2]),
        }[name]
        selected = self.input[0]
        self.check(name, arguments, write, self.state, self.rules, selected, *given, new_faults())
        assert self.block["input"].tobytes() == self.input.tobytes()

    def check_everything(self, rng: np.random.Generator) -> None:
        state, rules, faults = self.state, self.rules, new_faults()
        self.check("scene", (), drawing.write_actors, state)
        board = state.bank.board(0)
        np.testing.assert_array_equal(self.block["tiles"].reshape(board.shape), tiles_of(board))
        self.check("figures", (), texts.write_figures, state)
        self.check("ending", (), texts.write_ending, state)
        self.check("selection", (), controls.write_selection, state, rules, self.input[0], faults)
        self.check("buttons", (), multiplayer.write_buttons, state, rules, faults)
        self.check("standings", (), multiplayer.write_standings, state, [0] * state.car_count)
        self.check("score", (), write_score, state, -1)
        for player in range(state.car_count):
            self.check("player_score", (player,), write_score, state, player)
        assert self.block.call("player_to_move") == multiplayer.player_to_move(self.env, state)
        for action in rng.integers(0, 9, 2).tolist():
            self.check("describe", (action,), texts.write_description, state, rules, action, faults)
            self.check("hint", (action,), overlays.write_hint, state, action)
        cells = len(self.run) // 2
        self.check("ghost", (cells,), overlays.write_run, state, self.run, cells)
        for row, col in self.near_cells(rng, 2):
            self.check("hover", (row, col, -1), controls.write_preview, state, rules, row, col, faults)

    def check_last_step(self) -> None:
        before, after = self.states[-2:]
        motion = self.check("motion", (self.before.address,), drawing.write_motion, before, after)
        move = self.check("move", (self.before.address,), texts.write_move, before, after, self.rules)
        assert motion > 0 and move > 0

    def near_cells(self, rng: np.random.Generator, count: int) -> list[tuple[int, int]]:
        """Return random cells, most of them near the next position of the car to move."""
        car = self.state.cars[0, int(self.state.game["turn"][0])]
        here = np.array([car.row + car.drow, car.col + car.dcol])
        return [(int(row), int(col)) for row, col in here + rng.integers(-2, 3, (count, 2))]


def rows_of(block: BlockView) -> np.ndarray:
    return block["sheet"].reshape(-1, COLUMNS)[: int(block["sheet_used"][0])]


def play(race: Race, rng: np.random.Generator, steps: int) -> None:
    """Play a race with random input, and compare all functions after each step."""
    for step in range(steps):
        race.check_everything(rng)
        for _ in range(2):
            race.check_input("press", int(rng.integers(KEY_COUNT)))
        for row, col in race.near_cells(rng, 1):
            race.check_input("click", row, col)
            race.check_input("drag", row, col, int(rng.integers(4)))
        race.check("selection", (), controls.write_selection, race.state, race.rules, race.input[0], new_faults())
        if race.env.outcome is not None:
            return
        action = race.block.call("greedy", step) if rng.random() < 0.8 else int(rng.integers(9))
        race.step(action)
        race.block.call("played")
        controls.deselect(race.input[0])
        race.check_last_step()


def packaged(number: int) -> tuple[Any, dict[str, Any]]:
    return GAME.levels.boards()[number], stored("race-tracks.json")[number]


def random_level(preset: str, seed: int) -> tuple[Any, dict[str, Any]]:
    board = GAME.levels.random(preset, seed)
    return board, level_data(GAME, board)


@pytest.mark.parametrize("preset", PRESETS)
def test_races_look_and_read_alike_under_every_preset(preset):
    for seed, cars in enumerate((1, 2, 3)):
        number = PRESETS.index(preset) + 4 * seed
        play(Race(*packaged(number), preset, cars, seed), np.random.default_rng(seed), 16)


def test_races_on_random_tracks_look_and_read_alike():
    for seed, cars in ((5, 1), (6, 4)):
        play(Race(*random_level("race", seed), "race", cars, seed), np.random.default_rng(seed), 16)


@pytest.mark.parametrize("cars", [1, 3])
def test_the_end_of_a_race_looks_and_reads_alike(cars):
    race = Race(*packaged(0), "race", cars, 1)
    pick = 0
    while race.env.outcome is None and pick < 200:
        race.step(race.block.call("greedy", pick))
        pick += 1
        race.check_last_step()
    assert race.env.outcome == "finished"
    race.check_everything(np.random.default_rng(0))
    assert SheetReader(sheet_after(race.block, "score"), PHRASES).score(1) == GAME.levels.score(race.env, race.state)
    assert race.block.call("buttons") == 0 == race.block.call("selection")
    race.check_input("press", 0)
    assert "The race is over: finished." in SheetReader(sheet_of(race.block), PHRASES).text()


def sheet_after(block: BlockView, name: str, *arguments: int) -> Sheet:
    block.call(name, *arguments)
    return sheet_of(block)


def sheet_of(block: BlockView) -> Sheet:
    return Sheet(block["sheet"].reshape(-1, COLUMNS), block["sheet_used"])


def test_an_illegal_key_must_be_pressed_twice():
    race = Race(*packaged(0), "race", 1, 0)
    illegal = race.env.action_mask().tolist().index(False)
    first = SheetReader(sheet_after(race.block, "press", illegal), PHRASES).intent(1)
    assert first == controls.handler(race.env).press(race.state, controls.PRESS_KEYS[illegal])
    second = SheetReader(sheet_after(race.block, "press", illegal), PHRASES).intent(1)
    assert second is not None and second.action == illegal


def test_the_trails_of_all_players_are_those_of_the_window_even_after_an_undo():
    race, rng = Race(*packaged(4), "race", 3, 2), np.random.default_rng(0)
    for step in range(25):
        race.step(race.block.call("greedy", step) if step % 6 else int(rng.integers(9)))
        if step % 8 == 7:
            race.undo()
        marks = SheetReader(sheet_after(race.block, "trails", race.landings, race.count), PHRASES).marks()
        assert marks == multiplayer.trails(race.env, race.states)
    assert {mark.kind for mark in marks} == {"line", "dot", "frame"}


def test_trails_leave_out_the_oldest_landings_if_the_sheet_is_too_small():
    board = Board("drawn", "race", Grid(Track.parse("#####\n#S.F#\n#..##\n#####")))
    race = Race(board, level_data(GAME, board), "race", 1, 0)
    race.step(5)
    for step in range(300):  # around a square of four cells
        race.step((6, 0, 2, 8)[step % 4])
    rows, whole = len(race.block["sheet"]) // COLUMNS, multiplayer.trails(race.env, race.states)
    assert len(whole) > rows >= race.block.call("trails", race.landings, race.count) > rows - 5
    marks = SheetReader(sheet_of(race.block), PHRASES).marks()
    lines, dots = (sum(mark.kind == kind for mark in marks) for kind in ("line", "dot"))
    assert lines == dots - 1 and marks[-1] == whole[-1]


def test_the_zombie_array_and_the_colours_are_those_of_the_window():
    for number in (1, 14):  # with and without numbers on the cells
        race = Race(*packaged(number), "race", 1, 0)
        for overlay, (key, *_) in enumerate(overlays.overlays[1:], 1):
            marks = SheetReader(sheet_after(race.block, "overlay", overlay), PHRASES).marks()
            if overlay == overlays.ZOMBIES:
                assert marks == overlays.marks(key, race.env, race.state, None) != []
    for player in range(80):
        colour = race.block.call("colour", player)
        assert (colour >> 16, colour >> 8 & 255, colour & 255) == colour_of(player)


def test_the_ghost_of_a_packaged_track_is_the_ghost_of_the_window():
    for number, preset in ((3, "race"), (3, "landing"), (6, "supercover")):
        race = Race(*packaged(number), preset, 1, 0)
        race.step(race.block.call("greedy", 0))
        marks = SheetReader(sheet_after(race.block, "ghost", len(race.run) // 2), PHRASES).marks()
        assert marks == overlays.marks("b", race.env, race.state, None)


def test_the_symbol_of_an_action_is_its_key():
    race = Race(*packaged(0), "race", 1, 0)
    symbols = [SheetReader(sheet_after(race.block, "symbol", action), PHRASES).text() for action in range(9)]
    assert "".join(symbols) == "789456123"


def test_the_label_of_a_standing_contains_the_name_that_the_view_supplies():
    race = Race(*packaged(4), "race", 2, 0)
    names = ("Ann", "Bob")
    reader = SheetReader(sheet_after(race.block, "standings"), PHRASES, {"name": names})
    assert reader.figures() == multiplayer.standings(race.env, race.state, names)
