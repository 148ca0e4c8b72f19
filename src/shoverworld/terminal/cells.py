"""A board in a terminal: two characters a cell, or one where there is less room; signs and colours come from its room."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.color import Color
from rich.style import Style
from rich.text import Text

from shoverworld.core.game import Game
from shoverworld.core.ui import Cell, Colour, Mark, Scene

ARROWS = ("↑", "→", "↓", "←")


class View(NamedTuple):
    """Which part of a board is seen, and how wide a cell is."""

    top: int
    left: int
    rows: int
    cols: int
    width: int = 2


def view_of(scene: Scene, columns: int, lines: int, focus: Cell) -> View:
    """As much of a board as fits, around the cell that matters most."""
    rows, cols = scene.tiles.shape
    width = 2 if 2 * cols <= columns else 1
    shown_rows, shown_cols = min(rows, lines), min(cols, columns // width)
    top = min(max(0, focus[0] - shown_rows // 2), rows - shown_rows)
    left = min(max(0, focus[1] - shown_cols // 2), cols - shown_cols)
    return View(top, left, shown_rows, shown_cols, width)


def lines(
    game: Game,
    scene: Scene,
    view: View,
    marks: Iterable[Mark] = (),
    cursor: Cell | None = None,
    rim: bool = False,
) -> list[Text]:
    """The board, a line a row, with what is marked on it; `rim`: and what lies round it."""
    signs: dict[Cell, tuple[str, Style]] = {}
    known: dict[int, tuple[str, Style]] = {}
    for row in _rows(view):
        for col in range(view.left, view.left + view.cols):
            signs[row, col] = _sign(game, int(scene.tiles[row, col]), view.width, known)
    actors = {(round(actor.end[0]), round(actor.end[1])): actor.tile for actor in scene.actors}
    for cell in actors.keys() & signs.keys():
        signs[cell] = _sign(game, actors[cell], view.width, known)
    for mark in marks:
        for cell in _cells(mark):
            if cell in signs and not (cell in actors and mark.kind == "dot"):
                untold = mark._replace(text="") if cell in actors and mark.kind == "shade" else mark
                signs[cell] = _marked(*signs[cell], untold, view.width)
    if cursor in signs:
        text, style = signs[cursor]
        signs[cursor] = text, style + Style(reverse=True, bold=True)
    found = [_line([signs[row, col] for col in range(view.left, view.left + view.cols)]) for row in _rows(view)]
    return found if scene.rim is None or not rim else _rimmed(found, *_sign(game, scene.rim, 1, {}))


def _rows(view: View) -> range:
    return range(view.top, view.top + view.rows)


def _line(signs: list[tuple[str, Style]]) -> Text:
    """Signs beside one another; those of one style are written together."""
    runs = groupby(signs, lambda sign: sign[1])
    return Text.assemble(*(("".join(text for text, _ in run), style) for style, run in runs))


def _rimmed(board: list[Text], text: str, style: Style) -> list[Text]:
    edge = Text.assemble((text * (board[0].cell_len + 2), style))
    return [edge, *(Text.assemble((text, style), line, (text, style)) for line in board), edge]


def told_beside(marks: Sequence[Mark], width: int) -> list[Mark]:
    """Marks whose text has no room in their cell: it has to be told elsewhere."""
    room = {"frame": 0, "arrow": width - 1, "shade": width}
    return [mark for mark in marks if mark.kind in room and len(mark.text) > room[mark.kind]]


def _sign(game: Game, tile: int, width: int, known: dict[int, tuple[str, Style]]) -> tuple[str, Style]:
    if tile not in known:
        text, style = game.ui.drawing.glyph(tile, width)
        known[tile] = text, Style.parse(style)
    return known[tile]


def _cells(mark: Mark) -> list[Cell]:
    """Those it changes. Of a line only its ends could be shown: dots tell them."""
    if mark.kind == "line":
        return []
    (top, left), rows, cols = mark.cell, mark.rows, mark.cols
    return [(row, col) for row in range(top, top + rows) for col in range(left, left + cols)]


def _marked(text: str, style: Style, mark: Mark, width: int) -> tuple[str, Style]:
    """A sign with a mark on it. A terminal has no lines within its cells, so a frame colours all that it holds."""
    if mark.kind == "dot":
        return _dotted(style, mark, width)
    strength = mark.strength if mark.kind == "shade" else 1.0
    ground = _mixed(style.bgcolor, mark.colour, strength)
    if mark.kind == "arrow":
        arrow = ARROWS[mark.direction]
        text = f"{mark.text if len(mark.text) < width else ''}{arrow}".rjust(width)[:width]
    elif mark.kind == "shade" and 0 < len(mark.text) <= width:
        text = mark.text.rjust(width)
    loud = mark.kind != "shade" or style.bold  # under a shade, what stands out stays so: also without colours
    ink = Color.from_rgb(*_ink(ground))
    return text, Style(color=ink, bgcolor=Color.from_rgb(*ground), bold=loud, underline=loud and mark.kind == "shade")


def _dotted(style: Style, mark: Mark, width: int) -> tuple[str, Style]:
    """A small dot lies on the ground; a large one covers the cell, and a crossed one says so."""
    colour = Color.from_rgb(*mark.colour)
    if mark.style == "small":
        return "•".ljust(width), Style(color=colour, bgcolor=style.bgcolor)
    if mark.style == "cross":
        text = f"{mark.text}x" if width > len(mark.text) else "x"
        return text.ljust(width)[:width], Style(color=colour, bgcolor=Color.parse("grey15"), bold=True)
    text = mark.text[:width].rjust(width) or "o".rjust(width)
    return text, Style(color=Color.from_rgb(*_ink(mark.colour)), bgcolor=colour, bold=True)


def _mixed(ground: Color | None, colour: Colour, strength: float) -> Colour:
    below = (ground or Color.parse("black")).get_truecolor(foreground=False)
    red, green, blue = (round(old + (new - old) * strength) for old, new in zip(below, colour, strict=True))
    return red, green, blue


def _ink(ground: Colour) -> Colour:
    """What is read best on this ground."""
    red, green, blue = ground
    return (0, 0, 0) if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else (255, 255, 255)
