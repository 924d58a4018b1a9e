/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lp_world_degrees where memory does not run out. */
#ifndef LP_TESTS_DEGREES_H
#define LP_TESTS_DEGREES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/forecast.h"
#include "sim/world.h"

static inline uint32_t allowed_degrees(const LpWorld *world, const LpContext *context, uint32_t job,
                                       uint32_t max, uint32_t *out, uint32_t room) {
    uint32_t count;
    assert_int_equal(lp_world_degrees(world, context, job, max, out, room, &count, NULL), LP_OK);
    return count;
}

#endif
