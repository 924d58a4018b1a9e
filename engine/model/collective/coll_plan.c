/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of each algorithm. */
#include "model/collective/coll_plan.h"

#include <math.h>
#include <string.h>

#include "model/collective/coll_plan_impl.h"

/* Steps are added to a plan in the order of a reduce-scatter or an all-to-all. */
typedef struct Maker {
    LpCollPlan *plan;
    uint32_t n;
    uint32_t *scratch; /* n */
    LpDiag *diag;
} Maker;

/* ---- classes ---- */

static bool same_class(const LpCollClass *a, const LpCollClass *b, uint32_t n) {
    if (a->pairs != b->pairs || a->ways != b->ways || a->parts != b->parts || a->sent < b->sent ||
        a->sent > b->sent)
        return false;
    return a->pairs ? memcmp(a->partner, b->partner, n * sizeof *a->partner) == 0
                    : memcmp(a->offset, b->offset, a->ways * sizeof *a->offset) == 0;
}

/* Appends a step; lists of `it` are the maker's scratch and are copied. */
static LpErr add_step(Maker *m, LpCollClass it, double added) {
    LpCollPlan *plan = m->plan;
    uint32_t index = 0;
    while (index < plan->classes && !same_class(&plan->class[index], &it, m -> n))
        index++;
    if (index == plan->classes) {
        uint32_t count = it.pairs ? m->n : it.ways;
        uint32_t *list = lp_arena_raw(plan->arena, count, sizeof *list);
        if (list == NULL)
            return lp_fail_memory(m->diag, "the steps of a collective");
        memcpy(list, m->scratch, count * sizeof *list);
        it.own = LP_NO_INDEX;
        it.joined = false;
        it.offset = it.pairs ? NULL : list;
        it.partner = it.pairs ? list : NULL;
        plan->class[plan->classes++] = it;
    }
    plan->step[plan->steps] = index;
    plan->added[plan->steps++] = added;
    return LP_OK;
}

static void sort(uint32_t *item, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && item[j - 1] > item[j]; j--) {
            uint32_t other = item[j];
            item[j] = item[j - 1];
            item[j - 1] = other;
        }
}

/* A step whose ways are the first `ways` offsets of the scratch. */
static LpErr add_shifts(Maker *m, uint32_t ways, double sent, uint32_t parts, double added) {
    sort(m->scratch, ways);
    LpCollClass it = {.ways = ways, .offset = m->scratch, .sent = sent, .parts = parts};
    return add_step(m, it, added);
}

/* A step whose partners are in the scratch. Two servers meet by an offset. */
static LpErr add_pairs(Maker *m, double sent, double added) {
    if (m->n == 2) {
        m->scratch[0] = 1;
        return add_shifts(m, 1, sent, 1, added);
    }
    LpCollClass it = {.pairs = true, .ways = 1, .partner = m->scratch, .sent = sent, .parts = 1};
    return add_step(m, it, added);
}

static LpErr add_one_shift(Maker *m, uint32_t offset, double sent, double added) {
    m->scratch[0] = offset;
    return add_shifts(m, 1, sent, 1, added);
}

/* ---- reduce-scatter ---- */

/* The least k with 2^k >= n. */
static uint32_t log_up(uint32_t n) {
    uint32_t k = 0;
    while (1u << k < n)
        k++;
    return k;
}

static LpErr add_ring(Maker *m) {
    const LpCollSpec *spec = &m->plan->spec;
    double part = spec->bytes / m->n;
    for (uint32_t i = 0; i + 1 < m->n; i++) {
        if (spec->ports % 2 != 0) {
            LP_TRY(add_one_shift(m, 1, part, part));
            continue;
        }
        m->scratch[0] = 1;
        m->scratch[1] = m->n - 1;
        LP_TRY(add_shifts(m, 2, part / 2, 2, part));
    }
    return LP_OK;
}

/* Partners of step i of k in an order. */
static void fill_partners(Maker *m, uint32_t i, uint32_t k) {
    LpCollOrder order = m->plan->spec.order;
    uint32_t bit = order == LP_COLL_FAR ? k - 1 - i : i;
    int64_t apart = 0, n = m->n;
    for (uint32_t j = 0; j <= i; j++) /* 1, -1, 3, -5, 11 */
        apart = 1 - 2 * apart;
    for (uint32_t r = 0; r < m->n; r++)
        m->scratch[r] = order != LP_COLL_SWING
                            ? r ^ 1u << bit
                            : (uint32_t)((((r % 2 == 0 ? r + apart : r - apart) % n) + n) % n);
}

static LpErr add_partners(Maker *m, bool halving) {
    uint32_t k = log_up(m->n);
    double sent = m->plan->spec.bytes;
    for (uint32_t i = 0; i < k; i++) {
        sent = halving ? sent / 2 : sent;
        fill_partners(m, i, k);
        LP_TRY(add_pairs(m, sent, sent));
    }
    return LP_OK;
}

static LpErr add_bruck_sum(Maker *m) {
    double part = m->plan->spec.bytes / m->n;
    for (uint32_t k = log_up(m->n); k-- > 0;) {
        uint32_t apart = 1u << k, rest = m->n - apart;
        double sent = (apart < rest ? apart : rest) * part;
        LP_TRY(add_one_shift(m, apart, sent, sent));
    }
    return LP_OK;
}

/* ---- all-to-all ---- */

static LpErr add_bruck(Maker *m) {
    const LpCollSpec *spec = &m->plan->spec;
    uint32_t length = log_up(m->n);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t k = spec->order == LP_COLL_FAR ? length - 1 - i : i, count = 0;
        for (uint32_t j = 1; j < m->n; j++)
            count += j >> k & 1;
        LP_TRY(add_one_shift(m, 1u << k, spec->bytes * count, 0));
    }
    return LP_OK;
}

/* For each digit, of how many offsets it is 1 where they are written in digits -1, 0, 1. */
enum { DIGITS = 8 };
static void count_digits(uint32_t n, uint32_t length, double weight[DIGITS]) {
    for (uint32_t half = 2; half < 2 * n; half++) { /* each offset twice, as its two halves */
        int64_t offset = half / 2;
        bool down = 2 * offset > n || (2 * offset == n && half % 2 != 0);
        offset = down ? offset - n : offset;
        for (uint32_t k = 0; k < length; k++) {
            int64_t digit = ((offset + 1) % 3 + 3) % 3 - 1;
            weight[k] += digit == 1 ? 0.5 : 0;
            offset = (offset - digit) / 3;
        }
    }
}

static LpErr add_ternary(Maker *m) {
    const LpCollSpec *spec = &m->plan->spec;
    uint32_t length = 1, power[DIGITS] = {1};
    double weight[DIGITS] = {0};
    while (power[length - 1] * 3 < m->n) {
        power[length] = power[length - 1] * 3;
        length++;
    }
    count_digits(m->n, length, weight);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t k = spec->order == LP_COLL_FAR ? length - 1 - i : i;
        m->scratch[0] = power[k];
        m->scratch[1] = m->n - power[k];
        LP_TRY(add_shifts(m, 2, spec->bytes * weight[k], 2, 0));
    }
    return LP_OK;
}

static LpErr add_direct(Maker *m) {
    for (uint32_t k = 1; k < m->n; k++)
        m->scratch[k - 1] = k;
    return add_shifts(m, m->n - 1, m->plan->spec.bytes, m->n - 1, 0);
}

static LpErr add_rotations(Maker *m) {
    const LpCollSpec *spec = &m->plan->spec;
    uint32_t ways = 0;
    for (uint32_t i = 1; i < m->n; i++) { /* offsets 1, n-1, 2, n-2 and so on */
        uint32_t near = (i + 1) / 2;
        m->scratch[ways++] = i % 2 != 0 ? near : m->n - near;
        if (ways < spec->fan && i + 1 < m->n)
            continue;
        LP_TRY(add_shifts(m, ways, spec->bytes, spec->fan, 0));
        ways = 0;
    }
    return LP_OK;
}

/* Round r of pairs whose sum is 2r modulo an odd number; an odd one out rests, or meets the last.
 */
static void fill_round(Maker *m, uint32_t r) {
    uint32_t odd = m->n % 2 != 0 ? m->n : m->n - 1;
    for (uint32_t i = 0; i < odd; i++)
        m->scratch[i] = (2 * r + odd - i) % odd;
    m->scratch[r] = odd < m->n ? odd : LP_NO_INDEX;
    if (odd < m->n)
        m->scratch[odd] = r;
}

static LpErr add_matchings(Maker *m) {
    bool power = (m->n & (m->n - 1)) == 0;
    uint32_t rounds = m->n % 2 != 0 ? m->n : m->n - 1;
    for (uint32_t r = 0; r < rounds; r++) {
        for (uint32_t i = 0; power && i < m->n; i++)
            m->scratch[i] = i ^ (r + 1);
        if (!power)
            fill_round(m, r);
        LP_TRY(add_pairs(m, m->plan->spec.bytes, 0));
    }
    return LP_OK;
}

/* ---- the whole ---- */

static LpErr add_forward(Maker *m) {
    switch (m->plan->spec.algorithm) {
    case LP_COLL_RING:
        return add_ring(m);
    case LP_COLL_HALVING:
        return add_partners(m, true);
    case LP_COLL_DOUBLING:
        return add_partners(m, false);
    case LP_COLL_BRUCK:
        return m->plan->spec.op == LP_COLL_ALL_TO_ALL ? add_bruck(m) : add_bruck_sum(m);
    case LP_COLL_TERNARY:
        return add_ternary(m);
    case LP_COLL_DIRECT:
        return add_direct(m);
    case LP_COLL_ROTATIONS:
        return add_rotations(m);
    default:
        return add_matchings(m);
    }
}

/* Adds a step backwards in time: every way turned round. Who exchanges in pairs goes on so. */
static LpErr add_backward(Maker *m, uint32_t step) {
    LpCollClass it = m->plan->class[m->plan->step[step]];
    if (it.pairs) {
        memcpy(m->scratch, it.partner, m->n * sizeof *m->scratch);
        return add_step(m, it, 0);
    }
    for (uint32_t way = 0; way < it.ways; way++)
        m->scratch[way] = m->n - it.offset[way];
    return add_shifts(m, it.ways, it.sent, it.parts, 0);
}

static LpErr add_steps(Maker *m) {
    LpCollPlan *plan = m->plan;
    LpCollOp op = plan->spec.op;
    bool gathers = op == LP_COLL_ALL_GATHER ||
                   (op == LP_COLL_ALL_REDUCE && plan->spec.algorithm != LP_COLL_DOUBLING);
    LP_TRY(add_forward(m));
    uint32_t count = plan->steps;
    for (uint32_t i = count; gathers && i-- > 0;)
        LP_TRY(add_backward(m, i));
    if (op == LP_COLL_ALL_GATHER) {
        plan->steps = count;
        memcpy(plan->step, plan->step + count, count * sizeof *plan->step);
        memset(plan->added, 0, count * sizeof *plan->added);
    }
    return LP_OK;
}

static void set_gaps(LpCollPlan *plan) {
    double adds = plan->spec.adds;
    for (uint32_t j = 0; j < plan->steps; j++)
        plan->gap[j] = plan->spec.start + (j > 0 && adds > 0 ? plan->added[j - 1] / adds : 0);
    plan->last = adds > 0 ? plan->added[plan->steps - 1] / adds : 0;
}

/* What no choice is faster than, whatever is lit and however fast light turns. */
static void set_floor(LpCollPlan *plan) {
    plan->floor[plan->steps] = plan->last;
    for (uint32_t j = plan->steps; j-- > 0;) {
        const LpCollCost *cost = lp_coll_cost(plan, j, 0);
        double least = cost[0].time;
        for (uint32_t x = 1; x < plan->nets; x++)
            least = cost[x].time < least ? cost[x].time : least;
        plan->floor[j] = plan->floor[j + 1] + plan->gap[j] + least;
    }
}

static LpErr make(LpCollPlan *plan, LpDiag *diag) {
    uint32_t n = plan->spec.servers, room = 2 * n;
    Maker m = {.plan = plan, .n = n, .diag = diag};
    plan->step = lp_arena_alloc(plan->arena, room, sizeof *plan->step);
    plan->added = lp_arena_alloc(plan->arena, room, sizeof *plan->added);
    plan->gap = lp_arena_alloc(plan->arena, room, sizeof *plan->gap);
    plan->extra = lp_arena_alloc(plan->arena, room, sizeof *plan->extra);
    plan->exposed = lp_arena_alloc(plan->arena, room, sizeof *plan->exposed);
    plan->floor = lp_arena_alloc(plan->arena, room + 1, sizeof *plan->floor);
    plan->rest = lp_arena_alloc(plan->arena, room + 1, sizeof *plan->rest);
    plan->class = lp_arena_alloc(plan->arena, room, sizeof *plan->class);
    m.scratch = lp_arena_alloc(plan->arena, n, sizeof *m.scratch);
    if (plan->step == NULL || plan->added == NULL || plan->gap == NULL || plan->extra == NULL ||
        plan->exposed == NULL || plan->floor == NULL || plan->rest == NULL || plan->class == NULL ||
        m.scratch == NULL)
        return lp_fail_memory(diag, "the steps of a collective");
    LP_TRY(add_steps(&m));
    set_gaps(plan);
    LP_TRY(lp_coll_nets_make(plan, diag));
    LP_TRY(lp_coll_cost_make(plan, diag));
    set_floor(plan);
    return LP_OK;
}

LpErr lp_coll_plan_new(const LpCollSpec *spec, LpCollPlan **out, LpDiag *diag) {
    LpCollPlan *plan = lp_alloc(1, sizeof *plan);
    if (plan == NULL)
        return lp_fail_memory(diag, "a collective");
    plan->spec = *spec;
    plan->arena = lp_arena_new(0);
    LpErr err = plan->arena != NULL ? make(plan, diag) : lp_fail_memory(diag, "a collective");
    if (err != LP_OK) {
        lp_coll_plan_free(plan);
        return err;
    }
    *out = plan;
    return LP_OK;
}

LpErr lp_coll_plan_make(const LpCollSpec *spec, LpCollPlan **out, LpDiag *diag) {
    LP_TRY(lp_coll_check(spec, diag));
    return lp_coll_plan_new(spec, out, diag);
}

void lp_coll_plan_free(LpCollPlan *plan) {
    if (plan == NULL)
        return;
    lp_arena_free(plan->arena);
    lp_free(plan);
}

/* ---- what it is ---- */

const char *lp_coll_orders_name(LpCollOrders orders) {
    return orders == LP_COLL_DEMAND ? "on-demand" : "provisioned";
}

uint32_t lp_coll_steps_count(const LpCollPlan *plan) {
    return plan->steps;
}

bool lp_coll_has_gaps(const LpCollPlan *plan) {
    for (uint32_t j = 0; j < plan->steps; j++)
        if (plan->gap[j] > 0)
            return true;
    return false;
}

uint32_t lp_coll_own(const LpCollPlan *plan, uint32_t step) {
    return plan->class[plan->step[step]].own;
}

double lp_coll_step_on(const LpCollPlan *plan, uint32_t step, uint32_t net) {
    double time = net != LP_NO_INDEX ? lp_coll_cost(plan, step, net)->time : (double)INFINITY;
    return time < (double)INFINITY ? time : (double)NAN;
}

LpCollStep lp_coll_step(const LpCollPlan *plan, uint32_t step) {
    const LpCollClass *class = &plan->class[plan->step[step]];
    LpCollStep it = {.bytes = class->sent * class->ways,
                     .gap = plan->gap[step],
                     .stay = lp_coll_step_on(plan, step, plan->base),
                     .load = (double)NAN,
                     .turned = lp_coll_step_on(plan, step, class->own),
                     .turned_load = (double)NAN,
                     .ways = class->ways};
    if (it.stay >= 0) {
        it.load = lp_coll_cost(plan, step, plan->base)->load;
        it.hops = lp_coll_cost(plan, step, plan->base)->hops;
    }
    if (it.turned >= 0)
        it.turned_load = lp_coll_cost(plan, step, class->own)->load;
    return it;
}

uint32_t lp_coll_partner(const LpCollPlan *plan, uint32_t step, uint32_t way, uint32_t server) {
    const LpCollClass *class = &plan->class[plan->step[step]];
    return class->pairs ? class->partner[server]
                        : (server + class->offset[way]) % plan->spec.servers;
}
