/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of a decision up to its servers: who arrives, the ways weighed row by row, the
 * verdict, the servers one by one. */
#include <math.h>
#include <stdio.h>

#include "moment/frames/frames_impl.h"

enum {
    WEIGHED_MOST = LP_MOTION_FRAMES - 2, /* between arrival and verdict */
    WAY_TEXT = LP_PLAN_WAYS_TEXT + 8 > LP_SLICE_TEXT + 8 ? LP_PLAN_WAYS_TEXT + 8 : LP_SLICE_TEXT + 8
};

static uint32_t weighed_count(const LpMotionSubject *s) {
    uint32_t count = s->model->decision.count;
    return count <= 1 ? 0 : count < WEIGHED_MOST ? count : WEIGHED_MOST;
}

int lp_motion_split_frames(LpMotionSubject *s) {
    return 2 + (int)weighed_count(s);
}

/* ---- who is here ---- */

static void say_arrival(LpMotionSubject *s) {
    const LpModel *model = s->model;
    unsigned all = lp_world_servers(model->world), free = lp_world_free_servers(model->world);
    const char *graph = lp_words_graph(model, s->job);
    LpLabel label = lp_job_label(model->scenario, s->job);
    char limit[LP_SHOW_TEXT];
    LpSaid *said = &s->now->said;
    s->now->steps = 0;
    if (isinf(s->job->asked.max_jct)) {
        lp_said_add(said, LP_FORM_LONG, "%s is %s, %s. It may take as long as it likes. ", s->name,
                    label.text, graph);
        lp_said_add(said, LP_FORM_SHORT, "%s, %s, without a limit. ", s->name, graph);
    } else {
        lp_show_seconds(s->job->asked.max_jct, limit);
        lp_said_add(said, LP_FORM_LONG, "%s is %s, %s. It must be done within %s. ", s->name,
                    label.text, graph, limit);
        lp_said_add(said, LP_FORM_MIDDLE, "%s, %s, must be done within %s. ", s->name, graph,
                    limit);
        lp_said_add(said, LP_FORM_SHORT, "%s comes, limit %s. ", s->name, limit);
    }
    for (int i = 0; i < LP_FORMS; i++)
        if (*lp_buf_text(&said->form[i]))
            lp_said_add(said, (LpForm)i, "%u of %u server%s %s free.", free, all, lp_str_s(all),
                        free == 1 ? "is" : "are");
}

/* ---- weighing ---- */

/* Why a way is not taken, in the engine's words without what the bar says anyway. */
static void say_refused(LpMotionSubject *s, const LpCandidate *c, const char *ways) {
    LpSaid *said = &s->now->said;
    const LpForecast *f = &c->forecast;
    const char *why = f->why[0] ? f->why : lp_cause_sentence(f->cause);
    unsigned free = lp_world_free_servers(s->model->world);
    lp_said_add(said, LP_FORM_LONG, "Trying %s for %s: %s.", ways, s->name, why);
    if (c->degree > free)
        lp_said_add(said, LP_FORM_SHORT, "%s for %s: only %u free. No room.", ways, s->name, free);
    else
        lp_said_add(said, LP_FORM_SHORT, "%s for %s: no block of servers. No room.", ways, s->name);
}

static void say_judged(LpMotionSubject *s, const LpCandidate *c, const char *ways) {
    LpSaid *said = &s->now->said;
    const LpForecast *f = &c->forecast;
    char jct[LP_SHOW_TEXT], limit[LP_SHOW_TEXT];
    bool late = f->cause == LP_CAUSE_DEADLINE, free = isinf(s->job->asked.max_jct);
    const char *end = !c->valid ? "Not a degree that the rules allow."
                      : late    ? "Too late."
                                : "In time.";
    lp_show_seconds(f->jct, jct);
    lp_show_seconds(s->job->asked.max_jct, limit);
    if (free || (f->cause != LP_CAUSE_NONE && !late)) {
        LpBuf verdict = {0};
        lp_words_verdict(s->job, f, c->valid, c->free_after, false, &verdict);
        lp_said_add(said, LP_FORM_LONG, "Trying %s for %s: done in %s; %s.", ways, s->name, jct,
                    lp_buf_text(&verdict));
        lp_said_add(said, LP_FORM_SHORT, "%s for %s: done in %s.", ways, s->name, jct);
        s->failed |= verdict.failed;
        lp_buf_fini(&verdict);
        return;
    }
    lp_said_add(said, LP_FORM_LONG,
                late ? "Trying %s for %s: done in %s, but it has only %s. %s"
                     : "Trying %s for %s: done in %s, and it has %s. %s",
                ways, s->name, jct, limit, end);
    lp_said_add(said, LP_FORM_MIDDLE, "%s for %s: done in %s, limit %s. %s", ways, s->name, jct,
                limit, end);
    lp_said_add(said, LP_FORM_SHORT, "%s: %s, limit %s. %s", ways, jct, limit, end);
}

/* "4 ways", "plan t8 p4 d2", or "slice 4x4x8 twisted". */
static void name_ways(const LpMotionSubject *s, const LpCandidate *c, char out[WAY_TEXT]) {
    char cut[LP_WORDS_CUT];
    if (s->job->slice.row > 0 && s->job->graph < 0)
        snprintf(out, WAY_TEXT, "slice %s", lp_words_graph(s->model, s->job));
    else
        snprintf(out, WAY_TEXT, "%s", lp_words_split_of(c, cut));
}

static void weigh(LpMotionSubject *s, int index) {
    const LpCandidate *c = &s->model->decision.candidate[index];
    char ways[WAY_TEXT];
    name_ways(s, c, ways);
    s->motion->weighed = index;
    if (c->forecast.feasible) {
        say_judged(s, c, ways);
        return;
    }
    say_refused(s, c, ways);
    lp_motion_refuse_free(s);
}

/* ---- the verdict ---- */

/* "in 2.43 s of 2.82 s", what the plan comes to. */
static void say_plan(LpMotionSubject *s, const LpCandidate *c, const char *who, bool byhand) {
    LpSaid *said = &s->now->said;
    char jct[LP_SHOW_TEXT], limit[LP_SHOW_TEXT], ways[WAY_TEXT], in[WAY_TEXT + 4];
    const char *end = c->forecast.cause == LP_CAUSE_DEADLINE ? "too late" : "in time";
    name_ways(s, c, ways);
    snprintf(in, sizeof in, "%s %s",
             c->plan.plan.tensor > 0                      ? "by"
             : s->job->slice.row > 0 && s->job->graph < 0 ? "on"
                                                          : "in",
             ways);
    lp_show_seconds(c->forecast.jct, jct);
    lp_show_seconds(s->job->asked.max_jct, limit);
    if (!c->forecast.feasible) {
        say_refused(s, c, ways);
        return;
    }
    if (isinf(s->job->asked.max_jct)) {
        lp_said_add(said, LP_FORM_LONG,
                    byhand ? "Marked by hand: %s %s, done in %s; %s takes it."
                           : "%s goes %s, done in %s; %s takes that.",
                    s->name, in, jct, who);
        lp_said_add(said, LP_FORM_SHORT, "%s %s: done in %s. %s", s->name, in, jct,
                    byhand ? "By hand" : "Taken");
        return;
    }
    lp_said_add(said, LP_FORM_LONG,
                byhand ? "Marked by hand: %s %s, done in %s, limit %s: %s. %s takes it."
                       : "%s %s: done in %s, limit %s: %s. %s takes it.",
                s->name, in, jct, limit, end, who);
    lp_said_add(said, LP_FORM_MIDDLE, "%s %s: done in %s, limit %s: %s. %s", s->name, in, jct,
                limit, end, byhand ? "By hand" : "Taken");
    lp_said_add(said, LP_FORM_SHORT, "%s %s: %s, %s. %s", s->name, in, jct, end,
                byhand ? "By hand" : "Taken");
}

static void say_verdict(LpMotionSubject *s) {
    const LpAnswer *answer = s->model->decision.answer;
    const LpCandidate *c = lp_motion_candidate(s->model);
    const char *policy = lp_session_policy_name(s->session);
    const char *who = policy && *policy ? policy : "the default rule";
    char enter[LP_WORDS_JOB];
    LpSaid *said = &s->now->said;
    if (s->model->ui->row >= 0) {
        if (c)
            say_plan(s, c, lp_keymap_key(s->model->ui->keymap, LP_UI_ACTION_TAKE, enter), true);
    } else if (answer && answer->kind != LP_ANSWER_RUN) {
        bool waits = answer->kind == LP_ANSWER_WAIT;
        lp_said_add(said, LP_FORM_LONG, waits ? "%s lets %s wait." : "%s turns %s away.", who,
                    s->name);
        if (!waits)
            lp_motion_refuse_free(s);
    } else if (answer && answer->ways) {
        lp_said_add(said, LP_FORM_LONG, "%s splits each op of %s its own way.", who, s->name);
    } else if (c) {
        say_plan(s, c, who, false);
    }
}

void lp_motion_show_split(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    uint32_t weighed = weighed_count(s), count = s->model->decision.count;
    s->now->step = m->frame;
    s->now->steps = m->frames > 2 ? m->frames - 1 : 0;
    if (m->frame == 0) {
        s->motion->wants = true;
        say_arrival(s);
    } else if (m->frame <= (int)weighed) {
        weigh(s, (int)lp_motion_upto(count, m->frame - 1, (int)weighed) - 1);
    } else {
        say_verdict(s);
        if (lp_motion_candidate(s->model))
            m->weighed = (int)(lp_motion_candidate(s->model) - s->model->decision.candidate);
    }
}

/* ---- its servers ---- */

int lp_motion_place_frames(LpMotionSubject *s) {
    return lp_motion_frames_for(s->servers);
}

static void say_placed(LpMotionSubject *s) {
    LpSaid *said = &s->now->said;
    unsigned n = s->servers;
    LpBuf names = {0}, few = {0}, shape = {0};
    lp_words_servers(s->model, s->server, s->servers, 8, &names);
    lp_words_servers(s->model, s->server, s->servers, 2, &few);
    if (s->forecast && s->forecast->shape.groups && s->model->context->fabric.groups > 1)
        lp_words_shape(&s->forecast->shape, &shape);
    if (n == 1)
        lp_said_add(said, LP_FORM_LONG, "%s has its server: %s.", s->name, lp_buf_text(&names));
    else if (*lp_buf_text(&shape))
        lp_said_add(said, LP_FORM_LONG, "All %u servers of %s are taken: %s, a block of %s.", n,
                    s->name, lp_buf_text(&names), lp_buf_text(&shape));
    if (n > 1)
        lp_said_add(said, LP_FORM_MIDDLE, "All %u servers of %s are taken: %s.", n, s->name,
                    lp_buf_text(&names));
    lp_said_add(said, LP_FORM_SHORT, "%s has %u server%s: %s.", s->name, n, n == 1 ? "" : "s",
                lp_buf_text(&few));
    s->failed |= names.failed || few.failed || shape.failed;
    lp_buf_fini(&names);
    lp_buf_fini(&few);
    lp_buf_fini(&shape);
}

static void say_taking(LpMotionSubject *s, uint32_t before, uint32_t now) {
    LpSaid *said = &s->now->said;
    LpBuf place = {0}, brief = {0};
    lp_words_servers(s->model, s->server + before, now - before, 4, &brief);
    if (now - before == 1)
        lp_words_place(s->model, s->server[before], false, &place);
    else
        lp_words_servers(s->model, s->server + before, now - before, 6, &place);
    lp_said_add(said, LP_FORM_LONG, "Taking servers for %s: %s. %u of %u taken.", s->name,
                lp_buf_text(&place), (unsigned)now, (unsigned)s->servers);
    lp_said_add(said, LP_FORM_SHORT, "Servers for %s: %s.", s->name, lp_buf_text(&brief));
    s->failed |= place.failed || brief.failed;
    lp_buf_fini(&place);
    lp_buf_fini(&brief);
}

void lp_motion_show_place(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    if (s->servers == 0) {
        lp_said_add(&s->now->said, LP_FORM_LONG, "There are no servers to place %s on.", s->name);
        return;
    }
    uint32_t now = lp_motion_upto(s->servers, m->frame, m->frames);
    uint32_t before = m->frame > 0 ? lp_motion_upto(s->servers, m->frame - 1, m->frames) : 0;
    bool last = now == s->servers;
    lp_motion_want(s, before, now);
    if (last)
        say_placed(s);
    else
        say_taking(s, before, now);
}
