"""Text, lines and trees with positions. Nothing in this package depends on what a setting means."""
