"""What the layers below a framework say when a config is at fault: vLLM, PyTorch, NCCL, Ray and the operating system. No
release of a framework has these words, so no row of enforcement has them; the numbers in them are dots, as there."""

from ..message import Message
from ..record import Record


class Cause(Record):
    """What a message of a layer below comes from.

    layer      whose message it is
    wordings   how it begins or what it holds, by release of the layer
    tells      what it means, and what to do about it
    rules      those that may be broken then, the likeliest first
    """

    layer: str
    wordings: "tuple[str, ...]"
    tells: Message
    rules: "tuple[str, ...]" = ()


# What may be the reason of another message goes before it.
CAUSES = (
    Cause(
        layer="vLLM",
        wordings=(
            "To serve at least one request with the models's max seq len",
            "is larger than the maximum number of tokens that can be stored in KV cache",
        ),
        tells=Message(
            "One request of the engine's full length does not fit into the memory that is left for its cache. Limit the length of the "
            "engine to prompt and completion. Or give it a larger share of the memory, or spread it over more GPUs."
        ),
        rules=("engine-takes-a-share-of-the-memory", "engine-holds-prompt-and-completion", "engine-length-holds-a-sequence"),
    ),
    Cause(
        layer="vLLM",
        wordings=("No available memory for the cache blocks",),
        tells=Message(
            "The model and the engine's own buffers take all of its share of the memory. Give the engine a larger share, or spread it over more GPUs."
        ),
        rules=("engine-takes-a-share-of-the-memory",),
    ),
    Cause(
        layer="vLLM",
        wordings=("is less than desired GPU memory utilization",),
        tells=Message(
            "Something else holds memory of this GPU when the engine starts: training on the same GPU, or another process. Lower the engine's "
            "share of the memory, let it sleep while training, or give it GPUs of its own."
        ),
        rules=("engine-takes-a-share-of-the-memory", "engine-has-a-device", "server-has-its-own-devices"),
    ),
    Cause(
        layer="PyTorch",
        wordings=("CUDA out of memory. Tried to allocate", "torch.OutOfMemoryError", "torch.cuda.OutOfMemoryError"),
        tells=Message(
            "A GPU is full. In a backward pass or at an update: a smaller micro batch with more accumulation trains the same; then shorter completions, "
            "gradient checkpointing, and sharding or offloading of states. In a forward pass of the engine: a smaller share of the memory for it."
        ),
        rules=("training-state-fits-the-gpu", "engine-takes-a-share-of-the-memory"),
    ),
    Cause(
        layer="PyTorch",
        wordings=("invalid device ordinal",),
        tells=Message("A process looks for a GPU that it does not see: there are more processes on the node than visible devices."),
        rules=("processes-have-devices", "devices-divide-over-processes", "server-has-devices", "engine-has-a-device"),
    ),
    Cause(
        layer="NCCL",
        wordings=(
            "Duplicate GPU detected", "Multiple ranks detected using the same GPU on this node", "Multiple Ranks are using the same GPU/Partition",
        ),
        tells=Message("Two processes took the same GPU: more processes than visible devices, or an engine on a GPU of training."),
        rules=("processes-have-devices", "server-has-its-own-devices", "engine-has-a-device"),
    ),
    Cause(
        layer="vLLM",
        wordings=("is longer than the maximum model length of", "This model's maximum context length is"),
        tells=Message(
            "A prompt alone is longer than the engine takes. Leave longer rows out of the data, or let the engine take the longest prompt with "
            "its completion."
        ),
        rules=("engine-holds-prompt-and-completion", "engine-length-holds-a-sequence"),
    ),
    Cause(
        layer="Ray",
        wordings=("is less than total desired GPUs",),
        tells=Message("The cluster has fewer GPUs than the run asks for: too few in the job, or nodes that did not join before the run began."),
        rules=("run-fits-its-allocation",),
    ),
    Cause(
        layer="Reward",
        wordings=("Reward function is not implemented for data_source",),
        tells=Message(
            "The data_source of a row chooses its reward, and none is known by this name. Name a function of your own with "
            "custom_reward_function.path, or give the rows a data_source that has one."
        ),
    ),
    Cause(
        layer="accelerate",
        wordings=("in 8-bit or 4-bit precision on multiple devices in any distributed mode", "in 8-bit or 4-bit precision with CPU or disk offload"),
        tells=Message("A quantised model was spread over the devices that a process sees. Start one process for each device, so that each holds a whole one."),
        rules=("devices-have-processes", "one-device-per-process"),
    ),
    Cause(
        layer="accelerate",
        wordings=("No executable batch size found, reached zero",),
        tells=Message("The batch of a device was halved until none was left, since the memory was full each time: see what else holds it."),
        rules=("batch-size-is-fixed", "training-state-fits-the-gpu"),
    ),
    Cause(
        layer="DeepSpeed",
        wordings=("Current loss scale already at minimum - cannot decrease scale anymore",),
        tells=Message(
            "Training in fp16 overflowed until its loss scale was as small as it may be. Train in bf16; else lower the learning rate, or look "
            "for rewards and lengths that make a loss infinite."
        ),
        rules=("deepspeed-half-precision-agrees", "deepspeed-brain-float-agrees"),
    ),
    Cause(
        layer="accelerate",
        wordings=("fp16 mixed precision requires a GPU", "fp16 mixed precision requires a device in"),
        tells=Message("The process sees no GPU: CUDA_VISIBLE_DEVICES, the driver and the build of PyTorch decide."),
        rules=("processes-have-devices",),
    ),
    Cause(
        layer="FlashAttention",
        wordings=(
            "FlashAttention only support fp16 and bf16 data type", "FlashAttention only supports fp16, bf16, and fp8_e4m3 data type",
            "FlashAttention on Ampere/Ada cards only supports fp16 and bf16 data type",
        ),
        tells=Message("The model was loaded in float32. Load it in bfloat16 (its dtype), or choose another attn_implementation."),
    ),
    Cause(
        layer="NCCL",
        wordings=("unhandled system error (run with NCCL_DEBUG=INFO for details)", "NCCL error in: ", "unhandled cuda error (run with NCCL_DEBUG=INFO"),
        tells=Message(
            "The connection between processes failed: a process that died first, a full memory, or a network interface that does not reach the "
            "others (NCCL_SOCKET_IFNAME). NCCL_DEBUG=INFO says which."
        ),
    ),
    Cause(
        layer="transformers",
        wordings=("Your setup doesn't support bf16/gpu",),
        tells=Message("The GPU has no bf16, or the process sees no GPU at all: CUDA_VISIBLE_DEVICES, the driver and the build of PyTorch decide."),
    ),
    Cause(
        layer="torchrun",
        wordings=("failed (exitcode: -9)", "Signal 9 (SIGKILL) received by PID"),
        tells=Message(
            "The operating system killed a process, mostly because the memory of the host was full. It holds states that are offloaded, engines that "
            "sleep, workers of the data, and at first the model of each process."
        ),
    ),
    Cause(
        layer="Ray",
        wordings=("Task was killed due to the node running low on memory", "ray.exceptions.OutOfMemoryError"),
        tells=Message(
            "The memory of the host was full: states that are offloaded, engines that sleep on the host, and rollouts that wait there."
        ),
    ),
    Cause(
        layer="PyTorch",
        wordings=("address already in use", "EADDRINUSE"),
        tells=Message("Another process listens on this port: an earlier run that did not end, or a second one on the same node. Choose another port."),
    ),
    Cause(
        layer="NCCL",
        wordings=(
            "Watchdog caught collective operation timeout", "NCCL communicator was aborted on rank", "Some NCCL operations have failed or timed out",
        ),
        tells=Message(
            "One process waited for another until the time was over. Look for the process that died or hung first: its message, further up, is the "
            "real one. Where all are alive, one generates or rewards far longer than the others, or has a different number of batches."
        ),
    ),
    Cause(
        layer="Ray",
        wordings=("The actor died unexpectedly before finishing this task", "ray.exceptions.RayActorError", "ray.exceptions.ActorDiedError"),
        tells=Message("This only says that a worker ended. Its own log, or the first traceback of a worker above, has the real message."),
    ),
    Cause(
        layer="torchrun",
        wordings=("torch.distributed.elastic.multiprocessing.errors.ChildFailedError",),
        tells=Message("This only says that a process ended. The first traceback above it, of the rank that it names, is the real one."),
    ),
)  # fmt: skip
