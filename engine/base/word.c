/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a typed line, and their quotes. */
#include "base/word.h"

#include <string.h>

static bool is_escape(const char *at) {
    return at[0] == '\\' && (at[1] == '"' || at[1] == '\\');
}

LpErr lp_word_length(const char *at, size_t *len, LpDiag *diag) {
    const char *from = at;
    bool quoted = false;
    for (; *at != '\0' && (quoted || (*at != ' ' && *at != '\t')); at++) {
        if (quoted && is_escape(at))
            at++;
        else if (*at == '"')
            quoted = !quoted;
    }
    if (quoted)
        return lp_fail(diag, LP_EINVAL, "a quote is not closed: expected \" at the end");
    *len = (size_t)(at - from);
    return LP_OK;
}

void lp_word_unquote(char *word) {
    char *to = word;
    bool quoted = false;
    for (const char *at = word; *at != '\0'; at++) {
        if (quoted && is_escape(at))
            *to++ = *++at;
        else if (*at == '"')
            quoted = !quoted;
        else
            *to++ = *at;
    }
    *to = '\0';
}

LpErr lp_word_next(char **at, char **word, LpDiag *diag) {
    size_t len;
    char *from = *at + strspn(*at, " \t");
    LP_TRY(lp_word_length(from, &len, diag));
    *at = from + len;
    *word = len > 0 ? from : NULL;
    if (**at != '\0')
        *(*at)++ = '\0';
    if (len > 0)
        lp_word_unquote(from);
    return LP_OK;
}

void lp_word_add(LpBuf *out, const char *text) {
    if (text[0] != '\0' && strpbrk(text, " \t\"") == NULL) {
        lp_buf_add(out, text);
        return;
    }
    lp_buf_add(out, "\"");
    for (; *text != '\0'; text++) {
        lp_buf_add(out, *text == '"' || *text == '\\' ? "\\" : "");
        lp_buf_add_bytes(out, text, 1);
    }
    lp_buf_add(out, "\"");
}
