/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding words, by their text and on a canvas, and telling what they mean. */
#include "glossary/glossary.h"

#include <string.h>

#include "glossary/tables.h"

enum { FORM_MOST = 80, COLUMNS_MOST = 32 };

static LpGlossTable table_at(size_t index) {
    static LpGlossTable (*const tables[])(void) = {lp_gloss_jobs, lp_gloss_steps, lp_gloss_light,
                                                   lp_gloss_tree, lp_gloss_runs};
    return index < LP_COUNTOF(tables) ? tables[index]() : (LpGlossTable){0};
}

size_t lp_gloss_count(void) {
    size_t count = 0;
    for (size_t i = 0; table_at(i).word; i++)
        count += table_at(i).count;
    return count;
}

const LpGloss *lp_gloss_at(size_t index) {
    for (size_t i = 0; table_at(i).word; i++) {
        if (index < table_at(i).count)
            return &table_at(i).word[index];
        index -= table_at(i).count;
    }
    return NULL;
}

size_t lp_gloss_index(const LpGloss *word) {
    size_t before = 0;
    for (size_t i = 0; table_at(i).word; i++) {
        LpGlossTable table = table_at(i);
        for (size_t k = 0; k < table.count; k++)
            if (&table.word[k] == word)
                return before + k;
        before += table.count;
    }
    return before;
}

/* ---- forms of a word ---- */

/* The next form of a word: its name, then what stands between the lines. False after the last. */
static bool next_form(const LpGloss *word, const char **at, const char **form, size_t *len) {
    if (*at == NULL) {
        *form = word->name;
        *len = word->name ? strlen(word->name) : 0;
        *at = word->name && word->also ? word->also : "";
        return word->name != NULL;
    }
    if (**at == '\0')
        return false;
    *form = *at;
    *len = strcspn(*at, "|");
    *at += *len + ((*at)[*len] == '|');
    return true;
}

static uint32_t lower(uint32_t cp) {
    return cp >= 'A' && cp <= 'Z' ? cp - 'A' + 'a' : cp;
}

static bool is_digit(uint32_t cp) {
    return cp >= '0' && cp <= '9';
}

static bool is_word(uint32_t cp) {
    return (lower(cp) >= 'a' && lower(cp) <= 'z') || is_digit(cp) || cp == '_';
}

/* Is what stands there the rest of a longer word, such as a name with a line in it? */
static bool goes_on(const uint32_t *cps, int count, int at) {
    bool line = at + 1 < count && cps[at] == '-' && is_word(cps[at + 1]);
    return at < count && (is_word(cps[at]) || line);
}

/* How many of the characters are this form, 0: they are another word. An 's' may follow. */
static int match(const uint32_t *cps, int count, const char *form, size_t len) {
    int at = 0;
    for (size_t i = 0; i < len; i++) {
        int from = at;
        while (form[i] == '#' && at < count && is_digit(cps[at]))
            at++;
        if (form[i] != '#' && at < count && lower(cps[at]) == lower((unsigned char)form[i]))
            at++;
        if (at == from)
            return 0;
    }
    at += at < count && lower(cps[at]) == 's' && is_word((unsigned char)form[len - 1]) &&
          !goes_on(cps, count, at + 1);
    return is_word((unsigned char)form[len - 1]) && goes_on(cps, count, at) ? 0 : at;
}

/* The longest match of any of its forms. */
static int match_word(const LpGloss *word, const uint32_t *cps, int count) {
    const char *at = NULL, *form;
    size_t len;
    int longest = 0;
    while (next_form(word, &at, &form, &len)) {
        int here = match(cps, count, form, len);
        longest = here > longest ? here : longest;
    }
    return longest;
}

static const LpGloss *best_match(const uint32_t *cps, int count, int *length) {
    const LpGloss *best = NULL;
    *length = 0;
    for (size_t i = 0; table_at(i).word; i++) {
        LpGlossTable table = table_at(i);
        for (size_t k = 0; k < table.count; k++) {
            int here = match_word(&table.word[k], cps, count);
            if (here > *length)
                *length = here, best = &table.word[k];
        }
    }
    return best;
}

/* Is it the whole of the text, but for what stands around it? */
static bool is_all(const uint32_t *cps, int count, int length) {
    for (int i = length; i < count; i++)
        if (is_word(cps[i]))
            return false;
    return length > 0;
}

const LpGloss *lp_gloss_find(const char *text) {
    uint32_t cps[FORM_MOST];
    int count = 0, length;
    for (size_t at = 0, len = strlen(text); at < len && count < FORM_MOST; count++)
        at += lp_utf8_decode(text + at, len - at, &cps[count]);
    for (int from = 0; from < count; from++) {
        const LpGloss *found = best_match(cps + from, count - from, &length);
        if (found && is_all(cps + from, count - from, length))
            return found;
        if (is_word(cps[from]))
            return NULL;
    }
    return NULL;
}

/* ---- on a canvas ---- */

/* The characters of a row of cells. */
static int read_row(const LpCanvas *canvas, LpRect rect, int y, uint32_t cps[LP_CANVAS_MAX]) {
    for (int x = 0; x < rect.w; x++) {
        const LpCell *cell = lp_canvas_at(canvas, rect.x + x, y);
        cps[x] = cell ? cell->cp : ' ';
    }
    return rect.w;
}

/* The next word of a row from *x on, which is then behind it. */
static bool next_in_row(const uint32_t *cps, int count, int *x, LpGlossPlace *out) {
    while (*x < count) {
        int from = *x, length;
        if (cps[from] == ' ' || cps[from] >= 0x80) {
            (*x)++;
            continue;
        }
        const LpGloss *word = best_match(cps + from, count - from, &length);
        int skip = 1;
        while (is_word(cps[from]) && goes_on(cps, count, from + skip))
            skip++;
        *x += word ? length : skip;
        if (word) {
            *out = (LpGlossPlace){word, from, 0, length};
            return true;
        }
    }
    return false;
}

static bool has(const LpGlossPlace *place, int count, const LpGloss *word) {
    for (int i = 0; i < count; i++)
        if (place[i].word == word)
            return true;
    return false;
}

int lp_gloss_read(const LpCanvas *canvas, LpRect rect, LpGlossPlace out[LP_GLOSS_PLACES]) {
    uint32_t cps[LP_CANVAS_MAX];
    int count = 0;
    for (int y = rect.y; y < rect.y + rect.h; y++) {
        int width = read_row(canvas, rect, y, cps), x = 0;
        LpGlossPlace place;
        while (count < LP_GLOSS_PLACES && next_in_row(cps, width, &x, &place)) {
            if (has(out, count, place.word))
                continue;
            place.x += rect.x;
            place.y = y;
            out[count++] = place;
        }
    }
    return count;
}

/* Can a word stand from here on: is what stands before it none? */
static bool begins(const uint32_t *cps, int x) {
    if (cps[x] == ' ' || cps[x] >= 0x80)
        return false;
    bool line = x > 1 && cps[x - 1] == '-' && is_word(cps[x - 2]);
    return x == 0 || !is_word(cps[x]) || (!is_word(cps[x - 1]) && !line);
}

/* The longest match counts, so that "step" is not found in "step time". */
bool lp_gloss_where(const LpCanvas *canvas, const LpGloss *word, LpGlossPlace *out) {
    uint32_t cps[LP_CANVAS_MAX];
    for (int y = 0; y < canvas->rows; y++) {
        int width = read_row(canvas, (LpRect){0, y, canvas->cols, 1}, y, cps), length;
        for (int x = 0; x < width; x++) {
            if (!begins(cps, x) || match_word(word, cps + x, width - x) == 0 ||
                best_match(cps + x, width - x, &length) != word)
                continue;
            *out = (LpGlossPlace){word, x, y, length};
            return true;
        }
    }
    return false;
}

bool lp_gloss_under(const LpCanvas *canvas, int x, int y, LpGlossPlace *out) {
    uint32_t cps[LP_CANVAS_MAX];
    int width = read_row(canvas, (LpRect){0, y, canvas->cols, 1}, y, cps), at = 0;
    while (next_in_row(cps, width, &at, out))
        if (x >= out->x && x < out->x + out->length) {
            out->y = y;
            return true;
        }
    return false;
}

/* ---- telling ---- */

/* Is the column one of those that the name stands for? */
static bool is_named(const LpColumn *column, const LpGloss *word, const char *name) {
    if (!column->name)
        return false;
    return word ? lp_gloss_find(column->name) == word : strcmp(column->name, name) == 0;
}

typedef struct Column {
    const LpColumn *column;
    LpPane pane;
} Column;

/* Columns that say the same are one line: "in jobs, decision   JCT as a share of its limit (%)". */
static void add_column(const Column *all, int count, int index, LpBuf *out) {
    const LpColumn *column = all[index].column;
    for (int i = 0; i < index; i++)
        if (strcmp(all[i].column->meaning, column->meaning) == 0)
            return;
    lp_buf_addf(out, "in %s", lp_pane_name(all[index].pane));
    for (int i = index + 1; i < count; i++)
        if (strcmp(all[i].column->meaning, column->meaning) == 0)
            lp_buf_addf(out, ", %s", lp_pane_name(all[i].pane));
    lp_buf_addf(out, "\t%s", column->meaning);
    if (*column->unit)
        lp_buf_addf(out, " (%s)", column->unit);
    lp_buf_add(out, "\n");
}

bool lp_gloss_columns(const LpView *const *views, const char *name, LpBuf *out) {
    const LpGloss *word = lp_gloss_find(name);
    Column found[COLUMNS_MOST];
    int count = 0;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        const LpTable *table = views[pane]->table;
        for (int c = 0; table && c < table->columns && count < COLUMNS_MOST; c++)
            if (is_named(&table->column[c], word, name))
                found[count++] = (Column){&table->column[c], (LpPane)pane};
    }
    for (int i = 0; i < count; i++)
        add_column(found, count, i, out);
    return count > 0;
}

static void add_line(const char *label, const char *text, LpBuf *out) {
    if (text)
        lp_buf_addf(out, "%s\t%s\n", label, text);
}

void lp_gloss_tell(const LpGloss *word, const LpView *const *views, const LpKeymap *map,
                   LpBuf *out) {
    char where[400];
    if (word->meaning) {
        lp_keymap_add(map, word->meaning, out);
        lp_buf_add(out, "\n");
    }
    lp_gloss_columns(views, word->name, out);
    add_line("formula", word->formula, out);
    add_line("unit", word->unit, out);
    if (word->where)
        add_line("seen in", lp_keymap_text(map, word->where, where, sizeof where), out);
    add_line("see also", word->see, out);
}
