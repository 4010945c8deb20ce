"""Finds the files that `grpo-lint check PATH...` is about.

A file that is named is taken, whatever it is called. A folder is walked in a fixed order for YAML files and shell scripts; folders that
hold other people's or generated files are passed over. Symbolic links to folders are not followed: inside the tree
their target is met anyway, and outside of it nobody asked for it.
"""

import os

SCRIPTS = (".sh", ".bash", ".slurm", ".sbatch")
SUFFIXES = (".yaml", ".yml", *SCRIPTS)
SKIPPED_FOLDERS = {"node_modules", "__pycache__", "venv", "site-packages", "build", "dist"}  # and all hidden ones
STDIN = "-"


class Unreadable:
    """A path that was asked for, or met on the way, and that cannot be read."""

    __slots__ = ("path", "reason")

    def __init__(self, path, reason):
        self.path = path
        self.reason = reason

    def __repr__(self):
        return f"Unreadable({self.path!r}, {self.reason!r})"


def find_files(paths, exclude=None, suffixes=SUFFIXES):
    """Yield each file once, as a path in the spelling of the caller, and an Unreadable for each that cannot be had.

    `exclude` leaves out files and whole folders that are met while walking, never a path that is named: either patterns
    (relative to the working directory, see settings) or a function of a path. `-` passes through.
    """
    excluded = _predicate(exclude)
    seen = set()
    for path in paths:
        if path == STDIN:
            found = [(STDIN, STDIN)]
        else:
            found = _named(path, excluded, suffixes, seen)
        for identity, file in found:
            if identity not in seen:
                seen.add(identity)
                yield file


def _predicate(exclude):
    if exclude is None or callable(exclude):
        return exclude or (lambda path: False)
    from grpo_lint.settings import Globs

    return Globs(exclude, os.getcwd()).match


def _named(path, excluded, suffixes, seen):
    """What a path on the command line stands for, as (identity, file or Unreadable)."""
    try:
        if os.path.isdir(path):
            return _walk(path, excluded, suffixes, seen)
        os.stat(path)
        return [_readable(os.path.realpath(path), path)]
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return [(path, Unreadable(path, _reason(error)))]


def _walk(top, excluded, suffixes, seen):
    """The files below `top`: those of a folder first, then its folders, each by name."""
    waiting = [(top, os.path.realpath(top))]
    while waiting:
        folder, real = waiting.pop()
        if (real, "walked") in seen:  # named twice, or inside a folder that was named as well
            continue
        seen.add((real, "walked"))
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=_name)
        except OSError as error:
            yield real, Unreadable(folder, _reason(error))
            continue
        folders = []
        for entry in entries:
            path = _join(folder, entry.name)
            if entry.is_dir(follow_symlinks=False):
                if not _skipped(entry.name) and not excluded(path):
                    folders.append((path, os.path.join(real, entry.name)))
            elif entry.name.endswith(suffixes) and not excluded(path):
                yield from _met(entry, path, real)
        waiting.extend(reversed(folders))


def _met(entry, path, real_folder):
    """A file that was met while walking; FIFOs, sockets, devices and links to folders are not files."""
    try:
        if entry.is_symlink():
            os.stat(path)  # says why, when the link leads nowhere
            identity = os.path.realpath(path)
        else:
            identity = os.path.join(real_folder, entry.name)
        if entry.is_file():
            yield _readable(identity, path)
    except OSError as error:
        yield path, Unreadable(path, _reason(error))


def _readable(identity, path):
    return identity, path if os.access(path, os.R_OK) else Unreadable(path, "Permission denied")


def _skipped(name):
    return name.startswith(".") or name in SKIPPED_FOLDERS


def _join(folder, name):
    return name if folder == os.curdir else os.path.join(folder, name)


def _name(entry):
    return entry.name


def _reason(error):
    return getattr(error, "strerror", None) or str(error)
