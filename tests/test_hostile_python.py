"""Files of Python and notebooks of strangers that are made to be slow or to take memory: what they may cost is bounded, as
it is of YAML."""

import ast
import subprocess
import sys

import pytest
from processor_time import whole_seconds

from grpo_lint.launch.python_configs import configs_of
from grpo_lint.source.python.code import Code
from grpo_lint.source.python.reader import has_endless_name, read_python
from grpo_lint.source.python.scopes import Scopes
from grpo_lint.source.python.values import Values
from grpo_lint.source.text import Text

resource = pytest.importorskip("resource", reason="limits of a process are those of POSIX")

MOST_UNITS, MOST_MEMORY = 40, 256 << 20
HEAD = "from trl import GRPOConfig\n"
CALL = "GRPOConfig(num_generations=7, per_device_train_batch_size=3)\n"


def notebook(source):
    import json

    return json.dumps({"cells": [{"cell_type": "code", "source": text} for text in (source, HEAD + CALL)]})


LAUNCHES = "".join(f"accelerate launch --num_processes {n} train.py --x {n}\n" for n in range(1, 101))
KEY, SECOND = "'a'", "'b':1,"
FOLDERS = {
    "commands": {"train.py": HEAD + CALL * 100, "run.sh": LAUNCHES},
    "keywords": {"a.py": f"{HEAD}GRPOConfig({','.join(f'num_generation{n}=1' for n in range(10_000))})\n"},
    "names of modules": {"a.py": HEAD + "from a" + ".\\\r\nb" * 50_000 + " import b\n" + CALL},
    "names that double": {
        "a.py": HEAD
        + "x0={'a':9}\n"
        + "".join(f"x{n}={{'a':x{n - 1},'b':x{n - 1}}}\n" for n in range(1, 60))
        + "GRPOConfig(model_init_kwargs=x30)\n"
    },
    "set later": {
        "a.py": HEAD
        + "".join(f"c{n}={CALL}" for n in range(1500))
        + "".join(f"c{n}.num_generations={n}\n" for n in range(1500))
    },
    "waits for errors": {
        "a.py": HEAD + "".join(f"c{n}={CALL}" for n in range(100)) + "with raises():\n" + "  f(x)\n" * 20_000
    },
    "names assigned at once": {"a.py": HEAD + CALL + "a," * 80_000 + "=x\n"},
    "names assigned at once, the last one open": {"a.py": HEAD + CALL + "a," * 80_000 + "*a,=x\n"},
    "a name bound often, and used often": {
        "a.py": HEAD + "a=1\n" * 20_000 + f"GRPOConfig({','.join(f'k{n}=a' for n in range(15_000))})\n"
    },
    "a class with many fields, and many uses": {
        "a.py": HEAD + "class A:\n" + " a:int=1\n" * 15_000 + "b=A()\n"
        f"GRPOConfig({','.join(f'k{n}=b.a' for n in range(8000))})\n"
    },
    "a call with many arguments, and many uses": {
        "a.py": f"{HEAD}class A:\n a:int\nb=A({'b=1,' * 30_000}a=1)\n"
        f"GRPOConfig({','.join(f'k{n}=b.a' for n in range(8000))})\n"
    },
    "a mapping with many items, and many uses": {
        "a.py": f"{HEAD}b={{'a':1,{SECOND * 20_000}}}\nGRPOConfig({','.join(f'k{n}=b[{KEY}]' for n in range(7000))})\n"
    },
    "many calls of a function, and many uses": {
        "a.py": HEAD + "def f(a=1):\n return GRPOConfig(num_generations=7,"
        f"{','.join(f'k{n}=a' for n in range(8000))})\n" + "f()\n" * 35_000
    },
    "a mapping that is given often": {
        "a.py": f"{HEAD}d={{{','.join(f'{chr(34)}k{n}{chr(34)}:1' for n in range(8000))}}}\n"
        f"GRPOConfig(num_generations=7{',**d' * 10_000})\n" + "GRPOConfig(**d,num_generations=7)\n" * 1000
    },
    "mappings of mappings": {
        "a.py": HEAD
        + "d0={}\n"
        + "".join(f"d{n}={{{f'**d{n - 1},' * 5000}}}\n" for n in range(1, 6))
        + "GRPOConfig(**d5,num_generations=7)\n"
    },
    "set by names nobody knows": {
        "a.py": f"{HEAD}args=GRPOConfig({','.join(f'k{n}=1' for n in range(8000))})\n" + "setattr(args,x,1)\n" * 8000
    },
    "set by another": {
        "a.py": f"{HEAD}class A(GRPOConfig):\n def __post_init__(self):\n  super().__post_init__()\n"
        + "  self.b=1\n" * 16_000
        + "A(num_generations=7)\n" * 4000
    },
    "fields of one's own": {
        "a.py": f"{HEAD}class A(GRPOConfig):\n{''.join(f' a{n}:int=b.c{chr(10)}' for n in range(12_000))}"
        + "A(num_generations=7)\n" * 500
    },
    "a long line that is not ASCII": {
        "a.py": f"{HEAD}x='{'é' * 40_000}';GRPOConfig({','.join(f'k{n}=1' for n in range(9000))})\n"
    },
    "a function bound often, and called often": {
        "a.py": HEAD + "f=g\n" * 15_000 + "f(1)\n" * 15_000 + "GRPOConfig(num_generations=7)\n"
    },
    "names for names": {"a.py": HEAD + "".join(f"f{n}=f{n + 1}\n" * 3000 for n in range(9)) + "f0(1)\n" * 100},
    "classes for themselves": {"a.py": HEAD + "class A(A):0\n" * 8000 + "A(num_generations=7)\n" * 5000},
    "blanks": {"a.ipynb": notebook(" " * 200_000 + "((")},
    "statements": {"a.ipynb": notebook("x=1\n" * 120_000)},
    "lines for the shell": {"a.ipynb": notebook("!a \\\n" * 60_000)},
}


def limit():
    seconds = whole_seconds(MOST_UNITS)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS)
def test_what_one_file_may_cost(name, tmp_path):
    (tmp_path / ".git").mkdir()
    for path, text in FOLDERS[name].items():
        (tmp_path / path).write_bytes(text.encode())
    first = next(iter(FOLDERS[name]))
    whole_seconds(MOST_UNITS)  # measured here, not in the process with limits
    words = [sys.executable, "-I", "-m", "grpo_lint", "check", "--output-format", "sarif", first]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, preexec_fn=limit, encoding="utf-8")
    assert done.returncode in (0, 1), done.stderr[-300:]
    assert "GRPO906" not in done.stdout and "Traceback" not in done.stderr


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("part", ["b", "·b", "é ", " b\f"], ids=ascii)
def test_a_name_without_an_end_is_seen_however_it_is_broken(part, line_end):
    assert has_endless_name("from a" + f".\\{line_end}{part}" * 20_000 + " import b")


def test_many_long_names_count_together():
    assert has_endless_name(("import a" + "." + "b" * 2000 + ".b" * 400 + "\n") * 80)


def test_a_text_with_many_dots_is_no_name():
    assert not has_endless_name("import numpy.random\nx = 'import. " + "One sentence, or two. " * 5000 + "'\n")


def test_what_names_make_of_a_mapping_is_bounded():
    text = "x0=[9]\n" + "".join(f"x{n}=[x{n - 1},x{n - 1}]\n" for n in range(1, 30)) + "f(x3, x29)\n"
    scopes = Scopes(read_python(Code(Text(text, "a.py"))))
    (call,) = (each for each in scopes.calls if isinstance(each.func, ast.Name))
    few, many = (Values(scopes).of(each).value for each in call.args)
    assert len(few) == 2 and len(repr(many)) < 20_000


def test_many_commands_of_many_configs(tmp_path, monkeypatch):
    from grpo_lint.checker.contexts import Around
    from grpo_lint.engine import lint_path

    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(HEAD + CALL * 40)
    (tmp_path / "run.sh").write_text("".join(LAUNCHES.splitlines(keepends=True)[:10]))
    monkeypatch.chdir(tmp_path)
    report = lint_path("train.py", Around().of("train.py"), fixes=False)
    assert len(report.launches) == 120
    assert any("run.sh" in str(each.values.get("problem")) for each in report.findings if each.rule.code == "GRPO905")


@pytest.mark.parametrize("first", ["a, b = 1, 2", "a = 1"])
def test_the_last_of_several_bindings_counts_however_it_is_written(first):
    scopes = Scopes(read_python(Code(Text(f"{first}\na = 3\nf(a)\na, b = 4, 5\n", "a.py"))))
    assert Values(scopes).of(scopes.calls[0].args[0]).value == 3


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("sign", ["é", "组", "😀", "a"], ids=ascii)
@pytest.mark.parametrize("count", [3, 5000])
def test_places_in_a_line_of_any_length(count, sign, line_end):
    text = Text(f"# é{line_end}x = '{sign * count}'; f('{sign}', last){line_end}y = 1{line_end}", "a.py")
    source = read_python(Code(text))
    places = {node.id: (source.start(node), source.end(node)) for node in source.nodes if isinstance(node, ast.Name)}
    assert all(text.text[start:end] == name for name, (start, end) in places.items()) and len(places) == 4


def test_more_settings_than_are_looked_at_is_told(tmp_path, monkeypatch):
    from grpo_lint.checker.contexts import Around
    from grpo_lint.engine import lint_path

    (tmp_path / ".git").mkdir()
    items = ",".join(f"'k{n}':1" for n in range(300))
    (tmp_path / "a.py").write_text(f"{HEAD}{CALL}d={{{items}}}\nGRPOConfig(num_generations=7{',**d' * 400})\n")
    monkeypatch.chdir(tmp_path)
    report = lint_path("a.py", Around().of("a.py"), fixes=False)
    assert len(report.launches) == 1
    (told,) = (each for each in report.findings if each.rule.code == "GRPO905")
    assert "settings" in str(told.values["problem"])


def test_a_class_that_is_made_from_itself(tmp_path, monkeypatch):
    from grpo_lint.checker.contexts import Around
    from grpo_lint.engine import lint_path

    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    own = "class GRPOConfig(GRPOConfig):\n    num_generations: int = 7\n" * 2
    for head, count in (("", 0), (HEAD, 1)):
        (tmp_path / "a.py").write_text(head + own + "GRPOConfig(per_device_train_batch_size=3)\n")
        report = lint_path("a.py", Around().of("a.py"), fixes=False)
        assert len(report.launches) == count and "GRPO906" not in {each.rule.code for each in report.findings}


def test_a_name_bound_often_and_used_in_many_functions_is_looked_up_once():
    def calls_of(count):
        text = "class Own(object): 0\n" * count + "def main():\n    Own()\n" * count
        scopes, calls = Scopes(read_python(Code(Text(text, "a.py")))), 0

        def note(frame, event, argument):
            nonlocal calls
            calls += event == "call"

        sys.setprofile(note)
        try:
            configs_of(scopes)
        finally:
            sys.setprofile(None)
        return calls

    assert calls_of(200) < 3 * calls_of(100)


def test_the_modules_of_a_program_are_read_once_whatever_number_of_commands_starts_it(tmp_path, monkeypatch):
    from grpo_lint.checker.contexts import Around
    from grpo_lint.engine import lint_path
    from grpo_lint.launch import python_configs

    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    read = []
    monkeypatch.setattr(python_configs, "read_python", lambda code: read.append(code) or read_python(code))
    files = {
        "train.py": "from own import Own\nOwn()\n" + HEAD + CALL,
        "own.py": "class Own: pass\n",
        "run.sh": LAUNCHES,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert len(lint_path("train.py", Around().of("train.py"), fixes=False).launches) > 50
    assert [each.text.path for each in read] == ["own.py"]
