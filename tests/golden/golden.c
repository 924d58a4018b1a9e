/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading published results and turning them into scenarios. */
#include "golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"

bool golden_present(void) {
    return access(GOLDENS "/table.json", R_OK) == 0 && access(GRAPHS "/alexnet.txt", R_OK) == 0;
}

char *golden_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    if (text != NULL)
        text[fread(text, 1, (size_t)size, file)] = '\0';
    fclose(file);
    return text;
}

cJSON *golden_load(const char *name) {
    char path[256];
    snprintf(path, sizeof path, GOLDENS "/%s", name);
    char *text = golden_text(path);
    cJSON *json = text != NULL ? cJSON_Parse(text) : NULL;
    free(text);
    return json;
}

double golden_number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

const char *golden_word(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

bool golden_close(const char *what, double got, double expected) {
    double scale = fabs(got) > fabs(expected) ? fabs(got) : fabs(expected);
    if (fabs(got - expected) <= GOLDEN_TOLERANCE * scale)
        return true;
    printf("# %s: got %.17g, expected %.17g\n", what, got, expected);
    return false;
}

static void add_ramp(LpBuf *out, const GoldenCase *c, double channels) {
    char w[LP_NUM_TEXT], p[LP_NUM_TEXT], io[LP_NUM_TEXT], ch[LP_NUM_TEXT];
    lp_buf_addf(out,
                "\"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": %d, "
                "\"racks_per_group\": %d, \"servers_per_rack\": %d, \"node_bandwidth\": %s, "
                "\"propagation_latency\": %s, \"io_latency\": %s, \"channels\": %s }, "
                "\"server\": { \"device\": \"A100\", \"memory\": \"80 GB\" } },\n",
                c->c, c->r, c->s, lp_num_print(c->bandwidth, w), lp_num_print(c->propagation, p),
                lp_num_print(c->io, io), lp_num_print(channels, ch));
}

void golden_add_cluster(LpBuf *out, const cJSON *config) {
    const cJSON *t = cJSON_GetObjectItemCaseSensitive(config, "topology");
    GoldenCase c = {.c = cJSON_GetArrayItem(t, 0)->valueint,
                    .r = cJSON_GetArrayItem(t, 1)->valueint,
                    .s = cJSON_GetArrayItem(t, 2)->valueint,
                    .bandwidth = golden_number(config, "total_node_bandwidth"),
                    .propagation = golden_number(config, "intra_gpu_propagation_latency"),
                    .io = golden_number(config, "worker_io_latency")};
    add_ramp(out, &c, golden_number(config, "num_channels"));
}

LpSession *golden_open_text(const char *text, const char *policy, const char *param) {
    char path[] = "/tmp/lightpath-golden-XXXXXX";
    int fd = mkstemp(path);
    LpSession *session = NULL;
    LpDiag diag = {0};
    if (fd < 0)
        return NULL;
    FILE *file = fdopen(fd, "w");
    fputs(text, file);
    fclose(file);
    LpSessionSpec spec = {.scenario = path,
                          .policy = policy,
                          .params = param != NULL,
                          .param = &param,
                          .keep_events = true};
    if (lp_session_open(&spec, &session, &diag) != LP_OK) {
        char said[1024];
        printf("# %s\n", lp_diag_format(&diag, said, sizeof said));
        session = NULL;
    }
    unlink(path);
    return session;
}

LpSession *golden_open_case(const GoldenCase *c) {
    LpBuf text = {0};
    char cwd[1024], q[LP_NUM_TEXT], steps[LP_NUM_TEXT];
    if (getcwd(cwd, sizeof cwd) == NULL)
        return NULL;
    lp_buf_add(&text, "{ \"lightpath\": 1, \"name\": \"case\", \"semantics\": \"published\",\n");
    add_ramp(&text, c, 1);
    lp_buf_addf(&text,
                "\"graphs\": [ { \"id\": \"g\", \"file\": \"%s/%s/%s.txt\", \"format\": "
                "\"pipedream\", \"time_unit\": \"s\" } ],\n"
                "\"jobs\": [ { \"graph\": \"g\", \"arrival\": 0, \"steps\": %s } ],\n"
                "\"partition\": { \"max_degree\": %d, \"min_op_time\": %s } }\n",
                cwd, GRAPHS, c->graph, lp_num_print(c->steps, steps), c->c * c->r * c->s,
                lp_num_print(c->quantum, q));
    LpSession *session = golden_open_text(lp_buf_text(&text), NULL, NULL);
    lp_buf_fini(&text);
    LpEvent event;
    if (session != NULL && lp_session_to_decision(session, &event, NULL) != LP_OK) {
        lp_session_close(session);
        return NULL;
    }
    return session;
}
