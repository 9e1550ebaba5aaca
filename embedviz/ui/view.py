"""A view as one record, and how all of them are laid out: this file alone knows of halls, parts and their order."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, translated
from embedviz.base.pages import page_at
from embedviz.ui import challenges, lessons, presenting, turns
from embedviz.ui.components.cards.cards import Card, cards
from embedviz.ui.guide import Guide, glossary
from embedviz.ui.messages import stop_at_error
from embedviz.ui.program import Height, MakeRows, program
from embedviz.ui.shell import Frame, onward, rows, say_no_such_view, switch, topic
from embedviz.ui.slides import reader_caption, reader_cards, slide

Settings = TypeVar("Settings")  # what a visitor has set where an edit runs the whole page
Fields = TypeVar("Fields")  # what a visitor has set in all, where an edit runs this view alone
Result = TypeVar("Result")  # what follows from that


class Picture(NamedTuple):
    """What a view shows in one place, which in a hall is one slide.

    draw: shows it: `partial(ui.show, figure, key=…, alt=…, height=…)`, so that a test can read what is drawn. slide,
    is_whole: as `ui.slide` takes them; None where it stands on no slide, or has places of its own. claim: the
    headline of its slide in a hall, where the view's is not about it. only_for: "hall" or "reader" for what the other
    does not see.
    """

    draw: Callable[[], object]
    slide: str | None = ""
    is_whole: bool = False
    claim: Card | None = None
    only_for: str = ""


class Program(NamedTuple):
    """The PyTorch behind a view. The arguments are those of `ui.program`; without a title it has the view's."""

    text: str
    title: str = ""
    rows: MakeRows | None = None
    note: str = ""
    height: Height = 380
    alone: Callable[[], str] | None = None


@dataclass(frozen=True, kw_only=True)
class AnyView:
    """What is known of every view.

    page, name: in the address; the menu has its title. A page's only view has no name. guide: what to look at, and
    why. examples: addresses that between them show all it can show, from which every list of views in a test is made.
    """

    page: str
    name: str
    guide: Guide
    examples: Sequence[Mapping[str, str]] = ({},)

    @property
    def title(self) -> str:
        """What the menu and the switch between views call it."""
        page = page_at(self.page)
        return translated(page.views[self.name] if self.name else page.title)

    def show(self, frame: Frame) -> None:
        """Show the view in the frame of its page."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class LiveView(AnyView):
    """A view that draws itself, since it goes on by itself: training runs on, a map is flown over, a story is told.

    has_claim: whether it says its headline by itself, as soon as it knows what is found.
    """

    draw: Callable[[Frame], None]
    has_claim: bool = False

    def show(self, frame: Frame) -> None:
        """Let it draw itself."""
        if not self.has_claim:
            frame.say()
        frame = frame.opened()
        with frame.body:
            self.draw(frame)


def nothing(*_about: object) -> Any:
    """Show nothing, and return nothing."""


def _settings_alone(_frame: Frame, settings: Any) -> Any:
    return settings


@dataclass(frozen=True, kw_only=True)
class View(AnyView, Generic[Settings, Fields, Result]):
    """One view: what a visitor can set, what is computed from it, and what is shown of that.

    settings: shows the controls that are changed less often; an edit of them runs the page. fields: shows the others;
    an edit of them, or of what a picture changes, runs the view alone. Both say by themselves what is wrong with them.
    compute: knows nothing of the screen, and what comes after it takes its result alone. waiting: what happens
    meanwhile, such as that others have their turn. source: the model that is read, so that a message can offer to try
    again. on_error: shows the fields where nothing follows from them. claim: the headline, a card or one for each
    stage; None for the first finding. findings: cards below the pictures. note: a caption for readers. when_shown:
    what follows from having seen it, such as a challenge that is met.
    """

    compute: Callable[[Fields], Result]
    pictures: Callable[[Result], Sequence[Picture]]
    settings: Callable[[Frame], Settings] = nothing
    fields: Callable[[Frame, Settings], Fields] = _settings_alone
    waiting: Callable[[Fields], AbstractContextManager[object]] = lambda _fields: nullcontext()
    source: Callable[[Fields], str | None] = lambda _fields: None
    on_error: Callable[[Fields], None] = nothing
    claim: Callable[[Result], Sequence[Card]] | None = None
    findings: Callable[[Result], Sequence[Card]] = lambda _result: ()
    note: Callable[[Result], str] = lambda _result: ""
    program: Callable[[Result], Program] | None = None
    when_shown: Callable[[Result], None] = nothing

    def show(self, frame: Frame) -> None:
        """Show the view. An edit of its fields runs this part of the page alone."""
        turns.part_of_page(self._run)(frame, self.settings(frame))

    def _run(self, frame: Frame, settings: Settings) -> None:
        frame, is_said = frame.opened(), False
        try:
            with frame.body:
                # In places of their own, so that what comes or goes above the pictures moves none of them.
                with st.container(gap="xsmall"):
                    asked = self.fields(frame, settings)
                with st.container(gap="xsmall"):
                    result = self._computed(asked)
                claims, about = self._claims_and_findings(result)
                pictures = [each for each in self.pictures(result) if each.only_for in ("", audience())]
                frame.say(*claims)
                frame.say_of_slides({each.slide: each.claim for each in pictures if each.slide and each.claim})
                is_said = True
                self._show(result, pictures, claims, about)
        finally:  # where nothing follows from what is asked
            if not is_said:
                frame.say()

    def claims(self, result: Result) -> Sequence[Card]:
        """What the picture shows, as its title says it: one card, or two of which each holds at a stage."""
        return self._claims_and_findings(result)[0]

    def _claims_and_findings(self, result: Result) -> tuple[Sequence[Card], Sequence[Card]]:
        """The claims, and all findings."""
        about = self.findings(result)
        return (self.claim(result) if self.claim else _first(about)), about

    def _computed(self, asked: Fields) -> Result:
        with stop_at_error(self.source(asked)):
            try:
                with self.waiting(asked):
                    return self.compute(asked)
            except EmbedvizError:
                self.on_error(asked)
                raise

    def _show(self, result: Result, pictures: Sequence[Picture], claims: Sequence[Card], about: Sequence[Card]) -> None:
        for picture in pictures:
            with nullcontext() if picture.slide is None else _slide_of(picture):
                picture.draw()
        key = f"about_{self.name or self.page}".replace("-", "_")
        cards_below(about, claims, key=key)
        if said := self.note(result):
            reader_caption(said)
        if self.program:
            text, title, rows, note, height, alone = self.program(result)
            program(text, title or self.title, rows=rows, note=note, height=height, alone=alone)
        self.when_shown(result)


def _first(about: Sequence[Card]) -> Sequence[Card]:
    """The first finding, and that of the other stage if it has one."""
    return about[:2] if about and about[0].stage else about[:1]


def cards_below(about: Sequence[Card], claims: Sequence[Card], *, key: str) -> None:
    """Show findings below a headline, which has said the titles of some of them already."""
    said = set() if lessons.is_on() else {card.title for card in claims}
    bare = [replace(card, title="") if card.title in said else card for card in about]
    if shown := [card for card in bare if card.title or card.text]:
        reader_cards(shown, key=key)


def audience() -> str:
    """Who sees the page: "hall" or "reader"."""
    return "hall" if presenting.is_on() else "reader"


def _slide_of(picture: Picture) -> AbstractContextManager[object]:
    return slide(picture.slide or "", whole=picture.is_whole)


def page(title: str, views: Sequence[AnyView], *, default: str | None = None) -> None:
    """Lay out the page of these views, and draw the one that the visitor chooses.

    default: the view that is on at first, if it is not the first one.
    """
    by_name, name = {each.name: each for each in views}, views[0].page
    placed = rows()
    named = st.query_params.get("view", "")  # before the switch takes what it does not know out of the address
    is_known = named in ("", *map(translated, page_at(name).views.values()))
    with placed["views"]:
        view = by_name[switch(page_at(name).views, default)]
    frame = Frame(**placed, title=title, view=view.name, guide=view.guide)
    topic(frame, title, name, is_said=isinstance(view, LiveView) and not view.has_claim)
    frame.look.caption(translated(view.guide.look))
    with frame.body if presenting.is_on() else frame.look:
        say_no_such_view(name, view.name, is_known)
        lessons.lesson_strip(name)
        challenges.challenge_strip(name, view.name)
    with frame.words:
        glossary(view.guide.terms.split())
    try:
        with frame.body:
            view.show(frame)
    finally:  # at last, so that nothing moves when the body comes; a view may end before its own end
        with frame.foot:
            why = Card(_("Why it matters"), translated(view.guide.why))
            cards([why], key="why", links=challenges.ways(name, view.name))
            onward(name)
