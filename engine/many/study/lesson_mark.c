/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a solution of a lesson's exercise and gives points. */
#include "many/study/lesson_mark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/num.h"
#include "many/study/lesson_impl.h"
#include "model/lesson/lesson.h"
#include "session/breakpoint.h"
#include "session/session_impl.h"

/* What has been seen of a condition, over the seeds of its run. */
typedef struct Seen {
    double sum;
    uint32_t count, held;
} Seen;

typedef struct Marking {
    const LpLessonAttempt *attempt;
    const LpLessonExercise *exercise;
    LpLessonMark *mark;
    const char *set[LP_LESSON_OWN]; /* the student's own */
    uint32_t sets;
    uint64_t seed;
    double spent; /* s of computing */
    bool late;    /* the limit is reached */
    Seen **seen;  /* of each check: of its condition, then of those of its reasons */
} Marking;

/* ---- the time that it takes ---- */

static double computing(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct Watch {
    const Marking *marking;
    double began;
} Watch;

static bool in_time(void *user, const LpSession *session LP_UNUSED) {
    const Watch *w = user;
    double limit = w->marking->attempt->seconds;
    return limit <= 0 || w->marking->spent + computing() - w->began < limit;
}

/* ---- conditions ---- */

static LpErr look(const LpLessonCondition *c, LpSession *session, LpBuf *whole, Seen *seen,
                  LpDiag *diag) {
    LpBuf value = {0};
    double number = (double)NAN;
    bool holds = false;
    LpErr err = LP_OK;
    switch (c->source) {
    case LP_LESSON_RESULT:
        err = lp_lesson_result(session, whole, c->text, &value, diag);
        if (lp_num_parse(lp_buf_text(&value), &number, NULL) != LP_OK)
            number = (double)NAN;
        break;
    case LP_LESSON_LUA:
        err = lp_lesson_lua(session, c->text, &value, diag);
        holds = lp_lesson_is_true(lp_buf_text(&value));
        break;
    case LP_LESSON_DOC:
        holds = lp_lesson_words_hold(
            c, session->loaded.policy ? lp_policy_doc(session->loaded.policy) : "");
        break;
    case LP_LESSON_WORDS:
        holds = lp_lesson_words_hold(
            c, session->loaded.policy ? lp_policy_source(session->loaded.policy) : "");
        break;
    case LP_LESSON_CITED:
    case LP_LESSON_GIVEN:
        break;
    }
    lp_buf_fini(&value);
    seen->sum += number;
    seen->count++;
    seen->held += holds ? 1 : 0;
    return err;
}

static double mean_of(const Seen *seen) {
    return seen->count > 0 ? seen->sum / seen->count : (double)NAN;
}

static bool within(const LpLessonCondition *c, const Seen *seen) {
    double mean = mean_of(seen);
    return mean >= c->min && mean <= c->max; /* NAN: false */
}

/* A check must hold for every seed; a reason applies where it did for one. */
static bool holds(const LpLessonCondition *c, const Seen *seen, bool always) {
    if (c->source == LP_LESSON_RESULT)
        return within(c, seen);
    return always ? seen->count > 0 && seen->held == seen->count : seen->held > 0;
}

/* ---- what is told ---- */

static void say(LpBuf *out, const char *text) {
    lp_str_escape(out, text, strlen(text));
}

/* " (summary.blocked is 31, expected at most 20)" */
static void say_value(LpBuf *out, const LpLessonCondition *c, double value) {
    char low[LP_NUM_TEXT], high[LP_NUM_TEXT], is[40];
    lp_num_print(c->min, low);
    lp_num_print(c->max, high);
    snprintf(is, sizeof is, "%.6g", value);
    lp_buf_add(out, " (");
    say(out, c->text);
    lp_buf_addf(out, " is %s, expected ", isfinite(value) ? is : "not known");
    if (c->min >= c->max)
        lp_buf_addf(out, "%s)", low);
    else if (!isfinite(c->max))
        lp_buf_addf(out, "at least %s)", low);
    else if (!isfinite(c->min))
        lp_buf_addf(out, "at most %s)", high);
    else
        lp_buf_addf(out, "%s to %s)", low, high);
}

static void judge(Marking *m, uint32_t index) {
    const LpLessonCheck *check = &m->exercise->check[index];
    LpLessonCheckMark *mark = &m->mark->check[index];
    const Seen *seen = m->seen[index];
    uint32_t reason = 0;
    if (mark->says.len > 0) /* its run failed */
        return;
    mark->held = holds(&check->must, &seen[0], true);
    mark->value = check->must.source == LP_LESSON_RESULT ? mean_of(&seen[0]) : (double)NAN;
    if (mark->held) {
        m->mark->points += check->points;
        return;
    }
    while (!check->reason[reason].always &&
           !holds(&check->reason[reason].when, &seen[1 + reason], false))
        reason++;
    say(&mark->says, check->reason[reason].say);
    if (check->must.source == LP_LESSON_RESULT)
        say_value(&mark->says, &check->must, mark->value);
}

/* ---- runs ---- */

static void fail_run(Marking *m, uint32_t run, const char *text) {
    for (uint32_t i = 0; i < m->exercise->checks; i++) {
        LpLessonCheckMark *mark = &m->mark->check[i];
        if (m->exercise->check[i].run == run && mark->says.len == 0)
            lp_buf_add(&mark->says, text);
    }
}

static LpErr look_at_all(Marking *m, uint32_t run, LpSession *session, LpDiag *diag) {
    LpBuf whole = {0};
    LpErr err = LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < m->exercise->checks; i++) {
        const LpLessonCheck *check = &m->exercise->check[i];
        if (check->run != run)
            continue;
        err = look(&check->must, session, &whole, &m->seen[i][0], diag);
        if (m->exercise->trial[run].seeds <= 1 && holds(&check->must, &m->seen[i][0], true))
            continue; /* nobody will ask why not */
        for (uint32_t r = 0; err == LP_OK && r < check->reasons; r++)
            if (!check->reason[r].always)
                err = look(&check->reason[r].when, session, &whole, &m->seen[i][1 + r], diag);
    }
    lp_buf_fini(&whole);
    return err;
}

/* To its end; *failed: the reason is told, there is nothing to look at. */
static LpErr finish(Marking *m, uint32_t run, LpSession *session, bool *failed, LpDiag *diag) {
    Watch watch = {m, computing()};
    char text[LP_DIAG_TEXT + LP_DIAG_FILE], said[LP_DIAG_TEXT + LP_DIAG_FILE + 40];
    bool stopped = false;
    LP_TRY(lp_session_run(session, in_time, &watch, &stopped, diag));
    m->spent += computing() - watch.began;
    const LpDiag *failure = lp_session_first_failure(session);
    *failed = stopped || failure != NULL;
    if (stopped)
        snprintf(said, sizeof said, "it computes for longer than %g s", m->attempt->seconds);
    else if (failure != NULL)
        snprintf(said, sizeof said, "the policy fails: %s",
                 lp_diag_format(failure, text, sizeof text));
    m->late |= stopped;
    if (*failed)
        fail_run(m, run, said);
    return LP_OK;
}

static LpErr open_run(const Marking *m, const LpLessonTrial *trial, uint32_t seed,
                      LpSession **session, LpDiag *diag) {
    const LpLessonAttempt *a = m->attempt;
    const char *set[LP_LESSON_OWN + 256];
    uint32_t sets = 0;
    LpSessionSpec spec = {.scenario = a->scenario,
                          .policy = a->policy,
                          .params = a->params,
                          .param = a->param,
                          .has_seed = trial->run.has_seed || trial->seeds > 0 || a->id != NULL,
                          .seed = trial->run.seed,
                          .max_memory = a->max_memory,
                          .log = a->log};
    if (trial->seeds > 0)
        spec.seed = trial->seed[seed];
    else if (a->id != NULL)
        spec.seed = m->seed;
    for (uint32_t i = 0; i < trial->run.sets && sets < 256; i++)
        set[sets++] = trial->run.set[i];
    for (uint32_t i = 0; i < m->sets; i++)
        set[sets++] = m->set[i];
    spec.sets = sets;
    spec.set = set;
    return lp_lesson_open(&spec, session, diag);
}

static LpErr do_run(Marking *m, uint32_t run, uint32_t seed, LpDiag *diag) {
    LpSession *session;
    bool failed = false;
    LP_TRY(open_run(m, &m->exercise->trial[run], seed, &session, diag));
    LpErr err = finish(m, run, session, &failed, diag);
    if (err == LP_OK && !failed)
        err = look_at_all(m, run, session, diag);
    lp_session_close(session);
    return err;
}

/* ---- all of it ---- */

static LpErr find_exercise(Marking *m, LpDiag *diag) {
    LpSessionSpec spec = {.scenario = m->attempt->scenario};
    char shown[LP_DIAG_FILE];
    LP_TRY(lp_session_open(&spec, &m->mark->session, diag));
    const LpScenario *scenario = lp_session_scenario(m->mark->session);
    if (scenario->lesson == NULL || scenario->lesson->exercise == NULL)
        return lp_fail(diag, LP_EINVAL, "%s has no exercise to check",
                       lp_str_show(shown, sizeof shown, m->attempt->scenario));
    m->exercise = m->mark->exercise = scenario->lesson->exercise;
    m->mark->lesson = scenario->name;
    return LP_OK;
}

/* One block for all conditions, and a list of where those of each check begin. */
static LpErr make_room(Marking *m, LpDiag *diag) {
    const LpLessonExercise *e = m->exercise;
    size_t all = 0, at = 0;
    for (uint32_t i = 0; i < e->checks; i++)
        all += 1 + e->check[i].reasons;
    m->mark->check = calloc(e->checks, sizeof *m->mark->check);
    m->seen = calloc(e->checks, sizeof *m->seen);
    Seen *seen = calloc(all, sizeof *seen);
    if (m->mark->check == NULL || m->seen == NULL || seen == NULL) {
        free(seen);
        free(m->seen);
        m->seen = NULL;
        return lp_fail_memory(diag, "marking");
    }
    for (uint32_t i = 0; i < e->checks; i++) {
        m->seen[i] = seen + at;
        at += 1 + e->check[i].reasons;
    }
    return LP_OK;
}

static void draw_own(Marking *m) {
    uint32_t index[LP_LESSON_OWN] = {0};
    const LpLessonOwn *own = m->exercise->own;
    if (m->attempt->id == NULL)
        return;
    lp_lesson_own(m->exercise, m->attempt->id, &m->seed, index);
    for (uint32_t i = 0; own != NULL && i < own->lists; i++)
        m->set[m->sets++] = own->list[i].set[index[i]];
}

static LpErr mark_all(Marking *m, LpDiag *diag) {
    LpErr err = LP_OK;
    draw_own(m);
    for (uint32_t run = 0; run < m->exercise->trials; run++) {
        uint32_t seeds = m->exercise->trial[run].seeds;
        for (uint32_t seed = 0; seed < (seeds > 0 ? seeds : 1); seed++) {
            if (!m->late)
                LP_TRY(do_run(m, run, seed, diag));
            else
                fail_run(m, run, "it was not run: the time is up");
        }
    }
    for (uint32_t i = 0; i < m->exercise->checks; i++) {
        judge(m, i);
        if (err == LP_OK)
            err = lp_buf_ok(&m->mark->check[i].says, diag);
    }
    m->mark->passed = m->mark->points >= m->exercise->pass;
    return err;
}

LpErr lp_lesson_mark(const LpLessonAttempt *attempt, LpLessonMark *mark, LpDiag *diag) {
    Marking m = {.attempt = attempt, .mark = mark};
    *mark = (LpLessonMark){0};
    LpErr err = find_exercise(&m, diag);
    if (err == LP_OK)
        err = make_room(&m, diag);
    if (err == LP_OK)
        err = mark_all(&m, diag);
    if (m.seen != NULL)
        free(m.seen[0]);
    free(m.seen);
    return err;
}

void lp_lesson_mark_fini(LpLessonMark *mark) {
    for (uint32_t i = 0; mark->check != NULL && i < mark->exercise->checks; i++)
        lp_buf_fini(&mark->check[i].says);
    free(mark->check);
    lp_session_close(mark->session);
    *mark = (LpLessonMark){0};
}
