"""Tables that fit the width of the terminal without cutting a heading or a number.

Text columns are wrapped if space is short. If that is not enough, the columns are spread over several tables, one below
the other, each of which begins with the first column.
"""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table

from shoverworld.core.reports import Column
from shoverworld.core.text import one_line
from shoverworld.terminal.console import SafeConsole

GAP = 2  # characters between two columns
MOST_NAMED = 3  # the maximum number of levels that are listed with an error
NARROW = 16  # a text column is never narrower than this or than its longest word


def print_table(console: SafeConsole, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """Print a table. The first column identifies the rows."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    width = console.columns or console.width
    widths = [max(map(cell_len, (column.heading, *own))) for column, *own in zip(columns, *cells, strict=True)]
    least = [min(wide, NARROW) if column.wraps else wide for column, wide in zip(columns, widths, strict=True)]
    least[0] = min(least[0], max(NARROW, width // 3))
    for number, group in enumerate(_groups(least, width)):
        if number:
            console.print()
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        for place in group:
            column, rigid = columns[place], place and not columns[place].wraps
            table.add_column(
                column.heading, justify="right" if column.right else "left", overflow="fold",
                no_wrap=bool(rigid), min_width=least[place], max_width=widths[place],
            )  # fmt: skip
        for row in cells:
            table.add_row(*(row[place] for place in group))
        console.print(table, width=min(width, sum(widths[place] + GAP for place in group)))


def print_errors(console: SafeConsole, errors: Iterable[tuple[str, str, str]]) -> None:
    """Print errors from agents, given as (agent, level, error). Repeated errors are printed only once."""
    levels: dict[tuple[str, str], list[str]] = {}
    for agent, level, error in errors:
        found = levels.setdefault((agent, error), [])
        if level not in found:
            found.append(level)
    for (agent, error), found in levels.items():
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        console.print(
            f"{agent}: {error} (on {', '.join(found[:MOST_NAMED])}{more})",
            style="red",
            soft_wrap=console.columns is None,
        )


def _groups(least: Sequence[int], width: int) -> list[list[int]]:
    """Distribute the columns over as few tables as possible. The first column appears in every table."""
    groups, used = [[0]], least[0]
    for place in range(1, len(least)):
        if used + GAP + least[place] > width and len(groups[-1]) > 1:
            groups.append([0])
            used = least[0]
        groups[-1].append(place)
        used += GAP + least[place]
    return groups
