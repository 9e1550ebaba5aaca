"""What each view of the page "Lookup" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "rows": Guide(
        N_("Each ID picks the row of its number, counted from 0. The output is these rows, in the order of the IDs."),
        N_("Nearly every language model of today begins like this: its text becomes IDs, and the IDs become rows of a "
           "table that it has learned."),
        "id table vector dimension vocabulary"),
    "one-hot": Guide(
        N_("Each row of the left matrix has a 1 in the column of its ID. Multiplying it by the table picks that row."),
        N_("The product shows why the lookup sends a gradient only to rows whose IDs occur. Other rows can still "
           "move: by weight decay, or if the output layer is the same table."),
        "one_hot table id gradient training"),
}  # fmt: skip
