"""GRPO448, GRPO449, GRPO466: what other commands of a script, or the rest of a program, make of a run. Raised where these are read;
nothing else loads them."""

from .base import Rule

RULES = (
    Rule(
        "GRPO448",
        "read-checkpoint-is-written",
        "A checkpoint that a script reads afterwards is written by its run",
        message="{setting} is {value}, so the run writes no checkpoint, and line {line} reads one: {reader}",
        why="No checkpoint is written, neither in steps nor at the end. What reads one afterwards finds none, or an older one.",
        refused_by="Not refused when the run starts: the command that reads the checkpoint fails after the training.",
        instead="Let the run save. If it saves every N steps, the last step is saved as well.",
    ),
    Rule(
        "GRPO449",
        "program-saves-its-model",
        "A program that trains saves its model",
        message="save_strategy is no, and this program saves nothing itself: what it trains is lost with its processes",
        why="save_strategy writes the checkpoints. The model at the end is saved by the program, which calls trainer.save_model(...).",
        refused_by="Not refused. grpo-lint reports an info.",
        instead="Call trainer.save_model(...) after trainer.train(), unless the run only measures something.",
    ),
    Rule(
        "GRPO466",
        "server-holds-prompt-and-completion",
        "The server that a script starts holds a prompt and its completion",
        message="{server} in line {line} holds {length} tokens, and the longest prompt with its completion has {longest}",
        why="Completions of long prompts are cut. A prompt that fills the engine alone ends the run.",
        refused_by="Not refused when the run starts: the server cuts completions at its own length.",
        instead="Raise the length of the server to the sum of the two.",
    ),
)
