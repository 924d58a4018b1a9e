/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of words that is gone through over the screen. */
#include <stdlib.h>

#include "glossary/glossary.h"

static int by_name(const void *a, const void *b) {
    const LpGloss *one = lp_gloss_at((size_t) * (const short *)a);
    const LpGloss *other = lp_gloss_at((size_t) * (const short *)b);
    for (const char *p = one->name, *q = other->name;; p++, q++) {
        int c = *p >= 'A' && *p <= 'Z' ? *p + 'a' - 'A' : *p;
        int d = *q >= 'A' && *q <= 'Z' ? *q + 'a' - 'A' : *q;
        if (c != d || c == '\0')
            return c - d;
    }
}

void lp_gloss_list(LpWordsState *words, const char *text) {
    const LpGloss *named = lp_gloss_find(text);
    words->all = true;
    words->count = words->at = 0;
    for (size_t i = 0; i < lp_gloss_count() && words->count < LP_UI_WORDS_SHOWN; i++)
        if (lp_gloss_at(i)->name)
            words->word[words->count++] = (short)i;
    qsort(words->word, (size_t)words->count, sizeof words->word[0], by_name);
    for (int i = 0; i < words->count; i++)
        if (lp_gloss_at((size_t)words->word[i]) == named)
            words->at = i;
}

const LpGloss *lp_gloss_listed(const LpWordsState *words, int line) {
    return line >= 0 && line < words->count ? lp_gloss_at((size_t)words->word[line]) : NULL;
}

void lp_gloss_move(LpWordsState *words, int lines) {
    int last = words->count - 1;
    words->at = lines > last - words->at ? last : lines < -words->at ? 0 : words->at + lines;
}

void lp_gloss_line(const LpModel *model, int line, LpBuf *out) {
    const LpGloss *word = lp_gloss_listed(&model->ui->words, line);
    lp_buf_addf(out, "%s %s ", word->name, word->also ? word->also : "");
    lp_gloss_tell(word, model->views, model->ui->keymap, out);
}
