/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of jobs that nobody has published: a line of names, and --map says which column is what. A
 * column that is called as its key need not be named. */
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "import/jobs/jobs.h"
#include "import/jobs/timed.h"

enum {
    ARRIVAL,
    SERVERS,
    DURATION,
    REQUIRED,
    ID = REQUIRED,
    REQUESTED,
    USER,
    GROUP,
    NAME,
    STATE,
    KEYS
};

static const char *const KEY[KEYS] = {"arrival", "servers", "duration", "id",   "requested",
                                      "user",    "group",   "name",     "state"};
static const char EXPECTED[] = "expected arrival, servers, duration, id, requested, user, group, "
                               "name or state";

/* Where a key's values stand and what they count. */
typedef struct Field {
    char *column;
    double unit; /* s; 0: none was named */
    bool since_1970;
    bool given; /* by --map */
    size_t at;  /* of the table's columns */
} Field;

typedef struct Csv {
    LpArena *arena;
    Field field[KEYS];
    const char *column[KEYS];
    LpTraceTable table;
    uint64_t number; /* of the row, for jobs without an id */
    bool any, dates; /* a row was read, and its arrival was a date */
} Csv;

/* ---- --map ---- */

static const struct {
    const char *word;
    double seconds;
} UNITS[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},   {"s", 1},     {"sec", 1},
             {"min", 60},  {"h", 3600},  {"hour", 3600}, {"d", 86400}, {"day", 86400}};
static const char SINCE_1970[] = "unix"; /* arrivals in seconds since then: dates */

/* "run:min": what stands behind the last colon, where it is a unit; else it belongs to the name. */
static void split_unit(Field *field) {
    char *colon = strrchr(field->column, ':');
    if (colon != NULL && strcmp(colon + 1, SINCE_1970) == 0) {
        field->since_1970 = true;
        field->unit = 1;
        *colon = '\0';
        return;
    }
    for (size_t i = 0; colon != NULL && i < LP_COUNTOF(UNITS); i++)
        if (strcmp(colon + 1, UNITS[i].word) == 0) {
            field->unit = UNITS[i].seconds;
            *colon = '\0';
            return;
        }
}

static LpErr add_pair(Csv *csv, char *pair, LpDiag *diag) {
    char shown[64];
    char *is = strchr(pair, '=');
    if (is == NULL || is[1] == '\0')
        return lp_fail(diag, LP_EINVAL, "--map: \"%s\" is no KEY=COLUMN, such as servers=gpus",
                       lp_str_show(shown, sizeof shown, pair));
    *is = '\0';
    size_t key = 0;
    while (key < KEYS && strcmp(pair, KEY[key]) != 0)
        key++;
    if (key == KEYS) {
        int near = lp_str_nearest(pair, KEY, KEYS);
        return lp_fail(diag, LP_EINVAL, "--map: unknown key \"%s\"%s%s: %s",
                       lp_str_show(shown, sizeof shown, pair), near >= 0 ? ", did you mean " : "",
                       near >= 0 ? KEY[near] : "", EXPECTED);
    }
    if (csv->field[key].given)
        return lp_fail(diag, LP_EINVAL, "--map names %s twice", KEY[key]);
    csv->field[key].column = is + 1;
    csv->field[key].given = true;
    if (key == ARRIVAL || key == DURATION || key == REQUESTED)
        split_unit(&csv->field[key]);
    return LP_OK;
}

static LpErr read_map(Csv *csv, const char *map, LpDiag *diag) {
    char *text = lp_arena_strdup(csv->arena, map);
    if (text == NULL)
        return lp_fail_memory(diag, "--map");
    while (text != NULL) {
        char *comma = strchr(text, ',');
        if (comma != NULL)
            *comma = '\0';
        LP_TRY(add_pair(csv, text, diag));
        text = comma != NULL ? comma + 1 : NULL;
    }
    return LP_OK;
}

/* Columns that must be there stand first. */
static LpErr make_table(Csv *csv, const char *map, LpDiag *diag) {
    if (map != NULL)
        LP_TRY(read_map(csv, map, diag));
    for (int optional = 0; optional < 2; optional++) {
        for (size_t key = 0; key < KEYS; key++) {
            Field *field = &csv->field[key];
            if ((key < REQUIRED || field->given) == (optional == 1))
                continue;
            field->at = csv->table.columns;
            csv->column[csv->table.columns++] = field->given ? field->column : KEY[key];
        }
        if (optional == 0)
            csv->table.needed = csv->table.columns;
    }
    csv->table.column = csv->column;
    csv->table.separator = ',';
    csv->table.quotes = true;
    csv->table.advice = "--map says what is what, such as --map servers=gpus,duration=run:min";
    return LP_OK;
}

/* ---- rows ---- */

static const char *text_of(const Csv *csv, const LpTraceRow *row, size_t key) {
    return lp_row_text(row, csv->field[key].at);
}

/* A number in the unit that --map names, or seconds; or "90 min", or "1-02:03:04". */
static LpErr read_time(const Csv *csv, const LpTraceRow *row, size_t key, double *out,
                       LpDiag *diag) {
    char shown[64];
    const char *text = text_of(csv, row, key);
    double unit = csv->field[key].unit > 0 ? csv->field[key].unit : 1;
    if (lp_num_parse(text, out, NULL) == LP_OK) {
        *out *= unit;
        return LP_OK;
    }
    if (csv->field[key].unit == 0 &&
        (lp_quantity_parse(text, LP_DIM_TIME, out, NULL) == LP_OK || lp_span_parse(text, out)))
        return LP_OK;
    return lp_lines_fail(
        row->lines, diag, "%s is \"%s\", expected %s", csv->column[csv->field[key].at],
        lp_str_show(shown, sizeof shown, text),
        csv->field[key].unit > 0 ? "a number" : "seconds, or a time such as 90 min or 01:30:00");
}

static LpErr read_arrival(Csv *csv, const LpTraceRow *row, LpTraceJob *job, LpReading *reading,
                          LpDiag *diag) {
    char shown[64];
    const char *text = text_of(csv, row, ARRIVAL);
    double seconds;
    bool offset, date = lp_when_parse(text, &job->submit_ns, &offset);
    if (csv->any && date != csv->dates && text[0] != '\0')
        return lp_lines_fail(row->lines, diag, "%s is \"%s\", but rows before have %s",
                             csv->column[csv->field[ARRIVAL].at],
                             lp_str_show(shown, sizeof shown, text),
                             csv->dates ? "dates" : "numbers");
    csv->any = true;
    csv->dates = date;
    if (date) {
        lp_rows_dated(reading->rows);
        if (!offset)
            lp_rows_assume(reading->rows, LP_ASSUME_LOCAL);
        return LP_OK;
    }
    double unit = csv->field[ARRIVAL].unit > 0 ? csv->field[ARRIVAL].unit : 1;
    if (lp_num_parse(text, &seconds, NULL) != LP_OK || !lp_ns_of(seconds * unit, &job->submit_ns))
        return lp_lines_fail(row->lines, diag,
                             "%s is \"%s\", expected a number of less than %g s, or a date such as "
                             "2026-03-01 18:41:01",
                             csv->column[csv->field[ARRIVAL].at],
                             lp_str_show(shown, sizeof shown, text), LP_NS_SECONDS);
    if (csv->field[ARRIVAL].since_1970)
        lp_rows_dated(reading->rows);
    return LP_OK;
}

static LpErr read_row(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    Csv *csv = user;
    LpTraceJob job = {0};
    char number[LP_NUM_TEXT];
    double servers;
    csv->number++;
    LP_TRY(lp_row_number(row, csv->field[SERVERS].at, &servers, diag));
    bool ran = text_of(csv, row, DURATION)[0] != '\0';
    if (ran)
        LP_TRY(read_time(csv, row, DURATION, &job.duration, diag));
    LP_TRY(read_arrival(csv, row, &job, reading, diag));
    LpLeft left = servers <= 0        ? LP_LEFT_NO_GPUS
                  : !ran              ? LP_LEFT_NO_RUNTIME
                  : job.duration <= 0 ? LP_LEFT_ZERO_DURATION
                                      : LP_LEFT_COUNT;
    if (left != LP_LEFT_COUNT) {
        lp_rows_leave(reading->rows, left);
        return LP_OK;
    }
    if (text_of(csv, row, REQUESTED)[0] != '\0')
        LP_TRY(read_time(csv, row, REQUESTED, &job.requested, diag));
    LP_TRY(lp_timed_units(row->lines, servers, &job, diag));
    lp_rows_note(reading->rows, "shares_rounded_up", job.gpus != job.servers);
    job.id = text_of(csv, row, ID);
    if (job.id[0] == '\0')
        job.id = lp_num_print((double)csv->number, number);
    job.user = text_of(csv, row, USER);
    job.group = text_of(csv, row, GROUP);
    job.name = text_of(csv, row, NAME);
    job.state = text_of(csv, row, STATE);
    return lp_rows_take(reading->rows, &job, diag);
}

static LpErr read_csv(LpReading *reading, LpDiag *diag) {
    Csv csv = {.arena = lp_arena_new(0)};
    if (csv.arena == NULL)
        return lp_fail_memory(diag, "--map");
    LpErr err = make_table(&csv, reading->options->map, diag);
    if (err == LP_OK)
        err = lp_table_read(reading, reading->file[0], &csv.table, read_row, &csv, diag);
    lp_arena_free(csv.arena);
    return err;
}

const LpFormat lp_format_csv = {.name = "csv",
                                .what = "jobs of any table with a line of names: --map",
                                .makes = LP_MAKES_JOBS,
                                .counts = "server",
                                .least = 1,
                                .most = 1,
                                .read = read_csv};
