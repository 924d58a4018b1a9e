/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment: a session whose decisions come from outside. */
#include "many/train/gym.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "host/paths.h"
#include "import/import.h"
#include "io/scenario/scenario.h"
#include "many/train/gym_impl.h"
#include "session/seat.h"
#include "sim/forecast.h"
#include "sim/world.h"

/* ---- opening ---- */

/* The policy named in the scenario is not looked for: it may not even be there. */
static LpErr load(const LpSessionSpec *spec, LpScenario **out, LpDiag *diag) {
    LpPaths paths;
    LpLoadOptions options = {.sets = spec->sets,
                             .set = spec->set,
                             .max_input = spec->max_input,
                             .data_dirs = lp_paths_dirs(&paths),
                             .files = spec->files,
                             .traces = &lp_import_source};
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
    gym->degrees = lp_context_ways(context);
    gym->waits = spec->waits;
    gym->actions = gym->degrees + (gym->waits ? 2 : 1);
    if (spec->earliest_first)
        lp_session_earliest_first(gym->session);
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

/* Is a reward for what became of one job? */
static bool per_job(const LpReward *reward) {
    return reward->kind == LP_REWARD_JOB_ACCEPTANCE || reward->kind == LP_REWARD_LOOKAHEAD_JCT ||
           reward->kind == LP_REWARD_MULTI_OBJECTIVE;
}

/* Reward for a job that is lost, however that is written down. */
static double reward_of_loss(const LpGym *gym, uint32_t job) {
    LpJob lost = *lp_world_job(world_of(gym), job);
    const LpRewardStep none = {0};
    lost.outcome = LP_JOB_BLOCKED;
    return per_job(&gym->reward) ? lp_reward_value(&gym->reward, &gym->scale, &none, &lost) : 0;
}

/* A waiting job whose time is over; at the end, all that wait. */
static double reward_of_event(const LpGym *gym, const LpEvent *event) {
    double sum = 0;
    if (!gym->waits)
        return 0;
    if (event->kind == LP_EVENT_EXPIRY)
        sum += reward_of_loss(gym, event->job);
    uint64_t jobs = lp_world_over(world_of(gym)) ? lp_world_tally(world_of(gym))->arrived : 0;
    for (uint32_t id = 0; id < jobs; id++) {
        const LpJob *job = lp_world_job(world_of(gym), id);
        if (job->outcome == LP_JOB_UNFINISHED && isnan(job->times.start))
            sum += reward_of_loss(gym, id);
    }
    return sum;
}

/* Up to the next decision; *sum gets the rewards of waiting jobs that are lost on the way. */
static LpErr to_decision(LpGym *gym, double *sum, LpDiag *diag) {
    LpEvent event;
    while (lp_world_due(world_of(gym)) == LP_NO_INDEX && !lp_world_over(world_of(gym))) {
        LP_TRY(lp_session_step(gym->session, &event, diag));
        *sum += reward_of_event(gym, &event);
    }
    return LP_OK;
}

LpErr lp_gym_begin(LpGym *gym, LpDiag *diag) {
    gym->tally = (LpGymTally){.began = true};
    gym->open.known = false;
    double none = 0;
    return to_decision(gym, &none, diag);
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
    const LpContext *context = lp_session_context(gym->session);
    *answer = (LpAnswer){.kind = LP_ANSWER_DECLINE};
    if (action->degree == lp_gym_wait(gym)) {
        *answer = (LpAnswer){.kind = LP_ANSWER_WAIT};
        return LP_OK;
    }
    if (action->degree > 0)
        LP_TRY(lp_context_way(context, lp_world_job(world_of(gym), job)->graph, action->degree,
                              answer, diag));
    answer->servers = action->servers;
    answer->server = action->server;
    if (action->degree == 0 || action->servers > 0 || action->place == LP_PLACE_ENGINE)
        return LP_OK;
    answer->server = gym->server;
    LP_TRY(lp_place_choose(world_of(gym), context, job, action->degree, action->place, gym->server,
                           &answer->servers, NULL, diag));
    if (answer->servers == 0)
        *answer = (LpAnswer){.kind = LP_ANSWER_DECLINE,
                             .cause = LP_CAUSE_NO_PLACEMENT,
                             .why = "no block is free for this degree"};
    return LP_OK;
}

/* One that the mask forbids is the engine's to refuse, where it knows the action: plans are numbers
 * of a list, and a rigid job takes what it asks for, whatever degree is answered. */
static LpErr answer_for(const LpGym *gym, const LpGymStep *step, const LpGymAction *action,
                        LpAnswer *answer, LpDiag *diag) {
    const LpContext *context = lp_session_context(gym->session);
    if (!step->refused)
        return translate(gym, step->job, action, answer, diag);
    *answer = (LpAnswer){.kind = LP_ANSWER_RUN, .degree = action->degree};
    int32_t graph = lp_world_job(world_of(gym), step->job)->graph;
    if (graph >= 0 && !lp_context_planned(context, graph))
        return LP_OK;
    *answer = (LpAnswer){.kind = LP_ANSWER_DECLINE,
                         .cause = LP_CAUSE_REFUSED,
                         .why = graph < 0 ? "the mask forbids all but 0 and 1 for a rigid job"
                                          : "the mask forbids the plan of this number"};
    return LP_OK;
}

/* It waited, and ends after its true deadline, which published rules overlook (Q17). */
static bool is_late(const LpJob *job) {
    bool runs = job->outcome == LP_JOB_RUNNING || job->outcome == LP_JOB_COMPLETED;
    return runs && job->offers > 1 && job->asked.fraction > 0 &&
           job->times.start - job->asked.arrival + job->forecast.jct >
               job->asked.max_jct * (1 + 1e-9);
}

/* The decision, and the cluster step up to the next event. */
static LpErr decide(LpGym *gym, uint32_t job, const LpAnswer *answer, LpGymStep *out,
                    LpDiag *diag) {
    const LpContext *context = lp_session_context(gym->session);
    LpEvent event;
    LP_TRY(lp_session_answer(gym->session, answer, &event, diag));
    bool waits = lp_world_job(world_of(gym), job)->outcome == LP_JOB_WAITING;
    LpRewardStep step = {0};
    if (!per_job(&gym->reward))
        step = lp_reward_step(world_of(gym), context, lp_world_next_time(world_of(gym), context));
    double lost = 0;
    if (!lp_world_over(world_of(gym)) && lp_world_due(world_of(gym)) == LP_NO_INDEX) {
        LP_TRY(lp_session_step(gym->session, &event, diag));
        lost = reward_of_event(gym, &event);
    }
    const LpJob *j = lp_world_job(world_of(gym), job);
    out->late = is_late(j);
    if (waits && per_job(&gym->reward))
        out->reward = 0; /* what becomes of it is told when it is known */
    else
        out->reward = out->late ? reward_of_loss(gym, job)
                                : lp_reward_value(&gym->reward, &gym->scale, &step, j);
    out->reward += lost;
    out->outcome = (LpOutcome)j->outcome;
    out->cause = (LpCause)j->cause;
    LpWhy why = lp_session_why(gym->session, job);
    lp_str_copy(out->reason, sizeof out->reason, why.reason[0] != '\0' ? why.reason : why.why);
    return LP_OK;
}

/* The ways that the mask allows now, worked out once per decision. */
static LpErr find_open(LpGym *gym, uint32_t job, LpDiag *diag) {
    if (gym->open.known)
        return LP_OK;
    LP_TRY(lp_world_ways(world_of(gym), lp_session_context(gym->session), job, 0, gym->open.degree,
                         gym->actions, &gym->open.count, diag));
    gym->open.known = true;
    return LP_OK;
}

/* Is there room in the queue? Who has waited keeps its place. */
static bool can_wait(const LpGym *gym, uint32_t job) {
    return lp_world_job(world_of(gym), job)->offers > 0 ||
           lp_world_tally(world_of(gym))->waiting <
               lp_session_scenario(gym->session)->queue_capacity;
}

/* Is the degree among those that the mask allows? */
static LpErr check_allowed(LpGym *gym, uint32_t job, uint32_t degree, bool *is, LpDiag *diag) {
    *is = degree <= 1; /* of rigid jobs */
    if (degree == lp_gym_wait(gym)) {
        *is = can_wait(gym, job);
        return LP_OK;
    }
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
    LP_TRY(to_decision(gym, &step.reward, diag));
    gym->tally.sum += step.reward;
    gym->tally.steps++;
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

uint32_t lp_gym_degrees(const LpGym *gym) {
    return gym->degrees;
}

uint32_t lp_gym_wait(const LpGym *gym) {
    return gym->waits ? gym->degrees + 1 : LP_NO_INDEX;
}

LpErr lp_gym_mask(LpGym *gym, uint8_t *mask, LpDiag *diag) {
    memset(mask, 0, gym->actions);
    if (!lp_gym_due(gym))
        return LP_OK;
    uint32_t job = lp_world_due(world_of(gym));
    mask[0] = 1;
    if (gym->waits)
        mask[lp_gym_wait(gym)] = can_wait(gym, job) ? 1 : 0;
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
