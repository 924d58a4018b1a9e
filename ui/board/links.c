/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links that jobs share: their ends, how much of each is taken, and whose data cross it. */
#include "board/links.h"

bool lp_links_open(LpLinkBoard *b, const LpModel *model, const LpArea *area) {
    const LpContext *now = lp_world_context(model->world, model->context);
    *b = (LpLinkBoard){.model = model,
                       .plan = &model->board,
                       .fabric = &now->fabric,
                       .network = now->fabric.network,
                       .ascii = area->canvas->ascii};
    if (lp_link_sums_update(model->links, model->world, model->context, NULL) != LP_OK) {
        area->canvas->incomplete = true;
        return false;
    }
    b->sums = model->links;
    b->link = b->sums->link;
    return true;
}

void lp_link_name(const LpLinkBoard *b, uint32_t link, LpBuf *out) {
    lp_board_node_name(b->fabric, b->network->from[link], out);
    lp_buf_add(out, " to ");
    lp_board_node_name(b->fabric, b->network->to[link], out);
}

void lp_link_say(const LpLinkBoard *b, uint32_t link, LpBuf *out) {
    char percent[LP_SHOW_TEXT];
    lp_link_name(b, link, out);
    lp_buf_addf(out, " %s", lp_show_percent(lp_link_share(b, link), percent));
}

double lp_link_share(const LpLinkBoard *b, uint32_t link) {
    return b->link[link].rate / b->network->capacity[link];
}

void lp_link_bar(const LpLinkBoard *b, const LpArea *area, int x, int y, uint32_t link) {
    enum { FULL = 999 }; /* thousandths */
    double share = lp_link_share(b, link);
    if (b->link[link].jobs == 0)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    else
        lp_area_put(area, x, y,
                    b->link[link].jobs == 1 ? lp_model_ink(b->model, b->link[link].job)
                    : share * 1000 > FULL   ? (LpStyle)LP_ROLE_BAD
                                            : (LpStyle)LP_ROLE_TEXT,
                    lp_glyph_height(share, b->ascii));
}

int lp_link_letters(const LpLinkBoard *b, const LpArea *area, int x, int y, int room,
                    uint32_t link) {
    enum { MOST = 32 };
    uint32_t job[MOST], most = room < 0 ? 0 : room < MOST ? (uint32_t)room : MOST;
    uint32_t count = lp_world_link_jobs(b->model->world, b->model->context, link, most, job, NULL);
    bool cut = count > most && most > 0;
    for (uint32_t i = 0; i < count && i + cut < most; i++)
        lp_letter_put(area, x++, y, lp_model_ink(b->model, job[i]), job[i],
                      lp_letters_of(&b->model->letters, job[i]));
    if (cut)
        lp_area_put(area, x++, y, LP_ROLE_MUTED, '+');
    return x;
}

void lp_link_server(const LpModel *model, const LpArea *area, int x, int y, uint32_t server) {
    const LpServer *it = lp_world_server(model->world, server);
    if (lp_model_is_pending(model, server))
        lp_letter_put(area, x, y, LP_ROLE_STAGE | LP_FILL, model->decision.job,
                      lp_model_deciding(model));
    else if (it->state == LP_SERVER_FAILED)
        lp_area_glyph(area, x, y, LP_ROLE_BAD, LP_GLYPH_BROKEN);
    else if (it->job == LP_NO_INDEX)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    else
        lp_letter_put(area, x, y, lp_model_fill(model, it->job), it->job,
                      lp_letters_of(&model->letters, it->job));
    lp_area_hit(area, (LpRect){x, y, 1, 1}, LP_HIT_SERVER, server);
}

uint32_t lp_links_busiest(const LpLinkBoard *b, uint32_t *out, uint32_t room) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->sums->used_count; i++) {
        uint32_t l = b->sums->used[i];
        uint32_t at = count < room ? count : room;
        while (at > 0 && lp_link_share(b, out[at - 1]) < lp_link_share(b, l)) {
            if (at < room)
                out[at] = out[at - 1];
            at--;
        }
        if (at < room)
            out[at] = l;
        count += count < room;
    }
    return count;
}
