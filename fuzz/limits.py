"""The limits of an input: processor time, and memory beyond what was in use before."""

import os
import signal
import time
from contextlib import contextmanager

try:
    import resource
except ModuleNotFoundError:  # not a POSIX system
    resource = None

MOST_SECONDS = (
    20  # processor time for one input, on a machine as fast as the reference below, whose caches others may use as well
)
MOST_MEMORY = 256 << 20
_COUNTED, _SECONDS_TO_COUNT = 2_000_000, 0.1


class TooSlow(BaseException):
    """An input exceeded its time. Not an Exception, so that no handler in the checked code catches it."""


def seconds_of_this_machine():
    """MOST_SECONDS, scaled up on a machine that is slower, or that a tracer watches."""
    started = time.process_time()
    for _ in range(_COUNTED):
        pass
    return MOST_SECONDS * max(1, round((time.process_time() - started) / _SECONDS_TO_COUNT))


_most_seconds = seconds_of_this_machine()


@contextmanager
def bounded():
    """A context that ends in TooSlow or MemoryError when the limits are exceeded."""
    if resource is None:
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, _most_seconds)
    limit = resource.getrlimit(resource.RLIMIT_DATA)
    used = _memory_in_use()
    if used:
        resource.setrlimit(resource.RLIMIT_DATA, (used + MOST_MEMORY, limit[1]))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        resource.setrlimit(resource.RLIMIT_DATA, limit)
        signal.signal(signal.SIGVTALRM, before)


def begin_again():
    """Give the next command line of an input the whole time: what is bounded is what a person starts."""
    if resource is not None and signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
        signal.setitimer(signal.ITIMER_VIRTUAL, _most_seconds)


def _too_slow(number, frame):
    raise TooSlow(f"more than {_most_seconds} seconds")


def _memory_in_use():
    """The bytes that RLIMIT_DATA counts; None where the system does not report them."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def limit_process(memory=MOST_MEMORY, seconds=None, largest_file=None):
    """Limit this process for good: a child, before it runs grpo-lint."""
    seconds = seconds or _most_seconds
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    if largest_file is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write fails then, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
