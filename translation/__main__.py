"""Write the catalogues of translations again.

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
from translation.records import messages

LOCALE = Path(grpo_lint.__file__).parent / "locale"
NAME = "grpo_lint"
_HEADER = (
    "# What grpo-lint says to people. Written by `python -m translation`; only the translations are written by hand."
)
_NO_DATE = datetime(2026, 1, 1, tzinfo=timezone.utc)  # which would change when no message does


def template() -> "Catalog":
    """All messages, each with where it is from."""
    return _filled(_empty())


def read(path: "Path") -> "Catalog":
    """A catalogue as it is written."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, domain=NAME)


def merged(known: "Catalog") -> "Catalog":
    """A catalogue with exactly the messages that there are."""
    return _filled(_empty(str(known.locale)), known)


def _empty(locale: "str | None" = None) -> "Catalog":
    return Catalog(
        locale=locale,
        domain=NAME,
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
    for each, places in messages().items():
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
    (folder / f"{NAME}.pot").write_bytes(text_of(template()))
    for path in sorted(folder.glob(f"*/LC_MESSAGES/{NAME}.po")):
        catalogue = merged(read(path))
        path.write_bytes(text_of(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(catalogue))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else LOCALE)
