"""A real server in a process of its own, and a plain HTTP client for it.

`python -m tests.web.serving FOLDER LIMITS FILE...` serves FOLDER/player on a free port. LIMITS is a JSON object with the
fields of `Limits` that differ from the defaults.
"""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tests.paths import ROOT

PAGE = "<!doctype html>\n<html><head><title>player</title></head><body></body></html>\n"
PATIENCE = 120.0  # seconds; the first job may have to compile a planner
SECRET = "the content of a file outside"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return self.json["error"]


class Client:
    """A client that sends what the page sends, unless a test says otherwise. A header that is None is left out."""

    def __init__(self, port: int):
        self.port = port
        self.host = f"127.0.0.1:{port}"
        self.origin = f"http://{self.host}"

    def open(self, method: str, path: str, body: Any = None, **headers: str | None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent: dict[str, str | None] = {"Host": self.host, "Accept-Encoding": "identity"}
        if method != "GET":
            sent["Origin"] = self.origin
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes | str) else json.dumps(body)
        sent |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        connection.request(method, path, body, {name: value for name, value in sent.items() if value is not None})
        response = connection.getresponse()
        response.connection = connection  # type: ignore[attr-defined]  # keeps the socket open
        return response

    def ask(self, method: str, path: str, body: Any = None, **headers: str | None) -> Answer:
        response = self.open(method, path, body, **headers)
        with response:
            answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        response.connection.close()  # type: ignore[attr-defined]
        return answer

    def raw(self, data: bytes, wait: bool = True) -> bytes:
        """Send bytes and return everything that the server sends until it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as link:
            try:
                link.sendall(data)
                return _all_of(link) if wait else b""
            except ConnectionError:  # the server has closed the connection
                return b""

    # --- jobs

    def start(self, kind: str, position: Any, **options: Any) -> str:
        """Start a job as soon as the server has room for it, and return its id."""
        message = {"kind": kind, "position": position, **options}
        answers = iter(lambda: self.ask("POST", "/api/jobs", message), None)
        answer = wait_until(lambda: (found := next(answers)).status != 429 and found, "the server has room for a job")
        assert answer.status == 201, answer.body
        return answer.json["id"]

    def events(self, job: str, **headers: str) -> Iterator[Any]:
        """Yield the events of a job until the server closes the stream."""
        response = self.open("GET", f"/api/jobs/{job}/events", **headers)
        assert response.status == 200
        try:
            while line := response.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))
        finally:
            response.close()
            response.connection.close()  # type: ignore[attr-defined]

    def run(self, kind: str, position: Any, **options: Any) -> list[Any]:
        """Run a job to its end and return its events."""
        return list(self.events(self.start(kind, position, **options)))


def _all_of(link: socket.socket) -> bytes:
    parts = []
    while part := link.recv(65536):
        parts.append(part)
    return b"".join(parts)


class Server(Client):
    """A server process and a client for it."""

    def __init__(self, process: subprocess.Popen[str], port: int):
        super().__init__(port)
        self.process = process

    @property
    def memory(self) -> int:
        """The resident memory of the server process in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024

    @property
    def children(self) -> list[int]:
        """The child processes that are running."""
        return [child for child in children_of(self.process.pid) if exists(child)]

    @property
    def open_files(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def children_of(parent: int) -> list[int]:
    """Return the child processes of a process, including those that have ended but were not waited for."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def exists(pid: int) -> bool:
    """Return whether a process is running."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"not in {PATIENCE:g} s: {what}")


@contextmanager
def program(command: list[str], folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a program that prints a line once it serves. Yield the process and the line, and end the program."""
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    env = {**os.environ, "SHOVERWORLD_HOME": str(folder / "home"), "PYTHONPATH": paths}
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, cwd=folder
    )
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline()
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        if process.stderr is not None:
            process.stderr.close()


@contextmanager
def serving(folder: Path, files: tuple[Path, ...] = (), **limits: Any) -> Iterator[Server]:
    """Serve a placeholder of the player from `folder`. Fail if the server prints anything or does not end cleanly."""
    (folder / "player").mkdir(exist_ok=True)
    (folder / "player" / "index.html").write_text(PAGE)
    (folder / "secret.txt").write_text(SECRET)
    command = ["-m", "tests.web.serving", str(folder), json.dumps(limits), *map(str, files)]
    with program(command, folder) as (process, line):
        assert line, process.stderr and process.stderr.read()
        server = Server(process, int(line))
        yield server
        assert process.poll() is None, "the server has ended"
        children = server.children
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert not [child for child in children if exists(child)], "a child process is left"
        errors = process.stderr.read() if process.stderr is not None else ""
        assert not errors, errors


def main(folder: str, limits: str, *files: str) -> None:
    from shoverworld.web.server.app import LocalFile, create_app
    from shoverworld.web.server.limits import Limits
    from shoverworld.web.server.local_files import file_data
    from shoverworld.web.server.serve import bind, hosts_of, serve

    found = [(Path(file), file_data(Path(file))) for file in files]
    local = [LocalFile(path, data["kind"], data["game"]) for path, data in found]
    changed = Limits(**json.loads(limits))
    bound = bind("127.0.0.1", 0)
    print(bound.getsockname()[1], flush=True)
    with suppress(KeyboardInterrupt):
        serve(create_app(hosts_of(bound), local, Path(folder) / "player", limits=changed), bound, changed)


if __name__ == "__main__":
    main(*sys.argv[1:])
