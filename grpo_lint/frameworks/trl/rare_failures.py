"""Values of settings that few files hold, and that end the run: mappings, lists and names that are looked up late. The real training
script was run on each of them (`conformance/deaths`). Loaded where a file has such a setting (`runtime_failures.py`)."""

from ...message import Message, series
from ...source.yaml.scalars import shown_value
from ..shared.late_words import backend, compiling, pairs
from ..shared.meant import misspelt_module
from ..shared.values import is_open, is_placeholder, quoted, wrong_choice, wrong_type
from .runtime_failures import (
    ACCELERATOR,
    CACHES,
    DTYPES,
    OF_TORCH,
    TASKS,
    attention,
    given,
    has_adapter,
    known_names,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, Collection, Fault, Key, Run, Stage
    from .runtime_failures import Check


_SHARDING = ("full_shard", "shard_grad_op", "no_shard", "hybrid_shard", "hybrid_shard_zero2", "offload", "auto_wrap")


def _backend(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """A compiler that accelerate looks up when the trainer is made; to name one switches compilation on."""
    if type(value) in (bool, int, float):
        return wrong_type(_when_compiled(key), Message("{value} where a name belongs", {"value": shown_value(value)}))
    return backend(value)


def _compiling(value: object, launch: "Run", key: "Key") -> "Fault | None":
    if not value and _when_compiled(key) == "init":
        return None  # what counts as false is no mode
    if type(value) in (bool, int, float):
        return wrong_type(_when_compiled(key), Message("{value} where a name belongs", {"value": shown_value(value)}))
    return compiling(value)


def _when_compiled(key: "Key") -> "Stage":
    """When a name of a compiler that is no text is refused: it becomes a variable of the environment before transformers 5."""
    return "config" if key < (0, 28) else "init"


def _sharding(value: object, launch: "Run", key: "Key") -> "Fault | None":
    names = value if type(value) is list else value.split() if type(value) is str and not is_placeholder(value) else []
    for each in filter(lambda name: not is_open(name), names):
        if each not in _SHARDING and each.lower() not in ("true", "false"):
            return wrong_choice("config", each, _SHARDING)
    return None


def _wrapping(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """Two ways of cutting the model into parts; transformers before 5 refuses both at once."""
    if type(value) is not dict or key >= (0, 28) or not given("fsdp", launch, ""):
        return None
    least = value.get("min_num_params", value.get("fsdp_min_num_params", 0))
    layers = value.get("transformer_layer_cls_to_wrap", value.get("fsdp_transformer_layer_cls_to_wrap"))
    if type(least) is int and least > 0 and layers is not None:
        return wrong_type(
            "config", Message("min_num_params beside transformer_layer_cls_to_wrap: only one of them cuts the model")
        )
    return None


# --- shapes ---------------------------------------------------------------------------------------------------------


# Parts of a layer's modules in every model, so that no module has only this name.
_INNER = frozenset(
    "q_proj k_proj v_proj o_proj qkv_proj out_proj gate_proj up_proj down_proj gate_up_proj query_key_value c_attn c_proj c_fc fc1 fc2 "
    "dense_h_to_4h dense_4h_to_h all".split()
)


def _targets(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """Names of modules that no model has: several in one text, or another spelling of all-linear."""
    if not has_adapter(launch):
        return None
    if value == []:
        return wrong_type("init", Message("an empty list: an adapter has modules"))
    for each in value if type(value) is list else [value]:
        if is_open(each):
            continue
        text = str(each)
        if text in _INNER and not (type(value) is list and len(value) > 1):
            return wrong_type(
                "init",
                Message(
                    "the one name {text}, also alone in a list: it is a pattern for the whole path of a module, such as .*{name}",
                    {"text": quoted(text), "name": text},
                ),
            )
        words = text.replace(",", " ").split()
        if len(words) > 1 and all(word.replace("_", "").replace(".", "").isalnum() for word in words):
            return wrong_type(
                "init",
                Message("the text {text}, which is taken as one name: write a list of names", {"text": quoted(text)}),
            )
        if text.lower().replace("_", "-").replace(" ", "-") == "all-linear" and text.lower() != "all-linear":
            return wrong_choice("init", text, ("all-linear", "a list of names"))
    return misspelt_module(value)


# {schedule: its options that are reckoned with}; a text is converted where the value behind says so
_RECKONED: "dict[str, dict[str, bool]]" = {
    "warmup_stable_decay": {"num_decay_steps": False},
    "polynomial": {"power": False},
    "cosine": {"num_cycles": True},
    "cosine_with_restarts": {"num_cycles": True},
}


def _schedule(value: object, launch: "Run", key: "Key") -> "Fault | None":
    if type(value) is list and value:
        return wrong_type("run", Message("a list where a mapping belongs"))
    if type(value) is not dict or key < (0, 15):
        return None
    schedule = given("lr_scheduler_type", launch, "")
    for name, is_converted in _RECKONED.get(str(schedule), {}).items():
        text = value.get(name)
        if not is_open(text) and not (is_converted and _is_number(str(text))):
            return wrong_type(
                "run",
                Message(
                    "the text {text} for {name}: the schedule computes with it",
                    {"text": quoted(str(text)), "name": name},
                ),
            )
    return _of_plateaus(value) if schedule == "reduce_lr_on_plateau" else None


def _is_number(text: str) -> bool:
    try:
        return bool(float(text) == float(text))
    except ValueError:
        return False


def _of_plateaus(options: "dict[object, object]") -> "Fault | None":
    """What torch refuses when the schedule is made."""
    mode, factor = options.get("mode", "min"), options.get("factor", 0.1)
    if not is_open(mode) and mode not in ("min", "max"):
        return wrong_choice("run", mode, ("min", "max"))
    if type(factor) in (int, float) and factor >= 1:  # type: ignore[operator]
        return wrong_type("run", Message("factor: {factor}, which has to be below 1", {"factor": shown_value(factor)}))
    return None


def _weights(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """Weights are a list of numbers: the trainer counts them, and converts them to a tensor."""
    if type(value) in (int, float):
        return wrong_type("init", Message("{value} where a list of numbers belongs", {"value": shown_value(value)}))
    for each in value if type(value) is list else []:
        if each is None or (type(each) is str and not is_placeholder(each)):
            return wrong_type(
                "init", Message("{value} in a list of numbers", {"value": "null" if each is None else quoted(each)})
            )
    return None


# Options of sampling by the names that vLLM and generate() share, and those that generate() alone has: no release of vLLM takes
# them, as its source says, and it refuses what it does not take.
_OF_SAMPLING = tuple("temperature top_p top_k min_p repetition_penalty".split())
_OF_VLLM = tuple(
    "presence_penalty frequency_penalty max_tokens min_tokens stop_token_ids ignore_eos skip_special_tokens bad_words logit_bias seed".split()
)
_OF_GENERATE = frozenset(
    "do_sample num_beams num_return_sequences max_new_tokens min_new_tokens max_length no_repeat_ngram_size eos_token_id pad_token_id".split()
)


def _generation(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """Options of sampling that nothing reads, or that end the first rollout. Without vLLM each prompt stands in the batch as
    often as its group is large."""
    uses_vllm = given("use_vllm", launch, False)
    if key < (0, 20) or uses_vllm not in (True, False):
        return None
    if type(value) is not dict:
        return None if uses_vllm else _no_mapping(value)
    fault = _unread(value, uses_vllm is True)
    if not uses_vllm:
        fault = fault or _out_of_range(value) or _unfit(value)
    return fault or _several(value.get("num_return_sequences"))


def _unread(options: "dict[object, object]", uses_vllm: bool) -> "Fault | None":
    """A Fault for an option that vLLM does not take, or that looks like another one."""
    names = [name for name in options if type(name) is str]
    of_generate = next((name for name in names if uses_vllm and name in _OF_GENERATE), None)
    if of_generate is not None:
        told = Message(
            "a mapping with the key {name}, which is one of generate() and which vLLM does not take",
            {"name": of_generate},
        )
        return wrong_type("run", told)
    known = (*_OF_SAMPLING, *(_OF_VLLM if uses_vllm else ()))
    faults = (_misspelt(name, known, names, "run" if uses_vllm else "never") for name in names)
    return next(filter(None, faults), None)


def _no_mapping(value: object) -> "Fault | None":
    """Options that are handed on as a mapping, when the trainer is made."""
    if (type(value) in (int, float, list) and value) or not is_open(value):
        return wrong_type("init", Message("{value} where a mapping belongs", {"value": _one_word(value)}))
    return None


def _unfit(options: "dict[object, object]") -> "Fault | None":
    """A Fault for an option with which generate() does not give back what the trainer reads."""
    if options.get("return_dict_in_generate") is True:
        return wrong_type("run", Message("return_dict_in_generate: true: the trainer reads completions without it"))
    if options.get("stop_strings"):
        return wrong_type(
            "run", Message("stop_strings, for which generate() wants the tokenizer, which the trainer does not pass")
        )
    words = options.get("bad_words_ids")
    if type(words) is list and any(type(word) not in (list, str) for word in words):
        return wrong_type("run", Message("bad_words_ids with something else than lists of token numbers"))
    return None


def _several(count: object) -> "Fault | None":
    """A Fault where each prompt of a batch, which stands there once for each completion, gets several."""
    if type(count) is not int or count <= 1:
        return None
    return wrong_type(
        "run",
        Message(
            "num_return_sequences: {several}, which makes more completions than there are prompts", {"several": count}
        ),
    )


# {option of generate(): whether it takes a number}
_RANGES: "dict[str, Callable[[float], bool]]" = {
    "temperature": lambda number: number >= 0,  # what becomes of 0 hinges on the transformers beside it
    "top_p": lambda number: number >= 0,
    "top_k": lambda number: number >= 0,
    "min_p": lambda number: 0 <= number <= 1,
    "repetition_penalty": lambda number: number > 0,
    "typical_p": lambda number: number > 0,
}


def _out_of_range(options: "dict[object, object]") -> "Fault | None":
    """A Fault for an option of generate() that is out of its range; it is checked in the first rollout."""
    for name, takes in _RANGES.items():
        number = options.get(name)
        if isinstance(number, (int, float)) and type(number) is not bool and not takes(number):
            return wrong_type(
                "run",
                Message("{name}: {value}, which is out of its range", {"name": name, "value": shown_value(number)}),
            )
    return None


_OF_MODELS = tuple(
    "attn_implementation device_map dtype low_cpu_mem_usage quantization_config revision torch_dtype trust_remote_code use_cache".split()
)


def _loading(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """Arguments of `from_pretrained`, where TRL passes them on. Unknown names may be settings of some model, so only
    those similar to a known one are reported."""
    if type(value) is not dict or not ((0, 22) <= key < (0, 28) or key >= (1, 15)):
        return None
    fault = _passed_wrongly(value, key) or attention(value.get("attn_implementation"), launch, (0, 28))
    faults = (_misspelt(name, _OF_MODELS, value, "init") for name in value if type(name) is str)
    return fault or next(filter(None, faults), None)


def _passed_wrongly(options: "dict[object, object]", key: "Key") -> "Fault | None":
    """A Fault for an argument of `from_pretrained` that it does not take."""
    if "pretrained_model_name_or_path" in options:
        return wrong_type("init", Message("pretrained_model_name_or_path, which the trainer passes itself"))
    if not is_open(options.get("quantization_config")):
        return wrong_type("init", Message("a text for quantization_config, where a mapping belongs"))
    for name in ("dtype", "torch_dtype") if key < (0, 28) else ("dtype",):
        named = options.get(name)
        if not is_open(named) and named not in DTYPES and (key >= (0, 28) or named not in OF_TORCH):
            return wrong_choice("init", named, DTYPES)
    return None


def _misspelt(name: str, known: "tuple[str, ...]", given: "Collection[object]", stage: "Stage") -> "Fault | None":
    """A Fault for a key of a mapping that looks like a known one which is not `given` beside it; of others nobody knows what they are
    for."""
    if name in known:
        return None
    from difflib import get_close_matches  # rare

    close = get_close_matches(name, known, n=1, cutoff=0.87)
    if not close or close[0] in given:
        return None
    fault = wrong_type(
        stage,
        Message("a mapping with the unknown key {name}; did you mean {meant}?", {"name": name, "meant": close[0]}),
    )
    fault.values["inner"] = (name, close[0])
    return fault


def _accelerator(value: object, launch: "Run", key: "Key") -> "Fault | None":
    if type(value) in (bool, int, float, list):
        return wrong_type(
            "config", Message("{value} where a mapping or a file of JSON belongs", {"value": _one_word(value)})
        )
    if type(value) is not dict:
        return None
    unknown = next((name for name in value if type(name) is str and name not in ACCELERATOR), None)
    if unknown is not None:
        return wrong_type(
            "config",
            Message(
                "a mapping with the unknown key {unknown}: it has {known}",
                {"unknown": unknown, "known": series(sorted(ACCELERATOR))},
            ),
        )
    if value.get("use_configured_state") is True:
        return wrong_type(
            "config", Message("use_configured_state: true: nothing has made a state of accelerate before")
        )
    streams = given("dataset_streaming", launch, False) or given("streaming", launch, False)
    if value.get("dispatch_batches") is True and not streams:  # a rule reports it for streams
        return wrong_type(
            "run",
            Message("dispatch_batches: true, which hands tensors from one process to the others: prompts are texts"),
        )
    return _accumulating(value.get("gradient_accumulation_kwargs"), launch)


_ACCUMULATING = frozenset("num_steps adjust_scheduler sync_with_dataloader sync_each_batch".split())


def _accumulating(value: object, launch: "Run") -> "Fault | None":
    """What the trainer refuses to hand to accelerate for its accumulation."""
    if type(value) in (bool, int, float, list) and value:
        return wrong_type(
            "init",
            Message(
                "{value} for gradient_accumulation_kwargs, where a mapping belongs",
                {"value": _one_word(value)},
            ),
        )
    if type(value) is not dict:
        return None
    steps = given("gradient_accumulation_steps", launch, 1)
    if "num_steps" in value and type(steps) is int and steps > 1:
        return wrong_type(
            "init",
            Message(
                "num_steps: {inner} beside gradient_accumulation_steps {steps}: the trainer takes one of the two",
                {"inner": shown_value(value["num_steps"]), "steps": steps},
            ),
        )
    unknown = next((name for name in value if type(name) is str and name not in _ACCUMULATING), None)
    if unknown is None:
        return None
    return wrong_type(
        "never",
        Message(
            "gradient_accumulation_kwargs with the unknown key {unknown}, which transformers 5.2 and later refuses, and older ones drop: "
            "it has {known}",
            {"unknown": unknown, "known": series(sorted(_ACCUMULATING))},
        ),
    )


def _one_word(value: object) -> "Message | str":
    return Message("a list") if type(value) is list else shown_value(value)


def _parallelism(value: object, launch: "Run", key: "Key") -> "Fault | None":
    if type(value) is str and not is_placeholder(value):
        return wrong_type("read", Message("a text where an object of accelerate belongs, which no file can hold"))
    if type(value) in (int, float) and value:
        return wrong_type(
            "init", Message("{value} where an object of accelerate belongs", {"value": shown_value(value)})
        )
    if type(value) is dict and value:
        return wrong_type("init", Message("a mapping where an object of accelerate belongs, which no file can hold"))
    return None


_STORAGES = ("float16", "float32", "int8", "uint8", "float64", "bfloat16")

LOOKS: "dict[str, Check]" = {
    "accelerator_config": _accelerator,
    "bnb_4bit_quant_storage": known_names(
        _STORAGES, where=lambda launch, key: given("load_in_4bit", launch, False) is True
    ),
    "cache_implementation": known_names(CACHES, where=lambda launch, key: given("use_vllm", launch, False) is False),
    "fsdp": _sharding,
    "fsdp_config": _wrapping,
    "lora_target_modules": _targets,
    "lora_task_type": known_names(TASKS, where=lambda launch, key: has_adapter(launch)),
    "generation_kwargs": _generation,
    "lr_scheduler_kwargs": _schedule,
    "model_init_kwargs": _loading,
    "optim_args": lambda value, launch, key: pairs(value),
    "parallelism_config": _parallelism,
    "reward_weights": _weights,
    "torch_compile_backend": _backend,
    "torch_compile_mode": _compiling,
    "torchdynamo": _backend,
}
