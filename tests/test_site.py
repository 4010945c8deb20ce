"""The documentation site builds with the real MkDocs, without a broken link, and works without a network."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

from grpo_lint.frameworks.registry import NAMES, framework

pytest.importorskip("material", reason="the extra `docs` is not installed")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, built with --strict: a link that leads nowhere fails; or the one that SITE names, where CI
    has built it with the playground."""
    if built := os.environ.get("SITE"):
        return Path(built).resolve()
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


def pages_of(site):
    """The pages that MkDocs makes: the playground is one of its own."""
    return [page for page in site.rglob("*.html") if "playground" not in page.relative_to(site).parts]


# --- links ----------------------------------------------------------------------------------------------------------

LINKS = re.compile(r"""<[a-z][^>]*?\s(?:href|src)=(?:"([^"]*)"|'([^']*)')""")
ANCHORS = re.compile(r"""<[a-z][^>]*?\s(?:id|name)="([^"]*)\"""")
ELSEWHERE = re.compile(r"(?:[a-z]+:|//)")


def test_every_link_and_anchor_of_the_site_leads_somewhere(site):
    """Of whatever made them: Markdown, a hook, the theme, or HTML within a page. MkDocs looks at Markdown alone."""
    texts = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html") if page.name != "404.html"}
    anchors = {page: {unescape(name) for name in ANCHORS.findall(text)} for page, text in texts.items()}
    known, broken, count = {}, set(), 0
    for page, text in texts.items():
        for address in {unescape(one or other) for one, other in LINKS.findall(text)}:
            if ELSEWHERE.match(address):
                continue
            count += 1
            path, _, anchor = address.partition("#")
            target = page if not path else Path(os.path.normpath(page.parent / unquote(path)))
            target = target / "index.html" if known.setdefault(target, target.is_dir()) else target
            there = target in texts or known.setdefault((target, "file"), target.is_file())
            if not there or (anchor and target in anchors and unquote(anchor) not in anchors[target]):
                broken.add((page.relative_to(site).as_posix(), address))
    assert broken == set() and count > 10_000


# --- what a page becomes --------------------------------------------------------------------------------------------


class Structure(HTMLParser):
    """What a page consists of, and how deep in lists each of it stands."""

    KEPT = {"li", "table", "pre", "h1", "h2", "h3", "h4", "h5", "blockquote", "img", "em", "strong"}

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.depth = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.depth += tag in ("ul", "ol")
        if tag in self.KEPT:
            self.found.append((tag, self.depth))

    def handle_endtag(self, tag):
        self.depth -= tag in ("ul", "ol")


def test_pages_are_on_the_site_what_they_are_in_the_repository(site):
    """MkDocs has a Markdown of its own: what stands in an item of a list is indented by four there, and a list needs an
    empty line before it. Where it makes another thing of a page than everybody else does, its lists are broken."""
    other = MarkdownIt("commonmark").enable("table")
    broken = []
    sources = list((ROOT / "docs").rglob("*.md"))
    for source in sources:
        page = site / source.relative_to(ROOT / "docs").with_suffix(".html")
        page = page.with_name("index.html") if source.name == "README.md" else page
        article = re.search(r"<article.*?</article>", page.read_text(encoding="utf-8"), re.DOTALL)
        if Structure(article[0]).found != Structure(other.render(source.read_text(encoding="utf-8"))).found:
            broken.append(source.relative_to(ROOT).as_posix())
    assert len(sources) > 300 and broken == []


def test_no_mark_of_markdown_is_left_in_a_page(site):
    """In any page, those of the rules included: a mark that stands at the beginning of a line is a list that is none."""
    mark = re.compile(r"(?:^|\n) *(?:[*+-]|\d+\.) +\S|(?:^|\n) *#{1,6} |(?:^|\n)\||\|\s*:?--|```|\]\(|`")
    code = re.compile(r"<(code|pre|script|style|svg)\b.*?</\1>", re.DOTALL)
    left = set()
    for page in pages_of(site):
        article = re.search(r"<article.*?</article>", page.read_text(encoding="utf-8"), re.DOTALL)
        for block in re.split(
            r"</?(?:p|li|t[dhr]|h\d|[uo]l|table|article)\b[^>]*>", code.sub("x", article[0]) if article else ""
        ):
            if found := mark.search(block.strip("\n ")):
                left.add((page.name, found[0]))
    assert left == set()


# --- without a network ----------------------------------------------------------------------------------------------


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
    pages = pages_of(site)
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


# --- the search itself ----------------------------------------------------------------------------------------------

PASTED = (
    "ValueError: generation_batch_size (28) must be divisible by num_generations (8).",
    '  File "trainer.py", line 812, in __post_init__\n    raise ValueError(\nValueError: generation_batch_size (28) must be divisible by num_generations (8).',
)


def found_by_search(site, queries):
    """[[pages, the best first]] of what is typed or pasted into the search."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    asked = subprocess.run(
        [node, str(ROOT / "tests" / "search.mjs"), str(site)], input=json.dumps(queries), capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr
    return json.loads(asked.stdout)


def test_search_finds_a_message_that_is_pasted_whole(site):
    pasted, trace, short, code = found_by_search(site, [*PASTED, "num_generations", "GRPO203"])
    page = "rules/rollout-holds-whole-groups.html"
    assert (pasted[0], trace[0], code[0]) == (page, page, page) and short


def test_search_finds_nearly_every_message_of_every_framework(site):
    """As it is printed: after the name of the error, with numbers in it. Of those that consist of common words, several rules may come first."""
    pages = {}
    for row in (row for name in NAMES for row in framework(name).refusals.enforcement.rows):
        for wording in row.wording.split(" / "):
            if len(wording.split()) > 3:
                pages.setdefault(wording, set()).add(f"rules/{row.rule}.html")
    printed = ["[rank0]: ValueError: " + wording.replace("...", "37") for wording in pages]
    found = found_by_search(site, printed)
    missed = [each for each, of, best in zip(printed, pages.values(), found) if of.isdisjoint(best[:5])]
    assert len(printed) > 300 and len(missed) < len(printed) // 10, missed
