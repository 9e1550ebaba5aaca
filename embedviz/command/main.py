"""The command `embedviz`: the app in a browser, a page as a file, or the numbers of one pair or of many."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from embedviz import __version__
from embedviz.base.errors import EmbedvizError
from embedviz.base.pages import page_at
from embedviz.positions import SCHEMES
from embedviz.vectors.comparison import compare
from embedviz.vectors.embedding import embed, with_vocabulary
from embedviz.vectors.spec import Spec

_VIEWS = page_at("compare").views
_WRONG = 2  # the exit code for what cannot be done as it was asked

_HELP = """Where does word order enter a language model?

\b
embedviz                                      starts the app and opens it in the browser
embedviz "dog bites man" "man bites dog"      opens it with these two sentences
embedviz A B --html out.html                  writes that page into a file, which opens anywhere
embedviz A B --json                           prints tokens, IDs, pairs and distances
embedviz pairs.csv --csv out.csv              lets models read all pairs of a file, with positions and without

Ctrl+C ends the app. Nothing is sent to anybody: the app runs on this machine, and works without internet.
"""


@click.command(help=_HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("a", default="", metavar="[SENTENCE]")
@click.argument("b", default="", metavar="[SENTENCE]")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write the page, or a picture of pairs.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON. Both sentences are needed.")
@click.option("--csv", "table", type=click.Path(dir_okay=False, path_type=Path), help="Write results of pairs here.")
@click.option("--model", "models", multiple=True, help="What reads the pairs: a model of this machine, or several.")
@click.option("--view", default="pairs", show_default=True, help=f"The picture: {', '.join(_VIEWS)}.")
@click.option("--source", default="random", show_default=True, help="Whose vectors: random, or openai-community/gpt2.")
@click.option("--position", help=f"The positions: {', '.join(SCHEMES)}.")
@click.option("--lang", default="", help="The language of the page, such as de, fr or ja.")
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="The port of the app; a free one if not given.")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.version_option(__version__, message="embedviz %(version)s")
def command(  # noqa: D103 its help says it
    a: str, b: str, html: Path | None, *, as_json: bool, table: Path | None, models: tuple[str, ...], view: str,
    source: str, position: str | None, lang: str, port: int, no_browser: bool,
) -> None:  # fmt: skip
    if a.lower().endswith((".csv", ".tsv")) and not b:
        from embedviz.command.pairs import report  # noqa: PLC0415 models take seconds to load

        report(Path(a), table, models, html)
        return
    if table or models:
        raise click.UsageError("--csv and --model are for a file of pairs, such as pairs.csv")
    texts = {name: text for name, text in (("a", a), ("b", b)) if text}
    chosen: dict[str, Any] = {"source": source} | ({"position": position} if position else {})
    _check(texts, chosen, view, lang)
    query = texts | {name: value for name, value in chosen.items() if value != "random"}
    if query or html or view != "pairs":  # if nothing is asked for, the app opens as it does for everybody
        query["view"] = view
    if as_json:
        if len(texts) < 2:
            raise EmbedvizError("Give both sentences, each in quotation marks.")
        has_all = sys.stdout.encoding.lower() == "utf-8"  # a file on Windows takes the letters of one language
        click.echo(json.dumps(numbers(a, b, Spec(**chosen)), ensure_ascii=not has_all, indent=2))
    if html:
        from embedviz.command.saved import saved, write  # noqa: PLC0415 this and the server take seconds to load

        write(html, saved("compare", query, language=lang))
    if not (as_json or html):
        from embedviz.command.serving import serve  # noqa: PLC0415

        serve(query | ({"lang": lang} if lang else {}), port, opens=not no_browser)


def main() -> None:
    """Run the command. What is wrong is one sentence on stderr, with the exit code 2."""
    try:
        command.main(standalone_mode=False)
    except click.ClickException as error:
        _end(f"{error.format_message().rstrip('.')}. embedviz --help says what can be given.")
    except (EmbedvizError, OSError) as error:
        _end(str(error))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)  # as a shell says that Ctrl+C has ended something


def numbers(a: str, b: str, spec: Spec) -> dict[str, Any]:
    """A comparison as plain values: settings, tokens, IDs, pairs and distances."""
    spec = with_vocabulary(spec, a, b)
    found = compare(embed(a, spec), embed(b, spec))
    sentences = {
        name: {"text": each.tokens.text, "tokens": each.tokens.texts, "ids": each.tokens.ids}
        for name, each in (("a", found.a), ("b", found.b))
    }
    distances = {"before": found.before.distances.tolist(), "after": found.after.distances.tolist()}
    settings = {name: getattr(spec, name) for name in ("tokenizer", "source", "output_dim", "seed", "position")}
    pairs = [pair._asdict() for pair in found.pairs]
    return {"embedviz": __version__, **settings, **sentences, "pairs": pairs, "distances": distances}


def _check(texts: dict[str, str], chosen: dict[str, Any], view: str, lang: str) -> None:
    """Raise EmbedvizError for what a page would only pass over."""
    from embedviz.base.locale.catalogues import languages  # noqa: PLC0415 reads the settings, which may be wrong

    if list(texts) == ["a"]:
        raise EmbedvizError("Give two sentences, each in quotation marks, or none.")
    for name, value, known in (("view", view, _VIEWS), ("lang", lang, ["", *languages()])):
        if value not in known:
            choices = ", ".join(filter(None, known))
            raise EmbedvizError("--{name} {value}: choose one of {choices}.", name=name, value=value, choices=choices)
    Spec(**chosen)


def _end(message: str) -> None:
    click.echo(message, err=True)
    sys.exit(_WRONG)
