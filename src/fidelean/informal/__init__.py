"""What a mathematician wrote: problems, proofs, steps, and reading them from files."""
