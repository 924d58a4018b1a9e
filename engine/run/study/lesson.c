/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a lesson's runs, and the marking of its exercise. */
#include "run/study/lesson.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "io/json/json.h"
#include "run/moment/moment.h"
#include "run/report/report.h"
#include "run/session/breakpoint.h"

void lp_lesson_run_fini(LpLessonRun *run) {
    lp_session_close(run->session);
    lp_buf_fini(&run->result);
    run->session = NULL;
    run->result = (LpBuf){0};
}

/* ---- values of a result ---- */

/* Follows "jobs[0].step_time" from the root; NOTHING where it does not lead. */
static LpJsonValue value_at(const LpJson *doc, const char *path) {
    LpJsonValue at = lp_json_root(doc);
    while (*path != '\0' && at.item != NULL) {
        char name[64];
        size_t len = strcspn(path, ".[");
        if (len > 0) {
            lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, path);
            at = lp_json_member(at, name);
        }
        path += len;
        if (*path == '[') {
            uint64_t index = 0;
            size_t digits = strcspn(path + 1, "]");
            lp_str_copy(name, digits + 1 < sizeof name ? digits + 1 : sizeof name, path + 1);
            if (path[1 + digits] != ']' || lp_num_parse_u64(name, &index, NULL) != LP_OK)
                return (LpJsonValue){0};
            for (at = lp_json_first(at); at.item != NULL && index > 0; index--)
                at = lp_json_next(at);
            path += digits + 2;
        }
        path += *path == '.';
    }
    return at;
}

/* Is the value what a path says, "8" or "completed"? */
static bool says(LpJsonValue value, const char *text, size_t len) {
    LpBuf own = {0};
    if (lp_json_kind(value) == LP_JSON_TEXT)
        lp_buf_add(&own, lp_json_text(value));
    else if (value.item != NULL)
        lp_json_print(value, &own);
    bool same = own.len == len && strncmp(lp_buf_text(&own), text, len) == 0;
    lp_buf_fini(&own);
    return same;
}

/* How many entries there are of which "jobs[degree=8]" holds. False for a path of another form. */
static bool count_at(const LpJson *doc, const char *path, uint32_t *count) {
    char name[64];
    const char *key = strchr(path, '['), *equals = strchr(path, '='), *end = strchr(path, ']');
    if (key == NULL || equals == NULL || end == NULL || equals < key || end < equals ||
        end[1] != '\0' || (size_t)(equals - key) > sizeof name)
        return false;
    lp_str_copy(name,
                (size_t)(key - path) + 1 < sizeof name ? (size_t)(key - path) + 1 : sizeof name,
                path);
    LpJsonValue list = lp_json_member(lp_json_root(doc), name);
    lp_str_copy(name, (size_t)(equals - key), key + 1);
    *count = 0;
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        *count += says(lp_json_member(v, name), equals + 1, (size_t)(end - equals - 1)) ? 1 : 0;
    return list.item != NULL;
}

/* The part of a result that the path leads into: most ask for sums, then the jobs are not read. */
static void relevant(const LpBuf *result, const char *path, LpBuf *out) {
    const char *text = lp_buf_text(result);
    const char *sums = strncmp(path, "summary.", 8) == 0 ? strstr(text, "\"summary\":") : NULL;
    lp_buf_addf(out, "%s%s", sums != NULL ? "{" : "", sums != NULL ? sums : text);
}

static LpErr add_value(const LpJson *doc, const char *path, LpBuf *out, LpDiag *diag) {
    LpJsonValue value = value_at(doc, path);
    char shown[80];
    uint32_t count;
    if (value.item == NULL && count_at(doc, path, &count)) {
        lp_buf_addf(out, "%u", (unsigned)count);
        return lp_buf_ok(out, diag);
    }
    if (value.item == NULL)
        return lp_fail(diag, LP_EINVAL,
                       "there is no result \"%s\": expected a path into what run --json prints, "
                       "such as summary.blocking_rate or jobs[0].jct",
                       lp_str_show(shown, sizeof shown, path));
    if (lp_json_kind(value) == LP_JSON_TEXT)
        lp_buf_add(out, lp_json_text(value));
    else
        lp_json_print(value, out);
    return lp_buf_ok(out, diag);
}

/* Appends the value of the result at the path. */
static LpErr add_result(const LpBuf *result, const char *path, LpBuf *out, LpDiag *diag) {
    LpJson *doc = NULL;
    LpBuf text = {0};
    relevant(result, path, &text);
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = lp_json_parse("result", lp_buf_text(&text), text.len, &doc, diag);
    if (err == LP_OK)
        err = add_value(doc, path, out, diag);
    lp_json_free(doc);
    lp_buf_fini(&text);
    return err;
}

/* ---- runs ---- */

static bool same_sets(const LpLessonRun *run, uint32_t sets, const char *const *set) {
    if (run->sets != sets)
        return false;
    for (uint32_t i = 0; i < sets; i++)
        if (strcmp(run->set[i], set[i]) != 0)
            return false;
    return true;
}

/* Opens the scenario with the sets, unless that is what is open. */
static LpErr open_run(LpLessonRun *run, uint32_t sets, const char *const *set, LpDiag *diag) {
    if (run->session != NULL && same_sets(run, sets, set))
        return LP_OK;
    LpSessionSpec spec = {.scenario = run->scenario, .sets = sets, .set = set};
    LpSession *session;
    LP_TRY(lp_session_open(&spec, &session, diag));
    lp_session_close(run->session);
    lp_buf_clear(&run->result);
    run->session = session;
    run->sets = sets;
    run->set = set;
    return LP_OK;
}

static LpErr finish_run(LpLessonRun *run, LpDiag *diag) {
    bool stopped;
    if (run->result.len > 0)
        return LP_OK;
    LP_TRY(lp_session_run(run->session, NULL, NULL, &stopped, diag));
    return lp_report_whole(run->session, LP_REPORT_JSON, &run->result, diag);
}

static LpErr go_to(LpSession *session, const char *at, LpDiag *diag) {
    LpAt moment;
    bool stopped;
    if (at != NULL && strcmp(at, "end") == 0)
        return lp_session_run(session, NULL, NULL, &stopped, diag);
    LP_TRY(lp_at_parse(at != NULL ? at : "d0", &moment, diag));
    return lp_session_go(session, &moment, diag);
}

LpErr lp_lesson_fact_value(const LpLessonFact *fact, const LpSession *here, LpLessonRun *run,
                           LpBuf *out, LpDiag *diag) {
    if (fact->source == LP_LESSON_RESULT) {
        LP_TRY(open_run(run, fact->sets, fact->set, diag));
        LP_TRY(finish_run(run, diag));
        return add_result(&run->result, fact->text, out, diag);
    }
    if (fact->sets > 0 || fact->at != NULL) {
        lp_lesson_run_fini(run); /* a session without a time line goes only forward */
        LP_TRY(open_run(run, fact->sets, fact->set, diag));
        LP_TRY(go_to(run->session, fact->at, diag));
        here = run->session;
    }
    LP_TRY(lp_session_query(here, fact->text, out, diag));
    while (out->len > 0 && out->text[out->len - 1] == '\n')
        out->text[--out->len] = '\0';
    return LP_OK;
}

/* ---- marking ---- */

static void say(LpLessonMark *mark, const char *text) {
    lp_str_escape(&mark->reason, text, strlen(text));
}

/* "summary.blocked is 31, expected at most 20" */
static void say_value(LpLessonMark *mark, const LpLessonCheck *check, const char *value) {
    char low[LP_NUM_TEXT], high[LP_NUM_TEXT];
    lp_buf_add(&mark->reason, " (");
    say(mark, check->must.text);
    lp_buf_add(&mark->reason, " is ");
    say(mark, value);
    lp_num_print(check->must.min, low);
    lp_num_print(check->must.max, high);
    if (!isfinite(check->must.max))
        lp_buf_addf(&mark->reason, ", expected at least %s)", low);
    else if (!isfinite(check->must.min))
        lp_buf_addf(&mark->reason, ", expected at most %s)", high);
    else
        lp_buf_addf(&mark->reason, ", expected %s to %s)", low, high);
}

/* Does it hold? Else the reason says why not. */
static LpErr check_one(const LpLessonCheck *check, LpLessonRun *run, LpLessonMark *mark,
                       bool *holds, LpDiag *diag) {
    LpBuf value = {0};
    double number;
    LpErr err = check->must.source == LP_LESSON_RESULT
                    ? add_result(&run->result, check->must.text, &value, diag)
                    : lp_session_query(run->session, check->must.text, &value, diag);
    while (value.len > 0 && value.text[value.len - 1] == '\n')
        value.text[--value.len] = '\0';
    const char *text = lp_buf_text(&value);
    bool is_number = lp_num_parse(text, &number, NULL) == LP_OK;
    if (check->must.source == LP_LESSON_RESULT)
        *holds = is_number && number >= check->must.min && number <= check->must.max;
    else
        *holds = strcmp(text, "") != 0 && strcmp(text, "false") != 0 && strcmp(text, "nil") != 0;
    if (err == LP_OK && !*holds) {
        say(mark, check->reason[check->reasons - 1].say);
        if (check->must.source == LP_LESSON_RESULT)
            say_value(mark, check, text);
    }
    lp_buf_fini(&value);
    return err;
}

/* A policy that fails has not been understood yet. */
static bool script_failed(LpLessonRun *run, LpLessonMark *mark) {
    char text[LP_DIAG_TEXT + LP_DIAG_FILE];
    const LpDiag *failure = lp_session_first_failure(run->session);
    if (failure == NULL)
        return false;
    lp_buf_add(&mark->reason, "the policy fails: ");
    lp_buf_add(&mark->reason, lp_diag_format(failure, text, sizeof text));
    return true;
}

static LpErr mark_run(const LpLessonExercise *exercise, LpLessonRun *run, LpLessonMark *mark,
                      LpDiag *diag) {
    LP_TRY(finish_run(run, diag));
    mark->checks = exercise->checks;
    if (script_failed(run, mark))
        return LP_OK;
    for (uint32_t i = 0; i < exercise->checks; i++) {
        bool holds = false;
        LP_TRY(check_one(&exercise->check[i], run, mark, &holds, diag));
        if (!holds)
            return LP_OK;
        mark->held++;
    }
    mark->passed = true;
    say(mark, exercise->done);
    return LP_OK;
}

/* The exercise of the scenario that is open. */
static LpErr find_exercise(const LpLessonRun *run, const LpLessonExercise **out, LpDiag *diag) {
    const LpLesson *lesson = lp_session_scenario(run->session)->lesson;
    char shown[LP_DIAG_FILE];
    if (lesson == NULL || lesson->exercise == NULL)
        return lp_fail(diag, LP_EINVAL, "%s has no exercise to check",
                       lp_str_show(shown, sizeof shown, run->scenario));
    *out = lesson->exercise;
    return LP_OK;
}

/* A network decides through the policy that takes its choices. */
static LpErr open_solution(LpLessonRun *run, const LpLessonExercise *exercise, const char *path,
                           LpDiag *diag) {
    size_t len = strlen(path);
    LpBuf weights = {0};
    lp_buf_addf(&weights, "weights=%s", path);
    LP_TRY(lp_buf_ok(&weights, diag));
    const char *const params[] = {weights.text};
    LpSessionSpec spec = {.scenario = run->scenario,
                          .sets = exercise->trial[0].run.sets,
                          .set = exercise->trial[0].run.set,
                          .policy = path};
    if (len > 5 && strcmp(path + len - 5, ".json") == 0) {
        spec.policy = "pac_ml.lua";
        spec.params = 1;
        spec.param = params;
    }
    LpErr err = lp_session_open(&spec, &run->session, diag);
    lp_buf_fini(&weights);
    return err;
}

LpErr lp_lesson_mark(const char *scenario, const char *path, LpLessonMark *mark, LpDiag *diag) {
    LpLessonRun first = {.scenario = scenario}, run = first;
    const LpLessonExercise *exercise = NULL;
    *mark = (LpLessonMark){0};
    LpErr err = open_run(&first, 0, NULL, diag);
    if (err == LP_OK)
        err = find_exercise(&first, &exercise, diag);
    if (err == LP_OK)
        err = open_solution(&run, exercise, path, diag);
    if (err == LP_OK)
        err = mark_run(exercise, &run, mark, diag);
    if (err == LP_OK)
        err = lp_buf_ok(&mark->reason, diag);
    lp_lesson_run_fini(&run);
    lp_lesson_run_fini(&first);
    return err;
}
