"""What stands between strangers and the app: names and origins, sizes and times, files, and what headers allow."""
