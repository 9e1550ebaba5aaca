"""What whoever runs the server may set: environment variables that begin with EMBEDVIZ_, checked at the start.

`python -m embedviz.settings` lists them.
"""

import os
import re
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from embedviz.errors import EmbedvizError

PREFIX = "EMBEDVIZ_"
LOCALE = Path(__file__).parent / "locale"  # a translation of the interface each: de.po
ENGLISH = "en"
_ORIGIN = re.compile(r"https?://(\*\.)?[a-z0-9.-]+(:\d+)?", re.IGNORECASE)


def _cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "embedviz"


class Settings(BaseSettings):
    """Each field is set by the variable of its name, in capitals, after EMBEDVIZ_. Sizes are in MiB."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, frozen=True)

    cache: Path = Field(default_factory=_cache_folder, description="Folder in which finished maps are kept.")
    cache_mib: int = Field(256, ge=0, le=2**20, description="All of them together.")
    frame_ancestors: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Origins whose pages may show this site in a frame, with spaces between them."
    )
    language: str = Field(
        ENGLISH, description="Of the pages: en, a file of embedviz/locale without its .po, or a path."
    )
    table_mib: int = Field(512, ge=1, le=2**17, description="One weight table.")
    tables_mib: int = Field(1024, ge=64, le=2**20, description="All weight tables together.")
    waiting_runs: int = Field(100, ge=1, le=10_000, description="Runs of training that may wait in line.")

    @field_validator("language")
    @classmethod
    def _language(cls, value: str) -> str:
        """English, or a translation that is there."""
        path = translation(value)
        if path and not path.is_file():
            known = [ENGLISH, *sorted(path.stem for path in LOCALE.glob("*.po"))]
            raise ValueError(
                f"there is no translation {value!r}; choose {', '.join(known)}, or the path of a .po file."
            )
        return value

    @field_validator("frame_ancestors", mode="before")
    @classmethod
    def _origins(cls, value: object) -> object:
        """Each must be an origin: anything else could add rules to the header that it stands in."""
        parts = tuple(value.split()) if isinstance(value, str) else value
        wrong = [part for part in parts if not _ORIGIN.fullmatch(part)]
        if wrong:
            raise ValueError(f"{wrong[0]!r} is no origin; write it like https://example.org.")
        return parts


def translation(language: str) -> Path | None:
    """The file of the language; None for English."""
    if language == ENGLISH:
        return None
    return Path(language) if language.endswith(".po") else LOCALE / f"{language}.po"


def read() -> Settings:
    """The settings of the environment now.

    Raises EmbedvizError, with every variable that is wrong, for values out of range and for names that do not exist.
    """
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    unknown = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
    problems = [f"{name}: there is no such setting" for name in unknown]
    try:
        found = Settings()
    except ValidationError as error:
        problems += [f"{PREFIX}{str(each['loc'][0]).upper()}: {each['msg']}" for each in error.errors()]
    if problems:
        raise EmbedvizError(f"{'; '.join(problems)}. The settings are {', '.join(sorted(known))}.")
    return found


@cache
def configured() -> Settings:
    """The settings as they were when first asked for."""
    return read()


def main() -> None:
    """Print every setting: its name, its value now, and what it is."""
    found = read()
    for name, field in Settings.model_fields.items():
        value = getattr(found, name)
        shown = " ".join(value) if isinstance(value, tuple) else value
        print(f"{PREFIX}{name.upper()}={shown}\n    {field.description}")


if __name__ == "__main__":
    main()
