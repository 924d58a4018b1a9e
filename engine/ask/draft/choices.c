/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a stage, and those of the two orders. */
#include "ask/draft/choices_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "session/session_impl.h"
#include "sim/world.h"

/* ---- the two orders ---- */

static const char *const order_notes[LP_ORDER_COUNT] = {
    [LP_ORDER_SRPT] = "shortest first",
    [LP_ORDER_CRITICAL_PATH] = "what most depends on",
    [LP_ORDER_FIFO] = "in order of the graph",
    [LP_ORDER_LONGEST] = "longest first",
};

/* Is the job cut into ops that can be ordered? Else says why not. */
static bool has_ops(LpChoosing *c) {
    const LpJob *job = lp_world_job(c->session->world, c->job);
    if (job->graph < 0)
        lp_choose_nothing(c, "no ops: a rigid job is a number of servers and a time");
    else if (lp_context_planned(c->session->context, job->graph))
        lp_choose_nothing(c, c->stage == LP_STAGE_ORDER_OPS
                                 ? "a plan has its own order of micro-batches"
                                 : "a plan has its own order of what it sends");
    else if (c->session->scenario->graph[job->graph]->trace != NULL)
        lp_choose_nothing(c, "a recorded step has the order that was recorded");
    return c->out->none[0] == '\0';
}

static LpErr choose_orders(LpChoosing *c) {
    bool flows = c->stage == LP_STAGE_ORDER_FLOWS;
    const LpOrders *own = &c->base.forecast.orders;
    uint32_t order = flows ? own->flows : own->ops;
    bool list = order >= LP_ORDER_COUNT;
    if (!has_ops(c))
        return LP_OK;
    if (!c->base.possible) {
        lp_choose_nothing(c, c->base.why);
        return LP_OK;
    }
    LpOrder rule = lp_store_rule(c->session->context->store, order);
    LP_TRY(lp_choose(c, list ? "its own list" : lp_order_name(rule),
                     list ? "as the policy says" : order_notes[rule], ""));
    for (int i = 0; i < LP_ORDER_COUNT; i++) {
        char words[LP_DRAFT_WORDS];
        if (!list && i == (int)rule)
            continue;
        snprintf(words, sizeof words, "%s=%s", flows ? "order_flows" : "order_ops",
                 lp_order_name((LpOrder)i));
        LP_TRY(lp_choose(c, lp_order_name((LpOrder)i), order_notes[i], words));
    }
    c->out->by_hand = true;
    return c->moves ? lp_choose_moves(c) : LP_OK;
}

static LpErr (*const lists[LP_STAGE_COUNT])(LpChoosing *c) = {
    [LP_STAGE_PLACE] = lp_choose_places,
    [LP_STAGE_ORDER_OPS] = choose_orders,
    [LP_STAGE_CIRCUITS] = lp_choose_circuits,
    [LP_STAGE_ORDER_FLOWS] = choose_orders,
};

static LpErr list_rows(LpSession *s, const LpDraft *draft, LpStage stage, bool moves,
                       LpStageRows *out, LpDiag *diag) {
    LpDraft bare = *draft;
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    LpChoosing c = {
        .session = s, .draft = draft, .stage = stage, .moves = moves, .out = out, .diag = diag};
    c.job = lp_world_due(s->world);
    out->count = 0;
    out->none[0] = '\0';
    out->by_hand = false;
    if (c.job == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due");
    bare.word[stage][0] = '\0';
    LP_TRY(lp_draft_price(s, lp_draft_text(&bare, text), &c.base, diag));
    return lists[stage] != NULL ? lists[stage](&c) : LP_OK;
}

LpErr lp_choices_list(LpSession *s, const LpDraft *draft, LpStage stage, LpStageRows *out,
                      LpDiag *diag) {
    return list_rows(s, draft, stage, true, out, diag);
}

LpErr lp_choices_list_whole(LpSession *s, const LpDraft *draft, LpStage stage, LpStageRows *out,
                            LpDiag *diag) {
    return list_rows(s, draft, stage, false, out, diag);
}
