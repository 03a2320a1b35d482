"""A proof as a tree of proof states, joined by transitions of one inference each."""
