"""What the server does around the pages."""
