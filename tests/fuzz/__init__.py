"""What reads the input of visitors, files and servers: properties, briefly in `make test`, for long in `make fuzz`."""
