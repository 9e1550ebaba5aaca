"""What several components share: how they are made, what they get, and how they are linked."""
