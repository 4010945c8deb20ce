"""Fixes: edits found by search and proven by running the rules again."""


def offer_fixes(report, surroundings):
    pass
