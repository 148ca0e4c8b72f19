"""Replay files in a page: `replay.js` reads them as Python does and verifies the hashes through the module."""

import dataclasses
import random
import re

import pytest

from shoverworld.core.errors import ReplayError
from shoverworld.core.replay import Replay
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Board
from shoverworld.games import game_named
from shoverworld.play.links import position_of_cursor
from shoverworld.play.players import fill_places
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.web.description import level_data, preset_data
from shoverworld.web.files import STATIC, stored

from .node import needs_node, run_node

pytestmark = needs_node
TWO = "; Two\n########\n#@ $ .@#\n#   $. #\n########\n"
VERIFY = """
import { GameModule } from "./module.js";
import { ReplayError, readReplay, verifyReplay } from "./replay.js";
import { Session } from "./session.js";
import { readFile } from "node:fs/promises";

globalThis.document = { getElementById: () => ({ textContent: JSON.stringify({ "index.json": given.index }) }) };
const modules = new Map();
for (const game of ["shover", "sokoban", "race"]) {
  const description = JSON.parse(await readFile(`${given.folder}/${game}.json`, "utf-8"));
  const { instance } = await WebAssembly.instantiate(await readFile(`${given.folder}/${game}.wasm`), {});
  modules.set(game, new GameModule(given.index, description, instance));
}
const results = [];
for (const { text, level, preset } of given.replays) {
  try {
    const replay = await readReplay(text, "game.replay");
    const { position, title, player, outcome } = replay;
    const module = modules.get(position.game);
    module.release();
    const players = Array.from({ length: module.description.players ? position.players : 0 }, () => ({ name: "", agent: "" }));
    const setup = { level, preset, origin: position.level, rules: position.rules, players, seed: position.seed };
    const error = verifyReplay(new Session(module, setup), replay);
    results.push({ position, title, player, outcome, error: error && [error.message, error.step, error.line] });
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    results.push({ error: [error.message, error.step, error.line] });
  }
}
answer(results);
"""


def played(game: str, board: Board, rules: str, seed: int, moves: int, players: int = 1) -> Replay:
    """Return a replay of random moves, which are valid if there are valid ones."""
    rng = random.Random(seed)
    session = Session(game_named(game), board, rules, seed, players=fill_places((), players))
    for _ in range(moves):
        if session.outcome is not None:
            break
        session.env.step(rng.choice(list(session.env.valid_actions()) or [4]))
    return session.replay("Ann")


def replays() -> list[Replay]:
    boards = {name: game_named(name).levels.boards() for name in ("shover", "sokoban", "race")}
    return [
        played("sokoban", boards["sokoban"][2], "sokoban", 1, 60),
        played("sokoban", boards["sokoban"][3], "pull, max_steps=30, reward.step=-0.5", 2, 60),
        played("sokoban", game_named("sokoban").levels.boards_in(TWO, "drawn")[0], "two", 3, 60),
        played("shover", boards["shover"][0], "milestone1", 4, 40),
        played("shover", boards["shover"][5], "phase2, initial_force=30, reward.lava=1e-05", 5, 40),
        played("shover", boards["shover"][3], "walker, max_timestep=12", 6, 40),
        played("race", boards["race"][0], "race", 7, 60),
        played("race", boards["race"][4], "supercover, penalty=3", 8, 60, players=3),
    ]


def given_for(replay: Replay, text: str) -> dict:
    """Return a replay with its level and its rules as numbers."""
    cursor = ReplayCursor(replay)
    rules = position_of_cursor(cursor).rules
    level = level_data(cursor.game, dataclasses.replace(cursor.board, preset=rules), [rules])
    return {"text": text, "level": level, "preset": preset_data(cursor.game, rules)}


def verified(given: list[dict]) -> list[dict]:
    return run_node(VERIFY, {"folder": str(STATIC), "index": stored("index.json"), "replays": given})


def test_the_page_reads_and_accepts_the_replays_that_python_writes():
    recorded = replays()
    for replay, answer in zip(
        recorded, verified([given_for(replay, replay.to_text()) for replay in recorded]), strict=True
    ):
        assert answer["error"] is None
        cursor = ReplayCursor(replay)
        own = position_of_cursor(cursor).as_json()
        assert answer["position"]["moves"] == own["moves"]
        assert answer["position"]["level"] == {"text": replay.map}
        assert [answer["position"][name] for name in ("game", "players", "seed")] == [
            own["game"],
            own["players"],
            replay.seed,
        ]
        presets = cursor.game.preset_rules
        assert parse_rules(answer["position"]["rules"], presets) == parse_rules(own["rules"], presets)
        assert answer["outcome"] == replay.end.outcome
        assert (answer["title"], answer["player"]) == (replay.notes["title"], "Ann")


def changes(text: str) -> dict[str, str]:
    """Return damaged copies of a replay file, each with the kind of damage."""
    lines = text.splitlines()
    first = lines.index("moves:") + 1
    end = len(lines) - 1
    middle = (first + end) // 2
    move = lambda change: [*lines[:middle], change(lines[middle]), *lines[middle + 1 :]]  # noqa: E731
    zero = lambda line: re.sub(r"[0-9a-f]{16}", "0" * 16, line)  # noqa: E731
    return {
        name: "\n".join(changed) + "\n"
        for name, changed in {
            "hash": move(zero),
            "start": [*lines[:first], zero(lines[first]), *lines[first + 1 :]],
            "short hash": move(lambda line: re.sub(r"([0-9a-f]{16})", "abc", line)),
            "missing move": [*lines[:middle], *lines[middle + 1 :]],
            "letters": move(lambda line: re.sub(r"^( *\d+ +)\S+", r"\1it's", line)),
            "no end": lines[:end],
            "cut": lines[:middle],
            "two ends": [*lines, "more"],
            "bad end": [*lines[:end], "end: won, steps"],
            "version": ["shoverworld replay 2", *lines[1:]],
            "title": ["replay", *lines[1:]],
            "empty": [""],
            "key": [lines[0], 'colour: "red"', *lines[1:]],
            "no colon": [lines[0], "words", *lines[1:]],
            "twice": [lines[0], lines[1], *lines[1:]],
            "seed": [lines[0], "seed: -1", *(line for line in lines[1:] if not line.startswith("seed:"))],
            "value": [*lines[:2], "config.max_steps: [1]", *lines[2:]],
            "both": [*lines[:2], "config.reward.a: 1", "config.reward: 2", *lines[2:]],
            "word": [*lines[:2], 'config.line: "../x"', *lines[2:]],
            "no map": [line for line in lines if not line.startswith("|")],
            "note": [*lines[:2], "comment: a\tb", *lines[2:]],
            "no env": [line for line in lines if not line.startswith("env:")],
        }.items()
    }


@pytest.mark.parametrize("number", [0, 4, 7])
def test_a_damaged_replay_is_refused_with_the_words_of_python(number):
    replay = replays()[number]
    damaged = changes(replay.to_text())
    answers = verified([given_for(replay, text) for text in damaged.values()])
    for (name, text), answer in zip(damaged.items(), answers, strict=True):
        with pytest.raises(ReplayError) as error:
            Replay.parse(text, "game.replay").check()
        assert answer["error"] is not None, name
        assert answer["error"] == [str(error.value), error.value.step, error.value.line], name


def test_moves_after_the_end_of_the_game_are_refused():
    board = Board("drawn", "sokoban", game_named("sokoban").levels.boards_in("#####\n#@$.#\n#####", "drawn")[0].level)
    session = Session(game_named("sokoban"), board, "sokoban", 0)
    session.env.step(session.env.valid_actions()[-1])
    replay = session.replay()
    text = replay.to_text()
    assert replay.end.outcome == "solved"
    last = next(line for line in text.splitlines() if line.startswith("   1"))
    longer = text.replace(last, last + "\n" + last.replace("   1", "   2"))
    other = text.replace("end: solved", "end: timeout")
    (first, second) = verified([given_for(replay, longer), given_for(replay, other)])
    with pytest.raises(ReplayError) as error:
        Replay.parse(longer, "game.replay").check()
    assert first["error"] == [str(error.value), error.value.step, error.value.line]
    assert second["error"][0].startswith("game.replay, line ")
    assert "the recorded end (timeout, steps 1" in second["error"][0]
