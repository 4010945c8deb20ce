"""Two targets about what a stranger names: folders of git that lead elsewhere, and names in commands and in Markdown."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from shutil import which

from grpo_lint.report.printable import clean, in_markdown
from grpo_lint.source.hiding import masked
from grpo_lint.source.shell_words import check_of, shell_word

from .harmless import without_code
from .sandbox import said
from .values import word

BASH = which("bash")
SECRET = "dataset_of_mine_4711"
LONGEST_TEXT = 2000


# --- git ------------------------------------------------------------------------------------------------------------

_PLACES = """objects objects/pack objects/info objects/info/alternates refs refs/heads refs/heads/main refs/heads/x refs/tags packed-refs HEAD ORIG_HEAD
    config commondir gitdir config.worktree logs logs/HEAD shallow reftable worktrees info info/attributes modules index""".split()
_TARGETS = """$OTHER/.git/objects $OTHER/.git/refs $OTHER/.git $OTHER/.git/HEAD $OTHER/.git/config $OTHER/.git/refs/heads/main $OTHER $OTHER/secret.yaml
    ../.. .. . ../../other/.git/objects $OTHER/.git/packed-refs objects refs /dev/zero /dev/stdin nowhere""".split()
_TEXTS = (
    "$TARGET", "$TARGET\n", '"$TARGET"', "# x\n$TARGET\n\n", "ref: refs/heads/x\n", "ref: $TARGET\n", "gitdir: $TARGET\n", "$COMMIT\n", "$COMMIT refs/heads/x\n",
    "[include]\n\tpath = $TARGET\n", '[includeIf "gitdir:**"]\n\tpath = $TARGET\n', "[core]\n\tworktree = $TARGET\n", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n",
    "[extensions]\n\tpartialClone = x\n\tobjectFormat = sha256\n", '[remote "x"]\n\turl = $TARGET\n\tpromisor = true\n', "[core\n", "\0", "",
)  # fmt: skip
_NAMES = ("main", "HEAD", "x", "$COMMIT", "HEAD~1", "main@{1}", "@{upstream}", ":/x", "refs/heads/x", "ORIG_HEAD")


def git(chance):
    """Changes of a folder of git, a line each, and the revision that is asked for."""
    lines = [chance.choice(_NAMES)]
    for _ in range(chance.choice((1, 1, 2, 3))):
        text = chance.choice(_TEXTS).replace("$TARGET", chance.choice(_TARGETS))
        do = chance.choice(("link", "link", "write", "write", "append", "pipe", "dotgit", "take"))
        lines.append(
            "\t".join(
                (do, chance.choice(_PLACES), chance.choice(_TARGETS) if do == "link" else text.replace("\n", "\\n"))
            )
        )
    return "\n".join(lines).encode()


@cache
def _repositories():
    """The folder with a repository of a stranger and one of the user, and the last commit of the latter."""
    top = tempfile.mkdtemp(prefix="grpo-lint-fuzz-git-")
    who = ("-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main")
    for name, told in (("own", "one"), ("other", SECRET)):
        folder = Path(top, name)
        folder.mkdir()
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
            (folder / "secret.yaml").write_text(
                f"num_generations: 8\nper_device_train_batch_size: 8\ndataset_name: {told}\n"
            )
            done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True)
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(top, "other"), capture_output=True, text=True, check=True
    )
    return top, done.stdout.strip()


def check_git(data):
    """A comparison with a revision shows nothing of another repository and of no other file, and ends."""
    source, commit = _repositories()
    name, *lines = data.decode("utf-8", "replace").split("\n")
    with tempfile.TemporaryDirectory(prefix="grpo-lint-fuzz-") as top:
        for each in ("own", "other"):
            shutil.copytree(Path(source, each), Path(top, each))
        for line in lines[:20]:
            _change(Path(top, "own"), line.replace("$OTHER", f"{top}/other").replace("$COMMIT", commit).split("\t"))
        before = os.getcwd()
        os.chdir(Path(top, "own"))
        try:
            status, output, error = said(["diff", "--", name.replace("$COMMIT", commit).replace("\0", "")])
        finally:
            os.chdir(before)
    assert status in (0, 2), (status, error)
    assert SECRET not in output + error and "internal error" not in error, output + error
    assert commit not in (output + error).replace(name, "") or "$COMMIT" in name, "a reference of another repository"


def _change(folder, words):
    """Make one change in the folder of git; what leads out of it, or cannot be made, is passed over."""
    do, place, told = (*words, "", "", "")[:3]
    parts = place.split("/")
    if not place or any(part in ("", ".", "..") for part in parts) or "\0" in place + told:
        return
    path = folder / ".git" / place
    told = told.replace("\\n", "\n")
    try:
        if do == "dotgit":
            shutil.move(folder / ".git", folder / "gd")
            (folder / ".git").write_text(told)
            return
        if any(each.is_symlink() for each in path.parents if folder in each.parents):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if do in ("link", "pipe", "take"):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        if do == "link":
            path.symlink_to(told)
        elif do == "pipe":
            os.mkfifo(path)
        elif do in ("write", "append") and not path.is_symlink() and (path.is_file() or not path.exists()):
            with path.open("w" if do == "write" else "a") as file:
                file.write(told)
    except (OSError, ValueError):
        return


# --- names ----------------------------------------------------------------------------------------------------------

_PIECES = (
    "$(touch x)", "`x`", "'", '"', "\\", ";", "&", "|", "\n", "\t", "\x1b[31m", "\u202e", "\ud800", "~", "-", "::error::", "##[x]", "*", "{a,b}", "!!", "$HOME", "#12", "@me",
    "http://a.b", "www.a.b", "GH-1", "![x](y)", "<b>", "_x_", "1. ", "- ", "# ", "=", "hub_token: abcdefgh1234", "hf_AbCdEfGhIjKlMn", " ", "é", "%0A", "é\u0301", "$'", "\\'",
)  # fmt: skip


def names(chance):
    """A name that a shell, a terminal, a log or a service would take for something else."""
    pieces = [chance.choice(_PIECES) if chance.random() < 0.7 else word(chance) for _ in range(chance.randint(1, 8))]
    return "".join(map(str, pieces)).encode("utf-8", "surrogatepass")


def check_names(data):
    """A name is one word of a command, calls nobody in Markdown, and is told on one line."""
    text = data.decode("utf-8", "replace").replace("\0", "")[:LONGEST_TEXT]
    command = check_of(text)
    assert command.isprintable(), command
    if text.isprintable():
        program, name, told = shlex.split(command)
        assert (program, name, told) == (
            "grpo-lint",
            "check",
            f"./{text}" if text.lstrip().startswith(("-", "::")) else text,
        )
    elif BASH:
        done = subprocess.run(
            [BASH, "-c", f"printf %s {shell_word(text)}"], capture_output=True, env={"LC_ALL": "C.UTF-8"}
        )
        assert done.stdout.decode("utf-8", "replace") == text, (command, done.stdout)
    shown = clean(text)
    assert shown.isprintable() or set(shown) <= {
        each for each in shown if each.isprintable() or each in "\u200c\u200d" or ord(each) > 0x7F
    }
    assert len(masked(text)) == len(text) and masked(masked(text)) == masked(text)
    markdown = without_code(in_markdown(text))
    assert "\n" not in markdown
    bare = re.sub(r"\\([^\w\s])", r"\1", markdown)
    assert not re.search(r"[@#]\w|https?://|(?<!\w)www\.", bare, re.IGNORECASE), markdown
    assert not re.search(r"(?<!\\)(?:\\\\)*[<\[`](?!!-- -->)", markdown), markdown
