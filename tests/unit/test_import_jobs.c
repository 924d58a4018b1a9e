/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of import/jobs: what each reader makes of a small trace, why it leaves rows out, and what
 * it says of rows that it cannot read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/num.h"
#include "group.h"
#include "import/import.h"

static const char *const FILES[] = {"/tmp/lightpath-import-jobs-test-1",
                                    "/tmp/lightpath-import-jobs-test-2"};

static void put(size_t file, const char *text) {
    FILE *to = fopen(FILES[file], "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, strlen(text), to), strlen(text));
    assert_int_equal(fclose(to), 0);
}

/* ---- what came of a trace, as one line ---- */

static void add_job(const LpTraceJob *job, double arrival, LpBuf *out) {
    char number[4][LP_NUM_TEXT];
    lp_buf_addf(out, " | %s@%s %s/%u %s", job->id, lp_num_print(arrival, number[0]),
                lp_num_print(job->gpus, number[1]), job->servers,
                lp_num_print(job->duration, number[2]));
    if (job->requested > 0)
        lp_buf_addf(out, "<%s", lp_num_print(job->requested, number[3]));
    const char *const text[] = {job->user, job->group, job->state,
                                job->name, job->slice, job->model};
    for (size_t i = 0; i < LP_COUNTOF(text); i++)
        lp_buf_addf(out, " %s", text[i] != NULL ? text[i] : "-");
    if (job->nodes > 0)
        lp_buf_addf(out, " on %u", job->nodes);
    if (job->steps > 0)
        lp_buf_addf(out, " steps %llu", (unsigned long long)job->steps);
}

static void add_all(const LpJobRows *rows, LpBuf *out) {
    const LpRowsNote *note;
    size_t notes = lp_rows_notes(rows, &note);
    lp_buf_addf(out, "%llu", (unsigned long long)lp_rows_count(rows));
    for (int why = 0; why < LP_LEFT_COUNT; why++)
        if (lp_rows_left(rows, (LpLeft)why) > 0)
            lp_buf_addf(out, " %s %llu", lp_left_word((LpLeft)why),
                        (unsigned long long)lp_rows_left(rows, (LpLeft)why));
    for (size_t i = 0; i < notes; i++)
        lp_buf_addf(out, " (%s %llu)", note[i].word, (unsigned long long)note[i].count);
    for (uint64_t i = 0; i < lp_rows_taken(rows); i++) {
        LpTraceJob job;
        double arrival;
        lp_rows_job(rows, i, &job, &arrival);
        add_job(&job, arrival, out);
    }
}

/* Reads one text, or two (the second NULL: one), by the name of a format. */
static void expect_with(const LpImportOptions *options, const char *format, const char *one,
                        const char *two, const char *line) {
    LpImport import;
    LpBuf text = {0};
    LpDiag diag;
    put(0, one);
    if (two != NULL)
        put(1, two);
    if (lp_import_read(lp_format_find(format), FILES, two != NULL ? 2 : 1, options, &import,
                       &diag) != LP_OK)
        fail_msg("%s: %d: %s", format, diag.line, diag.text);
    add_all(import.reading.rows, &text);
    assert_string_equal(lp_buf_text(&text), line);
    lp_buf_fini(&text);
    lp_import_free(&import);
}

static void expect(const char *format, const char *text, const char *line) {
    LpImportOptions none = {0};
    expect_with(&none, format, text, NULL, line);
}

static void refuse_with(const LpImportOptions *options, const char *format, const char *one,
                        const char *two, int line, const char *says) {
    LpImport import;
    LpDiag diag = {0};
    put(0, one);
    if (two != NULL)
        put(1, two);
    assert_int_not_equal(
        lp_import_read(lp_format_find(format), FILES, two != NULL ? 2 : 1, options, &import, &diag),
        LP_OK);
    lp_import_free(&import);
    assert_string_equal(diag.text, says);
    assert_int_equal(diag.line, line);
}

static void refuse(const char *format, const char *text, int line, const char *says) {
    LpImportOptions none = {0};
    refuse_with(&none, format, text, NULL, line, says);
}

/* ---- Slurm's accounting ---- */

#define SACCT                                                                                      \
    "JobID|User|Account|Partition|JobName|Submit|Start|End|Elapsed|Timelimit|State|NNodes|"        \
    "AllocTRES|ReqTRES\n"
#define DAY "2026-03-01"

static void test_sacct(void **state) {
    LpImportOptions nodes = {.unit = LP_UNIT_NODE}, cores = {.unit = LP_UNIT_CPU};
    static const char text[] = SACCT
        "7|ada|lab||a, b|" DAY "T10:00:00|" DAY "T10:00:30|" DAY "T10:02:00|01:30|1-00:00:00|"
        "COMPLETED|2|cpu=64,gres/gpu:a=4,gres/gpu:b=4,node=2|\n"
        "7.batch|||||||" DAY "T10:02:00|01:30||COMPLETED|1|cpu=8|\n"
        /* suspended for 60 s, and cancelled; asked for what it then had not */
        "8|bob|lab|gpu|x|" DAY "T09:59:59|" DAY "T10:00:00|" DAY "T10:02:00|00:01:00|UNLIMITED|"
        "CANCELLED by 7|1|cpu=3,gres/gpu=0|gres/gpu=2\n"
        "9_[1-3%2]|bob|lab|gpu|x|" DAY "T10:00:00|Unknown|Unknown|00:00:00|30:00|PENDING|1||"
        "gres/gpu=2\n"
        "10|bob|lab|gpu|x|" DAY "T10:00:00|" DAY "T10:00:00|Unknown|00:00:05|30:00|RUNNING|1|"
        "gres/gpu=2|\n"
        "11|bob|lab|cpu|x|" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:01:00|00:01:00|"
        "Partition_Limit|TIMEOUT|3|cpu=5|\n"
        "12|bob|lab|gpu|x|" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:00:00|00:00:00||FAILED|1|"
        "gres/gpu=1|\n";
    (void)state;
    expect("sacct", text,
           "7 step 1 no_start 1 no_end 1 no_gpus 1 zero_duration 1 "
           "(elapsed_is_not_end_minus_start 1) | 8@0 2/2 60 bob gpu cancelled x - -"
           " | 7@1 8/8 90<86400 ada lab completed a, b - - on 2");
    expect_with(&nodes, "sacct", text, NULL,
                "7 step 1 no_start 1 no_end 1 zero_duration 1 (elapsed_is_not_end_minus_start 1)"
                " | 8@0 1/1 60 bob gpu cancelled x - -"
                " | 7@1 2/2 90<86400 ada lab completed a, b - - on 2"
                " | 11@1 3/3 60 bob cpu timeout x - -");
    expect_with(&cores, "sacct", text, NULL,
                "7 step 1 no_start 1 no_end 1 no_gpus 1 "
                "(elapsed_is_not_end_minus_start 1) | 8@0 3/3 60 bob gpu cancelled x - -"
                " | 7@1 64/64 90<86400 ada lab completed a, b - - on 2"
                " | 11@1 5/5 60 bob cpu timeout x - -");
    /* a bar in a name is one of the name; and with -p one ends each line */
    expect("sacct",
           "JobID|JobName|Submit|Start|End|State|AllocTRES|ReqTRES\n"
           "1|a|b || c|" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:00:10|COMPLETED|gres/gpu=2|\n"
           "2|| |" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:00:10|COMPLETED|gres/gpu=2|\n",
           "2 | 1@0 2/2 10 - - completed a|b || c - - | 2@0 2/2 10 - - completed |  - -");
    expect("sacct",
           "JobID|Submit|Start|End|State|AllocTRES|JobName|\n"
           "1|" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:00:10|COMPLETED|gres/gpu=2|a|b|\n"
           "2|" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:00:10|COMPLETED|gres/gpu=2||\n",
           "2 | 1@0 2/2 10 - - completed a|b - - | 2@0 2/2 10 - - completed - - -");
    /* before there were TRES */
    static const char old[] =
        "JobID|Submit|Start|End|State|AllocCPUS|AllocGRES|NNodes\n"
        "1|" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:00:10|FAILED|16||1\n"
        "2|" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:00:10|FAILED|8|gpu:v100:4,mps:3,gpu:1|2\n";
    expect("sacct", old, "2 no_gpus 1 | 2@0 5/5 10 - - failed - - -");
    expect_with(&nodes, "sacct", old, NULL,
                "2 | 1@0 1/1 10 - - failed - - - | 2@0 2/2 10 - - failed - - -");
    expect_with(&cores, "sacct", old, NULL,
                "2 | 1@0 16/16 10 - - failed - - - | 2@0 8/8 10 - - failed - - -");
    /* with SLURM_TIME_FORMAT=%s times are seconds since 1970 */
    expect("sacct",
           "JobIDRaw|Submit|Start|End|State|AllocTRES\n"
           "1|1795872551|1795872553|1795872560|COMPLETED|gres/gpu=2\n"
           "2|1795872554|" DAY "T10:00:00|" DAY "T10:00:10|FAILED|gres/gpu=1\n",
           "2 | 1@0 2/2 7 - - completed - - - | 2@3 1/1 10 - - failed - - -");
    /* with -p a bar ends each line; names in any case and order; the last run of an id counts */
    expect("sacct",
           "STATE|jobidraw|submit|start|end|reqtres|elapsedraw|timelimitraw|\r\n"
           "NODE_FAIL|1|" DAY "T10:00:00|" DAY "T10:00:00|" DAY "T10:00:10|gres/gpu=2|10|5|\r\n"
           "COMPLETED|1|" DAY "T10:00:00|" DAY "T10:01:00|" DAY "T10:01:20|gres/gpu=2|20||\r\n",
           "2 requeued 1 | 1@0 2/2 20 - - completed - - -");
}

static void test_sacct_refuses(void **state) {
#define FORMAT                                                                                     \
    "sacct -aPXD -o JobIDRaw,JobName,User,Account,Partition,Submit,Start,End,"                     \
    "ElapsedRaw,TimelimitRaw,State,NNodes,AllocTRES,ReqTRES"
    (void)state;
    refuse("sacct", "JobID   User\n", 1,
           "no \"|\": expected the output of sacct -P with its header, such as that "
           "of " FORMAT);
    refuse("sacct", "JobID|Start|End|State|AllocTRES\n", 1,
           "no column submit (" FORMAT " prints what is needed); the file has JobID, Start, End, "
           "State, AllocTRES");
    refuse("sacct", "Job|Submit|Start|End|State|AllocTRES\n1|||||\n", 1,
           "no column JobIDRaw or JobID: " FORMAT " prints what is needed");
    refuse("sacct", "JobID|Submit|Start|End|State\n1||||\n", 1,
           "neither AllocTRES nor ReqTRES nor AllocGRES, so how many GPUs a job had is not "
           "known: " FORMAT " prints what is needed");
    refuse("sacct",
           "JobID|Submit|Start|End|State|AllocTRES\n1|2|" DAY "T10:00:00|" DAY
           "T10:00:01|COMPLETED|gres/gpu=1\n",
           2, "submit of line 2 is \"2\", which is no time such as 2026-03-01 18:41:01");
    refuse("sacct",
           "JobID|Submit|Start|End|State|AllocTRES|Elapsed\n1||" DAY "T10:00:00|" DAY
           "T10:00:01|COMPLETED|gres/gpu=1|1-1\n",
           2, "\"1-1\" is no time such as 1-02:03:04");
#undef FORMAT
#undef DAY
}

/* ---- SWF, openb ---- */

static void test_swf(void **state) {
    (void)state;
    expect("swf",
           ";Computer: \xe9t\xe9\n; MaxProcs: 8\n\n"
           " 1 100  5 60.5 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1\n"
           "; a remark among the jobs\n"
           "2\t90 5 10 -1 -1 -1 2 0 -1 5 -1 1 -1 -1 -1 1 30\r\n"
           "3 100 5 10 0 -1 -1 0 0 -1 0 -1 1 -1 0 -1 -1 -1\n"
           "4 100 5 -1 1 -1 -1 0 0 -1 0 -1 1 -1 0 -1 -1 -1\n"
           "5 100 5 0 1 -1 -1 0 0 -1 0 -1 1 -1 0 -1 -1 -1\n"
           "6 100 5 9 1 -1 -1 0 0 -1 3 -1 1 -1 0 -1 -1 -1\n"
           "7 100 5 9 1 -1 -1 0 0 -1 -1 -1 1 -1 0 -1 -1 -1\n",
           "7 partial 1 no_processors 1 no_runtime 1 zero_duration 1 (dependencies_ignored 1) "
           "(requested_processors_taken 1) (unsorted 1) | 2@0 2/2 10 - - cancelled - - -"
           " | 1@10 4/4 60.5<200 3 1 completed - - - | 7@10 1/1 9 - 0 - - - -");
    refuse("swf", "# MaxProcs: 8\n", 1, "line 1 has 3 fields, expected 18");
    refuse("swf", "\n1 5e9 5 60 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1\n", 2,
           "field 2 (submitted) is 5e+09 s, expected less than 4.5e+09 s");
    refuse("swf", "; UnixStartTime: 4e9\n1 6e8 5 60 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1\n", 2,
           "field 2 (submitted) is 6e8: more than 5e+08 s after UnixStartTime");
}

static void expect_epoch(const char *format, const char *text, const char *map, double seconds) {
    LpImportOptions options = {.map = map};
    LpImport import;
    LpDiag diag;
    double epoch;
    put(0, text);
    assert_int_equal(lp_import_read(lp_format_find(format), FILES, 1, &options, &import, &diag),
                     LP_OK);
    assert_int_equal(lp_rows_epoch(import.reading.rows, &epoch), seconds >= 0);
    if (seconds >= 0)
        assert_true(epoch == seconds);
    lp_import_free(&import);
}

static void test_epochs(void **state) {
#define ROW "1 100.5 5 60 4 -1 -1 4 200 -1 1 3 1 -1 1 -1 -1 -1\n"
    (void)state;
    expect_epoch("swf", ROW, NULL, -1);
    expect_epoch("swf", "; UnixStartTime: 0\n" ROW, NULL, -1);
    expect_epoch("swf", "; UnixStartTime: 1500000000\n" ROW, NULL, 1500000100.5);
    expect_epoch("csv", "t,servers,duration\n5,1,1\n", "arrival=t", -1);
    expect_epoch("csv", "t,servers,duration\n1600000000,1,1\n", "arrival=t:unix", 1.6e9);
    expect_epoch("csv", "arrival,servers,duration\n1970-01-01 00:01:00,1,1\n", NULL, 60);
#undef ROW
}

static void test_openb(void **state) {
#define OPENB                                                                                      \
    "name,cpu_milli,num_gpu,gpu_milli,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
    (void)state;
    expect("openb",
           OPENB "a,1,2,500,LS,Running,10,70,20\nb,1,8,1000,,Succeeded,0,9,8\n"
                 "c,1,0,0,LS,Running,10,70,20\nd,1,1,1000,LS,Pending,10,70,\n"
                 "e,1,1,1000,LS,Running,10,,20\nf,1,1,1000,LS,Failed,10,20,20\n",
           "6 no_start 1 no_end 1 no_gpus 1 zero_duration 1 (shares_rounded_up 1)"
           " | b@0 8/8 1 - - succeeded - - - | a@10 1/2 50 - LS running - - -");
    refuse("openb", OPENB "a,1,1,1001,LS,Running,10,70,20\n", 2,
           "line 2 asks for 1 GPUs of 1001 thousandths, expected a whole number and 0 to 1000");
    refuse("openb", "name,num_gpu\n", 1, "no column gpu_milli; the file has name, num_gpu");
}

/* ---- Philly ---- */

#define JOB(id, submitted, attempts)                                                               \
    "{\"status\": \"Pass\", \"vc\": \"v\", \"jobid\": \"" id                                       \
    "\", \"user\": \"u\", \"submitted_time\": " submitted ", \"attempts\": [" attempts "]}"
#define TRY(start, end, gpus)                                                                      \
    "{\"start_time\": " start ", \"end_time\": " end ", \"detail\": [" gpus "]}"
#define AT(minute, second) "\"2017-10-07 01:" minute ":" second "\""
#define ONE "{\"ip\": \"m\", \"gpus\": [\"g\"]}"
#define TWO "{\"ip\": \"m\", \"gpus\": [\"g]\", \"h\\\"{\"]}"

static void test_philly(void **state) {
    (void)state;
    /* attempts are held for 60 + 30 s; brackets and quotes in texts end nothing */
    expect("philly",
           " [" JOB("a", AT("01", "00"),
                    TRY(AT("02", "00"), AT("03", "00"),
                        TWO "," ONE) ", " TRY(AT("05", "00"), AT("05", "30"), ONE)) "\n , " //
           JOB("b", AT("00", "00"), TRY(AT("00", "10"), AT("00", "30"), ONE)) "]\n ",
           "2 (gpus_vary_between_attempts 1) (jobs_of_several_attempts 1)"
           " | b@0 1/1 20 u v completed - - - on 1 | a@60 3/3 90 u v completed - - - on 2");
    expect("philly",
           "[" JOB("a", "null", "") "," JOB("b", "null", TRY("null", AT("00", "30"), ONE)) "," //
           JOB("c", "\"\"", TRY(AT("00", "30"), "\"None\"", ONE)) ","                          //
           JOB("d", AT("00", "30"), TRY(AT("00", "30"), AT("00", "31"), "")) ","               //
           JOB("e", AT("00", "30"), TRY(AT("00", "30"), AT("00", "30"), ONE)) ","              //
           JOB("f", AT("00", "30"),
               TRY(AT("00", "30"), "null", ONE) "," TRY("null", AT("00", "31"), ONE)) "]",
           "6 no_attempt 1 no_start 1 no_end 1 no_gpus 1 zero_duration 2 (attempts_without_times "
           "2)");
    expect("philly", "[ ]", "0");
}

static void test_philly_is_refused_at_its_place(void **state) {
    LpImportOptions lenient = {.lenient = true};
    (void)state;
    LpImportOptions cores = {.unit = LP_UNIT_CPU};
    refuse_with(&cores, "philly", "[]", NULL, 0,
                "--unit cpu: the trace says nothing of processors, expected gpu or node");
    refuse("philly", "", 1, "the file is empty: expected a list of jobs");
    refuse("philly", "\n{\"a\": 1}", 2, "expected a list of jobs");
    refuse("philly", "[1]", 1, "the value is 1, expected an object {...}");
    refuse("philly", "[\n\n{\"status\": \"Pass\"}]", 3, "no key \"vc\"");
    refuse("philly", "[" JOB("a", "null", TRY(AT("00", "30"), AT("00", "31"), ONE)) "\n]", 1,
           "submitted_time is none, but the job ran: expected a time");
    refuse("philly", "[\n" JOB("a", "null", "") "\n", 2,
           "the JSON text ends inside the entry that begins here: it was cut off, or a bracket is "
           "missing in this list of jobs");
    refuse("philly", "[\n" JOB("a", "null", "") ",\n", 3,
           "the JSON text ends without the bracket that ends its list of jobs");
    refuse("philly", "[]\n]", 2, "expected nothing behind the JSON list of jobs");
    /* a job may be passed over, but not what is no JSON */
    expect_with(&lenient, "philly", "[1, {}, " JOB("a", "null", "") "]", NULL,
                "3 bad_row 2 no_attempt 1");
    put(0, "[" JOB("a", "null", "") ",\n {\"a\": nil}]");
    LpImport import;
    LpDiag diag;
    assert_int_equal(lp_import_read(lp_format_find("philly"), FILES, 1, &lenient, &import, &diag),
                     LP_EPARSE);
    assert_int_equal(diag.line, 2);
    assert_int_equal(diag.col, 8);
    lp_import_free(&import);
}

/* ---- Helios and Acme ---- */

#define HELIOS                                                                                     \
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"      \
    "queue\n"
#define DAY "2020-06-09 "

static void test_helios(void **state) {
    LpImportOptions nodes = {.unit = LP_UNIT_NODE}, cores = {.unit = LP_UNIT_CPU};
    static const char text[] = HELIOS                                                    //
        "1,a,v,8,32,2,COMPLETED," DAY "10:00:00," DAY "10:00:10," DAY "10:01:10,60,10\n" //
        "2,a,v,0,16,1,FAILED," DAY "10:00:01," DAY "10:00:10," DAY "10:00:20,9,9\n"      //
        "3,b,w,1,4,1,NODE_FAIL," DAY "10:00:02," DAY "10:00:01," DAY "10:00:21,,\n"      //
        "4,b,w,1,4,1,FAILED," DAY "10:00:03," DAY "10:00:04," DAY "10:00:04,0,\n"        //
        "5,b,w,1,4,1,FAILED," DAY "10:00:03," DAY "10:00:04,,,\n"                        //
        "6,b,w,1,4,1,CANCELLED," DAY "10:00:03,,,,\n";
    (void)state;
    expect("helios", text,
           "6 no_start 1 no_end 1 no_gpus 1 zero_duration 1 (starts_before_submission 1)"
           " | 1@0 8/8 60 a v completed - - - on 2 | 3@2 1/1 20 b w node_fail - - - on 1");
    expect_with(&nodes, "helios", text, NULL,
                "6 no_start 1 no_end 1 zero_duration 1 (duration_is_not_end_minus_start 1) "
                "(starts_before_submission 1)"
                " | 1@0 2/2 60 a v completed - - - on 2 | 2@1 1/1 10 a v failed - - - on 1"
                " | 3@2 1/1 20 b w node_fail - - - on 1");
    expect_with(&cores, "helios",
                HELIOS "1,a,v,8,32,2,COMPLETED," DAY "10:00:00," DAY "10:00:10," DAY
                       "10:01:10,60,10\n",
                NULL, "1 | 1@0 32/32 60 a v completed - - - on 2");
    refuse("helios", "job_id,user,vc\n", 1, "no column node_num; the file has job_id, user, vc");
    refuse("helios",
           HELIOS "1,a,v,5e9,32,2,COMPLETED," DAY "10:00:00," DAY "10:00:10," DAY
                  "10:01:10,60,10\n",
           2, "a job of 5e+09 servers, expected less than 2^32 - 1");
}

static void test_acme(void **state) {
    (void)state;
    /* the second was submitted first: offsets count; its duration counts from its submission */
    expect("acme",
           "\xef\xbb\xbfjob_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,"
           "end_time,fail_time,duration\r\n"
           "k1,u,1,8,1,Eval,COMPLETED,2023-03-01 00:00:00+00:00,2023-03-01 00:00:10+00:00,"
           "2023-03-01 00:01:00+00:00,,50\r\n"
           "k2,u,2,16,1,Other,FAILED,2023-03-01 07:00:00+08:00,2023-03-01 07:00:10+08:00,"
           "2023-02-28 23:01:00+00:00,x,60\r\n",
           "2 (duration_counts_from_submission 1) | k2@0 16/16 50 u Other failed - - - on 2"
           " | k1@3600 8/8 50 u Eval completed - - - on 1");
}

/* ---- PAI ---- */

static void test_pai(void **state) {
    LpImportOptions none = {0};
    static const char jobs[] = "a,i,u,Terminated,100.5,900\n"
                               "b,i,u,Failed,90,95.0\n"
                               "c,i,u,Waiting,,\n"
                               "d,i,u,Running,5,\n"
                               "e,i,u,Running,6,\n"
                               "f,i,u,Running,7,\n"
                               "g,i,u,Running,8,\n";
    static const char tasks[] = "a,ps,1,Terminated,10,2000,600,29,,CPU\n" /* has no GPU */
                                "a,worker,3,Terminated,110,410,600,29,150,T4\n"
                                "a,chief,,Terminated,100,400,600,29,25.0,P100\n"
                                "b,w,1,Failed,1.25,2.75,,,100,\n"
                                "d,w,1,Running,,,,,100,T4\n"
                                "e,w,1,Running,9,,,,100,T4\n"
                                "f,w,1,Running,9,9,,,100,T4\n"
                                "g,w,1,Running,9,19,,,0,T4\n"
                                "x,w,1,Running,9,19,,,100,T4\n"
                                "x,w,1,Running,9,19,,,100,T4\n";
    (void)state;
    expect_with(&none, "pai", jobs, tasks,
                "7 no_task 1 no_start 1 no_end 1 no_gpus 1 zero_duration 1 (shares_rounded_up 1) "
                "(tasks_of_no_job 1) | b@0 1/1 1.5 u - failed - - -"
                " | a@10.5 4.75/7 310 u T4 completed - - -");
    refuse_with(&none, "pai", "a,i,u,T,soon,\n", "", 1,
                "start_time is \"soon\", expected a number");
    refuse_with(&none, "pai", jobs, "a,w,1.5,T,1,2,,,100,\n", 1,
                "inst_num is 1.5, expected a whole number");
    refuse("pai", "a,i,u,T,soon,\n", 1, "start_time is \"soon\", expected a number");
    refuse("pai", jobs, 0, "pai is read from 2 files, the jobs and their tasks, not 1");
    refuse_with(&none, "pai", jobs, "a,w\n", 1, "line 1 has 2 fields, expected 10");
}

/* More jobs than fit in the first table of slots. */
static void test_pai_finds_tasks_of_many_jobs(void **state) {
    enum { JOBS = 3000 };
    LpImportOptions none = {0};
    LpBuf jobs = {0}, tasks = {0};
    LpImport import;
    LpDiag diag;
    (void)state;
    for (int i = 0; i < JOBS; i++)
        lp_buf_addf(&jobs, "j%d,i,u,Terminated,%d,\n", i, i);
    for (int i = JOBS; i-- > 0;)
        lp_buf_addf(&tasks, "j%d,w,1,T,0,%d,,,100,\n", i, i + 1);
    put(0, lp_buf_text(&jobs));
    put(1, lp_buf_text(&tasks));
    assert_int_equal(lp_import_read(lp_format_find("pai"), FILES, 2, &none, &import, &diag), LP_OK);
    assert_int_equal(lp_rows_taken(import.reading.rows), JOBS);
    for (uint64_t i = 0; i < JOBS; i++) {
        LpTraceJob job;
        lp_rows_job(import.reading.rows, i, &job, NULL);
        assert_true(job.duration == (double)(i + 1));
    }
    lp_import_free(&import);
    lp_buf_fini(&jobs);
    lp_buf_fini(&tasks);
}

/* ---- Tiresias, RFold ---- */

static void test_tiresias(void **state) {
    (void)state;
    expect("tiresias",
           "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"
           "0,4,10,100,vgg16,60,1\n1,0,11,1,x,60,1\n2,1,12,1,x,0,1\n3,1,5,0,own,7.5,1\n",
           "4 no_gpus 1 zero_duration 1 (models_not_in_the_zoo 1) | 3@0 1/1 7.5 - own - - - own"
           " | 0@5 4/4 60 - vgg16 - - - vgg16 steps 100");
    refuse("tiresias", "job_id,num_gpu\n", 1,
           "no column submit_time; the file has job_id, num_gpu");
}

static void test_rfold(void **state) {
    (void)state;
    expect("rfold",
           "#job id,arrival time\n"
           "0,5,T3D_T,4x4x8,128,60\n 1 , 1 ,T3D_NT,3.2x1x1,5, 60\n2,2,T2D,32,4x8,1\n"
           "3,3,CLOS,2+2,4,9\n4,4,CLOS,8,8,9\n5,4,CLOS,8,8,0\n",
           "6 zero_duration 1 (size_is_not_that_of_the_shape 1) (size_stands_before_shape 1)"
           " | 1@0 4/4 60 - T3D_NT - - 4x1x1 - | 2@1 32/32 1 - T2D - - 4x8x1 -"
           " | 3@2 4/4 9 - CLOS - - - - | 4@3 8/8 9 - CLOS - - - -"
           " | 0@4 128/128 60 - T3D_T - - 4x4x8 twisted -");
    refuse("rfold", "0,0,T3D_NT,4x4x4x4,256,1\n", 1,
           "\"4x4x4x4\" is no shape of T3D_NT: expected such as 4x4x8");
    refuse("rfold", "0,0,T2D,4x,4,1\n", 1, "\"4x\" is no shape of T2D: expected such as 4x8");
    refuse("rfold", "0,0,CLOS,2+-2,4,1\n", 1, "\"2+-2\" is no shape of CLOS: expected such as 4+4");
    refuse("rfold", "0,0,T2D,2x2,many,1\n", 1, "size is \"many\", expected a number");
    refuse("rfold", "# id\n0,0,T2D,2x2,4,1\n1,0,T2D,2x2,4,6e38\n", 3,
           "job 1 lasts 6e+38 s, expected less than 4.5e+09 s");
    refuse(
        "rfold", "# id\n0,T3D_T,4x4x8,128,0,16.0\n", 2,
        "this is a distribution of sizes, not a trace: import rfold-mix makes a generator of it");
}

/* What is written of distributions of slices, and of times between them (NULL: none). */
static void expect_mix(const char *sizes, const char *times, const char *generator) {
    static const char before[] = "\"generator\": ";
    LpImportOptions none = {0};
    LpImport import;
    LpBuf text = {0};
    LpDiag diag;
    put(0, sizes);
    if (times != NULL)
        put(1, times);
    assert_int_equal(lp_import_read(lp_format_find("rfold-mix"), FILES, times != NULL ? 2 : 1,
                                    &none, &import, &diag),
                     LP_OK);
    assert_int_equal(import.format->write(&import.reading, &text, &diag), LP_OK);
    const char *at = strstr(lp_buf_text(&text), before);
    assert_non_null(at);
    assert_string_equal(at + strlen(before), generator);
    lp_buf_fini(&text);
    lp_import_free(&import);
}

static void test_rfold_mix(void **state) {
    LpImportOptions none = {0};
    (void)state;
    expect_mix("# slice id\n0,T3D_T,4x4x8,128,0,3\n1,T2D,2x2,4,0,1\n2,T3D_NT,1x1x1,1,0,0\n"
               "3,CLOS,2+2,4,0,50\n",
               NULL,
               "{\n    \"count\": 2000,\n    \"slices\": [\n"
               "      {\"slice\": \"4x4x8 twisted\", \"weight\": 3},\n"
               "      {\"slice\": \"2x2x1\", \"weight\": 1}\n    ],\n"
               "    \"duration\": {\"exponential\": {\"mean\": 28800}},\n"
               "    \"load\": 0.7\n  }\n}\n");
    /* 64 accelerators every 10 s, .7 of 4096 at once */
    expect_mix("0,T3D_NT,4x4x4,64,0,5\n", "5,1\n15,1\n",
               "{\n    \"count\": 2000,\n    \"slices\": [\n"
               "      {\"slice\": \"4x4x4\", \"weight\": 5}\n    ],\n"
               "    \"duration\": {\"exponential\": {\"mean\": 448}},\n"
               "    \"interarrival\": {\"pmf\": {\"values\": [5, 15], \"weights\": [0.5, 0.5]}}\n"
               "  }\n}\n");
    expect_mix("0,T3D_NT,4x4x4,64,60,1\n1,T3D_NT,4x4x4,64,30,3\n", "10,1\n",
               "{\n    \"count\": 2000,\n    \"slices\": [\n"
               "      {\"slice\": \"4x4x4\", \"weight\": 1},\n"
               "      {\"slice\": \"4x4x4\", \"weight\": 3}\n    ],\n"
               "    \"duration\": {\"pmf\": {\"values\": [60, 30], \"weights\": [0.25, 0.75]}},\n"
               "    \"interarrival\": {\"pmf\": {\"values\": [10], \"weights\": [1]}}\n"
               "  }\n}\n");
    refuse_with(&none, "rfold-mix", "0,CLOS,2+2,4,0,50\n", NULL, 1,
                "no slice of a torus has a probability over 0");
    refuse_with(&none, "rfold-mix", "0,T2D,2x2,4,0,1\n", "# none\n", 1,
                "no time has a probability over 0");
    refuse_with(&none, "rfold-mix", "0,T2D,2x2,4,0,-1\n", NULL, 1,
                "probability is -1, expected a number >= 0");
}

/* ---- any table ---- */

static void test_csv(void **state) {
    LpImportOptions options = {.map = "id=job,arrival=when,servers=gpus,duration=run:min,"
                                      "requested=limit:h,user=who,group=queue,name=title"};
    (void)state;
    expect_with(&options, "csv",
                "title,who,job,when,queue,gpus,run,limit\n"
                "\"a, b\",ada,x1,2026-03-01 10:00:30,q,4,1.5,2\n"
                ",bob,,2026-03-01T10:00:00Z,,.5,10,\n"
                ",bob,x3,2026-03-01 10:00:00,,0,10,\n"
                ",bob,x4,2026-03-01 10:00:00,,1,,\n"
                ",bob,x5,2026-03-01 10:00:00,,1,-1,\n",
                NULL,
                "5 no_gpus 1 no_runtime 1 zero_duration 1 (shares_rounded_up 1)"
                " | 2@0 0.5/1 600 bob - - - - - | x1@30 4/4 90<7200 ada q - a, b - -");
    /* columns called as their keys need no --map; times may have units of their own */
    expect("csv", "arrival,servers,duration,state\n100.25,2,90 min,ok\n100,1,00:01:30,\n99,1,5,\n",
           "3 | 3@0 1/1 5 - - - - - - | 2@1 1/1 90 - - - - - -"
           " | 1@1.25 2/2 5400 - - ok - - -");
}

static void test_csv_refuses(void **state) {
    static const struct {
        const char *map, *text;
        int line;
        const char *says;
    } bad[] = {
        {"arival=t", "t\n", 0,
         "--map: unknown key \"arival\", did you mean arrival: expected arrival, servers, "
         "duration, "
         "id, requested, user, group, name or state"},
        {"arrival", "t\n", 0, "--map: \"arrival\" is no KEY=COLUMN, such as servers=gpus"},
        {"arrival=", "t\n", 0, "--map: \"arrival=\" is no KEY=COLUMN, such as servers=gpus"},
        {"id=a,id=b", "t\n", 0, "--map names id twice"},
        {"id=job", "arrival,servers,duration\n", 1,
         "no column job (--map says what is what, such as --map servers=gpus,duration=run:min); "
         "the "
         "file has arrival, servers, duration"},
        {"duration=run:mins", "arrival,servers,run\n", 1,
         "no column run:mins (--map says what is what, such as --map servers=gpus,duration=run:min)"
         "; the file has arrival, servers, run"},
        {NULL, "arrival,servers,duration\n1,1,soon\n", 2,
         "duration is \"soon\", expected seconds, or a time such as 90 min or 01:30:00"},
        {"duration=duration:min", "arrival,servers,duration\n1,1,1 s\n", 2,
         "duration is \"1 s\", expected a number"},
        {NULL, "arrival,servers,duration\n1,1,1\n2026-03-01 10:00:00,1,1\n", 3,
         "arrival is \"2026-03-01 10:00:00\", but rows before have numbers"},
        {NULL, "arrival,servers,duration\nnoon,1,1\n", 2,
         "arrival is \"noon\", expected a number of less than 4.5e+09 s, or a date such as "
         "2026-03-01 18:41:01"},
        {NULL, "arrival,servers,duration\n,1,1\n", 2,
         "arrival is \"\", expected a number of less than 4.5e+09 s, or a date such as 2026-03-01 "
         "18:41:01"},
        {NULL, "arrival,servers,duration\n5e9,1,1\n", 2,
         "arrival is \"5e9\", expected a number of less than 4.5e+09 s, or a date such as "
         "2026-03-01 18:41:01"},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        LpImportOptions options = {.map = bad[i].map};
        refuse_with(&options, "csv", bad[i].text, NULL, bad[i].line, bad[i].says);
    }
}

/* ---- telling them apart ---- */

static void test_jobs_are_told_apart(void **state) {
    static const struct {
        const char *text, *format;
    } head[] = {
        {"[{\"status\": \"Pass\", \"attempts\": []}]", "philly"},
        {"[{\"node_id\": 1, \"event_type\": \"fault_start\"}]", "stepfun"},
        {HELIOS, "helios"},
        {"job_id,user,node_num,gpu_num,type,state\n", "acme"},
        {"job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n", "tiresias"},
        {"#job id,arrival time (sec),topology,shape,size,duration (sec)\n", "rfold"},
        {"# slice id, topology, slice shape, slice size, duration (sec), probability (%)\n",
         "rfold-mix"},
        {"arrival,servers,duration\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(head); i++) {
        const LpFormat *format;
        LpDiag diag;
        put(0, head[i].text);
        assert_int_equal(lp_format_of(FILES[0], &format, &diag), LP_OK);
        assert_string_equal(format != NULL ? format->name : "none",
                            head[i].format != NULL ? head[i].format : "none");
    }
}

static int drop_files(void **state) {
    (void)state;
    (void)remove(FILES[0]);
    (void)remove(FILES[1]);
    return 0;
}

TEST_GROUP(test_import_jobs) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sacct),
        cmocka_unit_test(test_sacct_refuses),
        cmocka_unit_test(test_swf),
        cmocka_unit_test(test_epochs),
        cmocka_unit_test(test_openb),
        cmocka_unit_test(test_philly),
        cmocka_unit_test(test_philly_is_refused_at_its_place),
        cmocka_unit_test(test_helios),
        cmocka_unit_test(test_acme),
        cmocka_unit_test(test_pai),
        cmocka_unit_test(test_pai_finds_tasks_of_many_jobs),
        cmocka_unit_test(test_tiresias),
        cmocka_unit_test(test_rfold),
        cmocka_unit_test(test_rfold_mix),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_csv_refuses),
        cmocka_unit_test(test_jobs_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, drop_files);
}
