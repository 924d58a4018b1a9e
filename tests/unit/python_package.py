# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of scripts/python, with or without NumPy and Gymnasium. Run by test_python.sh."""
import math
import random
import sys

import lightpath
from lightpath.process import PLACEMENTS, LightpathProcess

SETS = ["generator.count=40"]


def flat(values):
    """As lists of Python numbers."""
    if isinstance(values, dict):
        return [flat(values[key]) for key in sorted(values)]
    return [flat(v) for v in values] if hasattr(values, "__len__") else float(values)


def play(env, seed, draw):
    """One episode with actions that the mask allows."""
    rng, steps = random.Random(draw), []
    observation, info = env.reset(seed=seed)
    assert info["seed"] == seed
    while True:
        assert env.observation_space.contains(observation), observation
        mask = env.action_masks()
        assert len(mask) == env.action_space.n and list(mask) == list(info["action_mask"])
        action = rng.choice([a for a, is_open in enumerate(mask) if is_open])
        observation, reward, terminated, truncated, info = env.step(action)
        steps.append((flat(observation), reward, terminated, truncated, info["blocked"]))
        assert not info["masked"]
        if terminated or truncated:
            return steps, info


def refused(kind, word, call):
    """The call must fail so."""
    try:
        call()
    except kind as error:
        assert word in str(error), error
        return
    raise AssertionError("not refused: " + word)


def added(values):
    """One after another, as the engine adds: sum() of Python 3.12 rounds otherwise."""
    total = 0.0
    for value in values:
        total += value
    return total


def episodes():
    """An episode follows from its seed; its end is told."""
    with lightpath.LightpathEnv(sets=SETS) as env:
        steps, info = play(env, 7, 1)
        summary = env.summary()
        assert play(env, 8, 1)[0] != steps and play(env, 7, 1)[0] == steps
        assert len(steps) == 40 == summary["arrived"] and info["episode"]["l"] == 40
        assert info["episode"]["r"] == added(s[1] for s in steps) == summary["return"]
        assert info["episode"]["blocking_rate"] == summary["blocking_rate"]
        assert [s[2] for s in steps] == 39 * [False] + [True] and not any(s[3] for s in steps)
        assert not any(env.action_masks()) and not any(steps[-1][0])
        refused(lightpath.LightpathError, "is over", lambda: env.step(1))
    with lightpath.LightpathEnv(sets=["generator.count=1000", "horizon=3"]) as env:
        steps, _ = play(env, 7, 1)
        assert steps[-1][2:4] == (False, True)


def as_lines():
    """The same as by lines of JSON."""
    lines = LightpathProcess("published-32", sets=SETS)
    with lightpath.LightpathEnv(sets=SETS) as env:
        observation, info = env.reset(seed=3)
        answer = lines.request("reset", seed=3)
        for action in [4, 8, 16, 2, 0, 3] * 6:
            features = answer["observation"]["features"]
            assert all(abs(a - b) < 1e-6 for a, b in zip(flat(observation), features))
            assert answer["mask"] == list(info["action_mask"])
            assert answer["observation"]["graph"] == info["graph"]
            observation, reward, _, _, info = env.step(action)
            answer = lines.request("step", action=action)
            assert answer["reward"] == reward and answer["info"]["masked"] == info["masked"]
            assert answer["info"]["job"] == info["decided_job"]
    lines.close()


def seeds():
    """Training never meets the test; a seed fixes what follows."""
    with lightpath.LightpathEnv(sets=SETS) as env:
        env.reset(seed=1)
        first = [env.reset()[1]["seed"] for _ in range(5)]
        env.reset(seed=1)
        assert [env.reset()[1]["seed"] for _ in range(5)] == first and len(set(first)) == 5
        assert min(first) >= lightpath.FIRST_TRAINING_SEED > max(lightpath.TEST_SEEDS)
        test = [env.reset(options={"split": "test"})[1]["seed"]]
        test += [env.reset()[1]["seed"] for _ in range(30)]
        assert test == list(lightpath.TEST_SEEDS) + [lightpath.TEST_SEEDS[0]]
    refused(ValueError, "no split", lambda: lightpath.LightpathEnv(split="exam"))


def planning():
    """A state is gone back to; its future may be another one."""
    with lightpath.LightpathEnv(sets=SETS) as env:
        env.reset(seed=9)
        env.step(4)
        state = env.clone_state()
        rest = [flat(env.step(8)[0]) for _ in range(20)]
        seen, info = env.restore_state(state)
        assert list(info["action_mask"]) == list(env.action_masks()) and len(flat(seen)) == 34
        assert [flat(env.step(8)[0]) for _ in range(20)] == rest
        env.reset(seed=10)
        env.restore_state(state, future=5)
        other = [flat(env.step(8)[0]) for _ in range(20)]
        env.restore_state(state, future=5)
        assert [flat(env.step(8)[0]) for _ in range(20)] == other != rest
        env.restore_state(state)
        forecast = env.predict(8)
        assert forecast["feasible"] and env.details()["job"] == 1
        env.drop_state(state)
        refused(lightpath.LightpathError, "there is no state 0", lambda: env.restore_state(state))
        assert env.clone_state() == 0


def vectors():
    """Lanes are the episodes that they say, however many processes play them."""
    seen = {}
    for processes in (1, 2):
        env = lightpath.LightpathVectorEnv(num_envs=5, processes=processes, sets=SETS)
        env.reset(seed=50)
        rows, ended = [], {}
        lane_seed = [50, 51, 52, 53, 54]
        for i in range(90):
            _, reward, terminated, truncated, info = env.step([4, 8, 16, 2, 1])
            rows.append((flat(reward), flat(terminated), flat(truncated), flat(info["seed"])))
            for lane in range(5):
                if not terminated[lane] and not truncated[lane]:
                    continue
                assert info["_episode"][lane] and info["episode"]["l"][lane] == 40
                assert info["_final_obs"][lane] and not any(flat(info["final_obs"][lane]))
                ended[lane_seed[lane]] = float(info["episode"]["r"][lane])
                lane_seed[lane] += 5
                assert int(info["seed"][lane]) == lane_seed[lane]
            assert "episode" in info or i % 40 != 39
        assert len(ended) == 10
        seen[processes] = rows
        env.close()
    assert seen[1] == seen[2]
    with lightpath.LightpathEnv(sets=SETS) as env:
        for seed, total in ended.items():
            env.reset(seed=seed)
            mine = [env.step([4, 8, 16, 2, 1][(seed - 50) % 5])[1] for _ in range(40)]
            assert added(mine) == total, (seed, added(mine), total)
    env = lightpath.LightpathVectorEnv(num_envs=3, processes=1, placement="best_fit", sets=SETS)
    refused(lightpath.LightpathError, "no episode yet", lambda: env.step([0, 0, 0]))
    assert flat(env.reset(seed=[7, 7, 8])[1]["seed"]) == [7, 7, 8]
    refused(lightpath.LightpathError, "lane 1: action 17", lambda: env.step([1, 17, 1]))
    refused(ValueError, "2 seeds for 3", lambda: env.reset(seed=[1, 2]))
    env.step([4, 4, 4])
    first = flat(env.reset(options={"split": "test"})[1]["seed"])
    assert first == [101, 102, 103], first
    env.close()
    assert env.closed


def spaces():
    """Dicts, placements, and what they refuse."""
    with lightpath.LightpathEnv(observation="dict", sets=SETS,
                                placements=("engine", "best_fit")) as env:
        assert env.process.spec["placements"] == list(PLACEMENTS)
        names, mask = env.process.spec["feature_names"], env.reset(seed=3)[1]["action_mask"]
        assert names[-4:] == ["open[15 engine]", "open[15 best_fit]", "open[16 engine]",
                              "open[16 best_fit]"]
        assert len(names) == 17 + 33 == env.observation_space["features"].shape[0]
        assert flat(env.restore_state(env.clone_state())[0]["features"])[-33:] == flat(mask)
        assert env.action_space.n == 33 and len(play(env, 3, 2)[0]) == 40
        assert [env.code_of(a) for a in (0, 1, 2, 3, 32)] == [0, 1, 1 | 2 << 16, 2, 16 | 2 << 16]
        env.reset(seed=1)
        refused(lightpath.LightpathError, "does not exist", lambda: env.step(33))
        refused(TypeError, "", lambda: env.step(4.5))
    refused(ValueError, "no placement", lambda: lightpath.LightpathEnv(placements=("any",)))
    refused(ValueError, "expected features", lambda: lightpath.LightpathEnv(observation="all"))
    refused(lightpath.LightpathError, "cannot run /nowhere/lightpath",
            lambda: lightpath.LightpathEnv(program="/nowhere/lightpath"))
    env = lightpath.LightpathEnv(reward_settings={"success": 3, "fail": -2}, sets=SETS)
    assert {s[1] for s in play(env, 1, 1)[0]} == {3.0, -2.0}
    env.close()
    env.close()
    refused(lightpath.LightpathError, "closed", lambda: env.reset(seed=1))


def waiting():
    """The last action makes a job wait, which loses fewer."""
    lost = {}
    sets = ["generator.count=120", "queue_capacity=20", "options.deadline=corrected"]
    for wait in (False, True, "deadline"):
        def agent(observation, mask, info):
            assert len(observation) == (86 if wait else 82) and len(mask) == (66 if wait else 65)
            del info
            best = max(a for a in range(65) if mask[a])
            return best if best > 0 or not wait or not mask[65] else 65
        result = lightpath.evaluate(agent, scenario="pac-ml-32", seeds=[1, 2], sets=sets, wait=wait,
                                    encoding="pac-ml",
                                    placements=("engine", "first_fit", "best_fit",
                                                "least_fragmenting"))
        lost[wait] = lightpath.mean_and_error(result)[0]
        for e in result:
            assert e.return_ == e.arrived - 2 * (e.blocked + e.unfinished), e
    assert lost[True] < lost[False] and lost["deadline"] < lost[False], lost
    refused(lightpath.LightpathError, "expected",
            lambda: lightpath.LightpathEnv(wait="shuffled"))


def evaluating():
    """Lost jobs on given seeds."""
    result = lightpath.evaluate(lambda o, mask, info: 0, seeds=[1, 2], sets=SETS)
    assert [e.lost for e in result] == [1, 1] and result[0].return_ == -40
    assert lightpath.mean_and_error(result) == (1, 0)
    assert math.isnan(lightpath.mean_and_error(result[:1])[1])


def check_env():
    """Gymnasium's own."""
    from gymnasium.utils.env_checker import check_env as check
    for settings in ({}, {"observation": "dict", "placements": ("engine", "least_fragmenting")}):
        env = lightpath.LightpathEnv(sets=SETS, **settings)
        check(env, skip_render_check=True)
        env.close()


if sys.argv[1:] == ["check_env"]:
    check_env()
else:
    for test in (episodes, as_lines, seeds, planning, vectors, spaces, waiting, evaluating):
        test()
