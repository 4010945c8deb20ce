"""Passwords, tokens and keys are told nowhere: by the names that they came through, or by their own form."""

import asyncio
import json

import pytest

import grpo_lint
from conftest import comment
from grpo_lint.cli.main import main
from grpo_lint.cli.more_options import EXPLAIN_FORMATS
from grpo_lint.cli.options import FORMATS
from grpo_lint.report.printable import clean
from grpo_lint.source import credentials
from grpo_lint.source.credentials import is_secret
from grpo_lint.source.hiding import hidden, masked

DRAWN = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"
HEX = "0123456789abcdef0123456789abcdef01234567"
BY_FORM = (
    "hf_" + DRAWN[:20], "sk-proj-" + DRAWN, "ghp_" + DRAWN, "github_pat_" + DRAWN, "glpat-" + DRAWN[:20], "xoxb-123456789012-abcdefABCDEF",
    "xoxp-123456789012-" + DRAWN, "AIza" + DRAWN[:35], "ASIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE", "npm_" + DRAWN, "pypi-AgEIcHlwaS5vcmc" + DRAWN,
    "r8_" + DRAWN, "dop_v1_" + HEX + HEX[:24], "ms-12345678-90ab-cdef-1234-567890abcdef", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "nvapi-" + DRAWN, "gsk_" + DRAWN, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", DRAWN + DRAWN[:4],
    "https://hooks.slack.com/services/T01ABCDEF/B02ABCDEF/" + DRAWN[:24], "wandb_v1_" + DRAWN + "_" + DRAWN, "GOCSPX-" + DRAWN[:28],
    "-----BEGIN RSA PRIVATE KEY-----MIIEpAIBAAKCAQEA/" + DRAWN,
)  # fmt: skip
BY_NAME = {
    "WANDB_KEY": HEX, "wandb-key": HEX, "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "MY_KEY": HEX, "OPENAI_KEY": "0123456789ab",
    "hub_token": "abcdefgh1234", "db_passwd": "abc12345", "trainer.swanlab_secret": "abc12345", "DEEPSEEK_KEY": "0123456789ab",
    "hub_tokenn": "abcdefgh1234", "hub_tken": "abcdefgh1234", "hub-toekn": "abcdefgh1234", "hbu_token": "abcdefgh1234", "wnadb_key": "abcdefgh1234",
    "db_pasword": "abcdefgh1234", "push_to_hub_tokem": "abcdefgh1234",
}  # fmt: skip
READABLE = (
    HEX, f"hub_revision: {HEX}", f"git+https://github.com/huggingface/trl@{HEX}", f"uses: actions/checkout@{HEX} # v4", f"sha256:{HEX}{HEX[:24]}",
    "Qwen/Qwen2.5-VL-7B-Instruct-GPTQ-Int4", "deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B", "NousResearch/Nous-Hermes-2-Mixtral-8x7B-DPO",
    "/mnt/data/checkpoints/Qwen25/GRPO/Run12/Step200/Best", "outputs/Qwen2/GRPO/run1/Step2000/Best123", "eos_token: <|im_end|>", "pad_token: endoftext1",
    "data.prompt_key=prompt_of_the_user_2", "reward_fn_key: data_source_column_number_2", "12345678-90ab-cdef-1234-567890abcdef", "npm_config_registry_url_of_1",
    "Qwen25VL7BInstructGRPOMath220kVersion2Run3", "actor_rollout_ref.rollout.tensor_model_parallel_size 8", "sort_key: num_generations_per_prompt_1", "max_token_len: 123456789",
)  # fmt: skip


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    monkeypatch.setattr(credentials, "_known", {})
    monkeypatch.setattr(credentials, "_texts", {})


@pytest.mark.parametrize("token", BY_FORM)
@pytest.mark.parametrize(
    "around", ["{}", "report_to: {}", "loss_type is '{}', not one", 'x="{}"', "--run_name {} --n 8"]
)
def test_a_token_is_known_by_its_form(token, around):
    told = clean(around.format(token))
    assert token[-8:] not in told and "****" in told and len(told) == len(around.format(token))


@pytest.mark.parametrize("text", READABLE)
def test_what_is_no_token_stays(text):
    assert clean(text) == masked(text) == text


@pytest.mark.parametrize("name", BY_NAME)
def test_a_value_is_secret_by_the_name_it_came_through(name):
    value = BY_NAME[name]
    assert is_secret(name, value)
    for line in (
        f"{name}: {value}",
        f"export {name}={value}",
        f"{name} = '{value}'",
        f'os.environ["{name}"] = "{value}"',
        f'{{"{name}": "{value}"}}',
        f"--{name} {value} --x 1",
    ):
        credentials._known.clear()
        credentials.remember("a", line)
        assert value not in masked(f"loss_type is {value}, not one"), line


@pytest.mark.parametrize(
    "name",
    ["eos_token", "prompt_key", "pad_token_id", "max_tokens", "reward_fn_key", "token_level", "keys", "hub_model_id"],
)
def test_a_name_that_says_nothing(name):
    assert not is_secret(name, "some_value_1")


def test_words_and_paths_are_not_learned():
    credentials.remember(
        "a",
        "password: localhost\napi_key: EMPTY\nsecret: /etc/passwd1\nhub_token: $HF_TOKEN_1\nWANDB_KEY=\nauth: 12345678\n",
    )
    assert list(credentials.known()) == []


SCRIPT = f"""\
export WANDB_KEY={HEX}
source ./names.sh
swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8 --per_device_train_batch_size 3 --loss_type $WANDB_KEY --optim $MY_API_KEY --swanlab_token s3cret-of-mine
"""
PROGRAM = f"""\
from trl import GRPOConfig
WANDB_KEY = "{HEX}"
config = GRPOConfig(per_device_train_batch_size=4, num_generations=6, loss_type=WANDB_KEY, run_name=WANDB_KEY)
"""
MISSPELT = f"""\
from trl import GRPOConfig
K = "secretvalue8"
config = GRPOConfig(output_dir="o", per_device_train_batch_size=4, num_generations=6, hub_token=K, hub_tken="secretvalue10", lerning_rate=1e-6)
PEM = '''
-----BEGIN PRIVATE KEY-----
MIIE/+{DRAWN}
-----END PRIVATE KEY-----
'''
"""
OTHER = "fedcba9876543210fedc"
CONFIG = comment(dialect="trl", version="1.16.0", world_size=1) + "per_device_train_batch_size: 4\nnum_generations: 8\n" + "".join(
    f"{name}: {value}\n" for name, value in zip(("loss_type", "optim", "run_name", "hub_token", "lr_scheduler_type", "output_dir", "my_option"), BY_FORM[8:15])
)  # fmt: skip
HUB = comment(dialect="trl", version="1.16.0", world_size=1) + "num_generations: 8\nhub_tokenn: misspelt1\n"
SECRETS = (HEX, "secretvalue", "misspelt1", "MIIE/", OTHER, "s3cret-of-mine", *(token[-10:] for token in BY_FORM))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    texts = {
        "a.sh": SCRIPT,
        "names.sh": f"MY_API_KEY={OTHER}\n",
        "b.yaml": CONFIG,
        "c.py": PROGRAM,
        "d.py": MISSPELT,
        "e.yaml": HUB,
        "f.yaml": HUB.replace("misspelt1", "misspelt12"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def commands():
    yield from (["check", "a.sh", "b.yaml", "c.py", "d.py", "e.yaml", "--output-format", form] for form in FORMATS)
    yield from (
        ["explain", file, "--verbose", "--output-format", form]
        for file in ("a.sh", "b.yaml", "c.py", "d.py", "e.yaml")
        for form in EXPLAIN_FORMATS
    )
    yield from (
        ["convert", file, "--to", to, "--output-format", form]
        for file, to in (
            ("a.sh", "trl"),
            ("a.sh", "verl"),
            ("b.yaml", "swift"),
            ("b.yaml", "verl"),
            ("c.py", "swift"),
            ("d.py", "swift"),
            ("e.yaml", "verl"),
        )
        for form in ("text", "json")
    )
    yield ["check", "d.py", "e.yaml", "--diff", "--unsafe-fixes"]
    yield from (["diff", "e.yaml", "f.yaml", "--output-format", form] for form in ("text", "markdown", "json"))
    yield from (["diff", "b.yaml", "a.sh", "--output-format", form] for form in ("text", "markdown", "json"))


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_no_command_tells_a_secret(folder, capsys, words):
    assert main(words) in (0, 1)
    said = "".join(capsys.readouterr())
    assert len(said) > 30 and [secret for secret in SECRETS if secret in said] == []


def test_a_converted_file_has_a_placeholder_and_a_note(folder, capsys):
    main(["convert", "b.yaml", "--to", "swift", "--output-file", "new.yaml"])
    text, told = (folder / "new.yaml").read_text(), capsys.readouterr().out
    assert "hub_token: SECRET\n" in text and [secret for secret in SECRETS if secret in text] == []
    assert "a password or token is not written out: SECRET takes its place" in told
    assert hidden(text, str.lower) == hidden(text, str.upper), "nothing is left to hide"
    main(["convert", "a.sh", "--to", "trl", "--lang", "zh-CN"])
    captured = capsys.readouterr()
    assert "export WANDB_KEY=SECRET\n" in captured.out and "SECRET" in captured.err and "占位" in captured.err


def test_a_variable_stays_in_a_converted_script(folder, capsys):
    (folder / "a.sh").write_text(
        SCRIPT.replace("WANDB_KEY", "HUB_TOKEN").replace("--swanlab_token s3cret-of-mine", "--hub_token $HUB_TOKEN")
    )
    main(["convert", "a.sh", "--to", "trl"])
    told = capsys.readouterr().out
    assert "--hub_token $HUB_TOKEN" in told and "export HUB_TOKEN=SECRET" in told


def test_a_fix_keeps_the_value_that_is_told_nowhere(folder, capsys):
    main(["check", "e.yaml", "--fix", "--unsafe-fixes"])
    assert "hub_token: misspelt1\n" in (folder / "e.yaml").read_text()
    assert "misspelt1" not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "name",
    ["bos_token", "eos_tokens", "pad_token", "max_tokens", "prompt_key", "is_taken", "hub_strategy", "num_tokens"],
)
def test_a_name_like_a_secret_is_none(name):
    assert not is_secret(name, "abcdefgh1234")


def test_agents_are_told_no_secret(folder):
    tools = pytest.importorskip("grpo_lint.mcp.tools")
    answers = [
        asyncio.run(tools.check(path="b.yaml")),
        asyncio.run(tools.check(text=CONFIG)),
        asyncio.run(tools.explain(path="b.yaml")),
        asyncio.run(tools.convert(to="swift", path="b.yaml")),
        asyncio.run(tools.convert(to="trl", path="a.sh")),
    ]
    for answer in answers:
        said = json.dumps(answer, default=lambda each: getattr(each, "__dict__", str(each)))
        assert [secret for secret in SECRETS if secret in said] == []


def test_a_program_is_told_no_secret_by_the_fix_of_a_misspelt_key():
    report = grpo_lint.check({"num_generations": 8, "hub_tokenn": "misspelt1"}, framework="trl", version="1.16.0")
    changes = [fix.changes for finding in report.findings for fix in finding.fixes]
    assert any("hub_token" in each for each in changes)
    assert "misspelt1" not in repr(changes)
