"""Hover, completion, hints and actions, as functions of a text and a place in it: `|` marks the place."""

import json
import re

import pytest

from conftest import lint_text
from grpo_lint.engine import lint
from grpo_lint.launch.context import Context
from grpo_lint.lsp import actions as actions_module
from grpo_lint.lsp.actions import _quick_fixes, actions, complete, declaration, difference, wanted
from grpo_lint.lsp.client import Client
from grpo_lint.lsp.completion import completion
from grpo_lint.lsp.diagnostics import diagnostics
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.numbers import headline, inlay_hints, symbols
from grpo_lint.lsp.session import Session
from grpo_lint.lsp.workspace import fixes, joined
from grpo_lint.report.language import ENGLISH
from grpo_lint.settings.limits import Limit
from grpo_lint.settings.policy import Policy
from grpo_lint.source.text import Text
from grpo_lint.unknown import UNKNOWN

TRL = "# grpo-lint: dialect=trl version=1.16.0 world-size=7\n"
SWIFT = "# grpo-lint: version=4.6.0 world-size=8\nrlhf_type: grpo\n"
BATCH = "num_generations: 8\nper_device_train_batch_size: 8\ngradient_accumulation_steps: 4\n"


def split(marked):
    """(text, offset) of a text with a mark."""
    offset = marked.index("|")
    return marked[:offset] + marked[offset + 1 :], offset


def hovered(marked):
    text, offset = split(marked)
    found = hover(lint_text(text), offset, "utf-16")
    return found and found["contents"]["value"]


def completed(marked, good=None, path="config.yaml"):
    """{label: item} of what is offered."""
    text, offset = split(marked)
    return {item["label"]: item for item in completion(Text(text, path), offset, good, Context(), "utf-16")}


# --- hover ----------------------------------------------------------------------------------------------------------


def test_hover_tells_a_key_and_the_numbers_of_this_file():
    told = hovered(TRL + BATCH.replace("num_gen", "num|_gen"))
    assert "**num_generations** · whole number" in told and "default `8`" in told
    assert (
        "an update: per_device_train_batch_size 8 x 7 processes x gradient_accumulation_steps 4 = **224 completions** = 28 prompts of 8"
        in told
    )


def test_hover_tells_what_is_not_known():
    told = hovered("# grpo-lint: dialect=trl version=1.16.0\n" + BATCH.replace("num_gen", "num|_gen"))
    assert "an update: needs world-size" in told


def test_hover_tells_since_when_and_what_took_its_place():
    assert "Since TRL 0.17." in hovered(TRL + "loss|_type: dapo\n")
    told = hovered(TRL.replace("1.16.0", "0.14.0") + "num_generations: 8\nloss|_type: dapo\n")
    assert "no key of TRL 0.14.0; TRL 0.17 - 1.16 know it" in told
    assert "no key of ms-swift" in hovered(SWIFT + "nonsen|se: 1\n")


def test_hover_on_a_finding_tells_the_rule_and_who_refuses():
    told = hovered(TRL + BATCH.replace("batch_size: 8", "batch_size: 1").replace("num_gen", "num|_gen"))
    assert "GRPO203 rollout-holds-whole-groups" in told
    assert "TRL 1.16.0 refuses this when the config is built" in told


@pytest.mark.parametrize(
    "comment", ["# grpo-lint: ignore[GRPO|203]", "# grpo-lint: ignore[rollout-holds|-whole-groups]"]
)
def test_hover_on_a_rule_in_a_comment_tells_the_rule(comment):
    assert "GRPO203 rollout-holds-whole-groups" in hovered(TRL + BATCH + comment + "\n")


def test_hover_on_a_fact_tells_the_fact():
    assert (
        "number of training processes"
        in hovered(TRL.replace("world-size", "world|-size").replace("number", "") + BATCH).lower()
    )


def test_there_is_no_hover_on_nothing():
    assert hovered(TRL + BATCH + "\n|\n") is None


# --- completion -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["|", "num|", "num_generations_ev|", "num: |"])
def test_half_typed_lines_do_not_stop_completion(typed):
    found = completed(TRL + BATCH + typed + "\nbeta: 0.1\n")
    assert ("num_generations_eval" in found) == (":" not in typed)
    assert not {"num_generations", "beta"} & found.keys()


def test_a_text_that_cannot_be_parsed_is_completed_with_what_was_known():
    good = lint_text(TRL + BATCH)
    assert completed("[[[\n" + BATCH + "be|") == {}
    assert "beta" in completed("[[[\n" + BATCH + "be|", good)


def test_keys_come_with_what_they_are():
    found = completed(TRL + BATCH + "|")
    assert found["beta"]["detail"] == "number · default 0.0"
    assert found["beta"]["documentation"].startswith("Weight of the KL term")
    assert next(iter(found)) in ("generation_batch_size", "steps_per_generation")
    old = completed(TRL.replace("1.16.0", "0.22") + BATCH + "|")
    assert old["max_prompt_length"]["tags"] == [1] and "max_prompt_length" not in found


@pytest.mark.parametrize(
    "line, first, others",
    [
        ("loss_type: |", "dapo", {"grpo", "dr_grpo"}),
        ("gradient_checkpointing: |", "true", {"false"}),
        ("eval_strategy: |", "no", {"steps", "epoch"}),
        ("learning_rate: |", None, set()),
    ],
)
def test_values(line, first, others):
    found = completed(TRL + BATCH + line + "\n")
    assert next(iter(found), None) == first and others <= found.keys()


def test_a_word_that_yaml_would_take_for_something_else_is_quoted():
    assert completed(TRL + BATCH + "eval_strategy: |")["no"]["textEdit"]["newText"] == '"no"'

    assert completed(TRL + BATCH + 'eval_strategy: "|')["no"]["textEdit"]["newText"] == "no"


def test_json_is_completed_as_json():
    text = '{{\n  "rlhf_type": "grpo",\n  "num_generations": 8,\n  {}\n}}\n'
    new = {typed: {label: item["textEdit"]["newText"] for label, item in completed(text.format(typed), path="c.json").items()} for typed in (
        '"be|', '"vllm_mode": |', '"vllm_mode": "c|', '"use_vllm": |', "be|", "# grpo-lint: |")}  # fmt: skip
    assert new['"be|']["beta"] == 'beta": ' and "num_generations" not in new['"be|']
    assert new['"vllm_mode": |']["colocate"] == '"colocate"' and new['"vllm_mode": "c|']["colocate"] == "colocate"
    assert new['"use_vllm": |'] == {"false": "false", "true": "true"}
    assert new["be|"] == new["# grpo-lint: |"] == {}


def test_the_typed_word_is_replaced():
    item = completed(TRL + BATCH + "num_|")["num_iterations"]
    assert item["textEdit"] == {
        "range": {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 4}},
        "newText": "num_iterations: ",
    }


def test_a_new_file_is_begun_with_what_its_comment_says():
    assert {"num_generations", "seed"} <= completed(TRL + "|").keys()
    assert "rlhf_type" in completed("# grpo-lint: dialect=swift\nrl|\n")
    assert completed("# a comment about grpo-lint\n|") == completed("a: b\n|") == completed("  |") == {}


def test_an_empty_file_is_offered_whole_runs_that_hold():
    for typed in ("|", "\n\n|", "trl|", "# ours\n---\n|", "{|}", "{\n  |\n}\n"):
        assert completed(typed).keys() == {"trl-grpo", "swift-grpo", "megatron-grpo"}
    in_scripts = completed("#!/bin/bash\n|", path="train.sh")
    assert in_scripts.keys() == completed("|", path="train.sh").keys() >= {"trl-grpo", "verl-grpo", "easyr1-grpo"}
    for path, items in (("config.yaml", completed("|")), ("train.sh", in_scripts)):
        for item in items.values():
            new = item["textEdit"]["newText"]
            assert "${1:" in new and item["insertTextFormat"] == 2 and "8 GPUs" in ENGLISH.text(item["detail"])
            plain = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", new).replace("\\\\", "\\")
            assert plain == item["documentation"]
            report = lint(Text(plain, path))
            assert report.launches and not [each for each in report.findings if each.severity == "error"], plain
    for typed, path in (
        ("|", ".github/a.yaml"),
        ("|", ".b.json"),
        ("ls\n|", "a.sh"),
        ("{|", "a.json"),
        ('{"|"}', "a.json"),
    ):
        assert completed(typed, path=path) == {}


def test_an_empty_object_is_offered_the_members_of_whole_runs():
    assert completed("set -e\n|", path="train.sh").keys() == completed("|", path="train.job").keys()
    for marked, path in (("|", "a.json"), ("{|}", "a.json"), ("{\n|\n}\n", "a.yaml")):
        for item in completed(marked, path=path).values():
            text = marked.replace("|", item["documentation"])
            assert json.loads(text) and lint(Text(text, path)).launches


SWIFT_LIST = "# grpo-lint: version=4.6.0 world-size=8\nrlhf_type: grpo\nnum_generations: 8\n"


@pytest.mark.parametrize(
    "typed",
    ["reward_funcs: |", "reward_funcs: [|]", "reward_funcs: [accuracy, for|]", "reward_funcs: [format,|", "reward_funcs:\n- |",
     "reward_funcs:  # ours\n  - accuracy\n  # and\n  - f|\nbeta: 0.1"],
)  # fmt: skip
def test_names_that_a_release_knows_are_offered_in_lists_too(typed):
    given = {each for each in ("accuracy", "format") if "[" in typed and f"{each}," in typed}
    assert {"accuracy", "format", "soft_overlong"} - given <= completed(SWIFT_LIST + typed + "\n").keys()


def test_no_names_are_offered_in_a_list_of_something_else():
    assert completed(SWIFT_LIST + "stop_words:\n- |\n") == completed(SWIFT_LIST + "- |\n") == {}


@pytest.mark.parametrize("key, some", [
    ("tuner_type", {"lora", "full"}), ("lr_scheduler_type", {"cosine", "linear"}), ("deepspeed", {"zero2", "zero3"}),
    ("loss_type", {"grpo", "dapo", "fipo"}), ("vllm_mode", {"server", "colocate"}), ("attn_impl", {"flash_attn", "sdpa"}),
])  # fmt: skip
def test_names_are_offered_where_others_are_taken_too(key, some):
    assert some <= completed(f"{SWIFT_LIST}{key}: |\n").keys()
    assert (
        "vllm_mode" not in TRL
        and {"colocate", "server"} <= completed(f"{TRL}num_generations: 8\nvllm_mode: |\n").keys()
    )


def test_keys_of_a_nested_mapping_are_not_ours():
    assert completed(TRL + BATCH + "model_init_kwargs:\n  a: 1\n  |\n") == {}


@pytest.mark.parametrize(
    "comment, some",
    [
        ("# grpo-lint: |", {"world-size", "version", "ignore"}),
        ("# grpo-lint: dialect=|", {"trl", "swift", "megatron"}),
        ("# grpo-lint: dialect=swift version=|", {"4.6.0"}),
        ("# grpo-lint: ignore[|]", {"GRPO203"}),
    ],
)
def test_comments(comment, some):
    assert some <= completed(comment + "\n" + BATCH).keys()


def test_what_a_file_expects():
    names = completed(TRL + BATCH + "# grpo-lint: expect comp|\n")
    assert names["completions_per_update"]["detail"] == "completions · now 224"
    assert (
        names["completions_per_update"]["textEdit"]["newText"] == "completions_per_update="
        and "num_generations" in names
    )
    assert completed(TRL + BATCH + "# grpo-lint: expect completions_per_update=|\n").keys() == {"224"}
    assert "expect" in completed(TRL + BATCH + "# grpo-lint: |\n")
    told = hovered(TRL + BATCH + "# grpo-lint: expect completions_per|_update=224\n")
    assert (
        "Behind one update of the weights" in told
        and "per_device_train_batch_size 8 x 7 processes x gradient_accumulation_steps 4 = **224**" in told
    )
    assert "default `8`" in hovered(TRL + BATCH + "# grpo-lint: expect num_gen|erations=8\n")


def test_rules_of_a_team_are_rules():
    rule = Limit("team-beta", "beta", {"max": 0.1}, "error", "Ours is small.")
    surroundings = Context(policy=Policy(rules={rule.name: rule}))
    text, offset = split(TRL + BATCH + "beta: 1 # grpo-lint: ignore[TEAM|]\n")
    assert "TEAM-BETA" in {
        item["label"] for item in completion(Text(text, "config.yaml"), offset, None, surroundings, "utf-16")
    }
    text, offset = split(TRL + BATCH + "be|ta: 1\n")
    assert (
        "Ours is small." in hover(lint(Text(text, "config.yaml"), surroundings), offset, "utf-16")["contents"]["value"]
    )


def test_a_fact_that_is_there_is_not_offered_again():
    assert "world-size" not in completed(TRL.replace(" world-size=7", " world-size=7 |") + BATCH)


# --- hints ----------------------------------------------------------------------------------------------------------


def test_hints_stand_behind_the_batch_keys():
    report = lint_text(TRL + BATCH + "# nothing\n")
    found = inlay_hints(report, 0, len(report.text.text), "utf-16")
    assert [(hint["position"]["line"], hint["label"]) for hint in found] == [
        (3, "update: 224 = 28 prompts of 8"),
        (1, "rollout: 224 = 28 prompts of 8"),
    ]
    assert [hint["tooltip"] for hint in found] == [
        "an update: 224 completions = 28 prompts of 8",
        "a rollout: 224 completions = 28 prompts of 8; 4 prompts per rank",
    ]
    assert inlay_hints(report, 0, 1, "utf-16") == []


@pytest.mark.parametrize("batch, rollout", [
    (BATCH, "128 | 192 | 224 completions = 16 | 24 | 28 prompts of 8; 4 prompts per rank"),
    (BATCH.replace("size: 8", "size: 1"), "16 | 24 | 28 completions = 2 | 3 | 3.5 prompts of 8"),
])  # fmt: skip
def test_hints_tell_a_number_for_each_number_of_processes(batch, rollout):
    report = lint_text(TRL.replace("world-size=7", "world-size=4|6|7") + batch)
    hint = inlay_hints(report, 0, len(report.text.text), "utf-16")[1]
    assert hint["tooltip"] == f"a rollout: {rollout}" and hint["label"].startswith("rollout: ")


@pytest.mark.parametrize("counts", ["8", "1024", "4|6|7", "128|256|512|1024|2048"])
def test_no_hint_is_longer_than_an_editor_shows(counts):
    text = TRL.replace("world-size=7", f"world-size={counts}") + BATCH.replace("steps: 4", "steps: 1024")
    report = lint_text(text + "max_steps: 1000000\nper_device_eval_batch_size: 8\neval_strategy: steps\n")
    labels = [hint["label"] for hint in inlay_hints(report, 0, len(report.text.text), "utf-16")]
    assert len(labels) == 4 and max(map(len, labels)) <= 40


def test_a_symbol_ends_where_its_launch_does():
    (symbol,) = symbols(lint_text(TRL + "num_generations: 8\nmax_steps: 5\n\n# nothing\n\n"), "utf-16")
    assert (symbol["range"]["start"]["line"], symbol["range"]["end"]) == (1, {"line": 2, "character": 12})


def test_the_headline_says_what_is_assumed():
    (launch,) = lint_text("# grpo-lint: dialect=trl\n" + BATCH).launches
    assert headline(launch) == "TRL 1.16.0? GRPO on an unknown number of processes"


# --- actions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind, only, expected",
    [
        ("source.fixAll.grpo-lint", None, True),
        ("source.fixAll.grpo-lint", ["source"], True),
        ("source.fixAll.grpo-lint", ["source.fixAll"], True),
        ("source.fixAll.grpo-lint", ["source.fix"], False),
        ("quickfix", ["source", "quickfix"], True),
        ("quickfix", ["quickfix.other"], False),
        ("quickfix", ["", "source"], True),
    ],
)
def test_kinds_are_asked_for_by_prefix(kind, only, expected):
    assert wanted(kind, only) is expected


def quick_fixes(session, document, at):
    return [action for action in actions(session, document, at, at, ["quickfix"], Client()) if action is not None]


def test_actions_are_those_of_the_place():
    session = Session()
    text = TRL + BATCH.replace("batch_size: 8", "batch_size: 1") + "beta: 0.1\n"
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 1, text)

    def titles(line):
        return [each["title"] for each in quick_fixes(session, document, document.text.starts[line])]

    assert len(titles(1)) == 4 and titles(4) == []


@pytest.mark.parametrize(
    "before, after",
    [
        ("num_generations: 8\n", "num_generations: 8  # grpo-lint: ignore[GRPO203]\n"),
        ("num_generations: 8", "num_generations: 8  # grpo-lint: ignore[GRPO203]"),
        ("num_generations: 8 # eight\n", "# grpo-lint: ignore[GRPO203]\nnum_generations: 8 # eight\n"),
        (
            "num_generations: 8 # grpo-lint: ignore[GRPO202] so\n",
            "num_generations: 8 # grpo-lint: ignore[GRPO202, GRPO203] so\n",
        ),
    ],
)
def test_a_finding_can_be_ignored_on_its_line(before, after):
    start = TRL + "per_device_train_batch_size: 1\n"
    session = Session()
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 1, start + before)
    (finding,) = (finding for finding in session.report(document).findings if finding.rule.code == "GRPO203")
    found = quick_fixes(session, document, finding.at.key[0])
    (edit,) = (each["edit"]["changes"][document.uri] for each in found if each["title"].startswith("Ignore GRPO203"))
    session.change(document, 2, [(each["range"], each["newText"]) for each in edit])
    assert document.text.text == start + after
    assert "GRPO203" not in [finding.rule.code for finding in session.report(document).findings]


@pytest.mark.parametrize(
    "before, after",
    [
        (BATCH, "# grpo-lint: world-size=8\n" + BATCH),
        ("# grpo-lint: version=1.16.0\r\na: 1\r\n", "# grpo-lint: version=1.16.0 world-size=8\r\na: 1\r\n"),
        ("a: 1\r\n", "# grpo-lint: world-size=8\r\na: 1\r\n"),
        ("# grpo-lint: ignore[GRPO203]\na: 1\n", "# grpo-lint: world-size=8\n# grpo-lint: ignore[GRPO203]\na: 1\n"),
        ("#!/bin/bash\ntrain\n", "#!/bin/bash\n# grpo-lint: world-size=8\ntrain\n"),
        ("", "# grpo-lint: world-size=8\n"),
    ],
)
def test_a_fact_is_declared_where_facts_are(before, after):
    start, end, new = declaration(
        Text(before, "train.sh" if before.startswith("#!") else "config.yaml"), "world-size", 8
    )
    assert before[:start] + new + before[end:] == after


OPEN_RUN = "train_grpo.py --num_generations 7 --per_device_train_batch_size 4 --gradient_accumulation_steps 1\n"


@pytest.mark.parametrize(
    ("text", "name", "line", "counts"),
    [
        (f"accelerate launch --num_processes $N {OPEN_RUN}", "run.sh", 0, [7]),
        (f"#!/bin/bash\n#SBATCH --nodes=2\nsrun accelerate launch {OPEN_RUN}", "run.sh", 1, [7]),
        (f"accelerate launch --num_processes 7 {OPEN_RUN}accelerate launch {OPEN_RUN}", "run.sh", 0, [7]),
        (f"accelerate launch {OPEN_RUN}accelerate launch {OPEN_RUN.replace('7', '6')}", "run.sh", 0, []),
        (f"accelerate launch --num_processes 7 {OPEN_RUN}", "run.sh", 0, []),
        (f"accelerate launch {OPEN_RUN.replace('7', '8')}", "run.sh", 0, [8, 4, 2]),
        (f"steps:\n- run: accelerate launch {OPEN_RUN}", "job.yaml", 0, [7]),
    ],
)
def test_a_script_declares_a_number_of_processes_that_works_for_all_its_commands(text, name, line, counts):
    session = Session()
    document = session.open(f"file:///nowhere/{name}", f"/nowhere/{name}", 1, text)
    offered = [each for each in actions(session, document, 0, 0, ["refactor"], Client()) if each]
    offered = [each["edit"]["changes"][document.uri] for each in offered if "world-size" in each["title"]]
    assert [each["newText"] for (each,) in offered] == [f"# grpo-lint: world-size={count}\n" for count in counts]
    for version, edits in enumerate(offered, 2):
        assert edits[0]["range"]["start"] == {"line": line, "character": 0}
        session.change(document, version, [(None, text), *((each["range"], each["newText"]) for each in edits)])
        report = session.report(document)
        assert report.launches and all(launch.world_size is not UNKNOWN for launch in report.launches)
        assert not [finding for finding in report.findings if finding.severity != "info"]


def test_two_frameworks_in_one_script_share_no_release():
    session = Session()
    text = f"accelerate launch {OPEN_RUN}swift rlhf --rlhf_type grpo --num_generations 8\n"
    document = session.open("file:///nowhere/run.sh", "/nowhere/run.sh", 1, text)
    offered = [each["title"] for each in actions(session, document, 0, 0, ["refactor"], Client()) if each]
    assert not [title for title in offered if "version" in title]


@pytest.mark.parametrize(
    "before, after",
    [("a\nb\r\nc", "a\nB\r\nc"), ("a\n", ""), ("", "x"), ("a\rb\r", "b\r"), ("1\n2\n3\n", "0\n1\n3\n4")],
)
def test_a_difference_makes_one_text_of_the_other(before, after):
    text = before
    for start, end, new in reversed(difference(before, after)):
        text = text[:start] + new + text[end:]
    assert text == after


def test_nothing_is_written_into_json_that_is_no_json():
    session = Session()
    text = '{"rlhf_type": "grpo", "num_generations": 8, "per_device_train_batch_size": 1, "num_iteratons": 1}'
    document = session.open("file:///nowhere/c.json", "/nowhere/c.json", 1, text, "json")
    offered = [action for action in actions(session, document, 0, len(text), None, Client()) if action]
    assert offered
    for action in offered:
        complete(session, document, action, Client())
        edited = Session()
        copy = edited.open("file:///nowhere/c.json", "/nowhere/c.json", 1, text, "json")
        edited.change(
            copy, 2, [(edit["range"], edit["newText"]) for edit in reversed(action["edit"]["changes"][document.uri])]
        )
        assert json.loads(copy.text.text), action["title"]


# --- scripts --------------------------------------------------------------------------------------------------------

SCRIPT = """\
#!/bin/bash
# grpo-lint: version=4.6.0
NPROC_PER_NODE=8 swift rlhf \\
    --rlhf_type grpo \\
    --num_generations 7 \\
    --per_device_train_batch_size 1 \\
    --gradient_accumulation_steps 1
"""


def test_a_script_is_a_text_like_any_other():
    report = lint_text(SCRIPT, path="train.sh")
    at = SCRIPT.index("num_generations") + 2
    assert "NPROC_PER_NODE" in hover(report, at, "utf-16")["contents"]["value"]
    assert [hint["label"] for hint in inlay_hints(report, 0, len(SCRIPT), "utf-16")][
        0
    ] == "update: 8 = 1.1429 prompts of 7"
    typed = SCRIPT[:-1] + " \\\n    --loss_t|\n"
    assert completed(typed, path="train.sh")["loss_type"]["textEdit"]["newText"] == "loss_type "
    assert {"server", "colocate"} == completed(SCRIPT[:-1] + " \\\n    --vllm_mode |\n", path="train.sh").keys()


def test_a_fix_that_two_findings_share_is_listed_once():
    session = Session()
    document = session.open("file:///nowhere/a.yaml", "/nowhere/a.yaml", 1, TRL + BATCH.replace("size: 8", "size: 1"))
    report = session.report(document)
    (finding,) = [each for each in report.findings if each.severity != "info"]
    listed = {}
    session.look_for_fixes(document, finding)
    first = list(_quick_fixes(session, document, finding, Client(), listed))
    assert first and not list(_quick_fixes(session, document, finding, Client(), listed))


def test_in_a_script_a_suppression_stands_above_the_command():
    session = Session()
    document = session.open("file:///nowhere/train.sh", "/nowhere/train.sh", 1, SCRIPT)
    at = SCRIPT.index("num_generations")
    (edit,) = quick_fixes(session, document, at)[-1]["edit"]["changes"][document.uri]
    assert (edit["range"]["start"], edit["newText"]) == ({"line": 2, "character": 0}, "# grpo-lint: ignore[GRPO203]\n")


# --- the workspace --------------------------------------------------------------------------------------------------


def test_of_a_long_script_only_the_beginning_is_read_to_try_a_comment(monkeypatch):
    """What is written above a command changes nothing below it."""
    text = (
        "# grpo-lint: version=4.6.0\nNPROC_PER_NODE=7 swift rlhf --rlhf_type grpo --num_generations 8 --reward_funcs format\n"
        + "echo\n" * 500
    )
    session = Session()
    document = session.open("file:///nowhere/run.sh", "/nowhere/run.sh", 1, text)
    (finding,) = [each for each in session.report(document).findings if each.rule.code == "GRPO203"]
    read = []
    monkeypatch.setattr(
        actions_module, "lint", lambda text, *more, **given: read.append(len(text.text)) or lint(text, *more, **given)
    )
    (action,) = actions_module._ignoring(session, document, finding, Client())
    assert len(read) == 1 and read[0] < 300
    assert action["title"].startswith("Ignore GRPO203")


def test_all_files_of_a_workspace_are_fixed_by_one_edit(tmp_path):
    """As they are open, or as they are on the disk; files of others are not read."""
    wrong = SWIFT + BATCH + "train_type: lora\n"
    for name in ("one.yaml", "sub/two.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(wrong)
    (tmp_path / "compose.yaml").write_text("services: {web: {image: nginx}}\n")
    (tmp_path / "broken.yaml").write_bytes(b"num_generations: \0\xff")
    session, client = Session(), Client(document_changes=True)
    path = tmp_path / "one.yaml"
    session.open(path.as_uri(), str(path), 7, "# typed\n" + wrong)
    edit = joined(each for each in fixes(session, [str(tmp_path)], client) if each)
    found = {
        each["textDocument"]["uri"]: (each["textDocument"]["version"], each["edits"])
        for each in edit["documentChanges"]
    }
    assert {uri.rpartition("/")[2]: version for uri, (version, _) in found.items()} == {"one.yaml": 7, "two.yaml": None}
    assert all("tuner_type: lora\n" in edits[0]["newText"] for _, edits in found.values())
    assert [edits[0]["range"]["start"]["line"] for _, edits in found.values()] == [6, 5]


def test_a_hover_links_to_the_command_of_a_client_that_has_one():
    report = lint_text(TRL + BATCH)
    assert (
        "(command:grpo-lint.showPlan)"
        in hover(report, len(TRL) + 2, "utf-16", "grpo-lint.showPlan")["contents"]["value"]
    )
    assert "command:" not in hover(report, len(TRL) + 2, "utf-16")["contents"]["value"]


# --- what one variable does to several runs ---------------------------------------------------------------------------

RUNS = "#!/bin/bash\n# grpo-lint: version=1.16.0 dialect=trl\nGROUP=7\n" + (
    "accelerate launch --num_processes 8 train.py --per_device_train_batch_size 4 --num_generations $GROUP\n" * 3
)


def of_runs(text, line, only=None):
    """(diagnostics about groups, actions for a line) of a script."""
    session = Session()
    document = session.open("file:///x/run.sh", "/x/run.sh", 1, text)
    client = Client(related=True, document_changes=False)
    report = session.report(document)
    found = [each for each in diagnostics(document, report, "utf-16", client) if each["code"] == "GRPO203"]
    start, end = document.text.offset(line, 0), document.text.offset(line, 200)
    listed = [each for each in actions(session, document, start, end, only or ["quickfix"], client) if each]
    for each in listed:
        complete(session, document, each, client)
    return found, [each for each in listed if each["diagnostics"][0]["code"] == "GRPO203"]


def test_what_a_variable_does_is_one_diagnostic_with_the_other_places():
    (found,), _ = of_runs(RUNS, 2)
    assert found["range"]["start"] == {"line": 2, "character": 6}
    same = [each for each in found["relatedInformation"] if each["message"].startswith("the same in line")]
    assert [each["location"]["range"]["start"]["line"] for each in same] == [3, 4, 5]


@pytest.mark.parametrize("line", [2, 4])
def test_it_is_cured_at_the_variable_from_each_of_its_places(line):
    _, listed = of_runs(RUNS, line)
    titles = [str(each["title"]) for each in listed]
    assert titles[0].startswith("Set GROUP to 8 in line 3") and len(titles) == len(set(titles))
    assert [each["isPreferred"] for each in listed].count(True) == 1
    ((edit,),) = listed[0]["edit"]["changes"].values()
    assert (edit["range"]["start"], edit["newText"]) == ({"line": 2, "character": 6}, "8")


def test_it_is_ignored_in_each_run():
    _, listed = of_runs(RUNS, 2)
    ignoring = next(each for each in listed if str(each["title"]).startswith("Ignore"))
    assert (
        str(ignoring["title"])
        == "Ignore GRPO203 (rollout-holds-whole-groups) on this line (the same in lines 4, 5 and 6)"
    )
    (edits,) = ignoring["edit"]["changes"].values()
    text = RUNS.splitlines(keepends=True)
    for edit in reversed(edits):
        row, column = edit["range"]["start"].values()
        text[row] = text[row][:column] + edit["newText"] + text[row][column:]
    assert of_runs("".join(text), 2) == ([], [])


def test_one_of_two_mistakes_alike_can_be_ignored():
    text = RUNS.replace("$GROUP", "7")
    _, listed = of_runs(text, 4)
    assert "Ignore GRPO203 (rollout-holds-whole-groups) on this line" in [str(each["title"]) for each in listed]
