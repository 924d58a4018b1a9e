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
/* What a lane needs to go on. */
typedef struct Lane {
    uint64_t seed,
        next_seed;     /* of the episode that it is in (LP_LANE_STAYS: none yet), and of the next */
    bool begun;        /* is it in an episode? */
    LpGymState *state; /* of the lane at hand: no matter what */
} Lane;

struct LpLanes {
    LpGymServer *server;
    uint32_t count, actions, features;
    uint64_t
        stride; /* seeds from an episode that ends to the one that follows at once; 0: none does */
    uint32_t active, latest; /* lanes at hand, and whose memory is the newest */
    Lane *lane;
    void *block;        /* of `frame`; NULL: no frame has been answered yet */
    LpLaneArrays frame; /* what is told by frames */
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
    for (uint32_t i = 0; l->lane != NULL && i < l->count; i++)
        lp_gym_state_free(l->lane[i].state);
    lp_free(l->lane);
    lp_free(l->block);
    lp_free(l);
}

static LpErr fill(LpLanes *l, LpDiag *diag) {
    l->lane = lp_alloc(l->count, sizeof *l->lane);
    if (l->lane == NULL)
        return lp_fail_memory(diag, "episodes side by side");
    for (uint32_t i = 0; i < l->count; i++) {
        l->lane[i].seed = LP_LANE_STAYS;
        l->lane[i].next_seed = l->server->next_seed + i;
        LP_TRY(lp_gym_save(l->server->gym, &l->lane[i].state, diag));
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
    LpGymState *room = l->lane[lane].state;
    lp_gym_exchange(l->server->gym, room);
    l->lane[lane].state = l->lane[l->active].state;
    l->lane[l->active].state = room;
    l->active = lane;
}

void lp_lanes_first(LpLanes *l) {
    if (l->lane != NULL)
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

/* What is told of one lane, in the caller's arrays; NULL where an array is not wanted. */
typedef struct Row {
    double *reward, *sum, *blocking;
    uint64_t *seed;
    uint32_t *length, *job;
    int32_t *graph;
    float *feature;
    uint8_t *mask, *flags;
} Row;

/* The value of a number that is told, unless nobody wants it. */
#define TELL(pointer, value)                                                                       \
    do {                                                                                           \
        if ((pointer) != NULL)                                                                     \
            *(pointer) = (value);                                                                  \
    } while (0)

#define AT(pointer, index) ((pointer) != NULL ? (pointer) + (index) : NULL)

static Row row_of(const LpLanes *l, const LpLaneArrays *a, uint32_t lane) {
    return (Row){.reward = AT(a->reward, lane),
                 .sum = AT(a->sum, lane),
                 .blocking = AT(a->blocking, lane),
                 .seed = AT(a->seed, lane),
                 .length = AT(a->length, lane),
                 .job = AT(a->job, lane),
                 .graph = AT(a->graph, lane),
                 .feature = AT(a->feature, (size_t)lane * l->features),
                 .mask = AT(a->mask, (size_t)lane * l->actions),
                 .flags = AT(a->flags, lane)};
}

/* A row of a lane in which nothing was decided. */
static void clear(const Row *row) {
    TELL(row->flags, 0);
    TELL(row->reward, 0);
    TELL(row->length, 0);
    TELL(row->job, LP_NO_INDEX);
    TELL(row->sum, (double)NAN);
    TELL(row->blocking, (double)NAN);
}

static LpErr observe(LpLanes *l, uint32_t lane, const Row *row, LpDiag *diag) {
    LpGymServer *s = l->server;
    const LpWorld *world = lp_session_world(lp_gym_session(s->gym));
    uint32_t due = lp_gym_due(s->gym) ? lp_world_due(world) : LP_NO_INDEX, graph;
    bool seen = due != LP_NO_INDEX && s->observer != NULL && lp_world_job(world, due)->graph >= 0;
    TELL(row->seed, l->lane[lane].seed);
    TELL(row->graph, seen ? lp_world_job(world, due)->graph : -1);
    if (due == LP_NO_INDEX && row->flags != NULL)
        *row->flags |= LP_LANE_IDLE;
    if (row->mask != NULL)
        LP_TRY(lp_gym_mask(s->gym, row->mask, diag));
    if (row->feature == NULL)
        return LP_OK;
    if (!seen) {
        memset(row->feature, 0, l->features * sizeof *row->feature);
        return LP_OK;
    }
    LP_TRY(lp_gym_observe(s, &graph, diag));
    lp_observe_narrow(s->feature, l->features, row->feature);
    return LP_OK;
}

/* The lane's next episode. */
static LpErr begin(LpLanes *l, uint32_t lane, LpDiag *diag) {
    Lane *at = &l->lane[lane];
    uint64_t seed = at->next_seed;
    LP_TRY(lane == l->latest
               ? lp_gym_reset(l->server->gym, seed, diag)
               : lp_gym_reset_beside(l->server->gym, l->lane[l->latest].state, seed, diag));
    l->latest = lane;
    at->seed = seed;
    at->begun = true;
    at->next_seed = seed + l->stride;
    return LP_OK;
}

static LpErr end_episode(LpLanes *l, uint32_t lane, const Row *row, LpDiag *diag) {
    const LpGym *gym = l->server->gym;
    const LpSession *session = lp_gym_session(gym);
    TELL(row->sum, lp_gym_return(gym));
    TELL(row->length, (uint32_t)lp_gym_steps(gym));
    TELL(row->blocking,
         lp_metrics_blocking(lp_session_world(session), lp_session_context(session)));
    if (row->flags != NULL)
        *row->flags |= LP_LANE_DONE | (lp_gym_truncated(gym) ? LP_LANE_TRUNCATED : 0);
    return l->stride > 0 ? begin(l, lane, diag) : LP_OK;
}

static LpErr step_lane(LpLanes *l, uint32_t lane, uint32_t action, const Row *row, LpDiag *diag) {
    LpGym *gym = l->server->gym;
    LpGymAction answer = {.degree = action & ((1u << PLACE) - 1),
                          .place = (LpPlaceRule)(action >> PLACE)};
    LpGymStep result;
    go_to(l, lane);
    clear(row);
    if (!lp_gym_due(gym)) /* over, or nothing is ever decided in such a scenario */
        return observe(l, lane, row, diag);
    LP_TRY(lp_gym_step(gym, &answer, &result, diag));
    TELL(row->reward, result.reward);
    TELL(row->job, result.job);
    TELL(row->flags,
         (uint8_t)((result.outcome == LP_JOB_BLOCKED || result.late ? LP_LANE_BLOCKED : 0) |
                   (result.refused ? LP_LANE_MASKED : 0)));
    if (result.done)
        LP_TRY(end_episode(l, lane, row, diag));
    return observe(l, lane, row, diag);
}

static LpErr reset_lane(LpLanes *l, uint32_t lane, uint64_t seed, const Row *row, LpDiag *diag) {
    clear(row);
    go_to(l, lane);
    if (seed != LP_LANE_STAYS) {
        l->lane[lane].next_seed = seed;
        LP_TRY(begin(l, lane, diag));
    }
    return observe(l, lane, row, diag);
}

static LpErr check(const LpLanes *l, const uint32_t *action, LpDiag *diag) {
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t degree = action[i] & ((1u << PLACE) - 1), place = action[i] >> PLACE;
        if (degree >= l->actions)
            return lp_fail(diag, LP_ERANGE, "lane %u: action %u does not exist: expected 0..%u", i,
                           degree, l->actions - 1);
        if (place >= LP_PLACE_RULE_COUNT)
            return lp_fail(diag, LP_EINVAL, "lane %u: placement %u does not exist", i, place);
        if (!l->lane[i].begun)
            return lp_fail(diag, LP_ESTATE, "lane %u has no episode yet: expected a reset first",
                           i);
    }
    return LP_OK;
}

LpErr lp_lanes_reset(LpLanes *l, const uint64_t *seed, const LpLaneArrays *arrays, LpDiag *diag) {
    for (uint32_t i = 0; i < l->count; i++) {
        Row row = row_of(l, arrays, i);
        LP_TRY(reset_lane(l, i, seed[i], &row, diag));
    }
    return LP_OK;
}

/* Lanes are more than a processor's caches hold: memory is asked for a lane or two ahead. */
static void fetch_ahead(const LpLanes *l, uint32_t lane) {
    if (lane + 2 < l->count)
        lp_gym_state_fetch(l->lane[lane + 2].state, false);
    if (lane + 1 < l->count)
        lp_gym_state_fetch(l->lane[lane + 1].state, true);
}

LpErr lp_lanes_step(LpLanes *l, const uint32_t *action, const LpLaneArrays *arrays, LpDiag *diag) {
    LpErr err = LP_OK;
    LP_TRY(check(l, action, diag));
    lp_gym_mute(l->server->gym, true);
    for (uint32_t i = 0; i < l->count && err == LP_OK; i++) {
        fetch_ahead(l, i);
        Row row = row_of(l, arrays, i);
        err = step_lane(l, i, action[i], &row, diag);
    }
    lp_gym_mute(l->server->gym, false);
    return err;
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

/* Arrays behind which answers of frames are written; an action is read to the end of a seed. */
static LpErr prepare(LpLanes *l, uint64_t **numbers, LpDiag *diag) {
    size_t n = l->count, wide = 6 * 8 + 3 * 4, cells = 4 * (size_t)l->features + l->actions + 1;
    char *at = l->block;
    if (at == NULL && (at = lp_alloc(n, wide + cells)) == NULL)
        return lp_fail_memory(diag, "episodes side by side");
    l->block = at;
    *numbers = (void *)at;
    LpLaneArrays *f = &l->frame;
    f->reward = (void *)(at += 8 * n); /* the first 8 are the numbers */
    f->sum = (void *)(at += 8 * n);
    f->blocking = (void *)(at += 8 * n);
    f->seed = (void *)(at += 8 * n);
    f->length = (void *)(at += 8 * n);
    f->job = (void *)(at += 4 * n);
    f->graph = (void *)(at += 4 * n);
    f->feature = (void *)(at += 4 * n);
    f->mask = (void *)(at += 4 * n * l->features);
    f->flags = (void *)(at += n * l->actions);
    return LP_OK;
}

static LpErr play(LpLanes *l, const char *frame, bool steps, LpDiag *diag) {
    uint64_t count = get(frame + MAGIC, HEAD - MAGIC), *numbers = NULL;
    if (count != l->count)
        return lp_fail(diag, LP_EINVAL, "a frame for %llu lanes: expected %u",
                       (unsigned long long)count, l->count);
    LP_TRY(prepare(l, &numbers, diag));
    uint32_t *action = (uint32_t *)(void *)numbers;
    for (uint32_t i = 0; steps && i < l->count; i++)
        action[i] = (uint32_t)get(frame + HEAD + 4 * (size_t)i, 4);
    for (uint32_t i = 0; !steps && i < l->count; i++)
        numbers[i] = get(frame + HEAD + 8 * (size_t)i, 8);
    return steps ? lp_lanes_step(l, action, &l->frame, diag)
                 : lp_lanes_reset(l, numbers, &l->frame, diag);
}

#define COLUMN(value, bytes)                                                                       \
    for (uint32_t i = 0; i < l->count; i++)                                                        \
    put(out, (value), (bytes))

static void add_answer(const LpLanes *l, LpBuf *out) {
    const LpLaneArrays *f = &l->frame;
    lp_buf_add(out, ANSWER_MAGIC);
    put(out, row_bytes(l) * l->count, HEAD - MAGIC);
    for (uint32_t i = 0; i < l->count; i++)
        put_double(out, f->reward[i]);
    for (uint32_t i = 0; i < l->count; i++)
        put_double(out, f->sum[i]);
    for (uint32_t i = 0; i < l->count; i++)
        put_double(out, f->blocking[i]);
    COLUMN(f->seed[i], 8);
    COLUMN(f->length[i], 4);
    COLUMN(f->job[i], 4);
    COLUMN((uint32_t)f->graph[i], 4);
    for (size_t i = 0; i < (size_t)l->count * l->features; i++) {
        uint32_t bits;
        memcpy(&bits, &f->feature[i], sizeof bits);
        put(out, bits, 4);
    }
    lp_buf_add_bytes(out, (const char *)f->mask, (size_t)l->count * l->actions);
    COLUMN(f->flags[i], 1);
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
