"""Components whose JavaScript is served once as a file, not sent again with every rerun."""

import hashlib
from html import escape
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

ASSETS = Path(__file__).parent / "assets"
# In the address, so that a browser may keep the files for ever and still gets new ones.
VERSION = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(ASSETS.iterdir()))).hexdigest()[:12]
ASSETS_PATH = f"/assets/embedviz/{VERSION}"

_LOADER = """
const load = (name) => import(new URL(`{path}/${{name}}.js`, document.baseURI).href)
const loading = Promise.all([load("{name}"), load("instances")])
export default function (component) {{
  loading.then(([module, {{ record }}]) => (record("{name}", component), module.render(component)))
  return () => loading.then(([module, {{ forget }}]) => (forget(component), module.stop(component)))
}}
"""


def component(name: str, html: str, css: str, *, isolate_styles: bool = True, **texts: str) -> ComponentRenderer:
    """Register the component whose module is `assets/<name>.js`, with functions `render` and `stop`.

    texts: what stands in the HTML in the places of their names in braces.
    """
    return st.components.v2.component(
        f"embedviz_{name}",
        html=html.format(**{key: escape(text) for key, text in texts.items()}),
        css=css,
        js=_LOADER.format(path=ASSETS_PATH[1:], name=name),
        isolate_styles=isolate_styles,
    )
