"""Pure rules over records: Evidence → StepVerdict → ProofVerdict."""
