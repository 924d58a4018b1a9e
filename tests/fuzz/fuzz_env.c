/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as requests to an environment, a line each. One line comes back for each, and a refusal
 * leaves the state alone. */
#include "fuzz.h"

#include "many/train/gym_serve.h"

enum { LINES_MAX = 64, INPUTS_EACH = 200 };

static LpGymServer *open_server(LpGym **gym) {
    static const char *const sets[] = {"generator.count=4"};
    LpGymSpec spec = {
        .session = {.scenario = "scenarios/published-32.json", .sets = 1, .set = sets},
        .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpGymServer *server = NULL;
    LpDiag diag;
    lp_fuzz_must(lp_gym_open(&spec, gym, &diag) == LP_OK &&
                 lp_gym_server_new(*gym, NULL, &server, &diag) == LP_OK);
    return server;
}

/* True: not refused. */
static bool answer(LpGymServer *server, const LpGym *gym, const char *line, size_t len,
                   bool *go_on) {
    uint64_t before = lp_session_hash(lp_gym_session(gym));
    LpBuf out = {0};
    LpDiag diag;
    lp_fuzz_must(lp_gym_server_answer(server, line, len, &out, go_on, &diag) == LP_OK &&
                 out.len >= 2 && strchr(out.text, '\n') == out.text + out.len - 1);
    bool good = strncmp(out.text, "{\"ok\":true", 10) == 0;
    lp_fuzz_must(good || lp_session_hash(lp_gym_session(gym)) == before);
    lp_buf_fini(&out);
    return good;
}

/* One environment serves many inputs (what it knows of steps grows, so not all): each begins with
 * the first episode and the reward of the beginning. */
static LpGymServer *fresh_server(LpGym **gym) {
    static const char *const lines[] = {"{\"cmd\":\"reward\",\"name\":\"job_acceptance\"}",
                                        "{\"cmd\":\"reset\",\"seed\":1,\"observe\":false}"};
    static LpGymServer *server;
    static LpGym *own;
    static int inputs;
    bool go_on;
    if (inputs++ % INPUTS_EACH == 0) {
        lp_gym_server_free(server);
        server = open_server(&own);
    }
    for (size_t i = 0; i < LP_COUNTOF(lines); i++)
        lp_fuzz_must(answer(server, own, lines[i], strlen(lines[i]), &go_on));
    *gym = own;
    return server;
}

/* Accepted: there are requests, and none is refused. The first lines only: each takes its time. */
FUZZ_TARGET(env)(const uint8_t *data, size_t size) {
    LpGym *gym;
    LpGymServer *server = fresh_server(&gym);
    bool go_on = true, good = size > 0;
    int lines = 0;
    for (size_t at = 0, end; go_on && at < size && lines++ < LINES_MAX; at = end + 1) {
        for (end = at; end < size && data[end] != '\n'; end++)
            continue;
        char *line = lp_fuzz_text(data + at, end - at);
        good = answer(server, gym, line, end - at, &go_on) && good;
        free(line);
    }
    return good;
}
