"""Hands for a browser: a game is begun, read and played by clicks."""

from typing import Any

from playwright.sync_api import Locator, Page

# Something of a move can be chosen now, or the game is over.
READY = """() => document.querySelector(
  ".play .board-point.is-start, .play .board-choice:not([hidden]) button, .play [data-over]")
  || [...document.querySelectorAll(".controls button")].some(
    (each) => each.textContent === "Resign" && each.disabled && !each.hidden)"""


class Hands:
    """What somebody does at one page, and the session that is open there."""

    def __init__(self, page: Page):
        self.page = page
        self.name = ""
        self.key = ""

    # Sessions

    def begin(self, game: str, seats: list[str], **more: Any) -> dict[str, Any]:
        """A new session, opened with its owner's key; agents move at once."""
        request = {"game": game, "seats": seats, "seconds": 0, **more}
        answer = self.page.request.post("api/sessions", data=request)
        assert answer.status == 201, answer.text()
        begun = answer.json()
        self.open(begun["session"]["id"], begun["key"])
        return begun

    def open(self, name: str, key: str = "") -> None:
        self.name, self.key = name, key
        self.page.goto(f"./#/play/{name}{f'?key={key}' if key else ''}")
        self.page.locator(".play .board-host .board").wait_for()

    def here(self) -> None:
        """The session that the page itself has begun."""
        self.page.wait_for_url("**/#/play/*")
        self.page.locator(".play .board-host .board").wait_for()
        self.name = self.page.url.rsplit("/", 1)[1]
        self.key = self.page.evaluate(
            """(id) => JSON.parse(localStorage.getItem("plies.sessions"))
            .find((kept) => kept.id === id).key""",
            self.name,
        )

    def session(self) -> dict[str, Any]:
        headers = {"X-Plies-Key": self.key}
        return self.page.request.get(f"api/sessions/{self.name}", headers=headers).json()

    # Playing

    def ready(self) -> dict[str, Any]:
        """The session as soon as there is something to choose here, or it is over."""
        self.page.wait_for_function(READY)
        return self.session()

    def point(self, name: str) -> Locator:
        return self.page.locator(f'.play .board-host [data-point="{name}"]')

    def word(self, text: str) -> Locator:
        return self.page.locator(".play .board-choice button").filter(has_text=text).first

    def click(self, click: str) -> None:
        """A point of the board, or a word beside it."""
        point = self.point(click)
        (point if point.count() else self.word(click)).click()

    def play(self, session: dict[str, Any], text: str) -> None:
        """Make a move by its clicks."""
        for click in self.clicks(session, text):
            self.click(click)

    def clicks(self, session: dict[str, Any], text: str) -> list[str]:
        moves = session["position"]["moves"]
        return next(move["clicks"] for move in moves if move["text"] == text)

    def wait_for_ply(self, ply: int) -> None:
        """Until the list of moves has so many."""
        self.page.wait_for_function(
            "(ply) => document.querySelectorAll('.play .moves .move').length === ply", arg=ply
        )

    def press(self, name: str) -> None:
        """A button by its name."""
        self.page.get_by_role("button", name=name, exact=True).click()

    @property
    def status(self) -> str:
        return self.page.locator(".play .status").inner_text()
