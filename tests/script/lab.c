/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small world to ask policies about. */
#include "lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "io/scenario/scenario.h"
#include "session/player/services.h"
#include "sim/queue/rank.h"
#include "sim/world.h"

const char LAB_SCENARIO[] =
    "{ \"lightpath\": 1, \"name\": \"lab\","
    "  \"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2,"
    "    \"racks_per_group\": 2, \"servers_per_rack\": 2 } },"
    "  \"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\", \"batch\": 32 } ],"
    "  \"jobs\": ["
    "    { \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 50, \"max_jct_fraction\": 0.5,"
    "      \"hint\": { \"degree\": 4, \"list\": [1, 2.5, \"x\"], \"yes\": true } },"
    "    { \"graph\": \"alexnet\", \"arrival\": 0.001, \"steps\": 50 },"
    "    { \"servers\": 2, \"duration\": \"10 s\", \"arrival\": 0.002 },"
    "    { \"graph\": \"alexnet\", \"arrival\": 0.003, \"steps\": 5, \"hint\": { \"degree\": 0 } } "
    "],"
    "  \"partition\": { \"max_degree\": 8, \"kind\": \"model\" } }";

void lab_open(Lab *lab, const char *scenario) {
    memset(lab, 0, sizeof *lab);
    LpLoadOptions options = {0};
    LpErr err = lp_scenario_parse(scenario, strlen(scenario), "lab.json", &options, &lab->scenario,
                                  &lab->diag);
    if (err == LP_OK)
        err = lp_context_new(lab->scenario, &lab->context, &lab->diag);
    if (err == LP_OK)
        err = lp_world_new(lab->context, 1, &lab->world, &lab->diag);
    if (err != LP_OK)
        fail_msg("the lab does not open: %s", lab->diag.text);
}

void lab_close(Lab *lab) {
    lp_policy_free(lab->policy);
    lp_world_free(lab->world);
    lp_context_free(lab->context);
    lp_scenario_free(lab->scenario);
}

/* What a session gives its policies: the algorithms, and the tree's scripts/lib. */
static LpScriptServices services(void) {
    static const char *const library[] = {LP_SOURCEDIR "/scripts/lib", NULL};
    return lp_services(library);
}

LpErr lab_load(Lab *lab, const char *source) {
    LpScriptServices given = services();
    lp_policy_free(lab->policy);
    lab->policy = NULL;
    lab->diag = (LpDiag){.code = LP_OK};
    return lp_policy_load_text("some/folder/test.lua", source, strlen(source), NULL, 0,
                               lab->scenario, &lab->limits, &given, &lab->policy, &lab->diag);
}

LpErr lab_load_file(Lab *lab, const char *path, const LpPolicyParam *params, uint32_t count) {
    LpScriptServices given = services();
    lp_policy_free(lab->policy);
    lab->policy = NULL;
    lab->diag = (LpDiag){.code = LP_OK};
    return lp_policy_load(path, params, count, lab->scenario, &lab->limits, &given, &lab->policy,
                          &lab->diag);
}

bool lab_advance(Lab *lab) {
    LpEvent event = {.kind = LP_EVENT_NONE};
    while (event.kind != LP_EVENT_HORIZON) {
        assert_int_equal(lp_world_advance(lab->world, lab->context, &event, NULL), LP_OK);
        if (event.kind == LP_EVENT_ARRIVAL || event.kind == LP_EVENT_OFFER)
            return true;
    }
    return false;
}

/* Without a policy that has keys nothing. */
static void rank(Lab *lab, uint32_t job) {
    double key;
    if (!lp_policy_queue(lab->policy).keyed || lp_world_is_ranked(lab->world, job))
        return;
    assert_int_equal(lp_policy_queue_key(lab->policy, lab->context, lab->world, job,
                                         lp_world_policy_rng(lab->world), &key, &lab->failed,
                                         &lab->diag),
                     LP_OK);
    assert_false(lab->failed);
    assert_int_equal(
        lp_world_rank(lab->world, job, key, lp_policy_queue(lab->policy).rule, &lab->diag), LP_OK);
}

LpErr lab_ask(Lab *lab) {
    lab->diag = (LpDiag){.code = LP_OK};
    lab->failed = false;
    memset(&lab->answer, 0, sizeof lab->answer);
    rank(lab, lp_world_due(lab->world));
    if (lp_world_bound_by(lab->world, lp_world_due(lab->world)) != LP_NO_INDEX) {
        lab->answer = (LpAnswer){.kind = LP_ANSWER_WAIT, .where = "(not asked)"};
        return LP_OK;
    }
    return lp_policy_decide(lab->policy, lab->context, lab->world, lp_world_due(lab->world),
                            lp_world_policy_rng(lab->world), &lab->answer, &lab->failed,
                            &lab->diag);
}

void lab_apply(Lab *lab, LpEvent *event) {
    LpDiag diag;
    assert_int_equal(lp_world_decide(lab->world, lab->context, lp_world_due(lab->world),
                                     &lab->answer, event, NULL, &diag),
                     LP_OK);
}

const LpJob *lab_due(const Lab *lab) {
    return lp_world_job(lab->world, lp_world_due(lab->world));
}
