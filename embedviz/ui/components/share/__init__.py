"""The button Share and the menu of languages."""
