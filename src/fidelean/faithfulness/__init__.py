"""(Claim, LeanStatement) → whether the statement says what the claim says."""
