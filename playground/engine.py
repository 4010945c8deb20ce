"""What the page asks of grpo-lint, in the browser: a message of JSON in, its answer out.

A message is {"id": ..., "text": ..., "name": a file name, of which the suffix counts, "facts": {name: text}}, the answer {"id": the same,
"report": what `--output-format json` says of one file, with "plan" and "picture" of its runs; or {"problem": in words}}.
"""

import json

import grpo_lint


def answer(message):
    asked = json.loads(message)
    facts = {fact: value for fact, value in asked["facts"].items() if value}
    try:
        report = _report(asked["text"], path=asked["name"], **facts)
    except ValueError as problem:  # a fact that cannot be so
        report = {"problem": str(problem)}
    return json.dumps({"id": asked["id"], "report": report})


def _report(text, **stated):
    report = grpo_lint.as_json(text, **stated)
    has_runs = report["launches"]
    report["plan"] = grpo_lint.explain_text(text, **stated) if has_runs else ""
    report["picture"] = grpo_lint.explain_text(text, **stated, output_format="svg") if has_runs else ""
    return report
