"""`shover web`: play in a browser on this machine, with planners, agents and records."""

import argparse
import sys
import threading
import webbrowser
from importlib import import_module
from pathlib import Path
from typing import Any

from shoverworld.core.errors import MissingExtra
from shoverworld.terminal.console import SafeConsole


def run(chosen: argparse.Namespace) -> int:
    server, app = _modules()
    files = [_opened(app, Path(path)) for path in chosen.files]  # report errors before the server starts
    bound = server.bind(chosen.host, chosen.port)
    hosts = server.hosts_of(bound)
    address = f"http://{hosts[0]}/"
    console = SafeConsole(soft_wrap=True)
    console.print(f"Shover-World is at {address} (Ctrl-C ends the server)")
    sys.stdout.flush()  # a program that started this one may be waiting for the address
    if chosen.open:
        threading.Thread(target=_open, args=(address, console), daemon=True).start()
    try:
        server.serve(app.create_app(hosts, files), bound)
    except KeyboardInterrupt:
        pass  # the usual way to end the server
    finally:
        bound.close()
    return 0


def _modules() -> tuple[Any, Any]:
    """Import the server, whose libraries are optional."""
    try:
        server = import_module("shoverworld.web.server.serve")
        return server, import_module("shoverworld.web.server.app")
    except ModuleNotFoundError as reason:
        if (reason.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio", "h11"):
            raise
        raise MissingExtra.of("shover web", str(reason.name), "web") from None


def _opened(app: Any, path: Path) -> Any:
    """Read a file once, so that a file that cannot be read is reported here and not in the browser."""
    local_files = import_module(
        "shoverworld.web.server.local_files"
    )  # imports the compiler, which the server does not need
    data = local_files.file_data(path)
    return app.LocalFile(path.resolve(), data["kind"], data["game"])


def _open(address: str, console: SafeConsole) -> None:
    """Open the page. Some browsers block until they are closed, so this runs in a thread."""
    if not webbrowser.open(address):
        console.print(f"No browser was found: open {address} yourself")
