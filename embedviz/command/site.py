"""A site without a server: the views of all pages as files beside each other, for a USB stick or a course archive.

`python -m embedviz.command.site FOLDER en de` writes an index and these languages. All links work from `file://` too.
"""

import shutil
import sys
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, label_value, listed, own_names, translated, use_language
from embedviz.base.pages import PAGES, Page, page_at
from embedviz.command.saved import saved
from embedviz.layers.trace import small_gpt_knows
from embedviz.text.samples import SentencePair, pairs
from embedviz.ui.components.component import KNOWN
from embedviz.ui.components.standalone import PLOTLY, colours, import_map, literal
from embedviz.ui.whole_way.browser import own_way, packed_gpts

_SHARED = {"scripts": "../scripts.js", "library": "../plotly.min.js"}
_FIRST = "compare-whole-1.html"  # the whole way of the site's own pair
_TYPED = "embedviz/ui/components/way/typed"
_SCRIPTS = """const map = {map}
const script = Object.assign(document.createElement("script"), {{ type: "importmap" }})
script.textContent = JSON.stringify(map)
document.head.append(script)
"""
_GPT = """document.head.append(Object.assign(document.createElement("script"),
  {{ type: "text/plain", id: "{name}", textContent: "{packed}" }}))
"""
_SHEET = "body { margin: 2rem auto; padding: 0 1rem; max-width: 50rem; font-family: var(--st-font); line-height: 1.5; }"
_LIKE_PAGE = (
    "body { color: var(--st-text-color); background: var(--st-background-color) } a { color: var(--st-link-color) }"
)
_NOT_ALONE = ("lessons", "tour")  # they ask and answer


def write(folder: Path, languages: Sequence[str]) -> None:
    """Write the site. Raises EmbedvizError for a language that is not here, and for a folder that has other files."""
    unknown = [tag for tag in languages if tag not in own_names()]
    if unknown or not languages:
        raise EmbedvizError("Name languages of {names}.", names=", ".join(own_names()))
    if folder.exists() and any(folder.iterdir()) and not (folder / "scripts.js").exists():
        raise EmbedvizError("{folder} has other files. Name a new folder.", folder=str(folder))
    for tag in languages:
        (folder / tag).mkdir(parents=True, exist_ok=True)
        with use_language(tag):
            lines = [_line(folder / tag, page, tag) for page in PAGES if page.name not in _NOT_ALONE]
            (folder / tag / "index.html").write_text(_index(tag, lines), "utf-8")
    links = "".join(map(_language, languages))
    (folder / "index.html").write_text(_html(languages[0], f"<h1>embedviz</h1><ul>{links}</ul>"), "utf-8")
    scripts = import_map(sorted({name for name, _html, _style in KNOWN.values()} | {_TYPED}))
    for name, packed in packed_gpts().items():
        (folder / f"{name}.js").write_text(_GPT.format(name=name, packed=packed), "utf-8")
    (folder / "scripts.js").write_text(_SCRIPTS.format(map=literal(scripts)), "utf-8")
    shutil.copy(PLOTLY / "plotly.min.js", folder)


def _language(tag: str) -> str:
    """A language's links: to its index, and to the whole way at once."""
    with use_language(tag):
        index = f'<a href="{tag}/index.html">{escape(own_names()[tag])}</a>'
        whole = f'<a href="{tag}/{_FIRST}">{escape(translated(page_at("compare").views["whole"]))}</a>'
        return f'<li lang="{tag}">{label_value(index, whole)}</li>'


def _line(folder: Path, page: Page, tag: str) -> str:
    """Write the files of a page. Return its entry in the index, "" if nothing of it stands alone."""
    entries = []
    for view in page.views or [""]:
        links = listed(_files(folder, page, view, tag))
        line = label_value(escape(translated(page.views[view])), links) if view and page.has_sentences else links
        entries += [f"<li>{line}</li>"] * bool(links)
    heading = f"<h2>{escape(translated(page.title))}</h2><p>{escape(translated(page.help))}</p>"
    return f"{heading}<ul>{''.join(entries)}</ul>" if entries else ""


def _files(folder: Path, page: Page, view: str, tag: str) -> Iterator[str]:
    """Write a view, for each ready pair if it shows two sentences. Yield links to the files."""
    for n, pair in enumerate(pairs(tag) if page.has_sentences else [None], 1):
        query = ({"view": view} if view else {}) | (_sentences(pair) if pair else {})
        name = "-".join([page.name, *([view] if view else []), *([str(n)] if pair else [])]) + ".html"
        try:
            text = saved(page.name, query, language=tag, shared=_SHARED, typed=_typed(page, view, pair))
        except EmbedvizError as error:  # such as a model that is not on this machine
            print(f"{name}: {error}", file=sys.stderr)
            continue
        (folder / name).write_text(text, "utf-8")
        label = pair.name if pair else page.views[view] if view else page.title
        yield f'<a href="{name}">{escape(translated(label))}</a>'


def _typed(page: Page, view: str, pair: SentencePair | None) -> dict[str, object] | None:
    """What the whole way says of a visitor's own sentences, where the small GPT reads; None on all other pages."""
    if (page.name, view) != ("compare", "whole") or not pair or not small_gpt_knows(pair.a, pair.b):
        return None
    return own_way((pair.a, pair.b))


def _sentences(pair: SentencePair) -> dict[str, str]:
    return {"a": pair.a, "b": pair.b, "prefix_space": str(pair.prefix_space).lower()}


def _index(tag: str, lines: Sequence[str]) -> str:
    needs = _("Other models and settings, lessons, the tour and a training need the app itself.")
    title = _("Where does word order enter?")
    typed = _("Type two sentences of your own, and see their whole way, computed in your browser.")
    link = f'<p><a href="{_FIRST}">{escape(typed)}</a></p>'
    return _html(tag, f"<h1>{escape(title)}</h1>{link}{''.join(lines)}<p>{escape(needs)}</p>")


def _html(tag: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="{tag}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>embedviz</title><style>{colours()}{_SHEET}{_LIKE_PAGE}</style></head><body>{body}</body></html>"
    )


def main() -> None:
    """Write the site into the folder that is named first, in the languages that follow."""
    try:
        write(Path(sys.argv[1]), sys.argv[2:])
    except (EmbedvizError, IndexError) as error:
        sys.exit(str(error) if isinstance(error, EmbedvizError) else "Name a folder and languages, such as: site en de")


if __name__ == "__main__":
    main()
