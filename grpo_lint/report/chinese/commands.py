"""What the commands say besides findings: help, notes on standard error, and the words of plan, convert, upgrade and diff."""

HELP = {
    "usage": "用法",
    "options": "选项",
    "facts about the run that a file cannot say": "文件中无法写明的运行信息",
    "Exit status: 0 clean (infos allowed), 1 findings at or above --fail-on, 2 wrong usage or an error of grpo-lint itself.": (
        "退出码：0 表示通过（允许有提示），1 表示有达到 --fail-on 级别的结果，2 表示用法有误或 grpo-lint 自身出错。"
    ),
    "A comment in a file says the same as the facts: # grpo-lint: version=1.16.0 world-size=8": (
        "也可在文件中用注释写明这些信息：# grpo-lint: version=1.16.0 world-size=8"
    ),
    # --- what the commands are for
    "Check files and folders (default: the current folder; `-` reads standard input), or what a command is about to start.": (
        "检查文件和文件夹（默认为当前文件夹；`-` 表示读取标准输入），或检查一条命令即将启动的内容。"
    ),
    "Check what a command is about to start, and start it unless there are errors.": "检查一条命令即将启动的内容，没有错误时启动它。",
    "Tell the run that a file describes: what an update, a rollout and an epoch are, and which checks hold.": (
        "说明文件所描述的运行：一次更新、一次 rollout、一个 epoch 各是什么，以及哪些检查成立。"
    ),
    "Show the page of a rule, by its code or name, the framework's error, a traceback (-), a key; without one, the table of all.": (
        "显示规则的页面，可按编号、名称、框架的报错、回溯（-）或键查找；不给出时列出所有规则。"
    ),
    "Move files to another release: keys that it wants otherwise, and what it would train otherwise.": (
        "把文件迁移到另一个版本：哪些键要换写法，哪些训练内容会变。"
    ),
    "Tell what a change does to training: two files, two folders, or revisions of git (HEAD: the files as they are).": (
        "说明一处改动对训练的影响：两个文件、两个文件夹，或 git 的版本（HEAD 默认为当前的文件）。"
    ),
    "Propose batches for so many GPUs, or the same training on others: --from FILE --gpus 32.": (
        "为给定数量的 GPU 提出批次方案，或把同样的训练换到其他数量的 GPU 上：--from FILE --gpus 32。"
    ),
    "Write the same training for another framework: --to megatron; what has no counterpart is listed.": (
        "为另一个框架写出同样的训练：--to megatron；没有对应项的内容会列出。"
    ),
    "Tell which runs of a grid hold: a sweep of W&B, a search space as YAML, a multirun or the loops of a script.": (
        "说明网格中哪些运行成立：W&B 的 sweep、YAML 写的搜索空间、multirun 或脚本中的循环。"
    ),
    "Write the JSON Schema of a framework's config files ({names}).": "写出某个框架配置文件的 JSON Schema（{names}）。",
    "Serve an editor: the Language Server Protocol on standard input and output.": "为编辑器提供服务：标准输入输出上的 Language Server Protocol。",
    "Serve an agent that writes configs: the Model Context Protocol on standard input and output.": (
        "为编写配置的智能体提供服务：标准输入输出上的 Model Context Protocol。"
    ),
    "Set up a repository: settings, the pre-commit hook, and a baseline of what fails today.": (
        "设置一个代码库：设置文件、pre-commit 钩子，以及当前未通过结果的基线。"
    ),
    "Write the script that teaches a shell to complete our commands, options and rules.": "写出 shell 补全命令、选项和规则的脚本。",
    # --- options
    "apply the fixes that leave the training as it is, and report what is left": "应用不改变训练的修复，并报告剩余的结果",
    "with --fix or --diff: also the preferred fixes that change the run": "与 --fix 或 --diff 一起使用：也应用会改变运行的首选修复",
    "show what --fix would change and write nothing": "显示 --fix 会改动的内容，不写文件",
    "how findings are printed (default: full)": "结果的输出格式（默认：full）",
    "write them to a file, and nothing to standard output": "写入文件，不写到标准输出",
    "leave the findings that explain a crash: a log or traceback, `-` for standard input": (
        "只留下能解释某次崩溃的结果：给出日志或回溯，`-` 表示标准输入"
    ),
    "count the findings of each rule instead of listing them (full, concise, json)": "统计各规则的结果数，不逐条列出（full、concise、json）",
    "the rules that are wanted, by code, beginning of a code, or name (default: all)": "要启用的规则：编号、编号的开头或名称（默认：全部）",
    "rules that are wanted besides": "另外要启用的规则",
    "rules that are not wanted; of two words about a rule the more exact one counts": "不启用的规则；对同一规则的两种说法，以更具体的为准",
    "a Python file with rules of your own, which is run; may be repeated": "自己规则所在的 Python 文件，会被运行；可重复给出",
    "findings that are known and pass": "已知且放行的结果",
    "write what fails now to the baseline, and take out what is gone": "把当前未通过的结果写入基线，并去掉已消失的结果",
    "the least severity that makes the exit status 1 (default: warning)": "使退出码为 1 的最低级别（默认：warning）",
    "infos fail as well, and what is a warning only because something is assumed is an error": (
        "提示也算未通过；只因作了假定而降为警告的，按错误处理"
    ),
    "exit with 0 whatever is found": "不论有什么结果，退出码都为 0",
    "check what a list names (`-`: standard input), one a line or each ended by NUL, as folders are checked": (
        "检查清单中列出的路径（`-` 表示标准输入），每行一个或以 NUL 结尾，检查方式与文件夹相同"
    ),
    "leave out matching files and folders, such as 'vendor' or 'old/*.yaml'; may be repeated": (
        "排除匹配的文件和文件夹，如 'vendor' 或 'old/*.yaml'；可重复给出"
    ),
    "what to call the text that is read from `-`": "从 `-` 读取的文本的名称",
    "colours in the output (default: on a terminal)": "输出是否带颜色（默认：在终端上带颜色）",
    "the language of what people read (default: that of the terminal, where it is one of these)": (
        "给人看的内容所用的语言（默认：终端的语言，若在其中）"
    ),
    "tell all there is to each finding, how each file was recognised, and why others were skipped": (
        "给出每个结果的全部内容、每个文件如何识别，以及其他文件为何跳过"
    ),
    "print the settings for each PATH, and who says so, and check nothing": "打印每个 PATH 的设置及其来源，不做检查",
    "print errors and warnings, and infos that fail, but no remarks and no summary": "只打印错误、警告和未通过的提示，不打印备注和小结",
    "show this help and exit": "显示此帮助并退出",
    "framework that reads the file; forces its recognition": "读取该文件的框架；强制按它识别",
    "release of the framework, such as 1.16.0, 1.16 (its last patch) or latest": "框架的版本，如 1.16.0、1.16（其最后一个补丁版本）或 latest",
    "release of {package} that is installed beside the framework": "与框架一起安装的 {package} 的版本",
    "release of TRL that is installed beside ms-swift": "与 ms-swift 一起安装的 TRL 的版本",
    "number of training processes over all nodes; several as 8|16|64 or 8,16,64": "所有节点上的训练进程总数；多个写作 8|16|64 或 8,16,64",
    "number of training processes on one node": "单个节点上的训练进程数",
    "number of devices that a node can see": "单个节点可见的卡数",
    "training algorithm": "训练算法",
    "number of rows of the training data set": "训练数据集的行数",
    "number of rows of the evaluation data set; 0 for none": "评估数据集的行数；0 表示没有",
    "who reads the file: the framework's own training script, a script of one's own, the framework's own command, or Python keyword arguments": (
        "谁读取该文件：框架自带的训练脚本、自己的脚本、框架自带的命令，或 Python 关键字参数"
    ),
    "start the command whatever is found": "不论有什么结果都启动命令",
    "the least severity that keeps the command from starting (default: error)": "阻止命令启动的最低级别（默认：error）",
    "draw a rollout and its updates (text; html and svg always do)": "画出一次 rollout 及其更新（用于 text；html 和 svg 总会画）",
    "how it is told (default: text)": "输出格式（默认：text）",
    "write it to a file, and nothing to standard output": "写入文件，不写到标准输出",
    "print the page as Markdown": "以 Markdown 打印页面",
    "the release that the files are to run on, such as trl@1.16 (its last patch) or trl": (
        "文件将要使用的版本，如 trl@1.16（其最后一个补丁版本）或 trl"
    ),
    "the release that they run on now, where nothing says it": "文件现在使用的版本（没有别处写明时）",
    "write out the defaults that the release has changed, and give updates their old size back": "写出该版本改变了的默认值，并恢复每次更新原来的大小",
    "change exact pins of the old release as well, in requirements files, pyproject.toml and the like": (
        "同时改动 requirements 文件、pyproject.toml 等处对旧版本的精确锁定"
    ),
    "write the files": "写入文件",
    "training processes over all nodes": "所有节点上的训练进程总数",
    "tensor parallel size": "张量并行大小",
    "pipeline parallel size": "流水线并行大小",
    "context parallel size": "上下文并行大小",
    "expert parallel size": "专家并行大小",
    "completions of one prompt (default: 8 first, then other usual sizes)": "每个提示的补全数（默认：先试 8，再试其他常用大小）",
    "completions behind one update (default: usual sizes)": "每次更新的补全数（默认：常用大小）",
    "completions of one pass on a device (default: 1,2,4)": "单卡每次前向的补全数（默认：1,2,4）",
    "updates for which a rollout is used (default: 1,2,4)": "每次 rollout 用于多少次更新（默认：1,2,4）",
    "passes through the data": "数据遍历的次数",
    "name or path of the model, for what is written": "写入结果的模型名称或路径",
    "whether a device has little room, or room to fill": "显存是紧张（tight）还是有余（free）",
    "a config or script: which settings change so that --gpus train the same": "配置或脚本：改哪些设置才能在 --gpus 上做同样的训练",
    "of several runs in the file, the one that begins in this line (default: the first)": "文件中有多个运行时，取从这一行开始的那个（默认：第一个）",
    "how proposals are printed (default: text)": "方案的输出格式（默认：text）",
    "the framework that is to train ({names}), and its release where it is not the latest one": (
        "用来训练的框架（{names}）；不是最新版本时写明版本"
    ),
    "tensor parallel size of the result": "结果的张量并行大小",
    "pipeline parallel size of the result": "结果的流水线并行大小",
    "context parallel size of the result": "结果的上下文并行大小",
    "expert parallel size of the result": "结果的专家并行大小",
    "write the result to a new file, and what there is to know to standard output": "把结果写入新文件，说明写到标准输出",
    "the result with what there is to know on standard error, or all of it as JSON": "输出结果并把说明写到标准错误，或全部写成 JSON",
    "the config or script that the grid varies, where its file does not name one": "网格所改动的配置或脚本（网格文件没有写明时）",
    "how the answer is printed (default: text)": "答案的输出格式（默认：text）",
    "all values that fail, not the first lines of them": "列出所有不成立的值，而不只是前几行",
    "use standard input and output, which is the only way": "使用标准输入输出（这也是唯一的方式）",
    "the folder outside of which nothing is read (default: the current one)": "不读取此文件夹以外的内容（默认：当前文件夹）",
    "write without asking": "不询问，直接写入",
    "show what would be written, and write nothing": "显示将要写入的内容，不写文件",
    "nothing is cached any more": "已不再使用缓存",
}

NOTES = {
    "{path} is not checked: {reason:text}": "{path} 没有检查：{reason}",
    "{path}: skipped: {reason:text}": "{path}：已跳过：{reason}",
    "{count:number} more of the named files are not checked (-v says why)": "另有 {count} 个给出的文件没有检查（-v 会说明原因）",
    "nothing was written; with these changes: {summary:text}": "没有写入任何内容；作这些改动后：{summary}",
    "nothing of GRPO-family training": "与 GRPO 系列训练无关",
    "no call that makes a config of GRPO-family training": "没有创建 GRPO 系列训练配置的调用",
    "no command that starts GRPO-family training": "没有启动 GRPO 系列训练的命令",
    "not a mapping of keys to values": "不是键到值的映射",
    "internal error{about}: {reason}. Please report it with the file: {address:word} (GRPO_LINT_DEBUG=1 shows more)": (
        "内部错误{about}：{reason}。请附上文件报告此问题：{address}（GRPO_LINT_DEBUG=1 会显示更多）"
    ),
    "{path} cannot be converted: {why:text}": "{path} 无法转换：{why}",
    "{name}: not all of its files are looked at, for there are too many": "{name}：文件太多，没有全部查看",
    "{path}: not written: {reason}": "{path}：没有写入：{reason}",
    "cannot go on: {reason}": "无法继续：{reason}",
    "{option:word} has no effect: {reason:text}": "{option} 不起作用：{reason}",
    "standard output cannot be written: {reason}": "无法写标准输出：{reason}",
    "not started: {program}; `grpo-lint run --anyway` starts it all the same": "没有启动 {program}；`grpo-lint run --anyway` 仍会启动它",
    "the command is started, although not all of it could be checked": "命令已启动，但并未全部检查",
    "{program} cannot be started: {reason}": "无法启动 {program}：{reason}",
    "{path}: cannot be read": "{path}：无法读取",
    "upgrade takes files": "upgrade 需要文件",
    "no config of GRPO-family training": "没有 GRPO 系列训练的配置",
    "unknown rule {name}": "未知的规则 {name}",
    "no file or command {name}": "没有文件或命令 {name}",
    "{problem:text}; mend that first": "{problem}；请先改正",
    "{path} still pins the old release; --pins changes exact pins": "{path} 仍锁定旧版本；--pins 会改动精确锁定",
    # --- wrong usage
    "--unsafe-fixes goes with --fix or --diff": "--unsafe-fixes 要与 --fix 或 --diff 一起使用",
    "standard input can be the list of --files-from or the text to check, not both": (
        "标准输入可以是 --files-from 的清单，或要检查的文本，不能两者都是"
    ),
    "standard input can be the log of --error or what to check, not both": "标准输入可以是 --error 的日志，或要检查的内容，不能两者都是",
    "--diff shows changes, not findings: it has no --output-format and no --output-file": (
        "--diff 显示的是改动而不是结果：不能与 --output-format 和 --output-file 一起使用"
    ),
    "--write-baseline prints no findings: it goes without --diff and --output-file": (
        "--write-baseline 不打印结果：不能与 --diff 和 --output-file 一起使用"
    ),
    "--statistics goes with --output-format {formats:list}, and without --diff": (
        "--statistics 只能与 --output-format {formats} 一起使用，不能与 --diff 一起使用"
    ),
    "--fix writes the fixed text of `-` to standard output, where the {form} report would go: add --output-file": (
        "--fix 把 `-` 修复后的文本写到标准输出，而 {form} 报告也会写到那里：请加上 --output-file"
    ),
    "--error: {path} cannot be read: {reason}": "--error：无法读取 {path}：{reason}",
    "--error asks what explains a crash: it goes without --fix, --diff and --write-baseline": (
        "--error 用来查找崩溃的原因：不能与 --fix、--diff 和 --write-baseline 一起使用"
    ),
    "explain needs a file: grpo-lint explain FILE": "explain 需要一个文件：grpo-lint explain FILE",
    "schema takes one framework: grpo-lint schema trl, or grpo-lint schema trl@0.22": (
        "schema 需要一个框架：grpo-lint schema trl，或 grpo-lint schema trl@0.22"
    ),
    "the framework is one of {names:list}, not {name}{hint:text}": "框架应为 {names} 之一，而不是 {name}{hint}",
    "the framework is one of {names:list}, not {name}": "框架应为 {names} 之一，而不是 {name}",
    "{option:word}: the framework is one of {names:list}, not {name}": "{option}：框架应为 {names} 之一，而不是 {name}",
    "{title:word} {version:word} is newer than {newest:word}, the newest known release": "{title} {version} 比已知的最新版本 {newest} 还新",
    "server takes no files: the editor sends them": "server 不需要文件：由编辑器发送",
    "mcp takes no files: the agent names them": "mcp 不需要文件：由智能体给出",
    "--root: {root} is no folder": "--root：{root} 不是文件夹",
    "completion takes one shell: {names}": "completion 需要一个 shell：{names}",
    "unknown rule {name}; `grpo-lint rule` lists them": "未知的规则 {name}；`grpo-lint rule` 会列出所有规则",
    "unknown rule {name}; did you mean {other}?": "未知的规则 {name}；是否想写 {other}？",
    "the server needs {module:word}, which is not installed: pip install 'grpo-lint[lsp]'": (
        "server 需要 {module}，但没有安装：pip install 'grpo-lint[lsp]'"
    ),
    "this needs the official SDK, version 2 or newer: pip install 'grpo-lint[mcp]'": "这需要官方 SDK 的版本 2 或更高：pip install 'grpo-lint[mcp]'",
    "convert takes one file: grpo-lint convert FILE --to megatron": "convert 需要一个文件：grpo-lint convert FILE --to megatron",
    "there is no file {path}": "没有文件 {path}",
    "convert needs a framework: --to {names}, with a release as in --to {example:word}": (
        "convert 需要一个框架：--to {names}，带版本时写作 --to {example}"
    ),
    "{option:word} is one of {names:list}, not {name}": "{option} 应为 {names} 之一，而不是 {name}",
    "{option:word} is one of {names:list}, not {name}; did you mean {other}?": "{option} 应为 {names} 之一，而不是 {name}；是否想写 {other}？",
    "{path} was not written: {why}": "{path} 没有写入：{why}",
    "diff takes two files, two folders, or one or two revisions: grpo-lint diff main, grpo-lint diff OLD NEW": (
        "diff 需要两个文件、两个文件夹，或一到两个版本：grpo-lint diff main，grpo-lint diff OLD NEW"
    ),
    "diff takes two of them, and this folder is in no repository of git": "diff 需要两个，而此文件夹不在 git 代码库中",
    "{what:text}, and this folder is in no repository of git": "{what}，而且此文件夹不在 git 代码库中",
    "a file is compared with a file, and a folder with a folder": "文件只能与文件比较，文件夹只能与文件夹比较",
    "init takes no files: it sets up the repository around the current folder": "init 不需要文件：它设置当前文件夹所在的代码库",
    "not all findings of today are known, and nothing was written": "当前的结果并非全部已知，因此没有写入任何内容",
    "nothing was written: there is nobody to ask; --yes writes, --dry-run only shows": (
        "没有写入任何内容：无人可以确认；--yes 直接写入，--dry-run 只显示"
    ),
    "no file or command {name}; did you mean {other}?": "没有文件或命令 {name}；是否想写 {other}？",
    "unknown option {name}; --help lists them": "未知的选项 {name}；--help 会列出所有选项",
    "unknown option {name}; did you mean {other}?": "未知的选项 {name}；是否想写 {other}？",
    "--version stands alone and shows the version of grpo-lint; did you mean '--framework-version'?": (
        "--version 单独使用，显示 grpo-lint 的版本；是否想写 '--framework-version'？"
    ),
    "{option:word} takes no value": "{option} 不需要值",
    "{option:word} needs a value: {example}": "{option} 需要一个值：{example}",
    "plan --from FILE needs the number of processes: --gpus 32": "plan --from FILE 需要进程数：--gpus 32",
    "plan needs a framework and a number of processes: grpo-lint plan --dialect megatron --gpus 16": (
        "plan 需要框架和进程数：grpo-lint plan --dialect megatron --gpus 16"
    ),
    "plan needs a framework and a number of processes": "plan 需要框架和进程数",
    "{option:word} is one number": "{option} 应为一个数",
    "{option:word} takes whole numbers, such as 8, 1,2,4 or 1..4, not {told}": "{option} 应为整数，如 8、1,2,4 或 1..4，而不是 {told}",
    "--files-from: {path} is larger than {size:number} MB": "--files-from：{path} 大于 {size} MB",
    "--files-from: {path} cannot be read: {reason}": "--files-from：无法读取 {path}：{reason}",
    "--write-baseline needs to know which: --baseline FILE, or `baseline` in the settings": (
        "--write-baseline 需要知道写入哪个基线：--baseline FILE，或设置中的 `baseline`"
    ),
    "{option:word}: {path} cannot be written: {reason}": "{option}：无法写入 {path}：{reason}",
    "run takes a command: grpo-lint run accelerate launch train.py --config recipe.yaml": (
        "run 需要一条命令：grpo-lint run accelerate launch train.py --config recipe.yaml"
    ),
    "{option:word} goes with files, and not with a command": "{option} 用于文件，不能用于命令",
    "sweep takes one file: grpo-lint sweep FILE, with --config BASE where the file does not name what it varies": (
        "sweep 需要一个文件：grpo-lint sweep FILE；文件没有写明所改动的配置时，加上 --config BASE"
    ),
    "{path} is larger than {size:number} KB": "{path} 大于 {size} KB",
    "{path} is not text: {why}": "{path} 不是文本：{why}",
    "{option:word}: {name:word} {version:word} is not known: {first:word} to {last:word} are": (
        "{option}：不认识 {name} {version}：认识的是 {first} 到 {last}"
    ),
    "--diff writes nothing: it goes without --fix": "--diff 不写文件：不能与 --fix 一起使用",
    "upgrade needs to know the release: grpo-lint upgrade FILE --to trl@1.16": "upgrade 需要知道版本：grpo-lint upgrade FILE --to trl@1.16",
    "--from and --to are releases of one framework; another one is a matter of translation": (
        "--from 和 --to 应是同一框架的版本；换框架请用 convert"
    ),
}

SWEEP = {
    "{path}: there is no grid in it: neither parameters nor a search space, a list of values for each setting": (
        "{path}：其中没有网格：既没有 parameters，也没有为各设置列出取值的搜索空间"
    ),
    "{path}: nothing says which framework its program trains with: --dialect does, or --config BASE.yaml": (
        "{path}：无从得知它的程序用哪个框架训练：可用 --dialect 或 --config BASE.yaml 说明"
    ),
    "{path}: it does not say which config it varies: --config BASE.yaml names it": "{path}：没有写明改动哪个配置：请用 --config BASE.yaml 指出",
    "{path}: no config of GRPO-family training": "{path}：不是 GRPO 系列训练的配置",
    "{path}: there is no run in it": "{path}：其中没有运行",
    "{path}: there is no run that the grid varies": "{path}：没有网格所改动的运行",
    "{path}: nothing in it varies a setting": "{path}：其中没有改动任何设置",
    "{path} is larger than {size:number} KB": "{path} 大于 {size} KB",
    "{path} is not text: {why}": "{path} 不是文本：{why}",
    "{path} cannot be read: {why}": "无法读取 {path}：{why}",
    "{runs:amount} run; too many settings hang together for all that fails to be counted": "{runs} 个运行；相互牵连的设置太多，无法数清所有不成立的组合",
    "{runs:amount} runs; too many settings hang together for all that fails to be counted": "{runs} 个运行；相互牵连的设置太多，无法数清所有不成立的组合",
    "{runs:amount} run, {held:amount} of them hold ({share:number} %)": "{runs} 个运行，其中 {held} 个成立（{share} %）",
    "{runs:amount} runs, {held:amount} of them hold ({share:number} %)": "{runs} 个运行，其中 {held} 个成立（{share} %）",
    "{runs:amount} run, {held:amount} of them hold ({share:number} %); {open:amount} may fail by {names:list}, which is not known": (
        "{runs} 个运行，其中 {held} 个成立（{share} %）；另有 {open} 个可能因 {names} 而失败，其值未知"
    ),
    "{runs:amount} run, {held:amount} of them are refused ({share:number} %); the others may fail by {names:list}, which nobody knows here": (
        "{runs} 个运行，其中 {held} 个被拒绝（{share} %）；其余可能因 {names} 而失败，其值未知"
    ),
    "{runs:amount} runs, {held:amount} of them hold ({share:number} %); {open:amount} may fail by {names:list}, which is not known": (
        "{runs} 个运行，其中 {held} 个成立（{share} %）；另有 {open} 个可能因 {names} 而失败，其值未知"
    ),
    "{runs:amount} runs, {held:amount} of them are refused ({share:number} %); the others may fail by {names:list}, which nobody knows here": (
        "{runs} 个运行，其中 {held} 个被拒绝（{share} %）；其余可能因 {names} 而失败，其值未知"
    ),
    "{release} on {count:word} processes; {sizes}": "{release}，{count} 个进程；{sizes}",
    "{release}, on a number of processes that is not known: --world-size states it; {sizes}": (
        "{release}，进程数未知：可用 --world-size 说明；{sizes}"
    ),
    "{release:release}; {sizes}": "{release}；{sizes}",
    "{release} on {count:word} processes; one value of each setting": "{release}，{count} 个进程；每个设置一个取值",
    "{release}, on a number of processes that is not known: --world-size states it; one value of each setting": (
        "{release}，进程数未知：可用 --world-size 说明；每个设置一个取值"
    ),
    "{release:release}; one value of each setting": "{release}；每个设置一个取值",
    "no value is given": "没有给出取值",
    "it is no list of values": "不是取值的列表",
    "{values} is not enumerated": "{values} 没有逐个列出",
    "every number from {low:word} to {high:word} may be taken": "可取 {low} 到 {high} 之间的任意数",
    "its step is no number": "其步长不是数字",
    "it has more than {most:amount} values": "其取值超过 {most} 个",
    "its range holds nothing": "其范围为空",
    "every run": "所有运行",
    "left out": "未计入",
    "any": "任意",
    "No release is stated, so the newest that may be meant was asked; --framework-version states it.": (
        "没有写明版本，因此按可能的最新版本判断；可用 --framework-version 说明。"
    ),
    **{
        f"{{runs:amount}} run{many} ({{share:number}} %) {what}": f"{{runs}} 个运行（{{share}} %）{chinese}"
        for many in ("", "s")
        for what, chinese in (
            ("refused", "被拒绝"),
            ("refused when the file is read", "在读取文件时被拒绝"),
            ("refused when the config is made", "在创建配置时被拒绝"),
            ("refused at the start", "在启动时被拒绝"),
            ("refused while it runs", "在运行中失败"),
            ("started, and harmed", "能启动，但会受损"),
        )
    },
    "and {lines:amount} such lines": "还有 {lines} 行",
    "and {lines:amount} or more such lines": "还有至少 {lines} 行",
    " (-v shows them)": "（-v 显示）",
    "no setting takes this loop as it stands": "没有设置直接取用此循环",
    "its values are drawn from a distribution": "其取值由分布抽样得到",
    "no setting of {release}: it counts, and no rule reads it": "不是 {release} 的设置：计入个数，但没有规则读取它",
    "it reads settings with more than {most:amount} combinations, and was not asked": "它读取的设置有超过 {most} 种组合，因此没有检查",
}

PLAN = {
    "not possible": "无法做到",
    "nearest": "最接近的方案",
    "All of these were checked and hold. --output-format yaml or command writes the first one in full.": (
        "以上方案都经过检查且成立。--output-format yaml 或 command 会完整写出第一个方案。"
    ),
    "{update:amount} completion per update, of groups of {group:number}": "每次更新 {update} 条补全，取自大小为 {group} 的组",
    "{update:amount} completions per update, of groups of {group:number}": "每次更新 {update} 条补全，取自大小为 {group} 的组",
    "{update:amount} completion per update: {prompts:counted} x {group:number}": "每次更新 {update} 条补全：{prompts} x {group}",
    "{update:amount} completions per update: {prompts:counted} x {group:number}": "每次更新 {update} 条补全：{prompts} x {group}",
    "{rollout:counted} per rollout, used for {updates:counted} (on-policy)": "每次 rollout {rollout}，用于 {updates}（on-policy）",
    "{rollout:counted} per rollout, used for {updates:counted} ({off:number} of {all:number} updates off-policy)": (
        "每次 rollout {rollout}，用于 {updates}（{all} 次更新中有 {off} 次为 off-policy）"
    ),
    "{ranks:counted}, {passes:counted} of {micro:counted} each": "{ranks}，{passes}，每步 {micro}",
    "{rows:counted} in {epochs:counted} are {updates:counted}": "{rows}，{epochs}，共 {updates}",
    "{rows:counted} in {epochs:counted} are {updates:counted}, {lost:counted} of each epoch dropped": (
        "{rows}，{epochs}，共 {updates}，每个 epoch 丢弃 {lost}"
    ),
    "{processes:counted} cannot be divided over copies of the model that take {share:number} each": (
        "{processes}无法平均分给各占 {share} 个进程的模型副本"
    ),
    "{title:word} {version:word} spreads no copy of a model over processes in this way": "{title} {version} 不能这样把模型副本分布到多个进程上",
    "{update:counted} per update cannot be made of groups of {groups:or} on {ranks:counted}": (
        "每次更新 {update}，无法由大小为 {groups} 的组在 {ranks}上组成"
    ),
    "no size of group, micro batch and update that was tried holds": "试过的组大小、微批次和更新大小都不成立",
    "{path} on {count:number} processes: {kept:text}": "{path} 使用 {count} 个进程：{kept}",
    "group, update and rollout stay as they are": "组、更新和 rollout 都保持不变",
    "the nearest batch that so many processes can make": "这么多进程能做到的最接近的批次",
    "nothing has to change": "什么都不必改",
    "{codes:list} is left: grpo-lint check {path}": "仍留下 {codes}：grpo-lint check {path}",
    "{codes:list} are left: grpo-lint check {path}": "仍留下 {codes}：grpo-lint check {path}",
    "there is no run in it": "其中没有运行",
    "no run begins in line {line}; --line {lines:or} names one": "第 {line} 行没有运行开始；请写 --line {lines}",
    "the batches of this run are not known: `grpo-lint explain` tells what they need": (
        "此运行的批次未知：`grpo-lint explain` 会说明缺少什么"
    ),
    "the batches of this run are not known: a comment can state its number of processes, # grpo-lint: world-size=8": (
        "此运行的批次未知：可用注释写明进程数，# grpo-lint: world-size=8"
    ),
    "no batch was found that {count:number} processes can make and that is within twice the size of this one": (
        "没有找到 {count} 个进程能做到、且大小在此批次两倍以内的批次"
    ),
}

CONVERT = {
    "the same": "相同",
    "not the same": "不同",
    "written out, for it would be another value otherwise": "已写出（否则会是另一个值）",
    "no counterpart": "没有对应项",
    "to be looked at": "需要确认",
    "no run was found in the result": "结果中没有找到运行",
    "the run in line {line}; --line takes another one: {others}": "这是第 {line} 行的运行；可用 --line 换成另一个：{others}",
    "{target} takes {theirs} by default, {source} {ours}": "{target} 默认为 {theirs}，{source} 默认为 {ours}",
    "{target} chooses it by default, {source} {ours}": "{target} 默认自行选择，{source} 默认为 {ours}",
    "what the settings of {title} are elsewhere is not known here": "不知道 {title} 的设置在其他框架中对应什么",
    "{title} {version:word} has no trainer for this": "{title} {version} 没有这种训练器",
    "{title} {version:word} has no {setting}": "{title} {version} 没有 {setting}",
    "its batches are not known: state the number of processes with --world-size": "它的批次未知：请用 --world-size 写明进程数",
    "{title} {version:word}: an update of {update:amount} completions is made of several rollouts": (
        "{title} {version}：一次更新的 {update} 条补全来自多次 rollout"
    ),
    "{title} {version:word}: an update of {update:amount} completions cannot be made on {count:number} processes": (
        "{title} {version}：无法在 {count} 个进程上做到每次更新 {update} 条补全"
    ),
    # --- why a setting is written
    "TRL finds data sets and models on Hugging Face, ms-swift on ModelScope unless this is on": (
        "TRL 在 Hugging Face 上查找数据集和模型，ms-swift 则在 ModelScope 上查找，除非开启此项"
    ),
    "vLLM makes its rollouts in the training processes": "vLLM 在训练进程中做 rollout",
    "the KL term in the loss, as beta switches it on": "损失中的 KL 项，由 beta 开启",
    "its rollouts are made by an engine": "它的 rollout 由推理引擎完成",
    "its rollouts are always made by vLLM": "它的 rollout 总是由 vLLM 完成",
    "what the lower and the upper clip are given besides": "在裁剪上下界之外还要给出的值",
    "beta says whether there is a KL term": "由 beta 决定是否有 KL 项",
    "the estimate of the KL term that the others take": "其他框架所用的 KL 估计方式",
    "micro batches of so many completions, not of so many tokens": "微批次按补全数划分，而不是按 token 数",
    "RLOO is a choice of its advantages": "RLOO 是其优势估计方式之一",
    # --- why it is not
    "{source} has no such setting either": "{source} 也没有这个设置",
    "its value is not known here": "这里不知道它的值",
    "each process holds a copy of the model, or a part of one that it shares": "每个进程都有一份模型，或其中由它分担的一部分",
    "no LoRA is trained": "没有训练 LoRA",
    "it is not set": "没有设置",
    "ms-swift takes the type of the model where none is named, and refuses fp16 beside bf16": (
        "没有写明类型时，ms-swift 取模型自己的类型，并拒绝 fp16 与 bf16 同时开启"
    ),
    "Megatron counts completions per GPU with micro_batch_size": "Megatron 用 micro_batch_size 表示单卡的补全数",
    "accumulation follows from global_batch_size / (micro_batch_size x data-parallel ranks)": (
        "梯度累积步数由 global_batch_size / (micro_batch_size x 数据并行 rank 数) 得出"
    ),
    "virtual_pipeline_model_parallel_size counts the stages of a rank: layers / (pipeline_model_parallel_size x layers per stage)": (
        "virtual_pipeline_model_parallel_size 表示每个 rank 的阶段数：层数 / (pipeline_model_parallel_size x 每阶段层数)"
    ),
    "nothing reads it before {version:word}": "在 {version} 之前没有任何代码读取它",
    "there is no {value}": "没有 {value}",
    "a share of the run where a number of steps belongs": "写的是比例，而这里应为步数",
    "verl reads files of Parquet, and the others data sets by name": "verl 读取 Parquet 文件，其他框架按名称读取数据集",
    "EasyR1 names the split behind the data set, name@train, and the others the data set alone": (
        "EasyR1 在数据集后写明划分（name@train），其他框架只写数据集"
    ),
    "several data sets stand under datasets there": "在那里，多个数据集写在 datasets 下",
    "{engine:word} makes its rollouts, and vLLM those of the other": "这里由 {engine} 做 rollout，而另一个框架用 vLLM",
    "epochs are a whole number there": "在那里，epoch 数应为整数",
    "a configuration of ms-swift's own; name a file, or say it to accelerate": "这是 ms-swift 自带的配置；请写明文件，或交给 accelerate",
    "that of the model is taken where nothing is said": "没有写明时取模型自己的",
    "{value} updates are no whole number of rollouts, each of which is used for {updates:number}": (
        "{value} 次更新不是整数次 rollout，每次 rollout 用于 {updates} 次更新"
    ),
    "one value where {count:number} are given": "这里应为一个值，却给出了 {count} 个",
    "it is a whole number there": "在那里应为整数",
    "evaluation takes micro_batch_size": "评估使用 micro_batch_size",
    "it evaluates every eval_steps where there is a validation set": "有验证集时，每 eval_steps 评估一次",
    "recompute_granularity says which activations are computed again: selective or full": (
        "由 recompute_granularity 决定重算哪些激活：selective 或 full"
    ),
    "the model is spread by tensor, pipeline and context parallel sizes: --tp, --pp, --cp": "模型由张量、流水线、上下文并行大小来切分：--tp、--pp、--cp",
    "trainer.test_freq says when, and -1 switches it off": "由 trainer.test_freq 决定何时评估，-1 表示关闭",
    "trainer.val_freq says when, and -1 switches it off": "由 trainer.val_freq 决定何时评估，-1 表示关闭",
    "the engine shares the GPUs, unless another entry point is started": "推理引擎与训练共用 GPU，除非从另一个入口启动",
    "the engine shares the GPUs": "推理引擎与训练共用 GPU",
    "reward.custom_reward_function names a file and a function, or the data says which reward is its own": (
        "由 reward.custom_reward_function 写明文件和函数，或由数据指明各自的奖励"
    ),
    "worker.reward.reward_function names a file and a function: reward.py:compute_score": (
        "由 worker.reward.reward_function 写明文件和函数：reward.py:compute_score"
    ),
    "FSDP shards the model: {section:word}": "由 FSDP 切分模型：{section}",
    "advantages are always divided by the deviation of their group": "优势总是除以组内标准差",
    "a reward of your own is named by its path of Python: my_module.my_reward": "自己的奖励用 Python 路径写明：my_module.my_reward",
    "dataset_test_split names the split that is evaluated on": "由 dataset_test_split 写明用于评估的划分",
    # --- what is to be looked at
    "each framework finds and reads data in its own way: columns, prompt and answer": "各框架查找和读取数据的方式不同：列名、提示和答案",
    "a reward of your own is named, and made known, in each framework's own way": "自己的奖励在各框架中的命名和注册方式不同",
    "max_length of ms-swift may count what a chat template adds": "ms-swift 的 max_length 可能包含对话模板增加的部分",
    "how deep the engine sleeps differs": "推理引擎的休眠程度不同",
    "{source} spreads the model by {by:text}, and here each process holds all of it: {how:text}": (
        "{source} 用 {by}切分模型，而这里每个进程都持有整个模型：{how}"
    ),
    "FSDP": "FSDP ",
    "tensor and pipeline parallel sizes": "张量并行和流水线并行",
    "--config_file names a file for accelerate with FSDP or DeepSpeed ZeRO-3": (
        "用 --config_file 指定启用 FSDP 或 DeepSpeed ZeRO-3 的 accelerate 配置文件"
    ),
    "zero3, or fsdp, shards it": "用 zero3 或 fsdp 切分",
    "--tp and --pp spread it": "用 --tp 和 --pp 切分",
    "{source} frees the engine's memory while it trains, {target} only when told to": (
        "{source} 训练时会释放推理引擎的显存，{target} 只在要求时才释放"
    ),
    "{value} took so many rows; {title} takes all of them": "{value} 只取这么多行；{title} 会取全部",
    "it is not written, and {source} chooses it; {target} takes {theirs}": "没有写明，由 {source} 自行选择；{target} 默认为 {theirs}",
    "not written out, though they differ: {defaults}": "默认值不同但没有写出：{defaults}",
    "{source} takes {ours} by default: {why:text}": "{source} 默认为 {ours}：{why}",
    "they are as they were, also where they tell of numbers and commands": "注释保持原样，其中提到的数字和命令也没有改",
    "those of the file are not carried over into a new text": "原文件的注释没有带入新文本",
    "{source} trains an adapter, and {target} trains all weights": "{source} 训练的是适配器，而 {target} 训练全部权重",
    "no number of completions is a micro batch there; this one decides about speed and memory": (
        "原来的微批次不按补全数划分；这个值只影响速度和显存"
    ),
    "TRL's RLOO takes the KL term into the reward, and does not normalise advantages by default": (
        "TRL 的 RLOO 把 KL 项计入奖励，默认不对优势做归一化"
    ),
    "EasyR1 takes the KL term into the reward where use_kl_loss is off, and this is the one in the loss": (
        "use_kl_loss 关闭时，EasyR1 把 KL 项计入奖励，而这里是损失中的 KL 项"
    ),
}

CHANGES = {
    "not set": "未设置",
    "unknown": "未知",
    "rename": "改名",
    "remove": "去掉",
    "write": "写入",
    "lost": "丢失",
    "default": "默认值",
    "differs": "不同",
    "keep": "保持",
    "left": "未改",
    "{old:word} to {new:word}: {value}, for each GPU": "{old} 改为 {new}：{value}（每张 GPU）",
    "{old:word} to {new:word}": "{old} 改为 {new}",
    "{version:word} (inferred)": "{version}（推断）",
    "{version:word} (the newest that knows its keys; {oldest:word} on do)": "{version}（认识其键的最新版本；从 {oldest} 起都认识）",
    "{name:word}: {value}, by default so far, has no counterpart": "{name}：{value}（原来的默认值）没有对应项",
    "{name:word}: {value} has no counterpart": "{name}：{value} 没有对应项",
    "which release it runs on now: --from says it, and what trains otherwise can then be told": (
        "不知道现在使用哪个版本：用 --from 写明后，才能说明训练有何不同"
    ),
    "{name:word}: {value} gives an update its size back": "写 {name}: {value} 可恢复每次更新原来的大小",
    "{name} was {before} by default, is {after}": "{name} 的默认值原为 {before}，现为 {after}",
    ": write {name}: {value} to keep it": "：写 {name}: {value} 可保持原样",
    " (memory and speed only)": "（只影响显存和速度）",
    ", which leaves it to the release": "，由该版本自行决定",
    "; {value} is refused now": "；{value} 现在会被拒绝",
    " (by default before)": "（之前为默认值）",
    " (by default now)": "（现在为默认值）",
    "line {line:number}: {before:word} -> {after:word}": "第 {line} 行：{before} -> {after}",
    "line {line:number}: {why:text}": "第 {line} 行：{why}",
    "a lock file is made anew by its own program": "锁文件应由其自己的程序重新生成",
    "its hash or build belongs to the old release": "其哈希或构建属于旧版本",
    "{config}, started by {script}": "{config}（由 {script} 启动）",
    "{place} is new": "{place} 是新增的",
    "{place} is gone": "{place} 已删除",
    "Nothing of what these runs train changes.": "这些运行的训练内容没有变化。",
    "{count:number} more runs change": "另有 {count} 个运行有变化",
    "What this does to training": "对训练的影响",
    "before": "之前",
    "after": "之后",
    "new {severity:text} {code:word}": "新增{severity} {code}",
    "no longer {severity:text} {code:word}": "不再有{severity} {code}",
    "release": "版本",
    "algorithm": "算法",
    "policy": "策略",
    "{part:word} ({rollouts:number} rollouts make {updates:number} update)": "{part}（{rollouts} 次 rollout 做 {updates} 次更新）",
    "{part:word} ({rollouts:number} rollouts make {updates:number} updates)": "{part}（{rollouts} 次 rollout 做 {updates} 次更新）",
}

COMMANDS: "dict[str, str]" = {**HELP, **NOTES, **SWEEP, **PLAN, **CONVERT, **CHANGES}
