"""What stands around a page that a visitor saves as a file; the browser puts what is on the screen into it."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from embedviz.base.i18n import language
from embedviz.ui.components.shared.component import ASSETS_PATH, KNOWN
from embedviz.ui.standalone import document


async def _answer(request: Request) -> PlainTextResponse:
    """The file without its data, for the components whose scripts the address names."""
    names = dict.fromkeys(request.query_params.getlist("part"))
    if not names.keys() <= {name for name, _html, _style in KNOWN.values()}:
        return PlainTextResponse("", 404)
    return PlainTextResponse(document({}, names, language()))


ROUTE = Route(f"{ASSETS_PATH}/page", _answer)
