/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mini-scenarios that policies are checked on: small, quick, and each with something that the
 * others do not have. */
#include "ask/policy/mini.h"

#include <stdio.h>
#include <string.h>

#include "host/paths.h"
#include "io/scenario/scenario.h"
#include "session/param.h"
#include "session/player/services.h"

#define RAMP                                                                                       \
    "\"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2,"                \
    " \"racks_per_group\": 2, \"servers_per_rack\": 2 } },"
#define GRAPHS                                                                                     \
    "\"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\" },"                                 \
    " { \"id\": \"squeezenet\", \"zoo\": \"squeezenet1_0\" } ],"
#define GENERATOR(count, load)                                                                     \
    "\"generator\": { \"count\": " count ", \"load\": " load                                       \
    ", \"interarrival\": \"exponential\","                                                         \
    " \"sampling\": \"remove_and_repeat\", \"steps\": 50, \"max_jct_fraction\":"                   \
    " { \"uniform\": { \"min\": 0.1, \"max\": 1, \"decimals\": 2 } } },"
#define END "\"partition\": { \"max_degree\": 8 } }"
#define GRAPH(graph, at, rest)                                                                     \
    "{ \"graph\": \"" graph "\", \"arrival\": " at ", \"steps\": 500" rest " }"
#define JOIN(server, aggregator)                                                                   \
    "{ \"from\": \"server " server "\", \"to\": \"aggregator " aggregator "\" }"
#define RIGID(servers, duration, at)                                                               \
    "{ \"servers\": " servers ", \"duration\": " duration ", \"arrival\": " at " }"
#define SLICE(slice, duration, at)                                                                 \
    "{ \"slice\": \"" slice "\", \"duration\": " duration ", \"arrival\": " at                     \
    ", \"checkpoint\": { \"interval\": 20, \"cost\": 2, \"restart\": 5 } }"
#define TRACE(lines) "\"failures\": { \"trace\": \"" lines "\" },"

static const struct {
    const char *name, *text;
} MINIS[LP_MINI_MOST] = {
    {"published",
     "{ \"lightpath\": 1, \"name\": \"published\", \"semantics\": \"published\"," RAMP GRAPHS
         GENERATOR("24", "1") END},
    {"queueing",
     "{ \"lightpath\": 1, \"name\": \"queueing\"," RAMP GRAPHS
     "\"jobs\": [" RIGID("8", "4", "0") "," GRAPH("alexnet", "1", "") "," RIGID("2", "9", "1") "," GRAPH("squeezenet", "2", ", \"max_jct_fraction\": 0.9") "," RIGID("4", "2", "2.5") "," GRAPH("alexnet", "3", ", \"hint\": { \"degree\": 2 }") "," RIGID(
         "1", "20",
         "3") "," GRAPH("alexnet", "4",
                        ", "
                        "\"max_jct_"
                        "fraction\": "
                        "0.4") "," GRAPH("squeezenet", "5",
                                         "") "," RIGID("8", "1",
                                                       "5") "," GRAPH("alexnet", "6",
                                                                      "") "," RIGID("2", "3",
                                                                                    "7") "," GRAPH("squeezenet",
                                                                                                   "30",
                                                                                                   "") "," RIGID("6",
                                                                                                                 "5",
                                                                                                                 "31") "],"
                                                                                                                       "\"queue_capacity\": 6," END},
    {"ideal",
     "{ \"lightpath\": 1, \"name\": \"ideal\","
     "\"cluster\": { \"fabric\": \"ideal\", \"ideal\": { \"servers\": 8 } }," GRAPHS GENERATOR(
         "24", "1.5") END},
    {"ocs",
     "{ \"lightpath\": 1, \"name\": \"ocs\","
     "\"cluster\": { \"fabric\": \"ocs\", \"ocs\": { \"servers\": 6, \"aggregators\": 2,"
     " \"ports_per_aggregator\": 6, \"switches\": 1, \"server_bandwidth\": \"31 Gb/s\","
     " \"uplink_bandwidth\": \"10 Gb/s\", \"reconfiguration\": \"calient_bulk\","
     " \"circuits\": [" JOIN("0", "0") "," JOIN("1", "1") "," JOIN("2", "0") "," JOIN(
         "3",
         "1") "," JOIN("4",
                       "0") "," JOIN("5",
                                     "1") "] } }," GRAPHS
                                          "\"jobs\": [" GRAPH("alexnet", "0", "") "," GRAPH(
                                              "squeezenet", "1",
                                              "") "," GRAPH("alexnet", "2",
                                                            "") "," GRAPH("squeezenet", "400",
                                                                          "") "," GRAPH("alexnet",
                                                                                        "401",
                                                                                        "") "],"
                                                                                            "\"part"
                                                                                            "ition"
                                                                                            "\": { "
                                                                                            "\"kind"
                                                                                            "\": "
                                                                                            "\"data"
                                                                                            "\", "
                                                                                            "\"max_"
                                                                                            "degree"
                                                                                            "\": "
                                                                                            "4, "
                                                                                            "\"min_"
                                                                                            "op_"
                                                                                            "time\""
                                                                                            ": \"1 "
                                                                                            "ns\" "
                                                                                            "} }"},
    {"pod",
     "{ \"lightpath\": 1, \"name\": \"pod\", \"queue\": \"fifo\","
     "\"cluster\": { \"fabric\": \"pod\", \"pod\": { \"cubes\": 8, \"cubes_per_domain\": 2,"
     " \"spares\": 1, \"fault_tolerant\": true } }," TRACE(
         "40,host,19,60\\n55,switch,32,90\\n70,cube,2,50\\n90,cable,96,30\\n120,host,3,200\\n"
         "120,accelerator,300,40\\n") "\"jobs\": [" SLICE("4x4x8", "100",
                                                          "0") "," SLICE("8x4x8 twisted", "200",
                                                                         "10") "," SLICE("2x2x4",
                                                                                         "90",
                                                                                         "12") "," SLICE("4x4x12",
                                                                                                         "50",
                                                                                                         "20") "," SLICE("4x4x4",
                                                                                                                         "60",
                                                                                                                         "25") "," SLICE("1x2x2",
                                                                                                                                         "30",
                                                                                                                                         "60") "," SLICE("4x4x8 twisted",
                                                                                                                                                         "80",
                                                                                                                                                         "70") "] }"},
    {"failing",
     "{ \"lightpath\": 1, \"name\": \"failing\"," RAMP GRAPHS TRACE(
         "2,server,0,5\\n2,server,5,1\\n9,circuit,0,3\\n12,server,1,20\\n30,server,2,4\\n"
         "30,server,3,8\\n") "\"jobs\": [" RIGID("4", "30",
                                                 "0") "," GRAPH("alexnet", "0",
                                                                "") "," RIGID("2", "40",
                                                                              "1") "," GRAPH("squee"
                                                                                             "zene"
                                                                                             "t",
                                                                                             "8",
                                                                                             "") "]"
                                                                                                 ","
                                                                                                 "\"queue_capacity\": 6," END},
    {"turns",
     "{ \"lightpath\": 1, \"name\": \"turns\","
     "\"cluster\": { \"fabric\": \"ideal\", \"ideal\": { \"servers\": 16 }, \"rails\": { \"delay\":"
     " \"1 ms\", \"ports\": 2, \"serial\": true }, \"server\": { \"device\": \"A100\","
     " \"memory\": \"80 GB\" } },"
     "\"graphs\": [ { \"id\": \"gpt\", \"model\": { \"hidden\": 1024, \"heads\": 16, \"layers\": 4 "
     "},"
     " \"parallel\": [ { \"tensor\": 2, \"pipeline\": 2, \"data\": 2, \"batch\": 8, \"wait\": "
     "false },"
     " { \"tensor\": 2, \"pipeline\": 4, \"data\": 2, \"batch\": 8, \"wait\": false } ] } ],"
     "\"jobs\": [ { \"graph\": \"gpt\", \"steps\": 3 }, { \"graph\": \"gpt\", \"steps\": 2 } ] }"},
};

const char *lp_mini_name(int index) {
    return MINIS[index].name;
}

LpErr lp_mini_open(int index, uint32_t max_degree, LpScenario **out, LpDiag *diag) {
    char set[64];
    const char *const sets[] = {set};
    LpLoadOptions options = {.sets = max_degree > 0, .set = sets};
    snprintf(set, sizeof set, "partition.max_degree=%u", (unsigned)max_degree);
    const char *text = MINIS[index].text;
    return lp_scenario_parse(text, strlen(text), MINIS[index].name, &options, out, diag);
}

/* ---- policies ---- */

LpErr lp_mini_policy(const char *path, const LpScenario *scenario, uint32_t params,
                     const char *const *param, LpPolicy **out, LpDiag *diag) {
    LpPaths paths;
    LpArena *arena = lp_arena_new(0);
    LpPolicyParam *given = arena != NULL ? lp_arena_alloc(arena, params, sizeof *given) : NULL;
    const char *const *library =
        given != NULL ? lp_paths_library(arena, lp_paths_dirs(&paths)) : NULL;
    LpErr err = library != NULL ? LP_OK : lp_fail_memory(diag, "a policy");
    for (uint32_t i = 0; err == LP_OK && i < params; i++)
        err = lp_param_parse(arena, param[i], &given[i], diag);
    if (err == LP_OK) {
        LpScriptServices services = lp_services(library);
        err = lp_policy_load(path, given, params, scenario, NULL, &services, out, diag);
    }
    lp_arena_free(arena);
    return err;
}

LpErr lp_mini_policy_text(const char *source, size_t len, const LpScenario *scenario,
                          LpPolicy **out, LpDiag *diag) {
    LpScriptServices services = lp_services(NULL);
    return lp_policy_load_text("probe", source, len, NULL, 0, scenario, NULL, &services, out, diag);
}
