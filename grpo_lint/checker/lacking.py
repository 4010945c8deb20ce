"""What a config that is whole by itself lacks of what its program reads, where no parser says so. Loaded for a framework that tells of it."""

from ..frameworks.rule_sets import rule_named
from ..frameworks.shared.merged_keys import MergedKeys
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Candidate, Iterator, Launch


def lacking(launch: "Launch", newest: "Candidate") -> "Iterator[Finding]":
    """A finding for the first of it; of a release that is guessed nothing is known."""
    keys = launch.framework.reader.keys
    is_certain = len(launch.candidates) == 1 and not launch.doubt
    found = keys.lacking(launch, newest) if is_certain and isinstance(keys, MergedKeys) else None
    if found is not None:
        told = {"key": found[0], "title": launch.framework.title, "version": newest.text}
        rule = rule_named("required-key-is-given")
        yield Finding(rule, "error", found[1], candidate=newest, plan=launch.plan(newest), values=told)
