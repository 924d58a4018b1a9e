/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes after a decision: a start, a job that is turned away, a completion. */
#include <math.h>
#include <string.h>

#include "moment/frames/frames_impl.h"

/* ---- it starts ---- */

/* Servers and light were shown while it was decided. */
int lp_motion_start_frames(LpMotionSubject *s LP_UNUSED) {
    return 1;
}

void lp_motion_show_start(LpMotionSubject *s) {
    LpSaid *said = &s->now->said;
    LpBuf names = {0};
    char jct[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    const char *ways = lp_words_split(s->model, s->job, cut);
    unsigned n = s->servers;
    lp_words_servers(s->model, s->server, s->servers, 4, &names);
    lp_show_seconds(s->job->times.end - s->job->asked.arrival, jct);
    bool by_hand = strcmp(lp_session_why(s->session, s->job->id).why, "by hand") == 0;
    const char *hand = by_hand ? ", by hand and not as the policy says," : "";
    if (s->job->slice.row > 0 && s->job->graph < 0)
        lp_said_add(said, LP_FORM_LONG, "%s starts%s on slice %s, %u server%s, %s", s->name, hand,
                    lp_words_graph(s->model, s->job), n, n == 1 ? "" : "s", lp_buf_text(&names));
    else
        lp_said_add(said, LP_FORM_LONG, "%s starts%s %s %s on %u server%s, %s", s->name, hand,
                    strncmp(ways, "plan", 4) == 0 ? "by" : "in", ways, n, n == 1 ? "" : "s",
                    lp_buf_text(&names));
    lp_said_add(said, LP_FORM_SHORT, "%s starts%s on %u server%s", s->name,
                by_hand ? " (by hand)" : "", n, n == 1 ? "" : "s");
    for (int i = 0; i < LP_FORMS; i += LP_FORM_SHORT)
        if (isfinite(s->job->times.end))
            lp_said_add(said, (LpForm)i, ", to be done %s after it came.", jct);
        else
            lp_said_add(said, (LpForm)i, ".");
    s->failed |= names.failed;
    lp_buf_fini(&names);
}

/* ---- it is turned away ---- */

int lp_motion_blocked_frames(LpMotionSubject *s LP_UNUSED) {
    return 2; /* what it would have had, and that it is gone */
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
    for (uint32_t i = 0; i < s->servers && !last; i++)
        lp_motion_mark(m, s->server[i], LP_SERVER_REFUSED);
    if (s->servers == 0 && !last)
        lp_motion_refuse_free(s);
    s->now->steps = 0;
    lp_said_add(&s->now->said, LP_FORM_LONG, "%s, %s, is turned away: %s", s->name,
                lp_words_graph(s->model, s->job), reason_of(s->job));
    if (sentence && *sentence && s->job->cause != LP_CAUSE_DECLINED)
        lp_said_add(&s->now->said, LP_FORM_LONG, " (%s)", sentence);
    lp_said_add(&s->now->said, LP_FORM_LONG, ".");
    lp_said_add(&s->now->said, LP_FORM_SHORT, "%s is turned away: %s.", s->name, reason_of(s->job));
}

/* ---- it is done ---- */

int lp_motion_done_frames(LpMotionSubject *s) {
    return s->servers == 0 ? 1 : 2; /* given back, and free */
}

void lp_motion_show_done(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    LpSaid *said = &s->now->said;
    bool last = m->frame + 1 >= m->frames;
    char jct[LP_SHOW_TEXT], share[LP_SHOW_TEXT] = "";
    double took = s->job->times.end - s->job->asked.arrival;
    s->now->steps = 0;
    m->letter = lp_letters_was(&s->model->letters, s->job->id);
    for (uint32_t i = 0; i < s->servers && !last; i++)
        lp_motion_mark(m, s->server[i], LP_SERVER_RELEASED);
    lp_show_seconds(took, jct);
    lp_said_add(said, LP_FORM_LONG, "%s, %s, is done after %s", s->name,
                lp_words_graph(s->model, s->job), jct);
    if (isfinite(s->job->asked.max_jct))
        lp_said_add(said, LP_FORM_LONG, ", %s of its limit",
                    lp_show_percent(took / s->job->asked.max_jct, share));
    lp_said_add(said, LP_FORM_LONG, ". Its %u server%s %s free again.", (unsigned)s->servers,
                s->servers == 1 ? "" : "s", s->servers == 1 ? "is" : "are");
    lp_said_add(said, LP_FORM_SHORT, "%s is done after %s, %u server%s free again.", s->name, jct,
                (unsigned)s->servers, s->servers == 1 ? "" : "s");
}
