"""The documentation site builds with the real MkDocs, without a broken link, and works without a network."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from grpo_lint.frameworks.registry import NAMES, framework

pytest.importorskip("material", reason="the extra `docs` is not installed")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, built with --strict: a link that leads nowhere fails."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


class Loaded(HTMLParser):
    """The addresses that a page loads by itself: scripts, styles, pictures, fonts."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in ("script", "img", "iframe", "source"):
            self.found.append(values.get("src"))
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload", "preconnect"):
            self.found.append(values.get("href"))


def test_pages_load_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 300
    foreign = {
        (page.name, address)
        for page in pages
        for address in Loaded(page.read_text(encoding="utf-8")).found
        if address and re.match(r"(https?:)?//", address)
    }
    assert foreign == set()


def test_links_of_findings_have_their_page(site):
    named = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md") if path.stem != "README"}
    assert {path.stem for path in (site / "rules").glob("*.html")} >= named


@pytest.mark.parametrize("name", NAMES)
def test_search_finds_the_words_of_a_framework(site, name):
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    text = "\n".join(re.sub(r"<[^>]+>", "", entry["text"]) for entry in index["docs"])
    plain = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'"}
    for escaped, character in plain.items():
        text = text.replace(escaped, character)
    wordings = {row.wording for row in framework(name).refusals.enforcement.rows if row.wording}
    assert {wording for wording in wordings if wording not in text} == set()
