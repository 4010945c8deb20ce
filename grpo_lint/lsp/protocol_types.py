"""The types of LSP from lsprotocol, without the comparing and printing methods that a server never calls.

Creating 500 classes is most of the start-up time of a server; without these methods it takes three fifths of that.
"""

from functools import partial

import attrs

_define = attrs.define
attrs.define = partial(_define, eq=False, repr=False)
try:
    from lsprotocol import types
finally:
    attrs.define = _define

__all__ = ["types"]
