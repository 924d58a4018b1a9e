/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cubes of a draft, one by one: those of a slice on switched wiring, the corner of its box on
 * static wiring. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/draft/choices.h"
#include "ask/draft/edit_impl.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "model/pod/place.h"
#include "session/session_impl.h"
#include "sim/facts/identity.h"
#include "sim/place/slice.h"
#include "sim/world.h"

static const LpSlice *slice_of(const LpSession *s) {
    uint32_t due = lp_world_due(s->world);
    const LpJob *job = due != LP_NO_INDEX ? lp_world_job(s->world, due) : NULL;
    return job != NULL && job->slice.row > 0 ? lp_job_slice(s->context, job) : NULL;
}

bool lp_draft_by_cubes(const LpSession *s) {
    const LpSlice *slice = slice_of(s);
    return slice != NULL && slice->cubes > 0;
}

/* The numbers of "cubes=0-3,7" into out[most]; returns how many, 0 for other words. */
static uint32_t read_cubes(const char *words, uint32_t *out, uint32_t most) {
    const char *at = words + 6;
    uint32_t count = 0;
    if (strncmp(words, "cubes=", 6) != 0)
        return 0;
    while (*at != '\0') {
        char *end;
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (; first <= last && count < most; first++)
            out[count++] = (uint32_t)first;
        if (*end != ',')
            break;
        at = end + 1;
    }
    return count;
}

LpErr lp_draft_cube_servers(const LpSession *s, const char *words, LpArena *arena,
                            const uint32_t **out, uint32_t *count, LpDiag *diag) {
    const LpPod *pod = &s->context->fabric.cluster->pod.net;
    uint32_t each = pod->cube * pod->cube * pod->cube;
    uint32_t *cube = lp_arena_alloc(arena, pod->cubes, sizeof *cube);
    uint32_t *server = lp_arena_alloc(arena, (size_t)pod->cubes * each, sizeof *server);
    if (cube == NULL || server == NULL)
        return lp_fail_memory(diag, "the cubes of a draft");
    uint32_t cubes = read_cubes(words, cube, pod->cubes);
    *count = 0;
    for (uint32_t i = 0; i < cubes; i++)
        for (uint32_t k = 0; cube[i] < pod->cubes && k < each; k++)
            server[(*count)++] = cube[i] * each + k;
    *out = server;
    return LP_OK;
}

static LpErr refuse_cube(const LpSession *s, uint32_t cube, uint32_t each, LpDiag *diag) {
    char until[LP_NUM_TEXT];
    for (uint32_t i = 0; i < each; i++) {
        uint32_t id = lp_world_server(s->world, cube * each + i)->job;
        if (id == LP_NO_INDEX)
            continue;
        double end = lp_world_job(s->world, id)->times.forecast_end;
        return lp_fail(diag, LP_EREFUSED, "cube %u: %s runs there until %s", cube,
                       lp_world_label(s->world, s->scenario, id).text,
                       lp_quantity_print(end, LP_DIM_TIME, until, sizeof until));
    }
    return lp_fail(diag, LP_EREFUSED, "cube %u is broken, or has no light", cube);
}

static LpErr toggle_cube(const LpSession *s, LpDraft *draft, const LpPrice *price, uint32_t cube,
                         LpDiag *diag) {
    const LpPod *pod = &s->context->fabric.cluster->pod.net;
    const LpSlice *slice = slice_of(s);
    const char *was = draft->word[LP_STAGE_PLACE];
    char words[LP_DRAFT_WORDS];
    uint32_t count = 0, at = 0;
    uint32_t *list = lp_alloc((size_t)pod->cubes + 1, sizeof *list);
    if (list == NULL)
        return lp_fail_memory(diag, "the cubes of a draft");
    if (was[0] != '\0') {
        count = read_cubes(was, list, pod->cubes);
    } else if (price->possible) {
        lp_pod_cubes_of(pod, slice, price->forecast.server, list);
        count = slice->cubes;
    }
    while (at < count && list[at] != cube)
        at++;
    if (at < count) {
        memmove(&list[at], &list[at + 1], (count - at - 1) * sizeof *list);
        count--;
    } else if (count < pod->cubes) {
        for (at = 0; at < count && list[at] < cube;)
            at++;
        memmove(&list[at + 1], &list[at], (count - at) * sizeof *list);
        list[at] = cube;
        count++;
    }
    bool fits = count == 0 || lp_cubes_words(list, count, words);
    lp_free(list);
    if (!fits)
        return lp_fail(diag, LP_EREFUSED, "more cubes than a draft has words for");
    lp_str_copy(draft->word[LP_STAGE_PLACE], LP_DRAFT_WORDS, count > 0 ? words : "cubes=");
    return LP_OK;
}

LpErr lp_draft_take_cube(LpSession *s, LpDraft *draft, const LpPrice *price, uint32_t server,
                         LpDiag *diag) {
    const LpPod *pod = &s->context->fabric.cluster->pod.net;
    uint32_t each = pod->cube * pod->cube * pod->cube;
    LpDraft moved = *draft;
    LpPrice there;
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    if (!lp_draft_by_cubes(s) || server >= s->context->fabric.servers)
        return lp_fail(diag, LP_EREFUSED, "no slice of whole cubes is placed here");
    uint32_t cube = server / each;
    if (!lp_slice_usable(s->world, s->context, cube))
        return refuse_cube(s, cube, each, diag);
    if (!pod->fixed)
        return toggle_cube(s, draft, price, cube, diag);
    snprintf(moved.word[LP_STAGE_PLACE], LP_DRAFT_WORDS, "origin=%u,%u,%u",
             cube / pod->grid[2] / pod->grid[1], cube / pod->grid[2] % pod->grid[1],
             cube % pod->grid[2]);
    for (int i = LP_STAGE_PLACE + 1; i < LP_STAGE_COUNT; i++)
        moved.word[i][0] = '\0';
    LP_TRY(lp_draft_price(s, lp_draft_text(&moved, text), &there, diag));
    if (!there.possible)
        return lp_fail(diag, LP_EREFUSED, "%s", there.why);
    lp_str_copy(draft->word[LP_STAGE_PLACE], LP_DRAFT_WORDS, moved.word[LP_STAGE_PLACE]);
    return LP_OK;
}
