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

/* A text that is too long for so many columns, up to the end of a sentence or else of a word. */
static void add_words(const char *text, int width, LpBuf *out) {
    size_t end = 0, sentence = 0;
    LpBuf part = {0};
    for (size_t i = 0; text[i]; i++) {
        if (text[i] != ' ')
            continue;
        lp_buf_clear(&part);
        lp_buf_add_bytes(&part, text, i);
        if (lp_text_width(lp_buf_text(&part)) > width)
            break;
        end = i;
        if (i > 0 && text[i - 1] == '.')
            sentence = i;
    }
    if (sentence > 0)
        end = sentence;
    while (end > 0 && strchr(",;:", text[end - 1]))
        end--;
    lp_buf_add_bytes(out, text, end);
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
