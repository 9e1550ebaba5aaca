"""The app that anyone would write first: one text input, one heatmap. The floor of every comparison."""

import plotly.graph_objects as go
import sklearn.decomposition  # noqa: F401  imported by any app that draws a PCA
import streamlit as st
import tiktoken  # noqa: F401
import torch

text = st.text_input("Sentence", "the cat sat on the mat", key="a")
torch.manual_seed(123)
embedding = torch.nn.Embedding(256, 256)
ids = torch.tensor(list(text.encode()) or [0])
st.plotly_chart(go.Figure(go.Heatmap(z=embedding(ids).detach().numpy())), key="chart")
