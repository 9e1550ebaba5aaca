"""The translations of the interface, one .po file each, and the template that they start from."""
