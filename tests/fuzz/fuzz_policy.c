/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a policy: loaded and asked about every job of a small scenario, or refused with one
 * sentence that is safe on a terminal. Its budget is small: an input must not take long. */
#include "fuzz.h"

#include "io/scenario/scenario.h"
#include "script/policy/policy.h"
#include "session/player/services.h"
#include "sim/world.h"

static const char SCENARIO[] =
    "{ \"lightpath\": 1, \"name\": \"fuzz\", \"cluster\": { \"fabric\": \"ramp\", \"ramp\": {"
    "\"communication_groups\": 2, \"racks_per_group\": 2, \"servers_per_rack\": 2 } },"
    "\"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\", \"batch\": 32 } ], \"jobs\": ["
    "{ \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 5, \"max_jct_fraction\": 0.5,"
    "\"hint\": { \"degree\": 4 } }, { \"graph\": \"alexnet\", \"arrival\": 0.001, \"steps\": 5 },"
    "{ \"servers\": 2, \"duration\": \"10 s\", \"arrival\": 0.002 } ], \"queue_capacity\": 2,"
    "\"partition\": { \"max_degree\": 8 } }";

static LpScenario *scenario;
static LpContext *context;

static void must(bool fine) {
    if (!fine)
        abort();
}

static void check_message(const LpDiag *diag) {
    must(diag->text[0] != '\0');
    for (const char *c = diag->text; *c; c++)
        must((unsigned char)*c >= 0x20 && *c != 0x7f);
}

static void ask(LpPolicy *policy, LpWorld *world, LpEvent *event) {
    LpAnswer answer;
    LpDiag diag = {0};
    bool failed;
    uint32_t due = lp_world_due(world);
    must(lp_policy_decide(policy, context, world, due, lp_world_policy_rng(world), &answer, &failed,
                          &diag) == LP_OK);
    if (failed)
        check_message(&diag);
    must(lp_world_decide(world, context, due, &answer, event, NULL, &diag) == LP_OK);
}

static void review(LpPolicy *policy, LpWorld *world, const LpEvent *event) {
    const LpAction *action;
    uint32_t count;
    LpDiag diag = {0};
    bool failed;
    must(lp_policy_review(policy, context, world, event, lp_world_policy_rng(world), &action,
                          &count, &failed, &diag) == LP_OK);
    if (failed)
        check_message(&diag);
}

static void run(LpPolicy *policy, LpWorld *world) {
    LpEvent event = {.kind = LP_EVENT_NONE};
    for (int i = 0; i < 40 && event.kind != LP_EVENT_HORIZON; i++) {
        must(lp_world_advance(world, context, &event, NULL) == LP_OK);
        if (lp_world_due(world) != LP_NO_INDEX)
            ask(policy, world, &event);
        if (event.kind != LP_EVENT_HORIZON && event.kind != LP_EVENT_ROUND)
            review(policy, world, &event);
    }
}

static void open_once(void) {
    LpDiag diag;
    LpLoadOptions options = {0};
    if (context)
        return;
    must(lp_scenario_parse(SCENARIO, strlen(SCENARIO), "fuzz.json", &options, &scenario, &diag) ==
         LP_OK);
    must(lp_context_new(scenario, &context, &diag) == LP_OK);
}

FUZZ_TARGET(policy)(const uint8_t *data, size_t size) {
    static const char *const library[] = {LP_SOURCEDIR "/scripts/lib", LP_SOURCEDIR "/scripts",
                                          NULL};
    LpPolicyLimits limits = {.instructions = 200000, .memory = 4 << 20};
    LpScriptServices services = lp_services(library);
    LpPolicy *policy = NULL;
    LpWorld *world = NULL;
    LpDiag diag = {0};
    open_once();
    LpErr err = lp_policy_load_text("fuzz.lua", (const char *)data, size, NULL, 0, scenario,
                                    &limits, &services, &policy, &diag);
    must((err == LP_OK) == (policy != NULL));
    if (err != LP_OK) {
        check_message(&diag);
        return false;
    }
    must(lp_world_new(context, 1, &world, &diag) == LP_OK);
    run(policy, world);
    lp_world_free(world);
    lp_policy_free(policy);
    return true;
}
