"""Somebody who types a whole launch and a whole file, and does not wait: completions are accepted by chance, what was done is undone,
lines are pasted and taken out again. After each step the text is what the editor has, no request fails, and nothing is offered twice."""

import random
import re

import pytest
from lsp_editor import client, editor  # noqa: F401  # fixtures
from lsprotocol import types

from grpo_lint.lsp.client import Client
from grpo_lint.lsp.diagnostics import diagnostics
from grpo_lint.lsp.session import Session

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

YAML = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
num_generations: 8  # é😀
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
loss_type: dapo
reward_funcs: [accuracy]
"""
SECTIONS = """\
# grpo-lint: dialect=verl version=0.9.1
algorithm:
  adv_estimator: grpo
data: {train_batch_size: 64}
actor_rollout_ref:
  rollout: {n: 8, name: vllm}
  actor:
    ppo_mini_batch_size: 48
"""
SCRIPT = """\
#!/bin/bash
# grpo-lint: version=4.6.0
NPROC_PER_NODE=7 swift rlhf \\
    --rlhf_type grpo \\
    --num_generations 8 \\
    --per_device_train_batch_size 1 --loss_type=dapo
echo "done 😀"
"""
IMAGE = """\
FROM nvcr.io/nvidia/pytorch
ENV NPROC_PER_NODE=7
CMD ["swift", "rlhf", "--rlhf_type", "grpo", \\
  "--num_generations", "8", "--per_device_train_batch_size", "1"]
"""
PYTHON = """\
from trl import GRPOConfig

args = GRPOConfig(
    num_generations=8, loss_type="dapo",
    per_device_train_batch_size=1,
)
"""
FILES = {
    "config.yaml": ("yaml", YAML),
    "tree.yaml": ("yaml", SECTIONS),
    "run.sh": ("shellscript", SCRIPT),
    "Dockerfile": ("dockerfile", IMAGE),
    "train.py": ("python", PYTHON),
}
PASTED = ("beta: 0.1\n", "    --beta 0.1 \\\n", "ENV A=1\nENV B=2\n", "x = 1\n\n", "# grpo-lint: ignore[GRPO203]\n")


class Typist:
    """Somebody at an editor: the text as the editor has it, and the server, which is told of each edit at once."""

    def __init__(self, editor, name, language, seed):
        self.editor, self.name, self.language = editor, name, language
        self.chance = random.Random(seed)
        self.text, self.version = "", 1
        self.done = []  # [(where, what was there, what is there now)] since the last thing that was meant to stay
        self.counts = dict.fromkeys(("edits", "accepted", "undone", "compared", "requests"), 0)
        self.uri = editor.open(name, "", language)

    def place(self, offset):
        """(line, column) of an offset, in units of UTF-16."""
        before = self.text[:offset]
        line = before.rpartition("\n")[2]
        return before.count("\n"), len(line.encode("utf-16-le")) // 2

    def offset(self, position):
        lines = self.text.split("\n")
        line = lines[position.line].encode("utf-16-le")[: 2 * position.character].decode("utf-16-le")
        return sum(len(each) + 1 for each in lines[: position.line]) + len(line)

    def replace(self, start, end, new, stays=False):
        """Edit the text; what does not stay can be undone."""
        self.version += 1
        self.counts["edits"] += 1
        if not stays:
            self.done.append((start, self.text[start:end], new))
        self.editor.edit(self.uri, self.version, (self.place(start), self.place(end), new))
        self.text = self.text[:start] + new + self.text[end:]

    def undo(self):
        while self.done:
            start, old, new = self.done.pop()
            self.replace(start, start + len(new), old, stays=True)
            self.counts["undone"] += 1

    async def offered(self, offset):
        """The items at an offset, each of which is offered once and replaces what is around the cursor."""
        self.counts["requests"] += 1
        found = await self.editor.client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(self.uri), types.Position(*self.place(offset)))
        )
        items = found.items if found is not None else []
        labels = [item.label for item in items]
        assert len(labels) == len(set(labels)), (self.text[:offset], labels)
        return items

    async def accept(self, offset):
        """Accept one of the items by chance. Where the cursor is then; None where nothing is offered."""
        items = await self.offered(offset)
        if not items:
            return None
        item = self.chance.choice(items)
        edit = item.text_edit
        where = edit.replace if isinstance(edit, types.InsertReplaceEdit) else edit.range
        start, end = self.offset(where.start), self.offset(where.end)
        assert start <= offset <= end and "\n" not in self.text[start:end], (self.text, offset, edit)
        new = re.sub(r"\$\{\d+:?([^{}]*)\}|\$\d+", r"\1", edit.new_text)
        self.replace(start, end, new)
        self.counts["accepted"] += 1
        return start + len(new)

    async def look(self, offset):
        """Ask for what an editor asks while one types."""
        line, column = self.place(offset)
        self.counts["requests"] += 3
        await self.editor.hover(self.uri, line, column)
        titles = [action.title for action in await self.editor.actions(self.uri, line, line)]
        assert len(titles) == len(set(titles)), (self.text, titles)
        await self.compare()

    async def compare(self):
        """Compare the findings that the server has with those of the same text, opened anew; while a text cannot be read, it keeps
        those of an earlier one."""
        session = Session()
        document = session.open(self.uri, str(self.editor.folder / self.name), 1, self.text, self.language)
        report = session.report(document)
        found = await self.editor.pulled(self.uri)
        told = [(each.code, each.range.start.line, each.range.start.character, each.message) for each in found.items]
        assert len(told) == len(set(told)), told
        if document.is_broken() or not report.launches:
            return
        fresh = diagnostics(document, report, session.encoding, Client(), session.view(document))
        places = [(each["code"], each["range"]["start"]) for each in fresh]
        assert sorted(each[:3] for each in told) == sorted((code, *start.values()) for code, start in places), self.text
        self.counts["compared"] += 1


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("seed", [1, 2])
async def test_what_an_impatient_user_types_is_what_there_is(editor, name, seed):
    await editor.greet("vs-code")
    language, whole = FILES[name]
    typist = Typist(editor, name, language, seed)
    for at, sign in enumerate(whole):
        typist.replace(at, at, sign, stays=True)
        assert typist.text == whole[: at + 1]
        what = typist.chance.random()
        if what < 0.08:
            behind = await typist.accept(at + 1)
            if behind is not None and typist.chance.random() < 0.5:  # and what is offered behind it
                await typist.accept(behind)
            typist.undo()
        elif what < 0.12:
            pasted = typist.chance.choice(PASTED)
            typist.replace(at + 1, at + 1, pasted)
            await typist.offered(at + 1 + len(pasted))
            typist.undo()
        elif what < 0.16 and at > 10:  # a piece is taken out, and comes back
            start = typist.chance.randrange(at)
            typist.replace(start, at, "")
            await typist.offered(start)
            typist.undo()
        elif what < 0.22 or sign == "\n":
            await typist.look(at + 1)
    await typist.look(len(whole))
    assert typist.text == whole
    assert typist.counts["accepted"] >= 3 and typist.counts["undone"] > 5 and typist.counts["compared"] >= 1, (
        typist.counts
    )


async def test_what_is_accepted_key_by_key_sets_nothing_twice(editor):
    """A file that is written by completion alone: whatever is chosen, no key is there twice and the text can be read."""
    await editor.greet("vs-code")
    typist = Typist(editor, "config.yaml", "yaml", 3)
    typist.replace(0, 0, "# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 8\n", stays=True)
    for _ in range(40):
        behind = await typist.accept(len(typist.text))
        values = await typist.offered(behind)
        value = typist.chance.choice(values).text_edit.new_text if values else "1"
        typist.replace(behind, behind, f"{value}\n")
    lines = [line.partition(":")[0] for line in typist.text.splitlines()[1:]]
    assert len(lines) == len(set(lines)) == 41
    await typist.compare()
    assert typist.counts["compared"] == 1
