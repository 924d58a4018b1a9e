/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model, a plan and constants of a device as people write them on a command line: words
 * KEY=VALUE, joined by blanks or commas. */
#ifndef LP_SESSION_WORDS_READ_PLAN_H
#define LP_SESSION_WORDS_READ_PLAN_H

#include "model/parallel/decoder.h"
#include "model/parallel/machine.h"
#include "sim/parallel/rails.h"

/* "hidden=12288 heads=96 layers=96 ff=49152 sequence=2048 vocabulary=51200 tied=true", and the keys
 * of docs/parallel.md, "Other transformers". Needed are hidden, heads and layers; the others are 4
 * hidden, 2048, 51200 and true, false or 0. With a base the text (NULL: empty) is what differs from
 * it. */
LpErr lp_read_decoder(const char *text, const LpDecoder *base, LpDecoder *out,
                      LpDiag *diag) LP_MUST_USE;
/* "tensor=8 pipeline=8 data=1 expert=1 chunks=3 micro_batch=1 batch=64 recompute=selective
 * sequence=true wait=true". Needed is batch; numbers are 1, recompute none, sequence false, wait
 * true. */
LpErr lp_read_parallel(const char *text, LpParallel *out, LpDiag *diag) LP_MUST_USE;
/* A part of that, from *plan on: what `text` names is changed, nothing is needed. `option` begins
 * messages. */
LpErr lp_read_parallel_change(const char *option, const char *text, LpParallel *plan,
                              LpDiag *diag) LP_MUST_USE;
/* The key of a plan, number i of LP_PARALLEL_NUMBERS. */
const char *lp_parallel_key(size_t i);
/* "delay=50ms provisioned=true ports=2 serial=true", and rate, reduce, parts, overlap, both_ways,
 * notice, order_cost. Needed is delay, a time or the name of a preset; the others are on demand,
 * one port, not serial, the network's rate, bucket, as many parts as layers, none, false and 0. */
LpErr lp_read_rails(const char *text, LpRails *out, LpDiag *diag) LP_MUST_USE;
/* "node=4 network_rate=50GB/s": what differs from *machine. */
LpErr lp_read_machine(const char *text, LpMachine *machine, LpDiag *diag) LP_MUST_USE;

/* Errors: LP_EINVAL for an unknown key (with the nearest), one that is given twice or is missing,
 * or a value that is none of its kind. Outputs unchanged then. */

#endif
