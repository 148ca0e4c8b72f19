"""Replays in Jupyter notebooks: the web player in a frame, on top of a picture of the final board."""

import base64
import html

from shoverworld.core.errors import ReplayError, ShoverWorldError
from shoverworld.core.notebook import png
from shoverworld.core.replay import Replay
from shoverworld.play.replay_cursor import ReplayCursor

from .single_page import page_of_cursor

HEIGHT, WIDTH = 560, 960  # of the frame in pixels


def html_of_replay(replay: Replay) -> str:
    """Return HTML for the output of a notebook cell.

    The frame covers the picture. If a viewer removes frames, as in a notebook that is not trusted, the picture remains.
    If the replay is invalid, the HTML contains the error message.
    """
    try:
        cursor = ReplayCursor(replay)
    except ReplayError as reason:
        return f"<pre>{html.escape(str(reason))}</pre>"
    title = html.escape(f"{cursor.game.title}: {cursor.title or 'replay'}")
    cursor.go(cursor.last)
    picture = base64.b64encode(png(cursor.env.picture())).decode("ascii")
    return (
        f'<div style="position: relative; max-width: {WIDTH}px; height: {HEIGHT}px">'
        f'<img alt="{title}" src="data:image/png;base64,{picture}" style="max-width: 100%; max-height: 100%">'
        f"{_frame(cursor, title)}</div>"
    )


def _frame(cursor: ReplayCursor, title: str) -> str:
    """Return a frame with the player, or "" if the game has none. The page can neither request nor store anything."""
    try:
        page = html.escape(page_of_cursor(cursor))
    except ShoverWorldError:
        return ""
    return (
        f'<iframe title="{title}" sandbox="allow-scripts" allow="clipboard-write" srcdoc="{page}" '
        'style="position: absolute; inset: 0; width: 100%; height: 100%; border: 1px solid #8888"></iframe>'
    )
