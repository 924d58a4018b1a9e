/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a moment is called, what is said where it is not shown in steps, and what comes next. */
#include "moment/parts/now.h"
#include "model/lesson/lesson.h"
#include "moment/now_impl.h"

#include <math.h>
#include <string.h>

#include "moment/parts/event_face.h"
#include "moment/picture/words.h"
#include "sim/condition.h"
#include "widgets/flow.h"

void lp_now_fini(LpNow *now) {
    lp_said_fini(&now->said);
    lp_said_fini(&now->next);
    *now = (LpNow){0};
}

/* What the sentences are made of. */
typedef struct Moment {
    LpModel *model;
    LpNow *now;
    const LpEvent *event; /* the last one, NULL: none yet */
    char name[LP_WORDS_JOB];
} Moment;

/* ---- what it is called ---- */

static const char *const stage_verbs[LP_STAGE_COUNT] = {"1/5 SPLIT", "2/5 PLACE", "3/5 ORDER",
                                                        "4/5 LIGHT", "5/5 SEND"};

static bool is_broken(const Moment *m) {
    const LpChange *change = lp_world_change_of(m->model->world, m->event->serial);
    return change && lp_condition_is_failure(change->condition.kind);
}

static const char *verb_of(const Moment *m) {
    const LpModel *model = m->model;
    bool arrives =
        model->ui->stage == LP_STAGE_PARTITION && model->motion.on && model->motion.frame == 0;
    if (model->decision.due)
        return arrives ? lp_event_face(LP_EVENT_ARRIVAL)->verb : stage_verbs[model->ui->stage];
    if (lp_world_over(model->world))
        return lp_event_face(LP_EVENT_HORIZON)->verb;
    if (!m->event)
        return lp_event_face(LP_EVENT_NONE)->verb;
    if (model->until > 0.0)
        return "BETWEEN";
    if (m->event->kind == LP_EVENT_CONDITION && is_broken(m))
        return lp_event_face(LP_EVENT_FAILURE)->verb;
    return lp_event_face(m->event->kind)->verb;
}

/* ---- moments that are not shown in steps ---- */

static const char *is_are(uint64_t count) {
    return count == 1 ? "is" : "are";
}

static const char *was_were(uint64_t count) {
    return count == 1 ? "was" : "were";
}

/* It was ended, since nothing that could still come would end its jobs. */
static bool say_stuck(const Moment *m) {
    const LpTally *t = lp_world_tally(m->model->world);
    LpStuck stuck = lp_world_stuck(m->model->world);
    char left[LP_SHOW_TEXT], all[LP_SHOW_TEXT];
    if (stuck == LP_STUCK_NOT)
        return false;
    lp_show_count(t->unfinished, left);
    lp_show_count(t->arrived, all);
    lp_said_add(&m->now->said, LP_FORM_LONG,
                stuck == LP_STUCK_IDLE
                    ? "Nothing would ever happen again: %s of %s job%s %s unfinished."
                    : "The run cannot end, it was stopped here: what breaks and is mended brings "
                      "no job further. %s of %s job%s %s unfinished.",
                left, all, lp_str_s(t->arrived), is_are(t->unfinished));
    lp_said_add(&m->now->said, LP_FORM_SHORT,
                stuck == LP_STUCK_IDLE
                    ? "Nothing would ever happen again: %s unfinished."
                    : "The run cannot end, failures bring no job further: %s unfinished.",
                left);
    return true;
}

static void say_end(const Moment *m) {
    const LpTally *t = lp_world_tally(m->model->world);
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT], d[LP_SHOW_TEXT];
    if (say_stuck(m))
        return;
    lp_show_count(t->arrived, a);
    lp_show_count(t->completed, b);
    lp_show_count(t->blocked, c);
    lp_show_count(t->aborted + t->killed, d);
    if (t->aborted + t->killed > 0)
        lp_said_add(&m->now->said, LP_FORM_LONG,
                    "The run is over: of %s job%s %s %s done, %s %s turned away and %s %s.", a,
                    lp_str_s(t->arrived), b, is_are(t->completed), c, was_were(t->blocked), d,
                    t->aborted > 0 ? "given up" : "ended early");
    else
        lp_said_add(&m->now->said, LP_FORM_LONG,
                    "The run is over: of %s job%s %s %s done and %s %s turned away.", a,
                    lp_str_s(t->arrived), b, is_are(t->completed), c, was_were(t->blocked));
    lp_said_add(&m->now->said, LP_FORM_SHORT, "The run is over: %s done, %s blocked.", b, c);
}

static void say_event(const Moment *m) {
    LpSaid *said = &m->now->said;
    const LpEventFace *face = lp_event_face(m->event ? m->event->kind : LP_EVENT_NONE);
    LpBuf text = {0};
    if (face->whole) {
        lp_said_add(said, LP_FORM_LONG, "%s", face->whole);
    } else if (face->job && m->event->job != LP_NO_INDEX) {
        const LpJob *job = lp_world_job(m->model->world, m->event->job);
        m->now->job = m->event->job;
        lp_said_add(said, LP_FORM_LONG, "%s, %s, %s", m->name, lp_words_graph(m->model, job),
                    face->job);
        lp_said_add(said, LP_FORM_SHORT, "%s %s", m->name, face->job);
    } else {
        lp_words_event(m->model, m->event, &text);
        lp_said_add(said, LP_FORM_LONG, "%s.", lp_buf_text(&text));
        said->form[LP_FORM_LONG].failed |= text.failed;
        lp_buf_fini(&text);
    }
}

/* As lp_words_clock, on a clock that runs up to `scale`. */
static const char *print_clock(const LpModel *model, double time, double scale,
                               char out[LP_SHOW_TEXT]) {
    return model->scenario->epoch.given ? lp_words_clock(model, time, out)
                                        : lp_show_clock(time, scale, out);
}

/* Nothing happens at this time: jobs go on, and that is what has changed since the last event. */
static void say_between(const Moment *m) {
    const LpModel *model = m->model;
    const LpWorld *at_event = lp_session_world(model->session);
    LpSaid *said = &m->now->said;
    double scale = fmax(model->marks.scale, isfinite(model->until) ? model->until : 0.0);
    bool dates = model->scenario->epoch.given;
    const char *t = dates ? "" : "t ", *s = dates ? "" : " s";
    char from[LP_SHOW_TEXT], to[LP_SHOW_TEXT], jobs[LP_MANY_TEXT];
    lp_said_clear(said);
    print_clock(model, lp_world_now(at_event), scale, from);
    lp_str_many(jobs, model->running_count, "job");
    if (isfinite(model->until) && model->until > model->ui->look) {
        print_clock(model, model->until, scale, to);
        lp_said_add(said, LP_FORM_LONG, "Nothing happens from %s%s to %s%s; %s go%s on.", t, from,
                    to, s, jobs, model->running_count == 1 ? "es" : "");
        lp_said_add(said, LP_FORM_SHORT, "Nothing happens from %s%s to %s%s.", t, from, to, s);
    } else {
        lp_said_add(said, LP_FORM_LONG, "Nothing happens since %s%s%s; %s go%s on.", t, from, s,
                    jobs, model->running_count == 1 ? "es" : "");
    }
}

/* ---- what comes next ---- */

/* Says which stage of the decision comes next. */
static void say_next_stage(const Moment *m) {
    const LpModel *model = m->model;
    const LpDecision *d = &model->decision;
    int row = model->ui->row >= 0 && model->ui->row < (int)d->count ? model->ui->row : d->chosen;
    const LpForecast *f = row >= 0 ? &d->candidate[row].forecast : NULL;
    LpSaid *next = &m->now->next;
    LpBuf names = {0};
    if (model->ui->row < 0 && d->answer && d->answer->kind != LP_ANSWER_RUN) {
        lp_said_add(next, LP_FORM_LONG,
                    d->answer->kind == LP_ANSWER_WAIT ? "%s goes to the queue"
                                                      : "%s is turned away",
                    m->name);
        return;
    }
    switch (f && f->feasible ? model->ui->stage : LP_STAGE_COUNT) {
    case LP_STAGE_PARTITION:
        lp_words_servers(model, f->server, f->servers, 8, &names);
        lp_said_add(next, LP_FORM_LONG, "%u server%s, %s; it leaves %u free", (unsigned)f->servers,
                    f->servers == 1 ? "" : "s", lp_buf_text(&names),
                    (unsigned)d->candidate[row].free_after);
        lp_said_add(next, LP_FORM_SHORT, "%u server%s; it leaves %u free", (unsigned)f->servers,
                    f->servers == 1 ? "" : "s", (unsigned)d->candidate[row].free_after);
        break;
    case LP_STAGE_PLACE:
        lp_said_add(next, LP_FORM_LONG,
                    "in which order its servers run the ops of a training step");
        break;
    case LP_STAGE_ORDER_OPS:
        lp_said_add(next, LP_FORM_LONG, "which light paths carry its data");
        break;
    case LP_STAGE_CIRCUITS:
        lp_said_add(next, LP_FORM_LONG, "in which order its data are sent");
        break;
    default:
        lp_said_add(next, LP_FORM_LONG, "%s", f && f->feasible ? "it starts" : "the next decision");
        break;
    }
    lp_buf_fini(&names);
}

static void say_next_event(const Moment *m) {
    /* Which running job is done first, if nobody comes before. */
    const LpModel *model = m->model;
    const LpJob *job = NULL;
    for (uint32_t i = 0; i < model->running_count; i++)
        if (!job || model->running[i].job->times.end < job->times.end)
            job = model->running[i].job;
    LpSaid *next = &m->now->next;
    char at[LP_SHOW_TEXT], name[LP_WORDS_JOB];
    if (!job || !isfinite(job->times.end)) {
        lp_said_add(next, LP_FORM_LONG, "the next job comes");
        return;
    }
    lp_words_job(m->model, job, name);
    lp_show_seconds(job->times.end - lp_world_now(m->model->world), at);
    lp_said_add(next, LP_FORM_LONG, "a job comes, or %s is done in %s", name, at);
}

/* While it stands still: what the keys do that go on. */
static void say_keys(const Moment *m) {
    const LpKeymap *map = m->model->ui->keymap;
    char text[120], frame[16];
    lp_keymap_text(map, "   {next-decision} goes to the next decision, {play} plays", text,
                   sizeof text);
    lp_said_add(&m->now->next, LP_FORM_LONG, "%s", text);
    if (m->model->motion.scene != LP_SCENE_NONE)
        lp_said_add(&m->now->next, LP_FORM_LONG, ", %s goes on by a step",
                    lp_keymap_key(map, LP_UI_ACTION_FRAME_ON, frame));
}

static void say_next(const Moment *m) {
    LpSaid *next = &m->now->next;
    if (lp_world_over(m->model->world)) {
        char text[160];
        lp_keymap_text(m->model->ui->keymap,
                       "{back-decision} goes back, {blame} asks why a job was turned away", text,
                       sizeof text);
        lp_said_add(next, LP_FORM_LONG, "%s", text);
        return;
    }
    if (m->model->decision.due)
        say_next_stage(m);
    else
        say_next_event(m);
    if (m->model->ui->playing)
        return;
    if (!*lp_buf_text(&next->form[LP_FORM_MIDDLE]))
        lp_said_add(next, LP_FORM_MIDDLE, "%s", lp_buf_text(&next->form[LP_FORM_LONG]));
    say_keys(m);
}

/* Where playing stops at every decision. */
static void say_stopped(const Moment *m) {
    char text[80];
    lp_keymap_text(m->model->ui->keymap, " Stopped ({stops}): {play} shows what is decided.", text,
                   sizeof text);
    for (int i = 0; i < LP_FORM_SHORT && !m->model->ui->playing; i++)
        if (*lp_buf_text(&m->now->said.form[i]))
            lp_said_add(&m->now->said, (LpForm)i, "%s", text);
}

/* The last sentence of a text: of a question what is asked. */
static const char *last_sentence(const char *text) {
    const char *last = text;
    for (const char *at = text; (at = strstr(at, ". ")) != NULL; at += 2)
        last = at + 2;
    return last;
}

int lp_now_told_width(int cols) {
    enum { AROUND = 5 }; /* the pointer, and blanks */
    return cols > 20 + AROUND ? cols - AROUND : 20;
}

int lp_now_told_rows(const char *told, int cols) {
    int rows = 0;
    for (size_t next; *told; told += next, rows++)
        lp_flow_line(told, lp_now_told_width(cols), &next);
    return rows;
}

LpErr lp_now_update(LpModel *model, LpDiag *diag) {
    size_t events = lp_session_events(model->session);
    Moment m = {.model = model,
                .now = &model->now,
                .event = events ? lp_session_event(model->session, events - 1) : NULL};
    uint32_t job = model->decision.due ? model->decision.job : m.event ? m.event->job : LP_NO_INDEX;
    if (job != LP_NO_INDEX)
        lp_words_job(model, lp_world_job(model->world, job), m.name);
    m.now->verb = verb_of(&m);
    m.now->mark = LP_NOW_NONE;
    if (model->motion.scene == LP_SCENE_NONE && lp_world_over(model->world))
        say_end(&m);
    else if (model->motion.scene == LP_SCENE_NONE)
        say_event(&m);
    if (model->until > 0.0)
        say_between(&m);
    if (model->ui->stops && model->decision.due && model->motion.on && model->motion.frame == 0)
        say_stopped(&m);
    bool drafted = model->drafted.drafted && !model->motion.on;
    if (drafted)
        lp_now_draft(model, m.name);
    bool fast = model->ui->playing && model->ui->speed == LP_SPEED_16X;
    if (fast) {
        /* From job to job it would change faster than one reads. */
        const char *passed = model->ui->passed;
        m.now->verb = "PLAY";
        m.now->steps = 0;
        m.now->mark = LP_NOW_NONE;
        lp_said_clear(&m.now->said);
        lp_said_add(&m.now->said, LP_FORM_LONG, "%s",
                    passed[0] ? passed : "what happens is counted here");
    }
    bool looks = model->ui->looks[0] != '\0';
    if (looks) {
        m.now->verb = "LOOK";
        m.now->steps = 0;
        m.now->mark = LP_NOW_NONE;
        lp_said_clear(&m.now->said);
        lp_said_add(&m.now->said, LP_FORM_LONG, "%s; any key stops", model->ui->looks);
        lp_said_add(&m.now->said, LP_FORM_SHORT, "%s", model->ui->looks);
    }
    if (lp_model_asked(model->ui)) {
        /* The question of a lesson stays before one's eyes until its answer is known. */
        const char *ask = lp_model_asked(m.model->ui)->ask;
        m.now->verb = "ASK";
        m.now->steps = 0;
        lp_said_clear(&m.now->said);
        lp_said_add(&m.now->said, LP_FORM_LONG, "%s", ask);
        lp_said_add(&m.now->said, LP_FORM_SHORT, "%s", last_sentence(ask));
    }
    if (fast || looks)
        lp_said_clear(&m.now->next);
    else if (!drafted)
        say_next(&m);
    for (int i = 0; i < LP_FORMS; i++) {
        LP_TRY(lp_buf_ok(&m.now->said.form[i], diag));
        LP_TRY(lp_buf_ok(&m.now->next.form[i], diag));
    }
    return LP_OK;
}
