/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long each hostile script of tests/script/hostile (or each file named) takes to be stopped:
 * loading and the hooks of the first decisions until one fails, slowest first.
 *
 * Two are known to need 250 to 400 ms: table_rehash and metatable_emptied walk through tables of
 * some MB. Filling a table anew is charged by the bytes of its new array, a search by the
 * instruction; dearer ones would price out honest tables of that size, too. The budget ends both.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "io/scenario/scenario.h"
#include "script/policy/policy.h"
#include "session/player/services.h"
#include "sim/world.h"

#define FOLDER LP_SOURCEDIR "/tests/script/hostile"
enum { FILES_MAX = 600, SHOWN = 20, RUNS = 3 };
static const double LIMIT_MS = 250, ENOUGH_MS = 1000;

static const char SCENARIO[] =
    "{ \"lightpath\": 1, \"name\": \"lab\","
    "  \"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2,"
    "    \"racks_per_group\": 2, \"servers_per_rack\": 2 } },"
    "  \"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\", \"batch\": 32 } ],"
    "  \"jobs\": ["
    "    { \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 50, \"hint\": { \"degree\": 4 } },"
    "    { \"graph\": \"alexnet\", \"arrival\": 0.001, \"steps\": 50 },"
    "    { \"servers\": 2, \"duration\": \"10 s\", \"arrival\": 0.002 } ],"
    "  \"partition\": { \"max_degree\": 8 } }";

typedef struct Measure {
    char path[600], text[160];
    double ms;
    unsigned long long units;
    bool ended;
} Measure;

/* Seconds of this thread: others may use the machine, too. */
static double processor_now(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(LpErr err, const LpDiag *diag) {
    if (err == LP_OK)
        return;
    fprintf(stderr, "bench_hostile: %s\n", diag->text);
    exit(1);
}

/* Decides until a hook fails; milliseconds of the slowest call. */
static void decide(Measure *m, LpPolicy *policy, LpContext *context, LpWorld *world) {
    LpDiag diag = {.code = LP_OK};
    LpEvent event = {.kind = LP_EVENT_NONE};
    while (event.kind != LP_EVENT_HORIZON && !m->ended) {
        must(lp_world_advance(world, context, &event, &diag), &diag);
        if (event.kind != LP_EVENT_ARRIVAL && event.kind != LP_EVENT_OFFER)
            continue;
        LpAnswer answer;
        bool failed = false;
        uint32_t due = lp_world_due(world);
        double start = processor_now();
        LpErr err = lp_policy_decide(policy, context, world, due, lp_world_policy_rng(world),
                                     &answer, &failed, &diag);
        double ms = 1e3 * (processor_now() - start);
        if (ms > m->ms)
            m->ms = ms;
        m->units = lp_policy_use(policy).instructions;
        m->ended = failed || err != LP_OK;
        if (m->ended) {
            snprintf(m->text, sizeof m->text, "%.150s", diag.text);
            return;
        }
        must(lp_world_decide(world, context, due, &answer, &event, NULL, &diag), &diag);
    }
}

static void measure_once(Measure *m) {
    LpDiag diag = {.code = LP_OK};
    LpLoadOptions options = {0};
    LpScenario *scenario = NULL;
    LpContext *context = NULL;
    LpWorld *world = NULL;
    LpPolicy *policy = NULL;
    static const char *const library[] = {LP_SOURCEDIR "/scripts/lib", NULL};
    LpScriptServices services = lp_services(library);
    must(lp_scenario_parse(SCENARIO, strlen(SCENARIO), "lab.json", &options, &scenario, &diag),
         &diag);
    must(lp_context_new(scenario, &context, &diag), &diag);
    must(lp_world_new(context, 1, &world, &diag), &diag);
    double start = processor_now();
    LpErr err = lp_policy_load(m->path, NULL, 0, scenario, NULL, &services, &policy, &diag);
    m->ms = 1e3 * (processor_now() - start);
    m->ended = err != LP_OK;
    m->text[0] = '\0';
    if (m->ended)
        snprintf(m->text, sizeof m->text, "%.150s", diag.text);
    else
        decide(m, policy, context, world);
    lp_policy_free(policy);
    lp_world_free(world);
    lp_context_free(context);
    lp_scenario_free(scenario);
}

/* The best of a few runs: others may use the machine too. */
static void measure(Measure *m) {
    double best = 0;
    for (int run = 0; run < RUNS && (run == 0 || best < ENOUGH_MS); run++) {
        measure_once(m);
        best = run == 0 || m->ms < best ? m->ms : best;
    }
    m->ms = best;
}

static int list_folder(Measure *list) {
    int count = 0;
    DIR *folder = opendir(FOLDER);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        size_t len = strlen(entry->d_name);
        if (len > 4 && strcmp(entry->d_name + len - 4, ".lua") == 0 && count < FILES_MAX)
            snprintf(list[count++].path, sizeof list->path, FOLDER "/%.250s", entry->d_name);
    }
    if (folder)
        closedir(folder);
    return count;
}

static int slowest_first(const void *a, const void *b) {
    const Measure *x = a, *y = b;
    return x->ms < y->ms ? 1 : x->ms > y->ms ? -1 : strcmp(x->path, y->path);
}

int main(int argc, char **argv) {
    Measure *list = calloc(FILES_MAX, sizeof *list);
    int count = 0, slow = 0, shown;
    if (!list)
        return 1;
    for (int i = 1; i < argc && count < FILES_MAX; i++)
        snprintf(list[count++].path, sizeof list->path, "%.590s", argv[i]);
    shown = count;
    if (count == 0) {
        count = list_folder(list);
        shown = count < SHOWN ? count : SHOWN;
    }
    for (int i = 0; i < count; i++)
        measure(&list[i]);
    qsort(list, (size_t)count, sizeof *list, slowest_first);
    printf("hostile scripts: ms of processor time until stopped, best of %d\n", RUNS);
    for (int i = 0; i < count; i++)
        slow += list[i].ms > LIMIT_MS;
    for (int i = 0; i < shown; i++)
        printf("%8.1f ms %9llu units  %-34s %s\n", list[i].ms, list[i].units,
               strrchr(list[i].path, '/') ? strrchr(list[i].path, '/') + 1 : list[i].path,
               list[i].ended ? list[i].text : "(nothing failed)");
    printf("%d scripts, %d above %.0f ms\n", count, slow, LIMIT_MS);
    free(list);
    return 0;
}
