"""Tests of exam files: what they mean, and the errors for wrong keys and values."""

from pathlib import Path

import pytest

from shoverworld.arena import parse_exam, read_exam
from shoverworld.arena.exam import DETAILS
from shoverworld.arena.exam_file import ExamError
from shoverworld.arena.exam_template import exam_template
from shoverworld.cli import main
from shoverworld.games import all_games, game_named

LEVELS = '\n[[levels]]\nplaces = ["lessons"]\n'


def exam(text: str = "", levels: str = LEVELS):
    return parse_exam(text + levels, Path("exam.toml"))


def test_an_exam_names_game_rules_limits_points_and_levels():
    found = exam(
        'title = "Midterm"\ngame = "shover"\nsecret = "s"\nrepetitions = 3\nimports = ["numpy"]\ndetails = ["error", "points"]\n'
        '[rules]\npreset = "phase2"\ninitial_force = 30\nreward.lava = 2\n'
        "[limits]\nmove_seconds = 0.5\ngame_seconds = 10\nmemory = 256\n"
        '[points]\nsolved = 2\nquality = 1.5\nmeasure = "stamina"\ninvalid = 0.1\nfailure = 1\n',
        '[[levels]]\nname = "seen"\nplaces = "lessons"\npublic = true\n'
        '[[levels]]\nname = "unseen"\nrandom = 5\nseed = 7\nweight = 2\noptions = { rows = 6, cols = 6, solvable = true }\n',
    )
    assert (found.title, found.game, found.secret, found.repetitions) == ("Midterm", "shover", "s", 3)
    assert found.rules == "phase2, initial_force=30, reward.lava=2"
    assert (found.imports, found.details) == (("numpy",), ("points", "error"))
    assert (found.limits.move_seconds, found.limits.game_seconds, found.limits.memory) == (0.5, 10, 256)
    assert (found.points.solved, found.points.quality, found.points.measure) == (2, 1.5, "stamina")
    assert [(g.name, g.places, g.random, g.seed, g.public, g.weight) for g in found.groups] == [
        ("seen", ("lessons",), 0, "", True, 1),
        ("unseen", (), 5, "7", False, 2),
    ]
    assert found.groups[1].options == {"rows": 6, "cols": 6, "solvable": True}


def test_everything_but_the_levels_has_a_default():
    found = exam()
    assert (found.game, found.rules, found.repetitions, found.players) == ("shover", "", 1, 1)
    assert (found.imports, found.details, found.points.measure) == (None, DETAILS, "steps")


def test_rules_can_also_be_written_in_one_line():
    assert exam('rules = "phase2, initial_force = 30"\n').rules == "phase2, initial_force=30"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("titel = 'x'\n", "exam.toml, titel: there is no such key; did you mean 'title'?"),
        ("game = 'shove'\n", "exam.toml, game = 'shove': did you mean 'shover'?"),
        ("repetitions = 0\n", "exam.toml, repetitions = 0: must be an integer from 1 to 10,000"),
        ("repetitions = 1.5\n", "repetitions = 1.5: must be an integer"),
        ("repetitions = true\n", "repetitions = True: must be an integer"),
        ("players = 2\n", "players = 2: Shover-World is a game for one player"),
        ("imports = 'numpy'\n", "imports = 'numpy': must be a list of texts"),
        ("details = ['point']\n", "details = 'point': did you mean 'points'?"),
        ("secret = 5\n", "secret = 5: must be a text"),
        ("[rules]\npreset = 'phase3'\n", "exam.toml, rules.preset: rules='phase3': there is no such preset; did you mean 'phase2'?"),
        ("[rules]\ninitial_forse = 3\n", "rules.initial_forse: there is no rule 'initial_forse'; did you mean 'initial_force'?"),
        ("[rules]\ninitial_force = -3\n", "exam.toml, rules.initial_force: initial_force=-3"),
        ("[limits]\nseconds = 3\n", "exam.toml, limits.seconds: there is no such key"),
        ("[limits]\ngame_seconds = 0\n", "limits.game_seconds = 0: must be more than 0"),
        ("[limits]\nmemory = 5\n", "limits.memory = 5: must be at least 128"),
        ("[points]\nsolved = -1\n", "points.solved = -1: must be a number from 0"),
        ("[points]\nsolved = 0\n", "points.solved = 0.0: a game must be worth something"),
        ("[points]\nmeasure = 'stamin'\n", "points.measure = 'stamin': did you mean 'stamina'?"),
        ("limits = 3\n", "limits = 3: must be a table, which begins with [limits]"),
        ("title = \n", "exam.toml: invalid value (at line 1"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_the_key_the_value_and_what_would_be_right(text, message):
    with pytest.raises(ExamError) as error:
        exam(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ("", "the exam has no levels"),
        ("levels = 3\n", "levels = 3: write a table"),
        ("[[levels]]\n", "levels 1: no levels; set places"),
        ("[[levels]]\nplaces = [3]\n", "levels 1.places = [3]: must be a list of texts"),
        ("[[levels]]\nrandom = -1\n", "levels 1.random = -1: must be an integer from 0"),
        ("[[levels]]\nrandom = 1\npublic = 1\n", "levels 1.public = 1: must be true or false"),
        ("[[levels]]\nrandom = 1\noptions = { row = 5 }\n", "levels 1.options.row: there is no such key; did you mean 'rows'?"),
        ("[[levels]]\nrandom = 1\noptions = { rows = 'x' }\n", "levels 1.options.rows = 'x': must be an integer"),
        ("[[levels]]\nrandom = 1\n[[levels]]\nrandom = 1\n", "levels 2.name = 'hidden': two groups have this name"),
        ("[[levels]]\nname = '../x'\nrandom = 1\n", "levels 1.name = '../x': must consist of letters"),
    ],
)  # fmt: skip
def test_errors_in_groups_of_levels(levels, message):
    with pytest.raises(ExamError) as error:
        exam("", levels)
    assert message in str(error.value)


def test_a_missing_file_says_how_to_write_one(tmp_path):
    with pytest.raises(ExamError, match="does not exist; `shover grade --new"):
        read_exam(tmp_path / "exam.toml")


@pytest.mark.parametrize("game", all_games())
def test_the_commented_exam_can_be_read_and_has_its_own_secret(game):
    texts = [exam_template(game_named(game), "exam.toml") for _ in range(2)]
    found = [parse_exam(text) for text in texts]
    assert found[0].game == game and [group.public for group in found[0].groups] == [True, False]
    assert len({one.secret for one in found}) == 2 and all(len(one.secret) == 32 for one in found)


@pytest.mark.parametrize("game", all_games())
def test_the_comments_in_the_exam_are_valid_settings_too(game):
    text = exam_template(game_named(game), "exam.toml")
    lines = [line.removeprefix("# ") if " = " in line else line for line in text.splitlines()]
    found = parse_exam("\n".join(line for line in lines if not line.startswith("Grade with")))
    assert (found.imports, found.limits.move_seconds, found.repetitions) == (("numpy",), 1.0, 1)


def test_new_does_not_replace_an_exam(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["grade", "--new"]) == 0
    assert read_exam("exam.toml").game == "shover"
    assert main(["grade", "--new"]) == 2
    assert "exam.toml already exists" in capsys.readouterr().err
