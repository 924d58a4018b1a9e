/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes after a decision: a start, a job that is turned away, a completion. */
#include <math.h>

#include "moment/motion_internal.h"

enum { MANY = LP_MOTION_FRAMES - 1 };

/* ---- it starts ---- */

/* Servers and light were shown while it was decided. */
int lp_motion_start_frames(LpMotionSubject *s LP_UNUSED) {
    return 1;
}

void lp_motion_show_start(LpMotionSubject *s) {
    LpSaid *said = &s->now->said;
    LpBuf names = {0};
    char jct[LP_SHOW_TEXT];
    unsigned n = s->servers;
    lp_words_servers(s->model, s->server, s->servers, 4, &names);
    lp_show_seconds(s->job->end - s->job->arrival, jct);
    lp_said_add(said, LP_FORM_LONG, "%s starts in %u way%s on %u server%s, %s", s->name,
                (unsigned)lp_words_ways(s->job), lp_words_ways(s->job) == 1 ? "" : "s", n,
                n == 1 ? "" : "s", lp_buf_text(&names));
    lp_said_add(said, LP_FORM_SHORT, "%s starts on %u server%s", s->name, n, n == 1 ? "" : "s");
    for (int i = 0; i < LP_FORMS; i += LP_FORM_SHORT)
        if (isfinite(s->job->end))
            lp_said_add(said, (LpForm)i, ", to be done %s after it came.", jct);
        else
            lp_said_add(said, (LpForm)i, ".");
    s->failed |= names.failed;
    lp_buf_fini(&names);
}

/* ---- it is turned away ---- */

int lp_motion_blocked_frames(LpMotionSubject *s) {
    return s->servers == 0 ? 2 : 1 + lp_motion_frames_for(s->servers < MANY ? s->servers : MANY);
}

/* Why a job is turned away, in the words of the screen. */
static const char *reason_of(const LpJob *job) {
    switch (job->cause) {
    case LP_CAUSE_DECLINED:
        return "none in time was free";
    case LP_CAUSE_NO_PLACEMENT:
        return "no block of servers is free";
    case LP_CAUSE_DEADLINE:
        return "it would be too late";
    default:
        return lp_cause_sentence((LpCause)job->cause);
    }
}

void lp_motion_show_blocked(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    LpWhy why = lp_session_why(s->session, s->job->id);
    const char *sentence = why.reason && *why.reason ? why.reason : why.why;
    bool last = m->frame + 1 >= m->frames;
    uint32_t now = last ? 0 : lp_motion_upto(s->servers, m->frame, m->frames - 1);
    for (uint32_t i = 0; i < now; i++)
        lp_motion_mark(m, s->server[i], LP_SERVER_REFUSED);
    if (s->servers == 0 && !last)
        lp_motion_refuse_free(s);
    lp_said_add(&s->now->said, LP_FORM_LONG, "%s, %s, is turned away: %s", s->name,
                lp_words_graph(s->model, s->job), reason_of(s->job));
    if (sentence && *sentence && s->job->cause != LP_CAUSE_DECLINED)
        lp_said_add(&s->now->said, LP_FORM_LONG, " (%s)", sentence);
    lp_said_add(&s->now->said, LP_FORM_LONG, ".");
    lp_said_add(&s->now->said, LP_FORM_SHORT, "%s is turned away: %s.", s->name, reason_of(s->job));
}

/* ---- it is done ---- */

int lp_motion_done_frames(LpMotionSubject *s) {
    return s->servers == 0 ? 1 : 1 + lp_motion_frames_for(s->servers < MANY ? s->servers : MANY);
}

void lp_motion_show_done(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    LpSaid *said = &s->now->said;
    bool last = m->frame + 1 >= m->frames;
    uint32_t now = last ? s->servers : lp_motion_upto(s->servers, m->frame, m->frames - 1);
    char jct[LP_SHOW_TEXT], share[LP_SHOW_TEXT] = "";
    double took = s->job->end - s->job->arrival;
    m->letter = lp_letters_was(&s->model->letters, s->job->id);
    for (uint32_t i = 0; i < s->servers && !last; i++)
        lp_motion_mark(m, s->server[i], i < now ? LP_SERVER_RELEASED : LP_SERVER_KEPT);
    lp_show_seconds(took, jct);
    lp_said_add(said, LP_FORM_LONG, "%s, %s, is done after %s", s->name,
                lp_words_graph(s->model, s->job), jct);
    if (isfinite(s->job->max_jct))
        lp_said_add(said, LP_FORM_LONG, ", %s of its limit",
                    lp_show_percent(took / s->job->max_jct, share));
    lp_said_add(said, LP_FORM_LONG, ". %u of its %u server%s %s free again.", (unsigned)now,
                (unsigned)s->servers, s->servers == 1 ? "" : "s", now == 1 ? "is" : "are");
    lp_said_add(said, LP_FORM_SHORT, "%s is done after %s. %u of %u servers free again.", s->name,
                jct, (unsigned)now, (unsigned)s->servers);
}
