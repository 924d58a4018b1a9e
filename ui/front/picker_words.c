/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the list, explained in place of what is marked. */
#include "front/picker_impl.h"
#include "glossary/glossary.h"
#include "screen/views.h"
#include "widgets/flow.h"

/* A word that stands in several forms is told once. */
static bool told_before(const LpGlossPlace *place, int i) {
    for (int k = 0; k < i; k++)
        if (place[k].word == place[i].word)
            return true;
    return false;
}

void lp_picker_draw_words(const LpPicker *p, const LpCanvas *canvas, const LpArea *area) {
    LpBuf text = {0};
    LpBuf *out = &text;
    LpGlossPlace place[LP_GLOSS_PLACES];
    LpRect all = {0, 2, canvas->cols, canvas->rows - 3}; /* neither title nor keys */
    int count = lp_gloss_read(canvas, all, place);
    for (int i = 0; i < count; i++) {
        if (told_before(place, i))
            continue;
        lp_buf_addf(out, "# %s\n", place[i].word->name);
        lp_gloss_tell(place[i].word, lp_app_views(), p->keymap, out);
    }
    if (count == 0)
        lp_buf_add(out, "No word here needs one.\n");
    lp_area_clear(area);
    LpArea inside = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    int lines = lp_flow_draw(NULL, lp_buf_text(&text), area->rect.w, 0);
    int last = lines > inside.rect.h ? lines - inside.rect.h : 0;
    int first = p->line < last ? p->line : last;
    lp_area_textf(area, 0, 0, LP_ROLE_LABEL | LP_BOLD, "WORDS lines %d to %d of %d", first + 1,
                  first + inside.rect.h < lines ? first + inside.rect.h : lines, lines);
    lp_flow_draw(&inside, lp_buf_text(&text), area->rect.w, first);
    lp_area_done(area, &text);
}
