"""A replay as one HTML file: complete, small, and without any request."""

import json
import re

import pytest

from shoverworld import race, sokoban, solve
from shoverworld import shover as shover_world
from shoverworld.cli import main
from shoverworld.core.errors import ReplayError
from shoverworld.core.links import decode_link
from shoverworld.core.plan import Plan, PlanError
from shoverworld.core.replay import Replay
from shoverworld.web.single_page import page_of_replay

LEVEL = "#######\n#@ $ .#\n#######\n"


def sokoban_replay(**header) -> Replay:
    """Return the solution of a small level, played by the planner."""
    replay = sokoban.solve(sokoban.Level.parse(LEVEL)).replay()
    return Replay(
        **{name: getattr(replay, name) for name in ("env_id", "start", "moves", "end", "config", "map", "seed")},
        **header,
    )


def embedded(page: str) -> dict:
    """Return the files in a page."""
    (data,) = re.findall(r'<script type="application/json" id="embedded-data">(.*?)</script>', page, re.DOTALL)
    return json.loads(data)


def test_the_page_contains_one_game_with_one_level_and_no_others():
    replay = sokoban_replay(notes={"map": "drawn", "title": "Three steps"})
    files = embedded(page_of_replay(replay, at=2))
    assert sorted(files) == [
        "index.json", "page.json", "sokoban-embedded.json", "sokoban.json", "sokoban.png", "sokoban.wasm",
    ]  # fmt: skip
    assert [level["name"] for level in files["sokoban-embedded.json"]] == ["drawn"]
    assert [preset["name"] for preset in files["sokoban.json"]["presets"]] == [files["page.json"]["position"]["rules"]]
    page = files["page.json"]
    assert (page["mode"], page["at"], page["title"]) == ("replay", 2, "Three steps · Sokoban")
    assert page["position"]["moves"] == [list(move.action) for move in replay.moves]
    assert Replay.parse(page["replay"]) == replay
    position, at = decode_link(page["link"])
    assert (at, len(position.moves)) == (3, 3) and "#@ $ .#" in position.level["text"]


def test_the_page_is_small_and_refers_to_nothing():
    page = page_of_replay(sokoban_replay())
    assert len(page.encode("utf-8")) < 300_000
    assert not re.findall(r'(?:src|href|action|data)="(?!#)[^"]*"', page)
    assert not re.search(r"@import|url\(", page.partition("<script")[0])
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    for forbidden in ("connect-src", "unsafe-inline", "'unsafe-eval'", "http", "*", "'self'"):
        assert forbidden not in policy


def test_the_texts_of_a_replay_cannot_become_code():
    evil = "</script><script>alert(1)</script><!--"
    page = page_of_replay(sokoban_replay(player=evil, comment=evil, notes={"title": evil, "map": evil}))
    assert "<script>alert" not in page and page.count("</script>") == 3
    assert embedded(page)["page.json"]["title"] == f"{evil} · Sokoban"
    assert "<title>&lt;/script&gt;" in page


def test_an_invalid_replay_has_no_page():
    replay = sokoban_replay()
    with pytest.raises(ReplayError, match="the start: the state differs"):
        page_of_replay(Replay(replay.env_id, "0" * 16, replay.moves, replay.end, replay.config, replay.map))


# --- the command


def test_the_command_writes_a_page(tmp_path, capsys):
    sokoban_replay().write(tmp_path / "game.replay")
    out = tmp_path / "game.html"
    assert main(["replay", "--html", str(out), "--quiet", str(tmp_path / "game.replay")]) == 0
    assert embedded(out.read_text("utf-8"))["page.json"]["at"] == 0
    assert main(["replay", "--html", str(out), "--step", "2", str(tmp_path / "game.replay")]) == 0
    assert embedded(out.read_text("utf-8"))["page.json"]["at"] == 2
    assert f"Saved a page with 3 moves to {out}" in capsys.readouterr().out


def test_the_command_needs_one_replay_and_an_html_file(tmp_path, capsys):
    sokoban_replay().write(tmp_path / "game.replay")
    file = str(tmp_path / "game.replay")
    assert main(["replay", "--html", str(tmp_path / "game.txt"), file]) == 2
    assert "expected a file name with the suffix .html" in capsys.readouterr().err
    assert main(["replay", "--html", str(tmp_path / "game.html"), file, file]) == 2
    assert "expected one replay for a page, not 2" in capsys.readouterr().err


# --- notebooks


def test_a_replay_is_displayed_with_the_player_on_top_of_a_picture():
    shown = sokoban_replay(notes={"title": 'A "title" & more'})._repr_html_()
    assert shown.count("<iframe") == 1 and 'sandbox="allow-scripts"' in shown
    assert 'alt="Sokoban: A &quot;title&quot; &amp; more" src="data:image/png;base64,' in shown
    assert shown.index("<img") < shown.index("<iframe")


def test_an_invalid_replay_is_displayed_as_its_error():
    replay = sokoban_replay()
    wrong = Replay(replay.env_id, "0" * 16, replay.moves, replay.end, replay.config, replay.map, source="<b>.replay")
    assert wrong._repr_html_().startswith("<pre>&lt;b&gt;.replay: the start: the state differs")


PLANS = {
    "shover": lambda: solve(shover_world.packaged("01-first-push"), rules="phase2, initial_force=30"),
    "walker": lambda: solve(shover_world.Map.parse("....\n.B.L\n....", "map"), rules="walker"),
    "sokoban": lambda: sokoban.solve(sokoban.Level.parse(LEVEL)),
    "race": lambda: race.solve(race.Track.parse("#######\n#S...F#\n#######"), line="supercover"),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_knows_its_start(name):
    plan = PLANS[name]()
    replay = plan.replay()
    replay.check()
    assert plan.status == "solved" and len(replay.moves) == plan.steps and replay.end.outcome is not None
    assert "<iframe" in plan._repr_html_()


def test_a_plan_from_a_game_in_progress_has_no_start():
    env = sokoban.make_env(sokoban.Level.parse(LEVEL))
    env.reset()
    env.step(4)
    plan = sokoban.solve(env.unwrapped.get_state())
    assert plan.origin is None and plan._repr_html_() is None
    with pytest.raises(PlanError, match="continues a game in progress"):
        plan.replay()
    assert Plan("unknown")._repr_html_() is None
