"""A small GPT that learns while one looks: its text, its model, the runs that wait, and what they say next."""
