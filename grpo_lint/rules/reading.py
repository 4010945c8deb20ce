"""GRPO0xx: reading the file. Raised by the engine, which knows where; these rules have no condition over a plan."""

from .base import Rule

RULES = (
    Rule(
        "GRPO001",
        "file-can-be-parsed",
        "The file is valid YAML",
        message="{problem}",
        why="The framework's own YAML loader refuses the file, so none of it is read.",
        refused_by="The YAML loader of the framework, in every version that reads YAML files, when the file is read.",
        instead="Correct the syntax at this position.",
    ),
    Rule(
        "GRPO002",
        "file-can-be-read",
        "The file exists and is readable text",
        message="{problem}",
        why="A path that you named cannot be checked.",
        refused_by="grpo-lint itself, which was given this path. No framework is asked.",
        instead="Check the path, its permissions and its encoding (UTF-8).",
    ),
    Rule(
        "GRPO003",
        "key-stands-once",
        "A key is set once",
        message="{key} is set twice: {consequence}",
        why="A YAML loader silently keeps one of the two. If you edit the other one, nothing changes.",
        instead="Remove one of the two.",
    ),
    Rule(
        "GRPO004",
        "file-is-a-mapping",
        "The file is one mapping of keys to values",
        message="{problem}",
        why="The framework reads a config file as one mapping of argument names to values.",
        refused_by="The parser of the framework, in every version that reads YAML files, when the file is read.",
        instead="Write `key: value` lines at the top level.",
    ),
    Rule(
        "GRPO005",
        "comment-is-understood",
        "A grpo-lint comment says something that grpo-lint understands",
        message="{problem}",
        why="A comment that is not understood has no effect. With a misspelt fact the file is judged on other assumptions than you think. A suppression without a rule hides nothing.",
        refused_by="grpo-lint itself. To the frameworks it is a comment like any other.",
        instead="Correct the comment. `grpo-lint check --help` lists the facts, `grpo-lint explain FILE` the quantities.",
    ),
)
