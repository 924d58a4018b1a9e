/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clock, medians and scenarios for the benchmarks. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "many/experiment/experiment.h"

const char *const bench_models[5] = {"alexnet", "gnmt", "resnet18", "squeezenet1_0", "vgg16"};

double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double bench_cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

double bench_peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static const char *profile_dir(void) {
    const char *dir = getenv("LIGHTPATH_PROFILES");
    return dir != NULL ? dir : "../shared/graphs";
}

bool bench_has_profiles(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/resnet18.txt", profile_dir());
    return access(path, R_OK) == 0;
}

static void add_graphs(LpBuf *text, bool published) {
    char resolved[4096];
    bool profiles = bench_has_profiles() && realpath(profile_dir(), resolved) != NULL;
    lp_buf_add(text, "\"graphs\": [");
    for (int i = 0; i < 5; i++) {
        lp_buf_add(text, i ? "," : "");
        if (profiles)
            lp_buf_addf(text,
                        "{ \"id\": \"%s\", \"file\": \"%s/%s.txt\", \"format\": \"pipedream\", "
                        "\"time_unit\": \"%s\" }",
                        bench_models[i], resolved, bench_models[i], published ? "s" : "ms");
        else
            lp_buf_addf(text, "{ \"id\": \"%s\", \"zoo\": \"%s\" }", bench_models[i],
                        bench_models[i]);
    }
    lp_buf_add(text, "],\n");
}

static LpSession *open_text(const char *text, const char *policy) {
    char path[] = "/tmp/lightpath-bench-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    LpSession *session = NULL;
    LpDiag diag = {0};
    if (file == NULL)
        return NULL;
    fputs(text, file);
    fclose(file);
    LpSessionSpec spec = {.scenario = path, .policy = policy};
    if (lp_session_open(&spec, &session, &diag) != LP_OK) {
        char said[1024];
        fprintf(stderr, "%s\n", lp_diag_format(&diag, said, sizeof said));
    }
    unlink(path);
    return session;
}

LpSession *bench_open(bool published, int c, int r, int s, int max_degree, const char *work,
                      const char *policy) {
    LpBuf text = {0};
    lp_buf_addf(&text,
                "{ \"lightpath\": 1, \"name\": \"bench\", \"semantics\": \"%s\", \"cluster\": { "
                "\"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": %d, "
                "\"racks_per_group\": %d, \"servers_per_rack\": %d } },\n",
                published ? "published" : "corrected", c, r, s);
    add_graphs(&text, published);
    lp_buf_addf(&text, "\"partition\": { \"max_degree\": %d }, %s }\n", max_degree, work);
    LpSession *session = open_text(lp_buf_text(&text), policy);
    lp_buf_fini(&text);
    return session;
}

void bench_write_published(char path[64]) {
    char resolved[4096];
    bool profiles = bench_has_profiles() && realpath(profile_dir(), resolved) != NULL;
    LpExperimentSpec spec = {.profiles = profiles ? resolved : NULL, .betas = "A"};
    LpPoint point[LP_POINTS_MAX];
    LpBuf text = {0};
    uint32_t points;
    strcpy(path, "/tmp/lightpath-bench-XXXXXX");
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL || lp_experiment_points(&spec, point, &points, NULL) != LP_OK)
        exit(1);
    lp_experiment_scenario(&spec, &point[0], &text);
    if (fputs(lp_buf_text(&text), file) < 0 || fclose(file) != 0)
        exit(1);
    lp_buf_fini(&text);
}
