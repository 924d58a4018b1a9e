/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Playing a mini-scenario with a policy, counting what goes wrong and what it takes. */
#include "ask/policy/play.h"

#include <string.h>

#include "session/session_impl.h"
#include "sim/world.h"

/* Counts refusals by the cluster and failures of the script, and keeps the first of each. */
static void add_failure(LpPolicyRun *run, const LpDiag *diag) {
    bool refused = diag->code == LP_EREFUSED;
    uint64_t before = refused ? run->actions_refused++ : run->failures++;
    if (before == 0)
        *(refused ? &run->action : &run->failure) = *diag;
}

/* The mini-scenarios take some hundred steps. */
enum { STEPS_MOST = 10000 };

static void give_up(LpSession *session, LpPolicyRun *run) {
    LpDiag endless;
    lp_fail(&endless, LP_EBUDGET,
            "%d events and no end in sight: retries or wakes come too soon after each other",
            STEPS_MOST);
    add_failure(run, &endless);
    lp_world_finish(session->world, session->context);
}

static LpErr play(LpSession *session, LpPolicyRun *run, LpDiag *diag) {
    LpEvent event;
    for (uint32_t steps = 0; !lp_world_over(session->world); steps++) {
        if (steps == STEPS_MOST) {
            give_up(session, run);
            break;
        }
        bool due = lp_world_due(session->world) != LP_NO_INDEX;
        LpErr err = lp_session_step(session, &event, diag);
        if (err == LP_EBUDGET) {
            add_failure(run, diag); /* stopped for its time: nobody waits for the rest */
            lp_world_finish(session->world, session->context);
        } else if (err != LP_OK) {
            return err;
        }
        if (due) {
            LpPolicyUse use = lp_policy_use(session->loaded.policy);
            run->decisions++;
            run->units += use.instructions;
            run->predictions += use.predictions;
            if (use.instructions > run->most_units)
                run->most_units = use.instructions;
            if (use.predictions > run->most_predictions)
                run->most_predictions = use.predictions;
        }
        /* An error stays until the next decision: it counts once. */
        const LpDiag *error = lp_session_policy_error(session);
        if (error != NULL && (due || strcmp(error->text, run->last) != 0))
            add_failure(run, error);
        lp_str_copy(run->last, sizeof run->last, error != NULL ? error->text : "");
    }
    const LpWorld *world = lp_session_world(session);
    run->refused = lp_world_tally(world)->blocked_by[LP_CAUSE_REFUSED];
    for (uint32_t i = lp_world_jobs(world); run->refused > 0 && i-- > 0;)
        if (lp_world_job(world, i)->cause == LP_CAUSE_REFUSED) {
            run->refused_job = i;
            lp_str_copy(run->refusal, sizeof run->refusal, lp_session_why(session, i).reason);
        }
    run->hash = lp_session_hash(session);
    return lp_metrics_summary(session->world, session->context, &run->summary, diag);
}

LpErr lp_policy_play(const char *path, uint32_t params, const char *const *param, int mini,
                     bool lasting, LpPolicyRun *run, LpDiag *diag) {
    LpScenario *scenario;
    LpSession *session;
    LpSessionSpec spec = {.policy = path, .params = params, .param = param};
    *run = (LpPolicyRun){0};
    LP_TRY(lp_mini_open(mini, 0, &scenario, diag));
    LP_TRY(lp_session_open_with(scenario, &spec, &session, diag));
    if (lasting)
        lp_policy_let_last(session->loaded.policy);
    uint64_t before = 0, after = 0;
    bool told = lasting && lp_policy_variables(session->loaded.policy, &before);
    LpErr err = play(session, run, diag);
    told = told && lp_policy_variables(session->loaded.policy, &after);
    run->changed = lasting && (!told || before != after);
    lp_session_close(session);
    return err;
}
