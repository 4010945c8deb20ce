"""One run that would start: framework, version, settings and facts, each with its origin."""

from ..plan import UNKNOWN, Plan


class Setting:
    """One key of the file: its value as PyYAML loads it, and the spans of key and value in the text."""

    __slots__ = ("name", "value", "key", "span", "entry")

    def __init__(self, name, value, key, span, entry=None):
        self.name = name
        self.value = value
        self.key = key
        self.span = span
        self.entry = entry


class Candidate:
    """A release that may be the one in use: its text, its place in the catalogue, and its arithmetic."""

    __slots__ = ("text", "key", "index", "regime")

    def __init__(self, text, key, index, regime):
        self.text = text
        self.key = key
        self.index = index
        self.regime = regime

    def __repr__(self):
        return f"Candidate({self.text})"


class Launch:
    """Everything that decides what a run does.

    settings           {name: Setting} of the file
    facts              {name: Fact}: what the file cannot say (`world-size`, `dataset-size`, ...), with its source
    candidates         the releases that may be meant, newest first; one when the version is known
    version_source     how the version is known: "command line", "comment", "settings", "requirements.txt", "inferred", ...
    newer              the stated version is newer than every known one
    missing            the stated version, when it has no such trainer; there are no candidates then
    stated             {package: version} of the companions that somebody named; the others go with the release
    """

    __slots__ = ("dialect", "algorithm", "loader", "settings", "facts", "candidates", "version_source", "newer", "stated", "missing", "_typed")  # fmt: skip

    def __init__(self, dialect, algorithm, loader, settings, facts, candidates, version_source, newer, stated):
        self.dialect = dialect
        self.algorithm = algorithm
        self.loader = loader
        self.settings = settings
        self.facts = facts
        self.candidates = candidates
        self.version_source = version_source
        self.newer = newer
        self.stated = stated
        self.missing = None
        self._typed = {}

    @property
    def groups(self):
        return self.dialect.groups(self.algorithm, self.loader)

    @property
    def world_size(self):
        fact = self.facts.get("world-size")
        return UNKNOWN if fact is None else fact.value

    def fields(self, candidate):
        return self.dialect.catalogue.fields(self.groups, candidate.index)

    def typed(self, candidate):
        """({name: value as this release's parser takes it}, [(Setting, Fault)]); keys it does not know are left out."""
        cached = self._typed.get(candidate.index)
        if cached is None:
            cached = self._typed[candidate.index] = self._read(self.fields(candidate))
        return cached

    def _read(self, fields):
        values, faults = {}, []
        read, loader = self.dialect.read, self.loader
        for name, setting in self.settings.items():
            field = fields.get(name)
            if field is None and self.dialect.abbreviates:
                name = unabbreviated(name, fields)
                field = fields.get(name)
            if field is not None:
                values[name], fault = read(setting.value, field[0], loader)
                if fault is not None:
                    faults.append((setting, fault))
        return values, faults

    def given(self, candidate):
        """The values that a plan takes as given: settings, facts, and what follows from the companions."""
        values, _ = self.typed(candidate)
        facts = self.facts
        return {
            **self.dialect.companion_facts(self.companions_of(candidate)),
            "dataset_size": facts["dataset-size"].value if "dataset-size" in facts else UNKNOWN,
            "eval_dataset_size": facts["eval-dataset-size"].value if "eval-dataset-size" in facts else None,
            **values,
            "world_size": self.world_size,
        }

    def companions_of(self, candidate):
        """The versions of the companions: as stated, else those a release goes with."""
        return {**self.dialect.catalogue.companions[candidate.index], **self.stated}

    def plan(self, candidate, changes=None):
        """The plan under one release; `changes` replaces settings and facts, to ask what would be."""
        given = self.given(candidate)
        if changes:
            given.update(changes)
        return Plan(candidate.regime.formulas, given, self.dialect.catalogue.defaults(self.groups, candidate.index))


def unabbreviated(name, fields):
    """The field that argparse takes a flag for: dashes are underscores, and the beginning of one field's name is enough.

    A beginning without an underscore would match a field in both spellings, which argparse calls ambiguous.
    """
    name = name.replace("-", "_")
    if name in fields or "_" not in name:
        return name
    matches = [field for field in fields if field.startswith(name)]
    return matches[0] if len(matches) == 1 else name
