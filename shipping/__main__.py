"""Write the file of `grpo_lint/shipped.py` for this Python:

    python -m shipping FOLDER

What is in it is what the files need that `benchmarks/start_up.py` measures, and the examples: the modules that are imported for
them, and the formulas that are compiled.
"""

import marshal
import os
import shutil
import subprocess
import sys
import tempfile
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

    def __init__(self):
        self.texts = []

    def formula(self, text):
        self.texts.append(text)


def needed(folder):
    """(the modules that are imported to check a folder, {a formula: its code})."""
    shipped.in_use = asked = Asked()
    from grpo_lint.cli.start import obey
    from grpo_lint.plan import formula

    with open(os.devnull, "w", encoding="utf-8") as sys.stdout:
        for place in sorted(folder.iterdir()):
            os.chdir(place)
            obey(["check", "."])
    sys.stdout = sys.__stdout__
    shipped.in_use = None
    codes = {text: formula.prepared.get(text) or formula.Formula(text).code for text in asked.texts}
    return sorted(name for name in sys.modules if name.startswith("grpo_lint.")), codes


def written(modules, formulas):
    """The bytes of the file."""
    index, codes, end = {}, [], len(MAGIC_NUMBER) + shipped.DIGITS

    def place(code):
        nonlocal end
        codes.append(marshal.dumps(code))
        end += len(codes[-1])
        return end - len(codes[-1]), end

    for name in modules:
        path = PACKAGE.joinpath(*name.split(".")[1:])
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        source, file = path.read_bytes(), path.relative_to(PACKAGE).as_posix()
        index[name] = file, len(source), *place(compile(source, f"grpo_lint/{file}", "exec", dont_inherit=True))
    of_formulas = {text: place(code) for text, code in sorted(formulas.items())}
    head = MAGIC_NUMBER + f"{end:0{shipped.DIGITS}}".encode()
    return b"".join([head, *codes, marshal.dumps((index, of_formulas))])


def main(target):
    if os.environ.get("PYTHONHASHSEED") != "0":  # the same bytes each time
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        sys.exit(subprocess.run([sys.executable, __file__, target], env=environment, check=False).returncode)
    with tempfile.TemporaryDirectory() as folder:
        write_starts(Path(folder))
        content = written(*needed(Path(folder)))
        os.chdir(ROOT)
    Path(target, shipped.FILE).write_bytes(content)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
