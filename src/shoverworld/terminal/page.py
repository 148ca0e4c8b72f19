"""The layout of a game in a terminal: the title, the board, the statistics, the message and a line of keys."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from shoverworld.core.game import Game
from shoverworld.core.ui import Cell, Figure, Mark, Scene
from shoverworld.play.board import focus_of

from . import cells
from .help import wrapped

LEAST = 30, 10  # minimum number of columns and rows for a game
PANEL, WIDE_PANEL = 32, 48  # minimum and maximum width, in columns, of the statistics beside the board
BESIDE = 60  # minimum number of columns to show the statistics beside the board
TALL = 16  # minimum number of terminal rows for a two-line message
BAR = 16
CELL = 50, 16  # columns and rows needed for each line of a cell: a 100 x 32 terminal gets cells of two lines
LARGEST = 4  # maximum height of a cell in lines
BODY, LOG = 16, 12  # minimum number of lines above the message if there is space; maximum length of the log
MORE = " … (F1)"
TONES = {"": "", "good": "bold green3", "bad": "bold red1", "warn": "bold yellow3"}


class TableText(NamedTuple):
    """Everything that a game's page shows."""

    game: Game
    scene: Scene
    title: str
    figures: Sequence[Figure] = ()
    notes: Sequence[Text] = ()  # lines below the statistics
    log: Sequence[Text] = ()  # lines below the notes; only the latest lines that fit are shown
    back: int = 0  # number of lines by which the log is scrolled up
    message: str = ""
    tone: str = ""
    keys: str = ""
    marks: Sequence[Mark] = ()
    cursor: Cell | None = None


class TerminalPage(NamedTuple):
    """The lines of a page, and the position of the board on the page."""

    lines: list[Text]
    view: cells.BoardPart | None = None
    row: int = 0
    col: int = 0

    def cell_at(self, row: int, col: int) -> Cell | None:
        """Return the cell of the board at a position in the terminal, or None outside the board."""
        if self.view is None or row < self.row or col < self.col:
            return None
        down, right = (row - self.row) // self.view.height, (col - self.col) // self.view.width
        if down >= self.view.rows or right >= self.view.cols:
            return None
        return self.view.top + down, self.view.left + right


def page(content: TableText, columns: int, rows: int) -> TerminalPage:
    """Lay out the page. The last column stays free, because terminals differ in how they treat it."""
    if columns < LEAST[0] or rows < LEAST[1]:
        need = f"{LEAST[0]} x {LEAST[1]}"
        return TerminalPage([Text(line) for line in ("terminal too small:", f"{columns} x {rows}", f"needs {need}")])
    return _beside(content, columns - 1, rows) if columns >= BESIDE else _above(content, columns - 1, rows)


def _beside(content: TableText, columns: int, rows: int) -> TerminalPage:
    """Lay out the page with the statistics to the right of the board."""
    foot = _foot(content, columns, rows)
    most = rows - 1 - len(foot)
    board, view, rim = _board(content, columns - PANEL - 2, most, _largest(columns, rows))
    wide = board[0].cell_len + 2
    width = min(WIDE_PANEL, columns - wide)
    panel = [*figure_lines(content.figures, width), *content.notes, *legend(content, view.width)]
    count = len(panel)
    # The lines of the log may use the full width beside the board.
    panel += _log(content, min(most, max(len(board), count + LOG)) - count)
    height = min(most, max(BODY, len(board) + 1, len(panel) + 1))  # the message and the keys stay near the board
    between = [_joined(board, panel, row, wide, width if row < count else columns - wide) for row in range(height)]
    return TerminalPage([_title(content, view, columns), *between, *foot], view, 1 + rim[0], rim[1])


def _largest(columns: int, rows: int) -> int:
    """Return the maximum height of a cell on a screen of this size. `columns` does not include the free last column."""
    return max(1, min((columns + 1) // CELL[0], rows // CELL[1], LARGEST))


def _log(content: TableText, room: int) -> list[Text]:
    """Return an empty line and the visible part of the log: the last lines, unless the log is scrolled up."""
    if not content.log or room < 2:
        return []
    last = max(min(room - 1, len(content.log)), len(content.log) - content.back)
    return [Text(), *content.log[max(0, last - room + 1) : last]]


def _board(
    content: TableText, columns: int, height: int, largest: int
) -> tuple[list[Text], cells.BoardPart, tuple[int, int]]:
    """Return the visible lines of the board, the part of the board that they show, and the height and width of the rim.
    The rim is shown only if the whole board fits."""
    game, scene, marks = content.game, content.scene, content.marks
    focus = content.cursor or focus_of(scene)
    if scene.rim is not None:
        inner = cells.part_of(scene, columns, height, focus, largest, rimmed=True)
        if (inner.rows, inner.cols) == scene.tiles.shape:
            return cells.lines(game, scene, inner, marks, content.cursor, rim=True), inner, inner.rim
    view = cells.part_of(scene, columns, height, focus, largest)
    return cells.lines(game, scene, view, marks, content.cursor), view, (0, 0)


def _joined(board: list[Text], panel: list[Text], row: int, wide: int, width: int) -> Text:
    line = board[row].copy() if row < len(board) else Text()
    if row < len(panel):
        line.append(" " * (wide - line.cell_len))
        line.append_text(_cut(panel[row], width))
    return line


def _above(content: TableText, columns: int, rows: int) -> TerminalPage:
    """Lay out the page with the statistics in a few lines above the board."""
    notes = [Text("  ").join(note for note in content.notes if note)] if content.notes else []
    head = [*_flowed(content.figures, columns)[: max(1, rows // 4)], *(_cut(note, columns) for note in notes[:1])]
    foot = _foot(content, columns, rows)
    most = rows - 1 - len(head) - len(foot)
    board, view, rim = _board(content, columns, most, _largest(columns, rows))
    board += [Text()] * (min(most, max(BODY - len(head), len(board) + 1)) - len(board))
    return TerminalPage([_title(content, view, columns), *head, *board, *foot], view, 1 + len(head) + rim[0], rim[1])


def _title(content: TableText, view: cells.BoardPart, columns: int) -> Text:
    rows, cols = content.scene.tiles.shape
    if (view.rows, view.cols) == (rows, cols):
        return _cut(Text(content.title, "bold"), columns)
    part = f"  rows {view.top}-{view.top + view.rows - 1}, columns {view.left}-{view.left + view.cols - 1} of {rows} x {cols}"
    return Text.assemble(_cut(Text(content.title, "bold"), max(1, columns - len(part))), (part, "dim"))


def _foot(content: TableText, columns: int, rows: int) -> list[Text]:
    """Return the message in one or two lines, and the line of keys. A message that is too long is truncated; the help
    page shows it in full."""
    room = 2 if rows >= TALL and rows != len(content.scene.tiles) + 3 else 1  # a single line lets the board fit
    lines = wrapped(content.message, columns)
    if len(lines) > room:
        last = " ".join(lines[room - 1 :])
        lines = [*lines[: room - 1], f"{wrapped(last, columns - len(MORE))[0]}{MORE}"]
    lines += [""] * (room - len(lines))
    keys = Text(_as_many(content.keys.split(" · "), columns), "dim")
    return [*(_cut(Text(line, TONES[content.tone]), columns) for line in lines), _cut(keys, columns)]


def _as_many(keys: list[str], columns: int) -> str:
    """Return as many keys as fit, without cutting any of them."""
    while len(keys) > 1 and cell_len(" · ".join(keys)) > columns:
        keys = keys[:-1]
    return " · ".join(keys)


# --- parts


def figure_lines(figures: Sequence[Figure], width: int) -> list[Text]:
    """Return one or more lines for each statistic, followed by a bar if the statistic has a `share`."""
    found: list[Text] = []
    labels = min(
        max((cell_len(figure.label) + 2 * bool(figure.colour) for figure in figures), default=0), width * 3 // 5
    )
    for figure in figures:
        head = _labelled(figure, labels + 1)
        first, *rest = wrapped(figure.value, width - labels - 1) or [""]
        found.append(Text.assemble(head, (first, TONES[figure.tone] or "bold")))
        found += [Text.assemble(" " * (labels + 1), (line, TONES[figure.tone] or "bold")) for line in rest]
        if figure.share is not None:
            found.append(
                Text.assemble(" " * (labels + 1), bar(figure.share, min(BAR, width - labels - 1), figure.tone))
            )
    return found


def _labelled(figure: Figure, width: int) -> Text:
    """Return the label of a statistic. If it is about a player, a dot in the player's colour precedes the
    label."""
    if figure.colour is None:
        return Text(figure.label.ljust(width), "dim", no_wrap=True)
    red, green, blue = figure.colour
    label = figure.label[: width - 3].ljust(width - 2)
    return Text.assemble(("● ", f"rgb({red},{green},{blue})"), (label, "dim"), no_wrap=True)


def bar(share: float, width: int, tone: str = "") -> Text:
    full = round(min(1.0, max(0.0, share)) * width)
    return Text.assemble(("█" * full, TONES[tone] or "dodger_blue2"), ("░" * (width - full), "grey35"))


def legend(content: TableText, width: int) -> list[Text]:
    """Return one line for each mark whose text does not fit into its cell."""
    name = content.game.ui.texts.place_name
    long = cells.too_long(content.marks, width)
    return [
        Text.assemble(
            ("● ", f"rgb({mark.colour[0]},{mark.colour[1]},{mark.colour[2]})"),
            (f"{name(mark.cell)}: ", "dim"),
            f"{mark.text}{' ' + cells.ARROWS[mark.direction] if mark.kind == 'arrow' else ''}",
        )
        for mark in long
    ]


def _flowed(figures: Sequence[Figure], columns: int) -> list[Text]:
    """Place the statistics one after the other, in as many lines as needed."""
    found = [Text()]
    for figure in figures:
        part = Text.assemble((f"{figure.label} ", "dim"), (figure.value, TONES[figure.tone] or "bold"))
        if figure.share is not None:
            part.append(" ").append_text(bar(figure.share, 8, figure.tone))
        if found[-1].cell_len and found[-1].cell_len + 2 + part.cell_len > columns:
            found.append(Text())
        if found[-1].cell_len:
            found[-1].append("  ")
        found[-1].append_text(part)
    return [_cut(line, columns) for line in found]


def _cut(text: Text, width: int) -> Text:
    text = text.copy()
    text.truncate(width, overflow="ellipsis")
    return text
