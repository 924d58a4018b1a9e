/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts profiles, and checks files without running them. */
#include "run/report/import.h"

#include <string.h>

#include "base/mem.h"
#include "io/files/file.h"
#include "io/profile/profile.h"
#include "run/host/profile.h"
#include "run/report/impl.h"
#include "run/session/session.h"

enum { NAME_ROOM = 256 };

/* ---- import ---- */

static LpErr check_format(const char *format, LpDiag *diag) {
    static const char *const known[] = {"pipedream"};
    char shown[64];
    if (strcmp(format, known[0]) == 0)
        return LP_OK;
    int near = lp_str_nearest(format, known, LP_COUNTOF(known));
    return lp_fail(diag, LP_EINVAL, "unknown format \"%s\"%s: expected pipedream",
                   lp_str_show(shown, sizeof shown, format),
                   near >= 0 ? ", did you mean pipedream" : "");
}

static LpErr write_graph(LpGraph *graph, double unit, LpBuf *out, LpDiag *diag) {
    if (unit != 1)
        lp_graph_scale_time(graph, unit);
    LP_TRY(lp_profile_write(graph, out, diag));
    return lp_buf_ok(out, diag);
}

LpErr lp_import_run(const LpImportSpec *spec, LpBuf *out, LpDiag *diag) {
    char name[NAME_ROOM], *text;
    size_t len;
    double unit;
    LpGraph *graph;
    LpDiag inner;
    LP_TRY(check_format(spec->format, diag));
    if (lp_profile_unit(spec->time_unit != NULL ? spec->time_unit : "ms", &unit, &inner) != LP_OK)
        return lp_fail(diag, inner.code, "--time-unit: %s", inner.text);
    LP_TRY(lp_file_read(spec->file, spec->max_input, &text, &len, diag));
    bool standard = strcmp(spec->file, "-") == 0;
    lp_profile_name(standard ? "graph" : spec->file, name, sizeof name);
    LpErr err = lp_profile_pipedream(name, standard ? "standard input" : spec->file, text, len,
                                     &graph, diag);
    lp_free(text);
    if (err != LP_OK)
        return err;
    err = write_graph(graph, unit, out, diag);
    lp_graph_free(graph);
    return err;
}

/* ---- check ---- */

static void add_notes(const LpScenario *scenario, LpBuf *out) {
    for (uint32_t g = 0; g < scenario->graphs; g++) {
        LpBuf says = {0};
        if (lp_report_values(scenario->graph[g], &says)) {
            lp_buf_add(out, "values of ");
            lp_buf_add(out, lp_buf_text(&says));
            lp_buf_add(out, "\n");
        }
        out->failed |= says.failed;
        lp_buf_fini(&says);
    }
}

static LpErr check_scenario(const char *file, size_t max_input, LpBuf *notes, LpDiag *diag) {
    LpSession *session;
    LpSessionSpec spec = {.scenario = file, .max_input = max_input};
    LP_TRY(lp_session_open(&spec, &session, diag));
    if (notes != NULL)
        add_notes(lp_session_scenario(session), notes);
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
