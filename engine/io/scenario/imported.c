/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "jobs" as a file of another program: {"import": "swf", "file": "x.swf.gz", "sample": 1000}. */
#include <string.h>

#include "base/json_out.h"
#include "io/files/file.h"
#include "io/scenario/loader.h"
#include "model/fabric/fabric.h"

enum { PATH_TEXT = 4096 };

/* The object as it is written. */
typedef struct Imported {
    const char *format, *file;
    LpImportOptions options;
} Imported;

static const char *const unit_words[] = {"gpu", "node", "cpu", NULL};  /* as LpImportUnit */
static const char *const fit_words[] = {"drop", "cap", "error", NULL}; /* as LpImportFit */

static const LpJsonKey imported_keys[] = {
    {LP_FIELD("import", LP_KEY_TEXT, Imported, format), .required = true},
    {LP_FIELD("file", LP_KEY_TEXT, Imported, file), .required = true},
    {LP_FIELD("sample", LP_KEY_COUNT64, Imported, options.sample)},
    {LP_FIELD("seed", LP_KEY_COUNT64, Imported, options.seed)},
    LP_QUANTITY("from", Imported, options.from, .dim = LP_DIM_TIME),
    LP_QUANTITY("to", Imported, options.to, .dim = LP_DIM_TIME, .above = true),
    LP_QUANTITY("scale_time", Imported, options.scale_time, .above = true),
    LP_COUNTED("servers_per_unit", Imported, options.servers_per_unit, 1, 0),
    {LP_FIELD("unit", LP_KEY_WORD, Imported, options.unit), .words = unit_words},
    {LP_FIELD("fit", LP_KEY_WORD, Imported, options.fit), .words = fit_words},
    {LP_FIELD("keep", LP_KEY_TEXT, Imported, options.keep)},
    {LP_FIELD("map", LP_KEY_TEXT, Imported, options.map)},
    {LP_FIELD("lenient", LP_KEY_FLAG, Imported, options.lenient)},
};

const LpJsonShape lp_shape_imported = LP_OBJECT_SHAPE(imported_keys);

static LpErr name_job(LpLoader *loader, const LpTraceJob *from, LpJobSpec *job, LpDiag *diag) {
    LpIdentity *row = lp_job_names_row(loader, job);
    if (row == NULL)
        return lp_fail_memory(diag, "the names of jobs");
    if (from->id != NULL && (row->key = lp_arena_strdup(loader->scenario->arena, from->id)) == NULL)
        return lp_fail_memory(diag, "the names of jobs");
    if (from->name != NULL)
        LP_TRY(lp_job_names_word(loader, from->name, &row->name, diag));
    if (from->user != NULL)
        LP_TRY(lp_job_names_word(loader, from->user, &row->user, diag));
    if (from->group != NULL)
        LP_TRY(lp_job_names_word(loader, from->group, &row->group, diag));
    return LP_OK;
}

/* Where the cluster has no slices one is as many servers. */
static bool on_slice(const LpLoader *loader, const LpTraceJob *from) {
    return from->slice != NULL && lp_fabric_ops(loader->scenario->cluster.fabric)->slices;
}

static LpErr make_job(LpLoader *loader, const LpTraceJob *from, double arrival, LpJobSpec *job,
                      LpDiag *diag) {
    *job = lp_job_spec_default(loader->scenario, true);
    if (on_slice(loader, from))
        LP_TRY(lp_load_slice_text(loader->scenario, from->slice, &job->slice, diag));
    else
        job->rigid_servers = from->servers;
    job->rigid_duration = from->duration;
    job->requested = from->requested > 0 ? from->requested : 0;
    job->arrival = arrival;
    if (from->id == NULL && from->name == NULL && from->user == NULL && from->group == NULL)
        return LP_OK;
    return name_job(loader, from, job, diag);
}

/* The job as it would stand in a list: what a session keeps, so that it needs no file. */
static void keep_job(const LpLoader *loader, const LpTraceJob *job, double arrival,
                     LpJsonOut *json) {
    lp_json_open(json, NULL, '{');
    if (job->id != NULL)
        lp_json_put_text(json, "id", job->id);
    if (job->name != NULL)
        lp_json_put_text(json, "name", job->name);
    if (job->user != NULL)
        lp_json_put_text(json, "user", job->user);
    if (job->group != NULL)
        lp_json_put_text(json, "group", job->group);
    if (on_slice(loader, job))
        lp_json_put_text(json, "slice", job->slice);
    else
        lp_json_put_count(json, "servers", job->servers);
    lp_json_put_number(json, "duration", job->duration);
    if (job->requested > 0)
        lp_json_put_number(json, "requested", job->requested);
    lp_json_put_number(json, "arrival", arrival);
    lp_json_close(json, '}');
}

static LpErr take_jobs(LpLoader *loader, void *trace, uint64_t count, LpDiag *diag) {
    const LpTraceSource *source = loader->options->traces;
    LpScenario *scenario = loader->scenario;
    LpJobNames naming = {.jobs = count};
    LpJsonOut json = {.out = &loader->imported};
    LpErr err = LP_OK;
    LpJobSpec *jobs = lp_arena_alloc(scenario->arena, count, sizeof *jobs);
    if (jobs == NULL)
        return lp_fail_memory(diag, "the jobs of a trace");
    loader->naming = &naming;
    lp_json_open(&json, NULL, '[');
    for (uint64_t i = 0; err == LP_OK && i < count; i++) {
        LpTraceJob job;
        double arrival;
        source->job(trace, i, &job, &arrival);
        err = make_job(loader, &job, arrival, &jobs[i], diag);
        if (loader->options->keep != NULL)
            keep_job(loader, &job, arrival, &json);
    }
    lp_json_close(&json, ']');
    loader->naming = NULL;
    lp_job_names_fini(&naming);
    LP_TRY(err);
    scenario->job = jobs;
    scenario->jobs = (uint32_t)count;
    return LP_OK;
}

LpErr lp_load_imported(LpJsonValue value, LpLoader *loader, LpDiag *diag) {
    const LpTraceSource *source = loader->options->traces;
    Imported spec = {.options.seed = 1};
    LpJsonValue at = lp_json_member(value, "file");
    char path[PATH_TEXT];
    void *trace = NULL;
    uint64_t jobs;
    LpDiag inner;
    if (lp_json_member(value, "import").item == NULL)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"jobs\" is an object without the key \"import\", expected a list "
                            "[...], or {\"import\": FORMAT, \"file\": FILE}");
    LP_TRY(lp_json_read(value, imported_keys, LP_COUNTOF(imported_keys), &spec,
                        loader->scenario->arena, loader, diag));
    if (source == NULL)
        return lp_json_fail(value, diag, LP_ESTATE,
                            "files of other programs are not read here: expected a list of jobs");
    if (lp_files_find(NULL, spec.file, loader->file, NULL, NULL, path, sizeof path, &inner) !=
        LP_OK)
        return lp_json_fail(at, diag, inner.code, "%s", inner.text);
    const LpFiles *files = loader->options->files;
    if (files != NULL && files->note != NULL)
        files->note(files->user, path);
    spec.options.max_input = loader->options->max_input;
    spec.options.servers = lp_cluster_servers(&loader->scenario->cluster);
    LpErr err = source->open(spec.format, path, &spec.options, &trace, &jobs, &inner);
    if (err != LP_OK && inner.file[0] != '\0') { /* its place is in the trace */
        *diag = inner;
        return err;
    }
    if (err != LP_OK)
        return lp_json_fail(lp_json_member(value, "import"), diag, err, "%s", inner.text);
    if (jobs == 0)
        err = lp_json_fail(at, diag, LP_EINVAL,
                           "no row of the trace is a job to be run: `lightpath doctor` says why");
    else
        err = take_jobs(loader, trace, jobs, diag);
    source->close(trace);
    if (err == LP_OK && loader->scenario->queue_capacity < jobs)
        loader->imported_queue = (uint32_t)jobs;
    return err;
}
