"""What the page asks of grpo-lint, in the browser. One function, one JSON text."""

import json

from grpo_lint._api import _stated
from grpo_lint.engine import lint
from grpo_lint.launch.context import Context
from grpo_lint.report import json as report_json
from grpo_lint.report.explain import explanation
from grpo_lint.source.text import Text


def check(text, name, given):
    """The findings and the plan of a text. `name`: a file name, of which the suffix counts; `given`: facts as {name: text}."""
    facts = {fact: value for fact, value in json.loads(given).items() if value}
    try:
        stated = _stated(facts.pop("framework", None), facts.pop("version", None), facts.pop("world_size", None), facts)
    except ValueError as problem:
        return json.dumps({"problem": str(problem)})
    report = lint(Text(text, name), Context(outside=stated))
    found = report_json.file(report)
    found["plan"] = explanation(report, colour=False, width=100) if report.launches else ""
    return json.dumps(found)
