"""What is sent when a browser shows the page already: differences, which leave it with the same screen."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed

from embedviz.base.i18n import translated
from embedviz.base.pages import PAGES, page_at
from embedviz.server.shown import PageState
from tests.browser import server
from tests.models.shelf import on_shelf
from tests.screen import Screen
from tests.session import Session, visiting

KINDS = ("expandable", "popover", "column")
SPINNER = "spinner"


@dataclass(frozen=True)
class Part:
    """An element, a container of other parts, or a spinner, which takes no place of its own."""

    says: str
    kind: str = ""
    holds: list["Part"] = field(default_factory=list)


says = st.sampled_from("abc")
elements = st.builds(Part, says) | st.just(Part("waits", SPINNER))
trees = st.recursive(
    elements, lambda parts: st.builds(Part, says, st.sampled_from(KINDS), st.lists(parts, max_size=3)), max_leaves=12
)
pages = st.lists(trees, max_size=4)


def written(parts: list[Part], above: tuple[int, ...], fragment: str = "") -> list[ForwardMsg]:
    """The messages by which a run makes these parts."""
    messages, n = [], 0
    for part in parts:
        message = ForwardMsg()
        message.metadata.delta_path.extend((*above, n))
        message.delta.fragment_id = fragment
        if part.kind == SPINNER:
            messages += [_spinning(message, part.says), _spinning(message)]
            continue
        if part.kind:
            getattr(message.delta.add_block, part.kind).SetInParent()
            message.delta.add_block.id = part.says
        else:
            message.delta.new_element.text.body = part.says
        populate_hash_if_needed(message)
        messages += [message, *written(part.holds, (*above, n), fragment)]
        n += 1
    return messages


def _spinning(place: ForwardMsg, *says: str) -> ForwardMsg:
    """Begins or, if it says nothing, ends a spinner."""
    message = ForwardMsg()
    message.CopyFrom(place)
    message.delta.new_transient.SetInParent()
    for each in says:
        message.delta.new_transient.elements.add().spinner.text = each
    return message


class Visit:
    """A browser, and what its server knows of it."""

    def __init__(self) -> None:
        self.shown, self.screen = PageState(), Screen()
        self.n_runs = self.n_sent = 0

    def run(self, messages: list[ForwardMsg], part: str = "", *, is_cut: bool = False, **how: object) -> None:
        """One run; is_cut: another one is asked for before it has come to its end."""
        self.n_runs, self.n_sent = self.n_runs + 1, 0
        place = how.pop("browser", "a browser"), how.pop("page", "a page")
        self.shown.begin(*place, is_part=bool(part), **how)
        name = f"run {self.n_runs}"
        if not self.shown.is_quiet:
            begins = ForwardMsg()
            begins.new_session.SetInParent()
            self._take(begins, name, part)
        for message in messages[: len(messages) // 2 if is_cut else None]:
            if not self.shown.is_known(message):
                for each in self.shown.sent_with(message):
                    self._take(each)
        if is_cut:
            return
        for message in self.shown.end("a page"):
            self._take(message)
        ends = ForwardMsg()
        ends.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
        self._take(ends, name, part)

    def _take(self, message: ForwardMsg, run: str = "", part: str = "") -> None:
        self.n_sent += message.delta.WhichOneof("type") not in {None, "new_transient"}
        if run:
            message.metadata.run.script_run_id = run
            message.metadata.run.fragment_ids.extend([part] if part else [])
        self.screen.take(message)

    @property
    def sees(self) -> list[tuple]:
        return seen(self.screen)


def seen(screen: Screen) -> list[tuple]:
    """What stands where."""
    return [(*each.metadata.delta_path, each.delta.SerializeToString(deterministic=True)) for each in screen.messages]


def new_visitor(messages: list[ForwardMsg]) -> list[tuple]:
    """What somebody sees who has just come."""
    visit = Visit()
    visit.run(messages)
    return visit.sees


@given(st.lists(st.tuples(pages, st.booleans()), min_size=1, max_size=6), pages)
def test_whatever_runs_follow_each_other_the_last_one_is_seen(before, last):
    visit = Visit()
    for parts, is_cut in before:
        visit.run(written(parts, (0,)), is_cut=is_cut)
    visit.run(written(last, (0,)))
    assert visit.sees == new_visitor(written(last, (0,)))


@given(pages, st.lists(st.tuples(pages, st.booleans()), max_size=4), pages, pages)
def test_a_part_changes_what_is_its_own(around, before, last, whole):
    """The part stands behind other parts of the page and before the last of them."""

    def page(inside: list[Part]) -> list[ForwardMsg]:
        part = written([Part("part", "column", inside)], (0,), "a part")
        for message in part:
            message.metadata.delta_path[1] += sum(each.kind != SPINNER for each in around)
        rest = written([*around, Part("part", "column"), Part("end")], (0,))
        return [*rest[:-2], *part, rest[-1]]

    def own(inside: list[Part]) -> list[ForwardMsg]:
        return [each for each in page(inside) if each.delta.fragment_id]

    visit = Visit()
    visit.run(page(whole))
    for inside, is_cut in before:
        visit.run(own(inside), "a part", is_cut=is_cut)
    visit.run(own(last), "a part")
    assert visit.shown.is_quiet
    assert visit.sees == new_visitor(page(last))
    visit.run(page(whole))
    assert visit.sees == new_visitor(page(whole))


@pytest.mark.parametrize("holds", [[], [Part("inside")]])
def test_nothing_stays_under_a_spinner_that_has_gone(holds):
    before = Part("before", "column" if holds else "", holds)
    spinning = [Part("a", "column", [Part("waits", SPINNER)]), Part("waits", SPINNER)]
    visit = Visit()
    visit.run(written([Part("a", "column", [before]), before], (0,)))
    visit.run(written(spinning, (0,)))
    assert visit.sees == new_visitor(written(spinning, (0,)))
    assert len(visit.sees) == 1


@given(pages)
def test_what_is_equal_is_not_sent(parts):
    visit = Visit()
    visit.run(written(parts, (0,)))
    visit.run(written(parts, (0,)))
    assert visit.n_sent == 0


def test_one_change_is_one_message():
    visit = Visit()
    visit.run(written([Part("a"), Part("b", "column", [Part("c"), Part("d")])], (0,)))
    visit.run(written([Part("a"), Part("b", "column", [Part("c"), Part("another")])], (0,)))
    assert visit.n_sent == 1


@pytest.mark.parametrize("how", [{"page": "another page"}, {"browser": "another"}, {"must_announce": True}])
def test_another_page_another_browser_and_a_way_back_are_announced(how):
    visit = Visit()
    visit.run(written([Part("a")], (0,)))
    visit.run(written([Part("a")], (0,)), **how)
    assert not visit.shown.is_quiet
    assert visit.n_sent == 1


def test_nothing_is_held_back_before_a_run_of_the_whole_page_has_ended():
    visit = Visit()
    visit.run(written([Part("a"), Part("b")], (0,)), is_cut=True)
    visit.run(written([Part("a"), Part("b")], (0,)), "a part")
    visit.run(written([Part("a"), Part("b")], (0,)))
    assert visit.n_sent == 2
    visit.run(written([Part("a"), Part("b")], (0,)))
    assert visit.n_sent == 0


def test_a_page_that_runs_by_itself_is_announced_whole():
    visit = Visit()
    again = ForwardMsg()
    again.auto_rerun.interval = 1
    visit.run([*written([Part("a")], (0,)), again])
    visit.run(written([Part("a")], (0,)))
    assert not visit.shown.is_quiet
    visit.run([*written([Part("a")], (0,)), again])  # as when "Train" is pressed
    assert visit.shown.is_quiet
    visit.run(written([Part("a")], (0,)))
    assert not visit.shown.is_quiet


def test_a_value_that_is_set_is_always_sent_and_first_the_field_hears_that_its_own_have_arrived():
    visit = Visit()
    message = ForwardMsg()
    message.metadata.delta_path.extend([0, 0])
    message.delta.new_element.text_input.set_value = message.delta.new_element.has_one_shot_effect = True
    populate_hash_if_needed(message)
    visit.run([message])
    visit.run([message])
    assert visit.n_sent == 1
    settled, same = visit.shown.sent_with(message)
    assert settled.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
    assert settled.metadata.run.script_run_id
    assert same == message


def test_a_browser_keeps_no_message_of_a_run_that_it_does_not_count():
    visit = Visit()
    first, second = written([Part("a")], (0,))[0], written([Part("b")], (0,))[0]
    first.metadata.cacheable = second.metadata.cacheable = True
    visit.run([first])
    visit.run([second])
    assert (first.metadata.cacheable, second.metadata.cacheable) == (True, False)


# On the real server ----------------------------------------------------------------------------------

EDITS = {
    "compare, texts": (
        "",
        [("a", "dog bites man"), ("b", "man bites dog"), ("a", ""), ("a", "the cat sat on the mat")],
    ),
    "compare, views": ("", [("view", [view]) for view in ("Map", "All orders", "Pairs", "The whole way")]),
    "compare, a pair": ("", [("a", "dog"), ("pair", "Dog bites man"), ("a", "dog"), ("pair", "Dog bites man")]),
    "lookup": ("lookup", [("a", "dog bites man"), ("view", ["One-hot"]), ("b", "man bites dog"), ("view", ["Rows"])]),
    "rope": (
        "rope",
        [("query_at", [3.0]), ("view", ["Longer than trained"]), ("trained", 5.0), ("view", ["Pairs turn"])],
    ),
    "attention": (
        "attention",
        [("a", "dog " * 9), ("view", ["A trained head"]), ("positions", ["Positions on"]), ("view", ["Two orders"])],
    ),
}


def test_edits_that_cut_each_other_short_lose_nothing(site):
    with visiting(site.port) as session, visiting(site.port) as other:
        session.run()
        for n in range(5):  # as many as may come at once
            session.send(session.tab.edit("ab"[n % 2], "the cat sat " * (n + 1)))
        last = "the cat sat " * 5
        while last.strip() not in session.screen.text or session.got[-1].WhichOneof("type") != "script_finished":
            session.wait()
        other.run(session.tab.query)
        assert plain(session) == plain(other)


VALUES = {
    "set_value",
    "value",
    "values",
    "default",
    "raw_value",
    "raw_values",
    "queried",
    "live_debounce_ms",
    "deferred_file_id",
}


@pytest.mark.parametrize("name", EDITS)
def test_after_edits_a_visitor_sees_what_a_new_one_sees(site, name):
    page, edits = EDITS[name]
    with visiting(site.port) as session:
        session.run(page=page)
        for key, value in edits:
            session.edit(key, value)
            assert "new_session" not in {each.WhichOneof("type") for each in session.got}
            with visiting(site.port) as other:
                other.run(session.tab.query, page)
                assert plain(session) == plain(other)


SEVERAL_VIEWS = [each.name for each in PAGES if len(each.views) > 1]


@pytest.fixture(scope="module")
def port_with_a_model(tmp_path_factory) -> Iterator[int]:
    """A server with a small model on its disk, for which some views wait before they draw."""
    folder, port = tmp_path_factory.mktemp("models"), server.free_port()
    on_shelf("bert", folder / "own/small", "the cat sat on the mat")
    with server.running(server.uvicorn(port), port, {"EMBEDVIZ_MODELS": str(folder)}):
        yield port


@pytest.mark.parametrize("page", SEVERAL_VIEWS)
@pytest.mark.xdist_group("site with a model")
def test_nothing_of_a_view_stays_after_it(port_with_a_model, page):
    """Through all ordered pairs of views: what stands there is what somebody sees who opens the view by its address."""
    port = port_with_a_model
    views = list(page_at(page).views)
    opened = {}
    for view in views:
        with visiting(port) as other:
            other.run(f"view={view}", page_at(page).address)
            opened[view] = places(other)
    for start, after in combinations(views, 2):
        with visiting(port) as session:
            session.run(f"view={start}", page_at(page).address)
            session.edit("view", [label(page, after)])
            assert places(session) == opened[after], (start, after)
            session.edit("view", [label(page, start)])
            assert places(session) == opened[start], (after, start)


def label(page: str, view: str) -> str:
    """What the switch between views shows for a view, which is what a browser sends."""
    return translated(page_at(page).views[view])


def places(session: Session) -> set[tuple]:
    """Where something stands, and of which kind."""
    return {(*each.metadata.delta_path, each.delta.new_element.WhichOneof("type")) for each in session.screen.messages}


def plain(session: Session) -> dict[tuple, object]:
    """What stands where; the values of controls, which a visitor has changed or not, are in the address."""
    found = {}
    for message in session.screen.messages:
        each = ForwardMsg()
        each.CopyFrom(message)
        if kind := each.delta.new_element.WhichOneof("type"):
            control = getattr(each.delta.new_element, kind)
            each.delta.new_element.ClearField("has_one_shot_effect")
            for name in VALUES.intersection(control.DESCRIPTOR.fields_by_name):
                control.ClearField(name)
        found[tuple(each.metadata.delta_path)] = each.delta
    return found
