"""Hooks of MkDocs: what Markdown of the repository needs to be a site."""

import posixpath
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")
BUTTON = "<!-- the site has a button here -->"
HERE = "<!-- the site runs the playground here -->"
OPEN = '<a class="md-button md-button--primary" href="playground/index.html">Open the playground</a>'
# The first page runs it; its Python is loaded only when it is scrolled into view.
FRAME = '<iframe src="playground/index.html" title="playground" loading="lazy" style="width: 100%; height: 36rem; border: 1px solid #8888"></iframe>'


def on_page_markdown(markdown, page, config, files):
    """Links such as ../CONTRIBUTING.md, which people follow in the repository, as addresses."""

    def address(found):
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page.file.src_uri), found[2]))
        if target.startswith("docs/"):
            return found[0]
        return f"{found[1]}{config.repo_url}/blob/main/{target}{found[3] or ''})"

    if page.file.src_uri.startswith("rules/") and page.file.name != "index":
        page.meta["search"] = {"boost": 4}  # a message is explained there, and only listed elsewhere
    if _has_playground():
        markdown = markdown.replace(BUTTON, OPEN).replace(HERE, FRAME)
    return LINK.sub(address, markdown)


def on_page_content(html, page, config, files):
    """A bar in the code of a table, which Markdown wants escaped there, without the backslash that this dialect leaves."""
    return re.sub(r"<td>.*?</td>", lambda cell: cell[0].replace("\\|", "|"), html, flags=re.DOTALL)


def on_post_build(config):
    """The playground, where `npm ci` in its folder has brought what it needs."""
    if _has_playground():
        sys.path.insert(0, str(ROOT / "playground"))
        from build import build

        build(Path(config.site_dir) / "playground")


def _has_playground():
    return (ROOT / "playground" / "node_modules" / "pyodide").is_dir()
