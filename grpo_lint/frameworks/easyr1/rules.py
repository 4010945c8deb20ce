"""GRPO78x: what only EasyR1 refuses. Its batch sizes count prompts, its micro batches completions on one GPU. Rules
shared with verl are in verl's folder."""

from ...rules.base import Rule

TRAINER = "when its trainer is made, with Ray up and the data loaded"
WORKERS = "when its workers start, with the GPUs taken"
FIRST_STEP = "in the first training step"
EQUAL_CHUNK = "only support equal chunk. Got size of DataProto ... and chunk ...."
EQUAL_SPLIT = "only support equal split. Got size of DataProto ... and split ...."
_FORWARD = "Rollout batch size * rollout.n must be divisible by ... micro batch size for experience."

_EARLIER = (
    "model-parallel-divides-world",
    "rows-divide-over-ranks",
    "rows-divide-over-generation",
    "rollout-fills-critic-forward-passes",
    "rollout-prompts-fill-critic-updates",
    "critic-update-holds-whole-micro-batches",
    "rollout-holds-updates-without-rest",
)

RULES = (
    Rule(
        "GRPO780",
        "rollout-prompts-fill-updates",
        "The prompts of a rollout are a whole number of updates",
        "ppo_mini_batch_size == 0 or train_batch_size % ppo_mini_batch_size != 0",
        message="data.rollout_batch_size {train_batch_size} is not a multiple of worker.actor.global_batch_size {ppo_mini_batch_size}: both count prompts",
        why="A rollout is cut into updates of global_batch_size prompts. The name suggests completions, but the workers multiply the number by rollout.n.",
        instead="Set worker.actor.global_batch_size to a divisor of data.rollout_batch_size.",
        at=("ppo_mini_batch_size", "train_batch_size"),
        blocked_by=("advantage-estimator-is-known",),
        enforced=(("0.3", None, "init", "Rollout batch size must be divisible by actor global batch size.", TRAINER),),
    ),
    Rule(
        "GRPO781",
        "rollout-prompts-fill-critic-updates",
        "The prompts of a rollout are a whole number of updates of the critic",
        "has_critic and (critic_mini == 0 or train_batch_size % critic_mini != 0)",
        message="data.rollout_batch_size {train_batch_size} is not a multiple of worker.critic.global_batch_size {critic_mini}: both count prompts",
        why="The critic cuts a rollout into its own updates. Its default is 256, whatever the actor has.",
        instead="Set worker.critic.global_batch_size to that of the actor.",
        at=("critic_mini", "train_batch_size"),
        blocked_by=("rollout-prompts-fill-updates", "rollout-fills-forward-passes"),
        enforced=(("0.3", None, "init", "Rollout batch size must be divisible by critic global batch size.", TRAINER),),
    ),
    Rule(
        "GRPO782",
        "rollout-fills-forward-passes",
        "The completions of a rollout are a whole number of forward micro batches",
        "rollout_micro == 0 or train_batch_size * rollout_n % rollout_micro != 0",
        message="{train_batch_size} prompts x {rollout_n} completions are not a multiple of micro_batch_size_per_device_for_experience {rollout_micro}",
        why="Log-probabilities are computed in micro batches of this size. The whole rollout is checked, even if batches are made of tokens.",
        instead="Set worker.actor.micro_batch_size_per_device_for_experience to a divisor; the default is 16.",
        at=("rollout_micro", "train_batch_size", "rollout_n"),
        blocked_by=("rollout-prompts-fill-updates", "advantage-estimator-is-known"),
        enforced=(("0.3", None, "init", _FORWARD, TRAINER),),
    ),
    Rule(
        "GRPO783",
        "rollout-fills-critic-forward-passes",
        "The completions of a rollout are a whole number of forward micro batches of the critic",
        "has_critic and (critic_forward_micro == 0 or train_batch_size * rollout_n % critic_forward_micro != 0)",
        message="{train_batch_size} prompts x {rollout_n} completions are not a multiple of worker.critic.micro_batch_size_per_device_for_experience {critic_forward_micro}",
        why="Values are computed in micro batches of this size. The whole rollout is checked.",
        instead="Set worker.critic.micro_batch_size_per_device_for_experience to a divisor; the default is 16.",
        at=("critic_forward_micro", "train_batch_size", "rollout_n"),
        blocked_by=(
            "rollout-prompts-fill-critic-updates",
            "rollout-prompts-fill-updates",
            "rollout-fills-forward-passes",
        ),
        enforced=(("0.3", None, "init", _FORWARD, TRAINER),),
    ),
    Rule(
        "GRPO784",
        "offload-goes-without-accumulation",
        "FSDP's CPU offload goes without gradient accumulation",
        "offloads_to_cpu and update_per_rank != actor_micro or offloads_critic and critic_rows_per_rank != critic_micro",
        message="fsdp.enable_cpu_offload is on, and an update of {update_per_rank} completions on a GPU is accumulated from micro batches of "
        "{actor_micro}",
        special={
            "not offloads_to_cpu": "worker.critic.fsdp.enable_cpu_offload is on, and an update of {critic_rows_per_rank} completions on a "
            "GPU is accumulated from micro batches of {critic_micro}",
        },
        why="FSDP cannot accumulate gradients that it has moved to the CPU.",
        instead="Turn fsdp.enable_cpu_offload off and use offload.offload_params and offload.offload_optimizer, or make the micro batch as large as the update.",
        at=("offloads_to_cpu", "critic_offloads_to_cpu"),
        blocked_by=("rank-update-holds-whole-micro-batches", "rank-has-an-update", "model-parallel-divides-world"),
        cure={"worker.actor.fsdp.enable_cpu_offload": False},
        other_cures=({"worker.critic.fsdp.enable_cpu_offload": False},),
        enforced=(
            ("0.3", None, "init", "... cannot use FSDP's CPU offload when gradient accumulation is enabled.", WORKERS),
        ),
    ),
    Rule(
        "GRPO786",
        "critic-rows-hold-whole-micro-batches",
        "The completions of a rank are whole micro batches when the critic computes values",
        "has_critic and not critic_dynamic and rest_of_critic_forward != 0",
        message="the critic computes values of {critic_rows_of_rank} completions per rank{critic_rows_of_rank.how}, not a multiple of its micro batch {critic_forward_micro}",
        why="The trainer checks this micro batch against the whole rollout, but each worker cuts its own share.",
        instead="Set worker.critic.micro_batch_size_per_device_for_experience to a divisor of the completions of a rank.",
        at=("critic_forward_micro",),
        blocked_by=_EARLIER,
        enforced=(
            ("0.3", "0.3.1", "run", EQUAL_CHUNK, FIRST_STEP),
            ("0.3.2", None, "run", EQUAL_SPLIT, FIRST_STEP),
        ),
    ),
    Rule(
        "GRPO787",
        "rollout-holds-critic-updates-without-rest",
        "A rollout is a whole number of updates of the critic",
        "has_critic and rest_of_critic != 0",
        message="a rollout gives each rank of the critic {critic_rows_of_rank} completions{critic_rows_of_rank.how}, not a multiple of the {critic_rows_per_rank} of one update",
        why="An update is divided by the ranks and rounded down. The completions of a rank are cut into such updates, and no remainder is accepted.",
        instead="Make worker.critic.global_batch_size x n a multiple of the data-parallel ranks.",
        at=("critic_mini", "train_batch_size"),
        blocked_by=_EARLIER,
        enforced=(
            ("0.3", "0.3.1", "run", EQUAL_CHUNK, FIRST_STEP),
            ("0.3.2", None, "run", EQUAL_SPLIT, FIRST_STEP),
        ),
    ),
    Rule(
        "GRPO788",
        "adaptive-divergence-has-a-horizon",
        "An adaptive KL weight has a horizon",
        "has_reference and kl_type == 'adaptive' and kl_horizon <= 0",
        only_with=("algorithm.kl_type",),
        message="algorithm.kl_type is adaptive, but algorithm.kl_horizon is {kl_horizon}",
        why="Each step changes the weight by completions / horizon. The default horizon of 0.3.0 is 0.",
        instead="Set algorithm.kl_horizon to 10000, the default of later releases, or algorithm.kl_type to fixed.",
        at=("kl_horizon", "kl_type"),
        cure={"algorithm.kl_horizon": 10000.0},
        other_cures=({"algorithm.kl_type": "fixed"},),
        enforced=(("0.3", None, "init", "horizon must be larger than 0. Got ....", TRAINER),),
    ),
)
