"""Fuzzing: texts that nobody would write, and what must hold for all of them. See docs/fuzzing.md."""
