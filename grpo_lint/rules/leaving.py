"""GRPO448 - GRPO449: what is left of a run. Raised where a script or a program is read; nothing else loads them."""

from .base import Rule

RULES = (
    Rule(
        "GRPO448",
        "read-checkpoint-is-written",
        "A checkpoint that a script reads afterwards is one that its run writes",
        message="{setting} is {value}, so the run writes no checkpoint, and line {line} reads one: {reader}",
        why="Nothing is written in steps of the run, and nothing at its end. What reads a checkpoint afterwards finds none, or an older one.",
        refused_by="Nobody when the run starts: what reads the checkpoint fails after the training.",
        instead="Have the run save. Where it saves every so many steps, the last one is saved, too.",
    ),
    Rule(
        "GRPO449",
        "program-saves-its-model",
        "A program that trains saves its model",
        message="save_strategy is no, and this program saves nothing itself: what it trains is lost with its processes",
        why="Checkpoints are written by save_strategy, and the model at the end by the program, which calls trainer.save_model(...) for it.",
        refused_by="Nobody. grpo-lint says so in a finding of severity info.",
        instead="Call trainer.save_model(...) behind trainer.train(), unless the run only measures something.",
    ),
)
