"""What several pages show: the shell around them, their controls, and the components that our scripts draw."""

from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards.cards import Card, cards
from embedviz.ui.components.chips.chips import chips
from embedviz.ui.components.component import component
from embedviz.ui.components.order.order import order
from embedviz.ui.components.pair_strips.pair_strips import pair_strips, vector_strips
from embedviz.ui.components.plot.plot import show
from embedviz.ui.components.share.share import share
from embedviz.ui.components.slider.slider import share_of_positions
from embedviz.ui.components.table.table import table
from embedviz.ui.guide import Guide, glossary
from embedviz.ui.inputs.fields import BOUND, mistake_place, one_of, ready_picker, text_within, whole_number
from embedviz.ui.inputs.options import OPTIONS, label_of
from embedviz.ui.inputs.visitor import visitor
from embedviz.ui.messages import file_is_gone, literal, show_error, stop, stop_at_error
from embedviz.ui.program import program
from embedviz.ui.shell import Frame, site_pages, style, window
from embedviz.ui.slides import on_every_slide, picture_height, reader_caption, reader_cards, slide
from embedviz.ui.turns import part_of_page, turn
from embedviz.ui.view import AnyView, LiveView, Picture, Program, View, cards_below, page
