/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers value estimates, a few decisions at a time where somebody waits. */
#include "views/curves/curves_values.h"

#include <math.h>

#include "ask/network/network.h"
#include "base/mem.h"

void lp_values_model_fini(LpValuesModel *m) {
    lp_values_free(m->values);
    lp_free(m->q);
    *m = (LpValuesModel){0};
}

typedef struct Taking {
    LpValuesModel *model;
    LpErr err;
} Taking;

static void add_q(void *user, const LpValue *value) {
    Taking *t = user;
    LpValuesModel *m = t->model;
    if (t->err != LP_OK || isnan(value->q))
        return;
    t->err = lp_grow((void **)&m->q, &m->q_cap, (size_t)m->q_count + 1, sizeof *m->q);
    if (t->err == LP_OK)
        m->q[m->q_count++] = (LpChartPoint){value->time, value->q};
}

static void widen(LpValuesModel *m, const LpSession *session, uint32_t branch, double until) {
    double low, high;
    if (!lp_values_range(m->values, session, branch, until, &low, &high))
        return;
    m->low = fmin(m->low, low);
    m->high = fmax(m->high, high);
}

LpErr lp_values_model_update(LpValuesModel *m, LpSession *session, const LpCurvesModel *curves,
                             uint32_t most, LpDiag *diag) {
    LpMoment now = lp_session_moment(session);
    m->networks = curves->known ? lp_network_count(session) : 0;
    m->more = false;
    m->low = (double)INFINITY;
    m->high = -(double)INFINITY;
    m->q_count = 0;
    if (m->networks == 0)
        return LP_OK;
    if (m->values == NULL)
        LP_TRY(lp_values_new(&m->values, diag));
    for (int i = 0; i < curves->branches; i++) {
        const LpCurvesBranch *b = &curves->branch[i];
        LpMoment to = {b->branch, lp_session_step_at(session, b->branch, b->until)};
        if (!m->more) /* the others follow when this one is done */
            LP_TRY(
                lp_values_update(m->values, session, 0, i == 0 ? now : to, most, &m->more, diag));
        widen(m, session, b->branch, b->until);
    }
    Taking t = {m, LP_OK};
    lp_values_each(m->values, session, now, add_q, &t);
    return t.err == LP_OK ? LP_OK : lp_fail_memory(diag, "the values along a run");
}
