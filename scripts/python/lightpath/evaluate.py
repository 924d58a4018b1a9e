# SPDX-License-Identifier: GPL-3.0-or-later
"""An agent on the test seeds."""
import collections
import math

from .env import LightpathEnv
from .seeds import TEST_SEEDS

Episode = collections.namedtuple("Episode", "seed return_ steps arrived blocked unfinished lost")


def evaluate(agent, scenario="published-32", seeds=TEST_SEEDS, **settings):
    """Plays an episode of each seed with agent(observation, mask, info) -> action; a list of
    Episode. `lost` is the share of arrived jobs that were blocked or not finished. settings: those
    of LightpathEnv."""
    episodes = []
    with LightpathEnv(scenario, **settings) as env:
        for seed in seeds:
            observation, info = env.reset(seed=seed)
            over = not any(info["action_mask"])
            while not over:
                action = agent(observation, info["action_mask"], info)
                observation, _, terminated, truncated, info = env.step(action)
                over = terminated or truncated
            end = env.summary()
            lost = (end["blocked"] + end["unfinished"]) / max(1, end["arrived"])
            episodes.append(Episode(seed, end["return"], end["steps"], end["arrived"],
                                    end["blocked"], end["unfinished"], lost))
    return episodes


def mean_and_error(episodes, field="lost"):
    """Mean over episodes and its standard error."""
    values = [getattr(episode, field) for episode in episodes]
    mean = math.fsum(values) / len(values)  # sum() depends on the version of Python
    if len(values) < 2:
        return mean, math.nan
    spread = math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)
    return mean, math.sqrt(spread / len(values))
