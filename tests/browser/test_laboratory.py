"""The laboratory: the tree of 28 leaves, step by step to its 20."""

from typing import Any

from playwright.sync_api import Page, expect


def counted(page: Page) -> list[str]:
    return page.locator(".counts dd").all_inner_texts()


def test_alpha_beta_evaluates_20_of_28_leaves_one_step_after_another(
    page: Page, picture: Any
) -> None:
    page.goto("./#/lab")
    count = page.locator(".step-count")
    expect(count).to_have_text("0 / 104")
    forward = page.get_by_role("button", name="One step forward")
    seen = [counted(page)[1]]
    for step in range(1, 105):
        if step % 4 == 1:
            forward.click()
        else:
            page.keyboard.press("ArrowRight")
        leaves = counted(page)[1]
        if leaves != seen[-1]:
            seen.append(leaves)
        if step == 40:
            picture(page, "laboratory")
    expect(count).to_have_text("104 / 104")
    # Every leaf is one more; Knuth and Moore would evaluate 20 of the 28 in this order.
    assert [text.split()[0] for text in seen] == [str(leaves) for leaves in range(21)]
    assert seen[-1].split() == ["20", "/", "20", "of", "28"]
    page.get_by_role("button", name="One step back").click()
    expect(count).to_have_text("103 / 104")


def test_a_link_shows_the_same_step(page: Page) -> None:
    page.goto("./#/lab")
    page.get_by_role("button", name="Next cut").click()
    told = page.locator(".lab-panel .now").inner_text()
    address = page.url
    assert "step=" in address
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator(".lab-panel .now")).to_have_text(told)


def test_two_searches_stand_side_by_side(page: Page, picture: Any) -> None:
    page.goto("./#/lab?algorithm=minimax&with=alphabeta")
    expect(page.locator(".lab-panel")).to_have_count(2)
    texts = page.locator(".lab-panel .counts").all_inner_texts()
    assert "28 of 28" in " ".join(texts[0].split())
    assert "20 of 28" in " ".join(texts[1].split())
    picture(page, "laboratory-two")


def test_a_tree_that_cannot_be_read_is_told_so_and_can_be_mended(page: Page, heard: Any) -> None:
    heard.allowed.append("400")
    page.goto("./#/lab")
    expect(page.locator(".step-count")).to_have_text("0 / 104")
    tree = page.locator(".lab-setup textarea").first
    right = tree.input_value()
    tree.fill("((1 2) <img src=x onerror=alert(1)>")
    tree.blur()
    expect(page.locator(".lab-setup .notice, .lab-setup [role=alert]").first).to_be_visible()
    tree.fill(right)
    tree.blur()
    expect(page.locator(".step-count")).to_have_text("0 / 104")
