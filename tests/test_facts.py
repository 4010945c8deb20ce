"""Run facts: names, values, versions and the comment."""

from pathlib import Path

import pytest

from grpo_lint.frameworks.companions import COMPANIONS
from grpo_lint.frameworks.versions import BadVersion, resolve_version, version_key
from grpo_lint.launch.comment_grammar import comment_verb, read_comment
from grpo_lint.launch.facts import BY_OPTION, FACTS, BadFact, parse_fact


def values(comment):
    facts, problems = read_comment(comment, 0)
    assert problems == []
    return {name: fact.value for name, fact in facts.items()}


def underlined(comment, start_offset=0):
    """The words that a comment's problems point at, with their messages."""
    _, problems = read_comment(comment, start_offset)
    return [(comment[span.start - start_offset : span.end - start_offset], message) for span, message in problems]


class TestOneFact:
    @pytest.mark.parametrize(
        ("name", "text", "value"),
        [
            ("dialect", "swift", "swift"),
            ("dialect", "Megatron", "megatron"),
            ("algorithm", "gspo", "gspo"),
            ("loader", "cli", "cli"),
            ("world-size", "8", 8),
            ("world_size", 8, 8),
            ("visible-devices", "4", 4),
            ("eval-dataset-size", "0", 0),
            ("version", "1.16", "1.16"),
            ("version", "v1.16.0", "1.16.0"),
            ("version", "3.4.1.post1", "3.4.1.post1"),
            ("version", "4.0.0.dev0", "4.0.0.dev0"),
            ("version", "1.0.0rc1", "1.0.0rc1"),
            ("version", "latest", "latest"),
            ("transformers", "4.57.1", "4.57.1"),
        ],
    )
    def test_is_read(self, name, text, value):
        assert parse_fact(name, text) == value

    @pytest.mark.parametrize(
        ("name", "text", "expected"),
        [
            ("dialect", "trll", "did you mean 'trl'?"),
            ("dialect", "ms-swift", "did you mean 'swift'?"),
            ("algorithm", "ppo", "algorithm is one of grpo, gspo, rloo, not 'ppo'"),
            ("world-sise", "8", "did you mean 'world-size'?"),
            ("num-processes", "8", "did you mean 'world-size'?"),
            ("world-size", "0", "whole number greater than 0"),
            ("world-size", "-8", "whole number greater than 0"),
            ("world-size", "8.0", "whole number greater than 0"),
            ("world-size", "eight", "whole number greater than 0"),
            ("world-size", "٨", "whole number greater than 0"),
            ("world-size", True, "whole number greater than 0"),
            ("world-size", "9" * 5000, "whole number greater than 0"),
            ("visible-devices", "0,1,2", "give their number"),
            ("eval-dataset-size", "-1", "0 or greater"),
            ("version", ">=1.16", "version is a release such as"),
            ("version", "1.16.*", "version is a release such as"),
            ("version", "", "version is a release such as"),
            ("version", 1.1, "needs quotes"),
            ("version", ["1.16"], "not a list"),
        ],
    )
    def test_is_refused_in_words_that_help(self, name, text, expected):
        with pytest.raises(BadFact) as refused:
            parse_fact(name, text)
        assert expected in str(refused.value)

    def test_message_carries_no_control_characters_and_no_novel(self):
        with pytest.raises(BadFact) as refused:
            parse_fact("dialect", "\x1b[31m" + "x" * 10_000)
        assert "\x1b" not in str(refused.value)
        assert len(str(refused.value)) < 200

    def test_zero_rows_are_right_only_for_the_evaluation(self):
        assert parse_fact("eval-dataset-size", 0) == 0
        with pytest.raises(BadFact):
            parse_fact("dataset-size", 0)


class TestVersions:
    def test_order_is_that_of_the_releases(self):
        ordered = ["0.9.6", "0.14.0", "1.0.0.dev0", "1.0.0a2", "1.0.0b1", "1.0.0rc1.dev1", "1.0.0rc1", "1.0.0rc2",
                   "1.0.0", "1.0.0.post1.dev1", "1.0.0.post1", "1.0.1", "1.9.0", "1.10.0"]  # fmt: skip
        assert sorted(ordered, key=version_key) == ordered
        assert len({version_key(text) for text in ordered}) == len(ordered)

    def test_missing_zeros_and_local_parts_do_not_count(self):
        assert version_key("1.16") == version_key("1.16.0") == version_key("v1.16.0+cu126")

    def test_what_is_no_version_is_refused(self):
        with pytest.raises(BadVersion):
            version_key("latest")

    RELEASES = ("1.16.0", "1.9.2", "1.16.1", "1.17.0rc1", "3.4.1", "3.4.1.post1", "4.0.0", "4.1.0.dev0")

    @pytest.mark.parametrize(
        ("text", "release"),
        [
            ("1.16", "1.16.1"),
            ("1", "1.16.1"),
            ("3.4", "3.4.1.post1"),
            ("1.17", "1.17.0rc1"),
            ("1.16.0", "1.16.0"),
            ("1.16.7", "1.16.7"),
            ("3.4.1", "3.4.1"),
            ("1.99", "1.99"),
            ("1.1", "1.1"),
            ("latest", "4.0.0"),
        ],
    )
    def test_minor_means_its_last_patch(self, text, release):
        assert resolve_version(text, self.RELEASES) == release

    def test_without_known_releases_everything_stays_itself(self):
        assert resolve_version("latest", ()) == "latest"
        assert resolve_version("1.16", ()) == "1.16"


class TestComment:
    def test_of_the_design(self):
        assert values("# grpo-lint: dialect=trl version=1.16.0 world-size=8 algorithm=rloo dataset-size=8000") == {
            "dialect": "trl",
            "version": "1.16.0",
            "world_size": 8,
            "algorithm": "rloo",
            "dataset_size": 8000,
        }

    @pytest.mark.parametrize(
        "comment",
        [
            "#grpo-lint:world-size=8,version=1.16",
            "# grpo-lint: world-size=8, version=1.16",
            "## GRPO-Lint : world_size=8 , version=v1.16",
            "# grpo-lint: world-size = 8 version = 1.16",
            "# grpo-lint: world-size='8' version=\"1.16\"",
            "# grpo-lint: world-size=8 version=1.16  # two nodes of four",
            "# kept for the cluster # grpo-lint: world-size=8 version=1.16",
            "# grpo-lint world-size=8 version=1.16",
            "# grpo-lint: world-size=8 version=1.16\r",
        ],
    )
    def test_is_read_however_it_is_spaced(self, comment):
        assert values(comment) == {"world_size": 8, "version": "1.16"}

    @pytest.mark.parametrize(
        "comment",
        [
            "# nothing for us",
            "# see grpo-lint: it checks",
            "# write `# grpo-lint: world-size=8` here",
            "# grpo-linter: x=1",
            "# grpo-lint is a linter",
            "# grpo-lint:",
            "# grpo-lint:   ",
        ],
    )
    def test_of_others_is_left_alone(self, comment):
        assert read_comment(comment, 0) == ({}, [])

    @pytest.mark.parametrize(
        ("comment", "verb"),
        [
            ("# grpo-lint: world-size=8", "facts"),
            ("# grpo-lint: ignore[GRPO203] on purpose", "ignore"),
            ("# grpo-lint: ignore", "ignore"),
            ("# grpo-lint: ignore-file[GRPO203]", "ignore-file"),
            ("# grpo-lint: expect completions_per_update=512", "expect"),
            ("# grpo-lint: igonre[GRPO203]", "facts"),
            ("# only prose", None),
        ],
    )
    def test_verb(self, comment, verb):
        assert comment_verb(comment) == verb

    @pytest.mark.parametrize("verb", ["ignore[GRPO203] world-size=8", "ignore-file[GRPO203]", "expect world-size=8"])
    def test_other_verbs_hold_no_facts(self, verb):
        assert read_comment(f"# grpo-lint: {verb}", 0) == ({}, [])

    def test_facts_know_their_place_in_the_file(self):
        facts, _ = read_comment("# grpo-lint: dialect=trl world-size=8", 100)
        assert facts["world_size"].source == "comment"
        assert facts["world_size"].where == (None, 125, 137)

    @pytest.mark.parametrize(
        ("comment", "word", "message"),
        [
            ("# grpo-lint: wrld-size=8", "wrld-size", "did you mean 'world-size'?"),
            ("# grpo-lint: world-size=many", "many", "whole number"),
            ("# grpo-lint: world-size='0'", "'0'", "whole number"),
            ("# grpo-lint: version=", "version", "release such as"),
            ("# grpo-lint: visible-devices=0,1,2", "0,1,2", "give their number"),
            ("# grpo-lint: igonre[GRPO203]", "igonre[GRPO203]", "did you mean 'ignore'?"),
            ("# grpo-lint: world-size=8 world-size=4", "world-size=4", "given twice; 8 counts"),
            ("# grpo-lint: this file is for eight cards", "this", "is not a fact"),
        ],
    )
    def test_mistake_is_underlined_once(self, comment, word, message):
        ((found, text),) = underlined(comment, start_offset=40)
        assert found == word
        assert message in text

    def test_mistake_does_not_spoil_its_neighbours(self):
        facts, problems = read_comment("# grpo-lint: dialect=trl wrld-size=8 version=1.16", 0)
        assert sorted(facts) == ["dialect", "version"]
        assert len(problems) == 1

    def test_same_fact_twice_in_agreement_is_no_mistake(self):
        assert values("# grpo-lint: world-size=8 world_size=8") == {"world_size": 8}

    def test_problems_of_a_hostile_comment_are_bounded(self):
        assert len(underlined("# grpo-lint: " + "a=1 " * 5000)) <= 10


def test_a_fact_has_one_name_in_the_code():
    """What people write stands in `BY_OPTION` alone: a module that spells it itself has a second dictionary."""
    import grpo_lint

    package = Path(grpo_lint.__file__).parent
    written = [f'"{option}"' for option, fact in BY_OPTION.items() if option != fact]
    spelt = {
        path.name: option
        for path in package.rglob("*.py")
        for option in written
        if option in path.read_text(encoding="utf-8")
    }
    assert written and spelt.pop("facts.py") and spelt == {}  # facts.py: names that people borrow from elsewhere
    assert all(fact.isidentifier() or fact in COMPANIONS for fact in FACTS)


@pytest.mark.parametrize(
    "name, text, value", [("parameters", "7.6B", 7_600_000_000), ("parameters", "500m", 500_000_000), ("parameters", 7_615_616_512, 7_615_616_512),
                          ("gpu-memory", 80, 80), ("gpu-memory", "80GB", 80), ("gpu-memory", "24 GiB", 24)],
)  # fmt: skip
def test_sizes_with_their_units(name, text, value):
    assert parse_fact(name, text) == value


@pytest.mark.parametrize(
    "name, text", [("parameters", "7.6"), ("parameters", 7), ("parameters", "7.6T"), ("parameters", "B"), ("parameters", "-7B"), ("parameters", True),
                   ("parameters", "9" * 400 + "B"), ("gpu-memory", "0"), ("gpu-memory", "A100"), ("gpu-memory", "80MB"), ("gpu-memory", None), ("gpu-memory", "1e3")],
)  # fmt: skip
def test_what_is_no_size(name, text):
    with pytest.raises(BadFact):
        parse_fact(name, text)
