"""Texts of the rules GRPO3xx: {English: Chinese}."""

TEMPLATES = {
    # --- GRPO301 evaluation-holds-whole-groups
    "The evaluation batch of all processes holds whole groups": "所有进程的评估批次由完整的组构成",
    (
        "an evaluation batch of {eval_completions} completions{eval_completions.how} does not hold whole groups of "
        "{eval_group_size}"
    ): "评估批次有 {eval_completions} 条补全{eval_completions.how}，不能被组大小 {eval_group_size} 整除",
    (
        "Evaluation generates a whole group for every prompt too, and takes it in batches of "
        "per_device_eval_batch_size x processes."
    ): "评估时同样为每个提示生成完整的一组，并按“per_device_eval_batch_size x 进程数”分批处理。",
    (
        "Set per_device_eval_batch_size so that it makes a multiple of the group over all processes. Setting it to "
        "the group size always works."
    ): "设置 per_device_eval_batch_size，使其乘以进程数后是组大小的整数倍。直接设为组大小总是可行的。",
    # --- GRPO302 evaluation-is-not-empty
    "The evaluation batch holds at least one completion": "评估批次至少有一条补全",
    "an evaluation batch would hold {eval_completions} completions{eval_completions.how}": (
        "评估批次将有 {eval_completions} 条补全{eval_completions.how}"
    ),
    "There is nothing to evaluate on, and 0 passes a test for multiples.": "没有可评估的内容，而 0 又能通过整除检查。",
    "Set per_device_eval_batch_size to the group size.": "将 per_device_eval_batch_size 设为组大小。",
    # --- GRPO303 evaluation-divides-over-ranks
    "The evaluation rollout divides over the data-parallel ranks": "评估的 rollout 能在各数据并行 rank 之间均分",
    (
        "the first evaluation cannot split its batch: it makes {eval_iterations} passes of {micro_batch} prompts "
        "on every data-parallel rank{eval_iterations.how}, but a replica holds {eval_completions_per_replica} "
        "completions, no multiple of {eval_group_size} for every prompt"
    ): (
        "第一次评估无法切分它的批次：每个数据并行 rank 要做 {eval_iterations} 次前向，每次 {micro_batch} 个提示{eval_iterations.how}，但一个副本有"
        " {eval_completions_per_replica} 条补全，不能让每个提示都得到 {eval_group_size} 条的整数倍"
    ),
    (
        "the first evaluation has no whole pass: a replica holds {eval_completions_per_replica} completions, and "
        "one pass takes {micro_batch} prompts x {eval_group_size} completions"
    ): "第一次评估凑不成一次完整的前向：一个副本有 {eval_completions_per_replica} 条补全，而一次前向需要 {micro_batch} 个提示 x {eval_group_size} 条补全",
    "Training starts and runs until the first evaluation, possibly for hours, and dies there.": (
        "训练可以启动，一直运行到第一次评估（可能已过去数小时），然后在那里中断。"
    ),
    "Raise global_batch_size to a multiple of the evaluation group x data-parallel ranks x micro_batch_size.": (
        "将 global_batch_size 增大到“评估组大小 x 数据并行大小 x micro_batch_size”的整数倍。"
    ),
    # --- GRPO304 evaluation-holds-whole-training-groups
    "The evaluation batch holds whole training groups where an older TRL checks it": "若旧版 TRL 会检查，评估批次由完整的训练组构成",
    (
        "an evaluation batch of {eval_completions} completions{eval_completions.how} does not hold whole groups of "
        "{group_size}: TRL before 0.26 tests it against num_generations and does not know num_generations_eval"
    ): (
        "评估批次有 {eval_completions} 条补全{eval_completions.how}，不能被组大小 {group_size} 整除：0.26 之前的 TRL 用 num_generations 检"
        "查它，不认识 num_generations_eval"
    ),
    (
        "ms-swift hands its arguments to TRL's config class first, and TRL before 0.26 compares with the training "
        "group."
    ): "ms-swift 先把参数交给 TRL 的配置类，而 0.26 之前的 TRL 是与训练的组大小比较的。",
    "Make the evaluation batch a multiple of num_generations, or install TRL 0.26 or newer.": (
        "让评估批次成为 num_generations 的整数倍，或安装 TRL 0.26 或更高版本。"
    ),
    # --- GRPO305 evaluation-group-is-positive
    "The group of an evaluation has a size": "评估的组大小至少为 1",
    "num_generations_eval is {num_generations_eval}": "num_generations_eval 为 {num_generations_eval}",
    "It counts the completions of a prompt. 0 stands for num_generations.": "它是每个提示的补全数。0 表示沿用 num_generations。",
    "Remove num_generations_eval, or set it to 1 or more.": "去掉 num_generations_eval，或设为 1 或更大。",
}
