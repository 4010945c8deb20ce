"""Ask a checkout of EasyR1 whether it accepts configs, on a CPU.

    python conformance/easyr1/ask.py CHECKOUT < cases.jsonl > verdicts.jsonl

in:  {"id", "config": {dotted key: value}, "about": one of the keys}: each is an argument of the command, and none of them a file
out: {"id", "version", "accepted", "stage", "error", "derived"}; where the case is about a key also "read": whether what ran read it

The checks, in the order of a run. All of them are code of the checkout, cut out of its functions where the rest needs
GPUs:

    read    the beginning of `main`: OmegaConf merges the arguments into the dataclasses
    init    `RayPPOTrainer.__init__` with an empty data loader; the normalisation of the batch by the workers, with real
            meshes of pretended processes; their optimizer, scheduler and engine, up to the first model
    step    `DataProto.chunk` and `split`, and the balancing of the batch, on rows that hold nothing
"""

import ast
import contextlib
import io
import json
import sys
import types

from checkout import Checkout, compiled


class EasyR1:
    """A checkout, with the parts of it that are asked."""

    def __init__(self, root):
        import torch
        from omegaconf import OmegaConf

        self.torch = torch
        self.checkout = checkout = Checkout(root)
        self.version = checkout.version
        main = checkout.function("trainer/main.py", None, "main").body
        end = next(
            place for place, node in enumerate(main) if isinstance(node, ast.If) and "ray" in ast.unparse(node.test)
        )
        self.main = compiled(main[:end], "main.py")
        self.main_names = {"OmegaConf": OmegaConf, "PPOConfig": checkout.module("trainer.config").PPOConfig}
        checkout.module("trainer.core_algos")  # which others take from their package
        self.trainer = checkout.module("trainer.ray_trainer")
        self.protocol = checkout.module("protocol").DataProto
        self.balancing = checkout.module("utils.seqlen_balancing")
        making = checkout.function("trainer/ray_trainer.py", "RayPPOTrainer", "init_workers").body
        hybrid = next(
            node for node in making if isinstance(node, ast.If) and ast.unparse(node.test) == "self.hybrid_engine"
        )
        hybrid.body = [ast.Pass()]
        self.hybrid = compiled([hybrid], "trainer/ray_trainer.py")
        workers = "workers/fsdp_workers.py"
        mesh = checkout.function(workers, "FSDPWorker", "_init_dist_mesh") or checkout.function(
            workers, "FSDPWorker", "_init_config"
        )
        mesh.args.args[1].annotation = mesh.args.args[2].annotation = None
        self.mesh = mesh.name, compiled([mesh], workers)
        self.optimizer = compiled(self._optimizer_checks(workers), workers)
        rollout = checkout.function(workers, "FSDPWorker", "_build_rollout").body
        end = next(place for place, node in enumerate(rollout) if "init_device_mesh" in ast.unparse(node))
        self.rollout = compiled(rollout[: end + 1], workers)
        path = "workers/rollout/vllm_rollout_spmd.py"
        engine = checkout.function(path, "vLLMRollout", "__init__").body
        self.engine = compiled(
            [node for node in engine if isinstance(node, ast.If) and "raise" in ast.unparse(node)], path
        )
        self.losses = checkout.module("trainer.core_algos")
        actor = (checkout.root / "verl/workers/actor/config.py").read_text(encoding="utf-8")
        self.may_be_dynamic = "dynamic_batching" in actor

    def _optimizer_checks(self, path):
        """The two chains of ifs that end in NotImplementedError, with empty branches."""
        build = self.checkout.function(path, "FSDPWorker", "_build_model_optimizer")
        found = [
            node for node in ast.walk(build)
            if isinstance(node, ast.If) and "NotImplementedError" in ast.unparse(node)
            and "optim_config." in ast.unparse(node.test)
        ]  # fmt: skip
        for node in found:
            while True:
                node.body = [ast.Pass()]
                if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                    break
                node = node.orelse[0]
        return [node for node in found if not any(node in ast.walk(other) for other in found if other is not node)]

    def read(self, settings):
        sys.argv = ["main", *(f"{key}={self.written(value)}" for key, value in settings.items())]
        names = dict(self.main_names)
        exec(self.main, names)
        return names["ppo_config"]

    @staticmethod
    def written(value):
        return value if type(value) is str else json.dumps(value)

    def start(self, config):
        """Run the checks up to the first model: those of the trainer, then those of the workers."""
        role = self.trainer.Role
        roles = dict.fromkeys(role, object)
        loader = types.SimpleNamespace(__len__=lambda: 1)
        trainer = self.trainer.RayPPOTrainer.__new__(self.trainer.RayPPOTrainer)
        trainer.__init__(
            config=config, tokenizer=None, processor=None, train_dataloader=[0] * 100, val_dataloader=loader, role_worker_mapping=roles,
            resource_pool_manager=None,
        )  # fmt: skip
        exec(self.hybrid, {"self": trainer})
        world = config.trainer.n_gpus_per_node * config.trainer.nnodes
        has_critic = str(getattr(config.algorithm.adv_estimator, "value", config.algorithm.adv_estimator)) == "gae"
        self.worker(config, "actor", world)
        self.build(config, world)
        if has_critic:
            self.worker(config, "critic", world)
        return world, has_critic

    def worker(self, config, role, world):
        """Run the normalisation of one role, as in the first and in the last process."""
        import torch.distributed as dist
        from torch.testing._internal.distributed.fake_pg import FakeStore

        part = getattr(config.worker, role)
        before = part.global_batch_size
        for rank in {0, world - 1}:
            part.global_batch_size = before
            dist.init_process_group("fake", rank=rank, world_size=world, store=FakeStore())
            try:
                from torch.distributed.device_mesh import init_device_mesh

                def on_cpu(kind, **more):
                    return init_device_mesh("cpu", **more)

                class Ulysses:
                    """The place of the process in the mesh, which the manager reads when it is used."""

                    def __init__(self, mesh):
                        if mesh is not None:
                            mesh["sp"].get_local_rank()

                names = {"dist": dist, "init_device_mesh": on_cpu, "FSDPUlyssesShardingManager": Ulysses,
                         "Union": None, "Literal": None, "RefConfig": type("RefConfig", (), {})}  # fmt: skip
                exec(self.mesh[1], names)
                worker = types.SimpleNamespace(config=config.worker, print_rank0=lambda *_: None, rank=rank)
                names[self.mesh[0]](worker, part, role)
                worker.device_mesh["fsdp"].get_local_rank()
            finally:
                dist.destroy_process_group()

    def build(self, config, world):
        names = {"optim_config": config.worker.actor.optim}
        exec(self.optimizer, names)
        precision, fsdp = self.checkout.module("utils.torch_dtypes").PrecisionType, config.worker.actor.fsdp
        for word in (fsdp.torch_dtype or "fp32", fsdp.mp_param_dtype, fsdp.mp_reduce_dtype, fsdp.mp_buffer_dtype):
            precision.to_dtype(word)
        precision.to_str(precision.to_dtype(config.worker.rollout.dtype))
        optim = config.worker.actor.optim
        if optim.strategy == "adamw":
            weight = self.torch.nn.Parameter(self.torch.zeros(1))
            self.torch.optim.AdamW([weight], lr=optim.lr, betas=optim.betas, weight_decay=optim.weight_decay)
        worker = types.SimpleNamespace(config=config.worker, world_size=world)
        self.on_mesh(world, lambda on_cpu: exec(self.rollout, {"self": worker, "init_device_mesh": on_cpu}))
        torch = types.SimpleNamespace(distributed=types.SimpleNamespace(get_world_size=lambda: world))
        exec(self.engine, {"self": types.SimpleNamespace(), "config": config.worker.rollout, "torch": torch})

    @staticmethod
    def on_mesh(world, call):
        """Call something with the function that makes a mesh, among pretended processes."""
        import torch.distributed as dist
        from torch.distributed.device_mesh import init_device_mesh
        from torch.testing._internal.distributed.fake_pg import FakeStore

        dist.init_process_group("fake", rank=0, world_size=world, store=FakeStore())
        try:
            call(lambda kind, **more: init_device_mesh("cpu", **more))
        finally:
            dist.destroy_process_group()

    def rows(self, count):
        return self.protocol.from_dict({"x": self.torch.zeros(count, 1)})

    def step(self, config, world, has_critic, derived):
        """Run one step of training on empty rows."""
        prompts, group = config.data.rollout_batch_size, config.worker.rollout.n
        fetched = getattr(config.data, "mini_rollout_batch_size", None) or prompts
        derived.update(prompts_per_rollout=prompts, completions_per_rollout=prompts * group)
        self.rows(fetched).chunk(world)
        total = prompts * group
        self.balancing.get_seqlen_balanced_partitions([1] * total, k_partitions=world, equal_size=True)
        parts = [("actor", config.worker.actor)] + ([("critic", config.worker.critic)] if has_critic else [])
        for _, part in parts:
            rows = len(self.rows(total).chunk(world)[0]) * self.ulysses(part)
            if not self.is_dynamic(part):
                self.rows(rows).split(part.micro_batch_size_per_device_for_experience)
        updates = {}
        for name, part in reversed(parts):
            rows = self.rows(len(self.rows(total).chunk(world)[0]) * self.ulysses(part))
            updates[name] = rows.split(part.global_batch_size_per_device)
            if not self.is_dynamic(part):
                for update in updates[name]:
                    update.split(part.micro_batch_size_per_device_for_update)
        self.loss(config)
        dp = world // self.ulysses(config.worker.actor)
        derived.update(
            dp_size=dp, completions_per_update=len(updates["actor"][0]) * dp,
            updates_per_rollout=len(updates["actor"]) * config.worker.actor.ppo_epochs,
        )  # fmt: skip

    def ulysses(self, part):
        return getattr(part, "ulysses_size", None) or getattr(part, "ulysses_sequence_parallel_size", 1)

    def is_dynamic(self, part):
        return self.may_be_dynamic and part.dynamic_batching

    def loss(self, config):
        """Look up the names that the loss uses."""
        torch, actor = self.torch, config.worker.actor
        ones = torch.ones(1, 1)
        if hasattr(self.losses, "average_loss"):
            self.losses.average_loss(ones, ones, mode=actor.loss_avg_mode)
        if not config.algorithm.disable_kl:
            self.losses.compute_kl(ones, ones, kl_penalty=config.algorithm.kl_penalty)

    def watch(self, config, key, answer):
        """Note in the answer whether what runs from now on reads a setting."""
        *sections, name = key.split(".")
        node = config
        for section in sections:
            node = getattr(node, section)
        if not hasattr(type(node), "_is_watched"):
            usual = type(node).__getattribute__

            def watched(self, attribute):
                if type(self)._is_watched == (id(self), attribute):
                    type(self)._answer["read"] = True
                return usual(self, attribute)

            type(node).__getattribute__ = watched
        type(node)._is_watched, type(node)._answer = (id(node), name), answer
        answer["read"] = False

    def judge(self, case):
        stage, derived = "read", {}
        answer = {
            "id": case["id"],
            "version": self.version,
            "accepted": True,
            "stage": None,
            "error": None,
            "derived": derived,
        }
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                config = self.read(case["config"])
                if "about" in case:
                    self.watch(config, case["about"], answer)
                stage = "init"
                world, has_critic = self.start(config)
                stage = "step"
                self.step(config, world, has_critic, derived)
        except Exception as error:
            answer.update(accepted=False, stage=stage, error=f"{type(error).__name__}: {error}"[:300], derived={})
        return answer


def main():
    asked = EasyR1(sys.argv[1])
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(asked.judge(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
