/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks that let jobs wait: a script and a training play the same run, numbers do not depend on
 * the cluster's size, deadlines are the true ones, and a scenario outside of the training is told.
 */
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

#include "../tiny.h"
#include "ask/network/network.h"
#include "base/mem.h"
#include "group.h"
#include "learn/queue.h"
#include "many/train/gym.h"
#include "many/train/train.h"
#include "session/player/schedule.h"
#include "session/player/setting.h"
#include "session/player/weights_file.h"
#include "session/session.h"

#define OK(call) check((call), &diag, __LINE__)
static void check(LpErr err, const LpDiag *diag, int line) {
    char said[LP_DIAG_TEXT + LP_DIAG_FILE];
    if (err != LP_OK)
        fail_msg("line %d: %s", line, lp_diag_format(diag, said, sizeof said));
}

static void near(double a, double b) {
    assert_true(fabs(a - b) < 1e-9);
}

/* So much work that most of it has to wait; racks: servers / 4. */
static const char SCENARIO[] =
    "{\"lightpath\": 1, \"name\": \"small\", \"semantics\": \"%s\",\n"
    " \"cluster\": {\"fabric\": \"ramp\", \"ramp\": {\"communication_groups\": 2,\n"
    "   \"racks_per_group\": 2, \"servers_per_rack\": %d}},\n"
    " \"graphs\": [{\"id\": \"a\", \"zoo\": \"alexnet\"}, {\"id\": \"v\", \"zoo\": \"vgg16\"}],\n"
    " \"queue_capacity\": 5,\n"
    " \"generator\": {\"count\": 60, \"replication\": 30, \"sampling\": \"remove_and_repeat\",\n"
    "   \"load\": 1.1, \"interarrival\": \"fixed\", \"steps\": 50,\n"
    "   \"max_jct_fraction\": {\"uniform\": {\"min\": 0.3, \"max\": 1, \"decimals\": 2}}},\n"
    " \"partition\": {\"max_degree\": 8, \"min_op_time\": \"10 us\", \"kind\": \"model\"}}\n";

typedef struct Lab {
    char path[64], scenario[96], out[96], checkpoint[112], param[112];
} Lab;

static void write_scenario(const Lab *lab, const char *semantics, int per_rack) {
    char text[2048];
    snprintf(text, sizeof text, SCENARIO, semantics, per_rack);
    tiny_write(lab->path, "s.json", text);
}

static LpTrainSpec train_spec(const Lab *lab) {
    LpTrainSpec spec = lp_train_defaults();
    LpDiag diag;
    OK(lp_train_set_algo(&spec, "evolve", &diag));
    spec.session.scenario = lab->scenario;
    spec.steps = 3000;
    spec.ppo.pairs = 2;
    spec.ppo.eval_every = 1;
    spec.ppo.checkpoint_every = 1;
    spec.out = lab->out;
    return spec;
}

/* A folder with a network that was trained for a moment. */
static void make_lab(Lab *lab, const char *semantics) {
    LpDiag diag;
    strcpy(lab->path, "/tmp/lightpath-schedule-XXXXXX");
    assert_non_null(mkdtemp(lab->path));
    snprintf(lab->scenario, sizeof lab->scenario, "%s/s.json", lab->path);
    snprintf(lab->out, sizeof lab->out, "%s/w.json", lab->path);
    snprintf(lab->checkpoint, sizeof lab->checkpoint, "%s.checkpoint", lab->out);
    snprintf(lab->param, sizeof lab->param, "weights=%s", lab->out);
    write_scenario(lab, semantics, 2);
    LpTrainSpec spec = train_spec(lab);
    OK(lp_train(&spec, NULL, NULL, NULL, &diag));
}

static void drop_lab(const Lab *lab) {
    unlink(lab->scenario);
    unlink(lab->out);
    unlink(lab->checkpoint);
    assert_int_equal(rmdir(lab->path), 0);
}

static LpSession *open_session(const Lab *lab, bool timeline) {
    LpSession *session;
    LpDiag diag;
    const char *const params[] = {lab->param};
    LpSessionSpec spec = {.scenario = lab->scenario,
                          .policy = "scripts/pac_ml_queue.lua",
                          .params = 1,
                          .param = params,
                          .has_seed = true,
                          .seed = 9,
                          .keep_timeline = timeline};
    OK(lp_session_open(&spec, &session, &diag));
    return session;
}

static uint64_t lost_of(const LpWorld *world) {
    uint64_t lost = 0;
    for (uint32_t id = 0; id < lp_world_tally(world)->arrived; id++) {
        const LpJob *job = lp_world_job(world, id);
        lost += !(job->outcome == LP_JOB_COMPLETED &&
                  job->times.end <= lp_job_deadline(job) * (1 + 1e-9));
    }
    return lost;
}

static void script_and_training_agree(const char *semantics, bool preempts) {
    Lab lab;
    LpDiag diag;
    LpWeights *agent;
    LpPlayer *player;
    LpScheduled played;
    bool stopped;
    make_lab(&lab, semantics);
    LpSession *session = open_session(&lab, false);
    OK(lp_session_run(session, NULL, NULL, &stopped, &diag));
    assert_int_equal(lp_session_policy_record(session)->failures, 0);
    OK(lp_weights_load(lab.out, &agent, NULL, &diag));
    OK(lp_player_new(agent, lp_session_context(session), &player, &diag));
    OK(lp_player_run(player, lp_session_context(session), 9, &played, &diag));
    const LpTally *tally = lp_world_tally(lp_session_world(session));
    assert_int_equal(played.arrived, 60);
    assert_int_equal(played.arrived, tally->arrived);
    assert_int_equal(played.decisions, tally->decisions);
    assert_int_equal(played.preemptions, tally->preemptions);
    assert_int_equal(played.lost, lost_of(lp_session_world(session)));
    assert_true(tally->decisions > tally->arrived); /* somebody waited */
    assert_int_equal(played.preemptions > 0, preempts);
    lp_player_free(player);
    lp_weights_free(agent);
    lp_session_close(session);
    drop_lab(&lab);
}

static void corrected_runs_agree(void **state) {
    (void)state;
    script_and_training_agree("corrected", true);
}

static void published_runs_agree(void **state) {
    (void)state;
    script_and_training_agree("published", false);
}

/* Who waits while published rules overlook free servers is offered again soon; else on a
 * completion.
 */
static void overlooked_servers_are_asked_for_again(void **state) {
    (void)state;
    Lab lab;
    LpDiag diag;
    LpWeights *agent;
    LpPlayer *player;
    uint32_t soon = 0, later = 0;
    make_lab(&lab, "published");
    LpSession *session = open_session(&lab, false);
    const LpWorld *world = lp_session_world(session);
    OK(lp_weights_load(lab.out, &agent, NULL, &diag));
    OK(lp_player_new(agent, lp_session_context(session), &player, &diag));
    for (;;) {
        LpEvent event;
        LpAnswer answer;
        OK(lp_session_to_decision(session, &event, &diag));
        uint32_t job = lp_world_due(world);
        if (job == LP_NO_INDEX)
            break;
        OK(lp_player_answer(player, lp_session_context(session), world, job,
                            agent->plan.shape.actions - 1, &answer, &diag));
        bool overlooked = lp_world_seen_busy(world) > lp_world_tally(world)->busy_servers;
        assert_int_equal(answer.kind, LP_ANSWER_WAIT);
        assert_int_equal(answer.has_retry, overlooked);
        assert_true(!overlooked || answer.retry > 0);
        soon += overlooked;
        later += !overlooked;
        OK(lp_session_step(session, &event, &diag));
    }
    assert_true(soon > 0 && later > 0);
    lp_player_free(player);
    lp_weights_free(agent);
    lp_session_close(session);
    drop_lab(&lab);
}

/* The same bytes with one thread and with two, and when it goes on from a checkpoint. */
static void training_repeats(void **state) {
    (void)state;
    Lab lab, other;
    LpDiag diag;
    LpTrainReport last;
    LpWeights *a, *b;
    LpNetworkCheckpoint at_a = {0}, at_b = {0};
    make_lab(&lab, "corrected");
    make_lab(&other, "corrected");
    LpTrainSpec spec = train_spec(&lab);
    spec.threads = 1;
    spec.steps = 12000;
    OK(lp_train(&spec, NULL, NULL, &last, &diag));
    uint64_t updates = last.update;
    assert_true(updates > 1);
    spec = train_spec(&other);
    spec.threads = 2;
    spec.steps = 12000;
    OK(lp_train(&spec, NULL, NULL, &last, &diag));
    assert_int_equal(last.update, updates);
    OK(lp_weights_load(lab.checkpoint, &a, &at_a, &diag));
    OK(lp_weights_load(other.checkpoint, &b, &at_b, &diag));
    assert_memory_equal(a->params, b->params, a->plan.params * sizeof *a->params);
    assert_memory_equal(at_a.second, at_b.second, a->plan.params * sizeof *a->params);
    assert_int_equal(at_a.steps, at_b.steps);
    const LpNetworkCheckpoint *const at[] = {&at_a, &at_b};
    for (int i = 0; i < 2; i++) {
        lp_free(at[i]->first);
        lp_free(at[i]->second);
    }
    lp_weights_free(a);
    lp_weights_free(b);
    spec.steps = 20000;
    spec.resume = true;
    OK(lp_train(&spec, NULL, NULL, &last, &diag));
    assert_true(last.update > updates && last.steps > 12000);
    drop_lab(&lab);
    drop_lab(&other);
}

static void other_trainings_refuse_it(void **state) {
    (void)state;
    Lab lab;
    LpDiag diag;
    make_lab(&lab, "corrected");
    LpTrainSpec spec = train_spec(&lab);
    spec.algo = LP_ALGO_PPO;
    assert_int_equal(lp_train(&spec, NULL, NULL, NULL, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "evolve go together"));
    drop_lab(&lab);
}

/* ---- what it sees ---- */

/* The features of the first job, on a cluster with so many servers a rack. */
static void first_features(const Lab *lab, int per_rack, double *out, double *outside) {
    LpDiag diag;
    LpEvent event;
    LpWeights *agent;
    LpPlayer *player;
    uint32_t graph;
    LpBuf text = {0};
    write_scenario(lab, "corrected", per_rack);
    LpSession *session = open_session(lab, false);
    OK(lp_session_to_decision(session, &event, &diag));
    OK(lp_weights_load(lab->out, &agent, NULL, &diag));
    OK(lp_player_new(agent, lp_session_context(session), &player, &diag));
    OK(lp_player_observe(player, lp_session_context(session), lp_session_world(session), 0, out,
                         &graph, &diag));
    *outside = lp_player_outside(player, &text) ? 1 : 0;
    if (*outside > 0) {
        assert_non_null(strstr(lp_buf_text(&text), "trained for servers 8, here 32"));
        lp_buf_clear(&text);
        assert_true(lp_network_outside(session, &text));
    }
    lp_buf_fini(&text);
    lp_player_free(player);
    lp_weights_free(agent);
    lp_session_close(session);
}

static void numbers_do_not_depend_on_the_size(void **state) {
    (void)state;
    enum { FEATURES = LP_QUEUE_COMMONS + (LP_QUEUE_OWNS + 1) * (LP_QUEUE_LADDER + 2) };
    Lab lab;
    double small[FEATURES], large[FEATURES], out_small, out_large;
    make_lab(&lab, "corrected");
    first_features(&lab, 2, small, &out_small);
    first_features(&lab, 8, large, &out_large);
    assert_true(out_small < 1 && out_large > 0);
    for (int i = 0; i < FEATURES; i++)
        assert_true(small[i] >= -1 && small[i] <= 1.5);
    /* a load of 1.1 on either: per server the same work arrives, but four times as often */
    near(small[0], large[0]); /* work by what an arrival brings */
    near(small[2], large[2]); /* urgency */
    near(small[13], 1);       /* free servers */
    near(large[13], 1);
    near(small[24], large[24]);   /* load */
    near(small[6], 4 * large[6]); /* servers wanted / N */
    drop_lab(&lab);
}

/* ---- asking about a decision ---- */

static void a_decision_is_told(void **state) {
    (void)state;
    Lab lab;
    LpDiag diag;
    LpEvent event;
    LpNetworkInspection seen = {0};
    double sum = 0, queue = 0;
    bool waits = false;
    make_lab(&lab, "corrected");
    LpSession *session = open_session(&lab, true);
    LpArena *arena = lp_arena_new(0);
    for (int i = 0; i < 200 && seen.queued < 3; i++) {
        OK(lp_session_to_decision(session, &event, &diag));
        OK(lp_network_inspect(session, 0, lp_world_due(lp_session_world(session)), arena, &seen,
                              &diag));
        OK(lp_session_step(session, &event, &diag));
    }
    assert_true(seen.queued >= 3);
    for (uint32_t a = 0; a < seen.actions; a++) {
        sum += seen.action[a].probability;
        waits |= seen.action[a].degree == LP_DEGREE_WAIT && seen.action[a].open;
        assert_true(isnan(seen.action[a].q));
    }
    for (uint32_t i = 0; i < seen.queued; i++) {
        queue += seen.queue[i].probability;
        if (i > 0)
            assert_true(seen.queue[i].priority <= seen.queue[i - 1].priority);
    }
    near(sum, 1);
    near(queue, 1);
    assert_true(waits);
    assert_string_equal(seen.outside, "");
    lp_arena_free(arena);
    lp_session_close(session);
    drop_lab(&lab);
}

TEST_GROUP(test_session_schedule) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corrected_runs_agree),
        cmocka_unit_test(published_runs_agree),
        cmocka_unit_test(overlooked_servers_are_asked_for_again),
        cmocka_unit_test(training_repeats),
        cmocka_unit_test(other_trainings_refuse_it),
        cmocka_unit_test(numbers_do_not_depend_on_the_size),
        cmocka_unit_test(a_decision_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
