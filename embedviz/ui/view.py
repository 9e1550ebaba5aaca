"""A view as one record, and how each of them is laid out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from embedviz.base.i18n import translated
from embedviz.base.pages import page_at
from embedviz.ui import turns
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.guide import Guide
from embedviz.ui.messages import stop_at_error
from embedviz.ui.program import program
from embedviz.ui.shell import Frame
from embedviz.ui.slides import aside, findings, slide

Fields = TypeVar("Fields")  # what a visitor has set
Result = TypeVar("Result")  # what follows from that


class Picture(NamedTuple):
    """What has a slide of its own in a hall. draw: shows it. slide, is_alone, is_brief: as `ui.slide` takes them."""

    draw: Callable[[], None]
    slide: str = ""
    is_alone: bool = False
    is_brief: bool = False


@dataclass(frozen=True)
class View(Generic[Fields, Result]):
    """One view: what a visitor can set, what is computed from it, and what is shown of that.

    page, name: in the address; the menu has its title. guide: what to look at, and why. fields: shows the controls.
    compute: knows nothing of the screen. The rest takes its result alone. is_quick: whether others can wait for it.
    source: the model that is read, so that a message can offer to try again. headline: the finding, for whoever does
    not see the pictures; these may say it themselves. examples: addresses that between them show all it can show, from
    which every list of views in a test is made.
    """

    page: str
    name: str
    guide: Guide
    fields: Callable[[Frame], Fields]
    compute: Callable[[Fields], Result]
    headline: Callable[[Result], str]
    pictures: Callable[[Result], Sequence[Picture]]
    findings: Callable[[Result], Sequence[Card]] = lambda _result: ()
    note: Callable[[Result], str] = lambda _result: ""
    program: Callable[[Result], str] | None = None
    is_quick: Callable[[Fields], bool] = lambda _fields: True
    source: Callable[[Fields], str | None] = lambda _fields: None
    examples: Sequence[Mapping[str, str]] = ({},)

    @property
    def title(self) -> str:
        """What the menu and the switch between views call it."""
        return translated(page_at(self.page).views[self.name])

    def __call__(self, frame: Frame) -> None:
        """Show the view. An edit of its fields runs this part of the page alone."""
        frame.lead()
        turns.part(self._run)(frame)

    def _run(self, frame: Frame) -> None:
        asked = self.fields(frame)
        with stop_at_error(self.source(asked)), turns.pause(unless=self.is_quick(asked)):
            result = self.compute(asked)
        if cards := self.findings(result):
            findings(cards, key=f"about_{self.name}")
        for shown in self.pictures(result):
            with slide(shown.slide, alone=shown.is_alone, brief=shown.is_brief):
                shown.draw()
        if said := self.note(result):
            aside(said)
        if self.program:
            program(self.program(result), self.title, height=380)
