"""The server under attack: it never crashes, serves no file outside its folders, keeps no process and little memory."""

import json
import os
import random
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.serving import PATIENCE, SECRET, Server, children_of, exists, serving, wait_until
from tests.web.test_server import ONE_PUSH, long_position, sokoban

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")

MOST_GROWTH = 100 * 2**20  # bytes; the server needs about 110 MB at the start
LIMITS = {"head_seconds": 1.0, "body_seconds": 1.0, "unwatched_seconds": 1.0, "kept_seconds": 1.0}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with short limits. After all attacks, it must be as it was at the start."""
    with serving(tmp_path_factory.mktemp("attacks"), **LIMITS) as found:
        memory, files = found.memory, found.open_files
        yield found
        assert found.ask("GET", "/api/hello").status == 200
        assert found.run("hint", sokoban(ONE_PUSH))[-1]["type"] == "done"
        wait_until(lambda: found.open_files <= files + 20, "the connections are closed")
        assert found.memory < memory + MOST_GROWTH
        assert len(found.children) <= 3  # two workers for jobs and one for records


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


# --- files outside the folders


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/../../../../../../etc/passwd",
        "/static/../../secret.txt",
        "/static/../server/app.py",
        "/%2e%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/static/%2e%2e/server/app.py",
        "/static/..%2fserver/app.py",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/%252e%252e/secret.txt",
        "/....//secret.txt",
        "//etc/passwd",
        "/static//etc/passwd",
        "/%2fetc%2fpasswd",
        "/index.html%00.txt",
        "/%00",
        "/static/%00/../index.json",
        "/.hidden.txt",
        "/link.txt",
        "/folder/secret.txt",
        "/script.py",
        "/" + "a" * 5000 + ".txt",
        "/" + "a/" * 2000 + "b.txt",
        "/index.html/",
        "/./index.html",
        "/static/./index.json",
        "http://evil.example/",
        "*",
        "/api/files/0",
        "/api/%2e%2e/secret.txt",
        "/api/jobs/%2e%2e/events",
    ],
)
def test_nothing_outside_is_served(server: Server, path: str) -> None:
    player = Path(os.readlink(f"/proc/{server.process.pid}/cwd")) / "player"
    (player / ".hidden.txt").write_text(SECRET)
    (player / "script.py").write_text(SECRET)
    for name, target in (("link.txt", "../secret.txt"), ("folder", "..")):
        if not (player / name).is_symlink():
            (player / name).symlink_to(target)
    request = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nConnection: close\r\n\r\n"
    answer = server.raw(request.encode("latin-1"))
    assert status_of(answer) in (400, 404)
    assert SECRET.encode() not in answer and b"root:" not in answer and b"create_app" not in answer


# --- other pages and other hosts


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", "", "127.0.0.1:{port}@evil"]
)
def test_other_hosts_are_refused(server: Server, host: str) -> None:
    answer = server.ask("GET", "/api/hello", Host=host.format(port=server.port))
    assert answer.status == 403 and "this server answers only to" in answer.error


def test_a_request_with_two_hosts_or_none_is_refused(server: Server) -> None:
    two = f"GET /api/hello HTTP/1.1\r\nHost: {server.host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    none = "GET /api/hello HTTP/1.0\r\n\r\n"
    assert [status_of(server.raw(text.encode())) for text in (two, none)] == [400, 403]


def test_local_names_are_accepted(server: Server) -> None:
    for name in ("localhost", "127.0.0.1", "[::1]", "LOCALHOST"):
        assert server.ask("GET", "/api/hello", Host=f"{name}:{server.port}").status == 200


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/api/jobs"), ("PUT", "/api/records"), ("DELETE", "/api/jobs/x")]
)
@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "http://localhost:{port}"],
)
def test_other_origins_change_nothing(server: Server, method: str, path: str, origin: str | None) -> None:
    message = None if method == "DELETE" else {"kind": "solve", "position": long_position()}
    given = None if origin is None else origin.format(port=server.port)
    answer = server.ask(method, path, message, Origin=given)
    assert answer.status == 403 and "only the page at" in answer.error


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}]
)
def test_other_pages_read_nothing(server: Server, headers: dict[str, str]) -> None:
    for path in ("/api/hello", "/api/records?game=sokoban", "/api/files"):
        assert server.ask("GET", path, **headers).status == 403


def test_a_form_of_another_page_is_refused(server: Server) -> None:
    message = json.dumps({"kind": "hint", "position": sokoban(ONE_PUSH)})
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        assert server.ask("POST", "/api/jobs", message, Content_Type=kind).status == 415


# --- huge requests


def test_a_huge_body_is_refused_before_it_is_sent(server: Server) -> None:
    head = f"POST /api/jobs HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n"
    for length in ("1000001", "99999999999999999999", "4294967296"):
        assert status_of(server.raw(head.format(length).encode())) in (400, 413)


def test_a_huge_body_of_unknown_length_is_refused_while_it_is_read(server: Server) -> None:
    head = f"POST /api/jobs HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\n"
    head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    before, sent = server.memory, 0
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link:
        link.sendall(head.encode())
        with suppress(ConnectionError):
            for _ in range(1000):  # 64 MB
                link.sendall(chunk)
                sent += len(chunk)
    assert sent < 32 * 2**20 and server.memory < before + 32 * 2**20


def test_a_body_without_use_is_refused(server: Server) -> None:
    assert server.ask("GET", "/api/hello", b"x" * 100).status == 400


@pytest.mark.parametrize(
    "head",
    [
        "GET /{long} HTTP/1.1\r\nHost: {host}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: {host}\r\nX-Long: {long}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: {host}\r\n{many}\r\n\r\n",
    ],
)
def test_a_huge_head_is_refused(server: Server, head: str) -> None:
    many = "\r\n".join(f"X-{k}: {k}" for k in range(20_000))
    answer = server.raw(head.format(long="a" * 1_000_000, many=many, host=server.host).encode())
    assert status_of(answer) in (0, 400)  # 0: the server closed the connection before it read everything


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 900_000,
        b'{"a":' * 150_000,
        b"[" * 9 + b"]" * 9,
        b'"' + b"\\" * 900_000,
        b"1" * 900_000,
        b"-" * 900_000,
        b"[1e999]",
        b"NaN",
        b"\xff\xfe\x00",
        b"\xed\xa0\x80",
        b"",
        b"{",
        b'{"kind": "hint", "position": null}',
        b"[]",
        b'"\\ud800"',
    ],
)
def test_extreme_messages_are_refused(server: Server, body: bytes) -> None:
    answer = server.ask("POST", "/api/jobs", body)
    assert answer.status == 422 and answer.error


def test_a_large_message_within_the_limits_is_accepted(server: Server) -> None:
    position = sokoban(ONE_PUSH, moves=[[0]] * 20_000)
    assert server.run("hint", position)[-1]["type"] == "done"


# --- slow requests


@pytest.mark.parametrize("sent", ["", "GET / HT", "GET / HTTP/1.1\r\nHost: {host}\r\nX: "])
def test_a_head_that_never_ends_is_given_up(server: Server, sent: str) -> None:
    assert server.raw(sent.format(host=server.host).encode()) == b""


def test_a_head_that_arrives_slowly_is_given_up(server: Server) -> None:
    """Every byte comes in time, but the head as a whole does not."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=0.05) as link:
        link.sendall(f"GET / HTTP/1.1\r\nHost: {server.host}\r\n".encode())

        def closed() -> bool:
            try:
                link.sendall(b"X: y\r\n")
                return link.recv(1000) == b""
            except TimeoutError:
                return False
            except ConnectionError:
                return True

        wait_until(closed, "the server closed the connection")


def test_a_second_request_that_arrives_slowly_is_given_up(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link:
        link.sendall(f"GET /api/hello HTTP/1.1\r\nHost: {server.host}\r\n\r\nGET / HT".encode())
        answer = b""
        with suppress(ConnectionError):
            while part := link.recv(65536):
                answer += part
    assert status_of(answer) == 200


def test_a_body_that_never_ends_is_given_up(server: Server) -> None:
    head = f"POST /api/jobs HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    answer = server.raw(head.encode())
    assert status_of(answer) == 408 and b"took longer than 1 s" in answer


# --- many connections


def test_two_hundred_connections_at_once(server: Server) -> None:
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
        wait_until(lambda: server.open_files <= 200, "the server closed some of them")

        def answered() -> bool:  # a request is answered once the idle connections are closed
            with suppress(ConnectionError, OSError):
                return server.ask("GET", "/api/hello").status == 200
            return False

        wait_until(answered, "a request is answered")


def test_two_hundred_requests_at_once(server: Server) -> None:
    found: list[int] = []

    def request() -> None:
        try:
            found.append(server.ask("GET", "/static/sokoban-hard.json").status)
        except (ConnectionError, OSError):
            found.append(0)

    threads = [threading.Thread(target=request) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) <= {0, 200, 503} and 200 in found
    wait_until(lambda: server.ask("GET", "/api/hello").status == 200, "the server answers again")


def test_clients_that_do_not_read_the_answers(server: Server) -> None:
    request = f"GET /static/sokoban-hard.json HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
    before = server.memory
    with ExitStack() as stack:
        links = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
            for _ in range(30)
        ]
        for link in links:
            with suppress(ConnectionError):
                link.sendall(request * 50)
        assert server.ask("GET", "/api/hello").status == 200
        assert server.memory < before + MOST_GROWTH


# --- jobs


def test_a_flood_of_jobs(server: Server) -> None:
    message = {"kind": "solve", "position": long_position(), "seconds": 60}
    statuses = set()
    for _ in range(100):
        statuses.add(server.ask("POST", "/api/jobs", message).status)
        assert len(server.children) <= 3
    assert statuses == {201, 429}
    assert server.run("hint", sokoban(ONE_PUSH))[-1]["type"] == "done"  # jobs that nobody follows are cancelled


def test_jobs_that_are_cancelled_at_any_moment(server: Server) -> None:
    rng = random.Random(1)
    for _ in range(12):
        kind = rng.choice(["hint", "solve", "agent"])
        job = server.start(kind, long_position(), agent="random", seconds=30)
        stream = server.events(job)
        for _ in range(rng.choice([0, 1, 2, 3])):
            next(stream, None)
        threads = [
            threading.Thread(target=server.ask, args=("DELETE", f"/api/jobs/{job}")) for _ in range(rng.choice([1, 3]))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stream.close()  # type: ignore[attr-defined]
        assert server.ask("DELETE", f"/api/jobs/{job}").status == 404
    wait_until(lambda: len(children_of(server.process.pid)) <= 3, "the processes were killed")
    wait_until(lambda: all(map(exists, children_of(server.process.pid))), "the server has waited for them")


def test_a_job_whose_process_dies(server: Server) -> None:
    before = set(server.children)
    job = server.start("solve", long_position(), seconds=60)
    events = server.events(job)
    next(event for event in events if event.get("stage") == "thinking")
    for child in set(server.children) - before or before:
        with suppress(ProcessLookupError):
            os.kill(child, 9)
    last = list(events)[-1]
    assert last["type"] == "error" and "ended unexpectedly" in last["error"]


# --- invalid messages

numbers = (
    st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0, 1, 2, 3])
)
scalars = st.none() | st.booleans() | numbers | st.text(max_size=20)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
moves = st.lists(st.lists(st.integers(-2, 9), min_size=1, max_size=4) | st.builds(lambda cell: {"place": cell}, st.lists(st.integers(-1, 9), min_size=2, max_size=2)), max_size=6)  # fmt: skip
level_texts = st.text("#.@$*+ ABL0123456789-SF\n:'", max_size=60) | st.text(max_size=30)
plausible = st.fixed_dictionaries(
    {
        "game": st.sampled_from(["shover", "sokoban", "race"]),
        "level": st.builds(lambda text: {"text": text}, level_texts),
    },
    optional={
        "rules": st.sampled_from(["", "phase2", "milestone1", "initial_force=1e9", "max_steps=0"])
        | st.text(max_size=20),
        "players": st.integers(0, 3),
        "seed": st.integers(0, 2**53),
        "moves": moves,
        "hash": st.sampled_from(["0" * 16, "x"]),
    },
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    message=st.dictionaries(st.sampled_from(["kind", "position", "agent", "seconds", "objective", "x"]), anything)
    | anything
)
def test_random_messages(server: Server, message: Any) -> None:
    answer = server.ask("POST", "/api/jobs", json.dumps(message))
    assert answer.status == 422 and isinstance(answer.error, str)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=plausible)
def test_random_positions(server: Server, position: Any) -> None:
    """The positions reach the readers and the rules. All errors are the package's own."""
    answer = server.ask("PUT", "/api/records", {"position": position, "numbers": [1, 1]})
    assert answer.status == 422
    assert "the job failed" not in answer.error and "unexpectedly" not in answer.error


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200) | st.text("GETPOS /:HTTP1.\r\n%", max_size=100).map(str.encode))
def test_random_bytes(server: Server, data: bytes) -> None:
    server.raw(data, wait=False)
    assert server.ask("GET", "/api/hello").status == 200
