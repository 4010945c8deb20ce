"""The JSON Schemas: valid, complete, up to date, usable by other tools, and of one mind with `check`."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from conftest import config, counted, lint_text
from grpo_lint.cli.main import main
from grpo_lint.frameworks.descriptions import describe
from grpo_lint.frameworks.registry import NAMES, SHIPPED_SCHEMAS, framework, meanings
from grpo_lint.frameworks.schema import META, NoSchema, as_text, file_name, schema_of
from grpo_lint.frameworks.trl.runtime_failures import LOOKED_AT

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "schemas"
GOOD = ROOT / "examples" / "good"

RELEASES = [
    (name, release, algorithm)
    for name, algorithm in SHIPPED_SCHEMAS
    for release in framework(name).catalogue.releases
    if not framework(name).reader.configs.nested
    if algorithm == "grpo" or tuple(map(int, release.split(".")[:2])) >= (0, 22)
]
NEWEST = {name: framework(name).catalogue.releases[-1] for name, _ in SHIPPED_SCHEMAS}

# Settings that every release takes.
PLAIN = {
    "trl": {"model_name_or_path": "m", "dataset_name": "d", "num_generations": 8, "learning_rate": "1e-6", "beta": 0.04,
            "per_device_train_batch_size": 8, "max_steps": "100", "bf16": False, "report_to": "none", "env": {"A": 1}},
    "swift": {"rlhf_type": "grpo", "model": "m", "dataset": ["d#100"], "num_generations": 8, "learning_rate": "1e-6",
              "max_steps": "100", "deepspeed": {"a": 1}, "reward_funcs": "accuracy", "bf16": "Yes"},
    "megatron": {"rlhf_type": "grpo", "model": "m", "dataset": "d", "num_generations": 8, "lr": "1e-6",
                 "micro_batch_size": "1", "global_batch_size": 16, "sequence_parallel": "true"},
}  # fmt: skip


def validator(*which, **how):
    return Draft202012Validator(schema_of(*which, **how))


def refused(schema, settings):
    """The keys that a schema refuses: for their value, or because it does not know them."""
    keys = set()
    for error in schema.iter_errors(settings):
        if error.validator == "additionalProperties" and not error.path:
            keys |= settings.keys() - schema.schema["properties"].keys()
        else:
            keys.add(error.path[0])
    return keys


# --- the schemas themselves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, release, algorithm", RELEASES)
class TestEveryRelease:
    @pytest.mark.slow
    def test_is_valid(self, name, release, algorithm):
        schema = schema_of(name, release, algorithm)
        assert schema["$schema"] == META
        Draft202012Validator.check_schema(schema)
        Draft7Validator.check_schema(schema)  # older editors read every schema as this draft

    def test_accepts_plain_settings(self, name, release, algorithm):
        assert refused(validator(name, release, algorithm), PLAIN[name]) == set()

    def test_knows_exactly_the_fields_of_the_release(self, name, release, algorithm):
        properties = schema_of(name, release, algorithm)["properties"]
        catalogue = framework(name).catalogue
        groups = framework(name).reader.trainer.groups(algorithm, "script")
        index = catalogue.releases.index(release)
        fields = {field for field, spans in catalogue.rows.items() if catalogue.known(field, groups) >> index & 1}
        launch = {
            "env",
            "num_processes",
            "accelerate_config",
            "ENV",
            "train",
            "rollout",
            "teacher",
            "colocate_groups",
            "nnodes",
        }
        assert fields <= properties.keys() <= fields | launch

    def test_every_property_is_explained_and_its_default_accepted(self, name, release, algorithm):
        schema = validator(name, release, algorithm)
        for key, described in schema.schema["properties"].items():
            assert described["title"].startswith(f"{key}: ") and described["description"]
        defaults = {key: value["default"] for key, value in schema.schema["properties"].items() if "default" in value}
        assert refused(schema, defaults) == set() and len(defaults) > 50


def test_nothing_is_deprecated_in_a_newest_release_and_what_is_gone_is_in_an_older_one():
    for name, algorithm in SHIPPED_SCHEMAS:
        assert not [
            key for key, value in schema_of(name, algorithm=algorithm)["properties"].items() if "deprecated" in value
        ]
    old = schema_of("trl", "0.27")["properties"]
    assert (
        old["max_prompt_length"]["deprecated"] is True
        and "Gone from TRL 0.28." in old["max_prompt_length"]["description"]
    )


FLAT = [  # of those that read files
    name for name in NAMES if not framework(name).reader.configs.nested and (name, "grpo") in SHIPPED_SCHEMAS
]


def fields_of(name):
    """The fields of the newest release that stand in a file."""
    catalogue, groups = framework(name).catalogue, framework(name).reader.trainer.groups("grpo", "script")
    return catalogue.fields(groups, len(catalogue.releases) - 1)


@pytest.mark.parametrize("name", FLAT)
def test_every_field_of_every_release_has_a_meaning(name):
    """In words of ours, as one line of whole sentences."""
    for field in framework(name).catalogue.rows:
        told = describe(name, field)
        assert (
            told.endswith((".", ".)"))
            and (told[0].isupper() or told[:4] in ("4-bi", "8-bi", "vLLM", "acce"))
            and "\n" not in told
            and len(told) < 200
        ), (
            field,
            told,
        )


@pytest.mark.parametrize("name", FLAT)
def test_what_an_unset_field_becomes_is_told(name):
    fields = fields_of(name)
    untold = [field for field in fields.names() if fields[field].default is None]
    assert not [
        field for field in untold if "nset" not in describe(name, field) and "not set" not in describe(name, field)
    ]


OF_HYDRA = {"defaults", "hydra", "hydra.searchpath", "*._target_"}  # what a file may hold besides settings


def test_every_meaning_is_of_a_field():
    of_frameworks = {name: meanings(name).TABLES for name in NAMES}
    tables = {id(table): table for tables in of_frameworks.values() for table in tables}
    for number, table in tables.items():
        owners = [name for name, own in of_frameworks.items() if any(id(each) == number for each in own)]
        known = set().union(*(framework(owner).catalogue.names() for owner in owners))
        parts = [name.split(".") for name in known]
        ends = {
            "*." + ".".join(each[start:end])
            for each in parts
            for end in range(2, len(each) + 1)
            for start in range(1, end)
        }
        sections = {".".join(each[:end]) for each in parts for end in range(1, len(each))}
        assert table.keys() <= known | sections | ends | OF_HYDRA, table.keys() - known - sections - ends


def test_what_has_a_pattern_says_in_words_what_it_wants():
    for name, algorithm in SHIPPED_SCHEMAS:
        schema = schema_of(name, algorithm=algorithm)
        for key, described in {**schema["properties"], **schema["$defs"]}.items():
            assert (
                described is True
                or "pattern" not in described
                or key == "reference"
                or described["errorMessage"].startswith("This has to be")
            ), key


def test_releases_are_told_by_their_minor():
    """Of each minor one patch was read, and it need not be the first."""
    for name in FLAT:
        told = json.dumps(schema_of(name)["properties"])
        assert "Since" in told and not re.search(r"Since [\w-]+ \d+\.\d+\.\d", told)


@pytest.mark.parametrize("name", FLAT)
def test_what_is_offered_is_taken(name):
    """Names that a release knows: `check` finds nothing about them, and the schema takes them."""
    schema = validator(name)
    offered = {key: value["examples"] for key, value in schema.schema["properties"].items() if "examples" in value}
    assert {"reward_funcs"} <= offered.keys() or name == "trl"
    for key, names in offered.items():
        for each in names:
            assert (
                refused(schema, {**PLAIN[name], key: each}) == set()
                or refused(schema, {**PLAIN[name], key: [each]}) == set()
            )


def test_identifiers_differ():
    nested = [
        (name, release)
        for name in NAMES
        for release in framework(name).catalogue.releases
        if framework(name).reader.configs.nested
    ]
    schemas = [schema_of(*which) for which in (*RELEASES, *nested)] + [
        schema_of("trl", loader=loader) for loader in ("cli", "kwargs")
    ]
    assert len({schema["$id"] for schema in schemas}) == len(schemas)


@pytest.mark.parametrize("name, algorithm", SHIPPED_SCHEMAS)
def test_the_shipped_schema_is_up_to_date(name, algorithm):
    """`python -m pages.schemas schemas` writes them again."""
    committed = (SCHEMAS / file_name(name, algorithm)).read_text(encoding="utf-8")
    assert committed == as_text(schema_of(name, algorithm=algorithm))
    assert json.loads(committed)["$id"].endswith(f"/schemas/{file_name(name, algorithm)}")


def test_no_other_schema_is_shipped():
    ours = {path.name for path in SCHEMAS.iterdir() if path.name.startswith(NAMES)}
    assert ours == {file_name(*shipped) for shipped in SHIPPED_SCHEMAS}


# --- what they say --------------------------------------------------------------------------------------------------


class TestTrl:
    def test_texts_are_converted_by_the_type_of_their_key(self):
        texts = {
            "learning_rate": "1e-6",
            "num_generations": "8",
            "max_steps": " -1 ",
            "use_vllm": "Yes",
            "top_p": "nan",
        }
        assert refused(validator("trl"), texts) == set()
        wrong = {"learning_rate": "fast", "num_generations": "8.0", "max_steps": "", "use_vllm": "on", "top_p": "1,0"}
        assert refused(validator("trl"), wrong) == wrong.keys()

    def test_other_values_are_taken_as_they_are(self):
        wrong = {
            "num_generations": 8.5,
            "reward_weights": 1.0,
            "learning_rate": [1e-6],
            "reward_funcs": "accuracy",
            "output_dir": 5,
        }
        assert refused(validator("trl"), wrong) == wrong.keys()

    def test_null_only_where_the_class_allows_it(self):
        assert refused(validator("trl"), {"generation_batch_size": None, "max_steps": None}) == {"max_steps"}

    def test_an_unquoted_no_is_no_strategy(self):
        assert refused(validator("trl"), {"eval_strategy": False, "save_strategy": "no"}) == {"eval_strategy"}

    @pytest.mark.parametrize(
        "release, expected", [("0.18", False), ("0.19", True), ("0.21", True), ("0.22", False), ("1.16", False)]
    )
    def test_unknown_keys_follow_the_script(self, release, expected):
        assert bool(refused(validator("trl", release), {"foo_bar": 1})) == expected

    def test_keyword_arguments_are_strict(self):
        schema = validator("trl", loader="kwargs")
        assert refused(schema, {"foo_bar": 1, "learning_rate": "1e-6", "env": {}, "num_generations": 8}) == {
            "foo_bar",
            "learning_rate",
            "env",
        }

    @pytest.mark.parametrize("release, expected", [("0.28", False), ("0.29", True)])
    def test_launch_keys(self, release, expected):
        properties = schema_of("trl", release)["properties"]
        assert "env" in properties
        assert ("num_processes" in properties, "accelerate_config" in properties) == (expected, expected)


@pytest.mark.parametrize("name", ["swift", "megatron"])
class TestMsSwift:
    def test_every_value_becomes_a_text(self, name):
        good = {
            "num_generations": "8",
            "beta": "1e-3",
            "use_vllm": "NO",
            "model": 7,
            "reward_funcs": "accuracy",
            "max_length": [512],
        }
        assert refused(validator(name), good) == set()

    def test_what_no_text_can_say_is_refused(self, name):
        wrong = {
            "num_generations": 8.5,
            "beta": True,
            "use_vllm": 2,
            "max_length": [1, 2],
            "dataset": [],
            "num_iterations": {},
        }
        assert refused(validator(name), wrong) == wrong.keys()

    def test_null_is_refused_except_where_none_is_a_choice(self, name):
        nulls = {"num_generations": None, "model": None, "val_dataset": None, "truncation_strategy": None}
        assert refused(validator(name), nulls) == nulls.keys() - {"truncation_strategy"}

    @pytest.mark.parametrize("release, expected", [("4.5", True), ("4.6", False)])
    def test_numbers_in_lists(self, name, release, expected):
        schema = validator(name, release)
        assert bool(refused(schema, {"reward_weights": [0.5, 0.5]})) == expected
        assert not refused(schema, {"reward_weights": ["0.5", "0.5"]})

    def test_unknown_keys_are_refused_and_so_are_beginnings(self, name):
        assert refused(validator(name), {"foo_bar": 1, "num_gen": 8}) == {"foo_bar", "num_gen"}

    @pytest.mark.parametrize("release, expected", [("4.0", True), ("4.1", False)])
    def test_environment(self, name, release, expected):
        assert bool(refused(validator(name, release), {"ENV": {"NPROC_PER_NODE": 8}})) == expected


def test_sections_of_the_ray_layout():
    layout = {
        "train": {"gpus": 4, "tensor_model_parallel_size": 2},
        "rollout": {"gpus": 4},
        "colocate_groups": [["train", "rollout"]],
    }
    assert refused(validator("megatron"), layout) == set()
    assert refused(validator("megatron", "4.2"), layout) == layout.keys()
    for section, value, wrong in (("train", {"gpus": "many"}, True), ("train", {"foo_bar": 1}, True), ("rollout", {"gpus": "many"}, True),
                                  ("rollout", {"foo_bar": 1}, False), ("teacher", {"foo_bar": 1}, False)):  # fmt: skip
        assert bool(refused(validator("megatron"), {section: value})) == wrong, (section, value)


@pytest.mark.parametrize(
    "which",
    [("trl", "0.13"), ("trl", "soon"), ("trl", "0.21", "rloo"), ("swift", "latest", "rloo"), ("megatron", "3.8")],
)
def test_a_schema_that_cannot_be_had(which):
    with pytest.raises(NoSchema):
        schema_of(*which)


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_writes_a_schema(capsys):
    assert main(["schema", "trl@0.22", "--algorithm", "rloo"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["title"] == "TRL 0.22.2: config of a RLOO run" and "rloo_k" in schema["properties"]


@pytest.mark.parametrize(
    "words", [[], ["tlr"], ["trl", "swift"], ["trl@x"], ["swift", "--algorithm", "rloo"], ["trl", "--loader", "x"]]
)
def test_a_command_that_cannot_be_obeyed(words, capsys):
    assert main(["schema", *words]) == 2
    ended = capsys.readouterr()
    assert not ended.out and ended.err.startswith("grpo-lint: ") and ended.err.count("\n") == 1


# --- other tools ----------------------------------------------------------------------------------------------------


def check_jsonschema(*words):
    return subprocess.run([sys.executable, "-m", "check_jsonschema", *map(str, words)], text=True, capture_output=True)


@pytest.mark.slow
@pytest.mark.parametrize("name, algorithm", SHIPPED_SCHEMAS)
def test_check_jsonschema_accepts_the_schemas(name, algorithm):
    ended = check_jsonschema("--check-metaschema", SCHEMAS / file_name(name, algorithm))
    assert ended.returncode == 0, ended.stdout + ended.stderr


EXAMPLES = [
    ("trl-grpo", "trl-grpo-7-gpus.yaml"),
    ("trl-rloo", "trl-rloo.yaml"),
    ("swift-grpo", "swift-grpo.yaml"),
    ("megatron-grpo", "megatron-gspo-8-gpus.yaml"),
    ("megatron-grpo", "megatron-ray.yaml"),
]


@pytest.mark.slow
@pytest.mark.parametrize("schema, example", EXAMPLES)
def test_check_jsonschema_accepts_the_good_examples(schema, example):
    ended = check_jsonschema("--schemafile", SCHEMAS / f"{schema}.schema.json", GOOD / example)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_check_jsonschema_names_the_key(tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("rlhf_type: grpo\nnum_generations: many\n", encoding="utf-8")
    ended = check_jsonschema("--schemafile", SCHEMAS / "swift-grpo.schema.json", wrong)
    assert ended.returncode == 1 and "num_generations" in ended.stdout


# --- of one mind with `check` ---------------------------------------------------------------------------------------

# What PyYAML may load. Whole floats are left out: JSON cannot tell 8.0 from 8.
VALUES = [
    None, True, False, 0, 1, 2, -1, 8.5, 1e-7, "7", "x", "true", "no", "YES", "1e-6", "1.5", "none", "None", " 7 ", "1_0", ".5",
    [], ["a"], ["a", "b"], ["1"], ["1", "2"], [1], [1, 2], [0.5], [True], {}, {"a": 1}, "auto", "steps",
]  # fmt: skip
# Keys with a meaning for the file as a whole; debug, which TRL's parser reads in a way of its own; and the old name of
# eval_strategy, which overwrites it.
APART = {"ignore_args_error", "env", "ENV", "train", "rollout", "teacher", "colocate_groups", "nnodes", "num_processes",
         "accelerate_config", "evaluation_strategy"}  # fmt: skip
# A list of one choice is as good as the choice itself, for the parser and for `check`; the schemas do not say so.
ONE_CHOICE = {"sleep_level", "quant_bits"}
UNKNOWN = ["foo_bar", "rollout_batch_sizes", "num_generation_x"]

ON_FLAGS = [(name, release) for name, release in [("swift", "3.12.6"), ("swift", "4.5.3"), ("swift", "4.6.0"), ("megatron", "3.11.3"),
            ("megatron", "4.3.2"), ("megatron", "4.6.0")]]  # fmt: skip
ON_KEYWORDS = [("trl", release) for release in ("0.16.1", "0.20.0", "0.22.2", "1.0.0", "1.16.0")]


def reported(name, release, settings, *severities):
    """The keys about which a rule on names, types or versions speaks."""
    report = lint_text(config(settings, dialect=name, version=release, loader="script"))
    return {
        finding.at.name
        for finding in report.findings
        if finding.rule.code.startswith("GRPO1")
        and finding.severity in severities
        and finding.at is not None
        and not is_beyond_a_schema(finding)
    }


def is_beyond_a_schema(finding):
    """Whether a warning is about what a schema does not say: what a release sets in the place of a value, and numbers that are no names."""
    problem = str(finding.values.get("problem", ""))
    is_no_name = problem.endswith(("a name or a path belongs", "the name of a file belongs"))
    return finding.severity == "warning" and (finding.rule.name == "value-is-kept" or is_no_name)


def disagreements(name, release):
    """({(key, value): the schema alone refuses it}, {(key, value): `check` alone reports it}) over all fields and
    values."""
    schema = validator(name, release)
    keys = schema.schema["properties"].keys() - APART - ({"debug"} if name == "trl" else set())
    ours, theirs = [], []
    for value in VALUES:
        settings = dict.fromkeys(sorted(keys), value)
        by_schema, by_rules = refused(schema, settings), reported(name, release, settings, "error", "warning")
        apart = ONE_CHOICE if value in ([1], ["1"]) else set()
        ours += [(key, value) for key in sorted(by_schema - by_rules - apart)]
        theirs += [(key, value) for key in sorted(by_rules - by_schema - apart)]
    counted.append(
        f"schema and check, {name} {release}: {len(keys) * len(VALUES)} values, {len(ours)} + {len(theirs)} disagreements"
    )
    return ours, theirs


@pytest.mark.slow
@pytest.mark.parametrize("name, release", ON_FLAGS)
def test_what_check_reports_of_a_flag_the_schema_refuses_and_the_other_way_round(name, release):
    assert disagreements(name, release) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("name, release", ON_KEYWORDS)
def test_what_check_reports_of_a_keyword_the_schema_refuses(name, release):
    # what a value does after the parser and the class took it, the schemas do not say
    alone = [(key, value) for key, value in disagreements(name, release)[1] if not (value is None or key in LOOKED_AT)]
    assert alone == []


@pytest.mark.slow
@pytest.mark.parametrize("name, release", ON_KEYWORDS)
def test_what_the_schema_refuses_of_a_keyword_check_reports(name, release):
    # of this null a rule tells, for transformers decides about it; 0 and 1 are false and true to the class, and not to an annotation
    known = [("max_grad_norm", None), ("scale_rewards", 0), ("scale_rewards", 1)]
    # null is as off as false, which these are by default
    properties = validator(name, release).schema["properties"]
    known += [(key, None) for key, field in properties.items() if field.get("default") is False]
    assert [each for each in disagreements(name, release)[0] if each not in known] == []


@pytest.mark.parametrize("name, release", [*ON_FLAGS, *ON_KEYWORDS])
def test_every_choice_is_accepted_by_both(name, release):
    schema = validator(name, release)
    choices = {key: value["enum"] for key, value in schema.schema["properties"].items() if "enum" in value}
    for place in range(max(map(len, choices.values()))):
        settings = {key: values[place] for key, values in choices.items() if place < len(values)}
        assert refused(schema, settings) == set()
        written = {key: value for key, value in settings.items() if value is not None}
        assert reported(name, release, written, "error", "warning") == set()


@pytest.mark.parametrize("name, release", [*ON_FLAGS, *ON_KEYWORDS])
@pytest.mark.parametrize("key", UNKNOWN)
def test_unknown_keys_are_errors_exactly_where_the_schema_refuses_them(name, release, key):
    """Keys that are passed over in silence get a warning from `check`, which a schema does not have."""
    settings = {**PLAIN[name], key: 1}
    assert (key in refused(validator(name, release), settings)) == (key in reported(name, release, settings, "error"))
