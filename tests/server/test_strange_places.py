"""A server started where others have left their settings, or where what nearly every machine has is missing: its pages
work, and its log says what whoever started it should change.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from embedviz.base.settings import ROOT
from tests.ask import ask
from tests.browser import server
from tests.session import Session, visiting

# Each would break the app, or the first look at its pages: options of all kinds, for another app of the same user.
CONFIG = """
[global]
developmentMode = true
[server]
address = "192.0.2.1"
port = 1
baseUrlPath = "mine"
sslCertFile = "/no/such/file"
xsrfCookieSameSite = "nonsense"
enableCORS = false
enableXsrfProtection = false
maxMessageSize = 1
maxUploadSize = 1
[client]
toolbarMode = "developer"
showErrorDetails = "full"
[runner]
fastReruns = true
[theme]
base = "no-such-theme.toml"
baseFontSize = 30
"""
SECRETS = 'EMBEDVIZ_TYPO = "x"\nHF_ENDPOINT = "nonsense"\n[auth]\nredirect_uri = "x"\n'
NO_PROXY = {"HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9", "ALL_PROXY": "socks5://127.0.0.1:9"}
# Containers are run under users who have no entry among those of the system.
NO_NAME = """
import pwd
def nobody(uid):
    raise KeyError(f"getpwuid(): uid not found: {uid}")
pwd.getpwuid = nobody
"""


def others_settings(folder: Path) -> Path:
    """The folder, with the settings of another Streamlit app."""
    (folder / ".streamlit").mkdir(parents=True)
    (folder / ".streamlit/config.toml").write_text(CONFIG)
    (folder / ".streamlit/secrets.toml").write_text(SECRETS)
    return folder


def warnings(log: Path) -> list[str]:
    """What is said at the level WARNING and above, and whatever else is no line of the log."""
    lines = [line for line in log.read_text().splitlines() if line]
    assert not any("Traceback" in line for line in lines)
    return [json.loads(line)["event"] for line in lines if line[0] == "{" and '"INFO"' not in line]


def look(session: Session) -> tuple[float, bool]:
    """The size of the theme's text, 0 if it is the browser's, and whether the toolbar is that of visitors."""
    (begun,) = (each.new_session for each in session.got if each.WhichOneof("type") == "new_session")
    return begun.custom_theme.base_font_size, begun.config.toolbar_mode == begun.config.ToolbarMode.MINIMAL


def test_the_command_works_among_the_settings_of_another_app_and_behind_a_proxy_that_it_cannot_use(tmp_path):
    home, folder, log = others_settings(tmp_path / "home"), others_settings(tmp_path / "folder"), tmp_path / "log.txt"
    port = server.free_port()
    command = [sys.executable, "-m", "embedviz", "--no-browser", "--port", str(port)]
    variables = NO_PROXY | {
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "HF_HUB_OFFLINE": "0",
        "STREAMLIT_SERVER_MAX_MESSAGE_SIZE": "1",
        "STREAMLIT_SERVER_BASE_URL_PATH": "mine",
    }
    with server.running(["sh", "-c", 'cd "$0" && exec "$@"', str(folder), *command], port, variables, log):
        with visiting(port) as session:
            session.run()
            assert "the cat sat on the mat" in session.screen.text
            assert look(session) == (0, True)
            session.run("source=openai-community/gpt2")
            assert "names a proxy that cannot be used" in session.screen.text
        cookie = ask(port, "/_stcore/health").headers["Set-Cookie"]
        assert "_streamlit_xsrf" in cookie
        assert "Secure" not in cookie
    assert warnings(log) == []
    assert log.read_text().startswith("embedviz is at http://localhost:")


def test_a_server_of_a_user_without_a_home_and_a_name_works(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(NO_NAME)
    port, log, variables = server.free_port(), tmp_path / "log.txt", {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    away = ["env", *(part for name in ("HOME", "XDG_CACHE_HOME", "USER", "LOGNAME") for part in ("-u", name))]
    away += ["-u", "EMBEDVIZ_CACHE"]
    with server.running([*away, *server.uvicorn(port)], port, variables, log), visiting(port) as session:
        session.run()
        assert "the cat sat on the mat" in session.screen.text
        assert ask(port, "/readyz").status == 200
    assert warnings(log) == []
    program = "import embedviz as ev; ev.tokenize('a'); from huggingface_hub import constants; print(constants.HF_HOME)"
    environment, command = os.environ | variables | {"TMPDIR": str(tmp_path)}, [*away, sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == f"{tmp_path}/.cache/huggingface\n", done.stderr


def test_streamlit_run_serves_under_the_prefix_and_names_the_options_that_do_not_count(tmp_path):
    port, log = server.free_port(), tmp_path / "log.txt"
    options = ["--server.baseUrlPath", "/my/app/", "--theme.base", "dark", "--client.toolbarMode", "minimal"]
    with server.running([*server.streamlit(port), *options], port, {}, log):
        for path in ("/my/app/", "/my/app/lookup", "/lookup"):
            assert "embedviz is loading" in ask(port, path).text
        assert ask(port, "/my/app?a=b").headers["Location"] == "./app/?a=b"
        assert ask(port, "/my/app/lookup/").headers["Location"] == "../lookup"
        with visiting(port) as session:
            session.run()
            assert look(session) == (0, True)
    assert warnings(log) == ["these options of Streamlit do not count here"]
    assert '"options": ["theme.base"]' in log.read_text()


@pytest.mark.parametrize(
    ("headers", "status", "sentence"),
    [
        ({"Origin": "http://embedviz.example.org", "Upgrade": "websocket"}, 403, "must pass on the header Host"),
        ({"Origin": "null", "Upgrade": "websocket"}, 403, "allow-same-origin"),
        ({}, 426, "must pass on Upgrade and Connection"),
    ],
    ids=["no Host", "no origin", "no Upgrade"],
)
def test_why_a_connection_is_refused_is_a_warning_that_comes_once_with_the_remedy(site, headers, status, sentence):
    names = {"Connection": "Upgrade", "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec_WebSocket_Version": "13"}
    for _ in range(2):
        answer = site.ask("/_stcore/stream", **names, **headers)
        assert (answer.status, sentence in answer.text) == (status, True)
    lines = [json.loads(line) for line in site.log.read_text().splitlines() if sentence in line]
    assert [line["level"] for line in lines] == ["WARNING"]


def test_a_page_asks_why_and_hears_it_as_text(site):
    answer = site.ask("/lookup?lang=en", "OPTIONS", Origin="http://embedviz.example.org")
    assert (answer.status, answer.headers["Content-Type"]) == (403, "text/plain; charset=utf-8")
    assert "must pass on the header Host" in answer.text
