"""The default user interface of a small game: coloured cells, discs with characters, and a key for each action."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from shoverworld.core.cells import place_name
from shoverworld.core.env import GridEnv
from shoverworld.core.grid import DIRECTIONS
from shoverworld.core.ui import (
    UI,
    Act,
    Board,
    Cell,
    Figure,
    InputHandler,
    Intent,
    KeyHelp,
    Mark,
    Motion,
    MoveText,
    Place,
    Preview,
    Say,
    Scene,
    SpecialMove,
    Sprite,
)

if TYPE_CHECKING:
    from . import Glyph, SmallGame

SECONDS = 0.12  # how long the animation of a move lasts


def small_ui(game: "SmallGame") -> UI:
    return UI(GlyphDrawing(game), StateTexts(game), KeyControls(game), notation=KeyNotation(game))


class GlyphDrawing:
    """Draws a small game. Each character has a tile, numbered by its index in `game.glyphs`."""

    def __init__(self, game: "SmallGame"):
        self.glyphs = game.glyphs
        self.number = {glyph.character: number for number, glyph in enumerate(game.glyphs)}
        self.tile = lru_cache(maxsize=256)(self._tile)

    def scene(self, state: Any) -> Scene:
        return self._scene(str(state))

    def thumbnail(self, board: Board) -> Scene:
        return self._scene(board.level)

    def _scene(self, text: str) -> Scene:
        tiles = np.array([[self.number[character] for character in row] for row in text.splitlines()], np.int16)
        actors = []
        for row, col in np.argwhere(np.isin(tiles, self._actors())).tolist():
            place = (float(row), float(col))
            actors.append(Sprite(int(tiles[row, col]), place, place))
            tiles[row, col] = 0  # the floor
        return Scene(tiles, tuple(actors))

    def _actors(self) -> list[int]:
        return [number for number, glyph in enumerate(self.glyphs) if glyph.kind == "actor"]

    def motion(self, before: Any, after: Any) -> Motion | None:
        """Return a motion in which the actors glide to their new cells.

        Return None if no actor moved, or if actors appeared or disappeared.
        """
        old, new = self.scene(before).actors, self.scene(after).actors
        if [actor.tile for actor in old] != [actor.tile for actor in new] or old == new:
            return None
        sprites = tuple(Sprite(end.tile, start.start, end.start) for start, end in zip(old, new, strict=True))
        return Motion({}, sprites, SECONDS)

    def glyph(self, tile: int, width: int) -> tuple[str, str]:
        glyph = self.glyphs[tile]
        fills = glyph.kind in ("floor", "wall")
        red, green, blue = glyph.colour
        floor = self.glyphs[0].colour
        text = glyph.character * width if fills else glyph.character.ljust(width)
        if fills:
            return text, f"rgb({red},{green},{blue}) on rgb({red},{green},{blue})"
        return text, f"bold rgb({red},{green},{blue}) on rgb({floor[0]},{floor[1]},{floor[2]})"

    def _tile(self, tile: int, size: int) -> np.ndarray:
        glyph = self.glyphs[tile]
        back = (0, 0, 0, 0) if glyph.kind == "actor" else (*self.glyphs[0].colour, 255)
        image = Image.new("RGBA", (size, size), back)
        pen = ImageDraw.Draw(image)
        if glyph.kind in ("floor", "wall"):
            edge = tuple(int(0.85 * part) for part in glyph.colour)
            pen.rectangle((0, 0, size - 1, size - 1), fill=glyph.colour, outline=edge)
        else:
            _disc(pen, glyph, size)
        return np.asarray(image)


def _disc(pen: ImageDraw.ImageDraw, glyph: "Glyph", size: int) -> None:
    margin = max(1, size // 10)
    pen.ellipse((margin, margin, size - 1 - margin, size - 1 - margin), fill=glyph.colour, outline=(30, 30, 30))
    letter = (255, 255, 255) if sum(glyph.colour) < 380 else (20, 20, 20)
    pen.text((size / 2, size / 2), glyph.character, letter, ImageFont.load_default(max(6, size // 2)), anchor="mm")


class StateTexts:
    """The on-screen text of a small game, made from the state's attributes `outcome`, `steps`, `valid` and `remark`."""

    def __init__(self, game: "SmallGame"):
        self.game = game

    def figures(self, env: GridEnv, state: Any, handler: InputHandler | None) -> list[Figure]:
        return [Figure("Steps", f"{getattr(state, 'steps', 0)}", large=True)]

    def ending(self, env: GridEnv, state: Any) -> list[Figure]:
        outcome = state.outcome or ""
        tone = "" if not outcome else "good" if outcome == self.game.won else "bad"
        return [Figure("Result", outcome.capitalize(), tone=tone), *self.figures(env, state, None)]

    def move(self, env: GridEnv, before: Any, after: Any) -> MoveText:
        why = env.why_invalid(after)
        kind = "invalid" if why else "goal" if after.outcome == self.game.won else ""
        return MoveText(kind, why or getattr(after, "remark", "") or "moved")

    def describe(self, env: GridEnv, state: Any, action: Any) -> str:
        return next((key.what for key in self.game.keys if key.action == int(action)), f"action {action}")

    def place_name(self, cell: Cell) -> str:
        return place_name(cell)


class KeyControls:
    """The keys of the game. Dragging in a direction has the same effect as the arrow key for that direction."""

    mouse = (KeyHelp(("drag",), "move in that direction, as with the arrow keys"),)

    def __init__(self, game: "SmallGame"):
        self.actions = {key.key: key.action for key in game.keys}
        self.keys = tuple(KeyHelp((key.key,), key.what) for key in game.keys)

    def handler(self, env: GridEnv) -> InputHandler:
        return KeyHandler(self.actions)

    def specials(self, env: GridEnv, state: Any) -> tuple[SpecialMove, ...]:
        return ()

    def place_spares_steps(self, env: GridEnv) -> bool:
        return False


class KeyNotation:
    """Moves written as the names of the keys that make them, separated by spaces."""

    separator = " "
    about = "the names of the keys"

    def __init__(self, game: "SmallGame"):
        self.actions = {key.key: key.action for key in game.keys}

    def symbol(self, env: GridEnv, state: Any, intent: Act | Place) -> str:
        found = (key for key, action in self.actions.items() if isinstance(intent, Act) and action == intent.action)
        return next(found, "")

    def split(self, text: str) -> list[str] | None:
        symbols = text.split()
        return symbols if symbols and all(symbol in self.actions for symbol in symbols) else None

    def intent(self, env: GridEnv, state: Any, symbol: str) -> Act | Place:
        return Act(self.actions[symbol])


class KeyHandler:
    """An input handler that plays the action of the pressed key. The player cannot select a cell."""

    def __init__(self, actions: dict[str, int]):
        self.actions = actions
        self.selected: Cell | None = None

    def press(self, state: Any, key: str) -> Intent | None:
        return Act(self.actions[key]) if key in self.actions else None

    def click(self, state: Any, cell: Cell) -> Intent | None:
        return Say(f"Use these keys: {', '.join(self.actions)}.")

    def drag(self, state: Any, cell: Cell, direction: int) -> Intent | None:
        return self.press(state, DIRECTIONS[direction])

    def hover(self, state: Any, cell: Cell, toward: int | None) -> Preview:
        return Preview((), "")

    def marks(self, state: Any) -> tuple[Mark, ...]:
        return ()

    def played(self, state: Any) -> None:
        pass
