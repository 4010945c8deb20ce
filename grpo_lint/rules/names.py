"""GRPO1xx: names, types and versions. Raised key by key; these rules have no condition over a plan."""

from .base import Rule

RULES = (
    Rule(
        "GRPO101",
        "version-has-the-trainer",
        "The version has the trainer that the file configures",
        message="{title} {version} has no {algorithm} trainer that reads these keys: {consequence}",
        why="The trainer came with a later release, or an older one of the same name reads other keys.",
        refused_by="The framework, in versions without the trainer: there is no config class or no such choice of trainer "
        "to give these keys to.",
        instead="Correct the version, or take a newer release.",
    ),
    Rule(
        "GRPO102",
        "key-is-known",
        "A key is one that the framework knows",
        message="{key} is no key of {title} {version}: {consequence}{hint}",
        why="What is not known is either refused, or dropped so that the default stays in force.",
        instead="Correct the spelling, or remove the key.",
    ),
    Rule(
        "GRPO103",
        "key-is-of-this-version",
        "A key is one of the version at hand",
        message="{key} {history}: {consequence}{hint}",
        why="The file was written for another release. What this one does not know is either refused, or dropped so that the "
        "default stays in force.",
        instead="Write the key that took its place, or remove it.",
    ),
    Rule(
        "GRPO104",
        "keys-are-read",
        "All keys are read by something",
        message="{title} {version} does not know {keys}: {consequence}, unless the training script declares {them}",
        why="A training script may declare arguments of its own, and then these keys are fine. If it does not, they have no effect.",
        instead="Remove what nothing reads.",
    ),
    Rule(
        "GRPO105",
        "key-is-spelt-out",
        "A key is spelt out",
        message="{key} is taken for {name}, because no other key begins like this",
        why="ms-swift hands the keys to argparse, which completes them. The next release may have a second key that begins alike, "
        "and a slip of the pen is never noticed.",
        instead="Write the whole name.",
    ),
    Rule(
        "GRPO106",
        "key-is-not-ambiguous",
        "A key is not the beginning of several",
        message="{key} could be {names}{hint}",
        why="ms-swift hands the keys to argparse, which completes them when only one key begins like this, and refuses them when "
        "several do.",
        instead="Write the whole name.",
    ),
    Rule(
        "GRPO107",
        "required-key-is-given",
        "A key without a default is given",
        message="{key} is missing, and {title} {version} has no default for it",
        why="The parser stops before anything else happens.",
        instead="Add the key.",
    ),
    Rule(
        "GRPO110",
        "value-has-the-type-of-its-key",
        "A value has the type of its key",
        message="{key} holds {problem}",
        why="The framework's parser, or the first arithmetic on the value, refuses it.",
        refused_by="The parser of the framework, when the file is read, or what first computes with the value: the config "
        "class, the trainer or the training itself. The finding says which.",
        instead="Write a value of the right type.",
    ),
    Rule(
        "GRPO111",
        "value-is-a-choice",
        "A value is one of those that the key allows",
        message="{key} is {value}, which is none of {choices}{hint}",
        why="The framework converts the value to one of a closed list and refuses any other. In YAML an unquoted no is false.",
        refused_by="The parser of the framework, when the file is read, or the config class, which looks the value up in a "
        "list. The finding says which.",
        instead="Write one of the listed values.",
    ),
    Rule(
        "GRPO112",
        "null-is-not-a-text",
        "null does not become the text None",
        message="{key} is null, which becomes the text 'None'",
        why="ms-swift turns every value into the text of a flag. For a key that holds text, None is then a name like any other: "
        "val_dataset: null asks for a data set that is called None.",
        instead="Remove the key.",
    ),
    Rule(
        "GRPO113",
        "list-holds-texts",
        "A list holds texts only",
        message="{key} holds {value} in a list: this version joins the flags of a file as texts and fails on anything else",
        why="ms-swift 3.10 to 4.5 turns the file into a command line and prints it; a number inside a list ends that with a TypeError.",
        instead='Put quotes around the items, as in ["0.5", "0.5"]. They are converted back to numbers.',
    ),
    Rule(
        "GRPO120",
        "agreed-key-is-given",
        "A key that the team has agreed on is given",
        message="{key} is not given, and the settings of this repository require it",
        why="The list `required-keys` of the settings holds the keys that every config of a team has to state.",
        refused_by="grpo-lint itself, by the settings of the repository. No framework asks for the key.",
        instead="State the key, or take it off the list.",
    ),
)
