/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of a plan: the base, and of each step the one that joins its partners. */
#include <string.h>

#include "model/collective/coll_plan_impl.h"

static bool same_net(const LpCollNet *a, const LpCollNet *b, uint32_t n) {
    if (a->pairs != b->pairs || a->links != b->links || a->sides != b->sides)
        return false;
    if (memcmp(a->ports, b->ports, a->links * sizeof *a->ports) != 0)
        return false;
    return a->pairs ? memcmp(a->partner, b->partner, n * sizeof *a->partner) == 0
                    : memcmp(a->offset, b->offset, a->links * sizeof *a->offset) == 0;
}

static uint32_t add_net(LpCollPlan *plan, LpCollNet net, uint32_t step) {
    for (uint32_t i = 0; i < plan->nets; i++)
        if (same_net(&plan->net[i], &net, plan->spec.servers)) {
            if (step < plan->net[i].first)
                plan->net[i].first = step;
            return i;
        }
    net.first = step;
    plan->net[plan->nets] = net;
    return plan->nets++;
}

/* Links to the offsets of a list, which ascends, with `ports` for each; what stands twice adds up.
 */
static LpErr join_offsets(LpCollPlan *plan, const uint32_t *list, uint32_t count, uint32_t ports,
                          LpCollNet *out, LpDiag *diag) {
    uint32_t *offset = lp_arena_alloc(plan->arena, count, sizeof *offset);
    uint32_t *of_link = lp_arena_alloc(plan->arena, count, sizeof *of_link), links = 0;
    if (offset == NULL || of_link == NULL)
        return lp_fail_memory(diag, "the circuits of a step");
    for (uint32_t i = 0; i < count; i++) {
        if (links == 0 || offset[links - 1] != list[i])
            offset[links++] = list[i];
        of_link[links - 1] += ports;
    }
    *out = (LpCollNet){.links = links, .offset = offset, .ports = of_link};
    return LP_OK;
}

static LpErr make_base(LpCollPlan *plan, LpDiag *diag) {
    const LpCollSpec *spec = &plan->spec;
    uint32_t n = spec->servers, a = spec->side[0], b = spec->side[1];
    uint32_t ring[] = {1, n - 1};
    uint32_t torus[] = {1, b - 1, b, (a - 1) * b}; /* of server x b + y; ascending */
    LpCollNet net;
    plan->base = LP_NO_INDEX;
    if (spec->base == LP_COLL_BASE_NONE)
        return LP_OK;
    if (spec->base == LP_COLL_BASE_TORUS)
        LP_TRY(join_offsets(plan, torus, 4, spec->ports / 4, &net, diag));
    else if (spec->ports == 1)
        LP_TRY(join_offsets(plan, ring, 1, 1, &net, diag));
    else
        LP_TRY(join_offsets(plan, ring, 2, spec->ports / 2, &net, diag));
    net.sides = spec->base == LP_COLL_BASE_TORUS ? b : 0;
    plan->base = add_net(plan, net, 0);
    return LP_OK;
}

static LpErr make_own(LpCollPlan *plan, LpCollClass *class, uint32_t step, LpDiag *diag) {
    if (plan->spec.ports % class->parts != 0)
        return LP_OK;
    uint32_t ports = plan->spec.ports / class->parts;
    LpCollNet net;
    if (!class->pairs) {
        LP_TRY(join_offsets(plan, class->offset, class->ways, ports, &net, diag));
    } else {
        uint32_t *one = lp_arena_alloc(plan->arena, 1, sizeof *one);
        if (one == NULL)
            return lp_fail_memory(diag, "the circuits of a step");
        *one = ports;
        net = (LpCollNet){.pairs = true, .partner = class->partner, .links = 1, .ports = one};
    }
    class->own = add_net(plan, net, step);
    return LP_OK;
}

LpErr lp_coll_nets_make(LpCollPlan *plan, LpDiag *diag) {
    plan->net = lp_arena_alloc(plan->arena, (size_t)plan->classes + 1, sizeof *plan->net);
    plan->stay = lp_arena_alloc(plan->arena, (size_t)plan->classes + 1, sizeof *plan->stay);
    if (plan->net == NULL || plan->stay == NULL)
        return lp_fail_memory(diag, "the circuits of a collective");
    LP_TRY(make_base(plan, diag));
    for (uint32_t j = 0; j < plan->steps; j++) {
        LpCollClass *class = &plan->class[plan->step[j]];
        if (!class->joined)
            LP_TRY(make_own(plan, class, j, diag));
        class->joined = true;
    }
    return LP_OK;
}
