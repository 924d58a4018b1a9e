/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Standard Workload Format 2.2 of the Parallel Workloads Archive: lines of 18 numbers, comments
 * behind semicolons of which some are a header. */
#include <string.h>

#include "base/num.h"
#include "import/jobs/jobs.h"
#include "import/rows/table.h"

enum {
    JOB,
    SUBMIT,
    RUN = 3,
    ALLOCATED,
    WANTED = 7,
    LIMIT,
    STATUS = 10,
    USER,
    QUEUE = 14,
    AFTER = 16,
    FIELDS = 18
};

static const char *const COLUMN[FIELDS] = {"field 1 (job)",
                                           "field 2 (submitted)",
                                           "field 3 (wait)",
                                           "field 4 (run time)",
                                           "field 5 (processors)",
                                           "field 6 (CPU time)",
                                           "field 7 (memory)",
                                           "field 8 (processors requested)",
                                           "field 9 (time requested)",
                                           "field 10 (memory requested)",
                                           "field 11 (status)",
                                           "field 12 (user)",
                                           "field 13 (group)",
                                           "field 14 (application)",
                                           "field 15 (queue)",
                                           "field 16 (partition)",
                                           "field 17 (job before)",
                                           "field 18 (think time)"};

static const LpTraceTable TABLE = {.column = COLUMN,
                                   .columns = FIELDS,
                                   .needed = FIELDS,
                                   .separator = ' ',
                                   .headless = true,
                                   .comment = ";"};

/* What is kept from row to row. */
typedef struct Swf {
    double last; /* submission, s */
    bool any;
    int64_t begin_ns; /* of the trace, since 1970; 0: not known */
} Swf;

static const char *state_of(double status) {
    return status == 0 ? "failed" : status == 1 ? "completed" : status == 5 ? "cancelled" : NULL;
}

/* Fields count from the trace's begin, which its header may state. */
static LpErr add_begin(const Swf *swf, const LpTraceRow *row, int64_t *ns, LpDiag *diag) {
    static const int64_t MOST_NS = (int64_t)(LP_NS_SECONDS * 1e9);
    if (swf->begin_ns > 0 && *ns >= MOST_NS - swf->begin_ns)
        return lp_lines_fail(row->lines, diag, "%s is %s: more than %g s after UnixStartTime",
                             COLUMN[SUBMIT], lp_row_text(row, SUBMIT),
                             lp_ns_between(swf->begin_ns, MOST_NS));
    *ns += swf->begin_ns;
    return LP_OK;
}

static LpErr read_row(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    Swf *swf = user;
    double v[FIELDS];
    LpTraceJob job = {0};
    char owner[LP_NUM_TEXT], queue[LP_NUM_TEXT];
    for (size_t i = 0; i < FIELDS; i++)
        LP_TRY(lp_row_number(row, i, &v[i], diag));
    LP_TRY(lp_row_seconds(row, SUBMIT, &job.submit_ns, diag));
    LP_TRY(add_begin(swf, row, &job.submit_ns, diag));
    if (swf->any && v[SUBMIT] < swf->last)
        lp_rows_note(reading->rows, "unsorted", 1);
    swf->last = v[SUBMIT];
    swf->any = true;
    lp_rows_note(reading->rows, "dependencies_ignored", v[AFTER] != -1);
    double processors = v[ALLOCATED] > 0 ? v[ALLOCATED] : v[WANTED];
    LpLeft left = v[STATUS] >= 2 && v[STATUS] <= 4 ? LP_LEFT_PARTIAL
                  : processors <= 0                ? LP_LEFT_NO_PROCESSORS
                  : v[RUN] < 0                     ? LP_LEFT_NO_RUNTIME
                  : v[RUN] == 0                    ? LP_LEFT_ZERO_DURATION
                                                   : LP_LEFT_COUNT;
    if (left != LP_LEFT_COUNT) {
        lp_rows_leave(reading->rows, left);
        return LP_OK;
    }
    if (processors >= UINT32_MAX)
        return lp_lines_fail(row->lines, diag, "%g processors, expected less than 2^32",
                             processors);
    lp_rows_note(reading->rows, "requested_processors_taken", v[ALLOCATED] <= 0);
    job.id = lp_row_text(row, JOB);
    job.user = v[USER] >= 0 ? lp_num_print(v[USER], owner) : NULL;
    job.group = v[QUEUE] >= 0 ? lp_num_print(v[QUEUE], queue) : NULL;
    job.state = state_of(v[STATUS]);
    job.gpus = processors;
    job.servers = (uint32_t)processors + (processors > (uint32_t)processors);
    job.duration = v[RUN];
    job.requested = v[LIMIT];
    return lp_rows_take(reading->rows, &job, diag);
}

/* "; MaxProcs: 128" before the first job. */
static LpErr read_header_line(LpReading *reading, const char *line, LpDiag *diag) {
    static const char *const keys[] = {"Version", "MaxProcs", "MaxNodes", "UnixStartTime",
                                       "TimeZoneString"};
    line += strspn(line, "; \t");
    size_t len = strcspn(line, ":");
    for (size_t i = 0; i < LP_COUNTOF(keys); i++)
        if (line[len] == ':' && len == strlen(keys[i]) && memcmp(line, keys[i], len) == 0) {
            const char *value = line + len + 1 + strspn(line + len + 1, " \t");
            return lp_rows_header(reading->rows, keys[i], value, diag);
        }
    return LP_OK;
}

static LpErr read_header(LpReading *reading, LpDiag *diag) {
    LpLineFile *lines;
    char *line;
    size_t len;
    if (strcmp(reading->file[0], "-") == 0) /* can be read once */
        return LP_OK;
    LP_TRY(lp_lines_open(reading->file[0], reading->options->max_input, &lines, diag));
    LpErr err = lp_lines_next(lines, &line, &len, diag);
    while (err == LP_OK && line != NULL && (line[0] == ';' || line[0] == '\0')) {
        err = read_header_line(reading, line, diag);
        if (err == LP_OK)
            err = lp_lines_next(lines, &line, &len, diag);
    }
    lp_lines_close(lines);
    return err;
}

/* 0 stands for "not known" in traces whose times were moved. */
static void read_begin(LpReading *reading, int64_t *ns) {
    const char *value = lp_rows_header_value(reading->rows, "UnixStartTime");
    double seconds;
    *ns = 0;
    if (value == NULL || lp_num_parse(value, &seconds, NULL) != LP_OK || seconds <= 0 ||
        !lp_ns_of(seconds, ns))
        return;
    lp_rows_dated(reading->rows);
}

static LpErr read_swf(LpReading *reading, LpDiag *diag) {
    Swf swf = {0};
    LP_TRY(read_header(reading, diag));
    read_begin(reading, &swf.begin_ns);
    lp_rows_assume(reading->rows, "SWF knows no GPUs: 1 processor = 1 server");
    return lp_table_read(reading, reading->file[0], &TABLE, read_row, &swf, diag);
}

/* The first line that is not a comment has 18 numbers. */
static bool is_swf(const LpHead *head) {
    size_t at = 0, fields = 0;
    bool comment = false;
    while (at < head->len && (head->text[at] == ';' || head->text[at] == '\n')) {
        const char *end = memchr(head->text + at, '\n', head->len - at);
        comment = true;
        at = end != NULL ? (size_t)(end - head->text) + 1 : head->len;
    }
    for (bool in = false; at < head->len && head->text[at] != '\n'; at++) {
        char c = head->text[at];
        bool digit = (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '+' || c == 'e';
        if (c != ' ' && c != '\t' && c != '\r' && !digit)
            return false;
        fields += digit && !in;
        in = digit;
    }
    return fields == FIELDS || (comment && fields == 0);
}

const LpFormat lp_format_swf = {.name = "swf",
                                .what = "jobs of the Parallel Workloads Archive (SWF 2.2)",
                                .makes = LP_MAKES_JOBS,
                                .counts = "processor",
                                .least = 1,
                                .most = 1,
                                .is = is_swf,
                                .read = read_swf};
