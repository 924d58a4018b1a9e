/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of every run of the cluster clock, whatever is answered: nothing is held twice,
 * clones are independent and equal, the hash says what the world is and no more, and a log leads
 * back to the same world. */
#include <math.h>

#include "degrees.h"
#include "engine_case.h"
#include "group.h"
#include "history/log.h"
#include "session/session_impl.h"
#include "sim/state/image.h"
#include "sim/state/validate.h"

enum { CASES = 120, JOBS = 16, DEGREES = 12 };

/* ---- random work ---- */

static void add_job(EngineCase *c, LpBuf *out, double at) {
    if (engine_below(c, 5) == 0) {
        lp_buf_addf(out, "{ \"servers\": %u, \"duration\": %u, \"arrival\": %.17g }",
                    (unsigned)(1 + engine_below(c, c->servers)),
                    (unsigned)(1 + engine_below(c, 30)), at);
        return;
    }
    lp_buf_addf(out, "{ \"graph\": \"g\", \"arrival\": %.17g, \"steps\": %u", at,
                (unsigned)(1 + engine_below(c, 3)));
    if (engine_below(c, 3) == 0)
        lp_buf_addf(out, ", \"max_jct_fraction\": %.2f", 0.3 + 0.1 * engine_below(c, 8));
    lp_buf_add(out, " }");
}

/* Arrivals often coincide with each other and with completions. */
static LpSession *open_run(EngineCase *c, uint32_t seed, const char *stream) {
    LpBuf jobs = {0};
    double at = 0;
    engine_case_make(c, seed, stream);
    c->semantics = engine_below(c, 3) == 0 ? "published" : "corrected";
    bool horizon = engine_below(c, 3) == 0;
    lp_buf_add(&jobs, "[ ");
    for (uint32_t i = 0; i < JOBS; i++) {
        if (i > 0)
            lp_buf_add(&jobs, ", ");
        add_job(c, &jobs, at);
        at += engine_below(c, 8);
    }
    lp_buf_add(&jobs, " ]");
    LpSession *s = engine_case_open(c, lp_buf_text(&jobs),
                                    horizon ? "\"horizon\": 50, \"queue_capacity\": 3,\n" : NULL);
    lp_buf_fini(&jobs);
    return s;
}

/* Room for an answer. */
typedef struct Room {
    uint32_t ways[EC_OPS], server[EC_SERVERS], begin[EC_OPS + 1], part[EC_OPS * EC_SERVERS];
} Room;

static uint32_t pick(LpRng *rng, uint32_t n) {
    return (uint32_t)lp_rng_below(rng, n);
}

/* Mostly free servers, each once; sometimes not. */
static void random_servers(LpRng *rng, const LpWorld *w, uint32_t count, uint32_t *out) {
    uint32_t servers = lp_world_servers(w), at = pick(rng, servers);
    for (uint32_t i = 0, tries = 0; i < count; at = (at + 1) % servers)
        if (lp_world_server_free(w, at) || tries++ > servers || pick(rng, 200) == 0)
            out[i++] = at;
}

static void random_ways(LpRng *rng, const EngineCase *c, Room *room, LpAnswer *out) {
    for (uint32_t i = 0; i < c->ops; i++)
        room->ways[i] = pick(rng, 4);
    out->ways = room->ways;
}

static void random_parts(LpRng *rng, const EngineCase *c, const LpWorld *w, Room *room,
                         LpAnswer *out) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->ops; i++) {
        room->begin[i] = at;
        room->ways[i] = pick(rng, 2) ? 2 : 1;
        random_servers(rng, w, room->ways[i], room->part + at);
        at += room->ways[i];
    }
    room->begin[c->ops] = at;
    out->ways = room->ways;
    out->part_begin = room->begin;
    out->part_server = room->part;
}

static void random_run(LpRng *rng, const EngineCase *c, const LpWorld *w, const LpContext *context,
                       uint32_t job, Room *room, LpAnswer *out) {
    bool rigid = lp_world_job(w, job)->graph < 0;
    uint32_t degrees[DEGREES], kind = pick(rng, 8), need;
    uint32_t count = allowed_degrees(w, context, job, 0, degrees, DEGREES);
    out->degree = count > 0 && pick(rng, 8) ? degrees[pick(rng, count)] : 1 + pick(rng, DEGREES);
    out->order_ops = (LpOrder)pick(rng, LP_ORDER_COUNT);
    out->order_flows = (LpOrder)pick(rng, LP_ORDER_COUNT);
    out->has_partition_kind = pick(rng, 2) > 0;
    out->partition_kind = (LpPartitionKind)pick(rng, LP_PARTITION_KINDS);
    if (!rigid && kind == 0)
        random_ways(rng, c, room, out);
    if (!rigid && kind == 1)
        random_parts(rng, c, w, room, out);
    if (kind != 2)
        return;
    LpForecast f;
    assert_int_equal(lp_world_predict(w, context, job, out, &f, NULL), LP_OK);
    need = rigid ? lp_world_job(w, job)->asked.rigid_servers : f.partition_degree;
    if (need == 0 || need > c->servers)
        return;
    random_servers(rng, w, need, room->server);
    out->servers = need;
    out->server = room->server;
}

/* A function of the case, the job and how often it was asked: the same in every replay. */
static void random_answer(const EngineCase *c, const LpWorld *w, const LpContext *context,
                          Room *room, LpAnswer *out) {
    uint32_t job = lp_world_due(w);
    LpRng rng =
        lp_rng_stream(c->seed, "answer", (uint64_t)job * 1000 + lp_world_job(w, job)->offers);
    uint32_t what = pick(&rng, 10);
    *out = (LpAnswer){.kind = LP_ANSWER_RUN, .why = pick(&rng, 2) ? "because" : NULL};
    if (what == 0)
        out->kind = LP_ANSWER_DECLINE;
    else if (what < 4 && lp_world_job(w, job)->offers < 6)
        out->kind = LP_ANSWER_WAIT;
    else
        random_run(&rng, c, w, context, job, room, out);
    if (out->kind == LP_ANSWER_WAIT && pick(&rng, 2)) {
        out->has_retry = true;
        out->retry = 1 + pick(&rng, 6);
    }
}

/* ---- driving a world ---- */

/* One event. `decline`: answer nothing else. */
static void move(LpWorld *w, const LpContext *context, const EngineCase *c, bool decline) {
    LpEvent event;
    LpDiag diag = {0};
    LpErr err;
    if (lp_world_due(w) == LP_NO_INDEX) {
        err = lp_world_advance(w, context, &event, &diag);
    } else {
        Room room;
        LpAnswer answer = {.kind = LP_ANSWER_DECLINE};
        if (!decline)
            random_answer(c, w, context, &room, &answer);
        err = lp_world_decide(w, context, lp_world_due(w), &answer, &event, NULL, &diag);
    }
    if (err == LP_OK)
        err = lp_world_validate(w, context, &diag);
    if (err != LP_OK)
        fail_msg("seed %u: %s", (unsigned)c->seed, diag.text);
}

static uint32_t run_events(LpWorld *w, const LpContext *context, const EngineCase *c, bool decline,
                           uint32_t most) {
    uint32_t events = 0;
    for (; !lp_world_over(w) && events < most; events++)
        move(w, context, c, decline);
    return events;
}

static LpWorld *new_world(const LpContext *context, const EngineCase *c) {
    LpWorld *w = NULL;
    assert_int_equal(lp_world_new(context, c->seed, &w, NULL), LP_OK);
    return w;
}

/* ---- nothing is held twice ---- */

static void check_servers(const EngineCase *c, const LpWorld *w) {
    uint32_t held = 0, running = 0;
    for (uint32_t id = lp_world_first_running(w); id != LP_NO_INDEX;
         id = lp_world_next_running(w, id)) {
        const LpJob *job = lp_world_job(w, id);
        uint32_t count = 0;
        for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX;
             s = lp_world_server(w, s)->next) {
            ENGINE_CHECK(c, lp_world_server(w, s)->job == id && count < c->servers);
            count++;
        }
        ENGINE_CHECK(c, count == job->placed.servers && job->outcome == LP_JOB_RUNNING);
        held += count;
        running++;
    }
    uint32_t busy = 0, waiting = 0;
    for (uint32_t s = 0; s < c->servers; s++)
        busy += lp_world_server(w, s)->job != LP_NO_INDEX;
    for (uint32_t id = lp_world_first_waiting(w); id != LP_NO_INDEX;
         id = lp_world_next_waiting(w, id))
        waiting++;
    const LpTally *tally = lp_world_tally(w);
    bool deciding = lp_world_due(w) != LP_NO_INDEX;
    bool offered = deciding && lp_world_job(w, lp_world_due(w))->offers > 0;
    ENGINE_CHECK(c, busy == held && held + lp_world_free_servers(w) == c->servers);
    ENGINE_CHECK(c, tally->running == running && tally->waiting == waiting);
    ENGINE_CHECK(c, tally->arrived == running + waiting + tally->completed + tally->blocked +
                                          tally->unfinished + (deciding && !offered));
}

/* Who owns each wavelength of each subnet, from what the running jobs send. */
static void own_wave(const EngineCase *c, uint32_t *owner, uint32_t src, uint32_t dst,
                     uint32_t job) {
    uint32_t wave = (engine_group(c, src) * c->groups + engine_group(c, dst)) * c->per_rack +
                    engine_index(c, dst);
    ENGINE_CHECK(c, src == dst || owner[wave] == LP_NO_INDEX || owner[wave] == job);
    if (src != dst)
        owner[wave] = job;
}

static void own_waves(const EngineCase *c, const LpContext *context, const LpJob *job,
                      uint32_t *owner) {
    LpStepGraph g;
    LpTrace trace;
    if (job->placed.partition == LP_NO_INDEX)
        return;
    assert_int_equal(lp_store_trace(context, job->placed.partition, job->placed.placement,
                                    LP_RULES_SRPT, &g, &trace, NULL),
                     LP_OK);
    for (uint32_t i = 0; i < g.transfers; i++)
        if (g.flow[i])
            own_wave(c, owner, g.src[i], g.dst[i], job->id);
    for (uint32_t k = 0; k < g.collectives; k++)
        for (uint32_t a = g.member_begin[k]; a < g.member_begin[k + 1]; a++)
            for (uint32_t b = g.member_begin[k]; b < g.member_begin[k + 1]; b++)
                own_wave(c, owner, g.server_id[g.member[a]], g.server_id[g.member[b]], job->id);
    lp_trace_fini(&trace);
}

static void check_waves(const EngineCase *c, const LpContext *context, const LpWorld *w) {
    uint32_t owner[EC_SERVERS * EC_SERVERS];
    if (!c->ramp || c->isolated || lp_published(&context->scenario->options, LP_OPT_CIRCUITS))
        return;
    for (size_t i = 0; i < LP_COUNTOF(owner); i++)
        owner[i] = LP_NO_INDEX;
    for (uint32_t id = lp_world_first_running(w); id != LP_NO_INDEX;
         id = lp_world_next_running(w, id))
        own_waves(c, context, lp_world_job(w, id), owner);
}

static void nothing_is_held_twice(void **state) {
    (void)state;
    uint32_t causes[LP_CAUSE_COUNT] = {0};
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        EngineCase c;
        LpSession *s = open_run(&c, seed, "held");
        const LpContext *context = lp_session_context(s);
        LpWorld *w = new_world(context, &c);
        while (!lp_world_over(w)) {
            move(w, context, &c, false);
            check_servers(&c, w);
            check_waves(&c, context, w);
        }
        for (uint32_t i = 0; i < lp_world_jobs(w); i++)
            causes[lp_world_job(w, i)->cause]++;
        lp_world_free(w);
        lp_session_close(s);
        engine_case_free(&c);
    }
    /* the runs are worth it */
    assert_true(causes[LP_CAUSE_NONE] > CASES && causes[LP_CAUSE_NO_CIRCUIT] > 0);
    assert_true(causes[LP_CAUSE_NO_PLACEMENT] > 0 && causes[LP_CAUSE_DEADLINE] > 0);
    assert_true(causes[LP_CAUSE_REFUSED] > 0 && causes[LP_CAUSE_QUEUE_FULL] > 0);
}

/* ---- jobs are what they say ---- */

static void check_job(const EngineCase *c, const LpContext *context, const LpJob *job) {
    if (job->outcome != LP_JOB_COMPLETED) {
        ENGINE_CHECK(c, isnan(job->times.end));
        return;
    }
    ENGINE_CHECK(c, job->times.start >= job->asked.arrival && job->times.end >= job->times.start);
    ENGINE_CHECK(c, fabs(job->times.end - job->times.start - job->forecast.jct) <=
                        1e-6 * (1 + job->times.end));
    ENGINE_CHECK(c, job->times.wait == job->times.start - job->asked.arrival);
    bool strict = lp_published(&context->scenario->options, LP_OPT_DEADLINE);
    if (job->asked.fraction > 0 && !strict)
        ENGINE_CHECK(c, job->times.end - job->asked.arrival <= job->asked.max_jct * (1 + 2e-9));
    if (job->graph >= 0 && !job->cached) /* else another job's (Q16) */
        ENGINE_CHECK(c, job->forecast.jct == job->forecast.step_time * job->asked.steps);
}

static void completed_jobs_kept_their_forecast(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        EngineCase c;
        LpSession *s = open_run(&c, seed, "jobs");
        const LpContext *context = lp_session_context(s);
        LpWorld *w = new_world(context, &c);
        run_events(w, context, &c, false, UINT32_MAX);
        for (uint32_t i = 0; i < lp_world_jobs(w); i++)
            check_job(&c, context, lp_world_job(w, i));
        lp_world_free(w);
        lp_session_close(s);
        engine_case_free(&c);
    }
}

/* ---- what a forecast says, a decision does ---- */

static void check_forecast(const EngineCase *c, LpWorld *w, const LpContext *context) {
    Room room;
    LpAnswer answer;
    LpForecast f;
    LpEvent event;
    uint32_t id = lp_world_due(w), degrees[DEGREES];
    random_answer(c, w, context, &room, &answer);
    uint32_t count = allowed_degrees(w, context, id, 0, degrees, DEGREES);
    bool listed = false, plain = answer.ways == NULL && answer.servers == 0;
    for (uint32_t i = 0; i < count; i++)
        listed = listed || degrees[i] == answer.degree;
    if (answer.kind == LP_ANSWER_RUN)
        assert_int_equal(lp_world_predict(w, context, id, &answer, &f, NULL), LP_OK);
    assert_int_equal(lp_world_decide(w, context, id, &answer, &event, NULL, NULL), LP_OK);
    const LpJob *job = lp_world_job(w, id);
    if (answer.kind != LP_ANSWER_RUN)
        return;
    if (job->cause != LP_CAUSE_REFUSED)
        ENGINE_CHECK(c, (LpCause)job->cause == f.cause);
    if (job->outcome == LP_JOB_RUNNING)
        ENGINE_CHECK(c, f.feasible && job->times.forecast_end == f.finish &&
                            job->forecast.jct == f.jct);
    if (lp_published(&context->scenario->options, LP_OPT_MASK))
        return; /* it does not look at what is free */
    bool own_kind =
        !answer.has_partition_kind || answer.partition_kind == (LpPartitionKind)job->kind;
    if (job->graph >= 0 && plain && own_kind && f.cause != LP_CAUSE_NO_CIRCUIT)
        ENGINE_CHECK(c, listed == f.feasible);
}

static void decisions_follow_forecasts(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        EngineCase c;
        LpEvent event;
        LpSession *s = open_run(&c, seed, "forecast");
        const LpContext *context = lp_session_context(s);
        LpWorld *w = new_world(context, &c);
        while (!lp_world_over(w))
            if (lp_world_due(w) != LP_NO_INDEX)
                check_forecast(&c, w, context);
            else
                assert_int_equal(lp_world_advance(w, context, &event, NULL), LP_OK);
        lp_world_free(w);
        lp_session_close(s);
        engine_case_free(&c);
    }
}

/* ---- clones ---- */

/* Two clones of a world in the middle of its run, one of them into the block of a finished world;
 * the original then goes another way and is freed. */
static void check_clones(const EngineCase *c, const LpContext *context) {
    LpWorld *whole = new_world(context, c), *original = new_world(context, c);
    uint32_t events = run_events(whole, context, c, false, UINT32_MAX);
    uint64_t end = lp_world_hash(whole);
    LpRng rng = lp_rng_stream(c->seed, "clone", 0);
    run_events(original, context, c, false, pick(&rng, events));
    uint64_t middle = lp_world_hash(original);
    LpWorld *fresh = lp_world_clone(original, NULL), *used = lp_world_clone(original, whole);
    assert_true(fresh != NULL && used != NULL);
    ENGINE_CHECK(c, lp_world_hash(fresh) == middle && lp_world_hash(used) == middle);
    run_events(original, context, c, true, UINT32_MAX);
    lp_world_free(original);
    ENGINE_CHECK(c, lp_world_hash(fresh) == middle && lp_world_hash(used) == middle);
    run_events(fresh, context, c, false, UINT32_MAX);
    ENGINE_CHECK(c, lp_world_hash(used) == middle);
    run_events(used, context, c, false, UINT32_MAX);
    ENGINE_CHECK(c, lp_world_hash(fresh) == end && lp_world_hash(used) == end);
    lp_world_free(fresh);
    lp_world_free(used);
}

static void clones_are_independent_and_equal(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        EngineCase c;
        LpSession *s = open_run(&c, seed, "clones");
        check_clones(&c, lp_session_context(s));
        lp_session_close(s);
        engine_case_free(&c);
    }
}

/* ---- the hash ---- */

/* Makes room as if the pool of jobs had been full. */
static void grow(LpWorld *w) {
    uint32_t jobs = w->image->jobs, kept = w->image->kept, cap = w->image->jobs_cap;
    w->image->jobs += cap - kept;
    w->image->kept = cap;
    assert_int_equal(lp_image_reserve_change(w, 1), LP_OK);
    w->image->jobs = jobs;
    w->image->kept = kept;
    assert_true(w->image->jobs_cap > cap);
}

/* Neither the room of the pools nor what the store already holds counts; any event does. */
static void hashes_tell_worlds_apart(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        EngineCase c, same;
        LpSession *s = open_run(&c, seed, "hash"), *other = open_run(&same, seed, "hash");
        const LpContext *context = lp_session_context(s);
        LpWorld *small = new_world(context, &c), *large = new_world(context, &c);
        run_events(large, context, &c, true, UINT32_MAX);
        lp_world_free(large);
        large = new_world(lp_session_context(other), &c);
        uint64_t last = 0;
        while (!lp_world_over(small)) {
            uint64_t hash = lp_world_hash(small);
            ENGINE_CHECK(&c, hash == lp_world_hash(large) && hash != last);
            last = hash;
            move(small, context, &c, false);
            move(large, lp_session_context(other), &c, false);
            if (small->image->jobs % 5 == 1 && large->image->jobs_cap < 1000)
                grow(large);
        }
        ENGINE_CHECK(&c, lp_world_hash(small) == lp_world_hash(large));
        ENGINE_CHECK(&c, lp_world_bytes(small) < lp_world_bytes(large));
        lp_world_free(small);
        lp_world_free(large);
        lp_session_close(s);
        lp_session_close(other);
        engine_case_free(&c);
        engine_case_free(&same);
    }
}

/* ---- the log ---- */

static void answer_all(LpSession *s, const EngineCase *c) {
    LpEvent event;
    while (tiny_next(s) != LP_NO_INDEX) {
        Room room;
        LpAnswer answer;
        random_answer(c, lp_session_world(s), lp_session_context(s), &room, &answer);
        assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    }
}

static void replay(LpSession *s, const EngineCase *c, const LpLog *log) {
    LpAnswerRoom *room = lp_answer_room_new();
    LpDiag diag = {0};
    LpEvent event;
    assert_non_null(room);
    for (size_t at = 0; at < lp_log_count(log);) {
        LpAnswer answer;
        uint32_t job;
        if (lp_log_read_answer(log, at, room, &answer, &job, &at, &diag) != LP_OK)
            fail_msg("seed %u: %s", (unsigned)c->seed, diag.text);
        ENGINE_CHECK(c, tiny_next(s) == job);
        assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    }
    ENGINE_CHECK(c, tiny_next(s) == LP_NO_INDEX);
    lp_answer_room_free(room);
}

/* A session with random answers, and one that the engine decides itself. */
static void logs_lead_back(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        EngineCase c, same;
        LpSession *first = open_run(&c, seed, "log"), *second = open_run(&same, seed, "log");
        if (seed % 4 == 0)
            tiny_run(first);
        else
            answer_all(first, &c);
        replay(second, &c, first->log);
        ENGINE_CHECK(&c, lp_session_hash(first) == lp_session_hash(second));
        ENGINE_CHECK(&c, lp_log_hash(first->log) == lp_log_hash(second->log));
        lp_session_close(first);
        lp_session_close(second);
        engine_case_free(&c);
        engine_case_free(&same);
    }
}

TEST_GROUP(test_engine_world) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_held_twice),
        cmocka_unit_test(completed_jobs_kept_their_forecast),
        cmocka_unit_test(decisions_follow_forecasts),
        cmocka_unit_test(clones_are_independent_and_equal),
        cmocka_unit_test(hashes_tell_worlds_apart),
        cmocka_unit_test(logs_lead_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
