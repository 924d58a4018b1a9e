/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the golden tests: the published results in ../shared/goldens become scenarios that go
 * through the public run interface. */
#ifndef LP_TESTS_GOLDEN_H
#define LP_TESTS_GOLDEN_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/str.h"
#include "session/session.h"

#define GOLDENS "../shared/goldens"
#define GRAPHS "../shared/graphs"
#define OPEN "tests/golden/open" /* profiles and results that are always there */
#define GOLDEN_TOLERANCE 1e-9

/* True when the folder with published results is there. */
bool golden_present(void);
/* Parsed file of GOLDENS, NULL when it cannot be read; freed by the caller. */
cJSON *golden_load(const char *name);
char *golden_text(const char *path); /* free() it */

double golden_number(const cJSON *object, const char *key);
const char *golden_word(const cJSON *object, const char *key);

/* |a - b| <= 1e-9 * max(|a|, |b|); prints what differs. */
bool golden_close(const char *what, double got, double expected);

/* One job of `graph`, a profile in `folder` (NULL: GRAPHS), on an empty cluster. */
typedef struct GoldenCase {
    const char *folder, *graph;
    int c, r, s;
    double bandwidth, propagation, io, quantum, steps;
} GoldenCase;

/* Opens a session with the one job due; NULL (and a message) on failure. */
LpSession *golden_open_case(const GoldenCase *c);
/* Opens a session from scenario text written to a temporary file. */
LpSession *golden_open_text(const char *text, const char *policy, const char *param);
/* The "cluster" object of a scenario with a comma after it. */
void golden_add_cluster(LpBuf *out, const cJSON *config);

/* A whole episode (a file of GOLDENS) as scenario text: its jobs with the degrees as hints. */
void golden_add_episode(LpBuf *out, const cJSON *episode);

#endif
