"""Substeps grown into a tree of proof states, from edges that a model proposes, and every way in which a tree is malformed."""
