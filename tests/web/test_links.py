"""Links to positions: Python and JavaScript read and write the same links and report the same errors."""

import base64
import random
import tomllib
import zlib
from pathlib import Path

import pytest

from shoverworld.core import links
from shoverworld.core.links import LinkError, Placement, Position, decode_link, encode_link, link_to

from .node import needs_node, run_node

TINY = {"collection": "tiny", "name": "tiny#3"}


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def deflated(content: bytes) -> str:
    compressor = zlib.compressobj(wbits=-15)
    return "1" + packed(compressor.compress(content) + compressor.flush())


# --- the format


def test_a_packaged_level_with_four_moves_is_a_short_link():
    position = Position("sokoban", TINY, "sokoban", moves=((0,), (1,), (4,), (4,)))
    assert encode_link(position, at=2) == "#v=1&game=sokoban&level=tiny/3&rules=sokoban&moves=0AQECBQU&at=2"


def test_a_link_to_the_last_move_and_to_the_start():
    position = Position("sokoban", TINY, "", moves=((0,),))
    assert encode_link(position) == "#v=1&game=sokoban&level=tiny/3&moves=0AQE"
    assert encode_link(position, 0) == "#v=1&game=sokoban&level=tiny/3&moves=0AQE&at=0"


def test_rules_and_free_moves_survive():
    rules = "phase2, initial_force=30, reward.lava=1e-05"
    level = {"collection": "lessons", "name": "01-first-push"}
    position = Position("shover", level, rules, seed=7, moves=((1, 200, 3), Placement(0, 300)))
    link = encode_link(position)
    assert link.startswith(
        "#v=1&game=shover&level=lessons/01-first-push&rules=phase2,initial_force=30,reward.lava=1e-05&seed=7&moves=0"
    )
    assert decode_link(link) == (position, 2)


def test_the_text_of_a_level_is_compressed_if_that_is_shorter():
    small, large = "#@$.#\n", "#" * 50 + "\n#@$.#\n" * 20
    short = encode_link(Position("sokoban", {"text": small}))
    long = encode_link(Position("sokoban", {"text": large}))
    assert short == "#v=1&game=sokoban&text=0" + packed(small.encode())
    assert "&text=1" in long
    assert len(long) < 80
    assert decode_link(long)[0].level == {"text": large}


def test_a_thousand_moves_fit_into_an_address():
    rng = random.Random(1)
    moves = tuple((rng.randrange(1, 5),) for _ in range(1000))
    link = encode_link(Position("sokoban", TINY, "sokoban", moves=moves))
    assert len(link) < 600
    assert decode_link(link)[0].moves == moves


def test_a_link_can_be_read_from_a_whole_address_and_without_a_version():
    position = Position("race", {"seed": 12}, players=3)
    assert decode_link(link_to(position)) == (position, 0)
    assert decode_link("game=race&random=12&players=3") == (position, 0)


def test_the_address_of_the_player_belongs_to_the_site(monkeypatch):
    site = tomllib.loads((Path(__file__).parents[2] / "zensical.toml").read_text("utf-8"))["project"]["site_url"]
    monkeypatch.delenv(links.ADDRESS_VARIABLE, raising=False)
    assert links.player_address() == f"{site}player/"
    monkeypatch.setenv(links.ADDRESS_VARIABLE, "http://127.0.0.1:8000/")
    assert link_to(Position("race", {"seed": 1})) == "http://127.0.0.1:8000/#v=1&game=race&random=1"


# --- errors


HOSTILE = {
    "": "found ''; expected fields of the form name=value, joined by &",
    "game": "found 'game'; expected fields of the form name=value, joined by &",
    "v=2&game=later&new=1": "v: '2' is not a supported version; expected 1",
    "game=race&random=1&x=2": "unknown field 'x'; expected v, game, level, text, random, rules, players, seed, moves, at",
    "game=race&game=race&random=1": "game: occurs twice",
    "game=../../etc&random=1": "game: '../../etc' is not the name of a game",
    "random=1": "game: '' is not the name of a game",
    "game=race": "found no level; expected one of level, text and random",
    "game=race&random=1&level=tiny/3": "found level and random; expected one of level, text and random",
    "game=race&level=tiny": "level: 'tiny' is not a level; expected COLLECTION/NAME",
    "game=race&level=/3": "level: '/3' is not a level; expected COLLECTION/NAME",
    "game=race&level=tiny/": "level: 'tiny/' is not a level; expected COLLECTION/NAME",
    "game=race&level=a/" + "%C3%A9" * 199: "level: 'a/" + "?" * 38 + "' is not a level; expected COLLECTION/NAME",
    "game=race&random=-1": "random: '-1' is not an integer from 0 to 9007199254740991",
    "game=race&random=01": "random: '01' is not an integer from 0 to 9007199254740991",
    "game=race&random=9007199254740992": "random: '9007199254740992' is not an integer from 0 to 9007199254740991",
    "game=race&random=1&seed=1e3": "seed: '1e3' is not an integer from 0 to 9007199254740991",
    "game=race&random=1&players=0": "players: '0' is not an integer from 1 to 99",
    "game=race&random=1&at=1": "at: '1' is not an integer from 0 to 0",
    "game=race&random=1&rules=" + "a" * 201: "rules: longer than 200 characters",
    "game=race&random=1&rules=%": "rules: the percent encoding is invalid",
    "game=race&random=1&rules=%zz": "rules: the percent encoding is invalid",
    "game=race&random=1&rules=%FF": "rules: the percent encoding is invalid",
    "game=race&random=1&rules=a b": "the link contains spaces or characters outside ASCII; expected an address",
    "game=race&random=1&rules=é": "the link contains spaces or characters outside ASCII; expected an address",
    "game=race&text=2AAAA": "text: found '2' first; expected 0 or 1",
    "game=race&text=%F0%9F%9A%97": "text: found '?' first; expected 0 or 1",
    "game=race&text=0": "text: the level is empty",
    "game=race&text=0A": "text: invalid Base64",
    "game=race&text=0AB": "text: invalid Base64",
    "game=race&text=0AA==": "text: invalid Base64",
    "game=race&text=0A%2BAA": "text: invalid Base64",
    "game=race&text=0_w": "text: the level is not UTF-8 text",
    "game=race&text=07aCA": "text: the level is not UTF-8 text",
    "game=race&text=1AAAA": "text: cannot be decompressed",
    "game=race&text=1": "text: cannot be decompressed",
    "game=race&text=" + deflated(bytes(range(32, 127)) * 2)[:41]: "text: cannot be decompressed",
    "game=race&text=" + deflated(b"#" * (links.MOST_BYTES + 1)): "text: more than 1048576 bytes when decompressed",
    "game=race&text=" + deflated(b"#" * (64 << 20)): "text: more than 1048576 bytes when decompressed",
    "game=race&random=1&moves=0": "moves: an action must have at most 8 numbers",
    "game=race&random=1&moves=0" + packed(bytes([9])): "moves: an action must have at most 8 numbers",
    "game=race&random=1&moves=0" + packed(bytes([0, 1])): "moves: an action has no numbers",
    "game=race&random=1&moves=0" + packed(bytes([3, 1, 1])): (
        "moves: a move is incomplete or contains an invalid number"
    ),
    "game=race&random=1&moves=0" + packed(bytes([1, 0, 1])): (
        "moves: a move is incomplete or contains an invalid number"
    ),
    "game=race&random=1&moves=0" + packed(bytes([1, 0, 1, 0])): (
        "moves: a move is incomplete or contains an invalid number"
    ),
    "game=race&random=1&moves=0" + packed(bytes([1, 0x81, 0])): (
        "moves: a move is incomplete or contains an invalid number"
    ),
    "game=race&random=1&moves=0" + packed(bytes([1, 0xFF, 0xFF, 0x7F])): (
        "moves: a move is incomplete or contains an invalid number"
    ),
    "game=race&random=1&moves=" + deflated(bytes([1] * (links.MOST_MOVES + 2))): "moves: more than 100000 moves",
    "game=race&random=1&rules=" + "a" * links.MOST_LETTERS: (
        f"the link is too long: {links.MOST_LETTERS + 25} characters; expected at most {links.MOST_LETTERS}"
    ),
}  # fmt: skip


@pytest.mark.parametrize("link", HOSTILE, ids=lambda link: link[:60])
def test_an_invalid_link_is_rejected_with_the_field_and_the_reason(link):
    with pytest.raises(LinkError) as error:
        decode_link(f"#{link}")
    assert str(error.value) == HOSTILE[link]


def test_junk_after_compressed_data_is_rejected():
    junk = "1" + packed(base64.urlsafe_b64decode(deflated(b"#" * 60)[1:] + "==") + b"junk")
    with pytest.raises(LinkError, match="text: cannot be decompressed"):
        decode_link(f"game=race&text={junk}")


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position("sokoban", {"collection": "mine", "name": "3"}), "level: 'mine/3' cannot be linked by name"),
        (Position("sokoban", TINY, moves=((1,), (1, 2))), "moves: all actions must have 1 numbers"),
        (Position("sokoban", TINY, moves=((70_000,),)), "moves: a number in a move must be from 0 to 65535"),
        (Position("Sokoban", TINY), "game: 'Sokoban' is not the name of a game"),
        (Position("sokoban", {"text": ""}), "text: the level is empty"),
    ],
)
def test_a_position_that_cannot_be_linked_is_reported(position, message):
    with pytest.raises(LinkError) as error:
        encode_link(position)
    assert str(error.value) == message


# --- Python and JavaScript


def random_position(rng: random.Random) -> Position:
    letters = "abcXYZ019-_.~!*'() %&=#?/+é中🚗\"<>"
    word = lambda most: "".join(rng.choice(letters) for _ in range(rng.randint(1, most)))  # noqa: E731
    level = rng.choice(
        [
            TINY,
            {"collection": "own", "name": f"a{word(12)}"},
            {"text": "".join(rng.choice("# .$@*+\n\r\téL") for _ in range(rng.randint(1, 400)))},
            {"seed": rng.choice([0, 7, 2**53 - 1])},
        ]
    )
    size, largest = rng.randint(1, 4), rng.choice([3, 126, 127, 128, 16_383, 65_535])
    move = lambda: tuple(rng.randint(0, largest) for _ in range(size))  # noqa: E731
    place = lambda: Placement(rng.randint(0, largest), rng.randint(0, largest))  # noqa: E731
    moves = tuple(place() if rng.random() < 0.1 else move() for _ in range(rng.choice([0, 1, 5, 300])))
    rules = rng.choice(["", "sokoban", "phase2, initial_force=30", "race, penalty=1e+20, line=supercover", word(20)])
    rules = ", ".join(part.strip() for part in rules.split(","))
    return Position("game-1", level, rules, rng.choice([1, 2, 99]), rng.choice([0, 5, 2**53 - 1]), moves)


@needs_node
def test_javascript_writes_and_reads_the_same_links():
    rng = random.Random(5)
    positions = [random_position(rng) for _ in range(300)]
    ats = [rng.randint(0, len(position.moves)) for position in positions]
    written = [encode_link(position, at) for position, at in zip(positions, ats, strict=True)]
    given = [[position.as_json(), at, link] for position, at, link in zip(positions, ats, written, strict=True)]
    answers = run_node(
        """
        import { decodeLink, encodeLink, linkAt } from "./link.js";
        const results = [];
        for (const [position, at, link] of given) {
          const own = await encodeLink(position, at);
          const first = linkAt(linkAt(own, 0, position.moves.length), at, position.moves.length);
          results.push([own, await decodeLink(link), first === own]);
        }
        answer(results);
        """,
        given,
    )
    for position, at, link, (own, read, same) in zip(positions, ats, written, answers, strict=True):
        assert decode_link(link) == (position, at)
        assert read == {"position": position.as_json(), "at": at}
        assert decode_link(own) == (position, at)
        assert [part for part in zip(own.split("&"), link.split("&"), strict=True) if is_different(*part)] == []
        assert same


def is_different(own: str, other: str) -> bool:
    """Return whether two fields differ other than in compressed bytes, which depend on the compressor."""
    return own != other and not {own[:6], own[:7], other[:6], other[:7]} & {"text=1", "moves=1"}


@needs_node
def test_javascript_rejects_the_same_links_with_the_same_errors():
    rng = random.Random(6)
    damaged = [damage(rng, encode_link(random_position(rng))) for _ in range(1500)]
    links = [*HOSTILE, *damaged]
    answers = run_node(
        """
        import { LinkError, decodeLink } from "./link.js";
        const results = [];
        for (const link of given) {
          try {
            results.push(await decodeLink(link));
          } catch (error) {
            if (!(error instanceof LinkError)) throw error;
            results.push(error.message);
          }
        }
        answer(results);
        """,
        links,
    )
    assert sum(isinstance(answer, str) for answer in answers) > 500
    for link, answer in zip(links, answers, strict=True):
        try:
            position, at = decode_link(link)
        except LinkError as error:
            if "=1" not in link or "cannot be decompressed" not in str(error):  # Node 20 ignores junk at the end
                assert answer == str(error), link
        else:
            assert answer == {"position": position.as_json(), "at": at}, link


def damage(rng: random.Random, link: str) -> str:
    """Return a link with a part removed, doubled or replaced."""
    start = rng.randrange(len(link))
    end = min(len(link), start + rng.randint(1, 12))
    middle = rng.choice(["", link[start:end] * 2, rng.choice("0123=&%#-_ABCxyz"), link[start:end].swapcase()])
    return link[:start] + middle + link[end:]


@needs_node
def test_javascript_reports_positions_that_cannot_be_linked():
    answers = run_node(
        """
        import { encodeLink } from "./link.js";
        const results = [];
        for (const position of given) results.push(await encodeLink(position).catch((error) => error.message));
        answer(results);
        """,
        [
            Position("sokoban", {"collection": "mine", "name": "3"}).as_json(),
            Position("sokoban", TINY, moves=((1,), (1, 2))).as_json(),
            Position("sokoban", TINY, moves=((70_000,),)).as_json(),
            {**Position("sokoban", TINY).as_json(), "level": {"text": "\ud800"}},
        ],
    )
    assert answers == [
        "level: 'mine/3' cannot be linked by name",
        "moves: all actions must have 1 numbers",
        "moves: a number in a move must be from 0 to 65535",
        "text: the level is not UTF-8 text",
    ]
