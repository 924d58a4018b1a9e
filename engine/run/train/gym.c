/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment: a session whose decisions come from outside. */
#include "run/train/gym.h"

#include <string.h>

#include "base/mem.h"
#include "io/scenario/scenario.h"
#include "run/host/paths.h"
#include "run/train/gym_impl.h"
#include "sim/world.h"

/* ---- opening ---- */

/* The policy named in the scenario is not looked for: it may not even be there. */
static LpErr load(const LpSessionSpec *spec, LpScenario **out, LpDiag *diag) {
    LpPaths paths;
    LpLoadOptions options = {.sets = spec->sets,
                             .set = spec->set,
                             .max_input = spec->max_input,
                             .data_dirs = lp_paths_dirs(&paths),
                             .files = spec->files};
    return lp_scenario_load(spec->scenario, &options, out, diag);
}

static LpErr fill(LpGym *gym, LpScenario *scenario, const LpGymSpec *spec, LpDiag *diag) {
    LpSessionSpec session = spec->session;
    session.policy = NULL;
    session.params = 0;
    session.keep_events = session.keep_explain = session.keep_timeline = false;
    scenario->policy = (LpPolicyRef){0};
    LP_TRY(lp_session_open_with(scenario, &session, &gym->session, diag));
    const LpContext *context = lp_session_context(gym->session);
    gym->reward = spec->reward;
    gym->scale = lp_reward_scale(context);
    gym->actions = scenario->partition.max_degree + 1;
    gym->open.degree = lp_alloc(gym->actions, sizeof *gym->open.degree);
    gym->server = lp_alloc(context->fabric.servers, sizeof *gym->server);
    if (gym->open.degree == NULL || gym->server == NULL)
        return lp_fail_memory(diag, "an environment");
    return LP_OK;
}

LpErr lp_gym_open_scenario(LpScenario *scenario, const LpGymSpec *spec, LpGym **out, LpDiag *diag) {
    LpGym *gym = lp_alloc(1, sizeof *gym);
    if (gym == NULL) {
        lp_scenario_free(scenario);
        return lp_fail_memory(diag, "an environment");
    }
    LpErr err = fill(gym, scenario, spec, diag);
    if (err != LP_OK) {
        lp_gym_close(gym);
        return err;
    }
    *out = gym;
    return LP_OK;
}

LpErr lp_gym_open(const LpGymSpec *spec, LpGym **out, LpDiag *diag) {
    LpScenario *scenario;
    LP_TRY(load(&spec->session, &scenario, diag));
    return lp_gym_open_scenario(scenario, spec, out, diag);
}

void lp_gym_close(LpGym *gym) {
    if (gym == NULL)
        return;
    lp_session_close(gym->session);
    lp_free(gym->open.degree);
    lp_free(gym->server);
    lp_free(gym);
}

/* ---- episodes ---- */

static const LpWorld *world_of(const LpGym *gym) {
    return lp_session_world(gym->session);
}

static LpErr to_decision(LpGym *gym, LpDiag *diag) {
    LpEvent event;
    while (lp_world_due(world_of(gym)) == LP_NO_INDEX && !lp_world_over(world_of(gym)))
        LP_TRY(lp_session_step(gym->session, &event, diag));
    return LP_OK;
}

LpErr lp_gym_begin(LpGym *gym, LpDiag *diag) {
    gym->tally = (LpGymTally){.began = true};
    gym->open.known = false;
    return to_decision(gym, diag);
}

LpErr lp_gym_reset(LpGym *gym, uint64_t seed, LpDiag *diag) {
    LP_TRY(lp_session_restart(gym->session, seed, diag));
    return lp_gym_begin(gym, diag);
}

static LpErr check(const LpGym *gym, const LpGymAction *action, LpDiag *diag) {
    uint32_t servers = lp_session_context(gym->session)->fabric.servers;
    if (!gym->tally.began)
        return lp_fail(diag, LP_ESTATE, "there is no episode yet: expected a reset first");
    if (!lp_gym_due(gym))
        return lp_fail(diag, LP_ESTATE, "the episode is over: expected a reset");
    if (action->degree >= gym->actions)
        return lp_fail(diag, LP_ERANGE, "action %u does not exist: expected 0..%u", action->degree,
                       gym->actions - 1);
    if (action->place >= LP_PLACE_RULE_COUNT)
        return lp_fail(diag, LP_EINVAL, "placement %u does not exist", (unsigned)action->place);
    if (action->servers > servers)
        return lp_fail(diag, LP_EINVAL, "%u servers are named, the cluster has %u", action->servers,
                       servers);
    for (uint32_t i = 0; i < action->servers; i++)
        if (action->server[i] >= servers)
            return lp_fail(diag, LP_EINVAL, "server %u does not exist: expected 0..%u",
                           action->server[i], servers - 1);
    return LP_OK;
}

/* The engine's answer for an action that the mask allows; its servers are in gym->server. */
static LpErr translate(const LpGym *gym, uint32_t job, const LpGymAction *action, LpAnswer *answer,
                       LpDiag *diag) {
    *answer = (LpAnswer){.kind = LP_ANSWER_RUN, .degree = action->degree};
    if (action->degree == 0)
        answer->kind = LP_ANSWER_DECLINE;
    answer->servers = action->servers;
    answer->server = action->server;
    if (action->degree == 0 || action->servers > 0 || action->place == LP_PLACE_ENGINE)
        return LP_OK;
    answer->server = gym->server;
    LP_TRY(lp_place_choose(world_of(gym), lp_session_context(gym->session), job, action->degree,
                           action->place, gym->server, &answer->servers, NULL, diag));
    if (answer->servers == 0)
        *answer = (LpAnswer){.kind = LP_ANSWER_DECLINE,
                             .cause = LP_CAUSE_NO_PLACEMENT,
                             .why = "no block is free for this degree"};
    return LP_OK;
}

/* One that the mask forbids is the engine's to refuse. */
static LpErr answer_for(const LpGym *gym, const LpGymStep *step, const LpGymAction *action,
                        LpAnswer *answer, LpDiag *diag) {
    *answer = (LpAnswer){.kind = LP_ANSWER_RUN, .degree = action->degree};
    return step->refused ? LP_OK : translate(gym, step->job, action, answer, diag);
}

/* The decision, and the cluster step up to the next event. */
static LpErr decide(LpGym *gym, uint32_t job, const LpAnswer *answer, LpGymStep *out,
                    LpDiag *diag) {
    const LpContext *context = lp_session_context(gym->session);
    LpEvent event;
    LP_TRY(lp_session_answer(gym->session, answer, &event, diag));
    LpRewardStep step =
        lp_reward_step(world_of(gym), context, lp_world_next_time(world_of(gym), context));
    if (!lp_world_over(world_of(gym)) && lp_world_due(world_of(gym)) == LP_NO_INDEX)
        LP_TRY(lp_session_step(gym->session, &event, diag));
    const LpJob *j = lp_world_job(world_of(gym), job);
    out->reward = lp_reward_value(&gym->reward, &gym->scale, &step, j);
    out->outcome = (LpOutcome)j->outcome;
    out->cause = (LpCause)j->cause;
    LpWhy why = lp_session_why(gym->session, job);
    lp_str_copy(out->reason, sizeof out->reason, why.reason[0] != '\0' ? why.reason : why.why);
    return LP_OK;
}

/* The degrees that the mask allows now, worked out once per decision. */
static LpErr find_open(LpGym *gym, uint32_t job, LpDiag *diag) {
    if (gym->open.known)
        return LP_OK;
    LP_TRY(lp_world_degrees(world_of(gym), lp_session_context(gym->session), job, 0,
                            gym->open.degree, gym->actions, &gym->open.count, diag));
    gym->open.known = true;
    return LP_OK;
}

/* Is the degree among those that the mask allows? */
static LpErr check_allowed(LpGym *gym, uint32_t job, uint32_t degree, bool *is, LpDiag *diag) {
    *is = degree <= 1;
    if (degree == 0 || lp_world_job(world_of(gym), job)->graph < 0)
        return LP_OK;
    LP_TRY(find_open(gym, job, diag));
    *is = false;
    for (uint32_t i = 0; i < gym->open.count; i++)
        *is |= gym->open.degree[i] == degree;
    return LP_OK;
}

LpErr lp_gym_step(LpGym *gym, const LpGymAction *action, LpGymStep *out, LpDiag *diag) {
    LpGymStep step = {0};
    LpAnswer answer;
    LP_TRY(check(gym, action, diag));
    step.job = lp_world_due(world_of(gym));
    bool is_allowed;
    LP_TRY(check_allowed(gym, step.job, action->degree, &is_allowed, diag));
    step.refused = !is_allowed;
    LP_TRY(answer_for(gym, &step, action, &answer, diag));
    gym->open.known = false;
    LP_TRY(decide(gym, step.job, &answer, &step, diag));
    gym->tally.sum += step.reward;
    gym->tally.steps++;
    LP_TRY(to_decision(gym, diag));
    step.done = !lp_gym_due(gym);
    *out = step;
    return LP_OK;
}

/* ---- views ---- */

bool lp_gym_due(const LpGym *gym) {
    return gym->tally.began && lp_world_due(world_of(gym)) != LP_NO_INDEX;
}

bool lp_gym_truncated(const LpGym *gym) {
    return gym->tally.began && lp_world_over(world_of(gym)) &&
           lp_world_now(world_of(gym)) >= lp_session_scenario(gym->session)->horizon;
}

bool lp_gym_began(const LpGym *gym) {
    return gym->tally.began;
}

uint32_t lp_gym_actions(const LpGym *gym) {
    return gym->actions;
}

LpErr lp_gym_mask(LpGym *gym, uint8_t *mask, LpDiag *diag) {
    memset(mask, 0, gym->actions);
    if (!lp_gym_due(gym))
        return LP_OK;
    uint32_t job = lp_world_due(world_of(gym));
    mask[0] = 1;
    if (lp_world_job(world_of(gym), job)->graph < 0) {
        mask[1] = 1;
        return LP_OK;
    }
    LP_TRY(find_open(gym, job, diag));
    for (uint32_t i = 0; i < gym->open.count; i++)
        mask[gym->open.degree[i]] = 1;
    return LP_OK;
}

LpErr lp_gym_predict(const LpGym *gym, const LpGymAction *action, LpForecast *out, LpDiag *diag) {
    LpAnswer answer;
    LP_TRY(check(gym, action, diag));
    uint32_t job = lp_world_due(world_of(gym));
    LP_TRY(translate(gym, job, action, &answer, diag));
    return lp_world_predict(world_of(gym), lp_session_context(gym->session), job, &answer, out,
                            diag);
}

void lp_gym_set_reward(LpGym *gym, const LpReward *reward) {
    gym->reward = *reward;
}

const LpReward *lp_gym_reward(const LpGym *gym) {
    return &gym->reward;
}

const LpSession *lp_gym_session(const LpGym *gym) {
    return gym->session;
}

double lp_gym_return(const LpGym *gym) {
    return gym->tally.sum;
}

uint64_t lp_gym_steps(const LpGym *gym) {
    return gym->tally.steps;
}
