"""Texts of the rules GRPO2xx: {English: Chinese}."""

TEMPLATES = {
    # --- GRPO200 group-is-positive
    "The group size is at least 1": "组大小至少为 1",
    "{group_size.setting} is {group_size}: a group must hold at least 2 completions": (
        "{group_size.setting} 为 {group_size}：一组至少要有 2 条补全"
    ),
    (
        "The group size divides the rollout, so zero ends in a division by zero and a negative size in an empty "
        "rollout."
    ): "rollout 的大小要除以组大小：组大小为零会触发除零错误，为负数则 rollout 为空。",
    "Set num_generations to 2 or more; 4 to 16 is usual.": "将 num_generations 设为 2 或更大；常用值为 4 到 16。",
    # --- GRPO201 group-has-two-completions
    "A group holds at least two completions": "一组至少有两条补全",
    "a group of 1 completion has no relative advantage: {group_size.setting} must be at least 2": (
        "一组只有 1 条补全，算不出相对优势：{group_size.setting} 至少应为 2"
    ),
    (
        "The advantage of a completion is its reward minus the mean of its group. In a group of one that is always "
        "zero, so nothing is learned. That the batch divides by 1 is beside the point, whatever the framework says "
        "about divisors."
    ): "一条补全的优势等于它的奖励减去组内均值。组内只有一条时，优势恒为零，什么也学不到。任何批次都能被 1 整除，但这与问题无关，不管框架的报错怎么谈整除。",
    (
        "Set num_generations to 2 or more and keep the rollout a multiple of it. To train on single samples use a "
        "method with a value model or a running baseline (PPO, REINFORCE)."
    ): "将 num_generations 设为 2 或更大，并保证 rollout 是它的整数倍。若要用单条样本训练，请改用带价值模型或滑动基线的方法（PPO、REINFORCE）。",
    # --- GRPO202 rollout-size-set-once
    "generation_batch_size and steps_per_generation are not both set": (
        "generation_batch_size 与 steps_per_generation 不能同时设置"
    ),
    (
        "generation_batch_size {generation_batch_size} and steps_per_generation {steps_per_generation} are both "
        "set: each fixes the size of a rollout, so only one may be given"
    ): (
        "同时设置了 generation_batch_size {generation_batch_size} 和 steps_per_generation {steps_per_generation}：两者都决定"
        " rollout 的大小，只能给出其中一个"
    ),
    "One follows from the other. These versions refuse the pair even when the two agree.": (
        "其中一个可以由另一个推出。即使两者一致，这些版本也拒绝同时设置。"
    ),
    "Keep one of them. steps_per_generation keeps its meaning when the number of processes changes.": (
        "只保留其中一个。进程数变化时，steps_per_generation 的含义不变。"
    ),
    # --- GRPO203 rollout-holds-whole-groups
    "A rollout holds whole groups": "一次 rollout 由完整的组构成",
    (
        "a rollout of {completions_per_rollout} completions{completions_per_rollout.how} does not hold whole "
        "groups of {group_size}"
    ): "一次 rollout 有 {completions_per_rollout} 条补全{completions_per_rollout.how}，不能被组大小 {group_size} 整除",
    (
        "All completions of a prompt belong to one rollout: their rewards are compared with each other. A rollout "
        "that is no multiple of num_generations would cut a group in two."
    ): "同一提示的所有补全都属于同一次 rollout，因为它们的奖励要相互比较。如果 rollout 不是 num_generations 的整数倍，就会有一组被拆开。",
    "Make processes x batch x steps a multiple of num_generations, or change num_generations to a divisor.": (
        "让“进程数 x 批次大小 x 步数”成为 num_generations 的整数倍，或者把 num_generations 改为它的约数。"
    ),
    # --- GRPO204 rollout-holds-whole-steps
    "A rollout is a whole number of micro steps over all processes": "一次 rollout 包含整数个微步（所有进程合计）",
    (
        "generation_batch_size {generation_batch_size} is not a multiple of per_device_train_batch_size "
        "{per_device_train_batch_size} x {world_size} processes"
    ): (
        "generation_batch_size {generation_batch_size} 不是 per_device_train_batch_size "
        "{per_device_train_batch_size} x {world_size} 个进程的整数倍"
    ),
    (
        "A rollout is consumed in micro steps, and every process takes per_device_train_batch_size completions in "
        "each. A remainder has none to go to; where it is not refused, groups are cut and advantages mix prompts."
    ): "rollout 按微步使用，每个微步每个进程取 per_device_train_batch_size 条补全。余下的补全没有微步可用；如果框架不拒绝，组会被拆开，优势会混入别的提示。",
    "Set generation_batch_size to a multiple of per_device_train_batch_size x processes.": (
        "将 generation_batch_size 设为 per_device_train_batch_size x 进程数的整数倍。"
    ),
    # --- GRPO205 rollout-holds-whole-updates
    "A rollout is a whole number of updates": "一次 rollout 包含整数次更新",
    "generation_batch_size {generation_batch_size} is not a multiple of global_batch_size {global_batch_size}": (
        "generation_batch_size {generation_batch_size} 不是 global_batch_size {global_batch_size} 的整数倍"
    ),
    "Megatron consumes a rollout in whole updates of global_batch_size completions.": (
        "Megatron 以完整的更新为单位使用 rollout，每次更新取 global_batch_size 条补全。"
    ),
    "Set generation_batch_size to a multiple of global_batch_size, or leave it out and set steps_per_generation.": (
        "将 generation_batch_size 设为 global_batch_size 的整数倍，或者不写它，改用 steps_per_generation。"
    ),
    # --- GRPO206 rollout-holds-whole-micro-batches
    "A rollout is a whole number of device batches": "一次 rollout 包含整数个单卡批次",
    "generation_batch_size {generation_batch_size} is not a multiple of per_device_train_batch_size {micro_batch}": (
        "generation_batch_size {generation_batch_size} 不是 per_device_train_batch_size {micro_batch} 的整数倍"
    ),
    (
        "These versions meant to test against the batch of all processes, but a missing pair of parentheses makes "
        "them test against the batch of one device."
    ): "这些版本本想用所有进程的批次来检查，但少了一对括号，实际是用单卡批次来检查的。",
    # --- GRPO207 rollout-is-not-empty
    "A rollout holds at least one completion": "一次 rollout 至少有一条补全",
    "a rollout would hold {completions_per_rollout} completions{completions_per_rollout.how}": (
        "一次 rollout 将有 {completions_per_rollout} 条补全{completions_per_rollout.how}"
    ),
    (
        "With a batch size, a number of steps or a number of accumulation steps below 1 there is nothing to "
        "generate. Zero passes the divisibility tests (0 is a multiple of everything), so the run dies later with "
        "an unrelated error."
    ): "批次大小、步数或梯度累积步数小于 1 时，没有任何东西可生成。零能通过整除检查（0 是任何数的倍数），于是运行稍后才因一个看似无关的错误而中断。",
    "Give every batch size and step count a value of at least 1.": "所有批次大小和步数都至少设为 1。",
    # --- GRPO208 batch-sizes-are-positive
    "Batch sizes and step counts are at least 1": "批次大小和步数至少为 1",
    (
        "a batch size or a step count is below 1: {micro_batch} completions per device, {steps_per_rollout} steps "
        "per rollout, {completions_per_update} completions per update"
    ): "有批次大小或步数小于 1：每卡 {micro_batch} 条补全，每次 rollout {steps_per_rollout} 步，每次更新 {completions_per_update} 条补全",
    (
        "No check looks at the sign of these values, so the trainer dies when it builds its data loader or in the "
        "first step."
    ): "这些值的符号没有任何检查，因此训练器会在构建数据加载器时或第一步中断。",
    # --- GRPO209 rollout-sizes-agree
    "generation_batch_size and steps_per_generation say the same when both are set": (
        "同时设置时，generation_batch_size 与 steps_per_generation 必须一致"
    ),
    (
        "generation_batch_size {generation_batch_size} and steps_per_generation disagree: the steps make "
        "{rollout_size_by_steps} completions{rollout_size_by_steps.how}"
    ): (
        "generation_batch_size {generation_batch_size} 与 steps_per_generation 不一致：按步数算应为 {rollout_size_by_steps} 条补"
        "全{rollout_size_by_steps.how}"
    ),
    "These versions allow both keys when they describe the same rollout. These two do not.": (
        "这些版本允许同时写两个键，前提是它们描述同一个 rollout。这里的两个值并不一致。"
    ),
    # --- GRPO210 rollout-prompts-divide-over-ranks
    "The prompts of a rollout divide over the data-parallel ranks": "一次 rollout 的提示能在各数据并行 rank 之间均分",
    (
        "a rollout of {prompts_per_rollout} prompts{prompts_per_rollout.how} does not divide over {dp_size} "
        "data-parallel ranks{dp_size.how}"
    ): "一次 rollout 有 {prompts_per_rollout} 个提示{prompts_per_rollout.how}，不能被数据并行大小 {dp_size}{dp_size.how}整除",
    "Every data-parallel rank gets the same number of prompts, each with all its completions.": (
        "每个数据并行 rank 分到同样多的提示，每个提示都带着它的全部补全。"
    ),
    (
        "Make generation_batch_size / num_generations a multiple of processes / (tensor x pipeline x context parallel)."
    ): "让 generation_batch_size / num_generations 成为“进程数 /（张量并行 x 流水线并行 x 上下文并行）”的整数倍。",
    # --- GRPO211 every-rank-gets-a-prompt
    "Every data-parallel rank gets at least one prompt of a rollout": "每个数据并行 rank 在一次 rollout 中至少分到一个提示",
    (
        "a rollout of {prompts_per_rollout} prompts{prompts_per_rollout.how} does not reach all {dp_size} "
        "data-parallel ranks{dp_size.how}"
    ): "一次 rollout 只有 {prompts_per_rollout} 个提示{prompts_per_rollout.how}，不够分给全部 {dp_size} 个数据并行 rank{dp_size.how}",
    (
        "A rank without a prompt has nothing to generate. The framework says 'must be greater than 1' in some "
        "versions; 1 is enough."
    ): "分不到提示的 rank 没有东西可生成。部分版本的报错写的是 'must be greater than 1'，其实等于 1 就够了。",
    "Raise global_batch_size or steps_per_generation, or lower num_generations.": (
        "增大 global_batch_size 或 steps_per_generation，或减小 num_generations。"
    ),
    # --- GRPO212 rank-prompts-fill-micro-batches
    "The rollout prompts of a rank are a multiple of the micro batch": "每个 rank 的 rollout 提示数是微批次的整数倍",
    (
        "{rollout_prompts_per_rank} rollout prompts per rank{rollout_prompts_per_rank.how} are not a multiple of "
        "micro_batch_size {micro_batch}"
    ): (
        "每个 rank 分到 {rollout_prompts_per_rank} 个 rollout 提示{rollout_prompts_per_rank.how}，不是 micro_batch_size "
        "{micro_batch} 的整数倍"
    ),
    (
        "Megatron-SWIFT hands a rank its prompts in units of micro_batch_size, although that key counts "
        "completions everywhere else."
    ): "Megatron-SWIFT 按 micro_batch_size 个提示为单位把提示分给 rank，而这个键在其他地方都按补全计数。",
    "Lower micro_batch_size, or raise global_batch_size or steps_per_generation.": (
        "减小 micro_batch_size，或增大 global_batch_size 或 steps_per_generation。"
    ),
    # --- GRPO213 every-process-gets-a-completion
    "A rollout holds at least one completion per process": "一次 rollout 中每个进程至少有一条补全",
    (
        "a rollout of {completions_per_rollout} completions{completions_per_rollout.how} is smaller than the "
        "{world_size} processes"
    ): "一次 rollout 有 {completions_per_rollout} 条补全{completions_per_rollout.how}，少于 {world_size} 个进程",
    "The ranks of one model replica share the completions of that replica's prompts; each needs at least one.": (
        "一个模型副本的提示所产生的补全由该副本的各 rank 分担，每个 rank 至少要有一条。"
    ),
    "Raise global_batch_size, steps_per_generation or num_generations.": (
        "增大 global_batch_size、steps_per_generation 或 num_generations。"
    ),
    # --- GRPO214 update-holds-whole-micro-batches
    "An update is a whole number of micro batches on every rank": "每个 rank 上，一次更新包含整数个微批次",
    (
        "global_batch_size {completions_per_update} is not a multiple of the {completions_per_pass} completions "
        "that one micro step takes{completions_per_pass.how}"
    ): (
        "global_batch_size {completions_per_update} 不是一个微步所取 {completions_per_pass} 条补全{completions_per_pass.how}的整"
        "数倍"
    ),
    "Megatron accumulates whole micro steps of micro_batch_size completions on every data-parallel rank.": (
        "Megatron 在每个数据并行 rank 上累积完整的微步，每个微步有 micro_batch_size 条补全。"
    ),
    "Set global_batch_size to a multiple of micro_batch_size x data-parallel ranks.": (
        "将 global_batch_size 设为“micro_batch_size x 数据并行大小”的整数倍。"
    ),
    # --- GRPO215 rollout-divides-over-processes
    "The completions of a rollout divide over the processes": "一次 rollout 的补全能在各进程之间均分",
    (
        "a rollout of {completions_per_rollout} completions{completions_per_rollout.how} does not divide over "
        "{world_size} processes: the {model_parallel_size} processes of a replica would gather "
        "{completions_per_replica} completions, their prompts make {completions_wanted_per_replica}"
    ): (
        "一次 rollout 有 {completions_per_rollout} 条补全{completions_per_rollout.how}，不能被 {world_size} 个进程均分：一个副本的"
        " {model_parallel_size} 个进程会汇集 {completions_per_replica} 条补全，而它们的提示对应 {completions_wanted_per_replica} 条"
    ),
    "Nothing checks this when the run starts. The first rollout then dies in an assertion without a message.": (
        "启动时没有任何检查。第一次 rollout 会因一个没有说明文字的断言而中断。"
    ),
    "Make generation_batch_size a multiple of the number of processes.": "让 generation_batch_size 成为进程数的整数倍。",
    # --- GRPO216 update-gives-ranks-whole-prompts
    "An update holds whole micro batches of prompts for every rank": "一次更新中，每个 rank 的提示凑成完整的微批次",
    (
        "an update gives every data-parallel rank {update_prompts_per_rank} prompts{update_prompts_per_rank.how}, "
        "not a positive multiple of micro_batch_size {micro_batch}"
    ): (
        "一次更新中，每个数据并行 rank 分到 {update_prompts_per_rank} 个提示{update_prompts_per_rank.how}，不是 micro_batch_size "
        "{micro_batch} 的正整数倍"
    ),
    (
        "The framework documents this requirement but does not enforce it when a run starts: training works "
        "without it. With a validation set, ms-swift 4.4 and later die in the first evaluation."
    ): "框架的文档写了这个要求，但启动时并不强制：不满足也能训练。如果有验证集，ms-swift 4.4 及更高版本会在第一次评估时中断。",
    (
        "Raise global_batch_size to a multiple of num_generations x data-parallel ranks x micro_batch_size. "
        "Raising steps_per_generation does not help: it does not change the update."
    ): (
        "将 global_batch_size 增大到“num_generations x 数据并行大小 x micro_batch_size”的整数倍。增大 steps_per_generation 没有用：它不改变一"
        "次更新的大小。"
    ),
    # --- GRPO217 real-loss-holds-whole-groups
    "The real loss sees whole groups in a micro batch": "使用 real 损失时，一个微批次由完整的组构成",
    (
        "loss_type real needs whole groups in a micro batch: micro_batch_size {micro_batch} is not a multiple of "
        "num_generations {group_size}"
    ): "loss_type real 要求微批次由完整的组构成：micro_batch_size {micro_batch} 不是 num_generations {group_size} 的整数倍",
    "This loss compares the completions of a group inside one forward pass.": "这种损失在一次前向中比较同一组的各条补全。",
    "Set micro_batch_size to a multiple of num_generations, or use another loss_type.": (
        "将 micro_batch_size 设为 num_generations 的整数倍，或换用其他 loss_type。"
    ),
    # --- GRPO218 batch-size-is-fixed
    "The batch size is not searched at run time": "批次大小不在运行时自动搜索",
    (
        "auto_find_batch_size is on: these versions refuse it, because a halved batch would no longer hold whole groups"
    ): "开启了 auto_find_batch_size：这些版本会拒绝，因为批次减半后就不再由完整的组构成",
    (
        "The search halves per_device_train_batch_size after an out-of-memory error. The rollout would then cut groups."
    ): "显存不足时，这种搜索会把 per_device_train_batch_size 减半，rollout 就会把组拆开。",
    "Remove auto_find_batch_size and choose per_device_train_batch_size by hand.": (
        "去掉 auto_find_batch_size，手动选定 per_device_train_batch_size。"
    ),
    # --- GRPO219 rollout-takes-steps
    "A rollout takes at least one step": "一次 rollout 至少用一步",
    "a rollout would take {steps_per_rollout} steps{steps_per_rollout.how}": (
        "一次 rollout 将用 {steps_per_rollout} 步{steps_per_rollout.how}"
    ),
    "A rollout is consumed step by step; without a step it is never used.": "rollout 是一步一步用完的；没有步，它就永远用不上。",
    "Set steps_per_generation to 1 or more.": "将 steps_per_generation 设为 1 或更大。",
    # --- GRPO220 micro-batch-is-not-zero
    "The micro batch is not zero": "微批次不为零",
    "micro_batch_size is 0": "micro_batch_size 为 0",
    "The prompts of a rank are divided by it.": "每个 rank 的提示数要除以它。",
    "Set micro_batch_size to 1 or more.": "将 micro_batch_size 设为 1 或更大。",
    # --- GRPO221 accumulation-is-positive
    "gradient_accumulation_steps is positive": "gradient_accumulation_steps 为正数",
    "gradient_accumulation_steps is {accumulation}: training ends without a step and reports success": (
        "gradient_accumulation_steps 为 {accumulation}：训练一步未走就结束，还会报告成功"
    ),
    "The trainer waits for a pass whose number is a multiple of a negative one, counts its epochs and is done.": (
        "训练器等待序号为某个负数的倍数的那次前向，数完各个 epoch 就结束了。"
    ),
    "Set gradient_accumulation_steps to 1 or more.": "将 gradient_accumulation_steps 设为 1 或更大。",
}
