"""The recorded texts of the batch and parallel arithmetic, and the rules that may speak for each.

`...` stands for a number, as in the wordings of the regimes. A recorded error belongs to a text that it begins with.
At the end: whether a finding quotes the words of a recorded error.
"""

import re

_GROUPS = "must be evenly divisible by the number of generations per prompt (...). Given the current"
_TRAIN_GROUPS = ("rollout-holds-whole-groups", "group-has-two-completions", "group-is-positive")
_EVALUATION_GROUPS = ("evaluation-holds-whole-groups", "group-has-two-completions", "group-is-positive")
_BOTH = ("rollout-size-set-once",)
_SMALL_GROUP = ("group-has-two-completions", "group-is-positive")
_NO_SEARCH = ("batch-size-is-fixed",)
_ROLLOUT_GROUPS = ("rollout-holds-whole-groups",)
_ROLLOUT_STEPS = ("rollout-holds-whole-steps", "rollout-holds-whole-micro-batches")
_UPDATE = ("update-holds-whole-micro-batches",)
_UNEVEN = ("uneven-pipeline-has-a-pipeline",)
_VLLM = ("vllm-tensor-parallel-divides-world",)

_HUGGING_FACE = {
    # TRL, and ms-swift before 4.4, which asks TRL first or copies its words
    "'generation_batch_size' and 'steps_per_generation' can not be both configured at the same time": _BOTH,
    "generation_batch_size (...) must be divisible by the global batch size (...).": _ROLLOUT_STEPS,
    "generation_batch_size (...) must be divisible by num_generations (...).": _ROLLOUT_GROUPS,
    f"The global train batch size (... x ...) {_GROUPS}": _TRAIN_GROUPS,
    f"The effective train batch size (... x ... x ...) {_GROUPS}": _TRAIN_GROUPS,
    f"The global eval batch size (... x ...) {_GROUPS}": _EVALUATION_GROUPS,
    f"The effective eval batch size (... x ...) {_GROUPS}": _EVALUATION_GROUPS,
    "The global eval batch size (... * ...) must be divisible by num_generations (...).": (
        "evaluation-holds-whole-groups", "evaluation-holds-whole-training-groups",
    ),
    "The global eval batch size (... * ...) must be divisible by the number of generations used for evaluation (...).": (
        "evaluation-holds-whole-groups",
    ),
    "GRPO requires at least ... generations per prompt to calculate the advantages. You provided ...": _SMALL_GROUP,
    "RLOO requires at least ... generations per prompt to calculate the advantages. You provided ...": _SMALL_GROUP,
}  # fmt: skip

TEXTS = {
    "trl": {
        **_HUGGING_FACE,
        "integer modulo by zero": ("group-is-positive",),
        "auto_find_batch_size is not supported by GRPO": _NO_SEARCH,
        "auto_find_batch_size is not supported by RLOO": _NO_SEARCH,
    },
    "swift": {
        **{text: rules for text, rules in _HUGGING_FACE.items() if not text.startswith("RLOO")},
        "The global eval batch size (... x ...) must be evenly divisible by the number of generations for eval (...).": (
            "evaluation-holds-whole-groups",
        ),
        "The global eval batch size (... x ...) must be evenly divisible by num_generations_eval (...).": (
            "evaluation-holds-whole-groups",
        ),
        "generation_batch_size (...) must be evenly divisible by num_generations (...).": _ROLLOUT_GROUPS,
        "generation_batch_size (...) must equal per_device_train_batch_size * world_size * steps_per_generation = ...": (
            "rollout-sizes-agree",
        ),
        "num_generations must be greater than ... for GRPO": ("group-has-two-completions",),
        "steps_per_generation must be > ..., got ...": ("rollout-takes-steps",),
        "vllm_tensor_parallel_size (...) must divide world size (...) evenly.": _VLLM,
        "integer modulo by zero": ("group-is-positive", "vllm-tensor-parallel-divides-world"),
    },
    "megatron": {
        "'generation_batch_size' and 'steps_per_generation' cannot be both configured": _BOTH,
        "generation_batch_size (...) must equal global_batch_size (...) * steps_per_generation (...) = ...": (
            "rollout-sizes-agree",
        ),
        "generation_batch_size (...) must be divisible by global_batch_size (...)": ("rollout-holds-whole-updates",),
        "generation_batch_size (...) must be divisible by num_generations (...).": _ROLLOUT_GROUPS,
        "steps_per_generation must be > ..., got ...": ("rollout-takes-steps",),
        "num_rollout_prompt (...) = generation_batch_size (...) // num_generations (...) must be divisible by dp_size (...)": (
            "rollout-prompts-divide-over-ranks",
        ),
        "per_device_num_rollout_prompt (...) must be greater than ...": ("every-rank-gets-a-prompt",),
        "Per-device rollout prompt count (...) = (generation_batch_size (...) // num_generations (...)) // dp_size (...) must be "
        "divisible by micro_batch_size (...)": ("rank-prompts-fill-micro-batches",),
        "per_device_generation_batch_size (...) must be greater than ...": ("every-process-gets-a-completion",),
        "per_device_generation_batch_size (...) must be >= ...": (
            "every-process-gets-a-completion", "model-parallel-divides-world",
        ),
        "integer modulo by zero": (
            "group-is-positive", "parallel-sizes-are-positive", "model-parallel-divides-world",
        ),
        "integer division or modulo by zero": ("group-is-positive", "parallel-sizes-are-positive"),
        "world_size (...) is not divisible by expert_tensor_model_pipeline_parallel size (...)": (
            "expert-parallel-divides-world",
        ),
        "world_size (...) is not divisible by ...": ("model-parallel-divides-world",),
        "global batch size (...) is not divisible by micro batch size (...) times data parallel size (...)": _UPDATE,
        '"REAL loss requires that the training micro_batch_size (...) is a multiple of num_generations (...).': (
            "real-loss-holds-whole-groups",
        ),
        "pipeline-model-parallel size should be greater than ... with interleaved schedule": (
            "virtual-pipeline-has-a-pipeline",
        ),
        "pipeline_model_parallel_size must be greater than ... if you want to set decoder_first_pipeline_num_layers": _UNEVEN,
        "`freeze_parameters_ratio` is not supported when `pipeline_model_parallel_size` > ...": ("frozen-share-needs-one-stage",),
        "vllm_tensor_parallel_size (...) must divide world size (...) evenly.": _VLLM,
    },
}  # fmt: skip

# A size below 1 passes or fails the tests for multiples by accident; then a rule about the size itself may speak
# instead.
_SIZES = frozenset(
    """per_device_train_batch_size per_device_eval_batch_size gradient_accumulation_steps steps_per_generation
    generation_batch_size micro_batch_size global_batch_size""".split()
)
_SIZE_RULES = frozenset(
    """rollout-is-not-empty rollout-takes-steps rollout-holds-whole-steps evaluation-is-not-empty
    batch-sizes-are-positive""".split()
)


def speakers(dialect, text, settings):
    """The rules that may speak for a text, given the settings it was recorded for."""
    below_one = any(type(value) is int and value < 1 for name, value in settings.items() if name in _SIZES)
    return _SIZE_RULES.union(TEXTS[dialect][text]) if below_one else set(TEXTS[dialect][text])


_NUMBER = r"(?:-?\d+(?:\.\d+)?)"
_EXCEPTION = re.compile(r"^\w*(?:Error|Exception): ")


def _compiled(text):
    return re.compile(_NUMBER.join(map(re.escape, text.split("..."))))


_PATTERNS = {dialect: [(_compiled(text), text) for text in texts] for dialect, texts in TEXTS.items()}


def text_of(dialect, recorded):
    """The text of the list that a recorded error begins with, or None when it is about something else."""
    recorded = _EXCEPTION.sub("", recorded or "")
    return next((text for pattern, text in _PATTERNS[dialect] if pattern.match(recorded)), None)


# --- the words of an error ------------------------------------------------------------------------------------------

# What parsers and constructors say about a single key or value, by the rule that speaks of it. These rules quote
# nothing,
# but name the key: so it has to be in the text.
_UNKNOWN_KEY = ("unexpected keyword argument '{key}'", "remaining_argv: [...'--{key}'")
_OF_ONE_KEY = {
    "key-is-known": _UNKNOWN_KEY,
    "key-is-of-this-version": _UNKNOWN_KEY,
    "key-is-not-ambiguous": ("ambiguous option: --{key} could match",),
    "value-has-the-type-of-its-key": (
        "argument --{key}...: invalid",
        "argument --{key}...: Truthy value expected",
        "remaining_argv: [",
    ),
    "value-is-a-choice": ("argument --{key}...: invalid choice", "is not a valid"),
    "list-holds-texts": ("sequence item ...: expected str instance",),
}
_SILENT_ASSERTION = "AssertionError (without a message)"


def quotes(finding, recorded):
    """Whether a finding says an error in the words of the framework, or, of a single key, names it with its key."""
    if finding.enforced:
        wordings = finding.enforced.wording.split(" / ")
        return any(_is_said(wording, recorded) for wording in wordings)
    key = finding.values.get("key") or (finding.at and finding.at.name)
    return any(_is_said(text.replace("{key}", str(key)), recorded) for text in _OF_ONE_KEY.get(finding.rule.name, ()))


def _is_said(wording, recorded):
    recorded, looked_up, _ = recorded.partition(" [oracle: ")
    if looked_up:  # the name was looked up apart from the trainer, whose text goes on with the module
        wording = wording.partition(" in swift.")[0]
    if wording.startswith(_SILENT_ASSERTION):
        return recorded.strip() == "AssertionError:"
    parts = map(re.escape, wording.split("..."))
    return bool(wording) and re.search(".*?".join(parts), " ".join(recorded.split())) is not None
