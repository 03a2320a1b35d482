"""One module per public data set, each with its own way to write a label."""
