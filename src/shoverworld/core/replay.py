"""Replays: recorded games that can be played again and verified, because they contain a hash of each state.

This module works with any game. It uses these methods of `GridEnv`: `recipe`, `map_text`, `state_hash` and `figures`.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple, cast

import gymnasium
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec, load_env_creator

from . import replay_text
from .env import ActionLike, GridEnv
from .errors import ConfigError, LevelError, MapError, NotAReplay, ReplayError, ShoverWorldError, TrackError
from .files import NotText, checked_text, decoded, read_file, write_safely
from .game import registered_ids
from .notebook import player_html
from .plan import Action
from .replay_messages import message

NOT_CONFIG = ("map_path", "render_mode", "seed")  # arguments of an environment that do not belong in `config`


@dataclass(frozen=True)
class Move:
    """An action or a free placement of the player (`place`), with the hash of the resulting state."""

    action: tuple[int, ...]
    hash: str
    place: bool = False
    remark: str = field(default="", compare=False)  # for human readers only
    line: int | None = field(default=None, compare=False, repr=False)  # line number in the file


@dataclass(frozen=True)
class End:
    """The result after the last move: the outcome (None while the game is in progress) and the statistics."""

    outcome: str | None
    figures: Mapping[str, float]

    def __str__(self) -> str:
        parts = [self.outcome or replay_text.PLAYING, *(f"{name} {value!r}" for name, value in self.figures.items())]
        return ", ".join(parts)


class Moment(NamedTuple):
    """The game at its start or after a move, once its state has been checked against the recording."""

    step: int  # steps taken so far; a `place` does not count
    move: Move | None  # the last move; None at the start
    state: Any
    info: dict[str, Any]
    env: GridEnv  # the environment stays in this state until the next moment is requested


@dataclass(frozen=True)
class Replay:
    """A recorded game: its environment, start, moves and end. docs/replays.md describes the file format."""

    env_id: str
    start: str  # hash of the state after the reset
    moves: tuple[Move, ...]
    end: End
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])  # keyword arguments for `gym.make`
    map: str = ""  # the map in the format of the game, or "" if the map is generated from the seed
    seed: int | None = None
    player: str = ""
    date: str = ""
    comment: str = ""
    notes: Mapping[str, str] = field(default_factory=dict[str, str])  # further information
    version: int = replay_text.VERSION
    source: str = field(default="replay", compare=False)  # the file that the replay was read from, for error messages
    end_line: int | None = field(default=None, compare=False, repr=False)
    map_lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.map and self.seed is None:
            raise ReplayError.at(message("no level"), self.source)
        for name in ("player", "date", "comment"):
            object.__setattr__(self, name, self._one_line(name, getattr(self, name)))
        notes = {name: self._one_line(f"note.{name}", text) for name, text in self.notes.items()}
        object.__setattr__(self, "notes", notes)
        object.__setattr__(self, "map", "".join(f"{row}\n" for row in self.map.splitlines()))
        if not self.map.replace("\n", "").isprintable():
            raise ReplayError.at(message("unprintable map"), self.source)

    def _one_line(self, name: str, text: str) -> str:
        text = " ".join(text.split())
        if not text.isprintable():
            raise ReplayError.at(message("unprintable", key=name, found=text), self.source)
        return text

    @property
    def steps(self) -> int:
        """The number of actions. Placements do not count."""
        return sum(not move.place for move in self.moves)

    def _repr_html_(self) -> str:
        return player_html(self)

    # --- text and files

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Replay":
        """Read a replay file without playing it. `check` plays and verifies a replay."""
        try:
            source = os.fsdecode(path)
        except TypeError:
            raise NotAReplay(f"{path!r:.60} is not the path of a replay file") from None
        try:
            text = decoded(read_file(source, NotAReplay))
        except FileNotFoundError:
            raise NotAReplay.at("the file does not exist", source) from None
        except NotText as wrong:
            raise NotAReplay.at(f"{wrong.what}; expected a replay", source, wrong.line) from None
        return cls.parse(text, source)

    @classmethod
    def parse(cls, text: str, source: str = "replay") -> "Replay":
        """Parse a replay from a string."""
        fields = replay_text.Reader(checked_text(text, NotAReplay, source), source).read()
        moves = tuple(Move(*values) for values in fields.pop("moves"))
        return cls(moves=moves, end=End(*fields.pop("end")), source=source, **fields)

    def to_text(self) -> str:
        """Return the replay as a string. Parsing the string gives an equal replay."""
        return replay_text.format_replay(self)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the replay to a file."""
        write_safely(path, self.to_text(), make_folder=False)

    # --- playing

    def make(self) -> GridEnv:
        """Create the environment for this replay without resetting it."""
        namespaces = {env_id.partition("/")[0] for env_id in registered_ids}
        if self.env_id.partition("/")[0] not in namespaces or self.env_id not in gymnasium.registry:
            near = get_close_matches(self.env_id, registered_ids, 3)
            hint = f"did you mean {' or '.join(near)}?" if near else "`shover envs` lists the environments"
            raise ReplayError.at(message("unknown env", found=self.env_id, hint=hint), self.source)
        spec = deepcopy(gymnasium.spec(self.env_id))
        self._check_config(spec)
        spec.kwargs.update(self.config)  # gymnasium.make(spec, **config) would treat some arguments as its own options
        try:
            env: Any = gymnasium.make(spec, disable_env_checker=True).unwrapped
        except (ShoverWorldError, TypeError) as reason:
            raise ReplayError.at(f"the environment cannot be created: {reason}", self.source) from None
        return env

    def _check_config(self, spec: EnvSpec) -> None:
        """Raise ReplayError if the configuration could open a file or cause unbounded work.

        A replay may come from an untrusted source: it contains its level, and its configuration contains only rules.
        """
        for name, value in self.config.items():
            if name in NOT_CONFIG:
                raise ReplayError.at(f"config.{name} is not a setting of the game; remove this line", self.source)
            parts = cast("dict[str, Any]", value) if isinstance(value, dict) else {"": value}
            for part in parts.values():
                if not isinstance(part, int | float | None) and not _is_word(part):
                    raise ReplayError.at(message("config word", name=name, found=part), self.source)
        kind: Any = load_env_creator(spec.entry_point) if isinstance(spec.entry_point, str) else spec.entry_point
        if isinstance(kind, type) and issubclass(kind, GridEnv):
            try:
                kind.check_recipe(self.env_id, self.config)
            except ConfigError as reason:
                raise ReplayError.at(str(reason), self.source) from None

    def play(self) -> Iterator[Moment]:
        """Play the game again and yield each moment. Raise ReplayError if a state differs from the recorded one."""
        env = self.make()
        try:
            _, info = env.reset(seed=self.seed, options={"map": self.map} if self.map else None)
        except (MapError, LevelError, TrackError) as reason:
            raise self._map_error(reason) from None
        except ShoverWorldError as reason:
            raise ReplayError.at(f"the game cannot begin: {reason}", self.source, step=0) from None
        self._compare(env, self.start, message("at the start"), 0, None)
        yield Moment(0, None, env.get_state(), info, env)
        step, total = 0, 0.0
        for number, move in enumerate(self.moves, 1):
            step += not move.place
            where = message("placement" if move.place else "step", step=step)
            where += message("move number", number=number) if number != step else ""
            if env.outcome is not None:
                over = message("over", where=where, outcome=env.outcome)
                raise ReplayError.at(over, self.source, move.line, step)
            try:
                if move.place:
                    env.place(move.action)
                else:
                    _, reward, _, _, info = env.step(action_of(env, move.action))
                    total += float(reward)
            except ShoverWorldError as reason:
                impossible = message("impossible", where=where, reason=reason)
                raise ReplayError.at(impossible, self.source, move.line, step) from None
            self._compare(env, move.hash, where, step, move.line)
            yield Moment(step, move, env.get_state(), info, env)
        end = ending(env, total)
        if end != self.end:
            different = message("different end", step=step, recorded=self.end, actual=end)
            raise ReplayError.at(different, self.source, self.end_line, step)

    def _map_error(self, reason: MapError | LevelError | TrackError) -> ReplayError:
        """Convert an error in the map to a ReplayError that gives the line in the replay file."""
        row = (reason.line or 0) - 1
        if not 0 <= row < len(self.map_lines):
            return ReplayError.at(f"the map cannot be read: {reason}", self.source, step=0)
        column = f", column {reason.column}" if not isinstance(reason, LevelError) and reason.column else ""
        what = str(reason).partition(": ")[2] if isinstance(reason, MapError) else reason.what
        return ReplayError.at(f"the map{column}: {what}", self.source, self.map_lines[row], 0)

    def _compare(self, env: GridEnv, recorded: str, where: str, step: int, line: int | None) -> None:
        if (actual := env.state_hash()) != recorded:
            different = message("different state", where=where, recorded=recorded, actual=actual)
            raise ReplayError.at(different, self.source, line, step)

    def check(self) -> None:
        """Play the whole game. Raise ReplayError at the first difference from the recording."""
        for _ in self.play():
            pass

    @classmethod
    def of(
        cls,
        env_id: str,
        moves: Iterable[ActionLike],
        map: object = None,
        seed: int | None = None,
        player: str = "",
        comment: str = "",
        **config: Any,
    ) -> "Replay":
        """Play moves on a map (or on a random map generated from a seed) and return the replay.

        A move is an action or `("place", row, col)`. `config` contains keyword arguments for `gym.make`.
        """
        from .recorder import Recorder  # recorder.py imports this module

        recorder = Recorder(gymnasium.make(env_id, disable_env_checker=True, **config))
        recorder.reset(seed=seed, options=None if map is None else {"map": map})
        for move in moves:
            if _is_placement(move):
                recorder.place(cast("tuple[str, int, int]", move)[1:])
            else:
                recorder.step(move)
        return recorder.replay(player=player, comment=comment)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,60}", value) is not None


def _is_placement(move: ActionLike) -> bool:
    return isinstance(move, tuple) and move[:1] == (replay_text.PLACE,)


def ending(env: GridEnv, reward: float) -> End:
    """Return the result of the game so far. `reward` is the total reward."""
    return End(env.outcome, {**env.figures(), "reward": reward})


def action_of(env: GridEnv, numbers: tuple[int, ...]) -> Action:
    """Convert the numbers of a move to an action for the environment: an int if the action space is Discrete."""
    return numbers[0] if isinstance(env.action_space, spaces.Discrete) and len(numbers) == 1 else numbers
