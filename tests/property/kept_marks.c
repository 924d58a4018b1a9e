/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kept_marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"

/* All of a job but its places in lists. */
static uint64_t digest_job(const LpJob *job) {
    LpJob seen = *job;
    seen.queue.next = seen.queue.prev = seen.queue.offer_next = seen.queue.ends_at = 0;
    seen.queue.row = seen.queue.listed = seen.queue.round = seen.queue.need = 0;
    seen.queue.child = seen.queue.sibling = seen.queue.before = seen.queue.ranked = 0;
    seen.queue.key = 0;
    seen.queue.entry = 0;
    return lp_hash_bytes(LP_HASH_INIT, &seen, sizeof seen);
}

static KeptMoment look(const LpWorld *world) {
    KeptMoment now = {lp_world_stamp(world), lp_world_jobs(world), lp_world_servers(world), NULL,
                      NULL};
    now.job = calloc((size_t)now.jobs + 1, sizeof *now.job);
    now.server = calloc((size_t)now.servers + 1, sizeof *now.server);
    assert_true(now.job != NULL && now.server != NULL);
    for (uint32_t i = 0; i < now.jobs; i++)
        now.job[i] = digest_job(lp_world_job(world, i));
    for (uint32_t i = 0; i < now.servers; i++)
        now.server[i] = lp_hash_bytes(LP_HASH_INIT, lp_world_server(world, i), sizeof(LpServer));
    return now;
}

static void compare_same(const KeptMoment *then, const KeptMoment *now) {
    assert_int_equal(then->jobs, now->jobs);
    for (uint32_t i = 0; i < now->jobs; i++)
        if (then->job[i] != now->job[i])
            fail_msg("job %u is another one under the same stamp", i);
    for (uint32_t i = 0; i < now->servers; i++)
        if (then->server[i] != now->server[i])
            fail_msg("server %u is another one under the same stamp", i);
}

static void compare_followed(const LpWorld *world, const KeptMoment *then, const KeptMoment *now) {
    unsigned char *named = calloc((size_t)now->jobs + 1, 1);
    uint64_t at = then->stamp.mark;
    uint32_t job;
    assert_non_null(named);
    while (lp_world_next_changed(world, &at, &job)) {
        assert_true(job < now->jobs);
        named[job] = 1;
    }
    for (uint32_t i = 0; i < now->jobs; i++) {
        bool changed = i >= then->jobs || then->job[i] != now->job[i];
        if (changed && !named[i])
            fail_msg("job %u has changed and is not named", i);
        if (changed && lp_job_mark(world, i) <= then->stamp.mark)
            fail_msg("job %u has changed without its mark", i);
    }
    for (uint32_t i = 0; i < now->servers; i++)
        if (then->server[i] != now->server[i] && lp_server_mark(world, i) <= then->stamp.mark)
            fail_msg("server %u has changed without its mark", i);
    free(named);
}

void kept_marks_see(KeptMarks *kept, const LpWorld *world) {
    KeptMoment now = look(world);
    for (uint32_t i = 0; i < kept->moments; i++) {
        const KeptMoment *then = &kept->moment[i];
        if (lp_stamp_same(then->stamp, now.stamp)) {
            compare_same(then, &now);
            kept->same++;
        } else if (lp_world_follows(world, then->stamp)) {
            compare_followed(world, then, &now);
            kept->followed++;
        }
    }
    KeptMoment *oldest = &kept->moment[kept->turn++ % KEPT_MOMENTS];
    free(oldest->job);
    free(oldest->server);
    *oldest = now;
    kept->moments += kept->moments < KEPT_MOMENTS;
}

void kept_marks_fini(KeptMarks *kept) {
    for (uint32_t i = 0; i < kept->moments; i++) {
        free(kept->moment[i].job);
        free(kept->moment[i].server);
    }
}
