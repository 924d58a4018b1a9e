/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small scenarios for tests of the engine: graphs of a few ops and the rest as text, opened as a
 * user's files are. */
#ifndef LP_TESTS_TINY_H
#define LP_TESTS_TINY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/num.h"
#include "base/str.h"
#include "session/session.h"
#include "sim/forecast.h"
#include "sim/world.h"

/* s, s, bytes, bytes. */
typedef struct TinyOp {
    double forward, backward, activation, parameters;
} TinyOp;

/* NULL stands for the default. The graphs' ids are "g" and "h". */
typedef struct Tiny {
    const char *semantics;
    const char *options;   /* members of the object */
    const char *cluster;   /* the object */
    const char *graph[2];  /* profiles, tiny_profile */
    const char *unit;      /* of their times, "s" */
    const char *jobs;      /* the list; one job of 1 step of "g" at 0 s */
    const char *generator; /* the object, instead of jobs */
    const char *partition; /* members */
    const char *more;      /* more keys, each with a comma after it */
    const char *policy;    /* Lua */
} Tiny;

/* Profile text: ops numbered from 1, edges as pairs of numbers. free() it. */
static inline char *tiny_profile(const TinyOp *op, uint32_t ops, const uint32_t (*edge)[2],
                                 uint32_t edges) {
    LpBuf text = {0};
    for (uint32_t i = 0; i < ops; i++)
        lp_buf_addf(&text,
                    "node%u -- Op() -- forward_compute_time=%.17g, backward_compute_time=%.17g, "
                    "activation_size=%.17g, parameter_size=%.17g\n",
                    (unsigned)i + 1, op[i].forward, op[i].backward, op[i].activation,
                    op[i].parameters);
    for (uint32_t i = 0; i < edges; i++)
        lp_buf_addf(&text, "\tnode%u -- node%u\n", (unsigned)edge[i][0], (unsigned)edge[i][1]);
    char *copy = malloc(strlen(lp_buf_text(&text)) + 1);
    assert_non_null(copy);
    strcpy(copy, lp_buf_text(&text));
    lp_buf_fini(&text);
    return copy;
}

static inline void tiny_write(const char *folder, const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline void tiny_scenario(const Tiny *t, LpBuf *out) {
    const char *unit = t->unit != NULL ? t->unit : "s";
    lp_buf_addf(out, "{ \"lightpath\": 1, \"semantics\": \"%s\", \"options\": { %s },\n",
                t->semantics != NULL ? t->semantics : "corrected",
                t->options != NULL ? t->options : "");
    if (t->cluster != NULL)
        lp_buf_addf(out, "\"cluster\": %s,\n", t->cluster);
    if (t->more != NULL)
        lp_buf_add(out, t->more);
    if (t->partition != NULL)
        lp_buf_addf(out, "\"partition\": { %s },\n", t->partition);
    if (t->policy != NULL)
        lp_buf_add(out, "\"policy\": { \"script\": \"policy.lua\" },\n");
    lp_buf_add(out, "\"graphs\": [");
    for (int g = 0; g < 2 && t->graph[g] != NULL; g++)
        lp_buf_addf(out,
                    "%s { \"id\": \"%c\", \"file\": \"%c.txt\", \"format\": \"pipedream\", "
                    "\"time_unit\": \"%s\" }",
                    g > 0 ? "," : "", 'g' + g, 'g' + g, unit);
    if (t->generator != NULL)
        lp_buf_addf(out, " ],\n\"generator\": %s }\n", t->generator);
    else
        lp_buf_addf(out, " ],\n\"jobs\": %s }\n",
                    t->jobs != NULL ? t->jobs
                                    : "[ { \"graph\": \"g\", \"arrival\": 0, \"steps\": 1 } ]");
}

static inline LpErr tiny_try(const Tiny *t, LpSession **out, LpDiag *diag) {
    static const char *const names[] = {"g.txt", "h.txt", "policy.lua", "s.json"};
    char folder[] = "/tmp/lightpath-tiny-XXXXXX", path[128];
    LpBuf text = {0};
    assert_non_null(mkdtemp(folder));
    for (int g = 0; g < 2 && t->graph[g] != NULL; g++)
        tiny_write(folder, names[g], t->graph[g]);
    if (t->policy != NULL)
        tiny_write(folder, "policy.lua", t->policy);
    tiny_scenario(t, &text);
    tiny_write(folder, "s.json", lp_buf_text(&text));
    lp_buf_fini(&text);
    snprintf(path, sizeof path, "%s/s.json", folder);
    LpSessionSpec spec = {.scenario = path, .keep_events = true};
    LpErr err = lp_session_open(&spec, out, diag);
    for (size_t i = 0; i < LP_COUNTOF(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    return err;
}

/* Fails the test where the scenario is refused. */
static inline LpSession *tiny_open(const Tiny *t) {
    LpSession *session = NULL;
    LpDiag diag = {0};
    char said[LP_DIAG_TEXT + LP_DIAG_FILE];
    if (tiny_try(t, &session, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, said, sizeof said));
    return session;
}

/* Expects a refusal whose sentence holds both words. */
static inline void tiny_refused(const Tiny *t, const char *word, const char *other) {
    LpSession *session = NULL;
    LpDiag diag = {0};
    assert_int_not_equal(tiny_try(t, &session, &diag), LP_OK);
    if (strstr(diag.text, word) == NULL || strstr(diag.text, other) == NULL)
        fail_msg("%s", diag.text);
}

/* The job whose decision is due next, LP_NO_INDEX at the end of the run. */
static inline uint32_t tiny_next(LpSession *s) {
    LpEvent event;
    if (lp_world_due(lp_session_world(s)) == LP_NO_INDEX)
        assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    return lp_world_due(lp_session_world(s));
}

static inline LpForecast tiny_predict(LpSession *s, const LpAnswer *answer) {
    LpForecast forecast;
    LpDiag diag = {0};
    uint32_t job = tiny_next(s);
    assert_int_not_equal(job, LP_NO_INDEX);
    if (lp_world_predict(lp_session_world(s), lp_session_context(s), job, answer, &forecast,
                         &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return forecast;
}

static inline LpForecast tiny_predict_degree(LpSession *s, uint32_t degree) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    return tiny_predict(s, &answer);
}

/* Decides the next job; its state after the decision. */
static inline const LpJob *tiny_decide(LpSession *s, const LpAnswer *answer) {
    LpEvent event;
    LpDiag diag = {0};
    uint32_t job = tiny_next(s);
    assert_int_not_equal(job, LP_NO_INDEX);
    if (lp_session_answer(s, answer, &event, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return lp_world_job(lp_session_world(s), job);
}

static inline const LpJob *tiny_decide_degree(LpSession *s, uint32_t degree) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    return tiny_decide(s, &answer);
}

static inline void tiny_run(LpSession *s) {
    LpDiag diag = {0};
    bool stopped;
    if (lp_session_run(s, NULL, NULL, &stopped, &diag) != LP_OK)
        fail_msg("%s", diag.text);
}

static inline const LpJob *tiny_job(const LpSession *s, uint32_t id) {
    assert_true(id < lp_world_jobs(lp_session_world(s)));
    return lp_world_job(lp_session_world(s), id);
}

/* |got - want| <= tolerance * the larger of them. */
static inline void tiny_near(const char *what, double got, double want, double tolerance) {
    double scale = got > want ? got : want, d = got > want ? got - want : want - got;
    if (scale < 0)
        scale = -scale;
    if (!(d <= tolerance * scale))
        fail_msg("%s: got %.17g, expected %.17g", what, got, want);
}

#endif
