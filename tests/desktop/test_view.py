"""The view of a board: exact pixels at any size, and partial redraws that give the same picture as a full redraw."""

import random

import numpy as np
import pygame
import pytest

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.ui import Mark, Motion, Scene, Sprite
from shoverworld.desktop import theme
from shoverworld.desktop.view import BoardView
from shoverworld.games.shover.tiles import FLAME, LOOSE_BOX, SHOVER_TILE
from tests.windows import GAME, changed_pixels, game

KINDS = [0, 0, 0, -100, 100, 1, 5, 10]
GREEN, RED, BLUE = (30, 140, 70), (200, 30, 40), (40, 60, 200)


@pytest.fixture(autouse=True)
def screen():
    """Open a display, because pictures need its pixel format. Close the display and the fonts after the test."""
    pygame.display.init()
    pygame.font.init()
    yield pygame.display.set_mode((640, 480))
    theme.forget()
    pygame.display.quit()


def some_scene(rows: int, cols: int, seed: int = 0, rim: int | None = None) -> Scene:
    rng = np.random.default_rng(seed)
    tiles = rng.choice(KINDS, (rows, cols)).astype(np.int16)
    place = (int(rng.integers(rows)), int(rng.integers(cols)))
    return Scene(tiles, (Sprite(SHOVER_TILE + int(rng.integers(4)), place, place),), rim)


def view_of(scene: Scene, size: tuple[int, int] = (400, 300)) -> tuple[BoardView, pygame.Surface]:
    view, surface = BoardView(GAME), pygame.Surface(size).convert()
    view.show(scene)
    view.area = surface.get_rect()
    view.draw(surface)
    return view, surface


def pixels(surface: pygame.Surface, rect: pygame.Rect | None = None) -> np.ndarray:
    part = surface if rect is None else surface.subsurface(rect)
    return pygame.surfarray.array3d(part).swapaxes(0, 1).astype(int)


# --- geometry


@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (1, 20), (20, 1), (6, 9), (64, 64), (13, 64)])
@pytest.mark.parametrize("size", [(640, 480), (317, 401), (1000, 90)])
@pytest.mark.parametrize("rim", [None, -100])
def test_cells_are_square_and_centred_and_as_large_as_possible(shape, size, rim):
    view, _ = view_of(some_scene(*shape, rim=rim), size)
    rows, cols = shape
    more = 0 if rim is None else 1
    assert view.cell_size == max(1, min(size[0] // (cols + more), size[1] // (rows + more)))
    assert view.board.size == (cols * view.cell_size, rows * view.cell_size)
    if view.board.width < size[0] and view.board.height < size[1]:
        assert view.area.contains(view.board)
        assert abs(view.board.centerx - size[0] // 2) <= 1 and abs(view.board.centery - size[1] // 2) <= 1


def test_the_centre_of_a_board_that_is_too_large_for_the_window_is_visible():
    view, surface = view_of(some_scene(256, 256), (100, 60))
    assert view.cell_size == 1
    assert view.cell_at(view.area.center) == (128, 128), "the centre is visible"
    view.show(some_scene(256, 256, 1))
    view.draw(surface)


def test_cell_at_returns_the_cell_that_contains_a_point():
    view, _ = view_of(some_scene(5, 7), (373, 290))
    for row in range(5):
        for col in range(7):
            rect = view.rect_of((row, col))
            for corner in (rect.topleft, (rect.right - 1, rect.bottom - 1), rect.center):
                assert view.cell_at(corner) == (row, col)
    assert view.cell_at((view.board.left - 1, view.board.centery)) is None
    assert view.cell_at((view.board.centerx, view.board.bottom)) is None


def test_side_at_returns_the_side_of_the_cell_nearest_to_a_point():
    view, _ = view_of(some_scene(3, 3))
    rect = view.rect_of((1, 1))
    assert view.side_at((rect.centerx, rect.top + 1)) == UP
    assert view.side_at((rect.centerx, rect.bottom - 2)) == DOWN
    assert view.side_at((rect.left + 1, rect.centery)) == LEFT
    assert view.side_at((rect.right - 2, rect.centery)) == RIGHT
    assert view.side_at(rect.center) is None, "the centre belongs to no side"
    assert view.side_at((rect.centerx + rect.width // 7, rect.centery)) is None
    assert view.side_at((rect.centerx + rect.width // 5, rect.centery)) == RIGHT


# --- appearance


@pytest.mark.parametrize("size", [(640, 480), (333, 222), (2000, 1500)])
def test_a_cell_shows_its_tile_pixel_for_pixel(size):
    scene = some_scene(6, 9, 3)._replace(actors=())
    view, surface = view_of(scene, size)
    for row in range(6):
        for col in range(9):
            tile = GAME.ui.drawing.tile(int(scene.tiles[row, col]), view.cell_size)
            assert (tile[..., 3] == 255).all(), "the tile is opaque"
            assert (pixels(surface, view.rect_of((row, col))) == tile[..., :3]).all()


def test_the_shover_is_drawn_over_the_tile_of_its_cell():
    scene = Scene(np.zeros((1, 1), np.int16), (Sprite(SHOVER_TILE + RIGHT, (0, 0), (0, 0)),))
    _, surface = view_of(scene, (120, 120))
    floor, shover = (
        GAME.ui.drawing.tile(0, 120).astype(float),
        GAME.ui.drawing.tile(SHOVER_TILE + RIGHT, 120).astype(float),
    )
    cover = shover[..., 3:] / 255
    expected = floor[..., :3] * (1 - cover) + shover[..., :3] * cover
    assert np.abs(pixels(surface) - expected).max() <= 2


def test_a_rim_surrounds_the_board():
    view, surface = view_of(Scene(np.zeros((2, 3), np.int16), (), -100), (420, 320))
    assert view.cell_size == min(420 // 4, 320 // 3)
    lava = GAME.ui.drawing.tile(-100, view.cell_size)[..., :3].reshape(-1, 3)
    above = pixels(surface, pygame.Rect(view.board.left, view.board.top - 1, view.board.width, 1)).reshape(-1, 3)
    assert {tuple(colour) for colour in above.tolist()} <= {tuple(colour) for colour in lava.tolist()}


# --- partial drawing


class RandomChanges:
    """A source of random changes to a view. The same seed gives the same changes."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)

    def cell(self, rows: int, cols: int) -> tuple[int, int]:
        return self.rng.randrange(rows), self.rng.randrange(cols)

    def marks(self, rows: int, cols: int) -> list[Mark]:
        marks = []
        for _ in range(self.rng.randrange(5)):
            cell, text = self.cell(rows, cols), self.rng.choice(["", "7", "12", "age 3"])
            kind = self.rng.choice(["frame", "shade", "arrow"])
            marks.append(
                Mark(kind, cell, self.rng.choice([GREEN, RED, BLUE]), text, *self.cell(4, 4), self.rng.randrange(4))
            )
        return [mark._replace(rows=mark.rows + 1, cols=mark.cols + 1) for mark in marks]

    def motion(self, rows: int, cols: int) -> Motion:
        sprites = [
            Sprite(
                self.rng.choice([LOOSE_BOX + 5, FLAME, SHOVER_TILE]),
                self.cell(rows + 1, cols + 1),
                (self.rng.uniform(-1, rows), self.rng.uniform(-1, cols)),
                (self.rng.random(), self.rng.random()),
                (self.rng.uniform(0.3, 1.3), self.rng.uniform(0.3, 1.3)),
            )
            for _ in range(self.rng.randrange(1, 4))
        ]
        under = {self.cell(rows, cols): 0 for _ in range(self.rng.randrange(3))}
        return Motion(under, tuple(sprites), 0.2)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rim", [None, -100])
def test_a_partial_redraw_gives_the_same_picture_as_a_full_redraw(seed, rim):
    changes = RandomChanges(seed)
    rows, cols = changes.cell(6, 9)
    rows, cols = rows + 2, cols + 2
    view, surface = view_of(some_scene(rows, cols, seed, rim))
    for step in range(40):
        before = pixels(surface)
        act = changes.rng.randrange(4)
        if act == 0:
            motion = changes.motion(rows, cols) if changes.rng.random() < 0.7 else None
            view.show(some_scene(rows, cols, seed * 100 + step, rim), motion)
        elif act == 1:
            view.marks(changes.marks(rows, cols))
        elif act == 2:
            view.update(changes.rng.choice([0.03, 0.07, 1.0]))
        drawn = view.draw(surface)
        # every changed pixel is inside a reported rectangle
        reported = np.zeros(before.shape[:2], bool)
        for rect in drawn:
            reported[rect.top : rect.bottom, rect.left : rect.right] = True
        assert not (changed_pixels(before, pixels(surface)) & ~reported).any()
        # a full redraw looks the same
        small = pixels(surface)
        view.refresh()
        view.draw(surface)
        assert (small == pixels(surface)).all(), f"step {step}"


def test_nothing_is_drawn_when_nothing_has_changed():
    view, surface = view_of(some_scene(6, 9))
    view.update(0.1)
    assert view.draw(surface) == []
    view.marks([])
    view.show(some_scene(6, 9))
    assert view.draw(surface) == []


def test_only_the_changed_cell_is_drawn():
    scene = some_scene(6, 9)._replace(actors=())
    view, surface = view_of(scene)
    tiles = scene.tiles.copy()
    tiles[2, 3] = 7
    view.show(scene._replace(tiles=tiles))
    assert view.draw(surface) == [view.rect_of((2, 3))]


# --- animations


def test_a_pushed_box_glides_to_its_final_cell():
    session = game("""A B . L""", "walker")
    view, surface = view_of(GAME.ui.drawing.scene(session.state))
    start = pixels(surface)
    intent = session.handler.press(session.state, "right")
    turn = session.do(intent)
    motion = GAME.ui.drawing.motion(turn.before, turn.after)
    view.show(GAME.ui.drawing.scene(session.state), motion)
    seen = []
    while view.moving:
        view.update(1 / 60)
        view.draw(surface)
        seen.append(pixels(surface))
    assert len(seen) >= motion.seconds * 60 - 1
    assert all(changed_pixels(start, picture).any() for picture in seen), "the first frame already shows the movement"
    assert len({picture.tobytes() for picture in seen}) >= len(seen) // 2, "the box moves gradually"
    _, other = view_of(GAME.ui.drawing.scene(session.state))
    assert (seen[-1] == pixels(other)).all()


def test_a_new_scene_ends_an_animation_at_once():
    view, surface = view_of(some_scene(4, 4, 1))
    view.show(some_scene(4, 4, 2), Motion({(0, 0): 0}, (Sprite(FLAME, (0, 0), (3, 3)),), 5.0))
    view.update(0.1)
    view.draw(surface)
    view.show(some_scene(4, 4, 3))
    assert not view.moving
    view.draw(surface)
    assert (pixels(surface) == pixels(view_of(some_scene(4, 4, 3))[1])).all()


def test_a_higher_speed_shortens_animations():
    view, _ = view_of(some_scene(4, 4, 1))
    view.speed = 10.0
    view.show(some_scene(4, 4, 2), Motion({}, (), 1.0))
    view.update(0.11)
    assert not view.moving


# --- marks


@pytest.mark.parametrize(
    "mark",
    [
        Mark("shade", (2, 3), RED, "12"),
        Mark("arrow", (2, 3), BLUE, "4", direction=LEFT),
        Mark("frame", (2, 3), GREEN, "3", 1, 1),
        Mark("frame", (1, 2), GREEN, "age 4, 6 left", 3, 3, style="double"),
        Mark("shade", (2, 3), RED, "12", style="corner"),
    ],
)
def test_a_mark_is_drawn_only_in_its_cells_and_can_be_removed_completely(mark):
    view, surface = view_of(some_scene(6, 9), (640, 480))
    clean = pixels(surface)
    view.marks([mark])
    view.draw(surface)
    changed = changed_pixels(clean, pixels(surface))
    whole = view.rect_of(mark.cell).union(view.rect_of((mark.cell[0] + mark.rows - 1, mark.cell[1] + mark.cols - 1)))
    inside = np.zeros_like(changed)
    above = view.cell_size // 4 if mark.kind == "frame" else 0  # the label covers at most half of the cell
    inside[whole.top - above : whole.bottom, whole.left : whole.right] = True
    assert changed.any() and not (changed & ~inside).any()
    view.marks([])
    view.draw(surface)
    assert (pixels(surface) == clean).all()


def test_the_label_of_a_frame_does_not_cover_the_middle_of_its_cells():
    """The middle of a cell may show the number of a box."""
    for size in ((300, 200), (640, 480), (1000, 800)):
        view, surface = view_of(some_scene(6, 9), size)
        clean = pixels(surface)
        view.marks([Mark("frame", (2, 3), GREEN, "age 4, 6 left", 3, 3), Mark("frame", (5, 0), GREEN, "70")])
        view.draw(surface)
        changed = changed_pixels(clean, pixels(surface))
        for cell in [(2, 3), (2, 4), (2, 5), (3, 4), (4, 3), (5, 0)]:
            middle = view.rect_of(cell).inflate(-view.cell_size * 0.55, -view.cell_size * 0.55)
            assert not changed[middle.top : middle.bottom, middle.left : middle.right].any(), (size, cell)


def test_a_corner_mark_does_not_change_the_rest_of_the_cell():
    view, surface = view_of(some_scene(3, 3), (300, 300))
    clean = pixels(surface)
    view.marks([Mark("shade", (1, 1), RED, "7", strength=0.0, style="corner")])
    view.draw(surface)
    changed = changed_pixels(clean, pixels(surface, None))
    rect = view.rect_of((1, 1))
    assert changed[rect.centery :, rect.centerx :].any() and not changed[: rect.centery].any()
    assert not changed[:, : rect.centerx].any()


def test_rulers_are_outside_the_board_and_are_drawn_only_in_a_full_redraw():
    for scene in (some_scene(5, 7), some_scene(5, 7)._replace(rim=0)):
        view = BoardView(GAME, rulers=True)
        view.area = pygame.Rect(10, 10, 400, 300)
        view.show(scene)
        surface = pygame.Surface((420, 320))
        surface.fill(theme.GROUND)
        view.draw(surface)
        assert view.ruled and view.area.contains(view.board)
        seen = changed_pixels(np.full((320, 420, 3), theme.GROUND, np.uint8), pixels(surface))
        for row in range(5):
            rect = view.rect_of((row, 0))
            assert seen[rect.top : rect.bottom, : view.board.left - (0 if scene.rim is None else rect.width // 2)].any()
        for col in range(7):
            rect = view.rect_of((0, col))
            assert seen[: view.board.top - (0 if scene.rim is None else rect.width // 2), rect.left : rect.right].any()
        view.marks([Mark("shade", (2, 2), RED)])
        assert view.draw(surface) == [view.rect_of((2, 2))]
    view.show(some_scene(64, 64))
    assert not view.ruled, "rulers are hidden when the cells are too small to read them"


def test_arrows_in_the_four_directions_differ():
    looks = set()
    for direction in range(4):
        view, surface = view_of(Scene(np.zeros((1, 1), np.int16), ()), (60, 60))
        view.marks([Mark("arrow", (0, 0), RED, direction=direction)])
        view.draw(surface)
        looks.add(pixels(surface).tobytes())
    assert len(looks) == 4


def test_an_arrow_points_in_the_given_direction():
    view, surface = view_of(Scene(np.zeros((1, 1), np.int16), ()), (100, 100))
    clean = pixels(surface)
    view.marks([Mark("arrow", (0, 0), RED, direction=RIGHT)])
    view.draw(surface)
    rows, cols = np.nonzero(changed_pixels(clean, pixels(surface)))
    heights = [np.ptp(rows[cols == col]) if (cols == col).any() else 0 for col in range(100)]
    assert np.argmax(heights) > 50, "the arrowhead, which is the tallest part, is on the right"


def test_the_badge_of_a_cell_shows_the_numbers_of_all_its_arrows():
    view, surface = view_of(some_scene(1, 1))
    view.marks([Mark("arrow", (0, 0), RED, "1", direction=RIGHT), Mark("arrow", (0, 0), RED, "4", direction=DOWN)])
    view.draw(surface)
    both = pixels(surface)
    view.marks([Mark("arrow", (0, 0), RED, "", direction=RIGHT), Mark("arrow", (0, 0), RED, "1, 4", direction=DOWN)])
    view.draw(surface)
    assert np.array_equal(both, pixels(surface))


def test_the_labels_of_two_frames_do_not_overlap():
    view, surface = view_of(some_scene(6, 9), (640, 480))
    one, two = Mark("frame", (1, 1), GREEN, "1", 3, 3), Mark("frame", (1, 1), RED, "two", 3, 3)
    view.marks([one])
    view.draw(surface)
    corner = view.rect_of((1, 1)).inflate(-30, -30).move(-15, -15)
    alone = pixels(surface, corner)
    view.marks([one, two])
    view.draw(surface)
    colours = {tuple(colour) for colour in pixels(surface, view.rect_of((3, 1))).reshape(-1, 3).tolist()}
    assert RED in colours
    assert (alone.reshape(-1, 3) == GREEN).all(axis=1).any()


def test_marks_outside_the_board_are_ignored():
    view, surface = view_of(some_scene(3, 3))
    view.marks([Mark("shade", (-1, 0), RED), Mark("arrow", (9, 9), RED), Mark("frame", (2, 2), RED, "x", 5, 5)])
    view.draw(surface)
    view.marks([])
    view.draw(surface)
    assert (pixels(surface) == pixels(view_of(some_scene(3, 3))[1])).all()


def test_marks_on_every_cell_of_the_largest_board_are_redrawn_as_one_rectangle():
    view, surface = view_of(some_scene(64, 64), (1100, 760))
    field = [Mark("shade", (row, col), BLUE, str(row + col)) for row in range(64) for col in range(64)]
    view.marks(field)
    drawn = view.draw(surface)
    assert drawn == [view.board], "one rectangle instead of thousands"
    view.marks([mark._replace(text="9") if mark.cell == (5, 5) else mark for mark in field])
    assert view.draw(surface) == [view.rect_of((5, 5))]
