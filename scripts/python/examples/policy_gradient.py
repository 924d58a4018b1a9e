#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A masked policy gradient with NumPy alone: scores are linear in the features, closed actions get
none, returns are discounted and compared with their mean over the episodes side by side."""
import numpy as np
from random_agent import options, report
import lightpath


def probabilities(weights, features, mask):
    """A softmax over the open actions; where none is open, the first."""
    scores = np.where(mask > 0, features @ weights, -np.inf)
    scores[~(mask > 0).any(axis=1), 0] = 0
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return scores / scores.sum(axis=1, keepdims=True)


def with_one(features):
    """A last feature that is always 1."""
    return np.append(features, np.ones(features.shape[:-1] + (1,)), axis=-1)


def main():
    """Trains on seeds that the test does not have, then takes the best action of each."""
    parser = options(__doc__)
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--rollout", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.5)
    args = parser.parse_args()
    env = lightpath.LightpathVectorEnv(args.scenario, args.envs, sets=args.set)
    weights = np.zeros((env.single_observation_space.shape[0] + 1, env.single_action_space.n))
    rng = np.random.default_rng(1)
    features, info = env.reset()
    for update in range(args.updates):
        steps, mean = [], 0
        for _ in range(args.rollout):
            seen = with_one(features)
            chance = probabilities(weights, seen, info["action_mask"])
            action = (chance.cumsum(axis=1) > rng.random((args.envs, 1))).argmax(axis=1)
            features, reward, terminated, truncated, info = env.step(action)
            steps.append((seen, chance, action, reward, terminated | truncated))
            mean += reward.mean() / args.rollout
        future, gradient = np.zeros(args.envs), np.zeros_like(weights)
        for seen, chance, action, reward, done in reversed(steps):
            future = reward - mean + 0.97 * np.where(done, 0, future)
            better = (future - future.mean()) / (future.std() + 1e-8)
            gradient += seen.T @ ((np.eye(chance.shape[1])[action] - chance) * better[:, None])
        weights += args.rate * gradient / (args.envs * args.rollout)
        if update % 20 == 0:
            print("update %d: mean reward %.3f" % (update, mean), flush=True)
    env.close()
    report("policy gradient", lambda o, mask, info: int(probabilities(
        weights, with_one(o)[None], mask[None])[0].argmax()), args)


if __name__ == "__main__":
    main()
