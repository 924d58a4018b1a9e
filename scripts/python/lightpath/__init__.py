# SPDX-License-Identifier: GPL-3.0-or-later
"""lightpath's clusters as reinforcement-learning environments.

    import lightpath
    env = lightpath.LightpathEnv("published-32")
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(4)

LightpathEnv is a gymnasium.Env, LightpathVectorEnv a gymnasium.vector.VectorEnv, where Gymnasium is
installed; elsewhere both are the same without it. docs/env.md of lightpath tells of actions,
observations, rewards and seeds.
"""
from .api import HAS_GYMNASIUM, spaces
from .checks import LightpathError, WrongType, WrongValue
from .env import LightpathEnv
from .evaluate import Episode, evaluate, mean_and_error
from .library import LightpathLibraryEnv
from .process import LightpathProcess
from .seeds import FIRST_TRAINING_SEED, TEST_SEEDS, VALIDATION_SEEDS
from .vector import LightpathVectorEnv

__all__ = ["Episode", "FIRST_TRAINING_SEED", "HAS_GYMNASIUM", "LightpathEnv", "LightpathError",
           "LightpathLibraryEnv", "LightpathProcess", "LightpathVectorEnv", "TEST_SEEDS",
           "VALIDATION_SEEDS", "WrongType", "WrongValue", "evaluate", "mean_and_error", "spaces"]
__version__ = "0.1.0"

if HAS_GYMNASIUM:
    import gymnasium
    gymnasium.register(id="Lightpath-v0", entry_point="lightpath.env:LightpathEnv",
                       vector_entry_point="lightpath.vector:LightpathVectorEnv",
                       kwargs={"scenario": "published-32"})
