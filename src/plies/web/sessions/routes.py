"""Playing: sessions by request and answer, and by web socket."""

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, TypeAdapter, ValidationError

from plies.errors import PliesError
from plies.web.messages import (
    AtPly,
    CreateSession,
    HandOver,
    Hint,
    LookInside,
    MakeMove,
    Pace,
    Ping,
    Pong,
    PositionView,
    ProblemNews,
    SessionCreated,
    SessionText,
    SessionView,
)
from plies.web.problems import NotHere
from plies.web.routes import PROBLEMS
from plies.web.sessions.manager import SessionManager
from plies.web.sessions.room import Room
from plies.web.sessions.service import SessionService
from plies.web.sessions.visitors import Listener, Visitor
from plies.web.worker_threads import waited_for

router = APIRouter(prefix="/sessions", tags=["sessions"], responses=PROBLEMS)

GOING_AWAY = 1001
Said = TypeAdapter(LookInside | Ping)


def _manager(request: Request) -> SessionManager:
    return request.app.state.site.manager


class Visit:
    """A visitor to a session, for the length of a request."""

    def __init__(self, request: Request, room: Room, visitor: Visitor):
        self.manager = manager = _manager(request)
        self.service = manager.service
        self.room = room
        self.visitor = visitor

    def view(self) -> Response:
        """The session as its visitor may see it."""
        return json_answer(self.session_text())

    def session_text(self) -> str:
        return self.room.view(self.visitor, self.room.now())


async def visiting(
    request: Request, name: str, x_plies_key: Annotated[str, Header(max_length=100)] = ""
) -> Visit:
    room = await _manager(request).room(name)
    room.touch()
    visit = Visit(request, room, room.visitor(x_plies_key))
    request.state.visit = visit
    return visit


Visiting = Annotated[Visit, Depends(visiting)]


def json_answer(content: str, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


# What is asked most often comes first: the routes are tried in this order.


@router.post("/{name}/moves", response_model=SessionView)
async def move(request: Request, visit: Visiting, body: MakeMove) -> Response:
    """Make a move."""
    await visit.service.play(visit.room, visit.visitor, body.ply, body.move)
    if body.wait:
        await visit.service.settle(visit.room, request.is_disconnected)
    return visit.view()


@router.post("", response_model=SessionCreated, status_code=201)
async def create(request: Request, body: CreateSession) -> Response:
    """Begin a game."""
    address = request.client.host if request.client else ""
    await waited_for(_manager(request).prepare(body.game), request.is_disconnected)
    room, key, invites = await _manager(request).create(body, address)
    session = room.view(room.visitor(key), room.now())
    keys = json.dumps({"key": key, "invites": invites})
    return json_answer(f'{keys[:-1]},"session":{session}}}', 201)


@router.get("/{name}", response_model=SessionView)
async def show(visit: Visiting) -> Response:
    """A game as it is now."""
    return visit.view()


@router.delete("/{name}", status_code=204)
async def delete(visit: Visiting) -> None:
    """Forget a game for good."""
    await visit.manager.delete(visit.room, visit.visitor)


@router.get("/{name}/positions/{ply}")
async def show_position(visit: Visiting, ply: int) -> PositionView:
    """The position after so many moves."""
    if not 0 <= ply <= visit.room.match.ply:
        raise NotHere(f"there is no position {ply}; they are 0 to {visit.room.match.ply}")
    return visit.room.viewer.at(visit.room.match, ply)


@router.get("/{name}/text")
async def show_text(visit: Visiting) -> SessionText:
    """The position and the game, to be copied."""
    return visit.service.text(visit.room)


@router.post("/{name}/undo", response_model=SessionView)
async def undo(visit: Visiting, body: AtPly) -> Response:
    """Take moves back."""
    await visit.service.undo(visit.room, visit.visitor, body.ply)
    return visit.view()


@router.post("/{name}/resign", response_model=SessionView)
async def resign(visit: Visiting, body: AtPly) -> Response:
    """Give the game up."""
    await visit.service.resign(visit.room, visit.visitor, body.ply)
    return visit.view()


@router.post("/{name}/step", response_model=SessionView)
async def step(request: Request, visit: Visiting, body: AtPly) -> Response:
    """Let the agent whose turn it is make one move."""
    await visit.service.step(visit.room, visit.visitor, body.ply, request.is_disconnected)
    return visit.view()


@router.post("/{name}/hint")
async def show_hint(request: Request, visit: Visiting, body: AtPly) -> Hint:
    """A move to consider."""
    hint = visit.service.analysis.hint(visit.room, visit.visitor, body.ply)
    return await waited_for(hint, request.is_disconnected)


@router.put("/{name}/seats/{seat}", response_model=SessionView)
async def hand_over(visit: Visiting, seat: int, body: HandOver) -> Response:
    """Let somebody else play a seat."""
    await visit.service.hand_over(visit.room, visit.visitor, seat, body.agent)
    return visit.view()


@router.put("/{name}/pace", response_model=SessionView)
async def pace(visit: Visiting, body: Pace) -> Response:
    """Let agents wait, go on, move faster or slower."""
    await visit.service.pace(visit.room, visit.visitor, body.is_paused, body.seconds)
    return visit.view()


@router.websocket("/{name}/live")
async def live(socket: WebSocket, name: str, key: str = "") -> None:
    """Listen to a game."""
    manager: SessionManager = socket.app.state.site.manager
    await socket.accept()
    try:
        room = await manager.room(name)
        listener = await manager.service.join(room, room.visitor(key))
    except PliesError as error:
        await _say(socket, ProblemNews(error=str(error)))
        await socket.close(1008)
        return
    sending = asyncio.ensure_future(_send(socket, listener))
    try:
        await _hear(socket, manager.service, room, listener)
    finally:
        manager.service.leave(room, listener)
        sending.cancel()


async def _send(socket: WebSocket, listener: Listener) -> None:
    """Send what there is to tell, and say goodbye when there is no more."""
    with suppress(RuntimeError, WebSocketDisconnect):  # nobody is there any more
        while (message := await listener.next()) is not None:
            await socket.send_text(message)
        await socket.close(GOING_AWAY)


async def _hear(socket: WebSocket, service: SessionService, room: Room, listener: Listener) -> None:
    """Hear what is said until the other end has gone."""
    while True:
        try:
            said: Any = Said.validate_json(await socket.receive_text())
        except (ValidationError, KeyError):
            listener.tell(ProblemNews(error="that is no message of this page").model_dump_json())
            continue
        except (WebSocketDisconnect, RuntimeError):
            return
        room.touch()
        if isinstance(said, Ping):
            listener.tell(Pong().model_dump_json())
        else:
            service.analysis.look(room, listener, said.ply if said.on else None)


async def _say(socket: WebSocket, message: BaseModel) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(message.model_dump_json())
