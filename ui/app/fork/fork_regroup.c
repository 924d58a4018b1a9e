/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regrouping by hand: servers rejoin other aggregators now, in the past on a branch of its own. */
#include <string.h>

#include "app/fork/fork.h"
#include "base/num.h"
#include "session/moment/moment_regroup.h"

/* "server=aggregator" */
static LpErr read_link(const char *text, LpRegroupLink *out, LpDiag *diag) {
    uint64_t server, aggregator;
    char first[32];
    const char *equals = strchr(text, '=');
    size_t len = equals != NULL ? (size_t)(equals - text) : sizeof first;
    if (len < sizeof first) {
        memcpy(first, text, len);
        first[len] = '\0';
        if (lp_num_parse_u64(first, &server, NULL) == LP_OK && server < LP_NO_INDEX &&
            lp_num_parse_u64(equals + 1, &aggregator, NULL) == LP_OK && aggregator < LP_NO_INDEX) {
            *out = (LpRegroupLink){true, (uint32_t)server, (uint32_t)aggregator};
            return LP_OK;
        }
    }
    return lp_fail(diag, LP_EINVAL, "\"%s\" is no link: expected SERVER=AGGREGATOR, such as 3=0",
                   text);
}

static LpErr act(LpApp *app, const LpRegroupLink *link, uint32_t links, LpDiag *diag) {
    LpAction action = {
        .kind = LP_ACTION_REGROUP, .links = links, .link = link, .why = "regrouped by hand"};
    char reason[LP_DIAG_TEXT];
    LpCause cause;
    LpEvent event;
    if (lp_app_has_time(app) && !lp_session_at_tip(app->session))
        LP_TRY(lp_app_fork(app, "", diag)); /* what was stays as it was */
    LP_TRY(lp_session_act(app->session, &action, &event, &cause, reason, diag));
    if (cause != LP_CAUSE_NONE)
        return lp_fail(diag, LP_EREFUSED, "%s", reason);
    lp_app_arrive(app);
    return LP_OK;
}

LpErr lp_app_regroup(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    LpRegroupLink given[LP_UI_WORDS_MOST], *link = NULL;
    uint32_t links = 0;
    for (int i = 0; line != NULL && i < line->words; i++)
        LP_TRY(read_link(line->word[i], &given[links++], diag));
    if (links > 0)
        return act(app, given, links, diag);
    LP_TRY(lp_regroup_links(app->session, &link, &links, diag));
    LpErr err = links > 0 ? act(app, link, links, diag)
                          : lp_fail(diag, LP_ESTATE,
                                    "every job sits under one aggregator already, or fits under "
                                    "none");
    lp_free(link);
    return err;
}
