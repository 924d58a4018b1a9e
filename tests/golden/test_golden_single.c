/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One job on an empty cluster against the published table and list of single jobs. */
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

static bool predict(const GoldenCase *c, uint32_t degree, LpForecast *forecast) {
    LpSession *session = golden_open_case(c);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    LpDiag diag = {0};
    assert_non_null(session);
    LpErr err = lp_world_predict(lp_session_world(session), lp_session_context(session), 0, &answer,
                                 forecast, &diag);
    lp_session_close(session);
    return err == LP_OK;
}

static int check_row(const cJSON *row, const cJSON *config) {
    const cJSON *t = cJSON_GetObjectItemCaseSensitive(row, "topology");
    GoldenCase c = {.graph = golden_word(row, "model"),
                    .c = cJSON_GetArrayItem(t, 0)->valueint,
                    .r = cJSON_GetArrayItem(t, 1)->valueint,
                    .s = cJSON_GetArrayItem(t, 2)->valueint,
                    .bandwidth = golden_number(config, "total_node_bandwidth"),
                    .propagation = golden_number(config, "intra_gpu_propagation_latency"),
                    .io = golden_number(config, "worker_io_latency"),
                    .quantum = golden_number(config, "min_op_run_time_quantum"),
                    .steps = golden_number(config, "num_training_steps")};
    LpForecast f;
    uint32_t degree = (uint32_t)golden_number(row, "degree");
    assert_true(predict(&c, degree, &f));
    const cJSON *jct = cJSON_GetObjectItemCaseSensitive(row, "lookahead_jct");
    if (!cJSON_IsNumber(jct)) {
        if (f.feasible)
            printf("# %s degree %u on %dx%dx%d should not be placed\n", c.graph, degree, c.c, c.r,
                   c.s);
        return f.feasible;
    }
    bool ok = f.feasible;
    if (!ok)
        printf("# %s\n", f.why);
    ok = ok && golden_close("jct", f.jct, jct->valuedouble) &&
         golden_close("comm", f.communication, golden_number(row, "comm_overhead")) &&
         golden_close("comp", f.computation, golden_number(row, "comp_overhead")) &&
         f.ops == golden_number(row, "num_ops") && f.deps == golden_number(row, "num_deps") &&
         (double)f.ticks == golden_number(row, "num_ticks") &&
         f.servers == golden_number(row, "num_workers") &&
         f.circuits == golden_number(row, "num_channels") &&
         f.partition_degree == golden_number(row, "partition_degree");
    if (!ok)
        printf("# %s degree %u on %dx%dx%d: ops %u deps %u ticks %llu servers %u circuits %u\n",
               c.graph, degree, c.c, c.r, c.s, f.ops, f.deps, (unsigned long long)f.ticks,
               f.servers, f.circuits);
    return !ok;
}

static void table_rows(void **state) {
    (void)state;
    if (!golden_present())
        skip();
    cJSON *table = golden_load("table.json");
    assert_non_null(table);
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(table, "config"), *row;
    int bad = 0, rows = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(table, "rows")) {
        bad += check_row(row, config);
        rows++;
    }
    cJSON_Delete(table);
    printf("# %d rows of the table\n", rows);
    assert_true(rows > 0);
    assert_int_equal(bad, 0);
}

/* model,c,r,s,W,propagation,io,quantum,steps,action,placed,deg,nodes,edges,workers,channels,
 * flows,ticks,jct,comm,comp,util,seq,seqp,depp,flow */
enum { COLUMNS = 26 };

static int split(char *line, char *field[COLUMNS]) {
    int count = 0;
    char *rest = line;
    line[strcspn(line, "\r\n")] = '\0';
    while (count < COLUMNS && rest != NULL) {
        field[count++] = rest;
        rest = strchr(rest, ',');
        if (rest != NULL)
            *rest++ = '\0';
    }
    return count;
}

static int check_line(char *line) {
    char *f[COLUMNS];
    int columns = split(line, f);
    if (columns < 12)
        return 1;
    GoldenCase c = {.graph = f[0],
                    .c = atoi(f[1]),
                    .r = atoi(f[2]),
                    .s = atoi(f[3]),
                    .bandwidth = atof(f[4]),
                    .propagation = atof(f[5]),
                    .io = atof(f[6]),
                    .quantum = atof(f[7]),
                    .steps = atof(f[8])};
    LpForecast got;
    if (!predict(&c, (uint32_t)atoi(f[9]), &got))
        return 1;
    if (atoi(f[10]) == 0) {
        if (got.feasible)
            printf("# %s degree %s should not be placed\n", f[0], f[9]);
        return got.feasible;
    }
    if (!got.feasible || columns < 21) {
        printf("# %s degree %s: %s\n", f[0], f[9], got.why);
        return 1;
    }
    bool ok = golden_close("jct", got.jct, atof(f[18])) &&
              golden_close("comm", got.communication, atof(f[19])) &&
              golden_close("comp", got.computation, atof(f[20])) &&
              got.partition_degree == (uint32_t)atoi(f[11]) && got.ops == (uint32_t)atoi(f[12]) &&
              got.deps == (uint32_t)atoi(f[13]) && got.servers == (uint32_t)atoi(f[14]) &&
              got.circuits == (uint32_t)atoi(f[15]) && got.ticks == (uint64_t)atoi(f[17]);
    if (!ok)
        printf("# %s %sx%sx%s W %s degree %s: ops %u deps %u ticks %llu servers %u circuits %u\n",
               f[0], f[1], f[2], f[3], f[4], f[9], got.ops, got.deps, (unsigned long long)got.ticks,
               got.servers, got.circuits);
    return !ok;
}

static void single_jobs(void **state) {
    (void)state;
    if (!golden_present())
        skip();
    FILE *file = fopen(GOLDENS "/single-job.csv", "r");
    char line[2048];
    int bad = 0, rows = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        bad += check_line(line);
        rows++;
    }
    fclose(file);
    printf("# %d single jobs\n", rows);
    assert_true(rows > 0);
    assert_int_equal(bad, 0);
}

TEST_GROUP(test_golden_single) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_rows), cmocka_unit_test(single_jobs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
