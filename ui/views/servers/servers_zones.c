/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server board of zones: a line or more for each site, with its name and how many are free. */
#include "views/servers/servers_view_impl.h"

#include <stdio.h>
#include <string.h>

#include "model/measure.h"

enum { NAME_MOST = 14, FREE = 7 };

static int name_width(const LpFabric *f) {
    char name[LP_ZONE_NAME];
    int width = 4;
    for (uint32_t z = 0; z < lp_zone_count(f); z++) {
        int own = (int)strlen(lp_zone_name(f, z, name)) + 1;
        width = own > width ? own : width;
    }
    return width < NAME_MOST ? width : NAME_MOST;
}

static uint32_t largest_zone(const LpFabric *f) {
    const uint32_t *begin = f->network->locality_begin;
    uint32_t most = 1;
    for (uint32_t z = 0; z < f->network->localities; z++)
        most = begin[z + 1] - begin[z] > most ? begin[z + 1] - begin[z] : most;
    return most;
}

/* Servers of one zone from column x on, `unit` to a cell. */
static void draw_zone(const LpModel *model, const LpArea *area, int x, int y, uint32_t zone,
                      uint32_t unit, int pitch) {
    const uint32_t *begin = model->context->fabric.network->locality_begin;
    uint32_t free = 0;
    for (uint32_t s = begin[zone]; s < begin[zone + 1]; s++)
        free += lp_world_server_free(model->world, s);
    lp_area_textf(area, x, y, free > 0 ? LP_ROLE_TEXT : LP_ROLE_MUTED, "%u free", (unsigned)free);
    x += FREE + 1;
    for (uint32_t s = begin[zone]; s < begin[zone + 1]; s += unit, x += pitch) {
        uint32_t rest = begin[zone + 1] - s;
        lp_view_server_cell(model, area, (LpRect){x, y, pitch, 1}, s, rest < unit ? rest : unit);
    }
}

bool lp_view_zones_fit(const LpFabric *f, int width, int height) {
    return f->ops->sites && (int)f->network->localities <= height && width >= NAME_MOST + FREE + 8;
}

void lp_view_zones(const LpModel *model, const LpArea *area) {
    const LpFabric *f = &model->context->fabric;
    int names = name_width(f), pitch = 4, step = 1;
    uint32_t zones = f->network->localities, most = largest_zone(f), unit = 1;
    int room = area->rect.w - names - FREE - 1;
    while (pitch > 1 && (int)most * pitch > room)
        pitch--;
    while ((int)((most + unit - 1) / unit) * pitch > room)
        unit++;
    if ((int)zones * 2 - 1 <= area->rect.h)
        step = 2;
    for (uint32_t z = 0; z < zones; z++) {
        char name[LP_ZONE_NAME];
        lp_area_fit(area, 0, (int)z * step, names - 1, LP_ROLE_MUTED, lp_zone_name(f, z, name));
        draw_zone(model, area, names, (int)z * step, z, unit, pitch);
    }
}
