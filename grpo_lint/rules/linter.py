"""GRPO9xx: grpo-lint itself. Raised where comments and baselines are read; these rules have no condition over a plan."""

from .. import ISSUES
from .base import Rule

RULES = (
    Rule(
        "GRPO901",
        "suppression-is-needed",
        "A suppression suppresses something",
        message="the comment suppresses nothing: {rules} is not found here",
        why="A suppression without a finding hides the next mistake of its kind.",
        refused_by="grpo-lint itself. To the frameworks it is a comment like any other.",
        instead="Remove it.",
    ),
    Rule(
        "GRPO905",
        "file-is-looked-at-to-its-end",
        "A file is not larger than grpo-lint reads",
        message="{problem}",
        why="So that one file cannot block a build, grpo-lint limits how much it reads of a file and how much it reports.",
        refused_by="grpo-lint itself, which stops reading there. The frameworks read the whole file.",
        instead="Split it into several files, or use a loop.",
    ),
    Rule(
        "GRPO902",
        "baseline-is-current",
        "The entries of a baseline are still found",
        message="{code}{key} is no longer found in {path}",
        why="An entry without a finding hides the next mistake of its kind.",
        refused_by="grpo-lint itself, which reads the baseline. The frameworks know of none.",
        instead="Write the baseline again with --write-baseline.",
    ),
    Rule(
        "GRPO903",
        "expectation-holds",
        "A run is as its file expects",
        message="{quantity} is {shown}{shown.how}, and is expected to be {limits}",
        why="The file has an expectation of this run that the run does not meet.",
        refused_by="grpo-lint itself, by a comment of the file. To the frameworks it is a comment like any other.",
        instead="Change the settings, or the comment.",
    ),
    Rule(
        "GRPO904",
        "team-rule-runs",
        "A team's own rule runs",
        message="{code} {name} fails: {problem}",
        why="A rule that fails checks nothing in this file.",
        refused_by="grpo-lint itself, which runs the rule. The frameworks know of none.",
        instead="Correct the rule: a value may be text, a list, or 0.",
    ),
    Rule(
        "GRPO906",
        "linter-does-not-fail",
        "grpo-lint does not fail",
        message="grpo-lint fails on {path} by its own mistake: {problem}",
        why="This file was not checked. The other files of the run are checked, and the exit status is 2.",
        refused_by="grpo-lint itself. What the frameworks say of the file is not known.",
        instead=f"Report it with the file: {ISSUES} (with GRPO_LINT_DEBUG=1 in the environment the whole traceback is shown).",
    ),
)
