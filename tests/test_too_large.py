"""A file that is too large to be checked is searched for the words that tell ours: it is never passed over in silence."""

import pytest

from grpo_lint.engine import lint_path

COMMENTS = "# a remark\n" * 30_000
SETTINGS = "num_generations: 8\nper_device_train_batch_size: 1\n"
SECTIONS = "algorithm:\n  adv_estimator: grpo\n"
FILES = {
    "a.yaml": SETTINGS,
    "b.yaml": SECTIONS,
    "run.sh": "swift rlhf --rlhf_type grpo\n",
    "train.py": "GRPOConfig(num_generations=8)\n",
}


@pytest.mark.parametrize("name", FILES)
def test_keys_behind_many_comments_are_told(name, tmp_path):
    path = tmp_path / name
    path.write_text(COMMENTS + FILES[name])
    (finding,) = lint_path(str(path)).findings
    assert (finding.rule.code, finding.severity) == ("GRPO002", "info")


def test_a_large_file_of_others_is_passed_over(tmp_path):
    path = tmp_path / "data.yaml"
    path.write_text(COMMENTS + "key: value\n")
    report = lint_path(str(path))
    assert report.skipped == "larger than 256 KB" and not report.findings
