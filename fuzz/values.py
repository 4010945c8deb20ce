"""Hostile values: bombs, huge numbers and odd types, as YAML, TOML and words of a shell."""

from .mutations import ATTACKS, VALUES

_LENGTHS = (17, 20, 40, 309, 310, 320, 640, 1000, 2200, 4299, 4300, 4301, 5000)

ODD = [
    *("2020-01-01", "2001-12-14t21:59:43.10-05:00", "9999-99-99", "0000-00-00", "!!timestamp 2020-01-01", "!!binary aGVsbG8=", "!!binary '///'"),
    *("!!set {a, b}", "!!omap [a: 1]", "!!pairs [a: 1]", "!!python/tuple [1, 2]", "!!str 8", "!!int '8'", "!!float 8", "!!bool 'no'", "!!null x", "!own 8"),
    *("''", "' '", "null", "~", "true", "Yes", "OFF", "{}", "[]", "[[]]", "{a: {}}", "[1, [2, {b: [3]}]]", "{1: 2}", "{null: null}", "{[a]: b}", "[null]"),
    *("&own [*own]", "&own {a: *own}", "&own {<<: *own}", "{<<: {num_generations: 6}}", "{<<: [8]}", "|\n    8\n    9", ">-\n    8\n\n    9", "- 8\n  - 9"),
    *("'8 '", "'٨'", "'８'", "'+8'", "'8_0'", "'8.0'", "8.", ".8", "+.inf", "-.INF", ".NaN", "'inf'", "'-Infinity'", "'nan'", "1e309", "-1e309", "1e-400", "0e99999"),
    *('\'{"a": 1}\'', "'[8, 9]'", "'{'", "'['", "'{\"a\": NaN}'", "hf_abcdefghijklmnopqrstuvwxyz", "sk-abcdefghijklmnopqrstuvwxyz", "'-'", "'--'", "'-8'", "'='"),
    *("../outside/secret.json", "/dev/zero", "'~'", "'~root'", "'.'", "'..'", "'\\0'", '"\\0"', '"a\\nb"', '"\\r"', '"\\e[31m"', '"\\u202e"', '"\\ud800"', '"\\U0001F600"'),
]  # fmt: skip


def number(chance):
    """A number of hundreds or thousands of digits, or a text that resembles one."""
    length = chance.choice(_LENGTHS)
    digits = chance.choice(("9" * length, "1" + "0" * (length - 1), "1" * length, "8" * length, "0" * length + "8"))
    made = chance.choice(("", "", "", "-", "+")) + chance.choice(("", "", "", "0x", "0o", "0", "0b", "1_")) + digits
    return made + chance.choice(
        ("", "", "", "", ".0", ".", "e9", "e400", "e-400", "_0", ":59", ":1" * 300, "." + digits, "/3", "%")
    )


def bomb(chance):
    """(lines that define anchors, a value that expands to billions of nodes)."""
    wide, deep = chance.choice((2, 3, 9)), chance.choice((11, 25, 40))
    bodies = [chance.choice(("x", "8", f"'{'x' * 1000}'", "{num_generations: 8}", "[[8]]", "''", "1.5"))]
    mappings = chance.random() < 0.5
    for row in range(deep - 1):
        inside = ", ".join(f"k{at}: *b{row}" if mappings else f"*b{row}" for at in range(wide))
        bodies.append(f"{{{inside}}}" if mappings else f"[{inside}]")
    last = f"*b{deep - 1}"
    value = chance.choice((last, last, f"[{last}]", f"{{a: {last}}}", f"{{<<: {last}}}", f"!!set {{? {last}}}"))
    if chance.random() < 0.5:
        return "".join(f"b{row}: &b{row} {body}\n" for row, body in enumerate(bodies)), value
    return f"b: [{', '.join(f'&b{row} {body}' for row, body in enumerate(bodies))}]\n", value


def nested(chance):
    """Nested brackets."""
    depth = chance.choice((5, 50, 150))
    opening, closing = chance.choice((("[", "]"), ("{a: ", "}"), ("[8, ", "]")))
    return opening * depth + "8" + closing * depth


def long_text(chance):
    return chance.choice(("x", "9 ", "a,", "日", "'' ", "<", "|", "%s", "é", "😀", "\\\\")) * chance.choice(
        (50, 800, 3000)
    )


def yaml_value(chance):
    """A value of YAML, which may extend over several lines."""
    kind = chance.random()
    if kind < 0.35:
        return number(chance)
    if kind < 0.45:
        return nested(chance)
    if kind < 0.5:
        return "'" + long_text(chance) + "'"
    if kind < 0.6:
        return chance.choice(VALUES)
    if kind < 0.65:
        return '"' + "".join(f"\\U{ord(each):08x}" for each in chance.choice(ATTACKS)) + '"'
    return chance.choice(ODD)


def word(chance):
    """A word of a shell, before it is quoted."""
    kind = chance.random()
    if kind < 0.5:
        return number(chance)
    return long_text(chance) if kind < 0.6 else yaml_value(chance).replace("\0", "")


def toml_value(chance):
    """A value of TOML, possibly malformed."""
    kind = chance.random()
    if kind < 0.4:
        return number(chance)
    if kind < 0.5:
        return "[" * chance.choice((3, 90, 900)) + "8" + "]" * chance.choice((3, 90, 900))
    if kind < 0.6:
        return "'" + long_text(chance).replace("'", "") + "'"
    odd = ("inf", "-inf", "nan", "2020-01-01", "07:32:00", "true", "[]", "{}", '""', "[1, 'a']", "{a = {b = 1}}", '"8|16"', '"8,8,8"', "['8', 8]", "-0", "+8",
           "'../outside/secret.json'", "['../**', '**']", "'" + "*a" * 50 + "'", '"\\u202e"', "1979-05-27T07:32:00Z", "0xff", "'hf_abcdefghijklmnopqrstuvwxyz'")  # fmt: skip
    return chance.choice(odd)
