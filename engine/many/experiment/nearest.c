/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rule a network decides like: every rule that answers at once is asked at each decision of
 * the network's run, in a run of its own that is made to follow. */
#include <string.h>

#include "many/experiment/experiment_impl.h"
#include "session/session_impl.h"
#include "sim/world.h"

enum { RULES_MAX = 64 };

/* A rule that follows. */
typedef struct Follower {
    const char *name;
    LpSession *session;
    uint64_t equal;
} Follower;

typedef struct Chase {
    const LpBatchSpec *batch;
    LpExperiment *e;
    Follower rule[RULES_MAX];
    size_t rules;
    LpDiag *diag;
} Chase;

static LpErr open_run(Chase *c, uint32_t p, const LpVariant *agent, LpSession **out) {
    LpVariant variant = *agent;
    variant.sets = c->e->variant[p * c->e->agents].sets;
    variant.set = c->e->variant[p * c->e->agents].set;
    return lp_batch_open(c->batch, &variant, c->e->batch.seed[0], lp_inputs_files(c->batch->inputs),
                         out, c->diag);
}

/* Who acts between decisions or orders queues can neither be followed nor follow. */
static bool answers_only(const LpSession *s) {
    return !lp_policy_has_hook(s->loaded.policy, "review") &&
           !lp_policy_has_hook(s->loaded.policy, "order_queue");
}

/* Nor can rules follow that draw. */
static LpErr open_rules(Chase *c, uint32_t p) {
    size_t count;
    const LpAgent *agent = lp_agents(&count);
    for (size_t i = 0; i < count && c->rules < RULES_MAX; i++) {
        LpVariant rule;
        LpSession *s;
        if (strncmp(agent[i].name, "random", 6) == 0)
            continue;
        LP_TRY(lp_experiment_rule(&agent[i], c->e->arena, &rule, c->diag));
        LP_TRY(open_run(c, p, &rule, &s));
        if (!answers_only(s))
            lp_session_close(s);
        else
            c->rule[c->rules++] = (Follower){.name = agent[i].name, .session = s};
    }
    return LP_OK;
}

static bool alike(const LpAnswer *a, const LpAnswer *b) {
    if (a->kind != b->kind)
        return false;
    return a->kind != LP_ANSWER_RUN ||
           (a->degree == b->degree && a->servers == b->servers &&
            (a->servers == 0 || memcmp(a->server, b->server, a->servers * sizeof *a->server) == 0));
}

/* One decision: all are asked, all do what the network does. */
static LpErr follow(Chase *c, LpSession *leader) {
    LpEvent event;
    LP_TRY(lp_session_ask(leader, c->diag));
    for (size_t i = 0; i < c->rules; i++) {
        LpSession *s = c->rule[i].session;
        LP_TRY(lp_session_to_decision(s, &event, c->diag));
        if (lp_world_due(s->world) != lp_world_due(leader->world))
            return lp_fail(c->diag, LP_ESTATE, "the runs of two rules came apart");
        LP_TRY(lp_session_ask(s, c->diag));
        c->rule[i].equal += alike(&leader->pending.answer, &s->pending.answer) ? 1 : 0;
        LP_TRY(lp_session_answer(s, &leader->pending.answer, &event, c->diag));
    }
    return lp_session_step(leader, &event, c->diag);
}

static LpErr chase(Chase *c, LpSession *leader, LpNearest *out) {
    uint64_t decisions = 0;
    LpEvent event;
    for (;; decisions++) {
        LP_TRY(lp_session_to_decision(leader, &event, c->diag));
        if (lp_world_due(leader->world) == LP_NO_INDEX)
            break;
        LP_TRY(follow(c, leader));
    }
    for (size_t i = 0; i < c->rules && decisions > 0; i++) {
        double share = (double)c->rule[i].equal / (double)decisions;
        if (out->rule == NULL || share > out->share)
            *out = (LpNearest){.rule = c->rule[i].name, .share = share};
    }
    return LP_OK;
}

/* Does a network decide for it, in runs that others can follow? */
static LpErr has_network(const LpBatchSpec *batch, LpExperiment *e, uint32_t a, bool *has,
                         LpDiag *diag) {
    Chase c = {.batch = batch, .e = e, .diag = diag};
    LpSession *s;
    LP_TRY(open_run(&c, 0, &e->agent[a], &s));
    *has = s->loaded.policy != NULL && lp_policy_networks(s->loaded.policy) > 0 && answers_only(s);
    lp_session_close(s);
    return LP_OK;
}

LpErr lp_experiment_compare_rules(const LpBatchSpec *batch, LpExperiment *e, LpDiag *diag) {
    LpNearest *nearest = NULL;
    for (uint32_t a = 0; a < e->agents; a++) {
        bool has;
        LP_TRY(has_network(batch, e, a, &has, diag));
        if (!has)
            continue;
        if (nearest == NULL)
            nearest = lp_arena_alloc(e->arena, (size_t)e->points * e->agents, sizeof *nearest);
        if (nearest == NULL)
            return lp_fail_memory(diag, "the nearest rules");
        for (uint32_t p = 0; p < e->points; p++) {
            LpNearest *out = &nearest[p * e->agents + a];
            Chase c = {.batch = batch, .e = e, .diag = diag};
            LpSession *leader;
            LP_TRY(open_run(&c, p, &e->agent[a], &leader));
            LpErr err = open_rules(&c, p);
            if (err == LP_OK)
                err = chase(&c, leader, out);
            for (size_t i = 0; i < c.rules; i++)
                lp_session_close(c.rule[i].session);
            lp_session_close(leader);
            LP_TRY(err);
        }
    }
    e->nearest = nearest;
    return LP_OK;
}
