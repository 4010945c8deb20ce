"""Commands besides `check` with the files and logs of strangers: what they may cost is bounded, and they never break."""

import os
import subprocess
import sys

import pytest
from processor_time import whole_seconds

from grpo_lint.report.printable import JOINER

resource = pytest.importorskip("resource", reason="limits of a process are those of POSIX")
pytestmark = pytest.mark.slow

MOST_UNITS, MOST_MEMORY = 40, 256 << 20
HEAD = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nper_device_train_batch_size: 4\nnum_generations: 8\n"
FILES = {
    "bomb": HEAD + "b0: &b0 [x, x]\n" + "".join(f"b{n}: &b{n} [*b{n - 1}, *b{n - 1}]\n" for n in range(1, 40)),
    "deep": "num_generations: " + "[" * 100_000,
    "sizes": HEAD.replace(": 4", ": 999999999999999999").replace(": 8", ": 999999999999999999"),
    "many updates": HEAD.replace(": 4", ": 99999999999999"),
    "odd": HEAD + "num_iterations: .inf\ngeneration_batch_size: -8\nsteps_per_generation: 1.5\n",
    "names": HEAD + "".join(f'"\\e[31m<script>{n}": "\\u202e"\n' for n in range(2000)),
    "runs": "# grpo-lint: version=4.6.0\n" + "swift rlhf --rlhf_type grpo --num_generations 8\n" * 300,
    "surrogates": "\ud800: 1\n" + HEAD,
    "nothing": "",
}
LINE = "ValueError: generation_batch_size (8) must be divisible by num_generations (12).\n"
LOGS = {
    "lines": "  File x, line 1\n" * 6_000_000 + LINE,
    "one line": "a " * 50_000_000,
    "quotes": "'" * 100_000_000,
    "controls": "\x1b]0;x\x07\x9b31m::error::x\n" * 4_000_000 + LINE,
    "lines that are alike": LINE * 1_000_000,
}


def limit():
    seconds = whole_seconds(MOST_UNITS)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


def run(words, folder, **more):
    whole_seconds(MOST_UNITS)  # measured here, not in the process with limits
    command = [sys.executable, "-I", "-m", "grpo_lint", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, preexec_fn=limit, **more)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode in (0, 1, 2), err[-300:]
    assert "Traceback" not in err and "internal error" not in err and "GRPO906" not in out
    steering = {each for each in out + err if not (each.isprintable() or each == "\n")} - {JOINER}
    assert not steering, "no character steers a terminal"
    assert not any(line.lstrip().startswith("::") for line in (out + err).splitlines())
    return done.returncode, out, err


@pytest.mark.parametrize(
    "words",
    [
        "plan --gpus 16 --from",
        "plan --gpus 1048576 --from",
        "convert --to megatron",
        "convert --to easyr1 --output-format json",
    ],
)
@pytest.mark.parametrize("name", FILES)
def test_files_of_strangers_that_are_moved_or_converted(name, words, tmp_path):
    path = tmp_path / ("run.sh" if name == "runs" else "run.yaml")
    path.write_bytes(FILES[name].encode("utf-8", "surrogatepass"))
    run([*words.split(), path.name], tmp_path)


@pytest.mark.parametrize("name", LOGS)
def test_a_log_of_a_hundred_megabytes(name, tmp_path):
    log = LOGS[name].encode()
    (tmp_path / "run.yaml").write_text(HEAD)
    (tmp_path / "crash.log").write_bytes(log)
    run(["rule", "-"], tmp_path, input=log)
    run(["check", "--error", "crash.log", "run.yaml"], tmp_path)
    run(["check", "--error", "-", "run.yaml"], tmp_path, input=log)


def test_a_stream_without_an_end(tmp_path):
    with open("/dev/zero", "rb") as zeros:
        run(["rule", "-"], tmp_path, stdin=zeros)


# --- the server for agents -------------------------------------------------------------------------------------------

START = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n'
READY = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
ASK = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"check","arguments":{"text":"num_generations: 8"}}}\n'
LINES = {
    "garbage": "\x00\x01 no json\n{\n}\n[]\nnull\n7\n" + '"' * 1000 + "\n",
    "deep": "[" * 200_000 + "\n" + '{"a":' * 100_000 + "\n",
    "a huge id": '{"jsonrpc":"2.0","id":' + "9" * 5000 + ',"method":"tools/list"}\n',
    "a long id": '{"jsonrpc":"2.0","id":"' + "x" * 1_000_000 + '","method":"tools/list"}\n',
    "an odd id": '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}\n{"jsonrpc":"2.0","id":1e400,"method":"tools/list"}\n',
    "no method": '{"jsonrpc":"2.0","id":2}\n{"jsonrpc":"2.0","id":3,"method":7}\n{"jsonrpc":"2.0","id":4,"method":"no/such"}\n',
    "no tool": '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"rm","arguments":{}}}\n',
    "odd arguments": "".join(
        f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}\n'
        for number, (tool, arguments) in enumerate(
            (tool, arguments)
            for tool in ("check", "explain", "plan", "plan_from", "convert")
            for arguments in ("7", "[]", "null", '{"path":7}', '{"path":"\\u0000"}', '{"text":"\\ud800","to":"trl"}', '{"to":' + "[" * 400 + "]" * 400 + "}",
                              '{"processes":' + "9" * 400 + "}", '{"text":"a","facts":{"x":[[]]}}')
        )
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_the_server_for_agents_goes_on_after_any_line(name, tmp_path):
    """What is no request is answered with an error or not at all; the next request gets its answer; nothing of a traceback."""
    pytest.importorskip("mcp")
    words = [sys.executable, "-m", "grpo_lint", "mcp", "--root", str(tmp_path)]
    talk = (START + READY + LINES[name] + ASK).encode("utf-8", "surrogatepass")
    server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        server.stdin.write(talk)
        server.stdin.flush()
        answers = []
        for line in server.stdout:
            answers.append(line.decode())
            if '"id":7' in answers[-1] and '"structuredContent"' in answers[-1]:
                break
        assert "errors" in answers[-1]
        server.stdin.close()
        server.wait(30)
        assert "Traceback" not in server.stderr.read().decode() + "".join(answers)
    finally:
        server.kill()
        server.stdout.close()
        server.stderr.close()


# --- pages ------------------------------------------------------------------------------------------------------------

EVIL = "</script><img src=x onerror=alert(1)><!--"


def test_a_page_of_explain_runs_nothing_of_a_stranger(tmp_path):
    """Values of the file and limits of its repository become formulas of JavaScript: their texts stay texts."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".grpo-lint.toml").write_text(
        f"[rules.team-loss]\non = 'loss_type'\none-of = ['grpo', '{EVIL}']\nwhy = '{EVIL}'\n"
        f"[rules.team-name]\non = 'run_name'\nnot = '{EVIL}'\n"
    )
    (tmp_path / "run.yaml").write_text(
        HEAD + f'loss_type: "{EVIL}"\nrun_name: "{EVIL}"\n"{EVIL}": 1\nvllm_mode: "{EVIL}"\nuse_vllm: true\n'
    )
    _, page, _ = run(["explain", "--output-format", "html", "run.yaml"], tmp_path)
    script = page[page.index("<script>") + 8 : page.index("</script>")]
    assert "onerror" in script and EVIL not in page
    assert page.count("<script") == page.count("</script") == 1 and "<img" not in page and "<!--" not in script


def test_texts_of_formulas_are_those_of_a_page():
    import ast

    from grpo_lint.report.explain.javascript import function, sentence

    class Formula:
        is_path, source = False, f"loss_type == {EVIL!r} or x == '\\u2028##'"

    told = function(Formula) + sentence(ast.parse(repr(EVIL), mode="eval").body)
    assert (
        "<" not in told.replace("=>", "") and ">" not in told.replace("=>", "") and "##" not in told and told.isascii()
    )


def test_the_playground_makes_elements_of_nothing_but_texts():
    """Whatever is pasted there becomes the text of an element, or an image that runs no scripts."""
    from pathlib import Path

    folder = Path(__file__).parent.parent / "playground"
    for name in ("playground.js", "worker.js"):
        code = (folder / name).read_text(encoding="utf-8")
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "srcdoc",
            "setAttribute(",
        ):
            assert word not in code, (name, word)


# --- what `convert` writes ------------------------------------------------------------------------------------------

STRANGE = "zz\ntouch pwned #", "\x1b[2J\x1b]0;x\x07", "a\n::error::b", "learning_rate: 99\u2028c", "##vso[task.x]y"


@pytest.mark.parametrize("target", ["swift", "verl", "easyr1", "megatron"])
def test_a_name_in_a_converted_text_is_no_command(tmp_path, target):
    keys = ", ".join(f"{name!r}: {name!r}" for name in STRANGE)
    settings = "per_device_train_batch_size=8, num_generations=8, learning_rate=1e-6, run_name='a\\x1b[2Jb'"
    (tmp_path / "train.py").write_text(
        f"from trl import GRPOConfig, GRPOTrainer\nGRPOTrainer(args=GRPOConfig({settings}, **{{{keys}}}))\n",
        encoding="utf-8",
    )
    _, out, _ = run(["convert", "train.py", "--to", target, "--world-size", "8"], tmp_path)
    assert "##vso" not in out and not any(line.startswith(("touch", "learning_rate: 99")) for line in out.splitlines())
    if out.startswith("#!"):
        (tmp_path / "out.sh").write_text(
            "python3() { :; }; megatron() { :; }; swift() { :; }\n" + out, encoding="utf-8"
        )
        subprocess.run(["bash", "out.sh"], cwd=tmp_path, check=False, capture_output=True)
        assert not (tmp_path / "pwned").exists()


def test_a_converted_text_is_not_written_through_a_link(tmp_path):
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "repo" / "out").symlink_to("../outside")
    (tmp_path / "repo" / "a.yaml").write_text(HEAD)
    status, _, err = run(["convert", "a.yaml", "--to", "swift", "--output-file", "out/b.yaml"], tmp_path / "repo")
    assert status == 2 and "link" in err and not list((tmp_path / "outside").iterdir())


# --- revisions that somebody made by hand ---------------------------------------------------------------------------


def git(folder, *words, text=""):
    identity = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(["git", *words], cwd=folder, input=text, text=True, capture_output=True, check=True,
                          env={**os.environ, **identity})  # fmt: skip
    return done.stdout.strip()


def commit_of(folder, tree):
    return git(folder, "commit-tree", tree, "-m", "x")


def test_a_tree_without_end_is_looked_at_to_a_bound(tmp_path):
    git(tmp_path, "init", "-q")
    blob = git(tmp_path, "hash-object", "-w", "--stdin", text="x: 1\n")
    tree = git(tmp_path, "mktree", text="".join(f"100644 blob {blob}\tf{n}.bin\n" for n in range(10)))
    for _ in range(7):
        tree = git(tmp_path, "mktree", text="".join(f"040000 tree {tree}\td{n}\n" for n in range(10)))
    (tmp_path / "a.yaml").write_text(HEAD)
    status, _, err = run(["diff", commit_of(tmp_path, tree)], tmp_path)
    assert status in (0, 1) and "not all of its files are looked at" in err


def test_names_that_no_work_tree_can_have_are_passed_over(tmp_path):
    git(tmp_path, "init", "-q")
    blob = git(tmp_path, "hash-object", "-w", "--stdin", text=HEAD)
    both = "".join(f"100644 blob {blob}\t{name}.yaml\n" for name in ("a", "x" * 300))
    (tmp_path / "a.yaml").write_text(HEAD.replace("size: 4", "size: 8"))
    status, out, _ = run(["diff", commit_of(tmp_path, git(tmp_path, "mktree", text=both))], tmp_path)
    assert status in (0, 1) and "a.yaml" in out


def test_a_grid_of_a_stranger_commands_no_log(tmp_path):
    text = HEAD.replace(": 8\n", ": [4, 8]\n") + 'loss_type: "##vso[task.setvariable variable=PATH]/tmp"\n'
    (tmp_path / "sweep.yaml").write_text(text)
    _, out, err = run(["sweep", "sweep.yaml"], tmp_path)
    assert "loss_type" in out and "##vso[" not in out + err
