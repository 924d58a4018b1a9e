/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best choice of turns: a dynamic program over the step and what is lit, from the last step to
 * the first one. */
#include <math.h>
#include <string.h>

#include "model/collective/coll_plan_impl.h"

static bool is_better(LpCollRest a, LpCollRest b, bool flat) {
    double close = LP_COLL_TIE * (a.time > b.time ? a.time : b.time);
    if (!(a.time < (double)INFINITY) || !(b.time < (double)INFINITY))
        return a.time < b.time;
    if (flat && a.exposed != b.exposed)
        return a.exposed < b.exposed;
    if (a.time < b.time - close || a.time > b.time + close)
        return a.time < b.time;
    return a.exposed != b.exposed ? a.exposed < b.exposed : a.turns < b.turns;
}

static LpCollRest later(LpCollRest rest, double time) {
    rest.time += time;
    return rest;
}

/* The best stay on a network from a step on, of equals the longest one. Where times decide, nothing
 * later can be better once even the fastest networks cannot make up for it. */
static LpCollStay find_stay(const LpCollPlan *plan, uint32_t from, uint32_t net, bool flat) {
    LpCollStay best = {.rest = {.time = (double)INFINITY}, .from = from, .until = from};
    double time = 0;
    for (uint32_t j = from; j < plan->steps; j++) {
        time += plan->gap[j] + lp_coll_cost(plan, j, net)->time;
        double least = best.rest.time * (1 + LP_COLL_TIE);
        if (!(time < (double)INFINITY) || (!flat && time + plan->floor[j + 1] > least))
            break;
        LpCollRest rest = later(plan->rest[j + 1], time);
        if (!is_better(best.rest, rest, flat)) {
            best.rest = rest;
            best.until = j + 1;
        }
    }
    return best;
}

/* The best stay as the program goes through the steps backwards: where the stay from the next step
 * on is known, this one is a step and then either that or a turn. */
static LpCollRest best_stay(const LpCollPlan *plan, uint32_t from, uint32_t net, bool flat) {
    LpCollStay *known = &plan->stay[net];
    double time = plan->gap[from] + lp_coll_cost(plan, from, net)->time;
    if (known->from != from + 1 || from + 1 == plan->steps) {
        *known = find_stay(plan, from, net, flat);
    } else if (time < (double)INFINITY) {
        bool turns = is_better(plan->rest[from + 1], known->rest, flat);
        known->rest = later(turns ? plan->rest[from + 1] : known->rest, time);
        known->from = from;
    } else {
        *known = (LpCollStay){.rest = {.time = (double)INFINITY}, .from = from, .until = from};
    }
    return known->rest;
}

static LpCollRest turned(const LpCollPlan *plan, uint32_t step, LpCollRest rest) {
    rest.time += plan->extra[step];
    rest.exposed += plan->exposed[step];
    rest.turns++;
    return rest;
}

/* Choices of a step in their order of preference, after staying: `number` counts from 0; false at
 * the end. */
static bool turn_choice(const LpCollPlan *plan, uint32_t step, uint32_t number, uint32_t *net,
                        char *letter) {
    uint32_t own = lp_coll_own(plan, step);
    const bool has[] = {own != LP_NO_INDEX, plan->base != LP_NO_INDEX && plan->base != own};
    for (uint32_t i = 0; i < 2; i++) {
        if (!has[i])
            continue;
        if (number-- == 0) {
            *net = i == 0 ? own : plan->base;
            *letter = i == 0 ? 't' : 'b';
            return true;
        }
    }
    *net = number;
    *letter = 'o'; /* own and base come up again, and win as what they were before */
    return plan->spec.any && number < plan->nets;
}

LpCollRest lp_coll_solve(const LpCollPlan *plan, bool flat) {
    plan->rest[plan->steps] = (LpCollRest){.time = plan->last};
    for (uint32_t x = 0; x < plan->nets; x++)
        plan->stay[x].from = LP_NO_INDEX;
    for (uint32_t j = plan->steps; j-- > 0;) {
        LpCollRest best = {.time = (double)INFINITY};
        uint32_t net = 0;
        char letter;
        for (uint32_t i = 0; turn_choice(plan, j, i, &net, &letter); i++) {
            LpCollRest turn = turned(plan, j, best_stay(plan, j, net, flat));
            best = is_better(turn, best, flat) ? turn : best;
        }
        plan->rest[j] = best;
    }
    if (plan->base == LP_NO_INDEX)
        return plan->rest[0];
    LpCollRest stay = find_stay(plan, 0, plan->base, flat).rest;
    return is_better(plan->rest[0], stay, flat) ? plan->rest[0] : stay;
}

double lp_coll_trace(const LpCollPlan *plan, bool flat, char *choice, uint32_t *lit) {
    double time = plan->last;
    for (uint32_t j = 0; j < plan->steps;) {
        uint32_t net = plan->base;
        char letter = 's';
        LpCollStay stay = {.until = 0};
        if (j == 0 && net != LP_NO_INDEX)
            stay = find_stay(plan, 0, net, flat);
        bool found = stay.until > 0 && !is_better(plan->rest[0], stay.rest, flat);
        for (uint32_t i = 0; !found && turn_choice(plan, j, i, &net, &letter); i++) {
            stay = find_stay(plan, j, net, flat);
            found = !is_better(plan->rest[j], turned(plan, j, stay.rest), flat);
        }
        for (; j < stay.until; j++, letter = 's') {
            time += plan->gap[j] + lp_coll_cost(plan, j, net)->time;
            if (choice != NULL)
                choice[j] = letter;
            if (lit != NULL)
                lit[j] = net;
        }
    }
    if (choice != NULL)
        choice[plan->steps] = '\0';
    return time;
}

double lp_coll_extra(const LpCollPlan *plan, uint32_t step, LpCollOrders orders, double delay) {
    double hidden = orders == LP_COLL_DEMAND ? 0 : plan->gap[step];
    return delay > hidden ? delay - hidden : 0;
}

static void set_turns(const LpCollPlan *plan, LpCollOrders orders, double delay) {
    for (uint32_t j = 0; j < plan->steps; j++) {
        plan->extra[j] = lp_coll_extra(plan, j, orders, delay);
        plan->exposed[j] = orders == LP_COLL_DEMAND || delay >= plan->gap[j] * (1 - LP_COLL_TIE);
    }
}

LpCollBest lp_coll_best(const LpCollPlan *plan, LpCollOrders orders, double delay, char *choice,
                        uint32_t *lit) {
    set_turns(plan, orders, delay);
    LpCollRest best = lp_coll_solve(plan, false);
    if (choice != NULL || lit != NULL)
        lp_coll_trace(plan, false, choice, lit);
    return (LpCollBest){.time = best.time, .turns = best.turns, .exposed = best.exposed};
}

double lp_coll_stay(const LpCollPlan *plan) {
    double time = plan->last;
    for (uint32_t j = 0; j < plan->steps; j++)
        time += plan->gap[j] + lp_coll_step_on(plan, j, plan->base);
    return time;
}

double lp_coll_every_turn(const LpCollPlan *plan, LpCollOrders orders, double delay) {
    double time = plan->last;
    uint32_t at = plan->base;
    for (uint32_t j = 0; j < plan->steps; j++) {
        uint32_t own = lp_coll_own(plan, j);
        time += plan->gap[j] + lp_coll_step_on(plan, j, own);
        time += own != at ? lp_coll_extra(plan, j, orders, delay) : 0;
        at = own;
    }
    return time;
}

LpErr lp_coll_beside(const LpCollSpec *spec, double *ring, double *direct, LpDiag *diag) {
    LpCollPlan *plan = NULL;
    LpCollSpec other = *spec;
    bool exchange = spec->op == LP_COLL_ALL_TO_ALL;
    double time = (double)NAN;
    other.algorithm = exchange ? LP_COLL_DIRECT : LP_COLL_RING;
    other.base = exchange ? spec->base : LP_COLL_BASE_RING;
    other.order = LP_COLL_NEAR;
    other.fan = 1;
    other.any = false;
    if (exchange ? spec->base != LP_COLL_BASE_NONE : spec->ports == 1 || spec->ports % 2 == 0) {
        LP_TRY(lp_coll_plan_new(&other, &plan, diag));
        time = lp_coll_stay(plan);
        lp_coll_plan_free(plan);
    }
    *ring = exchange ? (double)NAN : time;
    *direct = exchange ? time : (double)NAN;
    return LP_OK;
}
