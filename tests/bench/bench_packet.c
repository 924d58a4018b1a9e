/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A leaf-spine of 1 024 servers with about 200 running jobs that share its uplinks: 100 000 events.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "bench.h"
#include "sim/store/store.h"

enum { EVENTS = 100000, FREE_MAX = 1024 };

static const char scenario[] =
    "{ \"lightpath\": 1, \"name\": \"bench\", \"cluster\": { \"fabric\": \"packet\", \"packet\": { "
    "\"topology\": \"leaf_spine\", \"leaves\": 64, \"spines\": 8, \"servers_per_leaf\": 16, "
    "\"server_bandwidth\": \"100 Gb/s\", \"uplink_bandwidth\": \"100 Gb/s\" } }, \"graphs\": [ "
    "{ \"id\": \"alexnet\", \"zoo\": \"alexnet\" }, { \"id\": \"gnmt\", \"zoo\": \"gnmt\" }, "
    "{ \"id\": \"resnet18\", \"zoo\": \"resnet18\" }, { \"id\": \"vgg16\", \"zoo\": \"vgg16\" } ], "
    "\"generator\": { \"count\": 1000000, \"interarrival\": { \"exponential\": { \"mean\": \"%s\" "
    "} "
    "}, \"steps\": 200 }, \"partition\": { \"kind\": \"data\", \"max_degree\": 6 } }";

static LpSession *open_bench(const char *interarrival) {
    char path[] = "/tmp/lightpath-bench-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = path};
    LpDiag diag = {0};
    if (file == NULL)
        exit(1);
    fprintf(file, scenario, interarrival);
    fclose(file);
    if (lp_session_open(&spec, &session, &diag) != LP_OK)
        fprintf(stderr, "%s\n", diag.text);
    unlink(path);
    if (session == NULL)
        exit(1);
    return session;
}

/* Servers drawn anywhere: every job crosses uplinks. */
static void answer_anywhere(LpSession *s, LpRng *rng, LpEvent *event) {
    const LpWorld *w = lp_session_world(s);
    uint32_t server[8], n = 2 + (uint32_t)lp_rng_below(rng, 5), got = 0;
    LpAnswer answer = {.kind = LP_ANSWER_DECLINE};
    bool room = lp_world_servers(w) - lp_world_tally(w)->busy_servers >= n;
    for (int tries = 0; room && got < n && tries < 1000; tries++) {
        uint32_t at = (uint32_t)lp_rng_below(rng, lp_world_servers(w));
        bool taken = !lp_world_server_free(w, at);
        for (uint32_t i = 0; i < got; i++)
            taken = taken || server[i] == at;
        if (!taken)
            server[got++] = at;
    }
    if (got == n)
        answer = (LpAnswer){.kind = LP_ANSWER_RUN, .degree = n, .servers = n, .server = server};
    if (lp_session_answer(s, &answer, event, NULL) != LP_OK)
        exit(1);
}

static void run(const char *title, bool anywhere, const char *interarrival) {
    LpSession *s = open_bench(interarrival);
    LpRng rng = lp_rng_stream(1, "bench", 0);
    LpEvent event = {.kind = LP_EVENT_NONE};
    double start = bench_cpu(), running = 0, paces = 0;
    for (int i = 0; i < EVENTS; i++) {
        const LpWorld *w = lp_session_world(s);
        if (anywhere && lp_world_due(w) != LP_NO_INDEX)
            answer_anywhere(s, &rng, &event);
        else if (lp_session_step(s, &event, NULL) != LP_OK)
            exit(1);
        running += (double)lp_world_tally(lp_session_world(s))->running;
    }
    double spent = bench_cpu() - start;
    for (uint32_t i = 0; i < lp_world_jobs(lp_session_world(s)); i++)
        paces += lp_world_job(lp_session_world(s), i)->sharing.paces;
    LpStoreStats stats = lp_store_stats(lp_session_context(s)->store);
    printf(
        "%-28s %7.2f s of CPU  %6.1f us/event  %5.0f running  %9.0f paces  %6llu steps simulated  "
        "%5.0f MiB\n",
        title, spent, 1e6 * spent / EVENTS, running / EVENTS, paces,
        (unsigned long long)stats.step_misses, bench_peak_mib());
    lp_session_close(s);
}

int main(void) {
    printf("%d events on a leaf-spine of 1 024 servers\n", EVENTS);
    run("near servers first (default)", false, "0.1 s");
    run("servers anywhere", true, "0.23 s");
    run("servers anywhere, more jobs", true, "0.2 s");
    return 0;
}
