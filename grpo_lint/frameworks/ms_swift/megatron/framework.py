"""Megatron-SWIFT: `megatron rlhf --rlhf_type grpo`, ms-swift on Megatron-Core."""

from math import prod

from ....message import Message
from ....source.yaml.reader import Mapping, target
from ....unknown import UNKNOWN
from ...base import Arithmetic, Attached, Copies, Fate, Framework, Reader, Refusals, Renames, whole_number
from ...by_release import Enforcements, regimes_of
from ...catalogue import Catalogue
from ...shared import models, vllm
from ...shared.megatron_rules import ENDS_BY_FLAG
from ...shared.memory import MEMORY
from ...shared.sections import beside
from ...shared.values import switched
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
)
from . import batch_rules, catalogue, rules
from .enforcement import ENFORCEMENT
from .options import FORMULAS, IDLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ....shared_types import Entry, Key, Lookup, Run, Shape, Table


_BATCH: "Table" = {
    **MEMORY,
    # the share of a rank, where a size divides the whole
    "heads_per_rank": "heads_of_model // tensor_model_parallel_size if splits_heads else nothing",
    "layers_per_stage": "layers_of_model // pipeline_model_parallel_size if splits_layers else nothing",
    "experts_per_rank": "experts_of_model // expert_model_parallel_size if splits_experts else nothing",
    "group_size": "num_generations",
    "distils": "False",
    "micro_batch": "micro_batch_size",
    "model_parallel_size": "tensor_model_parallel_size * pipeline_model_parallel_size * context_parallel_size",
    "expert_parallel_size": (
        "expert_model_parallel_size * expert_tensor_parallel_size * pipeline_model_parallel_size",
        "expert_model_parallel_size * pipeline_model_parallel_size",
    ),
    # sizes of expert parallelism may be negative: only their product is checked
    "smallest_parallel_size": (
        "min(tensor_model_parallel_size, pipeline_model_parallel_size, context_parallel_size, expert_factor)"
    ),
    "uneven_pipeline": (
        "decoder_first_pipeline_num_layers is not None",
        "decoder_last_pipeline_num_layers is not None",
    ),
    "dp_size": "world_size // model_parallel_size",
    "completions_per_pass": "micro_batch * dp_size",
    "completions_per_update": "global_batch_size",
    "accumulation": "completions_per_update // completions_per_pass",
    "rollout_size_by_steps": "global_batch_size * steps_per_generation",
    "completions_per_rollout": (
        "generation_batch_size",
        "global_batch_size * steps_per_generation",
        "global_batch_size",
    ),
    # a step of steps_per_generation is an update here, not a micro step
    "updates_per_rollout": ("generation_batch_size // global_batch_size", "steps_per_generation", "1"),
    "prompts_per_rollout": "completions_per_rollout // group_size",
    "rollout_prompts_per_rank": "prompts_per_rollout // dp_size",
    "prompts_per_update": "ratio(global_batch_size, group_size)",
    "update_prompts_per_rank": "ratio(global_batch_size, group_size * dp_size)",
    "completions_per_process": "completions_per_rollout // world_size",
    "rollout_iterations": "completions_per_rollout // dp_size // group_size // micro_batch",
    "completions_per_replica": "model_parallel_size * completions_per_process",
    "completions_wanted_per_replica": "rollout_iterations * micro_batch * group_size",
    "has_validation_set": ("len(val_dataset) > 0", "False"),
    "has_cached_validation_set": ("len(cached_val_dataset) > 0", "False"),
    "splits_validation_set": ("split_dataset_ratio > 0 and not has_validation_set", "False"),
    "evaluates": (
        "(has_validation_set or has_cached_validation_set or splits_validation_set) and eval_iters != 0",
        "has_validation_set or has_cached_validation_set or splits_validation_set",
    ),
    "eval_group_size": "num_generations",
    "eval_iterations": "completions_per_rollout // dp_size // eval_group_size // micro_batch",
    "eval_completions_per_replica": "completions_per_replica",
    "engine_gpus": "vllm_tensor_parallel_size * vllm_data_parallel_size",
    "engines_share_gpus": "use_vllm and vllm_mode == 'colocate'",
    "training_rows": (
        "dataset_size - max(int(dataset_size * split_dataset_ratio), 1) if splits_validation_set else dataset_size"
    ),
    "rows_used": "training_rows // completions_per_pass * completions_per_pass",
    "completions_per_epoch": "training_rows // completions_per_pass * completions_per_pass * group_size",
    "rollouts_per_epoch": "completions_per_epoch // completions_per_rollout",
    "epochs_covered": "ratio(train_iters, steps_per_epoch)",
    "expert_data_parallel_size": "world_size // expert_parallel_size if expert_model_parallel_size > 1 else nothing",
    "generation_engines": "world_size // engine_ranks if engines_share_gpus else nothing",
    "processes_per_engine": "engine_ranks if engines_share_gpus else nothing",
    "epochs": "max_epochs",
    "steps_per_epoch": "completions_per_epoch // global_batch_size",
    "total_steps": ("int(completions_per_epoch * epochs) // global_batch_size", "train_iters"),
    "validation_rows": (
        "eval_dataset_size",
        "max(int(dataset_size * split_dataset_ratio), 1) if splits_validation_set else 0",
    ),
    "evaluation_steps": "eval_iters if eval_iters >= 0 else max(validation_completions // global_batch_size, 1)",
}

_OWN_EVALUATION_GROUP: "Table" = {"eval_group_size": ("num_generations_eval or num_generations", "num_generations")}

_V40: "Table" = {**_BATCH, **_OWN_EVALUATION_GROUP, "epochs": "num_train_epochs"}

# under Ray nothing is evaluated: validation sets are dropped with a warning
_V43: "Table" = {**_V40, "evaluates": tuple(f"not use_ray and ({formula})" for formula in _BATCH["evaluates"])}

_V44: "Table" = {
    **_V43,
    "distils": ("len(teacher_model) > 0", "len(teacher_model_server) > 0", "False"),
    "eval_iterations": "global_batch_size // dp_size // eval_group_size // micro_batch",
    "eval_completions_per_replica": "model_parallel_size * (completions_per_process // steps_per_rollout)",
}


REGIMES = regimes_of(
    {
        # 3.11.0 uses colocate where vllm_mode is missing
        "3.11": {**_BATCH, "engines_share_gpus": ("use_vllm and vllm_mode == 'colocate'", "use_vllm")},
        "3.11.1": _BATCH,
        "3.12": _OWN_EVALUATION_GROUP,
        "4.0": _V40,
        "4.3": _V43,
        "4.4": _V44,
    },
    FORMULAS,
    IDLE,
)


_ROLES = {"rollout": "vllm_", "train": ""}  # later ones override earlier ones
_RAY_KEYS = frozenset("gpus nnodes colocate_groups teacher train rollout".split())


def _together(groups: object) -> bool:
    """Whether the training and the generating groups share their GPUs."""
    return type(groups) is list and any(
        type(each) is list and {"train", "rollout"} <= set(map(str, each)) for each in groups
    )


def _size(run: "Run", name: str, default: int) -> int:
    """The written whole number, `default` where it is not written, 0 where it is something else."""
    setting = run.setting(name)
    return default if setting is None else whole_number(setting.value) or 0


class MegatronConfigs(MsSwiftConfigs):
    """From 4.3 a layout of GPUs under Ray."""

    roles = _ROLES

    def layers_in(self, entries: "dict[str, Entry]") -> "list[dict[str, Entry]]":
        """The layers of the Ray layout: the section of the training group overrides the top of the file. From the
        section of the generating group only the engine reads settings; the parser knows some of their names and drops
        the others."""
        layers = [dict(entries)]
        for role, begins in _ROLES.items():
            section = target(entries[role].value) if role in entries else None
            if type(section) is Mapping:
                del layers[0][role]
                layers.append(
                    {
                        name: inner
                        for name, inner in section.items()
                        if not begins or (name.startswith(begins) and self.framework.catalogue.knows(name))
                    }
                )
        return layers

    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """In the Ray layout the training processes are the GPUs of the `train` section."""
        train = value("train")
        gpus = whole_number(train.get("gpus")) if type(train) is dict else None
        return {**super().facts_in_file(value), **({"world_size": (gpus, "train.gpus")} if gpus else {})}

    def implied(self, value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
        """GPUs for groups of processes, or groups that share them: only a run under Ray reads such a layout. A number
        of epochs under the name of other releases is included and reported."""
        epochs = next((key for key in ("num_train_epochs", "max_epochs") if value(key) is not None), None)
        is_refused = not switched(value("ignore_args_error"))
        meant = {"means_epochs": Attached(epochs, True, "of the run")} if epochs and is_refused else {}
        return {**meant, **self._of_layout(value)}

    def _of_layout(self, value: "Lookup") -> "dict[str, Attached]":
        train, rollout = value("train"), value("rollout")
        key = "train.gpus" if type(train) is dict and "gpus" in train else "colocate_groups"
        said = value("use_ray")
        if (said is None and key == "colocate_groups" and value(key) is None) or switched(said) is False:
            return {}
        found = (
            {"use_ray": Attached("use_ray", True, Message("follows from {names}", {"names": key}))}
            if said is None
            else {}
        )
        generating = whole_number(rollout.get("gpus")) if type(rollout) is dict else None
        if type(rollout) is dict and generating:
            found["rollout_processes"] = Attached("rollout.gpus", generating, Message("of the file"))
            copies = whole_number(rollout.get("vllm_data_parallel_size", 1))
            found["vllm_data_parallel_size"] = Attached(
                "rollout.vllm_data_parallel_size", copies or UNKNOWN, Message("of the file")
            )
            training = whole_number(train.get("gpus")) if type(train) is dict else None
            if training and _together(value("colocate_groups")):
                found["colocated_processes"] = Attached("train.gpus", training, Message("of the file"))
        return found


class MegatronKeys(MsSwiftKeys):
    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        """Whether the Ray layout, from 4.3, reads a key: its own keys state which GPUs its groups use."""
        return (name in _RAY_KEYS and key >= (4, 3)) or super().launch_key(name, key, loader)

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        """Under Ray the parser of 4.3 and later returns unknown keys, and they are ignored."""
        said, entries = launch.setting("use_ray"), launch.entries
        layout = "gpus" in entries or "colocate_groups" in entries
        if key >= (4, 3) and (layout if said is None else switched(said.value)):
            return Fate(
                "warning",
                "never",
                Message(
                    "under Ray it is dropped, and a line of the log says so",
                    plural="under Ray they are dropped, and a line of the log says so",
                    count=1,
                ),
                brief=Message("under Ray it is dropped", plural="under Ray they are dropped", count=1),
            )
        return super().unknown_key(key, launch, is_flag)


class MegatronRenames(Renames):
    successors = {
        **SUCCESSORS,
        "save": "output_dir",
        "save_interval": "save_steps",
        "eval_interval": "eval_steps",
        "log_interval": "logging_steps",
        "num_workers": "dataloader_num_workers",
        "max_epochs": "num_train_epochs",
        "load": "mcore_model",
        "adapter_load": "mcore_adapter",
        "ref_load": "mcore_ref_model",
        "seq_length": "max_length",
        "num_virtual_stages_per_pipeline_rank": "virtual_pipeline_model_parallel_size",
    }
    remarks = {
        "per_device_train_batch_size": "Megatron counts completions per GPU with micro_batch_size",
        "num_layers_per_virtual_pipeline_stage": "virtual_pipeline_model_parallel_size counts the stages of a rank: layers / "
        "(pipeline_model_parallel_size x layers per stage)",
        "gradient_accumulation_steps": "accumulation follows from global_batch_size / (micro_batch_size x data-parallel ranks)",
    }

    def remark(self, name: str, run: "Run") -> str:
        """Adds the number of completions that passes of a device and accumulation result in, where all factors are
        known."""
        remark = super().remark(name, run)
        if name not in ("per_device_train_batch_size", "gradient_accumulation_steps") or run.setting(
            "global_batch_size"
        ):
            return remark
        world = run.facts.get("world_size")
        spread = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
        sizes = [_size(run, each, 1) for each in spread]
        micro = _size(run, "per_device_train_batch_size", 0) or _size(run, "micro_batch_size", 1)
        passes, processes = _size(run, "gradient_accumulation_steps", 1), whole_number(getattr(world, "value", None))
        share = prod(sizes)
        if not (micro and passes and share and processes) or processes % share:
            return remark
        return f"{remark}; accumulation is part of global_batch_size, here {micro * processes // share * passes}"


_SEQUENCE_PARALLEL = "sequence_parallel"


class MegatronArithmetic(Arithmetic):
    regimes = REGIMES
    spreads_over_devices = True
    own_names = {
        "prompts_per_rollout": "num_rollout_prompts, num_rollout_prompt",
        "prompts_per_update": "num_train_prompts",
        "rollout_prompts_per_rank": "num_rollout_prompts_per_dp_group, per_device_num_rollout_prompt",
        "completions_per_rollout": "generation_batch_size",
        "completions_per_process": "per_device_generation_batch_size",
        "update_prompts_per_rank": "num_prompts_per_dp_group",
        "rollout_iterations": "num_iters_per_step",
        "accumulation": "num_microbatches",
        "updates_per_rollout": "steps_per_generation",
        "total_steps": "train_iters",
    }

    def settings_of(self, shape: "Shape", key: "Key", value: "Lookup | None" = None) -> "dict[str, object] | None":
        if not shape.passes:
            return None
        sizes = {
            "tensor_model_parallel_size": shape.tensor,
            "pipeline_model_parallel_size": shape.pipeline,
            "context_parallel_size": shape.context,
            "expert_model_parallel_size": shape.expert,
            "steps_per_generation": shape.updates,
        }
        return {
            "micro_batch_size": shape.micro,
            "global_batch_size": shape.update,
            "num_generations": shape.group,
            **{name: size for name, size in sizes.items() if size > 1},
            **shape.sizes_of_ends(*ENDS_BY_FLAG),
            **shape.sharers_of_experts("expert_tensor_parallel_size", 1),
            # without it megatron-core refuses layers of experts in the first forward pass
            **({_SEQUENCE_PARALLEL: True} if shape.tensor > 1 else {}),
        }


_PARALLEL = vllm.KNOBS | {
    _SEQUENCE_PARALLEL,
    "tensor_model_parallel_size",
    "pipeline_model_parallel_size",
    "context_parallel_size",
    "expert_model_parallel_size",
    "virtual_pipeline_model_parallel_size",
}
FRAMEWORK = Framework(
    name="megatron",
    title="Megatron-SWIFT",
    catalogue=Catalogue(catalogue),
    copies=Copies(module="grpo_lint.frameworks.ms_swift.copied", registries=REGISTRIES),
    reader=Reader(
        configs=MegatronConfigs(),
        trainer=TRAINER,
        keys=MegatronKeys(),
        renames=MegatronRenames(),
        values=MsSwiftValues(),
        programs=PROGRAMS,
        files=FILES.but(
            attachments={"model": models.attached, "dataset": beside, "external_plugins": beside},
        ),
    ),
    releases=MsSwiftReleases(),
    arithmetic=MegatronArithmetic(),
    refusals=Refusals(
        replaced_in="grpo_lint.frameworks.ms_swift.megatron.replaced",
        may_replace=frozenset(
            """dataloader_num_workers dataloader_type end_weight_decay num_workers padding_free recompute_granularity remove_unused_columns
            seq_length sequence_parallel sequence_parallel_size split_dataset_ratio start_weight_decay target_modules
            train_dataloader_shuffle tuner_type use_distributed_optimizer use_hf""".split()
        ),
        enforcement=Enforcements(ENFORCEMENT, (*batch_rules.RULES, *rules.RULES)),
        parser_says=PARSER_SAYS,
        registrations={"loss-type-is-known": ("loss_type", ())},
        for_any_trainer=frozenset(
            (
                "model-parallel-divides-world",
                "expert-parallel-divides-world",
                "parallel-sizes-are-positive",
                "micro-batch-is-not-zero",
                "update-holds-whole-micro-batches",
                "virtual-pipeline-has-a-pipeline",
                "uneven-pipeline-has-a-pipeline",
                "frozen-share-needs-one-stage",
                "heads-divide-over-ranks",
                "layers-divide-over-stages",
                "experts-divide-over-ranks",
                "run-has-a-model",
                "run-has-data",
                "recomputation-is-of-one-kind",
                "grouped-lengths-are-padded",
                "old-checkpoints-can-go",
                "overlap-has-sequence-parallel",
                "classifier-has-labels",
                "quantisation-has-its-bits",
                "streams-have-iterations",
                "tokens-are-made-beforehand",
                "weight-decay-has-both-ends",
                "muon-rates-have-muon",
                "muon-does-not-overlap",
                "layout-has-known-layers",
                "layout-fits-the-pipeline",
                "attention-backend-is-known",
                "unpadded-layers-see-whole-sequences",
                "lora-llm-is-merged",
                "megatron-bridge-trains-in-full",
                "megatron-fsdp-has-its-optimizer",
            )
        ),
    ),
    knobs=KNOBS.but(
        names=(
            "global_batch_size",
            "steps_per_generation",
            "generation_batch_size",
            "micro_batch_size",
            "num_generations",
            "num_generations_eval",
            "vllm_tensor_parallel_size",
            "tensor_model_parallel_size",
            "pipeline_model_parallel_size",
            "context_parallel_size",
            "expert_model_parallel_size",
        ),
        parallel=_PARALLEL,
        dividing_the_model=_PARALLEL,
        for_memory="micro_batch_size",
    ),
)
