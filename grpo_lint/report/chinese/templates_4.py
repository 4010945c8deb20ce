"""Texts of the rules GRPO4xx: {English: Chinese}."""

TEMPLATES = {
    # --- GRPO401 model-parallel-divides-world
    "Tensor x pipeline x context parallel divides the number of processes": "张量并行 x 流水线并行 x 上下文并行能整除进程数",
    (
        "{world_size} processes cannot be divided into model replicas of {model_parallel_size}{model_parallel_size.how}"
    ): "{world_size} 个进程无法划分为每份 {model_parallel_size} 个进程{model_parallel_size.how}的模型副本",
    (
        "Every replica of the model takes tensor x pipeline x context parallel processes; what is left over has no "
        "place."
    ): "每个模型副本占用“张量并行 x 流水线并行 x 上下文并行”个进程；多出来的进程没有位置。",
    "Change the parallel sizes, or start a multiple of their product.": "修改各并行大小，或启动它们乘积整数倍的进程数。",
    # --- GRPO402 expert-parallel-divides-world
    "Expert x expert-tensor x pipeline parallel divides the number of processes": "专家并行 x 专家张量并行 x 流水线并行能整除进程数",
    (
        "{world_size} processes cannot be divided into expert groups of "
        "{expert_parallel_size}{expert_parallel_size.how}"
    ): "{world_size} 个进程无法划分为每份 {expert_parallel_size} 个进程{expert_parallel_size.how}的专家组",
    (
        "Experts are spread over their own grid of processes. expert_tensor_parallel_size is 1 unless it is set; "
        "it does not follow tensor_model_parallel_size."
    ): "专家分布在单独的进程网格上。expert_tensor_parallel_size 不设置时为 1，并不跟随 tensor_model_parallel_size。",
    "Lower expert_model_parallel_size, or start a multiple of the product.": (
        "减小 expert_model_parallel_size，或启动该乘积整数倍的进程数。"
    ),
    # --- GRPO403 vllm-tensor-parallel-divides-world
    "A vLLM engine that shares the GPUs of training divides the number of processes": "与训练共用 GPU 的 vLLM 引擎，其大小能整除进程数",
    "vllm_tensor_parallel_size {engine_ranks} does not divide {world_size} processes": (
        "vllm_tensor_parallel_size {engine_ranks} 不能整除 {world_size} 个进程"
    ),
    "In colocate mode the engines run on the GPUs of training, so all processes form engines of equal size.": (
        "colocate 模式下，引擎运行在训练所用的 GPU 上，因此所有进程要组成大小相同的引擎。"
    ),
    "Set vllm_tensor_parallel_size to a divisor of the number of processes; 1 always works.": (
        "将 vllm_tensor_parallel_size 设为进程数的约数；1 总是可行的。"
    ),
    # --- GRPO404 parallel-sizes-are-positive
    "Parallel sizes are at least 1": "各并行大小至少为 1",
    "a parallel size of {smallest_parallel_size} is below 1{smallest_parallel_size.how}": (
        "并行大小 {smallest_parallel_size} 小于 1{smallest_parallel_size.how}"
    ),
    "A parallel size counts processes.": "并行大小表示进程的个数。",
    "Set the size to 1 or more.": "将该大小设为 1 或更大。",
    # --- GRPO405 virtual-pipeline-has-a-pipeline
    "Virtual pipeline stages need a pipeline": "虚拟流水线并行需要流水线并行",
    "{virtual_stages} virtual stages need more than {pipeline_model_parallel_size} pipeline stage": (
        "{virtual_stages} 个虚拟阶段要求流水线阶段多于 {pipeline_model_parallel_size} 个"
    ),
    (
        "Virtual stages interleave the layers of several pipeline stages; with one stage there is nothing to "
        "interleave."
    ): "虚拟阶段让多个流水线阶段的层交错执行；只有一个阶段时没有可交错的。",
    "Remove virtual_pipeline_model_parallel_size, or set pipeline_model_parallel_size to 2 or more.": (
        "去掉 virtual_pipeline_model_parallel_size，或将 pipeline_model_parallel_size 设为 2 或更大。"
    ),
    # --- GRPO406 uneven-pipeline-has-a-pipeline
    "An uneven split of layers needs a pipeline": "层的不均匀切分需要流水线并行",
    (
        "decoder_first_pipeline_num_layers and decoder_last_pipeline_num_layers need more than "
        "{pipeline_model_parallel_size} pipeline stage"
    ): (
        "decoder_first_pipeline_num_layers 和 decoder_last_pipeline_num_layers 要求流水线阶段多于"
        " {pipeline_model_parallel_size} 个"
    ),
    "The keys say how many layers the first and the last stage hold; with one stage it holds them all.": (
        "这些键说明第一个和最后一个阶段各有多少层；只有一个阶段时，所有层都在它上面。"
    ),
    "Remove the keys, or set pipeline_model_parallel_size to 2 or more.": (
        "去掉这些键，或将 pipeline_model_parallel_size 设为 2 或更大。"
    ),
    # --- GRPO407 frozen-share-needs-one-stage
    "freeze_parameters_ratio needs a model on one pipeline stage": "freeze_parameters_ratio 要求模型只有一个流水线阶段",
    (
        "freeze_parameters_ratio {freeze_parameters_ratio} does not go with {pipeline_model_parallel_size} "
        "pipeline stages"
    ): "freeze_parameters_ratio {freeze_parameters_ratio} 不能与 {pipeline_model_parallel_size} 个流水线阶段同用",
    "A stage holds a part of the layers and cannot tell which share of the whole model they are.": (
        "每个阶段只有一部分层，无法得知它们占整个模型的比例。"
    ),
    "Name what to freeze with freeze_parameters, or set pipeline_model_parallel_size to 1.": (
        "用 freeze_parameters 指明要冻结的参数，或将 pipeline_model_parallel_size 设为 1。"
    ),
    # --- GRPO408 heads-divide-over-ranks
    "The attention heads of the model divide over the tensor-parallel ranks": "模型的注意力头能在各张量并行 rank 之间均分",
    (
        "the {heads_of_model} attention heads of {model} do not divide over {tensor_model_parallel_size} "
        "tensor-parallel ranks"
    ): "{model} 的 {heads_of_model} 个注意力头不能被张量并行大小 {tensor_model_parallel_size} 整除",
    (
        "of the {kv_heads_of_model} key-value heads of {model} and the {tensor_model_parallel_size} "
        "tensor-parallel ranks neither number divides the other"
    ): "{model} 的 {kv_heads_of_model} 个 KV 头与张量并行大小 {tensor_model_parallel_size} 互相都不能整除",
    (
        "Every tensor-parallel rank holds the same number of whole attention heads. How many a model has is known "
        "by its exact name."
    ): "每个张量并行 rank 持有同样数量的完整注意力头。模型有多少个头由它的确切名称得知。",
    "Set tensor_model_parallel_size to a divisor of the heads.": "将 tensor_model_parallel_size 设为注意力头数的约数。",
    # --- GRPO409 heads-divide-over-the-engine
    "The attention heads of the model divide over the ranks of a vLLM engine": "模型的注意力头能在 vLLM 引擎的各 rank 之间均分",
    "the {model_heads} attention heads of the model do not divide over {engine_ranks} ranks of an engine": (
        "模型的 {model_heads} 个注意力头不能被引擎的 {engine_ranks} 个 rank 均分"
    ),
    (
        "Every rank of an engine holds the same number of whole attention heads. How many a model has is known by "
        "its exact name."
    ): "引擎的每个 rank 持有同样数量的完整注意力头。模型有多少个头由它的确切名称得知。",
    "Set vllm_tensor_parallel_size to a divisor of the heads.": "将 vllm_tensor_parallel_size 设为注意力头数的约数。",
    # --- GRPO410 legal-process-counts
    "The config runs on some numbers of processes only": "此配置只能在某些进程数下运行",
    "runs on {counts}": "可用的进程数：{counts:text}",
    "The number of processes is not in the file. These are the numbers for which no constraint fails.": (
        "文件中没有进程数。这里列出的是不违反任何约束的进程数。"
    ),
    "Say it with a comment, `# grpo-lint: world-size=8`, or with --world-size; then every rule is decided.": (
        "用注释 `# grpo-lint: world-size=8` 或 --world-size 指明进程数；这样所有规则都能判定。"
    ),
    (
        "Nobody on the numbers of processes that are listed. On all others the run is refused by the framework; "
        "with a number of processes the rule that says so is reported instead."
    ): "在所列的进程数下没有谁会拒绝。在其他进程数下，框架会拒绝运行；给出进程数后，会改为报告相应的规则。",
    # --- GRPO411 layers-divide-over-stages
    "The layers of the model divide over the pipeline stages": "模型的层能在各流水线阶段之间均分",
    "the {layers_of_model} layers of {model} do not divide over {pipeline_model_parallel_size} pipeline stages": (
        "{model} 的 {layers_of_model} 层不能被 {pipeline_model_parallel_size} 个流水线阶段均分"
    ),
    (
        "Every pipeline stage holds the same number of layers, unless decoder_first_pipeline_num_layers, "
        "decoder_last_pipeline_num_layers or pipeline_model_parallel_layout say otherwise."
    ): (
        "每个流水线阶段的层数相同，除非 decoder_first_pipeline_num_layers、decoder_last_pipeline_num_layers 或"
        " pipeline_model_parallel_layout 另有规定。"
    ),
    (
        "Say how many layers the first or the last stage holds, or set pipeline_model_parallel_size to a divisor "
        "of the layers."
    ): "指明第一个或最后一个阶段的层数，或将 pipeline_model_parallel_size 设为层数的约数。",
    # --- GRPO412 experts-divide-over-ranks
    "The experts of the model divide over the expert-parallel ranks": "模型的专家能在各专家并行 rank 之间均分",
    (
        "the {experts_of_model} experts of {model} do not divide over {expert_model_parallel_size} expert-parallel "
        "ranks"
    ): "{model} 的 {experts_of_model} 个专家不能被专家并行大小 {expert_model_parallel_size} 整除",
    "Every expert-parallel rank holds the same number of experts.": "每个专家并行 rank 持有同样数量的专家。",
    "Set expert_model_parallel_size to a divisor of the experts.": "将 expert_model_parallel_size 设为专家数的约数。",
    # --- GRPO413 engines-divide-their-pool
    "The engines of a Ray layout divide the GPUs that generate": "Ray 布局中的引擎能均分用于生成的 GPU",
    "{rollout_processes} GPUs that generate cannot be shared out to engines of {engine_gpus}{engine_gpus.how}": (
        "用于生成的 {rollout_processes} 个 GPU 不能划分为大小为 {engine_gpus} 的引擎{engine_gpus.how}"
    ),
    (
        "The section rollout has GPUs of its own. Each engine takes vllm_tensor_parallel_size x "
        "vllm_data_parallel_size of them, and what is left over has no place."
    ): "rollout 分区有自己的 GPU。每个引擎占用其中“vllm_tensor_parallel_size x vllm_data_parallel_size”个；多出来的没有位置。",
    "Set rollout.gpus to a multiple of the product, or lower vllm_tensor_parallel_size.": (
        "将 rollout.gpus 设为该乘积的整数倍，或减小 vllm_tensor_parallel_size。"
    ),
    # --- GRPO414 shared-pool-has-one-size
    "Roles that share their GPUs ask for the same number": "共用 GPU 的角色要求同样多的 GPU",
    (
        "rollout.gpus is {rollout_processes} and train.gpus is {colocated_processes}, but colocate_groups has both "
        "on the same GPUs"
    ): "rollout.gpus 为 {rollout_processes}，train.gpus 为 {colocated_processes}，但 colocate_groups 让两者使用相同的 GPU",
    "Roles in one of the colocate_groups take turns on one set of GPUs, so that each of them asks for all of it.": (
        "同一个 colocate_groups 中的角色轮流使用同一组 GPU，因此每个角色都要求占用整组。"
    ),
    "Give both roles the same number of GPUs, or take colocate_groups out so that each has its own.": (
        "让两个角色的 GPU 数相同，或去掉 colocate_groups，让它们各用自己的 GPU。"
    ),
    # --- GRPO420 vllm-has-a-mode
    "A run with vLLM says where its engine runs": "使用 vLLM 时须说明引擎在哪里运行",
    "vllm_mode is missing: say colocate for engines on the GPUs of training, server for engines of their own": (
        "缺少 vllm_mode：引擎与训练共用 GPU 时写 colocate，使用独立引擎时写 server"
    ),
    "Until 3.11.0 the mode was guessed from the other keys. Since then it must be said.": (
        "3.11.0 之前，模式由其他键推断；从该版本起必须写明。"
    ),
    "Set vllm_mode to colocate, or start `swift rollout` elsewhere and set server with vllm_server_host.": (
        "将 vllm_mode 设为 colocate；或在别处启动 `swift rollout`，设为 server 并设置 vllm_server_host。"
    ),
    # --- GRPO421 vllm-mode-has-vllm
    "vllm_mode is set only when vLLM generates": "仅在用 vLLM 生成时设置 vllm_mode",
    "vllm_mode {vllm_mode} without use_vllm: these versions refuse it": (
        "设置了 vllm_mode {vllm_mode}，却没有 use_vllm：这些版本会拒绝"
    ),
    "A mode of an engine that is not used is taken for a forgotten `use_vllm: true`.": (
        "为不使用的引擎设置模式，会被视为忘了写 `use_vllm: true`。"
    ),
    "Set use_vllm to true, or remove vllm_mode.": "将 use_vllm 设为 true，或去掉 vllm_mode。",
    # --- GRPO422 vllm-server-has-an-address
    "A vLLM server has an address": "vLLM server 须有地址",
    "vllm_mode is server, but neither vllm_server_host nor vllm_server_base_url says where it is": (
        "vllm_mode 为 server，但 vllm_server_host 和 vllm_server_base_url 都没有说明它在哪里"
    ),
    "The trainer connects to a server that `swift rollout` has started.": "训练器会连接由 `swift rollout` 启动的服务。",
    "Set vllm_server_host (and vllm_server_port), or vllm_mode to colocate.": (
        "设置 vllm_server_host（以及 vllm_server_port），或将 vllm_mode 设为 colocate。"
    ),
    # --- GRPO423 async-generation-has-a-server
    "Asynchronous generation has engines of its own": "异步生成须有独立的引擎",
    "async_generate needs a vLLM server: the engine of this run would share the GPUs of training": (
        "async_generate 需要 vLLM server：此运行的引擎会与训练共用 GPU"
    ),
    "The next rollout is generated while the model trains. That takes GPUs that are free meanwhile.": (
        "模型训练的同时就在生成下一次 rollout，这需要此时空闲的 GPU。"
    ),
    "Start `swift rollout`, and set use_vllm, vllm_mode server and vllm_server_host; or turn async_generate off.": (
        "启动 `swift rollout`，并设置 use_vllm、vllm_mode server 和 vllm_server_host；或关闭 async_generate。"
    ),
    # --- GRPO424 async-generation-has-one-turn
    "Asynchronous generation has one turn": "异步生成只支持单轮",
    "async_generate does not go with several turns: multi-turn scheduler {scheduler}": (
        "async_generate 不能与多轮同用：多轮调度器 {scheduler}"
    ),
    "The turns of a conversation depend on each other; these versions do not generate them ahead.": (
        "对话的各轮互相依赖；这些版本不会提前生成它们。"
    ),
    "Turn async_generate off, or remove the multi-turn scheduler.": "关闭 async_generate，或去掉多轮调度器。",
    # --- GRPO425 one-device-per-process
    "Every process has one device where the model may not be split": "不允许切分模型时，每个进程只有一张卡",
    (
        "{split_over_devices} needs one device per process: {processes_per_node} of {visible_devices} visible "
        "devices have one, so the model would be split over {devices_per_process}"
    ): (
        "{split_over_devices} 要求每个进程一张卡：{visible_devices} 张可见的卡只对应 {processes_per_node} 个进程，模型会被切分到"
        " {devices_per_process} 张卡上"
    ),
    "With more devices than processes, ms-swift spreads one copy of the model over several devices (device_map).": (
        "卡数多于进程数时，ms-swift 会把一份模型分布到多张卡上（device_map）。"
    ),
    (
        "Set NPROC_PER_NODE to the number of visible devices, or make fewer of them visible with CUDA_VISIBLE_DEVICES."
    ): "将 NPROC_PER_NODE 设为可见卡数，或用 CUDA_VISIBLE_DEVICES 减少可见的卡。",
    # --- GRPO426 devices-divide-over-processes
    "The visible devices divide over the processes of a node": "可见的卡能在节点的各进程之间均分",
    "{visible_devices} visible devices do not divide over {processes_per_node} processes": (
        "{visible_devices} 张可见的卡不能被 {processes_per_node} 个进程均分"
    ),
    "Every process takes the same number of devices.": "每个进程占用同样多的卡。",
    "Set NPROC_PER_NODE to the number of visible devices.": "将 NPROC_PER_NODE 设为可见卡数。",
    # --- GRPO427 devices-are-shared-out
    "Training and engines together take every visible device": "训练与引擎合起来正好用完所有可见的卡",
    (
        "{visible_devices} devices are visible, but training (processes: {processes_per_node}) and vLLM (engines: "
        "{num_infer_workers}) take {devices_wanted}"
    ): (
        "可见的卡有 {visible_devices} 张，但训练（进程数 {processes_per_node}）与 vLLM（引擎数 {num_infer_workers}）共占用"
        " {devices_wanted} 张"
    ),
    (
        "These versions give every engine a device of its own, or, with as many engines as devices, let each share "
        "one with a training process."
    ): "这些版本为每个引擎分配独立的一张卡；或者当引擎数等于卡数时，让每个引擎与一个训练进程共用一张卡。",
    "Make visible devices = processes + num_infer_workers, or all three equal.": (
        "让可见卡数 = 进程数 + num_infer_workers，或让三者相等。"
    ),
    # --- GRPO428 apart-engines-take-one-device
    "An engine on a device of its own takes one device": "独占一张卡的引擎只用一张卡",
    "tensor_parallel_size {tensor_parallel_size} is not supported for engines on devices of their own": (
        "引擎使用独立的卡时，不支持 tensor_parallel_size {tensor_parallel_size}"
    ),
    "In these versions only engines that share the GPUs of training form tensor-parallel groups.": (
        "在这些版本中，只有与训练共用 GPU 的引擎才能组成张量并行组。"
    ),
    "Set tensor_parallel_size to 1, or num_infer_workers to the number of devices.": (
        "将 tensor_parallel_size 设为 1，或将 num_infer_workers 设为卡数。"
    ),
    # --- GRPO429 vllm-mode-is-kept
    "The vLLM mode of the file is the one that runs": "实际运行的 vLLM 模式就是文件中写的模式",
    "vllm_mode {vllm_mode} is replaced by {rollout_mode}, because of what stands in vllm_server_host": (
        "vllm_mode {vllm_mode} 会被 {rollout_mode} 取代，原因是 vllm_server_host 的设置"
    ),
    "These versions take server when a server is named and colocate when none is, whatever vllm_mode says.": (
        "这些版本只要写了服务地址就用 server，没写就用 colocate，不管 vllm_mode 写的是什么。"
    ),
    "Set vllm_server_host for a server; leave it out for colocate.": "要用 server 就设置 vllm_server_host；要用 colocate 就不写它。",
    # --- GRPO430 reasoning-parser-is-for-serving
    "Training has no reasoning parser": "训练时不使用 reasoning parser",
    "vllm_reasoning_parser {vllm_reasoning_parser}: training needs the completion as it was generated": (
        "vllm_reasoning_parser {vllm_reasoning_parser}：训练需要原样的补全"
    ),
    "A parser takes the reasoning out of the completion. The loss needs every token of it.": (
        "parser 会把推理内容从补全中取出，而计算损失需要补全的每一个 token。"
    ),
    "Remove vllm_reasoning_parser.": "去掉 vllm_reasoning_parser。",
    # --- GRPO431 sequence-parallel-is-for-other-trainers
    "These versions have no sequence parallelism for RL": "这些版本的 RL 训练没有序列并行",
    "sequence_parallel_size {sequence_parallel_size}: these versions have no sequence parallelism for RL": (
        "sequence_parallel_size {sequence_parallel_size}：这些版本的 RL 训练没有序列并行"
    ),
    "It came to the GRPO trainer with 3.4.": "GRPO 训练器从 3.4 起才支持它。",
    "Set sequence_parallel_size to 1, or upgrade.": "将 sequence_parallel_size 设为 1，或升级。",
    # --- GRPO432 batch-divides-into-mini-batches
    "per_device_train_batch_size is a whole number of mini batches": "per_device_train_batch_size 包含整数个 mini batch",
    (
        "per_device_train_batch_size {per_device_train_batch_size} is not a multiple of mini_batch_size "
        "{mini_batch_size}"
    ): "per_device_train_batch_size {per_device_train_batch_size} 不是 mini_batch_size {mini_batch_size} 的整数倍",
    "The batch of a device is computed in mini batches of equal size.": "单卡的批次按大小相同的 mini batch 计算。",
    "Set mini_batch_size to a divisor of per_device_train_batch_size.": (
        "将 mini_batch_size 设为 per_device_train_batch_size 的约数。"
    ),
    # --- GRPO433 rollouts-come-from-vllm
    "Megatron-SWIFT generates with vLLM": "Megatron-SWIFT 用 vLLM 生成",
    "use_vllm is off: Megatron-SWIFT has no other engine to generate with": "关闭了 use_vllm：Megatron-SWIFT 没有别的引擎可用来生成",
    "Generation with the training engine itself is not implemented; without Ray, vLLM is the only way.": (
        "没有实现用训练引擎本身来生成；不用 Ray 时，vLLM 是唯一的方式。"
    ),
    "Remove use_vllm (it is on by default), and set vllm_mode.": "去掉 use_vllm（默认开启），并设置 vllm_mode。",
    # --- GRPO434 trl-is-new-enough
    "TRL is as new as ms-swift wants it": "TRL 的版本满足 ms-swift 的要求",
    "TRL {trl} is installed, but this version wants {oldest_trl} or newer": "安装的是 TRL {trl}，而此版本要求 {oldest_trl} 或更高",
    "ms-swift builds on TRL's classes, and looks at their version before it trains.": (
        "ms-swift 建立在 TRL 的类之上，训练前会检查它的版本。"
    ),
    "Install a newer TRL.": "安装更新的 TRL。",
    # --- GRPO435 vllm-corrects-its-rollouts
    "vLLM tells the probabilities that a correction needs": "vLLM 能给出校正所需的概率",
    "rollout_importance_sampling_mode needs vLLM 0.10.2 or newer; {vllm} is installed": (
        "rollout_importance_sampling_mode 需要 vLLM 0.10.2 或更高版本；安装的是 {vllm}"
    ),
    (
        "The correction compares the probabilities of the engine with those of the trainer. Older engines give others."
    ): "校正时要比较引擎与训练器的概率，而旧版引擎给出的概率不同。",
    "Install a newer vLLM, or remove rollout_importance_sampling_mode.": (
        "安装更新的 vLLM，或去掉 rollout_importance_sampling_mode。"
    ),
    # --- GRPO436 engine-has-a-device
    "The engine has a device that training leaves free": "引擎有一张训练不占用的卡",
    "vllm_device {vllm_device} is cuda:{engine_device}, beyond the visible devices ({visible_devices})": (
        "vllm_device {vllm_device} 即 cuda:{engine_device}，超出了可见的卡（{visible_devices} 张）"
    ),
    (
        "The engine runs on a device of its own in the first process. With auto that is the device behind those of "
        "the processes."
    ): "引擎运行在第一个进程中独立的一张卡上。写 auto 时，就是各进程所占卡之后的那一张。",
    "Start one process less than there are visible devices.": "启动的进程数比可见卡数少一个。",
    # --- GRPO440 launch-reads-its-processes
    "NPROC_PER_NODE stands before a command that reads it": "NPROC_PER_NODE 写在会读取它的命令之前",
    "{program} does not read {variable}: this run is 1 process, and all visible GPUs go to it": (
        "{program} 不读取 {variable}：此运行只有 1 个进程，所有可见的 GPU 都归它"
    ),
    (
        "Only the `swift` and `megatron` commands start torchrun from NPROC_PER_NODE and NNODES. Their modules, "
        "run with python, are one process whatever these variables say; batch sizes then count for one process, "
        "and the model is spread over the GPUs."
    ): (
        "只有 `swift` 和 `megatron` 命令会按 NPROC_PER_NODE 与 NNODES 启动 torchrun。用 python 直接运行它们的模块时，不管这些变量怎么写都只有一个进程；批次大小"
        "也只按一个进程计算，模型则分布到各 GPU 上。"
    ),
    "Start the run with `{command}`, or with torchrun.": "用 `{command}` 或 torchrun 启动。",
    "Nobody: the run starts with one process.": "没有谁会拒绝：运行以单进程启动。",
    # --- GRPO415 run-fits-its-allocation
    "A run takes the GPUs that its job asks Slurm for": "运行使用的正是其作业向 Slurm 申请的 GPU",
    "the run takes {taken} GPUs, and the job asks for {given}": "运行要使用 {taken} 张 GPU，而作业只申请了 {given} 张",
    "--num_processes {total} counts all machines: {idle} of the {all} GPUs of the job ({given}) have no process": (
        "--num_processes {total} 计入所有机器：作业的 {all} 张 GPU（{given}）中有 {idle} 张没有进程"
    ),
    (
        "A job sees the GPUs that its #SBATCH lines ask for and no others, unless sbatch is given other options or a "
        "cluster is joined. GPUs without a process are paid for and idle: --num_processes of accelerate counts the "
        "processes of all machines."
    ): (
        "作业只能看到其 #SBATCH 行所申请的 GPU，除非给 sbatch 另加了选项，或加入了已有的集群。没有进程的 GPU 白白占用：accelerate 的 --num_processes 计入所有机器的进程。"
    ),
    (
        "What starts the processes, when the last ones take their devices. verl 0.3 and later counts the GPUs first: "
        "Total available GPUs ... is less than total desired GPUs ...; 0.2 waits for them. Nobody refuses idle ones."
    ): (
        "启动进程的程序，在最后几个进程占用卡时。verl 0.3 及之后会先清点 GPU：Total available GPUs ... is less than total desired GPUs ...；0.2 "
        "则一直等待。对闲置的 GPU 没有谁会拒绝。"
    ),
    "Ask for the GPUs of the run in the #SBATCH lines, or let the run take those of the job.": (
        "在 #SBATCH 行中申请运行所需的 GPU，或让运行使用作业已有的 GPU。"
    ),
    # --- GRPO416 each-node-has-its-own-rank
    "srun gives each node its own rank": "srun 让每个节点有自己的 rank",
    "the batch script puts {rank} in before srun starts: all {nodes} nodes get rank 0": (
        "批处理脚本在 srun 启动之前就已代入 {rank}：全部 {nodes} 个节点的 rank 都是 0"
    ),
    (
        "A batch script runs on the first node of its job alone, and its shell replaces the variables in the words behind "
        "srun there, once for all nodes. The nodes then wait for each other until the rendezvous gives up."
    ): "批处理脚本只在作业的第一个节点上运行，其 shell 在那里一次性替换 srun 之后各词中的变量，对所有节点都一样。各节点随后互相等待，直到会合超时。",
    "Nobody when the run starts: nodes of one rank wait for the others.": "启动时没有谁会拒绝：rank 相同的节点会一直等待其他节点。",
    "Let the shell of each node read the variable: srun bash -c '...', with single quotes.": (
        "让每个节点的 shell 自己读取该变量：srun bash -c '...'，用单引号。"
    ),
    # --- GRPO441 processes-have-devices
    "No node starts more processes than it sees devices": "每个节点启动的进程数不多于它能看到的卡数",
    "{processes_per_node} processes on a node that sees {visible_devices} devices": (
        "一个节点上有 {processes_per_node} 个进程，却只能看到 {visible_devices} 张卡"
    ),
    "Each process takes the device of its own number; there is none for the last ones.": "每个进程占用与自己序号相同的卡；最后几个进程没有卡可用。",
    "Start as many processes as there are visible devices, or fewer.": "启动与可见卡数相同或更少的进程。",
    # --- GRPO442 devices-have-processes
    "Every visible device has a process": "每张可见的卡都有一个进程",
    (
        "only {processes_per_node} of {visible_devices} visible devices have a process of their own: ms-swift "
        "spreads each copy of the model over {devices_per_process} devices, which work one after the other"
    ): (
        "{visible_devices} 张可见的卡中，只有 {processes_per_node} 张有自己的进程：ms-swift 会把每份模型分布到 {devices_per_process} 张卡上，这些卡轮"
        "流工作"
    ),
    (
        "It looks as if only some GPUs were used: without NPROC_PER_NODE a run is one process, and all visible "
        "GPUs together hold its model."
    ): "看起来就像只用了部分 GPU：没有 NPROC_PER_NODE 时，运行只有一个进程，所有可见的 GPU 共同装下它的模型。",
    "Set NPROC_PER_NODE to the number of visible GPUs, or make fewer of them visible.": (
        "将 NPROC_PER_NODE 设为可见 GPU 数，或减少可见的 GPU。"
    ),
    # --- GRPO443 server-is-the-one-that-is-asked
    "The trainer asks the server that its script starts": "训练器连接的正是脚本启动的服务",
    "the trainer asks a server on port {asked}, but {server} in line {line} listens on port {port}": (
        "训练器连接的服务端口是 {asked}，但第 {line} 行的 {server} 监听的端口是 {port}"
    ),
    "The trainer waits for the server until it gives up, some minutes after the model is loaded.": (
        "训练器会一直等待服务直到放弃，那已是加载模型之后好几分钟。"
    ),
    "Give both the same port.": "两边使用同一个端口。",
    "Nobody when the run starts: the trainer waits for the server until it gives up.": "启动时没有谁会拒绝：训练器会一直等待服务直到放弃。",
    # --- GRPO444 server-has-the-model
    "The server that a script starts has the model that is trained": "脚本启动的服务使用的就是被训练的模型",
    "the trainer trains {model}, but {server} in line {line} serves {served}": (
        "训练器训练的是 {model}，但第 {line} 行的 {server} 提供的是 {served}"
    ),
    (
        "Weights are sent to the server after every update; another architecture cannot take them, and another "
        "model generates the first rollout."
    ): "每次更新后权重都会发送给服务；模型结构不同就无法接收，模型不同则第一次 rollout 由另一个模型生成。",
    "Name the same model in both commands.": "两个命令中写同一个模型。",
    "Nobody when the run starts: what the server cannot take fails when weights are first sent to it.": (
        "启动时没有谁会拒绝：服务无法接收的权重，在第一次发送时才会失败。"
    ),
    # --- GRPO445 processes-are-handed-on
    "NPROC_PER_NODE reaches the command that reads it": "NPROC_PER_NODE 能传到读取它的命令",
    "accelerate launch knows its options, and the keys of its file": "accelerate launch 认识它的选项和配置文件中的键",
    "accelerate launch knows no option {option}: it refuses it and starts nothing{hint}": (
        "accelerate launch 不认识选项 {option}：它会拒绝，什么都不会启动{hint:text}"
    ),
    "accelerate launch knows no key {option}, which {file} holds: it refuses the file and starts nothing{hint}": (
        "accelerate launch 不认识 {file} 中的键 {option}：它会拒绝该文件，什么都不会启动{hint:text}"
    ),
    (
        'accelerate launch takes no abbreviations, and refuses what it does not know: "unrecognized arguments" for an option, '
        '"had unknown keys" for its file. Nothing is loaded before.'
    ): 'accelerate launch 不接受缩写，并拒绝它不认识的内容：选项报 "unrecognized arguments"，配置文件报 "had unknown keys"。此前什么都没有加载。',
    "accelerate launch, before the training script is started.": "accelerate launch，在训练脚本启动之前。",
    "Correct the spelling, or remove it.": "改正拼写，或删除它。",
    (
        "{variable} is set in this script and not exported, so {program} does not see it: without one from outside "
        "this run is 1 process"
    ): "{variable} 在此脚本中设置但没有 export，{program} 看不到它：若外部环境也没有设置，此运行只有 1 个进程",
    (
        "A variable of a shell reaches the programs that it starts when it is exported, or stands before the "
        "command on its line. The run starts without it, as one process to which all visible GPUs go."
    ): "shell 变量只有 export 过，或写在同一行的命令之前，才会传给所启动的程序。否则运行会以单进程启动，占用所有可见的 GPU。",
    "Write `export` before it, or put it on the line of the command.": "在它前面写 `export`，或把它写到命令所在的行上。",
    "Nobody: the run starts with the processes that the environment of the script asks for, or with one.": (
        "没有谁会拒绝：运行以脚本所处环境要求的进程数启动，没有要求则为一个进程。"
    ),
    # --- GRPO446 server-has-devices
    "The server that a script starts sees as many devices as it spreads its engines over": "脚本启动的服务能看到引擎所需的全部卡",
    "{server} in line {line} wants {wanted} devices, tensor x data parallel, and sees {seen}": (
        "第 {line} 行的 {server} 需要 {wanted} 张卡（张量并行 x 数据并行），却只能看到 {seen} 张"
    ),
    (
        "Every engine takes as many devices as its tensor parallel size, and there is one engine for each "
        "data-parallel rank."
    ): "每个引擎占用“张量并行大小”张卡，每个数据并行 rank 有一个引擎。",
    "Lower one of the two sizes, or let the server see more devices.": "减小其中一个大小，或让服务看到更多的卡。",
    (
        "The engine, when the server starts: World size (...) is larger than the number of available GPUs (...). "
        "The trainer waits for the server until it gives up."
    ): "引擎在服务启动时拒绝：World size (...) is larger than the number of available GPUs (...)。训练器会一直等待服务直到放弃。",
    # --- GRPO447 server-has-its-own-devices
    "The server that a script starts takes other devices than training": "脚本启动的服务与训练使用不同的卡",
    "{server} in line {line} and the training both take the devices {shared}": "第 {line} 行的 {server} 与训练都占用了卡 {shared}",
    (
        "Weights go from the trainer to the server over NCCL, which does not connect two ranks on one device; and "
        "the memory of the engine is not free for training."
    ): "权重经 NCCL 从训练器发送到服务，而 NCCL 不能连接同一张卡上的两个 rank；引擎占用的显存训练也用不了。",
    "Give them different CUDA_VISIBLE_DEVICES, or set vllm_mode to colocate.": (
        "为它们设置不同的 CUDA_VISIBLE_DEVICES，或将 vllm_mode 设为 colocate。"
    ),
    (
        "Nobody when the run starts; the server may when the trainer connects: Attempting to use the same CUDA "
        "device for multiple distinct roles/ranks within the same communicator."
    ): (
        "启动时没有谁会拒绝；训练器连接时服务可能拒绝：Attempting to use the same CUDA device for multiple distinct roles/ranks within "
        "the same communicator。"
    ),
    # --- GRPO450 deepspeed-micro-batch-agrees
    'train_micro_batch_size_per_gpu of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 train_micro_batch_size_per_gpu 为 "auto" 或与运行一致'
    ),
    (
        "the DeepSpeed configuration says train_micro_batch_size_per_gpu {deepspeed_micro_batch}, but "
        "per_device_train_batch_size is {per_device_train_batch_size}"
    ): (
        "DeepSpeed 配置写的是 train_micro_batch_size_per_gpu {deepspeed_micro_batch}，但 per_device_train_batch_size 为 "
        "{per_device_train_batch_size}"
    ),
    (
        'A value of the DeepSpeed configuration that is not "auto" has to be the trainer\'s own. The trainer '
        "compares them only when training starts, after the model is loaded."
    ): 'DeepSpeed 配置中不是 "auto" 的值必须与训练器自己的值相同。训练器要到训练开始、模型加载之后才会比较。',
    (
        'Write "auto" for train_micro_batch_size_per_gpu in the DeepSpeed configuration, or make '
        "per_device_train_batch_size the same."
    ): '在 DeepSpeed 配置中将 train_micro_batch_size_per_gpu 写为 "auto"，或让 per_device_train_batch_size 与之相同。',
    # --- GRPO451 deepspeed-accumulation-agrees
    'gradient_accumulation_steps of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 gradient_accumulation_steps 为 "auto" 或与运行一致'
    ),
    (
        "the DeepSpeed configuration says gradient_accumulation_steps {deepspeed_accumulation}, but "
        "gradient_accumulation_steps is {accumulation}"
    ): (
        "DeepSpeed 配置写的是 gradient_accumulation_steps {deepspeed_accumulation}，但 gradient_accumulation_steps 为 "
        "{accumulation}"
    ),
    (
        'Write "auto" for gradient_accumulation_steps in the DeepSpeed configuration, or make '
        "gradient_accumulation_steps the same."
    ): '在 DeepSpeed 配置中将 gradient_accumulation_steps 写为 "auto"，或让 gradient_accumulation_steps 与之相同。',
    # --- GRPO452 deepspeed-batch-agrees
    'train_batch_size of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 train_batch_size 为 "auto" 或与运行一致'
    ),
    (
        "the DeepSpeed configuration says train_batch_size {deepspeed_batch}, but {per_device_train_batch_size} "
        "per device x {accumulation} accumulation steps x {world_size} processes make something else"
    ): (
        "DeepSpeed 配置写的是 train_batch_size {deepspeed_batch}，但每卡 {per_device_train_batch_size} x 梯度累积步数"
        " {accumulation} x {world_size} 个进程并不等于它"
    ),
    (
        'Write "auto" for train_batch_size in the DeepSpeed configuration, or make gradient_accumulation_steps '
        "the same."
    ): '在 DeepSpeed 配置中将 train_batch_size 写为 "auto"，或让 gradient_accumulation_steps 与之相符。',
    # --- GRPO453 deepspeed-clipping-agrees
    'gradient_clipping of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 gradient_clipping 为 "auto" 或与运行一致'
    ),
    (
        "the DeepSpeed configuration says gradient_clipping {deepspeed_clipping}, but max_grad_norm is {max_grad_norm}"
    ): "DeepSpeed 配置写的是 gradient_clipping {deepspeed_clipping}，但 max_grad_norm 为 {max_grad_norm}",
    'Write "auto" for gradient_clipping in the DeepSpeed configuration, or make max_grad_norm the same.': (
        '在 DeepSpeed 配置中将 gradient_clipping 写为 "auto"，或让 max_grad_norm 与之相同。'
    ),
    # --- GRPO454 deepspeed-learning-rate-agrees
    'optimizer.params.lr of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 optimizer.params.lr 为 "auto" 或与运行一致'
    ),
    (
        "the DeepSpeed configuration says optimizer.params.lr {deepspeed_learning_rate}, but learning_rate is "
        "{learning_rate}"
    ): "DeepSpeed 配置写的是 optimizer.params.lr {deepspeed_learning_rate}，但 learning_rate 为 {learning_rate}",
    'Write "auto" for optimizer.params.lr in the DeepSpeed configuration, or make learning_rate the same.': (
        '在 DeepSpeed 配置中将 optimizer.params.lr 写为 "auto"，或让 learning_rate 与之相同。'
    ),
    # --- GRPO455 deepspeed-weight-decay-agrees
    'optimizer.params.weight_decay of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 optimizer.params.weight_decay 为 "auto" 或与运行一致'
    ),
    (
        "the DeepSpeed configuration says optimizer.params.weight_decay {deepspeed_weight_decay}, but weight_decay "
        "is {weight_decay}"
    ): "DeepSpeed 配置写的是 optimizer.params.weight_decay {deepspeed_weight_decay}，但 weight_decay 为 {weight_decay}",
    (
        'Write "auto" for optimizer.params.weight_decay in the DeepSpeed configuration, or make weight_decay the same.'
    ): '在 DeepSpeed 配置中将 optimizer.params.weight_decay 写为 "auto"，或让 weight_decay 与之相同。',
    # --- GRPO456 deepspeed-epsilon-agrees
    'optimizer.params.eps of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 optimizer.params.eps 为 "auto" 或与运行一致'
    ),
    (
        "the DeepSpeed configuration says optimizer.params.eps {deepspeed_epsilon}, but adam_epsilon is {adam_epsilon}"
    ): "DeepSpeed 配置写的是 optimizer.params.eps {deepspeed_epsilon}，但 adam_epsilon 为 {adam_epsilon}",
    'Write "auto" for optimizer.params.eps in the DeepSpeed configuration, or make adam_epsilon the same.': (
        '在 DeepSpeed 配置中将 optimizer.params.eps 写为 "auto"，或让 adam_epsilon 与之相同。'
    ),
    # --- GRPO457 deepspeed-peak-rate-agrees
    'scheduler.params.warmup_max_lr of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 scheduler.params.warmup_max_lr 为 "auto" 或与运行一致'
    ),
    (
        "the DeepSpeed configuration says scheduler.params.warmup_max_lr {deepspeed_peak_rate}, but learning_rate "
        "is {learning_rate}"
    ): "DeepSpeed 配置写的是 scheduler.params.warmup_max_lr {deepspeed_peak_rate}，但 learning_rate 为 {learning_rate}",
    (
        'Write "auto" for scheduler.params.warmup_max_lr in the DeepSpeed configuration, or make learning_rate '
        "the same."
    ): '在 DeepSpeed 配置中将 scheduler.params.warmup_max_lr 写为 "auto"，或让 learning_rate 与之相同。',
    # --- GRPO458 deepspeed-half-precision-agrees
    'fp16.enabled of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 fp16.enabled 为 "auto" 或与运行一致'
    ),
    "the DeepSpeed configuration says fp16.enabled {deepspeed_fp16}, but fp16 is {fp16}": (
        "DeepSpeed 配置写的是 fp16.enabled {deepspeed_fp16}，但 fp16 为 {fp16}"
    ),
    'Write "auto" for fp16.enabled in the DeepSpeed configuration, or make fp16 the same.': (
        '在 DeepSpeed 配置中将 fp16.enabled 写为 "auto"，或让 fp16 与之相同。'
    ),
    # --- GRPO459 deepspeed-brain-float-agrees
    'bf16.enabled of the DeepSpeed configuration is "auto" or that of the run': (
        'DeepSpeed 配置中的 bf16.enabled 为 "auto" 或与运行一致'
    ),
    "the DeepSpeed configuration says bf16.enabled {deepspeed_bf16}, but bf16 is {bf16}": (
        "DeepSpeed 配置写的是 bf16.enabled {deepspeed_bf16}，但 bf16 为 {bf16}"
    ),
    'Write "auto" for bf16.enabled in the DeepSpeed configuration, or make bf16 the same.': (
        '在 DeepSpeed 配置中将 bf16.enabled 写为 "auto"，或让 bf16 与之相同。'
    ),
    # --- messages of single findings
    "{told}": "{told:text}",
    # --- GRPO460 flags-are-read
    "The training script reads the flags of its command": "训练脚本读取命令中的参数",
    "{program} parses a file and nothing of its command line: {flags} {are} without effect": (
        "{program} 只解析文件，不解析命令行：{flags:names} 不起作用"
    ),
    (
        "parse_yaml_file and parse_json_file read what the file says. Flags behind it are for parse_args_and_config, "
        "or for parse_args_into_dataclasses."
    ): "parse_yaml_file 和 parse_json_file 只读取文件的内容。命令行参数要由 parse_args_and_config 或 parse_args_into_dataclasses 读取。",
    "Nobody: the run starts with what the file says.": "没有谁会拒绝：运行以文件中的内容启动。",
    "Write the settings into the file, or let the script call TrlParser.parse_args_and_config().": (
        "把设置写进文件，或让脚本调用 TrlParser.parse_args_and_config()。"
    ),
    # --- GRPO461 named-file-exists
    "The file that a setting names exists": "设置所指的文件存在",
    "{key} names {file}, which is not in the repository{hint}": "{key} 指向 {file}，仓库中没有此文件{hint:text}",
    (
        "A run whose DeepSpeed, FSDP or accelerate configuration is missing ends when its arguments are read. The file "
        "may be made by somebody else, so this is a warning."
    ): "缺少 DeepSpeed、FSDP 或 accelerate 配置的运行，在读取参数时就会结束。文件可能由别处生成，因此这里只是警告。",
    (
        "The config class, when it opens the file. grpo-lint does not know what stands beside the repository, so that "
        "this is a warning."
    ): "配置类在打开文件时拒绝。grpo-lint 不知道仓库之外有什么，因此这里只是警告。",
    "Correct the path: it counts from the folder in which the run is started.": "改正路径：它从启动运行时所在的文件夹算起。",
    # --- GRPO462 named-file-is-json
    "The file that a setting names can be read": "设置所指的文件可以读取",
    "{key} names {file}, which {problem}": "{key} 指向 {file}，此文件{problem:text}",
    (
        "The configuration of DeepSpeed, of FSDP and of accelerate's data handling is a mapping in JSON: no comments, no "
        "comma behind the last item, no YAML."
    ): "DeepSpeed、FSDP 以及 accelerate 数据处理的配置是一个 JSON 映射：不能有注释，最后一项之后不能有逗号，也不能是 YAML。",
    "The config class, when it opens the file.": "配置类在打开文件时拒绝。",
    "Mend the file; `python -m json.tool FILE` says where it breaks.": "修正此文件；`python -m json.tool FILE` 会指出出错的位置。",
}
