/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's interface in terms of the environment's lanes. */
#include "lib/lightpath.h"

#include <string.h>

#include "base/mem.h"
#include "many/train/gym_serve.h"

struct LightpathEnv {
    LpGymServer *server;
    uint32_t lanes;
    bool broken;    /* the last reset or step came to an end halfway */
    uint8_t *flags; /* lanes: where the caller has no such array */
    LpBuf answer;
};

_Static_assert(LIGHTPATH_ENOMEM == LP_ENOMEM && LIGHTPATH_EINVAL == LP_EINVAL &&
                   LIGHTPATH_ERANGE == LP_ERANGE && LIGHTPATH_ESTATE == LP_ESTATE,
               "codes are those of the engine");
_Static_assert(LIGHTPATH_DONE == LP_LANE_DONE && LIGHTPATH_TRUNCATED == LP_LANE_TRUNCATED &&
                   LIGHTPATH_BLOCKED == LP_LANE_BLOCKED && LIGHTPATH_MASKED == LP_LANE_MASKED &&
                   LIGHTPATH_IDLE == LP_LANE_IDLE && LIGHTPATH_STAY == LP_LANE_STAYS,
               "flags are those of lanes");

uint32_t lightpath_api_version(void) {
    return LIGHTPATH_API_VERSION;
}

const char *lightpath_version(void) {
    return LP_VERSION;
}

const char *lightpath_error_name(int32_t code) {
    return lp_err_text((LpErr)code);
}

/* A failure of the engine as the caller sees it. */
static int told(LpErr err, const LpDiag *diag, LightpathError *error) {
    if (err == LP_OK || error == NULL)
        return (int)err;
    error->code = (int32_t)err;
    lp_diag_format(diag, error->text, sizeof error->text);
    return (int)err;
}

static int refuse(LpErr code, const char *text, LightpathError *error) {
    LpDiag diag = {0};
    return told(lp_fail(&diag, code, "%s", text), &diag, error);
}

/* ---- opening ---- */

static LpErr open_env(const LightpathOptions *o, LightpathEnv *env, LpDiag *diag) {
    LpGymOpenSpec spec = {.session = {.scenario = o->scenario,
                                      .sets = o->sets,
                                      .set = o->set,
                                      .until = o->until,
                                      .max_input = o->max_input,
                                      .max_memory = o->max_memory},
                          .reward = o->reward,
                          .waits = o->queue != NULL,
                          .queue = o->queue};
    LpGymServerSpec seen = {.encoding = o->encoding, .places = o->places, .place = o->place};
    LpGym *gym;
    LP_TRY(lp_gym_open_named(&spec, &gym, diag));
    LP_TRY(lp_gym_server_new(gym, &seen, &env->server, diag));
    env->lanes = o->lanes > 0 ? o->lanes : 1;
    LP_TRY(lp_gym_server_lanes(env->server, env->lanes, o->stride, diag));
    env->flags = lp_alloc(env->lanes, sizeof *env->flags);
    return env->flags != NULL ? LP_OK : lp_fail_memory(diag, "an environment");
}

/* What the options lack before anything is read of them; NULL: nothing. */
static const char *lack_of(const LightpathOptions *o) {
    if (o->scenario == NULL)
        return "options.scenario is NULL: expected a path or a name";
    if ((o->sets > 0 && o->set == NULL) || (o->places > 0 && o->place == NULL))
        return "options: a list is NULL that is said to have entries";
    for (uint32_t i = 0; i < o->sets; i++)
        if (o->set[i] == NULL)
            return "options.set has an entry that is NULL";
    for (uint32_t i = 0; i < o->places; i++)
        if (o->place[i] == NULL)
            return "options.place has an entry that is NULL";
    return o->until >= 0 ? NULL : "options.until is no time: expected seconds from 0 on";
}

int lightpath_open(const LightpathOptions *options, LightpathEnv **out, LightpathError *error) {
    LightpathOptions o = {0};
    LpDiag diag = {0};
    if (out == NULL)
        return refuse(LP_EINVAL, "env is NULL: expected where the environment is to go", error);
    *out = NULL;
    if (options == NULL || options->size < sizeof options->size + sizeof options->scenario)
        return refuse(LP_EINVAL, "options are NULL, or options.size is not their size", error);
    memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
    const char *lack = lack_of(&o);
    if (lack != NULL)
        return refuse(LP_EINVAL, lack, error);
    LightpathEnv *env = lp_alloc(1, sizeof *env);
    if (env == NULL)
        return refuse(LP_ENOMEM, "out of memory: an environment", error);
    LpErr err = open_env(&o, env, &diag);
    if (err != LP_OK) {
        lightpath_close(env);
        return told(err, &diag, error);
    }
    *out = env;
    return LIGHTPATH_OK;
}

void lightpath_close(LightpathEnv *env) {
    if (env == NULL)
        return;
    lp_gym_server_free(env->server);
    lp_buf_fini(&env->answer);
    lp_free(env->flags);
    lp_free(env);
}

int lightpath_shape(const LightpathEnv *env, LightpathShape *shape, LightpathError *error) {
    if (env == NULL || shape == NULL)
        return refuse(LP_EINVAL, "the environment or the shape is NULL", error);
    const LpGym *gym = lp_gym_server_gym(env->server);
    const LpContext *context = lp_session_context(lp_gym_session(gym));
    *shape = (LightpathShape){.lanes = env->lanes,
                              .actions = lp_gym_actions(gym),
                              .features = lp_gym_server_features(env->server),
                              .wait = lp_gym_wait(gym),
                              .servers = context->fabric.servers,
                              .graphs = context->scenario->graphs};
    return LIGHTPATH_OK;
}

/* ---- playing ---- */

/* What every call of a lane needs; NULL: it is all there. `a` gets the arrays. */
static const char *lack_of_call(const LightpathEnv *env, const void *list, uint32_t lanes,
                                const LightpathArrays *arrays, LightpathArrays *a) {
    if (env == NULL || list == NULL)
        return "the environment, or the list of seeds or actions, is NULL";
    if (lanes != env->lanes)
        return "the list of seeds or actions is not as long as there are lanes";
    if (arrays == NULL || arrays->size < sizeof arrays->size)
        return "arrays are NULL, or arrays.size is not their size";
    *a = (LightpathArrays){0};
    memcpy(a, arrays, arrays->size < sizeof *a ? arrays->size : sizeof *a);
    return NULL;
}

static LpLaneArrays lane_arrays(const LightpathEnv *env, const LightpathArrays *a) {
    return (LpLaneArrays){.reward = a->reward,
                          .sum = a->sum,
                          .blocking = a->blocking,
                          .seed = a->seed,
                          .length = a->length,
                          .job = a->job,
                          .graph = a->graph,
                          .feature = a->features,
                          .mask = a->mask,
                          .flags = a->flags != NULL ? a->flags : env->flags};
}

static void tell_ends(const LightpathEnv *env, const LightpathArrays *a, const uint8_t *flags) {
    for (uint32_t i = 0; a->terminated != NULL && i < env->lanes; i++)
        a->terminated[i] = (flags[i] & (LP_LANE_DONE | LP_LANE_TRUNCATED)) == LP_LANE_DONE;
    for (uint32_t i = 0; a->truncated != NULL && i < env->lanes; i++)
        a->truncated[i] = (flags[i] & LP_LANE_TRUNCATED) != 0;
}

/* Does the seed of a lane say that it stays? */
static bool any_stays(const uint64_t *seed, uint32_t lanes) {
    for (uint32_t i = 0; i < lanes; i++)
        if (seed[i] == LP_LANE_STAYS)
            return true;
    return false;
}

static const char HALFWAY[] = "the last reset or step came to an end halfway: expected a reset of "
                              "all lanes";

int lightpath_reset(LightpathEnv *env, const uint64_t *seed, uint32_t lanes,
                    const LightpathArrays *arrays, LightpathError *error) {
    LightpathArrays a;
    LpDiag diag = {0};
    const char *lack = lack_of_call(env, seed, lanes, arrays, &a);
    if (lack != NULL)
        return refuse(LP_EINVAL, lack, error);
    if (env->broken && any_stays(seed, lanes))
        return refuse(LP_ESTATE, HALFWAY, error);
    LpLaneArrays to = lane_arrays(env, &a);
    LpErr err = lp_gym_server_reset_lanes(env->server, seed, &to, &diag);
    env->broken = err != LP_OK;
    if (err == LP_OK)
        tell_ends(env, &a, to.flags);
    return told(err, &diag, error);
}

int lightpath_step(LightpathEnv *env, const uint32_t *action, uint32_t lanes,
                   const LightpathArrays *arrays, LightpathError *error) {
    LightpathArrays a;
    LpDiag diag = {0};
    const char *lack = lack_of_call(env, action, lanes, arrays, &a);
    if (lack != NULL)
        return refuse(LP_EINVAL, lack, error);
    if (env->broken)
        return refuse(LP_ESTATE, HALFWAY, error);
    LpLaneArrays to = lane_arrays(env, &a);
    LpErr err = lp_gym_server_step_lanes(env->server, action, &to, &diag);
    env->broken = err != LP_OK && err != LP_EINVAL && err != LP_ERANGE && err != LP_ESTATE;
    if (err == LP_OK)
        tell_ends(env, &a, to.flags);
    return told(err, &diag, error);
}

/* ---- everything else ---- */

int lightpath_ask(LightpathEnv *env, const char *request, size_t length, const char **answer,
                  size_t *answered, LightpathError *error) {
    LpDiag diag = {0};
    bool go_on;
    if (env == NULL || request == NULL || answer == NULL || answered == NULL)
        return refuse(LP_EINVAL, "an argument is NULL", error);
    lp_buf_clear(&env->answer);
    if (length > LP_GYM_LINE_MAX) {
        lp_gym_server_too_long(&env->answer);
    } else {
        char *line = lp_alloc(length + 1, 1); /* with the NUL that its reader expects */
        if (line == NULL)
            return refuse(LP_ENOMEM, "out of memory: a request", error);
        memcpy(line, request, length);
        LpErr err = lp_gym_server_answer(env->server, line, length, &env->answer, &go_on, &diag);
        lp_free(line);
        if (err != LP_OK)
            return told(err, &diag, error);
    }
    *answer = lp_buf_text(&env->answer);
    *answered = env->answer.len;
    return LIGHTPATH_OK;
}
