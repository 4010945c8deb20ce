"""Settings files: which one counts, what it says, what is wrong with it."""

import pytest

from grpo_lint.settings import files as module, reading
from grpo_lint.settings.files import settings_for


@pytest.fixture(autouse=True)
def fresh():
    module.forget()
    yield
    module.forget()


@pytest.fixture
def repository(tmp_path):
    (tmp_path / ".git").mkdir()
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def facts(path):
    return {name: fact.value for name, fact in settings_for(path).facts_for(path).items()}


class TestWhichFileCounts:
    def test_pyproject_above_the_file(self, repository):
        source = write(repository / "pyproject.toml", '[project]\nname = "x"\n[tool.grpo-lint]\nversion = "1.16.0"\n')
        config = repository / "recipes" / "small" / "grpo.yaml"
        settings = settings_for(str(config))
        fact = settings.facts_for(str(config))["version"]
        assert (fact.value, fact.source, fact.where) == ("1.16.0", "settings", (str(source), None, None))
        assert (settings.source, settings.root, settings.problems) == (str(source), str(repository), [])

    @pytest.mark.parametrize("name", [".grpo-lint.toml", "grpo-lint.toml"])
    @pytest.mark.parametrize("header", ["", "[tool.grpo-lint]\n"])
    def test_dedicated_file_with_and_without_the_long_name(self, repository, name, header):
        write(repository / name, header + "world-size = 8\n")
        assert facts(repository / "grpo.yaml") == {"world_size": 8}

    def test_dedicated_file_goes_before_pyproject(self, repository):
        write(repository / "pyproject.toml", "[tool.grpo-lint]\nworld-size = 4\n")
        write(repository / "grpo-lint.toml", "world-size = 6\n")
        write(repository / ".grpo-lint.toml", "world-size = 8\n")
        assert facts(repository / "grpo.yaml") == {"world_size": 8}

    def test_nearest_file_wins_alone(self, repository):
        write(repository / ".grpo-lint.toml", 'world-size = 8\ndialect = "trl"\n')
        write(repository / "recipes" / ".grpo-lint.toml", "world-size = 2\n")
        assert facts(repository / "recipes" / "deep" / "grpo.yaml") == {"world_size": 2}
        assert facts(repository / "grpo.yaml") == {"world_size": 8, "dialect": "trl"}

    @pytest.mark.parametrize(
        "text", ['[project]\nname = "inner"\n', "# [tool.grpo-lint] comes later\n", "not toml at all ]]"]
    )
    def test_pyproject_without_our_table_is_passed_over(self, repository, text):
        write(repository / ".grpo-lint.toml", "world-size = 8\n")
        write(repository / "package" / "pyproject.toml", text)
        assert facts(repository / "package" / "grpo.yaml") == {"world_size": 8}

    def test_search_ends_at_the_repository(self, tmp_path):
        write(tmp_path / ".grpo-lint.toml", "world-size = 8\n")
        (tmp_path / "inner" / ".git").mkdir(parents=True)
        assert settings_for(tmp_path / "inner" / "grpo.yaml").source is None
        assert facts(tmp_path / "grpo.yaml") == {"world_size": 8}

    def test_settings_of_the_repository_root_itself_count(self, repository):
        write(repository / ".grpo-lint.toml", "world-size = 8\n")
        assert facts(repository / "grpo.yaml") == {"world_size": 8}

    def test_standard_input_belongs_to_the_working_directory(self, repository, monkeypatch):
        write(repository / ".grpo-lint.toml", "world-size = 8\n")
        monkeypatch.chdir(repository)
        assert facts("-") == {"world_size": 8}

    def test_folder_of_that_name_is_no_settings_file(self, repository):
        (repository / ".grpo-lint.toml").mkdir()
        assert settings_for(repository / "grpo.yaml").problems == []

    def test_two_thousand_files_cost_one_look_up(self, repository, monkeypatch):
        write(repository / ".grpo-lint.toml", "world-size = 8\n")
        opened = []
        monkeypatch.setattr(
            module, "_settings_in", lambda folder, real=module._settings_in: opened.append(folder) or real(folder)
        )
        found = {id(settings_for(repository / "a" / f"{number}.yaml")) for number in range(2000)}
        assert len(found) == 1
        assert opened == [str(repository / "a"), str(repository)]

    def test_toml_reader_is_loaded_only_for_our_table(self, repository, monkeypatch):
        monkeypatch.setattr(reading, "_parse", lambda *_: pytest.fail("parsed"))
        write(repository / "pyproject.toml", '[project]\ndependencies = ["grpo-lint"]\n')
        assert settings_for(repository / "grpo.yaml").source is None


class TestOverrides:
    TEXT = """
    world-size = 8
    version = "1.16"

    [[overrides]]
    paths = ["recipes/small/**", "*_tiny.yaml"]
    world-size = 1

    [[overrides]]
    paths = ["recipes/small/old"]
    version = "0.17.0"
    """

    def test_are_applied_in_order_over_the_base(self, repository):
        write(repository / ".grpo-lint.toml", self.TEXT)
        assert settings_for(repository / "x.yaml").problems == []
        assert facts(repository / "recipes" / "big.yaml") == {"world_size": 8, "version": "1.16"}
        assert facts(repository / "recipes" / "big_tiny.yaml") == {"world_size": 1, "version": "1.16"}
        assert facts(repository / "recipes" / "small" / "a.yaml") == {"world_size": 1, "version": "1.16"}
        assert facts(repository / "recipes" / "small" / "old" / "a.yaml") == {"world_size": 1, "version": "0.17.0"}

    def test_under_the_long_name(self, repository):
        text = '[tool.grpo-lint]\n[[tool.grpo-lint.overrides]]\npaths = ["a.yaml"]\nalgorithm = "rloo"\n'
        write(repository / "pyproject.toml", text)
        assert facts(repository / "a.yaml") == {"algorithm": "rloo"}
        assert facts(repository / "b.yaml") == {}

    def test_later_override_wins(self, repository):
        text = '[[overrides]]\npaths = ["*.yaml"]\nworld-size = 2\n[[overrides]]\npaths = ["a*"]\nworld-size = 4\n'
        write(repository / ".grpo-lint.toml", text)
        assert facts(repository / "a.yaml") == {"world_size": 4}
        assert facts(repository / "b.yaml") == {"world_size": 2}


class TestOtherKeys:
    def test_exclude_and_fail_on(self, repository):
        write(repository / ".grpo-lint.toml", 'exclude = ["vendor", "configs/old/*.yaml"]\nfail-on = "error"\n')
        settings = settings_for(repository / "grpo.yaml")
        assert settings.fail_on == "error"
        assert settings.excludes(repository / "a" / "vendor" / "b.yaml")
        assert settings.excludes(repository / "configs" / "old" / "b.yaml")
        assert not settings.excludes(repository / "configs" / "b.yaml")

    def test_absent_keys(self, repository):
        settings = settings_for(repository / "grpo.yaml")
        assert settings.fail_on is None
        assert not settings.excludes(repository / "grpo.yaml")


class TestProblems:
    def only(self, repository, text, name=".grpo-lint.toml"):
        path = write(repository / name, text)
        (problem,) = settings_for(repository / "grpo.yaml").problems
        assert problem.path == str(path)
        return problem

    @pytest.mark.parametrize(
        ("text", "line", "key", "message"),
        [
            ('dialect = "trl"\nwrld-size = 8\n', 2, "wrld-size", "did you mean 'world-size'?"),
            ("exlude = []\n", 1, "exlude", "did you mean 'exclude'?"),
            ('framework-version = "1.16"\n', 1, "framework-version", "did you mean 'version'?"),
            ("\nworld-size = 0\n", 2, "world-size", "whole number greater than 0"),
            ("version = 1.16\n", 1, "version", "needs quotes"),
            ('fail-on = "warn"\n', 1, "fail-on", "did you mean 'warning'?"),
            ("fail-on = 3\n", 1, "fail-on", "one of error, warning, info"),
            ('exclude = "vendor"\n', 1, "exclude", "list of patterns"),
            ("exclude = [1]\n", 1, "exclude", "list of patterns"),
            ("[overrides]\nworld-size = 8\n", 1, "overrides", "[[tool.grpo-lint.overrides]]"),
            ("[[overrides]]\nworld-size = 8\n", 1, "overrides[1]", "no paths"),
            ('[[overrides]]\npaths = ["a"]\ndialekt = "trl"\n', 3, "overrides[1].dialekt", "did you mean 'dialect'?"),
            (
                '[[overrides]]\npaths = ["a"]\ndialect = "x"\n',
                3,
                "overrides[1].dialect",
                "overrides[1].dialect is one of",
            ),
            ('[[overrides]]\npaths = "a"\n', 2, "overrides[1].paths", "list of patterns"),
            ("[tool]\ngrpo-lint = 3\n", None, "tool.grpo-lint", "must be a table"),
        ],
    )
    def test_has_file_line_key_and_hint(self, repository, text, line, key, message):
        problem = self.only(repository, text)
        assert (problem.line, problem.key) == (line, key)
        assert message in problem.message

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("world-size = 8\nversion = \n", 2),
            ('version = "1.16', 1),
            ("a = 1\n\na = 2\n", 3),
            (b"dialect = 'trl'\n# \xff\n", 2),
            ("a = " + "9" * 5000, None),
            ("a = " + "[" * 100_000, None),
        ],
    )
    def test_broken_toml_is_one_problem_and_no_traceback(self, repository, text, line):
        problem = self.only(repository, text)
        assert "is not TOML" in problem.message
        assert problem.line == line
        assert str(problem).startswith(problem.path)

    def test_broken_pyproject_speaks_only_when_it_holds_our_table(self, repository):
        assert self.only(repository, "[tool.grpo-lint]\nversion = \n", "pyproject.toml").line == 2

    def test_broken_file_does_not_hand_over_to_its_parent(self, repository):
        write(repository / ".grpo-lint.toml", "world-size = 8\n")
        write(repository / "a" / ".grpo-lint.toml", "world-size = \n")
        assert facts(repository / "a" / "grpo.yaml") == {}

    def test_mistake_does_not_spoil_its_neighbours(self, repository):
        write(repository / ".grpo-lint.toml", "wrld-size = 8\nprocesses-per-node = 4\n")
        assert facts(repository / "grpo.yaml") == {"processes_per_node": 4}

    def test_file_that_cannot_be_read(self, repository, monkeypatch):
        path = write(repository / ".grpo-lint.toml", "world-size = 8\n")

        def refuse(*_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("grpo_lint.files.disk.read", refuse)
        (problem,) = settings_for(repository / "grpo.yaml").problems
        assert str(problem) == f"{path}: cannot be read: Permission denied"

    def test_number_of_problems_is_bounded(self, repository):
        write(repository / ".grpo-lint.toml", "".join(f"key{number} = 1\n" for number in range(5000)))
        assert len(settings_for(repository / "grpo.yaml").problems) <= 20

    def test_windows_editor_leaves_a_mark(self, repository):
        write(repository / ".grpo-lint.toml", b"\xef\xbb\xbfworld-size = 8\r\n")
        assert facts(repository / "grpo.yaml") == {"world_size": 8}
