"""What a name of a setting in sections is most likely meant for, where no table of the framework says it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...shared_types import Catalogue, Fields

MOST_LOOKED_AT = 20  # names that are alike
MOST_REMEMBERED = 1000


def may_be(name: str, near: str, fields: "Fields", catalogue: "Catalogue") -> bool:
    """Whether a setting that a release has had may be another one of these fields: no release has both, and the settings beside it went the
    same way."""
    if not catalogue.knows(name):
        return True
    if catalogue.known(name, fields.groups) & catalogue.known(near, fields.groups):
        return False
    section, there = f"{name.rpartition('.')[0]}.", near.rpartition(".")[0]
    beside = (each for each in catalogue.names() if each.startswith(section) and not fields[each])
    return all(fields[f"{there}.{each[len(section) :]}"] for each in beside)


def goes_along(names: "Iterable[str]", name: str, near: str, fields: "Fields") -> bool:
    """Whether most of `names` that stand beside a name, in a section that the release does not have, have a place beside `near` as well:
    of a section that is misspelt they have."""
    section, there = name.rpartition(".")[0], near.rpartition(".")[0]
    if section in _index(fields)[1]:
        return True
    beside = [each[len(section) :] for each in names if each.startswith(f"{section}.")]
    return 2 * sum(fields[f"{there}{each}"] is not None for each in beside) >= len(beside)


def likely(name: str, fields: "Fields") -> "str | None":
    """The one setting that is meant; asked once."""
    found: dict[str, str | None] = fields.kept.setdefault(_MEANT, {})
    if name not in found:
        if len(found) >= MOST_REMEMBERED:
            found.clear()
        found[name] = _nearest(name, fields)
    return found[name]


def _nearest(name: str, fields: "Fields") -> "str | None":
    """The one setting of a release that has the same last part, preferably in the same section, or the nearest
    spelling in its own section; None where several could be meant. In a section that no release has, such as
    `reward_model.overlong_buffer`, a last part of many sections (`enable`) says nothing, and in one that it has, the same end of a
    path elsewhere (`actor.model.path`, `critic.model.path`) is that of another model."""
    section, _, last = name.rpartition(".")
    by_last, by_section = _index(fields)
    alike = by_last.get(last, [])
    near = _in_the_same_part(name, alike, section in by_section)
    ends = [known for known in alike if known.endswith(f".{name}")]
    if len(ends) == 1:
        return ends[0]
    if len(near) == 1 and (len(alike) == 1 or section in by_section):
        return near[0]
    from difflib import get_close_matches

    alike = get_close_matches(name, near[:MOST_LOOKED_AT], n=1, cutoff=0.8)
    if alike:
        return alike[0]
    match = next(iter(get_close_matches(last, by_section.get(section, []), n=1, cutoff=0.8)), None)
    return match and (f"{section}.{match}" if section else match)


def _in_the_same_part(name: str, alike: "list[str]", is_known: bool) -> "list[str]":
    """Those of some names that begin as a name does; where none does, all that may be meant. `is_known`: whether its section is."""
    top, end = name.partition(".")[0], ".".join(["", *name.split(".")[-2:]])
    return [known for known in alike if known.partition(".")[0] == top] or [
        known for known in alike if not (is_known and known.endswith(end))
    ]


def _index(fields: "Fields") -> "tuple[dict[str, list[str]], dict[str, list[str]]]":
    """({last part: paths}, {section: last parts}) of the settings of a release."""
    if _BY_PARTS not in fields.kept:
        by_last: dict[str, list[str]] = {}
        by_section: dict[str, list[str]] = {}
        for path in fields.names():
            section, _, last = path.rpartition(".")
            by_last.setdefault(last, []).append(path)
            by_section.setdefault(section, []).append(last)
        fields.kept[_BY_PARTS] = by_last, by_section
    found: tuple[dict[str, list[str]], dict[str, list[str]]] = fields.kept[_BY_PARTS]
    return found


_MEANT, _BY_PARTS = "what names may be meant for", "names by their parts"  # what is kept with the fields of a release
