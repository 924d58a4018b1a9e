/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One word of the screen in a box beside it: what it means, its formula, its unit. */
#include "glossary/glossary.h"
#include "views/help/help_view.h"
#include "widgets/flow.h"
#include "widgets/widgets_keys.h"

enum { WIDTH_MOST = 96, BOX = 4, LEAST_ROWS = 5 };

static void draw_box(const LpModel *model, const LpArea *area, const LpGloss *word,
                     const char *text) {
    const LpWordsState *words = &model->ui->words;
    lp_area_clear(area);
    LpArea box = lp_area_box(area, word->name);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h - 1});
    lp_flow_draw(&inside, text, inside.rect.w, 0);
    LpArea line = lp_area_part(&box, (LpRect){1, box.rect.h - 1, box.rect.w - 2, 1});
    int x = lp_area_textf(&line, 0, 0, LP_ROLE_MUTED, "%d of %d  ", words->at + 1, words->count);
    lp_area_keys(&line, x, 0, line.rect.w - x, LP_ROLE_MUTED, model->ui->keymap,
                 words->all
                     ? "{up} {down} next  {search} search  {take} more  {help} keys  {out}"
                     : "{up} {down} next  {search} all words  {take} more  {help} keys  {out}");
}

/* Below the word where it stands in the upper half, else above it. */
static LpRect place_of(const LpCanvas *canvas, LpRect rest, int lines, const LpGlossPlace *at) {
    int w = rest.w < WIDTH_MOST ? rest.w : WIDTH_MOST;
    int most = canvas->rows >= 2 * LEAST_ROWS ? canvas->rows * 2 / 3 : canvas->rows;
    int h = lines < most ? lines : most;
    bool above = at->word && at->y > canvas->rows / 2;
    return (LpRect){(rest.w - w) / 2, above ? 0 : rest.h - h - (rest.h > h), w, h};
}

void lp_view_words(const LpModel *model, LpCanvas *canvas) {
    const LpWordsState *words = &model->ui->words;
    const LpGloss *word = lp_gloss_listed(words, words->at);
    LpGlossPlace at = {0};
    LpBuf text = {0};
    if (!word)
        return;
    LpRect rest = lp_model_rest(model->ui);
    lp_gloss_where(canvas, word, &at);
    lp_gloss_tell(word, model->views, model->ui->keymap, &text);
    int w = rest.w < WIDTH_MOST ? rest.w : WIDTH_MOST;
    int lines = lp_flow_draw(NULL, lp_buf_text(&text), w - BOX, 0) + 3;
    LpArea area = lp_canvas_area(canvas, place_of(canvas, rest, lines, &at));
    LpArea whole = lp_canvas_area(canvas, (LpRect){0, 0, canvas->cols, canvas->rows});
    if (at.word)
        lp_area_mark(&whole, at.x, at.y, at.length, LP_REVERSE | LP_BOLD);
    draw_box(model, &area, word, lp_buf_text(&text));
    lp_area_done(&area, &text);
}
