"""The tokenizers of models: from a file to tokens with spans, in a process of its own that no strange file escapes."""
