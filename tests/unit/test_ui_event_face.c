/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each kind of event has a face: its row, a verb, and words for the list. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "moment/parts/event_face.h"

static void every_kind_has_a_face(void **state) {
    (void)state;
    for (int k = 0; k < LP_EVENT_COUNT; k++) {
        const LpEventFace *face = lp_event_face((LpEventKind)k);
        assert_int_equal(face->kind, k);
        assert_true(face->verb != NULL && face->verb[0] != '\0');
        for (const char *at = face->verb; *at != '\0'; at++)
            assert_true(isupper((unsigned char)*at) || *at == ' ');
        assert_true(face->scene < LP_SCENE_COUNT && face->all < LP_SCENE_COUNT);
        for (const char *const *s = (const char *const[]){face->job, face->whole, NULL}; *s; s++)
            assert_int_equal((*s)[strlen(*s) - 1], '.');
    }
}

/* What the engine keeps to itself is not shown while playing, unless it has a picture of its own.
 */
static void what_is_inside_is_not_seen(void **state) {
    (void)state;
    for (int k = LP_EVENT_NONE + 1; k < LP_EVENT_COUNT; k++) {
        const LpEventFace *face = lp_event_face((LpEventKind)k);
        if (face->unlisted && face->all == LP_SCENE_NONE)
            assert_true(face->unseen);
        if (lp_event_is((LpEventKind)k, LP_EVENT_LOSES))
            assert_true(face->scene == LP_SCENE_BLOCKED && face->mark != 0);
    }
}

TEST_GROUP(test_ui_event_face) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_face),
        cmocka_unit_test(what_is_inside_is_not_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
