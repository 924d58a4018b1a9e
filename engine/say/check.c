/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks files without running them. */
#include "say/check.h"

#include <string.h>

#include "base/mem.h"
#include "host/profile.h"
#include "import/import.h"
#include "io/files/file.h"
#include "io/profile/profile.h"
#include "model/scenario_failures.h"
#include "say/report_impl.h"
#include "session/session.h"

enum { NAME_ROOM = 256 };

static LpErr check_scenario(const char *file, size_t max_input, LpBuf *notes, LpDiag *diag) {
    LpSession *session;
    /* as `run` opens it: with room for the jobs that run, not for all that will have ended */
    LpSessionSpec spec = {
        .scenario = file, .max_input = max_input, .pack_past = true, .untold = true};
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
        if (scenario->epoch.local)
            lp_buf_add(notes,
                       "its dates are local times, and how far they are from UTC is not said: "
                       "expected \"epoch_offset\", or an \"epoch\" with Z or +01:00\n");
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
