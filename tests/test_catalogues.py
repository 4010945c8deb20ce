"""The generated field catalogues: well formed, and true to what the frameworks are known for."""

import ast
import re
from pathlib import Path

import pytest

from grpo_lint.frameworks.registry import catalogue_module, framework
from grpo_lint.plan.formula import VOCABULARY

GROUPS = {
    "trl": {"grpo", "rloo", "script", "model", "mixture"},
    "swift": {"swift"},
    "megatron": {"megatron"},
}
PLAIN = "(bool|int|float|str|dict|any)"
TYPE = re.compile(rf"({PLAIN}|list\[{PLAIN}(\|{PLAIN})*\])(\|({PLAIN}|list\[{PLAIN}(\|{PLAIN})*\]))*\??")


def catalogue(dialect):
    return catalogue_module(dialect)


def release_key(release):
    return tuple(int(number) for number in re.findall(r"\d+", release))


def known(dialect, name, group, release):
    """(type, default, choices or None) of a field in one release, or None where the release does not know it."""
    module = catalogue(dialect)
    index = module.RELEASES.index(release)
    for groups, first, last, kind, default, *choices in module.FIELDS.get(name, ()):
        if group in groups.split() and first <= index <= last:
            return kind, default, choices[0] if choices else None
    return None


def life(dialect, name, group):
    """The releases that know a field, as the first and the last of them."""
    releases = [release for release in catalogue(dialect).RELEASES if known(dialect, name, group, release)]
    return (releases[0], releases[-1]) if releases else None


def default(dialect, name, group, release):
    return known(dialect, name, group, release)[1]


def minors_between(dialect, first, last):
    return [
        release
        for release in catalogue(dialect).RELEASES
        if release_key(first) <= release_key(release) <= release_key(last)
    ]


# ---------------------------------------------------------------- form


@pytest.mark.parametrize("dialect", GROUPS)
def test_the_module_holds_only_literals(dialect):
    tree = ast.parse(Path(catalogue(dialect).__file__).read_text(encoding="utf-8"))
    docstring, *assignments = tree.body
    assert isinstance(docstring, ast.Expr) and "Generated" in docstring.value.value
    assert [(node.target if isinstance(node, ast.AnnAssign) else node.targets[0]).id for node in assignments] == [
        "RELEASES",
        "COMPANIONS",
        "REQUIRED",
        "FIELDS",
    ]
    for node in assignments:
        ast.literal_eval(node.value)


@pytest.mark.parametrize("dialect", GROUPS)
def test_releases_are_one_per_minor_and_in_order(dialect):
    module = catalogue(dialect)
    keys = [release_key(release) for release in module.RELEASES]
    assert keys == sorted(keys)
    assert len({key[:2] for key in keys}) == len(keys)
    assert len(module.COMPANIONS) == len(module.RELEASES)
    for companions in module.COMPANIONS:
        assert "transformers" in companions
        assert all(release_key(release) for release in companions.values())


@pytest.mark.parametrize("dialect", GROUPS)
def test_spans_are_in_range_in_order_and_do_not_overlap(dialect):
    module = catalogue(dialect)
    assert list(module.FIELDS) == sorted(module.FIELDS)
    for name, spans in module.FIELDS.items():
        assert spans, name
        taken = set()
        firsts = []
        for groups, first, last, *_ in spans:
            assert 0 <= first <= last < len(module.RELEASES), name
            assert set(groups.split()) <= GROUPS[dialect], name
            firsts.append(first)
            places = {(group, index) for group in groups.split() for index in range(first, last + 1)}
            assert not places & taken, name
            taken |= places
        assert firsts == sorted(firsts), name


@pytest.mark.parametrize("dialect", GROUPS)
def test_neighbouring_spans_of_a_group_differ(dialect):
    for name, spans in catalogue(dialect).FIELDS.items():
        previous = {}
        for groups, first, last, *description in spans:
            for group in groups.split():
                if group in previous:
                    end, before = previous[group]
                    assert end + 1 < first or repr(before) != repr(description), name
                previous[group] = last, description


@pytest.mark.parametrize("dialect", GROUPS)
def test_types_are_of_the_vocabulary(dialect):
    for name, spans in catalogue(dialect).FIELDS.items():
        for _, _, _, kind, *_ in spans:
            assert TYPE.fullmatch(kind), (name, kind)


def fits(value, kind):
    """Whether a declared default has the declared type; frameworks write 1 for 1.0, and 0.0 for a list of numbers."""
    if value is None:
        return kind.endswith("?")
    if isinstance(value, list):
        return "list[" in kind
    accepted = {bool: {"bool"}, int: {"int", "float"}, float: {"float"}, str: {"str"}, dict: {"dict"}}[type(value)]
    return bool(set(re.findall(r"\w+", kind)) & (accepted | {"any"}))


@pytest.mark.parametrize("dialect", GROUPS)
def test_defaults_fit_their_types_and_choices(dialect):
    module = catalogue(dialect)
    for name, spans in module.FIELDS.items():
        for _, _, _, kind, value, *choices in spans:
            if value == module.REQUIRED:
                continue
            assert fits(value, kind), (name, kind, value)
            if choices and value is not None:
                assert value in choices[0], name


@pytest.mark.parametrize("dialect", GROUPS)
def test_nothing_of_the_generating_machine_got_in(dialect):
    text = Path(catalogue(dialect).__file__).read_text(encoding="utf-8")
    assert not re.search(r'"/(home|root|tmp|usr|var|work|mnt)\b', text)
    assert " at 0x" not in text


# ---------------------------------------------------------------- facts: TRL


def test_trl_releases():
    releases = catalogue("trl").RELEASES
    assert releases[0] == "0.14.0"
    assert {"0.16.1", "0.18.2", "1.0.0", "1.16.0"} <= set(releases)


def test_trl_beta_fell_to_zero_with_0_19():
    for release in catalogue("trl").RELEASES:
        expected = 0.04 if release_key(release) < (0, 19) else 0.0
        assert default("trl", "beta", "grpo", release) == expected
    assert default("trl", "beta", "rloo", "1.16.0") == 0.05


def test_trl_group_sizes():
    for release in catalogue("trl").RELEASES:
        assert default("trl", "num_generations", "grpo", release) == 8
    assert default("trl", "num_generations", "rloo", "1.16.0") == 2


def test_trl_rollout_size_can_be_set_since_0_18():
    assert life("trl", "steps_per_generation", "grpo") == ("0.18.2", "1.16.0")
    assert life("trl", "generation_batch_size", "grpo") == ("0.18.2", "1.16.0")


def test_trl_max_prompt_length_left_with_0_28():
    assert life("trl", "max_prompt_length", "grpo") == ("0.14.0", "0.27.2")


def test_trl_new_rloo_begins_with_0_22():
    assert life("trl", "num_generations", "rloo") == ("0.22.2", "1.16.0")
    assert life("trl", "datasets", "mixture") == ("0.22.2", "1.16.0")


def test_trl_output_dir_was_required_by_older_transformers():
    assert default("trl", "output_dir", "grpo", "0.14.0") == catalogue("trl").REQUIRED
    assert default("trl", "output_dir", "grpo", "1.16.0") is None


def test_trl_scale_rewards_became_a_word():
    assert known("trl", "scale_rewards", "grpo", "0.20.0")[0] == "bool"
    assert known("trl", "scale_rewards", "grpo", "1.16.0")[:2] == ("str", "group")


def test_trl_parser_enforces_choices_of_transformers_only():
    assert known("trl", "eval_strategy", "grpo", "1.16.0")[2] == ("no", "steps", "epoch")
    assert known("trl", "loss_type", "grpo", "1.16.0")[2] is None


# ---------------------------------------------------------------- facts: ms-swift and Megatron-SWIFT


def test_swift_renamed_train_type_with_4_0():
    # 4.0 itself still takes the old name, to pass it on
    assert life("swift", "train_type", "swift") == ("3.1.1.post1", "4.0.4")
    assert life("swift", "tuner_type", "swift") == ("4.0.4", "4.6.0")
    assert default("swift", "train_type", "swift", "4.0.4") is None
    assert default("swift", "tuner_type", "swift", "4.6.0") == "lora"


def test_swift_rollout_size_can_be_set_since_3_5():
    assert life("swift", "steps_per_generation", "swift") == ("3.5.3", "4.6.0")
    assert life("swift", "generation_batch_size", "swift") == ("3.5.3", "4.6.0")


def test_swift_offers_loss_types_as_a_list_since_3_7():
    for release in minors_between("swift", "3.7.3", "4.6.0"):
        assert known("swift", "loss_type", "swift", release)[0] == "list[str]?"


def test_swift_validation_split_is_off_since_3_6():
    assert default("swift", "split_dataset_ratio", "swift", "3.5.3") == 0.01
    assert default("swift", "split_dataset_ratio", "swift", "3.6.4") == 0.0


def test_swift_parser_enforces_choices():
    assert set(known("swift", "vllm_mode", "swift", "4.6.0")[2]) == {"server", "colocate"}
    assert "grpo" in known("swift", "rlhf_type", "swift", "3.1.1.post1")[2]


def test_megatron_begins_with_3_11():
    assert catalogue("megatron").RELEASES[0] == "3.11.3"
    assert set(catalogue("megatron").RELEASES) < set(catalogue("swift").RELEASES)
    assert "grpo" in known("megatron", "rlhf_type", "megatron", "3.11.3")[2]


def test_megatron_counts_batches_its_own_way():
    assert life("megatron", "per_device_train_batch_size", "megatron") is None
    assert default("megatron", "micro_batch_size", "megatron", "4.6.0") == 1
    assert default("megatron", "global_batch_size", "megatron", "4.6.0") == 16


def test_megatron_took_over_the_names_of_swift_with_4_0():
    assert life("megatron", "max_epochs", "megatron") == ("3.11.3", "3.12.6")
    assert life("megatron", "num_train_epochs", "megatron") == ("4.0.4", "4.6.0")
    assert life("megatron", "save", "megatron") == ("3.11.3", "3.12.6")
    assert life("megatron", "output_dir", "megatron") == ("4.0.4", "4.6.0")


@pytest.mark.parametrize("dialect", sorted(GROUPS))
def test_what_a_release_replaces_is_said_in_settings_of_that_release(dialect):
    """Written by `conformance/replaced`; a name that is neither a field nor a word of formulas would be read as null."""
    found = framework(dialect)
    table = __import__(found.refusals.replaced_in, fromlist=["REPLACED"]).REPLACED
    assert found.refusals.may_replace == table.keys()
    groups = found.reader.trainer.groups("grpo", "script")
    for setting, rows in table.items():
        for first, last, text in rows:
            names = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
            for border in (first, last or release_key(catalogue(dialect).RELEASES[-1])):
                fields = found.catalogue.fields(groups, found.catalogue.release_index(border))
                unknown = {name for name in (setting, *names) if fields[name] is None}
                assert unknown <= {"unknown", *VOCABULARY}, (setting, border)
