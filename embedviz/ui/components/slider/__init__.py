"""The slider with a play button."""
