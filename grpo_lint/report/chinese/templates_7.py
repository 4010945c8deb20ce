"""Texts of the rules GRPO7xx: {English: Chinese}."""

TEMPLATES = {
    # --- GRPO701 appended-key-is-new
    "A key that is appended is not there yet": "用加号添加的键原本不存在",
    "{key} appends a key that {title} {version} has: {consequence}": (
        "{key} 添加的键在 {title} {version} 中已经存在：{consequence:text}"
    ),
    (
        "In Hydra's grammar +key=value adds a key, and refuses one that is there. What had to be added for an "
        "older release is often part of the tree of a later one."
    ): "在 Hydra 的语法中，+key=value 添加一个键，键已存在时则拒绝。在旧版本中需要添加的键，到后来的版本往往已在配置树中。",
    "Write the key without a plus sign; two of them set a key whether it is there or not.": (
        "写键时不加加号；加两个加号则不管键是否存在都会设置。"
    ),
    # --- GRPO702 appended-key-is-a-field
    "A key that is appended to a section of fixed fields is one of them": "添加到固定字段的分区中的键是其中的字段",
    "{key} appends {field} to {section}, which has no such field in {title} {version}: {consequence}": (
        "{key} 把 {field} 添加到 {section}，但 {title} {version} 的该分区没有这个字段：{consequence:text}"
    ),
    "Since 0.6 verl makes a dataclass of such a section. Hydra takes the key, and the dataclass refuses it later.": (
        "从 0.6 起，verl 把这样的分区做成 dataclass。Hydra 接受此键，但 dataclass 稍后会拒绝。"
    ),
    (
        "the dataclass of the section, since 0.6: for the actor when the config is checked, for the rollout when "
        "its workers start"
    ): "从 0.6 起由该分区的 dataclass 拒绝：actor 在检查配置时，rollout 在其 worker 启动时",
    # --- GRPO703 field-outside-the-tree-is-appended
    "A field that the tree does not list is appended": "配置树中没有列出的字段要用加号添加",
    "{key} is a field of {title} {version} that its tree does not list: {consequence}; write +{key}": (
        "{key} 是 {title} {version} 的字段，但其配置树没有列出：{consequence:text}；应写作 +{key}"
    ),
    "Hydra sets only what its tree of files lists; other fields of the dataclass behind it have to be added.": (
        "Hydra 只设置其文件树列出的键；背后的 dataclass 的其他字段须用加号添加。"
    ),
    "Put a plus sign in front of the key.": "在键前加一个加号。",
    "Hydra, when the command line is read; since 0.6": "从 0.6 起由 Hydra 在读取命令行时拒绝",
    # --- GRPO704 override-can-be-read
    "An override follows the grammar of Hydra": "覆盖参数符合 Hydra 的语法",
    "{key} cannot be read: {problem}{hint}": "无法读取 {key}：{problem}{hint:text}",
    (
        "Hydra parses each argument before anything else happens. A value with an equals sign, a comma or a "
        "bracket needs quotes that reach Hydra: in a shell, quotes inside of quotes."
    ): "Hydra 在做任何事之前先解析每个参数。含有等号、逗号或括号的值需要能传到 Hydra 的引号：在 shell 中就是引号里再加引号。",
    "Put quotes around the value, as in 'key=\"a=b\"', and brackets around a list.": "给值加上引号，例如 'key=\"a=b\"'；列表要写方括号。",
    "Hydra, in every version, when the command line is read.": "由 Hydra 在读取命令行时拒绝；所有版本都如此。",
    # --- GRPO705 truth-value-is-no-text
    "A switch is true or false": "开关为 true 或 false",
    "{key} is the text {value}, which counts as true": "{key} 是文本 {value}，会被当作 true",
    (
        "Hydra reads only true and false as truth values. Any other word, no and off as well, is a text, and a "
        "text that is not empty is true for Python."
    ): "Hydra 只把 true 和 false 读作布尔值。其他任何词（包括 no 和 off）都是文本，而非空的文本在 Python 中为真。",
    "Write true or false.": "写 true 或 false。",
    "Nobody.": "没有谁会拒绝。",
    # --- GRPO745 separate-trainer-is-told-so
    "A trainer that generates on GPUs of its own is given what it asks for": "在专用 GPU 上生成的训练器得到它所要求的设置",
    "{program} asks for {key}={wanted}, and it is {given}": "{program} 要求 {key}={wanted}，而这里是 {given}",
    "{program} asks for {key}={wanted}; nothing is written, which means {given}": (
        "{program} 要求 {key}={wanted}；这里没有写，即为 {given}"
    ),
    "fully_async_policy and one_step_off_policy generate on other GPUs than they train on. They build on the settings of the "
    "usual trainer, whose defaults they refuse: a fully asynchronous run takes single prompts, and has no batch of a rollout.": (
        "fully_async_policy 和 one_step_off_policy 的生成与训练使用不同的 GPU。它们建立在普通训练器的设置之上，却拒绝其默认值："
        "完全异步的训练逐条取提示，没有 rollout 批次。"
    ),
    "verl, whenever it has these trainers, with an assertion while the trainer is made, after Ray has started.": (
        "verl：凡有这些训练器的版本，都在 Ray 启动之后、构造训练器时以断言拒绝。"
    ),
    "Write the setting out as it is asked for.": "按要求写出该设置。",
    # --- GRPO790 program-is-known
    "The program that trains is one whose arithmetic is known": "训练所用的程序，其计算方式是已知的",
    "{program} is none of the programs that are known: only how its settings are written is judged": (
        "{program} 不是已知的程序：只检查设置的写法"
    ),
    "{program} trains in a way of its own: its keys are judged, and what is known of its batches and its workers": (
        "{program} 以自己的方式训练：检查它的键，以及其批次和 worker 中已知的部分"
    ),
    "{program} is no program of {title}, and starts from its settings: their keys are judged, and no batches": (
        "{program} 不是 {title} 的程序，但以其设置为起点：检查这些键，不检查批次"
    ),
    "{keys} {are} of no release of {title}, so that a fork of it reads this: keys are not judged, and nothing is an error": (
        "{keys} 不属于 {title} 的任何版本，因此读取它的是某个分支版本：不检查键，也不报告错误"
    ),
    "Recipes, forks and projects have programs of their own that are given the settings of verl, add some, and train in another "
    "way. What surely holds in such a program is judged; of the rest nothing is said, whatever it is.": (
        "recipe、分支版本和各个项目都有自己的程序：它们使用 verl 的设置，再加上一些自己的，并以另一种方式训练。"
        "这类程序中确定成立的部分会被检查，其余部分不作任何判断。"
    ),
    "Nobody: this says what is judged of a run, and what is not.": "没有谁会拒绝：这里说明一次运行中检查了什么、没有检查什么。",
    "Where the program hands its settings to verl's own trainer and does nothing else, say so with a comment: # grpo-lint: dialect=verl": (
        "如果该程序只是把设置交给 verl 自己的训练器而不做其他事情，请用注释说明：# grpo-lint: dialect=verl"
    ),
    # --- GRPO791 generation-keeps-its-log-probs
    "Generation that is separate from training keeps the log-probabilities of its tokens": (
        "与训练分开的生成会保留其 token 的对数概率"
    ),
    "rollout.calculate_log_probs is off, and a fully asynchronous run trains on the log-probabilities of generation": (
        "rollout.calculate_log_probs 未开启，而完全异步的训练要用到生成时的对数概率"
    ),
    "Tokens that an older model has generated are weighed by the probabilities under which they were drawn, which only the engine "
    "knows. Up to 0.7.0 the files of fully_async_policy leave the setting off.": (
        "由较旧的模型生成的 token 要按当时抽样的概率加权，而只有推理引擎知道这些概率。直到 0.7.0，fully_async_policy 的文件都没有开启此设置。"
    ),
    "Set actor_rollout_ref.rollout.calculate_log_probs to True.": "将 actor_rollout_ref.rollout.calculate_log_probs 设为 True。",
    # --- GRPO710 batch-divides-over-gpus
    "The completions of a rollout divide over the GPUs": "一次 rollout 的补全能在各 GPU 之间均分",
    (
        "train_batch_size {train_batch_size} x n {rollout_n} completions do not divide by "
        "{smallest_batch}{smallest_batch.how}"
    ): "train_batch_size {train_batch_size} x n {rollout_n} 条补全不能被 {smallest_batch} 整除{smallest_batch.how}",
    (
        "Every rank gets the same number of completions. The limit is the number of GPUs; with Megatron it is the "
        "number of data-parallel ranks times the micro batch."
    ): "每个 rank 分到同样多的补全。除数是 GPU 数；使用 Megatron 时，是数据并行大小乘以微批次。",
    "Choose data.train_batch_size (in prompts) so that its product with rollout.n is a multiple of the GPUs.": (
        "选择 data.train_batch_size（以提示计），使它与 rollout.n 的乘积是 GPU 数的整数倍。"
    ),
    # --- GRPO711 megatron-has-a-micro-batch
    "Megatron is given a micro batch per GPU": "使用 Megatron 时须写明每卡的微批次",
    "actor.ppo_micro_batch_size_per_gpu is not set, and with Megatron verl computes with it first": (
        "没有设置 actor.ppo_micro_batch_size_per_gpu，而使用 Megatron 时 verl 首先要用它计算"
    ),
    "The check of the batch multiplies the data-parallel ranks by this size, and dies on null with a TypeError.": (
        "检查批次时要用数据并行大小乘以它；它为 null 时会因 TypeError 中断。"
    ),
    "Set actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu.": (
        "设置 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu。"
    ),
    # --- GRPO712 megatron-ranks-divide-gpus
    "Tensor x pipeline x context parallel divides the GPUs": "张量并行 x 流水线并行 x 上下文并行能整除 GPU 数",
    "Every replica of the model takes tensor x pipeline x context parallel GPUs; what is left over has no place.": (
        "每个模型副本占用“张量并行 x 流水线并行 x 上下文并行”个 GPU；多出来的没有位置。"
    ),
    "Change the parallel sizes of actor.megatron, or n_gpus_per_node and nnodes of the trainer.": (
        "修改 actor.megatron 的各并行大小，或 trainer 的 n_gpus_per_node 和 nnodes。"
    ),
    # --- GRPO713 rollout-holds-an-update
    "A rollout holds the prompts of one update": "一次 rollout 的提示够一次更新使用",
    (
        "data.train_batch_size {train_batch_size} is smaller than actor.ppo_mini_batch_size {ppo_mini_batch_size}: "
        "both count prompts"
    ): "data.train_batch_size {train_batch_size} 小于 actor.ppo_mini_batch_size {ppo_mini_batch_size}：两者都以提示计",
    "An update takes ppo_mini_batch_size prompts out of a rollout of train_batch_size.": (
        "一次更新从 train_batch_size 个提示的 rollout 中取 ppo_mini_batch_size 个。"
    ),
    "Lower actor.ppo_mini_batch_size to train_batch_size or less, or raise train_batch_size.": (
        "将 actor.ppo_mini_batch_size 减小到不超过 train_batch_size，或增大 train_batch_size。"
    ),
    # --- GRPO714 rollout-holds-a-critic-update
    "A rollout holds the prompts of one update of the critic": "一次 rollout 的提示够 critic 的一次更新使用",
    "data.train_batch_size {train_batch_size} is smaller than critic.ppo_mini_batch_size {critic_mini}": (
        "data.train_batch_size {train_batch_size} 小于 critic.ppo_mini_batch_size {critic_mini}"
    ),
    "An update of the critic takes its ppo_mini_batch_size out of a rollout of train_batch_size.": (
        "critic 的一次更新从 train_batch_size 个提示的 rollout 中取它的 ppo_mini_batch_size 个。"
    ),
    "Lower critic.ppo_mini_batch_size; it follows actor.ppo_mini_batch_size unless it is set.": (
        "减小 critic.ppo_mini_batch_size；不设置时它沿用 actor.ppo_mini_batch_size。"
    ),
    # --- GRPO715 micro-batches-are-given
    "Every worker is given a micro batch": "每个 worker 都写明了微批次",
    (
        "no micro batch is set for: {sections_without_micro}(a key that ends in micro_batch_size_per_gpu is needed "
        "in each)"
    ): "没有设置微批次的分区：{sections_without_micro:list}（每个都需要一个以 micro_batch_size_per_gpu 结尾的键）",
    (
        "Without dynamic batches every forward and backward pass takes a fixed number of completions on a GPU, and "
        "verl has no default for it."
    ): "不使用动态批次时，每次前向和反向在一张 GPU 上取固定数量的补全，verl 没有它的默认值。",
    (
        "Set actor.ppo_micro_batch_size_per_gpu, rollout.log_prob_micro_batch_size_per_gpu and, with a KL term, "
        "ref.log_prob_micro_batch_size_per_gpu; or turn actor.use_dynamic_bsz on."
    ): (
        "设置 actor.ppo_micro_batch_size_per_gpu、rollout.log_prob_micro_batch_size_per_gpu，有 KL 项时还有 "
        "ref.log_prob_micro_batch_size_per_gpu；或开启 actor.use_dynamic_bsz。"
    ),
    # --- GRPO716 micro-batches-are-given-once
    "A micro batch is given per GPU or for all GPUs": "微批次按每卡给出，或按所有 GPU 合计给出",
    (
        "the micro batch is set twice, per GPU and for all GPUs, for: {sections_with_two_micros}(the key without "
        "_per_gpu is the deprecated one)"
    ): "微批次设置了两次（每卡和所有 GPU 合计）的分区：{sections_with_two_micros:list}（不带 _per_gpu 的键已弃用）",
    (
        "The two keys say the same thing in two units. In critic the key per GPU follows the other one since 0.5, "
        "so that the other one alone is refused as well."
    ): "两个键以两种单位表示同一件事。从 0.5 起，critic 的每卡键沿用另一个键，因此只写后者也会被拒绝。",
    "Keep the key that ends in _per_gpu.": "保留以 _per_gpu 结尾的键。",
    # --- GRPO717 global-micro-batch-fits
    "The micro batch for all GPUs divides an update and reaches all GPUs": "所有 GPU 合计的微批次能整除一次更新，并且每个 GPU 都能分到",
    (
        "actor.ppo_micro_batch_size {actor_micro_global} has to divide ppo_mini_batch_size {ppo_mini_batch_size} "
        "and be at least the number of GPUs, {world_size}"
    ): (
        "actor.ppo_micro_batch_size {actor_micro_global} 必须能整除 ppo_mini_batch_size {ppo_mini_batch_size}，且不小于 GPU 数"
        " {world_size}"
    ),
    "This deprecated key counts completions over all GPUs; each needs at least one.": (
        "这个已弃用的键是所有 GPU 合计的补全数；每个 GPU 至少需要一条。"
    ),
    "Set actor.ppo_micro_batch_size_per_gpu in its place.": "改为设置 actor.ppo_micro_batch_size_per_gpu。",
    # --- GRPO718 sequence-parallel-removes-padding
    "Sequence parallelism goes with use_remove_padding": "序列并行要配 use_remove_padding",
    "ulysses_sequence_parallel_size {actor_sequence_parallel} needs actor_rollout_ref.model.use_remove_padding": (
        "ulysses_sequence_parallel_size {actor_sequence_parallel} 需要开启 actor_rollout_ref.model.use_remove_padding"
    ),
    "Sequences are split over GPUs after their padding is taken out.": "先去除填充，再把序列切分到各 GPU。",
    "Set actor_rollout_ref.model.use_remove_padding to true.": "将 actor_rollout_ref.model.use_remove_padding 设为 true。",
    # --- GRPO719 loss-aggregation-is-known
    "loss_agg_mode is one that verl knows": "loss_agg_mode 是 verl 支持的",
    "actor.loss_agg_mode is {loss_agg_mode}, which is none of {loss_aggregations}": (
        "actor.loss_agg_mode 为 {loss_agg_mode}，不是 {loss_aggregations} 之一"
    ),
    "The loss is a mean over tokens or over sequences; verl looks the name up in a list.": (
        "损失是对 token 或对序列的平均；verl 在列表中查找这个名称。"
    ),
    "Use token-mean, or another one of the list.": "使用 token-mean，或列表中的其他取值。",
    # --- GRPO720 validation-samples-at-a-temperature
    "Validation that samples has a temperature": "验证时采样须有温度",
    "val_kwargs.do_sample is on, and rollout.temperature is {rollout_temperature}": (
        "开启了 val_kwargs.do_sample，而 rollout.temperature 为 {rollout_temperature}"
    ),
    "verl looks at the temperature of the rollout, not at that of the validation.": "verl 检查的是 rollout 的温度，而不是验证的温度。",
    "Set actor_rollout_ref.rollout.temperature to more than 0, or val_kwargs.do_sample to false.": (
        "将 actor_rollout_ref.rollout.temperature 设为大于 0，或将 val_kwargs.do_sample 设为 false。"
    ),
    # --- GRPO721 lora-rank-fits-the-engine
    "The rank of LoRA is one that vLLM takes": "LoRA 的秩是 vLLM 支持的",
    "lora_rank {lora_rank} is more than vLLM takes (512)": "lora_rank {lora_rank} 超过 vLLM 支持的上限（512）",
    "The engine keeps adapters in buffers of fixed sizes, the largest of which is 512.": "引擎把适配器放在固定大小的缓冲区中，最大为 512。",
    "Lower actor_rollout_ref.model.lora_rank.": "减小 actor_rollout_ref.model.lora_rank。",
    # --- GRPO722 advantage-estimator-is-known
    "The advantage estimator is one of a list": "优势估计方法是列表中的一项",
    "algorithm.adv_estimator is {adv_estimator}, which is none of {estimators}": (
        "algorithm.adv_estimator 为 {adv_estimator}，不是 {estimators} 之一"
    ),
    (
        "Since 0.6 the name is looked up in the first training step only, after all models are loaded and a "
        "rollout is made."
    ): "从 0.6 起，到第一个训练步才查找这个名称，那时所有模型都已加载，rollout 也已完成。",
    "Use one of the list; one of your own has to be registered by code that the workers import.": (
        "使用列表中的取值；自定义的方法须由 worker 会导入的代码注册。"
    ),
    # --- GRPO723 critic-has-the-strategy-of-the-actor
    "Actor and critic are trained by the same engine": "actor 与 critic 用同一种引擎训练",
    "actor.strategy is {strategy} and critic.strategy {critic_strategy}": (
        "actor.strategy 为 {strategy}，而 critic.strategy 为 {critic_strategy}"
    ),
    "One kind of workers is started for both, also where no critic is trained.": "两者启动的是同一种 worker，不训练 critic 时也是如此。",
    "Give both the same strategy.": "让两者的 strategy 相同。",
    # --- GRPO724 tools-have-a-config
    "Several turns have tools": "多轮须有工具",
    "rollout.multi_turn is on without a tool_config_path": "开启了 rollout.multi_turn，却没有 tool_config_path",
    "These versions play several turns only with tools.": "这些版本只支持带工具的多轮。",
    "Set actor_rollout_ref.rollout.multi_turn.tool_config_path.": (
        "设置 actor_rollout_ref.rollout.multi_turn.tool_config_path。"
    ),
    # --- GRPO725 tools-are-for-grpo
    "Several turns are trained with GRPO": "多轮用 GRPO 训练",
    "rollout.multi_turn is on, and algorithm.adv_estimator is {adv_estimator}, not grpo": (
        "开启了 rollout.multi_turn，而 algorithm.adv_estimator 为 {adv_estimator}，不是 grpo"
    ),
    "These versions refuse what they have not tested.": "这些版本拒绝未经测试的组合。",
    "Set algorithm.adv_estimator to grpo.": "将 algorithm.adv_estimator 设为 grpo。",
    # --- GRPO726 global-critic-micro-batch-fits
    "The micro batch of the critic for all GPUs divides its update and reaches all GPUs": (
        "critic 所有 GPU 合计的微批次能整除其更新，并且每个 GPU 都能分到"
    ),
    (
        "critic.ppo_micro_batch_size {critic_micro_global} has to divide critic.ppo_mini_batch_size {critic_mini} "
        "and be at least the number of GPUs, {world_size}"
    ): (
        "critic.ppo_micro_batch_size {critic_micro_global} 必须能整除 critic.ppo_mini_batch_size {critic_mini}，且不小于 GPU "
        "数 {world_size}"
    ),
    "Set critic.ppo_micro_batch_size_per_gpu in its place.": "改为设置 critic.ppo_micro_batch_size_per_gpu。",
    # --- GRPO730 rank-has-an-update
    "An update gives every rank a completion": "一次更新中每个 rank 至少分到一条补全",
    (
        "an update of {ppo_mini_batch_size} prompts x n {rollout_n} completions does not reach all {dp_size} "
        "data-parallel ranks{dp_size.how}"
    ): "一次更新有 {ppo_mini_batch_size} 个提示 x n {rollout_n} 条补全，不够分给全部 {dp_size} 个数据并行 rank{dp_size.how}",
    "The mini batch is divided by the ranks and rounded down, and nothing is left.": (
        "mini batch 除以 rank 数并向下取整，结果什么也不剩。"
    ),
    "Raise actor.ppo_mini_batch_size, or spread the model over more GPUs.": (
        "增大 actor.ppo_mini_batch_size，或把模型分布到更多的 GPU 上。"
    ),
    # --- GRPO731 rank-update-holds-whole-micro-batches
    "The part of a rank in an update is a whole number of micro batches": "一次更新中每个 rank 的部分包含整数个微批次",
    (
        "an update gives each of {dp_size} ranks {update_per_rank} completions{update_per_rank.how}, which is no "
        "multiple of the micro batch {normal_micro}"
    ): "一次更新中，{dp_size} 个 rank 各分到 {update_per_rank} 条补全{update_per_rank.how}，不是微批次 {normal_micro} 的整数倍",
    (
        "ppo_mini_batch_size counts prompts over all GPUs, and ppo_micro_batch_size_per_gpu completions on one. "
        "verl checks this with a bare assertion or names none of the keys."
    ): "ppo_mini_batch_size 是所有 GPU 合计的提示数，ppo_micro_batch_size_per_gpu 则是单卡的补全数。verl 用没有说明文字的断言来检查，或者报错中没有键名。",
    "Choose actor.ppo_micro_batch_size_per_gpu as a divisor of ppo_mini_batch_size x n / data-parallel ranks.": (
        "将 actor.ppo_micro_batch_size_per_gpu 设为“ppo_mini_batch_size x n / 数据并行大小”的约数。"
    ),
    # --- GRPO732 critic-update-holds-whole-micro-batches
    "The part of a rank in an update of the critic is a whole number of micro batches": (
        "critic 的一次更新中每个 rank 的部分包含整数个微批次"
    ),
    (
        "an update of the critic gives a rank {critic_rows_per_rank} completions, which is no positive multiple of "
        "its micro batch {critic_normal_micro}"
    ): "critic 的一次更新中，每个 rank 分到 {critic_rows_per_rank} 条补全，不是其微批次 {critic_normal_micro} 的正整数倍",
    "The critic divides its mini batch by its own ranks, rounds down, and then wants whole micro batches.": (
        "critic 把它的 mini batch 除以自己的 rank 数并向下取整，然后要求包含整数个微批次。"
    ),
    "Choose critic.ppo_micro_batch_size_per_gpu as a divisor.": "将 critic.ppo_micro_batch_size_per_gpu 设为约数。",
    # --- GRPO733 engines-divide-gpus
    "The engines that generate divide the GPUs": "用于生成的引擎能均分 GPU",
    "{world_size} processes do not divide into engines of {engine_size}{engine_size.how}": (
        "{world_size} 个进程不能划分为大小为 {engine_size} 的引擎{engine_size.how}"
    ),
    (
        "Generation runs on the GPUs of training, in engines of equal size. rollout.tensor_model_parallel_size is "
        "2 unless it is set, which breaks a run on one GPU."
    ): "生成在训练所用的 GPU 上进行，各引擎大小相同。rollout.tensor_model_parallel_size 不设置时为 2，单卡运行会因此失败。",
    "Set actor_rollout_ref.rollout.tensor_model_parallel_size to a divisor of the GPUs; 1 always works.": (
        "将 actor_rollout_ref.rollout.tensor_model_parallel_size 设为 GPU 数的约数；1 总是可行的。"
    ),
    # --- GRPO734 dynamic-batches-agree
    "Actor and rollout both have dynamic batches, or none has": "actor 与 rollout 要么都用动态批次，要么都不用",
    "actor.use_dynamic_bsz is {dynamic}, and rollout.log_prob_use_dynamic_bsz {rollout_dynamic}": (
        "actor.use_dynamic_bsz 为 {dynamic}，而 rollout.log_prob_use_dynamic_bsz 为 {rollout_dynamic}"
    ),
    (
        "One worker computes both. rollout.log_prob_use_dynamic_bsz follows the actor's key unless it is set. verl "
        "checks this with a bare assertion or names none of the keys."
    ): "两者由同一个 worker 计算。rollout.log_prob_use_dynamic_bsz 不设置时沿用 actor 的键。verl 用没有说明文字的断言来检查，或者报错中没有键名。",
    "Leave rollout.log_prob_use_dynamic_bsz out.": "不写 rollout.log_prob_use_dynamic_bsz。",
    # --- GRPO735 micro-batches-are-per-gpu
    "Micro batches are given per GPU": "微批次按每卡给出",
    (
        "only the deprecated micro batch for all GPUs is set: the workers read ppo_micro_batch_size_per_gpu and "
        "log_prob_micro_batch_size_per_gpu"
    ): "只设置了已弃用的、所有 GPU 合计的微批次：worker 读取的是 ppo_micro_batch_size_per_gpu 和 log_prob_micro_batch_size_per_gpu",
    (
        "These keys were converted up to 0.7. Since 0.8 they pass the first checks, and the workers do not read "
        "them. verl checks this with a bare assertion or names none of the keys."
    ): "这些键在 0.7 及之前会被转换。从 0.8 起，它们能通过最初的检查，但 worker 不读取。verl 用没有说明文字的断言来检查，或者报错中没有键名。",
    "Set the keys that end in _per_gpu.": "设置以 _per_gpu 结尾的键。",
    # --- GRPO736 reference-micro-batch-is-per-gpu
    "The micro batch of the reference model is given per GPU": "参考模型的微批次按每卡给出",
    "only the deprecated ref.log_prob_micro_batch_size is set: the worker reads log_prob_micro_batch_size_per_gpu": (
        "只设置了已弃用的 ref.log_prob_micro_batch_size：worker 读取的是 log_prob_micro_batch_size_per_gpu"
    ),
    (
        "This key was converted up to 0.7. Since 0.8 it passes the first checks, and the worker does not read it. "
        "verl checks this with a bare assertion or names none of the keys."
    ): "此键在 0.7 及之前会被转换。从 0.8 起，它能通过最初的检查，但 worker 不读取。verl 用没有说明文字的断言来检查，或者报错中没有键名。",
    "Set actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu.": (
        "设置 actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu。"
    ),
    # --- GRPO737 rollout-is-asynchronous
    "The rollout is asynchronous": "rollout 是异步的",
    "rollout.mode sync is gone since 0.7.0": "rollout.mode sync 从 0.7.0 起已取消",
    "The engines are servers now, and async has become the default.": "引擎现在是服务，async 已成为默认值。",
    "Remove actor_rollout_ref.rollout.mode, or set it to async.": "去掉 actor_rollout_ref.rollout.mode，或设为 async。",
    # --- GRPO738 engine-spreads-its-experts
    "Experts of an engine are spread over all of its GPUs": "引擎的专家分布在它的所有 GPU 上",
    (
        "rollout.expert_parallel_size {rollout_expert_parallel} is not tensor_model_parallel_size "
        "{rollout_tensor_parallel} x data_parallel_size {rollout_data_parallel}"
    ): (
        "rollout.expert_parallel_size {rollout_expert_parallel} 不等于 tensor_model_parallel_size "
        "{rollout_tensor_parallel} x data_parallel_size {rollout_data_parallel}"
    ),
    "The engine has one group of GPUs for its experts: all those of its tensor- and data-parallel ranks.": (
        "引擎只有一组 GPU 存放专家：它的全部张量并行和数据并行 rank。"
    ),
    "Set actor_rollout_ref.rollout.expert_parallel_size to 1 or to the product.": (
        "将 actor_rollout_ref.rollout.expert_parallel_size 设为 1 或该乘积。"
    ),
    # --- GRPO739 engine-has-no-pipeline
    "vLLM and SGLang generate without a pipeline": "vLLM 和 SGLang 生成时没有流水线",
    "rollout.pipeline_model_parallel_size is {rollout_pipeline_parallel}, and {rollout_engine} takes 1 only": (
        "rollout.pipeline_model_parallel_size 为 {rollout_pipeline_parallel}，而 {rollout_engine} 只接受 1"
    ),
    "verl does not start these engines with pipeline stages.": "verl 不会以流水线阶段启动这些引擎。",
    "Use tensor_model_parallel_size.": "使用 tensor_model_parallel_size。",
    # --- GRPO740 rollout-engine-is-named
    "The engine that generates is named": "写明了用于生成的引擎",
    "actor_rollout_ref.rollout.name is not set, and has no default since 0.6": (
        "没有设置 actor_rollout_ref.rollout.name，而从 0.6 起它没有默认值"
    ),
    (
        "Up to 0.5 it was vllm. Now Hydra composes the tree with a mandatory value missing, and the workers die of it."
    ): "在 0.5 及之前默认为 vllm。现在 Hydra 组成的配置树缺少一个必填值，worker 会因此中断。",
    "Set actor_rollout_ref.rollout.name to vllm or sglang.": "将 actor_rollout_ref.rollout.name 设为 vllm 或 sglang。",
    # --- GRPO741 sharding-groups-divide-gpus
    "FSDP groups divide the GPUs": "FSDP 组能均分 GPU",
    "fsdp_size {fsdp_size} does not divide {world_size} processes": "fsdp_size {fsdp_size} 不能整除 {world_size} 个进程",
    "Each group of fsdp_size GPUs holds the whole model once.": "每组 fsdp_size 个 GPU 合起来持有一份完整的模型。",
    "Set fsdp_config.fsdp_size to a divisor of the GPUs, or to -1.": "将 fsdp_config.fsdp_size 设为 GPU 数的约数，或设为 -1。",
    # --- GRPO750 rows-divide-over-generation
    "A rollout divides over those who generate it": "一次 rollout 能在负责生成的各方之间均分",
    (
        "{rows_to_generate} rows{rows_to_generate.how} do not divide over {generation_chunks} workers that "
        "generate{generation_chunks.how}"
    ): "{rows_to_generate} 行{rows_to_generate.how}不能被负责生成的 {generation_chunks} 个 worker 均分{generation_chunks.how}",
    (
        "Up to 0.4 prompts are dealt out over all GPUs, then completions over the engines, from 0.5 to 0.8 over "
        "rollout.agent.num_workers, which is 8 and has nothing to do with GPUs."
    ): "在 0.4 及之前，提示先分给所有 GPU，补全再分给各引擎；0.5 到 0.8 则分给 rollout.agent.num_workers 个 worker，它默认为 8，与 GPU 数无关。",
    "Choose data.train_batch_size x n as a multiple of rollout.agent.num_workers, or set that number.": (
        "让 data.train_batch_size x n 成为 rollout.agent.num_workers 的整数倍，或设置这个数。"
    ),
    # --- GRPO751 rows-divide-over-ranks
    "A rollout divides over the data-parallel ranks": "一次 rollout 能在各数据并行 rank 之间均分",
    (
        "{completions_per_rollout} completions{completions_per_rollout.how} do not divide over {dp_size} "
        "data-parallel ranks"
    ): "{completions_per_rollout} 条补全{completions_per_rollout.how}不能被数据并行大小 {dp_size} 整除",
    "With dynamic batches the early check of the batch is left out, and the rows are dealt out all the same.": (
        "使用动态批次时会省去早期的批次检查，但各行照样要均分。"
    ),
    "Choose data.train_batch_size x n as a multiple of the data-parallel ranks.": (
        "让 data.train_batch_size x n 成为数据并行大小的整数倍。"
    ),
    # --- GRPO752 rollout-holds-updates-without-rest
    (
        "a rollout gives each rank {rows_per_rank} completions{rows_per_rank.how}, which is no multiple of the "
        "{update_per_rank} of one update"
    ): "一次 rollout 中每个 rank 分到 {rows_per_rank} 条补全{rows_per_rank.how}，不是一次更新的 {update_per_rank} 条的整数倍",
    (
        "The rows of a rank are cut into updates, and this release takes no rest. Earlier ones train a short last "
        "update silently, later ones pad."
    ): "每个 rank 的行要切分成若干次更新，而此版本不允许有余数。更早的版本不作声地训练一次较小的末次更新，之后的版本则补齐。",
    "Choose actor.ppo_mini_batch_size as a divisor of data.train_batch_size.": (
        "将 actor.ppo_mini_batch_size 设为 data.train_batch_size 的约数。"
    ),
    # --- GRPO753 update-divides-over-ranks
    "An update divides over the data-parallel ranks": "一次更新能在各数据并行 rank 之间均分",
    (
        "an update of ppo_mini_batch_size {ppo_mini_batch_size} x n {rollout_n} completions does not divide over "
        "{dp_size} data-parallel ranks{dp_size.how}"
    ): "一次更新有 ppo_mini_batch_size {ppo_mini_batch_size} x n {rollout_n} 条补全，不能被数据并行大小 {dp_size}{dp_size.how}整除",
    "Every rank takes the same number of completions of an update. Earlier releases rounded down.": (
        "每个 rank 在一次更新中取同样多的补全。更早的版本会向下取整。"
    ),
    "Choose actor.ppo_mini_batch_size x n as a multiple of the data-parallel ranks.": (
        "让 actor.ppo_mini_batch_size x n 成为数据并行大小的整数倍。"
    ),
    # --- GRPO754 rank-rows-hold-whole-micro-batches
    "The completions of a rank are a whole number of micro batches when log-probabilities are computed": (
        "计算对数概率时，每个 rank 的补全包含整数个微批次"
    ),
    (
        "each rank computes log-probabilities of {rows_per_rank} completions{rows_per_rank.how}, which is no "
        "multiple of its micro batch for them"
    ): "每个 rank 要计算 {rows_per_rank} 条补全{rows_per_rank.how}的对数概率，不是相应微批次的整数倍",
    (
        "Since 0.8 the rows of a rank are cut into equal micro batches. verl checks this with a bare assertion or "
        "names none of the keys."
    ): "从 0.8 起，每个 rank 的行会切分成大小相同的微批次。verl 用没有说明文字的断言来检查，或者报错中没有键名。",
    "Choose log_prob_micro_batch_size_per_gpu of rollout and ref as divisors of the completions of a rank.": (
        "将 rollout 和 ref 的 log_prob_micro_batch_size_per_gpu 设为每个 rank 补全数的约数。"
    ),
    # --- GRPO755 rollout-is-fetched-whole
    "A rollout is fetched in whole batches of the data loader": "一次 rollout 由数据加载器的完整批次组成",
    "a rollout of {train_batch_size} prompts is no multiple of the {prompts_fetched} that are fetched at once": (
        "一次 rollout 的 {train_batch_size} 个提示不是每次取得的 {prompts_fetched} 个的整数倍"
    ),
    (
        "The prompts of a rollout come in batches of the data loader, and only whole ones are handed on. verl "
        "refuses a rest; EasyR1 generates it and throws it away."
    ): "一次 rollout 的提示按数据加载器的批次取得，只有完整的批次才会继续传递。有余数时，verl 会拒绝；EasyR1 会生成后丢弃。",
    (
        "Choose data.gen_batch_size (EasyR1: data.mini_rollout_batch_size) as a divisor of the prompts of a "
        "rollout, or leave it out."
    ): "将 data.gen_batch_size（EasyR1 为 data.mini_rollout_batch_size）设为一次 rollout 提示数的约数，或不写它。",
    # --- GRPO756 loss-mode-is-known
    "The policy loss is one that verl knows": "策略损失是 verl 支持的",
    "policy_loss.loss_mode is {loss_mode}, which is none of {loss_modes}": (
        "policy_loss.loss_mode 为 {loss_mode}，不是 {loss_modes} 之一"
    ),
    "The name is looked up in the first update only, after all models are loaded and a rollout is made.": (
        "到第一次更新才查找这个名称，那时所有模型都已加载，rollout 也已完成。"
    ),
    # --- GRPO757 data-fills-a-batch
    "The training set fills one batch": "训练集至少能凑满一个批次",
    (
        "the training set has {training_rows} rows, fewer than the {loader_batch} prompts of one batch of the data "
        "loader"
    ): "训练集有 {training_rows} 行，少于数据加载器一个批次的 {loader_batch} 个提示",
    "Prompts that do not fill a batch are dropped, so there is no batch at all.": "凑不满一个批次的提示会被丢弃，因此一个批次也没有。",
    "Lower data.train_batch_size, or use more rows.": "减小 data.train_batch_size，或使用更多的行。",
    # --- GRPO770 last-update-is-whole
    "The last update of a rollout is as large as the others": "一次 rollout 的末次更新与其他更新一样大",
    (
        "a rollout gives each rank {rows_per_rank} completions, cut into updates of {update_per_rank}: the last "
        "one is smaller"
    ): "一次 rollout 中每个 rank 分到 {rows_per_rank} 条补全，按每次更新 {update_per_rank} 条切分：最后一次不足",
    (
        "These releases train the rest as an update of its own, with the same learning rate. 0.8 dies of it, 0.9 pads."
    ): "这些版本把余下的部分当作单独的一次更新，学习率不变。0.8 会因此中断，0.9 则补齐。",
    # --- GRPO771 update-is-as-written
    "An update is as large as it is written": "一次更新的大小与所写的相同",
    (
        "an update of {written_update} completions{written_update.how} becomes one of {completions_per_update}: it "
        "is divided by {dp_size} ranks and rounded down"
    ): (
        "所写的一次更新是 {written_update} 条补全{written_update.how}，实际变为 {completions_per_update} 条：除以 {dp_size} 个 rank 后向下取"
        "整"
    ),
    "The mini batch is rounded down to the same number of completions on every data-parallel rank.": (
        "mini batch 向下取整，使每个数据并行 rank 的补全数相同。"
    ),
    # --- GRPO772 dynamic-rollout-holds-an-update
    "With dynamic batches, too, a rollout holds the prompts of an update": "使用动态批次时，一次 rollout 的提示同样要够一次更新使用",
    (
        "data.train_batch_size {train_batch_size} is smaller than actor.ppo_mini_batch_size {ppo_mini_batch_size}, "
        "which is only checked without dynamic batches"
    ): (
        "data.train_batch_size {train_batch_size} 小于 actor.ppo_mini_batch_size {ppo_mini_batch_size}，而只有不使用动态批次时才会检"
        "查"
    ),
    (
        "data.train_batch_size {train_batch_size} is smaller than actor.ppo_mini_batch_size {ppo_mini_batch_size}, "
        "which this release does not check"
    ): "data.train_batch_size {train_batch_size} 小于 actor.ppo_mini_batch_size {ppo_mini_batch_size}，而这个版本不检查",
    (
        "Up to 0.7 a rollout makes one update whose loss is scaled by train_batch_size / ppo_mini_batch_size; 0.8 "
        "dies; 0.9 pads the rollout up to ppo_mini_batch_size."
    ): (
        "在 0.7 及之前，一次 rollout 只做一次更新，其损失按 train_batch_size / ppo_mini_batch_size 缩放；0.8 会中断；0.9 会把 rollout 补齐到 "
        "ppo_mini_batch_size。"
    ),
    "Lower actor.ppo_mini_batch_size to data.train_batch_size or less.": (
        "将 actor.ppo_mini_batch_size 减小到不超过 data.train_batch_size。"
    ),
    # --- GRPO773 rollout-needs-no-padding
    "A rollout needs no padding": "一次 rollout 不需要补齐",
    (
        "{padding_completions} dummy completions are added to a rollout of {completions_per_rollout}, to reach a "
        "multiple of {batch_multiple}{batch_multiple.how}"
    ): (
        "{completions_per_rollout} 条补全的 rollout 要添加 {padding_completions} 条占位补全，才能达到 {batch_multiple} 的整数倍"
        "{batch_multiple.how}"
    ),
    (
        "0.9 fills a rollout up to whole updates on all ranks with dummies of zero reward. They cost time and "
        "count in the size of the batch."
    ): "0.9 用奖励为零的占位补全把 rollout 补齐为所有 rank 上完整的更新。它们耗费时间，并计入批次大小。",
    # --- GRPO774 sequences-fit-the-token-budget
    "The token budget of a GPU holds the longest sequence": "单卡的 token 上限容得下最长的序列",
    (
        "a pass takes {tokens_per_pass} tokens on a GPU, and a sequence may have {max_prompt_length} + "
        "{max_response_length}"
    ): "一次前向在单卡上取 {tokens_per_pass} 个 token，而一条序列最长可达 {max_prompt_length} + {max_response_length}",
    (
        "Up to 0.7 the workers split sequences that are padded to both lengths, so that the first step dies whatever the data are. "
        "Since 0.8 a sequence that does not fit is refused when it comes, which can be hours into the run."
    ): "0.7 及以前，worker 切分的是补齐到两个长度之和的序列，因此无论数据如何，第一步就会失败。"
    "从 0.8 起，放不下的序列一出现才被拒绝，那时运行可能已进行了数小时。",
    "Raise actor.ppo_max_token_len_per_gpu to max_prompt_length + max_response_length, or twice that.": (
        "将 actor.ppo_max_token_len_per_gpu 增大到 max_prompt_length + max_response_length，或其两倍。"
    ),
    # --- GRPO775 estimator-is-chosen
    "The advantage estimator is chosen": "选定了优势估计方法",
    (
        "algorithm.adv_estimator is not set and so gae: a critic is trained, and the {rollout_n} completions of a "
        "prompt are not compared"
    ): "没有设置 algorithm.adv_estimator，因此为 gae：会训练一个 critic，而同一提示的 {rollout_n} 条补全不会相互比较",
    (
        "The default of verl is PPO with a critic. Several completions of a prompt are what GRPO and its relatives "
        "need."
    ): "verl 的默认方法是带 critic 的 PPO。一个提示生成多条补全，是 GRPO 及其同类方法才需要的。",
    "Set algorithm.adv_estimator to grpo, or to gae if that is meant.": (
        "将 algorithm.adv_estimator 设为 grpo；若本意如此，则设为 gae。"
    ),
    # --- GRPO776 group-samples-at-a-temperature
    "A group is sampled at a temperature": "一组补全以大于 0 的温度采样",
    (
        "rollout.temperature is 0: the {rollout_n} completions of a prompt are the same, and the actor divides its "
        "logits by it"
    ): "rollout.temperature 为 0：一个提示的 {rollout_n} 条补全完全相同，而且 actor 会把 logits 除以它",
    (
        "At 0 the engine takes the most likely token each time, so that no completion differs from the others of its "
        "group. The actor divides its logits by this temperature: up to 0.7 that gives nan, and most engines of later "
        "releases divide by 1e-8."
    ): (
        "温度为 0 时，引擎每次都取最可能的 token，同组的补全因而没有差别。actor 会把 logits 除以这个温度：到 0.7 为止结果是 "
        "nan，之后的版本中多数引擎改为除以 1e-8。"
    ),
    "Set actor_rollout_ref.rollout.temperature to 1, or to something near it; val_kwargs has one of its own.": (
        "将 actor_rollout_ref.rollout.temperature 设为 1 或与之相近的值；val_kwargs 有自己的温度。"
    ),
    # --- GRPO780 rollout-prompts-fill-updates
    "The prompts of a rollout are a whole number of updates": "一次 rollout 的提示包含整数次更新",
    (
        "data.rollout_batch_size {train_batch_size} is no multiple of worker.actor.global_batch_size "
        "{ppo_mini_batch_size}: both count prompts"
    ): (
        "data.rollout_batch_size {train_batch_size} 不是 worker.actor.global_batch_size {ppo_mini_batch_size} 的整数倍：两者"
        "都以提示计"
    ),
    (
        "A rollout is cut into updates of global_batch_size prompts. The name says samples, and the number is "
        "multiplied by rollout.n in the workers."
    ): "一次 rollout 切分为若干次更新，每次 global_batch_size 个提示。名称里说的是样本，而 worker 中会再乘以 rollout.n。",
    "Choose worker.actor.global_batch_size as a divisor of data.rollout_batch_size.": (
        "将 worker.actor.global_batch_size 设为 data.rollout_batch_size 的约数。"
    ),
    # --- GRPO781 rollout-prompts-fill-critic-updates
    "The prompts of a rollout are a whole number of updates of the critic": "一次 rollout 的提示包含整数次 critic 的更新",
    (
        "data.rollout_batch_size {train_batch_size} is no multiple of worker.critic.global_batch_size "
        "{critic_mini}: both count prompts"
    ): "data.rollout_batch_size {train_batch_size} 不是 worker.critic.global_batch_size {critic_mini} 的整数倍：两者都以提示计",
    "The critic cuts a rollout into updates of its own, and its default is 256 whatever the actor has.": (
        "critic 按自己的大小把 rollout 切分为更新；不管 actor 怎么设置，其默认值都是 256。"
    ),
    "Set worker.critic.global_batch_size to that of the actor.": "将 worker.critic.global_batch_size 设为与 actor 相同。",
    # --- GRPO782 rollout-fills-forward-passes
    "The completions of a rollout are a whole number of forward micro batches": "一次 rollout 的补全包含整数个前向微批次",
    (
        "{train_batch_size} prompts x {rollout_n} completions are no multiple of "
        "micro_batch_size_per_device_for_experience {rollout_micro}"
    ): "{train_batch_size} 个提示 x {rollout_n} 条补全不是 micro_batch_size_per_device_for_experience {rollout_micro} 的整数倍",
    (
        "Log-probabilities are computed in micro batches of this size. The check is made on the whole rollout, "
        "also where batches are made of tokens."
    ): "对数概率按此大小的微批次计算。检查针对整个 rollout，批次按 token 组成时也是如此。",
    "Choose worker.actor.micro_batch_size_per_device_for_experience as a divisor; 16 is its default.": (
        "将 worker.actor.micro_batch_size_per_device_for_experience 设为约数；默认为 16。"
    ),
    # --- GRPO783 rollout-fills-critic-forward-passes
    "The completions of a rollout are a whole number of forward micro batches of the critic": (
        "一次 rollout 的补全包含整数个 critic 的前向微批次"
    ),
    (
        "{train_batch_size} prompts x {rollout_n} completions are no multiple of "
        "worker.critic.micro_batch_size_per_device_for_experience {critic_forward_micro}"
    ): (
        "{train_batch_size} 个提示 x {rollout_n} 条补全不是 worker.critic.micro_batch_size_per_device_for_experience "
        "{critic_forward_micro} 的整数倍"
    ),
    "Values are computed in micro batches of this size. The check is made on the whole rollout.": (
        "价值按此大小的微批次计算。检查针对整个 rollout。"
    ),
    "Choose worker.critic.micro_batch_size_per_device_for_experience as a divisor; 16 is its default.": (
        "将 worker.critic.micro_batch_size_per_device_for_experience 设为约数；默认为 16。"
    ),
    # --- GRPO784 offload-goes-without-accumulation
    "FSDP's CPU offload goes without gradient accumulation": "FSDP 的 CPU offload 不能与梯度累积同用",
    (
        "fsdp.enable_cpu_offload is on, and an update of {update_per_rank} completions on a GPU is accumulated "
        "from micro batches of {actor_micro}"
    ): "开启了 fsdp.enable_cpu_offload，而单卡上一次更新的 {update_per_rank} 条补全要由大小为 {actor_micro} 的微批次累积",
    (
        "worker.critic.fsdp.enable_cpu_offload is on, and an update of {critic_rows_per_rank} completions on a GPU "
        "is accumulated from micro batches of {critic_micro}"
    ): "开启了 worker.critic.fsdp.enable_cpu_offload，而单卡上一次更新的 {critic_rows_per_rank} 条补全要由大小为 {critic_micro} 的微批次累积",
    "FSDP cannot add up gradients that it has moved to the CPU.": "FSDP 不能累加已移到 CPU 上的梯度。",
    (
        "Turn it off and use offload.offload_params and offload.offload_optimizer, or make a micro batch of a "
        "whole update."
    ): "关闭它，改用 offload.offload_params 和 offload.offload_optimizer；或让一个微批次包含整次更新。",
    # --- GRPO785 engine-takes-a-sequence
    "The engine takes a whole sequence at once": "引擎一次容得下一条完整的序列",
    (
        "rollout.max_num_batched_tokens {engine_tokens} is less than max_prompt_length {max_prompt_length} + "
        "max_response_length {max_response_length}"
    ): (
        "rollout.max_num_batched_tokens {engine_tokens} 小于 max_prompt_length {max_prompt_length} + "
        "max_response_length {max_response_length}"
    ),
    "vLLM is started with the length of the longest sequence, and has to hold it in one batch.": (
        "vLLM 按最长序列的长度启动，并要在一个批次中容得下它。"
    ),
    "Raise max_num_batched_tokens of the rollout; 8192 is its default.": (
        "增大 rollout 的 max_num_batched_tokens；默认为 8192。"
    ),
    # --- GRPO786 critic-rows-hold-whole-micro-batches
    "The completions of a rank are a whole number of micro batches when the critic computes values": (
        "critic 计算价值时，每个 rank 的补全包含整数个微批次"
    ),
    (
        "the critic computes values of {critic_rows_of_rank} completions on each rank{critic_rows_of_rank.how}, "
        "which is no multiple of its micro batch {critic_forward_micro}"
    ): (
        "critic 在每个 rank 上计算 {critic_rows_of_rank} 条补全{critic_rows_of_rank.how}的价值，不是其微批次 {critic_forward_micro} 的整"
        "数倍"
    ),
    "The trainer compares this micro batch with the whole rollout; the worker cuts its own share.": (
        "训练器用整个 rollout 与此微批次比较；worker 则切分它自己的那一份。"
    ),
    "Choose worker.critic.micro_batch_size_per_device_for_experience as a divisor of the completions of a rank.": (
        "将 worker.critic.micro_batch_size_per_device_for_experience 设为每个 rank 补全数的约数。"
    ),
    # --- GRPO787 rollout-holds-critic-updates-without-rest
    "A rollout is a whole number of updates of the critic": "一次 rollout 包含整数次 critic 的更新",
    (
        "a rollout gives each rank of the critic {critic_rows_of_rank} completions{critic_rows_of_rank.how}, which "
        "is no multiple of the {critic_rows_per_rank} of one update"
    ): (
        "一次 rollout 中 critic 的每个 rank 分到 {critic_rows_of_rank} 条补全{critic_rows_of_rank.how}，不是一次更新的"
        " {critic_rows_per_rank} 条的整数倍"
    ),
    (
        "An update is divided by the ranks and rounded down, and the rows of a rank are cut into such updates "
        "without a rest."
    ): "一次更新除以 rank 数后向下取整，每个 rank 的行按这样的更新切分，不能有余数。",
    "Choose worker.critic.global_batch_size x n as a multiple of the data-parallel ranks.": (
        "让 worker.critic.global_batch_size x n 成为数据并行大小的整数倍。"
    ),
    # --- GRPO727 replayed-routes-are-recorded
    "Routes that are replayed are recorded": "被重放的路由已被记录",
    "router_replay.mode R2 replays the routes of a pass that rollout_correction.bypass_mode leaves out": "router_replay.mode R2 要重放某一次前向的路由，而 rollout_correction.bypass_mode 跳过了这次前向",
    "R2 records how experts were chosen while the old log-probabilities are computed; bypass mode takes those of the rollout.": "R2 在计算旧的对数概率时记录各专家的选择；bypass 模式直接使用 rollout 的对数概率。",
    "Set algorithm.rollout_correction.bypass_mode to False, or router_replay.mode to R3.": "把 algorithm.rollout_correction.bypass_mode 设为 False，或把 router_replay.mode 设为 R3。",
    # --- GRPO742 separate-rollout-fills-its-updates
    "A separate rollout is as many updates as lie between two transfers of the weights": "分离的 rollout 恰好是两次权重传输之间的更新",
    "data.train_batch_size {train_batch_size} is not parameter_sync_step {parameter_sync_step} x actor.ppo_mini_batch_size {ppo_mini_batch_size}, which trainer_mode separate_async wants": "data.train_batch_size {train_batch_size} 不等于 parameter_sync_step {parameter_sync_step} x actor.ppo_mini_batch_size {ppo_mini_batch_size}，而 trainer_mode separate_async 要求两者相等",
    "The trainer takes ppo_mini_batch_size prompts at a time, and hands its weights on after parameter_sync_step updates.": "训练器每次取 ppo_mini_batch_size 个提示，并在 parameter_sync_step 次更新之后传出权重。",
    "Set data.train_batch_size to the product.": "把 data.train_batch_size 设为这个乘积。",
    # --- GRPO743 separate-rollout-has-gpus
    "A separate rollout has GPUs of its own": "分离的 rollout 有自己的 GPU",
    "trainer_mode separate_async generates on GPUs of its own, and rollout.nnodes is {rollout_nodes}": "trainer_mode separate_async 在自己的 GPU 上生成，而 rollout.nnodes 为 {rollout_nodes}",
    "The GPUs of the trainer are not counted for generation. rollout.nnodes is 0 unless it is set; rollout.n_gpus_per_node follows the trainer.": "训练器的 GPU 不计入生成。rollout.nnodes 不设置时为 0；rollout.n_gpus_per_node 跟随 trainer。",
    "Set actor_rollout_ref.rollout.nnodes and n_gpus_per_node.": "设置 actor_rollout_ref.rollout.nnodes 和 n_gpus_per_node。",
    # --- GRPO744 separate-rollout-receives-weights
    "The weights can travel to a separate rollout": "权重能传到分离的 rollout",
    "rollout.checkpoint_engine.backend is {weights_travel_by}, which moves weights only between processes of one GPU": "rollout.checkpoint_engine.backend 为 {weights_travel_by}，它只能在同一块 GPU 的进程之间传递权重",
    "With trainer_mode separate_async the engines run on other GPUs than the trainer. naive is the default.": "在 trainer_mode separate_async 下，引擎与训练器运行在不同的 GPU 上。naive 是默认值。",
    "Set actor_rollout_ref.rollout.checkpoint_engine.backend to nccl, nixl or another one that reaches other GPUs.": "把 actor_rollout_ref.rollout.checkpoint_engine.backend 设为 nccl、nixl 或其他能到达别的 GPU 的后端。",
    # --- GRPO758 log-prob-micro-batch-reaches-each-rank
    "A micro batch for all GPUs leaves at least one completion for each": "按所有 GPU 给出的微批次对每块 GPU 至少留下一条补全",
    "log_prob_micro_batch_size is smaller than the {update_divisor} ranks that it is divided by, for: {sections_with_empty_micro}(what is left is 0)": "log_prob_micro_batch_size 小于用来除它的 {update_divisor} 个 rank，涉及：{sections_with_empty_micro}（结果为 0）",
    "The deprecated key counts completions on all ranks, is divided by them and rounded down. A batch that is cut into pieces of 0 ends the run, or never ends with the older releases.": "这个已弃用的键按所有 rank 的补全计数，除以 rank 数并向下取整。以 0 为大小切分批次会使运行结束，在较旧的版本中则永远不会结束。",
    "Use log_prob_micro_batch_size_per_gpu.": "使用 log_prob_micro_batch_size_per_gpu。",
}
