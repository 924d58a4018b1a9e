/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands beside the present branch: choosing it, and where the two part. */
#include <stdio.h>
#include <string.h>

#include "app/fork/fork.h"
#include "app/show/show.h"
#include "session/moment/moment.h"
#include "sim/world.h"

enum { PARTS = 100 /* of the time line: so far both play on at a time */ };

/* ---- choosing ---- */

static void show_beside(LpApp *app, uint32_t branch) {
    app->ui.playing = false;
    app->ui.frame = -1;
    app->ui.versus = (int)branch;
    app->stuck = (LpMoment){LP_NO_INDEX, 0};
    lp_app_show(app, LP_PANE_COMPARE);
}

/* "max_parallelism" of "scripts/max_parallelism.lua", with a number where a branch has that name.
 */
static void name_of_policy(const LpSession *session, const char *policy, char *out, size_t size) {
    const char *slash = strrchr(policy, '/'), *base = slash ? slash + 1 : policy;
    size_t len = strlen(base);
    if (len > 4 && strcmp(base + len - 4, ".lua") == 0)
        len -= 4;
    size_t whole = lp_str_prefix(base, 60);
    int used = (int)(len < whole ? len : whole);
    snprintf(out, size, "%.*s", used, base);
    for (unsigned i = 2; lp_session_branch_find(session, out) >= 0; i++)
        snprintf(out, size, "%.*s %u", used, base, i);
}

/* Forks at the start; the present moment is the same again. */
static LpErr fork_at_start(LpApp *app, LpForkSpec *spec, uint32_t *branch, LpDiag *diag) {
    LpMoment here = lp_session_moment(app->session);
    LP_TRY(lp_session_seek(app->session, 0, diag));
    LpErr err = lp_session_fork(app->session, spec, branch, diag);
    LpDiag *why = err == LP_OK ? diag : NULL;
    LpErr back = LP_OK;
    if (err == LP_OK)
        back = lp_session_switch(app->session, here.branch, why);
    if (back == LP_OK)
        back = lp_session_seek(app->session, here.step, why);
    return err != LP_OK ? err : back;
}

/* The same jobs from the start, decided by another policy or with other parameters. */
static LpErr compare_anew(LpApp *app, const char *text, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    char name[80];
    uint32_t branch;
    LpErr err = arena ? lp_fork_parse(text, arena, &fork, diag) : lp_fail_memory(diag, "a branch");
    if (err == LP_OK && (fork.spec.answer || fork.spec.condition))
        err = lp_fail(diag, LP_EINVAL,
                      "beside the run from its start stands another policy: expected policy=FILE "
                      "or param=K=V");
    if (err == LP_OK && fork.spec.policy && !fork.spec.name) {
        name_of_policy(app->session, fork.spec.policy, name, sizeof name);
        fork.spec.name = name;
    }
    if (err == LP_OK)
        err = fork_at_start(app, &fork.spec, &branch, diag);
    lp_arena_free(arena);
    LP_TRY(err);
    show_beside(app, branch);
    lp_app_tell(app,
                "the same jobs from the start, two policies; {difference} goes where they differ");
    return LP_OK;
}

/* The branch that was compared with, else the parent, else the first other one; LP_NO_INDEX: none.
 */
static uint32_t likely(const LpApp *app) {
    uint32_t here = lp_session_moment(app->session).branch;
    LpBranchInfo info;
    bool known = app->ui.versus >= 0 && app->ui.versus != (int)here;
    if (known && lp_session_branch(app->session, (uint32_t)app->ui.versus, &info) == LP_OK &&
        !info.deleted)
        return (uint32_t)app->ui.versus;
    if (lp_session_branch(app->session, here, &info) == LP_OK && info.parent != LP_NO_INDEX)
        return info.parent;
    for (uint32_t i = 0; i < lp_session_branches(app->session); i++)
        if (i != here && lp_session_branch(app->session, i, &info) == LP_OK && !info.deleted)
            return i;
    return LP_NO_INDEX;
}

LpErr lp_app_compare(LpApp *app, const char *name, LpDiag *diag) {
    uint32_t branch;
    if (name && (strncmp(name, "policy=", 7) == 0 || strncmp(name, "param=", 6) == 0))
        return compare_anew(app, name, diag);
    if (name)
        LP_TRY(lp_app_find_branch(app, name, &branch, diag));
    else if ((branch = likely(app)) == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE,
                       "there is no other branch yet: compare policy=FILE makes one from the "
                       "start, fork one from here");
    if (branch == lp_session_moment(app->session).branch)
        return lp_fail(diag, LP_EINVAL, "this is the branch that is shown: expected another");
    LP_TRY(lp_app_catch_up(app, branch, diag));
    show_beside(app, branch);
    return LP_OK;
}

/* The next branch beside this one, LP_NO_INDEX when there is no other than that. */
static uint32_t next_beside(const LpApp *app) {
    const LpTimeModel *time = &app->model.time;
    uint32_t at = 0;
    for (uint32_t i = 0; i < time->twigs; i++)
        at = (int)time->twig[i].branch == app->ui.versus ? i : at;
    for (uint32_t i = 1; i < time->twigs; i++) {
        uint32_t branch = time->twig[(at + i) % time->twigs].branch;
        if (branch != time->moment.branch && (int)branch != app->ui.versus)
            return branch;
    }
    return LP_NO_INDEX;
}

void lp_app_choose_beside(LpApp *app) {
    LpDiag diag = {0};
    uint32_t branch = app->ui.only == LP_PANE_COMPARE ? next_beside(app) : likely(app);
    LpBranchInfo info;
    if (branch == LP_NO_INDEX) {
        lp_app_prompt(app, "compare policy=");
        return;
    }
    bool other = app->ui.only == LP_PANE_COMPARE;
    if (lp_session_branch(app->session, branch, &info) != LP_OK)
        return;
    LpErr err = lp_app_compare(app, info.name, &diag);
    lp_app_attempt(app, err, &diag);
    if (err == LP_OK && other)
        lp_app_say(app, false, "beside it now: %.*s; :compare policy=FILE for another one",
                   (int)lp_str_prefix(info.name, 80), info.name);
}

/* ---- where the two decide otherwise ---- */

/* Was the job decided otherwise, or at another time? */
static bool differs(const LpJob *a, const LpJob *b) {
    bool open = a->outcome == LP_JOB_DECIDING || b->outcome == LP_JOB_DECIDING;
    bool a_in = a->placed.placement != LP_NO_INDEX, b_in = b->placed.placement != LP_NO_INDEX;
    if (open)
        return false;
    return a_in != b_in ||
           (a_in &&
            (a->placed.plan_hash != b->placed.plan_hash || a->times.decided != b->times.decided)) ||
           (!a_in && a->outcome != b->outcome);
}

/* The first such job after this one, of all after LP_NO_INDEX; LP_NO_INDEX: there is none. */
static uint32_t next_parted(const LpApp *app, uint32_t after) {
    const LpSession *s = app->session;
    const LpWorld *here = lp_session_tip_world(s, lp_session_moment(s).branch);
    const LpWorld *there = lp_session_tip_world(s, (uint32_t)app->ui.versus);
    for (uint32_t job = after == LP_NO_INDEX ? 0 : after + 1;
         here && there && job < lp_world_jobs(here) && job < lp_world_jobs(there); job++)
        if (differs(lp_world_job(here, job), lp_world_job(there, job)))
            return job;
    return LP_NO_INDEX;
}

/* The same, both playing on until there is one. Stands anywhere afterwards. */
static LpErr look_further(LpApp *app, uint32_t after, uint32_t *job, LpDiag *diag) {
    uint32_t branch = lp_session_moment(app->session).branch;
    double part = app->model.marks.scale / PARTS;
    LpBranchInfo info;
    while ((*job = next_parted(app, after)) == LP_NO_INDEX) {
        uint64_t step;
        LP_TRY(lp_session_branch(app->session, branch, &info));
        if (info.over || (app->stopped && app->stopped()))
            return LP_OK;
        LP_TRY(lp_session_find(app->session, LP_SEEK_TIME, info.tip_time + part, &step, diag));
        LP_TRY(lp_session_seek(app->session, step, diag));
        LP_TRY(lp_app_catch_up(app, (uint32_t)app->ui.versus, diag));
        double next =
            lp_world_next_time(lp_session_world(app->session), lp_session_context(app->session));
        part = info.tip_time + part < next ? next - info.tip_time + part : part;
    }
    return LP_OK;
}

/* In which of the five decisions the two differ: "another split", or "" where only its time does.
 */
static const char *what_differs(const LpApp *app, uint32_t id) {
    const LpSession *s = app->session;
    const LpWorld *here = lp_session_tip_world(s, lp_session_moment(s).branch);
    const LpWorld *there = lp_session_tip_world(s, (uint32_t)app->ui.versus);
    if (!here || !there || id >= lp_world_jobs(here) || id >= lp_world_jobs(there))
        return "";
    const LpJobPlacement *a = &lp_world_job(here, id)->placed,
                         *b = &lp_world_job(there, id)->placed;
    if (a->placement == LP_NO_INDEX || b->placement == LP_NO_INDEX)
        return ": one of them does not run it";
    return a->partition != b->partition         ? ": another split"
           : a->placement != b->placement       ? ": other servers"
           : a->orders.ops != b->orders.ops     ? ": another order of ops"
           : a->orders.flows != b->orders.flows ? ": another order of flows"
                                                : "";
}

void lp_app_next_parted(LpApp *app) {
    uint32_t due = lp_world_due(lp_session_world(app->session)), job = LP_NO_INDEX;
    LpMoment here = lp_session_moment(app->session);
    char text[40];
    LpDiag diag = {0};
    LpErr err = look_further(app, due, &job, &diag);
    if (err == LP_OK && job == LP_NO_INDEX && due != LP_NO_INDEX)
        job = next_parted(app, LP_NO_INDEX); /* from the first one again */
    if (err == LP_OK)
        err = lp_session_seek(app->session, here.step, &diag);
    snprintf(text, sizeof text, "j%u", (unsigned)job);
    if (err == LP_OK && job != LP_NO_INDEX)
        err = lp_app_seek(app, text, &diag);
    if (err != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
    else if (job == LP_NO_INDEX)
        lp_app_say(app, false, "no decision differs from the other branch");
    else
        lp_app_say(app, false, "the two decide otherwise about %s%s%s", lp_app_label(app, job).text,
                   what_differs(app, job),
                   due != LP_NO_INDEX && job <= due ? ", the first one again" : "");
}
