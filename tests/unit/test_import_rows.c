/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of import/rows: every row is taken or left out once, order, samples, windows, moments, and
 * what tables say of rows that they cannot read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "import/import.h"
#include "import/rows/table.h"

static char FILE_NAME[] = "/tmp/lightpath-import-rows-XXXXXX";

/* ---- moments ---- */

static void test_moments(void **state) {
    static const struct {
        const char *text;
        int64_t seconds;
        bool offset;
    } good[] = {
        {"1970-01-01 00:00:00", 0, false},
        {"1969-12-31T23:59:59", -1, false},
        {"2000-02-29 12:00:00", 951825600, false},
        {"2020-06-09T18:41:01Z", 1591728061, true},
        {"2023-03-01 00:18:22+08:00", 1677601102, true},
        {"2023-02-28 13:18:22-0300", 1677601102, true},
        {"2016-12-31 23:59:60", 1483228800, false},
    };
    static const char *const bad[] = {"",
                                      "2026-02-30 10:00:00",
                                      "2100-02-29 00:00:00",
                                      "2026-13-01 00:00:00",
                                      "2026-00-01 00:00:00",
                                      "2026-01-01 24:00:00",
                                      "2026-01-01 00:60:00",
                                      "2026-01-01 00:00:00.",
                                      "2026-01-01 00:00:00+25:00",
                                      "2026-01-01 00:00:00 ",
                                      "2026-1-1 00:00:00",
                                      "9999-01-01 00:00:00",
                                      "Unknown"};
    int64_t ns;
    bool offset;
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(good); i++) {
        assert_true(lp_when_parse(good[i].text, &ns, &offset));
        assert_int_equal(ns, good[i].seconds * 1000000000);
        assert_int_equal(offset, good[i].offset);
    }
    for (size_t i = 0; i < LP_COUNTOF(bad); i++)
        assert_false(lp_when_parse(bad[i], &ns, NULL));
    assert_true(lp_when_parse("1970-01-01 00:00:01.2500000019", &ns, NULL));
    assert_int_equal(ns, 1250000001);
}

static void test_spans(void **state) {
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"1-02:03:04", 93784}, {"02:03:04", 7384}, {"03:04", 184}, {"00:00:01.5", 1.5}};
    static const char *const bad[] = {"", "soon", "5", "1-", "1-5", "1:2:3:4", "1:2x", "1-2-3"};
    double seconds;
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(good); i++) {
        assert_true(lp_span_parse(good[i].text, &seconds));
        assert_true(seconds == good[i].seconds);
    }
    for (size_t i = 0; i < LP_COUNTOF(bad); i++)
        assert_false(lp_span_parse(bad[i], &seconds));
}

/* ---- rows ---- */

static void take(LpJobRows *rows, const char *id, double submit, uint32_t servers, double duration,
                 const char *is) {
    LpDiag diag;
    LpTraceJob job = {.id = id,
                      .user = "ada",
                      .state = is,
                      .submit_ns = (int64_t)(submit * 1e9),
                      .duration = duration,
                      .gpus = servers,
                      .servers = servers};
    assert_int_equal(lp_rows_take(rows, &job, &diag), LP_OK);
}

static void expect_order(const LpJobRows *rows, const char *ids) {
    LpTraceJob job;
    assert_int_equal(lp_rows_taken(rows), strlen(ids));
    for (size_t i = 0; ids[i] != '\0'; i++) {
        lp_rows_job(rows, i, &job, NULL);
        assert_int_equal(job.id[0], ids[i]);
    }
}

static LpJobRows *five(void) {
    LpJobRows *rows;
    LpDiag diag;
    assert_int_equal(lp_rows_new(&rows, &diag), LP_OK);
    take(rows, "a", 100, 4, 10, "completed");
    take(rows, "b", 90, 1, 20, "failed");
    take(rows, "c", 100, 8, 30, "completed");
    lp_rows_leave(rows, LP_LEFT_NO_GPUS);
    take(rows, "d", 95, 2, 40, NULL);
    take(rows, "e", 200, 3, 50, "completed");
    return rows;
}

static void test_order_is_that_of_submission(void **state) {
    LpJobRows *rows = five();
    LpImportOptions none = {0};
    LpTraceJob job;
    LpDiag diag;
    double arrival;
    (void)state;
    assert_int_equal(lp_rows_finish(rows, &none, &diag), LP_OK);
    expect_order(rows, "bdace"); /* a and c came at once, in the order of the file */
    lp_rows_job(rows, 1, &job, &arrival);
    assert_true(arrival == 5);
    assert_int_equal(lp_rows_count(rows), 6);
    LpRowsSums sums = lp_rows_sums(rows);
    assert_true(sums.server_hours == (40 + 20 + 240 + 80 + 150) / 3600.0);
    assert_int_equal(sums.largest, 8);
    assert_true(sums.over == 110);
    lp_rows_free(rows);
}

static void test_options_leave_out_for_one_reason_each(void **state) {
    LpJobRows *rows = five();
    LpImportOptions options = {
        .servers = 4, .from = 5, .to = 100, .keep = "completed,cancelled", .scale_time = 2};
    LpTraceJob job;
    LpDiag diag;
    double arrival;
    (void)state;
    assert_int_equal(lp_rows_finish(rows, &options, &diag), LP_OK);
    expect_order(rows, "a");
    assert_int_equal(lp_rows_left(rows, LP_LEFT_TOO_LARGE), 1);      /* c */
    assert_int_equal(lp_rows_left(rows, LP_LEFT_OUTSIDE_WINDOW), 2); /* b, e */
    assert_int_equal(lp_rows_left(rows, LP_LEFT_STATE), 1);          /* d */
    assert_int_equal(lp_rows_left(rows, LP_LEFT_NO_GPUS), 1);
    assert_int_equal(lp_rows_count(rows), 6);
    lp_rows_free(rows);
    rows = five();
    options = (LpImportOptions){.servers = 4, .fit = LP_FIT_CAP, .scale_time = 2};
    assert_int_equal(lp_rows_finish(rows, &options, &diag), LP_OK);
    lp_rows_job(rows, 3, &job, &arrival);
    assert_int_equal(job.servers, 4);
    assert_true(arrival == 5);
    lp_rows_free(rows);
    rows = five();
    options = (LpImportOptions){.servers = 4, .fit = LP_FIT_ERROR};
    assert_int_equal(lp_rows_finish(rows, &options, &diag), LP_EREFUSED);
    assert_non_null(strstr(diag.text, "job c needs 8 servers"));
    lp_rows_free(rows);
    rows = five();
    options = (LpImportOptions){.servers_per_unit = 3};
    assert_int_equal(lp_rows_finish(rows, &options, &diag), LP_OK);
    lp_rows_job(rows, 3, &job, NULL);
    assert_int_equal(job.servers, 3); /* 8 GPUs */
    lp_rows_job(rows, 4, &job, NULL);
    assert_int_equal(job.servers, 1); /* 3 */
    lp_rows_free(rows);
}

static void take_on(LpJobRows *rows, uint32_t gpus, uint32_t nodes) {
    LpDiag diag;
    LpTraceJob job = {.duration = 1, .gpus = gpus, .servers = gpus, .nodes = nodes};
    assert_int_equal(lp_rows_take(rows, &job, &diag), LP_OK);
}

static void expect_place(const LpJobRows *rows, uint64_t i, uint32_t servers, bool in_one,
                         uint32_t segment) {
    LpTraceJob job;
    lp_rows_job(rows, i, &job, NULL);
    assert_int_equal(job.servers, servers);
    assert_int_equal(job.in_one_host, in_one);
    assert_int_equal(job.segment, segment);
}

/* Hosts of 8 GPUs: 3 fit in one; 16 on 4 hosts are 4 in each; 12 on 2 are 6; 20 on 3 are no even
 * number, and 20 that say nothing are 3 whole hosts; 24 on 2 do not fit so. */
static void test_gpus_lie_in_hosts(void **state) {
    LpJobRows *rows;
    LpDiag diag;
    LpImportOptions options = {.gpus_per_node = 8, .level_servers = 20};
    const LpRowsNote *note;
    (void)state;
    assert_int_equal(lp_rows_new(&rows, &diag), LP_OK);
    take_on(rows, 3, 1);
    take_on(rows, 16, 4);
    take_on(rows, 12, 2);
    take_on(rows, 20, 3);
    take_on(rows, 20, 0);
    take_on(rows, 24, 2);
    assert_int_equal(lp_rows_finish(rows, &options, &diag), LP_OK);
    assert_int_equal(lp_rows_left(rows, LP_LEFT_TOO_LARGE_LEVEL), 3); /* of 24 now */
    expect_place(rows, 0, 3, true, 0);
    expect_place(rows, 1, 16, false, 4);
    expect_place(rows, 2, 12, false, 6);
    assert_int_equal(lp_rows_notes(rows, &note), 1);
    assert_string_equal(note->word, "jobs_get_whole_hosts");
    assert_int_equal(note->count, 2);
    lp_rows_free(rows);
}

/* A server is a host: nodes count; without them 8 GPUs are a host. */
static void test_a_server_may_be_a_host(void **state) {
    LpJobRows *rows;
    LpDiag diag;
    LpImportOptions options = {.hosts = true};
    const LpRowsNote *note;
    (void)state;
    assert_int_equal(lp_rows_new(&rows, &diag), LP_OK);
    take_on(rows, 16, 4);
    take_on(rows, 16, 0);
    take_on(rows, 17, 0);
    assert_int_equal(lp_rows_finish(rows, &options, &diag), LP_OK);
    expect_place(rows, 0, 4, false, 0);
    expect_place(rows, 1, 2, false, 0);
    expect_place(rows, 2, 3, false, 0);
    assert_int_equal(lp_rows_notes(rows, &note), 1);
    assert_int_equal(note->count, 2);
    lp_rows_free(rows);
}

/* A sample keeps a job for its id, whatever else the trace holds. */
static void test_samples_of_two_traces_agree(void **state) {
    enum { JOBS = 4000 };
    bool kept[2][JOBS] = {{false}};
    (void)state;
    for (int way = 0; way < 2; way++) {
        LpJobRows *rows;
        LpDiag diag;
        LpImportOptions options = {.sample = 1000, .seed = 7};
        assert_int_equal(lp_rows_new(&rows, &diag), LP_OK);
        for (int i = 0; i < JOBS; i++) {
            char id[16];
            int number = way == 0 ? i : JOBS - 1 - i;
            snprintf(id, sizeof id, "%d", number);
            take(rows, id, way == 0 ? number : 3 * i, 1, 1, NULL);
        }
        assert_int_equal(lp_rows_finish(rows, &options, &diag), LP_OK);
        assert_in_range(lp_rows_taken(rows), 850, 1150);
        assert_int_equal(lp_rows_taken(rows) + lp_rows_left(rows, LP_LEFT_NOT_SAMPLED), JOBS);
        for (uint64_t i = 0; i < lp_rows_taken(rows); i++) {
            LpTraceJob job;
            lp_rows_job(rows, i, &job, NULL);
            kept[way][atoi(job.id)] = true;
        }
        lp_rows_free(rows);
    }
    assert_memory_equal(kept[0], kept[1], sizeof kept[0]);
}

static void test_the_last_run_of_a_job_counts(void **state) {
    LpJobRows *rows;
    LpDiag diag;
    LpTraceJob job = {.duration = 1, .gpus = 1, .servers = 1};
    LpImportOptions none = {0};
    (void)state;
    assert_int_equal(lp_rows_new(&rows, &diag), LP_OK);
    for (int run = 0; run < 2; run++)
        for (int i = 0; i < 3000; i++) {
            char id[16];
            snprintf(id, sizeof id, "j%d", i);
            job.id = id;
            job.submit_ns = i;
            job.duration = run + 1;
            if (run == 0 || i % 3 == 0)
                assert_int_equal(lp_rows_take_last(rows, &job, &diag), LP_OK);
        }
    assert_int_equal(lp_rows_finish(rows, &none, &diag), LP_OK);
    assert_int_equal(lp_rows_taken(rows), 3000);
    assert_int_equal(lp_rows_left(rows, LP_LEFT_REQUEUED), 1000);
    for (uint64_t i = 0; i < 3000; i++) {
        lp_rows_job(rows, i, &job, NULL);
        assert_true(job.duration == (i % 3 == 0 ? 2 : 1));
        assert_int_equal(atoi(job.id + 1), i);
    }
    lp_rows_free(rows);
}

/* ---- tables ---- */

static LpErr read_text(const char *format, const char *text, const LpImportOptions *options,
                       LpImport *out, LpDiag *diag) {
    const char *const file[] = {FILE_NAME};
    FILE *to = fopen(FILE_NAME, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, strlen(text), to), strlen(text));
    assert_int_equal(fclose(to), 0);
    return lp_import_read(lp_format_find(format), file, 1, options, out, diag);
}

static void test_fields_in_quotes(void **state) {
    static const char text[] =
        "\"name\",num_gpu , gpu_milli,pod_phase,creation_time,deletion_time,scheduled_time\n"
        "\"a \"\"b\"\", c\", 1 ,500,Failed,10,20,15\r\n"
        "\n"
        "d,2,1000,Running,5,20.5,15,\n";
    LpImportOptions options = {.lenient = true};
    LpImport import;
    LpTraceJob job;
    LpDiag diag;
    (void)state;
    assert_int_equal(read_text("openb", text, &options, &import, &diag), LP_OK);
    assert_int_equal(lp_rows_taken(import.reading.rows), 1);
    lp_rows_job(import.reading.rows, 0, &job, NULL);
    assert_string_equal(job.id, "a \"b\", c");
    assert_string_equal(job.state, "failed");
    assert_true(job.gpus == .5);
    const LpDiag *bad;
    assert_int_equal(lp_rows_bad_rows(import.reading.rows, &bad), 1);
    assert_int_equal(bad->line, 4);
    assert_string_equal(bad->text, "line 4 has 8 fields, expected 7");
    lp_import_free(&import);
}

static void test_a_bad_table_is_refused_with_its_place(void **state) {
    static const char head[] =
        "name,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,scheduled_time\n";
    static const struct {
        const char *row, *tells;
    } bad[] = {
        {"a,1.5,1000,Running,1,2,1\n", "line 2 asks for 1.5 GPUs"},
        {"a,one,1000,Running,1,2,1\n", "num_gpu is \"one\", expected a number"},
        {"a,1,1000,Running,1,2,nan\n", "expected a finite number"},
        {"a,1,1000,Running,1,2,1e12\n", "expected less than 4.5e+09 s"},
        {"\"a,1,1000,Running,1,2,1\n", "ends inside a quoted field"},
        {"\"a\"b,1,1000,Running,1,2,1\n", "letters behind the quotes of field 1"},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        char text[512];
        LpImportOptions options = {0};
        LpImport import;
        LpDiag diag;
        snprintf(text, sizeof text, "%s%s", head, bad[i].row);
        assert_int_equal(read_text("openb", text, &options, &import, &diag), LP_EPARSE);
        assert_int_equal(diag.line, 2);
        assert_string_equal(diag.file, FILE_NAME);
        assert_non_null(strstr(diag.text, bad[i].tells));
        lp_import_free(&import);
    }
}

/* Random tables: whatever stands in a row, it is counted once. */
static void test_rows_are_taken_or_left_out(void **state) {
    static const char *const value[] = {"0", "1", "2", "-1", "", "x", "7.5", "1e9"};
    LpRng rng = lp_rng_stream(11, "rows", 0);
    (void)state;
    for (unsigned round = 0; round < test_share(300); round++) {
        LpImportOptions options = {.lenient = true, .servers = round % 2};
        LpBuf text = {0};
        LpImport import;
        LpDiag diag;
        uint64_t rows = lp_rng_below(&rng, 40);
        lp_buf_add(&text, "name,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,"
                          "scheduled_time\n");
        for (uint64_t i = 0; i < rows; i++) {
            for (int f = 0; f < 7; f++)
                lp_buf_addf(&text, "%s%s", f > 0 ? "," : "r",
                            value[lp_rng_below(&rng, LP_COUNTOF(value))]);
            lp_buf_add(&text, "\n");
        }
        assert_int_equal(read_text("openb", lp_buf_text(&text), &options, &import, &diag), LP_OK);
        assert_int_equal(lp_rows_count(import.reading.rows), rows);
        lp_import_free(&import);
        lp_buf_fini(&text);
    }
}

static void test_formats_are_told_apart(void **state) {
    static const struct {
        const char *text, *format;
    } head[] = {
        {"JobIDRaw|Submit|Start\n", "sacct"},
        {"Submit|JobID|Start|\n", "sacct"},
        {"; MaxProcs: 8\n1 0 5 100 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1\n", "swf"},
        {"1 0 5 100 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1", "swf"},
        {"1 0 5 100 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1\n", NULL},
        {"name,cpu_milli,num_gpu,gpu_milli,pod_phase\n", "openb"},
        {"{\"lightpath\": 1}", NULL},
        {" ", NULL},
        {"", "(refused)"},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(head); i++) {
        const LpFormat *format;
        LpDiag diag;
        FILE *to = fopen(FILE_NAME, "wb");
        assert_non_null(to);
        assert_int_equal(fwrite(head[i].text, 1, strlen(head[i].text), to), strlen(head[i].text));
        assert_int_equal(fclose(to), 0);
        if (head[i].text[0] == '\0') {
            assert_int_equal(lp_format_of(FILE_NAME, &format, &diag), LP_EPARSE);
            assert_string_equal(diag.text, "the file is empty");
            continue;
        }
        assert_int_equal(lp_format_of(FILE_NAME, &format, &diag), LP_OK);
        if (head[i].format == NULL)
            assert_null(format);
        else
            assert_string_equal(format->name, head[i].format);
    }
}

/* Every format has a name of its own, a sentence, and what its kind needs. */
static void test_the_table_is_whole(void **state) {
    const LpFormat *const *format;
    size_t formats = lp_formats(&format);
    (void)state;
    assert_true(formats >= 5);
    for (size_t i = 0; i < formats; i++) {
        assert_ptr_equal(lp_format_find(format[i]->name), format[i]);
        assert_true(strlen(format[i]->name) <= 16);
        assert_true(strlen(format[i]->what) > 10);
        assert_non_null(format[i]->read);
        assert_true(format[i]->least >= 1);
        if (format[i]->makes == LP_MAKES_STEP || format[i]->makes == LP_MAKES_FAULTS)
            assert_non_null(format[i]->report);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(format[i]->name, format[j]->name);
    }
}

/* A name of this process alone, so that two runs on one machine do not meet. */
static int make_file(void **state) {
    (void)state;
    int file = mkstemp(FILE_NAME);
    return file >= 0 ? close(file) : -1;
}

static int drop(void **state) {
    (void)state;
    return remove(FILE_NAME);
}

TEST_GROUP(test_import_rows) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_order_is_that_of_submission),
        cmocka_unit_test(test_options_leave_out_for_one_reason_each),
        cmocka_unit_test(test_gpus_lie_in_hosts),
        cmocka_unit_test(test_a_server_may_be_a_host),
        cmocka_unit_test(test_samples_of_two_traces_agree),
        cmocka_unit_test(test_the_last_run_of_a_job_counts),
        cmocka_unit_test(test_fields_in_quotes),
        cmocka_unit_test(test_a_bad_table_is_refused_with_its_place),
        cmocka_unit_test(test_rows_are_taken_or_left_out),
        cmocka_unit_test(test_formats_are_told_apart),
        cmocka_unit_test(test_the_table_is_whole),
    };
    return cmocka_run_group_tests(tests, make_file, drop);
}
