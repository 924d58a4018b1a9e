/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of session files: every kind of record there and back, what is refused and how, and what
 * another version of the program would have decided. */
#include <math.h>

#include "../tiny.h"
#include "group.h"

#include "io/files/chain.h"
#include "io/files/file.h"
#include "session/file.h"
#include "session/lines.h"

#define OK(call) check((call), &diag, __LINE__)
static void check(LpErr err, const LpDiag *diag, int line) {
    if (err != LP_OK)
        fail_msg("line %d: %s", line, diag->text);
}

/* ---- records ---- */

static LpErr read_step(const char *text, LpLog *log, LpArena *arena, LpStepLine *out,
                       LpDiag *diag) {
    LpJson *doc;
    LP_TRY(lp_json_parse("test", text, strlen(text), &doc, diag));
    LpErr err = lp_line_step(lp_json_root(doc), arena, log, out, diag);
    lp_json_free(doc);
    return err;
}

static void every_kind_of_record(void **state) {
    (void)state;
    LpDiag diag = {0};
    for (int kind = 0; kind < LP_RECORD_COUNT; kind++) {
        char text[600];
        LpLog *log = lp_log_new();
        LpArena *arena = lp_arena_new(0);
        LpStepLine step;
        snprintf(text, sizeof text,
                 "{\"is\":\"step\",\"branch\":0,\"step\":1,\"time\":0.1,\"events\":7,"
                 "\"hash\":\"00000000000000ff\",\"records\":[{\"kind\":\"%s\",\"time\":0.1,"
                 "\"event\":18446744073709551615,\"subject\":4294967294,\"payload\":[1,-1,0.1,"
                 "5e-324,1.7976931348623157e308,\"inf\",\"-inf\",\"nan\"],"
                 "\"why\":\"\\u202e \\\"quoted\\\" \\u001b\"}]}",
                 lp_record_name((LpRecordKind)kind));
        OK(read_step(text, log, arena, &step, &diag));
        assert_int_equal(lp_log_count(log), 1);
        const LpRecord *r = lp_log_at(log, 0);
        assert_int_equal(r->kind, kind);
        assert_true(r->event == UINT64_MAX);
        assert_int_equal(r->subject, 4294967294u);
        assert_int_equal(r->count, 8);
        assert_true(r->payload[2] == 0.1 && r->payload[3] == 5e-324);
        assert_true(r->payload[5] > 1.7e308 && r->payload[6] < -1.7e308);
        assert_true(isnan(r->payload[7]));
        assert_string_equal(r->why, "\xe2\x80\xae \"quoted\" \x1b");
        assert_true(step.has_hash && step.hash == 255);
        lp_arena_free(arena);
        lp_log_free(log);
    }
}

static void refused(const char *records, const char *said) {
    char text[600];
    LpDiag diag = {0};
    LpLog *log = lp_log_new();
    LpArena *arena = lp_arena_new(0);
    LpStepLine step;
    snprintf(text, sizeof text,
             "{\"is\":\"step\",\"branch\":0,\"step\":1,\"time\":0,\"events\":1,\"records\":%s}",
             records);
    assert_int_not_equal(read_step(text, log, arena, &step, &diag), LP_OK);
    if (strstr(diag.text, said) == NULL)
        fail_msg("%s: said \"%s\"", records, diag.text);
    lp_arena_free(arena);
    lp_log_free(log);
}

static void what_is_refused(void **state) {
    (void)state;
    refused("[{\"kind\":\"teleport\",\"time\":0,\"event\":0,\"payload\":[]}]",
            "unknown kind of record \"teleport\"");
    refused("[{\"kind\":\"wait\",\"event\":0,\"payload\":[]}]", "\"time\" is missing");
    refused("[{\"kind\":\"wait\",\"time\":0,\"event\":-1,\"payload\":[]}]", "whole number");
    refused("[{\"kind\":\"wait\",\"time\":0,\"event\":0,\"subject\":4294967295,\"payload\":[]}]",
            "no number of a job");
    refused("[{\"kind\":\"wait\",\"time\":0,\"event\":0,\"payload\":{}}]", "list");
    refused("[{\"kind\":\"wait\",\"time\":0,\"event\":0,\"payload\":[\"1\"]}]", "number");
    refused("[{\"kind\":\"wait\",\"time\":0,\"event\":0,\"payload\":[1e999]}]", "large");
    refused("[{\"kind\":\"wait\",\"kind\":\"wait\",\"time\":0}]", "kind");
    refused("[7]", "object");
    refused("7", "list");
}

static void numbers_that_cannot_be(void **state) {
    (void)state;
    static const struct {
        LpRecordKind kind;
        uint32_t count;
        double payload[6];
        bool good;
    } records[] = {
        {LP_RECORD_PARTITION, 3, {4, -1, 0}, true},
        {LP_RECORD_PARTITION, 5, {4, -1, 2, 1, 2}, true},
        {LP_RECORD_PARTITION, 4, {4, -1, 1, 1}, false}, /* of two ops only one */
        {LP_RECORD_PARTITION, 3, {4, -1, 2}, false},
        {LP_RECORD_PARTITION, 3, {-1, -1, 0}, false},
        {LP_RECORD_PARTITION, 3, {1e300, -1, 0}, false},
        {LP_RECORD_PARTITION, 3, {(double)NAN, -1, 0}, false},
        {LP_RECORD_PARTITION, 3, {1.5, -1, 0}, false},
        {LP_RECORD_PARTITION, 0, {0}, false},
        {LP_RECORD_PLACE, 2, {0, 7}, true},
        {LP_RECORD_PLACE, 6, {-1, 2, 1, 1, 0, 3}, true},
        {LP_RECORD_PLACE, 5, {-1, 2, 1, 1, 0}, false},
        {LP_RECORD_PLACE, 6, {-1, 3, 1, 1, 0, 3}, false},
        {LP_RECORD_PLACE, 4, {-1, 2, 4294967295.0, 1}, false},
        {LP_RECORD_ORDER_QUEUE, 2, {1, -1}, false},
        {LP_RECORD_ORDER_QUEUE, 1, {4294967296.0}, false},
        {LP_RECORD_MEMORY, 1, {(double)INFINITY}, false},
        {LP_RECORD_RANDOM, 1, {-2}, false},
        {LP_RECORD_WAIT, 1, {0.25}, true},
        {LP_RECORD_WAKE, 1, {1e9}, true},
    };
    for (size_t i = 0; i < LP_COUNTOF(records); i++) {
        LpDiag diag;
        LpRecord r = {
            .kind = records[i].kind, .count = records[i].count, .payload = records[i].payload};
        if ((lp_line_check_record(&r, 2, &diag) == LP_OK) != records[i].good)
            fail_msg("record %zu", i);
    }
}

/* ---- whole files ---- */

#define CORPUS LP_SOURCEDIR "/tests/fuzz/corpus/session/tiny"

/* The lines of the corpus, `from` replaced by `to` at its first place, with their hashes. */
static void edited(const char *from, const char *to, LpBuf *out) {
    char *text;
    size_t len;
    LpDiag diag = {0};
    LpBuf whole = {0};
    uint64_t chain = LP_CHAIN_START;
    OK(lp_file_read(CORPUS, 0, &text, &len, &diag));
    const char *place = from != NULL ? strstr(text, from) : text + len;
    assert_non_null(place);
    lp_buf_add_bytes(&whole, text, (size_t)(place - text));
    lp_buf_add(&whole, to);
    lp_buf_add(&whole, place + (from != NULL ? strlen(from) : 0));
    for (const char *at = lp_buf_text(&whole); *at;) {
        size_t line = strcspn(at, "\n");
        lp_chain_line(out, &chain, at, line - 1);
        at += line + (at[line] == '\n');
    }
    lp_buf_fini(&whole);
    lp_free(text);
}

static LpErr load(const char *from, const char *to, bool verify, LpSession **s, LpLoadReport *r,
                  LpDiag *diag) {
    LpBuf text = {0};
    LpLoadSpec spec = {.path = "test.session", .verify = verify};
    *s = NULL;
    edited(from, to, &text);
    LpErr err = lp_session_load_text(&spec, text.text, text.len, s, r, diag);
    lp_buf_fini(&text);
    return err;
}

static void as_recorded(void **state) {
    (void)state;
    LpDiag diag = {0};
    LpSession *s;
    LpLoadReport r;
    for (int verify = 0; verify < 2; verify++) {
        OK(load(NULL, "", verify, &s, &r, &diag));
        assert_int_equal(r.differences, 0);
        assert_int_equal(r.damage_line, 0);
        assert_true(r.ended && !r.policy_failed);
        assert_int_equal(lp_session_branches(s), 3);
        assert_true(lp_session_branch_find(s, "the last one") > 0);
        lp_session_close(s);
    }
}

/* What a scenario leaves open means what it meant when the session was written. */
static void defaults_of_then(void **state) {
    (void)state;
    static const struct {
        const char *to;
        LpPartitionKind kind;
        bool published;
    } heads[] = {
        {"\"max_memory\"", LP_PARTITION_MODEL, true},
        {"\"defaults\":1,\"max_memory\"", LP_PARTITION_MODEL, true},
        {"\"defaults\":2,\"max_memory\"", LP_PARTITION_TENSOR, false},
    };
    for (size_t i = 0; i < LP_COUNTOF(heads); i++) {
        LpDiag diag = {0};
        LpSession *s;
        LpLoadReport r;
        OK(load("\"max_memory\"", heads[i].to, false, &s, &r, &diag));
        assert_int_equal(s->scenario->partition.kind, heads[i].kind);
        assert_int_equal(s->scenario->job[0].kind, heads[i].kind);
        assert_int_equal(lp_published(&s->scenario->options, LP_OPT_SHAPES), heads[i].published);
        assert_int_equal(r.differences > 0, heads[i].kind == LP_PARTITION_TENSOR);
        lp_session_close(s);
    }
}

/* Another version would have decided otherwise. */
static void a_decision_that_differs(void **state) {
    (void)state;
    LpDiag diag = {0};
    LpSession *s;
    LpLoadReport r;
    OK(load("\"payload\":[4,-1,0]", "\"payload\":[2,-1,0]", true, &s, &r, &diag));
    assert_int_equal(r.differences, 1);
    assert_string_equal(r.branch, "main");
    assert_int_equal(r.decision, 0);
    assert_int_equal(r.job, 0);
    assert_string_equal(r.recorded, "partition 2");
    assert_string_equal(r.now, "partition 4");
    lp_session_close(s);
    /* opened, the branch ends before it, and those forked later are left out */
    OK(load("\"payload\":[4,-1,0]", "\"payload\":[2,-1,0]", false, &s, &r, &diag));
    assert_int_equal(r.differences, 1);
    assert_int_equal(r.damage_line, 0);
    assert_int_equal(lp_session_branches(s), 1);
    assert_int_equal(lp_world_tally(lp_session_world(s))->decisions, 0);
    LpEvent event; /* and it can be gone on with */
    OK(lp_session_step(s, &event, &diag));
    lp_session_close(s);
}

/* Forged with right hashes of all lines: the decision itself says when it was made, and at which
 * event. */
static void a_record_of_another_time(void **state) {
    (void)state;
    static const char record[] = "\"kind\":\"partition\",\"time\":0,\"event\":1";
    static const char *const forged[] = {"\"kind\":\"partition\",\"time\":1,\"event\":1",
                                         "\"kind\":\"partition\",\"time\":0,\"event\":2"};
    for (size_t i = 0; i < LP_COUNTOF(forged); i++) {
        LpDiag diag = {0};
        LpSession *s;
        LpLoadReport r;
        OK(load(record, forged[i], false, &s, &r, &diag));
        assert_int_equal(r.differences, 1);
        assert_int_equal(lp_world_tally(lp_session_world(s))->decisions, 0);
        lp_session_close(s);
    }
}

static void a_state_that_differs(void **state) {
    (void)state;
    LpDiag diag = {0};
    LpSession *s;
    LpLoadReport r;
    for (int verify = 0; verify < 2; verify++) {
        OK(load("\"hash\":\"", "\"hash\":\"0123456789abcdef\",\"was\":\"", verify, &s, &r, &diag));
        /* the first hash is the policy's where there is one first; a state's otherwise */
        if (r.differences > 0)
            assert_string_equal(r.recorded, "state #0123456789abcdef");
        assert_int_equal(r.differences, 1);
        lp_session_close(s);
    }
}

static void lines_that_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *said;
        bool opened;
    } edits[] = {
        {"\"lightpath-session\":1", "\"lightpath-session\":2", "reads format 1", false},
        {"\"max_memory\"", "\"defaults\":3,\"max_memory\"", "expected 1 to 2", false},
        {"\"partition\":{\"max_degree\":4}", "\"partition\":4", "partition", false},
        {"\"max_memory\":33554432", "\"max_memory\":1e17", "--max-memory", false},
        {"\"max_memory\":33554432", "\"max_memory\":-1", "max_memory", false},
        {"\"fabric\":\"ramp\"", "\"fabric\":\"rump\"", "ramp", false},
        {"\"graphs/g.txt\",\"format\"", "\"/etc/passwd\",\"format\"", "is not in the session",
         false},
        {"\"is\":\"file\"", "\"is\":\"fail\"", "unknown kind of line \"fail\"", false},
        {"\"is\":\"policy\"", "\"is\":\"polity\"", "unknown kind of line \"polity\"", true},
        {"\"kind\":\"partition\"", "\"kind\":\"partitions\"", "unknown kind of record", true},
        {"\"branch\":1,\"name\"", "\"branch\":9999999,\"name\"", "next number", true},
        {"\"parent\":0", "\"parent\":7", "no branch 7", true},
        {"\"file\":\"p.lua\"", "\"file\":\"../p.lua\"", "name of a policy's file", true},
        {"\"step\":2,", "\"step\":3,", "step 3 comes where", true},
    };
    for (size_t i = 0; i < LP_COUNTOF(edits); i++) {
        LpDiag diag = {0};
        LpSession *s;
        LpLoadReport r;
        LpErr err = load(edits[i].from, edits[i].to, false, &s, &r, &diag);
        const char *said = err == LP_OK ? r.damage : diag.text;
        if ((err == LP_OK) != edits[i].opened || strstr(said, edits[i].said) == NULL)
            fail_msg("%s: %s", edits[i].to, said);
        assert_true(err != LP_OK || r.damage_line > 0);
        lp_session_close(s);
    }
}

static void a_policy_that_does_not_load(void **state) {
    (void)state;
    LpDiag diag = {0};
    LpSession *s;
    LpLoadReport r;
    OK(load("return policy\\n", "return polity\\n", false, &s, &r, &diag));
    assert_true(r.policy_failed);
    assert_int_equal(r.differences, 0); /* what it decided stays */
    assert_int_equal(lp_session_branches(s), 3);
    lp_session_close(s);
    OK(load("'two'\\n", "'three'\\n", true, &s, &r, &diag)); /* reasons are no answers */
    assert_int_equal(r.differences, 0);
    lp_session_close(s);
    OK(load("0.4", "0.0", true, &s, &r, &diag));
    assert_int_equal(r.differences, 1);
    lp_session_close(s);
}

TEST_GROUP(test_session_lines) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_record),     cmocka_unit_test(what_is_refused),
        cmocka_unit_test(numbers_that_cannot_be),   cmocka_unit_test(as_recorded),
        cmocka_unit_test(defaults_of_then),         cmocka_unit_test(a_decision_that_differs),
        cmocka_unit_test(a_record_of_another_time), cmocka_unit_test(a_state_that_differs),
        cmocka_unit_test(lines_that_are_refused),   cmocka_unit_test(a_policy_that_does_not_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
