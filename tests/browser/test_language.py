"""A translation that is one file: the page in German, as far as the file goes."""

import pytest
from playwright.sync_api import expect

from tests.browser import server

GERMAN = """\
msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Compare"
msgstr "Vergleichen"

msgid "Same words, different order"
msgstr "Dieselben Wörter, andere Reihenfolge"

msgid "Share"
msgstr "Teilen"

msgid "{same} of {n}"
msgstr "{same} von {n}"

msgid "token vector of A has an identical copy in B."
msgid_plural "token vectors of A have an identical copy in B."
msgstr[0] "Token von A hat ohne Positionen eine gleiche Kopie in B."
msgstr[1] "Tokens von A haben ohne Positionen eine gleiche Kopie in B."

#: embedviz/ui/assets/parts/slider.js
msgid "{share} % of the positions"
msgstr "{share} % der Positionen </script>"

msgid "the first {rows} × {columns} at most, all in the CSV"
msgstr "höchstens die ersten {rows} × {columns}, alle in der CSV-Datei"
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("language") / "de.po"
    path.write_text(GERMAN, "utf-8")
    port = server.free_port()
    with server.running(server.streamlit(port), port, {"EMBEDVIZ_LANGUAGE": str(path)}) as found:
        yield found


def test_compare_speaks_german_as_far_as_the_file_goes_and_english_beyond(visit):
    page = visit()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_text("Dieselben Wörter, andere Reihenfolge")
    expect(page.get_by_role("link", name="Vergleichen")).to_be_visible()
    expect(page.locator("section h2").first).to_have_text("6 von 6")
    expect(page.locator("section p").first).to_have_text("Tokens von A haben ohne Positionen eine gleiche Kopie in B.")
    expect(page.get_by_role("button", name="Teilen", exact=True)).to_be_visible()
    expect(page.get_by_role("textbox", name="Sentence A")).to_be_visible()  # not in the file
    # From a script; what could end the page's data has not.
    slider = page.get_by_role("slider", name="Positions shown")
    expect(slider).to_have_attribute("aria-valuetext", "100 % der Positionen </script>")
