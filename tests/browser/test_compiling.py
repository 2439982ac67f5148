"""Whoever waits for the compiler sees how far it is, and need not wait."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ears import Heard
from hands import Hands
from playwright.sync_api import BrowserContext, Page, expect
from serving import Server


@pytest.fixture
def cold(
    tmp_path: Path,
    another: Callable[..., BrowserContext],
    heard: Heard,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Hands]:
    """A browser at a server that has nothing compiled, and compiles beside itself."""
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "cache"))
    with Server(tmp_path, "quixo", is_warming=True) as server:
        heard.home = server.address
        hands = Hands(another(base_url=f"{server.address}/").new_page())
        yield hands
        hands.page.close()  # which would miss the server
        server.stop()


def test_a_board_an_agent_and_an_analysis_can_be_waited_for_or_not(
    cold: Hands, picture: Callable[[Page, str], None]
) -> None:
    page = cold.page
    page.goto("./")
    banner = page.locator("#banner")
    cold.press("Play: Quixo")
    expect(banner.locator(".compiling")).to_contain_text("ompiling quixo: rules")
    picture(page, "compiling_a_board")
    cold.press("Cancel")
    expect(banner).to_be_empty()
    expect(page.locator(".toast")).to_contain_text("Cancelled")

    cold.begin("quixo", ["", "engine:nodes=500"])
    note = page.locator(".head .compiling")
    session = cold.ready()
    cold.play(session, session["position"]["moves"][0]["text"])
    expect(note).to_contain_text("ompiling quixo: engine")
    expect(page.locator(".status")).to_contain_text("is getting ready")
    picture(page, "compiling_an_agent")
    note.get_by_role("button", name="Cancel").click()
    expect(page.locator(".status")).to_have_text("Paused")
    expect(note).to_be_hidden()
    assert cold.session()["ply"] == 1

    page.get_by_role("button", name="Look inside").click()
    inside = page.locator(".inside .compiling")
    expect(inside).to_contain_text("ompiling quixo")
    inside.get_by_role("button", name="Cancel").click()
    expect(inside).to_be_hidden()

    cold.press("Continue")
    expect(note).to_contain_text("ompiling quixo: engine")
    cold.wait_for_ply(2)
    expect(note).to_be_hidden()
