/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links between racks and spines as a matrix: up and down, how much of each is taken and by whom.
 */
#include <stdio.h>

#include "base/str.h"
#include "board/links.h"

enum { LABEL = 9, PERCENT = 7, WHO = 14 };

/* One direction of a cable: a bar, with room for it the share in words, with more who takes it: a
 * job's letter, or how many jobs. */
static void draw_direction(const LpLinkBoard *b, const LpArea *area, int x, int y, int width,
                           uint32_t link) {
    char text[LP_SHOW_TEXT];
    uint32_t jobs = b->link[link].jobs;
    bool bar = width < PERCENT || !b->ascii;
    if (bar || jobs == 0)
        lp_link_bar(b, area, x, y, link);
    if (jobs == 0 || width < PERCENT)
        return;
    lp_area_right(area, x + PERCENT, y, LP_ROLE_TEXT,
                  lp_show_percent(lp_link_share(b, link), text));
    int letter = lp_letters_of(&b->model->letters, b->link[link].job);
    if (width >= WHO && jobs == 1 && letter >= 0)
        lp_letter_put(area, x + PERCENT + 1, y, lp_letter_hue(b->link[link].job), b->link[link].job,
                      letter);
    else if (width >= WHO)
        lp_area_textf(area, x + PERCENT + 1, y, LP_ROLE_MUTED, "%u job%s", (unsigned)jobs,
                      lp_str_s(jobs));
}

bool lp_board_matrix_fits(const LpLinkBoard *b, int width, int height) {
    return (int)b->plan->count < height && LABEL + 3 * (int)b->plan->spines <= width;
}

int lp_board_matrix(const LpLinkBoard *b, const LpArea *area) {
    uint32_t leaves = b->plan->count, spines = b->plan->spines;
    int width = (area->rect.w - LABEL) / (int)spines;
    width = width > 2 * (WHO + 1) ? 2 * (WHO + 1) : width;
    int half = width >= 2 * (PERCENT + 1) ? width / 2 : 1;
    for (uint32_t p = 0; p < spines; p++) {
        int x = LABEL + (int)p * width;
        lp_area_textf(area, x, 0, LP_ROLE_MUTED,
                      half >= WHO  ? "up to spine %u"
                      : width >= 8 ? "spine %u"
                                   : "p%u",
                      (unsigned)p);
        if (half >= WHO)
            lp_area_text(area, x + half, 0, LP_ROLE_MUTED, "down");
    }
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        lp_area_textf(area, 0, 1 + (int)leaf, LP_ROLE_MUTED, "%s %u", b->plan->rack,
                      (unsigned)leaf);
        for (uint32_t p = 0; p < spines; p++) {
            uint32_t up = 2 * (b->network->servers + leaf * spines + p);
            int x = LABEL + (int)p * width;
            draw_direction(b, area, x, 1 + (int)leaf, half - 1, up);
            draw_direction(b, area, x + half, 1 + (int)leaf, half - 1, up + 1);
        }
    }
    return 1 + (int)leaves;
}
