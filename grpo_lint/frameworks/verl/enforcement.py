"""What each release of verl refuses, and what harms its runs."""

from ..by_release import Enforcement

_FIRST_STEP = "in the first training step"
_EQUAL_CHUNK = "only support equal chunk. Got size of DataProto ... and chunk ...."
_NO_MESSAGE = "AssertionError (without a message)"
_NO_TEXT = "NotImplementedError (without a text)"
_LACKING = "[...] Please set at least one of '....micro_batch_size' or '....micro_batch_size_per_gpu'."
_DOUBLED = "[...] You have set both '....micro_batch_size' AND '....micro_batch_size_per_gpu'."
_NORMAL = "normalized ppo_mini_batch_size ... should be divisible by ppo_micro_batch_size_per_gpu ..."
_FORCED = "data size must be divisible by force_group_size * micro_batch_size_per_gpu"
_PADDING = "When using sequence parallelism for actor/ref policy, you must enable `use_remove_padding`."
_INFER_TP = "rollout world_size: ... is not divisible by infer_tp: ..."
_INFER_SIZE = "rollout world_size: ... is not divisible by infer_world_size: ..."

_DATA = "when the data is loaded"
_TRAINER = "when its trainer is made, with Ray started"
_WORKERS = "when its workers start, with the GPUs taken"

_ROWS = (
    # before anything is started, in the order of verl's checks
    Enforcement("critic-has-the-strategy-of-the-actor", "0.2", "0.5", "config", _NO_MESSAGE),
    Enforcement("advantage-estimator-is-known", "0.2", "0.5", "config", _NO_TEXT),
    Enforcement(
        "advantage-estimator-is-known", "0.6", None, "run", "Unknown advantage estimator simply: ...", _FIRST_STEP
    ),
    Enforcement(
        "megatron-ranks-divide-gpus",
        "0.4",
        None,
        "config",
        "n_gpus (...) must be divisible by model_parallel_size (...) times context_parallel_size (...)",
    ),
    Enforcement(
        "megatron-has-a-micro-batch",
        "0.4",
        None,
        "config",
        "unsupported operand type(s) for *: 'int' and 'NoneType'",
    ),
    Enforcement(
        "batch-divides-over-gpus",
        "0.2",
        "0.3",
        "config",
        "real_train_batch_size (...) must be divisible by total n_gpus (...).",
    ),
    Enforcement(
        "batch-divides-over-gpus",
        "0.4",
        None,
        "config",
        "real_train_batch_size (...) must be divisible by minimal possible batch size (...)",
    ),
    Enforcement("micro-batches-are-given", "0.2", None, "config", _LACKING),
    Enforcement("micro-batches-are-given-once", "0.2", None, "config", _DOUBLED),
    Enforcement("rollout-holds-an-update", "0.3", "0.5", "config", _NO_MESSAGE),
    Enforcement(
        "rollout-holds-an-update",
        "0.6",
        None,
        "config",
        "train_batch_size (...) must be >= actor.ppo_mini_batch_size (...)",
    ),
    Enforcement("rollout-holds-a-critic-update", "0.3", "0.5", "config", _NO_MESSAGE),
    Enforcement(
        "rollout-holds-a-critic-update",
        "0.6",
        None,
        "config",
        "train_batch_size (...) must be >= critic.ppo_mini_batch_size (...)",
    ),
    Enforcement("global-micro-batch-fits", "0.2", "0.5", "config", _NO_MESSAGE),
    Enforcement(
        "global-micro-batch-fits",
        "0.6",
        None,
        "config",
        "ppo_mini_batch_size (...) must be divisible by ppo_micro_batch_size (...)",
    ),
    Enforcement("global-critic-micro-batch-fits", "0.2", "0.4", "config", _NO_MESSAGE),
    Enforcement("loss-aggregation-is-known", "0.4", None, "config", "Invalid loss_agg_mode: ..."),
    Enforcement("sequence-parallel-removes-padding", "0.2", None, "config", _PADDING),
    Enforcement(
        "validation-samples-at-a-temperature",
        "0.3",
        None,
        "config",
        "validation gen temperature should be greater than 0 when enabling do_sample",
    ),
    Enforcement(
        "lora-rank-fits-the-engine", "0.6.1", None, "config", "LoRA rank in vLLM must be less than or equal to 512"
    ),
    Enforcement(
        "tools-have-a-config", "0.4.0", "0.4.0", "config", "tool_config_path must be set when enabling multi_turn"
    ),
    Enforcement(
        "tools-have-a-config",
        "0.4.1",
        "0.4.1",
        "config",
        "tool_config_path or interaction_config_path must be set when enabling multi_turn with tool",
    ),
    Enforcement("tools-are-for-grpo", "0.4", "0.4", "config", "only GRPO is tested for multi-turn with tool"),
    Enforcement(
        "replayed-routes-are-recorded",
        "0.9.1",
        None,
        "config",
        "router_replay.mode='R2' requires algorithm.rollout_correction.bypass_mode=False: ...",
    ),
    # when the trainer is created, in the task that Ray starts
    Enforcement(
        "separate-rollout-fills-its-updates",
        "0.9",
        None,
        "init",
        "train_batch_size must equal parameter_sync_step * ppo_mini_batch_size in separate async training, but got ...",
        _TRAINER,
    ),
    Enforcement(
        "separate-rollout-has-gpus", "0.9", None, "init", "... must be > 0 in separate async training", _TRAINER
    ),
    Enforcement(
        "separate-rollout-receives-weights",
        "0.9",
        None,
        "init",
        "please use nccl/nixl/mooncake, etc. backend for separate async training",
        _TRAINER,
    ),
    Enforcement("generation-keeps-its-log-probs", "0.6.1", None, "init", "must rollout calculate log_probs", _TRAINER),
    # when the workers start, with GPUs allocated and Ray running
    Enforcement(
        "model-parallel-divides-world",
        "0.2",
        None,
        "init",
        "AssertionError or ValueError of the device mesh",
    ),
    Enforcement("sharding-groups-divide-gpus", "0.2", "0.7", "init", "ValueError of the device mesh"),
    Enforcement("rank-has-an-update", "0.2", "0.2", "run", "", "in the first update, which never ends"),
    Enforcement(
        "rank-has-an-update",
        "0.3",
        "0.7",
        "init",
        "ppo_mini_batch_size ... should be larger than 0 after normalization",
    ),
    Enforcement("rank-update-holds-whole-micro-batches", "0.2", "0.2", "init", _NO_MESSAGE),
    Enforcement("rank-update-holds-whole-micro-batches", "0.3", "0.7", "init", _NORMAL),
    Enforcement("rank-update-holds-whole-micro-batches", "0.8", None, "run", _FORCED, _FIRST_STEP),
    Enforcement("critic-update-holds-whole-micro-batches", "0.3", "0.7", "init", _NORMAL),
    Enforcement("engines-divide-gpus", "0.2", "0.5", "init", _INFER_TP),
    Enforcement("engines-divide-gpus", "0.6", None, "init", _INFER_SIZE),
    Enforcement(
        "rollout-engine-is-named", "0.6", None, "init", "Missing mandatory value: actor_rollout_ref.rollout.name"
    ),
    Enforcement(
        "rollout-is-asynchronous",
        "0.7",
        None,
        "init",
        "Rollout mode 'sync' has been removed. Please set `actor_rollout_ref.rollout.mode=async` or remove the mode setting entirely.",
    ),
    Enforcement(
        "engine-spreads-its-experts",
        "0.6",
        None,
        "init",
        "expert_parallel_size must be equal to tensor_model_parallel_size * data_parallel_size",
    ),
    Enforcement(
        "engine-has-no-pipeline",
        "0.6",
        None,
        "init",
        "Current rollout self.name=... not implemented pipeline_model_parallel_size > 1 yet.",
    ),
    Enforcement(
        "engine-takes-a-sequence",
        "0.3",
        "0.6",
        "init",
        "Enable chunked prefill, max_num_batched_tokens is smaller than max_model_len, ...",
    ),
    Enforcement("dynamic-batches-agree", "0.8", None, "init", _NO_MESSAGE),
    Enforcement("micro-batches-are-per-gpu", "0.8", None, "init", _NO_MESSAGE),
    Enforcement("reference-micro-batch-is-per-gpu", "0.8", None, "run", _NO_MESSAGE, _FIRST_STEP),
    # the first training step
    Enforcement(
        "rows-divide-over-generation", "0.2", "0.8", "run", _EQUAL_CHUNK, "when it generates for the first time"
    ),
    Enforcement("rows-divide-over-ranks", "0.6", "0.7", "run", _EQUAL_CHUNK, _FIRST_STEP),
    Enforcement(
        "rows-divide-over-ranks",
        "0.8",
        "0.8",
        "run",
        "expecting td with length divisible by chunks, but got ... and ...",
        _FIRST_STEP,
    ),
    Enforcement("rollout-holds-updates-without-rest", "0.2", "0.8", "run", "... % ... != 0", _FIRST_STEP),
    Enforcement(
        "update-divides-over-ranks",
        "0.8",
        None,
        "run",
        "Got mini_batch_size=... and self.engine.get_data_parallel_size()=...",
        _FIRST_STEP,
    ),
    Enforcement("rank-rows-hold-whole-micro-batches", "0.8", None, "run", _FORCED, _FIRST_STEP),
    Enforcement(
        "rollout-is-fetched-whole",
        "0.9",
        None,
        "run",
        "num_prompts (...) must be a positive multiple of gen_batch_size (...); it is submitted in whole gen_batch_size dataloader fetches.",
        _FIRST_STEP,
    ),
    Enforcement(
        "log-prob-micro-batch-reaches-each-rank",
        "0.2",
        "0.4",
        "run",
        "",
        "in the first training step, which may not end",
    ),
    Enforcement(
        "log-prob-micro-batch-reaches-each-rank", "0.5", "0.7", "run", "range() arg 3 must not be zero", _FIRST_STEP
    ),
    Enforcement("loss-mode-is-known", "0.4.1", None, "run", "Unsupported loss mode: ...", _FIRST_STEP),
    Enforcement(
        "sequences-fit-the-token-budget",
        "0.2",
        "0.7",
        "run",
        "max_token_len must be greater than the sequence length. Got max_token_len=... and max_seq_len=...",
        _FIRST_STEP,
    ),
    Enforcement("data-fills-a-batch", "0.2", "0.3", "init", _NO_MESSAGE, _DATA),
    Enforcement("data-fills-a-batch", "0.4", None, "init", "Train dataloader is empty!", _DATA),
    # accepted and harmful
    Enforcement("last-update-is-whole", "0.2", "0.7", "never"),
    Enforcement("update-is-as-written", "0.2", "0.7", "never"),
    Enforcement("dynamic-rollout-holds-an-update", "0.2", None, "never"),
    Enforcement("rollout-needs-no-padding", "0.9", None, "never"),
    # the workers of 0.8 split batches without padding, so that it depends on the data
    Enforcement("sequences-fit-the-token-budget", "0.8", None, "never"),
    Enforcement("estimator-is-chosen", "0.2", None, "never"),
    Enforcement("group-samples-at-a-temperature", "0.2", None, "never"),
)

ENFORCEMENT = tuple(
    # what ends the start of the workers ends it at one moment
    Enforcement(row.rule, row.since, row.until, row.stage, row.wording, row.moment or _WORKERS)
    if row.stage == "init"
    else row
    for row in _ROWS
)
