"""(Statement, LeanStatement) → grades of several judges, each with reasons that can be looked up and, in part, decided."""
