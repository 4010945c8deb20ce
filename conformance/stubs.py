"""Modules that pretend to be packages which are not here, for asking code that imports them and never needs what they do."""

import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import sys
import types

STUB_ROOTS = (
    "ray",
    "transformers",
    "vllm",
    "sglang",
    "datasets",
    "accelerate",
    "peft",
    "torchdata",
    "codetiming",
    "wandb",
    "pandas",
    "pyarrow",
    "dill",
    "transfer_queue",
    "cachetools",
    "psutil",
    "zmq",
    "msgspec",
    "aiohttp",
    "fastapi",
    "uvicorn",
    "PIL",
    "megatron",
    "mbridge",
    "flash_attn",
    "numba",
    "tensorboard",
    "pylatexenc",
    "modelscope",
    "orjson",
    "requests",
    "httpx",
    "tqdm",
    "safetensors",
    "huggingface_hub",
    "starlette",
    "pydantic",
    "torchvision",
    "math_verify",
    "regex",
    "qwen_vl_utils",
    "pybind11",
    "liger_kernel",
    "openai",
    "decord",
    "mlflow",
    "swanlab",
    "uvloop",
    "nvtx",
    "setproctitle",
    "scipy",
    "matplotlib",
    "prometheus_client",
    "ujson",
    "tree",
    "aiofiles",
    "cupy",
    "latex2sympy2_extended",
    "pkg_resources",
    "apex",
    "transformer_engine",
    "tensorrt_llm",
    "jinja2schema",
    "mooncake",
)


class StubMeta(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stub(name)

    def __call__(cls, *args, **kwargs):
        if (
            cls.__dict__.get("_is_stub")
            and len(args) == 1
            and not kwargs
            and isinstance(args[0], (type, types.FunctionType))
        ):
            return args[0]  # used as a decorator
        if cls.__dict__.get("_is_stub"):
            return cls
        return super().__call__(*args, **kwargs)

    def __getitem__(cls, item):
        return cls

    def __or__(cls, other):
        return cls

    def __ror__(cls, other):
        return cls

    def __iter__(cls):
        return iter(())

    def __bool__(cls):
        return True

    def __enter__(cls):
        return cls

    def __exit__(cls, *a):
        return False

    def __lt__(cls, o):
        return False

    def __le__(cls, o):
        return False

    def __gt__(cls, o):
        return True

    def __ge__(cls, o):
        return True


def stub(name):
    return StubMeta(name, (), {"_is_stub": True, "__module__": "stub"})


class StubModule(types.ModuleType):
    __path__: list = []
    __version__ = "99.0.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = stub(name)
        setattr(self, name, value)
        return value


class StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, roots):
        self.roots = set(roots)

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "vllm.config.lora":
            return None
        if fullname.split(".")[0] in self.roots:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec):
        return StubModule(spec.name)

    def exec_module(self, module):
        pass


def install_stubs(roots=STUB_ROOTS):
    missing = [r for r in roots if importlib.util.find_spec(r) is None]
    real_version = importlib.metadata.version

    def version(name):
        try:
            return real_version(name)
        except importlib.metadata.PackageNotFoundError:
            if name in ("vllm", "sglang", "ray", "transformers", "tensordict", "megatron-core", "megatron.core"):
                return "0.20.0" if name == "vllm" else "4.60.0"
            raise

    importlib.metadata.version = version
    sys.meta_path.append(StubFinder(missing))
