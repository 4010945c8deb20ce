"""vLLM, the engine with which TRL and ms-swift generate: the settings that both have for it."""

from ..base import Server

KNOBS = frozenset(("vllm_tensor_parallel_size",))  # settings that spread a model over processes
SERVER = Server(
    "use_vllm and vllm_mode == 'server'",
    "vllm_server_host",
    "vllm_server_port",
    "vllm_server_base_url",
    ("max_model_len", "vllm_max_model_len"),
)
