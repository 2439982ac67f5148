"""Every page at every width and in both themes: readable, accessible, light, and by itself."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from hands import Hands
from playwright.sync_api import BrowserContext, Page, Response, expect

PHONE = {"width": 360, "height": 740}
MOST_BYTES = 300_000  # of a page with everything it loads
MOST_MILLISECONDS = 10_000  # generous: the machine of the tests has other things to do
# What is checked: everything, and once more what the theme can change.
RULES: dict[Any, dict[str, Any]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
Opening = Callable[[Hands], None]


def games(hands: Hands) -> None:
    hands.page.goto("./")
    expect(hands.page.locator(".games svg").first).to_be_visible()


def chess(hands: Hands) -> None:
    hands.begin("chess", ["", ""])
    hands.ready()
    hands.click("e2")


def inside(hands: Hands) -> None:
    hands.begin("tictactoe", ["", ""], text="XX./OO./... X")
    hands.ready()
    hands.press("Look inside")
    expect(hands.page.locator(".play .inside")).to_contain_text("c3")


def setting_up(hands: Hands) -> None:
    hands.page.goto("./")
    hands.press("Set up: Nim")
    expect(hands.page.locator("dialog")).to_contain_text("Who plays")


def sharing(hands: Hands) -> None:
    hands.begin("nim", ["", ""])
    hands.ready()
    hands.press("Share…")
    expect(hands.page.locator("dialog")).to_contain_text("Link to this position")


def laboratory(hands: Hands) -> None:
    hands.page.goto("./#/lab?step=40")
    expect(hands.page.locator(".step-count")).to_have_text("40 / 104")


def exercise(hands: Hands) -> None:
    hands.page.goto("./#/lab?mode=exercise")
    expect(hands.page.locator(".lab-panel")).to_be_visible()


def tournaments(hands: Hands) -> None:
    hands.page.goto("./#/tournaments")
    expect(hands.page.get_by_role("link", name="New tournament")).to_be_visible()


def new_tournament(hands: Hands) -> None:
    hands.page.goto("./#/tournaments?new=1")
    expect(hands.page.locator(".contest-form")).to_contain_text("games")


def tournament(hands: Hands) -> None:
    request = {
        "name": "Small cup",
        "games": ["nim"],
        "agents": [{"name": name, "agent": "random"} for name in ("One", "Two")],
        "pairs": 1,
    }
    answer = hands.page.request.post("api/tournaments", data=request)
    hands.page.goto(f"./#/tournaments/{answer.json()['id']}")
    expect(hands.page.locator(".state")).to_have_text("finished", ignore_case=True)
    hands.page.locator("[data-key]").first.click()


PAGES: list[Opening] = [
    *(games, chess, inside, setting_up, sharing, laboratory, exercise),
    *(tournaments, new_tournament, tournament),
]


@pytest.mark.parametrize("opening", PAGES, ids=lambda each: each.__name__)
def test_a_page_can_be_used_by_everybody_in_both_themes(
    opening: Opening, hands: Hands, picture: Any
) -> None:
    opening(hands)
    for scheme, rules in RULES.items():
        hands.page.emulate_media(color_scheme=scheme)
        picture(hands.page, f"{opening.__name__}-{scheme}")
        found = Axe().run(hands.page, options=rules).response
        assert found["passes"]
        bad = [
            (each["id"], each["help"], [node["target"] for node in each["nodes"]][:3])
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert bad == [], scheme


@pytest.mark.parametrize("opening", PAGES, ids=lambda each: each.__name__)
def test_a_page_fits_a_phone(
    opening: Opening, another: Callable[..., BrowserContext], picture: Any
) -> None:
    page = another(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    opening(Hands(page))
    picture(page, f"{opening.__name__}-phone")
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner
    assert inner == PHONE["width"]


def test_the_theme_is_changed_by_a_button_and_remembered(page: Page) -> None:
    page.goto("./")
    colour = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(colour)
    page.get_by_role("button", name="Light or dark").click()
    after = page.evaluate(colour)
    assert after != before
    page.reload()
    assert page.evaluate(colour) == after


def weight(page: Page, opening: Callable[[], None]) -> int:
    """The bytes that are sent until a page is open."""
    loaded: list[Response] = []
    page.on("response", lambda response: loaded.append(response))
    opening()
    return sum(response.request.sizes()["responseBodySize"] for response in loaded)


@pytest.mark.parametrize(
    "opening", [games, chess, laboratory, tournaments], ids=lambda each: each.__name__
)
def test_a_page_is_light(opening: Opening, page: Page) -> None:
    assert weight(page, lambda: opening(Hands(page))) < MOST_BYTES


def test_the_first_board_is_there_at_once(
    another: Callable[..., BrowserContext], record_property: Callable[[str, object], None]
) -> None:
    games(Hands(another().new_page()))  # the server is warm
    page = another().new_page()
    page.goto("./", wait_until="commit")
    expect(page.locator(".games svg").first).to_be_visible()
    milliseconds = page.evaluate("performance.now()")
    record_property("first_board_milliseconds", milliseconds)
    print(f"first board after {milliseconds:.0f} ms")
    assert milliseconds < MOST_MILLISECONDS
