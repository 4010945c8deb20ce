"""ms-swift: `swift rlhf --rlhf_type grpo`, the Hugging Face trainer of ms-swift."""

from ...base import Arithmetic, Copies, Flags, Framework, Reader, Refusals, Renames
from ...by_release import Enforcements, regimes_of
from ...catalogue import Catalogue
from ...shared import deepspeed, models, vllm
from ...shared.hugging_face import (
    ANNOUNCED_STEPS,
    OWN_NAMES,
    STEPS_OF,
    TRAINING_ARGUMENTS,
    passes_of,
    rows_of_arguments,
)
from ...shared.json_kinds import PRESETS, JsonFile
from ...shared.memory import MEMORY
from ...shared.sections import beside
from ...shared.values import unknown_tracker
from ...versions import version_key
from ..rewards import REGISTRIES
from ..shared import (
    FILES,
    KNOBS,
    PARSER_SAYS,
    PROGRAMS,
    SUCCESSORS,
    TRAINER,
    MsSwiftConfigs,
    MsSwiftKeys,
    MsSwiftReleases,
    MsSwiftValues,
    no_json,
)
from . import catalogue, rules
from .enforcement import ENFORCEMENT
from .options import FORMULAS, IDLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ....message import Message
    from ....shared_types import Fault, Field, Key, Lookup, Mapping, Run, Shape, Table


_BATCH: "Table" = {
    **MEMORY,
    "group_size": "num_generations",
    "distils": "False",
    "micro_batch": "per_device_train_batch_size",
    "accumulation": (
        "gradient_accumulation_steps",
        "max(1, ceil(16 / per_device_train_batch_size / world_size))",
    ),
    "dp_size": "world_size",
    "completions_per_step": "micro_batch * world_size",
    "completions_per_update": "completions_per_step * accumulation",
    "completions_per_rollout": "completions_per_step",
    "steps_per_rollout": "1",
    "updates_per_rollout": "ratio(num_iterations, accumulation)",
    "prompts_per_rollout": "completions_per_rollout // group_size",
    "rollout_prompts_per_rank": "ratio(prompts_per_rollout, dp_size)",
    "prompts_per_update": "ratio(completions_per_update, group_size)",
    "evaluation_is_on": ("eval_strategy != 'no'", "save_strategy != 'no'"),
    "evaluates": "evaluation_is_on",
    "eval_group_size": "num_generations",
    "eval_completions": "per_device_eval_batch_size * world_size",
    "has_validation_set": ("len(val_dataset) > 0", "False"),
    "splits_validation_set": "split_dataset_ratio > 0 and not has_validation_set and not streaming",
    "training_rows": (
        "dataset_size - max(int(dataset_size * split_dataset_ratio), 1) if splits_validation_set else dataset_size"
    ),
}

# What its companions count: the loader and the sampler of TRL 0.16 (0.17 beside 3.4), and the trainer of transformers.
_STEPS: "Table" = {
    **ANNOUNCED_STEPS,
    "steps_per_epoch": "max(ceil(micro_steps_per_epoch / accumulation) if counts_partial_update else micro_steps_per_epoch // accumulation, 1)",
    "total_steps": "max_steps if max_steps > 0 else ceil(num_train_epochs * steps_per_epoch)",
    "epochs_covered": "ratio(max_steps, steps_per_epoch) if max_steps > 0 else nothing",
    "micro_steps_of_data": "ratio(completions_per_epoch, completions_per_step)",
    "prompts_per_sampled_batch": "completions_per_update // group_size",
    "micro_steps_taken_per_epoch": STEPS_OF.format("completions_taken"),
    # one for each micro step of an update, each used for num_iterations updates
    "rollouts": "ceil(executed_steps * accumulation / num_iterations)",
}
_V31: "Table" = {
    **_BATCH,
    **_STEPS,
    "updates_per_rollout": "ratio(1, accumulation)",
    "rollouts": "executed_steps * accumulation",
}

# Where the engine sleeps an update is one pass, whatever is written.
_V32: "Table" = {
    **_STEPS,
    "updates_per_rollout": "ratio(num_iterations, accumulation)",
    "accumulation": (
        "1 if engine_sleeps else gradient_accumulation_steps",
        "1 if engine_sleeps else max(1, ceil(16 / per_device_train_batch_size / world_size))",
    ),
}

_V34: "Table" = {
    **_BATCH,
    **_STEPS,
    "prompts_per_sampled_batch": "prompts_per_rollout",
    "micro_steps_taken_per_epoch": "training_rows // prompts_per_rollout * num_iterations * accumulation",
    "rollouts": "ceil(executed_steps / updates_per_rollout)",
    "completions_per_rollout": "completions_per_step * accumulation",
    "steps_per_rollout": "accumulation",
    "updates_per_rollout": "num_iterations",
}

# The processes of a sequence-parallel group share one batch. The trainer takes that many more micro steps, so that
# updates and rollouts keep their sizes.
_V35: "Table" = {
    **_BATCH,
    "dp_size": "world_size // max(1, sequence_parallel_size)",
    "accumulation": (
        "gradient_accumulation_steps * max(1, sequence_parallel_size)",
        "max(1, ceil(16 / per_device_train_batch_size / world_size)) * max(1, sequence_parallel_size)",
    ),
    "completions_per_step": "micro_batch * dp_size",
    "completions_per_update": "micro_batch * world_size * accumulation // max(1, sequence_parallel_size)",
    "rollout_size_by_steps": "micro_batch * world_size * steps_per_generation",
    "completions_per_rollout": (
        "generation_batch_size",
        "micro_batch * world_size * steps_per_generation",
        "completions_per_update",
    ),
    "steps_per_rollout": (
        "generation_batch_size // completions_per_step",
        "steps_per_generation * max(1, sequence_parallel_size)",
        "accumulation",
    ),
    "updates_per_rollout": "ratio(num_iterations * steps_per_rollout, accumulation)",
    "prompts_per_sampled_batch": "prompts_per_rollout",
    "micro_steps_per_epoch": "training_rows // prompts_per_rollout * steps_per_rollout * num_iterations",
    "steps_per_epoch": "max(ceil(micro_steps_per_epoch / accumulation) if counts_partial_update else micro_steps_per_epoch // accumulation, 1)",
    "total_steps": "max_steps if max_steps > 0 else ceil(num_train_epochs * steps_per_epoch)",
    "epochs_covered": "ratio(max_steps, steps_per_epoch) if max_steps > 0 else nothing",
    "micro_steps_of_data": "ratio(completions_per_epoch, completions_per_step)",
    "generation_engines": "world_size // engine_ranks if engines_share_gpus else nothing",
    "processes_per_engine": "engine_ranks if engines_share_gpus else nothing",
    # a rollout is generated while the one before it is trained on
    "on_policy": ("updates_per_rollout <= 1 and not async_generate", "updates_per_rollout <= 1"),
    # until 3.11.0 a missing or wrong vllm_mode is replaced: by server when a server is named, else by colocate
    "engines_share_gpus": (
        "use_vllm and not vllm_server_host",
        "use_vllm and not vllm_server_base_url",
        "use_vllm",
    ),
}

_EVALUATES_WITH_A_SET = "evaluation_is_on and (has_validation_set or has_evaluation_set or splits_validation_set)"

_V36: "Table" = {
    **_V35,
    "has_evaluation_set": ("len(eval_dataset) > 0", "False"),
    "evaluates": _EVALUATES_WITH_A_SET,
}

_V37: "Table" = {
    **_V36,
    "accumulation": ("gradient_accumulation_steps * max(1, sequence_parallel_size)", "max(1, sequence_parallel_size)"),
}

_V3111: "Table" = {**_V37, "engines_share_gpus": "use_vllm and vllm_mode == 'colocate'"}

_V312: "Table" = {
    **_V3111,
    "eval_group_size": ("num_generations_eval or num_generations", "num_generations"),
}

_V44: "Table" = {
    **_V312,
    "distils": ("len(teacher_model) > 0", "len(teacher_model_server) > 0", "False"),
    # with a group of 1 (distillation) these versions check neither the rollout nor the evaluation batch
    "eval_group_size": (
        "num_generations_eval or num_generations if num_generations > 1 else 1",
        "num_generations if num_generations > 1 else 1",
    ),
}


REGIMES = regimes_of(
    {
        "3.1": _V31,
        "3.2": _V32,
        "3.4": _V34,
        # the loader has as many steps as it announces
        "3.5": {**dict.fromkeys((*ANNOUNCED_STEPS, "micro_steps_taken_per_epoch", "rollouts")), **_V35},
        "3.6": _V36,
        "3.7": _V37,
        "3.11.1": _V3111,
        "3.12": _V312,
        "4.4": _V44,
    },
    FORMULAS,
    IDLE,
)


# Looked up when the trainer is made or begins.
_LATE = frozenset(("optim_args", "torch_compile_backend", "torch_compile_mode"))


# Since then fsdp is the name of a preset, or JSON.
FSDP_IS_JSON = (3, 12)
FSDP_PRESETS = ("", "fsdp2")


def _late(name: str, value: object, key: "Key") -> "Fault | None":
    """What is wrong with a text that is looked up when the trainer is made or begins."""
    if name == "fsdp" and key >= FSDP_IS_JSON and type(value) is str and value not in FSDP_PRESETS:
        return no_json(name, value, value)
    if name == "report_to":
        return unknown_tracker(value)
    if name not in _LATE:
        return None
    from ...shared.late_words import LATE  # few files set them

    return LATE[name](value)


class SwiftValues(MsSwiftValues):
    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        found, fault = super().read(name, value, field, launch, key)
        return found, fault or _late(name, found, key)


class SwiftReleases(MsSwiftReleases):
    # some it declares itself, or reads in its own way
    companion_fields = {
        name: declared
        for name, declared in TRAINING_ARGUMENTS.items()
        if name not in ("warmup_ratio", "warmup_steps", "fsdp", "group_by_length", "dataloader_multiprocessing_context")
    }

    def companion_facts(self, versions: "Mapping[str, str]", key: "Key") -> dict[str, object]:
        """Also the step count and the warm-up of transformers, and an evaluation check of TRL."""
        return {
            **super().companion_facts(versions, key),
            "last_update_may_be_partial": version_key(versions["transformers"]) >= (4, 52),
            "trl_checks_evaluation": version_key(versions["trl"]) < (0, 26),
            "ratio_replaces_steps": (5,) <= version_key(versions["transformers"]) < (5, 15),
        }


_SEQUENCES = "sequence_parallel_size"


class SwiftArithmetic(Arithmetic):
    regimes = REGIMES
    own_names = OWN_NAMES
    spreads_over_devices = True

    def settings_of(self, shape: "Shape", key: "Key", value: "Lookup | None" = None) -> "dict[str, object] | None":
        if key < (3, 4) and shape.passes != 1:  # a rollout is one pass, however many passes make an update
            return None
        return passes_of(
            shape, self.framework.releases.has("steps_per_generation", key), _SEQUENCES if key >= (3, 5) else ""
        )

    def why_not(self, shape: "Shape", version: str, key: "Key") -> "Message":
        from ...shared.spread import why_not_spread  # only a plan asks

        return why_not_spread(shape, self.framework.title, version, parts=key >= (3, 5))


_PARALLEL = vllm.KNOBS | {_SEQUENCES}
FRAMEWORK = Framework(
    name="swift",
    title="ms-swift",
    catalogue=Catalogue(catalogue),
    copies=Copies(module="grpo_lint.frameworks.ms_swift.copied", registries=REGISTRIES),
    reader=Reader(
        configs=MsSwiftConfigs(),
        trainer=TRAINER,
        keys=MsSwiftKeys(),
        renames=Renames(
            successors=SUCCESSORS,
            remarks={
                "global_batch_size": "it is per_device_train_batch_size x gradient_accumulation_steps x processes"
            },
        ),
        values=SwiftValues(),
        programs=PROGRAMS,
        flags=Flags(
            fileless_starters=("swift", "torchrun", "deepspeed", "python"), starter_attachment=deepspeed.of_starter
        ),
        files=FILES.but(
            attachments={
                "deepspeed": deepspeed.attached,
                "model": models.attached,
                "dataset": beside,
                "external_plugins": beside,
            },
            launcher_attachment=deepspeed.of_launcher,
            json_files=dict.fromkeys(("deepspeed", "teacher_deepspeed"), JsonFile(PRESETS, needs="zero_optimization")),
        ),
    ),
    releases=SwiftReleases(),
    arithmetic=SwiftArithmetic(),
    refusals=Refusals(
        saving=("save_strategy == 'no'", "save_strategy", ("checkpoint-",), ()),
        replaced_in="grpo_lint.frameworks.ms_swift.swift.replaced",
        may_replace=frozenset(
            """evaluation_strategy gradient_accumulation_steps lazy_tokenize load_data_args loss_scale max_completion_length max_new_tokens model
            multi_turn_scheduler padding_free remove_unused_columns response_length resume_from_checkpoint run_name sleep_level
            split_dataset_ratio target_modules truncation_strategy tuner_type use_hf vllm_data_parallel_size
            vllm_gpu_memory_utilization vllm_max_model_len vllm_mode vllm_tensor_parallel_size vllm_use_async_engine""".split()
        ),
        enforcement=Enforcements(ENFORCEMENT, rules.RULES),
        parser_says={**PARSER_SAYS, "version-reads-yaml": "not refused: before 3.10 nothing reads the file"},
        registrations={"loss-type-is-known": ("loss_type", ())},
        for_any_trainer=frozenset(
            (
                *(row.rule for row in rows_of_arguments("3.1")),
                "cache-is-emptied-now-and-then",
                "evaluation-strategy-is-known",
                "scheduler-is-known",
                "warmup-is-not-negative",
                "classifier-has-labels",
                "quantisation-has-its-bits",
                "sharding-is-of-one-kind",
                "streams-have-steps",
                "tokens-are-made-beforehand",
                "run-has-a-model",
                "run-has-data",
                "packing-has-flash-attention",
                "devices-divide-over-processes",
                "warmup-is-said-once",
                "warmup-is-a-part",
                "warmup-steps-count",
            )
        ),
    ),
    knobs=KNOBS.but(
        names=(
            "gradient_accumulation_steps",
            "steps_per_generation",
            "generation_batch_size",
            "per_device_train_batch_size",
            "num_generations",
            "per_device_eval_batch_size",
            "num_generations_eval",
            "vllm_tensor_parallel_size",
            "sequence_parallel_size",
        ),
        parallel=_PARALLEL,
        dividing_the_model=_PARALLEL,
    ),
)
