"""What slime's flags mean: one sentence each, with the unit and the effect of leaving it unset.

Of its thousand flags those are told that decide about a run; of the others whose they are, and what they belong to.
"""

from .catalogue import FIELDS

MEANINGS = {
    "actor_num_gpus_per_node": "GPUs of each node that train.",
    "actor_num_nodes": "Nodes that train.",
    "advantage_estimator": "How advantages are made of rewards.",
    "apply_chat_template": "Make a text of the messages of a row with the chat template of the model.",
    "balance_data": "Give data-parallel ranks shares of about as many tokens, not the samples in their order.",
    "colocate": "Generate on the GPUs that train, in turns.",
    "context_parallel_size": "GPUs that share one sequence.",
    "custom_config_path": "A YAML file whose keys take the place of flags after these were checked. Unset: none.",
    "custom_generate_function_path": "A function of your own that generates for one sample. Unset: one request to the engines.",
    "custom_rm_path": "A function of your own that gives rewards. Unset: --rm-type chooses one.",
    "debug_rollout_only": "Generate, and train nothing.",
    "debug_train_only": "Train, and start no engines.",
    "disable_grpo_std_normalization": "Do not divide the rewards of a group by their deviation.",
    "disable_rewards_normalization": "Take rewards as they are, without taking the mean of their group off.",
    "entropy_coef": "Weight of the entropy in the loss.",
    "eps_clip": "How far the ratio of probabilities may go from 1.",
    "eps_clip_high": "How far above 1 the ratio of probabilities may go. Unset: as far as below.",
    "eval_config": "A file with data for evaluations and settings of each. Unset: --eval-prompt-data names the data.",
    "eval_interval": "Rollouts between two evaluations. Unset: none.",
    "eval_prompt_data": "Names and files of the data for evaluations, in turns. Unset: none.",
    "expert_model_parallel_size": "GPUs among which the experts of a layer are divided.",
    "global_batch_size": "Completions behind one update. Unset: from the updates of a rollout, or the least that Megatron can take.",
    "hf_checkpoint": "The model in the format of Hugging Face, for the engines and the tokenizer. Unset: refused.",
    "kl_coef": "Weight of the divergence from the reference in the rewards.",
    "kl_loss_coef": "Weight of the divergence from the reference in the loss; needs --use-kl-loss.",
    "kl_loss_type": "How the divergence is estimated.",
    "load": "The Megatron checkpoint with which training goes on. Unset: it begins with --ref-load.",
    "load_debug_rollout_data": "Rollouts that were written before, in the place of generated ones. Unset: generate.",
    "loss_type": "What is minimised: policy_loss for reinforcement learning, sft_loss for imitation.",
    "lr": "Learning rate.",
    "max_tokens_per_gpu": "Most tokens of a micro batch on one GPU, with dynamic batches. Unset: refused with them.",
    "micro_batch_size": "Completions per GPU in one micro step; with dynamic batches it only has to divide the share of an update.",
    "n_samples_per_eval_prompt": "Completions of one prompt in an evaluation.",
    "n_samples_per_prompt": "Completions of one prompt, which are compared with each other.",
    "normalize_advantages": "Bring advantages to mean 0 and deviation 1 over the batch.",
    "num_epoch": "Passes through the data after which the run ends. Unset: --num-rollout says when.",
    "num_gpus_per_node": "GPUs of a node of the cluster.",
    "num_rollout": "Rollouts after which the run ends. Unset: --num-epoch says when.",
    "num_steps_per_rollout": "Updates of a rollout. Unset: its completions divided by --global-batch-size.",
    "over_sampling_batch_size": "Prompts that are drawn at once, of which those that are kept fill a rollout. Unset: those of a rollout.",
    "partial_rollout": "Keep what is generated when a rollout is full, and go on with it in the next one.",
    "pipeline_model_parallel_size": "Stages among which the layers are divided.",
    "prompt_data": "The file with prompts. Unset: a data source of your own has to give them.",
    "ref_load": "The Megatron checkpoint of the reference, with which training begins as well. Unset: no reference.",
    "rm_type": "The reward that is built in. Unset: rows or a function of your own say it.",
    "rollout_batch_size": "Prompts of a rollout.",
    "rollout_function_path": "The function that makes a rollout.",
    "rollout_max_response_len": "Most tokens of a completion. Unset: as the engine has it.",
    "rollout_num_gpus": "GPUs that generate, where they are not those that train. Unset: those that train.",
    "rollout_num_gpus_per_engine": "GPUs of one engine.",
    "rollout_shuffle": "Shuffle the prompts in each epoch.",
    "rollout_temperature": "Temperature at which completions are drawn.",
    "save": "Where checkpoints are written. Unset: none are.",
    "save_interval": "Rollouts between two checkpoints; needs --save. Unset: none are written.",
    "sequence_parallel": "Divide along the sequence what tensor parallelism does not divide.",
    "tensor_model_parallel_size": "GPUs that share each layer.",
    "train_backend": "What trains: megatron, or fsdp in the releases that had it.",
    "update_weights_interval": "Rollouts between two updates of the engines' weights, in asynchronous training.",
    "use_dynamic_batch_size": "Make micro batches of as many completions as fit into --max-tokens-per-gpu.",
    "use_kl_loss": "Add the divergence from the reference to the loss; needs --ref-load.",
}
# {how names of flags begin or end: what they belong to}, the first that fits
_FAMILIES = (
    (("custom_", "_path"), "Where a function of your own is found that takes the place of one of slime's. Unset: none."),
    (("eval_",), "How an evaluation differs from training in this. Unset: it does not."),
    (("wandb_", "use_wandb", "disable_wandb"), "Handed to Weights & Biases. Unset: as there."),
    (("ci_", "debug_", "save_debug", "load_debug", "memory_", "profile_", "log_"), "Helps to find out what a run does. Unset: off."),
    (("critic_",), "Of the critic, which ppo alone trains. Unset: as the actor has it."),
    (("opd_", "use_opd"), "Of learning from a teacher besides rewards. Unset: there is none."),
    (("update_weight",), "How new weights get to the engines. Unset: as usual."),
    (("rollout_",), "Of how rollouts are made. Unset: as usual."),
    (("",), "A flag of slime that decides about no size of a run. Unset: as usual."),
)  # fmt: skip
_OF_MEGATRON = "A flag of the Megatron that slime pins, handed on as it is. Unset: as there."


def _family(name: str) -> str:
    """What a flag of slime belongs to."""
    return next(told for marks, told in _FAMILIES if name.startswith(marks) or name.endswith(marks[1:] or " "))


OTHERS = {
    name: _family(name) if spans[0][0] == "slime" else _OF_MEGATRON  # type: ignore[index]  # of a generated table
    for name, spans in FIELDS.items()
    if name not in MEANINGS
}
TABLES = (MEANINGS, OTHERS)  # the first one that has a field is used
SUGGESTIONS: "dict[str, object]" = {}
