"""Reports: complete for the teacher, free of secrets for students, and safe against hostile names and errors."""

import base64
import csv
import io
import json
import os
import re
import subprocess
import sys
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from shoverworld.arena import report
from shoverworld.arena.records import LevelRecord, MatchRecord, Seat, SubmissionRecord
from shoverworld.arena.report.names import file_names
from tests.arena import gradescope_schema, made_up

STUDENTS = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Barbara Liskov"]
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '=HYPERLINK("http://evil.example")',
    "＝1+1",
    "../../etc/passwd",
    "a|b|c `code` [x](http://evil.example) ![y](z)",
    "\u202eevil\x1b[31m\u200b",
    "CON",
    "con",
    "ß" * 300,
    "",
]


def _written(folder: Path, exam, results) -> Path:
    report.write(exam, results, folder)
    return folder


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of an exam that hides nothing but the names of its hidden levels."""
    results = made_up.results(STUDENTS, count=5)
    results = replace(
        results,
        submissions=(*results.submissions, SubmissionRecord("Konrad Zuse", "k.py", "k.py, line 12: invalid syntax")),
        levels=(*results.levels, LevelRecord("secret-group", "broken", "", False, 1.0, problem="line 3: unknown 'q'")),
    )
    return _written(tmp_path_factory.mktemp("full"), made_up.exam(), results)


def test_a_report_has_every_file(full: Path):
    names = ["ada-lovelace", "alan-turing", "barbara-liskov", "grace-hopper", "konrad-zuse"]
    for folder in ("students", "hand-back", "gradescope/results"):
        assert sorted(path.name for path in (full / folder).iterdir()) == names
    for name in ("index.html", "similarity.html", "ranking.csv", "ranking.md", "games.csv", "gradescope/README.md"):
        assert (full / name).stat().st_size > 100
    assert len(list((full / "levels").glob("*.html"))) == 6
    index = (full / "index.html").read_text("utf-8")
    assert (
        "k.py, line 12: invalid syntax" in index and "line 3: unknown &#x27;q&#x27;" in index and "bubblewrap" in index
    )


def test_the_pages_of_30_students_on_40_levels_stay_small(full: Path):
    """A page with replays contains the player once: each further replay costs a few kilobytes."""
    page = (full / "hand-back" / "ada-lovelace" / "replays.html").read_text("utf-8")
    games = json.loads(re.search(r'id="embedded-games">(.*?)</script>', page)[1])
    assert len(page) < 260_000 and max(map(len, games.values())) < 9_000


# --- hidden information


def _everything(folder: Path) -> str:
    """Return all text in a folder, with everything that is compressed in its pages."""
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_text("utf-8")
            texts += [path.name, text, json.dumps(text)]
            texts += [_inflated(part) for part in re.findall(r"[A-Za-z0-9+/=]{200,}", text)]
    return "\n".join(texts).lower()


def _inflated(part: str) -> str:
    try:
        return zlib.decompress(base64.b64decode(part), -15).decode("utf-8", "ignore")
    except (ValueError, zlib.error):
        return ""


@pytest.mark.parametrize("details", [(), ("outcome",), ("points",), ("points", "outcome", "steps", "ratio", "replay")])
def test_student_folders_contain_nothing_that_the_exam_hides(tmp_path: Path, details: tuple[str, ...]):
    results = made_up.results(STUDENTS, count=5)
    games = tuple(
        replace(game, error=f"SECRET-ERROR-{game.student}", points=game.points + 0.1357, cpu_seconds=9.8642, steps=8765)
        if game.group == "secret-group"
        else game
        for game in results.games
    )
    _written(tmp_path, made_up.exam(details), replace(results, games=games))
    hidden = [level for level in results.levels if not level.public]
    for student in STUDENTS:
        found = _everything(tmp_path / "hand-back" / student.lower().replace(" ", "-"))
        secrets = [other for other in STUDENTS if other != student]
        secrets += ["secret-group", "hidden/levels", "the secret seed", "4711", "secret-error", "9.86"]
        secrets += [level.level for level in hidden] + [level.title for level in hidden]
        secrets += [] if "steps" in details else ["8765"]
        secrets += [] if "points" in details else ["1357", "of 10<", "of 10 points", "<dt>place</dt>"]
        if "replay" not in details:
            secrets += [level.text.strip().lower() for level in hidden if len(level.text) > 12]
        assert [secret for secret in secrets if secret.lower() in found] == []
        assert student.lower() in found


def test_the_search_for_secrets_looks_into_compressed_pages(full: Path):
    teacher = _everything(full / "students" / "ada-lovelace")
    assert "secret-group" in teacher or "05-over-the-edge" in teacher
    assert "shoverworld replay 1" in _everything(full / "hand-back" / "ada-lovelace")


def test_gradescope_hides_the_games_whose_points_the_exam_hides(tmp_path: Path):
    out = _written(tmp_path, made_up.exam(("outcome",)), made_up.results(STUDENTS, count=4))
    found = json.loads((out / "gradescope/results/ada-lovelace/results.json").read_text("utf-8"))
    assert [test["visibility"] for test in found["tests"]] == ["visible", "visible", "hidden", "hidden"]
    assert all("score" in test for test in found["tests"]) and "leaderboard" not in found


# --- hostile text


class _Tags(HTMLParser):
    def __init__(self, page: str):
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = made_up.results(HOSTILE, count=3)
    games = tuple(replace(game, error=f"{game.student}\n|=1+1", failure="error") for game in results.games)
    levels = tuple(replace(level, title=name) for level, name in zip(results.levels, HOSTILE, strict=False))
    exam = replace(made_up.exam(), title=HOSTILE[0])
    return _written(tmp_path_factory.mktemp("hostile") / "out", exam, replace(results, games=games, levels=levels))


def test_hostile_names_are_shown_as_text(hostile: Path):
    pages = [path for path in hostile.rglob("*.html") if path.name != "replays.html"]
    assert len(pages) > 20
    for path in pages:
        found = _Tags(path.read_text("utf-8"))
        assert not {"script", "object", "embed", "form"} & set(found.tags)
        assert not [name for name in found.attributes if name.startswith("on")]
        assert "\x1b" not in path.read_text("utf-8") and "\u202e" not in path.read_text("utf-8")


def test_hostile_names_make_safe_file_names(hostile: Path):
    names = file_names(HOSTILE)
    assert len({name.lower() for name in names.values()}) == len(HOSTILE)
    for name in names.values():
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,79}", name) and name not in ("con", "nul")
    assert sorted(path.name for path in hostile.parent.iterdir()) == ["out"]
    assert {path.name for path in (hostile / "hand-back").iterdir()} == set(names.values())


def test_no_cell_of_a_table_is_a_formula_or_breaks_the_table(hostile: Path):
    for name in ("ranking.csv", "games.csv", "students.csv"):
        rows = list(csv.reader(io.StringIO((hostile / name).read_text("utf-8"))))
        assert {len(row) for row in rows} == {len(rows[0])}
        assert [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "＝"))] == []
    lines = (hostile / "ranking.md").read_text("utf-8").splitlines()
    table = [line for line in lines if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {10}
    assert not any(re.search(r"(?<!\\)\](?=\()", line) for line in lines)


# --- files for other programs


def test_results_json_has_only_documented_fields(full: Path, hostile: Path):
    files = [*full.glob("gradescope/results/*/results.json"), *hostile.glob("gradescope/results/*/results.json")]
    assert len(files) == 5 + len(HOSTILE)
    for path in files:
        gradescope_schema.check(json.loads(path.read_text("utf-8")))


def test_the_scores_for_gradescope_add_up_to_the_points(full: Path):
    ranking = {row["student"]: row for row in csv.DictReader(io.StringIO((full / "ranking.csv").read_text("utf-8")))}
    for student in STUDENTS:
        path = full / "gradescope/results" / student.lower().replace(" ", "-") / "results.json"
        tests = json.loads(path.read_text("utf-8"))["tests"]
        assert sum(test["score"] for test in tests) == pytest.approx(float(ranking[student]["points"]), abs=1e-3)
        assert sum(test["max_score"] for test in tests) == pytest.approx(float(ranking[student]["most"]))


def test_the_schema_rejects_undocumented_results():
    for wrong in ({"tests": []}, {"score": "1"}, {"score": 1, "grade": 2}, {"score": 1, "visibility": "public"}):
        with pytest.raises(AssertionError):
            gradescope_schema.check(wrong)


@pytest.mark.skipif(sys.platform == "win32", reason="Gradescope runs Bash scripts")
@pytest.mark.parametrize("works", [True, False])
def test_run_autograder_writes_results_in_every_case(full: Path, tmp_path: Path, works: bool):
    """`shover` is a script here that writes what `shover grade` writes, or fails."""
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "agent.py").write_text("def act(observation, info): ...")
    grader = tmp_path / "shover"
    done = "mkdir -p report/gradescope/results/x; echo '{\"score\": 3}' > report/gradescope/results/x/results.json"
    grader.write_text("#!/bin/sh\ntest -f graded/student/agent.py || exit 9\n" + (done if works else "exit 1") + "\n")
    grader.chmod(0o755)
    script = full / "gradescope/autograder/run_autograder"
    environment = {**os.environ, "AUTOGRADER": str(tmp_path), "SHOVER": str(grader)}
    subprocess.run([script], env=environment, check=True)
    found = json.loads((tmp_path / "results/results.json").read_text("utf-8"))
    gradescope_schema.check(found)
    assert found["score"] == (3 if works else 0)


def test_the_same_results_give_the_same_tables(tmp_path: Path):
    results = made_up.results(STUDENTS, count=4, repetitions=2)
    slower = tuple(replace(game, cpu_seconds=7.0, wall_seconds=8.0, protection="") for game in reversed(results.games))
    for name, one in (("a", results), ("b", replace(results, games=slower))):
        _written(tmp_path / name, made_up.exam(repetitions=2), one)
    for name in ("ranking.csv", "ranking.md", "games.csv", "students.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_runs_are_numbered_from_1(tmp_path: Path):
    once = _written(tmp_path / "once", made_up.exam(), made_up.results(STUDENTS, count=2))
    assert ", run " not in _everything(once / "students") + _everything(once / "gradescope")
    twice = _written(tmp_path / "twice", made_up.exam(repetitions=2), made_up.results(STUDENTS, count=2, repetitions=2))
    for folder in ("hand-back", "gradescope"):
        found = _everything(twice / folder)
        assert ", run 1" in found and ", run 2" in found and ", run 3" not in found


def test_a_new_report_replaces_the_old_one(tmp_path: Path):
    _written(tmp_path, made_up.exam(), made_up.results(STUDENTS[:2], count=2))
    _written(tmp_path, made_up.exam(), made_up.results(STUDENTS[2:], count=2))
    assert {path.name for path in (tmp_path / "students").iterdir()} == {"alan-turing", "barbara-liskov"}


# --- several players, and missing extras


def test_a_report_on_games_with_several_players(tmp_path: Path):
    pytest.importorskip("choix")
    out = _written(tmp_path, made_up.exam(players=3), made_up.match_results(STUDENTS, size=3))
    own = _everything(out / "hand-back" / "ada-lovelace")
    assert "of 3" in own and not any(other.lower() in own for other in STUDENTS[1:])
    for path in out.glob("gradescope/results/*/results.json"):
        gradescope_schema.check(json.loads(path.read_text("utf-8")))


def test_players_who_share_a_place_share_its_points(tmp_path: Path):
    pytest.importorskip("choix")
    seats = tuple(Seat(name, place, False, {}) for name, place in (("a", 1), ("b", 1), ("c", 3)))
    results = replace(
        made_up.match_results("abc", size=3), matches=(MatchRecord("warm-up", "01-first-push", 1, seats),)
    )
    out = _written(tmp_path, made_up.exam(players=3), results)
    own = [json.loads((out / f"gradescope/results/{name}/results.json").read_text("utf-8")) for name in "abc"]
    assert [(test["score"], test["max_score"]) for result in own for test in result["tests"]] == [
        (1.5, 2),
        (1.5, 2),
        (0, 2),
    ]
    assert "1= of 3" in (out / "students/a/index.html").read_text("utf-8")


def test_without_the_extra_everything_else_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("choix", "copydetect"):
        monkeypatch.setitem(sys.modules, name, None)
    single = _written(tmp_path / "single", made_up.exam(), made_up.results(STUDENTS, count=2))
    assert "Ada Lovelace" in (single / "ranking.md").read_text("utf-8")
    assert "pip install &quot;shoverworld[arena]&quot;" in (single / "similarity.html").read_text("utf-8")
    several = _written(tmp_path / "several", made_up.exam(players=2), made_up.match_results(STUDENTS))
    assert "needs choix" in (several / "index.html").read_text("utf-8")
    assert (several / "hand-back" / "ada-lovelace" / "index.html").exists()


def test_similar_submissions_are_listed(tmp_path: Path):
    pytest.importorskip("copydetect")
    other = "\n".join(f"def f{i}(values):\n    return [v ** {i} for v in values if v % {i + 2}]" for i in range(12))
    copied = made_up.SOURCE.replace("best", "smallest").replace("chosen", "picked").replace("distance", "how_far")
    sources = {"a": made_up.SOURCE, "b": copied, "c": other, "d": "", "e": "def (((\x00"}
    results = made_up.results(["a"], count=2)
    submissions = tuple(SubmissionRecord(s, f"{s}.py", source=source) for s, source in sources.items())
    found = report.similarity.similar_pairs(replace(results, submissions=submissions))
    assert [(pair.first, pair.second) for pair in found] == [("a", "b")] and found[0].first_share > 0.8
