"""A hall's votes, in the memory of one server or in a Valkey that several share."""
