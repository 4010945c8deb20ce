"""The reader of shell scripts: values, origins, what stays unknown, and that no text is too much for it."""

import cProfile
import random

import pytest
from bash_scripts import Agreement, Generator, run_bash
from hypothesis import given, settings, strategies as st

from conftest import counted
from grpo_lint.source.shell import syntax
from grpo_lint.source.shell.arithmetic import evaluate
from grpo_lint.source.shell.reader import read_shell
from grpo_lint.source.shell.syntax import Parser
from grpo_lint.source.shell.tree import Piece, Source
from grpo_lint.source.text import Text


def read(source):
    return read_shell(Text(source))


def last(source):
    """The last command of a script."""
    return read(source).commands[-1]


def values(source):
    """The words of the last command behind its name."""
    return [word.value for word in last(source).words[1:]]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x --a 1 \\\n  --b 2", ["--a", "1", "--b", "2"]),
        ("x 'a b' \"c d\" e\\ f g'h'\"i\"", ["a b", "c d", "e f", "ghi"]),
        ("x $'a\\tb\\'c' $\"d\" \\$A '$A'", ["a\tb'c", "d", "$A", "$A"]),
        ("x a#b 'c' # d", ["a#b", "c"]),
        ("A=1; x $A ${A} \"$A\" '$A' a${A}b", ["1", "1", "1", "$A", "a1b"]),
        ('A="1 2"; x $A "$A"', ["1", "2", "1 2"]),
        ('A=; x $A "$A" b', ["", "b"]),
        ("x ${A:-8} ${A-9} ${A:-} ${B:=7} $B", ["8", "9", "7", "7"]),
        ("A=4; x ${A:-8} ${A:+set} ${A:?must be set}", ["4", "set", "4"]),
        (
            'A=(1 "2 3"); A+=(4); x "${A[@]}" ${#A[@]} ${A[1]} "${A[*]}" $A',
            ["1", "2 3", "4", "3", "2", "3", "1 2 3 4", "1"],
        ),
        ('A=(); x "${A[@]}" ${A[@]+"${A[@]}"} b', ["b"]),
        ("A=6; x $((A / 4)) $((A ** 2 % 5)) $((-A / 4)) $((A > 5 && 1)) $((16#f))", ["1", "1", "-1", "1", None]),
        (
            "A=a/b/c.yaml; x ${A##*/} ${A%.yaml} ${A%%/*} ${A#*/} ${A/b/z} ${A//\\//-} ${#A}",
            ["c.yaml", "a/b/c", "a", "b/c.yaml", "a/z/c.yaml", "a-b-c.yaml", "10"],
        ),
        ("A=aB; x ${A^^} ${A,,} ${A:1} ${A:0:1}", ["AB", "ab", "B", "a"]),
        ("C='x a'; C+=\" b\"; $C", ["a", "b"]),
        ("C=\"x 'a b'\"; $C", ["'a", "b'"]),
        ("C=\"x 'a b'\"; eval $C", ["a b"]),
        ("f() { x $1 \"$@\" $#; }; f a 'b c'", ["a", "a", "b c", "2"]),
        ("f() { local A=2; x $A; }; A=1; f; x $A", ["1"]),
        ("f() { A=2; }; A=1; f; x $A", ["2"]),
        ("A=1; (A=2); x $A", ["1"]),
        ("A=1; A=2 | cat; x $A", ["1"]),
        ("A=1; A=2 & x $A", ["1"]),
        ("A=1 B=2; A=3 x $A", ["1"]),
        ("set -- a b; x $2 $#; shift; x $1", ["b"]),
        ("x $(echo a b) \"$(echo 'c d')\"", ["a", "b", "c d"]),
        ("x $(dirname a/b/c) >&2 2>/dev/null <y", ["a/b"]),
        ("A=1; if [ $A = 1 ]; then B=yes; else B=no; fi; x $B", ["yes"]),
        ("if true; then A=1; fi; case b in a) B=1;; b|c) B=2;; *) B=3;; esac; x $A $B", ["1", "2"]),
        ("for A in 5; do B=$A; done; x $B", ["5"]),
        ("for A in 5; do for B in 6; do break; done; C=$A; done; x $C", ["5"]),
        ("export A=1; bash -c 'x $A $B'", ["1", None]),
        ('A=1; sh -c "x $A"', ["1"]),
    ],
)
def test_known_values(source, expected):
    assert values(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "x $A",
        "x $1",
        'x "$@"',
        "x $(date)",
        "x `date`",
        "A=$(date); x ${A:-8}",
        "A=1; if test -f a; then A=2; fi; x $A",
        "A=1; test -f a && A=2; x $A",
        "A=1; while read B; do A=2; done; x $A",
        "for A in 1 $B; do x $A; done",
        "for A in *; do x $A; done",
        "read A; x $A",
        "A=1; read A; x $A",
        "A=1; unset A; x $A",
        "A=1; for B in 1 $C; do x $A; A=$B; done",
        "declare -i A=1+1; x $A",
        "A=1; printf -v A %s 2; x $A",
        "getopts ab: A; x $A",
        "x *.yaml",
        "x {1..{2,3}}",
        "x ~/a",
        "x $RANDOM",
        "x ${HOME:-a}",
        "#SBATCH --nodes=2\nx ${SLURM_JOB_ID:-1}",
        "A=1; x $((A + B))",
        "A=08; x $((A + 1))",
        "x $((1 / 0))",
        "x ${!A}",
        "A=(a [5]=b); x ${A[1]}",
        "x <(date)",
        "A=1; bash -c 'x $A'",
        "f() { x $A; }; f\nA=1; f() { A=3; }; if test -f a; then f; fi; x $A",
        "A=1; f() { if test -f a; then return; fi; A=2; }; f; x $A",
        "A=1; trap 'x $B' EXIT; declare -n A=B; x $A",
        "IFS=,; A=1,2; x $A",
        "A=${A:-}; x $A",
        'A="${A-}"; x "$A"',
        "A=${A:-''}; x $A",
        "A=${1:-}; x $A",
        "export A=${A:-}; x $A",
        "f() { local A=${A:-}; x $A; }; f",
        ": ${A:=}; x $A",
        ': "${A=}"; x $A',
    ],
)
def test_unknown_values(source):
    assert values(source) == [None]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("for A in 1 2; do x $A; done", [["1"], ["2"]]),
        ("L=(4 8); for A in ${L[@]}; do x $A; done", [["4"], ["8"]]),
        ("for A in 4 6; do for B in 1 2; do x $A $B; done; done", [["4", "1"], ["4", "2"], ["6", "1"], ["6", "2"]]),
        ("A=1; for B in 2 3; do x $A; A=$B; done; x $A", [["1"], ["2"], ["3"]]),
        ("for A in 1 2 3; do if [ $A = 2 ]; then continue; fi; x $A; done", [["1"], ["3"]]),
        ("for A in 1 2 3; do [ $A = 2 ] && break; x $A; done; x $A", [["1"], ["2"]]),
        ("for A in 1 2; do test -f a && break; x $A; done", [[None]]),  # nobody knows how many rounds there are
        ("for A in 1 2; do for B in 3 4; do x $A; break 2; done; done", [[None]]),
        ("for A in 1 $B; do x $A; done", [[None]]),
        (f"for A in {' '.join(map(str, range(25)))}; do x $A; done", [[None]]),
    ],
)
def test_the_rounds_of_a_loop_over_known_words(source, expected):
    commands = [command for command in read(source).commands if command.words[0].value == "x"]
    assert [[word.value for word in command.words[1:]] for command in commands] == expected


def test_loops_with_too_many_rounds_are_noted():
    script = read("for A in 1 2 3 4 5; do\n  for B in 1 2 3 4 5; do x $A $B; done\ndone\n")
    assert [[word.value for word in command.words] for command in script.commands] == [
        ["x", str(number), None] for number in range(1, 6)
    ]
    assert {problem.kind for _, _, problem in script.loops} == {"too-many-rounds"}
    loops = "".join(f"for A in {' '.join('12345678')}; do x $A; done\n" for _ in range(10))
    assert len(read(loops).commands) == 6 * 8 + 4 and len(read(loops).loops) == 4


def test_what_is_wrong_in_a_loop_is_told_once():
    script = read("for A in 1 2 3; do bash -c 'x \\\n\n--b'; done")
    assert len(script.lost) <= 1 and len(script.problems) <= 1 and len(script.commands) >= 3


OF_THE_CALLER = [
    "A=${A:-}",
    'A="${A-}"',
    "A=${A:-''}",
    "A=${B:-}",
    "A=${1:-}",
    "export A=${A:-}",
    "readonly A=${A:-}",
    ": ${A:=}",
    ': "${A=}"',
    "",
]


@pytest.mark.parametrize(
    "check",
    [
        '[ -z "$A" ] && exit 1',
        "[ -z $A ] && exit 1",
        "[ -z ${A:-} ] && exit 1",
        "[ ${A:-} ] || exit 1",
        "[ ! ${A:-} ] && exit 1",
        "[[ -z ${A:-} ]] && exit 1",
        'test -z "$A" && exit 1',
        '[ "$A" = "" ] && exit 1',
        '[ "$A" ] || exit 1',
        'if [ -z "$A" ]; then echo A?; exit 1; fi',
        "if [ ! $A ]; then exit 1; fi",
        "case $A in '') exit 1;; esac",
    ],
)
@pytest.mark.parametrize("source", OF_THE_CALLER)
def test_a_script_goes_on_behind_a_check_of_what_the_caller_gives(source, check):
    """An empty default is none: the value is the caller's, who may give one or not."""
    command = last(f"{source}\n{check}\nx $A")
    assert (command.words[0].value, command.conditional, command.words[1].value) == ("x", False, None)


def test_a_script_ends_behind_a_check_of_what_it_left_empty():
    assert last('y\nA=\n[ -z "$A" ] && exit 1\nx').words[0].value == "["


@pytest.mark.parametrize(
    ("test", "expected"),
    [('[ "$A" != "" ]', "8"), ('[ "" == "$A" ]', "9"), ('[ -n "$A" ]', "8"), ("[[ $A == '' ]]", "9")],
)
def test_what_the_caller_may_leave_out_is_taken_to_be_left_out(test, expected):
    word = last(f"A=${{A:-}}; if {test}; then B=9; else B=8; fi; x $B").words[1]
    assert (word.value, word.overridable) == (expected, True)


def test_the_beginning_of_an_array_is_known():
    words = last('A=(--a 1)\nif test -f x; then A+=(--b 2); fi\nA+=(--c 3)\nx "${A[@]}"').words[1:]
    assert [word.value for word in words] == ["--a", "1", None, "--c", "3"]
    assert [word.many for word in words] == [False, False, True, False, False]


ARRAY = 'A=(--a 1)\n{}x "${{A[@]}}" $@'


@pytest.mark.parametrize(
    ("between", "known", "sure"),
    [
        ("S=${S:-y}; [ $S = y ] && A+=(--b 2)\n", ["--a", "1", "--b", "2"], 2),  # only what a default adds hangs on it
        ("S=${S:-y}; if [ $S = y ]; then A+=(--b 2); fi\n", ["--a", "1", "--b", "2"], 2),
        ("S=${S:-y}; if [ $S = y ]; then [ $D ] && A+=(--b 2); fi\n", ["--a", "1"], 2),
        ("S=${S:-y}; if [ $S = y ]; then if [ $D = 1 ]; then A+=(--b 2); fi; fi\n", ["--a", "1"], 2),
        ("S=${S:-y}; if [ $S = y ]; then case $D in 1) A+=(--b 2);; 2) A+=(--c);; esac; fi\n", ["--a", "1"], 2),
        ("S=${S:-y}; if [ $S = y ]; then A=(--c 3); fi\n", ["--c", "3"], 0),
        ('if [ $D = 1 ]; then A=(--a "${V:-1}" --b); fi\n', ["--a", "1"], 1),  # the same value, once by a default
    ],
)
def test_what_a_guess_adds_to_an_array_takes_nothing_away(between, known, sure):
    words = last(ARRAY.format(between)).words[1:]
    assert [word.value for word in words if word.value is not None] == known
    assert [word.overridable for word in words[: len(known)]] == [False] * sure + [True] * (len(known) - sure)
    assert words[-1].many


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("if [ $M = a ]; then B=1; else B=2; fi\nif [ $M = b ]; then x $B $M; fi", [None, None]),
        ("if [ $M = a ]; then B=1; else B=2; fi\nif [ $M = a ]; then x $B $M; fi", ["1", "a"]),
        ("B=1; if [ $M = b ]; then B=2; fi\nif [ $M = b ]; then x $B; fi", [None]),
        ("B=1; [ $M = b ] && B=2\n[ $M = b ] && x $B", [None]),
        ("B=1; [ $M = a ] && B=2\n[ $M = a ] || x $B", [None]),
        ("case $M in b) B=2;; a) B=1;; esac\ncase $M in b) x $B;; esac", [None]),
        ("case $M in b) B=2;; a) B=1;; esac\nif [ $B = 1 ]; then C=3; fi\n[ $M = b ] && x $C", [None]),
        ("if [ $M = a ]; then if [ $N = 1 ]; then B=1; fi; fi\nif [ $N = 2 ]; then x $B; fi", [None]),
        # what is set anew, and what another variable decides, holds
        ("if [ $M = a ]; then B=1; else B=2; fi\nB=3\nif [ $M = b ]; then x $B; fi", ["3"]),
        ("if [ $N = 1 ]; then B=1; else B=2; fi\nif [ $M = b ]; then x $B; fi\n", ["1"]),
        ("if [ $M = a ]; then B=1; fi\nif [ $M = b ]; then y; fi\nx $B", ["1"]),
        (
            'A=(--a 1)\nif [ $M = a ]; then A+=(--b 2); fi\nif [ $M = b ]; then x "${A[@]}"; fi',
            ["--a", "1", None, None, None],
        ),
    ],
)
def test_where_a_default_is_not_in_force_what_it_decided_is_unknown(script, expected):
    assert values(f"M=${{M:-a}}; N=${{N:-1}}\n{script}") == expected


def test_origins():
    source = "A=8\nB=\"${C:-16}\"\nx --a $A --b=$B '32' $((A * 2)) y$A"
    command = last(source)
    a, b, quoted, computed, composed = [command.words[index] for index in (2, 3, 4, 5, 6)]
    assert (source[slice(*a.origin)], a.origin) == ("8", (2, 3))
    flag, value = b.partition("=")
    assert (flag.value, value.value, value.overridable) == ("--b", "16", True)
    assert source[slice(*value.origin)] == "16"
    assert source[slice(*quoted.origin)] == "32"
    assert (computed.value, computed.origin, source[computed.start : computed.end]) == ("16", None, "$((A * 2))")
    assert (composed.value, composed.origin) == ("y8", None)
    assert (source[a.start : a.end], source[b.start : b.end]) == ("$A", "--b=$B")


def test_partition():
    def parts(source):
        before, after = last(source).words[1].partition("=")
        return before.shown(), after and (after.value, after.origin and source[slice(*after.origin)])

    assert parts("x --a=b=c") == ("--a", ("b=c", "b=c"))
    assert parts("x --a=") == ("--a", ("", ""))
    assert parts("x --a='b c'") == ("--a", ("b c", "b c"))
    assert parts("x --a=$B") == ("--a", (None, None))
    assert parts("x $B=c")[1] is None
    assert parts("x --a") == ("--a", None)


def test_words_of_an_array_stand_in_the_array():
    source = 'A=(--a "b c")\nx "${A[@]}"'
    words = last(source).words
    assert [source[word.start : word.end] for word in words] == ["x", "--a", '"b c"']


def test_nested_scripts_point_into_the_file():
    source = 'N=4\nsrun bash -c "x --a \\"$N\\" \'b c\'"'
    command = last(source)
    assert [word.value for word in command.words] == ["x", "--a", "4", "b c"]
    assert [source[slice(*word.origin)] for word in command.words] == ["x", "--a", "4", "b c"]


def test_environment():
    script = read("A=1\nexport A B=2\nC=3\nD=4 x\nexport -n B; set -a; E=5; set +a; F=6\ny")
    x, y = [command for command in script.commands if command.words[0].value in ("x", "y")]
    assert {name: word.value for name, word in x.environment.items()} == {"A": "1", "B": "2", "D": "4"}
    assert {name: word.value for name, word in y.environment.items()} == {"A": "1", "E": "5"}
    assert (x.variable("C").word.value, x.variable("C").exported, x.variable("G")) == ("3", False, None)
    assert list(x.assignments) == ["D"]


def test_environment_of_one_branch_is_unknown():
    command = last("if test -f a; then export A=1; fi\nx")
    assert command.environment["A"].value is None


@pytest.mark.parametrize(
    ("source", "word"),
    [
        (": ${A:=8}; x $A", "8"),
        ('if [ -z "$A" ]; then A=8; fi; x $A', "8"),
        ("x $((${A:-4} * 2))", "8"),
        ("A=8; source settings.sh; x $A", "8"),
        ("A=${1:-8}; x $A", "8"),
        ('A=8\nwhile [ $# -gt 0 ]; do case $1 in --a) A="$2"; shift 2 ;; *) shift ;; esac; done\nx $A', "8"),
        ("A=8\nwhile getopts a: o; do case $o in a) A=$OPTARG ;; esac; done\nx $A", "8"),
        ('A=${B:-4}; if [ "$A" = 4 ]; then C=8; else C=9; fi; x $C', "8"),
    ],
)
def test_overridable(source, word):
    found = last(source).words[1]
    assert (found.value, found.overridable) == (word, True)


@pytest.mark.parametrize("value", ["", "$B", "$(date)"])
def test_what_only_the_caller_or_a_program_says_is_unknown(value):
    """An empty default is none; what a loop makes of a value is unknown in its next round."""
    assert last(f"A={value}\nwhile [ $# -gt 0 ]; do A=$1; shift; done\nx $A").words[1].value is None
    assert last("A=8\nwhile [ $# -gt 0 ]; do A=$((A + 1)); shift; done\nx $A").words[1].value is None


def test_conditional_commands():
    script = read(
        'a\nif test -f x; then b; else c; fi\nd || e\nf && g\n[ -n "$A" ] && h\nfor i in 1 2; do j; done\nexit\nk'
    )
    assert {command.words[0].value: command.conditional for command in script.commands if command.words[0].value not in ("test", "[")} == {
        "a": False, "b": True, "c": True, "d": False, "e": True, "f": False, "g": False, "h": True, "j": False,
    }  # fmt: skip


def test_a_function_that_nobody_calls_is_conditional():
    script = read("f() { a $1; }\nb")
    assert [(command.words[0].value, command.conditional) for command in script.commands] == [("b", False), ("a", True)]


def test_calls_are_remembered():
    source = "f() { x $1; }\nf 1\nf 2"
    assert [source[slice(*command.call)] for command in read(source).commands] == ["f 1", "f 2"]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("x 'a\ny b", "unterminated"),
        ('x "a\ny b', "unterminated"),
        ("x $(a\ny b", "unterminated"),
        ("x ${a\ny b", "unterminated"),
        ("if a; then\ny b", "unterminated"),
        ("cat <<EOF\ny b", "endless"),
        ("fi\ny b", "unexpected"),
        ("&& x\ny b", "unexpected"),
        ("x --a 8\\\n--b 1", "glued"),
        ("x\r\ny b\r\n", "crlf"),
        ("x\0\ny b", "nul"),
        ("(" * 100 + "\ny b", "too-deep"),
    ],
)
def test_problems(source, kind):
    script = read(source)
    assert kind in [problem.kind for problem in script.problems]
    if kind not in ("too-deep", "glued") and "EOF" not in source:
        assert [word.value for word in script.commands[-1].words] == ["y", "b"]


# Against bash


@pytest.mark.slow
def test_agrees_with_bash():
    """Random scripts of assignments, quotes, arrays, arithmetic, branches, loops and functions. What we know is what
    bash has."""
    agreement = Agreement()
    scripts = [Generator(random.Random(seed)).script() for seed in range(1_000)]
    wrong = []
    for start in range(0, len(scripts), 100):
        batch = scripts[start : start + 100]
        for text, (run, ended) in zip(batch, run_bash(batch), strict=True):
            wrong += [(difference, text) for difference in agreement.differences(text, run, ended)]
    counted.append(
        f"shell scripts run by bash: {len(scripts)}, words compared {agreement.words}, known to us {agreement.known}"
    )
    assert not wrong, "\n".join(wrong[0])
    assert agreement.commands > 2_000
    assert agreement.known / agreement.words > 0.4


def test_simple_scripts_are_known():
    """What is literal is known, all of it: straight scripts of plain assignments and quoted words."""
    agreement = Agreement()
    scripts = []
    for seed in range(200):
        generator = Generator(random.Random(seed))
        lines = [f"{name}={generator.quoted(generator.literal())}" for name in "ABCD"]
        words = [
            f'"${generator.scalar()}"' if index % 2 else generator.quoted(generator.literal()) for index in range(6)
        ]
        scripts.append("\n".join([*lines, generator.show(" ".join(words).replace("*", "+"))]) + "\n")
    wrong = []
    for text, (run, ended) in zip(scripts, run_bash(scripts), strict=True):
        wrong += [(difference, text) for difference in agreement.differences(text, run, ended)]
    assert not wrong, "\n".join(wrong[0])
    assert agreement.known == agreement.words > 1_000


def arithmetic():
    numbers = st.integers(0, 70).map(str) | st.sampled_from(["010", "0x1F", "A", "B"])
    operators = st.sampled_from("+ - * / % << >> < <= == != && || & | ^".split())

    def extend(inner):
        return (
            st.tuples(inner, operators, inner).map(" ".join)
            | inner.map("({})".format)
            | st.tuples(st.sampled_from("- + ! ~".split()), inner).map(" ".join)
            | st.tuples(inner, inner, inner).map(lambda each: "({} ? {} : {})".format(*each))
        )

    return st.recursive(numbers, extend, max_leaves=8)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(arithmetic(), min_size=20, max_size=20))
def test_arithmetic_agrees_with_bash(expressions):
    scripts = [f"A=8 B=-3; show s $(({expression}))\n" for expression in expressions]
    for expression, (run, _) in zip(expressions, run_bash(scripts), strict=True):
        value = evaluate(expression, {"A": 8, "B": -3}.get)
        if value is not None:
            assert run and run[0][0] == ["s", str(value)], expression


# Any text

TOKENS = """
    ' " ` $( ${ $(( )) ) } { ( <<EOF EOF \\ if then fi for in do done case esac ;; && || | & ; $ @ [@] [[ ]] # = += eval exit return break
    ~ * [ ] <( local export shift % / :- := A f() -x bash -c cat > x cd declare -n é
""".split() + ["\n", "\\\n", "\\ \n", "\r\n", "\0", " ", "\t", "set -- "]  # fmt: skip


def check(source):
    """Read a text and look at everything: nothing raises, and every origin is what it says."""
    script = read(source)
    for command in script.commands:
        assert 0 <= command.start <= command.end <= len(source)
        for word in [*command.words, *command.environment.values()]:
            assert 0 <= word.start <= word.end <= len(source)
            word.partition("=")
            command.path(word)
            if word.origin:
                written = source[slice(*word.origin)].replace("\r\n", "\n").replace("\0", "\ufffd")
                assert written == word.shown()
    for problem in script.problems:
        assert 0 <= problem.offset <= problem.end


@settings(max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=40), st.sampled_from(["", " "]))
def test_any_text_is_read(tokens, glue):
    check(glue.join(tokens))


OPENERS = [
    "(",
    "( ",
    "((",
    "$(",
    "$((",
    "[[ ",
    "{ ",
    "${",
    "${A:-",
    "${#",
    "`",
    "'",
    '"',
    "$'",
    '$"',
    "$[",
    "<(",
    "A=(",
    "for ((",
    "@(",
    "cat <<E\n",
    "case x in ",
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_openers_in_any_order_are_read(seed):
    """Deeper than is read, and never closed: the rest is given up in the middle of everything."""
    random_ = random.Random(seed)
    for _ in range(100):
        some = random_.sample(OPENERS, random_.randint(1, len(OPENERS)))
        rows = (random_.choice(some) * random_.choice((1, 1, 1, 14, 28)) for _ in range(random_.randint(1, 60)))
        check("".join(rows) + random_.choice(["", "x", ")", "))", "}", "grpo\n"]))


@settings(max_examples=200)
@given(st.integers(0, 10_000), st.data())
def test_mutated_scripts_are_read(seed, data):
    source = Generator(random.Random(seed)).script()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(source)))
        insert = data.draw(st.sampled_from(TOKENS))
        source = source[:at] + insert + source[at + data.draw(st.integers(0, 3)) :]
    check(source)


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "$(" * 50_000,
        "${" * 50_000,
        "$((" * 30_000,
        "(" * 100_000,
        "{ " * 50_000,
        "`" * 99_999,
        '"$(' * 30_000,
        'A="$(\n' * 10_000,
        "if " * 30_000,
        "case x in " * 5_000,
        "A=x\n" + "A=$A$A\n" * 5_000,
        "A=(x)\n" + 'A+=("${A[@]}")\n' * 5_000 + 'x "${A[@]}"',
        "for i in 1 2; do " * 28 + "A=2; x\n" * 500 + "done;" * 28,
        "f() { f; f; }\nf\n" * 100,
        "".join(f"f{i}() {{ f{i + 1}; f{i + 1}; }}\n" for i in range(100)) + "f0\n",
        'A=\'eval "$A"\'\neval "$A"\n',
        "A=$((" + "(" * 30_000 + "1",
        "A=$((" + "1+" * 30_000 + "1))",
        "cat " + "<<E " * 5_000,
        "a && " * 10_000 + "b",
        "A=" + "x" * 50_000 + "\n" + "x $A\n" * 2_000,
        "".join(f"A{i}=1\nsource a\n" for i in range(3_000)),
        "#SBATCH " + "-" * 100_000,
        "{" * 200_000,
        "x " + "[" * 200_000,
        "$[" * 500_000,
        "(x\n" + "#" * 100 + "\n)\n-y z",
        "((($(($(($(($(($(($(($(($(($(($(($(([[ $(x",
        "(" * 14 + "((${`",
        "( " * 28 + "$((${A:-`$'",
    ],
    ids=lambda source: source[:12].encode("unicode_escape").decode(),
)
def test_hostile_texts_are_read(source):
    read(source)  # in a second or two; a quadratic reading would take the night


def calls(source):
    """How many functions are called to read a text."""
    profile = cProfile.Profile()
    profile.runcall(read, source)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.slow
@pytest.mark.parametrize(
    "opener",
    [
        "(",
        "$(",
        "{ ",
        '"',
        "`",
        "((",
        "$((",
        "${",
        "case x in ",
        "if ",
        "x <<A\n",
        "x=(",
        "[[ ",
        "f() { ",
        "x & ",
        "x\n-y\n",
    ],
)
def test_twice_the_text_is_twice_the_work_at_most(opener):
    # `((` is tried as arithmetic first, over a bounded length: the shorter text is longer than that.
    count = 12_000 // len(opener)
    assert calls(opener * 2 * count) < 2.2 * calls(opener * count)


def test_what_the_header_asks_slurm_for_is_known_in_the_job():
    script = read(
        "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gres=gpu:8\nexport GPUS=$SLURM_GPUS_ON_NODE\nx $SLURM_NNODES $((SLURM_NNODES * GPUS)) $SLURM_JOB_ID\n"
    )
    words = script.commands[0].words
    assert [word.value for word in words] == ["x", "2", "16", None]
    assert words[1].overridable and words[2].overridable, "sbatch may be given other numbers"


STARTED_BY_OTHERS = [
    ("docker run --rm -it --gpus all -v $PWD:/w -w /w -e A=1 --env B=2 img:1 x y", ["x", "y"], {"A": "1", "B": "2"}),
    ("sudo docker exec -itu root -eA=1 box x y", ["x", "y"], {"A": "1"}),
    ("docker run $OPTIONS $IMAGE x y", ["x", "y"], {}),
    ("docker run --entrypoint x img y", ["x", "y"], {}),
    ("docker compose -f d.yaml run --rm service x y", ["x", "y"], {}),
    ("podman run img bash -c 'A=1 x y'", ["x", "y"], {"A": "1"}),
    ("kubectl -n ml exec -it pod -c main -- x y", ["x", "y"], {}),
    ("kubectl run --image i --env=A=1 pod -- x y", ["x", "y"], {"A": "1"}),
    ("ssh -p 22 -o B=c -tt me@host 'cd /w && export A=1 && x y'", ["x", "y"], {"A": "1"}),
    ("ssh host A=1 x y", ["x", "y"], {"A": "1"}),
    ("ssh host <<EOF\nx y\nEOF", None, {}),
    ("tmux new-session -d -s t 'A=1 x y'", ["x", "y"], {"A": "1", "C": "3"}),
    ("tmux new -d -s t \\; send-keys -t t 'x y' Enter", ["x", "y"], {"C": "3"}),
    ("tmux send-keys -t t:0 'x y' C-m", ["x", "y"], {"C": "3"}),
    ("screen -dmS name x y", ["x", "y"], {"C": "3"}),
    ("sbatch --parsable -N 1 --wrap='x y'", ["x", "y"], {"C": "3"}),
    ("sbatch --wrap \"A=$C x y\"", ["x", "y"], {"C": "3", "A": "3"}),
    ("su - me -c 'x y'", ["x", "y"], {"C": "3"}),
    ("xargs -n1 -P 4 x y", ["x", "y", None], {"C": "3"}),
    ("xargs -I{} x {} a{}b c", ["x", None, None, "c"], {"C": "3"}),
    ("parallel -j 2 'x --a {} y' ::: 1 2", ["x", "--a", None, "y"], {"C": "3"}),
    ("srun --job-name parallel env x y", None, {}),
    ("B=2 docker run -e C -e B -e D img x y", ["x", "y"], {"B": "2", "C": "3"}),
    ("sudo -E -u me docker run img x y", ["x", "y"], {}),
    ("docker build -t run .", None, {}),
    ("docker run img", None, {}),
    ("kubectl get pods", None, {}),
    ("ssh host", None, {}),
    ("sbatch x y", None, {}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "words", "environment"), STARTED_BY_OTHERS)
def test_what_other_programs_start(source, words, environment):
    """In a container, on another machine, in a terminal, for each line of the input. What is far has its own environment."""
    found = [each for each in read(f"export C=3\n{source}\n").commands if each.words[0].value == "x"]
    assert [[word.value for word in each.words] for each in found] == ([] if words is None else [words])
    for each in found:
        assert {name: word.value for name, word in each.environment.items()} == environment


def test_a_function_that_calls_itself_is_followed_three_times():
    commands = read('f() { train "$1"; f "${1}x"; }\nf a\n').commands
    assert [command.words[1].value for command in commands] == ["a", "ax", "axx"]


def test_here_documents_in_what_may_be_arithmetic_are_not_read_again_and_again(monkeypatch):
    opened, began = [], Parser.__init__
    monkeypatch.setattr(
        Parser, "__init__", lambda self, *given, **more: opened.append(1) or began(self, *given, **more)
    )
    for line in ("cat $((<<EOF\n", "cat <<EOF $((\n", "cat $(<<EOF\n"):
        opened.clear()
        read_shell(Text(line * 14, "run.sh"))
        assert len(opened) < 10 * 14, line


@pytest.mark.parametrize("line", ["<<<<<<< HEAD", ">>>>>>> theirs"])
def test_a_conflict_of_a_merge_is_called_one(line):
    problems = read_shell(Text(f"a\n{line}\nb\n")).problems
    assert "merge conflict" in str(problems[0].message) and problems[0].offset == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("{1..4}", ["1", "2", "3", "4"]),
        ("s{08..10..2}", ["s08", "s10"]),
        ("{c..a}x", ["cx", "bx", "ax"]),
        ("a{1,,3}{x,y}", ["a1x", "a1y", "ax", "ay", "a3x", "a3y"]),
        ("{a,{b,c}}", [None]),  # not read
        ("{1..999}", [None]),
        ("{1..x}", [None]),
    ],
)
def test_braces_are_expanded(words, expected):
    script = read_shell(Text(f"run {words}\n"))
    assert [word.value for word in script.commands[0].words[1:]] == expected
    other = read_shell(Text("#!/bin/sh\nrun {1,2}\n"))  # which may not expand them
    assert other.commands[0].words[1].value is None


# --- commands of plain words, which are read at once ------------------------------------------------------------------


class Never:
    """A pattern that nothing matches."""

    def match(self, *place):
        return None


def told(node):
    """All that a node of the tree says, as a text."""
    if isinstance(node, (list, tuple)):
        return f"[{', '.join(map(told, node))}]"
    names = [name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ()) if name != "always"]
    names += getattr(node, "__dict__", ())
    inner = [f"{name}={told(getattr(node, name))}" for name in names if hasattr(node, name)]
    return f"{type(node).__name__}({', '.join(inner)})" if inner else repr(node)


def read_in_both_ways(text, monkeypatch):
    """What a script says where commands of plain words are read at once, and where they are not."""
    for pattern in (syntax._PLAIN_COMMAND, Never()):
        with monkeypatch.context() as patched:
            patched.setattr(syntax, "_PLAIN_COMMAND", pattern)
            problems, script = [], read_shell(Text(text))
            tree = Parser(Source([Piece(text, 0, len(text), exact=True)]), problems, []).script()
        commands = [(each.start, each.end, [told(word) for word in each.words]) for each in script.commands]
        yield told(tree), told(problems), commands, told(script.lost)


@pytest.mark.parametrize(
    "text",
    [
        "echo run 5\n", "echo a \\\n  b\\\n c", "echo a\\\nb c", "a=1 b\n", "export A=1 B=2\n", "echo A=1 # a\n", "if a\nthen b\nfi\n", "then\n", "done a\n",
        "f () { a; }\n", "a b (c)\n", "a 2>b\n", "a 2\n--flag 8\n", "a \\ \n --flag 8\n", "a b &\n", "a && b c\nc\n", "echo \\\n", "echo a \\\n\n b\n", "time a b\n",
        "function a\n", "]] a\n", "{ a b\n}\n", "for x in a b; do\n a $x\n b c\ndone\n", "a <<E\nx y\nE\nb c\n", "é ü\n", "a\r\nb c\r\n", "-x a\n", "a b  \n\tc d\t\n",
    ],
)  # fmt: skip
def test_a_command_of_plain_words_is_read_as_any_other(text, monkeypatch):
    at_once, word_by_word = read_in_both_ways(text, monkeypatch)
    assert at_once == word_by_word


def test_generated_scripts_are_read_alike_in_both_ways(monkeypatch):
    for seed in range(150):
        at_once, word_by_word = read_in_both_ways(Generator(random.Random(seed)).script(), monkeypatch)
        assert at_once == word_by_word, seed


def test_few_calls_are_made_for_a_command_of_plain_words():
    few, many = ("".join(f"echo run {number}\n" for number in range(count)) for count in (10, 110))
    assert (calls(many) - calls(few)) / 100 < 130  # each as any other: 195
