"""The head of the pages, over a real server."""

import re
from html import escape
from urllib.parse import urlsplit

import pytest

from embedviz.base.pages import BESIDE, PAGES, ROAD, page_at
from embedviz.base.settings import ROOT
from embedviz.ui.components.component import ASSETS, ASSETS_PATH
from embedviz.ui.components.standalone import with_imports
from tests.ask import Answer
from tests.views import VIEWS, address

PATHS = ("/", "/lookup", "/vocabulary", "/tokenizers", "/batches?a=1")


def browsed(site, path: str) -> Answer:
    return site.ask(path, Accept_Encoding="gzip, deflate, br")


@pytest.mark.parametrize("path", PATHS)
def test_all_that_the_head_names_is_there(site, path):
    answer = browsed(site, path)
    page = answer.text
    assert answer.status == 200
    assert int(answer.headers["Content-Length"]) == len(answer.body)
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "ETag" not in answer.headers
    assert "Accept-Ranges" not in answer.headers
    ours = re.findall(r'(?:href|src)="(assets/[^"]+)"', page)
    assert any(file.endswith("base.js") for file in ours)
    for file in ours:
        found = browsed(site, f"/{file}")
        assert found.status == 200
        assert "text/html" not in found.headers["Content-Type"], file
        assert found.body


def test_a_page_loads_our_fonts_in_place_of_streamlits_at_once(site):
    fonts = re.findall(r'<link[^>]*as="font"[^>]*>', browsed(site, "/").text)
    assert [re.search(r'href="[^"]*/(\w+)\.woff2"', font)[1] for font in fonts] == ["sans", "icons"]


def test_each_page_names_what_its_pictures_need(site):
    assert "/cloud/gl.js" in browsed(site, "/vocabulary").text
    assert "plotly.min.js" not in browsed(site, "/vocabulary").text
    assert "plotly.min.js" in browsed(site, "/lookup").text
    assert "/plot.js" in browsed(site, "/lookup").text
    assert "/way.js" in browsed(site, "/").text
    assert "/order.js" not in browsed(site, "/").text  # of another view
    for first_without_a_figure in ("/", "/batches", "/tour", "/tokenizers"):
        assert "plotly.min.js" not in browsed(site, first_without_a_figure).text


@pytest.mark.parametrize("path", ["/_stcore/health", "/favicon.png", "/assets/plotly/plotly.min.js"])
def test_what_is_no_page_stays_as_it_is(site, path):
    answer = site.ask(path)
    assert b"<head>" not in answer.body[:1000]
    assert answer.status == 200


def test_the_head_of_a_hostile_path_holds_nothing_of_it(site):
    assert "onerror" not in browsed(site, "/%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E").text


def test_the_first_pages_name_leads_to_the_root_with_all_that_the_address_holds(site):
    for host in (f"127.0.0.1:{site.port}", "evil.example"):
        answer = site.ask("/compare?a=dog%20bites&output_dim=8", Host=host)
        assert (answer.status, answer.headers["Location"]) == (307, "./?a=dog%20bites&output_dim=8")
    assert site.ask("/compare").headers["Location"] == "./"


@pytest.mark.parametrize(
    ("path", "there"),
    [("/lookup/", "../lookup"), ("/lookup/er/path?a=dog%20bites", "../../lookup?a=dog%20bites"), ("/compare/", "../")],
)
def test_what_lies_below_a_page_leads_to_the_page(site, path, there):
    answer = site.ask(path)
    assert (answer.status, answer.headers["Location"]) == (307, there)


@pytest.mark.parametrize("path", ["/app", "/app/", "/app/lookup", "/app/v1.2", "/app.v1/", "/a/b/c.d/lookup", "/x.y"])
def test_a_path_that_no_page_has_says_what_a_proxy_must_do_and_the_log_says_it_once(site, path):
    """What a proxy has put under a prefix that it keeps: no redirect may lead out of it, and no page loads for ever."""
    for _ in range(2):
        answer = site.ask(path, Accept="text/html")
        assert answer.status == 404
        assert "let it strip the prefix" in answer.text
    assert len([line for line in site.log.read_text().splitlines() if "let it strip the prefix" in line]) == 1
    assert '"WARNING"' in next(line for line in site.log.read_text().splitlines() if "let it strip the prefix" in line)


def test_imports_are_followed_to_the_end():
    for path in (path for folder in ASSETS.values() for path in folder.rglob("*.js")):
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        named = {ROOT / f"{each}.js" for each in with_imports(name)}
        for each in named:
            imported = re.findall(r'from "(\.[\w./]+)"', each.read_text("utf-8"))
            assert named.issuperset((each.parent / other).resolve() for other in imported)


@pytest.mark.parametrize("encoding", ["br", "identity"])
def test_of_our_folders_nobody_gets_more_than_scripts_and_styles(site, encoding):
    def asked(path: str) -> Answer:
        return site.ask(f"{ASSETS_PATH}/{path}", Accept_Encoding=encoding)

    for path in ("pages/tour/panel.js", "pages/tour/panel.css", "embedviz/ui/components/shared/payload.js"):
        assert asked(path).text == (ROOT / path).read_text("utf-8")
    for path in ("pages/tour/panel.py", "pages/tour/panel.html", "embedviz/ui/components/component.py", "pages/"):
        assert asked(path).status == 404
    for path in ("app.py", "embedviz/base/settings.py", "pages/../app.py", "pages/%2e%2e/app.py", "data/pairs.json"):
        assert asked(path).body != (ROOT / path.replace("pages/../", "").replace("pages/%2e%2e/", "")).read_bytes()


def test_until_its_scripts_have_come_a_page_says_that_it_loads(site):
    page = browsed(site, "/lookup").text
    assert '<div id="root" data-loading="embedviz is loading …">' in page
    assert 'loading …"><p class="ev-plain">' in page  # as long as this stands there it shows
    assert "<noscript>" not in page


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_the_menu_leads_to_every_page_and_says_which_one_this_is(site, page):
    text = browsed(site, f"/{page.address}").text
    menu = re.search(r'<nav class="ev-pages" aria-label="Pages">.*?</nav>', text)[0]
    road, _, beside = menu.partition("</ol>")
    assert re.findall(r'<a href="([^"]*)"', road) == [each.address or "." for each in ROAD]
    assert re.findall(r'<a href="([^"]*)"', beside) == [name for group in BESIDE.values() for name in group]
    assert re.findall(r'aria-label="([^"]*)"', beside) == list(BESIDE)
    assert all(f"<span>{escape(page_at(name).help)}</span>" in beside for group in BESIDE.values() for name in group)
    assert re.findall(r'aria-current="page">([^<]*)<', menu) == [page.title]
    assert f'aria-label="Menu: {page.title}">{page.title}</button>' in menu
    assert f">More<b>{'' if page in ROAD else page.title}</b></button>" in menu
    assert text.index(menu) < text.index('<div id="root"')  # the keys Tab and Enter reach it first


def test_the_menu_speaks_the_visitors_language(site):
    text = browsed(site, "/tokenizers?lang=de").text
    assert 'aria-label="Seiten"' in text
    assert ">Vokabular</a>" in text
    assert "Zum Inhalt springen" in text


def test_a_link_has_a_card_with_a_picture_that_is_there(site):
    page = site.ask("/lookup?lang=de")
    found = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)">', page.text))
    assert found.keys() == {"title", "description", "image"}
    assert found["title"].endswith(" · embedviz")
    assert not found["title"].startswith("Lookup")
    path = urlsplit(found["image"]).path
    assert found["image"].startswith("http://")
    picture = site.ask(path)
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.body[:8] == b"\x89PNG\r\n\x1a\n"


def test_each_view_has_a_card_of_its_own(site):
    pictures = {}
    for view in VIEWS.values():
        text = site.ask(address(view)).text
        pictures[view.page, view.name] = re.search(r'property="og:image" content="([^"]+)"', text)[1]
    assert len({*pictures.values()}) == len(VIEWS)
    assert {site.ask(urlsplit(each).path).headers["Content-Type"] for each in pictures.values()} == {"image/png"}
    unknown = site.ask("/layers?view=%3Cb%3E").text
    assert pictures["layers", next(iter(page_at("layers").views))] in unknown
