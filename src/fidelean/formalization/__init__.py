"""From a claim to a Lean statement that elaborates and says the same: drafts, what came back of them, the whole run."""
