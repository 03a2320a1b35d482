"""The command line, a thin front over the public functions."""
