"""What every room stands on: settings, errors, texts in the server's language, files, logs, and work that waits."""
