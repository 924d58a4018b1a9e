/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts KEY=VALUE out of a text and reads the values by a table of keys. */
#include "ask/collective/collective_words.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { SHOWN = 64, SENTENCE = 96 };

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

/* ---- pairs ---- */

/* Where the word begins that ends before `end`, blanks left out; not before `from`. */
static char *word_before(char *from, char *end) {
    while (end > from && is_blank(end[-1]))
        end--;
    while (end > from && !is_blank(end[-1]))
        end--;
    return end;
}

/* Takes the blanks off both ends, in place. */
static char *trim(char *text) {
    while (is_blank(*text))
        text++;
    size_t len = strlen(text);
    while (len > 0 && is_blank(text[len - 1]))
        text[--len] = '\0';
    return text;
}

static LpErr add_pair(LpCollWords *words, const char *key, const char *value, LpDiag *diag) {
    char shown[SHOWN];
    lp_str_show(shown, sizeof shown, key);
    if (key[0] == '\0')
        return lp_fail(diag, LP_EINVAL, "a key is missing before '=', expected KEY=VALUE");
    if (value[0] == '\0')
        return lp_fail(diag, LP_EINVAL, "%s=: expected a value", shown);
    if (lp_coll_words_find(words, key) != NULL)
        return lp_fail(diag, LP_EINVAL, "%s stands twice", shown);
    if (words->pairs == LP_COLL_PAIRS_MAX)
        return lp_fail(diag, LP_ELIMIT, "%s: expected at most %d keys", shown,
                       (int)LP_COLL_PAIRS_MAX);
    words->pair[words->pairs].key = key;
    words->pair[words->pairs++].value = value;
    return LP_OK;
}

LpErr lp_coll_words_cut(const char *text, LpArena *arena, LpCollWords *out, LpDiag *diag) {
    char shown[SHOWN], *copy = lp_arena_strdup(arena, text);
    LpCollWords words = {0};
    if (copy == NULL)
        return lp_fail_memory(diag, "the words of a collective");
    char *equals = strchr(copy, '=');
    char *key = equals != NULL ? word_before(copy, equals) : copy + strlen(copy);
    char first = *key;
    *key = '\0';
    if (*trim(copy) != '\0')
        return lp_fail(diag, LP_EINVAL, "\"%s\": expected KEY=VALUE",
                       lp_str_show(shown, sizeof shown, trim(copy)));
    *key = first;
    while (equals != NULL) {
        char *value = equals + 1, *next = strchr(value, '=');
        char *next_key = next != NULL ? word_before(value, next) : NULL;
        *equals = '\0';
        if (next_key != NULL && next_key > value)
            next_key[-1] = '\0';
        else if (next_key != NULL)
            return lp_fail(diag, LP_EINVAL, "%s=: expected a value",
                           lp_str_show(shown, sizeof shown, trim(key)));
        LP_TRY(add_pair(&words, trim(key), trim(value), diag));
        equals = next;
        key = next_key;
    }
    *out = words;
    return LP_OK;
}

const char *lp_coll_words_find(const LpCollWords *words, const char *key) {
    for (uint32_t i = 0; i < words->pairs; i++)
        if (strcmp(words->pair[i].key, key) == 0)
            return words->pair[i].value;
    return NULL;
}

/* ---- values ---- */

LpErr lp_coll_words_fail(LpDiag *diag, const char *key, const char *value, const char *why) {
    char shown[SHOWN];
    return lp_fail(diag, LP_EINVAL, "%s=%s: %s", key, lp_str_show(shown, sizeof shown, value), why);
}

LpErr lp_coll_words_quantity(const char *key, const char *value, LpDimension dim, double *out,
                             LpDiag *diag) {
    double number = 0;
    LpDiag why;
    LpErr err = lp_quantity_parse(value, dim, &number, &why);
    if (err == LP_ENOMEM)
        return lp_fail_memory(diag, "a number");
    if (err != LP_OK)
        return lp_coll_words_fail(diag, key, value, why.text);
    if (!(number >= 0))
        return lp_coll_words_fail(diag, key, value, "expected 0 or more");
    *out = number;
    return LP_OK;
}

LpErr lp_coll_words_count(const char *key, const char *value, uint32_t least, uint32_t most,
                          uint32_t *out, LpDiag *diag) {
    uint64_t number = 0;
    char why[SENTENCE];
    LpDiag ignored;
    if (lp_num_parse_u64(value, &number, &ignored) == LP_OK && number >= least && number <= most) {
        *out = (uint32_t)number;
        return LP_OK;
    }
    snprintf(why, sizeof why, "expected a whole number from %u to %u", (unsigned)least,
             (unsigned)most);
    return lp_coll_words_fail(diag, key, value, why);
}

static LpErr read_positive(const LpCollKey *key, const char *value, LpDimension dim, double *out,
                           LpDiag *diag) {
    double number = 0;
    LP_TRY(lp_coll_words_quantity(key->name, value, dim, &number, diag));
    if (!(number > 0))
        return lp_coll_words_fail(diag, key->name, value, "expected more than 0");
    *out = number;
    return LP_OK;
}

static LpErr read_word(const LpCollKey *key, const char *value, uint32_t *out, LpDiag *diag) {
    LpBuf expected = {0};
    for (uint32_t i = 0; key->word[i] != NULL; i++) {
        if (strcmp(value, key->word[i]) == 0) {
            *out = i;
            lp_buf_fini(&expected);
            return LP_OK;
        }
        bool last = key->word[i + 1] == NULL;
        lp_buf_addf(&expected, "%s%s", i == 0 ? "expected " : last ? " or " : ", ", key->word[i]);
    }
    LpErr err = lp_coll_words_fail(diag, key->name, value, lp_buf_text(&expected));
    lp_buf_fini(&expected);
    return err;
}

static LpErr read_value(const LpCollKey *key, const char *value, void *to, LpDiag *diag) {
    switch (key->form) {
    case LP_COLL_WORD:
        return read_word(key, value, to, diag);
    case LP_COLL_COUNT:
        return lp_coll_words_count(key->name, value, key->least, key->most, to, diag);
    case LP_COLL_TIME:
        return lp_coll_words_quantity(key->name, value, LP_DIM_TIME, to, diag);
    case LP_COLL_BYTES:
        return read_positive(key, value, LP_DIM_BYTES, to, diag);
    case LP_COLL_RATE:
        return read_positive(key, value, LP_DIM_BANDWIDTH, to, diag);
    default:
        *(const char **)to = value;
        return LP_OK;
    }
}

static LpErr find_key(const LpCollKey *key, size_t keys, const char *name, const LpCollKey **out,
                      LpDiag *diag) {
    const char *names[LP_COLL_PAIRS_MAX];
    char shown[SHOWN];
    for (size_t i = 0; i < keys; i++) {
        names[i] = key[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = &key[i];
            return LP_OK;
        }
    }
    int near = lp_str_nearest(name, names, keys);
    return lp_fail(diag, LP_EINVAL, "there is no key %s%s%s beside %s",
                   lp_str_show(shown, sizeof shown, name), near >= 0 ? ", did you mean " : "",
                   near >= 0 ? names[near] : "", names[0]);
}

LpErr lp_coll_words_read(const LpCollWords *words, const LpCollKey *key, size_t keys, void *target,
                         LpDiag *diag) {
    for (uint32_t i = 0; i < words->pairs; i++) {
        const LpCollKey *found = NULL;
        LP_TRY(find_key(key, keys, words->pair[i].key, &found, diag));
        LP_TRY(read_value(found, words->pair[i].value, (char *)target + found->offset, diag));
    }
    for (size_t i = 0; i < keys; i++)
        if (key[i].needed && lp_coll_words_find(words, key[i].name) == NULL)
            return lp_fail(diag, LP_EINVAL, "%s must be there beside %s", key[i].name, key[0].name);
    return LP_OK;
}
