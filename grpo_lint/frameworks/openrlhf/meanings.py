"""What OpenRLHF's flags mean: one sentence each, with the unit and the effect of leaving it unset."""

MEANINGS: "dict[str, str]" = {}
TABLES = (MEANINGS,)  # the first one that has a field is used
SUGGESTIONS: "dict[str, object]" = {}
