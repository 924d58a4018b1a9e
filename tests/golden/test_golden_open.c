/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parity with the published simulator, for whoever has only this repository: every row of
 * tests/golden/open/single-job.csv, counts exact and times within a relative 1e-9. */
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

#define HEADER                                                                                     \
    "graph,groups,racks,servers,bandwidth,latency,io_latency,quantum,steps,degree,placed,ops,"     \
    "deps,ticks,jct,communication,computation"

enum { ROWS = 230, PLACED = 190 };

typedef enum Column {
    GRAPH,
    GROUPS,
    RACKS,
    SERVERS,
    BANDWIDTH,
    LATENCY,
    IO_LATENCY,
    QUANTUM,
    STEPS,
    DEGREE,
    PLACES,
    OPS,
    DEPS,
    TICKS,
    JCT,
    COMMUNICATION,
    COMPUTATION,
    COLUMNS
} Column;

typedef struct Row {
    char *text[COLUMNS];
    double number[COLUMNS];
} Row;

static void split(char *line, Row *row) {
    line[strcspn(line, "\r\n")] = '\0';
    for (int c = 0; c < COLUMNS; c++) {
        assert_non_null(line);
        row->text[c] = line;
        line = strchr(line, ',');
        if (line != NULL)
            *line++ = '\0';
        row->number[c] = strtod(row->text[c], NULL);
    }
    assert_null(line);
}

static void forecast_of(const Row *row, LpForecast *forecast) {
    const double *n = row->number;
    const GoldenCase c = {.folder = OPEN,
                          .graph = row->text[GRAPH],
                          .c = (int)n[GROUPS],
                          .r = (int)n[RACKS],
                          .s = (int)n[SERVERS],
                          .bandwidth = n[BANDWIDTH],
                          .propagation = n[LATENCY],
                          .io = n[IO_LATENCY],
                          .quantum = n[QUANTUM],
                          .steps = n[STEPS]};
    const LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = (uint32_t)n[DEGREE]};
    LpDiag diag = {0};
    LpSession *session = golden_open_case(&c);
    assert_non_null(session);
    assert_int_equal(lp_world_predict(lp_session_world(session), lp_session_context(session), 0,
                                      &answer, forecast, &diag),
                     LP_OK);
    lp_session_close(session);
}

static bool agrees(const Row *row) {
    const double *n = row->number;
    LpForecast f;
    forecast_of(row, &f);
    bool same = f.feasible == (n[PLACES] > 0);
    if (same && f.feasible)
        same = f.ops == n[OPS] && f.deps == n[DEPS] && (double)f.ticks == n[TICKS] &&
               golden_close("jct", f.jct, n[JCT]) &&
               golden_close("communication", f.communication, n[COMMUNICATION]) &&
               golden_close("computation", f.computation, n[COMPUTATION]);
    if (!same)
        printf("# %s %sx%sx%s at %s B/s, degree %s: feasible %d, ops %u, deps %u, ticks %llu\n",
               row->text[GRAPH], row->text[GROUPS], row->text[RACKS], row->text[SERVERS],
               row->text[BANDWIDTH], row->text[DEGREE], f.feasible, (unsigned)f.ops,
               (unsigned)f.deps, (unsigned long long)f.ticks);
    return same;
}

static void every_row_agrees(void **state) {
    (void)state;
    FILE *file = fopen(OPEN "/single-job.csv", "r");
    char line[1024];
    int rows = 0, placed = 0, bad = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    line[strcspn(line, "\r\n")] = '\0';
    assert_string_equal(line, HEADER);
    for (; fgets(line, sizeof line, file) != NULL; rows++) {
        Row row;
        split(line, &row);
        placed += row.number[PLACES] > 0;
        bad += !agrees(&row);
    }
    fclose(file);
    assert_int_equal(rows, ROWS);
    assert_int_equal(placed, PLACED);
    assert_int_equal(bad, 0);
}

TEST_GROUP(test_golden_open) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
