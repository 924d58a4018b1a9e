/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slurm's accounting as `sacct -P` prints it (slurm.schedmd.com/sacct.html): fields between bars,
 * a header, times of the site's own clock. */
#include <string.h>

#include "base/num.h"
#include "import/jobs/jobs.h"
#include "import/rows/table.h"

enum {
    SUBMIT,
    START,
    END,
    STATE,
    NEEDED,
    RAW_ID = NEEDED,
    ID,
    ALLOC,
    REQ,
    ELAPSED_RAW,
    ELAPSED,
    LIMIT_RAW,
    LIMIT,
    USER,
    PARTITION,
    ACCOUNT,
    NODES,
    CPUS,
    GRES,
    NAME,
    COLUMNS
};

static const char *const COLUMN[COLUMNS] = {
    "submit",  "start",      "end",       "state",        "jobidraw",  "jobid", "alloctres",
    "reqtres", "elapsedraw", "elapsed",   "timelimitraw", "timelimit", "user",  "partition",
    "account", "nnodes",     "alloccpus", "allocgres",    "jobname"};

#define SACCT                                                                                      \
    "sacct -aPXD -o JobIDRaw,JobName,User,Account,Partition,Submit,Start,End,"                     \
    "ElapsedRaw,TimelimitRaw,State,NNodes,AllocTRES,ReqTRES"

static const LpTraceTable TABLE = {.column = COLUMN,
                                   .columns = COLUMNS,
                                   .needed = NEEDED,
                                   .separator = '|',
                                   .any_case = true,
                                   .open_end = true,
                                   .loose = NAME + 1, /* sacct does not escape its bars */
                                   .advice = SACCT " prints what is needed"};

/* The number behind NAME= in "billing=8,cpu=64,gres/gpu=8,node=2"; with `kinds` the sum over
 * NAME:ANY=. -1: there is none. */
static double resource(const char *tres, const char *name, bool kinds) {
    size_t len = strlen(name);
    double sum = -1, value;
    for (const char *at = tres; *at != '\0';) {
        size_t n = strcspn(at, ",");
        const char *is = memchr(at, '=', n);
        char digits[32];
        if (is != NULL && n > len && memcmp(at, name, len) == 0 &&
            (kinds ? at[len] == ':' : at + len == is)) {
            size_t count = (size_t)(at + n - is) - 1;
            lp_str_copy(digits, count + 1 < sizeof digits ? count + 1 : sizeof digits, is + 1);
            if (lp_num_parse(digits, &value, NULL) == LP_OK && value >= 0)
                sum = (sum < 0 ? 0 : sum) + value;
        }
        at += n + (at[n] == ',');
    }
    return sum;
}

static double gpus_of(const char *tres) {
    double all = resource(tres, "gres/gpu", false);
    return all >= 0 ? all : resource(tres, "gres/gpu", true);
}

/* GPUs of a list such as "gpu:4,mps:1" or "gpu:v100:4", as Slurm printed it before TRES. */
static double gpus_of_gres(const char *gres) {
    double sum = 0, value;
    for (size_t n; *gres != '\0'; gres += n + (gres[n] == ',')) {
        char item[64];
        n = strcspn(gres, ",");
        lp_str_copy(item, n + 1 < sizeof item ? n + 1 : sizeof item, gres);
        const char *last = strrchr(item, ':');
        if (strncmp(item, "gpu:", 4) == 0 && lp_num_parse(last + 1, &value, NULL) == LP_OK)
            sum += value > 0 ? value : 0;
    }
    return sum;
}

/* What a job held of a unit: columns that count it, else what it was given, else what it asked
 * for. */
static double units_of(const LpTraceRow *row, LpImportUnit unit) {
    const char *alloc = lp_row_text(row, ALLOC), *req = lp_row_text(row, REQ);
    double count;
    if (unit == LP_UNIT_GPU) {
        double gpus = gpus_of(alloc);
        if (!(gpus > 0))
            gpus = gpus_of(req);
        return gpus > 0 ? gpus : gpus_of_gres(lp_row_text(row, GRES));
    }
    size_t column = unit == LP_UNIT_NODE ? NODES : CPUS;
    if (lp_num_parse(lp_row_text(row, column), &count, NULL) == LP_OK)
        return count;
    const char *name = unit == LP_UNIT_NODE ? "node" : "cpu";
    double units = resource(alloc, name, false);
    return units > 0 ? units : resource(req, name, false);
}

static bool not_yet(const char *time) {
    return time[0] == '\0' || strcmp(time, "Unknown") == 0 || strcmp(time, "None") == 0;
}

/* Seconds of a column of whole numbers, or of one of spans. */
static LpErr read_span(const LpTraceRow *row, size_t raw, double unit, size_t span, double *out,
                       bool *has, LpDiag *diag) {
    char shown[64];
    const char *text = lp_row_text(row, raw);
    double value;
    *has = true;
    if (text[0] != '\0' && lp_num_parse(text, &value, NULL) == LP_OK) {
        *out = value * unit;
        return LP_OK;
    }
    if (text[0] == '\0')
        text = lp_row_text(row, span);
    *has =
        text[0] != '\0' && strcmp(text, "UNLIMITED") != 0 && strcmp(text, "Partition_Limit") != 0;
    if (!*has || lp_span_parse(text, out))
        return LP_OK;
    if (raw == LIMIT_RAW && lp_num_parse(text, &value, NULL) == LP_OK) {
        *out = value * unit;
        return LP_OK;
    }
    return lp_lines_fail(row->lines, diag, "\"%s\" is no time such as 1-02:03:04",
                         lp_str_show(shown, sizeof shown, text));
}

/* First what Slurm itself says of the row; LP_LEFT_COUNT: it ran and ended. */
static LpLeft left_out(const LpTraceRow *row, const char *id, const char *state, double units) {
    if (strchr(id, '.') != NULL)
        return LP_LEFT_STEP;
    if (not_yet(lp_row_text(row, START)) || strcmp(state, "pending") == 0)
        return LP_LEFT_NO_START;
    if (not_yet(lp_row_text(row, END)) || strcmp(state, "running") == 0)
        return LP_LEFT_NO_END;
    return units > 0 ? LP_LEFT_COUNT : LP_LEFT_NO_GPUS;
}

/* A moment as sacct prints it: a date, or with SLURM_TIME_FORMAT=%s the seconds since 1970. */
static LpErr read_moment(const LpTraceRow *row, size_t column, bool *local, int64_t *ns,
                         LpDiag *diag) {
    enum { LEAST_DIGITS = 9 }; /* since 1973; shorter ones are no moments of Slurm */
    const char *text = lp_row_text(row, column);
    size_t digits = strspn(text, "0123456789");
    if (digits >= LEAST_DIGITS && text[digits] == '\0')
        return lp_row_seconds(row, column, ns, diag);
    *local = true;
    return lp_row_when(row, column, ns, diag);
}

static LpErr check_columns(const LpTraceRow *row, LpImportUnit unit, LpDiag *diag) {
    static const struct {
        size_t column;     /* one that says it without TRES */
        const char *other; /* its name */
        const char *units;
    } of[] = {[LP_UNIT_GPU] = {GRES, "AllocGRES", "GPUs"},
              [LP_UNIT_NODE] = {NODES, "NNodes", "nodes"},
              [LP_UNIT_CPU] = {CPUS, "AllocCPUS", "processors"}};
    if (!lp_row_has(row, RAW_ID) && !lp_row_has(row, ID))
        return lp_fail_at(diag, LP_EINVAL, lp_lines_file(row->lines), 1, 0,
                          "no column JobIDRaw or JobID: %s prints what is needed", SACCT);
    if (!lp_row_has(row, ALLOC) && !lp_row_has(row, REQ) && !lp_row_has(row, of[unit].column))
        return lp_fail_at(diag, LP_EINVAL, lp_lines_file(row->lines), 1, 0,
                          "neither AllocTRES nor ReqTRES nor %s, so how many %s a job had is not "
                          "known: %s prints what is needed",
                          of[unit].other, of[unit].units, SACCT);
    return LP_OK;
}

static LpErr read_row(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    int64_t start, end;
    double limit = 0;
    bool has_elapsed, has_limit;
    char state[32];
    LpTraceJob job = {0};
    bool *local = user;
    LP_TRY(check_columns(row, reading->options->unit, diag));
    job.id = lp_row_text(row, lp_row_has(row, RAW_ID) ? RAW_ID : ID);
    job.state = lp_text_lower(lp_row_text(row, STATE), state, sizeof state);
    state[strcspn(state, " ")] = '\0';
    double units = units_of(row, reading->options->unit);
    LpLeft left = left_out(row, job.id, state, units);
    if (left != LP_LEFT_COUNT) {
        lp_rows_leave(reading->rows, left);
        return LP_OK;
    }
    LP_TRY(read_moment(row, START, local, &start, diag));
    LP_TRY(read_moment(row, END, local, &end, diag));
    LP_TRY(read_span(row, ELAPSED_RAW, 1, ELAPSED, &job.duration, &has_elapsed, diag));
    if (!has_elapsed)
        job.duration = lp_ns_between(start, end);
    if (job.duration <= 0) {
        lp_rows_leave(reading->rows, LP_LEFT_ZERO_DURATION);
        return LP_OK;
    }
    lp_rows_note(reading->rows, "elapsed_is_not_end_minus_start",
                 job.duration != lp_ns_between(start, end));
    LP_TRY(read_span(row, LIMIT_RAW, 60, LIMIT, &limit, &has_limit, diag));
    LP_TRY(read_moment(row, SUBMIT, local, &job.submit_ns, diag));
    if (units >= UINT32_MAX)
        return lp_lines_fail(row->lines, diag, "%g GPUs, expected less than 2^32", units);
    job.requested = has_limit ? limit : 0;
    job.user = lp_row_text(row, USER);
    job.name = lp_row_text(row, NAME);
    job.group = lp_row_text(row, PARTITION)[0] != '\0' ? lp_row_text(row, PARTITION)
                                                       : lp_row_text(row, ACCOUNT);
    double nodes = resource(lp_row_text(row, ALLOC), "node", false);
    job.nodes = nodes > 0 && nodes < UINT32_MAX ? (uint32_t)nodes : 0;
    job.gpus = units;
    job.servers = (uint32_t)units + (units > (uint32_t)units);
    return lp_rows_take_last(reading->rows, &job, diag);
}

/* Without a bar it is the table that sacct prints for eyes, whose names are cut. */
static LpErr check_bars(LpReading *reading, LpDiag *diag) {
    LpLineFile *lines;
    char *line;
    size_t len;
    if (strcmp(reading->file[0], "-") == 0)
        return LP_OK;
    LP_TRY(lp_lines_open(reading->file[0], reading->options->max_input, &lines, diag));
    LpErr err = lp_lines_next(lines, &line, &len, diag);
    if (err == LP_OK && (line == NULL || strchr(line, '|') == NULL))
        err = lp_fail_at(diag, LP_EPARSE, lp_lines_file(lines), 1, 0,
                         "no \"|\": expected the output of sacct -P with its header, "
                         "such as that of %s",
                         SACCT);
    lp_lines_close(lines);
    return err;
}

static LpErr read_sacct(LpReading *reading, LpDiag *diag) {
    bool local = false;
    LP_TRY(check_bars(reading, diag));
    lp_rows_dated(reading->rows);
    LP_TRY(lp_table_read(reading, reading->file[0], &TABLE, read_row, &local, diag));
    if (local)
        lp_rows_assume(reading->rows,
                       "times are local (no offset): jobs across a change of daylight "
                       "saving are up to 1 h off");
    return LP_OK;
}

/* With bars, or as it prints for eyes, which the reader refuses with the command that does. */
static bool is_sacct(const LpHead *head) {
    static const char *const raw[] = {"JobIDRaw", NULL}, *const id[] = {"JobID", NULL};
    static const char eyes[] = "JobID ";
    return lp_head_columns(head, '|', raw) || lp_head_columns(head, '|', id) ||
           (head->len >= sizeof eyes - 1 && memcmp(head->text, eyes, sizeof eyes - 1) == 0);
}

const LpFormat lp_format_sacct = {.name = "sacct",
                                  .what = "jobs of Slurm's accounting: sacct -P",
                                  .makes = LP_MAKES_JOBS,
                                  .least = 1,
                                  .most = 1,
                                  .is = is_sacct,
                                  .read = read_sacct};
