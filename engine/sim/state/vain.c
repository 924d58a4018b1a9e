/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/state/vain.h"

static bool trains(LpImage *m) {
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->next)
        if (lp_image_job(m, id)->dark == LP_JOB_LIT)
            return true;
    return false;
}

void lp_image_event(LpImage *m, LpEvent *out, LpEventKind kind, uint32_t job) {
    *out = (LpEvent){kind, job, m->now, m->serial++, 0, 0};
    m->tally.events++;
    switch (kind) {
    case LP_EVENT_WAKE:
    case LP_EVENT_OFFER:
        m->quiet++;
        break;
    case LP_EVENT_ARRIVAL:
    case LP_EVENT_COMPLETION:
    case LP_EVENT_EXPIRY:
    case LP_EVENT_BLOCK:
    case LP_EVENT_ABORT:
    case LP_EVENT_CONDITION:
        m->quiet = m->vain = 0;
        break;
    case LP_EVENT_FAILURE:
    case LP_EVENT_REPAIR:
    case LP_EVENT_LIT:
    case LP_EVENT_INTERVAL:
        m->vain += trains(m) ? 0 : 1;
        break;
    default:
        break;
    }
}

void lp_vain_stop(LpImage *m, double share) {
    m->vain = share > 1e-6 ? 0 : m->vain + 10;
}
