/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a network's file. What is read is written and read again as the same network. */
#include "fuzz.h"

#include "session/player/weights_file.h"

static void check_again(const LpWeights *agent) {
    LpBuf text = {0}, again = {0};
    LpWeights *copy = NULL;
    LpDiag diag;
    lp_weights_text(agent, NULL, &text);
    lp_fuzz_must(lp_buf_ok(&text, NULL) == LP_OK);
    lp_fuzz_must(lp_weights_parse("n", text.text, text.len, &copy, NULL, &diag) == LP_OK);
    lp_weights_text(copy, NULL, &again);
    lp_fuzz_must(strcmp(lp_buf_text(&text), lp_buf_text(&again)) == 0);
    lp_weights_free(copy);
    lp_buf_fini(&text);
    lp_buf_fini(&again);
}

FUZZ_TARGET(network)(const uint8_t *data, size_t size) {
    char *text = lp_fuzz_text(data, size);
    LpWeights *agent = NULL;
    LpNetworkCheckpoint checkpoint = {0};
    LpDiag diag = {0};
    LpErr err = lp_weights_parse("n", text, size, &agent, NULL, &diag);
    lp_fuzz_must((err == LP_OK) == (agent != NULL) && (err == LP_OK || diag.text[0] != '\0'));
    if (agent != NULL)
        check_again(agent);
    lp_weights_free(agent);
    agent = NULL;
    if (err == LP_OK && lp_weights_parse("n", text, size, &agent, &checkpoint, &diag) == LP_OK) {
        lp_weights_free(agent);
        lp_free(checkpoint.first);
        lp_free(checkpoint.second);
    }
    free(text);
    return err == LP_OK;
}
