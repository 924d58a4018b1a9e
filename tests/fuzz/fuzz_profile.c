/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an own JSON profile. What is read is written and read again as the same graph. */
#include "fuzz.h"

#include "io/profile/profile.h"

static void round_trip(const LpGraph *graph) {
    LpBuf text = {0}, again = {0};
    LpGraph *copy = NULL;
    LpDiag diag;
    if (lp_profile_write(graph, &text, &diag) == LP_OK) {
        if (lp_profile_json(NULL, "p", lp_buf_text(&text), text.len, &copy, &diag) != LP_OK ||
            copy->hash != graph->hash || lp_profile_write(copy, &again, &diag) != LP_OK ||
            strcmp(lp_buf_text(&text), lp_buf_text(&again)) != 0)
            abort();
    }
    lp_graph_free(copy);
    lp_buf_fini(&text);
    lp_buf_fini(&again);
}

FUZZ_TARGET(profile)(const uint8_t *data, size_t size) {
    char *text = lp_fuzz_text(data, size);
    LpGraph *graph = NULL;
    LpDiag diag = {0};
    LpErr err = lp_profile_json(NULL, "p", text, size, &graph, &diag);
    if ((err == LP_OK) != (graph != NULL) || (err != LP_OK && diag.line < 1))
        abort();
    if (graph != NULL)
        round_trip(graph);
    lp_graph_free(graph);
    free(text);
    return err == LP_OK;
}
