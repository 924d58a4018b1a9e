/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many episodes side by side, spoken to by frames of bytes instead of lines: docs/env.md, "Frames".
 * Little-endian, columns one after the other, those of the widest numbers first, so that a client
 * can lay arrays over an answer as it came. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "many/train/gym_serve_impl.h"
#include "sim/facts/metrics.h"
#include "sim/world.h"

/* HEAD: magic and a number. PLACE: bits of an action before its rule of placement. */
enum { HEAD = 8, MAGIC = 4, PLACE = 16 };
#define STEP_MAGIC "LPFs"
#define RESET_MAGIC "LPFr"
#define ANSWER_MAGIC "LPFa"
#define ERROR_MAGIC "LPFe"
#define STAY UINT64_MAX /* instead of a seed */

/* Bits of a lane's flags. */
enum { DONE = 1, TRUNCATED = 2, BLOCKED = 4, MASKED = 8, IDLE = 16 };

/* What is told of a lane after a frame. */
typedef struct LaneStep {
    double reward, sum, blocking; /* the last two of an episode that ended, else NAN */
    uint64_t seed;                /* of the episode that it is in */
    bool begun;                   /* is it in an episode? */
    uint32_t length, job;         /* steps of the episode that ended, and the decided job */
    int32_t graph;
    uint8_t flags;
} LaneStep;

struct LpLanes {
    LpGymServer *server;
    uint32_t count, actions, features;
    uint64_t
        stride; /* seeds from an episode that ends to the one that follows at once; 0: none does */
    uint32_t active, latest; /* lanes at hand, and whose memory is the newest */
    LpGymState **state;      /* of the active one: no matter what */
    uint64_t *next_seed;
    LaneStep *step;
    float *feature; /* count x features */
    uint8_t *mask;  /* count x actions */
};

/* ---- little-endian ---- */

static void put(LpBuf *out, uint64_t value, size_t bytes) {
    char text[8];
    for (size_t i = 0; i < bytes; i++)
        text[i] = (char)(unsigned char)(value >> 8 * i);
    lp_buf_add_bytes(out, text, bytes);
}

static void put_double(LpBuf *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits, sizeof bits);
}

static uint64_t get(const char *at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)at[i] << 8 * i;
    return value;
}

/* ---- lanes ---- */

void lp_lanes_free(LpLanes *l) {
    if (l == NULL)
        return;
    lp_lanes_first(l);
    for (uint32_t i = 0; l->state != NULL && i < l->count; i++)
        lp_gym_state_free(l->state[i]);
    lp_free(l->state);
    lp_free(l->next_seed);
    lp_free(l->step);
    lp_free(l->feature);
    lp_free(l->mask);
    lp_free(l);
}

static LpErr fill(LpLanes *l, LpDiag *diag) {
    l->state = lp_alloc(l->count, sizeof *l->state);
    l->next_seed = lp_alloc(l->count, sizeof *l->next_seed);
    l->step = lp_alloc(l->count, sizeof *l->step);
    l->feature = lp_alloc((size_t)l->count * l->features + 1, sizeof *l->feature);
    l->mask = lp_alloc((size_t)l->count * l->actions, sizeof *l->mask);
    if (!l->state || !l->next_seed || !l->step || !l->feature || !l->mask)
        return lp_fail_memory(diag, "episodes side by side");
    for (uint32_t i = 0; i < l->count; i++) {
        l->step[i].seed = STAY;
        l->next_seed[i] = l->server->next_seed + i;
        LP_TRY(lp_gym_save(l->server->gym, &l->state[i], diag));
    }
    return LP_OK;
}

LpErr lp_lanes_new(LpGymServer *server, uint32_t count, uint64_t stride, LpLanes **out,
                   LpDiag *diag) {
    LpLanes *l = lp_alloc(1, sizeof *l);
    if (l == NULL)
        return lp_fail_memory(diag, "episodes side by side");
    l->server = server;
    l->count = count;
    l->stride = stride;
    l->actions = lp_gym_actions(server->gym);
    l->features = server->features;
    LpErr err = fill(l, diag);
    if (err != LP_OK) {
        lp_lanes_free(l);
        return err;
    }
    *out = l;
    return LP_OK;
}

/* The state of the lane at hand is where that of the next one was. */
static void go_to(LpLanes *l, uint32_t lane) {
    if (lane == l->active)
        return;
    LpGymState *room = l->state[lane];
    lp_gym_exchange(l->server->gym, room);
    l->state[lane] = l->state[l->active];
    l->state[l->active] = room;
    l->active = lane;
}

void lp_lanes_first(LpLanes *l) {
    if (l->state != NULL)
        go_to(l, 0);
}

static size_t row_bytes(const LpLanes *l) {
    return 4 * 8 + 3 * 4 + 4 * (size_t)l->features + l->actions + 1;
}

void lp_lanes_describe(const LpLanes *l, LpJsonOut *out) {
    static const char *const column[] = {"reward f8", "return f8", "blocking f8", "seed u8",
                                         "length u4", "job u4",    "graph i4",    "features f4",
                                         "mask u1",   "flags u1"};
    lp_json_put_number(out, "lanes", l->count);
    lp_json_put_number(out, "actions", l->actions);
    lp_json_put_number(out, "features", l->features);
    lp_json_put_number(out, "row_bytes", (double)row_bytes(l));
    lp_json_open(out, "columns", '[');
    for (size_t i = 0; i < LP_COUNTOF(column); i++)
        lp_json_put_text(out, NULL, column[i]);
    lp_json_close(out, ']');
}

/* ---- playing ---- */

static LpErr observe(LpLanes *l, uint32_t lane, LpDiag *diag) {
    LpGymServer *s = l->server;
    const LpSession *session = lp_gym_session(s->gym);
    const LpWorld *world = lp_session_world(session);
    float *feature = l->feature + (size_t)lane * l->features;
    uint32_t due = lp_gym_due(s->gym) ? lp_world_due(world) : LP_NO_INDEX, graph;
    LP_TRY(lp_gym_mask(s->gym, l->mask + (size_t)lane * l->actions, diag));
    l->step[lane].graph = -1;
    for (uint32_t i = 0; i < l->features; i++)
        feature[i] = 0;
    if (due == LP_NO_INDEX)
        l->step[lane].flags |= IDLE;
    if (due == LP_NO_INDEX || s->observer == NULL || lp_world_job(world, due)->graph < 0)
        return LP_OK;
    LP_TRY(lp_gym_observe(s, &graph, diag));
    for (uint32_t i = 0; i < l->features; i++)
        feature[i] = (float)s->feature[i];
    l->step[lane].graph = (int32_t)graph;
    return LP_OK;
}

/* The lane's next episode. */
static LpErr begin(LpLanes *l, uint32_t lane, LpDiag *diag) {
    uint64_t seed = l->next_seed[lane];
    LP_TRY(lane == l->latest
               ? lp_gym_reset(l->server->gym, seed, diag)
               : lp_gym_reset_beside(l->server->gym, l->state[l->latest], seed, diag));
    l->latest = lane;
    l->step[lane].seed = seed;
    l->step[lane].begun = true;
    l->next_seed[lane] = seed + l->stride;
    return LP_OK;
}

static LpErr end_episode(LpLanes *l, uint32_t lane, LpDiag *diag) {
    LaneStep *step = &l->step[lane];
    const LpGym *gym = l->server->gym;
    const LpSession *session = lp_gym_session(gym);
    LpSummary summary;
    LP_TRY(
        lp_metrics_summary(lp_session_world(session), lp_session_context(session), &summary, diag));
    step->sum = lp_gym_return(gym);
    step->length = (uint32_t)lp_gym_steps(gym);
    step->blocking = summary.blocking_rate;
    step->flags |= DONE | (lp_gym_truncated(gym) ? TRUNCATED : 0);
    return l->stride > 0 ? begin(l, lane, diag) : LP_OK;
}

static void clear(LpLanes *l, uint32_t lane) {
    LaneStep *step = &l->step[lane];
    step->flags = 0;
    step->reward = 0;
    step->length = 0;
    step->job = LP_NO_INDEX;
    step->sum = step->blocking = (double)NAN;
}

static LpErr step_lane(LpLanes *l, uint32_t lane, uint32_t action, LpDiag *diag) {
    LaneStep *step = &l->step[lane];
    LpGym *gym = l->server->gym;
    LpGymAction answer = {.degree = action & ((1u << PLACE) - 1),
                          .place = (LpPlaceRule)(action >> PLACE)};
    LpGymStep result;
    go_to(l, lane);
    clear(l, lane);
    if (!lp_gym_due(gym)) /* over, or nothing is ever decided in such a scenario */
        return observe(l, lane, diag);
    LP_TRY(lp_gym_step(gym, &answer, &result, diag));
    step->reward = result.reward;
    step->job = result.job;
    step->flags = (uint8_t)((result.outcome == LP_JOB_BLOCKED || result.late ? BLOCKED : 0) |
                            (result.refused ? MASKED : 0));
    if (result.done)
        LP_TRY(end_episode(l, lane, diag));
    return observe(l, lane, diag);
}

static LpErr reset_lane(LpLanes *l, uint32_t lane, uint64_t seed, LpDiag *diag) {
    clear(l, lane);
    if (seed != STAY) {
        go_to(l, lane);
        l->next_seed[lane] = seed;
        LP_TRY(begin(l, lane, diag));
    }
    go_to(l, lane);
    return observe(l, lane, diag);
}

/* ---- frames ---- */

static bool is_frame(const char *at, size_t len, const char *magic) {
    return memcmp(at, magic, len < MAGIC ? len : MAGIC) == 0;
}

size_t lp_gym_server_frame(const LpGymServer *s, const char *at, size_t len) {
    if (s->lanes == NULL)
        return 0;
    bool steps = is_frame(at, len, STEP_MAGIC), resets = is_frame(at, len, RESET_MAGIC);
    if (!steps && !resets)
        return 0;
    if (len < HEAD)
        return HEAD;
    /* As long as the frame itself says: who is wrong about the number of lanes gets an answer, and
     * what comes next is read from where it begins. */
    uint64_t count = get(at + MAGIC, HEAD - MAGIC);
    return count <= LP_GYM_LANES_MAX ? HEAD + (steps ? 4 : 8) * (size_t)count : HEAD;
}

static LpErr check(const LpLanes *l, const char *frame, bool steps, LpDiag *diag) {
    uint64_t count = get(frame + MAGIC, HEAD - MAGIC);
    if (count != l->count)
        return lp_fail(diag, LP_EINVAL, "a frame for %llu lanes: expected %u",
                       (unsigned long long)count, l->count);
    for (uint32_t i = 0; steps && i < l->count; i++) {
        uint32_t action = (uint32_t)get(frame + HEAD + 4 * (size_t)i, 4);
        uint32_t degree = action & ((1u << PLACE) - 1), place = action >> PLACE;
        if (degree >= l->actions)
            return lp_fail(diag, LP_ERANGE, "lane %u: action %u does not exist: expected 0..%u", i,
                           degree, l->actions - 1);
        if (place >= LP_PLACE_RULE_COUNT)
            return lp_fail(diag, LP_EINVAL, "lane %u: placement %u does not exist", i, place);
        if (!l->step[i].begun)
            return lp_fail(diag, LP_ESTATE, "lane %u has no episode yet: expected a reset first",
                           i);
    }
    return LP_OK;
}

static LpErr play(LpLanes *l, const char *frame, bool steps, LpDiag *diag) {
    LP_TRY(check(l, frame, steps, diag));
    for (uint32_t i = 0; i < l->count; i++) {
        const char *at = frame + HEAD + (steps ? 4 : 8) * (size_t)i;
        LP_TRY(steps ? step_lane(l, i, (uint32_t)get(at, 4), diag)
                     : reset_lane(l, i, get(at, 8), diag));
    }
    return LP_OK;
}

#define COLUMN(value, bytes)                                                                       \
    for (uint32_t i = 0; i < l->count; i++)                                                        \
    put(out, (value), (bytes))

static void add_answer(const LpLanes *l, LpBuf *out) {
    const LaneStep *step = l->step;
    lp_buf_add(out, ANSWER_MAGIC);
    put(out, row_bytes(l) * l->count, HEAD - MAGIC);
    for (uint32_t i = 0; i < l->count; i++)
        put_double(out, step[i].reward);
    for (uint32_t i = 0; i < l->count; i++)
        put_double(out, step[i].sum);
    for (uint32_t i = 0; i < l->count; i++)
        put_double(out, step[i].blocking);
    COLUMN(step[i].seed, 8);
    COLUMN(step[i].length, 4);
    COLUMN(step[i].job, 4);
    COLUMN((uint32_t)step[i].graph, 4);
    for (size_t i = 0; i < (size_t)l->count * l->features; i++) {
        uint32_t bits;
        memcpy(&bits, &l->feature[i], sizeof bits);
        put(out, bits, 4);
    }
    lp_buf_add_bytes(out, (const char *)l->mask, (size_t)l->count * l->actions);
    COLUMN(step[i].flags, 1);
}

LpErr lp_gym_server_answer_frame(LpGymServer *s, const char *frame, LpBuf *out, LpDiag *diag) {
    LpDiag error = {0};
    LpErr err = play(s->lanes, frame, is_frame(frame, MAGIC, STEP_MAGIC), &error);
    if (err == LP_ENOMEM)
        return lp_fail_memory(diag, "an answer");
    if (err == LP_OK) {
        add_answer(s->lanes, out);
    } else {
        lp_buf_add(out, ERROR_MAGIC);
        put(out, strlen(error.text), HEAD - MAGIC);
        lp_buf_add(out, error.text);
    }
    return lp_buf_ok(out, diag);
}
