/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of events over the time of a run. */
#include "moment/parts/marks.h"

#include <math.h>
#include <string.h>

#include "model/dist.h"
#include "moment/parts/event_face.h"
#include "sim/world.h"
#include "widgets/show.h"

/* When the last job arrives, as far as the scenario tells; 0 when it does not. */
static double expected_end(const LpScenario *scenario) {
    if (scenario->jobs > 0)
        return scenario->job[scenario->jobs - 1].arrival * 1.2;
    if (!scenario->has_generator || scenario->generator.count == 0)
        return 0.0;
    double mean = lp_dist_mean(&scenario->generator.interarrival);
    return isfinite(mean) ? mean * (double)scenario->generator.count * 1.05 : 0.0;
}

static double wanted_scale(LpMarks *marks, const LpSession *session, double now) {
    const LpScenario *scenario = lp_session_scenario(session);
    if (!marks->asked)
        marks->end = expected_end(scenario);
    marks->asked = true;
    double end = marks->end, horizon = scenario->horizon;
    if (isfinite(horizon) && (end <= 0.0 || horizon <= 4.0 * end))
        return horizon;
    double next = lp_world_next_time(lp_session_world(session), lp_session_context(session));
    double ahead = next > 0.0 && isfinite(next) ? next : 1.0; /* s, where all begins at once */
    double least = end > 0.0 ? end : ahead;
    if (marks->scale >= now && marks->scale >= least)
        return marks->scale;
    return fmin(lp_show_nice(fmax(least, now * 1.1)), horizon);
}

static void read_new(LpMarks *marks, const LpSession *session, bool timed, uint32_t branch,
                     double scale) {
    size_t count = timed ? lp_session_branch_events(session, branch) : lp_session_events(session);
    if (scale != marks->scale || count < marks->seen || branch != marks->branch) {
        memset(marks->bin, 0, sizeof marks->bin);
        marks->seen = 0;
        marks->scale = scale;
        marks->branch = branch;
    }
    for (; marks->seen < count; marks->seen++) {
        const LpEvent *event = timed ? lp_session_branch_event(session, branch, marks->seen)
                                     : lp_session_event(session, marks->seen);
        double at = scale > 0.0 ? event->time / scale * LP_MARK_BINS : 0.0;
        size_t bin = at >= LP_MARK_BINS ? LP_MARK_BINS - 1 : at > 0.0 ? (size_t)at : 0;
        marks->bin[bin] |= lp_event_face(event->kind)->mark;
    }
}

void lp_marks_update(LpMarks *marks, const LpSession *session, double now) {
    bool timed = lp_session_branches(session) > 0;
    uint32_t branch = timed ? lp_session_moment(session).branch : 0;
    read_new(marks, session, timed, branch, wanted_scale(marks, session, now));
}

void lp_marks_of_branch(LpMarks *marks, const LpSession *session, uint32_t branch, double scale) {
    read_new(marks, session, true, branch, scale);
}

uint8_t lp_marks_between(const LpMarks *marks, double from, double to) {
    int first = (int)(from * LP_MARK_BINS), end = (int)(to * LP_MARK_BINS);
    uint8_t bits = 0;
    if (end <= first)
        end = first + 1;
    for (int i = first < 0 ? 0 : first; i < end && i < LP_MARK_BINS; i++)
        bits |= marks->bin[i];
    return bits;
}
