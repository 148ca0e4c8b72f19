"""The command `shover web`: its address, its errors and its end."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from shoverworld.commands.parser import PORT
from tests.paths import ROOT
from tests.web.serving import PATIENCE, Client, children_of, exists, program, wait_until
from tests.web.test_server import ONE_PUSH, long_position

COMMAND = ["-m", "shoverworld.cli", "web"]


def shover_web(*arguments: object, folder: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command with arguments that it refuses."""
    start = f"{before}\nimport sys\nfrom shoverworld.cli import main\nsys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", start, "web", *map(str, arguments)],
        capture_output=True, text=True, cwd=folder, timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
    )  # fmt: skip


def client_of(line: str) -> Client:
    """Return a client for the address in the line that the command prints."""
    assert line.startswith("Shover-World is at http://127.0.0.1:"), line
    return Client(int(line.partition("127.0.0.1:")[2].partition("/")[0]))


def test_a_free_port_is_printed(tmp_path: Path) -> None:
    with program([*COMMAND, "--port", "0"], tmp_path) as (_, line):
        assert client_of(line).ask("GET", "/api/hello").status == 200


def test_an_address_of_ipv6(tmp_path: Path) -> None:
    with program([*COMMAND, "--port", "0", "--host", "::1"], tmp_path) as (process, line):
        if not line:
            pytest.skip("this machine has no IPv6")
        port = int(line.partition("[::1]:")[2].partition("/")[0])
        with socket.create_connection(("::1", port), timeout=PATIENCE) as link:
            link.sendall(f"GET /api/hello HTTP/1.1\r\nHost: [::1]:{port}\r\nConnection: close\r\n\r\n".encode())
            assert link.recv(15) == b"HTTP/1.1 200 OK"
        assert process.poll() is None


def test_only_this_machine_can_connect(tmp_path: Path) -> None:
    with program([*COMMAND, "--port", "0"], tmp_path) as (process, line):
        port = client_of(line).port
        listening = [row.split() for row in Path(f"/proc/{process.pid}/net/tcp").read_text().splitlines()[1:]]
        assert [row[1] for row in listening if row[1].endswith(f":{port:04X}") and row[3] == "0A"] == [
            f"0100007F:{port:04X}"  # 127.0.0.1
        ]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])
def test_other_addresses_are_refused(tmp_path: Path, host: str) -> None:
    run = shover_web("--host", host, folder=tmp_path)
    assert run.returncode == 2 and "must be 127.0.0.1, localhost or ::1" in run.stderr


def test_a_port_in_use_is_a_clear_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = shover_web("--port", port, folder=tmp_path)
    expected = "another program uses it; choose another port, or --port 0 for any free port"
    assert (run.returncode, run.stderr) == (2, f"shover web: port {port} on 127.0.0.1: {expected}\n")


@pytest.mark.parametrize("port", [-1, 65536])
def test_an_impossible_port_is_a_clear_error(tmp_path: Path, port: int) -> None:
    run = shover_web(f"--port={port}", folder=tmp_path)
    assert run.returncode == 2 and f"port={port}: must be an integer from 0 to 65535" in run.stderr


def test_a_file_that_cannot_be_read_is_reported_before_the_server_starts(tmp_path: Path) -> None:
    run = shover_web("missing.xsb", "--port", 0, folder=tmp_path)
    assert run.returncode == 2 and "missing.xsb" in run.stderr and run.stdout == ""


def test_the_files_named_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "own.xsb").write_text(ONE_PUSH)
    with program([*COMMAND, "--port", "0", "own.xsb"], tmp_path) as (_, line):
        client = client_of(line)
        assert client.ask("GET", "/api/files").json["files"][0]["name"] == "own.xsb"
        assert len(client.ask("GET", "/api/files/0").json["levels"]) == 1


def test_the_browser_is_opened_if_asked_for(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BROWSER", str(browser))
        with program([*COMMAND, "--port", "0", "--open"], tmp_path) as (_, line):
            address = line.split()[3]
            opened = tmp_path / "opened"
            assert (
                wait_until(lambda: opened.exists() and opened.read_text(), "the browser was opened") == f"{address}\n"
            )


def test_a_missing_library_names_the_extra(tmp_path: Path) -> None:
    run = shover_web("--port", 0, folder=tmp_path, before="import sys\nsys.modules['uvicorn'] = None")
    expected = 'shover web needs uvicorn, which is not installed: pip install "shoverworld[web]"'
    assert run.returncode == 2 and expected in run.stderr


def test_the_package_imports_no_web_framework() -> None:
    code = "import sys, shoverworld, shoverworld.cli, shoverworld.web.files\n"
    code += "print(*[name for name in sys.modules if name.split('.')[0] in ('starlette', 'uvicorn', 'anyio', 'h11')])"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env).stdout == "\n"


def test_the_default_port_spells_the_name() -> None:
    keypad = {"7": "PQRS", "4": "GHI", "6": "MNO", "8": "TUV"}
    assert all(letter in keypad[digit] for digit, letter in zip(str(PORT), "SHOV", strict=True))


# --- the end


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send SIGINT")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_and_its_jobs(tmp_path: Path, number: signal.Signals) -> None:
    with program([*COMMAND, "--port", "0"], tmp_path) as (process, line):
        client = client_of(line)
        events = client.events(client.start("solve", long_position(), seconds=300))
        next(event for event in events if event.get("stage") == "thinking")
        children = children_of(process.pid)
        assert children
        process.send_signal(number)
        assert process.wait(PATIENCE) == (0 if number == signal.SIGINT else -number)
        assert process.stderr is not None and process.stderr.read() == ""
        assert not [child for child in children if exists(child)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_child_outlives_a_server_that_was_killed(tmp_path: Path) -> None:
    with program([*COMMAND, "--port", "0"], tmp_path) as (process, line):
        client = client_of(line)
        events = client.events(client.start("solve", long_position(), seconds=300))
        next(event for event in events if event.get("stage") == "thinking")
        children = children_of(process.pid)
        process.kill()
        wait_until(lambda: not [child for child in children if exists(child)], "the children have ended")
