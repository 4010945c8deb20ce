# ruff: noqa: E402 - packages are pretended before the release is imported
"""Ask a release of NeMo-RL whether it accepts commands, on a CPU without ray, vLLM, transformers or Megatron.

    python conformance/nemo_rl/ask.py FOLDER RELEASE < cases.jsonl > verdicts.jsonl

in:  {"id", "config": a path in the checkout or none, "overrides": [...]}
out: {"id", "version", "accepted", "stage", "error", "derived"}

What runs is code of the release, imported as it is: `main` of its example, the reading of configs and overrides, `setup`, the loss, the
constructors of policy and engine, the division of a rollout over ranks, packing. Cut out of it and run: how a worker makes micro batches
(until 0.5), and the checks of a worker's constructor. Pretended (`pretended.py`): data, tokenizer, loggers, Ray's placement, and the
rollout, whose lengths are drawn.
"""

import ast
import contextlib
import importlib
import importlib.util
import io
import json
import os
import random
import signal
import sys
import tempfile
import traceback
import types

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
TREE = os.path.abspath(sys.argv[1])
sys.path.insert(0, TREE)
import torch
import torch.distributed
import torch.utils.data

torch.set_num_threads(1)
if sys.version_info < (3, 12):  # the releases need Python 3.12+; on 3.11 pydantic wants this TypedDict (same behaviour)
    import typing

    import typing_extensions

    typing.TypedDict = typing_extensions.TypedDict
from unittest.mock import MagicMock

import pretended

pretended.install()
VER = sys.argv[2]
os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "9.0")
os.environ.setdefault("HF_HOME", "/tmp/hf")
os.environ.setdefault("PERSISTENT_CACHE", "/tmp/pc")
ENV0 = dict(os.environ)

STATE = types.SimpleNamespace(stage="parse", ctx={}, notes=[], derived={})


class Sentinel(Exception):
    pass


import nemo_rl.algorithms.grpo as G
from nemo_rl.distributed.batched_data_dict import BatchedDataDict

try:
    import nemo_rl.models.policy.lm_policy as LP
except ModuleNotFoundError:
    import nemo_rl.models.policy.hf_policy as LP
try:
    import nemo_rl.models.generation.vllm.vllm_generation as VG
except ModuleNotFoundError:
    import nemo_rl.models.generation.vllm as VG
import nemo_rl.distributed.virtual_cluster as VC

POLICY_CLS = getattr(LP, "Policy", None) or LP.HfPolicy


# ---------------------------------------------------------------- pretended parts
class Loader(torch.utils.data.DataLoader):
    def __init__(self, *a, **k):
        k["num_workers"] = 0
        k.pop("persistent_workers", None)
        super().__init__(*a, **k)

    def load_state_dict(self, *_):
        pass


class Rows(torch.utils.data.Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return {"idx": i}


class Ckpt:
    def __init__(self, c):
        self.c = c

    def get_latest_checkpoint_path(self):
        return None

    def load_training_info(self, *_):
        return None

    def get_resume_paths(self, *_):
        return None, None

    def __enter__(self):
        return self

    def __exit__(self, *a):
        return False

    def __getattr__(self, n):
        return MagicMock(name=n)


class PG:
    def __init__(self, n):
        self.bundle_count = n
        self.bundle_specs = [{"GPU": 1}] * n


def fake_init_pgs(self, strategy=None, use_unified_pg=False, **k):
    if getattr(self, "_node_placement_groups", None):
        return self._node_placement_groups
    b = self._bundle_ct_per_node_list
    self._node_placement_groups = [PG(sum(b))] if use_unified_pg else [PG(x) for x in b]
    self._unified = bool(use_unified_pg)
    return self._node_placement_groups


VC.RayVirtualCluster._init_placement_groups = fake_init_pgs
VC.RayVirtualCluster.get_placement_groups = lambda self: [p for p in fake_init_pgs(self) if p.bundle_count]
VC.RayVirtualCluster.get_master_address_and_port = lambda self: ("127.0.0.1", 1)
VC.RayVirtualCluster.get_available_address_and_port = lambda self, *a, **k: ("127.0.0.1", 1)
import ray


def pg_table(pg):
    return {"bundles_to_node_id": {i: f"n{i // max(1, STATE.ctx.get('gpn', 8))}" for i in range(pg.bundle_count)}}


ray.util.placement_group_table = pg_table


class WorkerGroup:
    """records who was built; the real worker statements run in run()"""

    def __init__(self, cluster, builder, *a, **k):
        self.cluster, self.builder = cluster, builder
        self.sharding = k.get("sharding_annotations")
        self.name = k.get("name_prefix", "")
        b = k.get("bundle_indices_list")
        self.dp_size = (
            len(b)
            if b is not None
            else (self.sharding.get_axis_size("data_parallel") if self.sharding is not None else cluster.world_size())
        )
        self.workers = [MagicMock() for _ in range(1)]
        STATE.ctx.setdefault("groups", []).append(self)
        if "vllm" not in str(getattr(builder, "fqn", "")):
            worker_init_checks(self)

    def run_all_workers_sharded_data(self, method, *a, data=None, common_kwargs=None, **k):
        return work(self, method, data if data is not None else a[0], common_kwargs or {})

    def run_all_workers_multiple_data(self, method, data=None, *a, common_kwargs=None, **k):
        if data is None:
            data = k.get("data")
        return work(self, method, data, common_kwargs or {}) if isinstance(data, list) else MagicMock()

    def get_all_worker_results(self, futures, *a, **k):
        return futures

    @property
    def world_size(self):
        return self.cluster.world_size()

    def __getattr__(self, n):
        return MagicMock(name=n)


class Builder:
    def __init__(self, fqn, config=None, *a, **k):
        self.fqn, self.config, self.args, self.kwargs = (
            (fqn if isinstance(fqn, str) else f"{getattr(fqn, '__module__', '')}.{getattr(fqn, '__name__', fqn)}"),
            config,
            a,
            k,
        )

    def __getattr__(self, n):
        return MagicMock(name=n)


for m in (LP, VG):
    m.RayWorkerGroup = WorkerGroup
    m.RayWorkerBuilder = Builder
    for n in ("RayQueue",):
        if hasattr(m, n):
            setattr(m, n, MagicMock())
if hasattr(LP, "FLOPTracker"):
    LP.FLOPTracker = MagicMock()
    LP.FLOPTracker.from_config.side_effect = ValueError("no model here")
if hasattr(LP, "get_default_hf_config"):
    LP.get_default_hf_config = MagicMock()


# ---------------------------------------------------------------- worker code: cut out and run
def path_of(fqn):
    if fqn.startswith("nemo_rl."):
        return os.path.join(TREE, *fqn.split(".")[:-1]) + ".py"
    return None


class TorchProxy:
    """torch, with device='cuda' dropped and collectives as no-ops (one rank)"""

    distributed = types.SimpleNamespace(
        all_reduce=lambda *a, **k: None,
        ReduceOp=types.SimpleNamespace(MAX=0, SUM=1),
        get_world_size=lambda *a: 1,
        get_rank=lambda *a: 0,
        barrier=lambda *a: None,
    )

    def tensor(self, x, device=None, **k):
        return torch.tensor(x, **k)

    def __getattr__(self, n):
        return getattr(torch, n)


TP = TorchProxy()
CUTS = {}


def parents(tree):
    p = {}
    for n in ast.walk(tree):
        for c in ast.iter_child_nodes(n):
            p[c] = n
    return p


def func(tree, name):
    return [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == name]


def cut_batching(path, fn):
    """statements of worker.<fn> that decide batch arithmetic: local_gbs, num_global_batches, batch/data slices, the iterator If"""
    key = (path, fn)
    if key in CUTS:
        return CUTS[key]
    t = ast.parse(open(path).read())
    out = []
    for f in func(t, fn):
        for n in ast.walk(f):
            if (
                isinstance(n, ast.Assign)
                and isinstance(n.targets[0], ast.Name)
                and n.targets[0].id in ("local_gbs", "logprob_batch_size")
            ):
                out.append(("assign", n.lineno, n))
            if (
                isinstance(n, ast.Assign)
                and isinstance(n.targets[0], ast.Name)
                and n.targets[0].id == "num_global_batches"
            ):
                out.append(("ngb", n.lineno, n))
            if (
                isinstance(n, ast.If)
                and "make_microbatch_iterator" in ast.unparse(n)
                and any(
                    isinstance(x, ast.Assign) and "make_microbatch_iterator(" in ast.unparse(x) for x in ast.walk(n)
                )
            ):
                if not any(n in list(ast.walk(o[2]))[1:] for o in out if o[0] == "if"):
                    out.append(("if", n.lineno, n))
            if isinstance(n, ast.For) and "make_microbatch_iterator(" in ast.unparse(n.iter):
                out.append(("for", n.lineno, n))
    ifs = [o for o in out if o[0] == "if"]
    out = [o for o in out if o[0] != "if"] + ifs[:1]
    CUTS[key] = sorted(out, key=lambda o: (o[0] in ("if", "for"), o[1]))
    return CUTS[key]


def module_names(path):
    if path in MODN:
        return MODN[path]
    name = os.path.relpath(path, TREE)[:-3].replace(os.sep, ".")
    try:
        d = {k: v for k, v in vars(importlib.import_module(name)).items() if not k.startswith("__")}
    except Exception as e:
        STATE.notes.append(f"module {name} not imported: {type(e).__name__} {str(e)[:80]}")
        d = {}
    d.pop("torch", None)
    MODN[path] = d
    return d


MODN = {}


def ex(node, env):
    exec(compile(ast.fix_missing_locations(ast.Module([node], [])), "lifted", "exec"), env)


import functools


@functools.lru_cache(None)
def data_module(fqn):
    """0.6+: which models/*/data.py the worker of this name imports get_microbatch_iterator from"""
    p = path_of(fqn)
    if not p:
        return None
    for n in ast.walk(ast.parse(open(p).read())):
        if (
            isinstance(n, ast.ImportFrom)
            and n.module
            and n.module.startswith("nemo_rl")
            and any(a.name == "get_microbatch_iterator" for a in n.names)
        ):
            return n.module


def iterate(group, cfg, data, env, fn):
    fqn = group.builder.fqn
    p = path_of(fqn)
    dm = data_module(fqn)
    if dm:
        m = importlib.import_module(dm)
        m.torch = TP
        m.make_processed_microbatch_iterator = lambda *a, **k: k.get("raw_iterator", a[0] if a else None)
        m.StragglerDetector = MagicMock()
        import inspect

        sig = inspect.signature(m.get_microbatch_iterator).parameters
        kw = {"data": data, "cfg": cfg, "mbs": env["mbs"] if fn == "train" else env["logprob_batch_size"]}
        for k in sig:
            if k not in kw and sig[k].default is inspect.Parameter.empty:
                kw[k] = MagicMock()
        r = m.get_microbatch_iterator(**kw)
        n = r[1]
        got = sum(1 for _ in r[0])
        return n, got
    for kind, _, node in cut_batching(p, fn):
        if kind == "if":
            e = dict(module_names(p))
            e.update(env)
            e.update(data=data, batch=data, torch=TP, itertools=__import__("itertools"))
            ex(node, e)
            it = e.get("mb_iterator") or e.get("data_iterator")
            n = e.get("iterator_len") or e.get("data_iterator_len")
            got = sum(1 for _ in it)
            return n if n is not None else got, got
        if kind == "for":
            e = dict(env, data=data, batch=data, global_batch=data)
            got = sum(1 for _ in eval(compile(ast.Expression(node.iter), "lifted", "eval"), e))
            return got, got
    raise RuntimeError("no batching statements found in " + str(p))


def work(group, method, shards, kw):
    STATE.stage = "train" if method == "train" else "logprob"
    cfg = group.builder.config
    dp = len(shards)
    self_ = types.SimpleNamespace(
        cfg=cfg,
        dp_size=dp,
        fp8_cfg=(cfg.get("megatron_cfg") or {}).get("fp8_cfg"),
        enable_seq_packing=bool((cfg.get("sequence_packing") or {}).get("enabled")),
        torch=TP,
    )
    p = path_of(group.builder.fqn)

    class WS:  # FSDP1 of 0.2 asks torch.distributed for the world size
        def __getattr__(self, n):
            return getattr(TP, n)

    tp = WS()
    tp.distributed = types.SimpleNamespace(**{**TP.distributed.__dict__, "get_world_size": lambda *a: dp})
    if method == "train":
        env = {"self": self_, "gbs": kw.get("gbs"), "mbs": kw.get("mbs"), "torch": tp}
        total = sum(s.size for s in shards)
        env.update(total_dataset_size=torch.tensor(total), dataset_size=shards[0].size, data=shards[0], int=int)
        for kind, _, node in cut_batching(p, "train"):
            if kind in ("assign", "ngb"):
                ex(node, env)
        steps = int(env["num_global_batches"])
        micro = []
        sizes = []
        for gb in range(steps):
            for i, s in enumerate(shards):
                if hasattr(s, "get_batch"):
                    b = s.get_batch(batch_idx=gb, batch_size=env["local_gbs"])
                else:
                    b = s.slice(gb * env["local_gbs"], (gb + 1) * env["local_gbs"])
                n, _ = iterate(group, cfg, b, dict(env), "train")
                micro.append(int(n))
                sizes.append(b.size)
                if len(shards) * steps > 256 and i > 3 and gb > 3:
                    break
        packed = bool((cfg.get("sequence_packing") or {}).get("enabled")) or bool(
            (cfg.get("dynamic_batching") or {}).get("enabled")
        )
        STATE.derived.update(
            updates_per_rollout=steps,
            completions_per_update=sum(sizes[:dp]) if len(sizes) >= dp else None,
            completions_per_gpu_update=sizes[0] if sizes else 0,
            train_micro_steps=None if packed else (micro[0] if micro else 0),
            packed=packed,
        )
        return [
            {
                "global_loss": torch.tensor(0.0),
                "grad_norm": torch.tensor(0.0),
                "all_mb_metrics": {},
                "gpu_name": "x",
                "model_dtype": torch.float32,
            }
            for _ in shards
        ]
    if "logprobs" in method:
        env = {"self": self_, "micro_batch_size": None, "torch": tp}
        for kind, _, node in cut_batching(p, "get_logprobs"):
            if kind == "assign":
                ex(node, env)
        if "logprob_batch_size" not in env:
            env["logprob_batch_size"] = cfg["logprob_batch_size"]
        n = 0
        for s in shards[:4]:
            n, _got = iterate(group, cfg, s, env, "get_logprobs")
        packed = bool((cfg.get("sequence_packing") or {}).get("enabled")) or bool(
            (cfg.get("dynamic_batching") or {}).get("enabled")
        )
        STATE.derived["logprob_micro_steps"] = None if packed else int(n)
        key = "logprobs" if method == "get_logprobs" else "reference_logprobs"
        return [BatchedDataDict({key: torch.zeros(s.size, 1)}) for s in shards]
    return MagicMock()


PHRASES = {
    "dtensor": [
        "Context parallel is not supported for sequence packing",
        "known issue that context parallel can't be used together",
        "Unknown precision",
        "must be divisible by \ndp_replicate",
        "dp_replicate_size (",
        "CPUOffload doesn't work on single GPU",
        "Triton is not supported when tensor_parallel_size",
    ],
    "megatron": [
        "Sequence Packing must be enabled to use Context Parallelism",
        "linear CE fusion loss",
        "Invalid recompute_granularity",
        "defer_fp32_logits must be True",
        "Reward models are not yet supported",
    ],
}
CHK = {}


def cut_checks(path, phrases):
    key = (path, tuple(phrases))
    if key in CHK:
        return CHK[key]
    t = ast.parse(open(path).read())
    par = parents(t)
    out = []
    for n in ast.walk(t):
        if isinstance(n, (ast.Raise, ast.Assert)):
            txt = "".join(c.value for c in ast.walk(n) if isinstance(c, ast.Constant) and isinstance(c.value, str))
            if any(p in txt for p in phrases):
                tests = []
                x = n
                while x in par:
                    q = par[x]
                    if isinstance(q, ast.If):
                        tests.append((q.test, x in q.orelse))
                    if isinstance(q, ast.Try) and isinstance(x, ast.ExceptHandler):
                        n = q
                    if isinstance(q, (ast.FunctionDef,)):
                        break
                    x = q
                out.append((txt[:60], list(reversed(tests)), n))
    CHK[key] = out
    return out


def worker_init_checks(group):
    cfg = group.builder.config
    fqn = str(group.builder.fqn)
    p = path_of(fqn)
    if not p:
        return
    kind = "megatron" if "megatron" in fqn else "dtensor"
    files = [p]
    setup = os.path.join(TREE, "nemo_rl/models", "megatron" if kind == "megatron" else "automodel", "setup.py")
    if os.path.exists(setup) and ("v2" in fqn or kind == "megatron"):
        files.append(setup)
    dt = cfg.get("dtensor_cfg") or {}
    mg = cfg.get("megatron_cfg") or {}
    ws = group.cluster.world_size()
    tp, cp = dt.get("tensor_parallel_size", 1), dt.get("context_parallel_size", 1)
    env = {
        "self": types.SimpleNamespace(
            cfg=cfg, enable_seq_packing=bool((cfg.get("sequence_packing") or {}).get("enabled")), is_vlm=False
        ),
        "config": cfg,
        "cfg": cfg,
        "torch": torch,
        "world_size": ws,
        "tp_size": tp,
        "cp_size": cp,
        "enable_seq_packing": bool((cfg.get("sequence_packing") or {}).get("enabled")),
        "sequence_parallel_enabled": dt.get("sequence_parallel"),
        "sequence_parallel": dt.get("sequence_parallel"),
        "precision": cfg.get("precision"),
        "cpu_offload": dt.get("cpu_offload"),
        "dp_size": ws // max(1, tp * cp) if kind == "dtensor" else None,
        "dp_replicate_size": dt.get("dp_replicate_size", 1),
        "lora_cfg": dt.get("lora_cfg") or {},
        "lora_enabled": bool((dt.get("lora_cfg") or {}).get("enabled")),
        "STRING_TO_DTYPE": {"float32": 1, "bfloat16": 1, "float16": 1},
        "granularity": mg.get("recompute_granularity", "full"),
        "runtime_config": None,
        "model_cfg": types.SimpleNamespace(
            **{
                k: mg.get(k)
                for k in (
                    "tensor_model_parallel_size",
                    "pipeline_model_parallel_size",
                    "context_parallel_size",
                    "expert_model_parallel_size",
                    "sequence_parallel",
                )
            },
            bf16=cfg.get("precision") == "bfloat16",
            fp16=cfg.get("precision") == "float16",
        ),
    }
    env = {**module_names(p), **env}
    env["self"].lora_enabled = env["lora_enabled"]
    env["self"].cpu_offload = env["cpu_offload"]
    if kind == "megatron":  # dtype_map[...precision...]: a bare KeyError in every release
        for f in files:
            for fn in [x for x in ast.walk(ast.parse(open(f).read())) if isinstance(x, ast.FunctionDef)]:
                st = [x for x in fn.body if isinstance(x, ast.Assign)]
                look = [
                    x
                    for x in st
                    if isinstance(x.value, ast.Subscript)
                    and ast.unparse(x.value.value) == "dtype_map"
                    and '"precision"' in ast.unparse(x.value.slice).replace("'", '"')
                    and "megatron_cfg" not in ast.unparse(x.value.slice)
                ]
                maps = [x for x in st if ast.unparse(x.targets[0]) == "dtype_map"]
                if look and maps:
                    e = dict(env)
                    ex(maps[0], e)
                    ex(look[0], e)
    for f in files:
        for txt, tests, node in cut_checks(f, PHRASES[kind]):
            ok = True
            evaluated = 0
            for te, neg in tests:
                try:
                    v = bool(eval(compile(ast.fix_missing_locations(ast.Expression(te)), "lifted", "eval"), dict(env)))
                    evaluated += 1
                    if neg:
                        v = not v
                    if not v:
                        ok = False
                        break
                except Exception as e:
                    STATE.notes.append(f"check not run ({txt}): {type(e).__name__} {e}")
                    ok = False
                    break
            if isinstance(node, ast.Raise) and not evaluated:
                continue
            if isinstance(node, ast.Try) and not any("precision" in ast.unparse(b) for b in node.body):
                continue
            if ok:
                try:
                    ex(node, dict(env))
                except (NameError, AttributeError) as e:
                    STATE.notes.append(f"check not run ({txt}): {e}")


# ---------------------------------------------------------------- the run
G.Logger = MagicMock()
G.StatefulDataLoader = Loader
G.set_seed = lambda *_: None
if hasattr(G, "ray"):
    G.ray = MagicMock()
for m in (LP, VG):
    m.ray = MagicMock()
    m.ray.util.placement_group_table = pg_table
for n in (
    "get_actor_python_env",
    "create_local_venv_on_each_node",
    "NemoGym",
    "get_nemo_gym_uv_cache_dir",
    "get_nemo_gym_venv_dir",
):
    if hasattr(G, n):
        setattr(G, n, MagicMock())
REAL_SETUP = G.setup


def staged(name, f):
    def g(*a, **k):
        old = STATE.stage
        STATE.stage = name
        r = f(*a, **k)
        STATE.stage = old
        return r

    return g


POLICY_CLS.__init__ = staged("init", POLICY_CLS.__init__)
VG.VllmGeneration.__init__ = staged("init", VG.VllmGeneration.__init__)
for n in ("_post_init", "_report_device_id", "_report_dp_openai_server_base_urls", "_collect_reserved_urls"):
    if hasattr(VG.VllmGeneration, n):
        setattr(VG.VllmGeneration, n, lambda self, *a, **k: [])
for n in ("finish_generation", "init_collective", "prepare_refit_info", "shutdown", "__del__", "load_and_start"):
    for c in (VG.VllmGeneration, POLICY_CLS):
        if hasattr(c, n):
            setattr(c, n, (lambda self, *a, **k: MagicMock()))


def get(c, *ks, default=None):
    for k in ks:
        if c is None:
            return default
        c = c.get(k) if hasattr(c, "get") else getattr(c, k, None)
    return default if c is None else c


def sect(mc, name):
    return mc[name] if isinstance(mc, dict) else getattr(mc, name)


def gv(s, k, d=None):
    return s.get(k, d) if hasattr(s, "get") else getattr(s, k, d)


FIRST = {"step": 0, "total_steps": 0}


@functools.lru_cache(None)
def save_conditions():
    """The expressions of grpo_train that divide the number of a step by the period of checkpoints."""
    code = ast.parse(open(os.path.join(TREE, "nemo_rl/algorithms/grpo.py")).read())
    divisions = [n for f in func(code, "grpo_train") for n in ast.walk(f) if isinstance(n, ast.BinOp)]
    return [n for n in divisions if isinstance(n.op, ast.Mod) and "save_period" in ast.unparse(n.right)]


def fake_train(*a, **k):
    """stands for grpo_train from its estimator on: R rows, then the released Policy.get_logprobs / get_reference_policy_logprobs / train"""
    kk = STATE.ctx
    policy, mc = kk["policy"], kk["mc"]
    STATE.stage = "train-start"
    if hasattr(G, "_create_advantage_estimator"):
        G._create_advantage_estimator(mc)
    for f in func(
        ast.parse(open(os.path.join(TREE, "nemo_rl/algorithms/grpo.py")).read()), "grpo_train"
    ):  # lifted: top-level ifs of grpo_train that assert on the config (0.6.0: skip_reference with KL)
        for n in f.body:
            if (
                isinstance(n, ast.If)
                and "skip_reference_policy_logprobs_calculation" in ast.unparse(n.test)
                and any(isinstance(x, ast.Assert) for x in ast.walk(n))
            ):
                ex(n, dict(vars(G), master_config=mc))
    g, pol = sect(mc, "grpo"), sect(mc, "policy")
    steps_epoch = len(kk["loader"]) if kk.get("loader") is not None else None
    STATE.derived["train_loader_len"] = steps_epoch
    P, n = gv(g, "num_prompts_per_step"), gv(g, "num_generations_per_prompt")
    R = P * n
    kk["train_world"]
    STATE.derived.update(prompts_per_rollout=P, completions_per_rollout=R)
    rng = random.Random(7)
    mx = int(pol.get("max_total_sequence_length") or 512)
    lens = [rng.randint(max(1, mx // 8), max(1, mx // 2)) for _ in range(R)]
    if kk.get("longest") and R:
        lens[rng.randrange(R)] = mx
    kk["seen_logprob"] = True
    d = BatchedDataDict(
        {
            "input_ids": torch.zeros(R, 1, dtype=torch.long),
            "input_lengths": torch.tensor(lens, dtype=torch.long),
            "sample_mask": torch.ones(R),
            "token_mask": torch.ones(R, 1),
        }
    )
    STATE.stage = "logprob"
    # grpo_train itself is not run: which log-prob passes happen is restated (<= 0.6: both unless skip_reference...; 0.7: the released _skip_prev_logprobs is asked)
    skip_prev = (
        bool(G.opd_module._skip_prev_logprobs(mc))
        if hasattr(G, "opd_module") and hasattr(G.opd_module, "_skip_prev_logprobs")
        else False
    )
    if not skip_prev:
        policy.get_logprobs(BatchedDataDict(dict(d.data)))
    STATE.derived["prev_logprobs_skipped"] = skip_prev
    gv(sect(mc, "loss_fn"), "reference_policy_kl_penalty")
    skip = gv(g, "skip_reference_policy_logprobs_calculation") if VER >= "0.6.0" or VER == "main" else False
    if not skip and hasattr(policy, "get_reference_policy_logprobs"):
        policy.get_reference_policy_logprobs(BatchedDataDict(dict(d.data)))
    STATE.stage = "train"
    policy.train(BatchedDataDict(dict(d.data)), MagicMock())
    if gv(sect(mc, "checkpointing"), "enabled") and gv(g, "max_num_steps") > 1:
        for each in save_conditions():  # lifted: whether the first step, which is not the last one, writes a checkpoint
            eval(
                compile(ast.fix_missing_locations(ast.Expression(each)), "lifted", "eval"),
                {"master_config": mc, **FIRST},
            )


def entry():
    for n in ("run_grpo.py", "run_grpo_math.py"):
        p = os.path.join(TREE, "examples", n)
        if os.path.exists(p):
            return p


ENTRY = entry()


def load_entry():
    spec = importlib.util.spec_from_file_location("nrl_entry", ENTRY)
    m = importlib.util.module_from_spec(spec)
    sys.modules["nrl_entry"] = m
    spec.loader.exec_module(m)
    return m


E = load_entry()


def fake_tok(*a, **k):
    t = MagicMock()
    t.pad_token_id = 0
    t.eos_token_id = 2
    t.pad_token = "p"
    t.vocab_size = 1000
    return t


def run(argv, env=None, rows=100000, val_rows=1000, longest=False):
    """one command line -> verdict"""
    os.environ.clear()
    os.environ.update(ENV0)
    os.environ.pop("NRL_IGNORE_TP_ACCURACY_CHECK", None)
    os.environ.update(env or {})
    STATE.stage, STATE.ctx, STATE.notes, STATE.derived = "parse", {"longest": longest}, [], {}

    def to(stage, ret=None):
        def f(*a, **k):
            STATE.stage = stage
            return ret

        return f

    E.init_ray = to("setup")
    E.get_tokenizer = fake_tok
    if hasattr(E, "get_next_experiment_dir"):
        E.get_next_experiment_dir = lambda b: b

    def data(*a, **k):
        dc = next((x for x in a if hasattr(x, "get") or isinstance(x, dict)), {})
        tr = Rows(rows)
        va = Rows(val_rows) if val_rows else None
        if VER >= "0.6.0" or VER == "main":
            if isinstance(dc, dict) and dc.get("use_multiple_dataloader"):
                tr = {"a": Rows(rows), "b": Rows(rows)}
        return tr, va, {}, {}

    for n in ("setup_data", "setup_response_data", "setup_preference_data", "setup_data_with_envs"):
        if hasattr(E, n):
            setattr(E, n, data)

    def setup(mc, *a, **k):
        STATE.stage = "setup"
        gpn = get(sect(mc, "cluster"), "gpus_per_node", default=8)
        STATE.ctx["gpn"] = gpn
        r = REAL_SETUP(mc, *a, **k)
        STATE.ctx["setup_done"] = True
        STATE.ctx["policy"] = next(x for x in r if isinstance(x, POLICY_CLS))
        STATE.ctx["mc"] = mc
        STATE.ctx["loader"] = next((x for x in r if isinstance(x, Loader)), None)
        grp = STATE.ctx["policy"].worker_group
        STATE.ctx["train_world"] = grp.cluster.world_size()
        STATE.derived["train_world_size"] = grp.cluster.world_size()
        STATE.derived["dp_size"] = getattr(STATE.ctx["policy"], "dp_size", None) or STATE.ctx[
            "policy"
        ].sharding_annotations.get_axis_size("data_parallel")
        for gr in STATE.ctx["groups"]:
            if "vllm" in str(gr.builder.fqn).lower():
                STATE.derived.update(generation_world_size=gr.cluster.world_size(), generation_engines=gr.dp_size)
        STATE.stage = "train-start"
        return r

    E.setup = setup
    G.setup = setup

    def atrain(*a, **k):
        STATE.stage = "train-start"
        stop = MagicMock()
        stop.options.side_effect = Sentinel()
        stop.remote.side_effect = Sentinel()
        stop.side_effect = Sentinel()
        try:
            import nemo_rl.algorithms.async_utils as AU

            AU.ReplayBuffer = stop
            AU.AsyncTrajectoryCollector = stop
        except Exception:
            pass
        try:
            REAL_ASYNC(*a, **k)
        except Sentinel:
            pass
        fake_train()

    if REAL_ASYNC:
        G.async_grpo_train = atrain
    E.grpo_train = fake_train
    G.grpo_train = fake_train
    for n in ("_select_trainer",):
        if hasattr(E, n):
            setattr(E, n, lambda *a: fake_train)
    if hasattr(E, "async_grpo_train"):
        E.async_grpo_train = atrain
    buf = io.StringIO()
    res = {"accepted": True, "stage": "step", "error_type": None, "error": None}
    old = sys.argv
    sys.argv = [ENTRY] + list(argv)
    try:
        with contextlib.redirect_stdout(buf), contextlib.redirect_stderr(io.StringIO()):
            E.main()
        if not STATE.ctx.get("setup_done"):
            res["stage"] = "?"
    except SystemExit as e:
        res.update(accepted=False, stage="parse", error_type="SystemExit", error=str(e))
    except BaseException as e:
        if isinstance(e, KeyboardInterrupt):
            raise
        tb = traceback.extract_tb(e.__traceback__)
        where = next(
            (f"{os.path.relpath(f.filename, TREE)}:{f.lineno}" for f in reversed(tb) if f.filename.startswith(TREE)),
            "lifted" if any(f.filename == "lifted" for f in tb) else tb[-1].filename,
        )
        lifted = tb[-1].filename == "lifted"
        res.update(
            accepted=False, stage=STATE.stage, error_type=type(e).__name__, error=str(e).strip()[:600], where=where
        )
        if not (
            any(f.filename.startswith(os.path.join(TREE, "nemo_rl")) for f in tb)
            or any(f.filename.startswith(TREE) for f in tb)
            or lifted
        ):
            res["oracle_fault"] = True
        if os.environ.get("ORACLE_TB") or "ORACLE_TB" in ENV0:
            traceback.print_exc()
    finally:
        sys.argv = old
        os.environ.clear()
        os.environ.update(ENV0)
    res["source"] = "lifted" if res.get("where", "").startswith("lifted") else "nemo_rl"
    res["derived"] = {k: v for k, v in STATE.derived.items() if v is not None}
    if STATE.notes:
        res["notes"] = sorted(set(STATE.notes))[:4]
    return res


REAL_ASYNC = getattr(G, "async_grpo_train", None)


def write_case(c, made):
    for rel, text in (c.get("files") or {}).items():
        q = os.path.join(TREE, rel)
        os.makedirs(os.path.dirname(q), exist_ok=True)
        assert not os.path.exists(q) or q in made, q
        open(q, "w").write(text)
        made.append(q)
    return os.path.join(TREE, c["config"]) if c.get("config") else None


def judge(c):
    made = []
    script = c.get("script") or os.path.relpath(ENTRY, TREE)
    c["command"] = " ".join(
        [f"{k}={v}" for k, v in (c.get("env") or {}).items()]
        + ["uv run", script]
        + (
            c["argv"]
            if "argv" in c
            else (["--config", c["config"]] if c.get("config") else [])
            + [o if not any(x in o for x in " '$*") else "'" + o + "'" for o in c.get("overrides") or []]
        )
    )
    if not os.path.exists(os.path.join(TREE, script)):
        return {
            "accepted": False,
            "stage": "launch",
            "error_type": "FileNotFoundError",
            "error": f"can't open file '{script}': [Errno 2] No such file or directory",
            "source": "restated",
            "derived": {},
        }
    try:
        p = write_case(c, made)
        argv = c["argv"] if "argv" in c else (["--config", p] if p else []) + list(c.get("overrides") or [])
        argv = [a.replace("@TREE@", TREE) for a in argv]
        kw = {"env": c.get("env"), "rows": c.get("rows", 100000), "val_rows": c.get("val_rows", 1000)}
        r = run(argv, **kw)
        if r["accepted"] and r["derived"].get("packed"):  # lengths only matter with packing / dynamic batching
            longest = run(argv, longest=True, **kw)
            if not longest["accepted"]:
                r["late"] = {
                    "when": "a response reaches max_total_sequence_length",
                    "stage": longest["stage"],
                    "error_type": longest["error_type"],
                    "error": longest["error"][:300],
                }
        if r.get("error"):
            r["error"] = r["error"].replace(TREE + "/", "")
        return r
    finally:
        for q in made:
            os.remove(q)


class Endless(BaseException):
    """A case took more processor time than any that ends."""


def _stop(*_):
    raise Endless


LONGEST = 60  # seconds of processor time for a case; nearly all take one

if __name__ == "__main__":
    signal.signal(signal.SIGPROF, _stop)
    os.chdir(tempfile.mkdtemp())
    for line in sys.stdin:
        case = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            found = judge(case)
        except Endless:
            traceback.print_exc()
            stage = STATE.stage
            found = {"accepted": False, "stage": stage, "error_type": "Endless", "error": "no end", "derived": {}}
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps({"id": case["id"], "version": VER, **found}, default=str), flush=True)
