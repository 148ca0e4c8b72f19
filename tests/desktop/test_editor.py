"""The editor, driven by events: brushes, keys, the mouse, files, and recovery after the process is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pygame
import pytest

from shoverworld.cli import main
from shoverworld.desktop import theme
from shoverworld.desktop.dialog import Ask
from shoverworld.desktop.editor import EditorScreen
from shoverworld.desktop.help import HelpScreen
from shoverworld.desktop.level_files import AskOpen, AskSave
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.start import ready
from shoverworld.desktop.table import TableScreen
from shoverworld.games import game_named
from shoverworld.games.shover.maps import Map
from shoverworld.play.edit_session import EditSession, editor_of
from shoverworld.play.session import Session
from tests.commands import run_shover
from tests.paths import ROOT
from tests.windows import PATIENCE, driver  # noqa: F401

GAME = game_named("shover")
DOCK = "// A dock\n// rules: milestone1\n..B..\nA...L\n.....\n"


@pytest.fixture(autouse=True, scope="module")
def _compiled():
    """Compile the rules and the planner first, so that no test has to wait for the compilation."""
    session = Session(GAME, GAME.levels.read("01-first-push"))
    GAME.plan(session.env, session.state, time_limit=0.1)
    start = time.monotonic()
    while not ready(GAME):
        assert time.monotonic() - start < 4 * PATIENCE
        time.sleep(0.01)


@pytest.fixture
def dock(tmp_path) -> Path:
    path = tmp_path / "dock.txt"
    path.write_text(DOCK)
    return path


@pytest.fixture
def editor(driver, dock):  # noqa: F811
    """Open the editor on a small map."""
    return EditorDriver(driver, EditSession.open(GAME, str(dock)))


class EditorDriver:
    """An open editor and the driver that controls the window."""

    def __init__(self, driver, drawing: EditSession, size=(900, 640)):  # noqa: F811
        self.driver = driver
        driver.open(lambda app: EditorScreen(app, drawing), size)
        self.app = driver.app
        self.screen: EditorScreen = driver.app.screens[0]  # a dialog may be open on top of the editor

    @property
    def edit(self) -> EditSession:
        return self.screen.edit

    def center_of(self, row: int, col: int) -> tuple[int, int]:
        return self.screen.view.rect_of((row, col)).center

    def picture(self) -> str:
        signs = {0: ".", 10: "B", 100: "#", -100: "L"}
        kept = self.edit.draft.to_json()
        rows = [[signs.get(code, str(code)) for code in row] for row in kept["cells"]]
        if kept["start"]:
            rows[kept["start"][0]][kept["start"][1]] = "A"
        return "\n".join("".join(row) for row in rows)

    def looks_like(self, cell: tuple[int, int], tile: int) -> bool:
        self.driver.point((1, 1))
        size = self.screen.view.cell_size
        return np.array_equal(
            self.driver.pixels(self.screen.view.rect_of(cell)), GAME.ui.drawing.tile(tile, size)[..., :3]
        )

    def answer(self, words: str) -> None:
        """Click a button of the open dialog."""
        (button,) = [w for w in self.app.screen.form.widgets if getattr(w, "text", None) == words]
        self.driver.click(button.rect.center)

    @property
    def dialog_title(self) -> str | None:
        return self.app.screen.title if isinstance(self.app.screen, Ask) else None

    def fill_in(self, text: str) -> None:
        """Replace the value of the field in the open dialog."""
        self.app.screen.field.put("")
        self.driver.type(text)


# ---------------------------------------------------------------- painting


@pytest.mark.parametrize("brush", editor_of(GAME).brushes, ids=lambda brush: brush.name)
def test_every_brush_can_be_selected_by_its_key_and_by_its_button(editor, brush):
    before = editor.picture()
    editor.driver.press(brush.key)
    assert editor.screen.tool.brush == brush and editor.screen.layout.brushes[brush.name].on
    editor.driver.click(editor.center_of(2, 3))
    wanted = (
        editor_of(GAME)
        .draft_of(GAME.levels.read(editor.edit.path))
        .painted(editor.screen.tool.corner((2, 3), brush), brush.name)
    )
    assert editor.edit.draft.to_json() == wanted.to_json()
    assert (editor.picture() != before) == (brush.name != "empty")
    other = next(name for name in editor.screen.layout.brushes if name != brush.name)
    editor.driver.click(editor.screen.layout.brushes[other].rect.center)
    assert editor.screen.tool.brush.name == other
    editor.driver.click(editor.screen.layout.brushes[brush.name].rect.center)
    assert editor.screen.tool.brush == brush


def test_a_number_sets_the_strength_of_the_box_brush(editor):
    layout, tool = editor.screen.layout, editor.screen.tool
    editor.driver.press("b")
    assert (tool.brush.tile, layout.number.text) == (10, "10")
    editor.driver.press("7")
    assert (tool.brush.tile, layout.number.text) == (7, "7") and layout.brushes["box"].on
    assert layout.brushes["box"].tile == 7, "the button shows the number"
    editor.driver.click(editor.center_of(0, 0))
    editor.driver.click(layout.number_steps["higher"].rect.center)
    editor.driver.click(editor.center_of(0, 1))
    assert editor.picture().splitlines()[0] == "78B.."
    editor.driver.press("l", "b")
    assert tool.brush.tile == 8, "the brush keeps its number"
    for _ in range(12):
        editor.driver.click(layout.number_steps["lower"].rect.center)
    assert layout.number.text == "1"
    editor.driver.press("0")
    assert layout.number.text == "10"
    editor.driver.press("l")
    editor.driver.click(layout.number_steps["lower"].rect.center)
    assert (tool.brush.tile, tool.family.name) == (9, "box"), "the number belongs to the box brush"
    editor.driver.point(editor.center_of(0, 0))
    editor.driver.press("c")
    assert tool.brush.tile == 7 and layout.number.text == "7", "picking a box picks its strength"


@pytest.mark.parametrize("size", [(800, 600), (1024, 700), (1280, 800)])
def test_the_tool_buttons_show_their_keys(driver, dock, size):  # noqa: F811
    layout = EditorDriver(driver, EditSession.open(GAME, str(dock)), size).screen.layout
    tools = list(layout.tools.values())
    assert all(tool.key for tool in tools)
    for tool in tools:
        assert tool.rect.width >= theme.width_of(tool.text) + theme.width_of(tool.key, theme.SMALL) + 3 * theme.GAP
    rects = [tool.rect for tool in tools] + [layout.view.area, layout.side]
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))


def test_a_painted_cell_is_visible_in_the_same_frame(editor):
    editor.driver.press("l")
    editor.driver.hold(editor.center_of(0, 0))
    assert editor.looks_like((0, 0), -100)


def test_a_drag_paints_a_line_that_one_undo_removes(editor):
    editor.driver.press("x")
    editor.driver.drag(editor.center_of(2, 0), editor.center_of(2, 4), steps=2)  # simulates a fast mouse
    assert editor.picture() == "..B..\nA...L\n#####"
    editor.driver.press("u")
    assert editor.picture() == "..B..\nA...L\n....."
    editor.driver.press("y")
    assert editor.picture().endswith("#####")
    editor.driver.press("z", control=True)
    assert editor.picture().endswith(".....")
    editor.driver.press("y", control=True)
    assert editor.picture().endswith("#####")
    editor.driver.click(editor.screen.layout.tools["undo"].rect.center)
    assert editor.picture().endswith(".....")
    editor.driver.click(editor.screen.layout.tools["redo"].rect.center)
    assert editor.picture().endswith("#####")
    editor.driver.press("z", control=True)
    editor.driver.press("z", control=True, shift=True)
    assert editor.picture().endswith("#####")
    editor.driver.press("u", "u")
    assert "nothing to undo" in editor.app.note


def test_a_stroke_continues_when_the_pointer_returns_to_the_board(editor):
    editor.driver.press("x")
    editor.driver.hold(editor.center_of(0, 0))
    editor.driver.point((5, 5))
    editor.driver.point(editor.center_of(2, 2))
    editor.driver.release(editor.center_of(2, 3))
    assert editor.picture() == "#.B..\nA...L\n..##.", "no cell in between is painted"
    editor.driver.point(editor.center_of(1, 2))
    assert editor.picture() == "#.B..\nA...L\n..##.", "the button is released"
    editor.driver.press("u")
    assert editor.picture() == "..B..\nA...L\n....."


def test_releasing_the_button_outside_the_window_ends_the_stroke(editor):
    editor.driver.press("x")
    editor.driver.hold(editor.center_of(0, 0))
    editor.driver.down = False  # the window receives no event
    editor.driver.point(editor.center_of(0, 4))
    assert editor.picture() == "#.B..\nA...L\n....."
    editor.driver.hold(editor.center_of(2, 0))
    editor.driver.post(pygame.WINDOWFOCUSLOST)
    editor.driver.point(editor.center_of(2, 4))
    assert editor.picture() == "#.B..\nA...L\n#...."


def test_the_right_button_erases_and_the_middle_button_picks_a_brush(editor):
    editor.driver.press("x")
    editor.driver.click(editor.center_of(0, 2), button=3)
    assert editor.picture() == ".....\nA...L\n....."
    editor.driver.click(editor.center_of(1, 4), button=2)
    assert editor.screen.tool.brush.name == "lava" and editor.picture() == ".....\nA...L\n....."
    editor.driver.click(editor.center_of(1, 0), button=2)
    assert editor.screen.tool.brush.name == "shover"
    editor.driver.point(editor.center_of(2, 2))
    editor.driver.press("c")
    assert editor.screen.tool.brush.name == "empty"


def test_the_shover_brush_moves_the_shover(editor):
    editor.driver.press("a")
    editor.driver.click(editor.center_of(2, 4))
    assert editor.picture() == "..B..\n....L\n....A"
    editor.driver.press("x")
    editor.driver.click(editor.center_of(2, 4))
    assert editor.picture() == "..B..\n....L\n....#" and "no start" in str(editor.screen.layout.notes.blocks)


def test_the_square_brush_keeps_the_square_inside_the_map(editor):
    editor.driver.press("w")
    editor.driver.click(editor.center_of(2, 4))
    assert editor.picture() == "..BBB\nA.BBB\n..BBB", "the ring around the square has been cleared of boxes"
    editor.driver.press("u")
    editor.driver.drag(editor.center_of(0, 0), editor.center_of(0, 4))
    assert editor.picture() == "BBB..\nBBB.L\nBBB..", "a drag places only one square"


def test_the_wheel_and_brackets_change_the_brush(editor):
    names = [brush.name for brush in editor_of(GAME).brushes]
    editor.driver.point(editor.center_of(0, 0))
    editor.driver.press(".")
    editor.driver.wheel(-1)
    assert editor.screen.tool.brush.name == names[1]
    editor.driver.wheel(1)
    editor.driver.wheel(1)
    assert editor.screen.tool.brush.name == names[-1]
    editor.driver.press("]", "]")
    assert editor.screen.tool.brush.name == names[1]
    editor.driver.press("[")
    assert editor.screen.tool.brush.name == names[0]


def test_a_map_can_be_drawn_with_the_keyboard_alone(editor):
    editor.driver.press("l", "right", "right", "down", "space")  # the first arrow key puts the cursor on the first cell
    assert editor.picture() == "..B..\nAL..L\n....."
    editor.driver.press("up", "right", "delete")
    assert editor.picture() == ".....\nAL..L\n....."
    editor.driver.press("right", "right", "right", "right", "return")
    assert editor.picture() == "....L\nAL..L\n....."
    editor.driver.press("backspace", "left", "left", "left", "left", "left", "left", "up", "space")
    assert editor.picture() == "L....\nAL..L\n....."


# ---------------------------------------------------------------- the whole map


@pytest.mark.parametrize("key", ["c", "space", "delete", "v", "left"])
def test_a_cursor_on_a_removed_cell_is_hidden(editor, key):
    editor.driver.point(editor.center_of(1, 4))
    editor.driver.press("r")  # the 3 x 5 map becomes 5 x 3
    turned = editor.picture()
    editor.driver.press(key)
    assert editor.picture() == turned and editor.app.running


def test_keys_flip_and_rotate_the_map(editor):
    editor.driver.press("f")
    assert editor.picture() == "..B..\nL...A\n....."
    editor.driver.press("r")
    assert editor.picture() == ".L.\n...\n..B\n...\n.A."
    assert editor.screen.view.board.height > editor.screen.view.board.width
    editor.driver.click(editor.screen.layout.tools["rotate"].rect.center)
    editor.driver.click(editor.screen.layout.tools["flip"].rect.center)
    assert editor.picture() == ".....\nL...A\n..B.."
    editor.driver.press("u", "u", "u", "u")
    assert editor.picture() == "..B..\nA...L\n....."


def test_keys_and_buttons_and_fields_resize_the_map(editor):
    bench = editor.screen.layout
    editor.driver.press("right", "down", control=True)
    assert editor.picture() == "..B...\nA...L.\n......\n......"
    assert (bench.rows.text, bench.cols.text) == ("4", "6")
    editor.driver.press("left", "left", "up", control=True)
    assert editor.picture() == "..B.\nA...\n...."
    for name, size in (("more_rows", (4, 4)), ("more_cols", (4, 5)), ("fewer_rows", (3, 5)), ("fewer_cols", (3, 4))):
        editor.driver.click(bench.steps[name].rect.center)
        assert (editor.edit.draft.rows, editor.edit.draft.cols) == size
    editor.driver.click(bench.rows.rect.center)
    editor.driver.press("backspace")
    editor.driver.type("12")
    editor.driver.press("return")
    assert (editor.edit.draft.rows, editor.edit.draft.cols) == (12, 4)
    editor.driver.click(bench.cols.rect.center)
    editor.driver.type("99999")
    editor.driver.press("return")
    assert (editor.edit.draft.rows, editor.edit.draft.cols) == (12, 4) and "columns" in editor.app.note
    editor.driver.press("escape")
    editor.driver.press("u", "u")
    assert (editor.edit.draft.rows, editor.edit.draft.cols) == (3, 5)


def test_letters_typed_into_a_field_do_not_select_brushes(editor):
    editor.driver.click(editor.screen.layout.rows.rect.center)
    brush = editor.screen.tool.brush
    editor.driver.press("l", "u")
    assert editor.screen.tool.brush == brush
    editor.driver.click(editor.center_of(0, 0))
    editor.driver.press("l")
    assert editor.screen.tool.brush.name == "lava", "a click on the map removes the focus from the field"


def test_a_map_of_the_minimum_size_cannot_shrink(editor):
    editor.driver.press(*["up"] * 5, control=True)
    assert editor.edit.draft.rows == 1 and "rows" in editor.app.note and editor.app.running


def test_f2_and_the_rules_button_change_the_preset(editor):
    editor.driver.press("f2")
    assert editor.edit.preset == "walker" and editor.edit.changed
    editor.driver.click(editor.screen.layout.rules.rect.center)
    assert editor.edit.preset == "phase2"
    editor.driver.press("s", control=True)
    assert "// rules: phase2" in Path(editor.edit.path).read_text()
    editor.driver.press("f2", "u")
    assert editor.edit.preset == "phase2" and not editor.edit.changed


# ---------------------------------------------------------------- problems, test play, solving


def test_problems_are_listed_and_their_cells_are_marked(editor):
    assert "no problems" in str(editor.screen.layout.notes.blocks)
    before = editor.driver.pixels(editor.screen.view.rect_of((0, 0)))
    editor.driver.press("f2", "b")  # switch to the walker rules
    editor.driver.click(editor.center_of(0, 0))  # a box in a corner: no push can move it to the lava
    editor.driver.point((1, 1))
    assert "row 0, column 0" in str(editor.screen.layout.notes.blocks)
    assert not editor.looks_like((0, 0), 10) and not np.array_equal(
        before, editor.driver.pixels(editor.screen.view.rect_of((0, 0)))
    )
    editor.driver.click(editor.center_of(0, 4))
    assert "3 problems." in str(editor.screen.layout.notes.blocks)
    for col in (0, 2, 4, 0):
        editor.driver.press("v")
        assert editor.screen.tool.at == (0, col) and f"row 0, column {col}" in editor.app.note
    editor.driver.press("u", "u", "u", "f7")
    assert "no problems" in editor.app.note


def test_a_level_that_cannot_be_played_is_reported(editor):
    editor.driver.press(*["up"] * 2, control=True)
    editor.driver.press(*["left"] * 4, control=True)
    editor.driver.press("x", "up", "space")
    assert editor.picture() == "#"
    for key in ("t", "p"):
        editor.driver.press(key)
        assert editor.app.screen is editor.screen and "no empty cell" in editor.app.note
    editor.driver.press("s", control=True)
    assert "no empty cell" in editor.app.note and Path(editor.edit.path).read_text() == DOCK


@pytest.mark.parametrize("key", ["t", "f5"])
def test_leaving_test_play_returns_to_the_editor(editor, key):
    editor.driver.press("l")
    editor.driver.click(editor.center_of(2, 2))
    before = editor.edit.draft.to_json()
    editor.driver.press(key)
    table = editor.app.screen
    assert isinstance(table, TableScreen) and Map.parse(table.session.env.map_text()) == Map.parse(
        "..B..\nA...L\n..L.."
    )
    editor.driver.press("right")
    assert table.session.steps == 1
    editor.driver.press("escape")
    assert editor.app.screen is editor.screen and editor.edit.draft.to_json() == before and editor.edit.changed
    assert editor.looks_like((2, 2), -100)


def test_pressing_e_during_test_play_returns_to_the_editor(editor):
    editor.driver.press("t", "right", "e")
    assert editor.app.screen is editor.screen and editor.app.screens == [editor.screen]


def test_boxes_that_the_square_brush_would_remove_are_marked(editor):
    cell = editor.screen.view.rect_of((0, 2))
    editor.driver.press("q")
    before = editor.driver.pixels(cell)
    editor.driver.point(editor.center_of(1, 3))  # the ring around a square placed here would contain the box
    assert [mark.cell for mark in editor.screen.tool.marks() if mark.kind == "shade"] == [(0, 2)]
    assert not np.array_equal(before, editor.driver.pixels(cell))
    editor.driver.press("b")
    assert np.array_equal(before, editor.driver.pixels(cell)), "the box brush clears no ring"


def test_the_rim_around_the_board_depends_on_the_rules(editor):
    def left_of_the_board() -> np.ndarray:
        cell = editor.screen.view.rect_of((1, 0))
        return editor.driver.pixels(pygame.Rect(cell.left - 4, cell.centery, 3, 1))

    plain = left_of_the_board()
    editor.driver.press("f2", "f2")
    assert editor.edit.preset == "phase2" and not np.array_equal(left_of_the_board(), plain)
    editor.driver.press("f2")
    assert editor.edit.preset == "milestone1" and np.array_equal(left_of_the_board(), plain)


@pytest.mark.parametrize("size", [(640, 480), (900, 640), (1280, 800)])
def test_notes_in_the_panel_use_the_full_width(driver, dock, size):  # noqa: F811
    editor = EditorDriver(driver, EditSession.open(GAME, str(dock)), size)
    notes = editor.screen.layout.notes
    ((block, rect),) = notes.placed()
    assert "no problems" in block.text and rect.width > notes.rect.width - 40
    assert len(theme.wrapped(block.text, rect.width - theme.GAP)) == 1


def test_pressing_p_starts_the_solver_in_the_background(editor):
    editor.driver.press("p")
    editor.driver.until(lambda: "Planning" not in editor.screen.solver.text)
    assert (
        "The map can be solved: 3 steps, stamina 930" in editor.screen.solver.text
        and "no plan needs fewer steps" in editor.screen.solver.text
    )
    assert editor.screen.solver.text in str(editor.screen.layout.notes.blocks)
    editor.driver.press("l")
    editor.driver.click(editor.center_of(0, 4))
    assert editor.screen.solver.text == "", "the map has changed"


def test_the_editor_shows_the_plan_that_it_found(editor):
    def notes():
        return [block.text for block in editor.screen.layout.notes.blocks]

    assert notes() == ["There are no problems. Press T to test the map or P for a plan."]
    editor.driver.press("p")
    editor.driver.until(lambda: editor.screen.solver.text.startswith("The map can be solved"))
    editor.driver.frame()
    moves = [text.removeprefix("Plan: ") for text in notes() if text.startswith("Plan: ")]
    assert len(moves) == 1 and len(moves[0].split()) == 3 and moves[0].endswith("D")
    assert "There are no problems. Press T to test the map." in notes()


def test_the_editor_shows_changed_rules_in_full(driver, dock):  # noqa: F811
    rules = "walker, initial_force=30, unit_force=7"
    dock.write_text(f"// rules: {rules}\nA.B.L\n.....\n", encoding="utf-8")
    editor = EditorDriver(driver, EditSession.open(GAME, str(dock)))
    assert f"Rules: {rules}" in [block.text for block in editor.screen.layout.notes.blocks]


@pytest.mark.parametrize("key", ["p", "escape"])
def test_the_keys_that_stop_the_search_are_documented(key, driver):  # noqa: F811
    drawing = EditSession.of(GAME, GAME.levels.random("phase2", 4), "phase2")
    editor = EditorDriver(driver, drawing)
    driver.press("p")
    assert editor.screen.solver.busy
    assert editor.screen.solver.text.endswith("P or Esc stops the search.")
    driver.press(key)
    assert not editor.screen.solver.busy
    assert "P again or Esc stops the search" in (ROOT / "docs" / "editor.md").read_text(encoding="utf-8")


def test_an_unsolvable_map_is_reported(driver, tmp_path):  # noqa: F811
    (tmp_path / "no.txt").write_text("A.#B\n..##\n")
    editor = EditorDriver(driver, EditSession.open(GAME, str(tmp_path / "no.txt")))
    driver.click(editor.screen.layout.tools["solve"].rect.center)
    driver.until(lambda: "Planning" not in editor.screen.solver.text)
    assert "provably cannot be solved" in editor.screen.solver.text


def test_the_editor_stays_responsive_while_solving_and_can_stop_the_solver(driver):  # noqa: F811
    """The map is too large to be solved within a minute. While the solver runs, the window handles every key."""
    drawing = EditSession.of(GAME, GAME.levels.random("phase2", 4), "phase2")
    drawing.change(lambda draft: draft.resized(40, 40))
    for place in range(60):
        drawing.paint((3 + place // 6 * 3, 3 + place % 6 * 5), "box")
    editor = EditorDriver(driver, drawing)
    driver.press("p")
    assert editor.screen.solver.busy and editor.screen.layout.tools["solve"].text == "Stop"
    assert "Planning" in editor.screen.solver.text
    driver.press("l")
    assert editor.screen.tool.brush.name == "lava" and editor.screen.solver.busy
    driver.press("escape")
    assert not editor.screen.solver.busy and editor.app.screen is editor.screen and editor.app.running
    driver.press("p")
    assert editor.screen.solver.busy
    driver.click(editor.screen.layout.tools["solve"].rect.center)
    assert not editor.screen.solver.busy
    driver.press("p", "u")
    assert not editor.screen.solver.busy and editor.screen.solver.text == "", "a change stops the solver"


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("format", ["A", "B"])
def test_a_drawn_map_is_saved_and_read_back(driver, tmp_path, monkeypatch, format):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    editor = EditorDriver(driver, EditSession.blank(GAME, "walker"))
    for key, cell in (("7", (1, 1)), ("l", (2, 2)), ("x", (3, 3)), ("q", (5, 5)), ("a", (8, 8))):
        driver.press(key)
        driver.click(editor.center_of(*cell))
    driver.press("s", control=True)
    assert isinstance(editor.app.screen, AskSave) and editor.app.screen.field.text == str(tmp_path / "my-level.txt")
    assert editor.app.screen.switch.text == "Write as: symbols (B)"
    while editor.app.screen.format != format:
        driver.click(editor.app.screen.switch.rect.center)
    editor.fill_in(str(tmp_path / "drawn.txt"))
    driver.press("return")
    assert editor.app.screen is editor.screen and not editor.edit.changed and "drawn.txt" in editor.app.note
    found = Map.read(tmp_path / "drawn.txt")
    assert found.grid.tolist() == editor.edit.draft.to_json()["cells"] and found.agent == (8, 8)
    again = EditSession.open(GAME, str(tmp_path / "drawn.txt"))
    assert again.draft.to_json()["cells"] == editor.edit.draft.to_json()["cells"]
    assert (again.preset, again.format) == ("walker", format)
    driver.press("l")
    driver.click(editor.center_of(0, 0))
    driver.press("s", control=True)
    assert editor.app.screen is editor.screen, "saved to the same path as before"
    assert Map.read(tmp_path / "drawn.txt").grid[0, 0] == -100
    assert EditSession.open(GAME, str(tmp_path / "drawn.txt")).format == format


def test_replacing_a_file_requires_confirmation(editor, tmp_path):
    (tmp_path / "other.txt").write_text("mine")
    editor.driver.press("s", control=True, shift=True)
    editor.fill_in(str(tmp_path / "other.txt"))
    editor.driver.press("return")
    assert editor.dialog_title == "Replace other.txt?"
    for key in ("escape", "return"):  # neither key replaces the file, and the path can still be changed
        editor.driver.press(key)
        assert (tmp_path / "other.txt").read_text() == "mine"
        assert isinstance(editor.app.screen, AskSave) and editor.app.screen.field.text == str(tmp_path / "other.txt")
        editor.answer("Save")
    editor.answer("Replace it")
    assert editor.app.screen is editor.screen
    assert Map.read(tmp_path / "other.txt") == Map.parse(DOCK) and editor.edit.name == "other"


def test_the_path_can_be_corrected_if_saving_fails(editor, tmp_path):
    editor.driver.press("s", control=True, shift=True)
    editor.fill_in(str(tmp_path / "no" / "such" / "map.txt"))
    editor.driver.press("return")
    assert isinstance(editor.app.screen, AskSave) and "does not exist" in editor.app.note
    editor.fill_in(str(tmp_path))
    editor.driver.press("return")
    assert isinstance(editor.app.screen, AskSave) and "is a folder" in editor.app.note
    editor.driver.press("escape")
    assert editor.app.screen is editor.screen


def test_control_o_opens_another_map(editor, tmp_path):
    (tmp_path / "second.txt").write_text("// rules: phase2\nB..\n...\n")
    editor.driver.press("o", control=True)
    assert isinstance(editor.app.screen, AskOpen)
    rows = editor.app.screen.list
    assert [item.text for item in rows.items][:2] == ["dock.txt", "second.txt"]
    editor.driver.click(rows.row_rect(1).center)
    assert editor.app.screen.field.text == str(tmp_path / "second.txt")
    editor.driver.press("return")
    assert editor.app.screen is editor.screen and editor.picture() == "B..\n..." and editor.edit.preset == "phase2"
    editor.driver.press("o", control=True)
    editor.fill_in("no-such-map")
    editor.driver.press("return")
    assert isinstance(editor.app.screen, AskOpen) and "no-such-map" in editor.app.note
    editor.fill_in("01-first-push")
    editor.driver.press("return")
    assert editor.app.screen is editor.screen and editor.edit.path is None and not editor.edit.changed
    editor.driver.press("s", control=True)
    assert editor.app.screen.field.text == str(Path.cwd() / "01-first-push.txt")
    editor.driver.press("escape")
    editor.driver.drop(tmp_path / "dock.txt")
    assert editor.edit.path == str(tmp_path / "dock.txt")


# ---------------------------------------------------------------- unsaved changes


def draw_something(editor: EditorDriver) -> str:
    editor.driver.press("l")
    editor.driver.click(editor.center_of(0, 0))
    return "L.B..\nA...L\n....."


def test_escape_asks_about_unsaved_changes(editor):
    want = draw_something(editor)
    for answer in ("Cancel", "escape"):
        editor.driver.press("escape")
        assert editor.dialog_title == "Save the changes?"
        editor.answer(answer) if answer == "Cancel" else editor.driver.press(answer)
        assert editor.app.screen is editor.screen and editor.picture() == want
    editor.driver.press("escape")
    editor.answer("Save")
    assert not editor.app.running and Map.read(editor.edit.path) == Map.parse(want)


def test_discarding_changes_keeps_the_file_and_removes_the_autosave(editor, tmp_path):
    draw_something(editor)
    assert len(list((tmp_path / "home").glob("autosave-*.json"))) == 1
    editor.driver.press("escape", "d")
    assert not editor.app.running and Path(editor.edit.path).read_text() == DOCK
    editor.driver.close()
    assert list((tmp_path / "home").glob("autosave-*")) == []


def test_closing_the_window_or_pressing_control_q_asks_about_unsaved_changes(editor):
    for post in (lambda: editor.driver.post(pygame.QUIT), lambda: editor.driver.key("q", control=True)):
        if editor.app.screen is editor.screen and not editor.edit.changed:
            draw_something(editor)
        post()
        editor.driver.frame()
        assert editor.app.running and editor.dialog_title == "Save the changes?"
        editor.driver.post(pygame.QUIT)
        editor.driver.frame()
        assert editor.app.running and len(editor.app.screens) == 2, "there is only one dialog"
        editor.driver.press("escape")
        assert editor.app.screen is editor.screen
    editor.driver.post(pygame.QUIT)
    editor.driver.frame()
    editor.driver.press("return")
    assert not editor.app.running and not editor.edit.changed, "the map was saved and the window was closed"


def test_closing_the_window_asks_for_confirmation_even_while_another_screen_is_open(editor):
    draw_something(editor)
    editor.driver.press("t", "f1")
    editor.driver.post(pygame.QUIT)
    editor.driver.frame()
    assert editor.app.running and editor.dialog_title == "Save the changes?"
    editor.driver.press("escape")
    assert isinstance(editor.app.screen, TableScreen)
    editor.driver.post(pygame.QUIT)
    editor.driver.frame()
    editor.driver.press("d")
    assert not editor.app.running


def test_the_new_and_open_commands_ask_about_unsaved_changes(editor, tmp_path):
    want = draw_something(editor)
    editor.driver.press("n", control=True)
    assert editor.dialog_title == "Save the changes?"
    editor.driver.press("escape")
    assert editor.picture() == want
    (tmp_path / "second.txt").write_text("B..\n...\n")
    editor.driver.press("o", control=True)
    editor.fill_in(str(tmp_path / "second.txt"))
    editor.driver.press("return")
    assert editor.dialog_title == "Save the changes?"
    editor.driver.press("escape")
    assert editor.picture() == want and editor.app.screen is editor.screen
    editor.driver.drop(tmp_path / "second.txt")
    editor.answer("Save")
    assert editor.picture() == "B..\n..." and Map.read(tmp_path / "dock.txt") == Map.parse(want)
    editor.driver.press("n", control=True)
    assert editor.edit.path is None and editor.edit.draft.to_json() == editor_of(GAME).blank("milestone1").to_json()


def test_leaving_an_untitled_map_asks_for_a_path(driver, tmp_path):  # noqa: F811
    editor = EditorDriver(driver, EditSession.blank(GAME))
    driver.press("l")
    driver.click(editor.center_of(0, 0))
    driver.press("escape", "s")
    assert isinstance(editor.app.screen, AskSave)
    driver.press("escape")
    assert editor.app.screen is editor.screen and editor.app.running, "the editor stays open until the map is saved"
    driver.press("escape", "s")
    editor.fill_in(str(tmp_path / "named.txt"))
    driver.press("return")
    assert not editor.app.running and Map.read(tmp_path / "named.txt").grid[0, 0] == -100


def test_leaving_without_changes_needs_no_confirmation(editor):
    draw_something(editor)
    editor.driver.press("u", "escape")
    assert not editor.app.running


# ---------------------------------------------------------------- autosave


def test_every_change_that_is_visible_has_already_been_autosaved(editor, tmp_path):
    """The autosave contains each change as soon as it is visible, even in the middle of a stroke."""
    editor.driver.press("x")
    editor.driver.hold(editor.center_of(0, 0))
    for col in (1, 2, 3):
        editor.driver.point(editor.center_of(0, col))
        (file,) = (tmp_path / "home").glob("autosave-*.json")
        assert f'"cells":{editor.edit.draft.to_json()["cells"]}'.replace(" ", "") in file.read_text()


def test_a_change_is_autosaved_even_if_a_dialog_opens_in_the_same_frame(editor, tmp_path):
    """The player paints and presses Escape in the same frame. The change, visible behind the dialog, is saved."""
    editor.driver.press("x")
    editor.driver.hold(editor.center_of(0, 0), frame=False)
    editor.driver.release(frame=False)
    editor.driver.key("escape")
    editor.driver.frame()
    assert editor.dialog_title and len(list((tmp_path / "home").glob("autosave-*.json"))) == 1


def test_a_failed_autosave_is_reported(editor, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "file"))
    draw_something(editor)
    assert "cannot be autosaved" in editor.app.note and editor.app.running
    editor.driver.press("s", control=True)
    assert not editor.edit.changed


CHILD = """
import os, signal, sys
os.environ["SDL_VIDEODRIVER"] = "dummy"
import pygame
from shoverworld.desktop.app import App
from shoverworld.desktop.editor import EditorScreen
from shoverworld.play.edit_session import EditSession
from shoverworld.games import game_named
from shoverworld.play.settings import Settings

app = App(Settings(), (900, 640))
screen = EditorScreen(app, EditSession.open(game_named("shover"), sys.argv[1]))
app.go(screen)
app.frame()
pygame.event.clear()
screen.choose(sys.argv[2])
post = lambda kind, **more: pygame.event.post(pygame.event.Event(kind, **more))
start, end = (screen.view.rect_of(cell).center for cell in ((2, 1), (2, 3)))
post(pygame.MOUSEBUTTONDOWN, pos=start, button=1)
post(pygame.MOUSEMOTION, pos=end, rel=(1, 1), buttons=(1, 0, 0))
app.frame()
os.kill(os.getpid(), signal.SIGKILL)  # the button is still down
"""


def edit_and_kill(dock: Path, brush: str, home: Path) -> None:
    environment = {**os.environ, "SHOVERWORLD_HOME": str(home), "SDL_VIDEODRIVER": "dummy"}
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(dock), brush], capture_output=True, text=True, timeout=280, env=environment
    )
    assert run.returncode == -signal.SIGKILL, run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_changes_that_are_visible_survive_if_the_process_is_killed(driver, dock, tmp_path):  # noqa: F811
    edit_and_kill(dock, "barrier", tmp_path / "home")
    assert dock.read_text() == DOCK
    editor = EditorDriver(driver, EditSession.blank(GAME))
    assert editor.dialog_title == "Unsaved work was found" and str(dock) in editor.app.screen.text
    driver.press("return")
    assert editor.app.screen is editor.screen and editor.picture() == "..B..\nA...L\n.###."
    assert editor.edit.path == str(dock) and editor.edit.changed, "the restored map is still unsaved and has its path"
    driver.press("s", control=True)
    assert Map.read(dock) == Map.parse("..B..\nA...L\n.###.")
    driver.close()
    editor = EditorDriver(driver, EditSession.blank(GAME))
    assert editor.dialog_title is None, "no autosave is left to offer"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_several_autosaves_are_offered_one_by_one(driver, dock, tmp_path):  # noqa: F811
    (tmp_path / "home").mkdir()
    for brush in ("barrier", "lava", "box"):
        edit_and_kill(
            dock, brush, tmp_path / brush
        )  # in separate folders; otherwise each editor would offer the autosave of the previous one
        (left,) = (tmp_path / brush).glob("autosave-*.json")
        left.rename(tmp_path / "home" / left.name)
    editor = EditorDriver(driver, EditSession.blank(GAME))
    assert "1 of 3" in editor.app.screen.text
    editor.answer("Later")
    assert "2 of 3" in editor.app.screen.text
    editor.answer("Discard")
    editor.answer("Restore")
    assert editor.app.screen is editor.screen and editor.picture() == "..B..\nA...L\n.###."
    driver.press("escape", "d")
    driver.close()
    editor = EditorDriver(driver, EditSession.open(GAME, str(dock)))
    assert "of 3" not in editor.app.screen.text
    editor.answer("Restore")
    restored = editor.app.screen
    assert isinstance(restored, EditorScreen) and restored is not editor.screen, "it is on top of the requested map"
    assert restored.edit.draft.to_json()["cells"][2] == [0, 10, 10, 10, 0]
    driver.press("escape", "d")
    assert editor.app.screen is editor.screen and editor.app.running


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_the_menu_offers_to_recover_unsaved_work(driver, dock, tmp_path):  # noqa: F811
    edit_and_kill(dock, "barrier", tmp_path / "home")
    menu = driver.open(MenuScreen) and driver.app.screens[0]
    assert driver.app.screen.title == "Unsaved work was found"
    driver.press("return")
    assert isinstance(driver.app.screen, EditorScreen) and driver.app.screen.edit.path == str(dock)
    driver.press("escape", "s")
    assert driver.app.screen is menu and Map.read(dock) == Map.parse("..B..\nA...L\n.###.")
    driver.app.push(EditorScreen(driver.app, EditSession.blank(GAME)))
    assert isinstance(driver.app.screen, EditorScreen), "unsaved work is offered once per start"


def test_unsaved_work_from_another_game_opens_in_a_separate_editor(driver, dock):  # noqa: F811
    left = EditSession.open(GAME, str(dock))
    left.paint((0, 0), "lava")
    left.keep()
    left.release()
    editor = EditorDriver(driver, EditSession.blank(game_named("sokoban")))
    editor.answer("Restore")
    restored = driver.app.screen
    assert isinstance(restored, EditorScreen) and restored is not editor.screen
    assert restored.game is GAME and restored.edit.path == str(dock) and restored.view.game is GAME
    assert editor.screen.edit.game is editor.screen.game


def test_a_corrupt_autosave_is_reported_and_set_aside(driver, tmp_path):  # noqa: F811
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "autosave-99.json").write_text('{"autosave"')
    editor = EditorDriver(driver, EditSession.blank(GAME))
    assert editor.dialog_title is None and "corrupt-1" in editor.app.note


SAVER = """
import os, signal, sys
from shoverworld.play.edit_session import EditSession
from shoverworld.games import game_named
drawing = EditSession.open(game_named("shover"), sys.argv[1])
drawing.paint((0, 0), "lava")
really = os.replace
def replace(*paths):
    if sys.argv[2] == "after":
        really(*paths)
    os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace
drawing.save()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("when", ["before", "after"])
def test_the_file_is_complete_if_the_process_is_killed_during_saving(dock, tmp_path, monkeypatch, when):
    """The process is killed while it saves. The file contains either the complete old map or the complete new map."""
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    run = subprocess.run([sys.executable, "-c", SAVER, str(dock), when], capture_output=True, text=True, timeout=280)
    assert run.returncode == -signal.SIGKILL, run.stderr
    assert Map.read(dock) == Map.parse("..B..\nA...L\n....." if when == "before" else "L.B..\nA...L\n.....")


# ---------------------------------------------------------------- the window


def test_f1_lists_every_editor_key(editor):
    editor.driver.press("f1")
    assert isinstance(editor.app.screen, HelpScreen)
    shown = str(editor.app.screen.sections)
    for brush in editor_of(GAME).brushes:
        assert brush.about in shown
    for key in editor.screen.keys:
        if key not in ("q", "up", "down", "left", "right", "ctrl+shift+z", "f1"):
            assert f"'{key}'" in shown, key
    editor.driver.press("escape")
    assert editor.app.screen is editor.screen


def test_the_layout_adapts_to_any_window_size(editor):
    for size in ((1600, 900), (640, 480), (1100, 760), (420, 700), (320, 240)):
        editor.driver.resize(size)
        bench, view = editor.screen.layout, editor.screen.view
        assert view.board.width >= 5 and view.area.contains(view.board)
        rects = [widget.rect for widget in bench.form.widgets if widget.rect.width]
        window = pygame.Rect((0, 0), size)
        assert all(window.contains(rect) for rect in rects)
        assert all(not one.colliderect(other) for i, one in enumerate(rects) for other in rects[:i])
        assert not any(view.board.colliderect(rect) for rect in rects)
        editor.driver.press("l")
        editor.driver.click(editor.center_of(0, 0))
        assert editor.picture().startswith("L")
        editor.driver.press("u")
    for size in ((64, 64), (1, 1), (1, 64)):
        editor.screen.change_draft(lambda draft, size=size: draft.resized(*size))
        editor.driver.frame()
        assert editor.screen.view.area.contains(editor.screen.view.board)


def test_only_changed_areas_are_drawn(editor):
    editor.driver.press("x")
    editor.driver.point(editor.center_of(2, 2))
    editor.driver.frame()
    assert editor.driver.frame() == []
    editor.driver.hold(editor.center_of(2, 2))
    board = sum(rect.width * rect.height for rect in editor.driver.drawn if editor.screen.view.area.contains(rect))
    assert 0 < board <= 4 * editor.screen.view.cell_size**2


def test_leaving_an_editor_that_was_opened_from_a_game_returns_to_the_game(driver):  # noqa: F811
    board = GAME.levels.read("01-first-push")
    table = driver.open(lambda app: TableScreen(app, Session(GAME, board)))
    driver.press("e")
    assert isinstance(driver.app.screen, EditorScreen)
    assert driver.app.screen.edit.draft.to_json()["cells"] == board.level.grid.tolist()
    driver.press("escape")
    assert driver.app.screen is table


# ---------------------------------------------------------------- the command


def command(*arguments, **environment):
    no_display = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))
    return run_shover(*arguments, variables={**no_display, **environment})


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize(
    ("arguments", "instead"),
    [(["edit"], "--terminal"), (["watch", "01-first-push"], "shover watch --terminal")],
)
def test_the_error_for_a_missing_display_suggests_an_alternative(tmp_path, arguments, instead):
    run = command(*arguments, SHOVERWORLD_HOME=str(tmp_path / "home"))
    assert run.returncode == 2 and "no window" in run.stderr and instead in run.stderr
    assert "Traceback" not in run.stderr


def test_the_error_for_missing_pygame_names_the_extra_to_install(tmp_path):
    (tmp_path / "pygame.py").write_text("raise ImportError('not here')\n")
    for arguments, instead in (
        (["edit"], "shover play --terminal"),
        (["play"], "shover play --terminal"),
        (["watch", "01-first-push"], "shover watch --terminal"),
    ):
        run = command(*arguments, SHOVERWORLD_HOME=str(tmp_path / "home"), PYTHONPATH=str(tmp_path))
        assert run.returncode == 2 and "shoverworld[gui]" in run.stderr and instead in run.stderr
        assert "Traceback" not in run.stderr


def test_the_edit_command_reports_errors_before_a_window_opens(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    (tmp_path / "bad.txt").write_text("..x\n")
    for arguments, message in (
        ([str(tmp_path / "bad.txt")], "line 1, column 3"),
        (["no-such-map"], "no file, collection or level has this name"),
        ([str(tmp_path / "none" / "new.txt")], "does not exist"),
        (["--rules", "chess"], "chess"),
        (["--game", "chess"], "chess"),
    ):
        assert main(["edit", *arguments]) == 2
        assert message in capsys.readouterr().err


QUITS = """
import sys
import pygame
from shoverworld.desktop import app
frame, count = app.App.frame, [0]
def counted(self, seconds=None):
    drawn = frame(self, seconds)
    count[0] += 1
    if type(self.screen).__name__ != "StartScreen" and count[0] > 3:
        print(type(self.screen).__name__, pygame.display.get_caption()[0])
        self.quit()
    return drawn
app.App.frame = counted
from shoverworld.cli import main
from shoverworld.desktop import theme
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("arguments", "screen", "caption"),
    [
        (["edit"], "EditorScreen", "untitled"),
        (["edit", "new.txt", "--rules", "walker", "--format", "A"], "EditorScreen", "new"),
        (["edit", "12-hellify"], "EditorScreen", "12-hellify"),
        (["watch", "01-first-push", "--agent", "greedy"], "TableScreen", "First push"),
        (["replay", "game.replay"], "ViewerScreen", "game"),
    ],
)
def test_commands_open_the_expected_screen(tmp_path, arguments, screen, caption):
    from .test_viewer import replay

    replay(tmp_path / "game.replay")
    run = subprocess.run(
        [sys.executable, "-c", QUITS, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=280,
        env={**os.environ, "SHOVERWORLD_HOME": str(tmp_path / "home"), "SDL_VIDEODRIVER": "dummy"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1].startswith(f"{screen} {caption}")
