"""The front of Sokoban: everything core/ui.py asks of a room, put together."""

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
    Scene,
    Score,
)

from .. import tiles
from ..env import SokobanEnv
from ..levels import Level
from ..state import SokobanState
from . import draft, figures, marks, motion, places, scene, words
from .advice import solve
from .glyphs import glyph
from .hand import KEYS, MOUSE, SokobanHand
from .presets import FIXED, PRESETS, RULES, rules_for, rules_of

State = SokobanState


class SokobanFront:
    game = "sokoban"
    title = "Sokoban"
    goal = "Bring every box onto a target. You push them, one at a time; a box in a corner stays there."
    presets = PRESETS
    overlays = marks.OVERLAYS
    keys = KEYS
    mouse = MOUSE
    agents: tuple[str, ...] = ("planner", "random")
    company: Company | None = None
    brushes = draft.BRUSHES
    formats = draft.FORMATS

    # --- places

    def collections(self) -> list[Collection]:
        return list(places.collections())

    def boards(self, collection: str | None = None) -> list[Board]:
        return places.boards(places.collections()[0].name if collection is None else collection)

    def read(self, path: str) -> Board:
        return places.read(path)

    def random(self, preset: str, seed: int) -> Board:
        return places.random_board(word("preset", preset, RULES), seed)

    def environment(self, board: Board, preset: str) -> GridEnv:
        return SokobanEnv(levels=board.level, rules=rules_for(board, preset))

    def options(self, board: Board) -> dict[str, Any]:
        return {"map": board.level}

    def place_spares_steps(self, env: GridEnv) -> bool:
        return False

    def identity(self, board: Board, preset: str) -> str:
        return places.identity(board.level, preset)

    def recognise(self, env: GridEnv) -> Board:
        return places.recognise(env)

    def score(self, env: GridEnv, state: State) -> Score | None:
        return figures.score(state)

    def best_known(self, identity: str) -> Score | None:
        return places.best_known(identity)

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
        level: Level = board.level
        return scene.still(level.walls, *scene.numbered(level, board.preset == FIXED), level.players)

    # --- words

    def figures(self, env: GridEnv, state: State, hand: Hand | None) -> list[Figure]:
        return figures.figures(rules_of(env), state) + (hand.lines() if isinstance(hand, SokobanHand) else [])

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
        return SokobanHand(rules_of(env))

    def marks(self, overlay: str, env: GridEnv, state: State, plan: Plan | None) -> list[Mark]:
        return marks.overlay(overlay, rules_of(env), state, plan)

    def hint(self, env: GridEnv, state: State, action: Any) -> tuple[Mark, ...]:
        return marks.hint(rules_of(env), state, action)

    def solve(self, env: GridEnv, state: State, seconds: float, progress: Callable[[Plan], Any] | None = None) -> Plan:
        return solve(rules_of(env), state, seconds, progress)


FRONT: Front = SokobanFront()
