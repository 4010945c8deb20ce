"""What an editor sends on standard input: headers, and messages of the size that they say; and the types of its messages."""

import logging
import re
from functools import partial

import attrs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedReader
LONGEST_HEADER = 4096
_AT_ONCE = 1 << 16  # bytes that are read in one go
LARGEST_MESSAGE = 256 << 20  # bytes; sixteen times the largest notebook
_HEADER = re.compile(r"Content-(?:Length: (\d{1,18})|Type: [^\r\n]*)\r\n|\r\n", re.ASCII | re.IGNORECASE)
_NONE = b"?"  # what pygls takes for a header that it does not know
_LOG = logging.getLogger(__name__)


class Input:
    """A stream that an editor writes, for pygls, which passes over headers that it does not know without a word, and
    takes the memory for a message of any size. It holds what has arrived, so that one can see whether there is more."""

    def __init__(self, stream: "BufferedReader") -> None:
        self._stream = stream
        self._held = bytearray()
        self._has_complained = False

    def has_more(self) -> bool:
        """Whether another message has arrived, or the beginning of one."""
        return bool(self._held)

    def readline(self) -> bytes:
        """The next header; nothing, as at the end, where a message is larger than any."""
        line = self._line()
        found = _HEADER.fullmatch(line.decode("latin-1"))
        if not line:
            return line
        if not found:
            if not self._has_complained:
                _LOG.error(
                    "no header of a message of LSP: %r; what comes before the next one is passed over", line[:80]
                )
            self._has_complained = True
            return _NONE
        if found[1] and int(found[1]) > LARGEST_MESSAGE:
            _LOG.error("a message of %s bytes: the largest that is read has %s", int(found[1]), LARGEST_MESSAGE)
            return b""
        self._has_complained &= not found[1]
        return b"Content-Length: %d\r\n" % int(found[1]) if found[1] else line  # pygls reads no other case

    def read(self, size: int) -> bytes:
        """The next bytes of a message."""
        while len(self._held) < size and self._fill():
            pass
        return self._take(size)

    def _line(self) -> bytes:
        while (end := self._held.find(b"\n", 0, LONGEST_HEADER)) < 0 and len(self._held) < LONGEST_HEADER:
            if not self._fill():
                break
        return self._take(end + 1 or LONGEST_HEADER)

    def _fill(self) -> bool:
        """Wait for the next bytes, and hold them; False at the end."""
        more = self._stream.read1(_AT_ONCE)
        self._held += more
        return bool(more)

    def _take(self, size: int) -> bytes:
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken


# --- types --------------------------------------------------------------------------------------------------------------

# The types of LSP from lsprotocol, without the comparing and printing methods that a server never calls.
#
# Creating 500 classes is most of the start-up time of a server; without these methods it takes three fifths of that.

_define = attrs.define
attrs.define = partial(_define, eq=False, repr=False)
try:
    from lsprotocol import types
finally:
    attrs.define = _define

__all__ = ["types"]
