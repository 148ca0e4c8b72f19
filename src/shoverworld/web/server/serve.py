"""Run the server on a port of this machine until Ctrl-C."""

import errno
import ipaddress
import os
import socket

import uvicorn
from starlette.types import ASGIApp

from shoverworld.core.checks import whole
from shoverworld.core.errors import ConfigError
from shoverworld.core.files import cause

from .limits import LIMITS, Limits
from .protocol import limited_protocol


def bind(host: str, port: int) -> socket.socket:
    """Return a socket on this port; 0 means any free port. Only addresses of this machine are accepted."""
    whole("port", port, 0, 65535)
    address = loopback(host)
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # on Windows, this option would allow two servers on one port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((str(address), port))
        found.listen(128)
    except OSError as reason:
        found.close()
        if reason.errno == errno.EADDRINUSE:
            what = "another program uses it; choose another port, or --port 0 for any free port"
        elif reason.errno == errno.EACCES:
            what = "this user may not use it; choose a port from 1024 to 65535, or --port 0 for any free port"
        else:
            what = cause(reason)
        raise ConfigError(f"port {port} on {address}: {what}") from None
    found.setblocking(False)
    return found


def loopback(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address of this machine that other machines cannot reach. Raise ConfigError for any other address."""
    try:
        address = ipaddress.ip_address("127.0.0.1" if host.lower() == "localhost" else host.strip("[]"))
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise ConfigError(f"--host {host}: must be 127.0.0.1, localhost or ::1; other machines cannot use this server")
    return address


def hosts_of(bound: socket.socket) -> list[str]:
    """Return the hosts in the addresses of the page; the first one is the one to show."""
    address, port = bound.getsockname()[:2]
    own = f"[{address}]" if ":" in address else address
    names = dict.fromkeys([own, "localhost", "127.0.0.1", "[::1]"])
    return [f"{name}:{port}" if port != 80 else name for name in names]


def serve(app: ASGIApp, bound: socket.socket, limits: Limits = LIMITS) -> None:
    """Serve until Ctrl-C, which raises KeyboardInterrupt once all processes have ended."""
    config = uvicorn.Config(
        app,
        http=limited_protocol(limits),
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=0,  # event streams would never end by themselves
        h11_max_incomplete_event_size=limits.head,
    )
    uvicorn.Server(config).run(sockets=[bound])
