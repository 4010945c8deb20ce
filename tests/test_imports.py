"""Which modules the way of `check` loads: a linter in a hook lives by its start-up."""

import subprocess
import sys

import pytest

from grpo_lint.frameworks.registry import FOLDERS
from grpo_lint.frameworks.rule_sets import MODULES

FILES = {
    "trl": "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nper_device_train_batch_size: 4\nnum_generations: 8\n",
    "swift": "# grpo-lint: version=4.6.0 world-size=1\nrlhf_type: grpo\nper_device_train_batch_size: 4\nnum_generations: 8\n",
    "megatron": "# grpo-lint: version=4.6.0 world-size=16\nrlhf_type: grpo\nmicro_batch_size: 1\nglobal_batch_size: 8\nnum_generations: 4\n",
}
HEAVY = """
    argparse asyncio base64 concurrent ctypes dataclasses datetime decimal difflib email enum fractions http importlib.metadata importlib.resources
    inspect json jsonschema logging lsprotocol multiprocessing pathlib pkg_resources pygls random re ruamel shutil socket sqlite3 ssl
    statistics subprocess tempfile threading tomli tomllib traceback typing unittest urllib uuid xml zipfile
""".split()

PROBE = """
import sys
sys.path[:0] = {path!r}
before = set(sys.modules)
from grpo_lint.source.yaml import libyaml
libyaml.install()
from grpo_lint.cli.main import main
status = main({words!r})
print("\\n".join(["status", str(status), *sorted(set(sys.modules) - before)]), file=sys.stderr)
"""


def loaded_by(words, folder):
    """(exit status, the modules that a fresh interpreter loads for a command line, as the program runs it)."""
    code = PROBE.format(path=[entry for entry in sys.path if entry], words=words)
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, encoding="utf-8", check=True, cwd=folder
    )
    lines = [line for line in result.stderr.splitlines() if "is not checked" not in line]
    word, status, *modules = lines
    assert word == "status", result.stderr
    return int(status), modules


def heavy(modules, allowed=()):
    return [
        name
        for name in modules
        if any(name == each or name.startswith(f"{each}.") for each in HEAVY) and name not in allowed
    ]


@pytest.mark.parametrize("form", ["full", "concise"])
@pytest.mark.parametrize("dialect", FILES)
def test_check_loads_nothing_heavy(tmp_path, dialect, form):
    (tmp_path / "config.yaml").write_text(FILES[dialect])
    status, modules = loaded_by(["check", "--output-format", form, "config.yaml"], tmp_path)
    assert status == 1  # the file fails, so findings and fixes were loaded, too
    assert "grpo_lint.engine" in modules
    assert heavy(modules) == []


def test_a_misspelt_key_loads_nothing_heavy(tmp_path):
    (tmp_path / "config.yaml").write_text(
        FILES["trl"].replace("world-size=1\n", "world-size=2\n") + "learning_rat: 1.0e-6\n"
    )
    status, modules = loaded_by(["check", "config.yaml"], tmp_path)
    assert status == 1
    assert "grpo_lint.fixes.keys" in modules
    assert "ast" not in modules  # what reads Python
    assert heavy([name for name in modules if name.split(".")[0] not in ("difflib", "re", "enum")]) == []


def test_a_command_that_is_about_to_start_loads_nothing_heavy(tmp_path):
    (tmp_path / "config.yaml").write_text("num_generations: 8\nper_device_train_batch_size: 8\ndataset_name: x\n")
    command = ["trl", "grpo", "--num_processes", "8", "--config", "config.yaml"]
    _, modules = loaded_by(["check", "--", *command], tmp_path)
    assert "grpo_lint.launch.interpreter" in modules
    # scripts are read with regular expressions
    assert heavy([name for name in modules if name.split(".")[0] not in ("re", "enum")]) == []


@pytest.mark.parametrize("dialect", FILES)
def test_only_the_dialect_of_the_file_is_loaded(tmp_path, dialect):
    (tmp_path / "config.yaml").write_text(FILES[dialect])
    _, modules = loaded_by(["check", "config.yaml"], tmp_path)
    catalogues = [name for name in modules if name.endswith(".catalogue") and name != "grpo_lint.frameworks.catalogue"]
    assert catalogues == [f"grpo_lint.frameworks.{FOLDERS[dialect]}.catalogue"]


@pytest.mark.parametrize("dialect", FILES)
def test_only_the_rules_of_the_dialect_are_loaded_for_a_clean_file(tmp_path, dialect):
    sound = (
        FILES[dialect]
        .replace("world-size=1\n", "world-size=16\n")
        .replace("global_batch_size: 8", "global_batch_size: 64")
    )
    (tmp_path / "config.yaml").write_text(sound)
    status, modules = loaded_by(["check", "config.yaml"], tmp_path)
    assert status == 0
    rules = {name.removeprefix("grpo_lint.") for name in modules if name.endswith(("rules", ".ranges"))}
    assert set(MODULES[dialect]) >= {name for name in rules if name.startswith("frameworks.")} != set()


def test_a_foreign_file_loads_no_dialect(tmp_path):
    (tmp_path / "config.yaml").write_text("services: {web: {image: nginx, reward: none}}\n")
    status, modules = loaded_by(["check", "config.yaml"], tmp_path)
    assert status == 0
    assert (
        [name for name in modules if name.endswith((".catalogue", "frameworks.base", ".framework"))]
        == []
        == heavy(modules)
    )


def test_a_foreign_script_loads_no_framework(tmp_path):
    """Its commands are looked at, and so is what starts a framework: that is data."""
    (tmp_path / "deploy.sh").write_text("pip install reward\ntrl env\ntorchrun serve.py --port 8000\n")
    status, modules = loaded_by(["check", "deploy.sh"], tmp_path)
    assert status == 0
    assert "grpo_lint.launch.commands" in modules
    assert [name for name in modules if name.endswith((".catalogue", ".framework"))] == []


def test_json_is_loaded_where_it_is_asked_for(tmp_path):
    (tmp_path / "config.yaml").write_text(FILES["trl"])
    _, modules = loaded_by(["check", "--output-format", "json", "config.yaml"], tmp_path)
    assert "json" in modules  # the test can see a module that is loaded
    # urllib.parse writes the URIs that editors want; both need re
    assert heavy([name for name in modules if name.split(".")[0] not in ("json", "urllib", "re", "enum")]) == []


def test_an_info_loads_nothing_that_fixes(tmp_path):
    (tmp_path / "config.yaml").write_text(
        "# grpo-lint: dialect=trl version=1.16.0\nper_device_train_batch_size: 4\nnum_generations: 7\n"
    )
    status, modules = loaded_by(["check", "config.yaml"], tmp_path)
    assert status == 0 and "grpo_lint.checker.processes" in modules
    assert [
        name for name in modules if name.startswith("grpo_lint.fixes.") or name == "grpo_lint.frameworks.all_rules"
    ] == []
    assert not [name for name in modules if name.startswith("grpo_lint.frameworks.verl")]


def test_a_fix_of_a_config_loads_nothing_that_edits_flags(tmp_path):
    (tmp_path / "config.yaml").write_text(FILES["trl"])
    status, modules = loaded_by(["check", "config.yaml"], tmp_path)
    assert status == 1 and "grpo_lint.fixes.edits" in modules
    assert not {"grpo_lint.fixes.flag_edits", "grpo_lint.source.overrides", "shlex"} & {*modules}


def test_every_module_can_be_imported():
    """Whatever the Python: a rule of a framework that no other test touches is imported nevertheless."""
    program = "import grpo_lint, pkgutil; print(*[each.name for each in pkgutil.walk_packages(grpo_lint.__path__, 'grpo_lint.')])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    modules = [name for name in found if not name.endswith("__main__")]
    assert len(modules) > 400
    subprocess.run([sys.executable, "-c", "import " + ", ".join(modules)], check=True)
