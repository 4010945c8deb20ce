"""Launch scripts: each command that starts training is judged with the file it names and the flags it adds."""

import os
import re
from itertools import islice

from . import disk
from .assembly import Origin, entries_of, facts_in, started_launch
from .budget import OTHER_SCRIPTS, STEP
from .comments import comments_in, comments_of, facts_in_comments, facts_in_spans, region_of
from .dialects.base import whole_number
from .dialects.recognition import may_be_ours
from .discovery import SCRIPTS
from .facts import Fact
from .findings import Finding, comment_finding
from .keys import listed
from .launch.commands import invocations, servers
from .launch.files import Files
from .launch.launch import value_of
from .launches import disagreements, judge_launch
from .plan import UNKNOWN
from .rules import RULES
from .source.embedded import MOST_SCRIPTS, embedded_scripts
from .source.shell_reader import LIMITS, read_shell
from .source.text import Text
from .source.yaml_reader import MOST_COMMENTS, Mapping, Scalar, nodes, read_yaml

MOST_BESIDE = 50  # scripts of other nodes that are looked for in a folder
MOST_LAUNCHES = 100  # commands of a script that are looked at
# A script that names a config may start our training; the config tells.
_STARTS = r"accelerate|torchrun|torch\.distributed|deepspeed|python|srun"


def may_start_ours(text):
    """Whether a script may start GRPO-family training, before it is read."""
    return may_be_ours(text) or "grpo" in text.lower() or ("--config" in text and bool(re.search(_STARTS, text)))


def judge_script(report, surroundings):
    """Add the launches of a script to its report, and what is wrong with them in the script itself."""
    text = report.text
    if not may_start_ours(text.text):
        report.skipped = "no command that starts GRPO-family training"
        return
    stated, problems = facts_in_comments_of_script(text)
    if "expect" in text.text:
        from .expectations import expect

        problems += expect(report, surroundings.policy)
    _judge(report, [read_shell(text)], stated, surroundings)
    if not report.launches and not report.findings:
        report.skipped = "no command that starts GRPO-family training"
        return
    report.findings += [comment_finding(*problem) for problem in problems]
    report.why = _count(report.launches)


def judge_embedded(report, stated, surroundings):
    """Add the launches of the scripts inside a YAML file; whether there are any. `stated`: facts of its comments."""
    problems = _expect_in_embedded(report, surroundings.policy) if "expect" in report.text.text else ()
    scripts = embedded_scripts(report.document)
    _judge(report, [read_shell(report.text, pieces) for pieces in scripts[:MOST_SCRIPTS]], stated, surroundings)
    if len(scripts) > MOST_SCRIPTS and report.launches:
        cut = scripts[MOST_SCRIPTS]
        report.findings.append(_unread(cut[0].start, cut[-1].end, f"{MOST_SCRIPTS} scripts are looked at in one file: this one and all below it are not"))
    report.findings += [comment_finding(*problem) for problem in problems]
    if report.launches:
        report.why = f"{_count(report.launches)} in its scripts"
    return bool(report.launches)


def _expect_in_embedded(report, policy):
    """Note what all comments expect, those of YAML and of its scripts; returns what is wrong with the latter."""
    from .expectations import expect

    told = comments_of(report)
    problems = expect(report, policy, comments_in(report.text)[:MOST_COMMENTS])
    return [problem for problem in problems if not any(start <= problem[0] < end for start, end in told)]


def _count(launches):
    return f"{len(launches)} launch{'' if len(launches) == 1 else 'es'}"


def _judge(report, scripts, stated, surroundings):
    text = report.text
    facts = {**surroundings.settings, **stated, **surroundings.outside}
    started = [invocations(script) for script in scripts]
    found = [(script, list(_origins(islice(each, MOST_LAUNCHES), script, text, surroundings))) for script, each in zip(scripts, started)]
    if report.expected:
        from .expectations import place_at_commands

        starts = [origin.invocation.command.start for _, origins in found for origin, _ in origins]
        place_at_commands(report.expected, starts, lambda comment: region_of(report, comment, of_commands=True))
    for (script, origins), each in zip(found, started):
        _judge_commands(report, script, origins, facts, stated, surroundings)
        _tell_what_is_not_run(report, script, each)


def _judge_commands(report, script, origins, facts, stated, surroundings):
    text, ours, serving = report.text, set(), servers(script)
    for origin, root in origins:
        launch = started_launch(origin, root, facts, surroundings)
        if launch is not None:
            ours.add(origin.invocation.command.start)
            judge_launch(report, launch, [*_about_the_command(origin), *_about_the_server(launch, serving, text)])
            line = text.position(origin.invocation.command.start)[0] + 1
            report.findings += disagreements(launch, stated, f"the command in line {line}")
            if origin.config is not None and origin.config is not text:
                report.linked.append(origin.config.path)
    lost = [each for each in script.lost if each.command_start in ours or may_be_ours(text.text[each.start : each.end])]
    report.findings += [finding for finding in (_lost_flags(text, each) for each in lost) if finding]


def _tell_what_is_not_run(report, script, unread):
    """Where bash gives up on a script, and where we do. `unread`: the commands that are too many."""
    text = report.text
    cut = next((each for each in unread if each.dialect or may_be_ours(text.text[each.command.start : each.command.end])), None)
    if cut is not None:
        problem = f"{MOST_LAUNCHES} commands that start a run are looked at in one script: this one and all below it are not"
        report.findings.append(_unread(*cut.span, problem))
    limit = next((problem for problem in script.problems if problem.kind in LIMITS), None)
    if limit is not None and (report.launches or may_be_ours(text.text[limit.offset :])):
        report.findings.append(_unread(limit.offset, limit.end, limit.message))
    if script.refusals and report.launches:
        report.findings.append(_refused(text, *script.refusals[0], [launch.origin.invocation.command for launch in report.launches]))


def facts_in_comments_of_script(text):
    """({fact: Fact}, problems) of the comments of a script."""
    return facts_in_spans(text, comments_in(text) if "grpo-lint" in text.text or "grpo_lint" in text.text else ())


# --- the files of a command -----------------------------------------------------------------------------------------


def _origins(started, script, text, surroundings):
    """(Origin, mapping of the config file or None) of commands that may start training."""
    files = surroundings.files or Files(text.path)
    for invocation in started:
        written = _written_config(script, invocation)
        if written is not None:  # it stands in the script: so do its keys
            yield _origin(invocation, files, has_config=True), written
            continue
        config = invocation.config and files.named_by(invocation.command, invocation.config)
        if not config:
            yield _origin(invocation, files), None
            continue
        stated = facts_in(config.path, facts_in_comments(config.document)[0])
        yield _origin(invocation, files, config=config.document.text, stated=stated), mapping_of(config.document)


def _origin(invocation, files, **more):
    if invocation.node:
        _add_up_nodes(invocation, files)
    return Origin(invocation, files, more=more_facts(invocation, files), **more)


def origins_with_config(text, files):
    """([(path of the config, Origin)] of the commands of a script that name a config which is there, how many steps it took to read it).

    `files` finds what the script names.
    """
    if not may_start_ours(text.text):
        return [], 0
    stated = facts_in(text.path, facts_in_comments_of_script(text)[0])
    script, found = read_shell(text), []
    for invocation in islice(invocations(script), MOST_LAUNCHES):
        config = invocation.config and files.place_by(invocation.command, invocation.config)
        if config:
            found.append((config, _origin(invocation, files, script=text, stated=stated)))
    return found, script.steps


def mapping_of(document):
    """The mapping of a config file, None when it holds none or cannot be parsed."""
    return document.root if type(document.root) is Mapping and not document.problems else None


def _written_config(script, invocation):
    """The mapping of a config that the script writes itself (`cat > run.yaml <<EOF`), its spans moved into the script."""
    name = invocation.config.value if invocation.config is not None else None
    for written in script.heredocs if name else ():
        where = written.word.origin
        if written.path.value == name and where and not written.append:
            document = read_yaml(Text(written.word.value, name))
            for node in nodes(document.documents):
                node.start, node.end = node.start + where[0], node.end + where[0]
            return mapping_of(document)
    return None


def more_facts(invocation, files):
    """{fact: Fact} of the file for accelerate that a command names."""
    found = invocation.launcher_config and files.named_by(invocation.command, invocation.launcher_config)
    root = found and mapping_of(found.document)
    entries = entries_of(root) if root else {}
    readers = {"distributed_type": _no_distribution, "num_processes": _positive}
    if invocation.distributes:
        del readers["distributed_type"]
    for name, value in readers.items():
        entry = entries.get(name)
        count = value(entry.value) if entry is not None else None
        if count:
            return {"world-size": Fact(count, f"{name} in {found.path}", (found.path, entry.value.start, entry.value.end))}
    return {}


def _add_up_nodes(invocation, files):
    """Where each node has a script of its own, and they start different numbers of processes, the run has those of all of them."""
    rank, nodes, per_node = invocation.node
    counts, others = {rank: {per_node}}, []
    for path in _scripts_beside(files.path):
        for other in _started_beside(path, files):
            if other.node and other.node[1] == nodes and other.node[0] != rank and other.program.value == invocation.program.value:
                counts.setdefault(other.node[0], set()).add(other.node[2])
                others.append(os.path.basename(path))
    if len(counts) == nodes and all(len(each) == 1 for each in counts.values()):
        total = sum(count for (count,) in counts.values())
        fact = invocation.facts["world-size"]
        if total != fact.value:
            told = f"{fact.source.partition(' x ')[0]} here and in {listed(dict.fromkeys(others))}"
            invocation.facts["world-size"] = Fact(total, told, fact.where)
    elif files.budget.has_cut(OTHER_SCRIPTS):
        del invocation.facts["world-size"]


def _started_beside(path, files):
    """The Invocations of another script that may be one for a node."""
    if path not in files.started:
        text = files.read(path) or ""
        found = []
        if "RANK" in text.upper() and files.budget.allows(OTHER_SCRIPTS, path, len(text)):
            script = read_shell(Text(text, path))
            files.budget.spend(OTHER_SCRIPTS, (path, "read"), script.steps * STEP)
            found = [invocation for invocation in invocations(script) if invocation.node]
        files.started[path] = found
    return files.started[path]


def _scripts_beside(path):
    """The paths of the other scripts in the folder of a script."""
    folder = os.path.dirname(path)
    try:
        names = [name for name, kind in disk.listing(folder or os.curdir) if kind == disk.FILE and name.endswith(SCRIPTS)]
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names[:MOST_BESIDE] if name != os.path.basename(path)]


def _no_distribution(node):
    """Without a way to distribute, accelerate starts one process, whatever its file says about their number."""
    return 1 if type(node) is Scalar and node.text.upper() == "NO" else None


def _positive(node):
    return whole_number(node.value) if type(node) is Scalar else None


# --- findings about commands ----------------------------------------------------------------------------------------


def _about_the_command(origin):
    """What is wrong with a command that starts a run, whatever it sets."""
    invocation = origin.invocation
    for earlier, later in invocation.repeated:
        yield _twice(earlier, later)
    word = invocation.config
    if word is not None and not origin.has_config and not origin.is_cut and word.value and not word.value.startswith(("/", "~")):
        yield Finding(RULES["config-file-exists"], "warning", "never", span=(word.start, word.end), values={"file": word.value})
    if invocation.dialect in ("swift", "megatron") and invocation.starter == "python":
        unread = [name for name in ("NPROC_PER_NODE", "NNODES") if name in invocation.command.environment]
        if unread:
            yield _unread_processes(invocation, unread)


_HERE = ("localhost", "127.0.0.1", "0.0.0.0")


def _about_the_server(launch, serving, text):
    """What a trainer and the one server that its script starts disagree about; nothing when it asks another host."""
    if len(serving) != 1 or not launch.candidates:
        return
    plan, server = launch.plan(launch.candidates[0]), serving[0]
    host = _one(plan.value("vllm_server_host"))
    if not plan.value("use_vllm") or plan.value("vllm_mode") != "server" or plan.value("vllm_server_base_url") or (host and host not in _HERE):
        return
    place = {"server": f"{server.starter} {server.program.value}", "line": text.position(server.start)[0] + 1}
    asked, port = _one(plan.value("vllm_server_port")), _said(server, "port", "8000")
    if asked is not None and port and str(asked) != port:
        yield Finding(RULES["server-is-the-one-that-is-asked"], "warning", "never", at=launch.setting("vllm_server_port"),
                      values={"asked": asked, "port": port, **place})  # fmt: skip
    key = "model_name_or_path" if launch.dialect.name == "trl" else "model"
    model, served = plan.value(key), _said(server, "model", None)
    if model and served and model != served:
        yield Finding(RULES["server-has-the-model"], "warning", "never", at=launch.setting(key), values={"model": model, "served": served, **place})


def _one(value):
    """The only item of a list; another value itself."""
    return (value[0] if len(value) == 1 else None) if isinstance(value, list) else value


def _said(server, flag, default):
    """The value of a flag of a server, its default when it is not given; None when it is not known."""
    if flag not in server.flags:
        return default if server.passes_on is None else None
    value = value_of(server.flags[flag])
    return value if type(value) is str else None


def _twice(earlier, later):
    first, last = _shown(earlier), _shown(later)
    finding = Finding(RULES["flag-stands-once"], "info" if first == last else "warning", "never", span=(later.key.start, later.key.end),
                      values={"flag": later.name, "first": first, "last": last})  # fmt: skip
    finding.related = [(earlier.name, first, (earlier.key.start, earlier.key.end))]
    return finding


def _shown(flag):
    value = value_of(flag)
    return "something unknown" if value is UNKNOWN else " ".join(map(str, value)) if type(value) is list else str(value)


def _unread_processes(invocation, variables):
    command = f"{invocation.dialect} rlhf"
    values = {"program": invocation.program.value, "variable": listed(variables), "command": command}
    if invocation.program.origin is not None:
        values["replacement"] = invocation.start, invocation.program.end, command
    return Finding(RULES["launch-reads-its-processes"], "warning", "never", span=(invocation.program.start, invocation.program.end), values=values)


def _unread(start, end, problem):
    return Finding(RULES["file-is-looked-at-to-its-end"], "warning", "never", span=(start, end), values={"problem": problem})


def _refused(text, reached, problem, commands):
    """What bash cannot read. `reached`: how far the script has run by then; `commands`: those that start our runs."""
    stopped = [command for command in commands if command.end > reached]
    line = stopped and text.position(stopped[0].start)[0] + 1
    consequence = f"the run in line {line} never starts" if stopped else "what stands above it has run by then"
    return Finding(RULES["script-can-be-parsed"], "error" if stopped else "warning", "read" if stopped else "never", span=(problem.offset, problem.end),
                   values={"problem": problem.message, "consequence": consequence})  # fmt: skip


_CAUSES = {
    "no-backslash": "the line above does not end in a backslash",
    "blank-after-backslash": "a blank stands behind the backslash of the line above, and the command ends there",
    "comment": "a comment line ends the command above it",
    "blank-line": "an empty line ends the command above it",
}


def _lost_flags(text, lost):
    flags = re.findall(r"(?<!\S)--?[A-Za-z][\w-]*", text.text[lost.start : lost.end])
    if not flags:  # a lone dash
        return None
    finding = Finding(RULES["flags-reach-their-command"], "warning", "never", span=(lost.start, lost.end),
                      values={"flags": listed(flags), "are": "is" if len(flags) == 1 else "are", "reason": _CAUSES[lost.cause]})  # fmt: skip
    return finding
