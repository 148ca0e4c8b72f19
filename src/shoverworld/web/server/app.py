"""The application: the page, its data files, and the interface for jobs, records and files (docs/web.md)."""

import asyncio
import mimetypes
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from shoverworld import __version__
from shoverworld.core.errors import ShoverWorldError
from shoverworld.games import all_games

from .guards import Guard
from .jobs import Job, Jobs
from .limits import LIMITS, Limits
from .messages import checked_job, checked_record, checked_records, parse_json
from .workers import Message, Pool, TooBusy

WEB = Path(__file__).resolve().parents[1]
PLAYER, STATIC = WEB / "player", WEB / "static"
INDEX = "index.html"
META = f'<meta name="shoverworld-server" content="{__version__}">'  # tells the page that Python is there
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}  # the files that are served, and their types, whatever the settings of this machine are
_EVENTS = re.compile(r"/api/jobs/[^/]+/events")


class LocalFile(NamedTuple):
    """A file named on the command line."""

    path: Path
    kind: str  # "levels" or "replay"
    game: str


def create_app(
    hosts: Sequence[str],
    files: Sequence[LocalFile] = (),
    player: Path = PLAYER,
    static: Path = STATIC,
    limits: Limits = LIMITS,
) -> ASGIApp:
    """Return the application. `hosts`: the addresses at which the page is opened, such as "127.0.0.1:7468".

    `player` and `static`: the folders of the page and of its data files.
    """
    for suffix, kind in TYPES.items():
        mimetypes.add_type(kind, suffix)
    server = _Server(files, player, limits)
    routes = [
        Route("/", server.index),
        Route(f"/{INDEX}", server.index),
        Route("/api/hello", server.hello),
        Route("/api/jobs", server.start_job, methods=["POST"]),
        Route("/api/jobs/{id}", server.cancel_job, methods=["DELETE"]),
        Route("/api/jobs/{id}/events", server.events),
        Route("/api/records", server.records, methods=["GET"]),
        Route("/api/records", server.save_record, methods=["PUT"]),
        Route("/api/files", server.files),
        Route("/api/files/{number:int}", server.file),
        Mount("/static", _Folder(directory=static)),
        Mount("/", _Folder(directory=player, check_dir=False)),
    ]
    handlers: Any = {HTTPException: _http_error, TooBusy: _too_busy, ShoverWorldError: _bad_request}
    app = Starlette(
        routes=routes,
        middleware=[Middleware(GZipMiddleware)],
        exception_handlers=handlers,
        lifespan=server.lifespan,
    )
    return Guard(app, hosts, limits, lambda path: _EVENTS.fullmatch(path) is not None)


class _Server:
    """The endpoints."""

    def __init__(self, files: Sequence[LocalFile], player: Path, limits: Limits):
        self._files, self._player, self._limits = tuple(files), player, limits
        self._jobs = Jobs(limits)
        self._quick = Pool(1, limits.quick_waiting)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        tidy = asyncio.create_task(self._jobs.keep_tidy())
        try:
            yield
        finally:
            tidy.cancel()
            await self._jobs.close()
            await self._quick.close()

    # --- the page

    async def index(self, request: Request) -> Response:
        """Return the page with a mark which says that this server is there."""
        try:
            text = (self._player / INDEX).read_text("utf-8")
        except OSError:
            raise HTTPException(404, f"the player is missing: there is no file {INDEX} in {self._player}") from None
        page = re.sub(r"<head[^>]*>", lambda head: f"{head[0]}\n{META}", text, count=1, flags=re.IGNORECASE).encode()
        etag = f'"{blake2b(page, digest_size=8).hexdigest()}"'
        if etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers={"etag": etag})
        return Response(page, media_type="text/html", headers={"etag": etag})

    async def hello(self, request: Request) -> Response:
        games = {
            name: {"agents": list(game.agent_names), "objectives": list(game.objectives)}
            for name, game in all_games().items()
        }
        limits = {"moves": self._limits.moves, "seconds": self._limits.job_seconds}
        return JSONResponse({"version": __version__, "games": games, "limits": limits, "files": len(self._files)})

    # --- jobs

    async def start_job(self, request: Request) -> Response:
        job = self._jobs.start(checked_job(await self._message(request), self._limits))
        return JSONResponse({"id": job.id}, 201)

    async def events(self, request: Request) -> Response:
        first = 0
        with suppress(ValueError):
            first = max(0, int(request.headers.get("last-event-id", "-1")[:9]) + 1)
        return _EventStream(self._job(request), first, self._limits.heartbeat)

    async def cancel_job(self, request: Request) -> Response:
        await self._jobs.cancel(self._job(request))
        return Response(status_code=204)

    def _job(self, request: Request) -> Job:
        job = self._jobs.find(request.path_params["id"])
        if job is None:
            raise HTTPException(404, "there is no such job; it ended some time ago or was cancelled")
        return job

    # --- records and files

    async def records(self, request: Request) -> Response:
        query = request.query_params
        return await self._answer(checked_records(query.get("game"), query.get("rules"), self._limits))

    async def save_record(self, request: Request) -> Response:
        return await self._answer(checked_record(await self._message(request), self._limits))

    async def files(self, request: Request) -> Response:
        found = [
            {"number": number, "name": file.path.name, "kind": file.kind, "game": file.game}
            for number, file in enumerate(self._files)
        ]
        return JSONResponse({"files": found})

    async def file(self, request: Request) -> Response:
        number = request.path_params["number"]
        if number >= len(self._files):
            raise HTTPException(404, f"there is no file {number}; there are {len(self._files)}, counted from 0")
        return await self._answer({"kind": "file", "path": str(self._files[number].path)})

    # --- messages

    async def _message(self, request: Request) -> Any:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise HTTPException(415, f"Content-Type: {kind!r:.60}: must be application/json")
        return parse_json(await request.body(), self._limits)

    async def _answer(self, request: Message) -> Response:
        """Return the result of a short task."""
        seconds = self._limits.quick_seconds
        try:
            async with asyncio.timeout(seconds):
                return JSONResponse(await self._quick.run(request, lambda message: None))
        except TimeoutError:
            raise HTTPException(503, f"no answer was found in {seconds:g} s; try again later") from None


class _EventStream(StreamingResponse):
    """The events of a job. While a stream is open, the job has a watcher."""

    def __init__(self, job: Job, first: int, heartbeat: float):
        super().__init__(job.follow(first, heartbeat), media_type="text/event-stream")
        self._watched = job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._watched.watch()
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._watched.unwatch()


class _Folder(StaticFiles):
    """A folder of which only files with known suffixes are served, never links to places outside or hidden files."""

    def lookup_path(self, path: str) -> Any:
        parts = PurePosixPath(path.replace("\\", "/"))
        if parts.suffix.lower() not in TYPES or any(part.startswith(".") for part in parts.parts):
            return "", None
        return super().lookup_path(path)


# --- errors


async def _http_error(request: Request, error: HTTPException) -> Response:
    text = error.detail if error.status_code != 404 or error.detail != "Not Found" else "there is no such page"
    return JSONResponse({"error": text}, error.status_code, error.headers)


async def _too_busy(request: Request, error: TooBusy) -> Response:
    return JSONResponse({"error": str(error)}, 429, {"retry-after": "5"})


async def _bad_request(request: Request, error: ShoverWorldError) -> Response:
    return JSONResponse({"error": str(error)}, 422)
