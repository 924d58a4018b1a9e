# SPDX-License-Identifier: GPL-3.0-or-later
"""One episode at a time."""
from .api import Env, box, numpy, spaces
from .checks import LightpathError, action_of, seed_of
from .process import (BLOCKED, DONE, IDLE, MASKED, STAY, TRUNCATED, LightpathProcess, exchange)
from .seeds import SeedStream

NO_JOB = 0xFFFFFFFF


def mask_of_placings(mask, placings, degrees):
    """The mask of actions that choose a placement, too, from the one of the degrees."""
    if placings == 1:
        return mask
    if numpy is not None:
        return numpy.concatenate([mask[:1], numpy.repeat(mask[1:degrees + 1], placings),
                                  mask[degrees + 1:]])
    return (list(mask[:1]) + [m for m in mask[1:degrees + 1] for _ in range(placings)] +
            list(mask[degrees + 1:]))


class LightpathEnv(Env):
    """A lightpath scenario, one decision per arriving job.

    scenario     file or name of a scenario of lightpath's
    placements   rules to choose from (`spec["placements"]`); action 0 refuses the job, action
                 1 + (d - 1) k + i splits it up to d ways and places it by rule i of k
    observation  "features": an array; "dict": features, graph, action_mask
    reward       name of a reward; reward_settings: its numbers (docs/env.md, "Rewards")
    wait         True, or "deadline": one more action, the last, makes the job wait; it is offered
                 again when a job completes, by arrival or by true deadline
    split        "train", "validation" or "test": the seeds of resets that name none
    sets         overrides such as "generator.count=100"
    """
    metadata = {"render_modes": []}

    def __init__(self, scenario="published-32", *, program=None, sets=(), reward=None,
                 reward_settings=None, encoding=None, placements=("engine",),
                 observation="features", split="train", wait=False, render_mode=None):
        if observation not in ("features", "dict"):
            raise ValueError("observation %r: expected features or dict" % (observation,))
        self.render_mode = render_mode
        self.seeds = SeedStream(split)
        self.process = LightpathProcess(scenario, program, sets, reward, encoding, wait,
                                        placements)
        try:
            self._set_up(observation, reward, reward_settings)
        except BaseException:
            self.close()
            raise

    def _set_up(self, observation, reward, settings):
        process = self.process
        if settings:
            process.request("reward", name=reward or "job_acceptance", **settings)
        process.open_lanes(1)
        known = process.spec["placements"]
        self.placings = [known.index(name) for name in process.spec["placed"]]
        self.graphs = process.graphs
        self.wait_code = process.spec.get("wait")  # None: jobs cannot wait
        self.degrees = process.actions - 1 - (self.wait_code is not None)
        self.action_count = 1 + self.degrees * len(self.placings) + (self.wait_code is not None)
        self.action_space = spaces.Discrete(self.action_count)
        self.as_dict = observation == "dict"
        self.observation_space = box(process.features)
        if self.as_dict:
            self.observation_space = spaces.Dict({
                "features": box(process.features),
                "graph": spaces.Discrete(max(1, len(self.graphs))),
                "action_mask": spaces.MultiBinary(self.action_count)})
        self._mask = None

    # ---- episodes ----

    def reset(self, *, seed=None, options=None):
        """A new episode: of this seed, else of the next one of the split. options: {"split": ...}
        goes over to another split."""
        seed = None if seed is None else seed_of(seed)
        stream = SeedStream(options["split"]) if options and "split" in options else self.seeds
        self.process.check()
        super().reset(seed=seed)
        self.seeds = stream
        if seed is not None:
            self.seeds.begin(seed)
        answer = self._ask(self.process.send_reset, self.seeds.next() if seed is None else seed)
        return self._observation(answer), self._info(answer)

    def step(self, action):
        """Decides the job that is due. An action against the mask blocks the job."""
        action = action_of(action, self.action_count)
        self.process.check()
        if self._mask is None:
            raise LightpathError("there is no episode yet: expected a reset first")
        if self._over:
            raise LightpathError("the episode is over: expected a reset")
        answer = self._ask(self.process.send_step, self.code_of(action))
        flags = int(answer.flags[0])
        truncated = bool(flags & TRUNCATED)
        terminated = bool(flags & DONE) and not truncated
        info = self._info(answer)
        info["blocked"], info["masked"] = bool(flags & BLOCKED), bool(flags & MASKED)
        info["decided_job"] = int(answer.job[0])
        if flags & DONE:
            info["episode"] = {"r": float(answer.return_[0]), "l": int(answer.length[0]),
                               "blocking_rate": float(answer.blocking[0])}
        return self._observation(answer), float(answer.reward[0]), terminated, truncated, info

    @staticmethod
    def _ask(send, value):
        return exchange([(send, [value])])[0]

    def code_of(self, action):
        """The action as a frame says it."""
        if action == 0:
            return 0
        if self.wait_code is not None and action == self.action_count - 1:
            return self.wait_code
        degree, placing = divmod(action - 1, len(self.placings))
        return degree + 1 | self.placings[placing] << 16

    def action_masks(self):
        """A 1 for every action that may be answered now (what sb3-contrib's MaskablePPO asks)."""
        return self._mask

    def _observation(self, answer):
        self._mask = mask_of_placings(answer.mask[0], len(self.placings), self.degrees)
        self._over = bool(int(answer.flags[0]) & IDLE)
        if not self.as_dict:
            return answer.features[0]
        graph = max(0, int(answer.graph[0]))
        return {"features": answer.features[0], "action_mask": self._mask,
                "graph": graph if numpy is None else numpy.int64(graph)}

    def _info(self, answer):
        mask = mask_of_placings(answer.mask[0], len(self.placings), self.degrees)
        return {"action_mask": mask, "graph": int(answer.graph[0]), "seed": int(answer.seed[0])}

    # ---- planning ----

    def clone_state(self):
        """Keeps the episode as it stands: a number for restore_state and drop_state."""
        return self.process.request("save")["state"]

    def restore_state(self, state, future=None):
        """Goes back there, as often as one likes; returns observation and info. future: a number;
        the jobs that arrive from here on are then others than those of the episode's seed, so that
        a planner does not see what it cannot know."""
        keys = {} if future is None else {"future": seed_of(future, what="the future's seed")}
        self.process.request("restore", state=state, observe=False, **keys)
        answer = self._ask(self.process.send_reset, STAY)
        return self._observation(answer), self._info(answer)

    def drop_state(self, state):
        """Forgets it."""
        self.process.request("drop", state=state)

    def predict(self, action):
        """What would come of an action, as a dict: feasible, cause, jct, servers ..."""
        code = self.code_of(action_of(action, self.action_count))
        place = self.process.spec["placements"][code >> 16]
        return self.process.request("predict", action=code & 0xFFFF, place=place)

    def details(self):
        """All about the job that is due and the cluster, in seconds and bytes; None at the end."""
        return self.process.request("observe")["observation"]

    def summary(self):
        """Counts and means of the episode so far."""
        return self.process.request("summary")

    def close(self):
        """Ends the process. May be called again."""
        self.process.close()
