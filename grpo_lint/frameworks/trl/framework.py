"""TRL: `GRPOConfig` and `RLOOConfig`, read by `TrlParser`, by `trl grpo`, or given as keyword arguments."""

from ...message import NOTHING, Message
from ..base import (
    REFUSED,
    Arithmetic,
    ConfigFiles,
    Configs,
    Copies,
    Fate,
    Flags,
    Framework,
    Keys,
    Knobs,
    Programs,
    Reader,
    Refusals,
    Releases,
    Renames,
    Trainer,
    whole_number,
)
from ..by_release import Enforcements, Regime
from ..catalogue import Catalogue
from ..shared import deepspeed, models, vllm
from ..shared.hugging_face import ANNOUNCED_ROWS, ANNOUNCED_STEPS, OWN_NAMES, STEPS_OF, TRAINING_ARGUMENTS, passes_of
from ..shared.json_kinds import JsonFile
from ..shared.memory import MEMORY, OF_TRAINER
from ..versions import bits_of, version_key
from . import catalogue, ranges, rules
from .enforcement import ENFORCEMENT
from .runtime_failures import ACCELERATOR
from .values import KNOWN_AT_FIRST_STEP, TrlValues, first_step_knows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from ...shared_types import (
        AbstractSet,
        Groups,
        Idle,
        Iterable,
        Key,
        Lookup,
        Mapping,
        Release,
        Run,
        Shape,
        Table,
    )
    from ..protocols import Reading

    Stated = TypeVar("Stated")
_BATCH: "Table" = {
    **MEMORY,
    "group_size": "num_generations",
    "distils": "False",
    "micro_batch": "per_device_train_batch_size",
    "accumulation": "gradient_accumulation_steps",
    "dp_size": "world_size",
    "completions_per_step": "micro_batch * world_size",
    "completions_per_update": "completions_per_step * accumulation",
    "prompts_per_rollout": "completions_per_rollout // group_size",
    "rollout_prompts_per_rank": "ratio(prompts_per_rollout, dp_size)",
    "prompts_per_update": "ratio(completions_per_update, group_size)",
    "evaluates": ("evaluation_strategy != 'no'", "eval_strategy != 'no'"),
    "eval_group_size": "num_generations",
    "eval_completions": "per_device_eval_batch_size * world_size",
    "training_rows": "dataset_size",
    "steps_per_epoch": "max(ceil(micro_steps_per_epoch / accumulation) if counts_partial_update else micro_steps_per_epoch // accumulation, 1)",
    "total_steps": "max_steps if max_steps > 0 else ceil(num_train_epochs * steps_per_epoch) if max_steps < 0 else steps_of_none",
    "epochs_covered": "ratio(max_steps, steps_per_epoch) if max_steps > 0 else nothing",
    "micro_steps_of_data": "ratio(completions_per_epoch, completions_per_step)",
}

# Operands that only the rules about options read.
_OPTIONS: "Table" = {
    **OF_TRAINER,
    "trains_all": "not use_peft and not load_in_4bit and not load_in_8bit",
    "trains_adapter": "use_peft and not load_in_4bit and not load_in_8bit",
    **ranges.QUANTITIES,
    "counts_partial_update": "last_update_may_be_partial",
    "drops_last": "dataloader_drop_last",
    **ANNOUNCED_ROWS,
    "evaluates_by": ("evaluation_strategy", "eval_strategy"),
    "trains_in_fp16": "fp16",
    "trains_in_bf16": "bf16",
    "eval_steps_follow_logging": ("eval_steps == 0", "True"),
    "eval_interval": ("eval_steps if eval_steps != 0 else logging_steps", "logging_steps"),
    "engine_ranks": "vllm_tensor_parallel_size",
    "engine_spread": "engine_ranks if engines_share_gpus else unknown",
    "uses_liger": ("use_liger_loss", "use_liger_kernel"),
    "importance_clip_max": ("vllm_importance_sampling_cap", "vllm_importance_sampling_clip_max"),
    "importance_sampling_is_bounded": (
        "importance_clip_max is not None",
        "vllm_importance_sampling_clip_min is not None",
        "False",
    ),
    "longest_prompt": ("max_prompt_length", "1"),
    "longest_sequence": "longest_prompt + max_completion_length",
    "engine_length": ("vllm_max_model_length", "vllm_max_model_len"),
    "sequence_ratio_epsilon": ("epsilon if importance_sampling_level == 'sequence' else 0",),
    "warmup": ("warmup_steps",),
    "streams": ("streaming if len(datasets) > 0 else dataset_streaming", "dataset_streaming"),
    "best_has_a_metric": (
        "metric_for_best_model is not None",
        "load_best_model_at_end or lr_scheduler_type == 'reduce_lr_on_plateau' or lr_scheduler_type == 'greedy'",
    ),
    "sapo_has_temperatures": ("sapo_temperature_neg is not None and sapo_temperature_pos is not None", "False"),
}
# With transformers 5 the ratio, where there is one, replaces the steps. A single device is shared with training.
_OPTIONS_015: "Table" = {
    **_OPTIONS,
    "device_of_auto": "-1 if visible_devices == 1 else world_size",
    "engine_device": "device_of_auto if vllm_device == 'auto' else named_device",
}
_OPTIONS_028: "Table" = {**_OPTIONS, "warmup": ("warmup_ratio", "warmup_steps")}

_VLLM_OFF = (
    "vllm_mode vllm_device vllm_gpu_memory_utilization vllm_tensor_parallel_size vllm_server_host vllm_server_port "
    "vllm_server_timeout vllm_server_base_url vllm_max_model_len vllm_max_model_length vllm_enable_sleep_mode vllm_dtype"
)
# 0.16 and 0.17 only connect to a server, which decides these settings.
_IDLE_016: "Idle" = {
    "set this on the vLLM server itself": (
        "use_vllm",
        (
            "vllm_device",
            "vllm_gpu_memory_utilization",
            "vllm_dtype",
            "vllm_max_model_len",
            "vllm_enable_prefix_caching",
        ),
    ),
}
# {reason: (condition, settings that have no effect then)}
_IDLE: "Idle" = {
    "max_steps is set": ("max_steps > 0", ("num_train_epochs",)),
    "use_vllm is off": ("not use_vllm", tuple(_VLLM_OFF.split())),
    "vLLM runs as a server": (
        "use_vllm and vllm_mode == 'server'",
        ("vllm_tensor_parallel_size", "vllm_gpu_memory_utilization"),
    ),
    "nothing is evaluated": (
        "not evaluates",
        ("eval_steps", "per_device_eval_batch_size", "num_generations_eval"),
    ),
}

# Each micro step makes a rollout of its own, and the last one of an epoch takes what is left.
_A_ROLLOUT_EACH: "Table" = {
    "micro_steps_per_epoch": STEPS_OF.format("completions_per_epoch"),
    "rollouts_per_epoch": "micro_steps_per_epoch",
    "rows_used": "micro_steps_per_epoch * completions_per_rollout // group_size if drops_last else training_rows",
}

_V014: "Table" = {
    **_BATCH,
    **_A_ROLLOUT_EACH,
    "micro_batch": "per_device_train_batch_size * num_generations",
    "completions_per_rollout": "completions_per_step",
    "steps_per_rollout": "1",
    "updates_per_rollout": "ratio(1, accumulation)",
    "eval_completions": "per_device_eval_batch_size * num_generations * world_size",
    "executed_steps": "total_steps",
}

_V015: "Table" = {
    **_BATCH,
    **_A_ROLLOUT_EACH,
    "completions_per_rollout": "completions_per_step",
    "steps_per_rollout": "1",
    # 0.15 cannot reuse a rollout; 0.16 keeps one per accumulation step
    "updates_per_rollout": ("num_iterations", "ratio(1, accumulation)"),
    "executed_steps": "total_steps",
}

_V016: "Table" = {
    **_V015,
    **ANNOUNCED_STEPS,
    # one for each micro step of an update, each used for num_iterations updates
    "rollouts": "ceil(executed_steps * accumulation / num_iterations)",
    "prompts_per_sampled_batch": "completions_per_update // group_size",
    "rows_used": "training_rows // prompts_per_sampled_batch * prompts_per_sampled_batch",
    "rollouts_per_epoch": "rows_used // prompts_per_rollout",
    "micro_steps_taken_per_epoch": STEPS_OF.format("completions_taken"),
}

_V017: "Table" = {
    **_BATCH,
    **ANNOUNCED_STEPS,
    "completions_per_rollout": "completions_per_step * accumulation",
    "steps_per_rollout": "accumulation",
    "updates_per_rollout": "num_iterations",
    "prompts_per_sampled_batch": "prompts_per_rollout",
    "micro_steps_taken_per_epoch": "training_rows // prompts_per_rollout * num_iterations * accumulation",
}

# From 0.18 a rollout has a size of its own: generation_batch_size, or steps_per_generation steps, or one update.
_OWN_ROLLOUT: "Table" = {
    **_BATCH,
    "completions_per_rollout": (
        "generation_batch_size",
        "completions_per_step * steps_per_generation",
        "completions_per_step * accumulation",
    ),
    "steps_per_rollout": ("generation_batch_size // completions_per_step", "steps_per_generation", "accumulation"),
    "updates_per_rollout": "ratio(num_iterations * steps_per_rollout, accumulation)",
    "prompts_per_sampled_batch": "prompts_per_rollout",
    "engines_share_gpus": "use_vllm and vllm_mode == 'colocate'",
    "generation_engines": "world_size // engine_ranks if engines_share_gpus else nothing",
    "processes_per_engine": "engine_ranks if engines_share_gpus else nothing",
}

_V018: "Table" = {
    **_OWN_ROLLOUT,
    **ANNOUNCED_STEPS,
    "micro_steps_taken_per_epoch": "training_rows // prompts_per_rollout * num_iterations * steps_per_rollout",
}

_V020: "Table" = {
    **_OWN_ROLLOUT,
    "micro_steps_per_epoch": "training_rows // prompts_per_rollout * num_iterations * steps_per_rollout",
    "executed_steps": "total_steps if micro_steps_per_epoch > 0 else 0",
}

_V0261: "Table" = {**_V020, "eval_group_size": ("num_generations_eval or num_generations", "num_generations")}


REGIMES = (
    Regime("0.14", _V014, _IDLE, _OPTIONS),
    Regime("0.15", _V015, _IDLE, _OPTIONS_015),
    Regime("0.16", _V016, {**_IDLE, **_IDLE_016}, _OPTIONS),
    Regime("0.17", _V017, {**_IDLE, **_IDLE_016}, _OPTIONS),
    Regime("0.18", _V018, _IDLE, _OPTIONS),
    Regime("0.20", _V020, _IDLE, _OPTIONS),
    Regime("0.26.1", _V0261, _IDLE, _OPTIONS),
    Regime("0.28", _V0261, _IDLE, _OPTIONS_028),
)

_RLOO_ONLY = frozenset(
    "rloo_k normalize_advantages reward_clip_range kl_coef cliprange normalize_reward token_level_kl".split()
)


# Arguments that open-r1's scripts and their many derivatives declare, and keys that launchers read.
_SCRIPT_KEYS = frozenset(
    """benchmarks callbacks chat_template system_prompt hub_model_revision overwrite_hub_revision push_to_hub_revision
    wandb_entity wandb_project wandb_run_group wandb_log_unique_prompts num_completions_to_print dataset_prompt_column
    dataset_mixture dataset_config_name cosine_min_value_wrong cosine_max_value_wrong cosine_min_value_correct
    cosine_max_value_correct cosine_max_len repetition_n_grams repetition_max_penalty code_language code_provider
    code_eval_test_batch_size code_eval_scoring_mode parallel_code_exec_per_proc ioi_provider e2b_router_url morph_router_url
    max_completion_len soft_punish_cache num_processes config""".split()
)
_ACCELERATE_KEYS = frozenset(
    """accelerate_config config_file num_processes num_machines machine_rank main_process_ip main_process_port mixed_precision
    multi_gpu gpu_ids use_deepspeed deepspeed_config_file zero_stage""".split()
)


_UNKNOWN_KEY_OF_A_FILE = "TrlParser of 0.19 and later, when the file is read; not where the training script declares the key or switches this off, as TRL's own script does from 0.22 on; accelerate launch, which `trl grpo` of 0.29 and later starts; otherwise it is not refused but silently dropped"
_UNKNOWN_KEY = f"the config class, where it is built from keyword arguments; in a file {_UNKNOWN_KEY_OF_A_FILE}"
_PARSER_SAYS = {
    "key-stands-once": "not refused: the last of the two is used",
    "key-is-known": _UNKNOWN_KEY,
    "key-is-of-this-version": _UNKNOWN_KEY,
    "keys-are-read": _UNKNOWN_KEY_OF_A_FILE,
    "required-key-is-given": "the parser, when the file is read, or the config class, where it is built from keyword arguments",
}


# The first until transformers 4.50; the others are those of the RLOO trainer before 0.22, which 0.22 to 0.24 still
# accept.
_OLD_NAMES = {
    "evaluation_strategy": "eval_strategy",
    "rloo_k": "num_generations",
    "cliprange": "epsilon",
    "kl_coef": "beta",
    "normalize_reward": "normalize_advantages",
    "num_ppo_epochs": "num_iterations",
    "num_mini_batches": "steps_per_generation",
    "response_length": "max_completion_length",
}
_SUCCESSORS = {
    **_OLD_NAMES,
    "torch_dtype": "dtype",
    "use_liger_loss": "use_liger_kernel",
    "wandb_log_unique_prompts": "log_unique_prompts",
    "vllm_guided_decoding_regex": "vllm_structured_outputs_regex",
    "vllm_max_model_len": "vllm_max_model_length",
    "vllm_importance_sampling_cap": "vllm_importance_sampling_clip_max",
    "use_transformers_paged": "use_transformers_continuous_batching",
}
_FALLBACK_KEYS = {"warmup_ratio": "warmup_steps"}
_REMARKS = {
    "max_prompt_length": "cut long prompts when the data set is made",
    "vllm_device": "choose the GPUs of vLLM when its server is started, or use vllm_mode: colocate",
    "overwrite_output_dir": "nothing took its place",
    "warmup_ratio": "from transformers 5 on a warmup_steps below 1 is a part of all steps",
    "logging_dir": "nothing took its place",
    "global_batch_size": "it is per_device_train_batch_size x gradient_accumulation_steps x processes",
}


_PARSER_REFUSES = (0, 19)  # from there on TrlParser refuses keys that no class declares, unless it is told otherwise
_SCRIPT_TAKES_THE_REST = (
    0,
    22,
)  # TRL's own script tells it otherwise, until 1.0 by having the rest returned, of flags, too
_OWN_SCRIPT = "TRL's own script"
_DROPPED = Fate("warning", "never", Message("it is silently dropped", plural="they are silently dropped", count=1))
_REFUSED_UNLESS_DECLARED = Fate(
    "warning",
    "read",
    Message(
        "the parser refuses it, unless the training script declares it",
        plural="the parser refuses them, unless the training script declares them",
        count=1,
    ),
    ("loader",),
    REFUSED.consequence,
)
_BY_SCRIPT = Message(
    "TRL's own script drops it, and your own script refuses it by default",
    plural="TRL's own script drops them, and your own script refuses them by default",
    count=1,
)


def _refused_by_script(launch: "Run", reading: "Reading") -> "Fate":
    """What a training script refuses: certain where this script is known to read the settings, with all that it
    declares."""
    if reading.is_closed and launch.is_read_by and not launch.program_is_partial:
        return Fate(
            "error",
            "read",
            Message(
                "the parser of {program} refuses it",
                {"program": launch.is_read_by},
                "the parser of {program} refuses them",
                1,
            ),
        )
    return _REFUSED_UNLESS_DECLARED


class TrlConfigs(Configs):
    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """`num_processes` is no key of TRL, but a file that holds it states the launcher's number of processes."""
        processes = whole_number(value("num_processes"))
        return {"world_size": (processes, "num_processes")} if processes else {}


class TrlTrainer(Trainer):
    """One config class for each algorithm."""

    by_algorithm = True
    groups_since = {"rloo": (0, 22)}

    def algorithm(self, names: "AbstractSet[str]") -> str:
        return "rloo" if names & _RLOO_ONLY and "scale_rewards" not in names else "grpo"

    def groups(self, algorithm: str, loader: str, value: "Lookup" = lambda name: None) -> "tuple[str, ...]":
        trainer = "rloo" if algorithm == "rloo" else "grpo"
        return (trainer,) if loader == "kwargs" else (trainer, "script", "model", "mixture")


class TrlKeys(Keys):
    """Files are read by users' training scripts, or by `trl grpo`."""

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        if name == "env":
            return loader != "kwargs"
        if loader in ("script", "own"):
            # a leading dot, dash or x- marks a key that only holds anchors
            return name in _SCRIPT_KEYS or name.startswith((".", "_", "x-"))
        return loader == "cli" and key >= (0, 29) and name in _ACCELERATE_KEYS

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        if launch.loader == "cli" and key >= (0, 29):
            return Fate(
                "error",
                "read",
                Message(
                    "accelerate launch, which is handed what TRL does not know, refuses it",
                    plural="accelerate launch, which is handed what TRL does not know, refuses them",
                    count=1,
                ),
            )
        if is_flag:
            return self._unknown_flag(key, launch)
        if launch.loader == "kwargs":
            return Fate(
                "error",
                "config",
                Message("the config class refuses it", plural="the config class refuses them", count=1),
            )
        reading = launch.reading
        if reading and reading.keys:
            refuses = reading.keys == "refused" or (reading.keys == "by release" and key >= _PARSER_REFUSES)
            return _refused_by_script(launch, reading) if refuses else _DROPPED
        return self._unknown_key_of_script(key, launch)

    def _unknown_key_of_script(self, key: "Key", launch: "Run") -> "Fate":
        """The Fate of an unknown key where nothing is known of how the training script reads."""
        if launch.loader == "own" and "loader" in launch.facts:
            refuses, certain = key >= _PARSER_REFUSES, True
        else:
            refuses, certain = _PARSER_REFUSES <= key < _SCRIPT_TAKES_THE_REST, launch.is_read_by == _OWN_SCRIPT
        if refuses:
            return REFUSED if certain else _REFUSED_UNLESS_DECLARED
        if certain or key < _PARSER_REFUSES:
            return _DROPPED
        return Fate("warning", "never", _BY_SCRIPT, ("loader",))

    def _unknown_flag(self, key: "Key", launch: "Run") -> "Fate":
        reading = launch.reading
        if reading and reading.flags:
            return _refused_by_script(launch, reading) if reading.flags == "refused" else _DROPPED
        if launch.is_read_by == _OWN_SCRIPT and _SCRIPT_TAKES_THE_REST <= key < (1, 0):
            return _DROPPED
        if launch.is_read_by == _OWN_SCRIPT and launch.is_read_by_the_framework:
            return REFUSED
        return _REFUSED_UNLESS_DECLARED


class TrlRenames(Renames):
    successors = _SUCCESSORS
    remarks = _REMARKS
    old_names = _OLD_NAMES
    fallback_keys = _FALLBACK_KEYS
    costly_keys = {"torch_dtype": "dtype-is-read"}

    def fallback(self, name: str, value: object, run: "Run", companions: "Mapping[str, str]") -> str | None:
        """warmup_steps of transformers 5 and later accepts a fraction of all steps: 0.1 is a fraction, but 1.0 is one
        step."""
        other = _FALLBACK_KEYS.get(name)
        transformers = companions.get("transformers")
        if other is None or other in run.entries or transformers is None or version_key(transformers) < (5,):
            return None
        return other if type(value) is float and 0 <= value < 1 else None


_IN_LAUNCHER = Message("the launcher of `trl grpo` builds the config with 1 process before it starts the workers")


class TrlPrograms(Programs):
    read_by_scripts = True
    model_key = "model_name_or_path"
    server = vllm.SERVER
    script_settings = frozenset(("reward_funcs", "dataset_train_split", "dataset_test_split"))

    def launcher_check(self, key: "Key", loader: str) -> Message:
        return _IN_LAUNCHER if loader == "cli" and key >= (1, 0) else NOTHING


class TrlReleases(Releases):
    package = "trl"
    companion_fields = TRAINING_ARGUMENTS

    def companion_facts(self, companions: "Mapping[str, str]", key: "Key") -> dict[str, object]:
        """The facts that rules and formulas derive from the versions {package: version} beside a version of TRL."""
        transformers = version_key(companions["transformers"])
        # from 4.52 a partial last update counts as a step
        facts: dict[str, object] = {
            "last_update_may_be_partial": transformers >= (4, 52),
            "batches_continuously": transformers >= (5, 8),
            "transformers_minor": transformers[0] * 100 + transformers[1],
            # of a model that a newer transformers than 4.49 has saved
            "zero_temperature_is_greedy": (4, 54) <= transformers[:2] < (5, 0),
        }
        vllm, liger = companions.get("vllm"), companions.get("liger-kernel")
        supported, liger_oldest = _at(_VLLM, key), _at(_LIGER, key)
        if vllm and supported:
            oldest, newest = supported
            facts["vllm"], facts["supported_vllm"] = (
                vllm,
                oldest if oldest == newest else Message("{old} to {new}", {"old": oldest, "new": newest}),
            )
            facts["vllm_is_supported"] = version_key(oldest) <= version_key(vllm) <= version_key(newest)
        if liger and liger_oldest:
            facts["liger_kernel"], facts["oldest_liger_kernel"] = liger, liger_oldest
            facts["liger_is_supported"] = version_key(liger) >= version_key(liger_oldest)
        return facts

    def fitting(self, name: str, value: str, groups: "Groups", releases: "Iterable[Release]") -> int:
        if name not in KNOWN_AT_FIRST_STEP:
            return super().fitting(name, value, groups, releases)
        known = self.framework.catalogue.known(name, groups)
        since = KNOWN_AT_FIRST_STEP[name][-1][0]
        fitting = (
            release.index
            for release in releases
            if release.key >= since and first_step_knows(name, value, release.key) is None
        )
        bits = bits_of(fitting) & known
        return 0 if bits == known else bits


class TrlArithmetic(Arithmetic):
    regimes = REGIMES
    own_names = OWN_NAMES

    def settings_of(self, shape: "Shape", key: "Key", value: "Lookup | None" = None) -> "dict[str, object] | None":
        settings = passes_of(shape, self.framework.releases.has("steps_per_generation", key))
        if settings and key < (0, 15):  # the batch of a device counts prompts
            settings["per_device_train_batch_size"], part_of_group = divmod(shape.micro, shape.group)
            return None if part_of_group else settings
        return settings

    def why_not(self, shape: "Shape", version: str, key: "Key") -> "Message":
        from ..shared.spread import why_not_spread  # only a plan asks

        return why_not_spread(shape, self.framework.title, version, parts=False)


_FILES = ConfigFiles(
    attachments={"deepspeed": deepspeed.attached, "model_name_or_path": models.attached},
    launcher_attachment=deepspeed.of_launcher,
    json_files={
        "deepspeed": JsonFile(needs="zero_optimization"),
        "accelerator_config": JsonFile(keys=ACCELERATOR),
        "fsdp_config": JsonFile(beside="fsdp"),
    },
)
_REFUSALS = Refusals(
    saving=(
        "save_strategy == 'no'",
        "save_strategy",
        ("checkpoint-",),
        (".save_model", ".save_pretrained", ".push_to_hub", ".save_state"),
    ),
    replaced_in="grpo_lint.frameworks.trl.replaced",
    of_the_loss=frozenset(
        ("coefficients-are-not-negative", "loss-is-scaled-once", "sequence-ratios-meet-a-sequence-loss")
    ),
    may_replace=frozenset(
        """dataloader_num_workers log_unique_prompts use_liger_kernel use_transformers_continuous_batching vllm_importance_sampling_clip_max
        vllm_structured_outputs_regex""".split()
    ),
    enforcement=Enforcements(ENFORCEMENT, (*rules.RULES, *ranges.RULES)),
    parser_says=_PARSER_SAYS,
    registrations={
        "vllm-mode-is-known": ("vllm_mode", ()),
        "importance-sampling-mode-is-known": ("vllm_importance_sampling_mode", ()),
    },
    script_rules={
        "run-has-a-data-set": False,
        "script-has-a-model": False,
        "run-has-a-reward": False,
        "weights-have-rewards": False,
        "model-is-loaded-by-the-trainer": False,
        "mixture-has-a-test-split": False,
        "first-run-has-a-checkpoint": False,
        "evaluation-on-start-has-a-set": True,
        "engine-has-no-eight-bit-model": True,
    },
)
_KNOBS = Knobs(
    names=(
        "gradient_accumulation_steps",
        "steps_per_generation",
        "generation_batch_size",
        "per_device_train_batch_size",
        "num_generations",
        "per_device_eval_batch_size",
        "num_generations_eval",
        "vllm_tensor_parallel_size",
    ),
    parallel=vllm.KNOBS,
    dividing_the_model=vllm.KNOBS,
)


FRAMEWORK = Framework(
    name="trl",
    title="TRL",
    catalogue=Catalogue(catalogue),
    copies=Copies(module="grpo_lint.frameworks.trl.copied"),
    reader=Reader(
        configs=TrlConfigs(),
        trainer=TrlTrainer(),
        keys=TrlKeys(),
        renames=TrlRenames(),
        values=TrlValues(),
        files=_FILES,
        programs=TrlPrograms(rewards="grpo_lint.frameworks.trl.rewards"),
        flags=Flags(fileless_starters=("torchrun", "deepspeed", "python"), starter_attachment=deepspeed.of_starter),
    ),
    releases=TrlReleases(),
    arithmetic=TrlArithmetic(),
    refusals=_REFUSALS,
    knobs=_KNOBS,
)


# --- companions ---------------------------------------------------------------------------------------------------------

# Read from `trl/import_utils.py` of the releases: {first TRL with it: ...}, the newest first.
_VLLM: "dict[Key, tuple[str, str]]" = {  # the oldest and the newest vLLM for which TRL does not warn
    (1, 16): ("0.22.0", "0.31.0"),
    (1, 15): ("0.21.0", "0.31.0"),
    (1, 14): ("0.20.0", "0.30.0"),
    (1, 13): ("0.19.1", "0.28.0"),
    (1, 11): ("0.19.0", "0.27.1"),
    (1, 10): ("0.17.0", "0.26.0"),
    (1, 9): ("0.17.0", "0.25.1"),
    (1, 8): ("0.16.0", "0.23.0"),
    (1, 7): ("0.14.0", "0.23.0"),
    (1, 6): ("0.12.0", "0.19.0"),
    (1, 3): ("0.12.0", "0.18.0"),
    (1, 2): ("0.11.0", "0.18.0"),
    (1, 1): ("0.11.0", "0.17.1"),
    (1, 0): ("0.10.2", "0.17.1"),
    (0, 27): ("0.10.2", "0.12.0"),
    (0, 26): ("0.10.2", "0.11.2"),
    (0, 24): ("0.10.2", "0.10.2"),
}
_LIGER: "dict[Key, str]" = {  # the oldest liger-kernel that counts as installed
    (1, 11): "0.8.2",
    (1, 4): "0.8.0",
    (0, 29): "0.7.0",
    (0, 26): "0.6.4",
    (0, 18): "0.5.8",
    (0, 17): "0.5.6",
}


def _at(table: "Mapping[Key, Stated]", key: "Key") -> "Stated | None":
    return next((entry for since, entry in table.items() if key >= since), None)
