"""What a text says, and what it says when an item of completion is accepted."""

import ast
import json
import re

import yaml

from grpo_lint.source.shell.reader import read_shell
from grpo_lint.source.text import Text


def words_of_lists(text):
    """The items of the lists in a text, its comments and lines behind a backslash left out; None where one is broken."""
    lists = re.findall(r"\[[^\[\]]*\]", re.sub(r" #.*|\\\n", "", text))
    try:
        return [word for each in lists for word in json.loads(each)]
    except ValueError:
        return None


def values(text, path):
    """What a text says, as a list of which one token is one item, or a few next to each other; None where it cannot be
    parsed."""
    if path == "Dockerfile":
        return words_of_lists(text)
    if path.endswith(".py"):
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return None
        if "subprocess" in text:
            return [ast.dump(item) for node in ast.walk(tree) if isinstance(node, ast.List) for item in node.elts]
        (call,) = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.keywords) > 2]
        return [part for each in call.keywords for part in (each.arg, ast.dump(each.value))]
    if path.endswith(".sh"):
        script = read_shell(Text(text, path))
        return None if script.problems else [word.value for command in script.commands for word in command.words]
    try:
        return list(_leaves(json.loads(text) if path.endswith(".json") else yaml.safe_load(text)))
    except (ValueError, yaml.YAMLError):
        return None


def _leaves(value):
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def accepted(text, path, offset, item):
    """The text after an item is accepted; a value follows a keyword of Python or a key of JSON, which is none without one."""
    source = Text(text, path)
    where, new = item["textEdit"]["range"], item["textEdit"]["newText"]
    start, end = (source.encoded_offset(place["line"], place["character"], "utf-16") for place in where.values())
    assert start <= offset <= end and where["start"]["line"] == where["end"]["line"]
    assert "\n" not in text[start:end]
    if path.endswith((".py", ".json")) and new.endswith(("=", '": ', "': ")):
        new += "0" if text[end:].lstrip()[:1] in (",", ")", "}") else "0,"
    elif item.get("snippet", "").endswith("$0,"):
        new += "0,"
    return text[:start] + new + text[end:]


def differ(before, after):
    """How many items of two lists differ between what they have in common at both ends."""
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    return max(len(before), len(after)) - first - last
