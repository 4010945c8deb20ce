"""`python -m grpo_lint` is `grpo-lint`, after the working directory has left the path on which Python looks for
modules.

That folder may be a stranger's, with a `yaml.py` in it. A folder `grpo_lint` in it would run instead of this line, so
nothing that is documented starts us like that: the program `grpo-lint` and `python -I -m grpo_lint` never look there.
"""

import os  # this and sys are there before any module is looked for
import sys


def _forget_the_working_directory() -> None:
    """Take away what `-m` put first; an equal entry that comes from PYTHONPATH is the user's own."""
    if sys.flags.isolated or getattr(
        sys.flags, "safe_path", False
    ):  # -I, -P from Python 3.11 on: nothing was put there
        return
    try:
        here = os.getcwd()
    except OSError:  # it was removed, and Python has no name for it either
        return
    if sys.path[:1] == [here]:
        del sys.path[0]


_forget_the_working_directory()

from .cli.start import console  # noqa: E402

console()
