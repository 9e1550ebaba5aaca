"""The layers of real models, which the library transformers runs: what they make of a text, and of its order."""
