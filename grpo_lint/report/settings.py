"""`--show-settings`: the settings for a file, as TOML, with the source of each line behind it."""

import json

from ..launch.facts import FACTS, option_name
from ..settings.reading import POLICY
from .printable import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Fact, Iterator, Mapping, Policy, Rule, Sequence, Settings

    # (place, facts, policy), the weakest first
    Layers = Sequence[tuple[str, Mapping[str, Fact], Policy | None]]
    Row = tuple[str, object, list[str]]  # (key, value, sources)


def shown(path: str, settings: "Settings", context: "Context", asked: "Mapping[str, object]") -> str:
    """The settings for one file. `asked`: {key: value} of what the command line says beside facts and rules."""
    layers = list(settings.layers(path))
    rows = [
        *_facts(settings, layers, context.outside),
        *_policy(settings, layers, context.policy, asked),
        *_others(settings, asked),
    ]
    return "".join(
        [
            f"# {clean(path)}\n",
            *(f"{key} = {_toml(value)}  # {clean(', '.join(sources))}\n" for key, value, sources in rows),
        ]
    )


def _facts(settings: "Settings", layers: "Layers", outside: "Mapping[str, Fact]") -> "Iterator[Row]":
    """(key, value, sources) of the facts that are stated; the strongest source wins."""
    for name in FACTS:
        said = [
            (facts[name].value, _source(settings, place + option_name(name)))
            for place, facts, _ in layers
            if name in facts
        ]
        if name in outside:
            said.append((outside[name].value, "command line"))
        if said:
            value, source = said[-1]
            yield option_name(name), value, [source]


def _policy(settings: "Settings", layers: "Layers", policy: object, asked: "Mapping[str, object]") -> "Iterator[Row]":
    """(key, value, sources) of what the team has chosen about rules; the sources add up."""
    for key in POLICY if policy else ():
        attribute = key.replace("-", "_")
        value = getattr(policy, attribute)
        if key == "rules":
            yield from _rules(settings, layers, value or {})
        elif value is not None:
            sources = [
                _source(settings, place + key)
                for place, _, part in layers
                if part and getattr(part, attribute) is not None
            ]
            yield key, value, [*sources, *(["command line"] if key in asked else [])]


def _rules(settings: "Settings", layers: "Layers", rules: "Mapping[str, Rule]") -> "Iterator[Row]":
    """(key, value, sources) of the team's own rules; of two with one name the last one wins."""
    for name, rule in rules.items():
        if rule.source:  # no settings file may say this
            yield f"# rules.{name}", rule.summary, [rule.source]
            continue
        source = next(place for place, _, part in reversed(layers) if part and name in (part.rules or ()))
        declared = rule.declared  # type: ignore[attr-defined]  # what settings declare is a `limits.Limit`
        yield f"rules.{name}", declared, [_source(settings, f"{source}rules.{name}")]


def _others(settings: "Settings", asked: "Mapping[str, object]") -> "Iterator[Row]":
    for key, value, default in (
        ("fail-on", settings.fail_on, "warning"),
        ("exclude", settings.exclude.written, []),
        ("baseline", settings.baseline, None),
    ):
        if key in asked:
            yield key, asked[key], ["command line"]
        elif value:
            yield key, value, [_source(settings, key)]
        elif default is not None:
            yield key, default, ["default"]


def _source(settings: "Settings", key: str) -> str:
    """'pyproject.toml:4', with the override where one says it."""
    place = key.rpartition(".")[0]
    line = settings.line_of(key)
    return (settings.source or "") + (f":{line}" if line else "") + (f" {place}" if place else "")


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {json.dumps(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)
