/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hot reload without a screen: every way to save a policy or a file that it requires, what is
 * broken, half written, gone and back; with the kernel's events and with stamps alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "group.h"
#include "io/files/watch.h"
#include "io/scenario/scenario.h"
#include "session/session.h"

#define POLICY(name, rest)                                                                         \
    rest "return { name = '" name "', api = 1, partition = function() return 1 end }\n"
static const char SCENARIO[] =
    "{ \"lightpath\": 1, \"name\": \"watch\", \"cluster\": { \"fabric\": \"ideal\", \"ideal\": {"
    " \"servers\": 4 } }, \"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\" } ],"
    " \"generator\": { \"count\": 4, \"load\": 1, \"interarrival\": \"exponential\", \"steps\": 5 "
    "} }";

typedef struct Place {
    char folder[64], policy[96], part[96], library[96], other[96];
    LpSession *session;
} Place;

static void save(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void open_at(Place *p, const char *text) {
    LpLoadOptions options = {0};
    LpScenario *scenario;
    LpDiag diag = {0};
    strcpy(p->folder, "/tmp/watch.XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->policy, sizeof p->policy, "%s/mine.lua", p->folder);
    snprintf(p->part, sizeof p->part, "%s/part.lua", p->folder);
    snprintf(p->other, sizeof p->other, "%s/new.tmp", p->folder);
    snprintf(p->library, sizeof p->library, "%s/lib", p->folder);
    assert_int_equal(mkdir(p->library, 0700), 0);
    strcat(p->library, "/deep.lua");
    save(p->part, "return 1\n");
    save(p->library, "return 2\n");
    save(p->policy, text);
    assert_int_equal(lp_scenario_parse(SCENARIO, strlen(SCENARIO), "s", &options, &scenario, &diag),
                     LP_OK);
    LpSessionSpec spec = {.policy = p->policy};
    if (lp_session_open_with(scenario, &spec, &p->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    lp_session_watch(p->session, true);
}

static void close_at(Place *p) {
    lp_session_close(p->session);
    unlink(p->policy);
    unlink(p->part);
    unlink(p->library);
    unlink(p->other);
    *strrchr(p->library, '/') = '\0';
    rmdir(p->library);
    assert_int_equal(rmdir(p->folder), 0);
}

static bool has_events(const Place *p) {
    return lp_session_watch_fd(p->session) >= 0;
}

/* Would a wait end now? */
static bool is_woken(const Place *p) {
    struct pollfd file = {.fd = lp_session_watch_fd(p->session), .events = POLLIN};
    return !has_events(p) || poll(&file, 1, 0) == 1;
}

static void taken(Place *p, const char *name, uint32_t reloads) {
    assert_true(is_woken(p));
    assert_int_equal(lp_session_poll(p->session), LP_OK);
    assert_null(lp_session_reload_error(p->session));
    assert_string_equal(lp_session_policy_name(p->session), name);
    assert_int_equal(lp_session_reloads(p->session), reloads);
    assert_int_equal(lp_session_poll(p->session), LP_OK); /* once */
    assert_int_equal(lp_session_reloads(p->session), reloads);
}

static void not_taken(Place *p, LpErr expected, uint32_t reloads) {
    assert_int_equal(lp_session_poll(p->session), expected);
    assert_string_equal(lp_session_policy_name(p->session), "one");
    assert_int_equal(lp_session_reloads(p->session), reloads);
}

static void every_way_to_save(void **state) {
    (void)state;
    Place p;
    char backup[128];
    open_at(&p, POLICY("one", ""));
    not_taken(&p, LP_OK, 0);
    save(p.policy, POLICY("two", ""));
    taken(&p, "two", 1);
    save(p.other, POLICY("three", "")); /* vim, sed -i, git: another file in its place */
    assert_int_equal(rename(p.other, p.policy), 0);
    taken(&p, "three", 2);
    snprintf(backup, sizeof backup, "%s~", p.policy); /* emacs: the old one is moved away first */
    assert_int_equal(rename(p.policy, backup), 0);
    assert_int_equal(lp_session_poll(p.session), LP_OK);
    assert_string_equal(lp_session_policy_name(p.session), "three");
    save(p.policy, POLICY("four", ""));
    taken(&p, "four", 3);
    unlink(backup);
    assert_int_equal(unlink(p.policy), 0);
    assert_int_equal(lp_session_poll(p.session), LP_OK);
    assert_null(lp_session_reload_error(p.session));
    assert_string_equal(lp_session_policy_name(p.session), "four");
    save(p.policy, POLICY("five", ""));
    taken(&p, "five", 4);
    save(p.policy, POLICY("five", "")); /* nothing new */
    assert_int_equal(lp_session_poll(p.session), LP_OK);
    assert_int_equal(lp_session_reloads(p.session), 4);
    save(p.other, POLICY("six", "")); /* a link in its place */
    assert_int_equal(unlink(p.policy), 0);
    assert_int_equal(symlink(p.other, p.policy), 0);
    taken(&p, "six", 5);
    save(p.other, POLICY("seven", "")); /* ... and what it leads to */
    taken(&p, "seven", 6);
    close_at(&p);
}

static void required_files_count(void **state) {
    (void)state;
    Place p;
    open_at(&p, POLICY("one", "local a, b = require('part'), require('deep')\n"));
    save(p.part, "return 3\n");
    taken(&p, "one", 1);
    save(p.library, "return 4\n");
    taken(&p, "one", 2);
    assert_int_equal(unlink(p.part), 0); /* gone, but nothing was saved */
    not_taken(&p, LP_OK, 2);
    save(p.part, "return 5\n");
    taken(&p, "one", 3);
    save(p.policy, POLICY("two", "")); /* needs it no more */
    assert_int_equal(unlink(p.part), 0);
    taken(&p, "two", 4);
    close_at(&p);
}

static void a_broken_save_says_why(void **state) {
    (void)state;
    Place p;
    open_at(&p, POLICY("one", ""));
    save(p.policy, "local policy = {\n}\nreturn policy +\n");
    not_taken(&p, LP_ESCRIPT, 0);
    assert_int_equal(lp_session_reload_error(p.session)->line, 4); /* the end of the file */
    assert_string_equal(lp_session_reload_error(p.session)->file, p.policy);
    not_taken(&p, LP_OK, 0); /* said once */
    assert_non_null(lp_session_reload_error(p.session));
    save(p.policy, "return policy +\n\n");
    not_taken(&p, LP_ESCRIPT, 0); /* and again for the next save */
    save(p.policy, POLICY("one", ""));
    taken(&p, "one", 1);
    close_at(&p);
}

/* The file that is to blame is none that the old policy knows. */
static void what_was_missing_is_seen(void **state) {
    (void)state;
    Place p;
    open_at(&p, POLICY("one", ""));
    assert_int_equal(unlink(p.part), 0);
    save(p.policy, POLICY("two", "local part = require('part')\n"));
    not_taken(&p, LP_ESCRIPT, 0);
    save(p.other, "nothing to do with it");
    not_taken(&p, LP_OK, 0);
    save(p.part, "return (\n");
    not_taken(&p, LP_ESCRIPT, 0);
    assert_string_equal(lp_session_reload_error(p.session)->file, p.part);
    save(p.part, "return 1\n");
    taken(&p, "two", 1);
    close_at(&p);
}

/* A file that is open and half there is no save yet. */
static void half_a_file_is_waited_for(void **state) {
    (void)state;
    Place p;
    open_at(&p, POLICY("one", ""));
    if (!has_events(&p)) {
        close_at(&p);
        skip();
    }
    for (int again = 0; again < 2; again++) {
        FILE *file = fopen(p.policy, "w");
        assert_non_null(file);
        fputs("local half = 'of it\n", file);
        fflush(file);
        not_taken(&p, LP_OK, 0);
        assert_null(lp_session_reload_error(p.session));
        assert_int_equal(fseek(file, 0, SEEK_SET), 0);
        fputs(again == 0 ? POLICY("one", "") : POLICY("two", ""), file);
        assert_int_equal(fclose(file), 0);
        if (again == 0)
            not_taken(&p, LP_OK, 0);           /* the same as ever */
        assert_int_equal(unlink(p.policy), 0); /* the second time it is made anew */
        if (again == 0)
            not_taken(&p, LP_OK, 0);
        else
            save(p.policy, POLICY("two", ""));
    }
    taken(&p, "two", 1);
    close_at(&p);
}

/* Written through another name in another folder, as from another machine: no event comes. */
static void stamps_do_without_events(void **state) {
    (void)state;
    Place p;
    char folder[] = "/tmp/watch.XXXXXX", link_name[64];
    open_at(&p, POLICY("one", ""));
    assert_non_null(mkdtemp(folder));
    snprintf(link_name, sizeof link_name, "%s/x", folder);
    assert_int_equal(link(p.policy, link_name), 0);
    assert_int_equal(lp_session_poll(p.session), LP_OK);
    save(link_name, POLICY("longer", ""));
    if (has_events(&p))
        assert_false(is_woken(&p));
    assert_int_equal(lp_session_poll(p.session), LP_OK);
    assert_string_equal(lp_session_policy_name(p.session), "longer");
    unlink(link_name);
    rmdir(folder);
    close_at(&p);
}

static void a_folder_comes_back(void **state) {
    (void)state;
    Place p;
    char away[80];
    open_at(&p, POLICY("one", ""));
    snprintf(away, sizeof away, "%s.away", p.folder);
    assert_int_equal(rename(p.folder, away), 0);
    not_taken(&p, LP_OK, 0);
    assert_int_equal(rename(away, p.folder), 0);
    not_taken(&p, LP_OK, 0); /* watches it again */
    save(p.policy, POLICY("two", ""));
    taken(&p, "two", 1);
    close_at(&p);
}

static void without_a_watch_nothing_happens(void **state) {
    (void)state;
    Place p;
    open_at(&p, POLICY("one", ""));
    lp_session_watch(p.session, false);
    assert_int_equal(lp_session_watch_fd(p.session), -1);
    save(p.policy, POLICY("two", ""));
    assert_int_equal(lp_session_poll(p.session), LP_OK);
    assert_string_equal(lp_session_policy_name(p.session), "one");
    close_at(&p);
}

TEST_GROUP(test_session_watch) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_save),
        cmocka_unit_test(required_files_count),
        cmocka_unit_test(a_broken_save_says_why),
        cmocka_unit_test(what_was_missing_is_seen),
        cmocka_unit_test(half_a_file_is_waited_for),
        cmocka_unit_test(stamps_do_without_events),
        cmocka_unit_test(a_folder_comes_back),
        cmocka_unit_test(without_a_watch_nothing_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
