"""What deploy/ says, against the formats' own schemas, the settings that exist, and itself."""

import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from importlib import resources
from pathlib import Path

import jsonschema
import kubernetes_validate
import pytest
import yaml
from uvicorn.middleware.proxy_headers import _TrustedHosts

from embedviz.base.settings import PREFIX, ROOT, Settings
from tests.ask import PATIENCE, ask
from tests.browser.server import free_port

sys.path.insert(0, str(ROOT / "deploy"))

import serve

DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
SETTINGS = {PREFIX + name.upper() for name in Settings.model_fields}
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"  # where nginx may be
FILES = [path for path in [*DEPLOY.rglob("*"), ROOT / "Dockerfile"] if path.is_file() and path.name[-4:] != ".pyc"]
COMMITTED = [path for path in FILES if path not in (DEPLOY / ".env", KUBERNETES / "secret.env")]


def load(path: Path):
    return yaml.safe_load(path.read_text("utf-8"))


def settings_of(path: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in path.read_text("utf-8").splitlines() if line and line[0] != "#")


COMPOSE = load(DEPLOY / "compose.yaml")
KUSTOMIZATION = load(KUBERNETES / "kustomization.yaml")
RESOURCES = {path: load(KUBERNETES / path) for path in KUSTOMIZATION["resources"]}
POD = RESOURCES["deployment.yaml"]["spec"]["template"]["spec"]
CONTAINER = POD["containers"][0]
NGINX = {name: (DEPLOY / name).read_text("utf-8") for name in ("nginx.conf", "site.conf")}
UNIT = (DEPLOY / "embedviz@.service").read_text("utf-8")
HOSTING = (ROOT / "docs/hosting.md").read_text("utf-8")
APPS = {name: each for name, each in COMPOSE["services"].items() if each["image"] == "embedviz"}


@pytest.mark.parametrize("name", RESOURCES)
def test_kubernetes_takes_every_resource(name):
    kubernetes_validate.validate(RESOURCES[name], kubernetes_validate.latest_version(), strict=True)


def test_the_schemas_would_refuse_a_wrong_name():
    wrong = json.loads(json.dumps(RESOURCES["deployment.yaml"]).replace("readOnlyRootFilesystem", "readOnlyRoot"))
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, kubernetes_validate.latest_version(), strict=True)


def test_compose_takes_its_file():
    schema = resources.files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json"
    jsonschema.Draft7Validator(json.loads(schema.read_text("utf-8"))).validate(COMPOSE)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(json.loads(schema.read_text("utf-8"))).validate(COMPOSE | {"servces": {}})


def test_a_checker_of_dockerfiles_finds_nothing():
    done = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("path", COMMITTED, ids=str)
def test_every_setting_exists(path):
    named = set(re.findall(rf"{PREFIX}[A-Z_]+", path.read_text("utf-8")))
    assert named <= SETTINGS


def test_every_file_of_settings_is_valid():
    files = [settings_of(path) for path in (KUBERNETES / "settings.env", DEPLOY / "community-cloud.env")]
    for found in (*files, APPS["app-1"]["environment"]):
        values = {name: value for name, value in found.items() if name.startswith(PREFIX) and "$" not in value}
        assert values
        Settings(**{name.removeprefix(PREFIX).lower(): value for name, value in values.items()})


def test_no_hosted_server_lets_visitors_name_any_model():
    for found in (settings_of(KUBERNETES / "settings.env"), settings_of(DEPLOY / "community-cloud.env")):
        assert found["EMBEDVIZ_SOURCES"] == "list"
    for app in APPS.values():
        assert app["environment"]["EMBEDVIZ_SOURCES"] == "list"
    assert "\nEnvironment=EMBEDVIZ_SOURCES=list\n" in UNIT
    assert "\nENV EMBEDVIZ_SOURCES=list\n" in (ROOT / "Dockerfile").read_text("utf-8")
    assert "`EMBEDVIZ_SOURCES=list`" in (DEPLOY / "huggingface/README.md").read_text("utf-8")


def test_the_image_has_the_model_where_the_server_looks_for_it():
    """Brought by root before the user is set, who cannot write there, unless the argument says that it is left out."""
    docker = (ROOT / "Dockerfile").read_text("utf-8")
    steps = ["ENV EMBEDVIZ_MODELS=/opt/models\n", "ARG MINILM=1\n", "python -m embedviz.models.minilm", "USER 1000\n"]
    places = [docker.index(step) for step in steps]
    assert places == sorted(places)
    command = re.search(r"^RUN (if .*minilm; fi)$", docker, re.M)[1].replace("python -m", "echo")
    for value, said in (("0", ""), ("1", "embedviz.models.minilm\n")):
        done = subprocess.run(["sh", "-c", command], env={"MINILM": value}, capture_output=True, text=True, check=True)
        assert done.stdout == said


def test_the_set_up_brings_the_model_and_goes_on_without_it():
    """The line of the Makefile, with a command that fails in the place of the download, and the folder of the unit."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    rule = makefile[makefile.index("$(VENV)/run.done: requirements.txt") :].partition("\n\n")[0]
    line = re.search(r"^\t@(.* -m embedviz\.models\.minilm .*)$", rule, re.M)[1]
    assert re.search(r"^MINILM \?= 1$", makefile, re.M)
    for value, said in (("1", "asked\n"), ("0", "")):
        command = line.replace("$(MINILM)", value).replace(
            "$(BIN)/python -m embedviz.models.minilm", "(echo asked; false)"
        )
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        assert done.stdout == said
    assert "make -C /opt/embedviz/app install" in HOSTING
    assert "--home-dir /opt/embedviz embedviz" in HOSTING
    assert "\nEnvironment=EMBEDVIZ_MODELS=/opt/embedviz/.cache/embedviz/models\n" in UNIT


def test_no_secret_is_committed():
    for path in COMMITTED:
        for value in re.findall(r"COOKIE_SECRET['\"]?\s*[:=]\s*(\S+)", path.read_text("utf-8")):
            assert value.startswith(("$(head", "${COOKIE_SECRET:?")), path
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert {"/deploy/.env", "/deploy/kubernetes/secret.env"} <= set(ignored)
    assert KUSTOMIZATION["secretGenerator"][0]["envs"] == ["secret.env"]


def test_all_agree_on_the_apps_port():
    ports = {each["name"]: each["containerPort"] for each in CONTAINER["ports"]}
    replicas = re.findall(r"^    server (\S+):(\d+) ", (DEPLOY / "replicas.conf").read_text("utf-8"), re.MULTILINE)
    front = re.search(r"^app_port: (\d+)$", (DEPLOY / "huggingface/README.md").read_text("utf-8"), re.MULTILINE)
    docker = (ROOT / "Dockerfile").read_text("utf-8")
    assert {int(port) for _, port in replicas} == {ports["http"]} == {int(front[1])} == {8501}
    assert " PORT=8501\n" in docker
    assert "EXPOSE 8501\n" in docker
    assert "--port %i " in UNIT  # an instance's name
    assert "http://127.0.0.1:%i/readyz; do" in UNIT
    assert {"8501"} < set(re.findall(r"embedviz@(\d+)", HOSTING)) == set(re.findall(r"127\.0\.0\.1:(85\d+)", HOSTING))
    metrics = settings_of(KUBERNETES / "settings.env")["EMBEDVIZ_METRICS_PORT"]
    annotations = RESOURCES["deployment.yaml"]["spec"]["template"]["metadata"]["annotations"]
    assert str(ports["metrics"]) == metrics == annotations["prometheus.io/port"]


def test_nginx_knows_the_replicas_of_compose():
    addresses = [each["networks"]["inside"]["ipv4_address"] for each in APPS.values()]
    written = (DEPLOY / "replicas.conf").read_text("utf-8")
    assert re.findall(r"^    server (\S+):", written, re.MULTILINE) == addresses * 2  # for visitors, and for votes
    assert replicas([f"{each}:8501" for each in addresses]) == written
    assert COMPOSE["services"]["nginx"]["ports"][0].endswith(
        ":" + re.search(r"listen (\d+);", (DEPLOY / "nginx.conf").read_text("utf-8"))[1]
    )


def test_replicas_are_addresses_and_nothing_else():
    for wrong in ([], ["1.2.3.4:5; return 200"], ["app-1:8501"]):
        done = subprocess.run([sys.executable, DEPLOY / "write_replicas.py", *wrong], capture_output=True, check=False)
        assert done.returncode == 1
        assert done.stdout == b""


def test_whoever_waits_for_a_stop_waits_long_enough():
    stop = int(settings_of(KUBERNETES / "settings.env")["EMBEDVIZ_STOP_SECONDS"])
    closing = 3  # seconds in which the server closes what is open still (embedviz/server/lifecycle.py)
    wait = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert POD["terminationGracePeriodSeconds"] > wait + stop + closing
    for app in APPS.values():
        assert int(app["stop_grace_period"][:-1]) > int(app["environment"]["EMBEDVIZ_STOP_SECONDS"]) + closing
    seconds = int(re.search(r"EMBEDVIZ_STOP_SECONDS=(\d+)", UNIT)[1])
    assert int(re.search(r"TimeoutStopSec=(\d+)", UNIT)[1]) > seconds + closing


def test_everything_runs_read_only_and_not_as_root():
    for service in COMPOSE["services"].values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert not service["user"].startswith("0")
    assert POD["securityContext"]["runAsNonRoot"]
    assert CONTAINER["securityContext"]["readOnlyRootFilesystem"]
    users = {str(POD["securityContext"]["runAsUser"]), APPS["app-1"]["user"].split(":")[0]}
    assert users == set(re.findall(r"^USER (\d+)$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)) == {"1000"}


def test_probes_ask_what_the_app_answers():
    assert CONTAINER["readinessProbe"]["httpGet"]["path"] == CONTAINER["startupProbe"]["httpGet"]["path"] == "/readyz"
    assert CONTAINER["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert "/readyz" in APPS["app-1"]["healthcheck"]["test"][-1]
    assert "/healthz" in (ROOT / "Dockerfile").read_text("utf-8")


CHECKS = {
    "Dockerfile": json.loads(re.search(r"HEALTHCHECK .*\n  CMD (\[.*\])", (ROOT / "Dockerfile").read_text("utf-8"))[1]),
    "compose.yaml": APPS["app-1"]["healthcheck"]["test"][1:],
    "the unit": ["sh", "-c", re.search(r"until (curl .*?);", UNIT)[1].replace("%i", "8501")],
    "serve.py": ["python", "-c", "import serve, sys; sys.exit(not serve._answers('http://127.0.0.1:8501/readyz'))"],
}


class _Healthy(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path in ("/healthz", "/readyz") else 404)
        self.end_headers()

    def log_message(self, *_about: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize("command", CHECKS.values(), ids=CHECKS)
def test_a_check_of_this_machine_goes_through_no_proxy_of_the_environment(command):
    if command[0] == "sh" and not shutil.which("curl"):
        pytest.skip("needs curl")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Healthy) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        port = str(site.server_address[1])
        proxies = dict.fromkeys(("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"), "http://127.0.0.1:9")
        environment = os.environ | proxies | {"no_proxy": "", "NO_PROXY": "", "PORT": port}
        program = sys.executable if command[0] == "python" else command[0]
        asked = [program, *(part.replace("8501", port) for part in command[1:])]
        done = subprocess.run(asked, env=environment, cwd=DEPLOY, capture_output=True, check=False)
        site.shutdown()
    assert (done.returncode, done.stderr) == (0, b"")


class _Echo(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{self.path}\n{self.headers}".encode())

    def log_message(self, *_about: object) -> None:
        """Say nothing."""


@pytest.mark.skipif(not shutil.which("nginx", path=PATH), reason="needs nginx")
def test_the_lines_for_nginx_in_the_docs_pass_on_what_the_app_needs(tmp_path):
    lines = re.search(r"```nginx\n(.*?)```", HOSTING, re.DOTALL)[1]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        port = free_port()
        lines = lines.replace("8501", str(site.server_address[1]))
        temporary = "".join(
            f"{each}_temp_path {each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (tmp_path / "nginx.conf").write_text(
            "daemon off; pid nginx.pid; error_log stderr alert; events {} "
            f"http {{ access_log off; {temporary} server {{ listen 127.0.0.1:{port}; {lines} }} }}"
        )
        nginx = shutil.which("nginx", path=PATH)
        tmp_path.chmod(0o711)
        process = subprocess.Popen([nginx, "-e", "stderr", "-p", f"{tmp_path}/", "-c", tmp_path / "nginx.conf"])
        try:
            until = time.monotonic() + PATIENCE
            while serve.is_free(port):
                assert time.monotonic() < until
                time.sleep(0.05)
            got = ask(port, "/app/lookup?a=b", Host="localhost:7", Upgrade="websocket", Connection="Upgrade").text
        finally:
            process.terminate()
            process.wait(PATIENCE)
            site.shutdown()
    assert got.startswith("/lookup?a=b\n")
    for line in ("Host: localhost:7", "Upgrade: websocket", "Connection: upgrade", "X-Forwarded-For: 127.0.0.1"):
        assert f"\n{line}\n" in got


@pytest.mark.parametrize(("name", "log"), [("nginx.conf", "plain"), ("site.conf", "embedviz")])
def test_nginx_logs_nothing_that_was_typed(name, log):
    text = NGINX[name]
    line = re.search(rf"log_format {log} '(.*)';", text)[1]
    for variable in ("$request ", "$request_uri", "$args", "$query_string", "$http_referer"):
        assert variable not in f"{line} "
    for to in re.findall(r"access_log (.*);", text):
        assert to == "off" or to.endswith(f" {log}")
    assert all(level == "alert" for level in re.findall(r"error_log \S+ (\w+);", text))
    # What no directive of ours says goes where Debian's nginx.conf sends it: with the query.
    servers = text.split("server {")[1:]
    assert text.count("error_log") == text.count("access_log /") == (1 if name == "nginx.conf" else len(servers))


@pytest.mark.parametrize("text", NGINX.values(), ids=NGINX)
def test_nginx_lets_every_address_and_file_through_that_the_app_takes(text):
    found = Settings.model_fields
    for name in ("large_client_header_buffers 4", "proxy_buffer_size"):
        assert int(re.search(rf"{name} (\d+)k;", text)[1]) > found["address_kib"].default + 8
    largest = max(found[name].default for name in ("upload_mb", "vectors_mib"))
    assert int(re.search(r"client_max_body_size (\d+)m;", text)[1]) > largest


def test_both_ways_to_run_nginx_pass_on_the_same():
    one, many = (
        set(re.findall(r"^ +((?:gzip|proxy_(?!temp)|error_page|recursive)\w* .*?);", NGINX[name], re.MULTILINE))
        for name in ("site.conf", "nginx.conf")
    )
    assert len(one) > 10
    # Their names for the same, who ends TLS, and the page that says that no server answers.
    assert sorted(one ^ many) == [
        "proxy_set_header Connection $connection_header",
        "proxy_set_header Connection $embedviz_connection",
        "proxy_set_header X-Forwarded-Proto $visitor_scheme",
        "proxy_set_header X-Forwarded-Proto https",
    ]


def test_both_ways_to_run_nginx_give_the_same_cookie():
    """Over https, which only nginx.conf has to find out."""
    one, many = (re.search(r"^ *map \"\$answered_by.*?}", NGINX[name], re.M | re.S)[0] for name in NGINX)
    https = re.search(r'^ +https "(.*)";$', NGINX["nginx.conf"], re.M)[1]
    assert many.split() == one.replace("$set_cookie", "$embedviz_cookie").replace("$cookie_rules", https).split()
    assert "add_header Set-Cookie $set_cookie always;" in NGINX["nginx.conf"]
    assert "add_header Set-Cookie $embedviz_cookie always;" in NGINX["site.conf"]


@pytest.mark.skipif(not shutil.which("nginx", path=PATH), reason="needs nginx")
@pytest.mark.parametrize("n", [1, 3])
def test_nginx_takes_the_site_for_any_number_of_servers(tmp_path, n):
    """Without TLS, whose certificate is not here, and with files of this folder."""
    site = re.sub(r"^ +(ssl_.*|listen \[::\].*)$", "", NGINX["site.conf"], flags=re.M).replace(" ssl http2", "")
    (tmp_path / "site.conf").write_text(site.replace("/var/log/nginx", str(tmp_path)))
    (tmp_path / "embedviz-replicas.conf").write_text(replicas([f"127.0.0.1:{8501 + k}" for k in range(n)]))
    (tmp_path / "nginx.conf").write_text("pid nginx.pid;\nevents {}\nhttp { include site.conf; }\n")
    nginx = shutil.which("nginx", path=PATH)
    command = [nginx, "-t", "-e", "stderr", "-p", tmp_path, "-c", tmp_path / "nginx.conf"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "emerg" in done.stderr) == (0, False), done.stderr


def test_a_single_server_gives_no_cookie_since_others_may_be_behind_it():
    assert "default any;" in replicas(["127.0.0.1:8501"])
    answered = replicas(["127.0.0.1:8501"]).partition("map $upstream_addr $answered_by")[2]
    assert answered.split() == ["{", "volatile;", "default", '"";', "}"]


def replicas(addresses: list[str]) -> str:
    command = [sys.executable, DEPLOY / "write_replicas.py", *addresses]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_every_answer_over_https_says_that_https_is_to_stay():
    """nginx leaves out the headers of a server where a location has some of its own."""
    header = 'add_header Strict-Transport-Security "max-age=31536000" always;'
    server = NGINX["site.conf"].split("server {")[2]
    locations = re.findall(r"^    location .*?^    }$", server, re.MULTILINE | re.DOTALL)
    assert header in re.sub(r"^    location .*?^    }$", "", server, flags=re.MULTILINE | re.DOTALL)
    assert [header in each for each in locations if "add_header" in each] == [True, True]
    assert "Strict-Transport" not in NGINX["nginx.conf"]  # which answers over http


def test_the_server_believes_its_proxies_about_addresses_and_no_visitor():
    """As uvicorn reads X-Forwarded-For: proxies append to it what they see."""
    nginx = COMPOSE["services"]["nginx"]["networks"]["inside"]["ipv4_address"]
    for app in APPS.values():
        trusted = re.fullmatch(r"\$\{TRUSTED:-(.*)\}", app["environment"]["FORWARDED_ALLOW_IPS"])[1]
        assert trusted == nginx
    pods = settings_of(KUBERNETES / "settings.env")["FORWARDED_ALLOW_IPS"]
    for text in NGINX.values():
        assert "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;" in text
    for hosts, proxy in ((trusted, nginx), (pods, "10.42.0.7"), ("127.0.0.1", "127.0.0.1")):
        found = _TrustedHosts(hosts)
        assert proxy in found
        assert "203.0.113.9" not in found
        assert found.get_trusted_client_address("198.51.100.1, 203.0.113.9") == ("203.0.113.9", 0)


def test_a_link_without_https_keeps_its_texts_and_goes_to_no_other_site():
    assert "return 301 https://$host$request_uri;" in NGINX["site.conf"]


def test_the_guide_to_hosting_names_files_that_are_there_and_the_version_that_is_installed():
    made = {"deploy/.env", "deploy/kubernetes/secret.env"}
    named = {each.rstrip(".") for each in re.findall(r"(?<!/tmp/space/)\bdeploy/[\w./@-]+", HOSTING)}
    assert len(named) > 6
    assert [each for each in named - made if not (ROOT / each).exists()] == []
    version = re.search(r"^torch==(\S+)$", (ROOT / "requirements.txt").read_text("utf-8"), re.M)[1]
    for path in ("docs/using.md", "docs/hosting.md", "Makefile", "Dockerfile"):
        assert set(re.findall(r"torch(?:==|-)(\d[\d.]*\d)", (ROOT / path).read_text("utf-8"))) == {version}, path


def test_the_commands_of_the_guide_to_hosting_are_sound():
    """For bash, and what they put where is what the other files expect."""
    blocks = [block for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", HOSTING, re.M | re.S) if not kind]
    assert blocks
    for block in blocks:
        script = block.replace("<this repository>", "repository")
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert "--home-dir /opt/embedviz embedviz" in HOSTING
    assert "WorkingDirectory=/opt/embedviz/app\n" in UNIT
    assert "User=embedviz\n" in UNIT
    assert "EnvironmentFile=-/etc/embedviz.env\n" in UNIT
    secret = RESOURCES["ingress.yaml"]["spec"]["tls"][0]["secretName"]
    assert f"create secret tls {secret} " in HOSTING
    assert HOSTING.count("SITE") == HOSTING.count("$SITE") + 1
    assert set(re.findall(r"server_name (\S+);", NGINX["site.conf"])) == {re.search(r"SITE=(\S+)", HOSTING)[1]}


def test_every_hosted_example_lets_course_pages_show_it():
    name = f"{PREFIX}FRAME_ANCESTORS"
    found = {
        "kubernetes": settings_of(KUBERNETES / "settings.env")[name],
        "cloud": settings_of(DEPLOY / "community-cloud.env")[name],
        "compose": re.fullmatch(r"\$\{\w+:-(.*)\}", APPS["app-1"]["environment"][name])[1],
        "systemd": re.search(rf"{name}=(\S+)", UNIT)[1],
        "huggingface": re.search(rf"{name}=([^`]+)", (DEPLOY / "huggingface/README.md").read_text("utf-8"))[1],
    }
    assert {Settings(frame_ancestors=each).frame_ancestors for each in found.values()} == {("https:",)}


def test_all_replicas_share_the_votes_of_halls_and_only_they_reach_them():
    """The address in the setting is that of the server which the same files start."""
    valkey = COMPOSE["services"]["valkey"]
    address = f"redis://{valkey['networks']['inside']['ipv4_address']}:6379"
    assert {app["environment"]["EMBEDVIZ_VOTES"] for app in APPS.values()} == {address}
    assert "ports" not in valkey
    service, policy = RESOURCES["votes-service.yaml"], RESOURCES["votes-policy.yaml"]["spec"]
    deployed = RESOURCES["votes.yaml"]["spec"]["template"]
    [port] = service["spec"]["ports"]
    name = service["metadata"]["name"]
    assert settings_of(KUBERNETES / "settings.env")["EMBEDVIZ_VOTES"] == f"redis://{name}:{port['port']}"
    [container] = deployed["spec"]["containers"]
    assert {each["name"] for each in container["ports"]} == {
        port["targetPort"],
        policy["ingress"][0]["ports"][0]["port"],
    }
    labels = deployed["metadata"]["labels"]
    assert labels == service["spec"]["selector"] == policy["podSelector"]["matchLabels"]
    [allowed] = policy["ingress"][0]["from"]
    assert allowed["podSelector"]["matchLabels"] == RESOURCES["deployment.yaml"]["spec"]["selector"]["matchLabels"]
    assert valkey["image"] == container["image"]
    assert valkey["entrypoint"] == container["command"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert deployed["spec"]["securityContext"]["runAsNonRoot"]
