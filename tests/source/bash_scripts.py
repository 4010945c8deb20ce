"""Harmless random scripts, what bash makes of them, and whether a reading of them agrees.

The one command of these scripts is `show ID words...`. In bash it is a function that prints its words and the exported
variables.
"""

import re
import shutil
import subprocess

from grpo_lint.source.shell.reader import read_shell
from grpo_lint.source.text import Text

SCALARS = "A", "B", "C", "D"
ARRAYS = "V", "W"

PRELUDE = r"""
exec 3>&1 >/dev/null
FUNCNEST=20
show() {
    {
        printf '%s\0' show "$#" "$@"
        local name
        for name in A B C D; do
            if [[ ${!name@a} == *x* ]]; then printf '%s\0' "$name=${!name}"; else printf '%s\0' ""; fi
        done
    } >&3
}
cat() { local text; IFS= read -r -d '' text; printf '%s' "$text"; }
scripts=("$@")
set --
for index in "${!scripts[@]}"; do
    ( eval "${scripts[$index]}"$'\n'"printf '%s\\0' end >&3" )
    printf '%s\0' next >&3
    printf '%s\0' next >&2
done
"""


# Everything else that bash complains about may have ended a subshell.
_MISSING_PROGRAM = re.compile(r"grep: (?:command not found|No such file or directory)$")


def run_bash(scripts):
    """For each script the commands it ran, [(words, environment)], and whether bash came to its end without refusing
    anything."""
    command = [shutil.which("bash"), "--norc", "-c", PRELUDE, "bash", *scripts]
    environment = {"PATH": "/nonexistent", "LC_ALL": "C.UTF-8"}
    result = subprocess.run(
        command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60, env=environment, check=True, cwd="/"
    )
    complaints = result.stderr.decode().split("next\0")
    tokens = iter(result.stdout.decode().split("\0"))
    runs = []
    run = []
    ended = False
    for token in tokens:
        if token == "next":
            clean = all(_MISSING_PROGRAM.search(line) for line in complaints[len(runs)].splitlines())
            runs.append((run, ended and clean))
            run = []
            ended = False
        elif token == "end":
            ended = True
        elif token == "show":
            words = [next(tokens) for _ in range(int(next(tokens)))]
            pairs = [next(tokens) for _ in SCALARS]
            run.append((words, dict(pair.split("=", 1) for pair in pairs if pair)))
    assert len(runs) == len(scripts), (len(runs), len(scripts))
    return runs


class Agreement:
    """Compares readings with runs, and counts the words that were known."""

    def __init__(self):
        self.words = 0
        self.known = 0
        self.commands = 0

    def differences(self, text, run, ended):
        """What bash does otherwise than we say, as sentences."""
        commands = [command for command in read_shell(Text(text)).commands if command.words[0].value == "show"]
        by_id = {}
        for command in commands:
            by_id.setdefault(command.words[1].value, []).append(command)
        found = []
        ended = ended and "break" not in text and "return" not in text
        runs_by_id = {}
        for words, environment in run:
            runs_by_id.setdefault(words[0], []).append((words, environment))
        for name, candidates in by_id.items():
            ran = runs_by_id.pop(name, [])
            certain = [command for command in candidates if not command.conditional]
            if len(ran) < len(certain) and ended:
                found.append(f"{name} should run {len(certain)} times, not {len(ran)}")
            if len(certain) == len(candidates) == len(ran):
                pairs = [([command], each) for command, each in zip(candidates, ran, strict=True)]
            else:
                pairs = [(candidates, each) for each in ran]
            for possible, (words, environment) in pairs:
                self._count(possible)
                if not any(self.agrees(command, words, environment) for command in possible):
                    found.append(
                        f"{name}: bash has {words} {environment}, we have {[describe(command) for command in possible]}"
                    )
        found += [f"{name} runs, and we do not know it" for name in runs_by_id]
        return found

    def _count(self, commands):
        self.commands += 1
        for word in commands[0].words[2:]:
            self.words += 1
            self.known += word.value is not None

    @staticmethod
    def agrees(command, words, environment):
        expected = command.environment
        for name in SCALARS:
            value = expected[name].value if name in expected else None
            if value is not None and value != environment.get(name):
                return False
        if set(environment) - set(expected):
            return False
        return matches(command.words[1:], words)


def matches(ours, theirs):
    """Whether words with unknown parts can be these words."""
    pattern = []
    for word in ours:
        parts = []
        for piece in word.pieces:
            parts.append("[^\0]*" if piece.text is None else re.escape(piece.text))
        one = "".join(parts)
        if word.glob:
            one = "[^\0]*"
        pattern.append("(?:[^\0]*\0)*" if word.many else f"{one}\0")
    return re.fullmatch("".join(pattern), "".join([f"{word}\0" for word in theirs]), re.DOTALL) is not None


def describe(command):
    words = " ".join(repr(word.shown("<?>")) + "*" * word.many for word in command.words[1:])
    return f"{words} { {name: word.shown('<?>') for name, word in command.environment.items()} } conditional={command.conditional}"


class Generator:
    """Random scripts from a `random.Random`, or anything with its `choice`, `random` and `randint`."""

    def __init__(self, random):
        self.random = random
        self.shows = 0
        self.loops = 0
        self.defined = 0
        self.functions = []

    def pick(self, *choices):
        return self.random.choice(choices)()

    def chance(self, probability):
        return self.random.random() < probability

    def script(self):
        lines = []
        if self.chance(0.8):
            lines += [
                f"{name}={self.quoted(self.literal() if self.chance(0.5) else self.number())}" for name in SCALARS
            ]
            lines += [f"{name}=({self.words()})" for name in ARRAYS]
            lines += [f"set -- {self.words()}"]
        for _ in range(self.random.randint(2, 9)):
            lines.append(self.statement(2))
        lines.append(self.show())
        return "\n".join(lines) + "\n"

    def scalar(self):
        return self.random.choice(SCALARS)

    def array(self):
        return self.random.choice(ARRAYS)

    def number(self):
        return str(self.random.choice([0, 1, 2, 3, 4, 7, 8, 16, 64]))

    def literal(self):
        return self.random.choice(
            [
                "--flag",
                "8",
                "a b",
                "x=y",
                "",
                "1e-6",
                "true",
                "a\\b",
                "  two  blanks ",
                "it's",
                'say "hi"',
                "$A",
                "#no",
                "a#b",
                "{x}",
                "é",
                "*",
                "a/b/c.yaml",
                "k:v",
                "~",
            ]
        )

    def quoted(self, text):
        """A literal in one of the ways to write it."""
        single = "'" + text.replace("'", "'\\''") + "'"
        double = '"' + re.sub(r'([$`"\\])', r"\\\1", text) + '"'
        ansi = "$'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
        forms = [single, double, ansi]
        if re.fullmatch(r"[\w./:=-]+", text):
            forms += [text] * 4
        elif text:
            forms.append(re.sub(r"([^\w])", r"\\\1", text))
        return self.random.choice(forms)

    def parameter(self, depth):
        name = self.scalar()
        array = self.array()
        return self.random.choice(
            [
                lambda: f"${name}",
                lambda: f"${{{name}}}",
                lambda: f"${{{name}:-{self.default(depth)}}}",
                lambda: f"${{{name}-{self.default(depth)}}}",
                lambda: f"${{{name}:+{self.default(depth)}}}",
                lambda: f"${{{name}:={self.default(depth)}}}",
                lambda: f"${{#{name}}}",
                lambda: (
                    f"${{{name}{self.random.choice(['%', '%%', '#', '##'])}{self.random.choice(['*/', '/*', '.*', '*b', 'a?', ' *', '8'])}}}"
                ),
                lambda: (
                    f"${{{name}/{self.random.choice(['a', ' ', 'b', '/', '8'])}/{self.random.choice(['', 'z', '9'])}}}"
                ),
                lambda: f"${{{name}{self.random.choice(['^^', ',,'])}}}",
                lambda: f"${{{name}:{self.random.choice('0123')}}}",
                lambda: f"${{{name}:1:2}}",
                lambda: f"${{{array}[{self.random.choice('012')}]}}",
                lambda: f"${{{array}}}",
                lambda: f"${{#{array}[@]}}",
                lambda: f"$(({self.arithmetic(2)}))",
                lambda: f"$(echo {self.word(0)})",
                lambda: self.random.choice(["$1", "$2", "$#", "${1:-8}", "${2-x}"]),
            ]
        )()

    def default(self, depth):
        return (
            self.random.choice(["8", "a b", "", "x", '"q r"', "'s t'"])
            if depth <= 0 or self.chance(0.6)
            else self.parameter(depth - 1)
        )

    def list(self):
        return self.random.choice(
            [f"${{{self.array()}[@]}}", f"${{{self.array()}[*]}}", "$@", "$*", f"${{{self.array()}[@]:1}}", "${@:2}"]
        )

    def word(self, depth=1):
        parts = []
        for _ in range(self.random.choice([1, 1, 1, 1, 1, 2, 3])):
            parts.append(
                self.pick(
                    lambda: self.quoted(self.literal()),
                    lambda: self.quoted(self.literal()),
                    lambda: self.parameter(depth),
                    lambda: f'"{self.parameter(depth)}"',
                    lambda: f'"a{self.parameter(depth)} b{self.parameter(depth)}"',
                    lambda: self.list(),
                    lambda: f'"{self.list()}"',
                    lambda: f'"x{self.list()}y"',
                )
            )
        return "".join(parts)

    def words(self, most=3):
        return " ".join(self.word() for _ in range(self.random.randint(0, most)))

    def arithmetic(self, depth):
        if depth == 0 or self.chance(0.3):
            return self.random.choice([self.number(), self.scalar(), f"${self.scalar()}", f"${{{self.scalar()}}}"])
        if self.chance(0.2):
            return f"({self.arithmetic(depth - 1)})"
        operator = self.random.choice(["+", "-", "*", "/", "%", "**", "<", ">=", "==", "&&", "||"])
        return f"{self.arithmetic(depth - 1)} {operator} {self.arithmetic(depth - 1)}"

    def show(self, words=None):
        self.shows += 1
        prefix = "".join(f"{self.prefix()} " for _ in range(self.random.choice([0, 0, 0, 1, 2])))
        words = self.words(4) if words is None else words
        if self.chance(0.2):
            words = words.replace(" ", " \\\n  ", 1)
        comment = self.random.choice(["", "", "", " # a comment"])
        redirection = self.random.choice(["", "", "", " 2>&1", " 2>/dev/null", " </dev/null"])
        return f"{prefix}show s{self.shows} {words}{redirection}{comment}"

    def assignment(self):
        name = self.scalar()
        return self.random.choice(
            [
                lambda: f"{name}={self.quoted(self.number())}",
                lambda: f"{name}={self.number()}",
                lambda: f"{name}={self.word()}",
                lambda: f"{name}+={self.word()}",
                lambda: f"{name}={self.word()} {self.scalar()}={self.word()}",
                lambda: f"export {name}={self.word()}",
                lambda: f"export {name}",
                lambda: f"export -n {name}",
                lambda: f": ${{{name}:={self.default(1)}}}",
                lambda: f"{self.array()}=({self.words()})",
                lambda: f"{self.array()}=(\n  {self.word()}  # first\n\n  {self.word()}\n)",
                lambda: f"{self.array()}+=({self.words()})",
                lambda: f"(({name} = {self.arithmetic(2)}))",
                lambda: f"let {name}={self.number()}*2",
                lambda: f"(({name}++))",
                lambda: f"unset {name}",
                lambda: f"{self.array()}[1]={self.word()}",
                lambda: f"read {name} <<< {self.word()}",
                lambda: f'set -- {self.quoted(self.literal())} ${name} "$1"',
                lambda: "shift",
                lambda: f"declare {name}={self.word()}",
                lambda: f"printf -v {name} %s x",
                lambda: f"{name}=$(cat <<'EOF'\n--x 1\n  y\nEOF\n)",
            ]
        )()

    def condition(self):
        return self.random.choice(
            [
                lambda: f'[ "${self.scalar()}" = {self.quoted(self.literal())} ]',
                lambda: f'[ -z "${self.scalar()}" ]',
                lambda: f'[ -n "${{{self.scalar()}:-}}" ]',
                lambda: f"[ ${self.scalar()} -gt {self.number()} ]",
                lambda: f"[[ ${self.scalar()} == {self.word()} ]]",
                lambda: f"[[ -n ${self.scalar()} && ${self.scalar()} != 8 ]]",
                lambda: f"(( {self.arithmetic(2)} ))",
                lambda: "[ $# -lt 1 ]",
                lambda: "true",
                lambda: "false",
                lambda: f"! [ -z ${self.scalar()} ]",
                lambda: "grep -q x y",
            ]
        )()

    def block(self, depth):
        return "\n".join(f"  {self.statement(depth - 1)}" for _ in range(self.random.randint(1, 3)))

    def statement(self, depth):
        if depth == 0 or self.chance(0.55):
            return self.random.choice([self.assignment, self.assignment, self.show])()
        return self.random.choice(
            [
                lambda: f"if {self.condition()}; then\n{self.block(depth)}\nfi",
                lambda: f"if {self.condition()}; then\n{self.block(depth)}\nelse\n{self.block(depth)}\nfi",
                lambda: (
                    f"if {self.condition()}; then\n{self.block(depth)}\nelif {self.condition()}; then\n{self.block(depth)}\nelse\n{self.block(depth)}\nfi"
                ),
                lambda: f"for {self.scalar()} in {self.words()}; do\n{self.block(depth)}\ndone",
                lambda: (
                    f"for {self.scalar()} in {self.words()}; do\n{self.block(depth)}\n  {self.condition()} && break\n{self.block(depth)}\ndone"
                ),
                lambda: self.counted("for (({0} = 0; {0} < 2; {0}++)); do\n", depth),
                lambda: self.counted("{0}=2\nwhile (({0}-- > 0)); do\n", depth),
                lambda: (
                    f"case {self.word()} in\n  {self.quoted(self.literal())}) {self.statement(0)} ;;\n  8|16)\n{self.block(depth)}\n  ;;\n  *) {self.statement(0)} ;;\nesac"
                ),
                lambda: f"( {self.statement(depth - 1)}\n{self.show()}\n)",
                lambda: f"{{ {self.statement(depth - 1)}\n}}",
                lambda: f"{self.condition()} && {self.statement(0)}",
                lambda: f"{self.condition()} || {self.statement(0)}",
                lambda: f"{self.statement(0)} && {self.statement(0)} && {self.statement(0)}",
                lambda: self.function(depth),
                lambda: self.call(),
                lambda: f"C='show e{self.shows} {self.number()}'\nC+=\" --x $A\"\n$C",
                lambda: f"eval {self.quoted(self.show())}",
                lambda: f"eval {self.quoted(self.assignment())}",
                lambda: f'V=(show v{self.random.randint(0, 99)} {self.words()})\n"${{V[@]}}" {self.word()}',
                lambda: f"{self.show()} | : ",
                lambda: f"cat > /dev/null <<EOF\n{self.parameter(1)} 'x\nEOF",
            ]
        )()

    def prefix(self):
        """An assignment in front of a command. `A=${A:=8} show` sets two variables of one name: not for us."""
        return f"{self.scalar()}={self.word()}".replace(":=", ":-")

    def function(self, depth):
        self.defined += 1
        name = f"f{self.defined}"
        known, self.functions = self.functions, []  # a function that calls itself would never end
        body = self.block(depth)
        if self.chance(0.4):
            body = f"  local {self.scalar()}={self.word()}\n" + body
        if self.chance(0.2):
            body += f"\n  {self.condition()} && return\n{self.block(depth)}"
        self.functions = [*known, name]
        return f"{name}() {{\n{body}\n}}\n{self.call()}"

    def counted(self, head, depth):
        """A loop with a counter of its own, so that no other loop keeps it from ending."""
        self.loops += 1
        return head.format(f"i{self.loops}") + self.block(depth) + "\ndone"

    def call(self):
        if not self.functions:
            return ":"
        prefix = f"{self.prefix()} " if self.chance(0.2) else ""
        return f"{prefix}{self.random.choice(self.functions)} {self.words()}"
