# SPDX-License-Identifier: GPL-3.0-or-later
"""Many episodes at once, in a few processes."""
import os

from .api import HAS_GYMNASIUM, VectorEnv, box, gymnasium, numpy, spaces
from .process import DONE, IDLE, STAY, TRUNCATED, LightpathProcess
from .seeds import SeedStream


def _joined(parts):
    if len(parts) == 1:
        return parts[0]
    return numpy.concatenate(parts) if numpy is not None else [x for part in parts for x in part]


class LightpathVectorEnv(VectorEnv):
    """num_envs episodes side by side, spread over `processes` (default: one per processor); those
    of a process share what was simulated. An episode that ends is followed by the next one in the
    same step (Gymnasium's AutoresetMode.SAME_STEP): lane i goes from seed s to s + num_envs. So n
    lanes reset with seed s play the episodes s, s + 1, s + 2 ..., each once.

    observation, reward, terminated, truncated, info = env.step(actions); info["action_mask"] has
    the masks of the observation. Of the episodes that ended in this step (info["_episode"])
    info["episode"] has r (return), l (length), blocking_rate, info["final_obs"] what they showed
    last: nothing is due any more, so all features are 0. `placement`: the rule for all."""
    metadata = {"render_modes": []}

    def __init__(self, scenario="published-32", num_envs=64, *, processes=None, program=None,
                 sets=(), reward=None, reward_settings=None, encoding=None, placement="engine",
                 split="train", wait=False, render_mode=None):
        self.num_envs, self.render_mode = num_envs, render_mode
        self.seeds = SeedStream(split)
        count = max(1, min(processes or len(os.sched_getaffinity(0)), num_envs))
        self.lanes = [num_envs // count + (i < num_envs % count) for i in range(count)]
        self.processes = []
        try:
            for lanes in self.lanes:
                process = LightpathProcess(scenario, program, sets, reward, encoding, wait,
                                           [placement])
                self.processes.append(process)
                if reward_settings:
                    process.request("reward", name=reward or "job_acceptance", **reward_settings)
                process.open_lanes(lanes, num_envs)
        except Exception:
            self.close()
            raise
        first = self.processes[0]
        self.graphs = first.graphs
        self.code = first.spec["placements"].index(placement) << 16
        self.single_action_space = spaces.Discrete(first.actions)
        self.single_observation_space = box(first.features)
        if HAS_GYMNASIUM:
            batch = gymnasium.vector.utils.batch_space
            self.action_space = batch(self.single_action_space, num_envs)
            self.observation_space = batch(self.single_observation_space, num_envs)
            modes = getattr(gymnasium.vector, "AutoresetMode", None)  # from Gymnasium 1.1 on
            if modes is not None:
                self.metadata = dict(self.metadata, autoreset_mode=modes.SAME_STEP)
        self._mask = None
        self._next = [None] * num_envs

    def reset(self, *, seed=None, options=None):
        """New episodes: of `seed`, seed + 1 ... or of a list of seeds; None: of the split. options:
        {"split": ...} goes over to another split."""
        if options and "split" in options:
            self.seeds = SeedStream(options["split"])
        super().reset(seed=None if hasattr(seed, "__len__") else seed)
        if seed is None:
            seed = self.seeds.next()
        seeds = list(seed) if hasattr(seed, "__len__") else [seed + i for i in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise ValueError("%d seeds for %d environments" % (len(seeds), self.num_envs))
        self._next = [int(s) for s in seeds]
        return self._reset([True] * self.num_envs)

    def _reset(self, which):
        at = 0
        for process, lanes in zip(self.processes, self.lanes):
            process.send_reset([self._next[i] if which[i] else STAY for i in range(at, at + lanes)])
            at += lanes
        answers = [process.read() for process in self.processes]
        observation, info = self._see(answers)
        return observation, info

    def step(self, actions):
        """A degree for each."""
        at = 0
        for process, lanes in zip(self.processes, self.lanes):
            part = actions[at:at + lanes]
            if self.code:
                part = [int(a) | self.code if a else 0 for a in part]
            process.send_step(part)
            at += lanes
        answers = [process.read() for process in self.processes]
        observation, info = self._see(answers)
        reward = _joined([a.reward for a in answers])
        flags = _joined([a.flags for a in answers])
        if numpy is not None:
            done, truncated = flags & DONE != 0, flags & TRUNCATED != 0
            terminated, ended = done & ~truncated, done.any()
        else:
            done = [f & DONE != 0 for f in flags]
            truncated = [f & TRUNCATED != 0 for f in flags]
            terminated, ended = [d and not t for d, t in zip(done, truncated)], any(done)
        if ended:
            info["episode"] = {"r": _joined([a.return_ for a in answers]),
                               "l": _joined([a.length for a in answers]),
                               "blocking_rate": _joined([a.blocking for a in answers])}
            info["_episode"] = info["_final_obs"] = done
            info["final_obs"] = self._nothing_due()
        return observation, reward, terminated, truncated, info

    def _see(self, answers):
        self._mask = _joined([a.mask for a in answers])
        info = {"action_mask": self._mask, "graph": _joined([a.graph for a in answers]),
                "seed": _joined([a.seed for a in answers])}
        return _joined([a.features for a in answers]), info

    def _nothing_due(self):
        shape = (self.num_envs, self.processes[0].features)
        if numpy is not None:
            return numpy.zeros(shape, numpy.float32)
        return [[0.0] * shape[1] for _ in range(shape[0])]

    def action_masks(self):
        """A row per environment with a 1 for every action that may be answered now."""
        return self._mask

    def close(self, **kwargs):
        """Ends the processes."""
        del kwargs
        for process in self.processes:
            process.close()
        self.closed = True
