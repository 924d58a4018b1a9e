/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drafts: what a row, a toggle or a carried op comes to is what the run then does; what cannot be
 * says why and changes nothing; looking changes nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ask/draft/as_policy.h"
#include "ask/draft/by_hand.h"
#include "ask/draft/choices.h"
#include "ask/whatif/whatif.h"
#include "base/mem.h"
#include "draft_bench.h"
#include "group.h"
#include "session/moment/moment.h"
#include "session/time.h"
#include "sim/world.h"

/* ---- prices ---- */

/* Every row of every stage of a few decisions of every scenario: what it comes to is what the job
 * is forecast once the fork is taken; a row that is not possible is no fork. */
static void check_row(const char *scenario, const char *at, LpStage stage, const LpStageRow *row) {
    LpSession *s = open_at(scenario, at);
    LpDiag diag = {0};
    uint32_t job = lp_world_due(lp_session_world(s)), branch;
    uint64_t before = lp_session_hash(s);
    double now = lp_world_now(lp_session_world(s));
    LpErr err = lp_session_fork_text(s, row->words, &branch, &diag);
    if (!row->price.possible) {
        assert_int_equal(err, LP_EREFUSED);
        assert_true(lp_session_hash(s) == before);
        assert_int_equal(lp_session_branches(s), 1);
    } else if (err != LP_OK) {
        fail_msg("%s %s, %s, %s: %s", scenario, at, lp_stage_name(stage), row->words, diag.text);
    } else if (!row->price.late && row->price.dark == 0.0) {
        const LpJob *after = lp_world_job(lp_session_world(s), job);
        bool runs = after->outcome == LP_JOB_RUNNING && after->light.dark == LP_JOB_LIT;
        if (runs && !near(after->times.forecast_end - now, row->price.jct) &&
            lp_session_context(s)->circuits == NULL)
            fail_msg("%s %s, %s: %.17g s, then %.17g s", scenario, at, row->words, row->price.jct,
                     after->times.forecast_end - now);
    }
    lp_session_close(s);
}

static bool same_servers(const LpForecast *a, const LpForecast *b) {
    bool same = a->servers == b->servers;
    for (uint32_t i = 0; same && i < a->servers; i++) {
        bool found = false;
        for (uint32_t k = 0; k < b->servers; k++)
            found = found || a->server[i] == b->server[k];
        same = found;
    }
    return same;
}

/* What the policy does stands once in the list. */
static void check_once(const char *scenario, const char *at, const LpStageRows *rows) {
    for (uint32_t r = 1; r < rows->count; r++)
        if (rows->row[r].price.possible && rows->row[0].price.possible &&
            rows->row[r].price.step_time == rows->row[0].price.step_time &&
            same_servers(&rows->row[r].price.forecast, &rows->row[0].price.forecast))
            fail_msg("%s %s: %s is what the policy does", scenario, at, rows->row[r].words);
}

static void rows_are_what_their_forks_do(void **state) {
    static const char *const scenario[] = {
        "five-decisions", "leaf-spine", "pac-ml-32",        "zones",        "transformers",
        "rigid",          "place-ramp", "mixtral-regional", "circuits-ocs", "pod-64"};
    static const char *const at[] = {"d0", "d3"};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(scenario); i++)
        for (size_t k = 0; k < LP_COUNTOF(at); k++) {
            bool one = strcmp(scenario[i], "circuits-ocs") == 0 ||
                       strcmp(scenario[i], "mixtral-regional") == 0; /* job */
            if (one && k > 0)
                continue;
            LpSession *s = open_at(scenario[i], at[k]);
            LpStageRows *rows = lp_alloc(1, sizeof *rows);
            LpDraft draft = {0};
            uint64_t before = lp_session_hash(s);
            assert_non_null(rows);
            if (lp_world_due(lp_session_world(s)) == LP_NO_INDEX) {
                lp_free(rows);
                lp_session_close(s);
                continue;
            }
            for (int stage = LP_STAGE_PLACE; stage < LP_STAGE_COUNT; stage++) {
                assert_int_equal(lp_choices_list(s, &draft, (LpStage)stage, rows, NULL), LP_OK);
                assert_true(rows->none[0] != '\0' || rows->count > 0);
                if (stage == LP_STAGE_PLACE)
                    check_once(scenario[i], at[k], rows);
                assert_true(lp_session_hash(s) == before);
                for (uint32_t r = 0; r < rows->count; r++) {
                    assert_true(rows->row[r].policys == (rows->row[r].words[0] == '\0'));
                    if (rows->row[r].words[0] != '\0')
                        check_row(scenario[i], at[k], (LpStage)stage, &rows->row[r]);
                }
            }
            lp_free(rows);
            lp_session_close(s);
        }
}

/* Runs a row as a branch of a session of its own. */
static void check_end(const char *scenario, const char *at, const LpWhatIf *row) {
    LpSession *s = open_at(scenario, at);
    LpDiag diag = {0};
    bool stopped;
    uint32_t branch;
    LpErr err = row->chosen ? LP_OK : lp_session_fork_text(s, row->words, &branch, &diag);
    if (err == LP_OK)
        err = lp_session_run(s, NULL, NULL, &stopped, &diag);
    if (err != LP_OK)
        fail_msg("%s %s, %s: %s", scenario, at, row->words, diag.text);
    if (lp_session_hash(s) != row->hash)
        fail_msg("%s %s, %s: leads elsewhere", scenario, at, row->words);
    lp_session_close(s);
}

/* What-if runs the rows of a stage to the end as branches that are taken; a choice of the draft
 * that no row has is one more row, and nothing changes. */
static void rows_lead_where_their_forks_lead(void **state) {
    static const struct {
        const char *scenario, *at;
        LpStage stage;
        const char *draft, *other; /* of this stage, of the first */
        uint32_t more;             /* rows than the list has */
    } cases[] = {
        {"five-decisions", "d1", LP_STAGE_PLACE, "", "", 0},
        {"five-decisions", "d1", LP_STAGE_PLACE, "servers=1,3,5,7", "", 0},
        {"five-decisions", "d2", LP_STAGE_ORDER_OPS, "order_ops=srpt:4", "", 0},
        {"five-decisions", "d2", LP_STAGE_ORDER_OPS, "order_ops=srpt:4,5b", "", 1},
        {"five-decisions", "d3", LP_STAGE_CIRCUITS, "", "", 0},
        {"five-decisions", "d4", LP_STAGE_ORDER_FLOWS, "", "", 0},
        {"circuits-ocs", "d0", LP_STAGE_CIRCUITS, "", "", 0},
        {"place-ramp", "d0", LP_STAGE_PLACE, "", "degree=2", 0},
        {"rigid", "d0", LP_STAGE_PLACE, "", "", 0},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpSession *s = open_at(cases[i].scenario, cases[i].at);
        LpStageRows *rows = lp_alloc(1, sizeof *rows);
        LpDraft draft = {0};
        LpWhatIfs table;
        uint64_t before = lp_session_hash(s);
        assert_non_null(rows);
        strcpy(draft.word[cases[i].stage], cases[i].draft);
        strcpy(draft.word[LP_STAGE_PARTITION], cases[i].other);
        assert_int_equal(lp_choices_list(s, &draft, cases[i].stage, rows, NULL), LP_OK);
        assert_int_equal(lp_whatif_stage(s, &draft, cases[i].stage, &table, NULL), LP_OK);
        assert_true(table.count >= 2);
        assert_int_equal(table.count, rows->count + cases[i].more);
        assert_int_equal(lp_whatif_to_end(s, &table, 0, 0, NULL, NULL, NULL), LP_OK);
        assert_true(lp_session_hash(s) == before);
        for (uint32_t r = 0; r < table.count; r++) {
            const LpWhatIf *row = &table.row[r];
            assert_true(row->ended == row->accepted);
            assert_true(row->chosen == (row->words[0] == '\0'));
            assert_string_equal(row->label, r < rows->count ? rows->row[r].label : "by hand");
            if (row->ended)
                check_end(cases[i].scenario, cases[i].at, row);
        }
        lp_whatif_fini(&table);
        lp_free(rows);
        lp_session_close(s);
    }
}

/* By an independent scheduler: steps of the graphs braid and relay. */
static void orders_have_their_steps(void **state) {
    static const struct {
        const char *at, *words;
        double step; /* ms */
    } cases[] = {
        {"d2", "", 66.5},
        {"d2", "order_ops=fifo", 54.5},
        {"d2", "order_ops=critical_path", 48.5},
        {"d2", "order_ops=longest", 48.5},
        {"d2", "order_ops=srpt:4", 60.5},
        {"d2", "order_ops=srpt:5b", 54.5},
        {"d2", "order_ops=srpt:4,5b", 48.5},
        {"d4", "", 76.0},
        {"d4", "order_flows=critical_path", 60.0},
        {"d4", "order_flows=srpt:5-9", 68.0},
        {"d4", "order_flows=srpt:9b-5b", 68.0},
        {"d4", "order_flows=srpt:5-9,9b-5b", 60.0},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpSession *s = open_at("five-decisions", cases[i].at);
        LpPrice p = price_of(s, cases[i].words);
        assert_true(p.possible);
        if (fabs(p.step_time * 1000 - cases[i].step) > 0.1)
            fail_msg("%s: %.4f ms, expected %.1f", cases[i].words, p.step_time * 1000,
                     cases[i].step);
        lp_session_close(s);
    }
}

static void circuits_are_dark_first(void **state) {
    (void)state;
    LpSession *s = open_at("five-decisions", "d3");
    LpPrice was = price_of(s, ""), is = price_of(s, "circuits=1:0,3:0");
    assert_true(is.possible && near(is.dark, 0.01));
    assert_true(is.jct < 0.45 * was.jct && is.jct > 100 * is.step_time);
    lp_session_close(s);
}

/* ---- what cannot be ---- */

static void refusals_name_what_is_wrong(void **state) {
    static const struct {
        const char *scenario, *at, *words, *says;
    } cases[] = {
        {"five-decisions", "d1", "servers=0-2", "the job needs 4"},
        {"five-decisions", "d1", "servers=4-2", "expected numbers of servers"},
        {"five-decisions", "d1", "servers=0,99,2,3", "99"},
        {"five-decisions", "d2", "order_ops=best", "expected a rule and what goes first"},
        {"five-decisions", "d2", "order_ops=srpt:", "expected a rule and what goes first"},
        {"five-decisions", "d2", "order_ops=srpt:4;5", "expected a rule and what goes first"},
        {"five-decisions", "d2", "order_ops=srpt:0", "there is no op 0"},
        {"five-decisions", "d2", "order_ops=srpt:4.2", "there is no part 2 of an op in 1 parts"},
        {"five-decisions", "d1", "parts=1-4:0", "has no server for op 5"},
        {"five-decisions", "d2", "ways=9:2", "there is no op 9"},
        {"five-decisions", "d2", "ways=2:0", "expected OP:WAYS"},
        {"five-decisions", "d3", "circuits=1:0,", "expected SERVER:AGGREGATOR"},
        {"five-decisions", "d3", "circuits=1:7", "aggregators"},
        {"five-decisions", "d4", "order_flows=srpt:2-5", "nothing goes by light"},
        {"five-decisions", "d4", "phase=provisioned", "no circuit turns inside a step"},
        {"circuits-ocs", "d0", "circuits=", "no circuit is set"},
        {"circuits-ocs", "d0", "circuits=0-9", "there is no port 9"},
        {"circuits-ocs", "d0", "circuits=0-1,0-2", "a second circuit of its port"},
        {"circuits-ocs", "d0", "circuits=0-1@never", "expected SERVER:AGGREGATOR"},
        {"circuits-ocs", "d0", "circuits=1:0", "no aggregators here"},
        {"pod-64", "d3", "cubes=21-43", "23 cubes, slice 8x12x16 takes 24"},
        {"pod-64", "d3", "cubes=0-23", "cube 0 is not usable"},
        {"pod-64", "d3", "cubes=21-43,43", "cube 43 is named twice"},
        {"pod-64", "d3", "cubes=64", "there is no cube 64: cubes are 0 to 63"},
        {"pod-64", "d3", "cubes=", "0 cubes, slice 8x12x16 takes 24"},
        {"pod-64", "d3", "cubes=a", "expected numbers of cubes"},
        {"pod-64", "d3", "origin=0,0,0", "on switched wiring a slice takes any cubes"},
        {"five-decisions", "d1", "cubes=1", "asks for no slice of a pod"},
        {"mixtral-regional", "d0", "phase=late", "expected on-demand or provisioned"},
        {"mixtral-regional", "d0", "phase=provisioned:100000", "there is no turn 100000"},
        {"transformers", "d0", "order_ops=fifo", "runs by a plan"},
        {"rigid", "d0", "order_ops=fifo", "is not cut"},
        {"leaf-spine", "d3", "servers=0-5", "0"},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpSession *s = open_at(cases[i].scenario, cases[i].at);
        LpPrice p = price_of(s, cases[i].words);
        LpDiag diag = {0};
        uint32_t branch = 77;
        uint64_t before = lp_session_hash(s);
        if (p.possible || strstr(p.why, cases[i].says) == NULL)
            fail_msg("%s: \"%s\", expected \"%s\"", cases[i].words, p.why, cases[i].says);
        assert_int_not_equal(lp_session_fork_text(s, cases[i].words, &branch, &diag), LP_OK);
        assert_int_equal(branch, 77);
        assert_true(lp_session_hash(s) == before);
        assert_int_equal(lp_session_branches(s), 1);
        lp_session_close(s);
    }
}

/* ---- single moves ---- */

enum { MOVES_MOST = 4, WORDS_MOST = 2048 };

/* Step times that one op, or one flow, before all others leads to, each 1 % shorter than `own` or
 * more, ascending: every op, or every pair of ops, is tried. Returns how many. */
static uint32_t try_every_move(LpSession *s, bool flows, double own, double out[WORDS_MOST]) {
    const LpJob *job = lp_world_job(lp_session_world(s), lp_world_due(lp_session_world(s)));
    uint32_t ops = lp_session_scenario(s)->graph[job->graph]->ops, count = 0;
    for (uint32_t from = 1; from <= ops; from++)
        for (uint32_t to = 1; to <= (flows ? ops : 1); to++)
            for (int form = 0; form < (flows ? 3 : 2); form++) {
                char words[64];
                if (flows)
                    snprintf(words, sizeof words, "order_flows=srpt:%u%s-%u%s", from,
                             form == 1 ? "b" : "", to, form > 0 ? "b" : "");
                else
                    snprintf(words, sizeof words, "order_ops=srpt:%u%s", from, form ? "b" : "");
                LpPrice p = price_of(s, words);
                if (!p.possible || !(p.step_time <= own * 0.99))
                    continue;
                uint32_t at = count++;
                for (; at > 0 && out[at - 1] > p.step_time; at--)
                    out[at] = out[at - 1];
                out[at] = p.step_time;
            }
    return count;
}

/* The rows of single moves are the best of all there are, and none where no order matters. */
static void single_moves_are_the_best_of_all(void **state) {
    static const struct {
        const char *scenario, *at;
        bool flows;
        uint32_t rows;
        const char *best; /* words */
    } cases[] = {
        {"five-decisions", "d0", false, 0, NULL},
        {"five-decisions", "d2", false, 2, "order_ops=srpt:5b"},
        {"five-decisions", "d2", true, 0, NULL},
        {"five-decisions", "d4", false, 1, "order_ops=srpt:9b"},
        {"five-decisions", "d4", true, 2, "order_flows=srpt:5-9"},
        {"orders-ramp", "d0", false, 2, "order_ops=srpt:5b"},
        {"pac-ml-32", "d0", false, 0, NULL},
        {"zones", "d3", true, 4, "order_flows=srpt:22b-21b"},
        {"transformers", "d0", false, 0, NULL},
        {"rigid", "d0", true, 0, NULL},
    };
    static double shorter[WORDS_MOST];
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpSession *s = open_at(cases[i].scenario, cases[i].at);
        LpStageRows *rows = lp_alloc(2, sizeof *rows), *whole = rows + 1;
        LpDraft draft = {0};
        LpStage stage = cases[i].flows ? LP_STAGE_ORDER_FLOWS : LP_STAGE_ORDER_OPS;
        uint64_t before = lp_session_hash(s);
        assert_non_null(rows);
        assert_int_equal(lp_choices_list(s, &draft, stage, rows, NULL), LP_OK);
        assert_int_equal(lp_choices_list_whole(s, &draft, stage, whole, NULL), LP_OK);
        assert_true(lp_session_hash(s) == before);
        assert_int_equal(rows->count, whole->count + cases[i].rows);
        for (uint32_t r = 0; r < whole->count; r++)
            assert_string_equal(rows->row[r].words, whole->row[r].words);
        if (cases[i].best != NULL)
            assert_string_equal(rows->row[whole->count].words, cases[i].best);
        uint32_t better =
            rows->none[0] != '\0'
                ? 0
                : try_every_move(s, cases[i].flows, rows->row[0].price.step_time, shorter);
        assert_int_equal(cases[i].rows, better < MOVES_MOST ? better : MOVES_MOST);
        for (uint32_t r = 0; r < cases[i].rows; r++)
            assert_true(rows->row[whole->count + r].price.step_time == shorter[r]);
        lp_free(rows);
        lp_session_close(s);
    }
}

/* ---- stages together ---- */

static void an_earlier_stage_takes_later_words_with_it(void **state) {
    (void)state;
    LpSession *s = open_at("five-decisions", "d2");
    LpDraft draft = {.word = {[LP_STAGE_PLACE] = "parts=1-8:0",
                              [LP_STAGE_ORDER_OPS] = "order_ops=srpt:4",
                              [LP_STAGE_ORDER_FLOWS] = "order_flows=srpt:3-8"}};
    LpBuf said = {0};
    assert_int_equal(lp_draft_settle(s, &draft, LP_STAGE_PLACE, &said, NULL), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_ORDER_OPS], "order_ops=srpt:4");
    assert_string_equal(draft.word[LP_STAGE_ORDER_FLOWS], "");
    assert_non_null(strstr(lp_buf_text(&said), "order flows dropped: "));
    lp_buf_fini(&said);
    LpBuf names = {0};
    lp_draft_names(&draft, &names);
    assert_string_equal(lp_buf_text(&names), "draft: place, order ops");
    lp_buf_fini(&names);
    lp_session_close(s);
}

/* ---- what was done ---- */

static void decisions_by_hand_are_counted(void **state) {
    (void)state;
    LpSession *s = open_at("five-decisions", "d1");
    LpByHand hand;
    LpBuf text = {0};
    LpAt later;
    uint32_t branch;
    assert_int_equal(lp_as_policy(s, LP_WIDTH_JOB, "x", &text, NULL), LP_ESTATE);
    assert_int_equal(lp_session_fork_text(s, "servers=0,2,4,6 order_ops=fifo", &branch, NULL),
                     LP_OK);
    assert_int_equal(lp_at_parse("d2", &later, NULL), LP_OK);
    assert_int_equal(lp_session_go(s, &later, NULL), LP_OK);
    assert_int_equal(lp_session_fork_text(s, "order_ops=srpt:4", &branch, NULL), LP_OK);
    assert_int_equal(lp_by_hand(s, &hand, NULL), LP_OK);
    assert_int_equal(hand.decisions, 2);
    assert_int_equal(hand.of[LP_STAGE_PARTITION], 0);
    assert_int_equal(hand.of[LP_STAGE_PLACE], 1);
    assert_int_equal(hand.of[LP_STAGE_ORDER_OPS], 2);
    assert_int_equal(lp_as_policy(s, LP_WIDTH_GRAPH, "x", &text, NULL), LP_OK);
    assert_non_null(strstr(lp_buf_text(&text), "graph = \"braid\""));
    assert_non_null(strstr(lp_buf_text(&text), "order_ops = { rule = \"srpt\", \"4\" }"));
    lp_buf_fini(&text);
    lp_session_close(s);
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* The queue lets nobody before job 1, which waits for all servers; job 2 runs by hand all the same,
 * and so it does under the policy that says what was done. */
static void a_policy_of_choices_passes_a_queue(void **state) {
    (void)state;
    char folder[] = "/tmp/lightpath-draft-XXXXXX", scenario[64], policy[64];
    assert_non_null(mkdtemp(folder));
    snprintf(scenario, sizeof scenario, "%s/s.json", folder);
    snprintf(policy, sizeof policy, "%s/hand.lua", folder);
    write_file(scenario,
               "{ \"lightpath\": 1, \"cluster\": { \"fabric\": \"ideal\", \"ideal\": { "
               "\"servers\": 8 } }, \"jobs\": ["
               "{ \"servers\": 4, \"duration\": 10, \"arrival\": 0 },"
               "{ \"servers\": 8, \"duration\": 10, \"arrival\": 1 },"
               "{ \"graph\": \"alexnet\", \"steps\": 10, \"arrival\": 2 } ], "
               "\"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\", \"batch\": 32 } ] }");
    LpSessionSpec spec = {.scenario = scenario, .policy = "strict_fifo", .keep_timeline = true};
    LpSession *s;
    LpAt at;
    LpBuf text = {0};
    uint32_t branch;
    bool stopped, same = false;
    assert_int_equal(lp_session_open(&spec, &s, NULL), LP_OK);
    assert_int_equal(lp_at_parse("d2", &at, NULL), LP_OK);
    assert_int_equal(lp_session_go(s, &at, NULL), LP_OK);
    assert_int_equal(lp_world_due(lp_session_world(s)), 2);
    assert_int_equal(lp_session_pending(s, NULL)->kind, LP_ANSWER_WAIT);
    assert_int_equal(lp_session_fork_text(s, "degree=4", &branch, NULL), LP_OK);
    LpDiag diag = {0};
    if (lp_session_run(s, NULL, NULL, &stopped, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_true(lp_world_job(lp_session_world(s), 2)->times.start == 2);
    if (lp_as_policy(s, LP_WIDTH_JOB, "x", &text, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    write_file(policy, lp_buf_text(&text));
    assert_int_equal(lp_as_policy_check(s, policy, &same, NULL), LP_OK);
    assert_true(same);
    lp_buf_fini(&text);
    lp_session_close(s);
    unlink(policy);
    unlink(scenario);
    rmdir(folder);
}

TEST_GROUP(test_ask_draft) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_what_their_forks_do),
        cmocka_unit_test(rows_lead_where_their_forks_lead),
        cmocka_unit_test(orders_have_their_steps),
        cmocka_unit_test(circuits_are_dark_first),
        cmocka_unit_test(refusals_name_what_is_wrong),
        cmocka_unit_test(single_moves_are_the_best_of_all),
        cmocka_unit_test(an_earlier_stage_takes_later_words_with_it),
        cmocka_unit_test(decisions_by_hand_are_counted),
        cmocka_unit_test(a_policy_of_choices_passes_a_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
