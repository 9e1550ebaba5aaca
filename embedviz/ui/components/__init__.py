"""What several pages show in JavaScript of our own.

Each component has a folder: name.py, which the pages call, name.js, which draws it, name.css and name.html.
"""
