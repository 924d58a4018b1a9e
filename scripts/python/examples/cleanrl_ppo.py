#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PPO in one file with PyTorch, in the manner of CleanRL, with masked actions."""
import torch
from torch import nn
from random_agent import options, report
import lightpath

GAMMA, LAMBDA, CLIP, ENTROPY, ROLLOUT, EPOCHS, MINIBATCH = 0.99, 0.95, 0.2, 0.01, 64, 4, 1024


class Agent(nn.Module):
    """Two heads on two layers."""
    def __init__(self, features, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.actor, self.critic = nn.Linear(64, actions), nn.Linear(64, 1)

    def forward(self, seen, mask):
        """The distribution over open actions, and the value."""
        hidden = self.body(seen)
        mask[..., 0] |= ~mask.any(-1)  # nothing due: refuse
        scores = self.actor(hidden).masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=scores), self.critic(hidden).squeeze(-1)


def tensors(features, info):
    """Copies, for the arrays are read-only views."""
    return torch.tensor(features), torch.tensor(info["action_mask"]) > 0


def rollout(env, agent, seen, mask):
    """ROLLOUT steps of all lanes with their advantages; and where they end."""
    rows, done = [], None
    for _ in range(ROLLOUT):
        with torch.no_grad():
            choice, value = agent(seen, mask)
        action = choice.sample()
        features, reward, terminated, truncated, info = env.step(action.numpy())
        done = torch.tensor(terminated | truncated).float()
        rows.append([seen, mask, action, choice.log_prob(action), value, torch.tensor(reward).float(), done])
        seen, mask = tensors(features, info)
    with torch.no_grad():
        after, gain = agent(seen, mask)[1], 0
    for row in reversed(rows):
        gain = row[5] + GAMMA * after * (1 - row[6]) - row[4] + GAMMA * LAMBDA * (1 - row[6]) * gain
        after = row[4]
        row.append(gain)
    return [torch.cat(column) for column in zip(*rows)], seen, mask


def main():
    """Trains, then takes the best action of each."""
    parser = options(__doc__)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--envs", type=int, default=64)
    args = parser.parse_args()
    torch.manual_seed(1)
    env = lightpath.LightpathVectorEnv(args.scenario, args.envs, sets=args.set)
    agent = Agent(env.single_observation_space.shape[0], int(env.single_action_space.n))
    adam = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)
    seen, mask = tensors(*env.reset())
    for update in range(args.updates):
        (s, m, a, log_p, v, r, _, gain), seen, mask = rollout(env, agent, seen, mask)
        for part in (p for _ in range(EPOCHS) for p in torch.randperm(len(a)).split(MINIBATCH)):
            choice, value = agent(s[part], m[part])
            ratio = (choice.log_prob(a[part]) - log_p[part]).exp()
            g = (gain[part] - gain[part].mean()) / (gain[part].std() + 1e-8)
            policy = -torch.min(ratio * g, ratio.clamp(1 - CLIP, 1 + CLIP) * g).mean()
            error = (value - gain[part] - v[part]).pow(2).mean() / 2
            adam.zero_grad()
            (policy + error / 2 - ENTROPY * choice.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            adam.step()
        print("update %d: mean reward %.3f" % (update, r.mean()), flush=True)
    env.close()
    report("PPO", lambda o, mk, info: int(agent(*[t[None] for t in tensors(o, {"action_mask": mk})])[0].probs.argmax()), args)


if __name__ == "__main__":
    main()
