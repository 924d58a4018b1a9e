/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user asks of an import, whatever the format: a struct that is zero for the defaults. */
#ifndef LP_MODEL_IMPORT_OPTIONS_H
#define LP_MODEL_IMPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one server of the scenario is in the trace. */
typedef enum LpImportUnit { LP_UNIT_GPU, LP_UNIT_NODE, LP_UNIT_CPU } LpImportUnit;
/* What becomes of a job that is wider than the cluster. */
typedef enum LpImportFit { LP_FIT_DROP, LP_FIT_CAP, LP_FIT_ERROR } LpImportFit;

typedef struct LpImportOptions {
    uint64_t max_input; /* bytes after unpacking; 0: 64 MiB where a file is read whole, none where
                           it is streamed */
    bool lenient;       /* rows that cannot be read are counted instead of refused */

    /* jobs */
    uint64_t sample; /* about this number of those taken, by a hash of id and seed; 0: all */
    uint64_t seed;
    double from, to;           /* s after the first submission; to 0: no end */
    double scale_time;         /* arrivals are divided by it; 0: 1 */
    uint32_t servers_per_unit; /* units that one server stands for; 0: 1 */
    LpImportUnit unit;
    LpImportFit fit;
    uint32_t servers;       /* of the cluster, for `fit`; 0: unknown, nothing is too large */
    uint32_t level_servers; /* of the largest node of the level that every job requires; 0: none
                               is required */
    bool kill;              /* jobs end once they have run for what was requested */
    bool hosts; /* a server is a host, which holds one job: a job's nodes count, not its GPUs */
    const char *required; /* level of the cluster that every job requires; NULL: none */
    const char *keep;     /* states, separated by commas; NULL: all */
    const char *map;      /* of `csv`: "id=job,arrival=submit,servers=gpus,duration=run" */

    /* clusters */
    double server_bandwidth, uplink_bandwidth; /* B/s; 0: those of a scenario without them */
    double oversubscription;                   /* bandwidth down over bandwidth up; 0: one cable */
    bool decimal;                              /* of `astra-network`: GB/s are 10^9 */
    bool servers_forward;
    uint32_t gpus_per_node; /* servers that each host of a tree becomes; 0: 1 */

    /* traces of a step */
    const char *groups; /* file of communicators of `chakra`; NULL: none */
    const char *system; /* file of the system of `chakra` and `astra-network`; NULL: none */
    double latency;     /* s, of a link: beside server_bandwidth, for ASTRA-sim's times */
    bool no_ctrl_deps;  /* of `chakra`: nodes wait for their data alone */
    uint32_t gpus;      /* of `simai`, where its file does not say */

    /* profiles and faults */
    const char *time_unit, *kind;
    uint32_t failing_servers; /* servers that there were, of `stepfun`; 0: 400 */
} LpImportOptions;

/* Bytes that a reader of whole files takes. */
static inline uint64_t lp_import_limit(const LpImportOptions *options) {
    return options->max_input > 0 ? options->max_input : (uint64_t)64 << 20;
}

#endif
