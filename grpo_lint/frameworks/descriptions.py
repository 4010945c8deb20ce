"""What fields mean, in our own words and with their unit: for schemas, hover and completion.

The sentences stand in the `meanings` of each folder; those of several frameworks in `shared`.
"""

from .easyr1.meanings import MEANINGS as EASYR1
from .ms_swift.meanings import MEANINGS as MS_SWIFT
from .ms_swift.megatron.meanings import MEANINGS as MEGATRON
from .ms_swift.swift.meanings import MEANINGS as SWIFT
from .shared.meanings import MEANINGS as SHARED
from .trl.meanings import MEANINGS as TRL
from .verl.meanings import MEANINGS as VERL

# Of the tables of a framework the first one that has a field wins.
TABLES = {
    "trl": (TRL, SHARED),
    "swift": (SWIFT, MS_SWIFT, SHARED),
    "megatron": (MEGATRON, MS_SWIFT, SHARED),
    "verl": (VERL,),
    "easyr1": (EASYR1,),
}


def describe(framework_name: str, field: str) -> str:
    """One or two sentences about a field; an empty text where nothing was written.

    A setting that stands in a section is named by its path; `*.lr` is about every one whose path ends so.
    """
    names = [field, f"*.{field.rpartition('.')[2]}"] if "." in field else [field]
    return next((table[name] for table in TABLES[framework_name] for name in names if name in table), "")
