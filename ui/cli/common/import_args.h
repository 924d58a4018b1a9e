/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that `import` and `doctor` share, and what they open. */
#ifndef LP_UI_CLI_IMPORT_ARGS_H
#define LP_UI_CLI_IMPORT_ARGS_H

#include "cli/common/cli.h"
#include "import/onto.h"

typedef struct LpImportArgs {
    size_t max_input;
    bool kill, lenient, decimal, servers_forward;
    const char *cluster, *required;
    const char *unit, *fit, *keep, *map;
    const char *groups, *system, *time_unit, *kind;
    double sample, servers_per_unit, servers, gpus, gpus_per_node;
    LpSeedArg seed;
    double from, to, scale_time;
    double server_bandwidth, uplink_bandwidth, oversubscription, latency;
} LpImportArgs;

LpErr lp_arg_bandwidth(const char *text, void *rate, LpDiag *diag); /* double > 0, B/s */
LpErr lp_arg_factor(const char *text, void *factor, LpDiag *diag);  /* double > 0 */

/* A row of LP_IMPORT_FLAGS. */
#define LP_IMPORT_FLAG(type, name, value, kind, member, parse, help)                               \
    { (name), NULL, (value), (kind), offsetof(type, import.member), (parse), (help) }

#define LP_IMPORT_FLAGS(type)                                                                      \
    LP_IMPORT_FLAG(type, "--lenient", NULL, LP_FLAG_SWITCH, lenient, NULL,                         \
                   "count rows that cannot be read instead of refusing the file"),                 \
        LP_IMPORT_FLAG(                                                                            \
            type, "--cluster", "FILE", LP_FLAG_TEXT, cluster, NULL,                                \
            "jobs, steps: the cluster that they run on: topology.conf, Topograph's JSON, "         \
            "GraphML, a scenario"),                                                                \
        LP_IMPORT_FLAG(type, "--required", "LEVEL", LP_FLAG_TEXT, required, NULL,                  \
                       "jobs: each lies in one node of this level of the cluster, such as leaf"),  \
        LP_IMPORT_FLAG(type, "--unit", "UNIT", LP_FLAG_TEXT, unit, NULL,                           \
                       "jobs: what a server is, where the trace has several: gpu, node, cpu "      \
                       "(default gpu)"),                                                           \
        LP_IMPORT_FLAG(type, "--servers-per-unit", "N", LP_FLAG_PARSED, servers_per_unit,          \
                       lp_arg_whole, "jobs: GPUs that one server stands for (default 1)"),         \
        LP_IMPORT_FLAG(type, "--servers", "N", LP_FLAG_PARSED, servers, lp_arg_whole,              \
                       "jobs: servers of the cluster (default: a load of .82); stepfun: servers "  \
                       "that there were (default 400)"),                                           \
        LP_IMPORT_FLAG(type, "--fit", "WORD", LP_FLAG_TEXT, fit, NULL,                             \
                       "jobs wider than --servers: drop, cap, error (default drop)"),              \
        LP_IMPORT_FLAG(type, "--kill", NULL, LP_FLAG_SWITCH, kill, NULL,                           \
                       "jobs end once they have run for the time that they asked for"),            \
        LP_IMPORT_FLAG(type, "--sample", "N", LP_FLAG_PARSED, sample, lp_arg_whole,                \
                       "jobs: about N of them, by a hash of their ids"),                           \
        LP_IMPORT_FLAG(type, "--seed", "N", LP_FLAG_PARSED, seed, lp_arg_seed, "of --sample"),     \
        LP_IMPORT_FLAG(type, "--from", "TIME", LP_FLAG_PARSED, from, lp_arg_time,                  \
                       "jobs submitted from this time after the first one on"),                    \
        LP_IMPORT_FLAG(type, "--to", "TIME", LP_FLAG_PARSED, to, lp_arg_time,                      \
                       "jobs submitted before this time after the first one"),                     \
        LP_IMPORT_FLAG(type, "--scale-time", "X", LP_FLAG_PARSED, scale_time, lp_arg_factor,       \
                       "jobs: arrivals are divided by X"),                                         \
        LP_IMPORT_FLAG(type, "--keep", "STATES", LP_FLAG_TEXT, keep, NULL,                         \
                       "jobs in these states, such as completed,failed"),                          \
        LP_IMPORT_FLAG(type, "--map", "COLUMNS", LP_FLAG_TEXT, map, NULL,                          \
                       "csv: which columns are what, such as "                                     \
                       "id=job,arrival=at,duration=run:min"),                                      \
        LP_IMPORT_FLAG(                                                                            \
            type, "--server-bandwidth", "RATE", LP_FLAG_PARSED, server_bandwidth,                  \
            lp_arg_bandwidth,                                                                      \
            "clusters: of a server's cable, where the file has none; chakra: of a link "           \
            "of ASTRA-sim, whose GB/s are GiB/s"),                                                 \
        LP_IMPORT_FLAG(type, "--uplink-bandwidth", "RATE", LP_FLAG_PARSED, uplink_bandwidth,       \
                       lp_arg_bandwidth,                                                           \
                       "clusters: of a cable between switches, where the file has none"),          \
        LP_IMPORT_FLAG(type, "--oversubscription", "X", LP_FLAG_PARSED, oversubscription,          \
                       lp_arg_factor, "clusters: as many cables up as this ratio needs"),          \
        LP_IMPORT_FLAG(type, "--decimal", NULL, LP_FLAG_SWITCH, decimal, NULL,                     \
                       "astra-network: GB/s are 10^9 bytes, not 2^30"),                            \
        LP_IMPORT_FLAG(type, "--servers-forward", NULL, LP_FLAG_SWITCH, servers_forward, NULL,     \
                       "clusters: servers pass on what is for others"),                            \
        LP_IMPORT_FLAG(type, "--gpus-per-node", "N", LP_FLAG_PARSED, gpus_per_node, lp_arg_whole,  \
                       "slurm-topology, topograph: servers that each host becomes (default 1)"),   \
        LP_IMPORT_FLAG(type, "--groups", "FILE", LP_FLAG_TEXT, groups, NULL,                       \
                       "chakra: communicators, JSON such as {\"7\": [0, 1]}"),                     \
        LP_IMPORT_FLAG(type, "--system", "FILE", LP_FLAG_TEXT, system, NULL,                       \
                       "chakra, astra-network: ASTRA-sim's file of the system"),                   \
        LP_IMPORT_FLAG(type, "--latency", "TIME", LP_FLAG_PARSED, latency, lp_arg_time,            \
                       "steps: of a link of the ideal network (default 0)"),                       \
        LP_IMPORT_FLAG(type, "--gpus", "N", LP_FLAG_PARSED, gpus, lp_arg_whole,                    \
                       "simai: accelerators, where the file does not say"),                        \
        LP_IMPORT_FLAG(type, "--time-unit", "UNIT", LP_FLAG_TEXT, time_unit, NULL,                 \
                       "pipedream: of the profile's times: s, ms, us, ns (default ms)"),           \
        LP_IMPORT_FLAG(type, "--kind", "KIND", LP_FLAG_TEXT, kind, NULL,                           \
                       "stepfun: what they are in the trace (default host)"),                      \
        LP_IMPORT_FLAG(type, "--max-input", "SIZE", LP_FLAG_PARSED, max_input, lp_arg_size,        \
                       "largest input file after unpacking (default 64 MiB; no limit where it is " \
                       "read in a stream)")

/* LP_EINVAL where an option is given that changes nothing of the format. */
LpErr lp_import_heeds(const LpImportArgs *args, const LpFormat *format, LpDiag *diag) LP_MUST_USE;

/* What the words and options of a command name. */
typedef struct LpImportedRows {
    LpImport import;
    LpImportOnto onto; /* --cluster */
    bool has_onto;
} LpImportedRows;

/* Reads `words` words as `[FORMAT] FILE...`: where the first is no format it is a file like the
 * others, and the format is what its contents say. `out` is to be freed in any case, and is not to
 * be moved. Errors: LP_EINVAL, also for words of options; those of lp_import_read. */
LpErr lp_cli_import(const char *const *word, int words, const LpImportArgs *args,
                    LpImportedRows *out, LpDiag *diag) LP_MUST_USE;
void lp_cli_import_free(LpImportedRows *out);
/* The report as text: of the jobs, and of the cluster that they are put onto. */
LpErr lp_cli_import_text(const LpImportedRows *is, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
