/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks in sessions: two in one process do not meet; a session's file has the network in it,
 * whatever becomes of the file that it came from; forks take another one; a saved network decides
 * from now on, a broken one says why. */
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

#include "../tiny.h"
#include "group.h"
#include "session/file.h"
#include "session/player/weights_file.h"

static const char SCENARIO[] =
    "{\"lightpath\": 1, \"name\": \"small\", \"semantics\": \"published\",\n"
    " \"cluster\": {\"fabric\": \"ramp\", \"ramp\": {\"communication_groups\": 2,\n"
    "   \"racks_per_group\": 2, \"servers_per_rack\": 2}},\n"
    " \"graphs\": [{\"id\": \"a\", \"zoo\": \"alexnet\"}, {\"id\": \"v\", \"zoo\": \"vgg16\"}],\n"
    " \"generator\": {\"count\": 30, \"replication\": 20, \"sampling\": \"remove_and_repeat\",\n"
    "   \"load\": 0.8, \"interarrival\": \"fixed\", \"steps\": 50,\n"
    "   \"max_jct_fraction\": {\"uniform\": {\"min\": 0.5, \"max\": 1, \"decimals\": 2}}},\n"
    " \"partition\": {\"max_degree\": 8, \"min_op_time\": \"10 us\"},\n"
    " \"policy\": {\"script\": \"p.lua\", \"params\": {\"weights\": \"w.json\"}}}\n";

/* Takes the network's choice; jobs of odd numbers are the other network's. */
static const char POLICY[] =
    "local policy = { name = 'p', api = 1, params = {\n"
    "  weights = { default = 'w.json', type = 'network', doc = 'of even jobs' },\n"
    "  other = { default = 'w.json', type = 'network', doc = 'of odd jobs' } } }\n"
    "function policy:partition(job, cluster)\n"
    "  local net, best = job.id % 2 == 0 and self.p.weights or self.p.other, 1\n"
    "  local scores = net:scores(job:observe(net.encoding))\n"
    "  for i = 2, #scores do if scores[i] > scores[best] then best = i end end\n"
    "  return (net:action(best)), ('%.17g'):format(net:value(job:observe(net.encoding)))\n"
    "end\n"
    "return policy\n";

#define OK(call) check((call), &diag, __LINE__)
static void check(LpErr err, const LpDiag *diag, int line) {
    char said[LP_DIAG_TEXT + LP_DIAG_FILE];
    if (err != LP_OK)
        fail_msg("line %d: %s", line, lp_diag_format(diag, said, sizeof said));
}

/* A folder with a scenario, a policy, and networks of different seeds in folders of their own. */
typedef struct Place {
    char path[64], scenario[96], session[96], one[96], two[96], three[96];
} Place;

static void write_network(const char *path, uint64_t seed, uint32_t degrees) {
    static const char *const PLACINGS[] = {"engine"};
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *agent;
    LpDiag diag = {0};
    shape.hidden = 8;
    OK(lp_weights_new(LP_ENCODING_CORRECTED, degrees, PLACINGS, 1, &shape, &agent, &diag));
    lp_net_init(&agent->plan, seed, agent->params);
    lp_weights_round(agent);
    OK(lp_weights_save(path, agent, NULL, &diag));
    lp_weights_free(agent);
}

static void make_place(Place *p) {
    strcpy(p->path, "/tmp/lightpath-networks-XXXXXX");
    assert_non_null(mkdtemp(p->path));
    snprintf(p->scenario, sizeof p->scenario, "%s/s.json", p->path);
    snprintf(p->session, sizeof p->session, "%s/a.session", p->path);
    snprintf(p->one, sizeof p->one, "%s/w.json", p->path);
    snprintf(p->two, sizeof p->two, "%s/deep", p->path);
    assert_int_equal(mkdir(p->two, 0700), 0);
    strcat(p->two, "/w.json");
    snprintf(p->three, sizeof p->three, "%s/bare", p->path);
    tiny_write(p->path, "s.json", SCENARIO);
    tiny_write(p->path, "p.lua", POLICY);
    write_network(p->one, 1, 8);
    write_network(p->two, 2, 8);
    write_network(p->three, 3, 8);
}

static void drop_place(Place *p) {
    char policy[96];
    snprintf(policy, sizeof policy, "%s/p.lua", p->path);
    const char *const files[] = {p->scenario, p->session, p->one, p->two, p->three, policy};
    for (size_t i = 0; i < LP_COUNTOF(files); i++)
        unlink(files[i]);
    *strrchr(p->two, '/') = '\0';
    rmdir(p->two);
    assert_int_equal(rmdir(p->path), 0);
}

/* With the networks in these files; NULL: the scenario's, which lies beside it. */
static LpErr try_open(const Place *p, const char *weights, const char *other, bool timeline,
                      LpSession **out, LpDiag *diag) {
    char one[128], two[128], policy[96];
    const char *const params[] = {one, two};
    LpSessionSpec spec = {.scenario = p->scenario, .keep_timeline = timeline};
    snprintf(policy, sizeof policy, "%s/p.lua", p->path);
    snprintf(one, sizeof one, "weights=%s", weights != NULL ? weights : "");
    snprintf(two, sizeof two, "other=%s", other != NULL ? other : "");
    if (weights != NULL) {
        spec.policy = policy;
        spec.params = other != NULL ? 2 : 1;
        spec.param = params;
    }
    return lp_session_open(&spec, out, diag);
}

static LpSession *open_with(const Place *p, const char *weights, const char *other, bool timeline) {
    LpSession *s;
    LpDiag diag = {0};
    OK(try_open(p, weights, other, timeline, &s, &diag));
    return s;
}

static uint64_t end_of(LpSession *s) {
    LpDiag diag = {0};
    bool stopped;
    OK(lp_session_run(s, NULL, NULL, &stopped, &diag));
    assert_null(lp_session_first_failure(s));
    return lp_session_hash(s);
}

static uint64_t run_with(const Place *p, const char *weights, const char *other) {
    LpSession *s = open_with(p, weights, other, false);
    uint64_t hash = end_of(s);
    lp_session_close(s);
    return hash;
}

static void step(LpSession *s, int decisions) {
    LpDiag diag = {0};
    LpEvent event;
    for (int i = 0; i < decisions && !lp_world_over(lp_session_world(s)); i++)
        OK(lp_session_to_decision(s, &event, &diag));
}

/* ---- */

/* The scenario's network is looked for beside the scenario, not in the working folder. */
static void a_scenario_names_what_lies_beside_it(void **state) {
    (void)state;
    Place p;
    make_place(&p);
    LpSession *s = open_with(&p, NULL, NULL, false);
    assert_true(end_of(s) == run_with(&p, p.one, NULL));
    lp_session_close(s);
    drop_place(&p);
}

static void two_sessions_never_meet(void **state) {
    (void)state;
    Place p;
    make_place(&p);
    uint64_t one = run_with(&p, p.one, p.two), two = run_with(&p, p.three, p.one);
    assert_true(one != two);
    LpSession *a = open_with(&p, p.one, p.two, true), *b = open_with(&p, p.three, p.one, true);
    while (!lp_world_over(lp_session_world(a)) || !lp_world_over(lp_session_world(b))) {
        step(a, 1);
        step(b, 2);
    }
    assert_true(lp_session_hash(a) == one);
    assert_true(lp_session_hash(b) == two);
    lp_session_close(a);
    lp_session_close(b);
    drop_place(&p);
}

/* ---- session files ---- */

static LpSession *load(const Place *p, bool verify, LpLoadReport *report) {
    LpLoadSpec spec = {.path = p->session, .verify = verify};
    LpSession *s;
    LpDiag diag = {0};
    OK(lp_session_load(&spec, &s, report, &diag));
    if (report->policy_failed || report->differences > 0)
        fail_msg("%s%s %s", report->policy_error, report->recorded, report->now);
    assert_int_equal(report->damage_line, 0);
    return s;
}

static char *text_of(const char *path) {
    char *text = calloc(1, 4 << 20);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, (4 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* Half of a run with a fork, in a file; then the networks' files are gone, or others. */
static void go_on_from_a_file(const char *weights, const char *other, const Place *p) {
    LpDiag diag = {0};
    LpSave *save;
    LpLoadReport report;
    uint32_t branch;
    const LpAnswer answer = {
        .kind = LP_ANSWER_DECLINE, .cause = LP_CAUSE_DECLINED, .why = "by hand"};
    const LpForkSpec fork = {.answer = &answer};
    uint64_t whole = run_with(p, weights, other);
    LpSession *s = open_with(p, weights, other, true);
    OK(lp_save_open(s, p->session, false, &save, &diag));
    step(s, 9);
    OK(lp_session_fork(s, &fork, &branch, &diag));
    step(s, 4);
    OK(lp_session_switch(s, 0, &diag));
    lp_save_close(save, s);
    uint64_t aside;
    OK(lp_session_switch(s, branch, &diag));
    aside = end_of(s);
    lp_session_close(s);
    char *text = text_of(p->session);
    assert_null(strstr(text, p->path)); /* it names no folder */
    free(text);
    unlink(p->one);
    write_network(p->two, 77, 8);
    unlink(p->three);
    lp_session_close(load(p, true, &report));
    s = load(p, false, &report);
    step(s, 1000);
    assert_true(lp_session_hash(s) == whole);
    OK(lp_session_switch(s, branch, &diag));
    assert_true(end_of(s) == aside);
    lp_session_close(s);
    unlink(p->session);
    write_network(p->one, 1, 8);
    write_network(p->two, 2, 8);
    write_network(p->three, 3, 8);
}

static void a_file_has_its_networks_in_it(void **state) {
    (void)state;
    Place p;
    make_place(&p);
    go_on_from_a_file(p.one, NULL, &p);
    go_on_from_a_file(p.two, p.one, &p);   /* files of one name */
    go_on_from_a_file(p.three, p.two, &p); /* a name without an ending */
    drop_place(&p);
}

/* Another network from some decision on, of which the file then has both. */
static void a_fork_takes_another_network(void **state) {
    (void)state;
    Place p;
    LpDiag diag = {0};
    LpSave *save;
    LpLoadReport report;
    uint32_t branch;
    char param[128];
    const char *const params[] = {param};
    const LpForkSpec fork = {.params = 1, .param = params};
    make_place(&p);
    LpSession *s = open_with(&p, NULL, NULL, true);
    OK(lp_save_open(s, p.session, false, &save, &diag));
    step(s, 5);
    OK(lp_session_seek(s, 0, &diag));
    snprintf(param, sizeof param, "weights=%s", p.two);
    OK(lp_session_fork(s, &fork, &branch, &diag));
    step(s, 12);
    lp_save_close(save, s);
    uint64_t end = end_of(s);
    assert_true(end == run_with(&p, p.two, p.one));
    lp_session_close(s);
    unlink(p.one);
    unlink(p.two);
    lp_session_close(load(&p, true, &report));
    s = load(&p, false, &report);
    assert_true(end_of(s) == end);
    /* of a session from a file, too; and a file that is not there is named */
    snprintf(param, sizeof param, "other=%s", p.three);
    OK(lp_session_seek(s, 0, &diag));
    OK(lp_session_fork(s, &fork, &branch, &diag));
    write_network(p.two, 2, 8);
    assert_true(end_of(s) == run_with(&p, p.two, p.three));
    snprintf(param, sizeof param, "other=%s", "nothing.json");
    OK(lp_session_seek(s, 0, &diag));
    assert_int_equal(lp_session_fork(s, &fork, &branch, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "there is no file nothing.json"));
    lp_session_close(s);
    drop_place(&p);
}

/* ---- saved while the session is open ---- */

static void not_taken(LpSession *s, const Place *p, const char *text, const char *why) {
    char said[LP_DIAG_TEXT + LP_DIAG_FILE];
    uint32_t before = lp_session_reloads(s);
    if (text != NULL)
        tiny_write(p->path, "w.json", text);
    else
        unlink(p->one);
    (void)!lp_session_poll(s);
    assert_int_equal(lp_session_reloads(s), before);
    const LpDiag *error = lp_session_reload_error(s);
    if (text == NULL) /* it may be about to come back */
        return;
    assert_non_null(error);
    lp_diag_format(error, said, sizeof said);
    if (strstr(said, why) == NULL || strstr(said, "w.json") == NULL)
        fail_msg("%s", said);
}

static void a_saved_network_decides_from_now_on(void **state) {
    (void)state;
    Place p;
    make_place(&p);
    LpSession *s = open_with(&p, p.one, p.three, true);
    lp_session_watch(s, true);
    step(s, 3);
    write_network(p.one, 9, 8);
    assert_int_equal(lp_session_poll(s), LP_OK);
    assert_int_equal(lp_session_reloads(s), 1);
    not_taken(s, &p, "{\"lightpath_network\": 1, \"enc", "w.json:1:");
    char *text = text_of(p.three), *width = strstr(text, "\"hidden\": 8");
    assert_non_null(width);
    width[strlen("\"hidden\": ")] = '9'; /* tensors of another shape */
    not_taken(s, &p, text, "expected");
    free(text);
    step(s, 3);
    not_taken(s, &p, NULL, "");
    step(s, 3);
    assert_null(lp_session_first_failure(s));
    write_network(p.one, 9, 4); /* of fewer degrees: whole, so taken */
    assert_int_equal(lp_session_poll(s), LP_OK);
    assert_int_equal(lp_session_reloads(s), 2);
    assert_null(lp_session_reload_error(s));
    (void)end_of(s);
    lp_session_close(s);
    drop_place(&p);
}

/* Larger networks than a script may be are read. */
static void a_large_network_decides(void **state) {
    (void)state;
    static const char *const PLACINGS[] = {"engine", "first_fit", "best_fit"};
    Place p;
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *agent;
    LpDiag diag = {0};
    struct stat about;
    make_place(&p);
    shape.hidden = 256;
    shape.branch = 128;
    OK(lp_weights_new(LP_ENCODING_CORRECTED, 8, PLACINGS, 3, &shape, &agent, &diag));
    lp_net_init(&agent->plan, 5, agent->params);
    OK(lp_weights_save(p.one, agent, NULL, &diag));
    lp_weights_free(agent);
    assert_int_equal(stat(p.one, &about), 0);
    assert_true(about.st_size > 1 << 20);
    LpSession *s = open_with(&p, p.one, p.two, false);
    step(s, 2);
    assert_null(lp_session_first_failure(s));
    lp_session_close(s);
    drop_place(&p);
}

TEST_GROUP(test_session_network_file) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_names_what_lies_beside_it),
        cmocka_unit_test(two_sessions_never_meet),
        cmocka_unit_test(a_file_has_its_networks_in_it),
        cmocka_unit_test(a_fork_takes_another_network),
        cmocka_unit_test(a_saved_network_decides_from_now_on),
        cmocka_unit_test(a_large_network_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
