"""Write the file of `grpo_lint/shipped.py` for this Python:

    python -m shipping FOLDER

What is in it is what the files need that `benchmarks/start_up.py` measures, and the examples: the modules that are imported for
them, and the formulas that are compiled. Each of these starts is made once; what is needed in the same ones becomes a group.
"""

import ast
import marshal
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "grpo_lint"
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from grpo_lint import shipped  # noqa: E402

PYTHON = """\
from trl import GRPOConfig, GRPOTrainer

args = GRPOConfig(output_dir="out", per_device_train_batch_size=4, num_generations=8)
GRPOTrainer(model="Qwen/Qwen2.5-0.5B", args=args, train_dataset=[], reward_funcs=[len]).train()
"""


def write_starts(folder):
    """The files of typical starts, in a folder of their own each: what lies beside one would be looked at, too."""
    from trees import VERL_FILE, VERL_SCRIPT, clean, facts_unknown, tenth_fails

    files = {
        "a.yaml": clean(0),
        "b.yaml": facts_unknown(0),
        "c.yaml": tenth_fails(0),
        "d.sh": VERL_SCRIPT,
        "e.yaml": VERL_FILE,
    }
    for name, text in {**files, "f.py": PYTHON}.items():
        place = folder / name[0]
        (place / ".git").mkdir(parents=True)
        (place / name).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "examples", folder / "examples")


class Asked:
    """Stands in for the file, has nothing, and notes which formulas it is asked for."""

    def __init__(self, ended):
        self.ended = ended
        self.before = {}

    def formula(self, text):
        self.before.setdefault(text, len(self.ended))


def tell_what_is_needed(folder):
    """Write to the standard output what it takes to check a folder, as a process that has done nothing else: (the modules in the order
    in which their bodies end, {a formula: (its code, how many modules had ended before)}), as `marshal` writes it."""
    from grpo_lint.cli.start import obey  # what comes with it is there before the file is asked

    ended = []
    run = SourceFileLoader.exec_module

    def noted(loader, module):
        run(loader, module)
        if module.__name__.startswith("grpo_lint."):
            ended.append(module.__name__)

    SourceFileLoader.exec_module = noted
    shipped.in_use = asked = Asked(ended)
    os.chdir(folder)
    with open(os.devnull, "w", encoding="utf-8") as sys.stdout:
        obey(["check", "."])
    sys.stdout = sys.__stdout__
    shipped.in_use = None
    from grpo_lint.plan import formula

    formulas = {
        text: (formula.prepared.get(text) or formula.Formula(text).code, before)
        for text, before in asked.before.items()
    }
    sys.stdout.buffer.write(marshal.dumps((ended, formulas)))


def grouped(starts):
    """The groups that follow from what each of some starts needs: [(modules, {a formula: its code})]. The modules of a group are needed in
    the same starts; a formula goes to the group of least starts that is read before it is asked for, in each of its own."""
    asking = {}  # {a module, or a formula: {the number of a start that needs it: how many modules have been run by then}}
    for number, (modules, formulas) in enumerate(starts):
        for place, name in enumerate(modules):
            asking.setdefault(name, {})[number] = place
        for text, (_, place) in formulas.items():
            asking.setdefault(text, {})[number] = place
    groups = {}
    for modules, _ in starts:
        for name in modules:
            groups.setdefault(frozenset(asking[name]), ({}, {}))[0][name] = None
    for _, formulas in starts:
        for text, (code, _) in sorted(formulas.items()):
            fits = [
                group
                for group, (modules, _) in groups.items()
                if all(
                    any(asking[name].get(start, place) < place for name in modules)
                    for start, place in asking[text].items()
                )
            ]
            groups[min(fits, key=len)][1][text] = marshal.dumps(code)
    return [(list(modules), formulas) for modules, formulas in groups.values()]


class Pruned(ast.NodeTransformer):
    """Takes out of a module what only its readers need: docstrings, the types of arguments and of variables of a module, and imports for
    these. They are a fifth of the code. What is read when the program runs stays: the annotations of classes, which list their
    parts, and the docstrings of decorated functions, which say what a formula computes."""

    def visit_Module(self, node):
        self.generic_visit(node)
        node.body = [each for part in _without_docstring(node.body) for each in _without_type(part)]
        return node

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        node.body = _without_docstring(node.body)
        return node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.returns = None
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg):
                each.annotation = None
        if not node.decorator_list:
            node.body = _without_docstring(node.body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_If(self, node):
        self.generic_visit(node)
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node.orelse
        return node


def _without_docstring(body):
    match body:
        case [ast.Expr(value=ast.Constant(value=str())) as told, *rest]:
            return rest or [ast.copy_location(ast.Pass(), told)]
    return body


def _without_type(statement):
    """A statement of a module without the type of its variable; nothing for one that only states it."""
    if not isinstance(statement, ast.AnnAssign):
        return [statement]
    if statement.value is None:
        return []
    return [ast.copy_location(ast.Assign([statement.target], statement.value), statement)]


def written(groups, package=PACKAGE):
    """The bytes of the file for the sources of a package."""
    index, places, contents, end = {}, [], [], len(MAGIC_NUMBER) + shipped.DIGITS
    for modules, formulas in groups:
        codes = {}
        for name in modules:
            path = package.joinpath(*name.split(".")[1:])
            path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            source, file = path.read_bytes(), path.relative_to(package).as_posix()
            index[name] = file, len(source), len(places)
            codes[name] = compile(Pruned().visit(ast.parse(source)), f"grpo_lint/{file}", "exec", dont_inherit=True)
        contents.append(marshal.dumps((codes, formulas)))
        places.append((end, end + len(contents[-1])))
        end = places[-1][1]
    head = MAGIC_NUMBER + f"{end:0{shipped.DIGITS}}".encode()
    return b"".join([head, *contents, marshal.dumps((index, places))])


def main(target):
    if os.environ.get("PYTHONHASHSEED") != "0":  # the same bytes each time
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNODEBUGRANGES": "1"}
        sys.exit(subprocess.run([sys.executable, __file__, target], env=environment, check=False).returncode)
    with tempfile.TemporaryDirectory() as folder:
        write_starts(Path(folder))
        commands = [[sys.executable, __file__, "--needed", place] for place in sorted(Path(folder).iterdir())]
        starts = [
            marshal.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout) for command in commands
        ]
    Path(target, shipped.FILE).write_bytes(written(grouped(starts)))


if __name__ == "__main__":
    if sys.argv[1] == "--needed":
        tell_what_is_needed(sys.argv[2])
    else:
        main(os.path.abspath(sys.argv[1]))
