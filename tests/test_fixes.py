"""Every fix that is offered works: applied to the text it removes its finding, breaks nothing new, and touches nothing else."""

import io
from collections import Counter

import pytest
from conftest import comment, lint_text, names, said, suggestions, told
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from grpo_lint.report.json import document

SERIOUS = ("error", "warning")


# --- an independent judge -------------------------------------------------------------------------------------------


def mapping_of(text):
    """What ruamel.yaml makes of a text, read as YAML 1.1 as the frameworks do."""
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 1)
    return reader.load(io.StringIO(text, newline=""))


def applied(text, edits):
    """A text with LSP edits made, by the words of the protocol: lines, and UTF-16 code units within a line."""
    lines = text.splitlines(keepends=True)

    def offset(position):
        before = "".join(lines[: position["line"]])
        line = lines[position["line"]] if position["line"] < len(lines) else ""
        units = line.encode("utf-16-le")[: 2 * position["character"]]
        return len(before) + len(units.decode("utf-16-le"))

    spans = [(offset(edit["range"]["start"]), offset(edit["range"]["end"]), edit["newText"]) for edit in edits]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def serious_keys(report):
    return {finding.key for finding in report.findings if finding.severity in SERIOUS}


def lines_without(text, keys):
    return [line for line in text.splitlines() if not any(key in line for key in keys)]


def check_fixes(text):
    """Apply every fix of every finding of a text; the number of fixes by rule."""
    report = lint_text(text, fixes=True)
    before, old, offered = serious_keys(report), mapping_of(text), Counter()
    diagnostics = document([report])["files"][0]["diagnostics"]
    for finding, diagnostic in zip(report.findings, diagnostics, strict=True):
        for fix in diagnostic["data"]["fixes"]:
            if fix["safety"] == "display":
                assert fix["edits"] == []
                continue
            new_text = applied(text, fix["edits"])
            after = lint_text(new_text)
            context = f"{finding.rule.name}, {fix['set']}\n{text}\n->\n{new_text}\n{told(after)}"
            assert finding.key not in serious_keys(after), context
            assert serious_keys(after) <= before, context
            assert mapping_of(new_text) == changed(old, fix["set"]), context
            assert lines_without(new_text, fix["set"]) == lines_without(text, fix["set"]), context
            assert kinds_of_breaks(new_text) == kinds_of_breaks(text), context
            offered[finding.rule.name] += 1
    return offered


def kinds_of_breaks(text):
    """Whether a text holds CRLF, and whether it holds a lone LF."""
    return "\r\n" in text, "\n" in text.replace("\r\n", "")


def changed(settings, changes):
    return {name: value for name, value in {**settings, **changes}.items() if value is not None}


# --- random launches that fail, in random layouts -------------------------------------------------------------------

SIZE = st.sampled_from([1, 2, 3, 4, 6, 8, 12, 16])
GROUP = st.sampled_from([1, 2, 3, 4, 6, 7, 8, 12, 16])
WORLD = st.sampled_from([1, 2, 3, 4, 6, 7, 8, 16])
PARALLEL = st.sampled_from([1, 2, 3, 4])


def launch(dialect, versions, required, optional):
    return st.tuples(
        st.fixed_dictionaries({"dialect": st.just(dialect), "version": st.sampled_from(versions), "world_size": WORLD}),
        st.fixed_dictionaries(required, optional=optional),
    )


LAUNCHES = st.one_of(
    launch(
        "trl",
        ["0.15", "0.17", "0.19", "0.21", "0.24", "1.0", "1.16"],
        {"num_generations": GROUP, "per_device_train_batch_size": SIZE},
        {
            "gradient_accumulation_steps": SIZE,
            "steps_per_generation": SIZE,
            "generation_batch_size": st.sampled_from([8, 12, 24, 32, 48]),
            "eval_strategy": st.just("steps"),
            "per_device_eval_batch_size": SIZE,
            "num_iterations": st.sampled_from([1, 2]),
        },
    ),
    launch(
        "swift",
        ["3.3", "3.5", "3.8", "3.12", "4.1", "4.2", "4.6"],
        {"rlhf_type": st.just("grpo"), "num_generations": GROUP, "per_device_train_batch_size": SIZE},
        {
            "gradient_accumulation_steps": SIZE,
            "steps_per_generation": SIZE,
            "generation_batch_size": st.sampled_from([8, 12, 24, 32, 48]),
            "val_dataset": st.just("held-out"),
            "per_device_eval_batch_size": SIZE,
        },
    ),
    launch(
        "megatron",
        ["3.11", "3.12", "4.1", "4.3", "4.4", "4.6"],
        {"rlhf_type": st.just("grpo"), "num_generations": GROUP, "global_batch_size": st.sampled_from([8, 12, 16, 32, 48, 64])},
        {
            "micro_batch_size": st.sampled_from([1, 2, 3, 4]),
            "steps_per_generation": st.sampled_from([1, 2, 3]),
            "generation_batch_size": st.sampled_from([16, 48, 64]),
            "tensor_model_parallel_size": PARALLEL,
            "pipeline_model_parallel_size": PARALLEL,
            "expert_model_parallel_size": PARALLEL,
            "val_dataset": st.just("held-out"),
        },
    ),
)

BLOCK_TAILS = ("", "", "  # as in the paper", "   # 每组 8 个 🚀")


@st.composite
def layouts(draw, settings):
    """The settings as a block mapping of some layout, or as a flow mapping."""
    items = draw(st.permutations(list(settings.items())))
    written = [(name, draw(st.sampled_from([str(value), f'"{value}"'])) if type(value) is int else value) for name, value in items]
    if draw(st.integers(0, 4)) == 0:
        separator = draw(st.sampled_from([", ", ",\n  "]))
        return "{" + separator.join(f"{name}: {value}" for name, value in written) + "}" + draw(st.sampled_from(["", "\n"]))
    indent = draw(st.sampled_from(["", "", "  "]))
    lines = [f"{indent}{name}:{draw(st.sampled_from([' ', '   ']))}{value}{draw(st.sampled_from(BLOCK_TAILS))}" for name, value in written]
    for place in draw(st.lists(st.integers(0, len(lines)), max_size=2)):
        lines.insert(place, draw(st.sampled_from(["", "# --- batch ---", f"{indent}my_own_key: 组 🚀"])))
    start = draw(st.sampled_from(["", "---\n"]))
    return start + "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))


def is_one_mapping(text):
    return text.count("my_own_key") < 2


def test_every_offered_fix_works():
    offered = Counter()

    @given(st.data())
    @settings(max_examples=200)
    def check(data):
        facts, launch = data.draw(LAUNCHES)
        text = comment(**facts) + data.draw(layouts(launch))
        assume(is_one_mapping(text))
        if text.endswith("\n") and data.draw(st.booleans()):  # without a last line break: see below
            text = text.replace("\n", "\r\n")
        offered.update(check_fixes(text))

    check()
    assert offered.total() > 100 and len(offered) > 8, offered


# --- by hand --------------------------------------------------------------------------------------------------------

HEAD = comment(dialect="trl", version="1.16.0", world_size=1)


def offers(text, rule="rollout-holds-whole-groups"):
    return said(lint_text(text, fixes=True), rule).fixes




@pytest.mark.parametrize(("breaks", "ends"), [("\n", True), ("\n", False), ("\r\n", True), ("\r\n", False)])
def test_a_new_line_comes_with_the_line_breaks_of_the_file(breaks, ends):
    lines = HEAD.strip(), "num_generations: 8", "per_device_train_batch_size: 4"
    text = breaks.join(lines) + (breaks if ends else "")
    (fix,) = [fix for fix in offers(text) if fix.changes == {"gradient_accumulation_steps": 2}]
    ((start, end, new),) = fix.edits
    assert start == end == len(text)
    assert new == ("gradient_accumulation_steps: 2" + breaks if ends else breaks + "gradient_accumulation_steps: 2")
    check_fixes(text)


def test_comments_quotes_and_other_keys_stay():
    text = HEAD + 'num_generations: "8"   # 每组\nper_device_train_batch_size: 4  # small\n\n# end\n'
    fix = next(fix for fix in offers(text) if fix.changes == {"num_generations": 4})
    report = lint_text(text, fixes=True)
    edits = next(
        each["edits"] for each in document([report])["files"][0]["diagnostics"][0]["data"]["fixes"] if each["set"] == fix.changes
    )
    assert applied(text, edits) == text.replace('"8"', "4")


def test_flow_mapping():
    offered = check_fixes(HEAD + "{num_generations: 8, per_device_train_batch_size: 4, gradient_accumulation_steps: 1}\n")
    assert offered["rollout-holds-whole-groups"] >= 2


def test_a_value_that_others_read_is_left_alone():
    text = HEAD + "num_generations: &eight 8\nmax_steps: *eight\nper_device_train_batch_size: 4\n"
    for fix in offers(text):
        assert "num_generations" not in fix.changes or (fix.safety, fix.edits) == ("display", [])
    check_fixes(text)


def test_a_merged_value_is_left_alone():
    text = HEAD + "base: &base {num_generations: 8, per_device_train_batch_size: 4}\n<<: *base\nlearning_rate: 1.0e-6\n"
    assert names(lint_text(text), "error") == ["rollout-holds-whole-groups"]
    for fix in offers(text):
        if fix.changes.keys() & {"num_generations", "per_device_train_batch_size"}:
            assert (fix.safety, fix.edits) == ("display", [])
    check_fixes(text)


def test_the_later_of_two_equal_keys_is_edited():
    text = HEAD + "num_generations: 6\nnum_generations: 8\nper_device_train_batch_size: 4\ngradient_accumulation_steps: 1\n"
    for fix in offers(text):
        if fix.changes == {"num_generations": 4}:
            ((start, end, new),) = fix.edits
            assert (text[start:end], new, start) == ("8", "4", text.index("8\nper"))
            break
    else:
        pytest.fail("no fix sets num_generations")


def test_a_key_with_an_empty_value_gets_one():
    text = comment(dialect="swift", version="4.6", world_size=3) + (
        "rlhf_type: grpo\nnum_generations: 8\nper_device_train_batch_size: 1\ngeneration_batch_size: 24\nval_dataset: [a]\n"
        "per_device_eval_batch_size: 8\nsteps_per_generation: 4\n"
    )
    report = lint_text(text, fixes=True)
    assert names(report, "error") == ["rollout-sizes-agree"]
    assert {"steps_per_generation": None} in suggestions(report.findings[0]) or {"generation_batch_size": None} in suggestions(
        report.findings[0]
    )
    check_fixes(text)


def test_nothing_is_offered_for_an_unknown_number_of_processes():
    text = comment(dialect="trl", version="1.16.0") + "num_generations: 8\nper_device_train_batch_size: 4\n"
    assert all(finding.fixes == [] for finding in lint_text(text, fixes=True).findings)


def test_a_stubborn_finding_has_no_fix_rather_than_a_wrong_one():
    """3 processes of 1 completion can hold whole groups of 7 only by other numbers; whatever is offered was proven."""
    text = comment(dialect="trl", version="0.15", world_size=3) + "num_generations: 7\nper_device_train_batch_size: 1\n"
    check_fixes(text)
