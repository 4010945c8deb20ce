"""A framework as a copy in a checkout has it: keys, types and defaults are the copy's own, and all else is that of the releases which
have the most settings in common with it. The version file of a copy says little: what stands beside it is often of another release."""

import re

from ...message import NOTHING, Message
from ..base import Copies
from ..by_release import Enforcement, Enforcements
from ..versions import version_key
from .sections import SectionReleases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set as AbstractSet

    from ...shared_types import Catalogue, Framework, Groups
    from ..protocols import Copy

# What a release refuses is taken to be refused by a copy that is so much like it; of others it is only likely.
ALIKE = 0.9
TIE = 0.02  # releases that are as near as that may both be meant
MOST_ALIKE = 3
PLAIN = ("int", "float", "bool", "str")


class OnlyShown(Enforcement):
    """A row of releases that a copy is not like: it holds where the code of the copy shows the check."""

    __slots__ = ()


class CopiedReleases(SectionReleases):
    """What a copy says of its release, instead of what keys tell."""

    def is_a_fork(self, names: object, groups: "Groups", has_copy: bool) -> bool:
        return False  # it is judged as what it is


def most_alike(
    framework: "Framework", groups: "Groups", names: "AbstractSet[str]", mark: str = ""
) -> "tuple[list[int], float]":
    """(the releases with the trainer that are most like a copy with these settings, the oldest first; the share of settings that one of
    them and the copy both have, of all that either has). `mark`: a setting of what trains otherwise; a copy that has it is only like
    releases that do."""
    catalogue = framework.catalogue
    sizes, common = [0] * len(catalogue.releases), [0] * len(catalogue.releases)
    for path, bits in catalogue.settings(groups):
        for index in range(len(sizes)):
            if bits >> index & 1:
                sizes[index] += 1
                common[index] += path in names
    has_trainer = catalogue.known(framework.reader.trainer.field, groups)
    if mark in names:
        has_trainer &= catalogue.known(mark, groups) or has_trainer
    likeness = {
        index: each / (sizes[index] + len(names) - each)
        for index, each in enumerate(common)
        if has_trainer >> index & 1
    }
    alike, best = nearest(likeness)
    return alike[-MOST_ALIKE:], best


def nearest(likeness: "Mapping[int, float]") -> "tuple[list[int], float]":
    """(the releases that are as much alike as any, the oldest first; how much)."""
    best = max(likeness.values(), default=0.0)
    return [index for index, each in likeness.items() if best - each <= TIE], best


def as_copied(framework: "Framework", copy: "Copy", catalogue: "Catalogue", alike: "Sequence[str]", likeness: float,
              checks: "Mapping[str, tuple[str, ...]]", choices: "frozenset[str]" = frozenset(),
              alone: "frozenset[str]" = frozenset()) -> "Framework":  # fmt: skip
    """A framework with the catalogue of a copy, and the releases of it that the copy is most like. `checks`: see `Copies`; `choices`:
    settings whose values its own classes list; `alone`: rules whose words are in the code of no release that does not refuse them, so that
    a copy which has them does, too."""
    told = {"title": framework.title, "folder": copy.shown, "release": alike[-1], "percent": int(100 * likeness)}
    doubt = Message(
        "the {title} in {folder} shares {percent} % of its settings with {release}, the nearest release", told
    )
    releases = framework.releases
    if isinstance(releases, SectionReleases):
        releases = CopiedReleases(package=releases.package, is_of_another_package=releases.is_of_another_package)
    refusals = framework.refusals
    more = _rows_of_others(refusals.enforcement, alone, alike)
    if more:
        refusals = refusals.but(enforcement=Enforcements((*refusals.enforcement.rows, *more)))
    return framework.with_(
        catalogue=catalogue,
        refusals=refusals,
        releases=releases,
        copies=Copies(
            folder=copy.shown,
            alike=tuple(alike),
            percent=int(100 * likeness),
            doubt=NOTHING if likeness >= ALIKE else doubt,
            choices=choices,
            checks=checks,
            registries=framework.copies.registries,
        ),
    )


def _rows_of_others(enforcement: Enforcements, alone: "frozenset[str]", alike: "Sequence[str]") -> "list[OnlyShown]":
    """The latest rows with a text of some rules, where none of the releases that a copy is most like has any of them."""
    known = {rule for release in alike for rule in enforcement.at(version_key(release))}
    last = {row.rule: row for row in enforcement.rows if row.rule in alone - known and row.wording}
    since, until = alike[0], alike[-1]
    return [OnlyShown(rule, since, until, row.stage, row.wording, row.moment) for rule, row in last.items()]


def plain_type(annotation: str) -> str:
    """int, float, bool or str, with a question mark where None is one of the values; empty for others."""
    inner = inner_type(annotation)
    return inner + ("?" if is_optional(annotation) else "") if inner in PLAIN else ""


def choices_of(annotation: str) -> "tuple[str | int, ...]":
    """The values of a `Literal` that are of one type, besides None; empty for any other annotation."""
    import ast

    found = re.search(r"\bLiteral(\[[^][]*\])", annotation)
    try:
        values = ast.literal_eval(found[1]) if found else []
    except (ValueError, SyntaxError):
        return ()
    kinds = {type(each) for each in values if each is not None}
    return tuple(values) if len(kinds) == 1 and type(values[0]) in (str, int) else ()


def inner_type(annotation: str) -> str:
    """What an annotation takes besides None."""
    text = re.sub(r"typing\.|['\"]", "", annotation)
    return re.sub(r"Optional\[(.*)\]|\| None|None \|", r"\1", text).strip()


def is_optional(annotation: str) -> bool:
    return "None" in annotation or "Optional" in annotation
