"""Each visitor reads a language of their own, whoever else is on the server."""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from babel.messages.pofile import read_po
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from embedviz.base import i18n
from embedviz.base.concurrency.jobs import Job, Jobs
from embedviz.base.errors import EmbedvizError
from embedviz.base.locale.catalogues import languages
from embedviz.models.hub.fetch_limiter import FetchLimiter
from embedviz.server.languages import language_for
from tests.session import visiting

SHIPPED = {
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "ja": "日本語",
    "ko": "한국어",
    "pt-BR": "Português",
    "zh-CN": "简体中文",
}
PAGES = ("tour", "lookup", "positions", "attention", "models", "")
LENGTH = 16  # characters at least of a text by which a language is told


@pytest.mark.parametrize(
    ("query", "preferred", "tag"),
    [
        ("lang=de", "fr", "de"),
        ("a=the&lang=ja&seed=1", "", "ja"),
        ("lang=en", "de", "en"),
        ("lang=PT-br", "", "pt-BR"),
        ("lang=pt", "", "pt-BR"),
        ("lang=pt_PT", "", "pt-BR"),
        ("lang=xx", "fr-CA, de;q=0.5", "fr"),
        ("lang=", "es", "es"),
        ("lang=%3Cscript%3E", "", "en"),
        ("lang=fr&lang=de", "", "de"),
        ("", "de-AT, de;q=0.9, en;q=0.8", "de"),
        ("", "it, en-US;q=0.9, fr;q=0.8", "en"),
        ("", "it;q=1, fr;q=0.8, de;q=0.9", "de"),
        ("", "de;q=0, fr;q=0.1", "fr"),
        ("", "zh-TW", "zh-CN"),
        ("", "zh-Hans-CN;q=0.7", "zh-CN"),
        ("", "it, ru", "en"),
        ("", "*", "en"),
        ("", ";;q=,de;q=x,,", "en"),
        ("", "", "en"),
    ],
)
def test_the_address_counts_most_then_the_browser_then_the_server(query, preferred, tag):
    assert language_for(query, preferred) == tag


def test_every_language_has_its_own_name():
    names = i18n.own_names()
    assert names["en"] == "English"
    assert names.keys() == {"en", *SHIPPED}
    for tag, name in SHIPPED.items():
        assert names[tag].startswith(name)


def test_threads_speak_at_the_same_time_and_none_hears_the_other():
    together = Barrier(len(SHIPPED))

    def say(tag: str) -> set[str]:
        with i18n.use_language(tag):
            said = set()
            for _turn in range(200):
                together.wait(30)
                said.add(i18n._("English"))
            return said

    with ThreadPoolExecutor(len(SHIPPED)) as pool:
        for (_tag, name), said in zip(SHIPPED.items(), pool.map(say, SHIPPED), strict=True):
            assert len(said) == 1
            assert said.pop().startswith(name)


def test_an_error_is_said_in_the_language_of_now_with_the_texts_and_errors_inside_it():
    inner = EmbedvizError("Share")
    outer = EmbedvizError("{words} and {last}", words=inner, last=lambda: i18n._("Sentence {name}", name="b {x}"))
    assert str(outer) == "Share and Sentence b {x}"
    with i18n.use_language("de"):
        wanted = {"words": i18n._("Share"), "last": i18n._("Sentence {name}", name="b {x}")}
        assert str(outer) == i18n._("{words} and {last}", **wanted) != "Share and Sentence b {x}"
    assert str(EmbedvizError("plain {x}")) == "plain {x}"
    assert str(EmbedvizError()) == ""


def failing(_job: Job, _is_wanted: object) -> bool:
    raise EmbedvizError("There is no text to make a QR code of.")


def test_a_job_that_failed_tells_each_visitor_in_their_own_language():
    jobs = Jobs("work", lambda _key: None)
    jobs.ask("visitor", {"key": Job(failing)})
    said = []
    for tag in ("de", "en", "fr"):
        with i18n.use_language(tag):
            while not (progress := jobs.poll("key", "visitor")).error:
                time.sleep(0.001)
            said.append((progress.error, i18n._("There is no text to make a QR code of.")))
    assert all(error == wanted for error, wanted in said)
    assert len({error for error, _wanted in said}) == 3


def test_a_failure_that_everyone_gets_is_said_to_each_in_their_own_language():
    gate = FetchLimiter()
    with i18n.use_language("de"), pytest.raises(EmbedvizError), gate.alone():
        raise EmbedvizError("There is no text to make a QR code of.")
    for tag in ("fr", "en"):
        with i18n.use_language(tag), pytest.raises(EmbedvizError) as met, gate.alone():
            pass
        with i18n.use_language(tag):
            assert str(met.value) == i18n._("There is no text to make a QR code of.")


# Over a real server ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def telling() -> dict[str, list[bytes]]:
    """Texts that only one language has, as they are sent: whole, without values, and no part of another's text."""
    said = {"en": []}
    for tag, path in languages().items():
        if path:
            with path.open("rb") as file:
                entries = [each for each in read_po(file) if each.id and isinstance(each.id, str)]
            said[tag] = [each.string for each in entries if "{" not in each.string]
            said["en"] = [each.id for each in entries if "{" not in each.id]
    everything = {tag: "\n".join(texts) for tag, texts in said.items()}
    return {
        tag: [
            text.encode()
            for text in texts
            if len(text.encode()) >= LENGTH and not any(text in everything[other] for other in said if other != tag)
        ]
        for tag, texts in said.items()
    }


def heard(sent: bytes, telling: dict[str, list[bytes]]) -> dict[str, int]:
    """How many texts of each language are in what was sent."""
    return {tag: n for tag, texts in telling.items() if (n := sum(text in sent for text in texts))}


def wire(messages: list[ForwardMsg]) -> list[bytes]:
    """The messages as they are sent."""
    return [each.SerializeToString() for each in messages]


@pytest.mark.parametrize(
    ("query", "preferred", "tag"),
    [
        ("", "ja,en;q=0.5", "ja"),
        ("?lang=de", "ja", "de"),
        ("?lang=xx", "", "en"),  # the server's own; test_start_to_end.py has another
        ("", "zh", "zh-CN"),
        ("", "en", "en"),
    ],
)
def test_the_page_says_its_language_and_brings_the_scripts_texts_of_it_alone(site, telling, query, preferred, tag):
    page = site.ask(f"/{query}", Accept_Language=preferred)
    assert f'<html lang="{tag}"' in page.text
    assert "accept-language" in page.headers["Vary"].lower()
    scripts = page.text.partition('id="ev-texts">')[2].partition("</script>")[0]
    others = heard(scripts.encode(), telling).keys() - {"en"}  # the English texts are the keys of the translations
    assert others == {tag} - {"en"}


def read(port: int, tag: str) -> list[list[bytes]]:
    """What a visitor is sent on each of several pages, and after edits on the last."""
    with visiting(port) as session:
        found = [wire(session.run(f"lang={tag}", page)) for page in PAGES]
        found += [wire(session.edit("a", text)) for text in ("on the mat", "the dog", "", "a " * 300)]
        assert not session.tab.failed
    return found


def test_visitors_in_all_languages_at_once_never_hear_another(site, telling):
    """A visitor of each language goes over the pages and edits, all at the same time."""
    tags = [*languages()]
    with ThreadPoolExecutor(len(tags)) as pool:
        for tag, runs in zip(tags, pool.map(lambda tag: read(site.port, tag), tags), strict=True):
            # Most messages come again with every run: each is searched once for what only another language says.
            assert heard(b"".join({each for run in runs for each in run}), telling).keys() == {tag}
            assert all(heard(b"".join(run), {tag: telling[tag]})[tag] > 3 for run in runs[: len(PAGES)])


def test_an_option_has_one_name_in_every_language(site):
    """A link from a German page opens the same view on a Japanese one; so does one with the English text of old."""
    for tag, view in itertools.product(("de", "ja"), ("map", "Map")):
        with visiting(site.port) as session:
            session.run(f"view={view}&lang={tag}")
            assert "plot_map" in session.screen.text
