/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `lightpath collective` is asked, as words: KEY=VALUE with blanks between, read by a table of
 * keys. Every error names the key and the value that stands there. */
#ifndef LP_ASK_COLLECTIVE_WORDS_H
#define LP_ASK_COLLECTIVE_WORDS_H

#include "base/mem.h"
#include "base/num.h"

enum { LP_COLL_PAIRS_MAX = 32 };

/* The pairs as they stand, each key once; texts are in the arena that they were cut into. */
typedef struct LpCollWords {
    uint32_t pairs;
    struct {
        const char *key, *value;
    } pair[LP_COLL_PAIRS_MAX];
} LpCollWords;

typedef enum LpCollForm {
    LP_COLL_TEXT,  /* const char *, as it stands, borrowed from the words */
    LP_COLL_WORD,  /* uint32_t: the number of one of `word` */
    LP_COLL_COUNT, /* uint32_t, from `least` to `most` */
    LP_COLL_TIME,  /* double, s, >= 0 */
    LP_COLL_BYTES, /* double, > 0 */
    LP_COLL_RATE   /* double, bytes/s, > 0 */
} LpCollForm;

/* A key, and where its value goes. */
typedef struct LpCollKey {
    const char *name;
    LpCollForm form;
    bool needed;
    size_t offset; /* in the target */
    uint32_t least, most;
    const char *const *word; /* NULL behind the last one */
} LpCollKey;

/* Cuts a text into pairs. A value goes on to the word before the next '=', so it may have a blank
 * before its unit. Errors: LP_EINVAL, LP_ELIMIT; LP_ENOMEM. O(length). */
LpErr lp_coll_words_cut(const char *text, LpArena *arena, LpCollWords *out,
                        LpDiag *diag) LP_MUST_USE;
/* The value of a key, NULL where it is not there. */
const char *lp_coll_words_find(const LpCollWords *words, const char *key);
/* Fills the target; keys that are not there leave theirs as it was. Errors: LP_EINVAL: a key that
 * the table has not, one that is missing, or a value that is none; LP_ENOMEM. */
LpErr lp_coll_words_read(const LpCollWords *words, const LpCollKey *key, size_t keys, void *target,
                         LpDiag *diag) LP_MUST_USE;
/* "KEY=VALUE: why". */
LpErr lp_coll_words_fail(LpDiag *diag, const char *key, const char *value, const char *why);
/* A quantity of a key, of which `value` may be a part: finite, and 0 or more. */
LpErr lp_coll_words_quantity(const char *key, const char *value, LpDimension dim, double *out,
                             LpDiag *diag) LP_MUST_USE;
/* A whole number of a key, from `least` to `most`. */
LpErr lp_coll_words_count(const char *key, const char *value, uint32_t least, uint32_t most,
                          uint32_t *out, LpDiag *diag) LP_MUST_USE;

#endif
