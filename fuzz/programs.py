"""Python files and notebooks generated at random: configs in calls, in mappings, in classes, lists of flags, cells that
write files and start commands."""

import json
from functools import cache

from grpo_lint.frameworks.registry import framework as framework_named

from .mutations import ATTACKS, KEYS, VALUES, mutated
from .values import long_text, number, word

_HEADS = (
    "from trl import GRPOConfig\n",
    "from trl import GRPOConfig as C, RLOOConfig\nGRPOConfig = C\n",
    "import trl\nGRPOConfig = trl.GRPOConfig\n",
    "from unsloth import GRPOConfig\n",
    "from swift.llm import RLHFArguments, rlhf_main\nGRPOConfig = RLHFArguments\n",
    "from swift.megatron import MegatronRLHFArguments as GRPOConfig, megatron_rlhf_main as rlhf_main\n",
    "from trl import *\n",
    "try:\n    from trl import GRPOConfig\nexcept ImportError:\n    GRPOConfig = None\n",
    "from .other import GRPOConfig\n",
)
_LINES = (
    "N = 8",
    "N += 1",
    "N = int(os.environ['N'])",
    "global N",
    "if x:\n    N = 4",
    "for N in range(3): pass",
    "config.num_generations = 4",
    "setattr(config, 'beta', 0.1)",
    "CONFIG['num_generations'] = 4",
    "CONFIG.update(a=1)",
    "X.append('--beta')",
    "X += ['--beta', '1']",
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--num_generations', type=int, default=8)\nargs = p.parse_args()",
    "from dataclasses import dataclass\n@dataclass\nclass Own(GRPOConfig):\n    num_generations: int = 7\n    extra: str = 'x'",
    "class Own(GRPOConfig): pass\nclass Own2(Own): pass",
    "def f(num_generations=8, *rest, **more):\n    return GRPOConfig(num_generations=num_generations, **more)",
    "with pytest.raises(ValueError):\n    GRPOConfig(num_generations=3)",
    "exec('N = 3')",
    "# grpo-lint: version=1.16.0 world-size=8",
    "# grpo-lint: ignore[GRPO203]",
    "# grpo-lint: ignore-file[GRPO2]",
    "# grpo-lint: expect completions_per_update=64",
    "match x:\n    case {'a': N}: pass",
    "lambda N=3: N",
    "[N for N in range(3)]",
    "N: int",
    "del N",
    "async def g(): await h()",
    "f'{N!r:>{N}}'",
    "'''\\nGRPOConfig(\n'''",
    "x = 1; y = GRPOConfig(num_generations=5)",
    "\\",
    "print(N, file=sys.stderr)",
)
_MAGICS = (
    "!pip install trl==0.19.1 -q",
    "%matplotlib inline",
    "!accelerate launch --num_processes 3 train.py --config run.yaml --num_generations 8 --per_device_train_batch_size 4",
    '!swift rlhf --rlhf_type grpo --model "m" \\\n    --num_generations 8 \\\n    --per_device_train_batch_size 3',
    "!NPROC_PER_NODE={N} swift rlhf run.yaml --num_generations $N",
    "x = !ls",
    "%%time",
    "?print",
    "!bash train.sh",
    "!trl grpo --config run.yaml --learning_rate 1e-6",
)
_WRITERS = ("%%writefile run.yaml", "%%writefile ./train.sh", "%%file train.py", "%%writefile -a run.yaml", "%%writefile {N}", "%%writefile acc.yaml",
            "%%writefile a/../run.yaml", "%%writefile 'run.yaml'", "%%bash", "%%sh", "%%script bash", "%%html", "%%writefile")  # fmt: skip


def value(chance):
    """A Python expression as the value of a setting."""
    kind = chance.random()
    if kind < 0.3:
        return chance.choice(
            (
                "8",
                "1",
                "2",
                "4",
                "3",
                "N",
                "N * 2",
                "-8",
                "8.0",
                "1e-6",
                "True",
                "False",
                "None",
                '"no"',
                "'Cosine'",
                "[1, 2]",
                "(1,)",
            )
        )
    if kind < 0.45:
        return repr(word(chance))
    if kind < 0.55:
        return number(chance)
    if kind < 0.6:
        return repr(chance.choice(ATTACKS) + long_text(chance)[:200])
    if kind < 0.65:
        deep = chance.choice((3, 30, 200))
        return chance.choice(("(", "[", "-", "not ", "1 + ")) * deep + "8" + chance.choice((")", "]", "")) * deep
    if kind < 0.7:
        return repr(chance.choice(VALUES))
    return chance.choice(
        ("args.num_generations", "CONFIG['a']", "int('8')", "max(2, 4)", "2 ** 63", "9 ** 9 ** 9", "1 / 0", "1 % 0", "f'{N}'", "x if y else z", "8 if y else 8",
         "lambda: 8", "b'8'", "8j", "...", "{'a': 8}", "{1: 2}", "{**CONFIG}", "[*X]", "N @ N", "8 or 4", "'8' '9'", "u'é'", "r'\\d'", "self.n", "cls", "__file__", "(N := 3)")
    )  # fmt: skip


def _settings(chance):
    names = KEYS
    if chance.random() < 0.3:
        names = sorted(framework_named(chance.choice(("trl", "swift", "megatron"))).catalogue.names())
    chosen = chance.sample(list(names), min(chance.choice((1, 2, 4, 8)), len(names)))
    given = (
        {"per_device_train_batch_size": "4", "num_generations": "8", "rlhf_type": "'grpo'"}
        if chance.random() < 0.8
        else {}
    )
    return {**given, **{name: value(chance) for name in chosen if name.isidentifier()}}


def _call(chance):
    settings = _settings(chance)
    gap = chance.choice((", ", ",\n    ", ",  # x\n    "))
    given = gap.join(f"{name}{chance.choice(('=', ' = '))}{each}" for name, each in settings.items())
    items = gap.join(f"{name!r}: {each}" for name, each in settings.items())
    quoted = {name: each if each[:1] in ("'", '"') else repr(each) for name, each in settings.items()}
    words = gap.join(f"'--{name}', {each}" for name, each in quoted.items())
    return chance.choice(
        (
            f"config = GRPOConfig(\n    {given},\n)",
            f"config = GRPOConfig({given})",
            f"config = GRPOConfig('out', {given}, **more)",
            f"CONFIG = {{{items}}}\nconfig = GRPOConfig(**CONFIG)",
            f"config = GRPOConfig(**dict({given}))",
            f"config = Own({given})",
            f"rlhf_main([{words}])",
            f"X = [\n    {words},\n]\nrlhf_main(X)",
            f"rlhf_main(args=[{words}] + X)",
            f"rlhf_main(GRPOConfig({given}))",
            f"def main():\n    return GRPOConfig({given})",
        )
    )


def _text(chance):
    parts = [chance.choice(_HEADS)]
    parts += chance.sample(_LINES, chance.choice((0, 1, 2, 4)))
    parts.append(_call(chance))
    parts += chance.sample(_LINES, chance.choice((0, 0, 1, 2)))
    if chance.random() < 0.2:
        parts.append(_call(chance))
    return chance.choice(("\n", "\n", "\n", "\r\n")).join(parts) + chance.choice(("\n", "\n", ""))


def python(chance):
    """A Python file."""
    data = _text(chance).encode("utf-8", "surrogatepass")
    return mutated(data, chance, [data]) if chance.random() < 0.3 else data


def _cell(chance, texts):
    kind = chance.random()
    if kind < 0.4:
        return _text(chance)
    if kind < 0.6:
        return chance.choice(_MAGICS) + chance.choice(("", "\n", "\nN = 3\n"))
    if kind < 0.9:
        return chance.choice(_WRITERS) + "\n" + chance.choice(texts)
    return chance.choice(_LINES)


@cache
def _others():
    from .corpus import configs, scripts

    return configs(), scripts()


def notebook(chance):
    """A notebook with the JSON formatting of one of several programs."""
    texts = [
        *(each.decode("utf-8", "replace") for several in _others() for each in chance.sample(several, 3)),
        _text(chance),
    ]
    cells = []
    for _ in range(chance.choice((1, 2, 3, 6))):
        source = _cell(chance, texts)
        if chance.random() < 0.3:
            source = mutated(source.encode("utf-8", "surrogatepass"), chance, [b"x"]).decode("utf-8", "replace")
        held = source if chance.random() < 0.3 else source.splitlines(keepends=True)
        cells.append(
            {"cell_type": chance.choice(("code", "code", "code", "code", "markdown")), "metadata": {}, "source": held}
        )
    if chance.random() < 0.3:
        cells[0]["outputs"] = [{"data": {"text/plain": "GRPOConfig(num_generations=8)"}, "source": ["x"]}]
    made = {"cells": cells, "metadata": {}, "nbformat": 4}
    text = json.dumps(
        made, indent=chance.choice((None, 0, 1, 4)), ensure_ascii=chance.random() < 0.5, sort_keys=chance.random() < 0.3
    )
    data = text.encode("utf-8", "surrogatepass")
    return mutated(data, chance, [data]) if chance.random() < 0.15 else data
