/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that are cut: at the right edge of a pane a word that is only the beginning of one that is
 * whole elsewhere, and no ~ that says so. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/checks.h"

enum { WORD = 40, SHORTEST = 2 };

struct LiveLexicon {
    char (*word)[WORD];
    size_t words, room;
};

LiveLexicon *live_lexicon_new(void) {
    return live_alloc(sizeof(LiveLexicon));
}

void live_lexicon_free(LiveLexicon *lexicon) {
    if (lexicon != NULL)
        free(lexicon->word);
    free(lexicon);
}

static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}

static bool is_letter(const LivePicture *p, int x, int y) {
    uint32_t cp = x >= 0 && x < p->cols ? p->cell[y * p->cols + x].cp : ' ';
    return cp < 128 && isalpha((int)cp);
}

/* The word that ends before column `end`, in small letters; its length, 0 where it is no word. */
static int word_before(const LivePicture *p, int end, int y, char word[WORD]) {
    int from = end;
    while (from > 0 && is_letter(p, from - 1, y))
        from--;
    uint32_t before = from > 0 ? p->cell[y * p->cols + from - 1].cp : ' ';
    if (end - from < SHORTEST || end - from >= WORD || (before != ' ' && before != '('))
        return 0; /* what is typed, or covered by a box in front of it */
    for (int x = from; x < end; x++)
        word[x - from] = (char)tolower((int)p->cell[y * p->cols + x].cp);
    word[end - from] = '\0';
    return end - from;
}

/* Is the column before `end` the last of a pane: is outside what comes next, or another pane? Boxes
 * are no edges, since texts in them are wrapped; nor have the last rows panes. */
static bool is_edge(const LivePicture *p, int end, int y) {
    enum { LAST_ROWS = 2 };
    char over[WORD], right[WORD];
    if (end >= p->cols - 1)
        return true;
    if (y >= p->rows - LAST_ROWS || p->cell[y * p->cols + end].cp != ' ')
        return false;
    bool left = live_heading_over(p, end - 1, y, over, sizeof over);
    bool beside = live_heading_over(p, end + 1, y, right, sizeof right);
    return left && beside && strcmp(over, right) != 0;
}

void live_lexicon_learn(LiveLexicon *lexicon, const LivePicture *picture, bool wide) {
    char word[WORD];
    for (int y = 0; y < picture->rows; y++)
        for (int x = 1; x < picture->cols - 2; x++) {
            if (is_letter(picture, x, y) || !is_letter(picture, x - 1, y) ||
                picture->cell[y * picture->cols + x].cp == '~' ||
                word_before(picture, x, y, word) == 0 || (!wide && is_edge(picture, x, y)))
                continue;
            if (lexicon->words == lexicon->room) {
                lexicon->room = lexicon->room * 2 + 1024;
                lexicon->word = realloc(lexicon->word, lexicon->room * sizeof *lexicon->word);
                if (lexicon->word == NULL)
                    exit(1);
            }
            strcpy(lexicon->word[lexicon->words++], word);
        }
}

void live_lexicon_sort(LiveLexicon *lexicon) {
    if (lexicon->words == 0)
        return;
    qsort(lexicon->word, lexicon->words, sizeof *lexicon->word, compare);
    size_t kept = 0;
    for (size_t i = 0; i < lexicon->words; i++)
        if (kept == 0 || strcmp(lexicon->word[kept - 1], lexicon->word[i]) != 0)
            memmove(lexicon->word[kept++], lexicon->word[i], WORD);
    lexicon->words = kept;
}

/* Another form of the same word is whole, or is put together with it ("else", "elsewhere"). */
static bool is_form(const char *rest) {
    static const char *const endings[] = {"s",  "d",  "n",   "r",  "ed",
                                          "es", "er", "ing", "ly", "where"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(rest, endings[i]) == 0)
            return true;
    return false;
}

/* A word of which this is the beginning, and no more than that; NULL: it is whole. */
static const char *cut_from(const LiveLexicon *lexicon, const char *word) {
    size_t low = 0, high = lexicon->words, len = strlen(word);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(lexicon->word[middle], word) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const char *whole = low < lexicon->words ? lexicon->word[low] : "";
    bool cut = strncmp(whole, word, len) == 0 && whole[len] != '\0' && !is_form(whole + len);
    return cut ? whole : NULL;
}

bool live_check_cut(const LivePicture *picture, const LiveLexicon *lexicon, char what[LIVE_SAYS]) {
    char word[WORD];
    for (int y = 0; y < picture->rows; y++)
        for (int x = 1; x <= picture->cols; x++) {
            if (is_letter(picture, x, y) || !is_letter(picture, x - 1, y) ||
                (x < picture->cols && picture->cell[y * picture->cols + x].cp == '~') ||
                word_before(picture, x, y, word) == 0 || !is_edge(picture, x, y))
                continue;
            const char *whole = cut_from(lexicon, word);
            if (whole == NULL)
                continue;
            snprintf(what, LIVE_SAYS, "row %d column %d: \"%s\" is cut from \"%s\" without a ~",
                     y + 1, x, word, whole);
            return false;
        }
    return true;
}
