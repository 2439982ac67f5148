"""Playing: sessions by request and answer, and by web socket."""

import asyncio
import json
import time
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
from plies.web.sessions.acts import Acts
from plies.web.sessions.manager import SessionManager
from plies.web.sessions.room import Listener, Room, Visitor

router = APIRouter(prefix="/sessions", tags=["sessions"], responses=PROBLEMS)

GOING_AWAY = 1001
Said = TypeAdapter(LookInside | Ping)


def _manager(request: Request) -> SessionManager:
    return request.app.state.site.manager


class Asking:
    """Who asks about which session."""

    def __init__(self, request: Request, room: Room, visitor: Visitor):
        self.manager = manager = _manager(request)
        self.acts = manager.acts
        self.room = room
        self.visitor = visitor

    def view(self) -> Response:
        """The session as whoever asks may see it."""
        return json_answer(self.session_text())

    def session_text(self) -> str:
        return self.room.view(self.visitor, time.monotonic())


async def asking(
    request: Request, name: str, x_plies_key: Annotated[str, Header(max_length=100)] = ""
) -> Asking:
    room = await _manager(request).room(name)
    room.touch()
    asked = Asking(request, room, room.visitor(x_plies_key))
    request.state.asking = asked
    return asked


Asked = Annotated[Asking, Depends(asking)]


def json_answer(content: str, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


# What is asked most often comes first: the routes are tried in this order.


@router.post("/{name}/moves", response_model=SessionView)
async def move(request: Request, asked: Asked, wanted: MakeMove) -> Response:
    """Make a move."""
    await asked.acts.move(asked.room, asked.visitor, wanted.ply, wanted.move)
    if wanted.wait:
        await asked.acts.settle(asked.room, request.is_disconnected)
    return asked.view()


@router.post("", response_model=SessionCreated, status_code=201)
async def create(request: Request, wanted: CreateSession) -> Response:
    """Begin a game."""
    address = request.client.host if request.client else ""
    room, key, invites = await _manager(request).create(wanted, address)
    session = room.view(room.visitor(key), time.monotonic())
    keys = json.dumps({"key": key, "invites": invites})
    return json_answer(f'{keys[:-1]},"session":{session}}}', 201)


@router.get("/{name}", response_model=SessionView)
async def show(asked: Asked) -> Response:
    """A game as it is now."""
    return asked.view()


@router.delete("/{name}", status_code=204)
async def delete(asked: Asked) -> None:
    """Forget a game for good."""
    await asked.manager.delete(asked.room, asked.visitor)


@router.get("/{name}/positions/{ply}")
async def show_position(asked: Asked, ply: int) -> PositionView:
    """The position after so many moves."""
    if not 0 <= ply <= asked.room.match.ply:
        raise NotHere(f"there is no position {ply}; they are 0 to {asked.room.match.ply}")
    return asked.room.viewer.at(asked.room.match, ply)


@router.get("/{name}/text")
async def show_text(asked: Asked) -> SessionText:
    """The position and the game, to be copied."""
    return asked.acts.text(asked.room)


@router.post("/{name}/undo", response_model=SessionView)
async def undo(asked: Asked, wanted: AtPly) -> Response:
    """Take moves back."""
    await asked.acts.undo(asked.room, asked.visitor, wanted.ply)
    return asked.view()


@router.post("/{name}/resign", response_model=SessionView)
async def resign(asked: Asked, wanted: AtPly) -> Response:
    """Give the game up."""
    await asked.acts.resign(asked.room, asked.visitor, wanted.ply)
    return asked.view()


@router.post("/{name}/step", response_model=SessionView)
async def step(request: Request, asked: Asked, wanted: AtPly) -> Response:
    """Let the agent whose turn it is make one move."""
    await asked.acts.step(asked.room, asked.visitor, wanted.ply, request.is_disconnected)
    return asked.view()


@router.post("/{name}/hint")
async def show_hint(asked: Asked, wanted: AtPly) -> Hint:
    """A move to consider."""
    return await asked.acts.looking.hint(asked.room, asked.visitor, wanted.ply)


@router.put("/{name}/seats/{seat}", response_model=SessionView)
async def hand_over(asked: Asked, seat: int, wanted: HandOver) -> Response:
    """Let somebody else play a seat."""
    await asked.acts.hand_over(asked.room, asked.visitor, seat, wanted.agent)
    return asked.view()


@router.put("/{name}/pace", response_model=SessionView)
async def pace(asked: Asked, wanted: Pace) -> Response:
    """Let agents wait, go on, move faster or slower."""
    await asked.acts.pace(asked.room, asked.visitor, wanted.is_paused, wanted.seconds)
    return asked.view()


@router.websocket("/{name}/live")
async def live(socket: WebSocket, name: str, key: str = "") -> None:
    """Listen to a game."""
    manager: SessionManager = socket.app.state.site.manager
    await socket.accept()
    try:
        room = await manager.room(name)
        listener = await manager.acts.join(room, room.visitor(key))
    except PliesError as error:
        await _say(socket, ProblemNews(error=str(error)))
        await socket.close(1008)
        return
    sending = asyncio.ensure_future(_send(socket, listener))
    try:
        await _hear(socket, manager.acts, room, listener)
    finally:
        manager.acts.leave(room, listener)
        sending.cancel()


async def _send(socket: WebSocket, listener: Listener) -> None:
    """Send what there is to tell, and say goodbye when there is no more."""
    with suppress(RuntimeError, WebSocketDisconnect):  # nobody is there any more
        while (message := await listener.next()) is not None:
            await socket.send_text(message)
        await socket.close(GOING_AWAY)


async def _hear(socket: WebSocket, acts: Acts, room: Room, listener: Listener) -> None:
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
            acts.looking.look(room, listener, said.ply if said.on else None)


async def _say(socket: WebSocket, message: BaseModel) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(message.model_dump_json())
