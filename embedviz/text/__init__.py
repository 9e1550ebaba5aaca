"""Text and its tokens: four tokenizers, ready samples, the language of the small GPT, and how a token is shown."""
