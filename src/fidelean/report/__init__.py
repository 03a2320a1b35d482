"""A result → terminal, JSON, HTML; every verdict traced to its evidence."""
