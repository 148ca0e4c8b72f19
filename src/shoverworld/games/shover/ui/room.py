"""The front of Shover-World: everything core/ui.py asks of a room, put together."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shoverworld.core.checks import word
from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.core.ui import (
    Board,
    Collection,
    Company,
    Draft,
    Figure,
    Front,
    Hand,
    Mark,
    Motion,
    Move,
    Preset,
    Scene,
    Score,
)  # fmt: skip

from .. import tiles
from ..config import PRESETS, Rules
from ..env import ShoverWorldEnv
from ..state import State, frame_of
from . import draft, figures, marks, motion, places, scene, words
from .best import best_known, score
from .glyphs import glyph
from .hand import KEYS, MOUSE, ShoverHand
from .recognise import recognise


def rules_of(env: GridEnv) -> Rules:
    return env.unwrapped.rules  # type: ignore[attr-defined]


class ShoverFront:
    game = "shover"
    title = "Shover-World"
    goal = "Empty the dock: burn the boxes in lava, or turn perfect squares of them into barriers or lava."
    presets = (
        Preset("milestone1", "The shover leaps to the box he pushes. The edge of the map is a wall."),
        Preset("walker", "The shover walks cell by cell and must stand behind a box to push it."),
        Preset("phase2", "Select a box and push it; there is no walking. What leaves the map burns."),
    )
    overlays = marks.OVERLAYS
    keys = KEYS
    mouse = MOUSE
    agents: tuple[str, ...] = ("planner", "greedy", "phase2-astar", "phase2-rbfs", "random")
    company: Company | None = None
    brushes = draft.BRUSHES
    formats = draft.FORMATS

    # --- places

    def collections(self) -> list[Collection]:
        return [places.LESSONS]

    def boards(self, collection: str | None = None) -> list[Board]:
        return places.boards(places.LESSONS.name if collection is None else collection)

    def read(self, path: str) -> Board:
        return places.read(path)

    def random(self, preset: str, seed: int) -> Board:
        return places.random_board(word("preset", preset, PRESETS), seed)

    def environment(self, board: Board, preset: str) -> GridEnv:
        return ShoverWorldEnv(rules=word("preset", preset, PRESETS), n_rows=board.level.rows, n_cols=board.level.cols)

    def options(self, board: Board) -> dict[str, Any]:
        return {"map": board.level}

    def place_spares_steps(self, env: GridEnv) -> bool:
        return rules_of(env).actor == "walk"

    def identity(self, board: Board, preset: str) -> str:
        return places.identity(board.level, preset)

    def recognise(self, env: GridEnv) -> Board:
        return recognise(env)

    def score(self, env: GridEnv, state: State) -> Score | None:
        return score(state)

    def best_known(self, identity: str) -> Score | None:
        return best_known(identity)

    # --- drawing

    def blank(self, preset: str) -> Draft:
        return draft.blank(preset)

    def draft(self, board: Board) -> Draft:
        return draft.draft_of(board)

    def restored(self, kept: dict[str, Any]) -> Draft:
        return draft.restored(kept)

    # --- pictures

    def scene(self, state: State) -> Scene:
        return scene.scene(state)

    def motion(self, before: State, after: State) -> Motion | None:
        return motion.motion(before, after)

    def tile(self, tile: int, size: int) -> np.ndarray:
        return tiles.tile(tile, size)

    def glyph(self, tile: int, width: int) -> tuple[str, str]:
        return glyph(tile, width)

    def thumbnail(self, board: Board) -> Scene:
        rules = PRESETS.get(board.preset)  # a board taken from a replay may have rules of its own
        return scene.still(board.level.grid, board.level.agent, frame=frame_of(rules.edge) if rules else None)

    # --- words

    def figures(self, env: GridEnv, state: State, hand: Hand | None) -> list[Figure]:
        return figures.figures(rules_of(env), state, hand)

    def move(self, env: GridEnv, before: State, after: State) -> Move:
        return words.move(rules_of(env), before, after)

    def why_invalid(self, env: GridEnv, before: State, after: State) -> str:
        return words.why_invalid(rules_of(env), before, after)

    def describe(self, env: GridEnv, state: State, action: Any) -> str:
        return words.describe(rules_of(env), state, action)

    def ending(self, env: GridEnv, state: State) -> list[Figure]:
        return figures.ending(rules_of(env), state)

    # --- help

    def hand(self, env: GridEnv) -> Hand:
        return ShoverHand(rules_of(env))

    def marks(self, overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
        return marks.overlay(overlay, rules_of(env), state, plan)

    def hint(self, env: GridEnv, state: State, action: Any) -> tuple[Mark, ...]:
        return marks.hint(rules_of(env), state, action)

    def solve(self, env: GridEnv, state: State, seconds: float, progress: Callable[[Plan], Any] | None = None) -> Plan:
        from ..planner import solve  # only when asked for: it is long in loading

        return solve(state, rules_of(env), time_limit=seconds, progress=progress)


FRONT: Front = ShoverFront()
