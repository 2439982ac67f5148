"""One server and one headless Chromium for all tests of the pages, and what no page may do."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ears import Heard
from hands import Hands
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from serving import Server

import plies
from find_browser import MISSING, find

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(map(str, ROOT.glob("examples/*.py")))
ARTEFACTS = ROOT / "artefacts"  # pictures, to be looked at
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
DESKTOP = {"width": 1280, "height": 860}
PATIENCE = 180_000  # milliseconds; a game may have to be compiled first
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with every game."""
    with Server(tmp_path_factory.mktemp("serve"), *plies.game_names(), *EXAMPLES) as server:
        yield server.address
        server.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    program = find()
    if program is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def heard(address: str) -> Iterator[Heard]:
    heard = Heard(address)
    yield heard
    assert heard.errors == []
    assert heard.elsewhere == []


@pytest.fixture
def another(
    browser: Browser, address: str, heard: Heard
) -> Iterator[Callable[..., BrowserContext]]:
    """Browsers that know nothing of each other: `another(**settings)` of a context."""
    opened: list[BrowserContext] = []

    def new(**settings: Any) -> BrowserContext:
        usual = {"base_url": f"{address}/", "viewport": DESKTOP, "reduced_motion": "reduce"}
        context = browser.new_context(**{**usual, **settings})
        context.set_default_timeout(PATIENCE)
        context.on("page", lambda page: heard.listen(page))
        opened.append(context)
        return context

    yield new
    for context in opened:
        context.close()


@pytest.fixture
def page(another: Callable[..., BrowserContext]) -> Page:
    return another().new_page()


@pytest.fixture
def hands(page: Page) -> Hands:
    return Hands(page)


@pytest.fixture
def picture() -> Callable[[Page, str], None]:
    """Keeps what a page looks like, under a name."""
    ARTEFACTS.mkdir(exist_ok=True)

    def keep(page: Page, name: str) -> None:
        page.screenshot(path=ARTEFACTS / f"{name}.png", full_page=True)

    return keep
