/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages every step of a lesson and computes its numbers again. */
#include "front/lesson_verify.h"

#include "app/app_impl.h"
#include "front/lesson_screen.h"
#include "many/study/lesson_fill.h"
#include "many/study/lesson_mark.h"
#include "many/study/study_lesson.h"
#include "model/lesson/lesson.h"

enum { ROWS = 30, COLS = 100 };

typedef struct Verify {
    LpApp app;
    LpLessonRun run;
    const LpLesson *lesson;
    const char *id;
    uint32_t wrong, computed, cited, solutions;
    LpBuf *out;
} Verify;

/* The fact's place stands before what is wrong with it. */
static LpErr fail_fact(const Verify *v, const LpLessonFact *fact, const LpDiag *cause,
                       LpDiag *diag) {
    const char *file = lp_session_scenario(v->app.session)->file;
    return lp_fail_at(diag, cause->code, file ? file : "lesson", fact->line, fact->col, "%s",
                      cause->text);
}

static LpErr verify_fact(Verify *v, uint32_t step, const LpLessonFact *fact, LpDiag *diag) {
    char shown[80], found[160];
    LpBuf value = {0};
    LpDiag cause = {0};
    if (fact->source == LP_LESSON_CITED) {
        v->cited++;
        return LP_OK;
    }
    if (lp_lesson_fact_value(fact, v->app.session, v->lesson->step[step - 1].run, &v->run, &value,
                             &cause) != LP_OK) {
        lp_buf_fini(&value);
        return fail_fact(v, fact, &cause, diag);
    }
    v->computed++;
    if (!lp_lesson_agrees(fact->shows, lp_buf_text(&value))) {
        v->wrong++;
        lp_buf_addf(v->out, "step %u: shows \"%s\", but it is %s\n", (unsigned)step,
                    lp_str_show(shown, sizeof shown, fact->shows),
                    lp_str_show(found, sizeof found, lp_buf_text(&value)));
    }
    lp_buf_fini(&value);
    return LP_OK;
}

/* Worked out: the caller's. NULL without a figure. */
static LpErr verify_figure(Verify *v, const LpLessonStep *step, LpLessonFill **out, LpDiag *diag) {
    LpLessonFill *fill;
    LpErr err = LP_OK;
    if (step->figure == NULL)
        return LP_OK;
    LP_TRY(lp_lesson_fill_new(v->run.scenario, step->figure, v->run.known, &fill, diag));
    while (err == LP_OK && !lp_lesson_fill_done(fill))
        err = lp_lesson_fill_work(fill, UINT32_MAX, diag);
    if (err == LP_OK)
        lp_lesson_fill_verify(fill, &v->computed, &v->wrong, v->out);
    *out = fill;
    return err;
}

/* ---- what is seen ---- */

/* Says what is wrong with a number that a step has, after the step's place. */
static void blame_step(Verify *v, uint32_t step, const char *number, const char *what) {
    const LpLessonStep *s = &v->lesson->step[step];
    char file[LP_DIAG_FILE], shown[80];
    v->wrong++;
    lp_buf_addf(v->out, "%s:%d:%d: step %u: %s %s\n",
                lp_str_show(file, sizeof file, v->run.scenario), s->line, s->col,
                (unsigned)step + 1, lp_str_show(shown, sizeof shown, number), what);
}

/* What is seen of a step that is on the screen with its question open, and afterwards. */
static LpErr look_at_step(Verify *v, uint32_t step, LpBuf *seen, LpDiag *diag) {
    const LpLessonQuestion *q = v->lesson->step[step].question;
    char number[64];
    LP_TRY(lp_lesson_screens(&v->app, seen, diag));
    if (q == NULL)
        return LP_OK;
    if (lp_lesson_answer_seen(q, lp_buf_text(seen), number, sizeof number))
        blame_step(v, step, number, "is on the screen, and answers the question that is open");
    for (uint32_t choice = 0; choice < q->choices; choice++)
        if (choice != q->answer) /* what is then shown must be there */
            LP_TRY(lp_app_lesson_choose(&v->app, (int)choice, 0, diag));
    LP_TRY(lp_app_lesson_answer(&v->app, 0, diag));
    return lp_lesson_screens(&v->app, seen, diag);
}

static void verify_seen(Verify *v, uint32_t step, const char *seen) {
    const LpLessonStep *s = &v->lesson->step[step];
    const LpLessonQuestion *q = s->question;
    const char *const texts[] = {s->title, s->text, q ? q->ask : NULL,
                                 q ? q->choice[q->answer].text : NULL, q ? q->reveal : NULL};
    char number[64];
    for (size_t i = 0; i < LP_COUNTOF(texts); i++)
        if (!lp_lesson_all_seen(texts[i], seen, number, sizeof number))
            blame_step(v, step, number,
                       "is in its text, and neither on its screen nor in its figure or facts");
}

static LpErr verify_screen(Verify *v, uint32_t step, const LpLessonFill *fill, LpDiag *diag) {
    LpBuf seen = {0};
    LpErr err = look_at_step(v, step, &seen, diag);
    lp_lesson_told(&v->lesson->step[step], fill, &seen);
    if (err == LP_OK)
        err = lp_buf_ok(&seen, diag);
    if (err == LP_OK)
        verify_seen(v, step, lp_buf_text(&seen));
    lp_buf_fini(&seen);
    return err;
}

/* A table of which nothing but the names of its rows is seen helps nobody to answer. */
static bool hides_all(const LpLessonFigure *figure) {
    uint32_t hidden = 0;
    for (uint32_t r = 0; figure->kind == LP_LESSON_TABLE && r < figure->rows; r++)
        for (uint32_t c = 1; c < figure->row[r].cells; c++) {
            if (!figure->row[r].cell[c].hidden)
                return false;
            hidden++;
        }
    return hidden > 0;
}

/* A number that no fact shows may be invented. */
static void verify_numbers(Verify *v) {
    char number[40], shown[60];
    uint32_t step;
    if (lp_lesson_numbers_known(v->lesson, &step, number, sizeof number))
        return;
    v->wrong++;
    lp_str_show(shown, sizeof shown, number);
    if (step == 0)
        lp_buf_addf(v->out, "the goal names %s, which no fact shows\n", shown);
    else if (step > v->lesson->steps)
        lp_buf_addf(v->out, "the exercise names %s, which no fact shows\n", shown);
    else
        lp_buf_addf(v->out, "step %u names %s, which no fact shows\n", (unsigned)step, shown);
}

/* Policies that must pass the exercise, or fail. */
static void verify_solutions(Verify *v, const LpLessonSolution *list, uint32_t count, bool passes) {
    const LpLessonAttempt attempt = {.scenario = v->run.scenario, .id = v->id};
    char text[LP_DIAG_TEXT + LP_DIAG_FILE];
    for (uint32_t i = 0; i < count; i++) {
        bool right = false;
        LpDiag cause = {0};
        LpErr err = lp_lesson_mark_known(&attempt, &list[i], passes, &right, v->out, &cause);
        if (err != LP_OK)
            lp_buf_addf(v->out, "  wrong: %s\n", lp_diag_format(&cause, text, sizeof text));
        v->solutions++;
        v->wrong += right ? 0 : 1;
    }
}

static void verify_exercise(Verify *v) {
    const LpLessonExercise *e = v->lesson->exercise;
    if (e == NULL)
        return;
    verify_solutions(v, e->passing, e->passes, true);
    verify_solutions(v, e->failing, e->fails, false);
}

static LpErr verify_all(Verify *v, LpDiag *diag) {
    if (v->app.failed) {
        *diag = v->app.diag;
        return diag->code;
    }
    for (uint32_t step = 0; step < v->lesson->steps; step++) {
        const LpLessonStep *s = &v->lesson->step[step];
        LpLessonFill *fill = NULL;
        if (step > 0) /* the first was staged when the lesson was opened */
            LP_TRY(lp_app_lesson_go(&v->app, step, 0, diag));
        for (uint32_t f = 0; f < s->facts; f++)
            LP_TRY(verify_fact(v, step + 1, &s->fact[f], diag));
        LpErr err = verify_figure(v, s, &fill, diag);
        if (s->figure != NULL && s->question != NULL && hides_all(s->figure))
            blame_step(v, step, "the table", "hides all of its values: show what is not asked");
        if (err == LP_OK)
            err = verify_screen(v, step, fill, diag);
        lp_lesson_fill_free(fill);
        LP_TRY(err);
    }
    verify_numbers(v);
    verify_exercise(v);
    lp_buf_addf(v->out, "%u step%s, %u number%s computed, %u cited, %u polic%s marked, %u wrong\n",
                (unsigned)v->lesson->steps, lp_str_s(v->lesson->steps), (unsigned)v->computed,
                lp_str_s(v->computed), (unsigned)v->cited, (unsigned)v->solutions,
                v->solutions == 1 ? "y" : "ies", (unsigned)v->wrong);
    return lp_buf_ok(v->out, diag);
}

LpErr lp_lesson_verify(LpSession *session, const char *scenario, const char *id, uint32_t *wrong,
                       LpBuf *out, LpDiag *diag) {
    static const LpUiOptions options = {.no_motion = true};
    Verify v = {.id = id, .lesson = lp_session_scenario(session)->lesson, .out = out};
    char shown[LP_DIAG_FILE];
    if (v.lesson == NULL)
        return lp_fail(diag, LP_EINVAL, "%s has no lesson",
                       lp_str_show(shown, sizeof shown, scenario));
    v.run = (LpLessonRun){.scenario = scenario, .known = &v.app.known};
    LpErr err = lp_app_open(&v.app, session, &options, ROWS, COLS, diag);
    if (err == LP_OK)
        err = verify_all(&v, diag);
    lp_lesson_run_fini(&v.run);
    lp_app_fini(&v.app);
    if (err == LP_OK)
        *wrong = v.wrong;
    return err;
}
