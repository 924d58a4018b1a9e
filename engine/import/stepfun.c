/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of servers as StepFun published them (InfiniteHBD, SIGCOMM 2025) as lines for a scenario's
 * failures.trace, whose first ones are remarks with their figures. */
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "import/formats.h"
#include "io/faults.h"
#include "io/files/lines.h"
#include "model/pod/outage.h"

static const double DAY = 86400;
enum { STEPFUN_SERVERS = 400 }; /* of which the published trace was taken (its README) */

static void write_figures(const LpServerFaults *f, const LpFaultFigures *is, uint32_t servers,
                          const char *begin, LpBuf *out) {
    char faults[LP_MANY_TEXT];
    lp_buf_addf(out, "%s%s of %u of %u servers in %.2f days", begin,
                lp_str_many(faults, f->faults, "fault"), f->servers, servers, f->until / DAY);
    if (f->open > 0)
        lp_buf_addf(out, ", %u of them open at the end", f->open);
    lp_buf_addf(out, "\n%sdown on average %.2f (%.2f %%), at most %u at once\n", begin,
                is->mean_simple, 100 * is->mean_simple / servers, is->most_down);
    if (is->mean_down > is->mean_simple)
        lp_buf_addf(out,
                    "%s  %.2f (%.2f %%) where a server is down until the last of its faults "
                    "ends, as the lines have it\n",
                    begin, is->mean_down, 100 * is->mean_down / servers);
    lp_buf_addf(out, "%srepair: median %.2f d, mean %.2f d\n", begin, is->median / DAY,
                is->mean / DAY);
}

/* Repairs of a trace last at least 1 ns. */
static void write_fault(const LpServerFault *fault, const char *kind, LpBuf *out) {
    char time[LP_NUM_TEXT], duration[LP_NUM_TEXT];
    double lasts = fault->end - fault->time;
    lp_buf_addf(out, "%s,%s,%u,%s\n", lp_num_print(fault->time, time), kind, fault->server,
                lp_num_print(lasts > 1e-9 ? lasts : 1e-9, duration));
}

/* What was read. */
typedef struct StepFun {
    LpServerFaults faults;
    LpFaultFigures figures;
    uint32_t servers;
} StepFun;

static LpErr check_faults(const LpImportOptions *options, const LpServerFaults *f, uint32_t servers,
                          LpDiag *diag) {
    char shown[64];
    if (options->kind != NULL && lp_outage_find(options->kind) < 0)
        return lp_fail(diag, LP_EINVAL,
                       "--kind is %s: expected domain, cube, host, accelerator, switch or cable",
                       lp_str_show(shown, sizeof shown, options->kind));
    if (f->servers > servers)
        return lp_fail(diag, LP_EINVAL, "--servers is %u, but %u failed: expected as many at least",
                       servers, f->servers);
    return LP_OK;
}

static void drop_faults(void *own) {
    StepFun *all = own;
    lp_free(all->faults.fault);
    lp_free(all);
}

static LpErr read_stepfun(LpReading *reading, LpDiag *diag) {
    const LpImportOptions *options = reading->options;
    char *text;
    size_t len;
    LpLineFile *lines;
    if (options->time_unit != NULL)
        return lp_fail(diag, LP_EINVAL,
                       "--time-unit: the times of stepfun are days, expected none");
    LP_TRY(lp_lines_open(reading->file[0], lp_import_limit(options), &lines, diag));
    LpErr err = lp_lines_rest(lines, true, &text, &len, diag);
    lp_lines_close(lines);
    LP_TRY(err);
    StepFun *all = lp_alloc(1, sizeof *all);
    if (all == NULL) {
        lp_free(text);
        return lp_fail_memory(diag, "faults of servers");
    }
    reading->own = all;
    all->servers = options->failing_servers > 0 ? options->failing_servers : STEPFUN_SERVERS;
    bool standard = strcmp(reading->file[0], "-") == 0;
    err = lp_faults_stepfun(standard ? "standard input" : reading->file[0], text, len, &all->faults,
                            diag);
    lp_free(text);
    if (err == LP_OK)
        err = check_faults(options, &all->faults, all->servers, diag);
    if (err == LP_OK)
        err = lp_faults_figures(&all->faults, &all->figures, diag);
    return err;
}

static LpErr write_lines(const LpReading *reading, LpBuf *out, LpDiag *diag) {
    const StepFun *all = reading->own;
    const char *kind = reading->options->kind != NULL ? reading->options->kind : "host";
    write_figures(&all->faults, &all->figures, all->servers, "# ", out);
    lp_buf_add(out, "# time_s,kind,index,duration_s\n");
    for (uint32_t i = 0; i < all->faults.faults; i++)
        write_fault(&all->faults.fault[i], kind, out);
    return lp_buf_ok(out, diag);
}

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    const StepFun *is = reading->own;
    (void)all;
    lp_json_put_count(json, "faults", is->faults.faults);
    lp_json_put_count(json, "open", is->faults.open);
    lp_json_put_count(json, "servers", is->servers);
    lp_json_put_count(json, "servers_that_failed", is->faults.servers);
    lp_json_put_number(json, "days", is->faults.until / DAY);
    lp_json_put_number(json, "mean_down", is->figures.mean_down);
    lp_json_put_number(json, "mean_down_simple", is->figures.mean_simple);
    lp_json_put_count(json, "most_down", is->figures.most_down);
    lp_json_put_number(json, "median_repair_s", is->figures.median);
    lp_json_put_number(json, "mean_repair_s", is->figures.mean);
}

static void say(const LpReading *reading, LpBuf *out) {
    const StepFun *is = reading->own;
    write_figures(&is->faults, &is->figures, is->servers, "  ", out);
}

static bool is_stepfun(const LpHead *head) {
    return lp_head_begins(head, "[") && lp_head_has(head, "\"event_type\"");
}

const LpFormat lp_format_stepfun = {.name = "stepfun",
                                    .what = "faults of servers as StepFun published them",
                                    .makes = LP_MAKES_FAULTS,
                                    .least = 1,
                                    .most = 1,
                                    .is = is_stepfun,
                                    .read = read_stepfun,
                                    .report = report,
                                    .text = say,
                                    .write = write_lines,
                                    .drop = drop_faults};
