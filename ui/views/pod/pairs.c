/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which face of which cube a switch joins with which: its pairs, from the slices that run. */
#include <stdio.h>

#include "base/mem.h"
#include "model/pod/place.h"
#include "sim/place/slice.h"
#include "views/pod/pod_view_impl.h"

enum { PAIR = 15, NAME_ROWS = 2 };

/* By the cube whose + face it is: the cube whose - face is joined to it, and whose job that is. */
typedef struct Pair {
    uint32_t to; /* LP_NO_INDEX: none */
    const LpRunning *job;
} Pair;

static void add_slice(const LpModel *model, const LpRunning *job, int d, Pair *pair,
                      uint32_t *cubes) {
    const LpSlice *slice = lp_pod_slice_of(model, job->job);
    if (slice == NULL || slice->cubes == 0 || job->job->placed.placement == LP_NO_INDEX)
        return;
    const LpPlacement *p = lp_store_placement(model->context->store, job->job->placed.placement);
    lp_pod_cubes_of(lp_pod_of(model), slice, p->server, cubes);
    for (uint32_t o = 0; o < slice->cubes; o++) {
        uint32_t to = lp_slice_next(slice, d, o);
        if (to != LP_NO_INDEX)
            pair[cubes[o]] = (Pair){cubes[to], job};
    }
}

/* As many columns of pairs as have room; the number of pairs. */
static uint32_t draw_pairs(const LpModel *model, const LpArea *area, const Pair *pair) {
    uint32_t all = lp_pod_of(model)->cubes, count = 0;
    int rows = area->rect.h > 0 ? area->rect.h : 1;
    for (uint32_t c = 0; c < all; c++) {
        int x = (int)(count / (uint32_t)rows) * PAIR, y = (int)(count % (uint32_t)rows);
        if (pair[c].to == LP_NO_INDEX)
            continue;
        count++;
        if (x + PAIR > area->rect.w)
            continue;
        lp_letter_put(area, x, y, lp_model_job_style(model, pair[c].job), pair[c].job->job->id,
                      pair[c].job->letter);
        lp_area_textf(area, x + 2, y, lp_model_ink(model, pair[c].job->job->id), "c%u %s c%u",
                      (unsigned)c, lp_sign(LP_SIGN_ARROW, area->canvas->ascii),
                      (unsigned)pair[c].to);
    }
    return count;
}

static void draw_note(const LpModel *model, const LpArea *area, uint32_t at, uint32_t pairs,
                      int y) {
    const LpPod *pod = lp_pod_of(model);
    uint32_t face = pod->cube * pod->cube;
    lp_area_textf(area, 0, y, LP_ROLE_TEXT, "%u pair%s; ports %u of %u have a cube",
                  (unsigned)pairs, lp_str_s(pairs), (unsigned)(2 * pod->cubes),
                  (unsigned)pod->ports);
    lp_area_textf(area, 0, y + 1, LP_ROLE_MUTED,
                  "+ face of a cube -> - face of the next; all %u switches of %c are alike",
                  (unsigned)face, "xyz"[at / face]);
}

static void draw_switch(const LpModel *model, const LpArea *area, uint32_t at) {
    const LpPod *pod = lp_pod_of(model);
    Pair *pair = lp_alloc(pod->cubes, sizeof *pair);
    uint32_t *cubes = lp_alloc(pod->cubes, sizeof *cubes);
    for (uint32_t c = 0; pair != NULL && c < pod->cubes; c++)
        pair[c] = (Pair){LP_NO_INDEX, NULL};
    for (uint32_t i = 0; pair != NULL && cubes != NULL && i < model->running_count; i++)
        add_slice(model, &model->running[i], (int)(at / (pod->cube * pod->cube)), pair, cubes);
    if (pair == NULL || cubes == NULL) {
        area->canvas->incomplete = true;
    } else {
        int rows = area->rect.h - NAME_ROWS - 1;
        LpArea list = lp_area_part(area, (LpRect){0, 0, area->rect.w, rows});
        draw_note(model, area, at, draw_pairs(model, &list, pair), rows + 1);
    }
    lp_free(pair);
    lp_free(cubes);
}

void lp_view_pairs(const LpModel *model, const LpArea *area) {
    const LpPod *pod = lp_pod_of(model);
    uint32_t face = pod->cube * pod->cube, at = lp_pod_state(model)->at % (3 * face);
    LpBuf title = {0};
    if (pod->fixed)
        lp_buf_add(&title, "SWITCH none: cubes are joined for good");
    else
        lp_buf_addf(&title, "SWITCH %u of %u: dimension %c, position %u", (unsigned)at,
                    (unsigned)(3 * face), "xyz"[at / face], (unsigned)(at % face));
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (!pod->fixed)
        draw_switch(model, &inside, at);
    lp_area_done(area, &title);
}
