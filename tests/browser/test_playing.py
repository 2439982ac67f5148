"""What people do at a board: take back, come back, play each other, watch, hand over, look."""

import re
from collections.abc import Callable
from typing import Any

from ears import Heard
from hands import Hands
from playwright.sync_api import BrowserContext, Page, expect

from plies.agents.options import OPTIONS

PEOPLE = ["", ""]
NEAR_MATE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"  # a1a8 is mate


def pieces(page: Page) -> list[str]:
    """What stands on every point, as a listener hears it."""
    labels = page.locator(".play [data-point]").evaluate_all(
        "(points) => points.map((point) => point.getAttribute('aria-label').split(',')[0])"
    )
    assert labels
    return labels


def test_a_game_is_one_click_away_and_can_be_taken_back(hands: Hands) -> None:
    page = hands.page
    page.goto("./")
    hands.press("Play: Tic-tac-toe")
    hands.here()
    empty = pieces(page)
    hands.click("b2")
    hands.wait_for_ply(2)
    assert hands.ready()["ply"] == 2
    assert pieces(page) != empty
    hands.press("Undo")
    hands.wait_for_ply(0)
    assert pieces(page) == empty
    hands.click("a1")  # and one goes on from there
    hands.wait_for_ply(2)


def test_a_reload_in_the_middle_loses_nothing(hands: Hands) -> None:
    hands.begin("quixo", ["", "alphabeta:depth=1"])
    for ply in (2, 4):
        session = hands.ready()
        hands.play(session, session["position"]["moves"][0]["text"])
        hands.wait_for_ply(ply)
    before = pieces(hands.page)
    hands.page.reload()
    hands.wait_for_ply(4)
    assert pieces(hands.page) == before
    session = hands.ready()
    assert session["yours"] == [0]
    hands.play(session, session["position"]["moves"][0]["text"])
    hands.wait_for_ply(6)


def test_a_stale_move_from_another_tab_is_refused_politely(
    hands: Hands, page: Page, heard: Heard
) -> None:
    heard.allowed.append("409")  # the browser itself notes a refused request
    hands.begin("tictactoe", PEOPLE)
    deaf = page.context.new_page()
    deaf.route_web_socket(re.compile("/live"), lambda socket: None)  # hears of no move
    other = Hands(deaf)
    other.open(hands.name)
    hands.click("b2")
    hands.wait_for_ply(1)
    other.click("a1")
    expect(deaf.locator(".toast")).to_contain_text("The game has moved on")
    other.wait_for_ply(1)
    assert pieces(deaf) == pieces(page)
    assert hands.session()["ply"] == 1
    other.click("a1")  # now it knows, and may
    hands.wait_for_ply(2)


def test_two_browsers_play_each_other_by_a_link(
    hands: Hands, another: Callable[..., BrowserContext]
) -> None:
    begun = hands.begin("tictactoe", PEOPLE)
    guest = Hands(another().new_page())
    guest.open(hands.name, begun["invites"][1])
    guest.page.wait_for_url(re.compile("#/play/[^?]+$"))  # a copied address is no key
    expect(hands.page.locator(".seat").nth(1)).to_contain_text("Guest")
    for ply, (who, point) in enumerate(
        [(hands, "a1"), (guest, "b1"), (hands, "a2"), (guest, "b2"), (hands, "a3")], 1
    ):
        who.ready()
        who.click(point)
        for each in (hands, guest):
            each.wait_for_ply(ply)
    expect(hands.page.locator(".status")).to_contain_text("wins")
    expect(guest.page.locator(".status")).to_contain_text("wins")


def test_a_guest_moves_only_for_the_own_seat(
    hands: Hands, another: Callable[..., BrowserContext]
) -> None:
    begun = hands.begin("tictactoe", PEOPLE)
    guest = Hands(another().new_page())
    guest.open(hands.name, begun["invites"][1])
    watcher = Hands(another().new_page())
    watcher.open(hands.name)
    for waiting in (guest, watcher):
        expect(waiting.page.locator(".status")).to_contain_text("Waiting for First")
        expect(waiting.page.locator(".board-point.is-start")).to_have_count(0)
    hands.click("b2")
    guest.wait_for_ply(1)
    expect(guest.page.locator(".status")).to_have_text("Your turn")
    expect(hands.page.locator(".board-point.is-start")).to_have_count(0)


def test_agents_are_watched_with_pause_and_step(hands: Hands) -> None:
    hands.begin("tictactoe", ["alphabeta:depth=1"] * 2, is_paused=True)
    expect(hands.page.locator(".status")).to_have_text("Paused")
    for ply in (1, 2):
        hands.press("One step")
        hands.wait_for_ply(ply)
    hands.press("Continue")
    expect(hands.page.locator(".pace")).to_be_hidden()  # it is over
    assert hands.session()["ending"] is not None


def test_a_side_is_handed_over_in_the_middle_of_a_game(hands: Hands) -> None:
    page = hands.page
    hands.begin("tictactoe", PEOPLE)
    hands.click("b2")
    hands.wait_for_ply(1)
    page.get_by_role("button", name=re.compile("^Second.*Hand over")).click()
    page.get_by_label("Who plays on").select_option(label="Medium")
    hands.press("Hand over")
    hands.wait_for_ply(2)  # it moves at once
    expect(page.locator(".seat").nth(1)).to_contain_text("Medium")
    page.get_by_role("button", name=re.compile("^First.*Hand over")).click()
    page.get_by_label("Who plays on").select_option(label="Medium")
    hands.press("Hand over")
    expect(page.locator(".status")).to_contain_text(re.compile("wins|drawn"))  # by themselves


def test_a_game_is_resigned_only_when_asked_twice(hands: Hands) -> None:
    hands.begin("tictactoe", ["", "random"])
    hands.press("Resign")
    assert hands.session()["ending"] is None
    hands.press("Really resign?")
    expect(hands.page.locator(".status")).to_contain_text("resign")
    hands.press("New game")
    expect(hands.page.locator(".status")).to_have_text("Your turn")


def test_a_game_is_played_with_keys_alone(hands: Hands) -> None:
    page = hands.page
    hands.begin("tictactoe", PEOPLE)
    hands.ready()
    while not page.evaluate("document.activeElement.closest('.board') !== null"):
        page.keyboard.press("Tab")
    assert focused(page)  # the board is one stop, and that is a point
    for ply, point in enumerate(["a1", "b1", "a2", "b2", "a3"], 1):
        hands.ready()
        walk(page, point)
        page.keyboard.press("Enter")
        hands.wait_for_ply(ply)
        assert focused(page) == point  # one goes on from there
    expect(page.locator(".status")).to_contain_text("wins")
    expect(page.locator("#said")).to_contain_text("plays a3")  # and hears of it


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.getAttribute('data-point')")


def walk(page: Page, point: str) -> None:
    """With the arrow keys: columns are letters, rows are numbers that grow upwards."""
    here = focused(page)
    across, up = ord(point[0]) - ord(here[0]), int(point[1]) - int(here[1])
    for _ in range(abs(across)):
        page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
    for _ in range(abs(up)):
        page.keyboard.press("ArrowUp" if up > 0 else "ArrowDown")


def centre(hands: Hands, point: str) -> tuple[float, float]:
    box = hands.point(point).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_chess_piece_is_dragged(hands: Hands) -> None:
    hands.begin("chess", PEOPLE)
    hands.ready()
    mouse = hands.page.mouse
    mouse.move(*centre(hands, "e2"))
    mouse.down()
    mouse.move(*centre(hands, "e3"), steps=3)
    expect(hands.point("e4")).to_have_class(re.compile("is-target"))
    mouse.move(*centre(hands, "e4"), steps=3)
    mouse.up()
    hands.wait_for_ply(1)
    assert hands.session()["played"][0]["text"] == "e2e4"


def test_a_piece_dropped_elsewhere_goes_back(hands: Hands) -> None:
    hands.begin("chess", PEOPLE)
    hands.ready()
    mouse = hands.page.mouse
    mouse.move(*centre(hands, "e2"))
    mouse.down()
    mouse.move(*centre(hands, "e6"), steps=3)
    mouse.up()
    hands.click("d2")  # another piece can be chosen at once
    hands.click("d4")
    hands.wait_for_ply(1)
    assert hands.session()["played"][0]["text"] == "d2d4"


def test_a_pawn_becomes_what_is_chosen(hands: Hands) -> None:
    hands.begin("chess", PEOPLE, text="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    hands.ready()
    hands.click("a7")
    hands.click("a8")
    words = hands.page.locator(".board-choice button").all_inner_texts()
    assert len(words) == 4
    move = next(move for move in hands.session()["position"]["moves"] if move["text"] == "a7a8n")
    hands.click(move["clicks"][-1])
    hands.wait_for_ply(1)
    assert hands.session()["played"][0]["text"] == "a7a8n"


def test_a_pasted_position_is_played_to_its_end(hands: Hands) -> None:
    page = hands.page
    page.goto("./")
    page.locator(".paste textarea").fill(NEAR_MATE)
    page.locator(".paste select").select_option("chess")
    hands.press("Go on from there")
    hands.here()
    hands.ready()
    hands.click("a1")
    hands.click("a8")
    expect(page.locator(".status")).to_contain_text("checkmate", ignore_case=True)


def test_a_link_leads_to_a_position(hands: Hands) -> None:
    hands.page.goto("./#/new?game=tictactoe&position=X../.O./...%20X&seat=&seat=")
    hands.here()
    assert hands.ready()["position"]["text"] == "X../.O./... X"


def test_one_goes_through_the_moves_and_back_to_now(hands: Hands) -> None:
    page = hands.page
    hands.begin("tictactoe", PEOPLE)
    for ply, point in enumerate(("a1", "b1", "a2"), 1):
        hands.ready()
        hands.click(point)
        hands.wait_for_ply(ply)
    now = pieces(page)
    hands.press("First position")
    expect(page.locator(".status")).to_have_text("The start")
    assert "a1: empty" in pieces(page)
    expect(page.locator(".board-point.is-start")).to_have_count(0)
    hands.press("Back to now")
    assert pieces(page) == now


def test_the_inside_of_a_search_is_shown(hands: Hands, picture: Any) -> None:
    page = hands.page
    hands.begin("tictactoe", PEOPLE, text="XX./OO./... X")
    hands.ready()
    hands.press("Look inside")
    expect(page.locator(".play .inside")).to_contain_text("c3")  # wins at once
    expect(page.locator(".play .inside")).to_contain_text(re.compile("win", re.IGNORECASE))
    picture(page, "inside-tictactoe")


def test_a_hint_is_a_legal_move(hands: Hands) -> None:
    hands.begin("tictactoe", PEOPLE, text="XX./OO./... X")
    hands.ready()
    hands.press("Hint")
    expect(hands.page.locator(".toast")).to_contain_text("c3")


def test_a_game_is_deleted_where_it_is_played_when_confirmed(hands: Hands) -> None:
    page = hands.page
    page.goto("./")
    hands.press("Play: Tic-tac-toe")
    hands.here()
    hands.press("Delete this game…")
    hands.press("Cancel")
    assert hands.session()["id"] == hands.name
    hands.press("Delete this game…")
    hands.press("Delete")
    expect(page.locator(".toast")).to_have_text(re.compile("The game is deleted"))
    expect(page.locator(".games .board").first).to_be_visible()
    expect(page.locator(".kept")).to_have_count(0)
    assert page.request.get(f"api/sessions/{hands.name}").status == 404


def test_a_game_is_deleted_from_the_list_of_games(hands: Hands) -> None:
    page = hands.page
    for game in ("Tic-tac-toe", "Nim"):
        page.goto("./")
        hands.press(f"Play: {game}")
        hands.here()
    page.goto("./#/")
    page.get_by_role("button", name=re.compile("^Delete: Nim")).click()
    hands.press("Delete")
    expect(page.locator(".kept")).to_have_text([re.compile("Tic-tac-toe")])
    assert page.request.get(f"api/sessions/{hands.name}").status == 404


def test_a_guest_deletes_nothing_and_can_leave(
    hands: Hands, another: Callable[..., BrowserContext]
) -> None:
    begun = hands.begin("tictactoe", PEOPLE)
    guest = Hands(another().new_page())
    guest.open(hands.name, begun["invites"][1])
    expect(guest.page.get_by_role("button", name="Delete this game…")).to_be_hidden()
    guest.page.goto("./#/")
    guest.page.get_by_role("button", name=re.compile("^Leave: Tic-tac-toe")).click()
    guest.press("Leave")
    expect(guest.page.locator(".kept")).to_have_count(0)
    assert hands.session()["id"] == hands.name


def test_whoever_plays_is_told_in_person_how_it_ended(hands: Hands) -> None:
    status = hands.page.locator(".status")
    hands.begin("tictactoe", ["", "random"], text="XX./OO./... X")
    hands.ready()
    hands.click("c3")
    expect(status).to_have_text("You win. First (X) wins.")
    hands.begin("tictactoe", ["alphabeta:depth=1", ""], text="XX./OO./... X")
    expect(status).to_have_text("You lose. First (X) wins.")
    hands.begin("tictactoe", PEOPLE, text="XX./OO./... X")
    hands.ready()
    hands.click("c3")
    expect(status).to_have_text("First (X) wins.")  # whoever that is, of the two here


def test_the_turn_is_told_once(hands: Hands) -> None:
    hands.begin("chess", PEOPLE, text="4k3/8/8/8/8/8/4r3/4K2R w K - 0 1")
    expect(hands.page.locator(".status")).to_have_text("White to move")
    expect(hands.page.locator(".situation")).to_have_text("In check; castling K")


def test_options_are_explained_where_they_are_chosen(hands: Hands) -> None:
    page = hands.page
    page.goto("./")
    hands.press("Set up: Nim")
    expect(page.get_by_label("misere", exact=True)).to_have_accessible_description(
        "Whoever takes the last object wins; with misere that player loses."
    )
    page.get_by_label("Second", exact=True).select_option(label="alphabeta")
    expect(page.get_by_label("depth", exact=True)).to_have_accessible_description(OPTIONS["depth"])


def test_rules_are_read_as_paragraphs_with_pictures(hands: Hands) -> None:
    page = hands.page
    hands.begin("seega", PEOPLE)
    page.get_by_text("Rules of the game").click()
    rules = page.locator(".rules .prose")
    expect(rules.locator("p").first).to_contain_text("place all pieces, then capture")
    expect(rules.locator("strong")).to_have_text(["two"])
    expect(rules.locator("pre").first).to_contain_text("5  . . . . .        `b2` places a piece")
    expect(rules.locator("code").first).to_have_text("limit")


def test_a_game_that_is_gone_is_told_so(page: Page, heard: Heard) -> None:
    heard.allowed.append("404")
    page.goto("./#/play/none")
    expect(page.locator("main")).to_contain_text("This game is gone")
    page.get_by_role("link", name="All games").click()
    expect(page.locator(".games .board").first).to_be_visible()


def test_a_game_that_is_not_here_is_told_so(page: Page, heard: Heard) -> None:
    heard.allowed.append("404")
    page.goto("./#/new?game=go")
    expect(page.locator("main")).to_contain_text("That did not work")
    expect(page.locator("main")).to_contain_text("go")


def test_a_newcomer_is_told_what_the_game_is_about(hands: Hands) -> None:
    told = "Take a cube from the border, make it yours and push it in again."
    page = hands.page
    page.goto("./")
    expect(page.locator(".game", has_text="Quixo")).to_contain_text(told)
    hands.press("Play: Quixo")
    hands.here()
    expect(page.locator(".moves-box")).to_contain_text(told)
    session = hands.ready()
    hands.play(session, session["position"]["moves"][0]["text"])
    hands.wait_for_ply(2)
    expect(page.locator(".moves-box .empty")).to_be_hidden()
