"""What several pages show in JavaScript of our own. Each is drawn by the script that it names, in `ui/assets`."""
