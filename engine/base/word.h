/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a typed line, with blanks between them: a part in quotes may hold blanks, as in
 * name="a b" or "my policy.lua". In quotes \" and \\ stand for " and \. */
#ifndef LP_BASE_WORD_H
#define LP_BASE_WORD_H

#include "base/str.h"

/* Bytes of the word that begins at `at`, its quotes included, up to a blank, a tab or the end.
 * LP_EINVAL where a quote is not closed. O(len). */
LpErr lp_word_length(const char *at, size_t *len, LpDiag *diag) LP_MUST_USE;
/* Takes the quotes out of one word, in place. O(len). */
void lp_word_unquote(char *word);
/* Cuts the next word off *at, which may be written to, and takes its quotes out: *word is it, NULL
 * at the end of the text, and *at goes on behind it. Errors: lp_word_length's. */
LpErr lp_word_next(char **at, char **word, LpDiag *diag) LP_MUST_USE;
/* Appends text so that it is read as one word, or as a part of one: in quotes where it needs them.
 */
void lp_word_add(LpBuf *out, const char *text);

#endif
