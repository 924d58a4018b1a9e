/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading: parameters by declaration, the policy's description, its hash, and files. */
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

#include "group.h"
#include "lab.h"

static const char SOURCE[] =
    "return {\n"
    "  name = 'test', api = 1, doc = 'for tests',\n"
    "  params = {\n"
    "    whole = { default = 3, doc = 'a number of things', min = 1, max = 9 },\n"
    "    share = { default = 0.25, doc = 'a share' },\n"
    "    any = { default = 2, type = 'number' },\n"
    "    flag = { default = false },\n"
    "    word = { default = 'plain' },\n"
    "    max_degree = { type = 'integer', doc = 'largest degree' },\n"
    "  },\n"
    "  partition = function(self, job, cluster)\n"
    "    local p, out = self.p, {}\n"
    "    for name, value in pairs(p) do out[#out + 1] = ('%s=%s/%s'):format(name, value,"
    " math.type(value) or type(value)) end\n"
    "    return 1, table.concat(out, ' ')\n"
    "  end,\n"
    "}\n";

static LpErr load(Lab *lab, const LpPolicyParam *params, uint32_t count) {
    lp_policy_free(lab->policy);
    lab->policy = NULL;
    return lp_policy_load_text("test.lua", SOURCE, strlen(SOURCE), params, count, lab->scenario,
                               NULL, NULL, &lab->policy, &lab->diag);
}

static void check_values(const LpPolicyParam *params, uint32_t count, const char *values) {
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    if (load(&lab, params, count) != LP_OK)
        fail_msg("%s", lab.diag.text);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_ask(&lab), LP_OK);
    if (lab.failed)
        fail_msg("%s", lab.diag.text);
    assert_string_equal(lab.answer.why, values);
    lab_close(&lab);
}

static void defaults_and_the_scenario(void **state) {
    (void)state;
    check_values(NULL, 0,
                 "any=2/integer flag=false/boolean max_degree=8/integer share=0.25/float "
                 "whole=3/integer word=plain/string");
}

static void values_are_typed_by_the_declaration(void **state) {
    (void)state;
    const LpPolicyParam given[] = {{"whole", "4.0", NULL},    {"share", "1", NULL},
                                   {"any", "2.5e-1", NULL},   {"flag", "true", NULL},
                                   {"word", "\"a b\"", NULL}, {"max_degree", "4", NULL},
                                   {"whole", " 5e0", NULL}};
    check_values(given, LP_COUNTOF(given),
                 "any=0.25/float flag=true/boolean max_degree=4/integer share=1.0/float "
                 "whole=5/integer word=a b/string");
    const LpPolicyParam bare[] = {{"word", "16", NULL}};
    check_values(bare, 1,
                 "any=2/integer flag=false/boolean max_degree=8/integer share=0.25/float "
                 "whole=3/integer word=16/string");
}

static void bad_values_are_the_users_mistake(void **state) {
    (void)state;
    static const struct {
        LpPolicyParam param;
        const char *text;
    } CASES[] = {
        {{"whle", "4", NULL},
         "test.lua: the policy has no parameter 'whle' (did you mean 'whole'?)"},
        {{"whole", "4.5", NULL}, "parameter 'whole' is 4.5; expected a whole number"},
        {{"whole", "\"4\"", NULL}, "expected a whole number"},
        {{"whole", "four", NULL}, "parameter 'whole' is four; expected a whole number"},
        {{"whole", "", NULL}, "expected a whole number"},
        {{"whole", "[4]", NULL}, "expected a whole number"},
        {{"whole", "1e400", NULL}, "expected a whole number"},
        {{"whole", "0", NULL}, "expected at least 1"},
        {{"whole", "10", NULL}, "parameter 'whole' is 10; expected at most 9"},
        {{"share", "true", NULL}, "expected a number"},
        {{"flag", "1", NULL}, "expected true or false"},
        {{"flag", "yes", NULL}, "expected true or false"},
    };
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    for (size_t i = 0; i < LP_COUNTOF(CASES); i++) {
        assert_int_equal(load(&lab, &CASES[i].param, 1), LP_EINVAL);
        assert_null(lab.policy);
        if (!strstr(lab.diag.text, CASES[i].text))
            fail_msg("expected \"%s\", got \"%s\"", CASES[i].text, lab.diag.text);
    }
    lab_close(&lab);
}

static void a_policy_describes_itself(void **state) {
    (void)state;
    static const char *const NAMES[] = {"any", "flag", "max_degree", "share", "whole", "word"};
    static const char *const TYPES[] = {"number", "boolean", "integer",
                                        "number", "integer", "string"};
    static const char *const VALUES[] = {"2", "false", "8", "0.25", "3", "plain"};
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(load(&lab, NULL, 0), LP_OK);
    assert_string_equal(lp_policy_name(lab.policy), "test");
    assert_string_equal(lp_policy_doc(lab.policy), "for tests");
    assert_string_equal(lp_policy_path(lab.policy), "test.lua");
    assert_string_equal(lp_policy_source(lab.policy), SOURCE);
    assert_int_equal(lp_policy_params(lab.policy), 6);
    for (uint32_t i = 0; i < 6; i++) {
        LpPolicyParamInfo info = lp_policy_param(lab.policy, i);
        assert_string_equal(info.name, NAMES[i]);
        assert_string_equal(info.type, TYPES[i]);
        assert_string_equal(info.value, VALUES[i]);
    }
    assert_string_equal(lp_policy_param(lab.policy, 4).doc, "a number of things");
    lab_close(&lab);
}

static void the_hash_follows_source_and_values(void **state) {
    (void)state;
    const LpPolicyParam given = {"whole", "4", NULL}, same = {"whole", "3", NULL};
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(load(&lab, NULL, 0), LP_OK);
    uint64_t plain = lp_policy_hash(lab.policy);
    assert_int_equal(load(&lab, &same, 1), LP_OK);
    assert_true(lp_policy_hash(lab.policy) == plain);
    assert_int_equal(load(&lab, &given, 1), LP_OK);
    assert_true(lp_policy_hash(lab.policy) != plain);
    assert_int_equal(
        lab_load(&lab, "return { name = 'test', api = 1, partition = function() end }"), LP_OK);
    assert_true(lp_policy_hash(lab.policy) != plain);
    lab_close(&lab);
}

static void self_p_is_read_only(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(lab_load(&lab, "return { name = 'test', api = 1,\n"
                                    "params = { depth = { default = 1 } },\n"
                                    "partition = function(self)\n"
                                    "local _, a = pcall(function() self.p.depth = 2 end)\n"
                                    "local _, b = pcall(function() return self.p.dept end)\n"
                                    "local _, c = pcall(function() return self.depth end)\n"
                                    "return 1, a .. '|' .. b .. '|' .. c end }"),
                     LP_OK);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_string_equal(lab.answer.why,
                        "test.lua:4: self.p is read-only: cannot set 'depth'|test.lua:5: there is "
                        "no parameter 'dept' (did you mean 'depth'?)|test.lua:6: self has no field "
                        "'depth'; what must last belongs in self.mem");
    lab_close(&lab);
}

/* The commonest slip of people who know other languages. */
static void a_dot_for_a_colon_is_told(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(lab_load(&lab, "return { name = 'x', api = 1,\n"
                                    "partition = function(j) return #j.ops end }"),
                     LP_OK);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_true(lab.failed);
    assert_non_null(strstr(lab.diag.text, "self has no field 'ops', but a job has: a hook begins "
                                          "with 'function policy:', with a colon"));
    lab_close(&lab);
}

/* Each hook whose first parameter has the name of the second argument does not load, with the line
 * of the hook; a parameter of any other name in the place of self does. */
static void a_dot_is_told_when_the_policy_loads(void **state) {
    (void)state;
    static const struct {
        const char *hook, *arguments, *called; /* NULL: loads */
    } rows[] = {{"partition", "job, cluster", "job"},
                {"place", "job, cluster", "job"},
                {"order_ops", "job", "job"},
                {"order_queue", "queue, cluster", "queue"},
                {"queue_key", "job", "job"},
                {"configure", "fabric, demand, cluster", "fabric"},
                {"review", "event, cluster", "event"},
                {"partition", "cluster", "cluster"},
                {"partition", "self, job, cluster", NULL},
                {"partition", "_, job, cluster", NULL},
                {"partition", "policy, job", NULL},
                {"partition", "...", NULL},
                {"partition", "", NULL}};
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        char text[400], says[200];
        Lab lab;
        lab_open(&lab, LAB_SCENARIO);
        snprintf(text, sizeof text,
                 "local policy = { name = 'x', api = 1 }\n\nfunction policy.%s(%s)\n"
                 "  local job\nend\nreturn policy",
                 rows[i].hook, rows[i].arguments);
        LpErr err = lab_load(&lab, text);
        snprintf(says, sizeof says,
                 "the first argument of %s is self, but is called '%s' here: expected 'function "
                 "policy:%s', with a colon",
                 rows[i].hook, rows[i].called, rows[i].hook);
        assert_int_equal(err != LP_OK, rows[i].called != NULL);
        if (err != LP_OK && (!strstr(lab.diag.text, says) || lab.diag.line != 3))
            fail_msg("%d: %s", lab.diag.line, lab.diag.text);
        lab_close(&lab);
    }
}

/* Names that hide the slip from the loader: told when a hook runs. */
/* What a policy says of its queue, and does not mean. */
static void a_queue_is_checked_when_the_policy_loads(void **state) {
    (void)state;
    static const struct {
        const char *hook, *queue, *says;
    } rows[] = {
        {"queue_key", "5", "queue is 5; expected { head"},
        {"queue_key", "{ head = 'block' }", "queue: head is \"block\"; expected \"passes\" or"},
        {"queue_key", "{ ties = true }", "queue: ties is true; expected \"block\" or \"pass\""},
        {"queue_key", "{ behind = 'job %s' }", "queue: behind is \"job %s\"; expected a reason"},
        {"queue_key", "{ behind = '%d and %d' }", "in which %d may stand once"},
        {"queue_key", "{ heads = 'blocks' }", "queue has no \"heads\" (did you mean 'head'?)"},
        {"queue_key", "{ 'blocks' }", "queue has no 1"},
        {"queue_key", "{ list = false }", "queue: list belongs to the hook order_queue"},
        {"order_queue", "{ list = 'no' }", "queue: list is \"no\"; expected true or false"},
        {"order_queue", "{ head = 'blocks' }", "queue: head belongs to the hook queue_key"},
        {"place", "{ head = 'blocks' }", "queue: head belongs to the hook queue_key"},
        {"order_queue() end\nfunction policy:queue_key", "nil", "both queue_key and order_queue"}};
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        char text[400];
        Lab lab;
        lab_open(&lab, LAB_SCENARIO);
        snprintf(text, sizeof text,
                 "local policy = { name = 'x', api = 1, queue = %s }\nfunction policy:%s() end\n"
                 "return policy",
                 rows[i].queue, rows[i].hook);
        assert_int_equal(lab_load(&lab, text), LP_ESCRIPT);
        if (strstr(lab.diag.text, rows[i].says) == NULL)
            fail_msg("%s: expected \"%s\", got \"%s\"", rows[i].queue, rows[i].says, lab.diag.text);
        lab_close(&lab);
    }
}

static void a_cluster_in_the_place_of_a_job_is_told(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(lab_load(&lab, "return { name = 'x', api = 1,\n"
                                    "partition = function(j, c) return c:degrees(j)[1] end }"),
                     LP_OK);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_true(lab.failed);
    assert_non_null(strstr(lab.diag.text, "a job has no field 'degrees', but the cluster has: a "
                                          "hook begins with 'function policy:', with a colon"));
    lab_close(&lab);
}

static void files_must_be_regular_and_small(void **state) {
    (void)state;
    char folder[] = "/tmp/lightpath-policy.XXXXXX", path[64];
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(lab_load_file(&lab, folder, NULL, 0), LP_EIO);
    assert_non_null(strstr(lab.diag.text, "no regular file"));
    snprintf(path, sizeof path, "%s/fifo.lua", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(lab_load_file(&lab, path, NULL, 0), LP_EIO);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(lab_load_file(&lab, path, NULL, 0), LP_EIO);
    assert_non_null(strstr(lab.diag.text, "cannot open"));
    snprintf(path, sizeof path, "%s/big.lua", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 1100; i++)
        fprintf(file, "%1000s\n", "");
    fclose(file);
    assert_int_equal(lab_load_file(&lab, path, NULL, 0), LP_ELIMIT);
    file = fopen(path, "w");
    fputs("\xEF\xBB\xBFreturn { name = 'mark', api = 1, partition = function() return 1 end }",
          file);
    fclose(file);
    assert_int_equal(lab_load_file(&lab, path, NULL, 0), LP_OK);
    assert_string_equal(lp_policy_name(lab.policy), "mark");
    assert_string_equal(lp_policy_path(lab.policy), path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    lab_close(&lab);
}

TEST_GROUP(test_params) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_and_the_scenario),
        cmocka_unit_test(values_are_typed_by_the_declaration),
        cmocka_unit_test(bad_values_are_the_users_mistake),
        cmocka_unit_test(a_policy_describes_itself),
        cmocka_unit_test(the_hash_follows_source_and_values),
        cmocka_unit_test(self_p_is_read_only),
        cmocka_unit_test(a_dot_for_a_colon_is_told),
        cmocka_unit_test(a_dot_is_told_when_the_policy_loads),
        cmocka_unit_test(a_queue_is_checked_when_the_policy_loads),
        cmocka_unit_test(a_cluster_in_the_place_of_a_job_is_told),
        cmocka_unit_test(files_must_be_regular_and_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
