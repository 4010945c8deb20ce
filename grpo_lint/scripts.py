"""Launch scripts: each command that starts training is judged with the file it names and the flags it adds."""

import re

from .assembly import Origin, entries_of
from .dialects.recognition import may_be_ours
from .engine import comment_finding, judge_launch, started_launch
from .facts import Fact, read_comment
from .launch.commands import invocations
from .launch.files import Files
from .source.shell_reader import read_shell
from .source.text import Text
from .source.yaml_reader import Mapping, Scalar, read_yaml

_COMMENT = r"(?m)(?:^|(?<=\s))#[^\n]*grpo[-_]lint[^\n]*"
# A script that names a config may start our training; the config tells.
_STARTS = re.compile(r"accelerate|torchrun|torch\.distributed|deepspeed|python|srun")


def may_start_ours(text):
    """Whether a script may start GRPO-family training, before it is read."""
    return may_be_ours(text) or "grpo" in text.lower() or ("--config" in text and bool(_STARTS.search(text)))


def judge_script(report, surroundings):
    """Add the launches of a script to its report, and what is wrong with them in the script itself."""
    text = report.text
    if not may_start_ours(text.text):
        report.skipped = "no command that starts GRPO-family training"
        return
    script = read_shell(text)
    facts, problems = _facts_of(text, surroundings)
    for origin, root in _origins(script, text, surroundings):
        launch = started_launch(origin, root, facts, surroundings)
        if launch is None:
            continue
        judge_launch(report, launch)
        if origin.config is not None:
            report.linked.append(origin.config.path)
    if not report.launches:
        report.skipped = "no command that starts GRPO-family training"
        return
    report.findings += [comment_finding(*problem) for problem in problems]
    report.why = f"{len(report.launches)} launch{'' if len(report.launches) == 1 else 'es'}"


def _facts_of(text, surroundings):
    """Facts from the comments of a script over those of the settings, and what is wrong in the comments."""
    in_comments, problems = {}, []
    for match in re.finditer(_COMMENT, text.text) if "grpo-lint" in text.text or "grpo_lint" in text.text else ():
        found, wrong = read_comment(match[0], match.start())
        in_comments = {**found, **in_comments}
        problems += wrong
    return {**surroundings.settings, **in_comments, **surroundings.outside}, problems


def _origins(script, text, surroundings):
    """(Origin, mapping of the config file or None) of each command that may start training."""
    files = surroundings.files or Files(text.path)
    for invocation in invocations(script):
        config = config_of(invocation, files)
        root = None if config is None else root_of(config)
        if invocation.config is not None and root is None and not invocation.flags:
            continue
        yield Origin(invocation, None, config, more_facts(invocation, files)), root


def origins_with_config(text, read):
    """[(path of the config, Origin)] of the commands of a script that name a config which is there; `read` gives the text of a path."""
    if not may_start_ours(text.text):
        return []
    files = Files(text.path, read)
    found = []
    for invocation in invocations(read_shell(text)):
        config = config_of(invocation, files)
        if config is not None:
            found.append((config.path, Origin(invocation, text, None, more_facts(invocation, files))))
    return found


def config_of(invocation, files):
    """The Text of the config file that a command names; None when there is none, or when it is not found."""
    name = invocation.config.value if invocation.config is not None else None
    found = files.find(name, invocation.command.directory) if name else None
    return found and Text(found.text, found.path)


def root_of(text):
    """The mapping of a config file, None when it holds none or cannot be parsed."""
    document = read_yaml(text)
    return document.root if type(document.root) is Mapping and not document.problems else None


def more_facts(invocation, files):
    """{fact: Fact} of the file for accelerate that a command names."""
    word = invocation.launcher_config
    if word is None or not word.value or "world-size" in invocation.facts:
        return {}
    found = files.find(word.value, invocation.command.directory)
    root = found and root_of(Text(found.text, found.path))
    entry = root and entries_of(root).get("num_processes")
    if not entry or type(entry.value) is not Scalar or type(entry.value.value) is not int or entry.value.value < 1:
        return {}
    return {"world-size": Fact(entry.value.value, f"num_processes in {found.path}", (found.path, entry.value.start, entry.value.end))}
