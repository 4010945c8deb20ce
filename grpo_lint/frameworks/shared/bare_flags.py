"""Flags without a word, as the parser of transformers reads them: that of TRL and of ms-swift."""

from ...message import NOTHING, Message, parts
from ...unknown import UNKNOWN
from .values import wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Fault, Field


def refusal(
    flag: str, is_on: bool, field: "Field", is_certain: "bool | None" = True
) -> "tuple[object, Fault | None] | None":
    """What becomes of a flag without a word that the parser takes with one only; None where it takes it as it is. `is_on`: whether
    it is no `--no_x`; `is_certain`: whether the field is read as it is declared."""
    if _takes_no_word(field, is_on):
        return None
    value = is_on if not is_certain and field.type.rstrip("?") == "bool" else UNKNOWN
    why = Message("the flag --{flag}, which the parser has only for what is true by default", {"flag": flag})
    if is_on:
        why = Message("no value: the parser needs a word after its flag")
    unless = NOTHING if is_certain else Message("unless the training script declares it again")
    return value, wrong_type("read" if is_certain else "never", parts((why, unless)))


def _takes_no_word(field: "Field", is_on: bool) -> bool:
    if not is_on:
        return field.default is True
    return field.type in ("bool", "bool|str") or (field.type == "bool?" and field.default is not None)
