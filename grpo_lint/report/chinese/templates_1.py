"""Texts of the rules GRPO1xx: {English: Chinese}."""

TEMPLATES = {
    # --- GRPO101 version-has-the-trainer
    "The version has the trainer that the file configures": "该版本有文件所配置的训练器",
    "{title} {version} has no {algorithm} trainer that reads these keys: {consequence}": (
        "{title} {version} 没有读取这些键的 {algorithm} 训练器：{consequence:text}"
    ),
    "The trainer came with a later release, or an older one of the same name reads other keys.": (
        "该训练器是后来的版本才有的，或者旧版的同名训练器读取另一些键。"
    ),
    "Correct the version, or take a newer release.": "改正版本，或使用更新的版本。",
    (
        "The framework, in versions without the trainer: there is no config class or no such choice of trainer to "
        "give these keys to."
    ): "没有该训练器的版本由框架拒绝：没有配置类或训练器选项可以接收这些键。",
    # --- GRPO102 key-is-known
    "A key is one that the framework knows": "键是框架认识的键",
    "{key} is no key of {title} {version}: {consequence}{hint}": (
        "{key} 不是 {title} {version} 的键：{consequence:text}{hint:text}"
    ),
    "What is not known is either refused, or dropped so that the default stays in force.": (
        "不认识的键要么被拒绝，要么被丢弃，结果默认值照旧生效。"
    ),
    "Correct the spelling, or remove the key.": "改正拼写，或去掉此键。",
    (
        "the config class, where it is built from keyword arguments; of a file TrlParser of 0.19 and later, when "
        "the file is read, unless the training script declares it or tells the parser otherwise, as TRL's own "
        "script does from 0.22 on; accelerate launch behind `trl grpo` of 0.29 and later; otherwise nobody: it is "
        "dropped without a word"
    ): (
        "用关键字参数构建时，由配置类拒绝；从文件读取时，由 0.19 及更高版本的 TrlParser 在读取文件时拒绝，除非训练脚本声明了此键，或像 TRL 0.22 起的自带脚本那样另行指示解析器；在 0.29 及更"
        "高版本的 `trl grpo` 之后由 accelerate launch 拒绝；其他情况没有谁会拒绝，它被不作声地丢弃"
    ),
    "the parser, when the file is read, unless ignore_args_error is on: then the key is dropped": (
        "由解析器在读取文件时拒绝，除非开启了 ignore_args_error：那样此键会被丢弃"
    ),
    "Hydra, when the command line is read": "由 Hydra 在读取命令行时拒绝",
    "OmegaConf, when the file and the arguments are merged into the dataclasses": (
        "由 OmegaConf 在把文件和参数合并到 dataclass 时拒绝"
    ),
    # --- GRPO103 key-is-of-this-version
    "A key is one of the version at hand": "键是当前版本的键",
    "{key} {history}: {consequence}{hint}": "{key} {history:text}：{consequence:text}{hint:text}",
    (
        "The file was written for another release. What this one does not know is either refused, or dropped so "
        "that the default stays in force."
    ): "文件是为另一个版本写的。当前版本不认识的键要么被拒绝，要么被丢弃，结果默认值照旧生效。",
    "Write the key that took its place, remove it, or take a release that knows it.": "改写为取代它的键，去掉它，或换用认识它的版本。",
    # --- GRPO104 keys-are-read
    "All keys are read by something": "所有键都有谁会读取",
    "{title} {version} does not know {keys}: {consequence}, unless the training script declares {them}": (
        "{title} {version} 不认识 {keys:names}：{consequence:text}，除非训练脚本自己声明"
    ),
    "{title} {version} does not know {keys}: {consequence}": "{title} {version} 不认识 {keys:names}：{consequence:text}",
    (
        "A training script may declare arguments of its own, and then these keys are fine. If it does not, they "
        "have no effect."
    ): "训练脚本可以声明自己的参数，那样这些键就没有问题。如果没有声明，它们就不起作用。",
    "Remove what nothing reads.": "去掉没有谁读取的键。",
    (
        "TrlParser of 0.19 and later, when the file is read, unless the training script declares it or tells the "
        "parser otherwise, as TRL's own script does from 0.22 on; accelerate launch behind `trl grpo` of 0.29 and "
        "later; otherwise nobody: it is dropped without a word"
    ): (
        "由 0.19 及更高版本的 TrlParser 在读取文件时拒绝，除非训练脚本声明了此键，或像 TRL 0.22 起的自带脚本那样另行指示解析器；在 0.29 及更高版本的 `trl grpo` 之后由"
        " accelerate launch 拒绝；其他情况没有谁会拒绝，它被不作声地丢弃"
    ),
    "nobody, where ignore_args_error is on": "开启 ignore_args_error 时没有谁会拒绝",
    # --- GRPO105 key-is-spelt-out
    "A key is spelt out": "键写的是全名",
    "{key} is taken for {name}, because no other key begins like this": "{key} 被当作 {name}，因为没有别的键以此开头",
    (
        "ms-swift hands the keys to argparse, which completes them. The next release may have a second key that "
        "begins alike, and a slip of the pen is never noticed."
    ): "ms-swift 把键交给 argparse，由它补全。下一个版本可能出现另一个开头相同的键，而笔误则永远不会被发现。",
    "Write the whole name.": "写出全名。",
    "nobody: the parser takes the key for the one that begins like it": "没有谁会拒绝：解析器把它当作以此开头的键",
    # --- GRPO106 key-is-not-ambiguous
    "A key is not the beginning of several": "一个键不是多个键的开头",
    "{key} could be {names}{hint}": "{key} 可能是 {names:names}{hint:text}",
    (
        "ms-swift hands the keys to argparse, which completes them when only one key begins like this, and refuses "
        "them when several do."
    ): "ms-swift 把键交给 argparse：只有一个键以此开头时，由它补全；有多个时则拒绝。",
    "the parser, when the file is read": "由解析器在读取文件时拒绝",
    # --- GRPO107 required-key-is-given
    "A key without a default is given": "没有默认值的键须给出",
    "{key} is missing, and {title} {version} has no default for it": "缺少 {key}，而 {title} {version} 没有它的默认值",
    "The parser stops before anything else happens.": "解析器在做任何事之前就会停止。",
    "Add the key.": "加上此键。",
    "the parser, when the file is read, or the config class, where it is built from keyword arguments": (
        "由解析器在读取文件时拒绝；用关键字参数构建时由配置类拒绝"
    ),
    # --- GRPO110 value-has-the-type-of-its-key
    "A value has the type of its key": "值的类型与键相符",
    "{key} holds {problem}": "{key} 的值不对：{problem:text}",
    "The framework's parser, or the first arithmetic on the value, refuses it.": "框架的解析器，或第一个用此值计算的地方，会拒绝它。",
    "Write a value of the right type.": "写一个类型正确的值。",
    (
        "The parser of the framework, when the file is read, or what first computes with the value: the config "
        "class, the trainer or the training itself. The finding says which."
    ): "由框架的解析器在读取文件时拒绝，或由第一个用此值计算的地方拒绝：配置类、训练器或训练本身。具体是哪一个，结果中会说明。",
    # --- GRPO111 value-is-a-choice
    "A value is one of those that the key allows": "值是该键允许的值之一",
    "{key} is {value}, which is none of {choices}{hint}": "{key} 为 {value}，不在允许的值之中：{choices}{hint:text}",
    (
        "The framework converts the value to one of a closed list and refuses any other. In YAML an unquoted no is "
        "false."
    ): "框架把值转换为固定列表中的一项，其他的一律拒绝。在 YAML 中，不加引号的 no 是 false。",
    "Write one of the listed values.": "从所列的值中选一个。",
    (
        "The parser of the framework, when the file is read, or the config class, which looks the value up in a "
        "list. The finding says which."
    ): "由框架的解析器在读取文件时拒绝，或由在列表中查找此值的配置类拒绝。具体是哪一个，结果中会说明。",
    # --- GRPO112 null-is-not-a-text
    "null does not become the text None": "null 不会变成文本 None",
    "{key} is null, which becomes the text 'None'": "{key} 为 null，会变成文本 'None'",
    (
        "ms-swift turns every value into the text of a flag. For a key that holds text, None is then a name like "
        "any other: val_dataset: null asks for a data set that is called None."
    ): "ms-swift 把所有值都转成命令行参数的文本。对于取文本的键，None 就成了一个普通的名字：val_dataset: null 要的是名为 None 的数据集。",
    "Remove the key.": "去掉此键。",
    "nobody: the parser takes the text": "没有谁会拒绝：解析器接受该文本",
    # --- GRPO113 list-holds-texts
    "A list holds texts only": "列表只含文本",
    "{key} holds {value} in a list: this version joins the flags of a file as texts and fails on anything else": (
        "{key} 的列表中含有 {value}：此版本把文件中的参数作为文本拼接，遇到其他类型就会失败"
    ),
    (
        "ms-swift 3.10 to 4.5 turns the file into a command line and prints it; a number inside a list ends that "
        "with a TypeError."
    ): "ms-swift 3.10 到 4.5 把文件转成一条命令行并打印出来；列表中的数字会使它因 TypeError 而结束。",
    'Put quotes around the items, as in ["0.5", "0.5"]. They are converted back to numbers.': (
        '给列表项加上引号，例如 ["0.5", "0.5"]。它们会被转换回数字。'
    ),
    "3.10 - 4.5 the command, when it makes flags of the file; later versions take the list": (
        "3.10 - 4.5 由命令在把文件转成命令行参数时拒绝；之后的版本接受该列表"
    ),
    # --- GRPO120 agreed-key-is-given
    "A key that the team has agreed on is given": "团队约定的键须给出",
    "{key} is not given, and the settings of this repository require it": "没有给出 {key}，而此仓库的设置要求写明",
    "The list `required-keys` of the settings holds the keys that every config of a team has to state.": (
        "设置中的 `required-keys` 列出团队的每个配置都必须写明的键。"
    ),
    "State the key, or take it off the list.": "写明此键，或从列表中去掉它。",
    "grpo-lint itself, by the settings of the repository. No framework asks for the key.": (
        "由 grpo-lint 自己按仓库的设置报告。没有框架要求此键。"
    ),
    # --- messages of single findings
    "{keys} came after {title} {version}, which {source} pins: {consequence}": (
        "{keys:names} 在 {title} {version} 之后才有，而 {source:source} 锁定的正是该版本：{consequence:text}"
    ),
}
