"""Texts of the rules GRPO9xx: {English: Chinese}."""

from ... import REPOSITORY

TEMPLATES = {
    # --- GRPO901 suppression-is-needed
    "A suppression suppresses something": "屏蔽确实屏蔽了某个结果",
    "nothing of {rules} is found here: the comment suppresses nothing": "此处没有 {rules} 的结果：这条注释什么也没有屏蔽",
    "A suppression that outlives its finding hides the next mistake of its kind.": "结果消失后留下的屏蔽，会掩盖下一个同类错误。",
    "Remove it.": "去掉它。",
    # --- GRPO902 baseline-is-current
    "What a baseline knows is still there": "基线中记录的结果仍然存在",
    "{code}{key} is not found in {path} any more": "{path} 中已经没有 {code}{key}",
    "An entry that outlives its finding hides the next mistake of its kind.": "结果消失后留下的条目，会掩盖下一个同类错误。",
    "Write the baseline again, with --write-baseline.": "用 --write-baseline 重新写入基线。",
    "grpo-lint itself, which reads the baseline. The frameworks know of none.": "由读取基线的 grpo-lint 自己报告。框架不知道基线。",
    # --- GRPO903 expectation-holds
    "A run is what its file expects": "运行符合文件的预期",
    "{quantity} is {value}, and {expected} is expected": "{quantity} 为 {value}，而预期是 {expected}",
    "Somebody wrote down what this run is to be, and it is not.": "有人写明了这个运行应当是什么样，而实际并非如此。",
    "Change the settings, or the comment.": "修改设置，或修改注释。",
    "grpo-lint itself, by a comment of the file. To the frameworks it is a comment like any other.": (
        "由 grpo-lint 自己按文件中的注释报告。对框架来说，它只是普通的注释。"
    ),
    # --- GRPO904 team-rule-runs
    "A rule of the team's own runs": "团队自己的规则能够运行",
    "{code} {name} fails: {problem}": "{code} {name} 出错：{problem:text}",
    "A rule that fails has nothing to say about this file, whatever is in it.": "出错的规则对此文件说不出任何结论，不管文件里写了什么。",
    "Mend the rule: a value may be a text, a list, or 0.": "修正该规则：值可能是文本、列表或 0。",
    "grpo-lint itself, which runs the rule. The frameworks know of none.": "由运行该规则的 grpo-lint 自己报告。框架不知道这条规则。",
    # --- GRPO905 file-is-looked-at-to-its-end
    "A file holds no more than grpo-lint looks at": "文件的内容没有超出 grpo-lint 检查的上限",
    (
        "So that a file of a stranger cannot keep a build busy, there is an end to what is read in one file, and "
        "to what is told of it."
    ): "为了不让一个陌生的文件占住整个构建，一个文件中读取多少、报告多少，都有上限。",
    "Put it into several files, or a loop.": "把它拆成几个文件，或写成循环。",
    "grpo-lint itself, which stops reading there. The frameworks read the whole file.": (
        "由 grpo-lint 自己报告，它读到这里为止。框架会读取整个文件。"
    ),
    # --- GRPO906 linter-does-not-fail
    "grpo-lint itself does not fail": "grpo-lint 自身不出错",
    "grpo-lint itself fails on {path}, by a mistake of its own: {problem}": (
        "grpo-lint 自身在处理 {path} 时出错，这是它自己的错误：{problem:text}"
    ),
    (
        "Nothing is known about this file, whatever is in it. The other files of the run are checked all the same, "
        "and the exit status is 2."
    ): "关于此文件得不出任何结论，不管文件里写了什么。同一次运行中的其他文件照常检查，退出状态为 2。",
    (
        f"Report it with the file: {REPOSITORY}/issues (with GRPO_LINT_DEBUG=1 in the "
        "environment the whole traceback is shown)."
    ): f"请附上该文件报告：{REPOSITORY}/issues（设置环境变量 GRPO_LINT_DEBUG=1 会显示完整的 traceback）。",
    "grpo-lint itself. What the frameworks say of the file is not known.": "由 grpo-lint 自己报告。不知道框架会如何处理此文件。",
}
