"""What must hold for a step of a proof."""
