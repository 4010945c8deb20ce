"""Scripts that change the installed framework before they start a run of it: no error is left that only what was released proves."""

import pytest

from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.files import disk
from grpo_lint.report.messages import message

RUNS = {
    "verl": "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=a.parquet data.mine=1",
    "swift": "swift rlhf --rlhf_type grpo --model m --dataset d --mine 1",
    # 0.22 - 0.28 drop what they do not know
    "trl": "# grpo-lint: version=1.16.0\ntrl grpo --model_name_or_path m --dataset_name d --mine 1",
}
CHANGES = [
    "sed -i 's/a/b/' /opt/conda/lib/python3.10/site-packages/{name}/a.py",
    "sed -i.bak -e 's/a/b/' \\\n    /usr/lib/python3/dist-packages/{name}/a.py",
    "cp a.py /opt/lib/python3.10/site-packages/{name}/a.py",
    "sudo cp a.py /opt/lib/python3.10/site-packages/{name}/",
    "D=$(python -c \"import {name}; print({name}.__file__)\")\nsed -i 's/a/b/' $(dirname $D)/a.py",
    'D=$(python -c \'import os, {name}; print(os.path.dirname({name}.__file__))\')\nE="$D/b/a.py"\ncp a.py "$E"',
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\nfor f in $D/*.py; do sed -i s/a/b/ $f; done",
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\npatch -p1 -d \"$D\" < a.patch",
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\ncd $D\npatch -p1 < /a.patch",
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\n(cd \"$D/..\" && git apply /a.patch)",
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\ngrep -rl a $D | xargs -r sed -i s/a/b/",
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\ncat > $D/a.py <<'EOF'\na = 1\nEOF",
    'D=$(python -c \'import {name}; print({name}.__path__[0])\')\nput() {{ cp "$1" "$2"; }}\nput a.py $D/a.py',
    "S=$(python -c 'import site; print(site.getsitepackages()[0])')\nrsync -a mine/ ${{S}}/{name}/",
    "S=$(pip show {name} | grep Location | cut -d' ' -f2)\nln -sf $PWD/a.py $S/{name}/a.py",
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\ngit -C $(dirname $D) apply $PWD/a.patch",
    "python - <<'EOF'\nimport {name}\nopen({name}.__file__, 'w').write('a')\nEOF",
    "python3 <<EOF\nimport {name}.a as a, pathlib\np = pathlib.Path(a.__file__)\np.write_text(p.read_text().replace('a', 'b'))\nEOF",
    "python -c \"import {name}, shutil; shutil.copy('a.py', {name}.__path__[0])\"",
    "python -c \"\nimport {name}\nopen({name}.__file__, 'a').write('a')\n\"",
    "curl -o /opt/lib/python3.10/site-packages/{name}/a.py https://a.example/a.py",
    "bash tools/change.sh",
    "python ${{HERE}}/tools/change.py",
]
LEAVES = [
    "python -c 'import {name}; print({name}.__file__)'",
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\ncp $D/a.py ./a.py",
    "D=$(python -c 'import {name}; print({name}.__path__[0])')\nsed -n 1,5p $D/a.py > head.txt",
    "# sed -i 's/a/b/' /opt/lib/python3.10/site-packages/{name}/a.py",
    "sed -i 's/a/b/' /opt/lib/python3.10/site-packages/vllm/a.py",
    "sed -i 's/a/b/' /opt/lib/python3.10/site-packages/{name}_mine/a.py",
    "S=$(python -c 'import site; print(site.getsitepackages()[0])')\ncp a.py $S/vllm/a.py",
    "python - <<'EOF'\nimport {name}\nprint({name}.__file__)\nopen('a.txt').read()\nEOF",
    "cat > a.txt <<'EOF'\nsed -i s/a/b/ /opt/lib/python3.10/site-packages/{name}/a.py\nEOF",
    "python tools/harmless.py",
]


def judged(checkout, text):
    (checkout / ".git").mkdir(exist_ok=True)
    (checkout / "tools").mkdir(exist_ok=True)
    script = checkout / "run.sh"
    script.write_text(text + "\n", encoding="utf-8")
    disk.forget_what_was_asked_for()
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    return next(each for each in report.findings if each.at is not None and each.at.name.endswith("mine"))


@pytest.mark.parametrize("name", RUNS)
def test_what_a_patch_may_change_is_no_error(tmp_path, name):
    (tmp_path / "tools").mkdir()
    changed = f"import {name}\nopen({name}.__file__, 'w').write('a')\n"
    (tmp_path / "tools" / "change.py").write_text(changed, encoding="utf-8")
    (tmp_path / "tools" / "change.sh").write_text(CHANGES[0].format(name=name), encoding="utf-8")
    for change in CHANGES:
        finding = judged(tmp_path, f"{change.format(name=name)}\n{RUNS[name]}")
        assert finding.severity == "warning" and "changes the" in message(finding) + str(finding.note), change


@pytest.mark.parametrize("name", RUNS)
def test_what_changes_nothing_leaves_an_error(tmp_path, name):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "harmless.py").write_text(f"import {name}\nopen('a', 'w').write('a')\n", encoding="utf-8")
    for line in LEAVES:
        assert judged(tmp_path, f"{line.format(name=name)}\n{RUNS[name]}").severity == "error", line
    assert judged(tmp_path, f"{RUNS[name]}\n{CHANGES[0].format(name=name)}").severity == "error"


def test_a_patch_is_named_with_its_line(tmp_path):
    finding = judged(tmp_path, f"set -e\n{CHANGES[1].format(name='verl')}\n{RUNS['verl']}")
    assert "run.sh, line 2, changes the verl" in str(finding.note)


ARCHIVES = {
    "{}.zip": True, "{}-v0.5.tar.gz": True, "third_party/{}-main.zip": True, "scripts/{}_0.5.0.tar.xz": True,
    "wheels/{}-0.5.0-py3-none-any.whl": True, "{}-1a2b3c4d5e.zip": True, "{}_data.zip": False, "a/b/{}.zip": False, "{}.json": False,
}  # fmt: skip


@pytest.mark.parametrize("name", ["verl", "swift"])  # of TRL some releases take the flag
def test_an_archive_in_the_repository_may_hold_a_changed_framework(tmp_path, name):
    for archive, may_hold_it in ARCHIVES.items():
        path = tmp_path / archive.format(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        finding = judged(tmp_path, RUNS[name])
        assert finding.severity == ("warning" if may_hold_it else "error"), archive
        assert (f"{archive.format(name)} may hold a changed" in message(finding)) is may_hold_it
        path.unlink()
