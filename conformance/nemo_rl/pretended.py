"""Pretended GPU-side packages, so that the released nemo_rl modules can be IMPORTED and RUN as they stand on a CPU."""

import importlib.abc
import importlib.machinery
import sys
import types
from unittest.mock import MagicMock

STUBS = (
    "nemo ray transformers torchdata vllm sglang megatron nemo_automodel wandb mlflow swanlab tensorboard datasets math_verify zmq "
    "accelerate huggingface_hub safetensors nvtx pynvml flash_attn transformer_engine decord torchvision PIL "
    "nemo_gym modelopt requests aiohttp fastapi uvicorn openai anthropic pandas plotly matplotlib rich sympy_x peft deepspeed "
    "prettytable scipy tiktoken blobfile nltk sentencepiece tqdm psutil soundfile librosa debugpy coverage prometheus_client ipywidgets latex2sympy2_extended "
    "reasoning_gym code_verifier transfer_queue mooncake nixl torch_memory_saver causal_lm mamba_ssm causal_conv1d cutlass nvidia_resiliency_ext dotenv jinja2_x tensordict orjson xgrammar sacrebleu "
    "langdetect emoji syllapy immutabledict absl nv_grouped_gemm deep_ep grouped_gemm numba lm_eval cloudpickle_x filelock_x einops tensorrt_llm dynamo hydra_plugins zstandard msgspec cachetools uvloop httpx pyarrow polars kubernetes"
).split()


class StubMeta(type):
    def __getattr__(cls, n):
        if (n.startswith("__") and n.endswith("__")) or n == "NeMoAutoModelForTokenClassification":
            raise AttributeError(n)
        v = make(n)
        setattr(cls, n, v)
        return v

    def __call__(cls, *a, **k):
        if cls.__dict__.get("_stub") is True:
            if len(a) == 1 and not k and (isinstance(a[0], (type, types.FunctionType))):
                return a[0]  # used as a decorator
            return MagicMock(name=cls.__name__)
        return super().__call__(*a, **k)

    def __or__(cls, o):
        return object

    def __ror__(cls, o):
        return object

    def __getitem__(cls, i):
        return cls

    def __iter__(cls):
        return iter(())


def make(n):
    return StubMeta(n, (), {"_stub": True, "__class_getitem__": classmethod(lambda c, i: c)})


class StubModule(types.ModuleType):
    def __getattr__(self, n):
        if (n.startswith("__") and n.endswith("__")) or n == "NeMoAutoModelForTokenClassification":
            raise AttributeError(n)  # 0.7 refuses to import where Automodel has the latter
        v = make(n)
        setattr(self, n, v)
        return v


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.endswith(".NeMoAutoModelForTokenClassification"):
            return None
        if name.split(".")[0] in STUBS or name.startswith("torch.utils.tensorboard"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        m = StubModule(spec.name)
        m.__path__ = []
        m.__version__ = "4.57.0"
        return m

    def exec_module(self, m):
        if m.__name__ == "ray":

            def remote(*a, **k):
                if len(a) == 1 and not k:
                    return a[0]
                return lambda c: c

            m.remote = remote
            m.get = MagicMock(name="ray.get")
            m.put = lambda x: x
            m.wait = MagicMock()
            m.kill = MagicMock()
            m.is_initialized = lambda: True


def install():
    sys.meta_path.insert(0, Finder())
