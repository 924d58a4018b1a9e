/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the second stage: the first free block of each shape where blocks have shapes; else free
 * servers that lie together, rack by rack, and spread; the places of a slice. */
#include "ask/draft/choices_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/fabric/board.h"
#include "model/pod/place.h"
#include "session/session_impl.h"
#include "sim/light/circuits.h"
#include "sim/place/slice.h"
#include "sim/world.h"

enum { PLACES_MOST = 6, RACKS_SHOWN = 4 };

typedef struct Places {
    LpChoosing *c;
    const LpFabric *fabric;
    LpBoardPlan plan;
    uint32_t n;     /* servers that are needed */
    uint32_t *rack; /* of each server */
    uint32_t racks;
    uint32_t *server, *free; /* room for all servers */
    uint32_t *used, *begin;  /* per rack */
    bool *taken;             /* of each server */
} Places;

/* How many servers of each rack there are in the list, into p->used. */
static void count_racks(const Places *p, const uint32_t *server, uint32_t n) {
    memset(p->used, 0, p->racks * sizeof *p->used);
    for (uint32_t i = 0; i < n; i++)
        p->used[p->rack[server[i]]]++;
}

static void name_first(const Places *p, uint32_t server, char *out, size_t size) {
    char name[LP_SERVER_TEXT];
    snprintf(out, size, "from server %.20s", lp_cluster_server(p->fabric->cluster, server, name));
}

/* "leaf 4+5", "g0r1+g1r1", "8 leaves". */
static void name_racks(const Places *p, const uint32_t *server, uint32_t n, char *out,
                       size_t size) {
    LpBuf name = {0}, all = {0};
    uint32_t named = 0, have = 0;
    if (p->plan.rack == NULL) {
        name_first(p, server[0], out, size);
        return;
    }
    count_racks(p, server, n);
    for (uint32_t r = 0; r < p->racks; r++)
        have += p->used[r] > 0;
    for (uint32_t r = 0; have <= RACKS_SHOWN && r < p->racks; r++) {
        if (p->used[r] == 0)
            continue;
        lp_board_rack_name(p->fabric, r, &name);
        const char *text = lp_buf_text(&name), *blank = strrchr(text, ' ');
        lp_buf_addf(&all, "%s%s", named > 0 ? "+" : "",
                    named > 0 && blank != NULL ? blank + 1 : text);
        named++;
        lp_buf_fini(&name);
        name = (LpBuf){0};
    }
    if (have > RACKS_SHOWN)
        lp_buf_addf(&all, "%u %s", have, p->plan.rack_many != NULL ? p->plan.rack_many : "parts");
    lp_str_copy(out, size, lp_buf_text(&all));
    lp_buf_fini(&all);
}

/* Are these the servers that the policy takes, in whatever order? */
static bool is_own(const Places *p, const uint32_t *server) {
    const LpForecast *own = &p->c->base.forecast;
    if (!p->c->base.possible || own->servers != p->n)
        return false;
    bool same = true;
    memset(p->taken, 0, p->fabric->servers * sizeof *p->taken);
    for (uint32_t i = 0; i < p->n; i++)
        p->taken[own->server[i]] = true;
    for (uint32_t i = 0; i < p->n; i++)
        same = same && p->taken[server[i]];
    return same;
}

/* Where the policy puts it is no second row, but where another order of the same servers is another
 * step. */
static LpErr add_place(const Places *p, const char *label, const char *note,
                       const uint32_t *server) {
    LpStageRows *out = p->c->out;
    char words[LP_DRAFT_WORDS];
    uint32_t before = out->count;
    if (!lp_servers_words(server, p->n, words))
        return LP_OK;
    LP_TRY(lp_choose(p->c, label, note, words));
    const LpPrice *price = &out->row[before].price;
    if (out->count > before && price->possible && is_own(p, server) &&
        price->step_time == p->c->base.step_time)
        out->count = before;
    return LP_OK;
}

static bool has_room(const Places *p) {
    return p->c->out->count < LP_CHOICES_MOST;
}

/* ---- what the policy has ---- */

static LpErr add_own(const Places *p) {
    const LpForecast *f = &p->c->base.forecast;
    char label[LP_CHOICE_LABEL] = "policy";
    if (p->c->base.possible && f->shape.groups > 0 && !f->shape.diagonal &&
        f->shape.groups * f->shape.racks > 1)
        lp_shape_print(&f->shape, label);
    else if (p->c->base.possible && p->plan.rack == NULL && f->servers > 1 &&
             f->server[f->servers - 1] == f->server[0] + f->servers - 1)
        name_first(p, f->server[0], label, sizeof label);
    else if (p->c->base.possible && p->racks > 1 && p->plan.rack != NULL)
        name_racks(p, f->server, f->servers, label, sizeof label);
    return lp_choose(p->c, label, p->c->base.possible ? "the policy's" : p->c->base.why, "");
}

/* ---- blocks with shapes ---- */

static LpErr add_shapes(const Places *p) {
    LpShape *shape = lp_alloc(LP_SHAPES_MAX, sizeof *shape);
    if (shape == NULL)
        return lp_fail_memory(p->c->diag, "the shapes of blocks");
    LpErr err = LP_OK;
    uint32_t shapes = p->fabric->ops->shapes(p->fabric, p->n, false, shape);
    for (uint32_t i = 0; err == LP_OK && has_room(p) && i < shapes; i++) {
        LpBlockSearch search;
        char label[LP_SHAPE_TEXT];
        lp_block_search_in(&search, p->fabric, p->n, false, lp_world_room(p->c->session->world),
                           NULL, NULL);
        lp_block_only(&search, &shape[i]);
        for (int k = 0; err == LP_OK && k < 3 && has_room(p) && lp_block_next(&search, p->server);
             k++)
            err = add_place(p, lp_shape_print(&shape[i], label),
                            k == 0 ? "first free block" : "next free block", p->server);
    }
    lp_free(shape);
    return err;
}

/* ---- racks ---- */

/* The free servers of each rack one after another: rack r has them from begin[r] to begin[r + 1].
 */
static void list_free(const Places *p) {
    const LpWorld *world = p->c->session->world;
    memset(p->begin, 0, (p->racks + 1) * sizeof *p->begin);
    for (uint32_t s = 0; s < p->fabric->servers; s++)
        if (lp_world_server_free(world, s))
            p->begin[p->rack[s] + 1]++;
    for (uint32_t r = 0; r < p->racks; r++) {
        p->begin[r + 1] += p->begin[r];
        p->used[r] = p->begin[r];
    }
    for (uint32_t s = 0; s < p->fabric->servers; s++)
        if (lp_world_server_free(world, s))
            p->free[p->used[p->rack[s]]++] = s;
}

static uint32_t free_in(const Places *p, uint32_t rack) {
    return p->begin[rack + 1] - p->begin[rack];
}

/* As many as are needed from this rack on, round the end. */
static bool take_from(const Places *p, uint32_t first) {
    uint32_t all = p->begin[p->racks];
    for (uint32_t i = 0; i < p->n && p->n <= all; i++)
        p->server[i] = p->free[(p->begin[first] + i) % all];
    return p->n <= all;
}

/* One server of each rack in turn. */
static bool take_spread(const Places *p) {
    uint32_t count = 0;
    for (uint32_t round = 0; count < p->n && round < p->n; round++)
        for (uint32_t r = 0; r < p->racks && count < p->n; r++)
            if (round < free_in(p, r))
                p->server[count++] = p->free[p->begin[r] + round];
    return count == p->n;
}

/* The rack with most room, of equals the first; what is more than needed does not count. Those in
 * `used` were tried. */
static uint32_t next_rack(const Places *p, uint32_t *most) {
    uint32_t best = LP_NO_INDEX;
    *most = 0;
    for (uint32_t r = 0; r < p->racks; r++) {
        uint32_t here = p->used[r] ? 0 : free_in(p, r);
        here = here > p->n ? p->n : here;
        if (here > *most) {
            *most = here;
            best = r;
        }
    }
    return best;
}

/* Places of equal counts in racks are alike where racks are. */
static LpErr add_racks(const Places *p) {
    char label[LP_CHOICE_LABEL], note[LP_CHOICE_NOTE];
    uint32_t from[PLACES_MOST], have[PLACES_MOST], count = 0;
    list_free(p);
    memset(p->used, 0, p->racks * sizeof *p->used);
    while (count < PLACES_MOST && (from[count] = next_rack(p, &have[count])) != LP_NO_INDEX)
        p->used[from[count++]] = 1;
    for (uint32_t k = 0; k < count; k++) {
        if (!take_from(p, from[k]))
            continue;
        name_racks(p, p->server, p->n, label, sizeof label);
        snprintf(note, sizeof note, "%u of its %u free", have[k], free_in(p, from[k]));
        LP_TRY(add_place(p, label, note, p->server));
    }
    return p->n > 1 && p->racks > 1 && take_spread(p)
               ? add_place(p, "spread", "one after another in each", p->server)
               : LP_OK;
}

/* Where servers lie in no racks: those of each type; else as many from each place on. */
static void group_servers(Places *p) {
    const LpCluster *cluster = p->fabric->cluster;
    p->racks = 0;
    for (uint32_t s = 0; s < p->fabric->servers; s++) {
        p->rack[s] =
            cluster->types > 1 ? lp_cluster_type_of(cluster, s) : s / (p->n > 0 ? p->n : 1);
        p->racks = p->rack[s] >= p->racks ? p->rack[s] + 1 : p->racks;
    }
}

/* ---- places of a slice ---- */

/* Whole cubes by their numbers, or by the corner of their box; parts of one by their servers. */
static LpErr add_slice(const Places *p, const LpSlice *slice, const LpPodPlaces *places,
                       const char *label) {
    const LpPod *pod = &p->c->session->context->fabric.cluster->pod.net;
    char words[LP_DRAFT_WORDS];
    if (slice->cubes == 0)
        return add_place(p, label, "", p->server);
    if (is_own(p, p->server))
        return LP_OK;
    if (pod->fixed) {
        const uint32_t *at = places->box.origin;
        snprintf(words, sizeof words, "origin=%u,%u,%u", at[0], at[1], at[2]);
        return lp_choose(p->c, label, "", words);
    }
    uint32_t *cube = lp_alloc(slice->cubes, sizeof *cube);
    if (cube == NULL)
        return lp_fail_memory(p->c->diag, "the cubes of a slice");
    lp_pod_cubes_of(pod, slice, p->server, cube);
    bool fits = lp_cubes_words(cube, slice->cubes, words);
    lp_free(cube);
    return fits ? lp_choose(p->c, label, "", words) : LP_OK;
}

static LpErr add_slices(const Places *p, const LpSlice *slice) {
    const LpSession *s = p->c->session;
    LpSliceView view = {s->context, s->world, false};
    LpPodSite site = lp_slice_site(&view);
    LpPodPlaces places = {0};
    LpErr err = LP_OK;
    for (int k = 0; err == LP_OK && k < 2 * PLACES_MOST && has_room(p) &&
                    lp_pod_places_next(&places, &site, slice, p->server);
         k++) {
        char label[LP_CHOICE_LABEL];
        const LpPodBox *box = &places.box;
        bool boxed = box->size[0] > 0 && box->size[1] > 0 && box->size[2] > 0;
        if (boxed)
            snprintf(label, sizeof label, "at (%u,%u,%u), %ux%ux%u", box->origin[0], box->origin[1],
                     box->origin[2], box->size[0], box->size[1], box->size[2]);
        else
            snprintf(label, sizeof label, "%s", places.spread ? "cubes, spread" : "cubes, first");
        err = add_slice(p, slice, &places, label);
    }
    return err;
}

/* ---- all of it ---- */

/* Servers that the draft's cut takes; 0: it is not known. */
static LpErr count_needed(Places *p) {
    const LpChoosing *c = p->c;
    const LpJob *job = lp_world_job(c->session->world, c->job);
    const LpForecast *f = &c->base.forecast;
    p->n = f->feasible ? f->servers : job->graph < 0 ? job->asked.rigid_servers : 0;
    if (p->n == 0 && f->degree > 0)
        return lp_world_cut_size(c->session->world, c->session->context, c->job, f->degree, &p->n,
                                 c->diag);
    return LP_OK;
}

static LpErr add_rows(Places *p) {
    const LpSession *s = p->c->session;
    const LpSlice *slice = lp_job_slice(s->context, lp_world_job(s->world, p->c->job));
    const LpSchedule *now = lp_world_schedule(s->world, s->context);
    lp_board_racks(p->fabric, now != NULL ? now->to : NULL, p->rack);
    p->racks = p->plan.count;
    LP_TRY(add_own(p));
    p->n = slice != NULL ? slice->accelerators : 0;
    p->c->out->by_hand = slice != NULL && slice->cubes > 0;
    if (slice != NULL)
        return add_slices(p, slice);
    LP_TRY(count_needed(p));
    if (p->n == 0 || p->n > lp_world_free_servers(s->world))
        return LP_OK;
    p->c->out->by_hand = true;
    if (p->fabric->ops->racked)
        return add_shapes(p);
    if (p->plan.count <= 1)
        group_servers(p);
    return add_racks(p);
}

LpErr lp_choose_places(LpChoosing *c) {
    const LpContext *context = lp_world_context(c->session->world, c->session->context);
    Places p = {.c = c, .fabric = &context->fabric, .plan = lp_board_plan(&context->fabric)};
    size_t servers = context->fabric.servers;
    p.rack = lp_alloc(servers, sizeof *p.rack);
    p.server = lp_alloc(servers, sizeof *p.server);
    p.free = lp_alloc(servers, sizeof *p.free);
    p.used = lp_alloc(servers + p.plan.count + 2, sizeof *p.used);
    p.begin = lp_alloc(servers + p.plan.count + 2, sizeof *p.begin);
    p.taken = lp_alloc(servers, sizeof *p.taken);
    LpErr err = p.rack != NULL && p.server != NULL && p.free != NULL && p.used != NULL &&
                        p.begin != NULL && p.taken != NULL
                    ? add_rows(&p)
                    : lp_fail_memory(c->diag, "the places of a job");
    lp_free(p.rack);
    lp_free(p.server);
    lp_free(p.free);
    lp_free(p.used);
    lp_free(p.begin);
    lp_free(p.taken);
    return err;
}
