"""Texts of the rules GRPO6xx: {English: Chinese}."""

TEMPLATES = {
    # --- GRPO601 dataset-fills-a-rollout
    "The training set holds the prompts of at least one rollout": "训练集至少能提供一次 rollout 的提示",
    (
        "the training set has {training_rows} rows{training_rows.how}, fewer than the {prompts_per_sampled_batch} "
        "prompts of one rollout{prompts_per_sampled_batch.how}"
    ): (
        "训练集有 {training_rows} 行{training_rows.how}，少于一次 rollout 的 {prompts_per_sampled_batch} 个提示"
        "{prompts_per_sampled_batch.how}"
    ),
    (
        "Prompts that do not fill a rollout are dropped, so every epoch is empty. The framework's message speaks "
        "of max_steps."
    ): "凑不满一次 rollout 的提示会被丢弃，因此每个 epoch 都是空的。框架的报错却在说 max_steps。",
    "Use more rows, or a smaller rollout.": "使用更多的行，或减小 rollout。",
    # --- GRPO602 training-takes-steps
    "A run with max_steps takes at least one step": "设置了 max_steps 的运行至少走一步",
    (
        "training takes no step: the training set has {training_rows} rows{training_rows.how}, fewer than the "
        "{prompts_per_sampled_batch} prompts of one rollout{prompts_per_sampled_batch.how}"
    ): (
        "训练一步也走不了：训练集有 {training_rows} 行{training_rows.how}，少于一次 rollout 的 {prompts_per_sampled_batch} 个提示"
        "{prompts_per_sampled_batch.how}"
    ),
    (
        "Prompts that do not fill a rollout are dropped, so every epoch is empty. With max_steps set, these "
        "versions end at once and report success."
    ): "凑不满一次 rollout 的提示会被丢弃，因此每个 epoch 都是空的。设置了 max_steps 时，这些版本会立即结束，还会报告成功。",
    # --- GRPO603 schedule-reaches-its-end
    "The run takes as many steps as it announces": "运行实际走的步数与它宣布的相同",
    (
        "training announces {total_steps} steps and takes {executed_steps}: the learning-rate schedule does not "
        "reach its end"
    ): "训练宣布走 {total_steps} 步，实际走 {executed_steps} 步：学习率调度走不到终点",
    (
        "These versions count the prompts that do not fill a rollout when they plan the schedule, and drop them "
        "when they train."
    ): "这些版本在安排调度时把凑不满一次 rollout 的提示计算在内，训练时却将其丢弃。",
    "Choose a rollout whose number of prompts divides the number of rows, or set max_steps.": (
        "选择提示数能整除行数的 rollout，或设置 max_steps。"
    ),
    # --- GRPO604 iterations-are-positive
    "num_iterations is at least 1": "num_iterations 至少为 1",
    "num_iterations is {num_iterations}: every rollout would be used {num_iterations} times": (
        "num_iterations 为 {num_iterations}：每次 rollout 会被使用 {num_iterations} 次"
    ),
    "No check looks at this value. The data loader is then empty, and the framework speaks of max_steps.": (
        "没有谁检查这个值。数据加载器因此是空的，而框架的报错却在说 max_steps。"
    ),
    "Set num_iterations to 1 for on-policy training.": "要做 on-policy 训练，将 num_iterations 设为 1。",
    # --- GRPO605 rollouts-are-used
    "A rollout is used at least once": "每次 rollout 至少使用一次",
    "training takes no step: num_iterations is 0, so no rollout is ever used": (
        "训练一步也走不了：num_iterations 为 0，任何 rollout 都不会被使用"
    ),
    "The data loader is empty. With max_steps set, the run ends at once and reports success.": (
        "数据加载器是空的。设置了 max_steps 时，运行会立即结束，还会报告成功。"
    ),
    # --- GRPO620 run-has-a-model
    "The run names a model": "运行写明了模型",
    "no model is named": "没有写明模型",
    (
        "A model is named by model, or comes with a checkpoint: ckpt_dir, adapters, resume_from_checkpoint, "
        "mcore_model."
    ): "模型由 model 指定，或来自检查点：ckpt_dir、adapters、resume_from_checkpoint、mcore_model。",
    "Set model.": "设置 model。",
    # --- GRPO621 run-has-data
    "The run names a data set": "运行写明了数据集",
    "no data set is named": "没有写明数据集",
    "Prompts come from dataset. There is no default.": "提示来自 dataset，它没有默认值。",
    "Set dataset.": "设置 dataset。",
    # --- GRPO622 data-is-not-cached
    "GRPO reads its data as text": "GRPO 以文本形式读取数据",
    "cached_dataset is for other trainers: GRPO refuses it": "cached_dataset 用于其他训练器：GRPO 会拒绝",
    "A cached data set holds prompts with their answers, already made into tokens. GRPO generates the answers.": (
        "缓存的数据集含有已转成 token 的提示和回答，而 GRPO 要自己生成回答。"
    ),
    "Use dataset and val_dataset.": "使用 dataset 和 val_dataset。",
    # --- GRPO623 truncation-keeps-the-end
    "Prompts that are too long lose their beginning or are left out": "过长的提示从开头截断，或被舍弃",
    "truncation_strategy {truncation_strategy} is not for GRPO in this version": (
        "此版本的 GRPO 不支持 truncation_strategy {truncation_strategy}"
    ),
    (
        "The completion continues the end of the prompt, so the end must stay. From 3.7 long prompts may also be "
        "left out (delete). Versions before 3.3 take left whatever the file says."
    ): "补全接在提示的结尾之后，所以必须保留结尾。从 3.7 起也可以舍弃过长的提示（delete）。3.3 之前的版本不管文件怎么写都用 left。",
    "Remove truncation_strategy, or set it to left (or delete, from 3.7).": (
        "去掉 truncation_strategy，或设为 left（3.7 起也可为 delete）。"
    ),
    # --- GRPO624 warmup-is-said-once
    "The warm-up is a share of the run or a number of steps": "预热写成占运行的比例，或写成步数",
    "warmup_ratio {warmup_ratio} and warmup_steps {warmup_steps} are both set": (
        "同时设置了 warmup_ratio {warmup_ratio} 和 warmup_steps {warmup_steps}"
    ),
    "Which of the two would win depends on the version of transformers.": "以哪一个为准，取决于 transformers 的版本。",
    # --- GRPO625 warmup-is-a-part
    "The warm-up is a part of the run": "预热是运行的一部分",
    "warmup_ratio {warmup_ratio} is no share of the run: it must be 0 or more, and less than 1": (
        "warmup_ratio {warmup_ratio} 不是运行的比例：必须大于或等于 0，且小于 1"
    ),
    "It is a share of all steps. A number of steps goes to warmup_steps.": "它是占总步数的比例。步数应写在 warmup_steps 中。",
    "Set warmup_ratio to 0.05 for example, or warmup_steps to a number of steps.": (
        "例如将 warmup_ratio 设为 0.05，或将 warmup_steps 设为步数。"
    ),
    # --- GRPO626 old-checkpoints-can-go
    "Two checkpoints stay, and are written before the next": "始终保留两个检查点，并在写下一个之前写完",
    "save_total_limit {save_total_limit} keeps fewer than 2 checkpoints": (
        "save_total_limit {save_total_limit} 保留的检查点少于 2 个"
    ),
    "save_total_limit {save_total_limit} does not go with async_save": (
        "save_total_limit {save_total_limit} 不能与 async_save 同用"
    ),
    (
        "An old checkpoint is removed when the new one is complete. With one in all, or one still being written, "
        "none would be safe."
    ): "新检查点写完后才删除旧的。若总共只保留一个，或有一个还在写入，就没有一个是可靠的。",
    "Set save_total_limit to 2 or more and async_save to false.": "将 save_total_limit 设为 2 或更大，将 async_save 设为 false。",
    # --- GRPO627 classifier-has-labels
    "A classifier has a number of labels": "分类器有标签数",
    "task_type seq_cls needs num_labels": "task_type seq_cls 需要 num_labels",
    (
        "The head of a classifier has one output per label. GRPO trains a model that generates: task_type is for "
        "its reward model."
    ): "分类器的输出头为每个标签提供一个输出。GRPO 训练的是生成模型：task_type 用于它的奖励模型。",
    "Remove task_type.": "去掉 task_type。",
    # --- GRPO628 one-loss-has-no-weights
    "Weights of losses are for runs with several": "损失权重用于有多种损失的运行",
    "loss_weights is for DPO, which mixes losses": "loss_weights 用于混合多种损失的 DPO",
    "GRPO computes one loss. The refusal is an assertion without a message; it comes when loss_type is said, too.": (
        "GRPO 只计算一种损失。拒绝时只有一个没有说明文字的断言；写明 loss_type 时也一样。"
    ),
    "Remove loss_weights; rewards are weighed by reward_weights.": "去掉 loss_weights；奖励用 reward_weights 加权。",
    # --- GRPO629 half-precision-fits-the-model
    "fp16 is said together with the type of the model": "写 fp16 时要同时写明模型的类型",
    (
        "fp16 is on, but neither torch_dtype nor bf16 is set: with a model in bfloat16 both would be on, and the "
        "run is refused"
    ): "开启了 fp16，但没有设置 torch_dtype 和 bf16：若模型是 bfloat16，两者会同时开启，运行会被拒绝",
    "Without torch_dtype the type comes from the model, and most models are in bfloat16. That turns bf16 on.": (
        "没有 torch_dtype 时，类型取自模型，而多数模型是 bfloat16，这会开启 bf16。"
    ),
    "Set torch_dtype to float16, or use bf16.": "将 torch_dtype 设为 float16，或使用 bf16。",
    # --- GRPO630 tokens-are-made-beforehand
    "Packing and streaming do not wait with the tokens": "packing 和流式数据不能推迟 tokenize",
    "lazy_tokenize does not go with {tokens_wait}": "lazy_tokenize 不能与 {tokens_wait} 同用",
    (
        "Rows are packed by their length in tokens, and a stream is tokenized as it comes. Lazy tokens come only "
        "when a row is used."
    ): "packing 按 token 长度组合各行，流式数据则随到随转成 token。而 lazy_tokenize 要到使用某一行时才转换。",
    "Remove lazy_tokenize.": "去掉 lazy_tokenize。",
    # --- GRPO631 quantisation-has-its-bits
    "A quantised model has a number of bits that its method knows": "量化模型的位数是其方法支持的",
    "quant_method {quant_method} needs quant_bits: 4 or 8 for bnb; 2, 4, 8 or float8 for quanto": (
        "quant_method {quant_method} 需要 quant_bits：bnb 为 4 或 8；quanto 为 2、4、8 或 float8"
    ),
    "Only fp8 says with its name how many bits a weight takes.": "只有 fp8 的名称本身说明了一个权重占多少位。",
    "Set quant_bits.": "设置 quant_bits。",
    # --- GRPO632 sharding-is-of-one-kind
    "A model is sharded by FSDP or by DeepSpeed": "模型由 FSDP 或 DeepSpeed 切分",
    "fsdp and deepspeed are both set": "同时设置了 fsdp 和 deepspeed",
    "Both take the weights apart, each in its way.": "两者都会切分权重，方式各不相同。",
    # --- GRPO633 warmup-steps-count
    "A warm-up in steps is not replaced by the default of warmup_ratio": "以步数写的预热不会被 warmup_ratio 的默认值取代",
    (
        "warmup_steps {warmup_steps} has no effect: warmup_ratio {warmup_ratio} takes its place, and there is no "
        "warm-up"
    ): "warmup_steps {warmup_steps} 不起作用：warmup_ratio {warmup_ratio} 取代了它，因此没有预热",
    (
        "ms-swift made warmup_ratio 0 by default in 4.5. transformers 5.0 - 5.14 take any warmup_ratio that is not "
        "null, also 0, for the warm-up."
    ): "ms-swift 4.5 把 warmup_ratio 的默认值改为 0。transformers 5.0 - 5.14 只要 warmup_ratio 不是 null（0 也算），就以它作为预热。",
    "Give the warm-up as a share of the run in warmup_ratio, or use transformers 5.15 or later.": (
        "用 warmup_ratio 写预热占运行的比例，或使用 transformers 5.15 或更高版本。"
    ),
    # --- GRPO634 run-has-weights
    "The weights of the model are loaded": "模型的权重确实被加载",
    "the weights are not loaded: before 3.12, model names only the architecture": "权重没有被加载：3.12 之前，model 只指明结构",
    (
        "These versions take the weights from a checkpoint in Megatron's format, named by load, or from the model "
        "itself when load_safetensors says so."
    ): "这些版本从 load 所指的 Megatron 格式检查点读取权重；写了 load_safetensors 时，则从模型本身读取。",
    "Set load_safetensors to true, or load to a converted checkpoint.": "将 load_safetensors 设为 true，或将 load 设为转换好的检查点。",
    # --- GRPO635 best-model-has-a-metric
    "Saving the best model needs a metric to tell it by": "保存最佳模型需要判断的指标",
    "save_strategy is best, and nothing says which metric tells the best model": (
        "save_strategy 为 best，却没有说明用哪个指标判断最佳模型"
    ),
    (
        "Only load_best_model_at_end and the schedules that follow a metric (reduce_lr_on_plateau, greedy) take "
        "the loss when no metric is named."
    ): "没有写明指标时，只有 load_best_model_at_end 和依据指标的调度（reduce_lr_on_plateau、greedy）会采用损失。",
    "Set metric_for_best_model, to eval_reward for example.": "设置 metric_for_best_model，例如 eval_reward。",
    # --- GRPO640 temperature-is-positive
    "temperature is above 0": "temperature 大于 0",
    "temperature is {temperature}, and must be above 0": "temperature 为 {temperature}，必须大于 0",
    "Sampling divides the scores of the next token by it.": "采样时，下一个 token 的得分要除以它。",
    "Set it to 1.0. A group needs completions that differ.": "设为 1.0。一组之中的补全需要各不相同。",
    # --- GRPO641 completions-of-a-group-differ
    "The temperature lets the completions of a group differ": "温度让同组的补全各不相同",
    (
        "temperature is {temperature}: every completion of a group is the same, and the scores are divided by it "
        "in training"
    ): "temperature 为 {temperature}：同组的补全全都相同，训练时得分还要除以它",
    (
        "Without sampling all rewards of a group are equal and its advantages are 0. TRL divides the scores of its "
        "own forward pass by the temperature, too: the weights become NaN with the first update."
    ): "不做采样时，一组的奖励全都相等，优势为 0。TRL 在自己的前向计算中也把得分除以温度：第一次更新后权重就变成 NaN。",
    "Set temperature to 1.0.": "将 temperature 设为 1.0。",
    # --- GRPO642 top-p-is-not-negative
    "top_p is between 0 and 1": "top_p 在 0 到 1 之间",
    "top_p is {top_p}, and must be between 0 and 1": "top_p 为 {top_p}，必须在 0 到 1 之间",
    "It is the share of probability that the tokens to choose from hold together.": "它是候选 token 合计占有的概率。",
    "Give top_p a value in its range, or leave the key out.": "为 top_p 设一个范围内的值，或不写此键。",
    # --- GRPO643 top-k-counts-tokens
    "top_k is 0 or more": "top_k 大于或等于 0",
    "top_k is {top_k}, and must be 0 or more": "top_k 为 {top_k}，必须大于或等于 0",
    (
        "It is the number of tokens to choose from. vLLM takes -1 for all of them; transformers takes 0, and "
        "refuses -1."
    ): "它是候选 token 的个数。vLLM 用 -1 表示全部；transformers 用 0，并拒绝 -1。",
    "Set top_k: 0 to choose from all tokens.": "要从所有 token 中选择，设置 top_k: 0。",
    # --- GRPO644 min-p-is-a-share
    "min_p is between 0 and 1": "min_p 在 0 到 1 之间",
    "min_p is {min_p}, and must be between 0 and 1": "min_p 为 {min_p}，必须在 0 到 1 之间",
    "It is the probability that a token needs, as a share of that of the most likely one.": (
        "它是一个 token 所需的概率，以最可能的 token 的概率为基准。"
    ),
    "Give min_p a value in its range, or leave the key out.": "为 min_p 设一个范围内的值，或不写此键。",
    # --- GRPO645 repetition-penalty-is-positive
    "repetition_penalty is above 0": "repetition_penalty 大于 0",
    "repetition_penalty is {repetition_penalty}, and must be above 0": (
        "repetition_penalty 为 {repetition_penalty}，必须大于 0"
    ),
    "The scores of tokens that were there are divided by it; 1 changes nothing.": "出现过的 token 的得分要除以它；为 1 时不改变什么。",
    "Give repetition_penalty a value in its range, or leave the key out.": "为 repetition_penalty 设一个范围内的值，或不写此键。",
    # --- GRPO646 completions-have-tokens
    "max_completion_length is 1 or more": "max_completion_length 至少为 1",
    "max_completion_length is {max_completion_length}, and must be 1 or more": (
        "max_completion_length 为 {max_completion_length}，必须至少为 1"
    ),
    "It is the number of tokens that a completion may have.": "它是一条补全最多可有的 token 数。",
    "Give max_completion_length a value in its range, or leave the key out.": "为 max_completion_length 设一个范围内的值，或不写此键。",
    # --- GRPO647 schedule-has-one-minimum
    "A cosine schedule with a minimum is given one": "带最小值的余弦调度只给出一个最小值",
    (
        "lr_scheduler_type {lr_scheduler_type} takes one of min_lr and min_lr_rate from lr_scheduler_kwargs, and "
        "{minimal_rates} of the two are set"
    ): (
        "lr_scheduler_type {lr_scheduler_type} 从 lr_scheduler_kwargs 中取 min_lr 或 min_lr_rate 之一，而现在设置了其中"
        " {minimal_rates} 个"
    ),
    "min_lr is the rate at the end of the run, min_lr_rate the same as a share of learning_rate.": (
        "min_lr 是运行结束时的学习率，min_lr_rate 则是它占 learning_rate 的比例。"
    ),
    "Set lr_scheduler_kwargs: {min_lr_rate: 0.1}.": "设置 lr_scheduler_kwargs: {min_lr_rate: 0.1}。",
    # --- GRPO648 schedule-knows-its-options
    "lr_scheduler_kwargs holds what the schedule takes": "lr_scheduler_kwargs 中只有该调度接受的参数",
    "the schedule {lr_scheduler_type} does not take {unknown_schedule_options}, which lr_scheduler_kwargs holds": (
        "调度 {lr_scheduler_type} 不接受 lr_scheduler_kwargs 中的 {unknown_schedule_options}"
    ),
    (
        "The keys are handed to the function of the schedule. Those of constant and constant_with_warmup are not "
        "looked at."
    ): "这些键会传给调度的函数。constant 和 constant_with_warmup 不看这些键。",
    (
        "Leave the key out, or choose the schedule that takes it: min_lr and min_lr_rate belong to cosine_with_min_lr."
    ): "不写此键，或选择接受它的调度：min_lr 和 min_lr_rate 属于 cosine_with_min_lr。",
    # --- GRPO649 schedule-rates-are-numbers
    "The rates in lr_scheduler_kwargs are numbers": "lr_scheduler_kwargs 中的学习率是数值",
    "lr_scheduler_kwargs holds a text where a rate belongs": "lr_scheduler_kwargs 中应为学习率的地方是文本",
    (
        "YAML takes 1e-7 for a text: a number with an exponent needs a point. No parser converts what stands "
        "inside a mapping."
    ): "YAML 把 1e-7 当作文本：带指数的数必须有小数点。映射内部的值没有解析器会转换。",
    "Write 1.0e-7.": "写 1.0e-7。",
    # --- GRPO650 stable-schedule-decays
    "A schedule that decays at its end is told when": "末尾衰减的调度须写明何时衰减",
    (
        "lr_scheduler_type warmup_stable_decay needs num_decay_steps in lr_scheduler_kwargs, and before "
        "transformers 4.49 num_stable_steps, too"
    ): (
        "lr_scheduler_type warmup_stable_decay 需要 lr_scheduler_kwargs 中有 num_decay_steps，transformers 4.49 之前还需要 "
        "num_stable_steps"
    ),
    "It is the number of steps at the end in which the rate falls. It has no default.": "它是运行末尾学习率下降的步数，没有默认值。",
    "Set lr_scheduler_kwargs: {num_decay_steps: 100}, a part of the steps of the run.": (
        "设置 lr_scheduler_kwargs: {num_decay_steps: 100}，即运行步数的一部分。"
    ),
    # --- GRPO651 polynomial-schedule-falls
    "A polynomial schedule ends below its learning rate": "多项式调度的终值低于学习率",
    "learning_rate is {learning_rate}, no more than the {schedule_end} at which the polynomial schedule ends": (
        "learning_rate 为 {learning_rate}，不大于多项式调度的终值 {schedule_end}"
    ),
    "lr_end is 1e-7 unless lr_scheduler_kwargs says something else.": "lr_scheduler_kwargs 没有另写时，lr_end 为 1e-7。",
    "Raise learning_rate, or set lr_scheduler_kwargs: {lr_end: 0.0}.": (
        "增大 learning_rate，或设置 lr_scheduler_kwargs: {lr_end: 0.0}。"
    ),
    # --- GRPO652 adapter-has-a-rank
    "lora_r is 1 or more": "lora_r 至少为 1",
    "lora_r is {lora_r}, and must be 1 or more": "lora_r 为 {lora_r}，必须至少为 1",
    "It is the rank of the matrices that are trained.": "它是被训练的矩阵的秩。",
    "Give lora_r a value in its range, or leave the key out.": "为 lora_r 设一个范围内的值，或不写此键。",
    # --- GRPO653 adapter-drops-a-share
    "lora_dropout lies between 0 and 1": "lora_dropout 在 0 到 1 之间",
    "lora_dropout is {lora_dropout}, and must lie between 0 and 1": "lora_dropout 为 {lora_dropout}，必须在 0 到 1 之间",
    "It is the share of inputs that is left out.": "它是被丢弃的输入所占的比例。",
    "Give lora_dropout a value in its range, or leave the key out.": "为 lora_dropout 设一个范围内的值，或不写此键。",
    # --- GRPO654 learning-rate-is-not-negative
    "learning_rate is 0 or more": "learning_rate 大于或等于 0",
    "learning_rate is {learning_rate}, and must be 0 or more": "learning_rate 为 {learning_rate}，必须大于或等于 0",
    "The optimizer refuses another.": "优化器会拒绝其他的值。",
    "Give learning_rate a value in its range, or leave the key out.": "为 learning_rate 设一个范围内的值，或不写此键。",
    # --- GRPO655 adam-averages-over-steps
    "adam_beta1 and adam_beta2 lie between 0 and 1": "adam_beta1 和 adam_beta2 在 0 到 1 之间",
    "adam_beta1 is {adam_beta1} and adam_beta2 {adam_beta2}: each must be 0 or more, and below 1": (
        "adam_beta1 为 {adam_beta1}，adam_beta2 为 {adam_beta2}：都必须大于或等于 0，且小于 1"
    ),
    "They are the shares that Adam's running averages keep of the steps before.": "它们是 Adam 的滑动平均为之前各步保留的比例。",
    "Use 0.9 and 0.999, or leave the keys out.": "使用 0.9 和 0.999，或不写这些键。",
    # --- GRPO656 adam-epsilon-is-not-negative
    "adam_epsilon is 0 or more": "adam_epsilon 大于或等于 0",
    "adam_epsilon is {adam_epsilon}, and must be 0 or more": "adam_epsilon 为 {adam_epsilon}，必须大于或等于 0",
    "It keeps Adam from dividing by 0.": "它避免 Adam 除以 0。",
    "Give adam_epsilon a value in its range, or leave the key out.": "为 adam_epsilon 设一个范围内的值，或不写此键。",
    # --- GRPO657 seed-fits
    "seed fits in 32 bits, from 0 to 4294967295": "seed 不超出 32 位，即 0 到 4294967295",
    "seed is {seed}, and must fit in 32 bits, from 0 to 4294967295": "seed 为 {seed}，必须不超出 32 位，即 0 到 4294967295",
    "NumPy takes no other.": "NumPy 不接受其他的值。",
    "Give seed a value in its range, or leave the key out.": "为 seed 设一个范围内的值，或不写此键。",
    # --- GRPO658 workers-are-counted
    "dataloader_num_workers is 0 or more": "dataloader_num_workers 大于或等于 0",
    "dataloader_num_workers is {dataloader_num_workers}, and must be 0 or more": (
        "dataloader_num_workers 为 {dataloader_num_workers}，必须大于或等于 0"
    ),
    "It counts processes that load data; 0 leaves that to the training process.": "它是加载数据的进程数；为 0 时由训练进程自己加载。",
    "Give dataloader_num_workers a value in its range, or leave the key out.": (
        "为 dataloader_num_workers 设一个范围内的值，或不写此键。"
    ),
    # --- GRPO659 persistent-workers-exist
    "Workers that stay are there": "常驻的 worker 须存在",
    "dataloader_persistent_workers is on, but dataloader_num_workers is {dataloader_num_workers}": (
        "开启了 dataloader_persistent_workers，但 dataloader_num_workers 为 {dataloader_num_workers}"
    ),
    "There is no worker process that could stay.": "没有可以常驻的 worker 进程。",
    "Set dataloader_num_workers to 1 or more, or switch dataloader_persistent_workers off.": (
        "将 dataloader_num_workers 设为 1 或更大，或关闭 dataloader_persistent_workers。"
    ),
    # --- GRPO660 workers-prefetch
    "dataloader_prefetch_factor is 1 or more": "dataloader_prefetch_factor 至少为 1",
    "dataloader_prefetch_factor is {dataloader_prefetch_factor}, and must be 1 or more": (
        "dataloader_prefetch_factor 为 {dataloader_prefetch_factor}，必须至少为 1"
    ),
    "It counts the batches that each worker loads ahead.": "它是每个 worker 预先加载的批次数。",
    "Give dataloader_prefetch_factor a value in its range, or leave the key out.": (
        "为 dataloader_prefetch_factor 设一个范围内的值，或不写此键。"
    ),
    # --- GRPO661 gradient-norm-is-a-number
    "max_grad_norm is no null": "max_grad_norm 不为 null",
    "max_grad_norm is null, and transformers from 5.3 on compares it with 0": (
        "max_grad_norm 为 null，而 transformers 从 5.3 起会拿它与 0 比较"
    ),
    "Until 5.2 null switched the clipping of gradients off.": "在 5.2 及之前，null 会关闭梯度裁剪。",
    "Set max_grad_norm: 0.0 to switch it off.": "要关闭它，设置 max_grad_norm: 0.0。",
    # --- GRPO662 checkpointing-knows-its-options
    "gradient_checkpointing_kwargs holds what PyTorch takes": "gradient_checkpointing_kwargs 中只有 PyTorch 接受的参数",
    "PyTorch does not take {unknown_checkpointing_options}, which gradient_checkpointing_kwargs holds": (
        "PyTorch 不接受 gradient_checkpointing_kwargs 中的 {unknown_checkpointing_options}"
    ),
    "Without use_reentrant: false the keys are handed to a function that refuses unknown ones.": (
        "没有 use_reentrant: false 时，这些键会传给一个拒绝未知参数的函数。"
    ),
    "Write use_reentrant: false.": "写 use_reentrant: false。",
    # --- GRPO663 embeddings-get-noise
    "neftune_noise_alpha is 0 or more": "neftune_noise_alpha 大于或等于 0",
    "neftune_noise_alpha is {neftune_noise_alpha}, and must be 0 or more": (
        "neftune_noise_alpha 为 {neftune_noise_alpha}，必须大于或等于 0"
    ),
    "It scales noise that is drawn between two bounds.": "它决定在两个界限之间抽取的噪声的大小。",
    "Give neftune_noise_alpha a value in its range, or leave the key out.": "为 neftune_noise_alpha 设一个范围内的值，或不写此键。",
    # --- GRPO664 evaluation-is-moved-now-and-then
    "eval_accumulation_steps is 1 or more": "eval_accumulation_steps 至少为 1",
    "eval_accumulation_steps is {eval_accumulation_steps}, and must be 1 or more": (
        "eval_accumulation_steps 为 {eval_accumulation_steps}，必须至少为 1"
    ),
    "It counts the steps after which what an evaluation gathered goes to the CPU.": "每隔这么多步，就把评估收集到的内容移到 CPU。",
    "Give eval_accumulation_steps a value in its range, or leave the key out.": (
        "为 eval_accumulation_steps 设一个范围内的值，或不写此键。"
    ),
    # --- GRPO463 evaluation-has-a-set
    "A trainer that evaluates is given a set to evaluate on": "要评估的训练器须有评估集",
    "eval_strategy is {evaluates_by}, but the trainer is given no eval_dataset": (
        "eval_strategy 为 {evaluates_by}，但没有给训练器传入 eval_dataset"
    ),
    (
        "The trainer of transformers refuses to evaluate on nothing while it is made, after the model is loaded. No "
        "part of the training set is taken for it."
    ): "没有评估集时，transformers 的训练器在创建时（模型加载之后）就拒绝评估，也不会从训练集中划出一部分。",
    "Hand an eval_dataset to the trainer, or set eval_strategy to no.": "为训练器传入 eval_dataset，或将 eval_strategy 设为 no。",
    # --- GRPO464 weights-have-rewards
    "reward_weights weighs rewards": "reward_weights 须有可加权的奖励",
    (
        "reward_weights gives {reward_weights.count} weights, but neither reward_funcs nor reward_model_name_or_path "
        "is set: TRL's training script has no reward"
    ): (
        "reward_weights 给出 {reward_weights.count} 个权重，但既没有设 reward_funcs，也没有设 reward_model_name_or_path：TRL 的训练脚本没有奖励"
    ),
    (
        "The trainer compares the number of weights with that of the rewards, which the script takes from the two keys."
    ): "训练器会比较权重的个数与奖励的个数，脚本从这两个键取得奖励。",
    "Set reward_funcs, with one name for each weight.": "设置 reward_funcs，每个权重对应一个名字。",
    # --- GRPO665 evaluation-on-start-has-a-set
    "An evaluation at the start has something to evaluate on": "开始时的评估须有评估集",
    "eval_on_start is on, but eval_strategy is no: TRL's training script hands the trainer no evaluation set then": (
        "开启了 eval_on_start，但 eval_strategy 为 no：此时 TRL 的训练脚本不会把评估集交给训练器"
    ),
    (
        "The script passes the evaluation set only where eval_strategy asks for evaluation. The trainer evaluates "
        "at the start all the same, and finds none."
    ): "只有 eval_strategy 要求评估时，脚本才传入评估集。训练器仍会在开始时评估，却找不到评估集。",
    "Set eval_strategy to steps or epoch, or switch eval_on_start off.": (
        "将 eval_strategy 设为 steps 或 epoch，或关闭 eval_on_start。"
    ),
    # --- GRPO666 best-metric-is-returned
    "The metric for the best model is one that the evaluation returns": "判断最佳模型的指标是评估会返回的",
    (
        "metric_for_best_model is {metric_for_best_model}, which the evaluation of these versions does not return: "
        "only eval_loss and the times of the run"
    ): "metric_for_best_model 为 {metric_for_best_model}，而这些版本的评估不返回它：只返回 eval_loss 和运行的耗时",
    (
        "The rewards are logged, but until TRL 1.5 they are not among what evaluate() returns, where the trainer "
        "looks for the metric."
    ): "奖励会写入日志，但在 TRL 1.5 之前并不在 evaluate() 的返回值中，而训练器正是在那里查找指标。",
    "Set metric_for_best_model: eval_loss, or take TRL 1.5 or newer.": (
        "设置 metric_for_best_model: eval_loss，或使用 TRL 1.5 或更高版本。"
    ),
    # --- GRPO667 reference-model-has-an-interval
    "ref_model_sync_steps is 1 or more": "ref_model_sync_steps 至少为 1",
    "ref_model_sync_steps is {ref_model_sync_steps}, and must be 1 or more": (
        "ref_model_sync_steps 为 {ref_model_sync_steps}，必须至少为 1"
    ),
    "It counts the steps after which the reference model takes over from the trained one.": "每隔这么多步，参考模型就与被训练的模型同步一次。",
    "Give ref_model_sync_steps a value in its range, or leave the key out.": "为 ref_model_sync_steps 设一个范围内的值，或不写此键。",
    # --- GRPO668 sequences-are-padded-to-a-multiple
    "pad_to_multiple_of is 1 or more": "pad_to_multiple_of 至少为 1",
    "pad_to_multiple_of is {pad_to_multiple_of}, and must be 1 or more": (
        "pad_to_multiple_of 为 {pad_to_multiple_of}，必须至少为 1"
    ),
    "Lengths are raised to a multiple of it.": "长度会向上取为它的整数倍。",
    "Give pad_to_multiple_of a value in its range, or leave the key out.": "为 pad_to_multiple_of 设一个范围内的值，或不写此键。",
    # --- GRPO669 entropy-quantile-is-a-share
    "top_entropy_quantile is between 0 and 1": "top_entropy_quantile 在 0 到 1 之间",
    "top_entropy_quantile is {top_entropy_quantile}, and must be between 0 and 1": (
        "top_entropy_quantile 为 {top_entropy_quantile}，必须在 0 到 1 之间"
    ),
    "It is the share of tokens, those with the highest entropy, that is trained on.": "它是参与训练的 token（熵最高的那些）所占的比例。",
    "Give top_entropy_quantile a value in its range, or leave the key out.": "为 top_entropy_quantile 设一个范围内的值，或不写此键。",
    # --- GRPO670 sapo-divides-by-its-temperatures
    "The temperatures of SAPO are not 0": "SAPO 的温度不为 0",
    (
        "a temperature of SAPO is 0: sapo_temperature_pos is {sapo_temperature_pos}, sapo_temperature_neg "
        "{sapo_temperature_neg}"
    ): "SAPO 的某个温度为 0：sapo_temperature_pos 为 {sapo_temperature_pos}，sapo_temperature_neg 为 {sapo_temperature_neg}",
    (
        "The loss divides by both. The first update makes every weight NaN, and the next rollout has nothing to "
        "sample from."
    ): "损失要除以这两个温度。第一次更新就会使所有权重变成 NaN，下一次 rollout 便无从采样。",
    "Use 1.0 and 1.05, or leave the keys out.": "使用 1.0 和 1.05，或不写这些键。",
    # --- GRPO671 run-has-a-data-set
    "The file names a data set": "文件写明了数据集",
    "neither dataset_name nor datasets is set: TRL's training script has nothing to train on": (
        "dataset_name 和 datasets 都没有设置：TRL 的训练脚本没有可训练的数据"
    ),
    "The script takes its data from one of the two. A script of one's own may take it from elsewhere.": (
        "该脚本从两者之一获取数据。自己的脚本可以从别处获取。"
    ),
    "Set dataset_name.": "设置 dataset_name。",
    # --- GRPO672 run-has-a-reward
    "The file names a reward": "文件写明了奖励",
    "neither reward_funcs nor reward_model_name_or_path is set: TRL's training script has no reward": (
        "reward_funcs 和 reward_model_name_or_path 都没有设置：TRL 的训练脚本没有奖励"
    ),
    "The script takes its rewards from the two keys. A script of one's own brings its own.": "该脚本从这两个键获取奖励。自己的脚本会自带奖励。",
    "Set reward_funcs.": "设置 reward_funcs。",
    # --- GRPO673 fractions-are-of-a-known-size
    "Parts of data sets are taken of sets whose size is known": "按比例取用的数据集，其大小是已知的",
    "streaming is on, but data sets of the mixture have a fraction": "开启了 streaming，但混合数据集中写了 fraction",
    "A fraction needs the number of rows, which a stream does not know.": "按比例取用需要行数，而流式数据不知道行数。",
    "Switch streaming off, or remove fraction.": "关闭 streaming，或去掉 fraction。",
    # --- GRPO674 mixture-has-a-test-split
    "A mixture that is evaluated on has a test split": "要评估的混合数据集须有测试集",
    (
        "eval_strategy asks for evaluation, but a mixture of data sets has no split to evaluate on without "
        "test_split_size"
    ): "eval_strategy 要求评估，但混合数据集没有 test_split_size 就没有可评估的部分",
    "A mixture has a train split only. TRL's training script takes the split of dataset_test_split from it.": (
        "混合数据集只有训练部分，而 TRL 的训练脚本要从中取 dataset_test_split。"
    ),
    "Set test_split_size: 0.1, or eval_strategy to no.": "设置 test_split_size: 0.1，或将 eval_strategy 设为 no。",
    # --- GRPO675 stable-schedule-has-known-shapes
    "warmup_type and decay_type of a schedule are shapes that there are": "调度的 warmup_type 和 decay_type 是现有的形状",
    "lr_scheduler_kwargs asks for the shape {unknown_shapes}, which is none of linear, cosine and 1-sqrt": (
        "lr_scheduler_kwargs 要求的形状 {unknown_shapes} 不是 linear、cosine、1-sqrt 之一"
    ),
    "The rate rises and falls in one of three shapes.": "学习率按三种形状之一上升和下降。",
    "Write linear, cosine or 1-sqrt.": "写 linear、cosine 或 1-sqrt。",
    # --- GRPO676 prompts-keep-tokens
    "max_prompt_length is 1 or more": "max_prompt_length 至少为 1",
    "max_prompt_length is {max_prompt_length}, and must be 1 or more": (
        "max_prompt_length 为 {max_prompt_length}，必须至少为 1"
    ),
    "Longer prompts are cut to this number of tokens.": "更长的提示会截断到这么多个 token。",
    "Leave it out, or set it to null, to keep prompts as they are.": "要保留提示原样，不写此键或设为 null。",
    # --- GRPO677 script-has-a-model
    "The file names a model": "文件写明了模型",
    "model_name_or_path is not set: TRL's training script has nothing to train": (
        "没有设置 model_name_or_path：TRL 的训练脚本没有可训练的模型"
    ),
    "The script hands the name to the trainer. A script of one's own may bring its own model.": (
        "该脚本把名称交给训练器。自己的脚本可以自带模型。"
    ),
    "Set model_name_or_path.": "设置 model_name_or_path。",
    # --- GRPO678 model-is-loaded-by-the-trainer
    "model_init_kwargs goes with a model that the trainer loads": "model_init_kwargs 用于由训练器加载的模型",
    "model_init_kwargs is set, but TRL's training script of these versions loads the model itself": (
        "设置了 model_init_kwargs，但这些版本的 TRL 训练脚本自己加载模型"
    ),
    (
        "The trainer takes them only where it is given the name of a model. From 0.22 on the script gives it the name."
    ): "只有收到模型名称时，训练器才接受这些参数。从 0.22 起，脚本传入的是名称。",
    "Remove model_init_kwargs, or take TRL 0.22 or newer.": "去掉 model_init_kwargs，或使用 TRL 0.22 或更高版本。",
    # --- GRPO679 test-split-is-a-share
    "test_split_size is a share of the rows, or a number of them": "test_split_size 是行数的比例，或行数",
    "test_split_size is {test_split_size}, no share between 0 and 1": (
        "test_split_size 为 {test_split_size}，不是 0 到 1 之间的比例"
    ),
    "The rows of a mixture that are kept for evaluation are given as a share.": "混合数据集中留作评估的行以比例给出。",
    "Write a share such as 0.1.": "写一个比例，例如 0.1。",
    # --- GRPO680 run-has-epochs
    "A run without max_steps has epochs": "没有 max_steps 的运行须有 epoch",
    "num_train_epochs is {num_train_epochs} and max_steps is not set: training takes no step and reports success": (
        "num_train_epochs 为 {num_train_epochs}，又没有设置 max_steps：训练一步也不走，还会报告成功"
    ),
    "The number of steps follows from the epochs where max_steps is not positive.": "max_steps 不为正数时，步数由 epoch 数得出。",
    "Set num_train_epochs or max_steps above 0.": "将 num_train_epochs 或 max_steps 设为大于 0。",
    # --- GRPO681 no-steps-are-not-asked-for
    "max_steps is not 0": "max_steps 不为 0",
    (
        "max_steps is 0, which is not the same as not set: what becomes of the run depends on the version of "
        "transformers"
    ): "max_steps 为 0，这与不设置并不相同：运行会怎样取决于 transformers 的版本",
    "Until transformers 4.48 the run goes by its epochs; from 4.49 on it takes exactly one step.": (
        "在 transformers 4.48 及之前，按 epoch 数运行；从 4.49 起，恰好走一步。"
    ),
    "Set max_steps: -1 to go by num_train_epochs.": "要按 num_train_epochs 运行，设置 max_steps: -1。",
    # --- GRPO682 cispo-has-its-own-bound
    "CISPO has an upper bound of its own": "CISPO 有自己的上界",
    (
        "loss_type is cispo, and its ratios are cut at {clip_high}: for this loss epsilon_high is the bound "
        "itself, not what is added to 1"
    ): "loss_type 为 cispo，其比值在 {clip_high} 处裁剪：对这种损失，epsilon_high 就是上界本身，不是加在 1 之上的值",
    (
        "Every ratio near 1 lies above such a bound, so all tokens weigh the same. The authors of CISPO and of "
        "ScaleRL use 4 to 8."
    ): "接近 1 的比值都超过这样的上界，因此所有 token 的权重都相同。CISPO 和 ScaleRL 的作者使用 4 到 8。",
    "Set epsilon_high: 5.0.": "设置 epsilon_high: 5.0。",
    # --- GRPO683 delta-is-above-the-clip
    "The second clip lies above the first": "第二次裁剪的界限高于第一次",
    "delta is {delta}, below the 1 + {clip_high} at which ratios are clipped already": (
        "delta 为 {delta}，低于 1 + {clip_high}，而比值在那里已经被裁剪"
    ),
    (
        "delta bounds the ratio from above where the advantage is negative. Below the clip it cuts ratios that are "
        "meant to count."
    ): "优势为负时，delta 限制比值的上界。若低于裁剪界限，就会裁掉本应计入的比值。",
    "Set delta above 1 + epsilon_high, or remove it.": "将 delta 设为大于 1 + epsilon_high，或去掉它。",
    # --- GRPO684 clip-is-wider-above
    "The upper clip is not narrower than the lower one": "上侧裁剪不窄于下侧",
    "epsilon_high is {epsilon_high}, below epsilon {epsilon}": "epsilon_high 为 {epsilon_high}，小于 epsilon {epsilon}",
    "The upper clip is raised to let unlikely tokens gain. The two are easily mixed up.": (
        "放宽上侧裁剪，是为了让概率低的 token 得到提升。两者很容易混淆。"
    ),
    "Set epsilon_high to epsilon or more.": "将 epsilon_high 设为不小于 epsilon。",
    # --- GRPO685 coefficients-are-not-negative
    "beta and epsilon are not negative": "beta 和 epsilon 不为负",
    "beta is {beta} and epsilon {epsilon}: neither may be negative": "beta 为 {beta}，epsilon 为 {epsilon}：都不能为负",
    (
        "A negative beta rewards distance from the reference model; a negative epsilon clips every ratio. Nobody "
        "refuses it."
    ): "beta 为负会奖励与参考模型的偏离；epsilon 为负会裁剪所有比值。没有谁会拒绝。",
    "Use 0 or more.": "使用大于或等于 0 的值。",
    # --- GRPO686 warmup-ends-within-the-run
    "The warm-up is shorter than the run": "预热短于运行",
    "warmup_steps is {warmup_steps}, and the run has {max_steps} steps: the learning rate is never reached": (
        "warmup_steps 为 {warmup_steps}，而运行只有 {max_steps} 步：永远达不到设定的学习率"
    ),
    "The rate rises during the warm-up.": "学习率在预热期间上升。",
    "Make the warm-up a part of the run.": "让预热只占运行的一部分。",
    # --- GRPO687 evaluation-comes-within-the-run
    "The first evaluation comes before the end of the run": "第一次评估在运行结束之前",
    "the run evaluates every {eval_interval} steps, and has {max_steps}: it never does": (
        "运行每 {eval_interval} 步评估一次，却只有 {max_steps} 步：从不评估"
    ),
    "Evaluation counts steps of the optimizer.": "评估的间隔按优化器的步数计算。",
    "Lower eval_steps.": "减小 eval_steps。",
    # --- GRPO688 batch-size-keeps-groups-whole
    "The batch size is not looked for": "批次大小不自动搜索",
    "auto_find_batch_size is on: a smaller batch after an out-of-memory error may break groups in two": (
        "开启了 auto_find_batch_size：显存不足后改用更小的批次，可能把组拆开"
    ),
    (
        "The size is lowered in the middle of the start, and nothing checks again that groups fit. TRL 1.9 and "
        "later refuse it."
    ): "批次大小在启动途中减小，之后没有谁再检查组是否完整。TRL 1.9 及更高版本会拒绝它。",
    "Remove auto_find_batch_size, and choose the batch size.": "去掉 auto_find_batch_size，自己选定批次大小。",
    # --- GRPO689 updates-keep-to-one-rollout
    "No update takes its completions from two rollouts": "一次更新的补全不来自两次 rollout",
    (
        "a rollout is used up in {steps_per_rollout} micro steps and an update takes {accumulation}: some updates "
        "mix two rollouts"
    ): "一次 rollout 用 {steps_per_rollout} 个微步用完，而一次更新用 {accumulation} 个：有些更新会混合两次 rollout",
    "Completions of two generations, of models one update apart, enter one gradient. Nobody refuses it.": (
        "两次生成所用的模型相差一次更新，其补全却进入同一个梯度。没有谁会拒绝。"
    ),
    "Make one of the two a multiple of the other.": "让其中一个成为另一个的整数倍。",
    # --- GRPO690 trainer-evaluates
    "The trainer is one that can evaluate": "训练器支持评估",
    "eval_strategy is {evaluates_by}, but the trainer of TRL 0.14 cannot evaluate": (
        "eval_strategy 为 {evaluates_by}，但 TRL 0.14 的训练器不能评估"
    ),
    "Its batches are lists, and the evaluation of transformers looks for keys in them.": (
        "它的批次是列表，而 transformers 的评估要在其中查找键。"
    ),
    "Set eval_strategy to no, or take TRL 0.15 or newer.": "将 eval_strategy 设为 no，或使用 TRL 0.15 或更高版本。",
    # --- GRPO691 trackers-have-names
    "report_to is no null": "report_to 不为 null",
    "report_to is null, and transformers from 5.0 on takes that for the name of a tracker": (
        "report_to 为 null，而 transformers 从 5.0 起把它当作一个记录工具的名称"
    ),
    "Until 4.57 null meant all that are installed.": "在 4.57 及之前，null 表示所有已安装的工具。",
    'Write report_to: "none", or leave the key out.': '写 report_to: "none"，或不写此键。',
    # --- GRPO692 engine-takes-a-share-of-the-memory
    "vllm_gpu_memory_utilization is between 0 and 1": "vllm_gpu_memory_utilization 在 0 到 1 之间",
    "vllm_gpu_memory_utilization is {vllm_gpu_memory_utilization}, and must be between 0 and 1": (
        "vllm_gpu_memory_utilization 为 {vllm_gpu_memory_utilization}，必须在 0 到 1 之间"
    ),
    "It is the share of a GPU's memory that the engine takes.": "它是引擎占用 GPU 显存的比例。",
    "Give vllm_gpu_memory_utilization a value in its range, or leave the key out.": (
        "为 vllm_gpu_memory_utilization 设一个范围内的值，或不写此键。"
    ),
    # --- GRPO693 engine-has-no-eight-bit-model
    "A model in 8 bits does not generate with an engine on its own GPUs": "8 位模型不能用共用 GPU 的引擎生成",
    "load_in_8bit with vllm_mode colocate: vLLM cannot load the model in 8 bits": (
        "load_in_8bit 与 vllm_mode colocate 同用：vLLM 不能以 8 位加载模型"
    ),
    "The engine loads the model as the trainer does. vLLM quantises to 4 bits on its own, not to 8.": (
        "引擎按训练器的方式加载模型。vLLM 自己只能量化到 4 位，不能量化到 8 位。"
    ),
    "Set load_in_4bit instead of load_in_8bit, or let a server generate.": (
        "用 load_in_4bit 代替 load_in_8bit，或用 server 生成。"
    ),
    # --- GRPO694 completions-are-sampled
    "Sampling leaves more than the likeliest token": "采样的候选不只有最可能的 token",
    "every completion of a group is the same: {takes_likeliest} leaves only the likeliest token": (
        "同组的补全全都相同：{takes_likeliest} 只留下最可能的 token"
    ),
    "Without sampling all rewards of a group are equal, its advantages are 0, and nothing is learnt.": (
        "不做采样时，一组的奖励全都相等，优势为 0，什么也学不到。"
    ),
    "Leave the setting out.": "不写该设置。",
    # --- GRPO695 checkpoints-come-within-the-run
    "The first checkpoint comes before the end of the run": "第一个检查点在运行结束之前",
    "a checkpoint is written every {save_steps} steps, and the run has {max_steps}: none is": (
        "每 {save_steps} 步写一个检查点，而运行只有 {max_steps} 步：一个也不会写"
    ),
    (
        "A run that stops early has nothing to go on from. The model is saved at its end where the training script "
        "does so."
    ): "提前中断的运行没有可恢复的检查点。运行结束时是否保存模型，由训练脚本决定。",
    "Lower save_steps.": "减小 save_steps。",
}
