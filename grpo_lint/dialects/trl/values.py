"""How TRL takes a YAML value: `TrlParser` sets it as the default of an argument, or Python code passes it as a keyword."""

from ...plan import UNKNOWN
from ...source.scalars import shown_value
from ..values import WANTED, from_text, is_placeholder, wrong_choice, wrong_type

# What the config classes compute with, compare, or open as a path as soon as they are built: a value of another type ends
# that. What it does was tried out with the real packages; other fields may be forgiving, so those get a warning.
_USED_IN_CONFIG = frozenset(
    """per_device_train_batch_size gradient_accumulation_steps num_generations steps_per_generation generation_batch_size
    logging_steps save_steps warmup_steps dataloader_num_workers output_dir logging_dir
    metric_for_best_model warmup_ratio torch_empty_cache_steps""".split()
)
_USED_IN_TRAINER = _USED_IN_CONFIG | {"num_iterations", "max_steps"}
# Only looked at when something is evaluated.
_USED_IN_EVALUATION = frozenset({"per_device_eval_batch_size", "num_generations_eval"})
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
            known = any(value is name or (value == name and type(value) is str) for name in names)
            return None if known else wrong_choice("run", value, [known for known in names if type(known) is str])
    return None


def keyword_takes_anything(name, field):
    """Whether TRL takes any text for a field."""
    return not field[2] and field[0].startswith("str") and name not in KNOWN_AT_FIRST_STEP and name != "debug"


# What the classes take besides their annotation: true and false mean something for fsdp, and the text of
# lora_target_modules is a pattern.
_ALSO = {"fsdp": bool, "lora_target_modules": str}
_PYTHON = {"int": int, "bool": bool, "str": str, "dict": dict}


def _fits(name, value, kind):
    """Whether a value, as it is, is of the kind that the annotation of its field asks for."""
    if value is None:
        return kind.endswith("?")
    return type(value) is _ALSO.get(name) or any(_fits_part(value, part) for part in kind.rstrip("?").split("|"))


def _fits_part(value, part):
    if part == "any":
        return True
    if part == "float":
        return type(value) in (int, float)
    if part.startswith("list["):
        return type(value) is list and all(_fits_part(item, part[5:-1]) for item in value)
    return type(value) is _PYTHON[part] or (part == "bool" and value in (0, 1) and type(value) is int)


def reads_keywords(name, value, field, launch, key):
    """How TRL takes a YAML value: texts are converted by the type of the field, everything else is taken as it is.

    With loader `kwargs` (a Python call) texts are not converted either.
    """
    kind, _, choices = field
    wanted = kind.rstrip("?") if kind != "bool|str" else "bool"  # of the two the parser looks at the first alone
    if type(value) is str and is_placeholder(value):
        return UNKNOWN, None
    if choices:
        return _one_of(name, value, kind, choices)
    if name == "debug":
        return value, _debug_fault(value, launch)
    if type(value) is str:
        return _text(name, value, kind, wanted, launch, key)
    if value is None and wanted in ("int", "float") and (not kind.endswith("?") or name == "num_generations"):
        return _misfit(name, value, "null", launch, key)
    if wanted == "int" and value is not None and type(value) is not int:
        if value is True or value is False:
            return int(value), _handed_on(value, wanted)
        if type(value) is float:
            stage = "config" if _refuses_float(name, value, key) else "run"
            misfit, fault = _misfit(name, value, f"{value!r}, which the parser does not convert,", launch, key, stage)
            return int(value) if value.is_integer() else misfit, fault  # a whole one takes part in the arithmetic at first
    if name in KNOWN_AT_FIRST_STEP and key >= KNOWN_AT_FIRST_STEP[name][-1][0]:
        return value, _first_step_knows(name, value, key)
    if _fits(name, value, kind):
        return value, None
    if name in _USED_IN_CONFIG or name in _USED_IN_EVALUATION or (wanted == "int" and name in _USED_IN_TRAINER):
        if not (type(value) is bool and wanted == "float"):
            return _misfit(name, value, _shown(value), launch, key)
    return value, _handed_on(value, wanted)


def _refuses_float(name, value, key):
    """Whether the config already stumbles over a number with a point, not only the trainer."""
    if name == "torch_empty_cache_steps":
        return True
    if (0, 18) <= key[:2] <= (0, 19) and name in ("per_device_train_batch_size", "gradient_accumulation_steps"):
        return True
    # a group of 4.5 divides nothing; one of 4.0 divides, and cannot be counted later
    return name == "num_generations" and not value.is_integer() and key >= (0, 17)


def _one_of(name, value, kind, choices):
    if value in choices or (value is None and kind.endswith("?")):
        return value, None
    # the parser looks at the choices of a flag, not at those of a file
    if name in _ENUMERATIONS:
        return UNKNOWN, wrong_choice("config", value, choices)
    return value, wrong_choice("never", value, choices)


def _text(name, value, kind, wanted, launch, key):
    if name == "pad_to_multiple_of" and key >= (1, 16) and not (
        value == "auto" or value.lower() in ("none", "null") or from_text(value, "int") is not None
    ):
        return UNKNOWN, wrong_type("config", f"the text {value!r} where auto, none or a whole number belongs")
    if wanted == "list[float]" and launch.loader != "kwargs" and from_text(value, "float") is None:
        return UNKNOWN, wrong_type("read", f"the text {value!r} where a number belongs")
    if wanted not in WANTED:
        return value, _first_step_knows(name, value, key) or (None if _fits(name, value, kind) else _handed_on(value, wanted))
    if launch.loader == "kwargs":
        return _misfit(name, value, f"the text {value!r}", launch, key)
    converted = from_text(value, wanted)
    if converted is None:
        return UNKNOWN, wrong_type("read", f"the text {value!r} where {WANTED[wanted]} belongs")
    return converted, None


def _debug_fault(value, launch):
    """Transformers' switch for debugging: any number of two words, and an empty text only where no parser looks at it."""
    if type(value) is not str or (value == "" and launch.loader == "kwargs"):
        return None  # what is no text is not looked at
    if value and all(word in _DEBUG for word in value.split()):
        return None
    return wrong_choice("read" if launch.loader != "kwargs" else "config", value, _DEBUG)


_DEBUG = ("underflow_overflow", "tpu_metrics_debug")


def _misfit(name, value, what, launch, key, stage=None):
    """A value that nobody converts: an error where it is computed with, a warning elsewhere."""
    belongs = "a path" if name in ("output_dir", "logging_dir") else "a text" if name == "metric_for_best_model" else "a whole number"
    if name in _USED_IN_EVALUATION:
        strategy = launch.setting("eval_strategy")
        if strategy is None or strategy.value == "no":
            return value, wrong_type("never", f"{what} where {belongs} belongs: nobody converts it")
        if (0, 20) <= key[:2] <= (0, 21):
            stage = "run"  # these do not look at the evaluation batch before they evaluate
        return UNKNOWN, wrong_type(stage or "config", f"{what} where {belongs} belongs")
    if name not in _USED_IN_TRAINER or (name == "dataloader_num_workers" and key < (1, 1)):
        return value, wrong_type("never", f"{what} where a number belongs: nobody converts it")
    in_config = name in _USED_IN_CONFIG
    if name == "gradient_accumulation_steps" and key < (0, 17):
        in_config = False
    if name == "gradient_accumulation_steps" and not {"steps_per_generation", "generation_batch_size"}.isdisjoint(launch.entries):
        in_config = False  # then only the trainer looks at it
    return UNKNOWN, wrong_type(stage or ("config" if in_config else "run"), f"{what} where {belongs} belongs")


def _handed_on(value, wanted):
    """The parser does not look at what is no text: a value of another type goes on as it is."""
    return wrong_type("never", f"{_shown(value)} where {_in_words(wanted)} belongs: nobody converts it")


def _shown(value):
    if type(value) in (int, float, bool, type(None)):
        return shown_value(value)
    return f"the text {value!r}" if type(value) is str else f"a {_TYPE_NAMES.get(type(value), type(value).__name__)}"


def _in_words(wanted):
    words = {**WANTED, "str": "a text", "dict": "a mapping"}
    return " or ".join(words.get(part, "a list") for part in wanted.split("|"))


_TYPE_NAMES = {list: "list", dict: "mapping", bytes: "binary value"}
