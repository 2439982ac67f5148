"""Tournaments over HTTP, and news of them through a web socket."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Path, Query, Request, WebSocket, WebSocketDisconnect
from starlette.responses import HTMLResponse

from plies.errors import PliesError
from plies.web.contests import limits
from plies.web.contests.contests import Contests
from plies.web.contests.messages import (
    Charts,
    ContestList,
    ContestPlan,
    ContestView,
    GameList,
    NewContest,
    ReplayView,
)
from plies.web.messages import Pong, ProblemNews
from plies.web.routes import PROBLEMS

GONE = (WebSocketDisconnect, RuntimeError, KeyError)  # what talking to nobody comes to
PATIENCE = 5  # a listener hears news at most a fifth of the time, so that playing goes on

router = APIRouter(prefix="/tournaments", tags=["tournaments"], responses=PROBLEMS)
T = TypeVar("T")
Name = Annotated[str, Path(max_length=100)]
Agent = Annotated[str, Query(max_length=limits.LONGEST_NAME * 4)]
Number = Annotated[int, Path(ge=0, le=2**53)]


async def _asked(request: Request, what: Callable[..., T], *arguments: Any, **options: Any) -> T:
    """What a method of the server's tournaments answers."""
    contests: Contests = request.app.state.site.contests
    return await contests.threads.run(partial(what, contests, *arguments, **options))


@router.get("")
async def list_tournaments(request: Request) -> ContestList:
    """Every tournament, the latest first."""
    return await _asked(request, Contests.list)


@router.post("/plan")
async def plan_tournament(request: Request, asked: NewContest, timed: bool = False) -> ContestPlan:
    """How many games a tournament would have; `timed`: and how long they would take."""
    return await _asked(request, Contests.plan, asked, is_timed=timed)


@router.post("", status_code=201)
async def start_tournament(request: Request, asked: NewContest) -> ContestView:
    """Begin to play."""
    return await _asked(request, Contests.start, asked)


@router.get("/{name}")
async def show_tournament(request: Request, name: Name) -> ContestView:
    """A tournament as it stands."""
    return await _asked(request, Contests.view, name)


@router.post("/{name}/stop")
async def stop_tournament(request: Request, name: Name) -> ContestView:
    """Stop playing; every game that has ended is kept."""
    return await _asked(request, Contests.stop, name)


@router.post("/{name}/resume")
async def resume_tournament(request: Request, name: Name) -> ContestView:
    """Go on where it was stopped."""
    return await _asked(request, Contests.resume, name)


@router.get("/{name}/games")
async def list_games(
    request: Request, name: Name, first: Agent = "", second: Agent = ""
) -> GameList:
    """The games that have ended: all, or those in which one or two agents sat."""
    return await _asked(
        request, Contests.games, name, [agent for agent in (first, second) if agent]
    )


@router.get("/{name}/games/{number}")
async def show_game(request: Request, name: Name, number: Number) -> ReplayView:
    """A game to be stepped through."""
    return await _asked(request, Contests.replay, name, number)


@router.get("/{name}/charts")
async def show_charts(request: Request, name: Name) -> Charts:
    """The charts of the report."""
    return await _asked(request, Contests.charts, name)


@router.get("/{name}/report", include_in_schema=False)
async def show_report(request: Request, name: Name) -> HTMLResponse:
    """The report as one page."""
    page, policy = await _asked(request, Contests.report, name)
    return HTMLResponse(page, headers={"Content-Security-Policy": policy})


@router.websocket("/{name}/live")
async def follow(socket: WebSocket, name: str) -> None:
    """News of a tournament, now and whenever games have ended, a few times a second at most."""
    contests: Contests = socket.app.state.site.contests
    await socket.accept()
    hearing = asyncio.ensure_future(_hear(socket))
    try:
        with suppress(*GONE):
            try:
                with contests.listening():
                    await _tell(socket, contests, name, hearing)
            except PliesError as error:
                await socket.send_text(ProblemNews(error=str(error)).model_dump_json())
                await socket.close()
    finally:
        hearing.cancel()


async def _tell(
    socket: WebSocket, contests: Contests, name: str, hearing: "asyncio.Future[None]"
) -> None:
    path = await contests.threads.run(partial(contests.shelf.path, name))
    told = None
    while not hearing.done():
        pause = limits.NEWS_SECONDS
        if (now := contests.moment(path)) != told:
            began = time.monotonic()
            text = await contests.threads.run(partial(contests.news, name, path))
            await socket.send_text(text)
            told = now
            pause = max(pause, PATIENCE * (time.monotonic() - began))
        await asyncio.wait({hearing}, timeout=pause)


async def _hear(socket: WebSocket) -> None:
    """Answer whoever asks whether somebody is there, until the socket closes."""
    with suppress(*GONE):
        while True:
            await socket.receive_text()
            await socket.send_text(Pong().model_dump_json())
