"""Frameworks whose files merge settings over a base by their paths, and whose commands set, append, force or delete them.

The first group of a launch has the settings of its base, where it builds on one.
"""

from ...message import Message
from ...source.overrides import Override
from ..base import Attached, Fate, Fault, Keys, Programs
from ..command_spec import PROGRAM
from ..versions import bits_of
from .sections import SectionReleases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from ...rules.base import Stage
    from ...shared_types import Entry, Fields, Groups, Iterable, Key, Mapping, Release, Run


class MergedKeys(Keys):
    """`open_sections`: beginnings of keys below which users have keys of their own; `may_be_null`: sections in whose place a base may
    have null. `moved`: {path: the path that replaced it}. `needed_with`: {beginning of paths of what each run reads: (setting, what
    it has to be so that they are read)}."""

    open_sections: "tuple[str, ...]" = ()
    may_be_null: "tuple[str, ...]" = ()
    moved: "Mapping[str, str]" = {}
    needed_with: "Mapping[str, tuple[str, str]]" = {}

    def lacking(self, launch: "Run", candidate: "Release") -> "tuple[str, Stage] | None":
        """Of a config that builds on none, where a program of the release itself starts it: another one may fill it in."""
        is_whole = len(launch.groups) == 1 and launch.copy is None and not launch.incomplete
        if (
            not self.framework.reader.configs.needed_in
            or not is_whole
            or "program" not in launch.attached
            or "lacks_a_base" in launch.attached
        ):
            return None
        from .needed import first_lacking  # few configs are whole by themselves

        return first_lacking(self._needed.NEEDED, launch, candidate.key, self.needed_with)

    @property
    def _needed(self) -> "ModuleType":
        return __import__(self.framework.reader.configs.needed_in, fromlist=["NEEDED"])

    def takes(self, name: str, entry: "Entry", launch: "Run", index: int) -> bool:
        """A plain override sets what is there. Any other key may be new: one that no release reads is reported where it is near one that
        is read."""
        operator = getattr(entry, "operator", None)
        if operator == "delete":
            return True
        if operator == "set":
            return not self._is_below_null(name, launch, index) and self._may_be_set(name, launch, index)
        if self.framework.catalogue.known(name, launch.groups) >> index & 1:
            return not (operator == "add" and self._is_there(name, launch, index))
        return not self._is_a_mistake(name, launch, index)

    def _may_be_set(self, name: str, launch: "Run", index: int) -> bool:
        """Whether a setting may be there for a plain override."""
        return bool(
            launch.incomplete
            or launch.overridden(name)
            or (name.startswith(self.open_sections) and not self._has_moved(name, launch, index))
            or self._is_a_section(name, launch)
            or (len(launch.groups) > 1 and self.framework.catalogue.known(name, launch.groups[:1]) >> index & 1)
        )

    def _is_below_null(self, name: str, launch: "Run", index: int) -> bool:
        """Whether the base has nothing where a setting would be, and no other override has set any there."""
        section = next((each for each in self.may_be_null if name.startswith(f"{each}.")), "")
        if not section or launch.incomplete or len(launch.groups) == 1 or launch.overridden(section):
            return False  # of one group no base is known
        if self.framework.catalogue.fields(launch.groups[:1], index)[section] is None:
            return False
        others = [each for key, each in launch.entries.items() if key.startswith(section) and key != name]
        return all(getattr(each, "operator", None) == "set" for each in others)

    def _is_a_section(self, name: str, launch: "Run") -> bool:
        """Whether there are settings below a path."""
        begin = f"{name}."
        return any(each.startswith(begin) for each in (*self.framework.catalogue.names(), *launch.entries))

    def _is_there(self, name: str, launch: "Run", index: int) -> bool:
        """Whether the base has a setting, so that it cannot be appended."""
        if self._is_below_null(name, launch, index):
            return False
        field = self.framework.catalogue.fields(launch.groups[:1], index)[name] if len(launch.groups) > 1 else None
        return (field is not None and field.default is not None) or bool(launch.overridden(name))

    def _has_moved(self, name: str, launch: "Run", index: int) -> bool:
        """Whether a release reads a setting by another path, and by this one no more."""
        fields = self.framework.catalogue.fields(launch.groups, index)
        return not fields[name] and fields[self.moved.get(name, "")] is not None

    def _is_a_mistake(self, name: str, launch: "Run", index: int) -> bool:
        fields = self.framework.catalogue.fields(launch.groups, index)
        if self._has_moved(name, launch, index):
            return True
        is_open = name.startswith(self.open_sections) or "." not in name or _is_named_by_a_copy(name, launch)
        is_open = (
            is_open
            or _is_below_a_mapping(name, fields)
            or (self.framework.reader.configs.needed_in != "" and name in self._needed.READ)
        )
        return not is_open and self.framework.reader.renames.successor(name, fields)[0] is not None

    def misplaced(self, name: str, entry: "Entry", launch: "Run", candidate: "Release") -> "Fault | None":
        """One plus sign too many, or one too few."""
        if not isinstance(entry, Override) or entry.operator not in ("add", "set"):
            return None
        if not self.framework.catalogue.known(name, launch.groups) >> candidate.index & 1:
            return None
        is_added, consequence = entry.operator == "add", Message("Hydra refuses it")
        values = {"key": entry.name, "title": self.framework.title, "version": candidate.text}
        rule, meant = ("appended-key-is-new", name) if is_added else ("field-outside-the-tree-is-appended", f"+{name}")
        return Fault("read", rule, consequence=consequence, rename=meant, **values)

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        return name.startswith("--") or name == "defaults"

    def fate_of(self, entry: "Entry", key: "Key", launch: "Run") -> "Fate":
        """A plain override of what is not there is refused; any other key is kept, and no code reads it."""
        if not isinstance(entry, Override) or entry.operator != "set":
            return self.unknown_key(key, launch, False)
        told = Message(
            "it is refused when the overrides are read",
            plural="they are refused when the overrides are read",
            count=1,
        )
        return Fate("error", "read", told)


def _is_below_a_mapping(name: str, fields: "Fields") -> bool:
    """Whether a key is one of a mapping that is handed on as a whole, as the options of an engine are."""
    parts = name.split(".")
    above = (fields[".".join(parts[:end])] for end in range(len(parts) - 1, 1, -1))
    return any(field is not None and field.type.startswith("dict") for field in above)


def _is_named_by_a_copy(name: str, launch: "Run") -> bool:
    """Whether the code of the copy that is run names a setting, or its section: it may hand all of a section on."""
    copy, parts = launch.copy, name.split(".")[1:]
    return copy is not None and any(map(copy.names, parts[-2:]))


class DatedPrograms(Programs):
    """`dates`: {program: the first and the last release that has it, None where the newest has it}."""

    dates: "Mapping[str, tuple[Key, Key | None]]" = {}

    def dated(self, program: str) -> "dict[str, Attached]":
        return {"program": Attached("program", program, Message("the command"))} if program in self.dates else {}


class DatedReleases(SectionReleases):
    """The releases that have the program that a command starts."""

    def fitting(self, name: str, value: str, groups: "Groups", releases: "Iterable[Release]") -> int:
        programs = self.framework.reader.programs
        if name != PROGRAM or not isinstance(programs, DatedPrograms):
            return super().fitting(name, value, groups, releases)
        first, last = programs.dates[value]
        keys = {release.index: release.key[:2] for release in releases}
        return bits_of(index for index, key in keys.items() if first <= key and (last is None or key <= last))


def number_meant(value: object) -> "int | None":
    """The number that a value stands for where no type is checked: a truth value, a number with a point, a text."""
    if value is None or isinstance(value, (bool, int)):
        return None if value is None else int(value)
    if type(value) is float:
        return int(value) if value.is_integer() and abs(value) < 1e15 else None
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
