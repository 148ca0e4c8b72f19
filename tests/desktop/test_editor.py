"""The editor, driven by real events: brushes, keys, the mouse, files, and recovery after a kill."""

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
from tests.windows import PATIENCE, hands  # noqa: F401

GAME = game_named("shover")
DOCK = "// A dock\n// rules: milestone1\n..B..\nA...L\n.....\n"


@pytest.fixture(autouse=True, scope="module")
def _compiled():
    """Rules and planner are compiled before anything is tested: no test has to wait for that."""
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
def pen(hands, dock):  # noqa: F811
    """The editor, open on a small dock; `Pen` drives it."""
    return Pen(hands, EditSession.open(GAME, str(dock)))


class Pen:
    def __init__(self, hands, drawing: EditSession, size=(900, 640)):  # noqa: F811
        self.hands = hands
        hands.open(lambda app: EditorScreen(app, drawing), size)
        self.app = hands.app
        self.screen: EditorScreen = hands.app.screens[0]  # there may be a question over it

    @property
    def edit(self) -> EditSession:
        return self.screen.edit

    def spot(self, row: int, col: int) -> tuple[int, int]:
        return self.screen.view.rect_of((row, col)).center

    def picture(self) -> str:
        signs = {0: ".", 10: "B", 100: "#", -100: "L"}
        kept = self.edit.draft.to_json()
        rows = [[signs.get(code, str(code)) for code in row] for row in kept["cells"]]
        if kept["start"]:
            rows[kept["start"][0]][kept["start"][1]] = "A"
        return "\n".join("".join(row) for row in rows)

    def looks_like(self, cell: tuple[int, int], tile: int) -> bool:
        self.hands.point((1, 1))
        size = self.screen.view.cell_size
        return np.array_equal(
            self.hands.pixels(self.screen.view.rect_of(cell)), GAME.ui.drawing.tile(tile, size)[..., :3]
        )

    def answer(self, words: str) -> None:
        """Click on a button of the question that stands."""
        (button,) = [w for w in self.app.screen.form.widgets if getattr(w, "text", None) == words]
        self.hands.click(button.rect.center)

    @property
    def asks(self) -> str | None:
        return self.app.screen.title if isinstance(self.app.screen, Ask) else None

    def write(self, text: str) -> None:
        """Into the field of the question that stands, instead of what is there."""
        self.app.screen.field.put("")
        self.hands.type(text)


# ---------------------------------------------------------------- painting


@pytest.mark.parametrize("brush", editor_of(GAME).brushes, ids=lambda brush: brush.name)
def test_every_brush_by_its_key_and_by_its_button(pen, brush):
    before = pen.picture()
    pen.hands.press(brush.key)
    assert pen.screen.tool.brush == brush and pen.screen.layout.brushes[brush.name].on
    pen.hands.click(pen.spot(2, 3))
    wanted = (
        editor_of(GAME)
        .draft_of(GAME.levels.read(pen.edit.path))
        .painted(pen.screen.tool.corner((2, 3), brush), brush.name)
    )
    assert pen.edit.draft.to_json() == wanted.to_json()
    assert (pen.picture() != before) == (brush.name != "empty")
    other = next(name for name in pen.screen.layout.brushes if name != brush.name)
    pen.hands.click(pen.screen.layout.brushes[other].rect.center)
    assert pen.screen.tool.brush.name == other
    pen.hands.click(pen.screen.layout.brushes[brush.name].rect.center)
    assert pen.screen.tool.brush == brush


def test_painting_is_visible_in_the_same_frame(pen):
    pen.hands.press("l")
    pen.hands.hold(pen.spot(0, 0))
    assert pen.looks_like((0, 0), -100)


def test_a_drag_paints_a_line_and_is_undone_as_one(pen):
    pen.hands.press("x")
    pen.hands.drag(pen.spot(2, 0), pen.spot(2, 4), steps=2)  # a fast mouse
    assert pen.picture() == "..B..\nA...L\n#####"
    pen.hands.press("u")
    assert pen.picture() == "..B..\nA...L\n....."
    pen.hands.press("y")
    assert pen.picture().endswith("#####")
    pen.hands.press("z", control=True)
    assert pen.picture().endswith(".....")
    pen.hands.press("y", control=True)
    assert pen.picture().endswith("#####")
    pen.hands.click(pen.screen.layout.tools["undo"].rect.center)
    assert pen.picture().endswith(".....")
    pen.hands.click(pen.screen.layout.tools["redo"].rect.center)
    assert pen.picture().endswith("#####")
    pen.hands.press("z", control=True)
    pen.hands.press("z", control=True, shift=True)
    assert pen.picture().endswith("#####")
    pen.hands.press("u", "u")
    assert "nothing to undo" in pen.app.note


def test_a_stroke_goes_on_after_an_excursion_off_the_board(pen):
    pen.hands.press("x")
    pen.hands.hold(pen.spot(0, 0))
    pen.hands.point((5, 5))
    pen.hands.point(pen.spot(2, 2))
    pen.hands.let_go(pen.spot(2, 3))
    assert pen.picture() == "#.B..\nA...L\n..##.", "nothing in between"
    pen.hands.point(pen.spot(1, 2))
    assert pen.picture() == "#.B..\nA...L\n..##.", "nothing is held any more"
    pen.hands.press("u")
    assert pen.picture() == "..B..\nA...L\n....."


def test_a_button_let_go_outside_the_window_ends_the_stroke(pen):
    pen.hands.press("x")
    pen.hands.hold(pen.spot(0, 0))
    pen.hands.down = False  # nobody told the window
    pen.hands.point(pen.spot(0, 4))
    assert pen.picture() == "#.B..\nA...L\n....."
    pen.hands.hold(pen.spot(2, 0))
    pen.hands.post(pygame.WINDOWFOCUSLOST)
    pen.hands.point(pen.spot(2, 4))
    assert pen.picture() == "#.B..\nA...L\n#...."


def test_the_right_button_erases_and_the_middle_one_picks(pen):
    pen.hands.press("x")
    pen.hands.click(pen.spot(0, 2), button=3)
    assert pen.picture() == ".....\nA...L\n....."
    pen.hands.click(pen.spot(1, 4), button=2)
    assert pen.screen.tool.brush.name == "lava" and pen.picture() == ".....\nA...L\n....."
    pen.hands.click(pen.spot(1, 0), button=2)
    assert pen.screen.tool.brush.name == "shover"
    pen.hands.point(pen.spot(2, 2))
    pen.hands.press("c")
    assert pen.screen.tool.brush.name == "empty"


def test_the_shover_is_moved(pen):
    pen.hands.press("a")
    pen.hands.click(pen.spot(2, 4))
    assert pen.picture() == "..B..\n....L\n....A"
    pen.hands.press("x")
    pen.hands.click(pen.spot(2, 4))
    assert pen.picture() == "..B..\n....L\n....#" and "no start" in str(pen.screen.layout.notes.blocks)


def test_a_planted_square_stays_on_the_map(pen):
    pen.hands.press("w")
    pen.hands.click(pen.spot(2, 4))
    assert pen.picture() == "..BBB\nA.BBB\n..BBB", "and its ring is free of boxes"
    pen.hands.press("u")
    pen.hands.drag(pen.spot(0, 0), pen.spot(0, 4))
    assert pen.picture() == "BBB..\nBBB.L\nBBB..", "it is a stamp"


def test_the_wheel_and_brackets_change_the_brush(pen):
    names = [brush.name for brush in editor_of(GAME).brushes]
    pen.hands.point(pen.spot(0, 0))
    pen.hands.press(".")
    pen.hands.wheel(-1)
    assert pen.screen.tool.brush.name == names[1]
    pen.hands.wheel(1)
    pen.hands.wheel(1)
    assert pen.screen.tool.brush.name == names[-1]
    pen.hands.press("]", "]")
    assert pen.screen.tool.brush.name == names[1]
    pen.hands.press("[")
    assert pen.screen.tool.brush.name == names[0]


def test_a_map_is_drawn_without_a_mouse(pen):
    pen.hands.press("l", "right", "right", "down", "space")  # the first arrow points at the first cell
    assert pen.picture() == "..B..\nAL..L\n....."
    pen.hands.press("up", "right", "delete")
    assert pen.picture() == ".....\nAL..L\n....."
    pen.hands.press("right", "right", "right", "right", "return")
    assert pen.picture() == "....L\nAL..L\n....."
    pen.hands.press("backspace", "left", "left", "left", "left", "left", "left", "up", "space")
    assert pen.picture() == "L....\nAL..L\n....."


# ---------------------------------------------------------------- the whole map


@pytest.mark.parametrize("key", ["c", "space", "delete", "v", "left"])
def test_a_cursor_on_a_removed_cell_is_hidden(pen, key):
    pen.hands.point(pen.spot(1, 4))
    pen.hands.press("r")  # 3 x 5 becomes 5 x 3
    turned = pen.picture()
    pen.hands.press(key)
    assert pen.picture() == turned and pen.app.running


def test_flip_and_rotate(pen):
    pen.hands.press("f")
    assert pen.picture() == "..B..\nL...A\n....."
    pen.hands.press("r")
    assert pen.picture() == ".L.\n...\n..B\n...\n.A."
    assert pen.screen.view.board.height > pen.screen.view.board.width
    pen.hands.click(pen.screen.layout.tools["rotate"].rect.center)
    pen.hands.click(pen.screen.layout.tools["flip"].rect.center)
    assert pen.picture() == ".....\nL...A\n..B.."
    pen.hands.press("u", "u", "u", "u")
    assert pen.picture() == "..B..\nA...L\n....."


def test_resize_by_keys_buttons_and_fields(pen):
    bench = pen.screen.layout
    pen.hands.press("right", "down", control=True)
    assert pen.picture() == "..B...\nA...L.\n......\n......"
    assert (bench.rows.text, bench.cols.text) == ("4", "6")
    pen.hands.press("left", "left", "up", control=True)
    assert pen.picture() == "..B.\nA...\n...."
    for name, size in (("more_rows", (4, 4)), ("more_cols", (4, 5)), ("fewer_rows", (3, 5)), ("fewer_cols", (3, 4))):
        pen.hands.click(bench.steps[name].rect.center)
        assert (pen.edit.draft.rows, pen.edit.draft.cols) == size
    pen.hands.click(bench.rows.rect.center)
    pen.hands.press("backspace")
    pen.hands.type("12")
    pen.hands.press("return")
    assert (pen.edit.draft.rows, pen.edit.draft.cols) == (12, 4)
    pen.hands.click(bench.cols.rect.center)
    pen.hands.type("99999")
    pen.hands.press("return")
    assert (pen.edit.draft.rows, pen.edit.draft.cols) == (12, 4) and "columns" in pen.app.note
    pen.hands.press("escape")
    pen.hands.press("u", "u")
    assert (pen.edit.draft.rows, pen.edit.draft.cols) == (3, 5)


def test_letters_typed_into_a_field_are_no_brushes(pen):
    pen.hands.click(pen.screen.layout.rows.rect.center)
    brush = pen.screen.tool.brush
    pen.hands.press("l", "u")
    assert pen.screen.tool.brush == brush
    pen.hands.click(pen.spot(0, 0))
    pen.hands.press("l")
    assert pen.screen.tool.brush.name == "lava", "a click on the map leaves the field"


def test_the_smallest_map_gets_no_smaller(pen):
    pen.hands.press(*["up"] * 5, control=True)
    assert pen.edit.draft.rows == 1 and "rows" in pen.app.note and pen.app.running


def test_the_rules_it_is_made_for(pen):
    pen.hands.press("f2")
    assert pen.edit.preset == "walker" and pen.edit.changed
    pen.hands.click(pen.screen.layout.rules.rect.center)
    assert pen.edit.preset == "phase2"
    pen.hands.press("s", control=True)
    assert "// rules: phase2" in Path(pen.edit.path).read_text()
    pen.hands.press("f2", "u")
    assert pen.edit.preset == "phase2" and not pen.edit.changed


# ---------------------------------------------------------------- problems, test play, solving


def test_problems_are_listed_and_their_cells_marked(pen):
    assert "no problems" in str(pen.screen.layout.notes.blocks)
    before = pen.hands.pixels(pen.screen.view.rect_of((0, 0)))
    pen.hands.press("f2", "b")  # by the rules of the walker
    pen.hands.click(pen.spot(0, 0))  # a box in a corner, which no push brings to the lava
    pen.hands.point((1, 1))
    assert "row 0, column 0" in str(pen.screen.layout.notes.blocks)
    assert not pen.looks_like((0, 0), 10) and not np.array_equal(
        before, pen.hands.pixels(pen.screen.view.rect_of((0, 0)))
    )
    pen.hands.click(pen.spot(0, 4))
    assert "3 problems." in str(pen.screen.layout.notes.blocks)
    for col in (0, 2, 4, 0):
        pen.hands.press("v")
        assert pen.screen.tool.at == (0, col) and f"row 0, column {col}" in pen.app.note
    pen.hands.press("u", "u", "u", "f7")
    assert "no problems" in pen.app.note


def test_a_level_that_cannot_be_played_is_reported(pen):
    pen.hands.press(*["up"] * 2, control=True)
    pen.hands.press(*["left"] * 4, control=True)
    pen.hands.press("x", "up", "space")
    assert pen.picture() == "#"
    for key in ("t", "p"):
        pen.hands.press(key)
        assert pen.app.screen is pen.screen and "no empty cell" in pen.app.note
    pen.hands.press("s", control=True)
    assert "no empty cell" in pen.app.note and Path(pen.edit.path).read_text() == DOCK


@pytest.mark.parametrize("key", ["t", "f5"])
def test_test_play_and_back(pen, key):
    pen.hands.press("l")
    pen.hands.click(pen.spot(2, 2))
    before = pen.edit.draft.to_json()
    pen.hands.press(key)
    table = pen.app.screen
    assert isinstance(table, TableScreen) and Map.parse(table.session.env.map_text()) == Map.parse(
        "..B..\nA...L\n..L.."
    )
    pen.hands.press("right")
    assert table.session.steps == 1
    pen.hands.press("escape")
    assert pen.app.screen is pen.screen and pen.edit.draft.to_json() == before and pen.edit.changed
    assert pen.looks_like((2, 2), -100)


def test_e_in_a_test_leads_back_to_the_editor(pen):
    pen.hands.press("t", "right", "e")
    assert pen.app.screen is pen.screen and pen.app.screens == [pen.screen]


def test_what_the_ring_of_a_square_would_wipe_is_marked(pen):
    cell = pen.screen.view.rect_of((0, 2))
    pen.hands.press("q")
    before = pen.hands.pixels(cell)
    pen.hands.point(pen.spot(1, 3))  # two cells to the right of it and below: the box is in its ring
    assert [mark.cell for mark in pen.screen.tool.marks() if mark.kind == "shade"] == [(0, 2)]
    assert not np.array_equal(before, pen.hands.pixels(cell))
    pen.hands.press("b")
    assert np.array_equal(before, pen.hands.pixels(cell)), "one box has no ring"


def test_the_rim_is_that_of_the_rules(pen):
    def left_of_the_board() -> np.ndarray:
        cell = pen.screen.view.rect_of((1, 0))
        return pen.hands.pixels(pygame.Rect(cell.left - 4, cell.centery, 3, 1))

    plain = left_of_the_board()
    pen.hands.press("f2", "f2")
    assert pen.edit.preset == "phase2" and not np.array_equal(left_of_the_board(), plain)
    pen.hands.press("f2")
    assert pen.edit.preset == "milestone1" and np.array_equal(left_of_the_board(), plain)


@pytest.mark.parametrize("size", [(640, 480), (900, 640), (1280, 800)])
def test_what_there_is_to_say_has_the_whole_width(hands, dock, size):  # noqa: F811
    pen = Pen(hands, EditSession.open(GAME, str(dock)), size)
    notes = pen.screen.layout.notes
    ((block, rect),) = notes.placed()
    assert "no problems" in block.text and rect.width > notes.rect.width - 40
    assert len(theme.wrapped(block.text, rect.width - theme.GAP)) == 1


def test_solve_in_the_background(pen):
    pen.hands.press("p")
    pen.hands.until(lambda: "Solving" not in pen.screen.solver.text)
    assert (
        "The level can be solved: 3 steps, stamina 930" in pen.screen.solver.text
        and "no plan is better" in pen.screen.solver.text
    )
    assert pen.screen.solver.text in str(pen.screen.layout.notes.blocks)
    pen.hands.press("l")
    pen.hands.click(pen.spot(0, 4))
    assert pen.screen.solver.text == "", "it is another map now"


def test_an_unsolvable_map_is_reported(hands, tmp_path):  # noqa: F811
    (tmp_path / "no.txt").write_text("A.#B\n..##\n")
    pen = Pen(hands, EditSession.open(GAME, str(tmp_path / "no.txt")))
    hands.click(pen.screen.layout.tools["solve"].rect.center)
    hands.until(lambda: "Solving" not in pen.screen.solver.text)
    assert "no solution: that is proved" in pen.screen.solver.text


def test_solving_goes_on_beside_and_can_be_stopped(hands):  # noqa: F811
    """A map that is too large to be solved to the end in a minute: the window hears every key meanwhile."""
    drawing = EditSession.of(GAME, GAME.levels.random("phase2", 4), "phase2")
    drawing.change(lambda draft: draft.resized(40, 40))
    for place in range(60):
        drawing.paint((3 + place // 6 * 3, 3 + place % 6 * 5), "box")
    pen = Pen(hands, drawing)
    hands.press("p")
    assert pen.screen.solver.busy and pen.screen.layout.tools["solve"].text == "Stop"
    assert "Solving" in pen.screen.solver.text
    hands.press("l")
    assert pen.screen.tool.brush.name == "lava" and pen.screen.solver.busy
    hands.press("escape")
    assert not pen.screen.solver.busy and pen.app.screen is pen.screen and pen.app.running
    hands.press("p")
    assert pen.screen.solver.busy
    hands.click(pen.screen.layout.tools["solve"].rect.center)
    assert not pen.screen.solver.busy
    hands.press("p", "u")
    assert not pen.screen.solver.busy and pen.screen.solver.text == "", "a change ends it"


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("format", ["A", "B"])
def test_drawn_saved_and_read_back(hands, tmp_path, monkeypatch, format):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    pen = Pen(hands, EditSession.blank(GAME, "walker"))
    for key, cell in (("7", (1, 1)), ("l", (2, 2)), ("x", (3, 3)), ("q", (5, 5)), ("a", (8, 8))):
        hands.press(key)
        hands.click(pen.spot(*cell))
    hands.press("s", control=True)
    assert isinstance(pen.app.screen, AskSave) and pen.app.screen.field.text == str(tmp_path / "my-level.txt")
    assert pen.app.screen.switch.text == "Write as: symbols (B)"
    while pen.app.screen.format != format:
        hands.click(pen.app.screen.switch.rect.center)
    pen.write(str(tmp_path / "drawn.txt"))
    hands.press("return")
    assert pen.app.screen is pen.screen and not pen.edit.changed and "drawn.txt" in pen.app.note
    found = Map.read(tmp_path / "drawn.txt")
    assert found.grid.tolist() == pen.edit.draft.to_json()["cells"] and found.agent == (8, 8)
    again = EditSession.open(GAME, str(tmp_path / "drawn.txt"))
    assert again.draft.to_json()["cells"] == pen.edit.draft.to_json()["cells"]
    assert (again.preset, again.format) == ("walker", format)
    hands.press("l")
    hands.click(pen.spot(0, 0))
    hands.press("s", control=True)
    assert pen.app.screen is pen.screen, "saved where it was saved before"
    assert Map.read(tmp_path / "drawn.txt").grid[0, 0] == -100
    assert EditSession.open(GAME, str(tmp_path / "drawn.txt")).format == format


def test_a_file_is_not_replaced_unasked(pen, tmp_path):
    (tmp_path / "other.txt").write_text("mine")
    pen.hands.press("s", control=True, shift=True)
    pen.write(str(tmp_path / "other.txt"))
    pen.hands.press("return")
    assert pen.asks == "Replace other.txt?"
    for key in ("escape", "return"):  # neither replaces it, and the path can be changed
        pen.hands.press(key)
        assert (tmp_path / "other.txt").read_text() == "mine"
        assert isinstance(pen.app.screen, AskSave) and pen.app.screen.field.text == str(tmp_path / "other.txt")
        pen.answer("Save")
    pen.answer("Replace it")
    assert pen.app.screen is pen.screen
    assert Map.read(tmp_path / "other.txt") == Map.parse(DOCK) and pen.edit.name == "other"


def test_a_path_that_cannot_be_saved_to_can_be_corrected(pen, tmp_path):
    pen.hands.press("s", control=True, shift=True)
    pen.write(str(tmp_path / "no" / "such" / "map.txt"))
    pen.hands.press("return")
    assert isinstance(pen.app.screen, AskSave) and "there is no folder" in pen.app.note
    pen.write(str(tmp_path))
    pen.hands.press("return")
    assert isinstance(pen.app.screen, AskSave) and "is a folder" in pen.app.note
    pen.hands.press("escape")
    assert pen.app.screen is pen.screen


def test_open_another_map(pen, tmp_path):
    (tmp_path / "second.txt").write_text("// rules: phase2\nB..\n...\n")
    pen.hands.press("o", control=True)
    assert isinstance(pen.app.screen, AskOpen)
    rows = pen.app.screen.list
    assert [item.text for item in rows.items][:2] == ["dock.txt", "second.txt"]
    pen.hands.click(rows.row_rect(1).center)
    assert pen.app.screen.field.text == str(tmp_path / "second.txt")
    pen.hands.press("return")
    assert pen.app.screen is pen.screen and pen.picture() == "B..\n..." and pen.edit.preset == "phase2"
    pen.hands.press("o", control=True)
    pen.write("no-such-map")
    pen.hands.press("return")
    assert isinstance(pen.app.screen, AskOpen) and "no-such-map" in pen.app.note
    pen.write("01-first-push")
    pen.hands.press("return")
    assert pen.app.screen is pen.screen and pen.edit.path is None and not pen.edit.changed
    pen.hands.press("s", control=True)
    assert pen.app.screen.field.text == str(Path.cwd() / "01-first-push.txt")
    pen.hands.press("escape")
    pen.hands.drop(tmp_path / "dock.txt")
    assert pen.edit.path == str(tmp_path / "dock.txt")


# ---------------------------------------------------------------- unsaved work is asked about


def draw_something(pen: Pen) -> str:
    pen.hands.press("l")
    pen.hands.click(pen.spot(0, 0))
    return "L.B..\nA...L\n....."


def test_escape_asks(pen):
    want = draw_something(pen)
    for answer in ("Cancel", "escape"):
        pen.hands.press("escape")
        assert pen.asks == "Save the changes?"
        pen.answer(answer) if answer == "Cancel" else pen.hands.press(answer)
        assert pen.app.screen is pen.screen and pen.picture() == want
    pen.hands.press("escape")
    pen.answer("Save")
    assert not pen.app.running and Map.read(pen.edit.path) == Map.parse(want)


def test_not_saving_leaves_the_file_and_no_autosave(pen, tmp_path):
    draw_something(pen)
    assert len(list((tmp_path / "home").glob("autosave-*.json"))) == 1
    pen.hands.press("escape", "d")
    assert not pen.app.running and Path(pen.edit.path).read_text() == DOCK
    pen.hands.close()
    assert list((tmp_path / "home").glob("autosave-*")) == []


def test_the_windows_cross_and_control_q_ask(pen):
    for post in (lambda: pen.hands.post(pygame.QUIT), lambda: pen.hands.key("q", control=True)):
        if pen.app.screen is pen.screen and not pen.edit.changed:
            draw_something(pen)
        post()
        pen.hands.frame()
        assert pen.app.running and pen.asks == "Save the changes?"
        pen.hands.post(pygame.QUIT)
        pen.hands.frame()
        assert pen.app.running and len(pen.app.screens) == 2, "it is asked once"
        pen.hands.press("escape")
        assert pen.app.screen is pen.screen
    pen.hands.post(pygame.QUIT)
    pen.hands.frame()
    pen.hands.press("return")
    assert not pen.app.running and not pen.edit.changed, "saved, and gone"


def test_the_cross_asks_from_every_screen_above(pen):
    draw_something(pen)
    pen.hands.press("t", "f1")
    pen.hands.post(pygame.QUIT)
    pen.hands.frame()
    assert pen.app.running and pen.asks == "Save the changes?"
    pen.hands.press("escape")
    assert isinstance(pen.app.screen, TableScreen)
    pen.hands.post(pygame.QUIT)
    pen.hands.frame()
    pen.hands.press("d")
    assert not pen.app.running


def test_new_and_open_ask(pen, tmp_path):
    want = draw_something(pen)
    pen.hands.press("n", control=True)
    assert pen.asks == "Save the changes?"
    pen.hands.press("escape")
    assert pen.picture() == want
    (tmp_path / "second.txt").write_text("B..\n...\n")
    pen.hands.press("o", control=True)
    pen.write(str(tmp_path / "second.txt"))
    pen.hands.press("return")
    assert pen.asks == "Save the changes?"
    pen.hands.press("escape")
    assert pen.picture() == want and pen.app.screen is pen.screen
    pen.hands.drop(tmp_path / "second.txt")
    pen.answer("Save")
    assert pen.picture() == "B..\n..." and Map.read(tmp_path / "dock.txt") == Map.parse(want)
    pen.hands.press("n", control=True)
    assert pen.edit.path is None and pen.edit.draft.to_json() == editor_of(GAME).blank("milestone1").to_json()


def test_saving_a_map_without_a_name_on_the_way_out(hands, tmp_path):  # noqa: F811
    pen = Pen(hands, EditSession.blank(GAME))
    hands.press("l")
    hands.click(pen.spot(0, 0))
    hands.press("escape", "s")
    assert isinstance(pen.app.screen, AskSave)
    hands.press("escape")
    assert pen.app.screen is pen.screen and pen.app.running, "not saved, so not left"
    hands.press("escape", "s")
    pen.write(str(tmp_path / "named.txt"))
    hands.press("return")
    assert not pen.app.running and Map.read(tmp_path / "named.txt").grid[0, 0] == -100


def test_nothing_unsaved_nothing_asked(pen):
    draw_something(pen)
    pen.hands.press("u", "escape")
    assert not pen.app.running


# ---------------------------------------------------------------- autosave


def test_the_autosave_is_there_when_the_change_is_seen(pen, tmp_path):
    """In the middle of a stroke too."""
    pen.hands.press("x")
    pen.hands.hold(pen.spot(0, 0))
    for col in (1, 2, 3):
        pen.hands.point(pen.spot(0, col))
        (file,) = (tmp_path / "home").glob("autosave-*.json")
        assert f'"cells":{pen.edit.draft.to_json()["cells"]}'.replace(" ", "") in file.read_text()


def test_a_question_over_the_editor_does_not_hide_a_change(pen, tmp_path):
    """Painted and left in the same frame: what is seen below the question is kept."""
    pen.hands.press("x")
    pen.hands.hold(pen.spot(0, 0), frame=False)
    pen.hands.let_go(frame=False)
    pen.hands.key("escape")
    pen.hands.frame()
    assert pen.asks and len(list((tmp_path / "home").glob("autosave-*.json"))) == 1


def test_a_failed_autosave_is_reported(pen, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "file"))
    draw_something(pen)
    assert "cannot be saved" in pen.app.note and pen.app.running
    pen.hands.press("s", control=True)
    assert not pen.edit.changed


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


def killed(dock: Path, brush: str, home: Path) -> None:
    environment = {**os.environ, "SHOVERWORLD_HOME": str(home), "SDL_VIDEODRIVER": "dummy"}
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(dock), brush], capture_output=True, text=True, timeout=280, env=environment
    )
    assert run.returncode == -signal.SIGKILL, run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_what_was_on_the_screen_outlives_a_kill(hands, dock, tmp_path):  # noqa: F811
    killed(dock, "barrier", tmp_path / "home")
    assert dock.read_text() == DOCK
    pen = Pen(hands, EditSession.blank(GAME))
    assert pen.asks == "Unsaved work was found" and str(dock) in pen.app.screen.text
    hands.press("return")
    assert pen.app.screen is pen.screen and pen.picture() == "..B..\nA...L\n.###."
    assert pen.edit.path == str(dock) and pen.edit.changed, "still to be saved, and where"
    hands.press("s", control=True)
    assert Map.read(dock) == Map.parse("..B..\nA...L\n.###.")
    hands.close()
    pen = Pen(hands, EditSession.blank(GAME))
    assert pen.asks is None, "nothing is left to be offered"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_several_autosaves_are_offered_one_by_one(hands, dock, tmp_path):  # noqa: F811
    (tmp_path / "home").mkdir()
    for brush in ("barrier", "lava", "box"):
        killed(dock, brush, tmp_path / brush)  # apart: each would offer what the one before has left
        (left,) = (tmp_path / brush).glob("autosave-*.json")
        left.rename(tmp_path / "home" / left.name)
    pen = Pen(hands, EditSession.blank(GAME))
    assert "1 of 3" in pen.app.screen.text
    pen.answer("Later")
    assert "2 of 3" in pen.app.screen.text
    pen.answer("Discard")
    pen.answer("Restore")
    assert pen.app.screen is pen.screen and pen.picture() == "..B..\nA...L\n.###."
    hands.press("escape", "d")
    hands.close()
    pen = Pen(hands, EditSession.open(GAME, str(dock)))
    assert "of 3" not in pen.app.screen.text
    pen.answer("Restore")
    restored = pen.app.screen
    assert isinstance(restored, EditorScreen) and restored is not pen.screen, "over the one that was asked for"
    assert restored.edit.draft.to_json()["cells"][2] == [0, 10, 10, 10, 0]
    hands.press("escape", "d")
    assert pen.app.screen is pen.screen and pen.app.running


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_the_menu_offers_it_too(hands, dock, tmp_path):  # noqa: F811
    killed(dock, "barrier", tmp_path / "home")
    menu = hands.open(MenuScreen) and hands.app.screens[0]
    assert hands.app.screen.title == "Unsaved work was found"
    hands.press("return")
    assert isinstance(hands.app.screen, EditorScreen) and hands.app.screen.edit.path == str(dock)
    hands.press("escape", "s")
    assert hands.app.screen is menu and Map.read(dock) == Map.parse("..B..\nA...L\n.###.")
    hands.app.push(EditorScreen(hands.app, EditSession.blank(GAME)))
    assert isinstance(hands.app.screen, EditorScreen), "once a start"


def test_a_corrupt_autosave_is_reported_and_set_aside(hands, tmp_path):  # noqa: F811
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "autosave-99.json").write_text('{"autosave"')
    pen = Pen(hands, EditSession.blank(GAME))
    assert pen.asks is None and "corrupt-1" in pen.app.note


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


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_saved_file_is_never_half_written(dock, tmp_path, monkeypatch, when):
    """Killed at the very moment of saving: the file has the old map or the new one."""
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    run = subprocess.run([sys.executable, "-c", SAVER, str(dock), when], capture_output=True, text=True, timeout=280)
    assert run.returncode == -signal.SIGKILL, run.stderr
    assert Map.read(dock) == Map.parse("..B..\nA...L\n....." if when == "before" else "L.B..\nA...L\n.....")


# ---------------------------------------------------------------- the window


def test_f1_lists_every_key(pen):
    pen.hands.press("f1")
    assert isinstance(pen.app.screen, HelpScreen)
    told = str(pen.app.screen.sections)
    for brush in editor_of(GAME).brushes:
        assert brush.about in told
    for key in pen.screen.keys:
        if key not in ("q", "up", "down", "left", "right", "ctrl+shift+z", "f1"):
            assert f"'{key}'" in told, key
    pen.hands.press("escape")
    assert pen.app.screen is pen.screen


def test_any_size_of_window(pen):
    for size in ((1600, 900), (640, 480), (1100, 760), (420, 700), (320, 240)):
        pen.hands.resize(size)
        bench, view = pen.screen.layout, pen.screen.view
        assert view.board.width >= 5 and view.area.contains(view.board)
        rects = [widget.rect for widget in bench.form.widgets if widget.rect.width]
        window = pygame.Rect((0, 0), size)
        assert all(window.contains(rect) for rect in rects)
        assert all(not one.colliderect(other) for i, one in enumerate(rects) for other in rects[:i])
        assert not any(view.board.colliderect(rect) for rect in rects)
        pen.hands.press("l")
        pen.hands.click(pen.spot(0, 0))
        assert pen.picture().startswith("L")
        pen.hands.press("u")
    for size in ((64, 64), (1, 1), (1, 64)):
        pen.screen.change_draft(lambda draft, size=size: draft.resized(*size))
        pen.hands.frame()
        assert pen.screen.view.area.contains(pen.screen.view.board)


def test_only_what_has_changed_is_drawn(pen):
    pen.hands.press("x")
    pen.hands.point(pen.spot(2, 2))
    pen.hands.frame()
    assert pen.hands.frame() == []
    pen.hands.hold(pen.spot(2, 2))
    board = sum(rect.width * rect.height for rect in pen.hands.drawn if pen.screen.view.area.contains(rect))
    assert 0 < board <= 4 * pen.screen.view.cell_size**2


def test_the_table_opens_the_editor_and_comes_back(hands):  # noqa: F811
    board = GAME.levels.read("01-first-push")
    table = hands.open(lambda app: TableScreen(app, Session(GAME, board)))
    hands.press("e")
    assert isinstance(hands.app.screen, EditorScreen)
    assert hands.app.screen.edit.draft.to_json()["cells"] == board.level.grid.tolist()
    hands.press("escape")
    assert hands.app.screen is table


# ---------------------------------------------------------------- the command


def command(*arguments, **environment):
    surroundings = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
    return subprocess.run(
        [sys.executable, "-m", "shoverworld.cli", *map(str, arguments)],
        capture_output=True, text=True, timeout=280, env={**surroundings, **environment},
    )  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
@pytest.mark.parametrize(
    ("arguments", "instead"),
    [(["edit"], "--terminal"), (["replay"], "shover replay --terminal"), (["watch", "01-first-push"], "shover watch --terminal")],
)  # fmt: skip
def test_without_a_screen_the_terminal_is_named(tmp_path, arguments, instead):
    if arguments == ["replay"]:
        from .test_viewer import replay

        replay(tmp_path / "game.replay")
        arguments = ["replay", tmp_path / "game.replay"]
    run = command(*arguments, SHOVERWORLD_HOME=str(tmp_path / "home"))
    assert run.returncode == 2 and "no window" in run.stderr and instead in run.stderr
    assert "Traceback" not in run.stderr


def test_without_pygame_the_extra_is_named(tmp_path):
    (tmp_path / "pygame.py").write_text("raise ImportError('not here')\n")
    for arguments, instead in (
        (["edit"], "shover play --terminal"),
        (["play"], "shover play --terminal"),
        (["watch", "01-first-push"], "shover watch --terminal"),
    ):
        run = command(*arguments, SHOVERWORLD_HOME=str(tmp_path / "home"), PYTHONPATH=str(tmp_path))
        assert run.returncode == 2 and "shoverworld[gui]" in run.stderr and instead in run.stderr
        assert "Traceback" not in run.stderr


def test_edit_reports_errors_before_a_window_opens(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    (tmp_path / "bad.txt").write_text("..x\n")
    for arguments, told in (
        ([str(tmp_path / "bad.txt")], "line 1, column 3"),
        (["no-such-map"], "there is no file"),
        ([str(tmp_path / "none" / "new.txt")], "there is no folder"),
        (["--rules", "chess"], "chess"),
        (["--game", "chess"], "chess"),
    ):
        assert main(["edit", *arguments]) == 2
        assert told in capsys.readouterr().err


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
def test_commands_open_their_screens(tmp_path, arguments, screen, caption):
    from .test_viewer import replay

    replay(tmp_path / "game.replay")
    run = subprocess.run(
        [sys.executable, "-c", QUITS, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=280,
        env={**os.environ, "SHOVERWORLD_HOME": str(tmp_path / "home"), "SDL_VIDEODRIVER": "dummy"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1].startswith(f"{screen} {caption}")
