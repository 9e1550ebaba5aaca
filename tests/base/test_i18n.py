"""All texts stand in one place, and a translation is one file."""

import ast
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from gettext import NullTranslations
from pathlib import Path

import numpy as np
import pytest
from babel import Locale
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base import i18n
from embedviz.base.errors import EmbedvizError
from embedviz.base.locale import catalogues
from embedviz.base.locale.catalogues import TEMPLATE, fields
from embedviz.base.locale.extract import ERRORS, bring_up_to_date, completeness, write_template
from embedviz.base.pages import PAGES
from embedviz.base.settings import LOCALE, ROOT, read
from embedviz.models import hub_model
from embedviz.ui.inputs.options import OPTIONS
from tests.pseudo import pseudo, write

SOURCES = [*ROOT.glob("pages/**/*.py"), *ROOT.glob("embedviz/**/*.py")]
SCRIPTS = [path for room in ("embedviz", "pages") for path in ROOT.glob(f"{room}/**/*.js")]
LOADED_ONCE = [path for path in SOURCES if path.name not in ("page.py", "site.py")]  # Streamlit runs these every time
MARKS = ("_", "N_", "NP_", "ngettext", "pgettext", *ERRORS)
TRANSLATING = ("_", "ngettext", "pgettext", "translated", "joined")
HEADER = (
    'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
)


def translation(folder: Path, *entries: tuple[str, str], header: str = HEADER) -> Path:
    """A .po file with these originals and translations."""
    path = folder / "de.po"
    path.write_text(header + "\n".join(f'msgid "{a}"\nmsgstr "{b}"\n' for a, b in entries), "utf-8")
    return path


@pytest.fixture(scope="module")
def texts() -> list[tuple]:
    """Every marked text: its first file, the text or its two forms, and notes for translators."""
    with TEMPLATE.open("rb") as file:
        return [(entry.locations[0][0], entry.id, entry.auto_comments) for entry in read_po(file) if entry.id]


@pytest.fixture
def speak(monkeypatch):
    """Make the texts those of a file, or English again."""

    def use(path: Path | None) -> None:
        catalogue = catalogues.read(path)[0] if path else NullTranslations()
        monkeypatch.setattr(i18n, "catalogue", lambda _tag: catalogue)

    return use


def test_the_template_holds_what_is_marked_now(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    write_template(tmp_path / "now.pot")
    assert TEMPLATE.read_bytes() == (tmp_path / "now.pot").read_bytes(), "make texts"


def test_the_template_names_no_line_and_no_day():
    content = TEMPLATE.read_text("utf-8")
    assert not re.search(r"^#: .*:\d", content, re.MULTILINE)
    assert "Date" not in content


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All parts of a source."""
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


def at(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}, line {node.lineno}"


def calls(node: ast.AST) -> str:
    """The mark that a node sets, if it does."""
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return name if name in MARKS else ""


def marked() -> Iterator[tuple[Path, ast.Call, list[ast.expr]]]:
    """Every call that marks a text, with the one or two texts that it marks, or its context and its text."""
    for path in SOURCES:
        for node in nodes(path):
            if name := calls(node):
                yield path, node, node.args[: 2 if name in ("ngettext", "pgettext", "NP_") else 1]


def test_what_is_marked_can_be_extracted():
    """A call with anything but literal texts, or inside an f-string, is passed over in silence."""
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.JoinedStr):
                assert not [each for each in ast.walk(node) if calls(each)], at(path, node)
    for path, node, originals in marked():
        if path.name == "i18n.py" and not isinstance(originals[0], ast.Constant):
            continue
        for original in originals:
            if calls(node) in ERRORS and not isinstance(original, ast.Constant):  # a text that is marked elsewhere
                assert not isinstance(original, ast.JoinedStr) or path.name == "minilm.py", at(path, node)
                continue
            assert isinstance(original, ast.Constant), at(path, node)
            assert original.value.strip() == original.value != "", at(path, node)


def test_nothing_is_translated_when_a_module_is_loaded():
    """That would be one language for all visitors: a text in a record is marked, and translated when it is drawn."""
    for path in LOADED_ONCE:
        scopes = [each for each in nodes(path) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)]
        bodies = [part for scope in scopes for part in (scope.body if isinstance(scope.body, list) else [scope.body])]
        later = {id(node) for body in bodies for node in ast.walk(body)}
        for node in nodes(path):
            if isinstance(node, ast.Name) and node.id in TRANSLATING:
                assert id(node) in later, at(path, node)


def test_nothing_else_is_called_like_the_mark():
    for path in SOURCES:
        for scope in nodes(path):
            if isinstance(scope, ast.FunctionDef | ast.Lambda):
                uses = any(calls(each) == "_" for each in ast.walk(scope))
                assert not (uses and binds_the_mark(scope)), at(path, scope)


def binds_the_mark(scope: ast.AST) -> bool:
    """Whether something in a function is called "_", other than in a comprehension, which has names of its own."""
    inner = [each for each in ast.walk(scope) if isinstance(each, ast.comprehension)]
    passed_over = {id(name) for each in inner for name in ast.walk(each.target)}
    return any(
        isinstance(each, ast.Name) and each.id == "_" and isinstance(each.ctx, ast.Store)
        for each in ast.walk(scope)
        if id(each) not in passed_over
    )


def test_every_text_gets_the_values_that_it_names():
    for path, node, originals in marked():
        named_here = all(keyword.arg for keyword in node.keywords)
        if calls(node) in ("N_", "NP_") or not isinstance(originals[0], ast.Constant) or not named_here:
            continue
        given = {keyword.arg for keyword in node.keywords} - {"wait"} | ({"n"} if calls(node) == "ngettext" else set())
        wanted = {field for original in originals for field, _form in fields(original.value)} if given else set()
        assert wanted | {"n"} == given | {"n"}, at(path, node)


def test_scripts_mark_literal_texts_alone():
    for path in SCRIPTS:
        if path.name != "i18n.js":
            text = re.sub(r"\(_, ?\w+\) =>", "", path.read_text("utf-8"))
            assert not re.findall(r'(?<![\w.])(_|pgettext)\((?!\s*")', text), path


def test_scripts_texts_are_in_the_template(texts):
    assert {"Reveal", "Previous", "Next: →, Space, Page Down"} <= {
        text for file, text, _notes in texts if file.startswith("pages/tour/panel.")
    }


def test_names_of_samples_are_texts(texts):
    named = {text for file, text, _notes in texts if file.startswith("data/")}
    assert {"The cat and the mat", "The Mat (written for this project)"} <= named


def test_english_is_what_stands_in_the_code():
    assert i18n._("{n:,} tokens", n=1234) == "1,234 tokens"
    assert [i18n.ngettext("{n} row", "{n} rows", n) for n in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
    assert i18n.language() == "en"
    assert i18n.for_scripts("en") == {}


@pytest.mark.parametrize(
    ("tag", "count", "size"),
    [
        *((tag, "19\u202f869", "1\u202f234,5 MiB") for tag in ("de", "fr", "es", "pt-BR")),
        *((tag, "19,869", "1,234.5 MiB") for tag in ("en", "zh-CN", "ja", "ko")),
    ],
)
def test_numbers_are_written_as_the_language_does(tag, count, size):
    with i18n.use_language(tag):
        assert i18n.numeral(19869) == i18n._("{n:,}", n=19869) == i18n.ngettext("{n:,}", "{n:,}", 19869) == count
        assert i18n._("{size:,.1f} MiB", size=1234.5) == size
        assert i18n._("{text}, {n:,}", text="{0}, 1,000.5", n=2) == "{0}, 1,000.5, 2"


WRITTEN = ("", ",", ".2f", ".3f", ",.1f", ".3g", ",g", ".1%", "z.2f")


@given(
    tag=st.sampled_from([*catalogues.languages()]),
    value=st.floats(-1e9, 1e9) | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9, width=32).map(np.float32),
    form=st.sampled_from(WRITTEN),
)
def test_no_number_reads_as_another(tag, value, form):
    """Under the rules of CLDR each language reads the number that was written, and would not group it otherwise."""
    symbols = Locale.parse(tag, sep="-").number_symbols["latn"]
    with i18n.use_language(tag):
        said = i18n.numeral(value, form)
        assert i18n._(f"{{value:{form}}}", value=value) == said
    assert "." not in said or symbols["decimal"] == "."
    whole, *decimals = said.rstrip("%").split(symbols["decimal"])
    assert not decimals or re.fullmatch(r"\d+(e[-+]\d+)?", decimals[0])
    between = {sign for sign in whole if not sign.isalnum()} - {"-", "+"}
    # A narrow space is no sign of any language's decimals, and French has it between thousands itself.
    assert between <= {i18n.NARROW_SPACE} if symbols["decimal"] == "," else between <= {symbols["group"]}
    read = whole.replace(i18n.NARROW_SPACE, "").replace(",", "") + "".join(f".{part}" for part in decimals)
    assert read == format(value, form).rstrip("%").replace(",", "")


IN_CODE = ("slides.py", "adding.py")  # a length in a style, and numbers in an address


def test_what_is_shown_has_its_decimals_from_numeral_and_not_from_an_f_string():
    for path in SOURCES:
        if path.relative_to(ROOT).parts[:2] in (("embedviz", "ui"), ("embedviz", "figures")) or "pages" in path.parts:
            for node in nodes(path):
                if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
                    form = ast.unparse(node.format_spec)
                    assert not re.search(r"[,g]|\.[1-9{]", form) or path.name in IN_CODE, at(path, node)


@pytest.mark.parametrize(
    ("tag", "said"), [("de", "0,5; 1,25 und 3"), ("fr", "0,5 ; 1,25 et 3"), ("en", "0.5, 1.25 and 3")]
)
def test_numbers_with_commas_are_parted_by_more_than_a_comma(tag, said):
    with i18n.use_language(tag):
        numbers = [i18n.numeral(value, "g") for value in (0.5, 1.25, 3)]
        assert i18n.joined(numbers).replace(i18n.NARROW_SPACE, " ") == said


# What keeps its point in a translation: versions, names of models, addresses, and what is typed into a file.
KEPT_POINTS = re.compile(r"(Python|Llama) 3\.\d+|Qwen3-\d\.\dB|\d+\.\d+\.\d+\.\d+|(?<= )0\.25(?=\.$)|\{[^}]*\}")


@pytest.mark.parametrize("path", list(LOCALE.glob("*.po")), ids=lambda path: path.stem)
def test_a_translation_writes_its_own_numbers_as_the_program_does(path):
    with i18n.use_language(path.stem.replace("_", "-")):
        has_comma = i18n.numeral(0.5, "g") == "0,5"
    wrong = r"\d\.\d|\d,\d{3}(?!\d)(?<![01],\d{3})" if has_comma else rf"\d{i18n.NARROW_SPACE}\d{{3}}(?!\d)"
    with path.open("rb") as file:
        strings = [entry.string for entry in read_po(file) if entry.id]
    for text in [text for said in strings for text in ((said,) if isinstance(said, str) else said)]:
        assert not re.search(wrong, KEPT_POINTS.sub("", text)), text


def test_a_translation_speaks_and_what_it_lacks_stays_english(tmp_path, speak):
    speak(translation(tmp_path, ("Share", "Teilen"), ("{n} of {total}", "von {total} {n}"), ("Seed", "")))
    assert i18n._("Share") == i18n.translated("Share") == "Teilen"
    assert i18n._("{n} of {total}", n=3, total=5) == "von 5 3"
    assert i18n._("Seed") == "Seed"
    assert i18n._("Leave") == "Leave"


def test_a_word_with_two_meanings_has_a_translation_of_each(tmp_path, speak):
    path = translation(tmp_path, ("Layers", "Schichten"))
    entry = 'msgctxt "how many"\nmsgid "Layers"\nmsgstr "Zahl der Schichten"\n'
    path.write_text(path.read_text("utf-8") + "\n" + entry, "utf-8")
    speak(path)
    assert i18n._("Layers") == i18n.translated(i18n.N_("Layers")) == "Schichten"
    assert i18n.pgettext("how many", "Layers") == "Zahl der Schichten"
    assert i18n.translated(i18n.NP_("how many", "Layers")) == "Zahl der Schichten"
    # In English, and where a translation lacks the text, it has no context.
    assert i18n.translated(i18n.NP_("of a cake", "{n} layers"), n=2) == "2 layers"


def test_scripts_and_html_have_contexts_too(texts):
    template = read_po(TEMPLATE.open("rb"))
    table = template.get("Table", "of numbers, to read")
    assert {Path(name).suffix for name, _line in table.locations} == {".js", ".html"}
    assert template.get("Steps", "of the tour").locations[0][0] == "pages/tour/panel.html"
    assert i18n.for_scripts("fr")["of numbers, to read\x04Table"] == "Tableau"


def test_a_record_speaks_the_language_of_the_moment(tmp_path, speak):
    speak(translation(tmp_path, ("The trained vectors of {model}.", "Die gelernten Vektoren von {model}.")))
    assert hub_model("gpt2").whose == "Die gelernten Vektoren von GPT-2."
    speak(None)
    assert hub_model("gpt2").whose == "The trained vectors of GPT-2."


def test_plural_forms_follow_the_rules_of_the_language(tmp_path, speak):
    """Polish: 1 wiersz, 2 wiersze, 5 wierszy, 22 wiersze."""
    header = HEADER.replace(
        "nplurals=2; plural=(n != 1);",
        "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    ).replace("Language: de", "Language: pl")
    path = tmp_path / "pl.po"
    forms = "\n".join(f'msgstr[{k}] "{form}"' for k, form in enumerate(("{n} wiersz", "{n} wiersze", "{n} wierszy")))
    path.write_text(f'{header}msgid "{{n}} row"\nmsgid_plural "{{n}} rows"\n{forms}\n', "utf-8")
    speak(path)
    said = [i18n.ngettext("{n} row", "{n} rows", n) for n in (1, 2, 5, 22)]
    assert said == ["1 wiersz", "2 wiersze", "5 wierszy", "22 wiersze"]


def test_a_visitors_braces_are_never_read(tmp_path, speak):
    speak(translation(tmp_path, ("Only {word}.", "Nur {word}.")))
    assert i18n._("Only {word}.", word="{n} {word} {0.__class__}") == "Nur {n} {word} {0.__class__}."
    assert i18n._("as it { stands") == "as it { stands"


@pytest.mark.parametrize(
    ("original", "wrong"),
    [
        ("{n} of {total}", "{n}"),
        ("{n} of {total}", "{n} {total} {more}"),
        ("{n} of {total}", "{n} {totl}"),
        ("{n} of {total}", "{n} {total.real}"),
        ("{n} of {total}", "{n} {total} {"),
        ("{share:.0%} of it", "{share} davon"),
        ("{word}", "{word!r}"),
    ],
)
def test_a_translation_that_could_fail_on_a_page_is_named_at_the_start(tmp_path, original, wrong):
    with pytest.raises(EmbedvizError, match=re.escape(repr(wrong))):
        catalogues.read(translation(tmp_path, ("Share", "Teilen"), (original, wrong)))


def test_a_plural_form_may_do_without_the_number_but_for_nothing_else(tmp_path):
    entry = 'msgid "{n} row of {name}"\nmsgid_plural "{n} rows of {name}"\nmsgstr[0] "%s"\nmsgstr[1] "{n} von {name}"\n'
    (tmp_path / "de.po").write_text(HEADER + entry % "eine von {name}", "utf-8")
    catalogues.read(tmp_path / "de.po")
    (tmp_path / "at.po").write_text(HEADER + entry % "eine", "utf-8")
    with pytest.raises(EmbedvizError, match="'eine' has none"):
        catalogues.read(tmp_path / "at.po")


@pytest.mark.parametrize(
    "content",
    ["no translation", HEADER.replace("n != 1", "import os"), HEADER.replace("Language: de", "Language: '><script>")],
)
def test_what_is_no_translation_is_refused_at_the_start(tmp_path, content):
    (tmp_path / "de.po").write_text(content, "utf-8")
    with pytest.raises(EmbedvizError, match=r"(cannot be read as a|is no) translation"):
        catalogues.read(tmp_path / "de.po")


@pytest.mark.parametrize(("name", "tag"), [("de", "de"), ("pt_BR", "pt-BR"), ("", "fr")])
def test_the_language_is_what_the_file_says(tmp_path, name, tag):
    path = tmp_path / f"{name or 'fr'}.po"
    path.write_text(HEADER.replace("Language: de", f"Language: {name}"), "utf-8")
    assert catalogues.read(path)[1] == tag


@pytest.mark.parametrize("value", ["it", "it.po", "/nowhere/de.po", "../../pyproject"])
def test_a_language_without_a_translation_is_refused_with_those_there_are(monkeypatch, value):
    monkeypatch.setenv("EMBEDVIZ_LANGUAGE", value)
    with pytest.raises(EmbedvizError, match=r"EMBEDVIZ_LANGUAGE: .*there is no translation .*choose en"):
        read()


def test_a_file_anywhere_and_english_are_taken(monkeypatch, tmp_path):
    for value in ("en", str(translation(tmp_path))):
        monkeypatch.setenv("EMBEDVIZ_LANGUAGE", value)
        assert read().language == value


TRANSLATIONS = sorted(LOCALE.glob("*.po"))


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_a_translation_that_lies_here_is_up_to_date_and_complete(path, tmp_path):
    """Whoever adds a few texts need not know six languages, but nobody may forget a page."""
    copy = Path(shutil.copy(path, tmp_path))
    bring_up_to_date(copy)
    assert path.read_bytes() == copy.read_bytes(), "make texts"
    n_said, n = completeness(path)
    assert n_said / n > 0.98
    assert ", fuzzy" not in path.read_text("utf-8"), "a text that is said to be doubtful is shown in English"
    assert catalogues.read(path)[1] == path.stem.replace("_", "-")
    assert (LOCALE / "glossary" / f"{path.stem}.md").is_file()


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_a_translation_keeps_what_is_no_language(path):
    """Code, links, and the signs for spaces and roots; the spaces at an end; and no form is left empty."""
    for entry in read_po(path.open("rb")):
        originals = entry.id if isinstance(entry.id, tuple) else (entry.id,)
        forms = entry.string if isinstance(entry.string, tuple) else (entry.string,)
        for text in filter(None, forms) if originals[0] else ():
            for kept in (r"`[^`]*`", r"\]\([^)]*\)", r"\*\*", "[␣√]", r"^\s|\s$"):
                assert sorted(re.findall(kept, text)) == sorted(re.findall(kept, originals[-1])), (text, kept)


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_the_options_of_a_control_differ_in_every_language(path):
    """Streamlit knows an option by what the control shows."""
    with i18n.use_language(path.stem.replace("_", "-")):
        for key, options in (OPTIONS | {page.name: page.views for page in PAGES}).items():
            shown = [i18n.translated(text) for text in options.values()]
            assert len(set(shown)) == len(shown), (key, shown)


def test_make_texts_says_how_complete_a_translation_is_and_drops_what_nobody_says(tmp_path, texts):
    path = translation(tmp_path, ("Share", "Teilen"), ("What the interface no longer says", "Vorbei"))
    bring_up_to_date(path)
    once = path.read_bytes()
    assert completeness(path) == (1, len(texts))
    assert "Vorbei" not in once.decode()
    assert catalogues.read(path)[0].gettext("Share") == "Teilen"
    bring_up_to_date(path)
    assert path.read_bytes() == once


@pytest.fixture
def changed(tmp_path) -> Callable[..., Message]:
    """What becomes of a translation when the English of its text is changed."""

    def change(was: str, said: str, now: str) -> Message:
        path = translation(tmp_path, (was, said), ("What the interface no longer says", "Vorbei"))
        (tmp_path / "now.pot").write_text(f'msgid ""\nmsgstr ""\n\nmsgid "{now}"\nmsgstr ""\n', "utf-8")
        for _again in range(2):  # the second time changes nothing
            bring_up_to_date(path, tmp_path / "now.pot")
        with path.open("rb") as file:
            (entry,) = (entry for entry in read_po(file) if entry.id)
        assert completeness(path) == (int(bool(entry.string) and not entry.fuzzy), 1)
        return entry

    return change


def test_a_changed_text_makes_its_translation_fuzzy_until_somebody_has_read_it(changed, tmp_path):
    was = "Off, {n} layers see nothing."
    entry = changed(was, "Aus, {n} Schichten.", "Off, {n} layers see hardly anything.")
    assert (entry.fuzzy, entry.string) == (True, "Aus, {n} Schichten.")
    assert entry.user_comments == [f"The English was: {was}"]
    assert catalogues.read(tmp_path / "de.po")[0].gettext(entry.id) == entry.id
    path = tmp_path / "de.po"
    path.write_text(path.read_text("utf-8").replace("#, fuzzy\n", "").replace("#, fuzzy, ", "#, "), "utf-8")
    bring_up_to_date(path, tmp_path / "now.pot")
    assert "The English was" not in path.read_text("utf-8")
    assert completeness(path) == (1, 1)


def test_a_text_whose_values_are_renamed_keeps_its_translation(changed):
    entry = changed("{n:,} of {total} in {n:,}", "{total}, {n:,}, {n:,}", "{part:,} of {all} in {part:,}")
    assert (entry.fuzzy, entry.string) == (False, "{all}, {part:,}, {part:,}")


def test_a_text_that_is_like_none_that_has_gone_has_no_translation(changed):
    entry = changed("Share", "Teilen", "Which words does a model know?")
    assert (entry.fuzzy, entry.string) == (False, "")


def test_a_value_that_is_written_otherwise_is_no_renamed_one(changed):
    assert changed("{share:.2f} of it", "{share:.2f} davon", "{share:.3f} of it").fuzzy


def test_the_pseudo_language_leaves_no_letter_as_it_was(tmp_path, texts):
    write(tmp_path / "xx.po")
    catalogue = catalogues.read(tmp_path / "xx.po")[0]
    for _file, text, _notes in texts:
        for original in [text] if isinstance(text, str) else text:
            kept = re.sub(r"\{[^}]*\}|<[^>]*>|```[^`]*```", "", pseudo(original))
            assert not re.search("[A-Za-z]", kept)
    for entry in read_po(TEMPLATE.open("rb")):
        if isinstance(entry.id, str) and entry.id:
            said = catalogue.pgettext(entry.context, entry.id) if entry.context else catalogue.gettext(entry.id)
            assert said == pseudo(entry.id)


def test_the_readme_counts_the_languages():
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    said = re.search(r"It speaks\s(\w+)\slanguages", (ROOT / "README.md").read_text("utf-8"))[1]
    assert numbers.index(said) == len(catalogues.languages())
