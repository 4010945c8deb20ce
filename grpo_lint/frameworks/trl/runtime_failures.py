"""Values that the parser accepts and that end the run: nulls, unknown names, and texts for lists. The real training
script was run on each of them (`conformance/deaths`). Numbers out of range and incompatible settings are rules
(`ranges.py`)."""

from ...message import Message
from ...source.entry import is_set, loaded
from ...source.yaml.scalars import shown_value
from ..shared.values import ATTENTION, is_open, is_placeholder, quoted, unknown_tracker, wrong_choice, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, Fault, Key, Run, Stage

    Check = Callable[[object, Run, Key], Fault | None]


def failure_of(name: str, value: object, launch: "Run", key: "Key") -> "Fault | None":
    """A Fault when a value that the parser accepts ends the run."""
    if value is None:
        return _of_null(name, launch, key)
    if name in RARE:
        from .rare_failures import LOOKS as of_few_files

        return of_few_files[name](value, launch, key)
    look = LOOKS.get(name)
    return look(value, launch, key) if look else None


def given(name: str, launch: "Run", otherwise: object) -> object:
    entry = launch.entries.get(name)
    return loaded(entry.value) if entry is not None and is_set(entry) else otherwise


# --- null -----------------------------------------------------------------------------------------------------------


def _always(launch: "Run") -> bool:
    return True


def has_adapter(launch: "Run") -> bool:
    return given("use_peft", launch, False) is True


def _clips_ratios(launch: "Run") -> bool:
    """Whether the loss reads epsilon; the default one does."""
    return given("loss_type", launch, "grpo") in ("grpo", "bnpo", "dr_grpo", "dapo", "luspo")


def _has_adam(launch: "Run") -> bool:
    """Whether the optimizer is PyTorch's own Adam, as by default."""
    return given("optim", launch, "adamw_torch") in ("adamw_torch", "adamw_torch_fused")


def _has_strict_optimizer(launch: "Run") -> bool:
    """Whether the optimizer is one of those that were tried; for others the effect is unknown."""
    return given("optim", launch, "adamw_torch") in ("adamw_torch", "adamw_torch_fused", "sgd", "adafactor")


def _has_loss(loss: str) -> "Callable[[Run], bool]":
    return lambda launch: given("loss_type", launch, "") == loss


def _synchronises(launch: "Run") -> bool:
    return given("sync_ref_model", launch, False) is True


# {setting: (first release, when its null ends the run, under which condition)}
_NULLS: "dict[str, tuple[Key, Stage, Callable[[Run], bool]]]" = {
    "temperature": ((0, 16), "run", _always),
    "beta": ((0, 14), "run", _always),
    "seed": ((0, 14), "init", _always),
    "num_train_epochs": ((0, 14), "run", _always),
    "learning_rate": ((0, 14), "run", _has_strict_optimizer),
    "weight_decay": ((0, 14), "run", _has_strict_optimizer),
    "adam_beta1": ((0, 14), "run", _has_adam),
    "adam_beta2": ((0, 14), "run", _has_adam),
    "adam_epsilon": ((0, 14), "run", _has_adam),
    "epsilon": ((0, 16), "run", _clips_ratios),
    "ref_model_mixup_alpha": ((0, 15), "run", _synchronises),
    "top_entropy_quantile": ((0, 20), "run", _always),
    "sapo_temperature_neg": ((0, 29), "run", _has_loss("sapo")),
    "sapo_temperature_pos": ((0, 29), "run", _has_loss("sapo")),
    "vespo_k_pos": ((1, 0), "run", _has_loss("vespo")),
    "vespo_k_neg": ((1, 0), "run", _has_loss("vespo")),
    "vespo_lambda_pos": ((1, 0), "run", _has_loss("vespo")),
    "vespo_lambda_neg": ((1, 0), "run", _has_loss("vespo")),
    "ref_model_sync_steps": ((0, 15), "run", _synchronises),
    "lora_r": ((0, 14), "init", has_adapter),
    "lora_alpha": ((0, 14), "init", has_adapter),
    "lora_dropout": ((0, 14), "init", has_adapter),
}


def _of_null(name: str, launch: "Run", key: "Key") -> "Fault | None":
    since, stage, holds = _NULLS.get(name, ((), "never", _always))
    if not since or key < since or not holds(launch):
        return None
    return wrong_type(stage, Message("null where a number belongs"))


# --- names ----------------------------------------------------------------------------------------------------------

CACHES = tuple(
    "static offloaded_static sliding_window hybrid hybrid_chunked offloaded_hybrid offloaded_hybrid_chunked dynamic dynamic_full "
    "offloaded quantized paged mamba".split()
)

DTYPES = ("auto", "bfloat16", "float16", "float32")
# Further names of torch, which the scripts before 1.5 looked up there.
OF_TORCH = frozenset("half float double float64".split())
TASKS = ("CAUSAL_LM", "SEQ_CLS", "SEQ_2_SEQ_LM", "TOKEN_CLS", "QUESTION_ANS", "FEATURE_EXTRACTION")
# {first release whose training script knows them: rewards by name}
_REWARDS: "tuple[tuple[Key, tuple[str, ...]], ...]" = (
    ((0, 26), ("accuracy_reward", "reasoning_accuracy_reward", "think_format_reward", "get_soft_overlong_punishment")),
    ((0, 24), ("accuracy_reward", "think_format_reward", "get_soft_overlong_punishment")),
    ((0, 22), ("think_format_reward", "get_soft_overlong_punishment")),
    ((0, 18), ("think_format_reward",)),
)


def known_names(names: "tuple[str, ...]", stage: "Stage" = "init", where: "Callable[[Run, Key], bool]" = lambda launch, key: True,
           also: "Callable[[object, Key], bool]" = lambda value, key: False) -> "Check":  # fmt: skip
    """What finds a text that is none of some names, `where` they are looked up and it is none that a release knows `also`."""

    def look(value: object, launch: "Run", key: "Key") -> "Fault | None":
        if is_open(value) or value in names or not where(launch, key) or also(value, key):
            return None
        return wrong_choice(stage, value, names)

    return look


def attention(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """A name that is neither one of transformers nor a kernel of the hub; before 0.28 TRL's script does not check
    it."""
    if type(value) is not str or is_placeholder(value) or key < (0, 28) or "/" in value or ":" in value:
        return None
    return None if value.removeprefix("paged|") in ATTENTION else wrong_choice("init", value, ATTENTION)


ACCELERATOR = frozenset(
    "split_batches dispatch_batches even_batches use_seedable_sampler non_blocking gradient_accumulation_kwargs use_configured_state".split()
)


def _rewards(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """Rewards that TRL's training script looks up: known names, or paths such as module.function."""
    names = next((names for since, names in _REWARDS if key >= since), None)
    if names is None:
        return None
    if type(value) is str and not is_placeholder(value):
        fault = wrong_type(
            "init", Message("the text {value} where a list belongs: each letter is looked up", {"value": quoted(value)})
        )
        known = value in names or "." in value
        from ..shared.meant import likely  # few names are misspelt

        meant = value if known else likely(value, [*names]) or likely(f"{value}_reward", [*names])
        fault.values["meant"] = [meant] if meant else None
        return fault
    for each in value if type(value) is list else []:
        if not is_open(each) and each not in names and "." not in str(each):
            return wrong_choice("init", each, names, such_as="rewards.length")
    return None


def _dataset(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """The name that TRL's script loads, unless there is a mixture in its place."""
    if type(value) in (int, float, bool) and not given("datasets", launch, None):
        return wrong_type(
            "init", Message("{value} where the name of a data set belongs", {"value": shown_value(value)})
        )
    return None


def _split(value: object, launch: "Run", key: "Key") -> "Fault | None":
    """TRL's script loads all splits and uses the one of this name."""
    if type(value) is str and "[" in value and not is_placeholder(value) and "datasets" not in launch.entries:
        return wrong_type(
            "init",
            Message(
                "the text {value} where the name of a split belongs: a part of one is written below datasets",
                {"value": quoted(value)},
            ),
        )
    return None


def _evaluation_split(value: object, launch: "Run", key: "Key") -> "Fault | None":
    return None if given("eval_strategy", launch, "no") in ("no", False) else _split(value, launch, key)


# {setting: what finds a wrong value, also where the parser accepts every text}
LOOKS: "dict[str, Check]" = {
    "attn_implementation": attention,
    "dataset_name": _dataset,
    "dataset_test_split": _evaluation_split,
    "dataset_train_split": _split,
    "dtype": known_names(
        DTYPES, where=lambda launch, key: key >= (0, 28), also=lambda value, key: value in OF_TORCH and key < (1, 5)
    ),
    "report_to": lambda value, launch, key: unknown_tracker(value),
    "reward_funcs": _rewards,
}
# Settings of few files, whose checks are loaded only for them.
RARE = frozenset(
    "accelerator_config bnb_4bit_quant_storage cache_implementation fsdp fsdp_config generation_kwargs lora_target_modules lora_task_type lr_scheduler_kwargs model_init_kwargs optim_args parallelism_config reward_weights torch_compile_backend torch_compile_mode torchdynamo".split()
)
LOOKED_AT = LOOKS.keys() | RARE
