"""The differences between two runs: two states of a file, or one file on two releases."""
