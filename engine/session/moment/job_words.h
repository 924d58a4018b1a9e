/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a fork about the ops, the flows and the light of the job that is due:
 *     cubes=0-3,7                      a slice of a pod on these cubes, by its ordinals: on
 * switched wiring origin=1,2,0                     the first free box of the slice whose lowest
 * corner is there, in cubes: on static wiring ways=2:4/5:2                     op 2 in 4 parts, op
 * 5 in 2; the others as before parts=1-4:0/5-8:2/9:0,2          ops 1 to 4 on server 0, 5 to 8 on
 * server 2, op 9 in two parts, on servers 0 and 2 order_ops=srpt:4,5b.2            a rule; behind a
 * colon what goes before the others, in this order: op 4, then part 2 of op 5 on its way back
 *     order_flows=fifo:5-9,9b-5b       the same of what ops send to each other
 *     circuits=1:0,3:0                 servers 1 and 3 to aggregator 0
 *     circuits=0-1,1-0@20ms/0-2,2-0    circuits from port to port, each in one direction; matchings
 *                                      that take turns, with how long each holds
 *     phase=provisioned                every turn of light inside a step is ordered so; behind a
 *     phase=on-demand:1,4              colon the turns, from 1, that are ordered the other way
 * What is not named is as the policy answers it for the job. */
#ifndef LP_SESSION_MOMENT_JOB_WORDS_H
#define LP_SESSION_MOMENT_JOB_WORDS_H

#include "session/moment/moment.h"

/* The index of the word `key` (LpJobWord), -1: it is none of these. */
int lp_job_word_find(const char *key);
const char *lp_job_word_name(LpJobWord word);
/* Reads those that are there into the answer, and the circuits into the spec; answer, ways and
 * place of the fork are known by then. Errors: LP_EINVAL naming the word, what it has and what was
 * expected; LP_EREFUSED where the job has no such choice. */
LpErr lp_fork_read_job_words(LpSession *session, LpForkText *fork, LpDiag *diag) LP_MUST_USE;

#endif
