/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks as text and JSON, and policies of which the mark is known. */
#include <math.h>
#include <string.h>

#include "base/json_out.h"
#include "base/num.h"
#include "many/study/lesson_impl.h"
#include "many/study/lesson_mark.h"
#include "model/lesson/lesson.h"

static void add_shown(LpBuf *out, const char *text) {
    lp_str_escape(out, text, strlen(text));
}

/* ---- for people ---- */

static const char *first_reason(const LpLessonMark *mark) {
    for (uint32_t i = 0; i < mark->exercise->checks; i++)
        if (!mark->check[i].held)
            return lp_buf_text(&mark->check[i].says);
    return "";
}

static void add_check(const LpLessonMark *mark, uint32_t index, LpBuf *out) {
    const LpLessonCheck *check = &mark->exercise->check[index];
    const LpLessonTrial *trial = &mark->exercise->trial[check->run];
    const LpLessonCheckMark *m = &mark->check[index];
    bool asks_run = check->must.source == LP_LESSON_LUA || check->must.source == LP_LESSON_RESULT;
    lp_buf_addf(out, "  %2u of %-2u ", m->held ? (unsigned)check->points : 0,
                (unsigned)check->points);
    if (trial->name != NULL && asks_run) {
        lp_buf_add(out, " ");
        add_shown(out, trial->name);
        lp_buf_add(out, trial->hidden ? " (hidden):" : ":");
    }
    if (check->name != NULL) {
        lp_buf_add(out, " ");
        add_shown(out, check->name);
        if (!m->held)
            lp_buf_add(out, ":");
    }
    if (!m->held)
        lp_buf_addf(out, " %s", lp_buf_text(&m->says));
    else if (check->name == NULL) {
        lp_buf_add(out, " holds: ");
        add_shown(out, check->must.text);
    }
    lp_buf_add(out, "\n");
}

void lp_lesson_mark_text(const LpLessonMark *mark, LpBuf *out) {
    const LpLessonExercise *e = mark->exercise;
    unsigned got = mark->points, of = e->points;
    if (mark->passed) {
        lp_buf_addf(out, "passed (%u of %u point%s): ", got, of, of == 1 ? "" : "s");
        add_shown(out, e->done);
    } else {
        lp_buf_addf(out, "not yet (%u of %u point%s", got, of, of == 1 ? "" : "s");
        if (e->pass < e->points)
            lp_buf_addf(out, ", %u needed", (unsigned)e->pass);
        lp_buf_addf(out, "): %s", first_reason(mark));
    }
    lp_buf_add(out, "\n");
    for (uint32_t i = 0; i < e->checks; i++)
        add_check(mark, i, out);
}

void lp_lesson_own_text(const LpLessonExercise *exercise, const char *id, LpBuf *out) {
    uint32_t index[LP_LESSON_OWN] = {0};
    uint64_t seed;
    lp_lesson_own(exercise, id, &seed, index);
    lp_buf_addf(out, "seed %llu", (unsigned long long)seed);
    for (uint32_t i = 0; exercise->own != NULL && i < exercise->own->lists; i++) {
        lp_buf_add(out, ", ");
        add_shown(out, exercise->own->list[i].set[index[i]]);
    }
}

/* ---- for programs ---- */

static void put_check(const LpLessonMark *mark, uint32_t index, LpJsonOut *out) {
    static const char *const sources[] = {
        [LP_LESSON_LUA] = "lua",     [LP_LESSON_RESULT] = "result", [LP_LESSON_CITED] = "cited",
        [LP_LESSON_GIVEN] = "value", [LP_LESSON_DOC] = "doc",       [LP_LESSON_WORDS] = "source"};
    const LpLessonCheck *check = &mark->exercise->check[index];
    const LpLessonCheckMark *m = &mark->check[index];
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "run", mark->exercise->trial[check->run].name);
    lp_json_put_bool(out, "hidden", mark->exercise->trial[check->run].hidden);
    lp_json_put_text(out, "name", check->name);
    lp_json_put_text(out, sources[check->must.source], check->must.text);
    lp_json_put_number(out, "found", m->value);
    lp_json_put_bool(out, "held", m->held);
    lp_json_put_count(out, "points", m->held ? check->points : 0);
    lp_json_put_count(out, "of", check->points);
    lp_json_put_text(out, "says", m->held ? NULL : lp_buf_text(&m->says));
    lp_json_close(out, '}');
}

void lp_lesson_mark_json(const LpLessonMark *mark, const LpLessonAttempt *attempt, LpBuf *out) {
    const LpLessonExercise *e = mark->exercise;
    LpJsonOut json = {.out = out};
    LpBuf own = {0};
    lp_json_open(&json, NULL, '{');
    lp_json_put_text(&json, "lesson", mark->lesson);
    lp_json_put_text(&json, "solution", attempt->policy);
    lp_json_put_text(&json, "id", attempt->id);
    if (attempt->id != NULL)
        lp_lesson_own_text(e, attempt->id, &own);
    lp_json_put_text(&json, "own", attempt->id != NULL ? lp_buf_text(&own) : NULL);
    lp_json_put_bool(&json, "passed", mark->passed);
    lp_json_put_count(&json, "points", mark->points);
    lp_json_put_count(&json, "of", e->points);
    lp_json_put_count(&json, "pass", e->pass);
    lp_json_open(&json, "checks", '[');
    for (uint32_t i = 0; i < e->checks; i++)
        put_check(mark, i, &json);
    lp_json_close(&json, ']');
    lp_json_end(&json);
    out->failed |= own.failed;
    lp_buf_fini(&own);
}

/* ---- known solutions ---- */

/* What is wrong with the mark, after "but"; "" where it is as expected. */
static void compare(const LpLessonMark *mark, const LpLessonSolution *s, bool passes, LpBuf *out) {
    LpBuf reasons = {0};
    /* All reasons, a line each. */
    for (uint32_t i = 0; i < mark->exercise->checks; i++)
        if (!mark->check[i].held)
            lp_buf_addf(&reasons, "%s\n", lp_buf_text(&mark->check[i].says));
    if (mark->passed != passes)
        lp_buf_add(out, passes ? "it should pass" : "it should not pass");
    else if (s->has_points && s->points != mark->points)
        lp_buf_addf(out, "%u point%s %s expected", (unsigned)s->points, lp_str_s(s->points),
                    s->points == 1 ? "is" : "are");
    else if (s->says != NULL && strstr(lp_buf_text(&reasons), s->says) == NULL) {
        lp_buf_add(out, "no reason says \"");
        add_shown(out, s->says);
        lp_buf_add(out, "\"");
    }
    out->failed |= reasons.failed;
    lp_buf_fini(&reasons);
}

static void add_known(const LpLessonMark *mark, const LpLessonSolution *s, const LpBuf *wrong,
                      LpBuf *out) {
    lp_buf_addf(out, "  %s: ", mark->passed ? "passes" : "fails");
    add_shown(out, s->file != NULL ? s->file : s->policy);
    for (uint32_t i = 0; i < s->params; i++) {
        lp_buf_add(out, " ");
        add_shown(out, s->param[i]);
    }
    lp_buf_addf(out, ", %u of %u point%s", (unsigned)mark->points, (unsigned)mark->exercise->points,
                lp_str_s(mark->exercise->points));
    if (!mark->passed)
        lp_buf_addf(out, ": %s", first_reason(mark));
    if (wrong->len > 0)
        lp_buf_addf(out, "\n    wrong: %s", lp_buf_text(wrong));
    lp_buf_add(out, "\n");
    if (wrong->len > 0 && mark->passed)
        for (uint32_t i = 0; i < mark->exercise->checks; i++)
            add_check(mark, i, out);
}

LpErr lp_lesson_mark_known(const LpLessonAttempt *attempt, const LpLessonSolution *solution,
                           bool passes, bool *right, LpBuf *out, LpDiag *diag) {
    LpLessonAttempt own = *attempt;
    LpLessonMark mark = {0};
    LpBuf path = {0}, wrong = {0};
    LpDiag cause = {0};
    lp_lesson_policy_path(attempt->scenario,
                          solution->file != NULL ? solution->file : solution->policy, &path);
    own.policy = lp_buf_text(&path);
    own.params = solution->params;
    own.param = solution->param;
    LpErr err = lp_buf_ok(&path, &cause);
    if (err == LP_OK)
        err = lp_lesson_mark(&own, &mark, &cause);
    if (err == LP_OK) {
        compare(&mark, solution, passes, &wrong);
        add_known(&mark, solution, &wrong, out);
        *right = wrong.len == 0;
        out->failed |= wrong.failed;
    } else {
        char text[LP_DIAG_TEXT + LP_DIAG_FILE];
        lp_fail_at(diag, err, attempt->scenario, solution->line, solution->col, "%s",
                   lp_diag_format(&cause, text, sizeof text));
    }
    lp_lesson_mark_fini(&mark);
    lp_buf_fini(&path);
    lp_buf_fini(&wrong);
    return err;
}
