"""Hooks of MkDocs: what Markdown of the repository needs to be a site."""

import posixpath
import re

LINK = re.compile(r"(\]\()((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, files):
    """Links such as ../CONTRIBUTING.md, which people follow in the repository, as addresses."""

    def address(found):
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page.file.src_uri), found[2]))
        if target.startswith("docs/"):
            return found[0]
        return f"{found[1]}{config.repo_url}/blob/main/{target}{found[3] or ''})"

    return LINK.sub(address, markdown)


def on_page_content(html, page, config, files):
    """A bar in the code of a table, which Markdown wants escaped there, without the backslash that this dialect leaves."""
    return re.sub(r"<td>.*?</td>", lambda cell: cell[0].replace("\\|", "|"), html, flags=re.DOTALL)
