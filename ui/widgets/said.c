/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sentence in several wordings. */
#include "widgets/said.h"

#include <stdarg.h>
#include <string.h>

#include "term/canvas.h"

void lp_said_clear(LpSaid *said) {
    for (int i = 0; i < LP_FORMS; i++)
        lp_buf_clear(&said->form[i]);
}

void lp_said_fini(LpSaid *said) {
    for (int i = 0; i < LP_FORMS; i++)
        lp_buf_fini(&said->form[i]);
}

void lp_said_add(LpSaid *said, LpForm form, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    lp_buf_vaddf(&said->form[form], fmt, args);
    va_end(args);
}

/* How well a text ends with this letter: a sentence over a clause over a word. */
static int rank_of(char last) {
    return last == '.' ? 2 : strchr(",;:", last) ? 1 : 0;
}

/* A text that is too long for `width` columns, up to the end of a sentence, else of a clause, else
 * of a word. */
static void add_words(const char *text, int width, LpBuf *out) {
    size_t end[3] = {0};
    LpBuf part = {0};
    for (size_t i = 1; text[0] && text[i]; i++) {
        if (text[i] != ' ')
            continue;
        int rank = rank_of(text[i - 1]);
        lp_buf_clear(&part);
        lp_buf_add_bytes(&part, text, rank == 1 ? i - 1 : i);
        if (lp_text_width(lp_buf_text(&part)) + (rank == 0) > width)
            break;
        end[rank] = rank == 1 ? i - 1 : i;
    }
    size_t used = end[2] ? end[2] : end[1] ? end[1] : end[0];
    lp_buf_add_bytes(out, text, used);
    if (end[2] == 0 && end[1] == 0 && used > 0) /* the clause goes on */
        lp_buf_add(out, "~");
    lp_buf_fini(&part);
}

void lp_said_fit(const LpSaid *said, int width, LpBuf *out) {
    const char *shortest = "";
    for (int i = 0; i < LP_FORMS; i++) {
        const char *text = lp_buf_text(&said->form[i]);
        if (!*text)
            continue;
        shortest = text;
        if (lp_text_width(text) > width)
            continue;
        lp_buf_add(out, text);
        return;
    }
    add_words(shortest, width, out);
}
