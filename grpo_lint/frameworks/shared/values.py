"""How a YAML value becomes the value of a field: what the parsers of all frameworks share."""

from ...message import Message
from ...source.quoting import shortened
from ...source.yaml.scalars import shown_value
from ..base import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterable, Stage


_TRUTH = {
    "yes": True,
    "true": True,
    "t": True,
    "y": True,
    "1": True,
    "no": False,
    "false": False,
    "f": False,
    "n": False,
    "0": False,
}
# The words of transformers' debugging switch.
DEBUG_OPTIONS = ("underflow_overflow", "tpu_metrics_debug")
WANTED = {"int": Message("a whole number"), "float": Message("a number"), "bool": Message("true or false")}


# Names of attention that transformers knows.
ATTENTION = ("eager", "sdpa", "flash_attention_2", "flash_attention_3", "flash_attention_4", "flex_attention")


def is_open(value: object) -> bool:
    """Whether a value is no text with a known meaning."""
    return type(value) is not str or is_placeholder(value)


def is_placeholder(value: str) -> bool:
    """Whether a text stands for a value that something else will fill in: `${X}`, `{{ x }}`, `<node1_port>`."""
    return "${" in value or "{{" in value or (value[:1] == "<" and value[-1:] == ">") or value[:1] == "$"


def is_shell_variable(value: str) -> bool:
    """Whether a text is one variable as a shell writes it, such as $BS or ${BS}, and no interpolation of another kind."""
    name = value[2:-1] if value[:2] == "${" and value[-1:] == "}" else value[1:]
    return value[:1] == "$" and name.isidentifier()


def is_nothing(value: object) -> bool:
    """Whether a value says that there is none: null, or the word of Python or of YAML for it, which no parser takes for that
    where a text may stand."""
    return value is None or (type(value) is str and value.lower() in ("none", "null"))


def from_text(text: str, kind: str) -> "int | float | bool | None":
    """A text as argparse converts it for a field of this kind; None when it cannot."""
    try:
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
    except ValueError:
        return None
    return _TRUTH.get(text.lower())


def switched(value: object) -> bool | None:
    """What a switch says, as argparse reads it; None for what is neither on nor off, such as a list. Every unknown key may
    ask it, so that a long value is not looked at."""
    text = str(value) if type(value) in (str, bool, int) else ""
    return _TRUTH.get(text.lower()) if len(text) <= len("false") else None


def quoted(text: str) -> str:
    """A text in quotes, for a message."""
    return repr(shortened(text))


def in_words(value: object) -> "str | Message":
    """A value for a message: texts in quotes, and of a collection only that it is one."""
    if isinstance(value, (list, dict, set)):
        return Message("a collection")
    return quoted(value) if type(value) is str else shown_value(value)


def wrong_type(stage: "Stage", problem: Message) -> "Fault":
    return Fault(stage, "value-has-the-type-of-its-key", problem=problem)


def unfilled(value: str, kind: str) -> "Fault | None":
    """A Fault where a variable of a shell stands in a file for a number or a switch: no reader of YAML fills it in. Something else
    may have done so before the file is read."""
    if kind not in WANTED or not is_shell_variable(value):
        return None
    return wrong_type(
        "never",
        Message(
            "the text {value} where {wanted} belongs: no shell reads this file, so that the parser refuses it unless something fills it in "
            "before",
            {"value": quoted(value), "wanted": WANTED[kind]},
        ),
    )


def wrong_choice(stage: "Stage", value: object, choices: "Iterable[object]", such_as: str = "") -> "Fault":
    """`such_as`: an example of a path, which is taken besides the choices."""
    listed = [str(choice) for choice in choices if choice is not None]

    def meaning() -> "dict[str, object]":
        from .meant import likely, nearest  # few faults are reported

        meant = likely(value, listed)
        quotes = Message('; write "no" in quotes') if value is False and "no" in listed else ""
        hint = Message("; did you mean {name}?", {"name": meant}) if meant else quotes
        told = nearest(meant or value, listed)
        if such_as:
            told = Message("{names}, or a path such as {path}", {"names": told, "path": such_as})
        return {"hint": hint, "meant": meant, "choices": told}

    return Fault(stage, "value-is-a-choice", meaning, value=in_words(value))


TRACKERS = tuple(
    "none all azure_ml clearml codecarbon comet_ml dagshub dvclive flyte kubeflow mlflow neptune swanlab tensorboard trackio wandb".split()
)


def unknown_tracker(value: object) -> "Fault | None":
    """A name in report_to that transformers does not know when the trainer is made."""
    for each in value if type(value) is list else [value]:
        if type(each) in (bool, int, float) or (not is_open(each) and each not in TRACKERS):
            return wrong_choice("init", each, TRACKERS)
    return None
