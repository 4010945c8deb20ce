"""What the page asks of grpo-lint, in the browser. One function, one JSON text."""

import json

from grpo_lint._api import _stated
from grpo_lint.engine import lint
from grpo_lint.launch.context import Context
from grpo_lint.report import json as report_json
from grpo_lint.report.explain import explanation, svg
from grpo_lint.report.explain.picture import Picture
from grpo_lint.source.text import Text


def check(text, name, given):
    """The findings, the plan and its picture of a text. `name`: a file name, of which the suffix counts; `given`: facts as {name: text}."""
    facts = {fact: value for fact, value in json.loads(given).items() if value}
    try:
        stated = _stated(facts.pop("framework", None), facts.pop("version", None), facts.pop("world_size", None), facts)
    except ValueError as problem:
        return json.dumps({"problem": str(problem)})
    report = lint(Text(text, name), Context(outside=stated))
    found = report_json.file(report)
    found["plan"] = explanation(report, colour=False, width=100) if report.launches else ""
    drawn = [(path, story) for path, story in svg.part(report) if Picture.of(story)]
    found["picture"] = svg.document([drawn]) if drawn else ""
    return json.dumps(found)
