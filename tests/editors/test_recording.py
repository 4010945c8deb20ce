"""The recording in the README is what the command prints today."""

import os
from pathlib import Path

from recording import recorded

SESSION = Path(__file__).parents[2] / "docs" / "session.svg"


def test_the_recording_is_what_the_command_prints():
    drawn = recorded()
    if os.environ.get("UPDATE_GOLDEN"):
        SESSION.write_text(drawn, encoding="utf-8")
    assert drawn == SESSION.read_text(encoding="utf-8"), "run with UPDATE_GOLDEN=1 and look at what changed"
    assert drawn.count('class="scene') == 3 and "<script" not in drawn
