"""Text, lines and trees with positions. Nothing in here knows what reinforcement learning is."""
