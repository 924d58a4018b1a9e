/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Letters of jobs: from arrival to end, no two jobs with the same one, alike in all branches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "group.h"
#include "moment/parts/letters.h"

static LpSession *open_session(void) {
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json", .keep_timeline = true};
    assert_int_equal(lp_session_open(&spec, &session, NULL), LP_OK);
    return session;
}

/* Whoever is in the cluster has a letter of its own, the job under decision as well. */
static void check_letters(const LpLetters *letters, const LpWorld *world) {
    bool seen[LP_LETTERS] = {false};
    for (uint32_t id = 0; id < lp_world_jobs(world); id++) {
        int letter = lp_letters_of(letters, id);
        bool there =
            lp_world_job(world, id)->outcome == LP_JOB_RUNNING || id == lp_world_due(world);
        assert_true(letter < LP_LETTERS && (letter >= 0 || !there));
        if (letter < 0) {
            assert_true(lp_letters_was(letters, id) >= 0);
            assert_int_equal(lp_letters_ever(letters, id), lp_letters_was(letters, id));
            continue;
        }
        assert_false(seen[letter]);
        seen[letter] = true;
        assert_int_equal(lp_letters_ever(letters, id), letter);
    }
}

static void test_from_arrival_to_end(void **state) {
    LpSession *session = open_session();
    LpLetters letters = {0};
    LpEvent event;
    (void)state;
    for (int i = 0; i < 600; i++) {
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
        assert_int_equal(lp_letters_update(&letters, session, NULL), LP_OK);
        check_letters(&letters, lp_session_world(session));
    }
    for (uint32_t id = 0; id < LP_LETTERS; id++) /* nobody was in their way */
        assert_int_equal(lp_letters_ever(&letters, id), id);
    assert_true(lp_world_jobs(lp_session_world(session)) > 2 * LP_LETTERS);
    assert_int_equal(lp_letter(0), 'A');
    assert_int_equal(lp_letter(26), 'a');
    assert_int_equal(lp_letter(-1), '#');
    lp_letters_fini(&letters);
    lp_session_close(session);
}

/* 14 neighbours in time differ, in colour or by the line below the letter; two in colour. */
static void test_colours(void **state) {
    (void)state;
    for (uint32_t job = 0; job < 200; job++) {
        assert_int_equal(lp_letter_hue(job), LP_ROLE_JOB0 + job % 7);
        for (uint32_t later = job + 1; later < job + 14; later++) {
            assert_int_not_equal(lp_letter_style(job), lp_letter_style(later));
            if (later < job + 7)
                assert_int_not_equal(lp_letter_hue(job), lp_letter_hue(later));
        }
        assert_int_equal(lp_letter_style(job), lp_letter_style(job + 14));
    }
    assert_int_equal(lp_letter_style(LP_NO_INDEX), LP_ROLE_TEXT);
}

/* Who starts and who is turned away does not matter for the letters of those that come later. */
static void test_branches(void **state) {
    LpSession *session = open_session();
    LpLetters letters = {0}, other = {0};
    LpAnswer answer = {.kind = LP_ANSWER_DECLINE, .why = "test"};
    LpForkSpec fork = {.name = "other", .answer = &answer};
    LpEvent event;
    uint32_t branch;
    (void)state;
    assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
    assert_int_equal(lp_session_fork(session, &fork, &branch, NULL), LP_OK);
    for (int i = 0; i < 80; i++)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    assert_int_equal(lp_letters_update(&letters, session, NULL), LP_OK);
    uint32_t jobs = lp_world_jobs(lp_session_world(session));
    assert_int_equal(lp_session_switch(session, 0, NULL), LP_OK);
    while (lp_world_jobs(lp_session_world(session)) < jobs)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    assert_int_equal(lp_letters_update(&other, session, NULL), LP_OK);
    for (uint32_t id = 0; id < jobs && id < LP_LETTERS; id++)
        assert_int_equal(lp_letters_ever(&letters, id), lp_letters_ever(&other, id));
    lp_letters_fini(&letters);
    lp_letters_fini(&other);
    lp_session_close(session);
}

TEST_GROUP(test_ui_letters) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_arrival_to_end),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
