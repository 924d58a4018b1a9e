/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of a torus as RFold has them (shuoshuc/RFold, WorkloadGen/data): id, arrival, topology,
 * shape, size, duration. */
#include "import/jobs/rfold.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "import/jobs/jobs.h"
#include "import/jobs/timed.h"

enum { ID, ARRIVAL, TOPOLOGY, SHAPE, SIZE, DURATION, COLUMNS };

static const char *const COLUMN[COLUMNS] = {"id",    "arrival", "topology",
                                            "shape", "size",    "duration"};
static const LpTraceTable TABLE = {.column = COLUMN,
                                   .columns = COLUMNS,
                                   .needed = COLUMNS,
                                   .separator = ',',
                                   .headless = true,
                                   .comment = "#"};

/* `edges` 0: the numbers of a shape are accelerators per machine and stand between +; else they are
 * edges of a torus and stand between x. */
typedef struct Topology {
    const char *name;
    size_t edges;
    const char *ending; /* of the slice */
} Topology;

static const Topology TOPOLOGIES[] = {
    {"T2D", 2, "x1"}, {"T3D_NT", 3, ""}, {"T3D_T", 3, " twisted"}, {"CLOS", 0, ""}};

static const Topology *find_topology(const char *name) {
    for (size_t i = 0; i < LP_COUNTOF(TOPOLOGIES); i++)
        if (strcmp(TOPOLOGIES[i].name, name) == 0)
            return &TOPOLOGIES[i];
    return NULL;
}

bool lp_rfold_is_topology(const char *name) {
    return find_topology(name) != NULL;
}

/* A number of a shape, rounded up. */
static bool read_edge(const char *text, size_t len, double *out) {
    char digits[32];
    double value;
    if (len == 0 || len >= sizeof digits)
        return false;
    lp_str_copy(digits, len + 1, text);
    if (lp_num_parse(digits, &value, NULL) != LP_OK || !(value > 0 && value < UINT32_MAX))
        return false;
    *out = ceil(value);
    return true;
}

static bool read_shape(const Topology *topology, const char *text, LpRfoldSlice *out) {
    bool torus = topology->edges > 0;
    size_t edges = 0, len = 0;
    double edge;
    out->size = torus ? 1 : 0;
    out->slice[0] = '\0';
    for (const char *at = text;; edges++) {
        size_t n = strcspn(at, torus ? "x" : "+");
        if (!read_edge(at, n, &edge) || (torus && edges == topology->edges))
            return false;
        out->size = torus ? out->size * edge : out->size + edge;
        if (torus)
            len += (size_t)snprintf(out->slice + len, sizeof out->slice - len, "%s%.0f",
                                    edges > 0 ? "x" : "", edge);
        if (at[n] == '\0')
            break;
        at += n + 1;
    }
    if (torus)
        lp_str_copy(out->slice + len, sizeof out->slice - len, topology->ending);
    return !torus || edges + 1 == topology->edges;
}

LpErr lp_rfold_slice(LpLineFile *lines, const char *topology, const char *shape, const char *size,
                     LpRfoldSlice *out, LpDiag *diag) {
    char shown[64], other[64];
    double says;
    const Topology *is = find_topology(topology);
    if (is == NULL)
        return lp_lines_fail(lines, diag, "topology is \"%s\", expected T2D, T3D_NT, T3D_T or CLOS",
                             lp_str_show(shown, sizeof shown, topology));
    char mark = is->edges > 0 ? 'x' : '+';
    out->swapped = strchr(shape, mark) == NULL && strchr(size, mark) != NULL;
    if (is->edges > 0 && !out->swapped && strchr(shape, mark) == NULL)
        return lp_lines_fail(lines, diag, "neither \"%s\" nor \"%s\" is a shape such as 4x4x8",
                             lp_str_show(shown, sizeof shown, shape),
                             lp_str_show(other, sizeof other, size));
    if (!read_shape(is, out->swapped ? size : shape, out))
        return lp_lines_fail(lines, diag, "\"%s\" is no shape of %s: expected such as %s",
                             lp_str_show(shown, sizeof shown, out->swapped ? size : shape),
                             is->name,
                             is->edges == 3   ? "4x4x8"
                             : is->edges == 2 ? "4x8"
                                              : "4+4");
    if (lp_num_parse(out->swapped ? shape : size, &says, NULL) != LP_OK)
        return lp_lines_fail(lines, diag, "size is \"%s\", expected a number",
                             lp_str_show(shown, sizeof shown, out->swapped ? shape : size));
    out->differs = says != out->size;
    return LP_OK;
}

static LpErr read_row(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    LpRfoldSlice slice;
    LpTraceJob job = {0};
    (void)user;
    if (lp_rfold_is_topology(lp_row_text(row, ARRIVAL)))
        return lp_fail_at(diag, LP_EINVAL, lp_lines_file(row->lines), lp_lines_number(row->lines),
                          0,
                          "this is a distribution of sizes, not a trace: import rfold-mix makes a "
                          "generator of it");
    LP_TRY(lp_rfold_slice(row->lines, lp_row_text(row, TOPOLOGY), lp_row_text(row, SHAPE),
                          lp_row_text(row, SIZE), &slice, diag));
    LP_TRY(lp_row_seconds(row, ARRIVAL, &job.submit_ns, diag));
    LP_TRY(lp_row_number(row, DURATION, &job.duration, diag));
    if (job.duration < 0)
        return lp_lines_fail(row->lines, diag, "duration is %g, expected a number >= 0",
                             job.duration);
    lp_rows_note(reading->rows, "size_stands_before_shape", slice.swapped);
    lp_rows_note(reading->rows, "size_is_not_that_of_the_shape", slice.differs);
    if (job.duration == 0) {
        lp_rows_leave(reading->rows, LP_LEFT_ZERO_DURATION);
        return LP_OK;
    }
    LP_TRY(lp_timed_units(row->lines, slice.size, &job, diag));
    job.id = lp_row_text(row, ID);
    job.group = lp_row_text(row, TOPOLOGY);
    job.slice = slice.slice;
    return lp_rows_take(reading->rows, &job, diag);
}

static LpErr read_rfold(LpReading *reading, LpDiag *diag) {
    return lp_table_read(reading, reading->file[0], &TABLE, read_row, NULL, diag);
}

static bool is_rfold(const LpHead *head) {
    return lp_head_begins(head, "#job id");
}

const LpFormat lp_format_rfold = {.name = "rfold",
                                  .what = "slices of a torus: traces of RFold",
                                  .makes = LP_MAKES_JOBS,
                                  .least = 1,
                                  .most = 1,
                                  .is = is_rfold,
                                  .read = read_rfold};
