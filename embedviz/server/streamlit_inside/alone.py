"""Pages run as Streamlit runs them, without a server and without a browser."""

import logging
from collections.abc import Mapping
from dataclasses import replace

from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.util import calc_hash

from embedviz.base import i18n
from embedviz.base.pages import PAGES
from embedviz.base.settings import place
from embedviz.server.address import for_streamlit
from embedviz.server.languages import language_for, of_the_run
from embedviz.server.streamlit_inside import take_files
from embedviz.server.streamlit_inside.address import AddressKept
from embedviz.server.streamlit_inside.replaced import replace as replace_all

_SECONDS = 60
_BY_HASH = {calc_hash(page.address): page for page in PAGES}


class _Runner(AddressKept, local_script_runner.LocalScriptRunner):
    """Runs pages as a server does, which reads the address before Streamlit reads it."""

    def request_rerun(self, rerun_data: RerunData) -> bool:
        page = _BY_HASH.get(rerun_data.page_script_hash, PAGES[0])
        with i18n.use_language(language_for(rerun_data.query_string, "")):
            return super().request_rerun(replace(rerun_data, query_string=for_streamlit(page, rerun_data.query_string)))


# Whatever asks for a visitor outside of a run would be warned that there is none.
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True
take_files()
replace_all()
i18n.set_language_provider(of_the_run)
app_test.__dict__["LocalScriptRunner"] = _Runner
# One for all visits, as on a server. An AppTest without one looks through all installed packages for components, which
# takes longer than to run the page.
_COMPONENTS = BidiComponentManager()
# One for all visits as well: each AppTest would compile the site and its pages anew.
_SCRIPTS = ScriptCache()
for module in (app_test, local_script_runner):
    module.__dict__["ScriptCache"] = lambda: _SCRIPTS


def visitor_of(page: str, query: Mapping[str, str | list[str]]) -> AppTest:
    """A visitor who has not run the page at this address yet, the first page for ""."""
    at = AppTest.from_file(str(place("embedviz/ui/site.py")), default_timeout=_SECONDS)
    at._bidi_component_manager = _COMPONENTS
    for name, value in query.items():
        at.query_params[name] = value
    if page:
        at._page_hash = calc_hash(page)  # switch_page knows a page by its file's name until the site has run once
    return at
