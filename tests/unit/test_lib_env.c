/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's interface: its episodes are those of frames to the last bit, whatever arrays are
 * wanted; what is wrong is refused with a sentence and changes nothing; two environments in one
 * process do not meet. */
#include "../tiny.h"
#include "group.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "lib/lightpath.h"
#include "many/train/gym_serve.h"

enum { LANES = 5, ROUNDS = 45, ACTIONS_MAX = 64, FEATURES_MAX = 512 };

/* What a game was like. */
typedef struct Setting {
    const char *scenario, *encoding, *place, *queue;
} Setting;

static const Setting SETTINGS[] = {
    {"scenarios/pac-ml-32.json", NULL, NULL, NULL},
    {"scenarios/pac-ml-32.json", "pac-ml", NULL, "deadline"},
    {"scenarios/pac-ml-32.json", "corrected", "best_fit", NULL},
    {"scenarios/published-32.json", NULL, NULL, NULL},
    {"scenarios/leaf-spine.json", NULL, NULL, NULL},
    {"scenarios/optics-vs-packets.json", NULL, NULL, "arrival"},
    {"scenarios/pod-64.json", NULL, NULL, NULL},
};
static const char *const SETS[] = {"generator.count=12"};

/* Arrays of the caller. */
typedef struct Room {
    float features[LANES * FEATURES_MAX];
    uint8_t mask[LANES * ACTIONS_MAX], flags[LANES], terminated[LANES], truncated[LANES];
    double reward[LANES], sum[LANES], blocking[LANES];
    uint32_t length[LANES], job[LANES];
    int32_t graph[LANES];
    uint64_t seed[LANES];
} Room;

static LightpathArrays all_of(Room *r) {
    return (LightpathArrays){sizeof(LightpathArrays),
                             r->features,
                             r->mask,
                             r->reward,
                             r->flags,
                             r->sum,
                             r->blocking,
                             r->length,
                             r->job,
                             r->graph,
                             r->seed,
                             r->terminated,
                             r->truncated};
}

static LightpathOptions options_of(const Setting *s) {
    return (LightpathOptions){.size = sizeof(LightpathOptions),
                              .scenario = s->scenario,
                              .lanes = LANES,
                              .sets = strstr(s->scenario, "pod") == NULL ? 1 : 0,
                              .set = SETS,
                              .stride = LANES,
                              .encoding = s->encoding,
                              .places = s->place != NULL ? 1 : 0,
                              .place = &s->place,
                              .queue = s->queue};
}

static LightpathEnv *open_env(const Setting *s, LightpathShape *shape) {
    LightpathOptions options = options_of(s);
    LightpathError error = {0};
    LightpathEnv *env;
    if (lightpath_open(&options, &env, &error) != LIGHTPATH_OK)
        fail_msg("%s", error.text);
    assert_int_equal(lightpath_shape(env, shape, NULL), LIGHTPATH_OK);
    assert_true(shape->actions <= ACTIONS_MAX && shape->features <= FEATURES_MAX);
    return env;
}

/* ---- frames ---- */

static LpGymServer *open_frames(const Setting *s) {
    LightpathOptions o = options_of(s);
    LpGymOpenSpec spec = {.session = {.scenario = s->scenario, .sets = o.sets, .set = SETS},
                          .waits = s->queue != NULL,
                          .queue = s->queue};
    LpGymServerSpec seen = {.encoding = s->encoding, .places = o.places, .place = &s->place};
    static const char ask[] = "{\"cmd\":\"frames\",\"lanes\":5,\"stride\":5}";
    LpGymServer *server = NULL;
    LpGym *gym;
    LpBuf out = {0};
    LpDiag diag = {0};
    bool go_on;
    if (lp_gym_open_named(&spec, &gym, &diag) != LP_OK ||
        lp_gym_server_new(gym, &seen, &server, &diag) != LP_OK ||
        lp_gym_server_answer(server, ask, strlen(ask), &out, &go_on, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    lp_buf_fini(&out);
    return server;
}

static void frame(LpGymServer *server, const char *magic, const void *numbers, size_t each,
                  LpBuf *out) {
    char text[8 + 8 * LANES] = "";
    uint32_t lanes = LANES;
    LpDiag diag;
    memcpy(text, magic, 4);
    memcpy(text + 4, &lanes, 4);
    memcpy(text + 8, numbers, each * LANES);
    lp_buf_clear(out);
    assert_int_equal(lp_gym_server_answer_frame(server, text, out, &diag), LP_OK);
    assert_memory_equal(out->text, "LPFa", 4);
}

static const char *same(const char *at, const void *own, size_t bytes) {
    assert_memory_equal(at, own, bytes);
    return at + bytes;
}

/* The columns of a frame are the caller's arrays, byte for byte (tests run on little-endian). */
static void compare(const LpBuf *out, const Room *r, const LightpathShape *shape) {
    const char *at = out->text + 8;
    at = same(at, r->reward, sizeof r->reward);
    at = same(at, r->sum, sizeof r->sum);
    at = same(at, r->blocking, sizeof r->blocking);
    at = same(at, r->seed, sizeof r->seed);
    at = same(at, r->length, sizeof r->length);
    at = same(at, r->job, sizeof r->job);
    at = same(at, r->graph, sizeof r->graph);
    at = same(at, r->features, sizeof *r->features * LANES * shape->features);
    at = same(at, r->mask, (size_t)LANES * shape->actions);
    at = same(at, r->flags, sizeof r->flags);
    assert_int_equal(at - out->text, out->len);
    for (int i = 0; i < LANES; i++) {
        bool done = r->flags[i] & LIGHTPATH_DONE, cut = r->flags[i] & LIGHTPATH_TRUNCATED;
        assert_int_equal(r->terminated[i], done && !cut);
        assert_int_equal(r->truncated[i], cut);
    }
}

/* One that the mask allows; now and then one that it does not. */
static uint32_t choose(const Room *r, const LightpathShape *shape, int lane, LpRng *rng) {
    uint32_t first = (uint32_t)lp_rng_below(rng, shape->actions);
    for (uint32_t i = 0; i < shape->actions && lp_rng_below(rng, 9) > 0; i++) {
        uint32_t action = (first + i) % shape->actions;
        if (r->mask[(size_t)lane * shape->actions + action])
            return action;
    }
    return first;
}

static void test_same_as_frames(void **state) {
    static Room r;
    (void)state;
    for (size_t s = 0; s < LP_COUNTOF(SETTINGS); s++) {
        LightpathShape shape;
        LightpathEnv *env = open_env(&SETTINGS[s], &shape);
        LpGymServer *server = open_frames(&SETTINGS[s]);
        LightpathArrays arrays = all_of(&r);
        LpRng rng = lp_rng_stream(s, "library", 0);
        uint64_t seed[LANES] = {3, 4, 5, 6, UINT64_C(1) << 60};
        uint32_t action[LANES], ends = 0;
        LpBuf out = {0};
        assert_int_equal(lightpath_reset(env, seed, LANES, &arrays, NULL), LIGHTPATH_OK);
        frame(server, "LPFr", seed, 8, &out);
        compare(&out, &r, &shape);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < LANES; i++) {
                action[i] = choose(&r, &shape, i, &rng);
                if (round % 7 == 6 && action[i] != shape.wait)
                    action[i] |= (uint32_t)lp_rng_below(&rng, 4) << 16;
            }
            if (round == 20) { /* two lanes begin anew, the others are told of */
                seed[0] = seed[2] = seed[3] = LIGHTPATH_STAY;
                assert_int_equal(lightpath_reset(env, seed, LANES, &arrays, NULL), LIGHTPATH_OK);
                frame(server, "LPFr", seed, 8, &out);
            } else {
                assert_int_equal(lightpath_step(env, action, LANES, &arrays, NULL), LIGHTPATH_OK);
                frame(server, "LPFs", action, 4, &out);
            }
            compare(&out, &r, &shape);
            for (int i = 0; i < LANES; i++)
                ends += r.flags[i] & LIGHTPATH_DONE;
        }
        assert_true(ends > 0 || options_of(&SETTINGS[s]).sets == 0);
        lp_buf_fini(&out);
        lp_gym_server_free(server);
        lightpath_close(env);
    }
}

/* What is not wanted changes nothing of the rest; no array at all will do. */
static void test_wanted(void **state) {
    static Room all, some;
    LightpathShape shape;
    LightpathEnv *one = open_env(&SETTINGS[0], &shape), *two = open_env(&SETTINGS[0], &shape);
    LightpathArrays every = all_of(&all), few = {.size = sizeof few};
    uint64_t seed[LANES] = {9, 8, 7, 6, 5};
    (void)state;
    memset(&some, 0x5a, sizeof some);
    assert_int_equal(lightpath_reset(one, seed, LANES, &every, NULL), LIGHTPATH_OK);
    assert_int_equal(lightpath_reset(two, seed, LANES, &few, NULL), LIGHTPATH_OK);
    for (int round = 0; round < 30; round++) {
        uint32_t action[LANES];
        for (int i = 0; i < LANES; i++)
            action[i] = (uint32_t)(round + i) % 9;
        few = (LightpathArrays){.size = sizeof few};
        if (round % 3 == 0)
            few.features = some.features;
        if (round % 3 == 1)
            few.mask = some.mask, few.terminated = some.terminated;
        if (round % 3 == 2)
            few.reward = some.reward, few.sum = some.sum;
        assert_int_equal(lightpath_step(one, action, LANES, &every, NULL), LIGHTPATH_OK);
        assert_int_equal(lightpath_step(two, action, LANES, &few, NULL), LIGHTPATH_OK);
        size_t features = sizeof(float) * LANES * shape.features;
        if (few.features != NULL)
            assert_memory_equal(all.features, some.features, features);
        if (few.mask != NULL)
            assert_memory_equal(all.mask, some.mask, (size_t)LANES * shape.actions);
        if (few.terminated != NULL)
            assert_memory_equal(all.terminated, some.terminated, sizeof all.terminated);
        if (few.reward != NULL)
            assert_memory_equal(all.reward, some.reward, sizeof all.reward);
        if (few.sum != NULL)
            assert_memory_equal(all.sum, some.sum, sizeof all.sum);
    }
    assert_int_equal(some.job[0], 0x5a5a5a5a); /* nobody wanted it */
    /* a caller of an older interface knows fewer arrays */
    memset(&some, 0x5a, sizeof some);
    few = all_of(&some);
    few.size = offsetof(LightpathArrays, terminated);
    assert_int_equal(lightpath_reset(two, seed, LANES, &few, NULL), LIGHTPATH_OK);
    assert_int_equal(some.terminated[0], 0x5a);
    assert_int_equal(some.seed[1], 8);
    lightpath_close(one);
    lightpath_close(two);
}

/* ---- what is wrong ---- */

static void expect(int code, int wanted, const LightpathError *error, const char *word) {
    assert_int_equal(code, wanted);
    assert_int_equal(error->code, wanted);
    if (strstr(error->text, word) == NULL)
        fail_msg("\"%s\" is not in: %s", word, error->text);
}

static void test_bad_options(void **state) {
    static const char *const wrong_set[] = {"generator.count=many"}, *const null_set[] = {NULL};
    LightpathOptions good = options_of(&SETTINGS[0]), o;
    LightpathEnv *env = (void *)&good;
    LightpathError e;
    (void)state;
#define REFUSED(code, word, change)                                                                \
    do {                                                                                           \
        o = good;                                                                                  \
        change;                                                                                    \
        expect(lightpath_open(&o, &env, &e), code, &e, word);                                      \
        assert_null(env);                                                                          \
    } while (0)
    REFUSED(LIGHTPATH_EINVAL, "size", o.size = 0);
    REFUSED(LIGHTPATH_EINVAL, "scenario is NULL", o.scenario = NULL);
    REFUSED(5, "nothing.json", o.scenario = "nothing.json");
    REFUSED(LIGHTPATH_ERANGE, "expected 1..4096", o.lanes = 4097);
    REFUSED(LIGHTPATH_EINVAL, "list is NULL", o.set = NULL);
    REFUSED(LIGHTPATH_EINVAL, "an entry that is NULL", o.set = null_set);
    REFUSED(LIGHTPATH_EINVAL, "count", o.set = wrong_set);
    REFUSED(LIGHTPATH_EINVAL, "reward \"gold\" is unknown", o.reward = "gold");
    REFUSED(LIGHTPATH_EINVAL, "encoding \"runes\" is unknown", o.encoding = "runes");
    REFUSED(LIGHTPATH_EINVAL, "order \"shuffled\" is unknown", o.queue = "shuffled");
    REFUSED(LIGHTPATH_EINVAL, "no time", o.until = -1);
    REFUSED(LIGHTPATH_EINVAL, "no time", o.until = (double)NAN);
    expect(lightpath_open(NULL, &env, &e), LIGHTPATH_EINVAL, &e, "NULL");
    expect(lightpath_open(&good, NULL, &e), LIGHTPATH_EINVAL, &e, "NULL");
    assert_int_equal(lightpath_open(NULL, NULL, NULL), LIGHTPATH_EINVAL);
    lightpath_close(NULL);
    assert_string_equal(lightpath_error_name(LIGHTPATH_ERANGE), "value out of range");
    assert_non_null(lightpath_error_name(-7));
    assert_int_equal(lightpath_api_version(), LIGHTPATH_API_VERSION);
}

static void test_bad_calls(void **state) {
    static Room r, before;
    LightpathShape shape;
    LightpathEnv *env = open_env(&SETTINGS[0], &shape);
    LightpathArrays arrays = all_of(&r);
    LightpathError e;
    uint64_t seed[LANES] = {1, 2, 3, 4, 5};
    uint32_t action[LANES] = {4, 4, 4, 4, 4};
    (void)state;
    expect(lightpath_shape(NULL, &shape, &e), LIGHTPATH_EINVAL, &e, "NULL");
    expect(lightpath_shape(env, NULL, &e), LIGHTPATH_EINVAL, &e, "NULL");
    expect(lightpath_step(env, action, LANES, &arrays, &e), LIGHTPATH_ESTATE, &e, "reset first");
    expect(lightpath_reset(NULL, seed, LANES, &arrays, &e), LIGHTPATH_EINVAL, &e, "NULL");
    expect(lightpath_reset(env, NULL, LANES, &arrays, &e), LIGHTPATH_EINVAL, &e, "NULL");
    expect(lightpath_reset(env, seed, LANES - 1, &arrays, &e), LIGHTPATH_EINVAL, &e, "as long");
    expect(lightpath_reset(env, seed, LANES, NULL, &e), LIGHTPATH_EINVAL, &e, "arrays");
    assert_int_equal(lightpath_reset(env, seed, LANES, &arrays, &e), LIGHTPATH_OK);
    assert_int_equal(lightpath_step(env, action, LANES, &arrays, &e), LIGHTPATH_OK);
    before = r;
    expect(lightpath_step(env, NULL, LANES, &arrays, &e), LIGHTPATH_EINVAL, &e, "NULL");
    expect(lightpath_step(env, action, LANES + 1, &arrays, &e), LIGHTPATH_EINVAL, &e, "as long");
    expect(lightpath_step(env, action, LANES, NULL, &e), LIGHTPATH_EINVAL, &e, "arrays");
    action[4] = shape.actions;
    expect(lightpath_step(env, action, LANES, &arrays, &e), LIGHTPATH_ERANGE, &e,
           "lane 4: action 17 does not exist: expected 0..16");
    action[4] = UINT32_MAX;
    assert_int_equal(lightpath_step(env, action, LANES, &arrays, NULL), LIGHTPATH_ERANGE);
    action[4] = 4 | 4u << 16;
    expect(lightpath_step(env, action, LANES, &arrays, &e), LIGHTPATH_EINVAL, &e, "placement 4");
    arrays.size = 3;
    expect(lightpath_step(env, action, LANES, &arrays, &e), LIGHTPATH_EINVAL, &e, "size");
    assert_memory_equal(&r, &before, sizeof r);
    /* nothing of it has changed the episodes */
    arrays.size = sizeof arrays;
    for (int i = 0; i < LANES; i++)
        seed[i] = LIGHTPATH_STAY;
    assert_int_equal(lightpath_reset(env, seed, LANES, &arrays, &e), LIGHTPATH_OK);
    assert_memory_equal(r.features, before.features, sizeof r.features);
    assert_memory_equal(r.mask, before.mask, sizeof r.mask);
    lightpath_close(env);
}

static const char *ask(LightpathEnv *env, const char *request) {
    const char *answer = NULL;
    size_t len = 0;
    assert_int_equal(lightpath_ask(env, request, strlen(request), &answer, &len, NULL), 0);
    assert_int_equal(strlen(answer), len);
    assert_int_equal(answer[len - 1], '\n');
    return answer;
}

static void test_requests(void **state) {
    static Room r;
    static char big[(1 << 20) + 9];
    LightpathShape shape;
    LightpathEnv *env = open_env(&SETTINGS[0], &shape);
    LightpathArrays arrays = all_of(&r);
    LightpathError e;
    uint64_t seed[LANES] = {1, 2, 3, 4, 5};
    const char *answer;
    size_t len;
    (void)state;
    assert_non_null(strstr(ask(env, "{\"cmd\":\"spec\"}"), "\"scenario\":\"pac-ml-32\""));
    assert_non_null(strstr(ask(env, "{\"cmd\":\"graphs\"}"), "\"model\":\"gnmt\""));
    assert_non_null(strstr(ask(env, "nonsense"), "{\"ok\":false"));
    assert_non_null(strstr(ask(env, ""), "{\"ok\":false"));
    assert_non_null(strstr(ask(env, "{\"cmd\":\"frames\",\"lanes\":2}"), "chosen when"));
    assert_non_null(strstr(ask(env, "{\"cmd\":\"close\"}"), "{\"ok\":true"));
    assert_int_equal(lightpath_reset(env, seed, LANES, &arrays, &e), LIGHTPATH_OK);
    assert_non_null(strstr(ask(env, "{\"cmd\":\"summary\"}"), "\"steps\":0"));
    assert_non_null(strstr(ask(env, "{\"cmd\":\"predict\",\"action\":4}"), "\"feasible\":true"));
    memset(big, ' ', sizeof big - 1);
    assert_non_null(strstr(ask(env, big), "too long"));
    expect(lightpath_ask(env, NULL, 0, &answer, &len, &e), LIGHTPATH_EINVAL, &e, "NULL");
    expect(lightpath_ask(env, "", 0, NULL, &len, &e), LIGHTPATH_EINVAL, &e, "NULL");
    expect(lightpath_ask(NULL, "", 0, &answer, &len, &e), LIGHTPATH_EINVAL, &e, "NULL");
    lightpath_close(env);
}

/* Two environments in turns, of different scenarios, are as each by itself. */
static void test_two(void **state) {
    static Room alone[2], r;
    static const size_t OF[2] = {0, 3};
    LightpathEnv *env[2];
    LightpathShape shape[2];
    uint64_t seed[LANES] = {11, 12, 13, 14, 15};
    uint32_t action[LANES] = {8, 4, 2, 1, 16};
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        for (int k = 0; k < 2; k++) {
            LightpathArrays arrays = all_of(turns == 0 ? &alone[k] : &r);
            env[k] = open_env(&SETTINGS[OF[k]], &shape[k]);
            assert_int_equal(lightpath_reset(env[k], seed, LANES, &arrays, NULL), 0);
            for (int i = 0; turns == 0 && i < 20; i++)
                assert_int_equal(lightpath_step(env[k], action, LANES, &arrays, NULL), 0);
            if (turns == 0)
                lightpath_close(env[k]);
        }
    }
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 2; k++) {
            LightpathArrays arrays = all_of(&r);
            assert_int_equal(lightpath_step(env[k], action, LANES, &arrays, NULL), 0);
            if (i == 19) {
                assert_memory_equal(r.features, alone[k].features,
                                    sizeof(float) * LANES * shape[k].features);
                assert_memory_equal(r.reward, alone[k].reward, sizeof r.reward);
                assert_memory_equal(r.seed, alone[k].seed, sizeof r.seed);
            }
        }
    lightpath_close(env[0]);
    lightpath_close(env[1]);
}

TEST_GROUP(test_lib_env) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_frames), cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_bad_options),    cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_requests),       cmocka_unit_test(test_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
