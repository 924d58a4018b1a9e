/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs that wait, by what they wait for: a list per need, the number of servers without which
 * there is nothing to ask (0: none was stated), each a heap by (key, entry). A job is on its list
 * while it may be offered at a completion; one that was preempted and has not been resumed, or has
 * a retry of its own, is not. All of it lies in the image, as indices. Private to sim/. */
#ifndef LP_SIM_QUEUE_QUEUE_H
#define LP_SIM_QUEUE_QUEUE_H

#include "sim/state/image.h"
#include "sim/store/context.h"

/* Puts a job that waits on the list of its need, or nowhere if it is not to be offered at a
 * completion; during a round that goes by these lists, aside until it ends. O(1). */
void lp_queue_list(LpImage *image, LpJob *job);
/* Takes it off, if it is on one. O(log Q) in the mean over many. */
void lp_queue_unlist(LpImage *image, LpJob *job);
/* Takes a job out of the queue: off its list and out of the chain of those that wait; its need and
 * its key are forgotten, since it is asked anew when it waits again. */
void lp_queue_leave(LpImage *image, LpJob *job);
/* The key and the need of a job are forgotten, which is in no list. */
void lp_queue_clear(LpJob *job);
/* Back to their lists, all that were put aside during a round. */
void lp_queue_put_back(LpImage *image);

/* Does `a` come before `b`: by (key, entry)? */
bool lp_queue_earlier(const LpJob *a, const LpJob *b);
/* The first of all that are on lists or aside but for `except` (LP_NO_INDEX: nobody is left out);
 * LP_NO_INDEX: none. O(needs), and where `except` is the first of its list those next to it. */
uint32_t lp_queue_first(LpImage *image, uint32_t except);
/* May a job that states this need be asked? It may if a block of that size is free, or if
 * nothing runs: then it does not get better. 0: it may. */
bool lp_queue_fits(LpImage *image, const LpContext *context, uint32_t need);

#endif
