/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When waiting was worst, in three senses. */
#ifndef LP_SIM_FACTS_WORST_H
#define LP_SIM_FACTS_WORST_H

#include "base/json_out.h"
#include "sim/facts/standing.h"

/* X(ID, "word", "meaning") */
#define LP_WORST_WORDS(X)                                                                          \
    X(REMAINING, "remaining", "the time that those who wait have still to wait is largest")        \
    X(QUEUE, "queue", "most jobs wait; of equals, those that ask for most servers")                \
    X(LONGEST, "longest", "the longest time in the queue ends")
typedef enum LpWorstWord {
#define X(id, word, meaning) LP_WORST_##id,
    LP_WORST_WORDS(X)
#undef X
        LP_WORST_WORD_COUNT
} LpWorstWord;
const char *lp_worst_word(LpWorstWord word);
const char *lp_worst_meaning(LpWorstWord word);
/* -1: no such word. */
int lp_worst_find_word(const char *word);

/* Each stands right after all that happens at its time; of equals the earliest. */
typedef struct LpWorst {
    bool any; /* somebody waited; else the rest is 0 */
    struct {
        double time, seconds; /* that those who wait then have still to wait, in all */
        uint64_t waiting;
    } remaining;
    struct {
        double time;
        uint64_t waiting, servers; /* servers: that they ask for */
    } queue;
    struct {
        double time, seconds; /* of the longest spell in the queue, which ends then */
        uint32_t job;
    } longest;
} LpWorst;

/* Of the run up to the moment of the standing. Errors: LP_ENOMEM. O(spells log spells). */
LpErr lp_worst_find(const LpStanding *standing, const LpContext *context, LpWorst *out,
                    LpDiag *diag) LP_MUST_USE;
/* The same of a world. Errors: LP_ENOMEM. */
LpErr lp_worst_of(const LpWorld *world, const LpContext *context, LpWorst *out,
                  LpDiag *diag) LP_MUST_USE;
double lp_worst_time(const LpWorst *worst, LpWorstWord word);
/* The member `worst` of a JSON object: null where nobody waited. */
void lp_worst_json(LpJsonOut *out, const LpWorst *worst);

#endif
