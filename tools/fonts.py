"""The fonts that pages load: those parts of Streamlit's own fonts that the pages show. `make fonts` writes them.

Streamlit's fonts have 4,000 icons and 1,600 characters. A first visit loaded 0.55 MB for them, 40 % of all that it
loaded. Whoever types other characters, such as Greek ones, still gets Streamlit's font for these.
"""

import re
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import streamlit
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from embedviz.base.settings import ROOT, place

FOLDER = place("embedviz/ui/assets/fonts")
STATIC = Path(streamlit.__file__).parent / "static/static"
# Latin letters with all accents, and the signs of texts, formulas and figures; site.css names them too.
CHARACTERS = [*range(0x20, 0x180), *range(0x2000, 0x20C0), *range(0x2190, 0x2300), *range(0x25A0, 0x27C0)]
_ICON = re.compile(r":material/([a-z0-9_]+):")
_IN_NAMES = " abcdefghijklmnopqrstuvwxyz0123456789_"  # an icon is written as its name, of which the font makes the icon
_LICENCE = (0, 13, 14)  # numbers of what a font says of its makers and of its licence
_NAMES = (1, 3, 4, 6)  # of what it is called: a part of Source Sans must not have the name "Source"


def icons() -> set[str]:
    """The names of all icons that the pages or Streamlit's own scripts ask for."""
    own = [path for each in ("embedviz", "pages") for path in (ROOT / each).rglob("*.py")]
    texts = (path.read_text("utf-8") for path in [*own, *(STATIC / "js").glob("*.js")])
    return {name for text in texts for name in _ICON.findall(text)}


def streamlits(name: str) -> TTFont:
    """A font of Streamlit, whose file begins with this name."""
    (path,) = (STATIC / "media").glob(f"{name}.*.woff2")
    return TTFont(path)


def icon_font() -> TTFont:
    """The font of all icons in use."""
    font, asked = streamlits("MaterialSymbols-Rounded"), icons()
    glyphs = [glyph for name, glyph in drawn(font).items() if name in asked]
    return _part(font, [*map(ord, _IN_NAMES)], glyphs, layout_closure=False)


def drawn(font: TTFont) -> dict[str, str]:
    """The glyph that a font draws for a name, for each of its icons."""
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    tables = [part.ExtSubTable for lookup in font["GSUB"].table.LookupList.Lookup for part in lookup.SubTable]
    return {
        "".join(letters[part] for part in (first, *one.Component)): one.LigGlyph
        for table in tables
        for first, ligatures in table.ligatures.items()
        for one in ligatures
    }


def text_font() -> TTFont:
    """The font of texts, with all of its weights."""
    font = _part(streamlits("SourceSansVF-Upright"), CHARACTERS)
    for record in font["name"].names:
        if record.nameID in _NAMES:
            record.string = "embedviz Sans"
    return font


def _part(font: TTFont, characters: Iterable[int], glyphs: Iterable[str] = (), **options: object) -> TTFont:
    maker = Subsetter(Options(name_IDs=[*_LICENCE, *_NAMES], notdef_outline=True, **options))
    maker.populate(unicodes=characters, glyphs=sorted(glyphs))
    maker.subset(font)
    return font


def packed(font: TTFont) -> bytes:
    """The bytes of a WOFF2 file."""
    font.flavor = "woff2"
    file = BytesIO()
    font.save(file)
    return file.getvalue()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, font in (("icons", icon_font()), ("sans", text_font())):
        content = packed(font)
        (FOLDER / f"{name}.woff2").write_bytes(content)
        print(f"{name}.woff2: {len(font.getGlyphOrder()):,} glyphs, {len(content):,} bytes")


if __name__ == "__main__":
    main()
