/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Servers and ports of a draft, one by one. */
#include "ask/draft/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/draft/choices.h"
#include "ask/draft/edit_impl.h"
#include "base/mem.h"
#include "base/num.h"
#include "model/fabric/board.h"
#include "session/moment/moment.h"
#include "session/session_impl.h"
#include "sim/facts/identity.h"
#include "sim/light/circuits.h"
#include "sim/world.h"

/* ---- servers ---- */

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

LpErr lp_draft_servers(const LpSession *s, const LpDraft *draft, const LpPrice *price,
                       uint32_t **out, uint32_t *count, LpDiag *diag) {
    const char *words = draft->word[LP_STAGE_PLACE];
    const uint32_t *from = price->forecast.server;
    uint32_t n = price->possible ? price->forecast.servers : 0;
    LpArena *arena = lp_arena_new(0);
    LpForkText fork = {0};
    LpDiag ignored;
    LpErr err = LP_OK;
    if (arena == NULL)
        return lp_fail_memory(diag, "the servers of a draft");
    if (strncmp(words, "servers=", 8) == 0 &&
        lp_fork_parse(words, arena, &fork, &ignored) == LP_OK) {
        from = fork.answer.server;
        n = fork.answer.servers;
    } else if (lp_draft_by_cubes(s) && !price->possible) {
        err = lp_draft_cube_servers(s, words, arena, &from, &n, diag);
    } else if (strncmp(words, "servers=", 8) == 0) {
        n = 0; /* of none */
    }
    uint32_t *list = err == LP_OK ? lp_alloc((size_t)n + 1, sizeof *list) : NULL;
    if (list != NULL && n > 0) {
        memcpy(list, from, n * sizeof *list);
        qsort(list, n, sizeof *list, by_number);
    }
    lp_arena_free(arena);
    if (list == NULL)
        return lp_fail_memory(diag, "the servers of a draft");
    *out = list;
    *count = n;
    return LP_OK;
}

LpErr lp_draft_needs(LpSession *s, const LpDraft *draft, uint32_t *count, LpDiag *diag) {
    LpDraft cut = {0};
    LpPrice price;
    const LpJob *job = lp_world_job(s->world, lp_world_due(s->world));
    memcpy(cut.word[LP_STAGE_PARTITION], draft->word[LP_STAGE_PARTITION], LP_DRAFT_WORDS);
    LP_TRY(lp_draft_price(s, cut.word[LP_STAGE_PARTITION], &price, diag));
    *count = price.possible   ? price.forecast.servers
             : job->graph < 0 ? job->asked.rigid_servers
                              : 0;
    return LP_OK;
}

LpErr lp_draft_refuse_server(const LpSession *s, uint32_t server, LpDiag *diag) {
    char until[LP_NUM_TEXT];
    uint32_t servers = s->context->fabric.servers;
    if (server >= servers)
        return lp_fail(diag, LP_EREFUSED, "there is no s%u: servers are 0 to %u", server,
                       servers - 1);
    uint32_t id = lp_world_server(s->world, server)->job;
    if (id == LP_NO_INDEX)
        return lp_fail(diag, LP_EREFUSED, "s%u is broken", server);
    double end = lp_world_job(s->world, id)->times.forecast_end;
    return lp_fail(diag, LP_EREFUSED, "s%u: %s runs there until %s", server,
                   lp_world_label(s->world, s->scenario, id).text,
                   lp_quantity_print(end, LP_DIM_TIME, until, sizeof until));
}

/* On a fabric whose blocks have shapes a block has an order, by which its parts are laid; any other
 * set of servers is in ascending order. */
typedef struct Wanted {
    const uint32_t *server;
    uint32_t count;
} Wanted;

static bool is_wanted(const void *context, uint32_t server, uint32_t position LP_UNUSED) {
    const Wanted *w = context;
    return bsearch(&server, w->server, w->count, sizeof server, by_number) != NULL;
}

bool lp_draft_order_block(const LpSession *s, uint32_t *server, uint32_t count, LpShape *shape) {
    const LpFabric *fabric = &s->context->fabric;
    Wanted wanted = {server, count};
    LpBlockSearch search;
    uint32_t *block = fabric->ops->racked ? lp_alloc(count, sizeof *block) : NULL;
    if (block == NULL)
        return false;
    lp_block_search(&search, fabric, count, false, is_wanted, &wanted);
    bool found = lp_block_next(&search, block);
    if (found) {
        memcpy(server, block, count * sizeof *server);
        *shape = search.shape[search.at_shape];
    }
    lp_free(block);
    return found;
}

LpErr lp_draft_toggle_server(LpSession *s, LpDraft *draft, const LpPrice *price, uint32_t server,
                             LpDiag *diag) {
    uint32_t *list, count, at = 0;
    char words[LP_DRAFT_WORDS];
    if (server >= s->context->fabric.servers || !lp_world_server_free(s->world, server))
        return lp_draft_refuse_server(s, server, diag);
    LP_TRY(lp_draft_servers(s, draft, price, &list, &count, diag));
    while (at < count && list[at] < server)
        at++;
    bool leaves = at < count && list[at] == server;
    if (leaves) {
        memmove(&list[at], &list[at + 1], (count - at - 1) * sizeof *list);
        count--;
    } else { /* lp_draft_servers has room for one more */
        memmove(&list[at + 1], &list[at], (count - at) * sizeof *list);
        list[at] = server;
        count++;
    }
    LpShape shape;
    (void)lp_draft_order_block(s, list, count, &shape);
    bool fits = count == 0 || lp_servers_words(list, count, words);
    lp_free(list);
    if (!fits)
        return lp_fail(diag, LP_EREFUSED, "more servers than a draft has words for");
    lp_str_copy(draft->word[LP_STAGE_PLACE], LP_DRAFT_WORDS, count > 0 ? words : "servers=");
    return LP_OK;
}

/* ---- ports ---- */

/* The number behind "SERVER:" in "circuits=1:0,3:0", -1: none. */
static int64_t aggregator_in(const char *words, uint32_t server) {
    const char *at = strchr(words, '=');
    while (at != NULL && at[1] != '\0') {
        char *end;
        unsigned long number = strtoul(at + 1, &end, 10);
        if (*end != ':')
            return -1;
        unsigned long to = strtoul(end + 1, &end, 10);
        if (number == server)
            return (int64_t)to;
        at = *end == ',' ? end : NULL;
    }
    return -1;
}

static LpErr racks_now(const LpSession *s, uint32_t **out, LpDiag *diag) {
    const LpSchedule *now = lp_world_schedule(s->world, s->context);
    *out = lp_alloc(s->context->fabric.servers, sizeof **out);
    if (*out == NULL)
        return lp_fail_memory(diag, "aggregators");
    lp_board_racks(&s->context->fabric, now->to, *out);
    return LP_OK;
}

LpErr lp_draft_turn_server(LpSession *s, LpDraft *draft, uint32_t server, LpDiag *diag) {
    const LpOcsParams *ocs = &s->scenario->cluster.ocs;
    char words[LP_DRAFT_WORDS] = "circuits=";
    uint32_t *rack;
    bool some = false;
    if (s->context->circuits == NULL || ocs->aggregators == 0)
        return lp_fail(diag, LP_EREFUSED, "no server can be replugged on this fabric");
    if (server >= ocs->servers)
        return lp_draft_refuse_server(s, server, diag);
    LP_TRY(racks_now(s, &rack, diag));
    for (uint32_t i = 0; i < ocs->servers; i++) {
        int64_t chosen = aggregator_in(draft->word[LP_STAGE_CIRCUITS], i);
        uint32_t to = chosen >= 0 ? (uint32_t)chosen : rack[i];
        size_t len = strlen(words);
        if (i == server)
            to = (to + 1) % ocs->aggregators;
        if (to == rack[i] || to >= ocs->aggregators || len + 24 > sizeof words)
            continue;
        snprintf(words + len, sizeof words - len, "%s%u:%u", some ? "," : "", i, to);
        some = true;
    }
    lp_free(rack);
    lp_str_copy(draft->word[LP_STAGE_CIRCUITS], LP_DRAFT_WORDS, some ? words : "");
    return LP_OK;
}
