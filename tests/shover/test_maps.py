"""Tests of rule 1.8: maps in both text formats, and random maps."""

import random

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoverworld import Map, MapError, ShoverWorldEnv, bundled
from shoverworld.core.errors import ConfigError, MapNotFound, ShoverWorldError
from tests.paths import ROOT

SHARED = ROOT.parent / "shared" / "data" / "shover"
# The example map from the specification.
RAGGED = "0 0 0 0 0\n0 10 10 0 100 0\n0 0 -100 0 0 0\n0 0 0 0 0 0\n0 100 0 10 0 0\n0 0 0 0 0 0"
CELLS = (-100, 0, *range(1, 11), 100)


def reads(text, grid, start=None):
    """Assert that the text parses to this map."""
    found = Map.parse(text)
    assert found.grid.tolist() == grid
    assert found.agent == start


def rejected(text, line=None, column=None, *parts):
    """Assert that parsing the text raises a MapError at this position, with a message that contains these parts."""
    with pytest.raises(MapError) as caught:
        Map.parse(text, "dock.txt")
    error = caught.value
    assert (error.source, error.line, error.column) == ("dock.txt", line, column), error
    message = str(error)
    assert "dock.txt" in message
    assert line is None or f"line {line}" in message
    assert column is None or f"column {column}" in message
    for part in parts:
        assert part in message
    return message


# --- valid maps

DOCK = [[0, 0, 10], [100, 0, -100]]


@pytest.mark.parametrize(
    "text",
    [
        "0 0 10\n100 0 -100",
        "0 0 10\n100 0 -100\n",
        "0\t0   10\n  100 0 -100  \n",
        "..B\n#.L",
        ". . B\n# . L\n",
        "  ..B  \n  #.L",
        ". .B\n#. L",
        ". . B\n#.L",
    ],
)
def test_both_formats_accept_any_spacing(text):
    reads(text, DOCK)


@pytest.mark.parametrize(
    "text",
    [
        "// a dock\n..B\n#.L",
        "..B\n// in the middle, B A # 5\n#.L",
        "..B\n#.L\n//",
        "//\n\n//..B\n..B\n//x\n//y\n#.L\n\n// end\n\n",
        "\n  \n\t\n..B\n#.L\n\n \n",
        "..B\r\n#.L\r\n",
        "\r\n// a dock\r\n..B\r\n#.L",
        "0 0 10\r\n100 0 -100\r\n\r\n",
        "// ein Döck 箱\n..B\n#.L",
    ],
)
def test_comments_and_outer_blank_lines_are_accepted_with_any_line_ending(text):
    reads(text, DOCK)


def test_every_code_in_the_number_format_is_read():
    reads("-100 0 1 2 3 4 5\n6 7 8 9 10 100 0", [[-100, 0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 100, 0]])


def test_the_start_cell_of_the_shover_is_read():
    reads("..B\nA.L", [[0, 0, 10], [0, 0, -100]], (1, 0))
    reads("// A is not here\n. . B\n. . A", [[0, 0, 10], [0, 0, 0]], (1, 2))
    reads("A", [[0]], (0, 0))


def test_boxes_can_be_at_the_edge():
    reads("BBB\nB.B\nBBB", [[10, 10, 10], [10, 0, 10], [10, 10, 10]])
    env = ShoverWorldEnv(n_rows=3, n_cols=3)
    _, info = env.reset(options={"map": "BBB\nBA.\nBBB"})
    assert info["number_of_boxes"] == 7


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("rows", [[b"..B", b"A.L"], [b"0 0 10", b"0 0 -100"]])
def test_maps_are_read_from_files(tmp_path, rows, bom, ends):
    path = tmp_path / "dock.txt"
    path.write_bytes(bom + ends.join(rows) + ends)
    for name in (path, str(path)):
        found = Map.read(name)
        assert found.grid.tolist() == [[0, 0, 10], [0, 0, -100]]
        assert found.agent == ((1, 0) if b"A" in rows[1] else None)


def test_the_largest_map_is_read():
    row = " ".join(["0"] * 256)
    assert Map.parse("\n".join([row] * 256)).grid.shape == (256, 256)
    assert Map.parse("\n".join(["." * 256] * 256)).grid.shape == (256, 256)


# --- invalid maps


def test_the_ragged_map_in_the_specification_is_rejected(tmp_path):
    rejected(RAGGED, 2, None, "6", "5")
    path = tmp_path / "ragged.txt"
    path.write_text(RAGGED, encoding="utf-8")
    with pytest.raises(MapError) as caught:
        Map.read(path)
    assert caught.value.line == 2
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("..B\n..\n...", 2),
        ("..\n...", 2),
        ("...\n...\n....", 3),
        ("// c\n\n0 0\n// c\n0 0\n0", 6),
        ("..\n\n..", 2),
        ("0 0\n \t\n0 0", 2),
    ],
)
def test_ragged_rows_are_rejected(text, line):
    rejected(text, line)


@pytest.mark.parametrize(
    ("text", "line", "column", "token"),
    [
        ("..B\n.x.", 2, 2, "x"),
        ("..b", 1, 3, "b"),
        (". . ?\n. . .", 1, 5, "?"),
        ("...\n.0.", 2, 2, "0"),
        ("// c\n\n...\n..\u00e9", 4, 3, "\u00e9"),
        ("0 0 11", 1, 5, "11"),
        ("0 0\n0 -1", 2, 3, "-1"),
        ("0 0\n0 B", 2, 3, "B"),
        ("0 0\n  0 x 0", 2, 5, "x"),
        ("0 +1", 1, 3, "+1"),
        ("0 1.0", 1, 3, "1.0"),
        ("0 1e1", 1, 3, "1e1"),
        ("0 01", 1, 3, "01"),
        ("000", 1, 1, "000"),
        ("0,0", 1, 1, "0,0"),
        ("0 \u0661", 1, 3, "\u0661"),  # an Arabic digit
        ("0 \uff11", 1, 3, "\uff11"),  # a full-width digit
        ("0 \x00 0", 1, 3, ""),
        ("100 00 0", 1, 5, "00"),  # the invalid token is 00, not the digits inside 100
        ("10 0 010 1", 1, 6, "010"),
        ("-100 -10", 1, 6, "-10"),
        (". // not at the start of the line", 1, 3, "/"),
    ],
)
def test_unknown_tokens_are_rejected(text, line, column, token):
    message = rejected(text, line, column, token)
    if text.lstrip("/ c\n")[0] in "-0123456789":
        assert "-100, 0, 1" in message  # the expected tokens
    else:
        assert "# L A" in message


def test_the_message_for_a_huge_number_is_short():
    assert len(rejected("0 " + "9" * 100_000, 1, 3)) < 300


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("A.A", 1, 3),
        ("A..\n..A", 2, 3),
        ("...\nA.A\n...", 2, 3),
        ("A A\n. .", 1, 3),
        ("AAA", 1, 2),
        ("A..\nA.A", 2, 1),
        ("A..A..A", 1, 4),
    ],
)
def test_two_start_cells_are_rejected(text, line, column):
    rejected(text, line, column, "A")


@pytest.mark.parametrize("text", ["B", "BB\n#L", "10 100\n-100 1", "1"])
def test_a_map_without_an_empty_cell_is_rejected(text):
    rejected(text, None, None, "empty cell")


@pytest.mark.parametrize("text", ["", "\n", " \n\t\r\n", "// only a comment", "//\n\n//"])
def test_an_empty_map_is_rejected(text):
    rejected(text, None, None, "empty")


@pytest.mark.parametrize("cells", [". ", "0 ", "."])
def test_more_than_256_columns_or_rows_are_rejected(cells):
    rejected(cells * 257, 1, None, "256")
    rejected("\n".join([cells * 2] * 257), 257, None, "256")


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"\xff", 1, 1),
        (b"..B\n.\xe9.", 2, 2),
        (b"// D\xf6ck\n...", 1, 5),
        (b"...\n..\xe2\x82", 2, 3),  # truncated in the middle of a character
        (b"\xc0\xaf", 1, 1),
        (b"\xed\xa0\x80", 1, 1),
        (".\n.".encode("utf-16"), 1, 1),
        (b"\xef\xbb\xbf..\n\xff.", 2, 1),  # an invalid byte after a byte order mark
    ],
)
def test_text_that_is_not_utf_8_is_rejected(tmp_path, data, line, column):
    path = tmp_path / "dock.txt"
    path.write_bytes(data)
    with pytest.raises(MapError) as caught:
        Map.read(path)
    assert (caught.value.source, caught.value.line, caught.value.column) == (str(path), line, column)
    assert "UTF-8" in str(caught.value)


def test_reading_a_missing_file_raises_map_not_found(tmp_path):
    path = tmp_path / "missing.txt"
    with pytest.raises(MapNotFound) as caught:
        Map.read(path)
    assert isinstance(caught.value, MapError)
    assert isinstance(caught.value, FileNotFoundError)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", [".", "", "a\0b", "x" * 5000])
def test_paths_that_are_not_files_are_rejected(name):
    with pytest.raises(MapError):
        Map.read(name)


@pytest.mark.parametrize("path", [3, 1.5, b"dock.txt", ["dock.txt"]])
def test_path_arguments_of_the_wrong_type_are_rejected(path):
    with pytest.raises(ShoverWorldError):
        Map.read(path)


# --- grids given as arrays


@pytest.mark.parametrize(
    ("grid", "part"),
    [
        ([[0, 11]], "(0, 1)"),
        ([[0, 0], [0, -1]], "(1, 1)"),
        ([[0, 256]], "256"),  # wraps to 0 in int8
        ([[0, 0.5]], "0.5"),
        ([[0, float("nan")]], "nan"),
        ([[0, 2**80]], ""),
        ([0, 0], ""),
        ([[[0]]], "1 x 1 x 1"),
        (0, ""),
        ([], ""),
        ([[]], ""),
        ([[0, 0], [0]], ""),
        ([["0", "0"]], ""),
        ([[None]], ""),
        ([["a"]], ""),
        (np.zeros((257, 1)), "256"),
        (np.zeros((1, 257)), "256"),
        ([[10]], "empty cell"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_invalid_grids_are_rejected(grid, part):
    with pytest.raises(MapError) as caught:
        Map(grid)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    "agent", [(0, 1), (1, 0), (-1, 0), (0, 2), (0,), (0, 0, 0), "ab", 5, (0.5, 0), (float("inf"), 0), (float("nan"), 0)]
)
def test_invalid_start_cells_are_rejected(agent):
    with pytest.raises(MapError) as caught:
        Map([[0, 10]], agent)
    assert "start" in str(caught.value)


def test_maps_are_immutable_and_compare_by_value():
    grid = np.array([[0, 10]], np.int64)
    here = Map(grid)
    grid[0, 0] = 5
    assert here.grid.tolist() == [[0, 10]]
    assert here == Map.parse(".B")
    assert hash(here) == hash(Map.parse("0 10"))
    assert here not in [Map.parse(other) for other in ("AB", "0 9", ".\nB", "..")]
    with pytest.raises(ValueError, match="read-only"):
        here.grid[0, 0] = 5


# --- round trips


@st.composite
def maps(draw):
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    codes = draw(st.sampled_from([CELLS, (0, 10), (0, 3, 100), (0, 0, 0, 7, -100), (0,), (0, *range(1, 11))]))
    cells = draw(st.lists(st.sampled_from(codes), min_size=rows * cols, max_size=rows * cols))
    start = draw(st.integers(0, rows * cols - 1))
    cells[start] = 0
    return Map(np.reshape(cells, (rows, cols)), divmod(start, cols) if draw(st.booleans()) else None)


@settings(max_examples=400, deadline=None)
@given(maps(), st.sampled_from("AB"))
def test_maps_round_trip_through_files(tmp_path_factory, m, format):
    path = tmp_path_factory.getbasetemp() / "round_trip.txt"
    m.write(path, format)
    found = Map.parse(m.to_text(format)), Map.read(path)
    path.unlink()
    for back in found:
        assert back.grid.tolist() == m.grid.tolist()
        assert back.agent == m.agent
        assert back == m
        assert hash(back) == hash(m)


@settings(max_examples=100, deadline=None)
@given(maps())
def test_written_maps_follow_the_formats_in_rule_1_8(m):
    """Programs that know only the formats of rule 1.8 can read the written maps."""
    numbers = [line.split() for line in m.to_text("A").splitlines() if not line.startswith("//")]
    assert [[int(token) for token in row] for row in numbers] == m.grid.tolist()
    meaning = {".": 0, "A": 0, "#": 100, "L": -100, "B": 10}
    symbols = [line.replace(" ", "") for line in m.to_text("B").splitlines() if not line.startswith("//")]
    boxes_alike = np.where((m.grid >= 1) & (m.grid <= 10), 10, m.grid)
    assert [[meaning[symbol] for symbol in row] for row in symbols] == boxes_alike.tolist()
    starts = [(row, line.index("A")) for row, line in enumerate(symbols) if "A" in line]
    assert starts == ([m.agent] if m.agent else [])


def test_the_largest_maps_round_trip():
    rng = np.random.default_rng(8)
    grid = rng.choice(CELLS, (256, 256))
    grid[255, 255] = 0
    big = Map(grid, (255, 255))
    assert Map.parse(big.to_text("A")) == big
    assert Map.parse(big.to_text("B")) == big


@pytest.mark.parametrize("format", ["C", "a", "", None])
def test_an_unknown_format_is_rejected(format):
    with pytest.raises(ShoverWorldError, match="format"):
        Map.parse("..").to_text(format)


@pytest.mark.parametrize(
    "line",
    ["start 0", "start 0 0 0", "start 0 1", "start 9 9", "start 0 0 99999999999", "start 99999999999 0 0"]
    + ["strength 0", "strength 11", "strength 5 5", "strength 5 99999999999", "strength 99999999999 5"],
)
def test_invalid_directives_are_rejected(line):
    """The map has one box."""
    with pytest.raises(MapError):
        Map.parse(f"//! {line}\n.B")


# --- random maps


def counts(grid):
    return int(((grid >= 1) & (grid <= 10)).sum()), int((grid == 100).sum()), int((grid == -100).sum())


REQUESTED = [
    (6, 9, 5, 4, 3),
    (1, 2, 1, 0, 0),
    (1, 1, 0, 0, 0),
    (3, 3, 0, 8, 0),
    (4, 4, 5, 5, 5),
    (2, 7, 0, 0, 13),
    (30, 40, 400, 300, 200),
]


@pytest.mark.parametrize(("rows", "cols", "boxes", "barriers", "lavas"), REQUESTED)
def test_random_maps_have_the_requested_counts(rows, cols, boxes, barriers, lavas):
    requested = {"number_of_boxes": boxes, "number_of_barriers": barriers, "number_of_lavas": lavas}
    env = ShoverWorldEnv(n_rows=rows, n_cols=cols, **requested)
    for seed in range(20):
        obs, info = env.reset(seed=seed)
        assert obs["grid"].shape == (rows, cols)
        assert counts(obs["grid"]) == (boxes, barriers, lavas)
        assert info["number_of_boxes"] == boxes
        assert obs["grid"][tuple(obs["agent"])] == 0


@pytest.mark.parametrize(
    ("rows", "cols", "boxes", "barriers", "lavas"),
    [
        (2, 2, 4, 0, 0),
        (2, 2, 2, 1, 1),
        (2, 2, 0, 0, 5),
        (1, 1, 1, 0, 0),
        (6, 9, 54, 0, 0),
        (3, 3, -1, 0, 0),
        (3, 3, 0, -1, 0),
        (3, 3, 0, 0, 1.5),
    ],
)
def test_counts_that_exceed_the_map_size_are_rejected(rows, cols, boxes, barriers, lavas):
    requested = {"number_of_boxes": boxes, "number_of_barriers": barriers, "number_of_lavas": lavas}
    with pytest.raises(ConfigError) as caught:
        ShoverWorldEnv(n_rows=rows, n_cols=cols, **requested)
    assert isinstance(caught.value, ValueError)


def test_the_default_counts_leave_at_least_one_empty_cell():
    for rows in range(1, 5):
        for cols in range(1, 5):
            for boxes in (None, *range(rows * cols)):
                env = ShoverWorldEnv(n_rows=rows, n_cols=cols, number_of_boxes=boxes)
                obs, info = env.reset(seed=rows)
                assert boxes in (None, info["number_of_boxes"])
                assert obs["grid"][tuple(obs["agent"])] == 0


@pytest.mark.parametrize("rules", ["milestone1", "walker", "phase2"])
def test_the_same_seed_gives_the_same_map(rules):
    def begun(env, **keywords):
        obs, _ = env.reset(**keywords)
        return obs["grid"].tolist(), obs["agent"].tolist()

    envs = [ShoverWorldEnv(rules=rules), gym.make("shoverworld/ShoverWorld-v0", rules=rules)]
    maps_of_seeds = []
    for seed in range(30):
        here = begun(envs[0], seed=seed)
        assert begun(envs[1], seed=seed) == here
        assert begun(ShoverWorldEnv(rules=rules, seed=seed)) == here
        assert begun(envs[0]) == begun(envs[1]) != here  # the next two maps are equal but differ from the first
        maps_of_seeds.append(str(here))
    assert len(set(maps_of_seeds)) == 30

    batch = gym.make_vec("shoverworld/ShoverWorld-v0", num_envs=3, vectorization_mode="vector_entry_point", rules=rules)
    grids, agents = (batch.reset(seed=5)[0][key].tolist() for key in ("grid", "agent"))
    assert [(grids[i], agents[i]) for i in range(3)] == [begun(envs[0], seed=5 + i) for i in range(3)]


def test_the_shover_starts_on_a_random_empty_cell_if_the_map_has_no_start_cell(tmp_path):
    path = tmp_path / "dock.txt"
    path.write_text(".B.\n#.L", encoding="utf-8")
    env = ShoverWorldEnv(map_path=path)
    starts = [tuple(env.reset(seed=seed)[0]["agent"].tolist()) for seed in range(60)]
    assert set(starts) == {(0, 0), (0, 2), (1, 1)}
    assert starts == [tuple(env.reset(seed=seed)[0]["agent"].tolist()) for seed in range(60)]


def test_the_shover_starts_on_the_start_cell_of_the_map(tmp_path):
    path = tmp_path / "dock.txt"
    path.write_text(".B.\n#AL", encoding="utf-8")
    env = ShoverWorldEnv(map_path=path)
    assert {tuple(env.reset(seed=seed)[0]["agent"].tolist()) for seed in range(20)} == {(1, 1)}


# --- the course maps


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared maps are not available")
def test_the_maps_from_the_course_are_read():
    paths = sorted(SHARED.glob("*.txt"))
    assert paths
    for path in paths:
        rows = [
            [int(token) for token in line.split()]
            for line in path.read_text(encoding="utf-8").splitlines()
            if line.strip()
        ]
        assert Map.read(path).grid.tolist() == rows, path.name
        obs, _ = ShoverWorldEnv(map_path=path).reset(seed=1)
        assert obs["grid"].tolist() == rows


# --- fuzz

NUMBERS = {str(code): code for code in CELLS}
SYMBOLS = {".": 0, "A": 0, "B": 10, "#": 100, "L": -100}
VALID = [
    b"..B\n#.L\n",
    b"// dock\r\n. A B\r\n# . L\r\n",
    b"0 0 10\n100 0 -100\n",
    b"  0 10   3\n//! start 0 0\n100  0 -100\n",
    b"//! start 1 1\n0 0 0\n0 0 7\n",
    b"//! strength 3 10 1\n.BB\nB.A\n",
    b"\xef\xbb\xbf//! strength 4\n.BB\n",
    "// 箱 Döck\n...\n.B.\n".encode(),
    RAGGED.encode(),
]
PIECES = [
    *(
        b".",
        b"B",
        b"#",
        b"L",
        b"A",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\t",
        b"\0",
        b"/",
        b"//",
        b"-",
        b"0",
        b"1",
        b"10",
        b"100",
        b"-100",
    ),
    *(
        b"//!",
        b"\n//! start 0 0\n",
        b"\n//! start",
        b"\n//! strength 5\n",
        b"\n//! strength 5 6\n",
        b"//! start -1 0\n",
        b"//!start 1 1\n",
    ),
    *(
        b"\n//! strength " + b"9" * 5000 + b"\n",
        b"\n//! start 99999999999999999999 0\n",
        b"9" * 5000,
        b"-" + b"1" * 400,
        b"1e400",
        b"nan",
        b"0x10",
    ),
    *(
        text.encode()
        for text in (
            "٣",
            "１",
            "²",
            "½",
            "٠ ٠",
            "\u00a0",
            "\u2003",
            "\u2028",
            "\u2029",
            "\u0085",
            "\u3000",
            "\u200b",
            "\ufeff",
            "𝟘",
            "é",
            "Ⅷ",
        )
    ),
    *(
        b"\xff",
        b"\xc3",
        b"\xe2\x82",
        b"\xf0\x9f",
        b"\xed\xa0\x80",
        b"\xc0\x80",
        b"\x0b",
        b"\x0c",
        b"\x1c",
        b"\x1d",
        b"\x85",
        b"\x1a",
        b"\x7f",
    ),
]
PLAIN = [b".", b"B", b"#", b"L", b"A", b"0", b"1", b"10", b"100", b"-100", b" ", b" ", b"\n", b"\n", b"//", b"\n// x\n"]


def fuzzed(rng):
    """Return bytes that are a map, almost a map, or not a map."""
    kind = rng.randrange(5)
    if kind == 0:
        return rng.randbytes(rng.randrange(60))
    if kind == 1:
        return b"".join(rng.choices(PIECES, k=rng.randrange(12)))
    if kind == 2:
        return b"".join(rng.choices(rng.sample(PLAIN, 5), k=rng.randrange(10)))
    data = bytearray(rng.choice(VALID))
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0:
                data[at:at] = rng.choice(PIECES)
            case 1:
                del data[at : at + rng.randrange(1, 4)]
            case 2:
                data[at:at] = data[rng.randrange(len(data) + 1) :]
            case 3:
                data[at : at + 1] = rng.randbytes(1)
            case _:
                del data[at:]
    return bytes(data)


def reference_parse(text):
    """Return (cells, start), or None if the text is not a map. This second parser was written from rule 1.8 alone."""
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if not line.startswith("//")]
    rows = "\n".join(line.strip() for line in lines).strip("\n").split("\n")
    for tokens, meaning in ((map(str.split, rows), NUMBERS), ([list(row.replace(" ", "")) for row in rows], SYMBOLS)):
        table = list(tokens)
        if all(row and all(token in meaning for token in row) for row in table):
            break
    else:
        return None
    starts = [(row, col) for row, cells in enumerate(table) for col, token in enumerate(cells) if token == "A"]
    grid = [[meaning[token] for token in row] for row in table]
    if len(set(map(len, grid))) != 1 or len(starts) > 1 or not any(0 in row for row in grid):
        return None
    return grid, starts[0] if starts else None


def read_or_error(path, data):
    """Write the data to a file and read it. Return the map or the MapError; any other error fails the test."""
    path.write_bytes(data)
    try:
        return Map.read(path)
    except MapError as error:
        return error
    except Exception as error:
        raise AssertionError(f"{data!r}: {error!r}") from error


def test_reading_any_file_gives_a_map_or_a_map_error(tmp_path):
    """Read 10,000 files. For files with only plain characters, the second parser must agree."""
    rng = random.Random(1998)
    good = bad = compared = 0
    for i in range(10_000):
        data, path = (
            fuzzed(rng),
            tmp_path / f"{i}.txt",
        )  # a new file each time, because overwriting is slow on some disks
        found = read_or_error(path, data)
        if isinstance(found, Map):
            assert Map.parse(found.to_text("A")) == found == Map.parse(found.to_text("B")), data
            good += 1
        else:
            assert str(path) in str(found), data
            assert len(str(found)) < len(str(path)) + 500, data
            bad += 1
        if not set(data) - set(b".B#LA0123456789- x/\n"):
            wanted = reference_parse(data.decode())
            read = (found.grid.tolist(), found.agent) if isinstance(found, Map) else None
            assert read == wanted, data
            compared += wanted is not None
        path.unlink()
    assert good > 500
    assert bad > 2000
    assert compared > 200


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("08", "did you mean 08-behind-the-box?"),
        ("behind", "did you mean 08-behind-the-box?"),
        ("12-helify", "did you mean 12-hellify?"),
        ("zzz", "no map file or bundled map has this name"),
    ],
)
def test_the_error_for_an_unknown_map_suggests_a_similar_name(name, near):
    with pytest.raises(MapNotFound) as caught:
        Map.read(name)
    assert str(caught.value).endswith(near)


def test_the_error_for_an_unknown_bundled_map_suggests_a_similar_name():
    with pytest.raises(MapNotFound, match=r"^09-perfect-sqare: .*; did you mean 09-perfect-square\?$"):
        bundled("09-perfect-sqare")
    with pytest.raises(MapNotFound, match=r"expected one of 01-first-push, .*, 16-the-great-dock$"):
        bundled("zzz")


def test_a_nul_byte_in_a_map_file_is_reported(tmp_path):
    path = tmp_path / "dock.txt"
    path.write_bytes(b"..B\n.\0.\n\xff")
    with pytest.raises(MapError, match="line 2, column 2: the file contains a NUL byte, so it is not a text file"):
        Map.read(path)
