/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the step that is looked at, and the order of its rows. */
#include "moment/parts/step_parts.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/split/split.h"
#include "sim/light/circuits.h"

void lp_step_model_fini(LpStepModel *model) {
    lp_step_inspection_fini(&model->seen);
    lp_free(model->shown);
    *model = (LpStepModel){0};
}

/* Each stage with its light below it. */
static void arrange_light(LpStepModel *m, LpStepRows rows) {
    for (uint32_t i = 0; i < m->seen.servers; i++) {
        if (rows != LP_STEP_ROWS_PAIRS)
            m->shown[m->shown_count++] = i;
        if (rows != LP_STEP_ROWS_SERVERS)
            m->shown[m->shown_count++] = m->seen.servers + i;
    }
}

/* Pairs with much to send first. */
static void sort_pairs(const LpStepInspection *seen, uint32_t *row, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = row[i], at = i;
        for (; at > 0 && seen->row[row[at - 1]].busy < seen->row[moved].busy; at--)
            row[at] = row[at - 1];
        row[at] = moved;
    }
}

static LpErr arrange(LpStepModel *m, LpStepRows rows, LpDiag *diag) {
    const LpStepInspection *seen = &m->seen;
    size_t room = seen->rows + seen->critical;
    uint32_t first = m->shown_count = 0;
    if (lp_grow((void **)&m->shown, &m->shown_cap, room + 1, sizeof *m->shown) != LP_OK)
        return lp_fail_memory(diag, "a training step");
    m->shown_rows = rows;
    if (rows == LP_STEP_ROWS_DELAY)
        return LP_OK;
    if (rows == LP_STEP_ROWS_CRITICAL) {
        memcpy(m->shown, seen->critical_bar, seen->critical * sizeof *m->shown);
        m->shown_count = seen->critical;
        return LP_OK;
    }
    if (seen->turning) {
        arrange_light(m, rows);
        return LP_OK;
    }
    for (uint32_t i = 0; i < seen->servers && rows != LP_STEP_ROWS_PAIRS; i++)
        m->shown[m->shown_count++] = i;
    for (uint32_t i = seen->servers + seen->pairs; i < seen->rows; i++)
        m->shown[m->shown_count++] = i; /* collectives hold everybody: between the two */
    first = m->shown_count;
    for (uint32_t i = 0; i < seen->pairs && rows != LP_STEP_ROWS_SERVERS; i++)
        m->shown[m->shown_count++] = seen->servers + i;
    sort_pairs(seen, m->shown + first, m->shown_count - first);
    return LP_OK;
}

const LpContext *lp_step_subject_context(const LpSession *session, const LpStepSubject *subject) {
    const LpWorld *world = lp_session_world(session);
    const LpContext *context = lp_session_context(session);
    return subject->ahead ? lp_world_context(world, context)
                          : lp_job_context(lp_world_job(world, subject->job), context);
}

uint64_t lp_step_subject_conditions(const LpSession *session, const LpStepSubject *subject) {
    const LpWorld *world = lp_session_world(session);
    const LpJob *job = lp_world_job(world, subject->job);
    uint64_t hash = lp_hash_f64(lp_hash_u64(LP_HASH_INIT, subject->ahead), subject->step_time);
    if (!subject->ahead)
        return lp_hash_u64(lp_hash_u64(hash, job->placed.scales), job->light.network);
    hash = lp_hash_u64(hash, lp_world_context(world, lp_session_context(session))->scales);
    return lp_hash_u64(lp_hash_u64(hash, lp_world_reconfigurations(world)), lp_world_lit(world));
}

static bool same(const LpStepModel *m, const LpStepSubject *s, uint64_t conditions) {
    return m->known && m->conditions == conditions && m->partition == s->partition &&
           m->placement == s->placement && m->orders.ops == s->orders.ops &&
           m->orders.flows == s->orders.flows;
}

static LpErr inspect(const LpContext *context, const LpStepSubject *s, LpStepInspection *out,
                     LpDiag *diag) {
    const LpPartition *p = lp_store_partition(context->store, s->partition);
    if (p->planned && lp_split_turns(p->graph->split, &p->plan))
        return lp_step_inspect_light(context, s->partition, s->placement, s->orders, out, diag);
    if (p->planned)
        return lp_step_inspect_plan(context, s->partition, s->placement, s->step_time, out, diag);
    return lp_step_inspect(context, s->partition, s->placement, s->orders, s->step_time, out, diag);
}

LpErr lp_step_model_update(LpStepModel *m, const LpSession *session, const LpStepSubject *subject,
                           LpStepRows rows, LpDiag *diag) {
    if (subject == NULL) {
        m->known = false;
        return LP_OK;
    }
    uint64_t conditions = lp_step_subject_conditions(session, subject);
    bool kept = same(m, subject, conditions);
    if (!kept) {
        lp_step_inspection_fini(&m->seen);
        m->known = false;
        LP_TRY(inspect(lp_step_subject_context(session, subject), subject, &m->seen, diag));
        m->conditions = conditions;
        m->known = true;
        m->partition = subject->partition;
        m->placement = subject->placement;
        m->orders = subject->orders;
    }
    m->job = subject->job;
    m->degree = subject->degree;
    m->ahead = subject->ahead;
    return kept && m->shown_rows == rows ? LP_OK : arrange(m, rows, diag);
}
