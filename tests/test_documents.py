"""What the pages say of addresses, versions, limits and commands follows from the program."""

import gzip
import re
import sys
from pathlib import Path

import pytest
import yaml

from grpo_lint import ISSUES, REPOSITORY, __version__
from grpo_lint.checker import expectations, processes
from grpo_lint.cli.hook_entry import Origin, entry
from grpo_lint.files import budget
from grpo_lint.fixes import offering, search
from grpo_lint.frameworks.registry import NAMES, framework
from grpo_lint.frameworks.schema import HOME
from grpo_lint.launch import files, scripts
from grpo_lint.report.json import PAGES
from grpo_lint.report.text import FIXABLE
from grpo_lint.source.quoting import listed
from grpo_lint.source.yaml import reader

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = REPOSITORY.partition("github.com/")[2]
README = ROOT / "README.md"


def told_to_users():
    """The texts that hold an address or a version for users: pages, manifests, schemas, and the package itself."""
    found = [
        ROOT / name
        for name in ("README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "action.yml")
    ]
    found += [ROOT / ".pre-commit-config.yaml", ROOT / ".pre-commit-hooks.yaml", ROOT / "editors/vscode/package.json"]
    for folder, pattern in (
        ("docs", "**/*.md"),
        ("schemas", "*.json"),
        (".github", "**/*.yml"),
        ("grpo_lint", "**/*.py"),
    ):
        found += (ROOT / folder).glob(pattern)
    return found + [path for path in (ROOT / "editors").glob("**/README.md") if "node_modules" not in path.parts]


def occurrences(pattern):
    """[(file, match)] of a pattern in what users read."""
    return [
        (path.relative_to(ROOT).as_posix(), match)
        for path in told_to_users()
        for match in re.finditer(pattern, path.read_text(encoding="utf-8"))
    ]


# --- the address ----------------------------------------------------------------------------------------------------


def test_the_package_knows_the_address_of_the_project():
    urls = PROJECT["urls"]
    assert (urls["Homepage"], urls["Issues"]) == (REPOSITORY, ISSUES)
    assert all(url == REPOSITORY or url.startswith(REPOSITORY + "/") for url in urls.values())
    assert f"{REPOSITORY}/blob/main/docs" == PAGES
    assert f"https://raw.githubusercontent.com/{NAME}/main/schemas" == HOME


def test_every_address_is_that_of_the_project():
    """Whoever moves the project changes `project.urls`, and this test names what is left to change."""
    found = occurrences(r"(?:github|githubusercontent)\.com/([\w.-]*/grpo-lint\b)|\buses: *([\w.-]*/grpo-lint)@")
    assert len(found) >= 13
    assert [(path, match[0]) for path, match in found if NAME not in match.groups()] == []


def test_the_address_stands_once_in_the_package():
    stated = {path for path, _ in occurrences(re.escape(REPOSITORY)) if path.startswith("grpo_lint/")}
    assert stated == {"grpo_lint/__init__.py"}


def test_links_between_pages_lead_somewhere():
    pages = [path for path in told_to_users() if path.suffix == ".md"]
    broken = [
        (page.relative_to(ROOT).as_posix(), target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


# --- the version ----------------------------------------------------------------------------------------------------


COMMIT = f"`git ls-remote {REPOSITORY} HEAD`"


ARCHITECTURE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_the_architecture_names_what_is_there():
    """Modules of the table stand in its room, all others at the path that is told."""
    rows = re.findall(r"^\| (`\w+/`.*?) \| .*? \| (.*?) \|$", ARCHITECTURE, re.MULTILINE)
    assert len(rows) == 14
    for rooms, modules in rows:
        for name in re.findall(r"`([\w/]+)`", modules):
            folders = [f"{room}{name}" for room in re.findall(r"`(\w+/)`", rooms)] + [name]
            assert any(
                (ROOT / "grpo_lint" / each).with_suffix(end).exists() for each in folders for end in ("", ".py")
            ), name
    told = set(re.findall(r"`((?:\w+/)+\w*(?:\.py)?)`", re.sub(r"^\|.*$", "", ARCHITECTURE, flags=re.MULTILINE)))
    places = (ROOT / "grpo_lint", ROOT)
    assert [
        name for name in told if not any((place / name).exists() or (place / f"{name}.py").exists() for place in places)
    ] == []


def test_the_architecture_is_read_in_one_sitting():
    assert len(ARCHITECTURE.encode()) < 16_300
    life = ARCHITECTURE.partition("## The life of one key")[2].partition("\n## ")[0]
    assert len(re.findall(r"^\d+\. ", life, re.MULTILINE)) == 10


def test_what_users_copy_can_be_had():
    """Where a page names a revision of ours it is a commit, which the page says how to get: tags and index releases come and go, and there may
    be none."""
    named = occurrences(rf"(?:{re.escape(REPOSITORY)}(?:\n +rev: |@)|uses: *{NAME}@)([\w.]+)")
    assert {(path, match[1]) for path, match in named} == {
        (path, "COMMIT") for path in ("README.md", "README.zh-CN.md", "docs/ci.md", "docs/ci.zh-CN.md")
    }
    assert {path for path, _ in occurrences(re.escape(COMMIT))} == {path for path, _ in named}
    english = "`COMMIT` is a commit of grpo-lint: " + COMMIT
    assert [path for path, _ in occurrences(re.escape(english))] == ["README.md", "docs/ci.md"]


def test_nobody_is_sent_to_an_index():
    """Where somebody else may own the name."""
    wanted = occurrences(r"(?:pip\"?|pipx|uv tool) install (?:-\S+ )*(?:git\+|'?grpo-lint)[^\n`]*")
    pages = [
        (path, match[0]) for path, match in wanted if not path.startswith("grpo_lint/")
    ]  # which is installed where the package speaks
    assert {
        "README.md",
        "README.zh-CN.md",
        "docs/ci.md",
        "docs/editors.md",
        "docs/agents.md",
        "editors/vscode/README.md",
    } <= {path for path, _ in pages}
    assert [each for each in pages if REPOSITORY not in each[1]] == []
    assert f'"grpo-lint[lsp] @ git+{REPOSITORY}"' in (ROOT / "editors/vscode/src/command.ts").read_text(
        encoding="utf-8"
    )


def test_the_entry_in_the_readme_is_the_one_that_init_writes():
    (shown,) = re.findall(r"```yaml\n(repos:\n.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert yaml.safe_load(shown) == {"repos": [entry(Origin(REPOSITORY, "COMMIT", True))]}


def test_the_extension_has_the_version_of_the_package():
    package = yaml.safe_load((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    assert package["version"] == __version__
    assert package["repository"]["url"] == f"{REPOSITORY}.git"


def test_the_changelog_tells_of_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert titles[0] == "Unreleased" and titles[1].split()[0] == __version__
    kinds = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


# --- what is judged -------------------------------------------------------------------------------------------------

TITLES = [framework(name).title for name in NAMES]


def described():
    """{where: the description of the project that stands there}."""
    manifests = {
        name: yaml.load((ROOT / name).read_text(encoding="utf-8"), yaml.BaseLoader)
        for name in (".pre-commit-hooks.yaml", "action.yml", "mkdocs.yml", "editors/vscode/package.json")
    }
    pages = {
        name: (ROOT / name).read_text(encoding="utf-8").partition("\n## ")[0]
        for name in ("README.md", "README.zh-CN.md", "docs/index.md", "editors/vscode/README.md")
    }
    return {
        "the package": PROJECT["description"],
        "the hook": manifests[".pre-commit-hooks.yaml"][0]["description"],
        "the action": manifests["action.yml"]["description"],
        "the site": manifests["mkdocs.yml"]["site_description"],
        "the extension": manifests["editors/vscode/package.json"]["description"],
        **pages,
    }


@pytest.mark.parametrize("where", described())
def test_descriptions_name_all_frameworks_that_are_judged(where):
    """In the order of the registry, which is the one place."""
    text = " ".join(described()[where].split())
    assert listed(TITLES) in text or f"{'、'.join(TITLES[:-1])} 和 {TITLES[-1]}" in text


def test_keywords_name_all_frameworks_that_are_judged():
    extension = yaml.safe_load((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    wanted = {
        title.lower().removesuffix("-swift") if name == "megatron" else title.lower()
        for name, title in zip(NAMES, TITLES)
    }
    assert wanted <= set(PROJECT["keywords"]) and wanted <= set(extension["keywords"])


# --- limits ---------------------------------------------------------------------------------------------------------


def recorded_verdicts():
    """How many cases `tests/truth/test_recorded_verdicts.py` judges."""
    return sum(
        len(gzip.decompress(path.read_bytes()).splitlines())
        for path in (ROOT / "tests/truth").glob("*.jsonl.gz")
        if "steps" not in path.name
    )


def thousands_of_verdicts():
    """The cases of all frameworks whose verdicts are recorded, rounded down to thousands."""
    recorded = (ROOT / "tests/truth").rglob("*.jsonl.gz")
    lines = sum(len(gzip.decompress(path.read_bytes()).splitlines()) for path in recorded if "steps" not in path.name)
    return lines // 1000 * 1000


@pytest.mark.parametrize("page, text", [
    ("docs/fixes.md", f"{search.MOST_TRIES:,} changes are tried for one file at most"),
    ("docs/fixes.md", f"{offering.MOST_CHARACTERS:,} characters linted again"),
    ("docs/fixes.md", f"with all its values (up to {search.LARGEST_VALUE})"),
    ("docs/fixes.md", f"the search goes up to {search.LARGEST_VALUE}"),
    ("docs/scripts.md", f"(its first {budget.MOST_SCRIPTS} scripts)"),
    ("docs/conformance.md", f"what a module larger than {files.LARGEST_FILE >> 10} KB says is not read"),
    ("docs/team-rules.md", f"A file expects {expectations.MOST} values at most"),
    ("docs/settings.md", f"no number up to {processes.LARGEST} works"),
    ("docs/strangers.md", f"What is larger than {files.LARGEST_FILE >> 10} KB is not checked"),
    ("docs/strangers.md", f"{reader.MOST_EVENTS:,} beginnings and ends of YAML nodes are read, {reader.MOST_DEPTH:,} levels of nesting, "
                  f"{reader.MOST_COMMENTS} comments for grpo-lint and {scripts.MOST_LAUNCHES} launches"),
    ("README.md", f"more than {thousands_of_verdicts():,} recorded verdicts of the real packages"),
    ("README.zh-CN.md", f"{thousands_of_verdicts():,} 多条判定记录一致"),
    ("docs/scripts.md", f"of {recorded_verdicts():,} cases have a flag form"),
])  # fmt: skip
def test_limits_in_the_pages_are_those_of_the_program(page, text):
    assert text in " ".join((ROOT / page).read_text(encoding="utf-8").split())


def test_the_limits_that_are_told_are_those_that_hold():
    for limit, problem in budget.LIMITS.values():
        told = re.match(r"([\d,]+)( MB)?\b", problem)
        assert not told or int(told[1].replace(",", "")) << (20 if told[2] else 0) == limit
    assert sum(problem[0].isdigit() for _, problem in budget.LIMITS.values()) >= 3


def test_the_mark_of_what_plain_fix_mends_is_explained():
    assert FIXABLE in (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")


# --- measurements ---------------------------------------------------------------------------------------------------

TABLE = re.compile(r"^\|[^\n]*\| (?:x|相对) [^\n]*\n\|[-:|]+\n(?:\|.*\n)+", re.MULTILINE)


def measured(page):
    """[(heads of columns, {row: its numbers})] of the tables of a page that have ratios to a program of the same table."""
    for table in TABLE.findall(page.read_text(encoding="utf-8")):
        heads, _, *rows = ([cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines())
        numbers = {
            name: [float(cell.replace(",", "")) for cell in cells]
            for name, *cells in rows
            if all(re.fullmatch(r"[\d,.]+", cell) for cell in cells)
        }
        yield heads[1:], numbers


@pytest.mark.parametrize(
    "name", ["README.md", "README.zh-CN.md", "docs/speed.md", "docs/scripts.md", "docs/scripts.zh-CN.md"]
)
def test_ratios_follow_from_the_numbers_beside_them(name):
    """Who divides two of the numbers gets the third, up to the digits that are shown."""
    count = 0
    for heads, rows in measured(ROOT / name):
        peers = {place: re.sub("^(x|相对) ", "", head) for place, head in enumerate(heads)}
        for row, place in ((row, place) for row in rows for place in peers if peers[place] in rows):
            exact = rows[row][0] / rows[peers[place]][0]
            assert rows[row][place] == pytest.approx(exact, rel=0.003, abs=0.0051 if exact < 10 else 0.051), (
                row,
                heads[place],
            )
            count += 1
    assert count >= 2


def test_the_tables_of_the_readmes_are_of_the_run_that_the_page_tells():
    (_, whole), *_ = measured(ROOT / "docs/speed.md")
    shown = [list(rows.values()) for page in ("README.md", "README.zh-CN.md") for _, rows in measured(ROOT / page)]
    assert shown[0] == shown[1] and len(shown[0]) == 5
    assert all(
        [cpu, nothing, peer] in [[row[0], row[2], row[3]] for row in whole.values()] for cpu, nothing, peer in shown[0]
    )
