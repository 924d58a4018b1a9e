/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening sessions for commands. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/lack.h"
#include "cli/common/cli.h"
#include "host/paths.h"
#include "import/import.h"
#include "session/file.h"

LpErr lp_cli_is_session(const char *path, bool *is, LpDiag *diag) {
    char shown[200];
    errno = 0;
    *is = strcmp(path, "-") != 0 && lp_session_file_is(path);
    if (*is || lp_err_of(errno) != LP_ENOMEM)
        return LP_OK;
    const char *why = strerror(errno);
    return lp_fail(diag, LP_ENOMEM, "%s: cannot open: %s", lp_str_show(shown, sizeof shown, path),
                   why);
}

/* Which places were tried for a name that is no file. */
static LpErr fail_nowhere(const char *name, LpDiag *diag) {
    char shown[200];
    LpBuf places = {0};
    lp_paths_scenario_places(&places);
    LpErr err =
        lp_fail(diag, LP_EINVAL, "%s: there is neither such a file nor such a scenario in %s",
                lp_str_show(shown, sizeof shown, name), lp_buf_text(&places));
    lp_buf_fini(&places);
    return err;
}

LpErr lp_cli_open(const char *scenario, const LpSessionArgs *args, bool keep_events,
                  LpSession **out, LpDiag *diag) {
    char path[LP_PATH_TEXT];
    LpSessionSpec spec = {.scenario = scenario,
                          .sets = args->sets.count,
                          .set = args->sets.item,
                          .policy = args->policy,
                          .params = args->params.count,
                          .param = args->params.item,
                          .has_seed = args->seed.given,
                          .seed = args->seed.value,
                          .until = args->until,
                          .has_tau = args->tau.given,
                          .tau = args->tau.value,
                          .keep_events = keep_events,
                          .keep_explain = args->keep_explain,
                          .has_wording = args->wording.given,
                          .wording = args->wording.value,
                          .keep_waited = args->keep_waited,
                          .keep_files = args->keep_files,
                          .pack_past = args->pack_past,
                          .untold = args->untold,
                          .keep_timeline = args->keep_timeline,
                          .max_input = args->max_input,
                          .max_memory = args->max_memory,
                          .files = args->files,
                          .log = args->log};
    bool is_session;
    LP_TRY(lp_cli_is_session(scenario, &is_session, diag));
    if (is_session)
        return lp_fail(diag, LP_EINVAL,
                       "%s is a session, expected a scenario (lightpath FILE opens a session, "
                       "lightpath replay FILE runs it again)",
                       lp_str_show(path, sizeof path, scenario));
    bool named = strcmp(scenario, "-") != 0 && access(scenario, F_OK) != 0;
    if (named && lp_paths_scenario(scenario, path, sizeof path))
        spec.scenario = path;
    else if (named && errno == ENOENT && strpbrk(scenario, "/.") == NULL)
        return fail_nowhere(scenario, diag);
    LpErr err = lp_session_open(&spec, out, diag);
    /* of the disk itself the session says so */
    return err != LP_OK && args->files != NULL ? lp_format_hint(spec.scenario, err, diag) : err;
}
