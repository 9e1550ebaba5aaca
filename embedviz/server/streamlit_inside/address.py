"""How Streamlit reads and writes the address: values that a page does not know stay, since the next may need them."""

from typing import Any

from streamlit.runtime.scriptrunner import ScriptRunner, get_script_run_ctx
from streamlit.runtime.state import query_params
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.state.session_state import SessionState

from embedviz.server.address import AFTER_A_LINK


class AddressKept(ScriptRunner):
    """Runs scripts, and leaves in the address what belongs to another page or to a control that is not shown.

    Streamlit takes out what a control has been bound to that this page or this run does not show. So it forgets at the
    end of each run what is bound, and each control binds itself anew when it is drawn.
    """

    def _on_script_finished(self, *about: Any, **kwargs: Any) -> None:
        with self._session_state.query_params() as address:
            for control in list(address._bindings_by_widget):
                address.unbind_widget(control)
        super()._on_script_finished(*about, **kwargs)


streamlits_seed = SessionState._seed_widget_from_url


def take_what_can_be(self: SessionState, control: WidgetMetadata, name: str, id_: str, values: str | list[str]) -> bool:
    """Give a control the value in the address, unless it can have no such value: it then keeps its usual one.

    Streamlit would take the value out of the address, take a choice from a control that always has one ("?show="), and
    fail at a number without end.
    """
    if control.value_type in ("double_value", "bool_value") and isinstance(values, str):
        values = values.rstrip(AFTER_A_LINK)
    try:
        value = control.deserializer(query_params.parse_url_param(values, control.value_type))
    except (ValueError, TypeError, IndexError, OverflowError):  # there is no such value
        return False
    can_be = value == control.deserializer(None) or _can_be(control, values, value)
    return can_be and streamlits_seed(self, control, name, id_, values)


def _can_be(control: WidgetMetadata, values: str | list[str], value: object) -> bool:
    if query_params.is_empty_url_value(values):
        return control.clearable and value is not None
    known = control.formatted_options
    return known is None or any(each in known for each in ([values] if isinstance(values, str) else values))


def leave_parameter(_self: QueryParams, _name: str) -> bool:
    """Leave in the address what says the usual value of a control."""
    return False


def write_into_address(name: str, value: str) -> None:
    """Write a control's value into the page's address, where it reads it. `st.query_params` refuses such names."""
    if context := get_script_run_ctx():
        with context.session_state.query_params() as address:
            address.set_corrected_value(name, value, "string_value")
            address.set_initial_query_params_from_current()
