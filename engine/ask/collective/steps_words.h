/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A collective in steps, in words: "algorithm=halving servers=16 bytes=16MiB rate=50GB/s ...". */
#ifndef LP_ASK_COLLECTIVE_STEPS_WORDS_H
#define LP_ASK_COLLECTIVE_STEPS_WORDS_H

#include "ask/collective/collective_words.h"
#include "model/collective/coll.h"

/* Reads and checks it. Errors: LP_EINVAL names the key, what stands there and what was expected. */
LpErr lp_coll_steps_read(const LpCollWords *words, LpCollSpec *out, LpDiag *diag) LP_MUST_USE;

#endif
