"""Steps cut into substeps of one inference each, and whether the cut keeps to the text."""
