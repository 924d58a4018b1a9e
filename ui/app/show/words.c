/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words that are explained over the screen: which they are, and the one that is shown. */
#include <string.h>

#include "app/show/show.h"
#include "glossary/glossary.h"
#include "screen/screen.h"

void lp_app_open_words(LpApp *app) {
    LpWordsState *words = &app->ui.words;
    LpGlossPlace place[LP_GLOSS_PLACES];
    LpDiag diag = {0};
    lp_app_close_words(app);
    lp_app_close_page(app);
    app->ui.playing = false;
    app->ui.scroll = 0;
    app->dirty = true;
    if (!lp_app_check(app, lp_app_draw(app, &diag), &diag))
        return;
    LpRect all = {0, 0, app->canvas.cols, app->canvas.rows};
    *words = (LpWordsState){.open = true};
    words->count = lp_gloss_read(&app->canvas, all, place);
    for (int i = 0; i < words->count; i++)
        words->word[i] = (short)lp_gloss_index(place[i].word);
    if (words->count == 0)
        lp_gloss_list(words, "");
    app->dirty = true;
}

void lp_app_close_words(LpApp *app) {
    lp_app_end_search(app);
    app->ui.words.open = false;
}

void lp_app_words_topic(LpBuf *out) {
    for (size_t i = 0; i < lp_gloss_count(); i++)
        if (lp_gloss_at(i)->name)
            lp_buf_addf(out, "%s\n", lp_gloss_at(i)->name);
}

/* ---- what is known of a word ---- */

static void add_word(LpApp *app, const LpGloss *word, LpBuf *out) {
    lp_buf_addf(out, "# %s\n", word->name);
    lp_gloss_tell(word, app->model.views, &app->keymap, out);
}

bool lp_app_word_text(LpApp *app, const char *name, LpBuf *out) {
    const LpGloss *word = lp_gloss_find(name);
    if (!word)
        return lp_gloss_columns(app->model.views, name, out);
    add_word(app, word, out);
    return true;
}

void lp_app_tell_word(LpApp *app) {
    const LpGloss *word = lp_gloss_listed(&app->ui.words, app->ui.words.at);
    if (word) {
        LpBuf text = {0};
        add_word(app, word, &text);
        /* The words that another one names. */
        for (const char *at = word->see ? word->see : ""; *at;) {
            char name[64];
            size_t len = strcspn(at, ",");
            lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, at);
            const LpGloss *other = lp_gloss_find(name);
            if (other && other != word)
                add_word(app, other, &text);
            at += len + strspn(at + len, ", ");
        }
        lp_app_page(app, word->name, &text);
        lp_buf_fini(&text);
    }
}

bool lp_app_tell_cell(LpApp *app, int x, int y) {
    LpGlossPlace place;
    if (!lp_gloss_under(&app->canvas, x, y, &place))
        return false;
    lp_app_open_words(app);
    for (int i = 0; i < app->ui.words.count; i++)
        if (lp_gloss_listed(&app->ui.words, i) == place.word)
            app->ui.words.at = i;
    return true;
}
