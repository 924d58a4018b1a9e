# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of lightpath.LightpathLibraryEnv, with or without NumPy. Run by test_lib.sh, with the library
in $LIGHTPATH_LIBRARY and the program in $LIGHTPATH."""
import array
import random
import struct
import sys
import threading

import lightpath
from lightpath.library import STAY

try:
    import numpy
except ImportError:
    numpy = None

LANES, SETS = 6, ["generator.count=25"]


def refused(kind, word, call):
    """The call must fail so."""
    try:
        call()
    except kind as error:
        assert word in str(error), error
        return
    raise AssertionError("not refused: " + word)


def bits(kind, values):
    """Numbers as bytes: NaN is itself, and 0.0 is not -0.0."""
    number = float if kind in "fd" else int
    values = [number(value) for value in values]
    return struct.pack("<%d%s" % (len(values), kind), *values)


def rows(kind, matrix):
    """The rows of a matrix as bytes."""
    return b"".join(bits(kind, row) for row in matrix)


def same_as_frames(scenario, rounds, **settings):
    """Both environments play the same actions, and show the same to the last bit."""
    rng = random.Random(5)
    library = lightpath.LightpathLibraryEnv(scenario, LANES, sets=SETS, **settings)
    program = lightpath.LightpathVectorEnv(scenario, LANES, sets=SETS, processes=1, **settings)
    assert library.single_action_space.n == program.single_action_space.n
    ends = 0
    with library, program:
        ours, here = library.reset(seed=7)
        theirs, there = program.reset(seed=7)
        for _ in range(rounds):
            assert rows("f", ours) == rows("f", theirs)
            assert rows("B", here["action_mask"]) == rows("B", there["action_mask"])
            assert bits("Q", here["seed"]) == bits("Q", there["seed"])
            assert bits("i", here["graph"]) == bits("i", there["graph"])
            actions = []
            for mask in there["action_mask"]:
                open_ = [a for a, is_open in enumerate(mask) if is_open]
                actions.append(rng.choice(open_) if open_ and rng.random() < 0.9 else
                               rng.randrange(library.single_action_space.n))
            ours, reward, terminated, truncated, here = library.step(actions)
            theirs, reward_, terminated_, truncated_, there = program.step(actions)
            assert bits("d", reward) == bits("d", reward_)
            assert list(map(bool, terminated)) == list(map(bool, terminated_))
            assert list(map(bool, truncated)) == list(map(bool, truncated_))
            assert ("episode" in here) == ("episode" in there)
            if "episode" in here:
                ends += sum(map(bool, here["_episode"]))
                for key, kind in (("r", "d"), ("l", "I"), ("blocking_rate", "d")):
                    assert bits(kind, here["episode"][key]) == bits(kind, there["episode"][key])
    assert ends >= LANES


def callers_arrays():
    """The caller's buffers are written to, and nothing is copied."""
    with lightpath.LightpathLibraryEnv("pac-ml-32", 2, sets=SETS) as env:
        shape = env.shape
    given = {"reward": array.array("d", [9, 9]), "mask": bytearray(2 * shape["actions"])}
    if numpy is not None:
        given["features"] = numpy.full((2, shape["features"]), 9, "float32")
    else:
        given["features"] = array.array("f", [9] * (2 * shape["features"]))
    with lightpath.LightpathLibraryEnv("pac-ml-32", 2, sets=SETS, arrays=given) as env:
        observation, info = env.reset(seed=3)
        assert max(memoryview(given["features"]).cast("B").cast("f")) <= 1
        assert given["mask"][0] == 1 and list(info["action_mask"][1]) == list(given["mask"][shape["actions"]:])
        again, reward, _, _, _ = env.step(array.array("I", [4, 4]))
        assert again is observation and reward is given["reward"] and list(reward) == [1, 1]
        assert env.reset_lanes([STAY, 5])[1]["seed"][1] == 5
    for wrong in (b"", bytearray(7), array.array("d", [0, 0]), 5, "text"):
        refused((TypeError, ValueError), "arrays: features",
                lambda: lightpath.LightpathLibraryEnv("pac-ml-32", 2, arrays={"features": wrong}))
    refused(ValueError, "there is no 'colour'",
            lambda: lightpath.LightpathLibraryEnv("pac-ml-32", 2, arrays={"colour": bytearray(2)}))
    if numpy is not None:
        across = numpy.zeros((shape["features"], 2), "float32").T
        refused(ValueError, "contiguous",
                lambda: lightpath.LightpathLibraryEnv("pac-ml-32", 2, arrays={"features": across}))


def wrong_calls():
    """What is wrong is refused with a sentence and changes nothing."""
    refused(lightpath.LightpathError, "expected `make lib`",
            lambda: lightpath.LightpathLibraryEnv(library="/nowhere/liblightpath.so"))
    refused(lightpath.LightpathError, "nothing.json",
            lambda: lightpath.LightpathLibraryEnv("nothing.json"))
    refused(ValueError, "gold", lambda: lightpath.LightpathLibraryEnv(reward="gold"))
    refused(ValueError, "runes", lambda: lightpath.LightpathLibraryEnv(encoding="runes"))
    refused(ValueError, "expected 1..4096", lambda: lightpath.LightpathLibraryEnv(num_envs=4097))
    env = lightpath.LightpathLibraryEnv("pac-ml-32", 3, sets=SETS)
    refused(lightpath.LightpathError, "reset first", lambda: env.step([1, 1, 1]))
    observation, _ = env.reset(seed=1)
    before = rows("f", observation)
    refused(ValueError, "2 actions for 3", lambda: env.step([1, 1]))
    refused(ValueError, "lane 2: action 17 does not exist", lambda: env.step([1, 1, 17]))
    refused(ValueError, "does not exist", lambda: env.step([-1, 1, 1]))
    refused(TypeError, "expected a", lambda: env.step([1.5, 1, 1]))
    refused(TypeError, "expected a", lambda: env.step(None))
    refused(ValueError, "expected 0..", lambda: env.reset(seed=-1))
    refused(ValueError, "2 seeds for 3", lambda: env.reset(seed=[1, 2]))
    refused(lightpath.LightpathError, "there is no command", lambda: env.ask("dance"))
    refused(lightpath.LightpathError, "chosen when", lambda: env.ask("frames", lanes=2))
    assert env.reset_lanes([STAY] * 3)[0] is observation and rows("f", observation) == before
    assert env.ask("summary")["steps"] == 0 and len(env.graphs) == 5
    env.close()
    env.close()
    refused(lightpath.LightpathError, "closed", lambda: env.step([1, 1, 1]))


def threads():
    """Two environments in two threads do not meet."""
    ends = {}

    def play(name, scenario):
        with lightpath.LightpathLibraryEnv(scenario, 4, sets=SETS) as env:
            env.reset(seed=2)
            for _ in range(40):
                observation = env.step(array.array("I", [4, 2, 8, 1]))[0]
            ends[name] = rows("f", observation)

    for scenario in ("pac-ml-32", "published-32"):
        play(scenario, scenario)
        both = [threading.Thread(target=play, args=((scenario, i), scenario)) for i in (1, 2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert ends[scenario] == ends[scenario, 1] == ends[scenario, 2]


def main():
    """All of them."""
    same_as_frames("pac-ml-32", 60)
    same_as_frames("pac-ml-32", 60, encoding="pac-ml", wait="deadline")
    same_as_frames("published-32", 60, reward="multi_objective_jct_blocking")
    same_as_frames("leaf-spine", 60)
    callers_arrays()
    wrong_calls()
    threads()
    print("ok with %s, %s NumPy" % (sys.version.split()[0], "with" if numpy else "without"))


if __name__ == "__main__":
    main()
