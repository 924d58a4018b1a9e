# SPDX-License-Identifier: GPL-3.0-or-later
"""Many episodes at once, in a few processes."""
import os

from .api import HAS_GYMNASIUM, VectorEnv, box, gymnasium, numpy, spaces
from .checks import LightpathError, actions_of, seeds_of, whole_within
from .process import DONE, TRUNCATED, LightpathProcess, exchange
from .seeds import SeedStream

MOST_LANES = 4096  # of one process


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
    last: nothing is due any more, so all features are 0. `placement`: the rule for all.

    A step or reset with something wrong in it is refused before any lane plays, and the
    environment goes on as if it had not been asked."""
    metadata = {"render_modes": []}

    def __init__(self, scenario="published-32", num_envs=64, *, processes=None, program=None,
                 sets=(), reward=None, reward_settings=None, encoding=None, placement="engine",
                 split="train", wait=False, render_mode=None):
        most = len(os.sched_getaffinity(0))
        if processes is not None:
            most = whole_within(processes, 1, MOST_LANES, "the number of processes")
        num_envs = whole_within(num_envs, 1, most * MOST_LANES, "the number of environments")
        self.num_envs, self.render_mode = num_envs, render_mode
        self.seeds = SeedStream(split)
        count = min(most, num_envs)
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
        except BaseException:
            self.close()
            raise
        first = self.processes[0]
        self.graphs = first.graphs
        self.code = first.spec["placements"].index(placement) << 16
        self.wait_code = first.spec.get("wait")  # None: jobs cannot wait
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
        self._failed = None  # why the lanes are no episodes any more: one of them failed

    def reset(self, *, seed=None, options=None):
        """New episodes: of `seed`, seed + 1 ... or of a list of seeds; None: of the split. options:
        {"split": ...} goes over to another split."""
        stream = SeedStream(options["split"]) if options and "split" in options else self.seeds
        if seed is not None:
            seeds = seeds_of(seed, self.num_envs)
        for process in self.processes:
            process.check()
        self.seeds = stream
        if seed is None:
            seeds = seeds_of(stream.next(), self.num_envs)
        super().reset(seed=None if seed is None else seeds[0])
        answers = self._exchange("send_reset", seeds)
        self._failed = None
        return self._see(answers)

    def step(self, actions):
        """A degree for each."""
        actions = actions_of(actions, self.num_envs, self.single_action_space.n)
        for process in self.processes:
            process.check()
        if self._failed is not None:
            raise LightpathError("the last step or reset came to an end halfway (%s): expected a "
                                 "reset" % self._failed)
        if self._mask is None:
            raise LightpathError("there is no episode yet: expected a reset first")
        answers = self._exchange("send_step", self._placed(actions))
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

    def _placed(self, actions):
        """As frames say it: with the rule of placement, where something is placed."""
        if self.code == 0:
            return actions
        if isinstance(actions, list):
            return [a if a in (0, self.wait_code) else a | self.code for a in actions]
        placed = actions != 0
        if self.wait_code is not None:
            placed &= actions != self.wait_code
        return actions | (placed * self.code).astype("<u4")

    def _exchange(self, send, values):
        """The answers of all processes to their parts of the values."""
        pairs, at = [], 0
        for process, lanes in zip(self.processes, self.lanes):
            pairs.append((getattr(process, send), values[at:at + lanes]))
            at += lanes
        try:
            return exchange(pairs)
        except LightpathError as error:
            if error.halfway:
                self._failed = str(error)
            raise

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
        self.closed = True
        errors = []
        for process in self.processes:
            try:
                process.close()
            except OSError as error:
                errors.append(error)
        if errors:
            raise errors[0]
