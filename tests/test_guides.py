"""What the guides claim of worked examples is what the program computes."""

import re
from pathlib import Path

import pytest

import grpo_lint

DOCS = Path(__file__).parent.parent / "docs"
EXAMPLE = re.compile(r"## (?:Worked: |示例：)(.+?)\n.*?```yaml\n(.*?)```\n+(\|.*?)\n\n", re.DOTALL)
GUIDES = ("batch.md", "batch.zh-CN.md")
WORKED = [worked for guide in GUIDES for worked in EXAMPLE.findall((DOCS / guide).read_text(encoding="utf-8"))]


def test_the_guide_has_worked_examples():
    assert len(WORKED) == 6


@pytest.mark.parametrize("title, config, table", WORKED, ids=[title for title, _, _ in WORKED])
def test_numbers_of_the_guide_are_computed(title, config, table):
    report = grpo_lint.check_text(config, path="guide.yaml")
    assert [finding.code for finding in report.findings if finding.severity != "info"] == []
    claimed = {name: int(value) for name, value in re.findall(r"\| `(\w+)` \| (\d+) \|", table)}
    assert len(claimed) >= 4
    assert {name: report.plan[name] for name in claimed} == claimed
