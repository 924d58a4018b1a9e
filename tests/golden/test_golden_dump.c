/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One job in full against the published dumps: node and edge order, sizes, run times, ticks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "group.h"
#include "sim/forecast.h"
#include "sim/world.h"

/* "12" for an unsplit op, "12a" for part 0. */
static void part_name(const LpPartition *p, uint32_t part, char *out, size_t size) {
    uint32_t op = p->part_op[part], n = p->graph->ops, k = part - p->part_begin[op];
    uint32_t number = op < n ? p->graph->op[op].number : 2 * n + 1 - p->graph->op[op - n].number;
    if (p->ways[op] > 1)
        snprintf(out, size, "%u%c", number, (char)('a' + k));
    else
        snprintf(out, size, "%u", number);
}

static bool same_name(const LpPartition *p, uint32_t part, const cJSON *expected) {
    char name[32];
    part_name(p, part, name, sizeof name);
    if (strcmp(name, expected->valuestring) == 0)
        return true;
    printf("# part %u: got %s, expected %s\n", part, name, expected->valuestring);
    return false;
}

static bool check_nodes(const LpPartition *p, const cJSON *dump) {
    const cJSON *nodes = cJSON_GetObjectItemCaseSensitive(dump, "nodes");
    bool ok = (int)p->parts == cJSON_GetArraySize(nodes);
    for (uint32_t i = 0; ok && i < p->parts; i++) {
        const cJSON *node = cJSON_GetArrayItem(nodes, (int)i);
        uint32_t op = p->part_op[i];
        ok = same_name(p, i, cJSON_GetArrayItem(node, 0)) &&
             golden_close("time", p->op_time[op], cJSON_GetArrayItem(node, 1)->valuedouble) &&
             golden_close("memory", p->op_memory[op], cJSON_GetArrayItem(node, 2)->valuedouble);
    }
    return ok;
}

static bool check_edges(const LpPartition *p, const LpStepGraph *g, const cJSON *dump) {
    const cJSON *edges = cJSON_GetObjectItemCaseSensitive(dump, "edges");
    bool ok = (int)g->transfers == cJSON_GetArraySize(edges);
    for (uint32_t t = 0; ok && t < g->transfers; t++) {
        const cJSON *edge = cJSON_GetArrayItem(edges, (int)t);
        ok = same_name(p, g->tail[t], cJSON_GetArrayItem(edge, 0)) &&
             same_name(p, g->head[t], cJSON_GetArrayItem(edge, 1)) &&
             golden_close("bytes", g->bytes[t], cJSON_GetArrayItem(edge, 2)->valuedouble) &&
             golden_close("run time", g->time[g->parts + t],
                          cJSON_GetArrayItem(edge, 3)->valuedouble);
    }
    return ok;
}

static bool check_placement(const LpPartition *p, const LpPlacement *placement, const cJSON *dump) {
    const cJSON *ops = cJSON_GetObjectItemCaseSensitive(dump, "placement"), *op;
    cJSON_ArrayForEach(op, ops) {
        uint32_t f = p->graph->by_number[atoi(op->string)];
        uint32_t begin = placement->group_begin[placement->op_group[f]];
        for (int k = 0; k < cJSON_GetArraySize(op); k++)
            if ((int)placement->group_server[begin + (uint32_t)k] !=
                cJSON_GetArrayItem(op, k)->valueint) {
                printf("# op %s part %d is elsewhere\n", op->string, k);
                return false;
            }
    }
    return cJSON_GetArraySize(ops) == (int)p->graph->ops;
}

static bool check_ticks(const LpTrace *trace, const cJSON *dump) {
    const cJSON *ticks = cJSON_GetObjectItemCaseSensitive(dump, "ticks");
    bool ok = (int)trace->ticks == cJSON_GetArraySize(ticks);
    for (uint32_t i = 0; ok && i < trace->ticks; i++) {
        const cJSON *tick = cJSON_GetArrayItem(ticks, (int)i);
        ok = (int)trace->tick_active[i] == cJSON_GetArrayItem(tick, 0)->valueint &&
             golden_close("tick", trace->tick_length[i], cJSON_GetArrayItem(tick, 1)->valuedouble);
    }
    return ok;
}

static bool is_sync(const LpPartition *p, const LpStepGraph *g, uint32_t task) {
    if (task < g->parts || task >= g->parts + g->transfers)
        return false;
    return p->link[g->link[task - g->parts]].kind == LP_DEP_SYNC;
}

/* The trace itself: nothing starts before a real parent ends, the critical path ends the step. */
static bool check_trace(const LpPartition *p, const LpStepGraph *g, const LpTrace *trace,
                        double step) {
    for (uint32_t t = 0; t < g->tasks; t++)
        for (uint32_t i = g->succ_begin[t]; i < g->succ_begin[t + 1]; i++)
            if (!is_sync(p, g, t) && trace->start[g->succ[i]] < trace->end[t] - 1e-9) {
                printf("# task %u starts at %.17g, before task %u ends at %.17g\n", g->succ[i],
                       trace->start[g->succ[i]], t, trace->end[t]);
                return false;
            }
    return trace->critical > 0 &&
           golden_close("end of the critical path",
                        trace->end[trace->critical_path[trace->critical - 1]], step);
}

static void check_dump(const char *file) {
    if (!golden_present())
        skip();
    cJSON *dump = golden_load(file);
    assert_non_null(dump);
    const cJSON *t = cJSON_GetObjectItemCaseSensitive(dump, "topology");
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(dump, "config");
    GoldenCase c = {.graph = golden_word(dump, "model"),
                    .c = cJSON_GetArrayItem(t, 0)->valueint,
                    .r = cJSON_GetArrayItem(t, 1)->valueint,
                    .s = cJSON_GetArrayItem(t, 2)->valueint,
                    .bandwidth = golden_number(config, "total_node_bandwidth"),
                    .propagation = golden_number(config, "intra_gpu_propagation_latency"),
                    .io = golden_number(config, "worker_io_latency"),
                    .quantum = golden_number(config, "min_op_run_time_quantum"),
                    .steps = golden_number(config, "num_training_steps")};
    LpSession *session = golden_open_case(&c);
    assert_non_null(session);
    const LpContext *context = lp_session_context(session);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = (uint32_t)golden_number(dump, "degree")};
    LpForecast f;
    LpStepGraph graph;
    LpTrace trace;
    assert_int_equal(lp_world_predict(lp_session_world(session), context, 0, &answer, &f, NULL),
                     LP_OK);
    assert_true(f.feasible);
    assert_int_equal(
        lp_store_trace(context, f.partition, f.placement, LP_RULES_SRPT, &graph, &trace, NULL),
        LP_OK);
    const LpPartition *p = lp_store_partition(context->store, f.partition);
    bool ok = check_nodes(p, dump) && check_edges(p, &graph, dump) &&
              check_placement(p, lp_store_placement(context->store, f.placement), dump) &&
              check_ticks(&trace, dump) && check_trace(p, &graph, &trace, f.step_time) &&
              golden_close("flow count", graph.flows, golden_number(dump, "num_flows"));
    lp_trace_fini(&trace);
    lp_session_close(session);
    cJSON_Delete(dump);
    assert_true(ok);
}

static void alexnet_d2(void **state) {
    (void)state;
    check_dump("dump-alexnet-d2-4x4x2.json");
}
static void alexnet_d4(void **state) {
    (void)state;
    check_dump("dump-alexnet-d4-2x2x2.json");
}
static void gnmt_d4(void **state) {
    (void)state;
    check_dump("dump-gnmt-d4-4x4x2.json");
}
static void vgg16_d1(void **state) {
    (void)state;
    check_dump("dump-vgg16-d1-2x2x2.json");
}

TEST_GROUP(test_golden_dump) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(alexnet_d2), cmocka_unit_test(alexnet_d4),
                                       cmocka_unit_test(gnmt_d4), cmocka_unit_test(vgg16_d1)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
