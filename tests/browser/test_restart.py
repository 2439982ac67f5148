"""A server that is killed and started again goes on where it was, and so do its pages."""

from collections.abc import Callable
from pathlib import Path

from ears import Heard
from hands import Hands
from playwright.sync_api import BrowserContext, expect
from serving import Server


def test_a_page_goes_on_when_the_server_was_killed_and_came_back(
    tmp_path: Path, another: Callable[..., BrowserContext], heard: Heard
) -> None:
    heard.allowed += ["WebSocket connection", "ERR_CONNECTION_REFUSED", "Failed to load resource"]
    with Server(tmp_path, "tictactoe") as first:
        heard.home = first.address
        hands = Hands(another(base_url=f"{first.address}/").new_page())
        hands.begin("tictactoe", ["", ""])
        for ply, point in enumerate(("a1", "b1", "a2"), 1):
            hands.ready()
            hands.click(point)
            hands.wait_for_ply(ply)
        first.kill()
        banner = hands.page.locator("#banner")
        expect(banner).to_contain_text("Connection lost")
    with Server(tmp_path, "tictactoe", port=first.port) as second:
        expect(banner).to_be_empty()
        hands.click("b2")
        hands.wait_for_ply(4)
        hands.click("a3")
        expect(hands.page.locator(".status")).to_contain_text("wins")
        second.stop()
