"""Texts of the rules GRPO5xx: {English: Chinese}."""

TEMPLATES = {
    # --- GRPO501 dtype-is-read
    "The model is loaded in the type that the file says": "模型以文件所写的类型加载",
    "{key} {history}: {consequence}, and the model is loaded in float32; it is now dtype": (
        "{key} {history:text}：{consequence:text}，模型会以 float32 加载；现在的键是 dtype"
    ),
    (
        "TRL 0.27 made float32 the default and dropped the old name. The run starts, needs twice the memory and is "
        "slower: the most expensive silent mistake an upgrade brings."
    ): "TRL 0.27 把默认类型改为 float32，并取消了旧名称。运行可以启动，但占用两倍显存，速度也更慢：这是升级带来的代价最大的无声错误。",
    "Rename the key to dtype.": "把键改名为 dtype。",
    (
        "Nobody where TrlParser reads the file: it drops torch_dtype without a word, and the run starts. Behind "
        "`trl grpo` of 0.29 and later accelerate launch refuses it, when the file is read."
    ): (
        "由 TrlParser 读取文件时没有谁会拒绝：它不作声地丢弃 torch_dtype，运行照常启动。在 0.29 及更高版本的 `trl grpo` 之后，由 accelerate launch 在读取文件时拒"
        "绝。"
    ),
    # --- GRPO502 vllm-mode-is-known
    "vllm_mode is server or colocate": "vllm_mode 为 server 或 colocate",
    "vllm_mode is {vllm_mode}, which is neither server nor colocate": "vllm_mode 为 {vllm_mode}，既不是 server 也不是 colocate",
    "The engine runs on the GPUs of training, or in a server of its own. The config class takes any text.": (
        "引擎运行在训练所用的 GPU 上，或运行在独立的服务中。配置类接受任何文本。"
    ),
    "Write colocate or server.": "写 colocate 或 server。",
    # --- GRPO503 importance-sampling-mode-is-known
    "vllm_importance_sampling_mode is one of the four that there are": "vllm_importance_sampling_mode 是现有的四种之一",
    (
        "vllm_importance_sampling_mode is {vllm_importance_sampling_mode}, which is none of token_truncate, "
        "token_mask, sequence_truncate, sequence_mask"
    ): (
        "vllm_importance_sampling_mode 为 {vllm_importance_sampling_mode}，不是 token_truncate、token_mask、"
        "sequence_truncate、sequence_mask 之一"
    ),
    "Nothing checks the name when the run starts. The first rollout does, after it was generated.": (
        "启动时没有谁检查这个名字。第一次 rollout 生成之后才会检查。"
    ),
    "Write one of the four, or switch vllm_importance_sampling_correction off.": (
        "从四种中选一种，或关闭 vllm_importance_sampling_correction。"
    ),
    # --- GRPO504 loss-has-its-ratios
    "luspo goes with sequence ratios, vespo with token ratios": "luspo 配序列级比值，vespo 配 token 级比值",
    "loss_type {loss_type} does not go with importance_sampling_level {importance_sampling_level}": (
        "loss_type {loss_type} 不能与 importance_sampling_level {importance_sampling_level} 同用"
    ),
    (
        "LUSPO is defined with one ratio for a completion. VESPO makes its weights of completions itself, from one "
        "ratio for a token."
    ): "LUSPO 的定义是每条补全一个比值。VESPO 则由每个 token 的比值自行算出补全的权重。",
    "Set importance_sampling_level to sequence for luspo, to token for vespo.": (
        "luspo 将 importance_sampling_level 设为 sequence，vespo 设为 token。"
    ),
    # --- GRPO505 sapo-has-temperatures
    "The sapo loss has both its temperatures": "sapo 损失的两个温度都有值",
    "loss_type sapo needs sapo_temperature_neg and sapo_temperature_pos, and one of them is null": (
        "loss_type sapo 需要 sapo_temperature_neg 和 sapo_temperature_pos，而其中一个为 null"
    ),
    "The two temperatures shape the soft gate for negative and for positive advantages.": "两个温度分别决定负优势和正优势的软门控形状。",
    "Remove the null: 1.05 for negative and 1.0 for positive advantages are the defaults.": (
        "去掉 null：默认值为负优势 1.05、正优势 1.0。"
    ),
    # --- GRPO506 streams-are-not-dispatched
    "Every process reads a streamed training set itself": "流式训练集由每个进程自行读取",
    "the training set is streamed, but dispatch_batches of accelerator_config is on": (
        "训练集是流式的，但 accelerator_config 开启了 dispatch_batches"
    ),
    "Batches that the main process hands out are joined there, and prompts of unequal length cannot be.": (
        "由主进程分发的批次要在主进程拼接，而长度不同的提示无法拼接。"
    ),
    "Remove dispatch_batches: it is switched off for a stream.": "去掉 dispatch_batches：流式数据会自动关闭它。",
    # --- GRPO507 streams-have-steps
    "A run on a stream says how many steps it takes": "流式数据的运行要写明步数",
    "the training set is streamed, but max_steps is {max_steps}": "训练集是流式的，但 max_steps 为 {max_steps}",
    "A stream has no length, so its epochs cannot be counted.": "流式数据没有长度，无法计算 epoch 数。",
    "Set max_steps.": "设置 max_steps。",
    # --- GRPO508 batches-are-not-split
    "A batch is not split over the processes": "一个批次不会拆给各进程",
    "split_batches of accelerator_config is on: every process takes a part of a batch, and groups are torn apart": (
        "accelerator_config 开启了 split_batches：每个进程只取批次的一部分，组会被拆散"
    ),
    (
        "The sampler lays out the completions of a prompt for batches of per_device_train_batch_size on every "
        "process. When a batch is split instead, the processes take other rows than the advantages are computed "
        "for."
    ): "采样器按“每个进程一个 per_device_train_batch_size 批次”来排列同一提示的补全。如果改为拆分批次，各进程取到的行就与计算优势所用的行不同。",
    "Remove split_batches.": "去掉 split_batches。",
    # --- GRPO509 rewards-are-scaled-as-said
    "scale_rewards does what it says": "scale_rewards 的效果与名称一致",
    (
        "scale_rewards is {scale_rewards}, but in 0.22.0 and 0.22.1 group scales nothing, and batch and none both "
        "divide by the deviation within the group"
    ): "scale_rewards 为 {scale_rewards}，但在 0.22.0 和 0.22.1 中，group 不做缩放，batch 和 none 都除以组内标准差",
    "The branches were mixed up. TRL 0.22.2 corrected it.": "这两个版本写错了分支。TRL 0.22.2 已修正。",
    "Take TRL 0.22.2 or newer.": "使用 TRL 0.22.2 或更高版本。",
    # --- GRPO510 logging-has-steps
    "Logging by steps logs every so many steps": "按步记录日志时，每隔若干步记录一次",
    "logging_steps is 0: logging by steps needs a number of steps": "logging_steps 为 0：按步记录日志需要步数",
    "The trainer would divide by it.": "训练器会除以它。",
    'Set logging_steps to 1 or more, or logging_strategy to "no".': (
        '将 logging_steps 设为 1 或更大，或将 logging_strategy 设为 "no"。'
    ),
    # --- GRPO511 logging-steps-are-whole
    "logging_steps is a whole number, or a share of the run below 1": "logging_steps 是整数，或是小于 1 的比例",
    "logging_steps is {logging_steps}: above 1 it counts steps and must be whole": (
        "logging_steps 为 {logging_steps}：大于 1 时表示步数，必须是整数"
    ),
    "Below 1 the value is a share of all steps; above 1 it is a number of steps.": "小于 1 时表示占总步数的比例；大于 1 时表示步数。",
    "Write a whole number, or a share below 1.": "写一个整数，或一个小于 1 的比例。",
    # --- GRPO512 evaluation-steps-are-whole
    "eval_steps is a whole number, or a share of the run below 1": "eval_steps 是整数，或是小于 1 的比例",
    "evaluation comes every {eval_interval} steps: above 1 it counts steps and must be whole": (
        "每 {eval_interval} 步评估一次：大于 1 时表示步数，必须是整数"
    ),
    (
        "Below 1 the value is a share of all steps; above 1 it is a number of steps. Without eval_steps another "
        "interval is taken: logging_steps in TRL, save_steps in ms-swift."
    ): "小于 1 时表示占总步数的比例；大于 1 时表示步数。没有 eval_steps 时采用另一个间隔：TRL 用 logging_steps，ms-swift 用 save_steps。",
    # --- GRPO513 save-steps-are-whole
    "save_steps is a whole number, or a share of the run below 1": "save_steps 是整数，或是小于 1 的比例",
    "save_steps is {save_steps}: above 1 it counts steps and must be whole": (
        "save_steps 为 {save_steps}：大于 1 时表示步数，必须是整数"
    ),
    # --- GRPO514 evaluation-has-steps
    "Evaluation by steps has a number of steps": "按步评估要有步数",
    (
        "evaluation by steps has no number of steps: eval_steps is not set and logging_steps, which it follows, is "
        "{logging_steps}"
    ): "按步评估没有步数：没有设置 eval_steps，而它所沿用的 logging_steps 为 {logging_steps}",
    "Without eval_steps the trainer evaluates as often as it logs.": "没有 eval_steps 时，评估的频率与记录日志相同。",
    "Set eval_steps.": "设置 eval_steps。",
    # --- GRPO515 best-model-is-evaluated-when-saved
    "To keep the best model, saving and evaluation go by the same strategy": "要保留最佳模型，保存与评估须采用同一策略",
    (
        "load_best_model_at_end needs saving and evaluation to go together, but save_strategy is {save_strategy} "
        "and eval_strategy is {evaluates_by}"
    ): "load_best_model_at_end 要求保存与评估同步进行，但 save_strategy 为 {save_strategy}，eval_strategy 为 {evaluates_by}",
    (
        "Only a model that was evaluated when it was saved can turn out to be the best. By default nothing is "
        "evaluated."
    ): "只有保存时经过评估的模型，才能判定是否最佳。默认不进行评估。",
    "Give eval_strategy and save_strategy the same value, or remove load_best_model_at_end.": (
        "将 eval_strategy 与 save_strategy 设为同一个值，或去掉 load_best_model_at_end。"
    ),
    # --- GRPO516 best-model-steps-fit
    "To keep the best model, every saved step is an evaluated one": "要保留最佳模型，每次保存时都须经过评估",
    (
        "load_best_model_at_end needs save_steps to be a multiple of the steps between evaluations, but "
        "{save_steps} is no multiple of {eval_interval}"
    ): "load_best_model_at_end 要求 save_steps 是评估间隔的整数倍，但 {save_steps} 不是 {eval_interval} 的整数倍",
    "A model that is saved between two evaluations has no score.": "在两次评估之间保存的模型没有分数。",
    "Set save_steps to a multiple of eval_steps.": "将 save_steps 设为 eval_steps 的整数倍。",
    # --- GRPO517 one-half-precision
    "fp16 and bf16 are not both on": "fp16 与 bf16 不能同时开启",
    "fp16 and bf16 are both on": "fp16 与 bf16 同时开启",
    (
        "A run has one half-precision type. In ms-swift torch_dtype turns one of them on: bfloat16 bf16, the "
        "others fp16."
    ): "一次运行只有一种半精度类型。在 ms-swift 中，torch_dtype 会开启其中一种：bfloat16 开启 bf16，其他的开启 fp16。",
    "Keep bf16 on GPUs that have it.": "GPU 支持 bf16 时保留 bf16。",
    # --- GRPO518 warmup-is-not-negative
    "The warm-up is not negative": "预热步数不为负",
    "the warm-up is {warmup}": "预热为 {warmup}",
    "It counts steps, or is a share of them.": "它表示步数，或占总步数的比例。",
    "Set it to 0 for no warm-up.": "不需要预热就设为 0。",
    # --- GRPO519 prefetching-has-workers
    "dataloader_prefetch_factor needs worker processes": "dataloader_prefetch_factor 需要 worker 进程",
    "dataloader_prefetch_factor is {dataloader_prefetch_factor}, but dataloader_num_workers is 0": (
        "dataloader_prefetch_factor 为 {dataloader_prefetch_factor}，但 dataloader_num_workers 为 0"
    ),
    "The main process does not prefetch; only worker processes do.": "主进程不做预取；只有 worker 进程会预取。",
    "Set dataloader_num_workers to 1 or more, or remove dataloader_prefetch_factor.": (
        "将 dataloader_num_workers 设为 1 或更大，或去掉 dataloader_prefetch_factor。"
    ),
    # --- GRPO520 uploaded-completions-are-logged
    "Completions that are uploaded are logged": "要上传的补全须先记录",
    "log_completions_hub_repo is set, but log_completions is off": (
        "设置了 log_completions_hub_repo，但 log_completions 是关闭的"
    ),
    "Only what is logged can be uploaded.": "只有记录下来的内容才能上传。",
    "Set log_completions: true.": "设置 log_completions: true。",
    # --- GRPO521 liger-has-no-delta
    "The Liger loss has no two-sided clipping": "Liger 损失没有双侧裁剪",
    "delta is {delta}, but the Liger loss has no two-sided clipping": "delta 为 {delta}，但 Liger 损失没有双侧裁剪",
    "delta bounds the ratio from above for negative advantages; the fused loss does not compute that.": (
        "对于负优势，delta 限制比值的上界；融合损失不做这一计算。"
    ),
    "Remove delta, or switch the Liger loss off.": "去掉 delta，或关闭 Liger 损失。",
    # --- GRPO522 importance-clips-are-ordered
    "The lower bound of importance sampling lies below the upper one": "重要性采样的下界低于上界",
    (
        "vllm_importance_sampling_clip_min {vllm_importance_sampling_clip_min} is not below the upper bound "
        "{importance_clip_max}"
    ): "vllm_importance_sampling_clip_min {vllm_importance_sampling_clip_min} 不低于上界 {importance_clip_max}",
    (
        "The two bounds cut the ratio of the trained to the sampling policy. vllm_importance_sampling_cap, the old "
        "name, wins over vllm_importance_sampling_clip_max."
    ): "两个界限裁剪“被训练策略与采样策略之比”。旧名称 vllm_importance_sampling_cap 优先于 vllm_importance_sampling_clip_max。",
    "Lower the minimum or raise the maximum.": "减小下界或增大上界。",
    # --- GRPO523 importance-sampling-is-bounded
    "Truncated importance sampling has a bound": "截断的重要性采样须有界限",
    "vllm_importance_sampling_mode {vllm_importance_sampling_mode} truncates, but neither bound is set": (
        "vllm_importance_sampling_mode {vllm_importance_sampling_mode} 要做截断，但两个界限都没有设置"
    ),
    "Truncation needs a value to cut at. The test is made even when vLLM is not used.": "截断需要一个阈值。即使不使用 vLLM，也会做此检查。",
    "Set vllm_importance_sampling_clip_max, 3.0 by default.": "设置 vllm_importance_sampling_clip_max，默认为 3.0。",
    # --- GRPO524 liger-has-token-ratios
    "The Liger loss has one ratio for a token": "使用 Liger 损失时，每个 token 一个比值",
    (
        "importance_sampling_level is {importance_sampling_level}, but the Liger loss of these versions knows "
        "token ratios only"
    ): "importance_sampling_level 为 {importance_sampling_level}，但这些版本的 Liger 损失只支持 token 级比值",
    "The fused loss computes the ratio token by token. From 1.0 it has sequence ratios, too.": (
        "融合损失逐个 token 计算比值。从 1.0 起也支持序列级比值。"
    ),
    "Switch the Liger loss off, or take TRL 1.0 or newer.": "关闭 Liger 损失，或使用 TRL 1.0 或更高版本。",
    # --- GRPO525 rewards-have-weights
    "There are as many reward weights as reward functions": "奖励权重与奖励函数数量相同",
    "reward_weights gives {reward_weights.count} weights for {reward_sources} rewards": (
        "有 {reward_weights.count} 个奖励权重，却有 {reward_sources} 个奖励"
    ),
    "Every reward function has one weight, and so has the reward model, which comes first.": (
        "每个奖励函数对应一个权重，排在最前的奖励模型也一样。"
    ),
    "Give one weight for every reward, in the same order, or remove reward_weights: then all weigh 1.": (
        "按相同顺序为每个奖励写一个权重，或去掉 reward_weights：那样权重都为 1。"
    ),
    # --- GRPO526 reference-model-exists
    "sync_ref_model has a reference model to synchronise": "使用 sync_ref_model 时，存在可同步的参考模型",
    "sync_ref_model is on, but beta is {beta}: there is no reference model": (
        "开启了 sync_ref_model，但 beta 为 {beta}：没有参考模型"
    ),
    (
        "With beta 0 the KL term is off and the reference model is not even loaded, so there is nothing to synchronise."
    ): "beta 为 0 时关闭 KL 项，参考模型根本不会加载，因此没有可同步的对象。",
    "Set beta above 0, or remove sync_ref_model.": "将 beta 设为大于 0，或去掉 sync_ref_model。",
    # --- GRPO527 vespo-corrects-tokens
    "The vespo loss corrects importance token by token": "vespo 损失逐个 token 做重要性校正",
    "loss_type vespo goes with a token mode of importance sampling, not with {vllm_importance_sampling_mode}": (
        "loss_type vespo 要配 token 级的重要性采样模式，而不是 {vllm_importance_sampling_mode}"
    ),
    "The loss weighs single tokens; the default mode, sequence_mask, weighs whole completions.": (
        "该损失为单个 token 加权；默认模式 sequence_mask 为整条补全加权。"
    ),
    "Set vllm_importance_sampling_mode to token_truncate or token_mask.": (
        "将 vllm_importance_sampling_mode 设为 token_truncate 或 token_mask。"
    ),
    # --- GRPO528 liger-has-no-entropy-bonus
    "The Liger loss has no entropy bonus": "Liger 损失没有熵奖励",
    (
        "entropy_coef {entropy_coef} and use_adaptive_entropy {use_adaptive_entropy} ask for an entropy bonus, but "
        "the Liger loss has none"
    ): "entropy_coef {entropy_coef} 和 use_adaptive_entropy {use_adaptive_entropy} 要求熵奖励，但 Liger 损失没有",
    "The fused loss does not compute the entropy of a token.": "融合损失不计算 token 的熵。",
    "Remove the entropy bonus, or switch the Liger loss off.": "去掉熵奖励，或关闭 Liger 损失。",
    # --- GRPO529 sequence-ratios-meet-a-sequence-loss
    "Sequence-level importance goes with a loss that averages over completions": "序列级重要性比值要配按补全求平均的损失",
    (
        "importance_sampling_level sequence gives every completion one ratio, but loss_type {loss_type} averages "
        "over tokens"
    ): "importance_sampling_level sequence 让每条补全只有一个比值，但 loss_type {loss_type} 按 token 求平均",
    (
        "GSPO weighs completions, not tokens. With a token-averaged loss a long completion counts more than a "
        "short one."
    ): "GSPO 以补全为单位加权，而不是 token。用按 token 求平均的损失，长补全的分量会超过短补全。",
    "Set loss_type: grpo, which averages within each completion first.": "设置 loss_type: grpo，它先在每条补全内部求平均。",
    # --- GRPO530 loss-is-scaled-once
    "The loss is normalised by the micro steps it sums over": "损失按它所累加的微步数归一化",
    (
        "the gradient is scaled by {accumulation} / {steps_per_rollout}: with loss_type {loss_type} these versions "
        "normalise by the steps of a rollout instead of the accumulation steps"
    ): "梯度被缩放了 {accumulation} / {steps_per_rollout} 倍：loss_type 为 {loss_type} 时，这些版本按 rollout 的步数而不是梯度累积步数归一化",
    (
        "The normaliser counts the wrong number of micro steps when a rollout is not exactly one update, so the "
        "effective learning rate is off by that factor. TRL 1.9.1 corrected it."
    ): "当一次 rollout 不恰好是一次更新时，归一化所用的微步数是错的，实际学习率就会偏离同样的倍数。TRL 1.9.1 已修正。",
    "Make steps per generation equal to gradient_accumulation_steps, or take TRL 1.9.1 or newer.": (
        "让每次生成的步数等于 gradient_accumulation_steps，或使用 TRL 1.9.1 或更高版本。"
    ),
    # --- GRPO531 head-has-no-adapter
    "The head of the model has no adapter": "模型的输出头上没有适配器",
    "lora_target_modules names lm_head: an adapter there would never be trained": (
        "lora_target_modules 写了 lm_head：那里的适配器永远不会被训练"
    ),
    "The log-probabilities are computed from the weight of the head directly, past any adapter on it.": (
        "对数概率直接由输出头的权重计算，会绕过它上面的适配器。"
    ),
    "Remove lm_head from lora_target_modules.": "从 lora_target_modules 中去掉 lm_head。",
    # --- GRPO532 liger-sees-no-adapter-of-the-head
    "The Liger loss goes with a head without an adapter": "Liger 损失要求输出头上没有适配器",
    "lora_target_modules names lm_head, but the Liger loss reads the weight of the head past its adapter": (
        "lora_target_modules 写了 lm_head，但 Liger 损失读取输出头的权重时会绕过适配器"
    ),
    "The adapter on the head would never be trained.": "输出头上的适配器永远不会被训练。",
    "Remove lm_head from lora_target_modules, or switch the Liger loss off.": (
        "从 lora_target_modules 中去掉 lm_head，或关闭 Liger 损失。"
    ),
    # --- GRPO533 adapter-is-used
    "LoRA settings are used": "LoRA 的设置确实被使用",
    "the lora_* keys have no effect: use_peft is off, so the whole model is trained": (
        "lora_* 这些键不起作用：use_peft 是关闭的，训练的是整个模型"
    ),
    "TRL builds the adapter only when use_peft is on. A full fine-tuning run needs several times the memory.": (
        "TRL 只有在开启 use_peft 时才建立适配器。全量微调需要数倍的显存。"
    ),
    "Set use_peft: true, or remove the lora_* keys.": "设置 use_peft: true，或去掉 lora_* 这些键。",
    # --- GRPO534 liger-keeps-the-cross-entropy
    "Liger's own cross entropy is off": "Liger 自带的交叉熵是关闭的",
    "fused_linear_cross_entropy of liger_kernel_config is on, but this trainer has a fused head of its own": (
        "liger_kernel_config 开启了 fused_linear_cross_entropy，但此训练器有自己的融合输出头"
    ),
    "Both would replace the forward pass of the model.": "两者都会替换模型的前向计算。",
    "Remove fused_linear_cross_entropy.": "去掉 fused_linear_cross_entropy。",
    # --- GRPO535 engine-holds-prompt-and-completion
    "The length of the vLLM engine holds a prompt and its completion": "vLLM 引擎的长度容得下提示和补全",
    (
        "the vLLM engine holds {engine_length} tokens, and the longest prompt with its completion has "
        "{longest_sequence}{longest_sequence.how}"
    ): ("vLLM 引擎容纳 {engine_length} 个 token，而最长的提示连同补全有 {longest_sequence} 个{longest_sequence.how}"),
    "Completions of long prompts end early, as if they had been cut.": "长提示的补全会提前结束，就像被截断一样。",
    "Raise the length of the engine to the sum of the two.": "将引擎的长度增大到两者之和。",
    # --- GRPO536 liger-masks-no-tokens
    "The Liger loss sees all tokens": "使用 Liger 损失时，所有 token 都参与计算",
    "top_entropy_quantile is {top_entropy_quantile}, but the Liger loss cannot leave tokens out": (
        "top_entropy_quantile 为 {top_entropy_quantile}，但 Liger 损失不能排除部分 token"
    ),
    "The fused loss has no mask by entropy.": "融合损失没有按熵的掩码。",
    "Set top_entropy_quantile to 1.0, or switch the Liger loss off.": "将 top_entropy_quantile 设为 1.0，或关闭 Liger 损失。",
    # --- GRPO537 liger-has-no-off-policy-mask
    "The Liger loss has no off-policy mask": "Liger 损失没有 off-policy 掩码",
    "off_policy_mask_threshold is {off_policy_mask_threshold}, but the Liger loss has no off-policy mask": (
        "off_policy_mask_threshold 为 {off_policy_mask_threshold}，但 Liger 损失没有 off-policy 掩码"
    ),
    "The fused loss cannot leave completions out.": "融合损失不能排除部分补全。",
    "Remove off_policy_mask_threshold, or switch the Liger loss off.": "去掉 off_policy_mask_threshold，或关闭 Liger 损失。",
    # --- GRPO538 dataset-has-a-length
    "The training set is not streamed": "训练集不是流式的",
    "the training set is streamed, but these versions cannot repeat the prompts of a stream": "训练集是流式的，但这些版本不能重复流中的提示",
    "Every prompt is drawn once for each completion of its group, which needs a data set that can be indexed.": (
        "每个提示都要按组内的补全数重复抽取，这需要能按下标访问的数据集。"
    ),
    "Set dataset_streaming (with a mixture, streaming) to false, or take TRL 1.9 or newer.": (
        "将 dataset_streaming（混合数据集时为 streaming）设为 false，或使用 TRL 1.9 或更高版本。"
    ),
    # --- GRPO539 one-quantisation
    "A model is loaded in 8 bits or in 4, not both": "模型以 8 位或 4 位加载，不能同时",
    "load_in_8bit and load_in_4bit are both on": "load_in_8bit 与 load_in_4bit 同时开启",
    "A weight has one size.": "一个权重只有一种位宽。",
    "Keep one of them.": "只保留其中一个。",
    # --- GRPO540 schedule-has-scores
    "A schedule that follows the evaluation has one to follow": "依据评估的学习率调度须有评估可依",
    "lr_scheduler_type {lr_scheduler_type} follows the evaluation, but eval_strategy is {evaluates_by}": (
        "lr_scheduler_type {lr_scheduler_type} 依据评估结果，但 eval_strategy 为 {evaluates_by}"
    ),
    "The schedule changes the learning rate when the evaluation stops to improve.": "这种调度在评估结果不再改善时调整学习率。",
    "Set eval_strategy to steps or epoch, or choose another schedule.": "将 eval_strategy 设为 steps 或 epoch，或换用其他调度。",
    # --- GRPO541 cache-is-emptied-now-and-then
    "torch_empty_cache_steps is positive": "torch_empty_cache_steps 为正数",
    "torch_empty_cache_steps is {torch_empty_cache_steps}": "torch_empty_cache_steps 为 {torch_empty_cache_steps}",
    "The cache is emptied every so many steps.": "每隔这么多步清空一次缓存。",
    "Set it to 1 or more, or remove it.": "设为 1 或更大，或去掉它。",
    # --- GRPO542 one-half-precision-in-evaluation
    "fp16_full_eval and bf16_full_eval are not both on": "fp16_full_eval 与 bf16_full_eval 不能同时开启",
    "fp16_full_eval and bf16_full_eval are both on": "fp16_full_eval 与 bf16_full_eval 同时开启",
    "An evaluation has one half-precision type.": "评估只有一种半精度类型。",
    # --- GRPO543 warmup-ratio-is-a-share
    "warmup_ratio is a share of the run, between 0 and 1": "warmup_ratio 是 0 到 1 之间的比例",
    "warmup_ratio is {warmup_ratio}, no share between 0 and 1": "warmup_ratio 为 {warmup_ratio}，不是 0 到 1 之间的比例",
    "It is the part of all steps in which the learning rate rises.": "它是总步数中学习率上升部分所占的比例。",
    "Write a share such as 0.1, or give the number of steps in warmup_steps.": "写一个比例，例如 0.1；或用 warmup_steps 写步数。",
    # --- GRPO544 reference-model-is-no-adapter
    "sync_ref_model goes with training the whole model": "sync_ref_model 要求训练整个模型",
    "sync_ref_model is on, but with use_peft there is no reference model to synchronise": (
        "开启了 sync_ref_model，但使用 use_peft 时没有可同步的参考模型"
    ),
    "With an adapter the reference is the same model with the adapter switched off.": "使用适配器时，参考模型就是关闭适配器的同一个模型。",
    "Set sync_ref_model: false, or train the whole model.": "设置 sync_ref_model: false，或训练整个模型。",
    # --- GRPO545 liger-computes-bnpo
    "The first Liger loss is bnpo": "最早的 Liger 损失只有 bnpo",
    "loss_type is {loss_type}, but the Liger loss of this version computes bnpo only": (
        "loss_type 为 {loss_type}，但此版本的 Liger 损失只计算 bnpo"
    ),
    "The fused loss came with 0.17 and had one normalisation.": "融合损失从 0.17 起出现，当时只有一种归一化方式。",
    "Set loss_type: bnpo, switch the Liger loss off, or take a newer version.": (
        "设置 loss_type: bnpo，或关闭 Liger 损失，或使用更新的版本。"
    ),
    # --- GRPO546 liger-trains-the-whole-model
    "The first Liger loss goes with training the whole model": "最早的 Liger 损失要求训练整个模型",
    "use_liger_loss is on, but the Liger loss of this version knows no adapters": (
        "开启了 use_liger_loss，但此版本的 Liger 损失不支持适配器"
    ),
    "The fused loss came with 0.17 and computes from the weights of the plain model.": "融合损失从 0.17 起出现，直接由原模型的权重计算。",
    "Switch the Liger loss off, or take TRL 0.18 or newer.": "关闭 Liger 损失，或使用 TRL 0.18 或更高版本。",
    # --- GRPO547 liger-kernel-is-new-enough
    "liger-kernel is new enough for the Liger loss": "liger-kernel 的版本满足 Liger 损失的要求",
    "the Liger loss needs liger-kernel {oldest_liger_kernel} or newer, but {liger_kernel} is installed": (
        "Liger 损失需要 liger-kernel {oldest_liger_kernel} 或更高版本，但安装的是 {liger_kernel}"
    ),
    "An older one counts as not installed.": "更旧的版本等同于没有安装。",
    "Raise the pin of liger-kernel, or switch the Liger loss off.": "提高 liger-kernel 锁定的版本，或关闭 Liger 损失。",
    # --- GRPO548 continuous-batching-is-there
    "transformers is new enough for continuous batching": "transformers 的版本支持连续批处理",
    "use_transformers_continuous_batching needs transformers 5.8 or newer": (
        "use_transformers_continuous_batching 需要 transformers 5.8 或更高版本"
    ),
    "Older ones have no interface for it.": "更旧的版本没有它的接口。",
    "Raise the pin of transformers, or remove use_transformers_continuous_batching.": (
        "提高 transformers 锁定的版本，或去掉 use_transformers_continuous_batching。"
    ),
    # --- GRPO549 vllm-is-supported
    "vLLM is one that this version of TRL was made for": "vLLM 是此版本 TRL 支持的版本",
    "vLLM {vllm} is installed, but this version of TRL supports {supported_vllm}": (
        "安装的是 vLLM {vllm}，但此版本的 TRL 支持 {supported_vllm:text}"
    ),
    (
        "TRL warns of it and goes on. What then breaks is an interface of vLLM that has changed: loading weights, "
        "sleeping, or the names of sampling parameters."
    ): "TRL 给出警告后继续运行。之后出问题的是 vLLM 中变化了的接口：加载权重、休眠或采样参数的名称。",
    "Pin a vLLM in the range, or take the version of TRL that goes with yours.": "锁定范围之内的 vLLM，或使用与它相配的 TRL 版本。",
    # --- GRPO550 rewards-have-a-source
    "Something rewards the completions": "补全有奖励来源",
    "nothing rewards the completions: reward_funcs is empty, and there is no other source of rewards": (
        "没有任何东西给补全打分：reward_funcs 为空，也没有其他奖励来源"
    ),
    (
        "Advantages are made of rewards. An environment (use_gym_env), a teacher, and for `swift rlhf` a reward "
        "model can give them as well."
    ): "优势由奖励得出。环境（use_gym_env）、教师模型，以及 `swift rlhf` 的奖励模型，也能给出奖励。",
    "Set reward_funcs, for example to [accuracy, format].": "设置 reward_funcs，例如 [accuracy, format]。",
    # --- GRPO551 reward-functions-are-registered
    "Every reward function is registered": "所有奖励函数都已注册",
    "{unknown_rewards}: no such reward function in this version, and no external_plugins that could bring it": (
        "{unknown_rewards}：此版本没有这样的奖励函数，也没有可能提供它的 external_plugins"
    ),
    (
        "A name stands for a function that ms-swift, or a plugin file, has registered. A copy of ms-swift in the "
        "repository may register more."
    ): "名称对应的是由 ms-swift 或插件文件注册的函数。仓库中自带的 ms-swift 可能注册了更多。",
    (
        "Name the file that registers it in external_plugins, or choose one of accuracy, format, cosine, "
        "repetition, soft_overlong."
    ): "在 external_plugins 中写明注册它的文件，或从 accuracy、format、cosine、repetition、soft_overlong 中选择。",
    # --- GRPO552 reward-weights-match-rewards
    "There is one weight per reward": "每个奖励对应一个权重",
    "{reward_weights.count} reward_weights for {reward_sources} rewards{reward_sources.how}": (
        "有 {reward_weights.count} 个 reward_weights，却有 {reward_sources} 个奖励{reward_sources.how}"
    ),
    "Weights go to the rewards in their order: reward_funcs first, reward models after them.": (
        "权重按顺序对应奖励：先是 reward_funcs，然后是奖励模型。"
    ),
    "Give one weight per reward function and reward model.": "为每个奖励函数和奖励模型各写一个权重。",
    # --- GRPO553 soft-overlong-has-a-cache
    "The soft_overlong reward has soft_cache_length": "使用 soft_overlong 奖励时须有 soft_cache_length",
    "soft_overlong needs soft_cache_length: over how many of the last tokens the penalty grows": (
        "soft_overlong 需要 soft_cache_length：惩罚在最后多少个 token 内增长"
    ),
    "The penalty starts soft_cache_length tokens before the end of max_completion_length. It has no default.": (
        "惩罚从 max_completion_length 结束前 soft_cache_length 个 token 处开始。它没有默认值。"
    ),
    "Set soft_cache_length, a fifth of max_completion_length for example.": (
        "设置 soft_cache_length，例如 max_completion_length 的五分之一。"
    ),
    # --- GRPO554 one-loss-type
    "There is one loss type": "只有一种损失类型",
    "several values in loss_type: only DPO mixes losses": "loss_type 有多个值：只有 DPO 会混合多种损失",
    "The key takes a list for the sake of DPO. GRPO computes one loss.": "此键可以取列表，是为 DPO 准备的。GRPO 只计算一种损失。",
    "Keep one loss_type.": "只保留一个 loss_type。",
    # --- GRPO555 loss-type-is-known
    "The loss type is one that this version computes": "损失类型是此版本能计算的",
    "loss_type {loss} is not among those this version computes: {known_losses}": (
        "loss_type {loss} 不在此版本能计算的损失之中：{known_losses}"
    ),
    (
        "Nothing checks the name when the run starts. The first loss does, after the model is loaded and the first "
        "rollout is generated."
    ): "启动时没有谁检查这个名字。加载模型并生成第一次 rollout 之后，计算第一次损失时才会检查。",
    "Choose one of them, or a newer version.": "从中选一个，或使用更新的版本。",
    # --- GRPO556 liger-computes-the-loss
    "The fused Liger loss knows every option that is set": "Liger 融合损失支持所设置的每个选项",
    "use_liger_kernel does not go with {liger_refuses}": "use_liger_kernel 不能与 {liger_refuses} 同用",
    "The fused loss computes logits and loss in one kernel, so it knows only what was built into it.": (
        "融合损失在一个 kernel 中计算 logits 和损失，只支持内置的选项。"
    ),
    "Turn use_liger_kernel off, or leave the other option at its default.": "关闭 use_liger_kernel，或让另一个选项保持默认值。",
    # --- GRPO557 packing-has-flash-attention
    "Packing and padding_free have flash attention": "packing 和 padding_free 须配 flash attention",
    "packing and padding_free need flash attention: set attn_impl to one of {flash_attentions}": (
        "packing 和 padding_free 需要 flash attention：将 attn_impl 设为 {flash_attentions} 之一"
    ),
    "Without padding, several sequences lie in one row. Only flash attention keeps them apart.": (
        "没有填充时，多条序列位于同一行，只有 flash attention 能把它们分开。"
    ),
    "Set attn_impl, or turn packing and padding_free off.": "设置 attn_impl，或关闭 packing 和 padding_free。",
    # --- GRPO558 reference-model-is-for-full-training
    "A reference model of its own is for full training": "单独的参考模型仅用于全量训练",
    "ref_model does not go with {tuner} training: the model without its adapter is the reference": (
        "ref_model 不能与 {tuner} 训练同用：去掉适配器的模型就是参考模型"
    ),
    "With an adapter the reference costs nothing, it is the base model. A second one is refused.": (
        "使用适配器时，参考模型就是基座模型，没有额外开销。第二个参考模型会被拒绝。"
    ),
    "Remove ref_model; or train in full (`train_type: full`, `tuner_type: full` from 4.0).": (
        "去掉 ref_model；或做全量训练（`train_type: full`，4.0 起为 `tuner_type: full`）。"
    ),
    # --- GRPO559 scheduler-is-registered
    "The multi-turn scheduler is registered": "多轮调度器已注册",
    (
        "{unknown_scheduler}: no such multi-turn scheduler in this version, and no external_plugins that could bring it"
    ): "{unknown_scheduler}：此版本没有这样的多轮调度器，也没有可能提供它的 external_plugins",
    (
        "The name stands for a class that ms-swift, or a plugin file, has registered. A name that is not ends in "
        "an assertion without a message."
    ): "名称对应的是由 ms-swift 或插件文件注册的类。没有注册的名称会以一个没有说明文字的断言结束。",
    "Name the file that registers it in external_plugins, or choose one of those that come with ms-swift.": (
        "在 external_plugins 中写明注册它的文件，或选择 ms-swift 自带的调度器。"
    ),
    # --- GRPO560 one-teacher
    "There is one teacher": "只有一个教师模型",
    "teacher_model and teacher_model_server are both set: a run learns from one teacher": (
        "同时设置了 teacher_model 和 teacher_model_server：一次运行只向一个教师学习"
    ),
    "One loads the teacher here, the other asks a server for its probabilities.": "前者在本地加载教师模型，后者向服务请求它的概率。",
    # --- GRPO561 distillation-has-its-signal
    "Distillation from a teacher leaves each token its own advantage": "向教师蒸馏时，每个 token 保留自己的优势",
    "training with a teacher does not go with {distillation_refuses}": "使用教师模型训练不能与 {distillation_refuses} 同用",
    (
        "A teacher judges every token. What needs one advantage per completion, or the spread of rewards where "
        "there are none, has nothing to work with."
    ): "教师模型评判每个 token。凡是需要每条补全一个优势、或在没有奖励时需要奖励差异的选项，都没有可用的输入。",
    "Leave that option at its default, add reward_funcs, or remove the teacher.": "让该选项保持默认值，或加上 reward_funcs，或去掉教师模型。",
    # --- GRPO562 rlsd-values-are-in-range
    "The strength of RLSD lies in its range": "RLSD 的强度在允许范围内",
    (
        "rlsd_lambda {rlsd_lambda} must lie in 0 to 1, rlsd_reweight_clip_range {rlsd_reweight_clip_range} must "
        "not be negative"
    ): "rlsd_lambda {rlsd_lambda} 必须在 0 到 1 之间，rlsd_reweight_clip_range {rlsd_reweight_clip_range} 不能为负",
    "rlsd_lambda mixes the teacher's weight of a token with the plain advantage; the range clips that weight.": (
        "rlsd_lambda 把教师对 token 的权重与普通优势混合；后者限定该权重的范围。"
    ),
    "Set rlsd_lambda between 0 and 1, and rlsd_reweight_clip_range to 0 or more.": (
        "将 rlsd_lambda 设在 0 到 1 之间，将 rlsd_reweight_clip_range 设为 0 或更大。"
    ),
    # --- GRPO563 rlsd-has-its-signal
    "RLSD has an advantage per completion to reweight": "RLSD 有每条补全的优势可供重新加权",
    "advantage_reweight rlsd does not go with {rlsd_refuses} as it is here": (
        "advantage_reweight rlsd 不能与此处的 {rlsd_refuses} 同用"
    ),
    (
        "RLSD turns the advantage of a completion, which rewards decide, into one per token. That takes "
        "reward_funcs, a teacher at hand and a loss per token."
    ): "RLSD 把由奖励决定的补全优势变为每个 token 的优势，这需要 reward_funcs、本地的教师模型，以及按 token 计算的损失。",
    "Set reward_funcs, leave the other option at its default, or remove advantage_reweight.": (
        "设置 reward_funcs，让另一个选项保持默认值，或去掉 advantage_reweight。"
    ),
    # --- GRPO564 sdar-gate-is-open
    "The gate of SDAR opens": "SDAR 的门控能打开",
    "sdar_gate_beta is {sdar_gate_beta}: it must be positive": "sdar_gate_beta 为 {sdar_gate_beta}：必须为正数",
    "It is the steepness of the gate that lets a token's distillation loss through.": "它是让 token 的蒸馏损失通过的门控的陡度。",
    "Set sdar_gate_beta to a positive number; 5 is the default.": "将 sdar_gate_beta 设为正数；默认为 5。",
    # --- GRPO565 sdar-has-its-signal
    "SDAR has a loss per token and a teacher at hand": "SDAR 有按 token 计算的损失和本地的教师模型",
    "sdar_loss_coef {sdar_loss_coef} does not go with {sdar_refuses}": (
        "sdar_loss_coef {sdar_loss_coef} 不能与 {sdar_refuses} 同用"
    ),
    (
        "SDAR adds a distillation loss to every token. A fused loss leaves no place for it, and a run distils in "
        "one way."
    ): "SDAR 为每个 token 加上蒸馏损失。融合损失没有它的位置，而且一次运行只用一种蒸馏方式。",
    "Leave the other option at its default, or set sdar_loss_coef to 0.": "让另一个选项保持默认值，或将 sdar_loss_coef 设为 0。",
    # --- GRPO566 real-loss-is-not-scaled
    "The real loss takes rewards as they are": "real 损失直接使用原始奖励",
    "scale_rewards {scaling} has no effect: loss_type real takes none": (
        "scale_rewards {scaling} 不起作用：loss_type real 不做缩放"
    ),
    "The real loss compares the completions of a group itself. ms-swift sets scale_rewards to none and goes on.": (
        "real 损失自行比较同一组的各条补全。ms-swift 会把 scale_rewards 改为 none 后继续。"
    ),
    "Set scale_rewards to none.": "将 scale_rewards 设为 none。",
    # --- GRPO567 sequence-ratios-have-their-own-epsilon
    "A ratio of whole sequences is clipped in its own range": "序列级比值有自己的裁剪范围",
    "epsilon {epsilon} clips hardly anything at importance_sampling_level {importance_sampling_level}": (
        "importance_sampling_level 为 {importance_sampling_level} 时，epsilon {epsilon} 几乎不起裁剪作用"
    ),
    (
        "The ratio of a sequence is a geometric mean over its tokens and stays close to 1. The authors of GSPO "
        "clip at 3e-4 and 4e-4."
    ): "序列级比值是各 token 比值的几何平均，始终接近 1。GSPO 的作者用 3e-4 和 4e-4 裁剪。",
    "Set epsilon to 3e-4 and epsilon_high to 4e-4, or watch the share of clipped ratios.": (
        "将 epsilon 设为 3e-4，epsilon_high 设为 4e-4，或留意被裁剪的比例。"
    ),
    # --- GRPO568 evaluation-strategy-is-known
    "eval_strategy is one of no, steps and epoch": "eval_strategy 是 no、steps、epoch 之一",
    "eval_strategy is {evaluates_by}, which is none of no, steps, epoch": (
        "eval_strategy 为 {evaluates_by}，不是 no、steps、epoch 之一"
    ),
    (
        "The parser takes any text here; the trainer's arguments refuse it as soon as there is something to "
        "evaluate. In YAML an unquoted no is false. Without eval_strategy it is that of saving, which knows a "
        "fourth one, best."
    ): "解析器在这里接受任何文本；一旦有内容要评估，训练器的参数类就会拒绝。在 YAML 中，不加引号的 no 是 false。没有 eval_strategy 时沿用保存的策略，而它还有第四种取值 best。",
    'Write one of the three; put quotes around "no".': '从三者中选一个；"no" 要加引号。',
    # --- GRPO569 scheduler-is-known
    "lr_scheduler_type is one that transformers knows": "lr_scheduler_type 是 transformers 支持的",
    "lr_scheduler_type is {lr_scheduler_type}, which transformers does not know": (
        "lr_scheduler_type 为 {lr_scheduler_type}，transformers 不支持"
    ),
    "The parser takes any text here; the trainer's arguments turn it into a member of a closed list.": (
        "解析器在这里接受任何文本；训练器的参数类把它转换为固定列表中的一项。"
    ),
    "Write for example cosine, linear or constant_with_warmup.": "例如写 cosine、linear 或 constant_with_warmup。",
    # --- GRPO570 option-is-supported
    "Megatron-SWIFT supports the option": "Megatron-SWIFT 支持该选项",
    "{unsupported} is not supported by Megatron-SWIFT in this version": "此版本的 Megatron-SWIFT 不支持 {unsupported}",
    "Its trainer takes the arguments of `swift rlhf`, but does not do everything that one does.": (
        "它的训练器接受 `swift rlhf` 的参数，但并非都支持。"
    ),
    (
        "Leave the option at its default, or use `swift rlhf`. dataset_shuffle false is possible from 4.2.1, "
        "multi_turn_scheduler from 4.3, log_entropy and top_entropy_quantile from 3.12.1."
    ): (
        "让该选项保持默认值，或使用 `swift rlhf`。dataset_shuffle false 从 4.2.1 起可用，multi_turn_scheduler 从 4.3 起，log_entropy 和"
        " top_entropy_quantile 从 3.12.1 起。"
    ),
    # --- GRPO571 recomputation-is-of-one-kind
    "recompute_method goes with full recomputation": "recompute_method 要配全量重计算",
    "recompute_method {recompute_method} needs recompute_granularity full; it is {recompute_granularity}": (
        "recompute_method {recompute_method} 要求 recompute_granularity 为 full；现在为 {recompute_granularity}"
    ),
    (
        "The method says which whole layers are computed again. Selective recomputation, the default, takes parts "
        "of all layers."
    ): "该方法指明整层重新计算哪些层。默认的选择性重计算则只重算各层的一部分。",
    "Set recompute_granularity to full (and recompute_num_layers), or remove recompute_method.": (
        "将 recompute_granularity 设为 full（并设置 recompute_num_layers），或去掉 recompute_method。"
    ),
    # --- GRPO572 grouped-lengths-are-padded
    "group_by_length goes with padding": "group_by_length 要配填充",
    "group_by_length does not go with padding_free, which is on unless it is turned off": (
        "group_by_length 不能与 padding_free 同用，而后者默认开启"
    ),
    "Sequences of like length are put together to save padding. Without padding there is nothing to save.": (
        "把长度相近的序列放在一起是为了减少填充。没有填充就没有可减少的。"
    ),
    "Remove group_by_length, or set padding_free to false.": "去掉 group_by_length，或将 padding_free 设为 false。",
    # --- GRPO573 overlap-has-sequence-parallel
    "Overlapped tensor-parallel communication has sequence parallelism": "张量并行通信重叠要配序列并行",
    "tp_comm_overlap needs sequence_parallel and more than {tensor_model_parallel_size} tensor-parallel rank": (
        "tp_comm_overlap 要求开启 sequence_parallel，且张量并行大小大于 {tensor_model_parallel_size}"
    ),
    (
        "What overlaps is the exchange of sequence-parallel activations. With one tensor-parallel rank "
        "sequence_parallel is switched off silently."
    ): "重叠的是序列并行的激活值交换。张量并行大小为 1 时，sequence_parallel 会被不作声地关闭。",
    "Set sequence_parallel to true with tensor_model_parallel_size 2 or more, or remove tp_comm_overlap.": (
        "将 sequence_parallel 设为 true，且 tensor_model_parallel_size 为 2 或更大，或去掉 tp_comm_overlap。"
    ),
    # --- GRPO574 estimator-scales-its-rewards
    "The advantage estimator scales rewards in its own way": "优势估计方法按自己的方式缩放奖励",
    "advantage_estimator {advantage_estimator} keeps scale_rewards group here; `swift rlhf` would choose another": (
        "advantage_estimator {advantage_estimator} 在这里仍用 scale_rewards group；`swift rlhf` 会选择另一种"
    ),
    (
        "Before 4.6 the Megatron trainer has the defaults of the grpo estimator for all of them: scale_rewards "
        "group, no KL in the reward. `swift rlhf` takes none for rloo and batch for reinforce_plus_plus, and KL in "
        "the reward for both."
    ): (
        "4.6 之前，Megatron 训练器对所有估计方法都采用 grpo 的默认值：scale_rewards group，KL 不计入奖励。`swift rlhf` 对 rloo 用 none，对"
        " reinforce_plus_plus 用 batch，两者的 KL 都计入奖励。"
    ),
    "Set scale_rewards (none for rloo, batch for reinforce_plus_plus) and kl_in_reward.": (
        "设置 scale_rewards（rloo 用 none，reinforce_plus_plus 用 batch）和 kl_in_reward。"
    ),
    # --- GRPO575 ray-keeps-its-teacher
    "Under Ray the teacher is a model of the run": "使用 Ray 时，教师模型是运行自身的模型",
    "teacher_model_server is not supported with use_ray": "使用 use_ray 时不支持 teacher_model_server",
    "The Ray pipeline places a teacher_model beside the student; it does not ask servers.": (
        "Ray 流水线把 teacher_model 放在学生模型旁边；它不向服务请求。"
    ),
    "Set teacher_model, or run without Ray.": "设置 teacher_model，或不使用 Ray。",
    # --- GRPO576 weight-decay-has-both-ends
    "A weight decay that changes has a start and an end, and a constant one neither": "变化的权重衰减须有起点和终点，恒定的则都不要",
    (
        "start_weight_decay and end_weight_decay go together, and with weight_decay_incr_style linear or cosine; "
        "it is {weight_decay_incr_style}"
    ): (
        "start_weight_decay 与 end_weight_decay 要同时设置，且 weight_decay_incr_style 须为 linear 或 cosine；现在为 "
        "{weight_decay_incr_style}"
    ),
    "A constant decay is weight_decay alone. The refusal is an assertion without a message.": (
        "恒定的权重衰减只用 weight_decay。拒绝时只有一个没有说明文字的断言。"
    ),
    "For a constant decay remove both; otherwise set weight_decay_incr_style to linear or cosine, and both ends.": (
        "要恒定的权重衰减，去掉这两个键；否则将 weight_decay_incr_style 设为 linear 或 cosine，并写明起点和终点。"
    ),
    # --- GRPO577 muon-rates-have-muon
    "Learning rates of Muon are for Muon": "Muon 的学习率只用于 Muon",
    "muon_lr and muon_min_lr need optimizer muon or dist_muon; it is {optimizer}": (
        "muon_lr 和 muon_min_lr 要求 optimizer 为 muon 或 dist_muon；现在为 {optimizer}"
    ),
    "They are the rates of the matrices that Muon updates. Other optimizers have lr and min_lr.": (
        "它们是 Muon 所更新的矩阵的学习率。其他优化器用 lr 和 min_lr。"
    ),
    "Set optimizer to muon or dist_muon, or use lr and min_lr.": "将 optimizer 设为 muon 或 dist_muon，或改用 lr 和 min_lr。",
    # --- GRPO578 muon-does-not-overlap
    "Muon does not overlap its communication": "Muon 不重叠通信",
    "optimizer muon does not go with overlap_grad_reduce or overlap_param_gather": (
        "optimizer muon 不能与 overlap_grad_reduce 或 overlap_param_gather 同用"
    ),
    "Muon needs the whole gradient of a matrix before it updates it; only dist_muon can overlap.": (
        "Muon 更新一个矩阵之前需要它的完整梯度；只有 dist_muon 能重叠通信。"
    ),
    "Set optimizer to dist_muon, or turn the overlap off.": "将 optimizer 设为 dist_muon，或关闭重叠。",
    # --- GRPO579 layout-has-known-layers
    "A pipeline layout is made of known layers": "流水线布局由已知的层组成",
    (
        "pipeline_model_parallel_layout holds {unknown_layers}: a layer is E (embedding), t (transformer), m "
        "(prediction of further tokens) or L (loss)"
    ): "pipeline_model_parallel_layout 含有 {unknown_layers}：层可以是 E（embedding）、t（transformer）、m（预测后续 token）或 L（损失）",
    (
        "The layout says for each stage which layers it holds, such as Et*3|(tt|)*12,L: | ends a stage, x*n stands "
        "for n times x."
    ): "布局写明每个阶段有哪些层，例如 Et*3|(tt|)*12,L：| 结束一个阶段，x*n 表示 n 个 x。",
    "Write the layout with these letters, or remove it for an even one.": "用这些字母书写布局，或去掉它以均匀切分。",
    # --- GRPO580 layout-fits-the-pipeline
    "The stages of a layout divide over the pipeline": "布局的阶段能在流水线上均分",
    (
        "pipeline_model_parallel_layout {pipeline_model_parallel_layout} has a number of stages that "
        "pipeline_model_parallel_size {pipeline_model_parallel_size} does not divide"
    ): (
        "pipeline_model_parallel_layout {pipeline_model_parallel_layout} 的阶段数不能被 pipeline_model_parallel_size "
        "{pipeline_model_parallel_size} 整除"
    ),
    "Every pipeline rank holds equally many stages.": "每个流水线 rank 持有同样多的阶段。",
    "Write as many stages as pipeline_model_parallel_size, or a multiple of it.": (
        "写出与 pipeline_model_parallel_size 相同或为其整数倍的阶段数。"
    ),
    # --- GRPO581 attention-backend-is-known
    "attention_backend is one that Megatron-Core knows": "attention_backend 是 Megatron-Core 支持的",
    "attention_backend {attention_backend} is not among {known_backends}": (
        "attention_backend {attention_backend} 不在 {known_backends} 之中"
    ),
    "The parser takes any text here; the arguments look it up.": "解析器在这里接受任何文本；参数类再去查找它。",
    "Write flash (the default), fused, unfused, local or auto.": "写 flash（默认）、fused、unfused、local 或 auto。",
    # --- GRPO582 unpadded-layers-see-whole-sequences
    "mlp_padding_free goes with whole sequences": "mlp_padding_free 要配完整的序列",
    "mlp_padding_free does not go with {parts_sequences}": "mlp_padding_free 不能与 {parts_sequences} 同用",
    "The padding is taken out before the feed-forward layers. That takes whole sequences on every rank.": (
        "填充在前馈层之前去除，这要求每个 rank 上都是完整的序列。"
    ),
    "Turn mlp_padding_free off, or the other option.": "关闭 mlp_padding_free，或关闭另一个选项。",
    # --- GRPO583 lora-llm-is-merged
    "tuner_type lora_llm has what it needs": "tuner_type lora_llm 的前提都满足",
    "tuner_type lora_llm does not go with {lora_llm_lacks} as it is here": (
        "tuner_type lora_llm 不能与此处的 {lora_llm_lacks} 同用"
    ),
    (
        "Adapters of the language part and full training of the vision part are saved as one merged model, without "
        "the state of the optimizer; and there has to be a vision part."
    ): "语言部分的适配器与全量训练的视觉部分会合并保存为一个模型，不保存优化器状态；而且必须有视觉部分。",
    "Set merge_lora and no_save_optim to true, or tuner_type to lora.": (
        "将 merge_lora 和 no_save_optim 设为 true，或将 tuner_type 设为 lora。"
    ),
    # --- GRPO584 megatron-bridge-trains-in-full
    "The bridge of Megatron trains whole language models": "Megatron 的 bridge 只训练完整的语言模型",
    "bridge_backend megatron-bridge is for tuner_type full and task_type causal_lm": (
        "bridge_backend megatron-bridge 仅用于 tuner_type full 和 task_type causal_lm"
    ),
    "Adapters and other tasks are only known to mcore-bridge, the default.": "适配器和其他任务只有默认的 mcore-bridge 支持。",
    "Set bridge_backend to mcore-bridge, or tuner_type to full.": (
        "将 bridge_backend 设为 mcore-bridge，或将 tuner_type 设为 full。"
    ),
    # --- GRPO585 megatron-fsdp-has-its-optimizer
    "Megatron-FSDP has an optimizer that it knows": "Megatron-FSDP 的优化器是它支持的",
    "use_megatron_fsdp does not go with optimizer {optimizer}": "use_megatron_fsdp 不能与 optimizer {optimizer} 同用",
    "It shards the state of adam and sgd only.": "它只切分 adam 和 sgd 的状态。",
    "Set optimizer to adam, or use_megatron_fsdp to false.": "将 optimizer 设为 adam，或将 use_megatron_fsdp 设为 false。",
    # --- GRPO586 reference-has-one-chunk
    "With a KL term every rank holds one chunk of the model": "有 KL 项时，每个 rank 只持有模型的一个分块",
    (
        "{reference_chunks} virtual stages with beta {kl_weight}: the reference model of Megatron-SWIFT cannot be "
        "interleaved"
    ): "{reference_chunks} 个虚拟阶段，beta 为 {kl_weight}：Megatron-SWIFT 的参考模型不能交错",
    (
        "The log-probabilities of the reference model are computed on one chunk per rank. Nothing checks that "
        "before the first step."
    ): "参考模型的对数概率按每个 rank 一个分块计算。第一步之前没有谁检查。",
    "Hold one virtual stage on each rank, or set beta to 0.": "每个 rank 只用一个虚拟阶段，或将 beta 设为 0。",
    # --- GRPO587 streams-have-iterations
    "A run on a stream says how many iterations it takes": "流式数据的运行要写明迭代次数",
    "the data set is streamed, but train_iters is not set": "数据集是流式的，但没有设置 train_iters",
    "Set train_iters.": "设置 train_iters。",
    # --- GRPO588 soft-overlong-begins-within-the-completion
    "The penalty of soft_overlong begins within the completion": "soft_overlong 的惩罚在补全之内开始",
    (
        "soft_cache_length is {soft_cache_length}, no less than the {soft_length} tokens{soft_length.how} before "
        "whose end the penalty begins"
    ): "soft_cache_length 为 {soft_cache_length}，不小于 {soft_length} 个 token{soft_length.how}，而惩罚要在其结束之前开始",
    (
        "The penalty grows over the last soft_cache_length tokens of soft_max_length, which is "
        "max_completion_length unless it is set."
    ): "惩罚在 soft_max_length 的最后 soft_cache_length 个 token 内增长；soft_max_length 不设置时等于 max_completion_length。",
    "Set soft_cache_length to a part of max_completion_length, a fifth for example.": (
        "将 soft_cache_length 设为 max_completion_length 的一部分，例如五分之一。"
    ),
    # --- GRPO589 soft-overlong-has-tokens-to-grow-over
    "soft_cache_length is not 0": "soft_cache_length 不为 0",
    "soft_cache_length is {soft_cache_length}, and the soft_overlong reward divides by it": (
        "soft_cache_length 为 {soft_cache_length}，而 soft_overlong 奖励要除以它"
    ),
    "The penalty grows over this number of tokens.": "惩罚在这么多个 token 内增长。",
    # --- GRPO590 reward-models-have-plugins
    "There is one plugin for each reward model": "每个奖励模型对应一个插件",
    "{reward_model_plugin.count} reward_model_plugin for {reward_model.count} reward models": (
        "有 {reward_model_plugin.count} 个 reward_model_plugin，却有 {reward_model.count} 个奖励模型"
    ),
    "The plugins belong to the reward models in their order. Without any, all use the default.": (
        "插件按顺序对应奖励模型。都不写时，全部使用默认插件。"
    ),
    "Name one plugin per reward model, default for those without one of their own.": "为每个奖励模型写一个插件，没有专用插件的写 default。",
    # --- GRPO591 run-has-iterations
    "A run says how long it is": "运行写明了它的长度",
    "neither {epochs_key} nor train_iters is set: the run has no length": "{epochs_key} 和 train_iters 都没有设置：运行没有长度",
    "Neither has a default. The run starts, loads the model, and dies when it counts its iterations.": (
        "两者都没有默认值。运行会启动、加载模型，然后在计算迭代次数时中断。"
    ),
    "Set the number of epochs, or train_iters.": "设置 epoch 数或 train_iters。",
    # --- GRPO592 routers-are-recorded
    "router_replay_mode R3 has an engine that records its routers": "router_replay_mode R3 要有能记录路由的引擎",
    "router_replay_mode R3 needs vLLM 0.14.0 or newer; {vllm} is installed": (
        "router_replay_mode R3 需要 vLLM 0.14.0 或更高版本；安装的是 {vllm}"
    ),
    "R3 trains with the experts that the engine chose for each token. Older engines do not tell them.": (
        "R3 用引擎为每个 token 选择的专家来训练。旧版引擎不提供这一信息。"
    ),
    "Install a newer vLLM, or set router_replay_mode to R2, which records the routers of the trainer.": (
        "安装更新的 vLLM，或将 router_replay_mode 设为 R2，它记录训练器的路由。"
    ),
    # --- GRPO593 reward-model-plugins-are-registered
    "Every plugin of a reward model is registered": "奖励模型的插件都已注册",
    "reward_model_plugin {unknown_plugins} is none of {registered_plugins}, and no external_plugins are loaded": (
        "reward_model_plugin {unknown_plugins} 不在 {registered_plugins} 之中，也没有加载 external_plugins"
    ),
    (
        "A plugin says how a reward model rewards. ms-swift has two: default for classifiers, genrm for models "
        "that write their judgement."
    ): "插件决定奖励模型如何给出奖励。ms-swift 自带两个：default 用于分类器，genrm 用于以文字作出评判的模型。",
    "Correct the name, or load the file that registers it with external_plugins.": "改正名称，或用 external_plugins 加载注册它的文件。",
    # --- GRPO594 sequence-parallel-divides-world
    "sequence_parallel_size divides the number of processes": "sequence_parallel_size 能整除进程数",
    "sequence_parallel_size {sequence_parallel_size} does not divide {world_size} processes": (
        "sequence_parallel_size {sequence_parallel_size} 不能整除 {world_size} 个进程"
    ),
    (
        "The processes of a sequence-parallel group hold the parts of one sequence; what is left over has no "
        "group. The size of an update stays: the groups take fewer batches at once, and the trainer accumulates as "
        "many more."
    ): "序列并行组的各进程持有同一条序列的各部分；多出来的进程没有组。一次更新的大小不变：各组同时取的批次变少，训练器就相应地多累积几次。",
    "Set sequence_parallel_size to a divisor of the number of processes.": "将 sequence_parallel_size 设为进程数的约数。",
    # --- GRPO595 rings-have-no-padding
    "Ring attention goes without padding": "环形注意力不能有填充",
    (
        "sequence_parallel_size {sequence_parallel_size} does not divide the {model_kv_heads} key-value heads of "
        "{model}: rings of processes take the rest, and need padding_free"
    ): (
        "sequence_parallel_size {sequence_parallel_size} 不能整除 {model} 的 {model_kv_heads} 个 KV 头：余下的由进程环承担，需要 "
        "padding_free"
    ),
    (
        "A sequence is spread over heads as far as the key-value heads go, and over rings of processes beyond. "
        "Rings know no padding."
    ): "序列先按 KV 头切分，超出的部分由进程环承担。环不支持填充。",
    "Set padding_free to true, or sequence_parallel_size to a divisor of the key-value heads.": (
        "将 padding_free 设为 true，或将 sequence_parallel_size 设为 KV 头数的约数。"
    ),
    # --- GRPO599 settings-have-an-effect
    "Every setting has an effect": "每个设置都起作用",
    "without effect here: {settings}": "在此不起作用：{settings:parts}",
    "Nobody refuses a setting that is not looked at. The run does not do what a reader of the file expects.": (
        "没有谁会拒绝一个不会被读取的设置。运行的实际行为与读者从文件中看到的不一致。"
    ),
    "Remove the setting, or set what it belongs to.": "去掉该设置，或设置它所依附的选项。",
    (
        "Nobody: ms-swift, Megatron-SWIFT and TRL do not look at the setting. grpo-lint says so in a finding of "
        "severity info."
    ): "没有谁会拒绝：ms-swift、Megatron-SWIFT 和 TRL 都不读取该设置。grpo-lint 以“提示”级别报告。",
}
