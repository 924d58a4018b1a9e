/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits of a pod: those that each slice holds, as a list. Which switch joins which cubes follows
 * from the slice (docs/pods.md), so a matrix would only repeat it. */
#include <stdio.h>

#include "base/str.h"
#include "model/pod/place.h"
#include "model/pod/slice.h"
#include "sim/context.h"
#include "sim/place/slice.h"
#include "views/circuits/circuits_view_impl.h"
#include "widgets/show.h"

enum { NAME = 2, CUBES = 17, CIRCUITS = 28, BAR = 44, BAR_LEAST = 6, WIDE = 50 };

static const LpSlice *slice_of(const LpModel *model, const LpJob *job) {
    return lp_job_slice(model->context, job);
}

static double all_circuits(const LpModel *model) {
    return model->board.light;
}

static uint64_t held(const LpModel *model) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < model->running_count; i++)
        sum += slice_of(model, model->running[i].job) ? model->running[i].job->placed.circuits : 0;
    return sum;
}

/* Share of the pod's circuits, as a bar. */
static void draw_bar(const LpModel *model, const LpArea *area, int y, const LpRunning *job) {
    int room = area->rect.w - BAR - 1;
    double share = all_circuits(model) > 0 ? job->job->placed.circuits / all_circuits(model) : 0;
    int filled = (int)(share * room + 0.5);
    if (room < BAR_LEAST)
        return;
    for (int x = 0; x < room; x++)
        lp_area_glyph(area, BAR + x, y, x < filled ? lp_model_job_style(model, job) : LP_ROLE_FREE,
                      x < filled ? LP_GLYPH_BAR : LP_GLYPH_BAR_REST);
}

static void draw_slice(const LpModel *model, const LpArea *area, int y, const LpRunning *job,
                       const LpSlice *slice) {
    char name[LP_SLICE_TEXT], cubes[LP_MANY_TEXT], circuits[LP_SHOW_TEXT];
    LpStyle ink = lp_model_ink(model, job->job->id);
    lp_letter_put(area, 0, y, lp_model_job_style(model, job), job->job->id, job->letter);
    lp_area_fit(area, NAME, y, CUBES - NAME - 1, ink, lp_slice_name(slice, name));
    if (slice->cubes == 0) {
        lp_area_fit(area, CUBES, y, area->rect.w - CUBES, LP_ROLE_MUTED, "in a cube, no circuits");
        return;
    }
    lp_area_fit(area, CUBES, y, CIRCUITS - CUBES - 1, LP_ROLE_TEXT,
                lp_str_many(cubes, slice->cubes, "cube"));
    lp_area_textf(area, CIRCUITS, y, LP_ROLE_TEXT, area->rect.w >= BAR ? "%s circuits" : "%s",
                  lp_show_count(job->job->placed.circuits, circuits));
    draw_bar(model, area, y, job);
}

static uint32_t slices(const LpModel *model) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->running_count; i++)
        count += slice_of(model, model->running[i].job) != NULL;
    return count;
}

/* The last line counts those that have no room. */
static void draw_list(const LpModel *model, const LpArea *area) {
    uint32_t count = slices(model), room = area->rect.h > 0 ? (uint32_t)area->rect.h : 0, y = 0;
    uint32_t shown = count <= room ? count : room > 0 ? room - 1 : 0;
    for (uint32_t i = 0; i < model->running_count && y < shown; i++) {
        const LpSlice *slice = slice_of(model, model->running[i].job);
        if (slice != NULL)
            draw_slice(model, area, (int)y++, &model->running[i], slice);
    }
    if (count == 0)
        lp_area_fit(area, 0, 0, area->rect.w, LP_ROLE_MUTED, "no slice is held");
    else if (shown < count)
        lp_area_textf(area, 0, (int)y, LP_ROLE_MUTED, "+ %u more", (unsigned)(count - shown));
}

void lp_view_slices(const LpModel *model, const LpArea *area) {
    const LpPod *pod = lp_circuits_pod(model->context);
    char some[LP_SHOW_TEXT], all[LP_SHOW_TEXT];
    LpBuf title = {0};
    lp_show_count(held(model), some);
    if (pod->fixed)
        lp_buf_add(&title, "CIRCUITS none: cubes are joined for good");
    else
        lp_buf_addf(&title, "CIRCUITS slices hold %s of %s", some,
                    lp_show_count((uint64_t)all_circuits(model), all));
    if (!pod->fixed && area->rect.w >= WIDE)
        lp_buf_addf(&title, ", %u switches", (unsigned)lp_pod_switches(pod));
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    lp_area_done(area, &title);
    draw_list(model, &inside);
}
