"""The page of a framework: how its newest release makes a batch, and what each release changed. Made from the regimes, the
rows of enforcement and the catalogue, so that it says what is checked.

    python -m pages.frameworks docs/frameworks     writes all pages again, in English and in Chinese
"""

import os
import sys
from functools import cache

from grpo_lint.frameworks.all_rules import ALL
from grpo_lint.frameworks.by_release import borders_of
from grpo_lint.frameworks.catalogue import CatalogueOfPatches
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.frameworks.versions import minor, version_key
from grpo_lint.message import Message
from grpo_lint.plan.quantities import GROUPS, QUANTITIES
from grpo_lint.report.language import ENGLISH
from grpo_lint.report.messages import moment
from grpo_lint.report.rule_page import spans_of
from grpo_lint.report.translation import CHINESE
from grpo_lint.source.quoting import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grpo_lint.frameworks.base import Framework
    from grpo_lint.frameworks.by_release import Enforced, Regime
    from grpo_lint.frameworks.catalogue import Fields
    from grpo_lint.report.language import Language
    from grpo_lint.report.rule_page import Span


GENERATED = "<!-- Generated from what is checked; to write it again: python -m pages.frameworks docs/frameworks -->"
MOST_KEYS = 40  # of one kind that a page lists for one release; a release that rearranges all its keys has hundreds

_RULES = {rule.name: rule for rule in ALL}
_ENDINGS = {ENGLISH: "", CHINESE: ".zh-CN"}
_IN_CHINESE = {
    "{count} releases are known, {oldest} to {newest}: their keys, types, choices and defaults were read from the packages. Batch sizes and groups are counted in completions unless the unit says otherwise.":
        "已知 {count} 个版本，{oldest} 到 {newest}：它们的键、类型、可选值和默认值都读自发布的软件包。批次大小和组大小以补全计，除非单位另有说明。",
    "How {title} {version} makes a batch": "{title} {version} 怎样组成一个批次",
    "The formulas that are computed; where there are several, the first one whose settings are set counts.":
        "这就是实际计算所用的公式；有多个公式时，取第一个所需设置都已给出的。",
    "What each release changed": "每个版本改了什么",
    "Only what matters for a run of the GRPO family. A changed default counts for every config that does not set the key.":
        "只列出与 GRPO 系列训练有关的内容。默认值改变会影响所有没有设置该键的配置。",
    "What it refuses, by release": "各版本拒绝什么",
    "Rules about keys, values and files are not listed: their pages say what {title} does.":
        "关于键、值和文件的规则没有列出：它们的页面说明 {title} 会怎样做。",
    "rule": "规则", "releases": "版本", "when": "何时",
    "quantity": "量", "unit": "单位", "formula": "公式", "meaning": "含义",
    "{name} is {new}": "{name} 为 {new}", "{name} is {new}; it was {old}": "{name} 为 {new}；此前为 {old}",
    "refuses what {rule} describes": "开始拒绝 {rule} 所述的情况", "refuses what {rule} describes: {words}": "开始拒绝 {rule} 所述的情况：{words}",
    "no longer refuses what {rule} describes": "不再拒绝 {rule} 所述的情况",
    "new keys": "新增的键", "keys that are gone": "去掉的键", "other defaults": "改变的默认值",
    "keys that are gone where transformers is as new as the release": "transformers 与该版本同样新时去掉的键",
    "{title}: {names}": "{title}：{names}", "{title}: {names} and {more} more": "{title}：{names}，以及另外 {more} 个",
    "{old} (now {new})": "{old}（现为 {new}）", "{name} ({old} -> {new})": "{name}（{old} -> {new}）", "unset": "未设置",
    ", else ": "，否则 ", "{name} ({own})": "{name}（{own}）", ", ": "、",
}  # fmt: skip


class _Page:
    """The words of a page in one language."""

    def __init__(self, language: "Language") -> None:
        self.language = language

    def __call__(self, english: str, **values: object) -> str:
        return (_IN_CHINESE[english] if self.language is CHINESE else english).format(**values)

    def of_quantity(self, english: str) -> str:
        return self.language.text(Message(english)) if english else ""


def page(framework: "Framework", language: "Language" = ENGLISH) -> str:
    """The page in Markdown."""
    releases, say, title = framework.catalogue.releases, _Page(language), framework.title
    name = next(name for name in NAMES if framework_named(name) is framework)
    parts = [
        GENERATED,
        f"# {title}",
        f"[简体中文]({name}.zh-CN.md)" if language is ENGLISH else f"[English]({name}.md)",
        say(
            "{count} releases are known, {oldest} to {newest}: their keys, types, choices and defaults were read from the packages. Batch sizes and groups are counted in completions unless the unit says otherwise.",
            count=len(releases), oldest=releases[0], newest=releases[-1],
        ),
        "## " + say("How {title} {version} makes a batch", title=title, version=minor(releases[-1])),
        say("The formulas that are computed; where there are several, the first one whose settings are set counts."),
        *_arithmetic(framework.arithmetic.regimes[-1], framework, say),
        "## " + say("What it refuses, by release"),
        say("Rules about keys, values and files are not listed: their pages say what {title} does.", title=title),
        _refusals(title, say),
        "## " + say("What each release changed"),
        say("Only what matters for a run of the GRPO family. A changed default counts for every config that does not set the key."),
        *(part for border in reversed(_borders(framework)[1:]) for part in _changes(framework, border, say)),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _arithmetic(regime: "Regime", framework: "Framework", say: _Page) -> "Iterator[str]":
    """A table of formulas for each group of quantities."""
    own = framework.arithmetic.own_names
    for group in GROUPS:
        rows = [
            (
                say("{name} ({own})", name=f"`{name}`", own=f"`{own[name]}`") if name in own else f"`{name}`",
                say.of_quantity(QUANTITIES[name][1]),
                _formulas(regime, name, say),
                say.of_quantity(QUANTITIES[name][2]),
            )
            for name in QUANTITIES
            if QUANTITIES[name][0] == group and QUANTITIES[name][1] and name in regime.quantities
        ]
        if rows:
            yield "### " + say.of_quantity(group.capitalize() if say.language is ENGLISH else group)
            yield _table((say("quantity"), say("unit"), say("formula"), say("meaning")), rows)


def _formulas(regime: "Regime", name: str, say: _Page) -> str:
    return say(", else ").join(f"`{formula.text}`" for formula in regime.formulas.get(name, ()))


def _refusals(title: str, say: _Page) -> str:
    """A table of the rules that releases of the framework refuse to break."""
    rows = [
        (_link(rule.name), say.language.text(span.versions), say.language.text(moment(span.row)))
        for rule in ALL
        if rule.broken
        for span in _spans(rule.name)
        if span.title == title and span.row
    ]
    return _table((say("rule"), say("releases"), say("when")), rows)


@cache
def _spans(name: str) -> "list[Span]":
    return spans_of(_RULES[name])


def _table(header: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


# --- what a release changed -----------------------------------------------------------------------------------------


def _borders(framework: "Framework") -> "list[tuple[int, ...]]":
    """The versions with which anything may change, the oldest first; each was released, or is of a minor that was."""
    if isinstance(framework.catalogue, CatalogueOfPatches):
        keys = map(version_key, framework.catalogue.releases)
        return sorted({key[: 3 if key[2] else 2] for key in keys})
    minors = sorted({version_key(release)[:2] for release in framework.catalogue.releases})
    starts = {regime.since for regime in framework.arithmetic.regimes}
    borders = starts.union(*map(borders_of, framework.refusals.enforcement.rows))
    patches = {key for key in borders if any(key[2:]) and key[:2] in minors}
    newest = version_key(framework.catalogue.releases[-1])
    return sorted({*minors, *(border for border in patches if minors[0] < border <= newest)})


def _changes(framework: "Framework", border: "tuple[int, ...]", say: _Page) -> "Iterator[str]":
    """The part of a page about one version; nothing where nothing changed."""
    borders = _borders(framework)
    before = borders[borders.index(border) - 1]
    lines = [
        *_changed_arithmetic(framework.arithmetic.regime(before), framework.arithmetic.regime(border), say),
        *_changed_refusals(framework.refusals.enforcement.at(before), framework.refusals.enforcement.at(border), say),
        *_changed_keys(framework, before, border, say),
    ]
    if lines:
        yield f"### {'.'.join(map(str, border))}"
        yield "\n".join(f"* {line}" for line in lines)


def _changed_arithmetic(before: "Regime | None", after: "Regime | None", say: _Page) -> "Iterator[str]":
    if before is None or after is None or before is after:
        return
    for name in QUANTITIES:
        old, new = _formulas(before, name, say), _formulas(after, name, say)
        if QUANTITIES[name][1] and name in after.quantities and new != old:
            told = "{name} is {new}; it was {old}" if old else "{name} is {new}"
            yield say(told, name=f"`{name}`", new=new, old=old)


def _changed_refusals(before: "Enforced", after: "Enforced", say: _Page) -> "Iterator[str]":
    refused = [name for name in _RULES if name in after.refuses and name not in before.refuses]
    accepted = [name for name in _RULES if name in before.refuses and name not in after.refuses]
    for name in refused:
        told = "refuses what {rule} describes: {words}" if after[name].wording else "refuses what {rule} describes"
        yield say(told, rule=_link(name), words=_code(after[name].wording))
    for name in accepted:
        yield say("no longer refuses what {rule} describes", rule=_link(name))


def _link(name: str) -> str:
    return f"[{_RULES[name].code} {name}](../rules/{name}.md)"


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _changed_keys(
    framework: "Framework", before: "tuple[int, ...]", after: "tuple[int, ...]", say: _Page
) -> "Iterator[str]":
    """Keys that came, went, or have another default; of the trainer of GRPO."""
    old, new = _fields(framework, before), _fields(framework, after)
    if old is None or new is None or old is new:
        return
    old_names, new_names = set(old.names()), set(new.names())
    gone = sorted(old_names - new_names)
    with_companion = [name for name in gone if name in framework.releases.companion_fields]
    moved = [
        say("{name} ({old} -> {new})", name=f"`{name}`", old=_value(was.default, say), new=_value(now.default, say))
        for name in sorted(old_names & new_names)
        if (was := old[name]) and (now := new[name]) and was.default != now.default
    ]
    yield from _listed("new keys", [f"`{name}`" for name in sorted(new_names - old_names)], say)
    yield from _listed(
        "keys that are gone", [_gone(framework, name, new, say) for name in gone if name not in with_companion], say
    )
    yield from _listed(
        "keys that are gone where transformers is as new as the release", [f"`{name}`" for name in with_companion], say
    )
    yield from _listed("other defaults", moved, say)


def _listed(title: str, names: "list[str]", say: _Page) -> "Iterator[str]":
    if names:
        more = len(names) - MOST_KEYS
        told = "{title}: {names} and {more} more" if more > 0 else "{title}: {names}"
        yield say(told, title=say(title), names=say(", ").join(names[:MOST_KEYS]), more=more)


def _fields(framework: "Framework", key: "tuple[int, ...]") -> "Fields | None":
    """What a release knows, as the framework's own training script reads a file of GRPO."""
    index = framework.catalogue.release_index((*key, 0)[:3])
    return framework.catalogue.fields(framework.reader.trainer.groups("grpo", "script"), index) if index >= 0 else None


def _gone(framework: "Framework", name: str, fields: "Fields", say: _Page) -> str:
    heir = framework.reader.renames.successors.get(name)
    return say("{old} (now {new})", old=f"`{name}`", new=f"`{heir}`") if heir and fields[heir] else f"`{name}`"


def _value(value: object, say: _Page) -> str:
    return f"`{shown(value)}`" if value not in (None, "") else say("unset")


def pages() -> "dict[str, str]":
    """{file name: text} of all pages."""
    return {
        f"{name}{ending}.md": page(framework_named(name), language)
        for name in NAMES
        for language, ending in _ENDINGS.items()
    }


def write(folder: str) -> None:
    """Write all pages."""
    os.makedirs(folder, exist_ok=True)
    for name, text in pages().items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


if __name__ == "__main__":
    write(sys.argv[1])
