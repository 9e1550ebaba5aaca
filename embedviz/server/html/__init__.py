"""The HTML that the server writes itself: the head of each page, notices, and the sheets of lessons."""
