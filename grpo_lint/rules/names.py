"""GRPO1xx: names, types and versions. Raised key by key; these rules have no condition over a plan."""

from .base import Rule

RULES = (
    Rule(
        "GRPO101",
        "version-has-the-trainer",
        "The version has the trainer that the file configures",
        message="{title} {version} has no {algorithm} trainer that reads these keys: {consequence}",
        why="The trainer came with a later release, or an older trainer of the same name reads other keys.",
        refused_by="The framework, in versions without the trainer: there is no config class or no such choice of trainer "
        "to give these keys to.",
        instead="Correct the version, or take a newer release.",
    ),
    Rule(
        "GRPO102",
        "key-is-known",
        "The framework knows the key",
        message="{key} is not a key of {title} {version}: {consequence}{hint}",
        why="An unknown key is either refused, or dropped and the default used instead.",
        instead="Correct the spelling, or remove it.",
    ),
    Rule(
        "GRPO103",
        "key-is-of-this-version",
        "The release in use knows the key",
        message="{key} {history}: {consequence}{hint}",
        why="The file was written for another release. A key that this release does not know is either refused, or dropped and the default used instead.",
        instead="Write what replaced it, remove it, or use a release that knows it.",
    ),
    Rule(
        "GRPO104",
        "keys-are-read",
        "Something reads every key",
        message="{title} {version} does not know {keys}, and no script was found that declares {them}: {consequence}",
        why="A training script may declare keys of its own; grpo-lint reads them where it finds the script. Any other unknown key has no effect, or the run is refused.",
        instead="Remove each key that nothing reads; declare in your training script each key that it reads.",
    ),
    Rule(
        "GRPO107",
        "required-key-is-given",
        "A key without a default is given",
        message="{key} is missing, and {title} {version} has no default for it",
        why="The parser stops before anything else happens.",
        instead="Set the key: in the file, as a flag of the command, or as a keyword of the call.",
    ),
    Rule(
        "GRPO110",
        "value-has-the-type-of-its-key",
        "A value has the type of its key",
        message="{key} holds {problem}",
        why="The framework's parser refuses the value, or the first calculation with it fails.",
        refused_by="The parser of the framework, when the file is read, or what first computes with the value: the config "
        "class, the trainer or the training itself. The finding says which.",
        instead="Write a value of the right type.",
    ),
    Rule(
        "GRPO111",
        "value-is-a-choice",
        "A value is one of those that the key allows",
        message="{key} is {value}, not one of {choices}{hint}",
        why="The framework accepts only the values of a fixed list. In YAML an unquoted no is false.",
        refused_by="The parser of the framework, when the file is read, or the config class, which looks the value up in a "
        "list. The finding says which.",
        instead="Write one of the listed values.",
    ),
    Rule(
        "GRPO114",
        "value-is-kept",
        "The run uses the value that is written",
        message="{key} is {value}, and {title} {version} sets it to {made}",
        why="The framework's argument class or trainer changes the setting after the file is read. Nothing is refused, but the run does something other than the file says.",
        refused_by="Not refused: the framework replaces the value, and grpo-lint reports a warning.",
        instead="Write the value that the framework sets, or change the setting that causes it.",
    ),
    Rule(
        "GRPO120",
        "agreed-key-is-given",
        "A key that the team has agreed on is given",
        message="{key} is not given, and the settings of this repository require it",
        why="The list `required-keys` in the settings holds the keys that every config of the team has to set.",
        refused_by="grpo-lint itself, by the settings of the repository. No framework asks for the key.",
        instead="Set the key, or remove it from required-keys.",
    ),
)
