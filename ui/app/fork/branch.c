/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches by name: going over to one, renaming, deleting. */
#include "app/fork/fork.h"
#include "base/mem.h"
#include "base/word.h"

LpErr lp_app_find_branch(const LpApp *app, const char *name, uint32_t *out, LpDiag *diag) {
    const LpSession *session = app->session;
    uint32_t count = lp_session_branches(session), names = 0;
    const char **known = lp_alloc(count + 1, sizeof *known);
    char shown[64], plain[256];
    int found = lp_session_branch_find(session, name);
    for (uint32_t i = 0; known && i < count; i++) {
        LpBranchInfo info;
        if (lp_session_branch(session, i, &info) == LP_OK && !info.deleted)
            known[names++] = info.name;
    }
    if (found < 0 && name[0] == '"') { /* the quotes of a line */
        lp_str_copy(plain, sizeof plain, name);
        lp_word_unquote(plain);
        found = lp_session_branch_find(session, plain);
    }
    int near = known ? lp_str_nearest(name, known, names) : -1;
    if (found < 0)
        lp_fail(diag, LP_EINVAL, "there is no branch \"%s\"%s%s",
                lp_str_show(shown, sizeof shown, name), near >= 0 ? ", did you mean " : "",
                near >= 0 ? known[near] : "");
    lp_free(known);
    *out = found < 0 ? 0 : (uint32_t)found;
    return found < 0 ? LP_EINVAL : LP_OK;
}

LpErr lp_app_switch(LpApp *app, const char *name, LpDiag *diag) {
    uint32_t branch;
    LP_TRY(lp_app_find_branch(app, name, &branch, diag));
    return lp_app_switch_to(app, branch, diag);
}

LpErr lp_app_rename(LpApp *app, const char *old, const char *name, LpDiag *diag) {
    uint32_t branch = lp_session_moment(app->session).branch;
    if (old)
        LP_TRY(lp_app_find_branch(app, old, &branch, diag));
    return lp_session_rename(app->session, branch, name, diag);
}

/* Moments of a branch that is no more cannot be come back to. */
static void forget_branch(LpAppTrail *trail, uint32_t branch) {
    int kept = 0;
    for (int i = 0; i < trail->count; i++)
        if (trail->moment[i].branch != branch) {
            lp_str_copy(trail->change[kept], sizeof *trail->change, trail->change[i]);
            trail->moment[kept++] = trail->moment[i];
        }
    trail->count = kept;
}

LpErr lp_app_delete(LpApp *app, const char *name, LpDiag *diag) {
    uint32_t branch;
    LP_TRY(lp_app_find_branch(app, name, &branch, diag));
    lp_app_drop_ghost(app); /* the branch's policy may go with it */
    LP_TRY(lp_session_delete(app->session, branch, diag));
    lp_app_forget_bookmarks(app, branch);
    forget_branch(&app->undo, branch);
    forget_branch(&app->redo, branch);
    if (app->ui.versus == (int)branch)
        app->ui.versus = -1;
    return LP_OK;
}
