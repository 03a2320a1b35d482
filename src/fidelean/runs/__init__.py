"""A run folder: the ledger, what was stored, and how a run is taken up again."""
