"""Complete texts of reports: {English: Chinese}. See the room for what placeholders mean."""

from .commands import COMMANDS

PHRASES = {
    **COMMANDS,
    # --- the frame of a report
    "error": "错误",
    "warning": "警告",
    "info": "提示",
    "fix": "修复",
    "or": "或",
    "why": "原因",
    "when": "何时",
    "note": "注意",
    "from": "来自",
    "as in {place}": "与 {place} 相同",
    "and {number} more files": "等另外 {number} 个文件",
    "judged as {run:text}": "按 {run} 来判断",
    "{release:release} ({source:text}), {trainer}, number of processes unknown": "{release}（{source}）、{trainer}、进程数未知",
    "{release:release} ({source:text}), {trainer}, number of processes unknown, started by {place}": (
        "{release}（{source}）、{trainer}、进程数未知、由 {place} 启动"
    ),
    "{release:release} ({source:text}), {trainer}, {counts:text} ({from:source})": (
        "{release}（{source}）、{trainer}、{counts}（{from}）"
    ),
    "{release:release} ({source:text}), {trainer}, {counts:text} ({from:source}), started by {place}": (
        "{release}（{source}）、{trainer}、{counts}（{from}）、由 {place} 启动"
    ),
    "newest of {releases:list}, which know {keys:text}": "{releases} 中最新的，这些版本认识{keys}",
    "the only release that knows {keys:text}": "唯一认识{keys}的版本",
    "these keys": "这些键",
    "most of these keys": "其中大多数键",
    "these keys and which {pin} allows": "这些键，且 {pin} 允许",
    "most of these keys and which {pin} allows": "其中大多数键，且 {pin} 允许",
    "with {counts:text}": "使用 {counts} 时",
    "the search for fixes stopped early in this file: there may be more and better ones": (
        "在此文件中查找修复时提前停止：可能还有更多、更好的修复"
    ),
    # --- the last lines
    "no config of GRPO-family training found, {skipped:text} skipped (-v says why)": (
        "没有找到 GRPO 系列训练的配置，跳过 {skipped}（-v 会说明原因）"
    ),
    "{found:texts} in {checked:text} checked": "检查了 {checked}：{found}",
    "{found:texts} in {checked:text} checked, {skipped} skipped": "检查了 {checked}：{found}；跳过 {skipped} 个",
    "{found:texts} in {checked:text} checked, {known} known finding": "检查了 {checked}：{found}；已知结果 {known} 个",
    "{found:texts} in {checked:text} checked, {known} known findings": "检查了 {checked}：{found}；已知结果 {known} 个",
    "{found:texts} in {checked:text} checked, {skipped} skipped, {known} known finding": (
        "检查了 {checked}：{found}；跳过 {skipped} 个，已知结果 {known} 个"
    ),
    "{found:texts} in {checked:text} checked, {skipped} skipped, {known} known findings": (
        "检查了 {checked}：{found}；跳过 {skipped} 个，已知结果 {known} 个"
    ),
    "{fixed} fixed; {rest:text}": "修复了 {fixed} 个；{rest}",
    "no problems": "没有问题",
    "nothing found": "没有发现任何结果",
    "the run failed (standard error says why); {rest:text}": "本次运行失败（原因见标准错误输出）；{rest}",
    "{count} error": "{count} 个错误",
    "{count} errors": "{count} 个错误",
    "{count} warning": "{count} 个警告",
    "{count} warnings": "{count} 个警告",
    "{count} info": "{count} 个提示",
    "{count} infos": "{count} 个提示",
    "{count} file": "{count} 个文件",
    "{count} files": "{count} 个文件",
    "{safe} fixable with --fix": "可用 --fix 修复 {safe} 个",
    "{safe} fixable with --fix, {unsafe} more with --unsafe-fixes": (
        "可用 --fix 修复 {safe} 个，加上 --unsafe-fixes 可再修复 {unsafe} 个"
    ),
    "{unsafe} fixable with --fix --unsafe-fixes": "可用 --fix --unsafe-fixes 修复 {unsafe} 个",
    # --- who refuses it
    "{release} does not refuse this: the run starts": "{release} 不会拒绝：运行会启动",
    "{release} dies of this {when:text}": "{release} 会在{when}中断",
    '{release} dies of this {when:text}: "{words}"': "{release} 会在{when}中断：“{words}”",
    "{release} refuses this {when:text}": "{release} 会在{when}拒绝",
    '{release} refuses this {when:text}: "{words}"': "{release} 会在{when}拒绝：“{words}”",
    "nobody refuses it": "没有谁会拒绝",
    # --- when
    "when the file is read": "读取文件时",
    "when the config is built": "构建配置时",
    "when the trainer starts, after the model is loaded": "训练器启动时（模型已加载）",
    "after it has started": "启动之后",
    "in the first evaluation": "第一次评估时",
    "in the first rollout": "第一次 rollout 时",
    "in the first step": "第一步时",
    "in the first training step": "第一个训练步时",
    "in the first training step, which may not end": "在第一个训练步，且可能永远不会结束",
    "when its trainer is made, with Ray started": "在创建训练器时，此时 Ray 已启动",
    "in the first update": "第一次更新时",
    "in the first update, which never ends": "第一次更新时（永远不会结束）",
    "in the second rollout": "第二次 rollout 时",
    "when it generates for the first time": "第一次生成时",
    "when its workers start, with the GPUs taken": "各 worker 启动时（GPU 已占用）",
    "when its trainer is made, with Ray up and the data loaded": "构建训练器时（Ray 已启动，数据已加载）",
    "when the data is loaded": "加载数据时",
    "when the data loader is built": "构建数据加载器时",
    "when the engine is made": "创建引擎时",
    "when the first epoch is read": "读取第一个 epoch 时",
    "when the first loss is computed": "计算第一次损失时",
    "when the iterations are counted": "计算迭代次数时",
    "when the last processes take their devices": "最后几个进程占用卡时",
    "when the model is built": "构建模型时",
    "when the model is prepared": "准备模型时",
    "when the sampler is built": "构建采样器时",
    "when the schedule is made, after the model": "建立学习率调度时（模型已构建）",
    "when the trainer counts its steps": "训练器计算步数时",
    "when training starts, after the model is loaded": "训练开始时（模型已加载）",
    # --- pages
    "The page of this rule": "此规则的页面",
    "What it reports": "报告什么",
    "A run for which `{condition}`.": "满足 `{condition}` 的运行。",
    "Also called: {names}.": "又称：{names}。",
    "Why": "原因",
    "Example": "示例",
    "What to do": "如何解决",
    "Who refuses it, and when": "谁会拒绝，何时拒绝",
    "framework": "框架",
    "versions": "版本",
    "stage": "阶段",
    "in its own words": "框架的原文",
    "{since} and later": "{since} 及更高版本",
    "{since} - {until}": "{since} - {until}",
    "read": "读取",
    "config": "配置",
    "init": "初始化",
    "run": "运行",
    "never": "从不",
    "info or warning": "提示或警告",
    "`{name}` ({unit}): {meaning}": "`{name}`（{unit}）：{meaning}",
    "`{name}`: whether {meaning}": "`{name}`：是否满足“{meaning}”",
    "Where nobody refuses it, the run starts and grpo-lint reports a finding of severity {severity:text}.": (
        "没有谁拒绝时，运行会启动，grpo-lint 报告一个级别为“{severity}”的结果。"
    ),
    "{status:text}, since grpo-lint {version}.": "{status}，自 grpo-lint {version} 起。",
    "Stable": "稳定",
    "Preview": "预览",
    "Deprecated": "已弃用",
    # --- fixes and what they do
    "set {name:word} to {value}": "将 {name} 设为 {value}",
    "set {name:word} to {value} and {rest:text}": "将 {name} 设为 {value}，并{rest}",
    "set {variable}={value}": "设置 {variable}={value}",
    "remove {name:word}": "去掉 {name}",
    "remove {name:word} and {rest:text}": "去掉 {name}，并{rest}",
    "remove the comment": "去掉该注释",
    "rename {old:word} to {new:word}": "将 {old} 改名为 {new}",
    "run on {counts:text}": "使用 {counts} 运行",
    "start the run with `{command}`": "用 `{command}` 启动",
    "suppress {rules} only": "只屏蔽 {rules}",
    "put quotes around the items": "给列表项加上引号",
    "write `{text:word}` in front of {name:word}": "在 {name} 前写上 `{text}`",
    'write "no" in quotes': "给 no 加上引号",
    "write null": "写 null",
    "write {value:word}": "写 {value}",
    'write "auto" for {key} in the value of deepspeed': '在 deepspeed 的值中将 {key} 写为 "auto"',
    'write "auto" for {key} in {place:source}': '在 {place} 中将 {key} 写为 "auto"',
    "same completions per update": "每次更新的补全数不变",
    "{factor}x completions per update": "每次更新的补全数变为 {factor} 倍",
    "{share} of the completions per update": "每次更新的补全数变为 {share}",
    "groups of {after} instead of {before}": "组大小由 {before} 变为 {after}",
    "{after:number} update per rollout instead of {before:number}": "每次 rollout 的更新次数由 {before} 变为 {after}",
    "{after:number} updates per rollout instead of {before:number}": "每次 rollout 的更新次数由 {before} 变为 {after}",
    "same memory per GPU": "单卡显存不变",
    "less memory per GPU": "单卡显存减少",
    "more memory per GPU": "单卡显存增加",
    "leaves {rules:list}": "仍留下 {rules}",
    # --- processes
    "{count:number} process": "{count} 个进程",
    "{counts:list} processes": "{counts} 个进程",
    "{count:number} process only": "仅 {count} 个进程",
    "{count:number} processes only": "仅 {count} 个进程",
    "{count:number} or more processes": "{count} 个或更多进程",
    "{first:number} to {last:number} processes": "{first} 到 {last} 个进程",
    "multiples of {count:number} processes": "{count} 的整数倍",
    "{counts:list}, ... processes": "{counts}……个进程",
    # --- where a value comes from
    "comment": "注释",
    "comment in {path}": "{path} 中的注释",
    "command line": "命令行",
    "settings": "设置",
    "inferred": "推断",
    "follows from {names:list}": "由 {names} 得出",
    "flag": "命令行参数",
    "of the file": "此文件",
    "not set": "未设置",
    "plain python": "直接用 python 启动",
    "no {variable:word}": "没有 {variable}",
    "a setting of a fork": "某个分支版本的设置",
    "of the GPUs that generate": "只用于生成的 GPU 的设置",
    "key {names:list}": "键 {names}",
    "{variable} x {nodes:number} nodes": "{variable} x {nodes} 个节点",
    "{name:word} in {path:word}": "{path} 中的 {name}",
    "{companion}, which goes with {release}": "{companion}，与 {release} 相配",
    "{settings:list} is the default of {release}": "{settings} 是 {release} 的默认值",
    "{settings:list} are defaults of {release}": "{settings} 是 {release} 的默认值",
    "{name:word} {value:value} ({source:source})": "{name} {value}（{source}）",
    # --- settings without effect
    "{names:names} ({reason:idle})": "{names}（{reason}）",
    "max_steps is set": "设置了 max_steps",
    "use_vllm is off": "use_vllm 是关闭的",
    "vLLM is a server": "vLLM 是独立的服务",
    "nothing is evaluated": "不做评估",
    "tensor_model_parallel_size is 1": "tensor_model_parallel_size 为 1",
    "there is no validation set": "没有验证集",
    "disable_kl is on": "开启了 disable_kl",
    "beta is 0": "beta 为 0",
    "use_kl_loss is off": "use_kl_loss 是关闭的",
    "use_kl_in_reward is off": "use_kl_in_reward 是关闭的",
    "dynamic_sample is off": "dynamic_sample 是关闭的",
    "soft_overlong is not among the rewards": "奖励中没有 soft_overlong",
    "cosine is not among the rewards": "奖励中没有 cosine",
    "repetition is not among the rewards": "奖励中没有 repetition",
    "the vLLM server is told this itself": "应在 vLLM 服务一侧设置",
    "Megatron-SWIFT reads no reward models": "Megatron-SWIFT 不读取奖励模型",
    # --- what a finding hinges on
    "judged by the rules of {release}, the newest known release": "按已知的最新版本 {release} 的规则判断",
    "taking {package} {version} to be installed beside {release}": "假定与 {release} 一起安装的是 {package} {version}",
    "taking the training script to do with it what {framework}'s own does": "假定训练脚本的处理与 {framework} 自带的脚本相同",
    "taking the training script to use it as {framework}'s own does": "假定训练脚本的用法与 {framework} 自带的脚本相同",
    "taking what reads the sections {names:list} to hand these keys to {framework}": (
        "假定读取 {names} 这些分区的程序会把这些键交给 {framework}"
    ),
    "taking {reader:list} to hand these keys to {framework}": "假定 {reader} 会把这些键交给 {framework}",
    "taking the files of {framework} to be those of that release, for they are not here": (
        "假定 {framework} 的文件就是该版本所带的，因为这里没有这些文件"
    ),
    "taking the processes to be those of {place:source}": "假定进程数与 {place} 中的相同",
    "unless the arguments that the script passes on say something else": "除非脚本转交的参数另有规定",
    "not all of {program} was read": "{program} 没有全部读取",
    "{key:word} stands in {place:source}": "{key} 位于 {place}",
    "in the run that {place:source} starts": "在 {place} 启动的运行中",
    "line {line:number}": "第 {line} 行",
    "{name:word} is at its default of {value:word}, for {key:word} is not read": (
        "{name} 取默认值 {value}，因为 {key} 不会被读取"
    ),
    "with {framework:word} {releases:list}": "使用 {framework} {releases} 时",
    "{source} pins {version:word}": "{source} 锁定的是 {version}",
    "{program} reads {class}, which is not here and may have other defaults": "{program} 读取的 {class} 不在这里，其默认值可能不同",
    "{program} has defaults of its own for {names:list}": "{program} 为 {names} 设了自己的默认值",
    "{program} sets {names:list} itself": "{program} 自己设置 {names}",
    "{program} trains with {trainer}": "{program} 用 {trainer} 训练",
    "{program} trains with {trainer}, which is none of {framework}'s, but checks something like this": (
        "{program} 用 {trainer} 训练，它不是 {framework} 的训练器，但会做类似的检查"
    ),
    "{program} may as well be {rival}, which trains otherwise": "{program} 也可能是 {rival}，后者的训练方式不同",
    "{program} trains with {trainer}, which may be none of {framework}'s": (
        "{program} 用 {trainer} 训练，它可能不是 {framework} 的训练器"
    ),
    "{key:word} is not in the file and taken to be {value:word}": "文件中没有 {key}，假定为 {value}",
    "refused by {releases:list}": "{releases} 会拒绝",
    "refused by {releases:list}, accepted by {others:list}": "{releases} 会拒绝，{others} 接受",
    "no number of processes up to {most} satisfies every constraint; the numbers are those for {counts:text}": (
        "在 {most} 以内没有满足所有约束的进程数；这里的数值对应 {counts}"
    ),
    "no number of processes up to {most} satisfies every constraint": "在 {most} 以内没有满足所有约束的进程数",
    "the numbers are those for {counts:text}": "这里的数值对应 {counts}",
    "on every number of processes up to {most}": "在 {most} 以内的任何进程数下都如此",
    "the launcher of `trl grpo` builds the config with 1 process before it starts the workers": (
        "`trl grpo` 的启动器在启动 worker 之前，会以 1 个进程构建配置"
    ),
    # --- keys
    "came with {release}": "从 {release} 起才有",
    "is gone since {release}": "从 {release} 起已取消",
    "that came with {release}": "从 {release} 起才有",
    "that came with {release}; an older trainer of this name is not checked": "从 {release} 起才有；不检查更早的同名训练器",
    "the parser refuses it": "解析器会拒绝它",
    "the parser refuses them": "解析器会拒绝它们",
    "the parser of {program} refuses it": "{program} 的解析器会拒绝它",
    "the parser of {program} refuses them": "{program} 的解析器会拒绝它们",
    "the parser refuses it, unless the training script declares it": "解析器会拒绝它，除非训练脚本声明了它",
    "the parser refuses them, unless the training script declares them": "解析器会拒绝它们，除非训练脚本声明了它们",
    "the config class refuses it": "配置类会拒绝它",
    "the config class refuses them": "配置类会拒绝它们",
    "accelerate launch, which is handed what TRL does not know, refuses it": (
        "TRL 把不认识的内容转交给 accelerate launch，后者会拒绝它"
    ),
    "accelerate launch, which is handed what TRL does not know, refuses them": (
        "TRL 把不认识的内容转交给 accelerate launch，后者会拒绝它们"
    ),
    "accelerate launch": "accelerate launch 会拒绝",
    "it is dropped without a word": "它会被不作声地丢弃",
    "they are dropped without a word": "它们会被不作声地丢弃",
    "TRL's own script drops it and TrlParser in a script of one's own refuses it by default": (
        "TRL 自带的脚本会丢弃它，自己的脚本中的 TrlParser 默认会拒绝它"
    ),
    "TRL's own script drops them and TrlParser in a script of one's own refuses them by default": (
        "TRL 自带的脚本会丢弃它们，自己的脚本中的 TrlParser 默认会拒绝它们"
    ),
    "ignore_args_error is on, so it is dropped": "开启了 ignore_args_error，因此它会被丢弃",
    "ignore_args_error is on, so they are dropped": "开启了 ignore_args_error，因此它们会被丢弃",
    "under Ray it is dropped, and a line of the log says so": "在 Ray 下它会被丢弃，日志中有一行说明",
    "under Ray it is dropped": "在 Ray 下它会被丢弃",
    "under Ray they are dropped": "在 Ray 下它们会被丢弃",
    "ignore_args_error is on": "开启了 ignore_args_error",
    "Hydra refuses it": "Hydra 会拒绝它",
    "Hydra refuses it when the command line is read": "Hydra 在读取命令行时会拒绝它",
    "Hydra refuses them when the command line is read": "Hydra 在读取命令行时会拒绝它们",
    "OmegaConf refuses it before anything is started": "OmegaConf 在启动任何东西之前就会拒绝它",
    "OmegaConf refuses them before anything is started": "OmegaConf 在启动任何东西之前就会拒绝它们",
    "its dataclass refuses it when the config is checked": "它的 dataclass 在检查配置时会拒绝它",
    "its dataclass refuses it when the workers start": "它的 dataclass 在 worker 启动时会拒绝它",
    "this version's YAML loader refuses the file": "此版本的 YAML 加载器会拒绝该文件",
    "with the same value, {value}": "两处的值相同，都是 {value}",
    "the last one, {last}, counts and {first} has no effect": "以最后的 {last} 为准，{first} 不起作用",
    "; a list needs brackets": "；列表要写方括号",
    "; it is a part of a value that needs double quotes": "；它是一个需要加双引号的值的一部分",
    '; write "no" in quotes': "；给 no 加上引号",
    "; did you mean {name:word}, which {history:text} ({remark:text})?": "；是否想写 {name}？它{history}（{remark}）",
    "; did you mean {name}?": "；是否想写 {name}？",
    "; accelerate {first} to {last} were asked": "；已对照 accelerate {first} 至 {last}",
    "; it is now {name:word}": "；现在是 {name}",
    "; here it is still {name:word}": "；在此版本中仍是 {name}",
    "; it looks like a second spelling of {name:word}, which stands here as well": (
        "；它像是 {name} 的另一种写法，而后者在这里也写了"
    ),
    "; cut long prompts when the data set is made": "；请在制作数据集时截断过长的提示",
    "; choose the GPUs of vLLM when its server is started, or use vllm_mode: colocate": (
        "；请在启动 vLLM 服务时选择它的 GPU，或使用 vllm_mode: colocate"
    ),
    "; nothing took its place": "；没有取代它的键",
    "First {change:text}; what is left then is about its value.": "先{change}；此后剩下的才与它的取值有关。",
    "Save it as UTF-8.": "将它另存为 UTF-8。",
    "this file is UTF-16, and {framework:word} opens it as UTF-8: that fails": (
        "这个文件是 UTF-16，而 {framework} 按 UTF-8 打开它，因此会失败"
    ),
    "taking {framework:word} to read this file itself": "假定由 {framework} 自己读取这个文件",
    "Install {release:release} or newer, or remove it.": "安装 {release} 或更高版本，或去掉它。",
    "Install {release:release} or newer, or remove them.": "安装 {release} 或更高版本，或去掉它们。",
    "Install {release:text}, or remove it.": "安装 {release}，或去掉它。",
    "Install {release:text}, or remove them.": "安装 {release}，或去掉它们。",
    "; from transformers 5 on a warmup_steps below 1 is a part of all steps": (
        "；从 transformers 5 起，小于 1 的 warmup_steps 表示占总步数的比例"
    ),
    "; it is per_device_train_batch_size x gradient_accumulation_steps x processes": (
        "；它等于 per_device_train_batch_size x gradient_accumulation_steps x 进程数"
    ),
    "; `grpo-lint rule` lists them": "；`grpo-lint rule` 会列出所有规则",
    # --- values
    "{what:text} where {wanted:or} belongs": "{what}，而这里应为{wanted}",
    "{what:text} where {wanted:or} belongs: nobody converts it": "{what}，而这里应为{wanted}：没有谁会转换它",
    "{what:text}, and takes {wanted:or}": "{what}，而它应为{wanted}",
    "{words:number} words where {wanted:or} belongs: the parser has no place for the others": (
        "{words} 个词，而这里应为{wanted}：解析器容不下其余的词"
    ),
    "{words:number} words where {wanted:or} belongs: the parser has no place for the others; in quotes they are one": (
        "{words} 个词，而这里应为{wanted}：解析器容不下其余的词；加上引号就是一个"
    ),
    "{value}, which the parser does not convert, where {wanted:or} belongs": "{value}（解析器不会转换），而这里应为{wanted}",
    "a list of {count:number} where one value belongs: all but the first are unknown arguments,": (
        "有 {count} 项的列表，而这里应为一个值：除第一项外都是未知的参数"
    ),
    "an empty list, but a flag needs at least one value,": "空列表，而命令行参数至少需要一个值",
    "a value where none can be given: the parser cannot read this field from a flag": (
        "一个值，而这里不能给出值：解析器无法从命令行参数读取此字段"
    ),
    "a mapping of one entry, of which the first is taken as if it were a list": "只有一项的映射，会被当作列表取其第一项",
    "a mapping with the key {name:word}, which is one of generate() and which vLLM does not take": (
        "含有键 {name} 的映射：它是 generate() 的参数，而 vLLM 不接受"
    ),
    "a mapping with {problem:text}: a data set has {names}": "含有{problem}的映射：数据集的键有 {names}",
    "{what:text} in a list of mappings": "映射列表中的{what}",
    "the unknown key {key}": "未知的键 {key}",
    "no path": "没有 path",
    "a fraction for some of the data sets: all of them have one, or none": (
        "只有部分数据集写了 fraction：要么都写，要么都不写"
    ),
    "the text {text}, which begins like JSON and is none": "文本 {text}，开头像 JSON，却不是 JSON",
    "the text {text}": "文本 {text}",
    "null": "null",
    "a collection": "集合",
    "an empty text": "空文本",
    "a list": "列表",
    "a mapping": "映射",
    "a text": "文本",
    "a path": "路径",
    "a binary value": "二进制值",
    "a number": "数值",
    "a whole number": "整数",
    "one value": "一个值",
    "true or false": " true 或 false",
    "true": "true",
    "false": "false",
    "a list of mappings": "映射的列表",
    "auto, none": " auto、none ",
    "a mapping belongs (or its JSON, or a file that holds it)": "映射（或它的 JSON，或含有它的文件）",
    # --- files
    "{framework} reads a mapping of keys to values; this file is a list": (
        "{framework} 读取的是从键到值的映射；此文件是一个列表"
    ),
    "{framework} reads a mapping of keys to values; this file is empty": (
        "{framework} 读取的是从键到值的映射；此文件是空的"
    ),
    "{framework} reads a mapping of keys to values; this file is {what:text}": (
        "{framework} 读取的是从键到值的映射；此文件是{what}"
    ),
    "as its first argument": "作为第一个参数",
    "behind --config": "写在 --config 之后",
    "the line above does not end in a backslash": "上一行没有以反斜杠结尾",
    "a blank stands behind the backslash of the line above, and the command ends there": (
        "上一行的反斜杠后面有空格，命令在那里结束"
    ),
    "a comment line ends the command above it": "注释行结束了它上方的命令",
    "an empty line ends the command above it": "空行结束了它上方的命令",
    "the run in line {line} never starts": "第 {line} 行的运行永远不会开始",
    "what stands above it has run by then": "此前的命令那时已经执行",
    "this {what} is never closed: `{closer}` is missing": "这个 {what} 没有结束：缺少 `{closer}`",
    "the lines end in CRLF, which bash takes for a part of the last word": (
        "行尾是 CRLF，bash 会把它当作最后一个词的一部分"
    ),
    "a NUL byte: bash drops it": "NUL 字节：bash 会丢弃它",
    "the control character U+{number} is not allowed in YAML": "YAML 中不允许控制字符 U+{number}",
    "a second YAML document begins here, but a config is a single one": (
        "这里开始了第二个 YAML 文档，而配置只能是一个文档"
    ),
    "PyYAML cannot read this file: {words}": "PyYAML 无法读取此文件：{words}",
    "{sentence:text} (PyYAML: {words})": "{sentence}（PyYAML：{words}）",
    "this is not valid YAML": "这不是合法的 YAML",
    "a tab stands where YAML only allows spaces": "这里是制表符，而 YAML 只允许空格",
    "a value that begins with this character needs quotes": "以此字符开头的值需要加引号",
    "this line is no `key: value` and does not continue a value": "此行不是 `key: value`，也不是上一个值的延续",
    (
        "a key is not possible here: either the value before has a `: ` in it and needs quotes, or the line is "
        "indented deeper than its neighbours"
    ): "这里不能出现键：可能是前面的值中含有 `: ` 而需要加引号，也可能是此行比相邻的行缩进更深",
    "a list item is not possible here: its `- ` needs an own line": "这里不能出现列表项：`- ` 须另起一行",
    "a `? ` key is not possible here": "这里不能出现 `? ` 形式的键",
    "this quote is never closed": "这个引号没有结束",
    "`{escape}` means nothing in double quotes: double the backslash or use single quotes": (
        "`{escape}` 在双引号中没有意义：请写两个反斜杠，或改用单引号"
    ),
    "this collection lacks a comma or its closing `{closer}`": "这个集合缺少逗号，或缺少结尾的 `{closer}`",
    "a `[` or `{opening}` is still open at the end": "到结尾处仍有 `[` 或 `{opening}` 没有结束",
    "a value is expected here, not `{found}`": "这里应为一个值，而不是 `{found}`",
    "this `{closer}` closes nothing": "这个 `{closer}` 没有对应的开头",
    "this line is indented differently from the lines it belongs to": "此行的缩进与它所属的各行不同",
    "this does not belong to what is before it: a quote ends too early, or the indentation is off": (
        "这与前面的内容不相连：可能是引号过早结束，或缩进不对"
    ),
    "after `|` or `>` the text begins on the next line": "在 `|` 或 `>` 之后，文本从下一行开始",
    "this is no proper beginning of a block text": "块文本的开头不正确",
    "YAML takes this for an {what}; to be a value it needs quotes": "YAML 会把它当作 {what}；若是一个值，须加引号",
    "YAML takes this for a tag; to be a value it needs quotes": "YAML 会把它当作标签；若是一个值，须加引号",
    "YAML cannot read this directive, a line that begins with `%`": "YAML 无法读取这条指令（以 `%` 开头的行）",
    "the YAML document ends before this text, which belongs to nothing": "YAML 文档在此之前已结束，这段文本不属于任何内容",
    # --- comments of ours
    "{fact:word} is {value} here, but the command in line {line} starts the run with {count} ({source:source}), which counts": (
        "这里的 {fact} 为 {value}，但第 {line} 行的命令以 {count} 启动运行（{source}），以后者为准"
    ),
    "unknown fact {name}; did you mean {meant}?": "未知的事实 {name}；是否想写 {meant}？",
    "unknown fact {name}": "未知的事实 {name}",
    "there is no rule {name:word}{hint:hint}": "没有规则 {name}{hint}",
    "{verb:word} needs a rule: {example:word}; without one it would hide what nobody has seen yet": (
        "{verb} 须写明规则：{example}；否则会屏蔽还没有人看到过的结果"
    ),
    "{verb:word} has no end: write {example}": "{verb} 没有结束：应写 {example}",
    "{fact:word} is given twice; {value} counts": "{fact} 写了两次；以 {value} 为准",
    "{fact:word} is a whole number greater than 0, or several of them": "{fact} 应为大于 0 的整数，或多个这样的整数",
    "{fact:word} is a whole number greater than 0, not {value}": "{fact} 应为大于 0 的整数，而不是 {value}",
    "{fact:word} is a whole number greater than 0, not {value}; give their number": (
        "{fact} 应为大于 0 的整数，而不是 {value}；请给出它们的个数"
    ),
    "{fact:word} is a whole number, 0 or greater, not {value}": "{fact} 应为不小于 0 的整数，而不是 {value}",
    "{fact:word} holds {most:number} numbers at most, not {count:number}": "{fact} 最多 {most} 个数，而不是 {count} 个",
    "{fact:word} is a release such as 1.16.0, 1.16 or latest, not {value}": "{fact} 应为 1.16.0、1.16 或 latest 这样的版本，而不是 {value}",
    "{fact:word} needs quotes: a number loses its last zero; write {example}": "{fact} 要加引号：数字会丢掉末尾的零；请写 {example}",
    "cannot be read: it is a link to {target}, which is not there": "无法读取：它是指向 {target} 的链接，而后者不存在",
    "cannot be read: it is a link to {target} in the submodule {name}, which is not there": (
        "无法读取：它是指向子模块 {name} 中的 {target} 的链接，而后者不存在"
    ),
    "cannot be read: it is a pipe": "无法读取：它是管道",
    "cannot be read: {reason}": "无法读取：{reason}",
    "{fact:word} is one of {choices}, not {value}; did you mean {meant}?": "{fact} 应为 {choices} 之一，而不是 {value}；是否想写 {meant}？",
    "{fact:word} is one of {choices}, not {value}": "{fact} 应为 {choices} 之一，而不是 {value}",
    "expect needs name=value, such as completions_per_update=512": "expect 须写成 name=value，例如 completions_per_update=512",
    "whether {rule:template} cannot be told without {names:list}": "没有 {names}，无法判断是否满足“{rule}”",
    "whether {rule:template} cannot be told from these values": "由这些值无法判断是否满足“{rule}”",
    "{rule:template} on {counts:counts}": "在以下进程数时满足“{rule}”：{counts}",
    "this run has no {quantity:word}, which its file expects": "此运行没有文件所预期的 {quantity}",
    # the message of a limit is filled afterwards
    "{quantity:word} is {shown:word}, and is expected to be {limits:and}": "{quantity} 为 {shown}，而预期为{limits}",
    "{quantity:word} is {shown:word}, and must be {limits:and}": "{quantity} 为 {shown}，必须{limits}",
    "at most {limit:word}": "不大于 {limit}",
    "at least {limit:word}": "不小于 {limit}",
    "a multiple of {limit:word}": "是 {limit} 的整数倍",
    "one of {values:list}": "是 {values} 之一",
    # --- units
    "batches": "批",
    "completions": "补全",
    "engines": "引擎",
    "epochs": "epoch",
    "GPUs": "GPU",
    "micro steps": "微步",
    "processes": "进程",
    "prompts": "提示",
    "ranks": "rank",
    "heads": "头",
    "layers": "层",
    "experts": "专家",
    "rollouts": "rollout",
    "rows": "行",
    "tokens": "token",
    "updates": "更新",
    # --- what quantities mean
    "data-parallel ranks: copies of the model that are trained side by side": "数据并行大小：同时训练的模型副本数",
    "processes that share one copy of the model": "共同持有一个模型副本的进程数",
    "processes that share one copy of the experts": "共同持有一份专家的进程数",
    "the smallest of the parallel sizes; each must be at least 1": "各并行大小中最小的一个；每个至少为 1",
    "the first or last pipeline stage has a number of layers of its own": "第一个或最后一个流水线阶段另有层数",
    "that one engine takes, all of its copies of the model together": "一个引擎占用的 GPU 数，含它的所有模型副本",
    "the engines that generate run on the GPUs that train": "用于生成的引擎运行在训练所用的 GPU 上",
    "attention heads of the model on each rank of tensor parallelism": "每个张量并行 rank 上的模型注意力头数",
    "layers of the model in each stage of the pipeline": "每个流水线阶段的模型层数",
    "experts of the model on each rank of expert parallelism, in a layer": "每层中每个专家并行 rank 上的专家数",
    "copies of the experts; expert parallelism does not change dp_size": "专家的副本数；专家并行不改变 dp_size",
    "that generate side by side": "同时生成的引擎数",
    "that share one engine": "共用一个引擎的进程数",
    "what one process takes in one micro step": "一个进程在一个微步中处理的补全数",
    "whose gradients make one update": "一次更新所累积的微步数",
    "one micro step over all data-parallel ranks": "一个微步中所有数据并行 rank 合计的补全数",
    "behind one update of the weights": "一次权重更新所用的数量",
    "of an update, for each data-parallel rank": "一次更新中每个数据并行 rank 分到的数量",
    "one micro step of one GPU takes, where batches are made of tokens": "批次按 token 组成时，单卡一个微步处理的 token 数",
    "a reference model is kept beside the policy": "除策略模型外还有参考模型",
    "a critic is trained beside the policy": "除策略模型外还训练 critic",
    "of one prompt, compared with each other": "同一提示的补全数，它们相互比较",
    "a teacher model gives the signal, so a group of 1 is legal": "信号由教师模型给出，因此组大小可以为 1",
    "what steps_per_generation makes of a rollout": "由 steps_per_generation 得出的 rollout 大小",
    "generated before training goes on": "继续训练之前生成的补全数",
    "a rollout is made of": "一次 rollout 的提示数",
    "of a rollout, for each data-parallel rank": "一次 rollout 中每个数据并行 rank 分到的数量",
    "of a rollout, for each process": "一次 rollout 中每个进程分到的数量",
    "of micro_batch prompts that a rank draws for one rollout": "一个 rank 在一次 rollout 中取的批数，每批 micro_batch 个提示",
    "that the processes of one copy of the model gather": "一个模型副本的各进程汇集的补全数",
    "that the prompts of one copy of the model make": "一个模型副本的提示所对应的补全数",
    "of a rollout, for each engine": "一次 rollout 中每个引擎分到的数量",
    "in which a rollout is used up once": "把一次 rollout 用完一遍的微步数",
    "for which a rollout is used": "一次 rollout 所供的更新次数",
    "the weights that made a rollout are those that every update from it begins with": (
        "生成 rollout 所用的权重，就是由它而来的每次更新开始时的权重"
    ),
    "of a rollout, dummies included": "一次 rollout 的补全数，含占位补全",
    "dummies that fill a rollout up to whole updates": "把一次 rollout 补齐为完整更新的占位补全数",
    "the evaluation strategy asks for it": "评估策略要求评估",
    "the file names a validation set": "文件写明了验证集",
    "the file names an evaluation set": "文件写明了评估集",
    "the file names a cached validation set": "文件写明了缓存的验证集",
    "some of the training rows are kept back for evaluation": "从训练集中留出一部分用于评估",
    "the run evaluates": "运行会做评估",
    "of one prompt when the run evaluates": "评估时同一提示的补全数",
    "one evaluation batch over all processes": "所有进程合计的一个评估批次",
    "of micro_batch prompts that a rank draws for one evaluation batch": (
        "一个 rank 在一个评估批次中取的批数，每批 micro_batch 个提示"
    ),
    "of an evaluation batch, for one copy of the model": "一个评估批次中一个模型副本分到的数量",
    "that the run evaluates on": "用于评估的行数",
    "of one evaluation": "一次评估的批数",
    "that are trained on": "用于训练的行数",
    "the sampler hands out at once; what does not fill them is dropped": "采样器一次给出的提示数；凑不满的会被丢弃",
    "that fill whole batches of the sampler": "凑满采样器完整批次的行数",
    "of every epoch that fill no whole batch of the sampler, and are not trained on in it": (
        "每个 epoch 中凑不满采样器批次、因而没有用于训练的行数"
    ),
    "one pass through the data makes: rows times group": "数据过一遍产生的补全数：行数乘以组大小",
    "that an epoch makes": "一个 epoch 的 rollout 次数",
    "of an epoch when each rollout is gone through once; num_iterations is not in it": (
        "每次 rollout 只用一遍时一个 epoch 的微步数；不含 num_iterations"
    ),
    "that the framework counts for an epoch": "框架为一个 epoch 计算的数量",
    "that an epoch really has": "一个 epoch 实际的数量",
    "that are asked for": "所要求的 epoch 数",
    "that are begun": "已经开始的 epoch 数",
    "that the given number of updates covers": "给定的更新次数所覆盖的 epoch 数",
    "that an epoch really takes": "一个 epoch 实际的更新次数",
    "that the run makes": "整个运行的 rollout 次数",
    "that the framework announces": "框架宣布的更新次数",
    "that the run really takes": "运行实际的更新次数",
    # --- explain: the answer
    "This run does not start: {what} ({code}).": "此运行无法启动：{what}（{code}）。",
    "This run dies: {what} ({code}).": "此运行会中断：{what}（{code}）。",
    "This run does not start: {what} ({code}, and {more:number} more).": "此运行无法启动：{what}（{code}，另有 {more} 处）。",
    "This run dies: {what} ({code}, and {more:number} more).": "此运行会中断：{what}（{code}，另有 {more} 处）。",
    "It runs on {counts:text}.": "可用的进程数：{counts}。",
    "One update learns from {completions:things}, in groups of {group}.": (
        "一次更新用 {completions} 条补全，组大小为 {group}。"
    ),
    "One update learns from {completions:things}.": "一次更新用 {completions} 条补全。",
    "One update learns from {completions:things}: {prompts:things} x {group}.": (
        "一次更新用 {completions} 条补全：{prompts} 个提示 x {group}。"
    ),
    "One rollout makes {completions:things}.": "一次 rollout 生成 {completions} 条补全。",
    "One rollout makes {completions:things} on {processes:things}.": (
        "一次 rollout 在 {processes} 个进程上生成 {completions} 条补全。"
    ),
    "One rollout makes {completions:things} and is used for {updates:things}.": (
        "一次 rollout 生成 {completions} 条补全，用于 {updates} 次更新。"
    ),
    "One rollout makes {completions:things} on {processes:things} and is used for {updates:things}.": (
        "一次 rollout 在 {processes} 个进程上生成 {completions} 条补全，用于 {updates} 次更新。"
    ),
    "One rollout makes {completions:things} and is used for {updates:things} ({policy:text}).": (
        "一次 rollout 生成 {completions} 条补全，用于 {updates} 次更新（{policy}）。"
    ),
    "One rollout makes {completions:things} on {processes:things} and is used for {updates:things} ({policy:text}).": (
        "一次 rollout 在 {processes} 个进程上生成 {completions} 条补全，用于 {updates} 次更新（{policy}）。"
    ),
    "One rollout makes {completions:things}; it takes {rollouts} rollouts for 1 update (on-policy).": (
        "一次 rollout 生成 {completions} 条补全；{rollouts} 次 rollout 才构成一次更新（on-policy）。"
    ),
    "One rollout makes {completions:things} on {processes:things}; it takes {rollouts} rollouts for 1 update (on-policy).": (
        "一次 rollout 在 {processes} 个进程上生成 {completions} 条补全；{rollouts} 次 rollout 才构成一次更新（on-policy）。"
    ),
    "on-policy": "on-policy",
    "off-policy: the next rollout is made while this one is trained on": "off-policy：训练这次 rollout 的同时生成下一次",
    "off-policy from its 2nd update on": "从第 2 次更新起为 off-policy",
    "from its 2nd update on": "从第 2 次更新起",
    ": the next rollout is made while this one is trained on": "训练这次 rollout 的同时生成下一次",
    "The run takes {updates:things}.": "整个运行有 {updates} 次更新。",
    "An epoch is as many updates as there are rows.": "一个 epoch 的更新次数与行数相同。",
    "An epoch is as many updates as there are rows, {total} in all.": "一个 epoch 的更新次数与行数相同，总共 {total} 次。",
    "An epoch is {updates:things}, rounded up.": "一个 epoch 有 {updates} 次更新（向上取整）。",
    "An epoch is {updates:things}, rounded up, {total} in all.": "一个 epoch 有 {updates} 次更新（向上取整），总共 {total} 次。",
    "An epoch is {updates:things}.": "一个 epoch 有 {updates} 次更新。",
    "An epoch is {updates:things}, {total} in all.": "一个 epoch 有 {updates} 次更新，总共 {total} 次。",
    "{rows:things} are {updates:things} an epoch.": "{rows} 行数据，一个 epoch 有 {updates} 次更新。",
    "{rows:things} are {updates:things} an epoch{total:total}.": "{rows} 行数据，一个 epoch 有 {updates} 次更新{total}。",
    "{rows:things} are {updates:things} an epoch{total:total}; {dropped} are dropped.": (
        "{rows} 行数据，一个 epoch 有 {updates} 次更新{total}；不丢弃任何行。"
    ),
    "{rows:things} are {updates:things} an epoch; {dropped} rows are dropped.": (
        "{rows} 行数据，一个 epoch 有 {updates} 次更新；不丢弃任何行。"
    ),
    "{rows:things} are {updates:things} an epoch; {dropped:things} is dropped in each.": (
        "{rows} 行数据，一个 epoch 有 {updates} 次更新；每个 epoch 丢弃 {dropped} 行。"
    ),
    "{rows:things} are {updates:things} an epoch; {dropped:things} are dropped in each.": (
        "{rows} 行数据，一个 epoch 有 {updates} 次更新；每个 epoch 丢弃 {dropped} 行。"
    ),
    "{rows:things} are {updates:things} an epoch{total:total}; {dropped:things} is dropped in each.": (
        "{rows} 行数据，一个 epoch 有 {updates} 次更新{total}；每个 epoch 丢弃 {dropped} 行。"
    ),
    "{rows:things} are {updates:things} an epoch{total:total}; {dropped:things} are dropped in each.": (
        "{rows} 行数据，一个 epoch 有 {updates} 次更新{total}；每个 epoch 丢弃 {dropped} 行。"
    ),
    ", {total} in all": "，总共 {total} 次",
    ", {total} in all ({epochs} epochs)": "，总共 {total} 次（{epochs} 个 epoch）",
    ", {total} in all, of which the run takes {taken}": "，总共 {total} 次，实际走 {taken} 次",
    ", {total} in all ({epochs} epochs), of which the run takes {taken}": (
        "，总共 {total} 次（{epochs} 个 epoch），实际走 {taken} 次"
    ),
    "Batch sizes count completions: {rows} rows x {group} = {completions} of them.": (
        "批次大小以补全计：{rows} 行 x {group} = {completions} 条。"
    ),
    "Batch sizes count completions: {rows} rows x {group} = {completions} of them ({kept} of {all} are kept back for evaluation).": (
        "批次大小以补全计：{rows} 行 x {group} = {completions} 条（{all} 行中留出 {kept} 行用于评估）。"
    ),
    # --- explain: the tables
    "given": "给定的值",
    "training batch": "训练批次",
    "rollout": "rollout",
    "evaluation": "评估",
    "epochs and updates": "epoch 与更新",
    "not evaluated: {setting:word} is no": "不做评估：{setting} 为 no",
    "not evaluated: under Ray nothing is": "不做评估：使用 Ray 时都不评估",
    "not evaluated: there is no evaluation set": "不做评估：没有评估集",
    "recognised: {why}": "识别依据：{why}",
    "starts: {command}": "启动：{command}",
    "yes": "是",
    "no": "否",
    "unknown": "未知",
    "{count:number} item": "{count} 项",
    "{count:number} items": "{count} 项",
    "{source:source}, line {line:number}": "{source}，第 {line} 行",
    "{source:source}, in place of {value} in {place:source}": "{source}，取代 {value}（{place}）",
    "overridden": "被覆盖",
    "{place:source}, overridden": "{place}，被覆盖",
    "default of {release}": "{release} 的默认值",
    "its value is refused ({code:word})": "它的值会被拒绝（{code}）",
    "something else fills it in": "由别处填入",
    "defaults name a file that is not known: {element}": "defaults 列出了一个未知的文件：{element}",
    "say it with {option:word} or in a comment": "用 {option} 或在注释中写明",
    "say it with {name:word}=": "用 {name}= 写明",
    "say it with --{option}, or in a comment": "用 --{option} 或在注释中写明",
    "on {nodes} nodes": "在 {nodes} 个节点上",
    "on 1 node": "在 1 个节点上",
    "needs {names:list}": "需要 {names}",
    "cannot be computed from these values": "由这些值算不出",
    "{setting:word} is not set": "未设置 {setting}",
    "{setting:word} is empty": "{setting} 为空",
    "{setting:word} is {value}": "{setting} 为 {value}",
    "{setting:word} is {count:number} item": "{setting} 有 {count} 项",
    "{setting:word} is {count:number} items": "{setting} 有 {count} 项",
    "{codes:list} is about this": "{codes} 与此有关",
    "checks that {release} makes {when:text}": "{release} 在{when}所做的检查",
    "checks that {release} does not make": "{release} 不做的检查",
    "ok": "通过",
    "fails": "不通过",
    "not enforced": "不强制",
    "open": "未定",
    "constraint {number}": "约束 {number}",
    "N: the number of processes, told by --{option} or a comment": "N：进程数，由 --{option} 或注释给出",
    "rows: the rows of the data set, told by --{option} or a comment": "rows：数据集的行数，由 --{option} 或注释给出",
    "in parentheses: what {framework} or its documents call it": "括号中是 {framework} 或其文档的叫法",
    "{errors:number} error and {warnings:number} warning": "{errors} 个错误和 {warnings} 个警告",
    "{errors:number} error and {warnings:number} warnings": "{errors} 个错误和 {warnings} 个警告",
    "{errors:number} errors and {warnings:number} warning": "{errors} 个错误和 {warnings} 个警告",
    "{errors:number} errors and {warnings:number} warnings": "{errors} 个错误和 {warnings} 个警告",
    # --- explain: the picture
    "one rollout: {prompts:things} x {completions:things} on {ranks:text}": (
        "一次 rollout：{prompts} 个提示 x {completions} 条补全，位于 {ranks}"
    ),
    "{ranks:number} rank": "{ranks} 个 rank",
    "{ranks:number} ranks": "{ranks} 个 rank",
    "{ranks:number} rank of {processes:number} processes": "{ranks} 个 rank（各有 {processes} 个进程）",
    "{ranks:number} ranks of {processes:number} processes": "{ranks} 个 rank（各有 {processes} 个进程）",
    "groups lie on more than one rank": "有的组跨越多个 rank",
    "used for {updates:things}": "用于 {updates} 次更新",
    "used for {updates:things}, {steps:things} each": "用于 {updates} 次更新，每次 {steps} 个微步",
    "used for a part of 1 update: {rollouts} rollouts make one": "用于一次更新的一部分：{rollouts} 次 rollout 构成一次更新",
    "used for a part of 1 update: {rollouts} rollouts make one, {steps:things} each": (
        "用于一次更新的一部分：{rollouts} 次 rollout 构成一次更新，每次更新 {steps} 个微步"
    ),
    "□ is padding, {count} in all": "□ 是占位补全，共 {count} 条",
    "{dropped} of {rows} rows is dropped in every epoch": "每个 epoch 丢弃 {rows} 行中的 {dropped} 行",
    "{dropped} of {rows} rows are dropped in every epoch": "每个 epoch 丢弃 {rows} 行中的 {dropped} 行",
    "prompt": "提示",
    "... and {count} more prompts": "……另有 {count} 个提示",
    "... and {count} more ranks": "……另有 {count} 个 rank",
    "... and {count} more updates": "……另有 {count} 次更新",
    "one letter is {count} completions": "一个字母代表 {count} 条补全",
    "one mark is {count} completions": "一个标记代表 {count} 条补全",
    "off-policy: the weights have changed since the rollout was made": "off-policy：生成 rollout 之后权重已经改变",
    # --- explain: labels of quantities
    "rows of data": "数据行数",
    "processes per model copy": "模型副本的进程数",
    "processes per expert copy": "专家副本的进程数",
    "expert ranks": "专家 rank 数",
    "attention heads per rank": "rank 的注意力头数",
    "layers per pipeline stage": "流水线阶段的层数",
    "experts per expert rank": "专家 rank 的专家数",
    "smallest parallel size": "最小的并行大小",
    "uneven pipeline": "流水线不均匀",
    "engine gpus": "引擎的 GPU 数",
    "engines share the GPUs": "引擎共用 GPU",
    "generation engines": "生成引擎数",
    "processes per engine": "引擎的进程数",
    "completions per micro batch": "微批次补全数",
    "micro steps per update": "更新的微步数",
    "completions per micro step": "微步补全数",
    "completions per update": "更新的补全数",
    "prompts per update": "更新的提示数",
    "update prompts per rank": "更新中每 rank 提示数",
    "tokens per pass": "微步 token 数",
    "reference model": "参考模型",
    "critic model": "critic 模型",
    "completions per group": "组大小",
    "a teacher gives the signal": "由教师给出信号",
    "rollout size by steps": "按步数的 rollout 大小",
    "completions per rollout": "rollout 补全数",
    "prompts per rollout": "rollout 提示数",
    "rollout prompts per rank": "rollout 中每 rank 提示数",
    "completions per process": "每进程补全数",
    "prompt batches per rollout": "rollout 的提示批数",
    "completions per replica": "每副本补全数",
    "completions wanted per replica": "每副本应有补全数",
    "completions per engine": "每引擎补全数",
    "micro steps per rollout": "rollout 的微步数",
    "updates per rollout": "rollout 的更新次数",
    "completions with padding": "含占位的补全数",
    "padding completions": "占位补全数",
    "evaluation is on": "开启评估",
    "has validation set": "有验证集",
    "has evaluation set": "有评估集",
    "has cached validation set": "有缓存的验证集",
    "splits validation set": "留出验证集",
    "evaluated": "做评估",
    "completions per eval group": "评估组大小",
    "completions per eval batch": "评估批次补全数",
    "prompt batches per eval batch": "评估批次的提示批数",
    "eval completions per replica": "评估中每副本补全数",
    "validation rows": "验证行数",
    "batches per evaluation": "评估的批数",
    "training rows": "训练行数",
    "prompts per sampled batch": "采样批次提示数",
    "rows used": "使用的行数",
    "rows dropped": "丢弃的行数",
    "completions per epoch": "epoch 补全数",
    "rollouts per epoch": "epoch 的 rollout 次数",
    "micro steps of the data": "数据的微步数",
    "micro steps per epoch": "epoch 的微步数",
    "micro steps really taken": "实际微步数",
    "updates per epoch": "epoch 的更新次数",
    "updates really taken": "实际更新次数",
    "epochs begun": "开始的 epoch 数",
    "epochs covered": "覆盖的 epoch 数",
    "rollouts in all": "rollout 总次数",
    "updates in all": "更新总次数",
    "updates taken in all": "实际更新总次数",
    # --- files that settings name
    "is no JSON: {problem:text} in line {line}, column {column}": "不是 JSON：第 {line} 行第 {column} 列，{problem}",
    "it ends too early": "内容不完整",
    "no comma belongs before {bracket}": "{bracket} 之前不应有逗号",
    "the text that begins here has no end": "文本没有结束",
    "a text has a line break in it": "文本中有换行",
    "{word} is not expected": "不应出现 {word}",
    "has no {key}": "没有 {key}",
    "holds the unknown key {key}: it may hold {known:list}": "含有未知的键 {key}：可以有 {known}",
    "; {preset} is a name of ms-swift's, and {title} has none of its own": "；{preset} 是 ms-swift 的名称，{title} 没有自己的名称",
}
