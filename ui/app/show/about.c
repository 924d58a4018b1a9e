/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is open, and where: what the title leaves out. */
#include "app/show/show.h"
#include "base/hash.h"

static void add_branch(const LpApp *app, LpBuf *out) {
    LpMoment moment = lp_session_moment(app->session);
    LpBranchInfo info;
    if (!lp_app_has_time(app) || lp_session_branch(app->session, moment.branch, &info) != LP_OK)
        return;
    lp_buf_addf(out, "branch\t%s, step %llu of %llu\n", info.name, (unsigned long long)moment.step,
                (unsigned long long)info.tip);
}

LpErr lp_app_run_about(LpApp *app, const LpUiLine *line LP_UNUSED, int64_t now LP_UNUSED,
                       LpDiag *diag) {
    static const char *const mouse[] = {[LP_MOUSE_NONE] = "not used",
                                        [LP_MOUSE_ON] = "clicks and drags here",
                                        [LP_MOUSE_FREE] = "selects and copies (copy mode)"};
    const char *policy = lp_session_policy_name(app->session);
    char hex[LP_HASH_HEX];
    LpBuf text = {0};
    lp_buf_addf(&text, "program\tlightpath %s\n", LP_VERSION);
    lp_buf_addf(&text, "scenario\t%s%s%s\n", lp_session_scenario(app->session)->name,
                app->scenario_file ? ", " : "", app->scenario_file ? app->scenario_file : "");
    lp_buf_addf(&text, "policy\t%s\n", policy && *policy ? policy : "the default rules");
    add_branch(app, &text);
    lp_buf_addf(&text, "hash\t%s, of all that this moment is\n",
                lp_hash_hex(lp_session_hash(app->session), hex));
    lp_buf_addf(&text, "mouse\t%s\n", mouse[app->ui.mouse]);
    lp_buf_addf(&text, "screen\t%d x %d\n", app->ui.cols, app->ui.rows);
    if (app->background)
        lp_buf_addf(&text, "background\t%s: theme %s\n", app->background, app->theme.name);
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        lp_app_page(app, "about", &text);
    lp_buf_fini(&text);
    return err;
}
