"""Writes the code that a wheel brings along (`grpo_lint/shipped.py`). Nothing of it is part of the program."""
