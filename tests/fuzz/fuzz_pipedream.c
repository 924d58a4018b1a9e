/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a PipeDream profile. What is read survives being written in the own format. */
#include "fuzz.h"

#include "io/profile/profile.h"

static void round_trip(const LpGraph *graph) {
    LpBuf text = {0};
    LpGraph *copy = NULL;
    LpDiag diag;
    if (lp_profile_write(graph, &text, &diag) == LP_OK &&
        lp_profile_json(NULL, "p", lp_buf_text(&text), text.len, &copy, &diag) != LP_OK)
        abort();
    if (copy != NULL && copy->hash != graph->hash)
        abort();
    lp_graph_free(copy);
    lp_buf_fini(&text);
}

FUZZ_TARGET(pipedream)(const uint8_t *data, size_t size) {
    char *text = lp_fuzz_text(data, size);
    LpGraph *graph = NULL;
    LpDiag diag = {0};
    LpErr err = lp_profile_pipedream("g", "p", text, size, &graph, &diag);
    if ((err == LP_OK) != (graph != NULL) || (err != LP_OK && diag.line < 1))
        abort();
    if (graph != NULL)
        round_trip(graph);
    lp_graph_free(graph);
    free(text);
    return err == LP_OK;
}
