/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was decided by hand on the way here, as a policy in a file. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/keep/keep.h"
#include "app/show/show.h"
#include "ask/draft/as_policy.h"
#include "ask/draft/by_hand.h"
#include "host/write_file.h"

enum { NAMES_MOST = 1000 };

/* "by-hand.lua", or the first of "by-hand-2.lua" ... that no file has. */
static void find_name(char out[64]) {
    snprintf(out, 64, "by-hand.lua");
    for (int i = 2; access(out, F_OK) == 0 && i < NAMES_MOST; i++)
        snprintf(out, 64, "by-hand-%d.lua", i);
}

/* The name of a policy is its file's. */
static void name_of(const char *path, char *out, size_t size) {
    const char *slash = strrchr(path, '/');
    lp_str_copy(out, size, slash != NULL ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot != NULL)
        *dot = '\0';
    for (char *c = out; *c != '\0'; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
            *c = '_';
}

static void say(LpApp *app, const char *path, const LpByHand *hand, bool same, const LpDiag *why) {
    char decisions[LP_MANY_TEXT];
    lp_str_many(decisions, hand->decisions, "decision");
    if (why->text[0] != '\0')
        lp_app_say(app, true, "%.60s: %s by hand; it cannot run from there: %s", path, decisions,
                   why->text);
    else
        lp_app_say(app, !same, "%.60s: %s by hand; run from the start it %s", path, decisions,
                   same ? "gets to this very state"
                        : "gets elsewhere: more was changed by hand than decisions");
}

LpErr lp_app_as_policy(LpApp *app, int width, const char *path, LpDiag *diag) {
    char made[64], name[128];
    LpBuf text = {0};
    LpByHand hand;
    bool same = false;
    LpDiag why = {0};
    find_name(made);
    LpWriteSpec spec = {.path = path != NULL ? path : made,
                        .fresh = true,
                        .input = {app->scenario_file, app->keys_file}};
    name_of(spec.path, name, sizeof name);
    LP_TRY(lp_by_hand(app->session, &hand, diag));
    LpErr err = lp_as_policy(app->session, (LpPolicyWidth)width, name, &text, diag);
    if (err == LP_OK)
        err = lp_write_text(&spec, &text, diag);
    if (err == LP_OK) {
        if (lp_as_policy_check(app->session, spec.path, &same, &why) == LP_ENOMEM)
            err = lp_fail_memory(diag, "a run of the policy");
        char title[sizeof app->ui.page_title];
        snprintf(title, sizeof title, "%.40s: %s", spec.path,
                 same ? "run from the start it does the same" : "as Lua");
        lp_app_page(app, title, &text);
        say(app, spec.path, &hand, same, &why);
    }
    lp_buf_fini(&text);
    return err;
}
