"""Print, as JSON, how many words each flag takes, as argparse has it: {"1.16.0+5.15.0": {"bf16": "1", ...}}.

    PYTHONPATH=FOLDER_WITH_TRL:FOLDER_WITH_TRANSFORMERS ENVIRONMENT/bin/python conformance/flags.py
    ENVIRONMENT/bin/python conformance/flags.py ms-swift

Of TRL its own script is asked, in pairs of TRL and transformers whose folders were made by `pip install --target`; of ms-swift
`swift rlhf` and `megatron rlhf`, in an environment of `environments.py`: {"swift 4.3.2+5.9.0": ..., "megatron 4.3.2+5.9.0": ...}.
`tests/truth/flags-*.json.gz` hold the answers.
"""

import json
import logging
import os
import sys
import warnings

_ALONE = {None: "1", 0: "0"}


def flags_of_trl():
    """The flags of TRL's own script."""
    from trl import GRPOConfig, ModelConfig, TrlParser

    try:
        from trl.scripts.grpo import GRPOScriptArguments as arguments
    except ImportError:  # it needs what is not installed: the rewards add one field
        from trl import ScriptArguments as arguments
    return words_of(TrlParser((arguments, GRPOConfig, ModelConfig)))


def words_of(parser):
    """{flag without dashes: number of words} of a parser."""
    names = ((name[2:], action) for action in parser._actions for name in action.option_strings)
    return {name: _ALONE.get(action.nargs, action.nargs) for name, action in names if name.replace("_", "").isalnum()}


def flags_of_swift():
    """{command and release: its flags}."""
    import importlib.util

    import read_fields

    read_fields.be_quiet_and_reproducible()
    from transformers import HfArgumentParser

    missing = [name for name in ("math_verify", "latex2sympy2_extended") if not importlib.util.find_spec(name)]
    read_fields.stand_in_for(*missing)
    release = f"{read_fields.installed('ms-swift')}+{read_fields.installed('transformers')}"
    found = {f"swift {release}": words_of(HfArgumentParser([read_fields.swift_class()]))}
    if read_fields.release_of("ms-swift") >= (3, 11):
        found[f"megatron {release}"] = words_of(HfArgumentParser([read_fields.megatron_class()]))
    return found


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of the framework must not mix with the JSON
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    if sys.argv[1:] == ["ms-swift"]:
        found = flags_of_swift()
    else:
        import transformers
        import trl

        found = {f"{trl.__version__}+{transformers.__version__}": flags_of_trl()}
    print(json.dumps(found), file=answers)


if __name__ == "__main__":
    main()
