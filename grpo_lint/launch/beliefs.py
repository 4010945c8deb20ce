"""What is taken to be so of a run, and how sure that is: each stage on the way to a launch adds its own."""

from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal, TypeAlias

    Certainty: TypeAlias = Literal["stated", "shown", "assumed"]

STATED: "Final" = "stated"  # by the user, the file, a pin
SHOWN: "Final" = "shown"  # by a text that names this very file
ASSUMED: "Final" = "assumed"  # likely, from the neighbourhood


class Belief(Record):
    """Something that is taken to be so.

    about      what: a fact, "version", "reader", "arguments", "trainer", "companion:transformers"
    value      what is believed of it
    certainty  whether it is stated, shown or assumed
    place      where that stands, in words; empty where nowhere
    note       how the assumption reads in a finding that it weakens; empty where others weigh it
    """

    about: str
    value: object
    certainty: "Certainty"
    place: str = ""
    note: str = ""
