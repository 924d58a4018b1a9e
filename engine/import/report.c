/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The doctor's report: what was taken, what was left out and why, and what it comes to. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include "import/import.h"

enum { PLACES = 6 }; /* of a report's hours */

static const double HOUR = 3600, DAY = 86400;
static const double WANTED_LOAD = .82; /* of a cluster that is proposed */

static double span_of(const LpJobRows *rows, const LpRowsSums *sums) {
    LpTraceJob job;
    if (sums->over > 0)
        return sums->over;
    if (lp_rows_taken(rows) == 0)
        return 0;
    lp_rows_job(rows, 0, &job, NULL);
    return job.duration;
}

/* Two digits are as good as the load is known. What no count of servers holds stays as it is. */
static double two_digits(double value) {
    double unit = 1;
    if (!(value < UINT32_MAX))
        return value;
    while (value / unit >= 100)
        unit *= 10;
    return unit * (double)(uint64_t)(value / unit + .5);
}

uint32_t lp_import_servers(const LpImport *import) {
    const LpJobRows *rows = import->reading.rows;
    LpRowsSums sums = lp_rows_sums(rows);
    double span = span_of(rows, &sums);
    double servers = span > 0 ? two_digits(sums.server_hours * HOUR / span / WANTED_LOAD) : 1;
    if (servers < sums.largest)
        servers = sums.largest;
    return servers < 1 ? 1 : servers < UINT32_MAX ? (uint32_t)servers : UINT32_MAX;
}

const char *lp_import_policy(const LpJobRows *rows) {
    uint64_t has = 0;
    for (uint64_t i = 0; i < lp_rows_taken(rows); i++) {
        LpTraceJob job;
        lp_rows_job(rows, i, &job, NULL);
        has += job.requested > 0;
    }
    return 2 * has > lp_rows_taken(rows) ? "easy_backfill.lua" : "fit_first.lua";
}

/* ---- JSON ---- */

static void put_job(const LpJobRows *rows, uint64_t i, LpJsonOut *json) {
    LpTraceJob job;
    double arrival;
    lp_rows_job(rows, i, &job, &arrival);
    lp_json_open(json, NULL, '{');
    lp_json_put_text(json, "id", job.id);
    lp_json_put_number(json, "arrival", arrival);
    lp_json_put_number(json, "gpus", job.gpus);
    lp_json_put_count(json, "servers", job.servers);
    lp_json_put_number(json, "duration", job.duration);
    if (job.requested > 0)
        lp_json_put_number(json, "requested", job.requested);
    else
        lp_json_put_null(json, "requested");
    if (job.name != NULL)
        lp_json_put_text(json, "name", job.name);
    lp_json_put_text(json, "user", job.user);
    lp_json_put_text(json, "group", job.group);
    lp_json_put_text(json, "state", job.state);
    if (job.slice != NULL)
        lp_json_put_text(json, "slice", job.slice);
    if (job.model != NULL)
        lp_json_put_text(json, "model", job.model);
    if (job.steps > 0)
        lp_json_put_count(json, "steps", job.steps);
    lp_json_close(json, '}');
}

static void put_left_out(const LpJobRows *rows, LpJsonOut *json) {
    lp_json_open(json, "left_out", '{');
    for (int why = 0; why < LP_LEFT_COUNT; why++)
        if (lp_rows_left(rows, (LpLeft)why) > 0)
            lp_json_put_count(json, lp_left_word((LpLeft)why), lp_rows_left(rows, (LpLeft)why));
    lp_json_close(json, '}');
}

static void put_notes(const LpJobRows *rows, LpJsonOut *json) {
    const LpRowsNote *note;
    size_t notes = lp_rows_notes(rows, &note);
    lp_json_open(json, "notes", '{');
    for (size_t i = 0; i < notes; i++)
        lp_json_put_count(json, note[i].word, note[i].count);
    lp_json_close(json, '}');
}

static void put_jobs(const LpJobRows *rows, bool all, LpJsonOut *json) {
    const LpRowsFigure *figure;
    const LpRowsHeader *header;
    LpRowsSums sums = lp_rows_sums(rows);
    lp_json_put_count(json, "rows", lp_rows_count(rows));
    lp_json_put_count(json, "taken", lp_rows_taken(rows));
    put_left_out(rows, json);
    put_notes(rows, json);
    lp_json_put_number(json, "gpu_hours", lp_num_round(sums.gpu_hours, PLACES));
    lp_json_put_number(json, "server_hours", lp_num_round(sums.server_hours, PLACES));
    lp_json_put_count(json, "largest", sums.largest);
    lp_json_put_number(json, "arrivals_over_s", sums.over);
    size_t figures = lp_rows_figures(rows, &figure);
    for (size_t i = 0; i < figures; i++)
        lp_json_put_number(json, figure[i].key, lp_num_round(figure[i].value, PLACES));
    size_t headers = lp_rows_headers(rows, &header);
    if (headers > 0) {
        lp_json_open(json, "header", '{');
        for (size_t i = 0; i < headers; i++)
            lp_json_put_text(json, header[i].key, header[i].value);
        lp_json_close(json, '}');
    }
    if (!all)
        return;
    lp_json_lines(json, "jobs", '[');
    for (uint64_t i = 0; i < lp_rows_taken(rows); i++)
        put_job(rows, i, json);
    lp_json_close(json, ']');
}

LpErr lp_import_json(const LpImport *import, bool all, LpBuf *out, LpDiag *diag) {
    LpJsonOut json = {.out = out, .spaced = true};
    const LpReading *reading = &import->reading;
    lp_json_lines(&json, NULL, '{');
    lp_json_put_text(&json, "format", reading->called);
    if (import->format->makes == LP_MAKES_JOBS)
        put_jobs(reading->rows, all, &json);
    else if (import->format->report != NULL)
        import->format->report(reading, all, &json);
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}

/* ---- text ---- */

/* "1 014 965": digits in groups, as a report's counts. */
static void add_count(LpBuf *out, uint64_t value) {
    char digits[24];
    int len = 0;
    do {
        digits[len++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (len-- > 0)
        lp_buf_addf(out, "%c%s", digits[len], len > 0 && len % 3 == 0 ? " " : "");
}

/* What a count of hundredths holds; a trace may say anything of its jobs. */
static const double MOST_HOURS = 1e16;

static void add_hours(LpBuf *out, double hours) {
    if (!(hours < MOST_HOURS)) {
        lp_buf_addf(out, "%.3g", hours);
        return;
    }
    uint64_t hundredths = (uint64_t)(hours * 100 + .5);
    add_count(out, hundredths / 100);
    lp_buf_addf(out, ".%02d", (int)(hundredths % 100));
}

/* Numbers from the least to the greatest. */
static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_hash(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many have sent jobs, told apart by what their names hash to; 0: the trace does not say. */
static LpErr count_users(const LpJobRows *rows, uint64_t *users, LpDiag *diag) {
    uint64_t count = lp_rows_taken(rows), named = 0;
    uint64_t *hash = lp_alloc(count > 0 ? count : 1, sizeof *hash);
    *users = 0;
    if (hash == NULL)
        return lp_fail_memory(diag, "the users of a trace");
    for (uint64_t i = 0; i < count; i++) {
        LpTraceJob job;
        lp_rows_job(rows, i, &job, NULL);
        if (job.user != NULL)
            hash[named++] = lp_hash_text(LP_HASH_INIT, job.user);
    }
    qsort(hash, named, sizeof *hash, by_hash);
    for (uint64_t i = 0; i < named; i++)
        *users += i == 0 || hash[i] != hash[i - 1];
    lp_free(hash);
    return LP_OK;
}

static const char *counted(const LpImport *import) {
    static const char *const units[] = {
        [LP_UNIT_GPU] = "GPU", [LP_UNIT_NODE] = "node", [LP_UNIT_CPU] = "processor"};
    return import->format->counts != NULL ? import->format->counts : units[import->options.unit];
}

static void add_taken(const LpImport *import, const LpRowsSums *sums, uint64_t users, LpBuf *out) {
    const LpJobRows *rows = import->reading.rows;
    lp_buf_add(out, "  taken             ");
    add_count(out, lp_rows_taken(rows));
    lp_buf_addf(out, " job%s", lp_str_s(lp_rows_taken(rows)));
    if (users > 0) {
        lp_buf_add(out, " of ");
        add_count(out, users);
        lp_buf_addf(out, " user%s", lp_str_s(users));
    }
    lp_buf_add(out, ": ");
    add_hours(out, sums->gpu_hours);
    lp_buf_addf(out, " %s hours", counted(import));
    if (sums->server_hours - sums->gpu_hours > .005) {
        lp_buf_add(out, " become ");
        add_hours(out, sums->server_hours);
        lp_buf_addf(out, " server hours (+%.1f %%)",
                    100 * (sums->server_hours / sums->gpu_hours - 1));
    }
    lp_buf_add(out, "\n");
}

static void add_left_out(const LpJobRows *rows, LpBuf *out) {
    const char *before = "  left out          ";
    for (int why = 0; why < LP_LEFT_COUNT; why++) {
        if (lp_rows_left(rows, (LpLeft)why) == 0)
            continue;
        lp_buf_add(out, before);
        add_count(out, lp_rows_left(rows, (LpLeft)why));
        lp_buf_addf(out, " %s", lp_left_plain((LpLeft)why));
        before = ", ";
    }
    lp_buf_add(out, before[0] == ',' ? "\n" : "");
    const LpDiag *bad;
    size_t bads = lp_rows_bad_rows(rows, &bad);
    for (size_t i = 0; i < bads; i++)
        lp_buf_addf(out, "  bad row           line %d: %s\n", bad[i].line, bad[i].text);
}

static void add_assumed(const LpJobRows *rows, LpBuf *out) {
    const char *const *sentence;
    const LpRowsNote *note;
    size_t sentences = lp_rows_assumed(rows, &sentence), notes = lp_rows_notes(rows, &note);
    for (size_t i = 0; i < sentences; i++)
        lp_buf_addf(out, "%s%s\n", i == 0 ? "  assumed           " : "                    ",
                    sentence[i]);
    for (size_t i = 0; i < notes; i++) {
        lp_buf_add(out, i == 0 ? "  noted             " : "                    ");
        add_count(out, note[i].count);
        lp_buf_add(out, " ");
        for (const char *at = note[i].word; *at != '\0'; at++)
            lp_buf_addf(out, "%c", *at == '_' ? ' ' : *at);
        lp_buf_add(out, "\n");
    }
}

/* One size of jobs. */
typedef struct Size {
    uint32_t servers;
    uint64_t jobs;
    double hours;
} Size;

enum { MOST_SIZES = 64, SHOWN_SIZES = 4 };

/* The sizes that most jobs have. */
static void add_sizes(const LpJobRows *rows, const LpRowsSums *sums, LpBuf *out) {
    Size size[MOST_SIZES];
    int sizes = 0;
    for (uint64_t i = 0; i < lp_rows_taken(rows); i++) {
        LpTraceJob job;
        int at = 0;
        lp_rows_job(rows, i, &job, NULL);
        while (at < sizes && size[at].servers != job.servers)
            at++;
        if (at == MOST_SIZES) /* too many sizes to name any */
            return;
        if (at == sizes)
            size[sizes++] = (Size){.servers = job.servers};
        size[at].jobs++;
        size[at].hours += job.servers * job.duration / HOUR;
    }
    lp_buf_add(out, "  sizes             ");
    for (int shown = 0; shown < SHOWN_SIZES && shown < sizes; shown++) {
        int best = shown;
        for (int i = shown; i < sizes; i++)
            if (size[i].jobs > size[best].jobs)
                best = i;
        Size most = size[best];
        size[best] = size[shown];
        size[shown] = most;
        lp_buf_addf(out, "%s%u: %.1f %%%s, %.1f %%%s", shown > 0 ? " · " : "", most.servers,
                    100 * (double)most.jobs / (double)lp_rows_taken(rows),
                    shown == 0 ? " of the jobs" : "", 100 * most.hours / sums->server_hours,
                    shown == 0 ? " of the hours" : "");
    }
    lp_buf_add(out, "\n");
}

static void add_load(const LpImport *import, const LpRowsSums *sums, LpBuf *out) {
    double span = span_of(import->reading.rows, sums);
    double at_once = sums->server_hours * HOUR / span;
    uint32_t servers = lp_import_servers(import), given = import->options.servers;
    lp_buf_addf(out, "  load              over %.1f d: 1.00 at ", span / DAY);
    if (at_once < MOST_HOURS)
        add_count(out, at_once >= .5 ? (uint64_t)(at_once + .5) : 1);
    else
        lp_buf_addf(out, "%.3g", at_once);
    if (given > 0) /* on those of --servers or --cluster */
        lp_buf_addf(out, " servers; the cluster has %u (%.2f)\n", given, at_once / given);
    else
        lp_buf_addf(out, " servers; try --set cluster.ideal.servers=%u (%.2f)\n", servers,
                    at_once / servers);
    const char *processors = lp_rows_header_value(import->reading.rows, "MaxProcs");
    double has;
    if (processors != NULL && lp_num_parse(processors, &has, NULL) == LP_OK && has >= 1)
        lp_buf_addf(out, "                    the trace's cluster had %.0f (MaxProcs): %.2f\n", has,
                    at_once / has);
}

/* "nlp 38.0 % of the hours": partitions, queues, virtual clusters. */
static void add_groups(const LpJobRows *rows, const LpRowsSums *sums, LpBuf *out) {
    struct {
        const char *name;
        double hours;
    } group[MOST_SIZES], most;
    int groups = 0;
    for (uint64_t i = 0; i < lp_rows_taken(rows); i++) {
        LpTraceJob job;
        int at = 0;
        lp_rows_job(rows, i, &job, NULL);
        if (job.group == NULL)
            continue;
        while (at < groups && strcmp(group[at].name, job.group) != 0)
            at++;
        if (at == MOST_SIZES) /* too many to name any */
            return;
        if (at == groups) {
            group[groups].name = job.group;
            group[groups++].hours = 0;
        }
        group[at].hours += job.servers * job.duration / HOUR;
    }
    for (int shown = 0; shown < SHOWN_SIZES && shown < groups; shown++) {
        char name[40];
        int best = shown;
        for (int i = shown; i < groups; i++)
            if (group[i].hours > group[best].hours)
                best = i;
        most = group[best];
        group[best] = group[shown];
        group[shown] = most;
        lp_buf_addf(out, "%s%s %.1f %%%s", shown > 0 ? " · " : "  groups            ",
                    lp_str_show(name, sizeof name, most.name),
                    100 * most.hours / sums->server_hours, shown == 0 ? " of the hours" : "");
    }
    if (groups > SHOWN_SIZES)
        lp_buf_addf(out, " · and %d more", groups - SHOWN_SIZES);
    lp_buf_add(out, groups > 0 ? "\n" : "");
}

/* Requested time over what the job took, of those that have it: how many, and the median. */
static LpErr find_requested(const LpJobRows *rows, uint64_t *have, double *median, LpDiag *diag) {
    uint64_t count = lp_rows_taken(rows);
    double *times = lp_alloc(count > 0 ? count : 1, sizeof *times);
    *have = 0;
    if (times == NULL)
        return lp_fail_memory(diag, "the requested times of a trace");
    for (uint64_t i = 0; i < count; i++) {
        LpTraceJob job;
        lp_rows_job(rows, i, &job, NULL);
        if (job.requested > 0)
            times[(*have)++] = job.requested / job.duration;
    }
    qsort(times, *have, sizeof *times, by_value);
    *median = *have > 0 ? times[(*have - 1) / 2] : 0;
    lp_free(times);
    return LP_OK;
}

static LpErr add_requested(const LpJobRows *rows, LpBuf *out, LpDiag *diag) {
    uint64_t have;
    double median;
    LP_TRY(find_requested(rows, &have, &median, diag));
    if (have == 0)
        return LP_OK;
    lp_buf_add(out, "  requested time    stands in ");
    add_count(out, have);
    lp_buf_addf(out, " job%s, median %.3g times what they took\n", lp_str_s(have), median);
    return LP_OK;
}

LpErr lp_import_together(const LpImport *import, LpBuf *out, LpDiag *diag) {
    const LpJobRows *rows = import->reading.rows;
    LpRowsSums sums = lp_rows_sums(rows);
    double span = span_of(rows, &sums);
    uint32_t given = import->options.servers,
             servers = given > 0 ? given : lp_import_servers(import);
    if (lp_rows_taken(rows) == 0)
        return LP_OK;
    lp_buf_addf(out, "together            load %.2f over %.1f d",
                sums.server_hours * HOUR / span / servers, span / DAY);
    lp_buf_addf(out, "; policy %s, queue_capacity ", lp_import_policy(rows));
    add_count(out, lp_rows_taken(rows));
    lp_buf_add(out, "\n");
    return lp_buf_ok(out, diag);
}

static LpErr add_jobs(const LpImport *import, LpBuf *out, LpDiag *diag) {
    const LpJobRows *rows = import->reading.rows;
    LpRowsSums sums = lp_rows_sums(rows);
    uint64_t users;
    LP_TRY(count_users(rows, &users, diag));
    add_taken(import, &sums, users, out);
    add_left_out(rows, out);
    add_assumed(rows, out);
    if (lp_rows_taken(rows) == 0)
        return LP_OK;
    add_sizes(rows, &sums, out);
    add_groups(rows, &sums, out);
    add_load(import, &sums, out);
    LP_TRY(add_requested(rows, out, diag));
    lp_buf_add(out, "  not in the source communication, models, deadlines, priorities\n");
    return LP_OK;
}

LpErr lp_import_text(const LpImport *import, LpBuf *out, LpDiag *diag) {
    const LpReading *reading = &import->reading;
    for (size_t i = 0; i < reading->files; i++) {
        char name[256];
        lp_str_show(name, sizeof name, reading->file[i]);
        int room = strlen(name) < 19 ? 20 - (int)strlen(name) : 1;
        lp_buf_addf(out, "%s%*s%s", name, room, "", reading->called);
        if (i == 0 && import->format->makes == LP_MAKES_JOBS) {
            lp_buf_add(out, ", ");
            add_count(out, lp_rows_count(reading->rows));
            lp_buf_addf(out, " row%s", lp_str_s(lp_rows_count(reading->rows)));
        }
        lp_buf_add(out, "\n");
    }
    if (import->format->makes == LP_MAKES_JOBS)
        LP_TRY(add_jobs(import, out, diag));
    else if (import->format->text != NULL)
        import->format->text(reading, out);
    return lp_buf_ok(out, diag);
}
