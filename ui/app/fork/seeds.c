/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies of two branches on other jobs: both run from the start with a few more seeds, for
 * one seed may be luck. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/fork/fork.h"
#include "app/show/show.h"
#include "ask/inspect/inspect_policy.h"
#include "base/mem.h"
#include "many/study/paired.h"
#include "session/variant.h"
#include "sim/facts/metrics.h"
#include "widgets/show.h"

/* A figure of each run, of 1 and of 2, by seed. */
typedef struct Figures {
    double lost[2][LP_UI_SEEDS_MOST], jct[2][LP_UI_SEEDS_MOST];
} Figures;

typedef struct Seeds {
    LpApp *app;
    uint32_t branch[2], count;
    char policy[2][64];
    LpSession *run[2][LP_UI_SEEDS_MOST];
    Figures made;
} Seeds;

static uint64_t seed_of(const Seeds *t, uint32_t i) {
    return lp_session_scenario(t->app->session)->seed + 1 + i;
}

/* Runs that are still at their start, decided by the policy of a branch. */
static LpErr open_side(Seeds *t, int side, LpDiag *diag) {
    LpSession *session = t->app->session;
    LP_TRY(lp_session_switch(session, t->branch[side], diag));
    lp_str_copy(t->policy[side], sizeof t->policy[side], lp_session_policy_name(session));
    for (uint32_t i = 0; i < t->count; i++) {
        LpSessionSpec spec = {.has_seed = true, .seed = seed_of(t, i)};
        LP_TRY(lp_session_variant(session, &spec, &t->run[side][i], diag));
    }
    return LP_OK;
}

/* The session stands where it stood, whatever happened. */
static LpErr open_all(Seeds *t, LpDiag *diag) {
    LpMoment here = lp_session_moment(t->app->session);
    LpErr err = open_side(t, 0, diag);
    if (err == LP_OK)
        err = open_side(t, 1, diag);
    LpDiag *why = err == LP_OK ? diag : NULL;
    LpErr back = lp_session_switch(t->app->session, here.branch, why);
    if (back == LP_OK)
        back = lp_session_seek(t->app->session, here.step, why);
    return err != LP_OK ? err : back;
}

static bool goes_on(void *user, const LpSession *session LP_UNUSED) {
    const LpApp *app = user;
    return !(app->stopped && app->stopped());
}

static LpErr run_one(Seeds *t, int side, uint32_t i, LpDiag *diag) {
    LpSession *run = t->run[side][i];
    LpSummary end;
    bool stopped;
    LP_TRY(lp_session_run(run, goes_on, t->app, &stopped, diag));
    if (stopped)
        return lp_fail(diag, LP_ESTATE, "stopped: nothing is compared");
    LP_TRY(lp_metrics_summary(lp_session_world(run), lp_session_context(run), &end, diag));
    t->made.lost[side][i] = lp_summary_lost(&end);
    t->made.jct[side][i] = end.mean_jct;
    lp_session_close(run); /* one at a time is in memory with all of its jobs */
    t->run[side][i] = NULL;
    return LP_OK;
}

static LpErr run_all(Seeds *t, LpDiag *diag) {
    LP_TRY(open_all(t, diag));
    for (uint32_t i = 0; i < t->count; i++)
        for (int side = 0; side < 2; side++)
            LP_TRY(run_one(t, side, i, diag));
    return LP_OK;
}

/* ---- the page ---- */

static const char *lost_text(double share, char text[LP_SHOW_TEXT]) {
    return isnan(share) ? "-" : lp_show_percent(share, text);
}

static const char *time_text(double seconds, char text[LP_SHOW_TEXT]) {
    return isnan(seconds) ? "-" : lp_show_seconds(seconds, text);
}

static void add_rows(const Seeds *t, LpBuf *out) {
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT], d[LP_SHOW_TEXT];
    const Figures *made = &t->made;
    lp_buf_addf(out, "%12s  %9s %9s  %12s %10s\n", "", "lost: 1", "2", "mean JCT: 1", "2");
    for (uint32_t i = 0; i < t->count; i++)
        lp_buf_addf(out, "seed %7llu  %9s %9s  %12s %10s\n", (unsigned long long)seed_of(t, i),
                    lost_text(made->lost[0][i], a), lost_text(made->lost[1][i], b),
                    time_text(made->jct[0][i], c), time_text(made->jct[1][i], d));
}

/* A difference counts where its interval leaves zero out. */
static const char *verdict_of(const LpEstimate *e) {
    if (e->half == 0) /* nothing is drawn at random that matters here */
        return e->mean == 0 ? "no difference" : "every seed alike";
    return fabs(e->mean) > e->half ? "clear" : "may be luck";
}

/* "21 % more of the jobs in 2, give or take 2.4 %: clear" */
static void add_verdict(const Seeds *t, LpBuf *out) {
    LpEstimate lost = lp_paired(t->made.lost[0], t->made.lost[1], t->count).difference;
    LpEstimate jct = lp_paired(t->made.jct[0], t->made.jct[1], t->count).difference;
    char size[LP_SHOW_TEXT], half[LP_SHOW_TEXT];
    lp_buf_addf(out, "jobs lost\t%s %s of the jobs in 2, give or take %s: %s\n",
                lost_text(fabs(lost.mean), size), lost.mean > 0 ? "more" : "fewer",
                lost_text(lost.half, half), verdict_of(&lost));
    lp_buf_addf(out, "mean JCT\t%s %s in 2, give or take %s: %s\n", time_text(fabs(jct.mean), size),
                jct.mean > 0 ? "longer" : "shorter", time_text(jct.half, half), verdict_of(&jct));
    lp_buf_add(out,
               "# How\nseeds\teach draws other jobs, the same ones for both\ngive or take\t95 % "
               "interval of the mean difference\nclear\tzero lies outside of it\n");
}

static void show(const Seeds *t) {
    LpBuf text = {0};
    char title[160];
    lp_buf_addf(&text, "1 is decided by %s, 2 by %s%s, each from the start.\n", t->policy[0],
                t->policy[1],
                strcmp(t->policy[0], t->policy[1]) == 0 ? " with other parameters" : "");
    add_rows(t, &text);
    lp_buf_add(&text, "# Over the seeds\n");
    add_verdict(t, &text);
    snprintf(title, sizeof title, "seeds: %s beside %s", t->policy[0], t->policy[1]);
    lp_app_page(t->app, title, &text);
    lp_buf_fini(&text);
}

static bool same_policy(const Seeds *t) {
    LpBranchInfo info[2];
    for (int i = 0; i < 2; i++)
        if (lp_session_branch(t->app->session, t->branch[i], &info[i]) != LP_OK)
            return true;
    return info[0].home == info[1].home;
}

static LpErr compare(Seeds *t, LpDiag *diag) {
    if (same_policy(t))
        return lp_fail(
            diag, LP_ESTATE,
            "one policy decides both branches, and other jobs know nothing of a decision "
            "by hand: compare policy=FILE has two");
    LP_TRY(run_all(t, diag));
    show(t);
    return LP_OK;
}

LpErr lp_app_seeds(LpApp *app, uint32_t count, LpDiag *diag) {
    uint32_t here = lp_session_moment(app->session).branch;
    if (app->ui.versus < 0 || app->ui.versus == (int)here)
        return lp_fail(diag, LP_ESTATE,
                       "no two branches are compared: compare policy=FILE makes a "
                       "second one");
    Seeds *t = lp_alloc(1, sizeof *t);
    if (t == NULL)
        return lp_fail_memory(diag, "runs with other seeds");
    uint32_t other = (uint32_t)app->ui.versus;
    t->app = app;
    t->branch[0] = here < other ? here : other; /* 1 is the older one, as in the comparison */
    t->branch[1] = here < other ? other : here;
    t->count = count;
    app->ui.playing = false;
    LpErr err = compare(t, diag);
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < count; i++)
            lp_session_close(t->run[side][i]);
    lp_free(t);
    return err;
}
