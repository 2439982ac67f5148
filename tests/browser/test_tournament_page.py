"""A tournament is started from the page, watched to its end, and looked through."""

from typing import Any

from playwright.sync_api import Page, expect

HOSTILE = "<img src=x onerror=alert(1)>"  # a dialog, or a request to /x, would be noticed


def test_a_tournament_is_started_watched_and_replayed(page: Page, picture: Any) -> None:
    page.goto("./#/tournaments")
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Name", exact=True).first.fill(f"Cup {HOSTILE}")
    page.locator(".game-choice select").select_option("nim")
    while page.locator(".entrant").count() > 2:
        page.get_by_role("button", name="Leave this agent out").last.click()
    for place, (agent, name) in enumerate([("random", HOSTILE), ("greedy", "Greedy")]):
        entrant = page.locator(".entrant").nth(place)
        entrant.get_by_label("Agent as text").fill(agent)
        entrant.get_by_label("Name").fill(name)
    page.get_by_label("Pairs").fill("3")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/#/tournaments/*")
    expect(page.locator(".state")).to_have_text("finished", ignore_case=True)
    expect(page.locator("h1")).to_contain_text(HOSTILE)
    expect(page.locator("main table").first).to_contain_text(HOSTILE)
    picture(page, "tournament")
    page.locator("[data-key]").first.click()
    expect(page.locator(".games-panel h2")).to_contain_text(HOSTILE)  # their games alone
    page.locator(".games-panel button.pick").first.click()
    replay = page.locator(".replay-stage")
    expect(replay.locator(".board-host svg")).to_be_visible()
    replay.get_by_role("button", name="One move forward").click()
    page.get_by_text("Charts", exact=True).click()
    expect(page.locator(".charts svg").first).to_be_visible()
    assert page.locator("img[src=x], [onerror], script:not([src])").count() == 0
    picture(page, "tournament-replay")
