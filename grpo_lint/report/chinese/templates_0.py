"""Texts of the rules GRPO0xx: {English: Chinese}."""

TEMPLATES = {
    # --- GRPO001 file-can-be-parsed
    "The file is valid YAML": "文件是合法的 YAML",
    "{problem}": "{problem:text}",
    "The framework's own YAML loader refuses the file, so nothing in it is read.": "框架自己的 YAML 加载器拒绝此文件，其中的内容一概不会被读取。",
    "Mend the syntax at the position.": "修正该位置的语法。",
    "The YAML loader of the framework, in every version that reads YAML files, when the file is read.": (
        "框架的 YAML 加载器在读取文件时拒绝；所有能读取 YAML 文件的版本都如此。"
    ),
    # --- GRPO002 file-can-be-read
    "The file exists and is readable text": "文件存在，并且是可读的文本",
    "A path that was named cannot be checked.": "指定的路径无法检查。",
    "Check the path, its permissions and its encoding (UTF-8).": "检查路径、权限和编码（UTF-8）。",
    "grpo-lint itself, which was given this path. No framework is asked.": "由 grpo-lint 自己报告，因为它拿到的就是这个路径。与框架无关。",
    # --- GRPO003 key-stands-once
    "A key stands once": "一个键只出现一次",
    "{key} stands twice: {consequence}": "{key} 出现了两次：{consequence:text}",
    "YAML loaders keep one of the two without a word; whoever edits the other changes nothing.": (
        "YAML 加载器不作声地保留其中一个；修改另一个毫无作用。"
    ),
    "Remove one of the two.": "去掉其中一个。",
    "nobody: the last of the two counts": "没有谁会拒绝：后出现的生效",
    "3.10 - 4.0 the YAML loader, when the file is read; otherwise the last of the two counts": (
        "3.10 - 4.0 由 YAML 加载器在读取文件时拒绝；其他版本以后出现的为准"
    ),
    "nobody: the last one counts": "没有谁会拒绝：后出现的生效",
    "OmegaConf, when the file is read": "由 OmegaConf 在读取文件时拒绝",
    # --- GRPO004 file-is-a-mapping
    "The file is one mapping of keys to values": "文件是一个从键到值的映射",
    "The framework reads a config file as one mapping of argument names to values.": "框架把配置文件读作一个从参数名到值的映射。",
    "Write `key: value` lines at the top level.": "在顶层写 `key: value` 形式的行。",
    "The parser of the framework, in every version that reads YAML files, when the file is read.": (
        "框架的解析器在读取文件时拒绝；所有能读取 YAML 文件的版本都如此。"
    ),
    # --- GRPO005 comment-is-understood
    "A grpo-lint comment says something that grpo-lint understands": "grpo-lint 注释的内容是 grpo-lint 能理解的",
    (
        "What is not understood has no effect: a misspelt fact leaves the file judged on other assumptions than "
        "its author thinks, and a suppression without a rule hides nothing."
    ): "不能理解的内容不起作用：事实写错了，文件就会按与作者所想不同的前提来判断；没有规则名的屏蔽则什么也不屏蔽。",
    "Correct the comment. `grpo-lint check --help` lists the facts, `grpo-lint explain FILE` the quantities.": (
        "改正注释。`grpo-lint check --help` 列出各项事实，`grpo-lint explain FILE` 列出各个量。"
    ),
    "grpo-lint itself. To the frameworks it is a comment like any other.": "由 grpo-lint 自己报告。对框架来说，它只是普通的注释。",
    # --- GRPO006 version-reads-yaml
    "The version reads YAML files": "该版本读取 YAML 文件",
    "{title} {version} reads no YAML file (that came with 3.10): the keys are judged as if they were its flags": (
        "{title} {version} 不读取 YAML 文件（3.10 起才支持）：这里把各个键当作命令行参数来判断"
    ),
    "Before 3.10 `swift rlhf` takes its arguments from the command line only.": "3.10 之前，`swift rlhf` 只从命令行读取参数。",
    "Pass the keys as flags, or use ms-swift 3.10 or newer.": "把这些键作为命令行参数传入，或使用 ms-swift 3.10 或更高版本。",
    "nobody: before 3.10 nothing reads the file": "没有谁会拒绝：3.10 之前没有谁读取此文件",
    # --- GRPO007 flags-reach-their-command
    "All flags belong to the command above them": "所有命令行参数都属于它们上方的命令",
    "{flags} {are} lost: {reason}": "{flags:names} 丢失了：{reason:text}",
    (
        "The shell ends a command where the line ends. What stands below is a command of its own: the run starts "
        "without these flags, with the defaults."
    ): "一行结束，shell 命令也就结束。下面的内容成了另一条命令：运行启动时没有这些参数，用的是默认值。",
    "End every line but the last with a backslash and nothing behind it, and move comments out of the command.": (
        "除最后一行外，每行都以反斜杠结尾，后面不留任何字符，并把注释移出命令。"
    ),
    "Nobody: the shell runs the command without these flags, and takes the next line for a command of its own.": (
        "没有谁会拒绝：shell 不带这些参数执行命令，并把下一行当作另一条命令。"
    ),
    # --- GRPO008 flag-stands-once
    "A flag stands once in a command": "一个命令行参数在命令中只出现一次",
    "{flag} stands twice: the last one, {last}, counts and {first} has no effect": (
        "{flag} 出现了两次：以最后的 {last} 为准，{first} 不起作用"
    ),
    "A parser of command lines keeps the last value without a word; whoever edits the other one changes nothing.": (
        "命令行解析器不作声地保留最后一个值；修改另一个毫无作用。"
    ),
    "Nobody: the parser of the command line keeps the last value without a word.": "没有谁会拒绝：命令行解析器不作声地保留最后一个值。",
    # --- GRPO009 config-file-exists
    "{file} was not read: it is no text of UTF-8, or too large": "没有读取 {file}：它不是 UTF-8 文本，或者太大",
    "a relative folder counts from that of {program}, and so {file} is not what it reads": (
        "相对目录以 {program} 所在的目录为准，因此读取的不是 {file}"
    ),
    "{file} is not in the folder in which the command starts, nor where its script goes with cd": (
        "{file} 不在命令启动时所在的目录，也不在其脚本 cd 进入的目录"
    ),
    "The config file that a command names exists": "命令所指的配置文件存在",
    "{file} is not in the repository: not beside the script, not above it, and not where the script goes with cd": (
        "仓库中没有 {file}：不在脚本旁边，不在其上级目录，也不在脚本 cd 进入的目录"
    ),
    (
        "A run whose config file is missing ends when it is started. The file may be made by somebody else, so "
        "this is a warning."
    ): "缺少配置文件的运行一启动就结束。该文件可能由别处生成，因此这里只是警告。",
    "Correct the path.": "改正路径。",
    (
        "The command, when it opens the file. grpo-lint does not know what stands beside the repository, so that "
        "this is a warning."
    ): "命令在打开文件时拒绝。grpo-lint 不知道仓库之外有什么，因此这里只是警告。",
    # --- GRPO010 script-can-be-parsed
    "bash can read the script": "bash 能读懂此脚本",
    "bash gives up here: {problem}; {consequence}": "bash 在此处放弃：{problem:text}；{consequence:text}",
    (
        "bash reads a script one command at a time, and ends it at the first that it cannot read. What stands "
        "above that has run by then."
    ): "bash 逐条读取脚本中的命令，遇到第一条读不懂的就结束。此前的命令那时已经执行。",
    "Mend the syntax at the position; `bash -n SCRIPT` reads a script without running it.": (
        "修正该位置的语法；`bash -n SCRIPT` 只读取脚本而不执行。"
    ),
    "bash, when it reaches the place. A run that the script starts further down never starts.": (
        "bash 在执行到该位置时拒绝。脚本在其后启动的运行永远不会开始。"
    ),
    # --- GRPO011 command-takes-its-config
    "The version takes a config file as the command gives it": "该版本能以命令所写的方式接受配置文件",
    "{title} {version} takes no config file {form}": "{title} {version} 不接受{form:text}的配置文件",
    (
        "ms-swift 3.10 - 4.0 read `swift rlhf --config x.yaml`, later ones `swift rlhf x.yaml` with the file in "
        "front; older ones read flags only. What the parser does not know, it refuses before anything is loaded."
    ): (
        "ms-swift 3.10 - 4.0 读取 `swift rlhf --config x.yaml`，之后的版本读取文件在最前面的 `swift rlhf x.yaml`；更早的版本只读取命令行参数。解析器不认"
        "识的内容，在加载任何东西之前就会被拒绝。"
    ),
    (
        "Write `--config x.yaml` for 3.10 - 4.0, the file as the first argument for 4.1 and later, and flags for "
        "older versions."
    ): "3.10 - 4.0 写 `--config x.yaml`；4.1 及更高版本把文件写作第一个参数；更早的版本使用命令行参数。",
    "The parser of ms-swift, when the command line is read, unless ignore_args_error is set.": (
        "ms-swift 的解析器在读取命令行时拒绝，除非设置了 ignore_args_error。"
    ),
}
