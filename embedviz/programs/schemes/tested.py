"""The test of which layers read positions, as PyTorch code that runs as it is and prints the page's numbers."""

from embedviz.layers.positions import APART, PositionTest
from embedviz.models import hub_model
from embedviz.programs.layers import position_offset
from embedviz.programs.next_word import reading
from embedviz.training.train import TrainingSettings


def pytorch_positions(test: PositionTest, run: TrainingSettings | None = None) -> str:
    """A program that prints two lines for each layer: if tokens stand farther apart, and if all stand later.

    A line has the largest change of an attention weight, and that of what leaves the layer as a share. Before those of
    the layers stands that of what enters the first. run: the settings of the small GPT, if it is one.
    """
    if run:
        lines = [*reading(run), f"ids = torch.tensor([{[*test.ids]}])", _RUN_OF_GPT]
    else:
        n_layers, repo, offset = len(test.schemes), hub_model(test.model).repo, position_offset(test.model)
        lines = [_RUN.format(source=repo, ids=[*test.ids], n_layers=n_layers, offset=offset)]
    return "\n".join([*lines, _CHANGES.format(apart=APART, later=test.later)])


_RUN_OF_GPT = """

@torch.no_grad()
def run(places, inputs=None):  # inputs: what each layer gets instead of what comes to it
    x, angles = gpt.enter(ids, torch.eye(CONTEXT_LENGTH)[places])
    came, left, weights = [], [], []
    for n, block in enumerate(gpt.blocks):
        came.append(x)
        x = x if inputs is None else inputs[n]
        q, k, v = block.heads(x, angles)
        weights.append(block.weights(q, k))
        x = block.leave(x, q, k, v)
        left.append(x)
    return came, left, weights
"""
_RUN = """\
import torch
from transformers import AutoModel

model = AutoModel.from_pretrained("{source}", attn_implementation="eager", dtype=torch.float32).eval()
ids = torch.tensor([{ids}])
lists = [each for each in model.modules() if isinstance(each, torch.nn.ModuleList)]
layers = next(each for each in lists if len(each) == {n_layers})


@torch.no_grad()
def run(places, inputs=None):  # inputs: what each layer gets instead of what comes to it
    came, left = [], []

    def enter(_layer, given, options):
        came.append(given[0] if given else options["hidden_states"])
        x = came[-1] if inputs is None else inputs[len(came) - 1]
        return ((x, *given[1:]), options) if given else (given, options | {{"hidden_states": x}})

    def leave(_layer, _given, made):
        left.append(made[0] if isinstance(made, tuple) else made)

    hooks = [layer.register_forward_pre_hook(enter, with_kwargs=True) for layer in layers]
    hooks += [layer.register_forward_hook(leave) for layer in layers]
    more = dict(position_ids=places[None] + {offset}, output_attentions=True)
    weights = model(ids, attention_mask=torch.ones_like(ids), **more).attentions
    for hook in hooks:
        hook.remove()
    return came, left, weights
"""
_CHANGES = """

def share(one, other):
    return (one - other).abs().max() / one.abs().max()


places = torch.arange(ids.shape[1])
came, left, weights = run(places)
for elsewhere in ({apart} * places, places + {later}):
    came_there, left_there, weights_there = run(elsewhere, came)
    print("input", f"{{share(came[0], came_there[0]):.3g}}")
    for n in range(len(left)):
        print(n + 1, f"{{(weights[n] - weights_there[n]).abs().max():.3g}} {{share(left[n], left_there[n]):.3g}}")
"""
