/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cell of the board: the letter of a job, or how many of its servers are busy. */
#include "views/servers/impl.h"

/* What a cell's servers are doing. */
typedef struct Content {
    uint32_t size, busy, pending, broken, job; /* job: of the first busy server */
    bool mixed;
    LpServerMark mark; /* the most telling one */
} Content;

static Content look_at(const LpModel *model, uint32_t first, uint32_t unit) {
    uint32_t servers = lp_world_servers(model->world);
    Content content = {0, 0, 0, 0, LP_NO_INDEX, false, LP_SERVER_UNMARKED};
    for (uint32_t s = first; s < servers && s - first < unit; s++) {
        uint32_t job = lp_world_server(model->world, s)->job;
        content.size++;
        content.pending += lp_model_is_pending(model, s);
        LpServerMark mark = lp_model_mark(model, s);
        content.mark = mark > content.mark ? mark : content.mark;
        content.broken += lp_world_server(model->world, s)->state == LP_SERVER_FAILED;
        if (job == LP_NO_INDEX)
            continue;
        content.mixed |= content.busy && job != content.job;
        if (!content.busy++)
            content.job = job;
    }
    return content;
}

/* What a frame of the motion says of a cell; false when it says nothing. */
static bool draw_mark(const LpModel *model, const LpArea *area, int x, int y,
                      const Content *content) {
    int letter;
    switch (content->mark) {
    case LP_SERVER_UNMARKED:
        return false;
    case LP_SERVER_IDLE:
        lp_area_put(area, x, y, LP_ROLE_MUTED, '?');
        return true;
    case LP_SERVER_RELEASED:
        lp_area_glyph(area, x, y, LP_ROLE_GOOD, LP_GLYPH_DONE);
        return true;
    case LP_SERVER_REFUSED:
        lp_area_glyph(area, x, y, LP_ROLE_BAD, LP_GLYPH_BLOCKED);
        return true;
    case LP_SERVER_COMPUTES:
        lp_area_glyph(area, x, y, LP_ROLE_PENDING, LP_GLYPH_FULL);
        return true;
    case LP_SERVER_NEWEST:
        letter = content->pending ? lp_model_deciding(model)
                                  : lp_letters_of(&model->letters, content->job);
        lp_area_put(area, x, y,
                    (content->pending ? (LpStyle)LP_ROLE_PENDING : lp_model_letter_style(letter)) |
                        LP_REVERSE,
                    (uint32_t)lp_letter(letter));
        return true;
    }
    return false;
}

static void put_content(const LpModel *model, const LpArea *area, int x, int y,
                        const Content *content) {
    int letter = lp_letters_of(&model->letters, content->job);
    LpStyle style = content->mixed ? LP_ROLE_TEXT : lp_model_letter_style(letter);
    if (content->pending)
        lp_area_put(area, x, y, LP_ROLE_PENDING, (uint32_t)lp_letter(lp_model_deciding(model)));
    else if (content->broken > 0 && content->busy == 0)
        lp_area_glyph(area, x, y, LP_ROLE_BAD, LP_GLYPH_BROKEN);
    else if (content->busy == 0)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    else if (content->busy == content->size && !content->mixed)
        lp_area_put(area, x, y, style, (uint32_t)lp_letter(letter));
    else
        lp_area_put(area, x, y, style,
                    lp_glyph_height((double)content->busy / content->size, area->canvas->ascii));
}

void lp_view_server_cell(const LpModel *model, const LpArea *area, int x, int y, uint32_t first,
                         uint32_t unit) {
    Content content = look_at(model, first, unit);
    if (content.size == 0)
        return;
    if (!draw_mark(model, area, x, y, &content))
        put_content(model, area, x, y, &content);
    lp_area_hit(area, (LpRect){x, y, 1, 1}, LP_HIT_SERVER, first);
}

LpArea lp_view_servers_head(const LpModel *model, const LpArea *area, const char *title) {
    enum { LEAST = 12 };
    char text[160];
    lp_world_conditions_text(model->world, text, sizeof text);
    LpArea inside = lp_area_heading(area, title);
    if (text[0] == '\0' || lp_area_heading_note(area, title, LEAST, LP_ROLE_WAIT, text))
        return inside;
    LpArea line = lp_area_part(area, (LpRect){0, 0, area->rect.w, 1});
    lp_area_clear(&line);
    lp_area_heading(area, "SERVERS");
    lp_area_heading_note(area, "SERVERS", 0, LP_ROLE_WAIT, text);
    return inside;
}
