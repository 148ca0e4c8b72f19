"""A board in a terminal: two characters per cell, one if space is short, or several lines per cell on a large screen.
The game provides the characters and colours."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.color import Color
from rich.style import Style
from rich.text import Text

from shoverworld.core.game import Game
from shoverworld.core.ui import Cell, Colour, Mark, Scene

ARROWS = ("↑", "→", "↓", "←")
FLOOR = "·"  # an empty cell, which has no border


class BoardPart(NamedTuple):
    """The visible part of a board, and the size of a cell: its width in characters and its height in lines."""

    top: int
    left: int
    rows: int
    cols: int
    width: int = 2
    height: int = 1

    @property
    def rim(self) -> tuple[int, int]:
        """The height and width of the rim around the board; the rim is half as wide as a cell."""
        return max(1, self.height // 2), max(1, self.width // 2)


def part_of(scene: Scene, columns: int, lines: int, focus: Cell, largest: int = 1, rimmed: bool = False) -> BoardPart:
    """Return the largest part of a board around the cell `focus` that fits into this many columns and lines. `largest`:
    the maximum height of a cell; a larger cell is used only if the whole board fits. `rimmed`: leave room for a rim."""
    rows, cols = scene.tiles.shape
    for height in range(largest, 1, -1):
        whole = BoardPart(0, 0, rows, cols, 2 * height, height)
        down, right = whole.rim if rimmed else (0, 0)
        if height * rows + 2 * down <= lines and 2 * height * cols + 2 * right <= columns:
            return whole
    columns, lines = columns - 2 * rimmed, lines - 2 * rimmed
    width = 2 if 2 * cols <= columns else 1
    shown_rows, shown_cols = min(rows, lines), min(cols, columns // width)
    top = min(max(0, focus[0] - shown_rows // 2), rows - shown_rows)
    left = min(max(0, focus[1] - shown_cols // 2), cols - shown_cols)
    return BoardPart(top, left, shown_rows, shown_cols, width)


def lines(
    game: Game,
    scene: Scene,
    view: BoardPart,
    marks: Iterable[Mark] = (),
    cursor: Cell | None = None,
    rim: bool = False,
) -> list[Text]:
    """Return the visible rows of the board with the marks and, if `rim` is true, with the rim around the board."""
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
                plain = mark._replace(text="") if cell in actors and mark.kind == "shade" else mark
                signs[cell] = _marked(*signs[cell], plain, view.width)
    if cursor in signs:
        text, style = signs[cursor]
        signs[cursor] = text, style + Style(reverse=True, bold=True)
    found = []
    for row in _rows(view):
        across = [signs[row, col] for col in range(view.left, view.left + view.cols)]
        for line in range(view.height):
            found.append(_line([(_part(text, line, view.height), style) for text, style in across]))
    return found if scene.rim is None or not rim else _rimmed(found, view.rim, *_sign(game, scene.rim, 1, {}))


def _part(text: str, line: int, height: int) -> str:
    """Return one line of a cell, given the text of its middle line. A pattern fills the whole cell, and an object has a
    thin border on the right and below, so that neighbouring objects can be distinguished."""
    if height == 1 or len(set(text)) == 1:
        return text
    shown = text if line == (height - 1) // 2 else " " * len(text)
    if text.strip() == FLOOR:
        return shown
    return ("▁" * len(text) if line == height - 1 else shown)[:-1] + "▕"


def _rows(view: BoardPart) -> range:
    return range(view.top, view.top + view.rows)


def _line(signs: list[tuple[str, Style]]) -> Text:
    """Join the cells in a row. Neighbouring cells with the same style are merged."""
    runs = groupby(signs, lambda sign: sign[1])
    return Text.assemble(*(("".join(text for text, _ in run), style) for style, run in runs))


def _rimmed(board: list[Text], size: tuple[int, int], text: str, style: Style) -> list[Text]:
    down, right = size
    edge = [Text.assemble((text * (board[0].cell_len + 2 * right), style))] * down
    side = text * right, style
    return [*edge, *(Text.assemble(side, line, side) for line in board), *edge]


def too_long(marks: Sequence[Mark], width: int) -> list[Mark]:
    """Return each mark whose text does not fit into its cell and is therefore shown beside the board."""
    room = {"frame": 0, "arrow": width - 1, "shade": width}
    return [mark for mark in marks if mark.kind in room and len(mark.text) > room[mark.kind]]


def _sign(game: Game, tile: int, width: int, known: dict[int, tuple[str, Style]]) -> tuple[str, Style]:
    if tile not in known:
        text, style = game.ui.drawing.glyph(tile, min(width, 2))
        known[tile] = _widened(text, width), Style.parse(style)
    return known[tile]


def _widened(text: str, width: int) -> str:
    """Return the text for a cell with this width: a pattern is repeated, and other text is centred."""
    if len(text) >= width:
        return text
    return text[0] * width if len(set(text)) == 1 else text.strip().center(width)


def _cells(mark: Mark) -> list[Cell]:
    """Return the cells that a mark changes. A line is not shown, but the dots at its ends are."""
    if mark.kind == "line":
        return []
    (top, left), rows, cols = mark.cell, mark.rows, mark.cols
    return [(row, col) for row in range(top, top + rows) for col in range(left, left + cols)]


def _marked(text: str, style: Style, mark: Mark, width: int) -> tuple[str, Style]:
    """Return the text and style for a cell with a mark on it. A frame colours every cell inside it, because a terminal
    cannot draw lines inside cells."""
    if mark.kind == "dot":
        return _dotted(style, mark, width)
    strength = mark.strength if mark.kind == "shade" else 1.0
    ground = _mixed(style.bgcolor, mark.colour, strength)
    if mark.kind == "arrow":
        arrow = ARROWS[mark.direction]
        text = _fitted(f"{mark.text if len(mark.text) < width else ''}{arrow}", width)
    elif mark.kind == "shade" and 0 < len(mark.text) <= width:
        text = _fitted(mark.text, width)
    loud = mark.kind != "shade" or style.bold  # bold characters stay bold under a shade, even without colours
    ink = Color.from_rgb(*_ink(ground))
    return text, Style(color=ink, bgcolor=Color.from_rgb(*ground), bold=loud, underline=loud and mark.kind == "shade")


def _fitted(text: str, width: int) -> str:
    return (text.rjust(width) if width <= 2 else text.center(width))[:width]


def _dotted(style: Style, mark: Mark, width: int) -> tuple[str, Style]:
    """Draw a dot: a small one leaves the background visible, a large one covers the cell, a crossed one has an x."""
    colour = Color.from_rgb(*mark.colour)
    if mark.style == "small":
        return _widened("• "[:width], width), Style(color=colour, bgcolor=style.bgcolor)
    if mark.style == "cross":
        text = f"{mark.text}x" if width > len(mark.text) else "x"
        return _widened(text.ljust(min(width, 2)), width), Style(color=colour, bgcolor=Color.parse("grey15"), bold=True)
    text = _fitted(mark.text[:width] or "o", width)
    return text, Style(color=Color.from_rgb(*_ink(mark.colour)), bgcolor=colour, bold=True)


def _mixed(ground: Color | None, colour: Colour, strength: float) -> Colour:
    below = (ground or Color.parse("black")).get_truecolor(foreground=False)
    red, green, blue = (round(old + (new - old) * strength) for old, new in zip(below, colour, strict=True))
    return red, green, blue


def _ink(ground: Colour) -> Colour:
    """Return black or white, whichever is readable on this background."""
    red, green, blue = ground
    return (0, 0, 0) if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else (255, 255, 255)
