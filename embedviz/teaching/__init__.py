"""What lessons lead through, and challenges: tasks that a reader does on a view, which the app checks."""
