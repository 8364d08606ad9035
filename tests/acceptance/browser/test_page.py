"""Scenes on the page: a real browser, a real server, the scripted model."""

import json
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from acceptance.browser.seeing import ids, line, say, turn, watch
from acceptance.running import Running, serving, start

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

BOTH = "bram and wren, what do you think of moths? {{say@bram: Good animals.}}{{say@wren: They draw maps!}}"


@pytest.fixture
def session(api: httpx2.Client, request: pytest.FixtureRequest) -> str:
    """A fresh room."""
    made = api.post("/v1/sessions", json={"prefix": "chat", "name": request.node.name[:60]})
    return made.raise_for_status().json()["session_id"]


@pytest_asyncio.fixture(loop_scope="module")
async def seen(page: Page, house: Running, session: str) -> Page:
    """The page with the fresh room in it."""
    await page.goto(f"{house.address}/#/{session}")
    await expect(page.get_by_test_id("offer").first).to_be_visible()
    return page


async def test_two_are_called_and_answer_in_the_order_of_their_names(seen: Page):
    await say(seen, BOTH)
    await expect(line(seen)).to_have_count(3)
    assert await line(seen).evaluate_all("lines => lines.map(line => line.dataset.persona)") == [None, "bram", "wren"]
    for persona, name, text in (("bram", "Bram", "Good animals."), ("wren", "Wren", "They draw maps!")):
        await expect(line(seen, persona).locator(".who")).to_have_text(name)
        await expect(line(seen, persona).get_by_test_id("text")).to_have_text(text)
        await expect(line(seen, persona).locator(".face img")).to_be_visible()
        assert await line(seen, persona).locator(".face img").evaluate("face => face.naturalWidth") == 512
    await expect(seen.get_by_test_id("turn")).to_have_count(0)
    await expect(seen.get_by_test_id("stop")).to_be_hidden()


async def test_the_text_appears_as_it_is_written_and_the_other_waits(seen: Page):
    await say(seen, "bram, wren {{slow@bram: 12}}{{say@bram: One two three four five six seven eight nine ten.}}{{say@wren: Me!}}")
    speaking = turn(seen, "bram", "speaking").get_by_test_id("text")
    await expect(speaking).to_contain_text("One")
    assert not (await speaking.inner_text()).endswith("ten.")
    await expect(turn(seen, "wren", "waiting")).to_be_visible()
    await expect(line(seen, "bram").get_by_test_id("text")).to_have_text("One two three four five six seven eight nine ten.")
    await expect(line(seen, "wren")).to_have_count(1)


async def test_two_tabs_stay_in_step(seen: Page, house: Running, session: str):
    other = watch(await seen.context.new_page())
    await other.page.goto(f"{house.address}/#/{session}")
    await expect(other.page.get_by_test_id("offer").first).to_be_visible()
    await say(seen, BOTH)
    await expect(line(other.page)).to_have_count(3)
    await say(other.page, "odile? {{say: Here.}}")
    await expect(line(seen, "odile")).to_have_count(1)
    await expect(line(seen)).to_have_count(5)
    assert await ids(seen) == await ids(other.page)
    await seen.reload()
    await expect(line(seen)).to_have_count(5)
    assert await ids(seen) == await ids(other.page)
    assert other.troubles == []


COUNT = " ".join(str(number) for number in range(100, 500))


async def test_who_reloads_or_comes_back_amid_an_answer_sees_it_from_its_beginning(seen: Page, api: httpx2.Client, session: str):
    await say(seen, f"bram, wren {{{{slow@bram: 15}}}}{{{{say@bram: {COUNT}}}}}")
    speaking = turn(seen, "bram", "speaking").get_by_test_id("text")
    await expect(speaking).to_contain_text("103")
    await seen.reload()
    await expect(speaking).to_contain_text("106")
    assert COUNT.startswith(await speaking.inner_text())
    await expect(turn(seen, "wren", "waiting")).to_be_visible()
    here = seen.locator(f'[data-testid="room-row"][data-session="{session}"] button').first
    await seen.locator('[data-testid="room-row"]').filter(has_text="Lounge").locator("button").first.click()
    await expect(seen.get_by_test_id("turn")).to_have_count(0)
    await here.click()
    await expect(speaking).to_contain_text("109")
    assert COUNT.startswith(await speaking.inner_text())
    api.post(f"/v1/session/{session}/stop")
    await expect(seen.get_by_test_id("turn")).to_have_count(0)


async def test_stop_ends_what_runs_and_what_waits_and_the_room_is_free(seen: Page):
    await say(seen, "bram and wren {{sleep: 600}}")
    await turn(seen, "bram", "typing").wait_for()
    await expect(seen.get_by_test_id("connection")).to_have_text("Bram is thinking")
    await seen.get_by_test_id("stop").click()
    await expect(seen.locator('[data-testid="note"][data-kind="stopped"]')).to_have_text("Stopped.")
    await expect(seen.get_by_test_id("turn")).to_have_count(0)
    await expect(seen.get_by_test_id("stop")).to_be_hidden()
    await say(seen, "wren {{say: Free!}}")
    await expect(line(seen, "wren").get_by_test_id("text")).to_have_text("Free!")


async def test_stop_in_the_middle_of_an_answer_keeps_what_was_said(seen: Page):
    await say(seen, "bram and wren {{slow: 4}}{{say: Slowly, slowly, slowly, slowly, slowly, slowly, slowly.}}")
    await turn(seen, "bram", "speaking").wait_for()
    await seen.get_by_test_id("stop").click()
    await expect(seen.get_by_test_id("turn")).to_have_count(0)
    await expect(line(seen, "bram")).to_have_count(1)
    said = await line(seen, "bram").get_by_test_id("text").inner_text()
    assert "Slowly, slowly, slowly, slowly, slowly, slowly, slowly.".startswith(said)
    await expect(line(seen, "wren")).to_have_count(0)


async def test_reply_and_why_stand_beside_the_shortest_line(seen: Page):
    await say(seen, "bram?")
    await expect(line(seen, "bram").get_by_test_id("text")).to_have_text("ok")
    for said, is_mine in ((line(seen).nth(0), True), (line(seen, "bram"), False)):
        bubble = await said.get_by_test_id("text").bounding_box()
        tools = await said.locator(".tools").bounding_box()
        gap = bubble["x"] - (tools["x"] + tools["width"]) if is_mine else tools["x"] - (bubble["x"] + bubble["width"])
        assert 0 <= gap <= 8
        assert bubble["y"] < tools["y"] + tools["height"] <= bubble["y"] + bubble["height"]


async def test_an_empty_file_is_called_empty(seen: Page):
    await seen.get_by_test_id("import-file").set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b""})
    await expect(seen.get_by_test_id("import-sheet")).to_contain_text("x.json (empty)")


async def test_why_is_told_at_every_message(seen: Page):
    await say(seen, BOTH)
    await expect(line(seen)).to_have_count(3)
    for which in (0, 1):
        await line(seen).nth(which).get_by_test_id("why").click()
        popover = seen.get_by_test_id("why-popover")
        await expect(popover.locator('[data-persona="bram"][data-reason="trigger-word"]')).to_contain_text("answered")
        odile = popover.locator('[data-persona="odile"]')
        await expect(odile).to_contain_text("did not answer")
        await expect(odile).to_contain_text("none of its trigger words")
        await seen.keyboard.press("Escape")
        await expect(popover).to_be_hidden()


async def test_one_fails_in_its_own_place_and_the_other_speaks(seen: Page):
    await say(seen, "bram and wren {{fail@bram: broken}}{{say@wren: I am fine.}}")
    await expect(seen.locator('[data-testid="note"][data-kind="failed"][data-persona="bram"]')).to_be_visible()
    await expect(line(seen, "wren").get_by_test_id("text")).to_have_text("I am fine.")


async def test_nobody_called_says_so_when_main_keeps_silent(seen: Page, api: httpx2.Client):
    api.patch("/v1/settings", json={"always-reply": False}).raise_for_status()
    try:
        await say(seen, "what a quiet evening")
        await expect(seen.locator('[data-testid="note"][data-kind="silent"]')).to_have_text("Nobody answered.")
    finally:
        api.patch("/v1/settings", json={"always-reply": True}).raise_for_status()


async def test_one_is_chosen_by_hand_and_a_line_is_replied_to(seen: Page):
    await say(seen, "bram {{say: Soil.}}")
    await line(seen, "bram").get_by_test_id("reply").click()
    await expect(seen.get_by_test_id("reply-chip")).to_contain_text("Bram")
    await say(seen, "what kind? {{say: Black.}}")
    await expect(line(seen, "bram")).to_have_count(2)
    await expect(line(seen).nth(2).locator(".quoted")).to_contain_text("Soil.")
    await seen.get_by_test_id("choose").click()
    await seen.get_by_test_id("choice").locator('[data-persona="wren"]').click()
    await expect(seen.get_by_test_id("persona-chip")).to_contain_text("Wren")
    await say(seen, "bram, and you? {{say: Me instead.}}")
    await expect(line(seen, "wren").get_by_test_id("text")).to_have_text("Me instead.")


async def test_a_click_on_a_word_writes_it_and_shift_enter_breaks_the_line(seen: Page):
    text = seen.get_by_test_id("composer-text")
    await seen.locator('[data-testid="cast-member"][data-persona="wren"]').get_by_test_id("trigger").first.click()
    await expect(text).to_have_value("wren ")
    await seen.keyboard.type("hello")
    await seen.keyboard.press("Shift+Enter")
    await expect(text).to_have_value("wren hello\n")
    # Enter that ends an input method's composing is not ours, in both ways in which browsers tell.
    for composing in ({"key": "Enter", "isComposing": True}, {"key": "Enter", "keyCode": 229}):
        await text.dispatch_event("keydown", {**composing, "bubbles": True})
    await expect(text).to_have_value("wren hello\n")
    await expect(line(seen)).to_have_count(0)


async def test_what_people_and_models_write_stays_text(seen: Page):
    written = "<img src=x onerror=alert(1)> **bold** [x](javascript:alert(1)) </script>"
    await say(seen, f"bram {{{{say: {written}}}}}")
    await expect(line(seen, "bram").locator("strong")).to_have_text("bold")
    await expect(line(seen, "bram").get_by_test_id("text")).to_contain_text("<img src=x onerror=alert(1)>")
    assert await seen.locator(".text img, .text script, .text a").count() == 0


def _said(session: str, text: str) -> dict:
    return {"session_id": session, "content": text, "user": {"id": "ann", "name": "Ann"}}


async def test_a_long_history_is_read_backwards_without_losing_the_place(seen: Page, api: httpx2.Client, session: str):
    for number in range(70):
        api.post("/v1/send", json=_said(session, f"bram {number} {{{{say: line {number}}}}}")).raise_for_status()
    await seen.reload()
    await expect(line(seen)).to_have_count(50)
    await expect(line(seen, "bram").last).to_be_in_viewport()
    # Where the topmost line stands at the moment of scrolling; reading the older ones begins only after it.
    top, place = await seen.evaluate("""() => {
      document.getElementById("scroll").scrollTop = 260;
      const first = document.querySelector("[data-testid=line]");
      return [first.dataset.message, first.getBoundingClientRect().y];
    }""")
    await expect(line(seen)).to_have_count(100)
    moved = await seen.locator(f'[data-message="{top}"]').evaluate("line => line.getBoundingClientRect().y")
    assert abs(moved - place) < 3
    api.post("/v1/send", json=_said(session, "wren {{say: New!}}")).raise_for_status()
    await expect(seen.get_by_test_id("pill")).to_contain_text("new message")
    await seen.get_by_test_id("pill").click()
    await expect(line(seen, "wren").last).to_be_in_viewport()
    await expect(seen.get_by_test_id("pill")).to_be_hidden()


async def test_rooms_are_made_renamed_and_deleted(seen: Page):
    await seen.get_by_test_id("new-room").click()
    await seen.get_by_test_id("ask-input").fill("Night talk")
    await seen.get_by_test_id("ask-done").click()
    await expect(seen.get_by_test_id("room-name")).to_have_text("Night talk")
    made = seen.get_by_test_id("room-row").filter(has_text="Night talk")
    await made.get_by_test_id("room-more").click()
    await seen.get_by_test_id("room-rename").click()
    await seen.get_by_test_id("ask-input").fill("Soil talk")
    await seen.keyboard.press("Enter")
    await expect(seen.get_by_test_id("room-name")).to_have_text("Soil talk")
    renamed = seen.get_by_test_id("room-row").filter(has_text="Soil talk")
    await renamed.get_by_test_id("room-more").click()
    await seen.get_by_test_id("room-delete").click()
    await seen.get_by_test_id("confirm").click()
    await expect(renamed).to_have_count(0)
    await expect(seen.get_by_test_id("room-name")).not_to_have_text("Soil talk")


async def test_a_card_comes_in_with_its_report_and_can_be_talked_to(seen: Page):
    data = {"name": "Mira", "description": "A baker.", "first_mes": "Bread?", "mes_example": "", "personality": "", "scenario": ""}
    card = json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}).encode()
    await seen.get_by_test_id("import-file").set_input_files({"name": "mira.json", "mimeType": "application/json", "buffer": card})
    await seen.get_by_test_id("import-submit").click()
    await expect(seen.get_by_test_id("import-report").locator('[data-fate="used"]').first).to_be_visible()
    await seen.get_by_test_id("sheet-close").click()
    mira = seen.locator('[data-testid="cast-member"][data-persona="mira"]')
    await expect(mira).to_be_visible()
    await say(seen, "mira, hello {{say: Fresh bread.}}")
    await expect(line(seen, "mira").get_by_test_id("text")).to_have_text("Fresh bread.")
    await mira.locator(".cast-name").click()
    await seen.get_by_test_id("persona-remove").click()
    await seen.get_by_test_id("confirm").click()
    await expect(mira).to_have_count(0)
    await expect(line(seen, "mira").locator(".who")).to_have_text("Mira")


async def test_a_file_that_is_no_card_is_refused_in_one_sentence(seen: Page):
    there = await seen.get_by_test_id("cast-member").count()
    await seen.get_by_test_id("import-file").set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b"not a card"})
    await seen.get_by_test_id("import-submit").click()
    await expect(seen.get_by_test_id("import-error")).not_to_be_empty()
    await expect(seen.get_by_test_id("cast-member")).to_have_count(there)


def _described(api: httpx2.Client, path: str) -> dict[str, dict]:
    """What the server's document says about the settings that a call shows."""
    answer = api.get("/openapi.json").json()["paths"][path]["get"]["responses"]["200"]
    return answer["content"]["application/json"]["schema"]["properties"]


async def test_settings_are_drawn_from_the_server_and_its_refusals_shown(seen: Page, api: httpx2.Client):
    await seen.get_by_test_id("settings-open").click()
    talk = seen.locator('[data-part="talk"]')
    shown = _described(api, "/v1/settings")
    await expect(talk.get_by_test_id("setting")).to_have_count(sum(not schema["x-only-servers"] for schema in shown.values()))
    await expect(seen.locator('[data-part="quotas"]')).to_have_count(0)
    limit = seen.locator('[data-setting="trigger-match-limit"]')
    await expect(limit.locator("label")).to_contain_text("How many personas")
    await limit.locator("input").fill("99")
    await limit.locator("input").press("Enter")
    await expect(limit.get_by_test_id("setting-result")).to_contain_text("from 1 to 10")
    await limit.locator("input").fill("4")
    await limit.locator("input").press("Enter")
    await expect(limit.get_by_test_id("setting-result")).to_have_text("Saved.")
    assert api.get("/v1/settings").json()["trigger-match-limit"] == 4
    api.patch("/v1/settings", json={"trigger-match-limit": 3}).raise_for_status()


async def test_the_person_at_the_page_says_what_the_cast_calls_them(seen: Page, api: httpx2.Client):
    await seen.get_by_test_id("settings-open").click()
    you = seen.locator('[data-part="you"]')
    shown = _described(api, "/v1/people/{user}")
    await expect(you.get_by_test_id("setting")).to_have_count(sum(not schema["x-only-servers"] for schema in shown.values()))
    nickname = you.locator('[data-setting="nickname"]')
    await nickname.locator("input").fill("x")
    await nickname.locator("input").press("Enter")
    await expect(nickname.get_by_test_id("setting-result")).to_contain_text("2 to 32 characters")
    await nickname.locator("input").fill("Captain")
    await nickname.locator("input").press("Enter")
    await expect(nickname.get_by_test_id("setting-result")).to_have_text("Saved.")
    privacy = you.locator('[data-setting="privacy"]')
    await privacy.locator("select").select_option("partial")
    await expect(privacy.get_by_test_id("setting-result")).to_have_text("Saved.")
    assert (api.get("/v1/people/owner").json()["nickname"], api.get("/v1/people/owner").json()["privacy"]) == ("Captain", "partial")
    api.patch("/v1/people/owner", json={"nickname": "", "privacy": "minimal"}).raise_for_status()


async def test_a_key_that_the_provider_does_not_take_is_told_and_not_kept(seen: Page, api: httpx2.Client):
    await seen.get_by_test_id("providers-open").click()
    openai = seen.locator('[data-testid="provider"][data-provider="openai"]')
    await openai.locator("summary").click()
    await openai.get_by_test_id("provider-base-url").fill("http://127.0.0.1:9/v1")
    await openai.get_by_test_id("provider-key").fill("sk-none")
    await openai.get_by_test_id("provider-save").click()
    await expect(openai.locator('[data-testid="provider-result"].wrong')).not_to_be_empty()
    saved = {each["name"]: each for each in api.get("/v1/providers").json()["providers"]}
    assert not saved["openai"]["has_key"]


async def test_who_loses_a_word_is_named_before_it_is_saved(seen: Page, api: httpx2.Client):
    await seen.locator('[data-testid="cast-member"][data-persona="bram"] .cast-name').click()
    await seen.get_by_test_id("persona-edit").click()
    await expect(seen.get_by_test_id("edit-taken")).to_have_text("coterie belongs to Odile and goes on calling it.")
    await seen.get_by_test_id("edit-words").fill("bram, wren")
    await expect(seen.get_by_test_id("edit-taken")).to_have_text("wren belongs to Wren, who loses it to Bram.")
    await seen.get_by_test_id("edit-save").click()
    await expect(seen.get_by_test_id("persona")).to_contain_text("wren")
    try:
        words = {each["handle"]: each["effective_trigger_words"] for each in api.get("/v1/personas").json()["personas"]}
        assert (words["bram"], words["wren"]) == (["bram", "wren"], [])
    finally:
        api.patch("/v1/personas/bram", json={"trigger_words": ["bram", "coterie"]}).raise_for_status()


async def test_a_persona_is_changed_and_a_refused_change_loses_nothing(seen: Page, api: httpx2.Client):
    await seen.locator('[data-testid="cast-member"][data-persona="wren"] .cast-name').click()
    await seen.get_by_test_id("persona-edit").click()
    await seen.get_by_test_id("edit-name").fill("Bram")
    await seen.get_by_test_id("edit-save").click()
    await expect(seen.get_by_test_id("edit-error")).not_to_be_empty()
    await seen.get_by_test_id("edit-name").fill("Wren")
    await expect(seen.get_by_test_id("edit-taken")).to_have_text("coterie belongs to Odile and goes on calling it.")
    await seen.get_by_test_id("edit-words").fill("wren, zaunkönig, Bram, coterie")
    await expect(seen.get_by_test_id("edit-taken")).to_contain_text("Bram belongs to Bram and goes on calling it.")
    await seen.get_by_test_id("edit-words").fill("wren, zaunkönig, coterie")
    await seen.get_by_test_id("edit-save").click()
    await expect(seen.get_by_test_id("persona")).to_contain_text("zaunkönig")
    await seen.get_by_test_id("sheet-close").click()
    await say(seen, "zaunkönig! {{say: Here!}}")
    await expect(line(seen, "wren").get_by_test_id("text")).to_have_text("Here!")
    api.patch("/v1/personas/wren", json={"trigger_words": ["wren", "coterie"]}).raise_for_status()


async def test_on_a_phone_nothing_is_wider_than_the_page_and_the_panels_are_drawers(browser: Browser, house: Running, session: str):
    context = await browser.new_context(viewport={"width": 375, "height": 812}, is_mobile=True, has_touch=True, reduced_motion="reduce")
    watched = watch(await context.new_page())
    phone = watched.page
    await phone.goto(f"{house.address}/#/{session}")
    await expect(phone.get_by_test_id("offer").first).to_be_visible()
    await expect(phone.get_by_test_id("cast")).not_to_be_in_viewport()
    await say(phone, f"bram {{{{say: {'wide' * 80} `{'code' * 60}`}}}}")
    await expect(line(phone, "bram")).to_have_count(1)
    assert await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await phone.locator("#scroll").evaluate("element => element.scrollWidth <= element.clientWidth")
    await phone.get_by_test_id("cast-open").click()
    await expect(phone.get_by_test_id("cast")).to_be_in_viewport()
    await phone.locator('[data-persona="wren"]').get_by_test_id("trigger").first.click()
    await expect(phone.get_by_test_id("cast")).not_to_be_in_viewport()
    await expect(phone.get_by_test_id("composer-text")).to_have_value("wren ")
    fields = phone.locator("textarea, input:not([type=file])")
    sizes = await fields.evaluate_all("all => all.map(each => parseFloat(getComputedStyle(each).fontSize))")
    assert min(sizes) >= 16
    await context.close()
    assert watched.troubles == []


async def test_the_page_outlives_its_server(page: Page, tmp_path: Path):
    house = start(tmp_path / "home")
    port = house.address.rpartition(":")[2]
    try:
        await page.goto(house.address)
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        await say(page, "bram {{say: Before.}}")
        await expect(line(page, "bram")).to_have_count(1)
        house.kill()
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "offline")
        await say(page, "wren, are you there? {{say: After.}}")
        await expect(page.get_by_test_id("composer-note")).to_contain_text("Not sent.")
        await expect(page.get_by_test_id("composer-text")).to_have_value("wren, are you there? {{say: After.}}")
        house = start(tmp_path / "home", "--port", port)
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        await expect(line(page)).to_have_count(2)
        await page.get_by_test_id("composer-text").press("Enter")
        await expect(line(page, "wren").get_by_test_id("text")).to_have_text("After.")
        await expect(line(page)).to_have_count(4)
    finally:
        house.stop()


async def test_with_a_token_the_page_asks_for_it_once(page: Page, tmp_path: Path):
    with serving(tmp_path / "home", COTERIE_API_TOKEN="sesame-1234567890") as house:
        await page.goto(house.address)
        await page.get_by_test_id("login-token").fill("wrong")
        await page.get_by_test_id("login-submit").click()
        await expect(page.get_by_test_id("login-error")).not_to_be_empty()
        await page.get_by_test_id("login-token").fill("sesame-1234567890")
        await page.get_by_test_id("login-submit").click()
        await expect(page.get_by_test_id("offer").first).to_be_visible()
        await say(page, "bram {{say: Come in.}}")
        await expect(line(page, "bram").locator(".face img")).to_be_visible()
        await page.reload()
        await expect(line(page, "bram")).to_have_count(1)


async def test_an_answer_that_a_restart_takes_up_begins_anew_on_the_page(page: Page, tmp_path: Path):
    house = start(tmp_path / "home")
    port = house.address.rpartition(":")[2]
    try:
        await page.goto(house.address)
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        await say(page, f"wren {{{{slow: 15}}}} {{{{say: {COUNT}}}}}")
        speaking = turn(page, "wren", "speaking").get_by_test_id("text")
        await expect(speaking).to_contain_text("105")
        house.kill()
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "offline")
        house = start(tmp_path / "home", "--port", port)
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        # However late the page is back, it never shows the two attempts run together.
        await expect(speaking).to_contain_text("112")
        assert COUNT.startswith(await speaking.inner_text())
        with house.api() as api:
            api.post(f"/v1/session/{page.url.partition('#/')[2]}/stop").raise_for_status()
        await expect(page.get_by_test_id("turn")).to_have_count(0)
        assert COUNT.startswith(await line(page, "wren").get_by_test_id("text").inner_text())
    finally:
        house.stop()
