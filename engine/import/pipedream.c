/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PipeDream's profiles of computation graphs as profiles of lightpath's own. */
#include <string.h>

#include "base/mem.h"
#include "host/profile.h"
#include "import/formats.h"
#include "io/files/lines.h"
#include "io/profile/profile.h"
#include "model/graph.h"

enum { NAME_ROOM = 256 };

static LpErr read_graph(LpReading *reading, LpDiag *diag) {
    const char *file = reading->file[0];
    bool standard = strcmp(file, "-") == 0;
    const char *time_unit = reading->options->time_unit;
    char name[NAME_ROOM], *text;
    double unit;
    size_t len;
    LpLineFile *lines;
    LpGraph *graph;
    LpDiag inner;
    if (lp_profile_unit(time_unit != NULL ? time_unit : "ms", &unit, &inner) != LP_OK)
        return lp_fail(diag, inner.code, "--time-unit: %s", inner.text);
    LP_TRY(lp_lines_open(file, lp_import_limit(reading->options), &lines, diag));
    LpErr err = lp_lines_rest(lines, true, &text, &len, diag);
    lp_lines_close(lines);
    LP_TRY(err);
    lp_profile_name(standard ? "graph" : file, name, sizeof name);
    err = lp_profile_pipedream(name, standard ? "standard input" : file, text, len, &graph, diag);
    lp_free(text);
    if (err != LP_OK)
        return err;
    if (unit != 1)
        lp_graph_scale_time(graph, unit);
    reading->own = graph;
    return LP_OK;
}

static LpErr write_graph(const LpReading *reading, LpBuf *out, LpDiag *diag) {
    LP_TRY(lp_profile_write(reading->own, out, diag));
    return lp_buf_ok(out, diag);
}

static void drop_graph(void *own) {
    lp_graph_free(own);
}

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    const LpGraph *graph = reading->own;
    (void)all;
    lp_json_put_count(json, "ops", graph->ops);
    lp_json_put_count(json, "dependencies", graph->edges);
}

static void say(const LpReading *reading, LpBuf *out) {
    const LpGraph *graph = reading->own;
    lp_buf_addf(out, "  graph             %u ops, %u dependencies\n", graph->ops, graph->edges);
}

/* Nothing else in a text that is neither JSON nor made of nodes says that it is meant as one. */
static bool is_pipedream(const LpHead *head) {
    return lp_head_begins(head, "node") && lp_head_has(head, " -- ");
}

const LpFormat lp_format_pipedream = {.name = "pipedream",
                                      .what = "a profile of a graph by PipeDream: graph.txt",
                                      .makes = LP_MAKES_PROFILE,
                                      .least = 1,
                                      .most = 1,
                                      .is = is_pipedream,
                                      .read = read_graph,
                                      .report = report,
                                      .text = say,
                                      .write = write_graph,
                                      .drop = drop_graph};
