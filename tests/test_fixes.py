"""Every fix that is offered works: applied to the text it removes its finding, breaks nothing new, and touches nothing
else."""

import io
from collections import Counter

import pytest
import yaml
from hypothesis import assume, given, settings, strategies as st
from ruamel.yaml import YAML

from conftest import comment, lint_text, names, said, suggestions, told
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint, lint_path, repair
from grpo_lint.fixes.edits import apply, edits_where_they_belong, written
from grpo_lint.frameworks.registry import framework
from grpo_lint.report.json import document
from grpo_lint.source.text import Text

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


def check_fixes(text, apart=()):
    """Apply every fix of every finding of a text; the number of fixes by rule. `apart`: keys that only define values
    for others."""
    report = lint_text(text, fixes=True)
    before, old, offered = serious_keys(report), mapping_of(text), Counter()
    diagnostics = document([report])["files"][0]["diagnostics"]
    for finding, diagnostic in zip(report.findings, diagnostics, strict=True):
        for fix, own in zip(diagnostic["data"]["fixes"], finding.fixes, strict=True):
            if fix["safety"] == "display":
                assert fix["edits"] == []
                continue
            new_text = applied(text, fix["edits"])
            after = lint_text(new_text)
            context = f"{finding.rule.name}, {fix['set']}\n{text}\n->\n{new_text}\n{told(after)}"
            assert finding.key not in serious_keys(after), context
            # what was there stays, maybe at another key, and what waited behind the finding is named
            stays = {code for code, _ in before}
            new = {each.rule for each in after.findings if each.severity in SERIOUS and each.rule.code not in stays}
            assert all(rule.code in own.effect for rule in new), context
            assert changed(mapping_of(new_text), dict.fromkeys(apart)) == changed(
                old, {**fix["set"], **dict.fromkeys(apart)}
            ), context
            assert comments(new_text) == comments(text), context
            assert kinds_of_breaks(new_text) == kinds_of_breaks(text), context
            offered[finding.rule.name] += 1
    return offered


def comments(text):
    return [token for token in (line.partition("#")[2] for line in text.splitlines()) if token]


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
        {
            "rlhf_type": st.just("grpo"),
            "num_generations": GROUP,
            "global_batch_size": st.sampled_from([8, 12, 16, 32, 48, 64]),
        },
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
    written = [
        (name, draw(st.sampled_from([str(value), f'"{value}"'])) if type(value) is int else value)
        for name, value in items
    ]
    if draw(st.integers(0, 4)) == 0:
        separator = draw(st.sampled_from([", ", ",\n  "]))
        return (
            "{"
            + separator.join(f"{name}: {value}" for name, value in written)
            + "}"
            + draw(st.sampled_from(["", "\n"]))
        )
    indent = draw(st.sampled_from(["", "", "  "]))
    lines = [
        f"{indent}{name}:{draw(st.sampled_from([' ', '   ']))}{value}{draw(st.sampled_from(BLOCK_TAILS))}"
        for name, value in written
    ]
    for place in draw(st.lists(st.integers(0, len(lines)), max_size=2)):
        lines.insert(place, draw(st.sampled_from(["", "# --- batch ---", f"{indent}my_own_key: 组 🚀"])))
    start = draw(st.sampled_from(["", "---\n"]))
    return start + "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))


def is_one_mapping(text):
    return text.count("my_own_key") < 2


@pytest.mark.slow
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


def test_repairing_ends_and_touches_nothing_but_knobs_and_keys_at_fault():
    repaired = Counter()

    @given(st.data())
    @settings(max_examples=30)
    def check(data):
        facts, launch = data.draw(LAUNCHES)
        text = comment(**facts) + data.draw(layouts(launch))
        assume(is_one_mapping(text))
        once = repair(text.encode(), "config.yaml", None, unsafe=True)
        new_text = once.data.decode()
        assert repair(once.data, "config.yaml", None, unsafe=True).data == once.data
        assert serious_keys(once.report) <= serious_keys(once.first)
        old, new = mapping_of(text), mapping_of(new_text)
        touched = {name for name in {**old, **new} if old.get(name) != new.get(name)}
        at_fault = {finding.at.name for finding in once.first.findings if finding.at}
        assert touched <= at_fault.union(framework(facts["dialect"]).knobs.names), f"{text}\n->\n{new_text}"
        assert comments(new_text) == comments(text) and kinds_of_breaks(new_text) == kinds_of_breaks(text)
        repaired.update(fixed=once.fixed, left=sum(finding.severity == "error" for finding in once.report.findings))

    check()
    assert repaired["fixed"] > 20 > repaired["left"], repaired


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
        each["edits"]
        for each in document([report])["files"][0]["diagnostics"][0]["data"]["fixes"]
        if each["set"] == fix.changes
    )
    assert applied(text, edits) == text.replace('"8"', "4")


def test_flow_mapping():
    offered = check_fixes(
        HEAD + "{num_generations: 8, per_device_train_batch_size: 4, gradient_accumulation_steps: 1}\n"
    )
    assert offered["rollout-holds-whole-groups"] >= 2


ANCHORS = {
    "in front of the value, and nobody else reads it": ("num_generations: &eight 8\n", True),
    "read by another key": ("num_generations: &eight 8\nmax_steps: *eight\n", False),
    "of another key": ("max_steps: &eight 8\nnum_generations: *eight\n", False),
    "at a key that is known to nobody": ("group: &eight 8\nnum_generations: *eight\n", False),
    "defined apart": ("defaults: {group: &eight 8}\nnum_generations: *eight\n", False),
    "defined apart and read twice": (
        "defaults: {group: &eight 8}\nnum_generations: *eight\nmax_steps: *eight\n",
        False,
    ),
    "merged": ("defaults: &base {num_generations: 8}\n<<: *base\n", True),
    "merged as a list": ("defaults: &base\n  num_generations: 8  # as in the paper\n<<: [*base]\n", True),
    "merged, and read by somebody else": ("defaults: &base {num_generations: 8}\nother: *base\n<<: *base\n", False),
    "merged twice over": ("defaults: &base {num_generations: 8}\nmore: &more {<<: *base}\n<<: *more\n", False),
}


@pytest.mark.parametrize("case", ANCHORS)
def test_a_shared_value_is_edited_where_it_is_defined_if_nobody_else_reads_it(case):
    written, editable = ANCHORS[case]
    text = HEAD + written + "per_device_train_batch_size: 4\ngradient_accumulation_steps: 1\n"
    fix = next(fix for fix in offers(text) if fix.changes == {"num_generations": 4})
    if editable:
        ((start, end, new),) = fix.edits
        assert (fix.safety, text[start:end], new) == ("unsafe", "8", "4")
    else:
        assert (fix.safety, fix.edits) == ("display", [])
    assert check_fixes(text, apart=("defaults", "more", "other", "group"))


INSERTIONS = {
    "below the last relative": ("num_generations: 16\nper_device_train_batch_size: 4\nbeta: 0.0\n", "per_device_train_batch_size: 4\n|\nbeta"),
    "in the indentation of the file": ("  num_generations: 16\n  beta: 0.0\n", "16\n  |\n  beta"),
    "behind the comment of the line": ("num_generations: 16  # 组 🚀\nbeta: 0.0\n", "🚀\n|\nbeta"),
    "with the quotes of its neighbour": ('"num_generations": 16\n', '16\n"gradient_accumulation_steps": 2\n'),
    "in a flow mapping": ("{beta: 0.0, num_generations: 16}\n", ": 16, |}"),
    "on a line of a flow mapping": ("{\n  num_generations: 16, # the group\n  beta: 0.0\n}\n", "{\n  |,\n  num_generations: 16, # the group\n"),
    "below a relative that is an alias": ("max_steps: &many 16\nnum_generations: *many\nbeta: 0.0\n", "*many\n|\nbeta"),
    "not into a mapping that is merged": ("x: &x {num_generations: 16}\n<<: *x\nbeta: 0.0\n", "beta: 0.0\n|\n"),
    "not between a key and the lines of its value": ("? num_generations\n: 16\nreward_weights:\n- 1.0\n- 2.0\n", "- 2.0\n|\n"),
}  # fmt: skip


@pytest.mark.parametrize("case", INSERTIONS)
def test_a_new_key_stands_beside_its_relatives_in_the_style_of_the_file(case):
    text, expected = INSERTIONS[case]
    text = HEAD + text
    report = lint_text(text, fixes=True)
    fix = next(
        fix
        for finding in report.findings
        for fix in finding.fixes
        if list(fix.changes) == ["gradient_accumulation_steps"]
    )
    edited = apply(report.text, fix.edits).text
    assert expected.replace("|", f"gradient_accumulation_steps: {fix.changes['gradient_accumulation_steps']}") in edited
    assert check_fixes(text, apart=("x",))


def test_a_key_that_shares_its_line_with_a_brace_gets_no_line_of_its_own():
    text = HEAD + "? num_generations\n: 16\n"
    assert all(
        (fix.safety, fix.edits) == ("display", []) for fix in offers(text) if "num_generations" not in fix.changes
    )


REMOVALS = {
    "a line": ("generation_batch_size: 16\n", ""),
    "a line with a comment": ("generation_batch_size: 16  # twice\n", "# twice\n"),
    "an indented line": ("  generation_batch_size: 16\n", ""),
}


@pytest.mark.parametrize("case", REMOVALS)
@pytest.mark.parametrize("breaks", ["\n", "\r\n"])
@pytest.mark.parametrize("at_end", [False, True])
def test_a_key_goes_with_its_line_and_a_comment_stays(case, breaks, at_end):
    line, left = REMOVALS[case]
    indent = line[: len(line) - len(line.lstrip())]
    before, after = (
        f"{indent}num_generations: 8\n{indent}per_device_train_batch_size: 8\n",
        f"{indent}steps_per_generation: 2\n",
    )
    text = HEAD + (before + after + line.rstrip("\n") if at_end else before + line + after)
    wanted = HEAD + (before + after + left).rstrip("\n") if at_end else HEAD + before + left + after
    fix = next(
        fix
        for fix in offers(text.replace("\n", breaks), "rollout-size-set-once")
        if fix.changes == {"generation_batch_size": None}
    )
    edited = apply(Text(text.replace("\n", breaks)), fix.edits).text
    assert edited == wanted.replace("\n", breaks)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "{num_generations: 8, generation_batch_size: 8, steps_per_generation: 1}",
            "{num_generations: 8, steps_per_generation: 1}",
        ),
        (
            "{num_generations: 8, steps_per_generation: 1, generation_batch_size: 8}",
            "{num_generations: 8, steps_per_generation: 1}",
        ),
        ("{num_generations: 8, generation_batch_size: 8, # why\n steps_per_generation: 1}", None),
    ],
)
def test_a_key_goes_from_a_flow_mapping(text, wanted):
    fix = next(
        fix for fix in offers(HEAD + text, "rollout-size-set-once") if fix.changes == {"generation_batch_size": None}
    )
    assert apply(Text(HEAD + text), fix.edits).text == HEAD + wanted if wanted else fix.safety == "display"


def test_the_later_of_two_equal_keys_is_edited():
    text = (
        HEAD
        + "num_generations: 6\nnum_generations: 8\nper_device_train_batch_size: 4\ngradient_accumulation_steps: 1\n"
    )
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
    assert {"steps_per_generation": None} in suggestions(report.findings[0]) or {
        "generation_batch_size": None
    } in suggestions(report.findings[0])
    check_fixes(text)


def test_a_key_of_a_config_that_a_script_writes_is_not_removed_as_a_flag():
    text = (
        "#!/bin/bash\n# grpo-lint: version=1.16.0\ncat > run.yaml <<EOF\nper_device_train_batch_size: 6\nnum_generations: 8\n"
        "generation_batch_size: 30\nsteps_per_generation: 4\nEOF\ntrl grpo --config run.yaml --learning_rate 1e-6\n"
    )
    (finding,) = lint_text(text, path="train.sh", fixes=True).findings
    assert finding.rule.name == "rollout-size-set-once"
    assert {fix.safety for fix in finding.fixes} == {"display"}


def test_nothing_is_offered_for_an_unknown_number_of_processes():
    text = comment(dialect="trl", version="1.16.0") + "num_generations: 8\nper_device_train_batch_size: 4\n"
    assert all(finding.fixes == [] for finding in lint_text(text, fixes=True).findings)


def test_a_stubborn_finding_has_no_fix_rather_than_a_wrong_one():
    """3 processes of 1 completion can hold whole groups of 7 only by other numbers; whatever is offered was proven."""
    text = comment(dialect="trl", version="0.15", world_size=3) + "num_generations: 7\nper_device_train_batch_size: 1\n"
    check_fixes(text)


# --- a script and the config that it loads ------------------------------------------------------------------------------

TRAINS = """from trl import GRPOConfig, GRPOTrainer, TrlParser
(args,) = TrlParser(GRPOConfig).parse_args_and_config()
GRPOTrainer(model="q", args=args, reward_funcs=[len]).train()
"""
LOADED = "output_dir: out\nper_device_train_batch_size: 8  # fits\ngradient_accumulation_steps: 4\nmax_completion_length: 512\n"


@pytest.mark.parametrize(
    ("flags", "config", "expected"),
    [("--num_generations 12", LOADED, {"c.yaml": LOADED.replace(": 8 ", ": 6 ")}),  # where the key stands
     ("--num_generations 12 --per_device_train_batch_size 8", LOADED.replace("per_device_train_batch_size: 8  # fits\n", ""),
      {"run.sh": "--per_device_train_batch_size 6"})],
)  # fmt: skip
def test_an_edit_is_made_in_the_file_that_says_the_rest(tmp_path, monkeypatch, flags, config, expected):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(TRAINS)
    (tmp_path / "c.yaml").write_text(config)
    command = f"accelerate launch --num_processes 4 train.py --config c.yaml {flags}\n"
    (tmp_path / "run.sh").write_text(
        comment(dialect="trl", version="0.16.1") + command
    )  # where accumulation is of no help
    report = lint_path("run.sh", Around().of("run.sh"))
    finding = said(report, "rollout-holds-whole-groups")
    fix = next(fix for fix in finding.fixes if "per_device_train_batch_size" in fix.changes)
    files = {
        "run.sh": apply(report.text, fix.edits).text,
        **{text.path: apply(text, edits).text for text, edits in fix.beside},
    }
    assert all(text in files[name] for name, text in expected.items())
    assert ("in c.yaml" in fix.title) is ("c.yaml" in expected) and bool(fix.beside) is ("c.yaml" in expected)


def test_a_new_key_joins_its_relatives_in_the_config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(TRAINS)
    (tmp_path / "c.yaml").write_text("output_dir: out\nper_device_train_batch_size: 3\nnum_generations: 8\n")
    (tmp_path / "run.sh").write_text(
        "accelerate launch --num_processes 4 train.py --config c.yaml --learning_rate 1e-6\n"
    )
    report = lint_path("c.yaml", Around().of("c.yaml"))
    before = report.launches[0]
    shell = lint_path("run.sh", Around().of("run.sh"), fixes=False)
    own, beside = edits_where_they_belong(shell, shell.launches[0], {"gradient_accumulation_steps": 8})
    assert own == [] and [apply(text, edits).text for text, edits in beside] == [
        "output_dir: out\nper_device_train_batch_size: 3\nnum_generations: 8\ngradient_accumulation_steps: 8\n"
    ]
    assert before.world_size == 4


@pytest.mark.parametrize("value, text", [
    (1e-06, "1.0e-06"), (1.5e-06, "1.5e-06"), (True, "true"), (None, "null"), (8, "8"), ("deepspeed", "deepspeed"), ([0.5], "0.5"),
])  # fmt: skip
def test_a_value_is_written_so_that_yaml_reads_it_back(value, text):
    assert written(value) == text
    assert yaml.safe_load(text) == (value[0] if type(value) is list else value)


# --- a default in the place of a misspelt key -----------------------------------------------------------------------

MISSPELT = """\
# grpo-lint: dialect=trl version=0.24.0 world-size=1
model_name_or_path: m
dataset_name: d
num_generation: 6
per_device_train_batch_size: 6
eval_strategy: steps
per_device_eval_batch_size: 6
"""


def test_the_rename_of_a_key_is_the_fix_of_what_its_default_breaks():
    report = lint(Text(MISSPELT, "run.yaml"))
    about_groups = [finding for finding in report.findings if finding.rule.code in ("GRPO203", "GRPO301")]
    assert len(about_groups) == 2
    for finding in about_groups:
        assert [fix.title for fix in finding.fixes] == ["rename num_generation to num_generations"]
        assert finding.note == "num_generations is at its default of 8, for num_generation is not read"
    assert "num_generations: 6" in apply(report.text, about_groups[0].fixes[0].edits).text


def test_what_a_rename_leaves_is_not_mended_for_the_default():
    """3 completions of an evaluation go neither with groups of 8 nor with those of 6: what goes with 8 is no cure."""
    report = lint(Text(MISSPELT.replace("eval_batch_size: 6", "eval_batch_size: 3"), "run.yaml"))
    finding = next(finding for finding in report.findings if finding.rule.code == "GRPO301")
    assert finding.fixes == []
    assert finding.values["advice"].startswith("First rename num_generation to num_generations")
    fixed = apply(report.text, next(each for each in report.findings if each.rule.code == "GRPO203").fixes[0].edits)
    after = next(each for each in lint(fixed).findings if each.rule.code == "GRPO301")
    assert after.note == "" and after.fixes[0].changes == {"per_device_eval_batch_size": 6}


@pytest.mark.parametrize(
    "dialect, version, key, wrong, meant",
    [
        ("trl", "0.24.0", "vllm_mode", "colocated", "colocate"),
        ("swift", "3.8.3", "reward_funcs", "[acuracy]", ["accuracy"]),
    ],
)
def test_a_misspelt_name_that_a_rule_knows_is_mended(dialect, version, key, wrong, meant):
    text = "num_generations: 8\nper_device_train_batch_size: 8\nuse_vllm: true\n"
    text += "rlhf_type: grpo\nmodel: m\ndataset: [d]\n" if dialect == "swift" else ""
    report = lint(
        Text(f"# grpo-lint: dialect={dialect} version={version} world-size=8\n{text}{key}: {wrong}\n", "run.yaml")
    )
    (finding,) = [each for each in report.findings if each.severity == "error"]
    assert [fix.changes for fix in finding.fixes][:1] == [{key: meant}]
