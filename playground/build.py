"""Build the playground: `npm ci` in this folder, then

    python playground/build.py site/playground

The page holds Python as WebAssembly, the part of grpo-lint that checks, and PyYAML without its part in C. It loads nothing from
elsewhere, so it works without a network once it is there; any server of files will do.
"""

import json
import shutil
import sys
import zipfile
from pathlib import Path

import yaml

import grpo_lint

HERE = Path(__file__).parent
PAGE = ("index.html", "playground.css", "playground.js", "worker.js", "engine.py")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LEFT_OUT = ("lsp", "mcp", "cli", "__pycache__")  # rooms that no page needs
EXAMPLES = (
    ("TRL: seven GPUs", "bad/trl-grpo-7-gpus.yaml", "config.yaml"),
    ("Megatron-SWIFT: sixteen GPUs", "bad/megatron-gspo-16-gpus.yaml", "config.yaml"),
    ("ms-swift: a launch script", "bad/swift-grpo-module.sh", "train.sh"),
    ("TRL: all is well", "good/trl-grpo-7-gpus.yaml", "config.yaml"),
)


def build(folder: Path) -> None:
    """Write the whole page into a folder."""
    build_page(folder)
    (folder / "pyodide").mkdir(exist_ok=True)
    for name in PYODIDE:
        shutil.copyfile(HERE / "node_modules" / "pyodide" / name, folder / "pyodide" / name)


def build_page(folder: Path) -> None:
    """Write all of the page that is ours, which needs no Node: without an interpreter."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        shutil.copyfile(HERE / name, folder / name)
    with zipfile.ZipFile(folder / "packages.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for package in (Path(grpo_lint.__file__).parent, Path(yaml.__file__).parent):
            for path in sorted((*package.rglob("*.py"), *package.rglob("*.mo"))):
                if not set(LEFT_OUT) & set(path.relative_to(package).parts):
                    archive.write(path, f"{package.name}/{path.relative_to(package).as_posix()}")
    examples = [
        {"title": title, "kind": kind, "text": (HERE.parent / "examples" / path).read_text(encoding="utf-8")}
        for title, path, kind in EXAMPLES
    ]
    (folder / "examples.json").write_text(json.dumps(examples), encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]))
