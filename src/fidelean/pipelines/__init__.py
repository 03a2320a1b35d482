"""The two methods from end to end, each readable like its figure."""
