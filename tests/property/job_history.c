/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job_history.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/world.h"

/* The parts of the job's present step: the account of the same job without a past, of a second of
 * work. */
static void shares_now(const LpSession *s, const LpJob *job, double *share) {
    LpJob fresh = *job;
    LpJobTime time;
    LpDiag diag = {0};
    double sum = 0;
    fresh.placed.earlier = 0;
    fresh.work.attained = fresh.pieces.saved = 1;
    fresh.work.pace_lost = fresh.stops.lost = 0;
    if (lp_job_time(lp_session_world(s), lp_session_context(s), &fresh, NULL, &time, &diag) !=
        LP_OK)
        fail_msg("%s", diag.text);
    for (int i = LP_TIME_COMPUTING; i <= LP_TIME_TURNING; i++)
        sum += time.part[i];
    for (int i = LP_TIME_COMPUTING; i <= LP_TIME_TURNING; i++)
        share[i] = sum > 0 ? time.part[i] / sum : 0;
}

/* What was done since the last look was done with the step that the job had then; what a failure
 * took is taken from the end. */
static void book(History *h, uint32_t j, double useful) {
    double more = useful - h->job[j].useful;
    h->job[j].useful = useful;
    if (more > 0) {
        uint32_t top = h->job[j].deep;
        if (top == 0 ||
            memcmp(h->job[j].worked[top - 1].share, h->job[j].share, sizeof h->job[j].share) != 0) {
            assert_true(top < HISTORY_DEEP);
            h->job[j].deep++;
            memcpy(h->job[j].worked[top].share, h->job[j].share, sizeof h->job[j].share);
            h->job[j].worked[top].s = 0;
        }
        h->job[j].worked[h->job[j].deep - 1].s += more;
    }
    while (more < 0 && h->job[j].deep > 0) {
        Worked *last = &h->job[j].worked[h->job[j].deep - 1];
        double taken = last->s < -more ? last->s : -more;
        last->s -= taken;
        more += taken;
        h->job[j].deep -= last->s <= 0;
    }
}

static void compare(History *h, const LpSession *s, const LpJob *job, const char *text) {
    double want[LP_TIME_COUNT] = {0};
    LpJobTime time;
    LpDiag diag = {0};
    for (uint32_t k = 0; k < h->job[job->id].deep; k++)
        for (int i = 0; i < LP_TIME_COUNT; i++)
            want[i] += h->job[job->id].worked[k].share[i] * h->job[job->id].worked[k].s;
    if (lp_job_time(lp_session_world(s), lp_session_context(s), job, &h->book, &time, &diag) !=
        LP_OK)
        fail_msg("%s", diag.text);
    for (int i = 0; i < LP_TIME_COUNT; i++)
        if (time.part[i] < -1e-9 * (1 + time.length))
            fail_msg("job %u at %.9g s: %s is %.17g s\n%s", (unsigned)job->id,
                     lp_world_now(lp_session_world(s)), lp_time_name((LpTimePart)i), time.part[i],
                     text);
    for (int i = LP_TIME_COMPUTING; i <= LP_TIME_TURNING; i++)
        if (fabs(time.part[i] - want[i]) > 1e-9 * (1 + h->job[job->id].useful))
            fail_msg("job %u at %.9g s: %s is %.17g s in its account, what it did comes to %.17g "
                     "s\n%s",
                     (unsigned)job->id, lp_world_now(lp_session_world(s)),
                     lp_time_name((LpTimePart)i), time.part[i], want[i], text);
}

void history_look(History *h, const LpSession *s, const char *text) {
    const LpWorld *w = lp_session_world(s);
    assert_true(lp_world_jobs(w) <= HISTORY_JOBS);
    for (uint32_t j = 0; j < lp_world_jobs(w); j++) {
        const LpJob *job = lp_world_job(w, j);
        double useful = lp_job_accounts(w, lp_session_context(s), job).useful;
        if (useful != h->job[j].useful)
            book(h, j, useful);
        if (job->placed.step != h->job[j].step || job->offers != h->job[j].offers) {
            h->changes += useful > 0 && job->placed.step != h->job[j].step;
            h->job[j].step = job->placed.step;
            h->job[j].offers = job->offers;
            shares_now(s, job, h->job[j].share);
        }
        compare(h, s, job, text);
    }
}
