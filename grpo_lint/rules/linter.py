"""GRPO9xx: grpo-lint itself. Raised where comments and baselines are read; these rules have no condition over a plan."""

from .. import ISSUES
from .base import Rule

RULES = (
    Rule(
        "GRPO901",
        "suppression-is-needed",
        "A suppression suppresses something",
        message="nothing of {rules} is found here: the comment suppresses nothing",
        why="A suppression that outlives its finding hides the next mistake of its kind.",
        refused_by="grpo-lint itself. To the frameworks it is a comment like any other.",
        instead="Remove it.",
    ),
    Rule(
        "GRPO905",
        "file-is-looked-at-to-its-end",
        "A file holds no more than grpo-lint looks at",
        message="{problem}",
        why="So that one file cannot keep a build busy, grpo-lint limits how much it reads of a file and how much it reports.",
        refused_by="grpo-lint itself, which stops reading there. The frameworks read the whole file.",
        instead="Put it into several files, or a loop.",
    ),
    Rule(
        "GRPO902",
        "baseline-is-current",
        "What a baseline knows is still there",
        message="{code}{key} is not found in {path} any more",
        why="An entry that outlives its finding hides the next mistake of its kind.",
        refused_by="grpo-lint itself, which reads the baseline. The frameworks know of none.",
        instead="Write the baseline again, with --write-baseline.",
    ),
    Rule(
        "GRPO903",
        "expectation-holds",
        "A run is what its file expects",
        message="{quantity} is {value}, and {expected} is expected",
        why="The file states an expectation of this run that the run does not meet.",
        refused_by="grpo-lint itself, by a comment of the file. To the frameworks it is a comment like any other.",
        instead="Change the settings, or the comment.",
    ),
    Rule(
        "GRPO904",
        "team-rule-runs",
        "A rule of the team's own runs",
        message="{code} {name} fails: {problem}",
        why="A rule that fails has nothing to say about this file, whatever is in it.",
        refused_by="grpo-lint itself, which runs the rule. The frameworks know of none.",
        instead="Correct the rule: a value may be text, a list, or 0.",
    ),
    Rule(
        "GRPO906",
        "linter-does-not-fail",
        "grpo-lint itself does not fail",
        message="grpo-lint itself fails on {path}, by a mistake of its own: {problem}",
        why="Nothing is known about this file, whatever is in it. The other files of the run are checked all the same, and the exit status is 2.",
        refused_by="grpo-lint itself. What the frameworks say of the file is not known.",
        instead=f"Report it with the file: {ISSUES} (with GRPO_LINT_DEBUG=1 in the environment the whole traceback is shown).",
    ),
)
