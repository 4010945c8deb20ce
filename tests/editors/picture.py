"""A picture of a real session: Neovim in a terminal, its screen drawn as SVG, cell by cell.

    python tests/editors/picture.py docs/neovim.svg

Neovim 0.11 or newer has to be on the search path; the set-up is that of docs/editors.md.
"""

import sys
import tempfile
from pathlib import Path

from screen_svg import drawn
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
    terminal.wait_until(lambda text: "does not hold" in text and "update: 28" in text)
    terminal.type("K")
    terminal.wait_until(lambda text: "the run" in text or "prompts of 8" in text.partition("╭")[2])
    terminal.look(1)
    screen = terminal.screen
    terminal.process.kill()
    return screen


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Path(sys.argv[1]).write_text(drawn(session(Path(folder))))
