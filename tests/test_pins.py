"""Exact releases that a repository pins."""

import pytest

from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.launch import pin_formats, pins as module
from grpo_lint.launch.pins import pin_of, pins_for
from grpo_lint.report.messages import message


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


def versions(folder):
    return {package: pin.version for package, pin in pins_for(str(folder / "grpo.yaml")).items()}


class TestRequirements:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("trl==1.16.0", {"trl": "1.16.0"}),
            ("trl===1.16.0", {"trl": "1.16.0"}),
            ("  trl == 1.16.0  # pinned", {"trl": "1.16.0"}),
            ("trl[vllm,peft]==1.16.0", {"trl": "1.16.0"}),
            ("trl [vllm] == 1.16.0", {"trl": "1.16.0"}),
            ("trl (==1.16.0)", {"trl": "1.16.0"}),
            ("TRL==v1.16.0", {"trl": "1.16.0"}),
            ("trl==1.16.0; python_version >= '3.10'", {"trl": "1.16.0"}),
            ("trl==1.16.0 \\\n    --hash=sha256:0123abcd", {"trl": "1.16.0"}),
            ("trl==1.16.0 --hash=sha256:0123abcd", {"trl": "1.16.0"}),
            ("trl==1.16.0,<2", {"trl": "1.16.0"}),
            ("trl==1.16", {"trl": "1.16.0"}),
            ("trl==1", {"trl": "1.0.0"}),
            ("trl==1.16.0.1", {"trl": "1.16.0.1"}),
            ("trl==1.16.0rc1", {"trl": "1.16.0rc1"}),
            ("transformers==4.57.1+cu126", {"transformers": "4.57.1"}),
            ("ms_swift==3.4.1.post1", {"ms-swift": "3.4.1.post1"}),
            ("MS-Swift[all]==3.9.0", {"ms-swift": "3.9.0"}),
            ("ms.swift==3.9.0", {"ms-swift": "3.9.0"}),
            (
                "vllm==0.10.2 ; sys_platform == 'linux'\nLiger_Kernel==0.6.4",
                {"vllm": "0.10.2", "liger-kernel": "0.6.4"},
            ),
            ("vllm-ascend==0.9.1", {}),
            ("trl==1.16.0\r\ntransformers==4.57.1\r", {"trl": "1.16.0", "transformers": "4.57.1"}),
            ("trl>=1.16.0", {}),
            ("trl~=1.16.0", {}),
            ("trl<=1.16.0", {}),
            ("trl!=1.16.0", {}),
            ("trl==1.*", {}),
            ("trl==1.16.*", {}),
            ("trl==${TRL_VERSION}", {}),
            ("trl==latest", {}),
            ("trl", {}),
            ("# trl==1.16.0", {}),
            ("trl @ git+https://example.org/trl.git@v1.16.0", {}),
            ("git+https://example.org/trl.git@v1.16.0#egg=trl==1.16.0", {}),
            ("trl @ https://example.org/trl-1.16.0-py3-none-any.whl", {}),
            ("-e ./trl", {}),
            ("trl-extras==1.16.0", {}),
            ("my-trl==1.16.0", {}),
            ("sentence-transformers==5.1.0", {}),
            ("swift==2.30.0", {}),
        ],
    )
    def test_line(self, repository, line, expected):
        write(repository / "requirements.txt", f"accelerate==1.10.0\n{line}\nnumpy\n")
        assert versions(repository) == expected

    @pytest.mark.parametrize(
        "name",
        [
            "requirements.txt",
            "requirements-dev.txt",
            "requirements_train.txt",
            "requirements/base.txt",
            "constraints.txt",
            "constraints-cuda.txt",
        ],
    )
    def test_file_names(self, repository, name):
        path = write(repository / name, "numpy\ntrl==1.16.0\n")
        pin = pins_for(repository / "grpo.yaml")["trl"]
        assert (pin.version, pin.path, pin.line) == ("1.16.0", str(path), 2)

    @pytest.mark.parametrize("name", ["notes.txt", "requirements.md", "old/requirements.txt", "requirements/readme.md"])
    def test_other_files_do_not_count(self, repository, name):
        write(repository / name, "trl==1.16.0\n")
        assert versions(repository) == {}

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
    def test_windows_encodings(self, repository, encoding):
        write(repository / "requirements.txt", "trl==1.16.0\r\n".encode(encoding))
        assert versions(repository) == {"trl": "1.16.0"}

    def test_not_text_at_all(self, repository):
        write(repository / "requirements.txt", b"\xff\x00trl\x80 \ntrl==1.16.0\n\xc3")
        assert versions(repository) == {"trl": "1.16.0"}


PYPROJECT = """
[project]
name = "recipes"
dependencies = [
    "accelerate>=1.0",
    "trl[vllm]==1.16.0; python_version >= '3.10'",
    # "transformers==4.40.0",
    "ms-swift>=3.9",
]

[project.optional-dependencies]
new = ['transformers == 4.57.1']
"""


class TestPyproject:
    def test_dependencies(self, repository):
        path = write(repository / "pyproject.toml", PYPROJECT)
        assert versions(repository) == {"trl": "1.16.0", "transformers": "4.57.1"}
        pin = pins_for(repository / "grpo.yaml")["trl"]
        assert (pin.path, pin.line) == (str(path), 6)

    def test_dependency_groups(self, repository):
        write(repository / "pyproject.toml", '[dependency-groups]\ntrain = ["ms-swift==3.9.0", "trl==0.23.1"]\n')
        assert versions(repository) == {"ms-swift": "3.9.0", "trl": "0.23.1"}

    def test_extras_that_disagree_pin_nothing(self, repository):
        text = '[project.optional-dependencies]\nold = ["trl==0.14.0"]\nnew = ["trl==1.16.0"]\n'
        write(repository / "pyproject.toml", text)
        assert versions(repository) == {}

    def test_git_dependency(self, repository):
        write(repository / "pyproject.toml", '[project]\ndependencies = ["trl @ git+https://example.org/trl@v1.0.0"]\n')
        assert versions(repository) == {}

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('[tool.poetry.dependencies]\ntrl = "1.16.0"\n', {"trl": "1.16.0"}),
            ('[tool.poetry.dependencies]\ntrl = "==1.16.0"\n', {"trl": "1.16.0"}),
            ('[tool.poetry.dependencies]\ntrl = {version = "1.16.0", extras = ["vllm"]}\n', {"trl": "1.16.0"}),
            ('[tool.poetry.dependencies]\ntrl = {extras = ["vllm"], version = "1.16.0"}\n', {"trl": "1.16.0"}),
            ('[tool.poetry.dependencies.trl]\nextras = ["vllm"]\nversion = "1.16.0"\n', {"trl": "1.16.0"}),
            ('[tool.poetry.group.train.dependencies]\nms_swift = "3.9.0"\n', {"ms-swift": "3.9.0"}),
            ('[tool.poetry.dev-dependencies]\ntrl = "1.16.0"\n', {"trl": "1.16.0"}),
            ('[tool.poetry.dependencies]\ntrl = "^1.16.0"\n', {}),
            ('[tool.poetry.dependencies]\ntrl = "~1.16.0"\n', {}),
            ('[tool.poetry.dependencies]\ntrl = ">=1.16.0"\n', {}),
            ('[tool.poetry.dependencies]\ntrl = "*"\n', {}),
            ('[tool.poetry.dependencies]\ntrl = "1.*"\n', {}),
            ('[tool.poetry.dependencies]\ntrl = {git = "https://example.org/trl.git", tag = "v1.16.0"}\n', {}),
            ('[tool.poetry.dependencies]\nnumpy = "2"\n[tool.mine]\ntrl = "1.16.0"\n', {}),
            ('[tool.grpo-lint]\ntransformers = "4.57.1"\n', {}),
        ],
    )
    def test_poetry(self, repository, text, expected):
        write(repository / "pyproject.toml", text)
        assert versions(repository) == expected


UV_LOCK = """version = 1
requires-python = ">=3.10"

[[package]]
name = "accelerate"
version = "1.10.0"
source = { registry = "https://example.org/simple" }
dependencies = [
    { name = "transformers" },
]

[[package]]
name = "trl"
version = "1.16.0"
source = { registry = "https://example.org/simple" }
sdist = { url = "https://example.org/trl-1.16.0.tar.gz", hash = "sha256:00", size = 1 }

[[package]]
name = "trlx"
version = "0.7.0"
source = { registry = "https://example.org/simple" }
"""

POETRY_LOCK = """# generated by Poetry

[[package]]
name = "ms-swift"
version = "3.9.0"
description = ""
optional = false
files = [
    {file = "ms_swift-3.9.0.tar.gz", hash = "sha256:00"},
]

[package.dependencies]
transformers = ">=4.33,<4.58"

[package.source]
type = "legacy"
url = "https://example.org/simple"
reference = "mirror"

[[package]]
name = "transformers"
version = "4.57.1"
description = ""

[metadata]
lock-version = "2.1"
"""

PDM_LOCK = """[[package]]
name = "trl"
version = "1.16.0"
files = [{url = "https://example.org/trl-1.16.0.tar.gz", hash = "sha256:00"}]

[[package]]
name = "trl"
version = "1.16.0"
extras = ["vllm"]
"""

PYLOCK = """lock-version = "1.0"

[[packages]]
name = "trl"
version = "1.16.0"
[packages.sdist]
url = "https://example.org/trl-1.16.0.tar.gz"
"""

PIPFILE_LOCK = """{
    "default": {
        "trl": {
            "extras": ["vllm"],
            "hashes": ["sha256:00"],
            "markers": "python_version >= '3.10'",
            "version": "==1.16.0"
        }
    },
    "develop": {"transformers": {"version": "==4.57.1"}}
}
"""


class TestLocks:
    @pytest.mark.parametrize(
        ("name", "text", "expected"),
        [
            ("uv.lock", UV_LOCK, {"trl": "1.16.0"}),
            ("poetry.lock", POETRY_LOCK, {"ms-swift": "3.9.0", "transformers": "4.57.1"}),
            ("pdm.lock", PDM_LOCK, {"trl": "1.16.0"}),
            ("pylock.toml", PYLOCK, {"trl": "1.16.0"}),
            ("pylock.train.toml", PYLOCK, {"trl": "1.16.0"}),
            ("Pipfile.lock", PIPFILE_LOCK, {"trl": "1.16.0", "transformers": "4.57.1"}),
        ],
    )
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_format(self, repository, name, text, expected, newline):
        write(repository / name, text.replace("\n", newline))
        assert versions(repository) == expected

    def test_line_is_that_of_the_version(self, repository):
        path = write(repository / "uv.lock", UV_LOCK)
        pin = pins_for(repository / "grpo.yaml")["trl"]
        assert (pin.path, pin.line) == (str(path), 1 + UV_LOCK.splitlines().index('version = "1.16.0"'))

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            (
                "uv.lock",
                '[[package]]\nname = "trl"\nversion = "1.17.0.dev0"\nsource = { git = "https://example.org/t" }\n',
            ),
            ("uv.lock", '[[package]]\nname = "trl"\nversion = "1.17.0"\nsource = { editable = "." }\n'),
            ("uv.lock", UV_LOCK + '\n[[package]]\nname = "trl"\nversion = "0.14.0"\n'),
            (
                "poetry.lock",
                '[[package]]\nname = "trl"\nversion = "1.17.0"\n\n[package.source]\ntype = "git"\nurl = "u"\n',
            ),
            ("pdm.lock", '[[package]]\nname = "trl"\nversion = "1.17.0"\ngit = "https://example.org/trl"\n'),
            ("pdm.lock", '[[package]]\nname = "trl"\nversion = "1.17.0"\nurl = "https://example.org/trl.whl"\n'),
            ("pylock.toml", '[[packages]]\nname = "trl"\nversion = "1.17.0"\n[packages.vcs]\ntype = "git"\n'),
            ("Pipfile.lock", '{"default": {"trl": {"git": "https://example.org/trl", "ref": "0123"}}}'),
        ],
    )
    def test_what_is_no_single_release_pins_nothing(self, repository, name, text):
        write(repository / name, text)
        write(repository / "requirements.txt", "trl==1.16.0\n")  # the lock file knows better
        assert versions(repository) == {}


class TestSetupAndConda:
    def test_setup_py_is_read_and_not_run(self, repository):
        text = """
        import os
        os.mkdir("executed")
        raise SystemExit(1)
        _deps = [
            "accelerate==1.4.0", "transformers==4.52.3",
            "trl[vllm]==0.18.0",
            # "ms-swift==3.0.0",
            f"ms-swift=={VERSION}",
        ]
        """
        write(repository / "setup.py", text)
        assert versions(repository) == {"trl": "0.18.0", "transformers": "4.52.3"}
        assert not (repository / "executed").exists()

    def test_setup_cfg(self, repository):
        text = """[options]
install_requires =
    trl[vllm]==1.16.0
    # ms-swift==3.0.0
[options.extras_require]
x = transformers==4.57.1
"""
        write(repository / "setup.cfg", text)
        assert versions(repository) == {"trl": "1.16.0", "transformers": "4.57.1"}

    @pytest.mark.parametrize(
        ("item", "expected"),
        [
            ("- trl==1.16.0", {"trl": "1.16.0"}),
            ('- "trl[vllm]==1.16.0"', {"trl": "1.16.0"}),
            ("- conda-forge::trl==1.16.0", {"trl": "1.16.0"}),
            ("- trl=1.16.0=pyhd8ed1ab_0", {"trl": "1.16.0"}),
            ("- trl=1.16.0", {}),
            ("- trl>=1.16.0", {}),
            ("# - trl==1.16.0", {}),
        ],
    )
    @pytest.mark.parametrize(
        "name", ["environment.yml", "environment-gpu.yaml", "env.yml", "train_env.yaml", "my_environment.yml"]
    )
    def test_conda(self, repository, name, item, expected):
        write(repository / name, f"dependencies:\n  - python=3.11\n  - pip:\n    {item}\n")
        assert versions(repository) == expected


class TestWhoWins:
    def test_lock_file_before_requirements(self, repository):
        write(repository / "requirements.txt", "trl==0.14.0\ntransformers==4.48.0\n")
        write(repository / "uv.lock", UV_LOCK)
        assert versions(repository) == {"trl": "1.16.0", "transformers": "4.48.0"}

    def test_files_of_one_rank_that_disagree_pin_nothing(self, repository):
        write(repository / "requirements.txt", "trl==0.14.0\ntransformers==4.48.0\n")
        write(repository / "requirements-dev.txt", "trl==1.16.0\ntransformers==4.48\n")
        assert versions(repository) == {"transformers": "4.48.0"}

    def test_files_that_disagree_are_a_range(self, repository):
        write(repository / "setup.py", 'deps = ["trl==0.16.0"]\n')
        path = write(repository / "requirements.txt", "vllm\ntrl==0.16.1\n")
        found = pin_of(pins_for(repository / "grpo.yaml"), "trl")
        assert (found.version, found.allows, found.path, found.line) == ("", ">=0.16.0,<=0.16.1", str(path), 2)

    def test_range_beside_an_exact_pin_does_not_matter(self, repository):
        write(repository / "pyproject.toml", '[project]\ndependencies = ["trl>=0.14"]\n')
        write(repository / "requirements.txt", "trl==1.16.0\n")
        assert versions(repository) == {"trl": "1.16.0"}

    def test_nearest_folder_before_its_parents(self, repository):
        write(repository / "uv.lock", UV_LOCK)
        write(repository / "recipes" / "requirements.txt", "trl==0.14.0\n")
        write(repository / "requirements.txt", "transformers==4.57.1\n")
        assert versions(repository) == {"trl": "1.16.0", "transformers": "4.57.1"}
        assert versions(repository / "recipes" / "deep") == {"trl": "0.14.0", "transformers": "4.57.1"}

    def test_disagreement_nearby_hides_the_parent(self, repository):
        write(repository / "requirements.txt", "trl==1.16.0\n")
        write(repository / "recipes" / "requirements-a.txt", "trl==0.14.0\n")
        write(repository / "recipes" / "requirements-b.txt", "trl==0.15.0\n")
        assert versions(repository / "recipes") == {}


class TestHowFar:
    def test_not_beyond_the_repository(self, tmp_path):
        write(tmp_path / "requirements.txt", "trl==1.16.0\n")
        (tmp_path / "inner" / ".git").mkdir(parents=True)
        assert versions(tmp_path / "inner") == {}

    def test_worktree_has_a_git_file(self, tmp_path):
        write(tmp_path / "requirements.txt", "trl==1.16.0\n")
        write(tmp_path / "inner" / ".git", "gitdir: elsewhere\n")
        assert versions(tmp_path / "inner") == {}

    def test_outside_of_a_repository_the_nearest_project_is_the_end(self, tmp_path):
        write(tmp_path / "requirements.txt", "transformers==4.57.1\n")
        write(tmp_path / "unpacked" / "setup.py", "setup()\n")
        write(tmp_path / "unpacked" / "requirements-train.txt", "trl==1.16.0\n")
        assert versions(tmp_path / "unpacked" / "recipes") == {"trl": "1.16.0"}

    def test_every_folder_is_read_once(self, repository, monkeypatch):
        write(repository / "requirements.txt", "trl==1.16.0\n")
        read = []
        monkeypatch.setattr(
            module, "_read_folder", lambda folder, real=module._read_folder: read.append(folder) or real(folder)
        )
        for number in range(50):
            assert pins_for(repository / "a" / f"{number}.yaml")["trl"].version == "1.16.0"
            assert pins_for(repository / "b" / f"{number}.yaml")["trl"].version == "1.16.0"
        assert sorted(read) == [str(repository), str(repository / "a"), str(repository / "b")]

    def test_large_file_is_passed_over(self, repository, monkeypatch):
        monkeypatch.setattr(module, "LARGEST_FILE", 100)
        write(repository / "requirements.txt", "trl==1.16.0\n" + "#" * 100)
        assert versions(repository) == {}
        module.forget()
        write(repository / "requirements.txt", "trl==1.16.0\n" + "#" * 50)
        assert versions(repository) == {"trl": "1.16.0"}

    def test_what_cannot_be_read_pins_nothing(self, repository, monkeypatch):
        write(repository / "requirements.txt", "trl==1.16.0\n")
        (repository / "uv.lock").mkdir()

        def refuse(*_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("grpo_lint.files.disk.read", refuse)
        assert versions(repository) == {}

    def test_reading_stops_after_many_claims(self, repository, monkeypatch):
        normalised = []
        monkeypatch.setattr(pin_formats, "_full_version", lambda text: normalised.append(text))
        write(repository / "requirements.txt", "trl==1.16.0\n" * 50_000)
        assert versions(repository) == {}
        assert len(normalised) == pin_formats.MOST_CLAIMS

    def test_lock_file_of_endless_entries_ends(self):
        assert len(list(pin_formats._lock('\nname = "trl"\nversion = "1.16.0"' * 1000))) == pin_formats.MOST_CLAIMS

    def test_entry_of_a_lock_file_is_searched_no_further_than_its_limit(self, monkeypatch):
        monkeypatch.setattr(pin_formats, "LONGEST_ENTRY", 100)
        text = '[[package]]\nname = "trl"\n' + "#" * 200 + '\nversion = "1.16.0"\n'
        assert list(pin_formats._lock(text)) == []


class TestImages:
    @pytest.mark.parametrize("name", ["Dockerfile", "Dockerfile.gpu", "train.Dockerfile"])
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("RUN pip install trl==1.16.0", {"trl": "1.16.0"}),
            (
                'RUN pip install --no-cache-dir "ms-swift[all]==4.6.0" transformers==4.57.1',
                {"ms-swift": "4.6.0", "transformers": "4.57.1"},
            ),
            ("RUN pip install \\\n    vllm==0.10.2 \\\n    trl==1.16.0", {"vllm": "0.10.2", "trl": "1.16.0"}),
            ("RUN pip install 'trl>=1.16'", {}),
            ("# RUN pip install trl==1.16.0", {}),
            ("RUN pip install mytrl==1.16.0", {}),
            ("ARG TRL=1.16.0\nRUN pip install trl==${TRL}", {}),
        ],
    )
    def test_dockerfile(self, repository, name, line, expected):
        write(repository / name, f"FROM python:3.11\n{line}\n")
        assert versions(repository) == expected


class TestVendored:
    def test_a_copy_of_ms_swift_is_the_one_that_is_imported(self, repository):
        write(
            repository / "swift" / "version.py",
            "# keep in step with setup.py\n__version__ = '3.8.0'\n__release_datetime__ = '2099-10-13'\n",
        )
        write(repository / "requirements.txt", "ms-swift==3.5.3\n")
        assert versions(repository / "examples") == {"ms-swift": "3.8.0"}

    @pytest.mark.parametrize("text", ["", "__version__ = get_version()", "VERSION = '3.8.0'"])
    def test_what_is_computed_pins_nothing(self, repository, text):
        write(repository / "swift" / "version.py", text)
        assert versions(repository) == {}

    @pytest.mark.parametrize(
        "name, text", [("trl/__init__.py", '"""TRL."""\n__version__ = "0.18.0.dev0"\n'), ("VERSION", "0.18.0.dev0\n")]
    )
    def test_so_is_a_copy_of_trl(self, repository, name, text):
        write(repository / "trl" / "trainer" / "grpo_trainer.py", "")
        write(repository / name, text)
        assert versions(repository / "examples") == {"trl": "0.18.0.dev0"}

    def test_a_version_of_something_else_is_not_taken_for_it(self, repository):
        write(repository / "VERSION", "2.1.0\n")
        assert versions(repository) == {}
        write(repository / "trl" / "notes.txt", "trl==1.16.0")
        write(repository / "VERSION", "see the documentation\n")
        assert versions(repository) == {}


# --- what names no release ------------------------------------------------------------------------------------------

SMALL = "model_name_or_path: q\ndataset_name: d\nnum_generations: 8\nper_device_train_batch_size: 8\n"
GIT = "git+https://github.com/huggingface/trl.git@"


def launch_in(repository, text=SMALL, name="grpo.yaml"):
    path = write(repository / name, text)
    (launch,) = lint_path(str(path), Around().of(str(path)), fixes=False).launches
    return launch


def candidates_of(launch):
    return [candidate.text for candidate in launch.candidates]


@pytest.mark.parametrize(
    ("line", "newest", "oldest"),
    [("trl==0.18.*", "0.18.2", "0.18.2"), ("trl~=0.18.0", "0.18.2", "0.18.2"), ("trl~=0.18", "0.29.1", "0.18.2"), ("trl>=0.18,<0.20", "0.19.1", "0.18.2"),
     ("trl >= 0.18, != 0.19.1, < 0.20", "0.19.1", "0.18.2"), ("trl[vllm]>=0.23", "1.16.0", "0.23.1"), ("trl>0.18.2,<=0.19.0", "0.19.1", "0.19.1"),
     ("trl>=0.18  # old", "1.16.0", "0.18.2")],
)  # fmt: skip
def test_a_range_allows_some_releases(repository, line, newest, oldest):
    write(repository / "requirements.txt", f"torch\n{line}\n")
    launch = launch_in(repository)
    assert candidates_of(launch)[0] == newest and candidates_of(launch)[-1] == oldest
    assert launch.allowed_by == "requirements.txt:2"


@pytest.mark.parametrize(
    "line", ["# trl>=0.18,<0.20", "trl>=99", "trlx>=0.18,<0.20", "my-trl>=0.18,<0.20", "trl>=what"]
)
def test_what_is_no_range_allows_everything(repository, line):
    write(repository / "requirements.txt", line + "\n")
    assert candidates_of(launch_in(repository))[-1] == "0.14.0"


@pytest.mark.parametrize(
    ("name", "text"),
    [("pyproject.toml", '[project]\ndependencies = ["trl>=0.18,<0.20"]\n'), ("pyproject.toml", '[tool.poetry.dependencies]\ntrl = "^0.18"\n'),
     ("pyproject.toml", '[tool.poetry.dependencies]\ntrl = {version = "~0.18", extras = ["vllm"]}\n'),
     ("setup.py", "setup(install_requires=['trl[vllm]>=0.18,<0.20'])\n"), ("setup.cfg", "[options]\ninstall_requires =\n    trl>=0.18,<0.20\n"),
     ("environment.yml", "dependencies:\n  - pip:\n    - trl>=0.18,<0.20\n"), ("Dockerfile", "RUN pip install 'trl>=0.18,<0.20'\n")],
)  # fmt: skip
def test_every_format_has_ranges(repository, name, text):
    write(repository / name, text)
    assert {version.rpartition(".")[0] for version in candidates_of(launch_in(repository))} <= {"0.18", "0.19"}


def test_a_release_goes_before_a_range(repository):
    write(repository / "requirements.txt", "trl==0.19.1\n")
    (repository / "recipes").mkdir()
    write(repository / "recipes" / "requirements.txt", "trl>=0.14\n")
    assert candidates_of(launch_in(repository, name="recipes/grpo.yaml")) == ["0.19.1"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("requirements.txt", f"trl @ {GIT}v0.17.0\n"), ("setup.py", f'"trl @ {GIT}v0.17.0",\n'), ("requirements.txt", f"{GIT}v0.17.0#egg=trl\n"),
     ("pyproject.toml", '[tool.uv.sources]\ntrl = { git = "https://github.com/huggingface/trl", tag = "v0.17.0" }\n')],
)  # fmt: skip
def test_a_tag_is_a_release(repository, name, text):
    write(repository / name, text)
    launch = launch_in(repository)
    assert candidates_of(launch) == ["0.17.0"] and launch.version_source.startswith(name)


@pytest.mark.parametrize(
    ("commit", "around"),
    [("69ad852e5654a77f1695eb4c608906fe0c7e8624", ["0.16.0", "0.15.0"]), ("1bca49515ecd5b85d16e68c42c76670e252e19f1", ["0.18.0", "0.17.0"]),
     ("c04e84c4545acfaecdf7e0631ad07a86ab0fb2f6", ["0.17.0", "0.16.0"])],
)  # fmt: skip
def test_a_commit_lies_between_two_releases(repository, commit, around):
    write(repository / "setup.py", f'    "trl @ {GIT}{commit}",\n')
    launch = launch_in(repository)
    assert candidates_of(launch) == around and launch.version_source == "setup.py:1"


@pytest.mark.parametrize(
    "line", [f"trl @ {GIT}main", f"trl @ {GIT}0123456789", f"trl @ {GIT.replace('huggingface', 'me')}v0.17.0"]
)
def test_an_unknown_commit_and_a_fork_say_nothing(repository, line):
    write(repository / "requirements.txt", line + "\n")
    assert launch_in(repository).version_source == "inferred"


def test_a_copy_one_folder_down_is_the_one_that_is_installed(repository):
    write(repository / "ms-swift" / "swift" / "version.py", "__version__ = '3.8.1'\n")
    text = "rlhf_type: grpo\nmodel: m\ndataset: d\nnum_generations: 8\n"
    assert candidates_of(launch_in(repository, text)) == ["3.8.1"]
    module.forget()
    write(repository / "requirements.txt", "ms-swift==3.9.0\n")
    assert candidates_of(launch_in(repository, text)) == ["3.9.0"]


# --- forks that are not here ----------------------------------------------------------------------------------------

OWN_KEY = (
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=64 data.own_key=3 "
    "actor_rollout_ref.rollout.n=8 actor_rollout_ref.actor.ppo_mini_batch_size=60 trainer.n_gpus_per_node=8 "
    "actor_rollout_ref.rollout.name=vllm actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 "
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4\n"
)


@pytest.mark.parametrize(
    ("name", "text", "is_fork"),
    [
        ("requirements.txt", "verl @ git+https://example.org/someone/own-verl@0123456789abcdef\n", True),
        ("requirements.txt", "git+https://example.org/someone/verl.git\n", True),
        ("requirements.txt", "-e git+ssh://git@example.org/someone/work@main#egg=verl\n", True),
        ("pyproject.toml", '[tool.uv.sources]\nverl = { git = "https://example.org/someone/work", rev = "1" }\n', True),
        ("pyproject.toml", '[tool.uv.sources.verl]\ngit = "https://example.org/someone/work"\nrev = "1"\n', True),
        (
            "uv.lock",
            '\n[[package]]\nname = "verl"\nversion = "1"\nsource = { git = "https://example.org/me/own?rev=main#01234567" }\n',
            True,
        ),
        (
            "uv.lock",
            '\n[[package]]\nname = "other"\nversion = "1"\nsource = { git = "https://example.org/me/own?rev=main#01234567" }\n',
            False,
        ),
        (
            "poetry.lock",
            '\n[[package]]\nname = "verl"\nversion = "1"\n\n[package.source]\ntype = "git"\nurl = "https://example.org/me/own.git"\n',
            True,
        ),
        ("requirements.txt", "verl @ https://github.com/me/own/archive/main.zip\n", True),
        ("environment.yml", "dependencies:\n  - pip:\n    - git+https://example.org/me/verl.git@v1\n", True),
        ("Dockerfile", "RUN git clone https://example.org/me/verl.git && cd verl && pip install -e .\n", True),
        ("Dockerfile", "RUN git clone https://example.org/me/verl.git /data && pip install vllm\n", False),
        ("setup.sh", "pip install git+https://example.org/me/verl.git\n", True),
        ("install.sh", "uv pip install 'verl @ git+https://example.org/me/own.git'\n", True),
        ("start.sh", "pip install git+https://example.org/me/verl.git\n", False),  # of another run
        ("requirements.txt", "verl @ git+https://github.com/volcengine/verl@0123456789abcdef\n", False),
        ("requirements.txt", "git+https://github.com/Verl-Project/verl.git\n", False),
        ("requirements.txt", "# git+https://example.org/someone/verl.git\n", False),
        ("requirements.txt", "git+https://example.org/someone/overleaf.git\n", False),
        ("requirements.txt", "git+https://example.org/someone/verl.git\nverl==0.6.1\n", False),
    ],
)
def test_keys_that_no_release_knows_are_no_mistake_for_a_fork_that_is_not_here(tmp_path, name, text, is_fork):
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(text, encoding="utf-8")
    script = tmp_path / "run.sh"
    script.write_text(OWN_KEY, encoding="utf-8")
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    severities = {finding.rule.name: finding.severity for finding in report.findings}
    assert ("key-is-known" in severities) is not is_fork
    assert bool(report.launches[0].reader) is is_fork
    assert ("error" in severities.values()) is not is_fork
    assert severities.get("program-is-known") == ("info" if is_fork else None)


@pytest.mark.parametrize(
    "package, command",
    [
        ("openrlhf", "python3 -m openrlhf.cli.train_ppo_ray --own_key 1 --pretrain m --prompt_data d --n_samples_per_prompt 8"),
        ("nemo-rl", "uv run examples/run_grpo.py --config examples/configs/grpo_math_1B.yaml grpo.own_key=1"),
        ("trl", "accelerate launch --num_processes 8 train_grpo.py --num_generations 8 --own_key 1 --per_device_train_batch_size 8"),
        ("ms-swift", "NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy --own_key 1"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_fork", [True, False])
def test_a_fork_of_any_framework_may_have_keys_of_its_own(tmp_path, package, command, is_fork):
    (tmp_path / ".git").mkdir()
    if is_fork:
        (tmp_path / "requirements.txt").write_text(f"{package} @ git+https://example.org/me/own.git\n")
    script = tmp_path / "run.sh"
    script.write_text(f"{command}\n")
    findings = lint_path(str(script), Around().of(str(script)), fixes=False).findings
    assert [each.rule.code for each in findings if each.rule.name == "linter-does-not-fail"] == []
    strange = [each for each in findings if "own_key" in str(each.message) or each.rule.name == "key-is-known"]
    assert [each for each in strange if each.severity in ("error", "warning")] == [] or not is_fork


def test_a_script_may_install_the_fork_that_it_starts(tmp_path):
    (tmp_path / ".git").mkdir()
    script = tmp_path / "run.sh"
    script.write_text(f"pip install git+https://example.org/me/verl.git\n{OWN_KEY}", encoding="utf-8")
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert "key-is-known" not in {finding.rule.name for finding in report.findings}


def test_a_call_of_a_fork_of_trl_that_is_not_here_may_have_any_argument(tmp_path):
    (tmp_path / ".git").mkdir()
    program = tmp_path / "train.py"
    program.write_text(
        "from trl import GRPOConfig\nGRPOConfig(output_dir='o', num_generations=8, own_key=1)\n", encoding="utf-8"
    )
    assert [finding.rule.name for finding in lint_path(str(program), Around().of(str(program))).findings] == [
        "key-is-known"
    ]
    module.forget()
    (tmp_path / "requirements.txt").write_text("trl @ git+https://example.org/me/trl@main\n", encoding="utf-8")
    (finding,) = lint_path(str(program), Around().of(str(program))).findings
    told = "no release of TRL knows own_key: that is left to the TRL of me/trl, which is not here"
    assert (finding.severity, message(finding)) == ("info", told)
