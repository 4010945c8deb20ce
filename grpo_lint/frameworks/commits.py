"""Commits of the frameworks that repositories pin, each between two releases. Written by conformance/commits."""

# {the path of a framework's repository on a git server: its package}
HOMES = {
    "huggingface/trl": "trl",
    "modelscope/ms-swift": "ms-swift",
    "modelscope/swift": "ms-swift",
}

# {package: {beginning of a commit: (release before it, release after it)}}
COMMITS = {
    "trl": {
        "1bca495": ("0.17.0", "0.18.0"),
        "69ad852": ("0.15.0", "0.16.0"),
        "c04e84c": ("0.16.0", "0.17.0"),
    },
}
