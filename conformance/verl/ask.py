"""Ask a released verl, unpacked or installed without its dependencies, whether it accepts configs, on a CPU.

    python conformance/verl/ask.py FOLDER VERSION < cases.jsonl > verdicts.jsonl      FOLDER holds the package verl

in:  {"id", "config": {"dotted.key": value}, "config_name": "ppo_trainer" or another entry file, "about": a key of the config}
out: {"id", "version", "accepted", "stage", "error_type", "error", "source", "derived"}; where the case is about a key also "read":
     whether what ran read it. What else every run reads it with is run by `reads.py` (source `read`).
     stage:  compose, validate, init (constructors of workers, engines) or step (the first training step)
     source: verl, its own code ran; lifted, its own statements, cut out of a method and run with a pretended mesh;
             restated, a check that could not be run, rewritten here: each raises `Restated`

What runs, by release:

    compose   Hydra's own composition; every item of a config is one override                       all
    validate  RayPPOTrainer._validate_config on a hollow trainer                                     up to 0.5
              verl.utils.config.validate_config                                                      since 0.6
    init      the normalisation of batches and the asserts of the workers, lifted; RolloutConfig    0.2 - 0.7
              asserts of ActorRolloutRefWorker.init_model, restated                                  since 0.8
    step      DataProto.chunk, DataProto.make_iterator (Megatron)                                    0.2 - 0.7
              DataProto.chunk, chunk_tensordict, prepare_micro_batches, train_mini_batch             0.8
              _next_train_batch, _get_required_batch_multiple, prepare_micro_batches,
              train_mini_batch of the V1 trainer                                                     0.9

It needs torch (for a CPU), tensordict, numpy, hydra-core and omegaconf.
"""

import ast
import contextlib
import copy
import io
import json
import os
import re
import sys
import types
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from stubs import StubModule, install_stubs

SRC, VERSION = sys.argv[1], sys.argv[2]
VT = tuple(int(x) for x in re.findall(r"\d+", VERSION)[:2])


# What verl only hands on, to a package that needs a GPU (`conformance/ranges` asks it).
OF_OTHERS = re.compile(r"\.gpu_memory_utilization$")


class Restated(Exception):
    pass


def cache_yaml():
    """Cache the parsed YAML files, which Hydra otherwise reads again for every compose (same content, 5x faster)."""
    from hydra._internal.core_plugins.file_config_source import FileConfigSource

    real, memo = FileConfigSource.load_config, {}

    def load_config(self, config_path):
        key = (self.path, config_path)
        if key not in memo:
            memo[key] = real(self, config_path)
        return copy.deepcopy(memo[key])

    FileConfigSource.load_config = load_config


class _Reached(Exception):
    pass


def override(key, value):
    if value is None:
        return f"{key}=null"
    if isinstance(value, bool):
        return f"{key}={'true' if value else 'false'}"
    if isinstance(value, str):
        if value and all(c.isalnum() or c in "_-./~" for c in value):
            return f"{key}={value}"
        return key + "='" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, (list, dict)):
        return f"{key}={json.dumps(value)}"
    return f"{key}={value!r}"


# ------------------------------------------------------------------ lifting statements out of verl's files
def _class_fn(path, cls, fn):
    tree = ast.parse(open(path, encoding="utf-8").read())
    for c in tree.body:
        if isinstance(c, ast.ClassDef) and c.name == cls:
            for f in c.body:
                if isinstance(f, ast.FunctionDef) and f.name == fn:
                    return f
    return None


def _compile(stmts, path):
    mod = ast.Module(body=[copy.deepcopy(s) for s in stmts], type_ignores=[])
    ast.fix_missing_locations(mod)
    return compile(mod, path, "exec")


def lift_top(path, cls, fn, words):
    f = _class_fn(path, cls, fn)
    if f is None:
        return None
    keep = [
        s for s in f.body if any(w in ast.unparse(s) for w in words) and not isinstance(s, (ast.Import, ast.ImportFrom))
    ]
    return _compile(keep, path)


def lift_infer(path):
    """The assert about infer_tp / infer_world_size and the assignments before it."""
    tree = ast.parse(open(path, encoding="utf-8").read())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for i, s in enumerate(body):
            if isinstance(s, ast.Assert) and "is not divisible by infer" in ast.unparse(s):
                pre = [
                    p
                    for p in body[:i]
                    if isinstance(p, ast.Assign)
                    and isinstance(p.targets[0], ast.Name)
                    and p.targets[0].id in ("infer_tp", "infer_pp", "infer_world_size", "dp")
                ]
                return _compile(pre + [s], path)
    return None


class Watch:
    """Which settings the code reads from its config by their names."""

    def __enter__(self):
        from omegaconf import DictConfig

        self.found = found = set()
        self.real = real = {name: getattr(DictConfig, name) for name in ("__getattr__", "__getitem__", "get")}

        def watching(call):
            def called(node, key, *rest, **more):
                if isinstance(key, str) and not key.startswith("__"):
                    found.add(node._get_full_key(key))
                return call(node, key, *rest, **more)

            return called

        for name, call in real.items():
            setattr(DictConfig, name, watching(call))
        return self

    def __exit__(self, *error):
        from omegaconf import DictConfig

        for name, call in self.real.items():
            setattr(DictConfig, name, call)

    def has_read(self, key):
        return key in self.found or any(name and key.endswith(f".{name}") and "." in name for name in self.found)


class Verl:
    def __init__(self):
        install_stubs()
        os.environ.setdefault("VERL_LOGGING_LEVEL", "ERROR")
        sys.path.insert(0, SRC)
        import torch

        self.torch = torch
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            if VT < (0, 6):
                import verl.trainer.ppo.ray_trainer as rt

                self.rt = rt
            else:
                import verl.utils.config as vcfg
                import verl.workers.config as wcfg

                self.vcfg, self.wcfg = vcfg, wcfg
                if hasattr(wcfg, "HFModelConfig"):
                    wcfg.HFModelConfig.__post_init__ = lambda self: None
            if VT < (0, 9):
                from verl.protocol import DataProto

                self.DataProto = DataProto
            if VT >= (0, 8):
                import verl.utils.tensordict_utils as tu
                import verl.workers.engine.utils as eu
                import verl.workers.engine_workers as ew

                self.tu, self.eu, self.ew = tu, eu, ew
            if VT >= (0, 9):
                import verl.trainer.ppo.v1.trainer_base as tb

                self.tb = tb
        cache_yaml()
        self.config_dir = os.path.join(SRC, "verl", "trainer", "config")
        if VT >= (0, 9):
            self.separate = lift_top(
                os.path.join(SRC, "verl/trainer/ppo/v1/trainer_separate_async.py"),
                "PPOTrainerSeparateAsync",
                "__init__",
                ("config.data.", "ppo_mini_batch_size", "parameter_sync_step", "config.actor_rollout_ref.rollout."),
            )
        if VT < (0, 4):
            self.engine_size = lift_top(
                os.path.join(SRC, "verl/workers/rollout/vllm_rollout/vllm_rollout.py"),
                "vLLMRollout",
                "__init__",
                ("tensor_parallel_size = self.config", "assert tensor_parallel_size <="),
            )
        if (0, 3) <= VT < (0, 7):
            self.engine_tokens = lift_top(
                os.path.join(SRC, "verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py"),
                "vLLMRollout",
                "__init__",
                ("max_num_batched_tokens = self", "max_model_len = int", "max_num_batched_tokens < max_model_len"),
            )
        if VT < (0, 8):
            w = os.path.join(SRC, "verl", "workers")
            words = ("ppo_mini_batch_size", "log_prob_micro_batch_size")
            self.norm = {}
            for kind, file in (("fsdp", "fsdp_workers.py"), ("megatron", "megatron_workers.py")):
                p = os.path.join(w, file)
                self.norm[kind] = (
                    lift_top(p, "ActorRolloutRefWorker", "__init__", words),
                    lift_top(p, "CriticWorker", "__init__", ("ppo_mini_batch_size", "ppo_micro_batch_size")),
                    lift_infer(p),
                )
            if VT < (0, 6):
                self.crit = None
                f = _class_fn(os.path.join(SRC, "verl/trainer/ppo/ray_trainer.py"), "RayPPOTrainer", "__init__")
                keep = [s for s in f.body if isinstance(s, ast.If) and "use_critic" in ast.unparse(s)]
                self.crit = _compile(keep, "ray_trainer.py")

    def algorithm(self, cfg):
        """The names that verl looks up only in the first step."""
        if VT < (0, 5):
            return
        import verl.trainer.ppo.core_algos as algos

        algos.get_adv_estimator_fn(cfg.algorithm.adv_estimator)
        mode = cfg.actor_rollout_ref.actor.get("policy_loss", {}).get("loss_mode", "vanilla")
        if mode != "vanilla":
            algos.get_policy_loss_fn(mode)

    def rollout_class(self, r):
        """The release's own function that looks an engine up, with an engine that is not imported."""
        if VT < (0, 6):
            return
        path = os.path.join(SRC, "verl/workers/rollout/base.py")
        tree = ast.parse(open(path, encoding="utf-8").read())
        kept = [
            each
            for each in tree.body
            if getattr(each, "name", "") == "get_rollout_class"
            or "_ROLLOUT_REGISTRY" in ast.unparse(each).partition("=")[0]
        ]
        names = {"BaseRollout": object, "importlib": types.SimpleNamespace(import_module=StubModule)}
        exec(_compile([each for each in kept if not isinstance(each, ast.ClassDef)], path), names)
        names["get_rollout_class"](r.name, r.mode)

    def handed_on(self, cfg):
        """What the first packages beside verl are handed: torch's optimizer, made as it is; and what verl's engine of vLLM
        asks before it makes vLLM's own."""
        a, r = cfg.actor_rollout_ref.actor, cfg.actor_rollout_ref.rollout
        if str(a.strategy).startswith("fsdp") and a.optim.get("optimizer", "AdamW") == "AdamW":
            weight = self.torch.nn.Parameter(self.torch.zeros(1))
            self.torch.optim.AdamW([weight], lr=a.optim.lr, weight_decay=a.optim.get("weight_decay", 1e-2))
        if (0, 3) <= VT < (0, 7) and r.name == "vllm" and r.get("mode", "sync") == "sync":
            exec(self.engine_tokens, {"self": types.SimpleNamespace(config=r), "config": r})

    # --- compose / validate
    def compose(self, name, overrides):
        """Real Hydra. The primary config (with its group overrides) is composed once. Value overrides are then applied
        to a copy by the same ConfigLoaderImpl._apply_overrides_to_config that compose() calls."""
        from hydra import compose, initialize_config_dir
        from hydra._internal.config_loader_impl import ConfigLoaderImpl
        from hydra.core.global_hydra import GlobalHydra
        from hydra.core.override_parser.overrides_parser import OverridesParser

        lines = [override(k, v) for k, v in overrides.items()]
        groups = [
            x
            for x in lines
            if x.split("=")[0].lstrip("+~") == "model_engine" or "@" in x.split("=")[0] or "/" in x.split("=")[0]
        ]
        key = (name, tuple(groups))
        memo = self.__dict__.setdefault("_base", {})
        if key not in memo:
            GlobalHydra.instance().clear()
            with initialize_config_dir(config_dir=self.config_dir, version_base=None):
                memo[key] = compose(config_name=name, overrides=groups)
        cfg = copy.deepcopy(memo[key])
        parsed = OverridesParser.create().parse_overrides([x for x in lines if x not in groups])
        ConfigLoaderImpl._apply_overrides_to_config(parsed, cfg)
        return cfg

    def need_reference(self, cfg):
        if VT < (0, 4):
            return True  # the reference worker is always built
        return bool(cfg.algorithm.get("use_kl_in_reward", False) or cfg.actor_rollout_ref.actor.use_kl_loss)

    def need_critic(self, cfg):
        if VT < (0, 6):
            ns = types.SimpleNamespace(config=cfg)
            exec(self.crit, dict(self.rt.__dict__, self=ns, config=cfg))
            return ns.use_critic
        if cfg.critic.get("enable", None) is not None:
            return bool(cfg.critic.enable)
        return str(cfg.algorithm.adv_estimator) == "gae"

    def validate(self, cfg):
        if VT < (0, 6):
            a, c = cfg.actor_rollout_ref.actor.strategy, cfg.critic.strategy
            fs = {"fsdp", "fsdp2"} if VT >= (0, 4) else {"fsdp"}
            if not ((a in fs and c in fs) or a == c == "megatron"):
                raise Restated(f"main_ppo: actor strategy {a} with critic strategy {c}")
            ns = types.SimpleNamespace(
                config=cfg, use_critic=self.need_critic(cfg), use_reference_policy=self.need_reference(cfg)
            )
            self.rt.RayPPOTrainer._validate_config(ns)
        else:
            self.vcfg.validate_config(
                config=cfg, use_reference_policy=self.need_reference(cfg), use_critic=self.need_critic(cfg)
            )

    # --- shared shape helpers
    def shape(self, cfg):
        a = cfg.actor_rollout_ref.actor
        world = cfg.trainer.n_gpus_per_node * cfg.trainer.nnodes
        if a.strategy == "megatron":
            m = a.megatron
            mp = m.tensor_model_parallel_size * m.pipeline_model_parallel_size * m.get("context_parallel_size", 1)
            return world, mp, world // mp if mp else 0
        sp = a.get("ulysses_sequence_parallel_size", 1) or 1
        if VT >= (0, 7):
            sp = max(sp, a.fsdp_config.get("ulysses_sequence_parallel_size", 1) or 1) if "fsdp_config" in a else sp
        return world, sp, world // sp if sp else 0

    def loaded(self, cfg):
        """The prompts of a batch of the data loader: `gen_batch_size` from 0.4 to 0.8 where it is appended."""
        P = cfg.data.train_batch_size
        return cfg.data.get("gen_batch_size", P) if (0, 4) <= VT < (0, 9) else P

    # --- legacy workers
    def legacy(self, cfg, d, stage):
        from omegaconf import OmegaConf, open_dict

        a, r = cfg.actor_rollout_ref.actor, cfg.actor_rollout_ref.rollout
        world, mp, dp = self.shape(cfg)
        kind = "megatron" if a.strategy == "megatron" else "fsdp"
        n, P, m = r.n, self.loaded(cfg), a.ppo_mini_batch_size
        d.update(prompts_per_rollout=P, completions_per_rollout=P * n, dp_size=dp, written_completions_per_update=m * n)
        stage("init")
        if world % mp:
            raise Restated(f"world size {world} is not divisible by model/sequence parallel size {mp}")
        actor_norm, critic_norm, infer = self.norm[kind]
        wc = OmegaConf.create(OmegaConf.to_container(cfg.actor_rollout_ref, resolve=True))
        fsdp = wc.actor.get("fsdp_config", {}).get("fsdp_size", -1) if kind == "fsdp" else -1
        if kind == "fsdp" and 0 < fsdp < world:
            if world % fsdp:
                raise Restated(f"fsdp_size {fsdp} does not divide the world size {world}")
            shape = (world // fsdp, fsdp)
        else:
            shape = (world,)
        mesh = types.SimpleNamespace(
            shape=shape, size=lambda dim=None: world if dim is None else shape[dim], ndim=len(shape)
        )
        fake = types.SimpleNamespace(
            config=wc,
            device_mesh=mesh,
            world_size=world,
            _is_actor=True,
            _is_rollout=True,
            _is_ref=self.need_reference(cfg),
            role="actor_rollout",
            ulysses_sequence_parallel_size=mp if kind == "fsdp" else 1,
        )
        mpu = types.SimpleNamespace(get_data_parallel_world_size=lambda: dp)
        tdist = types.SimpleNamespace(distributed=types.SimpleNamespace(get_world_size=lambda *x: world))
        exec(
            actor_norm,
            {"self": fake, "mpu": mpu, "torch": tdist, "open_dict": open_dict, "config": wc, "OmegaConf": OmegaConf},
        )
        d["normalized_mini_per_rank"] = wc.actor.ppo_mini_batch_size
        if self.need_critic(cfg) and critic_norm is not None:
            cc = OmegaConf.create(OmegaConf.to_container(cfg.critic, resolve=True))
            csp = cc.get("ulysses_sequence_parallel_size", 1) or 1
            cf = types.SimpleNamespace(config=cc, ulysses_sequence_parallel_size=csp)
            exec(critic_norm, {"self": cf, "mpu": mpu, "torch": tdist, "config": cc, "open_dict": open_dict})
            d["critic_normalized_mini_per_rank"] = cc.ppo_mini_batch_size
        rc = r
        if VT >= (0, 6):
            rc = self.vcfg.omega_conf_to_dataclass(cfg.actor_rollout_ref.rollout)
        if infer is not None and not (VT < (0, 4) and kind == "megatron"):
            exec(infer, {"self": fake, "rollout_config": rc, "config": wc})
            self.rollout_class(rc)
        elif VT < (0, 4):  # what vLLM's rollout asserts when it is created
            ranks = types.SimpleNamespace(distributed=types.SimpleNamespace(get_world_size=lambda: world))
            exec(self.engine_size, {"self": types.SimpleNamespace(config=r), "torch": ranks})
        self.handed_on(cfg)
        # --- first step
        stage("step")
        mode = r.get("mode", "sync")
        DP, t = self.DataProto, self.torch

        def rows(k):
            return DP.from_dict({"x": t.zeros(k, 1)})

        gen_rows = P if VT < (0, 5) else P * n
        infer_ws = r.tensor_model_parallel_size
        if VT >= (0, 6):
            infer_ws = (
                r.tensor_model_parallel_size * r.get("data_parallel_size", 1) * r.get("pipeline_model_parallel_size", 1)
            )
        if mode == "async" and VT >= (0, 5):
            workers = r.agent.num_workers
            d["generation_chunks"] = workers
            rows(gen_rows).chunk(workers)
        elif mode == "sync" and kind == "fsdp":
            chunks = world if VT < (0, 6) else world // infer_ws
            d["generation_chunks"] = chunks
            rows(gen_rows).chunk(chunks)
        total = P * n
        lp_chunks = dp if kind == "megatron" or VT >= (0, 6) else world
        rows(total).chunk(lp_chunks)
        per_rank = total // dp
        if kind == "fsdp":
            for name, used in (("rollout", True), ("ref", self.need_reference(cfg))):
                part = wc[name]
                if used and not part.log_prob_use_dynamic_bsz:
                    data = rows(per_rank)
                    (data if VT >= (0, 5) else data.batch).split(part.log_prob_micro_batch_size_per_gpu)
        self.algorithm(cfg)
        if kind == "fsdp" and a.use_dynamic_bsz:
            self._budget(cfg, mp)
        mini = wc.actor.ppo_mini_batch_size
        if kind == "megatron":
            rows(per_rank).make_iterator(mini_batch_size=mini, epochs=1)
            steps, last = per_rank // mini, 0
        else:
            steps, last = -(-per_rank // mini), per_rank % mini
        d.update(
            completions_per_update=mini * dp,
            updates_per_rollout=steps * a.ppo_epochs,
            floored_completions_per_update=m * n - mini * dp,
            short_last_update_completions=last * dp,
        )

    def _budget(self, cfg, ranks):
        """The split of an update of short sequences by tokens; every engine pads them to the lengths of the config."""
        from tensordict import TensorDict
        from verl.utils.seqlen_balancing import rearrange_micro_batches

        width = cfg.data.max_prompt_length + cfg.actor_rollout_ref.rollout.response_length
        mask = self.torch.zeros(2, width, dtype=self.torch.long)
        mask[:, :2] = 1
        batch = TensorDict({"attention_mask": mask, "input_ids": mask.clone()}, batch_size=[2])
        budget = cfg.actor_rollout_ref.actor.ppo_max_token_len_per_gpu * ranks
        rearrange_micro_batches(batch=batch, max_token_len=budget)

    # --- engine workers (0.8, 0.9)
    def engine(self, cfg, d, stage):
        a, r = cfg.actor_rollout_ref.actor, cfg.actor_rollout_ref.rollout
        world, mp, dp = self.shape(cfg)
        n, P, m = r.n, self.loaded(cfg), a.ppo_mini_batch_size
        d.update(prompts_per_rollout=P, completions_per_rollout=P * n, dp_size=dp, written_completions_per_update=m * n)
        stage("init")
        if VT >= (0, 9) and cfg.trainer.use_v1 and cfg.trainer.v1.trainer_mode == "separate_async":
            exec(self.separate, {"config": cfg})
            return  # later checks have other arithmetic
        self.vcfg.omega_conf_to_dataclass(cfg.actor_rollout_ref.rollout)
        if a.strategy not in (
            "fsdp",
            "fsdp2",
            "fsdp_turbo",
            "megatron",
            "veomni",
            "torchtitan",
            "automodel",
            "mindspeed",
        ):
            raise Restated(f"no training engine for actor.strategy {a.strategy}")
        if world % mp:
            raise Restated(f"world size {world} is not divisible by model/sequence parallel size {mp}")
        if a.use_dynamic_bsz != r.log_prob_use_dynamic_bsz:
            raise Restated("actor.use_dynamic_bsz != rollout.log_prob_use_dynamic_bsz")
        if a.use_dynamic_bsz:
            if a.ppo_max_token_len_per_gpu is None or r.log_prob_max_token_len_per_gpu is None:
                raise Restated("max_token_len_per_gpu is null while use_dynamic_bsz is on")
        else:
            for k, v in (
                ("rollout.log_prob_micro_batch_size_per_gpu", r.log_prob_micro_batch_size_per_gpu),
                ("actor.ppo_micro_batch_size_per_gpu", a.ppo_micro_batch_size_per_gpu),
            ):
                if v is None:
                    raise Restated(f"{k} is null")
        infer = r.tensor_model_parallel_size * r.data_parallel_size * r.pipeline_model_parallel_size
        if world % infer:
            raise Restated(f"rollout world_size: {world} is not divisible by infer_world_size: {infer}")
        self.rollout_class(r)
        self.handed_on(cfg)
        stage("step")
        total, mini = P * n, m * n
        if VT >= (0, 9):
            self._fetch(cfg)
            mult = self._multiple(cfg, dp)
            padded = -(-total // mult) * mult
        else:
            self.DataProto.from_dict({"x": self.torch.zeros(total, 1)}).chunk(r.agent.num_workers)
            d["generation_chunks"] = r.agent.num_workers
            from tensordict import TensorDict

            self.tu.chunk_tensordict(TensorDict({"x": self.torch.zeros(total, 1)}, batch_size=[total]), dp)
            padded = total
        d.update(padded_completions_per_rollout=padded, padding_completions=padded - total, completions_per_update=mini)
        rows = padded // dp
        if not a.use_dynamic_bsz:
            self._micro(rows, r.log_prob_micro_batch_size_per_gpu)
            if self.need_reference(cfg):
                k = cfg.actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu
                if k is None:
                    raise Restated("ref.log_prob_micro_batch_size_per_gpu is null")
                self._micro(rows, k)
        self.algorithm(cfg)
        self._mini(rows, mini, dp)
        if not a.use_dynamic_bsz:
            self._micro(mini // dp, a.ppo_micro_batch_size_per_gpu)
        d["updates_per_rollout"] = padded // mini * a.ppo_epochs

    def _fetch(self, cfg):
        def fetched():
            raise _Reached

        with contextlib.suppress(_Reached):
            self.tb.PPOTrainer._next_train_batch(types.SimpleNamespace(config=cfg, _fetch_one_gen_batch=fetched))

    def _multiple(self, cfg, dp):
        f = types.SimpleNamespace(
            use_critic=self.need_critic(cfg), config=cfg, global_steps=cfg.trainer.critic_warmup + 1
        )
        return self.tb.PPOTrainer._get_required_batch_multiple(f, dp)

    def _mini(self, rows, mini, dp):
        tu = self.ew.tu
        saved = tu.pop, tu.make_iterator, getattr(self.ew, "maybe_fix_3d_position_ids", None)

        def stop(data, mini_batch_size, **kw):
            # the first assertion of verl.utils.tensordict_utils.make_iterator
            assert rows % mini_batch_size == 0, f"{rows} % {mini_batch_size} != 0"
            raise _Reached

        tu.pop = lambda data, key, default=None: {"mini_batch_size": mini}.get(key, default)
        tu.make_iterator = stop
        self.ew.maybe_fix_3d_position_ids = lambda data: None
        eng = types.SimpleNamespace(get_data_parallel_size=lambda: dp, get_data_parallel_rank=lambda: 0)
        call = self.ew.TrainingWorker.train_mini_batch
        call = getattr(call, "__wrapped__", call)
        try:
            call(types.SimpleNamespace(engine=eng), types.SimpleNamespace(shape=(rows,)))
        except _Reached:
            pass
        finally:
            tu.pop, tu.make_iterator, self.ew.maybe_fix_3d_position_ids = saved

    def _micro(self, rows, micro):
        class Rows(dict):
            def __len__(self):
                return rows

        tu = self.eu.tu
        saved = tu.get_non_tensor_data, tu.chunk_tensordict
        tu.get_non_tensor_data = lambda data, key, default: False if key == "use_dynamic_bsz" else default
        tu.chunk_tensordict = lambda data, chunks: list(range(chunks))
        try:
            self.eu.prepare_micro_batches(Rows(micro_batch_size_per_gpu=micro))
        finally:
            tu.get_non_tensor_data, tu.chunk_tensordict = saved

    def judge(self, case):
        if "about" not in case:
            return self.verdict(case)
        with Watch() as watch:
            out = self.verdict(case)
        key = case["about"].lstrip("+")
        out["read"] = not out["accepted"] or (watch.has_read(key) and not OF_OTHERS.search(key))
        if out["accepted"]:
            self.ask_reads(case, key, out)
        return out

    def ask_reads(self, case, key, out):
        from reads import Reads

        engine = "megatron" if "megatron" in case.get("config_name", "") else "dp"
        memo = self.__dict__.setdefault("_reads", {})
        reads = memo.get(engine) or memo.setdefault(engine, Reads(SRC, engine))
        name, settings = case.get("config_name", "ppo_trainer"), case["config"]
        if key not in reads.by_path:
            return
        usual = {other: value for other, value in settings.items() if other != case["about"]}
        known = (name, repr(usual))
        if known not in memo:
            memo[known] = self.compose(name, usual)
        ran, stage, error = reads.refusal(key, self.compose(name, settings), memo[known])
        out["read"] = out["read"] or (bool(ran) and not OF_OTHERS.search(key))
        if stage:
            out.update(accepted=False, stage=stage, error=error, error_type="read", source="read")

    def verdict(self, case):
        out = {
            "id": case.get("id"),
            "version": VERSION,
            "accepted": True,
            "stage": None,
            "error_type": None,
            "error": None,
            "source": None,
            "derived": {},
        }
        ov = dict(case.get("config", {}))
        w = case.get("n_gpus", case.get("world_size"))
        if w is not None and "trainer.n_gpus_per_node" not in ov:
            ov["trainer.n_gpus_per_node"] = w
            ov.setdefault("trainer.nnodes", 1)
        cur = ["compose"]

        def stage(s):
            cur[0] = s

        buf = io.StringIO()
        try:
            with contextlib.redirect_stdout(buf), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                cfg = self.compose(case.get("config_name", "ppo_trainer"), ov)
                stage("validate")
                self.validate(cfg)
                out["source"] = "verl"
                legacy = VT < (0, 8)
                (self.legacy if legacy else self.engine)(cfg, out["derived"], stage)
                out["source"] = "lifted" if legacy else "verl+restated"
        except Restated as exc:
            out.update(accepted=False, error_type="Restated", error=f"[restated] {exc}", source="restated")
        except Exception as exc:
            cause, text = exc, str(exc)
            if type(exc).__name__ == "InstantiationException":
                cause = exc.__cause__ or exc
                text = str(cause)
            elif cur[0] == "compose" and exc.__cause__ is not None:
                text = f"{text} <- {exc.__cause__}"
            out.update(
                accepted=False,
                error_type=type(cause).__name__,
                error=text[:600],
                source="hydra" if cur[0] == "compose" else "lifted" if cur[0] == "init" and VT < (0, 8) else "verl",
            )
        notes = [
            line
            for line in buf.getvalue().splitlines()
            if "NOTICE" in line or "WARNING" in line or "Disabled critic" in line
        ]
        if notes:
            out["notes"] = notes[:4]
        out["stage"] = cur[0]
        return out


def main():
    v = Verl()
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(v.judge(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
