"""Pages run as Streamlit runs them, without a browser."""

from dataclasses import replace

from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.util import calc_hash

from embedviz.base import i18n
from embedviz.base.pages import PAGES
from embedviz.base.settings import ROOT
from embedviz.server.address import for_streamlit
from embedviz.server.languages import language_for, of_the_run
from embedviz.server.streamlit_inside.address import AddressKept
from embedviz.server.streamlit_inside.replaced import replace as replace_all
from embedviz.training.train import TrainingSettings
from embedviz.ui.trained import mark
from tests.recorder.shown import unpack

replace_all()
i18n.ask(of_the_run)
BY_HASH = {calc_hash(page.address): page for page in PAGES}


class Runner(AddressKept, local_script_runner.LocalScriptRunner):
    """Runs pages as a server does, which reads the address before Streamlit reads it."""

    def request_rerun(self, run: RerunData) -> bool:
        page = BY_HASH.get(run.page_script_hash, PAGES[0])
        with i18n.speaking(language_for(run.query_string, "")):
            return super().request_rerun(replace(run, query_string=for_streamlit(page, run.query_string)))


app_test.LocalScriptRunner = Runner
SITE = ROOT / "embedviz/ui/site.py"
# One for all visits, as on a server. An AppTest without one looks through all installed packages for components, which
# takes longer than to run the page.
COMPONENTS = BidiComponentManager()
# One for all visits as well: each AppTest would compile the site and its pages anew.
SCRIPTS = ScriptCache()
app_test.ScriptCache = local_script_runner.ScriptCache = lambda: SCRIPTS


def visit(page: str = "", **query: str | list[str]) -> AppTest:
    """Open a page, the first one if none is named, at an address with these query parameters."""
    return before_visit(page, **query).run()


def before_visit(page: str = "", **query: str | list[str]) -> AppTest:
    """The same before the page has run, for who brings a state of the session along."""
    at = AppTest.from_file(str(SITE), default_timeout=60)
    at._bidi_component_manager = COMPONENTS
    for name, value in query.items():
        at.query_params[name] = value
    if page:
        at._page_hash = calc_hash(page)  # switch_page knows a page by its file's name until the site has run once
    return at


def shown(at: AppTest, key: str) -> dict | None:
    """What the component under this key got, or None if it is not on the page."""
    keys = (f"-{key}", f"-plot_{key}", f"-cards_{key}")
    found = [c.proto for c in at.get("bidi_component") if c.proto.id.endswith(keys)]
    return unpack(found[0].bytes) if found else None


def programs(at: AppTest) -> list[str]:
    """Every program on the page: as long as its fold is closed it is plain text."""
    return [element.value for element in (*at.code, *at.text)]


def trained(*others: dict) -> dict[str, str]:
    """What the address says once "Train" was pressed: for the usual settings, or for those that differ so from them."""
    return {"trained": mark([TrainingSettings(**other) for other in others or ({},)])}


def payloads(at: AppTest) -> list[dict]:
    """What each component got, in the order of the page."""
    return [unpack(element.proto.bytes) for element in at.get("bidi_component") if element.proto.bytes]


def messages(at: AppTest) -> list[str]:
    """Every message on the page, as its reader sees it."""
    return [element.value.replace("\\", "") for element in (*at.error, *at.warning, *at.info)]
