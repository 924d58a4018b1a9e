/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another scenario in place of this one. */
#include <string.h>

#include "app/keep/keep.h"
#include "host/paths.h"

/* The lines of a list without what they are indented by. */
static void add_lines(const LpBuf *list, LpBuf *out) {
    for (const char *at = lp_buf_text(list); *at;) {
        at += strspn(at, " ");
        size_t len = strcspn(at, "\n");
        lp_buf_add_bytes(out, at, len);
        lp_buf_add(out, "\n");
        at += len + (at[len] == '\n');
    }
}

void lp_app_words_scenario(LpBuf *out) {
    LpBuf names = {0};
    LpDiag ignored;
    if (lp_paths_list_scenarios(&names, &ignored) == LP_OK &&
        lp_paths_list_lessons(&names, &ignored) == LP_OK)
        add_lines(&names, out);
    lp_buf_fini(&names);
}

bool lp_app_adopt(LpApp *app, LpSession *session) {
    if (!app->next)
        return false;
    app->next->session = session;
    app->quit = true;
    return true;
}

LpErr lp_app_open_other(LpApp *app, const char *name, LpDiag *diag) {
    char shown[160], path[sizeof app->next->open];
    if (strchr(name, '/') || strchr(name, '.'))
        lp_str_copy(path, sizeof path, name);
    else if (!lp_paths_scenario(name, path, sizeof path))
        return lp_fail(
            diag, LP_EINVAL,
            "there is no scenario \"%s\": Tab completes their names, a file has its ending",
            lp_str_show(shown, sizeof shown, name));
    if (!app->next)
        return lp_fail(diag, LP_ESTATE,
                       "a script of keys plays one session: expected open in a terminal");
    lp_str_copy(app->next->open, sizeof app->next->open, path);
    app->quit = true;
    return LP_OK;
}
