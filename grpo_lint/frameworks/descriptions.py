"""What fields mean, with their units: for schemas, hover and completion.

The sentences are in the `meanings` of each folder; those of several frameworks in `shared`.
"""

from .easyr1.meanings import MEANINGS as EASYR1
from .ms_swift.meanings import MEANINGS as MS_SWIFT
from .ms_swift.megatron.meanings import MEANINGS as MEGATRON
from .ms_swift.swift.meanings import MEANINGS as SWIFT
from .shared.meanings import MEANINGS as SHARED
from .trl.meanings import MEANINGS as TRL
from .verl.meanings import MEANINGS as VERL

# The first table of a framework that has a field is used.
TABLES = {
    "trl": (TRL, SHARED),
    "swift": (SWIFT, MS_SWIFT, SHARED),
    "megatron": (MEGATRON, MS_SWIFT, SHARED),
    "verl": (VERL,),
    "easyr1": (EASYR1,),
}


def describe(framework_name: str, field: str) -> str:
    """One or two sentences about a field; an empty text where there are none.

    A setting in a section is named by its path; `*.lr` describes every path that ends so.
    """
    names = [field, f"*.{field.rpartition('.')[2]}"] if "." in field else [field]
    return next((table[name] for table in TABLES[framework_name] for name in names if name in table), "")
