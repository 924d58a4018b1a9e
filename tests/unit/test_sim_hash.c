/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tripwire for a forgotten field: each byte of what a world image holds is flipped, and the
 * hash is another then, but for the fields listed here with their reason; for those it is the same.
 * A new field fails until it is hashed or listed. Holes, where one could hide, do not compile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "model/answer.h"
#include "sim/state/workload.h"
#include "sim/store/context.h"
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
#endif
#include "sim/state/image.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* ---- what does not count ---- */

typedef struct Field {
    size_t at, size;
    const char *why;
} Field;

#define FIELD(Type, member, why)                                                                   \
    { offsetof(Type, member), sizeof(((Type *)0)->member), why }
#define SPAN(Type, first, last, why)                                                               \
    {                                                                                              \
        offsetof(Type, first),                                                                     \
            offsetof(Type, last) + sizeof(((Type *)0)->last) - offsetof(Type, first), why          \
    }

static const Field job_fields[] = {
    FIELD(LpJob, cached, "plan_hash and the cache say so"),
    FIELD(LpJob, placed.orders, "lists are in plan_hash; rules: orders_of_rules_count"),
    SPAN(LpJob, placed.valid_degrees, placed.step,
         "indices in the store: plan_hash says what they mean"),
    FIELD(LpJob, placed.scales, "a number in the context: the changes say which"),
    FIELD(LpJob, placed.earlier, "what it did before: an index in the store"),
    FIELD(LpJob, stops.by, "what broke: the list of failures says so"),
    FIELD(LpJob, queue.ends_at, "follows from the running jobs (state/ends.h)"),
    SPAN(LpJob, queue.need, queue.entry, "what a policy stated: the records of decisions say so"),
    SPAN(LpJob, times.queued, times.turned_away, "follow from the events, which wait and end say"),
    FIELD(LpJob, times.kill_at, "arrival and wait say it, and what was requested"),
    FIELD(LpJob, sharing.load, "an index in the store: plan_hash says what it means"),
    FIELD(LpJob, light.network, "a number in the context: the hash of the schedule says which"),
};

static const Field cache_fields[] = {
    FIELD(LpCachedStep, step, "an index in the store: its hash counts"),
    FIELD(LpCachedStep, zero, "no field"),
};

static const Field change_fields[] = {
    FIELD(LpChange, condition.zero, "no field"),
    FIELD(LpChange, due, "the records of decisions say so"),
    FIELD(LpChange, zero, "no field"),
};

/* Of those that say how much there is and where, the test could not flip more than one can count.
 */
static const Field head_fields[] = {
    SPAN(LpImage, schedule, network, "numbers in the context: schedule_hash says which"),
    FIELD(LpImage, lit, "follows from schedule, ports and time"),
    FIELD(LpImage, stuck, "events in vain and who is left say so"),
    FIELD(LpImage, scales, "a number in the context: the changes say which"),
    FIELD(LpImage, conditions, "the changes say which"),
    FIELD(LpImage, epsilon, "the scenario's"),
    FIELD(LpImage, fifo, "the scenario's"),
    SPAN(LpImage, round, entries, "what policies stated, and a round under way: records say so"),
    FIELD(LpImage, aside, "of clones that are not advanced"),
    FIELD(LpImage, shared, "the scenario's"),
    SPAN(LpImage, mark, servers_mark, "the mark of change: what it is of counts"),
    SPAN(LpImage, tally.arrived, tally.zero, "counts of jobs and events"),
};

static const Field head_layout[] = {
    SPAN(LpImage, covers, nodes, "the counts of pools"),
    FIELD(LpImage, seen_cap, "the room of a pool"),
    SPAN(LpImage, bytes, ports, "places and counts of the pools"),
    SPAN(LpImage, jobs, needs_cap, "counts and rooms of the pools"),
};

/* ---- a world of which every byte is known ---- */

enum {
    WORKLOAD = 1024,
    ROOM = 64,
    FILL = 0x3F
}; /* doubles of such bytes are numbers, indices are no rules */

static LpImage *make_image(void) {
    LpImage head;
    memset(&head, FILL, sizeof head);
    head.servers = head.waves = head.ports = 1;
    head.kept = head.jobs = head.jobs_cap = head.timers = head.timers_cap = head.cache =
        head.cache_cap = 1;
    head.endings = head.endings_cap = head.needs = head.needs_cap = 1;
    head.mem = head.mem_cap = head.changes = head.changes_cap = head.failed = head.failed_cap = 1;
    head.workload_bytes = WORKLOAD;
    head.seen_cap = 0;
    head.covers = 1;        /* follow from fault: not hashed */
    head.nodes = 1;         /* follow from the servers: not hashed */
    head.room_bytes = ROOM; /* follows from the servers: not hashed */
    lp_image_lay_out(&head);
    LpImage *m = calloc(1, head.bytes);
    assert_non_null(m);
    *m = head;
    memset(lp_image_server(m), FILL, sizeof(LpServer));
    memset(lp_image_wave(m), FILL, sizeof(uint32_t));
    memset(lp_image_port(m), FILL, sizeof(double));
    memset(lp_image_window(m), FILL, sizeof(LpJob));
    memset(lp_image_timer(m), FILL, sizeof(LpTimer));
    memset(lp_image_cache(m), FILL, sizeof(LpCachedStep));
    memset(lp_image_mem(m), FILL, 1);
    memset(lp_image_change(m), FILL, sizeof(LpChange));
    memset(lp_image_failed(m), FILL, sizeof(LpFailed));
    memset(lp_image_need(m), FILL, sizeof(LpWaitedFor));
    lp_image_timer(m)->kind = LP_TIMER_WAKE;
    return m;
}

static uint64_t hash(LpImage *m) {
    return lp_world_hash(&(LpWorld){.image = m});
}

static const Field *field_at(const Field *fields, size_t count, size_t at) {
    for (size_t i = 0; i < count; i++)
        if (at >= fields[i].at && at < fields[i].at + fields[i].size)
            return &fields[i];
    return NULL;
}

/* Flips each byte of a block in the image. */
static void flip(LpImage *m, const char *name, void *block, size_t size, const Field *except,
                 size_t excepts, const Field *skip, size_t skips) {
    unsigned char *byte = block;
    uint64_t before = hash(m);
    for (size_t at = 0; at < size; at++) {
        const Field *field = field_at(except, excepts, at);
        if (field_at(skip, skips, at) != NULL)
            continue;
        byte[at] ^= 1;
        bool same = hash(m) == before;
        byte[at] ^= 1;
        if (field == NULL && same)
            fail_msg(
                "byte %zu of %s does not count in lp_world_hash: hash the field there, or list "
                "it in this test with the reason",
                at, name);
        if (field != NULL && !same)
            fail_msg("byte %zu of %s counts, and is listed here as \"%s\"", at, name, field->why);
    }
    assert_true(hash(m) == before);
}

/* ---- the tests ---- */

static void every_byte_of_a_job_counts(void **state) {
    (void)state;
    LpImage *m = make_image();
    flip(m, "LpJob", lp_image_window(m), sizeof(LpJob), job_fields, LP_COUNTOF(job_fields), NULL,
         0);
    free(m);
}

/* Without circuits, what only jobs on shared links and circuits have is left out, so that old
 * hashes stay; with a load it counts. */
static void shared_links_count_without_circuits(void **state) {
    (void)state;
    LpImage *m = make_image();
    static const Field fields[] = {
        FIELD(LpJob, cached, ""),
        FIELD(LpJob, placed.orders, ""),
        SPAN(LpJob, placed.valid_degrees, placed.step, ""),
        FIELD(LpJob, placed.scales, ""),
        FIELD(LpJob, placed.earlier, ""),
        FIELD(LpJob, stops.by, ""),
        FIELD(LpJob, queue.ends_at, ""),
        SPAN(LpJob, queue.need, queue.entry, ""),
        FIELD(LpJob, sharing.load, ""),
        SPAN(LpJob, times.queued, times.turned_away, ""),
        FIELD(LpJob, times.kill_at, ""),
        SPAN(LpJob, light.network, light.reading,
             "of circuits"), /* dark counts: somebody was held up */
    };
    m->ports = 0;
    flip(m, "LpJob without circuits", lp_image_window(m), sizeof(LpJob), fields, LP_COUNTOF(fields),
         NULL, 0);
    free(m);
}

static void orders_of_rules_count(void **state) {
    (void)state;
    LpImage *m = make_image();
    LpOrders *orders = &lp_image_window(m)->placed.orders;
    *orders = LP_RULES_SRPT;
    uint64_t before = hash(m);
    orders->ops = orders->ops == 0 ? 1 : 0;
    uint64_t ops = hash(m);
    *orders = LP_RULES_SRPT;
    orders->flows = orders->flows == 0 ? 1 : 0;
    uint64_t flows = hash(m);
    assert_true(before != ops && before != flows && ops != flows);
    free(m);
}

static void every_byte_of_the_pools_counts(void **state) {
    (void)state;
    LpImage *m = make_image();
    static const Field timer[] = {FIELD(LpTimer, job, "a wake has none")};
    static const Field kind[] = {FIELD(LpTimer, kind, "only wakes do not follow from jobs")};
    flip(m, "LpServer", lp_image_server(m), sizeof(LpServer), NULL, 0, NULL, 0);
    flip(m, "a wavelength", lp_image_wave(m), sizeof(uint32_t), NULL, 0, NULL, 0);
    flip(m, "a port", lp_image_port(m), sizeof(double), NULL, 0, NULL, 0);
    flip(m, "LpTimer", lp_image_timer(m), sizeof(LpTimer), timer, 1, kind, 1);
    flip(m, "LpCachedStep", lp_image_cache(m), sizeof(LpCachedStep), cache_fields,
         LP_COUNTOF(cache_fields), NULL, 0);
    flip(m, "self.mem", lp_image_mem(m), 1, NULL, 0, NULL, 0);
    flip(m, "LpChange", lp_image_change(m), sizeof(LpChange), change_fields,
         LP_COUNTOF(change_fields), NULL, 0);
    free(m);
}

static void every_byte_of_the_head_counts(void **state) {
    (void)state;
    LpImage *m = make_image();
    flip(m, "LpImage", m, sizeof *m, head_fields, LP_COUNTOF(head_fields), head_layout,
         LP_COUNTOF(head_layout));
    free(m);
}

/* Growing moves every pool. */
static void growing_keeps_the_hash(void **state) {
    (void)state;
    LpWorld first = {.image = make_image()}, *world = lp_world_clone(&first, NULL);
    assert_non_null(world);
    free(first.image);
    uint64_t before = lp_world_hash(world);
    LpFailed failed = *lp_image_failed(world->image);
    world->image->tally.running = 100;
    size_t bytes = lp_world_bytes(world);
    assert_int_equal(lp_image_reserve_change(world, 1), LP_OK);
    assert_int_equal(lp_image_reserve(world), LP_OK);
    assert_true(lp_world_bytes(world) > bytes);
    assert_true(lp_world_hash(world) == before);
    assert_memory_equal(&failed, lp_image_failed(world->image), sizeof failed);
    lp_world_free(world);
}

TEST_GROUP(test_sim_hash) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_of_a_job_counts),
        cmocka_unit_test(shared_links_count_without_circuits),
        cmocka_unit_test(orders_of_rules_count),
        cmocka_unit_test(every_byte_of_the_pools_counts),
        cmocka_unit_test(every_byte_of_the_head_counts),
        cmocka_unit_test(growing_keeps_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
