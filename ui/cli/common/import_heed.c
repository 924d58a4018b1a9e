/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which formats an option of `import` and `doctor` is for: one that would change nothing is
 * refused, since who gave it expects that it does. */
#include <string.h>

#include "cli/common/import_args.h"

#define OF(makes) (1u << (makes))

/* An option that is given where its member is neither 0 nor NULL nor false. */
typedef struct Heed {
    const char *option;
    size_t member, size;
    unsigned makes;     /* kinds of formats that it is for: OF(...) */
    bool cluster;       /* also for jobs, where --cluster says on what they run */
    const char *format; /* formats besides, between blanks */
    const char *who;    /* all of these in words */
} Heed;

#define ROW(option, member, makes, cluster, format, who)                                           \
    {                                                                                              \
        option, offsetof(LpImportArgs, member), sizeof((LpImportArgs *)NULL)->member, makes,       \
            cluster, format, who                                                                   \
    }
#define JOBS_ALONE(option, member)                                                                 \
    ROW(option, member, OF(LP_MAKES_JOBS), false, "", "formats of jobs")

static const Heed ROWS[] = {
    ROW("--unit", unit, 0, false, " sacct philly helios acme ", "sacct, philly, helios and acme"),
    JOBS_ALONE("--servers-per-unit", servers_per_unit),
    JOBS_ALONE("--fit", fit),
    JOBS_ALONE("--kill", kill),
    JOBS_ALONE("--sample", sample),
    JOBS_ALONE("--from", from),
    JOBS_ALONE("--to", to),
    JOBS_ALONE("--scale-time", scale_time),
    JOBS_ALONE("--keep", keep),
    ROW("--servers", servers, OF(LP_MAKES_JOBS), false, " stepfun ",
        "formats of jobs, and for stepfun"),
    ROW("--map", map, 0, false, " csv ", "csv"),
    ROW("--server-bandwidth", server_bandwidth, OF(LP_MAKES_CLUSTER) | OF(LP_MAKES_STEP), true, "",
        "formats of clusters and of steps, and for --cluster"),
    ROW("--uplink-bandwidth", uplink_bandwidth, OF(LP_MAKES_CLUSTER), true, "",
        "formats of clusters, and for --cluster"),
    ROW("--oversubscription", oversubscription, OF(LP_MAKES_CLUSTER), true, "",
        "formats of clusters, and for --cluster"),
    ROW("--servers-forward", servers_forward, OF(LP_MAKES_CLUSTER), true, "",
        "formats of clusters, and for --cluster"),
    ROW("--gpus-per-node", gpus_per_node, 0, true, " slurm-topology topograph ",
        "slurm-topology and topograph, also as --cluster"),
    ROW("--decimal", decimal, 0, false, " astra-network ", "astra-network"),
    ROW("--groups", groups, 0, false, " chakra ", "chakra"),
    ROW("--system", system, 0, false, " chakra astra-network ", "chakra and astra-network"),
    ROW("--latency", latency, OF(LP_MAKES_STEP), false, "", "formats of steps"),
    ROW("--gpus", gpus, 0, false, " simai ", "simai"),
    ROW("--time-unit", time_unit, 0, false, " pipedream stepfun ", "pipedream and stepfun"),
    ROW("--kind", kind, 0, false, " stepfun ", "stepfun"),
};

static bool is_given(const LpImportArgs *args, const Heed *row) {
    static const unsigned char none[sizeof(double)] = {0};
    return memcmp((const unsigned char *)args + row->member, none, row->size) != 0;
}

static bool is_for(const Heed *row, const LpImportArgs *args, const LpFormat *format) {
    char name[64];
    LpBuf text = {0};
    lp_buf_addf(&text, " %s ", format->name);
    lp_str_copy(name, sizeof name, lp_buf_text(&text));
    lp_buf_fini(&text);
    return (row->makes & OF(format->makes)) != 0 || strstr(row->format, name) != NULL ||
           (row->cluster && args->cluster != NULL);
}

LpErr lp_import_heeds(const LpImportArgs *args, const LpFormat *format, LpDiag *diag) {
    for (size_t i = 0; i < LP_COUNTOF(ROWS); i++)
        if (is_given(args, &ROWS[i]) && !is_for(&ROWS[i], args, format))
            return lp_fail(diag, LP_EINVAL, "%s changes nothing of %s: it is for %s",
                           ROWS[i].option, format->name, ROWS[i].who);
    if (args->seed.given && args->sample == 0)
        return lp_fail(diag, LP_EINVAL, "--seed draws a --sample, which is not asked for");
    return LP_OK;
}
