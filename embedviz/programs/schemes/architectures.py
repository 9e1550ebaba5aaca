"""How far layers with windows reach together, as a PyTorch program."""

_PROGRAM = """import torch

n_layers, window = {n_layers}, {window}  # of {model}
n_tokens = n_layers * window
heard = torch.arange(n_tokens) == 0  # which tokens know of the first one: before all layers, only itself
for layer in range(n_layers):
    # A token hears of it if any of the tokens in its window has: itself and the window - 1 before it.
    known = torch.nn.functional.pad(heard.cumsum(0), (window, 0))
    heard = known[window:] > known[:-window]  # (T,)
    print(layer + 1, int(heard.nonzero().max()))  # how far it has come
"""


def pytorch_reach(model: str, n_layers: int, window: int) -> str:
    """A program that prints for each layer how many tokens farther what the first token says has come."""
    return _PROGRAM.format(model=model, n_layers=n_layers, window=window)
