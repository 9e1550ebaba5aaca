"""The head of a page, before its script has run: where the server is, and what its pictures will need."""

import json
import re
from functools import cache
from pathlib import PurePosixPath

from embedviz.settings import configured
from embedviz.texts import _, for_scripts
from embedviz.ui.component import ASSETS, ASSETS_PATH
from embedviz.ui.plot import PLOTLY_FILE

_IMPORT = re.compile(r'^import .* from "\./(\w+)\.js"$', re.MULTILINE)
_BYTES_EACH = 64  # of a message for a character: two full fields, each in three places, most of it as %E4%B8%AD
_LONGEST = 20_000
MOST = min(_LONGEST, configured().message_kib * 1024 // _BYTES_EACH)  # characters that a field may hold
_SCRIPTS = {"base": "", "room": " defer", "away": ' type="module"', "lengths": f' defer data-most="{MOST}"'}
# What each page shows first. The others draw with Plotly at once.
_COMPONENTS = {
    "vocabulary": ("cloud", "cloud_marks", "cloud_texts"),
    "tokenizers": ("segments", "cards"),
    "batches": ("windows", "cards"),
    "tour": ("tour", "boxes"),
}
_PLOTS = ("plot", "chips", "cards")


@cache
def head(name: str) -> str:
    """HTML for the head of the page of this name. Addresses are relative, as all of the site are."""
    components = _COMPONENTS.get(name, _PLOTS)
    modules = [
        f'<link rel="modulepreload" href="{ASSETS_PATH[1:]}/{each}.js">'
        for each in with_imports("instances", "share", *components)
    ]
    library = [f'<link rel="preload" as="script" href="{PLOTLY_FILE}">'] if components is _PLOTS else []
    scripts = [f'<script src="{ASSETS_PATH[1:]}/{each}.js"{how}></script>' for each, how in _SCRIPTS.items()]
    return "\n".join([*scripts, *_texts(), _loading(), *library, *modules, ""])


def _loading() -> str:
    """What stands on the page until its scripts have come, which on a slow line takes seconds."""
    words = json.dumps(_("embedviz is loading …"), ensure_ascii=False).replace("<", "\\3c ")
    return (
        f"<style>#root:empty::before {{ content: {words}; position: fixed; inset: 0; display: grid; "
        "place-items: center; font: 1rem system-ui, sans-serif; color-scheme: light dark; "
        "color: light-dark(#5b6270, #a8afbd); background: light-dark(#ffffff, #0f1218); }</style>"
    )


def _texts() -> list[str]:
    """The translated texts of the scripts, as data that `texts.js` reads; nothing in English."""
    if not for_scripts():
        return []
    data = json.dumps(for_scripts(), ensure_ascii=False).replace("<", "\\u003c")  # no text may end the script
    return [f'<script type="application/json" id="ev-texts">{data}</script>']


def head_at(path: str) -> str:
    """The same by the path of the page's address. What somebody made up is like the first page."""
    name = PurePosixPath(path).name
    return head(name if name in _COMPONENTS else "")


def with_imports(*names: str) -> list[str]:
    """These modules of ours and all that they import, each once."""
    found = list(names)
    for name in found:
        text = (ASSETS / f"{name}.js").read_text("utf-8")
        found += [other for other in _IMPORT.findall(text) if other not in found]
    return found
