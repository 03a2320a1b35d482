"""A result → terminal, JSON; every verdict traced to its evidence."""
