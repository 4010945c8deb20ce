"""The encoding in which Python reads a file of Python (PEP 263).

A name in a stranger's file chooses nothing but one of the encodings of this list: those of texts that say the same
ASCII in the same bytes, without a state. So no codec runs that unpacks or executes something, and a fix can be written
back byte for byte.
"""

import re
from encodings.aliases import aliases

ENCODINGS = frozenset(
    [
        *"ascii latin_1 utf_8 koi8_r koi8_t koi8_u kz1048 hp_roman8 ptcp154 tis_620 cp720 cp737 cp775 cp874 cp1125".split(),
        *(f"iso8859_{part}" for part in range(2, 17) if part != 12),
        *(f"cp{page}" for page in (437, 850, 852, 855, 857, 858, *range(860, 864), 865, 866, 869, *range(1250, 1259))),
        *(f"mac_{name}" for name in "croatian cyrillic greek iceland latin2 roman romanian turkish".split()),
        *"gbk gb2312 gb18030 big5 big5hkscs cp950 shift_jis cp932 euc_jp euc_jis_2004 euc_jisx0213 euc_kr cp949".split(),
    ]
)
_DECLARATION = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NO_CODE = re.compile(rb"[ \t\f]*(?:#|\Z)")
_LINE_BREAK = re.compile(rb"\r\n?|\n")


def declared(data: bytes) -> str:
    """The name that a file of Python declares in one of its first two lines; empty where it declares none."""
    start = 0
    for _ in range(2):
        found = _LINE_BREAK.search(data, start)
        end = found.start() if found else len(data)
        line = data[start:end]
        if match := _DECLARATION.match(line):
            return match[1].decode("ascii", "replace")
        if found is None or not _NO_CODE.match(line):
            return ""
        start = found.end()
    return ""


def known(name: str) -> str:
    """The encoding of this name; empty for one that is not in the list."""
    word = name[:80].lower().replace("_", "-")
    if f"{word}-".startswith("utf-8-"):  # as the tokenizer of Python has it
        return "utf_8"
    if f"{word}-".startswith(("latin-1-", "iso-8859-1-", "iso-latin-1-")):
        return "latin_1"
    word = re.sub(r"[^a-z0-9]+", "_", word)
    found = aliases.get(word, word)
    return found if found in ENCODINGS else ""
