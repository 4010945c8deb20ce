"""Launch files as people write them: each launch in them is seen, with its number of processes.

`launched/files.txt` holds them: `=== name`, a line that says which runs the file starts (framework and processes, `?` where
only its machine knows them), and the text.
"""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from grpo_lint.cli.main import main

PARTS = re.split(r"^=== (\S+)\n", (Path(__file__).parent / "launched" / "files.txt").read_text(), flags=re.MULTILINE)[
    1:
]
_EXPECTED = re.compile(r"^# expect: (.*)\n", re.MULTILINE)
FILES = dict(zip(PARTS[::2], PARTS[1::2], strict=True))
EXPECTED = {name: found[1] for name, text in FILES.items() if (found := _EXPECTED.search(text))}


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """{file: the runs that are seen in it}."""
    folder = tmp_path_factory.mktemp("launched")
    (folder / ".git").mkdir()
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(_EXPECTED.sub("", text, count=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            main(["check", "--output-format", "json", *EXPECTED])
    return {
        each["path"]: " ".join(f"{run['dialect']} {run.get('world_size') or '?'}" for run in each["launches"])
        for each in json.loads(told.getvalue())["files"]
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_each_launch_is_seen_with_its_processes(seen, name):
    assert seen[name].replace("ms-swift", "swift") == EXPECTED[name]
