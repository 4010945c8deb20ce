"""A picture of a real session: Neovim in a terminal, its screen drawn as SVG, cell by cell.

    python tests/editors/picture.py docs/neovim.svg

Neovim 0.11 or newer has to be on the search path; the set-up is that of docs/editors.md.
"""

import sys
import tempfile
from html import escape
from itertools import groupby
from pathlib import Path

from terminal import Terminal
from test_editors import Desk, set_up

EXAMPLE = Path(__file__).parents[2] / "examples" / "bad" / "trl-grpo-7-gpus.yaml"
SHOWN = r"""
vim.o.termguicolors, vim.o.number, vim.o.laststatus, vim.o.ruler, vim.o.showcmd = true, true, 0, false, false
vim.o.winborder = "rounded"
vim.diagnostic.config({ virtual_lines = { format = function(found)
  return vim.fn.substitute(found.code .. ": " .. found.message, [[\(.\{70,90}\) ]], [[\1\n]], "g")
end } })
vim.lsp.inlay_hint.enable()
vim.api.nvim_set_hl(0, "LspInlayHint", { fg = "#8fb573", italic = true })
"""
ROWS, COLUMNS = 29, 118
WIDTH, HEIGHT, MARGIN = 7.83, 17, 12  # of a cell and around the screen, in pixels
INK, PAPER = "e0e2ea", "14161b"  # where the editor leaves the choice to the terminal


def session(folder):
    """The screen of an editor that shows a finding, the numbers behind the batch keys, and what a key means."""
    desk = Desk(folder)
    desk.write("init.lua", set_up("Neovim") + SHOWN)
    name = desk.write(EXAMPLE.name, EXAMPLE.read_text())
    environment = {**desk.environment, "COLORTERM": "truecolor"}
    words = [
        "nvim",
        "-u",
        "init.lua",
        "-i",
        "NONE",
        "-n",
        name,
        "-c",
        "set nohlsearch | /^# Generation",
        "-c",
        "normal! zt",
        "-c",
        "/^per_device",
    ]
    terminal = Terminal(words, desk.folder, environment, ROWS, COLUMNS)
    terminal.wait_until(lambda text: "does not hold" in text and "an update:" in text)
    terminal.type("K")
    terminal.wait_until(lambda text: "the run" in text or "prompts of 8" in text.partition("╭")[2])
    terminal.look(1)
    screen = terminal.screen
    terminal.process.kill()
    return screen


def drawn(screen):
    """The SVG of a screen."""
    width, height = screen.columns * WIDTH + 2 * MARGIN, screen.lines * HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13">',
        f'<rect width="100%" height="100%" rx="8" fill="#{PAPER}"/>',
    ]
    for row in range(screen.lines):
        cells = [screen.buffer[row][column] for column in range(screen.columns)]
        column = 0
        for style, run in groupby(cells, _style):
            text = "".join(cell.data for cell in run)
            parts += _run(style, text, MARGIN + column * WIDTH, MARGIN + row * HEIGHT)
            column += len(text)
    return "\n".join([*parts, "</svg>", ""])


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
    return name if len(name) == 6 and name != "yellow" else default


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


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Path(sys.argv[1]).write_text(drawn(session(Path(folder))))
