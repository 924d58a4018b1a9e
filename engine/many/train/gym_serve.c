/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment's protocol: one request, one answer. */
#include "many/train/gym_serve.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "host/paths.h"
#include "io/json/json.h"
#include "many/train/gym_serve_impl.h"
#include "sim/facts/metric.h"
#include "sim/forecast.h"
#include "sim/world.h"

static const char *const place_words[] = {
#define X(id, name, doc) name,
    LP_PLACE_RULES(X)
#undef X
        NULL};
static const char *const reward_words[] = {
#define X(id, name, sign, doc) name,
    LP_REWARDS(X)
#undef X
        NULL};

/* Everything that a request may say. */
typedef struct Request {
    LpGymServer *server;
    const char *cmd;
    bool has_seed;
    uint64_t seed;
    uint32_t action;
    int place;
    uint32_t servers;
    bool quiet; /* no observation in the answer */
    uint32_t state, lanes;
    uint32_t stride;
    bool has_future;
    uint64_t future;
    LpReward reward;
} Request;

typedef LpErr (*Answer)(Request *request, LpJsonOut *out, LpDiag *diag);

/* ---- readers ---- */

static LpErr read_seed(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Request *r = target;
    (void)context;
    r->has_seed = true;
    return lp_json_u64(value, 0, UINT64_MAX, &r->seed, diag);
}

static LpErr read_future(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Request *r = target;
    (void)context;
    r->has_future = true;
    return lp_json_u64(value, 0, UINT64_MAX, &r->future, diag);
}

static LpErr read_observe(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Request *r = target;
    (void)context;
    LP_TRY(lp_json_expect(value, LP_JSON_BOOL, diag));
    r->quiet = !lp_json_bool(value);
    return LP_OK;
}

static LpErr read_servers(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Request *r = target;
    LpGymServer *s = r->server;
    uint32_t most = lp_session_context(lp_gym_session(s->gym))->fabric.servers;
    uint64_t number;
    (void)context;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    if (lp_json_count(value) == 0 || lp_json_count(value) > most)
        return lp_json_fail(value, diag, LP_EINVAL, "expected 1 to %u servers, found %zu", most,
                            lp_json_count(value));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(lp_json_u64(v, 0, most - 1, &number, diag));
        s->server[r->servers++] = (uint32_t)number;
    }
    return LP_OK;
}

/* The kind first: it brings its own sign. */
static LpErr read_reward(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Request *r = target;
    int kind;
    (void)context;
    LP_TRY(lp_json_word(value, reward_words, &kind, diag));
    r->reward = lp_reward_default((LpRewardKind)kind);
    return LP_OK;
}

#define ROW(key, row_type, field) .name = key, .type = row_type, .offset = offsetof(Request, field)
#define CUSTOM(key, reader) .name = key, .type = LP_KEY_CUSTOM, .read = reader
#define NUMBER(key, field)                                                                         \
    {                                                                                              \
        ROW(key, LP_KEY_QUANTITY, reward.field), .range = {.min = -1e300, .max = 1e300 }           \
    }
#define CMD                                                                                        \
    { ROW("cmd", LP_KEY_TEXT, cmd), .required = true }
#define OBSERVE                                                                                    \
    { CUSTOM("observe", read_observe) }
#define ACTION                                                                                     \
    { ROW("action", LP_KEY_COUNT, action), .required = true }
#define PLACE                                                                                      \
    {ROW("place", LP_KEY_WORD, place), .words = place_words}, {                                    \
        CUSTOM("servers", read_servers)                                                            \
    }

/* ---- answers ---- */

static LpErr add_state(Request *r, LpJsonOut *out, LpDiag *diag) {
    lp_json_put_bool(out, "done", lp_gym_began(r->server->gym) && !lp_gym_due(r->server->gym));
    lp_json_put_bool(out, "truncated", lp_gym_truncated(r->server->gym));
    if (r->quiet)
        return LP_OK;
    LP_TRY(lp_gym_add_observation(r->server, out, diag));
    return lp_gym_add_mask(r->server, out, diag);
}

static LpErr answer_spec(Request *r, LpJsonOut *out, LpDiag *diag) {
    (void)diag;
    lp_gym_add_spec(r->server, out);
    return LP_OK;
}

static LpErr answer_graphs(Request *r, LpJsonOut *out, LpDiag *diag) {
    return lp_gym_add_graphs(r->server, out, diag);
}

static LpErr answer_seed(Request *r, LpJsonOut *out, LpDiag *diag) {
    (void)diag;
    r->server->next_seed = r->seed;
    lp_json_put_count(out, "seed", r->seed);
    return LP_OK;
}

static LpErr answer_reset(Request *r, LpJsonOut *out, LpDiag *diag) {
    LpGymServer *s = r->server;
    uint64_t seed = r->has_seed ? r->seed : s->next_seed;
    LP_TRY(lp_gym_reset(s->gym, seed, diag));
    s->next_seed = seed + 1;
    lp_json_put_count(out, "seed", seed);
    return add_state(r, out, diag);
}

static LpGymAction action_of(const Request *r) {
    return (LpGymAction){.degree = r->action,
                         .place = (LpPlaceRule)r->place,
                         .servers = r->servers,
                         .server = r->server->server};
}

/* The plan by which a job would run that is split by plans. */
static void add_plan(const LpGymServer *s, const LpJob *job, bool planned, LpJsonOut *out) {
    const LpContext *context = lp_session_context(lp_gym_session(s->gym));
    if (!lp_context_planned(context, job->graph))
        return;
    bool known = planned && job->placed.partition != LP_NO_INDEX;
    lp_json_put_text(out, "plan",
                     known ? lp_store_partition(context->store, job->placed.partition)->plan_text
                           : NULL);
}

static void add_result(const LpGymServer *s, const LpGymStep *step, LpJsonOut *out) {
    const LpWorld *world = lp_session_world(lp_gym_session(s->gym));
    const LpJob *job = lp_world_job(world, step->job);
    bool planned = job->forecast.step_time >= 0 || job->graph < 0;
    lp_json_open(out, "info", '{');
    lp_json_put_number(out, "job", step->job);
    lp_json_put_text(out, "outcome", lp_outcome_name(step->outcome));
    lp_json_put_text(out, "cause", lp_cause_code(step->cause));
    lp_json_put_text(out, "reason", step->reason[0] != '\0' ? step->reason : NULL);
    lp_json_put_bool(out, "masked", step->refused);
    if (lp_gym_wait(s->gym) != LP_NO_INDEX)
        lp_json_put_bool(out, "late", step->late);
    lp_json_put_number(out, "jct", job->forecast.jct);
    lp_json_put_number(out, "partition_degree",
                       planned ? job->placed.partition_degree : (double)NAN);
    lp_json_put_number(out, "servers", planned ? job->placed.servers : (double)NAN);
    add_plan(s, job, planned, out);
    lp_json_close(out, '}');
}

static LpErr answer_step(Request *r, LpJsonOut *out, LpDiag *diag) {
    LpGymAction action = action_of(r);
    LpGymStep step;
    LP_TRY(lp_gym_step(r->server->gym, &action, &step, diag));
    lp_json_put_number(out, "reward", step.reward);
    add_result(r->server, &step, out);
    return add_state(r, out, diag);
}

static LpErr answer_observe(Request *r, LpJsonOut *out, LpDiag *diag) {
    return add_state(r, out, diag);
}

static LpErr answer_mask(Request *r, LpJsonOut *out, LpDiag *diag) {
    return lp_gym_add_mask(r->server, out, diag);
}

static LpErr answer_reward(Request *r, LpJsonOut *out, LpDiag *diag) {
    (void)diag;
    lp_gym_set_reward(r->server->gym, &r->reward);
    lp_json_put_text(out, "reward", lp_reward_name(r->reward.kind));
    return LP_OK;
}

static LpErr answer_predict(Request *r, LpJsonOut *out, LpDiag *diag) {
    LpGymAction action = action_of(r);
    LpForecast f = {0};
    LP_TRY(lp_gym_predict(r->server->gym, &action, &f, diag));
    double none = (double)NAN;
    lp_json_put_bool(out, "feasible", f.feasible);
    lp_json_put_text(out, "cause", lp_cause_code(f.cause));
    lp_json_put_text(out, "why", f.why[0] != '\0' ? f.why : NULL);
    lp_json_put_number(out, "jct", f.feasible ? f.jct : none);
    lp_json_put_number(out, "finish", f.feasible ? f.finish : none);
    lp_json_put_number(out, "step_time", f.feasible ? f.step_time : none);
    lp_json_put_counts(out, "servers", f.server, f.feasible ? f.servers : 0);
    return LP_OK;
}

static LpErr answer_summary(Request *r, LpJsonOut *out, LpDiag *diag) {
    const LpSession *session = lp_gym_session(r->server->gym);
    static const LpMetric metric[] = {LP_METRIC_ARRIVED,  LP_METRIC_COMPLETED,
                                      LP_METRIC_BLOCKED,  LP_METRIC_UNFINISHED,
                                      LP_METRIC_BLOCKING, LP_METRIC_MEAN_JCT};
    LpSummary s;
    LP_TRY(lp_metrics_summary(lp_session_world(session), lp_session_context(session), &s, diag));
    lp_json_put_number(out, "steps", (double)lp_gym_steps(r->server->gym));
    lp_json_put_number(out, "return", lp_gym_return(r->server->gym));
    lp_json_put_number(out, "time", lp_world_now(lp_session_world(session)));
    lp_summary_json(out, &s, metric, LP_COUNTOF(metric));
    return LP_OK;
}

/* ---- states that are kept ---- */

static LpErr answer_save(Request *r, LpJsonOut *out, LpDiag *diag) {
    LpGymServer *s = r->server;
    void *items = s->saved;
    size_t at = 0;
    while (at < s->saves && s->saved[at] != NULL)
        at++;
    if (at == LP_GYM_STATES_MAX)
        return lp_fail(diag, LP_ELIMIT, "%d states are kept: expected a drop first",
                       LP_GYM_STATES_MAX);
    if (lp_grow(&items, &s->saves_cap, at + 1, sizeof *s->saved) != LP_OK)
        return lp_fail_memory(diag, "a copy of an episode");
    s->saved = items;
    if (at == s->saves)
        s->saved[s->saves++] = NULL;
    LP_TRY(lp_gym_save(s->gym, &s->saved[at], diag));
    lp_json_put_number(out, "state", (double)at);
    return LP_OK;
}

static LpErr find_state(const Request *r, LpDiag *diag) {
    const LpGymServer *s = r->server;
    if (r->state < s->saves && s->saved[r->state] != NULL)
        return LP_OK;
    return lp_fail(diag, LP_ERANGE, "there is no state %u: expected one that save answered",
                   r->state);
}

static LpErr answer_restore(Request *r, LpJsonOut *out, LpDiag *diag) {
    LP_TRY(find_state(r, diag));
    LP_TRY(lp_gym_restore(r->server->gym, r->server->saved[r->state], diag));
    if (r->has_future)
        lp_gym_reseed(r->server->gym, r->future);
    return add_state(r, out, diag);
}

static LpErr answer_drop(Request *r, LpJsonOut *out, LpDiag *diag) {
    LP_TRY(find_state(r, diag));
    lp_gym_state_free(r->server->saved[r->state]);
    r->server->saved[r->state] = NULL;
    lp_json_put_number(out, "state", r->state);
    return LP_OK;
}

/* ---- many episodes ---- */

static LpErr replace_lanes(LpGymServer *s, uint32_t count, uint64_t stride, LpDiag *diag) {
    LpLanes *lanes;
    LP_TRY(lp_lanes_new(s, count, stride, &lanes, diag));
    lp_lanes_free(s->lanes);
    s->lanes = lanes;
    return LP_OK;
}

LpErr lp_gym_server_lanes(LpGymServer *s, uint32_t count, uint64_t stride, LpDiag *diag) {
    if (count < 1 || count > LP_GYM_LANES_MAX)
        return lp_fail(diag, LP_ERANGE, "%u lanes: expected 1..%d", count, LP_GYM_LANES_MAX);
    LP_TRY(replace_lanes(s, count, stride, diag));
    s->lanes_fixed = true;
    return LP_OK;
}

LpErr lp_gym_server_reset_lanes(LpGymServer *s, const uint64_t *seed, const LpLaneArrays *arrays,
                                LpDiag *diag) {
    return lp_lanes_reset(s->lanes, seed, arrays, diag);
}

LpErr lp_gym_server_step_lanes(LpGymServer *s, const uint32_t *action, const LpLaneArrays *arrays,
                               LpDiag *diag) {
    return lp_lanes_step(s->lanes, action, arrays, diag);
}

uint32_t lp_gym_server_features(const LpGymServer *s) {
    return s->features;
}

const LpGym *lp_gym_server_gym(const LpGymServer *s) {
    return s->gym;
}

static LpErr answer_frames(Request *r, LpJsonOut *out, LpDiag *diag) {
    LpGymServer *s = r->server;
    if (s->lanes_fixed)
        return lp_fail(diag, LP_ESTATE, "the lanes were chosen when the environment was opened");
    LP_TRY(replace_lanes(s, r->lanes, r->stride, diag));
    lp_lanes_describe(s->lanes, out);
    return LP_OK;
}

static LpErr answer_close(Request *r, LpJsonOut *out, LpDiag *diag) {
    (void)r, (void)out, (void)diag;
    return LP_OK;
}

/* ---- commands ---- */

static const LpJsonKey none_keys[] = {CMD};
static const LpJsonKey seed_keys[] = {CMD, {CUSTOM("seed", read_seed), .required = true}};
static const LpJsonKey reset_keys[] = {CMD, {CUSTOM("seed", read_seed)}, OBSERVE};
static const LpJsonKey step_keys[] = {CMD, ACTION, PLACE, OBSERVE};
static const LpJsonKey predict_keys[] = {CMD, ACTION, PLACE};
#define STATE                                                                                      \
    { ROW("state", LP_KEY_COUNT, state), .required = true }
static const LpJsonKey restore_keys[] = {CMD, STATE, {CUSTOM("future", read_future)}, OBSERVE};
static const LpJsonKey drop_keys[] = {CMD, STATE};
static const LpJsonKey frames_keys[] = {
    CMD,
    {ROW("lanes", LP_KEY_COUNT, lanes), .range = {.min = 1, .max = LP_GYM_LANES_MAX}},
    {ROW("stride", LP_KEY_COUNT, stride)}};
static const LpJsonKey reward_keys[] = {CMD,
                                        {CUSTOM("name", read_reward), .required = true},
                                        NUMBER("success", success),
                                        NUMBER("fail", fail),
                                        NUMBER("fail_factor", fail_factor),
                                        NUMBER("blocking_weight", blocking_weight),
                                        NUMBER("normaliser_factor", normaliser_factor),
                                        NUMBER("sign", sign),
                                        {ROW("normalise", LP_KEY_FLAG, reward.normalise)},
                                        {ROW("inverse", LP_KEY_FLAG, reward.inverse)},
                                        {ROW("log", LP_KEY_FLAG, reward.log)}};

#define COMMAND(name, list)                                                                        \
    { #name, list##_keys, LP_COUNTOF(list##_keys), answer_##name }
static const struct {
    const char *name;
    const LpJsonKey *key;
    size_t keys;
    Answer answer;
} COMMANDS[] = {
    COMMAND(spec, none),    COMMAND(graphs, none),     COMMAND(seed, seed),
    COMMAND(reset, reset),  COMMAND(step, step),       COMMAND(observe, none),
    COMMAND(mask, none),    COMMAND(predict, predict), COMMAND(reward, reward),
    COMMAND(summary, none), COMMAND(save, none),       COMMAND(restore, restore),
    COMMAND(drop, drop),    COMMAND(frames, frames),   COMMAND(close, none),
};

static LpErr find(LpJsonValue root, size_t *index, LpDiag *diag) {
    const char *names[LP_COUNTOF(COMMANDS)];
    LP_TRY(lp_json_expect(root, LP_JSON_OBJECT, diag));
    LpJsonValue cmd = lp_json_member(root, "cmd");
    if (cmd.item == NULL)
        return lp_json_fail(root, diag, LP_EINVAL, "the key \"cmd\" is missing");
    LP_TRY(lp_json_expect(cmd, LP_JSON_TEXT, diag));
    for (size_t i = 0; i < LP_COUNTOF(COMMANDS); i++) {
        names[i] = COMMANDS[i].name;
        if (strcmp(lp_json_text(cmd), COMMANDS[i].name) == 0) {
            *index = i;
            return LP_OK;
        }
    }
    int near = lp_str_nearest(lp_json_text(cmd), names, LP_COUNTOF(COMMANDS));
    char shown[80];
    return lp_json_fail(cmd, diag, LP_EINVAL, "there is no command \"%s\"%s%s",
                        lp_str_show(shown, sizeof shown, lp_json_text(cmd)),
                        near >= 0 ? ", did you mean " : "", near >= 0 ? names[near] : "");
}

static LpErr serve(LpGymServer *s, LpJsonValue root, LpBuf *out, bool *go_on, LpDiag *diag) {
    Request request = {
        .server = s, .place = (int)s->places.rule[0], .reward = *lp_gym_reward(s->gym), .lanes = 1};
    size_t at = 0;
    LP_TRY(find(root, &at, diag));
    LP_TRY(
        lp_json_read(root, COMMANDS[at].key, COMMANDS[at].keys, &request, s->request, NULL, diag));
    LpJsonOut json = {.out = out};
    lp_json_open(&json, NULL, '{');
    lp_json_put_bool(&json, "ok", true);
    lp_json_put_text(&json, "cmd", COMMANDS[at].name);
    LP_TRY(COMMANDS[at].answer(&request, &json, diag));
    lp_json_end(&json);
    *go_on = COMMANDS[at].answer != answer_close;
    return LP_OK;
}

static void add_error(LpBuf *out, const LpDiag *error) {
    LpJsonOut json = {.out = out};
    lp_json_open(&json, NULL, '{');
    lp_json_put_bool(&json, "ok", false);
    lp_json_put_number(&json, "code", error->code);
    lp_json_put_text(&json, "kind", lp_err_text(error->code));
    lp_json_put_text(&json, "error", error->text);
    if (error->line > 0)
        lp_json_put_number(&json, "column", error->col);
    lp_json_end(&json);
}

void lp_gym_server_too_long(LpBuf *out) {
    LpDiag error;
    lp_fail(&error, LP_ELIMIT, "the request is too long: expected at most %d bytes on a line",
            LP_GYM_LINE_MAX);
    add_error(out, &error);
}

LpErr lp_gym_server_answer(LpGymServer *s, const char *line, size_t len, LpBuf *out, bool *go_on,
                           LpDiag *diag) {
    LpDiag error = {0};
    LpJson *doc = NULL;
    size_t before = out->len;
    *go_on = true;
    lp_arena_reset(s->request);
    if (s->lanes != NULL)
        lp_lanes_first(s->lanes);
    LpErr err = lp_json_parse("request", line, len, &doc, &error);
    if (err == LP_OK)
        err = serve(s, lp_json_root(doc), out, go_on, &error);
    lp_json_free(doc);
    if (err == LP_ENOMEM)
        return lp_fail_memory(diag, "an answer");
    if (err != LP_OK) {
        if (out->text != NULL) {
            out->len = before; /* what was begun is not said */
            out->text[before] = '\0';
        }
        add_error(out, &error);
    }
    return lp_buf_ok(out, diag);
}

/* ---- opening ---- */

static LpErr find_reward(const char *text, LpReward *out, LpDiag *diag) {
    int kind = text != NULL ? lp_reward_find(text) : LP_REWARD_JOB_ACCEPTANCE;
    char shown[80];
    if (kind < 0)
        return lp_fail(diag, LP_EINVAL, "the reward \"%s\" is unknown; expected a name such as %s",
                       lp_str_show(shown, sizeof shown, text),
                       lp_reward_name(LP_REWARD_JOB_ACCEPTANCE));
    *out = lp_reward_default((LpRewardKind)kind);
    return LP_OK;
}

static LpErr check_queue(const LpGymOpenSpec *spec, LpDiag *diag) {
    const char *queue = spec->queue;
    char shown[80];
    if (queue != NULL && strcmp(queue, "arrival") != 0 && strcmp(queue, "deadline") != 0)
        return lp_fail(diag, LP_EINVAL, "the order \"%s\" is unknown; expected arrival or deadline",
                       lp_str_show(shown, sizeof shown, queue));
    if (queue != NULL && !spec->waits)
        return lp_fail(diag, LP_EINVAL, "--queue orders jobs that wait: expected --wait, too");
    return LP_OK;
}

LpErr lp_gym_open_named(const LpGymOpenSpec *spec, LpGym **out, LpDiag *diag) {
    char path[LP_PATH_TEXT];
    LpGymSpec gym = {.session = spec->session, .waits = spec->waits};
    LP_TRY(find_reward(spec->reward, &gym.reward, diag));
    LP_TRY(check_queue(spec, diag));
    gym.earliest_first = spec->queue != NULL && strcmp(spec->queue, "deadline") == 0;
    const char *scenario = spec->session.scenario;
    if (access(scenario, F_OK) != 0 && lp_paths_scenario(scenario, path, sizeof path))
        gym.session.scenario = path;
    return lp_gym_open(&gym, out, diag);
}

/* ---- the server ---- */

static LpErr fill(LpGymServer *s, const LpGymServerSpec *spec, LpDiag *diag) {
    const LpContext *context = lp_session_context(lp_gym_session(s->gym));
    LP_TRY(lp_place_choice_read(spec->place, spec->places, &s->places, diag));
    if ((s->places.room = lp_place_room_new(context)) == NULL)
        return lp_fail_memory(diag, "an environment");
    LpPlacer placer = lp_place_choice_placer(&s->places);
    uint32_t degrees = lp_gym_degrees(s->gym);
    if (context->scenario->graphs > 0 && degrees <= LP_OBSERVE_DEGREES) {
        LP_TRY(lp_observer_new(context, s->encoding, degrees, &placer, &s->observer, diag));
        s->features = lp_observer_features(s->observer);
        if (lp_gym_wait(s->gym) != LP_NO_INDEX)
            s->features += LP_GYM_QUEUE_FEATURES;
    }
    s->request = lp_arena_new(0);
    s->mask = lp_alloc(lp_gym_actions(s->gym), sizeof *s->mask);
    s->feature = lp_alloc(s->features + 1, sizeof *s->feature);
    s->server = lp_alloc(context->fabric.servers, sizeof *s->server);
    if (!s->request || !s->mask || !s->feature || !s->server)
        return lp_fail_memory(diag, "an environment");
    return LP_OK;
}

static LpErr find_encoding(LpGymServer *s, const char *name, LpDiag *diag) {
    const LpScenario *scenario = lp_session_scenario(lp_gym_session(s->gym));
    char shown[80];
    int found = name != NULL ? lp_encoding_find(name)
                             : (scenario->semantics_published ? LP_ENCODING_PUBLISHED
                                                              : LP_ENCODING_CORRECTED);
    if (found < 0)
        return lp_fail(diag, LP_EINVAL, "the encoding \"%s\" is unknown; expected %s or %s",
                       lp_str_show(shown, sizeof shown, name),
                       lp_encoding_name(LP_ENCODING_PUBLISHED),
                       lp_encoding_name(LP_ENCODING_CORRECTED));
    s->encoding = (LpEncoding)found;
    s->next_seed = scenario->seed;
    return LP_OK;
}

LpErr lp_gym_server_new(LpGym *gym, const LpGymServerSpec *spec, LpGymServer **out, LpDiag *diag) {
    const LpGymServerSpec defaults = {0};
    LpGymServer *s = lp_alloc(1, sizeof *s);
    if (s == NULL) {
        lp_gym_close(gym);
        return lp_fail_memory(diag, "an environment");
    }
    s->gym = gym;
    spec = spec != NULL ? spec : &defaults;
    LpErr err = find_encoding(s, spec->encoding, diag);
    if (err == LP_OK)
        err = fill(s, spec, diag);
    if (err != LP_OK) {
        lp_gym_server_free(s);
        return err;
    }
    *out = s;
    return LP_OK;
}

void lp_gym_server_free(LpGymServer *s) {
    if (s == NULL)
        return;
    lp_lanes_free(s->lanes);
    for (size_t i = 0; i < s->saves; i++)
        lp_gym_state_free(s->saved[i]);
    lp_free(s->saved);
    lp_observer_free(s->observer);
    lp_place_room_free(s->places.room);
    lp_gym_close(s->gym);
    lp_arena_free(s->request);
    lp_free(s->mask);
    lp_free(s->feature);
    lp_free(s->server);
    lp_free(s);
}
