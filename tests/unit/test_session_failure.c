/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures of a policy: their kinds, what is kept with them, and that they belong to a moment. */
#include <string.h>
#include <unistd.h>

#include "../tiny.h"
#include "group.h"

#include "say/report.h"
#include "session/failure.h"
#include "session/time.h"

#define HEAD "local policy = { name = 'bad', api = 1 }\n"
#define HOOK "function policy:partition(job, cluster)\n"
#define TAIL "\nend\nreturn policy\n"

static char path[] = "/tmp/lightpath-failure-XXXXXX";

static void write_policy(const char *text) {
    strcpy(path, "/tmp/lightpath-failure-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static LpErr open_with(const char *text, bool timeline, LpSession **out, LpDiag *diag) {
    static const char *const sets[] = {"generator.count=12"};
    write_policy(text);
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json",
                          .policy = path,
                          .sets = 1,
                          .set = sets,
                          .keep_timeline = timeline};
    *out = NULL;
    return lp_session_open(&spec, out, diag);
}

static LpSession *open_run(const char *text, bool timeline) {
    LpSession *s;
    LpDiag diag = {0};
    if (open_with(text, timeline, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static void close_run(LpSession *s) {
    unlink(path);
    lp_session_close(s);
}

static void decide(LpSession *s, uint64_t decisions) {
    LpEvent event;
    LpDiag diag;
    while (lp_world_tally(lp_session_world(s))->decisions < decisions)
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
}

/* The same names for the same mistakes, for ever: they stand in results. */
static void every_failure_has_its_kind(void **state) {
    (void)state;
    static const struct {
        const char *kind, *text;
    } LOADS[] = {
        {"syntax", HEAD "local = 1"},
        {"load", HEAD "error('no')"},
        {"load", HEAD "local x = unknown_name"},
        {"contract", "return 1"},
        {"contract", "return { name = 'x', api = 2, partition = function() end }"},
        {"budget", "while true do end"},
        {"budget", "pcall(function() while true do end end) return 1"},
    };
    static const struct {
        const char *kind, *text;
    } HOOKS[] = {
        {"runtime", HEAD HOOK "return nil + 1" TAIL},
        {"runtime", HEAD HOOK "return job.nonsense" TAIL},
        {"answer", HEAD HOOK "return 'four'" TAIL},
        {"answer", HEAD HOOK "self.mem.x = print return 1" TAIL},
        {"budget", HEAD HOOK "while true do end" TAIL},
        {"memory", HEAD HOOK "local t = {} for i = 1, 1 << 23 do t[i] = i end" TAIL},
        {"memory", HEAD HOOK "local s = 'x' while true do s = s .. s end" TAIL},
    };
    LpSession *s;
    LpDiag diag;
    for (size_t i = 0; i < LP_COUNTOF(LOADS); i++) {
        assert_int_not_equal(open_with(LOADS[i].text, false, &s, &diag), LP_OK);
        unlink(path);
        assert_non_null(diag.kind);
        assert_string_equal(diag.kind, LOADS[i].kind);
    }
    for (size_t i = 0; i < LP_COUNTOF(HOOKS); i++) {
        s = open_run(HOOKS[i].text, false);
        decide(s, 1);
        assert_int_equal(lp_session_failures(s), 1);
        assert_string_equal(lp_session_failure(s, 0)->error.kind, HOOKS[i].kind);
        assert_int_equal(lp_session_failure(s, 0)->error.line, 3);
        close_run(s);
    }
}

static const char THIRD[] = HEAD "local function pick(job)\n"
                                 "  if job.id == 2 then error('no \\27[31m \\xff\\0 luck') end\n"
                                 "  return 1\n"
                                 "end\n" HOOK "  local n = pick(job)\n  return n" TAIL;

static void a_failure_keeps_what_surrounds_it(void **state) {
    (void)state;
    LpSession *s = open_run(THIRD, false);
    decide(s, 5);
    assert_int_equal(lp_session_failures(s), 1);
    const LpFailure *f = lp_session_failure(s, 0);
    assert_string_equal(f->error.kind, "runtime");
    assert_string_equal(f->call, "partition(job 2)");
    assert_int_equal(f->job, 2);
    assert_int_equal(f->decision, 3);
    assert_int_equal(f->error.line, 3);
    assert_non_null(strstr(f->what, "of 32 servers free"));
    assert_non_null(strstr(f->traceback, ":3: in pick"));
    assert_non_null(strstr(f->source, ">    3 |   if job.id == 2 then error("));
    assert_non_null(strstr(f->source, "     1 | local policy"));
    LpBuf text = {0};
    lp_failure_text(f, &text);
    for (const char *c = lp_buf_text(&text); *c; c++)
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
    lp_buf_clear(&text);
    lp_failure_json(lp_session_scenario(s), f, &(LpJsonOut){.out = &text});
    const char *json = lp_buf_text(&text);
    assert_non_null(strstr(json, "{\"kind\":\"runtime\",\"hook\":\"partition\",\"decision\":3,"));
    assert_non_null(strstr(json, "\"job\":2,\"file\":\"lightpath-failure-"));
    assert_non_null(strstr(json, "\"line\":3,\"message\":\"partition(job 2): no "));
    for (const char *c = json; *c; c++)
        assert_true((unsigned char)*c >= 0x20 && (unsigned char)*c <= 0x7e);
    lp_buf_fini(&text);
    close_run(s);
}

static void a_failure_belongs_to_its_moment(void **state) {
    (void)state;
    LpSession *s = open_run(THIRD, true);
    LpDiag diag;
    uint64_t at;
    decide(s, 3);
    LpMoment failed = lp_session_moment(s);
    assert_non_null(lp_session_policy_error(s));
    decide(s, 8);
    assert_null(lp_session_policy_error(s));
    for (uint64_t step = 0; step <= lp_session_tip(s, 0); step++) {
        assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
        assert_int_equal(lp_session_policy_error(s) != NULL, step == failed.step);
    }
    assert_int_equal(lp_session_seek(s, failed.step, &diag), LP_OK);
    assert_string_equal(lp_session_policy_error(s)->kind, "runtime");
    assert_non_null(strstr(lp_session_failure_here(s)->traceback, "in pick"));
    at = lp_session_failure_here(s)->decision;
    assert_int_equal(at, 3);
    assert_int_equal(lp_session_seek(s, failed.step - 1, &diag), LP_OK);
    LpEvent event;
    assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
    assert_non_null(lp_session_policy_error(s));
    assert_int_equal(lp_session_failures(s), 1);
    close_run(s);
}

static LpErr append(void *user, const char *bytes, size_t len, LpDiag *diag) {
    (void)diag;
    lp_buf_add_bytes(user, bytes, len);
    return LP_OK;
}

static void refused_actions_are_failures(void **state) {
    (void)state;
    LpSession *s = open_run(HEAD HOOK "return 1\nend\nfunction policy:review(event, cluster)\n"
                                      "  if event.kind ~= 'wake' then\n"
                                      "    return { { 'resume', job = 0 } }\n  end" TAIL,
                            false);
    LpBuf json = {0};
    LpDiag diag;
    decide(s, 2);
    assert_true(lp_session_failures(s) > 0);
    assert_string_equal(lp_session_failure(s, 0)->error.kind, "refused");
    assert_int_equal(lp_session_failure(s, 0)->job, LP_NO_INDEX);
    assert_int_equal(lp_report_write(s, LP_REPORT_JSON, append, &json, &diag), LP_OK);
    assert_non_null(strstr(lp_buf_text(&json),
                           "\"policy_errors\":[\n{\"kind\":\"refused\",\"hook\":"
                           "\"review\",\"decision\":1,"));
    lp_buf_fini(&json);
    close_run(s);
}

/* Whatever a script says, results are plain text on one line each. */
static void reasons_are_shown_escaped(void **state) {
    (void)state;
    LpSession *s = open_run(HEAD HOOK "return nil, 'a\\0b\\27[2J\\xff'" TAIL, false);
    LpBuf json = {0};
    LpDiag diag;
    decide(s, 1);
    assert_non_null(strstr(lp_session_why(s, 0).why, "a\\x00b"));
    assert_int_equal(lp_report_write(s, LP_REPORT_JSON, append, &json, &diag), LP_OK);
    assert_non_null(strstr(lp_buf_text(&json), "a\\\\x00b"));
    for (const char *c = lp_buf_text(&json); *c; c++)
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
    assert_null(strchr(lp_buf_text(&json), '\xff'));
    lp_buf_fini(&json);
    close_run(s);
}

TEST_GROUP(test_session_failure) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_has_its_kind),
        cmocka_unit_test(a_failure_keeps_what_surrounds_it),
        cmocka_unit_test(a_failure_belongs_to_its_moment),
        cmocka_unit_test(refused_actions_are_failures),
        cmocka_unit_test(reasons_are_shown_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
