"""Scripts as people write them: what we read in each (golden), and that bash runs the same commands."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from bash_scripts import matches

from grpo_lint.source.shell.reader import read_shell
from grpo_lint.source.text import Text

FOLDER = Path(__file__).parent / "shell"
SCRIPTS = sorted(FOLDER.glob("*.sh"))

# Programs are not there for this bash: instead of starting one, it notes the words and what is exported to the program.
PRELUDE = r"""
exec 3>"$RECORD"
unset RECORD BASH_ENV
cat() { local text; IFS= read -r -d '' text; printf '%s' "$text"; }
dirname() { if [[ $1 == */* ]]; then echo "${1%/*}"; else echo .; fi; }
git() { echo "$TOP"; }
command_not_found_handle() {
    set +eu
    local name record=(command "$PWD" "$#" "$@")
    for name in $NAMES; do
        if [[ ${!name@a} == *x* ]]; then record+=("$name=${!name}"); fi
    done
    printf '%s\0' "${record[@]}" end >&3  # at once: the commands of a pipeline write side by side
}
"""
NAMES = "NPROC_PER_NODE NNODES NODE_RANK MASTER_PORT MASTER_ADDR CUDA_VISIBLE_DEVICES OMP_NUM_THREADS PYTORCH_CUDA_ALLOC_CONF CMD".split()
BUILTINS = frozenset(": [ cat cd echo exit false popd pushd set shift source trap wait".split())


# Programs whose output is a part of a word.
OUTPUTS = frozenset("date head scontrol".split())


def place(text, span):
    line, column = text.position(span[0])
    return f"{line + 1}:{column + 1}"


def shown(text, word):
    """A word, what is special about it, and where it comes from."""
    notes = [name for name in ("overridable", "many") if getattr(word, name)]
    if word.value is None:
        notes.append("unknown")
    if word.origin is None:
        notes.append(f"made at {place(text, (word.start, word.end))}")
    elif word.origin != (word.start, word.end):
        notes.append(f"from {place(text, word.origin)}")
    return repr(word.shown("<?>")) + (f"  ({', '.join(notes)})" if notes else "")


def report(text):
    """All that the reader has to say about a text."""
    script = read_shell(text)
    lines = [f"header {place(text, (header.start, 0))} {header.option} = {header.value!r}" for header in script.headers]
    for command in script.commands:
        marks = [name for name in ("conditional", "background") if getattr(command, name)]
        lines.append(f"\n{place(text, (command.start, command.end))} in {command.folder} {' '.join(marks)}".rstrip())
        lines += [f"    {name}={shown(text, word)}" for name, word in sorted(command.environment.items())]
        lines += [f"  {shown(text, word)}" for word in command.words]
        lines += [f"  {operator} {shown(text, target)}" for operator, target in command.redirections]
        for word in command.words[1:]:
            if any(piece.place for piece in word.pieces):
                lines.append(f"  path {word.shown('<?>')!r}: {command.path(word)}")
    for heredoc in script.heredocs:
        kind = "appended" if heredoc.append else "written"
        lines.append(
            f"\n{heredoc.path.shown('<?>')} {kind}{', expanded' if heredoc.expanded else ''}: {shown(text, heredoc.word)}"
        )
    lines += [f"\nproblem {place(text, (each.offset, 0))} {each.kind}: {each.message}" for each in script.problems]
    for lost in script.lost:
        cause = place(text, (lost.cause_start, 0))
        lines.append(
            f"\nlost {place(text, (lost.start, 0))} because of {lost.cause} at {cause}, meant for {place(text, (lost.command_start, 0))}"
        )
    return "\n".join(lines).lstrip("\n") + "\n"


def read(path):
    return Text.from_bytes(path.read_bytes(), path.name)


def test_there_are_scripts():
    assert len(SCRIPTS) >= 12


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_reading(path):
    golden = path.with_suffix(".txt")
    found = report(read(path))
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == found


def run(path, folder):
    """The programs that bash wants to start: [(folder, words, exported)]. The script lies in a folder of its own."""
    prelude = folder / "prelude.bash"
    record = folder / "record"
    prelude.write_text(PRELUDE)
    environment = {
        "PATH": "/nonexistent", "HOME": str(folder), "LC_ALL": "C.UTF-8", "BASH_ENV": str(prelude), "RECORD": str(record), "NAMES": " ".join(NAMES), "TOP": str(folder),
    }  # fmt: skip
    for name in ("jobs", "out", "examples/grpo", "third_party/trl"):
        (folder / name).mkdir(parents=True)
    shutil.copy(path, folder / "jobs")
    command = [shutil.which("bash"), f"jobs/{path.name}"]
    subprocess.run(
        command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False
    )
    tokens = iter(record.read_text(encoding="utf-8").split("\0"))
    found = []
    for token in tokens:
        if token == "command":
            cwd = next(tokens)
            words = [next(tokens) for _ in range(int(next(tokens)))]
            exported = dict(pair.split("=", 1) for pair in iter(lambda: next(tokens), "end"))
            found.append((cwd, words, exported))
    return found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_bash_runs_what_we_read(path, tmp_path):
    bases = {"start": tmp_path, "repository": tmp_path, "script": tmp_path / "jobs", "absolute": Path("/")}

    def agrees(command, cwd, words, exported):
        ours = {name: word.value for name, word in command.environment.items() if name in NAMES}
        return (
            matches(command.words, words)
            and set(exported) <= set(ours)
            and all(value in (None, exported.get(name)) for name, value in ours.items())
            and (command.folder is None or os.path.normpath(bases[command.folder[0]] / command.folder[1]) == cwd)
        )

    commands = [command for command in read_shell(read(path)).commands if command.words[0].value not in BUILTINS]
    ran = run(path, tmp_path)
    assert len(ran) >= 2 or len(commands) == 1
    for each in ran:
        assert any(agrees(command, *each) for command in commands) or each[1][0] in OUTPUTS, each
    nested = read(path).text.count("bash -c") + read(path).text.count("sbatch <<")
    if not nested:  # this bash does not start the scripts in the script
        for command in commands:
            assert command.conditional or any(agrees(command, *each) for each in ran), command


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_crlf_changes_nothing_but_the_places(path):
    source = path.read_text(encoding="utf-8")
    plain = read_shell(Text(source))
    crlf = read_shell(Text(source.replace("\n", "\r\n")))
    assert [[word.shown() for word in command.words] for command in plain.commands] == [
        [word.shown() for word in command.words] for command in crlf.commands
    ]
    for command in crlf.commands:
        for word in command.words:
            if word.origin:
                assert crlf.text.text[slice(*word.origin)].replace("\r\n", "\n") == word.shown()
