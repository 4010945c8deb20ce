"""Changes of an input that mostly keep its structure: lines, keys, values, flags, here-documents, and typical
attacks."""

import re

LONGEST = 12_000  # bytes of an input; limits have tests of their own

KEYS = """
num_generations per_device_train_batch_size gradient_accumulation_steps steps_per_generation generation_batch_size num_iterations
per_device_eval_batch_size num_generations_eval world_size max_steps num_train_epochs use_vllm vllm_mode vllm_tensor_parallel_size
loss_type beta epsilon scale_rewards importance_sampling_level reward_funcs reward_weights deepspeed rlhf_type model dataset
micro_batch_size global_batch_size tensor_model_parallel_size pipeline_model_parallel_size expert_model_parallel_size train_iters
learning_rate output_dir eval_strategy eval_steps save_steps load_best_model_at_end bf16 fp16 async_generate vllm_server_host
max_completion_length max_prompt_length config seed env rlhf <<
""".split()

VALUES = (
    r"""
0 1 2 3 7 8 12 16 64 -1 -8 1.5 1e-6 5e-6 .5 1e400 0x10 010 0o7 1_000 1:30 true false yes no on null ~ '' "" nan .inf -.inf 99999999999999999999
auto grpo gspo dapo dr_grpo bnpo sequence token server colocate steps epoch none zero3.json config.yaml {} [] [1,2] {a:1} [[1],{b:2}] *a &a
$N ${N:-4} $((2*4)) $(nproc) "$@" ${A[@]} !!int !!python/name:os.system !x 2020-01-01 {{x}} 'it''s' "\e[31m" "\u202e" | > |- >+ é 😀 \
""".split()
    + ["", " ", "a b", "# x", "'", '"']
)

LINES = """
# grpo-lint: dialect=trl version=1.16.0 world-size=8
# grpo-lint: ignore[GRPO203] reason
# grpo-lint: ignore-file[rollout-holds-whole-groups]
<<: *a
a: &a {num_generations: 8}
---
...
- run: |
    swift rlhf --rlhf_type grpo --num_generations 8 --per_device_train_batch_size 3 --model m --dataset d
command: [bash, -c, "torchrun --nproc_per_node 8 train.py --config config.yaml"]
cat > config.yaml <<EOF
EOF
export NPROC_PER_NODE=8
#SBATCH --gres=gpu:8 --nodes 2
accelerate launch --num_processes 8 train.py --config config.yaml \\
  --num_generations 8 \\
if [ "$X" = 1 ]; then
fi
for n in 1 2 4; do
done
case $X in a) N=1;; esac
f() { swift rlhf "$@"; }
ARGS=(--num_generations 8)
swift rlhf "${ARGS[@]}" --model m
""".strip("\n").split("\n")

ATTACKS = [
    "\x1b[31m", "\x1b]8;;http://x\x07y\x1b]8;;\x07", "\x1b]52;c;eA==\x07", "\x9b31m", "\x85", "\u202e", "\u2066", "\u200b", "\ufeff", "\u2028", "\r", "\b",
    "\0", "\t", "\x7f", "::error ::x", "\n::set-output name=a::b", "##[error]x", "##vso[task.setvariable variable=a]b", "##teamcity[buildStop]", "]]>", "<script>alert(1)</script>",
    "&amp;", "[x](javascript:y)", "![x](http://y)", "`x`", "| a | b |", "@everyone", "#1", "%0A::error::x", "%", "\ud800", "\U000e0041", "{0}", "{x.y}", "%s",
]  # fmt: skip

SIGNS = list("\"'`$(){}[]<>|&;:#,!*?@%\\=-~ \t\n") + [
    "\r\n",
    "<<EOF",
    "$(",
    "${",
    "$((",
    "))",
    "\\\n",
    ": ",
    "- ",
    "? ",
    "&&",
    "||",
    " #",
]
LINE_BREAKS = ("\n", "\r\n", "\r")


def mutated(data, chance, others, longest=LONGEST):
    """An input changed at random, possibly with parts of other inputs."""
    text = data.decode("utf-8", "surrogateescape")
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        text = chance.choice(_CHANGES)(text, chance, others)
    return text.encode("utf-8", "surrogatepass" if _has_lone_surrogates(text) else "surrogateescape")[:longest]


def _has_lone_surrogates(text):
    return any("\ud800" <= character <= "\udc7f" or "\udd00" <= character <= "\udfff" for character in text)


def _on_lines(change):
    """A change of a list of lines as a change of a text."""

    def changed(text, chance, others):
        lines = text.splitlines(keepends=True) or [""]
        at = chance.randrange(len(lines))
        change(lines, at, chance)
        return "".join(lines)

    return changed


@_on_lines
def _drop(lines, at, chance):
    del lines[at : at + chance.choice((1, 1, 2, 4))]


@_on_lines
def _repeat(lines, at, chance):
    lines[at:at] = lines[at : at + chance.choice((1, 1, 3))] * chance.choice((1, 1, 2, 20))


@_on_lines
def _move(lines, at, chance):
    line = lines.pop(at)
    lines.insert(chance.randrange(len(lines) + 1), line)


@_on_lines
def _indent(lines, at, chance):
    shift = chance.choice((" ", "  ", "\t", "    "))
    for row in range(at, min(at + chance.choice((1, 1, 3)), len(lines))):
        lines[row] = lines[row][1:] if chance.random() < 0.4 else shift + lines[row]


@_on_lines
def _new_value(lines, at, chance):
    """Change the value of a `key: value`, a `KEY=value`, a `--flag value`."""
    line, value = lines[at], chance.choice(VALUES)
    lines[at] = re.sub(
        r"(:\s+|=|--\w+[ =])(\S.*?)?(\s*\\?\r?\n?)$", lambda match: f"{match[1]}{value}{match[3]}", line, count=1
    )


@_on_lines
def _new_key(lines, at, chance):
    lines[at] = re.sub(
        r"(--|^\s*(?:- )?)[\w-]+(?=[:= ])", lambda match: match[1] + chance.choice(KEYS), lines[at], count=1
    )


@_on_lines
def _add_setting(lines, at, chance):
    key, value = chance.choice(KEYS), chance.choice(VALUES)
    if lines[at].rstrip().endswith("\\") or lines[at].lstrip().startswith("--"):
        lines.insert(at, f"  --{key} {value} \\\n")
    else:
        indent = re.match(r"[ ]*(?:- )?", lines[at])[0]
        lines.insert(at, f"{indent}{key}: {value}{chance.choice(('', '', '  # x'))}\n")


@_on_lines
def _add_line(lines, at, chance):
    lines.insert(at, chance.choice(LINES) + "\n")


@_on_lines
def _join(lines, at, chance):
    lines[at] = lines[at].rstrip("\r\n") + chance.choice(("", " ", ", "))


def _insert(words):
    def insert(text, chance, others):
        at = chance.randrange(len(text) + 1)
        return text[:at] + chance.choice(words) * chance.choice((1, 1, 1, 2, 30)) + text[at:]

    return insert


def _cut(text, chance, others):
    start = chance.randrange(len(text) + 1)
    return text[:start] + text[start + chance.choice((1, 1, 2, 10, 100)) :]


def _truncate(text, chance, others):
    return text[: chance.randrange(len(text) + 1)]


def _new_number(text, chance, others):
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return text
    match = chance.choice(numbers)
    return text[: match.start()] + chance.choice(VALUES[:26]) + text[match.end() :]


def _borrow(text, chance, others):
    """Insert a few lines of another input."""
    lines = chance.choice(others).decode("utf-8", "surrogateescape").splitlines(keepends=True) or [""]
    start, at = chance.randrange(len(lines)), chance.randrange(len(text) + 1)
    at = text.rfind("\n", 0, at) + 1 if chance.random() < 0.8 else at
    return text[:at] + "".join(lines[start : start + chance.choice((1, 2, 5, 20))]) + text[at:]


def _quote(text, chance, others):
    """Put quotes, brackets or a substitution around a word."""
    words = list(re.finditer(r"\S+", text))
    if not words:
        return text
    match = chance.choice(words)
    before, after = chance.choice(
        (
            ("'", "'"),
            ('"', '"'),
            ("[", "]"),
            ("{", "}"),
            ("$(", ")"),
            ("`", "`"),
            ("${", "}"),
            ("&", ""),
            ("*", ""),
            ("!", ""),
        )
    )
    return text[: match.start()] + before + match[0] + after + text[match.end() :]


def _line_breaks(text, chance, others):
    return chance.choice(LINE_BREAKS).join(text.splitlines()) + chance.choice(("", "\n"))


_CHANGES = (
    *(
        _drop,
        _repeat,
        _move,
        _indent,
        _add_line,
        _join,
        _cut,
        _truncate,
        _quote,
        _line_breaks,
        _borrow,
        _borrow,
        _insert(SIGNS),
        _insert(ATTACKS),
    ),
    *(
        _new_value,
        _new_value,
        _new_value,
        _new_key,
        _add_setting,
        _add_setting,
        _add_setting,
        _new_number,
        _new_number,
        _insert(VALUES),
    ),
)
