"""The pictures of Sokoban as rows of a sheet: the players of a scene, and motions."""

from shoverworld.core.jit import both, shared
from shoverworld.core.sheet import MOTION, TILE, row, sprite

from ..draw import tile_of, write_tiles
from ..position import player_count, target_at
from ..queries import has_numbers, moved_box
from ..sentences import box_at, player_cell
from ..tiles import LOOSE_BOX, PLAYER_TILE, SECOND_TILE, STANDS_ON_TARGET

WALK_SECONDS, PUSH_SECONDS, BUMP_SECONDS = 0.11, 0.14, 0.12
WINCE = 0.84  # the initial size of a player whose action failed


@both
def figure_tile(who, on_target):
    """Return the tile for a player."""
    return (SECOND_TILE if who else PLAYER_TILE) + (STANDS_ON_TARGET if on_target else 0)


@shared
def player_sprite(sheet, state, who, start, scale):
    """Write the sprite of a player who comes from the cell `start`."""
    width, end = state.width, player_cell(state, who)
    tile = figure_tile(who, target_at(state, end) != 0)
    sprite(sheet, tile, start // width, start % width, end // width, end % width, scale=scale)


@shared
def scene(state, tiles, sheet):
    """Write the tile of every cell to `tiles`, int16 (cells,), and the players to the sheet."""
    write_tiles(state.planes[0], state.width, tiles)
    for who in range(player_count(state)):
        player_sprite(sheet, state, who, player_cell(state, who), 1.0)


# --- Motions, derived only from the states before and after


@both
def distance(start, end, width):
    return abs(start // width - end // width) + abs(start % width - end % width)


@shared
def motion(before, after, sheet):
    """Write the motion from one state to the next, or nothing if nothing visible happens.

    Nothing is written either if `after` is not exactly one step after `before`, for example after an undo or a jump.
    """
    width, players = after.width, player_count(after)
    if before.planes.shape != after.planes.shape or before.width != width:
        return
    if int(after.game[0].steps) - int(before.game[0].steps) != 1:
        return
    start, end = moved_box(before, after)
    if start < 0:
        return  # the states belong to different rooms
    walked = 0
    for who in range(players):
        steps = distance(player_cell(before, who), player_cell(after, who), width)
        if steps > 1:
            return
        walked += steps
    if walked == 0 and start == 0:
        if not after.game[0].valid:
            wince(after, sheet)
        return
    row(sheet, MOTION, PUSH_SECONDS if start else WALK_SECONDS)
    if start:
        slide(before, after, start, end, sheet)
    for who in range(players):
        player_sprite(sheet, after, who, player_cell(before, who), 1.0)


@shared
def slide(before, after, start, end, sheet):
    """Write the tiles under a sliding box, and the sprites of the box.

    A box turns green while it slides onto its target, and loses the green colour while it slides off.
    """
    planes, width, box, numbered = after.planes[0], after.width, box_at(after, end), int(has_numbers(after))
    row(sheet, TILE, start // width, start % width, tile_of(planes, width, start, 0, numbered))
    row(sheet, TILE, end // width, end % width, tile_of(planes, width, end, 0, numbered))
    loose = LOOSE_BOX + 2 * box * numbered
    was_home, is_home = target_at(before, start) == box, target_at(after, end) == box
    sprite(sheet, loose, start // width, start % width, end // width, end % width)
    if was_home or is_home:
        sprite(
            sheet, loose + 1, start // width, start % width, end // width, end % width, 1.0 * was_home, 1.0 * is_home
        )


@shared
def wince(state, sheet):
    """Write the motion after a failed action, when nothing has moved.

    The state does not record which player acted, so if there are two players, both of them shrink.
    """
    row(sheet, MOTION, BUMP_SECONDS)
    for who in range(player_count(state)):
        player_sprite(sheet, state, who, player_cell(state, who), WINCE)
