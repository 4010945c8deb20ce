"""The tasks of a Slurm array: the same script, once for each number."""

import re

MOST_TASKS = 10_000
_ARRAY = re.compile(
    r"^#SBATCH[ \t]+(?:--array(?:=|[ \t]+)|-a[ \t]*)([0-9,:-]{1,200})(?:%[0-9]+)?[ \t]*(?:#.*)?$", re.MULTILINE
)
_PART = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6})(?::([1-9][0-9]{0,5}))?)?")
_FIRST_COMMAND = re.compile(r"^[ \t]*[^#\s]", re.MULTILINE)


def tasks_of(text: str) -> "list[int]":
    """The numbers of the tasks that a script asks for in its options, as in `0-6:2` and `1,3,5`; none where it does not."""
    said = _ARRAY.search(text)
    found: list[int] = []
    for part in said[1].split(",") if said else ():
        numbers = _PART.fullmatch(part)
        if numbers is None:
            return []
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        found += range(first, min(last, first + MOST_TASKS) + 1, int(numbers[3] or 1))
    return found[:MOST_TASKS]


def as_task(text: str, number: int) -> str:
    """A script as one task of its array runs it."""
    first = _FIRST_COMMAND.search(text)
    at = first.start() if first else len(text)
    return f"{text[:at]}SLURM_ARRAY_TASK_ID={number}\n{text[at:]}"
