/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data folders, profile files, predictions and imports: the parts of run/ that meet files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "ask/predict/predict.h"
#include "group.h"
#include "host/paths.h"
#include "host/profile.h"
#include "import/import.h"
#include "say/check.h"

/* ---- a folder of one's own ---- */

static int make_folder(void **state) {
    static char folder[] = "/tmp/run-files.XXXXXX";
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    *state = mkdtemp(folder);
    return *state == NULL || chdir(*state) != 0 || mkdir("scenarios", 0700) != 0;
}

static int remove_folder(void **state) {
    char command[256];
    (void)!chdir("/");
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return system(command) != 0;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char profile_text[] =
    "node1 -- A -- forward_compute_time=1.0, backward_compute_time=2.0, activation_size=100.0, "
    "parameter_size=10.0\n"
    "node2 -- B -- forward_compute_time=3.0, backward_compute_time=4.0, activation_size=200.0, "
    "parameter_size=0.0\n"
    "\tnode1 -- node2\n";

/* ---- folders ---- */

static void test_environment_comes_first(void **state) {
    LpPaths paths;
    char path[LP_PATH_TEXT];
    LpBuf names = {0};
    write_file("scenarios/zz.json", "{}");
    write_file("scenarios/.hidden.json", "{}");
    write_file("scenarios/no-scenario.txt", "");
    setenv("LIGHTPATH_DATA", *state, 1);
    const char *const *dirs = lp_paths_dirs(&paths);
    assert_string_equal(dirs[0], *state);
    assert_true(lp_paths_scenario("zz", path, sizeof path));
    assert_int_equal(strncmp(path, *state, strlen(*state)), 0);
    assert_false(lp_paths_scenario("../scenarios/zz", path, sizeof path));
    assert_false(lp_paths_scenario("nope", path, sizeof path));
    assert_false(lp_paths_scenario("", path, sizeof path));
    assert_false(lp_paths_scenario("zz", path, 5));
    assert_int_equal(lp_paths_list_scenarios(&names, NULL), LP_OK);
    assert_non_null(strstr(lp_buf_text(&names), "  zz\n"));
    assert_null(strstr(lp_buf_text(&names), "hidden"));
    assert_null(strstr(lp_buf_text(&names), "no-scenario"));
    lp_buf_fini(&names);
}

static void test_folders_that_are_not_there(void **state) {
    (void)state;
    LpPaths paths;
    setenv("LIGHTPATH_DATA", "/nowhere/at/all", 1);
    for (const char *const *dir = lp_paths_dirs(&paths); *dir != NULL; dir++)
        assert_string_not_equal(*dir, "/nowhere/at/all");
    setenv("LIGHTPATH_DATA", "", 1);
    for (const char *const *dir = lp_paths_dirs(&paths); *dir != NULL; dir++)
        assert_true((*dir)[0] != '\0');
    unsetenv("LIGHTPATH_DATA");
}

/* ---- profiles ---- */

static void test_formats_by_contents(void **state) {
    (void)state;
    static const struct {
        const char *text;
        LpProfileFormat want;
    } cases[] = {
        {"{\"lightpath_profile\": 1}", LP_PROFILE_OWN},
        {" \n{ \"name\": \"x\\\"\", \"lightpath_profile\": 1}", LP_PROFILE_OWN},
        {"\xef\xbb\xbf{\"lightpath_profile\": 1}", LP_PROFILE_OWN},
        {"{\"lightpath\": 1}", LP_PROFILE_NEITHER},
        {"{\"notes\": \"lightpath_profile\", \"a\": {\"b\": 1}}", LP_PROFILE_NEITHER},
        {"{\"lightpath_profile\" \n : 1}", LP_PROFILE_OWN},
        {"{\"lightpath_profile", LP_PROFILE_NEITHER},
        {"{\"graphs\": [{\"lightpath_profile\": 1}]}", LP_PROFILE_NEITHER},
        {"{\"cut", LP_PROFILE_NEITHER},
        {"{\"cut\\", LP_PROFILE_NEITHER},
        {"node1 -- x", LP_PROFILE_PIPEDREAM},
        {"", LP_PROFILE_PIPEDREAM},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        assert_int_equal(lp_profile_format(cases[i].text, strlen(cases[i].text)), cases[i].want);
}

static void test_names(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"vgg16.txt", "vgg16"},
        {"a/b/vgg16.txt", "vgg16"},
        {"a.b.txt", "a.b"},
        {"vgg16/graph.txt", "vgg16"},
        {"/x/y/graph.txt", "y"},
        {"graph.txt", "graph"},
        {"./graph.txt", "graph"},
        {"../graph.txt", "graph"},
        {"/graph.txt", "graph"},
        {"vgg16//graph.txt", "vgg16"},
        {".hidden", ".hidden"},
        {"plain", "plain"},
        {"vgg16/mygraph.txt", "mygraph"},
        {"dir/", "dir"},
        {"", ""},
    };
    char name[32];
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        assert_string_equal(lp_profile_name(cases[i][0], name, sizeof name), cases[i][1]);
    assert_string_equal(lp_profile_name("abcdefgh.txt", name, 4), "abc");
}

/* ---- predictions ---- */

static const uint32_t degrees[] = {1, 2, 64};

static LpPredictSpec small_spec(void) {
    return (LpPredictSpec){
        .graph = "p.txt", .fabric = "ideal:4", .degrees = LP_COUNTOF(degrees), .degree = degrees};
}

static void test_rows(void **state) {
    (void)state;
    write_file("p.txt", profile_text);
    LpPredictSpec spec = small_spec();
    LpPrediction *p = NULL;
    LpDiag diag;
    assert_int_equal(lp_predict_run(&spec, &p, &diag), LP_OK);
    assert_int_equal(lp_prediction_rows(p), 3);
    assert_float_equal(lp_prediction_row(p, 0)->forecast.jct, 0.5, 1e-12); /* 50 times 10 ms */
    assert_int_equal(lp_prediction_row(p, 1)->forecast.servers, 2);
    assert_false(lp_prediction_row(p, 2)->forecast.feasible);
    assert_int_equal(lp_prediction_row(p, 2)->degree, 64);
    lp_prediction_free(p);
}

/* 3 ms at 1.5 ms a part are 2 parts, 1 ms is one; 1.5 read as seconds leaves everything whole. */
static void test_quantum_is_in_the_profiles_unit(void **state) {
    (void)state;
    static const struct {
        const char *unit, *quantum;
        bool published;
        uint32_t want;
    } cases[] = {
        {NULL, "1.5", false, 2},    {"ms", "1.5", false, 2},   {"s", "1.5", false, 2},
        {"s", "1.5 s", false, 2},   {"ms", "1.5 s", false, 1}, {"ms", "1.5 ms", false, 2},
        {"us", "1.5 us", false, 2}, {"ms", NULL, false, 4},    {"ms", "1.5", true, 2},
        {"s", "1.5", true, 2},      {"s", NULL, true, 4},      {"ms", "1500 ms", true, 2},
    };
    static const uint32_t four = 4;
    write_file("p.txt", profile_text);
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpPredictSpec spec = small_spec();
        LpPrediction *p = NULL;
        spec.degrees = 1;
        spec.degree = &four;
        spec.time_unit = cases[i].unit;
        spec.quantum = cases[i].quantum;
        spec.published = cases[i].published;
        assert_int_equal(lp_predict_run(&spec, &p, NULL), LP_OK);
        if (lp_prediction_row(p, 0)->forecast.partition_degree != cases[i].want)
            fail_msg("case %zu: %u parts", i, lp_prediction_row(p, 0)->forecast.partition_degree);
        lp_prediction_free(p);
    }
}

static void test_bad_predictions(void **state) {
    (void)state;
    static const char *const sets[] = {"jobs=[]", "semantics=7", "nope=1", "cluster.fabric=torus"};
    write_file("p.txt", profile_text);
    for (size_t i = 0; i < LP_COUNTOF(sets); i++) {
        LpPredictSpec spec = small_spec();
        LpPrediction *p = NULL;
        LpDiag diag = {0};
        spec.sets = 1;
        spec.set = &sets[i];
        assert_int_not_equal(lp_predict_run(&spec, &p, &diag), LP_OK);
        assert_null(p);
        assert_string_equal(diag.file, ""); /* nobody wrote a file called so */
        assert_true(diag.text[0] != '\0');
    }
}

/* ---- import and check ---- */

static LpErr add_to(void *user, const char *bytes, size_t len, LpDiag *diag) {
    (void)diag;
    lp_buf_add_bytes(user, bytes, len);
    return LP_OK;
}

static void test_import_and_back(void **state) {
    (void)state;
    write_file("p.txt", profile_text);
    const char *const file[] = {"p.txt"};
    LpImportOptions options = {.time_unit = "s"};
    LpImport import;
    LpBuf out = {0};
    LpDiag diag;
    const LpFormat *format = lp_format_find("pipedream");
    assert_int_equal(lp_import_read(format, file, 1, &options, &import, &diag), LP_OK);
    assert_int_equal(lp_import_write(&import, NULL, add_to, &out, &diag), LP_OK);
    lp_import_free(&import);
    assert_non_null(strstr(lp_buf_text(&out), "\"forward\": 3"));
    write_file("q.json", lp_buf_text(&out));
    assert_int_equal(lp_check_file("q.json", 0, NULL, &diag), LP_OK);
    assert_int_equal(lp_check_file("p.txt", 0, NULL, &diag), LP_OK);
    options.time_unit = "fortnight";
    assert_int_not_equal(lp_import_read(format, file, 1, &options, &import, &diag), LP_OK);
    lp_import_free(&import);
    lp_buf_fini(&out);
}

static void test_check_points_at_the_place(void **state) {
    (void)state;
    LpDiag diag;
    write_file("bad.txt", "node1 -- A -- forward_compute_time=x\n");
    assert_int_equal(lp_check_file("bad.txt", 0, NULL, &diag), LP_EPARSE);
    assert_string_equal(diag.file, "bad.txt");
    assert_int_equal(diag.line, 1);
    write_file("bad.json", "{\"lightpath_profile\": 2}");
    assert_int_not_equal(lp_check_file("bad.json", 0, NULL, &diag), LP_OK);
    assert_string_equal(diag.file, "bad.json");
    write_file("words.txt", "hello\n"); /* neither: read as a scenario */
    assert_int_equal(lp_check_file("words.txt", 0, NULL, &diag), LP_EPARSE);
    assert_int_equal(lp_check_file("p.txt", 3, NULL, &diag), LP_ELIMIT);
}

TEST_GROUP(test_host_files) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_environment_comes_first),
        cmocka_unit_test(test_folders_that_are_not_there),
        cmocka_unit_test(test_formats_by_contents),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_quantum_is_in_the_profiles_unit),
        cmocka_unit_test(test_bad_predictions),
        cmocka_unit_test(test_import_and_back),
        cmocka_unit_test(test_check_points_at_the_place),
    };
    return cmocka_run_group_tests_name("run_files", tests, make_folder, remove_folder);
}
