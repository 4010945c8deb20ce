"""`grpo-lint explain`: the founding documents' worked cases in full, and what every format tells of them.

UPDATE_GOLDEN=1 in the environment writes the expected texts again.
"""

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from conftest import lint_config, lint_text
from grpo_lint.cli.main import main
from grpo_lint.engine import lint
from grpo_lint.frameworks.descriptions import describe
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.plan.formula import Formula
from grpo_lint.plan.plan import Plan
from grpo_lint.plan.quantities import INNER, LABELS, QUANTITIES, label
from grpo_lint.report.explain import explanation
from grpo_lint.report.explain.arithmetic import missing
from grpo_lint.report.explain.document import stories
from grpo_lint.report.explain.javascript import Untold, function
from grpo_lint.report.explain.picture import Picture, in_text
from grpo_lint.report.explain.symbols import symbolic
from grpo_lint.report.text import cells, painter
from grpo_lint.source.text import Text

CASES = Path(__file__).parent / "explain"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
WIDTH = 80


def report_of(name):
    return lint_text((CASES / f"{name}.yaml").read_text(encoding="utf-8"), path=f"{name}.yaml")


def golden(path, text):
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "run with UPDATE_GOLDEN=1 and look at what changed"


def in_full(name):
    """A case told in full with its picture, which is compared with what is expected; on one line."""
    told = explanation(report_of(name), colour=False, width=WIDTH, picture=True)
    assert [line for line in told.splitlines() if cells(line) > WIDTH] == []
    golden(CASES / f"{name}.out", told)
    return " ".join(told.split())


# --- the documents --------------------------------------------------------------------------------------------------


def test_s0_how_many_steps_an_ms_swift_run_takes():
    told = in_full("s0-swift")
    assert "7,920 rows are 1,320 updates an epoch, 1,320 in all; 0 rows are dropped." in told
    assert "7,920 rows x 8 = 63,360 of them (80 of 8,000 are kept back for evaluation)" in told
    assert "micro steps per epoch 2,640" in told
    # what the document counts, without num_iterations
    assert re.search(r"micro steps of the data 1,320 = [^()]* \(total_prompt_data_size\)", told)


def test_s0_a_thousand_updates_are_three_quarters_of_an_epoch():
    assert "1,000 in all (0.76 epochs)" in in_full("s0-swift-1000-steps")


def test_s1_a_group_of_one_is_refused_with_its_reason():
    told = in_full("s1-swift")
    assert "This run does not start: a group of 1 completion has no relative advantage" in told
    assert "fails 1 completion per group, not 1 (GRPO201)" in told
    assert told.endswith("1 error: grpo-lint check s1-swift.yaml")


def test_s3_rows_times_group_by_the_batch():
    told = in_full("s3-trl")
    assert "One update learns from 24 completions: 4 prompts x 6." in told
    assert "8,000 rows are 2,000 updates an epoch, 4,000 in all; 0 rows are dropped." in told
    assert "completions per epoch 48,000 = 8,000 training rows x 6 per group" in told


def test_s4_example_1_all_constraints_hold():
    told = in_full("s4-megatron-example-1")
    assert "ok 8 prompts per rollout % 4 data-parallel ranks = 0 (GRPO210, constraint 1)" in told
    for number in (1, 2, 3, 4, 6, 7):
        assert re.search(rf"ok [^()]*(\([^()]*\)[^()]*)*\(GRPO\d+, constraint {number}\)", told), number
    assert "fails" not in told and "not enforced" not in told


def test_s4_example_2_half_a_prompt_for_each_rank():
    told = in_full("s4-megatron-example-2")
    assert "update prompts per rank 0.5" in told and "num_prompts_per_dp_group" in told
    assert "not enforced global_batch_size 16 % " in told and "constraint 4" in told
    assert told.endswith("1 warning: grpo-lint check s4-megatron-example-2.yaml")


def test_s4_example_3_one_prompt_for_a_micro_batch_of_two():
    assert "GRPO216, constraint 4" in in_full("s4-megatron-example-3")


def test_s4_question_1_four_prompts_on_eight_ranks():
    told = in_full("s4-megatron-question-1")
    assert "fails 4 prompts per rollout % 8 data-parallel ranks = 4, not 0 (GRPO210, constraint 1)" in told


# --- what else there is to tell -------------------------------------------------------------------------------------


def test_sequence_parallelism_as_the_code_does_it():
    told = in_full("sequence-parallel-swift")
    for row in (
        "ranks 2 =",
        "micro steps per update 8 =",
        "micro steps per epoch 32,000 =",
        "updates per epoch 4,000 =",
    ):
        assert row in told
    assert "completions per engine 4 =" in told


def test_expert_parallelism_does_not_change_the_ranks():
    told = in_full("experts-megatron")
    assert "ranks 8 =" in told and "expert ranks 4 =" in told
    assert "1 row is dropped in each" in told and "(0.10 epochs)" in told


def test_what_is_not_known_stays_a_sign():
    told = in_full("unknown-trl")
    assert "One update learns from 8 x N completions: N prompts x 8." in told
    assert "An epoch is rows / N updates." in told
    assert "N: the number of processes" in told and "rows: the rows of the data set" in told


def test_a_column_for_each_legal_number_of_nodes():
    told = in_full("nodes-megatron")
    assert "world_size 8 | 16 | 32 | 64 on 1 | 2 | 4 | 8 nodes" in told
    assert "16 | 8 | 4 | 2" in told and "It works on 8, 16, 32 or 64 processes." in told


def test_words_and_no_code():
    for path in sorted(CASES.glob("*.yaml")):
        told = explanation(report_of(path.stem), False, WIDTH).replace(path.name, "FILE")
        assert not re.search(r"is not 'no'|= no\b|\bpasses\b|default of", told), path.name
        named = {name for name in QUANTITIES if "_" in name and re.search(rf"(?<![\w(]){name}\b(?!\))", told)}
        assert named == set(), path.name
        # "step" alone would mean one thing here and another there
        assert not re.search(r"(?<!micro )(?<!max_)\bsteps?\b(?!_)", told), path.name


def test_all_quantities_for_those_who_ask():
    told = " ".join(explanation(report_of("s4-megatron-example-1"), False, WIDTH, verbose=True).split())
    assert "completions_wanted_per_replica" in told and "default of Megatron-SWIFT 4.6.0" in told
    assert "smallest parallel size" in told


def test_a_fraction_that_no_constraint_speaks_of_is_not_told():
    report = lint_config(
        {"per_device_train_batch_size": 4, "gradient_accumulation_steps": 2, "num_generations": 6},
        dialect="trl",
        version="1.16.0",
        world_size=3,
    )
    assert "rollout prompts per rank" not in explanation(report, False, WIDTH)
    assert "rollout prompts per rank" in explanation(report, False, WIDTH, verbose=True)


def test_rollouts_that_go_off_policy():
    settings = {"per_device_train_batch_size": 8, "num_generations": 8, "steps_per_generation": 4}
    told = explanation(lint_config(settings, dialect="trl", version="1.16.0", world_size=1), False, 200)
    assert "is used for 4 updates (off-policy from its 2nd update on)" in told
    assert re.search(r"on-policy +no +from its 2nd update on", told)
    settings = {"rlhf_type": "grpo", "per_device_train_batch_size": 8, "num_generations": 8, "async_generate": True}
    told = explanation(lint_config(settings, dialect="swift", version="4.4", world_size=1), False, 200)
    assert "off-policy: the next rollout is made while this one is trained on" in told


@pytest.mark.parametrize("name", NAMES)
def test_every_release_is_told(name):
    framework = framework_named(name)
    for regime in framework.arithmetic.regimes:
        shown = set(regime.quantities)
        assert shown <= QUANTITIES.keys()
    assert LABELS.keys() - QUANTITIES.keys() == {"world_size", "dataset_size", "parameters"}
    assert QUANTITIES.keys() >= INNER
    assert len({label(quantity) for quantity in framework.arithmetic.regimes[-1].quantities}) == len(
        framework.arithmetic.regimes[-1].quantities
    )


# --- signs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula, told",
    [
        ("micro * world_size", "4 x N"),
        ("micro * world_size * 2 // 8", "N"),
        ("dataset_size // 8", "rows / 8"),
        ("dataset_size // 8 * 3", "3 x (rows / 8)"),
        ("dataset_size // (world_size // 2)", "2 x rows / N"),
        ("max(ceil(dataset_size // 8 / 2), 1)", "rows / 8 / 2 rounded up"),
        ("ratio(micro * world_size, 6)", "2 x N / 3"),
        ("micro", ""),
        ("world_size + 1", ""),
        ("min(world_size, 8)", ""),
        ("world_size // 0", ""),
    ],
)
def test_signs(formula, told):
    from grpo_lint.unknown import UNKNOWN

    plan = Plan({"asked": (Formula(formula),)}, {"micro": 4, "world_size": UNKNOWN, "dataset_size": UNKNOWN}, {})
    assert symbolic(plan, "asked") == told


def test_a_formula_that_a_null_passes_over_is_not_what_is_missing():
    from grpo_lint.unknown import UNKNOWN

    formulas = {"asked": (Formula("world_size * steps"), Formula("world_size * 2"))}
    plan = Plan(formulas, {"world_size": UNKNOWN, "steps": None}, {})
    assert symbolic(plan, "asked") == "2 x N"
    assert missing(plan, "asked") == "needs world-size"


# --- the other formats ----------------------------------------------------------------------------------------------


def run(capsys, *words):
    status = main(["explain", *words])
    captured = capsys.readouterr()
    assert captured.err == ""
    return status, captured.out


@pytest.fixture
def here(monkeypatch):
    monkeypatch.chdir(CASES)
    return CASES


@pytest.mark.parametrize("form", ["json", "markdown", "svg"])
def test_formats(here, capsys, form):
    status, told = run(capsys, "s4-megatron-example-2.yaml", "--output-format", form)
    assert status == 0
    golden(CASES / f"s4-megatron-example-2.{form}", told)


def test_json_holds_every_row(here, capsys):
    document = json.loads(run(capsys, ".", "--output-format", "json")[1])
    assert document["version"] == 1
    files = {file["path"].rpartition("/")[2]: file for file in document["files"]}
    assert len(files) == len(list(CASES.glob("*.yaml")))
    (launch,) = files["s3-trl.yaml"]["launches"]
    rows = {row["name"]: row for row in launch["quantities"]}
    assert rows["completions_per_epoch"]["value"] == 48000
    row = rows["completions_per_update"]
    assert row["formula"] == "completions_per_step * accumulation"
    assert row["numbers"] == "12 per micro step x 2 micro steps per update"
    assert (row["unit"], row["own_name"]) == ("completions", "train_batch_size") and row["meaning"]
    told = describe("trl", "num_generations")
    assert (
        told
        and {"name": "num_generations", "value": 6, "origin": "line 4", "default": False, "meaning": told}
        in launch["given"]
    )
    assert {each["name"] for each in launch["given"] if not each["meaning"]} <= {
        "world_size",
        "dataset_size",
        "last_update_may_be_partial",
    }
    assert {check["mark"] for check in launch["checks"]} == {"ok"}
    nodes = files["nodes-megatron.yaml"]["launches"][0]
    assert {row["name"]: row["value"] for row in nodes["quantities"]}["dp_size"] == [4, 8, 16, 32]


def test_a_file_that_is_none_of_ours_in_each_format(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("services: {}\n")
    for form in ("text", "json", "markdown", "html", "svg"):
        status, told = run(capsys, "a.yaml", "--output-format", form)
        assert status == 0 and ("nothing of GRPO-family training" in told or form == "svg")
    assert json.loads(run(capsys, ".", "--output-format", "json")[1])["files"] == []


def test_the_output_goes_to_a_file(here, capsys, tmp_path):
    for form in ("text", "html"):
        target = tmp_path / form
        assert run(capsys, "s3-trl.yaml", "--output-format", form, "--output-file", str(target)) == (0, "")
        assert "One update learns from 24 completions" in target.read_text(encoding="utf-8")


# --- the picture ----------------------------------------------------------------------------------------------------


def picture_of(name):
    return Picture.of(stories(report_of(name))[0])


def test_the_picture_is_the_rollout():
    drawn = picture_of("s4-megatron-example-1")
    assert (drawn.prompts, drawn.group, drawn.ranks, drawn.share, drawn.micro, drawn.update) == (8, 4, 4, 8, 1, 4)
    assert drawn.pieces() == [(0, 4), (4, 8)] and not drawn.splits_groups
    assert [drawn.rank_of(place) for place in (0, 7, 8, 31)] == [0, 0, 1, 3]
    assert picture_of("s3-trl").splits_groups
    # what is gone through twice begins anew
    assert picture_of("s0-swift").pieces() == [(0, 16), (0, 16)]
    assert picture_of("unknown-trl") is None


def test_padding_and_dropped_rows_are_seen():
    command = """python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=10 actor_rollout_ref.rollout.n=4 \\
  actor_rollout_ref.actor.ppo_mini_batch_size=8 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 \\
  actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=2 trainer.n_gpus_per_node=4 trainer.nnodes=1
"""
    script = f"#!/bin/bash\n# grpo-lint: version=0.9 dataset-size=105\n{command}"
    (story,) = stories(lint_text(script, path="run.sh"))
    drawn = Picture.of(story)
    assert (drawn.padding, drawn.prompts * drawn.group, drawn.share * drawn.ranks, drawn.dropped) == (24, 40, 64, 5)
    told = "\n".join(in_text(drawn, painter(False), WIDTH))
    assert "□" in told and "24 in all" in told and "5 of 105 rows are dropped in every epoch ×××××" in told


def test_the_picture_has_an_end():
    settings = {"per_device_train_batch_size": 512, "gradient_accumulation_steps": 64, "num_generations": 256}
    (story,) = stories(lint_config(settings, dialect="trl", version="1.16.0", world_size=64))
    lines = in_text(Picture.of(story), painter(False), WIDTH)
    assert len(lines) < 40 and all(cells(line) <= WIDTH for line in lines)
    coloured = in_text(Picture.of(story), painter(True), WIDTH)
    assert any("\x1b[" in line for line in coloured)


def test_the_drawing_is_well_formed_and_loads_nothing(here, capsys):
    told = run(capsys, "s0-swift.yaml", "--output-format", "svg")[1]
    root = ElementTree.fromstring(told)
    assert sum(1 for _ in root.iter("{http://www.w3.org/2000/svg}rect")) == 1 + 96 + 2 * 96
    assert "http" not in told.replace("http://www.w3.org/2000/svg", "")


# --- the page -------------------------------------------------------------------------------------------------------


def test_the_page_is_one_file_without_network(here, capsys):
    told = run(capsys, "s3-trl.yaml", "--output-format", "html")[1]
    assert "http" not in told.replace("http://www.w3.org/2000/svg", "") and "src=" not in told and "@import" not in told


def test_nothing_of_a_file_ends_the_script(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name = "a</script><script>alert(1)<!--/* filled in */.yaml"
    (tmp_path / "b.yaml").write_text(
        "# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 8\nloss_type: '</script><!--'\n"
    )
    text = (tmp_path / "b.yaml").read_text()
    from grpo_lint.report.explain import html

    told = html.document([html.part(lint_text(text, path=name))])
    assert told.count("</script>") == 1 and "<!--" not in told.split("<body>")[1]


@pytest.mark.parametrize("name", NAMES)
def test_formulas_of_batches_can_be_compiled_for_a_page(name):
    """All but those that look into texts and lists."""
    framework = framework_named(name)
    wanted = (
        "completions_per_update",
        "completions_per_rollout",
        "prompts_per_rollout",
        "updates_per_rollout",
        "dp_size",
        "total_steps",
    )
    for regime in framework.arithmetic.regimes:
        for quantity in wanted:
            for formula in regime.formulas.get(quantity, ()):
                assert function(formula).startswith("() => ")
    with pytest.raises(Untold):
        function(Formula("unrolled(layout)"))


DRIVER = """
<script>
const turn = (name, value) => { const input = document.querySelector(`[data-knob="${name}"] input[type=number]`);
  input.value = value; input.dispatchEvent(new Event("input")); };
const state = () => ({
  quantities: Object.fromEntries([...document.querySelectorAll("[data-quantity]")].map((cell) => [cell.dataset.quantity, cell.textContent])),
  checks: Object.fromEntries([...document.querySelectorAll("[data-check]")].map((cell) => [cell.dataset.check, cell.textContent])),
  boxes: document.querySelectorAll("svg rect").length, answer: document.querySelector(".answer").textContent });
const states = [state()];
for (const turns of TURNS) { for (const [name, value] of Object.entries(turns)) turn(name, value); states.push(state()); }
document.querySelector("button").click();
states.push(state());
document.body.innerHTML = "";
document.body.textContent = JSON.stringify(states);
</script>
"""


def driven(tmp_path, page, turns):
    """What a real browser shows: at first, after each turn of knobs, and when all is turned back."""
    (tmp_path / "page.html").write_text(
        page.replace("</body>", DRIVER.replace("TURNS", json.dumps(turns)) + "</body>"), encoding="utf-8"
    )
    words = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--dump-dom",
    ]
    shown = subprocess.run(
        [*words, (tmp_path / "page.html").as_uri()], capture_output=True, encoding="utf-8", timeout=120
    )
    body = re.search(r"<body>(.*)</body>", shown.stdout, re.DOTALL)
    return json.loads(body[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs a browser")
@pytest.mark.parametrize(
    "name, turns",
    [
        (
            "s0-swift",
            [{"world_size": 12}, {"num_generations": 5}, {"gradient_accumulation_steps": 3, "num_generations": 8}],
        ),
        ("s3-trl", [{"world_size": 4}, {"steps_per_generation": 8}, {"dataset_size": 8003}]),
        (
            "s4-megatron-example-1",
            [{"world_size": 16}, {"global_batch_size": 32}, {"micro_batch_size": 2, "num_generations": 2}],
        ),
        ("unknown-trl", [{"world_size": 3}, {"per_device_train_batch_size": 2}]),
    ],
)
def test_the_page_computes_what_the_plan_does(tmp_path, name, turns):
    from grpo_lint.report.explain import html

    text = (CASES / f"{name}.yaml").read_text(encoding="utf-8")
    states = driven(tmp_path, html.document([html.part(lint_text(text))]), turns)
    assert states[0]["quantities"] == states[-1]["quantities"]
    turned = {}
    for state, turn in zip(states[1:-1], turns, strict=True):
        turned |= turn
        report = lint_text(with_turned(text, turned))
        plan = report.launches[0].plan(report.launches[0].candidates[0])
        for quantity, shown in state["quantities"].items():
            value = plan.value(quantity)
            wanted = "?" if value is None else ("yes" if value else "no") if type(value) is bool else None
            assert shown == wanted if wanted else float(shown.replace(",", "")) == pytest.approx(value, abs=1e-4), (
                quantity,
                turned,
            )
        story = stories(report)[0]
        marks = {check.rule.code: check.mark for check in story.checks}
        assert {code: mark for code, mark in state["checks"].items() if code in marks} == {
            code: marks[code] for code in state["checks"] if code in marks
        }
        drawn = Picture.of(story)
        if drawn and drawn.prompts <= 48 and drawn.ranks <= 32:
            boxes = drawn.prompts * drawn.group + sum(end - start for start, end in drawn.pieces()) * drawn.ranks
            assert state["boxes"] == boxes


def with_turned(text, turned):
    """The text of a config with other values, those of facts in its comment."""
    for name, value in turned.items():
        fact = name.replace("_", "-")
        if f"{fact}=" in text:
            text = re.sub(rf"{fact}=\d+", f"{fact}={value}", text)
        elif name in ("world_size", "dataset_size"):
            text = text.replace("\n", f" {fact}={value}\n", 1)
        elif re.search(rf"^{name}:", text, re.MULTILINE):
            text = re.sub(rf"^{name}:.*$", f"{name}: {value}", text, flags=re.MULTILINE)
        else:
            text += f"{name}: {value}\n"
    return text if "dataset-size" in text else text.replace("\n", " dataset-size=8000\n", 1)


# --- the command ----------------------------------------------------------------------------------------------------


def test_explain_loads_little_more_than_check():
    """What a page or a document needs is loaded where one is asked for."""
    from test_imports import loaded_by

    status, modules = loaded_by(["explain", "s3-trl.yaml"], CASES)
    assert status == 0
    assert [
        name for name in modules if name.partition(".")[0] in ("html", "json", "difflib", "statistics", "subprocess")
    ] == []
    assert not {
        "grpo_lint.report.explain.html",
        "grpo_lint.report.explain.svg",
        "grpo_lint.report.explain.document",
    } & set(modules)


# --- the page in the documentation ----------------------------------------------------------------------------------

ROOT = Path(__file__).parents[1]


def test_the_picture_of_the_guide_is_drawn(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    golden(
        ROOT / "docs" / "pictures" / "rollout.svg",
        run(capsys, "examples/good/megatron-gspo-8-gpus.yaml", "--output-format", "svg")[1],
    )


def test_the_guide_knows_the_formats():
    from grpo_lint.cli.more_options import EXPLAIN_FORMATS

    page = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == sorted(
        EXPLAIN_FORMATS, key=["text", "json", "markdown", "svg", "html"].index
    )


def test_what_each_rank_holds_of_a_model_that_is_known_by_its_exact_name(tmp_path):
    text = """\
# grpo-lint: dialect=megatron version=4.6.0 world-size=16
model: Qwen/Qwen3-30B-A3B-Instruct-2507
dataset: x
num_generations: 8
micro_batch_size: 1
global_batch_size: 64
tensor_model_parallel_size: 2
pipeline_model_parallel_size: 2
expert_model_parallel_size: 4
"""

    def shares(text):
        (launch,) = lint_text(text).launches
        plan = launch.plan(launch.candidates[0])
        return {name: plan.value(name) for name in held}

    held = {"heads_per_rank": 16, "layers_per_stage": 24, "experts_per_rank": 32}
    assert shares(text) == held
    (story,) = stories(lint_text(text))
    told = {row.label: (row.text, row.how) for row in story.rows}
    assert told["attention heads per rank"][0] == "16" and told["layers per pipeline stage"][0] == "24"
    for other in (
        text.replace("Qwen/", "somebody/"),
        text.replace("parallel_size: 2", "parallel_size: 1").replace("parallel_size: 4", "parallel_size: 1"),
        text.replace("parallel_size: 2", "parallel_size: 3").replace("parallel_size: 4", "parallel_size: 3"),
    ):
        layers = (
            16 if "parallel_size: 3" in other else None
        )  # 32 heads and 128 experts do not divide by 3, 48 layers do
        assert shares(other) == {**dict.fromkeys(held), "layers_per_stage": layers}


def test_a_value_that_is_refused_is_why_the_run_does_not_start(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.yaml").write_text(
        "# grpo-lint: dialect=trl version=0.24.0 world-size=8\nnum_generations: 8\nper_device_train_batch_size: eight\n"
    )
    main(["explain", "c.yaml"])
    told = " ".join(capsys.readouterr().out.split())
    assert "This run does not start: per_device_train_batch_size holds the text 'eight'" in told
    assert "its value is refused (GRPO110)" in told and "something else fills it in" not in told


def test_an_epoch_is_rounded_once(capsys, tmp_path, monkeypatch):
    """ceil(ceil(rows / 4) / 4) is ceil(rows / 16)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.yaml").write_text(
        "# grpo-lint: dialect=trl version=0.24.0 world-size=4\nnum_generations: 8\nper_device_train_batch_size: 8\n"
        "gradient_accumulation_steps: 4\n"
    )
    main(["explain", "c.yaml"])
    (epoch,) = re.findall(r"An epoch is [^.]+\.", " ".join(capsys.readouterr().out.split()))
    assert epoch.count("rounded up") <= 1 and epoch.count("/") == 1


@pytest.mark.parametrize("version, updates", [("3.1", 660), ("3.2", 1320), ("3.3", 1320), ("3.4", 1320), ("3.5", 1320)])
def test_each_release_of_ms_swift_has_steps(version, updates):
    """The thread that the first document is about: 1,320 updates of 8,000 rows, in 3.3. 3.1 reuses no rollout."""
    reuse = "" if version == "3.1" else " --num_iterations 2"
    script = (
        "NPROC_PER_NODE=6 swift rlhf --rlhf_type grpo --model m --dataset d.jsonl#8000 --reward_funcs accuracy --per_device_train_batch_size 8 "
        f"--per_device_eval_batch_size 8 --gradient_accumulation_steps 2 --num_generations 8 --num_train_epochs 1{reuse}\n"
    )
    launch = lint(Text(f"# grpo-lint: version={version}\n{script}", "run.sh"), fixes=False).launches[0]
    assert launch.plan(launch.candidates[0]).value("total_steps") == updates


@pytest.mark.parametrize("version, completions", [("3.1", 64), ("3.2", 8), ("3.3", 8), ("3.4", 64)])
def test_an_engine_that_sleeps_takes_one_pass_for_an_update(version, completions):
    text = (
        f"# grpo-lint: version={version}\nNPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model m --dataset d.jsonl --reward_funcs accuracy --use_vllm true "
        f"{'' if version == '3.1' else '--sleep_level 1'} --num_infer_workers 8 --per_device_train_batch_size 1 --gradient_accumulation_steps 8 --num_generations 8\n"
    )
    launch = lint(Text(text, "run.sh"), fixes=False).launches[0]
    assert launch.plan(launch.candidates[0]).value("completions_per_update") == completions


def test_an_epoch_of_easyr1_drops_the_last_part():
    text = (
        "# grpo-lint: dialect=easyr1 dataset-size=6000\ndata:\n  train_files: a\n  val_files: b\n  rollout_batch_size: 512\nworker:\n  actor:\n"
        "    global_batch_size: 16\n  rollout:\n    n: 5\ntrainer:\n  total_epochs: 1\n  nnodes: 1\n  n_gpus_per_node: 8\n"
    )
    launch = lint(Text(text, "config.yaml"), fixes=False).launches[0]
    plan = launch.plan(launch.candidates[0])
    assert [plan.value(name) for name in ("rollouts", "rows_dropped", "total_steps")] == [11, 368, 352]


def test_a_lesson_has_the_numbers_of_the_run(capsys):
    assert main(["explain", "--teach", str(Path(__file__).parent / "explain" / "s4-megatron-example-1.yaml")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    for part in (
        "generate 4 completions of each: 32", "repeat 2 times: # updates, of 16 completions", "repeat 4 times: # micro steps",
        "8 processes are 4 data-parallel ranks", "(TP)", "(PP)", "(CP)", "(EP)", "(SP)",
    ):  # fmt: skip
        assert part in told


def test_what_verl_counts_in_prompts_is_shown_in_completions():
    text = (
        "# grpo-lint: version=0.3\npython3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=a data.train_batch_size=1024 "
        "actor_rollout_ref.actor.ppo_mini_batch_size=256 actor_rollout_ref.rollout.n=5 trainer.n_gpus_per_node=8 trainer.nnodes=1\n"
    )
    told = " ".join(explanation(lint(Text(text, "run.sh"), fixes=False), False, 100).split())
    assert "1,280 = actor_rollout_ref.actor.ppo_mini_batch_size 256 x actor_rollout_ref.rollout.n 5" in told
    assert "completions per rank 160 = 1,280 per mini batch / 8 data-parallel ranks" in told
