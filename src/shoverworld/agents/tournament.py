"""A tournament: every group of players plays on every level, with each player once in every start position."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import AgentError, ConfigError
from shoverworld.core.game import Game
from shoverworld.core.recorder import Journal
from shoverworld.core.replay import Replay
from shoverworld.core.task import made, recipe_of
from shoverworld.core.ui import Board
from shoverworld.sandbox import Protection

from .actions import Action, legal
from .host import AgentHost, Containment, ProcessHost, TooLate, wall_limit
from .load import agent_file, alone_in_folder


@dataclass(frozen=True)
class Fixture:
    """A game in a tournament. The same seed gives the same start cells, regardless of the order of the players."""

    board: Board
    players: tuple[str, ...]  # the players in turn order
    seed: int


@dataclass(frozen=True)
class PlayerResult:
    """The result of one player in one game. `points`: one for each player beaten, and half a point for each tie."""

    level: str
    seed: int
    seat: int  # the position in the turn order, from 1
    player: str
    place: int
    points: float
    figures: tuple[float, float]  # the values listed in `Game.figures`
    best: float | None  # the best possible result from this start without rivals
    finished: bool
    moves: int
    seconds: float  # thinking time in seconds
    error: str | None
    rivals: tuple[str, ...]
    beaten: tuple[float, ...]  # the points against each rival
    failure: str | None = None  # the kind of failure (agents/referee.py)
    protection: Protection | None = None  # how an agent from a file was contained


def fixtures(boards: Sequence[Board], players: Sequence[str], size: int, seeds: Sequence[int]) -> Iterator[Fixture]:
    """Yield a fixture for every board, every seed, every group of `size` players and every rotation of a group."""
    for board in boards:
        for seed in seeds:
            for group in combinations(players, size):
                for turn in range(size):
                    yield Fixture(board, (*group[turn:], *group[:turn]), seed)


def start(game: Game, fixture: Fixture, settings: Mapping[str, Any]) -> GridEnv:
    """Return an environment at the start of a game.

    `settings`: keyword arguments for the environment, such as rules (`Game.rule_options`).
    """
    return _begin(game, fixture, settings)[0]


def _begin(game: Game, fixture: Fixture, settings: Mapping[str, Any]) -> tuple[Any, Journal]:
    """Return an environment at the start of a game, and the journal that records the game."""
    players, board = game.ui.multiplayer, fixture.board
    if players is None:
        raise ConfigError(f"{game.title} is a game for one player")
    env_id, keywords = recipe_of(players.environment(board, board.preset, len(fixture.players)))
    env = made((env_id, {**keywords, **settings}))
    journal = Journal(env)
    env.reset(seed=fixture.seed, options=players.options(board, len(fixture.players)))
    return env, journal


def run(game: Game, fixture: Fixture, settings: Mapping[str, Any], patience: float) -> list[PlayerResult]:
    """Play one game in a tournament (see `play`), and return the results of the players in turn order."""
    return play(game, fixture, settings, patience)[0]


def play(
    game: Game,
    fixture: Fixture,
    settings: Mapping[str, Any],
    patience: float,
    move_limit: float = math.inf,
    contained: Containment | None = None,
) -> tuple[list[PlayerResult], Replay]:
    """Play one game in a tournament. Return the results of the players in turn order, and a replay.

    `contained`: how agents from files are contained; None: in the strongest way that this machine offers. `move_limit`:
    the seconds for one move.
    A player who fails, who thinks for more than `patience` seconds in total, or who waits for more than twice this time
    and 5 seconds more, loses. From then on,
    `Reports.idle_action` chooses that player's moves. The game ends when the other players have finished.
    """
    env, journal = _begin(game, fixture, settings)
    multiplayer: Any = game.ui.multiplayer
    best = game.reports.best_alone(env)
    players: list[_Player] = []
    done: list[Action] = []
    try:
        for spec in fixture.players:
            own = contained or Containment(siblings=alone_in_folder(spec, fixture.players))
            players.append(_Player(env, spec, fixture.seed, patience, move_limit, own))
            players[-1].begin()
        while env.outcome is None and _somebody_plays(multiplayer, env, players):
            turn = multiplayer.player_to_move(env, env.get_state())
            action = players[turn].act(done)
            if action is None:
                action = game.reports.idle_action(env)
            env.step(action)
            done.append(action)
    finally:
        for player in players:
            player.close()
    return _results(game, fixture, env, players, best), journal.replay(comment=fixture.board.name)


def _somebody_plays(multiplayer: Any, env: GridEnv, players: "list[_Player]") -> bool:
    state = env.get_state()
    return any(p.error is None and multiplayer.score(env, state, seat) is None for seat, p in enumerate(players))


class _Player:
    """An agent that plays in the tournament, and its clock."""

    def __init__(self, env: GridEnv, spec: str, seed: int, patience: float, move_limit: float, contained: Containment):
        self.env, self.patience, self.move_limit = env, patience, move_limit
        self.known = 0  # the number of moves that have been sent to the agent
        self.moves, self.seconds, self.waited = 0, 0.0, 0.0
        self.error: str | None = None
        self.failure: str | None = None
        place = recipe_of(env), env.get_state()
        self.host = ProcessHost(spec, *place, contained) if agent_file(spec) else AgentHost(*place)
        self.spec = spec, {}, seed

    def begin(self) -> None:
        self._ask("load", *self.spec)
        self._ask("reset")

    def act(self, done: list[Action]) -> Action | None:
        """Return the next action, or None if the player is out of the game."""
        news, self.known = done[self.known :], len(done)
        answer = self._ask("act", *news)
        self.moves += 1
        try:
            return None if self.error else legal(answer, self.env.action_space, self.moves)
        except AgentError as error:
            self.error, self.failure = str(error), error.code
            return None

    def _ask(self, *command: Any) -> Any:
        if self.error is not None:
            return None
        loading = command[0] == "load"
        left = max(0.0, self.patience - self.seconds)
        limit = min(left, self.move_limit) if command[0] == "act" else left
        packaged = loading and isinstance(self.host, AgentHost)  # its code may have to be compiled
        # All answers together: an agent that sleeps in every move must not hold up the others.
        wall = min(wall_limit(limit), max(0.0, wall_limit(self.patience) - self.waited))
        began = time.perf_counter()
        try:
            return self.host.ask(math.inf if packaged else limit, *command, wall=wall)
        except TooLate as reason:
            doing = "loading the agent " if loading else ""
            what = f"{self.patience:g} s per game" if limit == left else f"{limit:g} s per move"
            waiting = " (the agent was waiting, not computing)" if reason.wall else ""
            self.error, self.failure = f"{doing}exceeded the limit of {what}{waiting}", "time"
        except AgentError as error:
            self.failure = error.code
            self.error = f"{error} at move {self.moves + 1}" if command[0] == "act" else str(error)
        finally:
            self.waited += time.perf_counter() - began
            self.seconds = self.host.used()

    def close(self) -> None:
        self.host.close()


def _results(
    game: Game, fixture: Fixture, env: GridEnv, players: list[_Player], best: list[float | None]
) -> list[PlayerResult]:
    state, multiplayer = env.get_state(), game.ui.multiplayer
    figures = [game.reports.player_figures(env, seat) for seat in range(len(players))]
    scores = [multiplayer.score(env, state, seat) if multiplayer else None for seat in range(len(players))]
    good = [score is not None and player.error is None for score, player in zip(scores, players, strict=True)]
    ranks = [(0, *score.numbers) if fine and score else (1,) for fine, score in zip(good, scores, strict=True)]
    results = []
    for seat, (name, player) in enumerate(zip(fixture.players, players, strict=True)):
        others = [other for other in range(len(players)) if other != seat]
        beaten = tuple((ranks[seat] < ranks[o]) + 0.5 * (ranks[seat] == ranks[o]) for o in others)
        first, second = (figures[seat][figure] for figure in game.figures)
        results.append(
            PlayerResult(
                fixture.board.name, fixture.seed, seat + 1, name, 1 + sum(rank < ranks[seat] for rank in ranks),
                sum(beaten), (first, second), best[seat] if seat < len(best) else None, good[seat], player.moves,
                player.seconds, player.error, tuple(fixture.players[o] for o in others), beaten, player.failure,
                player.host.protection,
            )
        )  # fmt: skip
    return results
