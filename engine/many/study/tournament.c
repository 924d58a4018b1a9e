/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries from a folder, and their order. */
#include "many/study/tournament.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lack.h"
#include "many/study/compare_impl.h"
#include "session/session_impl.h"

#define SIGNIFICANT 0.05

/* ---- entries ---- */

static bool is_policy(const char *name) {
    size_t len = strlen(name);
    return name[0] != '.' && len > 4 && strcmp(name + len - 4, ".lua") == 0;
}

static int by_label(const void *a, const void *b) {
    return strcmp(((const LpVariant *)a)->label, ((const LpVariant *)b)->label);
}

static LpErr add_entry(const char *folder, const char *name, LpArena *arena, LpVariant **list,
                       size_t *cap, uint32_t *count, LpDiag *diag) {
    LpBuf path = {0};
    void *items = *list;
    lp_buf_addf(&path, "%s/%s", folder, name);
    const char *policy = path.failed ? NULL : lp_arena_strdup(arena, lp_buf_text(&path));
    const char *label = lp_arena_strdup(arena, name);
    lp_buf_fini(&path);
    if (policy == NULL || label == NULL ||
        lp_grow(&items, cap, (size_t)*count + 1, sizeof **list) != LP_OK)
        return lp_fail_memory(diag, "the entries of a tournament");
    *list = items;
    (*list)[(*count)++] = (LpVariant){.label = label, .policy = policy};
    return LP_OK;
}

LpErr lp_tournament_entries(const char *folder, LpArena *arena, LpVariant **out, uint32_t *count,
                            LpDiag *diag) {
    LpVariant *list = NULL;
    size_t cap = 0;
    uint32_t n = 0;
    LpErr err = LP_OK;
    DIR *dir = opendir(folder);
    if (dir == NULL && errno == ENOMEM)
        return lp_fail_memory(diag, "the folder of policies");
    if (dir == NULL)
        return lp_fail(diag, lp_err_of(errno), "%s: %s", folder, strerror(errno));
    for (const struct dirent *e; err == LP_OK && (e = readdir(dir)) != NULL;)
        if (is_policy(e->d_name))
            err = add_entry(folder, e->d_name, arena, &list, &cap, &n, diag);
    closedir(dir);
    LpVariant *kept = err == LP_OK ? lp_arena_alloc(arena, n, sizeof *kept) : NULL;
    if (err == LP_OK && n == 0)
        err = lp_fail(diag, LP_EINVAL, "%s: no policy (a file NAME.lua) is in this folder", folder);
    else if (err == LP_OK && kept == NULL)
        err = lp_fail_memory(diag, "the entries of a tournament");
    if (err == LP_OK) {
        qsort(list, n, sizeof *list, by_label);
        memcpy(kept, list, n * sizeof *kept);
        *out = kept;
        *count = n;
    }
    lp_free(list);
    return err;
}

/* ---- ranks ---- */

typedef struct Standing {
    uint32_t variant;
    bool failed;
    double unserved, jct;
    const char *label;
} Standing;

static int by_standing(const void *a, const void *b) {
    const Standing *x = a, *y = b;
    if (x->failed != y->failed)
        return x->failed ? 1 : -1;
    if (!x->failed && x->unserved != y->unserved)
        return x->unserved < y->unserved ? -1 : 1;
    if (!x->failed && isnan(x->jct) != isnan(y->jct))
        return isnan(x->jct) ? 1 : -1; /* no job completed */
    if (!x->failed && x->jct != y->jct && !isnan(x->jct))
        return x->jct < y->jct ? -1 : 1;
    return strcmp(x->label, y->label);
}

static Standing standing_of(const LpBatch *b, uint32_t v, double *room) {
    Standing s = {.variant = v, .label = b->variant[v].label};
    for (uint32_t i = 0; i < b->seeds; i++)
        s.failed |= !lp_batch_at(b, v, i)->done;
    lp_compare_values(b, v, LP_METRIC_UNSERVED, room);
    s.unserved = lp_estimate(room, b->seeds).mean;
    lp_compare_values(b, v, LP_METRIC_MEAN_JCT, room);
    s.jct = lp_estimate(room, b->seeds).mean;
    s.failed |= isnan(s.unserved);
    return s;
}

static LpPaired pair_of(const LpBatch *b, uint32_t first, uint32_t v, LpMetric metric,
                        double *room) {
    lp_compare_values(b, first, metric, room);
    lp_compare_values(b, v, metric, room + b->seeds);
    return lp_paired(room, room + b->seeds, b->seeds);
}

static bool same_with_every_seed(const LpBatch *b, uint32_t first, uint32_t v) {
    for (uint32_t s = 0; s < b->seeds; s++) {
        const LpSummary *x = &lp_batch_at(b, first, s)->summary;
        if (x->unserved_rate != lp_batch_at(b, v, s)->summary.unserved_rate)
            return false;
    }
    return true;
}

static bool serves(const LpBatch *b, uint32_t v) {
    for (uint32_t s = 0; s < b->seeds; s++)
        if (lp_batch_at(b, v, s)->summary.unserved_rate < 1)
            return true;
    return false;
}

/* Does the test tell a variant from the first one of a rank? Who serves nobody needs no test. */
static bool told_apart(const LpBatch *b, uint32_t first, uint32_t v, double *room, LpRank *out) {
    bool same = same_with_every_seed(b, first, v);
    out->by = same ? LP_METRIC_MEAN_JCT : LP_METRIC_UNSERVED;
    out->p = pair_of(b, first, v, out->by, room).p;
    out->against = first;
    return out->p < SIGNIFICANT || serves(b, first) != serves(b, v);
}

static void number(const LpBatch *b, const Standing *order, LpRank *rank, double *room) {
    for (uint32_t i = 0, first = 0; i < b->variants; i++) {
        rank[i] = (LpRank){.against = LP_NO_INDEX, .p = (double)NAN};
        if (order[i].failed)
            continue;
        if (i > 0 && told_apart(b, first, i, room, &rank[i]))
            first = i;
        rank[i].rank = first + 1;
        rank[i].tied = first < i;
        rank[first].tied = rank[first].tied || first < i;
    }
}

LpErr lp_tournament_rank(LpBatch *b, LpArena *arena, const LpRank **rank, LpDiag *diag) {
    LpRank *ranks = lp_arena_alloc(arena, b->variants, sizeof *ranks);
    Standing *order = lp_arena_alloc(arena, b->variants, sizeof *order);
    double *room = lp_arena_alloc(arena, (size_t)b->seeds * 2, sizeof *room);
    if (ranks == NULL || order == NULL || room == NULL)
        return lp_fail_memory(diag, "a ranking");
    for (uint32_t v = 0; v < b->variants; v++)
        order[v] = standing_of(b, v, room);
    qsort(order, b->variants, sizeof *order, by_standing);
    /* Moves variants and runs into the order of the standings. */
    LpVariant *variant = lp_arena_alloc(arena, b->variants, sizeof *variant);
    LpRun *run = lp_alloc((size_t)b->variants * b->seeds, sizeof *run);
    if (variant == NULL || run == NULL) {
        lp_free(run);
        return lp_fail_memory(diag, "a ranking");
    }
    for (uint32_t i = 0; i < b->variants; i++) {
        variant[i] = b->variant[order[i].variant];
        memcpy(&run[(size_t)i * b->seeds], lp_batch_at(b, order[i].variant, 0),
               b->seeds * sizeof *run);
    }
    lp_free(b->run);
    b->run = run;
    b->variant = variant;
    number(b, order, ranks, room);
    *rank = ranks;
    return LP_OK;
}
