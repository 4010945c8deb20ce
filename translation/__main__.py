"""Write the catalogues of translations again: `grpo_lint` of what is said, and `meanings` of what keys mean, which only hover,
completion and their like load.

    python -m translation            the template of all messages, each catalogue with exactly these messages, and what gettext loads
    python -m translation FOLDER     the same for another folder of catalogues

A message that is new has an empty translation until somebody writes it; tests fail meanwhile. One that is gone is taken out.
"""

import sys
from datetime import datetime, timezone
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import grpo_lint
from translation.records import messages, sentences

LOCALE = Path(grpo_lint.__file__).parent / "locale"
NAME, MEANINGS = "grpo_lint", "meanings"
_ALL = {NAME: messages, MEANINGS: sentences}
_HEADER = (
    "# What grpo-lint says to people. Written by `python -m translation`; only the translations are written by hand."
)
_NO_DATE = datetime(2026, 1, 1, tzinfo=timezone.utc)  # which would change when no message does


def template(name: str = NAME) -> "Catalog":
    """All messages of a catalogue, each with where it is from."""
    return _filled(_empty(name))


def read(path: "Path") -> "Catalog":
    """A catalogue as it is written."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, domain=path.stem)


def merged(known: "Catalog") -> "Catalog":
    """A catalogue with exactly the messages that there are."""
    return _filled(_empty(str(known.domain), str(known.locale)), known)


def _empty(name: str, locale: "str | None" = None) -> "Catalog":
    return Catalog(
        locale=locale,
        domain=name,
        header_comment=_HEADER,
        project="grpo-lint",
        version="",
        creation_date=_NO_DATE,
        revision_date=_NO_DATE,
        last_translator="",
        language_team="",
        msgid_bugs_address=grpo_lint.ISSUES,
        fuzzy=False,
    )


def _filled(found: "Catalog", known: "Catalog | None" = None) -> "Catalog":
    for each, places in _ALL[str(found.domain)]().items():
        old = known.get(each.singular, each.context or None) if known is not None else None
        is_current = old is not None and not old.fuzzy and bool(each.plural) == isinstance(old.id, tuple)
        found.add(
            (each.singular, each.plural) if each.plural else each.singular,
            old.string if is_current else "",
            context=each.context or None,
            auto_comments=[", ".join(places)],
        )
    return found


def text_of(catalogue: "Catalog") -> bytes:
    """A catalogue as people read and write it."""
    file = BytesIO()
    write_po(file, catalogue, width=120)
    return file.getvalue()


def compiled(catalogue: "Catalog") -> bytes:
    """A catalogue as gettext loads it."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def write(folder: "Path") -> None:
    """Write the template, and each catalogue in both of its forms."""
    for name in _ALL:
        (folder / f"{name}.pot").write_bytes(text_of(template(name)))
        for path in sorted(folder.glob(f"*/LC_MESSAGES/{name}.po")):
            catalogue = merged(read(path))
            path.write_bytes(text_of(catalogue))
            path.with_suffix(".mo").write_bytes(compiled(catalogue))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else LOCALE)
