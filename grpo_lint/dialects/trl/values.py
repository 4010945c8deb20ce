"""How TRL takes a YAML value: `TrlParser` sets it as the default of an argument, or Python code passes it as a keyword."""

from ...plan import UNKNOWN
from ..values import WANTED, from_text, is_placeholder, wrong_choice, wrong_type

# The whole numbers that TRL and transformers compute with. What a value of another type does to them was tried out with
# the real packages; other fields may be forgiving, so nothing is said about those.
_USED_IN_CONFIG = frozenset(
    "per_device_train_batch_size gradient_accumulation_steps num_generations logging_steps save_steps warmup_steps".split()
)
_USED_IN_TRAINER = _USED_IN_CONFIG | frozenset("steps_per_generation generation_batch_size num_iterations max_steps".split())
# Texts that transformers turns into a member of an enumeration as soon as the config is built.
_ENUMERATIONS = frozenset(
    "eval_strategy evaluation_strategy save_strategy logging_strategy lr_scheduler_type optim hub_strategy".split()
)


# Names that nothing checks before the first training step, and what that step knows: (first version, names), the newest first.
_LOSSES = ("grpo", "bnpo", "dr_grpo")
KNOWN_AT_FIRST_STEP = {
    "loss_type": (
        ((1, 0), (*_LOSSES, "dapo", "cispo", "sapo", "luspo", "vespo")),
        ((0, 28), (*_LOSSES, "dapo", "cispo", "sapo", "luspo")),
        ((0, 26), (*_LOSSES, "dapo", "cispo", "sapo")),
        ((0, 22), (*_LOSSES, "dapo")),
        ((0, 17), _LOSSES),
    ),
    "importance_sampling_level": (((0, 20), ("token", "sequence")),),
    "scale_rewards": (((0, 22), ("group", "batch", "none", True, False)),),
    "multi_objective_aggregation": (((0, 27), ("sum_then_normalize", "normalize_then_sum")),),
}


def _first_step_knows(name, value, key):
    """A Fault when the first training step dies of a name it does not know."""
    for since, names in KNOWN_AT_FIRST_STEP.get(name, ()):
        if key >= since:
            return None if value in names else wrong_choice("run", value, [known for known in names if type(known) is str])
    return None


def keyword_takes_anything(name, field):
    """Whether TRL takes any value for a field: a text, a list, a mapping is not looked at before it is used."""
    return not field[2] and field[0].rstrip("?") not in WANTED and name not in KNOWN_AT_FIRST_STEP


def reads_keywords(name, value, field, loader, key):
    """How TRL takes a YAML value: texts are converted by the type of the field, everything else is taken as it is.

    With loader `kwargs` (a Python call) texts are not converted either.
    """
    kind, _, choices = field
    wanted = kind.rstrip("?")
    if type(value) is str and is_placeholder(value):
        return UNKNOWN, None
    if choices and name in _ENUMERATIONS:
        legal = value in choices or (value is None and kind.endswith("?"))
        return (value, None) if legal else (UNKNOWN, wrong_choice("config", value, choices))
    if type(value) is str:
        if wanted not in WANTED:
            return value, _first_step_knows(name, value, key)
        if loader == "kwargs":
            return _misfit(name, f"the text {value!r}")
        converted = from_text(value, wanted)
        if converted is None:
            return UNKNOWN, wrong_type("read", f"the text {value!r} where {WANTED[wanted]} belongs")
        return converted, None
    if value is None and wanted in ("int", "float") and (not kind.endswith("?") or name == "num_generations"):
        return _misfit(name, "null")
    if wanted == "int" and value is not None and type(value) is not int:
        if type(value) is float:
            misfit, fault = _misfit(name, f"{value!r}, which the parser does not convert,", stage="run")
            return misfit, fault
        if value is True or value is False:
            return int(value), None
        return _misfit(name, f"a {_TYPE_NAMES.get(type(value), type(value).__name__)}")
    return value, None


_TYPE_NAMES = {list: "list", dict: "mapping", bytes: "binary value"}


def _misfit(name, what, stage=None):
    if name not in _USED_IN_TRAINER:
        return UNKNOWN, None
    return UNKNOWN, wrong_type(stage or ("config" if name in _USED_IN_CONFIG else "run"), f"{what} where a whole number belongs")
