"""A launch script as the list of the commands it would run, each word with its value and the place the value comes from.

Nothing is executed. The reader walks through the script with a table of the variables whose values are written there; what depends on
the caller, on another program or on a branch that cannot be decided is unknown, and stays so in everything made from it. Commands in
branches and loops are reported, too, and marked as conditional.

Three things are taken for granted. A variable with a default (`${X:-8}`) has it, marked as overridable, because the caller may give
another one; so has whatever was known before a file is sourced. A program that fails ends the script: `mkdir x && cd x` changes the folder.
And a program that is not in the script does not change its variables.
"""

import re
from bisect import bisect_right
from posixpath import dirname, join, normpath

from .shell_arithmetic import assigned, evaluate, integer
from .shell_syntax import (
    DECLARATIONS,
    UNKNOWN,
    Arithmetic,
    Assignment,
    Case,
    For,
    Function,
    Group,
    If,
    Literal,
    Opaque,
    Parameter,
    Parser,
    Piece,
    Pipeline,
    RawWord,
    Simple,
    Source,
    Substitution,
    Test,
    While,
)
from .text import Problem

# What a folder can be relative to.
START = "start"  # the folder that the script is started in
SCRIPT = "script"  # the folder of the script
REPOSITORY = "repository"  # the top of the git repository
ABSOLUTE = "absolute"  # nothing: it begins with a slash

# The script itself, as a place; `dirname` makes it the folder.
_SCRIPT_FILE = "$0"

# Values that the system or bash gives, or Slurm gives a job: always there, so a default for them says nothing.
_GIVEN = frozenset(
    "HOME USER LOGNAME PATH SHELL PWD OLDPWD HOSTNAME LANG TERM UID EUID PPID RANDOM SECONDS LINENO FUNCNAME IFS OPTIND OPTARG "
    "REPLY PIPESTATUS BASHPID BASH BASH_VERSION BASH_SOURCE DIRSTACK GROUPS HOSTTYPE MACHTYPE OSTYPE SHLVL SRANDOM EPOCHSECONDS _".split()
)

# What Slurm tells a job about itself, by the options that ask for it; `sbatch` may be given others.
_SLURM = {
    **dict.fromkeys(("--nodes", "-N"), ("SLURM_NNODES", "SLURM_JOB_NUM_NODES")),
    **dict.fromkeys(("--ntasks", "-n"), ("SLURM_NTASKS", "SLURM_NPROCS")),
    "--ntasks-per-node": ("SLURM_NTASKS_PER_NODE",),
    "--gpus-per-node": ("SLURM_GPUS_PER_NODE", "SLURM_GPUS_ON_NODE"),
    "--gres": ("SLURM_GPUS_ON_NODE",),
}

# The table holds more than variables; these names cannot be those of a variable.
_FOLDER = " folder"
_FOLDER_BEFORE = " folder before"
_FOLDER_STACK = " folder stack"
_ARGUMENTS = " arguments"

# Bounds: nesting while running, and the size of one value. All work together is bounded by the size of the script.
_DEPTH = 40
_RECURSION = 3
_PIECES = 500
_CHARACTERS = 100_000

# How a command ends. A default stands behind the two assumed ones; LIKELY is a program of which nothing is known.
_YES, _NO, _ASSUMED_YES, _ASSUMED_NO, _LIKELY, _OPEN = "yes", "no", "assumed yes", "assumed no", "likely", "open"
_INVERSE = {_YES: _NO, _NO: _YES, _ASSUMED_YES: _ASSUMED_NO, _ASSUMED_NO: _ASSUMED_YES, _LIKELY: _OPEN, _OPEN: _OPEN}

_QUESTIONS = frozenset("grep egrep command which type hash pgrep pidof diff cmp ping nc mountpoint nvidia-smi read getopts".split())
_SUCCEEDS = frozenset(": true echo export set unset shopt trap pushd popd umask ulimit".split())
_SHELLS = frozenset("bash sh zsh dash ksh".split())
# Sourced, these prepare programs, not the variables of a launch.
_ACTIVATION = re.compile(r"(?:^|/)(?:activate|conda\.sh|mamba\.sh|modules\.sh|bash|\.?(?:bashrc|profile|bash_profile|zshrc))$")

_GLOB = re.compile(r"[*?]|\[.*\]", re.DOTALL)
_FIELD = re.compile(r"[ \t\n]+|[^ \t\n]+")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_COMPARISONS = {
    "-eq": lambda left, right: left == right,
    "-ne": lambda left, right: left != right,
    "-lt": lambda left, right: left < right,
    "-le": lambda left, right: left <= right,
    "-gt": lambda left, right: left > right,
    "-ge": lambda left, right: left >= right,
}
_HEADER = re.compile(r"^#SBATCH[ \t]+([^\n]*)", re.MULTILINE)
_HEADER_OPTION = re.compile(r"""(--[\w-]+|-[A-Za-z])(?:(?:=|[ \t]+|(?<=-[A-Za-z])(?=[^\s=-]))("[^"\n]*"|'[^'\n]*'|[^\s#"'-][^\s]*))?""")


class Word:
    """One word of a command, as the program gets it, or the value of a variable.

    `start`, `end`: where it is written; for an element of an array that is its place in the array. `pieces`: what it is made of.
    """

    __slots__ = ("start", "end", "pieces", "glob", "_value")

    def __init__(self, start, end, pieces, glob=False):
        self.start = start
        self.end = end
        self.pieces = pieces
        self.glob = glob

    @property
    def value(self):
        """The text, or None when a part of it is unknown or stands for the names of files."""
        try:
            return self._value
        except AttributeError:
            known = not self.glob and all(piece.text is not None for piece in self.pieces)
            self._value = "".join([piece.text for piece in self.pieces]) if known else None
            return self._value

    @property
    def many(self):
        """Whether it may turn out to be any number of words: `"$@"`, an unknown `$X` without quotes, a pattern of file names."""
        return self.glob or any(piece.many for piece in self.pieces)

    @property
    def overridable(self):
        """Whether the value is a default that the caller may replace."""
        return any(piece.overridable for piece in self.pieces)

    @property
    def origin(self):
        """(start, end) of the text in the file that is this value, quotes outside; None when it is composed or computed."""
        pieces = [piece for piece in self.pieces if piece.text != ""] or self.pieces[:1]
        first = pieces[0] if pieces else None
        if first is None or not all(piece.exact for piece in pieces):
            return None
        for left, right in zip(pieces, pieces[1:], strict=False):
            if left.end != right.start:
                return None
        return first.start, pieces[-1].end

    def partition(self, separator):
        """The word before the first `separator` and the one after it; the second is None when it does not stand in the known beginning.

        For `--foo=$BAR`: the flag, and a value with an origin of its own.
        """
        for index, piece in enumerate(self.pieces):
            if piece.text is None:
                break
            at = piece.text.find(separator)
            if at >= 0:
                before = [*self.pieces[:index], piece.cut(0, at)]
                after = [*self.pieces[index + 1 :]]
                if at + len(separator) < len(piece.text) or not after:
                    after.insert(0, piece.cut(at + len(separator), len(piece.text)))
                middle = piece.start + at if piece.exact else self.start
                if not self.start <= middle <= self.end:
                    middle = self.start
                start = min(middle + len(separator), self.end) if middle > self.start else self.start
                return Word(self.start, max(middle, self.start), before), Word(start, self.end, after, self.glob)
        return self, None

    def shown(self, unknown="..."):
        """The text with a stand-in for what is unknown."""
        return "".join([unknown if piece.text is None else piece.text for piece in self.pieces])

    def __repr__(self):
        return f"Word({self.start}, {self.end}, {self.shown()!r})"


class Variable:
    """What a name holds: a scalar, or an array with its `items`. Unknown values are words without a value.

    `exported` is None when only some of the ways that lead here export it.
    """

    __slots__ = ("word", "items", "exported", "fickle", "time")

    def __init__(self, word, items=None, exported=False, fickle=False):
        self.word = word
        self.items = items
        self.exported = exported
        self.fickle = fickle  # declared as an integer, a reference and the like: an assignment does not store its text
        self.time = 0

    def loosened(self):
        """The same with a value that somebody may have replaced."""
        variable = Variable(_loosened(self.word), self.items and [_loosened(item) for item in self.items], self.exported, self.fickle)
        variable.time = self.time
        return variable


class _History:
    """All values that the entries of the table ever had, so that a command can be asked later what it saw."""

    __slots__ = ("entries", "doubts")

    def __init__(self):
        self.entries = {}  # name -> ([times], [entries])
        self.doubts = []  # times at which a foreign script may have changed anything

    def record(self, name, entry, time):
        times, entries = self.entries.setdefault(name, ([], []))
        times.append(time)
        entries.append(entry)

    def at(self, name, time):
        times, entries = self.entries.get(name, ((), ()))
        index = bisect_right(times, time) - 1
        entry = entries[index] if index >= 0 else None
        return self.doubted(entry, time) if type(entry) is Variable else entry

    def doubted(self, variable, time):
        index = bisect_right(self.doubts, variable.time)
        return variable.loosened() if index < len(self.doubts) and self.doubts[index] <= time else variable


class Command:
    """A program that the script starts.

    `assignments`: the words before it (`A=1 program`), by name. `redirections`: (operator, target word). `folder`: where it runs,
    (base, path) or None. `conditional`: some runs of the script may not start it. `call`: the call of the function it stands in.
    """

    __slots__ = (
        "start", "end", "words", "assignments", "redirections", "folder", "conditional", "background", "call", "_history", "_time", "_since",
    )  # fmt: skip

    @property
    def environment(self):
        """{name: word} of what the script exports to the program, its own assignments included; only what the script sets."""
        found = {}
        for name in self._history.entries:
            variable = self.variable(name) if name[0] != " " else None
            if variable is not None and variable.exported:
                found[name] = variable.word
            elif variable is not None and variable.exported is None:
                found[name] = _changed(variable).word
        found.update(self.assignments)
        return found

    def variable(self, name):
        """What a variable of the script was when the command started, exported or not; None when the script had not set it."""
        return _visible(self._history.at(name, self._time), self._since)

    def path(self, word):
        """(base, path) of the file that a word names, or None."""
        return _place(word, self.folder)

    def __repr__(self):
        return f"Command({' '.join(word.shown() for word in self.words)!r})"


class Heredoc:
    """A here-document that writes a file: `word` is its text, made of pieces of the script, `path` the word that names the file.

    `expanded`: variables were replaced in it; those that are unknown make the text unknown. `append`: it goes behind what is there.
    """

    __slots__ = ("path", "word", "expanded", "append", "command")

    def __init__(self, path, word, expanded, append, command):
        self.path = path
        self.word = word
        self.expanded = expanded
        self.append = append
        self.command = command


class Header:
    """An option in a `#SBATCH` line. `value` is None for a switch; `start`, `end` are the place of the value, or of the option."""

    __slots__ = ("option", "value", "start", "end")

    def __init__(self, option, value, start, end):
        self.option = option
        self.value = value
        self.start = start
        self.end = end

    def __repr__(self):
        return f"Header({self.option!r}, {self.value!r})"


class Script:
    """What a script runs (`commands`), writes (`heredocs`), asks Slurm for (`headers`), and what is wrong with it (`problems`, `lost`)."""

    __slots__ = ("text", "commands", "heredocs", "headers", "problems", "lost")

    def __init__(self, text):
        self.text = text
        self.commands = []
        self.heredocs = []
        self.headers = []
        self.problems = []
        self.lost = []


def read_shell(text, pieces=None):
    """Read a `Text`, or a script inside it that is made of `pieces`. Never raises for bad input: see `Script.problems` and `Script.lost`."""
    script = Script(text)
    source = _source(text.text, script.problems) if pieces is None else Source(pieces)
    body = Parser(source, script.problems, script.lost).script()
    reader = _Reader(script, len(source.text))
    reader.headers(source)
    try:
        reader.run_list(body)
    except _Stop:
        pass
    reader.run_what_nobody_called()
    return script


def _source(text, problems):
    """The text as one source. With CRLF every line would end in a stray character; git writes such files, and what is meant is clear."""
    nul = text.find(UNKNOWN)
    if nul >= 0:
        problems.append(Problem(nul, nul + 1, "nul", "a NUL byte: bash drops it"))
        text = text.replace(UNKNOWN, "\ufffd")
    at = text.find("\r\n")
    if at < 0:
        return Source([Piece(text, 0, len(text), exact=True)])
    problems.append(Problem(at, at + 2, "crlf", "the lines end in CRLF, which bash takes for a part of the last word"))
    pieces = []
    start = 0
    while start < len(text):
        end = text.find("\r\n", start)
        end = len(text) if end < 0 else end
        if end > start:
            pieces.append(Piece(text[start:end], start, end, exact=True))
        if end < len(text):
            pieces.append(Piece("\n", end + 1, end + 2, exact=True))
        start = end + 2
    return Source(pieces)


def _loosened(word):
    return Word(word.start, word.end, [_overridable(piece) for piece in word.pieces], word.glob)


def _overridable(piece):
    if piece.text is None or piece.overridable:
        return piece
    return Piece(piece.text, piece.start, piece.end, piece.exact, True)


def _unknown(start, end, outside=False, many=False, place=None):
    return Piece(None, start, end, outside=outside, many=many, place=place)


def _place(word, folder):
    """(base, path) of what a word names, seen from a folder; None when that is unknown."""
    pieces = [piece for piece in word.pieces if piece.text != ""]
    if pieces and pieces[0].place is not None and not word.glob:
        rest = [piece.text for piece in pieces[1:]]
        if None in rest or (rest and rest[0][0] != "/"):
            return None
        base, path = pieces[0].place
        return _joined((base, path), "".join(rest).lstrip("/"))
    return _joined(folder, word.value) if word.value else None


def _joined(folder, path):
    if path[:1] == "/":
        return ABSOLUTE, normpath(path)
    return folder and (folder[0], normpath(join(folder[1], path)) if path else folder[1])


class _Perhaps:
    """A function that only some of the ways that lead here define."""

    __slots__ = ("function",)

    def __init__(self, function):
        self.function = function


class _Stop(Exception):
    """The command just run ends the construct named by `kind`: "exit", "return" or "loop"."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class _Reader:
    """Walks through the tree of a script."""

    def __init__(self, script, size):
        self.script = script
        self.table = {}
        self.history = _History()
        self.trail = []  # what was written: (name, entry before), to be undone
        self.time = 0
        self.since = -1  # in a child: older variables are only visible when exported
        self.budget = 200_000 + 5 * size
        self.depth = 0
        self.conditional = 0  # how many undecided branches we are in
        self.uncertain = 0  # the same, with programs that may fail
        self.assumed = 0  # branches that only defaults decide
        self.background = False
        self.silent = 0  # runs that only find out what is written
        self.jumped = []  # for each function and loop that runs: where an undecided branch may have left it
        self.call = None
        self.locals = None
        self.main = True  # not in a child, which has another $0
        self.all_exported = False
        self.running = []  # the functions that we are in
        self.functions = {}  # every definition that was met -> whether it was run
        self.written_in_loops = {}
        self.read_headers = False
        self.write(_FOLDER, (START, ""))
        self.write(_ARGUMENTS, [Word(0, 0, [_unknown(0, 0, outside=True, many=True)])])

    def headers(self, source):
        """The `#SBATCH` lines above the first command."""
        text = source.text
        first = re.compile(r"^[ \t]*[^#\s]", re.MULTILINE).search(text)
        for line in _HEADER.finditer(text, 0, first.start() if first else len(text)):
            end = line.end(1)
            comment = re.compile(r"[ \t]#").search(text, *line.span(1))
            for option in _HEADER_OPTION.finditer(text, line.start(1), comment.start() if comment else end):
                start, end = option.span(2 if option[2] else 1)
                value = option[2]
                if value and value[0] in "\"'":
                    start, end, value = start + 1, end - 1, value[1:-1]
                self.script.headers.append(Header(option[1], value, *source.span(start, end)))
        self.read_headers = self.read_headers or bool(self.script.headers)
        for header in self.script.headers:
            value = (header.value or "").removeprefix("gpu:")
            for name in _SLURM.get(header.option, ()) if value.isdigit() else ():
                piece = Piece(value, header.end - len(value), header.end, exact=True, overridable=True)
                self.write(name, Variable(Word(piece.start, piece.end, [piece])))

    # The table

    def write(self, name, entry):
        if type(entry) is Variable:
            size = sum(len(piece.text or "") + 1 for piece in entry.word.pieces)
            items = entry.items or ()
            size += sum(len(piece.text or "") + 1 for item in items for piece in item.pieces)
            if len(entry.word.pieces) + len(items) > _PIECES or size > _CHARACTERS or not self.spend(size):
                word = Word(entry.word.start, entry.word.end, [_unknown(entry.word.start, entry.word.end)])
                items = None if entry.items is None else [Word(word.start, word.end, [_unknown(word.start, word.end, many=True)])]
                entry = Variable(word, items, entry.exported, entry.fickle)
            elif self.assumed:
                entry = entry.loosened()
        self.trail.append((name, self.table.get(name)))
        self._set(name, entry)

    def _set(self, name, entry):
        self.time += 1
        if type(entry) is Variable:
            if entry.time:
                entry = Variable(entry.word, entry.items, entry.exported, entry.fickle)
            entry.time = self.time
        self.table[name] = entry
        self.history.record(name, entry, self.time)

    def lookup(self, name):
        """The variable of a name as it is visible here, or None."""
        variable = _visible(self.table.get(name), self.since)
        if variable is None:
            return None
        return self.history.doubted(variable, self.time) if self.history.doubts else variable

    def rewind(self, mark):
        """Undo what was written since a mark of the trail. Returns {name: last entry}."""
        before = {}
        for name, entry in self.trail[mark:]:
            before.setdefault(name, entry)
        del self.trail[mark:]
        written = {name: self.table.get(name) for name in before}
        for name, entry in before.items():
            self._set(name, entry)
        return written

    def merge(self, alternatives, keep=()):
        """Go on with what holds whichever of several {name: entry} came true. Names in `keep` are taken from the last one."""
        names = {name: None for written in alternatives for name in written}
        for name in names:
            now = self.table.get(name)
            entries = [written.get(name, now) for written in alternatives]
            entry = entries[-1]
            if name not in keep:
                for other in entries[:-1]:
                    entry = _merged(entry, other)
            if entry is not now:
                self.write(name, entry)

    def forget(self, names):
        """These variables have changed in a way nobody knows."""
        for name in names:
            before = self.table.get(name)
            if type(before) is Variable or (before is None and name[0] != " "):
                self.write(name, _changed(before))
            elif before is not None:
                self.write(name, None)

    def unsettle(self, mark):
        """What was written since a mark of the trail may have been written, or not, or halfway."""
        now = {}
        for name, entry in self.trail[mark:]:
            now[name] = _unsettled(entry, now.get(name, self.table[name]))
        for name, entry in now.items():
            self.write(name, entry)

    def doubt(self):
        """A script that we do not see ran in this shell: it may have set anything."""
        self.time += 1
        self.history.doubts.append(self.time)

    def spend(self, amount):
        """Whether there is still work left to spend on values; a script of a few lines can ask for more than any machine has."""
        if self.budget < 0:
            return False
        self.budget -= amount
        if self.budget < 0:
            message = "the values of this script grow too large; from here on they are not followed"
            self.script.problems.append(Problem(0, 0, "too-large", message))
        return self.budget >= 0

    # Lists, chains, pipelines

    def run_list(self, chains):
        status = _YES
        for chain in chains:
            status = self.run_chain(chain)
        return status

    def run_isolated(self, run, *arguments):
        """Run in a shell of its own: what it writes is lost. A part of the script may end there, but not the script."""
        state = (self.since, self.call, self.locals, self.main, self.all_exported, self.background, self.jumped)
        mark = len(self.trail)
        self.jumped = []
        try:
            return run(*arguments)
        except _Stop:
            return _LIKELY
        finally:
            self.rewind(mark)
            self.since, self.call, self.locals, self.main, self.all_exported, self.background, self.jumped = state

    def run_chain(self, chain):
        if chain.background:
            return self.run_isolated(self._run_links, chain.links, True)
        return self._run_links(chain.links, False)

    def _run_links(self, links, background):
        self.background = self.background or background
        status = self.run(links[0][1])
        region = None
        for operator, node in links[1:]:
            if operator == "||" and region is not None:
                region = self._leave_region(region)
            outcome = status if operator == "&&" else _INVERSE[status]
            if outcome is _YES:
                status = self.run(node)
            elif outcome is _NO:
                pass
            elif outcome is _ASSUMED_YES:
                status = self._run_assumed(node)
            elif outcome is _ASSUMED_NO:
                self._run_unlikely(node)
            elif operator == "&&":
                if region is None:
                    region = self._enter_region(status is not _LIKELY)
                elif status is not _LIKELY and not region[1]:
                    self.conditional += 1
                    region = region[0], True, region[2]
                status = self.run(node)
                if not region[1] and status is _YES:
                    status = _LIKELY
            else:
                region = self._enter_region(True)
                self.run(node)
                region = self._leave_region(region)
                status = _LIKELY
        if region is not None:
            self._leave_region(region)
            status = _LIKELY if status is _YES else status
        return status

    def _run_assumed(self, node):
        """Run what stands in a branch that only the defaults take."""
        self.assumed += 1
        self.conditional += 1
        self.uncertain += 1
        status = self.run(node)
        self.assumed -= 1
        self.conditional -= 1
        self.uncertain -= 1
        return {_YES: _ASSUMED_YES, _NO: _ASSUMED_NO}.get(status, status)

    def _enter_region(self, conditional):
        """What follows may not run."""
        self.uncertain += 1
        self.conditional += conditional
        return len(self.trail), conditional, conditional

    def _leave_region(self, region):
        mark, conditional, undecided = region
        self.uncertain -= 1
        self.conditional -= conditional
        written = self.rewind(mark)
        # Where a program is taken to succeed, the folder is the one that `cd` changed to.
        self.merge([{}, written], keep=() if undecided else (_FOLDER, _FOLDER_BEFORE, _FOLDER_STACK))

    def _run_unlikely(self, node):
        """Report what stands in a branch that the defaults do not take."""
        region = self._enter_region(True)
        run = self.run_list if type(node) is list else self.run
        self.run_isolated(run, node)
        self._leave_region(region)

    def run(self, node):
        self.depth += 1
        try:
            if self.depth > _DEPTH:
                self.spend(10)
                return _OPEN
            return self._RUN[type(node)](self, node)
        finally:
            self.depth -= 1

    def _run_pipeline(self, pipeline):
        if len(pipeline.commands) == 1:
            status = self.run(pipeline.commands[0])
        else:
            for command in pipeline.commands:
                status = self.run_isolated(self.run, command)
            status = _OPEN if status is not _LIKELY and status is not _YES else _LIKELY
        return _INVERSE[status] if pipeline.negated else status

    def _run_group(self, group):
        if group.subshell:
            return self.run_isolated(self.run_list, group.body)
        return self.run_list(group.body)

    # Conditions and loops

    def _run_if(self, node):
        alternatives = []
        assuming = False  # the defaults have decided against a branch above
        for index, (condition, body) in enumerate(node.branches):
            if index == 0:
                status = self.run_list(condition)
            else:
                region = self._enter_region(True)
                status = self.run_list(condition)
                self._leave_region(region)
            if status is _NO:
                continue
            if status is _ASSUMED_NO:
                self._run_unlikely(body)
                assuming = True
                continue
            if status in (_YES, _ASSUMED_YES):
                if status is _ASSUMED_YES:
                    assuming = True
                    for _, other in node.branches[index + 1 :]:
                        self._run_unlikely(other)
                    if node.otherwise:
                        self._run_unlikely(node.otherwise)
                alternatives.append(self._run_branch(body, assuming, bool(alternatives)))
                break
            alternatives.append(self._run_branch(body, assuming, True))
        else:
            if node.otherwise:
                alternatives.append(self._run_branch(node.otherwise, assuming, bool(alternatives)))
            elif alternatives:
                alternatives.append({})
        self.merge(alternatives)
        return _LIKELY

    def _run_branch(self, body, assumed, undecided):
        """Run a branch. Returns what it wrote, which is undone."""
        mark = len(self.trail)
        conditional = int(assumed or undecided)
        self.assumed += assumed
        self.conditional += conditional
        self.uncertain += conditional
        try:
            self.run_list(body)
        except _Stop as stop:
            if undecided or assumed:
                raise AssertionError(stop.kind) from None
            raise
        finally:
            self.assumed -= assumed
            self.conditional -= conditional
            self.uncertain -= conditional
        return self.rewind(mark)

    def _run_case(self, node):
        subject = self.word(node.subject) if node.subject else Word(0, 0, [_unknown(0, 0)])
        alternatives = []
        decided = False
        falling = False
        for patterns, body, ending in node.arms:
            matches = [self._matches(subject, pattern) for pattern in patterns]
            if falling or (True not in matches and None in matches):
                status = _OPEN
            else:
                status = _YES if True in matches else _NO
            falling = ending != ";;" and status is not _NO
            if status is _NO:
                if subject.overridable:
                    self._run_unlikely(body)
                continue
            if decided:
                self._run_unlikely(body)
                continue
            certain = status is _YES and not falling
            alternatives.append(self._run_branch(body, subject.overridable, bool(alternatives) or not certain))
            if certain:
                if not subject.overridable:
                    break
                decided = True
        else:
            if alternatives and not decided:
                alternatives.append({})
        self.merge(alternatives)
        return _LIKELY

    def _matches(self, subject, pattern):
        """Whether a pattern of `case` fits: True, False, or None when that cannot be told."""
        word = self.word(pattern)
        if pattern.plain == "*":
            return True
        if word.value is None or subject.value is None:
            return None
        return word.value == subject.value

    def _run_while(self, node):
        status = self.run_list(node.condition)
        status = _INVERSE[status] if node.until else status
        if status is _NO:
            return _LIKELY
        return self._run_loop(node, [*node.condition], None, status is not _YES)

    def _run_for(self, node):
        if node.header is not None:
            return self._run_loop(node, [], None, True, node.header)
        if node.words is None:
            items = list(self.table[_ARGUMENTS] or [Word(0, 0, [_unknown(0, 0, many=True)])])
        else:
            items = [item for word in node.words for item in self.expand(word)]
        if not items:
            return _YES
        if len(items) == 1 and not items[0].many:
            if node.name:
                self.write(node.name, self._plain_variable(node.name, items[0]))
            return self._leaving_loops(node.body)
        maybe_empty = all(item.many for item in items)
        unknown = Word(items[0].start, items[-1].end, [_unknown(items[0].start, max(items[-1].end, items[0].start))])
        return self._run_loop(node, [], (node.name, unknown), maybe_empty)

    def _leaving_loops(self, body):
        """Run the body of a loop once. What it writes is unknown when it may have been left in the middle."""
        mark = len(self.trail)
        self.jumped.append(["loop", self.uncertain, False])
        try:
            status = self.run_list(body)
        except _Stop as stop:
            if stop.kind != "loop":
                raise
            status = _LIKELY
        finally:
            jumped = self.jumped.pop()[2]
        if jumped:
            self.unsettle(mark)
        return status

    def _run_loop(self, node, condition, item, maybe_never, header=None):
        """Any number of rounds: what a round changes is unknown to the next one."""

        def round_():
            if item and item[0]:
                self.write(item[0], self._plain_variable(*item))
            if header is not None:
                self._forget_arithmetic(header)
            self.run_list(condition)
            self._leaving_loops(node.body)

        self.uncertain += 1
        self.conditional += maybe_never
        try:
            written = self.written_in_loops.get(id(node))
            if written is None:
                self.silent += 1
                written = self._rounds(round_)
                self.silent -= 1
                self.written_in_loops[id(node)] = written
            for name, entry in written.items():
                self.write(name, _unsettled(self.table.get(name), entry))
            last = self._rounds(round_)
        finally:
            self.uncertain -= 1
            self.conditional -= maybe_never
        self.merge([{}, last])
        self.forget([name for name in last if name not in written])
        return _LIKELY

    def _rounds(self, round_):
        """Run one round, return what it wrote, and undo that."""
        mark = len(self.trail)
        try:
            round_()
        except _Stop:
            raise AssertionError("a loop was left for certain, although it may never begin") from None
        return self.rewind(mark)

    def _run_function(self, node):
        self.functions.setdefault(node, False)
        self.write(f"{node.name}()", node)
        return _YES

    def run_what_nobody_called(self):
        """Functions that only an argument or another script may call: they are reported, their arguments unknown."""
        self.conditional += 1
        self.uncertain += 1
        self.write(_ARGUMENTS, [Word(0, 0, [_unknown(0, 0, many=True)])])
        for _ in range(_DEPTH):
            waiting = [node for node, called in self.functions.items() if not called]
            if not waiting:
                break
            for node in waiting:
                self.functions[node] = True
                self.run_isolated(self.run, node.body)

    # Tests

    def _run_test(self, node):
        items = []
        for item in node.items:
            items.append(item if type(item) is str else self.word(item))
        if any(type(item) is str for item in items):
            return _OPEN
        if len(items) == 3 and items[1].value in ("=", "==", "!="):
            pattern = node.items[2]
            if any(type(part) is not Literal for part in pattern.parts) and _GLOB.search(items[2].value or ""):
                return _OPEN
        return self._decide(items)

    def _decide(self, items):
        """How `[ items ]` ends."""
        negated = False
        while items and items[0].value == "!" and len(items) > 1:
            negated = not negated
            items = items[1:]
        status = self._decide_plain(items)
        return _INVERSE[status] if negated else status

    def _decide_plain(self, items):
        if not items:
            return _NO
        if any(item.value is None for item in items):
            if len(items) == 2 and items[0].value in ("-z", "-n") and len(items[1].pieces) == 1 and items[1].pieces[0].outside:
                return _ASSUMED_YES if items[0].value == "-z" else _ASSUMED_NO
            return _OPEN
        values = [item.value for item in items]
        if len(values) == 1:
            result = bool(values[0])
        elif len(values) == 2 and values[0] in ("-z", "-n"):
            result = bool(values[1]) == (values[0] == "-n")
        elif len(values) == 3 and values[1] in ("=", "==", "!="):
            result = (values[0] == values[2]) == (values[1] != "!=")
        elif len(values) == 3 and values[1] in _COMPARISONS:
            numbers = [integer(value) if value.strip() else None for value in values[::2]]
            if None in numbers:
                return _OPEN
            result = _COMPARISONS[values[1]](*numbers)
        else:
            return _OPEN
        if any(item.overridable for item in items):
            return _ASSUMED_YES if result else _ASSUMED_NO
        return _YES if result else _NO

    def _run_arithmetic(self, node):
        number, overridable = self._calculate(node)
        if number is None:
            return _OPEN
        if overridable:
            return _ASSUMED_YES if number else _ASSUMED_NO
        return _YES if number else _NO

    # Words

    def expand(self, raw):
        """The words that one word of the script becomes."""
        if raw.braces:
            return [Word(raw.start, raw.end, [_unknown(raw.start, raw.end, many=True)])]
        if raw.plain is not None and len(raw.parts) == 1 and not raw.tilde and UNKNOWN not in raw.plain:  # by far the most words
            return [Word(raw.start, raw.end, raw.parts[0].pieces, _GLOB.search(raw.plain) is not None)]
        return self._fields(raw)

    def _fields(self, raw):
        words = []
        pieces = []
        shape = []
        owners = set()
        present = False
        split_unknown = self.table.get("IFS") is not None

        def flush():
            nonlocal present
            if present:
                start, end = raw.start, raw.end
                owner = next(iter(owners)) if len(owners) == 1 else None
                if owner is not None:
                    start, end = owner
                words.append(Word(start, end, list(pieces), _GLOB.search("".join(shape)) is not None))
            pieces.clear()
            shape.clear()
            owners.clear()
            present = False

        def add(piece, text, owner):
            nonlocal present
            pieces.append(piece)
            shape.append(text)
            owners.add(owner)
            present = True

        for token in self._tokens(raw):
            if token is None:
                flush()
                continue
            piece, mode, owner = token
            if mode == "split" and split_unknown and piece.text:
                piece = _unknown(piece.start, piece.end)
            if piece.text is None and mode != "quoted" and not piece.many:
                piece = _unknown(piece.start, piece.end, piece.outside, True, piece.place)
            if piece.text is None or mode == "quoted":
                add(piece, "\1", owner)
            elif mode == "literal":
                if piece.text:
                    add(piece, piece.text, owner)
            else:
                for field in _FIELD.finditer(piece.text):
                    if field[0][0] in " \t\n":
                        flush()
                    else:
                        add(piece.cut(*field.span()), field[0], owner)
        flush()
        return words

    def word(self, raw):
        """The one word that a word of the script becomes where nothing is split: in assignments, `case`, `[[ ]]`."""
        pieces = []
        shape = []
        for token in self._tokens(raw, single=True):
            piece, mode, _ = token
            pieces.append(piece)
            shape.append("\1" if mode == "quoted" or piece.text is None else piece.text if mode == "literal" else "")
        return Word(raw.start, raw.end, pieces, _GLOB.search("".join(shape)) is not None)

    def value(self, raw):
        """What an assignment stores: as `word`, and `*` is just a character."""
        word = self.word(raw)
        return Word(word.start, word.end, word.pieces)

    def _tokens(self, raw, single=False):
        """(piece, mode, owner) for each part of a word, None between two words. Modes: "literal", "split" and "quoted"."""
        tokens = []
        parts = raw.parts
        if raw.tilde == ":":
            return [(_unknown(raw.start, raw.end), "literal", None)]
        if raw.tilde:
            tokens.append((_unknown(raw.start, raw.start + 1), "literal", None))
            pieces = parts[0].pieces
            rest = len(raw.tilde)
            for piece in pieces:
                length = len(piece.text or UNKNOWN)
                if rest < length:
                    tokens.append((piece.cut(rest, length) if piece.text else piece, "literal", None))
                rest = max(rest - length, 0)
            parts = parts[1:]
        self._add_tokens(parts, tokens, single, False)
        return tokens

    def _add_tokens(self, parts, tokens, single, nested):
        alone = len(parts) == 1 and (not tokens or tokens[-1] is None)
        for part in parts:
            kind = type(part)
            if kind is Literal:
                mode = "quoted" if part.quoted else "split" if nested and not single else "literal"
                for piece in part.pieces:
                    tokens.append((piece, mode, None))
                    if nested and not self.spend(len(piece.text or "")):
                        return
            elif kind is Parameter:
                self._add_parameter(part, tokens, single, alone)
            else:
                mode = "quoted" if part.quoted else "split"
                if kind is Arithmetic:
                    number, overridable = self._calculate(part)
                    piece = (
                        _unknown(part.start, part.end)
                        if number is None
                        else Piece(str(number), part.start, part.end, False, overridable)
                    )
                    tokens.append((piece, mode, None))
                elif kind is Substitution:
                    captured = self.run_isolated(self._capture, part.body)
                    if type(captured) is not list:
                        captured = [_unknown(part.start, part.end)]
                    for piece in captured or ([Piece("", part.start, part.end)] if part.quoted else []):
                        tokens.append((piece, mode, None))
                else:
                    tokens.append((_unknown(part.start, part.end, many=not part.quoted), mode, None))

    def _add_parameter(self, part, tokens, single, alone):
        """Append what a parameter becomes."""
        mode = "quoted" if part.quoted else "split"
        items = self._items(part)
        if items is not None and not part.prefix:
            self._add_items(part, items, mode, tokens, single, alone)
            return
        pieces = self._parameter(part, tokens, single)
        if pieces is None:
            return
        if not self.spend(sum(len(piece.text or "") for piece in pieces)):
            pieces = [_unknown(part.start, part.end)]
        if part.quoted and not pieces:
            pieces = [Piece("", part.start, part.end)]
        for piece in pieces:
            tokens.append((piece, mode, None))

    def _items(self, part):
        """The words behind `$@`, `$*`, `${A[@]}` and `${A[*]}`; None for everything else."""
        if part.name in ("@", "*") and not part.subscript:
            items = self.table[_ARGUMENTS]
            return [Word(part.start, part.end, [_unknown(part.start, part.end, many=True)])] if items is None else items
        if part.subscript not in ("@", "*"):
            return None
        variable = self.lookup(part.name)
        if variable is None:
            return [Word(part.start, part.end, [_unknown(part.start, part.end, outside=True, many=True)])]
        return [variable.word] if variable.items is None else variable.items

    def _add_items(self, part, items, mode, tokens, single, alone):
        if part.operator in ("+", ":+", "-", ":-") and not any(item.value is None for item in items):
            # `${A[@]+"${A[@]}"}` is how scripts write an array that may be empty.
            if (part.operator[-1] == "+") == bool(items):
                if part.operator[0] == ":" and items and not any(item.value for item in items):
                    tokens.append((_unknown(part.start, part.end, many=not single), mode, None))
                else:
                    self._add_tokens(part.argument, tokens, single, not part.quoted)
                return
            if part.operator[-1] == "+":
                return
        elif part.operator:
            tokens.append((_unknown(part.start, part.end, many=not single), mode, None))
            return
        joined = single or (part.quoted and "*" in (part.subscript or part.name))
        if joined and self.table.get("IFS") is not None:
            tokens.append((_unknown(part.start, part.end), mode, None))
            return
        if joined and not items and part.quoted:
            tokens.append((Piece("", part.start, part.end), mode, None))
        if not self.spend(sum(len(piece.text or "") + 10 for item in items for piece in item.pieces)):
            items = [Word(part.start, part.end, [_unknown(part.start, part.end, many=True)])]
        if joined:
            # A list that may be empty takes the blanks around it with it.
            items = [Word(item.start, item.end, [_unknown(item.start, item.end, many=True)]) if item.many else item for item in items]
        elif not alone and any(item.many for item in items):
            # What stands beside the list is glued to its first and last word, whichever these are.
            items = [Word(part.start, part.end, [_unknown(part.start, part.end, many=True)])]
        for index, item in enumerate(items):
            if index and not joined:
                tokens.append(None)
            elif index and not item.many and not items[index - 1].many:
                tokens.append((Piece(" ", part.start, part.end), mode, None))
            if item.end == 0:  # the arguments of the script, which are written nowhere
                item = Word(part.start, part.end, [_unknown(part.start, part.end, outside=True, many=not joined)])
            owner = None if joined else (item.start, item.end)
            if item.glob:
                tokens.append((_unknown(item.start, item.end, many=True), mode, owner))
                continue
            for piece in item.pieces or [Piece("", item.start, item.end)]:
                if joined and piece.many:
                    piece = _unknown(piece.start, piece.end, piece.outside, False, piece.place)
                tokens.append((piece, mode, owner))

    def _parameter(self, part, tokens, single):
        """The pieces of a parameter's value; None when an argument, such as a default, has been added to the tokens instead."""
        found = self._scalar(part)
        pieces = found or []
        operator = part.operator
        if part.prefix:  # a length
            return self._length(part, pieces)
        if not operator or operator in (":?", "?"):
            return pieces
        known = all(piece.text is not None for piece in pieces)
        text = "".join([piece.text for piece in pieces]) if known else None
        default = operator[-1] in "-=" and operator[0] in ":-="
        if default or operator in ("+", ":+"):
            outside = len(pieces) == 1 and pieces[0].outside and (operator[0] == ":" or not self._is_set(part.name))
            if known:
                missing = found is None or (operator[0] == ":" and not text)
                takes = missing == default
                overridable = any(piece.overridable for piece in pieces)
            elif outside and default:
                takes = overridable = True
            elif default:
                return pieces
            else:
                return [_unknown(part.start, part.end, many=not part.quoted)]
            if not takes:
                return pieces if default else []
            first = len(tokens)
            mode = "quoted" if part.quoted else "split"
            self._add_tokens(part.argument, tokens, single, not part.quoted)
            for index in range(first, len(tokens)):
                token = tokens[index]
                if token is not None:
                    piece, taken, owner = token
                    # What `:=` stores is split like every value, whatever quotes it had.
                    taken = mode if operator[-1] == "=" else taken
                    tokens[index] = (_overridable(piece) if overridable else piece, taken, owner)
            if operator[-1] == "=" and _IDENTIFIER.fullmatch(part.name) and not part.subscript:
                value = [token[0] for token in tokens[first:] if token is not None]
                self.write(part.name, self._plain_variable(part.name, Word(part.start, part.end, value)))
            if first == len(tokens) and part.quoted:
                return [Piece("", part.start, part.end, overridable=overridable)]
            return None
        if len(pieces) == 1 and pieces[0].place and operator == "%" and self._pattern_text(part.argument) == "/*":
            return self._parent(pieces[0].place, part.start, part.end) or [_unknown(part.start, part.end)]
        changed = self._transformed(operator, text, part.argument) if known else None
        if changed is None:
            return [_unknown(part.start, part.end)]
        return [Piece(changed, part.start, part.end, False, any(piece.overridable for piece in pieces))] if changed else []

    def _pattern_text(self, parts):
        """The text of parts that are literal and unquoted."""
        texts = [piece.text for part in parts if type(part) is Literal and not part.quoted for piece in part.pieces]
        return "".join(texts) if None not in texts and len(texts) >= len(parts) else None

    def _scalar(self, part):
        """The pieces of `$X`, `${X[1]}`, `$1`; None for an argument that is certainly not there."""
        name = part.name
        span = part.start, part.end
        if name.isdigit() and name != "0":
            return self._argument(int(name), *span)
        if name == "#":
            arguments = self.table[_ARGUMENTS]
            if arguments is None or any(word.many for word in arguments):
                return [_unknown(*span)]
            return [Piece(str(len(arguments)), *span)]
        if name == "0" or (name == "BASH_SOURCE" and part.subscript in (None, "0")):
            # A relative $0 is relative to the folder that the script was started in.
            usable = self.main and self.table[_FOLDER] == (START, "")
            return [_unknown(*span, place=(SCRIPT, _SCRIPT_FILE) if usable else None)]
        if not _IDENTIFIER.fullmatch(name):
            return [_unknown(*span)]
        if name == "PWD":
            return [_unknown(*span, place=self.table[_FOLDER])]
        variable = self.lookup(name)
        if variable is None:
            given = name in _GIVEN or (self.read_headers and name.startswith("SLURM_"))
            return [_unknown(*span, outside=not given)]
        if part.subscript is None and variable.items is None:
            return variable.word.pieces
        items = [variable.word] if variable.items is None else variable.items
        return self._element(items, part.subscript or "0", span)

    def _element(self, items, subscript, span):
        index = evaluate(re.sub(r"[${}]", " ", subscript), self._integer) if UNKNOWN not in subscript else None
        many = [place for place, item in enumerate(items) if item.many]
        if index is None or (many and not 0 <= index < many[0]):
            return [_unknown(*span)]
        if not -len(items) <= index < len(items):
            return [_unknown(*span)]
        return items[index].pieces

    def _argument(self, number, start, end):
        arguments = self.table[_ARGUMENTS]
        for word in arguments or ():
            if word.many:
                break
            number -= 1
            if number == 0:
                return word.pieces
        else:
            if arguments is not None:
                return None
        # Words that were set behind an unknown list may be the ones that are asked for.
        return [_unknown(start, end, outside=bool(arguments) and word is arguments[-1] and word.pieces[0].outside)]

    def _is_set(self, name):
        """Whether the script itself gives a parameter a value, be it an unknown or an empty one."""
        if not name.isdigit():
            return self.lookup(name) is not None
        arguments = (self.table[_ARGUMENTS] or [])[: int(name)]
        return len(arguments) == int(name) and not any(word.many for word in arguments)

    def _length(self, part, pieces):
        if part.subscript in ("@", "*") or part.name in ("@", "*"):
            items = self._items(part)
            if any(item.many for item in items):
                return [_unknown(part.start, part.end)]
            overridable = any(item.overridable for item in items)
            return [Piece(str(len(items)), part.start, part.end, False, overridable)]
        word = Word(part.start, part.end, pieces)
        if word.value is None or not word.value.isascii():  # counted in characters or bytes, as the locale wants
            return [_unknown(part.start, part.end)]
        return [Piece(str(len(word.value)), part.start, part.end, False, word.overridable)]

    def _transformed(self, operator, text, argument):
        """`${X%pattern}` and its kin on a known text; None for everything unusual."""
        tokens = []
        self._add_tokens(argument, tokens, True, False)
        if any(token[0].text is None for token in tokens):
            return None
        if operator == ":":
            return self._substring(text, "".join([token[0].text for token in tokens]))
        if operator in ("^^", ",,") and not tokens and text.isascii():
            return text.upper() if operator == "^^" else text.lower()
        if operator not in ("%", "%%", "#", "##", "/", "//") or len(text) > 1000:
            return None
        pattern = []  # (character, quoted)
        for piece, mode, _ in tokens:
            pattern += [(char, mode == "quoted") for char in piece.text]
        replacement = ""
        if operator[0] == "/":
            cut = pattern.index(("/", False), 1) if ("/", False) in pattern[1:] else len(pattern)
            replacement = "".join([char for char, _ in pattern[cut + 1 :]])
            pattern = pattern[:cut]
            if not pattern or pattern[0] in [("#", False), ("%", False), ("/", False)] or "&" in replacement or "\\" in replacement or ("*", False) in pattern:
                return None
        if len(pattern) > 100 or sum(char == "*" for char, _ in pattern) > 2:
            return None
        expression = ""
        for char, quoted in pattern:
            if not quoted and char in "[]\\()":
                return None
            wild = not quoted and char in "*?"
            expression += {"*": ".*", "?": "."}[char] if wild else re.escape(char)
        if operator[0] == "/":
            return re.compile(expression, re.DOTALL).sub(lambda _: replacement, text, count=operator == "/") if expression else text
        # The shortest or the longest match at one end.
        matches = re.compile(expression, re.DOTALL).fullmatch
        lengths = range(len(text) + 1) if len(operator) == 1 else range(len(text), -1, -1)
        for length in lengths:
            part = text[len(text) - length :] if operator[0] == "%" else text[:length]
            if matches(part):
                return text[: len(text) - length] if operator[0] == "%" else text[length:]
        return text

    def _substring(self, text, bounds):
        offset, colon, length = bounds.partition(":")
        numbers = [evaluate(offset, self._integer), evaluate(length, self._integer) if colon else len(text)]
        if None in numbers or not 0 <= numbers[0] <= len(text) or numbers[1] < 0 or "?" in bounds:
            return None
        return text[numbers[0] : numbers[0] + numbers[1]]

    # Arithmetic

    def _calculate(self, node):
        """(value or None, whether a default is in it) of an arithmetic expression; its assignment is carried out."""
        if type(node) is not Arithmetic:
            return None, False
        tokens = []
        self._add_tokens(node.parts, tokens, True, False)
        texts = [token[0].text for token in tokens]
        if None in texts:
            literals = [piece.text or "" for part in node.parts if type(part) is Literal for piece in part.pieces]
            found = assigned(" ".join(literals))
            if found:
                self.forget([found[0]] if found[1] else found[0])
            return None, False
        return self._calculate_text("".join(texts), any(token[0].overridable for token in tokens), node.start, node.end)

    def _calculate_text(self, text, overridable, start, end):
        if not self.spend(10 * len(text)):
            return None, False
        used = set()

        def lookup(name):
            used.add(name)
            return self._integer(name)

        found = assigned(text)
        if found is None:
            number = evaluate(text, lookup)
        elif found[1] is None:
            self.forget(found[0])
            return None, False
        else:
            number = evaluate(found[1], lookup)
        overridable = overridable or any((self.lookup(name) or Variable(Word(0, 0, []))).word.overridable for name in used)
        if found:
            piece = _unknown(start, end) if number is None else Piece(str(number), start, end, False, overridable)
            self.write(found[0], self._plain_variable(found[0], Word(start, end, [piece])))
        return number, overridable

    def _forget_arithmetic(self, node):
        """The header of a C-style loop changes its variables."""
        parts = node.parts if type(node) is Arithmetic else ()
        text = " ".join([piece.text or "" for part in parts if type(part) is Literal for piece in part.pieces])
        self.forget(sorted(set(_IDENTIFIER.findall(text))))

    def _integer(self, name):
        variable = self.lookup(name)
        if variable is None or variable.items is not None or variable.word.value is None:
            return None
        return integer(variable.word.value)

    # What a substitution prints

    def _capture(self, body):
        """The pieces that `$(...)` becomes, for the few programs whose output is a matter of the text; else None."""
        self.silent += 1
        try:
            output = None
            for chain in body:
                for operator, node in chain.links:
                    if type(node) is not Simple or operator == "||" or node.assignments or chain.background or output is not None:
                        return None
                    words = [word for raw in node.words if type(raw) is RawWord for word in self.expand(raw)]
                    if not words or words[0].value is None or any(word.many and not word.pieces[0].place for word in words):
                        return None
                    if words[0].value == "cd":
                        self._change_folder(words)
                        continue
                    output = self._output(node, words)
                    if output is None:
                        return None
            return output
        finally:
            self.silent -= 1

    def _output(self, node, words):
        """What one program prints, without line breaks at its end."""
        name = words[0].value
        arguments = [word for word in words[1:] if word.value not in ("--", "-P", "-L", "-f", "-m", "-e", "-s", "-z")]
        start, end = node.start, node.end
        folder = self.table[_FOLDER]
        bodies = [redirection for redirection in node.redirections if redirection.body is not None]
        if name == "cat" and len(words) == 1 and len(bodies) == 1 and len(node.redirections) == 1:
            return _without_last_breaks(self.value(bodies[0].body).pieces)
        if any(redirection.descriptor != "2" and redirection.operator != "2>" for redirection in node.redirections):
            return None
        if name == "pwd" and not arguments:
            return folder and [_unknown(start, end, place=folder)]
        if name == "git" and [word.value for word in words[1:]] == ["rev-parse", "--show-toplevel"]:
            return [_unknown(start, end, place=(REPOSITORY, ""))]
        if name in ("realpath", "readlink") and len(arguments) == 1:
            place = _place(arguments[0], folder)
            return place and [_unknown(start, end, place=place)]
        if name == "dirname" and len(arguments) == 1:
            if arguments[0].value is not None:
                value = arguments[0].value
                plain = value and "//" not in value and value[-1] != "/" and value.rfind("/") > 0
                return [Piece(dirname(value), start, end, False, arguments[0].overridable)] if plain else None
            place = _place(arguments[0], folder)
            return place and self._parent(place, start, end)
        if name == "echo" and all(word.value is not None for word in words[1:]) and words[1:] and words[1].value[:1] != "-":
            pieces = []
            for word in words[1:]:
                pieces += [Piece(" ", start, end), *word.pieces]
            return _without_last_breaks(pieces[1:])
        return None

    def _parent(self, place, start, end):
        """The folder around a place."""
        base, path = place
        if path == _SCRIPT_FILE:
            path = ""
        elif path in ("", ".") or path.split("/")[-1] == "..":
            path = join(path, "..") if path not in ("", ".") else ".."
        else:
            path = dirname(path)
        return [_unknown(start, end, place=(base, path))]

    # Simple commands

    def _plain_variable(self, name, word):
        """A new scalar for a name; it stays exported."""
        before = self.lookup(name)
        fickle = before is not None and before.fickle
        if fickle:
            word = Word(word.start, word.end, [_unknown(word.start, word.end)])
        return Variable(word, None, self.all_exported or (before is not None and before.exported), fickle)

    def _assigned(self, node):
        """The variable that an assignment makes."""
        before = self.lookup(node.name)
        if type(node.value) is list:
            items = [] if not node.append else _as_items(before, node)
            for raw in node.value:
                if raw.plain is None and raw.parts and _SUBSCRIPTED.match(_beginning(raw)) or (raw.plain and _SUBSCRIPTED.match(raw.plain)):
                    items.append(Word(raw.start, raw.end, [_unknown(raw.start, raw.end, many=True)]))
                else:
                    items += self.expand(raw)
            variable = self._plain_variable(node.name, items[0] if items else Word(node.start, node.end, []))
            if not node.element:
                variable.items = items
            if variable.fickle:
                variable.items = [Word(node.start, node.end, [_unknown(node.start, node.end, many=True)])]
            return variable
        word = self.value(node.value)
        if not (node.element or (before is not None and before.items is not None)):
            if node.append:
                pieces = [_unknown(node.start, node.end)] if before is None else before.word.pieces
                word = Word(word.start, word.end, [*pieces, *word.pieces])
            return self._plain_variable(node.name, word)
        unknown = Word(node.start, node.end, [_unknown(node.start, node.end)])
        variable = self._plain_variable(node.name, unknown)
        variable.items = [Word(node.start, node.end, [_unknown(node.start, node.end, many=True)])]
        return variable

    def _run_simple(self, node):
        self.spend(10)
        raws = node.words
        name = raws[0].plain if raws and type(raws[0]) is RawWord else None
        if name in DECLARATIONS and self.table.get(f"{name}()") is None:
            return self._declare(node, name)
        words = []
        for raw in raws:
            words += self.expand(raw) if type(raw) is RawWord else [self._as_word(raw)]
        if not words:
            certain = True
            for assignment in node.assignments:
                variable = self._assigned(assignment)
                self.write(assignment.name, variable)
                raw = assignment.value
                certain = certain and (type(raw) is list or not any(type(part) is Substitution for part in raw.parts))
            return _YES if certain else _LIKELY

        mark = len(self.trail)
        assignments = {}
        for assignment in node.assignments:
            variable = self._assigned(assignment)
            variable.exported = True
            self.write(assignment.name, variable)
            assignments[assignment.name] = variable.word
        overlay = self.rewind(mark)
        assignments = {name: overlay[name].word for name in assignments}
        for name in [name for name in overlay if name not in assignments]:  # a `${X:=8}` in a value stays
            self.write(name, overlay.pop(name))
        name = words[0].value
        if name in ("command", "builtin") and len(words) > 1 and (words[1].value or "-")[0] != "-":
            words = words[1:]
            name = words[0].value
            function = None
        else:
            function = self.table.get(f"{name}()") if name is not None else None
        if type(function) is Function:
            return self._call(function, words, overlay, node)
        if type(function) is _Perhaps:
            region = self._enter_region(True)
            self._call(function.function, words, overlay, node)
            self._leave_region(region)
            return _OPEN
        if function is False:
            self.doubt()
        if name in self._BUILTINS:
            status = self._BUILTINS[name](self, node, words, overlay)
            if status is not None:
                return status
        command = self._record(node, words, assignments)
        self._nested(node, words, overlay, command)
        if name in _SUCCEEDS:
            return _YES
        if name == "false":
            return _NO
        if name in ("[", "test"):
            return self._decide(words[1:-1] if name == "[" else words[1:])
        return _OPEN if name in _QUESTIONS or name is None else _LIKELY

    def _as_word(self, assignment):
        """An assignment that stands where a plain word is wanted."""
        return Word(assignment.start, assignment.end, [_unknown(assignment.start, assignment.end)])

    def _record(self, node, words, assignments):
        """Note a command, and the files that its here-documents write."""
        command = Command()
        command.start, command.end = node.start, node.end
        command.words = words
        command.assignments = assignments
        command.folder = self.table[_FOLDER]
        command.conditional = self.conditional > 0
        command.background = self.background
        command.call = self.call
        command._history = self.history
        command._time = self.time
        command._since = self.since
        command.redirections = []
        body = None
        for redirection in node.redirections:
            if redirection.body is not None:
                body = redirection
            elif redirection.target is not None:
                target = self.expand(redirection.target)
                target = target[0] if len(target) == 1 else Word(redirection.target.start, redirection.target.end, [_unknown(0, 0)])
                command.redirections.append((redirection.operator, target))
        if self.silent:
            return command
        self.script.commands.append(command)
        if body is not None:
            self._note_heredoc(command, body)
        return command

    def _note_heredoc(self, command, body):
        name = command.words[0].value
        if name == "cat" and len(command.words) == 1:
            for operator, target in command.redirections:
                if operator in (">", ">>", ">|"):
                    self.script.heredocs.append(Heredoc(target, self.value(body.body), body.expands, operator == ">>", command))
        elif name == "tee" or (name == "sudo" and len(command.words) > 1 and command.words[1].value == "tee"):
            words = [word.value for word in command.words]
            append = "-a" in words or "--append" in words
            for word in command.words[1 + (name == "sudo") :]:
                if word.value is None or word.value[:1] != "-":
                    self.script.heredocs.append(Heredoc(word, self.value(body.body), body.expands, append, command))

    # Scripts in scripts

    def _parse(self, pieces):
        """The chains of a text that is a script again."""
        self.spend(sum(len(piece.text or "") for piece in pieces))
        if self.depth >= _DEPTH - 5 or self.budget < 0:
            return []
        # The problems and the lost flags of a text that runs twice are the same.
        problems = [] if self.silent else self.script.problems
        lost = [] if self.silent else self.script.lost
        return Parser(Source(pieces), problems, lost, min(self.depth, 25)).script()

    def _nested(self, node, words, overlay, command):
        """Read what `bash -c "..."` runs, and what a here-document feeds to a shell or to sbatch."""
        for index, word in enumerate(words):
            if word.value is None or word.value.rpartition("/")[2] not in _SHELLS:
                continue
            for place in range(index + 1, len(words) - 1):
                option = words[place].value
                if option is None or option[:1] != "-" or option == "--":
                    break
                if re.fullmatch(r"-[a-z]*c[a-z]*", option):
                    self._run_child(words[place + 1], words[place + 3 :], overlay)
                    return
            break
        feeds = words[0].value in (*_SHELLS, "sbatch") or (words[0].value == "srun" and words[-1].value in _SHELLS)
        if feeds and all((word.value or "x")[:1] == "-" for word in words[1:] if word.value not in _SHELLS):
            for redirection in node.redirections:
                if redirection.body is not None:
                    body = self.value(redirection.body)
                    if words[0].value == "sbatch" and not self.silent:
                        self.headers(Source(body.pieces))
                    self._run_child(body, [], overlay)

    def _run_child(self, word, arguments, overlay):
        def run():
            for name, variable in overlay.items():
                self.write(name, variable)
            self.since = self.time
            self.main = False
            self.call = self.call or (word.start, word.end)
            self.write(_ARGUMENTS, arguments)
            for name, variable in overlay.items():
                self.write(name, variable)
            self.run_list(self._parse(word.pieces))

        self.run_isolated(run)

    def _call(self, function, words, overlay, node):
        """Run the body of a function."""
        self.functions[function] = True
        if self.running.count(function) >= _RECURSION or self.depth > _DEPTH - 10 or not self.spend(100):
            self.doubt()
            return _OPEN
        self.running.append(function)
        call, local = self.call, self.locals
        self.call = self.call or (node.start, node.end)
        self.locals = {}
        before = {name: self.table.get(name) for name in (_ARGUMENTS, *overlay)}
        self.write(_ARGUMENTS, words[1:])
        for name, variable in overlay.items():
            self.write(name, variable)
        inside = {name: self.table[name] for name in overlay}
        mark = len(self.trail)
        self.jumped.append(["return", self.uncertain, False])
        status = _LIKELY
        try:
            status = self.run(function.body)
        except _Stop as stop:
            if stop.kind != "return":
                raise
        finally:
            jumped = self.jumped.pop()[2]
            if jumped:
                self.unsettle(mark)
            changed = [name for name in overlay if self.table[name] is not inside[name]]
            for name, entry in [*self.locals.items(), *before.items()]:
                self.write(name, entry)
            for name in changed:  # bash may keep what a function does to a variable that stands before its call
                variable = _changed(self.table[name])
                variable.exported = None
                self.write(name, variable)
            self.call, self.locals = call, local
            self.running.pop()
        return _OPEN if jumped else status

    # Builtins. Each returns how it ends, or None to be recorded like any program.

    def _declare(self, node, kind):
        """`export`, `declare`, `local`, `readonly`."""
        exported = kind == "export"
        options = ""
        for item in node.words[1:]:
            if type(item) is Assignment:
                variable = self._declared(item, options)
                if exported or "x" in options:
                    variable.exported = True
                self._keep_local(item.name, kind, options)
                self.write(item.name, variable)
                continue
            for word in self.expand(item):
                value = word.value
                if value is not None and value[:1] in ("-", "+") and value != "-":
                    options += value[1:] if value[0] == "-" else ""
                    exported = exported and "n" not in options
                    if "n" in options and not exported and kind != "export":
                        self.forget([name for name in self.table if name[0] != " "])
                elif "f" in options:
                    pass
                elif value is None or not _IDENTIFIER.fullmatch(value):
                    name, assigned_word = word.partition("=")
                    if assigned_word is not None and _IDENTIFIER.fullmatch(name.value or ""):
                        self._keep_local(name.value, kind, options)
                        variable = self._plain_variable(name.value, Word(word.start, word.end, [_unknown(word.start, word.end)]))
                        variable.exported = exported or variable.exported
                        self.write(name.value, variable)
                    else:
                        self.doubt()
                else:
                    self._declare_name(value, kind, options, exported)
        return _YES

    def _declared(self, assignment, options):
        variable = self._assigned(assignment)
        if set(options) & set("inluA"):
            unknown = [_unknown(assignment.start, assignment.end)]
            variable = Variable(Word(assignment.start, assignment.end, unknown), None, variable.exported, True)
            if "A" in options or type(assignment.value) is list:
                variable.items = [Word(assignment.start, assignment.end, [_unknown(assignment.start, assignment.end, many=True)])]
        return variable

    def _keep_local(self, name, kind, options):
        """A declaration inside of a function is undone when it returns."""
        if self.locals is not None and kind in ("local", "declare", "typeset") and "g" not in options:
            self.locals.setdefault(name, self.table.get(name))

    def _declare_name(self, name, kind, options, exported):
        """A name without a value: it is marked, and where it is local it is new."""
        before = self.lookup(name)
        fresh = self.locals is not None and kind in ("local", "declare", "typeset") and "g" not in options
        self._keep_local(name, kind, options)
        if before is None or fresh:
            before = _changed(None)
            if not fresh:
                before.word.pieces[0].outside = True
            if "a" in options and not fresh:
                before.items = [Word(0, 0, [_unknown(0, 0, many=True)])]
        fickle = before.fickle or (kind != "export" and bool(set(options) & set("inluA")))
        exported = exported or "x" in options or before.exported
        if kind == "export" and "n" in options:
            exported = False
        self.write(name, Variable(before.word, before.items, exported, fickle))

    def _unset(self, node, words, overlay):
        for word in words[1:]:
            if word.value is None:
                self.doubt()
            elif words[1].value == "-f":
                self.write(f"{word.value}()", None)
            elif _IDENTIFIER.fullmatch(word.value):
                variable = _changed(None)
                variable.exported = False
                self.write(word.value, variable)
            elif word.value[:1] != "-":
                self.forget([_IDENTIFIER.match(word.value)[0]] if _IDENTIFIER.match(word.value) else [])
        return _YES

    def _takes_names(self, node, words, overlay):
        """`read`, `mapfile`, `getopts`, `printf -v`, `wait -p`: whatever may be a name gets an unknown value."""
        values = [word.value for word in words[1:]]
        if words[0].value == "printf" and values[:1] != ["-v"]:
            return None
        names = [value for value in values if value is not None and _IDENTIFIER.fullmatch(value)]
        if None in values:
            self.doubt()
        extra = {"read": ["REPLY"], "getopts": ["OPTARG", "OPTIND"], "mapfile": ["MAPFILE"], "readarray": ["MAPFILE"]}
        self.forget(names + extra.get(words[0].value, []))
        return _OPEN

    def _let(self, node, words, overlay):
        for word in words[1:]:
            if word.value is None:
                self.forget(_IDENTIFIER.findall(word.shown(" ")))
            else:
                self._calculate_text(word.value, word.overridable, word.start, word.end)
        return _OPEN

    def _shift(self, node, words, overlay):
        number = 1 if len(words) == 1 else integer(words[1].value or "x") if len(words) == 2 else None
        arguments = self.table[_ARGUMENTS]
        if arguments is None or number is None:
            self.write(_ARGUMENTS, None)
            return _OPEN
        for index, word in enumerate(arguments[:number]):
            if word.many:
                rest = arguments[index:]
                self.write(_ARGUMENTS, rest if len(rest) == 1 and len(word.pieces) == 1 else None)
                return _OPEN
        if not 0 <= number <= len(arguments):
            return _NO
        self.write(_ARGUMENTS, arguments[number:])
        return _YES

    def _set_options(self, node, words, overlay):
        values = [word.value for word in words[1:]]
        option = ""
        for index, value in enumerate(values):
            if option[1:] and option[-1] == "o" and value is not None:  # `set -eo pipefail`
                if value == "allexport":
                    self.all_exported = option[0] == "-"
                option = ""
            elif value is not None and value[:1] in ("-", "+") and value != "--":
                option = value
                if "a" in option:
                    self.all_exported = option[0] == "-"
            else:
                self.write(_ARGUMENTS, words[index + 1 + (value == "--") :])
                break
        return None

    def _cd(self, node, words, overlay):
        self._record(node, words, {})
        self._change_folder(words)
        return _YES

    def _change_folder(self, words):
        """`cd`, `pushd` and `popd`."""
        now = self.table[_FOLDER]
        stack = self.table.get(_FOLDER_STACK) or ()
        arguments = [word for word in words[1:] if word.value not in ("--", "-P", "-L")]
        if words[0].value == "popd":
            folder, stack = (stack[-1], stack[:-1]) if stack and not arguments else (None, ())
        elif len(arguments) != 1:
            folder = None
        elif arguments[0].value == "-":
            folder = self.table.get(_FOLDER_BEFORE)
        else:
            folder = _place(arguments[0], now)
        if words[0].value == "pushd":
            stack = (*stack[-100:], now)
        self.write(_FOLDER_BEFORE, now)
        self.write(_FOLDER_STACK, stack)
        self.write(_FOLDER, folder)

    def _source_file(self, node, words, overlay):
        self._record(node, words, {})
        path = words[1].shown() if len(words) > 1 else ""
        if not _ACTIVATION.search(path):
            self.doubt()
        return _LIKELY

    def _eval(self, node, words, overlay):
        pieces = []
        for word in words[1:]:
            pieces += [Piece(" ", word.start, word.start), *word.pieces]
        if any(piece.text is None for piece in pieces):
            self.doubt()
        if all(piece.text is None or not piece.text.strip() for piece in pieces):
            return None
        mark = len(self.trail)
        for name, variable in overlay.items():
            self.write(name, variable)
        status = self.run_list(self._parse(pieces[1:]))
        if overlay:
            written = self.rewind(mark)
            self.merge([{name: entry for name, entry in written.items() if name not in overlay}])
        return status

    def _exit(self, node, words, overlay):
        self._jump("exit")
        return _YES

    def _return(self, node, words, overlay):
        self._jump("return")
        return _YES

    def _break(self, node, words, overlay):
        if len(words) > 1:
            for frame in self.jumped:
                frame[2] = True
        self._jump("loop")
        return _YES

    def _exec(self, node, words, overlay):
        if len(words) == 1:
            return _YES
        self._record(node, words, {name: variable.word for name, variable in overlay.items()})
        self._nested(node, words, overlay, None)
        self._jump("exit")
        return _YES

    def _jump(self, kind):
        """Leave a function, a loop or the script: for certain, or perhaps."""
        frames = [frame for frame in self.jumped if frame[0] == kind]
        if kind == "loop" and not frames:
            return
        if kind == "exit" or not frames:
            if not self.uncertain:
                raise _Stop("exit")
            return
        frame = frames[-1]
        # Inner constructs that are left on the way may stop in the middle as well.
        for inner in self.jumped[self.jumped.index(frame) :]:
            inner[2] = inner[2] or self.uncertain > inner[1] or inner is not frame
        if self.uncertain == frame[1]:
            raise _Stop(kind)

    _BUILTINS = {
        ".": _source_file,
        "break": _break,
        "cd": _cd,
        "continue": _break,
        "eval": _eval,
        "exec": _exec,
        "exit": _exit,
        "getopts": _takes_names,
        "let": _let,
        "mapfile": _takes_names,
        "popd": _cd,
        "printf": _takes_names,
        "pushd": _cd,
        "read": _takes_names,
        "readarray": _takes_names,
        "return": _return,
        "set": _set_options,
        "shift": _shift,
        "source": _source_file,
        "unset": _unset,
    }
    _RUN = {
        Arithmetic: _run_arithmetic,
        Case: _run_case,
        For: _run_for,
        Function: _run_function,
        Group: _run_group,
        If: _run_if,
        Opaque: lambda self, node: _OPEN,
        Pipeline: _run_pipeline,
        Simple: _run_simple,
        Test: _run_test,
        While: _run_while,
    }


_SUBSCRIPTED = re.compile(r"\[[^\]]*\]\+?=")


def _beginning(raw):
    """The literal text that a word begins with."""
    first = raw.parts[0]
    return "".join([piece.text or "" for piece in first.pieces]) if type(first) is Literal and not first.quoted else ""


def _as_items(variable, node):
    """The items that an array appends to."""
    if variable is None:
        return [Word(node.start, node.start, [_unknown(node.start, node.start, outside=True, many=True)])]
    return [variable.word] if variable.items is None else list(variable.items)


def _changed(before):
    """A variable after an unknown assignment."""
    start, end = (before.word.start, before.word.end) if before is not None else (0, 0)
    items = None
    if before is None or before.items is not None:
        items = [Word(start, end, [_unknown(start, end, many=True)])] if before is not None else None
    exported = before.exported if before is not None else False
    return Variable(Word(start, end, [_unknown(start, end)]), items, exported, before is not None and before.fickle)


def _unsettled(before, after):
    """An entry that is sometimes the one and sometimes the other, or something else altogether."""
    if type(before) is not Variable and type(after) is not Variable:
        return _merged_function(before, after) if {Function, _Perhaps} & {type(before), type(after)} else None
    known = after if type(after) is Variable else before
    variable = _changed(known)
    variables = [entry for entry in (before, after) if type(entry) is Variable]
    if any(entry.items is not None for entry in variables):
        start, end = known.word.start, known.word.end
        variable.items = [Word(start, end, [_unknown(start, end, many=True)])]
    if len(variables) == 1 or before.exported is not after.exported:
        variable.exported = None if any(entry.exported is not False for entry in variables) else False
    return variable


def _merged_function(entry, other):
    """The function of a name where there may be none; False where there are two."""
    functions = {each.function if type(each) is _Perhaps else each for each in (entry, other)} - {None}
    return _Perhaps(functions.pop()) if len(functions) == 1 and False not in functions else False


def _visible(variable, since):
    """The variable as a child shell sees it that was started at a time: only when it is exported, or new."""
    if type(variable) is not Variable or (variable.time <= since and variable.exported is False):
        return None
    return _changed(variable) if variable.time <= since and variable.exported is None else variable


def _merged(entry, other):
    """What is known of an entry that is one of two."""
    if entry is other:
        return entry
    if type(entry) is not Variable or type(other) is not Variable:
        if type(entry) is Variable or type(other) is Variable:
            return _unsettled(entry, other)
        if {Function, _Perhaps} & {type(entry), type(other)}:
            return _merged_function(entry, other)
        return entry if entry == other else None
    exported = entry.exported if entry.exported is other.exported else None
    fickle = entry.fickle or other.fickle
    word = _merged_word(entry.word, other.word)
    items = entry.items
    if entry.items is not None or other.items is not None:
        items = _merged_items(*[[each.word] if each.items is None else each.items for each in (entry, other)])
    return Variable(word, items, exported, fickle)


def _merged_word(word, other):
    """The same value, or what both begin with and then something unknown."""
    if word.pieces == other.pieces:
        return word
    start, end = word.start, word.end
    if word.value is not None and word.value == other.value:
        overridable = word.overridable or other.overridable
        return Word(start, end, [Piece(word.value, start, end, False, overridable)] if word.value else [])
    common = []
    for left, right in zip(word.pieces, other.pieces, strict=False):
        if left != right:
            break
        common.append(left)
    rests = [each.pieces[len(common) :] for each in (word, other)]
    if all(not rest or (rest[0].text or "x")[0] in " \t\n" for rest in rests):
        common = [*common, Piece(" ", start, end)]  # what is unknown does not touch what is known
    elif common:
        common = []
    return Word(start, end, [*common, _unknown(start, end)])


def _merged_items(items, others):
    """The items that both arrays begin with, then any number of unknown ones."""
    common = []
    for left, right in zip(items, others, strict=False):
        if left.pieces != right.pieces or left.glob != right.glob:
            break
        common.append(left)
    if len(common) == len(items) == len(others):
        return items
    start, end = (items or others)[-1].start, (items or others)[-1].end
    return [*common, Word(start, end, [_unknown(start, end, many=True)])]


def _without_last_breaks(pieces):
    """What a substitution keeps of an output."""
    pieces = list(pieces)
    while pieces and pieces[-1].text is not None:
        last = pieces.pop()
        length = len(last.text.rstrip("\n"))
        if length:
            pieces.append(last.cut(0, length))
            break
    return pieces
