"""The types of LSP, as lsprotocol has them, without what a server never does with them: compare and print.

Making 500 classes is most of the time in which a server starts; without these methods they are made in three fifths of
it.
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
