"""Makes the example on each rule page as small as it can be: a setting goes if what is said of the file stays.

    python -m pages.smallest [CODE ...]     rewrites the first case of these rules, or of all

What stays: the finding with its words, its place, the settings that it names, its severity and whether it has a fix; the framework, its
release, the number of processes, and how these are known; that the file is valid, and that the lines of `fixed` cure it. What is said besides may only get less. Lines by which a reader recognises the training stay, too.
"""

import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from yaml import YAMLError, safe_load

from grpo_lint.checker.findings import span_of
from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import ALL, RULES
from grpo_lint.report.cases import PACKAGE, cases_of
from grpo_lint.report.language import ENGLISH
from grpo_lint.report.messages import contributions, judged_as, message_of
from grpo_lint.source.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from grpo_lint.checker.findings import Finding
    from grpo_lint.launch.launch import Launch
    from grpo_lint.report.cases import Case
    from grpo_lint.rules.base import Rule

    Said = tuple[object, ...]

# What says which framework trains, by which algorithm, and where vLLM generates: also where it is the default.
KEPT = re.compile(r"#!|# grpo-lint:|.*(?:rlhf_type|adv_estimator|advantage[._]estimator|vllm_mode)")
STATED = re.compile(r"# grpo-lint:|(?:dialect|version|world-size)=")  # words of a comment that stay
WORD = re.compile(r"""(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+""")


# --- what may go ----------------------------------------------------------------------------------------------------


def smaller(config: str) -> "Iterator[str]":
    """A config without one of its parts: a line with what is indented below it, or a word of a command with its values."""
    lines = config.splitlines()
    for first, line in enumerate(lines):
        if line.startswith("# grpo-lint:"):
            words = line.partition("# grpo-lint:")[2].split()
            for word in words:
                if not STATED.match(word):
                    left = " ".join(each for each in words if each is not word)
                    yield _joined([*lines[:first], f"# grpo-lint: {left}", *lines[first + 1 :]])
        if KEPT.match(line):
            continue
        after = next(
            (place for place in range(first + 1, len(lines)) if _indent(lines[place]) <= _indent(line)), len(lines)
        )
        for last in {first + 1, after if not config.startswith("#!") else first + 1}:
            yield _joined(lines[:first] + lines[last:])
    for place, line in enumerate(lines if config.startswith("#!") else ()):
        for start, end in _words(line):
            if not KEPT.match(line) and not KEPT.match(line[start:end]):
                yield _joined([*lines[:place], line[:start] + line[end:].lstrip(), *lines[place + 1 :]])


def _words(line: str) -> "Iterator[tuple[int, int]]":
    """Where an assignment, or a flag with its values, begins and ends in a line of a command."""
    words = [found for found in WORD.finditer(line) if found[0] != "\\"]
    for place, word in enumerate(words):
        if re.match(r"\+{0,2}~?[\w.@/-]+=", word[0]):
            yield word.span()
        elif re.match(r"--?[a-zA-Z]", word[0]) and word[0] != "-m":
            values = place + 1
            while values < len(words) and not words[values][0].startswith("-"):
                values += 1
            for last in sorted({min(place + 1, values - 1), values - 1}, reverse=True):
                yield word.start(), words[last].end()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 1_000_000


def _joined(lines: "list[str]") -> str:
    """Lines of a file; a command that lost its last ones ends without a backslash."""
    text = "".join(f"{line.rstrip()}\n" for line in lines if line.strip(" \\"))
    return re.sub(r" *\\\n(?=#|\Z)", "\n", text)


# --- what stays -----------------------------------------------------------------------------------------------------


def smallest(rule: "Rule") -> str:
    """The config of the first case of a rule, without all that its finding does not need."""
    case = cases_of(rule)[0]
    wanted, config = said_of(rule, case), case.config
    while less := next((each for each in smaller(config) if _is_as_good(rule, case.written(each), wanted)), None):
        config = less
    return config


def said_of(rule: "Rule", case: "Case") -> "tuple[Said, Counter[Said]]":
    """What an example shows: its findings, and of which runs; and what is reported besides."""
    report = lint(Text(case.config, case.path), case.context())
    runs = [_taken_for(run) for run in report.launches]
    own: list[Said] = []
    others: Counter[Said] = Counter()
    for each in report.findings:
        if each.rule.name == rule.name:
            own.append((*_in_words(each, case.config), each.severity, bool(each.fixes), str(each.note)))
        else:
            others[each.rule.name, each.severity] += 1
    return (runs, sorted(own)), others


def _taken_for(run: "Launch") -> "Said":
    """The framework, release, algorithm and processes of a run, and the settings of the file that these come from."""
    said = ENGLISH.text(judged_as(run))
    return said, *sorted(name for name in run.entries if name in said)


def _in_words(finding: "Finding", config: str) -> "Said":
    """The message of a finding, the words that it points at, and the settings of the file that the message names."""
    said = ENGLISH.text(message_of(finding))
    pointed = span_of(finding)
    named = [
        str(each.label)
        for each in (contributions(finding, finding.launch) if finding.launch else ())
        if each.span and each.name.rpartition(".")[2] in said
    ]
    return said, pointed and config[pointed.start : pointed.end], *sorted(named)


def _is_as_good(rule: "Rule", less: "Case", wanted: "tuple[Said, Counter[Said]]") -> bool:
    """Whether a smaller config shows the same, and nothing else."""
    if not is_valid(less.config, less.is_script):
        return False
    shown, others = said_of(rule, less)
    return shown == wanted[0] and others <= wanted[1] and _is_cured(rule, less)


def _is_cured(rule: "Rule", case: "Case") -> bool:
    if case.fixed is None:
        return True
    found = lint(Text(case.fixed, case.path), case.context(), fixes=False).findings
    return is_valid(case.fixed, case.is_script) and not any(
        each.severity == "error" or each.rule.name == rule.name for each in found
    )


def is_valid(config: str, is_script: bool) -> bool:
    """Whether a shell or a reader of YAML takes a config."""
    if is_script:
        asked = subprocess.run(["bash", "-n"], input=config, capture_output=True, text=True, check=False)
        return not asked.returncode and not asked.stderr
    try:
        return isinstance(safe_load(config), dict)
    except YAMLError:
        return False


# --- the files of cases ---------------------------------------------------------------------------------------------


def rewrite(name: str) -> "tuple[str, int]":
    """The code of a rule, and how many lines its example lost; the file of its cases is written."""
    rule = RULES[name]
    before = cases_of(rule)[0].config
    after = smallest(rule)
    if after != before:
        (path,) = Path(PACKAGE).rglob(f"cases/{rule.code}.yaml")
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(_indented(before), _indented(after), 1), encoding="utf-8", newline="\n")
    return rule.code, before.count("\n") - after.count("\n")


def _indented(config: str) -> str:
    return "- config: |\n" + "".join(f"    {line}\n" if line else "\n" for line in config.splitlines())


def main(codes: "list[str]") -> int:
    """Rewrite the examples of some rules, or of all, and print what each lost."""
    names = [rule.name for rule in ALL if (not codes or rule.code in codes) and not rule.example and cases_of(rule)]
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as workers:
        for code, lost in workers.map(rewrite, names):
            print(code, lost)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
