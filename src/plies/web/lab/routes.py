"""The laboratory over HTTP."""

from functools import partial

from fastapi import APIRouter, Request

from plies.search.runner import StopFlag
from plies.web.lab.messages import Laboratory, LabTrace, PositionRequest, TraceRequest
from plies.web.lab.search import laboratory, run
from plies.web.messages import PositionView
from plies.web.routes import PROBLEMS
from plies.web.worker_threads import waited_for

router = APIRouter(prefix="/lab", tags=["laboratory"], responses=PROBLEMS)


@router.get("")
async def offered() -> Laboratory:
    """Algorithms with their options, and examples."""
    return laboratory()


@router.post("/trace")
async def trace(asked: TraceRequest, request: Request) -> LabTrace:
    """A search of a tree or a position, ready to be stepped through."""
    site, stop = request.app.state.site, StopFlag()
    call = partial(run, asked, site.catalogue.find, stop)
    search = site.warmer.run(site.lab, call, site.warmer.rules(asked.game))
    try:
        return await waited_for(search, request.is_disconnected)
    finally:
        stop.stop()


@router.post("/position")
async def position(asked: PositionRequest, request: Request) -> PositionView:
    """A position of a game to be drawn beside a tree."""
    site = request.app.state.site
    catalogue = site.catalogue

    def view() -> PositionView:
        game = catalogue.find(asked.game)
        text = asked.position.strip()
        state = game.parse_position(text) if text else game.initial()
        return catalogue.viewer(game).position(state, 0)

    await site.manager.prepare(asked.game)
    return await site.manager.helpers.run(view)
