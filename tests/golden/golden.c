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
                cwd, c->folder != NULL ? c->folder : GRAPHS, c->graph,
                lp_num_print(c->steps, steps), c->c * c->r * c->s, lp_num_print(c->quantum, q));
    LpSession *session = golden_open_text(lp_buf_text(&text), NULL, NULL);
    lp_buf_fini(&text);
    LpEvent event;
    if (session != NULL && lp_session_to_decision(session, &event, NULL) != LP_OK) {
        lp_session_close(session);
        return NULL;
    }
    return session;
}

/* ---- an episode as a scenario ---- */

static void add_graphs(LpBuf *text, const cJSON *config) {
    char cwd[1024];
    const cJSON *model;
    const char *comma = "";
    if (getcwd(cwd, sizeof cwd) == NULL)
        return;
    lp_buf_add(text, "\"graphs\": [");
    cJSON_ArrayForEach(model, cJSON_GetObjectItemCaseSensitive(config, "models")) {
        lp_buf_addf(text,
                    "%s\n { \"id\": \"%s\", \"file\": \"%s/%s/%s.txt\", \"format\": \"pipedream\", "
                    "\"time_unit\": \"s\" }",
                    comma, model->valuestring, cwd, GRAPHS, model->valuestring);
        comma = ",";
    }
    lp_buf_add(text, " ],\n");
}

static void add_job(LpBuf *text, const char *comma, const char *model, double t, double steps,
                    double fraction, double degree) {
    char at[LP_NUM_TEXT], s[LP_NUM_TEXT], f[LP_NUM_TEXT], d[LP_NUM_TEXT];
    lp_buf_addf(text,
                "%s\n { \"graph\": \"%s\", \"arrival\": %s, \"steps\": %s, "
                "\"max_jct_fraction\": %s, \"hint\": { \"degree\": %s } }",
                comma, model, lp_num_print(t, at), lp_num_print(steps, s),
                lp_num_print(fraction, f), lp_num_print(degree, d));
}

/* The generator always had one more job: at the horizon it is counted, beyond it only its time
 * matters (to the load rate of the one before). */
static void add_jobs(LpBuf *text, const cJSON *episode, const cJSON *config) {
    const cJSON *decision;
    const char *comma = "";
    double last = 0,
           gap = golden_number(cJSON_GetObjectItemCaseSensitive(config, "interarrival"), "val");
    lp_buf_add(text, "\"jobs\": [");
    cJSON_ArrayForEach(decision, cJSON_GetObjectItemCaseSensitive(episode, "decisions")) {
        add_job(text, comma, golden_word(decision, "model"), golden_number(decision, "t"),
                golden_number(decision, "steps"), golden_number(decision, "frac"),
                golden_number(decision, "degree"));
        comma = ",";
        last = golden_number(decision, "t");
    }
    if (!isnan(golden_number(config, "max_simulation_run_time")))
        add_job(text, comma, "alexnet", last + gap, golden_number(config, "num_training_steps"), 1,
                1);
    lp_buf_add(text, " ],\n");
}

void golden_add_episode(LpBuf *text, const cJSON *episode) {
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(episode, "config");
    char q[LP_NUM_TEXT], horizon[LP_NUM_TEXT];
    double limit = golden_number(config, "max_simulation_run_time");
    lp_buf_add(text, "{ \"lightpath\": 1, \"name\": \"episode\", \"semantics\": \"published\",\n");
    golden_add_cluster(text, config);
    add_graphs(text, config);
    add_jobs(text, episode, config);
    if (!isnan(limit))
        lp_buf_addf(text, "\"horizon\": %s,\n", lp_num_print(limit, horizon));
    lp_buf_addf(text,
                "\"queue_capacity\": %g,\n\"partition\": { \"max_degree\": %g, "
                "\"min_op_time\": %s } }\n",
                golden_number(config, "job_queue_capacity"),
                golden_number(config, "max_partitions_per_op"),
                lp_num_print(golden_number(config, "min_op_run_time_quantum"), q));
}
