"""The list of moves in a terminal, in the game's notation, with the current position marked."""

from rich.text import Text

from shoverworld.play.clipboard import WrittenMoves

WIDTH, LINES = 30, 4  # width in columns, and maximum number of lines
CARET = "▏"


def move_lines(moves: WrittenMoves | None) -> list[Text]:
    """Return an empty line and the lines around the current position. Moves after this position are dimmed."""
    if moves is None or not any((*moves.before, *moves.after)):
        return []
    lines, at = [Text()], 0
    for symbols, style in ((moves.before[-WIDTH * LINES :], ""), (moves.after[: WIDTH * LINES], "dim")):
        for symbol in filter(None, symbols):
            text = symbol + moves.separator
            if lines[-1].cell_len + len(text) > WIDTH:
                lines.append(Text())
            lines[-1].append(text, style)
        if not style:
            at = len(lines) - 1
            lines[-1].append(CARET, "bold dodger_blue2")
    top = min(max(0, at - LINES // 2), max(0, len(lines) - LINES))
    first, *others = lines[top : top + LINES]
    return [Text(), Text("Moves: ", "dim").append_text(first), *others]
