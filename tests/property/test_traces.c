/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of traces of jobs, tried on random ones of each format with cells that are missing,
 * odd or no numbers at all: every row is taken or left out; jobs come by submission, equal ones as
 * in the file; two samples of jobs of the same ids agree; a packed file is what it packs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "import/import.h"

static const char *const FILES[] = {"/tmp/lightpath-traces-test-1", "/tmp/lightpath-traces-test-2"};

static void put_bytes(size_t file, const char *bytes, size_t len) {
    FILE *to = fopen(FILES[file], "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, len, to), len);
    assert_int_equal(fclose(to), 0);
}

static void put(size_t file, const LpBuf *text) {
    put_bytes(file, lp_buf_text(text), text->len);
}

static void put_packed(size_t file, const LpBuf *text) {
    size_t room = text->len + 1024;
    char *packed = malloc(room);
    z_stream z = {0};
    assert_non_null(packed);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)lp_buf_text(text);
    z.avail_in = (uInt)text->len;
    z.next_out = (Bytef *)packed;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    put_bytes(file, packed, z.total_out);
    assert_int_equal(deflateEnd(&z), Z_OK);
    free(packed);
}

/* ---- random traces ---- */

/* Cells by letter: # the row's number, w a word, n a count, p a share in percent, s seconds, t a
 * moment, h a shape, k a topology, l limits of Slurm, g resources of Slurm, - nothing. */
typedef struct Form {
    const char *format, *header, *cells;
    char separator;
    const char *second; /* cells of a second file */
    const char *map;
} Form;

static const Form forms[] = {
    {"helios",
     "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration\n",
     "#wwnnnwttts", ',', NULL, NULL},
    {"acme", "job_id,user,node_num,gpu_num,type,state,submit_time,start_time,end_time\n",
     "#wnnwwttt", ',', NULL, NULL},
    {"tiresias", "job_id,num_gpu,submit_time,iterations,model_name,duration\n", "#nsnws", ',', NULL,
     NULL},
    {"openb", "name,num_gpu,gpu_milli,qos,pod_phase,creation_time,deletion_time,scheduled_time\n",
     "#npwwsss", ',', NULL, NULL},
    {"rfold", "#job id\n", "#skhns", ',', NULL, NULL},
    {"swf", "; MaxProcs: 8\n", "#ssnnnnnsnnnnnnnnn", ' ', NULL, NULL},
    {"sacct", "JobIDRaw|User|Submit|Start|End|State|TimelimitRaw|AllocTRES|ReqTRES\n", "#wtttwlgg",
     '|', NULL, NULL},
    {"pai", "", "#wwwss", ',', "#wnwssnnpw", NULL},
    {"csv", "id,arrival,gpus,run,user\n", "#snsw", ',', NULL, "servers=gpus,duration=run:min"},
    {"csv", "id,arrival,gpus,run,user\n", "#tnsw", ',', NULL, "servers=gpus,duration=run"},
    {"philly", NULL, NULL, ',', NULL, NULL},
};

/* A cell of a letter. The last of each list is no such thing. */
static const char *cell(char letter, LpRng *rng) {
    static const char *const words[] = {"ada", "bob", "gpu", "FAILED", "COMPLETED", "x y"};
    static const char *const counts[] = {"1", "2", "8", "64", "0", "-1", "1", "4", "1.5", "many"};
    static const char *const shares[] = {"100", "50", "1000", "25", "0", "", "half"};
    static const char *const seconds[] = {"0",   "10",   "20", "20",  "7.25",
                                          "100", "1000", "-1", "1e3", "soon"};
    static const char *const moments[] = {"2026-03-01 10:00:00", "2026-03-01 10:00:10",
                                          "2026-03-01T10:00:10", "2026-03-01 10:00:11.5",
                                          "2026-03-01 11:00:00", "2026-02-28 10:00:00",
                                          "2026-02-28 10:00:00", "2026-02-30 10:00:00"};
    static const char *const shapes[] = {"4x4x8", "4x4", "2+2", "8", "4x4x", "0x1"};
    static const char *const kinds[] = {"T3D_T", "T3D_NT", "T2D", "CLOS", "CLOS", "T4D"};
    static const char *const limits[] = {"60", "UNLIMITED", "1-00:00:00", "", "soon"};
    static const char *const tres[] = {"cpu=4,gres/gpu=8,node=1", "gres/gpu:a100=2", "cpu=1", ""};
#define PICK(list) (lp_rng_below(rng, 12) == 0 ? "" : (list)[lp_rng_below(rng, LP_COUNTOF(list))])
    switch (letter) {
    case 'w':
        return PICK(words);
    case 'n':
        return PICK(counts);
    case 'p':
        return PICK(shares);
    case 's':
        return PICK(seconds);
    case 't':
        return PICK(moments);
    case 'h':
        return PICK(shapes);
    case 'k':
        return PICK(kinds);
    case 'l':
        return PICK(limits);
    default:
        return PICK(tres);
    }
#undef PICK
}

static void add_rows(const char *cells, char separator, uint64_t rows, LpRng *rng, LpBuf *out) {
    for (uint64_t row = 0; row < rows; row++) {
        for (size_t i = 0; cells[i] != '\0'; i++) {
            const char *text = cells[i] == '#' ? "" : cell(cells[i], rng);
            if (i > 0)
                lp_buf_addf(out, "%c", separator);
            if (cells[i] == '#')
                lp_buf_addf(out, "%llu", (unsigned long long)row);
            lp_buf_add(out, separator == ' ' && text[0] == '\0' && cells[i] != '#' ? "-1" : text);
        }
        /* now and then a field is missing */
        if (lp_rng_below(rng, 20) > 0)
            lp_buf_add(out, "\n");
        else
            lp_buf_addf(out, "%cx\n", separator);
    }
}

static void add_philly_time(LpBuf *out, LpRng *rng) {
    const char *text = cell('t', rng);
    if (text[0] == '\0')
        lp_buf_add(out, lp_rng_below(rng, 2) == 0 ? "null" : "\"None\"");
    else
        lp_buf_addf(out, "\"%s\"", text);
}

static void add_philly(uint64_t rows, LpRng *rng, LpBuf *out) {
    lp_buf_add(out, "[");
    for (uint64_t row = 0; row < rows; row++) {
        lp_buf_addf(out, "%s\n{\"status\": \"Pass\", \"vc\": \"v}]\", \"jobid\": \"%llu\", %s",
                    row > 0 ? "," : "", (unsigned long long)row,
                    lp_rng_below(rng, 20) == 0 ? "" : "\"user\": null, ");
        lp_buf_add(out, "\"submitted_time\": ");
        add_philly_time(out, rng);
        lp_buf_add(out, ", \"attempts\": [");
        for (uint64_t attempts = lp_rng_below(rng, 3), i = 0; i < attempts; i++) {
            lp_buf_add(out, i > 0 ? ", {\"start_time\": " : "{\"start_time\": ");
            add_philly_time(out, rng);
            lp_buf_add(out, ", \"end_time\": ");
            add_philly_time(out, rng);
            lp_buf_addf(out, ", \"detail\": [{\"ip\": \"m\", \"gpus\": [%s]}]}",
                        lp_rng_below(rng, 6) == 0 ? "" : "\"gpu0\", \"gpu1\"");
        }
        lp_buf_add(out, "]}");
    }
    lp_buf_add(out, "\n]\n");
}

/* Both files of a form; the second is empty where the format has one. */
static void add_trace(const Form *form, uint64_t rows, LpRng *rng, LpBuf out[2]) {
    lp_buf_clear(&out[0]);
    lp_buf_clear(&out[1]);
    if (form->cells == NULL) {
        add_philly(rows, rng, &out[0]);
        return;
    }
    lp_buf_add(&out[0], form->header);
    add_rows(form->cells, form->separator, rows, rng, &out[0]);
    /* a row of the second table that cannot be read is never passed over */
    if (form->second != NULL)
        for (uint64_t row = 0; row < rows; row++)
            if (lp_rng_below(rng, 5) > 0)
                lp_buf_addf(&out[1], "%llu,w,2,T,%s,%s,,,%s,\n", (unsigned long long)row,
                            lp_rng_below(rng, 9) == 0 ? "" : "5",
                            lp_rng_below(rng, 9) == 0 ? "" : "15",
                            lp_rng_below(rng, 9) == 0 ? "" : "50");
}

static LpErr read_trace(const Form *form, LpImportOptions options, LpImport *out, LpDiag *diag) {
    static LpImportOptions kept;
    kept = options;
    kept.lenient = true;
    kept.map = form->map;
    return lp_import_read(lp_format_find(form->format), FILES, form->second != NULL ? 2 : 1, &kept,
                          out, diag);
}

static void must_read(const Form *form, LpImportOptions options, LpImport *out) {
    LpDiag diag;
    if (read_trace(form, options, out, &diag) != LP_OK)
        fail_msg("%s: line %d: %s", form->format, diag.line, diag.text);
}

/* ---- properties ---- */

/* The row's number is the job's id: equal submissions come in its order. */
static void check_order(const Form *form, const LpJobRows *rows) {
    double last = 0;
    int number = -1;
    for (uint64_t i = 0; i < lp_rows_taken(rows); i++) {
        LpTraceJob job;
        double arrival;
        lp_rows_job(rows, i, &job, &arrival);
        if (arrival < last || (arrival == last && atoi(job.id) <= number))
            fail_msg("%s: job %s came out of order", form->format, job.id);
        number = atoi(job.id);
        last = arrival;
    }
}

static uint64_t left_out(const LpJobRows *rows) {
    uint64_t sum = 0;
    for (int why = 0; why < LP_LEFT_COUNT; why++)
        sum += lp_rows_left(rows, (LpLeft)why);
    return sum;
}

static void test_rows_are_taken_or_left_out(void **state) {
    uint64_t taken[LP_COUNTOF(forms)] = {0};
    LpBuf text[2] = {{0}};
    LpRng rng = lp_rng_stream(3, "traces", 0);
    (void)state;
    for (unsigned round = 0; round < test_share(240); round++) {
        for (size_t f = 0; f < LP_COUNTOF(forms); f++) {
            LpImportOptions options = {.servers = round % 3 == 0 ? 8 : 0,
                                       .fit = round % 2 == 0 ? LP_FIT_DROP : LP_FIT_CAP,
                                       .from = round % 5 == 0 ? 10 : 0,
                                       .servers_per_unit = round % 4};
            LpImport import;
            uint64_t rows = lp_rng_below(&rng, 60);
            add_trace(&forms[f], rows, &rng, text);
            put(0, &text[0]);
            put(1, &text[1]);
            must_read(&forms[f], options, &import);
            if (lp_rows_taken(import.reading.rows) + left_out(import.reading.rows) != rows)
                fail_msg("%s: %llu rows, but %llu taken and %llu left out", forms[f].format,
                         (unsigned long long)rows,
                         (unsigned long long)lp_rows_taken(import.reading.rows),
                         (unsigned long long)left_out(import.reading.rows));
            check_order(&forms[f], import.reading.rows);
            taken[f] += lp_rows_taken(import.reading.rows);
            lp_import_free(&import);
        }
    }
    for (size_t f = 0; f < LP_COUNTOF(forms); f++)
        if (taken[f] == 0)
            fail_msg("%s: no row was ever taken", forms[f].format);
    lp_buf_fini(&text[0]);
    lp_buf_fini(&text[1]);
}

static void add_report(const Form *form, LpBuf *out) {
    LpImport import;
    LpDiag diag;
    LpImportOptions none = {0};
    lp_buf_clear(out);
    must_read(form, none, &import);
    assert_int_equal(lp_import_json(&import, true, out, &diag), LP_OK);
    lp_import_free(&import);
}

static void test_a_packed_trace_is_what_it_packs(void **state) {
    LpBuf text[2] = {{0}}, plain = {0}, packed = {0};
    LpRng rng = lp_rng_stream(5, "traces", 0);
    (void)state;
    for (unsigned round = 0; round < test_share(30); round++) {
        for (size_t f = 0; f < LP_COUNTOF(forms); f++) {
            add_trace(&forms[f], lp_rng_below(&rng, 300), &rng, text);
            put(0, &text[0]);
            put(1, &text[1]);
            add_report(&forms[f], &plain);
            put_packed(0, &text[0]);
            put_packed(1, &text[1]);
            add_report(&forms[f], &packed);
            assert_string_equal(lp_buf_text(&plain), lp_buf_text(&packed));
        }
    }
    lp_buf_fini(&text[0]);
    lp_buf_fini(&text[1]);
    lp_buf_fini(&plain);
    lp_buf_fini(&packed);
}

enum { JOBS = 600 };

/* Which of a trace's rows are in a sample of it. */
static void sample_of(const Form *form, bool kept[JOBS]) {
    LpImportOptions options = {.sample = 100, .seed = 9};
    LpImport import;
    memset(kept, 0, JOBS * sizeof *kept);
    must_read(form, options, &import);
    assert_in_range(lp_rows_taken(import.reading.rows), 60, 145);
    for (uint64_t i = 0; i < lp_rows_taken(import.reading.rows); i++) {
        LpTraceJob job;
        lp_rows_job(import.reading.rows, i, &job, NULL);
        kept[atoi(job.id)] = true;
    }
    lp_import_free(&import);
}

/* The same ids, whatever else the rows say, in whatever format. */
static void test_samples_agree(void **state) {
    static const Form csv = {"csv", NULL, NULL, ',', NULL, NULL};
    static const Form openb = {"openb", NULL, NULL, ',', NULL, NULL};
    bool kept[2][JOBS];
    LpBuf text = {0};
    (void)state;
    lp_buf_add(&text, "arrival,servers,duration,id\n");
    for (int i = 0; i < JOBS; i++)
        lp_buf_addf(&text, "%d,%d,%d,%d\n", (i * 7) % 50, 1 + i % 8, 1 + i % 9, i);
    put(0, &text);
    sample_of(&csv, kept[0]);
    lp_buf_clear(&text);
    lp_buf_add(&text, "name,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,"
                      "scheduled_time\n");
    for (int i = JOBS; i-- > 0;)
        lp_buf_addf(&text, "%d,1,1000,Running,%d,%d,%d\n", i, i, i + 9, i + 1);
    put(0, &text);
    sample_of(&openb, kept[1]);
    assert_memory_equal(kept[0], kept[1], sizeof kept[0]);
    lp_buf_fini(&text);
}

static int drop_files(void **state) {
    (void)state;
    (void)remove(FILES[0]);
    (void)remove(FILES[1]);
    return 0;
}

TEST_GROUP(test_traces) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_taken_or_left_out),
        cmocka_unit_test(test_a_packed_trace_is_what_it_packs),
        cmocka_unit_test(test_samples_agree),
    };
    return cmocka_run_group_tests(tests, NULL, drop_files);
}
