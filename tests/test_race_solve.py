"""`shover solve` on tracks: the row, the way, what it writes, and mistakes."""

import pytest

from shoverworld.cli import main
from shoverworld.core.replay import Replay
from shoverworld.games.race.front.presets import RULES
from shoverworld.games.race.planner import solve
from shoverworld.games.race.tracks import Track, bundled

LANE = "S....F\n......\n#S...#\n"


@pytest.fixture
def lane(tmp_path):
    (tmp_path / "lane.txt").write_text(LANE)
    return tmp_path / "lane.txt"


def row_of(text, name):
    return next(line.split() for line in text.splitlines() if line.startswith(name))


def test_a_row_and_the_way(lane, capsys):
    assert main(["solve", str(lane)]) == 0
    text = capsys.readouterr().out
    row = row_of(text, "lane")
    assert row[:3] == ["lane", "solved", "3"] and row[3] in ("0,0", "1,2") and "yes" in row
    picture = text.splitlines()[-3:]
    assert "".join(picture).count("*") == 4 and picture[0].endswith("*") and picture[2].endswith("#")


def test_every_start_and_every_move(tmp_path, capsys):
    (tmp_path / "far.txt").write_text("SS........F\n")
    assert main(["solve", str(tmp_path / "far.txt"), "--log"]) == 0
    text = capsys.readouterr().out
    assert row_of(text, "far")[2:5] == ["4", "1,0", "4"]
    assert "   1  5  to 2,0  velocity 1,0" in text


def test_several_tracks_without_pictures(capsys):
    assert main(["solve", "01-straight", "02-bend"]) == 0
    text = capsys.readouterr().out
    assert row_of(text, "01-straight")[2] == "8" and row_of(text, "02-bend")[2] == "8" and "*" not in text


def test_replay_and_picture(lane, tmp_path, capsys):
    assert main(["solve", str(lane), "--rules", "cross", "--save", str(tmp_path / "out")]) == 0
    replay = Replay.read(tmp_path / "out" / "lane.replay")
    assert len(replay.moves) == 3 and replay.player == "planner"
    assert (tmp_path / "out" / "lane.png").read_bytes().startswith(b"\x89PNG")
    assert main(["replay", str(tmp_path / "out" / "lane.replay"), "--check"]) == 0


@pytest.mark.parametrize("preset", RULES)
def test_the_rules_that_were_asked_for(preset, capsys):
    rules = RULES[preset]
    assert main(["solve", "04-hairpin", "--rules", preset]) == 0
    expected = solve(bundled("04-hairpin"), line=rules.line, finish=rules.finish).steps
    assert row_of(capsys.readouterr().out, "04-hairpin")[2] == str(expected)


def test_no_time_is_told(capsys):
    assert main(["solve", "05-oval", "--time", "0"]) == 1
    row = row_of(capsys.readouterr().out, "05-oval")
    assert row[1:4] == ["unknown", ">=1", "-"] and "no" in row


def test_a_track_that_cannot_be_read_does_not_stop_the_others(tmp_path, capsys):
    Track.parse(LANE).write(tmp_path / "a.png")
    (tmp_path / "b.txt").write_text("S..\n")
    assert main(["solve", str(tmp_path), "--game", "race"]) == 2
    shown = capsys.readouterr()
    assert row_of(shown.out, "a")[1] == "solved" and "b.txt" in shown.err and "finish" in shown.err


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--agent", "greedy"], "shover tournament"),
        (["--level", "2"], "one track"),
        (["--objective", "steps"], "fewest moves"),
        (["--out", "x.txt"], "--save DIR"),
        (["--rules", "phase2"], "supercover"),
        (["--time", "-1"], "time"),
    ],
)
def test_mistakes_are_told(arguments, what, capsys):
    assert main(["solve", "01-straight", *arguments]) == 2
    assert what in capsys.readouterr().err


def test_comparing_is_done_by_a_tournament(capsys):
    assert main(["compare", "01-straight"]) == 2
    assert "shover tournament" in capsys.readouterr().err
