"""The runs that a script starts: their flags, their config files, their processes."""

import os
import re
from itertools import chain, islice

from ..files import disk
from ..files.budget import OTHER_SCRIPTS, STEP
from ..files.discovery import DOCUMENTS, IMAGES, RECIPES, SCRIPTS, YAML, has_suffix
from ..frameworks.base import whole_number
from ..frameworks.recognition import may_be_ours
from ..message import Message
from ..source.entry import mapping_of
from ..source.quoting import listed
from ..source.shell.reader import read_shell
from ..source.shell.script import Given
from ..source.shell.tree import Source
from ..source.text import Text
from ..source.yaml.reader import Mapping, Scalar, entries_of, nodes, read_yaml
from .commands import FIRST_WORDS, OWN_STARTS, STARTERS, STARTS, invocations
from .comments import comments_in, facts_in_comments, facts_in_spans
from .facts import Fact, facts_in
from .files import Files, NamedFile
from .origin import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import abc

    from ..shared_types import Context, Document, Entry, Invocation, Node, Piece, Script, Word
    from ..source.embedded import Embedded
    from .comment_grammar import Problem

MOST_BESIDE = 50  # scripts of other nodes that are looked for in a folder
MOST_LAUNCHES = 100  # commands of a script that are looked at

# A script that names a config may start our training; the config tells.
_STARTS = r"accelerate|torchrun|torch\.distributed|deepspeed|python|srun|\.py\b"


_OVERRIDDEN = (
    r"(?<![\w./+-])\+{0,2}[a-z_]\w*(?:\.\w+)+="  # a setting by its path: a program of somebody's own may read them
)


def may_start_ours(text: str) -> bool:
    """Whether a script may start GRPO-family training, before it is read."""
    if may_be_ours(text) or "grpo" in text.lower():
        return True
    if re.search(OWN_STARTS, text) or ("--config" in text and re.search(_STARTS, text)):
        return True
    return ".py" in text and re.search(_OVERRIDDEN, text) is not None


def scripts_of(text: Text, files: "Files | None" = None) -> "list[Script]":
    """The scripts in a file: a script itself, the commands of a Makefile, or those that stand in a YAML file. `files`
    may know what a script is given."""
    if has_suffix(text.path, RECIPES):
        from ..source.recipes import image_scripts, recipe_scripts

        if has_suffix(text.path, IMAGES):
            return [read_embedded(text, each) for each in image_scripts(text.text)]
        pieces = recipe_scripts(text.text, has_suffix(text.path, ("justfile",)))
        return [read_shell(text, each) for each in pieces if _starts_something(each)]
    if has_suffix(text.path, YAML):
        from ..source.embedded import MOST_SCRIPTS, embedded_scripts

        found = embedded_scripts(read_yaml(text), STARTS, FIRST_WORDS)  # type: ignore[arg-type]  # a set will do
        return [read_embedded(text, each) for each in found[:MOST_SCRIPTS]]
    if has_suffix(text.path, DOCUMENTS):
        return _scripts_of_document(text)
    return [read_shell(text, given=files.given if files else None)]


def _scripts_of_document(text: Text) -> "list[Script]":
    """The blocks for a shell of a Markdown file, and the scripts that stand in its blocks of YAML."""
    from ..source.documents import document_blocks, document_scripts
    from ..source.embedded import MOST_SCRIPTS, embedded_scripts

    found = [read_shell(text, each) for each in document_scripts(text.text) if _starts_something(each)]
    blocks = (each for each in document_blocks(text.text) if each[0] in ("yaml", "yml"))
    starting = (each for each in blocks if re.search(STARTS, text.text[each[1] : each[2]]))
    for _, start, end in islice(starting, MOST_SCRIPTS):
        document = read_yaml(alone(text, start, end))
        found += [read_embedded(text, each) for each in embedded_scripts(document, STARTS, FIRST_WORDS)[:MOST_SCRIPTS]]  # type: ignore[arg-type]  # a set will do
    return found


def alone(text: Text, start: int, end: int) -> Text:
    """A text with nothing but a part of it, at its place."""
    return Text(re.sub(r"[^\n\r]", " ", text.text[:start]) + text.text[start:end], text.path)


# a line that begins with a command, of a text whose name says nothing
_COMMAND_LINE = (
    r"^(?:\$[ \t]+)?(?:[A-Za-z_]\w*=\S*[ \t]+)*(?:(?:nohup|srun|uv[ \t]+run)[ \t]+)?"
    rf"(?:{'|'.join(sorted(STARTERS))})[ \t]+[\w./-]"
)
_OTHERWISE = (*YAML, ".json", ".bat", ".cmd", ".ps1")


def holds_commands(text: Text) -> bool:
    """Whether a text that is no script by its name holds commands, one of which may start our training."""
    is_other = has_suffix(text.path, _OTHERWISE)
    return not is_other and may_start_ours(text.text) and bool(re.search(_COMMAND_LINE, text.text, re.MULTILINE))


def read_embedded(text: Text, embedded: "Embedded") -> "Script":
    """A script inside a document, which runs with what the document sets for it."""
    script = read_shell(text, embedded.pieces, Given(written=embedded.environment))
    script.allocated = embedded.allocated
    return script


def _starts_something(pieces: "list[Piece]") -> bool:
    return bool(re.search(STARTS, "".join(piece.text or "$" for piece in pieces)))


def facts_in_comments_of_script(text: Text) -> "tuple[dict[str, Fact], list[Problem]]":
    """({fact: Fact}, problems) of the comments of a script."""
    return facts_in_spans(text, comments_in(text) if "grpo-lint" in text.text or "grpo_lint" in text.text else ())


# --- the files of a command -----------------------------------------------------------------------------------------


def _origins(
    started: "abc.Iterable[Invocation]", script: "Script", text: Text, context: "Context"
) -> "abc.Iterator[tuple[Origin, Mapping | None]]":
    """(Origin, mapping of the config file or None) of commands that may start training."""
    files = context.files or Files(text.path)
    for invocation in (_adopted(each, files) for each in started):
        written = _written_config(script, invocation)
        if written is not None:  # it stands in the script: so do its keys
            yield _origin(invocation, files, has_config=True, shell=script), written
            continue
        place = place_of_config(invocation, files)
        config = files.at(place) if place else None
        if config is None:
            yield _origin(invocation, files, shell=script), None
            continue
        stated = facts_in(config.path, facts_in_comments(config.document)[0])
        origin = _origin(invocation, files, config=config.document.text, stated=stated, shell=script)
        read = invocation.config_of_program if invocation.own_file is None else None
        origin.reads_elsewhere = read is not None and files.place_by(invocation.command, read) is None
        yield origin, mapping_of(config.document)


def _adopted(invocation: "Invocation", files: Files) -> "Invocation":
    """A command as one of the framework whose settings it gives to a program of somebody's own; the same for any other."""
    if invocation.alike is None:
        if invocation.own is None and "config" in invocation.flags:
            from .own_settings import called_by  # programs with a config of their own

            return called_by(invocation, files)
        if not invocation.runs_a_script or invocation.config is not None:
            return invocation
        from .programs import may_be_of_hydra

        if not may_be_of_hydra(invocation, files):
            return invocation
    from .adopted import adopted  # which parses Python

    return adopted(invocation, files)


def place_of_config(invocation: "Invocation", files: Files) -> "str | None":
    """The path of the config file that a command names; None where it names none, or it is not here."""
    if invocation.own_file is not None:
        return invocation.own_file
    words = invocation.config_of_program, invocation.config
    places = (files.place_by(invocation.command, word) for word in words if word is not None)
    return next(filter(None, places), None)


def _origin(
    invocation: "Invocation",
    files: Files,
    script: Text | None = None,
    config: Text | None = None,
    stated: "dict[str, Fact] | None" = None,
    has_config: bool = False,
    shell: "Script | None" = None,
) -> Origin:
    """The Origin of a command. `script`: the Text of its script where another file is judged; `shell`: that script as the
    shell reads it, where it is known."""
    if invocation.node:
        _add_up_nodes(invocation, invocation.node, files)
    launcher = launcher_of(invocation, files, shell)
    origin = Origin(invocation, files, script, config, more_facts(invocation, files, launcher), stated, has_config)
    origin.launcher = launcher
    origin.installed = files.installed_for(invocation.command, invocation.start)
    return origin


def origins_with_config(text: Text, files: Files) -> tuple[list[tuple[str, Origin]], int]:
    """([(path of the config, Origin)] of the commands of a script that name a config which is there, how many steps it
    took to read it).

    `files` finds what the script names.
    """
    is_ours = may_start_ours(text.text)
    if not is_ours and not re.search(_STARTS, text.text):
        return [], 0

    def with_config(each: "Invocation") -> "tuple[str | None, Invocation]":
        invocation = _adopted(each, files)
        return place_of_config(invocation, files) if is_ours or invocation.own is not None else None, invocation

    return _origins_in(text, files, with_config)


def origins_with_program(text: Text, files: Files) -> tuple[list[tuple[str, Origin]], int]:
    """([(path of the program, Origin)], steps) of the files of Python that the commands of a script start."""
    from .programs import path_of_program

    if not re.search(_STARTS, text.text):
        return [], 0
    return _origins_in(text, files, lambda each: (path_of_program(each, files) if each.runs_a_script else None, each))


def _origins_in(
    text: Text, files: Files, looked_at: "abc.Callable[[Invocation], tuple[str | None, Invocation]]"
) -> tuple[list[tuple[str, Origin]], int]:
    """([(path, Origin)] of the commands of a script, how many steps it took to read it). `looked_at`: gives the path that a command
    names, None for one that does not count, and the command as it is meant."""
    stated = facts_in(text.path, facts_in_comments_of_script(text)[0])
    scripts = scripts_of(text, files)
    found = map(looked_at, islice(chain.from_iterable(map(invocations, scripts)), MOST_LAUNCHES))
    origins = [(path, _origin(each, files, script=text, stated=stated)) for path, each in found if path]
    return origins, sum(script.steps for script in scripts)


def _written_config(script: "Script", invocation: "Invocation") -> Mapping | None:
    """The mapping of a config that the script writes itself (`cat > run.yaml <<EOF`), its spans moved into the script."""
    found = _written(script, invocation.config)
    return mapping_of(placed(read_yaml(found[0]), found[1])) if found else None


def _written(script: "Script", file: "Word | None") -> "tuple[Text, list[Piece]] | None":
    """(text, the pieces of the script that it is made of) of a file that the script writes itself; None where it does not."""
    name = file.value if file is not None else None
    for written in script.heredocs if name else ():
        text, path = written.word.value, written.path.value
        is_as_it_is = written.word.origin or not written.expanded
        if text is None or not path or not name or written.append or not is_as_it_is:
            continue
        if os.path.normpath(path) == os.path.normpath(name):
            return Text(text, name), written.word.pieces
    return None


def placed(document: "Document", pieces: "list[Piece]") -> "Document":
    """A document whose nodes stand where its text, which is made of pieces of a file, stands in that file."""
    source = Source(pieces)
    for node in nodes(document.documents):
        node.start, node.end = source.span(node.start, node.end)
    return document


def launcher_of(invocation: "Invocation", files: Files, script: "Script | None" = None) -> "NamedFile | None":
    """The file for accelerate that a command names, or that its script writes."""
    file = invocation.launcher_config
    if file is None:
        return files.preset_of(invocation)
    written = _written(script, file) if script is not None else None
    return NamedFile(written[0].path, written[0].text) if written else files.named_by(invocation.command, file)


def more_facts(invocation: "Invocation", files: Files, found: "NamedFile | None") -> dict[str, Fact]:
    """{fact: Fact} of the file for accelerate that a command names, None where that is not there."""
    if found is None:
        unsaid = None if invocation.launcher_config else files.processes_of(invocation)
        return {"world_size": unsaid} if unsaid else {}
    entries = entries_of(mapping_of(found.document))
    if invocation.is_counted:
        kind = entries.get("distributed_type")
        is_single = kind is not None and _no_distribution(kind.value) and not invocation.distributes
        return {} if is_single else _on_a_machine(invocation, entries.get("num_machines"))
    return _counted_in(found, entries, invocation.distributes)


def _counted_in(found: NamedFile, entries: "abc.Mapping[str, Entry]", distributes: bool) -> dict[str, Fact]:
    """{fact: Fact} of a file for accelerate that says how many processes there are; `distributes`: whether an option says how."""
    readers: dict[str, abc.Callable[[Node], int | None]] = {"num_processes": _positive}
    if not distributes:
        readers = {"distributed_type": _no_distribution, **readers}
    for name, value in readers.items():
        entry = entries.get(name)
        count = value(entry.value) if entry is not None else None
        if entry is not None and count:
            where = found.path, entry.value.start, entry.value.end
            return {"world_size": Fact(count, Message("{name} in {path}", {"name": name, "path": found.path}), where)}
    return {}


def _on_a_machine(invocation: "Invocation", machines: "Entry | None") -> dict[str, Fact]:
    """{fact: Fact} of the processes of one machine, where an option says those of all and the file how many there are."""
    total = invocation.facts.get("world_size")
    nodes = 1 if machines is None else _positive(machines.value)
    if total is None or not nodes or total.value % nodes or "processes_per_node" in invocation.facts:
        return {}
    told = (
        total.source
        if nodes == 1
        else Message("{source} on {nodes} machines", {"source": total.source, "nodes": nodes})
    )
    return {"processes_per_node": Fact(total.value // nodes, told, total.where)}


def _add_up_nodes(invocation: "Invocation", node: tuple[int, int, int], files: Files) -> None:
    """Where each node has a script of its own, and they start different numbers of processes, the run has those of all
    of them."""
    rank, nodes, per_node = node
    counts, others = {rank: {per_node}}, []
    for path, other in _other_nodes(invocation, node, files):
        counts.setdefault(other[0], set()).add(other[2])
        others.append(os.path.basename(path))
    if len(counts) == nodes and all(len(each) == 1 for each in counts.values()):
        total = sum(count for (count,) in counts.values())
        fact = invocation.facts["world_size"]
        if total != fact.value:
            here = fact.source.values.get("variable", fact.source)
            told = Message(
                "{variable} here and in {scripts}", {"variable": here, "scripts": listed(dict.fromkeys(others))}
            )
            invocation.facts["world_size"] = Fact(total, told, fact.where)
    elif files.budget.has_cut(OTHER_SCRIPTS):
        del invocation.facts["world_size"]


def _other_nodes(
    invocation: "Invocation", node: tuple[int, int, int], files: Files
) -> "abc.Iterator[tuple[str, tuple[int, int, int]]]":
    """(script, node) of the commands beside it that start the other nodes of the same run."""
    for path in _scripts_beside(files.path):
        for each in _started_beside(path, files):
            is_same = each.program.value == invocation.program.value
            if each.node and is_same and each.node[1] == node[1] and each.node[0] != node[0]:
                yield path, each.node


def _started_beside(path: str, files: Files) -> "list[Invocation]":
    """The Invocations of another script that may be one for a node."""
    if path not in files.started:
        text = files.read(path) or ""
        found: list[Invocation] = []
        if "RANK" in text.upper() and files.budget.allows(OTHER_SCRIPTS, path, len(text)):
            script: Script = read_shell(Text(text, path))
            files.budget.spend(OTHER_SCRIPTS, (path, "read"), script.steps * STEP)
            found = [invocation for invocation in invocations(script) if invocation.node]
        files.started[path] = found
    return files.started[path]


def _scripts_beside(path: str) -> list[str]:
    """The paths of the other scripts in the folder of a script."""
    folder = os.path.dirname(path)
    names = [name for name, kind in disk.entries(folder or os.curdir) if kind == disk.FILE and name.endswith(SCRIPTS)]
    return [os.path.join(folder, name) for name in names[:MOST_BESIDE] if name != os.path.basename(path)]


def _no_distribution(node: "Node") -> int | None:
    """Without a way to distribute, accelerate starts one process, whatever its file says about their number."""
    return 1 if type(node) is Scalar and node.text.upper() == "NO" else None


def _positive(node: "Node") -> int | None:
    return whole_number(node.value) if type(node) is Scalar else None
