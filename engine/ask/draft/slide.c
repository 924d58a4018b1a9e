/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The block of a draft as a whole, from another server on. */
#include <string.h>

#include "ask/draft/choices.h"
#include "ask/draft/edit_impl.h"
#include "base/mem.h"
#include "base/str.h"
#include "session/session_impl.h"
#include "sim/world.h"

/* The first server of the block that is not free, LP_NO_INDEX: all are. */
static uint32_t first_held(const LpSession *s, const uint32_t *block, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!lp_world_server_free(s->world, block[i]))
            return block[i];
    return LP_NO_INDEX;
}

/* The block of this shape (groups 0: of any) that begins at the server, held or not. */
static bool find_block(const LpSession *s, const LpShape *shape, uint32_t server, uint32_t n,
                       uint32_t *block) {
    LpBlockSearch search;
    bool held = false;
    lp_block_search(&search, &s->context->fabric, n, false, NULL, NULL);
    if (shape->groups > 0)
        lp_block_only(&search, shape);
    uint32_t *next = lp_alloc(n, sizeof *next);
    while (next != NULL && lp_block_next(&search, next)) {
        if (next[0] != server)
            continue;
        bool here = first_held(s, next, n) == LP_NO_INDEX;
        if (here || !held) /* the first one that is free, else the first one */
            memcpy(block, next, n * sizeof *block);
        held = true;
        if (here)
            break;
    }
    lp_free(next);
    return held;
}

/* Keeps distances: block[] ascends. */
static bool shift_block(const LpSession *s, uint32_t server, uint32_t n, uint32_t *block) {
    uint32_t from = block[0], servers = s->context->fabric.servers;
    if (server >= servers || block[n - 1] - from >= servers - server)
        return false;
    for (uint32_t i = 0; i < n; i++)
        block[i] = block[i] - from + server;
    return true;
}

static LpErr slide(LpSession *s, LpDraft *draft, uint32_t server, uint32_t n, uint32_t *block,
                   LpDiag *diag) {
    bool racked = s->context->fabric.ops->racked;
    LpShape shape = {0};
    char words[LP_DRAFT_WORDS], name[LP_SHAPE_TEXT];
    (void)lp_draft_order_block(s, block, n, &shape);
    bool there =
        racked ? find_block(s, &shape, server, n, block) : shift_block(s, server, n, block);
    if (!there && racked && shape.groups > 0)
        return lp_fail(diag, LP_EREFUSED, "a block %s has no room from s%u on",
                       lp_shape_print(&shape, name), server);
    if (!there)
        return lp_fail(diag, LP_EREFUSED, "%u servers have no room from s%u on", n, server);
    uint32_t held = first_held(s, block, n);
    if (held != LP_NO_INDEX)
        return lp_draft_refuse_server(s, held, diag);
    if (!lp_servers_words(block, n, words))
        return lp_fail(diag, LP_EREFUSED, "more servers than a draft has words for");
    lp_str_copy(draft->word[LP_STAGE_PLACE], LP_DRAFT_WORDS, words);
    return LP_OK;
}

LpErr lp_draft_slide(LpSession *s, LpDraft *draft, const LpPrice *price, uint32_t server,
                     LpDiag *diag) {
    uint32_t *block, n;
    if (lp_draft_by_cubes(s)) {
        if (s->context->fabric.cluster->pod.net.fixed)
            return lp_draft_take_cube(s, draft, price, server, diag);
        return lp_fail(diag, LP_EREFUSED, "on switched wiring cubes are taken one by one");
    }
    LP_TRY(lp_draft_servers(s, draft, price, &block, &n, diag));
    LpErr err = n > 0 ? slide(s, draft, server, n, block, diag)
                      : lp_fail(diag, LP_EREFUSED, "no server is chosen yet");
    lp_free(block);
    return err;
}
