"""The command `embedviz`, and pages without a server: as a file, in a notebook, as a site."""
