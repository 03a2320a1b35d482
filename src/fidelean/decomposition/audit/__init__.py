"""Which transitions deserve the expensive checks: suspicion, the audit window, and a local review of what is in it."""
