"""The quantities of a plan in words: their units, meanings and labels.

Each word has one unit wherever numbers are shown: a *micro step* is the forward and backward pass of one batch per
device, an *update* is a step of the optimizer. A framework's `own_names` list what its documents call a quantity.
"""

GROUPS = ("processes", "memory", "training batch", "rollout", "evaluation", "epochs and updates")

# What each quantity of a plan means: {name: (group, unit, meaning)}. The order within a group is that of the output.
QUANTITIES = {
    "dp_size": ("processes", "ranks", "data-parallel ranks: copies of the model that are trained side by side"),
    "model_parallel_size": ("processes", "processes", "processes that share one copy of the model"),
    "expert_parallel_size": ("processes", "processes", "processes that share one copy of the experts"),
    "smallest_parallel_size": ("processes", "processes", "the smallest of the parallel sizes; each must be at least 1"),
    "uneven_pipeline": ("processes", "", "the first or last pipeline stage has a number of layers of its own"),
    "heads_per_rank": ("processes", "heads", "attention heads of the model on each rank of tensor parallelism"),
    "layers_per_stage": ("processes", "layers", "layers of the model in each stage of the pipeline"),
    "experts_per_rank": ("processes", "experts", "experts of the model on each rank of expert parallelism, in a layer"),
    "engine_gpus": ("processes", "GPUs", "that one engine takes, all of its copies of the model together"),
    "engines_share_gpus": ("processes", "", "the engines that generate run on the GPUs that train"),
    "expert_data_parallel_size": ("processes", "ranks", "copies of the experts; expert parallelism does not change dp_size"),
    "generation_engines": ("processes", "engines", "that generate side by side"),
    "processes_per_engine": ("processes", "processes", "that share one engine"),
    "parameter_count": ("memory", "", "of the model that is trained"),
    "weight_memory": ("memory", "MB", "of the weights on each GPU"),
    "gradient_memory": ("memory", "MB", "of the gradients on each GPU"),
    "optimizer_memory": ("memory", "MB", "of the states of AdamW on each GPU"),
    "training_memory": ("memory", "MB", "that a GPU needs at least at an update, without activations, logits and engines"),
    "micro_batch": ("training batch", "completions", "what one process takes in one micro step"),
    "accumulation": ("training batch", "micro steps", "whose gradients make one update"),
    "completions_per_pass": ("training batch", "completions", "one micro step over all data-parallel ranks"),
    "completions_per_step": ("training batch", "completions", "one micro step over all data-parallel ranks"),
    "completions_per_update": ("training batch", "completions", "behind one update of the weights"),
    "rows_per_update": ("training batch", "rows", "behind one update of the weights: the steps of episodes"),
    "prompts_per_update": ("training batch", "prompts", "behind one update of the weights"),
    "written_update": ("training batch", "completions", "of a mini batch as it is written: its prompts times the group"),
    "update_per_rank": ("training batch", "completions", "of an update, for each data-parallel rank"),
    "update_prompts_per_rank": ("training batch", "prompts", "of an update, for each data-parallel rank"),
    "tokens_per_pass": ("training batch", "tokens", "one micro step of one GPU takes, where batches are made of tokens"),
    "reference_model": ("training batch", "", "a reference model is kept beside the policy"),
    "critic_model": ("training batch", "", "a critic is trained beside the policy"),
    "group_size": ("rollout", "completions", "of one prompt, compared with each other"),
    "distils": ("rollout", "", "a teacher model gives the signal, so a group of 1 is legal"),
    "rollout_size_by_steps": ("rollout", "completions", "what steps_per_generation makes of a rollout"),
    "completions_per_rollout": ("rollout", "completions", "generated before training goes on"),
    "prompts_per_rollout": ("rollout", "prompts", "a rollout is made of"),
    "most_rows_per_rollout": ("rollout", "rows", "of a rollout at most, when every episode takes all of its steps"),
    "row_multiple": ("rollout", "rows", "to a multiple of which the rows of a rollout are brought"),
    "rollout_prompts_per_rank": ("rollout", "prompts", "of a rollout, for each data-parallel rank"),
    "completions_per_process": ("rollout", "completions", "of a rollout, for each process"),
    "rollout_iterations": ("rollout", "batches", "of micro_batch prompts that a rank draws for one rollout"),
    "completions_per_replica": ("rollout", "completions", "that the processes of one copy of the model gather"),
    "completions_wanted_per_replica": ("rollout", "completions", "that the prompts of one copy of the model make"),
    "completions_per_engine": ("rollout", "completions", "of a rollout, for each engine"),
    "steps_per_rollout": ("rollout", "micro steps", "in which a rollout is used up once"),
    "updates_per_rollout": ("rollout", "updates", "for which a rollout is used"),
    "on_policy": ("rollout", "", "the weights that made a rollout are those that every update from it begins with"),
    "padded_completions_per_rollout": ("rollout", "completions", "of a rollout, dummies included"),
    "padding_completions": ("rollout", "completions", "dummies that fill a rollout up to whole updates"),
    "evaluation_is_on": ("evaluation", "", "the evaluation strategy asks for it"),
    "has_validation_set": ("evaluation", "", "the file names a validation set"),
    "has_evaluation_set": ("evaluation", "", "the file names an evaluation set"),
    "has_cached_validation_set": ("evaluation", "", "the file names a cached validation set"),
    "splits_validation_set": ("evaluation", "", "some of the training rows are kept back for evaluation"),
    "evaluates": ("evaluation", "", "the run evaluates"),
    "eval_group_size": ("evaluation", "completions", "of one prompt when the run evaluates"),
    "eval_completions": ("evaluation", "completions", "one evaluation batch over all processes"),
    "eval_iterations": ("evaluation", "batches", "of micro_batch prompts that a rank draws for one evaluation batch"),
    "eval_completions_per_replica": ("evaluation", "completions", "of an evaluation batch, for one copy of the model"),
    "validation_rows": ("evaluation", "rows", "that the run evaluates on"),
    "evaluation_steps": ("evaluation", "batches", "of one evaluation"),
    "training_rows": ("epochs and updates", "rows", "that are trained on"),
    "prompts_per_sampled_batch": ("epochs and updates", "prompts", "the sampler hands out at once; what does not fill them is dropped"),
    "rows_used": ("epochs and updates", "rows", "that fill whole batches of the sampler"),
    "rows_dropped": ("epochs and updates", "rows", "of every epoch that fill no whole batch of the sampler, and are not trained on in it"),
    "completions_per_epoch": ("epochs and updates", "completions", "one pass through the data makes: rows times group"),
    "rollouts_per_epoch": ("epochs and updates", "rollouts", "that an epoch makes"),
    "micro_steps_of_data": ("epochs and updates", "micro steps", "of an epoch when each rollout is gone through once; num_iterations is not in it"),
    "micro_steps_per_epoch": ("epochs and updates", "micro steps", "that the framework counts for an epoch"),
    "micro_steps_taken_per_epoch": ("epochs and updates", "micro steps", "that an epoch really has"),
    "steps_per_epoch": ("epochs and updates", "updates", "that the framework counts for an epoch"),
    "epochs": ("epochs and updates", "epochs", "that are asked for"),
    "epochs_run": ("epochs and updates", "epochs", "that are begun"),
    "epochs_covered": ("epochs and updates", "epochs", "that the given number of updates covers"),
    "updates_taken_per_epoch": ("epochs and updates", "updates", "that an epoch really takes"),
    "rollouts": ("epochs and updates", "rollouts", "that the run makes"),
    "checkpoint_interval": ("epochs and updates", "rollouts", "between two checkpoints; with 0 none is written, also not at the end"),
    "total_steps": ("epochs and updates", "updates", "that the framework announces"),
    "executed_steps": ("epochs and updates", "updates", "that the run really takes"),
}  # fmt: skip

# {name: label} where the name alone would be unclear. The others are shown by their names, with spaces. A label follows
# a number ("8 prompts per rollout").
LABELS = {
    "world_size": "processes",
    "dataset_size": "rows of data",
    "dp_size": "data-parallel ranks",
    "model_parallel_size": "processes per model copy",
    "expert_parallel_size": "processes per expert copy",
    "expert_data_parallel_size": "expert ranks",
    "heads_per_rank": "attention heads per rank",
    "layers_per_stage": "layers per pipeline stage",
    "experts_per_rank": "experts per expert rank",
    "engines_share_gpus": "engines share the GPUs",
    "parameters": "parameters of the model",
    "parameter_count": "parameters of the model",
    "weight_memory": "MB of weights",
    "gradient_memory": "MB of gradients",
    "optimizer_memory": "MB of AdamW's states",
    "training_memory": "MB on each GPU at least",
    "micro_batch": "completions per micro batch",
    "accumulation": "micro steps per update",
    "completions_per_pass": "completions per micro step",
    "completions_per_step": "completions per micro step",
    "written_update": "completions per mini batch",
    "update_per_rank": "completions per rank",
    "update_prompts_per_rank": "update prompts per rank",
    "group_size": "completions per group",
    "distils": "a teacher gives the signal",
    "on_policy": "on-policy",
    "most_rows_per_rollout": "rows per rollout at most",
    "row_multiple": "multiple of rows",
    "rollout_iterations": "prompt batches per rollout",
    "steps_per_rollout": "micro steps per rollout",
    "padded_completions_per_rollout": "completions with padding",
    "evaluates": "evaluated",
    "eval_group_size": "completions per eval group",
    "eval_completions": "completions per eval batch",
    "eval_iterations": "prompt batches per eval batch",
    "evaluation_steps": "batches per evaluation",
    "prompts_per_sampled_batch": "prompts per sampled batch",
    "micro_steps_of_data": "micro steps of the data",
    "micro_steps_taken_per_epoch": "micro steps really taken",
    "steps_per_epoch": "updates per epoch",
    "updates_taken_per_epoch": "updates really taken",
    "epochs_run": "epochs begun",
    "rollouts": "rollouts in all",
    "checkpoint_interval": "rollouts between checkpoints",
    "total_steps": "updates in all",
    "executed_steps": "updates taken in all",
}

# Labels of what only formulas name: {name: label}. Each follows a number, too.
INNER_LABELS = {
    "actor_world": "actor GPUs",
    "batch_multiple": "completions per whole update",
    "completions_announced": "completions announced",
    "completions_taken": "completions taken",
    "context_parallel": "context-parallel ranks",
    "engine_size": "GPUs per engine",
    "engines": "engines",
    "frozen_memory": "MB of frozen weights",
    "generation_gpus": "generation GPUs",
    "gradient_bytes": "bytes per gradient",
    "largest_memory": "MB on the largest GPU",
    "longest_sequence": "tokens of the longest sequence",
    "model_bytes": "bytes per weight",
    "normal_micro": "completions per micro batch",
    "optimizer_bytes": "bytes of AdamW's states per weight",
    "ranks_reached": "ranks reached",
    "ranks_with_chunks": "filled ranks",
    "ring": "ring-attention ranks",
    "row_parts": "rows per whole micro batch",
    "rows_per_rank": "rows per rank",
    "size_by_steps": "completions per update",
    "train_cp": "context-parallel ranks",
    "train_pp": "pipeline stages",
    "train_tp": "tensor-parallel ranks",
    "update_divisor": "update parts",
    "update_size": "completions per update",
    "weight_bytes": "bytes per weight",
}

# Intermediate quantities that few readers ask for.
INNER = frozenset(
    """smallest_parallel_size uneven_pipeline engines_share_gpus rollout_size_by_steps completions_per_replica completions_wanted_per_replica
    completions_per_process evaluation_is_on has_validation_set has_evaluation_set has_cached_validation_set splits_validation_set
    eval_iterations eval_completions_per_replica prompts_per_sampled_batch rows_used epochs epochs_run distils
    updates_taken_per_epoch micro_steps_taken_per_epoch expert_parallel_size tokens_per_pass""".split()
)


# the contexts of labels, alone and behind numbers: as units and elsewhere the same words are other ones
QUANTITY, COUNTED = "quantity", "counted quantity"


def label(name: str) -> str:
    """The label of a quantity or fact, such as 'prompts per rollout'; it can follow a number."""
    return LABELS.get(name) or name.replace("_", " ")
