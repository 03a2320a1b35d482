"""Language models behind one protocol: prompts, typed replies, budget, record and replay, providers."""
