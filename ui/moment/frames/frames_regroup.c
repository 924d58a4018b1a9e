/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuit switches that turn: which servers' ports go dark, which jobs stand still meanwhile, what
 * they will be joined to; and that the light is back. */
#include "model/circuit/circuit.h"
#include "moment/frames/frames_impl.h"
#include "sim/light/circuits.h"

enum { NAMED = 6 };

/* Has the port of a server been told to turn, or (lit) has its light come at this moment? Says what
 * it is joined to. */
static bool turns(const LpMotionSubject *s, uint32_t port, bool lit, uint32_t *to) {
    const LpModel *model = s->model;
    const LpOcsParams *ocs = &model->scenario->cluster.ocs;
    LpPortView view = lp_world_port(model->world, model->context, port);
    double now = lp_world_now(model->world);
    if (ocs->plug[port].node >= ocs->servers || view.out >= ocs->ports)
        return false;
    *to = ocs->plug[view.out].node;
    return lit ? view.state == LP_LIGHT_LIT && !(view.until < now) && now > 0.0
               : view.state == LP_LIGHT_TURNING;
}

/* Marks the servers whose ports turn; returns how many. With `out` names them: "s1 s3". */
static uint32_t mark_turning(LpMotionSubject *s, bool lit, bool mark, LpBuf *out) {
    const LpOcsParams *ocs = &s->model->scenario->cluster.ocs;
    uint32_t count = 0, to;
    for (uint32_t server = 0; server < ocs->servers; server++) {
        bool any = false;
        for (uint32_t p = 0; p < ocs->ports && !any; p++)
            any = ocs->plug[p].node == server && turns(s, p, lit, &to);
        if (!any)
            continue;
        if (mark)
            lp_motion_mark(s->motion, server, LP_SERVER_NEWEST);
        if (count < NAMED)
            lp_buf_addf(out, count ? " s%u" : "s%u", (unsigned)server);
        count++;
    }
    if (count > NAMED)
        lp_buf_addf(out, " and %u more", (unsigned)(count - NAMED));
    return count;
}

/* The running jobs that stand still for want of light (or, lit, that did until now): "A and B". */
static uint32_t name_jobs(LpMotionSubject *s, bool lit, LpBuf *out) {
    const LpModel *model = s->model;
    uint32_t count = 0, all = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < model->running_count; i++) {
            const LpJob *job = model->running[i].job;
            char name[LP_WORDS_JOB];
            if (lit ? job->light.dark != LP_JOB_LIT || !(job->light.reconfiguring > 0.0)
                    : job->light.dark != LP_JOB_TURNING)
                continue;
            if (pass == 0) {
                all++;
                continue;
            }
            if (count < NAMED)
                lp_buf_addf(out, "%s%s",
                            count == 0         ? ""
                            : count + 1 == all ? " and "
                                               : ", ",
                            lp_words_job(model, job, name));
            count++;
        }
    if (all > NAMED)
        lp_buf_addf(out, " and %u more", (unsigned)(all - NAMED));
    return all;
}

/* "s1 s3 to aggregator 0, s4 to 1", as far as they are set to aggregators. */
static void name_targets(LpMotionSubject *s, LpBuf *out) {
    const LpOcsParams *ocs = &s->model->scenario->cluster.ocs;
    for (uint32_t a = 0, named = 0; a < ocs->aggregators; a++) {
        uint32_t count = 0, to;
        for (uint32_t p = 0; p < ocs->ports; p++) {
            if (!turns(s, p, false, &to) || to != ocs->servers + a)
                continue;
            if (count == 0)
                lp_buf_add(out, *lp_buf_text(out) ? ", " : "");
            if (count < NAMED)
                lp_buf_addf(out, count ? " s%u" : "s%u", (unsigned)ocs->plug[p].node);
            count++;
        }
        if (count > 0)
            lp_buf_addf(out, named++ ? " to %u" : " to aggregator %u", (unsigned)a);
    }
}

int lp_motion_regroup_frames(LpMotionSubject *s) {
    LpBuf names = {0};
    bool turning = mark_turning(s, false, false, &names) > 0, targets;
    lp_buf_clear(&names);
    name_targets(s, &names);
    targets = *lp_buf_text(&names) != '\0';
    lp_buf_clear(&names);
    bool still = name_jobs(s, false, &names) > 0;
    s->failed |= names.failed;
    lp_buf_fini(&names);
    return turning ? 1 + still + targets : 1;
}

/* Its frames: which ports; which jobs; what will be. The last one is the still. */
void lp_motion_show_regroup(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    LpSaid *said = &s->now->said;
    LpBuf turning = {0}, jobs = {0}, targets = {0};
    double left = lp_world_lit_at(s->model->world) - lp_world_now(s->model->world);
    char time[LP_SHOW_TEXT];
    uint32_t count = mark_turning(s, false, false, &turning);
    uint32_t still = name_jobs(s, false, &jobs);
    name_targets(s, &targets);
    lp_show_seconds(left, time);
    if (count == 0) {
        lp_said_add(said, LP_FORM_LONG, "Circuits are being turned; they are dark meanwhile.");
    } else if (m->frame == 0) {
        lp_buf_clear(&turning);
        mark_turning(s, false, true, &turning);
        lp_said_add(said, LP_FORM_LONG,
                    "The ports of %u server%s are set anew: %s. They are dark for %s.",
                    (unsigned)count, count == 1 ? "" : "s", lp_buf_text(&turning), time);
        lp_said_add(said, LP_FORM_SHORT, "Ports of %s are set anew, dark for %s.",
                    lp_buf_text(&turning), time);
    } else if (m->frame == 1 && still > 0) {
        /* The servers of jobs that stand still. */
        uint32_t servers = lp_world_servers(s->model->world);
        for (uint32_t i = 0; i < servers; i++) {
            uint32_t job = lp_world_server(s->model->world, i)->job;
            if (job != LP_NO_INDEX &&
                lp_world_job(s->model->world, job)->light.dark == LP_JOB_TURNING)
                lp_motion_mark(s->motion, i, LP_SERVER_PAUSED);
        }
        lp_said_add(said, LP_FORM_LONG,
                    "%s stand%s still: data that cross a dark port wait, and with them the step.",
                    lp_buf_text(&jobs), still == 1 ? "s" : "");
        lp_said_add(said, LP_FORM_SHORT, "%s stand%s still: a path is dark.", lp_buf_text(&jobs),
                    still == 1 ? "s" : "");
    } else {
        lp_said_add(said, LP_FORM_LONG, "In %s the light is back, and joins %s.", time,
                    lp_buf_text(&targets));
        lp_said_add(said, LP_FORM_SHORT, "In %s light joins %s.", time, lp_buf_text(&targets));
    }
    s->failed |= turning.failed || jobs.failed || targets.failed;
    lp_buf_fini(&turning);
    lp_buf_fini(&jobs);
    lp_buf_fini(&targets);
}

int lp_motion_relit_frames(LpMotionSubject *s LP_UNUSED) {
    return 1;
}

void lp_motion_show_relit(LpMotionSubject *s) {
    LpSaid *said = &s->now->said;
    LpBuf lit = {0}, jobs = {0};
    uint32_t count = mark_turning(s, true, false, &lit);
    uint32_t moving = name_jobs(s, true, &jobs);
    lp_said_add(said, LP_FORM_LONG, "The circuits that were turned carry light again%s%s.",
                count ? ": " : "", lp_buf_text(&lit));
    lp_said_add(said, LP_FORM_SHORT, "Light is back%s%s.", count ? " at " : "", lp_buf_text(&lit));
    for (int i = 0; i < LP_FORMS && moving > 0; i += LP_FORM_SHORT)
        lp_said_add(said, (LpForm)i, " %s go%s on.", lp_buf_text(&jobs), moving == 1 ? "es" : "");
    s->failed |= lit.failed || jobs.failed;
    lp_buf_fini(&lit);
    lp_buf_fini(&jobs);
}
