"""The agent that states a sentence in Lean: one loop, three tools that can be switched, an independent gate."""
