"""Several players in one race: a seat is a car."""

from collections.abc import Sequence
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.ui import Board, Choice, Colour, Figure, Mark, Score

from ..env import RaceEnv
from ..record import action_words
from ..state import RaceState
from ..tiles import colour_of
from . import figures, marks
from .grid import KEYS, car_to_move, change_of, is_over, landing, legal_actions, spot, turn_of, why_not
from .presets import rules_for, rules_of


class RaceCompany:
    def most(self, board: Board) -> int:
        """As many as there are start cells."""
        return len(board.level.track.starts)

    def environment(self, board: Board, preset: str, seats: int) -> GridEnv:
        return RaceEnv(track=board.level.track, rules=rules_for(board.level, board.name, preset, seats))

    def options(self, board: Board, seats: int) -> dict[str, Any]:
        """On the cells that the board says, if it says enough of them; else by the dice."""
        track, starts = board.level
        return {"map": track} if starts is None or len(starts) < seats else {"map": track, "starts": starts[:seats]}

    def seats(self, env: GridEnv) -> int:
        return rules_of(env).cars

    def turn(self, env: GridEnv, state: RaceState) -> int:
        return turn_of(state)

    def colour(self, seat: int) -> Colour:
        return colour_of(seat)

    def choices(self, env: GridEnv, state: RaceState) -> tuple[Choice, ...]:
        if is_over(state):
            return ()
        car, legal = car_to_move(state), legal_actions(rules_of(env), state)
        found = []
        for action in range(9):
            about = f"{action_words(action)}, to {spot(landing(car, action))}"
            about += "" if legal[action] else f": illegal, {why_not(state, action)}"
            found.append(Choice(KEYS[action], change_of(action), legal[action], about))
        return tuple(found)

    def ways(self, env: GridEnv, states: Sequence[RaceState]) -> list[Mark]:
        return marks.ways(states)

    def standings(self, env: GridEnv, state: RaceState, names: Sequence[str]) -> list[Figure]:
        return figures.standings(state, names)

    def score(self, env: GridEnv, state: RaceState, seat: int) -> Score | None:
        return figures.score(state, seat)
