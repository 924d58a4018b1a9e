/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blame: the stages of a decision that leave a job where it is, its orders and circuits. */
#include <stdio.h>
#include <string.h>

#include "ask/blame/blame_impl.h"
#include "ask/draft/choices.h"
#include "base/mem.h"
#include "session/probe.h"
#include "session/session_impl.h"
#include "sim/world.h"

typedef struct Stages {
    LpBlamer *b;
    const LpBlameBefore *from;
    LpSession *probe; /* at the decision; only asked */
    LpDraft draft;    /* what was decided */
    double step_time; /* as it was decided */
    LpStageRows rows;
} Stages;

static LpErr price(Stages *t, LpPrice *out) {
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    return lp_draft_price(t->probe, lp_draft_text(&t->draft, text), out, t->b->diag);
}

/* Finds words for what was decided: those of the policy, or the degree and the servers; *known: the
 * step is the same. A job that never started was decided by the policy. */
static LpErr find_draft(Stages *t, uint32_t id, bool *known) {
    const LpJob *job = lp_world_job(t->b->base, id);
    uint32_t step = job->placed.step, placement = job->placed.placement;
    LpPrice p;
    LP_TRY(price(t, &p));
    *known = p.possible && (step == LP_NO_INDEX || p.forecast.step == step);
    if (!*known && step != LP_NO_INDEX && placement != LP_NO_INDEX) {
        const LpPlacement *at = lp_store_placement(t->b->s->context->store, placement);
        snprintf(t->draft.word[LP_STAGE_PARTITION], LP_DRAFT_WORDS, "degree=%u",
                 (unsigned)job->placed.degree);
        if (lp_servers_words(at->server, at->servers, t->draft.word[LP_STAGE_PLACE]))
            LP_TRY(price(t, &p));
        *known = p.possible && p.forecast.step == step;
    }
    t->step_time = p.step_time;
    return LP_OK;
}

static LpErr try_stage(Stages *t, LpStage stage, LpBlame trial) {
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    LP_TRY(lp_choices_list_whole(t->probe, &t->draft, stage, &t->rows, t->b->diag));
    for (uint32_t i = 0; i < t->rows.count && !lp_blamer_enough(t->b); i++) {
        const LpStageRow *row = &t->rows.row[i];
        if (!row->price.possible || row->words[0] == '\0' ||
            !(row->price.step_time <= t->step_time * (1 - LP_BLAME_SHORTER)))
            continue;
        LpDraft other = t->draft;
        lp_str_copy(other.word[stage], LP_DRAFT_WORDS, row->words);
        trial.words = lp_draft_text(&other, text);
        trial.was_so = t->rows.row[0].label;
        trial.would_so = row->label;
        LP_TRY(lp_blamer_try(t->b, t->from, &(LpBlameChange){.words = text}, trial));
    }
    return LP_OK;
}

static LpErr try_all(Stages *t, LpBlame trial) {
    static const struct {
        LpStage stage;
        LpBlameKind kind;
    } tried[] = {{LP_STAGE_ORDER_OPS, LP_BLAME_ORDER_OPS},
                 {LP_STAGE_CIRCUITS, LP_BLAME_CIRCUITS},
                 {LP_STAGE_ORDER_FLOWS, LP_BLAME_ORDER_FLOWS}};
    bool known;
    LP_TRY(find_draft(t, trial.by, &known));
    for (size_t i = 0; known && i < LP_COUNTOF(tried); i++) {
        trial.kind = tried[i].kind;
        trial.would = trial.was;
        LP_TRY(try_stage(t, tried[i].stage, trial));
    }
    return LP_OK;
}

LpErr lp_blamer_try_stages(LpBlamer *b, const LpBlameBefore *from, LpBlame trial) {
    if (lp_blamer_enough(b) || lp_world_job(from->world, from->job)->graph < 0)
        return LP_OK;
    Stages *t = lp_alloc(1, sizeof *t);
    if (t == NULL)
        return lp_fail_memory(b->diag, "what is to blame");
    t->b = b;
    t->from = from;
    LpErr err = lp_probe_open(b->s, from->world, &t->probe, b->diag);
    if (err == LP_OK)
        err = try_all(t, trial);
    lp_probe_close(t->probe);
    lp_free(t);
    return err;
}
