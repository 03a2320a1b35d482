"""Tables that this room reads."""
