"""The fonts that pages load are those parts of Streamlit's fonts that the pages show."""

import re

import pytest
from fontTools.ttLib import TTFont

from embedviz.base.settings import ROOT, place
from tools.fonts import CHARACTERS, FOLDER, drawn, icon_font, icons, streamlits, text_font

WITH_TEXTS = {".py", ".js", ".html", ".css", ".po"}
WITH_OTHER_LETTERS = ("ja.po", "ko.po", "zh_CN.po")


@pytest.fixture(scope="module")
def sans():
    return TTFont(FOLDER / "sans.woff2")


@pytest.fixture(scope="module")
def whole():
    return streamlits("SourceSansVF-Upright")


def widths(font):
    """Of all glyphs, which have no names in a file."""
    return [font["hmtx"][glyph] for glyph in font.getGlyphOrder()]


def test_each_icon_that_is_asked_for_is_in_the_font():
    known = drawn(streamlits("MaterialSymbols-Rounded")).keys()
    assert len(known) > 3000
    assert {"tune", "expand_more", "arrow_forward"} <= known & icons()
    assert drawn(TTFont(FOLDER / "icons.woff2")).keys() >= known & icons()


@pytest.mark.parametrize(("name", "made"), [("icons", icon_font), ("sans", text_font)])
def test_the_files_are_what_is_made_of_the_fonts_of_this_streamlit(name, made):
    font, again = TTFont(FOLDER / f"{name}.woff2"), made()
    assert font.getBestCmap().keys() == again.getBestCmap().keys()
    assert widths(font) == widths(again)


def test_letters_are_as_wide_as_in_the_whole_font(sans, whole):
    mine, known = sans.getBestCmap(), whole.getBestCmap()
    assert mine.keys() == known.keys() & {*CHARACTERS}
    for code, glyph in mine.items():
        assert sans["hmtx"][glyph] == whole["hmtx"][known[code]], chr(code)
    axes = [[(axis.axisTag, axis.minValue, axis.maxValue) for axis in font["fvar"].axes] for font in (sans, whole)]
    assert axes[0] == axes[1]


def test_the_texts_of_the_pages_need_no_other_font(whole):
    paths = [path for each in ("embedviz", "pages") for path in (ROOT / each).rglob("*") if path.suffix in WITH_TEXTS]
    texts = [path.read_text("utf-8") for path in paths if path.name not in WITH_OTHER_LETTERS]
    shown = {ord(letter) for text in texts for letter in text} & whole.getBestCmap().keys()
    assert len(texts) > 100
    assert sorted(map(chr, shown - {*CHARACTERS})) == []


def test_the_style_sheet_names_the_same_characters():
    sheet = place("embedviz/ui/assets/page/site.css").read_text("utf-8")
    ranges = {
        re.search(r"fonts/(\w+)\.woff2", face)[1]: [
            (int(low, 16), int(high or low, 16)) for low, high in re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", face)
        ]
        for face in re.findall(r"@font-face \{.*?\}", sheet, re.DOTALL)
        if "woff2" in face
    }
    covered = {name: {code for low, high in each for code in range(low, high + 1)} for name, each in ranges.items()}
    assert covered["sans"] == {*CHARACTERS}
    assert covered["icons"] >= set(map(ord, "".join(icons()) + " "))


def test_a_part_of_source_sans_has_a_name_of_its_own_and_says_its_licence(sans):
    said = {record.nameID: record.toUnicode() for record in sans["name"].names}
    assert {said[number] for number in (1, 3, 4, 6)} == {"embedviz Sans"}
    assert "Adobe" in said[0]
    assert "SIL Open Font License" in said[13]


@pytest.mark.parametrize("name", ["icons", "sans"])
def test_what_no_font_has_is_a_box_and_no_gap(name):
    assert TTFont(FOLDER / f"{name}.woff2")["glyf"][".notdef"].numberOfContours > 0
