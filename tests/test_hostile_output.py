"""What hides in the files of strangers reaches no terminal and no log of a service in a form that does something
there."""

import json
import sys
from pathlib import Path

import pytest

from conftest import comment
from grpo_lint.checker.contexts import Around
from grpo_lint.checker.findings import span_of
from grpo_lint.cli.main import main
from grpo_lint.cli.options import FORMATS
from grpo_lint.engine import lint_path
from grpo_lint.lsp.hover import hover, plain
from grpo_lint.report.printable import clean
from grpo_lint.source.hiding import masked

sys.path.insert(0, str(Path(__file__).parents[1]))
from fuzz.harmless import faults

sys.path.pop(0)

pytestmark = pytest.mark.slow

ATTACKS = {
    "escapes": "\x1b[31m\x1b]8;;http://x\x07y\x1b]8;;\x07\x1b]52;c;eA==\x07\x9b31m\x85\x08\x7f\x0c",
    "directions": "\u202e\u2066\u200b\u200e\ufeff\u2028\u2029\u00ad\U000e0041",
    "commands": "::error file=a,line=1::x ::set-output name=a::b ::add-mask::8 ::stop-commands::t",
    "old commands": "##[error]x ##[add-mask]8 ##vso[task.setvariable variable=a]b ##VSO[task.complete] ##teamcity[buildStop comment='x']",
    "line breaks": "a\r::error ::x\n::set-output name=a::b\n##[group]x\r\n::warning ::y",
    "markup": "<script>alert(1)</script> ]]> &amp; <!-- x --> [x](javascript:y) ![x](http://y) `x` | a | *b* _c_ ~d~ @everyone #1 www.x.y http://x.y",
    "formats": "%s %0A::error::x {0} {finding.launch} %{x} $(touch x)",
}
HEAD = comment(dialect="trl", version="1.16.0", world_size=8)
OTHERS = (
    ["--verbose"],
    ["--diff", "--unsafe-fixes"],
    ["--show-settings"],
    ["--statistics"],
    ["--output-format", "full", "--color", "never", "--quiet"],
)


def quoted(text):
    """A text as YAML, JSON and TOML can hold it between double quotes."""
    return json.dumps(text).replace("\\/", "/")


def as_toml(text):
    return (
        quoted(text).encode("ascii", "backslashreplace").decode()
        if all(ord(each) < 0x10000 for each in text)
        else quoted(text[:-1])
    )


@pytest.fixture(params=ATTACKS)
def hostile(request, tmp_path, monkeypatch):
    """A repository in which one attack stands wherever a text can stand; returns the attack."""
    attack = ATTACKS[request.param]
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    as_name = attack.replace("/", "_").replace("\0", "")[:90]
    as_word = "".join(attack.split())[:60]
    values = quoted(attack)

    def write(name, text):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text.encode("utf-8", "surrogatepass"))

    bad = "per_device_train_batch_size: 4\nnum_generations: 6\n"
    write(f"{as_name}.yaml", HEAD + bad)
    write(f"{as_name}/inner.yaml", HEAD + bad)
    write(
        "keys.yaml", HEAD + bad + f"{values}: 8\nnum_generation: {values}\n? {values}\n: {values}\n{values}: {values}\n"
    )
    write(
        "values.yaml",
        HEAD
        + bad
        + "".join(f"{key}: {values}\n" for key in ("loss_type", "beta", "bf16", "optim", "deepspeed", "vllm_mode")),
    )
    write(
        "lists.yaml",
        HEAD
        + f"per_device_train_batch_size: 4\nnum_generations: [{values}, {{a: {values}}}]\nreward_weights: [{values}]\n",
    )
    write("raw.yaml", HEAD + bad + f"run_name: {attack}\nloss_type: '{attack}\n")
    write("above.yaml", HEAD + f"# {attack}\n{bad}num_generations_eval: 7 # {attack}\n")
    line = attack.replace("\n", " ").replace("\r", " ")
    write(
        "comments.yaml",
        f"# grpo-lint: dialect='{line}' version={line} {line}\n# grpo-lint: ignore[{as_word}]\n# grpo-lint: {line}\n"
        + HEAD
        + bad,
    )
    write("expects.yaml", HEAD + f"# grpo-lint: expect {as_word}=512 completions_per_update={as_word}\n" + bad)
    shell = "'" + attack.replace("'", "") + "'"
    write("run.sh", f"swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8 --per_device_train_batch_size 3 --loss_type {shell} "
          f"--{as_word} 1 --beta {shell}\naccelerate launch --config_file {shell} {shell} --config {shell} --num_generations 6 "
          f"--per_device_train_batch_size 4\n{attack}\n  --num_generations {shell}\nif x\n{attack}\n")  # fmt: skip
    write(
        "job.yaml",
        f"jobs:\n  - run: |\n      torchrun --nproc_per_node 7 {as_word} --num_generations 6 --per_device_train_batch_size 4 --{as_word}\n  - {values}\n",
    )
    write(
        "ds.json",
        json.dumps(
            {
                "train_micro_batch_size_per_gpu": attack,
                "gradient_clipping": attack,
                "optimizer": {"params": {"lr": attack}},
            }
        ),
    )
    write("linked.yaml", HEAD + bad + "deepspeed: ds.json\n")
    write("requirements.txt", f"transformers=={as_word}\ntrl=={as_word}\n")
    toml = as_toml(attack)
    write("settings/grpo-lint.toml", f"{toml} = 1\nversion = {toml}\nignore = [{toml}]\nbaseline = {toml}\nseverity = {{ {toml} = {toml} }}\nexclude = [{toml}]\n"
          f"known-keys = [{toml}]\nrequired-keys = [{toml}]\n")  # fmt: skip
    write("settings/a.yaml", HEAD + bad)
    write("broken/grpo-lint.toml", f"a = {attack}\n")
    write("broken/a.yaml", HEAD + bad)
    write(
        "team/grpo-lint.toml",
        f'[rules.team-x]\non = "num_generations"\nmin = 64\nwhy = {toml}\n\n[rules.{toml}]\non = {toml}\n',
    )
    write("team/a.yaml", HEAD + bad)
    write("required/grpo-lint.toml", f"required-keys = [{toml}]\n")
    write("required/a.yaml", HEAD + bad)
    write(
        "known.json",
        json.dumps({"version": 1, "findings": [{"path": as_name, "rule": "GRPO203", "key": attack, "value": attack}]}),
    )
    return attack


def said(capsys, *words):
    """(standard output, standard error) of the command line, which must not break."""
    assert main([*words]) in (0, 1, 2)
    captured = capsys.readouterr()
    assert "internal error" not in captured.err, captured.err
    return captured


def assert_harmless(form, captured):
    assert list(faults(form, captured.out)) == []
    assert list(faults("full", captured.err)) == []


@pytest.mark.parametrize("form", FORMATS)
def test_formats(hostile, capsys, monkeypatch, form):
    for width in ("40", "120") if form == "full" else ("80",):
        monkeypatch.setenv("COLUMNS", width)
        captured = said(capsys, "check", ".", "--output-format", form, "--color", "never", "--baseline", "known.json")
        assert len(captured.out) > 3000
        assert_harmless(form, captured)


@pytest.mark.parametrize("words", OTHERS, ids=" ".join)
def test_other_output_of_check(hostile, capsys, words):
    captured = said(capsys, "check", ".", *words)
    assert_harmless(
        "full", captured._replace(out=captured.out.replace("\r\n", "\n"))
    )  # a patch keeps the line breaks of its file


def test_explain(hostile, capsys):
    captured = said(capsys, "explain", ".", "--color", "never")
    assert len(captured.out) > 1000
    assert_harmless("full", captured)


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_formats_of_explain(hostile, capsys, form):
    captured = said(capsys, "explain", ".", "--picture", "--output-format", form)
    assert len(captured.out) > 1000
    assert_harmless("json" if form == "json" else "full", captured)


def test_markdown_of_explain_is_what_it_says(hostile, capsys):
    from markdown_it import MarkdownIt

    output = said(capsys, "explain", ".", "--output-format", "markdown").out
    tokens = [
        child
        for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(output)
        for child in (token.children or [token])
    ]
    assert {token.content for token in tokens if token.type in ("html_inline", "html_block")} <= {"<!-- -->"}
    assert not [token for token in tokens if token.type in ("image", "link_open", "code_inline")]


def test_pages_of_explain_hold_no_marks(hostile, capsys):
    """Nothing of a file is an element of the page, or of the picture."""
    page = said(capsys, "explain", ".", "--output-format", "html").out
    script = page[page.index("<script>") + 8 : page.index("</script>")]
    assert page.count("<script") == 1 and page.count("</script") == 1
    assert page.replace(script, "").count("<") < 20 and "<!--" not in script
    assert list(faults("full", said(capsys, "explain", ".", "--output-format", "svg").out)) == []


def test_words_of_the_command_line(hostile, capsys):
    for words in (["--output-format", hostile], [f"--{hostile}"], ["--version", hostile], [hostile], ["--baseline", hostile], ["--stdin-filename", hostile, "x"],
                  ["--ignore", hostile], ["--files-from", hostile], ["--framework-version", hostile], ["--output-file", f"no/{hostile}"]):  # fmt: skip
        assert_harmless("full", said(capsys, "check", *[word.replace("\0", "") for word in words]))
    for command in ("rule", "schema", "explain"):
        assert_harmless("full", said(capsys, command, hostile))


def test_a_joiner_takes_the_meaning_and_nothing_else():
    assert clean("a ##[x] ##vso[y] ###[ ## # [") == "a #\u200c#[x] #\u200c#vso[y] ##\u200c#[ ## # ["
    assert clean("##teamcity[x] ##TeamCity [y]") == "#\u200c#teamcity[x] ##TeamCity [y]"
    assert clean("## plain ##") == "## plain ##"


def test_markdown_is_what_it_says(hostile, capsys):
    from markdown_it import MarkdownIt

    output = said(capsys, "check", ".", "--output-format", "markdown").out
    tokens = [
        child
        for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(output)
        for child in (token.children or [token])
    ]
    assert {token.content for token in tokens if token.type in ("html_inline", "html_block")} <= {"<br>", "<!-- -->"}
    assert not [token for token in tokens if token.type in ("image", "code_inline", "em_open", "strong_open", "s_open")]
    assert all("/blob/main/docs/" in token.attrs["href"] for token in tokens if token.type == "link_open")


def test_hovers_load_nothing_and_lead_nowhere(hostile):
    from markdown_it import MarkdownIt

    markdown, shown = MarkdownIt("commonmark").enable(["table", "strikethrough"]), set()
    for path in sorted(str(path) for path in Path().rglob("*") if path.is_file()):
        report = lint_path(path, Around().of(path))
        if report.text is None:
            continue
        starts = [
            offset
            for each in [*report.text.starts, *map(span_of_start, report.findings)]
            for offset in (each, each + 3)
        ]
        shown.update(
            found["contents"]["value"]
            for offset in starts
            if (found := hover(report, min(offset, len(report.text.text)), "utf-16"))
        )
    for text in shown:
        tokens = [child for token in markdown.parse(text) for child in (token.children or [token])]
        assert not [token for token in tokens if token.type in ("image", "html_inline", "html_block")], text
        assert all("/blob/main/docs/" in token.attrs["href"] for token in tokens if token.type == "link_open"), text
        assert "\\" not in plain(text).replace("\\u", ""), text
    assert len(shown) > 5


def span_of_start(finding):
    return span_of(finding).start


TOKENS = {
    "hub_token: hf_AbCdEfGhIjKlMnOpQrStUv": "hub_token: *************************",
    "report_to: sk-0123456789abcdef": "report_to: sk-****************",
    "--hub_token abcdefgh1234 --eos_token abcdefgh1234": "--hub_token ************ --eos_token abcdefgh1234",
    "export WANDB_API_KEY='0123456789abcdef'": "export WANDB_API_KEY='****************'",
    "hub_token: [abcdefgh1234]": "hub_token: [************]",
    "hub_token: [abcdefgh1234, 'zyxw 4321', \"zyxw 4321\"] # mine": "hub_token: [************, '*********', \"*********\"] # mine",
    "api_keys: [[abcdefgh1234, zyxwvuts4321], [abcdefgh1234]": "api_keys: [[************, ************], [abcdefgh1234]",
    "hub_token: [$HF_TOKEN_1, ${HF_TOKEN_2}]": "hub_token: [$HF_TOKEN_1, ${HF_TOKEN_2}]",
    '{"api_keys": {"one": "abcdefgh1234", "two": "zyxwvuts4321"}, "n": "abcdefgh1234"}': (
        '{"api_keys": {"one": "************", "two": "************"}, "n": "abcdefgh1234"}'
    ),
    "hub_token: !!str abcdefgh1234": "hub_token: !!str ************",
    "swanlab_token: abcdefgh1234": "swanlab_token: ************",
    "token: abcdefgh1234": "token: ************",
    "auth: 'Bearer abcdefgh1234'": "auth: '*******************'",
    'password: "abc def 1234"': 'password: "************"',
    "url: https://user:abcdefgh@host/x": "url: https://user:********@host/x",
    "swanlab_webhook_url: https://host.example/hook/abcd": "swanlab_webhook_url: https://host.example/*********",
    "pad_token: endoftext1": "pad_token: endoftext1",
    "max_token_len: 123456789": "max_token_len: 123456789",
    "hub_token: $HF_TOKEN": "hub_token: $HF_TOKEN",
    "hub_token: null": "hub_token: null",
    "eos_token: <|im_end|>": "eos_token: <|im_end|>",
    "hub_token takes a text; the key num_generations stands twice": "hub_token takes a text; the key num_generations stands twice",
}


@pytest.mark.parametrize("line", TOKENS)
def test_passwords_of_services_are_not_shown(line):
    assert clean(line) == masked(line) == TOKENS[line] and len(TOKENS[line]) == len(line)


def test_no_format_shows_a_token(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    token = "hf_AbCdEfGhIjKlMnOpQrStUv"
    (tmp_path / "a.yaml").write_text(
        f"# grpo-lint: dialect=trl version=1.16.0 world-size=1\nhub_token: {token}\nnum_generations: 8 # {token}\nper_device_train_batch_size: 4\n"
    )
    (tmp_path / "b.yaml").write_text(
        f"# grpo-lint: dialect=trl version=1.16.0 world-size=1\nnum_generations: 8\nper_device_train_batch_size: 8\nseed: {token}\n"
    )
    words = [["--output-format", form] for form in FORMATS if form != "json"]
    for each in (*words, ["--diff", "--unsafe-fixes"], ["--output-format", "json"]):
        assert main([*each, "a.yaml", "b.yaml"]) == 1
        said = "".join(capsys.readouterr())
        assert said and token not in said, each
    main(["explain", "a.yaml"])
    assert token not in capsys.readouterr().out


@pytest.mark.parametrize("form", FORMATS)
def test_a_token_that_stands_twice_is_not_shown(tmp_path, monkeypatch, capsys, form):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(
        "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nnum_generations: 8\nhub_token: first1\nhub_token: second2\n"
    )
    run = "accelerate launch --num_processes 8 t.py --num_generations 8 --per_device_train_batch_size 8 --max_completion_length 9"
    (tmp_path / "a.sh").write_text(f"{run} --hub_token first1 --hub_token second2\n")
    assert main(["a.yaml", "a.sh", "--output-format", form, "--select", "GRPO003,GRPO008"]) == 1
    said = "".join(capsys.readouterr())
    assert (
        "***" in said.replace("\\", "") and "is used, and first1" not in said and "the last value, second2" not in said
    )
