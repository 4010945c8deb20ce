"""Fuzzing: unusual texts, and the properties that must hold for all of them. See docs/fuzzing.md."""
