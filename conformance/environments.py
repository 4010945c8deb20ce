"""Throw-away environments that hold one framework release each, on CPU.

    python conformance/environments.py trl 1.16.0 --environments DIR
    python conformance/environments.py ms-swift 4.6.0 --environments DIR

Prints the path of the new environment's python. An environment that is already complete is used again.

The wheels that all releases share (torch above all) are installed once, in *layers*. A layer is itself an environment;
what stands on a layer reaches it through a .pth file, so one more release costs seconds and megabytes, not minutes and
gigabytes. Whatever a release installs for itself comes first on its path and hides the layer's copy.

Every companion that decides which fields a config class has, or what they default to, is pinned, so that the same
command gives the same catalogue next year.
"""

import argparse
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

TORCH = "torch==2.13.0"


class Layer(NamedTuple):
    below: "str | None"
    packages: tuple


LAYERS = {
    "torch": Layer(
        None,
        (
            TORCH,
            "numpy",
            "pyarrow",
            "pandas",
            "aiohttp",
            "rich",
            "pyyaml",
            "xxhash",
            "multiprocess",
            "requests",
            "tqdm",
            "psutil",
            "regex",
            "safetensors",
            "jinja2",
        ),
    ),
    "swift": Layer(
        "torch",
        (
            "modelscope>=1.23",
            "addict",
            "attrdict",
            "binpacking",
            "dacite",
            "einops",
            "fastapi",
            "uvicorn",
            "openai",
            "json-repair",
            "jieba",
            "rouge",
            "nltk",
            "pillow",
            "scipy",
            "matplotlib",
            "sentencepiece",
            "tiktoken",
            "tensorboard",
            "zstandard",
            "charset-normalizer",
            "importlib-metadata",
            "omegaconf",
            "simplejson",
            "sortedcontainers",
            "oss2",
            "cpm_kernels",
            "msgspec",
            "setuptools<81",
        ),
    ),
    # ms-swift before 4.2 requires numpy 1, and numpy 1 requires an older pyarrow and pandas
    "swift-numpy1": Layer("swift", ("numpy<2", "pyarrow<21", "pandas<3")),
}

# minor release -> (transformers, accelerate) of the same time
TRL_COMPANIONS = {
    "0.14": ("4.48.3", "1.3.0"),
    "0.15": ("4.49.0", "1.4.0"),
    "0.16": ("4.50.3", "1.5.2"),
    "0.17": ("4.51.3", "1.6.0"),
    "0.18": ("4.52.4", "1.7.0"),
    "0.19": ("4.53.2", "1.8.1"),
    "0.20": ("4.54.1", "1.9.0"),
    "0.21": ("4.55.4", "1.10.1"),
    "0.22": ("4.56.2", "1.10.1"),
    "0.23": ("4.56.2", "1.10.1"),
    "0.24": ("4.57.1", "1.10.1"),
    "0.25": ("4.57.1", "1.11.0"),
    "0.26": ("4.57.3", "1.12.0"),
    "0.27": ("4.57.6", "1.12.0"),
    "0.28": ("5.1.0", "1.12.0"),
    "0.29": ("5.2.0", "1.12.0"),
    "1.0": ("5.4.0", "1.13.0"),
}
# first transformers of a span -> the peft of the same time, for runs that use an adapter
TRL_PEFT = {(4, 48): "0.15.2", (4, 53): "0.17.1", (5, 0): "0.19.1"}
# From TRL 1.1 on, the versions of an unpinned installation when this table was last revised.
NEWEST_TRL_COMPANIONS = ("5.23.0", "1.15.0")


class SwiftCompanions(NamedTuple):
    """The libraries that one minor release of ms-swift declares as supported."""

    transformers: str
    trl: str
    peft: str
    datasets: str
    layer: str


# first minor release of a span -> companions; a span ends where the next one starts
SWIFT_COMPANIONS = {
    (3, 1): SwiftCompanions("4.50.3", "0.16.1", "0.15.2", "3.3.2", "swift-numpy1"),
    (3, 3): SwiftCompanions("4.51.3", "0.17.0", "0.15.2", "3.3.2", "swift-numpy1"),
    (3, 5): SwiftCompanions("4.52.4", "0.19.1", "0.15.2", "3.3.2", "swift-numpy1"),
    (3, 6): SwiftCompanions("4.54.1", "0.19.1", "0.16.0", "3.3.2", "swift-numpy1"),
    (3, 8): SwiftCompanions("4.56.2", "0.23.1", "0.17.1", "3.6.0", "swift-numpy1"),
    (3, 10): SwiftCompanions("4.57.6", "0.24.0", "0.18.0", "3.6.0", "swift-numpy1"),
    (4, 0): SwiftCompanions("4.57.6", "0.28.0", "0.18.0", "4.0.0", "swift-numpy1"),
    (4, 2): SwiftCompanions("5.9.0", "0.29.1", "0.19.0", "4.8.4", "swift"),
}
SWIFT_ACCELERATE = "1.15.0"


def minor_of(version):
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def trl_recipe(version):
    """The layer to build on, and the installations in order. A version such as 1.16.0+4.57.6 names the transformers
    beside it."""
    version, _, other = version.partition("+")
    minor = "{}.{}".format(*minor_of(version))
    transformers, accelerate = TRL_COMPANIONS.get(minor, NEWEST_TRL_COMPANIONS)
    transformers = other or transformers
    peft = TRL_PEFT[max(start for start in TRL_PEFT if start <= minor_of(transformers))]
    packages = [
        f"trl=={version}",
        TORCH,
        f"transformers=={transformers}",
        f"accelerate=={accelerate}",
        f"peft=={peft}",
        "datasets",
    ]
    return "torch", [packages]


def swift_recipe(version):
    """Like `trl_recipe`. ms-swift is installed without its dependencies, since many are only for inference and
    evaluation."""
    minor = minor_of(version)
    companions = SWIFT_COMPANIONS[max(start for start in SWIFT_COMPANIONS if start <= minor)]
    libraries = [
        TORCH,
        f"transformers=={companions.transformers}",
        f"trl=={companions.trl}",
        f"peft=={companions.peft}",
        f"datasets=={companions.datasets}",
        f"accelerate=={SWIFT_ACCELERATE}",
    ]
    if companions.layer == "swift-numpy1":
        libraries += LAYERS["swift-numpy1"].packages
    bare = ["--no-deps", f"ms-swift=={version}", "liger-kernel"]
    # Megatron-SWIFT only needs the pure-Python parts of Megatron-Core here.
    bare += ["megatron-core==0.16.1", "mcore-bridge"] if minor >= (4, 0) else ["megatron-core==0.14.0"]
    return companions.layer, [libraries, bare]


RECIPES = {"trl": trl_recipe, "ms-swift": swift_recipe}


def python_of(environment):
    return environment / "bin" / "python"


def site_packages(environment):
    return next((environment / "lib").glob("python3*")) / "site-packages"


def layers_under(name):
    """The names of a layer and of all below it, the nearest first."""
    while name is not None:
        yield name
        name = LAYERS[name].below


def build(environment, below, installations):
    """Make one environment; a marker file distinguishes a complete one from an interrupted attempt."""
    complete = environment / "complete"
    if complete.exists():
        return
    shutil.rmtree(environment, ignore_errors=True)
    venv.create(environment, with_pip=False, symlinks=True)
    if below:
        (site_packages(environment) / "layers.pth").write_text("".join(f"{site_packages(path)}\n" for path in below))
    pip = [sys.executable, "-m", "pip", "--python", str(python_of(environment)), "--disable-pip-version-check"]
    for packages in installations:
        # pip's warnings concern other packages of the layers; only its failure matters
        subprocess.run([*pip, "install", "-q", "--no-compile", *packages], check=True, stdout=sys.stderr)
    complete.touch()


def make_layer(name, environments):
    names = list(layers_under(name))
    for lower in reversed(names):
        below = [environments / f"layer-{other}" for other in layers_under(LAYERS[lower].below)]
        build(environments / f"layer-{lower}", below, [LAYERS[lower].packages])
    return [environments / f"layer-{other}" for other in names]


def make(package, version, environments):
    """Return the python of an environment that holds this release, making the environment if it is not there."""
    environments = Path(environments).resolve()
    layer, installations = RECIPES[package](version)
    environment = path_of(package, version, environments)
    build(environment, make_layer(layer, environments), installations)
    return python_of(environment)


def path_of(package, version, environments):
    return Path(environments) / f"{package}-{version}"


def remove(package, version, environments):
    shutil.rmtree(path_of(package, version, environments), ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", choices=RECIPES)
    parser.add_argument("version")
    parser.add_argument("--environments", type=Path, required=True, help="directory that holds the environments")
    options = parser.parse_args()
    print(make(options.package, options.version, options.environments))


if __name__ == "__main__":
    main()
