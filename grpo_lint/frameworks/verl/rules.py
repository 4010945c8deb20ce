"""GRPO7xx: the settings of verl. Its batch sizes count prompts, its micro batches completions on one GPU."""

from ...rules.base import Rule

_FIRST_STEP = "in the first training step"
_EQUAL_CHUNK = "only support equal chunk. Got size of DataProto ... and chunk ...."
_NO_MESSAGE = "AssertionError (without a message)"
LONGER_THAN_THE_WINDOW = "User-specified max_model_len (...) is greater than the derived max_model_len (...)"
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
WORKERS = "when its workers start, with the GPUs taken"

_PER_GPU = "verl checks this with a bare assertion or names none of the keys."
_OVER_ALL_GPUS = "This deprecated key counts completions over all GPUs; each needs at least one."
_ONE_OF_THE_LIST = "Use one of the list; one of your own has to be registered by code that the workers import."
_A_DIVISOR_OF_THE_ROLLOUT = "Choose actor.ppo_mini_batch_size as a divisor of data.train_batch_size."
_A_MULTIPLE_OF_THE_RANKS = "Choose actor.ppo_mini_batch_size x n as a multiple of the data-parallel ranks."

RULES = (
    # keys as a command writes them
    Rule(
        "GRPO701",
        "appended-key-is-new",
        "A key with a plus sign does not exist yet",
        message="{key} adds a key that {title} {version} already has: {consequence}",
        why="In Hydra's grammar +key=value adds a key, and an existing key is refused. Later releases often have keys that had to be added to older ones.",
        instead="Write the key without a plus sign; two plus signs set a key whether it exists or not.",
    ),
    Rule(
        "GRPO702",
        "appended-key-is-a-field",
        "A key that is added to a section with fixed fields is one of them",
        message="{key} adds {field} to {section}, which has no such field in {title} {version}: {consequence}",
        why="Since 0.6 verl makes a dataclass of such a section. Hydra takes the key, and the dataclass refuses it later.",
        instead="Correct the spelling, or remove it.",
    ),
    Rule(
        "GRPO703",
        "field-outside-the-tree-is-appended",
        "A field that the tree does not list is appended",
        message="{title} {version} takes {key}, which its tree does not list, only where it is appended: {consequence}; write +{key}",
        why="Hydra sets only what its tree of files lists; other fields of the dataclass behind it, and what belongs into a section that is "
        "empty there, have to be added.",
        instead="Put a plus sign in front of the key.",
    ),
    Rule(
        "GRPO704",
        "override-can-be-read",
        "An override follows the grammar of Hydra",
        message="{key} cannot be read: {problem}{hint}",
        why="Hydra parses each argument before anything else happens. A value with an equals sign, a comma or a bracket needs quotes "
        "that reach Hydra: in a shell, quotes inside of quotes.",
        refused_by="Hydra, in every version, when the command line is read.",
        instead="Put quotes around the value, as in 'key=\"a=b\"', and brackets around a list.",
    ),
    Rule(
        "GRPO705",
        "truth-value-is-no-text",
        "A switch is true or false",
        message="{key} is the text {value}, which counts as true",
        why="Hydra reads only true and false as truth values. Any other word, no and off as well, is a text, and a text that is not "
        "empty is true for Python.",
        refused_by="Not refused.",
        instead="Write true or false.",
    ),
    Rule(
        "GRPO745",
        "separate-trainer-is-told-so",
        "A trainer that generates on GPUs of its own is given what it asks for",
        message="{program} asks for {key}={wanted}, and it is {given}",
        why="fully_async_policy and one_step_off_policy generate on other GPUs than they train on. They build on the settings of the "
        "usual trainer, whose defaults they refuse: a fully asynchronous run takes single prompts, and has no batch of a rollout.",
        refused_by="verl, whenever it has these trainers, with an assertion while the trainer is made, after Ray has started.",
        instead="Write the setting out as it is asked for.",
    ),
    Rule(
        "GRPO790",
        "program-is-known",
        "grpo-lint knows how the training program computes its batches",
        message="{program} is not a known program: only the spelling of its settings is checked",
        why="Recipes, forks and projects have their own programs, which take the settings of verl, add some, and train in another way. grpo-lint checks only what certainly holds in such a program.",
        refused_by="Not refused: this info says what grpo-lint checks of the run, and what it does not.",
        instead="If the program only passes its settings to verl's own trainer, say so with a comment: # grpo-lint: dialect=verl",
    ),
    Rule(
        "GRPO791",
        "generation-keeps-its-log-probs",
        "Generation that is separate from training keeps the log-probabilities of its tokens",
        "needs_log_probs and not keeps_log_probs",
        message="rollout.calculate_log_probs is off, and a fully asynchronous run trains on the log-probabilities of generation",
        why="Tokens that an older model has generated are weighed by the probabilities under which they were drawn, which only the engine "
        "knows. Up to 0.7.0 the files of fully_async_policy leave the setting off.",
        instead="Set actor_rollout_ref.rollout.calculate_log_probs to True.",
        at=("keeps_log_probs",),
        cure={"actor_rollout_ref.rollout.calculate_log_probs": True},
        enforced=(("0.6.1", None, "init", "must rollout calculate log_probs", _TRAINER),),
    ),
    Rule(
        "GRPO793",
        "engine-length-is-in-the-window",
        "The engine is started for no more tokens than the model has positions",
        "asked_of_window > engine_window",
        only_with=("model_positions",),
        message="the engine is to hold {asked_of_window} tokens{asked_of_window.how}, and the model takes {engine_window}",
        why="max_position_embeddings in the config.json of the model is its window; a rope_scaling there makes it longer.",
        instead="Lower the lengths, or write a rope_scaling into the config.json of the model.",
        at=("asked_of_window",),
    ),
    # `apply_monkey_patch` of verl asserts both
    Rule(
        "GRPO792",
        "heads-divide-over-sequence-parallel",
        "The attention heads of the model divide over the ranks that share a sequence",
        "model_heads % sequence_spread != 0 or max(model_kv_heads, sequence_spread) % min(model_kv_heads, sequence_spread) != 0",
        with_any=(
            "actor_rollout_ref.actor.ulysses_sequence_parallel_size",
            "actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size",
        ),
        message="the {model_heads} attention heads of the model do not divide over {sequence_spread} ranks that share a sequence",
        special={
            "model_heads % sequence_spread == 0": "{model_kv_heads} key-value heads of the model and {sequence_spread} ranks per sequence: neither divides the other"
        },
        why="Ulysses gives each rank that shares a sequence some of the heads, and the whole sequence for them. How many heads a model has "
        "is known by its exact name, or from a config.json in the checkout.",
        instead="Set actor.ulysses_sequence_parallel_size to a divisor of the heads.",
        at=("sequence_spread",),
        blocked_by=("model-parallel-divides-world",),
        enforced=(
            (
                "0.3",
                None,
                "init",
                "num_attention_heads ... must be divisible by ulysses_sp_size ... / num_key_value_heads ... must be divisible by "
                "ulysses_sp_size ... or vise versa. Upon ulysses_sp_size % num_key_value_heads == 0, ...",
                WORKERS,
            ),
        ),
    ),
    # before anything is started
    Rule(
        "GRPO710",
        "batch-divides-over-gpus",
        "The completions of a rollout divide over the GPUs",
        "train_batch_size * rollout_n % smallest_batch != 0",
        message="train_batch_size {train_batch_size} x n {rollout_n} completions do not divide by {smallest_batch}"
        "{smallest_batch.how}",
        special={
            "counts_rows": "data.train_batch_size {train_batch_size} groups of environments do not divide by {smallest_batch} GPUs"
        },
        why="Every rank gets the same number of completions. The limit is the number of GPUs; with Megatron it is the number of "
        "data-parallel ranks times the micro batch.",
        instead="Choose data.train_batch_size (in prompts) so that its product with rollout.n is a multiple of the GPUs.",
        at=("train_batch_size", "rollout_n", "smallest_batch"),
        blocked_by=("megatron-ranks-divide-gpus", "megatron-has-a-micro-batch", "group-is-positive"),
        enforced=(
            ("0.2", "0.3", "config", "real_train_batch_size (...) must be divisible by total n_gpus (...)."),
            (
                "0.4",
                None,
                "config",
                "real_train_batch_size (...) must be divisible by minimal possible batch size (...)",
            ),
        ),
    ),
    Rule(
        "GRPO711",
        "megatron-has-a-micro-batch",
        "Megatron is given a micro batch per GPU",
        "is_megatron and (not dynamic or checks_ranks_always) and not actor_micro_is_set",
        message="actor.ppo_micro_batch_size_per_gpu is not set, and verl needs it to check a batch with Megatron",
        why="The check of the batch multiplies this size by the data-parallel ranks, and fails on null with a TypeError.",
        instead="Set actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu.",
        at=("strategy", "actor_micro_global"),
        blocked_by=("megatron-ranks-divide-gpus",),
        enforced=(("0.4", None, "config", "unsupported operand type(s) for *: 'int' and 'NoneType'"),),
    ),
    Rule(
        "GRPO712",
        "megatron-ranks-divide-gpus",
        "Tensor x pipeline x context parallel divides the GPUs",
        "is_megatron and (not dynamic or checks_ranks_always) and world_size % model_parallel_size != 0",
        message="{world_size} processes cannot be divided into model replicas of {model_parallel_size}{model_parallel_size.how}",
        why="Every replica of the model takes tensor x pipeline x context parallel GPUs; what is left over has no place.",
        instead="Change the parallel sizes of actor.megatron, or n_gpus_per_node and nnodes of the trainer.",
        at=("model_parallel_size",),
        enforced=(
            (
                "0.4",
                None,
                "config",
                "n_gpus (...) must be divisible by model_parallel_size (...) times context_parallel_size (...)",
            ),
        ),
    ),
    Rule(
        "GRPO713",
        "rollout-holds-an-update",
        "A rollout holds the prompts of one update",
        "not dynamic and train_batch_size < ppo_mini_batch_size",
        message="data.train_batch_size {train_batch_size} is smaller than actor.ppo_mini_batch_size {ppo_mini_batch_size}: both count "
        "prompts",
        why="An update takes ppo_mini_batch_size prompts out of a rollout of train_batch_size.",
        instead="Lower actor.ppo_mini_batch_size to train_batch_size or less, or raise train_batch_size.",
        at=("train_batch_size", "ppo_mini_batch_size"),
        enforced=(
            ("0.3", "0.5", "config", _NO_MESSAGE),
            ("0.6", None, "config", "train_batch_size (...) must be >= actor.ppo_mini_batch_size (...)"),
        ),
    ),
    Rule(
        "GRPO714",
        "rollout-holds-a-critic-update",
        "A rollout holds the prompts of one update of the critic",
        "has_critic and not critic_dynamic and train_batch_size < critic_mini",
        message="data.train_batch_size {train_batch_size} is smaller than critic.ppo_mini_batch_size {critic_mini}",
        why="An update of the critic takes its ppo_mini_batch_size out of a rollout of train_batch_size.",
        instead="Lower critic.ppo_mini_batch_size; it follows actor.ppo_mini_batch_size unless it is set.",
        at=("critic_mini", "train_batch_size"),
        blocked_by=("rollout-holds-an-update",),
        enforced=(
            ("0.3", "0.5", "config", _NO_MESSAGE),
            ("0.6", None, "config", "train_batch_size (...) must be >= critic.ppo_mini_batch_size (...)"),
        ),
    ),
    Rule(
        "GRPO715",
        "micro-batches-are-given",
        "Every worker is given a micro batch",
        "sections_without_micro != ''",
        message="no micro batch is set for: {sections_without_micro}(a key that ends in micro_batch_size_per_gpu is needed in each)",
        why="Without dynamic batches every forward and backward pass takes a fixed number of completions on a GPU, and verl has no "
        "default for it.",
        instead="Set actor.ppo_micro_batch_size_per_gpu, rollout.log_prob_micro_batch_size_per_gpu and, with a KL term, "
        "ref.log_prob_micro_batch_size_per_gpu; or turn actor.use_dynamic_bsz on.",
        at=("actor_micro", "rollout_micro", "ref_micro", "dynamic", "adv_estimator"),
        blocked_by=("megatron-has-a-micro-batch",),
        enforced=(("0.2", None, "config", _LACKING),),
    ),
    Rule(
        "GRPO716",
        "micro-batches-are-given-once",
        "A micro batch is given per GPU or for all GPUs",
        "sections_with_two_micros != ''",
        message="the micro batch is set per GPU and for all GPUs, for: {sections_with_two_micros}(the key without _per_gpu is deprecated)",
        why="The two keys say the same thing in two units. In critic the key per GPU follows the other one since 0.5, so that the "
        "other one alone is refused as well.",
        instead="Keep the key that ends in _per_gpu.",
        at=(
            "actor_micro_global",
            "rollout_micro_global",
            "ref_micro_global",
            "critic_micro_global",
            "reward_micro_global",
        ),
        enforced=(("0.2", None, "config", _DOUBLED),),
    ),
    Rule(
        "GRPO717",
        "global-micro-batch-fits",
        "The micro batch for all GPUs divides an update and reaches all GPUs",
        "not dynamic and (ppo_mini_batch_size % actor_micro_global != 0 or ranks_reached < world_size)",
        message="actor.ppo_micro_batch_size {actor_micro_global} has to divide ppo_mini_batch_size {ppo_mini_batch_size} and be at "
        "least the number of GPUs, {world_size}",
        why=_OVER_ALL_GPUS,
        instead="Set actor.ppo_micro_batch_size_per_gpu in its place.",
        at=("actor_micro_global",),
        only_with=("actor_rollout_ref.actor.ppo_micro_batch_size",),
        blocked_by=("micro-batches-are-given-once", "megatron-has-a-micro-batch"),
        enforced=(
            ("0.2", "0.5", "config", _NO_MESSAGE),
            ("0.6", None, "config", "ppo_mini_batch_size (...) must be divisible by ppo_micro_batch_size (...)"),
        ),
    ),
    Rule(
        "GRPO726",
        "global-critic-micro-batch-fits",
        "The micro batch of the critic for all GPUs divides its update and reaches all GPUs",
        "counts_critic_rows and (critic_mini % critic_micro_global != 0 or critic_ranks_reached < world_size)",
        message="critic.ppo_micro_batch_size {critic_micro_global} has to divide critic.ppo_mini_batch_size {critic_mini} and be at "
        "least the number of GPUs, {world_size}",
        why=_OVER_ALL_GPUS,
        instead="Set critic.ppo_micro_batch_size_per_gpu in its place.",
        at=("critic_micro_global",),
        only_with=("critic.ppo_micro_batch_size",),
        blocked_by=("micro-batches-are-given-once",),
        enforced=(("0.2", "0.4", "config", _NO_MESSAGE),),
    ),
    Rule(
        "GRPO718",
        "sequence-parallel-removes-padding",
        "Sequence parallelism goes with use_remove_padding",
        "padding_matters_to and not use_remove_padding",
        message="ulysses_sequence_parallel_size {actor_sequence_parallel} needs actor_rollout_ref.model.use_remove_padding",
        why="Sequences are split over GPUs after their padding is taken out.",
        instead="Set actor_rollout_ref.model.use_remove_padding to true.",
        at=("actor_sequence_parallel", "ref_sequence_parallel"),
        cure={"actor_rollout_ref.model.use_remove_padding": True},
        enforced=(("0.2", None, "config", _PADDING),),
    ),
    Rule(
        "GRPO719",
        "loss-aggregation-is-known",
        "loss_agg_mode is one that verl knows",
        "loss_agg_mode not in loss_aggregations",
        message="actor.loss_agg_mode is {loss_agg_mode}, not one of {loss_aggregations}",
        why="The loss is a mean over tokens or over sequences; verl looks the name up in a list.",
        instead="Use token-mean, or another one of the list.",
        at=("loss_agg_mode",),
        cure={},
        enforced=(("0.4", None, "config", "Invalid loss_agg_mode: ..."),),
    ),
    Rule(
        "GRPO720",
        "validation-samples-at-a-temperature",
        "Validation that samples has a temperature",
        "validation_samples and rollout_temperature <= 0",
        message="val_kwargs.do_sample is on, and rollout.temperature is {rollout_temperature}",
        why="verl looks at the temperature of the rollout, not at that of the validation.",
        instead="Set actor_rollout_ref.rollout.temperature to more than 0, or val_kwargs.do_sample to false.",
        at=("rollout_temperature", "validation_samples"),
        cure={"actor_rollout_ref.rollout.val_kwargs.do_sample": False},
        enforced=(
            ("0.3", None, "config", "validation gen temperature should be greater than 0 when enabling do_sample"),
        ),
    ),
    Rule(
        "GRPO721",
        "lora-rank-fits-the-engine",
        "The rank of LoRA is one that vLLM takes",
        "rollout_engine == 'vllm' and lora_rank > 512 and not lora_is_merged",
        message="lora_rank {lora_rank} is more than vLLM takes (512)",
        why="The engine keeps adapters in buffers of fixed sizes, the largest of which is 512.",
        instead="Lower actor_rollout_ref.model.lora_rank.",
        at=("lora_rank",),
        cure={"actor_rollout_ref.model.lora_rank": 512},
        enforced=(
            ("0.6.1", "0.7.0", "config", "LoRA rank in vLLM must be less than or equal to 512"),
            ("0.7.1", None, "config", "lora_rank must be less than or equal to 512, but got ..."),
        ),
    ),
    Rule(
        "GRPO722",
        "advantage-estimator-is-known",
        "The advantage estimator is one of a list",
        "adv_estimator not in estimators",
        message="algorithm.adv_estimator is {adv_estimator}, not one of {estimators}",
        why="Since 0.6 the name is looked up in the first training step only, after all models are loaded and a rollout is made.",
        instead=_ONE_OF_THE_LIST,
        at=("adv_estimator",),
        cure={},
        enforced=(
            ("0.2", "0.5", "config", _NO_TEXT),
            ("0.6", None, "run", "Unknown advantage estimator simply: ...", _FIRST_STEP),
        ),
    ),
    Rule(
        "GRPO723",
        "critic-has-the-strategy-of-the-actor",
        "Actor and critic are trained by the same engine",
        "not strategies_go_together",
        message="actor.strategy is {strategy} and critic.strategy {critic_strategy}",
        why="One kind of workers is started for both, also where no critic is trained.",
        instead="Give both the same strategy.",
        at=("critic_strategy", "strategy"),
        cure={},
        enforced=(("0.2", "0.5", "config", _NO_MESSAGE),),
    ),
    Rule(
        "GRPO724",
        "tools-have-a-config",
        "Several turns have tools",
        "multi_turn and tool_config == '' and (interaction_config == '' or needs_tools)",
        message="rollout.multi_turn is on without a tool_config_path",
        why="These versions play several turns only with tools.",
        instead="Set actor_rollout_ref.rollout.multi_turn.tool_config_path.",
        at=("multi_turn",),
        enforced=(
            ("0.4.0", "0.4.0", "config", "tool_config_path must be set when enabling multi_turn"),
            (
                "0.4.1",
                "0.4.1",
                "config",
                "tool_config_path or interaction_config_path must be set when enabling multi_turn with tool",
            ),
        ),
    ),
    Rule(
        "GRPO725",
        "tools-are-for-grpo",
        "Several turns are trained with GRPO",
        "multi_turn and adv_estimator != 'grpo'",
        message="rollout.multi_turn is on, and algorithm.adv_estimator is {adv_estimator}, not grpo",
        why="These versions refuse what they have not tested.",
        instead="Set algorithm.adv_estimator to grpo.",
        at=("adv_estimator", "multi_turn"),
        blocked_by=("tools-have-a-config",),
        cure={"algorithm.adv_estimator": "grpo"},
        enforced=(("0.4", "0.4", "config", "only GRPO is tested for multi-turn with tool"),),
    ),
    Rule(
        "GRPO727",
        "replayed-routes-are-recorded",
        "Routes that are replayed are recorded",
        "replay_mode == 'R2' and bypasses_log_probs",
        message="router_replay.mode R2 replays the routes of a pass that rollout_correction.bypass_mode leaves out",
        why="R2 records how experts were chosen while the old log-probabilities are computed; bypass mode takes those of the rollout.",
        instead="Set algorithm.rollout_correction.bypass_mode to False, or router_replay.mode to R3.",
        at=("replay_mode", "bypasses_log_probs"),
        cure={"algorithm.rollout_correction.bypass_mode": False},
        enforced=(
            (
                "0.9.1",
                None,
                "config",
                "router_replay.mode='R2' requires algorithm.rollout_correction.bypass_mode=False: ...",
            ),
        ),
    ),
    # when the workers start
    Rule(
        "GRPO730",
        "rank-has-an-update",
        "An update gives every rank a completion",
        "not is_megatron and update_per_rank < 1",
        message="an update of {ppo_mini_batch_size} prompts x n {rollout_n} completions does not reach all {dp_size} "
        "data-parallel ranks{dp_size.how}",
        special={
            "counts_rows": "an update of {ppo_mini_batch_size} rows does not reach all {dp_size} data-parallel ranks{dp_size.how}"
        },
        why="The mini batch is divided by the ranks and rounded down, and nothing is left.",
        instead="Raise actor.ppo_mini_batch_size, or spread the model over more GPUs.",
        at=("ppo_mini_batch_size", "rollout_n"),
        blocked_by=(
            "rollout-prompts-fill-updates",
            "model-parallel-divides-world",
        ),
        enforced=(
            ("0.2", "0.2", "run", "", "in the first update, which never ends"),
            ("0.3", "0.7", "init", "ppo_mini_batch_size ... should be larger than 0 after normalization", WORKERS),
        ),
    ),
    Rule(
        "GRPO731",
        "rank-update-holds-whole-micro-batches",
        "The share of a rank in an update is a whole number of micro batches",
        "checks_micro_of_rank and (normal_micro < 1 or update_per_rank % normal_micro != 0)",
        message="an update gives each of {dp_size} ranks {update_per_rank} completions{update_per_rank.how}, not a multiple of the micro batch {normal_micro}",
        special={
            "counts_rows": "an update gives each of {dp_size} ranks {update_per_rank} rows{update_per_rank.how}, not a multiple of the micro batch {normal_micro}"
        },
        why="ppo_mini_batch_size counts prompts over all GPUs, and ppo_micro_batch_size_per_gpu completions on one. "
        + _PER_GPU,
        instead="Choose actor.ppo_micro_batch_size_per_gpu as a divisor of ppo_mini_batch_size x n / data-parallel ranks.",
        at=("normal_micro", "ppo_mini_batch_size", "rollout_n"),
        blocked_by=(
            "rollout-prompts-fill-updates",
            "global-micro-batch-fits",
            "rank-has-an-update",
            "model-parallel-divides-world",
            "update-divides-over-ranks",
        ),
        enforced=(
            ("0.2", "0.2", "init", _NO_MESSAGE, WORKERS),
            ("0.3", "0.7", "init", _NORMAL, WORKERS),
            ("0.8", None, "run", _FORCED, _FIRST_STEP),
        ),
    ),
    Rule(
        "GRPO732",
        "critic-update-holds-whole-micro-batches",
        "The part of a rank in an update of the critic is a whole number of micro batches",
        "critic_has_ranks and (critic_rows_per_rank % critic_normal_micro != 0 or critic_rows_per_rank < 1)",
        message="an update of the critic gives a rank {critic_rows_per_rank} completions, which is no positive multiple of its micro "
        "batch {critic_normal_micro}",
        why="The critic divides its mini batch by its own ranks, rounds down, and then wants whole micro batches.",
        instead="Choose critic.ppo_micro_batch_size_per_gpu as a divisor.",
        at=("critic_normal_micro", "critic_mini", "ppo_mini_batch_size"),
        blocked_by=("global-critic-micro-batch-fits", "rank-has-an-update", "model-parallel-divides-world"),
        enforced=(("0.3", "0.7", "init", _NORMAL, WORKERS),),
    ),
    Rule(
        "GRPO733",
        "engines-divide-gpus",
        "The engines that generate divide the GPUs",
        "engine_sizes_are_checked and world_size % engine_size != 0",
        message="{world_size} processes do not divide into engines of {engine_size}{engine_size.how}",
        why="Generation runs on the GPUs of training, in engines of equal size. rollout.tensor_model_parallel_size is 2 unless it is "
        "set, which breaks a run on one GPU.",
        instead="Set actor_rollout_ref.rollout.tensor_model_parallel_size to a divisor of the GPUs; 1 always works.",
        at=("engine_size",),
        enforced=(
            ("0.2", "0.5", "init", _INFER_TP, WORKERS),
            ("0.6", None, "init", _INFER_SIZE, WORKERS),
        ),
    ),
    Rule(
        "GRPO734",
        "dynamic-batches-agree",
        "Actor and rollout both have dynamic batches, or none has",
        "dynamic != rollout_dynamic",
        message="actor.use_dynamic_bsz is {dynamic}, and rollout.log_prob_use_dynamic_bsz {rollout_dynamic}",
        why="One worker computes both. rollout.log_prob_use_dynamic_bsz follows the actor's key unless it is set. "
        + _PER_GPU,
        instead="Leave rollout.log_prob_use_dynamic_bsz out.",
        at=("rollout_dynamic", "dynamic"),
        cure={},
        enforced=(("0.8", None, "init", _NO_MESSAGE, WORKERS),),
    ),
    Rule(
        "GRPO735",
        "micro-batches-are-per-gpu",
        "Micro batches are given per GPU",
        "micro_is_global_only",
        message="only the deprecated micro batch for all GPUs is set: the workers read ppo_micro_batch_size_per_gpu and "
        "log_prob_micro_batch_size_per_gpu",
        why="These keys were converted up to 0.7. Since 0.8 they pass the first checks, and the workers do not read them. "
        + _PER_GPU,
        instead="Set the keys that end in _per_gpu.",
        at=("actor_micro_global", "rollout_micro_global"),
        blocked_by=(
            "micro-batches-are-given",
            "micro-batches-are-given-once",
            "global-micro-batch-fits",
            "megatron-has-a-micro-batch",
        ),
        enforced=(("0.8", None, "init", _NO_MESSAGE, WORKERS),),
    ),
    Rule(
        "GRPO736",
        "reference-micro-batch-is-per-gpu",
        "The micro batch of the reference model is given per GPU",
        "ref_micro_is_global_only",
        message="only the deprecated ref.log_prob_micro_batch_size is set: the worker reads log_prob_micro_batch_size_per_gpu",
        why="This key was converted up to 0.7. Since 0.8 it passes the first checks, and the worker does not read it. "
        + _PER_GPU,
        instead="Set actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu.",
        at=("ref_micro_global",),
        blocked_by=("micro-batches-are-given", "micro-batches-are-given-once", "micro-batches-are-per-gpu"),
        enforced=(("0.8", None, "run", _NO_MESSAGE, _FIRST_STEP),),
    ),
    Rule(
        "GRPO737",
        "rollout-is-asynchronous",
        "The rollout is asynchronous",
        "rollout_mode == 'sync'",
        message="rollout.mode sync was removed in 0.7.0",
        why="The engines are servers now, and async has become the default.",
        instead="Remove actor_rollout_ref.rollout.mode, or set it to async.",
        at=("rollout_mode",),
        cure={"actor_rollout_ref.rollout.mode": "async"},
        enforced=(
            (
                "0.7",
                None,
                "init",
                "Rollout mode 'sync' has been removed. Please set `actor_rollout_ref.rollout.mode=async` or remove the mode setting entirely.",
                WORKERS,
            ),
        ),
    ),
    Rule(
        "GRPO738",
        "engine-spreads-its-experts",
        "Experts of an engine are spread over all of its GPUs",
        "rollout_engine != 'trtllm' and rollout_expert_parallel > 1 and rollout_expert_parallel != ranks_of_experts",
        message="rollout.expert_parallel_size {rollout_expert_parallel} is not tensor_model_parallel_size {rollout_tensor_parallel} x "
        "data_parallel_size {rollout_data_parallel}",
        why="The engine has one group of GPUs for its experts: all those of its tensor- and data-parallel ranks.",
        instead="Set actor_rollout_ref.rollout.expert_parallel_size to 1 or to the product.",
        at=("rollout_expert_parallel",),
        enforced=(
            (
                "0.6",
                None,
                "init",
                "expert_parallel_size must be equal to tensor_model_parallel_size * data_parallel_size",
                WORKERS,
            ),
        ),
    ),
    Rule(
        "GRPO739",
        "engine-has-no-pipeline",
        "vLLM and SGLang generate without a pipeline",
        "(rollout_engine == 'vllm' or rollout_engine == 'sglang') and rollout_pipeline_parallel > 1",
        message="rollout.pipeline_model_parallel_size is {rollout_pipeline_parallel}, and {rollout_engine} takes 1 only",
        why="verl does not start these engines with pipeline stages.",
        instead="Use tensor_model_parallel_size.",
        at=("rollout_pipeline_parallel",),
        enforced=(
            (
                "0.6",
                None,
                "init",
                "Current rollout self.name=... not implemented pipeline_model_parallel_size > 1 yet.",
                WORKERS,
            ),
        ),
    ),
    Rule(
        "GRPO740",
        "rollout-engine-is-named",
        "The engine that generates is named",
        "engine_is_missing",
        message="actor_rollout_ref.rollout.name is not set, and has had no default since 0.6",
        why="Up to 0.5 the default was vllm. Since then a mandatory value is missing in the tree that Hydra composes, and the workers fail.",
        instead="Set actor_rollout_ref.rollout.name to vllm or sglang.",
        at=("engine_is_missing",),
        cure={"actor_rollout_ref.rollout.name": "vllm"},
        enforced=(("0.6", None, "init", "Missing mandatory value: actor_rollout_ref.rollout.name", WORKERS),),
    ),
    Rule(
        "GRPO741",
        "sharding-groups-divide-gpus",
        "FSDP groups divide the GPUs",
        "is_fsdp and fsdp_size > 0 and fsdp_size < world_size and world_size % fsdp_size != 0",
        message="fsdp_size {fsdp_size} does not divide {world_size} processes",
        why="Each group of fsdp_size GPUs holds the whole model once.",
        instead="Set fsdp_config.fsdp_size to a divisor of the GPUs, or to -1.",
        at=("fsdp_size",),
        enforced=(("0.2", "0.7", "init", "ValueError of the device mesh", WORKERS),),
    ),
    Rule(
        "GRPO742",
        "separate-rollout-fills-its-updates",
        "A separate rollout is as many updates as lie between two transfers of the weights",
        "is_separate and train_batch_size != parameter_sync_step * ppo_mini_batch_size",
        message="data.train_batch_size {train_batch_size} is not parameter_sync_step {parameter_sync_step} x actor.ppo_mini_batch_size "
        "{ppo_mini_batch_size}, which trainer_mode separate_async wants",
        why="The trainer takes ppo_mini_batch_size prompts at a time, and hands its weights on after parameter_sync_step updates.",
        instead="Set data.train_batch_size to the product.",
        at=("train_batch_size", "ppo_mini_batch_size", "parameter_sync_step", "trainer_mode"),
        enforced=(
            (
                "0.9",
                None,
                "init",
                "train_batch_size must equal parameter_sync_step * ppo_mini_batch_size in separate async training, but got ...",
                _TRAINER,
            ),
        ),
    ),
    Rule(
        "GRPO743",
        "separate-rollout-has-gpus",
        "A separate rollout has GPUs of its own",
        "is_separate and (rollout_nodes <= 0 or rollout_gpus <= 0)",
        message="trainer_mode separate_async generates on GPUs of its own, and rollout.nnodes is {rollout_nodes}",
        why="The GPUs of the trainer are not counted for generation. rollout.nnodes is 0 unless it is set; rollout.n_gpus_per_node "
        "follows the trainer.",
        instead="Set actor_rollout_ref.rollout.nnodes and n_gpus_per_node.",
        at=("rollout_nodes", "rollout_gpus", "trainer_mode"),
        blocked_by=("separate-rollout-fills-its-updates",),
        enforced=(("0.9", None, "init", "... must be > 0 in separate async training", _TRAINER),),
    ),
    Rule(
        "GRPO744",
        "separate-rollout-receives-weights",
        "The weights can travel to a separate rollout",
        "is_separate and weights_travel_by == 'naive'",
        message="rollout.checkpoint_engine.backend is {weights_travel_by}, which moves weights only between processes of one GPU",
        why="With trainer_mode separate_async the engines run on other GPUs than the trainer. naive is the default.",
        instead="Set actor_rollout_ref.rollout.checkpoint_engine.backend to nccl, nixl or another one that reaches other GPUs.",
        at=("weights_travel_by", "trainer_mode"),
        blocked_by=("separate-rollout-fills-its-updates", "separate-rollout-has-gpus"),
        cure={"actor_rollout_ref.rollout.checkpoint_engine.backend": "nccl"},
        enforced=(
            ("0.9", None, "init", "please use nccl/nixl/mooncake, etc. backend for separate async training", _TRAINER),
        ),
    ),
    # the first training step
    Rule(
        "GRPO750",
        "rows-divide-over-generation",
        "A rollout divides evenly over the generation workers",
        "rows_to_generate % generation_chunks != 0",
        message="{rows_to_generate} rows{rows_to_generate.how} do not divide evenly over {generation_chunks} generation workers{generation_chunks.how}",
        why="Up to 0.4 prompts are divided over all GPUs, and then completions over the engines. From 0.5 to 0.8 the workers are rollout.agent.num_workers, 8 by default whatever the number of GPUs.",
        instead="Make data.train_batch_size x n a multiple of rollout.agent.num_workers, or set that number.",
        at=("rows_to_generate", "generation_chunks"),
        blocked_by=("batch-divides-over-gpus", "rollout-is-asynchronous", "engines-divide-gpus", "group-is-positive"),
        enforced=(("0.2", "0.8", "run", _EQUAL_CHUNK, "when it generates for the first time"),),
    ),
    Rule(
        "GRPO751",
        "rows-divide-over-ranks",
        "A rollout divides over the data-parallel ranks",
        "completions_per_rollout % dp_size != 0",
        message="{completions_per_rollout} completions{completions_per_rollout.how} do not divide over {dp_size} data-parallel ranks",
        why="With dynamic batches the early check of the batch is left out, and the rows are dealt out all the same.",
        instead="Choose data.train_batch_size x n as a multiple of the data-parallel ranks.",
        at=("train_batch_size", "rollout_n"),
        blocked_by=("batch-divides-over-gpus", "model-parallel-divides-world", "rows-divide-over-generation"),
        enforced=(
            ("0.6", "0.7", "run", _EQUAL_CHUNK, _FIRST_STEP),
            ("0.8", "0.8", "run", "expecting td with length divisible by chunks, but got ... and ...", _FIRST_STEP),
        ),
    ),
    Rule(
        "GRPO752",
        "rollout-holds-updates-without-rest",
        "A rollout is a whole number of updates",
        "whole_updates and (update_per_rank < 1 or rest_of_rollout != 0)",
        message="a rollout gives each rank {rows_per_rank} completions{rows_per_rank.how}, which is no multiple of the "
        "{update_per_rank} of one update",
        why="The rows of a rank are cut into updates, and this release takes no rest. Earlier ones train a short last update "
        "silently, later ones pad.",
        instead=_A_DIVISOR_OF_THE_ROLLOUT,
        at=("ppo_mini_batch_size", "train_batch_size"),
        blocked_by=(
            "rollout-prompts-fill-updates",
            "batch-divides-over-gpus",
            "rows-divide-over-ranks",
            "rows-divide-over-generation",
            "update-divides-over-ranks",
            "rollout-holds-an-update",
            "model-parallel-divides-world",
        ),
        enforced=(("0.2", "0.8", "run", "... % ... != 0", _FIRST_STEP),),
    ),
    Rule(
        "GRPO753",
        "update-divides-over-ranks",
        "An update divides over the data-parallel ranks",
        "written_update % dp_size != 0",
        message="an update of ppo_mini_batch_size {ppo_mini_batch_size} x n {rollout_n} completions does not divide over {dp_size} "
        "data-parallel ranks{dp_size.how}",
        why="Every rank takes the same number of completions of an update. Earlier releases rounded down.",
        instead=_A_MULTIPLE_OF_THE_RANKS,
        at=("ppo_mini_batch_size", "rollout_n"),
        blocked_by=("model-parallel-divides-world", "group-is-positive", "batch-divides-over-gpus"),
        enforced=(
            ("0.8", None, "run", "Got mini_batch_size=... and self.engine.get_data_parallel_size()=...", _FIRST_STEP),
        ),
    ),
    Rule(
        "GRPO754",
        "rank-rows-hold-whole-micro-batches",
        "The completions of a rank are a whole number of micro batches when log-probabilities are computed",
        "not dynamic and (rest_of_forward != 0 or has_reference and rest_of_reference != 0)",
        message="each rank computes log-probabilities of {rows_per_rank} completions{rows_per_rank.how}, not a multiple of its micro batch for them",
        why="Since 0.8 the rows of a rank are cut into equal micro batches. " + _PER_GPU,
        instead="Choose log_prob_micro_batch_size_per_gpu of rollout and ref as divisors of the completions of a rank.",
        at=("rollout_micro", "ref_micro"),
        blocked_by=(
            "rollout-fills-forward-passes",
            "rollout-prompts-fill-updates",
            "batch-divides-over-gpus",
            "rows-divide-over-ranks",
            "model-parallel-divides-world",
            "micro-batches-are-given",
            "micro-batches-are-per-gpu",
        ),
        enforced=(("0.8", None, "run", _FORCED, _FIRST_STEP),),
    ),
    Rule(
        "GRPO755",
        "rollout-is-fetched-whole",
        "A rollout is fetched in whole batches of the data loader",
        "rest_of_fetches != 0",
        message="a rollout of {train_batch_size} prompts is no multiple of the {prompts_fetched} that are fetched at once",
        why="The prompts of a rollout come in batches of the data loader, and only whole ones are handed on. verl refuses a rest; EasyR1 "
        "generates it and throws it away.",
        instead="Choose data.gen_batch_size (EasyR1: data.mini_rollout_batch_size) as a divisor of the prompts of a rollout, or leave it "
        "out.",
        at=("prompts_fetched",),
        with_any=("data.gen_batch_size", "data.mini_rollout_batch_size"),
        enforced=(
            (
                "0.9",
                None,
                "run",
                "num_prompts (...) must be a positive multiple of gen_batch_size (...); it is submitted in whole gen_batch_size dataloader fetches.",
                _FIRST_STEP,
            ),
        ),
    ),
    Rule(
        "GRPO756",
        "loss-mode-is-known",
        "The policy loss is one that verl knows",
        "reads_loss_mode and loss_mode not in loss_modes",
        message="policy_loss.loss_mode is {loss_mode}, not one of {loss_modes}",
        why="The name is looked up in the first update only, after all models are loaded and a rollout is made.",
        instead=_ONE_OF_THE_LIST,
        at=("loss_mode",),
        cure={},
        enforced=(("0.4.1", None, "run", "Unsupported loss mode: ...", _FIRST_STEP),),
    ),
    Rule(
        "GRPO757",
        "data-fills-a-batch",
        "The training set fills one batch",
        "training_rows < loader_batch",
        only_with=("dataset_size",),
        message="the training set has {training_rows} rows, fewer than the {loader_batch} prompts of one batch of the data loader",
        why="Prompts that do not fill a batch are dropped, so there is no batch at all.",
        instead="Lower data.train_batch_size, or use more rows.",
        at=("loader_batch",),
        enforced=(
            ("0.2", "0.3", "init", _NO_MESSAGE, _DATA),
            ("0.4", None, "init", "Train dataloader is empty!", _DATA),
        ),
    ),
    Rule(
        "GRPO758",
        "log-prob-micro-batch-reaches-each-rank",
        "A micro batch for all GPUs leaves at least one completion for each",
        "sections_with_empty_micro != ''",
        message="log_prob_micro_batch_size is smaller than the {update_divisor} ranks that it is divided by, for: "
        "{sections_with_empty_micro}(what is left is 0)",
        why="The deprecated key counts completions on all ranks, is divided by them and rounded down. A batch that is cut into pieces "
        "of 0 ends the run, or never ends with the older releases.",
        instead="Use log_prob_micro_batch_size_per_gpu.",
        at=("rollout_micro_global", "ref_micro_global"),
        blocked_by=("micro-batches-are-given-once", "rank-has-an-update"),
        enforced=(
            ("0.2", "0.4", "run", "", "in the first training step, which may not end"),
            ("0.5", "0.7", "run", "range() arg 3 must not be zero", _FIRST_STEP),
        ),
    ),
    # accepted, with another effect than written
    Rule(
        "GRPO770",
        "last-update-is-whole",
        "The last update of a rollout is as large as the others",
        "not is_megatron and rows_per_rank > update_per_rank and rows_per_rank % update_per_rank != 0",
        message="a rollout gives each rank {rows_per_rank} completions, cut into updates of {update_per_rank}: the last one is smaller",
        why="These releases train the rest as an update of its own, with the same learning rate. 0.8 dies of it, 0.9 pads.",
        instead=_A_DIVISOR_OF_THE_ROLLOUT,
        at=("ppo_mini_batch_size", "train_batch_size"),
        blocked_by=(
            "batch-divides-over-gpus",
            "rank-has-an-update",
            "rows-divide-over-generation",
            "rollout-holds-an-update",
            "rank-update-holds-whole-micro-batches",
            "update-is-as-written",
        ),
        enforced=(("0.2", "0.7", "never"),),
    ),
    Rule(
        "GRPO771",
        "update-is-as-written",
        "An update has the size that is written",
        "not is_megatron and update_per_rank > 0 and update_per_rank * dp_size != written_update",
        message="an update of {written_update} completions{written_update.how} becomes {completions_per_update}: it is divided over {dp_size} ranks and rounded down",
        special={
            "counts_rows": "an update of {written_update} rows becomes {rows_per_update}: it is divided over {dp_size} ranks and rounded down"
        },
        why="The mini batch is rounded down to the same number of completions on every data-parallel rank.",
        instead=_A_MULTIPLE_OF_THE_RANKS,
        at=("ppo_mini_batch_size", "rollout_n"),
        blocked_by=(
            "rollout-holds-updates-without-rest",
            "rollout-prompts-fill-updates",
            "batch-divides-over-gpus",
            "rank-has-an-update",
            "rank-update-holds-whole-micro-batches",
            "model-parallel-divides-world",
            "rows-divide-over-generation",
        ),
        enforced=(("0.2", "0.7", "never"),),
    ),
    Rule(
        "GRPO772",
        "dynamic-rollout-holds-an-update",
        "With dynamic batches, too, a rollout holds the prompts of an update",
        "train_batch_size < ppo_mini_batch_size and (dynamic or trains_on_less)",
        message="data.train_batch_size {train_batch_size} is smaller than actor.ppo_mini_batch_size {ppo_mini_batch_size}; with dynamic batches nothing checks it",
        special={
            "not dynamic": "data.train_batch_size {train_batch_size} is smaller than actor.ppo_mini_batch_size {ppo_mini_batch_size}; this release does not check it"
        },
        why="Up to 0.7 a rollout makes one update whose loss is scaled by train_batch_size / ppo_mini_batch_size; 0.8 dies; 0.9 pads "
        "the rollout up to ppo_mini_batch_size.",
        instead="Lower actor.ppo_mini_batch_size to data.train_batch_size or less.",
        at=("ppo_mini_batch_size", "train_batch_size"),
        blocked_by=("rollout-holds-updates-without-rest",),
        enforced=(("0.2", None, "never"),),
    ),
    Rule(
        "GRPO773",
        "rollout-needs-no-padding",
        "A rollout needs no padding",
        "padding_completions > 0",
        message="{padding_completions} dummy completions are added to a rollout of {completions_per_rollout}, to reach a multiple of "
        "{batch_multiple}{batch_multiple.how}",
        why="0.9 fills a rollout up to whole updates on all ranks with dummies of zero reward. They cost time and count in the size "
        "of the batch.",
        instead=_A_DIVISOR_OF_THE_ROLLOUT,
        at=("ppo_mini_batch_size", "train_batch_size"),
        blocked_by=(
            "update-divides-over-ranks",
            "batch-divides-over-gpus",
            "rollout-holds-an-update",
            "dynamic-rollout-holds-an-update",
            "rank-rows-hold-whole-micro-batches",
        ),
        enforced=(("0.9", None, "never"),),
    ),
    Rule(
        "GRPO774",
        "sequences-fit-the-token-budget",
        "The token budget of a GPU holds the longest sequence",
        "tokens_per_pass < longest_sequence",
        message="a pass takes {tokens_per_pass} tokens on a GPU, and a sequence may have {max_prompt_length} + {max_response_length}",
        why="Up to 0.7 the workers split sequences that are padded to both lengths, so that the first step dies whatever the data are. "
        "Since 0.8 a sequence that does not fit is refused when it comes, which can be hours into the run.",
        instead="Raise actor.ppo_max_token_len_per_gpu to max_prompt_length + max_response_length, or twice that.",
        at=("token_budget", "max_response_length"),
        enforced=(
            (
                "0.2",
                "0.7",
                "run",
                "max_token_len must be greater than the sequence length. Got max_token_len=... and max_seq_len=...",
                _FIRST_STEP,
            ),
            # the workers of 0.8 split batches without padding, so that it depends on the data
            ("0.8", None, "never"),
        ),
    ),
    Rule(
        "GRPO775",
        "estimator-is-chosen",
        "The advantage estimator is chosen",
        "estimator_is_left and rollout_n > 1",
        message="algorithm.adv_estimator is not set and so gae: a critic is trained, and the {rollout_n} completions of a prompt are "
        "not compared",
        why="The default of verl is PPO with a critic. Several completions of a prompt are what GRPO and its relatives need.",
        instead="Set algorithm.adv_estimator to grpo, or to gae if that is meant.",
        at=("rollout_n",),
        cure={"algorithm.adv_estimator": "grpo"},
        enforced=(("0.2", None, "never"),),
    ),
    Rule(
        "GRPO776",
        "group-samples-at-a-temperature",
        "A group is sampled at a temperature",
        "rollout_temperature == 0 and rollout_n > 1",
        message="rollout.temperature is 0: the {rollout_n} completions of a prompt are the same, and the actor divides its logits by it",
        why="At 0 the engine takes the most likely token each time, so that no completion differs from the others of its group. The "
        "actor divides its logits by this temperature: up to 0.7 that gives nan, and most engines of later releases divide by 1e-8.",
        instead="Set actor_rollout_ref.rollout.temperature to 1, or to something near it; val_kwargs has one of its own.",
        at=("rollout_temperature", "rollout_n"),
        blocked_by=("validation-samples-at-a-temperature",),
        cure={"actor_rollout_ref.rollout.temperature": 1.0},
        enforced=(("0.2", None, "never"),),
    ),
    Rule(
        "GRPO785",
        "engine-takes-a-sequence",
        "The engine takes a whole sequence at once",
        "engine_tokens < max_prompt_length + max_response_length",
        message="rollout.max_num_batched_tokens {engine_tokens} is less than max_prompt_length {max_prompt_length} + max_response_length "
        "{max_response_length}",
        special={
            "engine_asserts_length": "rollout.max_model_len {engine_tokens} is less than max_prompt_length {max_prompt_length} + "
            "max_response_length {max_response_length}"
        },
        why="The engine is started with the length of the longest sequence: vLLM has to hold it in one batch, SGLang at all.",
        instead="Raise max_num_batched_tokens of the rollout, of which 8192 is the default; for SGLang, max_model_len.",
        at=("max_model_len", "engine_tokens", "max_response_length"),
        enforced=(
            (
                "0.3",
                "0.6",
                "init",
                "Enable chunked prefill, max_num_batched_tokens is smaller than max_model_len, ... / "
                "max_model_len should be greater than total sequence length ...",
                WORKERS,
            ),
        ),
    ),
    Rule(
        "GRPO778",
        "run-leaves-a-checkpoint",
        "A run that speaks of checkpoints leaves one",
        "save_freq <= 0",
        # a frequency of -1 alone is what a trial run, and most examples, say on purpose
        only_with=("trainer.save_freq",),
        with_any=(
            "trainer.default_local_dir",
            "trainer.max_actor_ckpt_to_keep",
            "actor_rollout_ref.actor.checkpoint.save_contents",
        ),
        message="trainer.save_freq is {save_freq}: no checkpoint is written, not even at the end",
        why="The last step is saved only if trainer.save_freq is positive.",
        instead="Set trainer.save_freq to the number of rollouts between two checkpoints.",
        at=("save_freq",),
        blocked_by=("read-checkpoint-is-written",),
        enforced=(("0.2", None, "never", "", "", "info"),),
    ),
    Rule(
        "GRPO777",
        "engine-length-holds-a-sequence",
        "The length of the engine holds the longest prompt, and a prompt with the longest response",
        "0 < engine_length and (engine_length < max_prompt_length or engine_length <= max_response_length)",
        with_any=("actor_rollout_ref.rollout.max_model_len", "worker.rollout.max_model_len", "model_positions"),
        message="the engine holds {engine_length} tokens, and a prompt with its response may have {max_prompt_length} + "
        "{max_response_length}: one of them fills it alone",
        why="No response can be as long as its limit, or the longest prompts leave no room for one. A prompt that fills the engine alone ends the run. "
        "Since 0.7 the length of verl's engine is max_position_embeddings of the model, unless rollout.max_model_len says less.",
        instead="Raise rollout.max_model_len to max_prompt_length + max_response_length, or remove it; else lower the lengths.",
        at=("engine_length", "max_response_length"),
        enforced=(("0.3", None, "never"),),
    ),
    Rule(
        "GRPO789",
        "engine-length-holds-both-limits",
        "The length of the engine holds the longest prompt and the longest response at once",
        "0 < engine_length < max_prompt_length + max_response_length",
        with_any=("actor_rollout_ref.rollout.max_model_len", "worker.rollout.max_model_len", "model_positions"),
        message="the engine holds {engine_length} tokens, both limits together {max_prompt_length} + {max_response_length}: responses to "
        "long prompts end early",
        why="Each limit fits into the engine, and both at once do not. Whether a prompt of the data set is so long is not known.",
        instead="Raise rollout.max_model_len to max_prompt_length + max_response_length, or see whether the share of cut responses grows "
        "with the prompt.",
        at=("engine_length", "max_response_length"),
        harm="info",
        blocked_by=("engine-length-holds-a-sequence",),
    ),
)
