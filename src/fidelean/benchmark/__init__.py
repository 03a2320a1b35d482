"""Measuring: data sets, samples, systems, scorers, metrics."""
