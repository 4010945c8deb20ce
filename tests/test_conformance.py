"""The conformance programs, as far as they go without a framework: drawing, writing, comparing, shrinking, taking in."""

import importlib.util
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from grpo_lint.frameworks.registry import NAMES, framework

pytestmark = pytest.mark.slow

CONFORMANCE = Path(__file__).parent.parent / "conformance"


@pytest.fixture(scope="module", autouse=True)
def programs():
    sys.path.insert(0, str(CONFORMANCE))
    yield
    sys.path.remove(str(CONFORMANCE))


def program(name):
    """A program of conformance/ as a module; those that are commands have no suffix."""
    path = CONFORMANCE / name
    loader = SourceFileLoader(f"conformance_{name.replace('-', '_')}", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # or the command gets a neighbour with its name and a c
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


@pytest.fixture(scope="module")
def cases(programs):
    import cases

    return cases


@pytest.fixture(scope="module")
def compare(programs):
    import compare

    return compare


@pytest.fixture(scope="module")
def new_release(programs):
    return program("new-release")


TARGETS = [
    ("trl", "0.16.1", "kwargs"),
    ("trl", "1.16.0", "script"),
    ("swift", "4.6.0", "cli"),
    ("megatron", "3.12.6", "cli"),
]


def drawn(cases, target, count, seed=0):
    return list(islice(iter(cases.Cases(*target, seed).draw, None), count))


# ---------------------------------------------------------------- drawing


@pytest.mark.parametrize("target", TARGETS)
class TestGenerator:
    def test_the_same_seed_draws_the_same_cases(self, cases, target):
        assert list(map(repr, drawn(cases, target, 50))) == list(map(repr, drawn(cases, target, 50)))

    def test_another_seed_draws_others(self, cases, target):
        assert drawn(cases, target, 50) != drawn(cases, target, 50, seed=1)

    def test_every_field_comes_up_that_is_not_excluded(self, cases, target):
        source = cases.Cases(*target)
        fields = set().union(*map(source._fields, source.algorithms))
        seen = {name for case in islice(iter(source.draw, None), 1200) for name in case.settings}
        assert {name for name in fields if name not in source.exclusions} <= seen
        put_there = {
            "model",
            "dataset",
            "model_name_or_path",
            "dataset_name",
            "load_safetensors",
            *cases.SAFE[target[0]],
        }
        assert {name for name in seen & fields if name in source.exclusions} <= put_there
        assert source.excluded_draws > 0

    def test_values_of_every_sort_come_up(self, cases, target):
        values = [value for case in drawn(cases, target, 600) for value in case.settings.values()]
        assert {type(value) for value in values} == {type(None), bool, int, float, str, list, dict}
        assert any(type(value) is int and value < 0 for value in values)

    def test_a_case_comes_back_from_its_file(self, cases, target):
        for case in drawn(cases, target, 400):
            text = cases.text_of(case)
            assert yaml.safe_load(text) == case.settings or case.settings == {}
            assert list(yaml.safe_load(text)) == list(case.settings)

    def test_the_comment_says_what_the_file_cannot(self, cases, target):
        from grpo_lint.launch.comment_grammar import read_comment

        case = drawn(cases, target, 1)[0]
        comment = cases.text_of(case).splitlines()[0]
        facts, problems = read_comment(comment, 0)
        assert problems == []
        said = {name: fact.value for name, fact in facts.items()}
        assert (said["dialect"], said["version"], said["world_size"]) == (case.dialect, case.version, case.world_size)
        assert said.items() >= case.companions.items()
        assert (said.get("loader") == case.loader) == (case.dialect == "trl")


def test_every_exclusion_has_a_reason_and_meets_a_field(cases):
    known = {dialect: cases.Catalogue(dialect).module.FIELDS for dialect in ("trl", "swift", "megatron")}
    lines = [
        line
        for line in (CONFORMANCE / "excluded.txt").read_text(encoding="utf-8").splitlines()
        if line and line[0] != "#"
    ]
    for line in lines:
        scope, pattern, _, reason = line.split(None, 3)
        assert len(reason.split()) >= 3, line
        dialects = known if scope == "*" else [scope]
        expression = re.compile(pattern.partition("=")[0].replace("*", ".*") + "$")
        drawn = {"env", *cases.STRANGERS}.union(*(known[dialect] for dialect in dialects))
        assert any(map(expression.match, drawn)), line


@pytest.mark.parametrize("dialect", ["trl", "swift", "megatron"])
def test_of_every_key_some_value_is_asked(cases, dialect):
    exclusions = cases.Exclusions(dialect)
    for name in cases.Catalogue(dialect).module.FIELDS:
        assert not all(exclusions.excludes_value(name, value) for value in cases.ODD), name


# ---------------------------------------------------------------- provoking refusals

ARGUMENTS = """
class Arguments:
    def __post_init__(self):
        if self.strategy == IntervalStrategy.STEPS and self.steps == 0:
            raise ValueError("steps")
        self.other = self.unrelated
        supported = ["token", "sequence"]
        if self.liger:
            assert self.level in supported, "level"

    def check_teacher(self):
        if self.teacher is None:
            return
        names = [name for name in ("a", "b") if getattr(args, "weights", None)]
        if len(names) > 1:
            raise ValueError("names")
"""


class TestProvoking:
    @pytest.fixture
    def groups(self, programs, tmp_path):
        import provoking

        module = tmp_path / "trl" / "trainer" / "grpo_config.py"
        module.parent.mkdir(parents=True)
        module.write_text(ARGUMENTS, encoding="utf-8")
        return lambda names: provoking.groups("trl", tmp_path, frozenset(names.split()))

    def test_what_a_refusal_looks_at_belongs_together(self, groups):
        assert groups("strategy steps liger level teacher weights unrelated") == [
            {"strategy": ["steps"], "steps": [0, -1, 1, 0.5]},
            {"liger": [], "level": ["token", "sequence"]},
            {"teacher": [None], "weights": []},
        ]

    def test_settings_that_the_release_does_not_have_stay_out(self, groups):
        assert groups("liger steps") == [{"steps": [0, -1, 1, 0.5]}, {"liger": []}]

    def test_the_settings_of_a_group_meet_in_a_case(self, cases, tmp_path):
        module = tmp_path / "trl" / "trainer" / "grpo_config.py"
        module.parent.mkdir(parents=True)
        module.write_text(
            "def check(self):\n    if self.beta == 0.25 and self.log_unique_prompts:\n        raise ValueError\n",
            encoding="utf-8",
        )
        source = cases.Cases("trl", "1.16.0", "script", site_packages=tmp_path)
        met = [
            case
            for case in islice(iter(source.draw, None), 400)
            if {"beta": 0.25, "log_unique_prompts": True}.items() <= case.settings.items()
        ]
        assert len(met) > 5


# ---------------------------------------------------------------- comparing


def finding(code="GRPO203", severity="error", stage="config"):
    return SimpleNamespace(rule=SimpleNamespace(code=code, name="a-rule"), severity=severity, stage=stage, at=None)


def verdict(accepted, **more):
    return {"id": "x", "accepted": accepted, "stage": None if accepted else "config", "error_type": "ValueError",
            "error": None if accepted else "3 is no group", "derived": {}, **more}  # fmt: skip


def case_of(cases, dialect="trl", version="1.16.0", **settings):
    return cases.Case("x", dialect, version, "kwargs", "grpo", 2, settings)


def outcome(compare, case, answer, *findings, codes=()):
    return [
        (item.kind, item.false_alarm, item.miss) for item in compare.compare(case, answer, codes, lambda text: findings)
    ]


class TestComparison:
    @pytest.mark.parametrize(
        ("accepted", "findings", "expected"),
        [
            (True, [], ("start", False, False)),
            (True, [finding()], ("start", True, False)),
            (False, [finding()], ("start", False, False)),
            (False, [], ("start", False, True)),
            (False, [finding(severity="warning")], ("start", False, True)),
            (True, [finding(stage="run")], ("start", False, False)),
            (True, [finding(stage="init")], ("start", False, False)),
            (False, [finding(stage="read")], ("start", False, False)),
        ],
    )
    def test_an_error_before_the_start_counts_as_refused(self, cases, compare, accepted, findings, expected):
        assert outcome(compare, case_of(cases), verdict(accepted), *findings) == [expected]

    def test_the_start_of_the_trainer_counts_where_it_was_asked(self, cases, compare):
        late, option = finding(stage="init"), finding("GRPO501", stage="init")
        assert outcome(compare, case_of(cases, version="0.16.1"), verdict(True), late) == [("start", True, False)]
        assert outcome(compare, case_of(cases, version="0.16.1"), verdict(True), option) == [("start", False, False)]
        assert outcome(compare, case_of(cases, "swift", "4.6.0"), verdict(True), option) == [("start", True, False)]

    def test_codes_restrict_the_comparison(self, cases, compare):
        assert outcome(compare, case_of(cases), verdict(True), finding("GRPO501"), codes=("GRPO2",)) == [
            ("start", False, False)
        ]

    def test_megatron_is_followed_to_its_first_evaluation(self, cases, compare):
        case = case_of(cases, "megatron", "4.6.0")
        dies = finding(stage="run")
        fine = verdict(True, late={"rollout": None, "evaluation": None})
        assert outcome(compare, case, fine) == [(kind, False, False) for kind in ("start", "rollout", "evaluation")]
        assert outcome(compare, case, fine, dies)[1:] == [("rollout", True, False), ("evaluation", True, False)]
        dead = verdict(True, late={"rollout": "AssertionError", "evaluation": "AssertionError"})
        assert outcome(compare, case, dead) == [("start", False, False), ("rollout", False, True)]

    def test_the_trainer_may_refuse_early_what_we_expect_late(self, cases, compare):
        late, early = finding("GRPO507", stage="run"), finding("GRPO635", stage="init")
        made, refused = verdict(True, late={"trainer": None}), verdict(True, late={"trainer": "ValueError: no length"})
        assert outcome(compare, case_of(cases), made, late)[1:] == [("trainer", False, False)]
        assert outcome(compare, case_of(cases), made, early)[1:] == [("trainer", True, False)]
        assert outcome(compare, case_of(cases), refused, late)[1:] == [("trainer", False, False)]
        assert outcome(compare, case_of(cases), refused)[1:] == [("trainer", False, True)]

    def test_a_failure_of_the_linter_is_a_false_alarm(self, cases, compare):
        for answer in (verdict(True), verdict(False)):
            assert outcome(compare, case_of(cases), answer, compare.Crash(KeyError("x"))) == [("start", True, False)]

    def test_one_cause_makes_one_group(self, compare):
        first = compare.skeleton("argument --beta/--beta: invalid float value: 'abc'")
        assert (
            first
            == compare.skeleton("argument --top_p/--top-p: invalid float value: '[1]'")
            == "argument --...: invalid float value"
        )
        assert compare.skeleton("batch (12) must be divisible by 5") == compare.skeleton(
            "batch (7) must be divisible by 4"
        )


class TestSmallExamples:
    def test_only_what_makes_the_disagreement_stays(self, cases, compare):
        """A framework that refuses a and b together, and a linter that says nothing."""
        asked = []

        def ask(several):
            asked.append(len(several))
            return [verdict(not {"a", "b"} <= set(case.settings)) for case in several]

        case = case_of(cases, a=1, b=2, **dict.fromkeys("cdefgh", 0))
        example = next(compare.compare(case, verdict(False), (), lambda text: []))
        smallest = compare.minimise({"key": example}, ask, (), lambda text: [])["key"]
        assert smallest.case.settings == {"a": 1, "b": 2}
        assert smallest.miss and len(asked) <= 3

    def test_keys_that_only_go_one_by_one(self, cases, compare):
        """A framework that refuses as long as one of two keys is there."""

        def ask(several):
            return [verdict(not {"a", "b"} & set(case.settings)) for case in several]

        example = next(compare.compare(case_of(cases, a=1, b=2, c=3), verdict(False), (), lambda text: []))
        smallest = compare.minimise({"key": example}, ask, (), lambda text: [])["key"]
        assert len(smallest.case.settings) == 1


# ---------------------------------------------------------------- the command


class TestRun:
    @pytest.fixture
    def run(self, programs):
        return program("run")

    def test_targets(self, run):
        assert list(run.targets(["trl:1.16.0"])) == [("trl", "1.16.0", "kwargs"), ("trl", "1.16.0", "script")]
        assert list(run.targets(["trl:1.16.0:cli", "swift:4.6.0"])) == [
            ("trl", "1.16.0", "cli"),
            ("swift", "4.6.0", "cli"),
        ]
        for wrong in ("trl", "verl:1.0", "swift:4.6.0:kwargs"):
            with pytest.raises(SystemExit):
                list(run.targets([wrong]))

    def test_every_kept_release_is_a_target(self, run):
        targets = list(run.targets([]))
        assert {"trl", "swift", "megatron"} == {dialect for dialect, _, _ in targets}
        assert ("megatron", "3.8.3", "cli") not in targets

    def test_table_over_an_oracle_that_refuses_all(self, run, monkeypatch, capsys):
        monkeypatch.setattr(run, "ask", lambda dialect, version, directory, several: [verdict(False) for _ in several])
        monkeypatch.setattr(run, "installed", lambda *target: None)
        monkeypatch.setattr(sys, "argv", ["run", "--environments", "nowhere", "--cases", "30", "trl:1.16.0:script"])
        assert run.main() == 1
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].split(" | ")[2:6] == ["cases", "accepted", "false alarms", "misses"]
        cells = [cell.strip() for cell in lines[2].strip("|").split("|")]
        assert cells[:5] == ["trl 1.16.0", "script", "30", "0", "0"] and int(cells[5]) > 5


# ---------------------------------------------------------------- a new release


class TestNewRelease:
    @pytest.mark.parametrize("dialect", ["trl", "swift", "megatron"])
    def test_a_catalogue_taken_apart_and_put_together_is_the_same(self, new_release, dialect):
        path = new_release.module_path(dialect)
        form = new_release.catalogue.DIALECTS[dialect]
        dumps = new_release.dumps_of(new_release.load(path), form.groups)
        assert new_release.catalogue.module_text(dialect, form, dumps) == path.read_text(encoding="utf-8")

    def test_a_minor_is_added_and_a_patch_replaces(self, new_release):
        dumps = [{"release": "1.0.0"}, {"release": "1.1.0"}]
        assert [dump["release"] for dump in new_release.with_release(dumps, {"release": "1.2.0"})] == [
            "1.0.0",
            "1.1.0",
            "1.2.0",
        ]
        assert [dump["release"] for dump in new_release.with_release(dumps, {"release": "1.1.3"})] == ["1.0.0", "1.1.3"]
        assert new_release.before(dumps, "1.1.3")["release"] == "1.0.0"

    def test_a_refusal_whose_text_is_gone_is_to_be_looked_at(self, new_release, tmp_path, monkeypatch):
        witnesses = new_release.witnesses
        texts = [wording for _, wording in witnesses.refusing("verl", "0.9.1")]
        found = [each for each in texts if "larger than" in each or "must be divisible" in each]
        (tmp_path / "verl").mkdir()
        module = tmp_path / "verl" / "checks.py"
        monkeypatch.setattr(new_release, "place_of", lambda *_: tmp_path)
        module.write_text("".join(f"raise ValueError({each!r})\n" for each in texts))
        assert new_release.witness_report("verl", "0.9.1", tmp_path)[0] and len(found) > 3
        module.write_text(
            "".join(f"raise ValueError({each!r})\n" for each in texts if each != found[0]) + f"# {found[0]}\n"
        )
        is_well, lines = new_release.witness_report("verl", "0.9.1", tmp_path)
        assert not is_well and any(found[0] in line for line in lines)

    def test_changes_are_told_apart(self, new_release):
        old = {"a": ("int", 1), "b": ("str", "x", ("x", "y")), "cap_of_it": ("float", 2.0), "gone": ("dict", {})}
        new = {"a": ("int?", 2), "b": ("str", "x", ("x", "z")), "max_of_it": ("float", 2.0), "fresh": ("bool", False)}
        told = new_release.changes(old, new)
        assert told["Added"] == ["`fresh` (bool, default False)"]
        assert told["Removed"] == ["`gone`"]
        assert told["Perhaps renamed"] == ["`cap_of_it` to `max_of_it`"]
        assert told["Default changed"] == ["`a`: 1 to 2"]
        assert told["Type changed"] == ["`a`: int to int?"]
        assert told["Choices changed"] == ["`b`: +'z', -'y'"]

    def test_the_release_is_listed_for_the_next_generation(self, new_release, tmp_path):
        program = tmp_path / "catalogue.py"
        for package, release, expected in [
            ("trl", "1.17.0", '"1.16.0",\n        "1.17.0",'),
            ("ms-swift", "4.6.9", '"4.6.9",'),
        ]:
            program.write_text((CONFORMANCE / "catalogue.py").read_text(encoding="utf-8"), encoding="utf-8")
            new_release.list_release(package, release, program)
            assert expected in program.read_text(encoding="utf-8")
            compile(program.read_text(encoding="utf-8"), "catalogue.py", "exec")


def commit_and_tag(folder, version, texts):
    """Write files into a repository, commit them and tag the commit as a release."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    commands = (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", version], ["tag", f"v{version}"])
    for words in commands:
        subprocess.run(["git", "-C", folder, *words], check=True)


class TestAReleaseOfEasyR1:
    """Its releases are tags of a repository: here of one with as much code as is read for the catalogue."""

    CONFIG = (
        "from dataclasses import dataclass, field\nfrom typing import Optional\n\n\n"
        "@dataclass\nclass DataConfig:\n    rollout_batch_size: int = {size}\n    seed: Optional[int] = None\n{more}\n\n"
        "@dataclass\nclass PPOConfig:\n    data: DataConfig = field(default_factory=DataConfig)\n"
        "    full: int = field(default=0, init=False)\n"
    )

    def released(self, folder, version, **values):
        """Commit a release and tag it."""
        texts = {"__init__.py": f'__version__ = "{version}"\n', "trainer/config.py": self.CONFIG.format(**values)}
        texts |= {f"workers/{name}/config.py": "" for name in ("actor", "critic", "reward", "rollout")}
        commit_and_tag(folder, version, {f"verl/{name}": text for name, text in texts.items()})

    @pytest.fixture
    def upstream(self, tmp_path):
        folder = tmp_path / "upstream"
        folder.mkdir()
        self.released(folder, "9.0.0", size=512, more="    old: bool = False\n")
        return folder

    @pytest.fixture
    def family(self, programs, upstream, monkeypatch):
        import family

        monkeypatch.setitem(family.REPOSITORIES, "easyr1", str(upstream))
        monkeypatch.setattr(family, "python", lambda directory: sys.executable)
        return family

    def test_a_tag_that_is_newer_than_the_clone_is_fetched(self, family, upstream, tmp_path):
        family.source("easyr1", "9.0.0", tmp_path)
        self.released(upstream, "9.1.0", size=1024, more="")
        assert family.newest("easyr1") == "9.1.0"
        told = (family.source("easyr1", "9.1.0", tmp_path) / "verl" / "__init__.py").read_text(encoding="utf-8")
        assert "9.1.0" in told

    def test_it_is_taken_in(self, family, new_release, upstream, tmp_path):
        self.released(upstream, "9.1.0", size=1024, more="    fresh: float = 0.5\n")
        written = tmp_path / "catalogue.py"
        told = family.take_in("easyr1", "9.1.0", tmp_path, new_release.changes, ["9.0.0"], written)
        assert told[0] == "## Fields of easyr1, 9.0.0 to 9.1.0"
        assert "- `data.fresh` (float, default 0.5)" in told and "- `data.old`" in told
        assert "- `data.rollout_batch_size`: 512 to 1024" in told
        found = {}
        exec(written.read_text(encoding="utf-8"), found)
        assert found["RELEASES"] == ("9.0.0", "9.1.0")
        assert found["FIELDS"]["data.seed"] == (("easyr1", 0, 1, "int?", None),)
        assert found["AUTOMATIC"] == {"full"}


class TestAReleaseOfNeMoRL:
    """Its releases are tags of a repository: here of one with as much of classes and examples as is read for the catalogue."""

    CLASSES = (
        "from typing import NotRequired, TypedDict\nfrom nemo_rl.models.policy import PolicyConfig\n\n\n"
        "class GRPOConfig(TypedDict):\n    num_prompts_per_step: int\n{more}\n\n"
        "class MasterConfig(TypedDict):\n    policy: PolicyConfig\n    grpo: GRPOConfig\n"
    )
    POLICY = (
        "from typing import TypedDict\n\n\nclass PolicyConfig(TypedDict):\n    precision: str\n    lr: float | None\n"
    )
    USUAL = (
        "grpo:\n  num_prompts_per_step: {size}\npolicy:\n  precision: bfloat16\n  lr: 5e-6\n"
        "cluster:\n  gpus_per_node: 1\n  num_nodes: 1\n"
    )
    LARGER = "defaults: grpo_math_1B.yaml\npolicy:\n  precision: float32\ncluster:\n  gpus_per_node: 8\n"

    def released(self, folder, version, size, more="", usual=""):
        """Commit a release and tag it; `usual`: more settings below `grpo` of its usual example."""
        texts = {
            "nemo_rl/algorithms/grpo.py": self.CLASSES.format(more=more),
            "nemo_rl/models/policy/__init__.py": self.POLICY,
            "examples/configs/grpo_math_1B.yaml": self.USUAL.format(size=size).replace("policy:", f"{usual}policy:"),
            "examples/configs/grpo_math_8B.yaml": self.LARGER,
        }
        commit_and_tag(folder, version, texts)

    def test_it_is_taken_in(self, programs, new_release, tmp_path, monkeypatch):
        import family

        folder = tmp_path / "upstream"
        self.released(folder, "9.0.0", 32, "    old: NotRequired[bool]\n", usual="  old_lr: ${policy.lr}\n")
        self.released(folder, "9.1.0", 64, "    fresh: NotRequired[int | None]\n")
        monkeypatch.setitem(family.REPOSITORIES, "nemo-rl", str(folder))
        monkeypatch.setattr(family, "python", lambda directory: sys.executable)
        assert family.newest("nemo-rl") == "9.1.0" and "nemo-rl" in family.TAKEN_IN
        written = tmp_path / "catalogue.py"
        told = family.take_in("nemo-rl", "9.1.0", tmp_path, new_release.changes, ["9.0.0"], written)
        assert told[0] == "## Fields of nemo-rl, 9.0.0 to 9.1.0"
        assert "- `grpo.fresh` (int?, default None)" in told and "- `grpo.old`" in told
        assert "- `grpo.num_prompts_per_step`: 32 to 64" in told
        found = {}
        exec(written.read_text(encoding="utf-8"), found)
        assert found["RELEASES"] == ("9.0.0", "9.1.0")
        assert found["GPUS"] == {"grpo_math_1B": (1, 1), "grpo_math_8B": (8, 1)}
        assert found["REFERRED"] == {"policy.lr": (("grpo.old_lr", (9, 0), (9, 1)),)}
        exec((tmp_path / "declared.py").read_text(encoding="utf-8"), found)
        assert found["KINDS"] == {} and found["SWITCHED"] == ()  # its classes are no models of pydantic
        assert found["FIELDS"]["policy.lr"] == (("1B 8B", 0, 1, "float?", 5e-06), ("declared", 0, 1, "float?", None))
        assert found["FIELDS"]["policy.precision"][:2] == (
            ("1B", 0, 1, "str", "bfloat16"),
            ("8B", 0, 1, "str", "float32"),
        )

    def test_what_its_annotations_take_is_written_by_release(self, programs, tmp_path):
        """Only of releases that hand their config to pydantic, which `kinds_of` asks in a process of its own."""
        import family

        declared = family.module("nemo-rl", "declared")
        self.released(tmp_path, "9.0.0", 32)
        path = tmp_path / "nemo_rl" / "algorithms" / "grpo.py"
        assert not declared.asks_pydantic(tmp_path) and family.kinds_of("9.0.0", tmp_path, tmp_path) is None
        path.write_text(path.read_text().replace("MasterConfig(TypedDict)", "MasterConfig(BaseModel)"))
        assert declared.asks_pydantic(tmp_path)
        found = {}
        releases = {
            "9.1.0": {"a": "int", "b": "str", "d": "'x'|'y'"},
            "9.2.0": {"a": "int|null", "c": "bool", "d": "'x'|'y'"},
        }
        told = {release: {"kinds": kinds, "switched": ["a"]} for release, kinds in releases.items()}
        exec(declared.module_text(told), found)
        assert found["KINDS"] == {
            "a": (((9, 1), "int"), ((9, 2), "int|null")),
            "b": (((9, 1), "str"), ((9, 2), "any")),
            "c": (((9, 2), "bool"),),
            "d": (((9, 1), "'x'|'y'"),),
        }
        assert found["SWITCHED"] == ("a",)


def test_of_each_release_that_is_taken_in_the_texts_are_looked_up(programs):
    import family
    import witnesses

    assert {*family.TAKEN_IN} <= witnesses.DIALECTS.keys()


def test_what_refuses_elsewhere_is_named():
    """Each row says what refuses it; a row that is gone leaves no line."""
    lines = (
        (Path(__file__).resolve().parents[1] / "conformance" / "elsewhere.txt").read_text(encoding="utf-8").splitlines()
    )
    rows = {f"{name} {row.rule}" for name in NAMES for row in framework(name).refusals.enforcement.rows}
    causes = {line.partition(": ")[2] for line in lines}
    assert lines == sorted(lines) and {line.partition(": ")[0] for line in lines} <= rows
    assert causes <= {
        "transformers",
        "torch",
        "vLLM",
        "peft",
        "datasets",
        "pydantic",
        "DeepSpeed",
        "numpy",
        "Megatron-Core",
        "OmegaConf",
        "Python",
        "no text",
    }


def test_what_is_proposed_holds_as_it_is_written():
    """A config and a command for random wishes, also for those of which only the nearest can be had."""
    drawn_runs = program("drawn_runs.py")
    found = drawn_runs.wishes(24, seed=7)
    assert [(drawn_runs.shown(wish), path, wrong) for wish, path, _, wrong in drawn_runs.disagreements(found)] == []
    broken = (
        "# grpo-lint: dialect=trl version=1.16.0 world-size=3\nper_device_train_batch_size: 1\nnum_generations: 8\n"
    )
    assert any("GRPO203" in each for each in drawn_runs.what_check_says("config.yaml", broken))
    assert any("unexpected EOF" in each for each in drawn_runs.what_check_says("run.sh", 'python3 train.py "$@\n'))


def test_what_is_proposed_can_be_carried_over():
    """What check says of a result is said, what vanishes is named, and bash reads it."""
    drawn_runs = program("drawn_runs.py")
    found = drawn_runs.carried_over(drawn_runs.wishes(16, seed=3), ("trl", "verl", "slime"))
    assert [(drawn_runs.shown(wish), target, wrong) for wish, target, _, wrong in found] == []
