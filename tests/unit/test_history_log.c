/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision log: every kind of answer survives writing and reading; nothing half written. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "history/log.h"

static void names_are_unique_and_found(void **state) {
    (void)state;
    LpRecordKind kind;
    LpDiag diag;
    for (int k = 0; k < LP_RECORD_COUNT; k++) {
        assert_int_equal(lp_record_find(lp_record_name((LpRecordKind)k), &kind, &diag), LP_OK);
        assert_int_equal(kind, k);
    }
    kind = LP_RECORD_WAIT;
    assert_int_equal(lp_record_find("teleport", &kind, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "teleport"));
    assert_int_equal(kind, LP_RECORD_WAIT);
}

static void round_trip(const LpAnswer *answer, uint32_t ops, LpAnswer *back, LpLog *log,
                       LpAnswerRoom *room) {
    uint32_t job = 0;
    size_t next = 0, before = lp_log_count(log);
    assert_int_equal(lp_log_answer(log, 2.5, 10 + before, 7, ops, answer, NULL), LP_OK);
    assert_int_equal(lp_log_read_answer(log, before, room, back, &job, &next, NULL), LP_OK);
    assert_int_equal(job, 7);
    assert_int_equal(next, lp_log_count(log));
    assert_int_equal(back->kind, answer->kind);
    assert_string_equal(back->why, answer->why != NULL ? answer->why : "");
}

static void every_answer_comes_back(void **state) {
    (void)state;
    const uint32_t ways[] = {4, 1, 2}, block[] = {9, 3, 5, 1}, begin[] = {0, 4, 5, 7};
    const uint32_t parts[] = {1, 2, 3, 4, 1, 1, 2};
    LpLog *log = lp_log_new();
    LpAnswerRoom *room = lp_answer_room_new();
    LpAnswer back;
    assert_true(log != NULL && room != NULL);

    LpAnswer plain = {.kind = LP_ANSWER_RUN, .degree = 8, .why = "8 ways"};
    round_trip(&plain, 3, &back, log, room);
    assert_int_equal(back.degree, 8);
    assert_null(back.ways);
    assert_int_equal(back.servers, 0);

    LpAnswer full = {.kind = LP_ANSWER_RUN,
                     .ways = ways,
                     .servers = 4,
                     .server = block,
                     .has_partition_kind = true,
                     .partition_kind = LP_PARTITION_DATA,
                     .order_ops = LP_ORDER_FIFO,
                     .order_flows = LP_ORDER_CRITICAL_PATH};
    round_trip(&full, 3, &back, log, room);
    assert_memory_equal(back.ways, ways, sizeof ways);
    assert_int_equal(back.servers, 4);
    assert_memory_equal(back.server, block, sizeof block);
    assert_true(back.has_partition_kind && back.partition_kind == LP_PARTITION_DATA);
    assert_int_equal(back.order_ops, LP_ORDER_FIFO);
    assert_null(back.op_priority);
    assert_int_equal(back.order_flows, LP_ORDER_CRITICAL_PATH);

    static const double first[] = {3, -1.5, 0}, second[] = {1e300};
    LpAnswer listed = {.kind = LP_ANSWER_RUN,
                       .degree = 2,
                       .op_priority = first,
                       .op_priorities = 3,
                       .flow_priority = second,
                       .flow_priorities = 1};
    round_trip(&listed, 3, &back, log, room);
    assert_int_equal(back.op_priorities, 3);
    assert_memory_equal(back.op_priority, first, sizeof first);
    assert_int_equal(back.flow_priorities, 1);
    assert_memory_equal(back.flow_priority, second, sizeof second);

    LpAnswer placed = {
        .kind = LP_ANSWER_RUN, .degree = 4, .part_begin = begin, .part_server = parts};
    round_trip(&placed, 3, &back, log, room);
    assert_memory_equal(back.part_begin, begin, sizeof begin);
    assert_memory_equal(back.part_server, parts, sizeof parts);

    LpAnswer planned = {.kind = LP_ANSWER_RUN,
                        .degree = 16,
                        .has_plan = true,
                        .parallel = {.tensor = 2,
                                     .pipeline = 4,
                                     .data = 2,
                                     .expert = 2,
                                     .chunks = 3,
                                     .micro_batch = 5,
                                     .batch = 960,
                                     .recompute = LP_RECOMPUTE_SELECTIVE,
                                     .sequence = true}};
    round_trip(&planned, 3, &back, log, room);
    assert_true(back.has_plan && back.ways == NULL);
    assert_int_equal(back.degree, 16);
    assert_int_equal(back.parallel.tensor, 2);
    assert_int_equal(back.parallel.pipeline, 4);
    assert_int_equal(back.parallel.data, 2);
    assert_int_equal(back.parallel.expert, 2);
    assert_int_equal(back.parallel.chunks, 3);
    assert_int_equal(back.parallel.micro_batch, 5);
    assert_int_equal(back.parallel.batch, 960);
    assert_int_equal(back.parallel.recompute, LP_RECOMPUTE_SELECTIVE);
    assert_true(back.parallel.sequence && !back.parallel.wait);
    round_trip(&plain, 3, &back, log, room);
    assert_false(back.has_plan);

    LpAnswer wait = {.kind = LP_ANSWER_WAIT, .has_retry = true, .retry = 12.5, .why = "later"};
    round_trip(&wait, 3, &back, log, room);
    assert_true(back.has_retry && back.retry == 12.5);

    LpAnswer decline = {.kind = LP_ANSWER_DECLINE, .cause = LP_CAUSE_POLICY_ERROR};
    round_trip(&decline, 3, &back, log, room);
    assert_int_equal(back.cause, LP_CAUSE_POLICY_ERROR);
    lp_answer_room_free(room);
    lp_log_free(log);
}

static void answers_follow_each_other(void **state) {
    (void)state;
    LpLog *log = lp_log_new();
    LpAnswerRoom *room = lp_answer_room_new();
    for (uint32_t j = 0; j < 200; j++) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = j, .order_ops = LP_ORDER_FIFO};
        assert_int_equal(lp_log_answer(log, j, j, j, 0, &answer, NULL), LP_OK);
    }
    size_t at = 0;
    for (uint32_t j = 0; j < 200; j++) {
        LpAnswer back;
        uint32_t job;
        assert_int_equal(lp_log_read_answer(log, at, room, &back, &job, &at, NULL), LP_OK);
        assert_int_equal(job, j);
        assert_int_equal(back.degree, j);
    }
    assert_int_equal(at, lp_log_count(log));
    LpAnswer back;
    uint32_t job;
    LpDiag diag;
    assert_int_equal(lp_log_read_answer(log, at, room, &back, &job, &at, &diag), LP_ERANGE);
    lp_answer_room_free(room);
    lp_log_free(log);
}

static void damage_is_refused(void **state) {
    (void)state;
    static const double half[] = {4, -1, 3, 1}; /* three ways promised, one there */
    static const double rule[] = {99}, parts[] = {-1, 5, 1};
    const LpRecord bad[] = {
        {.kind = LP_RECORD_PARTITION, .subject = 1, .event = 0, .count = 4, .payload = half},
        {.kind = LP_RECORD_ORDER_OPS, .subject = 1, .event = 1, .count = 1, .payload = rule},
        {.kind = LP_RECORD_PLACE, .subject = 1, .event = 2, .count = 3, .payload = parts},
        {.kind = LP_RECORD_FAILURE, .subject = 1, .event = 3}};
    LpLog *log = lp_log_new();
    LpAnswerRoom *room = lp_answer_room_new();
    for (size_t i = 0; i < LP_COUNTOF(bad); i++)
        assert_int_equal(lp_log_append(log, &bad[i], NULL), LP_OK);
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        LpAnswer back = {.degree = 77};
        uint32_t job = 55;
        size_t next = 44;
        LpDiag diag;
        assert_int_equal(lp_log_read_answer(log, i, room, &back, &job, &next, &diag), LP_EINVAL);
        assert_true(diag.text[0] != '\0');
        assert_true(back.degree == 77 && job == 55 && next == 44);
    }
    LpRecord unknown = {.kind = (LpRecordKind)LP_RECORD_COUNT};
    assert_int_equal(lp_log_append(log, &unknown, NULL), LP_EINVAL);
    assert_int_equal(lp_log_count(log), LP_COUNTOF(bad));
    lp_answer_room_free(room);
    lp_log_free(log);
}

static void hash_sees_everything(void **state) {
    (void)state;
    LpLog *a = lp_log_new(), *b = lp_log_new();
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 2, .why = "x"};
    assert_int_equal(lp_log_answer(a, 1, 1, 1, 0, &answer, NULL), LP_OK);
    answer.why = "y";
    assert_int_equal(lp_log_answer(b, 1, 1, 1, 0, &answer, NULL), LP_OK);
    assert_true(lp_log_hash(a) != lp_log_hash(b));
    lp_log_free(a);
    lp_log_free(b);
}

TEST_GROUP(test_history_log) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_found), cmocka_unit_test(every_answer_comes_back),
        cmocka_unit_test(answers_follow_each_other), cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(hash_sees_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
