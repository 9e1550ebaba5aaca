"""Who comes in when the server is full."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.server.sessions import Places, Sessions, address_of, browser_of


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def places(most: int, known: tuple[str, ...] = ()) -> tuple[Places, Clock]:
    clock = Clock()
    return Places(most, known.__contains__, clock), clock


@pytest.mark.parametrize(
    ("cookies", "browser"),
    [
        ("", ""),
        ("_streamlit_xsrf=a|b", "a|b"),
        ("x=1; _streamlit_xsrf=a; y", "a"),
        ('x="1', ""),
        (b"\xff;=;[]=1".decode("latin-1"), ""),
    ],
)
def test_the_name_of_a_browser_is_a_cookie(cookies, browser):
    assert browser_of({"type": "http", "headers": [(b"cookie", cookies.encode("latin-1"))]}) == browser


def test_as_many_as_there_are_places():
    found, _ = places(2)
    for n in range(2):
        assert found.has_room()
        found.enter(f"browser {n}")
    assert not found.has_room()
    assert not found.has_room("another browser", "a session that nobody knows")
    found.leave("browser 0")
    assert found.has_room()


def test_who_is_in_may_load_the_page_anew_and_who_lost_the_connection_comes_back():
    found, _ = places(1, known=("session",))
    found.enter("browser")
    assert found.has_room("browser")
    assert found.has_room("", "session")


def test_who_left_a_moment_ago_comes_back_and_who_left_long_ago_waits():
    found, clock = places(1)
    found.enter("first")
    found.leave("first")
    found.enter("second")
    assert found.has_room("first")
    clock.now = 59.0
    assert found.has_room("first")
    clock.now = 60.0
    assert not found.has_room("first")


def test_one_browser_does_not_take_place_after_place():
    found, _ = places(10)
    n = 0
    while found.has_room("the same") and n < 100:
        found.enter("the same")
        n += 1
    assert n == 11


def test_nobody_new_comes_into_a_server_that_stops():
    found, _ = places(10, known=("session",))
    found.enter("browser")
    found.is_stopping = True
    assert not found.has_room("another")
    assert found.has_room("browser")
    assert found.has_room("", "session")


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b", "c"]), st.booleans(), st.floats(0, 40))))
def test_the_count_is_right_and_never_far_beyond_the_limit(steps):
    """Against a plain list of those who are in."""
    found, clock = places(3)
    inside: list[str] = []
    for browser, comes, seconds in steps:
        clock.now += seconds
        if comes and found.has_room(browser):
            found.enter(browser)
            inside.append(browser)
        elif not comes and browser in inside:
            found.leave(browser)
            inside.remove(browser)
        assert found.n_open == len(inside) <= 3 + found.spare
        assert all(found.has_room(each) for each in inside if each and len(inside) < 3 + found.spare)


@pytest.mark.parametrize("error", [None, RuntimeError, asyncio.CancelledError])
def test_a_connection_gives_its_place_back_however_it_ends(error):
    found, _ = places(1)

    async def app(*_: object) -> None:
        assert found.n_open == 1
        if error:
            raise error

    connection = Sessions(app, found, 10, "")({"type": "websocket", "headers": []}, None, None)
    if error:
        with pytest.raises(error):
            asyncio.run(connection)
    else:
        asyncio.run(connection)
    assert found.n_open == 0
    assert found.has_room()


def test_a_class_behind_one_address_may_have_all_places_and_others_still_find_some():
    found, _ = places(20)
    for n in range(20):
        assert found.has_room(f"pupil {n}", address="school")
        found.enter(f"pupil {n}", "school")
    assert not found.has_room("another", address="school")
    assert not found.has_room("another")  # from nobody knows where
    assert found.has_room("another", address="home")
    found.enter("another", "home")
    assert not found.has_room("one more", address="home")
    for n in range(3):
        assert found.has_room(address=f"home {n}")
        found.enter("", f"home {n}")
    assert not found.has_room(address="home 3")  # 24: a tenth for who comes back, a tenth for others
    found.is_stopping = True
    found.leave("", "home 2")
    assert not found.has_room(address="home 2")


def test_where_everybody_has_an_address_full_is_full():
    found, _ = places(20)
    for n in range(20):
        found.enter("", f"home {n // 2}")
    assert not found.has_room(address="another home")


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("203.0.113.9", 1), "203.0.113.9"),
        (("::ffff:203.0.113.9", 1), "203.0.113.9"),
        (("2001:db8:1:2:3::4", 1), "2001:db8:1:2::/64"),
        (("2001:db8:1:2:ffff::", 1), "2001:db8:1:2::/64"),
        (("a name", 1), "a name"),
        (None, ""),
    ],
)
def test_an_address_is_what_one_household_has(client, address):
    assert address_of({"client": client}) == address


def test_the_address_of_a_connection_counts():
    found, _ = places(1)

    async def app(*_: object) -> None:
        assert found.by_address == {"203.0.113.9": 1}

    scope = {"type": "websocket", "headers": [], "client": ("203.0.113.9", 7)}
    asyncio.run(Sessions(app, found, 10, "")(scope, None, None))
    assert found.by_address == {}
