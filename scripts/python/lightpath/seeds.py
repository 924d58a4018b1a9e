# SPDX-License-Identifier: GPL-3.0-or-later
"""Which episodes are for what. An episode follows from scenario and seed alone, so results compare
only if nobody learns from the episodes that everybody is judged by."""
import random

TEST_SEEDS = tuple(range(101, 131))  # `lightpath env --leaderboard` takes these
VALIDATION_SEEDS = tuple(range(9001, 9031))  # for choosing between one's own agents
FIRST_TRAINING_SEED = 1 << 20
LAST_TRAINING_SEED = (1 << 53) - 1


class SeedStream:
    """The seeds of resets that name none: for training, drawn from FIRST_TRAINING_SEED on; for a
    test, its seeds in order, again and again."""

    def __init__(self, split):
        fixed = {"train": None, "test": TEST_SEEDS, "validation": VALIDATION_SEEDS}
        if split not in fixed:
            raise ValueError("there is no split %r: expected train, validation or test" % (split,))
        self.fixed, self.at = fixed[split], 0
        self.random = random.Random(0)

    def begin(self, seed):
        """What follows is as after any other such call."""
        self.random = random.Random(seed)
        self.at = 0

    def next(self):
        """The next seed."""
        if self.fixed is None:
            return self.random.randint(FIRST_TRAINING_SEED, LAST_TRAINING_SEED)
        seed = self.fixed[self.at % len(self.fixed)]
        self.at += 1
        return seed
