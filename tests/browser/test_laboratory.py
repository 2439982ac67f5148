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


def drawn(page: Page) -> list[str]:
    """The moves at the nodes that can be seen."""
    return page.locator(".search-tree .node:visible .label").all_inner_texts()


def test_a_wide_tree_shows_what_the_step_is_about_and_folds_the_rest(
    page: Page, picture: Any
) -> None:
    page.goto("./#/lab?game=chess&algorithm=alphabeta:depth%3D2")
    count = page.locator(".step-count")
    expect(count).to_have_text("0 / 270")
    # White has 20 first moves, and Black 20 replies to each.
    assert len(drawn(page)) == 20
    assert page.locator(".node:visible .folded").all_text_contents().count("+20") == 20
    for step in range(1, 60):
        page.keyboard.press("ArrowRight")
        expect(count).to_have_text(f"{step} / 270")
        assert page.locator(".node.is-at").is_visible()
        for part in page.locator(".node.is-best").all():
            assert part.is_visible()
    picture(page, "laboratory-folded")
    page.get_by_role("button", name="Next cut").click()
    assert page.locator(".edge.is-top:visible").count() > 0  # what the cut leaves out
    assert len(drawn(page)) < 60
    page.get_by_role("button", name="Whole tree").click()
    assert len(drawn(page)) == 420


def test_a_folded_node_opens_when_it_is_chosen(page: Page) -> None:
    page.goto("./#/lab?game=tictactoe&algorithm=alphabeta:depth%3D3")
    expect(page.locator(".step-count")).to_have_text("0 / 163")
    assert len(drawn(page)) == 9
    page.locator(".search-tree .node:visible", has_text="c3").click()
    assert len(drawn(page)) == 9 + 8
    page.keyboard.press("ArrowDown")
    assert len(drawn(page)) == 9 + 8 + 7


def test_what_several_players_get_fits_into_a_node(page: Page) -> None:
    page.goto("./#/lab?game=nim:players%3D3,rows%3D2-3&algorithm=maxn:depth%3D4")
    expect(page.locator(".step-count")).to_have_text("0 / 169")
    page.keyboard.press("End")
    expect(page.locator(".now")).to_contain_text("The value is win in 4, loss in 4, loss in 4")
    expect(page.locator(".node.is-at .value")).to_have_text("W4, L4, L4")
    expect(page.locator(".legend")).to_contain_text("W4: win in 4")
    wide = """(nodes) => nodes.map((node) => node.querySelector(".value").getBBox().width
      - node.querySelector(".shape").getBBox().width)"""
    assert max(page.locator(".search-tree .node:visible").evaluate_all(wide)) < 0


def test_a_tree_that_is_drawn_in_part_is_stepped_through_to_its_end(page: Page) -> None:
    page.goto("./#/lab?game=tictactoe&algorithm=alphabeta:depth%3D7&step=900")
    expect(page.locator(".step-count")).to_have_text("900 / 2537")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".now")).to_contain_text("Done: The value is 0")
