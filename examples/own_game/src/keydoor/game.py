"""The descriptor of Key and Door."""

from pathlib import Path

from shoverworld.core.game import EnvId, Lazy
from shoverworld.games.defaults import Glyph, Key, SmallGame


class KeyDoorGame(SmallGame):
    name = "keydoor"
    title = "Key and Door"
    goal = "Find the key, open the door and leave the maze."
    namespace = "keydoor"
    ids = (EnvId("KeyDoor-v0", {}, "a maze with keys and doors"),)
    env = Lazy("keydoor.env:KeyDoorEnv")
    won = "escaped"
    figures = ("steps", "keys")
    level_folder = Path(__file__).parent / "levels"
    glyphs = (
        Glyph(".", "floor", "floor", (232, 228, 216)),
        Glyph("#", "wall", "wall", (72, 76, 92)),
        Glyph("A", "player", "actor", (46, 110, 190), once=True),
        Glyph("K", "key", "item", (230, 180, 40)),
        Glyph("D", "door", "item", (150, 90, 50)),
        Glyph("E", "exit", "item", (60, 150, 80), once=True),
    )
    keys = (
        Key("up", 0, "walk up"),
        Key("right", 1, "walk right"),
        Key("down", 2, "walk down"),
        Key("left", 3, "walk left"),
    )

    def heuristic(self, state) -> float:
        """Return the number of steps that the player would need to reach the exit if there were no walls or doors."""
        for row, line in enumerate(state.cells):
            if "E" in line:
                return abs(row - state.row) + abs(line.index("E") - state.col)
        return 0.0


GAME = KeyDoorGame()
