/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of scenarios that are split by plans: their steps are those of the 26 configurations of
 * tests/golden/open/parallel.csv, and what changes them is where they are placed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "group.h"
#include "io/scenario/scenario.h"
#include "model/parallel/memory.h"
#include "model/parallel/zoo.h"
#include "model/split/split.h"
#include "session/session.h"
#include "sim/forecast.h"
#include "sim/parallel/parallel_step.h"
#include "sim/world.h"

enum { COLUMN_STEP = 14 }; /* after the configuration */

static LpSession *finished(const char *text) {
    const LpLoadOptions options = {0};
    LpScenario *scenario = NULL;
    LpSession *session = NULL;
    LpDiag diag;
    bool stopped;
    char shown[LP_DIAG_TEXT + LP_DIAG_FILE];
    if (lp_scenario_parse(text, strlen(text), "s", &options, &scenario, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, shown, sizeof shown));
    if (lp_session_open_with(scenario, &(LpSessionSpec){0}, &session, &diag) != LP_OK ||
        lp_session_run(session, NULL, NULL, &stopped, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, shown, sizeof shown));
    return session;
}

static void expect_refused(const char *text, const char *message) {
    const LpLoadOptions options = {0};
    LpScenario *scenario = NULL;
    LpDiag diag = {0};
    if (lp_scenario_parse(text, strlen(text), "s", &options, &scenario, &diag) == LP_OK)
        fail_msg("not refused: %s", message);
    assert_string_equal(diag.text, message);
    assert_null(scenario);
}

/* ---- the goldens ---- */

/* "h6144 a64 L48 t8 p1 v1 d1 b4 B4 selective+sp" as the keys of a scenario. */
static void add_config(LpBuf *model, LpBuf *plan, char *words) {
    static const struct {
        const char *short_key, *key;
        bool of_plan;
    } keys[] = {{"ff", "ff", false},    {"h", "hidden", false},     {"a", "heads", false},
                {"L", "layers", false}, {"s", "sequence", false},   {"V", "vocabulary", false},
                {"t", "tensor", true},  {"p", "pipeline", true},    {"d", "data", true},
                {"v", "chunks", true},  {"b", "micro_batch", true}, {"B", "batch", true}};
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        size_t k = 0, len = 0;
        for (; k < LP_COUNTOF(keys); k++) {
            len = strlen(keys[k].short_key);
            if (strncmp(word, keys[k].short_key, len) == 0 && word[len] >= '0' && word[len] <= '9')
                break;
        }
        if (k < LP_COUNTOF(keys))
            lp_buf_addf(keys[k].of_plan ? plan : model, ",\"%s\":%s", keys[k].key, word + len);
        else if (strcmp(word, "nowait") == 0)
            lp_buf_add(plan, ",\"wait\":false");
        else if (strcmp(word, "untied") == 0)
            lp_buf_add(model, ",\"tied\":false");
        else
            lp_buf_addf(plan, ",\"recompute\":\"%.*s\"%s", (int)strcspn(word, "+"), word,
                        strstr(word, "+sp") != NULL ? ",\"sequence\":true" : "");
    }
}

static void scenario_of(LpBuf *out, char *config) {
    LpBuf model = {0}, plan = {0};
    add_config(&model, &plan, config);
    lp_buf_addf(out,
                "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":2560},"
                "\"server\":{\"device\":\"A100\",\"memory\":\"1 TB\"}},\"graphs\":[{\"id\":\"g\","
                "\"model\":{%s},\"parallel\":{%s}}],\"jobs\":[{\"graph\":\"g\",\"arrival\":0,"
                "\"steps\":3}]}",
                lp_buf_text(&model) + 1, lp_buf_text(&plan) + 1);
    lp_buf_fini(&model);
    lp_buf_fini(&plan);
}

static void check_line(char *line) {
    LpBuf text = {0};
    char *cell = strchr(line, ','), name[1024];
    assert_non_null(cell);
    *cell++ = '\0';
    snprintf(name, sizeof name, "%s", line);
    for (int i = 2; i < COLUMN_STEP + 1; i++) {
        cell = strchr(cell, ',');
        assert_non_null(cell++);
    }
    double expected = strtod(cell, NULL);
    scenario_of(&text, line);
    LpSession *session = finished(lp_buf_text(&text));
    const LpScenario *scenario = lp_session_scenario(session);
    const LpSplit *split = scenario->graph[0]->split;
    const LpJob *job = lp_world_job(lp_session_world(session), 0);
    LpParallelStep step;
    assert_int_equal(lp_parallel_step(&split->model, split->plan, &split->machine, &step, NULL),
                     LP_OK);
    if (!(fabs(job->forecast.step_time - expected) <= 1e-6 * expected))
        fail_msg("%s: the job's step lasts %.9g s, expected %.9g", name, job->forecast.step_time,
                 expected);
    assert_true(job->forecast.step_time == step.step_time); /* to the last bit */
    assert_int_equal(job->placed.servers, lp_parallel_devices(split->plan));
    lp_session_close(session);
    lp_buf_fini(&text);
}

static void all_configurations(void **state) {
    (void)state;
    FILE *file = fopen("tests/golden/open/parallel.csv", "r");
    char line[1024];
    int lines = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* the header */
    for (; fgets(line, sizeof line, file) != NULL; lines++) {
        line[strcspn(line, "\r\n")] = '\0';
        check_line(line);
    }
    fclose(file);
    assert_int_equal(lines, 26);
}

/* Transformers by name, with gated parts, groups of heads and experts: the step that the model of
 * steps gives, to the last bit, and as many parameters as the model has. */
static void named_models(void **state) {
    (void)state;
    static const struct {
        const char *name, *plan;
    } cases[] = {
        {"llama-3-8b", "\"tensor\":8,\"data\":2,\"batch\":16"},
        {"llama-2-70b", "\"tensor\":8,\"pipeline\":4,\"batch\":16,\"sequence\":true"},
        {"mixtral-8x7b", "\"tensor\":4,\"data\":8,\"expert\":8,\"batch\":16"},
        {"deepseek-v3", "\"tensor\":2,\"pipeline\":4,\"data\":16,\"expert\":16,\"batch\":32"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpBuf text = {0};
        lp_buf_addf(&text,
                    "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":"
                    "256},\"server\":{\"device\":\"A100\",\"memory\":\"100 TB\"}},\"graphs\":[{"
                    "\"id\":\"g\",\"model\":\"%s\",\"parallel\":{%s}}],\"jobs\":[{\"graph\":"
                    "\"g\",\"arrival\":0,\"steps\":3}]}",
                    cases[i].name, cases[i].plan);
        LpSession *session = finished(lp_buf_text(&text));
        const LpGraph *graph = lp_session_scenario(session)->graph[0];
        const LpSplit *split = graph->split;
        const LpJob *job = lp_world_job(lp_session_world(session), 0);
        const LpTransformer *named = lp_transformer_find(cases[i].name);
        LpParallelStep step;
        assert_non_null(named);
        assert_int_equal(lp_parallel_step(&named->model, split->plan, &split->machine, &step, NULL),
                         LP_OK);
        assert_int_equal(job->outcome, LP_JOB_COMPLETED);
        assert_true(job->forecast.step_time == step.step_time);
        double parameters = lp_decoder_parameters(&named->model), padded = graph->parameter_sum / 2;
        assert_true(padded >= parameters && padded < parameters * 1.001);
        lp_session_close(session);
        lp_buf_fini(&text);
    }
}

/* ---- where it is placed ---- */

#define MODEL "\"model\":{\"hidden\":2048,\"heads\":16,\"layers\":8,\"vocabulary\":32000}"

/* One job of 2 x 2 x 2, perhaps behind a rigid one that takes some servers first. */
static double step_on(const char *cluster, const char *more, uint32_t taken, const char *plan) {
    LpBuf text = {0};
    lp_buf_addf(&text,
                "{\"lightpath\":1,\"cluster\":{%s,\"server\":{\"device\":\"A100\"}},\"graphs\":[{"
                "\"id\":\"g\"," MODEL ",\"parallel\":{%s,\"batch\":16}%s}],\"jobs\":[",
                cluster, plan, more);
    if (taken > 0)
        lp_buf_addf(&text, "{\"servers\":%u,\"duration\":1e6,\"arrival\":0},", (unsigned)taken);
    lp_buf_add(&text, "{\"graph\":\"g\",\"arrival\":1,\"steps\":3}]}");
    LpSession *session = finished(lp_buf_text(&text));
    const LpJob *job = lp_world_job(lp_session_world(session), taken > 0 ? 1 : 0);
    double time = job->forecast.step_time;
    assert_int_equal(job->outcome, LP_JOB_COMPLETED);
    assert_true(fabs(job->times.end - job->times.start - 3 * time) < 1e-9);
    lp_session_close(session);
    lp_buf_fini(&text);
    return time;
}

#define IDEAL(rate)                                                                                \
    "\"fabric\":\"ideal\",\"ideal\":{\"servers\":32,\"node_bandwidth\":\"" rate "\"}"
#define EIGHT "\"tensor\":2,\"pipeline\":2,\"data\":2"

static void slower_links_cost(void **state) {
    (void)state;
    double fast = step_on(IDEAL("1.6 TB/s"), ",\"machine\":{\"node\":2}", 0, EIGHT);
    double card = step_on(IDEAL("23.5 GB/s"), ",\"machine\":{\"node\":2}", 0, EIGHT);
    double slow = step_on(IDEAL("1 GB/s"), ",\"machine\":{\"node\":2}", 0, EIGHT);
    double told = step_on(IDEAL("1.6 TB/s"),
                          ",\"machine\":{\"node\":2,\"network_rate\":\"1 GB/s\"}", 0, EIGHT);
    assert_true(fabs(fast - card) < 1e-9 * fast); /* no faster than the card */
    assert_true(slow > 1.5 * card);
    assert_true(fabs(slow - told) < 1e-6 * slow);
    /* in one node the network is not asked */
    assert_true(step_on(IDEAL("1 GB/s"), "", 0, EIGHT) == step_on(IDEAL("1.6 TB/s"), "", 0, EIGHT));
}

/* 3 servers are taken, so 8 lie in two nodes of 8: servers 3 to 10. */
static void nodes_are_by_number(void **state) {
    (void)state;
    double inside = step_on(IDEAL("1.6 TB/s"), "", 8, EIGHT);
    double across = step_on(IDEAL("1.6 TB/s"), "", 3, EIGHT);
    double single = step_on(IDEAL("1.6 TB/s"), ",\"machine\":{\"node\":1}", 0, EIGHT);
    assert_true(inside == step_on(IDEAL("1.6 TB/s"), "", 0, EIGHT));
    assert_true(across > inside);
    assert_true(fabs(across - single) < 1e-12); /* no run of 2 lies in one node */
}

/* ---- which plan ---- */

#define TWO_PLANS                                                                                  \
    "\"parallel\":[{\"tensor\":2,\"batch\":16,\"recompute\":\"full\"},"                            \
    "{\"tensor\":2,\"batch\":16},{\"tensor\":4,\"pipeline\":2,\"batch\":16}]"

static LpSession *choose(const char *memory, const char *degree) {
    LpBuf text = {0};
    lp_buf_addf(&text,
                "{\"lightpath\":1,\"cluster\":{" IDEAL(
                    "1 TB/s") ",\"server\":{\"device\":\"A100\",\"memory\":\"%s\"}},\"graphs\":[{"
                              "\"id\":\"g\"," MODEL "," TWO_PLANS "}],\"jobs\":[{\"graph\":\"g\","
                              "\"arrival\":0,\"steps\":3,\"hint\":{\"degree\":%s}}],"
                              "\"policy\":{\"script\":\"scripts/hinted.lua\"}}",
                memory, degree);
    LpSession *session = finished(lp_buf_text(&text));
    lp_buf_fini(&text);
    return session;
}

static void expect_plan(const char *memory, const char *degree, LpRecompute recompute,
                        uint32_t servers) {
    LpSession *session = choose(memory, degree);
    const LpJob *job = lp_world_job(lp_session_world(session), 0);
    assert_int_equal(job->outcome, LP_JOB_COMPLETED);
    const LpPartition *p =
        lp_store_partition(lp_session_context(session)->store, job->placed.partition);
    assert_true(p->planned);
    assert_int_equal(p->plan.recompute, recompute);
    assert_int_equal(job->placed.servers, servers);
    lp_session_close(session);
}

static void a_degree_means_the_fastest_that_fits(void **state) {
    (void)state;
    expect_plan("80 GB", "2", LP_RECOMPUTE_NONE, 2);
    expect_plan("80 GB", "7", LP_RECOMPUTE_NONE, 2); /* most servers that are not more */
    expect_plan("80 GB", "8", LP_RECOMPUTE_NONE, 8);
    expect_plan("6 GB", "2", LP_RECOMPUTE_FULL, 2); /* the faster one does not fit */
}

static void expect_blocked(const char *memory, const char *degree, LpCause cause) {
    LpSession *session = choose(memory, degree);
    const LpJob *job = lp_world_job(lp_session_world(session), 0);
    assert_int_equal(job->outcome, LP_JOB_BLOCKED);
    assert_int_equal(job->cause, cause);
    lp_session_close(session);
}

static void what_cannot_run_is_blocked(void **state) {
    (void)state;
    expect_blocked("80 GB", "1", LP_CAUSE_REFUSED);
    expect_blocked("1 GB", "2", LP_CAUSE_MEMORY);
}

/* Ways are the plans in the order of the decision table, and each has one number. */
static void ways_are_plans(void **state) {
    (void)state;
    LpSession *s = NULL;
    LpDiag diag = {0};
    LpEvent event;
    LpSessionSpec spec = {.scenario = "scenarios/transformers.json"};
    assert_int_equal(lp_session_open(&spec, &s, &diag), LP_OK);
    const LpContext *context = lp_session_context(s);
    assert_int_equal(lp_context_ways(context), 6);
    for (int decisions = 0; decisions < 12;) {
        const LpWorld *world = lp_session_world(s);
        uint32_t job = lp_world_due(world), count, open[LP_SPLIT_PLANS], opens, at = 0;
        if (job != LP_NO_INDEX) {
            LpPlanChoice choice[LP_SPLIT_PLANS];
            int32_t graph = lp_world_job(world, job)->graph;
            assert_int_equal(
                lp_world_plans(world, context, job, choice, LP_SPLIT_PLANS, &count, &diag), LP_OK);
            assert_int_equal(
                lp_world_ways(world, context, job, 0, open, LP_SPLIT_PLANS, &opens, &diag), LP_OK);
            for (uint32_t w = 1; w <= count; w++) {
                const LpParallel *plan;
                uint32_t way;
                LpAnswer answer;
                assert_int_equal(lp_context_plan(context, graph, w, &plan, &diag), LP_OK);
                assert_ptr_equal(plan, choice[w - 1].plan);
                assert_int_equal(lp_context_way_of(context, graph, plan, &way, &diag), LP_OK);
                assert_int_equal(way, w);
                assert_int_equal(lp_context_way(context, graph, w, &answer, &diag), LP_OK);
                assert_true(answer.has_plan && lp_parallel_same(&answer.parallel, plan));
                assert_int_equal(at < opens && open[at] == w, choice[w - 1].free);
                at += choice[w - 1].free;
            }
            const LpParallel *none;
            LpAnswer answer;
            assert_int_equal(lp_context_plan(context, graph, count + 1, &none, &diag), LP_OK);
            assert_null(none);
            assert_int_equal(lp_context_way(context, graph, count + 1, &answer, &diag), LP_OK);
            assert_int_equal(answer.kind, LP_ANSWER_DECLINE);
            decisions++;
        }
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
    }
    lp_session_close(s);
}

/* ---- what is refused ---- */

#define GRAPH(graph)                                                                               \
    "{\"lightpath\":1,\"cluster\":{" IDEAL("1 TB/s") ",\"server\":{\"device\":\"A100\"}},"         \
                                                     "\"graphs\":[{\"id\":\"g\"," graph            \
                                                     "}],\"jobs\":[]}"

static void mistakes_name_the_numbers(void **state) {
    (void)state;
    expect_refused(GRAPH(MODEL ",\"parallel\":[{\"tensor\":3,\"batch\":16}]"),
                   "hidden is 2048: expected a multiple of tensor, 3");
    expect_refused(
        GRAPH(MODEL ",\"parallel\":[{\"batch\":16},{\"batch\":8}]"),
        "plan 2 of 2 has batch 8, plan 1 has 16: expected the same, since steps of a job "
        "are of one batch");
    expect_refused(GRAPH(MODEL ",\"parallel\":[]"), "0 plans, expected 1 to 256");
    expect_refused(GRAPH(MODEL ",\"parallel\":[{\"batch\":16,\"expert\":8}]"),
                   "expert is 8 and the model has no experts");
    expect_refused(
        GRAPH("\"model\":\"llama-3-8\",\"parallel\":{\"batch\":16}"),
        "\"model\" is the text \"llama-3-8\", expected llama-3-8b, or an object of sizes");
    expect_refused(
        GRAPH("\"model\":\"mixtral-8x7b\",\"parallel\":{\"data\":6,\"expert\":4,\"batch\":24}"),
        "data is 6: expected a multiple of expert, 4");
    expect_refused(GRAPH(MODEL), "the key \"parallel\" is missing here");
    expect_refused(GRAPH(MODEL ",\"zoo\":\"alexnet\",\"parallel\":{\"batch\":16}"),
                   "a graph has both \"zoo\" and \"model\", expected one of them");
    expect_refused(GRAPH(MODEL ",\"parallel\":{\"batch\":16},\"device\":\"M40\""),
                   "device M40: its units, links and network are not known, expected A100, A100 "
                   "40G, H100, H200 or B200");
    expect_refused(GRAPH(MODEL ",\"parallel\":{\"batch\":16},\"machine\":{\"node\":0}"),
                   "node is 0: expected a whole number from 1");
    expect_refused("{\"lightpath\":1,\"semantics\":\"published\",\"graphs\":[{\"id\":\"g\"," MODEL
                   ",\"parallel\":{\"batch\":16}}],\"jobs\":[]}",
                   "graph \"g\" has plans, which the published option memory does not know: "
                   "expected corrected semantics");
}

TEST_GROUP(test_plans) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_configurations),
        cmocka_unit_test(named_models),
        cmocka_unit_test(slower_links_cost),
        cmocka_unit_test(nodes_are_by_number),
        cmocka_unit_test(a_degree_means_the_fastest_that_fits),
        cmocka_unit_test(what_cannot_run_is_blocked),
        cmocka_unit_test(ways_are_plans),
        cmocka_unit_test(mistakes_name_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
