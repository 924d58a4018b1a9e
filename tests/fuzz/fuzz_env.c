/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as requests to an environment, a line each. One line comes back for each, and a refusal
 * leaves the state alone. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/gym_serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static LpGymServer *open_server(LpGym **gym) {
    static const char *const sets[] = {"generator.count=4"};
    LpGymSpec spec = {
        .session = {.scenario = "scenarios/published-32.json", .sets = 1, .set = sets},
        .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpGymServer *server;
    LpDiag diag;
    if (lp_gym_open(&spec, gym, &diag) != LP_OK ||
        lp_gym_server_new(*gym, NULL, &server, &diag) != LP_OK)
        abort();
    return server;
}

static bool answer(LpGymServer *server, const LpGym *gym, const char *line, size_t len) {
    uint64_t before = lp_session_hash(lp_gym_session(gym));
    LpBuf out = {0};
    LpDiag diag;
    bool go_on;
    if (lp_gym_server_answer(server, line, len, &out, &go_on, &diag) != LP_OK || out.len < 2 ||
        strchr(out.text, '\n') != out.text + out.len - 1)
        abort();
    if (strncmp(out.text, "{\"ok\":true", 10) != 0 &&
        lp_session_hash(lp_gym_session(gym)) != before)
        abort();
    lp_buf_fini(&out);
    return go_on;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    LpGym *gym;
    LpGymServer *server = open_server(&gym);
    char *text = malloc(size + 1);
    bool go_on = text != NULL;
    if (go_on && size > 0)
        memcpy(text, data, size);
    for (size_t at = 0, end; go_on && at < size; at = end + 1) {
        for (end = at; end < size && text[end] != '\n'; end++)
            continue;
        text[end] = '\0';
        go_on = answer(server, gym, text + at, end - at);
    }
    free(text);
    lp_gym_server_free(server);
    return 0;
}
