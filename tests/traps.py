"""A stranger's folder: modules that Python would import from there, and a repository whose `.git/config` names
programs.

What is run or imported leaves its name in a file that stands beside the folder.
"""

import shlex
import sys

THIRD_PARTY = "yaml _yaml pygls lsprotocol attr attrs cattrs typing_extensions exceptiongroup tomli pip setuptools sitecustomize usercustomize".split()
MODULES = sorted({*sys.stdlib_module_names, *THIRD_PARTY} - {"__main__"})


class Traps:
    """What lies in a folder; `sprung` tells what was run of it."""

    def __init__(self, folder, log):
        self.folder, self.log = folder, log

    @property
    def sprung(self):
        return sorted(set(self.log.read_text().split())) if self.log.exists() else []

    def modules(self, names=MODULES):
        """Put modules there, for all that a program could import."""
        for name in names:
            (self.folder / f"{name}.py").write_text(self._module(name))
        return self

    def package(self, name):
        """Put a package there that can be run."""
        (self.folder / name).mkdir()
        for part in ("__init__", "__main__"):
            (self.folder / name / f"{part}.py").write_text(self._module(f"{name}.{part}"))
        return self

    def _module(self, name):
        return f"open({str(self.log)!r}, 'a').write({name + chr(10)!r})\n"

    def git(self):
        """Let the repository there name programs for whatever git would run, and lack an object that a promised
        repository has."""
        program = self.log.with_name("program")
        program.write_text(f'#!/bin/sh\necho "$1" >> {shlex.quote(str(self.log))}\n')
        program.chmod(0o755)
        hooks = self.log.with_name("git-hooks")
        hooks.mkdir()
        for name in (
            "post-index-change",
            "reference-transaction",
            "post-checkout",
            "pre-auto-gc",
            "fsmonitor-watchman",
        ):
            (hooks / name).write_text(f'#!/bin/sh\n"{program}" {name}\n')
            (hooks / name).chmod(0o755)
        settings = {
            "core": {
                "fsmonitor": "fsmonitor",
                "pager": "pager",
                "sshCommand": "ssh",
                "gitProxy": "proxy",
                "alternateRefsCommand": "alternates",
            },
            "diff": {"external": "diff"},
            'diff "evil"': {"command": "driver", "textconv": "textconv"},
            'filter "evil"': {"clean": "clean", "smudge": "smudge", "process": "process"},
            'remote "evil"': {"uploadpack": "upload-pack"},
            "credential": {"helper": "credential"},
        }
        lines = [
            "[core]",
            "repositoryformatversion = 1",
            f'hooksPath = "{hooks}"',
            "[extensions]",
            "partialClone = evil",
            '[remote "evil"]',
            "promisor = true",
        ]
        lines += [
            f'url = "{self.folder}"',
            '[remote "origin"]',
            f'url = "ext::{program} remote"',
            '[protocol "ext"]',
            "allow = always",
        ]
        for section, programs in settings.items():
            lines += [f"[{section}]", *(f'{key} = "{program} {name}"' for key, name in programs.items())]
        with open(self.folder / ".git" / "config", "a") as file:
            file.write("\n".join(lines) + "\n")
        (self.folder / ".git" / "info" / "attributes").write_text("* diff=evil filter=evil\n")
        return self
