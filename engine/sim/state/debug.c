/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/state/debug.h"

#include <math.h>
#include <stdio.h>

#include "sim/state/image.h"

enum { DETAIL = 600 };

const char *lp_debug_job(const LpContext *context, const LpJob *job, char buf[LP_DEBUG_JOB]) {
    const LpScenario *scenario = context->scenario;
    uint32_t row = job->slice.shape > 0 ? job->slice.shape : job->slice.row;
    char slice[LP_SLICE_TEXT] = "", degree[16] = "";
    if (row > 0)
        lp_slice_name(&scenario->slice[row - 1].slice, slice);
    if (job->placed.degree > 0)
        snprintf(degree, sizeof degree, " x%u", job->placed.degree);
    snprintf(buf, LP_DEBUG_JOB, "job %u %.40s%s%s%s", job->id,
             job->graph >= 0 ? scenario->graph[job->graph]->id : "rigid", degree,
             row > 0 ? " slice " : "", slice);
    return buf;
}

/* ---- events ---- */

/* Those that it holds, in block order. */
static const char *servers_of(const LpWorld *world, const LpJob *job, char buf[LP_DEBUG_NUMBERS]) {
    uint32_t number[LP_DEBUG_SHOWN], shown = 0;
    for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX && shown < LP_DEBUG_SHOWN;
         s = lp_world_server(world, s)->next)
        number[shown++] = s;
    return lp_debug_numbers(number, shown < LP_DEBUG_SHOWN ? shown : job->placed.servers, buf);
}

/* What an event of this kind says of its job, with a blank before it; else "". */
static void tell_job(const LpWorld *world, const LpEvent *event, const LpJob *job,
                     char out[DETAIL]) {
    char servers[LP_DEBUG_NUMBERS];
    out[0] = '\0';
    switch (event->kind) {
    case LP_EVENT_ARRIVAL:
        snprintf(out, DETAIL, " steps %.9g deadline %.9g s", job->asked.steps,
                 lp_job_deadline(job));
        return;
    case LP_EVENT_START:
    case LP_EVENT_RESUME:
    case LP_EVENT_MOVE:
    case LP_EVENT_HOLD:
        snprintf(out, DETAIL, " servers%s step %.9g s until %.9g s",
                 servers_of(world, job, servers), job->forecast.step_time, job->times.forecast_end);
        return;
    case LP_EVENT_COMPLETION:
        snprintf(out, DETAIL, " after %.9g s", job->times.end - job->asked.arrival);
        return;
    case LP_EVENT_WAIT:
        if (job->slice.row > 0)
            snprintf(out, DETAIL, " for %s", lp_wait_code((LpWaitFor)job->queue.waits_for));
        else if (!isinf(job->times.retry_at))
            snprintf(out, DETAIL, " until %.9g s", job->times.retry_at);
        return;
    case LP_EVENT_BLOCK:
    case LP_EVENT_EXPIRY:
        snprintf(out, DETAIL, " cause %s",
                 job->cause != LP_CAUSE_NONE ? lp_cause_code((LpCause)job->cause) : "none");
        return;
    default:
        return;
    }
}

static bool of_detail(LpEventKind kind) {
    return kind == LP_EVENT_OFFER || kind == LP_EVENT_ROUND || kind == LP_EVENT_STOPPED;
}

void lp_debug_event(const LpWorld *world, const LpContext *context, const LpEvent *event,
                    const char *reason) {
    unsigned level = of_detail(event->kind) ? 2 : 1;
    char name[LP_DEBUG_JOB], detail[DETAIL];
    bool because = reason != NULL && reason[0] != '\0';
    if (!lp_debug_on(context->log, LP_DEBUG_SIM, level) || event->kind == LP_EVENT_NONE)
        return;
    name[0] = detail[0] = '\0';
    if (event->job != LP_NO_INDEX) {
        const LpJob *job = lp_world_job(world, event->job);
        lp_debug_job(context, job, name);
        tell_job(world, event, job, detail);
    }
    lp_debug_line(context->log, LP_DEBUG_SIM, level, "%s%s%s%s%s%s", lp_event_name(event->kind),
                  name[0] != '\0' ? " " : "", name, detail, because ? ": " : "",
                  because ? reason : "");
}

/* ---- answers ---- */

void lp_debug_answer(const LpContext *context, const char *who, const LpJob *job,
                     const LpAnswer *answer) {
    char name[LP_DEBUG_JOB], servers[LP_DEBUG_NUMBERS], what[DETAIL];
    bool why = answer->why != NULL && answer->why[0] != '\0';
    if (!lp_debug_on(context->log, LP_DEBUG_POLICY, 1))
        return;
    if (answer->kind == LP_ANSWER_WAIT)
        snprintf(what, sizeof what, "wait");
    else if (answer->kind == LP_ANSWER_DECLINE)
        snprintf(what, sizeof what, "decline");
    else if (answer->servers > 0)
        snprintf(what, sizeof what, "run x%u servers%s", answer->degree,
                 lp_debug_numbers(answer->server, answer->servers, servers));
    else
        snprintf(what, sizeof what, "run x%u", answer->degree);
    lp_debug_line(context->log, LP_DEBUG_POLICY, 1, "%s answers %s: %s%s%s", who,
                  lp_debug_job(context, job, name), what, why ? ", " : "", why ? answer->why : "");
}
