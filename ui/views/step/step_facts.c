/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the time by the delay of a turn of the step that is looked at. */
#include "views/step/step_view_impl.h"

void lp_step_delay_drop(LpStepDelay *delay) {
    lp_delay_curve_free(delay->curve);
    *delay = (LpStepDelay){0};
}

static bool is_of(const LpStepDelay *d, const LpStepSubject *s, uint64_t conditions) {
    return d->curve != NULL && d->partition == s->partition && d->placement == s->placement &&
           d->conditions == conditions;
}

LpErr lp_step_delay_work(LpStepDelay *delay, int64_t (*clock)(void), int64_t until, LpDiag *diag) {
    do
        LP_TRY(lp_delay_curve_work(delay->curve, &delay->done, diag));
    while (!delay->done && (clock == NULL || clock() < until));
    return LP_OK;
}

LpErr lp_step_delay_update(LpStepDelay *delay, const LpSession *session,
                           const LpStepSubject *subject, bool at_once, LpDiag *diag) {
    if (subject == NULL) {
        lp_step_delay_drop(delay);
        return LP_OK;
    }
    uint64_t conditions = lp_step_subject_conditions(session, subject);
    if (!is_of(delay, subject, conditions)) {
        lp_step_delay_drop(delay);
        LP_TRY(lp_delay_curve_new(lp_step_subject_context(session, subject), subject->partition,
                                  subject->placement, &delay->curve, diag));
        delay->partition = subject->partition;
        delay->placement = subject->placement;
        delay->conditions = conditions;
    }
    return at_once && !delay->done ? lp_step_delay_work(delay, NULL, 0, diag) : LP_OK;
}
