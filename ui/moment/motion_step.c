/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of the order of ops: instants of the training step, and who computes then. */
#include "moment/motion_internal.h"

enum { LP_STEP_FRAMES = 4 }; /* three instants, and the whole step */

int lp_motion_step_frames(LpMotionSubject *s) {
    return lp_motion_lay_out(s) ? LP_STEP_FRAMES : 1;
}

/* Over the whole step: how much of it the servers compute. */
static void say_share(LpMotionSubject *s) {
    const LpStepInspection *seen = &s->motion->step.seen;
    char share[LP_SHOW_TEXT], step[LP_SHOW_TEXT];
    double area = 0.0;
    for (uint32_t i = 0; i < seen->servers; i++)
        area += seen->row[i].busy;
    lp_show_percent(seen->servers ? area / (seen->servers * seen->step_time) : 0.0, share);
    lp_show_seconds(seen->step_time, step);
    lp_said_add(&s->now->said, LP_FORM_LONG,
                "In a training step of %s the %u server%s of %s compute%s for %s of the time.",
                step, (unsigned)seen->servers, seen->servers == 1 ? "" : "s", s->name,
                seen->servers == 1 ? "s" : "", share);
    lp_said_add(&s->now->said, LP_FORM_SHORT, "A step of %s takes %s; computing is %s of it.",
                s->name, step, share);
}

void lp_motion_show_ops(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    const LpStepInspection *seen = &m->step.seen;
    const LpStepBar *first = NULL;
    uint32_t busy = 0, where = 0;
    char at[LP_SHOW_TEXT];
    if (m->frames <= 1) {
        lp_said_add(&s->now->said, LP_FORM_LONG, "%s has no training step to look into.", s->name);
        return;
    }
    if (!lp_motion_instant(s)) {
        say_share(s);
        return;
    }
    for (uint32_t i = 0; i < seen->servers; i++) {
        const LpStepBar *bar = lp_motion_bar(seen, i, m->at);
        busy += bar != NULL;
        if (bar && !first)
            first = bar, where = seen->row[i].server;
        lp_motion_mark(m, seen->row[i].server, bar ? LP_SERVER_COMPUTES : LP_SERVER_IDLE);
    }
    lp_show_seconds(m->at, at);
    if (first)
        lp_said_add(&s->now->said, LP_FORM_LONG,
                    "%s into a step %u of %u servers of %s compute: s%u runs op %u, %s pass.", at,
                    (unsigned)busy, (unsigned)seen->servers, s->name, (unsigned)where,
                    (unsigned)first->op, first->backward ? "backward" : "forward");
    lp_said_add(&s->now->said, LP_FORM_SHORT, "%s into a step %u of %u servers compute.", at,
                (unsigned)busy, (unsigned)seen->servers);
}
