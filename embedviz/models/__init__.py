"""The tables and tokenizers of real models, from the Hugging Face Hub or this machine."""

from embedviz.models.checkpoints import is_name
from embedviz.models.families import Layout
from embedviz.models.here import here
from embedviz.models.reader import NotDownloaded
from embedviz.models.source import HubModel, hub_model

__all__ = ["HubModel", "Layout", "NotDownloaded", "here", "hub_model", "is_name"]
