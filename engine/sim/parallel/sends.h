/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which devices of a plan send how much to which in one step, in the rings and all-to-alls whose
 * times make the step: docs/parallel.md, "Times". Messages between stages are not among them. */
#ifndef LP_SIM_PARALLEL_SENDS_H
#define LP_SIM_PARALLEL_SENDS_H

#include "base/mem.h"
#include "model/parallel/machine.h"
#include "model/parallel/ops.h"

/* Devices by their position in the plan, 0 .. lp_parallel_devices - 1. */
typedef struct LpPlanSend {
    uint32_t from, to;
    double bytes;
} LpPlanSend;

typedef struct LpPlanSends {
    double bytes;   /* sent by all devices, inside nodes too */
    uint32_t count; /* of those between nodes: each ordered pair once, by from, then to */
    LpPlanSend *send;
} LpPlanSends;

/* A ring over nodes goes through all cards at once, as its time has it: each device of a node sends
 * its share to one of the next node. pairs: false for `bytes` alone. The plan fits the model
 * (lp_parallel_check); the list is the arena's. Errors: LP_ENOMEM, *out unchanged. O(devices *
 * expert ways, + n log n for n sends). */
LpErr lp_plan_sends(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    bool pairs, LpArena *arena, LpPlanSends *out) LP_MUST_USE;

#endif
