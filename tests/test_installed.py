"""A command that is about to start, with an installed verl: an unchanged release is judged as that release, and everything else by what
stands there."""

import base64
import hashlib
import json
import shutil
import subprocess
import zipfile

import pytest
import yaml
from copies import OF_SWIFT, OF_TRL, write_copy
from test_copies import SETTINGS
from test_starting import environment, grpo_lint as program, judged

import grpo_lint
from grpo_lint.engine import lint
from grpo_lint.lsp.client import read_settings
from grpo_lint.lsp.session import Session

WORDS = ["python3", "-m", "verl.trainer.main_ppo", *(f"{path}={value}" for path, value in SETTINGS.items())]
UNKNOWN = "GRPO102"


@pytest.fixture
def place(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def wheel_of(tmp_path, version, **changes):
    """A wheel of a tree as write_copy makes it."""
    built = tmp_path / f"built-{version}"
    built.mkdir()
    write_copy(built, "0.6.1", version=version, **changes)
    (built / "verl" / "__init__.py").write_text("", encoding="utf-8")
    info = built / f"verl-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: verl\nVersion: {version}\n", encoding="utf-8")
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n", encoding="utf-8")
    files = sorted(path for path in built.rglob("*") if path.is_file())
    lines = [f"{path.relative_to(built).as_posix()},sha256={_hash_of(path)},{path.stat().st_size}" for path in files]
    (info / "RECORD").write_text("\n".join([*lines, f"{info.name}/RECORD,,"]) + "\n", encoding="utf-8")
    wheel = tmp_path / f"verl-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in [*files, info / "RECORD"]:
            archive.write(path, path.relative_to(built).as_posix())
    return wheel


def _hash_of(path):
    return base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).decode().rstrip("=")


def installed(tmp_path, version="0.6.1", home=None, **changes):
    """(the folder of programs of an environment, that of its packages) with a wheel of verl, as an index gives it."""
    programs = environment(home or tmp_path, programs=("python3",))
    packages = programs.parent / "lib" / "python3.11" / "site-packages"
    with zipfile.ZipFile(wheel_of(tmp_path, version, **changes)) as archive:
        archive.extractall(packages)
    return programs, packages


def told(place, programs, *words, **variables):
    """(the release that is judged, the codes) of a command."""
    codes, launches = judged(place, *WORDS, *words, path=programs, **variables)
    return launches[0][0], [code for found in codes.values() for code in found]


def test_an_unchanged_release_is_judged_as_that_release(place, tmp_path):
    programs, _ = installed(tmp_path)
    assert told(place, programs, "data.mine=1") == ("0.6.1", [UNKNOWN])


def test_a_release_of_which_a_file_was_changed_is_judged_by_what_stands_there(place, tmp_path):
    programs, packages = installed(tmp_path)
    tree = packages / "verl" / "trainer" / "config" / "ppo_trainer.yaml"
    tree.write_text(tree.read_text(encoding="utf-8").replace("\ndata:\n", "\ndata:\n  mine: 1\n"), encoding="utf-8")
    assert told(place, programs, "data.mine=1") == (f"0.6.1@{programs.parent}", [])
    assert told(place, programs, "data.min=1") == (f"0.6.1@{programs.parent}", [UNKNOWN])


@pytest.mark.parametrize("is_patched", [True, False])
def test_a_run_and_an_editor_and_python_judge_what_is_installed_alike(place, tmp_path, monkeypatch, is_patched):
    programs, packages = installed(tmp_path, more={"data.mine": 1} if is_patched else None)
    if is_patched:
        (packages / "verl" / "checks.py").write_text("", encoding="utf-8")
    command = [*WORDS, "data.mine=2"]
    assert ("started" in program(place, "run", "--", *command, path=programs).stdout) is is_patched

    session = Session()
    session.settings = read_settings({"interpreter": str(programs.parent / "bin" / "python")})
    script, text = str(place / "run.sh"), " ".join(command) + "\n"
    document = session.open(f"file://{script}", script, 1, text)
    found = lint(document.text, session.context(document), fixes=False)
    assert (found.launches[0].candidates[0].text == "0.6.1") is not is_patched
    assert (not _unknown(found)) is is_patched

    monkeypatch.syspath_prepend(str(packages))
    told = grpo_lint.check(SETTINGS, framework="verl", version="installed")
    assert told.version == ("0.6.1" + f"@{programs.parent}" * is_patched)


@pytest.mark.parametrize("version", ["0.99.0.dev20261101", "0.6.1+patched"])
def test_a_build_that_is_no_release_is_judged_by_itself(place, tmp_path, version):
    programs, _ = installed(tmp_path, version, more={"data.mine": 1})
    assert told(place, programs, "data.mine=1") == (f"{version}@{programs.parent}", [])


def test_what_came_from_git_is_judged_by_itself(place, tmp_path):
    programs, packages = installed(tmp_path, more={"data.mine": 1})
    came = {"url": "https://example.org/me/verl.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
    (packages / "verl-0.6.1.dist-info" / "direct_url.json").write_text(json.dumps(came), encoding="utf-8")
    assert told(place, programs, "data.mine=1") == (f"0.6.1@{programs.parent}", [])


@pytest.mark.parametrize("below", ["", "src"])
@pytest.mark.parametrize(
    ("is_inside", "is_own", "expected"),
    [
        (True, True, ("0.6.1@./own{below}/verl", [])),
        (True, False, ("0.6.1@./own{below}/verl", [])),
        (False, True, ("0.6.1@{folder}/verl", [])),  # the environment of a user leads anywhere
        (False, False, ("0.9.1", [])),  # that of a repository only into it: no release is known to be meant
    ],
)
def test_what_is_installed_from_a_folder_is_judged_by_what_stands_there(
    place, tmp_path, below, is_inside, is_own, expected
):
    programs, packages = installed(tmp_path, home=None if is_own else place)
    shutil.rmtree(packages / "verl")
    own = (place if is_inside else tmp_path) / "own tree"
    folder = own / below
    folder.mkdir(parents=True)
    write_copy(folder, "0.6.1", more={"data.mine": 1})
    shutil.rmtree(folder / ".git")
    came = {"url": f"file://{str(own).replace(' ', '%20')}", "dir_info": {"editable": True}}
    (packages / "verl-0.6.1.dist-info" / "direct_url.json").write_text(json.dumps(came), encoding="utf-8")
    shown, codes = expected
    shown = shown.format(below=f" tree/{below}".rstrip("/"), folder=folder)
    assert told(place, programs, "data.mine=1") == (shown, codes)


def test_a_copy_that_python_finds_first_counts_more_than_what_is_installed(place, tmp_path):
    programs, _ = installed(tmp_path)
    write_copy(place, "0.6.1", more={"data.mine": 1})
    (place / "verl" / "__init__.py").write_text("", encoding="utf-8")
    assert told(place, programs, "data.mine=1") == ("0.6.1@./verl", [])
    (place / "verl").rename(place / "old")
    (place / "src").mkdir()
    (place / "old").rename(place / "src" / "verl")
    assert told(place, programs, "data.mine=1", PYTHONPATH="src") == ("0.6.1@./src/verl", [])
    assert told(place, programs, "data.mine=1") == ("0.6.1", [UNKNOWN])


OWN_PROGRAM = """
import hydra
from verl.trainer.main_ppo import run_ppo

@hydra.main(config_path="verl/trainer/config", config_name="ppo_trainer", version_base=None)
def main(config):
    run_ppo(config)

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (["python3", "-m", "own.main"], ("0.6.1@./verl", [])),
        (["python3", "main.py"], ("0.6.1@./verl", [])),
        (["torchrun", "--nproc_per_node", "8", "main.py"], ("0.6.1@./verl", [])),
        (["python3", "own/main.py"], ("0.6.1", [UNKNOWN])),  # beside it lies no copy
    ],
)
def test_a_copy_beside_the_program_counts_more_than_what_is_installed(place, tmp_path, start, expected):
    programs, _ = installed(tmp_path)
    (programs / "torchrun").write_text(f"#!{programs / 'python3'}\n", encoding="utf-8")
    (programs / "torchrun").chmod(0o755)
    write_copy(place, "0.6.1", more={"data.mine": 1})
    (place / "verl" / "__init__.py").write_text("", encoding="utf-8")
    (place / "own").mkdir()
    for path in ("main.py", "own/main.py"):
        text = OWN_PROGRAM.replace('"verl', '"../verl') if path.startswith("own") else OWN_PROGRAM
        (place / path).write_text(text, encoding="utf-8")
    codes, launches = judged(place, *start, *WORDS[3:], "data.mine=1", path=programs)
    assert (launches[0][0], [code for found in codes.values() for code in found]) == expected


def test_the_python_path_of_a_command_leads_anywhere(place, tmp_path):
    programs, _ = installed(tmp_path)
    own = tmp_path / "own"
    own.mkdir()
    write_copy(own, "0.6.1", more={"data.mine": 1})
    shutil.rmtree(own / ".git")
    assert told(place, programs, "data.mine=1", PYTHONPATH=str(own)) == (f"0.6.1@{own}/verl", [])
    assert told(place, programs, "data.mine=1") == ("0.6.1", [UNKNOWN])


@pytest.mark.parametrize("record", ["", "verl/../../x.py,sha256=abc,1\n", "verl/x.py,sha256=abc,1\n", "\0\n,,,"])
def test_a_record_of_any_form_breaks_nothing(place, tmp_path, record):
    programs, packages = installed(tmp_path)
    (packages / "verl-0.6.1.dist-info" / "RECORD").write_text(record, encoding="utf-8")
    (packages / "verl-0.6.1.dist-info" / "direct_url.json").write_text("[1]" if record else "{", encoding="utf-8")
    assert told(place, programs, "data.mine=1")[1] == [UNKNOWN]


@pytest.mark.skipif(shutil.which("pip") is None, reason="pip installs a wheel")
def test_what_pip_installs_from_a_wheel_that_nobody_published_is_judged_by_itself(place, tmp_path):
    programs = environment(tmp_path, programs=("python3",))
    packages = programs.parent / "lib" / "python3.11" / "site-packages"
    wheel = wheel_of(tmp_path, "0.6.1", more={"data.mine": 1})
    pip = ["pip", "install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check", "--target", str(packages)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    assert (packages / "verl-0.6.1.dist-info" / "direct_url.json").is_file()
    assert told(place, programs, "data.mine=1") == (f"0.6.1@{programs.parent}", [])


# --- TRL and ms-swift, and who else knows an interpreter --------------------------------------------------------------

CLASSES = {
    "trl": ("trl/trainer/grpo_config.py", OF_TRL.format(group=8), "trl/__init__.py", "1.16.0"),
    "ms_swift": (
        "swift/arguments/rlhf_args.py",
        OF_SWIFT.format(name="RLHFArguments", group=8),
        "swift/version.py",
        "4.3.2",
    ),
}
STARTS = {
    "trl": ["trl", "grpo", "--config", "grpo.yaml"],
    "ms_swift": ["swift", "rlhf", "grpo.yaml"],
}
CONFIGS = {
    "trl": "num_generations: 8\nmax_completion_length: 64\nbeta: 0.1\nloss_type: grpo\nlearning_rate: 1e-6\n",
    "ms_swift": "rlhf_type: grpo\nmodel: m\ndataset: d\nreward_funcs: format\n",
}
OWN = {"trl": "own_size: 4\n", "ms_swift": "own_rate: 0.5\n"}
CHANGES = {
    "released": (None, False),
    "patched": ("patch", True),
    "from-git": ("git", True),
    "built": ("build", True),
}


def with_classes(tmp_path, name, change):
    """(the folder of programs, that of packages) of an environment with a package that has fields of its own."""
    path, text, said, version = CLASSES[name]
    version += "+own" if change == "build" else ""
    programs = environment(tmp_path, programs=(STARTS[name][0],))
    packages = programs.parent / "lib" / "python3.11" / "site-packages"
    info = packages / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (packages / path).parent.mkdir(parents=True)
    (packages / path).write_text(text, encoding="utf-8")
    (packages / said).write_text(f'__version__ = "{version}"\n', encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    files = [packages / path, packages / said]
    lines = [f"{file.relative_to(packages).as_posix()},sha256={_hash_of(file)},1" for file in files]
    (info / "RECORD").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if change == "patch":
        (packages / path).write_text(text + "# changed\n", encoding="utf-8")
    if change == "git":
        came = {"url": "https://example.org/me/x.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
        (info / "direct_url.json").write_text(json.dumps(came), encoding="utf-8")
    return programs, packages


def _unknown(report):
    return [finding for finding in report.findings if finding.rule.name in ("key-is-known", "keys-are-read")]


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize(("change", "is_judged_by_itself"), CHANGES.values(), ids=list(CHANGES))
def test_a_changed_trl_or_ms_swift_is_judged_by_its_own_classes(
    place, tmp_path, monkeypatch, name, change, is_judged_by_itself
):
    """By a command that is about to start, by Python, and by an editor that says its interpreter."""
    programs, packages = with_classes(tmp_path, name, change)
    (place / "grpo.yaml").write_text(CONFIGS[name] + OWN[name], encoding="utf-8")
    codes, launches = judged(place, *STARTS[name], path=programs)
    assert launches and (UNKNOWN not in str(codes)) is is_judged_by_itself

    session = Session()
    path = str(place / "grpo.yaml")
    session.settings = read_settings({"interpreter": str(programs.parent)})
    document = session.open(f"file://{path}", path, 1, CONFIGS[name] + OWN[name])
    found = lint(document.text, session.context(document), fixes=False)
    assert not found.skipped and (not _unknown(found)) is is_judged_by_itself, found.findings

    monkeypatch.syspath_prepend(str(packages))
    settings = yaml.safe_load(CONFIGS[name] + OWN[name])
    dialect = {"trl": "trl", "ms_swift": "swift"}[name]
    told = grpo_lint.check(settings, framework=dialect, version="installed", world_size=8, loader="cli")
    assert (UNKNOWN not in {finding.code for finding in told.findings}) is is_judged_by_itself
    assert told.version and told.version.startswith(CLASSES[name][3])


# {package: (its folder, its release, the file that declares its flags, what declares one, a command with that flag)}
OF_PARSERS = {
    "openrlhf": (
        "openrlhf",
        "0.11.2",
        "cli/train_ppo_ray.py",
        "parser.add_argument('--own.flag', type=int)\n",
        "python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --own.flag 3",
    ),
    "slime": (
        "slime",
        "0.3.1",
        "utils/arguments.py",
        "parser.add_argument('--global-batch-sise', type=int)\n",
        "python3 train.py --rollout-batch-size 8 --n-samples-per-prompt 8 --global-batch-sise 64",
    ),
}


@pytest.mark.parametrize("package", OF_PARSERS)
@pytest.mark.parametrize(("change", "is_known"), [("none", False), ("patch", True), ("git", True), ("folder", True)])
def test_flags_that_a_changed_installation_declares_are_known(place, tmp_path, package, change, is_known):
    imported, release, path, declares, command = OF_PARSERS[package]
    programs = environment(tmp_path, programs=("python3",))
    packages = programs.parent / "lib" / "python3.11" / "site-packages"
    info = packages / f"{package}-{release}.dist-info"
    info.mkdir(parents=True)
    home = tmp_path / "own" if change == "folder" else packages
    file = home / imported / path
    file.parent.mkdir(parents=True)
    (home / imported / "__init__.py").write_text("", encoding="utf-8")
    file.write_text(declares, encoding="utf-8")
    (place / "train.py").write_text("from slime.utils.arguments import parse_args\n", encoding="utf-8")
    size = file.stat().st_size
    record = f"{imported}/{path},sha256={_hash_of(file)},{size}\n"
    if change == "patch":
        record = record.replace(_hash_of(file), "abc")
    came = {"git": {"url": "https://example.org/me/own.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "folder": {"url": f"file://{home}", "dir_info": {"editable": True}}}.get(change)  # fmt: skip
    (info / "RECORD").write_text(record, encoding="utf-8")
    if came:
        (info / "direct_url.json").write_text(json.dumps(came), encoding="utf-8")
    codes, launches = judged(place, *command.split(), path=programs)
    assert launches[0][0] == release
    unknown = {UNKNOWN, "GRPO886"} & {code for found in codes.values() for code in found}
    assert bool(unknown) is not is_known
