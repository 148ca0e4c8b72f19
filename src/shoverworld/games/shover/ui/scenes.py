"""Scenes and motions of Shover-World, written to sheets: boxes slide, burn, dissolve or become barriers."""

from shoverworld.core import sheet as sheets
from shoverworld.core.grid import cell_at, col_of, row_of
from shoverworld.core.jit import both, shared

from ..config import FIRST_SPECIAL
from ..scan import list_changes, write_tiles
from ..state import EMPTY, LAVA
from ..tiles import FLAME, LOOSE_BOX, PLAIN_BOX, SHOVER_TILE
from .position import beside, content_of, is_box, on_map, opposite

WALK_SECONDS, PUSH_SECONDS, BUMP_SECONDS, CHANGE_SECONDS = 0.12, 0.14, 0.12, 0.28
BUMP = 0.16  # how far a blocked shover moves, in cells
STANDS, WALKS, PUSHES, BUMPS = range(4)  # what the shover does in a motion


@shared
def write_scene(sheet, state, tiles):
    """Write the tiles of all cells and the shover. Return the tile of the rim: a lava edge is drawn, a wall is not."""
    write_tiles(state.board[0], state.width, tiles)
    game = state.game[0]
    if game.shover:
        stand(sheet, game)
    return LAVA if state.board[0, 0] == LAVA else sheets.NO_RIM


@shared
def stand(sheet, game):
    sheets.sprite(sheet, SHOVER_TILE + game.direction, game.row, game.col, game.row, game.col)


@shared
def write_motion(sheet, before, after, cells):
    """Write the motion from `before` to `after`, or nothing if they are not consecutive or nothing visible happens.

    Both states have maps of the same size. `cells` is an array with room for all cells of the framed board.
    """
    new = after.game[0]
    steps = int(new.timestep) - int(before.game[0].timestep)
    if steps != 0 and steps != 1:
        return
    kind = motion_kind(before, after)
    row, col, direction = int(new.row), int(new.col), int(new.direction)
    chain, target, forward, goals = 0, 0, 1, 0
    if kind == PUSHES:
        chain, target = int(new.chain), cell_at(row, col, after.width)
        near_row, near_col = beside(row, col, direction)
        forward, goals = cell_at(near_row, near_col, after.width) - target, chain - int(new.burnt)
    changes, numbered = list_changes(before.board[0], after.board[0], after.width, target, forward, goals, cells)
    seconds = seconds_of(kind, goals < chain, changes > 0)
    if seconds == 0.0:
        return
    sheets.row(sheet, sheets.MOTION, seconds)
    if kind == PUSHES:
        write_push(sheet, before, after, numbered)
    elif kind == BUMPS:
        write_jolt(sheet, before, after, numbered)
    for k in range(changes):
        cell = int(cells[k])
        was = EMPTY if cell == target else int(before.board[0, cell])
        write_change(sheet, after, cell, was, numbered, steps == 1 and new.hellified > 0)
    if new.shover:
        write_shover(sheet, before, after, kind)
    if count_sprites(sheet) == 0:
        sheets.clear(sheet)


@shared
def motion_kind(before, after):
    """Return what the shover does. States that are not consecutive states of one game can contradict each other."""
    old, new = before.game[0], after.game[0]
    steps = new.timestep > old.timestep
    if steps and new.chain > 0:
        for k in range(int(new.chain)):
            row, col = beside(int(new.row), int(new.col), int(new.direction), k)
            if not on_map(before, row, col) or not is_box(content_of(before, row, col)):
                return STANDS
        return PUSHES
    if old.row != new.row or old.col != new.col:
        return WALKS
    return BUMPS if steps and not new.valid else STANDS


@both
def seconds_of(kind, burns, changes):
    if burns or changes:
        return CHANGE_SECONDS
    if kind == PUSHES:
        return PUSH_SECONDS
    return WALK_SECONDS if kind == WALKS else BUMP_SECONDS if kind == BUMPS else 0.0


@both
def loose(box, numbered):
    """Return the tile of a box that moves."""
    return LOOSE_BOX + (box if numbered else PLAIN_BOX)


@shared
def write_push(sheet, before, after, numbered):
    """Write the boxes of a push, the front box first. The chain began at the cell where the shover is now."""
    new = after.game[0]
    chain, direction = int(new.chain), int(new.direction)
    for k in range(chain - 1, -1, -1):
        row, col = beside(int(new.row), int(new.col), direction, k)
        end_row, end_col = beside(row, col, direction)
        box = content_of(before, row, col)
        if k == chain - 1 and new.burnt > 0:
            write_burning(sheet, after, loose(box, numbered), row, col, end_row, end_col)
            continue
        stays = content_of(after, end_row, end_col) == box  # otherwise it dissolves in the same step
        sheets.row(sheet, sheets.TILE, end_row, end_col, EMPTY)
        sheets.sprite(sheet, loose(box, numbered), row, col, end_row, end_col, 1.0, 1.0 if stays else 0.0)


@shared
def write_burning(sheet, state, tile, row, col, goal_row, goal_col):
    """Write a box that moves into lava, or halfway over the edge of the map, and burns."""
    end_row, end_col = 1.0 * goal_row, 1.0 * goal_col
    if not on_map(state, goal_row, goal_col):
        end_row, end_col = (row + goal_row) / 2, (col + goal_col) / 2
    sheets.sprite(sheet, tile, row, col, end_row, end_col, 1.0, 0.15, 1.0, 0.4)
    sheets.sprite(sheet, FLAME, row, col, end_row, end_col, 0.3, 0.0, 0.4, 1.3)
    sheets.sprite(sheet, FLAME, end_row, end_col, end_row, end_col, 1.0, 0.0, 0.3, 1.1)


@shared
def write_jolt(sheet, before, after, numbered):
    """Write the box that an invalid action failed to push: it jerks forward and slides back."""
    new = after.game[0]
    row, col = int(new.previous_row), int(new.previous_col)
    if new.kind >= FIRST_SPECIAL or not on_map(after, row, col):
        return
    box = content_of(before, row, col)
    if is_box(box) and content_of(after, row, col) == box:
        start_row, start_col = beside(1.0 * row, 1.0 * col, int(new.direction), BUMP)
        sheets.row(sheet, sheets.TILE, row, col, EMPTY)
        sheets.sprite(sheet, loose(box, numbered), start_row, start_col, row, col)


@shared
def write_change(sheet, after, cell, was, numbered, burns):
    """Write a box that dissolved or became a barrier or lava. If `burns` is true, add a flame."""
    row, col, becomes = row_of(cell, after.width), col_of(cell, after.width), int(after.board[0, cell])
    sheets.row(sheet, sheets.TILE, row, col, EMPTY)
    if becomes != EMPTY:
        sheets.sprite(sheet, becomes, row, col, row, col, 0.0, 1.0, 0.5, 1.0)
    if is_box(was):
        sheets.sprite(sheet, loose(was, numbered), row, col, row, col, 1.0, 0.0, 1.0, 0.6)
        if burns:
            sheets.sprite(sheet, FLAME, row, col, row, col, 0.9, 0.0, 0.3, 1.0)


@shared
def write_shover(sheet, before, after, kind):
    old, new = before.game[0], after.game[0]
    row, col, direction = int(new.row), int(new.col), int(new.direction)
    if kind == PUSHES:
        landing_row, landing_col = beside(row, col, opposite(direction))
        hop(sheet, old, new, landing_row, landing_col)
    elif kind == WALKS:
        hop(sheet, old, new, row, col)
    elif kind == BUMPS and new.kind >= FIRST_SPECIAL:  # a special action has no direction: the shover only shrinks
        sheets.sprite(sheet, SHOVER_TILE + direction, row, col, row, col, 1.0, 1.0, 0.8, 1.0)
    elif kind == BUMPS:
        start_row, start_col = beside(1.0 * row, 1.0 * col, direction, BUMP)
        sheets.sprite(sheet, SHOVER_TILE + direction, start_row, start_col, row, col)
    else:
        stand(sheet, new)


@shared
def hop(sheet, old, new, landing_row, landing_col):
    """Slide the shover to the next cell. For a longer leap, fade it out at the start and in at the destination."""
    tile = SHOVER_TILE + new.direction
    if abs(old.row - new.row) + abs(old.col - new.col) <= 1:
        sheets.sprite(sheet, tile, old.row, old.col, new.row, new.col)
    else:
        sheets.sprite(sheet, SHOVER_TILE + old.direction, old.row, old.col, old.row, old.col, 1.0, 0.0, 1.0, 0.6)
        sheets.sprite(sheet, tile, landing_row, landing_col, new.row, new.col, 0.0, 1.0)


@shared
def count_sprites(sheet):
    sprites = 0
    for k in range(sheet.used[0]):
        sprites += int(sheet.rows[k, 0] == sheets.SPRITE)
    return sprites
