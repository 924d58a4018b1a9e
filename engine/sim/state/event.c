/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of events, and what is counted when one happens. */
#include "sim/state/event.h"

#include "sim/state/vain.h"

const LpEventRow lp_event_rows[LP_EVENT_COUNT] = {
#define X(id, name, traced, traits, what) {name, traced, what, traits},
    LP_EVENTS(X)
#undef X
};

static bool trains(LpImage *m) {
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        if (lp_image_job(m, id)->light.dark == LP_JOB_LIT)
            return true;
    return false;
}

void lp_image_event(LpImage *m, LpEvent *out, LpEventKind kind, uint32_t job) {
    *out = (LpEvent){kind, job, m->now, m->serial++, 0, 0};
    m->tally.events++;
    lp_mark_event(m, out);
    if (lp_event_is(kind, LP_EVENT_ASKED))
        m->quiet++;
    if (lp_event_is(kind, LP_EVENT_HELPS))
        m->quiet = 0;
    if (lp_event_is(kind, LP_EVENT_HELPS | LP_EVENT_ENDS))
        m->vain = 0;
    else if (lp_event_is(kind, LP_EVENT_COMES) && !trains(m))
        m->vain++;
}

void lp_vain_stop(LpImage *m, double share) {
    m->vain = share > 1e-6 ? 0 : m->vain + 10;
}
