/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the scenario loader: one reader per part of a scenario file. */
#ifndef LP_IO_SCENARIO_LOADER_H
#define LP_IO_SCENARIO_LOADER_H

#include "io/json/json.h"
#include "io/scenario/scenario.h"
#include "sim/store/intern.h"

/* What the jobs of a list call themselves, while it is read. Zero-initialise but for `jobs`. */
typedef struct LpJobNames {
    size_t jobs;          /* of the list */
    LpIdentity *row;      /* the scenario's, room for all; NULL: none so far */
    LpIntern keys, words; /* ids that are taken; other texts */
    const char **word;    /* the texts in the scenario's arena, by their numbers in `words` */
    size_t word_cap;
} LpJobNames;
void lp_job_names_fini(LpJobNames *naming);

typedef struct LpLoader {
    LpScenario *scenario;
    const LpLoadOptions *options; /* never NULL */
    const char *file;             /* relative paths start from its folder */
    const LpJson *doc;
    LpJobNames *naming;      /* NULL but while jobs are read */
    LpBuf imported;          /* jobs of a trace as a list, for what is kept; empty: none */
    uint32_t imported_queue; /* jobs of a trace, who wait where no capacity is stated; 0: none */
} LpLoader;

/* The identity of a job of the list that is read, which it gets with its first call: jobs without
 * one take nothing. NULL: out of memory. */
LpIdentity *lp_job_names_row(const LpLoader *loader, LpJobSpec *job);
/* The text in the arena, once for all jobs of the list that have it. LP_ENOMEM. */
LpErr lp_job_names_word(const LpLoader *loader, const char *text, const char **out,
                        LpDiag *diag) LP_MUST_USE;

/* Readers of the top-level keys; `target` is the scenario. */
LpErr lp_load_cluster(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* "cluster.packet"; `target` is the cluster. */
LpErr lp_load_packet(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_ocs(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* "cluster.zones"; `target` is the cluster. */
LpErr lp_load_zones(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_devices(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* "cluster.rails" and "cluster.region"; `context` is the loader, whose scenario has what they say.
 */
LpErr lp_load_rails(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_region(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* "cluster.pod"; `target` is the cluster. */
LpErr lp_load_pod(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* "cluster.levels" and "cluster.names"; `target` is the cluster. */
LpErr lp_load_levels(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_names(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* The number of a level, from 1, by its name. LP_EINVAL at the value, with the names. */
LpErr lp_load_level_ref(const LpScenario *scenario, LpJsonValue value, uint32_t *out,
                        LpDiag *diag) LP_MUST_USE;
/* "slice" of a job: its row among the scenario's slices, from 1, is added to them. */
LpErr lp_load_slice(LpScenario *scenario, LpJsonValue value, uint32_t *row,
                    LpDiag *diag) LP_MUST_USE;
/* The same by its text, which is copied. Errors: LP_ENOMEM. */
LpErr lp_load_slice_text(LpScenario *scenario, const char *text, uint32_t *row,
                         LpDiag *diag) LP_MUST_USE;
/* "slices" of the generator: "table2", or a list of { slice, weight }. */
LpErr lp_load_slices(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* "failures"; `target` is the scenario. "checkpoint" of a job. */
LpErr lp_load_failures(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_checkpoint(LpJsonValue value, LpCheckpointSpec *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_graphs(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_jobs(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* "id", "name", "user", "group" of a job; `target` is its LpJobSpec, `context` the loader. An id is
 * LP_EINVAL at the value where another job of the list has it. Amortised O(length). */
LpErr lp_load_job_key(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_job_name(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_job_user(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_job_group(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* "jobs" that is an object: a file of another program. */
LpErr lp_load_imported(LpJsonValue value, LpLoader *loader, LpDiag *diag) LP_MUST_USE;
/* "import"; `target` is the scenario, whose jobs have been read. */
LpErr lp_load_import(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_generator(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_load_policy(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;

/* How a distribution is written. */
typedef struct LpDistForm {
    LpDimension dim;
    bool whole;  /* a uniform distribution without decimals draws whole numbers */
    bool shapes; /* a bare word is a shape whose mean comes from the load */
} LpDistForm;
/* A distribution, or a bare number. What may be drawn from it is checked by lp_scenario_finish. */
LpErr lp_load_dist(LpJsonValue value, const LpDistForm *form, LpArena *arena, LpDist *out,
                   LpDiag *diag) LP_MUST_USE;

/* The index of a graph by its id. LP_EINVAL at the value, with the nearest id. */
LpErr lp_load_graph_ref(const LpScenario *scenario, LpJsonValue value, uint32_t *out,
                        LpDiag *diag) LP_MUST_USE;
/* A graph with the keys "model" and "parallel"; *out is the caller's. */
LpErr lp_load_planned(LpJsonValue value, LpLoader *loader, LpGraph **out, LpDiag *diag) LP_MUST_USE;
/* A graph with the key "ranks" or "trace": a recorded step; *out is the caller's. */
LpErr lp_load_recorded(LpJsonValue value, LpLoader *loader, LpGraph **out,
                       LpDiag *diag) LP_MUST_USE;
/* A device by its name: the scenario's own, then the table. LP_EINVAL at the value, with names. */
LpErr lp_load_device(LpJsonValue value, const LpScenario *scenario, const LpDevice **out,
                     LpDiag *diag) LP_MUST_USE;
/* The value as JSON text in the arena. */
LpErr lp_load_raw(LpJsonValue value, LpArena *arena, const char **out, LpDiag *diag) LP_MUST_USE;

/* What may stand there, for the schema. */
extern const LpJsonShape lp_shape_scenario, lp_shape_cluster, lp_shape_packet, lp_shape_ocs,
    lp_shape_zones, lp_shape_rails, lp_shape_region, lp_shape_pod, lp_shape_slices,
    lp_shape_failures, lp_shape_checkpoint, lp_shape_devices, lp_shape_graphs, lp_shape_planned,
    lp_shape_ranks, lp_shape_trace, lp_shape_levels, lp_shape_names, lp_shape_jobs, lp_shape_import,
    lp_shape_imported, lp_shape_generator, lp_shape_policy, lp_shape_dist, lp_shape_partition;
/* A text; something that a function of its own judges. */
extern const LpJsonShape lp_shape_text, lp_shape_number, lp_shape_text_or_number, lp_shape_format;

/* Words of LpAlgorithm and LpRingOrder; NULL-terminated. */
extern const char *const lp_collective_words[], *const lp_ring_words[], *const lp_sharing_words[];
/* "model", "data", "tensor"; NULL-terminated. */
extern const char *const lp_partition_words[];

#endif
