"""Run facts: what a config file cannot say about the run it belongs to.

How many processes will start, which release of the framework is installed, how long the data set is: a YAML file does
not know. The same facts can be given on the command line, in a comment, or in the settings:

    # grpo-lint: dialect=trl version=1.16.0 world-size=8 algorithm=rloo dataset-size=8000

`FACTS` is the one table behind all three, so that a name, a choice and an error message are the same everywhere.
"""

from .source.scalars import LARGEST_NUMBER, is_beyond


class Spec:
    """What one fact may hold: its kind, its choices if it has any, and one line of help."""

    __slots__ = ("kind", "choices", "help")

    def __init__(self, kind, help, choices=()):
        self.kind = kind
        self.choices = choices
        self.help = help


CHOICE = "choice"
VERSION = "version"
COUNTS = "positive integer, or several: 8|16|64"
POSITIVE = "positive integer"
NON_NEGATIVE = "non-negative integer"

FACTS = {
    "dialect": Spec(CHOICE, "framework that reads the file; forces its recognition", ("trl", "swift", "megatron")),
    "version": Spec(VERSION, "release of the framework, such as 1.16.0, 1.16 (its last patch) or latest"),
    "transformers": Spec(VERSION, "release of transformers that is installed beside the framework"),
    "trl": Spec(VERSION, "release of TRL that is installed beside ms-swift"),
    "vllm": Spec(VERSION, "release of vLLM that is installed beside the framework"),
    "liger-kernel": Spec(VERSION, "release of liger-kernel that is installed beside the framework"),
    "world-size": Spec(COUNTS, "number of training processes over all nodes; several as 8|16|64 or 8,16,64"),
    "processes-per-node": Spec(POSITIVE, "number of training processes on one node"),
    "visible-devices": Spec(POSITIVE, "number of devices that a node can see"),
    "algorithm": Spec(CHOICE, "training algorithm", ("grpo", "gspo", "rloo")),
    "dataset-size": Spec(POSITIVE, "number of rows of the training data set"),
    "eval-dataset-size": Spec(NON_NEGATIVE, "number of rows of the evaluation data set; 0 for none"),
    "loader": Spec(
        CHOICE,
        "who reads the file: a training script, the framework's own command, or Python keyword arguments",
        ("script", "cli", "kwargs"),
    ),
}

# The facts that are releases of a package beside the framework.
COMPANIONS = ("transformers", "trl", "vllm", "liger-kernel")

# The facts that a plan reads, by the names they have in formulas.
FACT_OF = {
    name: name.replace("_", "-")
    for name in ("world_size", "processes_per_node", "visible_devices", "dataset_size", "eval_dataset_size")
}

MOST_COUNTS = 16  # that one fact may hold

# Comments with one of these words belong to other readers; they hold no facts.
VERBS = ("ignore", "ignore-file", "expect")

# Names that people borrow from elsewhere and that no measure of spelling distance would bring home.
BORROWED_NAMES = {
    "framework": "dialect",
    "framework-version": "version",
    "num-processes": "world-size",
    "nproc": "world-size",
    "nproc-per-node": "processes-per-node",
    "num-processes-per-node": "processes-per-node",
}


class Fact:
    """One known fact: its value, who said so, and where: None or (path, start, end), each part None when unknown."""

    __slots__ = ("value", "source", "where")

    def __init__(self, value, source, where=None):
        self.value = value
        self.source = source
        self.where = where

    def __repr__(self):
        return f"Fact({self.value!r}, {self.source!r}, {self.where!r})"


class Counts(tuple):
    """Several whole numbers, each of which counts; a single one is an int."""

    __slots__ = ()

    def __str__(self):
        return "|".join(map(str, self))

    __repr__ = __str__


class BadFact(ValueError):
    """A fact that nobody knows, or a value that its fact cannot take; the message is meant for the user.

    `about` says which half is wrong, "name" or "value", so that a caller can underline the right word.
    """

    def __init__(self, message, about="value"):
        super().__init__(message)
        self.about = about


# --- one fact -------------------------------------------------------------------------------------------------------


def canonical_name(name):
    """The exact name of a fact that was written in any of the tolerated ways (`world_size`, `World-Size`)."""
    return name.replace("_", "-").lower()


def parse_fact(name, text):
    """The value of fact `name` written as `text` (or as a TOML value); raises BadFact when it cannot be one."""
    name = canonical_name(name)
    spec = FACTS.get(name)
    if spec is None:
        raise BadFact(f"unknown fact {shown(name)}{_hint_for_name(name)}", about="name")
    if spec.kind == VERSION:
        return _version(name, text)
    if spec.kind == CHOICE:
        return _choice(name, text, spec.choices)
    if spec.kind == COUNTS:
        return _counts(name, text)
    return _count(name, text, least=1 if spec.kind == POSITIVE else 0)


def _choice(name, text, choices):
    value = text.strip().lower() if isinstance(text, str) else text
    if value in choices:
        return value
    raise BadFact(f"{name} is one of {', '.join(choices)}, not {shown(text)}{did_you_mean(value, choices)}")


def _counts(name, text):
    """One whole number, or several as Counts: a list, or a text in which | stands between them, or a comma, which no shell minds."""
    several = text if isinstance(text, list) else text.replace(",", "|").split("|") if isinstance(text, str) else [text]
    if len(several) > MOST_COUNTS:
        raise BadFact(f"{name} holds {MOST_COUNTS} numbers at most, not {len(several)}")
    if not several:
        raise BadFact(f"{name} is a whole number greater than 0, or several of them")
    counts = dict.fromkeys(_count(name, each, least=1) for each in several)
    return Counts(counts) if len(counts) > 1 else next(iter(counts))


def _count(name, text, least):
    kind = "a whole number greater than 0" if least else "a whole number, 0 or greater"
    digits = text.strip() if isinstance(text, str) else text
    # A bool is an int for Python, but `world-size = true` is a slip of the pen. Sixteen digits are a slip, too.
    if isinstance(digits, int) and not isinstance(digits, bool) and abs(digits) < 10**15:
        digits = str(digits)
    if not isinstance(digits, str) or not (digits.isascii() and digits.isdigit()) or len(digits) > 15 or int(digits) < least:
        hint = "; give their number" if isinstance(digits, str) and "," in digits else ""
        raise BadFact(f"{name} is {kind}, not {shown(text)}{hint}")
    return int(digits)


def _version(name, text):
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        # TOML has already read 1.10 as 1.1 when we see it, so guessing would be wrong for every tenth minor.
        raise BadFact(f'{name} needs quotes: a number loses its last zero; write {name} = "1.16.0"')
    if isinstance(text, str):
        value = normal_version(text)
        if value is not None:
            return value
    raise BadFact(f"{name} is a release such as 1.16.0, 1.16 or latest, not {shown(text)}")


def _hint_for_name(name):
    if name in BORROWED_NAMES:
        return f"; did you mean '{BORROWED_NAMES[name]}'?"
    return did_you_mean(name, FACTS)


def did_you_mean(word, known):
    """The end of a message that offers the most similar known word, or nothing when none is similar."""
    if not isinstance(word, str) or len(word) > 80:
        return ""
    from difflib import get_close_matches  # only mistakes pay for it

    similar = get_close_matches(word, known, n=1)
    return f"; did you mean '{similar[0]}'?" if similar else ""


def shown(value):
    """A value as it may appear in a message: quoted, short, and free of control characters."""
    if is_beyond(value):  # of 4,300 digits and more Python makes no text
        return f"a number beyond {LARGEST_NUMBER}"
    text = repr(value) if isinstance(value, (str, int, float)) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:56] + "..." + text[-1]


def shortened(text, most=1000):
    """A text of a file as a message can hold it: of a long one the beginning and the end."""
    return text if type(text) is not str or len(text) <= most else f"{text[: most - 13]}...{text[-10:]}"


def reason(error):
    """'ZeroDivisionError: division by zero': an exception in one line."""
    try:
        text = str(error)
    except Exception:  # its own __str__ fails, too
        text = ""
    return " ".join(f"{type(error).__name__}: {text}".split())[:200].rstrip(": ")


# --- versions -------------------------------------------------------------------------------------------------------

VERSION_PATTERN = (
    r"v?([0-9]{1,6}(?:\.[0-9]{1,9}){0,3})(?:[._-]?(a|b|c|rc|alpha|beta)[._-]?([0-9]{0,9}))?"
    r"(?:[._-]?post([0-9]{0,9}))?(?:[._-]?dev([0-9]{0,9}))?(?:\+[a-z0-9.]{1,40})?"
)
_PRE_RANK = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2}
_DEV_ONLY, _NO_PRE = -1, 3


def normal_version(text):
    """The release text without `v` and blanks; "latest" stays itself; None when it is not one exact version."""
    text = text.strip().lower()
    if text == "latest":
        return text
    numbers = text.split(".")
    if len(numbers) <= 4 and all(number.isascii() and number.isdigit() and len(number) <= 6 for number in numbers):
        return text
    import re  # most versions are plain, and most runs do without

    return text.removeprefix("v") if re.fullmatch(VERSION_PATTERN, text) else None


_version_keys = {}


def version_key(text):
    """A tuple that sorts like the releases: dev before rc before the release before its post-releases.

    1.16 and 1.16.0 are equal, a local part (`+cu126`) does not count. Raises BadFact for what is not a version.
    """
    key = _version_keys.get(text)
    if key is not None:
        return key
    numbers, _, post = text.partition(".post")
    try:
        # nearly every release is plain numbers, and the others of ms-swift have a post-release
        key = (*_four(tuple(map(int, numbers.split(".")))), _NO_PRE, 0, int(post) if post else -1, 1, 0)
    except ValueError:
        pass
    else:
        if len(_version_keys) < 1000:
            _version_keys[text] = key
        return key
    import re

    match = re.fullmatch(VERSION_PATTERN, text.strip().lower())
    if match is None:
        raise BadFact(f"{shown(text)} is not a version")
    numbers, pre, pre_number, post, dev = match.groups()
    if pre:
        rank = _PRE_RANK[pre]
    else:
        rank = _DEV_ONLY if dev is not None and post is None else _NO_PRE
    return (
        *_four(tuple(map(int, numbers.split(".")))),
        rank,
        int(pre_number or 0),
        -1 if post is None else int(post or 0),
        1 if dev is None else 0,
        int(dev or 0),
    )


def _four(numbers):
    return (*numbers, 0, 0, 0, 0)[:4]


def resolve_version(text, releases):
    """The release that a version text means: `1.16` is its last known patch, `latest` the newest of all.

    A full version stays itself, known or not, and so does a minor of which no release is known. A pre-release is
    chosen only where there is nothing else.
    """
    if text == "latest":
        return _newest(list(releases)) or text
    numbers = text.split(".")
    if len(numbers) > 2 or not all(number.isdecimal() for number in numbers):
        return text
    wanted = tuple(map(int, numbers))
    return _newest([release for release in releases if version_key(release)[: len(wanted)] == wanted]) or text


def _newest(releases):
    finals = [release for release in releases if version_key(release)[4] == _NO_PRE]
    return max(finals or releases, key=version_key, default=None)


# --- the comment ----------------------------------------------------------------------------------------------------

# The colon may be missing where a `name=` or brackets make the intention plain: a comment that is silently ignored helps nobody.
_ADDRESS = r"(?:^|\s)#+\s*grpo[-_]lint(?:\s*:|(?=\s+[\w-]+=)|(?=\s+ignore(?:-file)?\s*\[)|(?=\s+expect\s))"
_VERB = r"\s*([\w-]+)\s*(?:\[|\s|$)"
MOST_PROBLEMS = 10  # of one comment
# A value runs to the next blank, or to a comma that does not continue a list: `visible-devices=0,1,2` is one bad value.
_PAIR = (
    r"(?P<name>[\w-]+)[ \t]*=(?:[ \t]+(?![\w-]+[ \t]*=))?"
    r"(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s,]*(?:,(?=[^\s,])(?![\w-]+[ \t]*=)[^\s,]*)*)"
)


def comment_verb(comment_text):
    """What a comment asks of us: "facts", one of VERBS, or None when it is not addressed to us."""
    address = _address(comment_text)
    return address and _verb_at(comment_text, address.end())


def expected_in(comment_text):
    """The place behind the word `expect` of a comment that says what its file expects; None for any other comment."""
    import re

    address = _address(comment_text)
    verb = address and re.compile(_VERB).match(comment_text, address.end())
    return verb.end(1) if verb and verb[1].lower() == "expect" else None


def read_comment(comment_text, start_offset):
    """The facts in one comment, and its mistakes as (start, end, message); offsets are those of the whole file.

    `comment_text` starts at its `#`, which stands at `start_offset`. A second `#` ends the facts, so that a reason may
    follow. What is wrong is left out; the rest of the comment still counts.
    """
    facts, problems = {}, []
    plain = _plain_pairs(comment_text, start_offset)
    if plain is not None:
        return plain, problems
    address = _address(comment_text)
    if address is None or _verb_at(comment_text, address.end()) != "facts":
        return facts, problems
    for word, name, value, value_start in pairs(comment_text, address.end()):
        word_start, word_end = word[0] + start_offset, word[1] + start_offset
        if len(problems) == MOST_PROBLEMS:
            break
        if name is None:
            problems.append((word_start, word_end, _not_a_pair(comment_text[word[0] : word[1]])))
            break  # prose, most likely: one finding for it is enough
        name_end, value_start = word_start + len(name), value_start + start_offset
        name = canonical_name(name)
        try:
            parsed = parse_fact(name, value)
        except BadFact as bad:
            # An empty value has no width to underline; its name has.
            span = (value_start, word_end) if bad.about == "value" and value else (word_start, name_end)
            problems.append((*span, str(bad)))
            continue
        if name in facts and facts[name].value != parsed:
            problems.append((word_start, word_end, f"{name} is given twice; {facts[name].value} counts"))
        facts.setdefault(name, Fact(parsed, "comment", (None, word_start, word_end)))
    return facts, problems


def _plain_pairs(comment_text, start_offset):
    """The facts of a comment that holds nothing but well-formed pairs, each name once; None for any other comment.

    Nearly every comment is like that, and this way it costs no regular expression.
    """
    opening, address, rest = comment_text.partition("grpo-lint:")
    if not address or opening.strip("# ") or not rest.isprintable():
        return None
    facts, position = {}, start_offset + len(opening) + len(address)
    for word in rest.split(" "):
        if word:
            name, _, value = word.partition("=")
            if name not in FACTS or name in facts or not value.replace(".", "").replace("|", "").isalnum():
                return None
            try:
                facts[name] = Fact(parse_fact(name, value), "comment", (None, position, position + len(word)))
            except BadFact:
                return None
        position += len(word) + 1
    return facts


def _address(comment_text):
    import re

    return re.search(_ADDRESS, comment_text, re.IGNORECASE)


def _verb_at(text, position):
    import re

    verb = re.compile(_VERB).match(text, position)
    return verb[1].lower() if verb and verb[1].lower() in VERBS else "facts"


def pairs(text, position):
    """Each word after `position` as ((start, end), name, value, start of the value); no name: not a pair."""
    import re

    pair, gap, word = re.compile(_PAIR), re.compile(r"[\s,]*"), re.compile(r"[^\s,]+")
    while True:
        position = gap.match(text, position).end()
        if position == len(text) or text[position] == "#":
            return
        match = pair.match(text, position)
        if match is None:
            end = word.match(text, position).end()
            yield (position, end), None, None, None
        else:
            value, end = match["value"], match.end()
            if len(value) > 1 and value[0] in "\"'" and value[0] == value[-1]:
                value = value[1:-1]
            yield (position, end), match["name"], value, match.start("value")
        position = end


def _not_a_pair(word):
    known = [*VERBS, *FACTS]
    hint = did_you_mean(word.partition("[")[0].lower(), known)
    return f"{shown(word)} is not a fact; write name=value, such as world-size=8{hint}"
