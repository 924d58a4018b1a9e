/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every transmitter towards every receiver: lines send, columns receive. A column's place in its
 * rack is the wavelength that it is reached on; a letter is the job whose light it is. */
#include "views/circuits/spread.h"

#include <stdio.h>

enum { LABEL = 12, HEAD = 2, GAP_GROUP = 2 };

/* ---- paths ---- */

uint32_t lp_spread_first(const LpRunning *job, uint32_t server) {
    uint32_t low = 0, high = job->paths;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (job->path[middle].src < server)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The running jobs, then the one that moves; NULL after the last. */
static const LpRunning *nth_job(const LpModel *model, uint32_t n) {
    uint32_t running = model->motion.instant ? 0 : model->running_count;
    return n < running ? &model->running[n] : n == running ? &model->moving : NULL;
}

/* ---- what has room ---- */

static uint32_t servers_of_group(const LpModel *model) {
    const LpBoardPlan *plan = &model->board;
    return plan->groups > 0 ? plan->servers / plan->groups : 0;
}

static int width_of(const LpModel *model, const LpSpread *s) {
    const LpBoardPlan *plan = &model->board;
    uint32_t per = servers_of_group(model), racks = plan->per_rack > 0 ? per / plan->per_rack : 1;
    int group = (int)per * s->pitch + (int)(racks - 1) * s->rack_gap;
    return LABEL + (int)s->groups * (group + s->gap) - s->gap;
}

static int column_of(const LpModel *model, const LpSpread *s, uint32_t server) {
    const LpBoardPlan *plan = &model->board;
    uint32_t per = servers_of_group(model), at = server % per;
    uint32_t group = server / per - s->from;
    int width = (int)per * s->pitch + (int)(per / plan->per_rack - 1) * s->rack_gap;
    return LABEL + (int)group * (width + s->gap) + (int)at * s->pitch +
           (int)(at / plan->per_rack) * s->rack_gap;
}

bool lp_spread_plan(const LpModel *model, int group, int width, int height, LpSpread *out) {
    const LpBoardPlan *plan = &model->board;
    uint32_t per = servers_of_group(model);
    *out = (LpSpread){.gap = GAP_GROUP, .groups = plan->groups, .lines = per};
    if (per == 0 || plan->servers % plan->groups != 0 || plan->per_rack == 0 ||
        per % plan->per_rack != 0)
        return false;
    out->first = group == LP_SPREAD_ALL ? 0 : (uint32_t)group * per;
    out->lines = group == LP_SPREAD_ALL ? plan->servers : per;
    if ((int)out->lines + HEAD + 1 > height)
        return false;
    for (int whole = 1; whole >= 0; whole--) {
        out->groups = whole ? plan->groups : 1;
        out->from = whole ? 0 : lp_circuits_state(model)->to;
        for (out->pitch = 2; out->pitch > 0; out->pitch--) {
            out->rack_gap = plan->per_rack > 1 && (out->pitch == 1 || per * 2 <= 32);
            out->width = width_of(model, out);
            if (out->width <= width)
                return true;
        }
    }
    return false;
}

/* ---- drawing ---- */

static bool is_shown(const LpModel *model, const LpSpread *s, uint32_t server) {
    uint32_t group = server / servers_of_group(model);
    return group >= s->from && group < s->from + s->groups;
}

/* "to g0" over the groups, "r0" over the racks. */
static void draw_heads(const LpModel *model, const LpArea *area, const LpSpread *s) {
    const LpBoardPlan *plan = &model->board;
    uint32_t per = servers_of_group(model);
    for (uint32_t g = s->from; g < s->from + s->groups; g++) {
        if (plan->groups == 1 || (int)per * s->pitch + s->gap >= 6)
            lp_area_textf(area, column_of(model, s, g * per), 0, LP_ROLE_MUTED,
                          plan->groups > 1 ? "to g%u" : "to server", (unsigned)g);
        else if ((int)per * s->pitch + s->gap >= 4)
            lp_area_textf(area, column_of(model, s, g * per), 0, LP_ROLE_MUTED, "g%u", (unsigned)g);
        for (uint32_t at = 0; at < per; at += plan->per_rack)
            if (plan->groups > 1 && (int)plan->per_rack * s->pitch + s->rack_gap >= 3)
                lp_area_textf(area, column_of(model, s, g * per + at), 1, LP_ROLE_MUTED, "r%u",
                              (unsigned)(at / plan->per_rack));
        for (uint32_t at = 0; at < per && plan->groups == 1; at += 4)
            lp_area_textf(area, column_of(model, s, at), 1, LP_ROLE_MUTED, "%u", (unsigned)at);
    }
}

/* "g2 r1 s19", the group only where it begins. */
static void draw_label(const LpModel *model, const LpArea *area, int y, uint32_t server) {
    const LpBoardPlan *plan = &model->board;
    uint32_t per = servers_of_group(model), job = lp_world_server(model->world, server)->job;
    LpStyle style = job == LP_NO_INDEX ? (LpStyle)LP_ROLE_MUTED : lp_model_ink(model, job);
    if (plan->groups > 1 && server % per == 0)
        lp_area_textf(area, 0, y, LP_ROLE_MUTED, "g%u", (unsigned)(server / per));
    if (plan->groups > 1)
        lp_area_textf(area, 4, y, LP_ROLE_MUTED, "r%u", (unsigned)(server % per / plan->per_rack));
    lp_area_textf(area, 7, y, style, "s%u", (unsigned)server);
    lp_area_hit(area, (LpRect){7, y, 4, 1}, LP_HIT_SERVER, server);
}

static void put_path(const LpModel *model, const LpArea *area, const LpSpread *s, int y,
                     const LpRunning *job, const LpPath *path) {
    int x = column_of(model, s, path->dst);
    bool quiet = lp_model_is_quiet(model, job->job->id);
    lp_letter_put(area, x, y, lp_model_fill(model, job->job->id), job->job->id, job->letter);
    if (s->pitch > 1)
        lp_area_put(area, x + 1, y,
                    quiet ? (LpStyle)LP_ROLE_MUTED : lp_model_ink(model, job->job->id),
                    lp_glyph_height(path->share, area->canvas->ascii));
    lp_area_hit(area, (LpRect){x, y, s->pitch, 1}, LP_HIT_PATH,
                LP_HIT_PATHS * path->src + path->dst);
}

static void draw_line(const LpModel *model, const LpArea *area, const LpSpread *s, int y,
                      uint32_t server) {
    const LpRunning *job;
    uint32_t per = servers_of_group(model);
    draw_label(model, area, y, server);
    for (uint32_t g = s->from; g < s->from + s->groups; g++)
        for (uint32_t at = 0; at < per; at++)
            lp_area_glyph(area, column_of(model, s, g * per + at), y, LP_ROLE_FREE,
                          g * per + at == server ? LP_GLYPH_HORIZONTAL : LP_GLYPH_FREE);
    for (uint32_t n = 0; (job = nth_job(model, n)) != NULL; n++)
        for (uint32_t i = lp_spread_first(job, server);
             i < job->paths && job->path[i].src == server; i++)
            if (is_shown(model, s, job->path[i].dst) &&
                lp_model_path_shines(model, job, &job->path[i]))
                put_path(model, area, s, y, job, &job->path[i]);
}

/* The title that fits into `width` columns. */
static void print_title(const LpModel *model, int group, int width, char *out, size_t size) {
    const LpBoardPlan *plan = &model->board;
    if (plan->groups == 1)
        snprintf(out, size, "LIGHT PATHS from server (line) to server (column)");
    else if (group == LP_SPREAD_ALL)
        snprintf(out, size, "LIGHT PATHS from server (line) to server (column)%s",
                 width >= 84 ? ", by wavelength in its rack" : "");
    else
        snprintf(out, size, "LIGHT PATHS of group %d%s", group,
                 width >= 96 ? ", from server (line) to server (column), in each rack by wavelength"
                 : width >= 74 ? ", from line to column, in a rack by wavelength"
                               : "");
}

void lp_view_spread(const LpModel *model, const LpArea *area, int group) {
    LpSpread s;
    char title[128];
    print_title(model, group, area->rect.w, title, sizeof title);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    if (!lp_spread_plan(model, group, inside.rect.w, area->rect.h, &s))
        return;
    draw_heads(model, &inside, &s);
    for (uint32_t i = 0; i < s.lines; i++)
        draw_line(model, &inside, &s, HEAD + (int)i, s.first + i);
}
