/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mini-scenarios that policies are checked on: small, quick, and each with something that the
 * others do not have. */
#include "run/policy_mini.h"

#include <stdio.h>
#include <string.h>

#include "io/scenario.h"
#include "run/paths.h"
#include "run/services.h"

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
#define RIGID(servers, duration, at)                                                               \
    "{ \"servers\": " servers ", \"duration\": " duration ", \"arrival\": " at " }"

static const struct {
    const char *name, *text;
} MINIS[LP_MINI_COUNT] = {
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

enum { LIBRARY_ROOM = LP_PATH_TEXT + 16 };

/* scripts/lib of the data folders. */
typedef struct Library {
    char text[LP_PATHS_MAX][LIBRARY_ROOM];
    const char *folder[LP_PATHS_MAX + 1];
} Library;

static void find_library(Library *library) {
    LpPaths paths;
    const char *const *dir = lp_paths_dirs(&paths);
    size_t count = 0;
    for (; dir[count] != NULL; count++) {
        snprintf(library->text[count], LIBRARY_ROOM, "%s/scripts/lib", dir[count]);
        library->folder[count] = library->text[count];
    }
    library->folder[count] = NULL;
}

LpErr lp_mini_policy(const char *path, const LpScenario *scenario, LpPolicy **out, LpDiag *diag) {
    Library library;
    find_library(&library);
    LpScriptServices services = lp_services(library.folder);
    return lp_policy_load(path, NULL, 0, scenario, NULL, &services, out, diag);
}

LpErr lp_mini_policy_text(const char *source, size_t len, const LpScenario *scenario,
                          LpPolicy **out, LpDiag *diag) {
    LpScriptServices services = lp_services(NULL);
    return lp_policy_load_text("probe", source, len, NULL, 0, scenario, NULL, &services, out, diag);
}
