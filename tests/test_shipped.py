"""The file of code that a wheel brings along: it is used where it fits, and nothing is missed where it does not. That a wheel holds it is
tested with the wheel (`test_packaging.py`)."""

import marshal
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import grpo_lint
from grpo_lint import shipped

PACKAGE = Path(grpo_lint.__file__).parent
sys.path.insert(0, str(PACKAGE.parent))

from shipping.__main__ import grouped, written  # noqa: E402

MODULES = ["grpo_lint.message", "grpo_lint.plan", "grpo_lint.plan.formula"]
ASKED = """
import sys
sys.path.insert(0, {folder!r})
from grpo_lint import shipped
shipped.use()
from grpo_lint import message
from grpo_lint.plan.formula import Formula
print(type(message.__spec__.loader).__name__, message.__file__, message.Message.__new__.__code__.co_filename)
print(type(sys.modules["grpo_lint.plan"].__spec__.loader).__name__, eval(Formula("batch * 2").code, {{"batch": 4}}))
"""


@pytest.fixture
def installed(tmp_path):
    """A copy of the package with such a file, where a formula is shipped with another result than it has."""
    folder = tmp_path / "packages"
    shutil.copytree(PACKAGE, folder / "grpo_lint", ignore=shutil.ignore_patterns("__pycache__", "frameworks", "locale"))
    formulas = {"batch * 2": marshal.dumps(compile("batch * 100", "batch * 2", "eval"))}
    (folder / "grpo_lint" / shipped.FILE).write_bytes(written([(MODULES, formulas)]))
    return folder


def test_what_the_same_starts_need_is_a_group():
    code = compile("1", "<formula>", "eval")
    starts = [
        (["a", "b", "trl"], {"early": (code, 1), "late": (code, 3)}),
        (["a", "b", "verl"], {"early": (code, 2)}),
        (["a", "verl", "b"], {}),
    ]
    groups = grouped(starts)
    assert [modules for modules, _ in groups] == [["a", "b"], ["trl"], ["verl"]]
    assert [list(formulas) for _, formulas in groups] == [["early"], ["late"], []]


def test_a_formula_is_read_before_it_is_asked_for():
    """So it is not in the group that fits best, where this group is read later."""
    code = compile("1", "<formula>", "eval")
    groups = grouped([(["a", "trl"], {"early": (code, 1)}), (["a"], {})])
    assert [list(formulas) for _, formulas in groups] == [["early"], []]


def asked(folder, *options):
    """((loader, file, file of the code) of a module, (loader of another one, what a formula gives))."""
    command = [sys.executable, "-I", "-B", *options, "-c", ASKED.format(folder=str(folder))]
    module, other = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return module.split(), other.split()


def test_modules_and_formulas_come_from_the_file(installed):
    source = f"{installed}/grpo_lint/message.py"
    assert asked(installed) == (["Loader", source, source], ["Loader", "400"])


def ran(installed, program):
    """The lines that a program prints, with the package of this folder and its file in use."""
    first = f"import sys; sys.path.insert(0, {str(installed)!r}); from grpo_lint import shipped; shipped.use()\n"
    command = [sys.executable, "-I", "-B", "-c", first + program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


IS_THERE = "print('grpo_lint.plan.formula' in sys.modules, hasattr(sys.modules.get('grpo_lint.plan'), 'formula'))"


def test_a_group_is_imported_at_once(installed):
    assert ran(installed, f"import grpo_lint.message; {IS_THERE}") == ["True", "True"]


def test_beside_a_thread_each_module_is_imported_when_it_is_asked_for(installed):
    """Another thread could see one that has not been run to its end."""
    waiting = "import threading; end = threading.Event(); threading.Thread(target=end.wait).start()\n"
    program = f"{waiting}import grpo_lint.message; {IS_THERE}; import grpo_lint.plan.formula; {IS_THERE}; end.set()"
    assert ran(installed, program) == ["False", "False", "True", "True"]


def test_a_module_that_fails_fails_for_who_needs_it(installed):
    package = installed / "grpo_lint"
    (package / "plan" / "formula.py").write_text("raise ImportError('broken')\n")
    (package / shipped.FILE).write_bytes(written([(MODULES, {})], package))
    program = """
import grpo_lint.message
print('grpo_lint.plan' in sys.modules, 'grpo_lint.plan.formula' in sys.modules)
try:
    import grpo_lint.plan.formula
except ImportError as error:
    print(error)
"""
    assert ran(installed, program) == ["True", "False", "broken"]


def test_a_source_that_was_changed_counts(installed):
    with open(installed / "grpo_lint" / "message.py", "a") as source:
        source.write("\n")
    (loader, *_), other = asked(installed)
    assert (loader, other[0]) == ("SourceFileLoader", "Loader")


def test_a_source_that_was_written_later_counts(installed):
    source = installed / "grpo_lint" / "message.py"
    os.utime(source, (0, time.time() + 1000))
    (loader, *_), other = asked(installed)
    assert (loader, other[0]) == ("SourceFileLoader", "Loader")


def test_the_code_of_another_python_is_left_alone(installed):
    file = installed / "grpo_lint" / shipped.FILE
    file.write_bytes(b"no\r\n" + file.read_bytes()[4:])
    (loader, *_), other = asked(installed)
    assert (loader, *other) == ("SourceFileLoader", "SourceFileLoader", "8")


def test_other_code_is_asked_for_without_assertions(installed):
    assert asked(installed, "-O")[1] == ["SourceFileLoader", "8"]


def test_a_checkout_works_without_it():
    assert not (PACKAGE / shipped.FILE).exists()
    shipped.use()
    assert shipped.in_use is None


@pytest.mark.slow
def test_what_typical_starts_need_is_in_it(tmp_path):
    """And it is the same each time."""
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        subprocess.run([sys.executable, "-m", "shipping", str(folder)], cwd=PACKAGE.parent, check=True)
    first, second = ((tmp_path / name / shipped.FILE).read_bytes() for name in "ab")
    assert first == second
    for name in (
        b"trl/catalogue.py",
        b"verl/catalogue.py",
        b"fixes/search.py",
        b"completions_per_rollout % group_size",
    ):
        assert name in first


def test_an_installation_does_not_hang_on_the_file(tmp_path):
    """Where it cannot be made, the wheel is whole without it, and says why it starts slower."""
    from shipping.hook import Shipping

    warnings = []
    app = type("App", (), {"display_warning": warnings.append})()
    hook = Shipping(str(tmp_path), {}, None, None, str(tmp_path), "wheel", app)
    build_data = {"force_include": {}}
    hook.initialize("standard", build_data)  # the folder has no program that writes it
    hook.finalize("standard", build_data, "")
    assert build_data == {"force_include": {}}
    assert "starts slower" in warnings[0]
