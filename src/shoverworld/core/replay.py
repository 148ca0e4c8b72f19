"""Replay: a game on disk, with a hash of the state after every move, so that it can be played again and believed.

This module knows no game. What it needs of one is what `GridEnv` offers: `recipe`, `map_text`, `state_hash`, `figures`.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
from gymnasium import spaces

from . import replay_text
from .env import GridEnv
from .errors import LevelError, MapError, NotAReplay, ReplayError, ShoverWorldError, TrackError

NAMESPACE = "shoverworld/"
NO_RULES = ("map_path", "render_mode", "seed")  # keywords that a configuration has no business with


@dataclass(frozen=True)
class Move:
    """An action, or a free move of the player (`place`), and the hash of the state after it."""

    action: tuple[int, ...]
    hash: str
    place: bool = False
    remark: str = field(default="", compare=False)  # for people: nothing depends on it
    line: int | None = field(default=None, compare=False, repr=False)  # where it stands in its file


@dataclass(frozen=True)
class End:
    """How things stand after the last move: the outcome (None: the game goes on) and the figures of the game."""

    outcome: str | None
    figures: Mapping[str, float]

    def __str__(self) -> str:
        parts = [self.outcome or replay_text.PLAYING, *(f"{name} {value!r}" for name, value in self.figures.items())]
        return ", ".join(parts)


class Moment(NamedTuple):
    """The game after a move, when the rules have confirmed it."""

    step: int  # steps taken so far; a `place` takes none
    move: Move | None  # None: the start
    state: Any
    info: dict[str, Any]
    env: GridEnv  # the one that plays; it stands at this moment until the next is asked for


@dataclass(frozen=True)
class Replay:
    """One game: how to make it, how it began, every move, and how it ended. docs/replays.md describes the file."""

    env_id: str
    start: str  # hash of the state after the reset
    moves: tuple[Move, ...]
    end: End
    config: Mapping[str, Any] = field(default_factory=dict)  # keywords of the environment
    map: str = ""  # as the game's own maps are written; "" = the environment makes one from the seed
    seed: int | None = None
    player: str = ""
    date: str = ""
    comment: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)  # anything else that should be kept
    version: int = replay_text.VERSION
    source: str = field(default="replay", compare=False)  # the file it was read from, for messages
    end_line: int | None = field(default=None, compare=False, repr=False)
    map_lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self):
        if not self.map and self.seed is None:
            raise ReplayError.at("there is neither a map nor a seed; expected one of them at least", self.source)
        for name in ("player", "date", "comment"):
            object.__setattr__(self, name, self._one_line(name, getattr(self, name)))
        notes = {name: self._one_line(f"note.{name}", text) for name, text in self.notes.items()}
        object.__setattr__(self, "notes", notes)
        object.__setattr__(self, "map", "".join(f"{row}\n" for row in self.map.splitlines()))
        if not self.map.replace("\n", "").isprintable():
            raise ReplayError.at("the map has characters that cannot be printed", self.source)

    def _one_line(self, name: str, text: str) -> str:
        text = " ".join(text.split())
        if not text.isprintable():
            raise ReplayError.at(f"{name}: {text!r:.60} has characters that cannot be printed", self.source)
        return text

    @property
    def steps(self) -> int:
        return sum(not move.place for move in self.moves)

    # --- text and files

    @classmethod
    def read(cls, path: str | os.PathLike) -> "Replay":
        """Read a replay file. It is not played yet: `check` does that."""
        source = os.fsdecode(path)
        try:
            data = Path(source).read_bytes()
        except FileNotFoundError:
            raise NotAReplay.at("there is no such file", source) from None
        except (OSError, ValueError) as reason:
            raise NotAReplay.at(f"the file cannot be read ({reason})", source) from None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as reason:
            line = data[: reason.start].count(b"\n") + 1
            raise NotAReplay.at("this is not UTF-8 text; expected a replay", source, line) from None
        return cls.parse(text, source)

    @classmethod
    def parse(cls, text: str, source: str = "replay") -> "Replay":
        """Read a replay from text."""
        found = replay_text.Reader(text, source).read()
        moves = tuple(Move(*numbers) for numbers in found.pop("moves"))
        return cls(moves=moves, end=End(*found.pop("end")), source=source, **found)

    def to_text(self) -> str:
        """The replay as text; reading it back gives the same replay."""
        return replay_text.written(self)

    def write(self, path: str | os.PathLike) -> None:
        Path(path).write_text(self.to_text(), encoding="utf-8", newline="\n")

    # --- playing

    def make(self) -> GridEnv:
        """The environment of this replay, before its reset."""
        if not self.env_id.startswith(NAMESPACE) or self.env_id not in gymnasium.registry:
            ids = ", ".join(name for name in gymnasium.registry if name.startswith(NAMESPACE))
            raise ReplayError.at(f"there is no environment {self.env_id!r}; there are {ids}", self.source)
        for name in NO_RULES:
            if name in self.config:
                raise ReplayError.at(f"config.{name} says nothing about the game; leave it out", self.source)
        spec = deepcopy(gymnasium.spec(self.env_id))
        spec.kwargs.update(self.config)  # here Gymnasium does not take any of them for its own
        try:
            env: Any = gymnasium.make(spec, disable_env_checker=True).unwrapped
        except (ShoverWorldError, TypeError) as reason:
            raise ReplayError.at(f"the environment cannot be made: {reason}", self.source) from None
        return env

    def play(self) -> Iterator[Moment]:
        """Play the game again, moment by moment; a ReplayError at the first one that is not as recorded."""
        env = self.make()
        try:
            _, info = env.reset(seed=self.seed, options={"map": self.map} if self.map else None)
        except (MapError, LevelError, TrackError) as reason:
            raise self._map_error(reason) from None
        except ShoverWorldError as reason:
            raise ReplayError.at(f"the game cannot begin: {reason}", self.source, step=0) from None
        self._compare(env, self.start, "the start", 0, None)
        yield Moment(0, None, env.get_state(), info, env)
        step, earned = 0, 0.0
        for number, move in enumerate(self.moves, 1):
            step += not move.place
            where = f"the place after step {step}" if move.place else f"step {step}"
            where += f" (move {number})" if number != step else ""
            if env.outcome is not None:
                raise ReplayError.at(
                    f"{where}: the game was over before it ({env.outcome})", self.source, move.line, step
                )
            try:
                if move.place:
                    env.place(move.action)
                else:
                    _, reward, _, _, info = env.step(action_of(env, move.action))
                    earned += float(reward)
            except ShoverWorldError as reason:
                raise ReplayError.at(f"{where}: {reason}", self.source, move.line, step) from None
            self._compare(env, move.hash, where, step, move.line)
            yield Moment(step, move, env.get_state(), info, env)
        end = ending(env, earned)
        if end != self.end:
            raise ReplayError.at(
                f"the end, after step {step}: the file says ({self.end}), the game says ({end})",
                self.source, self.end_line, step,
            )  # fmt: skip

    def _map_error(self, reason: MapError | LevelError | TrackError) -> ReplayError:
        """What is wrong with the map, by the line of this file."""
        row = (reason.line or 0) - 1
        if not 0 <= row < len(self.map_lines):
            return ReplayError.at(f"the map cannot be read: {reason}", self.source, step=0)
        column = f", column {reason.column}" if not isinstance(reason, LevelError) and reason.column else ""
        what = str(reason).partition(": ")[2] if isinstance(reason, MapError) else reason.what
        return ReplayError.at(f"the map{column}: {what}", self.source, self.map_lines[row], 0)

    def _compare(self, env: GridEnv, recorded: str, where: str, step: int, line: int | None) -> None:
        if (found := env.state_hash()) != recorded:
            raise ReplayError.at(
                f"{where}: the state differs from the one recorded (expected hash {recorded}, got {found}): "
                "the file was changed, or it was made by other rules",
                self.source, line, step,
            )  # fmt: skip

    def check(self) -> None:
        """Play it all; a ReplayError says where it is not as recorded."""
        for _ in self.play():
            pass

    @classmethod
    def of(
        cls,
        env_id: str,
        moves: Iterable[Any],
        map: Any = None,
        seed: int | None = None,
        player: str = "",
        comment: str = "",
        **config: Any,
    ) -> "Replay":
        """The replay of a plan: moves played on a map (or on the random one of a seed) with keywords of `gym.make`.

        A move is an action, or `("place", row, col)`.
        """
        from .recorder import Recorder

        recorder = Recorder(gymnasium.make(env_id, disable_env_checker=True, **config))
        recorder.reset(seed=seed, options=None if map is None else {"map": map})
        for move in moves:
            if isinstance(move, tuple) and move and isinstance(move[0], str) and move[0] == replay_text.PLACE:
                recorder.place(move[1:])
            else:
                recorder.step(move)
        return recorder.replay(player=player, comment=comment)


def ending(env: GridEnv, earned: float) -> End:
    """How things stand in a game that has earned this much reward."""
    return End(env.outcome, {**env.figures(), "reward": earned})


def action_of(env: GridEnv, numbers: tuple[int, ...]) -> Any:
    """The numbers of a move as the action space of the environment wants them."""
    return numbers[0] if isinstance(env.action_space, spaces.Discrete) and len(numbers) == 1 else numbers
