"""Finds the files that `grpo-lint check PATH...` is about.

A file that is named is taken, whatever it is called. A folder is walked in a fixed order for YAML files and shell scripts; folders that
hold other people's or generated files are passed over. Symbolic links to folders are not followed: inside the tree
their target is met anyway, and outside of it nobody asked for it.
"""

import os

from . import disk

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
        if disk.is_folder(path):
            return _walk(path, excluded, suffixes, seen)
        return [(disk.real(path), path)]
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return [(path, Unreadable(path, _reason(error)))]


def _walk(top, excluded, suffixes, seen):
    """The files below `top`: those of a folder first, then its folders, each by name."""
    waiting = [(top, disk.real(top))]
    while waiting:
        folder, real = waiting.pop()
        if (real, "walked") in seen:  # named twice, or inside a folder that was named as well
            continue
        seen.add((real, "walked"))
        try:
            entries = disk.listing(folder)
        except OSError as error:
            yield real, Unreadable(folder, _reason(error))
            continue
        folders = []
        for name, kind in entries:
            if kind == disk.FOLDER:
                path = _join(folder, name)
                if not _skipped(name) and not excluded(path):
                    folders.append((path, os.path.join(real, name)))
            elif kind != disk.OTHER and name.endswith(suffixes):
                path = _join(folder, name)
                if excluded(path):
                    continue
                if kind == disk.FILE:
                    yield os.path.join(real, name), path
                elif disk.kind(path) not in (disk.FOLDER, disk.OTHER):  # a link that leads nowhere is told when it is read
                    yield disk.real(path), path
        waiting.extend(reversed(folders))


def _skipped(name):
    return name.startswith(".") or name in SKIPPED_FOLDERS


def _join(folder, name):
    return name if folder == os.curdir else os.path.join(folder, name)


def _reason(error):
    return getattr(error, "strerror", None) or str(error)
