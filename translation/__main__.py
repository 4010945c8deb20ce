"""Write the catalogues of translations again.

    python -m translation            the template of all messages, each catalogue with exactly these messages, and what gettext loads
    python -m translation FOLDER     the same for another folder of catalogues

A message that is new has an empty translation until somebody writes it; tests fail meanwhile. One that is gone is taken out.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import grpo_lint
from translation.records import messages

LOCALE = Path(grpo_lint.__file__).parent / "locale"
NAME = "grpo_lint"


def template() -> Catalog:
    """All messages, each with where it is from."""
    catalogue = Catalog(project=NAME, version=grpo_lint.__version__, charset="utf-8")
    for (singular, plural, context), places in messages().items():
        message = (singular, plural) if plural else singular
        catalogue.add(message, context=context or None, locations=[(place, None) for place in sorted(places)])
    return catalogue


def read(path: Path) -> Catalog:
    """A catalogue as it is written."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, domain=NAME)


def merged(known: Catalog) -> Catalog:
    """A catalogue with exactly the messages that there are."""
    found = Catalog(locale=known.locale, domain=NAME, project=NAME, version=grpo_lint.__version__, charset="utf-8")
    for message in template():
        if message.id:
            old = known.get(message.id, message.context)
            translated = old.string if old is not None and not old.fuzzy else ""
            found.add(message.id, translated, context=message.context, locations=message.locations)
    return found


def write(folder: Path) -> None:
    """Write the template, and each catalogue in both of its forms."""
    with (folder / f"{NAME}.pot").open("wb") as file:
        write_catalogue(file, template())
    for path in sorted(folder.glob(f"*/LC_MESSAGES/{NAME}.po")):
        catalogue = merged(read(path))
        with path.open("wb") as file:
            write_catalogue(file, catalogue)
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)


def write_catalogue(file, catalogue):
    """Without dates and line numbers, which change when no message does."""
    catalogue.header_comment = "# What grpo-lint says. Written by `python -m translation`."
    catalogue.creation_date = catalogue.revision_date = "2026-11-23 00:00+0000"
    write_po(file, catalogue, width=120, omit_header=False, sort_output=False, include_lineno=False)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else LOCALE)
