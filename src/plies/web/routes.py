"""What can be asked about games and agents."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from plies.web.messages import (
    LONGEST_SPEC,
    Compiling,
    GameCard,
    GameDetail,
    Opponents,
    Problem,
)
from plies.web.opponents import opponents
from plies.web.sessions.waiting import compiling_view

PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem} for code in (400, 403, 404, 409, 413, 422, 429, 503)
}

router = APIRouter(tags=["games"], responses=PROBLEMS)


@router.get("/games")
async def list_games(request: Request) -> list[GameCard]:
    """Every game that is played here, with its board."""
    site = request.app.state.site
    return await site.manager.helpers.run(site.catalogue.cards)


@router.get("/games/{spec:path}")
async def show_game(request: Request, spec: str) -> GameDetail:
    """A game: its rules, its options and its first position."""
    site = request.app.state.site
    await site.manager.prepare(spec)
    return await site.manager.helpers.run(partial(site.catalogue.detail, spec))


@router.get("/compiling")
async def show_compiling(request: Request) -> Compiling | None:
    """What is being compiled, for somebody who waits for another answer."""
    return compiling_view(request.app.state.site.warmer.activity())


@router.get("/agents")
async def list_agents(
    request: Request, game: Annotated[str, Query(max_length=LONGEST_SPEC)]
) -> Opponents:
    """Whoever can play a game."""
    site = request.app.state.site
    catalogue = site.catalogue
    await site.manager.prepare(game)
    return await site.manager.helpers.run(lambda: opponents(catalogue.find(game), catalogue.models))
