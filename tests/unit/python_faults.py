# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls with something wrong in them, at random, to scripts/python's LightpathVectorEnv: each is
refused, and afterwards its lanes go on exactly as episodes that are played alone. Run by
test_python.sh, with or without NumPy. SEED [ROUNDS] as arguments: other draws."""
import array
import math
import os
import random
import signal
import sys
import threading

import lightpath
from lightpath.api import numpy
from lightpath.process import LightpathProcess

COUNT = 12  # jobs of an episode: many end
SETS = ["generator.count=%d" % COUNT]
LAST_SEED = 2 ** 64 - 2


def flat(values):
    """As lists of Python numbers, NaN as None."""
    if hasattr(values, "__len__"):
        return [flat(v) for v in values]
    return None if math.isnan(float(values)) else float(values)


def refused(call, *words):
    """The call must fail with a sentence of lightpath's."""
    try:
        call()
    except lightpath.LightpathError as error:
        assert all(word in str(error) for word in words), (str(error), words)
        return error
    raise AssertionError("not refused: " + " ".join(words))


class Lanes:
    """The same as the vector, of environments of one episode each."""

    def __init__(self, count, settings):
        settings = dict(settings)
        placement = settings.pop("placement", "engine")
        self.envs = [lightpath.LightpathEnv(sets=SETS, placements=(placement,), **settings)
                     for _ in range(count)]
        self.seeds = [0] * count

    def reset(self, seeds):
        """What each lane sees."""
        self.seeds = list(seeds)
        rows = [env.reset(seed=seed) for env, seed in zip(self.envs, seeds)]
        return [self._seen(*row) for row in rows]

    def step(self, actions):
        """What each lane sees and gets."""
        return [self._step(lane, int(action)) for lane, action in enumerate(actions)]

    def _step(self, lane, action):
        env = self.envs[lane]
        observation, reward, terminated, truncated, info = env.step(action)
        ended = [None, None]
        if terminated or truncated:
            ended = [info["episode"]["r"], info["episode"]["l"]]
            self.seeds[lane] += len(self.envs)
            observation, info = env.reset(seed=self.seeds[lane])
        return self._seen(observation, info) + [reward, float(terminated), float(truncated)] + ended

    @staticmethod
    def _seen(observation, info):
        return [flat(observation), flat(info["action_mask"]), float(info["graph"]),
                float(info["seed"])]

    def close(self):
        """Ends all."""
        for env in self.envs:
            env.close()


def seen_by(vector, observation, info):
    """The lanes' rows of what the vector told."""
    assert flat(vector.action_masks()) == flat(info["action_mask"])
    return [[flat(observation[i]), flat(info["action_mask"][i]), float(info["graph"][i]),
             float(info["seed"][i])] for i in range(vector.num_envs)]


def step_of(vector, actions):
    """The same of a step."""
    observation, reward, terminated, truncated, info = vector.step(actions)
    rows = seen_by(vector, observation, info)
    for i, row in enumerate(rows):
        ended = [None, None]
        if "episode" in info and info["_episode"][i]:
            ended = [float(info["episode"]["r"][i]), float(info["episode"]["l"][i])]
        row += [float(reward[i]), float(terminated[i]), float(truncated[i])] + ended
    return rows


# ---- what callers hand over ----

class Lying:
    """A length, but nothing behind it; or a number that fails."""

    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length

    def __index__(self):
        raise RuntimeError("no number")

    def __repr__(self):
        raise RuntimeError("no text")


def good_list(rng, numbers):
    """Whole numbers in one of the forms that callers have."""
    forms = [list, tuple, lambda n: array.array("q", n)]
    if numpy is not None:
        kinds = ["<i8", "<u4", ">i4", "<i2", "<u8"]
        forms += [lambda n: numpy.array(n, rng.choice(kinds)),
                  lambda n: numpy.repeat(numpy.array(n, "<i8"), 2)[::2],
                  lambda n: [numpy.int64(v) for v in n],
                  lambda n: [numpy.array(v) for v in n],
                  lambda n: numpy.array(n, object)]
    return rng.choice(forms)(numbers)


def good_seed(rng, count):
    """A seed or a list of seeds, and the seeds that it stands for."""
    first = rng.choice([0, 7, rng.randrange(2 ** 20), 2 ** 53 + 1, 2 ** 63])
    if rng.random() < 0.5:
        if numpy is not None and rng.random() < 0.5:
            return numpy.uint64(first), [first + i for i in range(count)]
        return first, [first + i for i in range(count)]
    seeds = [rng.choice([first, rng.randrange(2 ** 62)]) for _ in range(count)]
    return (seeds if rng.random() < 0.5 else tuple(seeds)), seeds


def bad_number(rng, past):
    """Something that is no whole number from 0 to past - 1."""
    values = [-1, past, past + rng.randrange(10 ** 6), -past - 2, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 64,
              -2 ** 63, 10 ** 5000, 1.0, 0.5, math.nan, math.inf, -math.inf, True, False, None, "1",
              b"1", [1], (), {}, 1j, object(), Lying(1), lambda: 1]
    if past > 2 ** 31:
        values = [v for v in values if not (type(v) is int and 0 <= v < past)]
    if numpy is not None:
        values += [numpy.float64(1), numpy.float32("nan"), numpy.bool_(True), numpy.bool_(False),
                   numpy.int8(-1), numpy.array([1]), numpy.array(True), numpy.array(1.0)]
    return rng.choice(values)


def bad_list(rng, numbers, past):
    """Such numbers with a fault: too few, too many, a bad one, or another thing altogether."""
    count, kind = len(numbers), rng.randrange(4)
    if kind == 0:
        return good_list(rng, numbers[:rng.randrange(count)])
    if kind == 1:
        return good_list(rng, numbers + [rng.randrange(2) for _ in range(rng.randint(1, 9))])
    if kind == 2:
        numbers = list(numbers)
        numbers[rng.randrange(count)] = bad_number(rng, past)
        return numbers
    other = [None, 3, 1.5, "1" * count, b"\1" * count, {i: 1 for i in range(count)},
             set(range(count)), iter(numbers), (n for n in numbers), Lying(count), Lying(-1),
             [numbers], [[n] for n in numbers], object()]
    if numpy is not None:
        other += [numpy.array(numbers, float), numpy.array([math.nan] * count),
                  numpy.array(numbers, bool), numpy.array([numbers], "<i8"),
                  numpy.array([[n] for n in numbers], "<i8"), numpy.array(1),
                  numpy.array([-1] * count), numpy.array(["1"] * count),
                  numpy.array([numbers, numbers], "<u4"), numpy.full(count, 2 ** 40)]
    return rng.choice(other)


def bad_seed(rng, count):
    """No seed, and no list of seeds."""
    if rng.random() < 0.5:
        seed = None
        while seed is None or getattr(seed, "shape", None) == (count,):  # right: a list of seeds
            seed = bad_number(rng, LAST_SEED + 1)
            seed = None if isinstance(seed, list) and len(seed) == count else seed
        return seed
    seeds = None
    while seeds is None or isinstance(seeds, int):  # these are right for a seed
        seeds = bad_list(rng, [rng.randrange(100) for _ in range(count)], LAST_SEED + 1)
        if getattr(seeds, "ndim", 1) == 0:
            seeds = None
        elif getattr(getattr(seeds, "dtype", None), "kind", "") == "i" and len(seeds) == count:
            if seeds.ndim == 1 and min(seeds) >= 0:
                seeds = None
    return seeds


# ---- the properties ----

def random_faults(seed):
    """Right and wrong calls in any order: the vector is what its lanes are alone."""
    rng = random.Random(seed)
    count = rng.choice([1, 2, 3, 5])
    settings = rng.choice([{}, {"placement": "best_fit"}, {"wait": True},
                           {"wait": "deadline", "placement": "first_fit"}])
    vector = lightpath.LightpathVectorEnv(num_envs=count, processes=rng.choice([1, 2, None]),
                                          sets=SETS, **settings)
    lanes, past, faults = Lanes(count, settings), vector.single_action_space.n, 0
    refused(lambda: vector.step([0] * count), "no episode yet")
    given, seeds = good_seed(rng, count)
    expected = lanes.reset(seeds)
    assert seen_by(vector, *vector.reset(seed=given)) == expected
    for _ in range(50):
        while rng.random() < 0.5:
            faults += 1
            if rng.random() < 0.7:
                fault = bad_list(rng, [rng.randrange(past) for _ in range(count)], past)
                error = refused(lambda: vector.step(fault))
            else:
                fault = bad_seed(rng, count)
                error = refused(lambda: vector.reset(seed=fault, options={"split": "test"}))
            assert isinstance(error, (TypeError, ValueError)), error
            assert str(error) and len(str(error)) < 200, error
        if rng.random() < 0.05:
            given, seeds = good_seed(rng, count)
            assert seen_by(vector, *vector.reset(seed=given)) == lanes.reset(seeds)
        masks = vector.action_masks()
        actions = [rng.choice([a for a in range(past) if masks[i][a]]) if rng.random() < 0.8
                   else rng.randrange(past) for i in range(count)]
        assert step_of(vector, good_list(rng, actions)) == lanes.step(actions), (seed, actions)
    # a refused reset did not go over to the test's seeds
    assert faults > 5 and min(flat(vector.reset()[1]["seed"])) >= lightpath.FIRST_TRAINING_SEED
    vector.close()
    refused(lambda: vector.step([0] * count), "is closed")
    refused(lambda: vector.reset(seed=1), "is closed")
    vector.close()
    lanes.close()


def sentences():
    """What the sentences name."""
    with lightpath.LightpathVectorEnv(num_envs=5, processes=2, sets=SETS) as vector:
        vector.reset(seed=1)
        for fault, words in (([1, 1, 1, 1], ("4 actions for 5 environments",)),
                             ([1] * 6, ("6 actions for 5 environments",)),
                             ([1, 1, 1, 1, 17], ("lane 4: action 17 does not exist", "0..16")),
                             ([1, 1, 1, 1.5, 1], ("lane 3: the action is 1.5", "whole number")),
                             ([1, True, 1, 1, 1], ("lane 1: the action is True",)),
                             (7, ("actions are 7", "sequence of 5"))):
            refused(lambda: vector.step(fault), *words)
        for fault, words in ((-1, ("the seed is -1", "0..18446744073709551610")),
                             (2 ** 64 - 5, ("the seed is 18446744073709551611",)),
                             (1.5, ("the seed is 1.5", "whole number")),
                             ([1, 2], ("2 seeds for 5 environments",)),
                             ([0, 0, 2 ** 64 - 1, 0, 0], ("lane 2: the seed is",))):
            refused(lambda: vector.reset(seed=fault), *words)
        # up to the last seed, and past it: lanes go round to 0
        vector.reset(seed=LAST_SEED - 4)
        for _ in range(COUNT + 1):
            info = vector.step([1] * 5)[4]
        assert [int(s) for s in info["seed"]] == [2 ** 64 - 1, 0, 1, 2, 3]
    for name, value in (("num_envs", 0), ("num_envs", -1), ("num_envs", 2.5), ("num_envs", True),
                        ("processes", 0), ("processes", 1.5), ("num_envs", 10 ** 6)):
        refused(lambda: lightpath.LightpathVectorEnv(sets=SETS, **{name: value}), "the number of")


def single():
    """The same checks for one episode."""
    rng = random.Random(5)
    with lightpath.LightpathEnv(sets=SETS) as env, lightpath.LightpathEnv(sets=SETS) as other:
        refused(lambda: env.step(1), "no episode yet")
        past = env.action_space.n
        assert flat(env.reset(seed=3)[0]) == flat(other.reset(seed=3)[0])
        state = env.clone_state()
        for _ in range(COUNT - 1):
            for _ in range(9):
                error = refused(lambda: env.step(bad_number(rng, past)))
                assert isinstance(error, (TypeError, ValueError))
                refused(lambda: env.predict(bad_number(rng, past)))
                seed = bad_number(rng, LAST_SEED + 1)
                if seed is not None:
                    refused(lambda: env.reset(seed=seed, options={"split": "test"}))
                    refused(lambda: env.restore_state(state, future=seed), "future")
            refused(lambda: env.restore_state(rng.choice([-1, 9, 0.5, "x", None, math.nan, object])))
            refused(lambda: env.process.request("predict", action=math.nan, place="engine"))
            mine, his = env.step(4), other.step(4)
            assert flat(mine[0]) == flat(his[0]) and mine[1:4] == his[1:4]
    with lightpath.LightpathEnv(sets=SETS, wait=True, placements=("engine", "best_fit")) as env:
        env.reset(seed=1)
        last = env.action_space.n - 1
        assert env.code_of(last) == env.wait_code
        refused(lambda: env.predict(last + 1), "does not exist")


def drained():
    """An error of one process leaves no answer of another one for the next step."""
    vector = lightpath.LightpathVectorEnv(num_envs=4, processes=2, sets=SETS)
    lanes = Lanes(4, {})
    vector.reset(seed=1)
    for broken in (0, 1):
        process = vector.processes[broken]
        process._column = lambda what, kind, values, pack=process._column: pack(
            what, kind, [9999] * len(values))
        refused(lambda: vector.step([1, 2, 3, 4]), "action 9999 does not exist")
        del process._column
        refused(lambda: vector.step([1, 2, 3, 4]), "halfway", "expected a reset")
        assert seen_by(vector, *vector.reset(seed=9)) == lanes.reset([9, 10, 11, 12])
        for _ in range(COUNT + 3):
            assert step_of(vector, [4, 2, 1, 8]) == lanes.step([4, 2, 1, 8])
    lanes.close()

    def broken_off(count):
        raise KeyboardInterrupt
    vector.processes[1]._take = broken_off
    try:
        vector.step([1, 1, 1, 1])
        raise AssertionError("not broken off")
    except KeyboardInterrupt:
        pass
    del vector.processes[1]._take
    refused(lambda: vector.step([1, 1, 1, 1]), "cannot go on", "broken off")
    refused(lambda: vector.reset(seed=1), "cannot go on")
    vector.close()


def ended():
    """A program that is gone is told of, every time."""
    vector = lightpath.LightpathVectorEnv(num_envs=4, processes=2, sets=SETS)
    vector.reset(seed=1)
    vector.processes[1].process.kill()
    vector.processes[1].process.wait()
    refused(lambda: vector.step([1, 1, 1, 1]), "has ended")
    refused(lambda: vector.step([1, 1, 1, 1]), "has ended")
    refused(lambda: vector.reset(seed=1), "has ended")
    vector.close()
    with lightpath.LightpathEnv(sets=SETS) as env:
        env.reset(seed=1)
        env.process.process.kill()
        refused(lambda: env.step(1), "has ended")
        refused(lambda: env.summary(), "has ended")


def forked():
    """A child of a fork is refused, does not disturb the parent, and cannot keep it from ending."""
    vector = lightpath.LightpathVectorEnv(num_envs=3, processes=2, sets=SETS)
    env, lanes = lightpath.LightpathEnv(sets=SETS), Lanes(3, {})
    vector.reset(seed=1)
    env.reset(seed=1)
    lanes.reset([1, 2, 3])
    told, tell = os.pipe()
    go_on, go = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(go)
            for call in (lambda: vector.step([1, 1, 1]), lambda: vector.reset(seed=1),
                         lambda: env.step(1), lambda: env.reset(seed=1), env.summary,
                         env.clone_state, lambda: env.predict(1), env.details):
                refused(call, "forked off")
            os.write(tell, b"1")
            os.read(go_on, 1)  # holds the parent's pipes until then
            vector.close()
            env.close()
            refused(env.summary, "forked off")
            code = 0
        finally:
            os._exit(code)
    os.close(tell)
    assert os.read(told, 1) == b"1"
    for _ in range(COUNT + 2):
        assert step_of(vector, [1, 4, 8]) == lanes.step([1, 4, 8])
    env.step(1)
    vector.close()
    env.close()
    lanes.close()
    os.write(go, b"1")
    assert os.waitpid(child, 0)[1] == 0
    for end in (told, go_on, go):
        os.close(end)


def threads():
    """Of several threads at one environment each step is refused or played, never mixed."""
    with lightpath.LightpathVectorEnv(num_envs=1, processes=1, sets=SETS) as vector:
        vector.reset(seed=1)
        played, refusals = [], []

        def play():
            for _ in range(100):
                try:
                    played.append(flat(vector.step([1])[1]))
                except lightpath.LightpathError as error:
                    refusals.append(str(error))
        workers = [threading.Thread(target=play) for _ in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert len(played) + len(refusals) == 300
        assert all("another request" in text for text in refusals), set(refusals)
        seed = int(vector.reset(options={"split": "test"})[1]["seed"][0])
        assert seed == 101


def frames():
    """Without the classes' checks: a frame for another number of lanes is answered, not waited for."""
    process = LightpathProcess("published-32", sets=SETS)
    process.open_lanes(5)
    process.send_reset([1, 2, 3, 4, 5])
    refused(lambda: process.send_reset([1, 2, 3, 4, 5]), "another request")
    process.read()
    refused(process.read, "nothing was sent")
    refused(lambda: process.send_step([1] * 4), "4 actions for 5 lanes")
    refused(lambda: process.send_step([1] * 4 + ["x"]), "actions: ")
    refused(lambda: process.send_reset([1] * 4 + [-1]), "seeds: ")
    for lanes in (0, 1, 4, 6, 4096):
        process.lanes = lanes
        process.send_step([1] * lanes)
        refused(process.read, "a frame for %d lanes: expected 5" % lanes)
        process.send_reset([1] * lanes)
        refused(process.read, "a frame for %d lanes: expected 5" % lanes)
        process.lanes = 5
        process.send_step([1] * 5)
        assert len(process.read().reward) == 5
    process.send_step([1] * 5)
    process.close()  # also while an answer is due
    process.close()


def main(first=1, rounds=12):
    """What hangs ends with an error."""
    def too_long(*_):
        raise AssertionError("hangs")
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(240)
    for seed in range(first, first + rounds):
        random_faults(seed)
    for test in (sentences, single, drained, ended, forked, threads, frames):
        test()


main(*map(int, sys.argv[1:]))
