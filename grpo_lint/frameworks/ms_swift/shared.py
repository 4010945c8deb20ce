"""What `swift rlhf` and `megatron rlhf` share: one argument parser, which reads a config file as command-line flags."""

from ...message import Message, verbatim, within
from ...source.entry import Flag, is_alone
from ...source.quoting import shortened
from ...unknown import UNKNOWN
from ..base import (
    REFUSED,
    ConfigFiles,
    Configs,
    Fate,
    Fault,
    Keys,
    Knobs,
    Programs,
    Releases,
    Trainer,
    Values,
    whole_number,
)
from ..catalogue import Field
from ..shared import vllm
from ..shared.values import (
    DEBUG_OPTIONS,
    WANTED,
    from_text,
    is_placeholder,
    quoted,
    switched,
    unfilled,
    wrong_choice,
    wrong_type,
)
from ..versions import version_key
from .recognition import OTHER_TRAINERS, SERVER_KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...shared_types import Key, Lookup, Mapping, Run


# Fields whose text is a JSON mapping, or a file that holds one. A malformed text is repaired as far as possible, but a
# text without bracket, quote and digit is no JSON. With a dot or a slash it may be the path of a file.
JSON_FIELDS = frozenset(
    """columns device_groups gradient_checkpointing_kwargs limit_mm_per_prompt lr_scheduler_kwargs max_memory megatron_extra_kwargs
    model_kwargs mrl_dims rope_scaling vit_gradient_checkpointing_kwargs vllm_engine_kwargs vllm_limit_mm_per_prompt vllm_speculative_config""".split()
)
NO_JSON = r"""(?!(?:true|false|null|NaN|-?Infinity)$)[^\]\[{}"'0-9./\\]*"""
# For these the JSON must be a mapping: a number, true or false is refused as well.
MAPPING_FIELDS = frozenset({"model_kwargs", "mrl_dims"})
NO_MAPPING = r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|NaN|-?Infinity|" + NO_JSON
# Texts that are no JSON and are accepted; an empty text is not read.
TEXTS_BESIDE_JSON = {
    "gradient_checkpointing_kwargs": ("",),
    "lr_scheduler_kwargs": ("",),
    "max_memory": ("None",),
    "rope_scaling": ("", "linear", "dynamic", "yarn"),
}

# Texts that are not among the choices of the catalogue, and that the parser or the arguments accept.
NAMES = {
    "debug": DEBUG_OPTIONS,
    "torch_dtype": (
        "bfloat16",
        "float16",
        "float32",
        "half",
        "float",
        "torch.bfloat16",
        "torch.float16",
        "torch.float32",
    ),
}


# Names and paths, and mappings or files of them, which no number is; a mapping is no path either.
_PATHS = frozenset(
    (
        "ckpt_dir",
        "custom_dataset_info",
        "custom_register_path",
        "external_plugins",
        "load",
        "mcore_model",
        "mcore_ref_model",
        "model_type",
        "resume_from_checkpoint",
        "teacher_model",
        "template",
    )
)
_NO_NUMBERS = _PATHS | {"accelerator_config", "fsdp", "fsdp_config", "rope_scaling"}


def reads_flags(name: str, value: object, field: "Field", launch: "Run", key: "Key") -> "tuple[object, Fault | None]":
    """How ms-swift reads a YAML value: as the text of a command-line flag, converted by the type of the field."""
    if name in NAMES and not field.choices:
        field = Field("list[str]" if name == "debug" else "str", field.default, NAMES[name])
    kind, choices = field.type, field.choices
    wanted = kind.rstrip("?") if kind != "bool|str" else "bool"  # of the two types the parser uses the first only
    if wanted in ("dict", "any"):  # an empty text is an empty mapping for some of these fields
        problem = Message("a value where none can be given: the parser cannot read this field from a flag")
        return UNKNOWN, None if value == "" else wrong_type("read", problem)
    if type(value) is list:
        return _list_of_flags(name, value, field, launch, key)
    if wanted.startswith("list"):
        found, fault = reads_flags(name, value, Field(wanted[5:-1], None, choices), launch, key)
        return (found if found is UNKNOWN else [found]), fault
    if type(value) is str and is_placeholder(value):
        return UNKNOWN, None if type(launch.entries.get(name)) is Flag else unfilled(value, wanted)
    if wanted not in WANTED:
        return _text(name, value, choices)
    return _converted(value, wanted, choices)


def _converted(value: object, wanted: str, choices: "tuple[object, ...] | None") -> "tuple[object, Fault | None]":
    """What the parser makes of a value for a number, or for true or false."""
    if isinstance(value, dict):
        return UNKNOWN, wrong_type("read", Message("a mapping where {wanted} belongs", {"wanted": WANTED[wanted]}))
    converted = value if type(value) is int and wanted == "int" else from_text(str(value), wanted)
    if converted is None:
        return UNKNOWN, wrong_type(
            "read", Message("{what} where {wanted} belongs", {"what": _as_flag(value), "wanted": WANTED[wanted]})
        )
    if choices and converted not in choices:
        return UNKNOWN, wrong_choice("read", value, choices)
    return converted, None


def _text(name: str, value: object, choices: "tuple[object, ...] | None") -> "tuple[object, Fault | None]":
    if value in (None, "None") and choices and None in choices:
        return None, None
    text = value if type(value) is str else _as_json(value) if type(value) is dict else str(value)
    if choices and text not in map(str, choices):
        return UNKNOWN, wrong_choice("read", value, choices)
    if name in _NO_NUMBERS and (fault := _no_path(name, value, text)):
        return text, fault
    if name in JSON_FIELDS and text not in TEXTS_BESIDE_JSON.get(name, ()) and (fault := no_json(name, value, text)):
        return UNKNOWN, fault
    return text, Fault("never", "null-is-not-a-text") if value is None else None


def no_json(name: str, value: object, text: str) -> "Fault | None":
    """A text that is no JSON, where a mapping, its JSON or its file belongs."""
    import re

    if not re.fullmatch(NO_MAPPING if name in MAPPING_FIELDS else NO_JSON, text):
        return None
    wanted = within(Message("a mapping"), Message("or its JSON, or a file that holds it"))
    return wrong_type("config", Message("{what} where {wanted} belongs", {"what": _as_flag(value), "wanted": wanted}))


def _no_path(name: str, value: object, text: str) -> "Fault | None":
    """A number, or for a path alone a mapping, where a name or a path belongs."""
    if type(value) not in (int, float) and (name not in _PATHS or type(value) is not dict):
        return None
    wanted = Message("a name or a path") if name in _PATHS else Message("a mapping or the name of a file")
    return wrong_type("never", Message("{what} where {wanted} belongs", {"what": text, "wanted": wanted}))


def _as_json(mapping: "dict[Any, Any]") -> str:
    from json import dumps

    try:
        return dumps(mapping, ensure_ascii=False, default=str, skipkeys=True)
    except (ValueError, RecursionError):  # a mapping that contains itself
        return "{...}"


# The versions that join the flags of a file as texts, and so fail on a number in a list.
_JOINS_FLAGS = ((3, 10), (4, 5))


def _list_of_flags(
    name: str, value: "list[Any]", field: "Field", launch: "Run", key: "Key"
) -> "tuple[object, Fault | None]":
    """A list becomes several flag values. A field for one value accepts a list of one, and no field an empty list."""
    kind, default, choices = field.type, field.default, field.choices
    if not value:
        if kind.rstrip("?").partition("|")[0] == "bool" and default is not None:
            return True, None  # a flag without a value
        return UNKNOWN, wrong_type("read", Message("an empty list, but a flag needs at least one value,"))
    odd = next((item for item in value if type(item) is not str), "")
    if _JOINS_FLAGS[0] <= key[:2] <= _JOINS_FLAGS[1] and not isinstance(odd, (str, dict, type(None))):
        return UNKNOWN, _no_text(odd)
    wanted = kind.rstrip("?")
    if wanted.startswith("list"):
        inner = Field(wanted[5:-1], None, choices)
        items, faults = zip(*[reads_flags(name, item, inner, launch, key) for item in value])
        fault = next((fault for fault in faults if fault is not None and fault.stage != "never"), None)
        return (UNKNOWN if UNKNOWN in items else list(items)), fault
    if len(value) > 1:
        told = Message(
            "a list of {count} where one value belongs: all but the first are unknown arguments", {"count": len(value)}
        )
        advice = Message("Write one value; the words of a text belong in quotes.")
        return UNKNOWN, Fault("read", "value-has-the-type-of-its-key", problem=told, advice=advice)
    return reads_flags(name, value[0], field, launch, key)


def _no_text(odd: object) -> "Fault":
    return Fault("read", "list-holds-texts", value=shortened(repr(odd)) if type(odd) is list else odd)


def _as_flag(value: object) -> Message:
    if value is None:
        return Message("null, which becomes the text 'None',")
    return Message("the text {text}", {"text": quoted(value)}) if type(value) is str else verbatim(repr(value))


# The oldest releases of companions that ms-swift accepts: {first version that requires it: release}, the newest first.
_OLDEST_TRL = {(3, 12, 5): "0.20", (3, 4): "0.17"}
_OLDEST_LIGER = {(4, 0): "0.7.0", (3, 10): "0.6.3"}
_FIRST_VLLM_WITH_PROBABILITIES = (0, 10, 2)
_FIRST_VLLM_WITH_ROUTERS = (0, 14)


_UNKNOWN_KEY = "the parser, when the file is read, unless ignore_args_error is on: then the key is dropped"
_LAST_COUNTS = "otherwise the last of the two counts"
PARSER_SAYS = {
    "key-stands-once": f"3.10 - 4.0 the YAML loader, when the file is read; {_LAST_COUNTS}",
    "key-is-known": _UNKNOWN_KEY,
    "key-is-of-this-version": _UNKNOWN_KEY,
    "keys-are-read": "not refused where ignore_args_error is on",
    "key-is-spelt-out": "not refused: the parser completes the key to the one that begins like it",
    "key-is-not-ambiguous": "the parser, when the file is read",
    "required-key-is-given": "the parser, when the file is read",
    "null-is-not-a-text": "not refused: the parser accepts the text",
    "list-holds-texts": "3.10 - 4.5 the command, when it makes flags of the file; later versions take the list",
}

# Old and new names in both commands of ms-swift; a name is suggested only where the version knows it.
SUCCESSORS = {
    "train_type": "tuner_type",
    "tensor_parallel_size": "vllm_tensor_parallel_size",
    "multi_turn_func": "multi_turn_scheduler",
    "custom_register_path": "external_plugins",
    "per_gpu_train_batch_size": "per_device_train_batch_size",
}


def _rows(datasets: object) -> "int | None":
    """The rows of all data sets together where every name states them; None otherwise."""
    names = datasets if type(datasets) is list else [datasets]
    counts = [whole_number(name.rpartition("#")[2]) if type(name) is str and "#" in name else None for name in names]
    known = [count for count in counts if count]
    return sum(known) if counts and len(known) == len(counts) else None


class MsSwiftConfigs(Configs):
    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """Processes from the ENV section, rows from the names of data sets.

        `NPROC_PER_NODE` x `NNODES` is what `swift` and `megatron` pass to torchrun; `name#1000` takes 1000 rows of a
        data set.
        """
        facts = {}
        environment = value("ENV")
        if type(environment) is dict and ("NPROC_PER_NODE" in environment or "NNODES" in environment):
            per_node = whole_number(environment.get("NPROC_PER_NODE", 1))
            nodes = whole_number(environment.get("NNODES", 1))
            if per_node and nodes:
                facts["world_size"] = (per_node * nodes, "ENV")
        rows = _rows(value("dataset"))
        if rows:
            facts["dataset_size"] = (rows, "dataset")
        return facts

    def file_wins(self, key: "Key") -> bool:
        """3.10 to 4.0 append the settings of the file to the command line, so that the file overrides it."""
        return (3, 10) <= key[:2] <= (4, 0)


class MsSwiftKeys(Keys):
    abbreviates = True

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        """`ENV` sets environment variables before the launch, from 4.1."""
        return name == "ENV" and key >= (4, 1)

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        if launch.loader == "kwargs":
            return Fate(
                "error",
                "config",
                Message("the class of arguments refuses it", plural="the class of arguments refuses them", count=1),
            )
        ignores = launch.setting("ignore_args_error")
        if ignores is not None and switched(ignores.value):
            return Fate(
                "warning",
                "never",
                Message(
                    "ignore_args_error is on, so it is dropped",
                    plural="ignore_args_error is on, so they are dropped",
                    count=1,
                ),
                brief=Message("ignore_args_error is on"),
            )
        return REFUSED


class MsSwiftValues(Values):
    """YAML values become the texts of flags."""

    choices = {"loss_type": "known_losses"}

    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        entry = launch.entries.get(name)
        if entry is not None and is_alone(entry):
            from ..shared.bare_flags import refusal

            is_on = value == "True"
            return refusal(entry.name, is_on, field) or (is_on, None)
        found = reads_flags(name, value, field, launch, key)
        if name == "target_modules" and found[1] is None:
            from ..shared.meant import misspelt_module

            return found[0], misspelt_module(value)
        return found

    def null_is_text(self, field: "Field") -> bool:
        """True except where None is one of the choices."""
        return not (field.choices and None in field.choices)


class MsSwiftReleases(Releases):
    package = "ms-swift"

    def companion_facts(self, versions: "Mapping[str, str]", key: "Key") -> dict[str, object]:
        """Empty for packages without a known version."""
        facts: dict[str, object] = {}
        for package, table, verdict in (
            ("trl", _OLDEST_TRL, "trl_is_supported"),
            ("liger-kernel", _OLDEST_LIGER, "liger_is_supported"),
        ):
            installed, oldest = (
                versions.get(package),
                next((entry for since, entry in table.items() if key >= since), None),
            )
            if installed and oldest:
                name = package.replace("-", "_")
                facts[name], facts[f"oldest_{name}"] = installed, oldest
                facts[verdict] = version_key(installed) >= version_key(oldest)
        if versions.get("vllm"):
            facts["vllm"] = versions["vllm"]
            facts["vllm_gives_probabilities"] = version_key(versions["vllm"]) >= _FIRST_VLLM_WITH_PROBABILITIES
            facts["vllm_records_routers"] = version_key(versions["vllm"]) >= _FIRST_VLLM_WITH_ROUTERS
        return facts


TRAINER = Trainer(key="rlhf_type", others=OTHER_TRAINERS)
PROGRAMS = Programs(server=vllm.SERVER, rewards="grpo_lint.frameworks.ms_swift.data_rewards")
FILES = ConfigFiles(
    reads_yaml_since=(3, 10),
    accepts_strange_arguments="ignore_args_error",
    config_forms={True: ((3, 10), (4, 0)), False: ((4, 1), None)},
    config_read_with="use_ray",
    unique_keys=((3, 10), (4, 0)),
)
KNOBS = Knobs(families=(SERVER_KEYS,))
