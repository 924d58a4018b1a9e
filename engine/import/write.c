/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was imported as a scenario of lightpath's own, written in pieces: a million jobs are a file
 * of 100 MB that need not stand in memory. */
#include <string.h>

#include "import/import.h"
#include "import/nets/net.h"
#include "import/onto.h"
#include "io/scenario/recorded.h"

enum { PIECE = 1 << 16 };

static const double HOUR = 3600;

/* A scenario that is being written. */
typedef struct Writer {
    LpBuf buf;
    LpJsonOut json;
    LpSink sink;
    void *user;
} Writer;

static LpErr flush(Writer *w, LpDiag *diag) {
    LP_TRY(lp_buf_ok(&w->buf, diag));
    LP_TRY(w->sink(w->user, lp_buf_text(&w->buf), w->buf.len, diag));
    lp_buf_clear(&w->buf);
    return LP_OK;
}

static void put_origin(const LpImport *import, LpJsonOut *json) {
    const LpJobRows *rows = import->reading.rows;
    lp_json_open(json, "import", '{');
    lp_json_put_count(json, "rows", lp_rows_count(rows));
    lp_json_put_count(json, "taken", lp_rows_taken(rows));
    lp_json_open(json, "left_out", '{');
    for (int why = 0; why < LP_LEFT_COUNT; why++)
        if (lp_rows_left(rows, (LpLeft)why) > 0)
            lp_json_put_count(json, lp_left_word((LpLeft)why), lp_rows_left(rows, (LpLeft)why));
    lp_json_close(json, '}');
    lp_json_close(json, '}');
}

/* Time 0 as a date, where the trace has dates. */
static void put_epoch(const LpJobRows *rows, LpJsonOut *json) {
    double epoch;
    if (lp_rows_epoch(rows, &epoch))
        lp_json_put_number(json, "epoch", epoch);
}

/* `slices`: the cluster has them; elsewhere a slice is as many servers. */
static void put_job(const LpImport *import, bool slices, uint64_t i, LpJsonOut *json) {
    const LpJobRows *rows = import->reading.rows;
    LpTraceJob job;
    double arrival;
    lp_rows_job(rows, i, &job, &arrival);
    lp_json_open(json, NULL, '{');
    if (job.id != NULL)
        lp_json_put_text(json, "id", job.id);
    if (job.name != NULL)
        lp_json_put_text(json, "name", job.name);
    if (job.user != NULL)
        lp_json_put_text(json, "user", job.user);
    if (job.group != NULL)
        lp_json_put_text(json, "group", job.group);
    if (job.slice != NULL && slices)
        lp_json_put_text(json, "slice", job.slice);
    else
        lp_json_put_count(json, "servers", job.servers);
    lp_json_put_number(json, "duration", job.duration);
    if (job.requested > 0)
        lp_json_put_number(json, "requested", job.requested);
    lp_json_put_number(json, "arrival", arrival);
    if (job.in_one_host)
        lp_json_put_text(json, "required", "host");
    else if (import->options.required != NULL)
        lp_json_put_text(json, "required", import->options.required);
    if (job.segment > 0)
        lp_json_put_count(json, "segment", job.segment);
    lp_json_open(json, "hint", '{');
    lp_json_put_number(json, "gpus", job.gpus);
    if (job.state != NULL)
        lp_json_put_text(json, "state", job.state);
    lp_json_close(json, '}');
    lp_json_close(json, '}');
}

static void put_name(const LpImport *import, LpJsonOut *json) {
    char name[64];
    const char *file = import->reading.file[0], *slash = strrchr(file, '/');
    lp_str_copy(name, sizeof name, slash != NULL ? slash + 1 : file);
    name[strcspn(name, ".")] = '\0';
    lp_json_put_text(json, "name", name[0] != '\0' && name[0] != '-' ? name : "imported");
}

static void put_cluster(const LpImport *jobs, const LpImportOnto *onto, LpJsonOut *json) {
    if (onto != NULL) {
        lp_json_put_raw(json, "cluster", lp_buf_text(&onto->cluster));
        return;
    }
    lp_json_open(json, "cluster", '{');
    lp_json_put_text(json, "fabric", "ideal");
    lp_json_open(json, "ideal", '{');
    lp_json_put_count(json, "servers",
                      jobs->options.servers > 0 ? jobs->options.servers : lp_import_servers(jobs));
    lp_json_close(json, '}');
    lp_json_close(json, '}');
}

static LpErr write_jobs(const LpImport *import, const LpImportOnto *onto, Writer *w, LpDiag *diag) {
    const LpJobRows *rows = import->reading.rows;
    LpJsonOut *json = &w->json;
    uint64_t taken = lp_rows_taken(rows);
    if (taken == 0)
        return lp_fail_at(diag, LP_EINVAL, import->reading.file[0], 0, 0,
                          "no row of the trace is a job to be run: `lightpath doctor` says why");
    lp_json_lines(json, NULL, '{');
    lp_json_put_count(json, "lightpath", 1);
    put_name(import, json);
    put_epoch(rows, json);
    lp_json_put_text(json, "open", "worst");
    if (import->options.kill)
        lp_json_put_bool(json, "kill_at_requested", true);
    put_origin(import, json);
    /* replayed jobs wait: a queue of ten would turn them away */
    lp_json_put_count(json, "queue_capacity", taken);
    put_cluster(import, onto, json);
    lp_json_open(json, "policy", '{');
    lp_json_put_text(json, "script", lp_import_policy(rows));
    lp_json_close(json, '}');
    lp_json_lines(json, "jobs", '[');
    for (uint64_t i = 0; i < taken; i++) {
        put_job(import, onto != NULL && onto->slices, i, json);
        if (w->buf.len >= PIECE)
            LP_TRY(flush(w, diag));
    }
    lp_json_close(json, ']');
    lp_json_end(json);
    return flush(w, diag);
}

/* A cluster alone: with one job, so that there is something to run. */
static LpErr write_cluster(const LpImport *import, Writer *w, LpDiag *diag) {
    LpJsonOut *json = &w->json;
    lp_json_lines(json, NULL, '{');
    lp_json_put_count(json, "lightpath", 1);
    put_name(import, json);
    LP_TRY(lp_net_cluster(import->reading.net, &import->reading, json, diag));
    lp_json_lines(json, "jobs", '[');
    lp_json_open(json, NULL, '{');
    lp_json_put_count(json, "servers", 1);
    lp_json_put_number(json, "duration", HOUR);
    lp_json_close(json, '}');
    lp_json_close(json, ']');
    lp_json_end(json);
    return flush(w, diag);
}

/* A job of one step, on as many servers as there are ranks: on links as the report's, where the
 * options have them. */
static void put_ideal(const LpImportOptions *options, uint32_t ranks, LpJsonOut *json) {
    lp_json_open(json, "cluster", '{');
    lp_json_put_text(json, "fabric", "ideal");
    lp_json_open(json, "ideal", '{');
    lp_json_put_count(json, "servers", ranks);
    if (options->server_bandwidth > 0) {
        lp_json_put_number(json, "node_bandwidth", options->server_bandwidth);
        lp_json_put_number(json, "latency", options->latency);
        lp_json_put_number(json, "io_latency", 0);
    }
    lp_json_close(json, '}');
    lp_json_close(json, '}');
}

static LpErr write_step(const LpImport *import, const LpImportOnto *onto, Writer *w, LpDiag *diag) {
    LpJsonOut *json = &w->json;
    LpStepTrace *trace;
    LpTraceRules rules;
    LP_TRY(import->format->step(&import->reading, false, &trace, &rules, diag));
    if (onto != NULL && trace->ranks > onto->servers)
        return lp_fail(diag, LP_EINVAL,
                       "the step has %u ranks, the cluster %u servers: expected one for each",
                       (unsigned)trace->ranks, (unsigned)onto->servers);
    lp_json_lines(json, NULL, '{');
    lp_json_put_count(json, "lightpath", 1);
    put_name(import, json);
    if (onto != NULL)
        lp_json_put_raw(json, "cluster", lp_buf_text(&onto->cluster));
    else
        put_ideal(&import->options, trace->ranks, json);
    lp_json_open(json, "policy", '{');
    lp_json_put_text(json, "script", "fit_first.lua");
    lp_json_close(json, '}');
    lp_json_lines(json, "graphs", '[');
    lp_json_lines(json, NULL, '{');
    lp_json_put_text(json, "id", "step");
    lp_recorded_put(trace, &rules, json);
    lp_json_close(json, '}');
    lp_json_close(json, ']');
    lp_json_lines(json, "jobs", '[');
    lp_json_open(json, NULL, '{');
    lp_json_put_text(json, "graph", "step");
    lp_json_put_count(json, "steps", 1);
    lp_json_close(json, '}');
    lp_json_close(json, ']');
    lp_json_end(json);
    return flush(w, diag);
}

LpErr lp_import_write(const LpImport *import, const LpImportOnto *onto, LpSink sink, void *user,
                      LpDiag *diag) {
    Writer w = {.sink = sink, .user = user};
    LpErr err;
    w.json = (LpJsonOut){.out = &w.buf, .spaced = true};
    if (import->format->makes == LP_MAKES_JOBS) {
        err = write_jobs(import, onto, &w, diag);
    } else if (import->format->makes == LP_MAKES_CLUSTER) {
        err = write_cluster(import, &w, diag);
    } else if (import->format->makes == LP_MAKES_STEP) {
        err = write_step(import, onto, &w, diag);
    } else if (import->format->write != NULL) {
        err = import->format->write(&import->reading, &w.buf, diag);
        if (err == LP_OK)
            err = flush(&w, diag);
    } else {
        err = lp_fail(diag, LP_EINVAL, "%s holds no jobs: lightpath doctor says what it holds",
                      import->format->name);
    }
    lp_buf_fini(&w.buf);
    return err;
}
