"""How TRL reads a YAML value: `TrlParser` sets it as the default of an argument, or Python code passes it as a
keyword."""

from ...message import NOTHING, Message, any_of, parts, verbatim
from ...source.entry import Flag, is_alone, is_set, loaded
from ...source.yaml.scalars import shown_value
from ...unknown import UNKNOWN
from ..base import Values
from ..shared.values import (
    DEBUG_OPTIONS,
    WANTED,
    from_text,
    is_nothing,
    is_placeholder,
    quoted,
    unfilled,
    wrong_choice,
    wrong_type,
)
from .runtime_failures import LOOKED_AT, failure_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Fault, Field, Key, Run, Stage

# Settings that the config classes compute with, compare, or open as a path when they are created, so that a value of
# another type ends the run. The effects were tried with the real packages. Other fields may tolerate such a value, so
# it is a warning there.
_USED_IN_CONFIG = frozenset(
    """per_device_train_batch_size gradient_accumulation_steps num_generations steps_per_generation generation_batch_size
    logging_steps save_steps warmup_steps dataloader_num_workers output_dir logging_dir
    metric_for_best_model warmup_ratio torch_empty_cache_steps""".split()
)
# The config class reads these only where the strategy beside them counts steps; the trainer compares each that is not
# null.
_INTERVALS = {"logging_steps": "logging_strategy", "save_steps": "save_strategy"}
_USED_IN_TRAINER = _USED_IN_CONFIG | {"num_iterations", "max_steps"}
# Only read when something is evaluated.
_USED_IN_EVALUATION = frozenset({"per_device_eval_batch_size", "num_generations_eval"})
# Part of the batch arithmetic, which accepts a number with a decimal point. Before 0.20 it counts up to most of them.
_BATCH = frozenset(
    """per_device_train_batch_size gradient_accumulation_steps num_generations steps_per_generation generation_batch_size
    per_device_eval_batch_size num_generations_eval""".split()
)
_LARGEST = 1 << 40
_BELONGS = {
    "output_dir": Message("a path"),
    "logging_dir": Message("a path"),
    "metric_for_best_model": Message("a text"),
}  # elsewhere a whole number
# Any number is accepted, with or without a decimal point, but nothing else, not even null.
ANY_NUMBER = frozenset({"ddp_timeout", "tp_size"})
# Texts that transformers converts to a member of an enumeration when the config is created.
_ENUMERATIONS = frozenset(
    "eval_strategy evaluation_strategy save_strategy logging_strategy lr_scheduler_type optim hub_strategy".split()
)
_LOOKED_UP_IN_TRAINER = frozenset({"log_level", "log_level_replica"})

# Names that nothing checks before the first training step, and the names that step knows: (first version, names), the
# newest first.
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


def first_step_knows(name: str, value: object, key: "Key") -> "Fault | None":
    """A Fault when the first training step fails on an unknown name."""
    for since, names in KNOWN_AT_FIRST_STEP.get(name, ()):
        if key >= since:
            known = any(value is name or (value == name and type(value) is str) for name in names)
            # 0 and 1 are found under false and true
            known = known or (type(value) in (int, float) and value in (0, 1) and False in names)
            # scale_rewards is looked up in a table, and a collection cannot be
            stage: Stage = (
                "config" if name == "scale_rewards" and type(value) in (list, dict) and key >= (0, 22, 2) else "run"
            )
            return None if known else wrong_choice(stage, value, [known for known in names if type(known) is str])
    return None


# What the classes accept beyond their annotation: true and false have a meaning for fsdp and resume_from_checkpoint,
# and the text of lora_target_modules is a pattern.
_ALSO = {"fsdp": bool, "lora_target_modules": str, "resume_from_checkpoint": bool}
# Of a text and another type, the parser uses only the other, unless null is allowed, too.
_NOT_TEXT = {"bool|str": "bool", "str|dict": "dict"}
_PYTHON = {"int": int, "bool": bool, "str": str, "dict": dict}


# Settings that decide whether another one may be null or of a wrong type.
READ_TOGETHER = frozenset(
    """dataset_streaming datasets eval_steps eval_strategy fsdp generation_batch_size load_best_model_at_end logging_strategy loss_type lr_scheduler_type optim
    load_in_4bit save_strategy steps_per_generation streaming sync_ref_model use_cpu use_peft use_vllm vllm_importance_sampling_cap
    vllm_importance_sampling_clip_max vllm_importance_sampling_clip_min""".split()
)


def _fits(name: str, value: object, kind: str) -> bool:
    """Whether a value has the type that the annotation of its field requires."""
    if value is None:
        return kind.endswith("?")
    return type(value) is _ALSO.get(name) or any(_fits_part(value, part) for part in kind.rstrip("?").split("|"))


def _fits_part(value: object, part: str) -> bool:
    if part == "any":
        return True
    if part == "float":
        return type(value) in (int, float)
    if part.startswith("list["):
        return type(value) is list and all(_fits_part(item, part[5:-1]) for item in value)
    return type(value) is _PYTHON[part] or (part == "bool" and value in (0, 1) and type(value) is int)


def _is_list_of_words(value: object, kind: str) -> bool:
    return type(value) is list or ("list[" in kind and type(value) is str)


class TrlValues(Values):
    read_together = READ_TOGETHER
    unset_means = {"bf16": True}
    equivalent = {"scale_rewards": ((True, "group"), (False, "none")), "top_k": ((None, 0, -1),)}
    defaults_dropped_later = frozenset(
        ("max_prompt_length", "vllm_device")
    )  # prompts are cut at 512 tokens; an engine has a GPU of its own
    done_before = {  # read in `compute_loss` of each release
        "loss_type": (((0, 14), "grpo"), ((0, 16), "bnpo")),
        "vllm_importance_sampling_correction": (((0, 14), False),),
        "use_bias_correction_kl": (((0, 14), False),),
    }
    done_since = {
        "vllm_device": Message(
            "an engine has no GPU of its own: it shares those of training (vllm_mode: colocate), or is a server"
        ),
        "max_prompt_length": Message("prompts are no longer cut: filter the data by length"),
    }

    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        """Texts are converted by the type of the field, but for those of a call of Python; everything else is kept."""
        kind = field.type
        if field.has_type_of(value) and name not in KNOWN_AT_FIRST_STEP:
            return value, None  # nearly every value
        is_flag = type(launch.entries[name]) is Flag
        found = _read_as_flag(name, value, field, launch, key) if is_flag else None
        if found is not None:
            return found
        failure = failure_of(name, value, launch, key) if value is None or name in LOOKED_AT else None
        if failure:
            return (UNKNOWN if value is None else value), failure
        found = _read_by_name(name, value, field, launch, key)
        if found is not None:
            return found
        if (type(value) is not str or launch.loader == "kwargs") and _is_no_number(name, value, launch):
            return UNKNOWN, wrong_type("config", Message("{value} where a number belongs", {"value": _shown(value)}))
        wanted = _NOT_TEXT.get(kind, kind.rstrip("?"))
        if type(value) is str:
            return _text(name, value, kind, wanted, launch, key)
        return _no_text(name, value, kind, wanted, launch, key)

    def takes_anything(self, name: str, field: "Field") -> bool:
        return (
            not field.choices
            and field.type in ("str", "str?")
            and name not in KNOWN_AT_FIRST_STEP
            and name not in ("debug", "output_dir")
            and name not in LOOKED_AT
        )


# of other defaults or types by releases of transformers; and two that are declared as `bool` with a default of None
_OF_ITS_OWN = frozenset(("activation_checkpointing", "average_tokens_across_devices", "fsdp", "use_liger_loss"))


def _read_as_flag(
    name: str, value: object, field: "Field", launch: "Run", key: "Key"
) -> "tuple[object, Fault | None] | None":
    """What becomes of a flag with several words, or with none; None for any other."""
    entry = launch.entries[name]
    found = None
    if is_alone(entry) and name not in _OF_ITS_OWN:
        from ..shared.bare_flags import refusal

        is_certain = launch.reads_flag_as_declared(name)
        found = None if is_certain is False else refusal(entry.name, value == "True", field, is_certain)
    if found is None and _is_list_of_words(value, field.type):
        return _flag(name, value, field.type, launch, key)
    return found


def _is_no_fault_as_null(name: str, field: "Field") -> bool:
    """Whether nobody minds null: a rule reports that of one setting, since it depends on transformers; others are as off as by default."""
    return name == "max_grad_norm" or (field.type == "bool" and field.default is False)


def _read_by_name(
    name: str, value: object, field: "Field", launch: "Run", key: "Key"
) -> "tuple[object, Fault | None] | None":
    """What becomes of a value of which its type does not decide; None for any other."""
    if value is None and _is_no_fault_as_null(name, field):
        return None, None
    if value == "" and name == "output_dir":
        return UNKNOWN, wrong_type("init", Message("an empty text where a path belongs"))
    if type(value) is str and is_placeholder(value):
        return UNKNOWN, None if launch.loader == "kwargs" else unfilled(value, field.type.rstrip("?"))
    if field.choices:
        return _one_of(name, value, field.type, field.choices)
    if name == "debug":
        return value, _debug_fault(value, launch)
    if name == "datasets":
        return _mixture(value, key)
    if name == "lora_target_modules" and type(value) is dict and len(value) == 1 and 0 not in value:
        return UNKNOWN, wrong_type(
            "config", Message("a mapping of one entry, of which the first is taken as if it were a list")
        )
    return None


def _no_text(
    name: str, value: object, kind: str, wanted: str, launch: "Run", key: "Key"
) -> "tuple[object, Fault | None]":
    """What the arithmetic, or what comes after it, makes of a value that the parser keeps as it is."""
    if value is None and wanted in ("int", "float") and (not kind.endswith("?") or name == "num_generations"):
        return _misfit(name, value, verbatim("null"), launch, key)
    if wanted == "int" and type(value) is bool:
        return int(value), _handed_on(value, wanted)
    if wanted == "int" and type(value) is float:
        return _with_a_point(name, value, launch, key)
    if name in KNOWN_AT_FIRST_STEP and key >= KNOWN_AT_FIRST_STEP[name][-1][0]:
        return value, first_step_knows(name, value, key)
    if _fits(name, value, kind):
        return value, None
    if _is_computed_with(name, wanted) and not (type(value) is bool and wanted == "float"):
        return _misfit(name, value, _shown(value), launch, key)
    return value, _handed_on(value, wanted)


def _is_computed_with(name: str, wanted: str) -> bool:
    return name in _USED_IN_CONFIG or name in _USED_IN_EVALUATION or (wanted == "int" and name in _USED_IN_TRAINER)


def _flag(name: str, value: object, kind: str, launch: "Run", key: "Key") -> "tuple[object, Fault | None]":
    """The words behind a flag, where it takes several or is given several."""
    if "list[" in kind:
        words, fault = _words(value, kind)
        return words, fault or failure_of(name, words, launch, key)
    if kind.startswith("str") and type(value) is list and "your" in [str(word).lower() for word in value]:
        return UNKNOWN, None  # `Put your model path here`: whoever starts it has to fill it in
    count = len(value) if type(value) is list else 1
    values = {"words": count, "wanted": _in_words(kind.rstrip("?"))}
    problem = Message("{words} words where {wanted} belongs: the parser has no place for the others", values)
    quotes = Message("in quotes they are one") if kind.startswith("str") else NOTHING
    return UNKNOWN, wrong_type("never", parts((problem, quotes)))


def _words(value: object, kind: str) -> "tuple[object, Fault | None]":
    """The values of a flag that takes several: always a list, and the parser converts each of them."""
    words = value if type(value) is list else [value]
    wanted = kind.partition("list[")[2].partition("]")[0]
    if wanted not in WANTED:
        return words, None
    converted = [from_text(word, wanted) if type(word) is str else word for word in words]
    if None in converted:
        return UNKNOWN, wrong_type(
            "read",
            Message(
                "the text {value} where {wanted} belongs",
                {"value": quoted(str(words[converted.index(None)])), "wanted": WANTED[wanted]},
            ),
        )
    return converted, None


def _with_a_point(name: str, value: float, launch: "Run", key: "Key") -> "tuple[object, Fault | None]":
    """A number with a decimal point for a whole number: the arithmetic accepts it, until it is used to count."""
    stage = _stage_of_a_point(name, value, launch, key)
    misfit, fault = _misfit(
        name, value, Message("{value}, which the parser does not convert,", {"value": repr(value)}), launch, key, stage
    )
    if value.is_integer():
        return int(value), fault
    return value if name in _BATCH and stage == "run" and abs(value) < _LARGEST else misfit, fault


def _stage_of_a_point(name: str, value: float, launch: "Run", key: "Key") -> "Stage":
    """When a number with a decimal point is refused: by the config class, by the checks of the trainer, or when the run
    counts up to it."""
    if name == "warmup_steps":
        return "config"
    if name == "torch_empty_cache_steps":
        return "config" if key >= (0, 16) or value <= 0 else "never"
    if name == "num_generations":
        divides = value.is_integer() or (key >= (0, 20) and value >= 2)
        return "run" if divides else _stage_of_batch_checks(key)
    if name not in _BATCH or key >= (0, 20):
        return "run"
    # these versions list the divisors of a batch, which fails for a number with a decimal point
    if name == "gradient_accumulation_steps" and (key < (0, 17) or _has_own_rollout(launch)):
        return "run"
    return _stage_of_batch_checks(key)


def _stage_of_batch_checks(key: "Key") -> "Stage":
    return "run" if key < (0, 15) else "init" if key < (0, 18) else "config"


def _has_own_rollout(launch: "Run") -> bool:
    return not {"steps_per_generation", "generation_batch_size"}.isdisjoint(launch.entries)


def _is_no_number(name: str, value: object, launch: "Run") -> bool:
    """Whether a value is no number where the config class computes with the setting, or compares it because of another
    one."""
    if type(value) in (int, float, bool):
        return False
    if name == "ddp_timeout" and value is None and _given("use_cpu", launch, False) is True:
        return False  # processes on CPUs are given no limit
    return name in ANY_NUMBER or (value is not None and _is_compared(name, launch))


_BOUNDS = frozenset({"vllm_importance_sampling_cap", "vllm_importance_sampling_clip_max"})


def _is_compared(name: str, launch: "Run") -> bool:
    if name == "total_episodes":
        return True
    if name == "eval_steps":
        return _evaluation_strategy(launch) == "steps"
    if name in _BOUNDS:
        return _is_given("vllm_importance_sampling_clip_min", launch)
    return name == "vllm_importance_sampling_clip_min" and (
        "vllm_importance_sampling_clip_max" not in launch.entries or any(_is_given(bound, launch) for bound in _BOUNDS)
    )


def _is_given(name: str, launch: "Run") -> bool:
    return name in launch.entries and is_set(launch.entries[name])


def _evaluation_strategy(launch: "Run") -> object:
    return _given("eval_strategy", launch, "no")


def _given(name: str, launch: "Run", otherwise: object) -> object:
    return loaded(launch.entries[name].value) if _is_given(name, launch) else otherwise


def _is_counted(name: str, launch: "Run") -> bool:
    """Whether the config class computes with the steps between two logs, or two checkpoints."""
    if _given(_INTERVALS[name], launch, "steps") == "steps":
        return True
    if _evaluation_strategy(launch) != "steps":
        return False
    if name == "save_steps":
        return bool(_given("load_best_model_at_end", launch, False))
    return _given("eval_steps", launch, None) in (None, 0)


_DATASET_KEYS = frozenset("path name data_dir data_files split columns".split())


def dataset_keys(key: "Key") -> "frozenset[str]":
    """The keys of a data set in a mixture; `fraction` is accepted from 1.8."""
    return _DATASET_KEYS | {"fraction"} if key >= (1, 8) else _DATASET_KEYS


def _mixture(value: object, key: "Key") -> "tuple[object, Fault | None]":
    """The data sets of a mixture: a list of mappings, each with a path. The keys of a single mapping are listed as if
    it were one."""
    if type(value) is dict:
        return value, _handed_on(value, "list[any]")
    if type(value) is not list:
        return UNKNOWN, wrong_type(
            "config", Message("{value} where a list of mappings belongs", {"value": _shown(value)})
        )
    known = dataset_keys(key)
    for item in value:
        if type(item) is not dict:
            return value, wrong_type("init", Message("{what} in a list of mappings", {"what": _shown(item)}))
        unknown = [name for name in item if name not in known]
        if unknown or "path" not in item:
            problem = Message("the unknown key {key}", {"key": unknown[0]}) if unknown else Message("no path")
            return value, wrong_type(
                "config",
                Message(
                    "a mapping with {problem}: a data set has {names}",
                    {"problem": problem, "names": ", ".join(sorted(known))},
                ),
            )
    return value, _of_fractions([item.get("fraction") for item in value])


def _of_fractions(fractions: "list[object]") -> "Fault | None":
    if len({each is None for each in fractions}) == 2:
        return wrong_type("init", Message("a fraction for some of the data sets: all of them have one, or none"))
    numbers = [each for each in fractions if isinstance(each, (int, float))]
    if numbers and len(numbers) == len(fractions) and not sum(numbers):
        return wrong_type("init", Message("fractions that add up to 0, by which the script divides"))
    return None


def _one_of(name: str, value: object, kind: str, choices: "tuple[object, ...]") -> "tuple[object, Fault | None]":
    if value in choices or (value is None and kind.endswith("?")):
        return value, None
    # the parser checks the choices of a flag, not those of a file
    if name in _ENUMERATIONS:
        return UNKNOWN, wrong_choice("config", value, choices)
    return value, wrong_choice("init" if name in _LOOKED_UP_IN_TRAINER else "never", value, choices)


def _text(name: str, value: str, kind: str, wanted: str, launch: "Run", key: "Key") -> "tuple[object, Fault | None]":
    if name == "pad_to_multiple_of" and not _is_padding(value, key):
        return UNKNOWN, wrong_type(
            "config", Message("the text {value} where auto, none or a whole number belongs", {"value": quoted(value)})
        )
    if _means_null(value, kind, launch, key):
        return _misfit(name, None, verbatim("null"), launch, key) if name == "num_generations" else (None, None)
    belongs = _what_belongs(name, value, wanted) if launch.loader != "kwargs" else NOTHING
    if belongs:
        return UNKNOWN, wrong_type(
            "read", Message("the text {value} where {wanted} belongs", {"value": quoted(value), "wanted": belongs})
        )
    if "dict" in wanted and value[:1] == "{" and "str" in wanted:
        return _from_json(value)
    if wanted not in WANTED:
        fault = first_step_knows(name, value, key)
        return value, fault if fault or _fits(name, value, kind) else _handed_on(value, wanted)
    if launch.loader != "kwargs":
        return from_text(value, wanted), None
    if wanted == "bool":
        return value, _handed_on(value, wanted)
    return _misfit(name, value, Message("the text {text}", {"text": quoted(value)}), launch, key)


def _what_belongs(name: str, text: str, wanted: str) -> Message:
    """What the parser wants in the place of a text that it refuses; empty where it takes it."""
    if wanted == "list[float]" and name != "reward_clip_range":
        return Message("a number") if from_text(text, "float") is None else NOTHING
    if wanted == "dict":
        return Message("a mapping") if text else NOTHING
    return WANTED[wanted] if wanted in WANTED and from_text(text, wanted) is None else NOTHING


def _is_padding(text: str, key: "Key") -> bool:
    """Whether a release takes a text for a size to which it pads."""
    return key < (1, 16) or text == "auto" or is_nothing(text) or from_text(text, "int") is not None


def _means_null(text: str, kind: str, launch: "Run", key: "Key") -> bool:
    """From 1.6 the parser is TRL's own, and reads two words as null wherever no text is meant."""
    return key >= (1, 6) and launch.loader != "kwargs" and kind in ("int?", "float?", "dict?") and is_nothing(text)


def _from_json(text: str) -> "tuple[object, Fault | None]":
    import json  # rare

    try:
        return json.loads(text), None
    except ValueError:
        return UNKNOWN, wrong_type(
            "config", Message("the text {text}, which begins like JSON and is none", {"text": quoted(text)})
        )
    except RecursionError:
        return text, None  # as far as it is checked


def _debug_fault(value: object, launch: "Run") -> "Fault | None":
    """Transformers' debugging switch: any number of two words, and an empty text only where no parser checks it."""
    if type(value) is not str or (value == "" and launch.loader == "kwargs"):
        return None  # a value that is no text is not checked
    if value and all(word in DEBUG_OPTIONS for word in value.split()):
        return None
    return wrong_choice("read" if launch.loader != "kwargs" else "config", value, DEBUG_OPTIONS)


def _misfit(
    name: str, value: object, what: Message, launch: "Run", key: "Key", stage: "Stage | None" = None
) -> "tuple[object, Fault | None]":
    """A value that is not converted: an error where it is computed with, a warning elsewhere."""
    problem = Message("{what} where {wanted} belongs", {"what": what, "wanted": _BELONGS.get(name, WANTED["int"])})
    if name in _USED_IN_EVALUATION:
        if _evaluation_strategy(launch) == "no" or (name == "num_generations_eval" and not value):
            return value, wrong_type("never", Message("{what}, not {wanted}, and nothing converts it", problem.values))
        # some do not check the evaluation batch before they evaluate
        checks_late = key < (0, 15) or (0, 20) <= key[:2] <= (0, 21)
        return UNKNOWN, wrong_type("run" if checks_late else stage or "config", problem)
    if name not in _USED_IN_TRAINER or _is_unused(name, key):
        return value, wrong_type("never", Message("{what}, not a number, and nothing converts it", {"what": what}))
    return UNKNOWN, wrong_type(_stage_of_misfit(name, what, launch, key, stage), problem)


def _is_unused(name: str, key: "Key") -> bool:
    """Whether a release does not compute with a setting that others compute with."""
    return (name == "dataloader_num_workers" and key < (1, 1)) or (name == "logging_dir" and key >= (0, 28))


def _stage_of_misfit(name: str, what: str, launch: "Run", key: "Key", stage: "Stage | None") -> "Stage":
    """When a value that is not converted ends the run. `stage`: when one with a decimal point does."""
    if name == "output_dir" and what == "null":
        return "init"  # the trainer creates the folder
    if name in _INTERVALS and not _is_counted(name, launch):
        return stage or ("never" if what == "null" else "run")
    if name == "gradient_accumulation_steps" and (key < (0, 17) or _has_own_rollout(launch)):
        return stage or "run"  # then only the trainer reads it
    in_config = name in _USED_IN_CONFIG and (name not in _BATCH or key >= (0, 15))
    return stage or ("config" if in_config else "run")


def _handed_on(value: object, wanted: str) -> "Fault":
    """The parser checks only texts: a value of another type is passed on unchanged."""
    return wrong_type(
        "never",
        Message("{what}, not {wanted}, and nothing converts it", {"what": _shown(value), "wanted": _in_words(wanted)}),
    )


def _shown(value: object) -> Message:
    if type(value) in (int, float, bool, type(None)):
        return verbatim(shown_value(value))
    if type(value) is str:
        return Message("the text {text}", {"text": quoted(value)})
    return _TYPE_NAMES.get(type(value)) or verbatim(f"a {type(value).__name__}")


def _in_words(wanted: str) -> Message:
    words = {**WANTED, "str": Message("a text"), "dict": Message("a mapping")}
    return any_of([words.get(part, Message("a list")) for part in wanted.split("|")])


_TYPE_NAMES: "dict[type, Message]" = {
    list: Message("a list"),
    dict: Message("a mapping"),
    bytes: Message("a binary value"),
}
