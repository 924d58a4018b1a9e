/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes decisions by hand as Lua tables. The words of a branch come from a session file and may be
 * anything: numbers are read here and written anew, texts are escaped. */
#include "ask/draft/lua_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "session/session_impl.h"
#include "sim/world.h"

void lp_lua_text(LpBuf *out, const char *text, size_t len) {
    lp_buf_add(out, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
            lp_buf_addf(out, "\\%03u", c);
        else
            lp_buf_add_bytes(out, &text[i], 1);
    }
    lp_buf_add(out, "\"");
}

/* ---- partition and place, as recorded ---- */

static const LpGraph *graph_of(const LpHandChoices *c, const LpHandChoice *item) {
    int32_t g = lp_world_job(c->session->world, item->job)->graph;
    return g >= 0 ? c->session->scenario->graph[g] : NULL;
}

static void add_ids(const uint32_t *id, uint32_t count, LpBuf *out) {
    lp_buf_add(out, "{ ");
    for (uint32_t i = 0; i < count; i++)
        lp_buf_addf(out, "%s%u", i > 0 ? ", " : "", id[i]);
    lp_buf_add(out, " }");
}

static void add_plan(const LpParallel *plan, LpBuf *out) {
    char text[LP_PARALLEL_TEXT];
    lp_buf_add(out, "    partition = { ");
    for (const char *at = lp_parallel_words(plan, text); *at != '\0';) {
        size_t word = strcspn(at, " "), key = strcspn(at, "=");
        const char *value = at + key + 1;
        size_t len = word - key - 1;
        bool bare = len > 0 && (strspn(value, "0123456789") >= len ||
                                strncmp(value, "true", 4) == 0 || strncmp(value, "false", 5) == 0);
        lp_buf_addf(out, "%.*s = %s%.*s%s", (int)key, at, bare ? "" : "\"", (int)len, value,
                    bare ? "" : "\"");
        at += word;
        at += strspn(at, " ");
        lp_buf_add(out, *at != '\0' ? ", " : "");
    }
    lp_buf_add(out, " },\n");
}

static void add_partition(const LpHandChoices *c, const LpHandChoice *item, LpBuf *out) {
    const LpGraph *graph = graph_of(c, item);
    const LpAnswer *a = &item->answer;
    if (a->has_plan) {
        add_plan(&a->parallel, out);
    } else if (a->ways != NULL && graph != NULL) {
        lp_buf_add(out, "    partition = { ");
        for (uint32_t i = 0; i < graph->ops; i++)
            lp_buf_addf(out, "%s[%u] = %u", i > 0 ? ", " : "", graph->op[i].number, a->ways[i]);
        lp_buf_add(out, " },\n");
    } else if (graph != NULL) {
        lp_buf_addf(out, "    partition = %u,\n", a->degree);
    }
}

static void add_place(const LpHandChoices *c, const LpHandChoice *item, LpBuf *out) {
    const LpGraph *graph = graph_of(c, item);
    const LpAnswer *a = &item->answer;
    if (a->part_begin == NULL) {
        lp_buf_add(out, "    place = { servers = ");
        add_ids(a->server, a->servers, out);
        lp_buf_add(out, " },\n");
        return;
    }
    lp_buf_add(out, "    place = { parts = { ");
    for (uint32_t i = 0; graph != NULL && i < graph->ops; i++) {
        lp_buf_addf(out, "%s[%u] = ", i > 0 ? ", " : "", graph->op[i].number);
        add_ids(&a->part_server[a->part_begin[i]], a->part_begin[i + 1] - a->part_begin[i], out);
    }
    lp_buf_add(out, " } },\n");
}

/* ---- the words of a branch ---- */

static bool take(const char **at, char c) {
    bool there = **at == c;
    *at += there;
    return there;
}

static unsigned long take_number(const char **at) {
    char *end;
    unsigned long value = strtoul(*at, &end, 10);
    *at = end;
    return value;
}

/* What stands in front of any of `ends`. */
static void add_text_upto(const char **at, const char *ends, LpBuf *out) {
    size_t len = strcspn(*at, ends);
    lp_lua_text(out, *at, len);
    *at += len;
}

/* "srpt:4,5b" as { rule = "srpt", "4", "5b" }: what goes first, in this order. */
static void add_order(const char *key, const char *words, LpBuf *out) {
    lp_buf_addf(out, "    %s = { rule = ", key);
    add_text_upto(&words, ":", out);
    while (take(&words, ':') || take(&words, ',')) {
        lp_buf_add(out, ", ");
        add_text_upto(&words, ",", out);
    }
    lp_buf_add(out, " },\n");
}

/* "1:0,3:0" */
static void add_links(const char *words, LpBuf *out) {
    const char *between = "";
    lp_buf_add(out, "    links = { ");
    do {
        unsigned long server = take_number(&words);
        (void)take(&words, ':');
        lp_buf_addf(out, "%s{ server = %lu, aggregator = %lu }", between, server,
                    take_number(&words));
        between = ", ";
    } while (take(&words, ','));
    lp_buf_add(out, " },\n");
}

/* "@20ms": how long a matching holds, in seconds. */
static double take_hold(const char **at) {
    char text[32];
    double seconds = 1;
    if (!take(at, '@'))
        return 1;
    size_t len = strcspn(*at, "/");
    lp_str_copy(text, len < sizeof text ? len + 1 : sizeof text, *at);
    *at += len;
    return lp_quantity_parse(text, LP_DIM_TIME, &seconds, NULL) == LP_OK ? seconds : 1;
}

/* "0-1,1-0": the circuits of one matching, up to how long it holds. */
static void add_match(const char **at, LpBuf *out) {
    const char *between = "";
    lp_buf_add(out, "{ match = { ");
    do {
        unsigned long from = take_number(at);
        (void)take(at, '-');
        lp_buf_addf(out, "%s[%lu] = %lu", between, from + 1, take_number(at) + 1);
        between = ", ";
    } while (take(at, ','));
    lp_buf_add(out, " }, ");
}

/* "0-1,1-0@20ms/0-2,2-0"; scripts count ports from 1. */
static void add_matchings(const char *words, LpBuf *out) {
    const char *between = "    matchings = { ";
    do {
        lp_buf_add(out, between);
        add_match(&words, out);
        lp_buf_addf(out, "hold = %.17g }", take_hold(&words));
        between = ", ";
    } while (take(&words, '/'));
    lp_buf_add(out, " },\n");
}

/* "on-demand:1,4" */
static void add_phase(const char *words, LpBuf *out) {
    lp_buf_add(out, "    phase = { orders = ");
    add_text_upto(&words, ":", out);
    while (take(&words, ':') || take(&words, ','))
        lp_buf_addf(out, ", [%lu] = true", take_number(&words));
    lp_buf_add(out, " },\n");
}

/* ---- one choice ---- */

static void add_stages(const LpHandChoices *c, const LpHandChoice *item, LpBuf *out) {
    const LpForkText *fork = &item->fork;
    const char *const *word = fork->word;
    bool whole = fork->spec.words == NULL || fork->answer.degree > 0 || fork->answer.has_plan;
    if (item->of[LP_STAGE_PARTITION] || word[LP_JOB_WORD_PARTS] != NULL || fork->spec.words == NULL)
        add_partition(c, item, out);
    if (item->of[LP_STAGE_PLACE])
        add_place(c, item, out);
    if (whole)
        lp_buf_add(out, "    engines = true, -- what is not said here is not the policy's\n");
    if (word[LP_JOB_WORD_ORDER_OPS] != NULL)
        add_order("order_ops", word[LP_JOB_WORD_ORDER_OPS], out);
    if (word[LP_JOB_WORD_ORDER_FLOWS] != NULL)
        add_order("order_flows", word[LP_JOB_WORD_ORDER_FLOWS], out);
    const char *circuits = word[LP_JOB_WORD_CIRCUITS];
    if (circuits != NULL)
        (strchr(circuits, ':') != NULL ? add_links : add_matchings)(circuits, out);
    if (word[LP_JOB_WORD_PHASE] != NULL)
        add_phase(word[LP_JOB_WORD_PHASE], out);
}

void lp_lua_choice(const LpHandChoices *c, const LpHandChoice *item, bool of_graph, LpBuf *out) {
    const LpGraph *graph = graph_of(c, item);
    char number[LP_NUM_TEXT];
    lp_buf_addf(out, "  { -- decision %llu, job %u\n    ", (unsigned long long)item->decision,
                item->job);
    if (of_graph && graph != NULL) {
        lp_buf_add(out, "graph = ");
        lp_lua_text(out, graph->id, strlen(graph->id));
        lp_buf_add(out, ",\n");
    } else {
        lp_buf_addf(out, "job = %u, now = %s,\n", item->job, lp_num_print(item->time, number));
    }
    if (item->answer.kind == LP_ANSWER_RUN)
        add_stages(c, item, out);
    else
        lp_buf_addf(out, "    %s = true,\n",
                    item->answer.kind == LP_ANSWER_WAIT ? "wait" : "decline");
    lp_buf_add(out, "  },\n");
}
