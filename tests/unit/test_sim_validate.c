/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lp_world_validate: worlds that the engine makes are in order, and whatever is wrong with one is
 * named. Each row of the tables breaks one thing, and only the check meant for it says the
 * sentence: without that check the row fails. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "../tiny.h"
#include "group.h"

#include "session/replay.h"
#include "sim/condition.h"
#include "sim/state/image.h"
#include "sim/state/job_members.h"
#include "sim/state/validate.h"
#include "sim/store/store_impl.h"

/* ---- a world with something of everything ---- */

/* At 3 s of six servers: job 0 runs on two, job 1 (rigid) on one, job 2 has completed, job 3 waits
 * with a deadline and a retry, job 4 for a completion, job 5 is blocked, job 6 is to be decided;
 * server 5 is broken. */
static const char jobs[] = "[ { \"graph\": \"g\", \"arrival\": 0, \"steps\": 10 }, "
                           "{ \"servers\": 1, \"duration\": 1000, \"arrival\": 0 }, "
                           "{ \"servers\": 1, \"duration\": 0.5, \"arrival\": 0 }, "
                           "{ \"graph\": \"g\", \"arrival\": 1, \"steps\": 1, "
                           "\"max_jct_fraction\": 100 }, "
                           "{ \"graph\": \"g\", \"arrival\": 1, \"steps\": 1 }, "
                           "{ \"graph\": \"g\", \"arrival\": 2, \"steps\": 1 }, "
                           "{ \"graph\": \"g\", \"arrival\": 3, \"steps\": 1 }, "
                           "{ \"graph\": \"g\", \"arrival\": 9, \"steps\": 1 } ]";

static void answer(LpSession *s, LpAnswer with) {
    LpEvent event;
    LpDiag diag = {0};
    if (lp_session_to_decision(s, &event, &diag) != LP_OK ||
        lp_session_answer(s, &with, &event, &diag) != LP_OK)
        fail_msg("%s", diag.text);
}

static LpSession *open_world(void) {
    static const TinyOp op = {1, 1, 0, 1e9};
    char *graph = tiny_profile(&op, 1, NULL, 0);
    LpSession *s =
        tiny_open(&(Tiny){.cluster = "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": "
                                     "6, \"node_bandwidth\": 1e9 } }",
                          .graph = {graph},
                          .jobs = jobs,
                          .partition = "\"max_degree\": 4, \"min_op_time\": 0.1"});
    free(graph);
    LpEvent event;
    LpCondition broken = {.kind = LP_CONDITION_FAIL_SERVER, .value = 5};
    answer(s, (LpAnswer){.kind = LP_ANSWER_RUN, .degree = 2});
    answer(s, (LpAnswer){.kind = LP_ANSWER_RUN});
    answer(s, (LpAnswer){.kind = LP_ANSWER_RUN});
    answer(s, (LpAnswer){.kind = LP_ANSWER_WAIT, .has_retry = true, .retry = 50});
    answer(s, (LpAnswer){.kind = LP_ANSWER_WAIT});
    answer(s, (LpAnswer){.kind = LP_ANSWER_DECLINE});
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_session_change(s, &broken, &event, NULL), LP_OK);
    const LpTally *t = lp_world_tally(lp_session_world(s));
    assert_int_equal(t->running, 2);
    assert_int_equal(t->waiting, 2);
    assert_int_equal(t->completed, 1);
    assert_int_equal(t->blocked, 1);
    assert_int_equal(lp_world_due(lp_session_world(s)), 6);
    return s;
}

static void good_worlds_pass(void **state) {
    (void)state;
    LpSession *s = open_world();
    LpDiag diag = {0};
    if (lp_world_validate(lp_session_world(s), lp_session_context(s), &diag) != LP_OK)
        fail_msg("%s", diag.text);
    lp_session_close(s);
}

/* ---- what may be wrong ---- */

typedef struct Plant {
    void (*plant)(LpImage *m);
    const char *words;
} Plant;

#define PLANT(name, ...)                                                                           \
    static void name(LpImage *m) {                                                                 \
        LpJob *job = lp_image_window(m);                                                           \
        LpServer *server = lp_image_server(m);                                                     \
        LpTimer *timer = lp_image_timer(m);                                                        \
        (void)job;                                                                                 \
        (void)server;                                                                              \
        (void)timer;                                                                               \
        __VA_ARGS__;                                                                               \
    }

static uint32_t timer_of(LpImage *m, LpTimerKind kind) {
    for (uint32_t i = 0; i < m->timers; i++)
        if (lp_image_timer(m)[i].kind == (uint32_t)kind &&
            !lp_timer_stale(m, lp_image_timer(m) + i))
            return i;
    fail_msg("no timer of kind %d", (int)kind);
    return 0;
}

PLANT(pool_elsewhere, m->at_timer += 16)
PLANT(pool_too_full, m->mem = m->mem_cap + 1)
PLANT(time_beyond_horizon, m->horizon = 2)
PLANT(time_not_a_number, m->now = (double)NAN)
PLANT(phase_unknown, m->phase = LP_PHASE_OVER + 1)
PLANT(event_not_counted, m->serial++)
PLANT(arrival_in_the_past, m->next_arrival = 1)
PLANT(light_in_the_past, m->light_at = 1)
PLANT(two_jobs_on_a_server, server[job[0].placed.first_server].job = 1)
PLANT(server_in_no_chain, server[4].job = 1; m->free_servers--)
PLANT(room_of_a_taken_server, lp_room_set(lp_image_room(m), job[0].placed.first_server, true);
      lp_image_room(m)->free--)
PLANT(room_miscounted, lp_image_room(m)->free++)
PLANT(server_lost_from_chain, server[job[0].placed.first_server].next = LP_NO_INDEX)
PLANT(server_held_by_none, server[job[1].placed.first_server].job = LP_NO_INDEX)
PLANT(servers_other_than_placed, job[0].placed.servers = 3)
PLANT(server_of_the_future, server[3].since = 100)
PLANT(broken_and_held, server[job[1].placed.first_server].state = LP_SERVER_FAILED)
PLANT(broken_not_counted, m->tally.failed_servers = 0)
PLANT(free_miscounted, m->free_servers++)
PLANT(busy_miscounted, m->tally.busy_servers++)
PLANT(circuits_miscounted, m->tally.lit_circuits++)
PLANT(runs_and_waits, job[0].outcome = LP_JOB_WAITING)
PLANT(waits_and_runs, job[4].outcome = LP_JOB_RUNNING)
PLANT(queue_turned_round, double t = job[3].times.waiting_since; job[3].times.waiting_since = t + 1)
PLANT(queue_in_a_circle, job[4].queue.next = 3)
PLANT(queue_cut_off, job[3].queue.next = LP_NO_INDEX)
PLANT(queue_torn_backwards, job[4].queue.prev = LP_NO_INDEX)
PLANT(queue_wrong_end, m->last_waiting = 3)
PLANT(running_order, server[job[1].placed.first_server].since = -1)
PLANT(due_not_deciding, m->due = 0)
PLANT(offers_in_a_circle, m->phase = LP_PHASE_OFFER; m->offer = 3; job[3].queue.offer_next = 3)
PLANT(heap_out_of_order, timer[0].time = 1e9)
PLANT(timer_of_no_job, timer[0].job = 99)
PLANT(timer_of_no_kind, timer[0].kind = 99)
PLANT(timer_of_the_past, lp_timer_push(m, 1, LP_TIMER_WAKE, LP_NO_INDEX))
PLANT(end_without_timer, lp_timer_remove(m, timer_of(m, LP_TIMER_END)))
PLANT(deadline_without_timer, lp_timer_remove(m, timer_of(m, LP_TIMER_DEADLINE)))
PLANT(retry_without_timer, lp_timer_remove(m, timer_of(m, LP_TIMER_RETRY)))
PLANT(circuit_joined_to_itself, m->failed = 1; lp_image_failed(m)[0] = (LpFailed){2, 2})
PLANT(more_work_than_steps, job[0].sharing.part_step = 10.5)
PLANT(done_less_than_nothing, job[0].work.steps_done = -1)
PLANT(end_of_other_work, job[0].times.forecast_end += 1)
PLANT(end_in_the_past, job[1].times.forecast_end = 2)
PLANT(dark_and_ending, job[0].light.dark = LP_JOB_UNLIT)
PLANT(completed_of_other_work, job[2].work.steps_done = 2)
PLANT(number_of_another, job[5].id = 4)
PLANT(ends_before_its_start, job[2].times.end = job[2].times.start - 1)
PLANT(completed_with_servers, job[2].placed.first_server = 3)
PLANT(job_lost, m->jobs--; m->kept--)
PLANT(arrived_miscounted, m->tally.arrived++)
PLANT(completed_miscounted, m->tally.completed++)
PLANT(blocked_miscounted, m->tally.blocked--)
PLANT(cause_miscounted, m->tally.blocked_by[LP_CAUSE_DEADLINE]++)
PLANT(unfinished_miscounted, m->tally.unfinished++)
PLANT(nobody_decides, m->due = LP_NO_INDEX)
PLANT(preemptions_miscounted, m->tally.preemptions++)
PLANT(moves_miscounted, job[0].stops.moves++)
PLANT(stops_miscounted, m->tally.stops++)
PLANT(ranks_miscounted, m->ranks++)

static const Plant plants[] = {
    {pool_elsewhere, "layout: the pool timer lies at "},
    {pool_too_full, "layout: 1 of the pool mem where there is room for 0"},
    {time_beyond_horizon, "clock: now is 3 s, the horizon 2 s"},
    {time_not_a_number, "clock: now is nan s"},
    {phase_unknown, "clock: there is no phase 6"},
    {event_not_counted, "clock: 15 events are counted, the next has number 16"},
    {arrival_in_the_past, "clock: the next job arrives at 1 s, before now (3 s)"},
    {light_in_the_past, "clock: light is due at 1 s, before now (3 s)"},
    {two_jobs_on_a_server, "servers: server 0 is in the chain of job 0 and belongs to 1"},
    {server_in_no_chain, "servers: 4 are held, the running jobs have 3"},
    {room_of_a_taken_server, "servers: the index of free room says server "},
    {room_miscounted, "servers: the index of free room has "},
    {server_lost_from_chain, "servers: the chain of job 0 has 1 servers, its placement 2"},
    {server_held_by_none, "servers: server 2 is in the chain of job 1 and belongs to 4294967295"},
    {servers_other_than_placed, "servers: job 0 says 3 servers, its placement 2"},
    {server_of_the_future, "servers: server 3 changed hands at 100 s, now is 3 s"},
    {broken_and_held, "servers: job 1 runs on server 2, which is broken"},
    {broken_not_counted, "servers: 3 held, 1 broken (counted 0), 2 free, expected 6 in all"},
    {free_miscounted, "servers: 3 held, 1 broken (counted 1), 3 free, expected 6 in all"},
    {busy_miscounted, "tally: 4 servers busy and 0 circuits lit, the jobs say 3 and 0"},
    {circuits_miscounted, "tally: 3 servers busy and 1 circuits lit, the jobs say 3 and 0"},
    {runs_and_waits, "queue: job 0 is among those that run, and is waiting"},
    {waits_and_runs, "queue: job 4 is among those that wait, and is running"},
    {queue_turned_round, "queue: job 4 waits since 1 s, now is 3 s, and the one before it since"},
    {queue_in_a_circle, "queue: more than the 2 jobs that are counted wait (job 3)"},
    {queue_cut_off, "queue: 1 jobs wait up to job 3, counted are 2 up to 4"},
    {queue_torn_backwards, "queue: of the jobs wait 4 comes after 3, and says after 4294967295"},
    {queue_wrong_end, "queue: 2 jobs wait up to job 4, counted are 2 up to 3"},
    {running_order, "queue: job 0 runs before 1, and started later"},
    {due_not_deciding, "queue: job 0 is to be decided, and is not deciding"},
    {offers_in_a_circle, "queue: the round of offers does not end (job 3)"},
    {heap_out_of_order, "comes after one that is later"},
    {timer_of_no_job, "timers: timer 0 has kind 0 and job 99"},
    {timer_of_no_kind, "timers: timer 0 has kind 99 and job "},
    {timer_of_the_past, "timers: a timer of kind 3, job 4294967295, was due at 1 s, now is 3 s"},
    {end_without_timer, "timers: 2 jobs end, the first at 10 s; timers 1, 1000 s"},
    {deadline_without_timer, "timers: 1 deadlines and 1 retries are to come, timers 0, 1"},
    {retry_without_timer, "timers: 1 deadlines and 1 retries are to come, timers 1, 0"},
    {circuit_joined_to_itself, "light: the broken circuit 2-2 is out of order"},
    {more_work_than_steps, "work: job 0 has done 0 and 10.5 of 10 steps"},
    {done_less_than_nothing, "work: job 0 has done -1 and 0 of 10 steps"},
    {end_of_other_work, "work: job 0 ends at 11 s, its last 10 steps at 10 s"},
    {end_in_the_past, "work: job 1 runs although its end was at 2 s, now is 3 s"},
    {dark_and_ending, "work: job 0 has light 2 and is to end at 10 s"},
    {completed_of_other_work, "work: job 2 has done 2 of 1 steps"},
    {number_of_another, "jobs: job 5 says that it is job 4"},
    {ends_before_its_start, "jobs: job 2 arrived at 0 s, started at 0 s, ended at -1 s"},
    {completed_with_servers, "servers: job 2 is completed and holds server 3"},
    {job_lost, "queue: job 6 is to be decided, and is not deciding"},
    {arrived_miscounted, "tally: 8 arrived jobs are counted, the jobs say 7"},
    {completed_miscounted, "tally: 2 completed jobs are counted, the jobs say 1"},
    {blocked_miscounted, "tally: 0 blocked jobs are counted, the jobs say 1"},
    {cause_miscounted, "are counted, the jobs say 0"},
    {unfinished_miscounted, "tally: 1 unfinished jobs are counted, the jobs say 0"},
    {nobody_decides, "tally: 0 jobs to be decided are counted, the jobs say 1"},
    {preemptions_miscounted, "tally: 1 preemptions are counted, the jobs say 0"},
    {moves_miscounted, "tally: 0 moves are counted, the jobs say 1"},
    {stops_miscounted, "tally: 1 stops are counted, the jobs say 0"},
    {ranks_miscounted, "tally: 3 jobs with a rank are counted, the jobs say 2"},
};

static void expect(const LpWorld *world, const LpContext *context, const char *words, size_t row) {
    LpDiag diag = {0};
    LpErr err = lp_world_validate(world, context, &diag);
    if (err != LP_EINVAL || strstr(diag.text, words) == NULL)
        fail_msg("row %zu: expected \"%s\", got %d \"%s\"", row, words, (int)err, diag.text);
}

static void each_disorder_is_named(void **state) {
    (void)state;
    LpSession *s = open_world();
    for (size_t i = 0; i < LP_COUNTOF(plants); i++) {
        LpWorld *world = lp_world_clone(lp_session_world(s), NULL);
        assert_non_null(world);
        assert_true(lp_image_reserve_change(world, 1) == LP_OK); /* room for what is planted */
        plants[i].plant(world->image);
        expect(world, lp_session_context(s), plants[i].words, i);
        lp_world_free(world);
    }
    lp_session_close(s);
}

/* A server with less memory than what lies on it. */
static void parts_must_fit(void **state) {
    (void)state;
    LpSession *s = open_world();
    LpServerType *type = (LpServerType *)(uintptr_t)lp_session_context(s)->scenario->cluster.type;
    type->memory = 1e9;
    expect(lp_session_world(s), lp_session_context(s),
           "memory: job 0 has 2e+09 bytes on server 0, which has 1e+09", 0);
    lp_session_close(s);
}

/* ---- light ---- */

PLANT(wave_of_nobody, lp_image_wave(m)[0] = m->jobs + 1)
PLANT(wave_lent_for_ever, lp_image_wave(m)[0] = LP_WAVE_LENT)
PLANT(port_before_light, lp_image_port(m)[1] = m->now + 1; m->light_at = m->now + 2)
PLANT(port_not_a_number, lp_image_port(m)[1] = (double)NAN)

static const Plant waves[] = {
    {wave_of_nobody, "light: wavelength 0 is held by job "},
    {wave_lent_for_ever, "light: wavelength 0 is held by job 4294967294"}};
static const Plant ports[] = {{port_before_light, "light: port 1 is lit from "},
                              {port_not_a_number, "light: port 1 is lit from nan s on"}};

static void plant_light(const char *scenario, const char *set, const Plant *plant, size_t count) {
    LpSessionSpec spec = {.scenario = scenario, .sets = set != NULL, .set = &set};
    LpSession *s = NULL;
    LpEvent event;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    for (int i = 0; i < 20; i++)
        assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
    for (size_t i = 0; i < count; i++) {
        LpWorld *world = lp_world_clone(lp_session_world(s), NULL);
        assert_int_equal(lp_world_validate(world, lp_session_context(s), NULL), LP_OK);
        plant[i].plant(world->image);
        expect(world, lp_session_context(s), plant[i].words, i);
        lp_world_free(world);
    }
    lp_session_close(s);
}

static void light_that_nobody_has_is_named(void **state) {
    (void)state;
    plant_light("scenarios/pac-ml-32.json", "cluster.ramp.rack_isolated=false", waves,
                LP_COUNTOF(waves));
    plant_light("scenarios/disaggregated-rack.json", NULL, ports, LP_COUNTOF(ports));
}

/* ---- the end ---- */

/* Job 3, which has waited, is asked again and is in the queue meanwhile: when the run is ended at
 * that moment it is unfinished once. */
static void who_is_asked_at_the_end_counts_once(void **state) {
    (void)state;
    LpSession *s = open_world();
    LpWorld *world = lp_world_clone(lp_session_world(s), NULL);
    const LpContext *context = lp_session_context(s);
    LpAnswer decline = {.kind = LP_ANSWER_DECLINE};
    LpEvent event;
    LpDiag diag = {0};
    while (lp_world_due(world) != 3) {
        LpErr err = lp_world_due(world) != LP_NO_INDEX
                        ? lp_world_decide(world, context, lp_world_due(world), &decline, &event,
                                          NULL, &diag)
                        : lp_world_advance(world, context, &event, &diag);
        assert_int_equal(err, LP_OK);
    }
    assert_int_equal(event.kind, LP_EVENT_OFFER);
    lp_world_finish(world, context);
    if (lp_world_validate(world, context, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    lp_world_free(world);
    lp_session_close(s);
}

/* ---- ranges of members ---- */

/* Rows of job_members.h of which something holds: none may be below 0. */
static void no_number_is_below_its_range(void **state) {
    enum { ANY, NOT_NEGATIVE, NAN_OR_TIME };
    static const struct {
        const char *name;
        size_t at;
        int range;
    } reals[] = {
#define REAL(member, range) {#member, offsetof(LpJob, member), range},
#define WHOLE(member)
        LP_JOB_MEMBERS(REAL, WHOLE)
#undef REAL
#undef WHOLE
    };
    (void)state;
    LpSession *s = open_world();
    for (size_t i = 0; i < LP_COUNTOF(reals); i++) {
        LpWorld *w = lp_world_clone(lp_session_world(s), NULL);
        LpDiag diag = {0};
        double below = -1;
        assert_non_null(w);
        memcpy((char *)&lp_image_window(w->image)[2] + reals[i].at, &below, sizeof below);
        LpErr err = lp_world_validate(w, lp_session_context(s), &diag);
        if ((err != LP_OK) != (reals[i].range != ANY))
            fail_msg("%s is -1: %s", reals[i].name, err == LP_OK ? "in order" : diag.text);
        lp_world_free(w);
    }
    lp_session_close(s);
}

TEST_GROUP(test_sim_validate) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_worlds_pass),
        cmocka_unit_test(no_number_is_below_its_range),
        cmocka_unit_test(each_disorder_is_named),
        cmocka_unit_test(parts_must_fit),
        cmocka_unit_test(light_that_nobody_has_is_named),
        cmocka_unit_test(who_is_asked_at_the_end_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
