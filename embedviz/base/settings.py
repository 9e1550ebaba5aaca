"""The settings of a server: environment variables that begin with EMBEDVIZ_ and are checked at the start.

On a host without such variables, a file settings.env beside app.py may set them. The environment overrules this file.
`python -m embedviz.base.settings` lists them.
"""

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from embedviz.base.errors import SetupError

PREFIX = "EMBEDVIZ_"
PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = PACKAGE / "_app"  # the wheel has there what lies beside the package in the project
ROOT = _INSTALLED if _INSTALLED.is_dir() else PACKAGE.parent  # the folder of app.py, pages and data
LOCALE = PACKAGE / "base/locale"  # each file, such as de.po, is a translation of the interface
ENGLISH = "en"
FILE = ROOT / "settings.env"
_LISTS = {  # lists with spaces in between, in which capitals mean nothing: what each part is, and what to write instead
    "hosts": (re.compile(r"[a-z0-9._-]+"), "is no host's name; write it like embedviz.example.org."),
    "frame_ancestors": (
        re.compile(r"https:|https?://(\*\.)?[a-z0-9.-]+(:\d+)?"),
        "is no origin; write it like https://example.org, or https: for all that have https.",
    ),
}
_PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_REPOSITORY = re.compile(f"{_PART}/{_PART}")


def _cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "embedviz"


class Settings(BaseSettings):
    """The variable EMBEDVIZ_ and a field's name in capitals sets that field. Sizes are in MiB."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_file=FILE, env_ignore_empty=True, frozen=True)

    cache: Path = Field(default_factory=_cache_folder, description="Folder in which finished trainings are kept.")
    cache_mib: int = Field(256, ge=0, le=2**20, description="All of them together.")
    models: Path = Field(
        default_factory=lambda: _cache_folder() / "models",
        description="Folder with models as the Hub has them: "
        "owner/name/config.json, model.safetensors, tokenizer.json.",
    )
    models_mib: int = Field(4096, ge=0, le=2**20, description="All that visitors bring of models, on disk.")
    sources: str = Field(
        "any",
        description="Models that may be named: any on the Hub, the app's own list, or owner/name, with spaces between.",
    )
    lessons: Path | None = Field(None, description="Folder with lessons of your own, one TOML file each.")
    forward_mib: int = Field(
        1024, ge=0, le=2**20, description="Models in memory whose layers are run, together; 0 is none. GPT-2 takes 475."
    )
    header_mib: int = Field(8, ge=1, le=100, description="The JSON at the head of a model's safetensors file.")
    tokenizer_mib: int = Field(40, ge=1, le=1024, description="A model's tokenizer.json.")
    frame_ancestors: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Origins whose pages may show this site in a frame, with spaces; https: is all that have https."
    )
    hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Names of the site, such as embedviz.example.org, with spaces between; other names are refused. "
        "If none: any that a proxy passes on. Addresses, and names of a local network, always hold.",
    )
    language: str = Field(
        ENGLISH,
        description="For who asks for none that is here: en, a file of embedviz/base/locale without .po, or a path.",
    )
    sessions: int = Field(600, ge=1, le=100_000, description="Visitors at a time; who comes later waits on a page.")
    retry_seconds: int = Field(10, ge=1, le=3600, description="After so long that page tries again by itself.")
    votes: SecretStr = Field(
        SecretStr(""), description="Where servers share votes, such as redis://valkey:6379; none is memory."
    )
    edits_per_second: int = Field(10, ge=1, le=1000, description="Of one visitor, for long; faster ones go together.")
    edits_at_once: int = Field(60, ge=1, le=10_000, description="Edits of one visitor before that counts.")
    tokens: int = Field(256, ge=16, le=1024, description="Tokens of a sentence; a longer one is cut off.")
    dimensions: int = Field(
        8192, ge=256, le=8192, description="The largest output_dim. GPT-2 has 768, GPT-2 XL 1600, Llama 3 70B 8192."
    )
    table_mib: int = Field(512, ge=1, le=2**17, description="One weight table; never more than all.")
    tables_mib: int = Field(1024, ge=64, le=2**20, description="All weight tables together.")
    training_steps: int = Field(1000, ge=300, le=1000, description="The longest run of training.")
    waiting_runs: int = Field(100, ge=4, le=10_000, description="Runs of training that may wait in line.")
    upload_mb: int = Field(5, ge=1, le=200, description="A file that a visitor brings along, in millions of bytes.")
    vectors_mib: int = Field(20, ge=1, le=200, description="A file of vectors that a visitor brings along.")
    address_kib: int = Field(48, ge=4, le=60, description="The address of a page, which holds the texts.")
    message_kib: int = Field(1024, ge=320, le=2**14, description="A message from a browser.")
    stop_seconds: int = Field(20, ge=0, le=3600, description="How long a server that is to stop lets open runs finish.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="The least that is logged.")
    metrics_port: int = Field(0, ge=0, le=65_535, description="Port of the metrics for Prometheus; 0 is none.")
    metrics_host: str = Field("127.0.0.1", min_length=1, description="Address on which that port listens.")

    @field_validator("language")
    @classmethod
    def _language(cls, value: str) -> str:
        """Check that the language is English, or that there is a translation into it."""
        path = translation(value)
        if path and not path.is_file():
            known = [ENGLISH, *sorted(path.stem for path in LOCALE.glob("*.po"))]
            raise ValueError(
                f"there is no translation {value!r}; choose {', '.join(known)}, or the path of a .po file."
            )
        return value

    @field_validator("votes")
    @classmethod
    def _server(cls, value: SecretStr) -> SecretStr:
        """Check that it can be an address of Valkey; it may hold a password, which no message repeats."""
        if not (value.get_secret_value() or "redis:").startswith(("redis:", "rediss:", "unix:")):
            raise ValueError("it is no address of a Valkey or Redis; write it like redis://valkey:6379.")
        return value

    @field_validator("sources")
    @classmethod
    def _repositories(cls, value: str) -> str:
        """Check that it is one of the two words, or that each name can be a repository's; one space between two."""
        names = value.split()
        if names in (["any"], ["list"]):
            return names[0]
        wrong = [name for name in names if not _REPOSITORY.fullmatch(name) or ".." in name]
        if wrong or not names:
            raise ValueError(
                f"{wrong[0] if wrong else value!r} names no model; "
                "write any, list, or names like openai-community/gpt2."
            )
        return " ".join(names)

    @field_validator("hosts", "frame_ancestors", mode="before")
    @classmethod
    def _listed(cls, value: Any, about: ValidationInfo) -> object:
        """Check that each is what the list holds and nothing more, since an origin could add rules to a header."""
        pattern, remedy = _LISTS[str(about.field_name)]
        parts: tuple[str, ...] = tuple(value.lower().split()) if isinstance(value, str) else value
        for part in parts:
            if not pattern.fullmatch(part):
                raise ValueError(f"{part!r} {remedy}")
        return parts


def place(name: str) -> Path:
    """Where a file lies that has this name in the project, such as embedviz/ui/site.py or pages/rope/page.py."""
    return (PACKAGE.parent if name.startswith("embedviz/") else ROOT) / name


def translation(language: str) -> Path | None:
    """The file with the translation into a language; None for English."""
    if language == ENGLISH:
        return None
    return Path(language) if language.endswith(".po") else LOCALE / f"{language}.po"


def read() -> Settings:
    """Read the settings from the environment. Raises SetupError, which lists all that are wrong or unknown."""
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    unknown = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
    problems = [f"{name}: there is no such setting" for name in unknown]
    found = None
    try:
        found = Settings.model_validate({})
    except ValidationError as error:
        problems += [f"{_name(each['loc'][0])}: {_problem_text(each)}" for each in error.errors()]
    if problems or not found:
        raise SetupError(f"{'; '.join(problems)}. The settings are {', '.join(sorted(known))}.")
    return found


def _problem_text(problem: Mapping) -> str:
    """The message of a problem, without pydantic's mark before our own messages and without the full stop."""
    return problem["msg"].removeprefix("Value error, ").removesuffix(".")


def _name(field: object) -> str:
    """The name of a field's variable. A name from the file that belongs to no field already has the prefix."""
    return PREFIX + str(field).upper().removeprefix(PREFIX)


@cache
def configured() -> Settings:
    """The settings as they were when this was first called."""
    return read()


def main() -> None:
    """Print every setting: its name, its value now, and its description."""
    found = read()
    for name, field in Settings.model_fields.items():
        value = getattr(found, name)
        shown = " ".join(value) if isinstance(value, tuple) else value
        print(f"{PREFIX}{name.upper()}={shown}\n    {field.description}")


if __name__ == "__main__":
    main()
