"""The application: every route under one roof."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from plies.core.contract import Game
from plies.errors import PliesError
from plies.version import __version__
from plies.web import limits
from plies.web import routes as routes_games
from plies.web.access import WENT_WRONG, Access, SecurityMiddleware
from plies.web.catalogue import Catalogue
from plies.web.contests import routes as routes_contests
from plies.web.contests.contests import Contests
from plies.web.free_memory import keep_little
from plies.web.lab import routes as routes_lab
from plies.web.lab import search
from plies.web.problems import Stale, content_of, status_of
from plies.web.sessions import routes as routes_sessions
from plies.web.sessions.manager import SessionManager
from plies.web.static_files import StaticFiles
from plies.web.view import dumps
from plies.web.warming import Warmer
from plies.web.worker_threads import WorkerThreads


class Site:
    """Everything that a server has: its games, its sessions and where it keeps them."""

    def __init__(
        self,
        games: Iterable[Game],
        folder: Path,
        runs: Path | None = None,
        models: Iterable[Path] = (),
        tables: int = limits.TABLES,
        agents: Iterable[Path] = (),
        compiles_apart: bool = False,
        is_warming: bool = False,
    ):
        self.catalogue = Catalogue(games, models, agents)
        self.warmer = Warmer(self.catalogue, compiles_apart, is_warming)
        self.manager = SessionManager(self.catalogue, folder, self.warmer)
        self.manager.turns.tables.megabytes = tables
        self.files = StaticFiles()
        self.contests = Contests(folder, self.catalogue, runs)
        self.lab = WorkerThreads("laboratory", search.AT_ONCE, search.WAITING)

    def stop(self) -> None:
        """Let everybody go who would keep the server from ending."""
        self.warmer.close()
        self.manager.stop()

    def close(self) -> None:
        self.warmer.close()
        self.lab.close()
        self.contests.close()
        self.manager.close()


def make_app(site: Site, access: Access | None = None) -> SecurityMiddleware:
    """The application of a site behind its security middleware."""
    return SecurityMiddleware(make_api(site), access or Access())


def make_api(site: Site) -> FastAPI:
    """The application itself."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        keep_little()
        site.warmer.start()
        sweeping = asyncio.ensure_future(site.manager.sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            site.close()

    app = FastAPI(
        title="plies",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.site = site
    # They are tried in this order: what is asked most often comes first.
    for routes in (routes_sessions, routes_games, routes_lab, routes_contests):
        app.include_router(routes.router, prefix="/api")
    app.add_exception_handler(Exception, _fail)
    app.add_exception_handler(PliesError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_shape)
    app.add_exception_handler(HTTPException, _refuse_request)

    @app.get("/{name:path}", include_in_schema=False)
    async def show_file(request: Request, name: str) -> Response:
        return site.files.answer(name, request)

    return app


async def _fail(request: Request, error: Exception) -> Response:
    """Something that was not foreseen; the security middleware prints what."""
    return JSONResponse({"error": WENT_WRONG}, 500)


async def _refuse(request: Request, error: Exception) -> Response:
    """What somebody has asked for cannot be done: a status and one line."""
    assert isinstance(error, PliesError)
    content = content_of(error)
    visit = getattr(request.state, "visit", None)
    if isinstance(error, Stale) and visit is not None:
        return routes_sessions.json_answer(
            f'{dumps(content)[:-1]},"session":{visit.session_text()}}}', error.status
        )
    return JSONResponse(content, status_of(error))


async def _refuse_shape(request: Request, error: Exception) -> Response:
    """A request that is not of the shape it must have."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    message = f"{where[:80]}: {first['msg']}" if where else str(first["msg"])
    return JSONResponse({"error": message}, 422)


async def _refuse_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail).lower()}, error.status_code)
