"""`shover web`: the page, jobs with progress and cancel, records shared with the window, and local files."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act, Place
from shoverworld.games import all_games, game_named
from shoverworld.play.positions import intent_of, numbers_of
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.web.files import STATIC
from tests.web.serving import Server, exists, serving, wait_until

ONE_PUSH = """
#####
#@$.#
#####
"""
TWO_PUSHES = """
#######
#@ $ .#
#######
"""
DEAD = """
######
#$ @.#
######
"""
RACE = {"game": "race", "level": {"collection": "tracks", "name": "01-straight"}, "seed": 1}


def sokoban(text: str, **more: object) -> dict[str, object]:
    return {"game": "sokoban", "level": {"text": text}, "seed": 1, **more}


def shover(text: str, **more: object) -> dict[str, object]:
    return {"game": "shover", "rules": "phase2", "level": {"text": text}, "seed": 1, **more}


def session(game: str, text: str, rules: str = "") -> Session:
    found = game_named(game)
    board = found.levels.boards_in(text, "level")[0]
    return Session(found, board, rules or board.preset, seed=1)


def long_position() -> dict[str, object]:
    """A position that keeps the planner busy: a large random map, on which it looks for ever better plans."""
    return {"game": "shover", "rules": "phase2", "level": {"seed": 3}, "seed": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def levels(folder: Path) -> Path:
    path = folder / "own.xsb"
    path.write_text(f"{ONE_PUSH}\nTitle: One push\n{TWO_PUSHES}\nTitle: Two pushes\n")
    return path


@pytest.fixture(scope="module")
def replay(folder: Path) -> Path:
    path = folder / "game.replay"
    made = Replay.of("shoverworld/ShoverWorld-v0", [(0, 1, 1)], map="AB.L", seed=1, rules="phase2")
    made.write(path)
    return path


@pytest.fixture(scope="module")
def server(folder: Path, levels: Path, replay: Path) -> Iterator[Server]:
    with serving(folder, (levels, replay), unwatched_seconds=1.0) as found:
        yield found


# --- the page


def test_the_page_says_that_python_is_there(server: Server) -> None:
    for path in ("/", "/index.html"):
        page = server.ask("GET", path)
        assert page.status == 200 and page.headers["content-type"] == "text/html; charset=utf-8"
        assert b'<head>\n<meta name="shoverworld-server"' in page.body


def test_every_response_has_a_strict_policy(server: Server) -> None:
    for path in ("/", "/static/index.json", "/api/hello", "/missing.js"):
        headers = server.ask("GET", path).headers
        policy = headers["content-security-policy"].split("; ")
        assert {"default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'self'"} <= set(policy)
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert "unsafe-inline" not in headers["content-security-policy"]


@pytest.mark.parametrize(("name", "kind"), [("shover.wasm", "application/wasm"), ("index.json", "application/json")])
def test_data_files_have_types_and_tags_and_are_compressed(server: Server, name: str, kind: str) -> None:
    content = (STATIC / name).read_bytes()
    plain = server.ask("GET", f"/static/{name}")
    assert (plain.status, plain.headers["content-type"], plain.body) == (200, kind, content)
    small = server.ask("GET", f"/static/{name}", Accept_Encoding="gzip")
    assert small.headers["content-encoding"] == "gzip" and gzip.decompress(small.body) == content
    again = server.ask("GET", f"/static/{name}", If_None_Match=plain.headers["etag"])
    assert (again.status, again.body) == (304, b"")


def test_the_page_is_not_sent_twice(server: Server) -> None:
    page = server.ask("GET", "/")
    assert server.ask("GET", "/", If_None_Match=page.headers["etag"]).status == 304


def test_scripts_have_the_type_that_browsers_require(server: Server, folder: Path) -> None:
    (folder / "player" / "own.js").write_text("export {};\n")
    assert server.ask("GET", "/own.js").headers["content-type"].startswith("text/javascript")


def test_hello_lists_the_games(server: Server) -> None:
    hello = server.ask("GET", "/api/hello").json
    assert hello["games"].keys() == all_games().keys()
    assert hello["games"]["sokoban"]["objectives"] == ["pushes", "moves", "any"]
    assert "greedy" in hello["games"]["race"]["agents"]


# --- planners


def test_a_hint_is_an_action_with_a_sentence(server: Server) -> None:
    *progress, last = server.run("hint", sokoban(ONE_PUSH))
    assert [event["stage"] for event in progress[:2]] == ["waiting", "preparing"]
    game = session("sokoban", ONE_PUSH)
    game.do(intent_of(game.env, last["result"]["action"]))
    assert last["type"] == "done" and game.outcome == "solved"
    assert last["result"]["text"] == "push the box at row 1, column 2 to the right"


def test_a_hint_explains_that_there_is_none(server: Server) -> None:
    result = server.run("hint", sokoban(DEAD))[-1]["result"]
    assert (result["action"], result["plan"]["status"]) == (None, "unsolvable")
    assert result["text"] == "the game can no longer be solved from here"


@pytest.mark.parametrize("objective", ["pushes", "moves", "any"])
def test_a_plan_continues_the_game_on_the_page(server: Server, objective: str) -> None:
    game = session("sokoban", TWO_PUSHES)
    first = game.env.valid_actions()[0]
    game.do(Act(first))
    position = sokoban(TWO_PUSHES, moves=[[first]], hash=game.env.state_hash())
    plan = server.run("solve", position, objective=objective)[-1]["result"]
    for action in plan["actions"]:
        game.do(intent_of(game.env, action))
    assert plan["status"] == "solved" and game.outcome == "solved"
    assert plan["objective"] == objective and plan["proved_optimal"] == (objective != "any")


def test_a_plan_after_a_free_move(server: Server) -> None:
    game = session("shover", "A..\n.B.\n..L", "phase2")
    game.do(Place((2, 0)))
    position = shover("A..\n.B.\n..L", moves=[{"place": [2, 0]}], hash=game.env.state_hash())
    assert server.run("solve", position)[-1]["result"]["status"] == "solved"


def test_progress_reports_better_plans_and_cancel_kills_the_process(server: Server) -> None:
    job = server.start("solve", long_position(), seconds=300)
    events = server.events(job)
    plan = next(event["plan"] for event in events if event.get("plan", {}).get("actions"))
    assert plan["status"] == "solved" and plan["expanded"] >= 0 and plan["steps"] == len(plan["actions"])
    working = server.children
    assert server.ask("DELETE", f"/api/jobs/{job}").status == 204
    assert list(events)[-1] == {"type": "cancelled"}
    wait_until(lambda: len([child for child in working if exists(child)]) < len(working), "the process was killed")
    assert server.ask("GET", f"/api/jobs/{job}/events").status == 404


def test_a_job_that_nobody_follows_is_cancelled(server: Server) -> None:
    job = server.start("solve", long_position(), seconds=300)
    events = server.events(job)
    next(event for event in events if event.get("stage") == "thinking")
    before = server.children
    events.close()  # type: ignore[attr-defined]
    wait_until(lambda: len([child for child in before if exists(child)]) < len(before), "the process was killed")
    assert server.ask("GET", f"/api/jobs/{job}/events").status == 404


def test_a_stream_continues_after_the_last_event_received(server: Server) -> None:
    job = server.start("hint", sokoban(ONE_PUSH))
    events = list(server.events(job))
    assert list(server.events(job, Last_Event_Id="0")) == events[1:]
    assert list(server.events(job, Last_Event_Id=str(len(events)))) == []


def test_a_job_is_stopped_when_its_time_is_up(tmp_path: Path) -> None:
    with serving(tmp_path, ready_seconds=0.05) as server:
        last = server.run("solve", long_position(), seconds=2)[-1]
        assert last == {"type": "error", "error": "stopped: the time limit of 2 s has passed"}
        wait_until(lambda: not server.children, "the process was killed")


def test_two_jobs_run_and_four_wait(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        jobs = [server.start("solve", long_position(), seconds=300) for _ in range(6)]
        refused = server.ask("POST", "/api/jobs", {"kind": "solve", "position": long_position()})
        assert refused.status == 429 and "the server is busy" in refused.error and "retry-after" in refused.headers
        wait_until(lambda: len(server.children) == 2, "two processes work")
        for job in reversed(jobs):
            assert server.ask("DELETE", f"/api/jobs/{job}").status == 204
        wait_until(lambda: not server.children, "all processes were killed")
        assert server.run("hint", sokoban(ONE_PUSH))[-1]["type"] == "done"


# --- agents


@pytest.mark.parametrize(
    ("agent", "position"),
    [
        ("planner", sokoban(TWO_PUSHES)),
        ("greedy", shover("A..\n.B.\n..L")),
        ("greedy", RACE),
    ],
)
def test_an_agent_plays_to_the_end(server: Server, agent: str, position: dict[str, object]) -> None:
    events = server.run("agent", position, agent=agent)
    actions = [event["action"] for event in events if event["type"] == "action"]
    result = events[-1]["result"]
    assert result["outcome"] is not None and result["played"] == len(actions)
    again = server.run("hint", {**position, "moves": actions, "hash": result["hash"]})[-1]
    assert "is over" in again["error"]  # the moves lead to the same state, so only the end of the game is an error


def test_an_agent_makes_one_move_for_the_player_whose_turn_it_is(server: Server) -> None:
    events = server.run("agent", RACE | {"players": ["human", "greedy"]}, agent="greedy", moves=1)
    assert [event["type"] for event in events].count("action") == 1
    assert events[-1]["result"]["outcome"] is None


# --- errors


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (sokoban(ONE_PUSH, hash="0123456789abcdef"), "the position differs: after 0 moves, the state hash is "),
        (sokoban(ONE_PUSH, moves=[[99]]), "position.moves, move 1: action 99 is outside the action space"),
        (sokoban(ONE_PUSH, moves=[{"place": [0, 0]}]), "this game does not support free moves"),
        (sokoban("#####\n#@ .#\n#####\n"), "level"),
        (sokoban(ONE_PUSH, players=2), "a game for one player, not 2"),
        (RACE | {"players": ["human", "mine.py:Mine"]}, "position.players='mine.py:Mine': must be one of 'human'"),
        (RACE | {"players": 9}, "has 4 start cells"),
        (shover("A.B", rules="phase7"), "there is no such preset"),
        (shover("A.B", rules="phase2, initial_farce=3"), "there is no rule 'initial_farce'"),
        ({"game": "sokoban", "level": {"collection": "/etc/passwd", "name": "x"}}, "expected one of 'tiny'"),
        ({"game": "sokoban", "level": {"collection": "tiny", "name": "tiny#1000"}}, "did you mean"),
        (sokoban(ONE_PUSH) | {"level": {"text": ONE_PUSH, "number": 2}}, "the text contains 1 level"),
    ],
)
def test_an_impossible_position_is_explained(server: Server, position: dict[str, object], words: str) -> None:
    last = server.run("hint", position)[-1]
    assert last["type"] == "error" and words in last["error"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "cook"}, "kind='cook': must be one of 'hint', 'solve', 'agent'"),
        ({"kind": "agent"}, "agent=None: must be one of 'planner', 'learned', 'learned-search', 'random'"),
        ({"kind": "agent", "agent": "../../mine.py:Mine"}, "agent='../../mine.py:Mine': must be one of"),
        ({"objective": "speed"}, "objective='speed': must be one of 'pushes'"),
        ({"seconds": 1e9}, "seconds=1e+09: must be at most 600"),
        ({"seconds": -1}, "seconds=-1: must be at least 0"),
        ({"position": 5}, "not 5"),
        ({"position": {"game": "chess"}}, "position.game='chess': must be one of"),
        ({"position": sokoban(ONE_PUSH, moves=[[1.5]])}, "position.moves, move 1: [1.5]: must be"),
        ({"position": sokoban(ONE_PUSH, moves=[[1]] * 20_001)}, "at most 20,000 moves"),
        ({"position": sokoban(ONE_PUSH, seed=-1)}, "position.seed=-1: must be an integer"),
        ({"position": sokoban(ONE_PUSH, hash="yes")}, "16 hexadecimal digits"),
        ({"position": {"game": "sokoban", "level": {"path": "/etc/passwd"}}}, "position.level="),
        ({"colour": "red"}, "there is no field 'colour'"),
    ],
)
def test_a_wrong_message_is_explained(server: Server, change: dict[str, object], words: str) -> None:
    answer = server.ask("POST", "/api/jobs", {"kind": "hint", "position": sokoban(ONE_PUSH), **change})
    assert answer.status == 422 and words in answer.error


# --- records


def test_records_are_shared_with_the_window(server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOVERWORLD_HOME", str(folder / "home"))
    game = game_named("sokoban")
    first, second = game.levels.boards("tiny")[:2]
    position = {"game": "sokoban", "level": {"collection": "tiny", "name": first.name}, "seed": 1}
    plan = server.run("solve", position)[-1]["result"]
    won = {**position, "moves": plan["actions"]}
    numbers = [plan["cost"], len(plan["actions"])]

    refused = server.ask("PUT", "/api/records", {"position": won, "numbers": [numbers[0], numbers[1] - 1]})
    assert refused.status == 422 and "these moves give the score" in refused.error
    saved = server.ask("PUT", "/api/records", {"position": won, "numbers": numbers}).json
    assert saved["improved"] and saved["score"]["numbers"] == numbers
    assert not server.ask("PUT", "/api/records", {"position": won, "numbers": numbers}).json["improved"]
    records, message = Records.load()  # as the window does
    score = records.best(game.levels.identity(first, first.preset))
    assert message is None and score is not None and list(score.numbers) == numbers

    window = Session(game, second, seed=1)
    for action in game.plan(window.env, window.state, time_limit=10).actions:
        window.do(Act(action))
    assert records.note(window)
    found = server.ask("GET", "/api/records?game=sokoban").json["records"]
    assert [entry["name"] for entry in found] == [first.name, second.name]
    assert found[0]["numbers"] == numbers and found[0]["rules"] == first.preset
    assert server.ask("GET", "/api/records?game=sokoban&rules=max_steps%3D77").json["records"] == []


@pytest.mark.parametrize(
    ("position", "numbers", "words"),
    [
        (sokoban(ONE_PUSH), [1, 1], "the game was not solved, so it has no score"),
        (sokoban(ONE_PUSH, moves=[[0]] * 3), [1, 1], "the game was not solved"),
        (sokoban(ONE_PUSH), [], "must be the list of numbers of the score"),
        (sokoban(ONE_PUSH), [float("1e400")], "not JSON"),
    ],
)
def test_a_game_without_a_score_is_not_a_record(
    server: Server, position: dict[str, object], numbers: list[float], words: str
) -> None:
    answer = server.ask("PUT", "/api/records", {"position": position, "numbers": numbers})
    assert answer.status == 422 and words in answer.error


def test_a_game_with_free_moves_is_not_a_record(server: Server) -> None:
    game = session("shover", "A..\nB..\nL..", "walker")
    placed = {"place": [0, 1]}
    game.do(intent_of(game.env, placed))
    plan = game.game.plan(game.env, game.state, time_limit=10)
    moves = [placed, *(numbers_of(action) for action in plan.actions)]
    for action in plan.actions:
        game.do(Act(action))
    assert game.score is not None
    position = shover("A..\nB..\nL..", moves=moves, rules="walker")
    answer = server.ask("PUT", "/api/records", {"position": position, "numbers": game.score.numbers})
    assert answer.status == 422 and answer.error == "a game with free moves does not count as a record"


def test_the_records_of_an_unknown_game(server: Server) -> None:
    answer = server.ask("GET", "/api/records?game=chess")
    assert answer.status == 422 and "game='chess': must be one of" in answer.error


# --- files


def test_level_files_are_sent_as_level_data(server: Server, levels: Path) -> None:
    listed = server.ask("GET", "/api/files").json["files"]
    assert listed[0] == {"number": 0, "name": "own.xsb", "kind": "levels", "game": "sokoban"}
    first, second = server.ask("GET", "/api/files/0").json["levels"]
    assert (first["title"], second["title"]) == ("One push", "Two pushes")
    packaged = json.loads((STATIC / "sokoban-tiny.json").read_text())[0]
    assert packaged.keys() <= first.keys()
    assert server.run("hint", sokoban(second["text"]))[-1]["type"] == "done"


def test_a_changed_file_is_read_again(server: Server, levels: Path) -> None:
    content = levels.read_text()
    levels.write_text(ONE_PUSH)
    try:
        assert len(server.ask("GET", "/api/files/0").json["levels"]) == 1
        levels.unlink()
        missing = server.ask("GET", "/api/files/0")
        assert missing.status == 422 and "own.xsb" in missing.error
    finally:
        levels.write_text(content)


def test_a_replay_is_sent_as_a_position(server: Server, replay: Path) -> None:
    data = server.ask("GET", "/api/files/1").json
    assert (data["kind"], data["game"], data["name"]) == ("replay", "shover", "game.replay")
    assert data["position"]["moves"] == [[0, 1, 1]]
    assert data["position"]["hash"] == Replay.read(replay).moves[-1].hash
    assert server.run("solve", data["position"])[-1]["type"] == "done"


@pytest.mark.parametrize("number", ["2", "-1", "x", "..", "%2e%2e", "0/../../secret.txt"])
def test_no_other_file_can_be_read(server: Server, number: str) -> None:
    assert server.ask("GET", f"/api/files/{number}").status == 404


def test_the_children_of_a_process_are_found(server: Server) -> None:
    """The tests above rely on this."""
    server.run("hint", sokoban(ONE_PUSH))
    assert server.children
