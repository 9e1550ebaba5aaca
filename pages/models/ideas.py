"""The view "Newer ideas" of the page "Models": proposals that few or none have taken up."""

from embedviz import ui
from embedviz.base.i18n import _, translated
from pages.models.ideas_words import IDEAS


def ideas(_page: ui.Frame) -> None:
    """Show one table: the paper of each proposal, what it proposes, and who uses it."""
    with ui.slide():
        ui.table(
            [_("Name"), _("Paper"), _("Idea"), _("Used by")],
            [[idea.name, idea.paper, translated(idea.idea), translated(idea.users)] for idea in IDEAS],
            key="ideas",
            label=_("Newer ideas"),
            prose=True,
        )
