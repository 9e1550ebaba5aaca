"""What several pages show: the shell around them, their controls, and the components that our scripts draw."""

from embedviz.ui.components.cards.cards import Card, cards
from embedviz.ui.components.chips.chips import chips
from embedviz.ui.components.order.order import order
from embedviz.ui.components.pair_strips.pair_strips import pair_strips, vector_strips
from embedviz.ui.components.plot.plot import show
from embedviz.ui.components.share.share import share
from embedviz.ui.components.slider.slider import amount
from embedviz.ui.components.table.table import table
from embedviz.ui.fields import literal
from embedviz.ui.program import program
from embedviz.ui.shell import Frame, page, part, style, window
from embedviz.ui.slides import aside, finding, findings, on_every_slide, slide, tokens_and_picture
