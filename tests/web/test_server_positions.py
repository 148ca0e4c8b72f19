"""The server builds the positions of pages: games that were played with the WebAssembly modules have the same hashes."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from shoverworld.games import game_named
from shoverworld.play.session import Session
from shoverworld.web.description import own_level_data
from shoverworld.web.files import stored, web_games
from tests.web.host import BlockView, Module, level_game
from tests.web.serving import Server, serving

COLLECTIONS = [(game.name, one.name) for game in web_games() for one in game.levels.collections()]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("positions")) as found:
        yield found


def play_randomly(block: BlockView, preset: dict[str, Any], level: dict[str, Any], steps: int) -> list[list[int]]:
    """Play random actions with a module and return them. A number without a range is a row or a column."""
    rng, moves = random.Random(1), []
    names = block.module.description["action"]
    sizes = [size or level["dimensions"][f"{name}s"] for name, size in zip(names, preset["actions"], strict=True)]
    while len(moves) < steps and block["game"]["outcome"][0] == 0:
        move = [low + rng.randrange(size) for low, size in zip(preset["first_action"], sizes, strict=True)]
        block.call("step", *move)
        moves.append(move)
    return moves


@pytest.mark.parametrize(("game", "collection"), COLLECTIONS)
def test_a_game_of_a_module_can_be_continued(server: Server, game: str, collection: str) -> None:
    module = Module(game)
    agent = server.ask("GET", "/api/hello").json["games"][game]["agents"][-1]
    several = module.description["multiplayer"]
    for level in stored(f"{game}-{collection}.json")[:3]:
        players = 2 if several else 1
        block = level_game(module, level["preset"], level, **({"cars": players} if several else {}))
        block.seed(7)
        block.call("reset")
        moves = play_randomly(block, module.preset(level["preset"]), level, 12)
        place = {"collection": collection, "name": level["name"]}
        position = {"game": game, "level": place, "rules": level["preset"], "players": players, "seed": 7}
        position |= {"moves": moves, "hash": block.state_hash()}
        last = server.run("agent", position, agent=agent, moves=1)[-1]
        assert last["type"] == "done" or "is over" in last["error"], last


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("shover", "// rules: phase2, initial_force=30\nA.B.\n..L.\n"),
        ("sokoban", "#####\n#@$.#\n#####\nRules: sokoban, max_steps=50\n"),
        ("race", "// rules: race, penalty=3\n#####\n#S.F#\n#####\n"),
    ],
)
def test_a_level_with_its_own_rules_can_be_played_with_a_module(game: str, text: str) -> None:
    found = game_named(game)
    (board,) = found.levels.boards_in(text, "own")
    assert "=" in board.preset, "the rules of the level were not read"
    level = own_level_data(found, board)
    rules, module = level["rules"], Module(game)
    block = module.block({**rules["dimensions"], **level["dimensions"]})
    block.fill(rules["arrays"])
    block.fill(rules["level_arrays"])
    block.seed(7)
    block.call("reset")
    session = Session(found, board, seed=7)
    assert block.state_hash() == session.env.state_hash()
    for move in play_randomly(block, rules, level, 8):
        session.env.step(move if len(move) > 1 else move[0])
    assert block.state_hash() == session.env.state_hash()
