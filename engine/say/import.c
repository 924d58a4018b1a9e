/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts profiles, and checks files without running them. */
#include "say/import.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "host/profile.h"
#include "io/faults.h"
#include "io/files/file.h"
#include "io/profile/profile.h"
#include "model/pod/outage.h"
#include "model/scenario_failures.h"
#include "say/report_impl.h"
#include "session/session.h"

enum { NAME_ROOM = 256 };

/* ---- graphs ---- */

static LpErr write_graph(LpGraph *graph, double unit, LpBuf *out, LpDiag *diag) {
    if (unit != 1)
        lp_graph_scale_time(graph, unit);
    LP_TRY(lp_profile_write(graph, out, diag));
    return lp_buf_ok(out, diag);
}

static LpErr import_pipedream(const LpImportSpec *spec, const char *text, size_t len, LpBuf *out,
                              LpBuf *figures, LpDiag *diag) {
    char name[NAME_ROOM];
    double unit;
    LpGraph *graph;
    LpDiag inner;
    (void)figures;
    if (lp_profile_unit(spec->time_unit != NULL ? spec->time_unit : "ms", &unit, &inner) != LP_OK)
        return lp_fail(diag, inner.code, "--time-unit: %s", inner.text);
    bool standard = strcmp(spec->file, "-") == 0;
    lp_profile_name(standard ? "graph" : spec->file, name, sizeof name);
    LP_TRY(lp_profile_pipedream(name, standard ? "standard input" : spec->file, text, len, &graph,
                                diag));
    LpErr err = write_graph(graph, unit, out, diag);
    lp_graph_free(graph);
    return err;
}

/* ---- faults ---- */

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

static LpErr check_faults(const LpImportSpec *spec, const LpServerFaults *f, uint32_t servers,
                          LpDiag *diag) {
    char shown[64];
    if (spec->kind != NULL && lp_outage_find(spec->kind) < 0)
        return lp_fail(diag, LP_EINVAL,
                       "--kind is %s: expected domain, cube, host, accelerator, switch or cable",
                       lp_str_show(shown, sizeof shown, spec->kind));
    if (f->servers > servers)
        return lp_fail(diag, LP_EINVAL, "--servers is %u, but %u failed: expected as many at least",
                       servers, f->servers);
    return LP_OK;
}

static LpErr import_stepfun(const LpImportSpec *spec, const char *text, size_t len, LpBuf *out,
                            LpBuf *figures, LpDiag *diag) {
    bool standard = strcmp(spec->file, "-") == 0;
    uint32_t servers = spec->servers > 0 ? spec->servers : STEPFUN_SERVERS;
    LpServerFaults faults;
    LpFaultFigures is;
    if (spec->time_unit != NULL)
        return lp_fail(diag, LP_EINVAL,
                       "--time-unit: the times of stepfun are days, expected none");
    LP_TRY(lp_faults_stepfun(standard ? "standard input" : spec->file, text, len, &faults, diag));
    LpErr err = check_faults(spec, &faults, servers, diag);
    if (err == LP_OK)
        err = lp_faults_figures(&faults, &is, diag);
    if (err == LP_OK) {
        write_figures(&faults, &is, servers, "# ", out);
        write_figures(&faults, &is, servers, "", figures);
        lp_buf_add(out, "# time_s,kind,index,duration_s\n");
        for (uint32_t i = 0; i < faults.faults; i++)
            write_fault(&faults.fault[i], spec->kind != NULL ? spec->kind : "host", out);
    }
    lp_free(faults.fault);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}

/* ---- import ---- */

typedef LpErr Import(const LpImportSpec *spec, const char *text, size_t len, LpBuf *out,
                     LpBuf *figures, LpDiag *diag);
static const char *const format_words[] = {"pipedream", "stepfun"};
static Import *const imports[] = {import_pipedream, import_stepfun};

static LpErr find_format(const char *format, Import **out, LpDiag *diag) {
    char shown[64];
    for (size_t i = 0; i < LP_COUNTOF(format_words); i++)
        if (strcmp(format, format_words[i]) == 0) {
            *out = imports[i];
            return LP_OK;
        }
    int near = lp_str_nearest(format, format_words, LP_COUNTOF(format_words));
    return lp_fail(diag, LP_EINVAL, "unknown format \"%s\"%s%s: expected pipedream or stepfun",
                   lp_str_show(shown, sizeof shown, format), near >= 0 ? ", did you mean " : "",
                   near >= 0 ? format_words[near] : "");
}

LpErr lp_import_run(const LpImportSpec *spec, LpBuf *out, LpBuf *figures, LpDiag *diag) {
    Import *import = NULL;
    char *text;
    size_t len;
    LP_TRY(find_format(spec->format, &import, diag));
    LP_TRY(lp_file_read(spec->file, spec->max_input, &text, &len, diag));
    LpErr err = import(spec, text, len, out, figures, diag);
    lp_free(text);
    return err;
}

/* ---- check ---- */

static LpErr check_scenario(const char *file, size_t max_input, LpBuf *notes, LpDiag *diag) {
    LpSession *session;
    LpSessionSpec spec = {.scenario = file, .max_input = max_input};
    LP_TRY(lp_session_open(&spec, &session, diag));
    if (notes != NULL) {
        const LpScenario *scenario = lp_session_scenario(session);
        for (uint32_t g = 0; g < scenario->graphs; g++) {
            LpBuf says = {0};
            if (lp_report_values(scenario->graph[g], &says)) {
                lp_buf_add(notes, "values of ");
                lp_buf_add(notes, lp_buf_text(&says));
                lp_buf_add(notes, "\n");
            }
            notes->failed |= says.failed;
            lp_buf_fini(&says);
        }
        lp_failure_outlook(scenario, notes);
        char coarse[LP_DIAG_TEXT];
        if (lp_scenario_coarse(scenario, coarse)[0] != '\0')
            lp_buf_addf(notes, "%s\n", coarse);
    }
    lp_session_close(session);
    return notes != NULL ? lp_buf_ok(notes, diag) : LP_OK;
}

/* Nothing in a text that is neither JSON nor made of nodes says that it is meant as a profile. */
static bool looks_like_pipedream(const char *text) {
    return strncmp(text, "node", 4) == 0 || strstr(text, " -- ") != NULL;
}

LpErr lp_check_file(const char *file, size_t max_input, LpBuf *notes, LpDiag *diag) {
    char name[NAME_ROOM], *text;
    size_t len;
    LpGraph *graph = NULL;
    if (strcmp(file, "-") == 0)
        return check_scenario(file, max_input, notes, diag);
    LP_TRY(lp_file_read(file, max_input, &text, &len, diag));
    LpProfileFormat format = lp_profile_format(text, len);
    LpErr err;
    lp_profile_name(file, name, sizeof name);
    if (format == LP_PROFILE_OWN)
        err = lp_profile_json(name, file, text, len, &graph, diag);
    else if (format == LP_PROFILE_PIPEDREAM && looks_like_pipedream(text))
        err = lp_profile_pipedream(name, file, text, len, &graph, diag);
    else
        err = check_scenario(file, max_input, notes, diag);
    lp_free(text);
    lp_graph_free(graph);
    return err;
}
