"""The tables and tokenizers of real models, from the Hugging Face Hub or this machine."""

from embedviz.models.checkpoints import is_name
from embedviz.models.families import Layout
from embedviz.models.installed import installed
from embedviz.models.row_reader import NotDownloaded
from embedviz.models.source import HubModel, hub_model

__all__ = ["HubModel", "Layout", "NotDownloaded", "hub_model", "installed", "is_name"]
