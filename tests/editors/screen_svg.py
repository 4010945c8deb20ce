"""Screens of a terminal as SVG, cell by cell: one as a picture, several as scenes that follow each other."""

from html import escape
from itertools import groupby

WIDTH, HEIGHT, MARGIN = 7.83, 17, 12  # of a cell and around the screen, in pixels
INK, PAPER = "e0e2ea", "14161b"  # where a program leaves the choice to the terminal
NAMED = {
    "red": "ff7b72",
    "green": "7ee787",
    "brown": "e3b341",  # what pyte calls yellow
    "blue": "79c0ff",
    "magenta": "d2a8ff",
    "cyan": "76e3ea",
    "white": INK,
    "brightblack": "8b949e",
}


def drawn(screen):
    """The SVG of a screen."""
    return _sheet(screen.columns, screen.lines, _cells(screen, screen.lines))


def animated(title, scenes, rows):
    """The SVG of scenes, [(screen, seconds)], of each its first `rows` lines, one after the other and again. Where
    nothing moves, and for whoever asks for that, it is the first one."""
    whole = sum(seconds for _, seconds in scenes)
    style = [
        ".scene{visibility:hidden}.scene.first{visibility:visible}",
        "@media (prefers-reduced-motion:no-preference){",
    ]
    parts, start = [f"<title>{escape(title)}</title>"], 0
    for number, (screen, seconds) in enumerate(scenes):
        shown = [(0, "hidden"), (start, "visible"), (start + seconds, "hidden")]
        frames = "".join(f"{100 * at / whole:.2f}%{{visibility:{look}}}" for at, look in shown[number == 0 :])
        style += [
            f"@keyframes scene{number}{{{frames}}}",
            f".scene.n{number}{{animation:scene{number} {whole}s step-end infinite}}",
        ]
        parts += [f'<g class="scene n{number}{"" if number else " first"}">', *_cells(screen, rows), "</g>"]
        start += seconds
    columns = max(screen.columns for screen, _ in scenes)
    return _sheet(columns, rows, [f"<style>{''.join([*style, '}'])}</style>", *parts])


def _sheet(columns, rows, parts):
    width, height = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="ui-monospace, Menlo, Consolas, '
        f'\'DejaVu Sans Mono\', monospace" font-size="13">'
    )
    back = f'<rect width="100%" height="100%" rx="8" fill="#{PAPER}"/>'
    return "\n".join([head, back, *parts, "</svg>", ""])


def _cells(screen, rows):
    for row in range(rows):
        cells = [screen.buffer[row][column] for column in range(screen.columns)]
        column = 0
        for style, run in groupby(cells, _style):
            text = "".join(cell.data for cell in run)
            yield from _run(style, text, MARGIN + column * WIDTH, MARGIN + row * HEIGHT)
            column += len(text)


def _style(cell):
    """(ink, paper, attributes of the letters) of a cell."""
    ink, paper = _colour(cell.fg, INK), _colour(cell.bg, PAPER)
    if cell.reverse:
        ink, paper = paper, ink
    letters = (
        ' font-weight="bold"' * cell.bold
        + ' font-style="italic"' * cell.italics
        + ' text-decoration="underline"' * cell.underscore
    )
    return ink, paper, letters


def _colour(name, default):
    """A colour as six digits: that of a name, or one of the 16 million, which pyte gives as digits."""
    return NAMED.get(name) or (name if len(name) == 6 and name != "yellow" else default)


def _run(style, text, x, y):
    ink, paper, letters = style
    width = f"{len(text) * WIDTH:g}"
    if paper != PAPER:
        yield f'<rect x="{x:g}" y="{y:g}" width="{width}" height="{HEIGHT}" fill="#{paper}"/>'
    shown = text.strip()
    if shown:
        first = len(text) - len(text.lstrip())
        places = " ".join(
            f"{x + (first + number) * WIDTH:g}" for number in range(len(shown))
        )  # a grid, whatever the font is
        yield f'<text x="{places}" y="{y + 0.76 * HEIGHT:g}" fill="#{ink}"{letters}>{escape(shown).replace(chr(32), chr(160))}</text>'
