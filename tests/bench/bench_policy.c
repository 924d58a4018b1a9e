/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies in Lua: what a decision on a cached step costs with one, a policy of twenty lines over
 * 100 000 jobs, and what a network costs that Lua asks. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

enum { REPEATS = 3 };

#define WORK(count)                                                                                \
    "\"generator\": { \"count\": " count ", \"graphs\": [\"alexnet\", \"gnmt\", \"resnet18\", "    \
    "\"squeezenet1_0\", \"vgg16\"], \"sampling\": \"remove_and_repeat\", \"load\": 0.9, "          \
    "\"interarrival\": \"exponential\", \"steps\": 50, \"max_jct_fraction\": { \"uniform\": { "    \
    "\"min\": 0.1, \"max\": 1, \"decimals\": 2 } } }, \"horizon\": \"1e12 s\""

/* Seconds of a whole run and its decisions. */
static double run(const char *work, const char *policy, uint64_t *decisions) {
    LpSession *session = bench_open(false, 4, 4, 2, 16, work, policy);
    bool stopped;
    if (session == NULL)
        exit(1);
    double start = bench_now();
    if (lp_session_run(session, NULL, NULL, &stopped, NULL) != LP_OK)
        exit(1);
    double spent = bench_now() - start;
    *decisions = lp_world_tally(lp_session_world(session))->decisions;
    lp_session_close(session);
    return spent;
}

static void row(const char *work, const char *label, const char *policy) {
    double spent[REPEATS];
    uint64_t decisions = 0;
    for (int i = 0; i < REPEATS; i++)
        spent[i] = run(work, policy, &decisions);
    double median = bench_median(spent, REPEATS);
    printf("%-34s %7llu decisions  %7.3f s  %6.2f us each\n", label, (unsigned long long)decisions,
           median, 1e6 * median / (double)decisions);
}

/* Twenty lines: the smallest degree whose forecast meets the deadline, on the tightest block of
 * the first eight. */
static const char twenty[] = "local policy = { name = \"twenty\", api = 1 }\n"
                             "\n"
                             "function policy:partition(job, cluster)\n"
                             "  for _, degree in ipairs(cluster:degrees(job, 16)) do\n"
                             "    local forecast = cluster:predict(job, { degree = degree })\n"
                             "    if forecast.feasible and forecast.finish <= job.deadline then\n"
                             "      return degree, \"in time\"\n"
                             "    end\n"
                             "  end\n"
                             "  return nil, \"no degree meets the deadline\"\n"
                             "end\n"
                             "\n"
                             "function policy:place(job, cluster)\n"
                             "  local best\n"
                             "  local n = cluster:predict(job).partition_degree\n"
                             "  for _, block in ipairs(cluster:blocks(n, { limit = 8 })) do\n"
                             "    if not best or block.largest_left > best.largest_left then "
                             "best = block end\n"
                             "  end\n"
                             "  return best and { servers = best.servers }\n"
                             "end\n"
                             "return policy\n";

static const char *write_policy(char path[], const char *text) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        exit(1);
    return path;
}

/* Asks the network so many times for each decision, and declines for ever: the cluster stays
 * empty, so every answer is open. */
static const char asks[] = "local policy = { name = \"asks\", api = 1, params = {\n"
                           "  weights = { default = \"%s\", type = \"network\" } } }\n"
                           "function policy:partition(job, cluster)\n"
                           "  local network = self.p.weights\n"
                           "  local seen = job:observe(network.encoding)\n"
                           "  for _ = 1, %d do\n"
                           "    %s\n"
                           "  end\n"
                           "  return nil, \"asked\"\n"
                           "end\n"
                           "return policy\n";

/* us of asking a network about what is seen, from Lua: by the difference between many questions and
 * none. */
static void inference(const char *label, const char *weights, const char *question) {
    enum { TIMES = 20 };
    char path[] = "/tmp/lightpath-bench-asks.lua", beside[] = "/tmp/lightpath-bench-network.json";
    char network[4096], text[4096];
    double spent[2][REPEATS];
    uint64_t decisions = 0;
    remove(beside);
    if (realpath(weights, network) == NULL || symlink(network, beside) != 0)
        exit(1);
    for (int many = 0; many < 2; many++) {
        snprintf(text, sizeof text, asks, "lightpath-bench-network.json", many * TIMES, question);
        for (int i = 0; i < REPEATS; i++)
            spent[many][i] = run(WORK("2000"), write_policy(path, text), &decisions);
    }
    remove(path);
    remove(beside);
    double each = (bench_median(spent[1], REPEATS) - bench_median(spent[0], REPEATS)) / TIMES;
    printf("%-34s %7llu questions               %6.2f us each\n", label,
           (unsigned long long)decisions * TIMES, 1e6 * each / (double)decisions);
}

int main(void) {
    char path[] = "/tmp/lightpath-bench-twenty.lua";
    row(WORK("20000"), "engine default", NULL);
    row(WORK("20000"), "max_parallelism.lua", "scripts/max_parallelism.lua");
    row(WORK("20000"), "acceptable_jct.lua", "scripts/acceptable_jct.lua");
    row(WORK("20000"), "meets_deadline.lua", "scripts/meets_deadline.lua");
    row(WORK("20000"), "first_fit.lua", "scripts/first_fit.lua");
    row(WORK("20000"), "least_fragmenting.lua", "scripts/least_fragmenting.lua");
    row(WORK("100000"), "20 lines, degree and block", write_policy(path, twenty));
    remove(path);
    row(WORK("20000"), "pac_ml.lua", "scripts/pac_ml.lua");
    row(WORK("20000"), "pac_ml_queue.lua", "scripts/pac_ml_queue.lua");
    inference("network pac_ml.json, scores", "scripts/pac_ml.json", "network:scores(seen)");
    inference("network pac_ml_queue.json, scores", "scripts/pac_ml_queue.json",
              "network:scores(seen)");
    return 0;
}
